/* run_state.c - see run_state.h. */
#include "run_state.h"

#include <string.h>

void pl_run_note_exit(pl_run_state *r, int code) {
  if (code > r->worst)
    r->worst = code;
}

void pl_run_say_error(pl_run_state *r, const char *path, const char *reason) {
  fprintf(r->streams.err, "pipelinify: error: %s: %s\n", path, reason);
  pl_run_note_exit(r, PL_EXIT_ERROR);
}

bool pl_is_stdin(const char *input) { return strcmp(input, "-") == 0; }

const char *pl_run_shown_path(const pl_run_state *r, const char *input) {
  if (!pl_is_stdin(input))
    return input;
  const char *assumed = r->command->assume_filename;
  return assumed ? assumed : "<stdin>";
}
