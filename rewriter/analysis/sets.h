/* sets.h - which variables may a node set anew? */
#ifndef PL_SETS_H
#define PL_SETS_H

#include "model.h"

/* Calls `found` for each variable that a node, by itself and not by what is below
 * it, sets or may, or makes another name or an address of. A lambda does all that
 * stands in it. False: another variable may be set, too: any. */
bool pl_each_set(const pl_node *node, void (*found)(pl_decl *decl, void *context),
                 void *context);

#endif
