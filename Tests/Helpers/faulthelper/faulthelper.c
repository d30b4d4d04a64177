// What the fault tests need from the kernel, and no existing tool provides:
//
//   faulthelper kill N[/syncfs] COMMAND...
//                                   runs COMMAND and kills it (SIGKILL) before its N-th system call among those that
//                                   change or flush files, counted across all threads. With /syncfs only those are
//                                   counted. Exit status: 137 if killed; otherwise that of COMMAND.
//   faulthelper hide FILE COMMAND...
//                                   runs COMMAND, whose listings of directories lack the name that FILE has, as listings
//                                   of btrfs do while another process replaces a file. Without FILE they lack nothing.
//                                   Exit status: that of COMMAND.
//   faulthelper hold PID            stops every thread of PID that is about to flush a file, like a disk that hangs.
//                                   Prints "holding" when it does, and releases them when standard input ends.
//   faulthelper cut DIR             cuts the power of the ext4 file system of DIR: what is not on disk yet is lost.
//   faulthelper guard PREFIX        cleans up after a test process, however that ends. Standard input lists processes
//                                   that started ("+PID") and ended ("-PID"), and files to restore ("=PATH VALUE").
//                                   When it ends, the processes are killed, the files are written, and everything
//                                   that is mounted on or named PREFIX… is unmounted and removed.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
// After sys/ptrace.h, whose names it would otherwise redefine.
#include <linux/ptrace.h>

static const int counted[] = {
    SYS_openat, SYS_write, SYS_pwrite64, SYS_fsync, SYS_fdatasync, SYS_syncfs, SYS_sync_file_range, SYS_renameat,
    SYS_renameat2, SYS_linkat, SYS_unlinkat, SYS_mkdirat, SYS_fchmod, SYS_fchmodat, SYS_ftruncate,
#ifdef SYS_open
    SYS_open, SYS_rename, SYS_link, SYS_unlink, SYS_mkdir, SYS_chmod,
#endif
};

static int is_counted(unsigned long long number) {
  for (size_t i = 0; i < sizeof counted / sizeof *counted; i++)
    if ((unsigned long long)counted[i] == number) return 1;
  return 0;
}

static int is_flush(unsigned long long number) {
  return number == SYS_fsync || number == SYS_fdatasync || number == SYS_syncfs;
}

static const long options =
    PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC;

// The number of the system call that a stopped thread is about to make; -1 in any other stop.
static long long entered(pid_t thread, int status) {
  struct __ptrace_syscall_info info;
  if (!WIFSTOPPED(status) || WSTOPSIG(status) != (SIGTRAP | 0x80)) return -1;
  if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, (void *)sizeof info, &info) <= 0) return -1;
  return info.op == PTRACE_SYSCALL_INFO_ENTRY ? (long long)info.entry.nr : -1;
}

static int signal_to_deliver(int status) {
  int number = WSTOPSIG(status);
  if (number == (SIGTRAP | 0x80) || status >> 16 || number == SIGSTOP || number == SIGTRAP) return 0;
  return number;
}

// Runs a command and calls `at_stop` at each stop of one of its threads. Returns its exit status.
static int run_traced(char **command, void (*at_stop)(pid_t child, pid_t thread, int status)) {
  pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    raise(SIGSTOP);
    execvp(command[0], command);
    _exit(127);
  }
  int status;
  if (child < 0 || waitpid(child, &status, 0) < 0) return 126;
  ptrace(PTRACE_SETOPTIONS, child, 0, options | PTRACE_O_EXITKILL);
  ptrace(PTRACE_SYSCALL, child, 0, 0);
  for (;;) {
    pid_t thread = waitpid(-1, &status, __WALL);
    if (thread < 0) return 126;
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
      if (thread != child) continue;
      return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    at_stop(child, thread, status);
    ptrace(PTRACE_SYSCALL, thread, 0, signal_to_deliver(status));
  }
}

static long calls_left;
static int only_call;

static void kill_at_last(pid_t child, pid_t thread, int status) {
  long long number = entered(thread, status);
  if (number < 0) return;
  if (only_call ? number != only_call : !is_counted((unsigned long long)number)) return;
  if (--calls_left == 0) kill(child, SIGKILL);
}

static const char *hidden_file;

// Makes one more "." of the hidden name in a listing that a thread has just got. Every reader skips that.
static void hide_name(pid_t child, pid_t thread, int status) {
  (void)child;
  enum { limit = 64 };
  static struct { pid_t thread; unsigned long long buffer; } listing[limit];
  struct __ptrace_syscall_info info;
  if (!WIFSTOPPED(status) || WSTOPSIG(status) != (SIGTRAP | 0x80)) return;
  if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, (void *)sizeof info, &info) <= 0) return;
  int place = 0;
  while (place < limit - 1 && listing[place].thread && listing[place].thread != thread) place++;
  if (info.op == PTRACE_SYSCALL_INFO_ENTRY) {
    listing[place].thread = thread;
    listing[place].buffer = info.entry.nr == SYS_getdents64 ? info.entry.args[1] : 0;
    return;
  }
  unsigned long long buffer = listing[place].buffer;
  if (info.op != PTRACE_SYSCALL_INFO_EXIT || listing[place].thread != thread || !buffer || info.exit.rval <= 0) return;
  char name[256] = "", path[64];
  static char entries[1 << 20];
  FILE *file = fopen(hidden_file, "r");
  if (!file) return;
  int has_name = fscanf(file, "%255s", name) == 1;
  fclose(file);
  snprintf(path, sizeof path, "/proc/%d/mem", thread);
  int memory = has_name ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (memory < 0) return;
  ssize_t length = pread(memory, entries, sizeof entries, (off_t)buffer);
  if (length > info.exit.rval) length = (ssize_t)info.exit.rval;
  for (ssize_t at = 0; at < length; at += ((struct dirent64 *)(entries + at))->d_reclen) {
    struct dirent64 *entry = (struct dirent64 *)(entries + at);
    if (strcmp(entry->d_name, name)) continue;
    off_t there = (off_t)buffer + at + (off_t)offsetof(struct dirent64, d_name);
    if (pwrite(memory, ".", 2, there) != 2) perror("hide");
  }
  close(memory);
}

static void seize_threads(pid_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", process);
  DIR *tasks = opendir(path);
  if (!tasks) return;
  for (struct dirent *entry; (entry = readdir(tasks));) {
    pid_t thread = atoi(entry->d_name);
    if (thread <= 0 || ptrace(PTRACE_SEIZE, thread, 0, options) < 0) continue;
    ptrace(PTRACE_INTERRUPT, thread, 0, 0);
  }
  closedir(tasks);
}

static int hold(pid_t process) {
  seize_threads(process);
  int said = 0;
  for (;;) {
    struct pollfd input = {.fd = 0, .events = POLLIN};
    if (poll(&input, 1, 5) > 0) return 0;  // When this process ends, the kernel releases every thread.
    int status;
    pid_t thread;
    while ((thread = waitpid(-1, &status, __WALL | WNOHANG)) > 0) {
      if (!WIFSTOPPED(status)) continue;
      long long number = entered(thread, status);
      if (number >= 0 && is_flush((unsigned long long)number)) continue;
      ptrace(PTRACE_SYSCALL, thread, 0, signal_to_deliver(status));
    }
    if (thread < 0 && errno == ECHILD) return 0;
    if (!said) {
      said = 1;
      puts("holding");
      fflush(stdout);
    }
  }
}

static int cut(const char *path) {
  const unsigned without_log_flush = 2;  // EXT4_GOING_FLAGS_NOLOGFLUSH
  int directory = open(path, O_RDONLY | O_DIRECTORY);
  if (directory < 0 || ioctl(directory, _IOR('X', 125, unsigned), &without_log_flush) < 0) {
    perror("cut");
    return 1;
  }
  return 0;
}

static void unmount_all(const char *prefix) {
  char line[8192], path[4096];
  for (int round = 0; round < 20; round++) {
    FILE *mounts = fopen("/proc/self/mounts", "r");
    int found = 0;
    while (mounts && fgets(line, sizeof line, mounts))
      if (sscanf(line, "%*s %4095s", path) == 1 && !strncmp(path, prefix, strlen(prefix)))
        found |= !umount2(path, MNT_DETACH);
    if (mounts) fclose(mounts);
    if (!found) return;
  }
}

static int guard(const char *prefix) {
  enum { limit = 4096 };
  static pid_t processes[limit];
  static char *settings[16][2];
  int process_count = 0, setting_count = 0;
  char line[4096], path[2048], value[64];
  // A ^C at the terminal ends the tests. The guardian must survive it to clean up after them.
  setsid();
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  while (fgets(line, sizeof line, stdin)) {
    pid_t process = atoi(line + 1);
    if (*line == '+' && process > 1 && process_count < limit) processes[process_count++] = process;
    if (*line == '-')
      for (int i = process_count - 1; i >= 0; i--)
        if (processes[i] == process) processes[i] = processes[--process_count];
    // The first value of a file is its content before any test changed it.
    if (*line == '=' && setting_count < 16 && sscanf(line + 1, "%2047s %63s", path, value) == 2) {
      settings[setting_count][0] = strdup(path);
      settings[setting_count++][1] = strdup(value);
    }
  }
  for (int i = 0; i < process_count; i++) kill(processes[i], SIGKILL);
  while (setting_count-- > 0) {
    FILE *file = fopen(settings[setting_count][0], "w");
    if (!file) continue;
    fprintf(file, "%s\n", settings[setting_count][1]);
    fclose(file);
  }
  unmount_all(prefix);
  // Uses the shell's pattern, because the prefix is not a complete name. "$0" protects every other character in it.
  execl("/bin/sh", "sh", "-c", "rm -rf \"$0\"*", prefix, (char *)0);
  return 126;
}

int main(int count, char **arguments) {
  if (count > 3 && !strcmp(arguments[1], "kill")) {
    calls_left = atol(arguments[2]);
    only_call = strstr(arguments[2], "/syncfs") ? SYS_syncfs : 0;
    return run_traced(arguments + 3, kill_at_last);
  }
  if (count > 3 && !strcmp(arguments[1], "hide")) {
    hidden_file = arguments[2];
    return run_traced(arguments + 3, hide_name);
  }
  if (count == 3 && !strcmp(arguments[1], "hold")) return hold(atoi(arguments[2]));
  if (count == 3 && !strcmp(arguments[1], "cut")) return cut(arguments[2]);
  if (count == 3 && !strcmp(arguments[1], "guard") && arguments[2][0] == '/') return guard(arguments[2]);
  return 64;
}
