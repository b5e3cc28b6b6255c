/* effects_pointers.c - what may a local pointer point into?
 *
 * Needs: roots of expressions. Gives: the roots of a pointer variable.
 * Raises: nothing.
 *
 * Local pointers are followed through every value that the function assigns
 * to them, in whatever order, so a root list is never too short; one that
 * something else may change, through its address or a reference, cannot be
 * followed. */
#include "effects_parts.h"

#include <string.h>

typedef struct pointer_values {
  const pl_decl *decl;
  pl_roots roots;
  bool busy, done;
} pointer_values;

static pointer_values *pointer_entry(pl_effect_context *context,
                                     const pl_decl *decl) {
  for (size_t i = 0; i < context->npointers; i++)
    if (context->pointers[i]->decl == decl)
      return context->pointers[i];
  pointer_values *entry = PL_NEW(context->unit->arena, pointer_values);
  entry->decl = decl;
  PL_PUSH(context->unit->arena, context->pointers, context->npointers,
          context->pointers_cap, entry);
  return entry;
}

/* The variable that an assignment's left side stores into: `p`, `p[i]`. */
static const pl_decl *stored_variable(pl_node *node) {
  node = pl_node_bare(node);
  while (node &&
         (node->kind == PL_NODE_SUBSCRIPT || node->kind == PL_NODE_MEMBER)) {
    pl_node *base = pl_node_bare(node->kids[0]);
    if (node->kind == PL_NODE_SUBSCRIPT &&
        !(base && base->type &&
          pl_no_reference(base->type)->kind == PL_TYPE_ARRAY))
      return NULL;
    node = base;
  }
  return node && node->kind == PL_NODE_REF ? node->decl : NULL;
}

static bool names(const pl_node *node, const pl_decl *decl) {
  node = pl_node_bare((pl_node *)node);
  return node && node->kind == PL_NODE_REF && node->decl == decl;
}

/* Inline assembly sets its output operands, which come first; where a macro
 * hides the constraints it may set any. */
static bool asm_sets(const pl_node *node, const pl_decl *decl) {
  int64_t outputs = node->ival;
  for (uint32_t i = 0; i < node->nkids; i++) {
    if (!node->kids[i] || node->kids[i]->kind == PL_NODE_STRING)
      continue;
    if (outputs-- == 0)
      return false;
    if (stored_variable(node->kids[i]) == decl)
      return true;
  }
  return false;
}

/* Whether a lambda makes another name for what it captures: `[&q = p]`. What
 * its body does to `p` under its own name is looked at like any other text. */
static bool renames_capture(const pl_unit *unit, const pl_node *lambda) {
  pl_str text = pl_unit_slice(unit, lambda->range);
  if (!lambda->range.end || !pl_str_starts(text, "["))
    return true;
  bool by_reference = false;
  for (size_t i = 1; i < text.n && text.p[i] != ']'; i++) {
    by_reference = text.p[i] == '&' || (by_reference && text.p[i] != ',');
    if (text.p[i] == '=' && by_reference)
      return true;
  }
  return false;
}

/* Whether a function type takes something by reference that it may change. */
static bool takes_reference(const pl_type *type) {
  pl_str text = type ? type->spelling : (pl_str){NULL, 0};
  for (size_t i = 0; i < text.n; i++) {
    size_t end = i;
    while (end && text.p[end - 1] == ' ')
      end--;
    if (text.p[i] == '&' &&
        !(end >= 5 && memcmp(text.p + end - 5, "const", 5) == 0))
      return true;
  }
  return false;
}

/* Whether a call may change the pointer variable that is its argument `i`. */
static bool call_sets(const pl_unit *unit, const pl_node *call, uint32_t i) {
  const pl_func *callee = pl_callee_of(call);
  if (callee)
    return i - 1 < callee->nparams &&
           pl_is_reference(callee->params[i - 1]->type);
  if (pl_str_is(call->name, "swap"))
    return true;
  if (call->decl)
    return call->decl->in_main && takes_reference(call->decl->type);
  for (uint32_t f = 0; call->name.n && f < unit->nfuncs; f++) {
    const pl_func *func = unit->funcs[f];
    if (pl_str_eq(pl_before_angle(func->name), pl_before_angle(call->name)) &&
        i - 1 < func->nparams && pl_is_reference(func->params[i - 1]->type))
      return true;
  }
  return false;
}

/* Whether a node lets something else change a pointer variable: its address is
 * taken, a reference bound to it, it is passed by reference, or set by inline
 * assembly. */
static bool exposes_pointer(const pl_unit *unit, const pl_node *node,
                            const pl_decl *decl) {
  if (node->kind == PL_NODE_UNARY && node->op == PL_OP_ADDR)
    return stored_variable(node->kids[0]) == decl;
  if (node->kind == PL_NODE_VAR && node->decl && node->nkids &&
      pl_is_reference(node->decl->type))
    return stored_variable(node->kids[0]) == decl;
  if (node->kind == PL_NODE_LAMBDA)
    return renames_capture(unit, node) && pl_mentions(node, decl);
  if (node->kind == PL_NODE_ASM)
    return asm_sets(node, decl);
  if (node->kind != PL_NODE_CALL)
    return false;
  bool array = decl->type && decl->type->kind == PL_TYPE_ARRAY;
  for (uint32_t i = 1; i < node->nkids; i++) {
    if (array && names(node->kids[i], decl))
      return true;
    if (stored_variable(node->kids[i]) == decl && call_sets(unit, node, i))
      return true;
  }
  return false;
}

/* Whether what an lvalue names through the reference is a number: a store there
 * may change a cell, but gives the reference no other object. */
static bool names_number(const pl_gather *g, pl_node *lvalue) {
  const pl_type *type = pl_no_reference(lvalue->type);
  if (!pl_is_reference(g->decl->type) || !g->decl->init || !type ||
      pl_may_carry_address(type))
    return false;
  pl_roots roots = {0};
  pl_lvalue_roots(g->w, g->decl->init, &roots);
  bool shared = roots.n > 0;
  for (size_t i = 0; i < roots.n; i++)
    shared = shared && pl_root_space(roots.items[i]) == PL_SPACE_SHARED;
  return shared || type->kind != PL_TYPE_INT || type->size < 4;
}

static bool stores_number(const pl_gather *g, const pl_node *assign) {
  return names_number(g, assign->kids[0]) &&
         !pl_carries_address(assign->kids[1]);
}

/* `float &cell = row[c];` and `&row[c]` are other names for cells. */
static bool renames_number(const pl_gather *g, const pl_node *node) {
  return (node->kind == PL_NODE_VAR || node->kind == PL_NODE_UNARY) &&
         names_number(g, node->kids[0]);
}

static bool gather_values(pl_node *node, void *context) {
  pl_gather *g = context;
  if (exposes_pointer(g->w->context->unit, node, g->decl) &&
      !renames_number(g, node))
    pl_add_root(g->w->context->unit->arena, g->roots, (pl_root){0});
  if (node->kind == PL_NODE_VAR && node->decl == g->decl && node->nkids)
    pl_value_roots(g->w, node->kids[0], g->roots);
  if (node->kind == PL_NODE_ASSIGN && node->op == PL_OP_ASSIGN &&
      stored_variable(node->kids[0]) == g->decl && !stores_number(g, node))
    pl_value_roots(g->w, node->kids[1], g->roots);
  return true;
}

static bool type_is_array(const pl_type *type) {
  type = pl_no_reference(type);
  return type && type->kind == PL_TYPE_ARRAY && type->element &&
         type->element->kind != PL_TYPE_POINTER;
}

/* What a local pointer (or array of pointers) may point into: every value that
 * the function gives it; a reference to an array of values, what it is bound
 * to. */
void pl_local_pointer_roots(pl_walk *w, pl_decl *decl, pl_roots *roots) {
  pl_arena *arena = w->context->unit->arena;
  pointer_values *entry = pointer_entry(w->context, decl);
  if (!entry->done && !entry->busy) {
    entry->busy = true;
    bool bound = decl->kind == PL_DECL_VAR && pl_is_reference(decl->type) &&
                 type_is_array(decl->type) && decl->init;
    if (bound)
      pl_lvalue_roots(w, decl->init, &entry->roots);
    else if (decl->init)
      pl_value_roots(w, decl->init, &entry->roots);
    pl_gather g = {w, decl, &entry->roots};
    if (!bound && decl->owner && decl->owner->body)
      pl_node_walk(decl->owner->body, gather_values, &g);
    entry->busy = false;
    entry->done = true;
  }
  for (size_t i = 0; i < entry->roots.n; i++)
    pl_add_root(arena, roots, entry->roots.items[i]);
}
