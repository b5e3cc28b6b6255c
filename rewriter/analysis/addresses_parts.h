/* addresses_parts.h - what the files share that follow addresses: addresses.c, which
 * walks the text, and addresses_values.c, which it asks of expressions. */
#ifndef PL_ADDRESSES_PARTS_H
#define PL_ADDRESSES_PARTS_H

#include "addresses.h"

/* Functions with what each is handed: each of them is looked through in each round
 * once, until nothing is added in one. */
typedef struct pl_flows {
  struct pl_flow **items;
  size_t n, cap, round;
  bool changed;
} pl_flows;

/* A walk over one function's text. */
typedef struct pl_flow {
  pl_flows *all;
  pl_loop *loop;
  const pl_func *func;
  const pl_decl *tile; /* NULL in a called function: its parameters stand in */
  pl_holders *out;
  uint64_t named, held; /* bit i: parameter i is a name of a place, holds one */
  uint64_t filled; /* ... and through this an address goes out */
  bool this_held; /* the object that a method is called on holds one, */
  bool this_named; /* is the tile */
  bool this_holds, this_filled, changed;
  bool gives_address, gives_place; /* by its return statements */
  size_t round;
} pl_flow;

/* ---- addresses_values.c -------------------------------------------------- */

/* Whether values of a type have room for an address. */
bool pl_can_hold(const pl_type *type);
/* Whether the value of an expression may be, or hold, an address of the tile. */
bool pl_flow_carries(pl_flow *f, pl_node *node);
/* Whether an lvalue names the tile or a part of it. */
bool pl_flow_is_place(pl_flow *f, pl_node *node);
/* Whether a text names the tile, or what holds its address. */
bool pl_flow_mentions(pl_flow *f, pl_node *node);
/* Whether one of a call's arguments carries an address, or, for `places`, names a
 * place. */
bool pl_flow_argument(pl_flow *f, const pl_node *call, bool places);
/* Whether a variable is known to hold an address; notes that one does, or is a name
 * of a place. */
bool pl_flow_holds(const pl_flow *f, const pl_decl *decl);
void pl_flow_add(pl_flow *f, const pl_decl *decl, bool as_name,
                 const pl_node *at);
/* Whether something that an address leads to, other than the tile's cells, may
 * hold one. */
bool pl_flow_points(pl_flow *f, pl_node *pointer, bool pointers);
/* The variable of which an lvalue is all or a part, without going through a
 * pointer; NULL: there is none. */
const pl_node *pl_flow_object(pl_node *node);
/* Whether it is a member of the object that the method is called on. */
bool pl_is_own_member(const pl_node *node);
/* An operator of the user's, as the call that it is; NULL: it is another. */
pl_node *pl_flow_operator(pl_flow *f, const pl_node *node);

/* ---- addresses.c --------------------------------------------------------- */

/* What a called function does with what it is handed, for all that is found so far;
 * NULL: its body is not seen. */
const pl_flow *pl_flow_follow(pl_flow *f, pl_node *call);

#endif
