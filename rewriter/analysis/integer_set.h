/* integer_set.h - sets of integers that affine constraints bound.
 *
 * Everything is said in names: parameters, thread indices, loop counters, cells. A
 * form is a quasi-affine expression of names, as `floor((32 * k0 + tx) / 8) mod 4`;
 * a set holds the values of the names for which comparisons of forms are true.
 *
 * NULL stands for what is not known: it may be handed to every function, which then
 * gives NULL, or answers PL_UNKNOWN. So it is where the budget is spent or memory is
 * out. Handles belong to their pl_integers and end with it. */
#ifndef PL_INTEGER_SET_H
#define PL_INTEGER_SET_H

#include "answers.h"
#include "model.h"

typedef struct pl_integers pl_integers;
typedef struct pl_iform pl_iform;
typedef struct pl_iset pl_iset;

/* `operations`: after so many steps of arithmetic, in all that follows, everything
 * is unknown. Memory for the handles is the arena's. */
pl_integers *pl_integers_new(pl_arena *arena, unsigned long operations);
/* Begins anew with so many steps, for what may ask the same once more: what was asked
 * costs nothing, and handles stay good. */
void pl_integers_again(pl_integers *integers, unsigned long operations);
/* How many answers it remembers. */
size_t pl_integers_kept(const pl_integers *integers);
/* The handles are gone then. NULL: nothing. */
void pl_integers_free(pl_integers *integers);
/* Whether the budget is spent. */
bool pl_integers_spent(const pl_integers *integers);

/* ---- forms --------------------------------------------------------------- */

const pl_iform *pl_iform_number(pl_integers *integers, int64_t value);
const pl_iform *pl_iform_name(pl_integers *integers, const char *name);
const pl_iform *pl_iform_add(const pl_iform *a, const pl_iform *b);
const pl_iform *pl_iform_sub(const pl_iform *a, const pl_iform *b);
const pl_iform *pl_iform_scale(const pl_iform *a, int64_t by);
/* Rounded down, and what that leaves, from zero to by - 1. by > 0. */
const pl_iform *pl_iform_floor(const pl_iform *a, int64_t by);
const pl_iform *pl_iform_mod(const pl_iform *a, int64_t by);
/* C's division, rounded towards zero, and what that leaves. by > 0. */
const pl_iform *pl_iform_div(const pl_iform *a, int64_t by);
const pl_iform *pl_iform_rem(const pl_iform *a, int64_t by);
/* `a` where the names are in the set, else `b`. */
const pl_iform *pl_iform_choose(const pl_iset *where, const pl_iform *a,
                                const pl_iform *b);
/* One that is equal to `a` where the names are in the set, and as simple as can be. */
const pl_iform *pl_iform_within(const pl_iform *a, const pl_iset *where);
/* Whether its value may change with a name's. */
bool pl_iform_has(const pl_iform *a, const char *name);
/* Whether it is one number, whatever its names are; *number: which. */
bool pl_iform_is_number(const pl_iform *a, int64_t *number);
/* Whether it is a sum of a number and of names, of each no less than nothing, and each of which is
 * one of those that are asked for. */
bool pl_iform_adds_up(const pl_iform *a, bool (*is)(const char *name, const void *context),
                      const void *context);
/* With another name in the place of one. It must not have it yet. */
const pl_iform *pl_iform_renamed(const pl_iform *a, const char *from,
                                 const char *to);

/* ---- sets ---------------------------------------------------------------- */

/* All values of all names. */
const pl_iset *pl_iset_all(pl_integers *integers);
/* Where `a op b` holds: one of C's six comparisons. */
const pl_iset *pl_iset_compare(const pl_iform *a, pl_op op, const pl_iform *b);
const pl_iset *pl_iset_and(const pl_iset *a, const pl_iset *b);
const pl_iset *pl_iset_or(const pl_iset *a, const pl_iset *b);
/* What is in `a` and not in `b`. */
const pl_iset *pl_iset_minus(const pl_iset *a, const pl_iset *b);
/* The values of the other names for which some value of these is in the set. */
const pl_iset *pl_iset_project(const pl_iset *set, const char *const *names,
                               size_t nnames);
const pl_iset *pl_iset_renamed(const pl_iset *set, const char *from,
                               const char *to);

/* The same set in fewer parts, where that can be seen. */
const pl_iset *pl_iset_joined(const pl_iset *set);
/* One that is the same in another one, and says no more than that needs. */
const pl_iset *pl_iset_within(const pl_iset *set, const pl_iset *where);

/* Whether it may hang on a name. NULL: false. */
bool pl_iset_has(const pl_iset *set, const char *name);
/* Whether a name has one value in it, which is seen without a search; *number: that. */
bool pl_iset_fixes(const pl_iset *set, const char *name, int64_t *number);
pl_answer pl_iset_is_empty(const pl_iset *set);
pl_answer pl_iset_is_subset(const pl_iset *set, const pl_iset *of);

#endif
