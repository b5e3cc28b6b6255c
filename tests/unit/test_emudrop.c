/* What of a file's host code is left out for the emulator, and what is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "emudrop.h"

static const char *const KERNELS[] = {"launched"};

/* How many declarations go where line `line` has an error. The lines stay. */
static size_t drop(const char *text, unsigned line, char *left, size_t size) {
  pl_arena *arena = pl_arena_new(NULL);
  pl_str source = {text, strlen(text)};
  pl_emudrop_macros macros = {0};
  pl_emudrop_note_macros(arena, source, &macros);
  pl_emudrop what = {&line, 1, KERNELS, 1, &macros};
  size_t dropped = 0;
  pl_str out = pl_emudrop_text(arena, source, &what, &dropped);
  assert_int_equal(out.n, source.n);
  for (size_t i = 0; i < out.n; i++)
    assert_true((out.p[i] == '\n') == (source.p[i] == '\n'));
  assert_true(out.n < size);
  memcpy(left, out.p, out.n);
  left[out.n] = '\0';
  pl_arena_free(arena);
  return dropped;
}

static void goes(const char *text, unsigned line, const char *gone,
                 const char *stays) {
  char left[2048];
  assert_int_equal(drop(text, line, left, sizeof left), 1);
  assert_null(strstr(left, gone));
  assert_non_null(strstr(left, stays));
}

static void stays(const char *text, unsigned line) {
  char left[2048];
  assert_int_equal(drop(text, line, left, sizeof left), 0);
  assert_string_equal(left, text);
}

static void test_host_declarations(void **state) {
  (void)state;
  goes("int a;\nvoid f(handle h)\n{\n  use(h);\n}\nint b;\n", 4, "handle",
       "int b;");
  goes("int a;\nvoid f(handle h = {});\nint b;\n", 2, "handle", "int a;");
  goes("struct S {\n  handle h;\n  S() { g(); }\n};\nint b;\n", 2, "struct",
       "int b;");
  goes("namespace n {\nstatic handle h;\nint b;\n}\n", 2, "handle",
       "namespace n {\n");
  goes("template <class T, class = void>\nvoid f(T t)\n{ bad; }\nint b;\n", 3,
       "template", "int b;");
  goes("extern \"C\" {\nvoid f(handle);\nint b;\n}\n", 2, "handle",
       "extern \"C\" {");
  goes("static float t[] = {\n  f(1), f(2)\n};\nint b;\n", 2, "f(1)",
       "int b;");
}

static void test_directives_stay(void **state) {
  (void)state;
  goes("void f()\n{\n#ifdef A\n  bad();\n#define B 1\n#endif\n}\nint b = B;\n",
       4, "bad", "#ifdef A\n        \n#define B 1\n#endif\n");
}

/* Without them a kernel might be built from something else. */
static void test_what_may_be_missed(void **state) {
  (void)state;
  stays("__device__ float f(float v)\n{\n  return bad(v);\n}\n", 3);
  stays("#define HD __host__ __device__\nHD float f(float v)\n"
        "{ return bad(v); }\n", 3);
  stays("#define D __device__\n#define HD __host__ D\nHD float f(float v)\n"
        "{ return bad(v); }\n", 4);
  stays("struct S {\n  bad b;\n  __device__ int f();\n};\n", 2);
  stays("template <> struct S<int> {\n  bad b;\n};\n", 2);
  stays("using namespace bad;\n", 1);
  stays("constexpr int f(int v)\n{ return bad(v); }\n", 2);
  stays("__constant__ bad table[4];\n", 1);
}

static void test_kernels(void **state) {
  (void)state;
  stays("__global__ void launched(bad *p)\n{\n}\n", 1);
  goes("__global__ void idle(bad *p)\n{\n}\nint b;\n", 1, "idle", "int b;");
}

static void test_errors_elsewhere(void **state) {
  (void)state;
  stays("void f(handle h);\n\nint b;\n", 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_host_declarations),
      cmocka_unit_test(test_directives_stay),
      cmocka_unit_test(test_what_may_be_missed),
      cmocka_unit_test(test_kernels),
      cmocka_unit_test(test_errors_elsewhere),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
