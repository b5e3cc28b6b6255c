/* compare_bundle.h - both kernels of `compare`, packed for a GPU: the second in the place
 * of a rewritten form. */
#ifndef PL_COMPARE_BUNDLE_H
#define PL_COMPARE_BUNDLE_H

#include "compare_launch.h"
#include "gpu_prepare.h"

/* Writes the bundle that `packing` asks for, and its number of pairs. The exit code:
 * PL_EXIT_FINE or, after a message on `err`, PL_EXIT_ERROR. */
int pl_compare_pack(pl_arena *arena, const pl_compare_side sides[2],
                    const pl_compare_launches *launches,
                    pl_gpu_packing *packing, FILE *err);

#endif
