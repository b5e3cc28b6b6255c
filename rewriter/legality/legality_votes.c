/* legality_votes.c - may the block's vote be asked behind a load?
 *
 * Needs: the slices, a loop whose body begins with a vote (loops_votes.c). Gives:
 * whether the one tile that is loaded before a vote that ends the loop does no harm.
 * Raises: PL2003, PL2004.
 *
 * The load side is one tile ahead where the block votes to leave. So
 * - what it reads of that tile has to be there: the loop's own condition, which it has
 *   asked, bounds the tiles by a number of the launch, or a guard does each load; where
 *   memory says where that is, only a guard does. A vote on what the loads themselves
 *   step by may be such a bound, and is none of compute's: refused;
 * - nothing may ask, behind the loop, where the load side stands, nor for the tile. */
#include "legality_parts.h"
#include "reaching_definitions.h"

static bool refuse(pl_loop *loop, const pl_node *at, const char *why) {
  const pl_node *test = loop->votes[loop->nvotes - 1].node;
  return pl_refuse(loop, false, "PL2003", at ? at : test,
                   "the block votes to leave the loop when the next tile is "
                   "loaded, %s",
                   why);
}

/* ---- what the vote asks ---------------------------------------------------- */

typedef struct ask_walk {
  const pl_loop *loop;
  bool of_compute, of_loads;
} ask_walk;

static bool find_asked(pl_node *node, void *context) {
  ask_walk *w = context;
  const pl_loop *loop = w->loop;
  if (node->kind != PL_NODE_REF || !node->decl || !pl_is_private(node->decl))
    return true;
  w->of_loads = w->of_loads || pl_loop_recurrence(loop, node->decl) ||
                pl_writes_decl(&loop->header_effects, node->decl);
  for (size_t i = 0; i < loop->nstmts; i++) {
    if (!pl_writes_decl(&loop->stmts[i].effects, node->decl))
      continue;
    w->of_loads = w->of_loads || loop->stmts[i].in_load;
    w->of_compute = w->of_compute || !loop->stmts[i].in_load;
  }
  return true;
}

static bool check_asked(pl_loop *loop) {
  ask_walk w = {loop, false, false};
  for (size_t i = 0; i < loop->nvotes; i++)
    pl_node_walk(loop->votes[i].node, find_asked, &w);
  if (w.of_loads)
    return refuse(loop, NULL, "and what it votes on may be what keeps that from "
                              "being read where there is none");
  return w.of_compute ||
         refuse(loop, NULL, "and what it votes on is the same for all tiles: asked "
                            "in front of the loop, it would be no hindrance");
}

/* ---- what bounds the loads ------------------------------------------------- */

static bool is_open_name(const pl_node *node) {
  const pl_decl *decl = node->kind == PL_NODE_REF && !node->has_ival ? node->decl : NULL;
  return decl && (decl->kind == PL_DECL_PARAM ||
                  (decl->kind == PL_DECL_VAR && decl->init &&
                   !pl_node_bare(decl->init)->has_ival));
}

static bool steps_down(const pl_node *step) {
  return step && ((step->kind == PL_NODE_ASSIGN && step->op == PL_OP_SUB) ||
                  (step->kind == PL_NODE_UNARY &&
                   (step->op == PL_OP_PREDEC || step->op == PL_OP_POSTDEC)));
}

static bool is_open_and_stays(pl_node *node, const void *context) {
  return is_open_name(node) && !pl_loop_recurrence(context, node->decl);
}

/* Whether a name of the condition is such a number: one that stays, one that the loop
 * counts down from, or makes anew of one. Where it only counts up from there is none. */
static bool is_open_bound(pl_node *node, const void *context) {
  const pl_loop *loop = context;
  pl_decl *decl = node->kind == PL_NODE_REF && !node->has_ival ? node->decl : NULL;
  const pl_recurrence *moves = decl ? pl_loop_recurrence(loop, decl) : NULL;
  if (decl && decl->init && pl_declared_inside(decl, loop->body))
    return pl_node_find(decl->init, is_open_bound, loop) != NULL;
  if (!moves)
    return is_open_name(node) || (decl && decl->kind == PL_DECL_VAR && !decl->init);
  return moves->derived ? pl_node_find(moves->step, is_open_and_stays, context) != NULL
                        : steps_down(moves->step) && is_open_name(node);
}

/* Whether a guard asks for the tile, or part of it: by what changes from tile to tile and
 * by how much there is, which may be a member. */
static bool asks_for_tile(pl_loop *loop, pl_node *cond) {
  return pl_varies(loop, cond) && (pl_node_find(cond, is_open_bound, loop) ||
                                   pl_node_has(cond, PL_NODE_MEMBER));
}

/* Whether a store stands under a guard that asks for the tile. */
static bool is_guarded(pl_loop *loop, const pl_copy *copy) {
  const pl_node *source = pl_async_source((pl_copy *)copy);
  source = source ? pl_node_bare((pl_node *)source) : NULL;
  if (source && source->kind == PL_NODE_COND && asks_for_tile(loop, source->kids[0]))
    return true;
  for (const pl_node *at = copy->store; at->parent && at->parent != loop->body;
       at = at->parent)
    if (at->parent->kind == PL_NODE_IF && at->parent->kids[0] != at &&
        asks_for_tile(loop, at->parent->kids[0]))
      return true;
  return false;
}

static size_t count_reads(const pl_effects *effects) {
  size_t n = 0;
  for (size_t i = 0; i < effects->n; i++)
    n += effects->items[i].kind == PL_EFFECT_READ && effects->items[i].space != PL_SPACE_LOCAL &&
         effects->items[i].space != PL_SPACE_CONSTANT;
  return n;
}

/* What memory says of where a store's value is loaded from, `x[order[k]]`; NULL: nothing.
 * Behind the tile at which the block leaves it may say anything. */
static const pl_node *leads_there(pl_loop *loop, const pl_copy *copy) {
  pl_node *load = copy->load ? copy->load : copy->src;
  pl_effects reads = pl_effects_in(loop, load);
  if (count_reads(&reads) > 1)
    return load;
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t k = 0; count_reads(&loop->stmts[i].effects) && k < loop->stmts[i].effects.n; k++) {
      const pl_effect *set = &loop->stmts[i].effects.items[k];
      if (pl_is_write(set) && pl_is_private(set->root.decl) && pl_mentions(load, set->root.decl))
        return load;
    }
  return NULL;
}

static bool check_bound(pl_loop *loop) {
  bool guarded = loop->fill.ncopies > 0 && loop->fill.ncalls == 0;
  const pl_node *led = NULL;
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    if (!is_guarded(loop, &loop->fill.copies[i])) {
      led = led ? led : leads_there(loop, &loop->fill.copies[i]);
      guarded = false;
    }
  if (led)
    return refuse(loop, led, "and no guard says whether what leads to it is there");
  return guarded || pl_node_find(loop->header, is_open_bound, loop) ||
         refuse(loop, NULL, "and neither the loop's condition nor a guard says how "
                            "much there is to load");
}

/* ---- what is left behind ---------------------------------------------------- */

/* Whether anything may find in a variable of the load side what the loop has left in
 * it. */
static bool outlives_loop(const pl_loop *loop, const pl_decl *decl) {
  return pl_is_live_behind(decl, loop->node) != PL_NO;
}

static bool check_left(pl_loop *loop) {
  for (size_t i = 0; i < loop->nrecurrences; i++)
    if (outlives_loop(loop, loop->recurrences[i].decl))
      return refuse(loop, NULL, "and what leads to that tile is asked for behind "
                                "the loop");
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t j = 0; loop->stmts[i].in_load && j < loop->stmts[i].effects.n;
         j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      if (pl_is_write(effect) && pl_is_private(effect->root.decl) &&
          !pl_declared_inside(effect->root.decl, loop->body) &&
          outlives_loop(loop, effect->root.decl))
        return refuse(loop, effect->node, "and what this sets for that tile is "
                                          "asked for behind the loop");
    }
  return true;
}

/* A vote is as good as any barrier that begins the load phase. */
static bool stands_before_loads(const pl_loop *loop) {
  for (size_t i = 1; i < loop->nstmts; i++) {
    if (loop->stmts[i].is_barrier)
      return false;
    if (loop->stmts[i].fills)
      return true;
  }
  return false;
}

bool pl_check_vote(pl_loop *loop) {
  if (!loop->nvotes)
    return true;
  pl_node *test = loop->votes[loop->nvotes - 1].node->kids[0];
  if (!pl_is_uniform(loop, test))
    return pl_refuse(loop, true, "PL2004", test,
                     "what follows from the block's vote is not the same for all "
                     "threads");
  if (loop->searches || loop->asks_last || loop->waits_at_entry || loop->caller ||
      loop->counts_differ ||
      !loop->header || loop->nbarriers < 2 || !stands_before_loads(loop))
    return refuse(loop, NULL, "but not right behind the vote");
  return check_asked(loop) && check_bound(loop) && check_left(loop);
}

/* Where a tile may be accessed when the loop has ended. */
typedef struct later_walk {
  pl_loop *loop;
  const pl_decl *tile;
  bool again; /* what stands ahead of the loop comes behind it, too */
  const pl_node *at;
} later_walk;

static bool find_later_access(pl_node *node, void *context) {
  later_walk *w = context;
  const pl_node *loop = w->loop->node;
  if (w->at || node == loop)
    return false;
  if (pl_node_within(loop, node))
    return true;
  if (!w->again && node->range.end && node->range.end <= loop->range.begin)
    return false;
  pl_effects effects = pl_effects_in(w->loop, node);
  for (size_t i = 0; i < effects.n && !w->at; i++) {
    const pl_effect *effect = &effects.items[i];
    if (effect->root.decl == w->tile || effect->kind == PL_EFFECT_UNSEEN)
      w->at = effect->node;
  }
  return false;
}

/* What compute reads of a tile that its own load leaves as it was it finds the next time that
 * the loop is reached, too. */
void pl_check_kept_cells(pl_loop *loop) {
  bool again = pl_is_entered_again(loop) || !loop->func->is_global;
  for (size_t t = 0; loop->nvotes && again && !loop->settled && t < loop->ntiles; t++)
    if (loop->tiles[t].partial)
      refuse(loop, NULL, "and its tile keeps old cells, which the next time that the loop is "
                         "reached may find");
}

/* That a pointer to it is made does no harm. */
bool pl_check_voted_tiles(pl_loop *loop) {
  bool again = pl_is_entered_again(loop) || !loop->func->is_global;
  later_walk w = {.loop = loop, .again = again};
  for (size_t t = 0; loop->nvotes && t < loop->ntiles; t++) {
    w.tile = loop->tiles[t].decl;
    if (loop->tiles[t].used_outside)
      pl_node_walk(loop->func->body, find_later_access, &w);
    if (w.at)
      return refuse(loop, w.at, "and its tile is used outside the loop");
  }
  return true;
}
