/* value_ranges.h - between which bounds does a value lie, in its own type?
 *
 * Only value_ranges.c and ranges.c include this. */
#ifndef PL_VALUE_RANGES_H
#define PL_VALUE_RANGES_H

#include "loop.h"

/* The numbers from low to high; `open`: high is INT64_MAX, and there may be larger
 * ones, of an unsigned type of 8 bytes. */
typedef struct pl_interval {
  bool known;
  bool open;
  int64_t low, high;
} pl_interval;

/* Of a value as the expression's type holds it. */
pl_interval pl_value_range(const pl_loop *loop, const pl_node *node);
/* What an object of a type holds that is set to such a value. */
pl_interval pl_value_range_in(pl_interval of, const pl_type *to);

#endif
