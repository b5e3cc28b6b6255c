/* branch_names.c - has a condition of the file a say in what a loop does?
 *
 * Needs: the tokens of the file, what the function calls. Gives: whether
 * text under #if defines one of them, or a macro or type that they or the loop use.
 * One command compiles a file for several architectures, and each may see another
 * definition. Raises nothing. */
#include "branch_choices.h"

#include "call_summary.h"

/* Whether the loop's function, or what it calls, says a name. */
static bool is_said(const pl_loop *loop, pl_str name) {
  pl_func_list all = pl_functions_of(loop->unit, loop->func);
  bool said = false;
  for (size_t i = 0; i < all.n && !said; i++)
    said = all.items[i]->in_main &&
           pl_unit_says(loop->unit, all.items[i]->range, name);
  return said;
}

/* Whether the loop's function, or what it calls, uses a macro; by way of others,
 * too. What stands behind the loop says which barriers it needs. */
static bool uses_macro(const pl_loop *loop, pl_str name, int depth) {
  const pl_unit *unit = loop->unit;
  bool used = is_said(loop, name);
  for (size_t i = 0; i < unit->ndefines && !used && depth < 4; i++) {
    const pl_macro_line *other = &unit->defines[i];
    used = pl_str_has(other->body, pl_arena_cstr(loop->arena, name)) &&
           !pl_str_eq(other->name, name) &&
           uses_macro(loop, other->name, depth + 1);
  }
  return used;
}

/* Whether token `at` is the name that a typedef or `using` gives. */
static bool names_type(const pl_unit *unit, uint32_t at) {
  const pl_token *tokens = unit->tokens;
  if (tokens[at].kind != PL_TOK_IDENT || at == 0 || at + 1 >= unit->ntokens)
    return false;
  pl_str next = pl_unit_slice(unit, tokens[at + 1].range);
  pl_str before = pl_unit_slice(unit, tokens[at - 1].range);
  if (pl_str_is(next, "="))
    return pl_str_is(before, "using");
  for (uint32_t i = at; pl_str_is(next, ";") && i-- > 0;) {
    pl_str word = pl_unit_slice(unit, tokens[i].range);
    if (pl_str_is(word, "typedef"))
      return true;
    if (pl_str_is(word, ";") || pl_str_is(word, "{") || pl_str_is(word, "}"))
      return false;
  }
  return false;
}

bool pl_has_a_say(const pl_loop *loop, uint32_t first, uint32_t last) {
  const pl_unit *unit = loop->unit;
  pl_func_list all = pl_functions_of(unit, loop->func);
  for (uint32_t i = first; i < last; i++) {
    const pl_token *token = &unit->tokens[i];
    pl_str text = pl_unit_slice(unit, token->range);
    pl_macro_line line = pl_macro_of(pl_directive_at(unit, i));
    if (line.defines && uses_macro(loop, line.name, 0))
      return true;
    if (names_type(unit, i) && is_said(loop, text))
      return true;
    for (size_t f = 1; f < all.n && token->kind == PL_TOK_IDENT; f++)
      if (all.items[f]->in_main &&
          (pl_str_eq(text, all.items[f]->name) ||
           pl_range_inside(token->range, all.items[f]->range)))
        return true;
  }
  return false;
}
