/* run_hooks.h - what the compiler calls for a kernel's accesses, and the
 * emulator's headers for those that it does not see. */
#ifndef PL_RUN_HOOKS_H
#define PL_RUN_HOOKS_H

#include "run_shadow.h"

#define HOOK(name, n, write)                                                   \
  EXPORT void name(void *p) { touch((uintptr_t)p, n, write, CALLER); }
#define WIDE_HOOK(name, n, write)                                              \
  EXPORT void name(void *p) {                                                  \
    check_aligned((uintptr_t)p, n, CALLER);                                    \
    touch((uintptr_t)p, n, write, CALLER);                                     \
  }
HOOK(__tsan_read1, 1, false)
WIDE_HOOK(__tsan_read2, 2, false)
WIDE_HOOK(__tsan_read4, 4, false)
WIDE_HOOK(__tsan_read8, 8, false)
WIDE_HOOK(__tsan_read16, 16, false)
HOOK(__tsan_write1, 1, true)
WIDE_HOOK(__tsan_write2, 2, true)
WIDE_HOOK(__tsan_write4, 4, true)
WIDE_HOOK(__tsan_write8, 8, true)
WIDE_HOOK(__tsan_write16, 16, true)
HOOK(__tsan_unaligned_read2, 2, false)
HOOK(__tsan_unaligned_read4, 4, false)
HOOK(__tsan_unaligned_read8, 8, false)
HOOK(__tsan_unaligned_read16, 16, false)
HOOK(__tsan_unaligned_write2, 2, true)
HOOK(__tsan_unaligned_write4, 4, true)
HOOK(__tsan_unaligned_write8, 8, true)
HOOK(__tsan_unaligned_write16, 16, true)
HOOK(__tsan_volatile_read1, 1, false)
HOOK(__tsan_volatile_read2, 2, false)
HOOK(__tsan_volatile_read4, 4, false)
HOOK(__tsan_volatile_read8, 8, false)
HOOK(__tsan_volatile_read16, 16, false)
HOOK(__tsan_volatile_write1, 1, true)
HOOK(__tsan_volatile_write2, 2, true)
HOOK(__tsan_volatile_write4, 4, true)
HOOK(__tsan_volatile_write8, 8, true)
HOOK(__tsan_volatile_write16, 16, true)
/* An address that is less aligned than what is named there, of which the compiler
 * may make smaller accesses. */
EXPORT void __ubsan_handle_type_mismatch_v1(void *type, uintptr_t p) {
  const Region *r = running ? region_of(p) : NULL;
  (void)type;
  if (r && p >= r->base)
    report("misaligned", code_of(CALLER), 0, r, (long)(p - r->base), self->id,
           -1);
}
EXPORT void __tsan_read_range(void *p, size_t n) {
  touch((uintptr_t)p, (u32)n, false, CALLER);
}
EXPORT void __tsan_write_range(void *p, size_t n) {
  touch((uintptr_t)p, (u32)n, true, CALLER);
}
/* Some compilers call the first of each pair, the others the library's function,
 * which the linker leads to the second. */
#define MOVE_HOOK(name, move)                                                  \
  EXPORT void *name(void *d, const void *s, size_t n) {                        \
    touch((uintptr_t)s, (u32)n, false, CALLER);                                \
    touch((uintptr_t)d, (u32)n, true, CALLER);                                 \
    return move(d, s, n);                                                      \
  }
#define SET_HOOK(name)                                                         \
  EXPORT void *name(void *d, int v, size_t n) {                                \
    touch((uintptr_t)d, (u32)n, true, CALLER);                                 \
    return memset(d, v, n);                                                    \
  }
MOVE_HOOK(__tsan_memcpy, memcpy)
MOVE_HOOK(__wrap_memcpy, memcpy)
MOVE_HOOK(__tsan_memmove, memmove)
MOVE_HOOK(__wrap_memmove, memmove)
SET_HOOK(__tsan_memset)
SET_HOOK(__wrap_memset)

/* Atomics of the host's library, as kernels never use them; they are here so
 * that host code beside a kernel finds them. */
#define ATOMIC_STEP(bits, name, expression)                                    \
  EXPORT u##bits __tsan_atomic##bits##_##name(volatile u##bits *p, u##bits v,  \
                                              int) {                           \
    u##bits old = *p;                                                          \
    *p = (u##bits)(expression);                                                \
    return old;                                                                \
  }
#define ATOMIC_CAS(bits, name)                                                 \
  EXPORT int __tsan_atomic##bits##_##name(volatile u##bits *p, u##bits *want,  \
                                          u##bits v, int, int) {               \
    u##bits old = *p;                                                          \
    bool same = old == *want;                                                  \
    *(same ? p : want) = same ? v : old;                                       \
    return same;                                                               \
  }
#define ATOMICS(bits)                                                          \
  EXPORT u##bits __tsan_atomic##bits##_load(const volatile u##bits *p, int) {  \
    return *p;                                                                 \
  }                                                                            \
  EXPORT void __tsan_atomic##bits##_store(volatile u##bits *p, u##bits v,      \
                                          int) {                               \
    *p = v;                                                                    \
  }                                                                            \
  EXPORT u##bits __tsan_atomic##bits##_compare_exchange_val(                   \
      volatile u##bits *p, u##bits want, u##bits v, int, int) {                \
    u##bits old = *p;                                                          \
    *p = old == want ? v : old;                                                \
    return old;                                                                \
  }                                                                            \
  ATOMIC_STEP(bits, exchange, v)                                               \
  ATOMIC_STEP(bits, fetch_add, old + v)                                        \
  ATOMIC_STEP(bits, fetch_sub, old - v)                                        \
  ATOMIC_STEP(bits, fetch_and, old & v)                                        \
  ATOMIC_STEP(bits, fetch_or, old | v)                                         \
  ATOMIC_STEP(bits, fetch_xor, old ^ v)                                        \
  ATOMIC_STEP(bits, fetch_nand, ~(old & v))                                    \
  ATOMIC_CAS(bits, compare_exchange_strong)                                    \
  ATOMIC_CAS(bits, compare_exchange_weak)
ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)
EXPORT void __tsan_atomic_thread_fence(int) {}
EXPORT void __tsan_atomic_signal_fence(int) {}
EXPORT void __tsan_init() {}
EXPORT void __tsan_func_entry(void *) {}
EXPORT void __tsan_func_exit() {}
EXPORT void __tsan_vptr_read(void **) {}
EXPORT void __tsan_vptr_update(void **, void *) {}

#endif
