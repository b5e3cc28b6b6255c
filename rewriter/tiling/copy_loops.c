/* copy_loops.c - how often does a loop around copies run?
 *
 * Needs: values, ranges; for loops that are not `for (i = start; i < bound; i
 * += step)` chains.c. Gives: variable, start, bound, step and the most
 * iterations of one thread, known, assumed or estimated. Raises nothing: a
 * loop that does not count has no variable. */
#include "cfg.h"
#include "copies.h"
#include "divergence.h"
#include "slices.h"

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

typedef struct capacity_walk {
  pl_loop *loop;
  const pl_copy_loop *c;
  const pl_node *bound; /* the size that the index stays below */
  bool mixed; /* stores to other tiles, or at other places */
  bool shifted; /* stores `tile[i - t0]` with `i` from somewhere in the tile's
                   part of memory */
} capacity_walk;

/* The dimension of a tile in which a cell's index is the loop's variable, less
 * where the tile begins; NULL: none is. */
static const pl_node *shifted_bound(capacity_walk *w, pl_node *dst) {
  pl_node *index = NULL;
  uint32_t level = 0;
  for (; dst->kind == PL_NODE_SUBSCRIPT; dst = pl_node_bare(dst->kids[0])) {
    level = index ? level + 1 : 0;
    if (!index && !w->loop->caller &&
        pl_cancels(w->loop, dst->kids[1]) == w->c->node)
      index = dst->kids[1];
  }
  const pl_decl *tile = dst->kind == PL_NODE_REF ? dst->decl : NULL;
  return index && tile && pl_loop_tile(w->loop, tile) && level < tile->ndims
             ? tile->dims[level]
             : NULL;
}

static bool find_flat_store(pl_node *node, void *context) {
  capacity_walk *w = context;
  if (node->kind != PL_NODE_ASSIGN || !pl_tile_written(w->loop, node))
    return true;
  pl_node *dst = pl_node_bare(node->kids[0]);
  pl_node *base = dst->kind == PL_NODE_SUBSCRIPT ? pl_node_bare(dst->kids[0])
                                                 : NULL;
  bool flat = base && base->kind == PL_NODE_REF && base->decl &&
              pl_names_var(dst->kids[1], w->c->var) &&
              pl_loop_tile(w->loop, base->decl) && base->decl->ndims == 1;
  const pl_node *bound =
      flat ? base->decl->dims[0] : shifted_bound(w, dst);
  w->shifted = w->shifted || (bound && !flat);
  if (!bound || (w->bound && w->bound != bound))
    w->mixed = true;
  w->bound = bound;
  return true;
}

/* Whether the places that a loop fills begin where the loop does. */
static bool is_shifted(pl_loop *loop, const pl_copy_loop *c) {
  capacity_walk w = {.loop = loop, .c = c};
  pl_node_walk(pl_node_loop_body(c->node), find_flat_store, &w);
  return w.shifted && !w.mixed;
}

/* A bound for a loop that stores `tile[i]` for each i: the tile's own size. */
static bool capacity(pl_loop *loop, const pl_copy_loop *c,
                     const pl_instance *instance, int64_t *bound) {
  capacity_walk w = {.loop = loop, .c = c};
  pl_node_walk(pl_node_loop_body(c->node), find_flat_store, &w);
  return w.bound && !w.mixed && !c->inclusive && !c->ahead &&
         pl_loop_eval(loop, instance, (pl_node *)w.bound, bound, NULL);
}

/* The numbers of a loop's header under one instantiation. */
typedef struct header_values {
  const pl_type *type; /* of the variable */
  pl_const start, bound, step, ahead;
  bool in_memory; /* bound is the size of what is filled, start is zero */
} header_values;

/* The variable's type; a pointer that is counted as an index has one like that. */
static const pl_type *counter_type(const pl_loop *loop, const pl_copy_loop *c,
                                   const pl_instance *instance) {
  static const pl_type difference = {.kind = PL_TYPE_INT, .size = 8};
  const pl_type *type = pl_no_reference(pl_type_settled(
      pl_decl_type(c->var, instance), loop->func, instance));
  if (type && type->kind == PL_TYPE_POINTER)
    return &difference;
  return type && type->kind == PL_TYPE_INT && pl_is_integer_type(type) ? type
                                                                       : NULL;
}

/* Of a variable that steps down, `bound` is what it begins with. */
static bool read_values(pl_loop *loop, pl_copy_loop *c,
                        const pl_instance *instance, header_values *v) {
  bool assumed = false, shifted = is_shifted(loop, c);
  int64_t size;
  v->type = counter_type(loop, c, instance);
  if (!v->type)
    return false;
  v->start = v->ahead = pl_const_int(0);
  v->step = pl_const_int(1);
  pl_const start = shifted ? pl_const_unknown
                           : pl_loop_const(loop, instance, c->start, &assumed);
  if (start.known)
    v->start = c->down ? start : pl_const_convert(start, v->type);
  else if (!shifted && !(c->down || c->ahead ? pl_not_negative(loop, c->start)
                                             : pl_is_small(loop, c->start)))
    return false; /* a sum with a large unsigned one wraps, as does a negative one
                     that is made unsigned */
  v->bound = shifted ? pl_const_unknown
                     : pl_loop_const(loop, instance, c->bound, &assumed);
  if (c->down)
    v->bound = pl_const_convert(v->bound, v->type);
  v->in_memory = !v->bound.known && capacity(loop, c, instance, &size);
  if (v->in_memory)
    v->bound = pl_const_make(8, false, size);
  if (c->step)
    v->step = pl_loop_const(loop, instance, c->step, &assumed);
  if (c->ahead)
    v->ahead = pl_loop_const(loop, instance, c->ahead, &assumed);
  if (!v->bound.known || !v->step.known || !v->ahead.known)
    return false;
  c->assumed = c->assumed || assumed;
  return true;
}

/* Whether a variable meets a number, in a sum or a comparison, as what both are:
 * signed, or neither negative. */
static bool meets_numbers(const pl_type *type, int64_t least, pl_const with) {
  bool is_unsigned =
      (type->is_unsigned && type->size >= 4 && type->size >= with.bytes) ||
      (with.is_unsigned && with.bytes >= 4 && with.bytes >= type->size) ||
      !with.bytes;
  return !is_unsigned || (least >= 0 && with.bits >= 0);
}

/* Most iterations by the numbers; -1: the variable would wrap on its way, or is not
 * compared as what it is. */
static int64_t count_values(const pl_copy_loop *c, const header_values *v) {
  int64_t start, bound, step, ahead, past, below;
  if (!pl_const_number(v->start, &start) || !pl_const_number(v->bound, &bound) ||
      !pl_const_number(v->step, &step) || !pl_const_number(v->ahead, &ahead) ||
      step <= 0 || step > INT32_MAX || ahead < 0 || ahead > INT32_MAX ||
      (c->wraps && (bound < 0 || bound > INT32_MAX)))
    return -1;
  bool numbers = c->down ? c->wraps || meets_numbers(v->type, start, v->start)
                         : meets_numbers(v->type, start, v->bound) &&
                               (!c->ahead ||
                                (meets_numbers(v->type, start, v->ahead) &&
                                 start <= INT32_MAX && bound <= INT32_MAX));
  if (!numbers && !v->in_memory)
    return -1;
  if (__builtin_add_overflow(bound, c->inclusive - ahead, &bound) ||
      __builtin_add_overflow(bound, step - 1, &past) ||
      __builtin_sub_overflow(start, step - 1 + c->inclusive, &below))
    return -1;
  bool wraps = c->down ? !c->wraps && below < pl_least_of(v->type)
                       : past > pl_largest_of(v->type);
  if (wraps && !v->in_memory)
    return -1;
  return bound > start ? (past - start) / step : 0;
}

/* Most iterations that one thread makes, over all instantiations. */
static int64_t count_trips(pl_loop *loop, pl_copy_loop *c) {
  int64_t most = -1;
  for (uint32_t i = 0; i < pl_count_readings(loop->func); i++) {
    header_values v;
    if (!read_values(loop, c, pl_reading(loop->func, i), &v))
      return -1;
    int64_t trips = count_values(c, &v);
    if (trips < 0)
      return -1;
    most = trips > most ? trips : most;
  }
  return most;
}

static bool reads_header(pl_copy_loop *c) {
  pl_node *node = c->node;
  return node->kind == PL_NODE_FOR && header_start(c, node->kids[0]) &&
         header_bound(c, node->kids[1]) && header_step(c, node->kids[2]);
}

int64_t pl_trip_count(pl_loop *loop, pl_node *node) {
  pl_copy_loop c = {.node = node, .count = -1};
  bool plain = reads_header(&c);
  return plain ? count_trips(loop, &c) : -1;
}

pl_node *pl_counted_bound(pl_node *node) {
  pl_copy_loop c = {.node = node, .count = -1};
  bool plain = reads_header(&c);
  return plain && !c.step ? c.bound : NULL;
}

static bool is_plain_number(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  if (node->kind == PL_NODE_REF && node->decl && !node->decl->is_constexpr &&
      !node->decl->type->is_const && pl_is_settled_local(node->decl))
    return is_plain_number(node->decl->init);
  return node->kind == PL_NODE_INT && !node->from_macro;
}

/* What a thread copies of a tile where the count is open: in budgets where a
 * template decides it, in fact where the run does. */
#define ESTIMATED_TRIPS 8
#define ESTIMATED_INNER_TRIPS 2

static bool literal_only(const pl_copy_loop *c) {
  return is_plain_number(c->bound) && (!c->step || is_plain_number(c->step));
}

bool pl_has_symbolic_count(const pl_copy_loop *c) {
  if (c->numeric)
    return false;
  if (c->ahead)
    return c->inclusive && c->step && c->constant && pl_node_is_zero(c->start) &&
           pl_same_names(c->ahead, c->step) && pl_is_settled_text(c->bound) &&
           pl_is_settled_text(c->step) && !literal_only(c);
  return pl_is_settled_text(c->bound) &&
         (!c->step || pl_is_settled_text(c->step)) && !literal_only(c) &&
         !c->inclusive && (!c->constant || pl_node_is_zero(c->start));
}

/* Whether a condition keeps a number below `most`: `tid < 32`, perhaps with others. */
static bool keeps_below(pl_loop *loop, pl_node *cond, const pl_node *number, int64_t most) {
  int64_t bound;
  cond = pl_node_bare(cond);
  if (cond->kind != PL_NODE_BINARY)
    return false;
  if (cond->op == PL_OP_LAND)
    return keeps_below(loop, cond->kids[0], number, most) ||
           keeps_below(loop, cond->kids[1], number, most);
  return cond->op == PL_OP_LT && pl_same_text(loop->unit, cond->kids[0], number) &&
         pl_loop_eval(loop, NULL, cond->kids[1], &bound, NULL) && bound <= most &&
         !pl_may_be_another_number(loop->unit, cond->kids[1]);
}

/* Whether a copy loop stands in a branch that only threads whose number is below `most`
 * take. */
static bool is_guarded_below(pl_loop *loop, const pl_copy_loop *c, int64_t most) {
  for (const pl_node *node = c->node; node && node != loop->body; node = node->parent) {
    const pl_node *up = node->parent;
    if (up && up->kind == PL_NODE_IF && up->nkids > 1 && up->kids[1] == node &&
        !pl_if_has_init(up) && keeps_below(loop, up->kids[0], c->start, most))
      return true;
  }
  return false;
}

/* What is known of a thread's first index against the step: with it, only the
 * last round of the unrolled loop needs the test against the bound. */
static void describe_start(pl_loop *loop, pl_copy_loop *c) {
  int64_t step = 0, bound = 0;
  if (!c->step || c->inclusive || c->ahead || !pl_is_settled_text(c->step) ||
      !pl_is_settled_text(c->bound) || !pl_loop_eval(loop, NULL, c->step, &step, NULL))
    return;
  const bool open = pl_may_be_another_number(loop->unit, c->step);
  c->divides = pl_loop_eval(loop, NULL, c->bound, &bound, NULL) && step > 0 &&
               bound % step == 0 && !open &&
               !pl_may_be_another_number(loop->unit, c->bound);
  if (c->constant)
    return;
  c->by_thread = pl_is_thread_number(loop, c->start);
  c->below_step = c->by_thread && !loop->caller &&
                  loop->func->launch_bounds > 0 &&
                  loop->func->launch_bounds <= step && !open &&
                  (!loop->func->launch_bounds_node ||
                   !pl_may_be_another_number(loop->unit, loop->func->launch_bounds_node));
  int64_t most = open ? -1 : pl_largest_start(loop, c->start);
  if ((most >= 0 && most < step) ||
      (c->by_thread && !open && is_guarded_below(loop, c, step)))
    c->by_thread = c->below_step = true;
}

/* A count that is written as a number but that another build or instantiation
 * may change: the loop's own text then takes what is left. */
static void secure_count(pl_copy_loop *c) {
  bool open = pl_is_open(c->bound) || (c->step && pl_is_open(c->step)) ||
              (c->constant && pl_is_open(c->start));
  if (c->count < 0 || !open || pl_has_symbolic_count(c))
    return;
  if (c->constant)
    c->var = NULL;
  else
    c->assumed = true;
}

/* The share of ESTIMATED_TRIPS that one of several nested copy loops gets. */
static int64_t estimated_share(const pl_fill *fill, const pl_node *node) {
  for (const pl_node *up = node->parent; up; up = up->parent)
    if (pl_fill_loop(fill, up) && pl_fill_loop(fill, up)->estimated)
      return ESTIMATED_INNER_TRIPS;
  return pl_node_has(pl_node_loop_body(node), PL_NODE_FOR)
             ? ESTIMATED_TRIPS / ESTIMATED_INNER_TRIPS : ESTIMATED_TRIPS;
}

/* A count that only the run knows: registers for a few elements, and for those
 * beyond them the loop itself once more. */
static void estimate_count(pl_loop *loop, const pl_fill *fill,
                           pl_copy_loop *c) {
  if (c->chain) {
    c->estimated = c->assumed = true;
  } else if (pl_has_symbolic_count(c)) {
    c->estimated = c->constant || pl_not_negative(loop, c->start);
  } else {
    const pl_type *type = c->var->type;
    c->estimated = c->assumed = !c->constant && type &&
                                type->kind == PL_TYPE_INT && type->size >= 4 &&
                                pl_is_small(loop, c->start) &&
                                (!c->step || pl_is_small(loop, c->step));
  }
  if (c->estimated)
    c->count = estimated_share(fill, c->node);
}

static bool is_constant_header(const pl_copy_loop *c) {
  return pl_is_settled_text(c->start) && pl_is_settled_text(c->bound) &&
         (!c->step || pl_is_settled_text(c->step)) &&
         (!c->ahead || pl_is_settled_text(c->ahead));
}

/* A start, bound or step that may be asked for again in each slot. */
static bool is_asked_at_will(pl_loop *loop, pl_node *node) {
  return !node || pl_is_pure(loop, node);
}

/* `for (i = start; i < bound; i += step)` and nothing else that decides. A
 * counter from outside may have other uses where the header stays as it is. */
static bool describe_plain(pl_loop *loop, pl_copy_loop *c) {
  pl_node *node = c->node;
  return node->kind == PL_NODE_FOR && header_start(c, node->kids[0]) &&
         !(c->var->type && c->var->type->kind == PL_TYPE_POINTER) &&
         header_bound(c, node->kids[1]) && header_step(c, node->kids[2]) &&
         is_asked_at_will(loop, c->start) && is_asked_at_will(loop, c->bound) &&
         is_asked_at_will(loop, c->step) &&
         !pl_assigned_anywhere(node->kids[3], c->var) &&
         !pl_cfg_jump_out(node->kids[3], PL_JUMP_ANY) &&
         (c->declares || is_constant_header(c) ||
          pl_count_names(loop->func->body, c->var) == pl_count_names(node, c->var));
}

/* Whether an iteration does the same whichever thread makes it, so that threads beyond the
 * step may repeat those of others: its counter tells what it does. */
static bool is_told_by_counter(pl_loop *loop, const pl_copy_loop *c) {
  return !pl_has_riders(loop, c->node) &&
         pl_is_uniform_given(loop, c->node->kids[3], c->var);
}

/* Finds the count of a loop that has a variable, a bound and a step. */
static void find_count(pl_loop *loop, const pl_fill *fill, pl_copy_loop *c) {
  c->constant = !c->chain && is_constant_header(c);
  c->count = count_trips(loop, c);
  if (c->count < 0)
    estimate_count(loop, fill, c);
  if (c->count < 1 && (c->assumed || c->chain))
    c->count = 1;
  if (!c->chain)
    describe_start(loop, c);
  if (c->by_thread && !c->below_step && !is_told_by_counter(loop, c))
    c->by_thread = false;
  secure_count(c);
  if (c->assumed && ((c->chain && !c->resumes) ||
                     pl_riders_outlive(loop, c->node)))
    c->var = NULL;
}

void pl_describe_loop(pl_loop *loop, pl_fill *fill, pl_node *node) {
  pl_copy_loop c = {.node = node, .count = -1};
  if (describe_plain(loop, &c) && !is_shifted(loop, &c))
    find_count(loop, fill, &c);
  else
    c.var = NULL;
  if (!c.var) {
    c = (pl_copy_loop){.node = node, .count = -1};
    if (pl_describe_chain(loop, fill, &c))
      find_count(loop, fill, &c);
    else
      c.var = NULL;
  }
  PL_PUSH(loop->arena, fill->loops, fill->nloops, fill->loops_cap, c);
}
