/* words.c - see words.h. */
#include "words.h"

#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "text.h"

enum { DEPTH = 8 }; /* of files that name files */

static void add_owned(pl_words *words, char *word) {
  words->items = realloc(words->items,
                         (words->count + 1) * sizeof *words->items);
  if (!words->items)
    abort();
  words->items[words->count++] = word;
}

void pl_words_add(pl_words *words, const char *word) {
  add_owned(words, pl_format("%s", word));
}

static bool is_blank(char c) { return c && strchr(" \t\r\n", c); }

/* Copies one word without its quotes; returns where it ends. */
static const char *copy_word(const char *from, char *to) {
  char quote = 0;
  for (; *from && (quote || !is_blank(*from)); from++) {
    bool escapes = *from == '\\' && from[1] && quote != '\'' &&
                   (!quote || strchr("\"\\$`", from[1]));
    if (escapes)
      *to++ = *++from;
    else if (quote ? *from == quote : *from == '"' || *from == '\'')
      quote = quote ? 0 : *from;
    else
      *to++ = *from;
  }
  *to = 0;
  return from;
}

void pl_words_split(pl_words *words, const char *text) {
  while (is_blank(*text))
    text++;
  while (*text) {
    char *word = pl_alloc(strlen(text) + 1, 1);
    text = copy_word(text, word);
    add_owned(words, word);
    while (is_blank(*text))
      text++;
  }
}

void pl_words_free(pl_words *words) {
  for (size_t i = 0; i < words->count; i++)
    free(words->items[i]);
  free(words->items);
  *words = (pl_words){0};
}

static bool add_file(pl_words *out, const char *directory, const char *name,
                     int depth);

/* The file that words[i] names, and in `used` how many words that takes. */
static const char *options_file(const pl_words *words, size_t i,
                                size_t *used) {
  static const char *const names[] = {"--options-file", "-optf"};
  const char *word = words->items[i];
  *used = 1;
  if (word[0] == '@')
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

static void expand(pl_words *out, const pl_words *words,
                   const char *directory, int depth) {
  size_t used;
  for (size_t i = 0; i < words->count; i++) {
    const char *name = options_file(words, i, &used);
    if (name && add_file(out, directory, name, depth))
      i += used - 1;
    else
      pl_words_add(out, words->items[i]);
  }
}

static bool add_file(pl_words *out, const char *directory, const char *name,
                     int depth) {
  char *path = name[0] == '/' ? pl_format("%s", name)
                              : pl_format("%s/%s", directory, name);
  pl_bytes bytes;
  bool read = depth < DEPTH && pl_read_file(path, &bytes);
  free(path);
  if (!read)
    return false;
  pl_words inner = {0};
  pl_words_split(&inner, bytes.data);
  expand(out, &inner, directory, depth + 1);
  pl_words_free(&inner);
  free(bytes.data);
  return true;
}

void pl_words_expand(pl_words *words, const char *directory) {
  pl_words out = {0};
  expand(&out, words, directory, 0);
  pl_words_free(words);
  *words = out;
}
