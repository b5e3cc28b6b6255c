/* nvcc_main.c - the program pipelinify-nvcc. */
#include <stdio.h>

#include "environment.h"
#include "interrupt.h"
#include "memory.h"
#include "nvcc_launcher.h"
#include "output.h"

int main(int argc, char **argv) {
  pl_guard_streams();
  pl_keep_freed_memory();
  pl_environment env = pl_environment_read();
  pl_catch_signals();
  int code = pl_nvcc_launch(argc, argv, &env, (pl_streams){stdout, stderr});
  pl_environment_free(&env);
  return fflush(stdout) == 0 ? code : PL_EXIT_ERROR;
}
