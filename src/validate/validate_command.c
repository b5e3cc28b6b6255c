/* validate_command.c - see validate_command.h. */
#include "validate_command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gpu_here.h"
#include "grids.h"
#include "launch_input.h"
#include "memory.h"
#include "output.h"
#include "precompiled.h"
#include "proof_flags.h"
#include "proof_inputs.h"
#include "proof_report.h"
#include "results_report.h"
#include "settings.h"
#include "shadow_command.h"
#include "shadow_results.h"
#include "taken_proof.h"
#include "text.h"
#include "tried_forms.h"
#include "validate.h"

enum { FORMS = PL_MOST_TRIED + 1, DEEPEST = 4 };

static const pl_tried_form auto_form = {.variant = PL_VARIANT_AUTO, .label = "auto"};

typedef struct proof proof;

typedef struct prover {
  const pl_command *command;
  pl_tried_form tried[PL_MOST_TRIED]; /* which the results name */
  size_t n_tried;
  pl_options options;
  pl_precompiled *precompiled;
  pl_selection *selection;
  pl_validate_flags flags;
  pl_proof_report *report; /* NULL: not asked for */
  const char *path;        /* of the input at hand */
  const proof *proof;      /* likewise */
  const char *cache_dir;
  pl_streams streams;
  size_t proofs; /* of rewritten texts, that were begun */
  int worst;
} prover;

/* One input, its rewritten forms and how its kernels are launched. */
struct proof {
  const char *path;
  pl_bytes source;
  pl_result *results[FORMS];
  pl_kernel_shape *shapes[FORMS];
  pl_validate_variant variants[FORMS];
  size_t n_variants;
  pl_launch_list *launches;
};

static void say(prover *p, const char *path, const char *kind,
                const char *text) {
  fprintf(p->streams.err, "%s: %s: %s\n", path, kind, text);
}

static void say_error(prover *p, int code, const char *path,
                      const char *reason) {
  fprintf(p->streams.err, "pipelinify: error: %s: %s\n", path, reason);
  pl_note_exit(&p->worst, code);
}

static bool is_new_text(const proof *f, const char *text, size_t length) {
  if (length == f->source.size && !memcmp(text, f->source.data, length))
    return false;
  for (size_t i = 0; i < f->n_variants; i++)
    if (f->variants[i].len == length &&
        !memcmp(f->variants[i].text, text, length))
      return false;
  return true;
}

/* A comment in the source may have asked for another form. */
static const char *label_of(const pl_result *result, const pl_tried_form *wanted) {
  size_t count;
  const pl_kernel_report *kernels = pl_result_kernels(result, &count);
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < kernels[k].nloops; i++) {
      const pl_loop_report *loop = &kernels[k].loops[i];
      if (loop->verdict == PL_VERDICT_PIPELINED &&
          wanted->variant != PL_VARIANT_AUTO &&
          (loop->variant != wanted->variant ||
           (wanted->stages && loop->stages != wanted->stages)))
        return "as the comments say";
    }
  return wanted->label;
}

/* Rewrites to one form, and keeps it where it differs from the source and from
 * the forms before it. */
static void add_form(prover *p, proof *f, const pl_tried_form *wanted) {
  pl_options options = p->options;
  options.variant_fixed |= p->command->all_variants;
  options.stages_fixed |= p->command->all_variants;
  options.variant = wanted->variant;
  options.stages = wanted->stages;
  pl_result *result = pl_rewrite(f->path, f->source.data, f->source.size,
                                 &options);
  size_t length = 0;
  const char *error = pl_result_error(result);
  const char *text = error ? NULL : pl_result_text(result, &length);
  if (error)
    say_error(p, PL_EXIT_ERROR, f->path, error);
  if (!text || !is_new_text(f, text, length)) {
    pl_result_free(result);
    return;
  }
  size_t n_shapes;
  f->results[f->n_variants] = result;
  f->shapes[f->n_variants] = pl_shapes_of_result(result, &n_shapes);
  f->variants[f->n_variants] = (pl_validate_variant){
      .label = label_of(result, wanted), .path = f->path, .text = text, .len = length,
      .shapes = f->shapes[f->n_variants], .n_shapes = n_shapes};
  f->n_variants++;
}

/* The form that the command line names, spelt as those that are tried. */
static pl_tried_form named_form(const pl_command *command) {
  pl_tried_form form = {.variant = command->variant, .stages = command->stages};
  const char *name = pl_variant_name(command->variant);
  if (command->stages)
    snprintf(form.label, sizeof form.label, "%s s%d", name, command->stages);
  else
    snprintf(form.label, sizeof form.label, "%s", name);
  return form;
}

/* With --variant=V too, of all forms those of V; with --stages=N, of those that have a
 * number of stages those of N. */
static bool is_asked_for(const pl_command *command, const pl_tried_form *form) {
  return (!pl_option_given(command, "variant") || form->variant == command->variant) &&
         (!pl_option_given(command, "stages") || !form->stages ||
          form->stages == command->stages);
}

static void add_forms(prover *p, proof *f, const pl_tried_form *named) {
  const pl_tried_form *first = p->command->all_variants ? &auto_form : named;
  add_form(p, f, first);
  for (size_t i = 0; p->command->all_variants && i < p->n_tried; i++)
    if (is_asked_for(p->command, &p->tried[i]))
      add_form(p, f, &p->tried[i]);
}

/* Where a description is wrong: that is a mistake, not a failed proof. */
static void read_launches(prover *p, proof *f) {
  f->launches = pl_read_launches(p->command->launch, f->path, &f->source,
                                 p->streams.err);
  if (!f->launches)
    pl_note_exit(&p->worst, PL_EXIT_ERROR);
}

static int verbosity(const pl_command *command) {
  return command->verbose - command->quiet;
}

/* A plain name after -k: the launches of other kernels are left out. */
static const char *only_kernel(const pl_command *command) {
  bool plain = command->nkernels == 1 &&
               !pl_starts_with(command->kernels[0], "regex:");
  return plain ? command->kernels[0] : NULL;
}

static void add_verdict(void *context, const pl_verdict_row *row) {
  const prover *p = context;
  if (p->report)
    pl_proof_report_add(p->report, p->path, row,
                        row->variant ? p->proof->results[row->variant -
                                                         p->proof->variants]
                                     : NULL);
}

static pl_validate_request request_of(prover *p, const proof *f) {
  return (pl_validate_request){
      .path = f->path,
      .text = f->source.data,
      .len = f->source.size,
      .variants = f->variants,
      .n_variants = f->n_variants,
      .launches = f->launches,
      .flags = p->flags,
      .strict = f->n_variants == 0,
      .kernel = only_kernel(p->command),
      .cache_dir = p->cache_dir,
      .verbosity = verbosity(p->command),
      .verdict = add_verdict,
      .context = p,
  };
}

static void prove_on_cpu(prover *p, const proof *f) {
  pl_validate_request request = request_of(p, f);
  p->proofs += f->n_variants > 0;
  pl_note_exit(&p->worst, pl_validate_cpu(&request, p->streams.out));
}

/* ---- launches that the source makes -------------------------------------- */

/* Any kernel may call a function whose loop was rewritten. */
static bool may_run_rewritten(const pl_result *result, const char *kernel) {
  size_t count;
  const pl_kernel_report *kernels = pl_result_kernels(result, &count);
  for (size_t k = 0; k < count; k++)
    for (size_t i = 0; i < kernels[k].nloops; i++)
      if (kernels[k].loops[i].verdict == PL_VERDICT_PIPELINED &&
          (!kernels[k].is_global ||
           strcmp(pl_unqualified(kernels[k].name), kernel) == 0))
        return true;
  return false;
}

typedef struct wish {
  const prover *p;
  const proof *f;
} wish;

static bool is_wanted(const char *kernel, void *context) {
  const wish *w = context;
  const char *only = only_kernel(w->p->command);
  if (w->f->n_variants == 0)
    return pl_selection_matches(kernel, w->p->selection);
  for (size_t i = 0; i < w->f->n_variants; i++)
    if ((!only || strcmp(pl_unqualified(only), kernel) == 0) &&
        may_run_rewritten(w->f->results[i], kernel))
      return true;
  return false;
}

static void prove_taken(prover *p, const proof *f, const pl_taken *taken) {
  pl_validate_request request = request_of(p, f);
  if (taken->n_whole) {
    p->proofs += f->n_variants > 0;
    pl_note_exit(&p->worst, pl_prove_taken(&request, taken, verbosity(p->command) < 0,
                                p->streams));
  }
  if (f->n_variants && (taken->n_missing || !taken->n_whole)) {
    say_error(p, PL_EXIT_NOT_PROVEN, f->path,
              "not proven: no launch description (--launch, or a comment "
              "'pipelinify: launch')");
    pl_taken_say_missing(taken, f->path, p->streams.err);
  }
}

/* Nothing was rewritten, so nothing hangs on a proof. */
static void say_unknown_launches(prover *p, const proof *f,
                                 const pl_taken *taken) {
  if (p->command->quiet)
    return;
  say(p, f->path, "note",
      taken->n_missing
          ? "nothing to prove: no loop was rewritten, and to run the original "
            "alone its launch has to be known (--launch, or a comment "
            "'pipelinify: launch')"
          : "nothing to prove: no loop was rewritten");
  if (p->command->verbose)
    pl_taken_say_missing(taken, f->path, p->streams.err);
}

static void say_alone(prover *p, const proof *f) {
  if (f->n_variants == 0 && !p->command->quiet)
    say(p, f->path, "note", "no loop was rewritten: the original is run alone");
}

static void prove_without_description(prover *p, const proof *f) {
  wish w = {p, f};
  pl_taken taken;
  pl_taken_find(&taken, &f->source, PL_TAKEN_SMALL, p->flags.defines,
                p->flags.n_defines, is_wanted, &w);
  if (p->command->init)
    pl_note_exit(&p->worst, pl_taken_write(&taken, f->path, p->command->quiet,
                                p->streams.err));
  else if (f->n_variants == 0 && taken.n_whole == 0)
    say_unknown_launches(p, f, &taken);
  else {
    say_alone(p, f);
    prove_taken(p, f, &taken);
  }
  pl_taken_free(&taken);
}

static void prove(prover *p, proof *f) {
  read_launches(p, f);
  if (f->launches && f->launches->n == 0)
    prove_without_description(p, f);
  else if (f->launches && p->command->init)
    say_error(p, PL_EXIT_ERROR, f->path,
              "'--init': there is a launch description already");
  else if (f->launches) {
    say_alone(p, f);
    prove_on_cpu(p, f);
  }
}

static void free_proof(proof *f) {
  for (size_t i = 0; i < f->n_variants; i++) {
    pl_result_free(f->results[i]);
    free(f->shapes[i]);
  }
  if (f->launches)
    pl_launch_list_free(f->launches);
  free(f->source.data);
}

static void prove_input(prover *p, const char *path, const pl_tried_form *named) {
  proof f = {.path = path};
  int before = p->worst;
  if (!pl_read_file(path, &f.source)) {
    say_error(p, PL_EXIT_ERROR, path, strerror(errno));
    return;
  }
  p->path = path;
  p->proof = &f;
  p->worst = 0;
  pl_source source = {path, f.source.data, f.source.size};
  p->options.precompiled_shim =
      pl_precompiled_for(p->precompiled, NULL, &source, &p->options);
  pl_grids *grids = pl_grids_new(f.source.data, f.source.size,
                                 p->options.clang_args, p->options.clang_nargs);
  p->options.grid_blocks = pl_grid_blocks;
  p->options.grid_context = grids;
  add_forms(p, &f, named);
  if (p->worst == 0)
    prove(p, &f);
  pl_grids_free(grids);
  pl_note_exit(&p->worst, before);
  free_proof(&f);
}

/* ---- the GPU of this machine --------------------------------------------- */

static const char *const proof_steps[] = {"build", "validate",
                                          "--sanitize=auto", "report", NULL};
static const char *const bench_steps[] = {"build", "validate", "bench",
                                          "report", NULL};

/* Never reported as a pass. */
static void say_no_gpu(prover *p, const char *missing) {
  const pl_command *command = p->command;
  fprintf(p->streams.out, "GPU: skipped, %s\n", missing);
  if (command->require_gpu || command->bench ||
      command->backend == PL_BACKEND_GPU)
    say_error(p, PL_EXIT_NOT_PROVEN, "GPU",
              command->bench ? "not measured; --prepare=DIR packs it for a "
                               "machine that has one"
                             : "not proven");
}

static void report_results(prover *p, const char *dir) {
  pl_command reading = *p->command;
  reading.results = dir;
  reading.report = p->command->bench ? p->command->report : NULL;
  pl_note_exit(&p->worst, pl_report_results(&reading, p->streams));
  if (p->report)
    pl_proof_report_add_gpu(p->report, dir);
}

static void prove_on_gpu(prover *p, const pl_command *named,
                         const pl_environment *env) {
  const pl_command *command = p->command;
  pl_gpu_work work = {
      .named = named,
      .command = command,
      .one_form = !command->bench && !command->all_variants,
      .steps = command->bench ? bench_steps : proof_steps,
  };
  int code = PL_EXIT_FINE;
  char *dir = pl_gpu_here(&work, env, p->streams, &code);
  pl_note_exit(&p->worst, code);
  if (dir)
    report_results(p, dir);
  free(dir);
}

/* The CPU has said already what there is no proof of. */
static void use_gpu(prover *p, const pl_command *named,
                    const pl_environment *env) {
  const char *missing = pl_gpu_missing(p->command);
  bool both = p->command->backend == PL_BACKEND_AUTO && !p->command->bench;
  if (p->command->backend == PL_BACKEND_CPU)
    return;
  if (missing)
    say_no_gpu(p, missing);
  else if (!both || p->proofs)
    prove_on_gpu(p, named, env);
}

/* As `pipelinify` itself would rewrite that file. */
static void prove_as_configured(prover *p, pl_settings *settings,
                                const pl_environment *env,
                                const char *path) {
  const pl_command *whole = p->command;
  p->command = pl_settings_of(settings, path, p->streams.err);
  if (p->command) {
    pl_tried_form named = named_form(p->command);
    p->options = pl_run_options(p->command, env, p->selection);
    p->flags = pl_proof_flags(p->command);
    prove_input(p, path, &named);
    pl_proof_flags_free(&p->flags);
  } else
    pl_note_exit(&p->worst, PL_EXIT_ERROR);
  p->command = whole;
}

static void prove_inputs(prover *p, const pl_command *named,
                         const pl_environment *env) {
  pl_settings *settings = pl_settings_new(p->command);
  for (size_t i = 0; i < p->command->ninputs; i++)
    if ((p->command->backend != PL_BACKEND_GPU && !p->command->bench) ||
        p->command->init)
      prove_as_configured(p, settings, env, p->command->inputs[i]);
  pl_settings_free(settings);
  if (!p->command->init)
    use_gpu(p, named, env);
}

static void write_report(prover *p) {
  if (!p->report)
    return;
  if (!pl_proof_report_write(p->report, p->command->report))
    say_error(p, PL_EXIT_ERROR, p->command->report, strerror(errno));
  pl_proof_report_free(p->report);
}

/* `named` is the command line before directories were read. */
static int prove_files(const pl_command *named, const pl_command *command,
                       const pl_environment *env, pl_streams streams) {
  prover p = {.command = command, .streams = streams};
  int deepest = command->stages > DEEPEST ? command->stages : DEEPEST;
  p.n_tried = pl_tried_forms(p.tried, deepest, " s");
  if (pl_option_given(command, "variant"))
    p.n_tried = pl_with_asked_form(p.tried, p.n_tried, command->variant, deepest, " s");
  p.selection = pl_selection_new(command->kernels, command->nkernels,
                                 streams.err);
  if (!p.selection)
    return PL_EXIT_ERROR;
  pl_run_say_dropped(command, streams.err);
  bool reports = command->report && !command->bench;
  p.report = reports ? pl_proof_report_new() : NULL;
  char *cache_dir = pl_proof_cache_dir(env);
  p.cache_dir = cache_dir;
  p.precompiled = pl_precompiled_new();
  prove_inputs(&p, named, env);
  pl_precompiled_free(p.precompiled);
  write_report(&p);
  free(cache_dir);
  pl_selection_free(p.selection);
  return p.worst;
}

/* Of a shadowed program; --report with --results is a page of bundles. */
static int report_shadow(const pl_command *command, pl_streams streams) {
  if (!command->report)
    return pl_report_shadow(command->results, command, NULL, streams);
  fprintf(streams.err,
          "pipelinify: error: %s: results of a shadowed program have no page;"
          " its shadow.jsonl is the JSON\n",
          command->results);
  return PL_EXIT_ERROR;
}

static int refuse_report(const pl_command *command, pl_streams streams) {
  fprintf(streams.err,
          "pipelinify: error: %s: an input, and '--report' would overwrite it\n",
          command->report);
  return PL_EXIT_ERROR;
}

int pl_validate_command(const pl_command *command, const pl_environment *env,
                        pl_streams streams) {
  if (command->program)
    return pl_shadow_command(command, env, streams);
  if (command->results && pl_is_shadow_results(command->results))
    return report_shadow(command, streams);
  if (command->results)
    return pl_report_results(command, streams);
  pl_proof_inputs inputs;
  pl_gpu_packing packing = {.dir = command->prepare};
  int code = pl_proof_inputs_find(&inputs, command, streams), of_files;
  if (!inputs.command.ninputs && !code && !command->quiet)
    fputs("pipelinify: note: no source found that may hold a tile loop\n",
          streams.err);
  if (command->report && pl_inputs_hold(&inputs.walked, command->report))
    of_files = refuse_report(command, streams);
  else if (command->prepare)
    of_files = pl_gpu_prepare(&inputs.command, env, streams, &packing);
  else
    of_files = prove_files(command, &inputs.command, env, streams);
  pl_proof_inputs_free(&inputs);
  pl_note_exit(&code, of_files);
  return code;
}
