/* rewrite.h - what the files of this folder do with attempts on a source. */
#ifndef PL_REWRITE_H
#define PL_REWRITE_H

#include "attempt.h"

/* Kernels that need no other text than the source, and that stand alone in it. */
typedef struct pl_taken_over {
  const pl_attempt *first; /* on the source, with all loops */
  const pl_func **funcs;   /* of its unit */
  size_t n, cap;
  pl_expanded source; /* without their bodies */
  pl_attempt rest;    /* the first, without their loops */
} pl_taken_over;

/* taken_over.c */

/* Finds such kernels in an attempt on the source that asks for another text; false:
 * there are none. */
bool pl_take_over(const pl_attempt *first, const pl_expanded *source,
                  pl_taken_over *taken);
/* An attempt on a text that was made of the source without those bodies, as one on
 * all of the file; *of: that text with the bodies. NULL: the file's own edits of the
 * two do not go together. Not checked yet. */
pl_attempt *pl_join(const pl_taken_over *taken, const pl_attempt *second,
                    pl_expanded *of);
/* pl_report_unit of an attempt, joined or not. */
pl_kernel_report *pl_report_attempt(const pl_attempt *attempt, size_t *count);
/* gaps.c: what of the kernels was not seen, by the loops as they were settled. */
pl_gap *pl_find_gaps(pl_arena *arena, const pl_unit *unit, const pl_loops *loops,
                     size_t *count);
/* pl_check_pragmas of an attempt, joined or not. */
void pl_check_pragmas_of(const pl_attempt *attempt, pl_pragma_list *out);

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
