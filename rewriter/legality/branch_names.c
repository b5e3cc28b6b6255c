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

/* Whether a declaration, tokens [first, last), says a name beside one that the loop's
 * function, or what it calls, says: `typedef int REF index;`. */
static bool joins(const pl_loop *loop, uint32_t first, uint32_t last, pl_str name) {
  const pl_unit *unit = loop->unit;
  bool says = false, said = false;
  for (uint32_t i = first; i < last && !says; i++)
    says = unit->tokens[i].kind == PL_TOK_IDENT &&
           pl_str_eq(pl_token_text(unit, i), name);
  for (uint32_t i = first; i < last && says && !said; i++) {
    pl_str word = pl_token_text(unit, i);
    said = unit->tokens[i].kind == PL_TOK_IDENT && !pl_is_keyword(word) &&
           !pl_str_eq(word, name) && is_said(loop, word);
  }
  return says && said;
}

static const pl_func *function_at(const pl_unit *unit, pl_range range) {
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    if (unit->funcs[i]->in_main && pl_range_inside(range, unit->funcs[i]->range))
      return unit->funcs[i];
  return NULL;
}

/* Whether what is declared outside of functions, and is used by the loop's function, or
 * by what that calls, says a name. */
static bool is_declared_with(const pl_loop *loop, pl_str name) {
  const pl_unit *unit = loop->unit;
  uint32_t first = 0;
  int depth = 0;
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    bool opens = pl_token_is(unit, i, "{"), closes = pl_token_is(unit, i, "}");
    bool within = unit->tokens[i].kind == PL_TOK_DIRECTIVE ||
                  function_at(unit, unit->tokens[i].range);
    if (opens && pl_token_is(unit, first, "namespace"))
      first = i + 1;
    else if (!within)
      depth += opens - (closes && depth > 0);
    if (!within && (depth || !(closes || pl_token_is(unit, i, ";"))))
      continue;
    if (!within && joins(loop, first, i, name))
      return true;
    first = depth ? first : i + 1;
  }
  return false;
}

/* Whether the loop's function, or what it calls, uses a macro; by way of others, or of
 * types and constants, too. What stands behind the loop says which barriers it needs. */
static bool uses_macro(const pl_loop *loop, pl_str name, int depth) {
  const pl_unit *unit = loop->unit;
  bool used = is_said(loop, name) || is_declared_with(loop, name);
  for (size_t i = 0; i < unit->ndefines && !used && depth < 4; i++) {
    const pl_macro_line *other = &unit->defines[i];
    used = pl_str_has(other->body, pl_arena_cstr(loop->arena, name)) &&
           !pl_str_eq(other->name, name) &&
           uses_macro(loop, other->name, depth + 1);
  }
  return used;
}

/* Whether token `at` is what a declaration of a type or a variable names: `typedef T
 * name;`, `using name = T;`, `struct name {`, `constexpr int name = 4;`. */
static bool names_declared(const pl_unit *unit, uint32_t at) {
  static const char *const behind[] = {"=", ";", "{", ":", "["};
  static const char *const ends[] = {";", "{", "}", "(", "<", ","};
  if (unit->tokens[at].kind != PL_TOK_IDENT || at == 0 || at + 1 >= unit->ntokens ||
      unit->tokens[at - 1].kind == PL_TOK_DIRECTIVE ||
      function_at(unit, unit->tokens[at].range))
    return false;
  pl_str next = pl_token_text(unit, at + 1), before = pl_token_text(unit, at - 1);
  return PL_STR_IS_ONE(next, behind) && !PL_STR_IS_ONE(before, ends);
}

static bool lies_in(const pl_unit *unit, uint32_t offset, uint32_t first, uint32_t last) {
  uint32_t end = last < unit->ntokens ? unit->tokens[last].range.begin : UINT32_MAX;
  return offset >= unit->tokens[first].range.begin && offset < end;
}

/* Whether a macro has a line outside of those tokens that gives it a value, or takes one
 * from it. */
static bool is_macro_elsewhere(const pl_unit *unit, pl_str name, uint32_t first,
                               uint32_t last) {
  for (size_t i = 0; i < unit->ndefines; i++)
    if (pl_str_eq(unit->defines[i].name, name) &&
        !lies_in(unit, unit->defines[i].begin, first, last))
      return true;
  return false;
}

/* Whether a type, a variable or a function of a name may be declared outside of those
 * tokens, in text that is left out. */
static bool is_declared_elsewhere(const pl_unit *unit, pl_str name, uint32_t first,
                                  uint32_t last) {
  for (size_t k = 0; k < unit->nleft_out; k++) {
    pl_run run = pl_tokens_in(unit, unit->left_out[k]);
    for (uint32_t i = run.first; i < run.end; i++)
      if ((i < first || i >= last) && unit->tokens[i].kind == PL_TOK_IDENT &&
          pl_str_eq(pl_token_text(unit, i), name))
        return true;
  }
  return false;
}

/* Whether token `at` is the name of a function that the file has a body of. */
static bool names_function(const pl_unit *unit, uint32_t at) {
  const pl_func *func = unit->tokens[at].kind == PL_TOK_IDENT
                            ? function_at(unit, unit->tokens[at].range)
                            : NULL;
  return func && pl_str_eq(func->name, pl_token_text(unit, at));
}

bool pl_defines_again(const pl_unit *unit, uint32_t first, uint32_t last) {
  for (uint32_t i = first + 1; i < last; i++) {
    pl_macro_line line = pl_macro_of(pl_directive_at(unit, i));
    pl_str text = pl_token_text(unit, i);
    if (line.name.n && !line.is_default &&
        is_macro_elsewhere(unit, line.name, first, last))
      return true;
    if ((names_declared(unit, i) || names_function(unit, i)) &&
        is_declared_elsewhere(unit, text, first, last))
      return true;
  }
  return false;
}

bool pl_has_a_say(const pl_loop *loop, uint32_t first, uint32_t last) {
  const pl_unit *unit = loop->unit;
  pl_func_list all = pl_functions_of(unit, loop->func);
  for (uint32_t i = first; i < last; i++) {
    const pl_token *token = &unit->tokens[i];
    pl_str text = pl_unit_slice(unit, token->range);
    pl_str directive = pl_directive_at(unit, i);
    pl_macro_line line = pl_macro_of(directive);
    if (line.defines && uses_macro(loop, line.name, 0))
      return true;
    if (pl_str_starts(directive, "include") && pl_str_has(directive, "\""))
      return true; /* a file of the user's, with whatever it declares */
    if (names_declared(unit, i) &&
        (is_said(loop, text) || is_declared_with(loop, text)))
      return true;
    for (size_t f = 1; f < all.n && token->kind == PL_TOK_IDENT; f++)
      if (all.items[f]->in_main &&
          (pl_str_eq(text, all.items[f]->name) ||
           pl_range_inside(token->range, all.items[f]->range)))
        return true;
  }
  return false;
}
