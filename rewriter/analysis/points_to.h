/* points_to.h - what may lead to an object?
 *
 * The other direction of effects.h's roots, by the same sets: in each function, which
 * addresses each of its texts puts where, through initialisers, assignments, casts to
 * integers, inline assembly, records, references, pointers to variables, lambdas and
 * the functions that are called, to a fixed point (Andersen's analysis, on demand).
 * What an object's cells hold is no address of it. Raises nothing. */
#ifndef PL_POINTS_TO_H
#define PL_POINTS_TO_H

#include "loop.h"

/* A variable that may hold an address of an object, or be a name for a part of
 * it. */
typedef struct pl_holder {
  const pl_decl *decl;
  bool holds;  /* its value, or a part of it, may be such an address */
  bool names;  /* a reference to a place in the object */
  bool inside; /* the loop gives it that value */
} pl_holder;

typedef struct pl_holders {
  pl_holder *items;
  size_t n, cap;
  const pl_node *stored_at; /* goes to memory other than the thread's own */
} pl_holders;

/* The variables of the loop's function that may hold the address of an object. */
void pl_find_holders(pl_loop *loop, const pl_decl *object, pl_holders *holders);

/* Whether a lambda has a variable for a parameter or a local: each call has its
 * own. */
bool pl_is_of_call(const pl_loop *loop, const pl_decl *decl);
/* Where a text of the loop's function gives an object another name that lasts: the
 * variable that holds its address or is a reference to it, by whichever way, or what
 * hands its address to where that is lost. Lambdas are left out. NULL: nowhere. */
const pl_node *pl_led_to(pl_loop *loop, const pl_node *text, const pl_decl *object);
/* Whether the address of an object may go to memory other than the thread's own. */
bool pl_address_is_stored(pl_effect_context *context, const pl_func *func,
                          const pl_decl *object);
/* Whether a pointer in an object may lead into the object itself: not by what its
 * constructor does. */
bool pl_leads_to_itself(pl_loop *loop, const pl_decl *object);

#endif
