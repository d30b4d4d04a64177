// The few calls and constants of the Linux kernel and the C library that Swift's Glibc module does not offer. They
// require _GNU_SOURCE or are variadic macros. Every function returns the result of the system call and leaves errno.
#ifndef CACHESYNC_CLINUX_H
#define CACHESYNC_CLINUX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Descriptors that one thread can wait on together: epoll(7), eventfd(2), timerfd_create(2).
int clinux_epoll_create(void);
int clinux_epoll_add(int epoll, int fd, uint32_t events, uint64_t token);
int clinux_epoll_modify(int epoll, int fd, uint32_t events, uint64_t token);
int clinux_epoll_remove(int epoll, int fd);
int clinux_epoll_wait(int epoll, uint64_t *tokens, uint32_t *events, int capacity, int timeout_ms);
extern const uint32_t clinux_epollin, clinux_epollout, clinux_epollpri, clinux_epollerr;
int clinux_eventfd(void);
int clinux_timerfd(int clock);
// Arms a timer. On CLOCK_REALTIME the time is a moment, and the timer also reports steps of the clock (read fails with
// ECANCELED). On another clock the time is a delay from now.
int clinux_timerfd_arm(int fd, int64_t seconds, int64_t nanoseconds, bool is_wall);

// Opens PATH below DIRECTORY, and refuses every symbolic link and every way out of DIRECTORY: openat2(2), Linux 5.6. If
// the call is missing, the same is done one component at a time.
int clinux_open_beneath(int directory, const char *path, int flags);
// The same for inspection only (O_PATH); a link at the end of PATH is opened itself.
int clinux_open_path_beneath(int directory, const char *path);
int clinux_open_temporary(int directory, const char *name, unsigned mode);
// Renames, and fails with EEXIST if NEW_NAME exists: renameat2(2), RENAME_NOREPLACE. A file system without it fails with
// EINVAL.
int clinux_rename_without_replacing(int directory, const char *name, int target, const char *new_name);
// Whether two directories have the same default access list, or none (acl(5)).
bool clinux_has_same_default_acl(int one, int other);
// The permissions of a file created in DIRECTORY with MODE: a default access list overrides the umask MASK.
unsigned clinux_mode_in(int directory, unsigned mode, unsigned mask);
int clinux_syncfs(int fd);
int clinux_flock_exclusive(int fd);
// A second lock for the holder of the first. It excludes no process, and the kernel reports it without taking a lock
// (fcntl(2), F_OFD_GETLK), which it does not for flock(2). It reaches from START to the end; the other call returns
// START, or -1.
int clinux_announce_lock(int fd, int64_t start);
int64_t clinux_announced_lock(int fd);
// The f_type of the file system of FD (fstatfs(2)), and whether inotify reports every write to a file system of that
// type.
int64_t clinux_filesystem_type(int fd);
int clinux_touch(int fd);
bool clinux_filesystem_has_events(int64_t type);
// The same for the target of a path; false also when the target is missing.
bool clinux_path_has_events(const char *path);

// A number for the mount of FD that differs from every other mount's: statx(2), Linux 5.8. 0 when it is unknown.
uint64_t clinux_mount_id(int fd);

// Identifies what is at PATH, without following a link there, or FD itself for an empty path: its device, its inode, and
// when it was created, in nanoseconds since 1970; 0 when the file system does not say (statx(2)).
int clinux_directory(int fd, const char *path, uint64_t *device, uint64_t *inode, int64_t *birth);

// A listing that returns names as bytes, and types without a stat: readdir(3).
void *clinux_opendir(int fd);
const char *clinux_readdir(void *directory, uint8_t *type, int64_t *next);
void clinux_closedir(void *directory);

// Unix sockets.
int clinux_listen(int directory, const char *name);
int clinux_connect(int directory, const char *name);
int clinux_listen_abstract(const char *name, size_t length);
int clinux_connect_abstract(const char *name, size_t length);
int clinux_accept(int socket);
int clinux_peer(int socket, int32_t *pid, uint32_t *uid);

// Catches the signals that end a program, except ignored ones, and SIGCHLD if CHILDREN. The descriptor is readable when
// one has arrived; reading returns its number, or 0 when there is none. A thread must unblock the signals, because the
// program may have been started with them blocked.
int clinux_catch_signals(bool children);
int clinux_caught_signal(int fd);
// Starts the program that PATH finds for the first word, with INPUT as its standard input, in its own process group:
// posix_spawn(3). The program gets this process's environment, no blocked signal, and SIGPIPE with its default action.
// Returns 0 or an errno value.
int clinux_spawn(char *const words[], int input, int32_t *pid);
// A file in memory without a name: memfd_create(2).
int clinux_memory_file(const char *label);

// Finds bytes in others in linear time: memmem(3).
const void *clinux_memmem(const void *text, size_t length, const void *part, size_t part_length);

uint64_t clinux_random(void);
int clinux_raise_descriptor_limit(void);
// The limit of descriptors of this process.
uint64_t clinux_descriptor_limit(void);
// On how many processors this thread may run; 1 when the kernel does not report it.
int32_t clinux_cpu_count(void);
void clinux_tune_allocator(void);
// Returns the free parts of the heap to the system.
void clinux_release_heap(void);

#endif
