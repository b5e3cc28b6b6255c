/* test_bundle.c - what a bundle holds, and what is added to it later. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bundle.h"
#include "gpu_sources.h"
#include "output.h"
#include "text.h"

static const char KERNEL[] =
    "#include \"../inc/tile.h\"\n"
    "#include <near.h>\n"
    "#include <cuda_runtime.h>\n"
    "// pipelinify: launch ns::f<2>\n"
    "//   sizes  N=0,5 M=2\n"
    "//   target N=100 M=3\n"
    "//   grid   N + 1\n"
    "//   block  32, 2\n"
    "//   smem   8 * N\n"
    "//   a:     in  [N * M] range(-1, 2)\n"
    "//   b:     out [N]\n"
    "//   x:     0.5\n"
    "//   n:     N\n"
    "//   p:     null\n"
    "//   work   flops 2 * N\n"
    "// pipelinify: launch g(int)\n"
    "//   block  1\n"
    "//   n:     7\n";

static char *temp;

static char *in_temp(const char *name) {
  return pl_format("%s/%s", temp, name);
}

static void put(const char *name, const char *text) {
  char *path = in_temp(name);
  assert_true(pl_make_parents(path));
  assert_int_equal(pl_write_file(path, text, strlen(text)), PL_WRITE_DONE);
  free(path);
}

static bool is_there(const char *name) {
  char *path = in_temp(name);
  bool there = access(path, R_OK) == 0;
  free(path);
  return there;
}

static char *get(const char *name) {
  char *path = in_temp(name);
  pl_bytes bytes;
  if (!pl_read_file(path, &bytes))
    fail_msg("%s is missing", path);
  free(path);
  return bytes.data;
}

static void assert_holds(const char *name, const char *text) {
  char *all = get(name);
  if (!strstr(all, text))
    fail_msg("%s has no \"%s\":\n%s", name, text, all);
  free(all);
}

static void assert_lacks(const char *name, const char *text) {
  char *all = get(name);
  if (strstr(all, text))
    fail_msg("%s has \"%s\":\n%s", name, text, all);
  free(all);
}

static int make_temp(void **state) {
  (void)state;
  temp = strdup("/tmp/pl_bundle_XXXXXX");
  assert_non_null(mkdtemp(temp));
  put("user/src/k.cu", KERNEL);
  put("user/inc/tile.h", "#include \"deep/x.h\"\n#include \"nowhere.h\"\n");
  put("user/inc/deep/x.h", "#include \"../tile.h\"\n");
  put("user/far/near.h", "\n");
  put("user/unused/other.h", "\n");
  return 0;
}

static int remove_temp(void **state) {
  (void)state;
  char *command = pl_format("rm -rf '%s'", temp);
  int status = system(command);
  free(command);
  free(temp);
  return status;
}

/* Adds the kernel with two forms, of which one changes both launches. */
static bool add(pl_bundle *bundle, const char *path, const char *text) {
  pl_launch_error error;
  pl_launch_list *launches =
      pl_launches_from_source(text, strlen(text), &error);
  assert_non_null(launches);
  static const bool both[] = {true, true}, second[] = {false, true};
  static const int bytes[] = {4, 16};
  static const pl_bundle_barriers barriers[] = {{2, 1}, {0, 0}};
  static const pl_kernel_shape shapes[] = {{"f", "2 * smem + N", 2}};
  const pl_bundle_form forms[] = {
      {.label = "ldg", .text = "ldg text\n", .len = 9, .stages = 2,
       .copy_bytes = bytes, .n_copies = 2, .is_auto = true, .launches = both,
       .barriers = barriers, .shapes = shapes, .n_shapes = 1},
      {.label = "cp.async-s3", .text = "async text\n", .len = 11, .stages = 3,
       .launches = second},
  };
  const pl_bundle_side sides[] = {
      {.label = "loads-alone", .text = "loads text\n", .len = 11,
       .launches = second},
  };
  char *far = in_temp("user/far"), *unused = in_temp("user/unused");
  const char *dirs[] = {far, unused, "/usr/include", "/nowhere"};
  const char *defines[] = {"N=3", "X=a b"};
  pl_bundle_case c = {
      .path = path, .text = text, .len = strlen(text), .forms = forms,
      .n_forms = 2, .sides = sides, .n_sides = 1, .launches = launches,
      .flags = {.include_dirs = dirs, .n_include_dirs = 4, .defines = defines,
                .n_defines = 2}};
  bool added = pl_bundle_add(bundle, &c);
  pl_launch_list_free(launches);
  free(far);
  free(unused);
  return added;
}

static void make_bundle(void) {
  char *dir = in_temp("bundle"), *path = in_temp("user/src/k.cu");
  pl_bundle *bundle = pl_bundle_open(dir, false, stderr);
  assert_non_null(bundle);
  assert_true(add(bundle, path, KERNEL));
  assert_true(pl_bundle_close(bundle));
  free(dir);
  free(path);
}

static void writes_everything(void **state) {
  (void)state;
  make_bundle();
  assert_holds("bundle/cases/src-k/src/src/k.cu", KERNEL);
  assert_holds("bundle/cases/src-k/src/src/k.ldg.cu", "ldg text\n");
  assert_holds("bundle/cases/src-k/src/src/k.cp.async-s3.cu", "async text\n");
  assert_holds("bundle/cases/src-k/cp.async-s3.cu",
               "#include \"src/src/k.cp.async-s3.cu\"\n");
  assert_holds("bundle/cases/src-k/original.cu", "PL_ENTRY(0, (&ns::f<2>))\n");
  assert_holds("bundle/cases/src-k/original.cu",
               "PL_ENTRY(1, (static_cast<void (*)(int)>(&g)))\n");
  char *run = in_temp("bundle/run");
  assert_int_equal(access(run, X_OK), 0);
  free(run);
  assert_true(is_there("bundle/harness/runner.cu"));
  assert_false(is_there("bundle/harness/run"));
}

static void takes_headers_along(void **state) {
  (void)state;
  make_bundle();
  assert_true(is_there("bundle/cases/src-k/src/inc/tile.h"));
  assert_true(is_there("bundle/cases/src-k/src/inc/deep/x.h"));
  assert_true(is_there("bundle/cases/src-k/src/far/near.h"));
  assert_false(is_there("bundle/cases/src-k/src/unused/other.h"));
  char *flags = get("bundle/cases/src-k/flags");
  assert_string_equal(flags, "-Isrc/far\n-DN=3\n-DX=a b\n");
  free(flags);
}

static void names_pairs(void **state) {
  (void)state;
  make_bundle();
  char *pairs = get("bundle/cases/src-k/pairs");
  assert_string_equal(pairs, "0\tldg\t2\t4,16\tauto\tns::f<2>\t2\t1\n"
                             "1\tldg\t2\t4,16\tauto\tg\t0\t0\n"
                             "1\tcp.async-s3\t3\t\t-\tg\t0\t0\n");
  free(pairs);
}

/* One side alone is built and timed, and no pair to be proven. */
static void names_sides(void **state) {
  (void)state;
  make_bundle();
  char *sides = get("bundle/cases/src-k/sides");
  assert_string_equal(sides, "1\tloads-alone\tg\n");
  free(sides);
  assert_holds("bundle/cases/src-k/src/src/k.loads-alone.cu", "loads text\n");
  assert_holds("bundle/cases/src-k/loads-alone.cu",
               "#include \"src/src/k.loads-alone.cu\"\n");
  assert_holds("bundle/cases/src-k/loads-alone.cu", "PL_ENTRY(1, ");
  assert_holds("bundle/manifest.json", "\"sides\": [\n        \"loads-alone\"");
}

static void works_out_sizes(void **state) {
  (void)state;
  make_bundle();
  assert_holds("bundle/cases/src-k/plan",
               "launch 0 5 ns::f<2>\n"
               "set N=0 M=2\ngrid 1 1 1\nblock 32 2 1\nsmem 0\n"
               "shape-of ldg 1 1 1 32 2 2 0\n");
  assert_holds("bundle/cases/src-k/plan",
               "set N=5 M=2\ngrid 6 1 1\nblock 32 2 1\nsmem 40\n"
               "shape-of ldg 6 1 1 32 2 2 85\nwork 10 0\n"
               "arg b i g 10 0 0 -1 2 a\n"
               "arg b o r 5 0 0 0 0 b\n"
               "arg r i r 0 0 0 0.5 0 x\n"
               "arg i i r 0 5 0 0 0 n\n"
               "arg n i r 0 0 0 0 0 p\n"
               "target N=100 M=3\ngrid 101 1 1\n");
  assert_holds("bundle/cases/src-k/plan", "launch 1 1 g\nset \n");
}

static json_t *manifest(void) {
  char *path = in_temp("bundle/manifest.json");
  json_t *root = json_load_file(path, 0, NULL);
  assert_non_null(root);
  free(path);
  return root;
}

static void grows(void **state) {
  (void)state;
  make_bundle();
  make_bundle();
  put("user/b/src/k.cu", KERNEL);
  char *dir = in_temp("bundle"), *path = in_temp("user/b/src/k.cu");
  pl_bundle *bundle = pl_bundle_open(dir, false, stderr);
  assert_true(add(bundle, path, "// pipelinify: launch f\n// block 1\n"
                                "// pipelinify: launch g\n// block 1\n"));
  assert_true(add(bundle, "x/one/kernel.cu", KERNEL));
  assert_true(add(bundle, "./a b.cu", KERNEL));
  assert_true(pl_bundle_close(bundle));
  json_t *root = manifest(), *cases = json_object_get(root, "cases"), *entry;
  const char *const ids[] = {"src-k", "src-k-2", "one", "a-b"};
  assert_int_equal(json_array_size(cases), 4);
  size_t i;
  json_array_foreach(cases, i, entry)
    assert_string_equal(json_string_value(json_object_get(entry, "id")),
                        ids[i]);
  json_decref(root);
  assert_lacks("bundle/cases/src-k-2/src/k.cu", "ns::f");
  free(dir);
  free(path);
}

/* What an input no longer has is gone. */
static void replaces(void **state) {
  (void)state;
  make_bundle();
  put("bundle/cases/src-k/old.cu", "");
  make_bundle();
  assert_false(is_there("bundle/cases/src-k/old.cu"));
}

static void refuses_other_directories(void **state) {
  (void)state;
  char *dir = in_temp("user"), said[200] = "";
  FILE *err = fmemopen(said, sizeof said, "w");
  assert_null(pl_bundle_open(dir, false, err));
  fclose(err);
  assert_non_null(strstr(said, "exists, and is no bundle"));
  free(dir);
}

static void refuses_sizes_without_value(void **state) {
  (void)state;
  char *dir = in_temp("bundle"), said[400] = "";
  FILE *err = fmemopen(said, sizeof said, "w");
  pl_bundle *bundle = pl_bundle_open(dir, false, err);
  assert_false(add(bundle, "k.cu", "// pipelinify: launch f\n"
                                   "//   sizes N=0\n"
                                   "//   block 32 / N\n"
                                   "// pipelinify: launch g\n"
                                   "//   block 1\n"));
  pl_bundle_close(bundle);
  fclose(err);
  if (!strstr(said, "k.cu:1:1: error: '32 / N': division"))
    fail_msg("%s", said);
  free(dir);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_temp, remove_temp)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(writes_everything),
      TEST(takes_headers_along),
      TEST(names_pairs),
      TEST(names_sides),
      TEST(works_out_sizes),
      TEST(grows),
      TEST(replaces),
      TEST(refuses_other_directories),
      TEST(refuses_sizes_without_value),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
