/* spell.c - the text of an expression of which a macro's body holds a part.
 *
 * Needs: the tree, whose nodes know what is spelt in the file and what comes
 * from a macro's body. Gives: `&(A[i])` of `LDG(A[i])`, where
 * `#define LDG(p) __ldg(&(p))` stands: the user's own text for what he spelt,
 * operators around it. Raises nothing. */
#include "model.h"

static bool is_nothing(pl_str text) {
  return text.n == 0;
}

static pl_str spell_operand(const pl_unit *unit, const pl_node *node);

/* `&x`, `*x`, `-x`: an operator in front. */
static pl_str spell_unary(const pl_unit *unit, const pl_node *node) {
  bool prefix = node->op == PL_OP_ADDR || node->op == PL_OP_DEREF ||
                node->op == PL_OP_MINUS;
  pl_str operand = prefix ? spell_operand(unit, node->kids[0]) : PL_STR("");
  if (is_nothing(operand))
    return PL_STR("");
  return pl_arena_printf(unit->arena, "%s%.*s", pl_op_name(node->op),
                         PL_FMT(operand));
}

static pl_str spell_binary(const pl_unit *unit, const pl_node *node) {
  pl_str left = spell_operand(unit, node->kids[0]);
  pl_str right = spell_operand(unit, node->kids[1]);
  if (is_nothing(left) || is_nothing(right))
    return PL_STR("");
  return pl_arena_printf(unit->arena, "%.*s %s %.*s", PL_FMT(left),
                         pl_op_name(node->op), PL_FMT(right));
}

/* A cast to a pointer whose type has a name. */
static pl_str spell_cast(const pl_unit *unit, const pl_node *node) {
  const pl_type *type = node->type;
  bool named = type && type->kind == PL_TYPE_POINTER && type->written.n &&
               !pl_str_has(type->written, "dependent") &&
               !pl_str_has(type->written, "unnamed");
  pl_str operand = named ? spell_operand(unit, node->kids[0]) : PL_STR("");
  if (is_nothing(operand))
    return PL_STR("");
  return pl_arena_printf(unit->arena, "(%.*s)%.*s", PL_FMT(type->written),
                         PL_FMT(operand));
}

/* Whether text spelt in the file binds as tightly as a name does. */
static bool is_tight(const pl_node *node) {
  return node->kind == PL_NODE_REF || node->kind == PL_NODE_INT ||
         node->kind == PL_NODE_SUBSCRIPT || node->kind == PL_NODE_MEMBER ||
         node->kind == PL_NODE_CALL || node->kind == PL_NODE_PAREN;
}

/* As an operand of a unary operator, or of anything that binds less. */
static pl_str spell_operand(const pl_unit *unit, const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  pl_str text = pl_spell(unit, node);
  if (is_nothing(text) || is_tight(node))
    return text;
  return pl_arena_printf(unit->arena, "(%.*s)", PL_FMT(text));
}

/* Where nothing but an argument is left, as `(p)` of a macro's parameter, the
 * argument alone will do. */
pl_str pl_spell(const pl_unit *unit, const pl_node *node) {
  if (!node)
    return PL_STR("");
  if (!node->from_macro)
    return pl_unit_slice(unit, node->range);
  switch (node->kind) {
  case PL_NODE_PAREN:
    return pl_spell(unit, node->kids[0]);
  case PL_NODE_UNARY:
    return spell_unary(unit, node);
  case PL_NODE_BINARY:
    return spell_binary(unit, node);
  case PL_NODE_CAST:
    return spell_cast(unit, node);
  default:
    return PL_STR("");
  }
}
