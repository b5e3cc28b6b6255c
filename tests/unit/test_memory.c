/* test_memory.c - the library when memory runs out: at each of its allocations
 * in turn it gives a result that says so, and leaks nothing (the sanitizers'
 * build sees to that). Linked with --wrap=calloc, the arena's only source. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "arena.h"
#include "pipelinify.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long calls, fails_at; /* 0: never */

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size) {
  return ++calls == fails_at ? NULL : __real_calloc(n, size);
}

static char *source_text(size_t *length) {
  static char text[65536];
  FILE *file = fopen(PL_TESTDATA "/accept/kernels/sgemm-tile32/kernel.cu", "rb");
  assert_non_null(file);
  *length = fread(text, 1, sizeof text, file);
  fclose(file);
  return text;
}

/* True where the rewrite came to its end. */
static bool rewrite(const char *text, size_t length) {
  pl_options options = {.stages = 0};
  pl_result *result = pl_rewrite("kernel.cu", text, length, &options);
  assert_non_null(result);
  const char *error = pl_result_error(result);
  size_t kernels;
  pl_result_kernels(result, &kernels);
  if (error)
    assert_string_equal(error, "out of memory");
  else
    assert_int_equal(kernels, 1);
  pl_result_free(result);
  return !error;
}

static void test_every_allocation_may_fail(void **state) {
  (void)state;
  size_t length;
  const char *text = source_text(&length);
  calls = fails_at = 0;
  assert_true(rewrite(text, length));
  long all = calls;
  assert_true(all > 8); /* the arena, and chunks on both sides of the parses */
  for (long i = 1; i <= all; i++) {
    calls = 0;
    fails_at = i;
    assert_false(rewrite(text, length));
    assert_int_equal(calls, i);
  }
  fails_at = 0;
  assert_true(rewrite(text, length));
}

typedef struct taker {
  pl_arena *arena;
  int inner, after;
} taker;

static void take(void *context) {
  taker *t = context;
  fails_at = calls + 1;
  pl_arena_alloc(t->arena, 1024 * 1024);
  t->inner++;
}

/* The arena is as good after a failed try as before. */
static void take_twice(void *context) {
  taker *t = context;
  assert_false(pl_arena_try(t->arena, take, t));
  fails_at = 0;
  memset(pl_arena_alloc(t->arena, 1024 * 1024), 1, 1024 * 1024);
  t->after++;
  fails_at = calls + 1;
  pl_arena_alloc(t->arena, SIZE_MAX / 2);
  t->inner++;
}

static void test_tries_nest(void **state) {
  (void)state;
  fails_at = 0;
  taker t = {.arena = pl_arena_new(NULL)};
  assert_false(pl_arena_try(t.arena, take_twice, &t));
  assert_int_equal(t.inner, 0);
  assert_int_equal(t.after, 1);
  pl_arena_free(t.arena);
  fails_at = 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_allocation_may_fail),
      cmocka_unit_test(test_tries_nest)};
  return cmocka_run_group_tests(tests, NULL, NULL) ? 1 : 0;
}
