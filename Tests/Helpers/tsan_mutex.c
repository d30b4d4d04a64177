// What the thread sanitizer must be told of Synchronization.Mutex, preloaded by scripts/sanitize.sh.
//
// A Mutex that is taken or given back under contention asks the kernel to do it (FUTEX_LOCK_PI, FUTEX_UNLOCK_PI), in a
// library that is not instrumented, so the sanitizer sees two threads touch the same state and nothing between them: a
// counter in a Mutex that two threads increment is reported (Swift 6.3.1). These two functions stand before the library's and
// say what the kernel does. Their names are the library's; where a later one has others, reports come back.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Absent in processes without the sanitizer, which are preloaded too.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));
SWIFT void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void unlock_slow(SELF void *mutex) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
  SWIFT void (*real)(uint32_t, SELF void *) = (SWIFT void (*)(uint32_t, SELF void *))dlsym(RTLD_NEXT, LOCK);
  real(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock_slow(SELF void *mutex) {
  SWIFT void (*real)(SELF void *) = (SWIFT void (*)(SELF void *))dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(mutex);
  real(mutex);
}
