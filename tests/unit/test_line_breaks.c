/* test_line_breaks.c - where long lines of the emitted text are broken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "line_breaks.h"
#include "unit.h"

static pl_arena *arena;

static int set_up(void **state) {
  (void)state;
  arena = pl_arena_new(NULL);
  return arena ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  pl_arena_free(arena);
  return 0;
}

static pl_str str(const char *text) { return (pl_str){text, strlen(text)}; }

static void same_tokens(pl_str a, pl_str b) {
  uint32_t na, nb;
  pl_token *in_a = pl_lex(arena, a, &na), *in_b = pl_lex(arena, b, &nb);
  assert_int_equal(na, nb);
  for (uint32_t i = 0; i < na; i++) {
    assert_int_equal(in_a[i].kind, in_b[i].kind);
    assert_true(pl_str_eq((pl_str){a.p + in_a[i].range.begin,
                                   in_a[i].range.end - in_a[i].range.begin},
                          (pl_str){b.p + in_b[i].range.begin,
                                   in_b[i].range.end - in_b[i].range.begin}));
  }
}

/* The lines of an edit of a source, whose longest line is of so many columns. */
static void becomes_in(const char *source, const char *text, const char *broken) {
  pl_edit edit = {0, 0, text, strlen(text)};
  bool any = pl_break_lines(arena, str(source), &edit, 1);
  assert_int_equal(any, strcmp(text, broken) != 0);
  assert_string_equal(pl_arena_str(arena, edit.text, edit.text_length).p, broken);
  if (!strstr(text, "//"))
    same_tokens(str(text), (pl_str){edit.text, edit.text_length});
}

static void becomes(const char *text, const char *broken) {
  becomes_in("int a;\n", text, broken);
}

static void stays(const char *text) { becomes(text, text); }

#define FORTY "abcdefghijabcdefghijabcdefghijabcdefghij"
#define FIFTY "abcdefghij" FORTY

static void test_arguments(void **state) {
  (void)state;
  becomes("    copy(&" FORTY "[x], &b[y], sizeof(float), some, more_arguments);\n",
          "    copy(&" FORTY "[x], &b[y], sizeof(float),\n"
          "         some, more_arguments);\n");
  /* Those of a call in it stay together. */
  becomes("  outer(" FORTY ", inner(a, b, c, d, e, f, g), last_of_them_all);\n",
          "  outer(" FORTY ", inner(a, b, c, d, e, f, g),\n"
          "        last_of_them_all);\n");
  /* As do those of a template. */
  becomes("  outer(" FORTY ", inner<a, b, c>(x), second_to_last, more);\n",
          "  outer(" FORTY ", inner<a, b, c>(x),\n"
          "        second_to_last, more);\n");
}

static void test_too_far_right(void **state) {
  (void)state;
  becomes("    " FIFTY "(" FORTY ", two);\n",
          "    " FIFTY "(\n        " FORTY ", two);\n");
  becomes("    " FIFTY "(first, " FORTY ", two);\n",
          "    " FIFTY "(first,\n        " FORTY ", two);\n");
  becomes("    " FIFTY "(one, " FORTY ", three, " FORTY ", five);\n",
          "    " FIFTY "(one,\n        " FORTY ", three,\n        " FORTY
          ", five);\n");
  becomes("\t" FIFTY "(first, " FORTY ", two);\n",
          "\t" FIFTY "(first,\n\t\t" FORTY ", two);\n");
}

static void test_operators(void **state) {
  (void)state;
  becomes("  const bool joined = " FORTY " % 4 == 0 && other % 4 == 0 && last;\n",
          "  const bool joined = " FORTY " % 4 == 0 &&\n"
          "                      other % 4 == 0 && last;\n");
  becomes("  sum += " FORTY " * (one + two) + three[four + five] * six;\n",
          "  sum += " FORTY " * (one + two) +\n"
          "         three[four + five] * six;\n");
  becomes("  float next[(" FORTY " + 1024 * 16 - 1) / (threads * 2)];\n",
          "  float next[(" FORTY " + 1024 * 16 - 1) /\n"
          "             (threads * 2)];\n");
  /* A value that needs more than a line is broken itself. */
  becomes("  acc[i][j] = dot(" FORTY ", second[one], third[two], fourth[three], fifth);\n",
          "  acc[i][j] = dot(" FORTY ", second[one],\n"
          "                  third[two], fourth[three], fifth);\n");
  becomes("  *reinterpret_cast<float4 *>(&" FORTY "[0]) = *from(" FORTY ");\n",
          "  *reinterpret_cast<float4 *>(&" FORTY "[0]) =\n"
          "      *from(" FORTY ");\n");
  becomes("  for (int slot = 0; slot < " FORTY " + 1; i += 192, ++slot) {\n",
          "  for (int slot = 0; slot < " FORTY " + 1;\n"
          "       i += 192, ++slot) {\n");
  becomes("  for (int slot = 0; slot < " FORTY " + 1; slot += threads) {\n",
          "  for (int slot = 0; slot < " FORTY " + 1;\n"
          "       slot += threads) {\n");
}

/* Lines behind it are lined up with its bracket; where nothing fits, much is gained. */
static void test_brackets_of_lines(void **state) {
  (void)state;
  becomes("  static_assert(is_plain(" FORTY ") && (size == 4 || size == 8) &&\n"
          "                alignment == size,\n",
          "  static_assert(is_plain(" FORTY ") &&\n"
          "                (size == 4 || size == 8) &&\n"
          "                alignment == size,\n");
  becomes("  static_assert(sizeof(static_cast<void *>((" FORTY " *)0)) > 0, "
          "\"it is a type of some size\");\n",
          "  static_assert(sizeof(static_cast<void *>((" FORTY " *)0)) > 0,\n"
          "                \"it is a type of some size\");\n");
}

/* What a statement goes on in is laid out with its first line, which names have made longer. */
static void test_statements_of_lines(void **state) {
  (void)state;
  becomes("  v[at_tile] = " FORTY " * here + c1 * (above + below +\n"
          "                                     left + right);\n",
          "  v[at_tile] = " FORTY " * here +\n"
          "               c1 * (above + below + left + right);\n");
  becomes("  float r = f(" FORTY " + one, two + three, (four +\n"
          "    five));\n  g(a,\n    b);\n",
          "  float r = f(" FORTY " + one, two + three,\n"
          "              (four + five));\n  g(a,\n    b);\n");
  becomes("  v[at] = " FORTY " * (one + two) + three[four + five] + // why\n"
          "          six;\n",
          "  v[at] = " FORTY " * (one + two) +\n"
          "          three[four + five] + // why\n"
          "          six;\n");
}

static void test_comments(void **state) {
  (void)state;
  becomes("  // " FORTY " is what is said of it, and this is too long.\n",
          "  // " FORTY " is what is said of it, and this is\n"
          "  // too long.\n");
  stays("  // pipelinify: " FORTY " is what is said of it, and this is too.\n");
  stays("  // " FIFTY FORTY "\n");
  /* One behind a statement is not what makes its line long. */
  stays("  f(a, b); // " FORTY " is what is said of it, and this is too.\n");
}

static void test_left_alone(void **state) {
  (void)state;
  stays("#define X(a, b) f(" FORTY ", " FORTY ", a, b)\n");
  stays("  f(" FORTY ", " FORTY ", \\\n    b);\n");
  stays("  f(\"" FORTY ", " FORTY "\");\n");
  stays("  f(R\"(" FORTY ", " FORTY ",\n" FORTY ", " FORTY ", )\");\n");
  stays("  /* " FORTY ", " FORTY ", " FORTY "\n" FORTY ", " FORTY ",*/\n");
  stays("  " FORTY FORTY ";\n");
}

static void test_what_the_source_has(void **state) {
  (void)state;
  const char *line = "  f(" FORTY ", " FORTY ", a, b);\n";
  becomes_in(line, line, line);
  becomes_in("  " FIFTY FORTY ";\n", "  g(" FORTY ", " FORTY ", a);\n",
             "  g(" FORTY ", " FORTY ", a);\n");
  becomes_in("int a;\r\n", "  // " FORTY " is what is said of it, and this is too long.\r\n",
             "  // " FORTY " is what is said of it, and this is\r\n  // too long.\r\n");
  becomes_in("\xef\xbb\xbf" FORTY FORTY "\n", "  f(" FORTY ", " FORTY ");\n",
             "  f(" FORTY ",\n    " FORTY ");\n");
  becomes_in("int a;\r\n", "  g(" FORTY ", " FORTY ", a);\r\n",
             "  g(" FORTY ",\r\n    " FORTY ", a);\r\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_arguments),     cmocka_unit_test(test_too_far_right),
      cmocka_unit_test(test_operators),
      cmocka_unit_test(test_brackets_of_lines),
      cmocka_unit_test(test_statements_of_lines), cmocka_unit_test(test_comments),
      cmocka_unit_test(test_left_alone),    cmocka_unit_test(test_what_the_source_has),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
