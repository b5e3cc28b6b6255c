/* main.c - the program pipelinify. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "compare_command.h"
#include "completion.h"
#include "doctor.h"
#include "environment.h"
#include "explain.h"
#include "help.h"
#include "init.h"
#include "interrupt.h"
#include "lint_command.h"
#include "memory.h"
#include "options.h"
#include "output.h"
#include "pipelinify.h"
#include "record_merge.h"
#include "report_merge.h"
#include "run.h"
#include "tune_command.h"
#include "validate_command.h"
#include "version.h"

static bool bold_wanted(const pl_command *command,
                        const pl_environment *env) {
  return command->color == PL_COLOR_ALWAYS ||
         (command->color == PL_COLOR_AUTO && env->out_color);
}

static int run_command(const pl_command *command, const pl_environment *env,
                       pl_streams streams) {
  if (command->help)
    pl_print_help(streams.out);
  else if (command->version)
    pl_print_version(streams.out);
  else if (command->completion)
    pl_print_completion(command->completion, streams.out);
  else if (command->explain)
    return pl_explain(command->explain, bold_wanted(command, env), streams.out,
                      streams.err);
  else if (command->start)
    return pl_init(command, streams);
  else if (command->doctor)
    return pl_doctor(command, env, streams);
  else if (command->dump_config || command->verify_config)
    return pl_run(command, env, streams);
  else if (command->merge)
    return pl_report_merge(command, streams);
  else if (command->join)
    return pl_record_merge(command, streams);
  else if (command->lint)
    return pl_lint_command(command, env, streams);
  else if (command->tune)
    return pl_tune_command(command, env, streams);
  else if (command->compare)
    return pl_compare_command(command, env, streams);
  else if (command->validate)
    return pl_validate_command(command, env, streams);
  else
    return pl_run(command, env, streams);
  return PL_EXIT_FINE;
}

/* A full disk must not look like success. */
static int close_output(pl_streams streams, int code) {
  if (fflush(streams.out) == 0 && !ferror(streams.out))
    return code;
  fprintf(streams.err, "pipelinify: error: standard output: %s\n",
          strerror(errno));
  return code > PL_EXIT_ERROR ? code : PL_EXIT_ERROR;
}

int main(int argc, char **argv) {
  pl_guard_streams();
  pl_keep_freed_memory();
  pl_streams streams = {stdout, stderr};
  pl_environment env = pl_environment_read();
  pl_libclang_use(pl_environment_libclang());
  pl_command *command = pl_command_parse(argc, argv, streams.err);
  int code = PL_EXIT_ERROR;
  pl_catch_signals();
  if (command)
    code = run_command(command, &env, streams);
  pl_command_free(command);
  pl_environment_free(&env);
  return close_output(streams, code);
}
