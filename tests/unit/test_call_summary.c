/* test_call_summary.c - what is known of a call by what it calls. */
#include "parsed_body.h"

#include "call_summary.h"

#define K "__global__ void k(int n, int *p, float *q)"

static pl_node *first_call(const graph *t, const char *text) {
  return node_at(t, PL_NODE_CALL, text);
}

static bool has_effect(const graph *t, const char *text, pl_effect_kind kind) {
  pl_effects effects = {0};
  pl_effects_of(pl_effect_context_new(t->unit), t->func, first_call(t, text),
                &effects);
  return pl_effects_find(&effects, kind) != NULL;
}

static void is_row(const graph *t, const char *text, const char *name) {
  assert_string_equal(pl_builtin_of(first_call(t, text))->name, name);
}

/* ---- functions of the toolkit --------------------------------------------- */

static void test_rows(void **state) {
  (void)state;
  graph t = parse(K, "q[0] = __ldg(q + 1); q[1] = __ldcg(q + 1);\n"
                          "n = min(n, 3); n = ::max(n, 4);\n"
                          "n = __shfl_sync(~0u, n, 0);\n"
                          "n = __shfl_down_sync(~0u, n, 1);\n"
                          "n = atomicAdd(p, 1); n = atomicAdd_block(p, 1);\n"
                          "n = __syncthreads_count(n); printf(\"%d\", n);");
  is_row(&t, "__ldg", "__ldg");
  is_row(&t, "min", "min");
  is_row(&t, "::max", "max");
  is_row(&t, "__shfl_sync", "__shfl_sync");
  is_row(&t, "__shfl_down_sync", "__shfl*");
  is_row(&t, "atomicAdd(", "atomicAdd");
  is_row(&t, "atomicAdd_block", "atomic*");
  is_row(&t, "printf", "printf");
  assert_true(pl_is_load_call(first_call(&t, "__ldcg")));
  assert_false(pl_is_load_call(first_call(&t, "min")));
  assert_int_equal(pl_builtin_of(first_call(&t, "__syncthreads_count"))->differs,
                   PL_DIFFERS_BLOCK);
  assert_true(has_effect(&t, "printf", PL_EFFECT_SIDE));
  assert_true(has_effect(&t, "__syncthreads_count", PL_EFFECT_SPECIAL_BARRIER));
}

/* A method's class says which row it has. */
static void test_scopes(void **state) {
  (void)state;
  graph t = parse("#include <cooperative_groups.h>\n"
                      "#include <cuda/atomic>\n"
                      "namespace cg = cooperative_groups;\n" K,
                      "cg::grid_group grid = cg::this_grid();\n"
                      "cg::thread_block block = cg::this_thread_block();\n"
                      "auto tile = cg::tiled_partition<32>(block);\n"
                      "cuda::atomic_ref<int> counter(*p);\n"
                      "grid.sync(); tile.sync(); block.sync();\n"
                      "n = counter.fetch_add(1); n = block.thread_rank();");
  assert_true(has_effect(&t, "grid.sync", PL_EFFECT_SPECIAL_BARRIER));
  assert_true(has_effect(&t, "tile.sync", PL_EFFECT_WARP_BARRIER));
  assert_true(has_effect(&t, "block.sync", PL_EFFECT_BARRIER));
  assert_true(has_effect(&t, "counter.fetch_add", PL_EFFECT_FENCE));
  assert_int_equal(pl_builtin_of(first_call(&t, "counter.fetch_add"))->differs,
                   PL_DIFFERS_THREAD);
  assert_int_equal(pl_builtin_of(first_call(&t, "block.thread_rank"))->differs,
                   PL_DIFFERS_PLACE);
}

/* A function of the user's has no row, whatever it is called. */
static void test_namesakes(void **state) {
  (void)state;
  graph t = parse("__device__ void sync(float *p);\n"
                      "__device__ int shfl(int value, int lane);\n"
                      "__device__ float min(float a, const float *b);\n"
                      "namespace grid { __device__ void sync(int *p); }\n"
                      "struct pipeline { __device__ void step(float *p); };\n" K,
                      "pipeline mine; sync(q); n = shfl(n, 0); q[0] = min(1.f, q);\n"
                      "grid::sync(p); mine.step(q);");
  static const char *const calls[] = {"sync(q)", "shfl", "min", "grid::sync",
                                      "mine.step"};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
    is_row(&t, calls[i], "");
    assert_true(has_effect(&t, calls[i], PL_EFFECT_UNSEEN));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows), cmocka_unit_test(test_scopes),
      cmocka_unit_test(test_namesakes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
