/* test_slices.c - what runs ahead, what stays, what both sides need. */
#include "build_model.h"

#include <string.h>

static void refused(const char *text, const char *id, const char *at) {
  built *b = b_passes(text, B_SLICES);
  b_refused(b_loop(b, 0), id, at);
  b_free(b);
}

static void settled(const char *text, pl_verdict verdict, const char *id,
                    const char *at) {
  built *b = b_passes(text, B_SLICES);
  b_expect(b_loop(b, 0), verdict, id, at);
  b_free(b);
}

static void accepted(const char *text) {
  built *b = b_passes(text, B_SLICES);
  b_open(b_loop(b, 0));
  b_free(b);
}

/* "load compute fills advance", as they apply. */
static void sides(const pl_loop *loop, const char *stmt, const char *expected) {
  const pl_stmt *s = b_stmt(loop, stmt);
  char found[64] = "";
  if (s->in_load)
    strcat(found, "load ");
  if (s->in_compute)
    strcat(found, "compute ");
  if (s->fills)
    strcat(found, "fills ");
  if (s->is_advance)
    strcat(found, "advance ");
  if (found[0])
    found[strlen(found) - 1] = '\0';
  if (strcmp(found, expected) != 0)
    fail_msg("'%s' is '%s', not '%s'", stmt, found, expected);
}

static const pl_recurrence *recurrence(const built *b, const pl_loop *loop,
                                       const char *name) {
  pl_recurrence *r = pl_loop_recurrence(loop, b_decl(b, name));
  if (!r)
    fail_msg("'%s' is no recurrence", name);
  return r;
}

/* A loop over t with one tile; `load` and `compute` are its phases. */
#define PHASES(load, compute)                                                  \
  "  for (int t = 0; t < n; ++t) {\n" load "    __syncthreads();\n" compute    \
  "    __syncthreads();\n  }\n"

/* ---- slices ---------------------------------------------------------------
 */

static void test_plain_gemm(void **state) {
  (void)state;
  built *b = b_passes(B_KERNEL(B_LOOP(B_COMPUTE)), B_SLICES);
  pl_loop *loop = b_loop(b, 0);
  b_open(loop);
  assert_int_equal(loop->ntiles, 2);
  assert_int_equal(loop->load_phase, 0);
  sides(loop, "As[ty][tx]", "load fills");
  sides(loop, "Bs[ty][tx]", "load fills");
  sides(loop, "for (int i", "compute");
  const pl_recurrence *t = recurrence(b, loop, "t");
  assert_true(t->in_header);
  assert_int_equal(t->stmt, -1);
  assert_false(t->compute_needs);
  assert_int_equal(loop->nrecurrences, 1);
  assert_false(loop->barrier_first);
  assert_true(loop->barrier_last);
  b_free(b);
}

/* A pure value that both sides need is computed by both. */
static void test_shared_values(void **state) {
  (void)state;
  built *b = b_passes(
      B_KERNEL(PHASES("int base = t * TS;\n As[ty][tx] = A[base + tx];\n",
                      "acc += As[ty][tx] * base;\n")),
      B_SLICES);
  pl_loop *loop = b_loop(b, 0);
  b_open(loop);
  sides(loop, "int base", "load compute");
  sides(loop, "As[ty][tx] =", "load fills");
  sides(loop, "acc +=", "compute");
  assert_true(recurrence(b, loop, "t")->compute_needs);
  b_free(b);
}

/* What only compute uses stays, wherever it stands. */
static void test_compute_in_front(void **state) {
  (void)state;
  built *b = b_passes(B_KERNEL(PHASES("float half = acc * 0.5f;\n"
                                      "As[ty][tx] = A[t];\n",
                                      "acc = half + As[ty][0];\n")),
                      B_SLICES);
  pl_loop *loop = b_loop(b, 0);
  sides(loop, "float half", "compute");
  sides(loop, "As[ty][tx]", "load fills");
  b_free(b);
}

static void test_value_through_locals(void **state) {
  (void)state;
  built *b = b_passes(B_KERNEL(PHASES("float v = A[t];\n v = v * 2.0f;\n"
                                      "As[ty][tx] = v;\n",
                                      "acc += As[ty][0];\n")),
                      B_SLICES);
  pl_loop *loop = b_loop(b, 0);
  b_open(loop);
  sides(loop, "float v", "load");
  sides(loop, "v = v", "load");
  b_free(b);
}

/* ---- recurrences ----------------------------------------------------------
 */

static void test_pointer_bumps(void **state) {
  (void)state;
  built *b = b_passes(B_KERNEL(PHASES("As[ty][tx] = A[tx];\n A += TS;\n"
                                      "B += TS * n;\n",
                                      "acc += As[ty][0] * B[tx];\n")),
                      B_SLICES);
  pl_loop *loop = b_loop(b, 0);
  b_open(loop);
  sides(loop, "A += TS", "load advance");
  sides(loop, "B += TS * n", "compute");
  assert_false(recurrence(b, loop, "A")->compute_needs);
  assert_false(recurrence(b, loop, "A")->in_header);
  assert_null(pl_loop_recurrence(loop, b_decl(b, "B")));
  b_free(b);
}

static void test_several_in_header(void **state) {
  (void)state;
  built *b = b_passes(
      B_KERNEL("  for (int a = 0, q = 8; a <= n; a += TS, q += TS * n) {\n"
               "    As[ty][tx] = A[a + q];\n    __syncthreads();\n"
               "    acc += As[ty][0];\n    __syncthreads();\n  }\n"),
      B_SLICES);
  pl_loop *loop = b_loop(b, 0);
  b_open(loop);
  assert_int_equal(loop->nrecurrences, 2);
  assert_int_equal(recurrence(b, loop, "q")->stmt, -1);
  b_free(b);
}

static void test_while_with_step_in_body(void **state) {
  (void)state;
  built *b = b_passes(B_KERNEL("  int t = n;\n  while (t > 0) {\n"
                               "    As[ty][tx] = A[t];\n    __syncthreads();\n"
                               "    acc += As[ty][0];\n    __syncthreads();\n"
                               "    t = t - TS;\n  }\n"),
                      B_SLICES);
  pl_loop *loop = b_loop(b, 0);
  b_open(loop);
  sides(loop, "t = t - TS", "load advance");
  assert_int_equal(recurrence(b, loop, "t")->stmt, 4);
  b_free(b);
}

static void test_irregular_steps(void **state) {
  (void)state;
  refused(
      B_KERNEL(PHASES("As[ty][tx] = A[t];\n t += 1;\n", "acc += As[ty][0];\n")),
      "PL2001", "t += 1;");
  refused(B_KERNEL("  int p = 0;\n" PHASES("As[ty][tx] = A[p];\n p ^= 5;\n"
                                           "Bs[ty][tx] = B[p];\n p *= 3;\n",
                                           "acc += As[ty][0] + Bs[ty][0];\n")),
          "PL2001", "p *= 3;");
  refused(B_KERNEL("  for (int t = 1, p = 2; t < n; t *= p) {\n"
                   " As[ty][tx] = A[t];\n __syncthreads();\n"
                   " acc += As[ty][0];\n p = 5 - p;\n __syncthreads(); }\n"),
          "PL2001", "t *= p");
}

/* Any function of what the load side knows leads to the next tile. */
static void test_steps_of_any_kind(void **state) {
  (void)state;
  accepted(B_KERNEL("  int p = 0; int q = TS; int r = 2 * TS;\n" PHASES(
      "As[ty][tx] = A[p];\n p = q;\n q = r;\n r += TS;\n",
      "acc += As[ty][0];\n")));
  accepted(B_KERNEL("  int p = 0;\n" PHASES("As[ty][tx] = A[p];\n",
                                            "acc += As[ty][0];\n"
                                            "p ^= t;\n")));
  accepted(B_KERNEL("  for (int t = 1; t < n; t *= 2) {\n"
                    " As[ty][tx] = A[t];\n __syncthreads();\n"
                    " acc += As[ty][0];\n __syncthreads(); }\n"));
  accepted(B_KERNEL("  int p = 0;\n" PHASES(
      "As[ty][tx] = A[p];\n",
      "if (n > 4) { p += 2; } else { p -= 1; }\n acc += As[ty][0];\n")));
  accepted(B_KERNEL("  int p = 0;\n" PHASES(
      "As[ty][tx] = A[p];\n",
      "if (t & 1) p += 2; else if (++p == 5) p = 0;\n acc += As[ty][0];\n")));
  refused(B_KERNEL("  int p = 0;\n" PHASES(
              "As[ty][tx] = A[p];\n",
              "acc += As[ty][0];\n if (acc > 1) p += 2; else p -= 1;\n")),
          "PL4001", "As[ty][0]");
}

/* By as much as the body works out, each time anew. */
static void test_uneven_steps(void **state) {
  (void)state;
  accepted(B_KERNEL("  int p = 0;\n" PHASES("As[ty][tx] = A[p];\n",
                                            "acc += As[ty][0];\n"
                                            "p += t;\n")));
  accepted(B_KERNEL("  int p = 0;\n" PHASES("int m = min(TS, n - p);\n"
                                            "As[ty][tx] = A[p];\n",
                                            "acc += As[ty][0];\n"
                                            "p = p + m;\n")));
  refused(B_KERNEL("  int p = 0;\n" PHASES("As[ty][tx] = A[p];\n",
                                           "acc += As[ty][0];\n"
                                           "p += (int)acc;\n")),
          "PL4001", "As[ty][0]");
  refused(B_KERNEL("  int p = 0; int q = 0;\n" PHASES(
              "As[ty][tx] = A[p];\n", "acc += As[ty][0];\n q += TS;\n"
                                       "int m = min(TS, n - q);\n p += m;\n")),
          "PL2001", "int m = min(TS, n - q);");
}

/* A step that is read from memory may change. */
static void test_step_from_memory(void **state) {
  (void)state;
  refused(B_KERNEL("  for (int t = 0; t < n; t += (int)B[0]) {\n"
                   "    As[ty][tx] = A[t];\n    __syncthreads();\n"
                   "    acc += As[ty][0];\n    __syncthreads();\n  }\n"),
          "PL2001", "t += (int)B[0]");
}

/* What is made from steps alone, behind the load, steps with them. */
static void test_derived_steps(void **state) {
  (void)state;
  accepted(B_KERNEL("  int p = 0; int q = TS;\n" PHASES(
      "As[ty][tx] = A[p];\n p = q;\n q += TS;\n", "acc += As[ty][0];\n")));
  accepted(B_KERNEL("  int t = 0; int left = n;\n  while (left > 0) {\n"
                    " As[ty][tx] = A[t];\n __syncthreads();\n"
                    " acc += As[ty][0];\n __syncthreads();\n"
                    " t += TS;\n left = n - t; }\n"));
  accepted(B_KERNEL("  int t = 0; bool more = n > 0;\n  while (more) {\n"
                    " As[ty][tx] = A[t];\n __syncthreads();\n"
                    " acc += As[ty][0];\n __syncthreads();\n"
                    " t += TS;\n more = t < (int)B[0]; }\n"));
}

/* A variable from outside that every iteration writes afresh is no recurrence,
 * and each side has one of its own. */
static void test_fresh_variables(void **state) {
  (void)state;
  accepted(B_KERNEL("  int m;\n" PHASES(
      "m = n - t;\n if (m > TS)\n m = TS;\n"
      " As[ty][tx] = tx < m ? A[t] : 0;\n", "acc += As[ty][0] * m;\n")));
  accepted(B_KERNEL("  int p;\n" PHASES("p = t * TS;\n As[ty][tx] = A[p];\n",
                                        "acc += As[ty][0];\n")));
}

/* ---- tiles ----------------------------------------------------------------
 */

/* What a phase other than the one that fills the tile writes to it. */
static void changed(const char *text, const char *at) {
  built *b = b_passes(text, B_SLICES);
  pl_loop *loop = b_loop(b, 0);
  b_open(loop);
  const pl_node *node = loop->tiles[0].changed_at;
  if (!node ||
      (at && !pl_str_is(pl_unit_slice(loop->unit, node->range), at)))
    fail_msg("the tile is not changed by '%s'", at ? at : "anything");
  assert_true(b_stmt(loop, "As[ty][tx] = A[t];")->fills);
  b_free(b);
}

static void test_changed_tile(void **state) {
  (void)state;
  changed(B_KERNEL(PHASES("As[ty][tx] = A[t];\n",
                          "acc += As[ty][0];\n __syncthreads();\n"
                          "As[ty][tx] = B[t];\n __syncthreads();\n"
                          "acc += As[0][tx];\n")),
          "As[ty][tx]");
  changed(B_KERNEL(PHASES("As[ty][tx] = A[t];\n",
                          "acc += As[tx][ty];\n __syncthreads();\n"
                          "As[tx][ty] = acc;\n")),
          "As[tx][ty]");
  changed(B_KERNEL(PHASES("As[ty][tx] = A[t];\n",
                          "atomicAdd(&As[ty][0], acc);\n __syncthreads();\n"
                          "acc += As[0][tx];\n")),
          NULL);
}

static void test_tile_rules(void **state) {
  (void)state;
  refused(B_KERNEL(PHASES("As[ty][tx] = A[t] + As[ty][0];\n",
                          "acc += As[ty][0];\n")),
          "PL3002", "As[ty][0]");
  refused(B_KERNEL(PHASES("As[ty][t] = A[t];\n", "acc += As[ty][0];\n")),
          "PL3003", "As[ty][t] = A[t];");
}

static void test_filled_from_shared(void **state) {
  (void)state;
  refused(B_KERNEL(PHASES("As[ty][tx] = A[t];\n As[ty][0] = Bs[ty][1];\n",
                          "acc += As[ty][0];\n Bs[ty][tx] = acc;\n")),
          "PL3010", "Bs[ty][1]");
}

/* The second of two statements that fill a tile may not read it either, nor
 * may a filling statement write other shared memory. */
static void test_filling_statements(void **state) {
  (void)state;
  refused(B_KERNEL(PHASES("As[ty][tx] = A[t];\n As[ty][0] = As[tx][ty];\n",
                          "acc += As[ty][0];\n")),
          "PL3002", "As[tx][ty]");
  refused(B_KERNEL("  int p = 0;\n" PHASES(
              "if (tx < 8) { p = t; Bs[0][0] = 1.0f; }\n"
              "As[ty][tx] = A[p];\n",
              "acc += As[ty][0];\n Bs[ty][tx] = acc;\n")),
          "PL3008", "Bs[0][0]");
}

/* A fill behind the use is either for the next iteration, or a mistake. */
static void test_fill_behind_use(void **state) {
  (void)state;
  settled(B_KERNEL(PHASES("acc += As[ty][0];\n", "As[ty][tx] = A[t];\n")),
          PL_VERDICT_ALREADY_PIPELINED, "PL2100", NULL);
  refused(B_KERNEL(PHASES("acc += As[ty][0];\n",
                          "As[ty][tx] = A[t];\n As[ty][0] = 0.0f;\n")),
          "PL3001", "As[ty][0] = 0.0f;");
}

/* Planes that roll on are no tiles. */
static void test_rolling_planes(void **state) {
  (void)state;
  settled(B_KERNEL("  float here = A[0], above = A[1];\n" PHASES(
              "As[ty][tx] = here + A[t];\n here = above;\n"
              "above = A[t + 2];\n",
              "acc += As[ty][0];\n")),
          PL_VERDICT_NOT_A_TILE_LOOP, "PL2101", "here = above;");
}

static void test_no_tile(void **state) {
  (void)state;
  settled(B_KERNEL(PHASES("As[ty][tx] = acc;\n", "acc += As[tx][ty];\n")),
          PL_VERDICT_NOT_A_TILE_LOOP, "PL2101", NULL);
  refused("__device__ void hidden(int i);\n" B_KERNEL(PHASES(
              "As[ty][tx] = acc;\n hidden(tx);\n", "acc += As[tx][ty];\n")),
          "PL4004", "hidden(tx);");
}

/* ---- dependence -----------------------------------------------------------
 */

static void test_load_needs_result(void **state) {
  (void)state;
  refused(
      B_KERNEL("  int p = 0;\n" PHASES(
          "As[ty][tx] = A[p];\n", "acc += As[ty][0];\n p = (int)As[0][0];\n")),
      "PL4001", "As[0][0]");
  refused(B_KERNEL(PHASES("As[ty][tx] = A[(int)Bs[0][0]];\n",
                          "acc += As[ty][0] * Bs[1][0];\n __syncthreads();\n"
                          "Bs[ty][tx] = acc;\n")),
          "PL4001", "Bs[0][0]");
}

static void test_mixed_statements(void **state) {
  (void)state;
  refused(B_KERNEL("  float v = 0.0f; float *p = &v;\n" PHASES(
              "v = A[t];\n As[ty][tx] = v;\n", "acc += As[ty][0] * *p;\n")),
          "PL3009", "float *p = &v");
  refused(B_KERNEL("  float v = 0.0f;\n" PHASES("As[ty][tx] = v = A[t];\n",
                                                "acc += As[ty][0] * v;\n")),
          "PL4006", "As[ty][tx] = v = A[t];");
}

/* ---- pipelined already ----------------------------------------------------
 */

static void test_prefetched_already(void **state) {
  (void)state;
  settled(B_KERNEL("  float v = A[0];\n" PHASES("As[ty][tx] = v;\n",
                                                "v = A[t + 1];\n"
                                                "acc += As[ty][0];\n")),
          PL_VERDICT_ALREADY_PIPELINED, "PL2100", "As[ty][tx] = v;");
  built *b = b_passes(
      B_KERNEL("  __shared__ float two[2][TS];\n  int cur = 0;\n" PHASES(
          "two[cur ^ 1][tx] = A[t];\n", "acc += two[cur][0];\n cur ^= 1;\n")),
      B_SLICES);
  assert_int_equal(b_loop(b, 0)->verdict, PL_VERDICT_ALREADY_PIPELINED);
  b_free(b);
}

static void test_barrier_places(void **state) {
  (void)state;
  built *b = b_passes(B_KERNEL("  for (int t = 0; t < n; ++t) {\n"
                               "    __syncthreads();\n"
                               "    As[ty][tx] = A[t];\n    __syncthreads();\n"
                               "    acc += As[ty][0];\n  }\n"),
                      B_SLICES);
  assert_true(b_loop(b, 0)->barrier_first);
  assert_false(b_loop(b, 0)->barrier_last);
  assert_int_equal(b_loop(b, 0)->load_phase, 1);
  b_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_plain_gemm),
      cmocka_unit_test(test_shared_values),
      cmocka_unit_test(test_compute_in_front),
      cmocka_unit_test(test_value_through_locals),
      cmocka_unit_test(test_pointer_bumps),
      cmocka_unit_test(test_several_in_header),
      cmocka_unit_test(test_while_with_step_in_body),
      cmocka_unit_test(test_irregular_steps),
      cmocka_unit_test(test_steps_of_any_kind),
      cmocka_unit_test(test_uneven_steps),
      cmocka_unit_test(test_step_from_memory),
      cmocka_unit_test(test_derived_steps),
      cmocka_unit_test(test_fresh_variables),
      cmocka_unit_test(test_changed_tile),
      cmocka_unit_test(test_tile_rules),
      cmocka_unit_test(test_filled_from_shared),
      cmocka_unit_test(test_filling_statements),
      cmocka_unit_test(test_fill_behind_use),
      cmocka_unit_test(test_rolling_planes),
      cmocka_unit_test(test_no_tile),
      cmocka_unit_test(test_load_needs_result),
      cmocka_unit_test(test_mixed_statements),
      cmocka_unit_test(test_prefetched_already),
      cmocka_unit_test(test_barrier_places)};
  return cmocka_run_group_tests(tests, NULL, NULL) ? 1 : 0;
}
