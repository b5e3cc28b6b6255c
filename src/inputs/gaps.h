/* gaps.h - the one note of a file about what of it was not seen: kernels that an #if
 * leaves out, headers that were not found and where they are, errors. */
#ifndef PL_GAPS_H
#define PL_GAPS_H

#include "remarks.h"

/* What the note is about. */
typedef struct pl_gap_note {
  const pl_gap *gaps;
  size_t ngaps;
  const char *missing; /* "kernel": none was found; NULL: something was said */
  const pl_loop_report *nearest; /* ... and of the loops that were looked at this one comes
                                    nearest; NULL: none was, or all were said */
  size_t others;       /* how many loops beside that one were looked at */
  const char *tree;    /* the directory that was named and holds the source; NULL: the
                          source itself was named */
  const char *const *headers; /* that were opened */
  size_t nheaders;
} pl_gap_note;

/* What a tile loop is, behind that none was found. */
#define PL_NO_SUCH_LOOP                                                                  \
  ": no loop fills shared memory from global memory and waits for that at a barrier"

/* Of a source without a kernel: where those are that it launches; empty: it does not. */
const char *pl_gaps_elsewhere(const pl_source *source);

/* The note, whose message is to be freed; NULL: nothing is amiss. */
pl_note pl_gaps_note(const pl_source *source, const pl_gap_note *note);

#endif
