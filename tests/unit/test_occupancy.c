/* test_occupancy.c - blocks a multiprocessor: the static table against what the
 * runtime answered on GPUs, for every accept case and form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "pipelinify.h"

/* Lines `threads registers smem blocks case form`, made by occupancy/record.py
 * from results.json of a GPU run. */
static void check_recording(const char *name, int sm, int least) {
  char path[512], line[256], id[128];
  snprintf(path, sizeof path, "%s/tests/unit/occupancy/%s", PL_SOURCE_DIR, name);
  FILE *f = fopen(path, "r");
  assert_non_null(f);
  int n = 0;
  while (fgets(line, sizeof line, f)) {
    int threads, registers, smem, blocks;
    if (line[0] == '#')
      continue;
    assert_int_equal(sscanf(line, "%d %d %d %d %127[^\n]", &threads, &registers,
                            &smem, &blocks, id), 5);
    int said = pl_arch_blocks(pl_arch_find(sm), threads, registers, smem);
    if (said != blocks)
      fail_msg("%s: %d blocks, the runtime says %d", line, said, blocks);
    n++;
  }
  fclose(f);
  assert_true(n >= least);
}

static void agrees_with_the_runtime(void **state) {
  (void)state;
  check_recording("h200.txt", 90, 300);
}

/* Each limit by itself, worked out by hand from the programming guide. */
static void each_limit(void **state) {
  (void)state;
  const pl_arch *hopper = pl_arch_find(90), *turing = pl_arch_find(75);
  assert_int_equal(pl_arch_blocks(hopper, 32, 0, 0), 32);
  assert_int_equal(pl_arch_blocks(hopper, 1024, 0, 0), 2);
  assert_int_equal(pl_arch_blocks(hopper, 1000, 0, 0), 2);
  assert_int_equal(pl_arch_blocks(hopper, 256, 255, 0), 1);
  assert_int_equal(pl_arch_blocks(hopper, 256, 33, 0), 6);
  assert_int_equal(pl_arch_blocks(hopper, 256, 32, 0), 8);
  assert_int_equal(pl_arch_blocks(hopper, 128, 0, 49152), 4);
  assert_int_equal(pl_arch_blocks(hopper, 128, 0, 232448), 1);
  assert_int_equal(pl_arch_blocks(hopper, 128, 0, 232449), 0);
  assert_int_equal(pl_arch_blocks(hopper, 0, 0, 113 * 1024), 2);
  assert_int_equal(pl_arch_blocks(turing, 1024, 64, 0), 1);
  assert_int_equal(pl_arch_blocks(turing, 64, 0, 0), 16);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(agrees_with_the_runtime),
                                     cmocka_unit_test(each_limit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
