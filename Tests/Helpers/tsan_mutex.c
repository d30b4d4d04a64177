// Tells the thread sanitizer about Synchronization.Mutex. scripts/sanitize.sh preloads this library.
//
// A contended lock or unlock of a Mutex asks the kernel (FUTEX_LOCK_PI, FUTEX_UNLOCK_PI), in a library without
// instrumentation. The sanitizer then sees two threads use the same state with nothing between them, and reports, for
// example, a counter in a Mutex that two threads increment (Swift 6.3.1). These two functions wrap the library's, and
// report to the sanitizer what the kernel does. They have the library's symbol names; if a later library renames them,
// the false reports come back.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Missing in processes without the sanitizer, which are preloaded too.
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
