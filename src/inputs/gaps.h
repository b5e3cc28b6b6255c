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
  bool more;           /* ... and -v says what the loops are that were looked at */
  const char *tree;    /* the directory that was named and holds the source; NULL: the
                          source itself was named */
} pl_gap_note;

/* Of a source without a kernel: where those are that it launches; empty: it does not. */
const char *pl_gaps_elsewhere(const pl_source *source);

/* The note, whose message is to be freed; NULL: nothing is amiss. */
pl_note pl_gaps_note(const pl_source *source, const pl_gap_note *note);

#endif
