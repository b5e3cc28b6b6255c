/* run.c - see run.h. */
#include "run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "batch.h"
#include "depfile.h"
#include "diff.h"
#include "generated.h"
#include "ignore.h"
#include "ninja.h"
#include "output.h"
#include "prefilter.h"
#include "record.h"
#include "remarks.h"
#include "report.h"
#include "reuse.h"
#include "settings.h"
#include "shard.h"
#include "summary.h"
#include "text.h"
#include "walk.h"

typedef struct run {
  const pl_command *command;
  const pl_environment *env;
  pl_settings *settings;
  pl_ignores *ignores;
  pl_mode mode;
  const char *suffix;
  pl_selection *selection;
  pl_prefilter *prefilter;
  pl_reuse *reuse;
  pl_remark_style style;
  pl_report *report; /* NULL: not asked for */
  pl_inputs inputs;
  pl_summary *summary; /* of a batch */
  size_t forked, shown; /* of a batch: jobs up to the last with a process */
  bool may_write;       /* such a process may have written files */
  bool progress, keeps_sources;
  pl_streams streams;
  int worst; /* exit code so far */
} run;

/* One input on its way through. */
typedef struct job {
  const pl_input *input;
  pl_source source;
  const pl_command *command; /* as it is for this source; NULL: not yet */
  pl_options options;
  pl_record *record; /* of measured choices; NULL: none */
  pl_reuse_key key;
  const char *text; /* the rewritten one */
  size_t length;
  bool changed;
  const pl_kernel_report *kernels;
  size_t nkernels;
  const char *dump;
  const char *const *headers; /* that the text depends on, for -MD */
  size_t nheaders;
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
  if (status == PL_WRITE_DONE)
    pl_reuse_forget(r->reuse);
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

static void refuse_to_overwrite(run *r, const char *path,
                                pl_generated_state state) {
  char *reason = pl_format("%s; --force overwrites it",
                           pl_generated_name(state));
  say_error(r, path, reason);
  free(reason);
}

/* A file of its own: neither the source itself nor a device. */
static bool is_separate(const run *r, const char *path, const job *j) {
  struct stat there, source;
  bool product = r->mode == PL_MODE_FILE || r->mode == PL_MODE_OUT_DIR;
  if (!product || is_stdin(path))
    return false;
  if (stat(path, &there) != 0)
    return true;
  bool same = stat(j->input->path, &source) == 0 &&
              there.st_dev == source.st_dev && there.st_ino == source.st_ino;
  return S_ISREG(there.st_mode) && !same;
}

/* The products of -o and --out-dir. What did not change is a copy to the byte,
 * so only what did can show that someone edited it. */
static void write_separate(run *r, const char *path, const job *j) {
  pl_bytes stamped = pl_written_text(&j->source, j->text, j->length);
  job product = *j;
  if (j->changed) {
    product.text = stamped.data;
    product.length = stamped.size;
  }
  pl_bytes wanted = {(char *)product.text, product.length};
  bool copied = pl_is_stamped(&j->source); /* a stamp of its own */
  if (!copied && !r->command->force &&
      pl_generated_at(path, &wanted) == PL_GENERATED_EDITED)
    refuse_to_overwrite(r, path, PL_GENERATED_EDITED);
  else
    write_product(r, path, &product);
  free(stamped.data);
}

/* The file that an input is written to; NULL in modes that write none. Free
 * with free. */
static char *product_path(const run *r, const pl_input *input) {
  switch (r->mode) {
  case PL_MODE_STDOUT: return pl_format("-");
  case PL_MODE_FILE: return pl_format("%s", r->command->output);
  case PL_MODE_IN_PLACE: return pl_format("%s", input->path);
  case PL_MODE_SUFFIX: return pl_path_with_suffix(input->path, r->suffix);
  case PL_MODE_OUT_DIR:
    return pl_path_below(r->command->out_dir, input->below);
  default: return NULL;
  }
}

/* What was found in a directory gets no copy of itself beside it, unless an
 * older product has to be brought up to date. */
static bool is_needless(const job *j, const char *path) {
  return j->input->found && !j->changed && access(path, F_OK) != 0;
}

/* --force aside, what is not ours or not as we left it stays. */
static void write_generated(run *r, const char *path, const job *j) {
  pl_bytes wanted = pl_generated_text(&j->source, j->text, j->length);
  pl_generated_state state = pl_generated_at(path, &wanted);
  bool theirs = state == PL_GENERATED_EDITED || state == PL_GENERATED_FOREIGN;
  if (theirs && !r->command->force)
    refuse_to_overwrite(r, path, state);
  else if (state != PL_GENERATED_CURRENT &&
             write_to(r, path, wanted.data, wanted.size) &&
             r->command->exit_on_change)
    note_exit(r, PL_EXIT_CHANGED);
  free(wanted.data);
}

static void check_generated(run *r, const job *j) {
  char *path = pl_path_with_suffix(j->input->path, r->suffix);
  pl_bytes wanted = pl_generated_text(&j->source, j->text, j->length);
  pl_generated_state state = pl_generated_at(path, &wanted);
  if (state != PL_GENERATED_CURRENT && !is_needless(j, path)) {
    fprintf(r->streams.out, "%s\n", path);
    if (!r->command->quiet)
      fprintf(r->streams.err, "%s: note: %s\n", path,
              pl_generated_name(state));
    note_exit(r, PL_EXIT_CHANGED);
  }
  free(wanted.data);
  free(path);
}

/* All that was read to make a product. */
static void add_read_files(const run *r, const job *j, pl_words *names) {
  const char *source = j->source.path;
  if (!is_stdin(j->input->path))
    pl_words_add(names, source);
  for (size_t i = 0; i < j->nheaders; i++)
    pl_words_add(names, j->headers[i]);
  pl_settings_files(r->settings, source, names);
  pl_ignores_files(r->ignores, source, names);
  char *record = pl_record_path(r->command->record, source);
  if (!r->command->no_record && access(record, F_OK) == 0)
    pl_words_add(names, record);
  free(record);
}

/* Not for a product that could not be written. */
static void write_depfile(run *r, const job *j, const char *product) {
  bool written = r->worst <= PL_EXIT_CHANGED && access(product, F_OK) == 0;
  if (!r->command->depfile || !written)
    return;
  const char *asked = r->command->depfile_path;
  char *path = asked ? pl_format("%s", asked) : pl_format("%s.d", product);
  pl_words names = {0};
  add_read_files(r, j, &names);
  pl_bytes text = pl_depfile_text(product, &names);
  write_to(r, path, text.data, text.size);
  free(text.data);
  pl_words_free(&names);
  free(path);
}

static void write_file(run *r, const job *j) {
  char *path = product_path(r, j->input);
  bool mirrored = r->mode == PL_MODE_OUT_DIR;
  if (mirrored && !pl_make_parents(path))
    say_error(r, path, strerror(errno));
  else if (is_separate(r, path, j))
    write_separate(r, path, j);
  else if (r->mode != PL_MODE_SUFFIX)
    write_product(r, path, j);
  else if (!is_needless(j, path))
    write_generated(r, path, j);
  write_depfile(r, j, path);
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
  switch (r->mode) {
  case PL_MODE_DIFF: print_diff(r, j); break;
  case PL_MODE_CHECK: print_check(r, j); break;
  case PL_MODE_LIST: print_kernels(r, j); break;
  case PL_MODE_DUMP: print_dump(r, j); break;
  case PL_MODE_DRY_RUN: break;
  default: write_file(r, j); break;
  }
}

static bool wants_remarks(const run *r) {
  return !r->command->quiet && r->mode != PL_MODE_LIST &&
         r->mode != PL_MODE_DUMP;
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
static void judge_pragmas(run *r, const job *j, const pl_answer *answer) {
  if (r->mode == PL_MODE_LIST || r->mode == PL_MODE_DUMP)
    return;
  for (size_t i = 0; i < answer->npragmas; i++) {
    const pl_pragma_report *pragma = &answer->pragmas[i];
    if (pragma->unmet)
      note_exit(r, PL_EXIT_CHANGED);
    if (pragma->unmet || wants_remarks(r))
      pl_remarks_print_pragmas(r->streams.err, &j->source, pragma, 1,
                               r->style);
  }
}

static void add_to_report(run *r, const job *j, const pl_answer *answer) {
  pl_report_add(r->report, j->source.path, j->kernels, j->nkernels,
                j->changed);
  if (j->record)
    pl_report_add_measured(r->report, j->record, j->kernels, j->nkernels);
  if (r->keeps_sources)
    pl_report_add_source(r->report, j->source.text, j->source.length,
                         answer->edits, answer->nedits);
}

static void use_answer(run *r, job *j, const pl_answer *answer) {
  j->text = answer->text;
  j->length = answer->length;
  j->changed = j->length != j->source.length ||
               memcmp(j->text, j->source.text, j->length) != 0;
  j->kernels = answer->kernels;
  j->nkernels = answer->nkernels;
  j->dump = answer->dump;
  j->headers = answer->headers;
  j->nheaders = answer->nheaders;
  print_remarks(r, j);
  judge_pragmas(r, j, answer);
  if (r->report)
    add_to_report(r, j, answer);
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

/* NULL, and a message: what is configured for the file is wrong. */
static const pl_command *settings_for(run *r, const job *j) {
  const pl_command *command =
      pl_settings_of(r->settings, j->source.path, r->streams.err);
  if (!command)
    report_error(r, j->source.path, "its configuration is wrong");
  return command;
}

/* All that the answer hangs on, as far as it is known before the parse. False:
 * something is wrong with it, and was said. */
static bool prepare(run *r, job *j) {
  j->command = settings_for(r, j);
  if (!j->command || !read_record(r, j, &j->record))
    return false;
  j->options = pl_run_options(j->command, r->env, r->selection);
  j->options.measured_choice = j->record ? pl_record_choice : NULL;
  j->options.measured_context = j->record;
  pl_cache_request request = {
      .source = &j->source, .options = &j->options,
      .kernels = r->command->kernels, .nkernels = r->command->nkernels,
      .record = j->record ? pl_record_digest(j->record) : NULL};
  j->key = pl_reuse_key_of(r->reuse, j->command, &request);
  return true;
}

static void rewrite(run *r, job *j) {
  pl_sights sights;
  pl_result *result =
      pl_reuse_rewrite(&j->key, &j->source, &j->options, &sights);
  const char *error = pl_result_error(result);
  if (error)
    report_error(r, j->source.path, error);
  else if (!selection_failed(r)) {
    pl_answer answer = pl_answer_from(result);
    pl_reuse_keep(&j->key, &j->source, &sights, &answer);
    use_answer(r, j, &answer);
  }
  pl_sights_free(&sights);
  pl_result_free(result);
}

/* The answer of an earlier run, where there is one. */
static bool use_earlier(run *r, job *j) {
  pl_cached cached;
  if (!pl_reuse_find(r->reuse, &j->key, &j->source, &cached))
    return false;
  use_answer(r, j, &cached.answer);
  pl_cached_free(&cached);
  return true;
}

static bool is_binary(const job *j) {
  return memchr(j->source.text, 0, j->source.length);
}

/* The prefilter's answer; some modes and -v show what only the parser knows, and
 * of directories that a variable gives only the parser knows the order. */
static pl_relevance look(const run *r, const job *j,
                         const pl_command *command) {
  if (r->mode == PL_MODE_LIST || r->mode == PL_MODE_DUMP ||
      r->command->verbose || r->env->include_path)
    return PL_MAY_HOLD_LOOP;
  return pl_prefilter_look(r->prefilter, j->source.text, j->source.length,
                           command->clang.arguments, command->clang.count);
}

/* A file that the parser need not see stays as it is. */
static void leave(run *r, job *j, const char *why) {
  j->text = j->source.text;
  j->length = j->source.length;
  if (wants_remarks(r))
    fprintf(r->streams.err, "%s: note: %s\n", j->source.path, why);
  if (r->report)
    pl_report_add(r->report, j->source.path, NULL, 0, false);
  deliver(r, j);
}

/* A generated file that stands among the sources has lost its own. */
static bool refuse_generated(run *r, const job *j) {
  bool lost = r->command->suffix && pl_is_generated(&j->source);
  if (lost)
    report_error(r, j->source.path, "generated, and its source is gone");
  return lost;
}

/* A product that a build rule waits for is written all the same. */
static bool leave_ignored(run *r, job *j) {
  char *by = pl_ignored_by(r->ignores, j->source.path);
  if (!by)
    return false;
  j->text = j->source.text;
  j->length = j->source.length;
  if (r->mode == PL_MODE_FILE || r->mode == PL_MODE_STDOUT)
    deliver(r, j);
  if (!r->command->quiet)
    fprintf(r->streams.err, "%s: note: ignored: %s\n", j->source.path, by);
  if (r->report)
    pl_report_add_ignored(r->report, j->source.path);
  free(by);
  return true;
}

/* Whether a job is done without the parser. */
static bool settle_job(run *r, job *j) {
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
  if (relevance == PL_MAY_HOLD_LOOP)
    return !prepare(r, j) || use_earlier(r, j);
  leave(r, j, relevance == PL_NO_KERNEL ? "no kernel found"
                                        : "no tile loop found");
  return true;
}

/* An input that cannot be had is settled, with a word. */
static bool settle_trouble(run *r, const pl_input *input) {
  if (!input->trouble)
    return false;
  if (!input->harmless)
    report_error(r, input->path, input->trouble);
  else if (wants_remarks(r))
    fprintf(r->streams.err, "%s: note: %s\n", input->path, input->trouble);
  return true;
}

static bool read_job(run *r, const pl_input *input, job *j, pl_bytes *bytes) {
  *j = (job){.input = input, .source.path = shown_path(r, input->path)};
  if (!pl_read_file(input->path, bytes)) {
    report_error(r, j->source.path, strerror(errno));
    return false;
  }
  j->source.text = bytes->data;
  j->source.length = bytes->size;
  return true;
}

/* `tried`: the parent has seen that the job cannot be settled. */
static void run_input(run *r, const pl_input *input, bool tried) {
  job j;
  pl_bytes bytes;
  if (settle_trouble(r, input) || !read_job(r, input, &j, &bytes))
    return;
  if (tried ? prepare(r, &j) : !settle_job(r, &j))
    rewrite(r, &j);
  pl_record_free(j.record);
  free(bytes.data);
}

/* ---- a batch: a process each, see batch.h --------------------------------- */

/* The run as one job of a batch sees it: its own streams, report and code. */
static run run_of_job(const run *r, pl_job_files files) {
  run own = *r;
  own.streams = (pl_streams){files.out, files.err};
  own.report = pl_report_new();
  own.keeps_sources = r->report;
  own.worst = PL_EXIT_FINE;
  return own;
}

static int end_job(run *own, pl_job_files files) {
  pl_bytes facts = pl_report_pack(own->report);
  fwrite(facts.data, 1, facts.size, files.facts);
  free(facts.data);
  pl_report_free(own->report);
  return own->worst;
}

/* While a job has a process, and once after the last one, what the file system
 * answered before may be wrong. */
static void beware_of_writers(run *r) {
  if (!r->may_write)
    return;
  pl_reuse_forget(r->reuse);
  r->may_write = r->shown < r->forked;
}

static bool settle_in_batch(void *context, size_t index, pl_job_files files,
                            int *code) {
  run *r = context;
  const pl_input *input = &r->inputs.items[index];
  beware_of_writers(r);
  run own = run_of_job(r, files);
  job j = {0};
  pl_bytes bytes = {0};
  bool settled = strcmp(input->path, "-") != 0 &&
                 (settle_trouble(&own, input) ||
                  !read_job(&own, input, &j, &bytes) || settle_job(&own, &j));
  *code = end_job(&own, files);
  pl_record_free(j.record);
  free(bytes.data);
  if (!settled) {
    r->forked = index + 1;
    r->may_write = true;
  }
  return settled;
}

static int work_in_batch(void *context, size_t index, pl_job_files files) {
  const run *r = context;
  const pl_input *input = &r->inputs.items[index];
  run own = run_of_job(r, files);
  run_input(&own, input, strcmp(input->path, "-") != 0);
  return end_job(&own, files);
}

/* "[ 3/18] path", over the one before. */
static void show_progress(void *context, size_t index) {
  const run *r = context;
  size_t count = r->inputs.count;
  if (!r->progress)
    return;
  int digits = snprintf(NULL, 0, "%zu", count);
  fprintf(r->streams.err, "\r[%*zu/%zu] %s\033[K", digits, index + 1, count,
          shown_path(r, r->inputs.items[index].path));
  fflush(r->streams.err);
}

static void count_in(run *r, const pl_input *input,
                     const pl_outcome *outcome) {
  if (outcome->failure) {
    report_error(r, shown_path(r, input->path), outcome->failure);
    pl_summary_add_failure(r->summary);
  } else {
    note_exit(r, outcome->code);
    pl_summary_add(r->summary, outcome->facts);
    if (r->report)
      pl_report_unpack(r->report, outcome->facts.data, outcome->facts.size);
  }
  if (r->report)
    pl_report_position(r->report, input->position);
}

static void finish_in_batch(void *context, size_t index,
                            const pl_outcome *outcome) {
  run *r = context;
  r->shown = index + 1;
  if (r->progress && (outcome->out.size || outcome->err.size))
    fputs("\r\033[K", r->streams.err);
  write_stdout(r, outcome->out.data, outcome->out.size);
  fwrite(outcome->err.data, 1, outcome->err.size, r->streams.err);
  count_in(r, &r->inputs.items[index], outcome);
}

static void run_batch(run *r) {
  const pl_command *command = r->command;
  pl_batch batch = {
      .count = r->inputs.count, .jobs = command->jobs,
      .timeout = command->timeout, .max_memory = command->max_memory,
      .context = r, .settle = settle_in_batch, .work = work_in_batch,
      .started = show_progress, .done = finish_in_batch};
  r->summary = pl_summary_new();
  pl_batch_run(&batch);
  if (r->progress)
    fputs("\r\033[K", r->streams.err);
  if (r->inputs.many && wants_remarks(r))
    pl_summary_print(r->summary, r->streams.err);
  pl_summary_free(r->summary);
}

/* ---- the inputs ------------------------------------------------------------ */

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Two inputs that would be written to one file. */
static bool products_clash(run *r) {
  size_t count = r->inputs.count;
  char **paths = pl_alloc(count + 1, sizeof *paths);
  bool clash = false;
  for (size_t i = 0; i < count; i++)
    paths[i] = product_path(r, &r->inputs.items[i]);
  qsort(paths, count, sizeof *paths, by_text);
  for (size_t i = 1; i < count && !clash; i++)
    if ((clash = strcmp(paths[i - 1], paths[i]) == 0))
      say_error(r, paths[i], "two inputs would be written there");
  for (size_t i = 0; i < count; i++)
    free(paths[i]);
  free(paths);
  return clash;
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
  pl_reuse_print_counts(r->reuse, r->streams.err);
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

/* Directories get their products beside the sources. */
static void choose_mode(run *r) {
  r->mode = r->command->mode;
  r->suffix = r->command->suffix ? r->command->suffix : "_pipe";
  if (r->mode == PL_MODE_STDOUT && r->inputs.many)
    r->mode = PL_MODE_SUFFIX;
}

static bool find_inputs(run *r) {
  const pl_command *command = r->command;
  pl_walk walk = {
      .names = command->inputs, .nnames = command->ninputs,
      .list = command->files, .excludes = command->excludes,
      .nexcludes = command->nexcludes,
      .suffix = command->suffix ? command->suffix : "_pipe",
      .out_dir = command->out_dir};
  if (!pl_walk_inputs(&walk, &r->inputs)) {
    say_error(r, command->files, strerror(errno));
    return false;
  }
  choose_mode(r);
  return true;
}

static void refuse(run *r, const char *message) {
  fprintf(r->streams.err, "pipelinify: error: %s\n", message);
  note_exit(r, PL_EXIT_ERROR);
}

/* Outputs that cannot hold what all inputs become. */
static bool outputs_fit(run *r) {
  bool several = r->inputs.many || r->inputs.count > 1;
  if (r->mode == PL_MODE_STDOUT && several)
    refuse(r, "several inputs need -i, --out-dir, --suffix, --diff, --check "
              "or -n");
  else if (r->mode == PL_MODE_FILE && several)
    refuse(r, "'-o' takes one input, no directory and no list");
  else if (r->command->depfile_path && several)
    refuse(r, "'-MF' takes one input; without it each product gets its own"
              " depfile, PRODUCT.d");
  else if (r->mode == PL_MODE_OUT_DIR || r->mode == PL_MODE_SUFFIX)
    return !products_clash(r);
  else
    return true;
  return false;
}

/* The inputs of this shard alone. Outputs were looked at before: two inputs
 * that would be written to one file may be in two shards. */
static void keep_shard(run *r) {
  const pl_command *command = r->command;
  if (!command->shards)
    return;
  r->inputs.many = true;
  uint64_t list = pl_shard_keep(&r->inputs, command->shard, command->shards);
  if (r->report)
    pl_report_be_shard(r->report, command->shard, command->shards, list);
}

static void add_edge(run *r, pl_ninja *ninja, const pl_input *input) {
  char *product = product_path(r, input);
  char *ignored = pl_ignored_by(r->ignores, input->path);
  if (!settle_trouble(r, input) && !ignored &&
      !pl_ninja_add(ninja, input->path, product))
    say_error(r, input->path, "ninja cannot hold a name with a line end, a"
                              " tab or one of | ; & ? * < > ^ ` ' \" \\");
  free(ignored);
  free(product);
}

/* Instead of rewriting: how ninja does it. */
static void emit_ninja(run *r) {
  if (r->mode != PL_MODE_SUFFIX && r->mode != PL_MODE_OUT_DIR) {
    refuse(r, "'--emit-ninja' needs '--out-dir' or '--suffix'");
    return;
  }
  pl_ninja *ninja = pl_ninja_new(r->command, r->mode == PL_MODE_OUT_DIR);
  for (size_t i = 0; i < r->inputs.count; i++)
    add_edge(r, ninja, &r->inputs.items[i]);
  write_and_free(r, r->command->emit_ninja, pl_ninja_take(ninja));
}

static void run_inputs(run *r) {
  if (!find_inputs(r) || !outputs_fit(r))
    return;
  keep_shard(r);
  if (r->command->emit_ninja) {
    emit_ninja(r);
    return;
  }
  r->progress &= r->inputs.count > 1;
  if (r->inputs.count == 1 && is_stdin(r->inputs.items[0].path))
    run_input(r, &r->inputs.items[0], false);
  else
    run_batch(r);
  if (r->report)
    write_report(r);
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
  r.keeps_sources = r.report;
  r.progress = env->progress && !command->quiet;
  r.prefilter = pl_prefilter_new();
  r.reuse = pl_reuse_new(env);
  pl_run_say_dropped(command, streams.err);
  if (!toolkit_missing(&r))
    run_inputs(&r);
  pl_inputs_free(&r.inputs);
  pl_prefilter_free(r.prefilter);
  pl_reuse_free(r.reuse);
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
