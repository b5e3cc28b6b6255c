/* expr.h - integer expressions over named values, for launch descriptions.
 *
 * C's operators with C's precedence on 64-bit integers, and min and max:
 *   + - * / %  ( )  < <= > >= == !=  ! && ||  ?:  min(a, b)  max(a, b)
 * A division by zero, an overflow and an unknown name are errors, found when
 * the expression is evaluated. */
#ifndef PL_EXPR_H
#define PL_EXPR_H

#include "arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pl_expr pl_expr;

/* The names that an expression may use, and what they stand for. */
typedef struct pl_names {
  const char *const *names;
  const int64_t *values;
  size_t n;
} pl_names;

/* Parses all of `text`. NULL on error: *error says why, *error_at is the byte
 * offset in `text`. The tree lives in `arena`. */
const pl_expr *pl_expr_parse(pl_arena *arena, pl_str text, const char **error,
                             size_t *error_at);

/* False when the value does not exist; *error (in `arena`) says why. */
bool pl_expr_eval(pl_arena *arena, const pl_expr *expr, const pl_names *names,
                  int64_t *value, const char **error);

/* The source text that the expression was parsed from. */
pl_str pl_expr_text_view(const pl_expr *expr);

#endif
