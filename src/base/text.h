/* text.h - the few string helpers that the C library lacks. */
#ifndef PL_TEXT_H
#define PL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* printf into fresh memory. Free with free. */
char *pl_format(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

bool pl_starts_with(const char *text, const char *prefix);
bool pl_ends_with(const char *text, const char *suffix);

/* What follows the last slash; the last colon. */
const char *pl_base_name(const char *path);
const char *pl_unqualified(const char *name);

/* A whole decimal number between `low` and `high`, nothing after it. */
bool pl_parse_number(const char *text, long long low, long long high,
                     long long *number);

/* Insertions, deletions, replacements and swaps that turn `a` into `b`. */
size_t pl_edit_distance(const char *a, const char *b);

/* Keeps the nearest of the candidates that it is offered. Start with
 * {.wanted = text}; `best` is NULL while none is near enough to suggest, or shares a
 * character. */
typedef struct pl_suggestion {
  const char *wanted;
  const char *best;
  size_t distance;
} pl_suggestion;
void pl_suggest(pl_suggestion *suggestion, const char *candidate);

#endif
