/* test_nvcc_line.c - what a launcher reads in nvcc's command line, and what it makes
 * of nvcc's depfile. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "nvcc_depfile.h"
#include "nvcc_line.h"
#include "text.h"

/* Its sources, a blank between them. */
static void expect_sources(const char *command, const char *wanted) {
  pl_words words = {0};
  pl_words_split(&words, command);
  pl_nvcc_line line = pl_nvcc_line_read(words.items, words.count);
  char *got = pl_format("%s", "");
  for (size_t i = 0; i < line.nsources; i++) {
    char *longer = pl_format("%s%s%s", got, i ? " " : "",
                             line.words[line.sources[i]]);
    free(got);
    got = longer;
  }
  assert_string_equal(got, wanted);
  free(got);
  pl_nvcc_line_free(&line);
  pl_words_free(&words);
}

static void test_sources(void **state) {
  (void)state;
  expect_sources("nvcc -c a.cu -o a.o", "a.cu");
  expect_sources("nvcc a.cu lib.cpp b.cu -o app", "a.cu b.cu");
  expect_sources("ccache nvcc --output-file x.cu -I a.cu -Ib.cu k.cu", "k.cu");
  expect_sources("nvcc -x cu -c a.cpp b.cu", "a.cpp b.cu");
  expect_sources("nvcc -x=c++ -c a.cpp b.cu", "");
  expect_sources("nvcc -include a.cu -Xcompiler b.cu -O3 -lineinfo k.cu", "k.cu");
  expect_sources("nvcc a.o b.o -o app", "");
  expect_sources("nvcc -forward-unknown-to-host-compiler -fPIC -MD -MT x.cu -MF y.cu"
                 " -x cu -c k.cu",
                 "k.cu");
}

static void test_passed_on(void **state) {
  (void)state;
  static const char *const flags[] = {
      "-E", "--preprocess", "-M", "-MM", "--version", "-V", "-h", "--dryrun",
      "-dryrun", "-run", "--run", "-dlink", "-lib", "--generate-dependencies"};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
    char *command = pl_format("nvcc %s k.cu", flags[i]);
    expect_sources(command, "");
    free(command);
  }
}

static void expect_depfile(const char *command, const char *wanted) {
  pl_words words = {0};
  pl_words_split(&words, command);
  pl_nvcc_line line = pl_nvcc_line_read(words.items, words.count);
  assert_true(line.makes_depfile);
  char *got = pl_nvcc_line_depfile(&line, "src/k.cu");
  assert_string_equal(got, wanted);
  free(got);
  pl_nvcc_line_free(&line);
  pl_words_free(&words);
}

static void test_depfile_names(void **state) {
  (void)state;
  expect_depfile("nvcc -MD -c src/k.cu", "k.d");
  expect_depfile("nvcc -MMD -odir out -c src/k.cu", "out/k.d");
  expect_depfile("nvcc -MD -o out.d/k.cu.o -c src/k.cu", "out.d/k.cu.d");
  expect_depfile("nvcc -MD -MF=a/b.dep -o k.o -c src/k.cu", "a/b.dep");
}

static void expect_text(const char *text, const pl_depfile_change *change,
                        const char *wanted) {
  char *got = pl_nvcc_depfile_text(text, change);
  assert_string_equal(got, wanted);
  free(got);
}

static void test_depfiles(void **state) {
  (void)state;
  pl_renamed rules[] = {{"b d/k.o.pipelinify/k.cu", "src/k.cu"},
                        {"/here/src/", "src/"}};
  pl_depfile_change change = {rules, 2, {0}};
  expect_text("b\\ d/k.o : b\\ d/k.o.pipelinify/k.cu \\\n    /usr/x.h \\\n"
              "    /here/src/y#.h\n",
              &change,
              "b\\ d/k.o : src/k.cu \\\n    /usr/x.h \\\n    src/y\\#.h\n");
  expect_text("k.o: \\\n b\\ d/k.o.pipelinify/k.cu", &change,
              "k.o: \\\n src/k.cu");
  pl_words_add(&change.added, "a $b");
  expect_text("k.o : x.h\n", &change, "k.o : x.h \\\n    a\\ $$b\n");
  expect_text("k.o : x.h \\\n  y.h\n\nx.h:\n\n/here/src/y.h:\n", &change,
              "k.o : x.h \\\n  y.h \\\n    a\\ $$b\n\nx.h:\n\nsrc/y.h:\n"
              "a\\ $$b:\n");
  pl_words_free(&change.added);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sources),
      cmocka_unit_test(test_passed_on),
      cmocka_unit_test(test_depfile_names),
      cmocka_unit_test(test_depfiles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
