/* test_phases.c - which loops are candidates, and what their barriers
 * separate: loops.c and phases.c. */
#include "build_model.h"

#include <string.h>

static void refused(const char *text, const char *id, const char *at) {
  built *b = b_passes(text, B_PHASES);
  b_refused(b_loop(b, 0), id, at);
  b_free(b);
}

/* A loop whose compute phase holds `extra`. */
#define WITH(extra) B_KERNEL(B_LOOP(B_COMPUTE "    " extra "\n"))

static void phase_is(const pl_loop *loop, const char *stmt, int phase) {
  if (b_stmt(loop, stmt)->phase != phase)
    fail_msg("'%s' is in phase %d, not %d", stmt, b_stmt(loop, stmt)->phase,
             phase);
}

/* ---- phases ---------------------------------------------------------------
 */

static void test_load_then_compute(void **state) {
  (void)state;
  built *b = b_passes(B_KERNEL(B_LOOP(B_COMPUTE)), B_PHASES);
  pl_loop *loop = b_loop(b, 0);
  b_open(loop);
  assert_int_equal(loop->nbarriers, 2);
  assert_int_equal(loop->nphases, 2);
  phase_is(loop, "As[ty][tx]", 0);
  phase_is(loop, "Bs[ty][tx]", 0);
  phase_is(loop, "for (int i", 1);
  b_free(b);
}

/* The same cycle, turned: what comes before the first barrier and behind the
 * last belongs together. */
static void test_barrier_first(void **state) {
  (void)state;
  built *b = b_passes(B_KERNEL("for (int t = 0; t < n; ++t) {\n"
                               "  __syncthreads();\n"
                               "  As[ty][tx] = A[t];\n"
                               "  __syncthreads();\n"
                               "  acc += As[ty][0];\n}\n"),
                      B_PHASES);
  pl_loop *loop = b_loop(b, 0);
  b_open(loop);
  assert_int_equal(loop->nphases, 2);
  phase_is(loop, "As[ty][tx]", 1);
  phase_is(loop, "acc +=", 0);
  b_free(b);
}

static void test_doubled_barriers(void **state) {
  (void)state;
  built *b = b_passes(B_KERNEL("for (int t = 0; t < n; ++t) {\n"
                               "  As[ty][tx] = A[t];\n"
                               "  __syncthreads(); __syncthreads();\n"
                               "  acc += As[ty][0];\n"
                               "  __syncthreads();\n"
                               "  tx += 0;\n}\n"),
                      B_PHASES);
  pl_loop *loop = b_loop(b, 0);
  assert_int_equal(loop->nphases, 3);
  phase_is(loop, "acc +=", 2);
  phase_is(loop, "tx += 0", 0);
  b_free(b);
}

/* ---- which loops ----------------------------------------------------------
 */

static void test_candidates(void **state) {
  (void)state;
  built *b = b_passes(
      B_KERNEL("for (int b = 0; b < n; ++b) {\n" B_LOOP(
          B_COMPUTE) "}\n"
                     "for (int i = 0; i < n; ++i) acc += A[i];\n"
                     "for (int i = 0; i < n; ++i) { __syncthreads(); }\n"),
      B_PHASES);
  assert_int_equal(b->loops.n, 1);
  assert_true(b_loop(b, 0)->nested);
  b_free(b);
}

static void test_outer_and_inner(void **state) {
  (void)state;
  built *b = b_passes(B_KERNEL("while (n > 0) {\n  __syncthreads();\n"
                               "  As[0][0] = A[n];\n" B_LOOP(B_COMPUTE) "}\n"),
                      B_PHASES);
  assert_int_equal(b->loops.n, 2);
  assert_ptr_equal(b_loop(b, 1)->outer, b_loop(b, 0));
  b_free(b);
}

/* Chunks of a body, one after the other, are the body's text. */
static void test_chunks(void **state) {
  (void)state;
  built *b = b_passes(B_KERNEL("for (int t = 0; t < n; ++t) { // first\n"
                               "  // load\n"
                               "  As[ty][tx] = A[t]; // of this\n"
                               "  __syncthreads(); acc += As[ty][0];\n"
                               "  __syncthreads(); /* end */\n}\n"),
                      B_PHASES);
  pl_loop *loop = b_loop(b, 0);
  for (size_t i = 0; i + 1 < loop->nstmts; i++)
    assert_int_equal(loop->stmts[i].chunk.end, loop->stmts[i + 1].chunk.begin);
  pl_str chunk = pl_unit_slice(b->unit, b_stmt(loop, "As[ty]")->chunk);
  assert_true(pl_str_has(chunk, "// load") && pl_str_has(chunk, "// of this"));
  assert_false(pl_str_has(chunk, "// first"));
  chunk = pl_unit_slice(b->unit, loop->stmts[loop->nstmts - 1].chunk);
  assert_true(pl_str_has(chunk, "/* end */"));
  b_free(b);
}

static void test_form(void **state) {
  (void)state;
  refused(B_KERNEL("for (int t = 0;; ++t) {\n As[ty][tx] = A[t];\n"
                   " __syncthreads();\n acc += As[ty][0]; }\n"),
          "PL2012", NULL);
  refused(B_KERNEL("for (int t = 0; t < n; ++t) {\n As[ty][tx] = A[t];\n"
                   " acc += As[0][tx]; }\n"),
          "PL2008", NULL);
}

/* ---- where a loop is asked for its next tile -------------------------------
 */

/* A loop with this header and these statements around what it does. */
#define ASKED(header, head, last)                                              \
  B_KERNEL(header " {\n" head "  As[ty][tx] = A[n];\n  __syncthreads();\n"     \
                  "  acc += As[ty][0];\n  __syncthreads();\n" last)

static void tests_are(const char *text, size_t tests, bool asks_last,
                      bool searches, bool passes_over) {
  built *b = b_passes(text, B_PHASES);
  pl_loop *loop = b_loop(b, 0);
  b_open(loop);
  assert_int_equal(loop->ntests, tests);
  assert_int_equal(loop->asks_last, asks_last);
  assert_int_equal(loop->searches, searches);
  assert_int_equal(loop->passes_over, passes_over);
  for (size_t i = 0; i < loop->nstmts; i++)
    assert_false(loop->stmts[i].node->kind == PL_NODE_IF);
  b_free(b);
}

static void test_head(void **state) {
  (void)state;
  tests_are(ASKED("while (n)", "", "}\n"), 0, false, false, false);
  tests_are(ASKED("for (;;)", "if (n == 0) break;\n", "}\n"), 1, false, false,
            false);
  tests_are(ASKED("while (n)", "if (n == 3) { break; }\n", "}\n"), 1, false,
            false, false);
  tests_are(ASKED("while (n)", "int m = n; if (m == 3) break;\n", "}\n"), 1,
            false, true, false);
  tests_are(ASKED("while (n)", "if (n == 3) continue;\n", "}\n"), 1, false,
            true, true);
  tests_are(ASKED("while (n)", "if (n) { if (n > 3) break; }\n", "}\n"), 2,
            false, true, false);
}

static void test_end(void **state) {
  (void)state;
  tests_are(ASKED("do", "", "} while (n > 0);\n"), 0, true, false, false);
  tests_are(ASKED("do", "", "} while (--n);\n"), 0, true, false, false);
  tests_are(ASKED("while (1)", "", "if (++n == 3) break; }\n"), 1, true, false,
            false);
  refused(ASKED("while (n)", "", "if (n == 3) break; }\n"), "PL2003", "break;");
  refused(ASKED("while (1)", "if (n == 1) continue;\n",
                "if (n == 3) break; }\n"),
          "PL2003", "break;");
}

/* `if (n) { ... }` around the body, and the step behind it. */
static void test_branch(void **state) {
  (void)state;
  const char *text = ASKED("while (n)", "if (n > 2) {\n", "} n -= 1; }\n");
  tests_are(text, 1, false, true, true);
  built *b = b_passes(text, B_PHASES);
  pl_loop *loop = b_loop(b, 0);
  assert_non_null(loop->branch);
  assert_true(loop->stmts[loop->nstmts - 1].always);
  assert_false(loop->stmts[0].always);
  b_free(b);
  refused(ASKED("while (n)", "if (n > 2) {\n", "} else { n -= 1; } }\n"),
          "PL2006", "__syncthreads();");
}

static void test_head_does_nothing_else(void **state) {
  (void)state;
  refused(ASKED("while (n)", "acc += 1.0f; if (n == 3) continue;\n", "}\n"),
          "PL2003", "continue;");
  refused(ASKED("while (n)", "if (n == 3) { acc = 0.0f; continue; }\n", "}\n"),
          "PL2003", "continue;");
  refused(ASKED("while (n)", "if (n-- == 3) break;\n", "}\n"), "PL2004",
          "n-- == 3");
}

/* ---- what a tile loop may not do ------------------------------------------
 */

static void test_exits(void **state) {
  (void)state;
  refused(WITH("if (n == 3) return;"), "PL2003", "return;");
  refused(WITH("if (n == 3) break;"), "PL2003", "break;");
  refused(WITH("if (n == 3) { continue; }"), "PL2003", "continue;");
  refused(WITH("if (n == 3) goto out;"), "PL2003", "goto out;");
  built *b = b_passes(WITH("while (n) { if (tx) break; continue; }"), B_PHASES);
  b_open(b_loop(b, 0));
  b_free(b);
}

static void test_once_only_text(void **state) {
  (void)state;
  refused(WITH("again: acc += 1.0f;"), "PL2011", "again: acc += 1.0f;");
  refused(WITH("static int once = 0;"), "PL2011", "static int once = 0");
  refused(WITH("acc += __COUNTER__;"), "PL2011", NULL);
  built *b = b_passes(WITH("__shared__ float other[4];"), B_PHASES);
  b_open(b_loop(b, 0));
  b_free(b);
}

static void test_barriers_that_are_more(void **state) {
  (void)state;
  refused(WITH("acc += __syncthreads_count(tx);"), "PL2007",
          "__syncthreads_count(tx)");
  refused(WITH("asm volatile(\"bar.sync 1, 64;\");"), "PL2007",
          "asm volatile(\"bar.sync 1, 64;\");");
  refused(WITH("if (n > 3) __syncthreads();"), "PL2006", "__syncthreads();");
}

static void test_ordering(void **state) {
  (void)state;
  refused(WITH("__threadfence();"), "PL2009", "__threadfence();");
  refused(WITH("volatile float v = acc; acc = v;"), "PL2009", "v");
}

/* A step in the header's test is one of the loop where nothing else decides. */
static void test_condition_steps(void **state) {
  (void)state;
#define COUNTED(header, first)                                                 \
  B_KERNEL(header " {\n" first " As[ty][tx] = A[n];\n __syncthreads();\n"      \
                  " acc += As[ty][0];\n __syncthreads(); }\n")
  built *b = b_passes(COUNTED("while (n-- > 0)", ""), B_PHASES);
  pl_loop *loop = b_loop(b, 0);
  b_open(loop);
  assert_true(loop->asks_last);
  assert_true(loop->asks_first);
  b_free(b);
  refused(COUNTED("while (n-- > 0)", "if (n == 3) continue;\n"), "PL2004",
          "n-- > 0");
  refused(COUNTED("for (; n-- > 0; ++tx)", ""), "PL2004", "n-- > 0");
#undef COUNTED
}

static void test_already_pipelined(void **state) {
  (void)state;
  built *b = b_passes(WITH("__pipeline_memcpy_async(&Bs[ty][tx], B, 4);\n"
                           "__pipeline_commit();\n__pipeline_wait_prior(1);"),
                      B_PHASES);
  b_expect(b_loop(b, 0), PL_VERDICT_ALREADY_PIPELINED, "PL2100", NULL);
  b_free(b);
  b = b_passes(WITH("__pipeline_wait_prior(0);"), B_PHASES);
  b_expect(b_loop(b, 0), PL_VERDICT_REFUSED, "PL2102", NULL);
  b_free(b);
  b = b_passes(B_KERNEL("// pipelinify: ldg, 2 stages, source 01234567\n"
                        "{\n" B_LOOP(B_COMPUTE) "}\n"),
               B_PHASES);
  b_expect(b_loop(b, 0), PL_VERDICT_ALREADY_PIPELINED, "PL2100", NULL);
  b_free(b);
}

/* The marker speaks of its own block only. */
static void test_marker_of_another_loop(void **state) {
  (void)state;
  built *b = b_passes(B_KERNEL("// pipelinify: ldg, 2 stages, source 01234567\n"
                               "{ tx += 0; }\n" B_LOOP(B_COMPUTE)),
                      B_PHASES);
  b_open(b_loop(b, 0));
  b_free(b);
}

/* ---- text that hides something --------------------------------------------
 */

static void test_directives(void **state) {
  (void)state;
  refused(B_KERNEL(B_LOOP("#define X 1\n" B_COMPUTE)), "PL1004", "#define X 1");
  built *b = b_passes(B_KERNEL(B_LOOP("#pragma unroll\n" B_COMPUTE)), B_PHASES);
  b_open(b_loop(b, 0));
  b_free(b);
}

/* An #if in the loop moves with what it holds; branches.c looks at its builds. */
static void test_conditions(void **state) {
  (void)state;
  built *b = b_passes(
      B_KERNEL(B_LOOP(B_COMPUTE "#if X\nacc += 1;\nacc += 2;\n#endif\nacc += 3;\n"
                                "#ifdef Y\n#endif\n")),
      B_PHASES);
  pl_loop *loop = b_loop(b, 0);
  b_open(loop);
  assert_true(pl_str_is(pl_unit_slice(b->unit, loop->condition), "#if X"));
  size_t joined = 0;
  for (size_t i = 0; i < loop->nstmts; i++) {
    pl_str text = pl_unit_slice(b->unit, loop->stmts[i].chunk);
    bool opens = pl_str_has(text, "#if X"), ends = pl_str_has(text, "#endif");
    assert_int_equal(opens, pl_str_has(text, "acc += 1;"));
    assert_int_equal(ends, pl_str_has(text, "acc += 2;") ||
                               pl_str_has(text, "acc += 3;"));
    joined += loop->stmts[i].joined;
  }
  assert_int_equal(joined, 1);
  b_free(b);
}

static void test_problems(void **state) {
  (void)state;
  built *b = b_read(B_KERNEL(B_LOOP(B_COMPUTE)));
  pl_range at = b_node(b, PL_NODE_REF, "tx")->range;
  pl_problem problems[] = {{{1, 2}, PL_STR("elsewhere"), false},
                           {at, PL_STR("no cursor covers it"), true},
                           {at, PL_STR("unknown name"), false}};
  b->unit->problems = problems;
  b->unit->nproblems = 2;
  b_run(b, B_PHASES);
  b_refused(b_loop(b, 0), "PL1002", "tx");
  b->unit->nproblems = 3;
  b->loops.n = 0;
  b_run(b, B_PHASES);
  b_refused(b_loop(b, 0), "PL1001", "tx");
  b->unit->nproblems = 1;
  b->loops.n = 0;
  b_run(b, B_PHASES);
  b_open(b_loop(b, 0));
  b_free(b);
}

static void test_macros(void **state) {
  (void)state;
  built *b = b_read(B_KERNEL(B_LOOP(B_COMPUTE)));
  b_node(b, PL_NODE_CALL, "__syncthreads();")->from_macro = true;
  b_run(b, B_PHASES);
  b_refused(b_loop(b, 0), "PL1003", "__syncthreads();");
  b_free(b);
  b = b_read(WITH("int z = 3;"));
  b_decl(b, "z")->from_macro = true;
  b_run(b, B_PHASES);
  b_refused(b_loop(b, 0), "PL1003", "int z = 3;");
  b_free(b);
  b = b_read(B_KERNEL(B_LOOP(B_COMPUTE)));
  b_node(b, PL_NODE_SUBSCRIPT, "As[ty][tx]")->from_macro = true;
  b_run(b, B_PHASES);
  b_open(b_loop(b, 0));
  b_free(b);
}

/* What a macro spells has the range of the macro's use. */
static void test_macro_structure(void **state) {
  (void)state;
  built *b = b_read(B_KERNEL("  while (n > 0) {\n As[ty][tx] = A[n];\n"
                             " __syncthreads();\n acc += As[ty][0];\n"
                             " __syncthreads();\n n--; }\n"));
  pl_node *body = b_func(b, "k")->body;
  pl_node *loop = body->kids[body->nkids - 2];
  loop->range.begin += 1;
  b_run(b, B_PHASES);
  b_refused(b_loop(b, 0), "PL1003",
            pl_arena_cstr(b->arena, pl_unit_slice(b->unit, loop->range)));
  b_free(b);
  b = b_read(B_KERNEL(B_LOOP(B_COMPUTE)));
  pl_node *first =
      b_node(b, PL_NODE_ASSIGN, "As[ty][tx] = A[ty * n + t * TS + tx];");
  b_node(b, PL_NODE_ASSIGN, "Bs[ty][tx] = B[(t * TS + ty) * n + tx];")->range =
      first->range;
  b_run(b, B_PHASES);
  b_refused(b_loop(b, 0), "PL1003", "As[ty][tx] = A[ty * n + t * TS + tx];");
  b_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_load_then_compute),
      cmocka_unit_test(test_barrier_first),
      cmocka_unit_test(test_doubled_barriers),
      cmocka_unit_test(test_candidates),
      cmocka_unit_test(test_outer_and_inner),
      cmocka_unit_test(test_chunks),
      cmocka_unit_test(test_form),
      cmocka_unit_test(test_head),
      cmocka_unit_test(test_end),
      cmocka_unit_test(test_branch),
      cmocka_unit_test(test_head_does_nothing_else),
      cmocka_unit_test(test_exits),
      cmocka_unit_test(test_once_only_text),
      cmocka_unit_test(test_barriers_that_are_more),
      cmocka_unit_test(test_ordering),
      cmocka_unit_test(test_condition_steps),
      cmocka_unit_test(test_already_pipelined),
      cmocka_unit_test(test_marker_of_another_loop),
      cmocka_unit_test(test_directives),
      cmocka_unit_test(test_conditions),
      cmocka_unit_test(test_problems),
      cmocka_unit_test(test_macros),
      cmocka_unit_test(test_macro_structure)};
  return cmocka_run_group_tests(tests, NULL, NULL) ? 1 : 0;
}
