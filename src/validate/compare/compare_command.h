/* compare_command.h - `pipelinify compare`: two kernels of the same parameters, proven
 * to leave the same bits behind or not. The first is taken to be right. */
#ifndef PL_COMPARE_COMMAND_H
#define PL_COMPARE_COMMAND_H

#include "environment.h"
#include "options.h"
#include "run.h"

/* 0 equal, 2 kernels that cannot be compared, 3 a finding, 4 not proven. */
int pl_compare_command(const pl_command *command, const pl_environment *env,
                       pl_streams streams);

#endif
