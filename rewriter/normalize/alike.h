/* alike.h - forms of statements that are one where they do the same. */
#ifndef PL_ALIKE_H
#define PL_ALIKE_H

#include "model.h"

typedef struct pl_alike {
  const pl_unit *unit;
  pl_arena *arena;
  const pl_decl *counter; /* stands for `is`, where that is known; NULL: none does */
  int64_t is;
  bool is_known;
  /* A name that stands for a node, `As[stage]`; NULL: the node for itself. */
  pl_node *(*stands_for)(const struct pl_alike *how, pl_node *node);
  const void *context;
} pl_alike;

/* Whether an expression is a number. */
bool pl_alike_number(const pl_alike *how, pl_node *node, int64_t *value);
/* The form of some statements; false: there is something in them that has none. */
bool pl_alike_form(const pl_alike *how, pl_node *const *stmts, size_t n, pl_str *form);
/* (plus[0] - plus[1]) - (minus[0] - minus[1]), where that is a number. */
bool pl_alike_difference(const pl_alike *how, pl_node *const plus[2], pl_node *const minus[2],
                         int64_t *number);

#endif
