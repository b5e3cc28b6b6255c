/* run.c - see run.h. */
#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "generated.h"
#include "ignore.h"
#include "output.h"
#include "record.h"
#include "remarks.h"
#include "report.h"
#include "settings.h"
#include "text.h"

typedef struct run {
  const pl_command *command;
  const pl_environment *env;
  pl_settings *settings;
  pl_ignores *ignores;
  pl_selection *selection;
  pl_remark_style style;
  pl_report *report; /* NULL: not asked for */
  pl_streams streams;
  int worst; /* exit code so far */
} run;

/* One input on its way through. */
typedef struct job {
  const char *input; /* as on the command line */
  pl_source source;
  const char *text; /* the rewritten one */
  size_t length;
  bool changed;
  const pl_kernel_report *kernels;
  size_t nkernels;
  const char *dump;
} job;

static void note_exit(run *r, int code) {
  if (code > r->worst)
    r->worst = code;
}

static void say_error(run *r, const char *path, const char *reason) {
  fprintf(r->streams.err, "pipelinify: error: %s: %s\n", path, reason);
  note_exit(r, PL_EXIT_ERROR);
}

static bool is_stdin(const char *input) { return strcmp(input, "-") == 0; }

/* What messages call an input, and where its includes are looked for. */
static const char *shown_path(const run *r, const char *input) {
  if (!is_stdin(input))
    return input;
  const char *assumed = r->command->assume_filename;
  return assumed ? assumed : "<stdin>";
}

static void write_stdout(run *r, const char *data, size_t size) {
  if (fwrite(data, 1, size, r->streams.out) != size)
    say_error(r, "standard output", strerror(errno));
}

/* Writes bytes to a path, "-" for standard output. Whether the bytes there are
 * others now. */
static bool write_to(run *r, const char *path, const char *data,
                     size_t size) {
  if (is_stdin(path)) {
    write_stdout(r, data, size);
    return true;
  }
  pl_write_status status = pl_write_file(path, data, size);
  if (status == PL_WRITE_FAILED)
    say_error(r, path, strerror(errno));
  return status == PL_WRITE_DONE;
}

static void write_product(run *r, const char *path, const job *j) {
  bool written = write_to(r, path, j->text, j->length);
  bool counts = is_stdin(path) ? j->changed : written;
  if (counts && r->command->exit_on_change)
    note_exit(r, PL_EXIT_CHANGED);
}

/* The file that an input is written to; NULL in modes that write none. Free
 * with free. */
static char *product_path(const pl_command *command, const char *input) {
  switch (command->mode) {
  case PL_MODE_STDOUT: return pl_format("-");
  case PL_MODE_FILE: return pl_format("%s", command->output);
  case PL_MODE_IN_PLACE: return pl_format("%s", input);
  case PL_MODE_SUFFIX: return pl_path_with_suffix(input, command->suffix);
  case PL_MODE_OUT_DIR: return pl_path_below(command->out_dir, input);
  default: return NULL;
  }
}

/* --force aside, what is not ours or not as we left it stays. */
static void write_generated(run *r, const char *path, const job *j) {
  pl_bytes wanted = pl_generated_text(&j->source, j->text, j->length);
  pl_generated_state state = pl_generated_at(path, &wanted);
  bool theirs = state == PL_GENERATED_EDITED || state == PL_GENERATED_FOREIGN;
  if (theirs && !r->command->force) {
    char *reason = pl_format("%s; --force overwrites it",
                             pl_generated_name(state));
    say_error(r, path, reason);
    free(reason);
  } else if (state != PL_GENERATED_CURRENT &&
             write_to(r, path, wanted.data, wanted.size) &&
             r->command->exit_on_change)
    note_exit(r, PL_EXIT_CHANGED);
  free(wanted.data);
}

static void check_generated(run *r, const job *j) {
  char *path = pl_path_with_suffix(j->input, r->command->suffix);
  pl_bytes wanted = pl_generated_text(&j->source, j->text, j->length);
  pl_generated_state state = pl_generated_at(path, &wanted);
  if (state != PL_GENERATED_CURRENT) {
    fprintf(r->streams.out, "%s\n", path);
    if (!r->command->quiet)
      fprintf(r->streams.err, "%s: note: %s\n", path,
              pl_generated_name(state));
    note_exit(r, PL_EXIT_CHANGED);
  }
  free(wanted.data);
  free(path);
}

static void write_file(run *r, const job *j) {
  char *path = product_path(r->command, j->input);
  bool mirrored = r->command->mode == PL_MODE_OUT_DIR;
  if (mirrored && !pl_make_parents(path))
    say_error(r, path, strerror(errno));
  else if (r->command->mode == PL_MODE_SUFFIX)
    write_generated(r, path, j);
  else
    write_product(r, path, j);
  free(path);
}

static void print_diff(run *r, const job *j) {
  bool differs = pl_diff_print(r->streams.out, j->source.path, j->source.text,
                               j->source.length, j->text, j->length);
  note_exit(r, differs ? PL_EXIT_CHANGED : PL_EXIT_FINE);
}

static void print_check(run *r, const job *j) {
  if (r->command->suffix) {
    check_generated(r, j);
    return;
  }
  if (!j->changed)
    return;
  fprintf(r->streams.out, "%s\n", j->source.path);
  note_exit(r, PL_EXIT_CHANGED);
}

/* An expression that gave up has chosen nothing. */
static bool selection_failed(run *r) {
  const char *pattern = pl_selection_failed(r->selection);
  if (pattern)
    say_error(r, pattern, "the expression takes too long to match");
  return pattern;
}

/* "k.cu:23: gemm  <16, float> <32, float>" */
static void print_kernel(run *r, const job *j, const pl_kernel_report *k) {
  FILE *out = r->streams.out;
  if (!k->is_global || !pl_selection_matches(k->name, r->selection))
    return;
  fprintf(out, "%s:%u: %s", j->source.path, k->line, k->name);
  for (size_t i = 0; i < k->ninstantiations; i++)
    fprintf(out, "%s<%s>", i ? " " : "  ", k->instantiations[i]);
  fputc('\n', out);
}

static void print_kernels(run *r, const job *j) {
  for (size_t i = 0; i < j->nkernels; i++)
    print_kernel(r, j, &j->kernels[i]);
  selection_failed(r);
}

static void print_dump(run *r, const job *j) {
  if (j->dump)
    fputs(j->dump, r->streams.out);
  else
    say_error(r, j->source.path, "no pass of the name that --dump-after gives");
}

static void deliver(run *r, const job *j) {
  switch (r->command->mode) {
  case PL_MODE_DIFF: print_diff(r, j); break;
  case PL_MODE_CHECK: print_check(r, j); break;
  case PL_MODE_LIST: print_kernels(r, j); break;
  case PL_MODE_DUMP: print_dump(r, j); break;
  case PL_MODE_DRY_RUN: break;
  default: write_file(r, j); break;
  }
}

static bool wants_remarks(const run *r) {
  pl_mode mode = r->command->mode;
  return !r->command->quiet && mode != PL_MODE_LIST && mode != PL_MODE_DUMP;
}

static void print_remarks(run *r, const job *j) {
  if (!wants_remarks(r))
    return;
  size_t printed = pl_remarks_print(r->streams.err, &j->source, j->kernels,
                                    j->nkernels, r->style);
  if (printed == 0)
    fprintf(r->streams.err, "%s: note: no %s found\n", j->source.path,
            j->nkernels ? "tile loop" : "kernel");
}

/* An unmet `require` is said even under -q. */
static void judge_pragmas(run *r, const job *j, const pl_result *result) {
  size_t count;
  const pl_pragma_report *pragmas = pl_result_pragmas(result, &count);
  if (r->command->mode == PL_MODE_LIST || r->command->mode == PL_MODE_DUMP)
    return;
  for (size_t i = 0; i < count; i++) {
    if (pragmas[i].unmet)
      note_exit(r, PL_EXIT_CHANGED);
    if (pragmas[i].unmet || wants_remarks(r))
      pl_remarks_print_pragmas(r->streams.err, &j->source, &pragmas[i], 1,
                               r->style);
  }
}

static void add_to_report(run *r, const job *j, const pl_result *result) {
  size_t count;
  const pl_edit *edits = pl_result_edits(result, &count);
  pl_report_add(r->report, j->source.path, j->kernels, j->nkernels,
                j->changed);
  pl_report_add_source(r->report, j->source.text, j->source.length, edits,
                       count);
}

static void use_result(run *r, job *j, const pl_result *result) {
  j->text = pl_result_text(result, &j->length);
  j->changed = j->length != j->source.length ||
               memcmp(j->text, j->source.text, j->length) != 0;
  j->kernels = pl_result_kernels(result, &j->nkernels);
  j->dump = pl_result_dump(result);
  print_remarks(r, j);
  judge_pragmas(r, j, result);
  if (r->report)
    add_to_report(r, j, result);
  deliver(r, j);
}

static void report_error(run *r, const char *path, const char *reason) {
  say_error(r, path, reason);
  if (r->report)
    pl_report_add_error(r->report, path, reason);
}

/* A record that was asked for has to be usable; another one is left aside. */
static bool read_record(run *r, const job *j, pl_record **record) {
  const pl_command *command = r->command;
  *record = NULL;
  if (command->no_record)
    return true;
  char *path = pl_record_path(command->record, j->source.path), *problem;
  *record = pl_record_read(path, j->source.path, &problem);
  bool usable = *record || !command->record;
  if (!usable)
    say_error(r, path, problem ? problem : "no such record");
  else if (problem)
    fprintf(r->streams.err, "%s: warning: %s; the cost model decides\n", path,
            problem);
  free(problem);
  free(path);
  return usable;
}

static void rewrite(run *r, job *j) {
  const pl_command *command =
      pl_settings_of(r->settings, j->source.path, r->streams.err);
  if (!command) {
    report_error(r, j->source.path, "its configuration is wrong");
    return;
  }
  pl_options options = pl_run_options(command, r->env, r->selection);
  pl_record *record;
  if (!read_record(r, j, &record))
    return;
  options.measured_choice = record ? pl_record_choice : NULL;
  options.measured_context = record;
  pl_result *result = pl_rewrite(j->source.path, j->source.text,
                                 j->source.length, &options);
  const char *error = pl_result_error(result);
  if (error)
    report_error(r, j->source.path, error);
  else if (!selection_failed(r))
    use_result(r, j, result);
  pl_result_free(result);
  pl_record_free(record);
}

/* A product that a build rule waits for is written all the same. */
static void pass_through(run *r, job *j) {
  pl_mode mode = r->command->mode;
  j->text = j->source.text;
  j->length = j->source.length;
  if (mode == PL_MODE_FILE || mode == PL_MODE_STDOUT)
    deliver(r, j);
}

static void rewrite_or_ignore(run *r, job *j) {
  if (r->command->suffix && pl_is_generated(&j->source)) {
    report_error(r, j->source.path, "generated, and its source is gone");
    return;
  }
  char *by = pl_ignored_by(r->ignores, j->source.path);
  if (!by)
    rewrite(r, j);
  else
    pass_through(r, j);
  if (by && !r->command->quiet)
    fprintf(r->streams.err, "%s: note: ignored: %s\n", j->source.path, by);
  free(by);
}

static void run_input(run *r, const char *input) {
  job j = {.input = input, .source.path = shown_path(r, input)};
  pl_bytes bytes;
  if (!pl_read_file(input, &bytes)) {
    report_error(r, j.source.path, strerror(errno));
    return;
  }
  j.source.text = bytes.data;
  j.source.length = bytes.size;
  rewrite_or_ignore(r, &j);
  free(bytes.data);
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Two inputs that would be written to one file. */
static bool products_clash(run *r) {
  const pl_command *command = r->command;
  size_t count = command->ninputs;
  char **paths = pl_alloc(count, sizeof *paths);
  bool clash = false;
  for (size_t i = 0; i < count; i++)
    paths[i] = product_path(command, command->inputs[i]);
  qsort(paths, count, sizeof *paths, by_text);
  for (size_t i = 1; i < count && !clash; i++)
    if ((clash = strcmp(paths[i - 1], paths[i]) == 0))
      say_error(r, paths[i], "two inputs would be written there");
  for (size_t i = 0; i < count; i++)
    free(paths[i]);
  free(paths);
  return clash;
}

static bool writes_many(const pl_command *command) {
  return command->mode == PL_MODE_OUT_DIR || command->mode == PL_MODE_SUFFIX;
}

static void write_and_free(run *r, const char *path, pl_bytes text) {
  write_to(r, path, text.data, text.size);
  free(text.data);
}

static void write_fixes(run *r, const char *path) {
  const char *left_out;
  pl_bytes text = pl_fixes_text(r->report, &left_out);
  write_and_free(r, path, text);
  if (left_out)
    say_error(r, left_out, "its edits are no UTF-8, which --export-fixes has"
                           " to be; use -o or -i");
}

static void print_statistics(run *r) {
  pl_bytes text = pl_statistics_text(r->report);
  fwrite(text.data, 1, text.size, r->streams.err);
  free(text.data);
}

/* All that is made of the report. */
static void write_report(run *r) {
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

static bool report_wanted(const pl_command *command) {
  return command->report || command->opt_record || command->export_fixes ||
         command->statistics;
}

static void run_inputs(run *r) {
  if (writes_many(r->command) && products_clash(r))
    return;
  for (size_t i = 0; i < r->command->ninputs; i++)
    run_input(r, r->command->inputs[i]);
  if (r->report)
    write_report(r);
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

pl_options pl_run_options(const pl_command *command,
                          const pl_environment *env,
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
      .cuda_path = pl_find_toolkit(command->cuda_path, env),
      .clang_args = command->clang.arguments,
      .clang_nargs = command->clang.count,
      .kernel_filter = command->nkernels ? pl_selection_matches : NULL,
      .filter_context = selection,
      .dump_after = command->dump_after,
  };
}

static bool color_wanted(const pl_command *command,
                         const pl_environment *env) {
  return command->color == PL_COLOR_ALWAYS ||
         (command->color == PL_COLOR_AUTO && env->color);
}

/* A toolkit that was asked for has to be there. */
static bool toolkit_missing(run *r) {
  const char *asked = r->command->cuda_path;
  bool missing = asked && *asked && !pl_is_toolkit(asked);
  if (missing)
    say_error(r, asked, "no CUDA toolkit (include/cuda_runtime.h) there");
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
  run r = {.command = command, .env = env, .streams = streams};
  if (command->dump_config || command->verify_config)
    return dump_config(command, streams);
  r.selection = pl_selection_new(command->kernels, command->nkernels,
                                 streams.err);
  if (!r.selection)
    return PL_EXIT_ERROR;
  r.settings = pl_settings_new(command);
  r.ignores = pl_ignores_new();
  r.style = (pl_remark_style){command->verbose, color_wanted(command, env)};
  r.report = report_wanted(command) ? pl_report_new() : NULL;
  pl_run_say_dropped(command, streams.err);
  if (!toolkit_missing(&r))
    run_inputs(&r);
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
  sources.ninputs = pl_generated_to_sources(sources.inputs, count,
                                            command->suffix, owned);
  int code = run_sources(&sources, env, streams);
  for (size_t i = 0; i < count; i++)
    free(owned[i]);
  free(owned);
  free(sources.inputs);
  return code;
}
