/* test_points_to.c - what may lead to an object, in the cases of the textbooks.
 *
 * Each asks for the holders of one object of a kernel `k`: "p" holds an address of it,
 * "p&" is a name of a part of it, "!" that its address is stored in other memory. */
#include "parsed_body.h"

#include "points_to.h"

static const pl_decl *declared(const graph *t, const char *name) {
  for (uint32_t i = 0; i < t->func->nparams; i++)
    if (pl_str_is(t->func->params[i]->name, name))
      return t->func->params[i];
  return node_at(t, PL_NODE_VAR, name)->decl;
}

static bool find_named(pl_node *node, void *context) {
  node_search *w = context;
  if (node->kind == PL_NODE_VAR && node->decl && !w->node &&
      pl_str_is(node->decl->name, w->text))
    w->node = node;
  return !w->node;
}

static const pl_decl *object_named(const graph *t, const char *name) {
  node_search w = {t, PL_NODE_VAR, name, NULL};
  pl_node_walk(t->func->body, find_named, &w);
  return w.node ? w.node->decl : declared(t, name);
}

static int by_name(const void *a, const void *b) {
  const pl_holder *one = a, *other = b;
  pl_str x = one->decl->name, y = other->decl->name;
  int order = memcmp(x.p, y.p, x.n < y.n ? x.n : y.n);
  return order ? order : (int)x.n - (int)y.n;
}

/* Who leads to `object` in `body`, with `head` ahead of the kernel. */
static void holders_in(const char *head, const char *body, const char *object,
                       const char *expected) {
  pl_str before = PL_STR("");
  graph t = parse(head, body);
  pl_holders holders = {0};
  pl_loop loop = {.arena = t.arena, .unit = t.unit, .func = t.func,
                  .node = t.func->body, .body = t.func->body,
                  .effects = pl_effect_context_new(t.unit)};
  pl_text out = {.arena = t.arena};
  pl_find_holders(&loop, object_named(&t, object), &holders);
  qsort(holders.items, holders.n, sizeof *holders.items, by_name);
  for (size_t i = 0; i < holders.n; i++) {
    const pl_holder *h = &holders.items[i];
    pl_text_printf(&out, "%s%.*s%s", out.n ? " " : "", PL_FMT(h->decl->name),
                   h->names ? h->holds ? "*&" : "&" : "");
  }
  pl_text_printf(&out, "%s", holders.stored_at ? " !" : "");
  before = pl_text_view(&out);
  if (!pl_str_is(before, expected))
    fail_msg("%s\n  %s is led to by '%.*s', not '%s'", body, object,
             PL_FMT(before), expected);
  pl_arena_free(t.arena);
}

static const char kernel[] = "__global__ void k(float *out, int n)";

static void leads(const char *body, const char *object, const char *expected) {
  holders_in(kernel, body, object, expected);
}

/* p = &a; p = q; p = *r; *p = q: Andersen's four constraints. */
static void test_andersen(void **state) {
  (void)state;
  leads("int x = 1, y = 2; int *p = &x, *q = p; q = q + n; out[0] = *q + y;",
        "x", "p q");
  leads("int x = 1, y = 2; int *p = &x, *q = p; out[0] = *q + y;", "y", "");
  leads("int x = 1; int *p = &x, **r = &p; int *q = *r; out[0] = *q;", "x", "p q");
  leads("int x = 1, y = 2; int *p = &x, *s = &y, **r = &s; *r = p; int *q = s;"
        "out[0] = *q;", "x", "p q s");
  leads("int x = 1; int *p = &x, **r = &p, ***s = &r; int *q = **s; out[0] = *q;",
        "p", "r");
}

static void test_swap_in_a_loop(void **state) {
  (void)state;
  leads("__shared__ float a[8], b[8]; float *p = a, *q = b;"
        "for (int i = 0; i < n; i++) { float *t = p; p = q; q = t; }"
        "out[0] = *p;", "a", "p q t");
}

/* Through pointers, by turns: what either may be is both. */
static void test_swap_by_pointers(void **state) {
  (void)state;
  leads("int a = 1, b = 2; int *p = &a, *q = &b, **x = &p, **y = &q;"
        "for (int i = 0; i < n; i++) { int *t = *x; *x = *y; *y = t; }"
        "out[0] = *p;", "a", "p q t");
}

static void test_references(void **state) {
  (void)state;
  leads("int x = 1; int &r = x; int &s = r; s = 2; out[0] = x;", "x", "r& s&");
  leads("int x = 1, y = 2; int &r = n ? x : y; out[0] = r;", "y", "r&");
  leads("int x = 1; int *p = nullptr; int *&r = p; r = &x; out[0] = *p;", "x",
        "p r");
  leads("int x = 1; int y = x; out[0] = y;", "x", "");
}

static void test_arrays_and_members(void **state) {
  (void)state;
  leads("int x = 1; int *ps[4]; ps[n] = &x; int *q = ps[0]; out[0] = *q;", "x",
        "ps q");
  leads("struct S { int *at; int by; } s; int x = 1; s.at = &x; int *q = s.at;"
        "out[0] = *q;", "x", "q s");
  leads("struct S { int *at; S *next; } s, u; int x = 1; s.at = &x; s.next = &u;"
        "u.next = &s; int *q = u.next->at; out[0] = *q;", "x", "q s");
  leads("__shared__ float t[4][8]; float (&row)[8] = t[n]; out[0] = row[0];", "t",
        "row&");
}

/* An address is one also as a number; how far apart two are is none. */
static void test_casts(void **state) {
  (void)state;
  leads("__shared__ float t[8]; unsigned long a = (unsigned long)&t[n];"
        "unsigned long b = a + 16; char *c = (char *)b; out[0] = *c;", "t", "a b c");
  leads("__shared__ float t[8]; float *p = t + n; int d = (int)(p - t);"
        "out[0] = d;", "t", "p");
  leads("__shared__ int t[8]; int v = t[n]; float f = t[0]; out[0] = v + f;", "t",
        "");
}

static void test_self_reference(void **state) {
  (void)state;
  leads("struct L { L *next; int v; } l; l.next = &l; L *p = l.next->next->next;"
        "while (n--) p = p->next; out[0] = p->v;", "l", "l p");
}

static void test_calls(void **state) {
  (void)state;
  const char *head =
      "__device__ int *kept;\n"
      "__device__ int *same(int *p) { return p; }\n"
      "__device__ void give(int **to, int *p) { *to = p; }\n"
      "__device__ void bind(int *&to, int *p) { to = p; }\n"
      "__device__ void keep(int *p) { kept = p; }\n"
      "__device__ void pass(int *p, int depth) {"
      " if (depth) pass(p + 1, depth - 1); else keep(p); }\n"
      "__device__ int first(const int &a, int b) { return a < b ? a : b; }\n"
      "struct Holder { int *at; __device__ void set(int *p) { at = p; }"
      " __device__ int *get() const { return at; } };\n"
      "__global__ void k(float *out, int n)";
  holders_in(head, "int x = 1; int *p = same(&x); out[0] = *p;", "x", "p");
  holders_in(head, "int x = 1; int *q; give(&q, &x); int *p = q; out[0] = *p;",
             "x", "p q");
  holders_in(head, "int x = 1; int *q; bind(q, &x); int *p = q; out[0] = *p;",
             "x", "p q");
  holders_in(head, "int x = 1; keep(&x); out[0] = x;", "x", " !");
  holders_in(head, "int x = 1; pass(&x, n); out[0] = x;", "x", " !");
  holders_in(head, "int x = 1; int y = first(x, n); out[0] = y;", "x", "");
  holders_in(head, "int x = 1; Holder h; h.set(&x); int *p = h.get(); out[0] = *p;",
             "x", "h p");
}

/* What nobody sees may give back what it is handed. */
static void test_unseen_calls(void **state) {
  (void)state;
  const char *head = "__device__ int *unseen(int *p);\n"
                     "__global__ void k(float *out, int n)";
  holders_in(head, "int x = 1; int *p = unseen(&x); out[0] = *p;", "x", "p");
}

static void test_lambdas(void **state) {
  (void)state;
  leads("int x = 1; int *q = nullptr; auto f = [&](int *p) { q = p; }; f(&x);"
        "out[0] = *q;", "x", "f p q");
  leads("int x = 1; auto f = [&]() { return x; }; out[0] = f();", "x", "f");
  leads("int x = 1; int *q = nullptr; auto f = [&](int &r) { q = &r; }; f(x);"
        "out[0] = *q;", "x", "f q r&");
}

static void test_stores(void **state) {
  (void)state;
  holders_in("__global__ void k(int **out, int n)",
             "int x = 1; out[n] = &x;", "x", " !");
  holders_in("__global__ void k(int **out, int n)",
             "__shared__ int *s[4]; int x = 1; s[n] = &x; out[0] = s[0];", "x", " !");
  leads("int x = 1; unsigned a = n;"
        "asm volatile(\"mov.u32 %0, %1;\" : \"=r\"(a) : \"r\"((unsigned)(long)&x));"
        "out[0] = a;", "x", "a");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_andersen),
      cmocka_unit_test(test_swap_in_a_loop),
      cmocka_unit_test(test_swap_by_pointers),
      cmocka_unit_test(test_references),
      cmocka_unit_test(test_arrays_and_members),
      cmocka_unit_test(test_casts),
      cmocka_unit_test(test_self_reference),
      cmocka_unit_test(test_calls),
      cmocka_unit_test(test_unseen_calls),
      cmocka_unit_test(test_lambdas),
      cmocka_unit_test(test_stores),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
