/* test_build_model.c - the models that tests build are those that the frontend
 * makes of the same text. */
#include "build_model.h"
#include "frontend.h"

#include <string.h>

#define BUILTIN "'<builtin fn type>' "

/* A dump without what the passes do not look at: qualified names, and the types
 * of the compiler's own functions. */
static pl_str comparable(pl_arena *arena, const pl_unit *unit) {
  pl_text out = {.arena = arena}, kept = {.arena = arena};
  pl_unit_dump(unit, &out);
  for (size_t i = 0; i < out.n; i++) {
    if (out.p[i] == '{')
      i += strcspn(out.p + i, "}") + 1;
    else if (pl_str_starts((pl_str){out.p + i, out.n - i}, BUILTIN))
      i += sizeof BUILTIN - 2;
    else
      pl_text_add(&kept, (pl_str){out.p + i, 1});
  }
  return pl_text_view(&kept);
}

/* The first lines that differ, in one message. */
static void same_dump(pl_str one, pl_str two) {
  size_t at = 0, line = 0;
  while (at < one.n && at < two.n && one.p[at] == two.p[at]) {
    if (one.p[at++] == '\n')
      line = at;
  }
  if (at == one.n && at == two.n)
    return;
  fail_msg("built  '%.*s'\nparsed '%.*s'", (int)strcspn(one.p + line, "\n"),
           one.p + line, (int)strcspn(two.p + line, "\n"), two.p + line);
}

static void same_model(const char *text) {
  built *b = b_read(text);
  pl_parse_request request = {
      .path = "test.cu", .text = b->unit->text, .arch = 80};
  pl_str error;
  pl_unit *parsed = pl_parse(b->arena, &request, &error);
  assert_non_null(parsed);
  assert_int_equal(parsed->nproblems, 0);
  same_dump(comparable(b->arena, b->unit), comparable(b->arena, parsed));
  b_free(b);
}

static void test_gemm(void **state) {
  (void)state;
  same_model(
      "#define TS 16\n"
      "__global__ void k(const float *__restrict__ A, float *C, int n) {\n"
      "  __shared__ float As[TS][TS + 1], Bs[8];\n"
      "  int tx = threadIdx.x;\n"
      "  float acc = 0.0f;\n"
      "  for (int t = 0; t < n / TS; ++t) {\n"
      "    As[threadIdx.y][tx] = A[t * TS + tx];\n"
      "    Bs[tx] = t < 3 && tx != 1 ? A[(t + 1) * TS] : 0.0f;\n"
      "    __syncthreads();\n"
      "    for (int i = 0; i < TS; i++)\n"
      "      acc += As[threadIdx.y][i] * Bs[i];\n"
      "    if (n > 3) { acc = -acc; } else acc *= 2;\n"
      "    __syncthreads();\n"
      "  }\n"
      "  C[tx] = acc;\n"
      "}\n");
}

static void test_control(void **state) {
  (void)state;
  same_model("__global__ void k(int *p, unsigned n) {\n"
             "  unsigned i = 0, j = 1u;\n"
             "  while (i < n) { i += 2; if (p[i]) continue; break; }\n"
             "  do { j--; } while (j);\n"
             "  for (;;) { if (j) goto out; return; }\n"
             "out: ;\n"
             "  for (i = 0, j = 4; i < n; i++, j += 2) p[i] = j;\n"
             "}\n");
}

static void test_pointers(void **state) {
  (void)state;
  same_model("__device__ float g[4];\n"
             "__device__ void fill(float (&s)[8], const float *p, int i) {\n"
             "  s[i] = *p;\n"
             "  p += 4;\n"
             "}\n"
             "__global__ void k(const float *p, float4 *v, int n) {\n"
             "  __shared__ float s[8];\n"
             "  extern __shared__ float d[];\n"
             "  const float *q = p + n;\n"
             "  *reinterpret_cast<float4 *>(&s[0]) = v[n];\n"
             "  fill(s, q, n);\n"
             "  d[n] = g[n] + (float)n;\n"
             "}\n");
}

static void test_templates(void **state) {
  (void)state;
  same_model("template <int N, typename T>\n"
             "__global__ void k(const T *p, T *q) {\n"
             "  __shared__ float s[8];\n"
             "  constexpr int M = 4 * 2;\n"
             "  int i = N * 2 + M;\n"
             "  s[i] = 1.0f;\n"
             "}\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_gemm), cmocka_unit_test(test_control),
      cmocka_unit_test(test_pointers), cmocka_unit_test(test_templates)};
  return cmocka_run_group_tests(tests, NULL, NULL) ? 1 : 0;
}
