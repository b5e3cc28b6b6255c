/* call_summary.h - what does a call do, for all that is known of what it calls?
 *
 * One place for what other passes ask of calls. Functions of the toolkit are rows of
 * builtins.def. Raises nothing. */
#ifndef PL_CALL_SUMMARY_H
#define PL_CALL_SUMMARY_H

#include "effects.h"

/* builtins.def says what the columns mean. */
typedef enum pl_emits {
  PL_EMITS_DECLARED = -3,
  PL_EMITS_NONE,
  PL_EMITS_TEXTURE,
  PL_EMITS_ATOMIC = PL_EFFECT_ATOMIC,
  PL_EMITS_BARRIER = PL_EFFECT_BARRIER,
  PL_EMITS_SPECIAL_BARRIER = PL_EFFECT_SPECIAL_BARRIER,
  PL_EMITS_FENCE = PL_EFFECT_FENCE,
  PL_EMITS_VOLATILE = PL_EFFECT_VOLATILE,
  PL_EMITS_ASYNC = PL_EFFECT_ASYNC,
  PL_EMITS_SIDE = PL_EFFECT_SIDE,
  PL_EMITS_END = PL_EFFECT_END,
  PL_EMITS_WARP = PL_EFFECT_WARP,
  PL_EMITS_WARP_BARRIER = PL_EFFECT_WARP_BARRIER
} pl_emits;

typedef enum pl_leads {
  PL_LEADS_ANYWHERE,
  PL_LEADS_ARGUMENTS,
  PL_LEADS_OBJECTS,
  PL_LEADS_NOWHERE,
  PL_LEADS_PART
} pl_leads;

typedef enum pl_differs {
  PL_DIFFERS_SAME,
  PL_DIFFERS_PLACE,
  PL_DIFFERS_SIZE,
  PL_DIFFERS_THREAD,
  PL_DIFFERS_BLOCK,
  PL_DIFFERS_LANE
} pl_differs;

typedef struct pl_builtin {
  const char *scope, *name;
  size_t n; /* bytes of the name that all begin with */
  bool is_prefix;
  pl_emits emits;
  const char *arguments;
  pl_leads leads;
  pl_differs differs;
} pl_builtin;

/* The row of what a call calls; of what is not listed, or is the user's, one that
 * says no more than its declaration. */
const pl_builtin *pl_builtin_of(const pl_node *call);
/* `cuda::atomic<T>` and its like, whose operators and conversions are what its functions
 * are. */
bool pl_is_atomic_object(const pl_type *type);
/* The letter of an argument, from 0; ' ': its value is taken. */
char pl_builtin_argument(const pl_builtin *row, uint32_t index);
/* Whether a node is a call of the function that has the row of this name. */
bool pl_calls_builtin(const pl_node *node, const char *name);
/* Whether it reads one cell, and gives that: `__ldg(p)` and its like. */
bool pl_is_load_call(const pl_node *node);

/* call_graph.c: all functions that may run while one does, itself first: by calls, by
 * operators and constructors, or handed on by their names. */
typedef struct pl_func_list {
  pl_func *const *items;
  size_t n;
} pl_func_list;
pl_func_list pl_functions_of(const pl_unit *unit, const pl_func *func);
bool pl_may_call(const pl_unit *unit, const pl_func *from,
                 const pl_func *target);
/* Calls `visit` of each call of a function, and of those that such a call stands in,
 * up to kernels, once; until it is false. */
typedef bool pl_call_visit(const pl_func *caller, pl_node *call, void *context);
void pl_each_call_to(const pl_unit *unit, const pl_func *func,
                     pl_call_visit *visit, void *context);
/* Whether a node is one that is looked for; the same answer each time. */
typedef bool pl_shows(const pl_unit *unit, const pl_node *node);
/* One in the text of a function, or of one that may run while it does; NULL: there is
 * none. Each text is looked through once. */
pl_node *pl_function_shows(const pl_unit *unit, const pl_func *func,
                           pl_shows *is_one);
/* ... in what a node calls. */
pl_node *pl_call_shows(const pl_unit *unit, const pl_node *node,
                       pl_shows *is_one);
/* The first node of a text that is one, or calls what shows one. */
pl_node *pl_text_shows(const pl_unit *unit, pl_node *text, pl_shows *is_one);

#endif
