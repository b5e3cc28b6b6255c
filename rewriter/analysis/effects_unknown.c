/* effects_unknown.c - what is not known of a node that the model has no kind
 * for?
 *
 * Needs: tokens, operators that the user defines. Gives: whether a node does
 * no more than its parts do. Raises: nothing. */
#include "effects_parts.h"

#include <string.h>

static bool in_kid(const pl_node *node, uint32_t at) {
  for (uint32_t i = 0; i < node->nkids; i++) {
    const pl_node *kid = node->kids[i];
    if (kid && at >= kid->range.begin && at < kid->range.end)
      return true;
  }
  return false;
}

/* Words and marks that hold statements and values together, and do nothing to
 * memory themselves. */
static bool only_joins(pl_str text) {
  static const char *const words[] = {
      "if",      "else",   "while",     "do",    "for",      "switch",
      "case",    "default", "constexpr", "likely", "unlikely", "__extension__",
      "(",       ")",      "{",         "}",     ",",        ";",
      "?",       ":",      "...",       "&&",    "||",       "!",
      "+",       "-",      "*",         "/",     "%",        "&",
      "|",       "^",      "<",         ">",     "<=",       ">=",
      "==",      "!=",     "[",         "]"};
  return PL_STR_IS_ONE(text, words);
}

/* Whether all that the text of a node says beside its parts is how they hang
 * together: `if (int v = f(); v)`, `(xs + ...)`, but not `new (p) T(x)`. */
bool pl_is_its_parts(const pl_unit *unit, const pl_node *node) {
  if (!node->range.end || node->from_macro)
    return false;
  uint32_t end = pl_token_from(unit, node->range.end);
  for (uint32_t i = pl_token_from(unit, node->range.begin); i < end; i++) {
    const pl_token *token = &unit->tokens[i];
    if (token->kind == PL_TOK_COMMENT || token->kind == PL_TOK_DIRECTIVE)
      continue;
    if (!in_kid(node, token->range.begin) &&
        token->kind != PL_TOK_NUMBER && token->kind != PL_TOK_STRING &&
        !only_joins(pl_unit_slice(unit, token->range)))
      return false;
  }
  return true;
}

/* ---- operators ---------------------------------------------------------- */

/* Whether a function of the user's does no more than compute a value from its
 * arguments, and change what they name. `step`: or its own object, as what calls
 * it is an assignment to that one. */
static bool is_arithmetic(pl_walk *w, const pl_func *func, bool step) {
  const pl_summary *summary = pl_summarise(w->context, func);
  for (size_t i = 0; i < summary->effects.n; i++) {
    const pl_effect *effect = &summary->effects.items[i];
    bool access = effect->kind == PL_EFFECT_READ ||
                  effect->kind == PL_EFFECT_WRITE;
    bool own = effect->space == PL_SPACE_LOCAL && effect->root.decl;
    bool given = effect->root.decl && !effect->root.member.n &&
                 pl_param_index(func, effect->root.decl) >= 0;
    bool constant = effect->space == PL_SPACE_CONSTANT &&
                    effect->kind == PL_EFFECT_READ;
    bool field = pl_root_is_this(effect->root) &&
                 (effect->kind == PL_EFFECT_READ
                      ? !(effect->root.member.n &&
                          effect->root.member.p[0] == '*')
                      : step && !effect->root.member.n);
    if (!access || !(own || given || constant || field))
      return false;
  }
  return true;
}

static bool hangs_on_arguments(const pl_type *type) {
  return type->kind == PL_TYPE_DEPENDENT ||
         (type->kind == PL_TYPE_OTHER && pl_str_has(type->spelling, "auto"));
}

/* Whether an operand is a record of the user's, or may be one in some use of a
 * template, of which this is the text. */
static bool is_open(const pl_node *node) {
  const pl_type *type = node ? pl_no_reference(node->type) : NULL;
  return type && (hangs_on_arguments(type) ||
                  (type->kind == PL_TYPE_RECORD && type->is_user));
}

static bool is_dependent(const pl_node *node) {
  const pl_type *type = node ? pl_no_reference(node->type) : NULL;
  return !type || type->kind == PL_TYPE_DEPENDENT;
}

static bool has_operand(const pl_node *node, bool (*is)(const pl_node *)) {
  for (uint32_t i = 0; i < node->nkids; i++)
    if (is(node->kids[i]))
      return true;
  return false;
}

/* A conversion by which a class of the user's becomes a value of another type, and
 * that does more than compute it; NULL: there is none. */
static const pl_func *converts_by_more(pl_walk *w) {
  const pl_unit *unit = w->context->unit;
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    const pl_func *func = unit->funcs[i];
    if (func->is_method && pl_str_starts(func->name, "operator ") &&
        (!func->body || !is_arithmetic(w, func, false)))
      return func;
  }
  return NULL;
}

static pl_str operator_text(const pl_walk *w, const pl_node *node) {
  switch (node->kind == PL_NODE_UNARY ? node->op : PL_OP_NONE) {
  case PL_OP_PREINC: case PL_OP_POSTINC: return PL_STR("++");
  case PL_OP_PREDEC: case PL_OP_POSTDEC: return PL_STR("--");
  case PL_OP_DEREF: return PL_STR("*");
  case PL_OP_PLUS: return PL_STR("+");
  case PL_OP_MINUS: return PL_STR("-");
  case PL_OP_NOT: return PL_STR("~");
  case PL_OP_LNOT: return PL_STR("!");
  default: break;
  }
  return node->kind == PL_NODE_MEMBER
             ? PL_STR("->")
             : pl_unit_slice(w->context->unit, node->op_range);
}

/* Whether an operator of the user's takes as many operands as a node has. */
static bool takes_operands_of(const pl_func *func, const pl_node *node) {
  bool unary = node->kind == PL_NODE_UNARY || node->kind == PL_NODE_MEMBER;
  bool step = node->kind == PL_NODE_UNARY && node->op != PL_OP_DEREF;
  return step || func->nparams + func->is_method == (unary ? 1u : 2u);
}

/* Whether an operator makes its operands, or what it gives, in a way of its own:
 * by copies that run code, by a name for another object. */
static bool makes_by_code(const pl_func *func, const pl_node *node) {
  for (uint32_t i = 0; i < func->nparams; i++) {
    const pl_type *type = func->params[i]->type;
    if (type && (type->kind == PL_TYPE_RECORD
                     ? type->runs_code
                     : type->kind == PL_TYPE_DEPENDENT &&
                           pl_str_has(type->spelling, "<")))
      return true;
  }
  return node->kind == PL_NODE_BINARY && pl_returns_reference(func);
}

/* Whether an operator changes its operands, where one of numbers does not: an
 * assignment and a step change the first. What an operand's copy becomes is
 * nobody's matter. */
static bool changes_operands(pl_walk *w, const pl_func *func,
                             const pl_node *node) {
  const pl_summary *summary = pl_summarise(w->context, func);
  bool step = node->kind == PL_NODE_ASSIGN || pl_node_is_step(node);
  if (node->kind == PL_NODE_SUBSCRIPT)
    return false;
  for (size_t i = 0; i < summary->effects.n; i++) {
    const pl_effect *effect = &summary->effects.items[i];
    int index = pl_param_index(func, effect->root.decl);
    bool first = pl_root_is_this(effect->root) || (!func->is_method && !index);
    bool copy = effect->space == PL_SPACE_LOCAL;
    if (effect->kind == PL_EFFECT_WRITE && !copy && !(step && first) &&
        (index >= 0 || pl_root_is_this(effect->root)))
      return true;
  }
  return false;
}

/* Whether an operator= cannot be what assigns a value of the same type: that is the
 * copy assignment, which is no template.
 * [C++17, 15.8.2] */
static bool is_no_copy_assignment(const pl_func *func, const pl_node *node) {
  const pl_type *to = node->kids[0] ? pl_no_reference(node->kids[0]->type) : NULL;
  const pl_type *from = node->nkids > 1 && node->kids[1]
                            ? pl_no_reference(node->kids[1]->type)
                            : NULL;
  bool same = node->kind == PL_NODE_ASSIGN && node->op == PL_OP_ASSIGN && to &&
              from && pl_same_type(to, from) && !pl_str_starts(to->spelling, "<");
  return same && func->is_method && (func->is_template || !func->nparams);
}

/* An operator of the user's of this name that does more than compute, or assigns in
 * a way of its own: an operand without a type may mean that one. (What an operator
 * would do by itself, it does anyway.) NULL: there is none. */
static const pl_func *may_be_the_users(pl_walk *w, const pl_node *node) {
  const pl_unit *unit = w->context->unit;
  pl_str text = operator_text(w, node), head = PL_STR("operator");
  for (uint32_t i = 0; text.n && i < unit->nfuncs; i++) {
    const pl_func *func = unit->funcs[i];
    pl_str name = func->name;
    if (func != w->func && name.n == head.n + text.n &&
        pl_str_starts(name, "operator") &&
        memcmp(name.p + head.n, text.p, text.n) == 0 &&
        takes_operands_of(func, node) && !func->pattern &&
        !is_no_copy_assignment(func, node) &&
        (pl_str_is(text, "=") || !func->body ||
         !is_arithmetic(w, func,
                        node->kind == PL_NODE_ASSIGN ||
                            pl_node_is_step(node)) ||
         makes_by_code(func, node) || changes_operands(w, func, node)))
      return func;
  }
  return NULL;
}

/* `p[i]` of a pointer or an array: a class has no say in it, whatever i is. */
static bool is_subscript_of_pointer(const pl_node *node) {
  const pl_type *base = node->kind == PL_NODE_SUBSCRIPT && node->kids[0]
                            ? pl_no_reference(node->kids[0]->type)
                            : NULL;
  return base && (base->kind == PL_TYPE_POINTER || base->kind == PL_TYPE_ARRAY);
}

/* Whether an operator that reads as one of numbers may do more: where the user
 * defines it, or a use of the template has one. */
bool pl_operator_is_unseen(pl_walk *w, const pl_node *node) {
  if (is_subscript_of_pointer(node))
    return false;
  if (!node->decl) {
    bool dependent = has_operand(node, is_dependent);
    bool nowhere_used = dependent && w->func && !w->func->pattern;
    return (dependent && node->kind == PL_NODE_BINARY &&
            node->op != PL_OP_COMMA && pl_is_discarded(node)) ||
           ((has_operand(node, is_open) || nowhere_used) &&
            may_be_the_users(w, node)) ||
           (has_operand(node, is_open) && converts_by_more(w));
  }
  if (!node->decl->is_user || node->decl->is_defaulted ||
      (node->decl->kind != PL_DECL_FUNC && node->decl->kind != PL_DECL_METHOD))
    return false;
  const pl_func *func = node->decl->func;
  return !func || !func->body || !is_arithmetic(w, func, false);
}

const pl_func *pl_operator_in_question(pl_effect_context *context,
                                       const pl_func *func,
                                       const pl_node *node) {
  pl_walk w = {.context = context, .func = func};
  if (node->decl)
    return node->decl->func;
  const pl_func *meant = may_be_the_users(&w, node);
  return meant ? meant : converts_by_more(&w);
}

/* `z->x` of what may be an object of the user's. */
bool pl_arrow_is_unseen(pl_walk *w, const pl_node *node) {
  return node->kind == PL_NODE_MEMBER && node->is_arrow && node->nkids &&
         is_open(node->kids[0]) && may_be_the_users(w, node);
}

/* ---- conversions --------------------------------------------------------- */

/* Whether a value becomes one of another type, NULL: of a number's, in a way that
 * a template's arguments choose: `float v = a[i];` of a class that gives floats. */
bool pl_conversion_is_unseen(pl_walk *w, const pl_node *value,
                             const pl_type *to) {
  const pl_type *from = value ? pl_no_reference(value->type) : NULL;
  to = pl_no_reference(to);
  return value && from && hangs_on_arguments(from) && is_open(value) &&
         !(to && pl_str_eq(from->spelling, to->spelling)) && converts_by_more(w);
}
