/* prefilter.h - files that cannot hold a tile loop, told without a parser.
 *
 * A tile loop needs a kernel, shared memory, a barrier and a loop. A file whose
 * code, less its comments and strings, names one of them nowhere has none,
 * unless it may get it from a macro: then the parser has to look. */
#ifndef PL_PREFILTER_H
#define PL_PREFILTER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pl_prefilter pl_prefilter;

pl_prefilter *pl_prefilter_new(void);
void pl_prefilter_free(pl_prefilter *filter);

/* What is sure. `flags` are the parser's: a -D among them may define what a
 * file needs, an -include too; a directory of headers may have one that stands
 * for one of the language's. */
typedef enum pl_relevance {
  PL_NO_KERNEL,    /* the text names none */
  PL_NO_TILE_LOOP, /* something else is missing */
  PL_MAY_HOLD_LOOP
} pl_relevance;
pl_relevance pl_prefilter_look(const pl_prefilter *filter, const char *text,
                               size_t length, const char *const *flags,
                               size_t nflags);

#endif
