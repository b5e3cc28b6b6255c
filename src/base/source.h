/* source.h - a source as the user knows it. */
#ifndef PL_SOURCE_H
#define PL_SOURCE_H

#include <stddef.h>

typedef struct pl_source {
  const char *path; /* as the user wrote it */
  const char *text;
  size_t length;
} pl_source;

#endif
