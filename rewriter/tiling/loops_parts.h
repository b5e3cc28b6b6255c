/* loops_parts.h - what loops.c and its neighbours share.
 *
 * Only loops*.c includes this. */
#ifndef PL_LOOPS_PARTS_H
#define PL_LOOPS_PARTS_H

#include "loop.h"

/* What a loop does about barriers, without looking into loops inside it. */
typedef struct pl_barrier_scan {
  pl_node *own;         /* barrier at the body's own level */
  pl_node *conditional; /* inside a branch or block */
  pl_node *special;
  pl_node *called; /* in a function or lambda that does more than to wait */
  pl_node *open;   /* of a group that a template's arguments decide */
  bool in_inner_loop;
} pl_barrier_scan;

/* The search of one function. */
typedef struct pl_finder {
  pl_unit *unit;
  pl_func *func;
  pl_effect_context *effects;
  const pl_options *options;
  pl_loops *loops;
  bool in_lambda;
} pl_finder;

/* loops_barriers.c: which barriers are a loop's own? */
pl_barrier_scan pl_scan_loop(const pl_unit *unit, pl_node *body);

/* loops_problems.c: what may an error have hidden? */
const pl_problem *pl_problem_inside(const pl_unit *unit, pl_range range);
bool pl_refuse_problem(pl_loop *loop, const pl_problem *problem);
/* Refuses a loop for an error inside its function, in what it calls, or in a
 * declaration of what it names. */
bool pl_check_problems(pl_loop *loop);

/* loops_form.c: can a loop's text be taken apart? */
bool pl_settle_async(pl_loop *loop);
void pl_examine(pl_loop *loop, const pl_barrier_scan *scan);
/* Whether the mark of earlier output stands not far above a loop. */
bool pl_has_marker(const pl_unit *unit, const pl_node *loop);

/* loops_head.c: where is a loop left, which tiles does it pass over? */
void pl_unwrap_body(pl_loop *loop);
bool pl_find_tests(pl_loop *loop);
bool pl_is_endless(const pl_loop *loop);
bool pl_is_header_test(const pl_loop *loop, pl_node *stmt);

/* loops_votes.c: does the block vote at the head of the body whether to go on? */
bool pl_is_vote(const pl_effect *effect);
/* Puts a barrier in the place of such a vote. */
void pl_take_vote(pl_loop *loop);

/* loops_passed.c: what may be done for a tile that is passed over? */
bool pl_may_wait_first(pl_loop *loop, size_t index, pl_node *test);
bool pl_repeats_end(pl_loop *loop, const pl_stmt *stmt);

/* loops_race.c: does a loop that no barrier of the block parts hold a race? Whether
 * one is seen between threads of several warps. */
bool pl_shows_race(const pl_unit *unit, const pl_func *func, pl_node *body);

/* loops_text.c: is a tile loop to be seen in the text of a loop that holds an error?
 * A barrier and a shared array are named in it. */
bool pl_text_has_tile(const pl_unit *unit, const pl_func *func, pl_range loop);
/* The innermost such loop of a function; {0, 0}: none. */
pl_range pl_tile_loop_in_text(const pl_unit *unit, const pl_func *func);

/* loops_callers.c: is what a loop fills the callers' shared memory? */
pl_str pl_caller_tile(pl_finder *f, pl_node *body);
void pl_refuse_caller_tile(pl_finder *f, pl_loop *loop, pl_str tile);

#endif
