/* test_tune.c - the decision, on made-up measurements. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tune.h"

#define ROW(...) {.ms_original = 100, __VA_ARGS__}
#define N(rows) (sizeof(rows) / sizeof *(rows))

static void fastest_is_taken(void **state) {
  (void)state;
  pl_tune_row rows[] = {
      ROW(.variant = "ldg", .ms = 90, .ms_min = 89.9),
      ROW(.variant = "cp.async-s2", .ms = 80, .ms_min = 79.9),
      ROW(.variant = "cp.async-s3", .ms = 85, .ms_min = 84.9),
  };
  pl_tune_decision d = pl_tune_decide(rows, N(rows), 0.01);
  assert_int_equal(d.outcome, PL_TUNE_TAKE);
  assert_string_equal(d.variant, "cp.async-s2");
  assert_true(d.speedup > 1.2499 && d.speedup < 1.2501);
  assert_false(d.found);
}

static void small_gain_keeps_the_original(void **state) {
  (void)state;
  pl_tune_row rows[] = {ROW(.variant = "ldg", .ms = 99.5, .ms_min = 99.4)};
  assert_int_equal(pl_tune_decide(rows, 1, 0.01).outcome, PL_TUNE_KEEP);
  assert_int_equal(pl_tune_decide(rows, 1, 0.001).outcome, PL_TUNE_TAKE);
  rows[0].ms = 100 / 1.01; /* exactly what was asked for */
  rows[0].ms_min = rows[0].ms;
  assert_int_equal(pl_tune_decide(rows, 1, 0.01).outcome, PL_TUNE_TAKE);
  rows[0].ms = 101;
  assert_int_equal(pl_tune_decide(rows, 1, 0).outcome, PL_TUNE_KEEP);
}

static void findings_are_never_taken(void **state) {
  (void)state;
  pl_tune_row rows[] = {
      ROW(.variant = "ldg", .ms = 90, .ms_min = 90),
      ROW(.variant = "cp.async-s2", .outcome = PL_OUTCOME_FINDING, .ms = 10),
  };
  pl_tune_decision d = pl_tune_decide(rows, 2, 0.01);
  assert_string_equal(d.variant, "ldg");
  assert_true(d.found);
}

static void only_equal_is_proven(void **state) {
  (void)state;
  pl_tune_row rows[] = {
      ROW(.variant = "ldg", .outcome = PL_OUTCOME_OPEN, .ms = 10)};
  pl_tune_decision d = pl_tune_decide(rows, 1, 0.01);
  assert_int_equal(d.outcome, PL_TUNE_UNKNOWN);
  assert_false(d.found);
}

/* As the reader of results.json has them. */
static void not_a_number_is_no_time(void **state) {
  (void)state;
  pl_tune_row rows[] = {
      ROW(.variant = "ldg", .ms = NAN, .ms_min = NAN),
      ROW(.variant = "ldg-single", .ms = 95, .ms_min = NAN)};
  pl_tune_decision d = pl_tune_decide(rows, 2, 0.01);
  assert_string_equal(d.variant, "ldg-single");
  assert_true(pl_tune_speedup(rows, 2, "ldg") == 0);
}

static void a_finding_on_one_launch_is_enough(void **state) {
  (void)state;
  pl_tune_row rows[] = {
      ROW(.variant = "ldg", .launch = 0, .ms = 50),
      {.variant = "ldg", .launch = 1, .outcome = PL_OUTCOME_FINDING, .ms = 50,
       .ms_original = 100},
      ROW(.variant = "cp.async-s2", .launch = 0, .ms = 90, .ms_min = 90),
      ROW(.variant = "cp.async-s2", .launch = 1, .ms = 90, .ms_min = 90)};
  assert_string_equal(pl_tune_decide(rows, 4, 0.01).variant, "cp.async-s2");
  /* Nor is it enough to be missing on one of them. */
  rows[1] = rows[2];
  assert_string_equal(pl_tune_decide(rows, 4, 0.01).variant, "cp.async-s2");
}

static void unseen_overlap_ranks_behind(void **state) {
  (void)state;
  pl_tune_row rows[] = {
      ROW(.variant = "cp.async-s2", .ms = 70, .ms_min = 70,
          .is_undone = true),
      ROW(.variant = "ldg", .ms = 90, .ms_min = 90)};
  assert_string_equal(pl_tune_decide(rows, 2, 0.01).variant, "ldg");
  rows[1].ms = 110; /* behind, but before the original */
  assert_string_equal(pl_tune_decide(rows, 2, 0.01).variant, "cp.async-s2");
}

static void noise_is_no_gain(void **state) {
  (void)state;
  pl_tune_row rows[] = {ROW(.variant = "ldg", .ms = 95, .ms_min = 85)};
  assert_int_equal(pl_tune_decide(rows, 1, 0.01).outcome, PL_TUNE_KEEP);
  rows[0].ms_min = 94;
  assert_int_equal(pl_tune_decide(rows, 1, 0.01).outcome, PL_TUNE_TAKE);
}

static void equals_go_to_the_model(void **state) {
  (void)state;
  pl_tune_row rows[] = {
      ROW(.variant = "ldg", .ms = 80.1, .ms_min = 79.5, .is_auto = true),
      ROW(.variant = "cp.async-s2", .ms = 80, .ms_min = 79.5)};
  assert_string_equal(pl_tune_decide(rows, 2, 0.01).variant, "ldg");
  rows[0].ms = 82;
  assert_string_equal(pl_tune_decide(rows, 2, 0.01).variant, "cp.async-s2");
}

static void no_launch_pays_for_another(void **state) {
  (void)state;
  pl_tune_row rows[] = {
      ROW(.variant = "ldg", .launch = 0, .ms = 50, .ms_min = 50),
      ROW(.variant = "ldg", .launch = 1, .ms = 110, .ms_min = 110)};
  assert_int_equal(pl_tune_decide(rows, 2, 0.01).outcome, PL_TUNE_KEEP);
}

static void a_launch_without_target_is_only_proven(void **state) {
  (void)state;
  pl_tune_row rows[] = {
      ROW(.variant = "ldg", .launch = 0, .ms = 50, .ms_min = 50),
      {.variant = "ldg", .launch = 1, .ms = -1,
       .ms_original = -1}};
  assert_string_equal(pl_tune_decide(rows, 2, 0.01).variant, "ldg");
  rows[0].ms = -1;
  assert_int_equal(pl_tune_decide(rows, 2, 0.01).outcome, PL_TUNE_UNKNOWN);
}

static void nothing_measured_decides_nothing(void **state) {
  (void)state;
  assert_int_equal(pl_tune_decide(NULL, 0, 0.01).outcome, PL_TUNE_UNKNOWN);
  double nan = __builtin_nan("");
  pl_tune_row rows[] = {ROW(.variant = "ldg", .ms = nan)};
  assert_int_equal(pl_tune_decide(rows, 1, 0.01).outcome, PL_TUNE_UNKNOWN);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(fastest_is_taken),
      cmocka_unit_test(small_gain_keeps_the_original),
      cmocka_unit_test(findings_are_never_taken),
      cmocka_unit_test(only_equal_is_proven),
      cmocka_unit_test(not_a_number_is_no_time),
      cmocka_unit_test(a_finding_on_one_launch_is_enough),
      cmocka_unit_test(unseen_overlap_ranks_behind),
      cmocka_unit_test(noise_is_no_gain),
      cmocka_unit_test(equals_go_to_the_model),
      cmocka_unit_test(no_launch_pays_for_another),
      cmocka_unit_test(a_launch_without_target_is_only_proven),
      cmocka_unit_test(nothing_measured_decides_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
