/* cubin.h - what stands in the machine code of a kernel's tile loop, from the cubin
 * itself: no disassembler is needed, and few machines have one beside nvcc.
 *
 * Of the 128 bits of an instruction (sm_70 and newer) the operation and the length of a
 * branch are read, and nothing else. Of 25,432 instructions of 38 cubins (sm_90, nvcc
 * 13.0) the operations were compared with what nvdisasm 13.5 prints: all are what is
 * said here, but for HFMA2 where it only sets a register. */
#ifndef PL_CUBIN_H
#define PL_CUBIN_H

#include <stdbool.h>
#include <stddef.h>

/* The innermost loop with a barrier that loads from global memory; of several the one
 * that computes most. */
typedef struct pl_cubin_loop {
  bool found;
  int instructions, barriers; /* of one round */
  double ahead; /* of the compute of a round, what stands between a load into registers
                   and the next store to shared memory: of all loads the least; -1: none
                   is loaded so */
} pl_cubin_loop;

/* Of the kernel that `function` (mangled) names; not found: there is no such function,
 * or loop, or these bytes are no cubin. */
pl_cubin_loop pl_cubin_loop_find(const void *bytes, size_t size,
                                 const char *function);

#endif
