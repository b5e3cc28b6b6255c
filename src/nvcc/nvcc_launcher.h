/* nvcc_launcher.h - the program pipelinify-nvcc, which stands in front of nvcc: it
 * gives it pipelined sources in the place of those that the command line names. */
#ifndef PL_NVCC_LAUNCHER_H
#define PL_NVCC_LAUNCHER_H

#include "environment.h"
#include "program.h"

/* The exit code: nvcc's own, whatever becomes of the pipelining. Often it does not
 * come back, since the process has become nvcc. */
int pl_nvcc_launch(int argc, char **argv, const pl_environment *env,
                   pl_streams streams);

#endif
