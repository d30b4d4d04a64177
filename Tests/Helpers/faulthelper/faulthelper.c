// What the fault tests need of the kernel and no tool gives:
//
//   faulthelper kill N COMMAND...   runs COMMAND and kills it (SIGKILL) before its N-th system call among those that change
//                                   or flush files, counted across all threads. Exit status: 137 killed; else COMMAND's.
//   faulthelper hold PID            stops every thread of PID that is about to flush a file, as a disk that hangs would.
//                                   Says "holding" when it does, and lets go when standard input ends.
//   faulthelper cut DIR             pulls the plug of the ext4 file system of DIR: nothing that is not on disk gets there.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
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

// The number of the system call that a stopped thread is about to make; -1 in every other stop.
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

static int kill_before(long n, char **command) {
  pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    raise(SIGSTOP);
    execvp(command[0], command);
    _exit(127);
  }
  int status;
  long count = 0;
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
    long long number = entered(thread, status);
    if (number >= 0 && is_counted((unsigned long long)number) && ++count == n) kill(child, SIGKILL);
    ptrace(PTRACE_SYSCALL, thread, 0, signal_to_deliver(status));
  }
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
    if (poll(&input, 1, 5) > 0) return 0;  // Our end lets go of everything.
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

int main(int count, char **arguments) {
  if (count > 3 && !strcmp(arguments[1], "kill")) return kill_before(atol(arguments[2]), arguments + 3);
  if (count == 3 && !strcmp(arguments[1], "hold")) return hold(atoi(arguments[2]));
  if (count == 3 && !strcmp(arguments[1], "cut")) return cut(arguments[2]);
  return 64;
}
