/* gpu_plan.h - launch descriptions, worked out for a machine that cannot.
 *
 * The grammar of a plan stands in templates/harness/pl_plan.h. */
#ifndef PL_GPU_PLAN_H
#define PL_GPU_PLAN_H

#include "bundle.h"

/* The size sets of every launch, up to 64 each, and the target sizes. Empty,
 * and *error set, where a description cannot be worked out. */
pl_str pl_gpu_plan(pl_arena *arena, const pl_bundle_case *c,
                   pl_launch_error *error);

#endif
