/* pipelines.h - what the forms that have a cuda::pipeline of the block share. */
#ifndef PL_PIPELINES_H
#define PL_PIPELINES_H

#include "forms.h"

/* libcu++ keeps two barriers of eight bytes for each stage, and a count. nvcc warns
 * that what has a constructor is not initialised in shared memory; make_pipeline
 * does that (CUDA programming guide, Pipelines). A form adds the object. */
#define PL_WORDS_OF_BLOCK                                                      \
  .header = "<cuda/pipeline>", .known_by = "cuda/pipeline",                    \
  .group_header = "<cooperative_groups.h>",                                    \
  .group_known_by = "cooperative_groups", .name = "pipe",                      \
  .state = "#pragma nv_diagnostic push\n"                                      \
           "#pragma nv_diag_suppress static_var_with_dynamic_init\n"           \
           "__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, " \
           "$N> $STATE;\n"                                                     \
           "#pragma nv_diagnostic pop",                                        \
  .state_bytes = 8, .stage_bytes = 16,                                         \
  .parameter = "cuda::pipeline<cuda::thread_scope_block> &$NAME",              \
  .acquire = "$NAME.producer_acquire();", .commit = "$NAME.producer_commit();",\
  .wait_oldest = "$NAME.consumer_wait();",                                     \
  .release = "$NAME.consumer_release();",                                      \
  .copy = "cuda::memcpy_async($TO, $FROM, cuda::aligned_size_t<$BYTES>("       \
          "$BYTES), $NAME)"

#endif
