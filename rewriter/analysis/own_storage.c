/* own_storage.c - would a copy of the loop's text have memory of its own?
 *
 * Needs: the model. Gives: what declares shared or static variables below the
 * body's own level, or calls a template that does for a type of the body's: compute
 * may be spelled twice, and its copies would not meet in one variable. Raises nothing.
 *
 * A lambda's type, and that of a struct of the body's, is another one in each copy;
 * and for another type a template is another function. */
#include "call_summary.h"
#include "loop.h"

static bool is_kept(const pl_unit *unit, const pl_node *node) {
  (void)unit;
  return node->kind == PL_NODE_VAR && node->decl &&
         (node->decl->is_shared || node->decl->is_static) &&
         !node->decl->is_extern && !node->decl->is_constexpr;
}

/* Whether a call's function is made anew for each set of types, and it, or one that
 * it calls, declares such a variable. */
static bool is_of_types(const pl_unit *unit, const pl_node *call) {
  bool template = call->decl && call->decl->func && call->decl->func->is_template;
  return template && pl_call_shows(unit, call, is_kept);
}

static bool is_plain(const pl_type *type) {
  while (type && (type->kind == PL_TYPE_POINTER ||
                  type->kind == PL_TYPE_REFERENCE ||
                  type->kind == PL_TYPE_ARRAY))
    type = type->element;
  return type && (pl_is_number_type(type) || !type->is_user);
}

/* Whether a call's template arguments, deduced or spelled, may hold a type of the
 * body's. */
static bool may_be_of_body(const pl_unit *unit, const pl_node *call,
                           bool has_records) {
  pl_str text = pl_unit_slice(unit, call->range);
  size_t to = 0;
  while (to < text.n && text.p[to] != '(' && text.p[to] != '<')
    to++;
  if (to < text.n && text.p[to] == '<' &&
      (has_records || pl_str_has(text, "decltype")))
    return true;
  for (uint32_t i = 1; i < call->nkids; i++)
    if (call->kids[i] && !is_plain(call->kids[i]->type))
      return true;
  return false;
}

typedef struct body_types {
  const pl_loop *loop;
  bool has_lambdas, has_records; /* types of the body's own */
} body_types;

static bool is_record(pl_node *node, const void *unit) {
  pl_str text = pl_unit_slice(unit, node->range);
  return node->kind == PL_NODE_OTHER_DECL &&
         (pl_str_starts(text, "struct") || pl_str_starts(text, "class") ||
          pl_str_starts(text, "union") || pl_str_starts(text, "enum"));
}

/* At the body's own level a shared variable moves in front of the loop. */
static bool is_at_own_level(const pl_loop *loop, const pl_node *node) {
  return node->parent && node->parent->kind == PL_NODE_DECL_STMT &&
         node->parent->parent == loop->body;
}

static bool is_own(pl_node *node, const void *context) {
  const body_types *t = context;
  const pl_unit *unit = t->loop->unit;
  return (is_kept(unit, node) && !is_at_own_level(t->loop, node)) ||
         ((t->has_lambdas || t->has_records) && node->kind == PL_NODE_CALL &&
          may_be_of_body(unit, node, t->has_records) && is_of_types(unit, node));
}

pl_node *pl_own_storage(const pl_loop *loop) {
  body_types types = {loop, pl_node_has(loop->body, PL_NODE_LAMBDA),
                      pl_node_find(loop->body, is_record, loop->unit)};
  return pl_node_find(loop->body, is_own, &types);
}
