/* words.c - see words.h. */
#include "words.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "output.h"
#include "text.h"

enum { DEPTH = 8 }; /* of files that name files */

static void add_owned(pl_words *words, char *word) {
  words->items = pl_resize(words->items, words->count + 1,
                           sizeof *words->items);
  words->items[words->count++] = word;
}

void pl_words_add(pl_words *words, const char *word) {
  add_owned(words, pl_format("%s", word));
}

static bool is_blank(char c) { return c && strchr(" \t\r\n", c); }

typedef enum grammar {
  SHELL,   /* a backslash means itself between single quotes, and between double
              ones before most characters */
  RESPONSE /* LLVM's and GCC's: it escapes what follows, wherever it stands */
} grammar;

static bool escapes(const char *at, char quote, grammar g) {
  if (*at != '\\' || !at[1])
    return false;
  return g == RESPONSE || !quote ||
         (quote == '"' && strchr("\"\\$`", at[1]));
}

/* Copies one word without its quotes; returns where it ends. */
static const char *copy_word(const char *from, char *to, grammar g) {
  char quote = 0;
  for (; *from && (quote || !is_blank(*from)); from++) {
    if (escapes(from, quote, g))
      *to++ = *++from;
    else if (quote ? *from == quote : *from == '"' || *from == '\'')
      quote = quote ? 0 : *from;
    else
      *to++ = *from;
  }
  *to = 0;
  return from;
}

static void split(pl_words *words, const char *text, grammar g) {
  while (is_blank(*text))
    text++;
  while (*text) {
    char *word = pl_alloc(strlen(text) + 1, 1);
    text = copy_word(text, word, g);
    add_owned(words, word);
    while (is_blank(*text))
      text++;
  }
}

void pl_words_split(pl_words *words, const char *text) {
  split(words, text, SHELL);
}

void pl_words_free(pl_words *words) {
  for (size_t i = 0; i < words->count; i++)
    free(words->items[i]);
  free(words->items);
  *words = (pl_words){0};
}

/* Files of words on their way into a list. */
typedef struct expansion {
  pl_words *out;
  const char *directory;
  grammar grammar;
  bool strict;   /* what cannot be read is a problem */
  char *problem; /* the first; NULL: none */
} expansion;

static bool add_file(expansion *e, const char *name, bool optional, int depth);

/* The file that words[i] names, and in `used` how many words that takes. */
static const char *options_file(const pl_words *words, size_t i,
                                size_t *used) {
  static const char *const names[] = {"--options-file", "-optf"};
  const char *word = words->items[i];
  *used = 1;
  if (word[0] == '@' && word[1])
    return word + 1;
  for (size_t n = 0; n < 2; n++) {
    size_t length = strlen(names[n]);
    if (!pl_starts_with(word, names[n]))
      continue;
    if (word[length] == '=')
      return word + length + 1;
    *used = 2;
    if (!word[length] && i + 1 < words->count)
      return words->items[i + 1];
  }
  return NULL;
}

static void expand(expansion *e, const pl_words *words, int depth) {
  size_t used;
  for (size_t i = 0; i < words->count && !e->problem; i++) {
    const char *name = options_file(words, i, &used);
    bool optional = words->items[i][0] == '@';
    if (name && add_file(e, name, optional, depth))
      i += used - 1;
    else
      pl_words_add(e->out, words->items[i]);
  }
}

/* As LLVM has it, @FILE stays a word where there is no FILE, and nothing else
 * may go wrong. */
static void note_problem(expansion *e, const char *name, bool optional,
                         int depth) {
  if (!e->strict || (optional && errno == ENOENT && depth < DEPTH))
    return;
  e->problem = depth < DEPTH
                   ? pl_format("%s: %s", name, strerror(errno))
                   : pl_format("%s: files of arguments more than %d deep; does"
                               " one name itself?", name, DEPTH);
}

static bool add_file(expansion *e, const char *name, bool optional,
                     int depth) {
  static const char bom[] = "\xef\xbb\xbf";
  bool below = e->directory && name[0] != '/';
  char *path = below ? pl_format("%s/%s", e->directory, name)
                     : pl_format("%s", name);
  pl_bytes bytes;
  bool read = depth < DEPTH && pl_read_file(path, &bytes);
  free(path);
  if (!read) {
    note_problem(e, name, optional, depth);
    return false;
  }
  pl_words inner = {0};
  split(&inner, bytes.data + (pl_starts_with(bytes.data, bom) ? 3 : 0),
        e->grammar);
  expand(e, &inner, depth + 1);
  pl_words_free(&inner);
  free(bytes.data);
  return true;
}

void pl_words_expand(pl_words *words, const char *directory) {
  pl_words out = {0};
  expansion e = {.out = &out, .directory = directory, .grammar = SHELL};
  expand(&e, words, 0);
  pl_words_free(words);
  *words = out;
}

char *pl_words_expand_arguments(pl_words *words) {
  pl_words out = {0};
  expansion e = {.out = &out, .grammar = RESPONSE, .strict = true};
  expand(&e, words, 0);
  pl_words_free(words);
  *words = out;
  return e.problem;
}
