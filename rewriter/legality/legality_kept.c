/* legality_kept.c - does the address of a tile outlive its iteration?
 *
 * Needs: points_to. Gives: the tiles of which a variable keeps an address for a
 * later tile or for behind the loop: with stages that would be another buffer.
 * Raises: PL3007; plan.c does for the tiles that it marks.
 *
 * A variable that every iteration sets as a whole before it reads it keeps
 * nothing. */
#include "points_to.h"
#include "legality_parts.h"
#include "varies.h"
#include "reaching_definitions.h"

/* Whether an iteration, or what comes behind the loop, may find in a variable
 * what an earlier iteration put there. */
static bool outlives_iteration(pl_loop *loop, const pl_decl *decl) {
  return pl_has_second_name(loop, (pl_decl *)decl) ||
         pl_is_live_around(decl, loop->node) != PL_NO;
}

/* ---- tiles --------------------------------------------------------------- */

static bool is_derived(const pl_loop *loop, const pl_decl *decl) {
  for (size_t i = 0; i < loop->nderived; i++)
    for (uint32_t k = 0; k < loop->derived[i]->nkids; k++)
      if (loop->derived[i]->kids[k]->decl == decl)
        return true;
  return false;
}

/* The variable that keeps an address from one iteration to the next, NULL:
 * none. */
static const pl_decl *keeper(pl_loop *loop, const pl_holders *holders) {
  for (size_t i = 0; i < holders->n; i++) {
    const pl_holder *h = &holders->items[i];
    bool lasts = h->decl->is_static || !pl_declared_inside(h->decl, loop->body);
    if (h->inside && lasts && !pl_is_of_call(loop, h->decl) &&
        !is_derived(loop, h->decl) &&
        outlives_iteration(loop, h->decl))
      return h->decl;
  }
  return NULL;
}

bool pl_check_kept_addresses(pl_loop *loop) {
  for (size_t t = 0; t < loop->ntiles; t++) {
    pl_tile *tile = &loop->tiles[t];
    pl_holders holders = {0};
    if (tile->decl->kind == PL_DECL_PARAM)
      continue;
    pl_find_holders(loop, tile->decl, &holders);
    if (holders.stored_at)
      return pl_refuse(loop, false, "PL3007", holders.stored_at,
                       "the address of tile '%.*s' is stored",
                       PL_FMT(tile->decl->name));
    tile->kept_by = keeper(loop, &holders);
  }
  return true;
}
