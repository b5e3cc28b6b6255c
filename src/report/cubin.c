/* cubin.c - see cubin.h. */
#include "cubin.h"

#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum { INSTRUCTION = 16, OPERATION = 0xfff, PLAIN = 0x1ff };

/* What an instruction is, as far as it matters here. */
typedef enum kind { OTHER, LOAD, COPY, STORE, BARRIER, COMPUTE, BRANCH, EMPTY } kind;

/* Those that have one form of operands, by their whole operation. */
static const struct {
  unsigned operation;
  kind kind;
} whole[] = {
    {0x980, LOAD},    {0x981, LOAD},    /* LD, LDG */
    {0xfae, COPY},                      /* LDGSTS */
    {0x385, STORE},   {0x388, STORE},   {0x988, STORE}, /* ST, STS */
    {0xb1d, BARRIER},                   /* BAR */
    {0x984, COMPUTE}, {0x83b, COMPUTE}, /* LDS, LDSM */
    {0x23c, COMPUTE}, {0x237, COMPUTE}, {0x23f, COMPUTE}, /* HMMA, IMMA, DMMA */
    {0x947, BRANCH},  {0x918, EMPTY},   /* BRA, NOP */
};

/* Those whose operands are registers, constants or numbers, by what is the same in
 * all: FMUL, FADD, FFMA, IMAD and its like, DMUL, DADD, DFMA, HADD2, HFMA2, HMUL2,
 * MUFU. */
static const unsigned plain_compute[] = {0x20, 0x21, 0x23, 0x24, 0x25, 0x26, 0x27,
                                         0x28, 0x29, 0x2b, 0x30, 0x31, 0x32, 0x108};

typedef struct code {
  const unsigned char *at;
  size_t n; /* instructions */
} code;

static uint64_t word_of(const code *c, size_t i) {
  uint64_t word;
  memcpy(&word, c->at + i * INSTRUCTION, sizeof word);
  return word;
}

static kind kind_of(const code *c, size_t i) {
  unsigned operation = (unsigned)(word_of(c, i) & OPERATION);
  for (size_t k = 0; k < sizeof whole / sizeof *whole; k++)
    if (whole[k].operation == operation)
      return whole[k].kind;
  for (size_t k = 0; k < sizeof plain_compute / sizeof *plain_compute; k++)
    if (plain_compute[k] == (operation & PLAIN))
      return COMPUTE;
  return OTHER;
}

/* Where a branch leads: so many units of four bytes behind it, bits 16 to 23 and, with
 * its sign, from bit 34 on. -1: out of the function. */
static int64_t target_of(const code *c, size_t i) {
  uint64_t word = word_of(c, i);
  int64_t high = (int64_t)(word >> 34);
  if (high >> 29)
    high -= (int64_t)1 << 30;
  int64_t bytes = (high * 256 + (int64_t)(word >> 16 & 0xff)) * 4;
  int64_t to = (int64_t)i + 1 + bytes / INSTRUCTION;
  return to >= 0 && to < (int64_t)c->n ? to : -1;
}

/* A backward branch and where it leads. */
typedef struct span {
  size_t first, last;
} span;

static bool holds(const code *c, span s, kind wanted) {
  for (size_t i = s.first; i <= s.last; i++)
    if (kind_of(c, i) == wanted)
      return true;
  return false;
}

static bool is_tile_loop(const code *c, span s) {
  return holds(c, s, BARRIER) && (holds(c, s, LOAD) || holds(c, s, COPY));
}

static bool is_inside(span inner, span outer) {
  return inner.first >= outer.first && inner.last <= outer.last &&
         (inner.first != outer.first || inner.last != outer.last);
}

static size_t compute_of(const code *c, span s) {
  size_t n = 0;
  for (size_t i = s.first; i <= s.last; i++)
    n += kind_of(c, i) == COMPUTE;
  return n;
}

static bool is_innermost(const span *loops, size_t n, size_t index) {
  for (size_t i = 0; i < n; i++)
    if (is_inside(loops[i], loops[index]))
      return false;
  return true;
}

/* The tile loop of a function; false: it has none. */
static bool find_loop(const code *c, span *found) {
  span *loops = pl_alloc(c->n + 1, sizeof *loops);
  size_t n = 0, most = 0;
  bool any = false;
  for (size_t i = 0; i < c->n; i++) {
    int64_t to = kind_of(c, i) == BRANCH ? target_of(c, i) : -1;
    if (to < 0 || to >= (int64_t)i)
      continue;
    span loop = {(size_t)to, i};
    if (is_tile_loop(c, loop))
      loops[n++] = loop;
  }
  for (size_t i = 0; i < n; i++) {
    size_t compute = compute_of(c, loops[i]);
    if (!is_innermost(loops, n, i) || (any && compute <= most))
      continue;
    *found = loops[i];
    most = compute;
    any = true;
  }
  free(loops);
  return any;
}

/* Compute between a load and the store that follows, round the loop; -1: none does. */
static long distance_to_store(const code *c, span s, size_t load) {
  size_t n = s.last - s.first + 1;
  long compute = 0;
  for (size_t i = 1; i <= n; i++) {
    kind k = kind_of(c, s.first + (load - s.first + i) % n);
    if (k == STORE)
      return compute;
    compute += k == COMPUTE;
  }
  return -1;
}

static double least_ahead(const code *c, span s) {
  size_t compute = compute_of(c, s);
  double least = -1;
  for (size_t i = s.first; i <= s.last; i++) {
    long distance = kind_of(c, i) == LOAD ? distance_to_store(c, s, i) : -1;
    if (distance < 0)
      continue;
    double part = compute ? (double)distance / (double)compute : 0;
    if (least < 0 || part < least)
      least = part;
  }
  return least;
}

static pl_cubin_loop loop_of(const code *c) {
  pl_cubin_loop loop = {0};
  span s;
  if (!find_loop(c, &s))
    return loop;
  loop.found = true;
  for (size_t i = s.first; i <= s.last; i++) {
    loop.instructions += kind_of(c, i) != EMPTY;
    loop.barriers += kind_of(c, i) == BARRIER;
  }
  loop.ahead = least_ahead(c, s);
  return loop;
}

/* ---- the file ------------------------------------------------------------ */

/* Its sections, if all of them lie in it. */
static const Elf64_Shdr *sections_of(const unsigned char *bytes, size_t size,
                                     Elf64_Ehdr *head) {
  if (size < sizeof *head || memcmp(bytes, ELFMAG, SELFMAG) != 0 ||
      bytes[EI_CLASS] != ELFCLASS64)
    return NULL;
  memcpy(head, bytes, sizeof *head);
  if (head->e_shentsize != sizeof(Elf64_Shdr) || head->e_shoff > size ||
      head->e_shnum > (size - head->e_shoff) / sizeof(Elf64_Shdr) ||
      head->e_shstrndx >= head->e_shnum || head->e_shoff % 8)
    return NULL;
  Elf64_Shdr *sections = pl_alloc(head->e_shnum, sizeof *sections);
  memcpy(sections, bytes + head->e_shoff, head->e_shnum * sizeof *sections);
  for (size_t i = 0; i < head->e_shnum; i++)
    if (sections[i].sh_type != SHT_NOBITS &&
        (sections[i].sh_offset > size ||
         sections[i].sh_size > size - sections[i].sh_offset)) {
      free(sections);
      return NULL;
    }
  return sections;
}

static bool is_named(const unsigned char *bytes, const Elf64_Shdr *names,
                     const Elf64_Shdr *section, const char *function) {
  static const char prefix[] = ".text.";
  size_t n = sizeof prefix - 1 + strlen(function) + 1;
  if (names->sh_type == SHT_NOBITS || section->sh_name > names->sh_size || names->sh_size - section->sh_name < n)
    return false;
  const char *name =
      (const char *)bytes + names->sh_offset + section->sh_name;
  return memcmp(name, prefix, sizeof prefix - 1) == 0 &&
         memcmp(name + sizeof prefix - 1, function, strlen(function) + 1) == 0;
}

pl_cubin_loop pl_cubin_loop_find(const void *bytes, size_t size,
                                 const char *function) {
  pl_cubin_loop loop = {0};
  Elf64_Ehdr head;
  const unsigned char *file = bytes;
  const Elf64_Shdr *sections = sections_of(file, size, &head);
  for (size_t i = 0; sections && i < head.e_shnum && !loop.found; i++) {
    if (sections[i].sh_type != SHT_PROGBITS ||
        !is_named(file, &sections[head.e_shstrndx], &sections[i], function))
      continue;
    code c = {file + sections[i].sh_offset, sections[i].sh_size / INSTRUCTION};
    loop = loop_of(&c);
  }
  free((void *)sections);
  return loop;
}
