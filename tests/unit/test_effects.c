/* test_effects.c - what statements read, write and otherwise do to memory. */
#include "build_model.h"

static const char *const kinds[] = {
    "read",  "write",  "atomic", "barrier", "special", "fence", "volatile",
    "async", "unseen", "escape", "asm",     "side",    "end",   "warp",
    "warp barrier"};
static const char *const spaces[] = {"local", "shared", "global", "constant",
                                     "?"};

static bool has_place(const pl_effect *effect) {
  return effect->kind <= PL_EFFECT_ATOMIC || effect->kind == PL_EFFECT_ESCAPE;
}

/* Reads of the thread's own variables are left out: they are everywhere. */
static bool is_shown(const pl_effect *effect) {
  return effect->kind != PL_EFFECT_READ || effect->space != PL_SPACE_LOCAL;
}

/* "read global A, write local x=": `=` where the write is the whole scalar. */
static pl_str effects_text(const built *b, const char *func, pl_node *node) {
  pl_effects effects = {0};
  pl_text out = {.arena = b->arena};
  pl_effects_of(pl_effect_context_new(b->unit), b_func(b, func), node,
                &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    if (!is_shown(effect))
      continue;
    pl_text_printf(&out, "%s%s", out.n ? ", " : "", kinds[effect->kind]);
    if (!has_place(effect))
      continue;
    pl_str name = effect->root.decl ? effect->root.decl->name : PL_STR("?");
    pl_text_printf(&out, " %s %.*s%s%.*s%s", spaces[effect->space],
                   PL_FMT(name), effect->root.member.n ? "." : "",
                   PL_FMT(effect->root.member), effect->whole ? "=" : "");
  }
  return out.n ? pl_text_view(&out) : PL_STR("");
}

static void check(const built *b, pl_node_kind kind, const char *text,
                  const char *expected) {
  pl_str found = effects_text(b, "k", b_node(b, kind, text));
  if (!pl_str_is(found, expected))
    fail_msg("%s\n  does '%.*s'\n  not '%s'", text, PL_FMT(found), expected);
}

static void assigns(const built *b, const char *text, const char *expected) {
  check(b, PL_NODE_ASSIGN, text, expected);
}

static void calls(const built *b, const char *text, const char *expected) {
  check(b, PL_NODE_CALL, text, expected);
}

/* ---- accesses -------------------------------------------------------------
 */

static void test_order_of_evaluation(void **state) {
  (void)state;
  built *b = b_read("__global__ void k(const float *A, const int *I, float *C,"
                    " int i) {\n"
                    "__shared__ float s[8]; float x;\n"
                    "s[I[i]] = A[I[i + 1]]; x = s[i]; C[i] += x; x++; }");
  assigns(b, "s[I[i]] = A[I[i + 1]];",
          "read global I, read global A, read global I, write shared s");
  assigns(b, "x = s[i];", "read shared s, write local x=");
  assigns(b, "C[i] += x;", "read global C, write global C");
  check(b, PL_NODE_UNARY, "x++;", "write local x=");
  b_free(b);
}

static void test_spaces(void **state) {
  (void)state;
  built *b = b_read("__constant__ float c[4]; __device__ float g[4];\n"
                    "__global__ void k(float *p, int i) {\n"
                    "extern __shared__ float d[]; float r[4];\n"
                    "r[i] = c[i]; d[i] = g[i]; *p = threadIdx.x; }");
  assigns(b, "r[i] = c[i];", "read constant c, write local r");
  assigns(b, "d[i] = g[i];", "read global g, write shared d");
  assigns(b, "*p = threadIdx.x;", "write global p");
  b_free(b);
}

/* A pointer points into all that it is ever given, wherever that stands. */
static void test_local_pointers(void **state) {
  (void)state;
  built *b = b_read("__global__ void k(float *A, float *B, int i) {\n"
                    "__shared__ float s[8];\n"
                    "float *p = A + i, *q = &s[2]; float x;\n"
                    "x = *p; x = q[1]; p = i ? B : p + 1; }");
  assigns(b, "x = *p;", "read global A, read global B, write local x=");
  assigns(b, "x = q[1];", "read shared s, write local x=");
  b_free(b);
}

static void test_pointers_from_memory(void **state) {
  (void)state;
  built *b = b_read("__global__ void k(float **P, int i) { float x;\n"
                    "x = P[i][0]; x = *reinterpret_cast<float *>(P[i] + 4);\n"
                    "}");
  assigns(b, "x = P[i][0];", "read global P, read global P.*, write local x=");
  b_free(b);
}

static void test_whole_writes(void **state) {
  (void)state;
  built *b =
      b_read("__global__ void k(float *A, int i) { float x; float r[2];\n"
             "if (i) { x = 1.0f; } r[0] = 1.0f;\n"
             "for (;;) x = 2.0f; }");
  check(b, PL_NODE_IF, "if (i) { x = 1.0f; }", "write local x");
  check(b, PL_NODE_FOR, "for (;;) x = 2.0f;", "write local x");
  assigns(b, "x = 2.0f;", "write local x=");
  assigns(b, "r[0] = 1.0f;", "write local r");
  b_free(b);
}

static void test_volatile(void **state) {
  (void)state;
  built *b = b_read("__global__ void k(volatile int *flag, int i) {\n"
                    "int x; x = flag[i]; x = i; }");
  pl_effects effects = {0};
  pl_effects_of(pl_effect_context_new(b->unit), b_func(b, "k"),
                b_node(b, PL_NODE_ASSIGN, "x = flag[i];"), &effects);
  assert_non_null(pl_effects_find(&effects, PL_EFFECT_VOLATILE));
  assigns(b, "x = i;", "write local x=");
  b_free(b);
}

/* ---- calls ----------------------------------------------------------------
 */

static void test_seen_calls(void **state) {
  (void)state;
  built *b =
      b_read("__device__ void put(float *to, const float *from, int &n) {\n"
             "  float t = from[0]; to[0] = t; n = 3; from += 1; }\n"
             "__device__ float *next(float *p) { return p + 1; }\n"
             "__global__ void k(float *A, float *B, int i) {\n"
             "__shared__ float s[8]; float x;\n"
             "put(s, A, i); x = *next(B); }");
  calls(b, "put(s, A, i);", "read global A, write shared s, write local i=");
  assigns(b, "x = *next(B);", "read global B, write local x=");
  b_free(b);
}

static void test_unseen_calls(void **state) {
  (void)state;
  built *b = b_read("__device__ void hidden(float *p, int i);\n"
                    "__global__ void k(float *A, int i) { float x;\n"
                    "__shared__ float s[8]; hidden(s, i); x = sqrtf(x);\n"
                    "foreign(A); }");
  calls(b, "hidden(s, i);", "escape shared s, unseen");
  assigns(b, "x = sqrtf(x);", "write local x=");
  calls(b, "foreign(A);", "escape global A, unseen");
  b_free(b);
}

static void test_recursion_ends(void **state) {
  (void)state;
  built *b = b_read("__device__ void down(float *p, int i) {\n"
                    "  if (i) down(p, i - 1); p[i] = 0.0f; }\n"
                    "__global__ void k(float *A, int i) { down(A, i); }");
  calls(b, "down(A, i);", "escape global A, unseen, write global A");
  b_free(b);
}

static void test_toolkit_calls(void **state) {
  (void)state;
  built *b = b_read("__global__ void k(float *A, float *C, int i) { float x;\n"
                    "__shared__ float s[8];\n"
                    "x = __ldg(&A[i]); atomicAdd(&C[i], x); __threadfence();\n"
                    "atomicAdd(&s[i], x); x = atomicExch(&C[i], x);\n"
                    "__syncwarp(); printf(\"%d\", i); __trap(); memcpy(s, A, 32);\n"
                    "__pipeline_commit(); __syncthreads_count(i); }");
  assigns(b, "x = __ldg(&A[i]);", "read global A, write local x=");
  calls(b, "atomicAdd(&C[i], x);", "read global C, write global C");
  calls(b, "atomicAdd(&s[i], x);", "atomic shared s");
  assigns(b, "x = atomicExch(&C[i], x);", "atomic global C, write local x=");
  calls(b, "__threadfence();", "fence");
  calls(b, "__syncwarp();", "warp barrier");
  calls(b, "printf(\"%d\", i);", "side");
  calls(b, "__trap();", "end");
  calls(b, "memcpy(s, A, 32);", "read global A, write shared s");
  calls(b, "__pipeline_commit();", "async");
  calls(b, "__syncthreads_count(i);", "special");
  b_free(b);
}

/* A function of the file is what its body says, whatever it is called. */
static void test_names_do_not_decide(void **state) {
  (void)state;
  built *b = b_read("__device__ float __ldg2(const float *p) { return *p; }\n"
                    "__device__ void atomicAdd(float *p, float x) { }\n"
                    "__global__ void k(float *A) { float x;\n"
                    "atomicAdd(A, x); x = __ldg2(A); }");
  calls(b, "atomicAdd(A, x);", "");
  assigns(b, "x = __ldg2(A);", "read global A, write local x=");
  b_free(b);
}

static void test_lambdas(void **state) {
  (void)state;
  built *b =
      b_read("__global__ void k(float *A, int i) { float x = 0.0f;\n"
             "float put = [&]() { A[i] = x; }; put(); }");
  calls(b, "put();", "write global A");
  check(b, PL_NODE_LAMBDA, "[&]() { A[i] = x; }", "");
  b_free(b);
}

/* ---- assembly -------------------------------------------------------------
 */

static void test_assembly(void **state) {
  (void)state;
  built *b = b_read(
      "__global__ void k(float *A, unsigned a) { float x;\n"
      "asm volatile(\"bar.sync 0;\");\n"
      "asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" :: \"r\"(a),"
      " \"l\"(A));\n"
      "asm volatile(\"mov.u32 %0, 1;\" : \"=r\"(a));\n"
      "asm volatile(\"membar.gl;\" ::: \"memory\");\n"
      "asm volatile(\"st.global.f32 [%0], %1;\" :: \"l\"(A), \"f\"(x));\n}");
  check(b, PL_NODE_ASM, "asm volatile(\"bar.sync 0;\");", "special");
  check(b, PL_NODE_ASM,
        "asm volatile(\"cp.async.ca.shared.global [%0], [%1], 4;\" :: "
        "\"r\"(a), \"l\"(A));",
        "async, read ? a, read ? ?, read global A");
  check(b, PL_NODE_ASM, "asm volatile(\"mov.u32 %0, 1;\" : \"=r\"(a));",
        "write local a=");
  check(b, PL_NODE_ASM, "asm volatile(\"membar.gl;\" ::: \"memory\");",
        "fence, asm");
  check(b, PL_NODE_ASM,
        "asm volatile(\"st.global.f32 [%0], %1;\" :: \"l\"(A), \"f\"(x));",
        "asm, read global A, write global A");
  b_free(b);
}

/* ---- barriers -------------------------------------------------------------
 */

static void is_barrier(const built *b, const char *text, bool expected) {
  if (pl_is_barrier(b_node(b, PL_NODE_CALL, text)) != expected)
    fail_msg("%s is %sexpected to be a barrier", text, expected ? "" : "not ");
}

static void test_barriers(void **state) {
  (void)state;
  built *b = b_read("__device__ void wait() { __syncthreads(); }\n"
                    "__device__ void more(float *p) { *p = 1.0f;\n"
                    "  __syncthreads(); }\n"
                    "__global__ void k(thread_block block, uint3 tile,\n"
                    "                  float *p) {\n"
                    "__syncthreads(); wait(); more(p); block.sync();\n"
                    "sync(block); tile.sync(); sync(tile);\n"
                    "__syncthreads_or(1); __syncwarp(); }");
  is_barrier(b, "__syncthreads();", true);
  is_barrier(b, "wait();", true);
  is_barrier(b, "more(p);", false);
  is_barrier(b, "block.sync();", true);
  is_barrier(b, "sync(block);", true);
  is_barrier(b, "tile.sync();", false);
  is_barrier(b, "sync(tile);", false);
  is_barrier(b, "__syncthreads_or(1);", false);
  is_barrier(b, "__syncwarp();", false);
  calls(b, "more(p);", "write global p, barrier");
  b_free(b);
}

static void test_roots_of_casts(void **state) {
  (void)state;
  built *b = b_read("__global__ void k(const float *A, int i) {\n"
                    "__shared__ float s[8]; float4 v;\n"
                    "v = reinterpret_cast<const float4 *>(A)[i];\n"
                    "reinterpret_cast<float4 *>(&s[4 * i])[0] = v;\n"
                    "((float4 *)s)[i] = *(const float4 *)&A[i]; }");
  assigns(b, "v = reinterpret_cast<const float4 *>(A)[i];",
          "read global A, write local v=");
  assigns(b, "reinterpret_cast<float4 *>(&s[4 * i])[0] = v;", "write shared s");
  assigns(b, "((float4 *)s)[i] = *(const float4 *)&A[i];",
          "read global A, write shared s");
  b_free(b);
}

/* ---- what is not known --------------------------------------------------
 */

/* Nothing is known of an address that comes from nowhere. */
static void test_addresses_from_nowhere(void **state) {
  (void)state;
  built *b = b_read("__global__ void k(float *A, unsigned n, float x) {\n"
                    "float *p; float *q = p;\n"
                    "*p = x; q[1] = x; atomicAdd(p, x); x = __ldg(q);\n"
                    "memcpy(p, A, 4); *(float *)n = x; }");
  assigns(b, "*p = x;", "write ? ?");
  assigns(b, "q[1] = x;", "write ? ?");
  calls(b, "atomicAdd(p, x);", "read ? ?, write ? ?");
  assigns(b, "x = __ldg(q);", "read ? ?, write local x=");
  calls(b, "memcpy(p, A, 4);", "read global A, write ? ?");
  assigns(b, "*(float *)n = x;", "write ? ?, write ? n");
  b_free(b);
}

/* An arm of a condition that is a number says nothing; the other does not speak
 * for both. */
static void test_addresses_in_numbers(void **state) {
  (void)state;
  built *b = b_read("__global__ void k(float *A, float *C, int n, float x) {\n"
                    "float *p = n ? (float *)((int)A + n) : C;\n"
                    "p[0] = x; }");
  assigns(b, "p[0] = x;", "write ? ?, write global A, write ? n, write "
                          "global C");
  b_free(b);
}

/* What lies in constant or global memory is a pointer; what it points to lies
 * anywhere but there. */
static void test_pointers_in_global_memory(void **state) {
  (void)state;
  built *b = b_read("__constant__ float *c; __device__ float *g;\n"
                    "__global__ void k(float *A, float x) {\n"
                    "float *p = c; c[1] = x; p[2] = x; g[3] = x; g = A; }");
  assigns(b, "c[1] = x;", "read constant c=, write global c.*");
  assigns(b, "p[2] = x;", "write global c.*");
  assigns(b, "g[3] = x;", "read global g=, write global g.*");
  assigns(b, "g = A;", "write global g=");
  b_free(b);
}

/* A variable that is used in a way that is not listed may hold anything. */
static void test_uses_that_lose_a_pointer(void **state) {
  (void)state;
  built *b = b_read("__device__ void move(float *&to, float *p);\n"
                    "__global__ void k(float *A, float *C, int i, float x) {\n"
                    "float *a = C; float *b = C; float *c = C; float *d = C;\n"
                    "float **q = &a; move(b, A); float *&r = c; d += i;\n"
                    "a[0] = x; b[0] = x; c[0] = x; d[0] = x; }");
  assigns(b, "a[0] = x;", "write global C, write ? ?");
  assigns(b, "b[0] = x;", "write global C, write ? ?");
  assigns(b, "c[0] = x;", "write global C, write ? ?");
  assigns(b, "d[0] = x;", "write global C");
  b_free(b);
}

/* What a function does to a pointer by reference: it steps, or is given what
 * another argument points into, also by a function in between. */
static void test_pointers_by_reference(void **state) {
  (void)state;
  built *b = b_read("__device__ void step(float *&p, int n) { p += n; }\n"
                    "__device__ void move(float *&to, float *p) { to = p; }\n"
                    "__device__ void swap2(float *&p, float *&q) {\n"
                    "float *t = p; move(p, q); move(q, t); }\n"
                    "__device__ void put(float *&p, float v) { *p = v; ++p; }\n"
                    "__global__ void k(float *A, float *C, int i, float x) {\n"
                    "float *a = C; float *b = C; float *c = C; float *d = A;\n"
                    "step(a, i); move(b, A); swap2(c, d); put(a, x);\n"
                    "a[0] = x; b[0] = x; c[0] = x; d[0] = x; }");
  calls(b, "step(a, i);", "write local a=");
  calls(b, "put(a, x);", "write global C, write local a=");
  assigns(b, "a[0] = x;", "write global C");
  assigns(b, "b[0] = x;", "write global C, write global A");
  assigns(b, "c[0] = x;", "write global C, write global A");
  assigns(b, "d[0] = x;", "write global A, write global C");
  b_free(b);
}

/* Every variable of a ring has the values of all. */
static void test_rings_of_pointers(void **state) {
  (void)state;
  built *b = b_read("__global__ void k(float *A, float *C, float x) {\n"
                    "float *a = C; float *b = C; float *c = C;\n"
                    "c = a; a = b; b = c; a = A;\n"
                    "c[0] = x; b[0] = x; a[0] = x; }");
  assigns(b, "c[0] = x;", "write global C, write global A");
  assigns(b, "b[0] = x;", "write global C, write global A");
  assigns(b, "a[0] = x;", "write global C, write global A");
  b_free(b);
}

/* Each kind of node by itself, with a store below it and no text of its own:
 * what the walk does not know is unseen, and a store is never lost. */
static void test_every_kind_of_node(void **state) {
  (void)state;
  static const pl_node_kind unseen[] = {PL_NODE_UNKNOWN, PL_NODE_RANGE_FOR,
                                        PL_NODE_LAUNCH};
  for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++) {
    built *b = b_read("__global__ void k(float *A, float x) { { A[1] = x; } }");
    pl_node *block = b_node(b, PL_NODE_COMPOUND, "{ A[1] = x; }");
    block->kind = unseen[i];
    block->from_macro = true;
    pl_str found = effects_text(b, "k", block);
    if (!pl_str_is(found, "write global A, unseen"))
      fail_msg("%s does '%.*s'", pl_node_kind_name(unseen[i]), PL_FMT(found));
    b_free(b);
  }
}

/* A node without a kind is its parts where its text says nothing else. */
static void test_nodes_without_a_kind(void **state) {
  (void)state;
  built *b = b_read("__global__ void k(float *A, float x) {\n"
                    "if (x) { A[1] = x; } else A[2] = x;\n"
                    "A[3] = foreign(x); }");
  pl_node *node = b_node(b, PL_NODE_IF, "if (x) { A[1] = x; } else A[2] = x;");
  node->kind = PL_NODE_UNKNOWN;
  check(b, PL_NODE_UNKNOWN, "if (x) { A[1] = x; } else A[2] = x;",
        "write global A, write global A");
  pl_node *call = b_node(b, PL_NODE_CALL, "foreign(x)");
  call->kind = PL_NODE_UNKNOWN;
  call->nkids = 0;
  check(b, PL_NODE_UNKNOWN, "foreign(x)", "unseen");
  b_free(b);
}

/* A function that the user declares is not the toolkit's, whatever its name,
 * in whatever file. */
static void test_declared_elsewhere(void **state) {
  (void)state;
  built *b = b_read("__device__ float __ldg(float x);\n"
                    "__global__ void k(float x) { x = __ldg(x); }");
  b_node(b, PL_NODE_CALL, "__ldg(x)")->decl->in_main = false;
  assigns(b, "x = __ldg(x);", "unseen, write local x=");
  b_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_order_of_evaluation),
      cmocka_unit_test(test_spaces),
      cmocka_unit_test(test_local_pointers),
      cmocka_unit_test(test_pointers_from_memory),
      cmocka_unit_test(test_whole_writes),
      cmocka_unit_test(test_volatile),
      cmocka_unit_test(test_seen_calls),
      cmocka_unit_test(test_unseen_calls),
      cmocka_unit_test(test_recursion_ends),
      cmocka_unit_test(test_toolkit_calls),
      cmocka_unit_test(test_names_do_not_decide),
      cmocka_unit_test(test_lambdas),
      cmocka_unit_test(test_assembly),
      cmocka_unit_test(test_barriers),
      cmocka_unit_test(test_roots_of_casts),
      cmocka_unit_test(test_addresses_from_nowhere),
      cmocka_unit_test(test_addresses_in_numbers),
      cmocka_unit_test(test_pointers_in_global_memory),
      cmocka_unit_test(test_uses_that_lose_a_pointer),
      cmocka_unit_test(test_pointers_by_reference),
      cmocka_unit_test(test_rings_of_pointers),
      cmocka_unit_test(test_every_kind_of_node),
      cmocka_unit_test(test_nodes_without_a_kind),
      cmocka_unit_test(test_declared_elsewhere)};
  return cmocka_run_group_tests(tests, NULL, NULL) ? 1 : 0;
}
