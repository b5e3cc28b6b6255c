/* copies.c - how does each tile get filled?
 *
 * Needs: slices. Gives: every store into a tile with its source, guard and
 * width, the loops around it with their trip counts, and for each tile whether
 * all its cells are written in every iteration. Raises: PL1003, PL3007, PL4005,
 * PL4006. */
#include "copies.h"

#include <string.h>

static bool same_names(const pl_node *a, const pl_node *b);

/* ---- constants ------------------------------------------------------------ */

typedef struct value_walk {
  const pl_loop *loop;
  const pl_instance *instance;
  bool assumed;
  int depth;
} value_walk;

static bool value_of(value_walk *w, pl_node *node, int64_t *value);

static bool binary_value(pl_op op, int64_t a, int64_t b, int64_t *value) {
  switch (op) {
  case PL_OP_ADD: *value = a + b; return true;
  case PL_OP_SUB: *value = a - b; return true;
  case PL_OP_MUL: *value = a * b; return true;
  case PL_OP_DIV: if (!b) return false; *value = a / b; return true;
  case PL_OP_REM: if (!b) return false; *value = a % b; return true;
  case PL_OP_SHL: if (b < 0 || b > 62) return false;
    *value = a * ((int64_t)1 << b); return true;
  case PL_OP_SHR: if (b < 0 || b > 62) return false; *value = a >> b; return true;
  case PL_OP_AND: *value = a & b; return true;
  case PL_OP_OR: *value = a | b; return true;
  default: return false;
  }
}

static bool binds_reference(const pl_node *node, const pl_decl *decl) {
  if (node->kind == PL_NODE_LAMBDA || node->kind == PL_NODE_OTHER_DECL)
    return pl_mentions(node, decl) && !(decl->type && decl->type->is_const);
  if (node->kind == PL_NODE_VAR && node->decl && node->decl->type &&
      node->decl->type->kind == PL_TYPE_REFERENCE && node->nkids &&
      node->kids[0]) {
    const pl_node *of = pl_node_bare(node->kids[0]);
    return of->kind == PL_NODE_REF && of->decl == decl;
  }
  for (uint32_t i = 0; node->kind == PL_NODE_ASM && i < node->nkids; i++)
    if (node->kids[i] && pl_node_bare(node->kids[i])->decl == decl)
      return true;
  for (uint32_t i = 1; node->kind == PL_NODE_CALL && i < node->nkids; i++) {
    const pl_node *arg = node->kids[i] ? pl_node_bare(node->kids[i]) : NULL;
    if (!arg || arg->kind != PL_NODE_REF || arg->decl != decl)
      continue;
    const pl_func *func = node->decl ? node->decl->func : NULL;
    const pl_type *type = func && i - 1 < func->nparams
                              ? func->params[i - 1]->type
                              : NULL;
    if (type && type->kind == PL_TYPE_REFERENCE &&
        !(type->element && type->element->is_const))
      return true;
  }
  return false;
}

bool pl_assigned_anywhere(const pl_node *node, const pl_decl *decl) {
  if (!node)
    return false;
  if (binds_reference(node, decl))
    return true;
  const pl_node *target = NULL;
  if (node->kind == PL_NODE_ASSIGN)
    target = pl_node_bare(node->kids[0]);
  else if (node->kind == PL_NODE_UNARY &&
           (node->op == PL_OP_PREINC || node->op == PL_OP_POSTINC ||
            node->op == PL_OP_PREDEC || node->op == PL_OP_POSTDEC ||
            node->op == PL_OP_ADDR))
    target = pl_node_bare(node->kids[0]);
  if (target && target->kind == PL_NODE_REF && target->decl == decl)
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (pl_assigned_anywhere(node->kids[i], decl))
      return true;
  return false;
}

/* The axis of `blockDim.x`, 0: another expression. */
static char block_axis(const pl_node *node) {
  const pl_node *base =
      node->kind == PL_NODE_MEMBER ? pl_node_bare(node->kids[0]) : NULL;
  bool is_axis = base && base->kind == PL_NODE_REF &&
                 pl_str_is(base->name, "blockDim") && node->name.n == 1;
  return is_axis ? node->name.p[0] : 0;
}

static bool names_block_y(const pl_node *node) {
  if (!node)
    return false;
  if (node->kind == PL_NODE_MEMBER && pl_str_is(node->name, "y")) {
    const pl_node *base = pl_node_bare(node->kids[0]);
    if (base && base->kind == PL_NODE_REF &&
        (pl_str_is(base->name, "threadIdx") || pl_str_is(base->name, "blockDim")))
      return true;
  }
  for (uint32_t i = 0; i < node->nkids; i++)
    if (names_block_y(node->kids[i]))
      return true;
  return false;
}

/* What a loop passes for a parameter of a load helper, NULL: none. */
static pl_node *passed_for(const pl_loop *loop, const pl_decl *decl) {
  if (!loop->caller || !decl || decl->kind != PL_DECL_PARAM)
    return NULL;
  for (uint32_t i = 0; i < loop->func->nparams; i++)
    if (loop->func->params[i] == decl && i + 1 < loop->call->nkids)
      return loop->call->kids[i + 1];
  return NULL;
}

static bool ref_value(value_walk *w, pl_node *node, int64_t *value) {
  pl_decl *decl = node->decl;
  pl_node *passed = passed_for(w->loop, decl);
  if (passed && !pl_assigned_anywhere(w->loop->func->body, decl))
    return pl_loop_eval(w->loop->caller, NULL, passed, value, &w->assumed);
  if (pl_node_eval(node, w->loop->func, w->instance, value))
    return true;
  if (!decl || decl->kind != PL_DECL_VAR || !decl->init || !decl->owner ||
      w->depth > 8 || pl_assigned_anywhere(decl->owner->body, decl))
    return false;
  w->depth++;
  bool ok = value_of(w, decl->init, value);
  w->depth--;
  return ok;
}

static bool value_of(value_walk *w, pl_node *node, int64_t *value) {
  node = pl_node_bare(node);
  if (!node)
    return false;
  if (node->has_ival) {
    *value = node->ival;
    return true;
  }
  int64_t a, b;
  switch (node->kind) {
  case PL_NODE_REF:
    return ref_value(w, node, value);
  case PL_NODE_CAST:
    return node->nkids && value_of(w, node->kids[0], value);
  case PL_NODE_UNARY:
    if (node->op != PL_OP_MINUS || !value_of(w, node->kids[0], &a))
      return false;
    *value = -a;
    return true;
  case PL_NODE_BINARY:
    return value_of(w, node->kids[0], &a) && value_of(w, node->kids[1], &b) &&
           binary_value(node->op, a, b, value);
  case PL_NODE_MEMBER:
    if (!block_axis(node))
      return false;
    w->assumed = true;
    *value = pl_block_extent(w->loop, block_axis(node),
                             names_block_y(w->loop->func->body));
    return true;
  default:
    return pl_node_eval(node, w->loop->func, w->instance, value);
  }
}

bool pl_loop_eval(const pl_loop *loop, const pl_instance *instance,
                  pl_node *node, int64_t *value, bool *assumed) {
  value_walk w = {.loop = loop, .instance = instance};
  bool ok = value_of(&w, node, value);
  if (assumed)
    *assumed = *assumed || w.assumed;
  return ok;
}

bool pl_is_constant_text(const pl_node *node) {
  if (!node)
    return false;
  switch (node->kind) {
  case PL_NODE_INT:
  case PL_NODE_SIZEOF:
    return true;
  case PL_NODE_REF:
    return node->decl && (node->decl->is_constexpr ||
                          node->decl->kind == PL_DECL_TEMPLATE_VALUE ||
                          node->decl->kind == PL_DECL_ENUM_CONSTANT ||
                          (node->decl->kind == PL_DECL_VAR &&
                           node->decl->type && node->decl->type->is_const &&
                           node->decl->type->kind == PL_TYPE_INT &&
                           pl_is_constant_text(node->decl->init)));
  case PL_NODE_PAREN:
  case PL_NODE_CAST:
  case PL_NODE_UNARY:
  case PL_NODE_BINARY:
  case PL_NODE_COND:
    for (uint32_t i = 0; i < node->nkids; i++)
      if (!pl_is_constant_text(node->kids[i]))
        return false;
    return node->nkids > 0;
  default:
    return node->has_ival;
  }
}

bool pl_same_text(const pl_unit *unit, const pl_node *a, const pl_node *b) {
  pl_str x = pl_unit_slice(unit, a->range), y = pl_unit_slice(unit, b->range);
  size_t i = 0, j = 0;
  for (;;) {
    while (i < x.n && strchr(" \t\r\n", x.p[i]))
      i++;
    while (j < y.n && strchr(" \t\r\n", y.p[j]))
      j++;
    if (i == x.n || j == y.n)
      return i == x.n && j == y.n;
    if (x.p[i++] != y.p[j++])
      return false;
  }
}

/* ---- copy loops ----------------------------------------------------------- */

static bool is_thread_index(const pl_node *node) {
  const pl_node *base =
      node->kind == PL_NODE_MEMBER ? pl_node_bare(node->kids[0]) : NULL;
  return base && base->kind == PL_NODE_REF &&
         (pl_str_is(base->name, "threadIdx") || pl_str_is(base->name, "blockIdx") ||
          pl_str_is(base->name, "blockDim") || pl_str_is(base->name, "gridDim"));
}

/* Whether an expression cannot be negative: thread indices, their sums,
 * products, quotients and masks, and locals that are set to such once. */
/* A template parameter that is positive in every instantiation. */
static bool never_negative(const pl_loop *loop, const pl_node *node) {
  uint32_t n = loop->func->ninstances;
  for (uint32_t i = 0; i < n; i++) {
    int64_t value;
    bool assumed = false;
    if (!pl_loop_eval(loop, &loop->func->instances[i], (pl_node *)node, &value,
                      &assumed) ||
        assumed || value < 0)
      return false;
  }
  return n > 0;
}

/* A tile size that scales an index cannot be negative; a lone offset can. */
static bool is_factor(const pl_node *node) {
  const pl_node *up = node->parent;
  while (up && up->kind == PL_NODE_PAREN)
    up = up->parent;
  return up && up->kind == PL_NODE_BINARY &&
         (up->op == PL_OP_MUL || up->op == PL_OP_DIV || up->op == PL_OP_REM);
}

static bool not_negative(const pl_loop *loop, const pl_node *node, int depth) {
  node = pl_node_bare((pl_node *)node);
  if (!node || depth > 12)
    return false;
  if (node->has_ival)
    return node->ival >= 0;
  if (is_thread_index(node))
    return true;
  int64_t value;
  bool assumed = false;
  if (pl_loop_eval(loop, NULL, (pl_node *)node, &value, &assumed) && !assumed)
    return value >= 0;
  switch (node->kind) {
  case PL_NODE_CAST:
    return node->nkids && not_negative(loop, node->kids[0], depth + 1);
  case PL_NODE_BINARY:
    if (node->op == PL_OP_AND)
      return not_negative(loop, node->kids[0], depth + 1) ||
             not_negative(loop, node->kids[1], depth + 1);
    if (node->op != PL_OP_ADD && node->op != PL_OP_MUL &&
        node->op != PL_OP_DIV && node->op != PL_OP_REM && node->op != PL_OP_SHR)
      return false;
    return not_negative(loop, node->kids[0], depth + 1) &&
           not_negative(loop, node->kids[1], depth + 1);
  case PL_NODE_REF: {
    const pl_decl *decl = node->decl;
    if (decl && decl->kind == PL_DECL_TEMPLATE_VALUE)
      return never_negative(loop, node) ||
             (loop->func->ninstances == 0 && is_factor(node));
    pl_node *passed = passed_for(loop, decl);
    if (passed && !pl_assigned_anywhere(loop->func->body, decl))
      return not_negative(loop->caller, passed, depth + 1);
    return decl && decl->kind == PL_DECL_VAR && decl->init && decl->owner &&
           !pl_assigned_anywhere(decl->owner->body, decl) &&
           not_negative(loop, decl->init, depth + 1);
  }
  case PL_NODE_CALL:
    return pl_str_is(node->name, "thread_rank");
  default:
    return false;
  }
}

bool pl_not_negative(const pl_loop *loop, const pl_node *node) {
  return not_negative(loop, node, 0);
}

/* The variable and start value of a loop header's first part. */
static bool header_start(pl_copy_loop *c, pl_node *init) {
  if (!init)
    return false;
  if (init->kind == PL_NODE_DECL_STMT && init->nkids == 1 &&
      init->kids[0]->kind == PL_NODE_VAR) {
    c->var = init->kids[0]->decl;
    c->declares = true;
    c->start = init->kids[0]->nkids ? init->kids[0]->kids[0] : NULL;
    return c->start != NULL;
  }
  if (init->kind == PL_NODE_ASSIGN && init->op == PL_OP_ASSIGN) {
    pl_node *target = pl_node_bare(init->kids[0]);
    c->var = target->kind == PL_NODE_REF ? target->decl : NULL;
    c->start = init->kids[1];
    return c->var != NULL;
  }
  return false;
}

bool pl_names_var(const pl_node *node, const pl_decl *var) {
  node = pl_node_bare((pl_node *)node);
  return node && node->kind == PL_NODE_REF && node->decl == var;
}

static bool header_bound(pl_copy_loop *c, pl_node *cond) {
  cond = pl_node_bare(cond);
  if (!cond || cond->kind != PL_NODE_BINARY)
    return false;
  pl_node *left = pl_node_bare(cond->kids[0]);
  if (left->kind == PL_NODE_BINARY && left->op == PL_OP_ADD &&
      pl_names_var(left->kids[0], c->var)) {
    c->ahead = left->kids[1];
    left = pl_node_bare(left->kids[0]);
  }
  if (!pl_names_var(left, c->var))
    return false;
  if (cond->op != PL_OP_LT && cond->op != PL_OP_LE && cond->op != PL_OP_NE)
    return false;
  c->inclusive = cond->op == PL_OP_LE;
  c->bound = cond->kids[1];
  return cond->op != PL_OP_NE;
}

static bool header_step(pl_copy_loop *c, pl_node *inc) {
  inc = pl_node_bare(inc);
  if (!inc)
    return false;
  if (inc->kind == PL_NODE_UNARY &&
      (inc->op == PL_OP_PREINC || inc->op == PL_OP_POSTINC))
    return pl_names_var(inc->kids[0], c->var);
  if (inc->kind != PL_NODE_ASSIGN || !pl_names_var(inc->kids[0], c->var))
    return false;
  if (inc->op == PL_OP_ADD) {
    c->step = inc->kids[1];
    return true;
  }
  pl_node *sum = pl_node_bare(inc->kids[1]);
  if (inc->op != PL_OP_ASSIGN || sum->kind != PL_NODE_BINARY ||
      sum->op != PL_OP_ADD || !pl_names_var(sum->kids[0], c->var))
    return false;
  c->step = sum->kids[1];
  return true;
}

/* Whether something in a loop's body jumps out of it or over its rest. */
static bool has_exit(const pl_node *node) {
  return pl_leaves(node) || pl_inner_jump(node, PL_NODE_BREAK) ||
         pl_inner_jump(node, PL_NODE_CONTINUE);
}

typedef struct capacity_walk {
  pl_loop *loop;
  const pl_copy_loop *c;
  const pl_decl *tile;
  bool mixed; /* stores to other tiles, or at other places */
} capacity_walk;

static pl_tile *tile_written(pl_loop *loop, pl_node *node);

static bool find_flat_store(pl_node *node, void *context) {
  capacity_walk *w = context;
  if (node->kind != PL_NODE_ASSIGN || !tile_written(w->loop, node))
    return true;
  pl_node *dst = pl_node_bare(node->kids[0]);
  pl_node *base = dst->kind == PL_NODE_SUBSCRIPT ? pl_node_bare(dst->kids[0])
                                                 : NULL;
  bool flat = base && base->kind == PL_NODE_REF && base->decl &&
              pl_names_var(dst->kids[1], w->c->var) &&
              pl_loop_tile(w->loop, base->decl) && base->decl->ndims == 1;
  if (!flat || (w->tile && w->tile != base->decl))
    w->mixed = true;
  if (flat)
    w->tile = base->decl;
  return true;
}

/* A bound for a loop that stores `tile[i]` for each i: the tile's own size. */
static bool capacity(pl_loop *loop, const pl_copy_loop *c,
                     const pl_instance *instance, int64_t *bound) {
  capacity_walk w = {loop, c, NULL, false};
  pl_node_walk(pl_node_loop_body(c->node), find_flat_store, &w);
  return w.tile && !w.mixed && w.tile->dims[0] && !c->inclusive && !c->ahead &&
         pl_loop_eval(loop, instance, w.tile->dims[0], bound, NULL);
}

/* Most iterations that one thread makes, over all instantiations. */
int64_t pl_count_trips(pl_loop *loop, pl_copy_loop *c) {
  int64_t most = -1;
  uint32_t n = loop->func->ninstances;
  for (uint32_t i = 0; i < (n ? n : 1); i++) {
    const pl_instance *instance = n ? &loop->func->instances[i] : NULL;
    int64_t start = 0, bound, step = 1;
    bool assumed = false;
    bool fixed_start =
        pl_loop_eval(loop, instance, c->start, &start, &assumed);
    if (!fixed_start) {
      if (!not_negative(loop, c->start, 0))
        return -1;
      start = 0;
    }
    if ((!pl_loop_eval(loop, instance, c->bound, &bound, &assumed) &&
         !capacity(loop, c, instance, &bound)) ||
        (c->step && !pl_loop_eval(loop, instance, c->step, &step, &assumed)) ||
        step <= 0)
      return -1;
    int64_t ahead = 0;
    if (c->ahead && !pl_loop_eval(loop, instance, c->ahead, &ahead, &assumed))
      return -1;
    c->assumed = c->assumed || assumed;
    bound += c->inclusive - ahead;
    int64_t trips = bound > start ? (bound - start + step - 1) / step : 0;
    if (trips > most)
      most = trips;
    c->start_value = fixed_start ? start : -1;
  }
  return most;
}

int64_t pl_trip_count(pl_loop *loop, pl_node *node) {
  pl_copy_loop c = {.node = node, .count = -1};
  bool plain = node->kind == PL_NODE_FOR && header_start(&c, node->kids[0]) &&
               header_bound(&c, node->kids[1]) &&
               header_step(&c, node->kids[2]);
  return plain ? pl_count_trips(loop, &c) : -1;
}

static bool is_plain_number(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  return node->kind == PL_NODE_INT && !node->from_macro;
}

/* What a thread copies of a tile where the count is open: in budgets where a
 * template decides it, in fact where the run does. */
#define ESTIMATED_TRIPS 8
#define ESTIMATED_INNER_TRIPS 2

static bool literal_only(const pl_copy_loop *c) {
  return is_plain_number(c->bound) && (!c->step || is_plain_number(c->step));
}

static bool starts_at_zero(const pl_copy_loop *c) {
  const pl_node *start = pl_node_bare(c->start);
  return start->has_ival && start->ival == 0;
}

bool pl_has_symbolic_count(const pl_copy_loop *c) {
  if (c->numeric)
    return false;
  if (c->ahead)
    return c->inclusive && c->step && c->constant && starts_at_zero(c) &&
           same_names(c->ahead, c->step) && pl_is_constant_text(c->bound) &&
           pl_is_constant_text(c->step) && !literal_only(c);
  return pl_is_constant_text(c->bound) &&
         (!c->step || pl_is_constant_text(c->step)) && !literal_only(c) &&
         !c->inclusive && (!c->constant || starts_at_zero(c));
}

static bool is_index(const pl_node *node, const char *base,
                     const char *part) {
  node = pl_node_bare((pl_node *)node);
  const pl_node *of = node && node->kind == PL_NODE_MEMBER
                          ? pl_node_bare(node->kids[0])
                          : NULL;
  return of && of->kind == PL_NODE_REF && pl_str_is(of->name, base) &&
         pl_str_is(node->name, part);
}

/* threadIdx.x, threadIdx.y * blockDim.x + threadIdx.x, and locals that are set
 * to one of the two once: all values from zero up to some last one occur. */
static bool is_thread_number(const pl_loop *loop, const pl_node *node,
                             int depth) {
  node = pl_node_bare((pl_node *)node);
  if (!node || depth > 6)
    return false;
  if (is_index(node, "threadIdx", "x"))
    return !names_block_y(loop->func->body);
  if (node->kind == PL_NODE_REF)
    return node->decl && node->decl->kind == PL_DECL_VAR && node->decl->owner &&
           node->decl->init &&
           !pl_assigned_anywhere(node->decl->owner->body, node->decl) &&
           is_thread_number(loop, node->decl->init, depth + 1);
  if (node->kind == PL_NODE_CAST)
    return node->nkids && is_thread_number(loop, node->kids[0], depth + 1);
  if (node->kind != PL_NODE_BINARY || node->op != PL_OP_ADD)
    return false;
  const pl_node *row = pl_node_bare(node->kids[0]);
  return is_index(node->kids[1], "threadIdx", "x") &&
         row->kind == PL_NODE_BINARY && row->op == PL_OP_MUL &&
         ((is_index(row->kids[0], "threadIdx", "y") &&
           is_index(row->kids[1], "blockDim", "x")) ||
          (is_index(row->kids[1], "threadIdx", "y") &&
           is_index(row->kids[0], "blockDim", "x")));
}

/* Whether a constant's value may differ in another build or instantiation. */
static bool is_open(const pl_node *node) {
  if (!node)
    return false;
  if (node->from_macro ||
      (node->kind == PL_NODE_REF && node->decl &&
       node->decl->kind == PL_DECL_TEMPLATE_VALUE) ||
      (node->kind == PL_NODE_REF && !node->decl))
    return true;
  if (node->kind == PL_NODE_REF && node->decl && is_open(node->decl->init))
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (is_open(node->kids[i]))
      return true;
  return false;
}

/* The largest value of a thread's place, or of a quotient or remainder of it, by
 * the kernel's launch bounds; -1: not known, or another build's could differ. */
static int64_t largest_start(const pl_loop *loop, const pl_node *node,
                             int depth) {
  node = pl_node_bare((pl_node *)node);
  if (!node || depth > 8)
    return -1;
  const pl_func *func = loop->func;
  bool bounded = !loop->caller && func->launch_bounds > 0 &&
                 (!func->launch_bounds_node || !is_open(func->launch_bounds_node));
  if (is_thread_number(loop, node, 0) || is_index(node, "threadIdx", "x") ||
      is_index(node, "threadIdx", "y") || is_index(node, "threadIdx", "z"))
    return bounded ? func->launch_bounds - 1 : -1;
  if (node->kind == PL_NODE_REF)
    return node->decl && node->decl->kind == PL_DECL_VAR && node->decl->owner &&
                   node->decl->init &&
                   !pl_assigned_anywhere(node->decl->owner->body, node->decl)
               ? largest_start(loop, node->decl->init, depth + 1)
               : -1;
  int64_t by = 0;
  if (node->kind != PL_NODE_BINARY || is_open(node->kids[1]) ||
      !pl_loop_eval((pl_loop *)loop, NULL, node->kids[1], &by, NULL) || by <= 0)
    return -1;
  int64_t most = largest_start(loop, node->kids[0], depth + 1);
  if (node->op == PL_OP_DIV && most >= 0)
    return most / by;
  if (node->op == PL_OP_REM && (most >= 0 || is_thread_number(loop, node->kids[0], 0)))
    return most >= 0 && most < by ? most : by - 1;
  return -1;
}

/* What is known of a thread's first index against the step: with it, only the
 * last round of the unrolled loop needs the test against the bound. */
static void describe_start(pl_loop *loop, pl_copy_loop *c) {
  int64_t step = 0, bound = 0;
  if (c->constant || !c->step || c->inclusive || c->ahead ||
      !pl_is_constant_text(c->step) || !pl_is_constant_text(c->bound) ||
      !pl_loop_eval(loop, NULL, c->step, &step, NULL))
    return;
  c->by_thread = is_thread_number(loop, c->start, 0);
  c->below_step = c->by_thread && !loop->caller &&
                  loop->func->launch_bounds > 0 &&
                  loop->func->launch_bounds <= step && !is_open(c->step) &&
                  (!loop->func->launch_bounds_node ||
                   !is_open(loop->func->launch_bounds_node));
  int64_t most = is_open(c->step) ? -1 : largest_start(loop, c->start, 0);
  if (most >= 0 && most < step)
    c->by_thread = c->below_step = true;
  c->divides = pl_loop_eval(loop, NULL, c->bound, &bound, NULL) && step > 0 &&
               bound % step == 0 && !is_open(c->bound) && !is_open(c->step);
}

static bool mentioned_outside(const pl_node *node, const pl_node *without,
                              const pl_decl *decl) {
  if (!node || node == without)
    return false;
  if (node->kind == PL_NODE_REF && node->decl == decl) {
    const pl_node *up = node->parent;
    return !(up && up->kind == PL_NODE_VAR);
  }
  for (uint32_t i = 0; i < node->nkids; i++)
    if (mentioned_outside(node->kids[i], without, decl))
      return true;
  return false;
}

/* A count that is written as a number but that another build or instantiation
 * may change: the loop's own text then takes what is left. */
static void secure_count(pl_copy_loop *c) {
  bool open = is_open(c->bound) || (c->step && is_open(c->step)) ||
              (c->constant && is_open(c->start));
  if (c->count < 0 || !open || pl_has_symbolic_count(c))
    return;
  if (c->constant)
    c->var = NULL;
  else
    c->assumed = true;
}

static bool is_for(pl_node *node, void *context) {
  bool *found = context;
  *found = *found || node->kind == PL_NODE_FOR;
  return !*found;
}

/* The share of ESTIMATED_TRIPS that one of several nested copy loops gets. */
static int64_t estimated_share(const pl_fill *fill, const pl_node *node) {
  for (const pl_node *up = node->parent; up; up = up->parent)
    if (pl_fill_loop(fill, up) && pl_fill_loop(fill, up)->estimated)
      return ESTIMATED_INNER_TRIPS;
  bool nested = false;
  pl_node_walk(pl_node_loop_body(node), is_for, &nested);
  return nested ? ESTIMATED_TRIPS / ESTIMATED_INNER_TRIPS : ESTIMATED_TRIPS;
}

/* Whether a value stays far from the largest integer, so that a few steps more
 * than the loop makes cannot overflow: a thread's place, block sizes, constants
 * and what they add up to. */
static bool is_small(const pl_loop *loop, const pl_node *node, int depth) {
  node = pl_node_bare((pl_node *)node);
  int64_t value;
  bool assumed = false;
  if (!node || depth > 12)
    return false;
  if (pl_loop_eval(loop, NULL, (pl_node *)node, &value, &assumed) && !assumed)
    return value >= 0 && value <= 1 << 16;
  if (block_axis(node) || is_index(node, "threadIdx", "x") ||
      is_index(node, "threadIdx", "y") || is_index(node, "threadIdx", "z"))
    return true;
  switch (node->kind) {
  case PL_NODE_CAST:
    return node->nkids && is_small(loop, node->kids[0], depth + 1);
  case PL_NODE_BINARY:
    if (node->op == PL_OP_REM || node->op == PL_OP_AND)
      return not_negative(loop, node, 0) &&
             (is_small(loop, node->kids[0], depth + 1) ||
              is_small(loop, node->kids[1], depth + 1));
    return (node->op == PL_OP_ADD || node->op == PL_OP_MUL ||
            node->op == PL_OP_DIV || node->op == PL_OP_SHR) &&
           is_small(loop, node->kids[0], depth + 1) &&
           is_small(loop, node->kids[1], depth + 1);
  case PL_NODE_REF: {
    pl_node *passed = passed_for(loop, node->decl);
    if (passed && !pl_assigned_anywhere(loop->func->body, node->decl))
      return is_small(loop->caller, passed, depth + 1);
    return node->decl && (node->decl->kind == PL_DECL_TEMPLATE_VALUE ||
                          (node->decl->kind == PL_DECL_VAR &&
                           node->decl->init && node->decl->owner &&
                           !pl_assigned_anywhere(node->decl->owner->body,
                                              node->decl) &&
                           is_small(loop, node->decl->init, depth + 1)));
  }
  case PL_NODE_CALL:
    return pl_str_is(node->name, "thread_rank") ||
           pl_str_is(node->name, "size") ||
           pl_str_is(node->name, "num_threads");
  default:
    return false;
  }
}

/* A count that only the run knows: registers for a few elements, and for those
 * beyond them the loop itself once more. */
static void estimate_count(pl_loop *loop, const pl_fill *fill,
                           pl_copy_loop *c) {
  if (c->chain) {
    c->estimated = c->assumed = true;
  } else if (pl_has_symbolic_count(c)) {
    c->estimated = c->constant || not_negative(loop, c->start, 0);
  } else {
    const pl_type *type = c->var->type;
    c->estimated = c->assumed = !c->constant && type &&
                                type->kind == PL_TYPE_INT && type->size >= 4 &&
                                is_small(loop, c->start, 0) &&
                                (!c->step || is_small(loop, c->step, 0));
  }
  if (c->estimated)
    c->count = estimated_share(fill, c->node);
}

/* `for (i = start; i < bound; i += step)` and nothing else that decides. */
static bool describe_plain(pl_loop *loop, pl_copy_loop *c) {
  pl_node *node = c->node;
  return node->kind == PL_NODE_FOR && header_start(c, node->kids[0]) &&
         !(c->var->type && c->var->type->kind == PL_TYPE_POINTER) &&
         header_bound(c, node->kids[1]) && header_step(c, node->kids[2]) &&
         !pl_assigned_anywhere(node->kids[3], c->var) && !has_exit(node->kids[3]) &&
         (c->declares || !mentioned_outside(loop->func->body, node, c->var));
}

/* Finds the count of a loop that has a variable, a bound and a step. */
static void find_count(pl_loop *loop, const pl_fill *fill, pl_copy_loop *c) {
  c->constant = !c->chain && pl_is_constant_text(c->start) &&
                pl_is_constant_text(c->bound) &&
                (!c->step || pl_is_constant_text(c->step)) &&
                (!c->ahead || pl_is_constant_text(c->ahead));
  c->count = pl_count_trips(loop, c);
  if (c->count < 0)
    estimate_count(loop, fill, c);
  if (c->count < 1 && (c->assumed || c->chain))
    c->count = 1;
  if (!c->chain)
    describe_start(loop, c);
  if (c->by_thread && !c->below_step && pl_has_riders(loop, c->node))
    c->by_thread = false;
  secure_count(c);
  if (c->assumed && ((c->chain && !c->resumes) ||
                     pl_riders_outlive(loop, c->node)))
    c->var = NULL;
}

static void describe_loop(pl_loop *loop, pl_fill *fill, pl_node *node) {
  pl_copy_loop c = {.node = node, .count = -1};
  bool counts = describe_plain(loop, &c);
  if (!counts) {
    c = (pl_copy_loop){.node = node, .count = -1};
    counts = pl_describe_chain(loop, fill, &c);
  }
  if (counts)
    find_count(loop, fill, &c);
  else
    c.var = NULL;
  PL_PUSH(loop->arena, fill->loops, fill->nloops, fill->loops_cap, c);
}

const pl_copy_loop *pl_fill_loop(const pl_fill *fill, const pl_node *node) {
  for (size_t i = 0; i < fill->nloops; i++)
    if (fill->loops[i].node == node)
      return &fill->loops[i];
  return NULL;
}

const pl_copy *pl_fill_copy(const pl_fill *fill, const pl_node *store) {
  for (size_t i = 0; i < fill->ncopies; i++)
    if (fill->copies[i].store == store)
      return &fill->copies[i];
  return NULL;
}

/* ---- one copy ------------------------------------------------------------- */

bool pl_reads_global(pl_loop *loop, pl_node *node) {
  pl_effects effects = {0};
  pl_effects_of(loop->effects, loop->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind == PL_EFFECT_READ && !effects.items[i].direct &&
        (effects.items[i].space == PL_SPACE_GLOBAL ||
         effects.items[i].space == PL_SPACE_CONSTANT ||
         effects.items[i].space == PL_SPACE_UNKNOWN))
      return true;
  return false;
}

static bool is_load_call(const pl_node *node) {
  static const char *const names[] = {"__ldg",  "__ldcg", "__ldca",
                                      "__ldcs", "__ldlu", "__ldcv", NULL};
  for (size_t i = 0; node->kind == PL_NODE_CALL && names[i]; i++)
    if (pl_str_is(node->name, names[i]))
      return true;
  return false;
}

/* Whether an expression is exactly one access to global memory. */
static bool is_load(pl_loop *loop, pl_node *node) {
  node = pl_node_bare(node);
  if (!node)
    return false;
  if (is_load_call(node))
    return true;
  bool lvalue = node->kind == PL_NODE_SUBSCRIPT ||
                (node->kind == PL_NODE_UNARY && node->op == PL_OP_DEREF) ||
                (node->kind == PL_NODE_MEMBER);
  if (!lvalue)
    return false;
  return pl_reads_global(loop, node);
}

static pl_node *guarded_load(pl_loop *loop, pl_node *node) {
  node = pl_node_bare(node);
  if (is_load(loop, node))
    return node;
  if (node->kind != PL_NODE_COND || pl_reads_global(loop, node->kids[0]))
    return NULL;
  bool first = is_load(loop, node->kids[1]);
  bool second = is_load(loop, node->kids[2]);
  if (first && !pl_reads_global(loop, node->kids[2]))
    return pl_node_bare(node->kids[1]);
  if (second && !pl_reads_global(loop, node->kids[1]))
    return pl_node_bare(node->kids[2]);
  return NULL;
}

static bool same_type(const pl_type *a, const pl_type *b) {
  if (a && a->kind == PL_TYPE_REFERENCE)
    a = a->element;
  if (b && b->kind == PL_TYPE_REFERENCE)
    b = b->element;
  return a && b && a->spelling.n && pl_str_eq(a->spelling, b->spelling);
}

static void gather_leaves(pl_loop *loop, pl_copy *copy, size_t *cap,
                          pl_node *node) {
  if (!node)
    return;
  if (node->kind == PL_NODE_UNARY && node->op == PL_OP_ADDR) {
    copy->takes_address = true;
    return;
  }
  if (is_load(loop, node)) {
    PL_PUSH(loop->arena, copy->leaves, copy->nleaves, *cap,
            pl_node_bare(node));
    return;
  }
  for (uint32_t i = 0; i < node->nkids; i++)
    gather_leaves(loop, copy, cap, node->kids[i]);
}

/* Whether a load inside `src` happens only under a condition within it. */
static bool leaf_is_guarded(const pl_node *leaf, const pl_node *src) {
  for (const pl_node *at = leaf; at && at != src; at = at->parent) {
    const pl_node *up = at->parent;
    if (!up)
      return true;
    if (up->kind == PL_NODE_COND && up->kids[0] != at)
      return true;
    if (up->kind == PL_NODE_BINARY && up->kids[0] != at &&
        (up->op == PL_OP_LAND || up->op == PL_OP_LOR))
      return true;
  }
  return false;
}

/* The stores of one local: `v` read by this and that, declared once in the load
 * slice and never changed. */
static pl_node *local_between(pl_loop *loop, pl_node *src) {
  src = pl_node_bare(src);
  if (!src || src->kind != PL_NODE_REF || !src->decl || !src->decl->node ||
      !src->decl->init || src->decl->kind != PL_DECL_VAR ||
      !pl_declared_inside(src->decl, loop->body) ||
      pl_assigned_anywhere(loop->body, src->decl))
    return NULL;
  return src->decl->node;
}

static bool is_spelled(const pl_type *type) {
  return type && type->written.n && !pl_str_has(type->written, "dependent") &&
         !pl_str_has(type->written, "unnamed") &&
         !pl_str_has(type->written, "lambda");
}

/* `const T` as `T`. */
static pl_str without_const(pl_str written) {
  if (pl_str_starts(written, "const "))
    written = (pl_str){written.p + 6, written.n - 6};
  return written;
}

/* The type of a value; of `c ? a : b`, where a template hides it, the one that
 * both sides have. NULL: it has no name. */
static const pl_type *value_type(pl_node *value) {
  value = pl_node_bare(value);
  if (!value || is_spelled(value->type))
    return value ? value->type : NULL;
  if (value->kind != PL_NODE_COND)
    return NULL;
  const pl_type *yes = value_type(value->kids[1]);
  const pl_type *no = value_type(value->kids[2]);
  bool same = yes && no && pl_str_eq(without_const(yes->written),
                                     without_const(no->written));
  return same ? yes : NULL;
}

/* The type of a tile's elements as its declaration writes it. */
static const pl_type *element_type(const pl_copy *copy) {
  const pl_node *dst = copy->last->kids[0];
  const pl_node *node = pl_node_bare((pl_node *)dst);
  uint32_t levels = 0;
  while (node->kind == PL_NODE_SUBSCRIPT) {
    node = pl_node_bare(node->kids[0]);
    levels++;
  }
  if (node->kind != PL_NODE_REF || !node->decl ||
      (copy->last == copy->store && node->decl != copy->tile->decl))
    return dst->type;
  const pl_type *type = node->decl->type;
  if (type && type->kind == PL_TYPE_REFERENCE)
    type = type->element;
  while (type && levels &&
         (type->kind == PL_TYPE_ARRAY || type->kind == PL_TYPE_POINTER)) {
    type = type->element;
    levels--;
  }
  return levels == 0 && is_spelled(type) ? type : dst->type;
}

/* The type that a stored value has in a register: of the store's left side, or
 * where a template hides that, of the tile's elements or of the value. */
static const pl_type *stored_type(const pl_copy *copy) {
  const pl_type *type = copy->last->kids[0]->type;
  if (!is_spelled(type))
    type = element_type(copy);
  const pl_type *own = is_spelled(type) ? NULL : value_type(copy->src);
  return own ? own : type;
}

/* Whether a call inside an expression gets an lvalue by reference. */
static bool passes_reference(const pl_node *node) {
  if (!node)
    return false;
  const pl_func *func = node->kind == PL_NODE_CALL && node->decl
                            ? node->decl->func
                            : NULL;
  for (uint32_t i = 0; func && i < func->nparams; i++)
    if (func->params[i]->type &&
        func->params[i]->type->kind == PL_TYPE_REFERENCE)
      return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (passes_reference(node->kids[i]))
      return true;
  return false;
}

static void describe_source(pl_loop *loop, pl_copy *copy) {
  copy->reads_memory = pl_reads_global(loop, copy->src);
  copy->load = guarded_load(loop, copy->src);
  if (!copy->load) {
    copy->via = local_between(loop, copy->src);
    if (copy->via)
      copy->load = guarded_load(loop, copy->via->kids[0]);
    if (!copy->load)
      copy->via = NULL;
  }
  if (!copy->reads_memory)
    return;
  bool converts = !copy->load || (copy->load->type && copy->type &&
                                  !same_type(copy->load->type, copy->type));
  if (!converts)
    return;
  size_t cap = 0;
  gather_leaves(loop, copy, &cap, copy->src);
  copy->by_leaf = copy->nleaves > 0 && !copy->takes_address &&
                  !passes_reference(copy->src);
  for (size_t i = 0; i < copy->nleaves; i++) {
    const pl_type *type = copy->leaves[i]->type;
    if (leaf_is_guarded(copy->leaves[i], copy->src) || !type ||
        !type->written.n || copy->leaves[i]->from_macro ||
        pl_str_has(type->written, "dependent"))
      copy->by_leaf = false;
  }
  if (copy->src->from_macro)
    copy->by_leaf = false;
}

static void refuse_async(pl_copy *copy, const char *id, const char *why) {
  if (copy->async_id)
    return;
  copy->async_id = id;
  copy->async_why = why;
}

static bool is_async_width(int64_t bytes) {
  return bytes == 4 || bytes == 8 || bytes == 16;
}

/* The size of a type under every instantiation: the smallest where all can be
 * copied asynchronously, else one that cannot. */
static int64_t type_bytes(const pl_loop *loop, const pl_type *type) {
  int64_t bytes = -1;
  uint32_t n = loop->func->ninstances;
  for (uint32_t i = 0; type && i < (n ? n : 1); i++) {
    int64_t size = pl_type_size(type, loop->func,
                                n ? &loop->func->instances[i] : NULL);
    if (!is_async_width(size))
      return size;
    if (bytes < 0 || size < bytes)
      bytes = size;
  }
  return bytes;
}

/* Whether the load side changes a variable that `node` names, in the text
 * between two offsets. */
static bool changed_between(pl_loop *loop, const pl_node *node, uint32_t begin,
                            uint32_t end) {
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t j = 0; j < loop->stmts[i].effects.n; j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      if (effect->kind == PL_EFFECT_WRITE && loop->stmts[i].in_load &&
          effect->node->range.begin >= begin &&
          effect->node->range.begin < end && effect->root.decl &&
          pl_mentions(node, effect->root.decl))
        return true;
    }
  return false;
}

typedef struct caller_walk {
  pl_loop *loop;
  const pl_func *caller;
  uint32_t param;
  bool any, all;
} caller_walk;

static bool look_at_call(pl_node *node, void *context) {
  caller_walk *w = context;
  if (node->kind != PL_NODE_CALL || !node->decl ||
      node->decl->func != w->loop->func || w->param + 1 >= node->nkids)
    return true;
  pl_roots roots = {0};
  pl_roots_of(w->loop->effects, w->caller, node->kids[w->param + 1], &roots);
  w->any = true;
  for (size_t i = 0; i < roots.n; i++)
    w->all = w->all && w->caller->is_global &&
             pl_root_space(roots.items[i]) == PL_SPACE_GLOBAL;
  w->all = w->all && roots.n > 0;
  return true;
}

/* A pointer parameter of a kernel points to global memory; one of a device
 * function does where every call in the file passes such a pointer. */
static bool param_is_global(pl_loop *loop, const pl_decl *decl) {
  if (!decl || decl->kind != PL_DECL_PARAM || loop->func->is_global ||
      loop->caller)
    return true;
  caller_walk w = {loop, NULL, 0, false, true};
  for (uint32_t i = 0; i < loop->func->nparams; i++)
    if (loop->func->params[i] == decl)
      w.param = i;
  for (uint32_t i = 0; i < loop->unit->nfuncs; i++) {
    w.caller = loop->unit->funcs[i];
    if (w.caller->body)
      pl_node_walk(w.caller->body, look_at_call, &w);
  }
  return w.any && w.all;
}

static bool source_is_global(pl_loop *loop, pl_node *load) {
  pl_effects effects = {0};
  pl_effects_of(loop->effects, loop->func, load, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    bool member = loop->caller && pl_root_is_this(effect->root) &&
                  effect->root.member.n; /* the call says where it points */
    if (effect->kind == PL_EFFECT_READ && effect->node == load && !member &&
        (effect->space != PL_SPACE_GLOBAL ||
         !param_is_global(loop, effect->root.decl)))
      return false;
  }
  return true;
}

/* Asynchronous copies of 4 and 8 bytes go through L1, where a line may be older
 * than what another block has written. [PTX: cp.async.ca, cp.async.cg] */
static bool bypasses_l1(const pl_node *load) {
  load = pl_node_bare((pl_node *)load);
  return load->kind == PL_NODE_CALL && pl_str_is(load->name, "__ldcg");
}

/* Whether a value is one texture or surface fetch. */
static bool is_fetch(pl_loop *loop, pl_node *node) {
  node = pl_node_bare(node);
  if (node->kind != PL_NODE_CALL)
    return false;
  pl_effects effects = {0};
  pl_effects_of(loop->effects, loop->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].node == node &&
        effects.items[i].space == PL_SPACE_CONSTANT && !effects.items[i].by_call)
      return true;
  return false;
}

/* An asynchronous copy moves 4, 8 or 16 bytes unchanged, both addresses
 * aligned to as much. The types of the two accesses vouch for the alignment:
 * the kernel as it stands needs it already. */
static void check_async(pl_loop *loop, pl_copy *copy) {
  const pl_type *type = copy->type;
  copy->bytes = type_bytes(loop, type);
  if (!copy->reads_memory && !copy->load)
    return;
  if (!copy->load) {
    refuse_async(copy, "PL5002",
                 is_fetch(loop, copy->src) ? "it is read by a texture or "
                                             "surface fetch"
                                           : "its value is computed on the "
                                             "way");
    return;
  }
  if (copy->last != copy->store)
    refuse_async(copy, "PL5002", "one value goes to several places");
  if (bypasses_l1(copy->load) && copy->bytes < 16)
    refuse_async(copy, "PL5002",
                 "__ldcg reads past the L1 cache, as asynchronous copies of 16 "
                 "bytes alone do");
  if (!copy->load->type || !type || !same_type(copy->load->type, type))
    refuse_async(copy, "PL5002", "its value is converted on the way");
  if (!is_async_width(copy->bytes))
    refuse_async(copy, "PL5001", "its elements are not 4, 8 or 16 bytes wide");
  if (type && type->align > 0 && type->align < copy->bytes)
    refuse_async(copy, "PL5004", "its type is aligned to less than its size");
  if (type && type->kind == PL_TYPE_RECORD && !type->is_trivially_copyable)
    refuse_async(copy, "PL5002", "its type is not trivially copyable");
  if (!source_is_global(loop, copy->load))
    refuse_async(copy, "PL5002", "its source may not be global memory");
  pl_node *value = pl_node_bare(copy->via ? copy->via->kids[0] : copy->src);
  if ((value->kind == PL_NODE_COND && value->op_range.end == 0) ||
      (copy->load->kind == PL_NODE_CALL && copy->load->from_macro))
    refuse_async(copy, "PL5002", "a macro hides its source");
  if (copy->via && changed_between(loop, copy->via->kids[0],
                                   copy->via->range.end,
                                   copy->store->range.begin))
    refuse_async(copy, "PL5002", "its address changes before it is stored");
  pl_node *shown = copy->via ? copy->via : copy->store;
  if (shown->from_macro && copy->via)
    refuse_async(copy, "PL5002", "a macro hides its source");
}

/* ---- walking the text ----------------------------------------------------- */

static pl_tile *tile_written(pl_loop *loop, pl_node *node) {
  pl_effects effects = {0};
  pl_effects_of(loop->effects, loop->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind == PL_EFFECT_WRITE &&
        effects.items[i].space == PL_SPACE_SHARED) {
      pl_tile *tile = pl_loop_tile(loop, effects.items[i].root.decl);
      if (tile)
        return tile;
    }
  return NULL;
}

/* The tile that one left side of an assignment is a cell of, NULL: none. */
static pl_tile *tile_of_cell(pl_loop *loop, pl_node *cell) {
  pl_node zero = {.kind = PL_NODE_INT, .has_ival = true};
  pl_node *sides[2] = {cell, &zero};
  pl_node store = {.kind = PL_NODE_ASSIGN,
                   .op = PL_OP_ASSIGN,
                   .range = cell->range,
                   .kids = sides,
                   .nkids = 2};
  return tile_written(loop, &store);
}

/* Casts, fragments and vector pointers on a tile: its stages must keep the
 * alignment that the first one happens to have. */
static bool casts_addresses(const pl_node *node, int depth) {
  if (!node || depth > 4)
    return false;
  if (node->kind == PL_NODE_ASM ||
      (node->kind == PL_NODE_CAST && node->type &&
       (node->type->kind == PL_TYPE_POINTER ||
        node->type->kind == PL_TYPE_REFERENCE)))
    return true;
  if (node->kind == PL_NODE_CALL && node->decl && node->decl->func &&
      casts_addresses(node->decl->func->body, depth + 1))
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (casts_addresses(node->kids[i], depth))
      return true;
  return false;
}

static bool mark_wide(pl_node *node, void *context) {
  pl_loop *loop = context;
  bool helper = node->kind == PL_NODE_CALL && node->decl && node->decl->func &&
                casts_addresses(node->decl->func->body, 0);
  bool address = helper || node->kind == PL_NODE_CAST ||
                 (node->kind == PL_NODE_CALL &&
                  (pl_str_is(node->name, "load_matrix_sync") ||
                   pl_str_starts(node->name, "__cvta")));
  if (!address)
    return true;
  if (node->kind == PL_NODE_CAST && node->type &&
      node->type->kind != PL_TYPE_POINTER &&
      node->type->kind != PL_TYPE_REFERENCE && node->type->kind != PL_TYPE_DEPENDENT)
    return true;
  for (size_t i = 0; i < loop->ntiles; i++) {
    pl_roots roots = {0};
    for (uint32_t k = 0; k < node->nkids; k++)
      if (node->kids[k] && node->kids[k]->type)
        pl_roots_of(loop->effects, loop->func, node->kids[k], &roots);
    for (size_t j = 0; j < roots.n; j++)
      if (roots.items[j].decl == loop->tiles[i].decl)
        loop->tiles[i].wide = true;
  }
  return true;
}

static bool is_statement(const pl_node *node) {
  const pl_node *up = node->parent;
  if (!up)
    return true;
  switch (up->kind) {
  case PL_NODE_COMPOUND:
  case PL_NODE_LABEL:
  case PL_NODE_CASE:
    return true;
  case PL_NODE_IF:
    return up->kids[0] != node;
  case PL_NODE_FOR:
  case PL_NODE_WHILE:
  case PL_NODE_DO:
    return pl_node_loop_body(up) == node;
  default:
    return false;
  }
}

/* The innermost assignment of `a = b = v`. */
static pl_node *last_of_chain(pl_node *store) {
  pl_node *value = store->kids[1];
  while (value && value->kind == PL_NODE_ASSIGN && value->op == PL_OP_ASSIGN) {
    store = value;
    value = store->kids[1];
  }
  return store;
}

/* Whether every left side of a chained assignment is a tile's cell: anything
 * else would be set twice, with the fetch and with the store. */
static bool stores_to_tiles(pl_loop *loop, const pl_copy *copy) {
  for (const pl_node *at = copy->store;; at = at->kids[1]) {
    if (!tile_of_cell(loop, at->kids[0]))
      return false;
    if (at == copy->last)
      return true;
  }
}

static bool add_copy(pl_loop *loop, pl_fill *fill, pl_node *node,
                     pl_tile *tile) {
  if (node->op_range.end == 0)
    return pl_refuse(loop, false, "PL1003", node,
                     "a macro's body holds the store into tile '%.*s'",
                     PL_FMT(tile->decl->name));
  if (node->op != PL_OP_ASSIGN)
    return pl_refuse(loop, true, "PL3002", node,
                     "tile '%.*s' is read and changed in the load phase",
                     PL_FMT(tile->decl->name));
  if (!is_statement(node))
    return pl_refuse(loop, false, "PL4006", node,
                     "the store into tile '%.*s' is part of a larger "
                     "expression",
                     PL_FMT(tile->decl->name));
  pl_copy copy = {.store = node, .dst = node->kids[0], .src = node->kids[1]};
  copy.last = last_of_chain(node);
  copy.src = copy.last->kids[1];
  copy.tile = tile;
  copy.slots = 1;
  if (copy.last->op_range.end == 0)
    return pl_refuse(loop, false, "PL1003", node,
                     "a macro's body holds the store into tile '%.*s'",
                     PL_FMT(tile->decl->name));
  if (tile_written(loop, copy.src) || !stores_to_tiles(loop, &copy))
    return pl_refuse(loop, false, "PL4006", node,
                     "one statement stores into tiles and elsewhere");
  copy.type = stored_type(&copy);
  describe_source(loop, &copy);
  check_async(loop, &copy);
  for (const pl_node *up = node->parent; up; up = up->parent) {
    const pl_copy_loop *c = pl_fill_loop(fill, up);
    if (!c)
      continue;
    copy.slots = c->count < 0 || copy.slots < 0 ? -1 : copy.slots * c->count;
  }
  PL_PUSH(loop->arena, fill->copies, fill->ncopies, fill->copies_cap, copy);
  return true;
}

/* ---- load helpers --------------------------------------------------------- */

const pl_fill_call *pl_fill_call_at(const pl_fill *fill,
                                    const pl_node *node) {
  for (size_t i = 0; i < fill->ncalls; i++)
    if (fill->calls[i].node == node)
      return &fill->calls[i];
  return NULL;
}

pl_loop *pl_helper_body(const pl_loop *loop, size_t index) {
  return index < loop->fill.ncalls ? loop->fill.calls[index].body : NULL;
}

static bool has_return(const pl_node *node) {
  if (!node || node->kind == PL_NODE_LAMBDA)
    return false;
  if (node->kind == PL_NODE_RETURN)
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (has_return(node->kids[i]))
      return true;
  return false;
}

/* The parameters that a call hands tiles to become the helper's tiles. */
static bool bind_tiles(pl_loop *loop, pl_loop *body) {
  for (uint32_t i = 0; i < body->func->nparams; i++) {
    pl_node *arg = i + 1 < body->call->nkids ? body->call->kids[i + 1] : NULL;
    pl_roots roots = {0};
    if (arg && arg->type)
      pl_roots_of(loop->effects, loop->func, arg, &roots);
    for (size_t j = 0; j < roots.n; j++) {
      pl_tile *tile = pl_loop_tile(loop, roots.items[j].decl);
      if (!tile)
        continue;
      if (roots.n > 1)
        return false;
      pl_tile param = *tile;
      param.decl = body->func->params[i];
      PL_PUSH(loop->arena, body->tiles, body->ntiles, body->tiles_cap, param);
    }
  }
  return body->ntiles > 0;
}

void pl_enter_helper(const pl_loop *body) {
  for (size_t i = 0; i < body->ntiles; i++)
    body->tiles[i].decl->points_to_shared = true;
  body->func->local_object = body->on_local;
}

void pl_leave_helper(const pl_loop *body) {
  for (size_t i = 0; i < body->ntiles; i++)
    body->tiles[i].decl->points_to_shared = false;
  body->func->local_object = false;
}

static pl_loop *helper_body(pl_loop *loop, pl_node *call) {
  pl_loop *body = PL_NEW(loop->arena, pl_loop);
  body->unit = loop->unit;
  body->func = call->decl->func;
  body->effects = loop->effects;
  body->arena = loop->arena;
  body->options = loop->options;
  body->node = body->body = body->func->body;
  body->caller = loop;
  body->call = call;
  body->stmts = PL_NEW(loop->arena, pl_stmt);
  body->nstmts = 1;
  body->stmts->node = body->body;
  body->stmts->chunk = body->body->range;
  body->stmts->in_load = body->stmts->fills = true;
  return body;
}

static void describe_fill(pl_loop *loop);

static bool has_conditional_text(const pl_unit *unit, pl_range range) {
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    pl_str text = pl_unit_slice(unit, unit->tokens[i].range);
    if (unit->tokens[i].kind == PL_TOK_DIRECTIVE &&
        pl_range_inside(unit->tokens[i].range, range) &&
        !pl_str_has(text, "pragma"))
      return true;
  }
  return false;
}

static bool returns_nothing(const pl_func *func) {
  const pl_type *type = func->decl ? func->decl->type : NULL;
  return !has_return(func->body) &&
         (!type || type->kind != PL_TYPE_FUNCTION ||
          pl_str_starts(type->spelling, "void"));
}

/* Whether a method is defined inside its class, so that its split forms can
 * stand beside it. Not where another method calls it: one that stands above it
 * could not yet know what the fetch returns. */
static bool is_defined_inside(const pl_loop *loop, const pl_func *func,
                              bool *is_static) {
  const pl_unit *unit = loop->unit;
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    pl_range range = unit->tokens[i].range;
    pl_str text = pl_unit_slice(unit, range);
    if (range.begin >= func->decl->name_range.begin)
      break;
    if (range.begin < func->range.begin)
      continue;
    *is_static = *is_static || pl_str_is(text, "static");
    if (pl_str_is(text, "::") && range.end == func->decl->name_range.begin)
      return false;
  }
  return !loop->func->is_method;
}

/* Whether a method is called on a variable of the caller's own, so that its
 * members are the thread's. */
static bool is_called_on_local(const pl_node *call) {
  const pl_node *member = call->kids[0] ? pl_node_bare(call->kids[0]) : NULL;
  if (!member || member->kind != PL_NODE_MEMBER || member->is_arrow ||
      !member->nkids || !member->kids[0])
    return false;
  const pl_node *object = pl_node_bare(member->kids[0]);
  const pl_decl *decl = object->kind == PL_NODE_REF ? object->decl : NULL;
  return decl && decl->owner && !decl->is_shared && !decl->is_static &&
         (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM) &&
         decl->type && decl->type->kind != PL_TYPE_REFERENCE &&
         decl->type->kind != PL_TYPE_POINTER;
}

static bool is_splittable_method(const pl_loop *loop, const pl_func *func,
                                 const pl_node *call, bool *is_static) {
  return is_defined_inside(loop, func, is_static) && !func->decl->is_virtual &&
         (*is_static || is_called_on_local(call));
}

/* The parameters before the first one that has a default value. */
uint32_t pl_required_params(const pl_unit *unit, const pl_func *func) {
  for (uint32_t i = 0; i < func->nparams; i++)
    for (uint32_t k = 0; k < unit->ntokens; k++)
      if (pl_range_inside(unit->tokens[k].range, func->params[i]->range) &&
          pl_str_is(pl_unit_slice(unit, unit->tokens[k].range), "="))
        return i;
  return func->nparams;
}

static bool has_parameter_pack(const pl_unit *unit, const pl_func *func) {
  for (uint32_t i = 0; i < unit->ntokens; i++)
    if (unit->tokens[i].range.begin >= func->range.begin &&
        unit->tokens[i].range.end <= func->body->range.begin &&
        pl_str_is(pl_unit_slice(unit, unit->tokens[i].range), "..."))
      return true;
  return false;
}

/* Whether each argument has a text of its own that can stand elsewhere. */
static bool has_written_arguments(const pl_node *call) {
  for (uint32_t i = 1; i < call->nkids; i++)
    if (!call->kids[i] || !pl_range_inside(call->kids[i]->range, call->range) ||
        call->kids[i]->range.end == 0)
      return false;
  return true;
}

/* A lambda that the call runs, where a variable holds one. */
static bool calls_lambda(const pl_node *call) {
  const pl_node *callee = call->nkids ? pl_node_bare(call->kids[0]) : NULL;
  if (callee && callee->kind == PL_NODE_MEMBER && callee->nkids)
    callee = pl_node_bare(callee->kids[0]);
  const pl_node *init = callee && callee->kind == PL_NODE_REF && callee->decl &&
                                callee->decl->init
                            ? pl_node_bare(callee->decl->init)
                            : NULL;
  return init && init->kind == PL_NODE_LAMBDA;
}

/* Whether a load helper may call another one: what that loads becomes a part of
 * what the caller hands back. */
static bool may_nest(const pl_loop *loop, const pl_func *func) {
  int depth = 0;
  for (const pl_loop *up = loop; up->caller; up = up->caller)
    if (up->func == func || ++depth > 3)
      return false;
  return !loop->caller || pl_has_named_registers(func);
}

static bool add_call(pl_loop *loop, pl_fill *fill, pl_node *call) {
  pl_func *func = call->decl ? call->decl->func : NULL;
  bool is_static = false;
  bool simple = func && func->body && func->in_main && may_nest(loop, func) &&
                call->nkids <= func->nparams + 1 &&
                call->nkids > pl_required_params(loop->unit, func) &&
                !has_parameter_pack(loop->unit, func) &&
                has_written_arguments(call) &&
                pl_range_inside(func->decl->name_range, func->range) &&
                !has_conditional_text(loop->unit, func->range) &&
                !func->is_extern_c && !func->from_macro &&
                (!func->is_method ||
                 is_splittable_method(loop, func, call, &is_static)) &&
                is_statement(call) && !call->from_macro &&
                returns_nothing(func);
  pl_loop *body = simple ? helper_body(loop, call) : NULL;
  if (!simple || !bind_tiles(loop, body))
    return pl_refuse(loop, false, "PL4006", call,
                     calls_lambda(call)
                         ? "this lambda fills a tile; a __device__ function in "
                           "its place, or its text in the loop, can be split "
                           "into load and store"
                         : "this call fills a tile in a way that cannot be "
                           "split into load and store");
  body->on_local = func->is_method && !is_static;
  pl_enter_helper(body);
  pl_effects_of(loop->effects, func, func->body, &body->stmts->effects);
  describe_fill(body);
  pl_leave_helper(body);
  if (body->settled) {
    pl_refuse(loop, body->certain, body->id, call, "%.*s",
              PL_FMT(body->message));
    return false;
  }
  pl_fill_call entry = {call, body};
  PL_PUSH(loop->arena, fill->calls, fill->ncalls, fill->calls_cap, entry);
  return true;
}

/* What the helper's text says of its parameters holds for the tiles. */
static void return_tile_facts(pl_loop *loop, const pl_loop *body) {
  for (size_t i = 0; i < body->ntiles; i++)
    for (uint32_t p = 0; p < body->func->nparams; p++) {
      if (body->func->params[p] != body->tiles[i].decl)
        continue;
      pl_roots roots = {0};
      pl_roots_of(loop->effects, loop->func, body->call->kids[p + 1], &roots);
      pl_tile *tile = roots.n ? pl_loop_tile(loop, roots.items[0].decl) : NULL;
      if (!tile)
        continue;
      tile->partial = tile->partial || body->tiles[i].partial;
      tile->wide = tile->wide || body->tiles[i].wide;
      tile->stored_twice = tile->stored_twice || body->tiles[i].stored_twice;
    }
}

/* The first word of a node's text: of a macro's use, its name. */
static pl_str first_word(const pl_unit *unit, const pl_node *node) {
  for (uint32_t i = 0; i < unit->ntokens; i++)
    if (unit->tokens[i].range.begin >= node->range.begin)
      return pl_unit_slice(unit, unit->tokens[i].range);
  return PL_STR("");
}

static bool collect(pl_loop *loop, pl_fill *fill, pl_node *node) {
  if (!node)
    return true;
  pl_tile *tile = tile_written(loop, node);
  if (!tile)
    return true;
  switch (node->kind) {
  case PL_NODE_ASSIGN:
    return add_copy(loop, fill, node, tile);
  case PL_NODE_CALL:
    return add_call(loop, fill, node);
  case PL_NODE_FOR:
    describe_loop(loop, fill, node);
    if (tile_written(loop, node->kids[0]) || tile_written(loop, node->kids[1]) ||
        tile_written(loop, node->kids[2]))
      return pl_refuse(loop, false, "PL4006", node,
                       "a loop header stores into tile '%.*s'",
                       PL_FMT(tile->decl->name));
    return collect(loop, fill, node->kids[3]);
  case PL_NODE_WHILE:
  case PL_NODE_DO:
    describe_loop(loop, fill, node);
    if (tile_written(loop, pl_inner_cond(node)))
      return pl_refuse(loop, false, "PL4006", node,
                       "a loop header stores into tile '%.*s'",
                       PL_FMT(tile->decl->name));
    return collect(loop, fill, pl_node_loop_body(node));
  case PL_NODE_IF:
    if (tile_written(loop, node->kids[0]))
      break;
    return collect(loop, fill, node->kids[1]) &&
           collect(loop, fill, node->nkids > 2 ? node->kids[2] : NULL);
  case PL_NODE_COMPOUND:
    for (uint32_t i = 0; i < node->nkids; i++)
      if (!collect(loop, fill, node->kids[i]))
        return false;
    return true;
  default:
    break;
  }
  if (node->from_macro && node->kind != PL_NODE_CALL)
    return pl_refuse(loop, false, "PL1003", node,
                     "the macro '%.*s' holds the store into tile '%.*s'; a "
                     "__device__ function in its place can be split",
                     PL_FMT(first_word(loop->unit, node)),
                     PL_FMT(tile->decl->name));
  return pl_refuse(loop, false, node->kind == PL_NODE_CALL ? "PL4006" : "PL4005",
                   node,
                   "tile '%.*s' is filled in a way that cannot be split into "
                   "load and store",
                   PL_FMT(tile->decl->name));
}

/* ---- are all cells written in every iteration? ---------------------------- */

typedef struct cells {
  pl_node **items;
  size_t n, cap;
} cells;

/* Whether two trees of equal text name the same declarations. */
static bool same_names(const pl_node *a, const pl_node *b) {
  if (a->kind != b->kind || a->decl != b->decl || a->nkids != b->nkids)
    return false;
  for (uint32_t i = 0; i < a->nkids; i++) {
    if (!a->kids[i] != !b->kids[i])
      return false;
    if (a->kids[i] && !same_names(a->kids[i], b->kids[i]))
      return false;
  }
  return true;
}

/* Whether the same text names another cell each time: `*d++`. */
static bool moves_on(const pl_node *node) {
  if (!node)
    return false;
  if (node->kind == PL_NODE_ASSIGN ||
      (node->kind == PL_NODE_UNARY &&
       (node->op == PL_OP_PREINC || node->op == PL_OP_POSTINC ||
        node->op == PL_OP_PREDEC || node->op == PL_OP_POSTDEC)))
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (moves_on(node->kids[i]))
      return true;
  return false;
}

static bool cells_have(const pl_loop *loop, const cells *set,
                       const pl_node *dst) {
  if (moves_on(dst))
    return false;
  for (size_t i = 0; i < set->n; i++)
    if (pl_same_text(loop->unit, set->items[i], dst) &&
        same_names(set->items[i], dst))
      return true;
  return false;
}

/* Whether `set` has the cell itself: the same text names another one where a
 * variable of it is set on the way, `As[i] = 0; i += 8; As[i] = v`. */
static bool cells_have_same(pl_loop *loop, const cells *set,
                            const pl_node *dst) {
  for (size_t i = 0; i < set->n; i++) {
    const pl_node *item = set->items[i];
    cells one = {.items = &set->items[i], .n = 1};
    bool first = item->range.begin < dst->range.begin;
    if (cells_have(loop, &one, dst) &&
        !changed_between(loop, dst, first ? item->range.end : dst->range.end,
                         first ? dst->range.begin : item->range.begin))
      return true;
  }
  return false;
}

static void mark_partial(pl_loop *loop, pl_node *dst, pl_node *at) {
  pl_tile *tile = tile_of_cell(loop, dst);
  if (!tile || tile->partial)
    return;
  tile->partial = true;
  tile->partial_at = at;
}

static bool condition_varies(pl_loop *loop, pl_node *cond) {
  return cond && pl_varies(loop, cond);
}

/* Calls under a guard that varies fill their tiles in some iterations only. */
static void guard_calls(pl_loop *loop, pl_fill *fill, pl_node *guard) {
  for (size_t i = 0; guard && i < fill->ncalls; i++) {
    if (!pl_node_within(fill->calls[i].node, guard))
      continue;
    for (size_t t = 0; t < loop->ntiles; t++)
      if (pl_mentions(fill->calls[i].node, loop->tiles[t].decl))
        loop->tiles[t].partial = true;
  }
}

static void written_cells(pl_loop *loop, pl_fill *fill, pl_node *node,
                          const cells *before, cells *out);

/* Statements one after the other, as part of a block. */
typedef struct run {
  pl_node **items;
  uint32_t n;
} run;

/* Whether a branch ends with a jump, so that what follows is its else part. */
static bool ends_in_jump(const pl_node *node) {
  while (node && node->kind == PL_NODE_COMPOUND && node->nkids)
    node = node->kids[node->nkids - 1];
  return node && (node->kind == PL_NODE_CONTINUE || node->kind == PL_NODE_BREAK);
}

static bool jumps(const pl_node *node) {
  return pl_inner_jump(node, PL_NODE_BREAK) ||
         pl_inner_jump(node, PL_NODE_CONTINUE);
}

static void add_all(pl_loop *loop, cells *to, const cells *from) {
  for (size_t i = 0; i < from->n; i++)
    PL_PUSH(loop->arena, to->items, to->n, to->cap, from->items[i]);
}

/* Of the cells that one side of a branch writes, those are written always that
 * the other side writes too, or that were written before. */
static void join_cells(pl_loop *loop, const pl_node *branch, bool varies,
                       const cells *one, const cells *other,
                       const cells *known, cells *out) {
  for (size_t i = 0; i < one->n; i++) {
    bool always = !varies || cells_have_same(loop, other, one->items[i]) ||
                  cells_have_same(loop, known, one->items[i]);
    if (!always)
      mark_partial(loop, one->items[i], (pl_node *)branch);
    else if (!cells_have_same(loop, out, one->items[i]))
      PL_PUSH(loop->arena, out->items, out->n, out->cap, one->items[i]);
  }
}

static void written_in_run(pl_loop *loop, pl_fill *fill, run rest,
                           const cells *before, cells *out);

/* `if (c) yes; else no;`, or with a jump at the end of `yes`, the rest of the
 * block for `no`. */
static void written_in_branch(pl_loop *loop, pl_fill *fill, pl_node *node,
                              run no_run, const cells *before, cells *out) {
  cells yes = {0}, no = {0}, known = {0};
  add_all(loop, &known, before);
  add_all(loop, &known, out);
  written_cells(loop, fill, node->kids[1], &known, &yes);
  written_in_run(loop, fill, no_run, &known, &no);
  bool varies = condition_varies(loop, node->kids[0]);
  if (varies)
    guard_calls(loop, fill, node);
  for (uint32_t i = 0; varies && i < no_run.n; i++)
    guard_calls(loop, fill, no_run.items[i]);
  join_cells(loop, node, varies, &yes, &no, &known, out);
  join_cells(loop, node, varies, &no, &yes, &known, out);
}

typedef struct jump_walk {
  pl_loop *loop;
  uint32_t before; /* jumps that stand in front of this decide */
  bool varies;
} jump_walk;

static bool find_varying_jump(pl_node *node, void *context) {
  jump_walk *w = context;
  if (node->kind == PL_NODE_IF && jumps(node) && node->range.begin < w->before)
    w->varies = w->varies || condition_varies(w->loop, node->kids[0]);
  return !w->varies;
}

/* Whether the iteration decides over a jump somewhere below a statement. */
static bool jump_varies(pl_loop *loop, pl_node *node, uint32_t before) {
  jump_walk w = {.loop = loop, .before = before};
  pl_node_walk(node, find_varying_jump, &w);
  return w.varies;
}

static bool find_last_break(pl_node *node, void *context) {
  uint32_t *last = context;
  if (node->kind == PL_NODE_BREAK && node->range.begin > *last)
    *last = node->range.begin;
  return true;
}

/* Whether the iteration decides which turn of a copy loop is its last: by a
 * break, or by a continue that passes one over. */
static bool break_varies(pl_loop *loop, pl_node *body) {
  uint32_t last = 0;
  if (!pl_inner_jump(body, PL_NODE_BREAK))
    return false;
  pl_node_walk(body, find_last_break, &last);
  return jump_varies(loop, body, last);
}

static void written_in_run(pl_loop *loop, pl_fill *fill, run rest,
                           const cells *before, cells *out) {
  for (uint32_t i = 0; i < rest.n; i++) {
    pl_node *node = rest.items[i];
    if (!node)
      continue;
    run after = {rest.items + i + 1, rest.n - i - 1};
    bool leaves = jumps(node);
    if (leaves && node->kind == PL_NODE_IF && ends_in_jump(node->kids[1]) &&
        (node->nkids < 3 || !node->kids[2])) {
      written_in_branch(loop, fill, node, after, before, out);
      return;
    }
    written_cells(loop, fill, node, before, out);
    if (!leaves)
      continue;
    cells later = {0}, known = {0};
    add_all(loop, &known, before);
    add_all(loop, &known, out);
    bool varies = jump_varies(loop, node, UINT32_MAX);
    written_in_run(loop, fill, after, &known, &later);
    for (uint32_t k = 0; varies && k < after.n; k++)
      guard_calls(loop, fill, after.items[k]);
    join_cells(loop, node, varies, &later, &(cells){0}, &known, out);
    return;
  }
}

/* A loop's cells are written always, unless the iteration decides how often it
 * runs: by its header, or by a break. */
static void written_in_loop_body(pl_loop *loop, pl_fill *fill, pl_node *node,
                                 const cells *before, cells *out) {
  cells inner = {0};
  pl_node *body = pl_node_loop_body(node);
  written_cells(loop, fill, body, before, &inner);
  bool varies = break_varies(loop, body);
  for (uint32_t i = 0; i < node->nkids; i++)
    if (node->kids[i] != body)
      varies = varies || condition_varies(loop, node->kids[i]);
  if (varies)
    guard_calls(loop, fill, node);
  for (size_t i = 0; i < inner.n; i++) {
    if (varies)
      mark_partial(loop, inner.items[i], node);
    else
      PL_PUSH(loop->arena, out->items, out->n, out->cap, inner.items[i]);
  }
}

/* Gathers in `out` the cells that a statement writes whatever the iteration;
 * `before` holds those that are certainly written already. */
static void written_cells(pl_loop *loop, pl_fill *fill, pl_node *node,
                          const cells *before, cells *out) {
  if (!node)
    return;
  const pl_copy *copy = pl_fill_copy(fill, node);
  if (copy) {
    for (pl_node *at = copy->store;; at = at->kids[1]) {
      pl_node *dst = at->kids[0];
      pl_tile *tile = tile_of_cell(loop, dst);
      if (tile && (cells_have(loop, before, dst) || cells_have(loop, out, dst)))
        tile->stored_twice = true;
      PL_PUSH(loop->arena, out->items, out->n, out->cap, dst);
      if (at == copy->last)
        return;
    }
  }
  switch (node->kind) {
  case PL_NODE_COMPOUND:
    written_in_run(loop, fill, (run){node->kids, node->nkids}, before, out);
    return;
  case PL_NODE_FOR:
  case PL_NODE_WHILE:
  case PL_NODE_DO:
    written_in_loop_body(loop, fill, node, before, out);
    return;
  case PL_NODE_CALL: {
    const pl_fill_call *call = pl_fill_call_at(fill, node);
    if (call)
      return_tile_facts(loop, call->body);
    return;
  }
  case PL_NODE_IF: {
    pl_node *no = node->nkids > 2 ? node->kids[2] : NULL;
    written_in_branch(loop, fill, node, (run){&no, 1}, before, out);
    return;
  }
  default:
    return;
  }
}

/* Whether `a` stands in a branch that ends with a jump over `b`. */
static bool jumps_over(const pl_node *a, const pl_node *b) {
  for (const pl_node *up = a->parent; up; up = up->parent)
    if (up->kind == PL_NODE_IF && pl_node_within(a, up->kids[1]) &&
        ends_in_jump(up->kids[1]) && up->parent &&
        up->parent->kind == PL_NODE_COMPOUND && pl_node_within(b, up->parent) &&
        b->range.begin >= up->range.end)
      return true;
  return false;
}

/* The two arms of one branch: at most one of them runs. */
bool pl_are_exclusive(const pl_node *a, const pl_node *b) {
  if (jumps_over(a, b) || jumps_over(b, a))
    return true;
  for (const pl_node *up = a->parent; up; up = up->parent) {
    if (up->kind != PL_NODE_IF || !pl_node_within(b, up) || up->nkids < 3)
      continue;
    bool a_yes = pl_node_within(a, up->kids[1]);
    bool b_yes = pl_node_within(b, up->kids[1]);
    return a_yes != b_yes && up->kids[2] &&
           pl_node_within(a_yes ? b : a, up->kids[2]);
  }
  return false;
}

/* Whether one of a copy's left sides is in the tile. */
static bool stores_into(pl_loop *loop, const pl_copy *copy,
                        const pl_tile *tile) {
  for (const pl_node *at = copy->store;; at = at->kids[1]) {
    if (tile_of_cell(loop, at->kids[0]) == tile)
      return true;
    if (at == copy->last)
      return false;
  }
}

/* An asynchronous copy and a plain store into one tile must not meet: the copy
 * would land later. */
static void mark_mixed_stores(pl_loop *loop, pl_fill *fill) {
  for (size_t i = 0; i < fill->ncopies; i++)
    for (size_t k = 0; k < fill->ncopies; k++) {
      const pl_copy *copy = &fill->copies[i], *plain = &fill->copies[k];
      if (copy->load && !plain->load && stores_into(loop, plain, copy->tile) &&
          !pl_are_exclusive(copy->store, plain->store))
        copy->tile->stored_twice = true;
    }
}

/* The argument of a call that is (in) a tile, NULL: none. */
static pl_node *tile_argument(pl_loop *loop, const pl_fill_call *call,
                              const pl_tile *tile) {
  for (uint32_t i = 1; i < call->node->nkids; i++) {
    pl_roots roots = {0};
    pl_roots_of(loop->effects, loop->func, call->node->kids[i], &roots);
    for (size_t k = 0; k < roots.n; k++)
      if (roots.items[k].decl == tile->decl)
        return call->node->kids[i];
  }
  return NULL;
}

static bool meets_another_call(pl_loop *loop, const pl_fill *fill, size_t at,
                               const pl_tile *tile) {
  const pl_node *place = tile_argument(loop, &fill->calls[at], tile);
  for (size_t i = 0; i < fill->ncalls; i++) {
    const pl_node *other =
        i == at ? NULL : tile_argument(loop, &fill->calls[i], tile);
    if (other && pl_same_text(loop->unit, place, other) &&
        !pl_are_exclusive(fill->calls[at].node, fill->calls[i].node))
      return true;
  }
  return false;
}

/* The same of what a called function copies: it may be any cell of what it is
 * handed. */
static void mark_mixed_calls(pl_loop *loop, const pl_fill *fill) {
  for (size_t i = 0; i < fill->ncalls; i++)
    for (size_t t = 0; t < loop->ntiles; t++) {
      pl_tile *tile = &loop->tiles[t];
      if (!tile_argument(loop, &fill->calls[i], tile))
        continue;
      if (meets_another_call(loop, fill, i, tile))
        tile->stored_twice = true;
      for (size_t k = 0; k < fill->ncopies; k++)
        if (stores_into(loop, &fill->copies[k], tile) &&
            !pl_are_exclusive(fill->calls[i].node, fill->copies[k].store))
          tile->stored_twice = true;
    }
}

static bool leaves_early(pl_loop *loop, const pl_fill *fill) {
  for (size_t i = 0; i < fill->nroots; i++)
    if (tile_written(loop, fill->roots[i]) && pl_leaves(fill->roots[i]))
      return true;
  return false;
}

static void describe_fill(pl_loop *loop) {
  pl_fill *fill = &loop->fill;
  fill->func = loop->func;
  fill->roots = PL_NEW_ARRAY(loop->arena, pl_node *, loop->nstmts + 1);
  for (size_t i = 0; i < loop->nstmts; i++) {
    if (!loop->stmts[i].in_load)
      continue;
    fill->roots[fill->nroots++] = loop->stmts[i].node;
    if (loop->stmts[i].fills && !collect(loop, fill, loop->stmts[i].node))
      return;
  }
  if (leaves_early(loop, fill)) {
    pl_refuse(loop, false, "PL4006", fill->roots[0],
              "a return or goto decides what is loaded");
    return;
  }
  mark_mixed_stores(loop, fill);
  mark_mixed_calls(loop, fill);
  pl_mark_meetings(loop, fill);
  cells before = {0}, out = {0};
  for (size_t i = 0; i < fill->nroots; i++)
    written_cells(loop, fill, fill->roots[i], &before, &out);
  pl_node_walk(loop->body, mark_wide, loop);
  for (size_t i = 0; i < fill->ncalls; i++)
    return_tile_facts(loop, fill->calls[i].body);
}

void pl_describe_copies(pl_loop *loop) {
  if (loop->settled)
    return;
  describe_fill(loop);
  loop->threads = pl_block_threads(loop);
}
