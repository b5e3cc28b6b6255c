/* The shim, precompiled: the same answers with it as without, whatever state
 * the file is in, and one file for the sources that read the shim one way. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pipelinify.h"
#include "precompiled.h"
#include "text.h"

static const char kernel[] =
    "#include <cuda_fp16.h>\n"
    "#include <cstdio>\n"
    "template <int TILE> __global__ void dot(const __half *a, const float *b,\n"
    "                                        float *c, int k) {\n"
    "  __shared__ float as[TILE][TILE], bs[TILE][TILE];\n"
    "  int x = threadIdx.x, y = threadIdx.y;\n"
    "  float sum = 0.f;\n"
    "  for (int k0 = 0; k0 < k; k0 += TILE) {\n"
    "    as[y][x] = __half2float(a[y * k + k0 + x]);\n"
    "    bs[y][x] = b[(k0 + y) * TILE + x];\n"
    "    __syncthreads();\n"
    "    for (int i = 0; i < TILE; ++i) sum += as[y][i] * bs[i][x];\n"
    "    __syncthreads();\n"
    "  }\n"
    "  c[y * TILE + x] = sum;\n"
    "}\n"
    "void run(const __half *a, const float *b, float *c) {\n"
    "  dot<16><<<1, dim3(16, 16)>>>(a, b, c, 64);\n"
    "  std::printf(\"%d\\n\", 1);\n"
    "}\n";

static pl_source source_of(const char *text) {
  return (pl_source){"dot.cu", text, strlen(text)};
}

static char *rewritten(const char *shim) {
  pl_options options = {.precompiled_shim = shim};
  pl_result *result = pl_rewrite("dot.cu", kernel, strlen(kernel), &options);
  size_t length;
  const char *text = pl_result_text(result, &length);
  char *copy = pl_format("%.*s", (int)length, text);
  assert_null(pl_result_error(result));
  pl_result_free(result);
  return copy;
}

static void check_same(const char *shim) {
  char *without = rewritten(NULL), *with = rewritten(shim);
  assert_string_not_equal(without, kernel);
  assert_string_equal(with, without);
  free(without);
  free(with);
}

static void test_same_text(void **state) {
  pl_precompiled *precompiled = pl_precompiled_new();
  pl_source source = source_of(kernel);
  const char *path =
      pl_precompiled_for(precompiled, NULL, &source, &(pl_options){0});
  (void)state;
  assert_non_null(path);
  check_same(path);
  pl_precompiled_free(precompiled);
}

/* What cannot be read is as if it were not there. */
static void test_bad_files(void **state) {
  char path[] = "/tmp/test_precompiled.XXXXXX";
  int fd = mkstemp(path);
  (void)state;
  assert_true(fd >= 0);
  check_same("/nonexistent/shim");
  check_same(path);
  assert_int_equal(write(fd, "no such thing", 13), 13);
  check_same(path);
  assert_int_equal(ftruncate(fd, 0), 0);
  assert_true(pl_shim_precompile(kernel, strlen(kernel), &(pl_options){0},
                                 path));
  check_same(path);
  assert_int_equal(truncate(path, 100000), 0);
  check_same(path);
  close(fd);
  unlink(path);
}

static char *key_of(const char *text, const char *argument) {
  pl_options options = {.clang_args = &argument,
                        .clang_nargs = argument ? 1 : 0};
  return pl_shim_key(text, strlen(text), &options);
}

static void check_keys(const char *text, const char *argument,
                       const char *other_text, const char *other_argument,
                       bool same) {
  char *a = key_of(text, argument), *b = key_of(other_text, other_argument);
  assert_non_null(a);
  assert_non_null(b);
  assert_true((strcmp(a, b) == 0) == same);
  free(a);
  free(b);
}

static void test_keys(void **state) {
  (void)state;
  check_keys("#include <cstdio>\nint a;", NULL,
             "// other\n# include <vector> // all of one file\n", NULL, true);
  check_keys("#include <cstdio>\n", NULL, "int a;", NULL, false);
  check_keys("#include <mma.h>\n#include <cstdio>\n", NULL,
             "#include <cstdio>\n#include <mma.h>\n", NULL, true);
  check_keys("#if A\n#include <cstdio>\n#endif\n", NULL, "", NULL, true);
  check_keys("// #include <cstdio>\n", NULL, "", NULL, true);
  check_keys("#include \"cstdio\"\n", NULL, "", NULL, true);
  check_keys("", "-DNDEBUG", "", NULL, false);
  check_keys("", "-std=c++20", "", NULL, false);
  check_keys("", "-Iinclude", "", NULL, true);
  assert_null(key_of("", "-fplugin=x.so"));
}

/* In one run, and from the store in the next. */
static void test_shared(void **state) {
  char directory[] = "/tmp/test_precompiled.XXXXXX";
  (void)state;
  assert_non_null(mkdtemp(directory));
  pl_store store = {directory, 1LL << 30};
  assert_true(pl_store_open(&store));
  pl_source one = source_of(kernel), two = source_of("#include <mma.h>\n");
  pl_options options = {0};
  pl_precompiled *first = pl_precompiled_new();
  const char *path = pl_precompiled_for(first, &store, &one, &options);
  assert_ptr_equal(pl_precompiled_for(first, &store, &one, &options), path);
  assert_ptr_not_equal(pl_precompiled_for(first, &store, &two, &options), path);
  pl_precompiled *second = pl_precompiled_new();
  check_same(pl_precompiled_for(second, &store, &one, &options));
  pl_precompiled_free(first);
  pl_precompiled_free(second);
  char *command = pl_format("test $(find '%s' -name 'tmp.*' | wc -l) = 0 &&"
                            " test $(find '%s/v1' -type f | wc -l) = 2;"
                            " good=$?; rm -rf '%s'; exit $good",
                            directory, directory, directory);
  assert_int_equal(system(command), 0);
  free(command);
}

/* What a process finds that was forked before there was one. */
static void test_forked(void **state) {
  pl_precompiled *precompiled = pl_precompiled_new();
  pl_source one = source_of(kernel), two = source_of("#include <mma.h>\n");
  pl_options options = {0};
  int line[2], status = 0;
  char made;
  (void)state;
  assert_int_equal(pipe(line), 0);
  pl_precompiled_expect(precompiled, &one, &options);
  assert_int_equal(pl_precompiled_count(precompiled), 1);
  assert_null(pl_precompiled_found(precompiled, &one, &options));
  pid_t pid = fork();
  if (pid == 0) {
    bool good = read(line[0], &made, 1) == 1 &&
                pl_precompiled_found(precompiled, &one, &options) &&
                !pl_precompiled_found(precompiled, &two, &options);
    if (good)
      check_same(pl_precompiled_found(precompiled, &one, &options));
    _exit(good ? 0 : 1);
  }
  const char *path = pl_precompiled_for(precompiled, NULL, &one, &options);
  assert_non_null(path);
  assert_string_equal(pl_precompiled_found(precompiled, &one, &options), path);
  assert_int_equal(write(line[1], "", 1), 1);
  assert_int_equal(waitpid(pid, &status, 0), pid);
  assert_int_equal(status, 0);
  close(line[0]);
  close(line[1]);
  pl_precompiled_free(precompiled);
}

static void check_loops(const pl_kernel_report *a, const pl_kernel_report *b) {
  assert_string_equal(a->name, b->name);
  assert_int_equal(a->nloops, b->nloops);
  for (size_t i = 0; i < a->nloops; i++) {
    assert_int_equal(a->loops[i].verdict, b->loops[i].verdict);
    assert_string_equal(a->loops[i].message, b->loops[i].message);
  }
}

/* Everything that is said of a source, and what becomes of it. */
static void check_results(const pl_result *a, const pl_result *b) {
  size_t n, m;
  const pl_kernel_report *ours = pl_result_kernels(a, &n);
  const pl_kernel_report *theirs = pl_result_kernels(b, &m);
  assert_int_equal(n, m);
  for (size_t i = 0; i < n; i++)
    check_loops(&ours[i], &theirs[i]);
  const char *text = pl_result_text(a, &n), *other = pl_result_text(b, &m);
  assert_int_equal(n, m);
  assert_memory_equal(text, other, n);
}

static void check_file(pl_precompiled *precompiled, const char *path) {
  pl_bytes bytes;
  pl_options options = {0};
  assert_true(pl_read_file(path, &bytes));
  pl_source source = {path, bytes.data, bytes.size};
  pl_result *without = pl_rewrite(path, bytes.data, bytes.size, &options);
  options.precompiled_shim =
      pl_precompiled_for(precompiled, NULL, &source, &options);
  pl_result *with = pl_rewrite(path, bytes.data, bytes.size, &options);
  assert_non_null(options.precompiled_shim);
  check_results(with, without);
  pl_result_free(with);
  pl_result_free(without);
  free(bytes.data);
}

/* Every twelfth case; tests/golden compares all of them, as they are with it. */
static void test_testdata(void **state) {
  glob_t found;
  pl_precompiled *precompiled = pl_precompiled_new();
  (void)state;
  assert_int_equal(glob(PL_TESTDATA "/*/*/*/kernel.cu", 0, NULL, &found), 0);
  assert_true(found.gl_pathc > 300);
  for (size_t i = 0; i < found.gl_pathc; i += 12)
    check_file(precompiled, found.gl_pathv[i]);
  globfree(&found);
  pl_precompiled_free(precompiled);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_same_text), cmocka_unit_test(test_bad_files),
      cmocka_unit_test(test_keys), cmocka_unit_test(test_shared),
      cmocka_unit_test(test_forked),
      cmocka_unit_test(test_testdata)};
  return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
