/* bundle.h - the GPU proof, packed: a directory that builds, proves and times
 * kernels on a machine that has nvcc and a GPU, and no pipelinify.
 *
 *   run              the script that does it
 *   manifest.json    what is in here
 *   harness/         the runner, and what makes a kernel callable
 *   cases/ID/        one input file
 *     src/           the original, its rewritten forms, what they include
 *     FORM.cu        one form and its entry points: what nvcc compiles
 *     plan           its launches, every size worked out
 *     pairs          one line a launch and rewritten form
 *     sides          one line a launch and kernel with one side alone
 *     flags          for nvcc: -I and -D, one a line; of one form FORM.flags
 *
 * Inputs can be added to a bundle later; the same input replaces itself. */
#ifndef PL_BUNDLE_H
#define PL_BUNDLE_H

#include "launch.h"
#include "pipelinify.h"
#include "validate.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct pl_bundle pl_bundle;

/* Barriers that a tile waits at, before and after; 0: not known. */
typedef struct pl_bundle_barriers {
  int before, after;
} pl_bundle_barriers;

/* One rewritten form of a file. */
typedef struct pl_bundle_form {
  const char *label; /* "cp.async-s3": a file's name, unique in the case */
  const char *text;
  size_t len;
  int stages;
  const int *copy_bytes; /* one a copy, of the first loop pipelined */
  size_t n_copies;
  bool is_auto;         /* what the cost model picks */
  const bool *launches; /* which it changes, by their index */
  const pl_bundle_barriers *barriers; /* of each launch; NULL: not known */
  const pl_kernel_shape *shapes; /* of kernels that are launched in another way */
  size_t n_shapes;
  /* Of a kernel that is no form of the original: its file, what that is compiled with,
   * and its own launches, one of each of the case's. NULL: all is the original's. */
  const char *path;
  const pl_validate_flags *flags;
  const pl_launch *const *own_launches;
} pl_bundle_form;

/* The file with the loads alone, or the compute alone, of its tile loops: timed
 * beside the forms, never proven. */
typedef struct pl_bundle_side {
  const char *label; /* "loads-alone" */
  const char *text;
  size_t len;
  const bool *launches;
} pl_bundle_side;

typedef struct pl_bundle_case {
  const char *path; /* the original */
  const char *beside; /* added to the case's name, where it is not the file's; NULL */
  const char *text;
  size_t len;
  const pl_bundle_form *forms;
  size_t n_forms;
  const pl_bundle_side *sides;
  size_t n_sides;
  const pl_launch_list *launches;
  const pl_kernel_report *functions; /* for `tune`: names and fingerprints */
  size_t n_functions;
  pl_validate_flags flags;
} pl_bundle_case;

/* Opens `dir`: new, empty, or a bundle. NULL, and a message on `err`, where it
 * is anything else or cannot be written. `anew`: it is our own, whatever an
 * earlier, perhaps unfinished, writing left; cases that are not added go. */
pl_bundle *pl_bundle_open(const char *dir, bool anew, FILE *err);

/* Writes one case. False, and a message, where that fails. */
bool pl_bundle_add(pl_bundle *bundle, const pl_bundle_case *c);

/* Writes the manifest, and frees. False, and a message, where that fails. */
bool pl_bundle_close(pl_bundle *bundle);

#endif
