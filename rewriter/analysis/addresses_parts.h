/* addresses_parts.h - what the files share that follow addresses: addresses.c, which
 * walks the text, and addresses_values.c, which it asks of expressions. */
#ifndef PL_ADDRESSES_PARTS_H
#define PL_ADDRESSES_PARTS_H

#include "addresses.h"

/* A walk over one function's text. */
typedef struct pl_flow {
  pl_loop *loop;
  const pl_func *func;
  const pl_decl *tile; /* NULL in a called function: its parameters stand in */
  pl_holders *out;
  const pl_decl *filled[16]; /* parameters through which an address goes out */
  size_t nfilled;
  bool this_holds, this_filled, changed;
  bool this_named; /* the object that a method is called on is the tile */
  bool gives_address, gives_place; /* by its return statements */
  int depth;
} pl_flow;

/* ---- addresses_values.c -------------------------------------------------- */

/* Whether values of a type have room for an address. */
bool pl_can_hold(const pl_type *type);
/* An array, or a reference to one: its name is an address. */
bool pl_is_array_place(const pl_type *type);
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

/* Walks a called function with what it is handed. False: its body is not seen,
 * or it is handed nothing. */
bool pl_flow_follow(pl_flow *f, pl_node *call, pl_flow *callee);

#endif
