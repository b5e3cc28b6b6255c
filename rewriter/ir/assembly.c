/* assembly.c - where is the text of inline assembly written?
 *
 * Needs: the tokens of the file. Gives: the text of a statement, its own or that
 * of the macro of the file which makes it, and how many outputs it names. Raises
 * nothing. */
#include "model.h"

#include <string.h>

/* What stands behind a macro's parameters. */
static pl_str behind_parameters(pl_str body) {
  size_t at = 0;
  if (body.n && body.p[0] == '(')
    while (at < body.n && body.p[at++] != ')')
      ;
  return (pl_str){body.p + at, body.n - at};
}

/* The body of the one macro of that name; empty: there is none, or another
 * definition may be the one that holds. */
static pl_str macro_body(const pl_unit *unit, pl_str name) {
  pl_str found = {0};
  if (!name.n || name.p[0] == '_')
    return found;
  for (size_t i = 0; i < unit->nmacros; i++)
    if (pl_str_eq(unit->macros[i], name))
      return found;
  for (size_t i = 0; i < unit->ndefines; i++) {
    if (!pl_str_eq(unit->defines[i].name, name))
      continue;
    if (found.n)
      return (pl_str){0};
    found = behind_parameters(unit->defines[i].body);
  }
  return found;
}

static bool is_one_of(pl_str word, const char *a, const char *b) {
  return pl_str_is(word, a) || pl_str_is(word, b);
}

/* What may stand outside of the operands' parentheses: strings, and behind the
 * first colon what parts the operands and names them. */
static bool is_own(const pl_token *token, pl_str word, bool operands) {
  if (token->kind == PL_TOK_STRING || token->kind == PL_TOK_COMMENT ||
      is_one_of(word, ":", "::"))
    return true;
  return operands && (is_one_of(word, "(", ")") || pl_str_is(word, ","));
}

bool pl_asm_is_plain(const pl_unit *unit, pl_str body) {
  uint32_t n, i = 0;
  const pl_token *tokens = pl_lex(unit->arena, body, &n);
  int depth = 0;
  bool operands = false, ended = false;
  for (; i < n; i++) {
    pl_str word = {body.p + tokens[i].range.begin,
                   tokens[i].range.end - tokens[i].range.begin};
    if (i == 0 ? !is_one_of(word, "asm", "__asm__")
               : ended && !pl_str_is(word, ";"))
      return false;
    if (i == 0 || ended)
      continue;
    if (pl_str_starts(word, "#"))
      return false;
    if (depth == 0 && !pl_str_is(word, "(")) {
      if (!is_one_of(word, "volatile", "__volatile__"))
        return false;
      continue;
    }
    depth -= pl_str_is(word, ")");
    if (depth == 1 && !is_own(&tokens[i], word, operands))
      return false;
    operands |= depth == 1 && pl_str_starts(word, ":");
    depth += pl_str_is(word, "(");
    ended = depth == 0;
  }
  return ended;
}

pl_str pl_asm_source(const pl_unit *unit, const pl_node *node) {
  pl_str text = pl_unit_slice(unit, node->range);
  if (!node->range.end)
    return node->name;
  if (!node->from_macro)
    return text;
  for (const pl_node *up = node->parent; up; up = up->parent)
    if (up->kind == PL_NODE_ASM) /* an operand's own, of another macro */
      return (pl_str){0};
  pl_str body = macro_body(unit, pl_first_word(text));
  return body.n && pl_asm_is_plain(unit, body) ? body : (pl_str){0};
}

int64_t pl_asm_outputs(const pl_unit *unit, const pl_node *node) {
  pl_str text = pl_asm_source(unit, node);
  if (!text.n)
    return node->nkids;
  int64_t n = 0;
  for (size_t i = 0; i + 1 < text.n; i++)
    n += text.p[i] == '"' && (text.p[i + 1] == '=' || text.p[i + 1] == '+');
  return n;
}
