#define _GNU_SOURCE
#include "CLinux.h"

#include <sched.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/limits.h>
#include <linux/openat2.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

const uint32_t clinux_epollin = EPOLLIN, clinux_epollout = EPOLLOUT, clinux_epollpri = EPOLLPRI, clinux_epollerr = EPOLLERR;

int clinux_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int clinux_epoll_add(int epoll, int fd, uint32_t events, uint64_t token) {
  struct epoll_event event = {.events = events, .data.u64 = token};
  return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event);
}

int clinux_epoll_modify(int epoll, int fd, uint32_t events, uint64_t token) {
  struct epoll_event event = {.events = events, .data.u64 = token};
  return epoll_ctl(epoll, EPOLL_CTL_MOD, fd, &event);
}

int clinux_epoll_remove(int epoll, int fd) { return epoll_ctl(epoll, EPOLL_CTL_DEL, fd, NULL); }

int clinux_epoll_wait(int epoll, uint64_t *tokens, uint32_t *events, int capacity, int timeout_ms) {
  struct epoll_event ready[64];
  int n = epoll_wait(epoll, ready, capacity < 64 ? capacity : 64, timeout_ms);
  for (int i = 0; i < n; i++) {
    tokens[i] = ready[i].data.u64;
    events[i] = ready[i].events;
  }
  return n;
}

int clinux_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int clinux_timerfd(int clock) { return timerfd_create(clock, TFD_CLOEXEC | TFD_NONBLOCK); }

int clinux_timerfd_arm(int fd, int64_t seconds, int64_t nanoseconds, bool is_wall) {
  struct itimerspec when = {.it_value = {.tv_sec = seconds, .tv_nsec = nanoseconds}};
  return timerfd_settime(fd, is_wall ? TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET : 0, &when, NULL);
}

// Does the work of openat2 on kernels and in sandboxes without it: opens every component separately, never through a
// link.
static int open_beneath_by_component(int directory, const char *path, int flags) {
  char name[NAME_MAX + 1];
  int at = directory;
  for (;;) {
    const char *slash = strchrnul(path, '/');
    size_t length = (size_t)(slash - path);
    if (length == 0 || length > NAME_MAX || (length == 2 && !memcmp(path, "..", 2))) {
      if (at != directory) close(at);
      errno = length > NAME_MAX ? ENAMETOOLONG : EXDEV;
      return -1;
    }
    memcpy(name, path, length);
    name[length] = 0;
    bool last = !*slash;
    int next = openat(at, name, last ? flags | O_NOFOLLOW | O_CLOEXEC : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int saved = errno;
    if (at != directory) close(at);
    errno = saved;
    if (next < 0 || last) return next;
    at = next;
    path = slash + 1;
  }
}

int clinux_open_beneath(int directory, const char *path, int flags) {
  struct open_how how = {
      .flags = (uint64_t)(flags | O_CLOEXEC | O_NOFOLLOW),
      .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
  };
  int fd = (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
  if (fd < 0 && (errno == ENOSYS || errno == EPERM)) return open_beneath_by_component(directory, path, flags);
  return fd;
}

int clinux_open_path_beneath(int directory, const char *path) { return clinux_open_beneath(directory, path, O_PATH); }

int clinux_open_temporary(int directory, const char *name, unsigned mode) {
  return openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
}

int clinux_rename_without_replacing(int directory, const char *name, int target, const char *new_name) {
  return renameat2(directory, name, target, new_name, RENAME_NOREPLACE);
}

static const char default_acl[] = "system.posix_acl_default";

// The size of a directory's default access list in bytes. The kernel allocates as much memory as a call requests, so
// most calls request none.
static ssize_t default_acl_length(int fd) {
  ssize_t length = fgetxattr(fd, default_acl, NULL, 0);
  return length < 0 ? 0 : length;
}

// The kernel copies a directory's list byte for byte to new directories in it.
bool clinux_has_same_default_acl(int one, int other) {
  ssize_t length = default_acl_length(one);
  if (length != default_acl_length(other)) return false;
  if (length == 0) return true;
  char a[XATTR_SIZE_MAX], b[XATTR_SIZE_MAX];
  return fgetxattr(one, default_acl, a, sizeof a) == length && fgetxattr(other, default_acl, b, sizeof b) == length &&
         !memcmp(a, b, (size_t)length);
}

unsigned clinux_mode_in(int directory, unsigned mode, unsigned mask) {
  if (default_acl_length(directory) == 0) return mode & ~mask;
  char bytes[XATTR_SIZE_MAX];
  ssize_t length = fgetxattr(directory, default_acl, bytes, sizeof bytes);
  unsigned owner = 7, group = 7, others = 7;
  bool has_mask = false;
  // A version of 32 bits, then entries of tag, permissions (16 bits each) and id (32), in little-endian order
  // (linux/posix_acl_xattr.h). The mask comes after the group.
  for (const unsigned char *at = (const unsigned char *)bytes + 4; at + 8 <= (const unsigned char *)bytes + length; at += 8) {
    unsigned tag = at[0] | at[1] << 8, permissions = at[2] & 7;
    if (tag == 0x01) owner = permissions;
    if (tag == 0x04 && !has_mask) group = permissions;
    if (tag == 0x10) group = permissions, has_mask = true;
    if (tag == 0x20) others = permissions;
  }
  return mode & (owner << 6 | group << 3 | others);
}

int clinux_syncfs(int fd) { return syncfs(fd); }

int clinux_flock_exclusive(int fd) { return flock(fd, LOCK_EX | LOCK_NB); }

int clinux_announce_lock(int fd, int64_t start) {
  struct flock rest = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = start};
  return fcntl(fd, F_OFD_SETLK, &rest);
}

int64_t clinux_announced_lock(int fd) {
  struct flock whole = {.l_type = F_WRLCK};
  return fcntl(fd, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK ? whole.l_start : -1;
}

int64_t clinux_filesystem_type(int fd) {
  struct statfs about;
  return fstatfs(fd, &about) < 0 ? -1 : (int64_t)about.f_type;
}

// Sets both times: the kernel reports a change of only one as IN_ACCESS or IN_MODIFY, which the agent does not watch
// for (fsnotify_change in the kernel).
int clinux_touch(int fd) { return futimens(fd, NULL); }

// Network and FUSE file systems: inotify reports at most the writes of this machine (inotify(7), "Limitations").
bool clinux_filesystem_has_events(int64_t type) {
  switch ((uint32_t)type) {
    case 0x6969:      // NFS
    case 0x517B:      // SMB
    case 0xFF534D42:  // CIFS
    case 0xFE534D42:  // SMB2
    case 0x65735546:  // FUSE
    case 0x01021997:  // 9P
    case 0x5346414F:  // AFS
    case 0x6B414653:  // kAFS
    case 0x00C36400:  // Ceph
    case 0x7461636F:  // OCFS2
    case 0x01161970:  // GFS2
    case 0x786F4256:  // VirtualBox shared folders
    case 0xBACBACBC:  // VMware hgfs
    case 0x0BD00BD0:  // Lustre
    case 0x47504653:  // GPFS
      return false;
    default:
      return true;
  }
}

bool clinux_path_has_events(const char *path) {
  struct statfs about;
  return statfs(path, &about) == 0 && clinux_filesystem_has_events((int64_t)about.f_type);
}

uint64_t clinux_mount_id(int fd) {
  struct statx about;
  if (statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &about) != 0 || !(about.stx_mask & STATX_MNT_ID)) return 0;
  return about.stx_mnt_id;
}

int clinux_directory(int fd, const char *path, uint64_t *device, uint64_t *inode, int64_t *birth) {
  struct statx about;
  int flags = AT_SYMLINK_NOFOLLOW | (*path ? 0 : AT_EMPTY_PATH);
  if (statx(fd, path, flags, STATX_INO | STATX_BTIME, &about) != 0) return -1;
  *device = makedev(about.stx_dev_major, about.stx_dev_minor);
  *inode = about.stx_ino;
  *birth = about.stx_mask & STATX_BTIME
               ? (int64_t)((uint64_t)about.stx_btime.tv_sec * 1000000000u + about.stx_btime.tv_nsec)
               : 0;
  return 0;
}

void *clinux_opendir(int fd) { return fdopendir(fd); }

const char *clinux_readdir(void *directory, uint8_t *type, int64_t *next) {
  for (;;) {
    errno = 0;
    struct dirent *entry = readdir(directory);
    if (!entry) return NULL;
    if (entry->d_name[0] == '.' && (!entry->d_name[1] || (entry->d_name[1] == '.' && !entry->d_name[2]))) continue;
    *type = entry->d_type;
    *next = entry->d_off;
    return entry->d_name;
  }
}

void clinux_closedir(void *directory) { closedir(directory); }

// A socket's path has at most 107 bytes (unix(7)); a path through the directory's descriptor fits for any cache.
static socklen_t address_in(int directory, const char *name, struct sockaddr_un *address) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  snprintf(address->sun_path, sizeof address->sun_path, "/proc/self/fd/%d/%s", directory, name);
  return sizeof *address;
}

static socklen_t abstract_address(const char *name, size_t length, struct sockaddr_un *address) {
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (length > sizeof address->sun_path - 1) length = sizeof address->sun_path - 1;
  memcpy(address->sun_path + 1, name, length);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + length);
}

static int listening(struct sockaddr_un *address, socklen_t length) {
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return -1;
  if (bind(fd, (struct sockaddr *)address, length) < 0 || listen(fd, 64) < 0) {
    int saved = errno;
    close(fd);
    errno = saved;
    return -1;
  }
  return fd;
}

static int connected(struct sockaddr_un *address, socklen_t length) {
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -1;
  if (connect(fd, (struct sockaddr *)address, length) < 0) {
    int saved = errno;
    close(fd);
    errno = saved;
    return -1;
  }
  return fd;
}

int clinux_listen(int directory, const char *name) {
  struct sockaddr_un address;
  socklen_t length = address_in(directory, name, &address);
  return listening(&address, length);
}

int clinux_connect(int directory, const char *name) {
  struct sockaddr_un address;
  socklen_t length = address_in(directory, name, &address);
  return connected(&address, length);
}

int clinux_listen_abstract(const char *name, size_t size) {
  struct sockaddr_un address;
  socklen_t length = abstract_address(name, size, &address);
  return listening(&address, length);
}

int clinux_connect_abstract(const char *name, size_t size) {
  struct sockaddr_un address;
  socklen_t length = abstract_address(name, size, &address);
  return connected(&address, length);
}

int clinux_accept(int socket) { return accept4(socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

int clinux_peer(int socket, int32_t *pid, uint32_t *uid) {
  struct ucred peer;
  socklen_t length = sizeof peer;
  if (getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &length) < 0) return -1;
  *pid = peer.pid;
  *uid = peer.uid;
  return 0;
}

static int caught;

static void pass_on(int number) {
  const int error = errno;
  const unsigned char byte = (unsigned char)number;
  if (write(caught, &byte, 1) < 0) _exit(128 + number);
  errno = error;
}

int clinux_catch_signals(bool children) {
  const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
  const struct sigaction then = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) < 0) return -1;
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  caught = ends[1];
  for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
    struct sigaction now;
    if (sigaction(ending[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN) sigaction(ending[i], &then, NULL);
  }
  // Also if SIGCHLD was ignored: then the kernel would keep no exit status.
  if (children) sigaction(SIGCHLD, &then, NULL);
  return ends[0];
}

int clinux_caught_signal(int fd) {
  unsigned char number;
  return read(fd, &number, 1) == 1 ? number : 0;
}

int clinux_spawn(char *const words[], int input, int32_t *pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t usual, blocked;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  sigemptyset(&blocked);
  int error = posix_spawn_file_actions_init(&actions);
  if (error) return error;
  error = posix_spawnattr_init(&attributes);
  if (error) {
    posix_spawn_file_actions_destroy(&actions);
    return error;
  }
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setsigmask(&attributes, &blocked);
  error = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  if (!error) error = posix_spawnp(pid, words[0], &actions, &attributes, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error;
}

int clinux_memory_file(const char *label) { return memfd_create(label, MFD_CLOEXEC); }

const void *clinux_memmem(const void *text, size_t length, const void *part, size_t part_length) {
  return memmem(text, length, part, part_length);
}

static _Atomic uint64_t random_state;
static pthread_once_t random_once = PTHREAD_ONCE_INIT;

static void random_begin(void) {
  uint64_t seed = 0;
  if (getrandom(&seed, sizeof seed, 0) != sizeof seed) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    seed = ((uint64_t)now.tv_nsec << 32) ^ (uint64_t)now.tv_sec ^ ((uint64_t)getpid() << 17);
  }
  random_state = seed;
}

// splitmix64: a call of the kernel for each number would be felt in each publication.
uint64_t clinux_random(void) {
  pthread_once(&random_once, random_begin);
  uint64_t value = random_state += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

int clinux_raise_descriptor_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) < 0) return -1;
  if (limit.rlim_cur >= limit.rlim_max) return 0;
  limit.rlim_cur = limit.rlim_max;
  return setrlimit(RLIMIT_NOFILE, &limit);
}

uint64_t clinux_descriptor_limit(void) {
  struct rlimit limit;
  return getrlimit(RLIMIT_NOFILE, &limit) < 0 ? 1024 : limit.rlim_cur > INT32_MAX ? INT32_MAX : limit.rlim_cur;
}

int32_t clinux_cpu_count(void) {
  cpu_set_t cpus;
  return sched_getaffinity(0, sizeof cpus, &cpus) < 0 ? 1 : CPU_COUNT(&cpus);
}

// One heap instead of one for each thread: one thread does the agent's work, and every additional heap stays resident.
void clinux_tune_allocator(void) { mallopt(M_ARENA_MAX, 1); }

void clinux_release_heap(void) { malloc_trim(0); }
