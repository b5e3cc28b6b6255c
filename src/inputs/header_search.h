/* header_search.h - where in the tree around a source are headers that were not found?
 *
 * The tree is the source's repository; without one the directory that was named, or,
 * where the source itself was, the working directory, or what lies beside the source's
 * own. The nearest directory is taken; no more than some thousand entries are looked
 * at. */
#ifndef PL_HEADER_SEARCH_H
#define PL_HEADER_SEARCH_H

#include <stddef.h>

typedef struct pl_header_search {
  const char *const *names; /* "fw/view.h" */
  size_t count;
  const char *source; /* whose headers they are */
  const char *tree;   /* that was named; NULL: the source itself was */
  size_t found;       /* so many of the names are in the directories of: */
  char *flags;        /* " -Iinclude -Ilib"; free with free */
} pl_header_search;

void pl_header_search_run(pl_header_search *search);

#endif
