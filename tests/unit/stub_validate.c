/* stub_validate.c - a double of `pipelinify validate`, `compare` and `lint`, for the
 * program that is built over stub_library.c: it can prove nothing. */
#include "compare_command.h"
#include "lint_command.h"
#include "tune_command.h"
#include "validate_command.h"

int pl_validate_command(const pl_command *command, const pl_environment *env,
                        pl_streams streams) {
  (void)command;
  (void)env;
  fputs("the stub proves nothing\n", streams.err);
  return PL_EXIT_NOT_PROVEN;
}

int pl_compare_command(const pl_command *command, const pl_environment *env,
                       pl_streams streams) {
  return pl_validate_command(command, env, streams);
}

int pl_tune_command(const pl_command *command, const pl_environment *env,
                    pl_streams streams) {
  return pl_validate_command(command, env, streams);
}

int pl_lint_command(const pl_command *command, const pl_environment *env,
                    pl_streams streams) {
  return pl_validate_command(command, env, streams);
}
