/* test_emit.c - which text: edits and what they say. */
#include "build_model.h"

#include <stdio.h>
#include <string.h>

static built *emitted(const char *text, pl_variant variant, int stages) {
  built *b = b_read(text);
  b->options.variant = variant;
  b->options.stages = stages;
  b_run(b, B_EMIT);
  return b;
}

/* Sorted, apart, inside the file. */
static void check_edits(const built *b) {
  uint32_t at = 0;
  for (size_t i = 0; i < b->nedits; i++) {
    assert_true(b->edits[i].offset >= at);
    at = b->edits[i].offset + b->edits[i].length;
  }
  assert_true(at <= b->unit->text.n);
}

static size_t count(pl_str text, const char *what) {
  size_t n = 0, size = strlen(what);
  for (size_t i = 0; i + size <= text.n; i++)
    n += memcmp(text.p + i, what, size) == 0;
  return n;
}

/* `what` stands `times` times in the output of one loop. */
static void says(const built *b, const char *what, size_t times) {
  pl_str out = b_output(b);
  if (count(out, what) != times)
    fail_msg("'%s' stands %zu times, not %zu, in\n%.*s", what, count(out, what),
             times, PL_FMT(out));
}

/* The parts stand in this order. */
static void in_order(const built *b, const char *const *parts) {
  const char *at = b_output(b).p;
  for (; *parts; parts++) {
    const char *found = strstr(at, *parts);
    if (!found)
      fail_msg("'%s' does not follow in\n%s", *parts, b_output(b).p);
    at = found + strlen(*parts);
  }
}

#define ORDER(b, ...) in_order((b), (const char *const[]){__VA_ARGS__, NULL})

static const char gemm[] = B_KERNEL(B_LOOP(B_COMPUTE));

/* ---- shapes ---------------------------------------------------------------
 */

static void test_ldg_text(void **state) {
  (void)state;
  built *b = emitted("__global__ void k(const float *__restrict__ A,\n"
                     "                  float *__restrict__ C, int n) {\n"
                     "  __shared__ float s[64];\n"
                     "  float acc = 0.0f;\n"
                     "  for (int t = 0; t < n; ++t) {\n"
                     "    // One row.\n"
                     "    s[threadIdx.x] = A[t];\n"
                     "    __syncthreads();\n"
                     "    acc += s[0];  // used\n"
                     "    __syncthreads();\n"
                     "  }\n"
                     "  C[0] = acc;\n"
                     "}\n",
                     PL_VARIANT_LDG, 0);
  check_edits(b);
  pl_str out = b_output(b);
  const char *marker = strstr(out.p, "source ");
  assert_non_null(marker);
  memset((char *)marker + 7, 'x', 8);
  assert_string_equal(
      out.p,
      "__global__ void k(const float *__restrict__ A,\n"
      "                  float *__restrict__ C, int n) {\n"
      "  __shared__ float s_stage[2][64];\n"
      "  float acc = 0.0f;\n"
      "  // pipelinify: ldg, 2 stages, source xxxxxxxx\n"
      "  int t = 0, stage = 0;\n"
      "  if (t < n) {\n"
      "    // One row.\n"
      "    s_stage[0][threadIdx.x] = A[t];\n"
      "    __syncthreads();\n"
      "    // Main loop: fetch the next tile while computing on this one.\n"
      "    for (++t; t < n; ++t) {\n"
      "      // One row.\n"
      "      float s_next = A[t];\n"
      "      acc += s_stage[stage][0];  // used\n"
      "      stage ^= 1;\n"
      "      s_stage[stage][threadIdx.x] = s_next;\n"
      "      __syncthreads();\n"
      "    }\n"
      "    acc += s_stage[stage][0];  // used\n"
      "  }\n"
      "  C[0] = acc;\n"
      "}\n");
  b_free(b);
}

/* One buffer: a second barrier, no stages, the declaration untouched. */
static void test_single_buffer(void **state) {
  (void)state;
  built *b = emitted(gemm, PL_VARIANT_LDG_SINGLE, 0);
  check_edits(b);
  assert_int_equal(b->nedits, 1);
  says(b, "_stage", 0);
  ORDER(b, "for (++t; t < n; ++t) {", "As_next =", "Bs_next =", "acc += As[ty][i]",
        "__syncthreads();", "As[ty][tx] = As_next;", "__syncthreads();", "}",
        "acc += As[ty][i]");
  b_free(b);
}

/* Commit by everyone in every iteration; the wait leaves S - 2 in flight. */
static void test_multistage(void **state) {
  (void)state;
  built *b = emitted(gemm, PL_VARIANT_CP_ASYNC, 4);
  check_edits(b);
  says(b, "constexpr int stages = 4;", 1);
  says(b, "As_stage[stages][TS][TS]", 1);
  says(b, "__pipeline_commit();", 1);
  says(b, "__pipeline_wait_prior(stages - 2);", 1);
  says(b, "__pipeline_wait_prior(0);", 1);
  ORDER(b, "#include <cuda_pipeline.h>", "int t_load = 0, stage = 0;",
        "auto copy_tile = [&](int load_stage) {", "if (t_load < n) {",
        "__pipeline_memcpy_async(&As_stage[load_stage][ty][tx]", "}",
        "__pipeline_commit();", "};",
        "< stages - 1; ++", "copy_tile(load_stage);", "for (int t = 0; t < n; ++t) {",
        "__pipeline_wait_prior(stages - 2);", "__syncthreads();",
        "copy_tile(stage == 0 ? stages - 1 : stage - 1);", "acc += As_stage[stage][ty][i]",
        "__pipeline_wait_prior(0);");
  b_free(b);
}

static void test_two_async_stages(void **state) {
  (void)state;
  built *b = emitted(gemm, PL_VARIANT_CP_ASYNC, 2);
  check_edits(b);
  says(b, "__pipeline_wait_prior(0);", 2);
  says(b, "acc += As_stage[stage][ty][i]", 1);
  ORDER(b, "auto copy_tile", "__pipeline_memcpy_async(&As_stage[load_stage][ty][tx]",
        "__pipeline_commit();", "copy_tile(0);", "// Main loop",
        "__pipeline_wait_prior(0);", "__syncthreads();", "copy_tile(stage ^ 1);",
        "acc +=", "stage ^= 1;", "}", "__pipeline_wait_prior(0);");
  b_free(b);
}

/* The constant stands where every build comes past it, else the number itself. */
static void test_stage_count(void **state) {
  (void)state;
  built *b = emitted(B_KERNEL("  if (n > 99) goto out;\n" B_LOOP(B_COMPUTE)
                              "out:\n  acc += 1.0f;\n"),
                     PL_VARIANT_CP_ASYNC, 3);
  says(b, "constexpr", 0);
  b_free(b);
  b = emitted(B_KERNEL(B_LOOP(B_COMPUTE) B_LOOP(B_COMPUTE)), PL_VARIANT_CP_ASYNC, 3);
  check_edits(b);
  says(b, "constexpr int stages = 3;", 1);
  says(b, "__pipeline_wait_prior(stages - 2);", 2);
  b_free(b);
  b = emitted(B_KERNEL("  int stages = n;\n" B_LOOP(B_COMPUTE) "  acc += stages;\n"),
              PL_VARIANT_CP_ASYNC, 3);
  says(b, "constexpr int stages2 = 3;", 1);
  b_free(b);
}

/* ---- all or nothing -------------------------------------------------------
 */

static void test_refused_loop_stays(void **state) {
  (void)state;
  built *b = emitted(B_KERNEL(B_LOOP(B_COMPUTE "    if (n > 9) return;\n")),
                     PL_VARIANT_AUTO, 0);
  assert_int_equal(b->nedits, 0);
  b_free(b);
}

static void test_shared_declaration_is_edited_once(void **state) {
  (void)state;
  built *b =
      emitted(B_KERNEL(B_LOOP(B_COMPUTE) B_LOOP(B_COMPUTE)), PL_VARIANT_LDG, 0);
  check_edits(b);
  assert_int_equal(b->nedits, 4);
  says(b, "As_stage[2][TS][TS];", 1);
  says(b, "// Main loop", 2);
  b_free(b);
}

/* ---- barriers -------------------------------------------------------------
 */

static void test_entry_barrier(void **state) {
  (void)state;
  built *b = emitted(B_KERNEL("  for (int t = 0; t < n; ++t) {\n"
                              "    __syncthreads();\n"
                              "    As[ty][tx] = A[t];\n    __syncthreads();\n"
                              "    acc += As[ty][0];\n  }\n"),
                     PL_VARIANT_LDG, 0);
  ORDER(b, "if (t < n) {", "__syncthreads();", "As_stage[0][ty][tx] =");
  says(b, "__syncthreads();", 3);
  b_free(b);
}

/* The exit barrier goes only where nothing that follows can tell. */
static void test_exit_barrier(void **state) {
  (void)state;
  built *b = emitted(gemm, PL_VARIANT_LDG, 0);
  says(b, "__syncthreads();", 2);
  b_free(b);
  b = emitted(
      B_KERNEL("  for (int r = 0; r < n; ++r) {\n" B_LOOP(B_COMPUTE) "  }\n"),
      PL_VARIANT_LDG, 0);
  says(b, "__syncthreads();", 3);
  ORDER(b, "// Main loop", "As_next;", "__syncthreads();", "}", "acc +=",
        "__syncthreads();");
  b_free(b);
  b = emitted(B_KERNEL("  __shared__ float other[16];\n" B_LOOP(
                  B_COMPUTE) "  other[tx] = acc;\n"),
              PL_VARIANT_LDG, 0);
  says(b, "__syncthreads();", 3);
  b_free(b);
}

/* A barrier inside compute stays where it is. */
static void test_compute_barrier_stays(void **state) {
  (void)state;
  built *b = emitted(B_KERNEL("  __shared__ float other[16];\n" B_LOOP(
                         "    other[tx] = As[ty][tx];\n"
                         "    __syncthreads();\n"
                         "    acc += other[ty] * Bs[ty][tx];\n")),
                     PL_VARIANT_LDG, 0);
  ORDER(b, "// Main loop", "other[tx] = As_stage[stage][ty][tx];", "__syncthreads();",
        "acc += other[ty]", "stage ^= 1;", "}", "other[tx] = As_stage[stage][ty][tx];",
        "__syncthreads();", "acc += other[ty]");
  assert_int_equal(b_loop(b, 0)->nbarriers, 3);
  assert_int_equal(b_loop(b, 0)->barriers_after, 2);
  b_free(b);
}

#define HEAD_KERNEL(head)                                                      \
  B_KERNEL("  __shared__ float other[16];\n"                                   \
           "  for (int t = 0; t < n; ++t) {\n" head "    __syncthreads();\n"    \
           "    As[ty][tx] = A[ty * n + t * TS + tx];\n"                       \
           "    __syncthreads();\n"                                            \
           "    acc += As[tx][ty];\n"                                          \
           "    other[tx] = acc;\n"                                            \
           "    __syncthreads();\n"                                            \
           "  }\n")

/* Text ahead of the loads stays behind a barrier where it and compute conflict. */
static void test_head_barrier_stays(void **state) {
  (void)state;
  built *b = emitted(HEAD_KERNEL("    acc += other[ty];\n"), PL_VARIANT_LDG, 0);
  ORDER(b, "// Main loop", "acc += other[ty];", "__syncthreads();",
        "acc += As_stage[stage][tx][ty];", "stage ^= 1;", "}", "acc += other[ty];",
        "__syncthreads();", "acc += As_stage[stage][tx][ty];");
  assert_int_equal(b_loop(b, 0)->barriers_after, 2);
  b_free(b);
  b = emitted(HEAD_KERNEL("    acc += B[ty];\n"), PL_VARIANT_LDG, 0);
  assert_int_equal(b_loop(b, 0)->barriers_after, 1);
  b_free(b);
}

/* What the machine code's loop waits at, a tile. */
static void test_barriers_are_counted(void **state) {
  (void)state;
  static const struct {
    pl_variant variant;
    int stages, barriers;
  } shapes[] = {{PL_VARIANT_LDG, 0, 1},      {PL_VARIANT_LDG_SINGLE, 0, 2},
                {PL_VARIANT_CP_ASYNC, 2, 1}, {PL_VARIANT_CP_ASYNC, 4, 1}};
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    built *b = emitted(gemm, shapes[i].variant, shapes[i].stages);
    assert_int_equal(b_loop(b, 0)->barriers_after, shapes[i].barriers);
    b_free(b);
  }
}

/* ---- names ----------------------------------------------------------------
 */

static void test_names_are_new(void **state) {
  (void)state;
  built *b = emitted(B_KERNEL("  int stage = 0;\n  int As_stage = 1;\n"
                              "  float As_next = 0.0f;\n" B_LOOP(B_COMPUTE)),
                     PL_VARIANT_LDG, 0);
  says(b, "As_stage2[2][TS][TS];", 1);
  says(b, "int t = 0, stage2 = 0;", 1);
  says(b, "float As_next2 = ", 1);
  b_free(b);
}

/* Compute sees its own copy of a variable that the load side has moved on. */
static void test_cursors(void **state) {
  (void)state;
  built *b =
      emitted(B_KERNEL(B_LOOP(B_COMPUTE "    acc += t;\n")), PL_VARIANT_LDG, 0);
  ORDER(b, "int t = 0, t_tile = t, stage = 0;", "// Main loop", "acc += t_tile;",
        "++t_tile;", "stage ^= 1;", "}", "acc += t_tile;");
  b_free(b);
  b = emitted(gemm, PL_VARIANT_LDG, 0);
  says(b, "t_tile", 0);
  b_free(b);
}

static void test_pointer_bumps(void **state) {
  (void)state;
  built *b = emitted(B_KERNEL("  for (int t = 0; t < n; ++t) {\n"
                              "    As[ty][tx] = A[tx];\n    __syncthreads();\n"
                              "    acc += As[tx][ty];\n    __syncthreads();\n"
                              "    A += TS;\n  }\n"),
                     PL_VARIANT_LDG, 0);
  says(b, "A += TS;", 2);
  ORDER(b, "As_stage[0][ty][tx] = A[tx];", "A += TS;", "// Main loop",
        "As_next = A[tx];", "As_stage[stage][ty][tx] = As_next;", "A += TS;");
  b_free(b);
}

/* ---- the file's own style -------------------------------------------------
 */

static void test_line_ends(void **state) {
  (void)state;
  char text[2048];
  size_t n = 0;
  for (const char *p = gemm; *p; p++) {
    if (*p == '\n')
      text[n++] = '\r';
    text[n++] = *p;
  }
  text[n] = '\0';
  built *b = emitted(text, PL_VARIANT_CP_ASYNC, 3);
  pl_str out = b_output(b);
  assert_int_equal(count(out, "\n"), count(out, "\r\n"));
  assert_int_equal(count(out, "\r\r"), 0);
  b_free(b);
}

static void test_brace_style_and_pragma(void **state) {
  (void)state;
  built *b = emitted(B_KERNEL("\t#pragma unroll 1\n"
                              "\tfor (int t = 0; t < n; ++t)\n\t{\n"
                              "\t\tAs[ty][tx] = A[t];\n\t\t__syncthreads();\n"
                              "\t\tacc += As[tx][ty];\n\t\t__syncthreads();\n"
                              "\t}\n"),
                     PL_VARIANT_LDG, 0);
  says(b, "#pragma unroll 1", 1);
  ORDER(b, "\tif (t < n)\n\t{",
        "#pragma unroll 1\n\t\tfor (++t; t < n; ++t)\n\t\t{\n",
        "\t\t\tfloat As_next = A[t];");
  b_free(b);
}

static void test_edits_that_overlap(void **state) {
  (void)state;
  const pl_edit apart[] = {{0, 4, "", 0}, {4, 0, "a", 1}, {4, 2, "b", 1}};
  const pl_edit over[] = {{0, 4, "", 0}, {3, 0, "a", 1}};
  assert_false(pl_edits_overlap(apart, 3));
  assert_false(pl_edits_overlap(NULL, 0));
  assert_true(pl_edits_overlap(over, 2));
}

static void test_include_place(void **state) {
  (void)state;
  built *b = emitted("// a comment\n#include <cuda_runtime.h>\n#if 1\n"
                     "#include <other.h>\n#endif\n" B_KERNEL(B_LOOP(B_COMPUTE)),
                     PL_VARIANT_CP_ASYNC, 2);
  ORDER(b, "#include <cuda_runtime.h>\n#include <cuda_pipeline.h>\n#if 1\n");
  b_free(b);
  b = emitted(
      "// pipelines\n#include <cuda_pipeline.h>\n" B_KERNEL(B_LOOP(B_COMPUTE)),
      PL_VARIANT_CP_ASYNC, 2);
  says(b, "#include", 1);
  b_free(b);
  b = emitted("// of the file\n\n// of the number\nconstexpr int one = 1;\n" B_KERNEL(
                  B_LOOP(B_COMPUTE)),
              PL_VARIANT_CP_ASYNC, 2);
  ORDER(b, "// of the file\n\n#include <cuda_pipeline.h>\n\n// of the number\n");
  b_free(b);
  b = emitted("// SPDX-License-Identifier: MIT\nconstexpr int one = 1;\n" B_KERNEL(
                  B_LOOP(B_COMPUTE)),
              PL_VARIANT_CP_ASYNC, 2);
  ORDER(b, "// SPDX-License-Identifier: MIT\n#include <cuda_pipeline.h>\n\n");
  b_free(b);
  b = emitted("#pragma once\n" B_KERNEL(B_LOOP(B_COMPUTE)), PL_VARIANT_CP_ASYNC, 2);
  ORDER(b, "#pragma once\n\n#include <cuda_pipeline.h>\n");
  b_free(b);
  b = emitted("#ifndef H\n#define H\n#include <other.h>\n" B_KERNEL(
                  B_LOOP(B_COMPUTE)) "\n#endif\n",
              PL_VARIANT_CP_ASYNC, 2);
  ORDER(b, "#define H\n#include <other.h>\n#include <cuda_pipeline.h>\n");
  b_free(b);
  b = emitted("#ifndef T\n#define T 16\n#endif\n" B_KERNEL(B_LOOP(B_COMPUTE)),
              PL_VARIANT_CP_ASYNC, 2);
  ORDER(b, "#include <cuda_pipeline.h>\n\n#ifndef T\n#define T 16\n");
  b_free(b);
  b = emitted(gemm, PL_VARIANT_LDG, 0);
  says(b, "#include", 0);
  b_free(b);
}

/* A stage keeps the alignment of what is read through it. */
static void test_padding(void **state) {
  (void)state;
  built *b = emitted("__global__ void k(const float *__restrict__ A,\n"
                     "                  float *__restrict__ C, int n) {\n"
                     "  __shared__ __align__(16) float s[9][9];\n"
                     "  float acc = 0.0f;\n  int tx = threadIdx.x;\n"
                     "  for (int t = 0; t < n; ++t) {\n    s[tx][0] = A[t];\n"
                     "    __syncthreads();\n    acc += s[0][0];\n"
                     "    __syncthreads();\n  }\n  C[0] = acc;\n}\n",
                     PL_VARIANT_LDG, 0);
  assert_int_equal(b_loop(b, 0)->smem_after - b_loop(b, 0)->smem_before, 336);
  says(b, "struct __align__(16) s_padded { float tile[9][9]; };", 1);
  says(b, "__shared__ s_padded s_stage[2];", 1);
  says(b, "acc += s_stage[stage].tile[0][0];", 2);
  b_free(b);
}

/* ---- one side alone -------------------------------------------------------
 */

/* A pointer that the load side steps, and a loop of its own inside compute. */
static const char bumped[] =
    "__global__ void k(const float *__restrict__ A,\n"
    "                  float *__restrict__ C, int n) {\n"
    "  __shared__ float s[64];\n"
    "  float acc = 0.0f;\n"
    "  for (int t = 0; t < n; ++t) {\n"
    "    float one = A[threadIdx.x];\n"
    "    s[threadIdx.x] = one;\n"
    "    A += 64;\n"
    "    __syncthreads();\n"
    "    acc += s[0];  // used\n"
    "    __syncthreads();\n"
    "  }\n"
    "  C[0] = acc;\n"
    "}\n";

static built *one_side(const char *text, pl_side only) {
  built *b = b_read(text);
  b->options.only = only;
  b_run(b, B_EMIT);
  check_edits(b);
  return b;
}

static void test_loads_alone(void **state) {
  (void)state;
  built *b = one_side(bumped, PL_SIDE_LOADS);
  assert_non_null(strstr(
      b_output(b).p,
      "  // pipelinify: loads alone, to be timed: results are wrong\n"
      "  {\n"
      "    int t = 0;\n"
      "    for (; t < n; ++t) {\n"
      "      float one = A[threadIdx.x];\n"
      "      s[threadIdx.x] = one;\n"
      "      A += 64;\n"
      "      __syncthreads();\n"
      "      __syncthreads();\n"
      "      asm volatile(\"\" : : \"l\"(&s) : \"memory\");\n"
      "    }\n"
      "  }\n"
      "  C[0] = acc;\n"));
  says(b, "acc +=", 0);
  b_free(b);
}

/* The load side's steps are taken back, and taken again in each round. */
static void test_compute_alone(void **state) {
  (void)state;
  built *b = one_side(bumped, PL_SIDE_COMPUTE);
  assert_non_null(strstr(
      b_output(b).p,
      "    int t = 0;\n"
      "    // The first tile, for all rounds.\n"
      "    if (t < n) {\n"
      "      auto A_first = A;\n"
      "      {\n"
      "        float one = A[threadIdx.x];\n"
      "        s[threadIdx.x] = one;\n"
      "        A += 64;\n"
      "      }\n"
      "      A = A_first;\n"
      "      __syncthreads();\n"
      "    }\n"
      "    for (; t < n; ++t) {\n"
      "      A += 64;\n"
      "      __syncthreads();\n"
      "      acc += s[0];  // used\n"
      "      __syncthreads();\n"
      "      asm volatile(\"\" : : \"l\"(&s) : \"memory\");\n"
      "    }\n"));
  b_free(b);
}

static const char skipping[] =
    "__global__ void k(const float *__restrict__ A,\n"
    "                  const int *__restrict__ mask, float *__restrict__ C,\n"
    "                  int n) {\n"
    "  __shared__ float s[64];\n"
    "  float acc = 0.0f;\n"
    "  for (int t = 0; t < n; ++t) {\n"
    "    const int wanted = mask[t];\n"
    "    if (wanted == 0) continue;\n"
    "    s[threadIdx.x] = A[t * wanted + threadIdx.x];\n"
    "    __syncthreads();\n"
    "    acc += s[0] * wanted;\n"
    "    __syncthreads();\n"
    "  }\n"
    "  C[0] = acc;\n"
    "}\n";

/* Where tiles are passed over, each side passes over the same ones. */
static void test_sides_that_search(void **state) {
  (void)state;
  built *b = one_side(skipping, PL_SIDE_LOADS);
  assert_non_null(strstr(
      b_output(b).p,
      "    for (; t < n; ++t) {\n"
      "      const int wanted = mask[t];\n"
      "      if (wanted == 0) continue;\n"
      "      s[threadIdx.x] = A[t * wanted + threadIdx.x];\n"
      "      __syncthreads();\n"));
  b_free(b);
  b = one_side(skipping, PL_SIDE_COMPUTE);
  assert_non_null(strstr(
      b_output(b).p,
      "    auto t_first = t;\n"
      "    bool more = false;\n"
      "    for (; t < n; ++t) {\n"
      "      const int wanted = mask[t];\n"
      "      if (wanted == 0) continue;\n"
      "      more = true;\n"
      "      break;\n"
      "    }\n"
      "    if (more) {\n"
      "      {\n"
      "        const int wanted = mask[t];\n"
      "        s[threadIdx.x] = A[t * wanted + threadIdx.x];\n"
      "      }\n"
      "      __syncthreads();\n"
      "    }\n"
      "    t = t_first;\n"
      "    for (; t < n; ++t) {\n"
      "      const int wanted = mask[t];\n"
      "      if (wanted == 0) continue;\n"
      "      __syncthreads();\n"
      "      acc += s[0] * wanted;\n"));
  b_free(b);
}

/* Shared memory is as before, and what no variant pipelines keeps both. */
static void test_sides_of_the_pipelined_alone(void **state) {
  (void)state;
  built *b = one_side(gemm, PL_SIDE_COMPUTE);
  says(b, "_stage", 0);
  says(b, "__shared__ float As[TS][TS];", 1);
  says(b, "\"memory\"", 2);
  b_free(b);
  b = one_side("__global__ void k(float *A, int n) {\n"
               "  __shared__ float s[64];\n"
               "  for (int t = 0; t < n; ++t) {\n"
               "    s[threadIdx.x] = A[t];\n    __syncthreads();\n"
               "    A[t + 1] = s[0];\n    __syncthreads();\n  }\n}\n",
               PL_SIDE_LOADS);
  assert_int_equal(b->nedits, 0);
  b_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ldg_text),
      cmocka_unit_test(test_single_buffer),
      cmocka_unit_test(test_multistage),
      cmocka_unit_test(test_stage_count),
      cmocka_unit_test(test_two_async_stages),
      cmocka_unit_test(test_refused_loop_stays),
      cmocka_unit_test(test_shared_declaration_is_edited_once),
      cmocka_unit_test(test_entry_barrier),
      cmocka_unit_test(test_exit_barrier),
      cmocka_unit_test(test_compute_barrier_stays),
      cmocka_unit_test(test_head_barrier_stays),
      cmocka_unit_test(test_barriers_are_counted),
      cmocka_unit_test(test_names_are_new),
      cmocka_unit_test(test_cursors),
      cmocka_unit_test(test_pointer_bumps),
      cmocka_unit_test(test_line_ends),
      cmocka_unit_test(test_brace_style_and_pragma),
      cmocka_unit_test(test_edits_that_overlap),
      cmocka_unit_test(test_include_place),
      cmocka_unit_test(test_padding),
      cmocka_unit_test(test_loads_alone),
      cmocka_unit_test(test_compute_alone),
      cmocka_unit_test(test_sides_that_search),
      cmocka_unit_test(test_sides_of_the_pipelined_alone)};
  return cmocka_run_group_tests(tests, NULL, NULL) ? 1 : 0;
}
