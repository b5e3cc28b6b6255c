/* option_table.c - see option_table.h. */
#define _GNU_SOURCE
#include "option_table.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "environment.h"
#include "text.h"

enum { REWRITE = 1, VALIDATE = 2, BOTH = REWRITE | VALIDATE };

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

/* One message a command line: the first mistake. */
void pl_fail(pl_parser *p, const char *format, ...) {
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

static void add_kernel(pl_parser *p, const char *option, const char *name) {
  (void)option;
  p->command->kernels[p->command->nkernels++] = name;
}

static void add_extra_arg(pl_parser *p, const char *option, const char *flag) {
  (void)option;
  p->command->extra_args[p->command->nextra_args++] = flag;
}

static void add_exclude(pl_parser *p, const char *option, const char *glob) {
  (void)option;
  p->command->excludes[p->command->nexcludes++] = glob;
}

static void set_variant(pl_parser *p, const char *option, const char *name) {
  if (!pl_variant_parse(name, &p->command->variant))
    pl_fail(p, "'%s' is no variant for '%s': %s", name, option,
            pl_variants_listed);
}

/* Stores a number between the bounds. */
static long long number(pl_parser *p, const char *option, const char *text,
                        long long low, long long high) {
  long long value = low;
  if (!pl_parse_number(text, low, high, &value))
    pl_fail(p, "'%s' is no number between %lld and %lld for '%s'", text, low,
            high, option);
  return value;
}

static void set_stages(pl_parser *p, const char *option, const char *text) {
  p->command->stages = (int)number(p, option, text, 2, 8);
}

/* As nvcc does: of the GPU that is here, else the default. */
static void set_native_arch(pl_parser *p, const char *option,
                            const char *text) {
  int arch = strcmp(text, "native") == 0 ? pl_native_arch() : 0;
  (void)option;
  p->command->arch = pl_arch_find(arch) ? arch : 0;
  p->command->arch_word = p->command->arch ? NULL : text;
}

/* `sm90`, `90`: its number; 0: it is nearly none. */
static int nearly_arch(const char *text, int newest) {
  const char *digits = text + strcspn(text, "0123456789");
  int arch = atoi(digits);
  return pl_arch_find(arch) && arch <= newest && !digits[strspn(digits, "0123456789af")]
             ? arch
             : 0;
}

/* Between two that we know it is taken for the older one. */
static void set_arch(pl_parser *p, const char *option, const char *text) {
  if (!strcmp(text, "native") || !strcmp(text, "all") ||
      !strcmp(text, "all-major")) {
    set_native_arch(p, option, text);
    return;
  }
  int arch = p->command->arch = pl_arch_number(text);
  int newest = pl_arch_find(INT_MAX)->sm;
  int near = arch ? 0 : nearly_arch(text, newest);
  if (near)
    pl_fail(p, "'%s' is no architecture for '%s'; did you mean 'sm_%d'?", text, option,
            near);
  if (!arch || !pl_arch_find(arch) || arch > newest)
    pl_fail(p, "'%s' is no architecture for '%s': sm_75 to sm_%d", text,
            option, newest);
}

static void set_max_smem(pl_parser *p, const char *option, const char *text) {
  p->command->max_smem = number(p, option, text, 1, 1 << 30);
}

static void set_block_threads(pl_parser *p, const char *option,
                              const char *text) {
  p->command->block_threads = (int)number(p, option, text, 1, 1024);
}

static void set_row_padding(pl_parser *p, const char *option, const char *text) {
  char *end;
  long bytes = strtol(text, &end, 10);
  p->command->row_padding = (int)bytes;
  if (strcmp(text, "auto") == 0)
    p->command->row_padding = PL_ROW_PADDING_AUTO;
  else if (end == text || *end || bytes < 0 || bytes > 256)
    pl_fail(p, "'%s' is neither auto nor a number between 0 and 256 for '%s'", text,
            option);
}

/* Files of arguments are read before anything is parsed. */
static void take_options_file(pl_parser *p, const char *option,
                              const char *name) {
  pl_fail(p, "'%s' takes the name of a file, not '%s'", option, name);
}

static void set_min_gain(pl_parser *p, const char *option, const char *text) {
  char *end;
  double percent = strtod(text, &end);
  if (end == text || *end || !(percent > -100 && percent <= 1000))
    pl_fail(p, "'%s' is no percentage between -99 and 1000 for '%s'", text,
            option);
  p->command->min_gain = percent / 100;
  p->command->least_gain = 1 + percent / 100;
}

static void set_max_checks(pl_parser *p, const char *option, const char *text) {
  p->command->max_checks = number(p, option, text, 1, 1000000);
}

static void set_jobs(pl_parser *p, const char *option, const char *text) {
  p->command->jobs = (int)number(p, option, text, 0, 1024);
}

/* "2/4" */
static void set_shard(pl_parser *p, const char *option, const char *text) {
  int index = 0, count = 0, end = 0;
  bool good = strspn(text, "0123456789/") == strlen(text) &&
              sscanf(text, "%4d/%4d%n", &index, &count, &end) == 2 &&
              !text[end] && index >= 1 && index <= count;
  if (!good)
    pl_fail(p, "'%s' is no part for '%s': 1/4 is the first of four", text,
            option);
  p->command->shard = index;
  p->command->shards = count;
}

static void set_timeout(pl_parser *p, const char *option, const char *text) {
  p->command->timeout = number(p, option, text, 0, 1000000);
}

static void set_max_memory(pl_parser *p, const char *option, const char *text) {
  p->command->max_memory = number(p, option, text, 0, 1 << 30) << 20;
}

static void set_cache_size(pl_parser *p, const char *option, const char *text) {
  p->command->cache_size = number(p, option, text, 16, 1 << 30) << 20;
}

/* Where `name` stands among the names; -1, and a message, for others. */
int pl_option_pick(pl_parser *p, const char *option, const char *name,
                   const char *const *names, const char *all) {
  for (int i = 0; names[i]; i++)
    if (strcmp(name, names[i]) == 0)
      return i;
  pl_fail(p, "'%s' is no value for '%s': %s", name, option, all);
  return -1;
}

static void set_report_format(pl_parser *p, const char *option,
                              const char *name) {
  static const char *const names[] = {"json", "sarif", "text", "html", NULL};
  int index =
      pl_option_pick(p, option, name, names, "json, sarif, text or html");
  p->command->report_format = (pl_report_format)index;
}

/* Without a value: LLVM's name for a record, after the program. */
static void set_opt_record(pl_parser *p, const char *option, const char *name) {
  (void)option;
  p->command->opt_record = *name ? name : "pipelinify.opt.yaml";
}

static void set_completion(pl_parser *p, const char *option, const char *name) {
  static const char *const names[] = {"bash", "zsh", "fish", NULL};
  if (pl_option_pick(p, option, name, names, "bash, zsh or fish") >= 0)
    p->command->completion = name;
}

static void set_backend(pl_parser *p, const char *option, const char *name) {
  static const char *const names[] = {"auto", "cpu", "gpu", NULL};
  int index = pl_option_pick(p, option, name, names, "auto, cpu or gpu");
  p->command->backend = (pl_backend)index;
}

static void set_color(pl_parser *p, const char *option, const char *name) {
  static const char *const names[] = {"auto", "always", "never", NULL};
  int index = pl_option_pick(p, option, name, names, "auto, always or never");
  p->command->color = (pl_color)index;
}

#define FLAG(member) ACTION_FLAG, offsetof(pl_command, member), 0, NULL
#define TEXT(member) ACTION_TEXT, offsetof(pl_command, member), 0, NULL
#define MODE(mode) ACTION_MODE, 0, mode, NULL
#define MODE_TEXT(mode, member) \
  ACTION_MODE_TEXT, offsetof(pl_command, member), mode, NULL
#define CALL(function) ACTION_CALL, 0, 0, function

static const pl_option_row option_table[] = {
#define PL_GROUP(...)
#define PL_OPTION(group, short_name, long_name, value, action, help) \
  {PL_GROUP_##group, short_name, long_name, value, action, help},
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
static bool match_number(const char *word, const pl_option_row *row) {
  return row->value && strcmp(row->value, "N") == 0 && row->short_name &&
         pl_starts_with(word, row->short_name) &&
         strspn(word + 2, "0123456789") == strlen(word + 2);
}

const pl_option_row *pl_option_find(const char *word, const char **rest) {
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    const pl_option_row *row = &option_table[i];
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

void pl_fail_unknown(pl_parser *p, const char *word) {
  const char *nearest = nearest_option(word);
  if (access(word, F_OK) == 0)
    pl_fail(p, "unknown option '%s'; the file of that name is './%s'", word,
            word);
  else if (nearest)
    pl_fail(p, "unknown option '%s'; did you mean '%s'?", word, nearest);
  else
    pl_fail(p, "unknown option '%s'; see 'pipelinify --help'", word);
}

/* `--check --suffix=_pipe` looks at what `--suffix=_pipe` would write. */
static bool checks_generated(pl_mode a, pl_mode b) {
  return (a == PL_MODE_CHECK && b == PL_MODE_SUFFIX) ||
         (a == PL_MODE_SUFFIX && b == PL_MODE_CHECK);
}

/* Two ways to put the result somewhere contradict each other. */
static void set_mode(pl_parser *p, const pl_option_row *row) {
  pl_command *command = p->command;
  if (checks_generated(command->mode, row->mode)) {
    command->mode = PL_MODE_CHECK;
    return;
  }
  const char *name = row->short_name ? row->short_name : row->long_name;
  if (command->mode_option && command->mode != row->mode)
    pl_fail(p, "'%s' and '%s' exclude each other", command->mode_option, name);
  command->mode = row->mode;
  command->mode_option = name;
}

void pl_option_apply(pl_parser *p, const pl_option_row *row, const char *word,
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
bool pl_option_value_optional(const pl_option_row *row) {
  return row->value && row->value[0] == '[';
}

bool pl_option_names_file(const pl_option_row *row) {
  return row->value && (strcmp(row->value, "FILE") == 0 ||
                        strcmp(row->value, "LIST") == 0 ||
                        (strcmp(row->value, "DIR") == 0 &&
                         row->member != offsetof(pl_command, cuda_path) &&
                         row->member != offsetof(pl_command, cache_dir)));
}

/* What `report merge` and `record merge` understand. */
static bool merges(const pl_command *command, const pl_option_row *row) {
  return row->group == PL_GROUP_GENERAL ||
         (command->merge && row->call == set_report_format) ||
         (row->kind == ACTION_MODE_TEXT && row->mode == PL_MODE_FILE);
}

/* What `lint` understands: what holds for all commands, and how kernels are launched. */
static bool is_of_lint(const pl_option_row *row) {
  return group_table[row->group].commands == BOTH ||
         row->member == offsetof(pl_command, launch);
}

bool pl_option_belongs(const pl_parser *p, const pl_option_row *row) {
  if (p->command->merge || p->command->join)
    return merges(p->command, row);
  if (p->command->lint)
    return is_of_lint(row);
  int command = p->command->validate ? VALIDATE : REWRITE;
  return group_table[row->group].commands & command;
}

bool pl_option_repeated(const pl_option_row *row) {
  switch (row->group) {
  case PL_GROUP_PIPELINE:
  case PL_GROUP_CONFIG:
  case PL_GROUP_CACHE:
  case PL_GROUP_GENERAL: return true;
  case PL_GROUP_SELECT:
    return row->call == add_kernel ||
           row->member == offsetof(pl_command, cuda_path);
  case PL_GROUP_OUTPUT: return row->member == offsetof(pl_command, force);
  default: return false;
  }
}

/* What says how to pipeline and what to remember, and nothing that says where
 * results go. */
static bool is_configurable(const pl_option_row *row) {
  return row->group == PL_GROUP_PIPELINE || row->group == PL_GROUP_CACHE;
}

const pl_option_row *pl_option_of_long(const char *key) {
  for (size_t i = 0; i < OPTION_COUNT; i++)
    if (option_table[i].long_name &&
        !strcmp(option_table[i].long_name + 2, key))
      return &option_table[i];
  return NULL;
}

const pl_option_row *pl_option_of_key(const char *key) {
  const pl_option_row *row = pl_option_of_long(key);
  return row && is_configurable(row) ? row : NULL;
}

const char *pl_option_configurable(size_t index) {
  for (size_t i = 0; i < OPTION_COUNT; i++)
    if (is_configurable(&option_table[i]) && index-- == 0)
      return option_table[i].long_name + 2;
  return NULL;
}

bool pl_option_given(const pl_command *command, const char *key) {
  const pl_option_row *row = pl_option_of_key(key);
  return row && command->given[row - option_table];
}

size_t pl_option_count(void) { return OPTION_COUNT; }

void pl_option_note_given(pl_command *command, const pl_option_row *row) {
  command->given[row - option_table] = true;
}

bool pl_option_at(size_t index, pl_option_info *info) {
  if (index >= OPTION_COUNT)
    return false;
  const pl_option_row *row = &option_table[index];
  *info = (pl_option_info){row->short_name, row->long_name, row->value,
                           pl_option_value_optional(row), row->help,
                           group_table[row->group].title};
  return true;
}
