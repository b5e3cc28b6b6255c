/* test_reaching_definitions.c - which definitions reach a use, what is set between
 * two places, what is live behind a loop. Definitions are told by their values, and
 * uses by what is stored: `p[1] = x` is the use "1". */
#include "parsed_body.h"

#include "reaching_definitions.h"

static const pl_node *use(const graph *t, int number) {
  pl_str text = pl_arena_printf(t->arena, "p[%d] = ", number);
  return node_at(t, PL_NODE_ASSIGN, pl_arena_cstr(t->arena, text))->kids[1];
}

typedef struct list {
  const graph *t;
  pl_text text;
} list;

static bool add(pl_node *node, void *context) {
  list *l = context;
  pl_text_printf(&l->text, "|%.*s",
                 PL_FMT(node ? pl_unit_slice(l->t->unit, node->range) : PL_STR("-")));
  return true;
}

/* The definitions that reach a use, the last of the text first; "?": not known. */
static void reaches(const graph *t, int number, const char *wanted) {
  list l = {t, {.arena = t->arena}};
  bool known = pl_each_definition(use(t, number), add, &l);
  pl_text_printf(&l.text, "%s", known ? "|" : "?");
  assert_string_equal(pl_arena_cstr(t->arena, pl_text_view(&l.text)), wanted);
}

static pl_decl *variable(const graph *t, const char *name) {
  return node_at(t, PL_NODE_VAR, pl_arena_cstr(t->arena,
             pl_arena_printf(t->arena, "int %s", name)))->decl;
}

static void test_straight(void **state) {
  (void)state;
  graph t = read("int x = 1; p[0] = x; x = 2; p[1] = x; x += 3; p[2] = x; p[3] = n;"
                 "int y; p[4] = y;");
  reaches(&t, 0, "|int x = 1|");
  reaches(&t, 1, "|x = 2;|");
  reaches(&t, 2, "|x += 3;|");
  reaches(&t, 3, "|-|");
  reaches(&t, 4, "|int y|");
  assert_int_equal(pl_reaching_initialiser(use(&t, 0))->ival, 1);
  assert_null(pl_reaching_initialiser(use(&t, 1)));
  assert_null(pl_reaching_initialiser(use(&t, 4)));
  assert_null(pl_reaching_initialiser(use(&t, 3)));
  pl_arena_free(t.arena);
}

static void test_branches(void **state) {
  (void)state;
  graph t = read("int x = 1; if (n) x = 2; p[0] = x; if (n) x = 3; else x = 4;\n"
                 "p[1] = x; n && (x = 5); p[2] = x; x = n ? (x = 6) : 7; p[3] = x;");
  reaches(&t, 0, "|x = 2;|int x = 1|");
  reaches(&t, 1, "|x = 4;|x = 3;|");
  reaches(&t, 2, "|x = 5|x = 4;|x = 3;|");
  reaches(&t, 3, "|x = n ? (x = 6) : 7;|");
  pl_arena_free(t.arena);
}

static void test_loop(void **state) {
  (void)state;
  graph t = read("int x = 0; int y = 0; for (int i = 0; i < n; ++i) { int z = i; p[0] = x; "
                 "p[1] = y; x = i; if (i == 4) continue; y += 2; p[2] = y; p[3] = z; z++; } "
                 "p[4] = x; p[5] = y;");
  reaches(&t, 0, "|x = i;|int x = 0|");
  reaches(&t, 1, "|y += 2;|int y = 0|");
  reaches(&t, 2, "|y += 2;|");
  reaches(&t, 3, "|int z = i|");
  reaches(&t, 4, "|x = i;|int x = 0|");
  assert_ptr_equal(pl_reaching_initialiser(use(&t, 3)),
                   node_at(&t, PL_NODE_VAR, "int z")->decl->init);
  pl_arena_free(t.arena);
}

/* A variable that begins with itself has no value that would lead round and round. */
static void test_no_cycle(void **state) {
  (void)state;
  graph t = read("for (int i = 0; i < n; ++i) { int x = x; p[0] = x; }");
  const pl_decl *x = node_at(&t, PL_NODE_VAR, "int x")->decl;
  assert_ptr_equal(pl_reaching_initialiser(use(&t, 0)), x->init);
  assert_null(pl_reaching_initialiser(x->init));
  pl_arena_free(t.arena);
}

static void test_unknown(void **state) {
  (void)state;
  graph t = read("int x = 1, y = 1, z = 1; int *q = &x; int &r = y; p[0] = x; "
                 "p[1] = y; auto l = [&] { z = 2; }; p[2] = z; p[3] = r; p[4] = *q;");
  for (int i = 0; i < 5; i++)
    reaches(&t, i, "?");
  pl_arena_free(t.arena);
  t = read("int x = 1; asm(\"mov.u32 %0, 1;\" : \"=r\"(x)); p[0] = x;");
  reaches(&t, 0, "|asm(\"mov.u32 %0, 1;\" : \"=r\"(x));|int x = 1|");
  pl_arena_free(t.arena);
  t = read("int x = 1; again: p[0] = x; x = 2; if (n) goto again; p[1] = x;");
  reaches(&t, 0, "|x = 2;|int x = 1|");
  reaches(&t, 1, "|x = 2;|");
  pl_arena_free(t.arena);
}

static void test_between(void **state) {
  (void)state;
  graph t = read("int x = 1; int i = 0; a(); while (b()) { if (n) { c(); x = 2; } else d(); "
                 "e(); i++; } x = 3; f(); i = 7; g();");
  const pl_decl *x = variable(&t, "x");
  const pl_decl *i = variable(&t, "i");
  struct {
    char from, to;
    pl_answer x, i;
  } rows[] = {{'a', 'b', PL_YES, PL_YES}, {'b', 'c', PL_NO, PL_NO},
              {'c', 'e', PL_YES, PL_YES}, {'d', 'e', PL_YES, PL_YES},
              {'e', 'b', PL_NO, PL_YES},  {'b', 'f', PL_YES, PL_NO},
              {'f', 'g', PL_NO, PL_YES},  {'g', 'a', PL_NO, PL_NO},
              {'e', 'c', PL_NO, PL_YES}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    const pl_node *from = call(&t, rows[k].from), *to = call(&t, rows[k].to);
    if (pl_is_set_between(x, from, to) != rows[k].x ||
        pl_is_set_between(i, from, to) != rows[k].i)
      fail_msg("%c to %c", rows[k].from, rows[k].to);
  }
  pl_arena_free(t.arena);
}

static void test_live(void **state) {
  (void)state;
  graph t = read("int x = 0; int y = 0; int z = 0; while (a()) { x = 1; y = 1; "
                 "if (n) break; z = x + y; } if (n) x = 2; y = 3; p[0] = x + y;");
  const pl_node *loop = node_at(&t, PL_NODE_WHILE, "while");
  assert_int_equal(pl_is_live_behind(variable(&t, "x"), loop), PL_YES);
  assert_int_equal(pl_is_live_behind(variable(&t, "y"), loop), PL_NO);
  assert_int_equal(pl_is_live_behind(variable(&t, "z"), loop), PL_NO);
  assert_int_equal(pl_is_live_around(variable(&t, "x"), loop), PL_YES);
  assert_int_equal(pl_is_live_around(variable(&t, "z"), loop), PL_NO);
  pl_arena_free(t.arena);
  t = read("int x = 0; for (int i = 0; i < n; ++i) { while (a()) x += i; p[i] = i; }");
  loop = node_at(&t, PL_NODE_WHILE, "while");
  assert_int_equal(pl_is_live_behind(variable(&t, "x"), loop), PL_YES);
  assert_int_equal(pl_is_live_behind(variable(&t, "x"), loop->parent->parent), PL_NO);
  pl_arena_free(t.arena);
  t = read("const int x = n; auto l = [&] { return x; }; while (a()) p[0] = l(); "
           "p[1] = [&] { return x; }();");
  loop = node_at(&t, PL_NODE_WHILE, "while");
  const pl_decl *x = node_at(&t, PL_NODE_VAR, "const int x")->decl;
  assert_int_equal(pl_is_live_around(x, loop), PL_UNKNOWN);
  const pl_node *inside = node_at(&t, PL_NODE_RETURN, "return x")->kids[0];
  assert_ptr_equal(pl_reaching_initialiser(inside), x->init);
  pl_arena_free(t.arena);
}

static void test_first_use(void **state) {
  (void)state;
  graph t = read("int x = 0; { if (n) x = 1; else x = 2; p[0] = x; } { if (n) x = 1; }"
                 "{ if (n) x = x; } do { x = 4; } while (n); while (n) { x = 5; }"
                 "for (;;) { if (n) break; x = 6; } { n && (x = 7); p[1] = x; }");
  const pl_decl *x = variable(&t, "x");
  const pl_first_use wanted[] = {PL_SETS, PL_NO_USE, PL_READS, PL_SETS, PL_NO_USE,
                                 PL_NO_USE, PL_READS};
  for (uint32_t i = 0; i < 7; i++)
    if (pl_first_use_in(t.func->body->kids[i + 1], x) != wanted[i])
      fail_msg("statement %u", i + 1);
  pl_arena_free(t.arena);
}

static void test_records(void **state) {
  (void)state;
  graph t = read("int4 r; int4 s = r; int x = 0; { r = s; p[0] = r.x; } { r.y = 1; } "
                 "{ p[1] = s.x; } { s = r; int *q = &s.x; }");
  const pl_decl *r = node_at(&t, PL_NODE_VAR, "int4 r")->decl;
  const pl_decl *s = node_at(&t, PL_NODE_VAR, "int4 s")->decl;
  assert_int_equal(pl_first_use_in(t.func->body->kids[3], r), PL_SETS);
  assert_int_equal(pl_first_use_in(t.func->body->kids[4], r), PL_READS);
  assert_int_equal(pl_first_use_in(t.func->body->kids[5], r), PL_NO_USE);
  assert_int_equal(pl_first_use_in(t.func->body->kids[6], s), PL_READS);
  const pl_node *end = t.func->body->kids[6];
  assert_int_equal(pl_is_set_between(r, t.func->body->kids[5], end), PL_NO);
  assert_int_equal(pl_is_set_between(r, t.func->body->kids[4], end), PL_YES);
  assert_int_equal(pl_is_set_between(s, t.func->body->kids[5], end), PL_UNKNOWN);
  pl_arena_free(t.arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_straight), cmocka_unit_test(test_branches),
      cmocka_unit_test(test_loop),     cmocka_unit_test(test_no_cycle),
      cmocka_unit_test(test_unknown),  cmocka_unit_test(test_between),
      cmocka_unit_test(test_live),     cmocka_unit_test(test_first_use),
      cmocka_unit_test(test_records)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
