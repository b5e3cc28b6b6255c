/* shadow_pack.h - a program whose launches are shadowed, packed: a directory
 * whose script builds and runs it.
 *
 *   run                the script
 *   shadow/            what is built into the program, and the checker
 *   program/           the source, its launches marked
 *   pipelined/         the rewritten source
 *   source             its path below both
 *   flags              for nvcc, one a line; @ is the directory of this kind
 *   kernels, limits    for the checker
 *   head.jsonl         the first line of the results
 *   build-command, run-command   the user's, where given */
#ifndef PL_SHADOW_PACK_H
#define PL_SHADOW_PACK_H

#include "options.h"

#include <stdbool.h>
#include <stdio.h>

typedef struct pl_shadow_program {
  const char *path;
  const char *text; /* of the source */
  size_t len;
  const pl_result *result; /* what it is rewritten to */
  const pl_command *command;
  const char *dir;
  bool with_headers; /* the headers go along, for another machine; else
                        includes are made absolute */
} pl_shadow_program;

/* False, and a message on `err`, where it cannot be written. */
bool pl_shadow_pack(const pl_shadow_program *program, FILE *err);

#endif
