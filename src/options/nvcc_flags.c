/* nvcc_flags.c - see nvcc_flags.h. */
#include "nvcc_flags.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "text.h"

typedef enum flag_action {
  DROP, VALUE, JOINED, PASS, RENAME, LIST, ARCH, HOST
} flag_action;

typedef struct flag_row {
  const char *long_name, *short_name;
  flag_action action;
  const char *clang;
} flag_row;

static const flag_row flag_table[] = {
#define PL_FLAG(long_name, short_name, action, clang) \
  {long_name, short_name, action, clang},
#include "nvcc_flags.def"
#undef PL_FLAG
};

#define FLAG_COUNT (sizeof flag_table / sizeof *flag_table)

/* The words that are left to translate. */
typedef struct flag_reader {
  const char *const *next, *const *end;
  pl_clang_flags *out;
} flag_reader;

static bool is_letter_flag(const char *name) {
  return name && strlen(name) == 2;
}

/* What follows a flag's name within the word: "" for the name alone, "90" for
 * `-arch=90`, "FOO" for `-DFOO`; NULL where the word is another flag. */
static const char *match_name(const char *word, const char *name,
                              bool joined) {
  if (!name || !pl_starts_with(word, name))
    return NULL;
  const char *rest = word + strlen(name);
  if (*rest == '=')
    return rest + 1;
  return !*rest || joined ? rest : NULL;
}

/* Whether the value may stand right behind the short name. */
static bool takes_joined(const flag_row *row) {
  return row->action == JOINED ||
         (row->action == LIST && is_letter_flag(row->short_name));
}

static const char *match_row(const char *word, const flag_row *row) {
  const char *rest = match_name(word, row->long_name, false);
  return rest ? rest : match_name(word, row->short_name, takes_joined(row));
}

static const flag_row *find_row(const char *word, const char **rest) {
  for (size_t i = 0; i < FLAG_COUNT; i++)
    if ((*rest = match_row(word, &flag_table[i])))
      return &flag_table[i];
  return NULL;
}

static void add_argument(pl_clang_flags *out, const char *word) {
  out->arguments = pl_resize(out->arguments, out->count + 1,
                             sizeof *out->arguments);
  out->arguments[out->count++] = word;
}

static void add_dropped(pl_clang_flags *out, const char *word) {
  out->dropped = pl_resize(out->dropped, out->ndropped + 1,
                           sizeof *out->dropped);
  out->dropped[out->ndropped++] = word;
}

static const char *keep_word(pl_clang_flags *out, char *word) {
  out->owned = pl_resize(out->owned, out->nowned + 1, sizeof *out->owned);
  return out->owned[out->nowned++] = word;
}

/* `-D` and `FOO` become one word, `-isystem` and `dir` two. */
static void add_prefixed(pl_clang_flags *out, const char *prefix,
                         const char *value) {
  bool one_word = is_letter_flag(prefix) || pl_ends_with(prefix, "=");
  if (one_word) {
    add_argument(out, keep_word(out, pl_format("%s%s", prefix, value)));
    return;
  }
  add_argument(out, prefix);
  add_argument(out, value);
}

/* Calls `each` for every comma-separated piece. `-DF(a,b)=a` stays whole:
 * clang takes it and nvcc does not. */
static void split_list(pl_clang_flags *out, const char *list,
                       const char *prefix,
                       void (*each)(pl_clang_flags *, const char *,
                                    const char *)) {
  if (strchr(list, '(')) {
    each(out, prefix, list);
    return;
  }
  for (const char *start = list;;) {
    size_t length = strcspn(start, ",");
    each(out, prefix,
         keep_word(out, pl_format("%.*s", (int)length, start)));
    if (!start[length])
      return;
    start += length + 1;
  }
}

/* Of the host compiler's options only those of its preprocessor matter. */
static void add_host_option(pl_clang_flags *out, const char *prefix,
                            const char *option) {
  (void)prefix;
  bool wanted = pl_starts_with(option, "-D") || pl_starts_with(option, "-U") ||
                pl_starts_with(option, "-I");
  if (wanted)
    add_argument(out, option);
  else
    add_dropped(out, option);
}

/* 90 of "90", "90a" and "90,code=sm_90"; 0 of "9x". */
static int leading_number(const char *digits) {
  const char *rest = digits + strspn(digits, "0123456789");
  if (rest == digits)
    return 0;
  rest += *rest == 'a' || *rest == 'f';
  return !*rest || *rest == ',' ? atoi(digits) : 0;
}

int pl_arch_number(const char *text) {
  const char *prefixes[] = {"sm_", "compute_", "lto_"};
  if (pl_starts_with(text, "arch="))
    text += strlen("arch=");
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (pl_starts_with(text, prefixes[i]))
      return leading_number(text + strlen(prefixes[i]));
  return leading_number(text);
}

/* The smallest architecture of several: the code has to run on each. */
static void note_arch(pl_clang_flags *out, const char *value) {
  int arch = pl_arch_number(value);
  if (arch && (!out->arch || arch < out->arch))
    out->arch = arch;
}

/* What goes with a flag: behind its name, or the next word. */
static const char *flag_value(flag_reader *reader, const char *rest) {
  if (*rest)
    return rest;
  return reader->next < reader->end ? *reader->next++ : "";
}

static void drop_with_value(flag_reader *reader, const char *word,
                            const char *rest) {
  add_dropped(reader->out, word);
  if (!*rest && reader->next < reader->end)
    add_dropped(reader->out, *reader->next++);
}

static void pass_with_value(flag_reader *reader, const char *word,
                            const char *rest) {
  add_argument(reader->out, word);
  if (!*rest && reader->next < reader->end)
    add_argument(reader->out, *reader->next++);
}

/* `-l m` and `-L dir` have a second word, `-O` has none. */
static void drop_joined(flag_reader *reader, const flag_row *row,
                        const char *word, const char *rest) {
  if (row->long_name)
    drop_with_value(reader, word, rest);
  else
    add_dropped(reader->out, word);
}

static void apply_row(flag_reader *reader, const flag_row *row,
                      const char *word, const char *rest) {
  pl_clang_flags *out = reader->out;
  switch (row->action) {
  case DROP: add_dropped(out, word); break;
  case VALUE: drop_with_value(reader, word, rest); break;
  case JOINED: drop_joined(reader, row, word, rest); break;
  case PASS: pass_with_value(reader, word, rest); break;
  case RENAME: add_prefixed(out, row->clang, flag_value(reader, rest)); break;
  case ARCH: note_arch(out, flag_value(reader, rest)); break;
  case LIST:
    split_list(out, flag_value(reader, rest), row->clang, add_prefixed);
    break;
  case HOST:
    split_list(out, flag_value(reader, rest), NULL, add_host_option);
    break;
  }
}

/* A flag that is in no table is clang's; a word that is no flag is the rest of
 * a pasted command line: the compiler's name or an input. */
static void translate_word(flag_reader *reader) {
  const char *word = *reader->next++, *rest;
  const flag_row *row = find_row(word, &rest);
  if (row)
    apply_row(reader, row, word, rest);
  else if (word[0] == '-')
    add_argument(reader->out, word);
  else
    add_dropped(reader->out, word);
}

pl_clang_flags pl_clang_flags_from(const char *const *flags, size_t count) {
  pl_clang_flags out = {0};
  flag_reader reader = {flags, flags + count, &out};
  while (reader.next < reader.end)
    translate_word(&reader);
  return out;
}

static bool has_value(const flag_row *row) {
  bool joined_only = row->action == JOINED && !row->long_name; /* -O3 */
  return row->action != DROP && !joined_only;
}

bool pl_nvcc_word_read(const char *const *words, size_t count,
                       pl_nvcc_word *word) {
  const char *rest = NULL;
  const flag_row *row = count ? find_row(words[0], &rest) : NULL;
  if (!row)
    return false;
  bool next = has_value(row) && !*rest && count > 1;
  *word = (pl_nvcc_word){
      .name = row->long_name ? row->long_name : row->short_name,
      .value = *rest ? rest : next ? words[1] : NULL,
      .words = next ? 2 : 1};
  return true;
}

/* Of `-Idir` and `-I dir` what stands before dir: the length of the joined
 * form, or of the whole word; 0 for flags without a path. */
static size_t path_flag(const char *word) {
  static const char *const names[] = {"-I", "-isystem", "-iquote",
                                      "-idirafter", "-isysroot"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (pl_starts_with(word, names[i]))
      return strlen(names[i]);
  return 0;
}

/* A file that -include names is looked for on the include path too. */
static bool names_file_in(const char *flag, const char *directory,
                          const char *file) {
  if (strcmp(flag, "-include") != 0 && strcmp(flag, "-imacros") != 0)
    return false;
  char *path = pl_format("%s/%s", directory, file);
  bool there = access(path, R_OK) == 0;
  free(path);
  return there;
}

void pl_clang_flags_rebase(pl_clang_flags *flags, const char *directory) {
  for (size_t i = 0; i < flags->count; i++) {
    const char *word = flags->arguments[i];
    size_t flag = path_flag(word);
    bool joined = flag && word[flag];
    const char *path = joined ? word + flag
                              : i + 1 < flags->count ? flags->arguments[i + 1]
                                                     : NULL;
    bool has_path = flag || (path && names_file_in(word, directory, path));
    if (!has_path || !path)
      continue;
    i += !joined;
    if (*path != '/')
      flags->arguments[i] = keep_word(
          flags, pl_format("%.*s%s/%s", joined ? (int)flag : 0, word,
                           directory, path));
  }
}

/* `c++20`, and `gnu++2a` as the compilers called it before. */
static int standard_year(const char *name) {
  const char *year = strstr(name, "++");
  if (!year)
    return 0;
  if (!strcmp(year, "++2a"))
    return 20;
  return !strcmp(year, "++2b") ? 23 : atoi(year + 2);
}

int pl_clang_flags_standard(const pl_clang_flags *flags) {
  int year = 0;
  for (size_t i = 0; i < flags->count; i++)
    if (pl_starts_with(flags->arguments[i], "-std="))
      year = standard_year(flags->arguments[i]);
  return year > 17 && year < 98 ? year : 0;
}

void pl_clang_flags_free(pl_clang_flags *flags) {
  for (size_t i = 0; i < flags->nowned; i++)
    free(flags->owned[i]);
  free(flags->owned);
  free(flags->arguments);
  free(flags->dropped);
  *flags = (pl_clang_flags){0};
}
