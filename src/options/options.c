/* options.c - see options.h.
 *
 * Words to a command. option_table.c knows the options, option_check.c what
 * does not go together. */
#define _GNU_SOURCE
#include "option_table.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "text.h"

static const char *option_value(pl_parser *p, const pl_option_row *row,
                                const char *word, const char *rest) {
  const char *value = NULL;
  if (*rest)
    value = rest + (*rest == '=');
  else if (pl_option_value_optional(row))
    return "";
  else if (p->next < p->end)
    value = *p->next++;
  if (value && (*value || !pl_option_names_file(row)))
    return value;
  pl_fail(p, "'%s' needs %s", word, row->value);
  return "";
}

/* Keeps the words from `first` to those that come next. */
static void repeat(pl_parser *p, const pl_option_row *row, char *const *first) {
  pl_command *command = p->command;
  for (; pl_option_repeated(row) && first < p->next; first++)
    command->repeated[command->nrepeated++] = *first;
}

static const char *own(pl_command *command, char *word) {
  pl_words_add(&command->made, word);
  free(word);
  return command->made.items[command->made.count - 1];
}

static void add_extra(pl_parser *p, const char *word) {
  pl_command *command = p->command;
  command->extra_args[command->nextra_args++] = word;
  command->repeated[command->nrepeated++] =
      own(command, pl_format("--extra-arg=%s", word));
}

/* -gencode arch=compute_90,code=sm_90: the least of several, as behind `--`. */
static void note_arch(pl_parser *p, const char *name, const char *value) {
  int arch = value ? pl_arch_number(value) : 0;
  if (!pl_arch_find(arch)) {
    pl_fail(p, "'%s' is no architecture for '%s'", value ? value : "", name);
    return;
  }
  if (!p->command->arch || arch < p->command->arch)
    p->command->arch = arch;
  pl_option_note_given(p->command, pl_option_of_key("gpu-architecture"));
}

/* What people give nvcc without thinking of `--`: -Idir, -I dir, -DX, -isystem
 * dir, -std=c++17, -gencode. */
static bool parse_compiler_flag(pl_parser *p, const char *word) {
  static const char *const letters[] = {"-I", "-D", "-U"};
  static const char *const pairs[] = {"-isystem", "-include"};
  static const char *const archs[] = {"-gencode", "--generate-code"};
  const char *next = p->next < p->end ? *p->next : NULL;
  for (size_t i = 0; i < 3; i++)
    if (pl_starts_with(word, letters[i])) {
      bool alone = !word[2];
      p->next += alone && next;
      add_extra(p, !alone ? word
                          : own(p->command, pl_format("%s%s", word,
                                                      next ? next : "")));
      return true;
    }
  for (size_t i = 0; i < 2; i++)
    if (strcmp(word, pairs[i]) == 0 && next) {
      add_extra(p, word);
      add_extra(p, *p->next++);
      return true;
    }
  for (size_t i = 0; i < 2; i++) {
    size_t n = strlen(archs[i]);
    if (strncmp(word, archs[i], n) == 0 && (!word[n] || word[n] == '=')) {
      p->next += !word[n] && next;
      note_arch(p, archs[i], word[n] ? word + n + 1 : next);
      return true;
    }
  }
  if (!pl_starts_with(word, "-std="))
    return false;
  add_extra(p, word);
  return true;
}

static void parse_option(pl_parser *p, const char *word) {
  char *const *first = p->next - 1;
  const char *rest, *value = NULL;
  const pl_option_row *row = pl_option_find(word, &rest);
  if (!row && !p->command->merge && !p->command->join &&
      parse_compiler_flag(p, word))
    return;
  if (!row) {
    pl_fail_unknown(p, word);
    return;
  }
  char *name = pl_format("%.*s", (int)(rest - word), word);
  if (!pl_option_belongs(p, row))
    pl_fail(p,
            p->command->merge  ? "'%s' is no option of 'report merge'"
            : p->command->join ? "'%s' is no option of 'record merge'"
            : p->command->lint ? "'%s' is no option of 'lint'"
            : p->command->compare
                ? "'%s' is no option of 'compare'"
            : p->command->validate
                ? "'%s' is no option of 'validate'"
                : "'%s' is an option of 'pipelinify validate'",
            name);
  else if (row->value)
    value = option_value(p, row, name, rest);
  else if (*rest)
    pl_fail(p, "'%s' takes no value", name);
  if (!p->failed) {
    pl_option_apply(p, row, name, value);
    pl_option_note_given(p->command, row);
    repeat(p, row, first);
  }
  free(name);
}

static void parse_words(pl_parser *p) {
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

/* What follows `--`; an -arch there counts where none came before. */
static void parse_clang_flags(pl_parser *p) {
  pl_command *command = p->command;
  const char *const *flags = (const char *const *)p->next;
  command->flags = flags;
  command->nflags = (size_t)(p->end - p->next);
  command->clang = pl_clang_flags_from(flags, (size_t)(p->end - p->next));
  if (command->arch || !pl_arch_find(command->clang.arch))
    return;
  command->arch = command->clang.arch;
  pl_option_note_given(command, pl_option_of_key("gpu-architecture"));
}

static pl_command *new_command(size_t words) {
  pl_command *command = pl_alloc(1, sizeof *command);
  command->inputs = pl_alloc(words, sizeof *command->inputs);
  command->kernels = pl_alloc(words, sizeof *command->kernels);
  command->repeated = pl_alloc(2 * words, sizeof *command->repeated);
  command->extra_args = pl_alloc(words, sizeof *command->extra_args);
  command->given = pl_alloc(pl_option_count(), sizeof *command->given);
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
  command->compare = is_word(words, 0, "compare");
  command->validate = command->bench || command->tune || command->compare ||
                      is_word(words, 0, "validate");
  command->merge = is_word(words, 0, "report") && is_word(words, 1, "merge");
  command->join = is_word(words, 0, "record") && is_word(words, 1, "merge");
  command->doctor = is_word(words, 0, "doctor");
  command->start = is_word(words, 0, "init");
  command->lint = is_word(words, 0, "lint");
  return command->merge || command->join ? 2
                        : command->validate || command->doctor || command->start ||
                              command->lint;
}

/* `report merg` is no file called "report". */
static void check_merge_word(pl_parser *p, const pl_words *words) {
  static const char *const what[] = {"report", "record"};
  pl_suggestion suggestion = {
      .wanted = words->count > 1 ? words->items[1] : ""};
  pl_suggest(&suggestion, "merge");
  for (size_t i = 0; i < sizeof what / sizeof *what; i++)
    if (!is_word(words, 0, what[i]) || p->command->merge || p->command->join)
      continue;
    else if (words->count == 1 && access(what[i], F_OK) != 0)
      pl_fail(p, "no file or command '%s'; did you mean 'pipelinify %s merge'?", what[i],
              what[i]);
    else if (suggestion.best)
      pl_fail(p, "unknown command '%s %s'; did you mean '%s merge'?", what[i],
              suggestion.wanted, what[i]);
}

/* `valdate k.cu`: no file of that name is there, and a command of nearly that
 * name is. */
static void check_command_word(pl_parser *p, const pl_words *words) {
  static const char *const commands[] = {"validate", "compare", "bench",  "tune", "report",
                                         "record",   "doctor",  "init",   "lint"};
  const char *word = words->count ? words->items[0] : "";
  pl_suggestion suggestion = {.wanted = word};
  if (!*word || strpbrk(word, "-./") || access(word, F_OK) == 0)
    return;
  if (strcmp(word, "help") == 0)
    pl_fail(p, "no file or command 'help'; did you mean 'pipelinify --help'?");
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    pl_suggest(&suggestion, commands[i]);
  if (suggestion.best && strcmp(suggestion.best, word) != 0)
    pl_fail(p, "no file or command '%s'; did you mean 'pipelinify %s'?", word,
            suggestion.best);
}

/* The words of argv, with those of the files that it names. */
static void read_words(pl_parser *p, int argc, char *const *argv) {
  pl_words words = {0};
  for (int i = 1; i < argc; i++)
    pl_words_add(&words, argv[i]);
  char *problem = pl_words_expand_arguments(&words);
  p->command = new_command(words.count + 1);
  p->command->words = words;
  if (problem)
    pl_fail(p, "%s", problem);
  free(problem);
  p->end = words.items + words.count;
  p->next = words.items + take_subcommand(p->command, &words);
  check_merge_word(p, &words);
  check_command_word(p, &words);
}

pl_command *pl_command_parse(int argc, char *const *argv, FILE *err) {
  pl_parser p = {.err = err};
  read_words(&p, argc, argv);
  parse_words(&p);
  if (!p.failed)
    parse_clang_flags(&p);
  if (!p.failed)
    pl_option_check(&p);
  if (!p.failed)
    return p.command;
  pl_command_free(p.command);
  return NULL;
}

static bool needs_quotes(const char *word) {
  size_t plain = strspn(word, "abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./%@");
  return !*word || word[plain];
}

static void print_word(FILE *out, const char *word) {
  bool quoted = needs_quotes(word);
  fputs(quoted ? " '" : " ", out);
  for (const char *c = word; *c; c++)
    fprintf(out, *c == '\'' ? "'\\''" : "%c", *c);
  fputs(quoted ? "'" : "", out);
}

char *pl_command_text(const pl_command *command) {
  char *text;
  size_t size;
  FILE *out = pl_open_text(&text, &size);
  fputs("pipelinify", out);
  for (size_t i = 0; i < command->words.count; i++)
    print_word(out, command->words.items[i]);
  fclose(out);
  return text;
}

char *pl_command_again(const pl_command *command, const char *run) {
  char *text, *option = pl_format("--replay=%s", run);
  size_t size;
  bool said = false;
  FILE *out = pl_open_text(&text, &size);
  fputs("pipelinify", out);
  for (size_t i = 0; i < command->words.count; i++) {
    const char *word = command->words.items[i];
    bool flags = strcmp(word, "--") == 0;
    if (!said && (flags || pl_starts_with(word, "--replay"))) {
      print_word(out, option);
      said = true;
      i += strcmp(word, "--replay") == 0;
    }
    if (flags || !pl_starts_with(word, "--replay"))
      print_word(out, word);
  }
  if (!said)
    print_word(out, option);
  fclose(out);
  free(option);
  return text;
}

void pl_command_free(pl_command *command) {
  if (!command)
    return;
  pl_clang_flags_free(&command->clang);
  pl_words_free(&command->words);
  pl_words_free(&command->made);
  free(command->inputs);
  free(command->kernels);
  free(command->repeated);
  free(command->extra_args);
  free(command->given);
  free(command->excludes);
  free(command);
}
