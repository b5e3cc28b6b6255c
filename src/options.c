/* options.c - see options.h. */
#define _GNU_SOURCE
#include "options.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

enum { REWRITE = 1, VALIDATE = 2, BOTH = REWRITE | VALIDATE };

typedef enum group_id {
#define PL_GROUP(id, commands, title) GROUP_##id,
#define PL_OPTION(...)
#include "options.def"
#undef PL_GROUP
#undef PL_OPTION
} group_id;

typedef struct group_row {
  int commands;
  const char *title;
} group_row;

static const group_row group_table[] = {
#define PL_GROUP(id, commands, title) {commands, title},
#define PL_OPTION(...)
#include "options.def"
#undef PL_GROUP
#undef PL_OPTION
};

typedef struct parser {
  pl_command *command;
  char *const *next, *const *end;
  FILE *err;
  bool failed;
  bool in_file; /* reads a value of a .pipelinify */
} parser;

static void fail(parser *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* One message a command line: the first mistake. */
static void fail(parser *p, const char *format, ...) {
  if (p->failed)
    return;
  p->failed = true;
  va_list arguments;
  va_start(arguments, format);
  if (!p->in_file)
    fputs("pipelinify: error: ", p->err);
  vfprintf(p->err, format, arguments);
  if (!p->in_file)
    fputc('\n', p->err);
  va_end(arguments);
}

static void add_kernel(parser *p, const char *option, const char *name) {
  (void)option;
  p->command->kernels[p->command->nkernels++] = name;
}

static void add_extra_arg(parser *p, const char *option, const char *flag) {
  (void)option;
  p->command->extra_args[p->command->nextra_args++] = flag;
}

static void add_exclude(parser *p, const char *option, const char *glob) {
  (void)option;
  p->command->excludes[p->command->nexcludes++] = glob;
}

static void set_variant(parser *p, const char *option, const char *name) {
  if (!pl_variant_parse(name, &p->command->variant))
    fail(p, "'%s' is no variant for '%s': auto, ldg, ldg-single or cp.async",
         name, option);
}

/* Stores a number between the bounds. */
static long long number(parser *p, const char *option, const char *text,
                        long long low, long long high) {
  long long value = low;
  if (!pl_parse_number(text, low, high, &value))
    fail(p, "'%s' is no number between %lld and %lld for '%s'", text, low,
         high, option);
  return value;
}

static void set_stages(parser *p, const char *option, const char *text) {
  p->command->stages = (int)number(p, option, text, 2, 8);
}

static void set_arch(parser *p, const char *option, const char *text) {
  p->command->arch = pl_arch_number(text);
  if (!p->command->arch || !pl_arch_find(p->command->arch))
    fail(p, "'%s' is no architecture for '%s': sm_75 or newer", text, option);
}

static void set_max_smem(parser *p, const char *option, const char *text) {
  p->command->max_smem = number(p, option, text, 1, 1 << 30);
}

static void set_block_threads(parser *p, const char *option,
                              const char *text) {
  p->command->block_threads = (int)number(p, option, text, 1, 1024);
}

/* Files of arguments are read before anything is parsed. */
static void take_options_file(parser *p, const char *option,
                              const char *name) {
  fail(p, "'%s' takes the name of a file, not '%s'", option, name);
}

static void set_min_gain(parser *p, const char *option, const char *text) {
  char *end;
  double percent = strtod(text, &end);
  if (end == text || *end || !(percent >= 0 && percent <= 1000))
    fail(p, "'%s' is no percentage between 0 and 1000 for '%s'", text, option);
  p->command->min_gain = percent / 100;
}

static void set_max_checks(parser *p, const char *option, const char *text) {
  p->command->max_checks = number(p, option, text, 1, 1000000);
}

static void set_jobs(parser *p, const char *option, const char *text) {
  p->command->jobs = (int)number(p, option, text, 0, 1024);
}

/* "2/4" */
static void set_shard(parser *p, const char *option, const char *text) {
  int index = 0, count = 0, end = 0;
  bool good = strspn(text, "0123456789/") == strlen(text) &&
              sscanf(text, "%4d/%4d%n", &index, &count, &end) == 2 &&
              !text[end] && index >= 1 && index <= count;
  if (!good)
    fail(p, "'%s' is no part for '%s': 1/4 is the first of four", text, option);
  p->command->shard = index;
  p->command->shards = count;
}

static void set_timeout(parser *p, const char *option, const char *text) {
  p->command->timeout = number(p, option, text, 0, 1000000);
}

static void set_max_memory(parser *p, const char *option, const char *text) {
  p->command->max_memory = number(p, option, text, 0, 1 << 30) << 20;
}

static void set_cache_size(parser *p, const char *option, const char *text) {
  p->command->cache_size = number(p, option, text, 16, 1 << 30) << 20;
}

/* Where `name` stands among the names; -1, and a message, for others. */
static int pick(parser *p, const char *option, const char *name,
                const char *const *names, const char *all) {
  for (int i = 0; names[i]; i++)
    if (strcmp(name, names[i]) == 0)
      return i;
  fail(p, "'%s' is no value for '%s': %s", name, option, all);
  return -1;
}

static void set_report_format(parser *p, const char *option,
                              const char *name) {
  static const char *const names[] = {"json", "sarif", "text", "html", NULL};
  int index = pick(p, option, name, names, "json, sarif, text or html");
  p->command->report_format = (pl_report_format)index;
}

/* Without a value: LLVM's name for a record, after the program. */
static void set_opt_record(parser *p, const char *option, const char *name) {
  (void)option;
  p->command->opt_record = *name ? name : "pipelinify.opt.yaml";
}

static void set_completion(parser *p, const char *option, const char *name) {
  static const char *const names[] = {"bash", "zsh", "fish", NULL};
  if (pick(p, option, name, names, "bash, zsh or fish") >= 0)
    p->command->completion = name;
}

static void set_backend(parser *p, const char *option, const char *name) {
  static const char *const names[] = {"auto", "cpu", "gpu", NULL};
  int index = pick(p, option, name, names, "auto, cpu or gpu");
  p->command->backend = (pl_backend)index;
}

static void set_color(parser *p, const char *option, const char *name) {
  static const char *const names[] = {"auto", "always", "never", NULL};
  int index = pick(p, option, name, names, "auto, always or never");
  p->command->color = (pl_color)index;
}

typedef enum action_kind {
  ACTION_FLAG, ACTION_TEXT, ACTION_MODE, ACTION_MODE_TEXT, ACTION_CALL
} action_kind;

typedef struct option_row {
  group_id group;
  const char *short_name, *long_name, *value;
  action_kind kind;
  size_t member;
  pl_mode mode;
  void (*call)(parser *, const char *option, const char *value);
  const char *help;
} option_row;

#define FLAG(member) ACTION_FLAG, offsetof(pl_command, member), 0, NULL
#define TEXT(member) ACTION_TEXT, offsetof(pl_command, member), 0, NULL
#define MODE(mode) ACTION_MODE, 0, mode, NULL
#define MODE_TEXT(mode, member) \
  ACTION_MODE_TEXT, offsetof(pl_command, member), mode, NULL
#define CALL(function) ACTION_CALL, 0, 0, function

static const option_row option_table[] = {
#define PL_GROUP(...)
#define PL_OPTION(group, short_name, long_name, value, action, help) \
  {GROUP_##group, short_name, long_name, value, action, help},
#include "options.def"
#undef PL_GROUP
#undef PL_OPTION
};

#define OPTION_COUNT (sizeof option_table / sizeof *option_table)

/* "" for the name alone, "x" for `--name=x`, NULL for another word. */
static const char *match_name(const char *word, const char *name) {
  if (!name || !pl_starts_with(word, name))
    return NULL;
  const char *rest = word + strlen(name);
  return !*rest || *rest == '=' ? rest : NULL;
}

/* "-j8": a number may follow its letter at once. */
static bool match_number(const char *word, const option_row *row) {
  return row->value && strcmp(row->value, "N") == 0 && row->short_name &&
         pl_starts_with(word, row->short_name) &&
         strspn(word + 2, "0123456789") == strlen(word + 2);
}

static const option_row *find_option(const char *word, const char **rest) {
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    const option_row *row = &option_table[i];
    if ((*rest = match_name(word, row->short_name)) ||
        (*rest = match_name(word, row->long_name)))
      return row;
    if (match_number(word, row)) {
      *rest = word + 2;
      return row;
    }
  }
  return NULL;
}

/* The nearest option's name, or NULL. What follows `=` does not count. */
static const char *nearest_option(const char *word) {
  char *name = pl_format("%.*s", (int)strcspn(word, "="), word);
  pl_suggestion suggestion = {.wanted = name};
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    if (option_table[i].short_name)
      pl_suggest(&suggestion, option_table[i].short_name);
    if (option_table[i].long_name)
      pl_suggest(&suggestion, option_table[i].long_name);
  }
  free(name);
  return suggestion.best;
}

static void fail_unknown(parser *p, const char *word) {
  const char *nearest = nearest_option(word);
  if (nearest)
    fail(p, "unknown option '%s'; did you mean '%s'?", word, nearest);
  else
    fail(p, "unknown option '%s'; see 'pipelinify --help'", word);
}

/* `--check --suffix=_pipe` looks at what `--suffix=_pipe` would write. */
static bool checks_generated(pl_mode a, pl_mode b) {
  return (a == PL_MODE_CHECK && b == PL_MODE_SUFFIX) ||
         (a == PL_MODE_SUFFIX && b == PL_MODE_CHECK);
}

/* Two ways to put the result somewhere contradict each other. */
static void set_mode(parser *p, const option_row *row) {
  pl_command *command = p->command;
  if (checks_generated(command->mode, row->mode)) {
    command->mode = PL_MODE_CHECK;
    return;
  }
  const char *name = row->short_name ? row->short_name : row->long_name;
  if (command->mode_option && command->mode != row->mode)
    fail(p, "'%s' and '%s' exclude each other", command->mode_option, name);
  command->mode = row->mode;
  command->mode_option = name;
}

static void apply_option(parser *p, const option_row *row, const char *word,
                         const char *value) {
  char *base = (char *)p->command;
  switch (row->kind) {
  case ACTION_FLAG: *(bool *)(base + row->member) = true; break;
  case ACTION_TEXT: *(const char **)(base + row->member) = value; break;
  case ACTION_MODE: set_mode(p, row); break;
  case ACTION_MODE_TEXT:
    set_mode(p, row);
    *(const char **)(base + row->member) = value;
    break;
  case ACTION_CALL: row->call(p, word, value); break;
  }
}

/* "[=FILE]": given with = alone. */
static bool value_optional(const option_row *row) {
  return row->value && row->value[0] == '[';
}

static const char *option_value(parser *p, const option_row *row,
                                const char *word, const char *rest) {
  if (*rest)
    return rest + (*rest == '=');
  if (value_optional(row))
    return "";
  if (p->next < p->end)
    return *p->next++;
  fail(p, "'%s' needs %s", word, row->value);
  return "";
}

/* What `report merge` understands. */
static bool merges(const option_row *row) {
  return row->group == GROUP_GENERAL || row->call == set_report_format ||
         (row->kind == ACTION_MODE_TEXT && row->mode == PL_MODE_FILE);
}

static bool belongs_here(const parser *p, const option_row *row) {
  if (p->command->merge)
    return merges(row);
  int command = p->command->validate ? VALIDATE : REWRITE;
  return group_table[row->group].commands & command;
}

/* Whether an option says how one file is rewritten: --emit-ninja hands it on. */
static bool is_repeated(const option_row *row) {
  switch (row->group) {
  case GROUP_PIPELINE:
  case GROUP_CONFIG:
  case GROUP_CACHE:
  case GROUP_GENERAL: return true;
  case GROUP_SELECT:
    return row->call == add_kernel ||
           row->member == offsetof(pl_command, cuda_path);
  case GROUP_OUTPUT: return row->member == offsetof(pl_command, force);
  default: return false;
  }
}

/* Keeps the words from `first` to those that come next. */
static void repeat(parser *p, const option_row *row,
                   char *const *first) {
  pl_command *command = p->command;
  for (; is_repeated(row) && first < p->next; first++)
    command->repeated[command->nrepeated++] = *first;
}

static void parse_option(parser *p, const char *word) {
  char *const *first = p->next - 1;
  const char *rest, *value = NULL;
  const option_row *row = find_option(word, &rest);
  if (!row) {
    fail_unknown(p, word);
    return;
  }
  char *name = pl_format("%.*s", (int)(rest - word), word);
  if (!belongs_here(p, row))
    fail(p, p->command->merge ? "'%s' is no option of 'report merge'"
            : p->command->validate ? "'%s' is no option of 'validate'"
                                   : "'%s' is an option of 'pipelinify validate'",
         name);
  else if (row->value)
    value = option_value(p, row, name, rest);
  else if (*rest)
    fail(p, "'%s' takes no value", name);
  if (!p->failed) {
    apply_option(p, row, name, value);
    p->command->given[row - option_table] = true;
    repeat(p, row, first);
  }
  free(name);
}

static void parse_words(parser *p) {
  while (p->next < p->end && !p->failed) {
    const char *word = *p->next++;
    if (strcmp(word, "--") == 0)
      return;
    if (word[0] == '-' && word[1])
      parse_option(p, word);
    else
      p->command->inputs[p->command->ninputs++] = word;
  }
}

static bool is_stdin(const char *input) { return strcmp(input, "-") == 0; }

static size_t count_stdin(const pl_command *command) {
  size_t count = 0;
  for (size_t i = 0; i < command->ninputs; i++)
    count += is_stdin(command->inputs[i]);
  return count;
}

static bool is_named_after_input(pl_mode mode) {
  return mode == PL_MODE_IN_PLACE || mode == PL_MODE_SUFFIX ||
         mode == PL_MODE_OUT_DIR;
}

static void check_inputs(parser *p) {
  const pl_command *command = p->command;
  if (command->ninputs == 0 && !command->results && !command->files &&
      !command->program)
    fail(p, "no input file; see 'pipelinify --help'");
  if (count_stdin(command) > 1)
    fail(p, "standard input is named twice");
  if (count_stdin(command) && is_named_after_input(command->mode))
    fail(p, "'%s' needs files, not standard input", command->mode_option);
  if (count_stdin(command) && command->validate)
    fail(p, "'validate' needs files, not standard input");
  if (command->ninputs > 1 && command->mode == PL_MODE_FILE)
    fail(p, "'-o' takes one input, not %zu", command->ninputs);
}

/* The register forms have as many stages as they have. */
static void check_stages(parser *p) {
  const pl_command *command = p->command;
  bool registers = command->variant == PL_VARIANT_LDG ||
                   command->variant == PL_VARIANT_LDG_SINGLE;
  bool fits = command->variant == PL_VARIANT_LDG && command->stages == 2;
  if (command->stages && registers && !fits)
    fail(p, "'--stages=%d' needs '--variant=cp.async'", command->stages);
}

static bool goes_to_stdout(const char *path) {
  return path && strcmp(path, "-") == 0;
}

static bool product_on_stdout(const pl_command *command) {
  if (command->validate)
    return true;
  switch (command->mode) {
  case PL_MODE_FILE: return goes_to_stdout(command->output);
  case PL_MODE_IN_PLACE:
  case PL_MODE_OUT_DIR:
  case PL_MODE_SUFFIX:
  case PL_MODE_DRY_RUN: return false;
  default: return true;
  }
}

/* Results are what they are: nothing chooses anew what was run. */
static void check_results(parser *p) {
  const pl_command *command = p->command;
  if (!command->results)
    return;
  if (!command->tune && command->ninputs)
    fail(p, "'--results' takes no FILE: %s", command->inputs[0]);
  const char *other = command->prepare                      ? "--prepare"
                      : command->launch                     ? "--launch"
                      : command->nkernels                   ? "--kernel-name"
                      : command->all_variants               ? "--all-variants"
                      : pl_option_given(command, "variant")  ? "--variant"
                      : command->report && command->tune     ? "--report"
                      : command->backend == PL_BACKEND_CPU ? "--backend=cpu"
                                                            : NULL;
  if (other)
    fail(p, "'--results' and '%s' exclude each other", other);
  if (command->report && command->report_format != PL_REPORT_HTML)
    fail(p, "'--results' is reported in html ('--report-format=html'); its"
            " results.json is the JSON");
  if (goes_to_stdout(command->report))
    fail(p, "'--report=-' and the result would share standard output");
  if (command->report_format && !command->report)
    fail(p, "'--report-format' needs '--report=FILE'");
}

static void check_build(parser *p) {
  const pl_command *command = p->command;
  bool product = (command->mode == PL_MODE_FILE &&
                  !goes_to_stdout(command->output)) ||
                 command->mode == PL_MODE_OUT_DIR ||
                 command->mode == PL_MODE_SUFFIX;
  if (command->depfile_path && !command->depfile)
    fail(p, "'-MF' needs '-MD'");
  if (command->depfile && !product)
    fail(p, "'-MD' needs '-o FILE', '--out-dir' or '--suffix'");
  if (command->depfile_path && command->ninputs > 1)
    fail(p, "'-MF' takes one input, not %zu", command->ninputs);
  if (command->emit_ninja && command->depfile)
    fail(p, "'--emit-ninja' and '-MD' exclude each other");
}

static void check_values(parser *p) {
  const pl_command *command = p->command;
  if (goes_to_stdout(command->report) && product_on_stdout(command))
    fail(p, "'--report=-' and the result would share standard output");
  if (command->report_format && !command->report)
    fail(p, "'--report-format' needs '--report=FILE'; '--report=-' is standard"
            " output");
  bool html = command->report_format == PL_REPORT_HTML;
  if (command->report && command->tune)
    fail(p, "'tune' writes records, not '--report'");
  else if (command->report && command->bench && !html)
    fail(p, "'bench' is reported in html ('--report-format=html')");
  else if (command->report_format && command->validate && !command->bench)
    fail(p, "'validate' reports in json only");
  if (goes_to_stdout(command->opt_record) ||
      goes_to_stdout(command->export_fixes))
    fail(p, "'--save-opt-record' and '--export-fixes' need the name of a"
            " file, not '-'");
  if (command->suffix && (!*command->suffix || strchr(command->suffix, '/')))
    fail(p, "'%s' is no suffix", command->suffix);
  if (command->cuda_path && *command->cuda_path == '-')
    fail(p, "'--cuda-path' needs DIR, not '%s'", command->cuda_path);
  if (command->compare_model && !command->results)
    fail(p, "'--compare-model' needs '--results=DIR'");
  if (command->record && command->no_record)
    fail(p, "'--record' and '--no-record' exclude each other");
  if (command->require_gpu && command->backend == PL_BACKEND_CPU)
    fail(p, "'--require-gpu' and '--backend=cpu' exclude each other");
}

static void check_merge(parser *p) {
  if (p->command->ninputs == 0)
    fail(p, "'report merge' needs reports: JSON files that '--report' wrote");
}

/* The program is the input, and its launches are the description. */
static void check_program(parser *p) {
  const pl_command *command = p->command;
  const char *lonely = command->build        ? "--build"
                       : command->run        ? "--run"
                       : command->max_checks ? "--max-checks"
                                             : NULL;
  if (!command->program) {
    if (lonely)
      fail(p, "'%s' needs '--program=FILE'", lonely);
    return;
  }
  const char *other = command->ninputs                      ? command->inputs[0]
                      : command->launch                     ? "--launch"
                      : command->all_variants               ? "--all-variants"
                      : command->results                    ? "--results"
                      : command->backend == PL_BACKEND_CPU ? "--backend=cpu"
                                                            : NULL;
  if (command->bench || command->tune)
    fail(p, "'--program' is an option of 'pipelinify validate'");
  if (other)
    fail(p, "'--program' and '%s' exclude each other", other);
  if (command->report && command->prepare)
    fail(p, "'--prepare' packs the program; there is nothing to '--report' yet");
}

static bool needs_no_input(const pl_command *command) {
  return command->help || command->version || command->explain ||
         command->dump_config || command->verify_config ||
         command->completion;
}

static void check_command(parser *p) {
  if (needs_no_input(p->command))
    return;
  if (p->command->merge) {
    check_merge(p);
    return;
  }
  check_program(p);
  check_results(p);
  if (p->command->results)
    return;
  check_inputs(p);
  check_stages(p);
  check_values(p);
  check_build(p);
}

/* What says how to pipeline and what to remember, and nothing that says where
 * results go. */
static bool is_configurable(const option_row *row) {
  return row->group == GROUP_PIPELINE || row->group == GROUP_CACHE;
}

static const option_row *find_long(const char *key) {
  for (size_t i = 0; i < OPTION_COUNT; i++)
    if (option_table[i].long_name && !strcmp(option_table[i].long_name + 2, key))
      return &option_table[i];
  return NULL;
}

/* The option that a .pipelinify calls so, NULL: none that it may set. */
static const option_row *key_row(const char *key) {
  const option_row *row = find_long(key);
  return row && is_configurable(row) ? row : NULL;
}

/* What follows `--`; an -arch there counts where none came before. */
static void parse_clang_flags(parser *p) {
  pl_command *command = p->command;
  const char *const *flags = (const char *const *)p->next;
  command->flags = flags;
  command->nflags = (size_t)(p->end - p->next);
  command->clang = pl_clang_flags_from(flags, (size_t)(p->end - p->next));
  if (command->arch || !pl_arch_find(command->clang.arch))
    return;
  command->arch = command->clang.arch;
  command->given[key_row("gpu-architecture") - option_table] = true;
}

const char *pl_option_configurable(size_t index) {
  for (size_t i = 0; i < OPTION_COUNT; i++)
    if (is_configurable(&option_table[i]) && index-- == 0)
      return option_table[i].long_name + 2;
  return NULL;
}

bool pl_option_given(const pl_command *command, const char *key) {
  const option_row *row = key_row(key);
  return row && command->given[row - option_table];
}

/* A switch in a file has a word behind it. */
static void set_switch(parser *p, const option_row *row, const char *key,
                       const char *value) {
  static const char *const words[] = {"no", "yes", "false", "true",
                                      "off", "on", "0", "1", NULL};
  int index = pick(p, key, value, words, "yes or no");
  *(bool *)((char *)p->command + row->member) = index > 0 && index % 2;
}

static void fail_unknown_key(parser *p, const char *key) {
  pl_suggestion suggestion = {.wanted = key};
  pl_suggest(&suggestion, "extra-arg");
  for (size_t i = 0; pl_option_configurable(i); i++)
    pl_suggest(&suggestion, pl_option_configurable(i));
  if (find_long(key))
    fail(p, "'%s' belongs on the command line", key);
  else if (suggestion.best)
    fail(p, "unknown name '%s'; did you mean '%s'?", key, suggestion.best);
  else
    fail(p, "unknown name '%s'; see 'pipelinify --dump-config'", key);
}

char *pl_option_set(pl_command *command, const char *key, const char *value) {
  char *message = NULL;
  size_t size;
  FILE *err = open_memstream(&message, &size);
  parser p = {.command = command, .err = err, .in_file = true};
  const option_row *row = key_row(key);
  if (!err)
    abort();
  if (!row)
    fail_unknown_key(&p, key);
  else if (row->kind == ACTION_FLAG)
    set_switch(&p, row, key, value);
  else
    apply_option(&p, row, key, value);
  fclose(err);
  if (p.failed)
    return message;
  free(message);
  return NULL;
}

static pl_command *new_command(size_t words) {
  pl_command *command = pl_alloc(1, sizeof *command);
  command->inputs = pl_alloc(words, sizeof *command->inputs);
  command->kernels = pl_alloc(words, sizeof *command->kernels);
  command->repeated = pl_alloc(words, sizeof *command->repeated);
  command->extra_args = pl_alloc(words, sizeof *command->extra_args);
  command->given = pl_alloc(OPTION_COUNT, sizeof *command->given);
  command->min_gain = 0.01;
  command->excludes = pl_alloc(words, sizeof *command->excludes);
  command->jobs = 1;
  command->timeout = 120;
  command->cache_size = (int64_t)512 << 20;
  return command;
}

pl_command *pl_command_new(void) { return new_command(1); }

static bool is_word(const pl_words *words, size_t index, const char *word) {
  return index < words->count && strcmp(words->items[index], word) == 0;
}

/* How many words it takes. */
static int take_subcommand(pl_command *command, const pl_words *words) {
  command->bench = is_word(words, 0, "bench");
  command->tune = is_word(words, 0, "tune");
  command->validate = command->bench || command->tune ||
                      is_word(words, 0, "validate");
  command->merge = is_word(words, 0, "report") && is_word(words, 1, "merge");
  return command->merge ? 2 : command->validate;
}

/* `report merg` is no file called "report". */
static void check_report_word(parser *p, const pl_words *words) {
  pl_suggestion suggestion = {
      .wanted = words->count > 1 ? words->items[1] : ""};
  pl_suggest(&suggestion, "merge");
  if (is_word(words, 0, "report") && suggestion.best && !p->command->merge)
    fail(p, "unknown command 'report %s'; did you mean 'report merge'?",
         suggestion.wanted);
}

/* The words of argv, with those of the files that it names. */
static void read_words(parser *p, int argc, char *const *argv) {
  pl_words words = {0};
  for (int i = 1; i < argc; i++)
    pl_words_add(&words, argv[i]);
  char *problem = pl_words_expand_arguments(&words);
  p->command = new_command(words.count + 1);
  p->command->words = words;
  if (problem)
    fail(p, "%s", problem);
  free(problem);
  p->end = words.items + words.count;
  p->next = words.items + take_subcommand(p->command, &words);
  check_report_word(p, &words);
}

pl_command *pl_command_parse(int argc, char *const *argv, FILE *err) {
  parser p = {.err = err};
  read_words(&p, argc, argv);
  parse_words(&p);
  if (!p.failed)
    parse_clang_flags(&p);
  if (!p.failed)
    check_command(&p);
  if (!p.failed)
    return p.command;
  pl_command_free(p.command);
  return NULL;
}

void pl_command_free(pl_command *command) {
  if (!command)
    return;
  pl_clang_flags_free(&command->clang);
  pl_words_free(&command->words);
  free(command->inputs);
  free(command->kernels);
  free(command->repeated);
  free(command->extra_args);
  free(command->given);
  free(command->excludes);
  free(command);
}

bool pl_option_at(size_t index, pl_option_info *info) {
  if (index >= OPTION_COUNT)
    return false;
  const option_row *row = &option_table[index];
  *info = (pl_option_info){row->short_name, row->long_name, row->value,
                           value_optional(row), row->help,
                           group_table[row->group].title};
  return true;
}
