/* legality_parts.h - what legality.c and its neighbours share.
 *
 * A check refuses the loop and returns false, or returns true. Only legality*.c
 * includes this. */
#ifndef PL_LEGALITY_PARTS_H
#define PL_LEGALITY_PARTS_H

#include "divergence.h"

/* legality_phases.c: does each phase do what it may? */
bool pl_is_write(const pl_effect *effect);
/* Whether two accesses may be of one object, one of them a write. */
bool pl_may_meet(const pl_loop *loop, const pl_effect *a, const pl_effect *b);
bool pl_check_load_side(pl_loop *loop);
bool pl_is_constant(pl_root root);
bool pl_check_compute_in_load_phase(pl_loop *loop);
bool pl_check_calls(pl_loop *loop);
bool pl_check_atomics(pl_loop *loop);

/* legality_votes.c: may the block's vote be asked behind a load? */
bool pl_check_vote(pl_loop *loop);
bool pl_check_voted_tiles(pl_loop *loop);

/* legality_warps.c: does a warp's barrier order what is stored to a tile? */
bool pl_check_warp_barriers(pl_loop *loop);

/* legality_memory.c: does memory stay as it was for a load a tile earlier? */
/* Whether an access may be of shared memory: by an address that is not followed, or
 * that is read from memory where the file puts one of a shared object. */
bool pl_may_be_shared(const pl_loop *loop, const pl_effect *access);
bool pl_check_condition_memory(pl_loop *loop);
bool pl_check_loads(pl_loop *loop);

/* legality_escapes.c: does a tile's address get out of sight? */
bool pl_check_escapes(pl_loop *loop);
bool pl_check_stored_addresses(pl_loop *loop);

/* legality_hidden.c: does a declaration of the body hide a name? */
bool pl_check_hidden_names(pl_loop *loop);
/* Of a template without any instantiation in sight: can the text ask for what it
 * takes for granted? */
bool pl_check_open_types(pl_loop *loop);

/* legality_directives.c: does `using namespace N;` say what a name means? */
bool pl_is_directive(const pl_loop *loop, const pl_node *stmt);
bool pl_check_directive(pl_loop *loop, size_t index);

/* legality_kept.c: does the address of a tile outlive its iteration? */
bool pl_check_kept_addresses(pl_loop *loop);
/* Whether a variable is read behind the loop, on any way out of it. */
bool pl_is_read_behind(const pl_loop *loop, const pl_decl *decl);

/* legality_names.c: which names cannot be rebound? */
/* Whether a variable is reached through its address, a reference or a lambda. */
bool pl_has_other_name(pl_node *body, const pl_decl *decl);
bool pl_check_recurrence_names(pl_loop *loop);
bool pl_check_recurrence_types(pl_loop *loop);
void pl_find_fixed_tiles(pl_loop *loop);

/* legality_outside.c: where is a tile used outside the loop? */
void pl_find_outside_uses(pl_loop *loop);

/* legality_reach.c: do all threads of the block wait at the loop's barriers? */
bool pl_check_reach(pl_loop *loop);

/* participants.c: marks tiles where threads may not run the same iterations. */
void pl_find_participants(pl_loop *loop);

/* legality_text.c: does the preprocessor decide what a tile is? */
bool pl_check_tile_sizes(pl_loop *loop);

#endif
