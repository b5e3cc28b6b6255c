/* proof_claims.h - what a proof says and what it does not, for its JSON report: three
 * lists of sentences a row.
 *
 *   proven   holds for all sizes and inputs
 *   tested   held in what was run
 *   unknown  nothing is known of it */
#ifndef PL_PROOF_CLAIMS_H
#define PL_PROOF_CLAIMS_H

#include <jansson.h>

#include "pipelinify.h"
#include "results.h"
#include "validate.h"

/* Of the emulator. `form` is the rewritten text, whose certificates count; NULL: the
 * kernel is no form, or alone. */
void pl_proof_claims_add(json_t *entry, const pl_verdict_row *row,
                         const pl_result *form);

/* Of a GPU, whose name may be NULL. */
void pl_proof_claims_add_gpu(json_t *entry, const pl_result_row *row,
                             const char *gpu);

/* Of the launches that a program made. */
void pl_proof_claims_add_program(json_t *entry, int code, const char *detail);

#endif
