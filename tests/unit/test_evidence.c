/* What cuobjdump 13.5 printed of three accept cases and their forms, compiled by
 * nvcc 13.0 for sm_90; instruction words taken out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "evidence.h"
#include "output.h"
#include "text.h"

static const char sgemm[] = "_Z12sgemm_tile16PKfS0_Pfiii";

static char *read_sass(const char *name) {
  pl_bytes bytes;
  char *path = pl_format("%s/tests/unit/sass/%s.sass", PL_SOURCE_DIR, name);
  assert_true(pl_read_file(path, &bytes));
  free(path);
  char *text = pl_format("%.*s", (int)bytes.size, bytes.data);
  free(bytes.data);
  return text;
}

static pl_machine_loop loop_of(const char *name, const char *function) {
  char *sass = read_sass(name);
  pl_machine_loop loop = pl_machine_loop_find(sass, function);
  free(sass);
  return loop;
}

static void finds_the_original_loop(void **state) {
  (void)state;
  pl_machine_loop loop = loop_of("sgemm-tile16-original", sgemm);
  assert_true(loop.found);
  assert_int_equal(loop.first, 0x240);
  assert_int_equal(loop.last, 0x550);
  assert_int_equal(loop.loads, 2);
  assert_int_equal(loop.barriers, 2);
  assert_int_equal(loop.compute, 16);
  assert_int_equal(loop.parts, 1);
  assert_int_equal(loop.overlapped, 0);
}

static pl_evidence judge(const char *form) {
  pl_machine_loop old = loop_of("sgemm-tile16-original", sgemm);
  pl_machine_loop now = loop_of(form, sgemm);
  return pl_evidence_judge(&old, 2, &now, 1);
}

static void sees_overlap(void **state) {
  (void)state;
  const char *const forms[] = {"sgemm-tile16-ldg", "sgemm-tile16-cp.async"};
  for (size_t i = 0; i < 2; i++) {
    pl_evidence e = judge(forms[i]);
    assert_int_equal(e.overlap, PL_SEEN);
    assert_int_equal(e.same_compute, PL_SEEN);
    assert_int_equal(e.tiles, 1);
    assert_null(e.why);
  }
}

/* The original against itself: nothing overlaps. */
static void sees_that_nothing_overlaps(void **state) {
  (void)state;
  pl_machine_loop old = loop_of("sgemm-tile16-original", sgemm);
  pl_evidence e = pl_evidence_judge(&old, 2, &old, 2);
  assert_int_equal(e.overlap, PL_NOT_SEEN);
  assert_int_equal(e.same_compute, PL_SEEN);
}

static void change(char *text, const char *from, const char *to) {
  char *at = strstr(text, from);
  assert_non_null(at);
  memcpy(at, to, strlen(to));
}

/* A load that the compiler sank behind the compute, made by hand. */
static void notices_a_load_behind_the_compute(void **state) {
  (void)state;
  char *sass = read_sass("sgemm-tile16-ldg");
  change(strstr(sass, "/*0330*/"), "LDG.E", "MOV.E");
  change(strstr(sass, "/*0330*/"), "LDG.E", "MOV.E");
  change(strstr(sass, "/*06c0*/"), "STS", "LDG");
  pl_machine_loop now = pl_machine_loop_find(sass, sgemm);
  pl_machine_loop old = loop_of("sgemm-tile16-original", sgemm);
  pl_evidence e = pl_evidence_judge(&old, 2, &now, 1);
  assert_true(now.found);
  assert_int_equal(e.overlap, PL_NOT_SEEN);
  free(sass);
}

static void notices_lost_compute(void **state) {
  (void)state;
  char *sass = read_sass("sgemm-tile16-ldg");
  change(strstr(sass, "/*0330*/"), "FFMA", "MOVE");
  pl_machine_loop now = pl_machine_loop_find(sass, sgemm);
  pl_machine_loop old = loop_of("sgemm-tile16-original", sgemm);
  assert_int_equal(pl_evidence_judge(&old, 2, &now, 1).same_compute,
                   PL_NOT_SEEN);
  free(sass);
}

static void tells_what_it_cannot_tell(void **state) {
  (void)state;
  pl_machine_loop none = loop_of("sgemm-tile16-ldg", "_Z5otherv");
  assert_false(none.found);
  pl_evidence e = pl_evidence_judge(&none, 2, &none, 1);
  assert_int_equal(e.overlap, PL_COULD_NOT_TELL);
  assert_int_equal(e.same_compute, PL_COULD_NOT_TELL);
  assert_non_null(e.why);
}

/* Four tiles an iteration, compute moved over barriers by the compiler. */
static void counts_by_tile_when_unrolled(void **state) {
  (void)state;
  const char *name =
      "_Z13wmma_gemm_f16PK6__halfS1_Pfiii";
  pl_machine_loop old = loop_of("wmma-64x64x16-original", name);
  pl_machine_loop async = loop_of("wmma-64x64x16-cp.async", name);
  pl_machine_loop ldg = loop_of("wmma-64x64x16-ldg", name);
  pl_evidence e = pl_evidence_judge(&old, 2, &async, 1);
  assert_int_equal(old.compute, 32);
  assert_int_equal(e.tiles, 4);
  assert_int_equal(e.same_compute, PL_SEEN);
  assert_int_equal(e.overlap, PL_SEEN);
  e = pl_evidence_judge(&old, 2, &ldg, 1);
  assert_int_equal(e.tiles, 4);
  assert_int_equal(e.same_compute, PL_SEEN);
  assert_int_equal(e.overlap, PL_COULD_NOT_TELL);
}

/* The same code for integers: IMAD for FFMA, beside those of the addresses. */
static pl_machine_loop integer_loop_of(const char *name) {
  char *sass = read_sass(name);
  for (char *at = sass; (at = strstr(at, "FFMA"));)
    memcpy(at, "IMAD", 4);
  pl_machine_loop loop = pl_machine_loop_find(sass, sgemm);
  free(sass);
  return loop;
}

static void tells_integer_compute_from_addresses(void **state) {
  (void)state;
  pl_machine_loop old = integer_loop_of("sgemm-tile16-original");
  assert_true(old.found);
  assert_int_equal(old.compute, 16);
  assert_int_equal(pl_evidence_judge(&old, 2, &old, 2).overlap, PL_NOT_SEEN);
  const char *const forms[] = {"sgemm-tile16-ldg", "sgemm-tile16-cp.async"};
  for (size_t i = 0; i < 2; i++) {
    pl_machine_loop now = integer_loop_of(forms[i]);
    assert_int_equal(now.compute, 16);
    pl_evidence e = pl_evidence_judge(&old, 2, &now, 1);
    assert_int_equal(e.overlap, PL_SEEN);
    assert_int_equal(e.same_compute, PL_SEEN);
  }
}

/* A kernel on integers, whose addresses are IMAD and IADD3 as well. */
static void judges_a_kernel_on_integers(void **state) {
  (void)state;
  const char *name = "_Z10sad_framesPKsS0_Pitt";
  pl_machine_loop old = loop_of("sad-int16-original", name);
  pl_machine_loop now = loop_of("sad-int16-ldg", name);
  pl_evidence e = pl_evidence_judge(&old, 2, &now, 1);
  assert_int_equal(old.compute, 22);
  assert_int_equal(now.compute, 20);
  assert_true(now.plain);
  assert_int_equal(e.same_compute, PL_COULD_NOT_TELL);
  assert_int_equal(e.overlap, PL_SEEN);
  assert_non_null(e.why);
}

/* Without what reads shared memory nothing of it is compute. */
static void addresses_alone_are_no_compute(void **state) {
  (void)state;
  char *sass = read_sass("sgemm-tile16-ldg");
  for (char *at = sass; (at = strstr(at, "FFMA"));)
    memcpy(at, "IMAD", 4);
  for (char *at = sass; (at = strstr(at, " LDS"));)
    memcpy(at, " LDC", 4);
  assert_false(pl_machine_loop_find(sass, sgemm).found);
  free(sass);
}

/* Where nobody says how many barriers the sources have. */
static void counts_by_load_without_barriers(void **state) {
  (void)state;
  pl_machine_loop old = {.found = true, .loads = 2, .barriers = 2,
                         .compute = 16, .parts = 1};
  pl_machine_loop now = {.found = true, .loads = 4, .barriers = 2,
                         .compute = 32, .parts = 2, .overlapped = 2};
  pl_evidence e = pl_evidence_judge(&old, 0, &now, 0);
  assert_int_equal(e.overlap, PL_SEEN);
  assert_int_equal(e.same_compute, PL_SEEN);
  now.compute = 16;
  e = pl_evidence_judge(&old, 0, &now, 0);
  assert_int_equal(e.same_compute, PL_COULD_NOT_TELL);
  assert_non_null(e.why);
}

/* One tile an iteration: fewer instructions are lost, more are not, and those of
 * an inner loop that one of the two unrolls tell nothing. */
static void compares_compute_by_tile(void **state) {
  (void)state;
  pl_machine_loop old = {.found = true, .loads = 2, .barriers = 2,
                         .compute = 16, .parts = 1};
  pl_machine_loop now = {.found = true, .loads = 2, .barriers = 1,
                         .compute = 15, .parts = 1, .overlapped = 1};
  assert_int_equal(pl_evidence_judge(&old, 2, &now, 1).same_compute,
                   PL_NOT_SEEN);
  now.rolled = true;
  pl_evidence e = pl_evidence_judge(&old, 2, &now, 1);
  assert_int_equal(e.same_compute, PL_COULD_NOT_TELL);
  assert_non_null(strstr(e.why, "inner loop"));
  now.rolled = false;
  now.compute = 17;
  e = pl_evidence_judge(&old, 2, &now, 1);
  assert_int_equal(e.same_compute, PL_COULD_NOT_TELL);
  assert_non_null(strstr(e.why, "more compute"));
  now.compute = 32;
  now.barriers = 2;
  assert_int_equal(pl_evidence_judge(&old, 2, &now, 1).same_compute, PL_SEEN);
  now.barriers = 3; /* no whole number of tiles: an inner loop waits, too */
  assert_int_equal(pl_evidence_judge(&old, 2, &now, 2).same_compute,
                   PL_COULD_NOT_TELL);
}

/* Of one tile the compiler puts a rest of the compute behind the barrier. */
static void most_of_one_tile_counts(void **state) {
  (void)state;
  pl_machine_loop old = {.found = true, .loads = 2, .barriers = 2,
                         .compute = 16, .parts = 1};
  pl_machine_loop now = {.found = true, .loads = 2, .barriers = 2,
                         .compute = 16, .parts = 2, .overlapped = 1,
                         .behind = 13};
  assert_int_equal(pl_evidence_judge(&old, 2, &now, 2).overlap, PL_SEEN);
  assert_int_equal(pl_evidence_judge(&old, 2, &now, 0).overlap,
                   PL_COULD_NOT_TELL);
  now.behind = 8;
  assert_int_equal(pl_evidence_judge(&old, 2, &now, 2).overlap,
                   PL_COULD_NOT_TELL);
  now.overlapped = 0;
  now.behind = 2;
  pl_evidence e = pl_evidence_judge(&old, 2, &now, 2);
  assert_int_equal(e.overlap, PL_COULD_NOT_TELL);
  assert_non_null(strstr(e.why, "a part"));
  now.behind = 1;
  assert_int_equal(pl_evidence_judge(&old, 2, &now, 2).overlap, PL_NOT_SEEN);
}

/* Compute in a loop inside is marked: a branch back to its first FFMA. */
static void marks_inner_loops(void **state) {
  (void)state;
  assert_false(loop_of("sgemm-tile16-original", sgemm).rolled);
  char *sass = read_sass("sgemm-tile16-original");
  char *first = strstr(sass, "/*0380*/ "), *at = strstr(sass, "/*0480*/ ");
  assert_non_null(first);
  assert_non_null(at);
  char *end = strchr(at, ';');
  at = strchr(at, ' ');
  while (*at == ' ')
    at++;
  memset(at, ' ', (size_t)(end - at));
  memcpy(at, "BRA 0x380", 9);
  assert_true(pl_machine_loop_find(sass, sgemm).rolled);
  free(sass);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_the_original_loop),
      cmocka_unit_test(sees_overlap),
      cmocka_unit_test(sees_that_nothing_overlaps),
      cmocka_unit_test(notices_a_load_behind_the_compute),
      cmocka_unit_test(notices_lost_compute),
      cmocka_unit_test(tells_what_it_cannot_tell),
      cmocka_unit_test(counts_by_tile_when_unrolled),
      cmocka_unit_test(counts_by_load_without_barriers),
      cmocka_unit_test(compares_compute_by_tile),
      cmocka_unit_test(most_of_one_tile_counts),
      cmocka_unit_test(marks_inner_loops),
      cmocka_unit_test(tells_integer_compute_from_addresses),
      cmocka_unit_test(judges_a_kernel_on_integers),
      cmocka_unit_test(addresses_alone_are_no_compute),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
