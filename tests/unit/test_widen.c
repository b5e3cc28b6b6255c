/* test_widen.c - which narrow copies are made 16 bytes at a time: widen.c. */
#include "build_model.h"

#include <string.h>

/* A kernel of 64 threads a row whose tile of 512 shorts is filled by `load`. */
#define SHORTS(load)                                                           \
  "__global__ void k(const short *__restrict__ A, int *__restrict__ C, int n, " \
  "int ld) {\n"                                                                \
  "  __shared__ short s[16][32];\n  __shared__ short flat[512];\n"             \
  "  int tx = threadIdx.x;\n  int ty = threadIdx.y;\n"                         \
  "  int rank = ty * blockDim.x + tx;\n  int acc = 0;\n"                       \
  "  for (int t = 0; t < n; ++t) {\n" load "    __syncthreads();\n"            \
  "    acc += s[ty][tx] + flat[tx];\n    __syncthreads();\n  }\n"              \
  "  C[rank] = acc;\n}\n"

#define ROW_LOOP(body)                                                         \
  SHORTS("for (int i = tx; i < 512; i += blockDim.x) {\n" body "}\n")

static size_t premises_of(const pl_loop *loop, int64_t group) {
  size_t n = 0;
  for (size_t i = 0; i < loop->npremises; i++)
    n += loop->premises[i].group == group;
  return n;
}

/* So many neighbours, and so many premises. */
static void joins(const char *text, int64_t neighbours, size_t premises) {
  built *b = b_passes(text, B_PLAN);
  const pl_loop *loop = b_loop(b, 0);
  int64_t found = 0;
  for (size_t i = 0; i < loop->fill.nloops; i++)
    if (loop->fill.loops[i].neighbours)
      found = loop->fill.loops[i].neighbours;
  if (found != neighbours || premises_of(loop, neighbours) != premises)
    fail_msg("%d neighbours, %d premises, %s in\n%s", (int)found,
             (int)premises_of(loop, neighbours),
             loop->narrow_why ? loop->narrow_why : "no reason", text);
  b_free(b);
}

/* Rows of so many elements, 0: none, and so many premises. */
static void is_made_of_rows(const char *text, int64_t elements, size_t premises) {
  built *b = b_read(text);
  b->options.arch = 90;
  b_run(b, B_PLAN);
  const pl_loop *loop = b_loop(b, 0);
  int64_t found = 0;
  for (size_t i = 0; i < loop->fill.nloops; i++)
    found = loop->fill.loops[i].row ? loop->fill.loops[i].row : found;
  if (found != elements || (elements && premises_of(loop, elements) != premises))
    fail_msg("%d elements, %d premises, %s in\n%s", (int)found,
             (int)premises_of(loop, elements),
             loop->apart_why ? loop->apart_why : "no reason", text);
  b_free(b);
}

/* None, and why. */
static void stays(const char *text, const char *why) {
  built *b = b_passes(text, B_PLAN);
  const pl_loop *loop = b_loop(b, 0);
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    assert_null(loop->fill.copies[i].wide);
  if (!loop->narrow_why || !strstr(loop->narrow_why, why))
    fail_msg("%s, not %s", loop->narrow_why ? loop->narrow_why : "no reason",
             why);
  b_free(b);
}

/* The pointer is a premise, and the row's length where it is asked for. */
static void test_rows(void **state) {
  (void)state;
  joins(ROW_LOOP("s[i / 32][i % 32] = A[t * 512 + i];\n"), 8, 1);
  joins(ROW_LOOP("flat[i] = A[(t * 16 + i / 32) * ld + i % 32];\n"), 8, 2);
  joins(ROW_LOOP("flat[i] = A[t * 512 + (i >> 5) * 32 + (i & 31)];\n"), 8, 1);
  joins(ROW_LOOP("int r = i / 32, c = i - r * 32;\n s[r][c] = A[t * ld + r * 32 + "
                 "c];\n"), 8, 2);
}

/* Groups of 512 bytes and more; their alignment is to 16 bytes, whatever they are. */
static void test_whole_rows(void **state) {
  (void)state;
  is_made_of_rows(ROW_LOOP("flat[i] = A[t * 512 + i];\n"), 512, 1);
  is_made_of_rows(ROW_LOOP("flat[i] = A[t * ld + i];\n"), 512, 2);
  is_made_of_rows(ROW_LOOP("flat[i] = A[(t * 2 + i / 256) * ld + i % 256];\n"), 256, 2);
  is_made_of_rows(ROW_LOOP("flat[i] = t * 512 + i < n ? A[t * 512 + i] : 0;\n"), 512, 1);
  is_made_of_rows(ROW_LOOP("flat[i] = A[(t * 16 + i / 32) * ld + i % 32];\n"), 0, 0);
  is_made_of_rows(ROW_LOOP("flat[i] = A[t * 512 + i + ty];\n"), 0, 0);
  is_made_of_rows(ROW_LOOP("flat[i] = A[t * 512 + i] > 3 ? A[t * 512 + i] : 0;\n"), 0, 0);
  is_made_of_rows(ROW_LOOP("flat[i] = i % 128 < ld ? A[t * 512 + i] : 0;\n"), 0, 0);
  is_made_of_rows(ROW_LOOP("flat[i] = i % 256 < ld ? A[t * 512 + i] : 0;\n"), 256, 1);
  is_made_of_rows(ROW_LOOP("flat[i] = i < n || ld > 3 ? A[t * 512 + i] : 0;\n"), 0, 0);
}

/* Who shares the loop out: a row, the block, so many threads as a number says. */
static void test_sharing(void **state) {
  (void)state;
  joins(SHORTS("for (int i = rank; i < 512; i += blockDim.x * blockDim.y)\n"
               " flat[i] = A[t * 512 + i];\n"), 8, 1);
  joins(SHORTS("for (int i = rank; i < 512; i += 128)\n"
               " flat[i] = A[t * 512 + i];\n"), 8, 2);
  joins(SHORTS("for (int r = ty; r < 16; r += blockDim.y)\n"
               " for (int c = tx; c < 32; c += blockDim.x)\n"
               "  s[r][c] = A[t * 512 + r * 32 + c];\n"), 8, 1);
  stays(SHORTS("for (int i = tx + 1; i < 512; i += blockDim.x)\n"
               " flat[i] = A[t * 512 + i];\n"), "does not begin at");
  stays(SHORTS("for (int i = (char)tx; i < 512; i += blockDim.x)\n"
               " flat[i] = A[t * 512 + i];\n"), "does not begin at");
  stays(SHORTS("for (int i = rank; i < 512; i += 128)\n"
               " flat[i] = A[t * 512 + i + ty];\n"), "may not lie side by side");
  stays(SHORTS("flat[rank] = A[t * 512 + rank];\n"), "no copy loop");
}

#define ROUNDS(loop, body) SHORTS("for (int i = 0; " loop ") {\n" body "}\n")

/* A loop that counts rounds: a local of its body numbers the cells. */
static void test_rounds(void **state) {
  (void)state;
  joins(ROUNDS("i < 8; ++i", "int at = tx + i * blockDim.x;\n"
               " flat[at] = A[t * 512 + at];\n"), 8, 1);
  joins(ROUNDS("i < 4; ++i", "const int at = 128 * i + rank;\n"
               " s[at / 32][at % 32] = A[t * 512 + at];\n"), 8, 2);
  joins(ROUNDS("i < 512; i += 64", "int at = i + tx;\n"
               " flat[at] = A[t * 512 + at];\n"), 8, 2);
  joins(ROUNDS("i < 8; ++i", "int at = tx + i * 64;\n if (at < 496) {\n"
               " int to = at;\n flat[to] = A[t * 512 + at];\n}\n"), 8, 2);
  joins(ROUNDS("i < 2; ++i", "int at = tx + i * 36;\n"
               " flat[at] = A[t * 512 + at];\n"), 4, 2);
  stays(ROUNDS("i < 3; ++i", "int at = tx + i * 38;\n"
               " flat[at] = A[t * 512 + at];\n"), "whole number of groups");
  stays(ROUNDS("i < 500; i += 64", "int at = i + tx;\n"
               " flat[at] = A[t * 512 + at];\n"), "whole number of groups");
  stays(ROUNDS("i < ld; ++i", "int at = tx + i * 64;\n"
               " flat[at] = A[t * 512 + at];\n"), "whole number of groups");
  stays(ROUNDS("i < 8 - (tx & 1); ++i", "int at = tx + i * 64;\n"
               " flat[at] = A[t * 512 + at];\n"), "may differ between");
  stays(ROUNDS("i < 8; ++i", "int at = tx + i * 64;\n"
               " flat[at] = A[t * 512 + at + i];\n"), "does not begin at");
  stays(ROUNDS("i < 8; ++i", "int at = tx + i * 64;\n at ^= 1;\n"
               " flat[at] = A[t * 512 + at];\n"), "does more than to fill");
  stays(ROUNDS("i < 8; ++i", "short at = tx + i * 64;\n"
               " flat[at] = A[t * 512 + at];\n"), "does not begin at");
  stays(SHORTS("for (int i = 1; i < 8; ++i) {\n int at = tx + i * 64;\n"
               " flat[at] = A[t * 512 + at];\n}\n"), "does not begin at");
}

/* Of numbers that another build may change it is asked whether the threads divide the
 * cells; where they do not, the rounds are counted by threads. */
static void test_rounds_of_macros(void **state) {
  (void)state;
#define MACRO_ROUNDS(loop, at)                                                 \
  ROUNDS(loop, "int at = " at ";\n flat[at] = A[t * 512 + at];\n")
  joins("#define T 64\n#define CELLS 512\n"
        MACRO_ROUNDS("i < CELLS / T; ++i", "tx + i * T"), 8, 4);
  joins("#define T 64\n#define CELLS 500\n"
        MACRO_ROUNDS("i < CELLS / T; ++i", "tx + i * T"), 8, 3);
  joins("#define T 64\n#define CELLS 512\n"
        MACRO_ROUNDS("i < CELLS; i += T", "i + tx"), 8, 4);
  stays("#define T 64\n#define CELLS 500\n"
        MACRO_ROUNDS("i < CELLS; i += T", "i + tx"), "whole number of groups");
}

/* What is asked in front of the loop has to mean the same there: not `A` and `ld`,
 * but the pointer that was made of them. */
static void test_hidden_names(void **state) {
  (void)state;
  joins("__global__ void k(const short *__restrict__ A, int *__restrict__ C, int n, "
        "int ld) {\n  __shared__ short s[512];\n  int acc = 0;\n"
        "  const short *from = A + 3 * ld;\n  {\n    int ld = 64;\n"
        "    const short *A = 0;\n"
        "    for (int t = 0; t < n; ++t) {\n"
        "      for (int i = threadIdx.x; i < 512; i += blockDim.x)\n"
        "        s[i] = from[t * 512 + i];\n      __syncthreads();\n"
        "      acc += s[threadIdx.x];\n      __syncthreads();\n    }\n"
        "    acc += ld;\n  }\n  C[threadIdx.x] = acc;\n}\n", 8, 1);
}

static void test_cells(void **state) {
  (void)state;
  stays(ROW_LOOP("flat[511 - i] = A[t * 512 + i];\n"), "do not lie side by side");
  stays(ROW_LOOP("flat[i ^ 1] = A[t * 512 + i];\n"), "do not lie side by side");
  stays(ROW_LOOP("s[i % 16][i / 16] = A[t * 512 + i];\n"),
        "do not lie side by side");
  joins(SHORTS("for (int i = tx; i < 508; i += blockDim.x)\n"
               " flat[i + 4] = A[t * 512 + i];\n"), 4, 1);
  stays(SHORTS("for (int i = tx; i < 510; i += blockDim.x)\n"
               " flat[i + 2] = A[t * 512 + i];\n"), "whole number of groups");
  stays(ROW_LOOP("flat[i] = A[t * 512 + 2 * i];\n"), "may not lie side by side");
  stays(ROW_LOOP("flat[i] = A[t * 512 + i / 3];\n"), "may not lie side by side");
  stays(ROW_LOOP("flat[i] = A[t * 511 + i];\n"), "is aligned");
}

static void test_guards(void **state) {
  (void)state;
  joins(ROW_LOOP("flat[i] = t * 512 + i < ld ? A[t * 512 + i] : 0;\n"), 8, 1);
  joins(ROW_LOOP("if (i / 32 < ld) flat[i] = A[t * 512 + i]; else flat[i] = 0;\n"),
        8, 1);
  joins(ROW_LOOP("if (t >= n || i >= ld) flat[i] = 0; else flat[i] = A[t * 512 + "
                 "i];\n"), 8, 1);
  stays(ROW_LOOP("flat[i] = i % 3 < 2 ? A[t * 512 + i] : 0;\n"), "its guard");
  stays(ROW_LOOP("flat[i] = i != ld ? A[t * 512 + i] : 0;\n"), "its guard");
  stays(ROW_LOOP("flat[i] = t * 512 - i < ld ? A[t * 512 + i] : 0;\n"),
        "its guard");
  stays(ROW_LOOP("flat[i] = i < ld ? A[t * 512 + i] : tx;\n"), "is no constant");
}

/* A guard that has a name is asked in its own words, where they mean the same. */
static void test_named_guards(void **state) {
  (void)state;
  joins(ROW_LOOP("bool in = t * 512 + i < ld;\n"
                 " flat[i] = in ? A[t * 512 + i] : 0;\n"), 8, 1);
  stays(ROW_LOOP("int at = t * 512 + i;\n bool in = at < ld;\n {\n int at = 3;\n"
                 " flat[i] = in ? A[t * 512 + i] : at;\n}\n"), "its guard");
}

/* Unsigned numbers wrap between their ends. */
static void test_wrapping_guards(void **state) {
  (void)state;
  joins(ROW_LOOP("flat[i] = i - 3u < (unsigned)ld ? A[t * 512 + i] : 0;\n"), 8, 1);
  stays(ROW_LOOP("flat[i] = i - 3u >= 2u ? A[t * 512 + i] : 0;\n"), "its guard");
  stays(ROW_LOOP("flat[i] = i - 3u < 2u ? 0 : A[t * 512 + i];\n"), "its guard");
}

/* What a number or pointer was set to is not what its text is worth later. */
static void test_origins(void **state) {
  (void)state;
  stays(ROW_LOOP("flat[i] = A[t * 512 + (int)(ld * 0.3f) + i];\n"), "");
  stays(ROW_LOOP("flat[i] = A[t * 512 + (bool)ld + i];\n"), "");
  joins(SHORTS("for (int i = (short)tx; i < 512; i += blockDim.x)\n"
               " flat[i] = A[t * 512 + i];\n"), 8, 1);
  stays("__global__ void k(const short *__restrict__ A, int *__restrict__ C, int n, "
        "int ld) {\n  __shared__ short s[512];\n  int tx = threadIdx.x, t;\n"
        "  for (ld = 13, t = 0; t < n; ++t) {\n"
        "    for (int i = tx; i < 512; i += blockDim.x)\n"
        "      s[i] = A[t * ld + i];\n    __syncthreads();\n"
        "    C[tx] += s[511 - tx];\n    __syncthreads();\n  }\n}\n", "");
  built *b = b_read("__global__ void k(const short *__restrict__ A, "
                    "int *__restrict__ C, int n) {\n  __shared__ short s[512];\n"
                    "  int tx = threadIdx.x;\n  const short *p = A + 8;\n  A += 3;\n"
                    "  for (int t = 0; t < n; ++t) {\n"
                    "    for (int i = tx; i < 512; i += blockDim.x)\n"
                    "      s[i] = p[t * 512 + i];\n    __syncthreads();\n"
                    "    C[tx] += s[511 - tx];\n    __syncthreads();\n  }\n}\n");
  b_run(b, B_PLAN);
  assert_int_equal(premises_of(b_loop(b, 0), 8), 1);
  assert_true(pl_str_is(pl_unit_slice(b_loop(b, 0)->unit,
                                      b_loop(b, 0)->premises[0].node->range), "p"));
  b_free(b);
}

/* A thread that has left copies for nobody. */
static void test_who_is_there(void **state) {
  (void)state;
  stays(SHORTS("if (tx < 32)\n for (int i = tx; i < 512; i += blockDim.x)\n"
               "  flat[i] = A[t * 512 + i];\n"), "");
  built *b = b_read("__global__ void k(const short *__restrict__ A, "
                    "int *__restrict__ C, int n) {\n  __shared__ short s[512];\n"
                    "  int tx = threadIdx.x;\n  if (tx >= n)\n    return;\n"
                    "  for (int t = 0; t < n; ++t) {\n"
                    "    for (int i = tx; i < 512; i += blockDim.x)\n"
                    "      s[i] = A[t * 512 + i];\n    __syncthreads();\n"
                    "    C[tx] += s[511 - tx];\n    __syncthreads();\n  }\n}\n");
  b_run(b, B_PLAN);
  assert_string_equal(b_loop(b, 0)->narrow_why ? b_loop(b, 0)->narrow_why : "",
                      "not all threads of the block may come to the loop");
  b_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_whole_rows),
      cmocka_unit_test(test_sharing),
      cmocka_unit_test(test_rounds),
      cmocka_unit_test(test_rounds_of_macros),
      cmocka_unit_test(test_hidden_names),
      cmocka_unit_test(test_cells),
      cmocka_unit_test(test_guards),
      cmocka_unit_test(test_named_guards),
      cmocka_unit_test(test_wrapping_guards),
      cmocka_unit_test(test_origins),
      cmocka_unit_test(test_who_is_there),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  return failed > 125 ? 125 : failed;
}
