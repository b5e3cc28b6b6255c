/* test_integer_set.c - sets of integers: integer_set.c, asked
 * textbook questions of tiled kernels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "integer_set.h"

#include <stdlib.h>

#define ENOUGH 1000000

static pl_arena *arena;
static pl_integers *integers;

static int open_integers(void **state) {
  (void)state;
  arena = pl_arena_new(abort);
  integers = pl_integers_new(arena, ENOUGH);
  return integers ? 0 : -1;
}

static int close_integers(void **state) {
  (void)state;
  pl_integers_free(integers);
  pl_arena_free(arena);
  return 0;
}

static const pl_iform *name(const char *of) {
  return pl_iform_name(integers, of);
}

static const pl_iform *number(int64_t value) {
  return pl_iform_number(integers, value);
}

static const pl_iform *sum(const pl_iform *a, const pl_iform *b) {
  return pl_iform_add(a, b);
}

static const pl_iform *times(int64_t by, const pl_iform *a) {
  return pl_iform_scale(a, by);
}

/* from <= of < end. */
static const pl_iset *between(int64_t from, const char *of, int64_t end) {
  return pl_iset_and(pl_iset_compare(number(from), PL_OP_LE, name(of)),
                     pl_iset_compare(name(of), PL_OP_LT, number(end)));
}

static pl_answer are_disjoint(const pl_iset *a, const pl_iset *b) {
  return pl_iset_is_empty(pl_iset_and(a, b));
}

static void test_containment(void **state) {
  (void)state;
  /* `if (k0 + tx < K)` stores what `if (k < K - k0 && k == tx)` reads. */
  const pl_iset *stored = pl_iset_and(
      between(0, "tx", 32),
      pl_iset_compare(sum(name("k0"), name("tx")), PL_OP_LT, name("K")));
  const pl_iset *read = pl_iset_and(
      pl_iset_and(between(0, "k", 32), pl_iset_compare(name("k"), PL_OP_LT,
                                pl_iform_sub(name("K"), name("k0")))),
      pl_iset_compare(name("k"), PL_OP_EQ, name("tx")));
  const pl_iset *cell =
      pl_iset_and(pl_iset_project(stored, (const char *[]){"k"}, 1),
                  pl_iset_compare(name("k"), PL_OP_EQ, name("tx")));
  assert_int_equal(pl_iset_is_subset(read, cell), PL_YES);
  assert_int_equal(pl_iset_is_subset(between(0, "k", 32), cell), PL_NO);
  assert_int_equal(pl_iset_is_subset(stored, pl_iset_all(integers)), PL_YES);
}

static void test_emptiness(void **state) {
  (void)state;
  const pl_iset *below = pl_iset_compare(name("k0"), PL_OP_LT, name("K"));
  const pl_iset *beyond = pl_iset_compare(name("k0"), PL_OP_GE, name("K"));
  assert_int_equal(pl_iset_is_empty(below), PL_NO);
  assert_int_equal(pl_iset_is_empty(pl_iset_and(below, beyond)), PL_YES);
  assert_int_equal(are_disjoint(below, beyond), PL_YES);
  assert_int_equal(
      pl_iset_is_subset(pl_iset_all(integers), pl_iset_or(below, beyond)),
      PL_YES);
  assert_int_equal(
      are_disjoint(pl_iset_minus(pl_iset_all(integers), below), below),
      PL_YES);
  /* Between the numbers: 3 * i == 3 * j + 1. */
  assert_int_equal(
      pl_iset_is_empty(pl_iset_compare(times(3, name("i")), PL_OP_EQ,
                                       sum(times(3, name("j")), number(1)))),
      PL_YES);
}

static void test_equal_cells_in_each_iteration(void **state) {
  (void)state;
  /* s[(k0 / 32 % 2) * 1024 + tx] of a tile, and of the next one. */
  const pl_iform *k = name("k0");
  const pl_iform *one = sum(name("tx"), times(1024, pl_iform_mod(
                                            pl_iform_floor(k, 32), 2)));
  const pl_iform *next = sum(
      name("tx"),
      times(1024, pl_iform_mod(pl_iform_floor(sum(k, number(32)), 32), 2)));
  const pl_iform *after = sum(
      name("tx"),
      times(1024, pl_iform_mod(pl_iform_floor(sum(k, number(64)), 32), 2)));
  assert_int_equal(pl_iset_is_empty(pl_iset_compare(one, PL_OP_EQ, next)), PL_YES);
  assert_int_equal(pl_iset_is_empty(pl_iset_compare(one, PL_OP_NE, after)), PL_YES);
}

static void test_contiguity(void **state) {
  (void)state;
  /* Four neighbours of i = 4 * g + j lie in one row of 32, one behind the other. */
  const pl_iform *i = sum(times(4, name("g")), name("j"));
  const pl_iform *at = sum(times(40, pl_iform_div(i, 32)), pl_iform_rem(i, 32));
  const pl_iform *first = times(4, name("g"));
  const pl_iform *begin =
      sum(times(40, pl_iform_div(first, 32)), pl_iform_rem(first, 32));
  const pl_iset *within = pl_iset_and(
      between(0, "j", 4), pl_iset_compare(name("g"), PL_OP_GE, number(0)));
  const pl_iset *apart =
      pl_iset_compare(at, PL_OP_NE, sum(begin, name("j")));
  assert_int_equal(are_disjoint(within, apart), PL_YES);
  const pl_iset *five = pl_iset_and(
      between(0, "j", 5), pl_iset_compare(name("g"), PL_OP_GE, number(0)));
  assert_int_equal(are_disjoint(five, apart), PL_NO);
}

static void test_wrap_around(void **state) {
  (void)state;
  /* `unsigned k`: k + 32 < K says nothing of k < K, where it wraps. */
  const int64_t wrap = (int64_t)1 << 32;
  const pl_iset *types =
      pl_iset_and(between(0, "k", wrap), between(0, "K", wrap));
  const pl_iform *ahead = pl_iform_mod(sum(name("k"), number(32)), wrap);
  const pl_iset *guard =
      pl_iset_and(types, pl_iset_compare(ahead, PL_OP_LT, name("K")));
  const pl_iset *below = pl_iset_compare(name("k"), PL_OP_LT, name("K"));
  assert_int_equal(pl_iset_is_subset(guard, below), PL_NO);
  const pl_iset *no_wrap =
      pl_iset_and(guard, between(0, "k", wrap - 32));
  assert_int_equal(pl_iset_is_subset(no_wrap, below), PL_YES);
}

static void test_rounding(void **state) {
  (void)state;
  const pl_iset *below = between(-7, "i", 0);
  assert_int_equal(
      pl_iset_is_subset(below, pl_iset_compare(pl_iform_rem(name("i"), 8),
                                               PL_OP_EQ, name("i"))),
      PL_YES);
  assert_int_equal(
      pl_iset_is_subset(below, pl_iset_compare(pl_iform_div(name("i"), 8),
                                               PL_OP_EQ, number(0))),
      PL_YES);
  assert_int_equal(
      pl_iset_is_subset(below, pl_iset_compare(pl_iform_floor(name("i"), 8),
                                               PL_OP_EQ, number(-1))),
      PL_YES);
}

static void test_choices(void **state) {
  (void)state;
  /* i < 8 ? i : i - 8 is below 8 for i below 16. */
  const pl_iform *at = pl_iform_choose(
      pl_iset_compare(name("i"), PL_OP_LT, number(8)), name("i"),
      pl_iform_sub(name("i"), number(8)));
  assert_int_equal(
      pl_iset_is_subset(between(0, "i", 16),
                        pl_iset_compare(at, PL_OP_LT, number(8))),
      PL_YES);
  assert_int_equal(
      pl_iset_is_subset(between(0, "i", 17),
                        pl_iset_compare(at, PL_OP_LT, number(8))),
      PL_NO);
}

/* |i| and min(i, 3), piece by piece: they are one where i is 0 to 3, and nowhere else. */
static void test_choices_compared(void **state) {
  (void)state;
  const pl_iform *none = number(0), *three = number(3);
  const pl_iform *size =
      pl_iform_choose(pl_iset_compare(name("i"), PL_OP_LT, none),
                      pl_iform_sub(none, name("i")), name("i"));
  const pl_iform *least = pl_iform_choose(
      pl_iset_compare(name("i"), PL_OP_GT, three), three, name("i"));
  static const pl_op ops[] = {PL_OP_EQ, PL_OP_NE, PL_OP_LT, PL_OP_LE, PL_OP_GT, PL_OP_GE};
  const pl_iset *all = pl_iset_all(integers), *nowhere = pl_iset_minus(all, all);
  const pl_iset *few = between(0, "i", 4), *others = pl_iset_minus(all, few);
  const pl_iset *due[] = {few, others, nowhere, few, others, all};
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
    const pl_iset *found = pl_iset_compare(size, ops[i], least);
    assert_int_equal(pl_iset_is_subset(found, due[i]), PL_YES);
    assert_int_equal(pl_iset_is_subset(due[i], found), PL_YES);
  }
}

/* A sum has one handle, however it came to be, and what says the same of it has one. */
static void test_sums(void **state) {
  (void)state;
  const pl_iform *k = name("k"), *one = number(1);
  const pl_iform *ahead = sum(times(4, k), sum(name("tx"), one));
  assert_ptr_equal(sum(name("tx"), sum(one, times(4, k))), ahead);
  assert_ptr_equal(pl_iform_sub(pl_iform_sub(ahead, name("tx")), one), times(4, k));
  assert_ptr_equal(pl_iform_mod(sum(times(8, k), number(-3)), 8), number(5));
  assert_ptr_equal(pl_iform_floor(sum(times(8, k), number(-3)), 4), sum(times(2, k), number(-1)));
  assert_ptr_equal(pl_iform_mod(sum(k, number(8)), 8), pl_iform_mod(k, 8));
  assert_ptr_equal(pl_iform_renamed(ahead, "k", "tz"), sum(times(4, name("tz")), sum(name("tx"), one)));
  assert_ptr_equal(pl_iform_renamed(sum(k, name("q")), "k", "z"), sum(name("q"), name("z")));
  assert_true(pl_iform_has(ahead, "k"));
  assert_false(pl_iform_has(pl_iform_sub(ahead, times(4, k)), "k"));
  const pl_iset *below = pl_iset_compare(k, PL_OP_LT, name("n"));
  assert_ptr_equal(pl_iset_compare(sum(k, one), PL_OP_LE, name("n")), below);
  assert_ptr_equal(pl_iset_compare(times(2, name("n")), PL_OP_GT, times(2, k)), below);
  assert_ptr_equal(pl_iset_compare(k, PL_OP_LT, sum(k, one)), pl_iset_all(integers));
  assert_ptr_equal(pl_iset_compare(k, PL_OP_EQ, name("n")), pl_iset_compare(name("n"), PL_OP_EQ, k));
  const pl_iset *three = pl_iset_compare(times(3, k), PL_OP_NE, number(1));
  assert_ptr_equal(three, pl_iset_all(integers));
}

/* ... as far as eight bytes go: beyond that isl counts. */
static void test_large_sums(void **state) {
  (void)state;
  const int64_t half = (int64_t)1 << 32;
  const pl_iform *wrap = times(half, number(half)), *i = name("i");
  const pl_iset *few = between(0, "i", half);
  assert_int_equal(pl_iset_is_subset(few, pl_iset_compare(i, PL_OP_LT, wrap)), PL_YES);
  const pl_iform *far = sum(number(INT64_MAX), number(INT64_MAX));
  assert_int_equal(pl_iset_is_empty(pl_iset_compare(far, PL_OP_LE, number(INT64_MAX))), PL_YES);
  assert_int_equal(pl_iset_is_empty(pl_iset_compare(number(INT64_MIN), PL_OP_LT, far)), PL_NO);
  assert_int_equal(pl_iset_is_empty(pl_iset_compare(pl_iform_sub(i, number(INT64_MIN)), PL_OP_LT,
                                                    pl_iform_sub(i, number(-1)))),
                   PL_YES);
}

/* A comparison of forms with several pieces, in a set before it is anything else. */
static void test_compared_in_a_set(void **state) {
  (void)state;
  const pl_iform *none = number(0), *three = number(3);
  const pl_iform *size = pl_iform_choose(pl_iset_compare(name("i"), PL_OP_LT, none),
                                         pl_iform_sub(none, name("i")), name("i"));
  const pl_iform *least = pl_iform_choose(pl_iset_compare(name("i"), PL_OP_GT, three),
                                          three, name("i"));
  const pl_iset *few = between(0, "i", 4), *more = between(0, "i", 5);
  assert_int_equal(are_disjoint(few, pl_iset_compare(size, PL_OP_NE, least)), PL_YES);
  assert_int_equal(pl_iset_is_subset(few, pl_iset_compare(size, PL_OP_LE, least)), PL_YES);
  assert_int_equal(pl_iset_is_subset(more, pl_iset_compare(size, PL_OP_EQ, least)), PL_NO);
  assert_int_equal(pl_iset_is_empty(pl_iset_minus(more, pl_iset_compare(size, PL_OP_GE, least))),
                   PL_YES);
  const pl_iset *beyond = pl_iset_minus(more, pl_iset_compare(size, PL_OP_LT, sum(least, number(1))));
  const pl_iset *last = pl_iset_compare(name("i"), PL_OP_EQ, number(4));
  assert_int_equal(pl_iset_is_subset(beyond, last), PL_YES);
  assert_int_equal(pl_iset_is_subset(last, beyond), PL_YES);
}

/* What a name is that a set has nothing of is added to each part of it; one that it has
 * something of is no definition, and may leave nothing. */
static void test_definitions(void **state) {
  (void)state;
  const pl_iset *tx = pl_iset_or(between(0, "tx", 8), between(16, "tx", 24));
  const pl_iset *cell = pl_iset_compare(name("c"), PL_OP_EQ, sum(times(4, name("tx")), number(1)));
  const pl_iset *both = pl_iset_and(tx, cell), *turned = pl_iset_and(cell, tx);
  assert_int_equal(pl_iset_is_empty(both), PL_NO);
  assert_int_equal(pl_iset_is_subset(both, turned), PL_YES);
  assert_int_equal(pl_iset_is_subset(turned, both), PL_YES);
  assert_int_equal(are_disjoint(both, between(32, "c", 65)), PL_YES);
  assert_int_equal(are_disjoint(both, between(32, "c", 66)), PL_NO);
  const pl_iset *halves = pl_iset_compare(times(2, name("d")), PL_OP_EQ,
                                          sum(times(2, name("tx")), name("ty")));
  assert_int_equal(are_disjoint(pl_iset_and(tx, pl_iset_compare(name("ty"), PL_OP_EQ, number(1))),
                                halves), PL_YES);
  assert_int_equal(are_disjoint(pl_iset_and(tx, pl_iset_compare(name("c"), PL_OP_GT, number(93))),
                                cell), PL_YES);
}

/* What a set was made a part of, and without, is seen whatever was done to it since. */
static void test_made_parts(void **state) {
  (void)state;
  const pl_iset *few = between(0, "i", 8), *odd = pl_iset_compare(
      pl_iform_mod(name("i"), 2), PL_OP_EQ, number(1));
  const pl_iset *in = pl_iset_and(few, odd), *out = pl_iset_minus(few, odd);
  const pl_iset *deep = pl_iset_and(pl_iset_and(in, between(0, "j", 4)),
                                    pl_iset_compare(name("i"), PL_OP_LT, name("j")));
  assert_ptr_equal(pl_iset_and(deep, in), deep);
  assert_ptr_equal(pl_iset_and(in, deep), deep);
  assert_ptr_equal(pl_iset_minus(deep, out), deep);
  assert_ptr_equal(pl_iset_minus(out, deep), out);
  assert_int_equal(pl_iset_is_subset(deep, odd), PL_YES);
  assert_int_equal(pl_iset_is_subset(odd, deep), PL_NO);
  assert_int_equal(pl_iset_is_empty(pl_iset_and(out, deep)), PL_YES);
  assert_int_equal(pl_iset_is_empty(pl_iset_minus(deep, few)), PL_YES);
  assert_int_equal(pl_iset_is_empty(pl_iset_minus(few, deep)), PL_NO);
  assert_int_equal(pl_iset_is_empty(pl_iset_and(out, few)), PL_NO);
}

/* What a division leaves is zero where rounding down leaves that, for numbers below zero, too. */
static void test_no_rest(void **state) {
  (void)state;
  const pl_iform *rest = pl_iform_rem(name("i"), 8), *down = pl_iform_mod(name("i"), 8);
  assert_ptr_equal(pl_iset_compare(rest, PL_OP_EQ, number(0)),
                   pl_iset_compare(down, PL_OP_EQ, number(0)));
  assert_ptr_equal(pl_iset_compare(sum(number(0), rest), PL_OP_NE, number(0)),
                   pl_iset_compare(down, PL_OP_NE, number(0)));
  assert_int_equal(pl_iset_is_empty(pl_iset_compare(rest, PL_OP_LT, number(0))), PL_NO);
  assert_int_equal(pl_iset_is_subset(pl_iset_compare(rest, PL_OP_EQ, number(1)),
                                     pl_iset_compare(name("i"), PL_OP_GT, number(0))), PL_YES);
  assert_int_equal(pl_iset_is_empty(pl_iset_and(pl_iset_compare(rest, PL_OP_EQ, number(-7)),
                                                pl_iset_compare(down, PL_OP_EQ, number(1)))),
                   PL_NO);
}

/* The stage ahead of another one, in a ring of so many; and a stage has one form, however it
 * came to be. */
static void test_turned_back(void **state) {
  (void)state;
  const pl_iform *stage = pl_iform_mod(sum(name("k"), number(2)), 5), *one = number(1);
  const pl_iset *first = pl_iset_compare(stage, PL_OP_EQ, number(0));
  const pl_iform *ahead = pl_iform_choose(first, number(4), pl_iform_sub(stage, one));
  assert_ptr_equal(ahead, pl_iform_mod(sum(name("k"), one), 5));
  const pl_iset *apart = pl_iset_compare(pl_iform_mod(sum(ahead, one), 5), PL_OP_NE, stage);
  assert_int_equal(pl_iset_is_empty(apart), PL_YES);
  const pl_iset *rounds = pl_iset_and(pl_iset_compare(name("k"), PL_OP_GE, number(0)),
                                      pl_iset_compare(name("k"), PL_OP_LT, name("T")));
  const pl_iform *held = pl_iform_choose(pl_iset_compare(name("k"), PL_OP_LT, name("T")), stage,
                                         number(0));
  assert_ptr_equal(pl_iform_within(held, rounds), stage);
  const pl_iform *other = pl_iform_choose(first, number(3), pl_iform_sub(stage, one));
  assert_int_equal(pl_iset_is_empty(pl_iset_compare(ahead, PL_OP_NE, other)), PL_NO);
}

/* A bound of a name that a set has nothing of leaves something of each part of it; sets of other
 * names do. */
static void test_new_bounds(void **state) {
  (void)state;
  const pl_iset *tx = pl_iset_or(between(0, "tx", 8), between(16, "tx", 24));
  const pl_iset *bound = pl_iset_compare(times(3, name("k")), PL_OP_LT, name("tx"));
  const pl_iset *both = pl_iset_and(tx, bound);
  assert_int_equal(pl_iset_is_empty(both), PL_NO);
  assert_int_equal(are_disjoint(both, pl_iset_compare(name("k"), PL_OP_EQ, number(7))), PL_NO);
  assert_int_equal(are_disjoint(both, pl_iset_compare(name("k"), PL_OP_EQ, number(8))), PL_YES);
  const pl_iset *other = pl_iset_and(tx, between(3, "m", 3));
  const pl_iset *some = pl_iset_and(tx, between(3, "m", 4));
  assert_int_equal(pl_iset_is_empty(other), PL_YES);
  assert_int_equal(pl_iset_is_empty(some), PL_NO);
  assert_int_equal(pl_iset_is_subset(some, tx), PL_YES);
}

/* Where a form may be no number, it is not so that it is above or below another. */
static void test_compared_outside(void **state) {
  (void)state;
  const pl_iset *some = pl_iset_and(between(0, "i", 8), between(0, "j", 8));
  const pl_iform *rest = pl_iform_choose(pl_iset_compare(name("i"), PL_OP_LT, name("j")),
                                         pl_iform_mod(name("i"), 4), pl_iform_mod(name("j"), 3));
  const pl_iform *in = pl_iform_within(rest, some);
  const pl_iset *low = pl_iset_compare(in, PL_OP_LT, number(4));
  assert_int_equal(pl_iset_is_subset(some, low), PL_YES);
  const pl_iset *all = pl_iset_all(integers);
  const pl_iset *outside = pl_iset_minus(all, pl_iset_compare(in, PL_OP_LT, number(3)));
  const pl_iset *inside = pl_iset_compare(in, PL_OP_LT, number(3));
  assert_int_equal(pl_iset_is_subset(all, pl_iset_or(inside, outside)), PL_YES);
}

static void test_other_names(void **state) {
  (void)state;
  const pl_iset *set = pl_iset_compare(name("i"), PL_OP_LT, name("n"));
  const pl_iset *other = pl_iset_renamed(set, "i", "j");
  const pl_iform *form = pl_iform_renamed(name("i"), "i", "j");
  assert_int_equal(
      pl_iset_is_subset(other, pl_iset_compare(form, PL_OP_LT, name("n"))),
      PL_YES);
  assert_int_equal(pl_iset_is_subset(other, set), PL_NO);
  assert_ptr_equal(pl_iset_renamed(set, "k", "j"), set);
  assert_true(pl_iset_has(set, "i") && pl_iset_has(other, "n"));
  assert_false(pl_iset_has(other, "i") || pl_iset_has(NULL, "i"));
}

/* Of max(n, 0) nothing but n is left where n is not negative. */
static void test_within(void **state) {
  (void)state;
  const pl_iform *none = pl_iform_number(integers, 0);
  const pl_iset *some = pl_iset_compare(name("n"), PL_OP_GE, none);
  const pl_iform *most = pl_iform_choose(some, name("n"), none);
  const pl_iset *apart = pl_iset_compare(most, PL_OP_NE, name("n"));
  assert_int_equal(pl_iset_is_empty(apart), PL_NO);
  assert_int_equal(are_disjoint(apart, some), PL_YES);
  apart = pl_iset_compare(pl_iform_within(most, some), PL_OP_NE, name("n"));
  assert_int_equal(pl_iset_is_empty(apart), PL_YES);
}

static void test_joined(void **state) {
  (void)state;
  const pl_iset *both = pl_iset_or(between(0, "i", 4), between(4, "i", 8));
  const pl_iset *one = pl_iset_joined(both);
  assert_int_equal(pl_iset_is_subset(one, both), PL_YES);
  assert_int_equal(pl_iset_is_subset(both, one), PL_YES);
}

static void test_what_is_not_known(void **state) {
  (void)state;
  assert_null(pl_iform_floor(name("i"), 0));
  assert_null(pl_iform_add(name("i"), NULL));
  assert_null(pl_iset_compare(name("i"), PL_OP_ADD, name("j")));
  assert_null(pl_iform_name(NULL, "i"));
  assert_null(pl_iform_within(name("i"), NULL));
  assert_null(pl_iset_joined(NULL));
  assert_int_equal(pl_iset_is_empty(NULL), PL_UNKNOWN);
  assert_int_equal(pl_iset_is_subset(pl_iset_all(integers), NULL), PL_UNKNOWN);
  pl_integers_free(NULL);
}

/* A budget that is spent stays so, and ends nothing. */
static void test_budget(void **state) {
  (void)state;
  pl_integers *enough = integers;
  integers = pl_integers_new(arena, 5);
  const pl_iform *at = sum(name("tx"), times(256, name("i")));
  pl_answer said = pl_iset_is_empty(
      pl_iset_compare(pl_iform_mod(at, 1024), PL_OP_EQ, number(3)));
  assert_int_equal(said, PL_UNKNOWN);
  assert_true(pl_integers_spent(integers));
  assert_int_equal(pl_iset_is_empty(between(0, "i", 0)), PL_UNKNOWN);
  pl_integers_again(integers, ENOUGH);
  assert_false(pl_integers_spent(integers));
  assert_int_equal(pl_iset_is_empty(between(0, "i", 0)), PL_YES);
  pl_integers_free(integers);
  integers = enough;
  assert_false(pl_integers_spent(integers));
}

int main(void) {
#define TEST(of) cmocka_unit_test_setup_teardown(of, open_integers, close_integers)
  const struct CMUnitTest tests[] = {
      TEST(test_containment),
      TEST(test_emptiness),
      TEST(test_equal_cells_in_each_iteration),
      TEST(test_contiguity),
      TEST(test_wrap_around),
      TEST(test_rounding),
      TEST(test_choices),
      TEST(test_choices_compared),
      TEST(test_sums),
      TEST(test_large_sums),
      TEST(test_compared_in_a_set),
      TEST(test_definitions),
      TEST(test_made_parts),
      TEST(test_no_rest),
      TEST(test_turned_back),
      TEST(test_new_bounds),
      TEST(test_compared_outside),
      TEST(test_other_names),
      TEST(test_within),
      TEST(test_joined),
      TEST(test_what_is_not_known),
      TEST(test_budget),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
