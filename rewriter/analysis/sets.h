/* sets.h - which variables may a node set anew? */
#ifndef PL_SETS_H
#define PL_SETS_H

#include "lvalues.h"

/* Calls `found` for each variable of which a node, by itself and not by what is below
 * it, sets all or a member, or may, or makes another name or an address. A lambda does all that
 * stands in it. False: another variable may be set, too: any. */
bool pl_each_set(const pl_node *node, void (*found)(pl_decl *decl, void *context),
                 void *context);
/* The same of the names themselves: of variables, members and `this`. */
typedef void pl_name_visit(const pl_node *name, void *context);
bool pl_each_set_name(const pl_node *node, pl_name_visit *found, void *context);
/* The names of which an lvalue may be one: `x` and `o.y` of `(c ? x : o.y)`. */
void pl_each_place_name(pl_node *lvalue, pl_name_visit *found, void *context);

#endif
