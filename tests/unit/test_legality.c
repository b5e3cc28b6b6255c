/* test_legality.c - may the load side run ahead? */
#include "build_model.h"
#include "legality_parts.h"

#include <string.h>

/* A kernel that stores to C inside the loop; `params` are its pointers. */
#define STORING(params, store)                                                 \
  "__device__ float table[64];\n"                                              \
  "__global__ void k(" params ", int n) {\n"                                   \
  "  __shared__ float s[64];\n  float own[4];\n"                               \
  "  int tx = threadIdx.x;\n  own[0] = 0.0f;\n"                                \
  "  for (int t = 0; t < n; ++t) {\n    s[tx] = A[t * 64 + tx];\n"             \
  "    __syncthreads();\n    " store "\n    __syncthreads();\n  }\n}\n"

/* A loop over two tiles with more in one of its phases. */
#define PHASES(load, compute)                                                  \
  B_KERNEL("  for (int t = 0; t < n; ++t) {\n    As[ty][tx] = A[t];\n" load    \
           "\n    __syncthreads();\n    acc += As[tx][ty];\n" compute          \
           "\n    __syncthreads();\n  }\n")

static void refused(const char *text, const char *id, const char *at) {
  built *b = b_passes(text, B_LEGALITY);
  b_refused(b_loop(b, 0), id, at);
  b_free(b);
}

static void accepted(const char *text) {
  built *b = b_passes(text, B_LEGALITY);
  b_open(b_loop(b, 0));
  b_free(b);
}

/* ---- memory ---------------------------------------------------------------
 */

static void test_same_pointer(void **state) {
  (void)state;
  built *b = b_passes(STORING("float *A", "A[tx] = s[0];"), B_LEGALITY);
  pl_loop *loop = b_loop(b, 0);
  b_refused(loop, "PL4003", "A[tx]");
  assert_true(loop->certain);
  assert_int_equal(loop->nnotes, 1);
  b_free(b);
}

static void test_may_alias(void **state) {
  (void)state;
  built *b = b_passes(STORING("const float *A, float *C", "C[tx] = s[0];"),
                      B_LEGALITY);
  pl_loop *loop = b_loop(b, 0);
  b_refused(loop, "PL4002", "C[tx]");
  assert_false(loop->certain);
  assert_int_equal(loop->nnotes, 2);
  assert_non_null(strstr(loop->notes[1].message, "__restrict__"));
  b_free(b);
}

/* [C11 6.7.3.1] One of the two being restrict is enough. */
static void test_apart(void **state) {
  (void)state;
  accepted(STORING("const float *A, float *__restrict__ C", "C[tx] = s[0];"));
  accepted(STORING("const float *__restrict__ A, float *C", "C[tx] = s[0];"));
  accepted(STORING("const float *A", "own[n] = s[0];"));
  refused(STORING("const float *A", "table[tx] = s[0];"), "PL4002",
          "table[tx]");
}

static void test_assumed_apart(void **state) {
  (void)state;
  built *b = b_read(STORING("const float *A, float *C", "C[tx] = s[0];"));
  b->options.assume_no_alias = true;
  b_run(b, B_LEGALITY);
  b_open(b_loop(b, 0));
  b_free(b);
  b = b_read(STORING("float *A", "A[tx] = s[0];"));
  b->options.assume_no_alias = true;
  b_run(b, B_LEGALITY);
  b_refused(b_loop(b, 0), "PL4003", "A[tx]");
  b_free(b);
}

static void test_unseen_and_atomic(void **state) {
  (void)state;
  refused("__device__ void hidden(int i);\n" STORING("const float *A",
                                                     "hidden(tx);"),
          "PL4004", "hidden(tx);");
  refused(STORING("const float *A, float *__restrict__ C",
                  "{ float old = atomicAdd(&C[tx], s[0]); }"),
          "PL2009", "atomicAdd(&C[tx], s[0])");
  refused(STORING("const float *A, float *C", "atomicAdd(&C[tx], s[0]);"),
          "PL4002", "atomicAdd(&C[tx], s[0]);");
  accepted(STORING("const float *A, float *__restrict__ C",
                   "atomicAdd(&C[tx], s[0]);"));
}

/* ---- the trip count -------------------------------------------------------
 */

#define COUNTED(before, header)                                                \
  B_KERNEL(before "  " header " {\n    As[ty][tx] = A[n];\n"                   \
                  "    __syncthreads();\n    acc += As[tx][ty];\n"             \
                  "    __syncthreads();\n  }\n")

static void test_uniform_trip_count(void **state) {
  (void)state;
  accepted(
      COUNTED("int e = n * 2;", "for (int t = blockIdx.x; t < e; t += 4)"));
  accepted(COUNTED("", "for (int t = tx; t < n; t += 64)"));
  refused(COUNTED("int e = tx + n;", "for (int t = 0; t < e; ++t)"), "PL2002",
          "t < e");
  refused(COUNTED("int e = (int)A[tx];", "for (int t = 0; t < e; ++t)"),
          "PL2002", "t < e");
  refused(COUNTED("", "for (int t = 0; t < n + (int)threadIdx.x; ++t)"),
          "PL2002", "t < n + (int)threadIdx.x");
  refused(COUNTED("int e = n; if (tx > 3) e = 4;", "for (int t = 0; t < e; ++t)"),
          "PL2002", "t < e");
  refused(COUNTED("", "for (int t = 0; t < n; t += 1 + tx / 8)"), "PL2002",
          "t < n");
  accepted(COUNTED("int e = n; if (blockIdx.x > 3) e = 4;",
                   "for (int t = 0; t < e; ++t)"));
}

static void test_condition_memory(void **state) {
  (void)state;
  refused("__global__ void k(const float *__restrict__ A, int *n) {\n"
          "__shared__ float s[64]; int tx = threadIdx.x;\n"
          "for (int t = 0; t < *n; ++t) { s[tx] = A[t]; __syncthreads();\n"
          "n[1] = (int)s[0]; __syncthreads(); } }",
          "PL2005", "t < *n");
  refused("__global__ void k(const float *__restrict__ A, int n) {\n"
          "__shared__ float s[64]; __shared__ int left;\n"
          "int tx = threadIdx.x;\n"
          "for (int t = 0; t < left; ++t) { s[tx] = A[t]; __syncthreads();\n"
          "left = (int)s[0]; __syncthreads(); } }",
          "PL2005", "t < left");
}

/* ---- phases ---------------------------------------------------------------
 */

/* With one buffer compute changes the tile where it always did. */
static void test_written_in_compute(void **state) {
  (void)state;
  accepted(PHASES("", "As[ty][tx] *= 2.0f;"));
  refused(B_KERNEL("  for (int t = 0; t < n; ++t) {\n    Bs[ty][tx] = acc;\n"
                   "    As[ty][tx] = 0.0f;\n    __syncthreads();\n"
                   "    As[tx][ty] = A[t];\n    __syncthreads();\n"
                   "    acc += As[ty][0];\n    __syncthreads();\n  }\n"),
          "PL3001", "As[ty][tx]");
}

static void test_missing_barrier(void **state) {
  (void)state;
  refused(PHASES("acc += As[tx][ty];", ""), "PL2008", "As[tx][ty]");
  refused(PHASES("acc += As[ty][tx];", ""), "PL3002", "As[ty][tx]");
}

static void test_other_shared(void **state) {
  (void)state;
  refused(PHASES("acc += Bs[ty][tx];", "Bs[tx][ty] = acc;"), "PL3008",
          "Bs[ty][tx]");
}

static void test_load_phase_effects(void **state) {
  (void)state;
  refused(PHASES("printf(\"x\");", ""), "PL4005", "printf(\"x\");");
  refused(PHASES("C[t] = 1.0f;", ""), "PL4005", "C[t]");
  refused(PHASES("asm volatile(\"prefetch.global.L2 [%0];\" :: \"l\"(A) : "
                 "\"memory\");",
                 ""),
          "PL2010",
          "asm volatile(\"prefetch.global.L2 [%0];\" :: \"l\"(A) : "
          "\"memory\");");
  accepted(PHASES("acc *= 0.5f;", ""));
}

/* The same inside the statements that fill a tile. */
static void test_filling_statements(void **state) {
  (void)state;
#define FILLING(extra)                                                         \
  B_KERNEL("  for (int t = 0; t < n; ++t) {\n"                                 \
           "    if (tx < 8) { " extra " As[ty][tx] = A[t]; }\n"                \
           "    __syncthreads();\n    acc += As[tx][ty];\n"                    \
           "    __syncthreads();\n  }\n")
  refused(FILLING("printf(\"x\");"), "PL4005", "printf(\"x\");");
  refused(FILLING("atomicAdd(&C[0], 1.0f);"), "PL4005",
          "atomicAdd(&C[0], 1.0f);");
  refused(FILLING("C[t] = 1.0f;"), "PL4005", "C[t]");
  refused(FILLING("asm volatile(\"\" ::: \"memory\");"), "PL2010",
          "asm volatile(\"\" ::: \"memory\");");
#undef FILLING
}

static void test_barrier_in_helper(void **state) {
  (void)state;
  refused("__device__ void fill(float *to, const float *from, int i) {\n"
          "  to[i] = from[i];\n  __syncthreads();\n  i += 1;\n}\n"
          "__global__ void k(const float *__restrict__ A,\n"
          "                  float *__restrict__ C, int n) {\n"
          "  __shared__ float s[64];\n  int tx = threadIdx.x;\n"
          "  for (int t = 0; t < n; ++t) {\n    fill(s, A, tx);\n"
          "    __syncthreads();\n    C[tx] = s[0];\n    __syncthreads();\n"
          "  }\n}\n",
          "PL2006", "fill(s, A, tx);");
}

static void test_read_before_fill(void **state) {
  (void)state;
  refused(B_KERNEL("  for (int t = 0; t < n; ++t) {\n    acc += As[ty][0];\n"
                   "    As[ty][tx] = A[t];\n    __syncthreads();\n"
                   "    acc += As[tx][ty];\n    __syncthreads();\n  }\n"),
          "PL3002", "As[ty][0]");
}

static void test_assembly_in_compute(void **state) {
  (void)state;
  refused(PHASES("", "asm volatile(\"\" ::: \"memory\");"), "PL2009",
          "asm volatile(\"\" ::: \"memory\");");
  accepted(PHASES("", "asm volatile(\"mov.f32 %0, 1.0;\" : \"=f\"(acc));"));
}

/* ---- names ----------------------------------------------------------------
 */

/* A pointer that something else may set can point anywhere. */
static void test_loads_that_are_lost(void **state) {
  (void)state;
  refused(B_KERNEL("  const float *q = A;\n  const float *&r = q;\n"
                   "  for (int t = 0; t < n; ++t) {\n    As[ty][tx] = q[t];\n"
                   "    __syncthreads();\n    acc += As[tx][ty];\n"
                   "    __syncthreads();\n  }\n"),
          "PL4001", "q[t]");
  refused(B_KERNEL("  asm(\"mov.b64 %0, %1;\" : \"=l\"(A) : \"l\"(C));\n"
                   "  for (int t = 0; t < n; ++t) {\n    As[ty][tx] = A[t];\n"
                   "    __syncthreads();\n    acc += As[tx][ty];\n"
                   "    __syncthreads();\n  }\n"),
          "PL4001", "A[t]");
}

/* A pointer that is only read, by assembly or in a lambda, stays what it was. */
static void test_loads_that_are_kept(void **state) {
  (void)state;
  accepted(PHASES("", "asm volatile(\"prefetch.global.L2 [%0];\" :: \"l\"(A));"));
  accepted(PHASES("", "float f = [&]() { return A[0]; };"));
  refused(PHASES("", "float f = [&q = A]() { q = B; return A[0]; };"),
          "PL4001", "A[t]");
}

static void test_escape(void **state) {
  (void)state;
  refused("__device__ void hidden(float *p);\n" STORING("const float *A",
                                                        "hidden(s);"),
          "PL3007", "s");
  refused("__global__ void k(const float *__restrict__ A, float **P, int n) {\n"
          "__shared__ float s[64]; int tx = threadIdx.x; float acc = 0.0f;\n"
          "for (int t = 0; t < n; ++t) { s[tx] = A[t]; __syncthreads();\n"
          "acc += s[0]; __syncthreads(); }\nP[0] = s; }",
          "PL3007", "P[0] = s;");
}

static void test_recurrence_seen_elsewhere(void **state) {
  (void)state;
  refused(B_KERNEL("  int t = 0;\n  int *p = &t;\n  while (t < n) {\n"
                   "    As[ty][tx] = A[t];\n    __syncthreads();\n"
                   "    acc += As[tx][ty] + *p;\n    __syncthreads();\n"
                   "    t += 1;\n  }\n"),
          "PL3009", "int *p = &t");
}

static void test_fixed_names(void **state) {
  (void)state;
  built *b =
      b_passes(PHASES("", "float f = [=]() { return As[0][0]; };"), B_LEGALITY);
  assert_true(b_tile(b_loop(b, 0), "As")->fixed);
  b_free(b);
  b = b_passes(PHASES("", "float f = [&]() { return As[0][0]; };"), B_LEGALITY);
  assert_false(b_tile(b_loop(b, 0), "As")->fixed);
  b_free(b);
  b = b_passes(PHASES("", "acc += sizeof(decltype(As));"), B_LEGALITY);
  assert_true(b_tile(b_loop(b, 0), "As")->fixed);
  b_free(b);
}

static void test_uses_outside(void **state) {
  (void)state;
  built *b = b_passes(B_KERNEL("  Bs[ty][tx] = 0.0f;\n" B_LOOP(
                          B_COMPUTE) "  acc += As[0][0];\n"),
                      B_LEGALITY);
  pl_tile *as = b_tile(b_loop(b, 0), "As"), *bs = b_tile(b_loop(b, 0), "Bs");
  assert_true(as->used_outside && !as->prefilled);
  assert_true(bs->used_outside && bs->prefilled);
  pl_str at = pl_unit_slice(b->unit, bs->prefilled_at->range);
  assert_true(pl_str_is(at, "Bs[ty][tx] = 0.0f;"));
  b_free(b);
  b = b_passes(B_KERNEL(B_LOOP(B_COMPUTE)), B_LEGALITY);
  assert_false(b_tile(b_loop(b, 0), "As")->used_outside);
  b_free(b);
}

/* ---- what decides a tile's size -------------------------------------------
 */

static void test_tile_declarations(void **state) {
  (void)state;
  refused("#define TS 16\n"
          "#define TS 16\n" B_KERNEL(B_LOOP(B_COMPUTE)),
          "PL1004", "__shared__ float As[TS][TS]");
  built *b = b_read(B_KERNEL(B_LOOP(B_COMPUTE)));
  b_decl(b, "Bs")->from_macro = true;
  b_run(b, B_LEGALITY);
  b_refused(b_loop(b, 0), "PL1003", "__shared__ float Bs[TS][TS]");
  b_free(b);
}

/* ---- the table of rules ---------------------------------------------------- */

/* Each of a row's IDs is a reason that has a page. */
static void check_ids(const char *ids) {
  for (const char *at = ids; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
    char id[8] = {0};
    memcpy(id, at, strcspn(at, " ") < 7 ? strcspn(at, " ") : 7);
    assert_non_null(pl_reason_find(id));
    assert_non_null(pl_reason_find(id)->page);
  }
}

static void test_rules_are_complete(void **state) {
  (void)state;
  size_t n;
  const pl_rule *rules = pl_rules(&n);
  assert_true(n > 10);
  for (size_t i = 0; i < n; i++) {
    assert_true(!rules[i].check == !*rules[i].ids);
    assert_true(!rules[i].check != !rules[i].find);
    assert_int_equal(rules[i].question[strlen(rules[i].question) - 1], '?');
    check_ids(rules[i].ids);
    for (size_t k = 0; k < i; k++)
      assert_string_not_equal(rules[i].name, rules[k].name);
  }
}

/* A rule asked by itself refuses for one of its own reasons, as all of them do. */
static void test_rule_by_itself(void **state) {
  (void)state;
  built *b = b_passes(PHASES("", "asm volatile(\"\" ::: \"memory\");"),
                      B_COPIES);
  size_t n, refusing = 0;
  const pl_rule *rules = pl_rules(&n);
  for (size_t i = 0; i < n && !b_loop(b, 0)->settled; i++) {
    if (!rules[i].check || rules[i].check(b_loop(b, 0)))
      continue;
    refusing++;
    assert_non_null(strstr(rules[i].ids, b_loop(b, 0)->id));
  }
  assert_int_equal(refusing, 1);
  b_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rules_are_complete),
      cmocka_unit_test(test_rule_by_itself),
      cmocka_unit_test(test_same_pointer),
      cmocka_unit_test(test_may_alias),
      cmocka_unit_test(test_apart),
      cmocka_unit_test(test_assumed_apart),
      cmocka_unit_test(test_unseen_and_atomic),
      cmocka_unit_test(test_uniform_trip_count),
      cmocka_unit_test(test_condition_memory),
      cmocka_unit_test(test_written_in_compute),
      cmocka_unit_test(test_missing_barrier),
      cmocka_unit_test(test_other_shared),
      cmocka_unit_test(test_load_phase_effects),
      cmocka_unit_test(test_filling_statements),
      cmocka_unit_test(test_barrier_in_helper),
      cmocka_unit_test(test_read_before_fill),
      cmocka_unit_test(test_assembly_in_compute),
      cmocka_unit_test(test_loads_that_are_lost),
      cmocka_unit_test(test_loads_that_are_kept),
      cmocka_unit_test(test_escape),
      cmocka_unit_test(test_recurrence_seen_elsewhere),
      cmocka_unit_test(test_fixed_names),
      cmocka_unit_test(test_uses_outside),
      cmocka_unit_test(test_tile_declarations)};
  return cmocka_run_group_tests(tests, NULL, NULL) ? 1 : 0;
}
