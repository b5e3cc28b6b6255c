/* tune_command.h - `pipelinify tune`: measures every form of the kernels, here
 * or through a bundle, and writes down which one to keep. */
#ifndef PL_TUNE_COMMAND_H
#define PL_TUNE_COMMAND_H

#include "environment.h"
#include "options.h"
#include "run.h"

/* 2 for an error, 3 where a form has a finding, 4 where a kernel could not be
 * measured (no GPU, no target sizes, nothing proven). */
int pl_tune_command(const pl_command *command, const pl_environment *env,
                    pl_streams streams);

#endif
