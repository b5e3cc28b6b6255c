/* slices.c - what belongs to the load side, what to the compute side?
 *
 * Needs: phases. Gives: tiles, the load slice, the compute slice, recurrences.
 * Raises: PL2010, PL2100, PL3001, PL3002, PL3008, PL3009, PL3010, PL4001,
 * PL4006, and what tiles.c and recurrences.c raise.
 *
 * The load slice grows from the statements that fill a tile: whatever gives a
 * value to a variable that they, or the loop's condition, use. Compute is the
 * rest, and takes along copies of the pure statements that it needs as well. */
#include "slices.h"

static bool fills_tile(const pl_loop *loop, const pl_stmt *stmt) {
  for (size_t i = 0; i < loop->ntiles; i++)
    if (pl_writes_shared(stmt, loop->tiles[i].decl))
      return true;
  return false;
}

/* The variable that brings a statement into the load slice: the first that is
 * known to be needed, and that is not of the statement's own. */
static const pl_decl *set_for_loads(const pl_closure *c, const pl_stmt *stmt) {
  for (size_t i = 0; i < c->n; i++)
    if (pl_writes_decl(&stmt->effects, c->needed[i]) &&
        !pl_declared_inside(c->needed[i], stmt->node))
      return c->needed[i];
  return NULL;
}

/* Whether the load phase sets all of a variable by a statement of its own. */
static const pl_stmt *set_anew(const pl_loop *loop, const pl_decl *decl) {
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t j = 0; j < loop->stmts[i].effects.n; j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      if (effect->root.decl == decl && !effect->root.member.n)
        return effect->kind == PL_EFFECT_WRITE && effect->whole &&
                       loop->stmts[i].phase == loop->load_phase
                   ? &loop->stmts[i]
                   : NULL;
    }
  return NULL;
}

/* Where a statement, or a part of one, sets a variable: what it reads for that, or
 * the part of it that reads something else besides. */
static const pl_node *place_of_setting(const pl_stmt *stmt, const pl_decl *decl,
                                       const pl_node *read) {
  for (size_t i = 0; i < stmt->effects.n; i++) {
    const pl_effect *effect = &stmt->effects.items[i];
    if (effect->kind != PL_EFFECT_WRITE || effect->root.decl != decl)
      continue;
    const pl_node *at = effect->node;
    while (at->parent && at != stmt->node &&
           (at->parent->kind == PL_NODE_ASSIGN ||
            at->parent->kind == PL_NODE_UNARY ||
            at->parent->kind == PL_NODE_PAREN))
      at = at->parent;
    return at->range.end && !pl_node_within(read, at) ? at : read;
  }
  return read;
}

static bool refuse_dependence(const pl_closure *c, const pl_stmt *stmt,
                              const pl_effect *read) {
  pl_loop *loop = c->loop;
  const pl_decl *decl = set_for_loads(c, stmt);
  const pl_stmt *anew = decl ? set_anew(loop, decl) : NULL;
  if (!decl)
    return pl_refuse(loop, true, "PL4001", read->node,
                     "the load side needs a value that is computed from "
                     "shared memory, '%.*s'",
                     PL_FMT(read->root.decl->name));
  const pl_node *at = place_of_setting(stmt, decl, read->node);
  if (stmt->always || stmt->repeated)
    return pl_refuse(loop, true, "PL4001", at,
                     "this is done in iterations, too, that load no tile, and needs "
                     "a value from shared memory, '%.*s'",
                     PL_FMT(read->root.decl->name));
  loop->serves_both = decl;
  pl_refuse(loop, !anew, "PL4001", at,
            "the load side needs '%.*s', which is set here beside a value from "
            "shared memory, '%.*s'",
            PL_FMT(decl->name), PL_FMT(read->root.decl->name));
  if (at != read->node)
    pl_loop_note(loop, read->node, "'%.*s' is read here",
                 PL_FMT(read->root.decl->name));
  if (anew)
    pl_loop_note(loop, anew->node,
                 "the loads set '%.*s' anew: as a variable of their own, declared "
                 "in the loop, it is no hindrance",
                 PL_FMT(decl->name));
  return false;
}

/* A load statement, or the value it needs, depends on what compute makes. */
static bool check_member(const pl_closure *c, const pl_stmt *stmt) {
  pl_loop *loop = c->loop;
  for (size_t i = 0; i < stmt->effects.n; i++) {
    const pl_effect *effect = &stmt->effects.items[i];
    pl_decl *decl = effect->root.decl;
    if (effect->space != PL_SPACE_SHARED || !pl_written_in_loop(loop, decl))
      continue;
    bool tile = pl_loop_tile(loop, decl) != NULL;
    if (tile && stmt->fills && pl_is_assembly(effect->node))
      return pl_refuse_assembly(loop, effect);
    if (effect->kind == PL_EFFECT_READ && stmt->fills && tile)
      return pl_refuse_read(loop, effect);
    if (effect->kind == PL_EFFECT_READ && stmt->fills)
      return pl_refuse(loop, true, "PL3010", effect->node,
                       "the tile is filled from shared memory, '%.*s'",
                       PL_FMT(decl->name));
    if (effect->kind == PL_EFFECT_READ || effect->kind == PL_EFFECT_ATOMIC)
      return refuse_dependence(c, stmt, effect);
    if (effect->kind == PL_EFFECT_WRITE && !tile)
      return pl_refuse(loop, true, "PL3008", effect->node,
                       "the load phase also writes the shared variable "
                       "'%.*s'",
                       PL_FMT(decl->name));
  }
  return true;
}

/* The variable is known by another name, or an object is made of it in a way that
 * may keep one. */
static bool refuse_other_name(pl_loop *loop, const pl_decl *decl,
                              const pl_node *at) {
  const pl_type *type =
      at->kind == PL_NODE_VAR && at->decl ? at->decl->type : NULL;
  if (type && type->kind == PL_TYPE_RECORD && !pl_str_starts(type->spelling, "("))
    return pl_refuse(loop, false, "PL3009", at,
                     "'%.*s' is handed to the constructor of '%.*s', and "
                     "whether '%.*s' keeps a reference to it is not followed",
                     PL_FMT(decl->name), PL_FMT(type->spelling),
                     PL_FMT(at->decl->name));
  if (at->kind == PL_NODE_RANGE_FOR)
    return pl_refuse(loop, false, "PL3009", at,
                     "what this range-based loop calls is not followed, and may change "
                     "'%.*s'; with an index in its place there is nothing to see",
                     PL_FMT(decl->name));
  return pl_refuse(loop, false, "PL3009", at,
                   "'%.*s' is also reached through a reference, pointer or "
                   "lambda%s",
                   PL_FMT(decl->name),
                   pl_in_lambda(at) || pl_node_has(at, PL_NODE_LAMBDA)
                       ? "; one that is handed it by value is no hindrance" : "");
}

/* Whether a store by way of another name, a member that is a reference, may be one
 * to a parameter: what a number of the caller's leads to is not known either. */
static bool may_be_set(const pl_loop *loop, const pl_decl *decl) {
  for (size_t i = 0; decl->kind == PL_DECL_PARAM && i < loop->nstmts; i++) {
    const pl_effects *effects = &loop->stmts[i].effects;
    for (size_t k = 0; k < effects->n; k++)
      if (effects->items[k].kind == PL_EFFECT_WRITE &&
          effects->items[k].space == PL_SPACE_UNKNOWN &&
          (effects->items[k].root.decl == decl || !effects->items[k].root.decl))
        return true;
  }
  return false;
}

/* A variable that the load side needs and the loop changes must be seen under
 * its one name. */
static bool check_exposed(pl_loop *loop, const pl_closure *c) {
  for (size_t i = 0; i < c->n; i++) {
    pl_decl *decl = c->needed[i];
    const pl_type *type = decl->type;
    bool own = type && type->kind != PL_TYPE_REFERENCE &&
               type->kind != PL_TYPE_POINTER;
    if ((!pl_written_in_loop(loop, decl) && !may_be_set(loop, decl)) ||
        (!own && !decl->node))
      continue;
    const pl_node *at = pl_other_name(loop, decl, true);
    if (at && !pl_declared_inside(decl, loop->body))
      return refuse_other_name(loop, decl, at);
  }
  return true;
}

static pl_head_item *head_item(const pl_loop *loop, const pl_stmt *stmt) {
  for (size_t i = 0; i < loop->nhead; i++)
    if (loop->head[i].node == stmt->node)
      return &loop->head[i];
  return NULL;
}

/* The statements of the head that its tests are made from; which of them the
 * rest of the load side, `load`, has no use for. */
static void note_head(pl_loop *loop, const pl_closure *load) {
  pl_closure asks = pl_closure_new(loop), rest = pl_closure_new(loop);
  pl_node_walk(loop->cond, pl_need_mentioned, &asks);
  pl_close_over(&asks);
  for (size_t i = 0; i < loop->nstmts; i++)
    if (load->member[i] && !head_item(loop, &loop->stmts[i]))
      pl_add_statement(&rest, i);
  pl_close_over(&rest);
  for (size_t i = 0; i < loop->nstmts; i++) {
    pl_head_item *item = head_item(loop, &loop->stmts[i]);
    if (!item)
      continue;
    item->needed = asks.member[i];
    loop->stmts[i].asks = loop->searches && asks.member[i];
    loop->stmts[i].only_asks = loop->searches && !rest.member[i];
  }
}

static bool build_load_slice(pl_loop *loop) {
  pl_closure c = pl_closure_new(loop);
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].phase == loop->load_phase &&
        !loop->stmts[i].is_barrier && fills_tile(loop, &loop->stmts[i])) {
      loop->stmts[i].fills = true;
      pl_add_statement(&c, i);
    }
  pl_node_walk(loop->cond, pl_need_mentioned, &c);
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].always)
      pl_add_statement(&c, i);
  pl_close_over(&c);
  note_head(loop, &c);
  if (!check_exposed(loop, &c))
    return false;
  for (size_t i = 0; i < loop->nstmts; i++) {
    loop->stmts[i].in_load = c.member[i];
    if (c.member[i] && !check_member(&c, &loop->stmts[i]))
      return false;
  }
  return true;
}

pl_stmt *pl_filling_writer(const pl_loop *loop, const pl_decl *decl) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].fills && pl_writes_decl(&loop->stmts[i].effects, decl))
      return &loop->stmts[i];
  return NULL;
}

/* Whether all that gives a variable a value stands in the load slice, beside
 * the fills, and sets all of it before anything reads it: `m = n - k;
 * if (m > T) m = T;` with an `m` from outside the loop. */
static bool is_set_by_load(const pl_loop *loop, const pl_decl *decl) {
  bool first = true;
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    for (size_t j = 0; j < stmt->effects.n; j++) {
      const pl_effect *effect = &stmt->effects.items[j];
      bool writes = effect->kind == PL_EFFECT_WRITE;
      if (effect->root.decl != decl || effect->root.member.n)
        continue;
      if (first && !(writes && effect->whole && !pl_node_is_loop(stmt->node)))
        return false;
      if (writes && (!stmt->in_load || stmt->fills || stmt->always ||
                     stmt->is_advance))
        return false;
      first = false;
    }
  }
  return !first;
}

/* Gives each side a variable of its own under the name of one from outside the
 * loop, if all that it holds is of the tile at hand. */
static bool set_by_both(pl_loop *loop, pl_decl *decl, pl_stmt *stmt) {
  bool header = (loop->init && pl_mentions(loop->init, decl)) ||
                (loop->cond && pl_mentions(loop->cond, decl)) ||
                (loop->inc && pl_mentions(loop->inc, decl));
  if (loop->searches || header || decl->kind != PL_DECL_VAR ||
      !pl_is_value_type(decl->type) || !is_set_by_load(loop, decl) ||
      pl_has_second_name(loop, decl))
    return false;
  pl_recurrence own = {.decl = decl, .step = stmt->node,
                       .stmt = (int)(stmt - loop->stmts), .restarts = true};
  PL_PUSH(loop->arena, loop->recurrences, loop->nrecurrences,
          loop->recurrences_cap, own);
  return true;
}

/* Compute needs what a load statement makes: it gets its own copy of a pure
 * one; a statement that also fills a tile cannot be copied. */
static bool share_with_compute(pl_loop *loop, pl_closure *c) {
  for (size_t k = 0; k < c->n; k++) {
    pl_decl *decl = c->needed[k];
    pl_stmt *fill = pl_filling_writer(loop, decl);
    bool inside = pl_declared_inside(decl, loop->body);
    loop->serves_both = decl; /* if it is refused for that */
    if (fill && !(inside && pl_node_within(decl->node, fill->node)))
      return pl_refuse(loop, false, "PL4006", fill->node,
                       "this statement fills a tile and also computes "
                       "'%.*s', which the compute phase needs",
                       PL_FMT(decl->name));
    bool recurrence = pl_steps_of(loop, decl) > 0;
    for (size_t i = 0; i < loop->nstmts; i++) {
      pl_stmt *stmt = &loop->stmts[i];
      if (stmt->is_barrier || stmt->fills || c->member[i])
        continue;
      bool declares = decl->node && pl_node_within(decl->node, stmt->node);
      if (!declares && !pl_writes_decl(&stmt->effects, decl))
        continue;
      recurrence = recurrence || (stmt->in_load && !inside &&
                                  set_by_both(loop, decl, stmt));
      if (stmt->in_load && !inside && !recurrence)
        return pl_refuse(loop, false, "PL4006", stmt->node,
                         "the load phase sets '%.*s', which the compute "
                         "phase needs as well",
                         PL_FMT(decl->name));
      pl_add_statement(c, i);
    }
  }
  return true;
}

/* An object that a call moves on serves the load side alone, where a copy of it
 * for the other side may not be as good. */
static bool check_objects(pl_loop *loop) {
  for (size_t i = 0; i < loop->nrecurrences; i++) {
    const pl_recurrence *r = &loop->recurrences[i];
    bool object = r->decl->type && r->decl->type->kind == PL_TYPE_RECORD;
    if (r->by_fill && r->compute_needs)
      return pl_refuse(loop, false, "PL2001", r->step,
                       "'%.*s' moves on by what fills the tile, and not only the "
                       "loads need it",
                       PL_FMT(r->decl->name));
    if (object && (r->compute_needs || pl_mentions(loop->cond, r->decl)) &&
        !pl_may_be_copied(loop, r->decl))
      return pl_refuse(loop, false, "PL2001", r->step,
                       r->step->kind == PL_NODE_CALL
                           ? "'%.*s' moves on by a call, and not only the loads "
                             "need it"
                           : "'%.*s' is an object that moves on, and not only the "
                             "loads need it: a copy of it may not be as good, "
                             "where functions see it or parts of it are no "
                             "numbers or pointers",
                       PL_FMT(r->decl->name));
  }
  return true;
}

static bool build_compute_slice(pl_loop *loop) {
  pl_closure c = pl_closure_new(loop);
  for (size_t i = 0; i < loop->nstmts; i++)
    if (!loop->stmts[i].is_barrier && !loop->stmts[i].in_load)
      pl_add_statement(&c, i);
  pl_share_own_steps(loop, &c);
  if (!share_with_compute(loop, &c))
    return false;
  for (size_t i = 0; i < loop->nstmts; i++)
    loop->stmts[i].in_compute = c.member[i];
  for (size_t i = 0; i < loop->nrecurrences; i++) {
    pl_recurrence *r = &loop->recurrences[i];
    for (size_t k = 0; k < c.n; k++)
      r->compute_needs = r->compute_needs || c.needed[k] == r->decl;
  }
  for (size_t i = 0; i < loop->nrecurrences; i++)
    for (size_t k = 0; k < loop->nrecurrences; k++)
      if (loop->recurrences[i].stmt >= 0 &&
          loop->recurrences[i].stmt == loop->recurrences[k].stmt &&
          loop->recurrences[k].compute_needs)
        loop->recurrences[i].compute_needs = true;
  return check_objects(loop);
}

/* What compute changes in a tile may not come before its fill in an iteration:
 * it would come behind it. */
static bool check_changes(pl_loop *loop, size_t last_fill) {
  for (size_t i = 0; i < last_fill; i++)
    for (size_t j = 0; j < loop->stmts[i].effects.n; j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      const pl_tile *tile = effect->space == PL_SPACE_SHARED
                                ? pl_loop_tile(loop, effect->root.decl)
                                : NULL;
      if (tile && tile->changed_at &&
          loop->stmts[i].phase != loop->load_phase)
        return pl_refuse(loop, true, "PL3001", effect->node,
                         "tile '%.*s' is used before it is filled, and "
                         "written in the compute phase too",
                         PL_FMT(tile->decl->name));
    }
  return true;
}

/* The tile that a statement reads, outside of the load phase; NULL: none. */
static const pl_effect *tile_read(pl_loop *loop, size_t stmt) {
  for (size_t j = 0; j < loop->stmts[stmt].effects.n; j++) {
    const pl_effect *effect = &loop->stmts[stmt].effects.items[j];
    if (effect->kind == PL_EFFECT_READ && effect->space == PL_SPACE_SHARED &&
        pl_loop_tile(loop, effect->root.decl) &&
        loop->stmts[stmt].phase != loop->load_phase)
      return effect;
  }
  return NULL;
}

/* The fills must come before the first use of what they fill. */
static bool check_order(pl_loop *loop) {
  size_t last_fill = 0;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].fills)
      last_fill = i;
  if (!check_changes(loop, last_fill))
    return false;
  const pl_effect *before = NULL;
  for (size_t i = 0; !before && i < last_fill; i++)
    before = tile_read(loop, i);
  if (!before)
    return true;
  pl_str name = before->root.decl->name;
  if (pl_statement_streams(loop, last_fill))
    for (size_t i = last_fill + 1; i < loop->nstmts; i++)
      if (tile_read(loop, i))
        return pl_refuse(loop, true, "PL3001", before->node,
                         "tile '%.*s' is read ahead of its loads, where it holds "
                         "the tile before",
                         PL_FMT(name));
  if (pl_statement_streams(loop, last_fill))
    return pl_loop_settle(loop, PL_VERDICT_ALREADY_PIPELINED, true, "PL2100", NULL,
                          "tile '%.*s' is loaded for the next iteration already",
                          PL_FMT(name));
  return pl_refuse(loop, true, "PL3001", loop->stmts[last_fill].node,
                   "tile '%.*s' is written after it was used", PL_FMT(name));
}

static void note_barriers(pl_loop *loop) {
  size_t first_fill = loop->nstmts, last_use = 0;
  for (size_t i = loop->nstmts; i-- > 0;)
    if (loop->stmts[i].fills)
      first_fill = i;
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t j = 0; j < loop->stmts[i].effects.n; j++)
      if (loop->stmts[i].effects.items[j].kind == PL_EFFECT_READ &&
          loop->stmts[i].effects.items[j].space == PL_SPACE_SHARED)
        last_use = i;
  for (size_t i = 0; i < loop->nstmts; i++) {
    if (!loop->stmts[i].is_barrier)
      continue;
    loop->barrier_first = loop->barrier_first || i < first_fill;
    loop->barrier_last = loop->barrier_last || i > last_use;
  }
}

void pl_slice(pl_loop *loop) {
  if (loop->settled)
    return;
  pl_effects_of(loop->effects, loop->func, loop->inc, &loop->header_effects);
  pl_effects_of(loop->effects, loop->func, loop->cond, &loop->header_effects);
  if (!pl_choose_tiles(loop) || !build_load_slice(loop) || !check_order(loop) ||
      !pl_find_recurrences(loop) || !build_compute_slice(loop))
    return;
  note_barriers(loop);
}
