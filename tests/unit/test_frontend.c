/* test_frontend.c - what pl_parse says about small sources. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "frontend.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct parsed {
  pl_arena *arena;
  pl_unit *unit;
} parsed;

static parsed parse_args(const char *text, const char *const *args,
                         size_t nargs) {
  parsed result = {.arena = pl_arena_new(abort)};
  pl_parse_request request = {.path = "test.cu",
                              .text = {text, strlen(text)},
                              .args = args,
                              .nargs = nargs,
                              .arch = 80};
  pl_str error;
  result.unit = pl_parse(result.arena, &request, &error);
  assert_non_null(result.unit);
  return result;
}

static parsed parse(const char *text) { return parse_args(text, NULL, 0); }

static void done(parsed *result) { pl_arena_free(result->arena); }

static pl_func *func_named(const parsed *in, const char *name) {
  for (uint32_t i = 0; i < in->unit->nfuncs; i++)
    if (pl_str_is(in->unit->funcs[i]->name, name))
      return in->unit->funcs[i];
  fail_msg("no function %s", name);
  return NULL;
}

/* The first node of a kind whose text is `text`. */
typedef struct search {
  const pl_unit *unit;
  pl_node_kind kind;
  const char *text;
  pl_node *found;
} search;

static bool match(pl_node *node, void *context) {
  search *in = context;
  if (!in->found && node->kind == in->kind &&
      (!in->text || pl_str_is(pl_unit_slice(in->unit, node->range), in->text)))
    in->found = node;
  return !in->found;
}

static pl_node *find(const parsed *in, const char *func, pl_node_kind kind,
                     const char *text) {
  search at = {in->unit, kind, text, NULL};
  pl_node_walk(func_named(in, func)->body, match, &at);
  if (!at.found)
    fail_msg("no %s '%s'", pl_node_kind_name(kind), text ? text : "");
  return at.found;
}

static void text_is(const parsed *in, pl_range range, const char *text) {
  pl_str found = pl_unit_slice(in->unit, range);
  if (!pl_str_is(found, text))
    fail_msg("'%.*s' is not '%s'", PL_FMT(found), text);
}

static void kid_texts(const parsed *in, const pl_node *node, uint32_t n,
                      const char *const *texts) {
  assert_int_equal(node->nkids, n);
  for (uint32_t i = 0; i < n; i++) {
    if (!texts[i])
      assert_null(node->kids[i]);
    else
      text_is(in, node->kids[i]->range, texts[i]);
  }
}

#define KIDS(in, node, ...)                                                    \
  kid_texts((in), (node),                                                      \
            sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *),       \
            (const char *const[]){__VA_ARGS__})

static pl_decl *variable(const parsed *in, const char *func, const char *name) {
  search at = {in->unit, PL_NODE_VAR, NULL, NULL};
  pl_func *owner = func_named(in, func);
  for (uint32_t i = 0; i < owner->body->nkids; i++) {
    pl_node *stmt = owner->body->kids[i];
    for (uint32_t j = 0; j < stmt->nkids && stmt->kind == PL_NODE_DECL_STMT;
         j++)
      if (pl_str_is(stmt->kids[j]->name, name))
        at.found = stmt->kids[j];
  }
  if (!at.found)
    fail_msg("no variable %s", name);
  return at.found->decl;
}

static int64_t dim(const pl_decl *decl, uint32_t i) {
  int64_t value = -1;
  assert_true(i < decl->ndims);
  return pl_node_eval(decl->dims[i], NULL, NULL, &value) ? value : -1;
}

/* ---- statements --------------------------------------------------------- */

static void test_for_parts(void **state) {
  (void)state;
  parsed in = parse("__global__ void k(int n) { int i = 0, s = 0;\n"
                    "for (;;) { if (i) break; }\n"
                    "for (; i < n;) i++;\n"
                    "for (i = 1;; ++i) s;\n"
                    "for (int j = 0; j < n; j += 2) { s += j; } }\n");
  assert_int_equal(in.unit->nproblems, 0);
  pl_node *body = func_named(&in, "k")->body;
  KIDS(&in, body->kids[1], NULL, NULL, NULL, "{ if (i) break; }");
  KIDS(&in, body->kids[2], NULL, "i < n", NULL, "i++;");
  KIDS(&in, body->kids[3], "i = 1;", NULL, "++i", "s;");
  KIDS(&in, body->kids[4], "int j = 0;", "j < n", "j += 2", "{ s += j; }");
  text_is(&in, body->kids[2]->range, "for (; i < n;) i++;");
  done(&in);
}

static void test_control(void **state) {
  (void)state;
  parsed in = parse("__global__ void k(int n) { int i = 0;\n"
                    "if (n) i = 1; else if (i) { i = 2; } else i = 3;\n"
                    "while (i) i--;\n"
                    "do i++; while (i < n);\n"
                    "switch (n) { case 1: i = 1; break; default: i = 2; }\n"
                    "goto out; out: ; return; }\n");
  assert_int_equal(in.unit->nproblems, 0);
  pl_node *body = func_named(&in, "k")->body;
  KIDS(&in, body->kids[1], "n", "i = 1;", "if (i) { i = 2; } else i = 3;");
  KIDS(&in, body->kids[2], "i", "i--;");
  KIDS(&in, body->kids[3], "i++;", "i < n");
  text_is(&in, body->kids[3]->range, "do i++; while (i < n);");
  KIDS(&in, find(&in, "k", PL_NODE_CASE, "default: i = 2;"), NULL, "i = 2;");
  assert_true(pl_str_is(body->kids[5]->name, "out"));
  assert_int_equal(body->kids[6]->kind, PL_NODE_LABEL);
  text_is(&in, body->kids[7]->range, "return;");
  done(&in);
}

/* ---- expressions -------------------------------------------------------- */

static void test_operators(void **state) {
  (void)state;
  parsed in = parse("#include <cuda_fp16.h>\n"
                    "__global__ void k(half *h, float4 *v, float *f) {\n"
                    "h[0] = h[1] * h[2] + h[3]; h[0] += h[1];\n"
                    "v[0] = v[1]; f[0] = h[2]; f[1] -= f[0] ? 1 : 0; }\n");
  pl_node *body = func_named(&in, "k")->body;
  pl_node *sum = body->kids[0];
  assert_int_equal(sum->kind, PL_NODE_ASSIGN);
  assert_int_equal(sum->kids[1]->kind, PL_NODE_BINARY);
  assert_int_equal(sum->kids[1]->op, PL_OP_ADD);
  text_is(&in, sum->kids[1]->op_range, "+");
  text_is(&in, sum->kids[1]->kids[0]->range, "h[1] * h[2]");
  assert_int_equal(body->kids[1]->op, PL_OP_ADD);
  text_is(&in, body->kids[1]->op_range, "+=");
  KIDS(&in, body->kids[2], "v[0]", "v[1]");
  assert_int_equal(body->kids[2]->kids[1]->kind, PL_NODE_SUBSCRIPT);
  assert_int_equal(body->kids[3]->kids[1]->kind, PL_NODE_SUBSCRIPT);
  done(&in);
}

static void test_calls_and_members(void **state) {
  (void)state;
  parsed in = parse("#include <cooperative_groups.h>\n"
                    "namespace cg = cooperative_groups;\n"
                    "__device__ int f(int a) { return a; }\n"
                    "__global__ void k(int *p) {\n"
                    "auto block = cg::this_thread_block();\n"
                    "block.sync(); p[threadIdx.x] = f(p[0]) + (int)2.f; }\n");
  assert_int_equal(in.unit->nproblems, 0);
  pl_node *sync = find(&in, "k", PL_NODE_CALL, "block.sync();");
  assert_int_equal(sync->kids[0]->kind, PL_NODE_MEMBER);
  assert_true(pl_str_is(sync->name, "sync"));
  assert_true(pl_str_is(sync->decl->qualified,
                        "cooperative_groups::thread_block::sync"));
  pl_node *index = find(&in, "k", PL_NODE_MEMBER, "threadIdx.x");
  assert_true(pl_str_is(index->kids[0]->name, "threadIdx"));
  assert_true(index->type->is_unsigned && index->type->size == 4);
  pl_node *call = find(&in, "k", PL_NODE_CALL, "f(p[0])");
  assert_ptr_equal(call->decl->func, func_named(&in, "f"));
  KIDS(&in, call, "f", "p[0]");
  pl_node *cast = find(&in, "k", PL_NODE_CAST, "(int)2.f");
  assert_true(pl_str_is(cast->type->spelling, "int"));
  done(&in);
}

static void test_init_lists_and_asm(void **state) {
  (void)state;
  parsed in = parse("__global__ void k(float *p) {\n"
                    "float4 v = {0, 1, 2, 3}; float acc[2][3] = {};\n"
                    "float4 w = float4{1, 2, 3, 4};\n"
                    "auto g = [&](int i) { return p[i]; };\n"
                    "asm volatile(\"x %0;\" ::\"l\"(p) : \"memory\");\n"
                    "asm(\"y %0, %1;\" : \"+f\"(v.x), \"=f\"(v.y) : "
                    "\"f\"(w.x));\n"
                    "p[0] = g(1) + v.x + w.y + acc[0][1]; }\n");
  assert_int_equal(in.unit->nproblems, 0);
  KIDS(&in, variable(&in, "k", "v")->init, "0", "1", "2", "3");
  assert_int_equal(variable(&in, "k", "acc")->init->kind, PL_NODE_INIT_LIST);
  assert_int_equal(variable(&in, "k", "w")->init->kind, PL_NODE_CONSTRUCT);
  pl_node *text = find(&in, "k", PL_NODE_ASM, NULL);
  KIDS(&in, text, "p");
  assert_int_equal(text->ival, 0);
  const char *second =
      "asm(\"y %0, %1;\" : \"+f\"(v.x), \"=f\"(v.y) : \"f\"(w.x));";
  text = find(&in, "k", PL_NODE_ASM, second);
  assert_int_equal(text->ival, 2);
  assert_int_equal(find(&in, "k", PL_NODE_CALL, "g(1)")->nkids, 2);
  done(&in);
}

/* The variable of a range-based loop over an array is an element of that. */
static void test_range_loops(void **state) {
  (void)state;
  parsed in = parse("__global__ void k(float *p) {\n"
                    "float s[4][2]; for (auto &row : s) for (float v : row)\n"
                    "p[0] += v; }\n");
  assert_int_equal(in.unit->nproblems, 0);
  pl_node *row = find(&in, "k", PL_NODE_VAR, "auto &row :");
  pl_node *v = find(&in, "k", PL_NODE_VAR, "float v :");
  assert_int_equal(row->decl->init->kind, PL_NODE_SUBSCRIPT);
  assert_ptr_equal(row->decl->init->kids[0]->decl, variable(&in, "k", "s"));
  assert_ptr_equal(v->decl->init->kids[0]->decl, row->decl);
  assert_true(pl_node_is_array_range(find(&in, "k", PL_NODE_RANGE_FOR, NULL)));
  done(&in);
}

/* ---- declarations ------------------------------------------------------- */

static void test_shared_arrays(void **state) {
  (void)state;
  parsed in = parse("#define TS 16\nconstexpr int BN = TS * 2;\n"
                    "typedef float tile_t[4][TS];\n"
                    "__global__ void k(float *p) {\n"
                    "__shared__ __align__(16) float As[TS][TS + 1];\n"
                    "__shared__ tile_t Bs[2]; extern __shared__ float dyn[];\n"
                    "__shared__ alignas(float4) float Cs[BN];\n"
                    "const int n = BN + 1; float a[] = {1, 2, 3};\n"
                    "p[0] = As[0][0] + Bs[0][1][2] + dyn[n] + Cs[1] + a[0];}");
  assert_int_equal(in.unit->nproblems, 0);
  pl_decl *as = variable(&in, "k", "As");
  assert_true(as->is_shared && !as->is_static && !as->from_macro);
  assert_int_equal(as->align_attr, 16);
  assert_int_equal(as->ndims, 2);
  assert_int_equal(dim(as, 0), 16);
  assert_int_equal(dim(as, 1), 17);
  text_is(&in, as->dims[1]->range, "TS + 1");
  text_is(&in, as->name_range, "As");
  pl_decl *bs = variable(&in, "k", "Bs");
  assert_int_equal(bs->ndims, 3);
  assert_int_equal(dim(bs, 0), 2);
  assert_int_equal(dim(bs, 2), 16);
  pl_decl *dyn = variable(&in, "k", "dyn");
  assert_true(dyn->is_shared && dyn->is_extern);
  assert_int_equal(dyn->ndims, 1);
  assert_null(dyn->dims[0]);
  assert_int_equal(variable(&in, "k", "Cs")->align_attr, 16);
  assert_int_equal(variable(&in, "k", "n")->value, 33);
  assert_int_equal(dim(variable(&in, "k", "a"), 0), 3);
  done(&in);
}

static void test_types(void **state) {
  (void)state;
  parsed in = parse("#include <cuda_fp16.h>\nstruct S { int a; char b; };\n"
                    "__global__ void k(const float *__restrict__ a, half *h,\n"
                    "const S &s, unsigned char c, float4 v) {}");
  pl_func *k = func_named(&in, "k");
  assert_int_equal(k->nparams, 5);
  assert_true(k->params[0]->type->is_restrict);
  assert_true(k->params[0]->type->element->is_const);
  assert_true(k->params[1]->type->element->is_trivially_copyable);
  assert_int_equal(k->params[1]->type->element->size, 2);
  assert_int_equal(k->params[2]->type->kind, PL_TYPE_REFERENCE);
  assert_int_equal(k->params[2]->type->element->size, 8);
  assert_true(k->params[3]->type->is_unsigned);
  assert_int_equal(k->params[4]->type->align, 16);
  done(&in);
}

/* ---- macros ------------------------------------------------------------- */

static void test_macro_arguments(void **state) {
  (void)state;
  parsed in = parse("#define F4(p) (reinterpret_cast<float4 *>(&(p))[0])\n"
                    "__global__ void k(float *A, int i, int j) {\n"
                    "__shared__ float As[64];\n"
                    "F4(As[i]) = F4(A[j]); }");
  pl_node *copy = find(&in, "k", PL_NODE_ASSIGN, "F4(As[i]) = F4(A[j]);");
  assert_false(copy->from_macro);
  text_is(&in, copy->op_range, "=");
  text_is(&in, copy->kids[0]->range, "F4(As[i])");
  assert_true(copy->kids[0]->from_macro);
  pl_node *inner = find(&in, "k", PL_NODE_SUBSCRIPT, "As[i]");
  assert_false(inner->from_macro);
  KIDS(&in, inner, "As", "i");
  pl_node *wide = pl_node_bare(copy->kids[0]);
  assert_int_equal(wide->kind, PL_NODE_SUBSCRIPT);
  assert_int_equal(wide->kids[0]->kind, PL_NODE_CAST);
  assert_int_equal(wide->kids[0]->kids[0]->op, PL_OP_ADDR);
  done(&in);
}

static void test_macro_bodies(void **state) {
  (void)state;
  parsed in =
      parse("#define LOAD(i) As[i] = A[i]\n"
            "#define SYNC __syncthreads();\n#define ADD(a, b) a + b\n"
            "#define TWICE(s) s s\n#define ID(x) x\n#define NOTHING(x)\n"
            "__global__ void k(float *A, int t) {\n"
            "__shared__ float As[64];\n"
            "LOAD(t); SYNC; A[ADD(t, 1)] = ID(As[t]) + 1.f;\n"
            "TWICE(A[0] += 1.f;) NOTHING(gone away) }");
  assert_int_equal(in.unit->nproblems, 0);
  pl_node *load = find(&in, "k", PL_NODE_ASSIGN, "LOAD(t);");
  assert_true(load->from_macro);
  assert_int_equal(load->op_range.end, 0);
  pl_node *sync = find(&in, "k", PL_NODE_CALL, "SYNC");
  assert_true(sync->from_macro);
  assert_true(find(&in, "k", PL_NODE_BINARY, "ADD(t, 1)")->from_macro);
  pl_node *sum = find(&in, "k", PL_NODE_BINARY, "ID(As[t]) + 1.f");
  text_is(&in, sum->kids[0]->range, "As[t]");
  assert_true(find(&in, "k", PL_NODE_ASSIGN, "A[0] += 1.f;")->from_macro);
  done(&in);
}

/* ---- templates and launches --------------------------------------------- */

static uint32_t instance_named(const pl_func *func, const char *spelling) {
  for (uint32_t i = 0; i < func->ninstances; i++)
    if (pl_str_is(func->instances[i].spelling, spelling))
      return i;
  fail_msg("no instance <%s>", spelling);
  return 0;
}

static void test_instances_and_launches(void **state) {
  (void)state;
  parsed in = parse(
      "template <int B, class T> __global__ void __launch_bounds__(B * 2)\n"
      "k(T *p) { __shared__ T s[B][sizeof(T)]; p[0] = s[0][B]; }\n"
      "namespace n { template <int B> __global__ void q(int *p) { *p = B; }\n"
      "template __global__ void q<5>(int *); }\n"
      "template <int B> void run(int *p) { n::q<B><<<1, B>>>(p); }\n"
      "void host(float *p, int *q) { dim3 block(16, 16); constexpr int T = "
      "64;\n"
      "k<8, float><<<dim3(2), block>>>(p); k<16, float><<<2, T, 4 * T>>>(p);\n"
      "auto f = &k<4, int>; dim3 b(3); b.x = 4; n::q<6><<<1, b>>>(q);\n"
      "run<7>(q); }");
  assert_int_equal(in.unit->nproblems, 0);
  pl_func *k = func_named(&in, "k"), *q = func_named(&in, "q");
  assert_int_equal(k->ninstances, 3);
  const uint32_t eight = instance_named(k, "8, float");
  const uint32_t sixteen = instance_named(k, "16, float");
  const uint32_t four = instance_named(k, "4, int");
  assert_int_equal(k->nlaunches, 2);
  assert_int_equal(k->launches[0].threads, 256);
  assert_int_equal(k->launches[0].shared_bytes, 0);
  assert_int_equal(k->launches[1].threads, 64);
  assert_int_equal(k->launches[1].shared_bytes, 256);
  assert_int_equal(k->launches[1].instance, sixteen);
  assert_int_equal(k->launch_bounds, -1);
  int64_t value;
  assert_true(pl_node_eval(k->launch_bounds_node, k, &k->instances[sixteen],
                           &value));
  assert_int_equal(value, 32);
  pl_decl *s = variable(&in, "k", "s");
  assert_true(pl_node_eval(s->dims[1], k, &k->instances[four], &value));
  assert_int_equal(value, 4);
  assert_int_equal(pl_type_size(s->type->element->element, k, &k->instances[eight]),
                   4);
  assert_int_equal(q->ninstances, 3);
  assert_int_equal(q->nlaunches, 2);
  assert_int_equal(q->launches[0].threads, 7);
  assert_int_equal(q->launches[1].threads, -1);
  done(&in);
}

static void test_dependent_names(void **state) {
  (void)state;
  parsed in = parse("template <class T> __device__ T h(T a) { return a; }\n"
                    "struct Cfg { static constexpr int B = 8; };\n"
                    "template <class C, class T> __global__ void k(T *p) {\n"
                    "__shared__ T s[C::B]; p[0] = h(p[1]) + s[0] * T(2);\n"
                    "p[2] += p[3]; }\n"
                    "void f(float *p) { k<Cfg, float><<<1, 1>>>(p); }");
  assert_int_equal(in.unit->nproblems, 0);
  pl_node *call = find(&in, "k", PL_NODE_CALL, "h(p[1])");
  assert_ptr_equal(call->decl->func, func_named(&in, "h"));
  assert_int_equal(find(&in, "k", PL_NODE_ASSIGN, "p[2] += p[3];")->op,
                   PL_OP_ADD);
  assert_non_null(find(&in, "k", PL_NODE_CAST, "T(2)"));
  pl_func *k = func_named(&in, "k");
  int64_t value;
  pl_decl *s = variable(&in, "k", "s");
  assert_false(pl_node_eval(s->dims[0], k, NULL, &value));
  assert_true(pl_node_eval(s->dims[0], k, &k->instances[0], &value));
  assert_int_equal(value, 8);
  done(&in);
}

/* The functions that a pattern's instantiations are. */
static pl_func *instance_of(const parsed *in, const char *name, uint32_t own) {
  for (uint32_t i = 0; i < in->unit->nfuncs; i++) {
    pl_func *func = in->unit->funcs[i];
    if (func->pattern && func->own == own && pl_str_is(func->name, name))
      return func;
  }
  fail_msg("no instantiation %u of %s", own, name);
  return NULL;
}

static pl_node *find_in(const parsed *in, pl_func *func, pl_node_kind kind,
                        const char *text) {
  search at = {in->unit, kind, text, NULL};
  pl_node_walk(func->body, match, &at);
  if (!at.found)
    fail_msg("no %s '%s'", pl_node_kind_name(kind), text ? text : "");
  return at.found;
}

/* Each instantiation has a tree of its own, with concrete types and callees; the
 * values of all are known in each, and the text's names of types. */
static void test_instantiations(void **state) {
  (void)state;
  parsed in = parse(
      "template <class E, int N> struct Tr { using Elem = E;\n"
      "static constexpr int B = 2 * N; enum { T = N }; };\n"
      "template <class E> struct Zero { static __device__ E of() {\n"
      "return E(0); } };\n"
      "template <> struct Zero<double> { static __device__ double of() {\n"
      "return 0.; } };\n"
      "template <class C> __global__ void k(typename C::Elem *p, int n) {\n"
      "__shared__ typename C::Elem s[C::B][C::T]; int i = C::B;\n"
      "typename C::Elem v = Zero<typename C::Elem>::of();\n"
      "p[n] = *(p + C::B + n) + s[i][C::T] + v + n * sizeof(s); }\n"
      "template __global__ void k<Tr<float, 4>>(float *, int);\n"
      "template __global__ void k<Tr<double, 8>>(double *, int);\n");
  assert_int_equal(in.unit->nproblems, 0);
  assert_int_equal(func_named(&in, "k")->nbodies, 2);
  const int64_t expected[2][4] = {{8, 4, 4, 128}, {16, 8, 8, 1024}};
  for (uint32_t own = 0; own < 2; own++) {
    pl_func *k = instance_of(&in, "k", own);
    pl_node *index = find_in(&in, k, PL_NODE_SUBSCRIPT, "s[i][C::T]");
    pl_decl *s = find_in(&in, k, PL_NODE_REF, "s")->decl;
    assert_int_equal(k->ninstances, 2);
    assert_int_equal(s->type->element->element->kind, PL_TYPE_FLOAT);
    assert_int_equal(s->type->element->element->size, expected[own][2]);
    assert_true(pl_str_is(index->type->written, "typename C::Elem"));
    for (uint32_t other = 0; other < 2; other++) {
      const pl_instance *with = &k->instances[other];
      int64_t value = 0;
      assert_true(pl_node_eval(s->dims[0], k, with, &value));
      assert_int_equal(value, expected[other][0]);
      assert_true(pl_node_eval(s->dims[1], k, with, &value));
      assert_int_equal(value, expected[other][1]);
      assert_int_equal(pl_type_size(s->type->element->element, k, with),
                       expected[other][2]);
      assert_true(pl_node_eval(find_in(&in, k, PL_NODE_SIZEOF, "sizeof(s)"), k,
                               with, &value));
      assert_int_equal(value, expected[other][3]);
    }
    int64_t open;
    assert_false(pl_node_eval(s->dims[0], k, NULL, &open));
    const pl_node *zero = find_in(&in, k, PL_NODE_CALL,
                                  "Zero<typename C::Elem>::of()");
    assert_non_null(zero->decl->func);
    assert_true((zero->decl->func->pattern != NULL) == (own == 0));
  }
  done(&in);
}

/* A reference or volatile that an argument brings; what an `if constexpr` of one
 * instantiation discards is there as another one has it. */
static void test_arguments_in_types(void **state) {
  (void)state;
  parsed in = parse(
      "template <class R> __device__ void put(R r, float v) { r = v; }\n"
      "template <bool B, class T> __global__ void k(T *p, float *q) {\n"
      "if constexpr (B) q[0] = 1; else q[1] = p[0];\n"
      "put<float &>(q[2], 3); }\n"
      "template __global__ void k<true, volatile float>(volatile float *,"
      " float *);\n"
      "template __global__ void k<false, float>(float *, float *);\n");
  assert_int_equal(in.unit->nproblems, 0);
  pl_func *put = instance_of(&in, "put", 0);
  assert_int_equal(put->params[0]->type->kind, PL_TYPE_REFERENCE);
  assert_true(pl_str_is(put->params[0]->type->written, "R"));
  for (uint32_t own = 0; own < 2; own++) {
    pl_func *k = instance_of(&in, "k", own);
    assert_ptr_equal(find_in(&in, k, PL_NODE_CALL, NULL)->decl->func, put);
    assert_int_equal(k->params[0]->type->element->is_volatile, own == 0);
    find_in(&in, k, PL_NODE_ASSIGN, "q[0] = 1;");
    pl_node *other = find_in(&in, k, PL_NODE_ASSIGN, "q[1] = p[0];");
    assert_ptr_equal(other->kids[0]->kids[0]->decl, k->params[1]);
  }
  done(&in);
}

/* What no one is there to say. */
static void test_facts_that_stay_open(void **state) {
  (void)state;
  parsed in = parse(
      "template <class C> __global__ void open(typename C::E *p) {\n"
      "__shared__ typename C::E s[C::B]; p[0] = s[C::B - 1]; }\n");
  assert_int_equal(in.unit->nproblems, 0);
  pl_decl *s = variable(&in, "open", "s");
  int64_t value;
  assert_false(pl_node_eval(s->dims[0], func_named(&in, "open"), NULL, &value));
  assert_int_equal(pl_type_size(s->type->element, func_named(&in, "open"), NULL),
                   -1);
  done(&in);
}

/* Kept constants: the arithmetic is the user's types' own. */
static void test_eval(void **state) {
  (void)state;
  parsed in = parse("__global__ void k(int *p) { p[0] = 7 / 2 * 3 - (1 << 4);\n"
                    "p[1] = -1 < 1u; p[2] = (unsigned char)300;\n"
                    "p[3] = true ? 5 : 6; p[4] = 1 / 0; p[5] = p[0] + 1; }");
  pl_node *body = func_named(&in, "k")->body;
  const struct {
    bool known;
    int64_t value;
  } expected[] = {{true, -7}, {true, 0},  {true, 44},
                  {true, 5},  {false, 0}, {false, 0}};
  for (uint32_t i = 0; i < 6; i++) {
    int64_t value = 0;
    bool known = pl_node_eval(body->kids[i]->kids[1], NULL, NULL, &value);
    assert_int_equal(known, expected[i].known);
    if (known)
      assert_int_equal(value, expected[i].value);
  }
  done(&in);
}

/* ---- problems ----------------------------------------------------------- */

static void test_errors_are_problems(void **state) {
  (void)state;
  parsed in = parse("#include <no/such/header.h>\n"
                    "__global__ void good(int *p) { p[0] = 1; }\n"
                    "__global__ void bad(int *p, int n) {\n"
                    "for (int t = 0; t < n; t += UNKNOWN) p[t] = 1;\n"
                    "p[0] = UNKNOWN; }\n");
  pl_func *good = func_named(&in, "good"), *bad = func_named(&in, "bad");
  unsigned inside = 0, uncovered = 0;
  for (uint32_t i = 0; i < in.unit->nproblems; i++) {
    const pl_problem *problem = &in.unit->problems[i];
    assert_false(pl_range_inside(problem->range, good->range));
    inside += pl_range_inside(problem->range, bad->range);
    uncovered += problem->uncovered;
  }
  assert_true(inside >= 3);
  assert_true(uncovered >= 1);
  assert_int_equal(in.unit->nabsent, 1);
  assert_true(pl_str_is(in.unit->absent[0].message, "no/such/header.h"));
  done(&in);
}

static void test_false_alarms(void **state) {
  (void)state;
  parsed in = parse("struct P { int a; P() : a(1) {} };\n"
                    "#define DEBUG_PRINT(x)\n"
                    "__global__ void k(int *p) {\n"
                    "__shared__ int s = 3; __shared__ alignas(16) int q[4];\n"
                    "#ifdef NEVER\n this is no code\n#endif\n"
                    "DEBUG_PRINT(p[9999]);\n_Pragma(\"unroll\")\n"
                    "for (int i = 0; i < 4; i++) q[i] = s;\n"
                    "if (p[0]) [[likely]] p[0] = q[1];\n}");
  for (uint32_t i = 0; i < in.unit->nproblems; i++)
    print_message("%.*s\n", PL_FMT(in.unit->problems[i].message));
  assert_int_equal(in.unit->nproblems, 0);
  done(&in);
}

static void test_malformed(void **state) {
  (void)state;
  static const char *const texts[] = {
      "",
      "\xEF\xBB\xBF",
      "__global__ void k(",
      "}}}}",
      "template <",
      "#if",
      "__global__ void k() { for (",
      "__global__ void k() { x[ = } {{{",
      "template void k<;",
      "__launch_bounds__(",
      "\"",
      "R\"(",
      "/*",
      "__global__ void __launch_bounds__((((1) k() {}",
      "void f() { static struct gone rows[] = {{1, 2}, {3, 4}}; }",
      "#define X(a) X(a\n__global__ void k() { X(X(1)) }"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    parsed in = parse(texts[i]);
    pl_text out = {.arena = in.arena};
    pl_unit_dump(in.unit, &out);
    done(&in);
  }
}

static bool ends_behind_begin(pl_node *node, void *context) {
  (void)context;
  assert_true(node->range.begin <= node->range.end);
  return true;
}

/* Found by fuzz_rewrite: the empty statement that clang puts where a brace is
 * missing has no place, and the loop in front of it must not end there. */
static void test_missing_brace(void **state) {
  (void)state;
  parsed in = parse("template __global__ void u<8>(const int *, threadIdx.xint;\n"
                    "__global__ void k(int *p, int n) {\n"
                    "for (int i = 0; i < n; i++) {\n"
                    "for (int j = 0; j < n; j++) {\n}\np[0] = n;\n}\n");
  pl_node_walk(func_named(&in, "k")->body, ends_behind_begin, NULL);
  done(&in);
}

static void test_arguments(void **state) {
  (void)state;
  const char *const args[] = {"-DTS=32", "-std=c++14"};
  parsed in = parse_args("__global__ void k(int *p) { __shared__ int s[TS];\n"
                         "p[0] = s[__CUDA_ARCH__ >= 800]; }",
                         args, 2);
  assert_int_equal(in.unit->nproblems, 0);
  assert_int_equal(dim(variable(&in, "k", "s"), 0), 32);
  done(&in);
}

/* ---- every kernel of testdata/accept ------------------------------------ */

/* Kids lie inside their parents, and no kernel has a problem. */
static bool kids_inside(pl_node *node, void *context) {
  const pl_unit *unit = context;
  for (uint32_t i = 0; i < node->nkids && !node->from_macro; i++) {
    pl_node *kid = node->kids[i];
    if (!kid || !kid->range.end || !node->range.end)
      continue;
    assert_ptr_equal(kid->parent, node);
    if (!pl_range_inside(kid->range, node->range))
      fail_msg("'%.*s' is not inside '%.*s'",
               PL_FMT(pl_unit_slice(unit, kid->range)),
               PL_FMT(pl_unit_slice(unit, node->range)));
  }
  return true;
}

/* ---- headers ------------------------------------------------------------ */

static unsigned times_opened(const parsed *in, const char *name) {
  unsigned times = 0;
  for (size_t i = 0; i < in->unit->nheaders; i++)
    times += strcmp(in->unit->headers[i], name) == 0;
  return times;
}

static void write_text(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
}

/* Each file on disk that was opened, those of -include too; the source and the
 * stand-ins for CUDA's headers are none. */
static void test_headers(void **state) {
  (void)state;
  char directory[] = "/tmp/pl_headers_XXXXXX", one[64], two[64], flag[64];
  assert_non_null(mkdtemp(directory));
  snprintf(one, sizeof one, "%s/one.h", directory);
  snprintf(two, sizeof two, "%s/two.h", directory);
  snprintf(flag, sizeof flag, "-I%s", directory);
  write_text(one, "#define ONE 1\n");
  write_text(two, "#include \"one.h\"\n");
  const char *quoted[] = {flag}, *forced[] = {"-include", two};
  parsed in = parse_args("#include <cuda_fp16.h>\n#include \"one.h\"\n",
                         quoted, 1);
  assert_int_equal(in.unit->nheaders, 1);
  assert_int_equal(times_opened(&in, one), 1);
  done(&in);
  in = parse_args("int i = ONE;\n", forced, 2);
  assert_int_equal(times_opened(&in, one), 1);
  assert_int_equal(times_opened(&in, two), 1);
  done(&in);
  unlink(one);
  unlink(two);
  rmdir(directory);
}

static void check_kernel(const char *path) {
  char text[65536], flag[512];
  const char *words[] = {flag};
  snprintf(flag, sizeof flag, "-I%.*s", (int)(strrchr(path, '/') - path), path);
  FILE *file = fopen(path, "rb");
  assert_non_null(file);
  size_t n = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[n] = '\0';
  parsed in = parse_args(text, words, 1);
  for (uint32_t i = 0; i < in.unit->nproblems; i++)
    fail_msg("%s: %.*s", path, PL_FMT(in.unit->problems[i].message));
  for (uint32_t i = 0; i < in.unit->nfuncs; i++)
    pl_node_walk(in.unit->funcs[i]->body, kids_inside, in.unit);
  done(&in);
}

static void test_accepted_kernels(void **state) {
  (void)state;
  glob_t found;
  assert_int_equal(glob(PL_TESTDATA "/accept/*/*/kernel.cu", 0, NULL, &found), 0);
  assert_true(found.gl_pathc > 300);
  for (size_t i = 0; i < found.gl_pathc; i++)
    check_kernel(found.gl_pathv[i]);
  globfree(&found);
}

/* ---- statements that are looked for alone --------------------------------- */

static bool begins_sum(const void *what, pl_str text) {
  (void)what;
  return pl_str_starts(text, "sum += v");
}

/* From where one text stands first to where another ends. */
static pl_range between(const char *text, const char *first, const char *last) {
  const char *begin = strstr(text, first), *end = strstr(begin, last);
  return (pl_range){(uint32_t)(begin - text),
                    (uint32_t)(end - text) + (uint32_t)strlen(last)};
}

static const char two_sums[] =
    "__global__ void other(float *out) {\n"
    "  float v = 1, sum = 2;\n"
    "  sum += v;\n"
    "  out[0] = sum;\n"
    "}\n"
    "__global__ void k(const float *a, float *out, int n) {\n"
    "  float v = a[0], sum = 0;\n"
    "  sum += v + 1;\n"
    "  {\n"
    "    float v = a[1];\n"
    "    out[1] = v;\n"
    "    for (int i = 0; i < n; ++i) {\n"
    "      sum += v * i;\n"
    "    }\n"
    "  }\n"
    "  out[0] = sum;\n"
    "}\n";

/* two_sums, for the sums in the inner block of k. */
static parsed parse_for_sums(pl_range *block) {
  parsed result = {.arena = pl_arena_new(abort)};
  *block = between(two_sums, "{\n    float v", "}\n  }");
  const pl_wanted_place place = {*block, NULL};
  const pl_wanted wanted = {&place, 1, begins_sum};
  pl_parse_request request = {.path = "test.cu",
                              .text = {two_sums, strlen(two_sums)},
                              .arch = 80,
                              .wanted = &wanted};
  pl_str error;
  result.unit = pl_parse(result.arena, &request, &error);
  assert_non_null(result.unit);
  return result;
}

static bool has(const parsed *in, const char *func, pl_node_kind kind,
                const char *text) {
  search at = {in->unit, kind, text, NULL};
  pl_node_walk(func_named(in, func)->body, match, &at);
  return at.found;
}

static void test_wanted_alone(void **state) {
  (void)state;
  pl_range block;
  parsed p = parse_for_sums(&block);
  assert_true(has(&p, "k", PL_NODE_ASSIGN, "sum += v * i;"));
  assert_false(has(&p, "k", PL_NODE_ASSIGN, "sum += v + 1;"));
  assert_false(has(&p, "k", PL_NODE_ASSIGN, "out[1] = v;"));
  assert_false(has(&p, "k", PL_NODE_DECL_STMT, "float v = a[1];"));
  assert_null(func_named(&p, "other")->body);
  assert_int_equal(p.unit->nproblems, 0);
  done(&p);
}

/* A variable whose declaration nobody asks for is a local one all the same. */
static void test_wanted_names(void **state) {
  (void)state;
  pl_range block;
  parsed p = parse_for_sums(&block);
  const pl_decl *v = find(&p, "k", PL_NODE_REF, "v")->decl;
  const pl_decl *sum = find(&p, "k", PL_NODE_REF, "sum")->decl;
  assert_ptr_equal(v->owner, func_named(&p, "k"));
  assert_true(pl_range_inside(v->name_range, block));
  assert_ptr_equal(sum->owner, func_named(&p, "k"));
  assert_false(pl_range_inside(sum->name_range, block));
  done(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_for_parts),
      cmocka_unit_test(test_control),
      cmocka_unit_test(test_operators),
      cmocka_unit_test(test_calls_and_members),
      cmocka_unit_test(test_init_lists_and_asm),
      cmocka_unit_test(test_range_loops),
      cmocka_unit_test(test_shared_arrays),
      cmocka_unit_test(test_types),
      cmocka_unit_test(test_macro_arguments),
      cmocka_unit_test(test_macro_bodies),
      cmocka_unit_test(test_instances_and_launches),
      cmocka_unit_test(test_instantiations),
      cmocka_unit_test(test_arguments_in_types),
      cmocka_unit_test(test_facts_that_stay_open),
      cmocka_unit_test(test_dependent_names),
      cmocka_unit_test(test_eval),
      cmocka_unit_test(test_errors_are_problems),
      cmocka_unit_test(test_false_alarms),
      cmocka_unit_test(test_malformed),
      cmocka_unit_test(test_missing_brace),
      cmocka_unit_test(test_arguments),
      cmocka_unit_test(test_headers),
      cmocka_unit_test(test_wanted_alone),
      cmocka_unit_test(test_wanted_names),
      cmocka_unit_test(test_accepted_kernels)};
  return cmocka_run_group_tests(tests, NULL, NULL) ? 1 : 0;
}
