/* replay_members.c - what does a method find in its object when it stores later
 * than it fetched?
 *
 * Needs: the effects of the load phase, the texts of methods. Gives: whether a
 * member that a store names is another one by then. Raises: nothing. */
#include "split.h"

/* Whether two objects of one variable are parts of it that lie side by side. */
static bool are_apart(const pl_node *a, const pl_node *b) {
  const pl_node *of_a[8], *of_b[8];
  size_t n = 0, m = 0;
  for (; a->kind == PL_NODE_MEMBER && n < 8; a = pl_node_bare(a->kids[0]))
    of_a[n++] = a;
  for (; b->kind == PL_NODE_MEMBER && m < 8; b = pl_node_bare(b->kids[0]))
    of_b[m++] = b;
  while (n && m && a->kind == PL_NODE_REF && b->kind == PL_NODE_REF)
    if (of_a[--n]->decl != of_b[--m]->decl)
      return true;
  return false;
}

/* Whether a write of the load phase happens between a fetch and a store: it is
 * neither ahead of all fills nor put off until they are done. */
static bool stands_between(const pl_loop *loop, const pl_stmt *stmt,
                           const pl_effect *effect) {
  uint32_t at = pl_effect_range(stmt, effect).begin;
  bool ahead = !stmt->fills && at < pl_first_store(&loop->fill);
  return !ahead && !(stmt->is_advance && at > pl_last_store(&loop->fill));
}

/* The object that a call changes by its method alone; NULL: it does not. */
static const pl_node *changed_by_method(const pl_node *call,
                                        const pl_decl *variable) {
  const pl_node *member = call->kind == PL_NODE_CALL && call->nkids
                              ? pl_node_bare(call->kids[0])
                              : NULL;
  if (!member || member->kind != PL_NODE_MEMBER || member->is_arrow ||
      !member->nkids || !call->decl ||
      pl_object_variable(member->kids[0]) != variable)
    return NULL;
  for (uint32_t i = 1; i < call->nkids; i++)
    if (pl_mentions(call->kids[i], variable))
      return NULL;
  return pl_node_bare(member->kids[0]);
}

/* Whether something else than the call of a method, between its fetch and its
 * store, changes a member of its object. */
static bool is_moved_beside(const pl_loop *body, const pl_decl *field) {
  const pl_loop *loop = body->caller;
  const pl_node *member = pl_node_bare(body->call->kids[0]);
  const pl_node *object = pl_node_bare(member->kids[0]);
  const pl_decl *variable = pl_object_variable(object);
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t j = 0; loop->stmts[i].in_load && j < loop->stmts[i].effects.n;
         j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      if (effect->kind != PL_EFFECT_WRITE || effect->root.decl != variable ||
          effect->node == body->call ||
          !stands_between(loop, &loop->stmts[i], effect))
        continue;
      const pl_node *moved = changed_by_method(effect->node, variable);
      if (!moved || (!are_apart(moved, object) &&
                     pl_method_sets(loop->effects, effect->node->decl->func,
                                    field)))
        return true;
    }
  return false;
}

bool pl_names_moved_member(const pl_loop *loop, const pl_node *node) {
  bool itself = node->kind == PL_NODE_THIS &&
                !(node->parent && node->parent->kind == PL_NODE_MEMBER);
  bool member = node->kind == PL_NODE_MEMBER &&
                (!node->nkids || !node->kids[0] || pl_is_this(node->kids[0]));
  if (!loop->caller || !loop->on_local || (!member && !itself) ||
      (member && node->decl && pl_loop_tile(loop, node->decl)))
    return false;
  const pl_decl *field = member && node->decl && node->decl->is_field &&
                                 !node->decl->is_in_union
                             ? node->decl
                             : NULL;
  return pl_sets_member(&loop->stmts->effects, field) ||
         is_moved_beside(loop, field);
}
