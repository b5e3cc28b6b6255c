/* validate_command.h - `pipelinify validate`: rewrites each file and has the
 * result proven against the original. */
#ifndef PL_VALIDATE_COMMAND_H
#define PL_VALIDATE_COMMAND_H

#include "environment.h"
#include "options.h"
#include "run.h"

/* The worst exit code of all files and variants. */
int pl_validate_command(const pl_command *command, const pl_environment *env,
                        pl_streams streams);

#endif
