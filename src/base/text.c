/* text.c - see text.h. */
#define _GNU_SOURCE
#include "text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

char *pl_format(const char *format, ...) {
  va_list arguments;
  char *text = NULL;
  va_start(arguments, format);
  if (vasprintf(&text, format, arguments) < 0)
    pl_out_of_memory();
  va_end(arguments);
  return text;
}

bool pl_starts_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool pl_ends_with(const char *text, const char *suffix) {
  size_t length = strlen(text), tail = strlen(suffix);
  return length >= tail && strcmp(text + length - tail, suffix) == 0;
}

const char *pl_base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *pl_unqualified(const char *name) {
  const char *colon = strrchr(name, ':');
  return colon ? colon + 1 : name;
}

bool pl_parse_number(const char *text, long long low, long long high,
                     long long *number) {
  char *end;
  errno = 0;
  *number = strtoll(text, &end, 10);
  return end != text && !*end && errno == 0 && *number >= low &&
         *number <= high;
}

static size_t min3(size_t a, size_t b, size_t c) {
  size_t ab = a < b ? a : b;
  return ab < c ? ab : c;
}

/* One cell of the table of optimal string alignment distances, whose rows are
 * `width` wide: row i and column j stand for the first i bytes of `a` and the
 * first j bytes of `b`. */
static size_t distance_cell(const size_t *table, size_t width, const char *a,
                            const char *b, size_t i, size_t j) {
  if (i == 0 || j == 0)
    return i + j;
  const size_t *above = table + (i - 1) * width, *here = table + i * width;
  size_t best = min3(above[j] + 1, here[j - 1] + 1,
                     above[j - 1] + (a[i - 1] != b[j - 1]));
  bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
  if (swapped)
    best = min3(best, best, table[(i - 2) * width + j - 2] + 1);
  return best;
}

size_t pl_edit_distance(const char *a, const char *b) {
  size_t rows = strlen(a) + 1, width = strlen(b) + 1;
  size_t *table = pl_alloc(rows * width, sizeof *table);
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < width; j++)
      table[i * width + j] = distance_cell(table, width, a, b, i, j);
  size_t distance = table[rows * width - 1];
  free(table);
  return distance;
}

/* The dashes in front of options are no likeness. */
static size_t likeness_length(const char *text) {
  return strlen(text + strspn(text, "-"));
}

void pl_suggest(pl_suggestion *suggestion, const char *candidate) {
  size_t limit = likeness_length(suggestion->wanted) / 3 + 1;
  size_t distance = pl_edit_distance(suggestion->wanted, candidate);
  bool nearer = !suggestion->best || distance < suggestion->distance;
  bool alike = distance < likeness_length(suggestion->wanted) &&
               distance < likeness_length(candidate);
  if (distance > limit || !nearer || !alike)
    return;
  suggestion->best = candidate;
  suggestion->distance = distance;
}
