/* replay_members.c - what does a method that fills a tile find in its object when
 * it stores later than it fetched?
 *
 * Needs: the effects of the load phase, the texts of methods. Gives: whether a
 * member that a store names is another one by then. Raises: nothing. */
#include "split.h"

#include "effects.h"

static bool is_this(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  return node->kind == PL_NODE_THIS ||
         (node->kind == PL_NODE_UNARY && node->op == PL_OP_DEREF &&
          pl_node_bare(node->kids[0])->kind == PL_NODE_THIS);
}

/* The member of a method's object that an lvalue is, or lies in: `at_` of
 * `at_.row[i]`; NULL: it is known in another way. */
static const pl_decl *own_field(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  for (; node && node->nkids && node->kids[0] && !is_this(node->kids[0]);
       node = pl_node_bare(node->kids[0]))
    if ((node->kind != PL_NODE_SUBSCRIPT && node->kind != PL_NODE_MEMBER) ||
        node->is_arrow)
      return NULL;
  bool field = node && node->kind == PL_NODE_MEMBER && node->decl &&
               node->decl->is_field && !node->decl->is_in_union;
  return field ? node->decl : NULL;
}

/* (A field of a template and that of an instantiation have one place.) */
static bool is_same_field(const pl_decl *a, const pl_decl *b) {
  return a == b || (a->in_main && b->in_main &&
                    a->name_range.begin == b->name_range.begin);
}

/* Whether a method that does this changes a member of its object; NULL: any. */
static bool sets_member(const pl_effects *effects, const pl_decl *field) {
  for (size_t i = 0; i < effects->n; i++) {
    const pl_effect *effect = &effects->items[i];
    if (effect->kind == PL_EFFECT_READ || !pl_root_is_this(effect->root) ||
        effect->root.member.n)
      continue;
    const pl_decl *set = effect->by_call ? NULL : own_field(effect->node);
    if (!set || !field || is_same_field(set, field))
      return true;
  }
  return false;
}

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

static bool method_sets(const pl_loop *loop, const pl_func *method,
                        const pl_decl *field) {
  pl_effects effects = {0};
  if (!method || !method->body)
    return true;
  pl_effects_of(loop->effects, method, method->body, &effects);
  return sets_member(&effects, field);
}

/* Whether a write of the load phase happens between a fetch and a store: it is
 * neither ahead of all fills nor put off until they are done. */
static bool stands_between(const pl_loop *loop, const pl_stmt *stmt,
                           const pl_effect *effect) {
  uint32_t at = pl_effect_range(stmt, effect).begin;
  bool ahead = !stmt->fills && at < pl_first_store(&loop->fill);
  return !ahead && !(stmt->is_advance && at > pl_last_store(&loop->fill));
}

/* The object that a call changes by its method alone; NULL: it is no such call. */
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
  const pl_node *object = pl_node_bare(pl_node_bare(body->call->kids[0])->kids[0]);
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
                     method_sets(loop, effect->node->decl->func, field)))
        return true;
    }
  return false;
}

bool pl_names_moved_member(const pl_loop *loop, const pl_node *node) {
  bool itself = node->kind == PL_NODE_THIS &&
                !(node->parent && node->parent->kind == PL_NODE_MEMBER);
  bool member = node->kind == PL_NODE_MEMBER &&
                (!node->nkids || !node->kids[0] || is_this(node->kids[0]));
  if (!loop->caller || !loop->on_local || (!member && !itself) ||
      (member && node->decl && pl_loop_tile(loop, node->decl)))
    return false;
  const pl_decl *field = member && node->decl && node->decl->is_field &&
                                 !node->decl->is_in_union
                             ? node->decl
                             : NULL;
  return sets_member(&loop->stmts->effects, field) ||
         is_moved_beside(loop, field);
}
