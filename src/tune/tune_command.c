/* tune_command.c - see tune_command.h. */
#include "tune_command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_here.h"
#include "proof_inputs.h"
#include "record.h"
#include "text.h"
#include "tune_read.h"

typedef struct tuner {
  const pl_command *command;
  pl_streams streams;
  bool found; /* a form has a finding */
  int worst;  /* of all else */
  size_t taken, kept, unknown; /* kernels */
} tuner;

static void say_error(tuner *t, int code, const char *text) {
  fprintf(t->streams.err, "pipelinify: error: %s\n", text);
  pl_note_exit(&t->worst, code);
}

/* ---- the record ---------------------------------------------------------- */

static pl_record_entry entry_of(const pl_tuned *tuned,
                                const pl_tuned_kernel *k,
                                const pl_tune_decision *d, double min_gain) {
  pl_record_entry entry = {
      .source = k->source, .kernel = k->name, .fingerprint = k->fingerprint,
      .variant = "original", .gpu = tuned->gpu, .cuda = tuned->cuda, .arch = tuned->arch,
      .speedup = d->speedup, .min_gain = min_gain, .why = d->why,
  };
  pl_tried_form form;
  if (d->variant && pl_tuned_label(d->variant, &form)) {
    entry.variant = pl_variant_name(form.variant);
    entry.stages = form.stages;
    entry.launch_bounds = form.bounds;
    entry.row_padding = form.padding;
  }
  return entry;
}

/* Of each row what says how the choice came about. */
static json_t *table_of(const pl_tuned_kernel *k) {
  static const char *const kept[] = {
      "case", "kernel", "launch", "variant", "verdict", "time_ms_original",
      "time_ms", "time_ms_min", "time_ms_max", "speedup", "registers", "spills", "smem",
      "blocks_per_sm", "auto", "gpu", "bound_ms"};
  json_t *table = json_array();
  for (size_t i = 0; i < k->n; i++) {
    json_t *row = json_object();
    for (size_t m = 0; m < sizeof kept / sizeof *kept; m++)
      json_object_set(row, kept[m],
                      json_object_get(k->measured[i]->members, kept[m]));
    json_array_append_new(table, row);
  }
  return table;
}

static void write_record(tuner *t, const pl_tuned *tuned,
                         const pl_tuned_kernel *k, const pl_tune_decision *d) {
  char *path = pl_record_path(t->command->record, k->source), *problem;
  pl_record_entry entry = entry_of(tuned, k, d, t->command->min_gain);
  entry.table = table_of(k);
  if (!pl_record_add(path, &entry, 1, &problem)) {
    char *text = pl_format("%s: %s", path, problem);
    say_error(t, PL_EXIT_ERROR, text);
    free(text);
  }
  json_decref(entry.table);
  free(problem);
  free(path);
}

static void print_decision(tuner *t, const pl_tuned_kernel *k,
                           const pl_tune_decision *d) {
  if (t->command->quiet)
    return;
  const char *choice = d->outcome == PL_TUNE_TAKE   ? d->variant
                       : d->outcome == PL_TUNE_KEEP ? "original"
                                                    : "not measured";
  fprintf(t->streams.out, "%s: %s: %s", k->source, k->name, choice);
  if (d->outcome == PL_TUNE_TAKE)
    fprintf(t->streams.out, ", %.3fx", d->speedup);
  fprintf(t->streams.out, " (%s)\n", d->why);
}

static void print_findings(tuner *t, const pl_tuned_kernel *k) {
  for (size_t i = 0; i < k->n; i++) {
    const pl_result_row *row = k->measured[i];
    bool by_tool = strcmp(row->verdict, "equal") == 0;
    if (row->outcome != PL_OUTCOME_FINDING)
      continue;
    fprintf(t->streams.err, "%s: error: %s: %s: %s%s%s\n", k->source, k->name,
            row->variant, by_tool ? "sanitizer" : row->verdict,
            row->detail ? ": " : "", row->detail ? row->detail : "");
  }
}

static bool is_wanted(const tuner *t, const pl_tuned_kernel *k) {
  bool wanted = t->command->ninputs == 0;
  for (size_t i = 0; i < t->command->ninputs; i++)
    wanted |= strcmp(t->command->inputs[i], k->source) == 0;
  return wanted;
}

static void decide_kernel(tuner *t, const pl_tuned *tuned,
                          const pl_tuned_kernel *k) {
  pl_tune_decision d = pl_tune_decide(k->rows, k->n, t->command->min_gain);
  print_findings(t, k);
  print_decision(t, k, &d);
  t->taken += d.outcome == PL_TUNE_TAKE;
  t->kept += d.outcome == PL_TUNE_KEEP;
  t->unknown += d.outcome == PL_TUNE_UNKNOWN;
  if (d.outcome == PL_TUNE_UNKNOWN)
    pl_note_exit(&t->worst, PL_EXIT_NOT_PROVEN);
  else
    write_record(t, tuned, k, &d);
  t->found |= d.found;
}

/* A finding says more than a gap or an error elsewhere. */
static int exit_code(const tuner *t) {
  return t->found ? PL_EXIT_PROOF_FAILED : t->worst;
}

/* ---- the cost model against the measurements ----------------------------- */

typedef struct comparison {
  size_t kernels, same, unpicked;
  double logs; /* of what the model's choice loses */
} comparison;

static const char *model_pick(const pl_tuned_kernel *k) {
  for (size_t i = 0; i < k->n; i++)
    if (k->rows[i].is_auto)
      return k->rows[i].variant;
  return NULL;
}

/* The original where the model left the kernel alone. A pick that was not both
 * proven and timed cannot be compared. */
static void compare_kernel(tuner *t, const pl_tuned_kernel *k,
                           comparison *c) {
  pl_tune_decision d = pl_tune_decide(k->rows, k->n, t->command->min_gain);
  const char *pick = model_pick(k);
  double picked = pick ? pl_tune_speedup(k->rows, k->n, pick) : 1;
  if (d.outcome == PL_TUNE_UNKNOWN || picked <= 0) {
    c->unpicked++;
    return;
  }
  const char *best = d.variant ? d.variant : "original";
  if (!pick)
    pick = "original";
  double lost = fmax(0, d.speedup / picked - 1);
  c->kernels++;
  c->same += strcmp(best, pick) == 0;
  c->logs += log1p(lost);
  fprintf(t->streams.out, "| %s | %s | %s | %.3f | %s | %.3f | %.1f %% |\n",
          k->source, k->name, best, d.speedup, pick, picked, 100 * lost);
}

static void compare_model(tuner *t, const pl_tuned *tuned) {
  FILE *out = t->streams.out;
  comparison c = {0};
  fprintf(out, "Measured on %s, CUDA %s.\n\n", tuned->gpu, tuned->cuda);
  fputs("| file | kernel | fastest | x | model's | x | lost |\n"
        "|---|---|---|---|---|---|---|\n", out);
  for (size_t i = 0; i < tuned->n; i++)
    if (is_wanted(t, &tuned->kernels[i]))
      compare_kernel(t, &tuned->kernels[i], &c);
  double lost = c.kernels ? 100 * expm1(c.logs / (double)c.kernels) : 0;
  fprintf(out, "\n%zu kernels: the model picks the fastest for %zu; geometric "
          "mean lost %.2f %%; not compared: %zu\n", c.kernels, c.same, lost,
          c.unpicked);
}

/* ---- the command --------------------------------------------------------- */

static void decide_kernels(tuner *t, const pl_tuned *tuned) {
  size_t wanted = 0;
  for (size_t i = 0; i < tuned->n; i++)
    if (is_wanted(t, &tuned->kernels[i])) {
      decide_kernel(t, tuned, &tuned->kernels[i]);
      wanted++;
    }
  if (!wanted)
    say_error(t, PL_EXIT_ERROR, "the bundle holds none of these files");
}

static void read_results(tuner *t, const char *dir) {
  pl_tuned *tuned = pl_tuned_read(dir, t->streams.err);
  if (!tuned) {
    pl_note_exit(&t->worst, PL_EXIT_ERROR);
    return;
  }
  if (t->command->compare_model)
    compare_model(t, tuned);
  else
    decide_kernels(t, tuned);
  pl_tuned_free(tuned);
}

static const char *const steps[] = {"build", "validate", "bench", "report",
                                    NULL};

static void tune_here(tuner *t, const pl_command *named,
                      const pl_environment *env) {
  const char *missing = pl_gpu_missing(t->command);
  pl_gpu_work work = {.named = named, .command = t->command, .steps = steps};
  int code = PL_EXIT_FINE;
  if (missing) {
    char *text = pl_format("not tuned: %s here; --prepare=DIR packs it for a "
                           "machine that has one", missing);
    say_error(t, PL_EXIT_NOT_PROVEN, text);
    free(text);
    return;
  }
  char *dir = pl_gpu_here(&work, env, t->streams, &code);
  pl_note_exit(&t->worst, code);
  if (dir)
    read_results(t, dir);
  free(dir);
}

/* Of a directory: what became of its files. */
static void print_summary(const tuner *t, const pl_proof_inputs *inputs) {
  if (t->command->quiet || !inputs->many)
    return;
  fprintf(t->streams.err,
          "%zu files, %zu without a tile loop: %zu kernels: %zu are faster, "
          "%zu stay as they are, %zu not measured\n",
          t->command->ninputs + inputs->left_out, inputs->left_out,
          t->taken + t->kept + t->unknown, t->taken, t->kept, t->unknown);
}

static void tune_files(tuner *t, const pl_command *named,
                       const pl_environment *env) {
  pl_proof_inputs inputs;
  pl_note_exit(&t->worst, pl_proof_inputs_find(&inputs, named, t->streams));
  t->command = &inputs.command;
  if (named->prepare) {
    pl_gpu_packing packing = {.dir = named->prepare};
    pl_note_exit(&t->worst, pl_gpu_prepare(t->command, env, t->streams, &packing));
  } else {
    if (t->command->ninputs)
      tune_here(t, named, env);
    print_summary(t, &inputs);
  }
  t->command = named;
  pl_proof_inputs_free(&inputs);
}

int pl_tune_command(const pl_command *command, const pl_environment *env,
                    pl_streams streams) {
  tuner t = {.command = command, .streams = streams};
  if (command->results)
    read_results(&t, command->results);
  else
    tune_files(&t, command, env);
  return exit_code(&t);
}
