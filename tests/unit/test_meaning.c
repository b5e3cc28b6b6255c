/* test_meaning.c - do moved statements mean what they did? meaning.c. */
#include "build_model.h"

#include <string.h>

#define LOOP(front)                                                            \
  B_KERNEL("  float v = 2.0f;\n  int st = 1;\n"                                \
           "  for (int t = 0; t < n; t += st) {\n" front                       \
           "    As[ty][tx] = A[ty * n + t * TS + tx];\n"                       \
           "    Bs[ty][tx] = B[(t * TS + ty) * n + tx];\n"                     \
           "    __syncthreads();\n" B_COMPUTE "    __syncthreads();\n  }\n")

/* The name that means something else when LOOP("    acc += v;\n") becomes
 * `loop`, which stands in braces. */
static void becomes(const char *loop, const char *text, const char *expected) {
  built *before = b_passes(LOOP("    acc += v;\n"), B_SLICES);
  built *after = b_read(text);
  const char *at = strstr(text, loop);
  pl_range region = {(uint32_t)(at - text),
                     (uint32_t)(at - text + (long)strlen(loop))};
  b_open(b_loop(before, 0));
  pl_str name = pl_changed_meaning(b_loop(before, 0), after->unit,
                                   after->unit->funcs[0], region);
  if (!pl_str_is(name, expected))
    fail_msg("'%.*s' means something else, not '%s'", PL_FMT(name), expected);
  b_free(before);
  b_free(after);
}

#define BECOMES(loop, expected)                                                \
  becomes(loop, B_KERNEL("  float v = 2.0f;\n  int st = 1;\n" loop), expected)

static void test_same(void **state) {
  (void)state;
  BECOMES("  {\n int t = 0;\n int t_load = t;\n { acc += v; }\n t += st;\n }\n",
          "");
}

static void test_hidden_variable(void **state) {
  (void)state;
  BECOMES("  {\n int t = 0;\n float v = A[t];\n { acc += v; }\n t += st;\n }\n",
          "v");
}

static void test_hidden_step(void **state) {
  (void)state;
  BECOMES("  {\n int t = 0;\n acc += v;\n { int st = 3;\n t += st; }\n }\n",
          "st");
}

/* Text that stands outside the rewritten loop is not the loop's. */
static void test_elsewhere(void **state) {
  (void)state;
  const char *loop = "  {\n int t = 0;\n acc += v;\n t += st;\n }\n";
  becomes(loop,
          B_KERNEL("  float v = 2.0f;\n  int st = 1;\n"
                   "  {\n int t = 0;\n acc += v;\n t += st;\n }\n"
                   "  { float v = 1.0f;\n acc += v; }\n"),
          "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same),
      cmocka_unit_test(test_hidden_variable),
      cmocka_unit_test(test_hidden_step),
      cmocka_unit_test(test_elsewhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
