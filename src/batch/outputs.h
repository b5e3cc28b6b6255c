/* outputs.h - may what is asked for be written? */
#ifndef PL_OUTPUTS_H
#define PL_OUTPUTS_H

#include "run_state.h"

/* Exit code 2, and "pipelinify: error: MESSAGE". */
void pl_run_refuse(pl_run_state *run, const char *message);

/* False, and a message: an output cannot hold what all inputs become, or two
 * things would be written to one file, or something over a source. */
bool pl_outputs_fit(pl_run_state *run);

#endif
