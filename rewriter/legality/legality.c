/* legality.c - may the load side run ahead?
 *
 * Needs: slices and copies. Gives: a verdict with a reason and a place, or
 * none; and for each tile what speaks against more than one stage. Raises:
 * nothing itself; legality_*.c and uniform.c do.
 *
 * Rules in the order of the questions: does each phase do what it may, is
 * the trip count the same for all threads, and does memory stay as it was
 * when a load happens a tile earlier? */
#include "legality_parts.h"

void pl_check_legality(pl_loop *loop) {
  if (loop->settled)
    return;
  if (!pl_check_stored_addresses(loop) || !pl_check_tile_sizes(loop) ||
      !pl_check_escapes(loop) || !pl_check_calls(loop) ||
      !pl_check_load_side(loop) || !pl_check_warp_barriers(loop) ||
      !pl_check_trip_count(loop) || !pl_check_reach(loop) ||
      !pl_check_compute_in_load_phase(loop) ||
      !pl_check_condition_memory(loop) || !pl_check_loads(loop) ||
      !pl_check_atomics(loop) || !pl_check_recurrence_names(loop) ||
      !pl_check_recurrence_types(loop) || !pl_check_kept_addresses(loop) ||
      !pl_check_hidden_names(loop) || !pl_check_open_types(loop) ||
      !pl_check_vote(loop))
    return;
  pl_find_participants(loop);
  pl_find_fixed_tiles(loop);
  pl_find_outside_uses(loop);
  pl_check_voted_tiles(loop);
}
