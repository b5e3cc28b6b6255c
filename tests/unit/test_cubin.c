/* test_cubin.c - the tile loop of machine code, in cubins that are made here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <elf.h>

#include "cubin.h"

enum { ROOM = 8192 };

typedef struct file {
  unsigned char bytes[ROOM];
  size_t size;
} file;

/* Operations by letters, as nvdisasm names them: G LDG, A LDGSTS, L LDS, F FFMA, S STS,
 * B BAR, n NOP, . MOV, J BRA back to the first. */
static uint64_t word_of(const char *code, size_t i) {
  switch (code[i]) {
  case 'G': return 0x981;
  case 'A': return 0xfae;
  case 'L': return 0x984;
  case 'F': return 0x223;
  case 'S': return 0x388;
  case 'B': return 0xb1d;
  case 'n': return 0x918;
  case 'J': {
    int64_t units = -((int64_t)i + 1) * 4;
    return 0x947 | (uint64_t)(units & 0xff) << 16 |
           ((uint64_t)(units >> 8) & 0x3fffffff) << 34;
  }
  default: return 0x202;
  }
}

static file made(const char *function, const char *code) {
  file f = {.size = 0};
  char names[128] = "\0.shstrtab";
  size_t n_names = 11;
  n_names += (size_t)snprintf(names + 11, sizeof names - 11, ".text.%s", function) + 1;
  size_t n = strlen(code), at = sizeof(Elf64_Ehdr) + 3 * sizeof(Elf64_Shdr);
  Elf64_Ehdr head = {.e_shoff = sizeof head, .e_shentsize = sizeof(Elf64_Shdr),
                     .e_shnum = 3, .e_shstrndx = 1};
  Elf64_Shdr sections[3] = {
      {0},
      {.sh_name = 1, .sh_type = SHT_STRTAB, .sh_offset = at, .sh_size = n_names},
      {.sh_name = 11, .sh_type = SHT_PROGBITS, .sh_offset = at + n_names,
       .sh_size = n * 16}};
  memcpy(head.e_ident, ELFMAG, SELFMAG);
  head.e_ident[EI_CLASS] = ELFCLASS64;
  memcpy(f.bytes, &head, sizeof head);
  memcpy(f.bytes + sizeof head, sections, sizeof sections);
  memcpy(f.bytes + at, names, n_names);
  for (size_t i = 0; i < n; i++) {
    uint64_t word = word_of(code, i);
    memcpy(f.bytes + at + n_names + 16 * i, &word, sizeof word);
  }
  f.size = at + n_names + 16 * n;
  return f;
}

static pl_cubin_loop loop_in(const char *code) {
  file f = made("k", code);
  return pl_cubin_loop_find(f.bytes, f.size, "k");
}

static void assert_ahead(const char *code, double ahead) {
  pl_cubin_loop loop = loop_in(code);
  assert_true(loop.found);
  assert_true(loop.ahead > ahead - 1e-9 && loop.ahead < ahead + 1e-9);
}

static void loads_are_as_far_ahead_as_compute_stands_between(void **state) {
  (void)state;
  assert_ahead("GLLFFSBJ", 1);
  assert_ahead("LLFFGSBJ", 0);
  assert_ahead("LLGFFSBJ", 0.5);
  assert_ahead("GLLFFSSGSBJ", 0); /* of two loads the one that is closer */
  assert_ahead("SBLLGFFJ", 0.5);  /* round the loop */
  assert_ahead("ALLFFBJ", -1);    /* a copy passes no register */
  assert_ahead("GLLFFBJ", -1);    /* nothing is stored */
  assert_ahead("GSBJ", 0);        /* nothing is computed */
}

static void a_round_is_counted(void **state) {
  (void)state;
  pl_cubin_loop loop = loop_in("GLLFFnnSB..BJ");
  assert_int_equal(loop.instructions, 11);
  assert_int_equal(loop.barriers, 2);
}

static void other_loops_are_none(void **state) {
  (void)state;
  assert_false(loop_in("GLLFFSJ").found); /* waits at no barrier */
  assert_false(loop_in("LLFFSBJ").found); /* loads nothing */
  assert_false(loop_in("GLLFFSB").found); /* no branch */
  assert_false(loop_in("").found);
}

static void what_is_no_such_file_is_left(void **state) {
  (void)state;
  file f = made("k", "GLLFFSBJ");
  assert_true(pl_cubin_loop_find(f.bytes, f.size, "k").found);
  assert_false(pl_cubin_loop_find(f.bytes, f.size, "kk").found);
  assert_false(pl_cubin_loop_find(f.bytes, f.size, "").found);
  assert_false(pl_cubin_loop_find("no ELF", 6, "k").found);
  assert_false(pl_cubin_loop_find(f.bytes, 0, "k").found);
  for (size_t size = 0; size < f.size; size++) {
    unsigned char *cut = malloc(size ? size : 1);
    assert_non_null(cut);
    memcpy(cut, f.bytes, size);
    pl_cubin_loop_find(cut, size, "k"); /* reads nothing beyond it */
    free(cut);
  }
  for (size_t i = 0; i < 64 + 3 * 64; i++) {
    file changed = f;
    changed.bytes[i] ^= 0xff;
    pl_cubin_loop_find(changed.bytes, changed.size, "k");
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(loads_are_as_far_ahead_as_compute_stands_between),
      cmocka_unit_test(a_round_is_counted),
      cmocka_unit_test(other_loops_are_none),
      cmocka_unit_test(what_is_no_such_file_is_left),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
