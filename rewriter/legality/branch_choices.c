/* branch_choices.c - which conditions choose for a loop from outside of it?
 *
 * Needs: the tokens of the file and of its headers, the loop. Gives: whether an #if is one
 * that another build of the file may decide otherwise, and the loop with it. Raises
 * nothing. */
#include "builds.h"
#include "branch_choices.h"

/* The token of the #endif of the group that one begins. */
uint32_t pl_end_of_group(const pl_unit *unit, uint32_t at) {
  int depth = 0;
  for (uint32_t i = pl_directive_from(unit, at); i < unit->ntokens;
       i = pl_directive_from(unit, i + 1)) {
    pl_directive_kind kind = pl_directive_kind_of(pl_directive_at(unit, i));
    depth += (kind == PL_DIRECTIVE_IF) - (kind == PL_DIRECTIVE_ENDIF);
    if (depth == 0)
      return i;
  }
  return unit->ntokens;
}

/* Whether the group that ends at token `end` has another branch. */
static bool has_else(const pl_unit *unit, uint32_t at, uint32_t end) {
  int depth = 0;
  for (uint32_t i = pl_directive_from(unit, at); i < end;
       i = pl_directive_from(unit, i + 1)) {
    pl_directive_kind kind = pl_directive_kind_of(pl_directive_at(unit, i));
    depth += (kind == PL_DIRECTIVE_IF) - (kind == PL_DIRECTIVE_ENDIF);
    if (depth == 1 &&
        (kind == PL_DIRECTIVE_ELSE || kind == PL_DIRECTIVE_ELIF))
      return true;
  }
  return false;
}

/* Whether a condition of the file, tokens `at` to `end`, stands around the loop, which no
 * other build has then. */
static bool is_around(const pl_loop *loop, uint32_t at, uint32_t end) {
  const pl_unit *unit = loop->unit;
  uint32_t begin = loop->node->range.begin;
  return unit->tokens[at].range.begin < begin &&
         (end == unit->ntokens || unit->tokens[end].range.begin > begin);
}

bool pl_chooses_for(const pl_loop *loop, const pl_unit *text, uint32_t at) {
  pl_str word = pl_directive_at(text, at);
  if (pl_directive_kind_of(word) != PL_DIRECTIVE_IF || !pl_group_is_open(loop->unit, text, at))
    return false;
  pl_range range = text->tokens[at].range;
  uint32_t end = pl_end_of_group(text, at);
  bool in_file = text == loop->unit, is_arch = pl_str_has(word, "__CUDA_ARCH__");
  if (in_file && (pl_range_inside(range, loop->node->range) || is_around(loop, at, end)))
    return false;
  return (in_file && pl_range_inside(range, loop->func->range)) ||
         pl_has_a_say(loop, text, at, end, has_else(text, at, end) || (is_arch && in_file));
}
