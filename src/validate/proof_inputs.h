/* proof_inputs.h - the files that validate, bench and tune work on.
 *
 * Directories and lists are searched as the rewriter searches them. A file that
 * a directory holds is left out where .pipelinify-ignore says so and where it
 * cannot hold a tile loop; one that is named is always looked at. */
#ifndef PL_PROOF_INPUTS_H
#define PL_PROOF_INPUTS_H

#include "options.h"
#include "run.h"
#include "walk.h"

typedef struct pl_proof_inputs {
  pl_command command; /* as it was given, its inputs replaced by files */
  bool many;          /* a directory or a list was named */
  size_t left_out;    /* files of directories */
  pl_inputs walked;
} pl_proof_inputs;

/* PL_EXIT_ERROR, and messages, where one cannot be had; the others are there.
 * `command` has to outlive the inputs. */
int pl_proof_inputs_find(pl_proof_inputs *inputs, const pl_command *command,
                         pl_streams streams);
void pl_proof_inputs_free(pl_proof_inputs *inputs);

#endif
