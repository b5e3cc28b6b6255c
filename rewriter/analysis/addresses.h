/* addresses.h - which variables may hold the address of a tile?
 *
 * By value flow, through initialisers, assignments, casts to integers, inline
 * assembly, records, references, lambdas and the functions that are called. What
 * a tile's cells hold is no address. Raises nothing. */
#ifndef PL_ADDRESSES_H
#define PL_ADDRESSES_H

#include "loop.h"

/* A variable that may hold an address of a tile, or be a name for a part of
 * it. */
typedef struct pl_holder {
  const pl_decl *decl;
  bool holds;  /* its value, or a part of it, may be such an address */
  bool names;  /* a reference to a place in the tile */
  bool inside; /* the loop gives it that value */
} pl_holder;

typedef struct pl_holders {
  pl_holder *items;
  size_t n, cap;
  const pl_node *stored_at; /* goes to memory other than the thread's own */
} pl_holders;

/* The variables of the loop's function that may hold the address of a tile. */
void pl_find_holders(pl_loop *loop, const pl_decl *tile, pl_holders *holders);

/* Whether a lambda has a variable for a parameter or a local: each call has its
 * own. */
bool pl_is_of_call(const pl_loop *loop, const pl_decl *decl);
/* Where a variable of the thread's own gets another name that lasts: what holds
 * its address, or is a reference to it, by whichever way. NULL: nowhere. */
const pl_node *pl_other_name(pl_loop *loop, const pl_decl *decl);

#endif
