/* proof_flags.h - what a proof's compilers are told of a command line: include paths,
 * macros and the language standard. Of the rest they know nothing. */
#ifndef PL_PROOF_FLAGS_H
#define PL_PROOF_FLAGS_H

#include "environment.h"
#include "options.h"
#include "validate.h"

/* Its strings are the command's. */
pl_validate_flags pl_proof_flags(const pl_command *command);
void pl_proof_flags_free(pl_validate_flags *flags);

/* The directory that keeps the emulator's compiled half, made where it is not there;
 * NULL where it cannot be. Free with free. */
char *pl_proof_cache_dir(const pl_environment *env);

#endif
