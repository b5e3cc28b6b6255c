/* widen.h - what the files of widen.c (which copies become wide?) share with
 * emit_fill_wide.c, which writes them. */
#ifndef PL_WIDEN_H
#define PL_WIDEN_H

#include "loop.h"

/* The iterations of a copy loop that one wide copy serves: those in which the
 * counter goes from a multiple of `width` to before the next one. A value that is
 * `base + j * by` in the j-th of them has the slope `by`. */
typedef struct pl_neighbours {
  pl_loop *loop;
  const pl_decl *counter;
  bool in_row;   /* all threads that share the copy loop are of one row of the
                    block, so that threadIdx.y and z are the same */
  int64_t width; /* a power of two; while alignment is asked for, of 16 bytes */
  int64_t group; /* of what the premises are: the width, but for rows */
  int64_t bytes; /* of the wide copy, of a row 16 */
  bool of_block; /* they are the threads of the block by threadIdx.x, all of them */
  bool asks;     /* numbers known at run time alone may be premises */
} pl_neighbours;

typedef struct pl_slope {
  bool known;
  int64_t by;
} pl_slope;

/* widen_forms.c */

/* Of a number, a pointer (in what it points to) or a truth. */
pl_slope pl_slope_of(pl_neighbours *n, pl_node *node);
/* Of the place that an lvalue names, in objects of its type. */
pl_slope pl_slope_of_place(pl_neighbours *n, pl_node *lvalue);
/* Whether it has one, and no neighbour's number has wrapped around. */
bool pl_grows_unwrapped(pl_neighbours *n, pl_node *node);
/* Whether a value is the same for all neighbours, and for all groups of them in one
 * iteration of the tile loop. */
bool pl_is_same_for_groups(pl_neighbours *n, pl_node *node);
/* Whether a number tells the neighbours apart, and nothing else: the counter, or the
 * thread of a row. */
bool pl_is_their_number(pl_neighbours *n, pl_node *node);
bool pl_is_not_negative(pl_neighbours *n, pl_node *node);
/* Where an expression numbers a thread: 'x', in its row, 'y', in the rows of one layer,
 * 'b', in the block; 0: in none of them. */
char pl_numbers_threads(pl_loop *loop, pl_node *node);
/* Whether it is how many threads there are. */
bool pl_counts_threads(pl_loop *loop, pl_node *node, char numbered);
/* Whether the first neighbour's value is a multiple of width, given the loop's
 * premises, to which it adds. */
bool pl_is_multiple(pl_neighbours *n, pl_node *node);
/* Whether what the first one loads lies at a multiple of width elements, given
 * those and that pointers are aligned. */
bool pl_is_aligned_place(pl_neighbours *n, pl_node *lvalue);
/* Whether a comparison holds for all neighbours or for none: `<` of two multiples
 * of their number. */
bool pl_holds_for_all_or_none(pl_neighbours *n, pl_node *cond);

/* widen_premises.c */

/* Whether a constant is a multiple of width, or positive, in all instantiations; where
 * another build or instantiation may have another value, that is a premise. */
bool pl_constant_is(pl_neighbours *n, pl_premise_kind kind, pl_node *node);
/* Whether a constant divides another in all instantiations; where another build or
 * instantiation may have other values, that is a premise. */
bool pl_divides(pl_neighbours *n, pl_node *part, pl_node *whole);
/* Adds what the widening takes for granted, once. */
void pl_add_premise(pl_neighbours *n, pl_premise_kind kind, pl_node *node);
/* The same of a type that a template decides. */
void pl_add_size_premise(pl_neighbours *n, const pl_type *type);
/* Whether a number is the same for all threads, before the tile loop and in it, and
 * can be worked out in front of it. */
bool pl_can_be_asked(pl_loop *loop, pl_node *node);
/* Whether what an expression names has one value for the whole of the function. */
bool pl_never_changes(const pl_loop *loop, const pl_node *node);
/* Whether an expression cannot stand in front of the tile loop: it names what is
 * declared inside, or what may be hidden there. */
bool pl_stays_inside(const pl_loop *loop, const pl_node *node);
/* What a local stands for that is set to a condition once, NULL: it is none. */
pl_node *pl_named_guard(const pl_loop *loop, const pl_node *node);
/* Whether a local number or pointer has the value of its initialiser wherever it is
 * named. */
bool pl_is_set_once(const pl_loop *loop, pl_decl *decl);
/* Whether it is `<` and its like. */
bool pl_is_order(pl_op op);
/* Whether a comparison is made with unsigned numbers. */
bool pl_compares_unsigned(const pl_node *cond);

/* widen_loops.c */

/* Whether the counter of a copy loop takes each value below its bound once, over
 * the threads of a row or of the block, and the bound is a whole number of groups;
 * notes what that rests on, and sets the neighbours' counter. NULL: it does; else
 * what is in the way. */
const char *pl_not_shared_out(pl_neighbours *n, pl_copy_loop *c);

/* The group of premises about rows that the block's threads copy, one element each. */
#define PL_THREADS_GROUP (1 << 20)

/* widen.c */

/* The copy loop whose iterations are a wide copy's neighbours. */
const pl_copy_loop *pl_loop_of_wide(const pl_loop *loop, const pl_copy *copy);
/* The same of a row's; NULL: they are the block's threads. */
const pl_copy_loop *pl_loop_of_row(const pl_loop *loop, const pl_copy *copy);

#endif
