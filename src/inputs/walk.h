/* walk.h - the files that a command line means: directories are searched for
 * .cu and .cuh, lists are read, what is named twice is taken once. */
#ifndef PL_WALK_H
#define PL_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "output.h"

typedef struct pl_input {
  char *path;    /* as messages name it */
  char *below;   /* its place below --out-dir */
  char *trouble; /* why it is not to be read; NULL: it is */
  bool harmless; /* the trouble is no error */
  bool found;    /* in a directory, not named */
  size_t position; /* among all inputs, those of other shards too */
  bool once;       /* standard input, a pipe: it can be read but once */
  pl_bytes held;   /* the whole of such a one */
} pl_input;

typedef struct pl_inputs {
  pl_input *items;
  size_t count, room;
  bool many; /* a directory or a list was named */
} pl_inputs;

typedef struct pl_walk {
  const char *const *names; /* files, directories, "-" */
  size_t nnames;
  const char *list; /* a file of names, one a line; "-": standard input */
  const char *const *excludes; /* globs */
  size_t nexcludes;
  const char *suffix;  /* kernelSUFFIX.cu in a directory is an output */
  const char *out_dir; /* holds outputs; NULL: there is none */
  bool files_only; /* products go beside them, or by their names */
} pl_walk;

/* The files in the order in which they are named, those of a directory in the
 * order of their bytes. False: the list cannot be read, errno says why. */
bool pl_walk_inputs(const pl_walk *walk, pl_inputs *inputs);
void pl_inputs_free(pl_inputs *inputs);
/* Whether a path leads to one of them. */
bool pl_inputs_hold(const pl_inputs *inputs, const char *path);
void pl_input_free(pl_input *input);

#endif
