/* launch.h - launch descriptions: how a kernel is launched and what it is given.
 *
 * docs/launch.md has the grammar. Proofs, measurements and tuning read the same
 * description, so that it is written once, beside the kernel. */
#ifndef PL_LAUNCH_H
#define PL_LAUNCH_H

#include "arena.h"
#include "expr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pl_launch_error {
  int line, column; /* from 1; in the text that was read */
  char text[200];
} pl_launch_error;

typedef enum pl_arg_kind {
  PL_ARG_BUFFER,
  PL_ARG_INT,
  PL_ARG_REAL,
  PL_ARG_NULL
} pl_arg_kind;

typedef enum pl_arg_direction { PL_ARG_IN, PL_ARG_OUT, PL_ARG_INOUT } pl_arg_direction;

typedef enum pl_fill_kind {
  PL_FILL_RANDOM, /* small integers, or uniform in [-1, 1) */
  PL_FILL_RANGE,  /* uniform in [low, high) */
  PL_FILL_BELOW,  /* integers in [0, below) */
  PL_FILL_CONST   /* low, everywhere */
} pl_fill_kind;

/* One kernel argument, in the order of the parameters. */
typedef struct pl_arg {
  const char *name;
  pl_arg_kind kind;
  pl_arg_direction direction; /* buffers */
  const pl_expr *count;       /* buffers: elements of the parameter's type; NULL:
                                 as many as the original reaches */
  pl_fill_kind fill;
  double low, high;
  const pl_expr *below;
  const pl_expr *value; /* PL_ARG_INT */
  double real;          /* PL_ARG_REAL */
  int line;
} pl_arg;

typedef struct pl_dim_values {
  const char *name;
  int64_t *values;
  size_t n;
} pl_dim_values;

/* One `sizes` line: the cross product of its lists. */
typedef struct pl_sizes {
  pl_dim_values *dims;
  size_t n;
  int line;
} pl_sizes;

typedef struct pl_let {
  const char *name;
  const pl_expr *value;
} pl_let;

typedef struct pl_launch {
  const char *kernel; /* as written: "ns::sgemm<16>" */
  const char *name;   /* without namespace and template arguments: "sgemm" */
  const char *types;  /* "(const float *, int)" where given, else NULL */
  int line;
  pl_sizes *sizes;
  size_t n_sizes;
  pl_dim_values *target; /* each with one value */
  size_t n_target;
  pl_let *lets;
  size_t n_lets;
  const pl_expr **needs; /* `requires` */
  size_t n_needs;
  const pl_expr *grid[3], *block[3]; /* NULL: 1 */
  const pl_expr *smem;               /* NULL: 0 */
  const pl_expr *flops, *bytes;      /* NULL: not said */
  pl_arg *args;
  size_t n_args;
} pl_launch;

typedef struct pl_launch_list {
  pl_arena *arena;
  pl_launch *launches;
  size_t n;
} pl_launch_list;

/* What a rewritten kernel is launched with, where it is not as the original. */
typedef struct pl_kernel_shape {
  const char *name; /* of the kernel, without namespace and arguments; NULL: any */
  const char *bytes; /* dynamic shared ones: an expression over the dimensions, the
                        `let` names and `smem`, the original's; NULL: as many */
  int layers; /* its block is so many of the original's, by z; 0: one */
} pl_kernel_shape;

/* The descriptions in the `//` comments of a source text. A source without any
 * gives an empty list. NULL on error, which is written to *error. */
pl_launch_list *pl_launches_from_source(const char *text, size_t len,
                                        pl_launch_error *error);

/* The same from a file of descriptions, or the text of an option: the leading
 * `//` and `pipelinify:` may be left out, `|` ends a line too. */
pl_launch_list *pl_launches_from_text(const char *text, size_t len,
                                      pl_launch_error *error);

void pl_launch_list_free(pl_launch_list *list);

/* One launch with every expression worked out. */
typedef struct pl_case_arg {
  const pl_arg *arg;
  int64_t count; /* PL_ARG_BUFFER: elements; -1: see pl_arg */
  int64_t value; /* PL_ARG_INT */
  int64_t below; /* PL_FILL_BELOW */
} pl_case_arg;

typedef struct pl_case {
  pl_names names; /* dimensions, then lets */
  size_t n_dims;  /* how many of them are dimensions */
  int64_t grid[3], block[3], smem;
  double flops, bytes; /* 0: not said */
  pl_case_arg *args;
  size_t n_args;
} pl_case;

typedef enum pl_case_answer {
  PL_CASE_OK,
  PL_CASE_LEFT_OUT, /* a `requires` is zero, or the grid is empty */
  PL_CASE_ERROR     /* see the error */
} pl_case_answer;

/* The number of size sets of the `sizes` lines; 1 where there are none. */
size_t pl_launch_case_count(const pl_launch *launch);

/* Works out size set `index`, below pl_launch_case_count(). */
pl_case_answer pl_launch_case(pl_arena *arena, const pl_launch *launch,
                              size_t index, pl_case *out,
                              pl_launch_error *error);

/* Works out the `target` sizes; PL_CASE_LEFT_OUT where none are given. */
pl_case_answer pl_launch_target(pl_arena *arena, const pl_launch *launch,
                                pl_case *out, pl_launch_error *error);

/* Grid, block and dynamic shared bytes of one launch. */
typedef struct pl_case_shape {
  int64_t grid[3], block[3], smem;
} pl_case_shape;

/* That of a rewritten kernel's; the original's where the list does not name the kernel,
 * and its bytes where their expression has no value. */
pl_case_shape pl_case_of_form(pl_arena *arena, const pl_launch *launch,
                              const pl_case *at, const pl_kernel_shape *list, size_t n);

/* How `other`, of a kernel with the same parameters, is launched on the sizes of
 * `at`, a case of `launch`: a dimension of it that is an integer argument has that
 * argument's value, any other that of its namesake, and other names of `at` are known
 * too. PL_CASE_LEFT_OUT where its own
 * `requires` is zero or its grid is empty. */
pl_case_answer pl_case_of_other(pl_arena *arena, const pl_launch *other,
                                const pl_launch *launch, const pl_case *at,
                                pl_case_shape *shape, pl_launch_error *error);

/* The `sizes` lines of `other` in the dimensions of `launch`, behind its own, or
 * instead of them; a line that leaves one without values is left out. `launch` is
 * changed; what is new lies in `arena`. */
void pl_launch_take_sizes(pl_arena *arena, pl_launch *launch,
                          const pl_launch *other, bool instead);

/* "M=33 N=48 K=0", for messages. */
pl_str pl_case_sizes_text(pl_arena *arena, const pl_case *c);

#endif
