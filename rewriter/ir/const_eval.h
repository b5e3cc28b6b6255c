/* const_eval.h - constant integer expressions, in the types that C++ gives them.
 *
 * The one evaluator: a value has a width and a sign, operands are promoted and
 * converted as the language says, unsigned arithmetic wraps. What has no value
 * (signed overflow, a shift by too much, a division by zero) is unknown. */
#ifndef PL_CONST_EVAL_H
#define PL_CONST_EVAL_H

#include "model.h"

/* An integer value, or unknown. */
typedef struct pl_const {
  bool known;
  bool is_unsigned;
  uint8_t bytes; /* 1, 2, 4 or 8; 0: of an integer type that is not known, as an
                    enumerator's or a dependent name's. Such a value takes part
                    where every type from int up gives the same result */
  int64_t bits;  /* sign- or zero-extended */
} pl_const;

/* What names stand for where an expression is evaluated. */
typedef struct pl_const_scope {
  const pl_func *func;         /* whose template parameters are named */
  const pl_instance *instance; /* NULL: none */
  /* Asked of a name, member or call before anything else; NULL: nobody. */
  bool (*leaf)(void *context, const pl_node *node, pl_const *value);
  void *context;
} pl_const_scope;

extern const pl_const pl_const_unknown;

pl_const pl_const_make(uint8_t bytes, bool is_unsigned, int64_t bits);
/* The value of an `int`. */
pl_const pl_const_int(int64_t value);
/* What an object of a type holds once it is set to a value; unknown of a type
 * that is no integer. */
pl_const pl_const_convert(pl_const value, const pl_type *to);

/* `type` is the result's where the expression has one, else NULL. */
pl_const pl_const_unary(pl_op op, pl_const of, const pl_type *type);
pl_const pl_const_binary(pl_op op, pl_const a, pl_const b, const pl_type *type);

/* Whether it is known not to be zero. */
bool pl_const_is_true(pl_const value);
/* The number itself; false: unknown, or larger than an int64_t. */
bool pl_const_number(pl_const value, int64_t *number);

pl_const pl_const_eval(const pl_const_scope *scope, const pl_node *node);

/* Whether numbers of a type have a width and a sign: integers and bool. */
bool pl_is_integer_type(const pl_type *type);
/* The least and largest number of it. An unsigned one of 8 bytes has more: its
 * largest is INT64_MAX here, which stands for all above it, too. */
int64_t pl_least_of(const pl_type *type);
int64_t pl_largest_of(const pl_type *type);

#endif
