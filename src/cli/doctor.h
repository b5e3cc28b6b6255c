/* doctor.h - `pipelinify doctor`: what of the surroundings is there, what each
 * missing part costs, and which configuration is in force. */
#ifndef PL_DOCTOR_H
#define PL_DOCTOR_H

#include "environment.h"
#include "options.h"
#include "run.h"

/* 0; 2 where nothing can be rewritten, or a configuration is wrong. */
int pl_doctor(const pl_command *command, const pl_environment *env,
              pl_streams streams);

#endif
