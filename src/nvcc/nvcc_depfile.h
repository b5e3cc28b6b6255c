/* nvcc_depfile.h - a depfile that nvcc wrote for a pipelined source, made one of the
 * user's source. */
#ifndef PL_NVCC_DEPFILE_H
#define PL_NVCC_DEPFILE_H

#include "words.h"

/* What stands in the place of what: a path, or, where `from` ends with a slash, what
 * paths begin with. */
typedef struct pl_renamed {
  const char *from, *to;
} pl_renamed;

typedef struct pl_depfile_change {
  pl_renamed *renamed;
  size_t nrenamed;
  pl_words added; /* prerequisites that nvcc does not know of */
} pl_depfile_change;

/* The depfile's text with the change made. Free with free. */
char *pl_nvcc_depfile_text(const char *text, const pl_depfile_change *change);

#endif
