/* test_plan.c - which variant, how many stages, at what cost. */
#include "build_model.h"

#include <stdio.h>
#include <string.h>

/* One tile of `count` elements, filled by `width` of them a thread. */
#define KERNEL(type, count, store, index)                                      \
  "__global__ void k(const " type " *__restrict__ A, " type                    \
  " *__restrict__ C, int n) {\n  __shared__ " type " s[" count "];\n"          \
  "  int tx = threadIdx.x;\n  for (int t = 0; t < n; ++t) {\n    " store "\n"  \
  "    __syncthreads();\n    C[tx] = s[" index "];\n    __syncthreads();\n"    \
  "  }\n}\n"
#define PLAIN(type, count)                                                     \
  KERNEL(type, count, "s[tx] = A[t * 64 + tx];", "63 - tx")

static built *planned(const char *text, pl_variant variant, int stages) {
  built *b = b_read(text);
  b->options.variant = variant;
  b->options.stages = stages;
  b_run(b, B_PLAN);
  return b;
}

static void chosen(const pl_loop *loop, pl_variant variant, int stages) {
  b_open(loop);
  if (loop->variant != variant || loop->stages != stages)
    fail_msg("%s with %d stages (%.*s), not %s with %d",
             pl_variant_name(loop->variant), loop->stages, PL_FMT(loop->why),
             pl_variant_name(variant), stages);
}

static void automatic(const char *text, pl_variant variant, int stages) {
  built *b = planned(text, PL_VARIANT_AUTO, 0);
  chosen(b_loop(b, 0), variant, stages);
  assert_true(b_loop(b, 0)->why.n > 0);
  b_free(b);
}

static void forced(const char *text, pl_variant variant, const char *id) {
  built *b = planned(text, variant, 0);
  if (id)
    b_refused(b_loop(b, 0), id, NULL);
  else
    b_open(b_loop(b, 0));
  b_free(b);
}

/* ---- choosing -------------------------------------------------------------
 */

/* Width is what pays: 4-byte asynchronous copies lose, 16-byte ones win. */
static void test_width_decides(void **state) {
  (void)state;
  automatic(PLAIN("float", "64"), PL_VARIANT_LDG, 2);
  automatic(PLAIN("double", "64"), PL_VARIANT_LDG, 2);
  automatic(PLAIN("float4", "64"), PL_VARIANT_CP_ASYNC, 3);
}

/* No value is used twice, or each very often, or few other blocks run: depth
 * pays. Compute that itself streams from global memory gains nothing. */
static void test_who_waits_decides(void **state) {
  (void)state;
#define ROW(before, compute, after)                                            \
  "__global__ __launch_bounds__(64) void k(const float *__restrict__ A, const "\
  "float *__restrict__ B, float *__restrict__ C, int n, int m) {\n"            \
  "  __shared__ float s[64];\n  int tx = threadIdx.x;\n  float acc = 0;\n"    \
  before "  for (int t = 0; t < n; ++t) {\n    s[tx] = A[t * 64 + tx];\n"      \
  "    __syncthreads();\n" compute "    __syncthreads();\n  }\n" after       \
  "  C[tx] = acc;\n}\n"
#define READS(n)                                                               \
  "    for (int j = 0; j < " n "; ++j) acc += s[j] * s[63 - j];\n"
#define REUSE READS("31")
  automatic(ROW("", "    acc += s[tx];\n", ""), PL_VARIANT_CP_ASYNC, 8);
  automatic(ROW("", REUSE, ""), PL_VARIANT_LDG, 2);
  automatic(ROW("  for (int b = blockIdx.x; b < m; b += gridDim.x) {\n", REUSE,
                "  }\n"),
            PL_VARIANT_CP_ASYNC, 4);
  automatic(ROW("  int grid = gridDim.x;\n"
                "  for (int b = blockIdx.x; b < m; b += grid) {\n",
                REUSE, "  }\n"),
            PL_VARIANT_CP_ASYNC, 4);
  automatic(ROW("  for (int b = 0; b < m; ++b) {\n", REUSE, "  }\n"),
            PL_VARIANT_LDG, 2);
  automatic(ROW("", READS("32"), ""), PL_VARIANT_CP_ASYNC, 4);
  automatic(ROW("", READS("min(32, m)"), ""), PL_VARIANT_CP_ASYNC, 4);
  automatic(ROW("",
                "    const int full = 32 < m - t ? 32 : m - t;\n" READS("full"),
                ""),
            PL_VARIANT_CP_ASYNC, 4);
  automatic(ROW("", READS("m"), ""), PL_VARIANT_LDG, 2);
  built *b = planned(
      ROW("", "    for (int j = 0; j < 64; ++j) acc += s[j] * B[t + j];\n", ""),
      PL_VARIANT_AUTO, 0);
  assert_int_equal(b_loop(b, 0)->verdict, PL_VERDICT_KEPT);
  b_free(b);
  forced(ROW("", "    for (int j = 0; j < 64; ++j) acc += s[j] * B[t + j];\n",
             ""),
         PL_VARIANT_LDG, NULL);
}

static void test_stages_are_asked_for(void **state) {
  (void)state;
  built *b = planned(PLAIN("float", "64"), PL_VARIANT_CP_ASYNC, 4);
  chosen(b_loop(b, 0), PL_VARIANT_CP_ASYNC, 4);
  assert_int_equal(b_loop(b, 0)->smem_after, 4 * 256);
  b_free(b);
  b = planned(PLAIN("float", "64"), PL_VARIANT_LDG, 4);
  chosen(b_loop(b, 0), PL_VARIANT_LDG, 2);
  b_free(b);
  b = planned(PLAIN("float", "64"), PL_VARIANT_LDG_SINGLE, 4);
  chosen(b_loop(b, 0), PL_VARIANT_LDG_SINGLE, 1);
  b_free(b);
}

static void test_forced_variants(void **state) {
  (void)state;
  forced(PLAIN("float", "64"), PL_VARIANT_CP_ASYNC, NULL);
  forced(PLAIN("__half", "64"), PL_VARIANT_CP_ASYNC, "PL5001");
  forced(KERNEL("float", "64", "s[tx] = A[t] * 2.0f;", "0"),
         PL_VARIANT_CP_ASYNC, "PL5002");
  built *b = planned(KERNEL("float", "64",
                            "for (int i = tx; i < 64; i += n) s[i % 64] = A[i];", "0"),
                     PL_VARIANT_LDG, 0);
  b_refused(b_loop(b, 0), "PL6001", "for (int i = tx; i < 64; i += n) s[i % 64] = A[i];");
  b_free(b);
}

/* 24 KB of the 64 that a multiprocessor of sm_75 has: with two stages one
 * block would be left of two. */
static void test_one_block_left(void **state) {
  (void)state;
  built *b = b_read(PLAIN("float", "6144"));
  b->options.arch = 75;
  b_run(b, B_PLAN);
  chosen(b_loop(b, 0), PL_VARIANT_LDG_SINGLE, 1);
  assert_true(pl_str_has(b_loop(b, 0)->why,
                         "2 stages leave one block a multiprocessor instead "
                         "of 2"));
  b_free(b);
  b = b_read(PLAIN("float", "6144"));
  b->options.arch = 75;
  b->options.variant = PL_VARIANT_LDG;
  b_run(b, B_PLAN);
  chosen(b_loop(b, 0), PL_VARIANT_LDG, 2);
  b_free(b);
}

static void test_old_architecture(void **state) {
  (void)state;
  built *b = b_read(PLAIN("float4", "64"));
  b->options.arch = 75;
  b_run(b, B_PLAN);
  chosen(b_loop(b, 0), PL_VARIANT_LDG, 2);
  assert_string_equal(b_loop(b, 0)->async_id, "PL5003");
  b_free(b);
}

/* ---- the budget -----------------------------------------------------------
 */

static void test_numbers(void **state) {
  (void)state;
  built *b = b_read(B_KERNEL("  __shared__ float other[100];\n"
                             "  other[tx] = 0.0f;\n" B_LOOP(B_COMPUTE)));
  b_launch(b, "k", 256, 0);
  b_run(b, B_PLAN);
  pl_loop *loop = b_loop(b, 0);
  chosen(loop, PL_VARIANT_LDG, 2);
  assert_int_equal(loop->smem_before, 2048 + 400);
  assert_int_equal(loop->smem_after, 4096 + 400);
  assert_int_equal(loop->smem_limit, 49152);
  assert_int_equal(loop->threads, 256);
  assert_int_equal(loop->blocks_before, 8);
  assert_int_equal(b_tile(loop, "As")->bytes, 1024);
  b_free(b);
}

static void test_limit(void **state) {
  (void)state;
  built *b = b_read(PLAIN("float", "4096"));
  b->options.variant = PL_VARIANT_CP_ASYNC;
  b->options.stages = 4;
  b_run(b, B_PLAN);
  b_refused(b_loop(b, 0), "PL7001", NULL);
  assert_true(pl_str_has(b_loop(b, 0)->message,
                         "65536 bytes of shared memory, the limit is 49152 "
                         "(largest number of stages: 3)"));
  b_free(b);
  b = b_read(PLAIN("float", "64"));
  b->options.variant = PL_VARIANT_LDG;
  b->options.max_smem = 500;
  b_run(b, B_PLAN);
  b_refused(b_loop(b, 0), "PL7001", NULL);
  b_free(b);
}

/* A step down to one block a multiprocessor is not made by itself. */
static void test_occupancy(void **state) {
  (void)state;
  built *b = b_read(KERNEL("float", "6000",
                           "for (int i = tx; i < 6000; i += "
                           "256) s[i] = A[i];",
                           "0"));
  b->options.arch = 75;
  b_run(b, B_PLAN);
  chosen(b_loop(b, 0), PL_VARIANT_LDG_SINGLE, 1);
  assert_int_equal(b_loop(b, 0)->blocks_after, 2);
  assert_true(pl_str_has(b_loop(b, 0)->why, "one block a multiprocessor"));
  b_free(b);
}

static void test_threads_limit_blocks(void **state) {
  (void)state;
  built *b = b_read(PLAIN("float", "64"));
  b->options.block_threads = 1024;
  b_run(b, B_PLAN);
  assert_int_equal(b_loop(b, 0)->blocks_before, 2);
  b_free(b);
  b = planned(PLAIN("float", "64"), PL_VARIANT_AUTO, 0);
  assert_int_equal(b_loop(b, 0)->threads, -1);
  assert_int_equal(b_loop(b, 0)->blocks_before, 32);
  b_free(b);
}

static void test_staging_registers(void **state) {
  (void)state;
  automatic(KERNEL("float", "4096",
                   "for (int i = tx; i < 4096; i += 64) s[i] = A[2 * i];", "0"),
            PL_VARIANT_LDG, 2);
  forced(KERNEL("float", "8192",
                "for (int i = tx; i < 8192; i += 32) s[i] = A[i];", "0"),
         PL_VARIANT_LDG, "PL6002");
  forced(KERNEL("float", "8192",
                "for (int i = tx; i < 8192; i += 32) s[i] = A[i];", "0"),
         PL_VARIANT_LDG_SINGLE, "PL6002");
}

/* ---- more than one buffer -------------------------------------------------
 */

static void one_buffer(const char *text, const char *id) {
  built *b = planned(text, PL_VARIANT_AUTO, 0);
  chosen(b_loop(b, 0), PL_VARIANT_LDG_SINGLE, 1);
  if (!b_loop(b, 0)->double_id || strcmp(b_loop(b, 0)->double_id, id) != 0)
    fail_msg("one buffer by %s, not %s", b_loop(b, 0)->double_id, id);
  assert_int_equal(b_loop(b, 0)->smem_after, b_loop(b, 0)->smem_before);
  b_free(b);
}

static void test_one_buffer(void **state) {
  (void)state;
  one_buffer(KERNEL("float", "64", "if (t + tx < n) s[tx] = A[t];", "0"),
             "PL3004");
  one_buffer(B_KERNEL("  Bs[tx][ty] = 0.0f;\n" B_LOOP(B_COMPUTE)), "PL3005");
  one_buffer(B_KERNEL("  for (int r = 0; r < n; ++r) {\n" B_LOOP(B_COMPUTE)
                      "  acc += As[tx][ty];\n  }\n"),
             "PL3006");
  one_buffer(
      B_KERNEL(B_LOOP("float f = [=]() { return As[0][0]; };\n" B_COMPUTE)),
      "PL3009");
}

/* What every tile writes again is no prefill, unless a thread may leave in
 * between. */
static void test_dead_prefill(void **state) {
  (void)state;
  built *b = planned(B_KERNEL("  Bs[ty][tx] = 0.0f;\n" B_LOOP(B_COMPUTE)),
                     PL_VARIANT_AUTO, 0);
  chosen(b_loop(b, 0), PL_VARIANT_LDG, 2);
  b_free(b);
  one_buffer(B_KERNEL("  Bs[ty][tx] = 0.0f;\n  if (tx > n) return;\n" B_LOOP(
                 B_COMPUTE)),
             "PL3005");
}

/* Behind a loop that is reached once, the last tile has a stage of its own. */
static void test_last_tile(void **state) {
  (void)state;
  built *b = planned(B_KERNEL(B_LOOP(B_COMPUTE) "  acc += As[tx][ty];\n"),
                     PL_VARIANT_AUTO, 0);
  chosen(b_loop(b, 0), PL_VARIANT_LDG, 2);
  assert_true(b_tile(b_loop(b, 0), "As")->lasts);
  assert_false(b_tile(b_loop(b, 0), "Bs")->lasts);
  b_free(b);
}

static void test_dynamic_shared(void **state) {
  (void)state;
  static const char text[] =
      "__global__ void k(const float *__restrict__ A, float *__restrict__ C,\n"
      "                  int n) {\n  extern __shared__ float s[];\n"
      "  int tx = threadIdx.x;\n  for (int t = 0; t < n; ++t) {\n"
      "    s[tx] = A[t];\n    __syncthreads();\n    C[tx] = s[0];\n"
      "    __syncthreads();\n  }\n}\n";
  built *b = planned(text, PL_VARIANT_AUTO, 0);
  chosen(b_loop(b, 0), PL_VARIANT_LDG_SINGLE, 1);
  assert_string_equal(b_loop(b, 0)->double_id, "PL5005");
  assert_int_equal(b_loop(b, 0)->smem_before, -1);
  b_free(b);
  b = b_read(text);
  b_launch(b, "k", 64, 256);
  b_launch(b, "k", 64, 1024);
  b_run(b, B_PLAN);
  assert_int_equal(b_loop(b, 0)->smem_before, 1024);
  b_free(b);
  forced(text, PL_VARIANT_CP_ASYNC, "PL5005");
}

/* Two loops that fill one tile anew each may both have stages. */
static void test_loops_that_share(void **state) {
  (void)state;
  built *b = planned(B_KERNEL(B_LOOP(B_COMPUTE) B_LOOP(B_COMPUTE)),
                     PL_VARIANT_AUTO, 0);
  chosen(b_loop(b, 0), PL_VARIANT_LDG, 2);
  chosen(b_loop(b, 1), PL_VARIANT_LDG, 2);
  b_free(b);
  b = planned(
      B_KERNEL(B_LOOP(B_COMPUTE) B_LOOP(B_COMPUTE "    if (n > 9) return;\n")),
      PL_VARIANT_AUTO, 0);
  chosen(b_loop(b, 0), PL_VARIANT_LDG_SINGLE, 1);
  b_refused(b_loop(b, 1), "PL2003", "return;");
  b_free(b);
}

/* ---- templates ------------------------------------------------------------
 */

#define TEMPLATE                                                               \
  "template <int BM, int BK>\n" KERNEL(                                        \
      "float", "BM * BK",                                                      \
      "for (int i = tx; i < BM * BK; i += 64) s[i] = A[i];", "0")

/* The budget is that of the largest instantiation. */
static void test_instances(void **state) {
  (void)state;
  built *b = b_read(TEMPLATE);
  b_instance(b, "k", 16, 8);
  b_instance(b, "k", 64, 32);
  b_instance(b, "k", 32, 8);
  b_run(b, B_PLAN);
  pl_loop *loop = b_loop(b, 0);
  b_open(loop);
  assert_int_equal(loop->smem_before, 64 * 32 * 4);
  assert_int_equal(loop->staging_bytes, 64 * 32 / 64 * 4);
  b_free(b);
  b = b_read(TEMPLATE);
  b_instance(b, "k", 16, 8);
  b_instance(b, "k", 128, 64);
  b->options.variant = PL_VARIANT_CP_ASYNC;
  b->options.stages = 2;
  b_run(b, B_PLAN);
  b_refused(b_loop(b, 0), "PL7001", NULL);
  b_free(b);
}

static void test_alignment(void **state) {
  (void)state;
  built *b = planned(
      B_KERNEL("  for (int t = 0; t < n; ++t) {\n"
               "    As[ty][tx] = A[t];\n    __syncthreads();\n"
               "    acc += (*(float4 *)&As[ty][0]).x;\n    __syncthreads();\n"
               "  }\n"),
      PL_VARIANT_AUTO, 0);
  assert_true(b_tile(b_loop(b, 0), "As")->wide);
  assert_int_equal(b_tile(b_loop(b, 0), "As")->align, 16);
  b_free(b);
}

static void test_architectures(void **state) {
  (void)state;
  assert_int_equal(pl_arch_find(80)->smem_sm, 167936);
  assert_int_equal(pl_arch_find(99)->sm, 90);
  assert_false(pl_arch_find(75)->has_async);
  assert_null(pl_arch_find(70));
}

/* ---- the compute/load ratio ------------------------------------------------
 */

static double ratio_of(const char *text, int threads) {
  built *b = b_read(text);
  b_launch(b, "k", threads, 0);
  b_run(b, B_PLAN);
  double ratio = b_loop(b, 0)->ratio;
  b_free(b);
  return ratio;
}

/* 64 threads load 256 bytes of ints. */
#define INTS(compute)                                                          \
  "__global__ void k(const int *__restrict__ A, int *__restrict__ C, int n) "  \
  "{\n"                                                                        \
  "  __shared__ int s[64];\n  int tx = threadIdx.x;\n  int acc = 0;\n"         \
  "  for (int t = 0; t < n; ++t) {\n    s[tx] = A[t * 64 + tx];\n"             \
  "    __syncthreads();\n" compute "    __syncthreads();\n  }\n"               \
  "  C[tx] = acc;\n}\n"

/* Integers count where they come from the tile, not where they lead to it. */
static void test_ratio(void **state) {
  (void)state;
  assert_true(ratio_of(B_KERNEL(B_LOOP(B_COMPUTE)), 256) == 4.0);
  assert_true(ratio_of(INTS("    for (int j = 0; j < 64; ++j) acc += s[j] * "
                            "s[63 - j];\n"), 64) == 32.0);
  assert_true(ratio_of(INTS("    for (int j = 0; j < 64; ++j) {\n"
                            "      int v = s[j];\n      acc += v ^ tx;\n"
                            "    }\n"), 64) == 32.0);
  assert_true(ratio_of(INTS("    int k = (tx * 5 + 1) & 63;\n"
                            "    acc += s[k];\n"), 64) == 0.25);
  assert_true(ratio_of(INTS("    acc += __popc(s[tx]);\n"), 64) == 0.5);
  assert_true(ratio_of(INTS("    for (int j = 0; j < min(64, n - t); ++j) acc "
                            "+= s[j];\n"), 64) == 16.0);
  assert_true(ratio_of(INTS("    for (int j = 0; j < n; ++j) acc += s[j];\n"),
                       64) < 0);
  assert_true(ratio_of(INTS("    acc = s[tx];\n"), 64) < 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_width_decides),
      cmocka_unit_test(test_who_waits_decides),
      cmocka_unit_test(test_ratio),
      cmocka_unit_test(test_stages_are_asked_for),
      cmocka_unit_test(test_forced_variants),
      cmocka_unit_test(test_one_block_left),
      cmocka_unit_test(test_old_architecture),
      cmocka_unit_test(test_numbers),
      cmocka_unit_test(test_limit),
      cmocka_unit_test(test_occupancy),
      cmocka_unit_test(test_threads_limit_blocks),
      cmocka_unit_test(test_staging_registers),
      cmocka_unit_test(test_one_buffer),
      cmocka_unit_test(test_dead_prefill),
      cmocka_unit_test(test_last_tile),
      cmocka_unit_test(test_dynamic_shared),
      cmocka_unit_test(test_loops_that_share),
      cmocka_unit_test(test_instances),
      cmocka_unit_test(test_alignment),
      cmocka_unit_test(test_architectures)};
  return cmocka_run_group_tests(tests, NULL, NULL) ? 1 : 0;
}
