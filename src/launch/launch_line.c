/* launch_line.c - see launch_line.h. */
#include "launch_line.h"

#include <string.h>

/* `name = int {, int}` */
static bool read_dim(pl_launch_reader *r, pl_piece *pc, pl_dim_values *dim) {
  pl_str name = pl_piece_name(pc);
  if (name.n == 0)
    return pl_piece_fail(r, pc, pc->p, "expected a dimension's name");
  dim->name = pl_arena_cstr(r->arena, name);
  if (!pl_piece_take(pc, '='))
    return pl_piece_fail(r, pc, pc->p, "expected '='");
  size_t cap = 0;
  do {
    int64_t value = 0;
    if (!pl_piece_int(r, pc, &value))
      return false;
    PL_PUSH(r->arena, dim->values, dim->n, cap, value);
  } while (pl_piece_take(pc, ','));
  return true;
}

static bool read_dims(pl_launch_reader *r, pl_piece pc, pl_dim_values **dims,
                      size_t *n) {
  size_t cap = 0;
  *n = 0;
  for (pl_piece_trim(&pc); pc.p < pc.end; pl_piece_trim(&pc)) {
    pl_dim_values dim = {0};
    if (!read_dim(r, &pc, &dim))
      return false;
    PL_PUSH(r->arena, *dims, *n, cap, dim);
  }
  return *n > 0 || pl_piece_fail(r, &pc, pc.p, "expected NAME=VALUES");
}

static bool has_dim(const pl_dim_values *dims, size_t n, const char *name) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(dims[i].name, name) == 0)
      return true;
  return false;
}

/* Every `sizes` line names the same dimensions as the first, in any order. */
static bool same_dims(pl_launch_reader *r, pl_piece pc,
                      const pl_dim_values *dims, size_t n) {
  const pl_sizes *first = &r->now->sizes[0];
  for (size_t i = 0; i < first->n; i++)
    if (!has_dim(dims, n, first->dims[i].name))
      return pl_piece_fail_name(r, &pc, pc.p,
                                "dimension '%s' has no value here",
                                first->dims[i].name);
  for (size_t i = 0; i < n; i++)
    if (!has_dim(first->dims, first->n, dims[i].name))
      return pl_piece_fail_name(r, &pc, pc.p,
                                "dimension '%s' is not in the first sizes line",
                                dims[i].name);
  return true;
}

static bool read_sizes(pl_launch_reader *r, pl_piece pc) {
  pl_launch *l = r->now;
  pl_sizes sizes = {.line = pc.line};
  if (!read_dims(r, pc, &sizes.dims, &sizes.n))
    return false;
  if (l->n_sizes && !same_dims(r, pc, sizes.dims, sizes.n))
    return false;
  size_t cap = l->n_sizes;
  PL_PUSH(r->arena, l->sizes, l->n_sizes, cap, sizes);
  return true;
}

static bool read_target(pl_launch_reader *r, pl_piece pc) {
  pl_launch *l = r->now;
  if (!read_dims(r, pc, &l->target, &l->n_target))
    return false;
  for (size_t i = 0; i < l->n_target; i++)
    if (l->target[i].n != 1)
      return pl_piece_fail(r, &pc, pc.p, "a target dimension has one value");
  return true;
}

static bool read_let(pl_launch_reader *r, pl_piece pc) {
  pl_launch *l = r->now;
  pl_let let = {0};
  pl_str name = pl_piece_name(&pc);
  if (name.n == 0 || !pl_piece_take(&pc, '='))
    return pl_piece_fail(r, &pc, pc.p, "expected NAME = EXPRESSION");
  let.name = pl_arena_cstr(r->arena, name);
  let.value = pl_piece_expr(r, pc);
  size_t cap = l->n_lets;
  PL_PUSH(r->arena, l->lets, l->n_lets, cap, let);
  return let.value != NULL;
}

static bool read_requires(pl_launch_reader *r, pl_piece pc) {
  pl_launch *l = r->now;
  const pl_expr *e = pl_piece_expr(r, pc);
  size_t cap = l->n_needs;
  PL_PUSH(r->arena, l->needs, l->n_needs, cap, e);
  return e != NULL;
}

static bool read_shape(pl_launch_reader *r, pl_piece pc,
                       const pl_expr **shape) {
  pl_piece_trim(&pc);
  for (int i = 0; i < 3 && (i == 0 || pc.p < pc.end); i++)
    if (!(shape[i] = pl_piece_expr(r, pl_piece_item(&pc))))
      return false;
  return pc.p == pc.end || pl_piece_fail(r, &pc, pc.p, "at most three extents");
}

static bool read_grid(pl_launch_reader *r, pl_piece pc) {
  return read_shape(r, pc, r->now->grid);
}

static bool read_block(pl_launch_reader *r, pl_piece pc) {
  return read_shape(r, pc, r->now->block);
}

static bool read_smem(pl_launch_reader *r, pl_piece pc) {
  return (r->now->smem = pl_piece_expr(r, pc)) != NULL;
}

static bool read_work(pl_launch_reader *r, pl_piece pc) {
  const char *at = pc.p;
  pl_str what = pl_piece_name(&pc);
  if (pl_str_is(what, "flops"))
    return (r->now->flops = pl_piece_expr(r, pc)) != NULL;
  if (pl_str_is(what, "bytes"))
    return (r->now->bytes = pl_piece_expr(r, pc)) != NULL;
  return pl_piece_fail(r, &pc, at, "expected 'flops' or 'bytes'");
}

static const struct {
  const char *word;
  bool (*read)(pl_launch_reader *r, pl_piece rest);
} LINES[] = {
    {"sizes", read_sizes},       {"target", read_target}, {"let", read_let},
    {"requires", read_requires}, {"grid", read_grid},     {"block", read_block},
    {"smem", read_smem},         {"work", read_work},
};

/* `name:` makes an argument, whatever the name; else the first word decides. */
bool pl_launch_read_line(pl_launch_reader *r, pl_piece pc) {
  pl_piece rest = pc;
  const char *at = pc.p;
  pl_str word = pl_piece_name(&rest);
  pl_piece_trim(&rest);
  if (word.n && rest.p < rest.end && *rest.p == ':') {
    rest.p++;
    return pl_launch_read_argument(r, rest, word);
  }
  for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++)
    if (pl_str_is(word, LINES[i].word))
      return LINES[i].read(r, rest);
  return pl_piece_fail(
      r, &pc, at,
      "expected sizes, target, let, requires, grid, block, smem, "
      "work or 'NAME:'");
}
