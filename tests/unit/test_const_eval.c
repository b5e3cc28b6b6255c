/* test_const_eval.c - integer constants in the types of C++: const_eval.c, over
 * what the frontend gives for them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "const_eval.h"
#include "frontend.h"
#include "frontend_parts.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pl_unit *parse(pl_arena *arena, const char *text) {
  pl_parse_request request = {
      .path = "test.cu", .text = {text, strlen(text)}, .arch = 80};
  pl_str error;
  pl_unit *unit = pl_parse(arena, &request, &error);
  assert_non_null(unit);
  assert_int_equal(unit->nproblems, 0);
  return unit;
}

/* An expression, and what it comes to: its type as "i4" or "u8", "-": unknown. */
typedef struct row {
  const char *text, *type;
  int64_t value;
} row;

/* Declarations that the expressions below may name. */
static const char prelude[] =
    "enum plain { P0, P7 = 7 };\n"
    "enum below { Q_2 = -2, Q5 = 5 };\n"
    "enum byte : unsigned char { Y200 = 200 };\n"
    "enum class kind : short { K3 = 3, K_3 = -3 };\n"
    "constexpr unsigned char uc = 250;\n"
    "constexpr signed char sc = -6;\n"
    "constexpr short s16 = -1;\n"
    "constexpr unsigned short u16 = 65535;\n"
    "constexpr bool yes = 5;\n"
    "const int narrowed = (int)4294967295u;\n"
    "__device__ int f();\n";

static void check_rows(const row *rows, size_t n) {
  for (size_t i = 0; i < n; i++) {
    pl_arena *arena = pl_arena_new(abort);
    pl_text text = {.arena = arena};
    pl_text_printf(&text, "%s__global__ void k(long long *p, int a) "
                          "{ p[0] = %s; }\n", prelude, rows[i].text);
    pl_str all = pl_text_view(&text);
    pl_unit *unit = parse(arena, pl_arena_cstr(arena, all));
    const pl_func *k = NULL;
    for (uint32_t f = 0; f < unit->nfuncs; f++)
      if (pl_str_is(unit->funcs[f]->name, "k"))
        k = unit->funcs[f];
    assert_non_null(k);
    const pl_const_scope scope = {.func = k};
    pl_const got = pl_const_eval(&scope, k->body->kids[0]->kids[1]);
    if (!got.known) {
      if (strcmp(rows[i].type, "-") != 0)
        fail_msg("%s is not known", rows[i].text);
    } else {
      char type[8];
      snprintf(type, sizeof type, "%c%d", got.is_unsigned ? 'u' : 'i',
               got.bytes);
      bool any = strcmp(rows[i].type, "?") == 0;
      if (got.bits != rows[i].value ||
          (any ? got.bytes != 0 : strcmp(type, rows[i].type) != 0))
        fail_msg("%s is %s %" PRId64 ", not %s %" PRId64, rows[i].text, type,
                 got.bits, rows[i].type, rows[i].value);
    }
    pl_arena_free(arena);
  }
}

#define CHECK(...)                                                             \
  check_rows((const row[]){__VA_ARGS__},                                       \
             sizeof((const row[]){__VA_ARGS__}) / sizeof(row))

static void test_promotion(void **state) {
  (void)state;
  CHECK({"uc + uc", "i4", 500}, {"uc * uc", "i4", 62500},
        {"~uc", "i4", -251}, {"-u16", "i4", -65535},
        {"+sc", "i4", -6}, {"uc << 4", "i4", 4000},
        {"u16 * u16", "-", 0}, /* as ints, which overflow */
        {"yes + yes", "i4", 2}, {"-yes", "i4", -1}, {"~true", "i4", -2},
        {"'a' + 1", "i4", 98}, {"'\\xff' < 0", "u1", 1});
}

static void test_usual_conversions(void **state) {
  (void)state;
  CHECK({"1 + 1u", "u4", 2}, {"-1 + 1u", "u4", 0}, {"-1 + 0u", "u4", 4294967295},
        {"-1 + 0ull", "u8", -1}, {"-1 + 0ll", "i8", -1},
        {"4294967295u + 1", "u4", 0}, {"4294967295u + 1ll", "i8", 4294967296},
        {"s16 + 0u", "u4", 4294967295}, {"3u - 4u", "u4", 4294967295},
        {"-7 / 2", "i4", -3}, {"-7 % 3", "i4", -1},
        {"-7 / 2u", "u4", 2147483644}, {"-7 % 3u", "u4", 0},
        {"-8 & 0xffu", "u4", 248}, {"-1 ^ 1u", "u4", 4294967294},
        {"-1 | 0ull", "u8", -1});
}

static void test_wrap_and_overflow(void **state) {
  (void)state;
  CHECK({"2147483647 + 1", "-", 0}, {"-2147483647 - 2", "-", 0},
        {"65536 * 65536", "-", 0}, {"65536u * 65536u", "u4", 0},
        {"65536u * 65537u", "u4", 65536}, {"65536ll * 65536", "i8", 4294967296},
        {"0u - 1u", "u4", 4294967295}, {"-1u", "u4", 4294967295},
        {"9223372036854775807ll + 1", "-", 0}, {"0ull - 1", "u8", -1},
        {"(0ull - 1) / 2", "u8", INT64_MAX}, {"-(-2147483647 - 1)", "-", 0},
        {"(-2147483647 - 1) / -1", "-", 0}, {"(-2147483647 - 1) % -1", "-", 0},
        {"1 / 0", "-", 0}, {"1 % 0", "-", 0}, {"1u / 0u", "-", 0});
}

static void test_shifts(void **state) {
  (void)state;
  CHECK({"1 << 30", "i4", 1 << 30}, {"1 << 31", "-", 0}, {"1 << 32", "-", 0},
        {"1 << -1", "-", 0}, {"1u << 31", "u4", 2147483648},
        {"3u << 31", "u4", 2147483648}, {"1u << 32", "-", 0},
        {"1ull << 40", "u8", 1099511627776}, {"1ll << 63", "-", 0},
        {"-1 << 1", "-", 0}, {"-8 >> 1", "i4", -4}, {"-8 >> 40", "-", 0},
        {"(3u - 4u) >> 22", "u4", 1023}, {"(unsigned)-8 >> 28", "u4", 15},
        {"uc >> 1u", "i4", 125}, {"1 << 3ull", "i4", 8},
        {"(0ull - 1) >> 60", "u8", 15}, {"1ull << 33u >> 31", "u8", 4});
}

static void test_comparisons(void **state) {
  (void)state;
  CHECK({"-1 < 1", "u1", 1}, {"-1 < 1u", "u1", 0}, {"-1 > 1u", "u1", 1},
        {"-1 < 1ll", "u1", 1}, {"-1 < 1ull", "u1", 0}, {"-1 == 4294967295u", "u1", 1},
        {"-1ll == 4294967295u", "u1", 0}, {"sc < uc", "u1", 1},
        {"s16 == u16", "u1", 0}, {"s16 < 0u", "u1", 0},
        {"(unsigned char)s16 == 255", "u1", 1}, {"!5", "u1", 0}, {"!0u", "u1", 1},
        {"1 && 0", "u1", 0}, {"0 || 7", "u1", 1}, {"0 && f()", "u1", 0},
        {"1 || 1 / 0", "u1", 1}, {"1 && 1 / 0", "-", 0}, {"f() && 0", "-", 0});
}

static void test_conversions(void **state) {
  (void)state;
  CHECK({"(unsigned char)300", "u1", 44}, {"(signed char)200", "i1", -56},
        {"(unsigned char)-100", "u1", 156}, {"(short)65535", "i2", -1},
        {"(unsigned short)-1", "u2", 65535}, {"(int)4294967295u", "i4", -1},
        {"(unsigned)-1ll", "u4", 4294967295}, {"(long long)(unsigned)-1", "i8", 4294967295},
        {"(int)4294967296ll", "i4", 0}, {"(bool)256", "u1", 1},
        {"(bool)0", "u1", 0}, {"(unsigned char)(bool)512", "u1", 1},
        {"static_cast<unsigned char>(256 + 7)", "u1", 7}, {"short(98304)", "i2", -32768},
        {"narrowed", "i4", -1}, {"uc", "u1", 250}, {"(int)2.5f", "-", 0},
        {"unsigned{3}", "u4", 3});
}

static void test_other_operators(void **state) {
  (void)state;
  CHECK({"(1, 2u)", "u4", 2}, {"(a, 2)", "-", 0}, {"true ? 1 : 2u", "u4", 1},
        {"false ? 1ll : 2", "i8", 2}, {"true ? -1 : 0u", "u4", 4294967295},
        {"a ? 1 : 1", "-", 0}, {"true ? uc : sc", "i4", 250},
        {"(true ? -1 : 0u) > 5", "u1", 1}, {"sizeof(int)", "u8", 4},
        {"sizeof(int) - 5", "u8", -1}, {"sizeof(short) * -1 < 5", "u1", 0},
        {"-1 < sizeof(int)", "u1", 0}, {"f()", "-", 0}, {"a", "-", 0},
        {"18446744073709551615ull", "u8", -1});
}

/* What an enumeration promotes to: the type of the operation says it, or nobody. */
static void test_enumerations(void **state) {
  (void)state;
  CHECK({"P7", "?", 7}, {"P7 + 1", "i4", 8}, {"P0 - 1", "i4", -1},
        {"P7 + 0u", "u4", 7}, {"Q_2 + 1", "i4", -1}, {"Q_2 < 0", "u1", 1},
        {"Q_2 < 0u", "u1", 0}, {"Q5 * 3", "i4", 15}, {"Y200 + 100", "i4", 300}, {"Y200 < -1", "u1", 0},
        {"P7 < -1", "-", 0}, {"P7 < 8", "u1", 1}, {"P7 << 2", "i4", 28},
        {"(int)kind::K3", "i4", 3}, {"(int)kind::K_3", "i4", -3},
        {"(unsigned char)Q_2", "u1", 254}, {"(int)(byte)7", "i4", 7},
        {"(int)(byte)300", "i4", 44}, {"(plain)1 + 1", "i4", 2});
}

/* What an operation says of values whose type is not known: what all types say. */
static void test_any_type(void **state) {
  (void)state;
  const pl_const n = pl_const_make(0, false, 12);
  pl_const r = pl_const_binary(PL_OP_MUL, n, pl_const_int(5), NULL);
  assert_true(r.known && r.bits == 60 && r.bytes == 0);
  r = pl_const_binary(PL_OP_SUB, pl_const_int(5), n, NULL);
  assert_false(r.known);
  r = pl_const_binary(PL_OP_LT, pl_const_int(-1), n, NULL);
  assert_false(r.known);
  r = pl_const_binary(PL_OP_LT, pl_const_int(11), n, NULL);
  assert_true(pl_const_is_true(r));
  assert_false(pl_const_unary(PL_OP_MINUS, n, NULL).known);
  assert_false(pl_const_unary(PL_OP_NOT, n, NULL).known);
  r = pl_const_binary(PL_OP_SHL, n, pl_const_int(29), NULL);
  assert_false(r.known);
  int64_t number;
  assert_false(pl_const_number(pl_const_make(8, true, -1), &number));
  assert_true(pl_const_number(pl_const_make(8, false, -1), &number));
}

/* Literals that are read from tokens have the types that C++ gives them. */
static void test_literals(void **state) {
  (void)state;
  const row rows[] = {
      {"5", "i4", 5}, {"2147483648", "i8", 2147483648},
      {"0x80000000", "u4", 2147483648}, {"0xffffffffff", "i8", 1099511627775},
      {"5u", "u4", 5}, {"4294967296u", "u8", 4294967296}, {"5ll", "i8", 5},
      {"5ull", "u8", 5}, {"0xffffffffffffffff", "u8", -1}, {"017", "i4", 15},
      {"0b101", "i4", 5}, {"1'000", "i4", 1000}, {"3u - 4", "u4", 4294967295},
      {"-1 < 1u", "u1", 0}, {"(3u - 4u) >> 22", "u4", 1023}, {"1 << 31", "-", 0},
      {"2147483647 + 1", "-", 0}, {"1 - 2", "i4", -1}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    pl_arena *arena = pl_arena_new(abort);
    pl_unit unit = {.arena = arena,
                    .text = {rows[i].text, strlen(rows[i].text)}};
    unit.tokens = pl_lex(arena, unit.text, &unit.ntokens);
    pl_node *node = pl_parse_constant(&unit, 0, unit.ntokens, NULL, NULL);
    assert_non_null(node);
    pl_const got = pl_const_eval(&(pl_const_scope){0}, node);
    char type[8] = "-";
    if (got.known)
      snprintf(type, sizeof type, "%c%d", got.is_unsigned ? 'u' : 'i', got.bytes);
    if (strcmp(type, rows[i].type) != 0 || (got.known && got.bits != rows[i].value))
      fail_msg("%s is %s %" PRId64, rows[i].text, type, got.bits);
    pl_arena_free(arena);
  }
}

/* A template argument has its parameter's type: `true` is one, not minus one. */
static void test_template_arguments(void **state) {
  (void)state;
  pl_arena *arena = pl_arena_new(abort);
  pl_unit *unit = parse(arena,
                        "template <bool B, unsigned char N, int M, class T>\n"
                        "__global__ void k(T *p) { p[0] = B + 1; p[1] = N + 100;"
                        " p[2] = M - 1u; p[3] = (T)300; T v = 300; p[4] = v; }\n"
                        "template __global__ void k<true, 250, -3, "
                        "unsigned char>(unsigned char *);\n");
  const pl_func *k = unit->funcs[0];
  assert_int_equal(k->ninstances, 1);
  const pl_const_scope scope = {.func = k, .instance = &k->instances[0]};
  const int64_t expected[] = {2, 350, 4294967292, 44};
  for (uint32_t i = 0; i < 4; i++) {
    pl_const got = pl_const_eval(&scope, k->body->kids[i]->kids[1]);
    assert_true(got.known);
    assert_int_equal(got.bits, expected[i]);
  }
  pl_arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_promotion),
      cmocka_unit_test(test_usual_conversions),
      cmocka_unit_test(test_wrap_and_overflow),
      cmocka_unit_test(test_shifts),
      cmocka_unit_test(test_comparisons),
      cmocka_unit_test(test_conversions),
      cmocka_unit_test(test_other_operators),
      cmocka_unit_test(test_enumerations),
      cmocka_unit_test(test_any_type),
      cmocka_unit_test(test_literals),
      cmocka_unit_test(test_template_arguments),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
