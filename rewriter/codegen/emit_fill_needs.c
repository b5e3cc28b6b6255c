/* emit_fill_needs.c - what a mode needs of a fill.
 *
 * Needs: split and the effects of statements. Gives: whether a statement has
 * text in a mode, and the names that such text needs, to a fixed point. Raises
 * nothing. */
#include "cfg.h"
#include "copies.h"
#include "emit_fill.h"

pl_fill_mode pl_mode_of(pl_fill_mode mode, bool early) {
  if (mode != PL_FILL_MIXED)
    return mode;
  return early ? PL_FILL_ASYNC : PL_FILL_FETCH;
}

bool pl_fetches(pl_fill_mode mode) {
  return mode == PL_FILL_FETCH || mode == PL_FILL_MIXED;
}

bool pl_is_copied_async(const pl_emitter *e, const pl_copy *copy) {
  return copy->load && (copy->early || !e->loop->mixed) &&
         (!copy->async_id || !copy->wide || e->joins);
}

static bool has_registers(const pl_emitter *e, const pl_copy *copy) {
  return pl_is_staged_value(e, copy) || copy->staging != PL_STAGE_NOTHING;
}

bool pl_stages_below(const pl_emitter *e, const pl_node *node) {
  const pl_fill *fill = &e->loop->fill;
  for (size_t i = 0; i < fill->ncopies; i++)
    if (has_registers(e, &fill->copies[i]) &&
        pl_node_within(fill->copies[i].store, node))
      return true;
  for (size_t i = 0; i < fill->nstaged; i++)
    if (pl_node_within(fill->staged[i], node))
      return true;
  for (size_t i = 0; i < fill->ncalls; i++)
    if (!fill->calls[i].early && !pl_only_stores(e, &fill->calls[i]) &&
        pl_node_within(fill->calls[i].node, node))
      return true;
  return false;
}

bool pl_is_staged_local(const pl_emitter *e, const pl_node *var) {
  return pl_is_among(var, e->loop->fill.staged, e->loop->fill.nstaged);
}

bool pl_is_wanted(const pl_emitter *e, const pl_decl *decl) {
  return pl_is_among(decl, e->wanted, e->nwanted);
}

static bool want(pl_node *node, void *context) {
  pl_emitter *e = context;
  if (node->kind == PL_NODE_REF && node->decl && !pl_is_wanted(e, node->decl))
    PL_PUSH(e->arena, e->wanted, e->nwanted, e->wanted_cap, node->decl);
  return true;
}

/* Whether a plain statement sets something that this mode still needs; the
 * fetch (or the asynchronous copy) also keeps what outlives the fill. */
static bool writes_wanted(pl_emitter *e, pl_node *node, pl_fill_mode mode) {
  pl_effects effects = pl_effects_in(e->loop, node);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    if (effect->kind != PL_EFFECT_WRITE)
      continue;
    bool nested = pl_is_nested(&e->loop->fill, effect->root.decl);
    if (nested ? pl_is_wanted(e, effect->root.decl) : mode != PL_FILL_STORE)
      return true;
  }
  return false;
}

typedef struct source_walk {
  pl_emitter *e;
  const pl_copy *copy;
} source_walk;

static bool want_beside_leaves(pl_node *node, void *context) {
  source_walk *w = context;
  for (size_t i = 0; i < w->copy->nleaves; i++)
    if (w->copy->leaves[i] == node)
      return false;
  return want(node, w->e);
}

/* What the stored value is made of, but for the loads whose results lie in
 * registers by then. */
static void want_stored_value(pl_emitter *e, const pl_copy *copy) {
  source_walk w = {e, copy};
  if (copy->staging == PL_STAGE_LEAVES)
    pl_node_walk(copy->src, want_beside_leaves, &w);
  else
    pl_node_walk(copy->src, want, e);
}

static void want_of_copy(pl_emitter *e, const pl_copy *copy,
                         pl_fill_mode mode) {
  mode = pl_mode_of(mode, copy->early);
  bool value = pl_is_staged_value(e, copy);
  pl_node_walk(copy->nbytes, want, e);
  for (pl_node *at = copy->store; mode != PL_FILL_FETCH; at = at->kids[1]) {
    pl_node_walk(at->kids[0], want, e);
    if (at == copy->last)
      break;
  }
  if (mode == PL_FILL_ASYNC)
    pl_node_walk(pl_is_copied_async(e, copy) ? pl_async_source(copy)
                                             : copy->src,
                 want, e);
  else if (value && mode == PL_FILL_FETCH)
    pl_node_walk(copy->src, want, e);
  else if (!value && mode == PL_FILL_STORE)
    want_stored_value(e, copy);
  for (size_t i = 0; mode == PL_FILL_FETCH && !value &&
                     copy->staging == PL_STAGE_LEAVES && i < copy->nleaves;
       i++)
    pl_node_walk(copy->leaves[i], want, e);
}

/* Whether a loop's header sets something that outlives the loop. */
static bool steps_wanted(pl_emitter *e, pl_node *inc, pl_fill_mode mode) {
  const pl_node *up = inc ? inc->parent : NULL;
  pl_effects effects = pl_effects_in(e->loop, inc);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_decl *decl = effects.items[i].root.decl;
    if (effects.items[i].kind == PL_EFFECT_WRITE && decl && decl->node && up &&
        !pl_node_within(decl->node, up) && pl_is_nested(&e->loop->fill, decl) &&
        pl_is_wanted(e, decl))
      return true;
  }
  (void)mode;
  return false;
}

bool pl_has_content(pl_emitter *e, pl_node *node, pl_fill_mode mode) {
  if (!node)
    return false;
  const pl_fill_call *call = pl_fill_call_at(&e->loop->fill, node);
  if (call)
    return mode == PL_FILL_STORE ? !call->early
                                 : !pl_fetches(mode) || call->early ||
                                       !pl_only_stores(e, call);
  const pl_copy *copy = pl_fill_copy(&e->loop->fill, node);
  if (copy && copy->early)
    return mode != PL_FILL_STORE;
  if (copy)
    return !pl_fetches(mode) || has_registers(e, copy);
  switch (node->kind) {
  case PL_NODE_COMPOUND:
    for (uint32_t i = 0; i < node->nkids; i++)
      if (pl_has_content(e, node->kids[i], mode))
        return true;
    return false;
  case PL_NODE_IF:
    return pl_has_content(e, node->kids[1], mode) ||
           (node->nkids > 2 && pl_has_content(e, node->kids[2], mode));
  case PL_NODE_FOR:
    return pl_has_content(e, node->kids[3], mode) ||
           steps_wanted(e, node->kids[2], mode);
  case PL_NODE_WHILE:
  case PL_NODE_DO:
    return pl_has_content(e, pl_node_loop_body(node), mode);
  case PL_NODE_BREAK:
  case PL_NODE_CONTINUE:
    return false;
  case PL_NODE_DECL_STMT:
    if (pl_fetches(mode))
      for (uint32_t i = 0; i < node->nkids; i++)
        if (pl_is_staged_local(e, node->kids[i]))
          return true;
    return false;
  default:
    return writes_wanted(e, node, mode);
  }
}

static void want_of_declaration(pl_emitter *e, pl_node *node,
                                pl_fill_mode mode) {
  for (uint32_t i = 0; i < node->nkids; i++) {
    pl_node *var = node->kids[i];
    if (var->kind != PL_NODE_VAR)
      continue;
    if (pl_is_staged_local(e, var)
            ? pl_fetches(mode) ||
                  (mode == PL_FILL_ASYNC && pl_is_wanted(e, var->decl))
            : pl_is_wanted(e, var->decl))
      pl_node_walk(var, want, e);
  }
}

typedef struct remainder_walk {
  pl_emitter *e;
  const pl_node *loop;
} remainder_walk;

static bool want_from_outside(pl_node *node, void *context) {
  remainder_walk *w = context;
  bool own = node->decl && node->decl->node &&
             pl_node_within(node->decl->node, w->loop);
  if (!own)
    want(node, w->e);
  return true;
}

/* The user's own loop, which takes what the unrolled one leaves, declares its
 * own locals. */
static void want_of_remainder(pl_emitter *e, pl_node *loop) {
  remainder_walk w = {e, loop};
  pl_node_walk(loop, want_from_outside, &w);
}

/* A clone's call names the arguments that it takes. */
static void want_of_call(pl_emitter *e, const pl_fill_call *call,
                         pl_fill_mode mode) {
  mode = pl_mode_of(mode, call->early);
  bool *drops =
      mode == PL_FILL_ASYNC ? NULL : pl_unused_parameters(e, call, mode);
  for (uint32_t i = 0; i < call->node->nkids; i++)
    if (!i || !drops || !drops[i - 1])
      pl_node_walk(call->node->kids[i], want, e);
}

/* Adds what the text that a mode prints below `node` names. */
static void want_below(pl_emitter *e, pl_node *node, pl_fill_mode mode) {
  if (!node)
    return;
  if (pl_is_together_at(e, node, mode)) {
    pl_want_together(e, node, want);
    return;
  }
  const pl_copy *wide = pl_wide_copy_at(e, node, mode);
  if (wide) {
    pl_want_of_wide(e, wide, want);
    return;
  }
  const pl_copy *copy = pl_fill_copy(&e->loop->fill, node);
  if (copy) {
    if (pl_has_content(e, node, mode))
      want_of_copy(e, copy, mode);
    return;
  }
  const pl_fill_call *call = pl_fill_call_at(&e->loop->fill, node);
  if (call && !pl_has_content(e, node, mode))
    return;
  if (call) {
    want_of_call(e, call, mode);
    return;
  }
  if (node->kind == PL_NODE_DECL_STMT) {
    want_of_declaration(e, node, mode);
    return;
  }
  if (node->kind != PL_NODE_COMPOUND && !pl_has_content(e, node, mode) &&
      !pl_cfg_jump_out(node, PL_JUMP_LOOP))
    return;
  const pl_copy_loop *c = pl_fill_loop(&e->loop->fill, node);
  if (mode == PL_FILL_STORE && c && c->var && c->assumed)
    want_of_remainder(e, node);
  if (mode == PL_FILL_STORE && pl_chooses_value(e, node)) {
    want_of_copy(e, pl_only_copy(&e->loop->fill, node->kids[1]), mode);
    return;
  }
  for (uint32_t i = 0; i < node->nkids; i++) {
    bool below = node->kind == PL_NODE_COMPOUND ||
                 (node->kind == PL_NODE_IF && i > 0) ||
                 (node->kids[i] && node->kids[i] == pl_node_loop_body(node));
    if (below)
      want_below(e, node->kids[i], mode);
    else
      pl_node_walk(node->kids[i], want, e);
  }
}

/* Whether a mode's text has a statement that fills nothing. In the mixed form
 * the names of places in a tile are still in sight of the store. */
bool pl_is_text_of(const pl_emitter *e, const pl_stmt *stmt,
                   pl_fill_mode mode) {
  if (mode == PL_FILL_ASYNC || mode == PL_FILL_MIXED)
    return true;
  bool store = mode == PL_FILL_STORE;
  return store == stmt->names_tile && !(store && e->loop->mixed);
}

bool pl_only_fills_local(const pl_emitter *e, const pl_node *node) {
  const pl_fill *fill = &e->loop->fill;
  for (size_t i = 0; i < fill->ncopies; i++)
    if (fill->copies[i].filled_by == node &&
        pl_is_copied_async(e, &fill->copies[i]))
      return true;
  return false;
}

void pl_find_wanted_below(pl_emitter *e, pl_node *node, pl_fill_mode mode) {
  size_t before;
  e->wanted = NULL;
  e->nwanted = e->wanted_cap = 0;
  do {
    before = e->nwanted;
    want_below(e, node, mode);
  } while (e->nwanted > before);
}

/* The names that a mode's text needs, to a fixed point. */
void pl_find_wanted(pl_emitter *e, pl_fill_mode mode) {
  bool copies = mode == PL_FILL_ASYNC || mode == PL_FILL_MIXED;
  size_t before;
  e->nwanted = 0;
  do {
    before = e->nwanted;
    for (size_t i = 0; i < e->loop->nstmts; i++) {
      const pl_stmt *stmt = &e->loop->stmts[i];
      if (stmt->fills || stmt->restarts)
        want_below(e, stmt->node, mode);
      else if (stmt->in_load && !stmt->is_advance &&
               pl_is_text_of(e, stmt, mode) &&
               !(copies && pl_only_fills_local(e, stmt->node)))
        pl_node_walk(stmt->node, want, e);
    }
  } while (e->nwanted > before);
}
