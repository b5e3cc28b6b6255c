/* legality_parts.h - what legality.c and its neighbours share.
 *
 * A rule refuses the loop and returns false, or returns true: rules.def has them all.
 * Only legality*.c and the divergence of tiles' threads (participants.c) include this. */
#ifndef PL_LEGALITY_PARTS_H
#define PL_LEGALITY_PARTS_H

#include "divergence.h"

#define X(name, ids, question) bool pl_check_##name(pl_loop *loop);
#include "rules.def"
#undef X

/* ---- after the rules ------------------------------------------------------ */

/* legality_defaults.c: asks for the types that the file has as defaults. */
void pl_ask_for_default_types(pl_loop *loop);
/* participants.c: marks tiles where threads may not run the same iterations. */
void pl_find_participants(pl_loop *loop);
/* legality_names.c: marks tiles that are named where they cannot be rebound. */
void pl_find_fixed_tiles(pl_loop *loop);
/* legality_outside.c: where is a tile used outside the loop? */
void pl_find_outside_uses(pl_loop *loop);
/* legality_votes.c: may a tile be read past the vote's end? */
bool pl_check_voted_tiles(pl_loop *loop);

/* ---- legality_phases.c ---------------------------------------------------- */

bool pl_is_write(const pl_effect *effect);
/* Whether two accesses may be of one object, one of them a write. */
bool pl_may_meet(const pl_loop *loop, const pl_effect *a, const pl_effect *b);
bool pl_is_constant(pl_root root);

/* ---- legality_memory.c ---------------------------------------------------- */

/* Whether an access may be of shared memory: by an address that is not followed, or
 * that is read from memory where the file puts one of a shared object. */
bool pl_may_be_shared(const pl_loop *loop, const pl_effect *access);

/* ---- legality_directives.c ------------------------------------------------ */

/* Whether a statement is `using namespace N;`, and what it says of names. */
bool pl_is_directive(const pl_loop *loop, const pl_node *stmt);
bool pl_check_directive(pl_loop *loop, size_t index);

/* ---- legality_kept.c, legality_names.c ------------------------------------ */

/* Whether a variable is read behind the loop, on any way out of it. */
bool pl_is_read_behind(const pl_loop *loop, const pl_decl *decl);
/* Whether a variable is reached through its address, a reference or a lambda. */
bool pl_has_other_name(pl_node *body, const pl_decl *decl);

#endif
