/* test_mark.c - pl_mark: launches in code and macros, includes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "pipelinify.h"

#include <stdlib.h>
#include <string.h>

static const char *resolve(const char *name, void *context) {
  assert_string_equal(context, "c");
  return strcmp(name, "tile.h") == 0 ? "/src/tile.h" : NULL;
}

static void check(const char *text, const char *expected) {
  char context[] = "c";
  pl_marks marks = {.launch = "@ ", .include = resolve, .context = context};
  size_t n;
  char *marked = pl_mark(text, strlen(text), &marks, &n);
  assert_string_equal(marked, expected);
  assert_int_equal(n, strlen(expected));
  free(marked);
}

static void test_launches(void **state) {
  (void)state;
  check("k<<<g, b>>>(x);", "k<<<@ g, b>>>(x);");
  check("k<16, T><<<\n  g, b>>>(x); j<<<1, 2>>>();",
        "k<16, T><<<@ \n  g, b>>>(x); j<<<@ 1, 2>>>();");
  check("f(operator<<<int>(a, b));", "f(operator<<<int>(a, b));");
  check("a << b; c <<= d; vector<vector<vector<int>>> e;",
        "a << b; c <<= d; vector<vector<vector<int>>> e;");
}

static void test_no_code(void **state) {
  (void)state;
  check("// k<<<1, 2>>>()\n/* <<< */ \"<<<\" R\"(<<<)\" '<'",
        "// k<<<1, 2>>>()\n/* <<< */ \"<<<\" R\"(<<<)\" '<'");
}

static void test_macros(void **state) {
  (void)state;
  check("#define GO(k, ...) \\\n  k<<<1, \\\n 2>>>(__VA_ARGS__)\nGO(f, x);\n",
        "#define GO(k, ...) \\\n  k<<<@ 1, \\\n 2>>>(__VA_ARGS__)\nGO(f, x);\n");
  check("# define S \"<<<\" /* <<< */\nk<<<1, 1>>>();",
        "# define S \"<<<\" /* <<< */\nk<<<@ 1, 1>>>();");
}

static void test_includes(void **state) {
  (void)state;
  check("#include \"tile.h\"\n#include \"other.h\"\n#include <tile.h>\n",
        "#include \"/src/tile.h\"\n#include \"other.h\"\n#include <tile.h>\n");
  check("# include /* why */ \"tile.h\" // here\n",
        "# include /* why */ \"/src/tile.h\" // here\n");
  check("// #include \"tile.h\"\nchar s[] = R\"(\n#include \"tile.h\"\n)\";",
        "// #include \"tile.h\"\nchar s[] = R\"(\n#include \"tile.h\"\n)\";");
}

static void test_nothing(void **state) {
  (void)state;
  check("", "");
  check("\r\n#if 1\r\n#endif", "\r\n#if 1\r\n#endif");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_launches), cmocka_unit_test(test_no_code),
      cmocka_unit_test(test_macros),   cmocka_unit_test(test_includes),
      cmocka_unit_test(test_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
