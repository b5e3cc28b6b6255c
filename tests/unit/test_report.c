/* test_report.c - the JSON report: names, order and meaning of its fields. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "report.h"

static const pl_loop_report blank = {
    .line = 2, .column = 3, .at_line = 2, .at_column = 3,
    .smem_before = -1, .smem_after = -1, .smem_limit = -1,
    .blocks_before = -1, .blocks_after = -1, .threads = -1,
    .staging_bytes = -1, .ratio = -1};

static json_t *read_back(const pl_report *report) {
  pl_bytes text = pl_report_text(report);
  assert_int_equal(text.data[text.size - 1], '\n');
  json_t *root = json_loads(text.data, 0, NULL);
  assert_non_null(root);
  free(text.data);
  return root;
}

static json_t *report_loops(const pl_loop_report *loops, size_t count) {
  const char *instantiations[] = {"16, float"};
  pl_kernel_report kernel = {.name = "ns::k", .line = 1, .is_global = true,
                             .instantiations = instantiations,
                             .ninstantiations = 1, .loops = loops,
                             .nloops = count};
  pl_report *report = pl_report_new();
  pl_report_add(report, "k.cu", &kernel, 1, true);
  json_t *root = read_back(report);
  pl_report_free(report);
  return root;
}

static json_t *first_loop(json_t *root) {
  json_t *file = json_array_get(json_object_get(root, "files"), 0);
  json_t *kernel = json_array_get(json_object_get(file, "kernels"), 0);
  return json_array_get(json_object_get(kernel, "loops"), 0);
}

static void expect_keys(json_t *object, const char *const *keys,
                        size_t count) {
  void *iter = json_object_iter(object);
  for (size_t i = 0; i < count; i++) {
    assert_string_equal(json_object_iter_key(iter), keys[i]);
    iter = json_object_iter_next(object, iter);
  }
}

/* The fields that are promised come first, in the promised order. */
static void test_schema(void **state) {
  (void)state;
  const char *const root_keys[] = {"version", "files"};
  const char *const file_keys[] = {"path", "kernels"};
  const char *const kernel_keys[] = {"name", "line", "instantiations", "loops"};
  const char *const loop_keys[] = {
      "line",   "column",     "verdict",     "certainty", "id", "message",
      "variant", "stages",    "copy_bytes",  "smem_before", "smem_after"};
  json_t *root = report_loops(&blank, 1);
  json_t *file = json_array_get(json_object_get(root, "files"), 0);
  json_t *kernel = json_array_get(json_object_get(file, "kernels"), 0);
  expect_keys(root, root_keys, 2);
  expect_keys(file, file_keys, 2);
  expect_keys(kernel, kernel_keys, 4);
  expect_keys(first_loop(root), loop_keys, 11);
  assert_int_equal(json_integer_value(json_object_get(root, "version")), 1);
  json_decref(root);
}

static void test_pipelined(void **state) {
  (void)state;
  const int widths[] = {16, 4};
  pl_loop_report loop = blank;
  loop.verdict = PL_VERDICT_PIPELINED;
  loop.variant = PL_VARIANT_CP_ASYNC;
  loop.stages = 3;
  loop.copy_bytes = widths;
  loop.ncopies = 2;
  loop.smem_before = 100;
  loop.smem_after = 300;
  json_t *root = report_loops(&loop, 1);
  const char *verdict, *message, *variant;
  int line, stages, wide, narrow, before, after;
  json_t *certainty, *id;
  assert_int_equal(
      json_unpack(first_loop(root),
                  "{s:i, s:s, s:o, s:o, s:s, s:s, s:i, s:[i,i], s:i, s:i}",
                  "line", &line, "verdict", &verdict, "certainty", &certainty,
                  "id", &id, "message", &message, "variant", &variant,
                  "stages", &stages, "copy_bytes", &wide, &narrow,
                  "smem_before", &before, "smem_after", &after), 0);
  assert_string_equal(verdict, "pipelined");
  assert_true(json_is_null(certainty) && json_is_null(id));
  assert_string_equal(message, "cp.async, 3 stages, 100 -> 300 B shared");
  assert_string_equal(variant, "cp.async");
  assert_int_equal(stages + wide + narrow + before + after, 3 + 20 + 400);
  json_decref(root);
}

static void expect_certainty(bool certain, const char *word) {
  pl_loop_report loop = blank;
  loop.verdict = PL_VERDICT_REFUSED;
  loop.certain = certain;
  loop.id = "PL3001";
  json_t *root = report_loops(&loop, 1), *object = first_loop(root);
  assert_string_equal(json_string_value(json_object_get(object, "certainty")),
                      word);
  assert_true(json_is_null(json_object_get(object, "variant")));
  assert_true(json_is_null(json_object_get(object, "stages")));
  assert_true(json_is_null(json_object_get(object, "smem_before")));
  assert_int_equal(json_array_size(json_object_get(object, "copy_bytes")), 0);
  json_decref(root);
}

static void test_refused(void **state) {
  (void)state;
  expect_certainty(true, "no");
  expect_certainty(false, "unknown");
}

static void test_errors_and_odd_bytes(void **state) {
  (void)state;
  pl_report *report = pl_report_new();
  pl_report_add_error(report, "k\xff.cu", "broken");
  json_t *root = read_back(report);
  json_t *file = json_array_get(json_object_get(root, "files"), 0);
  assert_string_equal(json_string_value(json_object_get(file, "path")),
                      "k?.cu");
  assert_string_equal(json_string_value(json_object_get(file, "error")),
                      "broken");
  assert_int_equal(json_array_size(json_object_get(file, "kernels")), 0);
  json_decref(root);
  pl_report_free(report);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_schema),
      cmocka_unit_test(test_pipelined),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_errors_and_odd_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
