/* legality_phases.c - does each phase do what it may?
 *
 * Needs: the phases, what each statement does, which ones fill tiles. Gives:
 * whether loads only load, and nothing else hangs on a barrier that moves.
 * Raises: PL2006, PL2008, PL2009, PL2010, PL3001, PL3002, PL3008, PL4001,
 * PL4004, PL4005. */
#include "legality_parts.h"
#include "slices.h"

static bool is_memory(const pl_effect *effect) {
  return effect->kind == PL_EFFECT_READ || effect->kind == PL_EFFECT_WRITE ||
         effect->kind == PL_EFFECT_ATOMIC;
}

static bool stores_to_tile(const pl_stmt *stmt, const pl_node *assign) {
  for (size_t i = 0; i < stmt->effects.n; i++) {
    const pl_effect *effect = &stmt->effects.items[i];
    if (effect->kind == PL_EFFECT_WRITE && effect->space == PL_SPACE_SHARED &&
        !effect->by_call && pl_node_within(effect->node, assign))
      return true;
  }
  return false;
}

/* Whether a node gives what the statement sets, or a cell of a tile gets: no text that
 * loads leaves it out. */
static bool gives_value(const pl_stmt *stmt, const pl_node *node) {
  if (stmt->node->kind == PL_NODE_DECL_STMT || stmt->node->kind == PL_NODE_ASSIGN)
    return true;
  for (const pl_node *up = node; up && up != stmt->node; up = up->parent)
    if (up->kind == PL_NODE_ASSIGN)
      return stores_to_tile(stmt, up);
  return false;
}

/* Whether the loop prints, which may be seen of a program that ends so. */
static bool prints(const pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if (pl_effects_find(&loop->stmts[i].effects, PL_EFFECT_SIDE))
      return true;
  return false;
}

/* What ends the program does so a tile earlier, and as it did: what the threads would
 * have stored until then is lost with the context (CUDA C++ Programming Guide,
 * Assertion). Of a tile that a vote leaves out nothing was asked. */
static bool check_end(pl_loop *loop, const pl_stmt *stmt, const pl_effect *effect) {
  bool kept = gives_value(stmt, effect->node);
  if (kept && !loop->nvotes && !prints(loop))
    return true;
  pl_refuse(loop, true, "PL4005", effect->node, "the load phase may end the program%s",
            !kept          ? " here, apart from what it loads"
            : loop->nvotes ? ", for a tile that the block votes to leave out"
                           : " before the tile ahead of it has printed");
  pl_loop_note(loop, effect->node, "-DNDEBUG leaves out what assert does");
  return false;
}

static bool check_load_effect(pl_loop *loop, const pl_stmt *stmt,
                              const pl_effect *effect) {
  pl_decl *decl = effect->root.decl;
  switch (effect->kind) {
  case PL_EFFECT_END:
    return check_end(loop, stmt, effect);
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
    pl_refuse(loop, false, "PL4001", effect->node,
              "what the load side reads here cannot be followed");
    pl_loop_note(loop, effect->node,
                 "a pointer that is an argument, or a local variable made from "
                 "one, can be followed");
    return false;
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

bool pl_check_load_side(pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    if (!loop->stmts[i].in_load)
      continue;
    pl_effects *effects = &loop->stmts[i].effects;
    for (size_t j = 0; j < effects->n; j++)
      if (!check_load_effect(loop, &loop->stmts[i], &effects->items[j]))
        return false;
  }
  return true;
}

/* A constant of the language, or an object in constant memory: nothing else
 * leads there. */
bool pl_is_constant(pl_root root) {
  return pl_root_space(root) == PL_SPACE_CONSTANT;
}

bool pl_may_meet(const pl_loop *loop, const pl_effect *a, const pl_effect *b) {
  if (a->space == PL_SPACE_LOCAL || b->space == PL_SPACE_LOCAL)
    return false;
  if (!a->root.decl || !b->root.decl ||
      pl_same_shared(a->root.decl, b->root.decl))
    return true;
  if (a->space == PL_SPACE_SHARED && b->space == PL_SPACE_SHARED)
    return false;
  if (a->space == PL_SPACE_SHARED || b->space == PL_SPACE_SHARED)
    return pl_may_be_shared(loop, a) && pl_may_be_shared(loop, b);
  return pl_is_write(a) ? pl_may_change(loop, a, b) : pl_may_change(loop, b, a);
}

/* Whether two effects of different phases meet on one object, one of them
 * writing, so that the barrier between them matters. */
static bool meet(const pl_loop *loop, const pl_effect *a, const pl_effect *b) {
  return is_memory(a) && is_memory(b) && (pl_is_write(a) || pl_is_write(b)) &&
         pl_may_meet(loop, a, b);
}

static bool refuse_moved(pl_loop *loop, const pl_effect *moved,
                         const pl_effect *other) {
  if (!moved->root.decl || !other->root.decl ||
      pl_same_shared(moved->root.decl, other->root.decl))
    return pl_refuse(loop, false, "PL3008", moved->node,
                     "'%.*s' is used on both sides of a barrier that would "
                     "move",
                     PL_FMT(moved->root.decl ? moved->root.decl->name
                                             : PL_STR("memory")));
  pl_refuse(loop, false, "PL3008", moved->node,
            "'%.*s' may be the memory of '%.*s', which is used on the other "
            "side of a barrier that would move",
            PL_FMT(moved->root.decl->name), PL_FMT(other->root.decl->name));
  pl_loop_note(loop, other->node, "it is used here");
  pl_loop_note(loop, moved->node,
               "__restrict__ on one of the two, or --assume-no-alias, settles "
               "it");
  return false;
}

/* Compute statements among the fills move behind the barrier that follows; nothing
 * that they touch may need that barrier. (Those that end the body stay behind the
 * compute of their tile, and barrier_order.c keeps the barrier ahead of them.) */
static bool check_moved(pl_loop *loop, const pl_stmt *moved) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *other = &loop->stmts[i];
    if (other->phase == loop->load_phase || other->is_barrier)
      continue;
    for (size_t j = 0; j < moved->effects.n; j++)
      for (size_t k = 0; k < other->effects.n; k++)
        if (meet(loop, &moved->effects.items[j], &other->effects.items[k]))
          return refuse_moved(loop, &moved->effects.items[j],
                              &other->effects.items[k]);
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

static bool is_reference(const pl_decl *decl) {
  return decl && decl->type && decl->type->kind == PL_TYPE_REFERENCE;
}

/* What the load phase does besides: it changes something that others may see. */
static bool refuse_more(pl_loop *loop, const pl_effect *effect) {
  const pl_decl *decl = effect->root.decl;
  pl_str name = effect->node->kind == PL_NODE_CALL ? pl_callee_name(effect->node)
                                                   : (pl_str){0};
  if (!pl_is_write(effect) && name.n)
    return pl_refuse(loop, true, "PL4005", effect->node,
                     "the load phase does more than load: '%.*s' cannot be done "
                     "a tile earlier",
                     PL_FMT(name));
  if (!pl_is_write(effect) || !decl || !decl->name.n)
    return pl_refuse(loop, true, "PL4005", effect->node,
                     "the load phase does more than load");
  if (!is_reference(decl))
    return pl_refuse(loop, true, "PL4005", effect->node,
                     "the load phase does more than load: it stores to what "
                     "'%.*s' points to",
                     PL_FMT(decl->name));
  pl_refuse(loop, true, "PL4005", effect->node,
            "the load phase does more than load: it changes '%.*s', which is "
            "the caller's",
            PL_FMT(decl->name));
  pl_loop_note(loop, effect->node,
               "a copy of it that is the thread's own, written back behind the "
               "loop, may move on here");
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
        (effect->kind == PL_EFFECT_END && !loop->stmts[index].in_load) ||
        (pl_is_write(effect) && (effect->space == PL_SPACE_GLOBAL ||
                                 effect->space == PL_SPACE_UNKNOWN)))
      return refuse_more(loop, effect);
  }
  return true;
}

/* The first statement of the load phase that waits at a barrier, and does more. */
static const pl_stmt *waits_inside(const pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if (!loop->stmts[i].is_barrier && loop->stmts[i].phase == loop->load_phase &&
        pl_effects_find(&loop->stmts[i].effects, PL_EFFECT_BARRIER))
      return &loop->stmts[i];
  return NULL;
}

/* Whether a use of a tile finds what its own thread has stored, by all stores of the
 * loop. */
static bool uses_own_cells(pl_loop *loop, const pl_effect *use,
                           const pl_tile *tile) {
  bool own = use->kind == PL_EFFECT_READ && !use->by_call;
  for (size_t i = 0; own && i < loop->nstmts; i++)
    for (size_t j = 0; own && j < loop->stmts[i].effects.n; j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      if (pl_is_write(effect) && effect->space == PL_SPACE_SHARED &&
          pl_loop_tile(loop, effect->root.decl) == tile)
        own = !effect->by_call && pl_is_own_cell(loop->arena, loop->func, effect->node,
                                                 use->node, loop->body);
    }
  return own;
}

static bool refuse_part(pl_loop *loop, const pl_effect *use, const pl_tile *tile) {
  return pl_refuse(loop, false, "PL3008", use->node,
                   "this use of '%.*s' stands between the barriers around the "
                   "loads, and whether it is of another part than the tile is "
                   "not known; a __shared__ array of its own would be",
                   PL_FMT(tile->decl->name));
}

/* A tile that is used in the phase that fills it. Barriers of inner loops may
 * stand between the two, which is for nobody to see. */
static bool refuse_race(pl_loop *loop, size_t index, const pl_effect *use,
                        const pl_tile *tile) {
  if (pl_may_be_other_part(loop, use, tile->decl))
    return refuse_part(loop, use, tile);
  if (stands_with_fills(loop, index)) {
    const pl_stmt *waits = waits_inside(loop);
    pl_refuse(loop, !waits, "PL2008", use->node,
              "no barrier%s stands between filling tile '%.*s' and using it",
              waits ? " of the loop's own" : "", PL_FMT(tile->decl->name));
    if (waits)
      pl_loop_note(loop, waits->node,
                   "the barrier inside would have to stand in the loop itself");
    else
      pl_loop_note(loop, use->node,
                   "the kernel has a race as it stands; a barrier in front of this settles it");
    return false;
  }
  bool inner = pl_effects_find(&loop->stmts[index].effects, PL_EFFECT_BARRIER);
  pl_refuse(loop, !inner, "PL2008", use->node,
            "no barrier%s stands between using tile '%.*s' and filling it again",
            inner ? " of the loop's own" : "", PL_FMT(tile->decl->name));
  if (!inner)
    pl_loop_note(loop, use->node,
                 "the kernel has a race as it stands; a barrier at the end of the loop's "
                 "body settles it");
  return false;
}

/* A tile that is used where it is filled, and no race: by each thread for itself. */
static bool refuse_own(pl_loop *loop, const pl_effect *use) {
  return pl_refuse(loop, true, "PL3002", use->node,
                   "tile '%.*s' is read in the load phase, where each thread "
                   "finds what it has stored itself",
                   PL_FMT(use->root.decl->name));
}

bool pl_check_compute_in_load_phase(pl_loop *loop) {
  const pl_effect *own = NULL;
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (stmt->is_barrier || stmt->phase != loop->load_phase || stmt->in_load)
      continue;
    for (size_t j = 0; j < stmt->effects.n; j++) {
      const pl_effect *effect = &stmt->effects.items[j];
      pl_tile *tile = effect->space == PL_SPACE_SHARED
                          ? pl_loop_tile(loop, effect->root.decl)
                          : NULL;
      if (tile && is_memory(effect) && comes_before_fill(loop, i) &&
          pl_may_be_other_part(loop, effect, tile->decl))
        return refuse_part(loop, effect, tile);
      if (tile && is_memory(effect) && comes_before_fill(loop, i))
        return pl_refuse(loop, true, "PL3002", effect->node,
                         "tile '%.*s' is read in the load phase",
                         PL_FMT(tile->decl->name));
      if (!tile || !is_memory(effect))
        continue;
      if (!uses_own_cells(loop, effect, tile))
        return refuse_race(loop, i, effect, tile);
      own = own ? own : effect;
    }
    if (!check_phase_effects(loop, i) ||
        (stands_with_fills(loop, i) && !check_moved(loop, stmt)))
      return false;
  }
  return !own || refuse_own(loop, own);
}

bool pl_check_calls(pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_effect *unseen =
        pl_effects_find(&loop->stmts[i].effects, PL_EFFECT_UNSEEN);
    if (unseen)
      return pl_refuse_unseen(loop, unseen->node);
  }
  return true;
}

/* The block's own shared memory is seen by no other block: atomics on what is
 * no tile are ordered by the barriers, as plain stores are. */
bool pl_check_atomics(pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    for (size_t j = 0; j < stmt->effects.n; j++) {
      const pl_effect *effect = &stmt->effects.items[j];
      if (effect->kind == PL_EFFECT_ATOMIC && effect->space != PL_SPACE_SHARED)
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
