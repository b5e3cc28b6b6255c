/* conditions.h - what does a condition of the preprocessor say? */
#ifndef PL_CONDITIONS_H
#define PL_CONDITIONS_H

#include "unit.h"

typedef enum pl_term_kind {
  PL_TERM_OPEN, /* none that is read here */
  PL_TERM_NUMBER,
  PL_TERM_NAME,
  PL_TERM_DEFINED,
  PL_TERM_CALL, /* of a macro, or `__has_include(<x>)` */
  PL_TERM_UNARY,
  PL_TERM_BINARY,
  PL_TERM_CHOICE
} pl_term_kind;

/* A condition, or a part of one. */
typedef struct pl_term {
  pl_term_kind kind;
  pl_str text;     /* its words, a blank between two */
  pl_str name;     /* what it names, or its operator */
  pl_str operands; /* of a call */
  int64_t value;
  bool is_unsigned; /* a number, by its suffix */
  bool is_closed;   /* in parentheses */
  struct pl_term *kids[3];
} pl_term;

/* Reads the words of a condition, one blank between two, `defined X` without
 * parentheses, by the grammar of [cpp.cond] and [expr.const]. */
pl_term *pl_term_read(pl_arena *arena, pl_str words);
/* `<` and its like. */
bool pl_is_comparison(pl_str word);

#endif
