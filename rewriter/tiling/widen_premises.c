/* widen_premises.c - what do wide copies take for granted?
 *
 * Needs: values, uniform, copy loops. Gives: constants that are multiples in all
 * instantiations, numbers that can be asked for in front of the tile loop; notes the
 * premises. Raises nothing. */
#include "copies.h"
#include "slices.h"
#include "widen.h"

/* ---- premises ------------------------------------------------------------ */

static bool says_same(const pl_unit *unit, const pl_node *a, const pl_node *b) {
  return a == b || (a && b && pl_same_text(unit, a, b));
}

static bool is_same_premise(const pl_unit *unit, const pl_premise *a,
                            const pl_premise *b) {
  return a->kind == b->kind && a->group == b->group &&
         a->neighbours == b->neighbours &&
         a->bytes == b->bytes && says_same(unit, a->node, b->node) &&
         says_same(unit, a->by, b->by) &&
         (a->type == b->type || (a->type && b->type &&
                                 pl_str_eq(a->type->written, b->type->written)));
}

/* Of a premise's kind and what it is about: the rest is the neighbours'. */
static void add_premise(pl_neighbours *n, pl_premise fresh) {
  pl_loop *loop = n->loop;
  fresh.group = n->group;
  fresh.neighbours = n->width;
  fresh.bytes = n->bytes;
  for (size_t i = 0; i < loop->npremises; i++)
    if (is_same_premise(loop->unit, &loop->premises[i], &fresh))
      return;
  PL_PUSH(loop->arena, loop->premises, loop->npremises, loop->premises_cap,
          fresh);
}

void pl_add_premise(pl_neighbours *n, pl_premise_kind kind, pl_node *node) {
  add_premise(n, (pl_premise){.kind = kind, .node = node});
}

void pl_add_size_premise(pl_neighbours *n, const pl_type *type) {
  add_premise(n, (pl_premise){.kind = PL_PREMISE_SIZE, .type = type});
}

/* A text but for a part of it, and a variable. */
typedef struct namesakes {
  const pl_node *without;
  const pl_decl *decl;
} namesakes;

static bool is_namesake(pl_node *node, const void *context) {
  const namesakes *n = context;
  return node->kind == PL_NODE_VAR && node->decl && node->decl != n->decl &&
         pl_str_eq(node->decl->name, n->decl->name) &&
         !(n->without && pl_node_within(node, n->without));
}

static bool has_namesake(const pl_node *text, const pl_node *without,
                     const pl_decl *decl) {
  return pl_node_find(text, is_namesake, &(namesakes){without, decl});
}

/* Whether another variable has the name in front of the loop, perhaps. */
static bool is_hidden_before(const pl_loop *loop, const pl_decl *decl) {
  for (uint32_t i = 0; i < loop->func->nparams; i++)
    if (loop->func->params[i] != decl &&
        pl_str_eq(loop->func->params[i]->name, decl->name))
      return true;
  return has_namesake(loop->func->body, loop->node, decl);
}

static bool is_inside(pl_node *node, const void *context) {
  const pl_loop *loop = context;
  return node->kind == PL_NODE_REF && node->decl &&
         (pl_declared_inside(node->decl, loop->node) ||
          is_hidden_before(loop, node->decl));
}

/* Whether an expression cannot stand in front of the tile loop: it names what is
 * declared inside, or what may be hidden there. */
bool pl_stays_inside(const pl_loop *loop, const pl_node *node) {
  return pl_node_find(node, is_inside, loop);
}

bool pl_constant_is(pl_neighbours *n, pl_premise_kind kind, pl_node *node) {
  const pl_loop *loop = n->loop;
  for (uint32_t i = 0; i < pl_count_readings(loop->func); i++) {
    int64_t value;
    bool assumed = false;
    if (!pl_loop_eval(loop, pl_reading(loop->func, i), node, &value, &assumed) ||
        assumed || (kind == PL_PREMISE_MULTIPLE ? value % n->width != 0 : value <= 0))
      return false;
  }
  if (!pl_is_open(node))
    return true;
  if (pl_stays_inside(loop, node) || node->range.end == 0)
    return false;
  pl_add_premise(n, kind, node);
  return true;
}

bool pl_divides(pl_neighbours *n, pl_node *part, pl_node *whole) {
  pl_loop *loop = n->loop;
  for (uint32_t i = 0; i < pl_count_readings(loop->func); i++) {
    const pl_instance *instance = pl_reading(loop->func, i);
    int64_t all, each;
    bool assumed = false;
    if (!pl_loop_eval(loop, instance, whole, &all, &assumed) ||
        !pl_loop_eval(loop, instance, part, &each, &assumed) || assumed ||
        each <= 0 || all % each)
      return false;
  }
  if (!pl_is_open(part) && !pl_is_open(whole))
    return true;
  if (pl_stays_inside(loop, part) || pl_stays_inside(loop, whole) ||
      !part->range.end || !whole->range.end)
    return false;
  add_premise(n, (pl_premise){.kind = PL_PREMISE_DIVIDES, .node = whole, .by = part});
  return true;
}

/* Whether what an expression names may have another value elsewhere. */
static bool may_change(pl_node *node, const void *loop) {
  pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  bool global = decl && decl->kind == PL_DECL_VAR && !decl->owner;
  if (global)
    return !decl->is_constant_memory && !decl->is_constexpr;
  return decl && decl->owner &&
         (pl_assigned_anywhere(decl->owner->body, decl) ||
          pl_has_second_name(loop, decl));
}

bool pl_never_changes(const pl_loop *loop, const pl_node *node) {
  return !pl_node_find(node, may_change, loop);
}

/* Whether working a number out does no harm where the loop would not: it reads no
 * memory and divides by nothing that may be zero. */
static bool is_harmless(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  bool divides = node->kind == PL_NODE_BINARY &&
                 (node->op == PL_OP_DIV || node->op == PL_OP_REM);
  if (divides && !(node->kids[1]->has_ival && node->kids[1]->ival > 0))
    return false;
  switch (node->kind) {
  case PL_NODE_REF:
    return !(node->decl && node->decl->is_shared);
  case PL_NODE_MEMBER:
    return !node->is_arrow && is_harmless(node->kids[0]);
  case PL_NODE_INT:
  case PL_NODE_SIZEOF:
    return true;
  case PL_NODE_CAST:
  case PL_NODE_BINARY:
    for (uint32_t i = 0; i < node->nkids; i++)
      if (!is_harmless(node->kids[i]))
        return false;
    return node->nkids > 0;
  default:
    return false;
  }
}

bool pl_can_be_asked(pl_loop *loop, pl_node *node) {
  return node->type && node->type->kind == PL_TYPE_INT && node->range.end &&
         is_harmless(node) && pl_is_uniform(loop, node) &&
         !pl_varies(loop, node) && !pl_stays_inside(loop, node) &&
         !(loop->node->kind == PL_NODE_FOR && loop->node->kids[0] &&
           pl_node_find(node, pl_is_set_in, loop->node->kids[0]));
}

/* ---- names --------------------------------------------------------------- */

/* Whether values of a type do not wrap sooner than addresses are made of them. */
static bool is_index_type(const pl_type *type) {
  return type && (type->kind == PL_TYPE_POINTER ||
                  (type->kind == PL_TYPE_INT && type->size >= 4));
}

static bool holds_index(const pl_decl *decl) {
  return is_index_type(decl->type) && !decl->type->is_volatile;
}

/* Whether a local has the value of its initialiser wherever it is named. */
static bool keeps_value(const pl_loop *loop, pl_decl *decl) {
  return decl->owner == loop->func && pl_only_value(decl) &&
         !pl_has_second_name(loop, decl);
}

bool pl_is_set_once(const pl_loop *loop, pl_decl *decl) {
  return holds_index(decl) && keeps_value(loop, decl);
}

static bool is_hidden_in(pl_node *node, const void *text) {
  return node->kind == PL_NODE_REF && node->decl &&
         has_namesake(text, NULL, node->decl);
}

/* The loop around a node, or its function's body. */
static const pl_node *loop_around(const pl_node *node) {
  while (node->parent && !pl_node_is_loop(node))
    node = node->parent;
  return node;
}

pl_node *pl_named_guard(const pl_loop *loop, const pl_node *node) {
  pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  bool truth = decl && decl->type && !decl->type->is_volatile &&
               (decl->type->kind == PL_TYPE_BOOL ||
                decl->type->kind == PL_TYPE_INT);
  return truth && keeps_value(loop, decl) &&
                 !pl_node_find(decl->init, is_hidden_in, loop_around(node))
             ? decl->init
             : NULL;
}

/* ---- comparisons --------------------------------------------------------- */

bool pl_is_order(pl_op op) {
  return op == PL_OP_LT || op == PL_OP_LE || op == PL_OP_GT || op == PL_OP_GE;
}

bool pl_compares_unsigned(const pl_node *cond) {
  for (uint32_t i = 0; i < 2; i++) {
    const pl_type *type = pl_no_reference(pl_node_bare(cond->kids[i])->type);
    if (!type || type->kind != PL_TYPE_INT || (type->is_unsigned && type->size >= 4))
      return true;
  }
  return false;
}
