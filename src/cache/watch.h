/* watch.h - what the parser asks the file system.
 *
 * The verdict on a source hangs on more than the headers that it includes: on
 * places where a header was looked for and not found, on __has_include, on
 * the compilers and toolkits that clang's driver finds. libclang tells of none
 * of these. So watch.c stands between: the program's own open, stat, access
 * and the like come before the C library's, for the libraries too, and write
 * down each question while a watch is on. (ld.so binds a name to the program
 * before it looks in libraries; the linker exports names that a library
 * needs.) Where that did not work, as with a library that makes its system
 * calls itself, nothing is seen, and a watch that saw nothing is no good. */
#ifndef PL_WATCH_H
#define PL_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "digest.h"

typedef enum pl_question {
  PL_ASK_STAT,
  PL_ASK_LSTAT,
  PL_ASK_ACCESS,
  PL_ASK_OPEN, /* for reading: what is in it */
  PL_ASK_LINK, /* what a symbolic link says */
  PL_ASK_REAL, /* the real path */
  PL_ASK_LIST  /* the names in a directory */
} pl_question;

/* A question as it was asked. */
typedef struct pl_sight {
  pl_question question;
  int mode;       /* of access */
  char *path;     /* owned */
  int error;      /* the answer's errno; 0: there was one */
  struct stat at; /* of what was opened or looked at */
  pl_digest content; /* of links and real paths */
  bool fresh;     /* changed so lately that the next change may not show */
} pl_sight;

typedef struct pl_sights {
  pl_sight *items;
  size_t count, room;
  bool unclear; /* something was done that no answer can stand for */
} pl_sights;

/* One watch at a time, of all threads. */
void pl_watch_begin(void);
pl_sights pl_watch_end(void);
void pl_sights_free(pl_sights *sights);

#endif
