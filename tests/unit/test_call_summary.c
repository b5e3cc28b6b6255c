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

/* `*` at a name's end is any end; so that is the operator `*` itself. */
static void test_operators(void **state) {
  (void)state;
  static const struct {
    const char *name;
    pl_leads leads;
  } rows[] = {{"operator*", PL_LEADS_PART},      {"operator*=", PL_LEADS_ANYWHERE},
              {"operator->", PL_LEADS_PART},     {"operator=", PL_LEADS_ANYWHERE},
              {"operator()", PL_LEADS_ANYWHERE}, {"operator[]", PL_LEADS_PART},
              {"min<int>", PL_LEADS_ARGUMENTS},  {"minimum", PL_LEADS_ANYWHERE}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    pl_node call = {.kind = PL_NODE_CALL,
                    .name = {rows[i].name, strlen(rows[i].name)}};
    assert_int_equal(pl_builtin_of(&call)->leads, rows[i].leads);
  }
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

/* ---- what functions come to ----------------------------------------------- */

static bool is_assembly(const pl_unit *unit, const pl_node *node) {
  (void)unit;
  return node->kind == PL_NODE_ASM;
}

static pl_func *function(const graph *t, const char *name) {
  for (uint32_t i = 0; i < t->unit->nfuncs; i++)
    if (pl_str_is(t->unit->funcs[i]->name, name))
      return t->unit->funcs[i];
  fail_msg("no function '%s'", name);
  return NULL;
}

static bool shows(const graph *t, const char *name) {
  return pl_function_shows(t->unit, function(t, name), is_assembly) != NULL;
}

#define ASM "{ asm(\"mov.u32 %0, %0;\" : \"+r\"(i)); return i; }\n"

/* Nine calls deep, which is as good as one. */
static void test_depth(void **state) {
  (void)state;
  graph t = parse("__device__ int d9(int i) " ASM
                  "__device__ int d8(int i) { return d9(i); }\n"
                  "__device__ int d7(int i) { return d8(i) + d8(i); }\n"
                  "__device__ int d6(int i) { return d7(i) + d7(i); }\n"
                  "__device__ int d5(int i) { return d6(i) + d6(i); }\n"
                  "__device__ int d4(int i) { return d5(i) + d5(i); }\n"
                  "__device__ int d3(int i) { return d4(i) + d4(i); }\n"
                  "__device__ int d2(int i) { return d3(i) + d3(i); }\n"
                  "__device__ int d1(int i) { return d2(i) + d2(i); }\n" K,
                  "n = d1(n); p[0] = n;");
  assert_true(shows(&t, "d1"));
  assert_true(pl_may_call(t.unit, t.func, function(&t, "d9")));
  assert_false(pl_may_call(t.unit, function(&t, "d9"), t.func));
  pl_node *at = pl_text_shows(t.unit, t.func->body, is_assembly);
  assert_ptr_equal(at, first_call(&t, "d1"));
  assert_int_equal(pl_call_shows(t.unit, at, is_assembly)->kind, PL_NODE_ASM);
}

/* Of functions that call each other, each shows what any does. */
static void test_circles(void **state) {
  (void)state;
  graph t = parse("__device__ int odd(int);\n"
                  "__device__ int low(int i) " ASM
                  "__device__ int even(int i) { return i ? odd(i - 1) : 1; }\n"
                  "__device__ int odd(int i) { return i ? even(i - 1) : low(i); }\n"
                  "__device__ int down(int i) { return i ? down(i - 1) : 0; }\n" K,
                  "n = even(n) + down(n);");
  assert_true(shows(&t, "even"));
  assert_true(shows(&t, "odd"));
  assert_false(shows(&t, "down"));
  assert_true(pl_may_call(t.unit, function(&t, "even"), function(&t, "low")));
  assert_false(pl_may_call(t.unit, function(&t, "low"), function(&t, "even")));
}

/* Calls under other names: an operator, a constructor, an overload, what a template's
 * arguments choose, a function that is handed on, and a lambda. */
static void test_other_names(void **state) {
  (void)state;
  graph t = parse(
      "struct N { int v; __device__ N(int i) : v(i) {} };\n"
      "__device__ N operator+(N a, int i) "
      "{ asm(\"mov.u32 %0, %0;\" : \"+r\"(i)); return N(i); }\n"
      "__device__ int sum(int i) { N a(i); return (a + i).v; }\n"
      "__device__ int of(float x) { return x; }\n"
      "__device__ int of(int i) " ASM
      "__device__ int floats(float x) { return of(x); }\n"
      "__device__ int ints(int i) { return of(i); }\n"
      "template <class T> __device__ int any(T x) { return of(x); }\n"
      "__device__ int any_float(float x) { return any(x); }\n"
      "__device__ int any_int(int i) { return any(i); }\n"
      "__device__ int apply(int (*f)(int), int i) { return f(i); }\n"
      "__device__ int handed(int i) { return apply(ints, i); }\n"
      "__device__ int held(int i) "
      "{ auto f = [&] { return ints(i); }; return f(); }\n" K,
      "n = sum(n) + floats(1.f) + handed(n) + held(n) + any_float(1.f) + any_int(n);");
  assert_true(shows(&t, "sum"));
  assert_false(shows(&t, "floats"));
  assert_true(shows(&t, "ints"));
  assert_false(shows(&t, "any_float"));
  assert_true(shows(&t, "any_int"));
  assert_false(shows(&t, "apply"));
  assert_true(shows(&t, "handed"));
  assert_true(shows(&t, "held"));
}

/* ---- what they do, to a fixed point ---------------------------------------- */

/* "read q, write q": where, and of what, without the thread's own; each once. */
static void does(const graph *t, const char *text, const char *expected) {
  static const char *const kinds[] = {
      "read",  "write",  "atomic", "barrier", "special", "fence", "volatile",
      "async", "unseen", "escape", "asm",     "side",    "end",   "warp",
      "warp barrier"};
  pl_effects effects = {0};
  pl_text out = {.arena = t->arena};
  pl_effects_of(pl_effect_context_new(t->unit), t->func, first_call(t, text),
                &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    const pl_decl *of = effect->root.decl;
    bool place =
        effect->kind <= PL_EFFECT_ATOMIC || effect->kind == PL_EFFECT_ESCAPE;
    pl_str name = !place ? PL_STR("") : of ? of->name : PL_STR("?");
    pl_str one = pl_arena_printf(t->arena, "%s%s%.*s%.*s", kinds[effect->kind],
                                 place ? " " : "", PL_FMT(name),
                                 PL_FMT(effect->root.member));
    if ((place && effect->space == PL_SPACE_LOCAL) ||
        pl_str_has(pl_text_view(&out), pl_arena_cstr(t->arena, one)))
      continue;
    pl_text_printf(&out, "%s%.*s", out.n ? ", " : "", PL_FMT(one));
  }
  if (!pl_str_is(pl_text_view(&out), expected))
    fail_msg("%s\n  does '%.*s'\n  not '%s'", text, PL_FMT(pl_text_view(&out)),
             expected);
}

static void test_recursion(void **state) {
  (void)state;
  graph t = parse(
      "__device__ void fill(int *p, int i) { if (i) fill(p, i - 1); p[i] = 0; }\n"
      "__device__ int last(const int *p, int i) { return i ? last(p + 1, i - 1) : *p; }\n"
      "__device__ int *step(int *p, int i) { return i ? step(p + 1, i - 1) : p; }\n"
      "__device__ void turn(int *a, int *b, int i) "
      "{ if (i) turn(b, a, i - 1); else *a = 1; }\n"
      "__device__ void to(int *&at, int *end, int i) "
      "{ if (i) to(at, end, i - 1); else at = end; }\n"
      "__device__ int sum(int i) { return i ? i + sum(i - 1) : 0; }\n"
      "struct List { List *next; int v; };\n"
      "__device__ void each(List *l) { if (l) { l->v = 0; each(l->next); } }\n"
      "__global__ void k(int n, int *p, int *q, int *r, List *l)",
      "fill(p, n); n = last(q, n); *step(r, n) = 1; turn(p, q, n); n = sum(n);\n"
      "int *x = p; to(x, r, n); *x = 1; each(l);");
  does(&t, "fill", "write p");
  does(&t, "last", "read q");
  does(&t, "sum", "");
  does(&t, "turn", "write p, write q");
  does(&t, "each", "write l, read l, write l*, read l*");
  pl_roots roots = {0};
  pl_roots_of(pl_effect_context_new(t.unit), t.func, first_call(&t, "step"), &roots);
  assert_int_equal(roots.n, 1);
  assert_true(pl_str_is(roots.items[0].decl->name, "r"));
  pl_effects effects = {0};
  pl_effects_of(pl_effect_context_new(t.unit), t.func,
                node_at(&t, PL_NODE_ASSIGN, "*x = 1"), &effects);
  assert_int_equal(effects.n, 3); /* read x, write p, write r */
}

/* Three functions in a ring, another ring in it, and what all of them come to. */
static void test_mutual_recursion(void **state) {
  (void)state;
  graph t = parse(
      "__device__ void hidden(int *p);\n"
      "__device__ void a2(int *p, int *q, int i);\n"
      "__device__ void a3(int *p, int *q, int i);\n"
      "__device__ void in(int *q, int i) { if (i) in(q, i - 1); q[1] = 2; }\n"
      "__device__ void a1(int *p, int *q, int i) { if (i) a2(p, q, i - 1); }\n"
      "__device__ void a2(int *p, int *q, int i) { a3(p, q, i - 1); a2(p, q, 0); }\n"
      "__device__ void a3(int *p, int *q, int i) "
      "{ p[0] = 1; if (i) a1(q, p, i); in(q, i); __syncthreads(); }\n"
      "__device__ void c2(int *p, int i);\n"
      "__device__ void c1(int *p, int i) { if (i) c2(p, i); }\n"
      "__device__ void c2(int *p, int i) { if (i) c1(p, i - 1); else hidden(p); }\n"
      "__global__ void k(int n, int *p, int *q)",
      "a1(p, q, n); a2(p, q, n); c1(p, n); c2(q, n);");
  does(&t, "a1", "write p, write q, barrier");
  does(&t, "a2", "write p, write q, barrier");
  does(&t, "c1", "escape p, unseen");
  does(&t, "c2", "escape q, unseen");
}

/* A function that may end the thread, or the program, says so to who calls it. */
static void test_never_returns(void **state) {
  (void)state;
  graph t = parse(
      "__device__ void stop(int i) { if (i) stop(i - 1); else __trap(); }\n"
      "__device__ void leave() { asm volatile(\"exit;\"); }\n"
      "__device__ void spin() { for (;;) {} }\n"
      "__device__ int both(int i) { stop(i); return i; }\n" K,
      "n = both(n); leave(); spin();");
  does(&t, "both", "end");
  assert_true(has_effect(&t, "leave", PL_EFFECT_SIDE) ||
              has_effect(&t, "leave", PL_EFFECT_ASM));
  does(&t, "spin", "");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rows), cmocka_unit_test(test_scopes),
      cmocka_unit_test(test_namesakes), cmocka_unit_test(test_operators), cmocka_unit_test(test_depth),
      cmocka_unit_test(test_circles), cmocka_unit_test(test_other_names),
      cmocka_unit_test(test_recursion), cmocka_unit_test(test_mutual_recursion),
      cmocka_unit_test(test_never_returns)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
