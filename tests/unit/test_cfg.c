/* test_cfg.c - the control-flow graph: jumps, dominance and paths of bodies, with
 * calls of a() to h() as what is asked about. */
#include "parsed_body.h"

#include "cfg.h"

/* "ab" where a dominates b and so on, "a!b" where it does not. */
typedef pl_answer relation(const pl_node *a, const pl_node *b);

static void check(const graph *t, relation *holds, const char *pairs) {
  for (const char *at = pairs; *at; at += strspn(at, " ")) {
    bool no = at[1] == '!';
    char left = at[0], right = at[1 + no];
    if (holds(call(t, left), call(t, right)) != (no ? PL_NO : PL_YES))
      fail_msg("%c and %c of '%s'", left, right, pairs);
    at += 2 + no;
  }
}

static pl_answer reach(const pl_node *a, const pl_node *b) {
  return pl_cfg_may_reach(a, b, NULL);
}

static pl_answer exclude(const pl_node *a, const pl_node *b) {
  return pl_cfg_are_exclusive(a, b, NULL);
}

/* ---- dominance --------------------------------------------------------------- */

static void test_branches(void **state) {
  (void)state;
  graph t = read("a(); if (b()) { c(); } else { d(); } e();");
  check(&t, pl_cfg_dominates, "aa ab ac ad ae be c!e d!e c!d e!a");
  check(&t, pl_cfg_post_dominates, "ea eb ec ed ba c!b d!b a!b");
  check(&t, exclude, "cd dc a!b c!e");
  check(&t, reach, "ae ce c!d e!a");
  pl_arena_free(t.arena);
}

static void test_shortcuts(void **state) {
  (void)state;
  graph t = read("n = a() && (b() || c()) ? d() : e(); f();");
  check(&t, pl_cfg_dominates, "ab ac ad af b!d b!e bc c!d d!f");
  check(&t, pl_cfg_post_dominates, "fa fd b!a d!a e!b");
  check(&t, exclude, "de b!c");
  pl_arena_free(t.arena);
}

static void test_early_return(void **state) {
  (void)state;
  graph t = read("a(); if (n) { b(); return; } c();");
  check(&t, pl_cfg_dominates, "ab ac b!c");
  check(&t, pl_cfg_post_dominates, "c!a b!a");
  check(&t, exclude, "bc");
  const pl_node *branch = node_at(&t, PL_NODE_IF, "if");
  assert_ptr_equal(pl_cfg_jump_out(branch, PL_JUMP_AWAY),
                   node_at(&t, PL_NODE_RETURN, "return"));
  assert_null(pl_cfg_jump_out(branch, PL_JUMP_LOOP | PL_JUMP_GOTO));
  pl_arena_free(t.arena);
}

static void test_loops(void **state) {
  (void)state;
  graph t = read("for (a(); b(); c()) { d(); while (e()) { f(); "
                 "if (n) continue; g(); } } h();");
  check(&t, pl_cfg_dominates, "ab bc bd de ef fg dc bh d!h f!c g!e");
  check(&t, pl_cfg_post_dominates, "hf cd ed ef eg cf ba g!f f!e d!b");
  check(&t, reach, "cd gd ff fg h!a a!a bb");
  const pl_node *outer = node_at(&t, PL_NODE_FOR, "for");
  const pl_node *inner = node_at(&t, PL_NODE_WHILE, "while");
  assert_int_equal(pl_cfg_may_reach(call(&t, 'g'), call(&t, 'd'), outer), PL_NO);
  assert_int_equal(pl_cfg_may_reach(call(&t, 'g'), call(&t, 'f'), outer), PL_YES);
  assert_int_equal(pl_cfg_may_reach(call(&t, 'g'), call(&t, 'f'), inner), PL_NO);
  assert_int_equal(pl_cfg_may_reach(call(&t, 'g'), call(&t, 'c'), outer), PL_YES);
  pl_arena_free(t.arena);
}

/* A do loop's continue goes on at its condition. */
static void test_do_continue(void **state) {
  (void)state;
  graph t = read("do { a(); if (n) continue; b(); } while (c()); d();");
  check(&t, pl_cfg_dominates, "ab ac cd b!c");
  check(&t, pl_cfg_post_dominates, "ca cb dc b!a");
  const pl_node *loop = node_at(&t, PL_NODE_DO, "do");
  assert_non_null(pl_cfg_jump_out(loop->kids[0], PL_JUMP_CONTINUE));
  assert_null(pl_cfg_jump_out(loop, PL_JUMP_ANY));
  assert_ptr_equal(
      pl_cfg_jump_target(node_at(&t, PL_NODE_CONTINUE, "continue")), loop);
  pl_arena_free(t.arena);
}

static void test_once(void **state) {
  (void)state;
  graph t = read("do { a(); if (n) break; b(); } while (0); c();");
  check(&t, reach, "ab bc a!a b!a");
  check(&t, pl_cfg_post_dominates, "ca b!a");
  pl_arena_free(t.arena);
}

static void test_endless(void **state) {
  (void)state;
  graph t = read("for (;;) { a(); if (b()) break; c(); } d();");
  check(&t, pl_cfg_dominates, "bd bc c!d");
  check(&t, pl_cfg_post_dominates, "db ba dc");
  pl_arena_free(t.arena);
  t = read("a(); while (true) b();");
  check(&t, pl_cfg_post_dominates, "b!a a!b");
  check(&t, reach, "ab bb b!a");
  pl_arena_free(t.arena);
}

/* ---- switches ---------------------------------------------------------------- */

static void test_switch(void **state) {
  (void)state;
  graph t = read("switch (a()) { case 1: b(); case 2: c(); break;\n"
                 "case 3: if (n) break; d(); break; default: e(); } f();");
  check(&t, pl_cfg_dominates, "ab ac af b!c b!f");
  check(&t, pl_cfg_post_dominates, "fa cb e!a d!a");
  check(&t, exclude, "bd ce be b!c");
  const pl_node *all = node_at(&t, PL_NODE_SWITCH, "switch");
  assert_null(pl_cfg_jump_out(all, PL_JUMP_ANY));
  assert_non_null(pl_cfg_jump_out(all->kids[1], PL_JUMP_BREAK));
  pl_arena_free(t.arena);
}

/* Without a default nothing may be chosen; a continue is the loop's. */
static void test_switch_in_loop(void **state) {
  (void)state;
  graph t = read("while (a()) { switch (n) { case 1: b(); continue;\n"
                 "case 2: c(); } d(); }");
  check(&t, pl_cfg_post_dominates, "dc d!b ab");
  check(&t, reach, "bd");
  const pl_node *loop = node_at(&t, PL_NODE_WHILE, "while");
  const pl_node *all = node_at(&t, PL_NODE_SWITCH, "switch");
  assert_int_equal(pl_cfg_are_exclusive(call(&t, 'b'), call(&t, 'd'), loop),
                   PL_YES);
  assert_non_null(pl_cfg_jump_out(all, PL_JUMP_CONTINUE));
  assert_null(pl_cfg_jump_out(all, PL_JUMP_BREAK));
  pl_arena_free(t.arena);
}

/* ---- what else jumps --------------------------------------------------------- */

static void test_goto(void **state) {
  (void)state;
  graph t = read("a(); again: b(); if (n) goto done; c(); if (*p) goto again;\n"
                 "d(); done: e();");
  check(&t, pl_cfg_dominates, "ab bc cd be c!e");
  check(&t, pl_cfg_post_dominates, "eb ec c!b");
  check(&t, reach, "cb be b!a d!c");
  const pl_node *jump = node_at(&t, PL_NODE_GOTO, "goto again");
  assert_ptr_equal(pl_cfg_jump_target(jump),
                   node_at(&t, PL_NODE_LABEL, "again"));
  assert_true(pl_cfg_has_goto(jump));
  assert_ptr_equal(pl_cfg_jump_out(jump->parent, PL_JUMP_GOTO), jump);
  pl_arena_free(t.arena);
}

/* A loop whose condition declares a variable is not shown as one. */
static void test_declaring_condition(void **state) {
  (void)state;
  graph t = read("while (int i = a()) { b(); if (i == 3) break; c(); } d();");
  check(&t, pl_cfg_dominates, "ab bc ad b!d");
  check(&t, pl_cfg_post_dominates, "da db c!b");
  pl_arena_free(t.arena);
}

static void test_lambda(void **state) {
  (void)state;
  graph t = read("auto l = [&](int i) { if (i) return; a(); };\n"
                 "for (int i = 0; i < n; i++) { l(i); b(); }");
  const pl_node *loop = node_at(&t, PL_NODE_FOR, "for");
  const pl_node *lambda = node_at(&t, PL_NODE_LAMBDA, "[&]");
  assert_null(pl_cfg_jump_out(t.func->body, PL_JUMP_ANY));
  assert_non_null(pl_cfg_jump_out(lambda->kids[lambda->nkids - 1],
                                  PL_JUMP_RETURN));
  assert_int_equal(pl_cfg_dominates(loop, call(&t, 'b')), PL_YES);
  assert_int_equal(pl_cfg_dominates(loop, call(&t, 'a')), PL_UNKNOWN);
  pl_arena_free(t.arena);
}

/* The arm that an instantiation discards does not jump there. */
static void test_discarded_arm(void **state) {
  (void)state;
  graph t = parse("template <int N> __global__ void k(int n)",
                  "a(); if constexpr (N > 1) { b(); return; } else { c(); } d();");
  check(&t, pl_cfg_dominates, "ab ac ad b!d");
  check(&t, pl_cfg_post_dominates, "d!a dc");
  check(&t, exclude, "bc bd");
  pl_arena_free(t.arena);
  t = parse("template <int N> __global__ void k(int n);\n"
            "template __global__ void k<1>(int);\n"
            "template <int N> __global__ void k(int n)",
            "a(); if constexpr (N > 1) { b(); return; } else { c(); } d();");
  assert_non_null(t.func->pattern);
  check(&t, pl_cfg_dominates, "ac ad");
  pl_arena_free(t.arena);
}

static void test_completes(void **state) {
  (void)state;
  graph t = read("for (;;) { if (a()) { b(); continue; } if (c()) { if (n) return; "
                 "else break; } while (d()) { if (n) break; } do { e(); } while (1); }");
  const pl_node *body = node_at(&t, PL_NODE_FOR, "for")->kids[3];
  assert_int_equal(pl_cfg_completes(body->kids[0]), PL_YES);
  assert_int_equal(pl_cfg_completes(body->kids[0]->kids[1]), PL_NO);
  assert_int_equal(pl_cfg_completes(body->kids[1]->kids[1]), PL_NO);
  assert_int_equal(pl_cfg_completes(body->kids[2]), PL_YES);
  assert_int_equal(pl_cfg_completes(body->kids[3]), PL_NO);
  assert_int_equal(pl_cfg_completes(call(&t, 'e')), PL_YES);
  pl_arena_free(t.arena);
}

static void test_forget(void **state) {
  (void)state;
  graph t = read("a(); return; b();");
  assert_int_equal(pl_cfg_dominates(call(&t, 'a'), call(&t, 'b')), PL_UNKNOWN);
  t.func->body->kids[1] = t.func->body->kids[2];
  t.func->body->nkids = 2;
  pl_cfg_forget(t.func->body);
  check(&t, pl_cfg_dominates, "ab");
  assert_null(pl_cfg_jump_out(t.func->body, PL_JUMP_ANY));
  pl_arena_free(t.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_branches),    cmocka_unit_test(test_shortcuts),
      cmocka_unit_test(test_early_return), cmocka_unit_test(test_loops),
      cmocka_unit_test(test_do_continue), cmocka_unit_test(test_once),
      cmocka_unit_test(test_endless),     cmocka_unit_test(test_switch),
      cmocka_unit_test(test_switch_in_loop), cmocka_unit_test(test_goto),
      cmocka_unit_test(test_declaring_condition), cmocka_unit_test(test_lambda),
      cmocka_unit_test(test_discarded_arm), cmocka_unit_test(test_completes),
      cmocka_unit_test(test_forget)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
