/* compare_launch.h - how the two kernels of `compare` are launched.
 *
 * Arguments and sizes are those of the first kernel's launches. Grid, block and dynamic
 * shared memory of the second are those of its own, worked out for the same arguments;
 * where its file says none, those of the first. */
#ifndef PL_COMPARE_LAUNCH_H
#define PL_COMPARE_LAUNCH_H

#include "compare_kernels.h"
#include "launch.h"
#include "launch_taken.h"

/* Where a side's launches are from. */
typedef enum pl_compare_origin {
  PL_COMPARE_NOWHERE,
  PL_COMPARE_DESCRIBED, /* a comment, kernel.launch or --launch */
  PL_COMPARE_TAKEN      /* its host code: a guess */
} pl_compare_origin;

typedef struct pl_compare_launches {
  pl_launch_list first;             /* of the first kernel */
  const pl_launch **second;         /* one of each of `first` */
  pl_compare_origin origins[2];
  pl_launch_list *lists[4]; /* that own their texts */
} pl_compare_launches;

/* `form`: which sizes are taken from host code. PL_EXIT_ERROR where a description is
 * wrong, PL_EXIT_NOT_PROVEN where no launch of either is known; both after a message.
 * `sizes`: "M=33 N=48", the only ones; NULL: those of the descriptions. What was taken
 * is told on `err` unless `quiet`. What is new lies in `arena`. */
int pl_compare_launch(pl_arena *arena, const pl_command *command,
                      const pl_compare_side sides[2], pl_taken_form form,
                      const char *sizes, bool quiet, FILE *err,
                      pl_compare_launches *to);
void pl_compare_launches_free(pl_compare_launches *launches);

#endif
