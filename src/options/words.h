/* words.h - command lines kept as text: words between blanks, quotes and
 * backslashes as the shell has them, and files of such words. */
#ifndef PL_WORDS_H
#define PL_WORDS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pl_words {
  char **items; /* owned */
  size_t count;
} pl_words;

void pl_words_add(pl_words *words, const char *word);
/* Adds the words of a text. */
void pl_words_split(pl_words *words, const char *text);
/* Puts the words of the files that `@FILE`, `--options-file FILE` and `-optf
 * FILE` name in their place; relative ones are below `directory`. A file that
 * is not there stays a word. */
void pl_words_expand(pl_words *words, const char *directory);
/* The same for the words of a command line, the files in LLVM's grammar and
 * below the working directory. What is wrong, NULL: nothing; free with free.
 * `@FILE` stays a word where there is no FILE. */
char *pl_words_expand_arguments(pl_words *words);
void pl_words_free(pl_words *words);

#endif
