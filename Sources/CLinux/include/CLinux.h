// The few calls and constants of the Linux kernel and the C library that Swift's Glibc module does not offer, because
// they hide behind _GNU_SOURCE or are variadic macros. Every function returns what the system call returns and leaves errno.
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
// Arms a timer of CLOCK_REALTIME for a moment, and it also reports steps of the clock (read gives ECANCELED); one of another
// clock for so long from now.
int clinux_timerfd_arm(int fd, int64_t seconds, int64_t nanoseconds, bool is_wall);

// Opens PATH below DIRECTORY, refusing every symbolic link on the way and every way out: openat2(2), Linux 5.6.
// Where the call does not exist, the same is done one component at a time.
int clinux_open_beneath(int directory, const char *path, int flags);
// The same for a look alone (O_PATH); a link at the end of PATH is opened itself.
int clinux_open_path_beneath(int directory, const char *path);
int clinux_open_temporary(int directory, const char *name, unsigned mode);
// Whether two directories have the same default access list, or none (acl(5)).
bool clinux_has_same_default_acl(int one, int other);
// The permissions of a file that is made in DIRECTORY with MODE: a default access list counts instead of the umask MASK.
unsigned clinux_mode_in(int directory, unsigned mode, unsigned mask);
int clinux_syncfs(int fd);
int clinux_flock_exclusive(int fd);
// A second lock, for the holder of the first: it shuts no process out, and the kernel tells of it without a lock being taken
// (fcntl(2), F_OFD_GETLK). Of an flock(2) it does not. It reaches from START to the end; the other call gives START, or -1.
int clinux_announce_lock(int fd, int64_t start);
int64_t clinux_announced_lock(int fd);
// The f_type of the file system that holds FD (fstatfs(2)), and whether the kernel hears writes made to it elsewhere.
int64_t clinux_filesystem_type(int fd);
int clinux_touch(int fd);
bool clinux_filesystem_has_events(int64_t type);
// The same for what a path leads to; false also when nothing is there.
bool clinux_path_has_events(const char *path);

// A number for the mount that FD lies on, which differs from every other mount's: statx(2), Linux 5.8. 0 where it is not known.
uint64_t clinux_mount_id(int fd);

// A listing that gives names as bytes and types without a stat: readdir(3).
void *clinux_opendir(int fd);
const char *clinux_readdir(void *directory, uint8_t *type, uint64_t *inode);
void clinux_closedir(void *directory);

// Unix sockets.
int clinux_listen(int directory, const char *name);
int clinux_connect(int directory, const char *name);
int clinux_listen_abstract(const char *name, size_t length);
int clinux_connect_abstract(const char *name, size_t length);
int clinux_accept(int socket);
int clinux_peer(int socket, int32_t *pid, uint32_t *uid);

// Programs that this one runs. Blocks the signals that end a program, but for those that are ignored, and SIGCHLD; the
// descriptor reports them instead: signalfd(2). Reading gives the signal's number, or 0 when there is none.
int clinux_signals(void);
int clinux_read_signal(int fd);
// The same signals for a program of several threads, whose children start with none of them blocked: handlers pass them on to
// the descriptor, from which the next one is read. Waits for it; 0 is an error.
int clinux_catch_signals(void);
int clinux_caught_signal(int fd);
// Starts the program that PATH finds by the first word, with INPUT as its standard input, in a process group of its own, with
// this process's environment, no signal blocked and SIGPIPE as usual: posix_spawn(3). Returns 0 or what errno would be.
int clinux_spawn(char *const words[], int input, int32_t *pid);
// A file in memory that has no name: memfd_create(2).
int clinux_memory_file(const char *label);

// Finds bytes in others in linear time: memmem(3).
const void *clinux_memmem(const void *text, size_t length, const void *part, size_t part_length);

uint64_t clinux_random(void);
int clinux_raise_descriptor_limit(void);
// How many descriptors this process may have.
uint64_t clinux_descriptor_limit(void);
// On how many processors this thread may run; 1 when the kernel does not tell.
int32_t clinux_cpu_count(void);
void clinux_tune_allocator(void);
// Gives back what is free of the heap.
void clinux_release_heap(void);

#endif
