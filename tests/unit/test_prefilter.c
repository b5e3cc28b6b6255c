/* test_prefilter.c - files that the parser need not see, and those it must. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "prefilter.h"

#define KERNEL "__global__ void k(float *x) { for (;;) { "
#define TILE "__shared__ float s[32]; "
#define BARRIER "__syncthreads(); "
#define END "} }\n"
#define WHOLE KERNEL TILE BARRIER END

enum { MOST_FLAGS = 4 };

static pl_relevance look(const char *text, const char *const *flags) {
  size_t count = 0;
  while (flags[count])
    count++;
  pl_prefilter *filter = pl_prefilter_new();
  pl_relevance relevance =
      pl_prefilter_look(filter, text, strlen(text), flags, count);
  pl_prefilter_free(filter);
  return relevance;
}

static void expect(pl_relevance wanted, const char *text) {
  static const char *const no_flags[] = {NULL};
  pl_relevance got = look(text, no_flags);
  if (got != wanted)
    fail_msg("%d, not %d:\n%s", (int)got, (int)wanted, text);
}

#define EXPECT_ALL(wanted, texts)                                             \
  for (size_t i = 0; i < sizeof(texts) / sizeof *(texts); i++)                \
  expect(wanted, (texts)[i])

static void test_what_is_missing(void **state) {
  (void)state;
  expect(PL_NO_KERNEL, "");
  expect(PL_NO_KERNEL, "int main() { for (;;) ; }");
  expect(PL_NO_TILE_LOOP, KERNEL BARRIER END);
  expect(PL_NO_TILE_LOOP, KERNEL TILE END);
  expect(PL_NO_TILE_LOOP, "__global__ void k() { " TILE BARRIER "}");
  expect(PL_MAY_HOLD_LOOP, WHOLE);
}

static void test_no_code(void **state) {
  (void)state;
  const char *texts[] = {
      KERNEL "// " TILE BARRIER "\n" END,
      KERNEL "// \\\n" TILE BARRIER "\n" END,
      KERNEL "/* " TILE "\n" BARRIER "*/" END,
      KERNEL "f(\"" TILE BARRIER "\");" END,
      KERNEL "f(\"\\\"\\\n" TILE BARRIER "\");" END,
      KERNEL "f(R\"x(\" )\" " TILE BARRIER ")x\");" END,
      KERNEL "f(u8R\"(" TILE BARRIER ")\");" END,
      KERNEL "/* it's */ // \"\n" END,
  };
  EXPECT_ALL(PL_NO_TILE_LOOP, texts);
}

/* Each would hide the code behind it, if it were read wrongly. */
static void test_code_after_what_is_none(void **state) {
  (void)state;
  const char *texts[] = {
      "// \"\n" WHOLE, "/* \" ' */" WHOLE, "char c = '\"';\n" WHOLE,
      "char c = '\\'';\n" WHOLE, "const char *s = \"/*\";\n" WHOLE,
      "const char *s = \"\\\\\";\n" WHOLE, "const char *s = R\"(\\)\";\n" WHOLE,
      "int n = 1'000'000;\n" WHOLE, "#error it's\n" WHOLE "// it's\n",
      "#define FOOR \"(\"\n" WHOLE, "int R; // R\"(\n" WHOLE,
      "#include <cmath> /* \"\n R\"( */" WHOLE " // )\"",
      "#include <cmath> // '\r\n" WHOLE, "\xef\xbb\xbf" WHOLE,
      "/* \xff\xfe */" WHOLE,
  };
  EXPECT_ALL(PL_MAY_HOLD_LOOP, texts);
}

static void test_other_names(void **state) {
  (void)state;
  const char *texts[] = {
      "#define S __shared__\n" KERNEL "S float s[4]; " BARRIER END,
      "#define W() __syncthreads()\n" KERNEL TILE "W(); " END,
      "#define K __global__\nK void k() { for (;;) { " TILE BARRIER END,
      "#define L for (;;)\n__global__ void k() { L { " TILE BARRIER END,
      "#define C(a, b) a##b\n" KERNEL "C(__sh, ared__) float s[4];" END,
      KERNEL "extern __shared__ float s[]; " BARRIER END,
      KERNEL "extern __attribute__((shared)) float s[]; " BARRIER END,
      KERNEL TILE "cg::sync(block); " END, KERNEL TILE "block.sync(); " END,
      KERNEL TILE "asm volatile(\"bar.sync 0;\"); " END,
      KERNEL TILE "b.arrive_and_wait(); " END,
      KERNEL TILE "__syncwarp(); " END,
      "__global__ void k() { a: " TILE BARRIER "goto a; }",
      "// pipelinify: stages=3\nint x;\n",
  };
  EXPECT_ALL(PL_MAY_HOLD_LOOP, texts);
}

static void test_includes(void **state) {
  (void)state;
  const char *known[] = {
      "#include <cuda_runtime.h>\n", "#include <vector>\n",
      "#  include\t<math.h> // why\n", "#include <cooperative_groups.h>\r\n",
      "#include <mma.h> /* a\n b */\n",
  };
  const char *unknown[] = {
      "#include \"common.h\"\n", "#include \"math.h\"\n", "#include <mine.h>\n",
      "#include <cub/cub.cuh>\n", "#include HEADER\n", "#/**/include <x.h>\n",
      "#include_next <math.h>\n", "#import <x.h>\n", "# \\\n include <x.h>\n",
      "#inc\\\nlude <x.h>\n", "%:include <x.h>\n", "?\?=include <x.h>\n",
      "#include/**/<x.h>\n", "#include \\\n<x.h>\n", "import tiles;\n",
  };
  EXPECT_ALL(PL_NO_KERNEL, known);
  EXPECT_ALL(PL_MAY_HOLD_LOOP, unknown);
}

static void test_spelling(void **state) {
  (void)state;
  const char *texts[] = {
      KERNEL "__sh\\\nared__ float s[4]; " BARRIER END,
      KERNEL "__sh\\\r\nared__ float s[4]; " BARRIER END,
      KERNEL "__sh\\\n\\\nared__ float s[4]; " BARRIER END,
      KERNEL "__sh\\ \nared__ float s[4]; " BARRIER END,
      KERNEL "__sh\\u0061red__ float s[4]; " BARRIER END,
      "// a line of old\r" WHOLE,
      "/* a *\\\n/ " WHOLE "/* */",
      "/\\\n/ \"\n" WHOLE "// \"\n",
      "const char *s = R\\\n\"(\\)\";" WHOLE "const char *t = \"\";",
      "const char *s = \"a\\ \n\"; " WHOLE "const char *t = \"\";",
      "const char *s = \"?\?/\"\"; " WHOLE "const char *t = \"\";",
  };
  EXPECT_ALL(PL_MAY_HOLD_LOOP, texts);
}

static void test_flags(void **state) {
  (void)state;
  const char *quiet[][MOST_FLAGS] = {
      {"-O3"}, {"-DN"}, {"-DN=16"}, {"-DX=1.5"}, {"-UN"}, {"-std=c++17"}};
  const char *loud[][MOST_FLAGS] = {
      {"-include", "a.h"}, {"-imacros", "a.h"}, {"-DS=__shared__"},
      {"-D", "S=__shared__"}, {"-DF(x)=x"}, {"-I"}, {"-I-"},
      {"-isystem-after", "a"}, {"-I=a"}, {"-isysroot", "/x"}, {"-Wp,-DS=__shared__"},
      {"-Xclang", "-include"}, {"--sysroot=/x"}, {"-O3", "-DT=float"}};
  for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++)
    assert_int_equal(look("#include <vector>\n", quiet[i]), PL_NO_KERNEL);
  for (size_t i = 0; i < sizeof loud / sizeof *loud; i++)
    assert_int_equal(look("#include <vector>\n", loud[i]), PL_MAY_HOLD_LOOP);
}

/* A directory of headers matters where it has one that we know by another. */
static void test_include_directories(void **state) {
  (void)state;
  char root[] = "/tmp/test_prefilter.XXXXXX";
  static const char *const makes[] = {"cmath", "math.h", "cuda_runtime.h",
                                      "bits", "vector"};
  assert_non_null(mkdtemp(root));
  assert_int_equal(chdir(root), 0);
  assert_int_equal(system("mkdir own; touch own/tile.h own/vectors.h"), 0);
  const char *fine[][MOST_FLAGS] = {
      {"-Iown"}, {"-I", "own"}, {"-isystem", "own"}, {"-isystemown"},
      {"-Inone"}, {"-Iown/tile.h"}, {"-iquote", "own"},
      {"-idirafter", "own"}};
  for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
    assert_int_equal(look("#include <vector>\n", fine[i]), PL_NO_KERNEL);
    assert_int_equal(look("#include \"tile.h\"\n", fine[i]),
                     PL_MAY_HOLD_LOOP);
  }
  for (size_t i = 0; i < sizeof makes / sizeof *makes; i++) {
    char command[100], joined[20];
    snprintf(command, sizeof command, "mkdir d%zu; mkdir d%zu/%s", i, i,
             makes[i]);
    snprintf(joined, sizeof joined, "-Id%zu", i);
    const char *flags[] = {"-Iown", joined, NULL};
    assert_int_equal(system(command), 0);
    assert_int_equal(look("#include <vector>\n", flags), PL_MAY_HOLD_LOOP);
  }
  assert_int_equal(system("rm -r own d?"), 0);
  assert_int_equal(chdir("/"), 0);
  assert_int_equal(rmdir(root), 0);
}

/* A NUL, and a comment longer than a search may be. */
static void test_odd_bytes(void **state) {
  (void)state;
  pl_prefilter *filter = pl_prefilter_new();
  assert_int_equal(pl_prefilter_look(filter, "a\0b", 3, NULL, 0),
                   PL_MAY_HOLD_LOOP);
  pl_prefilter_free(filter);
  enum { LONG = 1 << 20 };
  char *text = malloc(LONG + sizeof WHOLE + 8);
  assert_non_null(text);
  memset(text, '*', LONG);
  memcpy(text, "/*", 2);
  strcpy(text + LONG, "*/" WHOLE);
  expect(PL_MAY_HOLD_LOOP, text);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_what_is_missing),
      cmocka_unit_test(test_no_code),
      cmocka_unit_test(test_code_after_what_is_none),
      cmocka_unit_test(test_other_names),
      cmocka_unit_test(test_includes),
      cmocka_unit_test(test_spelling),
      cmocka_unit_test(test_flags),
      cmocka_unit_test(test_include_directories),
      cmocka_unit_test(test_odd_bytes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
