/* test_planted.c - an emitter that forgets a line is caught before its text is written.
 *
 * The region printer is compiled in here, and loses one line of what it prints: a wait,
 * a barrier, the step to the next stage, a commit. Nothing is run: the certificate alone
 * has to refuse the loop (PL9002). Without a fault the same kernel is pipelined. */
#define pl_print_region print_all_of_region
#include "../../rewriter/codegen/region_printer.c"
#undef pl_print_region
#include "pipelinify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- the emitter ------------------------------------------------------------- */

static const char *forgotten; /* words of lines; NULL: none is forgotten */
static int which;             /* of those */
static int met;

static bool has_words(const char *line, size_t n) {
  return forgotten && pl_str_has((pl_str){line, n}, forgotten);
}

void pl_print_region(pl_emitter *e, int level) {
  size_t at = e->out.n;
  print_all_of_region(e, level);
  while (at < e->out.n) {
    size_t end = at;
    while (end < e->out.n && e->out.p[end] != '\n')
      end++;
    end += end < e->out.n;
    if (has_words(e->out.p + at, end - at) && met++ == which) {
      memmove(e->out.p + at, e->out.p + end, e->out.n - end);
      e->out.n -= end - at;
    } else {
      at = end;
    }
  }
}

/* ---- kernels ------------------------------------------------------------------ */

static const char product[] =
    "#include <cuda_runtime.h>\n"
    "__global__ void product(const float *__restrict__ A, const float *__restrict__ B,\n"
    "                        float *__restrict__ C, int N, int K) {\n"
    "  __shared__ float As[16][16], Bs[16][16];\n"
    "  const int tx = threadIdx.x, ty = threadIdx.y;\n"
    "  const int row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;\n"
    "  float sum = 0.0f;\n"
    "  for (int k0 = 0; k0 < K; k0 += 16) {\n"
    "    As[ty][tx] = A[row * K + k0 + tx];\n"
    "    Bs[ty][tx] = B[(k0 + ty) * N + col];\n"
    "    __syncthreads();\n"
    "    for (int k = 0; k < 16; ++k)\n"
    "      sum += As[ty][k] * Bs[k][tx];\n"
    "    __syncthreads();\n"
    "  }\n"
    "  C[row * N + col] = sum;\n"
    "}\n";

/* The loop is come to again, so that its exit barrier counts. */
static const char batches[] =
    "#include <cuda_runtime.h>\n"
    "__global__ void batches(const float *__restrict__ x, float *__restrict__ y,\n"
    "                        int n, int rounds) {\n"
    "  __shared__ float row[64];\n"
    "  for (int r = blockIdx.x; r < rounds; r += gridDim.x) {\n"
    "    float sum = 0.0f;\n"
    "    for (const float *at = x + r * n; at < x + (r + 1) * n; at += 64) {\n"
    "      row[threadIdx.x] = at[threadIdx.x];\n"
    "      __syncthreads();\n"
    "      for (int i = 0; i < 64; ++i)\n"
    "        sum += row[i] * (i ^ threadIdx.x);\n"
    "      __syncthreads();\n"
    "    }\n"
    "    y[r * 64 + threadIdx.x] = sum;\n"
    "  }\n"
    "}\n";

static const struct form {
  pl_variant variant;
  int stages;
} forms[] = {{PL_VARIANT_LDG, 2},        {PL_VARIANT_LDG_SINGLE, 1},
             {PL_VARIANT_CP_ASYNC, 2},   {PL_VARIANT_CP_ASYNC, 3},
             {PL_VARIANT_CP_ASYNC, 4},   {PL_VARIANT_PIPELINE, 2},
             {PL_VARIANT_PIPELINE, 3},   {PL_VARIANT_BARRIER, 3}};

/* Rewrites; the reason against the loop; "": it is pipelined. */
static const char *outcome(const char *source, const struct form *form,
                           pl_certification certify) {
  const pl_options options = {.variant = form->variant,
                              .variant_fixed = true,
                              .stages = form->stages > 1 ? form->stages : 0,
                              .certify = certify};
  size_t nkernels, length;
  met = 0;
  pl_result *result = pl_rewrite("k.cu", source, strlen(source), &options);
  assert_null(pl_result_error(result));
  const pl_kernel_report *kernels = pl_result_kernels(result, &nkernels);
  assert_int_equal(nkernels, 1);
  const pl_loop_report *loop = NULL;
  for (size_t i = 0; i < kernels->nloops; i++)
    if (kernels->loops[i].verdict == PL_VERDICT_PIPELINED ||
        (kernels->loops[i].id && strcmp(kernels->loops[i].id, "PL9002") == 0))
      loop = &kernels->loops[i];
  assert_non_null(loop);
  bool pipelined = loop->verdict == PL_VERDICT_PIPELINED;
  const char *text = pl_result_text(result, &length);
  bool untouched = length == strlen(source) && memcmp(text, source, length) == 0;
  assert_int_equal(untouched, !pipelined);
  const char *said = pipelined ? "" : "PL9002";
  pl_result_free(result);
  return said;
}

/* How many lines have the words, in a text without faults. */
static int count_lines(const char *source, const struct form *form, const char *words) {
  forgotten = words;
  which = -1;
  assert_string_equal(outcome(source, form, PL_CERTIFY_GATE), "");
  return met;
}

/* Each line with the words, but for so many at the end. */
static int forget_each(const char *words, int but, pl_certification certify) {
  const char *const sources[] = {product, batches};
  int forgets = 0;
  for (size_t s = 0; s < 2; s++)
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
      int n = count_lines(sources[s], &forms[f], words) - but;
      for (which = 0; which < n; which++, forgets++)
        if (*outcome(sources[s], &forms[f], certify) == '\0')
          fail_msg("%s, %d stages: without '%s' %d of kernel %zu it is written",
                   pl_variant_name(forms[f].variant), forms[f].stages, words, which,
                   s);
    }
  forgotten = NULL;
  return forgets;
}

/* ---- tests -------------------------------------------------------------------- */

static void test_no_fault(void **state) {
  (void)state;
  forgotten = NULL;
  for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
    assert_string_equal(outcome(product, &forms[f], PL_CERTIFY_REQUIRE), "");
}

static void test_no_barrier(void **state) {
  (void)state;
  assert_true(forget_each("__syncthreads();", 0, PL_CERTIFY_GATE) > 20);
}

static void test_no_wait(void **state) {
  (void)state;
  /* The last one is for groups in which no copies are. */
  assert_true(forget_each("__pipeline_wait_prior(", 1, PL_CERTIFY_GATE) > 4);
  assert_true(forget_each("consumer_wait", 0, PL_CERTIFY_GATE) > 3);
  assert_true(forget_each("arrive_and_wait(", 0, PL_CERTIFY_GATE) > 1);
}

static void test_no_next_stage(void **state) {
  (void)state;
  assert_true(forget_each("stage ^= 1;", 0, PL_CERTIFY_GATE) +
                  forget_each("stage = stage ==", 0, PL_CERTIFY_GATE) > 8);
}

static void test_no_commit(void **state) {
  (void)state;
  assert_true(forget_each("_commit();", 0, PL_CERTIFY_REQUIRE) > 8);
  assert_true(forget_each("__pipeline_arrive_on(", 0, PL_CERTIFY_REQUIRE) > 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_no_fault),   cmocka_unit_test(test_no_barrier),
      cmocka_unit_test(test_no_wait),    cmocka_unit_test(test_no_next_stage),
      cmocka_unit_test(test_no_commit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
