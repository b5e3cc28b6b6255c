/* lint_command.c - see lint_command.h. */
#include "lint_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lint_launches.h"
#include "lint_report.h"
#include "output.h"
#include "precompiled.h"
#include "proof_flags.h"
#include "proof_inputs.h"
#include "select.h"
#include "settings.h"

typedef struct linter {
  const pl_command *command;
  const pl_environment *env;
  pl_selection *selection;
  pl_precompiled *precompiled;
  pl_streams streams;
  pl_lint_book *book;
  size_t findings, kernels, unread;
  int worst;
} linter;

static void say_error(linter *l, const char *path, const char *reason) {
  fprintf(l->streams.err, "pipelinify: error: %s: %s\n", path, reason);
  pl_note_exit(&l->worst, PL_EXIT_ERROR);
}

static void count(linter *l, const pl_lint_result *result) {
  size_t n, k;
  pl_lint_findings(result, &n);
  l->findings += n;
  if (n)
    pl_note_exit(&l->worst, PL_EXIT_CHANGED);
  pl_lint_unreads(result, &n);
  l->unread += n;
  const pl_lint_kernel *kernels = pl_lint_kernels(result, &k);
  for (size_t i = 0; i < k; i++)
    l->kernels += kernels[i].is_pipeline;
}

static void look_at(linter *l, const pl_command *command, const char *path,
                    const pl_bytes *source) {
  pl_validate_flags flags = pl_proof_flags(command);
  pl_options options = pl_run_options(command, l->env, l->selection);
  pl_source text = {path, source->data, source->size};
  options.precompiled_shim = pl_precompiled_for(l->precompiled, NULL, &text, &options);
  pl_lint_launches launches;
  if (pl_lint_launches_find(&launches, command->launch, path, source, flags.defines,
                            flags.n_defines, l->streams.err)) {
    pl_lint_options lint = {.launches = launches.items,
                            .nlaunches = launches.n,
                            .block_threads = command->block_threads,
                            .kernel_filter = options.kernel_filter,
                            .filter_context = options.filter_context};
    pl_lint_result *result = pl_lint(path, source->data, source->size, &options, &lint);
    if (pl_lint_error(result))
      say_error(l, path, pl_lint_error(result));
    pl_lint_print(result, &text, command, l->env, l->streams);
    pl_lint_book_add(l->book, path, result);
    count(l, result);
    pl_lint_free(result);
  } else {
    pl_note_exit(&l->worst, PL_EXIT_ERROR);
  }
  pl_lint_launches_free(&launches);
  pl_proof_flags_free(&flags);
}

static void look_at_input(linter *l, pl_settings *settings, const char *path) {
  pl_bytes source;
  if (!pl_read_file(path, &source)) {
    say_error(l, path, strerror(errno));
    return;
  }
  const pl_command *command = pl_settings_of(settings, path, l->streams.err);
  if (command)
    look_at(l, command, path, &source);
  else
    pl_note_exit(&l->worst, PL_EXIT_ERROR);
  free(source.data);
}

static void sum_up(const linter *l, size_t files) {
  if (l->command->quiet || (!l->command->verbose && !l->findings && !l->unread))
    return;
  fprintf(l->streams.err, "%zu pipeline%s in %zu file%s: %zu finding%s, %zu unread\n",
          l->kernels, l->kernels == 1 ? "" : "s", files, files == 1 ? "" : "s",
          l->findings, l->findings == 1 ? "" : "s", l->unread);
}

static void write_report(linter *l) {
  const pl_command *command = l->command;
  if (!command->report)
    return;
  pl_bytes text = pl_lint_book_text(l->book, command);
  if (pl_write_file(command->report, text.data, text.size) == PL_WRITE_FAILED)
    say_error(l, command->report, strerror(errno));
  free(text.data);
}

int pl_lint_command(const pl_command *command, const pl_environment *env,
                    pl_streams streams) {
  pl_proof_inputs inputs;
  linter l = {.command = command, .env = env, .streams = streams};
  pl_note_exit(&l.worst, pl_proof_inputs_find(&inputs, command, streams));
  l.selection = pl_selection_new(command->kernels, command->nkernels, streams.err);
  if (!l.selection) {
    pl_proof_inputs_free(&inputs);
    return PL_EXIT_ERROR;
  }
  pl_run_say_dropped(command, streams.err);
  l.precompiled = pl_precompiled_new();
  l.book = pl_lint_book_new();
  pl_settings *settings = pl_settings_new(&inputs.command);
  for (size_t i = 0; i < inputs.command.ninputs; i++)
    look_at_input(&l, settings, inputs.command.inputs[i]);
  write_report(&l);
  sum_up(&l, inputs.command.ninputs);
  pl_settings_free(settings);
  pl_lint_book_free(l.book);
  pl_precompiled_free(l.precompiled);
  pl_selection_free(l.selection);
  pl_proof_inputs_free(&inputs);
  return l.worst;
}
