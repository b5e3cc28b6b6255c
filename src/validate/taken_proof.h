/* taken_proof.h - the CPU proof with launches that were taken from host code. */
#ifndef PL_TAKEN_PROOF_H
#define PL_TAKEN_PROOF_H

#include "launch_taken.h"
#include "run.h"
#include "validate.h"

/* Proves with small sizes, and a launch that the original is wrong for with the
 * program's own and a few blocks. Says what was taken, too, unless `quiet`. The
 * request's launches and kernel do not count. The exit code: 4, not 3, where
 * nothing but the original fails, for the launch is a guess. */
int pl_prove_taken(const pl_validate_request *request, const pl_taken *taken,
                   bool quiet, pl_streams streams);

#endif
