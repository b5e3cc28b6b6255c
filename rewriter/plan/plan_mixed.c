/* plan_mixed.c - which tiles are copied asynchronously where not all can be?
 *
 * Needs: split, and why the loop as a whole cannot be asynchronous. Gives: the
 * copies and calls of the mixed form that are issued before compute (early),
 * the registers that the others then take. Raises nothing: plan_choose.c says
 * what follows.
 *
 * The choice is made by tile: all of a tile's copies are early, or none is. An
 * asynchronous copy and a store from registers so never meet in a cell, and
 * where two copies of one tile may meet the tile passes through registers, whose
 * stores keep the order of the text. A load helper is taken as a whole; all
 * tiles that it fills go one way. Constants beside asynchronous copies (the
 * zero of a guard) are stored with them. */
#include "copies.h"
#include "plan.h"
#include "widen.h"

static bool is_plain_fill(const pl_copy *copy) {
  return !copy->load && !copy->reads_memory &&
         copy->staging == PL_STAGE_NOTHING;
}

static bool can_be_early(const pl_copy *copy) {
  return !pl_async_obstacle(copy) && copy->last == copy->store &&
         (copy->load || is_plain_fill(copy));
}

/* Whether all that a load helper copies, and those that it calls, can be. */
static bool helper_can_be_early(const pl_loop *body) {
  for (size_t i = 0; i < body->fill.ncopies; i++)
    if (!can_be_early(&body->fill.copies[i]))
      return false;
  for (size_t i = 0; i < body->fill.ncalls; i++)
    if (!helper_can_be_early(body->fill.calls[i].body))
      return false;
  return true;
}

static bool helper_loads(const pl_loop *body) {
  for (size_t i = 0; i < body->fill.ncopies; i++)
    if (body->fill.copies[i].load)
      return true;
  for (size_t i = 0; i < body->fill.ncalls; i++)
    if (helper_loads(body->fill.calls[i].body))
      return true;
  return false;
}

/* ---- tiles --------------------------------------------------------------- */

static bool call_fills(pl_loop *loop, const pl_fill_call *call, size_t tile) {
  return pl_tile_argument(loop, call, &loop->tiles[tile]) != NULL;
}

/* Whether every tile that a call fills is early, as far as is known. */
static bool call_is_early(pl_loop *loop, const pl_fill_call *call,
                          const bool *early) {
  if (!helper_can_be_early(call->body) ||
      !pl_reads_only_global(loop, call->node))
    return false;
  for (size_t t = 0; t < loop->ntiles; t++)
    if (call_fills(loop, call, t) && !early[t])
      return false;
  return true;
}

/* Whether the tiles of all copies that a copy loop makes wide ones are early: it
 * takes some iterations at once for all of them. */
static bool wide_loop_is_early(const pl_loop *loop, const pl_copy *copy,
                               const bool *early) {
  const pl_copy_loop *c = pl_loop_of_wide(loop, copy);
  for (size_t i = 0; c && i < loop->fill.ncopies; i++) {
    const pl_copy *other = &loop->fill.copies[i];
    if (pl_node_within(other->store, c->node) &&
        !early[other->tile - loop->tiles])
      return false;
  }
  return true;
}

/* Whether everything that fills a tile can be early, and something loads. */
static bool tile_is_early(pl_loop *loop, size_t t, const bool *early) {
  const pl_tile *tile = &loop->tiles[t];
  bool loads = false;
  for (size_t i = 0; i < loop->fill.ncopies; i++) {
    const pl_copy *copy = &loop->fill.copies[i];
    if (!pl_stores_into(loop, copy, tile))
      continue;
    if (!can_be_early(copy) || !wide_loop_is_early(loop, copy, early))
      return false;
    loads = loads || copy->load;
  }
  for (size_t i = 0; i < loop->fill.ncalls; i++) {
    const pl_fill_call *call = &loop->fill.calls[i];
    if (!call_fills(loop, call, t))
      continue;
    if (!call_is_early(loop, call, early))
      return false;
    loads = loads || helper_loads(call->body);
  }
  return loads && !tile->stored_twice;
}

/* By tile, to a fixed point: a helper's tiles go one way. */
static bool *early_tiles(pl_loop *loop) {
  bool *early = PL_NEW_ARRAY(loop->arena, bool, loop->ntiles + 1);
  for (size_t t = 0; t < loop->ntiles; t++)
    early[t] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t t = 0; t < loop->ntiles; t++) {
      if (!early[t] || tile_is_early(loop, t, early))
        continue;
      early[t] = false;
      changed = true;
    }
  }
  return early;
}

/* ---- the form ------------------------------------------------------------ */

static void mark_early(pl_loop *loop, const bool *early) {
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    loop->fill.copies[i].early =
        early && early[loop->fill.copies[i].tile - loop->tiles];
  for (size_t i = 0; i < loop->fill.ncalls; i++)
    loop->fill.calls[i].early =
        early && call_is_early(loop, &loop->fill.calls[i], early);
}

static bool any_is_early(const pl_loop *loop, const bool *early) {
  for (size_t t = 0; t < loop->ntiles; t++)
    if (early[t])
      return true;
  return false;
}

void pl_set_mixed(pl_loop *loop, bool mixed) {
  if (loop->mixed == mixed)
    return;
  mark_early(loop, NULL);
  pl_split(loop);
  if (mixed) {
    mark_early(loop, early_tiles(loop));
    pl_split(loop);
  }
  loop->mixed = mixed;
}

static pl_str why_not_staged(const pl_loop *loop) {
  return loop->ldg_id ? loop->ldg_why : pl_staging_text(loop);
}

void pl_find_mixed(pl_loop *loop) {
  if (!any_is_early(loop, early_tiles(loop)))
    return;
  pl_set_mixed(loop, true);
  loop->can_mix = !loop->ldg_id && loop->staging_bytes <= MOST_STAGING_BYTES;
  loop->mixed_bytes = loop->staging_bytes;
  if (!loop->can_mix)
    loop->async_why = pl_arena_printf(
        loop->arena, "%.*s, and it cannot pass through registers: %.*s",
        PL_FMT(loop->async_why), PL_FMT(why_not_staged(loop)));
  pl_set_mixed(loop, false);
}

/* ---- what is said of it -------------------------------------------------- */

static bool tile_goes_early(pl_loop *loop, const pl_tile *tile) {
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    if (pl_stores_into(loop, &loop->fill.copies[i], tile))
      return loop->fill.copies[i].early;
  for (size_t i = 0; i < loop->fill.ncalls; i++)
    if (pl_tile_argument(loop, &loop->fill.calls[i], tile))
      return loop->fill.calls[i].early;
  return false;
}

static void list_tiles(pl_loop *loop, pl_text *out, bool early) {
  bool first = true;
  for (size_t t = 0; t < loop->ntiles; t++) {
    if (tile_goes_early(loop, &loop->tiles[t]) != early)
      continue;
    pl_text_printf(out, "%s'%.*s'", first ? "" : ", ",
                   PL_FMT(loop->tiles[t].decl->name));
    first = false;
  }
}

pl_str pl_mixed_text(pl_loop *loop) {
  pl_text out = {.arena = loop->arena};
  pl_text_add(&out, PL_STR("copied asynchronously: "));
  list_tiles(loop, &out, true);
  pl_text_add(&out, PL_STR("; through registers: "));
  list_tiles(loop, &out, false);
  pl_text_printf(&out, " (%.*s)", PL_FMT(loop->async_why));
  return pl_text_view(&out);
}
