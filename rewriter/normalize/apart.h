/* apart.h - what the files that begin with apart share.
 *
 * Only these include this. */
#ifndef PL_APART_H
#define PL_APART_H

#include "copies.h"
#include "expansions.h"

/* A variable of a loop's function, and the text that is to stand for some of it. */
typedef struct pl_apart {
  const pl_loop *loop;
  const pl_decl *decl;
  pl_arena *arena;
  pl_replacements *out;
} pl_apart;

/* apart.c: whether it is the thread's own, and known by its one name; whether the
 * loop may be left midway. */
bool pl_is_plain_local(const pl_apart *a);
bool pl_may_leave(const pl_loop *loop);

/* apart_held.c: the number, or variable that is set once, which a statement sets it
 * to and does no more; NULL: it does something else. */
const pl_node *pl_value_set(const pl_apart *a, const pl_node *stmt);
/* Says of some variable, in front of what reads it, what it holds there. */
void pl_say_what_is_held(const pl_loop *loop, pl_arena *arena,
                         pl_replacements *out);

#endif
