/* test_reach.c - buffers that are as long as the original reaches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "validate.h"

#include <string.h>

#define HEAD "__global__ void k(const float *a, float *b, int n) {\n" \
             "  int i = blockIdx.x * 16 + threadIdx.x;\n"

static const char original[] = HEAD "  if (i < n) b[i] = a[i];\n}\n";
static const char further[] = HEAD "  float t = a[i + 1];\n"
                                   "  if (i < n) b[i] = a[i] + 0 * t;\n}\n";
static const char as_far[] = HEAD "  if (i < n) b[i] = a[i] + 0;\n}\n";

enum { FORMS = 2 };

static pl_proof verdicts[FORMS];

static void note(void *context, const pl_verdict_row *row) {
  const pl_validate_variant *first = context;
  verdicts[row->variant - first] = row->proof;
}

static void what_reaches_further_is_found(void **state) {
  (void)state;
  static const char text[] = "launch k\nsizes n=33,64,1000000,0\n"
                             "grid (n + 15) / 16\nblock 16\na: in [*]\n"
                             "b: out [*]\nn: n\n";
  pl_launch_error error;
  pl_launch_list *launches =
      pl_launches_from_text(text, strlen(text), &error);
  assert_non_null(launches);
  pl_validate_variant forms[FORMS] = {
      {.label = "further", .path = "k.cu", .text = further,
       .len = sizeof further - 1},
      {.label = "as far", .path = "k.cu", .text = as_far,
       .len = sizeof as_far - 1}};
  pl_validate_request request = {.path = "k.cu", .text = original,
                                 .len = sizeof original - 1,
                                 .variants = forms, .n_variants = FORMS,
                                 .launches = launches, .verbosity = -1,
                                 .verdict = note, .context = forms};
  assert_int_equal(pl_validate_cpu(&request, stderr), 3);
  assert_int_equal(verdicts[0], PL_PROOF_OUT_OF_BOUNDS);
  assert_int_equal(verdicts[1], PL_PROOF_EQUAL);
  pl_launch_list_free(launches);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_reaches_further_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
