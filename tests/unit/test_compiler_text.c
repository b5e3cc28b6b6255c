/* test_compiler_text.c - rewritten texts with #line directives. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "compiler_text.h"
#include "text.h"

/* Puts `text` in the place of the first `old` of the source. */
typedef struct change {
  const char *old, *text;
} change;

/* What becomes of a source; the loop, where there is one, lasts from the first
 * `for` to the end of the line that begins with the next brace. */
static char *marked(const char *path, const char *source, const change *changes,
                    size_t n) {
  pl_edit edits[8];
  char *text = NULL;
  size_t size, at = 0;
  FILE *out = open_memstream(&text, &size);
  for (size_t i = 0; i < n; i++) {
    const char *found = strstr(source + at, changes[i].old);
    assert_non_null(found);
    size_t offset = (size_t)(found - source), length = strlen(changes[i].old);
    fwrite(source + at, 1, offset - at, out);
    fputs(changes[i].text, out);
    edits[i] = (pl_edit){(uint32_t)offset, (uint32_t)length, changes[i].text,
                         strlen(changes[i].text)};
    at = offset + length;
  }
  fputs(source + at, out);
  fclose(out);
  const char *begin = strstr(source, "for ("), *end = strstr(source, "\n}");
  pl_loop_report loop = {.verdict = PL_VERDICT_PIPELINED};
  pl_kernel_report kernel = {.loops = &loop, .nloops = begin && end};
  if (kernel.nloops) {
    loop.begin = (uint32_t)(begin - source);
    loop.end = (uint32_t)(end - source) + 2;
    for (const char *c = source; c < begin; c++)
      loop.line += *c == '\n';
    loop.line++;
  }
  pl_source s = {path, source, strlen(source)};
  pl_answer answer = {.text = text, .length = size, .edits = edits,
                      .nedits = n, .kernels = &kernel, .nkernels = 1};
  pl_bytes got = pl_compiler_text(&s, &answer);
  free(text);
  return got.data;
}

static void expect(const char *source, const change *changes, size_t n,
                   const char *wanted) {
  char *got = marked("dir/k.cu", source, changes, n);
  assert_string_equal(got, wanted);
  free(got);
}

static void test_unchanged(void **state) {
  (void)state;
  expect("int a;\nint b;\n", NULL, 0, "#line 1 \"dir/k.cu\"\nint a;\nint b;\n");
}

static void test_within_a_line(void **state) {
  (void)state;
  const change one = {"a", "longer"};
  expect("x\nint a;\ny\n", &one, 1,
         "#line 1 \"dir/k.cu\"\nx\nint longer;\ny\n");
}

static void test_new_lines(void **state) {
  (void)state;
  const change one = {"int a;\n", "#include <p.h>\nint a;\n"};
  expect("x\nint a;\ny\n", &one, 1,
         "#line 1 \"dir/k.cu\"\nx\n#include <p.h>\n#line 2\nint a;\ny\n");
  const change gone = {"int a;\n", ""};
  expect("x\nint a;\ny\n", &gone, 1, "#line 1 \"dir/k.cu\"\nx\n#line 3\ny\n");
}

/* New text has the loop's line, what was moved its own, twice where it is there
 * twice. */
static void test_loop(void **state) {
  (void)state;
  const change one = {
      "for (;;) {\n  load(1);\n  use(2);\n}",
      "{\n    load(1);\n    for (;;) {\n      int next = load(1);\n"
      "      use(2);\n    }\n    use(2);\n  }"};
  expect("a\nfor (;;) {\n  load(1);\n  use(2);\n}\nb\n", &one, 1,
         "#line 1 \"dir/k.cu\"\na\n{\n    load(1);\n"
         "#line 2\n    for (;;) {\n#line 2\n      int next = load(1);\n"
         "#line 4\n      use(2);\n    }\n"
         "#line 4\n    use(2);\n  }\nb\n");
}

/* A stage or a copy in the place of a name is that name; another one is not. */
static void test_names(void **state) {
  (void)state;
  const change one = {
      "for (;;) {\n  s[t] = load(t);\n  use(s.a, 2);\n}",
      "for (;;) {\n  s_stage[i ^ n[1]][t_load2] = load(t_load2);\n"
      "  use(s_stage[0].tile.a, 2);\n  use(s_stages[0].a, 2);\n}"};
  expect("a\nfor (;;) {\n  s[t] = load(t);\n  use(s.a, 2);\n}\nb\n", &one, 1,
         "#line 1 \"dir/k.cu\"\na\nfor (;;) {\n  s_stage[i ^ n[1]][t_load2] = load(t_load2);\n"
         "  use(s_stage[0].tile.a, 2);\n#line 2\n  use(s_stages[0].a, 2);\n#line 5\n}\nb\n");
}

/* No directive stands in what goes on over a line's end. */
static void test_where_none_may_stand(void **state) {
  (void)state;
  const change comment = {"a", "/* one\n two */ a"};
  expect("a\nb\n", &comment, 1,
         "#line 1 \"dir/k.cu\"\n/* one\n two */ a\n#line 2\nb\n");
  const change raw = {"a", "R\"x(one\n)\" two)x\" \"//\""};
  expect("a\nb\n", &raw, 1,
         "#line 1 \"dir/k.cu\"\nR\"x(one\n)\" two)x\" \"//\"\n#line 2\nb\n");
  const change macro = {"a", "#define F(x) \\\n x"};
  expect("a\nb\n", &macro, 1,
         "#line 1 \"dir/k.cu\"\n#define F(x) \\\n x\n#line 2\nb\n");
  const change number = {"a", "1'000 /*'*/\n'\"'\nc"};
  expect("a\nb\n", &number, 1,
         "#line 1 \"dir/k.cu\"\n1'000 /*'*/\n#line 1\n'\"'\n#line 1\nc\nb\n");
}

/* A source that was made of another names that one's lines. */
static void test_line_directives(void **state) {
  (void)state;
  const change one = {"b\n", "B\nBB\n"};
  expect("a\n#line 70 \"gen.y\"\nb\nc\n", &one, 1,
         "#line 1 \"dir/k.cu\"\na\n#line 70 \"gen.y\"\nB\n#line 70\nBB\nc\n");
}

static void test_ends(void **state) {
  (void)state;
  const change one = {"a", "A\r\nAA"};
  expect("\xEF\xBB\xBF" "a\r\nb", &one, 1,
         "#line 1 \"dir/k.cu\"\nA\r\n#line 1\nAA\r\nb");
  char *got = marked("a \"b\\.cu", "x\n", NULL, 0);
  assert_string_equal(got, "#line 1 \"a \\\"b\\\\.cu\"\nx\n");
  free(got);
}

static void test_includes(void **state) {
  (void)state;
  char path[] = "/tmp/compiler_text_XXXXXX";
  assert_non_null(mkdtemp(path));
  char *header = pl_format("%s/here.h", path);
  char *source = pl_format("%s/k.cu", path);
  FILE *made = fopen(header, "w");
  assert_non_null(made);
  fclose(made);
  char *got = marked(source,
                     "#include \"here.h\"\n#include \"there.h\"\n"
                     "#include <here.h>\n",
                     NULL, 0);
  char *wanted = pl_format("#line 1 \"%s\"\n#include \"%s\"\n"
                           "#include \"there.h\"\n#include <here.h>\n",
                           source, header);
  assert_string_equal(got, wanted);
  unlink(header);
  rmdir(path);
  free(got);
  free(wanted);
  free(header);
  free(source);
}

static void test_bound_to_place(void **state) {
  (void)state;
  static const struct {
    const char *text, *what;
  } rows[] = {
      {"#include \"a.h\"\n # include <b.h>\n", NULL},
      {"#if __has_include(<a.h>)\n#ifdef __has_include\n", NULL},
      {"#if defined(__has_include) && __has_include ( <a.h>)\n", NULL},
      {"#if __has_include(<a.h>) || __has_include(\"b.h\")\n", "__has_include"},
      {"#if __has_include(NAME)\n", "__has_include"},
      {"\n#include NAME\n", "an include of a macro"},
      {"#  include_next \"a.h\"\n", "include_next"},
      {"const char *f = __BASE_FILE__;\n", "__BASE_FILE__"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    pl_source s = {"k.cu", rows[i].text, strlen(rows[i].text)};
    const char *what = pl_text_bound_to_place(&s);
    if (rows[i].what)
      assert_string_equal(what, rows[i].what);
    else
      assert_null(what);
  }
}

/* ---- real kernels --------------------------------------------------------- */

static char *without_directives(const char *text) {
  char *out = pl_format("%s", ""), *to = realloc(out, strlen(text) + 1);
  assert_non_null(to);
  out = to;
  while (*text) {
    size_t n = strcspn(text, "\n") + 1;
    if (!pl_starts_with(text, "#line ")) {
      size_t left = strlen(text);
      memcpy(to, text, n < left ? n : left);
      to += n < left ? n : left;
    }
    text += n < strlen(text) ? n : strlen(text);
  }
  *to = 0;
  return out;
}

static void check_case(const char *path) {
  pl_bytes bytes;
  assert_true(pl_read_file(path, &bytes));
  pl_options options = {.arch = 80};
  pl_result *result = pl_rewrite(path, bytes.data, bytes.size, &options);
  pl_answer answer = pl_answer_from(result);
  pl_source source = {"/nowhere/k.cu", bytes.data, bytes.size};
  pl_bytes text = pl_compiler_text(&source, &answer);
  char *plain = without_directives(text.data);
  if (!strstr(bytes.data, "#line"))
    assert_string_equal(plain, answer.text);
  free(plain);
  free(text.data);
  pl_result_free(result);
  free(bytes.data);
}

/* Directives are all that is added. */
static void test_kernels(void **state) {
  (void)state;
  enum { EACH = 8 };
  glob_t found;
  assert_int_equal(glob(PL_TESTDATA "/accept/*/*/kernel.cu", 0, NULL, &found), 0);
  assert_true(found.gl_pathc > EACH);
  for (size_t i = 0; i < found.gl_pathc; i += EACH)
    check_case(found.gl_pathv[i]);
  globfree(&found);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_unchanged),
      cmocka_unit_test(test_within_a_line),
      cmocka_unit_test(test_new_lines),
      cmocka_unit_test(test_loop),
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_where_none_may_stand),
      cmocka_unit_test(test_line_directives),
      cmocka_unit_test(test_ends),
      cmocka_unit_test(test_includes),
      cmocka_unit_test(test_bound_to_place),
      cmocka_unit_test(test_kernels),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
