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
#include "copies.h"

/* A parameter of a load helper's, which is its own: each of its halves has one,
 * and moves it on as the helper does. */
static bool is_own_param(const pl_fill *fill, const pl_decl *decl) {
  bool own = false;
  for (uint32_t i = 0; fill->of_helper && i < fill->func->nparams; i++)
    own = own || fill->func->params[i] == decl;
  return own && decl && decl->type && decl->type->kind != PL_TYPE_REFERENCE;
}

bool pl_is_nested(const pl_fill *fill, const pl_decl *decl) {
  if (is_own_param(fill, decl))
    return true;
  for (size_t i = 0; decl && decl->node && i < fill->nroots; i++)
    if (fill->roots[i]->kind != PL_NODE_DECL_STMT &&
        pl_node_within(decl->node, fill->roots[i]))
      return true;
  for (size_t i = 0; i < fill->nloops; i++)
    if (fill->loops[i].var == decl && decl && !fill->loops[i].chain)
      return true;
  for (size_t i = 0; i < fill->nrestarted; i++)
    if (fill->restarted[i] == decl)
      return true;
  return false;
}

int64_t pl_slots_of(const pl_fill *fill, const pl_node *node) {
  int64_t slots = 1;
  for (const pl_node *up = node->parent; up; up = up->parent) {
    const pl_copy_loop *c = pl_fill_loop(fill, up);
    if (c)
      slots = slots < 0 || c->count < 0 ? -1 : slots * c->count;
  }
  return slots;
}

static bool cannot_split(pl_loop *loop, const char *id, const char *fmt,
                         pl_str name) {
  if (!loop->ldg_id) {
    loop->ldg_id = id;
    loop->ldg_why = pl_arena_printf(loop->arena, "%s%.*s", fmt, PL_FMT(name));
  }
  return false;
}

static bool is_private(const pl_decl *decl) {
  return decl && (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM) &&
         !decl->is_shared && !decl->points_to_shared && decl->owner;
}

/* Offset of the first store into a tile. */
static uint32_t first_store(const pl_fill *fill) {
  uint32_t at = UINT32_MAX;
  for (size_t i = 0; i < fill->ncalls; i++)
    if (fill->calls[i].node->range.begin < at)
      at = fill->calls[i].node->range.begin;
  for (size_t i = 0; i < fill->ncopies; i++)
    if (fill->copies[i].store->range.begin < at)
      at = fill->copies[i].store->range.begin;
  return at;
}

static uint32_t last_store(const pl_fill *fill) {
  uint32_t at = 0;
  for (size_t i = 0; i < fill->ncalls; i++)
    if (fill->calls[i].node->range.end > at)
      at = fill->calls[i].node->range.end;
  for (size_t i = 0; i < fill->ncopies; i++)
    if (fill->copies[i].store->range.end > at)
      at = fill->copies[i].store->range.end;
  return at;
}

/* Whether a node runs more than once in a fill, inside one of its loops. */
static bool repeats(const pl_fill *fill, const pl_node *node) {
  for (const pl_node *up = node; up; up = up->parent)
    if (pl_fill_loop(fill, up))
      return true;
  return false;
}

/* Whether a local from outside the filling statements has the same value when
 * the store is replayed as where it stood. */
static bool is_set_once(pl_loop *loop, const pl_decl *decl) {
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t j = 0; j < loop->stmts[i].effects.n; j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      if (effect->kind == PL_EFFECT_WRITE && effect->root.decl == decl &&
          effect->node != decl->node)
        return false;
    }
  return decl->node && pl_node_within(decl->node, loop->body);
}

static bool is_stable(pl_loop *loop, const pl_decl *decl) {
  if (is_set_once(loop, decl))
    return true;
  uint32_t first = first_store(&loop->fill), last = last_store(&loop->fill);
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    for (size_t j = 0; stmt->in_load && j < stmt->effects.n; j++) {
      const pl_effect *effect = &stmt->effects.items[j];
      if (effect->kind != PL_EFFECT_WRITE || effect->root.decl != decl)
        continue;
      uint32_t at = effect->node->range.begin;
      bool deferred = stmt->is_advance && at > last;
      bool before = at < first;
      if (stmt->fills && (!before || repeats(&loop->fill, effect->node)))
        return false;
      if (!before && !deferred)
        return false;
    }
  }
  return true;
}

/* The assignment, declaration or call that makes a write. */
static pl_node *written_by(const pl_effect *effect) {
  pl_node *at = effect->node;
  while (at->parent && at->kind != PL_NODE_ASSIGN && at->kind != PL_NODE_VAR &&
         at->kind != PL_NODE_CALL && !pl_node_is_step(at))
    at = at->parent;
  return at;
}

/* Whether some statement inside the fill gives a nested local a value that
 * comes from memory; *only_init: and it is its initialiser alone. */
static bool holds_load(pl_loop *loop, const pl_decl *decl, bool *only_init) {
  bool loaded = false;
  *only_init = true;
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    for (size_t j = 0; stmt->in_load && j < stmt->effects.n; j++) {
      const pl_effect *effect = &stmt->effects.items[j];
      if (effect->kind != PL_EFFECT_WRITE || effect->root.decl != decl ||
          (is_own_param(&loop->fill, decl) && !effect->direct))
        continue;
      if (effect->node != decl->node)
        *only_init = false;
      if (pl_reads_global(loop, written_by(effect)))
        loaded = true;
    }
  }
  return loaded;
}

typedef struct mention {
  pl_loop *loop;
  const pl_copy *copy;
  bool stable;      /* every outer local named is stable */
  bool loaded;      /* a nested local named holds a loaded value */
  bool snapshot_ok; /* ... and each such is declared with it, once */
  const pl_decl *culprit;
  const struct mention *outer; /* while the values of `of` are looked at */
  const pl_decl *of;
} mention;

static void look_at(mention *m, pl_decl *decl);
static void look_behind(mention *m, pl_decl *decl);

typedef struct step_search {
  const pl_decl *field; /* NULL: any */
  bool found;
} step_search;

static bool sets_own_member(pl_node *node, void *context) {
  step_search *w = context;
  const pl_node *to = node->kind == PL_NODE_ASSIGN || pl_node_is_step(node)
                          ? pl_node_bare(node->kids[0])
                          : NULL;
  while (to && to->nkids && to->kids[0] && !to->is_arrow &&
         (to->kind == PL_NODE_SUBSCRIPT || to->kind == PL_NODE_MEMBER))
    to = pl_node_bare(to->kids[0]);
  w->found = w->found || (to && to->kind == PL_NODE_MEMBER &&
                          (!w->field || to->decl == w->field));
  return !w->found;
}

/* Whether a method that fills a tile changes its object by more than assignments
 * to members in its own text. */
static bool changes_by_calls(const pl_loop *loop) {
  const pl_effects *effects = &loop->stmts->effects;
  for (size_t i = 0; i < effects->n; i++)
    if (effects->items[i].kind == PL_EFFECT_WRITE && effects->items[i].by_call &&
        pl_root_is_this(effects->items[i].root))
      return true;
  return false;
}

/* Whether a method that fills a tile moves on a member of its object that `node`
 * names, or reads by a call: the store would find it moved. */
static bool names_moved_member(const pl_loop *loop, const pl_node *node) {
  bool member = node->kind == PL_NODE_MEMBER && node->decl &&
                (!node->nkids || !node->kids[0] ||
                 pl_node_bare(node->kids[0])->kind == PL_NODE_THIS);
  if (!loop->caller || !loop->on_local || !member)
    return false;
  step_search w = {node->decl->is_field ? node->decl : NULL, false};
  pl_node_walk(loop->body, sets_own_member, &w);
  return w.found || changes_by_calls(loop);
}

static bool look(pl_node *node, void *context) {
  mention *m = context;
  if (names_moved_member(m->loop, node)) {
    m->stable = false;
    m->culprit = node->decl;
  }
  for (size_t i = 0; m->copy && m->copy->by_leaf && i < m->copy->nleaves; i++)
    if (node == m->copy->leaves[i])
      return false;
  if (node->kind == PL_NODE_REF && pl_set_by_header(m->loop, node))
    look_behind(m, node->decl);
  else if (node->kind == PL_NODE_REF &&
           (is_private(node->decl) || is_own_param(&m->loop->fill, node->decl)))
    look_at(m, node->decl);
  return true;
}

static bool is_open(const mention *m, const pl_decl *decl) {
  for (; m; m = m->outer)
    if (m->of == decl)
      return true;
  return false;
}

/* What changes a local on the way: the amount of `d += T`. */
static void look_at_changes(mention *m, const pl_decl *decl) {
  for (size_t i = 0; i < m->loop->nstmts; i++) {
    const pl_stmt *stmt = &m->loop->stmts[i];
    for (size_t j = 0; stmt->in_load && j < stmt->effects.n; j++) {
      const pl_effect *effect = &stmt->effects.items[j];
      const pl_node *up = effect->node->parent;
      if (effect->kind == PL_EFFECT_WRITE && effect->root.decl == decl &&
          effect->direct && up && up->kind == PL_NODE_ASSIGN)
        pl_node_walk(up->kids[1], look, m);
    }
  }
}

/* A local that the replay computes again, from what it is set to. */
static void look_behind(mention *m, pl_decl *decl) {
  if (is_open(m, decl))
    return;
  mention inner = {.loop = m->loop, .stable = true, .snapshot_ok = true,
                   .outer = m, .of = decl};
  if (decl->init)
    pl_node_walk(decl->init, look, &inner);
  look_at_changes(&inner, decl);
  m->stable = m->stable && inner.stable;
  m->snapshot_ok = m->snapshot_ok && inner.snapshot_ok;
  if (inner.culprit)
    m->culprit = inner.culprit;
}

/* A parameter whose argument reads memory is there for the fetch alone: made once
 * more, the store would wait for it. */
static bool is_read(const pl_fill *fill, const pl_decl *decl) {
  for (size_t i = 0; i < fill->nread; i++)
    if (fill->read[i] == decl)
      return true;
  return false;
}

static void look_at(mention *m, pl_decl *decl) {
  pl_fill *fill = &m->loop->fill;
  if (is_read(fill, decl)) {
    m->stable = false;
    m->culprit = decl;
    return;
  }
  if (!pl_is_nested(fill, decl)) {
    if (!is_stable(m->loop, decl)) {
      m->stable = false;
      m->culprit = decl;
    }
    return;
  }
  bool only_init;
  if (holds_load(m->loop, decl, &only_init)) {
    m->loaded = true;
    if (!only_init || decl->in_parts)
      m->snapshot_ok = false;
    for (size_t i = 0; i < fill->nstaged; i++)
      if (fill->staged[i] == decl->node)
        return;
    if (only_init && !decl->in_parts)
      PL_PUSH(m->loop->arena, fill->staged, fill->nstaged, fill->staged_cap,
              decl->node);
    return;
  }
  look_behind(m, decl);
}

static mention look_through(pl_loop *loop, const pl_copy *copy,
                            pl_node *node) {
  mention m = {.loop = loop, .copy = copy, .stable = true, .snapshot_ok = true};
  pl_node_walk(node, look, &m);
  return m;
}

/* Adds what a piece of text that the replay repeats names. */
static void add_mention(mention *m, pl_node *text) {
  mention part = look_through(m->loop, NULL, text);
  m->stable = m->stable && part.stable;
  m->snapshot_ok = m->snapshot_ok && part.snapshot_ok;
  m->culprit = m->culprit ? m->culprit : part.culprit;
}

/* Whether a guard can be evaluated once more, for the store. */
static bool check_guard(mention *m, pl_node *cond) {
  add_mention(m, cond);
  if (!pl_is_pure(m->loop, cond))
    return cannot_split(m->loop, "PL4006", "a guard has side effects",
                        PL_STR(""));
  if (pl_reads_global(m->loop, cond))
    return cannot_split(m->loop, "PL4006",
                        "a guard reads memory and would be read twice",
                        PL_STR(""));
  return true;
}

/* Breaks and continues of a copy loop, or of loops within it. */
static bool check_jumps(mention *m, pl_node *node) {
  bool ok = true;
  for (uint32_t i = 0; ok && i < node->nkids; i++) {
    pl_node *kid = node->kids[i];
    if (!kid || kid->kind == PL_NODE_LAMBDA)
      continue;
    if (kid->kind == PL_NODE_IF && (pl_inner_jump(kid, PL_NODE_BREAK) ||
                                    pl_inner_jump(kid, PL_NODE_CONTINUE)))
      ok = check_guard(m, kid->kids[0]);
    ok = ok && check_jumps(m, kid);
  }
  return ok;
}

/* What the guards and loops around a store, or around a call that stores, need
 * at replay, beside what it needs itself. */
static bool check_around(pl_loop *loop, const pl_node *store, mention m) {
  for (pl_node *up = store->parent; up && up != loop->body; up = up->parent) {
    if (up->kind == PL_NODE_IF && !check_guard(&m, up->kids[0]))
      return false;
    const pl_copy_loop *c = pl_fill_loop(&loop->fill, up);
    for (uint32_t i = 0; c && i < up->nkids; i++) {
      if (!up->kids[i] || up->kids[i] == pl_node_loop_body(up))
        continue;
      add_mention(&m, up->kids[i]);
      if (pl_reads_global(loop, up->kids[i]))
        return cannot_split(loop, "PL4006",
                            "a loop header reads memory and would be read "
                            "twice",
                            PL_STR(""));
    }
    if (c && !check_jumps(&m, up))
      return false;
    if (c && c->var == NULL)
      return cannot_split(loop, "PL6001",
                          "the loop around the copy has no countable form",
                          PL_STR(""));
  }
  if (!m.stable && is_read(&loop->fill, m.culprit))
    return cannot_split(loop, "PL4006",
                        "the cells that a call fills hang on an argument that "
                        "reads memory, for its parameter ",
                        m.culprit->name);
  if (!m.stable)
    return cannot_split(loop, "PL4006",
                        "the load phase changes, between its stores, ",
                        m.culprit->name);
  if (!m.snapshot_ok)
    return cannot_split(loop, "PL4006",
                        "an index of a store is loaded piecewise",
                        PL_STR(""));
  return true;
}

/* What the store's own index and the guards around it need at replay. */
static bool check_replay(pl_loop *loop, const pl_copy *copy) {
  mention m = {.loop = loop, .stable = true, .snapshot_ok = true};
  for (pl_node *at = copy->store; at; at = at == copy->last ? NULL : at->kids[1])
    pl_node_walk(at->kids[0], look, &m);
  return check_around(loop, copy->store, m);
}

/* Registers for a value computed from other loads start with those loads, so
 * that nothing waits for memory before compute. */
static void stage_copy(pl_loop *loop, pl_copy *copy) {
  size_t before = loop->fill.nstaged;
  mention m = look_through(loop, copy->by_leaf ? copy : NULL, copy->src);
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

static bool holds(const decl_list *list, const pl_decl *decl) {
  for (size_t i = 0; i < list->n; i++)
    if (list->items[i] == decl)
      return true;
  return false;
}

/* The locals that the load side loads, or computes from what it has loaded. */
static decl_list loaded_locals(pl_loop *loop) {
  decl_list list = {0};
  for (size_t before = SIZE_MAX; before != list.n;) {
    before = list.n;
    for (size_t i = 0; i < loop->nstmts; i++) {
      const pl_stmt *stmt = &loop->stmts[i];
      for (size_t j = 0; stmt->in_load && j < stmt->effects.n; j++) {
        const pl_effect *effect = &stmt->effects.items[j];
        if (effect->kind != PL_EFFECT_WRITE || !effect->root.decl ||
            effect->space != PL_SPACE_LOCAL || holds(&list, effect->root.decl))
          continue;
        pl_node *by = written_by(effect);
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

/* Sets a local anew at replay, with all statements that set it. */
static void restart(pl_loop *loop, pl_decl *decl) {
  pl_fill *fill = &loop->fill;
  for (size_t i = 0; i < fill->nrestarted; i++)
    if (fill->restarted[i] == decl)
      return;
  if (!is_for_fills(loop, decl))
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
           !is_stable(loop, node->kids[k]->decl)))
        restart(loop, node->kids[k]->decl);
  }
}

static int64_t node_bytes(const pl_loop *loop, const pl_type *type) {
  int64_t most = -1;
  uint32_t n = loop->func->ninstances;
  for (uint32_t i = 0; type && i < (n ? n : 1); i++) {
    int64_t size = pl_type_size(type, loop->func,
                                n ? &loop->func->instances[i] : NULL);
    most = size > most ? size : most;
  }
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

static bool spelled_type(const pl_type *type) {
  return type && type->written.n && !pl_str_has(type->written, "dependent") &&
         !pl_str_has(type->written, "unnamed") &&
         !pl_str_has(type->written, "lambda");
}

/* Whether the registers of a load helper can have a type with a name, declared
 * beside it: calls inside branches and loops declare them beforehand. */
bool pl_has_named_registers(const pl_func *func) {
  return !func->is_template && !func->is_method && !func->outer &&
         !func->ntemplate_params;
}

/* Whether a call moves on its own object: what of it the store needs is looked for
 * in the method's text. */
static bool moves_object(const pl_loop *loop, const pl_node *call) {
  const pl_node *member = pl_node_bare(call->kids[0]);
  const pl_node *object = member && member->kind == PL_NODE_MEMBER &&
                                  member->nkids && !member->is_arrow
                              ? pl_node_bare(member->kids[0])
                              : NULL;
  for (size_t i = 0; object && i < loop->nrecurrences; i++)
    if (loop->recurrences[i].by_fill && object->kind == PL_NODE_REF &&
        loop->recurrences[i].decl == object->decl)
      return true;
  return false;
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
    return false;
  }
  int64_t slots = pl_slots_of(&loop->fill, call->node);
  loop->staging_bytes += body->staging_bytes * (slots > 0 ? slots : 1);
  mention m = {.loop = loop, .stable = true, .snapshot_ok = true};
  for (uint32_t i = moves_object(loop, call->node); i < call->node->nkids; i++)
    pl_node_walk(call->node->kids[i], look, &m);
  if (!m.stable)
    return cannot_split(loop, "PL4006",
                        "the store would find another value in an argument of "
                        "the call that fills the tile, of ",
                        m.culprit->name);
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].node == call->node)
      return true;
  if (!pl_has_named_registers(body->func))
    return cannot_split(loop, "PL4006",
                        "the call that fills the tile stands inside a branch "
                        "or loop, and what it loads has no type to be kept in",
                        PL_STR(""));
  if (slots < 0)
    return cannot_split(loop, "PL6001",
                        "the number of calls that a thread makes is not known "
                        "for ",
                        body->func->name);
  return check_around(loop, call->node, m);
}

static bool is_written_behind(const pl_loop *loop, size_t from,
                              const pl_decl *decl) {
  uint32_t last = last_store(&loop->fill);
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
      if (effect->kind == PL_EFFECT_WRITE && is_private(effect->root.decl) &&
          !pl_declared_inside(effect->root.decl, loop->body) &&
          is_written_behind(loop, i, effect->root.decl))
        return cannot_split(loop, "PL4006",
                            "the store would undo what the load phase sets "
                            "behind it, ",
                            effect->root.decl->name);
    }
  }
  return true;
}

/* A value computed from loaded locals: storing it waits for memory, which no
 * asynchronous copy does. */
static void mark_loaded_values(pl_loop *loop) {
  decl_list loaded = loaded_locals(loop);
  for (size_t i = 0; i < loop->fill.ncopies; i++) {
    pl_copy *copy = &loop->fill.copies[i];
    if (copy->load || copy->async_id || !mentions_any(copy->src, &loaded))
      continue;
    copy->async_id = "PL5002";
    copy->async_why = "its value passes through registers";
  }
}

/* A loop is split anew where its plan takes some copies out (plan_mixed.c). */
static void forget_split(pl_loop *loop) {
  loop->ldg_id = NULL;
  loop->ldg_why = (pl_str){0};
  loop->staging_bytes = 0;
  loop->fill.nstaged = loop->fill.nrestarted = 0;
  for (size_t i = 0; i < loop->nstmts; i++)
    loop->stmts[i].restarts = false;
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    loop->fill.copies[i].staging = PL_STAGE_NOTHING;
}

void pl_split(pl_loop *loop) {
  if (loop->settled)
    return;
  pl_fill *fill = &loop->fill;
  forget_split(loop);
  mark_loaded_values(loop);
  find_restarts(loop);
  if (!check_left_behind(loop))
    return;
  for (size_t i = 0; i < fill->ncopies; i++) {
    pl_copy *copy = &fill->copies[i];
    if (copy->early)
      continue;
    stage_copy(loop, copy);
    if (!check_replay(loop, copy))
      return;
    if (copy->staging == PL_STAGE_VALUE && !spelled_type(copy->type)) {
      cannot_split(loop, "PL4006", "the type of the stored value has no name",
                   PL_STR(""));
      return;
    }
    if (copy->slots < 0) {
      cannot_split(loop, "PL6001",
                   "the number of elements that a thread copies is not known "
                   "for tile ",
                   copy->tile->decl->name);
      return;
    }
  }
  count_registers(loop);
  for (size_t i = 0; i < fill->ncalls; i++)
    if (!fill->calls[i].early && !split_call(loop, &fill->calls[i]))
      return;
}
