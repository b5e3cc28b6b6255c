/* test_launch.c - launch descriptions: what is read, what is refused where. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "launch.h"

#include <stdlib.h>
#include <string.h>

static pl_launch_error error;

static pl_launch_list *source(const char *text) {
  return pl_launches_from_source(text, strlen(text), &error);
}

static pl_launch_list *option(const char *text) {
  return pl_launches_from_text(text, strlen(text), &error);
}

static const char SGEMM[] =
    "#include <x>\n"
    "// pipelinify: launch ns::sgemm<16, (1 > 0)>(const float *, int)\n"
    "//   sizes    M=33,64 K=0,1,15\n"
    "//   sizes    K=7 M=1\n"
    "//   target   M=4096 K=512\n"
    "//   let      lda = K + 3\n"
    "//   requires M > 1 || K == 7\n"
    "//   grid     (M + 15) / 16, 2\n"
    "//   block    16, 16\n"
    "//   smem     2 * lda * 4\n"
    "//   A:       in [M * lda] range(-0.5, 2)\n"
    "//   I:       inout [K] below(M)\n"
    "//   C:       out [M]\n"
    "//   alpha:   -1.5f\n"
    "//   block:   min(M, K) - 1\n"
    "//   p:       null\n"
    "//   work     flops 2 * M * K\n"
    "void f();\n";

static void reads_everything(void **state) {
  (void)state;
  pl_launch_list *list = source(SGEMM);
  assert_non_null(list);
  assert_int_equal(list->n, 1);
  const pl_launch *l = &list->launches[0];
  assert_string_equal(l->kernel, "ns::sgemm<16, (1 > 0)>");
  assert_string_equal(l->name, "sgemm");
  assert_string_equal(l->types, "(const float *, int)");
  assert_int_equal(l->line, 2);
  assert_int_equal(l->n_args, 6);
  assert_int_equal(l->args[0].fill, PL_FILL_RANGE);
  assert_true(l->args[0].low == -0.5 && l->args[0].high == 2);
  assert_int_equal(l->args[1].direction, PL_ARG_INOUT);
  assert_int_equal(l->args[1].fill, PL_FILL_BELOW);
  assert_int_equal(l->args[2].direction, PL_ARG_OUT);
  assert_int_equal(l->args[3].kind, PL_ARG_REAL);
  assert_true(l->args[3].real == -1.5);
  assert_string_equal(l->args[4].name, "block");
  assert_int_equal(l->args[4].kind, PL_ARG_INT);
  assert_int_equal(l->args[5].kind, PL_ARG_NULL);
  pl_launch_list_free(list);
}

static void works_cases_out(void **state) {
  (void)state;
  pl_launch_list *list = source(SGEMM);
  const pl_launch *l = &list->launches[0];
  pl_case c;
  assert_int_equal(pl_launch_case_count(l), 7);
  assert_int_equal(pl_launch_case(list->arena, l, 5, &c, &error), PL_CASE_OK);
  pl_str sizes = pl_case_sizes_text(list->arena, &c);
  assert_true(pl_str_is(sizes, "M=64 K=15"));
  assert_int_equal(c.grid[0], 4);
  assert_int_equal(c.grid[1], 2);
  assert_int_equal(c.grid[2], 1);
  assert_int_equal(c.block[1], 16);
  assert_int_equal(c.smem, 2 * 18 * 4);
  assert_int_equal(c.args[0].count, 64 * 18);
  assert_int_equal(c.args[1].below, 64);
  assert_int_equal(c.args[4].value, 14);
  assert_true(c.flops == 2 * 64 * 15);
  assert_int_equal(pl_launch_case(list->arena, l, 6, &c, &error), PL_CASE_OK);
  assert_int_equal(pl_launch_target(list->arena, l, &c, &error), PL_CASE_OK);
  assert_int_equal(c.smem, 2 * 515 * 4);
  pl_launch_list_free(list);
}

static void leaves_cases_out(void **state) {
  (void)state;
  pl_launch_list *list = option("launch k|sizes M=0,4|requires M < 4 || M > 4"
                                "|grid M|block 32");
  assert_non_null(list);
  pl_case c;
  const pl_launch *l = &list->launches[0];
  assert_int_equal(pl_launch_case(list->arena, l, 0, &c, &error),
                   PL_CASE_LEFT_OUT);
  assert_int_equal(pl_launch_case(list->arena, l, 1, &c, &error),
                   PL_CASE_LEFT_OUT);
  assert_int_equal(pl_launch_target(list->arena, l, &c, &error),
                   PL_CASE_LEFT_OUT);
  pl_launch_list_free(list);
}

/* Found by fuzz_launch: sizes that no kernel is launched with. */
static void refuses_impossible_launches(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } CASES[] = {{"launch k\nblock 1\nsmem 0 - 4", "negative"},
               {"launch k\nblock 4000000000, 4000000000, 4", "1024"},
               {"launch k\nblock 33, 32", "1024"}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    pl_launch_list *list = option(CASES[i].text);
    assert_non_null(list);
    pl_case c;
    assert_int_equal(
        pl_launch_case(list->arena, &list->launches[0], 0, &c, &error),
        PL_CASE_ERROR);
    assert_non_null(strstr(error.text, CASES[i].says));
    pl_launch_list_free(list);
  }
}

/* The comment ends the description, and so does another pragma. */
static void ends_where_the_comment_ends(void **state) {
  (void)state;
  pl_launch_list *list = source("// pipelinify: launch a\n//  block 1\n"
                                "// pipelinify: stages=3\n// free words\n"
                                "// pipelinify: launch b\r\n//\tblock 2\r\n"
                                "\r\n// sizes of nothing\n");
  assert_non_null(list);
  assert_int_equal(list->n, 2);
  assert_string_equal(list->launches[1].kernel, "b");
  pl_launch_list_free(list);
}

static void no_description_is_an_empty_list(void **state) {
  (void)state;
  pl_launch_list *list = source("int main() {}\n");
  assert_non_null(list);
  assert_int_equal(list->n, 0);
  pl_launch_list_free(list);
}

static const struct {
  const char *text;
  int line, column;
  const char *says;
} WRONG[] = {
    {"launch k", 1, 1, "no block"},
    {"launch", 1, 7, "kernel's name"},
    {"block 1", 1, 1, "expected 'launch"},
    {"launch k\n  blok 1", 2, 3, "expected sizes"},
    {"launch k\nblock 1 +", 2, 10, "expected a value"},
    {"launch k\nblock 1, 2, 3, 4", 2, 15, "three extents"},
    {"launch k\nblock (1", 2, 9, "')'"},
    {"launch k\nblock 1.5", 2, 8, "integer"},
    {"launch k\nblock f(1)", 2, 9, "min and max"},
    {"launch k\nblock 1\nsizes M=1,x", 3, 11, "integer"},
    {"launch k\nblock 1\nsizes M=1\nsizes N=1", 4, 7, "'M' has no value"},
    {"launch k\nblock 1\ntarget M=1,2", 3, 8, "one value"},
    {"launch k\nblock 1\nA: in [4", 3, 7, "closing"},
    {"launch k\nblock 1\nA: in [4] rnd", 3, 11, "expected random"},
    {"launch k\nblock 1\nA: in [4] range(2, 1)", 3, 17, "empty range"},
    {"launch k\nblock 1\nx: 1.5x", 3, 4, "number"},
    {"launch k\nblock 1\nx: 1 2", 3, 6, "unexpected"},
    {"launch k\nblock 1\nwork joules 1", 3, 6, "flops"},
};

static void says_where_it_is_wrong(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
    assert_null(option(WRONG[i].text));
    if (!strstr(error.text, WRONG[i].says) || error.line != WRONG[i].line ||
        error.column != WRONG[i].column)
      fail_msg("%s: %d:%d: %s", WRONG[i].text, error.line, error.column,
               error.text);
  }
}

static const struct {
  const char *expression;
  const char *says; /* NULL: has the value */
  int64_t value;
} VALUES[] = {
    {"1 + 2 * 3 - 4 / 2 % 2", NULL, 7},
    {"(1 + 2) * -3", NULL, -9},
    {"M > 2 ? 1 : M == 2 ? 5 : 3", NULL, 5},
    {"!0 && 1 || 1 / 0", NULL, 1},
    {"min(3, max(M, 1))", NULL, 2},
    {"1 < 2 == 1", NULL, 1},
    {"7 - 3 - 2", NULL, 2},
    {"1 / (M - 2)", "division by zero", 0},
    {"N", "unknown name 'N'", 0},
    {"9223372036854775807 + 1", "overflow", 0},
};

static void evaluates(void **state) {
  (void)state;
  pl_arena *arena = pl_arena_new(abort);
  const char *names[] = {"M"};
  int64_t values[] = {2}, value = 0;
  const pl_names all = {names, values, 1};
  for (size_t i = 0; i < sizeof VALUES / sizeof *VALUES; i++) {
    const char *why;
    size_t at;
    pl_str text = {VALUES[i].expression, strlen(VALUES[i].expression)};
    const pl_expr *e = pl_expr_parse(arena, text, &why, &at);
    assert_non_null(e);
    bool ok = pl_expr_eval(arena, e, &all, &value, &why);
    assert_int_equal(ok, VALUES[i].says == NULL);
    if (ok)
      assert_int_equal(value, VALUES[i].value);
    else
      assert_non_null(strstr(why, VALUES[i].says));
  }
  pl_arena_free(arena);
}

/* Two kernels of one signature, each described in its own words. */
static const char FIRST[] = "launch simple|sizes M=33,64 K=0,7|let ld = K + 1|"
                            "grid (M + 15) / 16|block 16, 16|A: in [M * ld]|M: M|"
                            "K: K|scale: ld";
static const char SECOND[] = "launch fast|sizes k=8 rows=128|let tiles = (rows + 31) / 32|"
                             "requires max(k % 8 == 0, rows > 40)|grid tiles, 2|"
                             "block 32, 8|smem 4 * k + ld|a: in [rows * k]|m: rows|"
                             "k: k|s: 1";

static pl_launch_list *described(const char *text) {
  pl_launch_list *list = pl_launches_from_text(text, strlen(text), &error);
  if (!list)
    fail_msg("%s: %d:%d: %s", text, error.line, error.column, error.text);
  return list;
}

static void launches_another_on_the_same_arguments(void **state) {
  (void)state;
  pl_launch_list *first = described(FIRST), *second = described(SECOND);
  const pl_launch *a = &first->launches[0], *b = &second->launches[0];
  pl_case at;
  pl_case_shape shape;
  assert_int_equal(pl_launch_case(first->arena, a, 3, &at, &error), PL_CASE_OK);
  assert_int_equal(pl_case_of_other(first->arena, b, a, &at, &shape, &error),
                   PL_CASE_OK);
  assert_int_equal(shape.grid[0], 2); /* of rows, which is the argument m: 64 */
  assert_int_equal(shape.grid[1], 2);
  assert_int_equal(shape.block[0], 32);
  assert_int_equal(shape.smem, 4 * 7 + 8); /* ld is the first one's name */
  assert_int_equal(pl_launch_case(first->arena, a, 1, &at, &error), PL_CASE_OK);
  assert_int_equal(pl_case_of_other(first->arena, b, a, &at, &shape, &error),
                   PL_CASE_LEFT_OUT);
  pl_launch_list *lost = described("launch lost|sizes rows=8 blocks=2|grid blocks|"
                                   "block 8|a: in [8]|m: rows|k: 1|s: 1");
  assert_int_equal(pl_case_of_other(first->arena, &lost->launches[0], a, &at,
                                    &shape, &error),
                   PL_CASE_ERROR);
  assert_string_equal(error.text, "'blocks' is neither an integer argument of "
                                  "'lost' nor a size of 'simple'");
  pl_launch_list_free(lost);
  pl_launch_list_free(first);
  pl_launch_list_free(second);
}

static void takes_the_sizes_of_another(void **state) {
  (void)state;
  pl_launch_list *first = described(FIRST), *second = described(SECOND);
  pl_launch a = first->launches[0], alone = a;
  pl_case at;
  pl_launch_take_sizes(first->arena, &a, &second->launches[0], false);
  assert_int_equal(pl_launch_case_count(&a), 5);
  assert_int_equal(pl_launch_case(first->arena, &a, 4, &at, &error), PL_CASE_OK);
  pl_str sizes = pl_case_sizes_text(first->arena, &at);
  assert_true(pl_str_is(sizes, "M=128 K=8")); /* in the first one's order */
  pl_launch_take_sizes(first->arena, &alone, &second->launches[0], true);
  assert_int_equal(pl_launch_case_count(&alone), 1);
  pl_launch_take_sizes(first->arena, &alone, &first->launches[0], false);
  assert_int_equal(pl_launch_case_count(&alone), 5);
  pl_launch_list_free(first);
  pl_launch_list_free(second);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(launches_another_on_the_same_arguments),
      cmocka_unit_test(takes_the_sizes_of_another),
      cmocka_unit_test(reads_everything),
      cmocka_unit_test(works_cases_out),
      cmocka_unit_test(leaves_cases_out),
      cmocka_unit_test(refuses_impossible_launches),
      cmocka_unit_test(ends_where_the_comment_ends),
      cmocka_unit_test(no_description_is_an_empty_list),
      cmocka_unit_test(says_where_it_is_wrong),
      cmocka_unit_test(evaluates),
  };
  return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
