/* split.c - how do fetch and store come apart?
 *
 * Needs: copies. Gives: for each copy what is held in registers during compute,
 * and how many bytes that is for a thread. Sets ldg_id (PL6001, PL4006) where
 * register staging does not apply.
 *
 * The fetch runs all of the load side but the stores; the store then replays
 * the stores with their guards, loops and indices. Locals at the loop body's
 * own level are still there for the replay if nothing changes them between the
 * first store and the last; locals inside the filling statements are declared
 * again, and where they hold loaded values, kept in registers. So are locals of
 * the body's own level that the fill itself moves on (`d += T`), where what sets
 * them can be done twice. */
#include "split.h"

int64_t pl_slots_of(const pl_fill *fill, const pl_node *node) {
  int64_t slots = 1;
  for (const pl_node *up = node->parent; up; up = up->parent) {
    const pl_copy_loop *c = pl_fill_loop(fill, up);
    if (c)
      slots = slots < 0 || c->count < 0 ? -1 : slots * c->count;
  }
  return slots;
}

/* Registers for a value computed from other loads start with those loads, so
 * that nothing waits for memory before compute. */
static void stage_copy(pl_loop *loop, pl_copy *copy) {
  size_t before = loop->fill.nstaged;
  pl_mention m = pl_look_through(loop, copy->by_leaf ? copy : NULL, copy->src);
  if (copy->reads_memory)
    copy->staging = copy->by_leaf && m.stable && m.snapshot_ok
                        ? PL_STAGE_LEAVES
                        : PL_STAGE_VALUE;
  else
    copy->staging = m.stable && m.snapshot_ok ? PL_STAGE_NOTHING
                                              : PL_STAGE_VALUE;
  if (copy->staging == PL_STAGE_VALUE)
    loop->fill.nstaged = before;
}

typedef struct decl_list {
  const pl_decl **items;
  size_t n, cap;
} decl_list;

static bool mentions_any(const pl_node *node, const decl_list *list) {
  for (size_t i = 0; i < list->n; i++)
    if (pl_mentions(node, list->items[i]))
      return true;
  return false;
}

/* The locals that the load side loads, or computes from what it has loaded, beside
 * those of the list. */
static decl_list loaded_locals(pl_loop *loop, decl_list list) {
  for (size_t before = SIZE_MAX; before != list.n;) {
    before = list.n;
    for (size_t i = 0; i < loop->nstmts; i++) {
      const pl_stmt *stmt = &loop->stmts[i];
      for (size_t j = 0; stmt->in_load && j < stmt->effects.n; j++) {
        const pl_effect *effect = &stmt->effects.items[j];
        if (effect->kind != PL_EFFECT_WRITE || !effect->root.decl ||
            effect->space != PL_SPACE_LOCAL ||
            pl_is_among(effect->root.decl, list.items, list.n))
          continue;
        pl_node *by = pl_written_by(effect);
        if (mentions_any(by, &list) || pl_reads_global(loop, by))
          PL_PUSH(loop->arena, list.items, list.n, list.cap,
                  effect->root.decl);
      }
    }
  }
  return list;
}

/* ---- what is set anew ------------------------------------------------------- */

/* Whether a local belongs to the fills alone: nothing outside the tile loop, and
 * nothing of the compute side, names it. */
static bool is_for_fills(const pl_loop *loop, const pl_decl *decl) {
  if (!decl->node || decl->owner != loop->func || decl->kind != PL_DECL_VAR ||
      !pl_node_within(decl->node, loop->body))
    return false;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].in_compute && !loop->stmts[i].is_barrier &&
        pl_mentions(loop->stmts[i].node, decl))
      return false;
  return true;
}

static bool sets_variable(const pl_stmt *stmt, const pl_decl *decl) {
  if (decl->node && pl_node_within(decl->node, stmt->node))
    return true;
  for (size_t j = 0; j < stmt->effects.n; j++)
    if (stmt->effects.items[j].kind == PL_EFFECT_WRITE &&
        stmt->effects.items[j].root.decl == decl)
      return true;
  return false;
}

/* Whether a statement only computes locals of the fills, from what does not
 * come from memory. */
static bool can_restart(pl_loop *loop, const pl_stmt *stmt) {
  if (pl_reads_global(loop, stmt->node) || stmt->is_shared_decl)
    return false;
  for (size_t j = 0; j < stmt->effects.n; j++) {
    const pl_effect *effect = &stmt->effects.items[j];
    if (effect->kind == PL_EFFECT_WRITE
            ? effect->space != PL_SPACE_LOCAL || !effect->root.decl ||
                  !is_for_fills(loop, effect->root.decl)
            : effect->kind != PL_EFFECT_READ)
      return false;
  }
  return true;
}

/* Whether `node` names what a declaration of derived.c declares. */
static bool names_derived(const pl_node *stmt, const pl_node *node) {
  for (uint32_t i = 0; i < stmt->nkids; i++)
    if (stmt->kids[i]->decl && pl_mentions(node, stmt->kids[i]->decl))
      return true;
  return false;
}

bool pl_points_into_tile(const pl_loop *loop, const pl_node *node) {
  const pl_fill *fill = &loop->fill;
  for (size_t t = 0; t < loop->ntiles; t++)
    if (pl_mentions(node, loop->tiles[t].decl))
      return true;
  for (size_t i = 0; i < loop->nderived; i++)
    if (names_derived(loop->derived[i], node))
      return true;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].names_tile && names_derived(loop->stmts[i].node, node))
      return true;
  for (size_t i = 0; i < fill->nrestarted; i++) {
    const pl_type *type = fill->restarted[i]->type;
    if (type && type->kind != PL_TYPE_INT && type->kind != PL_TYPE_BOOL &&
        pl_mentions(node, fill->restarted[i]))
      return true;
  }
  return false;
}

/* Sets a local anew at replay, with all statements that set it. Another name
 * would go on leading to the one of the fetch. */
static void restart(pl_loop *loop, pl_decl *decl) {
  pl_fill *fill = &loop->fill;
  for (size_t i = 0; i < fill->nrestarted; i++)
    if (fill->restarted[i] == decl)
      return;
  if (!is_for_fills(loop, decl) || pl_has_second_name(loop, decl))
    return;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].in_load && !loop->stmts[i].fills &&
        sets_variable(&loop->stmts[i], decl) &&
        !can_restart(loop, &loop->stmts[i]))
      return;
  PL_PUSH(loop->arena, fill->restarted, fill->nrestarted, fill->restarted_cap,
          decl);
  for (size_t i = 0; i < loop->nstmts; i++) {
    pl_stmt *stmt = &loop->stmts[i];
    if (!stmt->in_load || stmt->fills || !sets_variable(stmt, decl))
      continue;
    stmt->restarts = true;
    for (size_t j = 0; j < stmt->effects.n; j++)
      if (stmt->effects.items[j].kind == PL_EFFECT_WRITE)
        restart(loop, stmt->effects.items[j].root.decl);
  }
}

/* Locals at the body's own level that the store finds changed, or that point
 * into a tile, whose stage is another one by then. */
static void find_restarts(pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts && !loop->caller; i++) {
    const pl_node *node = loop->stmts[i].node;
    if (!loop->stmts[i].in_load || loop->stmts[i].fills ||
        loop->stmts[i].names_tile || node->kind != PL_NODE_DECL_STMT)
      continue;
    for (uint32_t k = 0; k < node->nkids; k++)
      if (node->kids[k]->kind == PL_NODE_VAR && node->kids[k]->decl &&
          (pl_points_into_tile(loop, node->kids[k]) ||
           !pl_is_stable(loop, node->kids[k]->decl, UINT32_MAX)))
        restart(loop, node->kids[k]->decl);
  }
}

static int64_t node_bytes(const pl_loop *loop, const pl_type *type) {
  int64_t most = pl_largest_size(type, loop->func);
  return most < 4 ? 4 : most;
}

/* Whether a local's value is copied asynchronously, past registers. */
static bool goes_early(const pl_fill *fill, const pl_node *var) {
  for (size_t i = 0; i < fill->ncopies; i++)
    if (fill->copies[i].via == var)
      return fill->copies[i].early;
  return false;
}

static void count_registers(pl_loop *loop) {
  int64_t bytes = 0;
  pl_fill *fill = &loop->fill;
  for (size_t i = 0; i < fill->ncopies; i++) {
    const pl_copy *copy = &fill->copies[i];
    if (copy->staging == PL_STAGE_VALUE)
      bytes += copy->slots * node_bytes(loop, copy->type);
    for (size_t k = 0; copy->staging == PL_STAGE_LEAVES && k < copy->nleaves;
         k++)
      bytes += copy->slots * node_bytes(loop, copy->leaves[k]->type);
  }
  for (size_t i = 0; i < fill->nstaged; i++)
    bytes += pl_slots_of(fill, fill->staged[i]) *
             node_bytes(loop, fill->staged[i]->decl->type);
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (stmt->in_load && !stmt->fills && !stmt->only_asks &&
        stmt->node->kind == PL_NODE_DECL_STMT && pl_reads_global(loop, stmt->node))
      for (uint32_t k = 0; k < stmt->node->nkids; k++)
        if (stmt->node->kids[k]->decl && !goes_early(fill, stmt->node->kids[k]))
          bytes += node_bytes(loop, stmt->node->kids[k]->decl->type);
  }
  loop->staging_bytes = bytes;
}

/* Notes the parameters whose argument itself reads memory. */
static void find_read_parameters(pl_loop *loop, const pl_fill_call *call) {
  pl_fill *fill = &call->body->fill;
  fill->nread = 0;
  for (uint32_t i = 1; i < call->node->nkids && i <= fill->func->nparams; i++)
    if (call->node->kids[i] && pl_reads_global(loop, call->node->kids[i]))
      PL_PUSH(loop->arena, fill->read, fill->nread, fill->read_cap,
              fill->func->params[i - 1]);
}

/* Whether a call is one of a method of an object from outside the loop: what of it
 * the store needs is looked for in the method's text. */
static bool has_outer_object(const pl_loop *loop, const pl_fill_call *call) {
  const pl_node *member = pl_node_bare(call->node->kids[0]);
  const pl_decl *object =
      call->body->on_local ? pl_object_variable(member->kids[0]) : NULL;
  return object && !pl_declared_inside(object, loop->body) &&
         !pl_is_nested(&loop->fill, object);
}

/* Whether a value's type is a number's or a pointer's, for which zero can stand. */
static bool has_zero(const pl_type *type) {
  return pl_is_spelled_type(type) &&
         (pl_is_number_type(type) ||
          (type->kind == PL_TYPE_POINTER && !type->is_restrict &&
           type->element->kind != PL_TYPE_ARRAY &&
           type->element->kind != PL_TYPE_FUNCTION));
}

static bool has_no_zero(pl_node *node, const void *body) {
  return node->kind == PL_NODE_LAMBDA ||
         (node->kind == PL_NODE_REF && node->decl &&
          pl_declared_inside(node->decl, body) && !has_zero(node->decl->type));
}

/* Whether what a call loads can be declared ahead of it: by the name of its type,
 * or as what the call gives, where the loop's body declares no more for that than
 * numbers and pointers. */
static bool has_type_ahead(const pl_loop *loop, const pl_fill_call *call) {
  return pl_has_named_registers(call->body->func) ||
         (!loop->caller && !pl_node_find(call->node, has_no_zero, loop->body));
}

/* A helper splits as its own text does; its call is made twice, with the same
 * arguments. */
static bool split_call(pl_loop *loop, const pl_fill_call *call) {
  pl_loop *body = call->body;
  find_read_parameters(loop, call);
  pl_enter_helper(body);
  pl_split(body);
  pl_leave_helper(body);
  if (body->ldg_id) {
    loop->ldg_id = body->ldg_id;
    loop->ldg_why = body->ldg_why;
    loop->ldg_at = call->node;
    return false;
  }
  int64_t slots = pl_slots_of(&loop->fill, call->node);
  loop->staging_bytes += body->staging_bytes * (slots > 0 ? slots : 1);
  pl_mention m = {.loop = loop, .stable = true, .snapshot_ok = true};
  for (uint32_t i = has_outer_object(loop, call); i < call->node->nkids; i++)
    pl_look_at(&m, call->node->kids[i]);
  if (!m.stable)
    return pl_cannot_split(loop, "PL4006", call->node,
                        "the store would find another value in an argument of "
                        "the call that fills the tile, of ",
                        m.culprit->name);
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].node == call->node)
      return true;
  if (!has_type_ahead(loop, call))
    return pl_cannot_split(loop, "PL4006", call->node,
                        "the call that fills the tile stands inside a branch "
                        "or loop, and what it loads has no type to be kept in, "
                        "as more than numbers and pointers of the loop's own "
                        "is handed to ",
                        body->func->name);
  if (slots < 0)
    return pl_cannot_split(loop, "PL6001", call->node,
                        "the number of calls that a thread makes is not known "
                        "for ",
                        body->func->name);
  return pl_check_around(loop, call->node, m);
}

static bool is_written_behind(const pl_loop *loop, size_t from,
                              const pl_decl *decl) {
  uint32_t last = pl_last_store(&loop->fill);
  for (size_t i = from + 1; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    bool deferred = stmt->is_advance && stmt->node->range.begin > last;
    if (stmt->in_load && !stmt->fills && !stmt->restarts && !deferred)
      for (size_t j = 0; j < stmt->effects.n; j++)
        if (stmt->effects.items[j].kind == PL_EFFECT_WRITE &&
            stmt->effects.items[j].root.decl == decl)
          return true;
  }
  return false;
}

/* What the fill does is done again by the store: a variable from outside the loop
 * that it sets may not get another value behind it, which the store would take
 * back. */
static bool check_left_behind(pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts && !loop->caller; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    for (size_t j = 0; stmt->in_load && (stmt->fills || stmt->restarts) &&
                       j < stmt->effects.n;
         j++) {
      const pl_effect *effect = &stmt->effects.items[j];
      if (effect->kind == PL_EFFECT_WRITE && pl_is_private(effect->root.decl) &&
          !pl_declared_inside(effect->root.decl, loop->body) &&
          is_written_behind(loop, i, effect->root.decl)) {
        loop->serves_both = effect->root.decl;
        return pl_cannot_split(loop, "PL4006", stmt->node,
                            "the store would undo what the load phase sets "
                            "behind it, ",
                            effect->root.decl->name);
      }
    }
  }
  return true;
}

static void mark_loaded_values(pl_loop *loop, decl_list given, bool object);

/* What a helper is handed may have been loaded, or its object. */
static void mark_handed_values(pl_loop *loop, const pl_fill_call *call,
                               const decl_list *loaded) {
  const pl_func *func = call->body->func;
  const pl_node *callee = call->node->kids[0];
  decl_list given = {0};
  for (uint32_t i = 0; i < func->nparams && i + 1 < call->node->nkids; i++)
    if (mentions_any(call->node->kids[i + 1], loaded))
      PL_PUSH(loop->arena, given.items, given.n, given.cap, func->params[i]);
  pl_enter_helper(call->body);
  mark_loaded_values(call->body, given, callee && mentions_any(callee, loaded));
  pl_leave_helper(call->body);
}

/* A value computed from loaded locals: storing it waits for memory, which no
 * asynchronous copy does. */
static void mark_loaded_values(pl_loop *loop, decl_list given, bool object) {
  decl_list loaded = loaded_locals(loop, given);
  for (size_t i = 0; i < loop->fill.ncalls; i++)
    mark_handed_values(loop, &loop->fill.calls[i], &loaded);
  for (size_t i = 0; i < loop->fill.ncopies; i++) {
    pl_copy *copy = &loop->fill.copies[i];
    bool own = object && pl_node_find(copy->src, pl_is_own_object, NULL);
    if (copy->load || copy->async_id ||
        !(own || mentions_any(copy->src, &loaded)))
      continue;
    copy->async_id = "PL5002";
    copy->async_why = "its value passes through registers";
  }
}

/* The innermost loop around a copy that runs an unknown number of times. */
static const pl_node *uncounted_loop(const pl_loop *loop, const pl_copy *copy) {
  for (const pl_node *up = copy->store; up && up != loop->body; up = up->parent) {
    const pl_copy_loop *c = pl_fill_loop(&loop->fill, up);
    if (c && c->count < 0)
      return up;
  }
  return copy->store;
}

/* A loop is split anew where its plan takes some copies out (plan_mixed.c). */
static void forget_split(pl_loop *loop) {
  loop->ldg_id = NULL;
  loop->ldg_why = (pl_str){0};
  loop->ldg_at = NULL;
  loop->staging_bytes = 0;
  loop->fill.nstaged = loop->fill.nrestarted = 0;
  for (size_t i = 0; i < loop->nstmts; i++)
    loop->stmts[i].restarts = false;
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    loop->fill.copies[i].staging = PL_STAGE_NOTHING;
}

/* Whether a register, which is no constant, is copied by code that an object in memory
 * may not be: `template <class U> V &operator=(U &)`. */
static bool is_copied_otherwise(const pl_copy *copy) {
  bool held = copy->staging == PL_STAGE_VALUE && copy->type &&
              copy->type->runs_code;
  for (size_t i = 0; i < copy->nleaves && !held; i++)
    held = copy->staging != PL_STAGE_NOTHING && copy->leaves[i]->type &&
           copy->leaves[i]->type->runs_code;
  return held;
}

void pl_split(pl_loop *loop) {
  if (loop->settled)
    return;
  pl_fill *fill = &loop->fill;
  forget_split(loop);
  if (!loop->caller)
    mark_loaded_values(loop, (decl_list){0}, false);
  find_restarts(loop);
  if (!check_left_behind(loop))
    return;
  for (size_t i = 0; i < fill->ncopies; i++) {
    pl_copy *copy = &fill->copies[i];
    if (copy->early)
      continue;
    stage_copy(loop, copy);
    if (!pl_check_replay(loop, copy))
      return;
    if (copy->staging == PL_STAGE_VALUE && !pl_is_spelled_type(copy->type)) {
      pl_cannot_split(loop, "PL4006", copy->store, "the type of the stored value has no name",
                   PL_STR(""));
      return;
    }
    if (is_copied_otherwise(copy)) {
      pl_cannot_split(loop, "PL4006", copy->store, "copies of the stored value run code of ",
                      copy->type->spelling);
      return;
    }
    if (copy->slots < 0) {
      pl_cannot_split(loop, "PL6001", uncounted_loop(loop, copy),
                   "how many elements a thread copies in this loop is not known, "
                   "for tile ",
                   copy->tile->decl->name);
      return;
    }
  }
  count_registers(loop);
  if (!pl_check_remainders(loop))
    return;
  for (size_t i = 0; i < fill->ncalls; i++)
    if (!fill->calls[i].early && !split_call(loop, &fill->calls[i]))
      return;
}
