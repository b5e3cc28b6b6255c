/* test_select.c - which kernels -k picks. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "select.h"

static bool picks(const char *pattern, const char *name) {
  pl_selection *selection = pl_selection_new(&pattern, 1, stderr);
  assert_non_null(selection);
  bool picked = pl_selection_matches(name, selection);
  assert_null(pl_selection_failed(selection));
  pl_selection_free(selection);
  return picked;
}

static void test_names(void **state) {
  (void)state;
  assert_true(picks("gemm", "gemm"));
  assert_true(picks("gemm", "ns::gemm"));
  assert_true(picks("ns::gemm", "ns::gemm"));
  assert_false(picks("gemm", "gemm2"));
  assert_false(picks("gem", "gemm"));
  assert_false(picks("ns", "ns::gemm"));
}

static void test_expressions(void **state) {
  (void)state;
  assert_true(picks("regex:gem", "ns::gemm2"));
  assert_true(picks("regex:^(a|b)_gemm$", "b_gemm"));
  assert_false(picks("regex:^gemm", "ns::gemm"));
}

static void test_none_is_all(void **state) {
  (void)state;
  pl_selection *selection = pl_selection_new(NULL, 0, stderr);
  assert_true(pl_selection_matches("anything", selection));
  pl_selection_free(selection);
}

static void test_several_add_up(void **state) {
  (void)state;
  const char *patterns[] = {"a", "regex:^b"};
  pl_selection *selection = pl_selection_new(patterns, 2, stderr);
  assert_true(pl_selection_matches("a", selection));
  assert_true(pl_selection_matches("bb", selection));
  assert_false(pl_selection_matches("c", selection));
  pl_selection_free(selection);
}

static void test_bad_expression(void **state) {
  (void)state;
  const char *pattern = "regex:a(b";
  char *message;
  size_t size;
  FILE *err = open_memstream(&message, &size);
  assert_null(pl_selection_new(&pattern, 1, err));
  fclose(err);
  assert_string_equal(message, "pipelinify: error: 'a(b', character 4: missing "
                               "closing parenthesis\n");
  free(message);
}

/* An expression that would take for ever gives up, and says so. */
static void test_match_limit(void **state) {
  (void)state;
  const char *pattern = "regex:^(a+)+(\\1)$";
  pl_selection *selection = pl_selection_new(&pattern, 1, stderr);
  pl_selection_matches("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab", selection);
  assert_string_equal(pl_selection_failed(selection), pattern);
  pl_selection_free(selection);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_expressions),
      cmocka_unit_test(test_none_is_all),
      cmocka_unit_test(test_several_add_up),
      cmocka_unit_test(test_bad_expression),
      cmocka_unit_test(test_match_limit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
