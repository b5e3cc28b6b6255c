/* build_model.h - models for the tests of passes, made without libclang.
 *
 *     built *b = b_read("__global__ void k(...) { ... }");
 *     b_node(b, PL_NODE_ASSIGN, "As[tx] = A[i];")->op_range = (pl_range){0};
 *     b_run(b, B_SLICES);
 *     ... what the slices pass left in b_loop(b, 0) ...
 *     b_free(b);
 *
 * b_read takes a small part of CUDA, and gives the tree that the frontend gives
 * for it (test_build_model.c compares the two): functions, one-word types with
 * pointers and references, arrays, declarations, control flow, expressions,
 * `#define NAME number`, `template <int N, typename T>`. A name that the text
 * does not declare is the toolkit's. What the text cannot say, a test writes
 * into the tree. */
#ifndef PL_BUILD_MODEL_H
#define PL_BUILD_MODEL_H

#include "loop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* A kernel with two 16x16 tiles; `body` is its tile loop and what else. */
#define B_KERNEL(body)                                                         \
  "#define TS 16\n"                                                            \
  "__global__ void k(const float *__restrict__ A, const float *__restrict__ "  \
  "B,\n"                                                                       \
  "                  float *__restrict__ C, int n) {\n"                        \
  "  __shared__ float As[TS][TS];\n"                                           \
  "  __shared__ float Bs[TS][TS];\n"                                           \
  "  int tx = threadIdx.x;\n"                                                  \
  "  int ty = threadIdx.y;\n"                                                  \
  "  float acc = 0.0f;\n" body "  C[ty * n + tx] = acc;\n"                     \
  "}\n"

/* Its usual loop: two loads, and compute that is `compute`. */
#define B_LOOP(compute)                                                        \
  "  for (int t = 0; t < n; ++t) {\n"                                          \
  "    As[ty][tx] = A[ty * n + t * TS + tx];\n"                                \
  "    Bs[ty][tx] = B[(t * TS + ty) * n + tx];\n"                              \
  "    __syncthreads();\n" compute "    __syncthreads();\n"                    \
  "  }\n"
#define B_COMPUTE                                                              \
  "    for (int i = 0; i < TS; ++i)\n"                                         \
  "      acc += As[ty][i] * Bs[i][tx];\n"

typedef struct built {
  pl_arena *arena;
  pl_unit *unit;
  pl_options options; /* for the passes; a test may change them before b_run */
  pl_effect_context *effects;
  pl_loops loops;
  pl_edit *edits;
  size_t nedits;
} built;

/* The last pass to run; all before it run too. */
typedef enum b_pass {
  B_LOOPS,
  B_PHASES,
  B_SLICES,
  B_COPIES,
  B_LEGALITY,
  B_SPLIT,
  B_PLAN,
  B_EMIT
} b_pass;

/* The model of `text`, which must outlive it; the test fails where the text is
 * not of the small part. Free with b_free. */
built *b_read(const char *text);
void b_free(built *b);

void b_run(built *b, b_pass last);
/* Reads and runs in one. */
built *b_passes(const char *text, b_pass last);

/* Things of the model by name or text; the test fails where there are none. */
pl_func *b_func(const built *b, const char *name);
pl_decl *b_decl(const built *b, const char *name); /* variable or parameter */
pl_node *b_node(const built *b, pl_node_kind kind, const char *text);
pl_loop *b_loop(const built *b, size_t index);
/* The statement of a loop's body that begins with `text`. */
pl_stmt *b_stmt(const pl_loop *loop, const char *text);
pl_tile *b_tile(const pl_loop *loop, const char *name);
/* The copy whose store begins with `text`. */
pl_copy *b_copy(const pl_loop *loop, const char *text);

/* One more set of values of a function's int template parameters. */
void b_instance(built *b, const char *func, int64_t first, int64_t second);
/* One more launch of a kernel; -1: not constant. */
void b_launch(built *b, const char *func, int64_t threads, int64_t shared);

/* The source with the edits in it. */
pl_str b_output(const built *b);

/* The loop is settled with this verdict and ID, and the place of the remark is
 * exactly the text `at` (NULL: the loop itself). */
void b_expect(const pl_loop *loop, pl_verdict verdict, const char *id,
              const char *at);
/* Refused, by this ID at this place. */
void b_refused(const pl_loop *loop, const char *id, const char *at);
/* Nothing speaks against it yet. */
void b_open(const pl_loop *loop);

#endif
