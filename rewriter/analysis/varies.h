/* varies.h - what changes from one iteration to the next, from one time that a loop is
 * reached to the next, and under another name? */
#ifndef PL_VARIES_H
#define PL_VARIES_H

#include "loop.h"

/* ---- varies.c ------------------------------------------------------------ */

/* Whether a node, an expression or statement, sets all of a variable. */
bool pl_sets_whole(const pl_node *node, const pl_decl *decl);
bool pl_written_in_loop(const pl_loop *loop, const pl_decl *decl);

/* ---- fields.c ------------------------------------------------------------ */

/* Whether a number that is a field of an object, or of a part of one, is never set
 * once the object was made, ahead of the loop. */
bool pl_field_stays(pl_loop *loop, const pl_node *part, const pl_decl *field);
/* Whether an object that the loop changes is named here, `ref`, for such fields alone:
 * for one of them, or for a method that reads no other. */
bool pl_reads_kept_fields(pl_loop *loop, const pl_node *ref);
/* Whether an object of the function's own is named here for such fields alone, and all
 * over the function for members alone. */
bool pl_reads_kept_fields_in(pl_arena *arena, const pl_unit *unit, const pl_func *func,
                             const pl_node *ref);
/* ... of any object. */
bool pl_field_is_set_once(const pl_unit *unit, const pl_decl *field);
/* `this` or `*this`. */
bool pl_is_this(const pl_node *node);
/* Whether a method that does this, or has this text, changes a member of its object;
 * NULL: any. */
bool pl_sets_member(const pl_effects *effects, const pl_decl *field);
bool pl_method_sets(pl_effect_context *context, const pl_func *method,
                    const pl_decl *field);
/* The variable that an object is, or lies in: `loop` of `loop.loaders.a`; NULL: it
 * is reached by a pointer or a reference, or by more than names. */
const pl_decl *pl_object_variable(const pl_node *object);

/* ---- cancels.c ----------------------------------------------------------- */

/* The loop within the tile loop that counts with a part of a sum which, from
 * where that loop begins, is the same in each iteration; NULL: it is no such
 * sum. */
pl_node *pl_cancels(pl_loop *loop, pl_node *node);

/* ---- entries.c ----------------------------------------------------------- */

/* Whether calls of the function may hand something else for a parameter of its. */
bool pl_is_handed_anew(const pl_loop *again, const pl_decl *param);

/* ---- other_names.c ------------------------------------------------------- */

/* Where a variable gets another name in the loop's function: its address is kept, a
 * reference is bound to it, a lambda captures it, a record is made from it, also by way
 * of casts, branches and calls. NULL: nowhere. `reads`: lambdas that stand in the loop
 * and read alone give none. */
const pl_node *pl_other_name(const pl_loop *loop, const pl_decl *decl, bool reads);
/* Whether it gets one. */
bool pl_has_second_name(const pl_loop *loop, pl_decl *decl);
/* Whether it is made anew in each iteration, and has one name alone. */
bool pl_is_of_iteration(const pl_loop *loop, const pl_decl *decl);

#endif
