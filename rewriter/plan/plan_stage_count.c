/* plan_stage_count.c - can a constant say how many stages there are?
 *
 * Needs: the variants and stages of all loops. Gives: counts_from of those whose text
 * can name the number by a constant ahead of their tiles. Raises nothing.
 *
 * Who wants another number then changes one line. It takes loops of one function with
 * the same number, all of whose tiles are declared in a block around them, none in
 * dynamic memory (the launches say the number there), and nothing that may come to the
 * loop without having come past the declaration: `goto`, a `case` or an `#if`. Two
 * stages are toggled: they have no such name. */
#include "cfg.h"
#include "forms.h"
#include "plan.h"

static bool is_counted(const pl_loop *loop) {
  return !loop->settled && pl_is_staged(loop) && pl_leads_far(loop) &&
         loop->stages > 2;
}

static const pl_node *statement_of(const pl_tile *tile) {
  return tile->decl->node ? tile->decl->node->parent : NULL;
}

/* Whether the loops of a function say the same of a tile's number of stages. */
static bool is_alike(const pl_loops *loops, const pl_loop *loop,
                     const pl_tile *tile) {
  for (size_t i = 0; i < loops->n; i++) {
    const pl_loop *other = loops->items[i];
    for (size_t k = 0; !other->settled && k < other->ntiles; k++)
      if (other->tiles[k].decl == tile->decl && other->stages != loop->stages)
        return false;
  }
  return true;
}

static bool is_moved(const pl_loop *loop, const pl_node *stmt) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].node == stmt)
      return true;
  return false;
}

static bool has_plain_declaration(const pl_loop *loop, const pl_tile *tile) {
  const pl_node *stmt = statement_of(tile);
  return tile->decl->owner == loop->func && !tile->dynamic &&
         !tile->decl->from_macro && stmt && stmt->kind == PL_NODE_DECL_STMT &&
         stmt->parent && stmt->parent->kind == PL_NODE_COMPOUND &&
         !is_moved(loop, stmt);
}

/* Moves `first` to the declaration of the loop's first tile, if that is ahead of it.
 * False: there is one that the constant cannot stand ahead of. */
static bool find_first(const pl_loops *loops, const pl_loop *loop,
                       const pl_node **first) {
  for (size_t i = 0; i < loop->ntiles; i++) {
    const pl_tile *tile = &loop->tiles[i];
    if (!has_plain_declaration(loop, tile) || !is_alike(loops, loop, tile))
      return false;
    const pl_node *stmt = statement_of(tile);
    if (!*first || stmt->range.begin < (*first)->range.begin)
      *first = stmt;
  }
  return loop->ntiles > 0;
}

/* Whether all that stands in a loop, and its tiles, see a name that is declared ahead
 * of a statement. */
static bool is_in_sight(const pl_loop *loop, const pl_node *first) {
  const pl_node *block = first->parent;
  pl_range between = {first->range.begin, loop->node->range.begin};
  const pl_unit *builds = loop->unit->conditional;
  for (size_t i = 0; i < loop->ntiles; i++)
    if (!pl_range_inside(statement_of(&loop->tiles[i])->range, block->range))
      return false;
  return pl_range_inside(loop->node->range, block->range) &&
         !pl_has_conditional_text(builds ? builds : loop->unit, between);
}

static bool can_be_passed_by(const pl_node *first) {
  const pl_node *around = first->parent->parent;
  return pl_cfg_has_goto(first) || (around && around->kind == PL_NODE_SWITCH);
}

/* The declaration ahead of which all counted loops of a function see the constant;
 * NULL: there is none. */
static const pl_node *place_for(const pl_loops *loops, const pl_loop *of) {
  const pl_node *first = NULL;
  for (size_t i = 0; i < loops->n; i++) {
    const pl_loop *loop = loops->items[i];
    if (loop->func == of->func && is_counted(loop) &&
        (loop->stages != of->stages || !find_first(loops, loop, &first)))
      return NULL;
  }
  if (!first || can_be_passed_by(first))
    return NULL;
  for (size_t i = 0; i < loops->n; i++) {
    const pl_loop *loop = loops->items[i];
    if (loop->func == of->func && is_counted(loop) && !is_in_sight(loop, first))
      return NULL;
  }
  return first;
}

void pl_find_stage_counts(pl_loops *loops) {
  for (size_t i = 0; i < loops->n; i++) {
    pl_loop *loop = loops->items[i];
    loop->counts_from = is_counted(loop) ? place_for(loops, loop) : NULL;
  }
}
