/* test_remarks.c - remarks in clang's layout. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "remarks.h"

static const char text[] = "void k() {\n"
                           "  for (;;) {\n"
                           "\tAs[0] *= 2; // \xc3\xa9 As\r\n"
                           "  }\n"
                           "}";

static const pl_source source = {"k.cu", text, sizeof text - 1};

static const pl_loop_report blank = {
    .line = 2, .column = 3, .at_line = 2, .at_column = 3,
    .smem_before = -1, .smem_after = -1, .smem_limit = -1,
    .blocks_before = -1, .blocks_after = -1, .threads = -1,
    .staging_bytes = -1, .ratio = -1};

static void expect(const pl_loop_report *loop, pl_remark_style style,
                   const char *expected) {
  pl_kernel_report kernel = {.name = "k", .loops = loop, .nloops = 1};
  char *got;
  size_t size;
  FILE *out = open_memstream(&got, &size);
  size_t printed = pl_remarks_print(out, &source, &kernel, 1, style);
  fclose(out);
  assert_int_equal(printed, *expected != 0);
  assert_string_equal(got, expected);
  free(got);
}

static const pl_remark_style plain, verbose = {.verbose = true};

static void test_pipelined(void **state) {
  (void)state;
  pl_loop_report loop = blank;
  loop.verdict = PL_VERDICT_PIPELINED;
  loop.variant = PL_VARIANT_CP_ASYNC;
  loop.stages = 3;
  loop.smem_before = 8192;
  loop.smem_after = 24576;
  expect(&loop, plain,
         "k.cu:2:3: remark: in 'k': tile loop pipelined: cp.async, 3 stages, 8192 -> "
         "24576 B shared [-Rpass=pipelinify]\n"
         "    2 |   for (;;) {\n"
         "      |   ^\n");
}

static void test_unknown_and_equal_sizes(void **state) {
  (void)state;
  pl_loop_report loop = blank;
  loop.verdict = PL_VERDICT_PIPELINED;
  loop.variant = PL_VARIANT_LDG_SINGLE;
  loop.stages = 1;
  char *sentence = pl_loop_sentence(&loop);
  assert_string_equal(sentence, "tile loop pipelined: ldg-single, 1 stage");
  free(sentence);
  loop.smem_before = loop.smem_after = 64;
  sentence = pl_loop_outcome(&loop);
  assert_string_equal(sentence, "ldg-single, 1 stage, 64 B shared");
  free(sentence);
}

static uint32_t offset_of(const char *part) {
  return (uint32_t)(strstr(text, part) - text);
}

/* The blocking statement, with tabs expanded, and the loop it stands in. */
static void test_refused(void **state) {
  (void)state;
  pl_loop_report loop = blank;
  loop.verdict = PL_VERDICT_REFUSED;
  loop.id = "PL3001";
  loop.message = "tile 'As' is written in the compute phase";
  loop.at_line = 3;
  loop.at_column = 2;
  loop.at_begin = offset_of("As[0]");
  loop.at_end = loop.at_begin + 5;
  expect(&loop, plain,
         "k.cu:3:2: remark: in 'k': loop not pipelined: tile 'As' is written in the "
         "compute phase [-Rpass-missed=pipelinify] [PL3001]\n"
         "    3 |         As[0] *= 2; // \xc3\xa9 As\n"
         "      |         ^~~~~\n"
         "k.cu:2:3: note: the loop begins here\n"
         "    2 |   for (;;) {\n"
         "      |   ^\n");
}

/* Columns count bytes, carets count what is seen. */
static void test_notes_and_wide_characters(void **state) {
  (void)state;
  uint32_t begin = offset_of("\xa9 As") + 2;
  pl_note note = {.line = 3, .column = 20, .begin = begin, .end = begin + 99,
                  .message = "read here"};
  pl_loop_report loop = blank;
  loop.verdict = PL_VERDICT_REFUSED;
  loop.message = "no";
  loop.notes = &note;
  loop.nnotes = 1;
  expect(&loop, plain,
         "k.cu:2:3: remark: in 'k': loop not pipelined: no "
         "[-Rpass-missed=pipelinify]\n"
         "    2 |   for (;;) {\n"
         "      |   ^\n"
         "k.cu:3:20: note: read here\n"
         "    3 |         As[0] *= 2; // \xc3\xa9 As\n"
         "      |                          ^~\n");
}

static void test_places_outside_the_text(void **state) {
  (void)state;
  pl_loop_report loop = blank;
  loop.verdict = PL_VERDICT_KEPT;
  loop.message = "why not";
  loop.line = loop.at_line = 77;
  expect(&loop, plain, "k.cu:77:3: remark: in 'k': tile loop left as it is: why not "
                       "[-Rpass-missed=pipelinify]\n");
  loop.line = loop.at_line = 5;
  loop.column = loop.at_column = 40;
  expect(&loop, plain, "k.cu:5:40: remark: in 'k': tile loop left as it is: why not "
                       "[-Rpass-missed=pipelinify]\n"
                       "    5 | }\n"
                       "      |  ^\n");
}

static void test_what_only_verbose_runs_say(void **state) {
  (void)state;
  pl_loop_report loop = blank;
  loop.verdict = PL_VERDICT_NOT_A_TILE_LOOP;
  loop.id = "PL2101";
  loop.message = "it reads shared memory only";
  expect(&loop, plain, "");
  expect(&loop, verbose,
         "k.cu:2:3: remark: in 'k': no tile loop: it reads shared memory only "
         "[-Rpass-analysis=pipelinify] [PL2101]\n"
         "    2 |   for (;;) {\n"
         "      |   ^\n");
}

static void test_budget(void **state) {
  (void)state;
  pl_loop_report loop = blank;
  loop.verdict = PL_VERDICT_PIPELINED;
  loop.variant = PL_VARIANT_LDG;
  loop.stages = 2;
  loop.smem_before = 20480;
  loop.smem_after = 40960;
  loop.threads = 256;
  loop.ratio = 4;
  loop.why = "few bytes a copy";
  loop.blocks_before = 8;
  loop.blocks_after = 4;
  loop.staging_bytes = 8;
  expect(&loop, verbose,
         "k.cu:2:3: remark: in 'k': tile loop pipelined: ldg, 2 stages, 20480 -> 40960 "
         "B shared [-Rpass=pipelinify]\n"
         "    2 |   for (;;) {\n"
         "      |   ^\n"
         "k.cu:2:3: note: few bytes a copy\n"
         "k.cu:2:3: note: compute/load ratio 4.0 operations a byte: below 5, "
         "asynchronous copies tend to win\n"
         "k.cu:2:3: note: blocks a multiprocessor: 8 -> 4\n"
         "k.cu:2:3: note: staging takes 8 bytes of registers a thread\n"
         "k.cu:2:3: note: shared memory in bytes (blocks a multiprocessor)\n"
         "    arch    block max        SM           1 stage          2 stages  "
         "        3 stages\n"
         "    sm_75       49152     65536         20480 (3)         40960 (1)  "
         "    61440 (over)\n"
         "    sm_80       49152    167936         20480 (7)         40960 (4)  "
         "    61440 (over)\n"
         "    sm_90       49152    233472         20480 (8)         40960 (5)  "
         "    61440 (over)\n");
}

static void test_color(void **state) {
  (void)state;
  pl_loop_report loop = blank;
  loop.verdict = PL_VERDICT_REFUSED;
  loop.message = "no";
  expect(&loop, (pl_remark_style){.color = true},
         "\033[1mk.cu:2:3: \033[0;1;34mremark: \033[0m\033[1min 'k': loop not "
         "pipelined: no\033[0m [-Rpass-missed=pipelinify]\n"
         "    2 |   for (;;) {\n"
         "      |   \033[0;1;32m^\033[0m\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_pipelined),
      cmocka_unit_test(test_unknown_and_equal_sizes),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_notes_and_wide_characters),
      cmocka_unit_test(test_places_outside_the_text),
      cmocka_unit_test(test_what_only_verbose_runs_say),
      cmocka_unit_test(test_budget),
      cmocka_unit_test(test_color),
  };
  return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
