/* compare_command.c - see compare_command.h.
 *
 * Which kernels: compare_kernels.c. How they are launched: compare_launch.c. The second
 * takes the place of a rewritten form. */
#include "compare_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "compare_bundle.h"
#include "compare_kernels.h"
#include "compare_launch.h"
#include "gpu_here.h"
#include "memory.h"
#include "output.h"
#include "proof_flags.h"
#include "proof_report.h"
#include "results_report.h"
#include "settings.h"
#include "text.h"
#include "validate.h"

typedef struct comparer {
  const pl_command *command;
  const pl_environment *env;
  pl_streams streams;
  pl_arena *arena;
  pl_settings *settings[2]; /* one a side: each keeps its own command */
  pl_compare_side sides[2];
  pl_compare_launches launches;
  pl_replay replay;
  const char *replay_sizes; /* NULL: all sizes are run */
  pl_proof_report *report;  /* NULL: not asked for */
  bool blamed;              /* the first kernel, or its launch */
  bool found;               /* what the second kernel is to blame for */
  int worst;
} comparer;

static bool fail(comparer *c, const char *path, const char *reason) {
  fprintf(c->streams.err, "pipelinify: error: %s: %s\n", path, reason);
  pl_note_exit(&c->worst, PL_EXIT_ERROR);
  return false;
}

/* ---- one run again -------------------------------------------------------- */

static bool find_word(const char *word, const char *(*name)(int), int *index) {
  for (*index = 0; name(*index); ++*index)
    if (strcmp(word, name(*index)) == 0)
      return true;
  return false;
}

/* "M=33 N=48; seed=3 threads=forward copies=late" */
static bool read_replay(comparer *c) {
  const char *text = c->command->replay;
  const char *run = text ? strchr(text, ';') : NULL;
  char threads[32], copies[32];
  int used = 0;
  if (!text)
    return true;
  if (!run ||
      sscanf(run, "; seed=%llu threads=%31s copies=%31s %n", &c->replay.seed,
             threads, copies, &used) != 3 ||
      run[used] || !find_word(threads, pl_replay_threads, &c->replay.threads) ||
      !find_word(copies, pl_replay_copies, &c->replay.copies)) {
    fprintf(c->streams.err,
            "pipelinify: error: '--replay' needs 'SIZES; seed=N "
            "threads=forward|backward|shuffled copies=early|late|at-random', "
            "not '%s'\n", text);
    pl_note_exit(&c->worst, PL_EXIT_ERROR);
    return false;
  }
  c->replay_sizes =
      pl_arena_cstr(c->arena, (pl_str){text, (size_t)(run - text)});
  return true;
}

static void say_again(comparer *c, const pl_counterexample *at) {
  char *run = pl_format("%s; seed=%llu threads=%s copies=%s", at->sizes,
                        at->run.seed, pl_replay_threads(at->run.threads),
                        pl_replay_copies(at->run.copies));
  char *words = pl_command_again(c->command, run);
  fprintf(c->streams.out, "  again: %s\n", words);
  free(words);
  free(run);
}

/* ---- the two sides -------------------------------------------------------- */

static bool read_side(comparer *c, size_t i) {
  pl_compare_side *side = &c->sides[i];
  side->path = c->command->inputs[c->command->ninputs > 1 ? i : 0];
  side->command = pl_settings_of(c->settings[i], side->path, c->streams.err);
  if (!side->command) {
    pl_note_exit(&c->worst, PL_EXIT_ERROR);
    return false;
  }
  if (!pl_read_file(side->path, &side->source))
    return fail(c, side->path, strerror(errno));
  side->flags = pl_proof_flags(side->command);
  pl_options options = pl_run_options(side->command, c->env, NULL);
  options.kernel_filter = NULL;
  side->result = pl_rewrite(side->path, side->source.data, side->source.size,
                            &options);
  const char *error = pl_result_error(side->result);
  return !error || fail(c, side->path, error);
}

static void free_side(pl_compare_side *side) {
  if (side->result)
    pl_result_free(side->result);
  pl_proof_flags_free(&side->flags);
  free(side->source.data);
}

/* ---- on the CPU ----------------------------------------------------------- */

/* A guessed launch that the first kernel is wrong for proves nothing. */
static bool blames_first(pl_proof proof) {
  return proof == PL_PROOF_ORIGINAL_FAULTY || proof == PL_PROOF_NONDETERMINISTIC;
}

static bool is_guess(const comparer *c) {
  const pl_compare_origin *from = c->launches.origins;
  return (from[0] ? from[0] : from[1]) == PL_COMPARE_TAKEN;
}

static void on_verdict(void *context, const pl_verdict_row *said) {
  comparer *c = context;
  pl_verdict_row row = *said;
  bool blamed = blames_first(row.proof);
  if (blamed && is_guess(c) && row.code == PL_EXIT_PROOF_FAILED)
    row.code = PL_EXIT_NOT_PROVEN;
  c->blamed |= blamed;
  c->found |= row.code == PL_EXIT_PROOF_FAILED;
  if (row.counterexample && !blamed)
    say_again(c, row.counterexample);
  if (c->report)
    pl_proof_report_add(c->report, c->sides[0].path, &row, NULL);
}

static int exit_code(const comparer *c, int code) {
  return code == PL_EXIT_PROOF_FAILED && !c->found ? PL_EXIT_NOT_PROVEN : code;
}

static void say_blamed(comparer *c) {
  if (c->blamed && is_guess(c) && !c->command->quiet)
    fprintf(c->streams.err,
            "%s: note: not proven: what was taken is not how the program "
            "launches it, or the kernel is wrong; a launch description says "
            "which (docs/launch.md)\n", c->sides[0].path);
}

static void prove_on_cpu(comparer *c) {
  const pl_compare_side *a = &c->sides[0], *b = &c->sides[1];
  char *cache_dir = pl_proof_cache_dir(c->env);
  pl_validate_variant second = {
      .label = b->path, .path = b->path, .text = b->source.data,
      .len = b->source.size, .launches = c->launches.second, .flags = &b->flags};
  pl_validate_request request = {
      .path = a->path, .text = a->source.data, .len = a->source.size,
      .variants = &second, .n_variants = 1, .launches = &c->launches.first,
      .flags = a->flags, .strict = true,
      .replay = c->replay_sizes ? &c->replay : NULL, .cache_dir = cache_dir,
      .verbosity = c->command->verbose - c->command->quiet,
      .verdict = on_verdict, .context = c};
  int code = pl_validate_cpu(&request, c->streams.out);
  pl_note_exit(&c->worst, exit_code(c, code));
  say_blamed(c);
  free(cache_dir);
}

/* ---- on a GPU ------------------------------------------------------------- */

/* With the programs' own sizes, where they are taken from host code. */
static int pack(void *context, pl_gpu_packing *packing) {
  comparer *c = context;
  pl_compare_launches launches;
  bool said = packing->here && c->command->backend == PL_BACKEND_AUTO;
  int code = pl_compare_launch(c->arena, c->command, c->sides, PL_TAKEN_OWN, NULL,
                               said || c->command->quiet, c->streams.err,
                               &launches);
  if (code == PL_EXIT_FINE)
    code = pl_compare_pack(c->arena, c->sides, &launches, packing,
                           c->streams.err);
  pl_compare_launches_free(&launches);
  return code;
}

static void prepare(comparer *c) {
  pl_gpu_packing packing = {.dir = c->command->prepare};
  pl_note_exit(&c->worst, pack(c, &packing));
  if (packing.kernels && !c->command->quiet)
    fprintf(c->streams.err,
            "%s: %zu proofs; where nvcc and a GPU are: sh %s/run\n", packing.dir,
            packing.kernels, packing.dir);
}

static void report_results(comparer *c, const char *dir) {
  pl_command reading = *c->command;
  reading.results = dir;
  reading.report = NULL;
  pl_note_exit(&c->worst, pl_report_results(&reading, c->streams));
  if (c->report)
    pl_proof_report_add_gpu(c->report, dir);
}

static void prove_on_gpu(comparer *c) {
  static const char *const steps[] = {"build", "validate", "--sanitize=auto",
                                      "report", NULL};
  const char *pair = pl_arena_printf(c->arena, "compare %s%s=%s%s",
                                     c->sides[0].name,
                                     c->sides[0].arguments ? c->sides[0].arguments
                                                           : "",
                                     c->sides[1].name,
                                     c->sides[1].arguments ? c->sides[1].arguments
                                                           : "").p;
  pl_gpu_work work = {.named = c->command, .command = c->command, .steps = steps,
                      .pack = pack, .context = c, .what = pair};
  int code = PL_EXIT_FINE;
  char *dir = pl_gpu_here(&work, c->env, c->streams, &code);
  pl_note_exit(&c->worst, code);
  if (dir)
    report_results(c, dir);
  free(dir);
}

/* Never reported as a pass. */
static void use_gpu(comparer *c) {
  const char *missing = pl_gpu_missing(c->command);
  if (c->command->backend == PL_BACKEND_CPU || c->replay_sizes)
    return;
  if (!missing) {
    prove_on_gpu(c);
    return;
  }
  fprintf(c->streams.out, "GPU: skipped, %s\n", missing);
  if (c->command->require_gpu || c->command->backend == PL_BACKEND_GPU) {
    fprintf(c->streams.err, "pipelinify: error: GPU: not proven\n");
    pl_note_exit(&c->worst, PL_EXIT_NOT_PROVEN);
  }
}

/* ---- the whole ------------------------------------------------------------ */

static bool find_launches(comparer *c, pl_taken_form form) {
  int code = pl_compare_launch(c->arena, c->command, c->sides, form,
                               c->replay_sizes, c->command->quiet,
                               c->streams.err, &c->launches);
  pl_note_exit(&c->worst, code);
  return code == PL_EXIT_FINE;
}

static void compare(comparer *c) {
  if (!read_replay(c) || !read_side(c, 0) || !read_side(c, 1))
    return;
  if (!pl_compare_find(c->arena, c->command, c->sides, c->streams.err)) {
    pl_note_exit(&c->worst, PL_EXIT_ERROR);
    return;
  }
  if (c->command->prepare) {
    prepare(c);
    return;
  }
  bool here = c->command->backend == PL_BACKEND_GPU ||
              find_launches(c, PL_TAKEN_SMALL);
  if (here && c->command->backend != PL_BACKEND_GPU)
    prove_on_cpu(c);
  pl_compare_launches_free(&c->launches);
  if (here)
    use_gpu(c);
}

static void write_report(comparer *c) {
  if (!c->report)
    return;
  if (!pl_proof_report_write(c->report, c->command->report))
    fail(c, c->command->report, strerror(errno));
  pl_proof_report_free(c->report);
}

int pl_compare_command(const pl_command *command, const pl_environment *env,
                       pl_streams streams) {
  if (command->results)
    return pl_report_results(command, streams);
  comparer c = {.command = command, .env = env, .streams = streams,
                .arena = pl_new_arena()};
  for (size_t i = 0; i < 2; i++)
    c.settings[i] = pl_settings_new(command);
  if (command->report)
    c.report = pl_proof_report_new();
  compare(&c);
  write_report(&c);
  for (size_t i = 0; i < 2; i++) {
    free_side(&c.sides[i]);
    pl_settings_free(c.settings[i]);
  }
  pl_arena_free(c.arena);
  return c.worst;
}
