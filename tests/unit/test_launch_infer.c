/* test_launch_infer.c - what is taken from host code, and what is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "launch_infer.h"

#include <stdio.h>
#include <string.h>

static const char KERNEL[] =
    "#define T 16\n"
    "__global__ void k(const float *a, float *b, int n) {\n"
    "  __shared__ float s[T];\n"
    "  b[n] = a[n] + s[0];\n"
    "}\n";

/* The first launch of KERNEL and `host`. */
static pl_inferred_list *take(const char *host) {
  static char text[4096];
  snprintf(text, sizeof text, "%s%s", KERNEL, host);
  pl_inferred_list *list = pl_infer_launches(text, strlen(text), NULL, 0);
  assert_true(list->n > 0);
  return list;
}

static void expect(const char *host, const char *own) {
  pl_inferred_list *list = take(host);
  assert_string_equal(list->items[0].own, own);
  assert_int_equal(list->items[0].own_gaps, 0);
  assert_null(list->items[0].obstacle);
  pl_inferred_free(list);
}

static void expect_gaps(const char *host, size_t gaps) {
  pl_inferred_list *list = take(host);
  assert_int_equal(list->items[0].own_gaps, gaps);
  pl_inferred_free(list);
}

static void expect_obstacle(const char *host, const char *obstacle) {
  pl_inferred_list *list = take(host);
  assert_string_equal(list->items[0].obstacle, obstacle);
  pl_inferred_free(list);
}

#define BUFFERS \
  "float *a, *b; cudaMalloc(&a, n * sizeof(float));" \
  "cudaMalloc(&b, n * sizeof *b);"

static void sizes_and_macros(void **state) {
  (void)state;
  expect("int main() { int n = 1 << 10; " BUFFERS
         "k<<<(n + T - 1) / T, T>>>(a, b, n); }",
         "launch k\n  sizes    n=1024\n  target   n=1024\n"
         "  grid     (n + 16 - 1) / 16\n  block    16\n"
         "  a:       in    [n]\n  b:       out   [n]\n  n:       n\n");
  expect("#define N 512\nint main() { float *a, *b;"
         "cudaMallocManaged(&a, N * 4); cudaMallocManaged((void **)&b, 4 * N);"
         "k<<<ceil(N / (float)T), dim3(T)>>>(a, b, N); }",
         "launch k\n  grid     32\n  block    16\n"
         "  a:       in    [512]\n  b:       inout [512]\n  n:       512\n");
}

static void arguments_of_the_program(void **state) {
  (void)state;
  expect("int main(int argc, char **argv) {"
         "int n = argc > 1 ? atoi(argv[1]) : 64; " BUFFERS
         "if (argc > 2) { n = 0; return 1; } k<<<n / T, T>>>(a, b, n); }",
         "launch k\n  sizes    n=64\n  target   n=64\n"
         "  grid     n / 16\n  block    16\n"
         "  a:       in    [n]\n  b:       out   [n]\n  n:       n\n");
}

static void small_sizes_keep_what_divides(void **state) {
  (void)state;
  pl_inferred_list *list =
      take("int main() { int n = 4096; " BUFFERS
           "if (n % 32 == 0) k<<<n / T, T>>>(a, b, n); }");
  assert_non_null(strstr(list->items[0].small, "sizes    n=16,32,48,80\n"));
  assert_non_null(strstr(list->items[0].small, "requires n % 32 == 0\n"));
  assert_non_null(strstr(list->items[0].few, "sizes    n=4096\n"));
  assert_non_null(strstr(list->items[0].few, "grid     256, 1, 1\n"));
  pl_inferred_free(list);
}

static void few_blocks_of_many_threads(void **state) {
  (void)state;
  pl_inferred_list *list =
      take("int main() { int n = 1 << 20; " BUFFERS "k<<<n / T, T>>>(a, b, n); }");
  assert_non_null(strstr(list->items[0].few, "grid     4, 1, 1\n"));
  assert_true(list->items[0].leaves_out);
  pl_inferred_free(list);
}

static void what_is_not_known_is_a_gap(void **state) {
  (void)state;
  expect_gaps("void f(const float *a, float *b, int n) {"
              "k<<<n / T, T>>>(a, b, n); }", 2);
  expect_gaps("void f(Tensor a, Tensor b) { auto n = a.size(0);"
              "dispatch([&] { k<<<n / T, T>>>(a.ptr(), b.ptr(), n); }); }", 2);
  expect_gaps("int main() { int n = 64; dim3 g(1); " BUFFERS
              "choose(a, g); k<<<g, T>>>(a, b, n); }", 1);
  expect_gaps("int main() { int n = 64; size_t bytes = n * 4; float *a, *b;"
              "cudaMalloc(&a, bytes); if (ready()) bytes = 0;"
              "cudaMalloc(&b, bytes); k<<<n / T, T>>>(a, b, n); }", 1);
  expect_gaps("int main() { int n = 64, i = 4; " BUFFERS
              "while (more()) i *= 2; k<<<i, T>>>(a, b, n); }", 1);
}

static void cases_of_a_switch(void **state) {
  (void)state;
  expect("int main() { int n = 64, g = 0, which = 2; " BUFFERS
         "switch (which) { default: g = 1; break; case 1: g = 3; break;"
         "  case 2: g = 4; }"
         "k<<<g, T>>>(a, b, n); }",
         "launch k\n  sizes    n=64\n  target   n=64\n  grid     4\n"
         "  block    16\n  a:       in    [n]\n  b:       out   [n]\n"
         "  n:       n\n");
  expect_gaps("int main() { int n = 64; dim3 g(1); " BUFFERS
              "switch (read()) { case 1: g = dim3(2); break; default: break; }"
              "k<<<g, T>>>(a, b, n); }", 1);
}

static void sizes_of_buffers_alone(void **state) {
  (void)state;
  expect("struct M { int rows, cols; float *p;"
         "  M(int r, int c) : rows(r), cols(c) {"
         "    cudaMalloc(&p, rows * cols * sizeof(float)); } };"
         "int main() { M x(64, 96), y(96, 32);"
         "  k<<<x.rows / T, T>>>(x.p, y.p, x.cols); }",
         "launch k\n  sizes    rows=64 cols=96 cols_2=32\n"
         "  target   rows=64 cols=96 cols_2=32\n  grid     rows / 16\n"
         "  block    16\n  a:       in    [rows * cols]\n"
         "  b:       out   [cols * cols_2]\n  n:       cols\n");
}

static void what_no_description_says(void **state) {
  (void)state;
  expect_obstacle("int main() { int n = 64; " BUFFERS
                  "k<<<n / T, T>>>(a, a, n); }",
                  "'a' and 'b' are one buffer");
  expect_obstacle("int main() { int n = 64; " BUFFERS "float *c = b;"
                  "k<<<n / T, T>>>(b + 1, c, n); }",
                  "'a' and 'b' are one buffer");
  expect_obstacle("__global__ void k(const int *a, int *b, int n) {}"
                  "int main() { int n = 64; " BUFFERS
                  "k<<<n / T, T>>>(a, b, n); }", "'k' is overloaded");
  pl_inferred_list *list = take(
      "__constant__ float c[T];\n__device__ float g() { return c[0]; }\n"
      "__global__ void q(float *b) { b[0] = g(); }\n"
      "int main() { float h[T], *b; cudaMalloc(&b, 64);"
      "cudaMemcpyToSymbol(c, h, sizeof h); q<<<1, T>>>(b); }");
  assert_string_equal(list->items[0].obstacle,
                      "no description fills the __constant__ 'c'");
  pl_inferred_free(list);
}

static void buffers_that_change_places(void **state) {
  (void)state;
  pl_inferred_list *list =
      take("int main() { int n = 64; " BUFFERS "float *c; cudaMalloc(&c, 8);"
           "for (int i = 0; i < 2; i++) { k<<<n / T, T>>>(a, b, n);"
           "std::swap(b, c); } }");
  assert_int_equal(list->n, 2);
  assert_non_null(strstr(list->items[0].own, "b:       out   [n]"));
  assert_non_null(strstr(list->items[1].own, "b:       out   [2]"));
  pl_inferred_free(list);
}

static void text_that_is_none(void **state) {
  (void)state;
  static const char *const texts[] = {
      "", "(", "}", "int main() { k<<<", "int main() { k<<<1, 1>>>(; }",
      "#define A(x) A(x\nint main() { A(A(1 }",
      "#if\n#else\n#endif\n#endif\nint main() { for (;;) cudaMalloc(0); }",
      "int main() { main(); }", "template <", "enum {"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    pl_inferred_free(
        pl_infer_launches(texts[i], strlen(texts[i]), NULL, 0));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sizes_and_macros),
      cmocka_unit_test(arguments_of_the_program),
      cmocka_unit_test(small_sizes_keep_what_divides),
      cmocka_unit_test(few_blocks_of_many_threads),
      cmocka_unit_test(what_is_not_known_is_a_gap),
      cmocka_unit_test(cases_of_a_switch),
      cmocka_unit_test(sizes_of_buffers_alone),
      cmocka_unit_test(what_no_description_says),
      cmocka_unit_test(buffers_that_change_places),
      cmocka_unit_test(text_that_is_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
