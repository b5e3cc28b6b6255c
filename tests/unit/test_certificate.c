/* test_certificate.c - is a pipelined text shown to be its loop, and is one with a
 * fault in it not? certificate.c, events_*.c. */
#include "certificate.h"
#include "remembered.h"
#include "frontend.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define KERNEL(tiles, loop)                                                       \
  "#include <cuda_runtime.h>\n#include <cuda_pipeline.h>\n"                       \
  "__global__ void k(const float *A, const float *B, float *C, int K) {\n" tiles  \
  "  int tx = threadIdx.x, ty = threadIdx.y;\n"                                   \
  "  float sum = 0.0f;\n" loop "  C[ty * 16 + tx] = sum;\n}\n"

#define LOADS                                                                     \
  "    As[ty][tx] = A[t * 16 + tx];\n    Bs[ty][tx] = B[t * 16 + ty];\n"
#define COMPUTE "    for (int i = 0; i < 16; ++i)\n      sum += As[ty][i] * Bs[i][tx];\n"

#define ONE "  __shared__ float As[16][16];\n  __shared__ float Bs[16][16];\n"
#define STAGES(n)                                                                 \
  "  __shared__ float As_stage[" n "][16][16];\n"                                 \
  "  __shared__ float Bs_stage[" n "][16][16];\n"
#define IN(slot) "auto &As = As_stage[" slot "];\nauto &Bs = Bs_stage[" slot "];\n"

static const char original[] =
    KERNEL(ONE, "  for (int t = 0; t < K; ++t) {\n" LOADS
                "    __syncthreads();\n" COMPUTE "    __syncthreads();\n  }\n");

#define FETCH "float As_next = A[t * 16 + tx];\nfloat Bs_next = B[t * 16 + ty];\n"
#define STORE "As[ty][tx] = As_next;\nBs[ty][tx] = Bs_next;\n"

static const char ldg_single[] = KERNEL(
    ONE, "  {\nint t = 0;\nif (t < K) {\n" LOADS "++t;\n__syncthreads(); // 1\n"
         "for (; t < K; ++t) {\n" FETCH COMPUTE "__syncthreads(); // 2\n" STORE
         "__syncthreads(); // 3\n}\n// epilogue\n" COMPUTE "}\n}\n");

static const char ldg[] = KERNEL(
    STAGES("2"),
    "  {\nint t = 0;\nif (t < K) {\n{\n" IN("0") LOADS "}\n++t;\n"
    "__syncthreads(); // 1\nint stage = 0;\nfor (; t < K; ++t) {\n" FETCH
    "{\n" IN("stage") COMPUTE "}\nstage ^= 1;\n{\n" IN("stage") STORE "}\n"
    "__syncthreads(); // 2\n}\n// epilogue\n{\n" IN("stage") COMPUTE "}\n}\n}\n");

#define COPIES                                                                    \
  "__pipeline_memcpy_async(&As[ty][tx], &A[t * 16 + tx], sizeof(float));\n"       \
  "__pipeline_memcpy_async(&Bs[ty][tx], &B[t * 16 + ty], sizeof(float));\n"

static const char cp_async[] = KERNEL(
    STAGES("2"),
    "  {\nint t = 0;\nif (t < K) {\n{\n" IN("0") COPIES "}\n++t;\n"
    "__pipeline_commit(); // 1\n__pipeline_wait_prior(0); // 1\n"
    "__syncthreads(); // 1\nint stage = 0;\nfor (; t < K; ++t) {\n{\n"
    IN("stage ^ 1") COPIES "}\n__pipeline_commit(); // 2\n{\n" IN("stage") COMPUTE
    "}\nstage ^= 1;\n__pipeline_wait_prior(0); // 2\n__syncthreads(); // 2\n}\n"
    "// epilogue\n{\n" IN("stage") COMPUTE "}\n}\n}\n");

static const char deep[] = KERNEL(
    STAGES("3"),
    "  {\nint t = 0;\nauto t_load = t;\n"
    "for (int load_stage = 0; load_stage < 2; ++load_stage) {\nif (t_load < K) {\n"
    IN("load_stage") "auto &t = t_load;\n" COPIES "++t; // 1\n}\n"
    "__pipeline_commit(); // 1\n}\nint stage = 0;\nfor (; t < K; ++t) {\n"
    "__pipeline_wait_prior(1);\n__syncthreads();\nif (t_load < K) {\n"
    "int load_stage = stage == 0 ? 2 : stage - 1;\n" IN("load_stage")
    "auto &t = t_load;\n" COPIES "++t; // 2\n}\n__pipeline_commit(); // 2\n{\n"
    IN("stage") COMPUTE "}\nstage = stage == 2 ? 0 : stage + 1;\n}\n"
    "__pipeline_wait_prior(0);\n}\n");

/* ---- one text ---------------------------------------------------------------- */

static pl_unit *parsed(pl_arena *arena, const char *text) {
  pl_parse_request request = {.path = "k.cu", .text = {text, strlen(text)},
                              .arch = 80};
  pl_str error = {0};
  pl_unit *unit = pl_parse(arena, &request, &error);
  if (!unit || unit->nproblems)
    fail_msg("%.*s\n%s", PL_FMT(unit ? unit->problems[0].message : error), text);
  return unit;
}

/* The innermost loop with a barrier. */
static bool is_loop(pl_node *node, void *context) {
  pl_node **found = context;
  if (pl_node_is_loop(node) && pl_node_has(node, PL_NODE_CALL))
    *found = node;
  return true;
}

typedef struct block_search {
  const pl_unit *unit;
  pl_node *found;
} block_search;

static bool is_block(pl_node *node, void *context) {
  block_search *s = context;
  if (!s->found && node->kind == PL_NODE_COMPOUND &&
      (pl_str_starts(pl_unit_slice(s->unit, node->range), "{\nint t") ||
       pl_str_starts(pl_unit_slice(s->unit, node->range), "{\n// tiles") ||
       pl_str_starts(pl_unit_slice(s->unit, node->range), "{\n++t;")))
    s->found = node;
  return !s->found;
}

static pl_memory *memory; /* NULL: each certificate is made by itself */

typedef struct to_certify {
  pl_arena *arena;
  pl_pipelined made;
  pl_certificate found;
} to_certify;

static void certify(void *context) {
  to_certify *c = context;
  c->found = pl_certify(c->arena, &c->made, memory);
}

static pl_certificate certified(pl_arena *arena, const char *before,
                                const char *after) {
  pl_unit *was = parsed(arena, before), *is = parsed(arena, after);
  pl_node *loop = NULL;
  block_search block = {.unit = is};
  pl_node_walk(was->funcs[was->nfuncs - 1]->body, is_loop, &loop);
  pl_node_walk(is->funcs[is->nfuncs - 1]->body, is_block, &block);
  to_certify c = {.arena = arena,
                  .made = {.before = was, .func = was->funcs[was->nfuncs - 1], .loop = loop,
                           .after = is, .emitted = is->funcs[is->nfuncs - 1],
                           .region = block.found->range, .is_told = true}};
  if (memory)
    assert_true(pl_memory_try(memory, certify, &c));
  else
    certify(&c);
  c.made.is_told = false;
  assert_int_equal(pl_certify(arena, &c.made, NULL).shown == PL_NO, c.found.shown == PL_NO);
  return c.found;
}

static void is_shown(const char *before, const char *after) {
  pl_arena *arena = pl_arena_new(abort);
  pl_certificate made = certified(arena, before, after);
  if (made.shown != PL_YES)
    fail_msg("(%c) %.*s\n%s", made.claim, PL_FMT(made.why), after);
  pl_arena_free(arena);
}

/* A text with `old` replaced by `with`, once. */
static const char *edited(pl_arena *arena, const char *text, const char *old,
                          const char *with) {
  const char *at = strstr(text, old);
  if (!at)
    fail_msg("'%s' is not there", old);
  return pl_arena_printf(arena, "%.*s%s%s", (int)(at - text), text, with,
                         at + strlen(old)).p;
}

/* The claim that fails; '?' may stand for it as well: the text cannot be read. */
static void is_not_of(const char *before, const char *text, const char *old,
                      const char *with, const char *claims) {
  pl_arena *arena = pl_arena_new(abort);
  pl_certificate made = certified(arena, before, edited(arena, text, old, with));
  if (made.shown == PL_YES || !strchr(claims, made.claim))
    fail_msg("'%s' for '%s': %s (%c) %.*s", with, old,
             made.shown == PL_YES ? "shown" : "not shown", made.claim,
             PL_FMT(made.why));
  pl_arena_free(arena);
}

static void is_not_shown(const char *text, const char *old, const char *with,
                         const char *claims) {
  is_not_of(original, text, old, with, claims);
}

/* ---- what is right ------------------------------------------------------------- */

static void test_right_forms(void **state) {
  (void)state;
  is_shown(original, ldg);
  is_shown(original, ldg_single);
  is_shown(original, cp_async);
  is_shown(original, deep);
}

/* A stricter wait, and a barrier more, are right as well; the last round's wait is
 * for the last tile. */
static void test_stricter_forms(void **state) {
  (void)state;
  pl_arena *arena = pl_arena_new(abort);
  is_shown(original, edited(arena, deep, "prior(1)", "prior(0)"));
  is_shown(original, edited(arena, deep, "__pipeline_wait_prior(0);\n}", "}"));
  is_shown(original, edited(arena, ldg, "stage ^= 1;", "stage ^= 1; __syncthreads();"));
  pl_arena_free(arena);
}

/* A load that walks: no relation of cells says what it does, but its text does. */
#define STORE_A "As[ty][tx] = A[t * 16 + tx];\n"
#define COPY_A "__pipeline_memcpy_async(&As[ty][tx], &A[t * 16 + tx], sizeof(float));\n"
#define WALK(fill)                                                                \
  "const float *a = A + t * 16;\nint left = tx;\nwhile (left < 16) {\n" fill      \
  "a += 16;\nleft += 16;\n}\n"

static void test_loads_word_for_word(void **state) {
  (void)state;
  pl_arena *arena = pl_arena_new(abort);
  const char *was = edited(arena, original, STORE_A,
                           WALK("As[ty][left] = left < K ? *a : 0.0f;\n"));
  const char *copy = WALK("__pipeline_memcpy_async(&As[ty][left], a, sizeof(float), "
                          "left < K ? 0 : sizeof(float));\n");
  const char *is = edited(arena, edited(arena, deep, COPY_A, copy), COPY_A, copy);
  is_shown(was, is);
  is_not_of(was, is, "0 : sizeof(float)", "0 : 0", "?");
  is_not_of(was, is, "left < K ? 0 : sizeof(float)", "0", "?");
  is_not_of(was, is, "&As[ty][left], a,", "&As[ty][left], &a[1],", "?");
  is_not_of(was, is, "left < K ?", "left <= K ?", "?");
  is_not_of(was, is, "int left = tx", "int left = ty", "?");
  pl_arena_free(arena);
}

/* What stands ahead of the loop is the source's, though a number is set there. */
static void test_numbers_ahead(void **state) {
  (void)state;
  pl_arena *arena = pl_arena_new(abort);
  const char *was = edited(arena, original, "  for (int t", "  int seen = 0;\n  for (int t");
  const char *is = edited(arena, deep, "  {\nint t = 0;", "  int seen = 0;\n  {\nint t = 0;");
  is_shown(was, is);
  is_not_of(was, is, "seen = 0", "seen = 1", "?");
  pl_arena_free(arena);
}

/* ---- what is wrong ------------------------------------------------------------- */

static void test_barriers(void **state) {
  (void)state;
  is_not_shown(ldg_single, "__syncthreads(); // 1", "", "a");
  is_not_shown(ldg_single, "__syncthreads(); // 2", "", "a");
  is_not_shown(ldg_single, "__syncthreads(); // 3", "", "a");
  is_not_shown(ldg, "__syncthreads(); // 1", "", "a");
  is_not_shown(ldg, "__syncthreads(); // 2", "", "a?");
  is_not_shown(cp_async, "__syncthreads(); // 1", "", "ac");
  is_not_shown(cp_async, "__syncthreads(); // 2", "", "ac?");
  is_not_shown(deep, "__syncthreads();", "", "ac?");
}

static void test_waits(void **state) {
  (void)state;
  is_not_shown(cp_async, "__pipeline_wait_prior(0); // 1", "", "c");
  is_not_shown(cp_async, "__pipeline_wait_prior(0); // 2", "", "c");
  is_not_shown(cp_async, "__pipeline_wait_prior(0); // 2", "__pipeline_wait_prior(1);",
               "c");
  is_not_shown(deep, "__pipeline_wait_prior(1);", "__pipeline_wait_prior(2);", "c");
  is_not_shown(deep, "__pipeline_wait_prior(1);", "", "c");
  is_not_shown(deep, "__pipeline_commit(); // 2", "", "c");
  is_not_shown(cp_async, "__pipeline_commit(); // 1", "", "c");
}

/* Under the guard of the copies the groups do not count the tiles. */
static void test_guarded_commit(void **state) {
  (void)state;
  is_not_shown(deep, "++t; // 2\n}\n__pipeline_commit(); // 2\n",
               "++t;\n__pipeline_commit();\n}\n", "c");
}

static void test_slots(void **state) {
  (void)state;
  is_not_shown(ldg, "stage ^= 1;", "", "ab");
  is_not_shown(ldg, "int stage = 0;", "int stage = 1;", "ab");
  is_not_shown(cp_async, "As_stage[stage ^ 1]", "As_stage[stage]", "abc");
  is_not_shown(deep, "stage == 0 ? 2 : stage - 1", "stage", "abc");
  is_not_shown(deep, "stage == 0 ? 2 : stage - 1", "stage == 2 ? 0 : stage + 1", "abc");
  is_not_shown(deep, "stage = stage == 2 ? 0 : stage + 1", "stage = stage == 1 ? 0 : stage + 1",
               "abc?");
}

/* One stage fewer than there are tiles on their way. */
static void test_stages(void **state) {
  (void)state;
  is_not_shown(ldg, "As_stage[2]", "As_stage[1]", "abc");
  is_not_shown(deep, "As_stage[3]", "As_stage[2]", "abc");
}

static void test_tiles(void **state) {
  (void)state;
  is_not_shown(ldg_single, "for (; t < K; ++t) {", "for (; t + 1 < K; ++t) {", "b?");
  is_not_shown(ldg_single, "++t;\n__syncthreads(); // 1", "__syncthreads();", "b?");
  is_not_shown(deep, "++t; // 2", "", "b?");
  is_not_shown(deep, "++t; // 1", "", "b?");
  is_not_shown(ldg, "if (t < K) {", "{", "b");
  is_not_shown(deep, "if (t_load < K) {", "{", "b?");
  is_not_shown(ldg_single, "// epilogue\n" COMPUTE, "", "b");
  is_not_shown(ldg, "// epilogue\n{\n" IN("stage") COMPUTE "}\n", "", "b");
  is_not_shown(ldg_single, "// epilogue\n", COMPUTE, "b");
}

/* What is fetched has to be of the tile that it is stored for. */
static void test_fetches(void **state) {
  (void)state;
  is_not_shown(ldg_single, FETCH COMPUTE,
               COMPUTE "float As_next = A[t * 16 + tx];\nfloat Bs_next = 0.0f;\n", "?");
  is_not_shown(ldg_single, "As[ty][tx] = As_next;\n", "", "b");
  is_not_shown(ldg_single, FETCH, "++t;\n" FETCH, "b?");
}

/* One object that loads a tile and sums over it: of members that no function sets, a
 * load is of any tile; not of what its methods move on. */
#define OBJECT(step, loop)                                                          \
  "struct Rows {\n  const float *from; float sum; int tx;\n"                        \
  "  __device__ float at(int t) const { return from[t * 64 + tx]; }\n"              \
  "  __device__ void add(const float *s) { for (int i = 0; i < 64; ++i) sum += s[i]; " \
  step " }\n};\n__global__ void k(const float *__restrict__ A, float *C, int K) {\n"  \
  "  __shared__ float s[64];\n  Rows rows{A, 0, (int)threadIdx.x};\n" loop          \
  "  C[threadIdx.x] = rows.sum;\n}\n"
#define OBJECT_LOOP                                                                 \
  "  for (int t = 0; t < K; ++t) {\n    s[threadIdx.x] = rows.at(t);\n"             \
  "    __syncthreads();\n    rows.add(s);\n    __syncthreads();\n  }\n"
#define OBJECT_AHEAD                                                                \
  "  {\nint t = 0;\nif (t < K) {\ns[threadIdx.x] = rows.at(t);\n++t;\n"             \
  "__syncthreads();\nfor (; t < K; ++t) {\nfloat s_next = rows.at(t);\nrows.add(s);\n" \
  "__syncthreads();\ns[threadIdx.x] = s_next;\n__syncthreads();\n}\n"              \
  "// epilogue\nrows.add(s);\n}\n}\n"

static void test_objects(void **state) {
  (void)state;
  const char *ahead = OBJECT("", OBJECT_AHEAD);
  is_shown(OBJECT("", OBJECT_LOOP), ahead);
  is_not_of(OBJECT("", OBJECT_LOOP), ahead, "s[threadIdx.x] = s_next;\n", "", "b");
  is_not_of(OBJECT("++tx;", OBJECT_LOOP), OBJECT("++tx;", OBJECT_AHEAD), "epilogue", "",
            "b");
  is_not_of(OBJECT("from += 64;", OBJECT_LOOP), OBJECT("from += 64;", OBJECT_AHEAD),
            "epilogue", "", "b");
}

/* The loop in another one: what it leaves is still read when it is come to again. */
#define OFTEN(loop) KERNEL(ONE, "  for (int b = 0; b < 4; ++b) {\n" loop "  }\n")
#define SINGLE                                                                     \
  "  {\nint t = 0;\nif (t < K) {\n" LOADS "++t;\n__syncthreads();\n"               \
  "for (; t < K; ++t) {\n" FETCH COMPUTE "__syncthreads();\n" STORE                \
  "__syncthreads();\n}\n// epilogue\n" COMPUTE "// exit\n}\n}\n"

static const char often[] =
    OFTEN("  for (int t = 0; t < K; ++t) {\n" LOADS "    __syncthreads();\n" COMPUTE
          "    __syncthreads();\n  }\n");
static const char often_first[] =
    OFTEN("  for (int t = 0; t < K; ++t) {\n    __syncthreads();\n" LOADS
          "    __syncthreads();\n" COMPUTE "  }\n");

static void test_outer_loops(void **state) {
  (void)state;
  pl_arena *arena = pl_arena_new(abort);
  const char *single = OFTEN(SINGLE);
  is_not_of(often, single, "// exit", "", "a");
  is_not_of(often_first, single, "// exit", "", "a");
  const char *left = edited(arena, single, "// exit", "__syncthreads();");
  const char *entered = edited(arena, single, "int t = 0;\nif (t < K) {\n",
                               "int t = 0;\nif (t < K) {\n__syncthreads();\n");
  is_shown(often, left);
  is_shown(often_first, entered);
  const char *met = edited(arena, often, "  for (int t", "__syncthreads();\nfor (int t");
  is_shown(met, OFTEN("__syncthreads();\n" SINGLE));
  pl_arena_free(arena);
}

/* What a barrier keeps from the loop's tiles has to be kept from those that are loaded
 * ahead. */
static void test_uses_around(void **state) {
  (void)state;
  const char *last = "  C[ty * 16 + tx] = sum;\n", *use = "  sum += As[tx][ty];\n";
  pl_arena *arena = pl_arena_new(abort);
  const char *before = edited(arena, original, last, use);
  is_not_of(before, ldg_single, last, use, "a");
  is_shown(before, edited(arena, edited(arena, ldg_single, last, use), "}\n}\n",
                          "__syncthreads();\n}\n}\n"));
  is_not_of(before, ldg, last, "  sum += As_stage[0][tx][ty];\n", "?");
  pl_arena_free(arena);
}

static void test_text_around(void **state) {
  (void)state;
  is_not_shown(ldg, "float sum = 0.0f;", "float sum = 1.0f;", "?");
  is_not_shown(ldg, "  C[ty * 16 + tx] = sum;", "", "?");
  is_not_shown(ldg, "  int tx = threadIdx.x", "  K--;\n  int tx = threadIdx.x", "?");
}

/* Loops that end behind a part of an iteration, by conditions that step. */
#define ENDLESS(last)                                                              \
  KERNEL(ONE, "  int t = 0;\n  for (;;) {\n" LOADS "    __syncthreads();\n" COMPUTE  \
              "    __syncthreads();\n    if (++t " last ")\n      break;\n  }\n")
#define ENDED(last)                                                                \
  KERNEL(ONE, "  int t = 0;\n  {\n// tiles\n" LOADS "__syncthreads();\n"             \
              "while (++t " last ") {\n" FETCH COMPUTE "__syncthreads();\n" STORE    \
              "__syncthreads();\n}\n// epilogue\n" COMPUTE "}\n")

static void test_late_conditions(void **state) {
  (void)state;
  is_shown(ENDLESS("== K"), ENDED("!= K"));
  is_shown(ENDLESS(">= K"), ENDED("< K"));
  is_not_of(ENDLESS("== K"), ENDED("!= K"), "++t != K", "t++ != K", "?b");
  is_not_of(ENDLESS("== K"), ENDED("!= K"), "++t != K", "++t < K", "?b");
  is_not_of(ENDLESS("== K"), ENDED("!= K"), "// tiles", "++t;", "?b");
}

/* Who comes to a barrier must not depend on what is not known. */
static void test_divergence(void **state) {
  (void)state;
  is_not_shown(ldg_single, "__syncthreads(); // 2", "if (tx < 4) __syncthreads();", "d");
}

/* What cannot be read is not shown. */
static void test_unknown(void **state) {
  (void)state;
  is_not_shown(ldg, "stage ^= 1;", "stage = tx & 1;", "?");
  is_not_shown(ldg, "stage ^= 1;", "if (tx > 3) break;\nstage ^= 1;", "?");
  is_not_shown(ldg, "stage ^= 1;", "sum += 1.0f;\nstage ^= 1;", "?b");
  is_not_shown(ldg, "stage ^= 1;", "Bs_stage[0][0][0] = 1.0f;\nstage ^= 1;", "?");
}

/* What a pass changes in a tree is seen; what it keeps there is not. */
static void test_digest(void **state) {
  (void)state;
  pl_arena *arena = pl_arena_new(abort);
  pl_unit *unit = parsed(arena, original);
  const uint64_t was = pl_unit_digest(unit);
  pl_node *loop = NULL;
  pl_node_walk(unit->funcs[0]->body, is_loop, &loop);
  loop->place_in_cfg = 7;
  unit->funcs[0]->params[0]->is_set = true;
  assert_true(was == pl_unit_digest(unit));
  pl_node *body = pl_node_loop_body(loop), *first = body->kids[0];
  body->kids[0] = body->kids[1];
  assert_false(was == pl_unit_digest(unit));
  body->kids[0] = first;
  assert_true(was == pl_unit_digest(unit));
  unit->funcs[0]->params[0]->points_to_shared = true;
  assert_false(was == pl_unit_digest(unit));
  pl_arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_right_forms),  cmocka_unit_test(test_stricter_forms),
      cmocka_unit_test(test_loads_word_for_word), cmocka_unit_test(test_numbers_ahead),
      cmocka_unit_test(test_barriers),     cmocka_unit_test(test_waits),
      cmocka_unit_test(test_guarded_commit), cmocka_unit_test(test_slots),
      cmocka_unit_test(test_stages),       cmocka_unit_test(test_tiles),
      cmocka_unit_test(test_fetches),      cmocka_unit_test(test_divergence),
      cmocka_unit_test(test_unknown),      cmocka_unit_test(test_objects),
      cmocka_unit_test(test_outer_loops),
      cmocka_unit_test(test_uses_around),  cmocka_unit_test(test_text_around),
      cmocka_unit_test(test_late_conditions), cmocka_unit_test(test_digest),
  };
  int failed = cmocka_run_group_tests_name("alone", tests, NULL, NULL);
  memory = pl_memory_new();
  failed += cmocka_run_group_tests_name("with what others have asked", tests, NULL, NULL);
  pl_memory_free(memory);
  return failed;
}
