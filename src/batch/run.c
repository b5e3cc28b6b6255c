/* run.c - see run.h. */
#define _GNU_SOURCE
#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "generated.h"
#include "job.h"
#include "memory.h"
#include "ninja.h"
#include "outputs.h"
#include "product.h"
#include "run_state.h"
#include "shard.h"
#include "text.h"

/* ---- a batch: in processes, see batch.h ---------------------------------
 */

static bool shows_summary(const pl_run_state *r) {
  return r->inputs.many && pl_run_wants_remarks(r);
}

/* Whether somebody asks what a job found out, beside what it prints. */
static bool wants_facts(const pl_run_state *r) {
  return r->report || shows_summary(r);
}

/* The run as one job of a batch sees it: its own streams, report and code. */
static pl_run_state run_of_job(const pl_run_state *r, pl_job_files files) {
  pl_run_state own = *r;
  own.streams = (pl_streams){files.out, files.err};
  own.report = wants_facts(r) ? pl_report_new() : NULL;
  own.keeps_sources = r->report;
  own.worst = PL_EXIT_FINE;
  return own;
}

static int end_job(pl_run_state *own, pl_job_files files) {
  if (own->report) {
    pl_bytes facts = pl_report_pack(own->report);
    fwrite(facts.data, 1, facts.size, files.facts);
    free(facts.data);
    pl_report_free(own->report);
  } else {
    fputs("{}", files.facts); /* the job has come to its end */
  }
  return own->worst;
}

/* While a job has a process, and once after the last one, what the file system
 * answered before may be wrong. */
static void beware_of_writers(pl_run_state *r) {
  if (!r->may_write)
    return;
  pl_reuse_forget(r->reuse);
  r->may_write = r->shown < r->forked;
}

/* A job that was not settled, until its process has what the parent provides. */
typedef struct pl_waiting {
  pl_job job;
  pl_bytes bytes; /* of its source */
  size_t index;
} pl_waiting;

static void wait_no_more(pl_run_state *r) {
  if (!r->waiting)
    return;
  pl_grids_free(r->waiting->job.grids);
  pl_record_free(r->waiting->job.record);
  free(r->waiting->bytes.data);
  free(r->waiting);
  r->waiting = NULL;
}

static void provide_in_batch(void *context, size_t index) {
  pl_run_state *r = context;
  if (r->waiting && r->waiting->index == index)
    pl_job_provide_shim(r, &r->waiting->job);
  wait_no_more(r);
}

static bool settle_in_batch(void *context, size_t index, pl_job_files files,
                            int *code) {
  pl_run_state *r = context;
  const pl_input *input = &r->inputs.items[index];
  beware_of_writers(r);
  wait_no_more(r);
  pl_run_state own = run_of_job(r, files);
  pl_job j = {0};
  pl_bytes bytes = {0};
  bool settled = pl_job_settle_trouble(&own, input) ||
                 !pl_job_read(&own, input, &j, &bytes) ||
                 pl_job_settle(&own, &j);
  *code = end_job(&own, files);
  r->waiting = pl_alloc(1, sizeof *r->waiting);
  *r->waiting = (pl_waiting){j, bytes, index};
  if (settled) {
    wait_no_more(r);
  } else {
    r->forked = index + 1;
    r->may_write = true;
  }
  return settled;
}

static unsigned shims_in_batch(void *context) {
  const pl_run_state *r = context;
  return pl_precompiled_count(r->precompiled);
}

static int work_in_batch(void *context, size_t index, pl_job_files files) {
  const pl_run_state *r = context;
  const pl_input *input = &r->inputs.items[index];
  pl_run_state own = run_of_job(r, files);
  pl_reuse_forget(own.reuse);
  pl_job_run(&own, input);
  return end_job(&own, files);
}

/* "[ 3/18] path", over the one before. */
static void show_progress(void *context, size_t index) {
  const pl_run_state *r = context;
  size_t count = r->inputs.count;
  if (!r->progress)
    return;
  int digits = snprintf(NULL, 0, "%zu", count);
  fprintf(r->streams.err, "\r[%*zu/%zu] %s\033[K", digits, index + 1, count,
          pl_run_shown_path(r, r->inputs.items[index].path));
  fflush(r->streams.err);
}

static void count_in(pl_run_state *r, const pl_input *input,
                     const pl_outcome *outcome) {
  if (outcome->failure) {
    pl_run_report_error(r, pl_run_shown_path(r, input->path), outcome->failure);
    pl_summary_add_failure(r->summary);
  } else {
    pl_run_note_exit(r, outcome->code);
    if (shows_summary(r))
      pl_summary_add(r->summary, outcome->facts);
    if (r->report)
      pl_report_unpack(r->report, outcome->facts.data, outcome->facts.size);
  }
  if (r->report)
    pl_report_position(r->report, input->position);
}

/* The ID of the first refusal that was said, for the word about --explain. */
static void note_refused(pl_run_state *r, const pl_bytes *said) {
  static const char mark[] = "-Rpass-missed=pipelinify] [PL";
  const char *at = said->size && !*r->refused
                       ? memmem(said->data, said->size, mark, sizeof mark - 1)
                       : NULL;
  if (!at)
    return;
  at += sizeof mark - 1 - strlen("PL");
  size_t left = (size_t)(said->data + said->size - at), n = 0;
  while (n < left && n + 1 < sizeof r->refused && at[n] != ']')
    n++;
  snprintf(r->refused, sizeof r->refused, "%.*s", (int)n, at);
}

static void finish_in_batch(void *context, size_t index,
                            const pl_outcome *outcome) {
  pl_run_state *r = context;
  r->shown = index + 1;
  if (r->progress && (outcome->out.size || outcome->err.size))
    fputs("\r\033[K", r->streams.err);
  pl_run_print(r, outcome->out.data, outcome->out.size);
  fwrite(outcome->err.data, 1, outcome->err.size, r->streams.err);
  note_refused(r, &outcome->err);
  count_in(r, &r->inputs.items[index], outcome);
}

static void run_batch(pl_run_state *r) {
  const pl_command *command = r->command;
  pl_batch batch = {.count = r->inputs.count,
                    .jobs = command->jobs,
                    .timeout = command->timeout,
                    .max_memory = command->max_memory,
                    .context = r,
                    .settle = settle_in_batch,
                    .provide = provide_in_batch,
                    .work = work_in_batch,
                    .inheritance = shims_in_batch,
                    .prepare = pl_libclang_load,
                    .started = show_progress,
                    .done = finish_in_batch};
  r->summary = pl_summary_new();
  pl_batch_run(&batch);
  wait_no_more(r);
  if (r->progress)
    fputs("\r\033[K", r->streams.err);
  if (shows_summary(r))
    pl_summary_print(r->summary, r->streams.err);
  pl_summary_free(r->summary);
}

/* ---- the inputs ------------------------------------------------------------
 */

static void write_and_free(pl_run_state *r, const char *path, pl_bytes text) {
  pl_run_write(r, path, text.data, text.size);
  free(text.data);
}

static void write_fixes(pl_run_state *r, const char *path) {
  const char *left_out;
  pl_bytes text = pl_fixes_text(r->report, &left_out);
  write_and_free(r, path, text);
  if (left_out)
    pl_run_say_error(r, left_out,
                     "its edits are no UTF-8, which --export-fixes has"
                     " to be; use -o or -i");
}

static void print_statistics(pl_run_state *r) {
  pl_bytes text = pl_statistics_text(r->report);
  fwrite(text.data, 1, text.size, r->streams.err);
  free(text.data);
  pl_reuse_print_counts(r->reuse, r->streams.err);
}

/* All that is made of the report. */
static void write_report(pl_run_state *r) {
  const pl_command *command = r->command;
  if (command->report)
    write_and_free(r, command->report,
                   pl_report_render(r->report, command->report_format));
  if (command->opt_record)
    write_and_free(r, command->opt_record, pl_opt_record_text(r->report));
  if (command->export_fixes)
    write_fixes(r, command->export_fixes);
  if (command->statistics)
    print_statistics(r);
}

/* On the page, where people keep it. */
void pl_run_sign_report(const pl_command *command, pl_report *report) {
  char *words = pl_command_text(command), *date = pl_environment_date();
  pl_report_made_by(report, words, date);
  free(words);
  free(date);
}

static bool report_wanted(const pl_command *command) {
  return command->report || command->opt_record || command->export_fixes ||
         command->statistics;
}

/* Directories get their products beside the sources. */
static void choose_mode(pl_run_state *r) {
  r->mode = r->command->mode;
  r->suffix = r->command->suffix ? r->command->suffix : "_pipe";
  if (r->mode == PL_MODE_STDOUT && r->inputs.many)
    r->mode = PL_MODE_SUFFIX;
}

static bool find_inputs(pl_run_state *r) {
  const pl_command *command = r->command;
  pl_walk walk = {.names = command->inputs,
                  .nnames = command->ninputs,
                  .list = command->files,
                  .excludes = command->excludes,
                  .nexcludes = command->nexcludes,
                  .suffix = command->suffix ? command->suffix : "_pipe",
                  .out_dir = command->out_dir,
                  .files_only = command->mode == PL_MODE_IN_PLACE ||
                                command->mode == PL_MODE_SUFFIX ||
                                command->mode == PL_MODE_OUT_DIR};
  if (!pl_walk_inputs(&walk, &r->inputs)) {
    pl_run_say_error(r, command->files, strerror(errno));
    return false;
  }
  choose_mode(r);
  return true;
}

/* The inputs of this shard alone. Outputs were looked at before: two inputs
 * that would be written to one file may be in two shards. */
static void keep_shard(pl_run_state *r) {
  const pl_command *command = r->command;
  if (!command->shards)
    return;
  r->inputs.many = true;
  uint64_t list = pl_shard_keep(&r->inputs, command->shard, command->shards);
  if (r->report)
    pl_report_be_shard(r->report, command->shard, command->shards, list);
}

static void add_edge(pl_run_state *r, pl_ninja *ninja, const pl_input *input) {
  char *product = pl_product_path(r, input);
  char *ignored = pl_ignored_by(r->ignores, input->path);
  if (!pl_job_settle_trouble(r, input) && !ignored &&
      !pl_ninja_add(ninja, input->path, product))
    pl_run_say_error(r, input->path,
                     "ninja cannot hold a name with a line end, a"
                     " tab or one of | ; & ? * < > ^ ` ' \" \\");
  free(ignored);
  free(product);
}

/* Instead of rewriting: how ninja does it. */
static void emit_ninja(pl_run_state *r) {
  if (r->mode != PL_MODE_SUFFIX && r->mode != PL_MODE_OUT_DIR) {
    pl_run_refuse(r, "'--emit-ninja' needs '--out-dir' or '--suffix'");
    return;
  }
  pl_ninja *ninja = pl_ninja_new(r->command, r->mode == PL_MODE_OUT_DIR);
  for (size_t i = 0; i < r->inputs.count; i++)
    add_edge(r, ninja, &r->inputs.items[i]);
  write_and_free(r, r->command->emit_ninja, pl_ninja_take(ninja));
}

/* What can be read but once. False, and a message: it cannot be. */
static bool hold_inputs(pl_run_state *r) {
  for (size_t i = 0; i < r->inputs.count; i++) {
    pl_input *input = &r->inputs.items[i];
    if (input->once && !pl_read_file(input->path, &input->held)) {
      pl_run_say_error(r, pl_run_shown_path(r, input->path), strerror(errno));
      return false;
    }
  }
  return true;
}

static void run_inputs(pl_run_state *r) {
  if (!find_inputs(r) || !pl_outputs_fit(r))
    return;
  keep_shard(r);
  if (r->command->emit_ninja) {
    emit_ninja(r);
    return;
  }
  r->progress &= r->inputs.count > 1;
  if (hold_inputs(r))
    run_batch(r);
  if (r->report) {
    pl_run_sign_report(r->command, r->report);
    write_report(r);
  }
  if (r->command->verbose)
    pl_reuse_print_note(r->reuse, r->streams.err);
}

void pl_run_say_dropped(const pl_command *command, FILE *err) {
  const pl_clang_flags *flags = &command->clang;
  if (!command->verbose || !flags->ndropped)
    return;
  fputs("pipelinify: note: not needed to rewrite:", err);
  for (size_t i = 0; i < flags->ndropped; i++)
    fprintf(err, " %s", flags->dropped[i]);
  fputc('\n', err);
}

pl_options pl_run_options(const pl_command *command, const pl_environment *env,
                          pl_selection *selection) {
  return (pl_options){
      .variant = command->variant,
      .variant_fixed = pl_option_given(command, "variant"),
      .stages_fixed = pl_option_given(command, "stages"),
      .stages = command->stages,
      .arch = command->arch,
      .max_smem = command->max_smem,
      .block_threads = command->block_threads,
      .assume_no_alias = command->assume_no_alias,
      .launch_bounds = command->launch_bounds,
      .row_padding = command->row_padding,
      .min_gain = command->tune ? 0 : command->least_gain,
      .certify = command->no_certificate        ? PL_CERTIFY_NOT
                 : command->require_certificate ? PL_CERTIFY_REQUIRE
                 : command->certificate         ? PL_CERTIFY_SAY
                                                : PL_CERTIFY_GATE,
      .cuda_path = pl_find_toolkit(command->cuda_path, env),
      .clang_args = command->clang.arguments,
      .clang_nargs = command->clang.count,
      .kernel_filter = command->nkernels ? pl_selection_matches : NULL,
      .filter_context = selection,
      .dump_after = command->dump_after,
  };
}

static bool color_wanted(const pl_command *command, const pl_environment *env) {
  return command->color == PL_COLOR_ALWAYS ||
         (command->color == PL_COLOR_AUTO && env->color);
}

/* A toolkit that was asked for has to be there. */
static bool toolkit_missing(pl_run_state *r) {
  const char *asked = r->command->cuda_path;
  bool missing = asked && *asked && !pl_is_toolkit(asked);
  if (missing)
    pl_run_say_error(r, asked,
                     "no CUDA toolkit (include/cuda_runtime.h) there");
  return missing;
}

/* Of each input, or of what would lie in this directory. */
static int dump_config(const pl_command *command, pl_streams streams) {
  pl_settings *settings = pl_settings_new(command);
  bool good = true;
  if (!command->ninputs)
    good = pl_settings_dump(settings, "./", streams.out, streams.err);
  for (size_t i = 0; i < command->ninputs; i++)
    good &= pl_settings_dump(settings, command->inputs[i], streams.out,
                             streams.err);
  pl_settings_free(settings);
  return good ? PL_EXIT_FINE : PL_EXIT_ERROR;
}

static int run_sources(const pl_command *command, const pl_environment *env,
                       pl_streams streams) {
  pl_run_state r = {.command = command, .env = env, .streams = streams};
  if (command->dump_config || command->verify_config)
    return dump_config(command, streams);
  r.selection =
      pl_selection_new(command->kernels, command->nkernels, streams.err);
  if (!r.selection)
    return PL_EXIT_ERROR;
  r.settings = pl_settings_new(command);
  r.ignores = pl_ignores_new();
  r.style = (pl_remark_style){
      .verbose = command->verbose, .color = color_wanted(command, env)};
  r.report = report_wanted(command) ? pl_report_new() : NULL;
  r.keeps_sources = r.report;
  r.progress = env->progress && !command->quiet;
  r.prefilter = pl_prefilter_new();
  r.reuse = pl_reuse_new(env);
  r.precompiled = pl_precompiled_new();
  r.memory = pl_memory_new();
  pl_run_say_dropped(command, streams.err);
  if (!toolkit_missing(&r))
    run_inputs(&r);
  if (env->progress && !command->quiet && *r.refused) /* a person reads it */
    fprintf(streams.err,
            "pipelinify: note: 'pipelinify --explain %s' says what that means, "
            "and what helps\n",
            r.refused);
  pl_inputs_free(&r.inputs);
  pl_prefilter_free(r.prefilter);
  pl_reuse_free(r.reuse);
  pl_precompiled_free(r.precompiled);
  pl_memory_free(r.memory);
  pl_report_free(r.report);
  pl_settings_free(r.settings);
  pl_ignores_free(r.ignores);
  pl_selection_free(r.selection);
  return r.worst;
}

/* With --suffix, generated files that are named stand for their sources. */
int pl_run(const pl_command *command, const pl_environment *env,
           pl_streams streams) {
  if (!command->suffix)
    return run_sources(command, env, streams);
  size_t count = command->ninputs;
  pl_command sources = *command;
  char **owned = pl_alloc(count, sizeof *owned);
  sources.inputs = pl_alloc(count, sizeof *sources.inputs);
  memcpy(sources.inputs, command->inputs, count * sizeof *sources.inputs);
  sources.ninputs =
      pl_generated_to_sources(sources.inputs, count, command->suffix, owned);
  int code = run_sources(&sources, env, streams);
  for (size_t i = 0; i < count; i++)
    free(owned[i]);
  free(owned);
  free(sources.inputs);
  return code;
}
