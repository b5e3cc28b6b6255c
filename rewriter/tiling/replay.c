/* replay.c - what does a store find when it is made later than the fetch?
 *
 * Needs: the copies of a fill. Gives: whether what the text of a store names, and
 * the guards, loops and jumps around it, is the same then as it was. Sets ldg_id
 * (PL6001, PL4006) where it is not. */
#include "points_to.h"
#include "cfg.h"
#include "split.h"

bool pl_is_own_param(const pl_fill *fill, const pl_decl *decl) {
  bool own = false;
  for (uint32_t i = 0; fill->of_helper && i < fill->func->nparams; i++)
    own = own || fill->func->params[i] == decl;
  return own && decl && decl->type && decl->type->kind != PL_TYPE_REFERENCE;
}

bool pl_is_nested(const pl_fill *fill, const pl_decl *decl) {
  if (pl_is_own_param(fill, decl))
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

bool pl_cannot_split(pl_loop *loop, const char *id, const pl_node *at, const char *text,
                     pl_str name) {
  if (!loop->ldg_id) {
    loop->ldg_id = id;
    loop->ldg_at = at && at->range.end && !loop->caller ? at : NULL;
    const char *quote = name.n ? "'" : "";
    loop->ldg_why = pl_arena_printf(loop->arena, "%s%s%.*s%s", text, quote,
                                    PL_FMT(name), quote);
  }
  return false;
}

uint32_t pl_first_store(const pl_fill *fill) {
  uint32_t at = UINT32_MAX;
  for (size_t i = 0; i < fill->ncalls; i++)
    if (fill->calls[i].node->range.begin < at)
      at = fill->calls[i].node->range.begin;
  for (size_t i = 0; i < fill->ncopies; i++)
    if (fill->copies[i].store->range.begin < at)
      at = fill->copies[i].store->range.begin;
  return at;
}

uint32_t pl_last_store(const pl_fill *fill) {
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

/* Whether nothing between a node and the block of a declaration reads memory to
 * decide whether the node runs, or changes more than its own counter. */
static bool runs_as_before(pl_loop *loop, const pl_node *node,
                           const pl_node *declared) {
  for (const pl_node *up = node->parent; up; node = up, up = up->parent) {
    if (pl_node_within(declared, up))
      return true;
    if (up->kind == PL_NODE_COMPOUND || up->kind == PL_NODE_PAREN)
      continue;
    if (up->kind != PL_NODE_IF && up->kind != PL_NODE_FOR)
      return false;
    for (uint32_t i = 0; i < up->nkids; i++)
      if (up->kids[i] && up->kids[i] != node &&
          (up->kind == PL_NODE_FOR || i == 0) &&
          (pl_reads_global(loop, up->kids[i]) ||
           (up->kind == PL_NODE_IF && !pl_is_pure(loop, up->kids[i]))))
        return false;
  }
  return false;
}

/* Whether the only thing that gives a local a value is its declaration in the
 * body. */
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

/* Whether nothing sets the variable itself between a name of it and the stores. */
static bool stays(pl_loop *loop, const pl_decl *decl, uint32_t named_at) {
  if (is_set_once(loop, decl))
    return true;
  uint32_t first = pl_first_store(&loop->fill), last = pl_last_store(&loop->fill);
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    for (size_t j = 0; stmt->in_load && j < stmt->effects.n; j++) {
      const pl_effect *effect = &stmt->effects.items[j];
      if (effect->kind != PL_EFFECT_WRITE || effect->root.decl != decl)
        continue;
      uint32_t at = pl_effect_range(stmt, effect).begin;
      bool deferred = stmt->is_advance && at > last;
      bool fetched = !stmt->fills && !stmt->names_tile && !stmt->is_advance &&
                     named_at < UINT32_MAX && stmt->node->range.end <= named_at;
      bool before = fetched || (at < first && at < named_at);
      if (stmt->fills && (!before || at != effect->node->range.begin ||
                          repeats(&loop->fill, effect->node)))
        return false;
      if (!before && !deferred)
        return false;
    }
  }
  return true;
}

static bool is_held_by(pl_loop *loop, const pl_decl *held, const pl_decl *by) {
  pl_holders holders = {0};
  pl_find_holders(loop, held, &holders);
  for (size_t i = 0; i < holders.n; i++)
    if (holders.items[i].decl == by)
      return true;
  return false;
}

/* Whether what it refers to stays: a reference or a pointer, or what a lambda has
 * captured, has the value of another variable. */
static bool what_it_names_stays(pl_loop *loop, const pl_decl *decl, uint32_t named_at) {
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t j = 0; loop->stmts[i].in_load && j < loop->stmts[i].effects.n; j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      const pl_decl *other = effect->root.decl;
      bool own = decl->node && other && /* of a lambda's own text */
                 pl_range_inside(other->name_range, decl->node->range);
      if (effect->kind == PL_EFFECT_WRITE && effect->space == PL_SPACE_LOCAL && other &&
          !own && other != decl && !stays(loop, other, named_at) &&
          is_held_by(loop, other, decl))
        return false;
    }
  return true;
}

bool pl_is_stable(pl_loop *loop, const pl_decl *decl, uint32_t named_at) {
  return stays(loop, decl, named_at) && what_it_names_stays(loop, decl, named_at);
}

pl_node *pl_written_by(const pl_effect *effect) {
  pl_node *at = effect->node;
  while (at->parent && at->kind != PL_NODE_ASSIGN && at->kind != PL_NODE_VAR &&
         at->kind != PL_NODE_CALL && !pl_node_is_step(at))
    at = at->parent;
  return at;
}

/* Whether some statement inside the fill gives a nested local a value that
 * comes from memory; *only_init: and it is its initialiser alone. */
bool pl_holds_load(pl_loop *loop, const pl_decl *decl, bool *only_init) {
  bool loaded = false;
  *only_init = true;
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    for (size_t j = 0; stmt->in_load && j < stmt->effects.n; j++) {
      const pl_effect *effect = &stmt->effects.items[j];
      if (effect->kind != PL_EFFECT_WRITE || effect->root.decl != decl ||
          (pl_is_own_param(&loop->fill, decl) && !effect->direct))
        continue;
      if (effect->node != decl->node)
        *only_init = false;
      if (pl_reads_global(loop, pl_written_by(effect)))
        loaded = true;
    }
  }
  return loaded;
}

static bool look(pl_node *node, void *context) {
  pl_mention *m = context;
  if (pl_names_moved_member(m->loop, node)) {
    const pl_node *method = pl_node_bare(m->loop->call->kids[0]);
    m->stable = false;
    m->culprit =
        node->decl ? node->decl : pl_object_variable(method->kids[0]);
  }
  for (size_t i = 0; m->copy && m->copy->by_leaf && i < m->copy->nleaves; i++)
    if (node == m->copy->leaves[i])
      return false;
  if (node->kind == PL_NODE_REF && pl_set_by_header(m->loop, node))
    pl_look_behind(m, node->decl);
  else if (node->kind == PL_NODE_REF &&
           (pl_is_private(node->decl) || pl_is_own_param(&m->loop->fill, node->decl)))
    pl_look_at_name(m, node->decl, node->range.begin);
  return true;
}

static bool is_open(const pl_mention *m, const pl_decl *decl) {
  for (; m; m = m->outer)
    if (m->of == decl)
      return true;
  return false;
}

/* What decides, within the fill, whether and how often a node runs. */
static void look_at_control(pl_mention *m, const pl_node *node) {
  for (const pl_node *up = node->parent; up && up != m->loop->body;
       node = up, up = up->parent)
    for (uint32_t i = 0; i < up->nkids; i++)
      if (up->kids[i] && up->kids[i] != node &&
          ((up->kind == PL_NODE_IF && i == 0) ||
           (pl_node_is_loop(up) && up->kids[i] != pl_node_loop_body(up))))
        pl_node_walk(up->kids[i], look, m);
}

/* What changes a local on the way: the amount of `d += T`, what `v[i] = x` or
 * `unpack(v, x)` puts into it. */
static void look_at_changes(pl_mention *m, const pl_decl *decl) {
  for (size_t i = 0; i < m->loop->nstmts; i++) {
    const pl_stmt *stmt = &m->loop->stmts[i];
    for (size_t j = 0; stmt->in_load && j < stmt->effects.n; j++) {
      const pl_effect *effect = &stmt->effects.items[j];
      pl_node *by = pl_written_by(effect);
      bool own = effect->direct || effect->space == PL_SPACE_LOCAL;
      if (effect->kind != PL_EFFECT_WRITE || effect->root.decl != decl || !own ||
          (by->kind != PL_NODE_ASSIGN && by->kind != PL_NODE_CALL))
        continue;
      for (pl_node *at = by->kids[0]; at && at->kind == PL_NODE_SUBSCRIPT;
           at = pl_node_bare(at->kids[0]))
        pl_node_walk(at->kids[1], look, m);
      for (uint32_t k = 1; k < by->nkids; k++)
        if (by->kids[k])
          pl_node_walk(by->kids[k], look, m);
      look_at_control(m, by);
    }
  }
}

/* A local that the replay computes again: from what it is set to, unless that is
 * kept in registers, and what changes it. */
static void look_at_values(pl_mention *m, pl_decl *decl, bool kept) {
  if (is_open(m, decl))
    return;
  pl_mention inner = {.loop = m->loop, .stable = true, .snapshot_ok = true,
                   .outer = m, .of = decl};
  if (decl->init && !kept)
    pl_node_walk(decl->init, look, &inner);
  look_at_changes(&inner, decl);
  m->stable = m->stable && inner.stable;
  m->snapshot_ok = m->snapshot_ok && inner.snapshot_ok;
  if (inner.culprit)
    m->culprit = inner.culprit;
}

void pl_look_behind(pl_mention *m, pl_decl *decl) {
  look_at_values(m, decl, false);
}

/* Whether a local is loaded where it is declared, and then only changed by what the
 * replay can do again: assignments and steps that read no memory, with nothing
 * around them within the fill that does. */
static bool is_loaded_first(pl_loop *loop, const pl_decl *decl) {
  if (!decl->node || decl->in_parts || !decl->type ||
      pl_is_own_param(&loop->fill, decl) ||
      (decl->type->kind != PL_TYPE_INT && decl->type->kind != PL_TYPE_FLOAT))
    return false;
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t j = 0; j < loop->stmts[i].effects.n; j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      if (effect->kind != PL_EFFECT_WRITE || effect->root.decl != decl ||
          effect->node == decl->node)
        continue;
      pl_node *by = pl_written_by(effect);
      if (!effect->direct || !loop->stmts[i].fills ||
          (by->kind != PL_NODE_ASSIGN && !pl_node_is_step(by)) ||
          pl_reads_global(loop, by) || !runs_as_before(loop, by, decl->node))
        return false;
    }
  return true;
}

/* Whether a declaration runs once for each register that is kept for it: no loop is
 * around it that is none of the copy loops. */
static bool has_register_each(const pl_loop *loop, const pl_decl *decl) {
  for (const pl_node *up = decl->node ? decl->node->parent : NULL;
       up && up != loop->body; up = up->parent)
    if (pl_node_is_loop(up) && !pl_is_plain_block(up) &&
        !pl_fill_loop(&loop->fill, up))
      return false;
  return decl->node != NULL;
}

void pl_look_at_name(pl_mention *m, pl_decl *decl, uint32_t named_at) {
  pl_fill *fill = &m->loop->fill;
  if (pl_is_among(decl, fill->read, fill->nread)) {
    m->stable = false;
    m->culprit = decl;
    return;
  }
  if (!pl_is_nested(fill, decl)) {
    if (!pl_is_stable(m->loop, decl, named_at)) {
      m->stable = false;
      m->culprit = decl;
    }
    return;
  }
  bool only_init;
  if (pl_holds_load(m->loop, decl, &only_init)) {
    bool kept = (only_init || is_loaded_first(m->loop, decl)) && !decl->in_parts &&
                has_register_each(m->loop, decl);
    m->loaded = true;
    if (!kept)
      m->snapshot_ok = false;
    if (kept && !only_init)
      look_at_values(m, decl, true);
    for (size_t i = 0; i < fill->nstaged; i++)
      if (fill->staged[i] == decl->node)
        return;
    if (kept)
      PL_PUSH(m->loop->arena, fill->staged, fill->nstaged, fill->staged_cap,
              decl->node);
    return;
  }
  pl_look_behind(m, decl);
}

pl_mention pl_look_through(pl_loop *loop, const pl_copy *copy,
                            pl_node *node) {
  pl_mention m = {.loop = loop, .copy = copy, .stable = true, .snapshot_ok = true};
  pl_node_walk(node, look, &m);
  return m;
}

void pl_look_at(pl_mention *m, pl_node *text) { pl_node_walk(text, look, m); }

/* Adds what a piece of text that the replay repeats names. */
static void add_mention(pl_mention *m, pl_node *text) {
  pl_mention part = pl_look_through(m->loop, NULL, text);
  m->stable = m->stable && part.stable;
  m->snapshot_ok = m->snapshot_ok && part.snapshot_ok;
  m->culprit = m->culprit ? m->culprit : part.culprit;
}

/* Whether a guard can be evaluated once more, for the store. */
static bool check_guard(pl_mention *m, pl_node *cond) {
  add_mention(m, cond);
  if (!pl_is_pure(m->loop, cond))
    return pl_cannot_split(m->loop, "PL4006", cond, "a guard has side effects",
                        PL_STR(""));
  if (pl_reads_global(m->loop, cond))
    return pl_cannot_split(m->loop, "PL4006", cond,
                        "a guard reads memory and would be read twice",
                        PL_STR(""));
  return true;
}

/* Breaks and continues of a copy loop, or of loops within it. */
static bool check_jumps(pl_mention *m, pl_node *node) {
  bool ok = true;
  for (uint32_t i = 0; ok && i < node->nkids; i++) {
    pl_node *kid = node->kids[i];
    if (!kid || kid->kind == PL_NODE_LAMBDA)
      continue;
    if (kid->kind == PL_NODE_IF && pl_cfg_jump_out(kid, PL_JUMP_LOOP))
      ok = check_guard(m, kid->kids[0]);
    ok = ok && check_jumps(m, kid);
  }
  return ok;
}

/* The first variable that a part of a loop names and the loop changes; NULL: none. */
static const pl_decl *changed_in(const pl_node *part, const pl_node *whole) {
  if (part->kind == PL_NODE_REF && part->decl && part->decl->owner &&
      pl_assigned_anywhere(whole, part->decl))
    return part->decl;
  const pl_decl *found = NULL;
  for (uint32_t i = 0; !found && i < part->nkids; i++)
    found = part->kids[i] ? changed_in(part->kids[i], whole) : NULL;
  return found;
}

bool pl_check_around(pl_loop *loop, const pl_node *store, pl_mention m) {
  for (pl_node *up = store->parent; up && up != loop->body; up = up->parent) {
    if (up->kind == PL_NODE_IF && !check_guard(&m, up->kids[0]))
      return false;
    const pl_copy_loop *c = pl_fill_loop(&loop->fill, up);
    for (uint32_t i = 0; c && i < up->nkids; i++) {
      if (!up->kids[i] || up->kids[i] == pl_node_loop_body(up))
        continue;
      add_mention(&m, up->kids[i]);
      if (pl_reads_global(loop, up->kids[i]))
        return pl_cannot_split(loop, "PL4006", up->kids[i],
                            "a loop header reads memory and would be read "
                            "twice",
                            PL_STR(""));
    }
    if (c && !check_jumps(&m, up))
      return false;
    if (c && c->var == NULL) {
      loop->serves_both = changed_in(up, up);
      return pl_cannot_split(loop, "PL6001", up,
                          "how often this loop around the copy runs is not known: no variable "
                          "is known to step towards a bound by an amount that stays, and to stop there",
                          PL_STR(""));
    }
  }
  if (!m.stable && pl_is_among(m.culprit, loop->fill.read, loop->fill.nread))
    return pl_cannot_split(loop, "PL4006", store,
                        "the cells that a call fills hang on an argument that "
                        "reads memory, for its parameter ",
                        m.culprit->name);
  loop->serves_both = m.stable ? loop->serves_both : m.culprit;
  if (!m.stable)
    return pl_cannot_split(loop, "PL4006", store,
                        "between its stores the load phase changes ",
                        m.culprit->name);
  if (!m.snapshot_ok)
    return pl_cannot_split(loop, "PL4006", store,
                        "an index of a store is loaded piecewise",
                        PL_STR(""));
  return true;
}

bool pl_check_replay(pl_loop *loop, const pl_copy *copy) {
  pl_mention m = {.loop = loop, .stable = true, .snapshot_ok = true};
  for (pl_node *at = copy->store; at; at = at == copy->last ? NULL : at->kids[1])
    pl_node_walk(at->kids[0], look, &m);
  return pl_check_around(loop, copy->store, m);
}
