/* stale.h - what stale.c finds in a loop's text, and what the other files that begin
 * so prove of it.
 *
 * Only these include this. */
#ifndef PL_STALE_H
#define PL_STALE_H

#include "linear.h"

#define PL_MOST_INDICES 4
#define PL_MOST_PARTS 4

/* A cell that is named by all its indices: of the tile, or of a member of it. */
typedef struct pl_named_cell {
  pl_node *node; /* the outermost SUBSCRIPT, or MEMBER */
  pl_str part[PL_MOST_PARTS]; /* the member, and of that a member */
  uint32_t nparts;
  pl_node *index[PL_MOST_INDICES];
  uint32_t n;
} pl_named_cell;

/* A store under a guard that varies, and what it asks. */
typedef struct pl_partial_store {
  pl_named_cell at;
  pl_node *node;
  pl_linear index[PL_MOST_INDICES];
  pl_relations goals;
} pl_partial_store;

/* Takes down the sums of a store's indices; false: they are none. */
bool pl_describe_indices(pl_loop *loop, pl_partial_store *store);
/* Whether a cell that a read names, if any iteration writes it, was written by
 * this one: what the store asks holds there. */
bool pl_is_fresh(pl_loop *loop, const pl_partial_store *store,
                 const pl_named_cell *read);
/* Whether a term is the counter of a for loop around the text that it is from, and
 * counts from 0 or more to a small number. */
bool pl_counts_few(pl_loop *loop, const pl_term *term);
/* How often a guard has to be taken so that what it asks of a thread can be told
 * from the store's index; 1: as it stands. */
int64_t pl_words_of(pl_loop *loop, const pl_partial_store *store,
                    const pl_relation *goal);
/* Whether all that a sum is made of has at a place the value that it had where it
 * was taken down. */
bool pl_all_stay(const pl_loop *loop, const pl_linear *of, const pl_node *at);
/* Whether a sum cannot be negative at a place where none of the facts is. */
bool pl_sum_follows(pl_loop *loop, const pl_linear *wanted,
                    const pl_linear *facts, size_t n, const pl_node *at);
/* Whether a difference of unsigned numbers is no less than zero at a place, by what
 * the loop asked before the body: nothing wraps. */
bool pl_is_exact_difference(pl_loop *loop, const pl_linear *sum,
                            const pl_node *at);
/* Whether a branch does nothing but jump, so that its else part is what follows. */
bool pl_is_skip(const pl_node *node);

#endif
