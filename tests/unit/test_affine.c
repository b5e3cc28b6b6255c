/* test_affine.c - quasi-affine forms, values of C++'s types as forms, and both as sets:
 * affine.c, typed_affine.c and access_sets.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "access.h"

#include <stdlib.h>

static pl_affines all;

static int open_names(void **state) {
  (void)state;
  all = (pl_affines){.arena = pl_arena_new(abort)};
  return 0;
}

static int close_names(void **state) {
  (void)state;
  pl_arena_free(all.arena);
  return 0;
}

static const pl_affine *name(int64_t least, int64_t largest) {
  return pl_affine_free(&all, (pl_interval){least, largest}, NULL);
}

static const pl_affine *number(int64_t value) {
  return pl_affine_number(&all, value);
}

static const pl_affine *add(const pl_affine *a, const pl_affine *b, int64_t by) {
  return pl_affine_add(&all, a, b, by);
}

#define assert_form(a, b) assert_true(pl_affine_equal(a, b))

static void assert_range(const pl_affine *of, int64_t least, int64_t largest) {
  pl_interval range = pl_affine_range(&all, of);
  assert_int_equal(range.least, least);
  assert_int_equal(range.largest, largest);
}

static void test_sums(void **state) {
  (void)state;
  const pl_affine *a = name(0, 9), *b = name(-3, 3);
  const pl_affine *sum = add(add(a, b, 2), number(5), 1);
  assert_range(sum, -1, 20);
  assert_form(add(sum, b, -2), add(number(5), a, 1));
  assert_true(pl_affine_is_number(add(sum, sum, -1)));
  assert_true(pl_affine_divides(add(number(8), a, 4), 4));
  assert_false(pl_affine_divides(add(number(8), a, 4), 8));
}

/* By what is no number: x / n and x % n, of which no other bounds are known. */
static void test_ratios(void **state) {
  (void)state;
  const pl_affine *x = name(0, 99), *n = name(1, 16), *any = name(-5, 99);
  const pl_affine *ratio = pl_affine_ratio(&all, x, n);
  const pl_affine *rest = add(x, pl_affine_multiply(&all, ratio, n), -1);
  assert_range(ratio, 0, 99);
  assert_range(rest, 0, 15);
  assert_form(ratio, pl_affine_ratio(&all, x, n));
  assert_range(pl_affine_ratio(&all, any, n), -PL_UNBOUNDED, PL_UNBOUNDED);
  assert_true(pl_is_product_of(&all, pl_affine_multiply(&all, n, x), x, n));
  assert_false(pl_is_product_of(&all, pl_affine_multiply(&all, n, x), x, x));
}

static void test_quotients(void **state) {
  (void)state;
  const pl_affine *t = name(0, 255), *i = name(0, 3);
  const pl_affine *at = add(t, i, 256);
  const pl_affine *row = pl_affine_floor(&all, at, 8);
  assert_form(row, add(pl_affine_floor(&all, t, 8), i, 32));
  assert_form(pl_affine_floor(&all, at, 1024), number(0));
  assert_form(pl_affine_floor(&all, pl_affine_floor(&all, t, 4), 8),
              pl_affine_floor(&all, t, 32));
  assert_form(pl_affine_modulo(&all, at, 8), pl_affine_modulo(&all, t, 8));
  assert_range(pl_affine_modulo(&all, at, 8), 0, 7);
  assert_form(add(pl_affine_modulo(&all, at, 8), row, 8), at);
}

static void test_quotients_below_zero(void **state) {
  (void)state;
  const pl_affine *i = name(-9, 9);
  assert_range(pl_affine_floor(&all, i, 8), -2, 1);
  assert_range(pl_affine_quotient(&all, i, 8), -1, 1);
  const pl_affine *left = add(i, pl_affine_quotient(&all, i, 8), -8);
  assert_range(left, -7, 7);
}

static void test_products(void **state) {
  (void)state;
  const pl_affine *i = name(0, 4), *ld = name(1, 10);
  const pl_affine *at = pl_affine_multiply(&all, add(number(2), i, 3), ld);
  const pl_affine *product = pl_affine_multiply(&all, ld, i);
  assert_form(at, add(add(number(0), ld, 2), product, 3));
  assert_range(at, 2, 140);
  assert_form(pl_affine_multiply(&all, i, number(4)), add(number(0), i, 4));
}

static void test_exclusive_or(void **state) {
  (void)state;
  const pl_affine *row = name(0, 63), *low = name(0, 7);
  const pl_affine *at = pl_affine_xor(&all, add(low, row, 8), low, 3);
  assert_range(add(at, row, -8), 0, 7);
}

static void test_what_does_not_fit(void **state) {
  (void)state;
  pl_turns turns = {.depth = 1};
  const pl_affine *n =
      pl_affine_free(&all, (pl_interval){0, PL_UNBOUNDED}, &turns);
  const pl_affine *large = add(number(0), n, (int64_t)1 << 60);
  const pl_affine *too_large = add(large, large, 1);
  assert_range(too_large, -PL_UNBOUNDED, PL_UNBOUNDED);
  assert_ptr_equal(pl_affine_turns(&all, too_large), &turns);
  assert_range(n, 0, PL_UNBOUNDED);
}

/* ---- values ---------------------------------------------------------------- */

static pl_typed value(const pl_affine *is, uint8_t bytes, bool is_unsigned) {
  return (pl_typed){is, bytes, is_unsigned, true};
}

static pl_typed constant(int64_t is, bool is_unsigned) {
  return pl_typed_number(&all, is, 4, is_unsigned);
}

static pl_typed binary(pl_op op, pl_typed a, pl_typed b) {
  return pl_typed_binary(&all, op, a, b);
}

static void test_unsigned_numbers_wrap(void **state) {
  (void)state;
  const pl_affine *t = name(0, 255);
  pl_typed below = binary(PL_OP_SUB, value(t, 4, true), constant(64, true));
  assert_false(below.exact);
  assert_int_equal(pl_typed_range(&all, below).least, 0);
  const pl_affine *form = pl_typed_form(&all, below);
  assert_false(pl_affine_equal(form, add(t, number(64), -1)));
  pl_typed back = binary(PL_OP_ADD, below, constant(64, true));
  assert_true(back.exact);
  assert_form(back.is, t);
}

static void test_signed_numbers_do_not(void **state) {
  (void)state;
  const pl_affine *n = name(INT32_MIN, INT32_MAX);
  pl_typed sum = binary(PL_OP_ADD, value(n, 4, false), constant(64, false));
  assert_true(sum.exact);
  pl_typed mixed = binary(PL_OP_ADD, value(n, 4, false), constant(64, true));
  assert_true(mixed.is_unsigned);
  assert_false(mixed.exact);
}

static void test_conversions(void **state) {
  (void)state;
  const pl_type byte = {.kind = PL_TYPE_INT, .size = 1, .is_unsigned = true};
  const pl_type plain = {.kind = PL_TYPE_INT, .size = 4};
  pl_typed four = pl_typed_convert(&all, constant(260, false), &byte);
  assert_true(four.exact);
  assert_form(four.is, number(4));
  pl_typed t = value(name(0, 1023), 4, true);
  assert_true(pl_typed_convert(&all, t, &plain).exact);
  pl_typed any = value(name(0, ((int64_t)1 << 32) - 1), 4, true);
  assert_false(pl_typed_convert(&all, any, &plain).exact);
}

/* Of bits that no form holds the bounds are known. */
static void test_bounds_of_bits(void **state) {
  (void)state;
  pl_typed t = value(name(0, 100), 4, false), any = value(name(-7, 1000), 4, false);
  pl_typed small = value(name(3, 9), 4, false);
  assert_int_equal(pl_typed_range(&all, binary(PL_OP_AND, any, small)).least, 0);
  assert_int_equal(pl_typed_range(&all, binary(PL_OP_AND, any, small)).largest, 9);
  assert_int_equal(pl_typed_range(&all, binary(PL_OP_AND, t, small)).largest, 9);
  assert_int_equal(pl_typed_range(&all, binary(PL_OP_OR, t, small)).largest, 127);
  assert_int_equal(pl_typed_range(&all, binary(PL_OP_OR, t, small)).least, 0);
  assert_true(pl_typed_range(&all, binary(PL_OP_OR, any, small)).least < 0);
  assert_int_equal(pl_typed_range(&all, binary(PL_OP_AND, t, constant(5, false))).largest, 5);
}

static void test_bits(void **state) {
  (void)state;
  const pl_affine *t = name(0, 255);
  pl_typed of = value(t, 4, true);
  assert_form(binary(PL_OP_AND, of, constant(31, false)).is,
              pl_affine_modulo(&all, t, 32));
  assert_form(binary(PL_OP_SHR, of, constant(5, false)).is,
              pl_affine_floor(&all, t, 32));
  assert_form(binary(PL_OP_AND, of, constant(0xffffffe0, true)).is,
              add(t, pl_affine_modulo(&all, t, 32), -1));
  pl_typed shifted = binary(PL_OP_SHL, of, constant(3, false));
  assert_form(binary(PL_OP_OR, shifted, constant(5, false)).is,
              add(number(5), t, 8));
}

static void test_conditions(void **state) {
  (void)state;
  const pl_affine *i = name(-100, 100);
  pl_decision less = pl_typed_compare(&all, PL_OP_LT, value(i, 4, false),
                                      constant(8, false));
  assert_int_equal(pl_where_range(&all, less.yes, i).largest, 7);
  assert_int_equal(pl_where_range(&all, less.no, i).least, 8);
  const pl_affine *above = add(number(3), i, 1);
  assert_int_equal(pl_where_range(&all, less.yes, above).largest, 10);
  pl_decision positive = pl_typed_compare(&all, PL_OP_GE, value(i, 4, false),
                                          constant(0, false));
  const pl_where *both = pl_where_both(&all, less.yes, positive.yes);
  assert_int_equal(pl_where_range(&all, both, i).least, 0);
  assert_int_equal(pl_where_range(&all, both, i).largest, 7);
  const pl_where *either = pl_where_either(&all, less.yes, positive.yes);
  assert_int_equal(pl_where_range(&all, either, i).largest, 100);
  assert_null(pl_where_either(&all, less.yes, NULL));
}

/* ---- as sets ------------------------------------------------------------- */

static void test_truths_stay_numbers(void **state) {
  (void)state;
  const pl_type truth = {.kind = PL_TYPE_BOOL, .size = 1, .is_unsigned = true};
  const pl_affine *is = name(0, 1), *any = name(0, 2);
  assert_form(pl_typed_convert(&all, value(is, 4, false), &truth).is, is);
  assert_false(pl_affine_equal(
      pl_typed_convert(&all, value(any, 4, false), &truth).is, any));
}

/* The first name is another one on each side. */
static int value_of(const pl_sides *s, uint32_t name, int side) {
  (void)s;
  return name == 0 ? side : 0;
}

static pl_sides open_sides(int tells) {
  pl_sides s = {.names = &all, .value_of = value_of, .nsides = 2, .nvalues = 2, .tells = tells,
                .integers = pl_integers_new(all.arena, 100000)};
  pl_sides_begin(&s);
  return s;
}

/* `if (k0 + tx < n)`, for two threads of one iteration. */
static void test_two_sides(void **state) {
  (void)state;
  const pl_affine *tx = name(0, 31), *k0 = name(0, 1000), *n = name(0, 1000);
  const pl_where *guard =
      pl_typed_compare(&all, PL_OP_LT, value(add(k0, tx, 1), 4, false),
                       value(n, 4, false)).yes;
  pl_sides s = open_sides(0);
  const pl_iset *one = pl_side_where(&s, guard, 0);
  const pl_iset *other = pl_side_where(&s, guard, 1);
  s.set = pl_iset_and(s.set, one);
  assert_int_equal(pl_iset_is_subset(s.set, other), PL_NO);
  pl_sides_require(&s, pl_side_form(&s, tx, 0), PL_OP_EQ, pl_side_form(&s, tx, 1));
  assert_int_equal(pl_iset_is_subset(s.set, other), PL_YES);
  pl_integers_free(s.integers);
}

/* What is defined as the smaller one of two is so on the sides that are told. */
static void test_definitions(void **state) {
  (void)state;
  const pl_affine *least = name(-9, 99), *n = name(-9, 99);
  pl_typed m = value(least, 4, false), left = value(n, 4, false);
  pl_decision less = pl_typed_compare(&all, PL_OP_LT, left, constant(16, false));
  all.names[least->terms[0].name].known = pl_where_either(
      &all,
      pl_where_both(&all, less.yes, pl_typed_compare(&all, PL_OP_EQ, m, left).yes),
      pl_where_both(&all, less.no,
                    pl_typed_compare(&all, PL_OP_EQ, m, constant(16, false)).yes));
  for (int told = 0; told < 2; told++) {
    pl_sides s = open_sides(told);
    const pl_iset *below = pl_iset_and(
        pl_iset_compare(pl_side_form(&s, least, 0), PL_OP_LE, pl_side_form(&s, n, 0)),
        pl_iset_compare(pl_side_form(&s, least, 0), PL_OP_LE,
                        pl_iform_number(s.integers, 16)));
    assert_int_equal(pl_iset_is_subset(s.set, below), told ? PL_YES : PL_NO);
    pl_integers_free(s.integers);
  }
}

/* Numbers of 8 bytes without a sign: n - f is what it says where f < n. */
static void test_wide_numbers_wrap(void **state) {
  (void)state;
  const pl_type size = {.kind = PL_TYPE_INT, .size = 8, .is_unsigned = true};
  pl_typed f = pl_typed_any(&all, &size, NULL), n = pl_typed_any(&all, &size, NULL);
  pl_typed left = binary(PL_OP_SUB, n, f);
  assert_false(left.exact);
  const pl_affine *form = pl_typed_form(&all, left);
  assert_form(pl_typed_form(&all, binary(PL_OP_SUB, n, f)), form); /* made again */
  pl_sides s = open_sides(1);
  const pl_iset *equal = pl_iset_compare(
      pl_side_form(&s, form, 0), PL_OP_EQ,
      pl_iform_sub(pl_side_form(&s, n.is, 0), pl_side_form(&s, f.is, 0)));
  assert_int_equal(pl_iset_is_subset(s.set, equal), PL_NO);
  s.set = pl_iset_and(
      s.set, pl_side_where(&s, pl_typed_compare(&all, PL_OP_LT, f, n).yes, 0));
  assert_int_equal(pl_iset_is_subset(s.set, equal), PL_YES);
  pl_integers_free(s.integers);
}

int main(void) {
#define TEST(of) cmocka_unit_test_setup_teardown(of, open_names, close_names)
  const struct CMUnitTest tests[] = {
      TEST(test_sums),
      TEST(test_ratios),
      TEST(test_bounds_of_bits),
      TEST(test_quotients),
      TEST(test_quotients_below_zero),
      TEST(test_products),
      TEST(test_exclusive_or),
      TEST(test_what_does_not_fit),
      TEST(test_unsigned_numbers_wrap),
      TEST(test_signed_numbers_do_not),
      TEST(test_conversions),
      TEST(test_bits),
      TEST(test_conditions),
      TEST(test_truths_stay_numbers),
      TEST(test_two_sides),
      TEST(test_definitions),
      TEST(test_wide_numbers_wrap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
