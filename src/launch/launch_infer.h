/* launch_infer.h - launch descriptions of a source whose host code launches its
 * kernels: grid, block, sizes and arguments as the program itself gives them.
 *
 * What is taken: sizes of allocations, directions of copies, shapes, scalars. What
 * cannot be seen is a gap: a '?' in the line. What a buffer holds is never
 * taken. */
#ifndef PL_LAUNCH_INFER_H
#define PL_LAUNCH_INFER_H

#include "arena.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct pl_inferred {
  const char *name;   /* of the kernel, bare */
  const char *kernel; /* as the description has it */
  unsigned line;      /* of the launch; 0: there is none, by the signature */
  size_t gaps;        /* lines with a '?', of `small` and `few` */
  size_t own_gaps;    /* of `own`, which says each buffer's size */
  const char *obstacle; /* why no description can say it; NULL: one can */
  bool varies;        /* `small` has sizes that the program has not */
  bool leaves_out;    /* `few` has not all of its blocks */
  /* Descriptions, lines that begin with "launch". `small`: its sizes made small,
   * for an emulator; `own`: the program's own sizes; `few`: these with a grid of
   * few blocks, where all are many threads, and integers that may be indices. */
  const char *small, *own, *few;
  /* Of `small` and `own`, and of `few`: lines, each one thing that is not from the
   * source. */
  const char *assumed, *few_assumed;
} pl_inferred;

typedef struct pl_inferred_list {
  pl_arena *arena;
  pl_inferred *items; /* in the order in which the program launches them */
  size_t n;
} pl_inferred_list;

/* `defines`: as -D has them. Never NULL; free with pl_inferred_free. */
pl_inferred_list *pl_infer_launches(const char *text, size_t len,
                                    const char *const *defines,
                                    size_t n_defines);
void pl_inferred_free(pl_inferred_list *list);

#endif
