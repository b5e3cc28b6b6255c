/* test_shadow_results.c - records of a shadowed program: the exit code, and the
 * rows of the JSON report. What is printed: tests/cli/real-shadow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shadow_results.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SOURCE                                                                 \
  "{\"type\":\"source\",\"version\":1,\"path\":\"k.cu\",\"kernels\":[\"n::k\"]}\n"
#define END                                                                    \
  "{\"type\":\"start\",\"pid\":1}\n{\"type\":\"end\",\"pid\":1}\n"               \
  "{\"type\":\"program\",\"status\":0}\n"
#define CHECK(line, kernel, verdict)                                           \
  "{\"type\":\"check\",\"pid\":1,\"line\":" #line ",\"kernel\":\"" kernel        \
  "\",\"launch\":1,\"verdict\":\"" verdict "\",\"where\":\"c[1]\","              \
  "\"value\":\"1\",\"should\":\"2\",\"differing\":1,\"elements\":4}\n"

/* The rows of the report, and in *code, NULL: nowhere, the exit code. */
static json_t *proofs_of(const char *text, int *code) {
  char path[] = "/tmp/shadow-XXXXXX.jsonl";
  int file = mkstemps(path, 6);
  assert_int_equal(write(file, text, strlen(text)), strlen(text));
  close(file);
  FILE *nowhere = fopen("/dev/null", "w");
  pl_command *command = pl_command_new();
  pl_proof_report *report = pl_proof_report_new();
  int got = pl_report_shadow(path, command, report,
                             (pl_streams){nowhere, nowhere});
  assert_true(pl_proof_report_write(report, path));
  json_t *root = json_load_file(path, 0, NULL);
  json_t *proofs = json_incref(json_object_get(root, "proofs"));
  json_decref(root);
  pl_proof_report_free(report);
  pl_command_free(command);
  fclose(nowhere);
  unlink(path);
  if (code)
    *code = got;
  return proofs;
}

/* The exit code; *rows gets the report's rows, each as "kernel:line:proof:exit",
 * joined by blanks. */
static int report_of(const char *text, char *rows, size_t size) {
  int code;
  json_t *proofs = proofs_of(text, &code), *row;
  size_t i, n = 0;
  rows[0] = '\0';
  json_array_foreach(proofs, i, row)
    n += (size_t)snprintf(
        rows + n, size - n, "%s%s:%d:%s:%d", i ? " " : "",
        json_string_value(json_object_get(row, "kernel")),
        (int)json_integer_value(json_object_get(row, "line")),
        json_string_value(json_object_get(row, "proof")),
        (int)json_integer_value(json_object_get(row, "exit")));
  json_decref(proofs);
  return code;
}

static void check(const char *text, int code, const char *expected) {
  char rows[512];
  assert_int_equal(report_of(text, rows, sizeof rows), code);
  assert_string_equal(rows, expected);
}

static void test_verdicts(void **state) {
  (void)state;
  check(SOURCE CHECK(3, "n::k<4>", "equal") END, 0, "n::k<4>:3:equal:0");
  check(SOURCE CHECK(3, "n::k", "differs") CHECK(3, "n::k", "equal") END, 3,
        "n::k:3:finding:3");
  check(SOURCE CHECK(3, "n::k", "equal") CHECK(3, "n::k", "crash") END, 3,
        "n::k:3:finding:3");
  check(SOURCE CHECK(3, "n::k", "nondeterministic") END, 4,
        "n::k:3:nondeterministic:4");
  check(SOURCE END, 4, "n::k:0:not-launched:4");
}

/* A result that is there already proves nothing, unless another launch of the
 * same instance has proven it. */
static void test_unchanged(void **state) {
  (void)state;
  check(SOURCE CHECK(3, "n::k", "unchanged") END, 4, "n::k:3:unchanged:4");
  check(SOURCE CHECK(3, "n::k", "unchanged") CHECK(9, "n::k", "equal") END, 0,
        "n::k:3:equal:0 n::k:9:equal:0");
  check(SOURCE CHECK(3, "n::k<1>", "unchanged") CHECK(9, "n::k<2>", "equal")
            END,
        4, "n::k<1>:3:unchanged:4 n::k<2>:9:equal:0");
}

static void test_not_shadowed(void **state) {
  (void)state;
  check(SOURCE CHECK(3, "n::k", "equal")
            "{\"type\":\"refused\",\"line\":5,\"kernel\":\"n::k\","
            "\"reason\":\"why\"}\n" END,
        4, "n::k:3:equal:0 n::k:5:not-shadowed:4");
}

/* One of two processes did not come to its end; or none of them is known. */
static void test_cut_off(void **state) {
  (void)state;
  check(SOURCE "{\"type\":\"start\"}\n" CHECK(3, "n::k", "equal") END, 4,
        "n::k:3:equal:0");
  check(SOURCE CHECK(3, "n::k", "equal") "{\"type\":\"star", 4,
        "n::k:3:equal:0");
  check(CHECK(3, "n::k", "equal") END, 2, "");
  check("{\"type\":\"later\"}\n", 2, "");
  check("", 2, "");
}

#define TIMED(form, verdict, ns)                                               \
  "{\"type\":\"check\",\"pid\":1,\"line\":3,\"kernel\":\"n::k\",\"form\":\"" form     \
  "\",\"launch\":1,\"verdict\":\"" verdict "\",\"ns\":" #ns                      \
  ",\"original_ns\":3000000}\n"

/* Each form has its own verdict and times; a launch of one proves no other. */
static void test_times(void **state) {
  (void)state;
  const char *text = "{\"type\":\"source\",\"version\":1,\"path\":\"k.cu\","
                     "\"kernels\":[\"n::k\"],\"timed\":true}\n"
      TIMED("ldg", "equal", 1000000) TIMED("cp.async-2", "unchanged", 1500000)
      TIMED("ldg", "equal", 2000000) END;
  check(text, 4, "n::k:3:equal:0 n::k:3:unchanged:4");
  json_t *proofs = proofs_of(text, NULL), *row = json_array_get(proofs, 0);
  assert_string_equal(json_string_value(json_object_get(row, "variant")), "ldg");
  assert_int_equal(json_integer_value(json_object_get(row, "timed")), 2);
  assert_true(json_real_value(json_object_get(row, "ms")) == 1.5);
  assert_true(json_real_value(json_object_get(row, "original_ms")) == 3);
  assert_true(json_real_value(json_object_get(row, "speedup")) == 2);
  json_decref(proofs);
  proofs = proofs_of(SOURCE CHECK(3, "n::k", "equal") END, NULL);
  row = json_array_get(proofs, 0);
  assert_true(json_is_null(json_object_get(row, "variant")));
  assert_null(json_object_get(row, "ms"));
  json_decref(proofs);
}

static void test_trouble(void **state) {
  (void)state;
  check(SOURCE "{\"type\":\"start\",\"trouble\":\"no CUDA driver\"}\n"
               "{\"type\":\"end\"}\n{\"type\":\"program\",\"status\":0}\n",
        4, "n::k:0:not-launched:4");
  check(SOURCE CHECK(3, "n::k", "equal") "{\"type\":\"start\"}\n"
               "{\"type\":\"end\"}\n{\"type\":\"program\",\"status\":7}\n",
        4, "n::k:3:equal:0");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_verdicts),     cmocka_unit_test(test_unchanged),
      cmocka_unit_test(test_not_shadowed), cmocka_unit_test(test_cut_off),
      cmocka_unit_test(test_times),
      cmocka_unit_test(test_trouble),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
