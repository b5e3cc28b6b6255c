/* job.c - see job.h. */
#define _GNU_SOURCE
#include "job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "gaps.h"
#include "generated.h"
#include "memory.h"
#include "product.h"
#include "text.h"

bool pl_run_wants_remarks(const pl_run_state *r) {
  return !r->command->quiet && r->mode != PL_MODE_LIST &&
         r->mode != PL_MODE_DUMP;
}

static const char *what_is_missing(const pl_run_state *r, const pl_job *j) {
  bool picked = !r->command->nkernels;
  for (size_t i = 0; i < j->nkernels && !picked; i++)
    picked = pl_selection_matches(j->kernels[i].name, r->selection);
  return !j->nkernels ? "kernel" : picked ? "tile loop" : "kernel that -k names";
}

/* The directory in which a source was found; NULL: it was named itself. Free with
 * free. */
static char *tree_of(const pl_input *input) {
  size_t n = strlen(input->path), below = strlen(input->below ? input->below : "");
  return input->found && below && below < n
             ? pl_format("%.*s", (int)(n - below), input->path)
             : NULL;
}

/* Of loops that are no tile loops, and of which nothing was said, the one that comes nearest:
 * the first of which a statement says why, or the first. Counts the others. */
static const pl_loop_report *nearest_loop(const pl_run_state *r, const pl_job *j,
                                          size_t *others) {
  const pl_loop_report *nearest = NULL;
  size_t n = 0;
  for (size_t i = 0; i < j->nkernels && !r->command->verbose; i++)
    for (size_t k = 0; k < j->kernels[i].nloops; k++) {
      const pl_loop_report *loop = &j->kernels[i].loops[k];
      if (loop->verdict != PL_VERDICT_NOT_A_TILE_LOOP || !loop->message)
        continue;
      n++;
      if (!nearest || (nearest->at_begin == nearest->begin && loop->at_begin != loop->begin))
        nearest = loop;
    }
  *others = n ? n - 1 : 0;
  return nearest;
}

/* The one note about what was not seen goes into the report, too; that nothing is to
 * be found there does not. */
static void say_gaps(pl_run_state *r, const pl_job *j, const pl_answer *answer,
                     bool missing) {
  char *tree = tree_of(j->input);
  pl_gap_note about = {answer->gaps, answer->ngaps,
                       missing ? what_is_missing(r, j) : NULL, NULL, 0, tree,
                       answer->headers, answer->nheaders};
  if (missing)
    about.nearest = nearest_loop(r, j, &about.others);
  pl_note note = pl_gaps_note(&j->source, &about);
  if (note.message && pl_run_wants_remarks(r))
    pl_remarks_print_note(r->streams.err, &j->source, &note, r->style);
  if (note.message && r->report && answer->ngaps)
    pl_report_add_note(r->report, &note);
  free((char *)note.message);
  free(tree);
}

static size_t print_remarks(pl_run_state *r, const pl_job *j) {
  if (!pl_run_wants_remarks(r))
    return j->nkernels;
  pl_remark_style style = r->style;
  style.arch = j->command ? j->command->arch : r->command->arch;
  style.all_selected = !r->command->nkernels;
  return pl_remarks_print(r->streams.err, &j->source, j->kernels, j->nkernels,
                          style);
}

/* An unmet `require` is said even under -q. */
static void judge_pragmas(pl_run_state *r, const pl_job *j,
                          const pl_answer *answer) {
  if (r->mode == PL_MODE_LIST || r->mode == PL_MODE_DUMP)
    return;
  for (size_t i = 0; i < answer->npragmas; i++) {
    const pl_pragma_report *pragma = &answer->pragmas[i];
    if (pragma->unmet)
      pl_run_note_exit(r, PL_EXIT_CHANGED);
    if (pragma->unmet || pl_run_wants_remarks(r))
      pl_remarks_print_pragmas(r->streams.err, &j->source, pragma, 1, r->style);
  }
}

static void add_to_report(pl_run_state *r, const pl_job *j,
                          const pl_answer *answer) {
  pl_report_add(r->report, j->source.path, j->kernels, j->nkernels, j->changed);
  pl_report_target(r->report, j->command ? j->command->arch : r->command->arch);
  if (j->record)
    pl_report_add_measured(r->report, j->record, j->kernels, j->nkernels);
  if (r->keeps_sources)
    pl_report_add_source(r->report, j->source.text, j->source.length,
                         answer->edits, answer->nedits);
}

static void use_answer(pl_run_state *r, pl_job *j, const pl_answer *answer) {
  j->answer = answer;
  j->text = answer->text;
  j->length = answer->length;
  j->changed = j->length != j->source.length ||
               memcmp(j->text, j->source.text, j->length) != 0;
  j->kernels = answer->kernels;
  j->nkernels = answer->nkernels;
  j->dump = answer->dump;
  j->headers = answer->headers;
  j->nheaders = answer->nheaders;
  size_t said = print_remarks(r, j);
  if (r->report)
    add_to_report(r, j, answer);
  if (pl_run_wants_remarks(r) || r->report)
    say_gaps(r, j, answer, said == 0);
  judge_pragmas(r, j, answer);
  pl_product_deliver(r, j);
}

void pl_run_report_error(pl_run_state *r, const char *path,
                         const char *reason) {
  pl_run_say_error(r, path, reason);
  if (r->report)
    pl_report_add_error(r->report, path, reason);
}

/* A record that was asked for has to be usable; another one is left aside. */
static bool read_record(pl_run_state *r, const pl_job *j, pl_record **record) {
  const pl_command *command = r->command;
  *record = NULL;
  if (command->no_record)
    return true;
  char *path = pl_record_path(command->record, j->source.path), *problem;
  *record = pl_record_read(path, j->source.path, &problem);
  bool usable = *record || !command->record;
  if (!usable)
    pl_run_say_error(r, path, problem ? problem : "no such record");
  else if (problem)
    fprintf(r->streams.err, "%s: warning: %s; the cost model decides\n", path,
            problem);
  free(problem);
  free(path);
  return usable;
}

/* NULL, and a message: what is configured for the file is wrong. */
static const pl_command *settings_for(pl_run_state *r, const pl_job *j) {
  const pl_command *command =
      pl_settings_of(r->settings, j->source.path, r->streams.err);
  if (!command)
    pl_run_report_error(r, j->source.path, "its configuration is wrong");
  return command;
}

/* All that the answer hangs on, as far as it is known before the parse. False:
 * something is wrong with it, and was said. */
static bool prepare(pl_run_state *r, pl_job *j) {
  j->command = settings_for(r, j);
  if (!j->command || !read_record(r, j, &j->record))
    return false;
  j->options = pl_run_options(j->command, r->env, r->selection);
  j->grids = pl_grids_new(j->source.text, j->source.length,
                          j->command->clang.arguments, j->command->clang.count);
  j->options.grid_blocks = pl_grid_blocks;
  j->options.grid_context = j->grids;
  j->options.measured_choice = j->record ? pl_record_choice : NULL;
  j->options.measured_context = j->record;
  if (j->record)
    pl_record_prefer(j->record, j->command->arch);
  pl_digest probe;
  bool probes = j->command->probe && pl_probe_identity(&probe);
  pl_cache_request request = {.source = &j->source,
                              .options = &j->options,
                              .kernels = r->command->kernels,
                              .nkernels = r->command->nkernels,
                              .probe = probes ? &probe : NULL,
                              .record = j->record ? pl_record_digest(j->record)
                                                  : NULL};
  j->key = pl_reuse_key_of(r->reuse, j->command, &request);
  return true;
}

/* To make it takes as long as to parse the shim two or three times: not for one
 * source that nobody keeps it for. */
static bool wants_shim(const pl_run_state *r, const pl_job *j) {
  return j->key.usable || r->inputs.count > 1;
}

void pl_job_expect_shim(pl_run_state *r, const pl_job *j) {
  if (wants_shim(r, j))
    pl_precompiled_expect(r->precompiled, &j->source, &j->options);
}

void pl_job_provide_shim(pl_run_state *r, const pl_job *j) {
  if (wants_shim(r, j))
    pl_precompiled_for(r->precompiled, j->key.usable ? &j->key.store : NULL,
                       &j->source, &j->options);
}

/* Most often it is a flag that keeps clang from any answer. */
static void say_flags(const pl_run_state *r, const pl_job *j) {
  const pl_clang_flags *flags = &j->command->clang;
  if (!flags->count)
    return;
  fprintf(r->streams.err, "%s: note: clang was given these flags:",
          j->source.path);
  for (size_t i = 0; i < flags->count; i++)
    fprintf(r->streams.err, " %s", flags->arguments[i]);
  fputc('\n', r->streams.err);
}

static void say_probe(const pl_run_state *r, const pl_job *j,
                      const pl_probe *probe) {
  const char *trouble = pl_probe_trouble(probe);
  if (trouble && pl_run_wants_remarks(r))
    fprintf(r->streams.err, "%s: note: --probe: %s; the cost model decides alone\n",
            j->source.path, trouble);
}

/* Compiles the forms that `auto` may take; NULL: that is not asked for. */
static pl_probe *probe_forms(pl_run_state *r, pl_job *j) {
  if (!j->command->probe || j->options.variant != PL_VARIANT_AUTO)
    return NULL;
  pl_probe *probe = pl_probe_run(&j->source, &j->options, j->command,
                                 j->key.usable ? &j->key.store : NULL);
  say_probe(r, j, probe);
  j->options.compiled = pl_probe_compiled;
  j->options.compiled_context = probe;
  return probe;
}

static void rewrite(pl_run_state *r, pl_job *j) {
  pl_sights sights;
  if (wants_shim(r, j))
    j->options.precompiled_shim =
        pl_precompiled_found(r->precompiled, &j->source, &j->options);
  j->options.memory = r->memory;
  pl_probe *probe = probe_forms(r, j);
  pl_result *result =
      pl_reuse_rewrite(&j->key, &j->source, &j->options, &sights);
  const char *error = pl_result_error(result);
  if (error) {
    pl_run_report_error(r, j->source.path, error);
    say_flags(r, j);
  } else if (!pl_run_selection_failed(r)) {
    pl_answer answer = pl_answer_from(result);
    pl_reuse_keep(&j->key, &j->source, &sights, &answer);
    use_answer(r, j, &answer);
  }
  pl_sights_free(&sights);
  pl_result_free(result);
  pl_probe_free(probe);
}

/* The answer of an earlier run, where there is one. */
static bool use_earlier(pl_run_state *r, pl_job *j) {
  pl_cached cached;
  if (!pl_reuse_find(r->reuse, &j->key, &j->source, &cached))
    return false;
  use_answer(r, j, &cached.answer);
  pl_cached_free(&cached);
  return true;
}

static bool is_binary(const pl_job *j) {
  return memchr(j->source.text, 0, j->source.length);
}

/* The prefilter's answer; some modes and -v show what only the parser knows,
 * and of directories that a variable gives only the parser knows the order. */
static pl_relevance look(const pl_run_state *r, const pl_job *j,
                         const pl_command *command) {
  if (r->mode == PL_MODE_LIST || r->mode == PL_MODE_DUMP ||
      r->command->verbose || r->env->include_path)
    return PL_MAY_HOLD_LOOP;
  return pl_prefilter_look(r->prefilter, j->source.text, j->source.length,
                           command->clang.arguments, command->clang.count);
}

/* A file that the parser need not see stays as it is. */
static void leave(pl_run_state *r, pl_job *j, const char *why) {
  j->text = j->source.text;
  j->length = j->source.length;
  if (pl_run_wants_remarks(r))
    fprintf(r->streams.err, "%s: note: %s\n", j->source.path, why);
  if (r->report)
    pl_report_add(r->report, j->source.path, NULL, 0, false);
  pl_product_deliver(r, j);
}

/* A generated file that stands among the sources has lost its own. */
static bool refuse_generated(pl_run_state *r, const pl_job *j) {
  bool lost = r->command->suffix && pl_is_generated(&j->source);
  if (lost)
    pl_run_report_error(r, j->source.path, "generated, and its source is gone");
  return lost;
}

/* A product that a build rule waits for is written all the same. */
static bool leave_ignored(pl_run_state *r, pl_job *j) {
  char *by = pl_ignored_by(r->ignores, j->source.path);
  if (!by)
    return false;
  j->text = j->source.text;
  j->length = j->source.length;
  if (r->mode == PL_MODE_FILE || r->mode == PL_MODE_STDOUT)
    pl_product_deliver(r, j);
  if (!r->command->quiet)
    fprintf(r->streams.err, "%s: note: ignored: %s\n", j->source.path, by);
  if (r->report)
    pl_report_add_ignored(r->report, j->source.path);
  free(by);
  return true;
}

bool pl_job_settle(pl_run_state *r, pl_job *j) {
  if (refuse_generated(r, j) || leave_ignored(r, j))
    return true;
  if (is_binary(j)) {
    leave(r, j, "a binary file (it holds NUL bytes), left as it is");
    return true;
  }
  const pl_command *command = settings_for(r, j);
  if (!command)
    return true;
  pl_relevance relevance = look(r, j, command);
  if (relevance == PL_MAY_HOLD_LOOP && prepare(r, j) && !use_earlier(r, j)) {
    pl_job_expect_shim(r, j);
    return false;
  }
  if (relevance == PL_MAY_HOLD_LOOP)
    return true;
  char *why = relevance == PL_NO_KERNEL
                  ? pl_format("no kernel found%s", pl_gaps_elsewhere(&j->source))
                  : pl_format("no tile loop found%s", PL_NO_SUCH_LOOP);
  leave(r, j, why);
  free(why);
  return true;
}

bool pl_job_settle_trouble(pl_run_state *r, const pl_input *input) {
  if (!input->trouble)
    return false;
  if (!input->harmless)
    pl_run_report_error(r, input->path, input->trouble);
  else if (pl_run_wants_remarks(r))
    fprintf(r->streams.err, "%s: note: %s\n", input->path, input->trouble);
  return true;
}

/* What can be read but once was read before the first job. */
static bool read_input(const pl_input *input, pl_bytes *bytes) {
  const pl_bytes *held = &input->held;
  if (!input->once)
    return pl_read_file(input->path, bytes);
  *bytes = (pl_bytes){pl_alloc(held->size + 1, 1), held->size};
  memcpy(bytes->data, held->data, held->size);
  return true;
}

static void say_unreadable(pl_run_state *r, const char *path, int reason) {
  char *why = reason == EACCES || reason == EFBIG
                  ? pl_format("cannot be read: %s", strerror(reason))
                  : pl_format("%s", strerror(reason));
  pl_run_report_error(r, path, why);
  free(why);
}

bool pl_job_read(pl_run_state *r, const pl_input *input, pl_job *j,
                 pl_bytes *bytes) {
  *j = (pl_job){.input = input,
                .source.path = pl_run_shown_path(r, input->path)};
  if (!read_input(input, bytes)) {
    say_unreadable(r, j->source.path, errno);
    return false;
  }
  j->source.text = bytes->data;
  j->source.length = bytes->size;
  return true;
}

void pl_job_run(pl_run_state *r, const pl_input *input) {
  pl_job j;
  pl_bytes bytes;
  if (!pl_job_read(r, input, &j, &bytes))
    return;
  if (prepare(r, &j))
    rewrite(r, &j);
  pl_grids_free(j.grids);
  pl_record_free(j.record);
  free(bytes.data);
}
