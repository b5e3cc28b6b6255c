/* legality.c - may the load side run ahead?
 *
 * Needs: slices and copies. Gives: a verdict with a reason and a place, or
 * none; and for each tile what speaks against more than one stage. Raises:
 * PL1004, PL2001, PL2004, PL2005, PL2006, PL2008, PL2009, PL2010, PL3001,
 * PL3007, PL3008, PL3009, PL4002, PL4003, PL4004, PL4005.
 *
 * Rules in the order of the questions: does each phase do what it may, is the
 * trip count the same for all threads, and does memory stay as it was when a
 * load happens a tile earlier? */
#include "loop.h"

/* ---- phases ---------------------------------------------------------------- */

static bool is_memory(const pl_effect *effect) {
  return effect->kind == PL_EFFECT_READ || effect->kind == PL_EFFECT_WRITE ||
         effect->kind == PL_EFFECT_ATOMIC;
}

static bool is_write(const pl_effect *effect) {
  return effect->kind == PL_EFFECT_WRITE || effect->kind == PL_EFFECT_ATOMIC;
}

static bool check_load_effect(pl_loop *loop, const pl_effect *effect) {
  pl_decl *decl = effect->root.decl;
  switch (effect->kind) {
  case PL_EFFECT_ASM:
    return pl_refuse(loop, false, "PL2010", effect->node,
                     "inline assembly takes part in loading the tile");
  case PL_EFFECT_SIDE:
    return pl_refuse(loop, true, "PL4005", effect->node,
                     "the load phase has a side effect that would happen too "
                     "early");
  case PL_EFFECT_BARRIER:
    return pl_refuse(loop, false, "PL2006", effect->node,
                     "a barrier stands inside the load phase");
  case PL_EFFECT_READ:
    if (decl || effect->space != PL_SPACE_UNKNOWN)
      return true;
    return pl_refuse(loop, false, "PL4001", effect->node,
                     "what the load side reads here cannot be followed");
  case PL_EFFECT_ATOMIC:
    return pl_refuse(loop, true, "PL4005", effect->node,
                     "the load phase updates memory atomically");
  case PL_EFFECT_WRITE:
    if (effect->space == PL_SPACE_SHARED || effect->space == PL_SPACE_LOCAL)
      return true;
    return pl_refuse(loop, true, "PL4005", effect->node,
                     "the load phase stores to memory%s%.*s%s",
                     decl ? ", '" : "", decl ? (int)decl->name.n : 0,
                     decl ? decl->name.p : "", decl ? "'" : "");
  default:
    return true;
  }
}

static bool check_load_side(pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    if (!loop->stmts[i].in_load)
      continue;
    pl_effects *effects = &loop->stmts[i].effects;
    for (size_t j = 0; j < effects->n; j++)
      if (!check_load_effect(loop, &effects->items[j]))
        return false;
  }
  return true;
}

static bool is_restrict(pl_root root);

/* Plain pointer parameters: only one object behind two names would make a race
 * of what the kernel does with them as it stands. */
static bool is_param(pl_root root) {
  return root.decl && root.decl->kind == PL_DECL_PARAM && !root.member.n;
}

/* A constant of the language, or an object in constant memory: nothing else
 * leads there. */
static bool is_constant(pl_root root) {
  return pl_root_space(root) == PL_SPACE_CONSTANT;
}

/* Whether two effects of different phases meet on one object, one of them
 * writing, so that the barrier between them matters. */
static bool meet(const pl_effect *a, const pl_effect *b) {
  if (!is_memory(a) || !is_memory(b) || (!is_write(a) && !is_write(b)))
    return false;
  if (a->space == PL_SPACE_LOCAL || b->space == PL_SPACE_LOCAL)
    return false;
  if (a->root.decl == b->root.decl)
    return true;
  bool apart = a->space == PL_SPACE_SHARED || b->space == PL_SPACE_SHARED ||
               is_constant(a->root) || is_constant(b->root) ||
               is_restrict(a->root) || is_restrict(b->root) ||
               (is_param(a->root) && is_param(b->root));
  return !apart || !a->root.decl || !b->root.decl;
}

/* Compute statements that stand in the load phase move behind its barrier;
 * nothing that they touch may need that barrier. */
static bool check_moved(pl_loop *loop, const pl_stmt *moved) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *other = &loop->stmts[i];
    if (other->phase == loop->load_phase || other->is_barrier)
      continue;
    for (size_t j = 0; j < moved->effects.n; j++)
      for (size_t k = 0; k < other->effects.n; k++) {
        const pl_effect *a = &moved->effects.items[j];
        if (!meet(a, &other->effects.items[k]))
          continue;
        return pl_refuse(loop, false, "PL3008", a->node,
                         "'%.*s' is used on both sides of a barrier that "
                         "would move",
                         PL_FMT(a->root.decl ? a->root.decl->name
                                             : PL_STR("memory")));
      }
  }
  return true;
}

static size_t barriers_before(const pl_loop *loop, size_t index) {
  size_t n = 0;
  for (size_t i = 0; i < index; i++)
    n += loop->stmts[i].is_barrier;
  return n;
}

/* Whether a fill follows statement `index` before the next barrier. */
static bool comes_before_fill(const pl_loop *loop, size_t index) {
  for (size_t i = index + 1; i < loop->nstmts; i++) {
    if (loop->stmts[i].is_barrier)
      return false;
    if (loop->stmts[i].fills)
      return true;
  }
  return false;
}

/* Whether a statement stands among the fills, not merely in the same cyclic
 * phase at the other end of the body. */
static bool stands_with_fills(const pl_loop *loop, size_t index) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].fills &&
        barriers_before(loop, i) == barriers_before(loop, index))
      return true;
  return false;
}

/* The load phase may compute, but it may not print or store. */
static bool check_phase_effects(pl_loop *loop, size_t index) {
  const pl_effects *effects = &loop->stmts[index].effects;
  for (size_t j = 0; stands_with_fills(loop, index) && j < effects->n; j++) {
    const pl_effect *effect = &effects->items[j];
    if (effect->kind == PL_EFFECT_ASM)
      return pl_refuse(loop, false, "PL2010", effect->node,
                       "inline assembly stands in the load phase");
    if (effect->kind == PL_EFFECT_SIDE ||
        (is_write(effect) && (effect->space == PL_SPACE_GLOBAL ||
                              effect->space == PL_SPACE_UNKNOWN)))
      return pl_refuse(loop, true, "PL4005", effect->node,
                       "the load phase does more than load");
  }
  return true;
}

/* A tile that is used in the phase that fills it. Barriers of inner loops may
 * stand between the two, which is for nobody to see. */
static bool refuse_race(pl_loop *loop, size_t index, const pl_effect *use,
                        const pl_tile *tile) {
  if (stands_with_fills(loop, index))
    return pl_refuse(loop, true, "PL2008", use->node,
                     "no barrier stands between filling tile '%.*s' and using "
                     "it",
                     PL_FMT(tile->decl->name));
  bool inner = pl_effects_find(&loop->stmts[index].effects, PL_EFFECT_BARRIER);
  return pl_refuse(loop, !inner, "PL2008", use->node,
                   "no barrier%s stands between using tile '%.*s' and filling "
                   "it again",
                   inner ? " of the loop's own" : "", PL_FMT(tile->decl->name));
}

static bool check_compute_in_load_phase(pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (stmt->is_barrier || stmt->phase != loop->load_phase || stmt->in_load)
      continue;
    for (size_t j = 0; j < stmt->effects.n; j++) {
      const pl_effect *effect = &stmt->effects.items[j];
      pl_tile *tile = effect->space == PL_SPACE_SHARED
                          ? pl_loop_tile(loop, effect->root.decl)
                          : NULL;
      if (tile && is_memory(effect) && comes_before_fill(loop, i))
        return pl_refuse(loop, true, "PL3002", effect->node,
                         "tile '%.*s' is read in the load phase",
                         PL_FMT(tile->decl->name));
      if (tile && is_memory(effect))
        return refuse_race(loop, i, effect, tile);
    }
    if (!check_phase_effects(loop, i) || !check_moved(loop, stmt))
      return false;
  }
  return true;
}

static bool check_compute_writes(pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    for (size_t j = 0; !stmt->fills && j < stmt->effects.n; j++) {
      const pl_effect *effect = &stmt->effects.items[j];
      pl_tile *tile = effect->space == PL_SPACE_SHARED
                          ? pl_loop_tile(loop, effect->root.decl)
                          : NULL;
      if (tile && is_write(effect))
        return pl_refuse(loop, true, "PL3001", effect->node,
                         "tile '%.*s' is written in the compute phase",
                         PL_FMT(tile->decl->name));
    }
  }
  return true;
}

static bool stores_address(pl_node *node, void *context);

typedef struct escape_walk {
  pl_loop *loop;
  bool ok;
} escape_walk;

/* A tile's address that is written to memory cannot be followed. */
static bool stores_address(pl_node *node, void *context) {
  escape_walk *w = context;
  if (node->kind != PL_NODE_ASSIGN || !node->kids[0]->type)
    return w->ok;
  if (node->kids[0]->type->kind != PL_TYPE_POINTER)
    return w->ok;
  pl_node *target = pl_node_bare(node->kids[0]);
  if (target->kind == PL_NODE_REF && target->decl &&
      !target->decl->is_shared && target->decl->owner)
    return w->ok;
  pl_roots roots = {0};
  pl_roots_of(w->loop->effects, w->loop->func, node->kids[1], &roots);
  for (size_t i = 0; i < roots.n; i++)
    if (roots.items[i].decl && pl_loop_tile(w->loop, roots.items[i].decl)) {
      w->ok = pl_refuse(w->loop, false, "PL3007", node,
                        "the address of tile '%.*s' is stored",
                        PL_FMT(roots.items[i].decl->name));
      return false;
    }
  return w->ok;
}

/* Whether something may run before the loop has ended: it stands before that
 * end, or a loop around both brings it back. */
static bool runs_before_end(const pl_loop *loop, const pl_node *node) {
  if (node->range.begin < loop->node->range.end)
    return true;
  for (const pl_node *up = loop->node->parent; up; up = up->parent)
    if (up->kind == PL_NODE_FOR || up->kind == PL_NODE_WHILE ||
        up->kind == PL_NODE_DO)
      return true;
  return false;
}

/* A tile whose address has left the kernel's sight before or inside the loop:
 * another block of the cluster, or whoever keeps it, finds one buffer there. */
static bool check_escapes(pl_loop *loop) {
  pl_effects effects = {0};
  pl_effects_of(loop->effects, loop->func, loop->func->body, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    pl_tile *tile = effect->kind == PL_EFFECT_ESCAPE
                        ? pl_loop_tile(loop, effect->root.decl)
                        : NULL;
    if (tile && runs_before_end(loop, effect->node))
      return pl_refuse(loop, false, "PL3007", effect->node,
                       "the address of tile '%.*s' is passed to where it "
                       "cannot be followed",
                       PL_FMT(tile->decl->name));
  }
  return true;
}

static bool check_calls(pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_effect *unseen =
        pl_effects_find(&loop->stmts[i].effects, PL_EFFECT_UNSEEN);
    if (!unseen)
      continue;
    return pl_refuse(loop, false, "PL4004", unseen->node,
                     "the body of '%.*s' is not seen, so what it reads and "
                     "writes is not known",
                     PL_FMT(pl_callee_name(unseen->node)));
  }
  return true;
}

/* The block's own shared memory is seen by no other block: atomics on what is
 * no tile are ordered by the barriers, as plain stores are. */
static bool check_atomics(pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    for (size_t j = 0; j < stmt->effects.n; j++) {
      const pl_effect *effect = &stmt->effects.items[j];
      if (effect->kind == PL_EFFECT_ATOMIC &&
          effect->space != PL_SPACE_SHARED)
        return pl_refuse(loop, false, "PL2009", effect->node,
                         "an atomic operation in the loop may order it "
                         "against other blocks");
      if (effect->kind == PL_EFFECT_ASM)
        return pl_refuse(loop, false, "PL2009", effect->node,
                         "inline assembly in the loop may touch memory");
    }
  }
  return true;
}

/* ---- memory ----------------------------------------------------------------- */

static pl_str root_name(pl_loop *loop, pl_root root) {
  if (!root.decl)
    return PL_STR("an address that cannot be followed");
  if (!root.member.n)
    return root.decl->name;
  return pl_arena_printf(loop->arena, "%.*s.%.*s", PL_FMT(root.decl->name),
                         PL_FMT(root.member));
}

static bool is_restrict(pl_root root) {
  return root.decl && !root.member.n && root.decl->type &&
         root.decl->type->kind == PL_TYPE_POINTER &&
         root.decl->type->is_restrict;
}

static bool is_object(pl_root root) {
  return root.decl && !root.member.n && root.decl->kind == PL_DECL_VAR &&
         !root.decl->owner && root.decl->type &&
         root.decl->type->kind != PL_TYPE_POINTER;
}

/* A pointer that is read from memory each time: a __device__ variable, an
 * element of a table. */
static bool is_stored_pointer(pl_root root) {
  if (root.member.n)
    return pl_str_starts(root.member, "*");
  return root.decl && root.decl->kind == PL_DECL_VAR && !root.decl->owner &&
         root.decl->type && root.decl->type->kind == PL_TYPE_POINTER;
}

/* Whether the function may put an address into the memory that such a pointer
 * is read from: a copy of a __restrict__ pointer there is no other pointer.
 * [C11 6.7.3.1: "based on"] */
static bool may_be_copy(const pl_loop *loop, pl_root root) {
  if (!is_stored_pointer(root))
    return false;
  pl_effects effects = {0};
  pl_effects_of(loop->effects, loop->func, loop->func->body, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    if (effect->kind == PL_EFFECT_UNSEEN)
      return true;
    if (!is_write(effect) || effect->space == PL_SPACE_LOCAL)
      continue;
    if (!effect->root.decl)
      return true;
    if (effect->root.decl == root.decl && effect->root.member.n < root.member.n)
      return true;
    if (effect->root.decl == root.decl && !root.member.n &&
        (effect->direct || effect->by_call))
      return true;
  }
  return false;
}

/* PL4003: the same pointer; PL4002: perhaps the same memory; NULL: apart.
 * [restrict: C11 6.7.3.1, in CUDA as __restrict__] */
static const char *alias_reason(const pl_loop *loop, const pl_effect *store,
                                pl_root load) {
  if (store->space == PL_SPACE_LOCAL || store->space == PL_SPACE_SHARED)
    return NULL;
  if (store->root.decl && pl_root_eq(store->root, load))
    return "PL4003";
  if (is_constant(store->root) || is_constant(load))
    return NULL;
  if (store->root.decl && load.decl &&
      (is_restrict(store->root) || is_restrict(load)) &&
      !may_be_copy(loop, store->root) && !may_be_copy(loop, load))
    return NULL;
  if (is_object(store->root) && is_object(load))
    return NULL;
  return "PL4002";
}

/* One global store of the loop against one load that runs ahead of it. */
static bool check_pair(pl_loop *loop, const pl_effect *store,
                       const pl_effect *load, const char *cond_id) {
  if (load->space == PL_SPACE_LOCAL || load->space == PL_SPACE_SHARED)
    return true;
  const char *id = alias_reason(loop, store, load->root);
  if (!id)
    return true;
  bool same = id[5] == '3';
  if (!same && loop->options->assume_no_alias && store->root.decl)
    return true;
  pl_str from = root_name(loop, load->root);
  pl_str to = root_name(loop, store->root);
  if (cond_id)
    return pl_refuse(loop, same, cond_id, loop->cond,
                     "the condition reads '%.*s', which the loop may write "
                     "through '%.*s'",
                     PL_FMT(from), PL_FMT(to));
  pl_refuse(loop, same, id, store->node,
            same ? "this stores to '%.*s', which a later tile is loaded from"
                 : "this store to '%.*s' may change what a later tile loads "
                   "from '%.*s'",
            PL_FMT(to), PL_FMT(from));
  pl_loop_note(loop, load->node, "the tile is loaded here");
  if (!same)
    pl_loop_note(loop, store->node,
                 "__restrict__ on one of the two, or --assume-no-alias, "
                 "settles it");
  return false;
}

static bool check_against_stores(pl_loop *loop, const pl_effect *load,
                                 const char *cond_id) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    for (size_t j = 0; !stmt->fills && j < stmt->effects.n; j++) {
      const pl_effect *store = &stmt->effects.items[j];
      if (is_write(store) && !check_pair(loop, store, load, cond_id))
        return false;
    }
  }
  return true;
}

/* Shared memory that the loop writes may not decide the condition or a load;
 * the slices have seen to loads. */
static bool check_condition_memory(pl_loop *loop) {
  pl_effects effects = {0};
  pl_effects_of(loop->effects, loop->func, loop->cond, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *read = &effects.items[i];
    if (read->kind != PL_EFFECT_READ)
      continue;
    for (size_t s = 0; read->space == PL_SPACE_SHARED && s < loop->nstmts; s++)
      for (size_t j = 0; j < loop->stmts[s].effects.n; j++) {
        const pl_effect *other = &loop->stmts[s].effects.items[j];
        if (is_write(other) && other->root.decl == read->root.decl)
          return pl_refuse(loop, true, "PL2005", loop->cond,
                           "the condition reads '%.*s', which the loop "
                           "writes",
                           PL_FMT(read->root.decl->name));
      }
    if (!check_against_stores(loop, read, "PL2005"))
      return false;
  }
  return true;
}

static bool check_loads(pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    for (size_t j = 0; stmt->in_load && j < stmt->effects.n; j++) {
      const pl_effect *load = &stmt->effects.items[j];
      if (load->kind == PL_EFFECT_READ &&
          !check_against_stores(loop, load, NULL))
        return false;
    }
  }
  return true;
}

/* ---- names that cannot be rebound ------------------------------------------- */

bool pl_names_type(const pl_unit *unit, const pl_node *ref) {
  if (!pl_str_eq(pl_unit_slice(unit, ref->range), ref->decl->name))
    return false;
  for (const pl_node *up = ref->parent; up; up = up->parent)
    if (up->kind == PL_NODE_SIZEOF ||
        (up->kind == PL_NODE_CALL && up->has_ival))
      return true;
  return false;
}

typedef struct name_walk {
  pl_loop *loop;
  bool ok;
} name_walk;

static bool lambda_names(pl_node *node, void *context) {
  name_walk *w = context;
  if (node->kind == PL_NODE_REF && node->decl) {
    pl_tile *tile = pl_loop_tile(w->loop, node->decl);
    if (tile && !tile->fixed) {
      tile->fixed = true;
      tile->fixed_at = node;
    }
  }
  return true;
}

/* Where a constant expression names a tile, an alias will do for sizeof alone;
 * outside the loop one of the stages does for a constexpr function too. */
static bool constant_names(pl_node *node, void *context) {
  name_walk *w = context;
  if (node->kind == PL_NODE_SIZEOF)
    return false;
  if (node->kind != PL_NODE_REF || !node->decl ||
      (pl_names_type(w->loop->unit, node) &&
       !pl_node_within(node, w->loop->node)))
    return true;
  return lambda_names(node, context);
}

/* Lambdas and constant-evaluated initialisers that name a tile. */
static bool find_fixed(pl_node *node, void *context) {
  if (node->kind == PL_NODE_LAMBDA)
    pl_node_walk(node, lambda_names, context);
  if (node->kind == PL_NODE_VAR && node->decl && node->decl->is_constexpr &&
      node->nkids)
    pl_node_walk(node->kids[0], constant_names, context);
  return true;
}

static bool lambda_holds(pl_node *node, const pl_decl *decl) {
  if (!node)
    return false;
  if (node->kind == PL_NODE_LAMBDA)
    return pl_mentions(node, decl);
  for (uint32_t i = 0; i < node->nkids; i++)
    if (lambda_holds(node->kids[i], decl))
      return true;
  return false;
}

static bool address_taken(const pl_node *node, const pl_decl *decl) {
  if (!node)
    return false;
  if (node->kind == PL_NODE_UNARY && node->op == PL_OP_ADDR) {
    const pl_node *target = pl_node_bare(node->kids[0]);
    if (target && target->kind == PL_NODE_REF && target->decl == decl)
      return true;
  }
  if (node->kind == PL_NODE_VAR && node->decl && node->decl->type &&
      node->decl->type->kind == PL_TYPE_REFERENCE && node->nkids &&
      node->kids[0] && pl_node_bare(node->kids[0])->kind == PL_NODE_REF &&
      pl_node_bare(node->kids[0])->decl == decl)
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (address_taken(node->kids[i], decl))
      return true;
  return false;
}

/* A recurrence that something else can see under its address must not get a
 * second copy. */
static bool check_recurrence_names(pl_loop *loop) {
  for (size_t i = 0; i < loop->nrecurrences; i++) {
    const pl_decl *decl = loop->recurrences[i].decl;
    if (address_taken(loop->func->body, decl) ||
        lambda_holds(loop->func->body, decl))
      return pl_refuse(loop, false, "PL3009", loop->recurrences[i].step,
                       "'%.*s' is also reached through a reference or lambda",
                       PL_FMT(decl->name));
  }
  return true;
}

static void find_decltype(pl_loop *loop) {
  for (uint32_t i = 0; i + 2 < loop->unit->ntokens; i++) {
    const pl_token *token = &loop->unit->tokens[i];
    if (token->kind != PL_TOK_IDENT ||
        !pl_range_inside(token->range, loop->func->body->range) ||
        !pl_str_is(pl_unit_slice(loop->unit, token->range), "decltype"))
      continue;
    for (uint32_t j = i + 1; j < i + 8 && j < loop->unit->ntokens; j++)
      for (size_t t = 0; t < loop->ntiles; t++)
        if (pl_str_eq(pl_unit_slice(loop->unit, loop->unit->tokens[j].range),
                      loop->tiles[t].decl->name))
          loop->tiles[t].fixed = true;
  }
}

/* ---- tiles outside the loop ------------------------------------------------- */

typedef struct outside_walk {
  pl_loop *loop;
  bool moves; /* the array whose size is looked at is declared anew */
} outside_walk;

/* A declaration that is made anew for each stage is no use outside. */
static bool is_derived(const pl_loop *loop, const pl_node *node) {
  for (size_t i = 0; i < loop->nderived; i++)
    if (loop->derived[i] == node)
      return true;
  return false;
}

/* A tile named in the size of an array: by one of its stages, unless that array
 * is declared anew itself. */
static bool find_in_size(pl_node *node, void *context) {
  outside_walk *w = context;
  pl_tile *tile = node->kind == PL_NODE_REF && node->decl
                      ? pl_loop_tile(w->loop, node->decl)
                      : NULL;
  if (tile && (w->moves || !pl_names_type(w->loop->unit, node))) {
    tile->fixed = true;
    tile->fixed_at = node;
  }
  return true;
}

static bool find_outside(pl_node *node, void *context) {
  outside_walk *w = context;
  if (is_derived(w->loop, node))
    return false;
  if (node->kind == PL_NODE_VAR && node->decl) {
    w->moves = pl_loop_tile(w->loop, node->decl) ||
               (node->decl->is_shared && pl_node_within(node, w->loop->node));
    for (uint32_t i = 0; i < node->decl->ndims; i++)
      pl_node_walk(node->decl->dims[i], find_in_size, w);
  }
  if (pl_node_within(node, w->loop->node))
    return true;
  if (node->kind != PL_NODE_REF || !node->decl ||
      pl_names_type(w->loop->unit, node))
    return true;
  pl_tile *tile = pl_loop_tile(w->loop, node->decl);
  if (tile && !tile->outside_at) {
    tile->used_outside = true;
    tile->outside_at = node;
  }
  return true;
}

static bool find_prefill(pl_node *node, void *context) {
  outside_walk *w = context;
  if (node == w->loop->node ||
      node->range.begin >= w->loop->node->range.begin)
    return false;
  if (node->kind != PL_NODE_ASSIGN && node->kind != PL_NODE_CALL)
    return true;
  pl_effects effects = {0};
  pl_effects_of(w->loop->effects, w->loop->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    if (!is_write(&effects.items[i]))
      continue;
    pl_tile *tile = pl_loop_tile(w->loop, effects.items[i].root.decl);
    if (tile && !tile->prefilled) {
      tile->prefilled = true;
      tile->prefilled_at = node;
    }
  }
  return true;
}

/* The directives that define a macro, and whether an #if other than the usual
 * "#ifndef X / #define X" decides among them. */
static bool macro_is_conditional(const pl_unit *unit, pl_str name) {
  int found = 0;
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    if (unit->tokens[i].kind != PL_TOK_DIRECTIVE)
      continue;
    pl_str text = pl_unit_slice(unit, unit->tokens[i].range);
    size_t at = 1;
    while (at < text.n && (text.p[at] == ' ' || text.p[at] == '\t'))
      at++;
    pl_str rest = {text.p + at, text.n - at};
    if (!pl_str_starts(rest, "define"))
      continue;
    at = 6;
    while (at < rest.n && (rest.p[at] == ' ' || rest.p[at] == '\t'))
      at++;
    pl_str word = {rest.p + at, 0};
    while (at + word.n < rest.n && word.n < name.n &&
           word.p[word.n] == name.p[word.n])
      word.n++;
    bool ends = at + word.n >= rest.n || rest.p[at + word.n] == ' ' ||
                rest.p[at + word.n] == '\t' || rest.p[at + word.n] == '(';
    found += word.n == name.n && ends;
  }
  return found > 1;
}

/* Whether a declared name is spelled inside the parentheses of a macro's use:
 * `SHARED_TILE(block, 32);`. */
static bool is_macro_argument(const pl_unit *unit, const pl_decl *decl) {
  for (uint32_t i = 0; i + 1 < unit->ntokens; i++) {
    if (unit->tokens[i + 1].range.begin != decl->name_range.begin)
      continue;
    int depth = 0;
    for (uint32_t k = i + 1; k-- > 0;) {
      pl_str word = pl_unit_slice(unit, unit->tokens[k].range);
      if (pl_str_is(word, ";") || pl_str_is(word, "{") || pl_str_is(word, "}"))
        return false;
      depth += pl_str_is(word, ")") ? 1 : pl_str_is(word, "(") ? -1 : 0;
      if (depth < 0)
        return true;
    }
  }
  return false;
}

/* Whether a declaration stands between #if and #endif inside the function. */
bool pl_is_under_condition(const pl_loop *loop, const pl_decl *decl) {
  int depth = 0;
  for (uint32_t i = 0; i < loop->unit->ntokens; i++) {
    const pl_token *token = &loop->unit->tokens[i];
    if (token->range.begin >= decl->range.begin)
      break;
    if (token->kind != PL_TOK_DIRECTIVE ||
        !pl_range_inside(token->range, loop->func->range))
      continue;
    pl_str text = pl_unit_slice(loop->unit, token->range);
    depth += pl_str_has(text, "endif") ? -1 : pl_str_has(text, "if") &&
             !pl_str_has(text, "elif") ? 1 : 0;
  }
  return depth > 0;
}

static bool check_tile_sizes(pl_loop *loop) {
  for (size_t t = 0; t < loop->ntiles; t++) {
    pl_decl *decl = loop->tiles[t].decl;
    if (decl->kind == PL_DECL_PARAM) /* keeps its one place */
      continue;
    for (uint32_t i = 0; i < loop->unit->ntokens; i++) {
      const pl_token *token = &loop->unit->tokens[i];
      if (token->kind != PL_TOK_IDENT ||
          !pl_range_inside(token->range, decl->range))
        continue;
      pl_node at = {.range = decl->range};
      if (macro_is_conditional(loop->unit,
                               pl_unit_slice(loop->unit, token->range)) ||
          pl_is_under_condition(loop, decl))
        return pl_refuse(loop, false, "PL1004", &at,
                         "an #if decides the size of tile '%.*s'",
                         PL_FMT(decl->name));
    }
    if (decl->from_macro || is_macro_argument(loop->unit, decl)) {
      pl_node at = {.range = decl->range};
      return pl_refuse(loop, false, "PL1003", &at,
                       "a macro's body declares tile '%.*s'",
                       PL_FMT(decl->name));
    }
  }
  return true;
}

void pl_check_legality(pl_loop *loop) {
  if (loop->settled)
    return;
  escape_walk escape = {loop, true};
  pl_node_walk(loop->func->body, stores_address, &escape);
  if (!escape.ok || !check_tile_sizes(loop) || !check_compute_writes(loop) ||
      !check_escapes(loop) || !check_calls(loop) || !check_load_side(loop) ||
      !pl_check_trip_count(loop) || !check_compute_in_load_phase(loop) ||
      !check_condition_memory(loop) || !check_loads(loop) ||
      !check_atomics(loop) || !check_recurrence_names(loop))
    return;
  name_walk names = {loop, true};
  pl_node_walk(loop->func->body, find_fixed, &names);
  find_decltype(loop);
  outside_walk outside = {.loop = loop};
  pl_node_walk(loop->func->body, find_outside, &outside);
  pl_node_walk(loop->func->body, find_prefill, &outside);
}
