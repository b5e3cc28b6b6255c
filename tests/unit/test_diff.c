/* test_diff.c - unified diffs. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "diff.h"

static char *diff(const char *path, const char *before, const char *after) {
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  bool differs = pl_diff_print(out, path, before, strlen(before), after,
                               strlen(after));
  fclose(out);
  assert_int_equal(differs, strcmp(before, after) != 0);
  return text;
}

static void expect(const char *before, const char *after, const char *hunks) {
  char *text = diff("k.cu", before, after);
  char *whole;
  assert_true(asprintf(&whole, "--- a/k.cu\n+++ b/k.cu\n%s", hunks) > 0);
  assert_string_equal(text, whole);
  free(text);
  free(whole);
}

static void test_equal(void **state) {
  (void)state;
  char *text = diff("k.cu", "a\nb\n", "a\nb\n");
  assert_string_equal(text, "");
  free(text);
}

static void test_one_line(void **state) {
  (void)state;
  expect("a\nb\nc\n", "a\nB\nc\n", "@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
  expect("a\n", "a\nb\n", "@@ -1 +1,2 @@\n a\n+b\n");
  expect("a\nb\n", "b\n", "@@ -1,2 +1 @@\n-a\n b\n");
}

static void test_context_and_hunks(void **state) {
  (void)state;
  expect("x\n1\n2\n3\n4\n5\n6\n7\ny\n", "X\n1\n2\n3\n4\n5\n6\n7\nY\n",
         "@@ -1,4 +1,4 @@\n-x\n+X\n 1\n 2\n 3\n"
         "@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-y\n+Y\n");
  expect("x\n1\n2\n3\n4\n5\n6\ny\n", "X\n1\n2\n3\n4\n5\n6\nY\n",
         "@@ -1,8 +1,8 @@\n-x\n+X\n 1\n 2\n 3\n 4\n 5\n 6\n-y\n+Y\n");
}

static void test_no_final_newline(void **state) {
  (void)state;
  expect("a\nb", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of "
         "file\n+b\n");
  expect("x\nb", "y\nb", "@@ -1,2 +1,2 @@\n-x\n+y\n b\n\\ No newline at end "
         "of file\n");
}

static void test_carriage_returns_stay(void **state) {
  (void)state;
  expect("a\r\nb\r\n", "a\r\nc\r\n", "@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n");
}

static void test_empty_sides(void **state) {
  (void)state;
  expect("", "a\n", "@@ -0,0 +1 @@\n+a\n");
  expect("a\n", "", "@@ -1 +0,0 @@\n-a\n");
}

static void expect_head(const char *path, const char *head) {
  char *text = diff(path, "a\n", "b\n");
  assert_memory_equal(text, head, strlen(head));
  free(text);
}

static void test_paths(void **state) {
  (void)state;
  expect_head("./d/k.cu", "--- a/d/k.cu\n+++ b/d/k.cu\n@@");
  expect_head("/d/k.cu", "--- a/d/k.cu\n+++ b/d/k.cu\n@@");
  expect_head("a b.cu", "--- a/a b.cu\t\n+++ b/a b.cu\t\n@@");
  expect_head("q\"\n.cu", "--- \"a/q\\\"\\012.cu\"\n+++ \"b/q\\\"\\012.cu\"\n");
}

/* Lines of random letters; a sign for each so that it can be told apart. */
static char *random_text(unsigned *seed, int lines) {
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  for (int i = 0; i < lines; i++)
    fprintf(out, "%c\n", 'a' + rand_r(seed) % 4);
  fclose(out);
  return text;
}

static const char *next_line(const char *text) {
  const char *newline = strchr(text, '\n');
  return newline ? newline + 1 : text + strlen(text);
}

/* Where the line of that number starts. */
static const char *seek_line(const char *text, int line) {
  for (; line > 1; line--)
    text = next_line(text);
  return text;
}

static const char *copy_line(FILE *out, const char *line) {
  const char *next = next_line(line);
  fwrite(line, 1, (size_t)(next - line), out);
  return next;
}

/* The first line of a hunk in the old text: none starts one line late. */
static int hunk_start(const char *head) {
  int start = 0, count = 1;
  sscanf(head, "@@ -%d,%d", &start, &count);
  return count ? start : start + 1;
}

/* Applies a diff the way that patch does, and checks what it removes. */
static char *apply(const char *before, const char *patch) {
  char *after;
  size_t size;
  FILE *out = open_memstream(&after, &size);
  const char *at = before;
  patch = seek_line(patch, 3);
  for (; *patch; patch = next_line(patch)) {
    if (*patch == '@') {
      const char *start = seek_line(before, hunk_start(patch));
      fwrite(at, 1, (size_t)(start - at), out);
      at = start;
    } else if (*patch == '+') {
      copy_line(out, patch + 1);
    } else {
      const char *end = next_line(at);
      assert_memory_equal(at, patch + 1, (size_t)(end - at));
      if (*patch == ' ')
        copy_line(out, at);
      at = end;
    }
  }
  fputs(at, out);
  fclose(out);
  return after;
}

static void test_random_texts(void **state) {
  (void)state;
  unsigned seed = 1;
  for (int i = 0; i < 2000; i++) {
    char *before = random_text(&seed, 1 + (int)(rand_r(&seed) % 30));
    char *after = random_text(&seed, 1 + (int)(rand_r(&seed) % 30));
    char *patch = diff("k.cu", before, after);
    char *got = *patch ? apply(before, patch) : strdup(before);
    assert_string_equal(got, after);
    free(before);
    free(after);
    free(patch);
    free(got);
  }
}

static char *numbered(int from, int count) {
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  for (int i = 0; i < count; i++)
    fprintf(out, "%d\n", from + i);
  fclose(out);
  return text;
}

/* More changes than the search looks for: everything is replaced. */
static void test_nothing_in_common(void **state) {
  (void)state;
  char *before = numbered(0, 5000), *after = numbered(10000, 5000);
  char *patch = diff("k.cu", before, after);
  char *got = apply(before, patch);
  assert_string_equal(got, after);
  free(before);
  free(after);
  free(patch);
  free(got);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_equal),
      cmocka_unit_test(test_one_line),
      cmocka_unit_test(test_context_and_hunks),
      cmocka_unit_test(test_no_final_newline),
      cmocka_unit_test(test_carriage_returns_stay),
      cmocka_unit_test(test_empty_sides),
      cmocka_unit_test(test_paths),
      cmocka_unit_test(test_random_texts),
      cmocka_unit_test(test_nothing_in_common),
  };
  return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
