/* fuzz_diff.c - a diff, applied to the text before, gives the text after.
 *
 * The input is both texts, with a byte 0xFF between them. */
#include "diff.h"
#include "fuzz.h"

#include <stdbool.h>
#include <string.h>

typedef struct text {
  const char *p;
  size_t n;
} text;

/* Takes a line with its newline off the front; empty at the end. */
static text next_line(text *from) {
  const char *newline = from->n ? memchr(from->p, '\n', from->n) : NULL;
  text line = {from->p, newline ? (size_t)(newline - from->p) + 1 : from->n};
  from->p += line.n;
  from->n -= line.n;
  return line;
}

static bool starts(text line, const char *word) {
  size_t n = strlen(word);
  return line.n >= n && memcmp(line.p, word, n) == 0;
}

/* A line of a hunk without its first character; the newline goes where the
 * diff says that the file has none. */
static text content(text line, const text *rest) {
  text inside = {line.p + 1, line.n - 1};
  if (starts(*rest, "\\ No newline") && inside.n)
    inside.n--;
  return inside;
}

static void expect_line(text *before, text wanted) {
  text line = next_line(before);
  CHECK(line.n == wanted.n && memcmp(line.p, wanted.p, line.n) == 0);
}

/* Copies what lies before the hunk: `@@ -first,count +...`. A hunk that takes
 * nothing away names the line that it comes after. */
static void skip_to_hunk(text header, const text *all, text *before,
                         FILE *out) {
  unsigned long first = 0, count = 1;
  CHECK(sscanf(header.p, "@@ -%lu,%lu", &first, &count) >= 1);
  size_t done = 0;
  for (const char *p = all->p; p < before->p; p++)
    done += *p == '\n';
  size_t wanted = count && first ? first - 1 : first;
  CHECK(wanted >= done);
  for (; done < wanted; done++) {
    text line = next_line(before);
    CHECK(line.n);
    fwrite(line.p, 1, line.n, out);
  }
}

/* Applies a unified diff of one file, strictly: no fuzz, no offset. */
static void apply(text diff, text before, FILE *out) {
  text all = before;
  bool in_hunk = false;
  while (diff.n) {
    text line = next_line(&diff);
    if (starts(line, "@@ ")) {
      skip_to_hunk(line, &all, &before, out);
      in_hunk = true;
      continue;
    }
    if (!in_hunk || starts(line, "\\"))
      continue;
    text inside = content(line, &diff);
    if (line.p[0] != '+')
      expect_line(&before, inside);
    if (line.p[0] != '-')
      fwrite(inside.p, 1, inside.n, out);
    CHECK(strchr(" +-", line.p[0]));
  }
  fwrite(before.p, 1, before.n, out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const uint8_t *middle = size ? memchr(data, 0xFF, size) : NULL;
  if (!middle)
    return 0;
  text before = {(const char *)data, (size_t)(middle - data)};
  text after = {(const char *)middle + 1, size - before.n - 1};
  char *diff = NULL, *result = NULL;
  size_t ndiff = 0, nresult = 0;
  FILE *out = open_memstream(&diff, &ndiff);
  bool differs =
      pl_diff_print(out, "a/k.cu", before.p, before.n, after.p, after.n);
  fclose(out);
  CHECK(differs ==
        (before.n != after.n || memcmp(before.p, after.p, after.n) != 0));
  CHECK(differs || ndiff == 0);
  out = open_memstream(&result, &nresult);
  apply((text){diff, ndiff}, before, out);
  fclose(out);
  CHECK(nresult == after.n && memcmp(result, after.p, after.n) == 0);
  free(diff);
  free(result);
  return 0;
}
