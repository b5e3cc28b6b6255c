/* ldg.c - register staging, two buffers, one barrier a round.
 *
 * The store to the other buffer needs no barrier before it: that buffer's last
 * readers are behind the barrier that ended the round before. */
#include "forms.h"
#include "plan.h"

static const pl_schedule schedule = {
    .rounds = PL_ROUNDS_BUT_LAST,
    .lead = PL_N(1),
    .prologue = PL_STEPS(PL_AT(LOAD, 0), PL_AT(BARRIER, PL_BEHIND_LOADS)),
    .round = PL_STEPS(PL_AT(FETCH, 1), PL_AT(COMPUTE, 0), PL_AT(ADVANCE, 0),
                      PL_AT(STORE, 0), PL_AT(BARRIER, PL_BEFORE_LOADS)),
    .epilogue = PL_STEPS(PL_AT(COMPUTE, 0)),
    .batches = PL_BATCHES_OF_THREAD,
};

/* Where its registers do not cost occupancy. */
static bool take(pl_loop *loop) {
  pl_str why = {0};
  if (!pl_try_staging(loop, PL_VARIANT_LDG))
    return false;
  loop->why = pl_may_be_async(loop, PL_VARIANT_CP_ASYNC, &why)
                  ? pl_arena_printf(loop->arena,
                                    "asynchronous copies of %d bytes cost more "
                                    "than registers",
                                    pl_narrowest_copy(loop))
                  : pl_arena_printf(loop->arena, "not cp.async: %.*s", PL_FMT(why));
  return true;
}

static const pl_offer offers[] = {{PL_RANK_STAGED, take}, {PL_RANKS, NULL}};

const pl_form pl_form_ldg = {
    .schedule = &schedule,
    .registers = true,
    .usual = 2,
    .offers = offers,
};
