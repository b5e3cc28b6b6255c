/* lint_command.h - `pipelinify lint`: are pipelines that were written by hand right? */
#ifndef PL_LINT_COMMAND_H
#define PL_LINT_COMMAND_H

#include "environment.h"
#include "options.h"
#include "run.h"

/* The exit code: 0 nothing was found, 1 something was, 2 an error. */
int pl_lint_command(const pl_command *command, const pl_environment *env,
                    pl_streams streams);

#endif
