/* run.h - rewrites the files of a command line and does with the result what
 * the command line says. */
#ifndef PL_RUN_H
#define PL_RUN_H

#include <stdio.h>

#include "environment.h"
#include "options.h"
#include "program.h"
#include "select.h"

/* The worst exit code of all files. */
int pl_run(const pl_command *command, const pl_environment *env,
           pl_streams streams);

/* What the library is told. The command, the environment and the selection
 * have to outlive it. */
pl_options pl_run_options(const pl_command *command,
                          const pl_environment *env, pl_selection *selection);

/* Says which command makes a report, and when. */
void pl_run_sign_report(const pl_command *command, pl_report *report);

/* Words after -- that were left out, under -v. */
void pl_run_say_dropped(const pl_command *command, FILE *err);

#endif
