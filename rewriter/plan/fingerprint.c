/* fingerprint.c - is this still the kernel that was measured?
 *
 * Needs: the unit's tokens and functions. Gives: a hash that a change of white
 * space, comments or host functions leaves alone, and that a change of the
 * kernel, of anything in its file that it could use (device functions, macros,
 * constants, types) or of a -D on the command line does not. Headers are not
 * looked into. */
#include "loop.h"

#include <inttypes.h>
#include <string.h>

/* FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/ */
static uint64_t mix(uint64_t hash, const char *p, size_t n) {
  for (size_t i = 0; i < n; i++)
    hash = (hash ^ (unsigned char)p[i]) * UINT64_C(1099511628211);
  return (hash ^ 0xff) * UINT64_C(1099511628211);
}

/* A directive's own tokens, so that blanks and comments in it do not count. */
static uint64_t mix_directive(pl_arena *arena, uint64_t hash, pl_str text) {
  uint32_t n;
  pl_str rest = {text.p + 1, text.n - 1};
  const pl_token *tokens = pl_lex(arena, rest, &n);
  hash = mix(hash, "#", 1);
  for (uint32_t i = 0; i < n; i++)
    if (tokens[i].kind != PL_TOK_COMMENT)
      hash = mix(hash, rest.p + tokens[i].range.begin,
                 tokens[i].range.end - tokens[i].range.begin);
  return mix(hash, "\n", 1);
}

/* Other kernels and functions of the host alone say nothing of this one. */
static bool is_foreign(const pl_func *other, const pl_func *func) {
  return other != func && other->in_main &&
         (other->is_global || !other->is_device) &&
         !pl_range_inside(func->range, other->range);
}

/* Behind a foreign function that covers `at`; `at` itself where none does. *next:
 * the first function that begins behind the last place that was asked for. */
static uint32_t behind_foreign(const pl_unit *unit, const pl_func *func,
                               uint32_t at, uint32_t *next) {
  for (; *next < unit->nfuncs && unit->funcs[*next]->in_main &&
         unit->funcs[*next]->range.begin <= at;
       ++*next) {
    const pl_func *other = unit->funcs[*next];
    if (at < other->range.end && is_foreign(other, func))
      return other->range.end;
  }
  return at;
}

static uint64_t mix_defines(uint64_t hash, const pl_options *options) {
  for (size_t i = 0; i < options->clang_nargs; i++) {
    const char *word = options->clang_args[i];
    if (strncmp(word, "-D", 2) == 0 || strncmp(word, "-U", 2) == 0)
      hash = mix(hash, word, strlen(word));
  }
  return hash;
}

const char *pl_fingerprint(pl_arena *arena, const pl_unit *unit,
                           const pl_func *func, const pl_options *options) {
  uint64_t hash = mix_defines(UINT64_C(14695981039346656037), options);
  uint32_t skip = 0, next = 0;
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    const pl_token *token = &unit->tokens[i];
    uint32_t at = token->range.begin;
    if (at < skip || token->kind == PL_TOK_COMMENT)
      continue;
    skip = behind_foreign(unit, func, at, &next);
    if (skip > at)
      continue;
    pl_str text = pl_unit_slice(unit, token->range);
    hash = token->kind == PL_TOK_DIRECTIVE ? mix_directive(arena, hash, text)
                                           : mix(hash, text.p, text.n);
  }
  hash = mix(hash, func->qualified.p, func->qualified.n);
  return pl_arena_printf(arena, "%016" PRIx64, hash).p;
}
