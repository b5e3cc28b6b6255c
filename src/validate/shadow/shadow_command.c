/* shadow_command.c - see shadow_command.h. */
#define _XOPEN_SOURCE 700
#include "shadow_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output.h"
#include "settings.h"
#include "shadow_pack.h"
#include "shadow_results.h"
#include "text.h"

typedef struct shadower {
  const pl_command *command;  /* as it is for the source */
  const pl_environment *env;
  pl_selection *selection;
  pl_proof_report *report; /* NULL: not asked for */
  pl_streams streams;
} shadower;

static int fail(shadower *s, int code, const char *path, const char *reason) {
  fprintf(s->streams.err, "pipelinify: error: %s: %s\n", path, reason);
  return code;
}

/* One directory for one source, so that a build system finds it again. */
static char *work_dir(const shadower *s) {
  unsigned long long hash = 14695981039346656037ULL;
  char *full = realpath(s->command->program, NULL);
  for (const char *c = full ? full : s->command->program; *c; c++)
    hash = (hash ^ (unsigned char)*c) * 1099511628211ULL;
  free(full);
  char *here = getcwd(NULL, 0);
  char *dir = s->env->cache_dir
                  ? pl_format("%s/shadow/%016llx", s->env->cache_dir, hash)
                  : pl_format("%s/.pipelinify-cache/shadow/%016llx",
                              here ? here : ".", hash);
  free(here);
  return dir;
}

static bool was_rewritten(const pl_result *result) {
  size_t edits;
  pl_result_edits(result, &edits);
  return edits > 0;
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
  return fail(s, PL_EXIT_NOT_PROVEN, s->command->program,
              built ? "built, not proven; --prepare=DIR packs it for a machine"
                      " with a GPU"
                    : "not proven; --prepare=DIR packs it for a machine with a"
                      " GPU");
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

static int pack(shadower *s, pl_bytes source, const pl_result *result,
                const char *dir, bool with_headers) {
  pl_shadow_program program = {
      .path = s->command->program,
      .text = source.data,
      .len = source.size,
      .result = result,
      .command = s->command,
      .dir = dir,
      .with_headers = with_headers,
  };
  return pl_shadow_pack(&program, s->streams.err) ? PL_EXIT_FINE
                                                  : PL_EXIT_ERROR;
}

static int prove_here(shadower *s, pl_bytes source, const pl_result *result) {
  char *dir = work_dir(s);
  int code = pack(s, source, result, dir, false);
  if (code == PL_EXIT_FINE)
    code = build_and_run(s, dir);
  free(dir);
  return code;
}

static int prepare(shadower *s, pl_bytes source, const pl_result *result) {
  const char *dir = s->command->prepare;
  int code = pack(s, source, result, dir, true);
  if (code == PL_EXIT_FINE && !s->command->quiet)
    fprintf(s->streams.err,
            "%s: where nvcc and a GPU are: sh %s/run; then, with what it has"
            " written: pipelinify validate --results=%s\n",
            dir, dir, dir);
  return code;
}

static int shadow_source(shadower *s, pl_bytes source) {
  pl_options options = pl_run_options(s->command, s->env, s->selection);
  pl_result *result = pl_rewrite(s->command->program, source.data, source.size,
                                 &options);
  const char *error = pl_result_error(result);
  int code = PL_EXIT_FINE;
  if (error)
    code = fail(s, PL_EXIT_ERROR, s->command->program, error);
  else if (!was_rewritten(result))
    fprintf(s->streams.err,
            "%s: note: nothing to prove: no loop was rewritten\n",
            s->command->program);
  else if (s->command->prepare)
    code = prepare(s, source, result);
  else
    code = prove_here(s, source, result);
  pl_result_free(result);
  return code;
}

static int shadow_file(shadower *s) {
  pl_bytes source;
  if (!pl_read_file(s->command->program, &source))
    return fail(s, PL_EXIT_ERROR, s->command->program, strerror(errno));
  int code = shadow_source(s, source);
  free(source.data);
  return code;
}

static int write_report(shadower *s, const char *path) {
  pl_bytes text = pl_proof_report_text(s->report);
  bool written = pl_write_file(path, text.data, text.size) != PL_WRITE_FAILED;
  int code = written ? PL_EXIT_FINE
                     : fail(s, PL_EXIT_ERROR, path, strerror(errno));
  free(text.data);
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
