/* handed_tiles.h - the callers' shared memory, by a function's own names for it.
 *
 * What all calls in the file hand to a function, as a parameter or as a reference or
 * pointer in the object that a method is called on, and to which nothing else that they
 * hand over leads, is a tile of the function: its trees and the effects of its statements
 * say so from then on. Raises nothing. */
#ifndef PL_HANDED_TILES_H
#define PL_HANDED_TILES_H

#include "effects.h"

typedef struct pl_callee {
  pl_unit *unit;
  pl_func *func;
  pl_effect_context *effects;
} pl_callee;

/* Parameters, of which those that some call gives parts of one object are told of each
 * other (`carved_with`), and members, for each of which a variable stands in the text.
 * Asked again, of the same trees and whichever effects, it finds the same ones. */
void pl_adopt_tiles(pl_callee *f);
/* handed_members.c */
void pl_adopt_members(pl_callee *f);
/* Whether a record is no more than its members. */
bool pl_is_plain_record(const pl_type *type);

#endif
