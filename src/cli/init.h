/* init.h - `pipelinify init`: a project's first configuration and its hook. */
#ifndef PL_INIT_H
#define PL_INIT_H

#include "environment.h"
#include "options.h"
#include "program.h"

/* 0, also where files were there already; 2 where one cannot be written. */
int pl_init(const pl_command *command, pl_streams streams);

#endif
