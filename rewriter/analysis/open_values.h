/* open_values.h - what another instantiation, or another build, may have otherwise. */
#ifndef PL_OPEN_VALUES_H
#define PL_OPEN_VALUES_H

#include "loop.h"

/* Whether another instantiation, or another build, may have an object of another
 * size. */
bool pl_has_open_size(const pl_loop *loop, const pl_decl *decl);
/* The same of the value of an expression. */
bool pl_has_open_value(const pl_loop *loop, const pl_node *node);
/* Whether a text hangs on a number that the file has only as a default, `#ifndef N`,
 * `#define N 4`: by macros, constants and types of the file that it names, too. `only`: on
 * that of this name; empty: on any. */
bool pl_hangs_on_default(const pl_unit *unit, pl_str text, pl_str only);

/* Marks the constants of the unit's functions whose value hangs on such a number by more
 * than a macro of their own text: sizes, and members of what templates make of it. */
void pl_mark_open_values(const pl_unit *unit);

#endif
