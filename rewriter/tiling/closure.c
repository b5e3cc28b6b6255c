/* closure.c - which statements does a slice consist of?
 *
 * Needs: the effects of each statement. Gives: from some statements all the
 * others that give a value to a variable that they use. Raises nothing. */
#include "slices.h"

/* Whether a lambda has it for a local: each call has its own, which nothing
 * outside of it gives a value. */
static bool is_of_lambda(const pl_decl *decl) {
  return decl && !decl->is_static && pl_in_lambda(decl->node);
}

static void need(pl_closure *c, pl_decl *decl) {
  if (!pl_is_private(decl) || is_of_lambda(decl))
    return;
  for (size_t i = 0; i < c->n; i++)
    if (c->needed[i] == decl)
      return;
  PL_PUSH(c->loop->arena, c->needed, c->n, c->cap, decl);
}

/* What a reference, pointer or record that is named may stand for: variables
 * of the thread's own that it was made from, and all that a lambda names. */
static void need_referents(pl_closure *c, pl_node *node) {
  pl_decl *decl = node->decl;
  const pl_type *type = decl->type;
  if (decl->init && decl->init->kind == PL_NODE_LAMBDA)
    for (uint32_t i = 0; i < decl->init->nkids; i++)
      pl_node_walk(decl->init->kids[i], pl_need_mentioned, c);
  bool refers = type && type->kind == PL_TYPE_RECORD && type->has_references;
  for (uint32_t i = 0; refers && decl->init && i < decl->init->nkids; i++)
    if (!pl_takes_value(decl->init, decl->init->kids[i]))
      pl_node_walk(decl->init->kids[i], pl_need_mentioned, c);
  bool stands = type && (type->kind == PL_TYPE_POINTER ||
                         type->kind == PL_TYPE_REFERENCE ||
                         type->kind == PL_TYPE_RECORD);
  pl_roots roots = {0};
  if (stands && decl->kind == PL_DECL_VAR && decl->owner)
    pl_roots_of(c->loop->effects, c->loop->func, node, &roots);
  pl_effects effects = {0};
  if (type && type->kind == PL_TYPE_REFERENCE)
    pl_effects_of(c->loop->effects, c->loop->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].space == PL_SPACE_LOCAL)
      need(c, effects.items[i].root.decl);
  for (size_t i = 0; i < roots.n; i++)
    if (pl_root_space(roots.items[i]) == PL_SPACE_LOCAL)
      need(c, roots.items[i].decl);
}

bool pl_need_mentioned(pl_node *node, void *context) {
  pl_closure *c = context;
  bool known = false;
  for (size_t i = 0; node->kind == PL_NODE_REF && i < c->n; i++)
    known = known || c->needed[i] == node->decl;
  if (node->kind == PL_NODE_REF && node->decl && !known &&
      !pl_set_by_header(c->loop, node) &&
      !pl_reads_kept_fields(c->loop, node)) {
    need(c, node->decl);
    need_referents(c, node);
  }
  if (node->kind == PL_NODE_VAR && node->decl)
    for (uint32_t i = 0; i < node->decl->ndims; i++)
      pl_node_walk(node->decl->dims[i], pl_need_mentioned, c);
  return true;
}

void pl_add_statement(pl_closure *c, size_t index) {
  if (c->member[index])
    return;
  c->member[index] = true;
  pl_node_walk(c->loop->stmts[index].node, pl_need_mentioned, c);
}

/* Whether no statement of the slice behind this one knows the variable: what it
 * is given here nobody asks for. */
static bool comes_too_late(const pl_closure *c, size_t index,
                           const pl_decl *decl) {
  for (size_t i = index + 1; i < c->loop->nstmts; i++)
    if (c->member[i] && pl_mentions(c->loop->stmts[i].node, decl))
      return false;
  return pl_is_of_iteration(c->loop, decl);
}

/* Every statement of the body that gives `decl` a value. */
static void add_writers(pl_closure *c, const pl_decl *decl) {
  for (size_t i = 0; i < c->loop->nstmts; i++) {
    const pl_stmt *stmt = &c->loop->stmts[i];
    if (stmt->is_barrier || c->member[i])
      continue;
    bool declares = decl->node && pl_node_within(decl->node, stmt->node);
    if (declares || (pl_writes_decl(&stmt->effects, decl) &&
                     !comes_too_late(c, i, decl)))
      pl_add_statement(c, i);
  }
  if (pl_writes_decl(&c->loop->header_effects, decl))
    pl_node_walk(c->loop->inc, pl_need_mentioned, c);
}

static size_t count_members(const pl_closure *c) {
  size_t count = 0;
  for (size_t i = 0; i < c->loop->nstmts; i++)
    count += c->member[i];
  return count;
}

void pl_close_over(pl_closure *c) {
  size_t before;
  do {
    before = count_members(c);
    for (size_t i = 0; i < c->n; i++)
      add_writers(c, c->needed[i]);
  } while (count_members(c) > before);
}

pl_closure pl_closure_new(pl_loop *loop) {
  pl_closure c = {.loop = loop};
  c.member = PL_NEW_ARRAY(loop->arena, bool, loop->nstmts + 1);
  return c;
}
