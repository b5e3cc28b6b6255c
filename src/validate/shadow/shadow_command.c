/* shadow_command.c - see shadow_command.h. */
#define _XOPEN_SOURCE 700
#include "shadow_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grids.h"
#include "output.h"
#include "settings.h"
#include "shadow_pack.h"
#include "shadow_results.h"
#include "text.h"
#include "tried_forms.h"

enum { DEEPEST = 4, ROUNDS = 15, FORMS = PL_MOST_TRIED + 1 };

typedef struct shadower {
  const pl_command *command;  /* as it is for the source */
  const pl_environment *env;
  pl_selection *selection;
  pl_proof_report *report; /* NULL: not asked for */
  pl_streams streams;
  pl_shadow_form forms[FORMS];
  pl_tried_form tried[FORMS]; /* their names */
  size_t nforms;
  pl_result *choice;  /* auto's; NULL */
  pl_result *failed;  /* says why the source cannot be rewritten; NULL */
} shadower;

static int fail(shadower *s, int code, const char *path, const char *reason) {
  fprintf(s->streams.err, "pipelinify: error: %s: %s\n", path, reason);
  return code;
}

/* One directory for one source, so that a build system finds it again. */
static char *work_dir(const shadower *s) {
  unsigned long long hash = 14695981039346656037ULL;
  const char *kind = s->command->bench ? "shadow-bench" : "shadow";
  char *full = realpath(s->command->program, NULL);
  for (const char *c = full ? full : s->command->program; *c; c++)
    hash = (hash ^ (unsigned char)*c) * 1099511628211ULL;
  free(full);
  char *here = getcwd(NULL, 0);
  char *dir = s->env->cache_dir
                  ? pl_format("%s/%s/%016llx", s->env->cache_dir, kind, hash)
                  : pl_format("%s/.pipelinify-cache/%s/%016llx",
                              here ? here : ".", kind, hash);
  free(here);
  return dir;
}

static bool was_rewritten(const pl_result *result) {
  size_t edits;
  pl_result_edits(result, &edits);
  return edits > 0;
}

/* --- the forms -------------------------------------------------------------- */

/* Whether one of them has the same text. */
static bool is_known(const shadower *s, const pl_result *result) {
  size_t n, m;
  const char *text = pl_result_text(result, &n);
  for (size_t i = 0; i < s->nforms; i++) {
    const char *other = pl_result_text(s->forms[i].result, &m);
    if (n == m && memcmp(text, other, n) == 0)
      return true;
  }
  return false;
}

static pl_result *rewrite(shadower *s, pl_bytes source,
                          const pl_tried_form *form) {
  pl_options options = pl_run_options(s->command, s->env, s->selection);
  bool asked = s->command->bench && form->variant != PL_VARIANT_AUTO;
  options.variant = form->variant;
  options.stages = form->stages;
  options.variant_fixed |= asked;
  options.stages_fixed |= asked && form->stages;
  pl_grids *grids = pl_grids_new(source.data, source.size, options.clang_args,
                                 options.clang_nargs);
  options.grid_blocks = pl_grid_blocks;
  options.grid_context = grids;
  pl_result *result =
      pl_rewrite(s->command->program, source.data, source.size, &options);
  pl_grids_free(grids);
  return result;
}

/* Unless it is the source, or another form. Why it cannot be made, NULL: it could. */
static const char *add_form(shadower *s, pl_bytes source,
                            const pl_tried_form *form) {
  pl_result *result = rewrite(s, source, form);
  const char *error = pl_result_error(result);
  if (error) {
    s->failed = result;
  } else if (was_rewritten(result) && !is_known(s, result)) {
    s->tried[s->nforms] = *form;
    s->forms[s->nforms] =
        (pl_shadow_form){s->tried[s->nforms].label, result};
    s->nforms++;
  } else {
    pl_result_free(result);
  }
  return error;
}

/* All that apply, and what auto takes; or the one that was asked for. */
static const char *find_timed_forms(shadower *s, pl_bytes source) {
  pl_tried_form all[PL_MOST_TRIED], own = {.variant = PL_VARIANT_AUTO, .label = "auto"};
  const pl_command *command = s->command;
  const char *error = NULL;
  int deepest = command->stages > DEEPEST ? command->stages : DEEPEST;
  size_t n = pl_tried_forms(all, deepest, "-");
  n = pl_with_asked_form(all, n, command->variant, deepest, "-");
  for (size_t i = 0; i < n && !error; i++)
    if ((command->variant == PL_VARIANT_AUTO ||
         command->variant == all[i].variant) &&
        (!command->stages || command->stages == all[i].stages))
      error = add_form(s, source, &all[i]);
  if (!error && command->variant == PL_VARIANT_AUTO)
    s->choice = rewrite(s, source, &own);
  return error ? error : s->choice ? pl_result_error(s->choice) : NULL;
}

static const char *find_forms(shadower *s, pl_bytes source) {
  pl_tried_form asked = {.variant = s->command->variant,
                         .stages = s->command->stages,
                         .label = "pipelined"};
  return s->command->bench ? find_timed_forms(s, source)
                           : add_form(s, source, &asked);
}

/* --- the script ------------------------------------------------------------ */

/* What the shell says of words that end in it. */
static int run_script(const char *dir, const char *step) {
  char *script = pl_format("%s/run", dir);
  int status = 0;
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    execlp("sh", "sh", script, step, (char *)NULL);
    _exit(127);
  }
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  free(script);
  return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

/* A machine without a GPU proves nothing; that it builds is worth knowing. */
static int skip(shadower *s, bool built) {
  fprintf(s->streams.out, "GPU: skipped, no CUDA device\n");
  char *why = pl_format("%snot %s; --prepare=DIR packs it for a machine with a GPU",
                        built ? "built, " : "",
                        s->command->bench ? "timed" : "proven");
  int code = fail(s, PL_EXIT_NOT_PROVEN, s->command->program, why);
  free(why);
  return code;
}

static int build_and_run(shadower *s, const char *dir) {
  int code = run_script(dir, "build");
  bool can_build = code == 0 || code == PL_EXIT_PROOF_FAILED;
  if (!pl_has_cuda_device() && !can_build)
    return skip(s, false);
  if (code != 0)
    return fail(s, code == PL_EXIT_PROOF_FAILED ? code : PL_EXIT_ERROR,
                s->command->program, "the shadowed program was not built");
  if (!pl_has_cuda_device())
    return skip(s, true);
  code = run_script(dir, "run");
  if (code != 0 && code != PL_EXIT_PROOF_FAILED && code != PL_EXIT_NOT_PROVEN)
    return fail(s, PL_EXIT_ERROR, s->command->program,
                "the program could not be run");
  return pl_report_shadow(dir, s->command, s->report, s->streams);
}

static int pack(shadower *s, pl_bytes source, const char *dir,
                bool with_headers) {
  pl_shadow_program program = {
      .path = s->command->program,
      .text = source.data,
      .len = source.size,
      .forms = s->forms,
      .nforms = s->nforms,
      .choice = s->choice,
      .rounds = s->command->bench ? ROUNDS : 0,
      .command = s->command,
      .dir = dir,
      .with_headers = with_headers,
  };
  return pl_shadow_pack(&program, s->streams.err) ? PL_EXIT_FINE
                                                  : PL_EXIT_ERROR;
}

static int prove_here(shadower *s, pl_bytes source) {
  char *dir = work_dir(s);
  int code = pack(s, source, dir, false);
  if (code == PL_EXIT_FINE)
    code = build_and_run(s, dir);
  free(dir);
  return code;
}

static int prepare(shadower *s, pl_bytes source) {
  const char *dir = s->command->prepare;
  int code = pack(s, source, dir, true);
  if (code == PL_EXIT_FINE && !s->command->quiet)
    fprintf(s->streams.err,
            "%s: where nvcc and a GPU are: sh %s/run; then, with what it has"
            " written: pipelinify %s --results=%s\n",
            dir, dir, s->command->bench ? "bench" : "validate", dir);
  return code;
}

static int shadow_source(shadower *s, pl_bytes source) {
  const char *error = find_forms(s, source);
  if (error)
    return fail(s, PL_EXIT_ERROR, s->command->program, error);
  if (!s->nforms) {
    fprintf(s->streams.err, "%s: note: nothing to %s: no loop was rewritten\n",
            s->command->program, s->command->bench ? "time" : "prove");
    return PL_EXIT_FINE;
  }
  return s->command->prepare ? prepare(s, source) : prove_here(s, source);
}

static int shadow_file(shadower *s) {
  pl_bytes source;
  if (!pl_read_file(s->command->program, &source))
    return fail(s, PL_EXIT_ERROR, s->command->program, strerror(errno));
  int code = shadow_source(s, source);
  for (size_t i = 0; i < s->nforms; i++)
    pl_result_free((pl_result *)s->forms[i].result);
  pl_result_free(s->failed);
  pl_result_free(s->choice);
  free(source.data);
  return code;
}

static int write_report(shadower *s, const char *path) {
  int code = pl_proof_report_write(s->report, path)
                 ? PL_EXIT_FINE
                 : fail(s, PL_EXIT_ERROR, path, strerror(errno));
  pl_proof_report_free(s->report);
  return code;
}

/* With what holds for the source. */
static int shadow_with_settings(shadower *s, const pl_command *command) {
  pl_settings *settings = pl_settings_new(command);
  s->command = pl_settings_of(settings, command->program, s->streams.err);
  s->report = command->report ? pl_proof_report_new() : NULL;
  int code = s->command ? shadow_file(s) : PL_EXIT_ERROR;
  int written = s->report ? write_report(s, command->report) : PL_EXIT_FINE;
  pl_settings_free(settings);
  return written > code ? written : code;
}

int pl_shadow_command(const pl_command *command, const pl_environment *env,
                      pl_streams streams) {
  shadower s = {.env = env, .streams = streams};
  s.selection = pl_selection_new(command->kernels, command->nkernels,
                                 streams.err);
  if (!s.selection)
    return PL_EXIT_ERROR;
  int code = shadow_with_settings(&s, command);
  pl_selection_free(s.selection);
  return code;
}
