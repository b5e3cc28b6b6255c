/* tiles_made.c - which shared objects are made beside the tiles, and not loaded?
 *
 * Needs: the tiles that are loaded, their phase. Gives: more tiles: what the load
 * phase fills with values of its own, such as twiddle factors, positions or
 * the number of rows that count, for the other phases to read. Their stores
 * belong to the tile at hand as much as those of loaded values. Raises nothing. */
#include "slices.h"

static bool is_of(const pl_effect *effect, const pl_decl *decl) {
  return effect->space == PL_SPACE_SHARED &&
         pl_same_shared(effect->root.decl, decl);
}

/* Whether the load phase alone writes an object, by plain stores, and others
 * alone read it. */
static bool is_handed_over(const pl_loop *loop, const pl_decl *decl) {
  bool read = false;
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t j = 0; j < loop->stmts[i].effects.n; j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      bool here = loop->stmts[i].phase == loop->load_phase;
      if (!is_of(effect, decl))
        continue;
      if (effect->kind != (here ? PL_EFFECT_WRITE : PL_EFFECT_READ))
        return false;
      read = read || !here;
    }
  return read;
}

/* Whether nothing that gives the object its values, or the thread's variables
 * that they are made from, reads shared memory that the loop writes. */
static bool is_made_of_own(pl_loop *loop, const pl_decl *decl) {
  pl_closure c = pl_closure_new(loop);
  for (size_t i = 0; i < loop->nstmts; i++)
    if (pl_writes_shared(&loop->stmts[i], decl))
      pl_add_statement(&c, i);
  pl_close_over(&c);
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t j = 0; c.member[i] && j < loop->stmts[i].effects.n; j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      if (effect->kind == PL_EFFECT_READ && effect->space == PL_SPACE_SHARED &&
          pl_written_in_loop(loop, effect->root.decl))
        return false;
    }
  return true;
}

void pl_add_made_tiles(pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t j = 0; j < loop->stmts[i].effects.n; j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      pl_decl *decl = effect->root.decl;
      if (loop->stmts[i].phase != loop->load_phase ||
          loop->stmts[i].is_barrier || effect->kind != PL_EFFECT_WRITE ||
          effect->space != PL_SPACE_SHARED || !decl ||
          pl_loop_tile(loop, decl) || !is_handed_over(loop, decl) ||
          !is_made_of_own(loop, decl) || !pl_cells_stay(loop, decl))
        continue;
      pl_tile tile = {.decl = decl, .dynamic = decl->is_extern, .bytes = -1};
      PL_PUSH(loop->arena, loop->tiles, loop->ntiles, loop->tiles_cap, tile);
    }
}
