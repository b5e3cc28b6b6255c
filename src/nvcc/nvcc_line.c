/* nvcc_line.c - see nvcc_line.h.
 *
 * Needs nvcc_flags.def: which words are flags, which of them have a value behind
 * them. Gives places in the command line; the words in files of options are none of
 * those. Raises nothing. */
#include "nvcc_line.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "nvcc_flags.h"
#include "text.h"

/* With these it compiles nothing, or says what it would do, or runs a program that
 * must not run twice. */
static bool only_looks(const char *name) {
  static const char *const names[] = {
      "--preprocess", "--generate-dependencies",
      "--generate-nonsystem-dependencies", "--help", "--version", "--dryrun",
      "--run", "--device-link", "--lib", "--clean-targets"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

static bool writes_depfile(const char *name) {
  return strcmp(name, "--generate-dependencies-with-compile") == 0 ||
         strcmp(name, "--generate-nonsystem-dependencies-with-compile") == 0;
}

static bool is_source(const char *word, bool all_cuda) {
  static const char *const others[] = {".cpp", ".cc", ".cxx", ".c++", ".C",
                                       ".c"};
  bool named = *word != '-' && pl_ends_with(word, ".cu");
  for (size_t i = 0; i < sizeof others / sizeof *others && all_cuda; i++)
    named |= pl_ends_with(word, others[i]);
  return named;
}

/* What a first walk finds. */
typedef struct looked {
  bool all_cuda, no_cuda, only_looks; /* -x cu, -x c++, -E */
} looked;

static void take_flag(pl_nvcc_line *line, looked *l,
                      const pl_nvcc_word *word) {
  const char *value = word->value ? word->value : "";
  l->only_looks |= only_looks(word->name);
  line->makes_depfile |= writes_depfile(word->name);
  if (strcmp(word->name, "--output-file") == 0)
    line->output = value;
  else if (strcmp(word->name, "--output-directory") == 0)
    line->output_dir = value;
  else if (strcmp(word->name, "--dependency-output") == 0)
    line->depfile = value;
  else if (strcmp(word->name, "--x") == 0) {
    l->all_cuda = strcmp(value, "cu") == 0;
    l->no_cuda = !l->all_cuda;
  }
}

/* Flags where `sources` is false, else the words that are none. */
static void walk(pl_nvcc_line *line, looked *l, bool sources) {
  pl_nvcc_word word;
  for (size_t i = 1; i < line->count;) {
    const char *const *at = (const char *const *)line->words + i;
    bool flag = pl_nvcc_word_read(at, line->count - i, &word);
    if (flag && !sources)
      take_flag(line, l, &word);
    else if (!flag && sources && is_source(*at, l->all_cuda))
      line->sources[line->nsources++] = i;
    i += flag ? word.words : 1;
  }
}

pl_nvcc_line pl_nvcc_line_read(char *const *words, size_t count) {
  pl_nvcc_line line = {.words = words, .count = count};
  looked l = {0};
  line.sources = pl_alloc(count, sizeof *line.sources);
  walk(&line, &l, false);
  if (!l.only_looks && !l.no_cuda)
    walk(&line, &l, true);
  return line;
}

void pl_nvcc_line_free(pl_nvcc_line *line) {
  free(line->sources);
  *line = (pl_nvcc_line){0};
}

/* `dir/name` without what follows the last dot, and .d. */
static char *with_d(const char *path) {
  const char *name = pl_base_name(path), *dot = strrchr(name, '.');
  size_t n = dot && dot > name ? (size_t)(dot - path) : strlen(path);
  return pl_format("%.*s.d", (int)n, path);
}

char *pl_nvcc_line_depfile(const pl_nvcc_line *line, const char *source) {
  if (line->depfile)
    return pl_format("%s", line->depfile);
  if (line->output)
    return with_d(line->output);
  char *name = with_d(pl_base_name(source));
  char *path = line->output_dir ? pl_format("%s/%s", line->output_dir, name)
                                : pl_format("%s", name);
  free(name);
  return path;
}
