/* mutate_source.c - mutations of CUDA sources that a compiler still reads.
 *
 * Bytes changed at random seldom parse, and what does not parse is refused at
 * once. So lines and tokens are moved, doubled, dropped, exchanged and borrowed
 * from another kernel, and statements that matter to a tile loop are put in. */
#include "fuzz.h"
#include "model.h"

#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t none,
                                 const uint8_t *two, size_t ntwo, uint8_t *out,
                                 size_t max_out, unsigned seed);

static const char *const lines[] = {
    "__syncthreads();",
    "if (threadIdx.x < 3) __syncthreads();",
    "continue;",
    "return;",
    "for (int q = threadIdx.x; q < 64; q += 32) {",
    "}",
    "{",
    "} else {",
    "#pragma unroll",
    "#if 1",
    "#endif",
    "// pipelinify: skip",
    "// pipelinify: variant=cp.async stages=3",
    "__shared__ float extra[16][16];",
    "extern __shared__ float dynamic[];",
    "asm volatile(\"bar.sync 0;\" ::: \"memory\");",
    "while (true) {",
    "do {} while (0);",
    "auto f = [&](int i) { return i; };",
};

static const char *const tokens[] = {"threadIdx.x", "blockDim.x",
                                     "0",           "1",
                                     "32",          "+",
                                     "+=",          "=",
                                     "&&",          "?",
                                     ":",           "*",
                                     "&",           "[0]",
                                     "(float4 &)",  "float",
                                     "++",          "double",
                                     "const",       "static",
                                     "half",        "__restrict__",
                                     "volatile",    "->",
                                     ";",           "(",
                                     ")",           "{",
                                     "}",           "-1",
                                     "4294967296",  "9223372036854775807"};

typedef struct dice {
  uint64_t state;
} dice;

/* A number below n. [xorshift64*, Vigna 2016] */
static size_t below(dice *d, size_t n) {
  d->state ^= d->state >> 12;
  d->state ^= d->state << 25;
  d->state ^= d->state >> 27;
  return n ? (size_t)((d->state * 2685821657736338717ull) >> 33) % n : 0;
}

typedef struct span {
  size_t begin, end;
} span;

/* A whole line, with its newline. */
static span any_line(dice *d, const uint8_t *p, size_t n) {
  span line = {below(d, n), 0};
  line.end = line.begin;
  while (line.begin > 0 && p[line.begin - 1] != '\n')
    line.begin--;
  while (line.end < n && p[line.end] != '\n')
    line.end++;
  line.end += line.end < n;
  return line;
}

static span any_token(dice *d, pl_arena *arena, const uint8_t *p, size_t n) {
  uint32_t count;
  pl_token *list = pl_lex(arena, (pl_str){(const char *)p, n}, &count);
  if (!count)
    return (span){0, n};
  pl_range range = list[below(d, count)].range;
  return (span){range.begin, range.end};
}

/* Puts `text` in the place of a span; returns the new size, the old one where
 * there is no room. */
static size_t replace(uint8_t *p, size_t n, size_t room, span at, pl_str text) {
  size_t size = n - (at.end - at.begin) + text.n;
  if (size > room)
    return n;
  memmove(p + at.begin + text.n, p + at.end, n - at.end);
  if (text.n)
    memcpy(p + at.begin, text.p, text.n);
  return size;
}

static pl_str copy_of(pl_arena *arena, const uint8_t *p, span at) {
  return pl_arena_str(arena, (const char *)p + at.begin, at.end - at.begin);
}

static pl_str known_line(dice *d, pl_arena *arena) {
  return pl_arena_printf(arena, "%s\n",
                         lines[below(d, sizeof lines / sizeof *lines)]);
}

static pl_str known_token(dice *d) {
  const char *word = tokens[below(d, sizeof tokens / sizeof *tokens)];
  return (pl_str){word, strlen(word)};
}

/* One change of a line. */
static size_t mutate_line(dice *d, pl_arena *arena, uint8_t *p, size_t n,
                          size_t room) {
  span at = any_line(d, p, n), from = any_line(d, p, n);
  span before = {at.begin, at.begin};
  switch (below(d, 4)) {
  case 0:
    return replace(p, n, room, at, (pl_str){0});
  case 1:
    return replace(p, n, room, before, copy_of(arena, p, from));
  case 2:
    return replace(p, n, room, before, known_line(d, arena));
  default:
    return replace(p, n, room, at, copy_of(arena, p, from));
  }
}

/* One change of a token. */
static size_t mutate_token(dice *d, pl_arena *arena, uint8_t *p, size_t n,
                           size_t room) {
  span at = any_token(d, arena, p, n), from = any_token(d, arena, p, n);
  span before = {at.begin, at.begin};
  switch (below(d, 5)) {
  case 0:
    return replace(p, n, room, at, (pl_str){0});
  case 1:
    return replace(p, n, room, at, known_token(d));
  case 2:
    return replace(p, n, room, before, known_token(d));
  case 3:
    return replace(p, n, room, before, copy_of(arena, p, from));
  default:
    return replace(p, n, room, at, copy_of(arena, p, from));
  }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                               unsigned seed) {
  dice d = {((uint64_t)seed << 20) + 88172645463325252ull};
  if (!size || below(&d, 40) == 0)
    return LLVMFuzzerMutate(data, size, max_size);
  pl_arena *arena = pl_arena_new(abort);
  for (size_t rounds = 1 + below(&d, 3); rounds; rounds--)
    size = below(&d, 2) ? mutate_line(&d, arena, data, size, max_size)
                        : mutate_token(&d, arena, data, size, max_size);
  pl_arena_free(arena);
  return size;
}

/* A run of up to eight lines of one kernel inside the other. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t none,
                                 const uint8_t *two, size_t ntwo, uint8_t *out,
                                 size_t max_out, unsigned seed) {
  dice d = {((uint64_t)seed << 20) + 2463534242ull};
  if (!none || !ntwo || none > max_out)
    return 0;
  memcpy(out, one, none);
  span at = any_line(&d, one, none), from = any_line(&d, two, ntwo);
  for (size_t more = below(&d, 8); more && from.end < ntwo; more--)
    do
      from.end++;
    while (from.end < ntwo && two[from.end - 1] != '\n');
  if (below(&d, 2))
    at.end = at.begin;
  pl_str text = {(const char *)two + from.begin, from.end - from.begin};
  return replace(out, none, max_out, at, text);
}
