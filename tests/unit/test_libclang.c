/* test_libclang.c - a machine on which libclang is not where the build found it:
 * the library says so, and what to install. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define PL_LIBCLANG_FILE "/nowhere/libclang.so.0"
#define PL_LIBCLANG_SONAME "libclang-of-nowhere.so.0"
#define PL_LIBCLANG_PACKAGE "libclang1-0"
#define PL_LIBLLVM_FILE "/nowhere/libLLVM.so.0"
#include "libclang.c"

#include "pipelinify.h"

static void says_what_is_missing(const char *text) {
  assert_non_null(text);
  assert_non_null(strstr(text, "libclang cannot be loaded"));
  assert_non_null(strstr(text, "libclang-of-nowhere.so.0"));
  assert_non_null(strstr(text, "(Debian: libclang1-0)"));
}

static void test_rewrite_says_so(void **state) {
  (void)state;
  static const char text[] = "__global__ void k() {}\n";
  pl_options options = {.stages = 0};
  pl_result *result = pl_rewrite("k.cu", text, sizeof text - 1, &options);
  says_what_is_missing(pl_result_error(result));
  size_t length;
  assert_memory_equal(pl_result_text(result, &length), text, sizeof text - 1);
  pl_result_free(result);
}

static void test_others_say_so(void **state) {
  (void)state;
  static const char text[] = "#include <cuda_runtime.h>\n";
  pl_options options = {.stages = 0};
  says_what_is_missing(pl_libclang_version());
  assert_false(pl_shim_precompile(text, sizeof text - 1, &options, "shim.pch"));
  assert_string_equal(pl_libclang_files()[1], "/nowhere/libLLVM.so.0");
}

/* The one that was asked for is the only one that is tried. */
static void test_chosen(void **state) {
  (void)state;
  pl_libclang_use("/nowhere/else/libclang.so");
  once = (pthread_once_t)PTHREAD_ONCE_INIT;
  failure[0] = '\0';
  assert_non_null(strstr(pl_libclang_missing(), "/nowhere/else/libclang.so"));
  assert_null(strstr(pl_libclang_missing(), "Debian"));
  assert_string_equal(pl_libclang_files()[0], "/nowhere/else/libclang.so");
  assert_string_equal(pl_libclang_files()[1], "");
  pl_libclang_use(NULL);
  assert_string_equal(pl_libclang_files()[0], PL_LIBCLANG_FILE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rewrite_says_so),
      cmocka_unit_test(test_others_say_so),
      cmocka_unit_test(test_chosen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
