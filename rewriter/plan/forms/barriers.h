/* barriers.h - what barrier.c and bulk.c have in common: a cuda::barrier for each
 * buffer, at which all threads of the block meet. */
#ifndef PL_BARRIERS_H
#define PL_BARRIERS_H

#include "forms.h"

extern const pl_schedule pl_schedule_of_barriers;

#define PL_ONE_THREAD "if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)"
#define PL_EACH_BARRIER PL_ONE_THREAD "\n  for (int stage = 0; stage < $N; ++stage)\n    "

/* A barrier for each buffer, of which a comment says who is waited for. */
#define PL_BARRIERS_OF(threads)                                                        \
  "// One for each stage: its copies have landed, and all threads are there" threads ".\n" \
  "#pragma nv_diagnostic push\n"                                                       \
  "#pragma nv_diag_suppress static_var_with_dynamic_init\n"                            \
  "__shared__ cuda::barrier<cuda::thread_scope_block> $NAME[$N];\n"                    \
  "#pragma nv_diagnostic pop"

/* A barrier may not be made where one is (PTX ISA, mbarrier.init): it is ended first.
 * nvcc warns that what has a constructor is not initialised in shared memory. */
#define PL_WORDS_AT_BARRIERS                                                           \
  .header = "<cuda/barrier>", .known_by = "cuda/barrier",                              \
  .group_header = "<cuda_pipeline.h>", .group_known_by = "cuda_pipeline",              \
  .name = "landed",                                                                    \
  .stage_bytes = 8,                                                                    \
  .issued = "__pipeline_arrive_on(cuda::device::barrier_native_handle($NAME[$STAGE]));", \
  .meet = "$NAME[$STAGE].arrive_and_wait();",                                          \
  .copy = "__pipeline_memcpy_async($TO, $FROM, $BYTES)"

/* Of all threads of the block. */
#define PL_WORDS_OF_BARRIERS                                                           \
  PL_WORDS_AT_BARRIERS, .state = PL_BARRIERS_OF(""),                                   \
  .object = PL_EACH_BARRIER                                                            \
      "init(&$NAME[stage], blockDim.x * blockDim.y * blockDim.z);\n"                   \
      "__syncthreads();",                                                              \
  .end = PL_EACH_BARRIER "$NAME[stage].~barrier();"

#endif
