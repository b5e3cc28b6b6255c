/* test_lexer.c - pl_lex: kinds, longest match, literals, directives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model.h"

#include <stdlib.h>
#include <string.h>

static const char kind_letters[] = "insp/#";

/* The tokens of `text` as "k:spelling" lines joined by '|': i identifier,
 * n number, s string, p punctuation, / comment, # directive. */
static pl_str lexed(pl_arena *arena, pl_str text) {
  pl_text out = {.arena = arena};
  uint32_t count;
  pl_token *tokens = pl_lex(arena, text, &count);
  for (uint32_t i = 0; i < count; i++) {
    pl_range range = tokens[i].range;
    pl_text_printf(&out, "%s%c:%.*s", i ? "|" : "",
                   kind_letters[tokens[i].kind], (int)(range.end - range.begin),
                   text.p + range.begin);
  }
  return pl_arena_str(arena, out.p, out.n);
}

static void expect(const char *text, const char *tokens) {
  pl_arena *arena = pl_arena_new(abort);
  pl_str found = lexed(arena, (pl_str){text, strlen(text)});
  assert_string_equal(found.n ? found.p : "", tokens);
  pl_arena_free(arena);
}

static void test_words_and_numbers(void **state) {
  (void)state;
  expect("int a1=0x1Fu;", "i:int|i:a1|p:=|n:0x1Fu|p:;");
  expect("1.5e-3f .5 1'000 0x1e+1 0b101 1e+5",
         "n:1.5e-3f|n:.5|n:1'000|n:0x1e|p:+|n:1|n:0b101|n:1e+5");
  expect("0x1p-3 a.5 a.b", "n:0x1p-3|i:a|n:.5|i:a|p:.|i:b");
}

static void test_longest_match(void **state) {
  (void)state;
  expect("k<<<1,2>>>()", "i:k|p:<<<|n:1|p:,|n:2|p:>>>|p:(|p:)");
  expect("a<<=b>>=c->d++ - --e",
         "i:a|p:<<=|i:b|p:>>=|i:c|p:->|i:d|p:++|p:-|p:--|i:e");
  expect("a::b && c || !d != e", "i:a|p:::|i:b|p:&&|i:c|p:|||p:!|i:d|p:!=|i:e");
}

static void test_literals(void **state) {
  (void)state;
  expect("\"a\\\"b\" 'c' '\\''", "s:\"a\\\"b\"|s:'c'|s:'\\''");
  expect("u8\"x\" L'y' R\"t(a)\" )t\" z",
         "s:u8\"x\"|s:L'y'|s:R\"t(a)\" )t\"|i:z");
  expect("xR\"a\"", "i:xR|s:\"a\"");
  expect("\"a\\\nb\" c", "s:\"a\\\nb\"|i:c");
}

static void test_comments(void **state) {
  (void)state;
  expect("a/*b\nc*/d//e\nf", "i:a|/:/*b\nc*/|i:d|/://e|i:f");
  expect("a // x \\\n y\nb", "i:a|/:// x \\\n y|i:b");
  expect("\"/*\" a", "s:\"/*\"|i:a");
}

static void test_directives(void **state) {
  (void)state;
  expect("#define A(x) \\\n  x\nb", "#:#define A(x) \\\n  x|i:b");
  expect("  # pragma unroll\nfor", "#:# pragma unroll|i:for");
  expect("#if 1 // why\na", "#:#if 1|/:// why|i:a");
  expect("/* c */ #if X\na # b", "/:/* c */|#:#if X|i:a|p:#|i:b");
  expect("#define Q /* two\nlines */ 3\nc",
         "#:#define Q /* two\nlines */ 3|i:c");
  expect("#include \"a//b.h\"\nc", "#:#include \"a//b.h\"|i:c");
}

/* Text between `#if 0` and its #endif is a comment, unless there is an #else. */
static void test_dead_text(void **state) {
  (void)state;
  expect("#if 0\na\n#endif\nb", "/:#if 0\na\n#endif|i:b");
  expect("# if  0 // why\n#ifdef A\n#else\n#endif\n /* */ # endif // c\nb",
         "/:# if  0 // why\n#ifdef A\n#else\n#endif\n /* */ # endif|"
         "/:// c|i:b");
  expect("#if 0\n/*\n#endif\n*/ #endif\nb",
         "/:#if 0\n/*\n#endif\n*/ #endif|i:b");
  expect("#if 0\n\"\\\"/*\"\nisn't\n#endif\nb",
         "#:#if 0|s:\"\\\"/*\"|i:isn|s:'t|#:#endif|i:b");
  expect("#if 0\nisn't\n#endif\nb", "/:#if 0\nisn't\n#endif|i:b");
  expect("#if 0\nisn't // so\n#endif\nb",
         "#:#if 0|i:isn|s:'t // so|#:#endif|i:b");
  expect("#if 0\na\n#else\nb\n#endif", "#:#if 0|i:a|#:#else|i:b|#:#endif");
  expect("#if 0 || A\na\n#endif", "#:#if 0 || A|i:a|#:#endif");
  expect("#if 01\na\n#endif", "#:#if 01|i:a|#:#endif");
  expect("#if 0\na", "#:#if 0|i:a");
}

static void test_line_ends_and_bom(void **state) {
  (void)state;
  expect("\xEF\xBB\xBF#if A\r\nb\r\n", "#:#if A|i:b");
  expect("#define A \\\r\n 1\r\nb", "#:#define A \\\r\n 1|i:b");
  expect("a \\\n b", "i:a|i:b");
}

static void test_malformed(void **state) {
  (void)state;
  expect("", "");
  expect("\"open\nb", "s:\"open|i:b");
  expect("/* open", "/:/* open");
  expect("R\"x(open", "s:R\"x(open");
  expect("'", "s:'");
  expect("\\", "p:\\");
  expect("#", "#:#");
  expect("a\\", "i:a|p:\\");
}

/* Whatever the bytes are, tokens ascend, do not overlap and are not empty. */
static void test_any_bytes(void **state) {
  (void)state;
  pl_arena *arena = pl_arena_new(abort);
  uint32_t seed = 12345;
  char text[257];
  for (int round = 0; round < 2000; round++) {
    static const char alphabet[] = "aR\"'()/*\\\n#<>1.e+-{}\r ux\xEF\0";
    for (size_t i = 0; i < sizeof text; i++) {
      seed = seed * 1664525u + 1013904223u;
      text[i] = alphabet[(seed >> 16) % (sizeof alphabet - 1)];
    }
    uint32_t count, last = 0;
    pl_token *tokens =
        pl_lex(arena, (pl_str){text, (size_t)round % sizeof text}, &count);
    for (uint32_t i = 0; i < count; i++) {
      assert_true(tokens[i].range.begin >= last);
      assert_true(tokens[i].range.end > tokens[i].range.begin);
      last = tokens[i].range.end;
    }
    assert_true(last <= (uint32_t)round % sizeof text);
  }
  pl_arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_words_and_numbers),
                                     cmocka_unit_test(test_longest_match),
                                     cmocka_unit_test(test_literals),
                                     cmocka_unit_test(test_comments),
                                     cmocka_unit_test(test_directives),
                                     cmocka_unit_test(test_dead_text),
                                     cmocka_unit_test(test_line_ends_and_bom),
                                     cmocka_unit_test(test_malformed),
                                     cmocka_unit_test(test_any_bytes)};
  return cmocka_run_group_tests(tests, NULL, NULL) ? 1 : 0;
}
