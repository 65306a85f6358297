// Tells the thread sanitizer about the half of Synchronization.Mutex that it can't see.
//
// The fast path of a Mutex is compiled into whoever uses it and is instrumented with it. The slow path, taken when two
// threads want the lock at once, stands in libswiftSynchronization, which is not: the sanitizer misses that the lock
// changed hands and reports a race in code that is locked (seen with Swift 6.3.1). `make test-tsan` loads these three
// functions before the library's own; they call those and say what happened.
//
// The names are the library's ABI and so don't change; their `self`, the lock itself, comes in Swift's context register.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

// There in programs that were built with the sanitizer, null in all others.
extern void __tsan_acquire(void *) __attribute__((weak));
extern void __tsan_release(void *) __attribute__((weak));

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *lock

#define LOCK_SLOW "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK_SLOW "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK_SLOW "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slow(uint32_t, SELF) __asm__(LOCK_SLOW);
SWIFT bool try_lock_slow(SELF) __asm__(TRY_LOCK_SLOW);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK_SLOW);

SWIFT void lock_slow(uint32_t seen, SELF) {
    SWIFT void (*real)(uint32_t, SELF) = dlsym(RTLD_NEXT, LOCK_SLOW);
    real(seen, lock);
    if (__tsan_acquire) __tsan_acquire(lock);
}

SWIFT bool try_lock_slow(SELF) {
    SWIFT bool (*real)(SELF) = dlsym(RTLD_NEXT, TRY_LOCK_SLOW);
    bool is_locked = real(lock);
    if (is_locked && __tsan_acquire) __tsan_acquire(lock);
    return is_locked;
}

SWIFT void unlock_slow(SELF) {
    SWIFT void (*real)(SELF) = dlsym(RTLD_NEXT, UNLOCK_SLOW);
    if (__tsan_release) __tsan_release(lock);
    real(lock);
}
