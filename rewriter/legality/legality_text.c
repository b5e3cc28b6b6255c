/* legality_text.c - does the preprocessor decide what a tile is?
 *
 * Needs: tokens around the declarations of tiles. Gives: whether they can be
 * written anew. Raises: PL1003, PL1004. */
#include "legality_parts.h"
#include "branch_choices.h"

/* Whether a declared name is spelled inside the parentheses of a macro's use:
 * `SHARED_TILE(block, 32);`. */
static bool is_macro_argument(const pl_unit *unit, const pl_decl *decl) {
  int depth = 0;
  for (uint32_t i = pl_token_from(unit, decl->name_range.begin); i-- > 0;) {
    pl_str word = pl_token_text(unit, i);
    if (pl_str_is(word, ";") || pl_str_is(word, "{") || pl_str_is(word, "}"))
      return false;
    depth += pl_str_is(word, ")") ? 1 : pl_str_is(word, "(") ? -1 : 0;
    if (depth < 0)
      return true;
  }
  return false;
}

/* Whether a directive stands in an #if that other builds decide otherwise, each of
 * which is looked at (branches.c). */
static bool is_looked_at(const pl_loop *loop, uint32_t at) {
  const pl_unit *unit = loop->unit;
  for (size_t i = 0; i < unit->ndirectives && unit->directives[i] < at; i++)
    if (pl_chooses_for(loop, unit->directives[i]) &&
        pl_end_of_group(unit, unit->directives[i]) > at)
      return true;
  return false;
}

/* Whether a macro is defined more than once, not by builds that are looked at one
 * by one. */
static bool is_redefined(const pl_loop *loop, pl_str name) {
  const pl_unit *unit = loop->unit;
  if (pl_macro_definitions(unit, name, UINT32_MAX) < 2)
    return false;
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    pl_macro_line line = pl_macro_of(pl_directive_at(unit, i));
    if (pl_str_eq(line.name, name) && !is_looked_at(loop, i))
      return true;
  }
  return false;
}

bool pl_check_tile_sizes(pl_loop *loop) {
  for (size_t t = 0; t < loop->ntiles; t++) {
    pl_decl *decl = loop->tiles[t].decl;
    if (decl->kind == PL_DECL_PARAM) /* keeps its one place */
      continue;
    pl_run run = pl_tokens_in(loop->unit, decl->range);
    for (uint32_t i = run.first; i < run.end; i++) {
      if (loop->unit->tokens[i].kind != PL_TOK_IDENT)
        continue;
      pl_node at = {.range = decl->range};
      pl_str word = pl_token_text(loop->unit, i);
      if (pl_is_under_condition(loop, decl))
        return pl_refuse(loop, false, "PL1004", &at,
                         "tile '%.*s' is declared under an #if, and other builds "
                         "declare it otherwise or not at all; it can be "
                         "declared once, outside of it",
                         PL_FMT(decl->name));
      if (is_redefined(loop, word))
        return pl_refuse(loop, false, "PL1004", &at,
                         "an #if decides the size of tile '%.*s'",
                         PL_FMT(decl->name));
    }
    if (decl->from_macro || is_macro_argument(loop->unit, decl)) {
      pl_node at = {.range = decl->range};
      return pl_refuse(loop, false, "PL1003", &at,
                       "a macro's body declares tile '%.*s'",
                       PL_FMT(decl->name));
    }
  }
  return true;
}
