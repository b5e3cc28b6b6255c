/* rewrite.h - what the files of this folder do with attempts on a source. */
#ifndef PL_REWRITE_H
#define PL_REWRITE_H

#include "attempt.h"

/* gaps.c: what of the kernels was not seen, by the loops as they were settled. */
pl_gap *pl_find_gaps(pl_arena *arena, const pl_unit *unit, const pl_loops *loops,
                     size_t *count);

/* All passes, once. */
void pl_attempt_run(pl_attempt *attempt);

/* Loops with an #if inside: every build must see in the rewritten text what it
 * would see if the text had no #if. Adds the loops where one would not. */
void pl_check_branches(const pl_attempt *attempt, pl_denials *denied);

/* instances.c: leaves one loop for each text of all that are planned. */
void pl_join_instances(pl_loops *loops);

pl_kernel_report *pl_report_unit(pl_arena *arena, const pl_unit *unit,
                                 const pl_loops *loops,
                                 const pl_options *options, size_t *count);

#endif
