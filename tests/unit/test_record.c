/* test_record.c - records: written, read back, and refused where damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "record.h"

#define HASH "0123456789abcdef"
#define OTHER "fedcba9876543210"

static char dir[] = "/tmp/record-XXXXXX";
static char path[64];

static int make_dir(void **state) {
  (void)state;
  if (!mkdtemp(dir))
    return 1;
  snprintf(path, sizeof path, "%s/r.json", dir);
  return 0;
}

static int remove_dir(void **state) {
  (void)state;
  unlink(path);
  return rmdir(dir);
}

static void write_text(const char *text) {
  FILE *f = fopen(path, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

static int add_arch;    /* of the next entries */
static bool add_bounds; /* likewise */
static bool add_padding;

static char *add(const char *kernel, const char *fingerprint,
                 const char *variant, int stages, const char *gpu) {
  char *problem;
  pl_record_entry entry = {.source = "dir/k.cu", .kernel = kernel,
                           .fingerprint = fingerprint, .variant = variant,
                           .stages = stages, .gpu = gpu, .cuda = "13.0", .arch = add_arch,
                           .launch_bounds = add_bounds, .row_padding = add_padding,
                           .speedup = 1.25, .min_gain = 0.01, .why = "it is",
                           .table = json_array()};
  bool added = pl_record_add(path, &entry, 1, &problem);
  assert_int_equal(added, !problem);
  json_decref(entry.table);
  return problem;
}

static void choices_come_back(void **state) {
  (void)state;
  unlink(path);
  char *problem;
  assert_null(pl_record_read(path, "k.cu", &problem));
  assert_null(problem);
  assert_null(add("gemm", HASH, "cp.async", 4, "NVIDIA H200"));
  assert_null(add("sum", HASH, "original", 0, "NVIDIA H200"));
  pl_record *r = pl_record_read(path, "elsewhere/k.cu", &problem);
  assert_non_null(r);
  pl_choice c;
  assert_true(pl_record_choice("gemm", HASH, r, &c));
  assert_false(c.stale || c.keep);
  assert_int_equal(c.variant, PL_VARIANT_CP_ASYNC);
  assert_int_equal(c.stages, 4);
  assert_string_equal(c.measured, "NVIDIA H200, CUDA 13.0");
  assert_true(pl_record_choice("sum", HASH, r, &c));
  assert_true(c.keep);
  assert_false(pl_record_choice("dot", HASH, r, &c));
  assert_true(pl_record_choice("gemm", OTHER, r, &c));
  assert_true(c.stale);
  pl_record_free(r);
}

static void another_files_kernel_is_not_an_older_one(void **state) {
  (void)state;
  unlink(path);
  char *problem;
  assert_null(add("gemm", HASH, "ldg", 0, "NVIDIA H200"));
  pl_record *r = pl_record_read(path, "other.cu", &problem);
  pl_choice c;
  assert_false(pl_record_choice("gemm", OTHER, r, &c));
  assert_true(pl_record_choice("gemm", HASH, r, &c)); /* moved, unchanged */
  pl_record_free(r);
}

static void a_later_tune_replaces_an_earlier_one(void **state) {
  (void)state;
  unlink(path);
  char *problem;
  assert_null(add("gemm", HASH, "ldg", 0, "NVIDIA H200"));
  assert_null(add("gemm", OTHER, "cp.async", 2, "NVIDIA H100"));
  pl_record *r = pl_record_read(path, "k.cu", &problem);
  pl_choice c;
  assert_true(pl_record_choice("gemm", HASH, r, &c));
  assert_true(c.stale);
  assert_true(pl_record_choice("gemm", OTHER, r, &c));
  assert_int_equal(c.stages, 2);
  pl_record_free(r);
}

static void assert_nearest(int arch, int stages, const char *measured) {
  char *problem;
  pl_record *r = pl_record_read(path, "k.cu", &problem);
  pl_choice c;
  pl_record_prefer(r, arch);
  assert_true(pl_record_choice("gemm", HASH, r, &c));
  assert_int_equal(c.stages, stages);
  assert_string_equal(c.measured, measured);
  pl_record_free(r);
}

/* One entry a GPU; 86 is of the generation of 80, 89 too, 103 of none. */
static void the_nearest_machine_decides(void **state) {
  (void)state;
  unlink(path);
  add_arch = 90;
  assert_null(add("gemm", HASH, "cp.async", 2, "NVIDIA H100"));
  assert_null(add("gemm", HASH, "cp.async", 3, "NVIDIA H200"));
  add_arch = 80;
  assert_null(add("gemm", HASH, "cp.async", 4, "NVIDIA A100"));
  add_arch = 90;
  assert_null(add("gemm", HASH, "cp.async", 5, "NVIDIA H200")); /* measured again */
  add_arch = 0;
  assert_nearest(90, 5, "NVIDIA H200, CUDA 13.0");
  assert_nearest(80, 4, "NVIDIA A100, CUDA 13.0");
  assert_nearest(89, 4, "NVIDIA A100, CUDA 13.0 (sm_80 is nearest to sm_89)");
  assert_nearest(103, 5, "NVIDIA H200, CUDA 13.0 (sm_90 is nearest to sm_103)");
  assert_nearest(0, 5, "NVIDIA H200, CUDA 13.0");
}

/* Of the text that was measured, not of one that was measured elsewhere later. */
static void an_older_text_is_never_nearer(void **state) {
  (void)state;
  char other[80], *problem;
  snprintf(other, sizeof other, "%s.2", path);
  unlink(path);
  add_arch = 80;
  assert_null(add("gemm", OTHER, "cp.async", 3, "NVIDIA A100"));
  add_arch = 90;
  assert_int_equal(rename(path, other), 0);
  assert_null(add("gemm", HASH, "cp.async", 2, "NVIDIA H100"));
  add_arch = 0;
  const char *both[] = {path, other};
  char *text = pl_record_join(both, 2, &problem);
  assert_non_null(text);
  write_text(text);
  free(text);
  unlink(other);
  assert_nearest(80, 2, "NVIDIA H100, CUDA 13.0 (sm_90 is nearest to sm_80)");
}

/* A version that does not know of them must not read such a record. */
static void launch_bounds_come_back(void **state) {
  (void)state;
  unlink(path);
  char *problem;
  assert_null(add("sum", HASH, "ldg", 0, "NVIDIA H200"));
  add_bounds = true;
  assert_null(add("gemm", HASH, "ldg", 0, "NVIDIA H200"));
  add_bounds = false;
  pl_record *r = pl_record_read(path, "k.cu", &problem);
  pl_choice c;
  assert_true(pl_record_choice("gemm", HASH, r, &c));
  assert_true(c.launch_bounds);
  assert_true(pl_record_choice("sum", HASH, r, &c));
  assert_false(c.launch_bounds);
  pl_record_free(r);
  json_error_t error;
  json_t *root = json_load_file(path, 0, &error);
  assert_int_equal(json_integer_value(json_object_get(root, "pipelinify-record")), 2);
  json_decref(root);
  add_padding = true;
  assert_null(add("gemm", HASH, "ldg", 0, "NVIDIA H200"));
  add_padding = false;
  r = pl_record_read(path, "k.cu", &problem);
  assert_true(pl_record_choice("gemm", HASH, r, &c));
  assert_int_equal(c.row_padding, PL_ROW_PADDING_AUTO);
  assert_false(c.launch_bounds);
  assert_true(pl_record_choice("sum", HASH, r, &c));
  assert_int_equal(c.row_padding, 0);
  pl_record_free(r);
  root = json_load_file(path, 0, &error);
  assert_int_equal(json_integer_value(json_object_get(root, "pipelinify-record")), 3);
  json_decref(root);
  assert_null(add("gemm", HASH, "ldg", 0, "NVIDIA H200"));
  root = json_load_file(path, 0, &error);
  assert_int_equal(json_integer_value(json_object_get(root, "pipelinify-record")), 1);
  json_decref(root);
}

static void records_are_joined(void **state) {
  (void)state;
  char other[80], *problem;
  snprintf(other, sizeof other, "%s.2", path);
  unlink(path);
  assert_null(add("gemm", HASH, "cp.async", 2, "NVIDIA H100"));
  assert_null(add("sum", HASH, "ldg", 0, "NVIDIA H100"));
  assert_int_equal(rename(path, other), 0);
  assert_null(add("gemm", HASH, "cp.async", 4, "NVIDIA H100"));
  const char *both[] = {path, other};
  char *text = pl_record_join(both, 2, &problem);
  assert_non_null(text);
  assert_null(problem);
  write_text(text);
  free(text);
  pl_record *r = pl_record_read(path, "k.cu", &problem);
  pl_choice c;
  assert_true(pl_record_choice("gemm", HASH, r, &c));
  assert_int_equal(c.stages, 2); /* the later file's */
  assert_true(pl_record_choice("sum", HASH, r, &c));
  pl_record_free(r);
  write_text("{}");
  assert_null(pl_record_join(both, 2, &problem));
  assert_non_null(strstr(problem, "no record"));
  free(problem);
  unlink(other);
  assert_null(pl_record_join(both + 1, 1, &problem));
  assert_non_null(strstr(problem, "no such record"));
  free(problem);
}

static void assert_refused(const char *text, const char *words) {
  char *problem;
  write_text(text);
  assert_null(pl_record_read(path, "k.cu", &problem));
  assert_non_null(problem);
  assert_non_null(strstr(problem, words));
  free(problem);
  problem = add("gemm", HASH, "ldg", 0, "NVIDIA H200");
  assert_non_null(problem); /* nor is it written over */
  free(problem);
}

#define ENTRY(variant, stages, gpu) \
  "{\"pipelinify-record\": 1, \"kernels\": [{\"source\": \"k.cu\", " \
  "\"kernel\": \"gemm\", \"fingerprint\": \"" HASH "\", \"variant\": " variant \
  ", \"stages\": " stages ", \"gpu\": " gpu ", \"cuda\": \"13.0\"}]}"

static void damaged_records_are_refused(void **state) {
  (void)state;
  assert_refused("", "damaged");
  assert_refused("{\"pipelinify-record\": 1,", "damaged");
  assert_refused("{}", "no record of pipelinify");
  assert_refused("[1, 2]", "no record of pipelinify");
  assert_refused("{\"pipelinify-record\": \"1\"}", "no record");
  assert_refused("{\"pipelinify-record\": 4, \"kernels\": []}", "newer");
  assert_refused("{\"pipelinify-record\": 0, \"kernels\": []}", "damaged");
  assert_refused("{\"pipelinify-record\": 1}", "damaged");
  assert_refused("{\"pipelinify-record\": 1, \"kernels\": [1]}", "damaged");
  assert_refused(ENTRY("\"fast\"", "0", "\"G\""), "choice");
  assert_refused(ENTRY("\"cp.async\"", "9", "\"G\""), "choice");
  assert_refused(ENTRY("\"cp.async\"", "0", "\"G\""), "choice");
  assert_refused(ENTRY("\"cp.async\"", "\"3\"", "\"G\""), "choice");
  assert_refused(ENTRY("\"ldg\"", "3", "\"G\""), "choice");
  assert_refused(ENTRY("4", "3", "\"G\""), "choice");
  assert_refused("{\"pipelinify-record\": 1, \"pipelinify-record\": 1, "
                 "\"kernels\": []}", "damaged");
}

/* The text goes into a comment of the source: it must not leave it. */
static void no_text_escapes_its_comment(void **state) {
  (void)state;
  assert_refused(ENTRY("\"ldg\"", "0", "\"G\\nint x;\""), "measured");
  assert_refused(ENTRY("\"ldg\"", "0", "\"G\\\\\""), "measured");
  assert_refused(ENTRY("\"ldg\"", "0", "\"G?" "?/\""), "measured");
  assert_refused(ENTRY("\"ldg\"", "0", "\"\""), "measured");
  unlink(path);
  char *problem = add("gemm", HASH, "ldg", 0, "G\nint x;");
  assert_non_null(problem);
  free(problem);
}

static void its_place_is_beside_the_source(void **state) {
  (void)state;
  char *beside = pl_record_path(NULL, "a/k.cu"), *asked = pl_record_path("r", "");
  assert_string_equal(beside, "a/k.cu.pipelinify.json");
  assert_string_equal(asked, "r");
  free(beside);
  free(asked);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(choices_come_back),
      cmocka_unit_test(another_files_kernel_is_not_an_older_one),
      cmocka_unit_test(a_later_tune_replaces_an_earlier_one),
      cmocka_unit_test(the_nearest_machine_decides),
      cmocka_unit_test(an_older_text_is_never_nearer),
      cmocka_unit_test(launch_bounds_come_back),
      cmocka_unit_test(records_are_joined),
      cmocka_unit_test(damaged_records_are_refused),
      cmocka_unit_test(no_text_escapes_its_comment),
      cmocka_unit_test(its_place_is_beside_the_source),
  };
  return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
