/* legality_roles.h - threads that load, beside those that compute.
 *
 * For plan_roles.c. */
#ifndef PL_LEGALITY_ROLES_H
#define PL_LEGALITY_ROLES_H

#include "loop.h"

/* Whether threads of a second layer of the block can run the load side of a legal loop
 * in the place of those that there are; sets what they pass over, or why they cannot. */
bool pl_find_roles(pl_loop *loop, pl_roles *roles);

#endif
