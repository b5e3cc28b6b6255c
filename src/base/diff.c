/* diff.c - see diff.h.
 *
 * Lines are compared with Myers' greedy algorithm (An O(ND) Difference
 * Algorithm and Its Variations, Algorithmica 1986), after the equal lines at
 * both ends are set aside. */
#define _GNU_SOURCE
#include "diff.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "text.h"

enum { CONTEXT = 3, MOST_CHANGES = 3000 };

typedef struct line {
  const char *start;
  size_t length; /* with its newline */
} line;

typedef struct text_lines {
  line *lines;
  bool *changed; /* lines that the other side lacks */
  int count;
} text_lines;

static int count_lines(const char *text, size_t size) {
  int count = 0;
  for (size_t i = 0; i < size; i++)
    count += text[i] == '\n';
  return count + (size && text[size - 1] != '\n');
}

static text_lines split_lines(const char *text, size_t size) {
  text_lines all = {.count = count_lines(text, size)};
  all.lines = pl_alloc((size_t)all.count, sizeof *all.lines);
  all.changed = pl_alloc((size_t)all.count, sizeof *all.changed);
  const char *end = text + size;
  for (int i = 0; i < all.count; i++) {
    const char *newline = memchr(text, '\n', (size_t)(end - text));
    const char *next = newline ? newline + 1 : end;
    all.lines[i] = (line){text, (size_t)(next - text)};
    text = next;
  }
  return all;
}

static void free_lines(text_lines *all) {
  free(all->lines);
  free(all->changed);
}

static bool same_line(const line *a, const line *b) {
  return a->length == b->length && !memcmp(a->start, b->start, a->length);
}

/* The two texts between their equal ends, and what the search leaves behind:
 * reached[d] holds, for each diagonal k = x - y from -d to d, the furthest x
 * that d changes reach. */
typedef struct search {
  const line *a, *b;
  int n, m;
  int **reached;
} search;

static int follow_equal_lines(const search *s, int x, int y) {
  while (x < s->n && y < s->m && same_line(&s->a[x], &s->b[y])) {
    x++;
    y++;
  }
  return x;
}

/* Whether the best way to diagonal k with d changes ends with an insertion:
 * from diagonal k + 1. `previous` has its diagonal 0 at index d - 1. */
static bool comes_from_above(const int *previous, int d, int k) {
  if (k == -d)
    return true;
  return k != d && previous[k - 1 + d - 1] < previous[k + 1 + d - 1];
}

static int furthest(const search *s, int d, int k) {
  if (d == 0)
    return follow_equal_lines(s, 0, 0);
  const int *previous = s->reached[d - 1];
  int x = comes_from_above(previous, d, k) ? previous[k + 1 + d - 1]
                                           : previous[k - 1 + d - 1] + 1;
  return follow_equal_lines(s, x, x - k);
}

/* One more change on every diagonal; true when the far end is reached. */
static bool search_step(search *s, int d) {
  s->reached[d] = pl_alloc(2 * (size_t)d + 1, sizeof **s->reached);
  for (int k = -d; k <= d; k += 2) {
    int x = furthest(s, d, k);
    s->reached[d][k + d] = x;
    if (x >= s->n && x - k >= s->m)
      return true;
  }
  return false;
}

/* The fewest changes; -1 when there are too many to look for. */
static int search_changes(search *s) {
  for (int d = 0; d <= MOST_CHANGES; d++)
    if (search_step(s, d))
      return d;
  return -1;
}

static void mark_path(const search *s, int d, bool *deleted, bool *inserted) {
  int x = s->n, y = s->m;
  for (; d > 0; d--) {
    int k = x - y;
    const int *previous = s->reached[d - 1];
    bool above = comes_from_above(previous, d, k);
    int from = above ? k + 1 : k - 1;
    x = previous[from + d - 1];
    y = x - from;
    if (above)
      inserted[y] = true;
    else
      deleted[x] = true;
  }
}

static void mark_all(bool *flags, int count) {
  for (int i = 0; i < count; i++)
    flags[i] = true;
}

static void mark_between(search *s, bool *deleted, bool *inserted) {
  s->reached = pl_alloc(MOST_CHANGES + 1, sizeof *s->reached);
  int d = search_changes(s);
  if (d >= 0) {
    mark_path(s, d, deleted, inserted);
  } else {
    mark_all(deleted, s->n);
    mark_all(inserted, s->m);
  }
  for (int i = 0; i <= MOST_CHANGES; i++)
    free(s->reached[i]);
  free(s->reached);
}

static int shorter(int a, int b) { return a < b ? a : b; }

static void mark_changes(text_lines *a, text_lines *b) {
  int least = shorter(a->count, b->count), head = 0, tail = 0;
  while (head < least && same_line(&a->lines[head], &b->lines[head]))
    head++;
  while (tail < least - head && same_line(&a->lines[a->count - 1 - tail],
                                          &b->lines[b->count - 1 - tail]))
    tail++;
  search s = {.a = a->lines + head, .b = b->lines + head,
              .n = a->count - head - tail, .m = b->count - head - tail};
  mark_between(&s, a->changed + head, b->changed + head);
}

/* A place in both texts. */
typedef struct place {
  int a, b;
} place;

static bool changed_at(const text_lines *all, int i) {
  return i < all->count && all->changed[i];
}

/* The first change from here on; both at their ends where there is none. */
static place next_change(const text_lines *a, const text_lines *b, place p) {
  while ((p.a < a->count || p.b < b->count) && !changed_at(a, p.a) &&
         !changed_at(b, p.b)) {
    p.a++;
    p.b++;
  }
  return p;
}

static place end_of_change(const text_lines *a, const text_lines *b, place p) {
  while (changed_at(a, p.a))
    p.a++;
  while (changed_at(b, p.b))
    p.b++;
  return p;
}

/* The end of the hunk that begins with the change at `p`: changes with no more
 * than twice the context between them share a hunk. */
static place end_of_hunk(const text_lines *a, const text_lines *b, place p) {
  for (;;) {
    place end = end_of_change(a, b, p);
    p = next_change(a, b, end);
    if (p.a >= a->count && p.b >= b->count)
      return end;
    if (p.a - end.a > 2 * CONTEXT)
      return end;
  }
}

static void print_line(FILE *out, char sign, const line *l) {
  fputc(sign, out);
  fwrite(l->start, 1, l->length, out);
  if (l->start[l->length - 1] != '\n')
    fputs("\n\\ No newline at end of file\n", out);
}

/* "12,7" as diff writes it: one line has no count, none begins a line early. */
static void print_range(FILE *out, int start, int count) {
  fprintf(out, "%d", count ? start + 1 : start);
  if (count != 1)
    fprintf(out, ",%d", count);
}

static void print_hunk_lines(FILE *out, const text_lines *a,
                             const text_lines *b, place p, place end) {
  while (p.a < end.a || p.b < end.b) {
    while (p.a < end.a && a->changed[p.a])
      print_line(out, '-', &a->lines[p.a++]);
    while (p.b < end.b && b->changed[p.b])
      print_line(out, '+', &b->lines[p.b++]);
    if (p.a < end.a && !a->changed[p.a]) {
      print_line(out, ' ', &a->lines[p.a++]);
      p.b++;
    }
  }
}

static void print_hunk(FILE *out, const text_lines *a, const text_lines *b,
                       place start, place end) {
  int before = shorter(CONTEXT, start.a);
  int after = shorter(CONTEXT, a->count - end.a);
  start = (place){start.a - before, start.b - before};
  end = (place){end.a + after, end.b + after};
  fputs("@@ -", out);
  print_range(out, start.a, end.a - start.a);
  fputs(" +", out);
  print_range(out, start.b, end.b - start.b);
  fputs(" @@\n", out);
  print_hunk_lines(out, a, b, start, end);
}

static void print_hunks(FILE *out, const text_lines *a, const text_lines *b) {
  place p = next_change(a, b, (place){0, 0});
  while (p.a < a->count || p.b < b->count) {
    place end = end_of_hunk(a, b, p);
    print_hunk(out, a, b, p, end);
    p = next_change(a, b, end);
  }
}

/* What git quotes: control characters, quotes and backslashes. */
static bool needs_quotes(const char *path) {
  for (; *path; path++)
    if ((unsigned char)*path < ' ' || *path == '"' || *path == '\\' ||
        *path == 0x7f)
      return true;
  return false;
}

static void print_quoted(FILE *out, const char *side, const char *path) {
  fprintf(out, "\"%s", side);
  for (; *path; path++) {
    unsigned char c = (unsigned char)*path;
    if (c < ' ' || c == 0x7f)
      fprintf(out, "\\%03o", c);
    else
      fprintf(out, c == '"' || c == '\\' ? "\\%c" : "%c", c);
  }
  fputc('"', out);
}

/* A name with a space ends with a tab, as git has it. */
static void print_header(FILE *out, const char *mark, const char *side,
                         const char *path) {
  path += strspn(path, "/");
  fputs(mark, out);
  if (needs_quotes(path))
    print_quoted(out, side, path);
  else
    fprintf(out, "%s%s%s", side, path, strchr(path, ' ') ? "\t" : "");
  fputc('\n', out);
}

bool pl_diff_print(FILE *out, const char *path, const char *before,
                   size_t before_size, const char *after, size_t after_size) {
  if (before_size == after_size && !memcmp(before, after, before_size))
    return false;
  text_lines a = split_lines(before, before_size);
  text_lines b = split_lines(after, after_size);
  mark_changes(&a, &b);
  if (pl_starts_with(path, "./"))
    path += 2;
  print_header(out, "--- ", "a/", path);
  print_header(out, "+++ ", "b/", path);
  print_hunks(out, &a, &b);
  free_lines(&a);
  free_lines(&b);
  return true;
}
