/* stale.h - what stale.c asks of a store and a read that it has found.
 *
 * Only stale.c and stale_proof.c include this. */
#ifndef PL_STALE_H
#define PL_STALE_H

#include "access.h"

/* The questions about one tile. */
typedef struct pl_freshness {
  pl_accesses *of;
  pl_integers *integers; /* NULL: none was asked yet */
} pl_freshness;

/* Whether a cell that a read names, if the store writes it in any iteration, was
 * written by that in this one. */
bool pl_is_fresh(pl_freshness *f, const pl_seen_cell *store,
                 const pl_seen_cell *read);

#endif
