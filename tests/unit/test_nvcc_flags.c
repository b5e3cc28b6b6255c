/* test_nvcc_flags.c - what follows `--`. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "nvcc_flags.h"

enum { MOST_WORDS = 64 };

static char *join(const char *const *words, size_t count) {
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  for (size_t i = 0; i < count; i++)
    fprintf(out, "%s%s", i ? " " : "", words[i]);
  fclose(out);
  return text;
}

/* Words in, words for clang and words dropped out, parted by spaces. */
static void expect(const char *line, const char *kept, const char *dropped,
                   int arch) {
  char *copy = strdup(line);
  const char *words[MOST_WORDS];
  size_t count = 0;
  for (char *w = strtok(copy, " "); w; w = strtok(NULL, " "))
    words[count++] = w;
  pl_clang_flags flags = pl_clang_flags_from(words, count);
  char *got_kept = join(flags.arguments, flags.count);
  char *got_dropped = join(flags.dropped, flags.ndropped);
  assert_string_equal(got_kept, kept);
  assert_string_equal(got_dropped, dropped);
  assert_int_equal(flags.arch, arch);
  free(got_kept);
  free(got_dropped);
  pl_clang_flags_free(&flags);
  free(copy);
}

static void test_paths_and_macros(void **state) {
  (void)state;
  expect("-Iinc -I inc2 -I=inc3 --include-path=a,b", "-Iinc -Iinc2 -Iinc3 -Ia "
         "-Ib", "", 0);
  expect("-DX -DY=2 -D Z --define-macro=A,B=1 -UX", "-DX -DY=2 -DZ -DA -DB=1 "
         "-UX", "", 0);
  expect("-DMAX(a,b)=a", "-DMAX(a,b)=a", "", 0);
  expect("-isystem sys --system-include=s2 -include pre.h",
         "-isystem sys -isystem s2 -include pre.h", "", 0);
  expect("-std=c++17", "-std=c++17", "", 0);
  expect("--std c++20", "-std=c++20", "", 0);
}

static void test_dropped(void **state) {
  (void)state;
  expect("-lineinfo -O3 -g -G -c -dc -rdc=true", "",
         "-lineinfo -O3 -g -G -c -dc -rdc=true", 0);
  expect("--ptxas-options=-v -Xptxas -O3 -maxrregcount 64", "",
         "--ptxas-options=-v -Xptxas -O3 -maxrregcount 64", 0);
  expect("-lcublas -L/lib -L lib -o k.o", "",
         "-lcublas -L/lib -L lib -o k.o", 0);
  expect("--expt-relaxed-constexpr --use_fast_math -ccbin g++", "",
         "--expt-relaxed-constexpr --use_fast_math -ccbin g++", 0);
}

static void test_pasted_command_line(void **state) {
  (void)state;
  expect("nvcc -arch=sm_86 -Iinc -c k.cu -o k.o", "-Iinc",
         "nvcc -c k.cu -o k.o", 86);
}

static void test_architectures(void **state) {
  (void)state;
  expect("-arch=sm_90", "", "", 90);
  expect("--gpu-architecture compute_80", "", "", 80);
  expect("-gencode arch=compute_90,code=sm_90 -gencode "
         "arch=compute_75,code=sm_75", "", "", 75);
  expect("-arch=native", "", "", 0);
}

static void test_host_options(void **state) {
  (void)state;
  expect("-Xcompiler -Wall,-DHOST,-Ihost", "-DHOST -Ihost", "-Wall", 0);
  expect("-Xcompiler=-fPIC", "", "-fPIC", 0);
}

static void test_clangs_own(void **state) {
  (void)state;
  expect("-Wno-unused -Xclang -verify -march=native", "-Wno-unused -Xclang "
         "-verify -march=native", "", 0);
}

static void test_ends_early(void **state) {
  (void)state;
  expect("-Xptxas", "", "-Xptxas", 0);
  expect("-Xclang", "-Xclang", "", 0);
  expect("-arch", "", "", 0);
  expect("", "", "", 0);
}

static void test_arch_number(void **state) {
  (void)state;
  const struct {
    const char *text;
    int number;
  } rows[] = {{"sm_90", 90},   {"sm_90a", 90}, {"compute_100", 100},
              {"90", 90},      {"sm_", 0},     {"sm_9x", 0},
              {"", 0},         {"all", 0},     {"arch=compute_80,code=x", 80},
              {"xsm_90", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_int_equal(pl_arch_number(rows[i].text), rows[i].number);
}

static void test_standard(void **state) {
  (void)state;
  const struct {
    const char *word;
    int year;
  } rows[] = {{"-std=c++20", 20}, {"-std=gnu++2a", 20}, {"-std=c++23", 23},
              {"-std=c++17", 0},  {"-std=c++14", 0},    {"-std=c++98", 0},
              {"-DA=-std=c++20", 0}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    pl_clang_flags flags = pl_clang_flags_from(&rows[i].word, 1);
    assert_int_equal(pl_clang_flags_standard(&flags), rows[i].year);
    pl_clang_flags_free(&flags);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_paths_and_macros),
      cmocka_unit_test(test_dropped),
      cmocka_unit_test(test_pasted_command_line),
      cmocka_unit_test(test_architectures),
      cmocka_unit_test(test_host_options),
      cmocka_unit_test(test_clangs_own),
      cmocka_unit_test(test_ends_early),
      cmocka_unit_test(test_arch_number),
      cmocka_unit_test(test_standard),
  };
  return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
