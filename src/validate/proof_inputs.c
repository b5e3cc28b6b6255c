/* proof_inputs.c - see proof_inputs.h. */
#include "proof_inputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ignore.h"
#include "memory.h"
#include "output.h"
#include "prefilter.h"
#include "settings.h"
#include "text.h"

typedef struct finder {
  const pl_command *command;
  pl_streams streams;
  pl_settings *settings;
  pl_ignores *ignores;
  pl_prefilter *prefilter;
  int worst;
} finder;

static void say_error(finder *f, const char *path, const char *reason) {
  fprintf(f->streams.err, "pipelinify: error: %s: %s\n", path, reason);
  f->worst = PL_EXIT_ERROR;
}

static bool is_ignored(finder *f, const char *path) {
  char *by = pl_ignored_by(f->ignores, path);
  free(by);
  return by;
}

/* What cannot be read is said where it is read for good. */
static bool may_hold_loop(finder *f, const char *path) {
  pl_bytes bytes;
  const pl_command *command =
      pl_settings_of(f->settings, path, f->streams.err);
  if (!command || !pl_read_file(path, &bytes))
    return true;
  pl_relevance relevance =
      pl_prefilter_look(f->prefilter, bytes.data, bytes.size,
                        command->clang.arguments, command->clang.count);
  free(bytes.data);
  return relevance == PL_MAY_HOLD_LOOP;
}

static bool is_wanted(finder *f, const pl_input *input) {
  return !input->found ||
         (!is_ignored(f, input->path) && may_hold_loop(f, input->path));
}

static void say_trouble(finder *f, const pl_input *input) {
  if (!input->harmless)
    say_error(f, input->path, input->trouble);
  else if (!f->command->quiet)
    fprintf(f->streams.err, "%s: note: %s\n", input->path, input->trouble);
}

static void take_inputs(finder *f, pl_proof_inputs *to) {
  to->command.inputs = pl_alloc(to->walked.count + 1, sizeof(char *));
  to->command.ninputs = 0;
  for (size_t i = 0; i < to->walked.count; i++) {
    const pl_input *input = &to->walked.items[i];
    if (input->trouble)
      say_trouble(f, input);
    else if (is_wanted(f, input))
      to->command.inputs[to->command.ninputs++] = input->path;
    else
      to->left_out++;
  }
}

int pl_proof_inputs_find(pl_proof_inputs *inputs, const pl_command *command,
                         pl_streams streams) {
  finder f = {.command = command, .streams = streams};
  pl_walk walk = {
      .names = command->inputs, .nnames = command->ninputs,
      .list = command->files, .excludes = command->excludes,
      .nexcludes = command->nexcludes, .suffix = "_pipe"};
  *inputs = (pl_proof_inputs){.command = *command};
  f.settings = pl_settings_new(command);
  f.ignores = pl_ignores_new();
  f.prefilter = pl_prefilter_new();
  if (!pl_walk_inputs(&walk, &inputs->walked))
    say_error(&f, command->files, strerror(errno));
  inputs->many = inputs->walked.many;
  take_inputs(&f, inputs);
  pl_prefilter_free(f.prefilter);
  pl_ignores_free(f.ignores);
  pl_settings_free(f.settings);
  return f.worst;
}

void pl_proof_inputs_free(pl_proof_inputs *inputs) {
  free(inputs->command.inputs);
  pl_inputs_free(&inputs->walked);
}
