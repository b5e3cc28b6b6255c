/* loops_text.c - where does a function that holds an error have tile loops?
 *
 * Needs: the tokens. Gives: whether a loop's text names a barrier and a shared array,
 * and the innermost one of a function that does. Raises nothing.
 *
 * A statement that holds an error is not in the tree, and with it may be gone what
 * makes a loop a tile loop; of a loop that has none of it in its text either,
 * nothing is said. */
#include "loops_parts.h"

#include <ctype.h>
#include <string.h>

/* `__shfl_sync`, `load_matrix_sync` */
static bool is_collective(pl_str word) {
  static const char end[] = "_sync";
  size_t n = sizeof end - 1;
  return word.n > n && memcmp(word.p + word.n - n, end, n) == 0 &&
         (pl_str_starts(word, "__") || pl_str_has(word, "matrix") ||
          pl_str_has(word, "mma_"));
}

/* Whether a word says that threads wait: `__syncthreads`, `SYNC`, `cg::sync`,
 * `block.sync()`, `arrive_and_wait`. Waits of a warp, its collectives, and copies to
 * wait for are none of the block's. */
static bool is_barrier_word(pl_str word) {
  static const char *const parts[] = {"sync", "barrier"};
  if (pl_str_has(word, "syncwarp") || pl_str_has(word, "async") ||
      is_collective(word))
    return false;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    for (size_t at = 0; at + strlen(parts[i]) <= word.n; at++) {
      size_t k = 0;
      while (parts[i][k] && tolower((unsigned char)word.p[at + k]) == parts[i][k])
        k++;
      if (!parts[i][k])
        return true;
    }
  return pl_str_is(word, "arrive_and_wait");
}

/* The name that a declaration with `__shared__` at a token declares: the first word
 * that a bracket, a comma or the end follows. */
static pl_str shared_name(const pl_unit *unit, uint32_t at) {
  for (uint32_t i = at + 1; i + 1 < unit->ntokens; i++) {
    uint32_t next = pl_token_code(unit, i + 1);
    if (pl_token_is(unit, i, ";") || pl_token_is(unit, i, "{"))
      return PL_STR("");
    if (unit->tokens[i].kind == PL_TOK_IDENT &&
        (pl_token_is(unit, next, "[") || pl_token_is(unit, next, ";") ||
         pl_token_is(unit, next, ",") || pl_token_is(unit, next, "=")))
      return pl_token_text(unit, i);
  }
  return PL_STR("");
}

static bool names(const pl_unit *unit, pl_run run, pl_str name) {
  for (uint32_t i = run.first; name.n && i < run.end; i++)
    if (unit->tokens[i].kind == PL_TOK_IDENT &&
        pl_str_eq(pl_token_text(unit, i), name))
      return true;
  return false;
}

/* Whether a run of tokens names an array that the function, or the file, declares
 * shared; a word of the sort where a macro may stand for that. */
static bool names_shared(const pl_unit *unit, const pl_func *func, pl_run run) {
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    pl_str word = pl_token_text(unit, i);
    bool local = pl_range_inside(unit->tokens[i].range, func->range);
    if (unit->tokens[i].kind != PL_TOK_IDENT ||
        !(pl_str_is(word, "__shared__") || (local && pl_str_has(word, "SHARED"))))
      continue;
    bool of_other = !local && i > 0 && !pl_token_is(unit, i - 1, "extern");
    if (!of_other && names(unit, run, shared_name(unit, i)))
      return true;
  }
  for (uint32_t i = run.first; i < run.end; i++) {
    pl_str word = pl_token_text(unit, i);
    if (unit->tokens[i].kind == PL_TOK_IDENT &&
        (pl_str_is(word, "__shared__") || pl_str_has(word, "shared") ||
         pl_str_has(word, "smem") || pl_str_has(word, "shmem")))
      return true;
  }
  return false;
}

bool pl_text_has_tile(const pl_unit *unit, const pl_func *func, pl_range loop) {
  pl_run run = pl_tokens_in(unit, loop);
  bool waits = false;
  for (uint32_t i = run.first; i < run.end && !waits; i++)
    waits = unit->tokens[i].kind == PL_TOK_IDENT &&
            is_barrier_word(pl_token_text(unit, i));
  return waits && names_shared(unit, func, run);
}

/* Behind the bracket that closes the one at a token; the end: none does. */
static uint32_t behind_bracket(const pl_unit *unit, uint32_t open, uint32_t end) {
  int depth = 0;
  for (uint32_t i = open; i < end; i++) {
    depth += pl_token_is(unit, i, "(") || pl_token_is(unit, i, "{") ||
             pl_token_is(unit, i, "[");
    depth -= pl_token_is(unit, i, ")") || pl_token_is(unit, i, "}") ||
             pl_token_is(unit, i, "]");
    if (depth <= 0)
      return i + 1;
  }
  return end;
}

/* Where the loop that begins at a token ends: behind its block, or its statement. */
static uint32_t loop_end(const pl_unit *unit, uint32_t at, uint32_t end) {
  uint32_t i = at + 1;
  while (i < end && !pl_token_is(unit, i, ";") && !pl_token_is(unit, i, "{"))
    i = pl_token_is(unit, i, "(") ? behind_bracket(unit, i, end) : i + 1;
  return i < end && pl_token_is(unit, i, "{") ? behind_bracket(unit, i, end) : i;
}

pl_range pl_tile_loop_in_text(const pl_unit *unit, const pl_func *func) {
  pl_run run = pl_tokens_in(unit, func->range);
  pl_range found = {0, 0};
  for (uint32_t i = run.first; i < run.end; i++) {
    if (unit->tokens[i].kind != PL_TOK_IDENT ||
        !(pl_token_is(unit, i, "for") || pl_token_is(unit, i, "while") ||
          pl_token_is(unit, i, "do")))
      continue;
    uint32_t end = loop_end(unit, i, run.end);
    pl_range range = {unit->tokens[i].range.begin,
                      unit->tokens[end ? end - 1 : i].range.end};
    bool inside = !found.end || pl_range_inside(range, found);
    if (inside && pl_text_has_tile(unit, func, range))
      found = range;
  }
  return found;
}
