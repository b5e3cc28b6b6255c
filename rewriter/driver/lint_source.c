/* lint_source.c - the public face of what looks at pipelines written by hand.
 *
 * Needs: bytes. Gives: findings. Raises nothing. */
#include "rewrite.h"

#include "lint.h"

#include <stdlib.h>

struct pl_lint_result {
  pl_arena *arena;
  const char *error;
  pl_lint_report report;
};

typedef struct lint_job {
  pl_lint_result *result;
  const char *path;
  pl_str text;
  const pl_options *options;
  const pl_lint_options *lint;
} lint_job;

static void work(void *context) {
  lint_job *job = context;
  pl_lint_result *result = job->result;
  pl_str error = {0};
  pl_parse_request request = pl_request_for(job->path, job->text, job->options);
  pl_unit *unit = pl_parse(result->arena, &request, &error);
  if (!unit) {
    result->error = pl_arena_cstr(result->arena, error);
    return;
  }
  unit->conditional = unit;
  pl_lint_unit(unit, job->lint, &result->report);
}

pl_lint_result *pl_lint(const char *path, const char *text, size_t length,
                        const pl_options *options, const pl_lint_options *lint) {
  static pl_lint_result nothing = {.error = "out of memory"};
  pl_arena *arena = pl_arena_new(NULL);
  if (!arena)
    return &nothing;
  pl_lint_result *result = calloc(1, sizeof *result);
  if (!result) {
    pl_arena_free(arena);
    return &nothing;
  }
  result->arena = arena;
  lint_job job = {result, path, {text, length}, options, lint};
  if (!pl_arena_try(arena, work, &job))
    result->error = "out of memory";
  return result;
}

void pl_lint_free(pl_lint_result *result) {
  if (!result || !result->arena)
    return;
  pl_arena_free(result->arena);
  free(result);
}

const char *pl_lint_error(const pl_lint_result *result) { return result->error; }

const pl_lint_finding *pl_lint_findings(const pl_lint_result *result, size_t *count) {
  *count = result->report.nfindings;
  return result->report.findings;
}

const pl_lint_unread *pl_lint_unreads(const pl_lint_result *result, size_t *count) {
  *count = result->report.nunread;
  return result->report.unread;
}

const pl_lint_kernel *pl_lint_kernels(const pl_lint_result *result, size_t *count) {
  *count = result->report.nkernels;
  return result->report.kernels;
}
