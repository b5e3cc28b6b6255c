/* test_trip_counts.c - does a loop go on for all threads, or for none: trip_counts.c. */
#include "build_model.h"

#include "access.h"

#include <string.h>

/* A kernel whose tile loop is `head`, with what stands in front of it. */
#define LOOP(front, head)                                                      \
  "__global__ void k(const float *A, float *C, int n, int m,\n"                 \
  "                  const float *P) {\n"                                      \
  "  __shared__ float s[64];\n  int tid = threadIdx.x % 64;\n"                    \
  "  float acc = 0.0f;\n"                                                     \
  "  " front "\n  " head " {\n"                                                \
  "    s[tid] = A[i];\n    __syncthreads();\n"                                 \
  "    acc += s[63 - tid];\n    __syncthreads();\n  }\n  C[tid] = acc;\n}\n"

static void decides(const char *text, bool alike) {
  built *b = b_passes(text, B_COPIES);
  pl_loop *loop = b_loop(b, 0);
  assert_non_null(loop->header);
  if (pl_is_decided_alike(loop, pl_node_bare(loop->header)) != alike)
    fail_msg("%s is not so of\n%s", alike ? "yes" : "no", text);
  b_free(b);
}

/* What a thread is ahead of others by, it is on both sides. */
static void test_own_ends(void **state) {
  (void)state;
  decides(LOOP("int end = n + tid;", "for (int i = tid; i < end; i += 64)"), true);
  decides(LOOP("int end = n - tid;", "for (int i = tid; i < end; i += 64)"), false);
  decides(LOOP("int end = n + 2 * tid;", "for (int i = tid; i < end; i += 64)"), false);
  decides(LOOP("", "for (int i = tid; i - tid < n; i += m)"), true);
  decides(LOOP("", "for (int i = tid; i - tid < n; i += 64 + tid)"), false);
  decides(LOOP("int at = blockIdx.x * n + m + tid; const int stop = at - m;",
               "for (int i = at; stop < i; i -= 64)"), true);
}

static void test_pointers(void **state) {
  (void)state;
  decides(LOOP("int i = 0; const float *p = P + tid * n; const float *last = p + m;",
               "for (; p < last; p += 16)"), true);
  decides(LOOP("int i = 0; P += tid; const float *last = P + m;",
               "for (; P < last; P += 16)"), true);
  decides(LOOP("int i = 0; const float *last = P + m; P += tid;",
               "for (; P < last; P += 16)"), false);
  decides(LOOP("int i = 0; const float *p = P + tid * n; const float *last = p + tid;",
               "for (; p < last; p += 16)"), false);
}

/* A whole number of steps, of which each thread has a place in one. */
static void test_whole_steps(void **state) {
  (void)state;
  decides(LOOP("", "for (int i = tid; i < n / 64 * 64; i += 64)"), true);
  decides(LOOP("", "for (int i = tid; i <= n / 64 * 64 - 1; i += 64)"), true);
  decides(LOOP("", "for (int i = tid; i < n / 64 * 64 + 1; i += 64)"), false);
  decides(LOOP("", "for (int i = tid; i < n / 64 * 64; i += 32)"), false);
  decides(LOOP("", "for (int i = tid; i < (n & ~127); i += 64)"), true);
  decides(LOOP("", "for (int i = tid; i < (n & ~31); i += 64)"), false);
  decides(LOOP("", "for (int i = tid; i < n; i += 64)"), false);
  decides(LOOP("", "for (int i = tid % 32; i < n * 32; i += 32)"), true);
  decides(LOOP("", "for (int i = 2 * tid; i < n * 128; i += 128)"), true);
  decides(LOOP("", "for (int i = 3 * tid; i < n * 128; i += 128)"), false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_own_ends),
      cmocka_unit_test(test_pointers),
      cmocka_unit_test(test_whole_steps),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  return failed > 125 ? 125 : failed;
}
