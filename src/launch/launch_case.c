/* launch_case.c - launch descriptions worked out for one size set. See
 * launch.h; launch.c reads them. */
#include "launch.h"

#include <stdio.h>
#include <string.h>

static size_t sizes_count(const pl_sizes *sizes) {
  size_t n = 1;
  for (size_t i = 0; i < sizes->n; i++)
    n *= sizes->dims[i].n;
  return n;
}

size_t pl_launch_case_count(const pl_launch *launch) {
  size_t n = 0;
  for (size_t i = 0; i < launch->n_sizes; i++)
    n += sizes_count(&launch->sizes[i]);
  return launch->n_sizes ? n : 1;
}

/* What the evaluation of one case carries about. */
typedef struct resolver {
  pl_arena *arena;
  const pl_launch *launch;
  const char **names;
  int64_t *values;
  size_t n;
  pl_launch_error *error;
} resolver;

static bool resolve(resolver *rs, const pl_expr *e, int line, int64_t *value) {
  const char *why;
  pl_names names = {rs->names, rs->values, rs->n};
  if (pl_expr_eval(rs->arena, e, &names, value, &why))
    return true;
  rs->error->line = line;
  rs->error->column = 1;
  pl_str text = pl_expr_text_view(e);
  snprintf(rs->error->text, sizeof rs->error->text, "'%.*s': %s", PL_FMT(text),
           why);
  return false;
}

static void add_name(resolver *rs, const char *name, int64_t value) {
  rs->names[rs->n] = name;
  rs->values[rs->n++] = value;
}

static bool resolve_lets(resolver *rs) {
  const pl_launch *l = rs->launch;
  for (size_t i = 0; i < l->n_lets; i++) {
    int64_t value;
    if (!resolve(rs, l->lets[i].value, l->line, &value))
      return false;
    add_name(rs, l->lets[i].name, value);
  }
  return true;
}

static bool resolve_shape(resolver *rs, const pl_expr *const *from,
                          int64_t *to) {
  for (int i = 0; i < 3; i++) {
    to[i] = 1;
    if (from[i] && !resolve(rs, from[i], rs->launch->line, &to[i]))
      return false;
  }
  return true;
}

static bool bad_case(resolver *rs, int line, const char *why) {
  rs->error->line = line;
  rs->error->column = 1;
  snprintf(rs->error->text, sizeof rs->error->text, "%s", why);
  return false;
}

static bool resolve_arg(resolver *rs, const pl_arg *arg, pl_case_arg *out) {
  out->arg = arg;
  if (arg->count && !resolve(rs, arg->count, arg->line, &out->count))
    return false;
  if (arg->kind == PL_ARG_BUFFER && !arg->count)
    out->count = -1;
  else if (out->count < 0)
    return bad_case(rs, arg->line, "a buffer's element count is negative");
  if (arg->below && !resolve(rs, arg->below, arg->line, &out->below))
    return false;
  if (arg->below && out->below < 1)
    out->below = 1;
  return !arg->value || resolve(rs, arg->value, arg->line, &out->value);
}

static bool resolve_args(resolver *rs, pl_case *c) {
  c->n_args = rs->launch->n_args;
  c->args = PL_NEW_ARRAY(rs->arena, pl_case_arg, c->n_args + 1);
  for (size_t i = 0; i < c->n_args; i++)
    if (!resolve_arg(rs, &rs->launch->args[i], &c->args[i]))
      return false;
  return true;
}

static bool resolve_work(resolver *rs, const pl_expr *e, double *out) {
  int64_t value = 0;
  if (e && !resolve(rs, e, rs->launch->line, &value))
    return false;
  *out = (double)value;
  return true;
}

/* Is the case inside the domain that the description's `requires` lines give?
 * PL_CASE_OK, PL_CASE_LEFT_OUT or PL_CASE_ERROR. */
static pl_case_answer in_domain(resolver *rs) {
  const pl_launch *l = rs->launch;
  for (size_t i = 0; i < l->n_needs; i++) {
    int64_t value;
    if (!resolve(rs, l->needs[i], l->line, &value))
      return PL_CASE_ERROR;
    if (!value)
      return PL_CASE_LEFT_OUT;
  }
  return PL_CASE_OK;
}

/* Each factor is looked at first, so that the product cannot overflow. (The most are those
 * of the programming guide's table of compute capabilities, the same for all.) */
static bool is_block(const int64_t *block) {
  static const int64_t most[] = {1024, 1024, 64};
  for (int i = 0; i < 3; i++)
    if (block[i] < 1 || block[i] > most[i])
      return false;
  return block[0] * block[1] * block[2] <= 1024;
}

static bool is_grid(const int64_t *grid) {
  return grid[0] <= INT32_MAX && grid[1] <= UINT16_MAX && grid[2] <= UINT16_MAX;
}

/* Names, grid, block and shared memory; the dimensions stand in `rs` already. */
static pl_case_answer resolve_launch(resolver *rs, pl_case *c) {
  *c = (pl_case){.n_dims = rs->n};
  if (!resolve_lets(rs))
    return PL_CASE_ERROR;
  c->names = (pl_names){rs->names, rs->values, rs->n};
  pl_case_answer answer = in_domain(rs);
  if (answer != PL_CASE_OK)
    return answer;
  if (!resolve_shape(rs, rs->launch->grid, c->grid) ||
      !resolve_shape(rs, rs->launch->block, c->block))
    return PL_CASE_ERROR;
  if (rs->launch->smem &&
      !resolve(rs, rs->launch->smem, rs->launch->line, &c->smem))
    return PL_CASE_ERROR;
  if (c->grid[0] < 1 || c->grid[1] < 1 || c->grid[2] < 1)
    return PL_CASE_LEFT_OUT;
  if (c->smem < 0) {
    bad_case(rs, rs->launch->line, "the dynamic shared memory is negative");
    return PL_CASE_ERROR;
  }
  if (!is_block(c->block)) {
    bad_case(rs, rs->launch->line, "a block has 1 to 1024 threads, and no more than 64 "
                                   "layers");
    return PL_CASE_ERROR;
  }
  if (!is_grid(c->grid)) {
    bad_case(rs, rs->launch->line, "a grid has no more than 65535 blocks along y and z");
    return PL_CASE_ERROR;
  }
  return PL_CASE_OK;
}

/* All but the dimensions. */
static pl_case_answer resolve_case(resolver *rs, pl_case *c) {
  pl_case_answer answer = resolve_launch(rs, c);
  if (answer != PL_CASE_OK)
    return answer;
  if (!resolve_args(rs, c) ||
      !resolve_work(rs, rs->launch->flops, &c->flops) ||
      !resolve_work(rs, rs->launch->bytes, &c->bytes))
    return PL_CASE_ERROR;
  return PL_CASE_OK;
}

static resolver resolver_new(pl_arena *arena, const pl_launch *launch,
                             size_t n_names, pl_launch_error *error) {
  size_t room = n_names + launch->n_lets + 1;
  return (resolver){.arena = arena,
                    .launch = launch,
                    .names = PL_NEW_ARRAY(arena, const char *, room),
                    .values = PL_NEW_ARRAY(arena, int64_t, room),
                    .error = error};
}

pl_case_answer pl_launch_case(pl_arena *arena, const pl_launch *launch,
                              size_t index, pl_case *out,
                              pl_launch_error *error) {
  size_t s = 0;
  while (s < launch->n_sizes && index >= sizes_count(&launch->sizes[s]))
    index -= sizes_count(&launch->sizes[s++]);
  const pl_sizes none = {0};
  const pl_sizes *sizes = s < launch->n_sizes ? &launch->sizes[s] : &none;
  resolver rs = resolver_new(arena, launch, sizes->n, error);
  for (size_t i = sizes->n; i-- > 0;) {
    rs.names[i] = sizes->dims[i].name;
    rs.values[i] = sizes->dims[i].values[index % sizes->dims[i].n];
    index /= sizes->dims[i].n;
  }
  rs.n = sizes->n;
  return resolve_case(&rs, out);
}

pl_case_answer pl_launch_target(pl_arena *arena, const pl_launch *launch,
                                pl_case *out, pl_launch_error *error) {
  if (launch->n_target == 0)
    return PL_CASE_LEFT_OUT;
  resolver rs = resolver_new(arena, launch, launch->n_target, error);
  for (size_t i = 0; i < launch->n_target; i++)
    add_name(&rs, launch->target[i].name, launch->target[i].values[0]);
  return resolve_case(&rs, out);
}

/* ---- two kernels of the same parameters ----------------------------------- */

static bool is_name(const pl_expr *e, const char *name) {
  return e && pl_str_is(pl_expr_text_view(e), name);
}

/* The integer argument that is this dimension and nothing else; n_args: none. */
static size_t argument_of(const pl_launch *launch, const char *dim) {
  size_t i = 0;
  while (i < launch->n_args && (launch->args[i].kind != PL_ARG_INT ||
                                !is_name(launch->args[i].value, dim)))
    i++;
  return i;
}

static bool value_of_name(const pl_case *at, const char *name, int64_t *value) {
  for (size_t i = 0; i < at->names.n; i++)
    if (strcmp(at->names.names[i], name) == 0) {
      *value = at->names.values[i];
      return true;
    }
  return false;
}

static bool dim_of_other(resolver *rs, const pl_launch *launch,
                         const pl_case *at, const char *name) {
  int64_t value;
  size_t arg = argument_of(rs->launch, name);
  if (arg < at->n_args && at->args[arg].arg->kind == PL_ARG_INT)
    value = at->args[arg].value;
  else if (!value_of_name(at, name, &value)) {
    *rs->error = (pl_launch_error){.line = rs->launch->line, .column = 1};
    snprintf(rs->error->text, sizeof rs->error->text,
             "'%s' is neither an integer argument of '%s' nor a size of '%s'",
             name, rs->launch->kernel, launch->kernel);
    return false;
  }
  add_name(rs, name, value);
  return true;
}

static bool is_own_name(const resolver *rs, const char *name) {
  for (size_t i = 0; i < rs->n; i++)
    if (strcmp(rs->names[i], name) == 0)
      return true;
  for (size_t i = 0; i < rs->launch->n_lets; i++)
    if (strcmp(rs->launch->lets[i].name, name) == 0)
      return true;
  return false;
}

/* A description that names no sizes of its own speaks of the first kernel's. */
static void add_names_of(resolver *rs, const pl_case *at) {
  for (size_t i = 0; i < at->names.n; i++)
    if (!is_own_name(rs, at->names.names[i]))
      add_name(rs, at->names.names[i], at->names.values[i]);
}

/* Its dimensions by name: every `sizes` line has the same, in any order. */
static const pl_dim_values *dims_of(const pl_launch *launch, size_t *n) {
  *n = launch->n_sizes ? launch->sizes[0].n : launch->n_target;
  return launch->n_sizes ? launch->sizes[0].dims : launch->target;
}

pl_case_answer pl_case_of_other(pl_arena *arena, const pl_launch *other,
                                const pl_launch *launch, const pl_case *at,
                                pl_case_shape *shape, pl_launch_error *error) {
  size_t n;
  const pl_dim_values *dims = dims_of(other, &n);
  resolver rs = resolver_new(arena, other, n + at->names.n, error);
  for (size_t i = 0; i < n; i++)
    if (!dim_of_other(&rs, launch, at, dims[i].name))
      return PL_CASE_ERROR;
  add_names_of(&rs, at);
  pl_case c;
  pl_case_answer answer = resolve_launch(&rs, &c);
  if (answer != PL_CASE_OK)
    return answer;
  memcpy(shape->grid, c.grid, sizeof shape->grid);
  memcpy(shape->block, c.block, sizeof shape->block);
  shape->smem = c.smem;
  return PL_CASE_OK;
}

/* The list in `sizes` of the dimension that is what `dim` is for `launch`; NULL. */
static const pl_dim_values *list_for(const pl_launch *launch, const char *dim,
                                     const pl_launch *other,
                                     const pl_sizes *sizes) {
  size_t arg = argument_of(launch, dim);
  for (size_t i = 0; i < sizes->n; i++) {
    size_t others = argument_of(other, sizes->dims[i].name);
    bool is_argument = arg < launch->n_args && others < other->n_args;
    if (is_argument ? arg == others : strcmp(sizes->dims[i].name, dim) == 0)
      return &sizes->dims[i];
  }
  return NULL;
}

static bool translate_sizes(pl_arena *arena, const pl_launch *launch,
                            const pl_launch *other, const pl_sizes *sizes,
                            pl_sizes *to) {
  size_t n;
  const pl_dim_values *dims = dims_of(launch, &n);
  *to = (pl_sizes){.dims = PL_NEW_ARRAY(arena, pl_dim_values, n + 1),
                   .line = launch->line};
  for (size_t i = 0; i < n; i++) {
    const pl_dim_values *list = list_for(launch, dims[i].name, other, sizes);
    if (!list)
      return false;
    to->dims[to->n++] = (pl_dim_values){dims[i].name, list->values, list->n};
  }
  return n > 0;
}

void pl_launch_take_sizes(pl_arena *arena, pl_launch *launch,
                          const pl_launch *other, bool instead) {
  size_t n = 0;
  pl_sizes *all =
      PL_NEW_ARRAY(arena, pl_sizes, launch->n_sizes + other->n_sizes + 1);
  for (size_t i = 0; i < launch->n_sizes && !instead; i++)
    all[n++] = launch->sizes[i];
  for (size_t i = 0; i < other->n_sizes; i++)
    n += translate_sizes(arena, launch, other, &other->sizes[i], &all[n]);
  if (n == 0)
    return;
  launch->sizes = all;
  launch->n_sizes = n;
}

pl_str pl_case_sizes_text(pl_arena *arena, const pl_case *c) {
  pl_text text = {.arena = arena};
  for (size_t i = 0; i < c->n_dims; i++)
    pl_text_printf(&text, "%s%s=%lld", i ? " " : "", c->names.names[i],
                   (long long)c->names.values[i]);
  return pl_text_view(&text);
}
