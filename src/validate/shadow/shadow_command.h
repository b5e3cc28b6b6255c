/* shadow_command.h - `validate --program FILE`: the user's own program is the
 * test; every launch of a rewritten kernel runs twice. */
#ifndef PL_SHADOW_COMMAND_H
#define PL_SHADOW_COMMAND_H

#include "environment.h"
#include "options.h"
#include "run.h"

/* 0 proven, 2 error, 3 a difference or a failed build, 4 not proven. */
int pl_shadow_command(const pl_command *command, const pl_environment *env,
                      pl_streams streams);

#endif
