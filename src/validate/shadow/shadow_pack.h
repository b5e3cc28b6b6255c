/* shadow_pack.h - a program whose launches are shadowed, packed: a directory
 * whose script builds and runs it.
 *
 *   run                the script
 *   shadow/            what is built into the program, and the checker
 *   program/           the source, its launches marked
 *   FORM/              the rewritten source: pipelined/, or ldg/, cp.async-2/ ...
 *   forms              their names
 *   source             its path below each
 *   flags              for nvcc, one a line; @ is the directory of this kind
 *   FORM.kernels, limits   for the checker
 *   head.jsonl         the first line of the results
 *   build-command, run-command   the user's, where given */
#ifndef PL_SHADOW_PACK_H
#define PL_SHADOW_PACK_H

#include "options.h"

#include <stdbool.h>
#include <stdio.h>

/* What the source is rewritten to. */
typedef struct pl_shadow_form {
  const char *name; /* of a directory too */
  const pl_result *result;
} pl_shadow_form;

typedef struct pl_shadow_program {
  const char *path;
  const char *text; /* of the source */
  size_t len;
  const pl_shadow_form *forms;
  size_t nforms;
  const pl_result *choice; /* what auto makes of it; NULL: not known */
  int rounds;         /* in which the forms of a launch are timed; 0: not */
  const pl_command *command;
  const char *dir;
  bool with_headers; /* the headers go along, for another machine; else
                        includes are made absolute */
} pl_shadow_program;

/* False, and a message on `err`, where it cannot be written. */
bool pl_shadow_pack(const pl_shadow_program *program, FILE *err);

#endif
