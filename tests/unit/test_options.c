/* test_options.c - the command line. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "help.h"
#include "options.h"

enum { MOST_WORDS = 32 };

/* A command line, its words parted by spaces, and what came of it. */
typedef struct attempt {
  char *line, *words[MOST_WORDS];
  pl_command *command;
  char *message;
} attempt;

static attempt try_line(const char *line) {
  attempt a = {.line = strdup(line)};
  int count = 0;
  size_t size;
  a.words[count++] = "pipelinify";
  for (char *w = strtok(a.line, " "); w; w = strtok(NULL, " "))
    a.words[count++] = w;
  FILE *err = open_memstream(&a.message, &size);
  a.command = pl_command_parse(count, a.words, err);
  fclose(err);
  return a;
}

static void done(attempt *a) {
  pl_command_free(a->command);
  free(a->line);
  free(a->message);
}

static void expect_error(const char *line, const char *message) {
  attempt a = try_line(line);
  char *whole;
  assert_true(asprintf(&whole, "pipelinify: error: %s\n", message) > 0);
  assert_null(a.command);
  assert_string_equal(a.message, whole);
  free(whole);
  done(&a);
}

static attempt expect_command(const char *line) {
  attempt a = try_line(line);
  assert_string_equal(a.message, "");
  assert_non_null(a.command);
  return a;
}

static void test_defaults(void **state) {
  (void)state;
  attempt a = expect_command("k.cu");
  assert_int_equal(a.command->mode, PL_MODE_STDOUT);
  assert_int_equal(a.command->ninputs, 1);
  assert_string_equal(a.command->inputs[0], "k.cu");
  assert_int_equal(a.command->variant, PL_VARIANT_AUTO);
  assert_int_equal(a.command->stages, 0);
  assert_int_equal(a.command->arch, 0);
  assert_false(a.command->validate);
  done(&a);
}

static void test_value_spellings(void **state) {
  (void)state;
  const char *lines[] = {
      "-arch=sm_90 k.cu",      "-arch sm_90 k.cu",
      "k.cu -arch compute_90", "--gpu-architecture=sm_90a k.cu",
      "k.cu -- -arch=sm_90",   "k.cu -- -gencode arch=compute_90,code=sm_90"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    attempt a = expect_command(lines[i]);
    assert_int_equal(a.command->arch, 90);
    done(&a);
  }
}

static void test_own_arch_beats_nvccs(void **state) {
  (void)state;
  attempt a = expect_command("-arch=sm_80 k.cu -- -arch=sm_90");
  assert_int_equal(a.command->arch, 80);
  done(&a);
}

static void test_modes(void **state) {
  (void)state;
  const struct {
    const char *line;
    pl_mode mode;
  } rows[] = {
      {"k.cu -o x.cu", PL_MODE_FILE},     {"-i a.cu b.cu", PL_MODE_IN_PLACE},
      {"--out-dir d a.cu b.cu", PL_MODE_OUT_DIR},
      {"--suffix=_p a.cu b.cu", PL_MODE_SUFFIX},
      {"--diff a.cu b.cu", PL_MODE_DIFF}, {"--check a.cu b.cu", PL_MODE_CHECK},
      {"-n a.cu b.cu", PL_MODE_DRY_RUN},  {"--list-kernels a.cu", PL_MODE_LIST},
      {"--dump-after=loops a.cu", PL_MODE_DUMP}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    attempt a = expect_command(rows[i].line);
    assert_int_equal(a.command->mode, rows[i].mode);
    done(&a);
  }
}

static void test_everything_at_once(void **state) {
  (void)state;
  attempt a = expect_command(
      "-k gemm --kernel-name=regex:^k --variant=cp.async --stages=3 "
      "--max-smem=65536 --block-threads 256 --assume-no-alias -v "
      "--report r.json --report-format=json --cuda-path= k.cu");
  assert_int_equal(a.command->nkernels, 2);
  assert_string_equal(a.command->kernels[1], "regex:^k");
  assert_int_equal(a.command->variant, PL_VARIANT_CP_ASYNC);
  assert_int_equal(a.command->stages, 3);
  assert_int_equal(a.command->max_smem, 65536);
  assert_int_equal(a.command->block_threads, 256);
  assert_true(a.command->assume_no_alias);
  assert_true(a.command->verbose);
  assert_string_equal(a.command->report, "r.json");
  assert_string_equal(a.command->cuda_path, "");
  done(&a);
}

static void test_clang_flags_are_apart(void **state) {
  (void)state;
  attempt a = expect_command("k.cu -- -i -DX=1 -lineinfo --check");
  assert_int_equal(a.command->mode, PL_MODE_STDOUT);
  assert_int_equal(a.command->clang.count, 3);
  assert_string_equal(a.command->clang.arguments[1], "-DX=1");
  assert_int_equal(a.command->clang.ndropped, 1);
  done(&a);
}

static void test_tune(void **state) {
  (void)state;
  attempt a = expect_command("tune --results=b --min-gain 2.5");
  assert_true(a.command->tune);
  assert_true(a.command->min_gain > 0.0249 && a.command->min_gain < 0.0251);
  done(&a);
  a = expect_command("tune k.cu");
  assert_true(a.command->min_gain > 0.0099 && a.command->min_gain < 0.0101);
  done(&a);
  a = expect_command("--min-gain=-4 k.cu");
  assert_true(a.command->least_gain > 0.9599 && a.command->least_gain < 0.9601);
  done(&a);
  a = expect_command("k.cu");
  assert_true(a.command->least_gain == 0);
  done(&a);
  expect_error("tune --min-gain=-100 k.cu",
               "'-100' is no percentage between -99 and 1000 for '--min-gain'");
  expect_error("tune --min-gain=2% k.cu",
               "'2%' is no percentage between -99 and 1000 for '--min-gain'");
  expect_error("tune --min-gain=nan k.cu",
               "'nan' is no percentage between -99 and 1000 for '--min-gain'");
  expect_error("tune --results=b --prepare=b k.cu",
               "'--results' and '--prepare' exclude each other");
  expect_error("tune --compare-model k.cu",
               "'--compare-model' needs '--results=DIR'");
  expect_error("--record=r --no-record k.cu",
               "'--record' and '--no-record' exclude each other");
}

static void test_validate(void **state) {
  (void)state;
  attempt a = expect_command("validate --backend=cpu --launch l k.cu");
  assert_true(a.command->validate);
  assert_int_equal(a.command->backend, PL_BACKEND_CPU);
  assert_string_equal(a.command->launch, "l");
  done(&a);
  expect_error("validate -i k.cu", "'-i' is no option of 'validate'");
  expect_error("--backend=cpu k.cu",
               "'--backend' is an option of 'pipelinify validate'");
}

static void check_again(const char *line, const char *wanted) {
  attempt a = try_line(line);
  assert_non_null(a.command);
  assert_true(a.command->compare && a.command->validate);
  char *text = pl_command_again(a.command, "M=3; seed=1");
  assert_string_equal(text, wanted);
  free(text);
  done(&a);
}

/* The printed command stands in front of the compiler's flags, and replaces the run
 * that it came from. */
static void test_compare_again(void **state) {
  (void)state;
  check_again("compare a.cu b.cu", "pipelinify compare a.cu b.cu "
                                   "'--replay=M=3; seed=1'");
  check_again("compare a.cu -k a=b -- -DN=2",
              "pipelinify compare a.cu -k a=b '--replay=M=3; seed=1' -- -DN=2");
  check_again("compare --replay=M=1 a.cu b.cu",
              "pipelinify compare '--replay=M=3; seed=1' a.cu b.cu");
  check_again("compare --replay M=1 a.cu b.cu -- -DN",
              "pipelinify compare '--replay=M=3; seed=1' a.cu b.cu -- -DN");
}

static void test_help_needs_no_input(void **state) {
  (void)state;
  attempt a = expect_command("-h");
  assert_true(a.command->help);
  done(&a);
  a = expect_command("--explain PL2003");
  assert_string_equal(a.command->explain, "PL2003");
  done(&a);
}

static void test_suggestions(void **state) {
  (void)state;
  expect_error("--stage=3 k.cu",
               "unknown option '--stage=3'; did you mean '--stages'?");
  expect_error("--asume-no-alias k.cu", "unknown option '--asume-no-alias'; "
                                        "did you mean '--assume-no-alias'?");
  expect_error("--frobnicate k.cu", "unknown option '--frobnicate'; see "
                                    "'pipelinify --help'");
}

static void test_bad_values(void **state) {
  (void)state;
  expect_error("--stages=9 k.cu",
               "'9' is no number between 2 and 8 for '--stages'");
  expect_error("--stages=3x k.cu",
               "'3x' is no number between 2 and 8 for '--stages'");
  expect_error("--variant=tma k.cu", "'tma' is no variant for '--variant': "
                                     "auto, ldg, ldg-single, cp.async, pipeline, "
                                     "pipeline-block, pipeline-unified, "
                                     "pipeline-partitioned, barrier, bulk");
  expect_error("-arch=sm_20 k.cu",
               "'sm_20' is no architecture for '-arch': sm_75 to sm_90");
  expect_error("-arch=nativ k.cu",
               "'nativ' is no architecture for '-arch': sm_75 to sm_90");
  expect_error("-gencode arch=compute_20 k.cu",
               "'arch=compute_20' is no architecture for '-gencode'");
  expect_error("k.cu -o", "'-o' needs FILE");
  expect_error("-i=x k.cu", "'-i' takes no value");
  expect_error("--report-format=xml k.cu",
               "'xml' is no value for '--report-format': json, sarif, text or "
               "html");
  expect_error("--completion=tcsh",
               "'tcsh' is no value for '--completion': bash, zsh or fish");
}

static void test_contradictions(void **state) {
  (void)state;
  expect_error("", "no input file; see 'pipelinify --help'");
  expect_error("--report-format=html k.cu",
               "'--report-format' needs '--report=FILE'; '--report=-' is "
               "standard output");
  expect_error("validate --report=r --report-format=html k.cu",
               "'validate' reports in json only");
  expect_error("-n --export-fixes=- k.cu",
               "'--save-opt-record' and '--export-fixes' need the name of a "
               "file, not '-'");
  expect_error("-i --diff k.cu", "'-i' and '--diff' exclude each other");
  expect_error("-o x a.cu b.cu", "'-o' takes one input, not 2");
  expect_error("-i -", "'-i' needs files, not standard input");
  expect_error("-n - -", "standard input is named twice");
  expect_error("--variant=ldg --stages=3 k.cu",
               "'--stages=3' needs '--variant=cp.async'");
  expect_error("--report=- k.cu",
               "'--report=-' and the result would share standard output");
  expect_error("validate --require-gpu --backend=cpu k.cu",
               "'--require-gpu' and '--backend=cpu' exclude each other");
}

/* Every option that the parser knows stands in the help text. */
static void test_help_is_complete(void **state) {
  (void)state;
  char *text;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  pl_print_help(out);
  fclose(out);
#define PL_GROUP(id, commands, title) assert_non_null(strstr(text, title));
#define PL_OPTION(group, s, l, value, action, help) \
  assert_non_null(strstr(text, (l) ? (const char *)(l) : (const char *)(s)));
#include "options.def"
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_defaults),
      cmocka_unit_test(test_value_spellings),
      cmocka_unit_test(test_own_arch_beats_nvccs),
      cmocka_unit_test(test_modes),
      cmocka_unit_test(test_everything_at_once),
      cmocka_unit_test(test_clang_flags_are_apart),
      cmocka_unit_test(test_validate),
      cmocka_unit_test(test_compare_again),
      cmocka_unit_test(test_tune),
      cmocka_unit_test(test_help_needs_no_input),
      cmocka_unit_test(test_suggestions),
      cmocka_unit_test(test_bad_values),
      cmocka_unit_test(test_contradictions),
      cmocka_unit_test(test_help_is_complete),
  };
  return cmocka_run_group_tests(tests, NULL, NULL) != 0;
}
