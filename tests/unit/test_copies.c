/* test_copies.c - how each tile is filled: copies.c and split.c. */
#include "build_model.h"

#include <stdio.h>

#include <string.h>

/* A kernel whose load phase is `load`, in front of one use of each tile. */
#define FILL(load)                                                             \
  B_KERNEL("  for (int t = 0; t < n; ++t) {\n" load "    __syncthreads();\n"   \
           "    acc += As[ty][tx] + Bs[ty][tx];\n    __syncthreads();\n  }\n")

static void refused(const char *text, const char *id, const char *at) {
  built *b = b_passes(text, B_COPIES);
  b_refused(b_loop(b, 0), id, at);
  b_free(b);
}

/* The one loop of `text`, split. */
static built *split(const char *text) {
  built *b = b_passes(text, B_SPLIT);
  b_open(b_loop(b, 0));
  return b;
}

static void is_async(const pl_copy *copy, const char *id) {
  const char *found = copy->async_id;
  if (id ? !found || strcmp(found, id) != 0 : found != NULL)
    fail_msg("%s: %s, not %s", found ? found : "asynchronous",
             copy->async_why ? copy->async_why : "", id ? id : "asynchronous");
}

static void is_partial(const char *load, bool expected) {
  built *b = b_passes(load, B_COPIES);
  b_open(b_loop(b, 0));
  if (b_tile(b_loop(b, 0), "As")->partial != expected)
    fail_msg("tile As is %spartial in\n%s", expected ? "not " : "", load);
  b_free(b);
}

/* ---- what one copy is -----------------------------------------------------
 */

static void test_direct(void **state) {
  (void)state;
  built *b = split(FILL("As[ty][tx] = A[t];\n Bs[ty][tx] = __ldg(&B[t]);\n"));
  pl_loop *loop = b_loop(b, 0);
  assert_int_equal(loop->fill.ncopies, 2);
  pl_copy *as = b_copy(loop, "As");
  assert_int_equal(as->bytes, 4);
  assert_int_equal(as->slots, 1);
  assert_ptr_equal(as->load, as->src);
  assert_null(as->via);
  assert_int_equal(as->staging, PL_STAGE_VALUE);
  is_async(as, NULL);
  assert_non_null(b_copy(loop, "Bs")->load);
  is_async(b_copy(loop, "Bs"), NULL);
  assert_int_equal(loop->staging_bytes, 8);
  b_free(b);
}

static void test_through_a_local(void **state) {
  (void)state;
  built *b = split(FILL("float v = A[t];\n As[ty][tx] = v;\n"
                        "float w = B[t];\n w *= 2.0f;\n Bs[ty][tx] = w;\n"));
  pl_loop *loop = b_loop(b, 0);
  pl_copy *as = b_copy(loop, "As"), *bs = b_copy(loop, "Bs");
  assert_ptr_equal(as->via, b_decl(b, "v")->node);
  assert_non_null(as->load);
  is_async(as, NULL);
  assert_null(bs->load);
  is_async(bs, "PL5002");
  b_free(b);
}

static void test_guarded(void **state) {
  (void)state;
  built *b = split(FILL("As[ty][tx] = t < 3 ? A[t] : 0.0f;\n"
                        "Bs[ty][tx] = A[t] > 0.0f ? B[t] : 0.0f;\n"));
  pl_loop *loop = b_loop(b, 0);
  assert_int_equal(b_copy(loop, "As")->load->kind, PL_NODE_SUBSCRIPT);
  is_async(b_copy(loop, "As"), NULL);
  assert_null(b_copy(loop, "Bs")->load);
  b_free(b);
}

/* A value changed on the way: its loads are staged, so that nothing waits. */
static void test_computed(void **state) {
  (void)state;
  built *b = split(FILL("As[ty][tx] = A[t] * 2.0f + A[t + 1];\n"
                        "if (t < 3) Bs[ty][tx] = B[t];\n"
                        "else Bs[ty][tx] = 0.0f;\n"));
  pl_copy *as = b_copy(b_loop(b, 0), "As");
  is_async(as, "PL5002");
  assert_int_equal(as->nleaves, 2);
  assert_int_equal(as->staging, PL_STAGE_LEAVES);
  assert_int_equal(b_copy(b_loop(b, 0), "Bs[ty][tx] = 0")->staging,
                   PL_STAGE_NOTHING);
  assert_int_equal(b_loop(b, 0)->staging_bytes, 12);
  b_free(b);
}

/* A load that only a condition inside the value allows is not made alone. */
static void test_guarded_leaf(void **state) {
  (void)state;
  built *b = split(FILL("As[ty][tx] = t < 3 ? A[t] * 2.0f : 0.0f;\n"));
  pl_copy *as = b_copy(b_loop(b, 0), "As");
  assert_false(as->by_leaf);
  assert_int_equal(as->staging, PL_STAGE_VALUE);
  b_free(b);
}

/* ---- widths ---------------------------------------------------------------
 */

#define TYPED(type)                                                            \
  "__global__ void k(const " type " *A, " type " *__restrict__ C, int n) {\n"  \
  "  __shared__ " type " s[64];\n  int tx = threadIdx.x;\n"                    \
  "  for (int t = 0; t < n; ++t) {\n    s[tx] = A[t * 64 + tx];\n"             \
  "    __syncthreads();\n    C[tx] = s[63 - tx];\n    __syncthreads();\n  }\n" \
  "}\n"

static void width(const char *text, int64_t bytes, const char *async_id) {
  built *b = b_passes(text, B_SPLIT);
  pl_copy *copy = b_copy(b_loop(b, 0), "s[tx]");
  assert_int_equal(copy->bytes, bytes);
  is_async(copy, async_id);
  b_free(b);
}

static void test_widths(void **state) {
  (void)state;
  width(TYPED("char"), 1, "PL5001");
  width(TYPED("__half"), 2, "PL5001");
  width(TYPED("float"), 4, NULL);
  width(TYPED("double"), 8, NULL);
  width(TYPED("float4"), 16, NULL);
  width(TYPED("uint3"), 12, "PL5001");
}

static void test_conversion(void **state) {
  (void)state;
  built *b = b_passes("__global__ void k(const __half *A,\n"
                      "                  float *__restrict__ C, int n) {\n"
                      "__shared__ float s[64]; int tx = threadIdx.x;\n"
                      "for (int t = 0; t < n; ++t) { s[tx] = A[t];\n"
                      "__syncthreads(); C[tx] = s[0]; __syncthreads(); } }",
                      B_SPLIT);
  pl_copy *copy = b_copy(b_loop(b, 0), "s[tx]");
  is_async(copy, "PL5002");
  assert_int_equal(copy->staging, PL_STAGE_LEAVES);
  b_free(b);
}

static void test_not_copyable(void **state) {
  (void)state;
  built *b = b_read(TYPED("float2"));
  pl_type *type = (pl_type *)b_node(b, PL_NODE_SUBSCRIPT, "s[tx]")->type;
  type->is_trivially_copyable = false;
  b_run(b, B_SPLIT);
  is_async(b_copy(b_loop(b, 0), "s[tx]"), "PL5002");
  b_free(b);
  b = b_read(TYPED("float2"));
  type = (pl_type *)b_node(b, PL_NODE_SUBSCRIPT, "s[tx]")->type;
  type->align = 4;
  b_run(b, B_SPLIT);
  is_async(b_copy(b_loop(b, 0), "s[tx]"), "PL5004");
  b_free(b);
}

static void test_other_sources(void **state) {
  (void)state;
  built *b = split("__constant__ float c[64];\n" FILL(
      "As[ty][tx] = c[t];\n float v = A[0];\n A += TS;\n"
      "Bs[ty][tx] = v;\n"));
  is_async(b_copy(b_loop(b, 0), "As"), "PL5002");
  is_async(b_copy(b_loop(b, 0), "Bs"), "PL5002");
  b_free(b);
}

/* Text that a macro holds cannot be taken apart. */
static void test_macro_sources(void **state) {
  (void)state;
  built *b = b_read(FILL("As[ty][tx] = t < 3 ? A[t] : 0.0f;\n"
                         "float v = B[t];\n Bs[ty][tx] = v;\n"));
  b_node(b, PL_NODE_COND, "t < 3 ? A[t] : 0.0f")->op_range = (pl_range){0};
  b_decl(b, "v")->node->from_macro = true;
  b_run(b, B_SPLIT);
  is_async(b_copy(b_loop(b, 0), "As"), "PL5002");
  is_async(b_copy(b_loop(b, 0), "Bs"), "PL5002");
  b_free(b);
}

/* A tile that is touched as float4 keeps its stages aligned for that. */
static void test_wide(void **state) {
  (void)state;
  built *b = split(
      FILL("reinterpret_cast<float4 *>(&As[ty][0])[tx] ="
           " reinterpret_cast<const float4 *>(&A[t])[tx];\n Bs[ty][tx] = B[t];"
           "\n"));
  pl_loop *loop = b_loop(b, 0);
  assert_true(b_tile(loop, "As")->wide);
  assert_false(b_tile(loop, "Bs")->wide);
  assert_int_equal(b_copy(loop, "reinterpret_cast")->bytes, 16);
  is_async(b_copy(loop, "reinterpret_cast"), NULL);
  b_free(b);
}

/* ---- copy loops -----------------------------------------------------------
 */

static void slots(const built *b, const char *copy, int64_t expected) {
  assert_int_equal(b_copy(b_loop(b, 0), copy)->slots, expected);
}

static void test_copy_loops(void **state) {
  (void)state;
  built *b = split(FILL("for (int i = 0; i < TS; i += 4)\n"
                        "  for (int j = 1; j <= 3; j++)\n"
                        "    As[i][j] = A[t + i + j];\n"
                        "for (int i = tx; i < TS * 3 + 1; i += 32)\n"
                        "  Bs[0][i] = B[t + i];\n"));
  slots(b, "As", 12);
  slots(b, "Bs", 2);
  assert_int_equal(b_loop(b, 0)->fill.nloops, 3);
  assert_int_equal(b_loop(b, 0)->staging_bytes, 4 * 14);
  b_free(b);
}

static const char by_block[] =
    "__global__ void k(const float *A, float *__restrict__ C, int n) {\n"
    "__shared__ float s[256]; int tx = threadIdx.x;\n"
    "for (int t = 0; t < n; ++t) {\n"
    "for (int i = tx; i < 256; i += blockDim.x) s[i] = A[t + i];\n"
    "__syncthreads(); C[tx] = s[255 - tx]; __syncthreads(); } }";

static void block_slots(built *b, int64_t expected) {
  b_run(b, B_SPLIT);
  slots(b, "s[i]", expected);
  assert_null(b_loop(b, 0)->ldg_id);
  assert_true(b_loop(b, 0)->fill.loops[0].assumed);
  b_free(b);
}

/* The stride blockDim.x counts as the file, or the user, says; else 256. */
static void test_block_size(void **state) {
  (void)state;
  block_slots(b_read(by_block), 1);
  built *b = b_read(by_block);
  b->options.block_threads = 64;
  block_slots(b, 4);
  b = b_read(by_block);
  b_func(b, "k")->launch_bounds = 128;
  block_slots(b, 2);
  b = b_read(by_block);
  b_launch(b, "k", 256, 0);
  block_slots(b, 1);
}

/* Whether a thread's first index is seen to be below the step. */
static void starts_below(const char *start, int bounds, bool expected) {
  char text[640];
  snprintf(text, sizeof text,
           "__global__ void k(const float *A, float *__restrict__ C, int n) {\n"
           "__shared__ float s[256]; int tx = threadIdx.x; int row = tx / 32;\n"
           "for (int t = 0; t < n; ++t) {\n"
           "for (int i = %s; i < 256; i += 4) s[i] = A[t + i];\n"
           "__syncthreads(); C[tx] = s[255 - tx]; __syncthreads(); } }",
           start);
  built *b = b_read(text);
  b_func(b, "k")->launch_bounds = bounds;
  b_run(b, B_SPLIT);
  if (b_loop(b, 0)->fill.loops[0].below_step != expected)
    fail_msg("%s with %d threads", start, bounds);
  b_free(b);
}

static void test_start_below_step(void **state) {
  (void)state;
  starts_below("tx / 32", 128, true);
  starts_below("row", 128, true);
  starts_below("tx % 4", 0, true);
  starts_below("tx", 4, true);
  starts_below("tx / 32", 256, false);
  starts_below("tx / 32", 129, false);
  starts_below("row", 0, false);
  starts_below("tx % 8", 128, false);
  starts_below("n % 4", 128, false);
  starts_below("tx / 32 + 1", 128, false);
  starts_below("(tx - 8) / 32", 128, true); /* towards zero */
  starts_below("(tx - 40) / 32", 128, false);
}

static void test_uncountable_loops(void **state) {
  (void)state;
  built *b = split(FILL("for (int i = tx; i < n; i += 32) As[0][i] = A[t];\n"
                        "Bs[ty][tx] = B[t];\n"));
  slots(b, "As", 8);
  assert_true(b_loop(b, 0)->fill.loops[0].assumed);
  assert_null(b_loop(b, 0)->ldg_id);
  b_free(b);
  b = split(FILL("for (int i = ty; i < n; i += 8)\n"
                 "  for (int j = tx; j < n; j += 32) As[i][j] = A[t];\n"
                 "Bs[ty][tx] = B[t];\n"));
  slots(b, "As", 8);
  b_free(b);
  b = split(FILL("for (int i = tx; i < 64; i += n) As[0][i] = A[t];\n"
                 "Bs[ty][tx] = B[t];\n"));
  slots(b, "As", -1);
  assert_string_equal(b_loop(b, 0)->ldg_id, "PL6001");
  b_free(b);
  b = split(FILL("for (int i = n + tx; i < 2 * n; i += 32) As[0][i - n] = A[t];\n"
                 "Bs[ty][tx] = B[t];\n"));
  slots(b, "As", -1);
  b_free(b);
  b = split(FILL("int i = tx; while (i < 64) { As[0][i] = A[t]; i *= 2; }\n"
                 "Bs[ty][tx] = B[t];\n"));
  slots(b, "As", -1);
  b_free(b);
}

static void chain(const char *load, int64_t expected) {
  built *b = split(load);
  slots(b, "As", expected);
  if (expected >= 0 && b_loop(b, 0)->ldg_id)
    fail_msg("%s", b_loop(b, 0)->ldg_id);
  b_free(b);
}

static void test_chains(void **state) {
  (void)state;
  chain(FILL("int i = tx; while (i < 64) { As[0][i] = A[t]; i += 32; }\n"
             "Bs[ty][tx] = B[t];\n"), 2);
  chain(FILL("for (int i = tx;; i += 32) { if (i >= 96) break;\n"
             "  As[0][i] = A[t]; }\n Bs[ty][tx] = B[t];\n"), 3);
  chain(FILL("{ int i = tx; do { As[0][i] = A[t]; i += 32; } while (i < 64); }"
             "\n Bs[ty][tx] = B[t];\n"), 2);
  chain(FILL("int i = tx; while (i < 64) { if (tx > 9) { i += 64; continue; }\n"
             "  As[0][i] = A[t]; i += 32; }\n Bs[ty][tx] = B[t];\n"), -1);
  chain(FILL("int i = tx; do { if (i > 8) continue; As[0][i] = A[t]; i += 32;\n"
             "  } while (i < 64);\n Bs[ty][tx] = B[t];\n"), -1);
}

/* ---- are all cells written? -----------------------------------------------
 */

static void test_partial_tiles(void **state) {
  (void)state;
  is_partial(FILL("As[ty][tx] = A[t];\n"), false);
  is_partial(FILL("if (t + tx < n) As[ty][tx] = A[t];\n"), true);
  is_partial(FILL("if (t + tx < n) As[ty][tx] = A[t];\n"
                  "else As[ty][tx] = 0.0f;\n"),
             false);
  is_partial(FILL("As[ty][tx] = 0.0f;\n"
                  "if (t + tx < n) As[ty][tx] = A[t];\n"),
             false);
  is_partial(FILL("if (tx < 8) As[ty][tx] = A[t];\n"), false);
  is_partial(FILL("if (t + tx < n) As[ty][tx] = A[t];\n"
                  "else As[tx][ty] = 0.0f;\n"),
             true);
  is_partial(FILL("for (int i = 0; i < n - t; ++i) As[i][tx] = A[t];\n"), true);
}

static void test_stored_twice(void **state) {
  (void)state;
  built *b = split(FILL("As[ty][tx] = 0.0f;\n"
                        "if (t + tx < n) As[ty][tx] = A[t];\n"
                        "Bs[ty][tx] = B[t];\n"));
  assert_true(b_tile(b_loop(b, 0), "As")->stored_twice);
  assert_false(b_tile(b_loop(b, 0), "Bs")->stored_twice);
  b_free(b);
}

static void test_chained_stores(void **state) {
  (void)state;
  built *b = split(FILL("As[ty][tx] = Bs[ty][tx] = A[t];\n"));
  const pl_copy *copy = &b_loop(b, 0)->fill.copies[0];
  assert_int_equal(b_loop(b, 0)->fill.ncopies, 1);
  assert_ptr_equal(copy->last, copy->store->kids[1]);
  assert_ptr_equal(copy->src, copy->last->kids[1]);
  assert_string_equal(copy->async_id, "PL5002");
  b_free(b);
  b = split(FILL("As[ty][tx] = Bs[ty][tx] = 0.0f;\n"
                 "if (t + tx < n) As[ty][tx] = A[t];\n Bs[0][0] = B[t];\n"));
  assert_true(b_tile(b_loop(b, 0), "As")->stored_twice);
  b_free(b);
}

/* ---- what cannot be split -------------------------------------------------
 */

static void test_refused_stores(void **state) {
  (void)state;
  refused(FILL("float own; As[ty][tx] = own = A[t];\n Bs[ty][tx] = B[t];\n"),
          "PL4006", "As[ty][tx] = own = A[t];");
  refused(FILL("for (As[ty][tx] = A[t]; tx > 99;) { }\n"), "PL4006",
          "for (As[ty][tx] = A[t]; tx > 99;) { }");
  refused(FILL("As[ty][tx] = A[t], Bs[ty][tx] = B[t];\n"), "PL4006",
          "As[ty][tx] = A[t], Bs[ty][tx] = B[t];");
  built *b = b_read(FILL("As[ty][tx] = A[t];\n"));
  b_node(b, PL_NODE_ASSIGN, "As[ty][tx] = A[t];")->op_range = (pl_range){0};
  b_run(b, B_COPIES);
  b_refused(b_loop(b, 0), "PL1003", "As[ty][tx] = A[t];");
  b_free(b);
}

static void cannot_split(const char *load, const char *id) {
  built *b = split(load);
  const char *found = b_loop(b, 0)->ldg_id;
  if (!found || strcmp(found, id) != 0)
    fail_msg("%s, not %s", found ? found : "splits", id);
  b_free(b);
}

static void test_replay(void **state) {
  (void)state;
  cannot_split(FILL("for (int i = tx; i < (int)A[t]; i += 32)\n"
                    "  As[0][i] = A[t];\n Bs[ty][tx] = B[t];\n"),
               "PL4006");
  cannot_split(FILL("{ float g; g = A[t]; if (g > 0.0f) As[ty][tx] = B[t];\n"
                    "  else As[ty][tx] = 1.0f; }\n"),
               "PL4006");
  cannot_split(FILL("if (A[t] > 0.0f) As[ty][tx] = B[t];\n"
                    "else As[ty][tx] = 1.0f;\n"),
               "PL4006");
  cannot_split(FILL("int i = (int)A[tx];\n As[ty][i] = A[t];\n i += 1;\n"
                    "Bs[ty][i] = B[t];\n"),
               "PL4006");
  built *b = split(FILL("int i = tx;\n As[ty][i] = A[t];\n i += 1;\n"
                        "Bs[ty][i] = B[t];\n"));
  assert_null(b_loop(b, 0)->ldg_id);
  b_free(b);
  b = split(FILL("int i = tx + 1;\n As[ty][i] = A[t];\n"
                        "Bs[ty][i] = B[t];\n"));
  assert_null(b_loop(b, 0)->ldg_id);
  b_free(b);
}

/* ---- load helpers ---------------------------------------------------------
 */

#define HELPER(body, call)                                                     \
  "__device__ void fill(float (&to)[64], const float *from, int i) {\n" body   \
  "}\n"                                                                        \
  "__global__ void k(const float *A, float *__restrict__ C, int n) {\n"        \
  "  __shared__ float s[64];\n  int tx = threadIdx.x;\n"                       \
  "  for (int t = 0; t < n; ++t) {\n    " call                                 \
  "\n    __syncthreads();\n    C[tx] = s[63 - tx];\n    __syncthreads();\n"    \
  "  }\n}\n"

#define CALL "fill(s, A + t * 64, tx);"

static void helper_cannot_split(const char *text, const char *id) {
  built *b = split(text);
  assert_non_null(b_loop(b, 0)->ldg_id);
  assert_string_equal(b_loop(b, 0)->ldg_id, id);
  b_free(b);
}

static void test_helpers(void **state) {
  (void)state;
  built *b = split(HELPER("to[i] = from[i];\n", CALL));
  pl_loop *loop = b_loop(b, 0), *body = pl_helper_body(loop, 0);
  assert_int_equal(loop->fill.ncopies, 0);
  assert_int_equal(loop->fill.ncalls, 1);
  assert_int_equal(body->fill.ncopies, 1);
  assert_int_equal(body->fill.copies[0].bytes, 4);
  assert_int_equal(loop->staging_bytes, 4);
  assert_null(pl_helper_body(loop, 1));
  b_free(b);
}

/* Calls in branches and loops keep their registers apart. */
static void test_helpers_inside_statements(void **state) {
  (void)state;
  built *b = split(HELPER("to[i] = from[i];\n", "if (n > 3) " CALL));
  assert_null(b_loop(b, 0)->ldg_id);
  assert_int_equal(b_loop(b, 0)->staging_bytes, 4);
  b_free(b);
  b = split(HELPER("to[i] = from[i];\n",
                   "for (int j = 0; j < 64; j += 16) "
                   "fill(s, A + t * 64, j + tx);"));
  assert_null(b_loop(b, 0)->ldg_id);
  assert_int_equal(b_loop(b, 0)->staging_bytes, 16);
  assert_false(b_tile(b_loop(b, 0), "s")->partial);
  b_free(b);
  b = split(HELPER("to[i] = from[i];\n",
                   "for (int j = t; j < 64; j += 16) "
                   "fill(s, A + t * 64, j + tx);"));
  assert_true(b_tile(b_loop(b, 0), "s")->partial);
  b_free(b);
  b = split(HELPER("to[i] = from[i];\n", CALL " s[0] = 1.0f;"));
  assert_true(b_tile(b_loop(b, 0), "s")->stored_twice);
  b_free(b);
}

static void test_helpers_that_do_not_split(void **state) {
  (void)state;
  helper_cannot_split(HELPER("if (from[0] > 0.0f) to[i] = from[i];\n", CALL),
                      "PL4006");
  helper_cannot_split(
      HELPER("to[i] = from[0];\n", "fill(s, A + t, (int)A[t]);"), "PL4006");
  built *b = split(HELPER("to[i] = from[i];\n", "fill(s, A + (int)A[t], tx);"));
  assert_null(b_loop(b, 0)->ldg_id);
  b_free(b);
  helper_cannot_split(HELPER("to[i] = from[i];\n", "if (A[t] > 3.0f) " CALL),
                      "PL4006");
  refused(HELPER("to[i] = from[i];\n if (i) return;\n", CALL), "PL4006", CALL);
  b = b_read(HELPER("to[i] = from[i];\n", CALL));
  b_func(b, "fill")->in_main = false;
  b_run(b, B_COPIES);
  b_refused(b_loop(b, 0), "PL4006", CALL);
  b_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_direct),
      cmocka_unit_test(test_through_a_local),
      cmocka_unit_test(test_guarded),
      cmocka_unit_test(test_computed),
      cmocka_unit_test(test_guarded_leaf),
      cmocka_unit_test(test_widths),
      cmocka_unit_test(test_conversion),
      cmocka_unit_test(test_not_copyable),
      cmocka_unit_test(test_other_sources),
      cmocka_unit_test(test_macro_sources),
      cmocka_unit_test(test_wide),
      cmocka_unit_test(test_copy_loops),
      cmocka_unit_test(test_block_size),
      cmocka_unit_test(test_start_below_step),
      cmocka_unit_test(test_uncountable_loops),
      cmocka_unit_test(test_chains),
      cmocka_unit_test(test_partial_tiles),
      cmocka_unit_test(test_stored_twice),
      cmocka_unit_test(test_chained_stores),
      cmocka_unit_test(test_refused_stores),
      cmocka_unit_test(test_replay),
      cmocka_unit_test(test_helpers),
      cmocka_unit_test(test_helpers_inside_statements),
      cmocka_unit_test(test_helpers_that_do_not_split)};
  return cmocka_run_group_tests(tests, NULL, NULL) ? 1 : 0;
}
