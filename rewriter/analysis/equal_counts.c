/* equal_counts.c - do threads that begin at places of their own leave together?
 *
 * Needs: recurrences, copies. Gives: whether all threads that run a loop
 * `for (i = threadIdx.x; i < bound; i += step)` run it equally often: the bound is
 * a multiple of the step, and every thread's place is below the step. Raises
 * nothing: what is not known is not so. */
#include "values.h"
#include "divergence.h"
#include "linear.h"

#define MOST_DEPTH 8

/* Whether a number is the same in another type, but for one that is too large for
 * a sign and becomes negative: then no thread runs the loop. */
static bool keeps_value(const pl_type *to, const pl_type *from) {
  return to && from && to->kind == PL_TYPE_INT && from->kind == PL_TYPE_INT &&
         from->size <= to->size && (from->is_unsigned || !to->is_unsigned);
}

/* What a local that nothing but its declaration sets begins with, NULL: it is none. */
static pl_node *init_of(const pl_loop *loop, const pl_node *node) {
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  return decl && decl->owner == loop->func && !pl_is_reference(decl->type)
             ? pl_only_value(decl)
             : NULL;
}

/* What such a local stands for. Places and extents are small, and fit any type that
 * holds them. */
static pl_node *value_of(const pl_loop *loop, pl_node *node) {
  node = node ? pl_node_bare(node) : NULL;
  for (int depth = 0; node && depth < MOST_DEPTH; depth++) {
    pl_node *init = init_of(loop, node);
    bool small = node->type && node->type->kind == PL_TYPE_INT &&
                 node->type->size < 4;
    if (!init || small)
      break;
    node = pl_node_bare(init);
  }
  return node;
}

/* A number that is the same for all threads and in each iteration, in any build. */
static bool is_number(const pl_loop *loop, pl_node *node, int64_t *value) {
  bool assumed = false;
  return !pl_is_open(node) && pl_loop_eval(loop, NULL, node, value, &assumed) &&
         !assumed;
}

static bool is_same_value(pl_loop *loop, pl_node *a, pl_node *b) {
  int64_t one, other;
  if (is_number(loop, a, &one) && is_number(loop, b, &other))
    return one == other;
  if (pl_varies(loop, a) || pl_varies(loop, b))
    return false;
  if (pl_same_atom(loop, a, b))
    return pl_is_arithmetic(a) && pl_is_uniform(loop, a);
  a = value_of(loop, a);
  b = value_of(loop, b);
  char axis = pl_index_axis(a, "blockDim");
  return (axis && axis == pl_index_axis(b, "blockDim")) ||
         (pl_is_block_size(a) && pl_is_block_size(b));
}

/* The number that a mask leaves whole multiples of, 0: it is no such mask. */
static int64_t left_by_mask(const pl_loop *loop, pl_node *mask) {
  int64_t value;
  return pl_loop_eval(loop, NULL, mask, &value, NULL) && !pl_is_open(mask)
             ? value & -value
             : 0;
}

static bool is_power_of_two(int64_t value) {
  return value > 0 && (value & (value - 1)) == 0;
}

/* `n / step * step`, which does not wrap. */
static bool is_rounded(pl_loop *loop, pl_node *product, pl_node *step) {
  pl_node *quotient = pl_node_bare(product->kids[0]);
  return product->op == PL_OP_MUL && quotient->kind == PL_NODE_BINARY &&
         quotient->op == PL_OP_DIV &&
         is_same_value(loop, product->kids[1], step) &&
         is_same_value(loop, quotient->kids[1], step);
}

/* Whether an expression is a multiple of the step, whatever its values. Products
 * of unsigned numbers that wrap are for powers of two. */
static bool is_multiple(pl_loop *loop, pl_node *node, pl_node *step, int depth) {
  int64_t by = 0, value;
  node = node ? pl_node_bare(node) : NULL;
  if (!node || depth > MOST_DEPTH || !node->type ||
      node->type->kind != PL_TYPE_INT || node->type->size < 4)
    return false;
  pl_node *from = node->kind == PL_NODE_CAST && node->nkids ? node->kids[0]
                                                            : init_of(loop, node);
  bool known = is_number(loop, step, &by) && by > 0;
  if (known && is_number(loop, node, &value))
    return value % by == 0;
  if (from)
    return keeps_value(node->type, from->type) &&
           is_multiple(loop, from, step, depth + 1);
  if (node->kind == PL_NODE_BINARY && is_rounded(loop, node, step))
    return true;
  if (node->type->is_unsigned && !(known && is_power_of_two(by)))
    return false;
  if (node->kind != PL_NODE_BINARY)
    return false;
  pl_node *left = node->kids[0], *right = node->kids[1];
  if (node->op == PL_OP_MUL)
    return is_same_value(loop, left, step) || is_same_value(loop, right, step) ||
           is_multiple(loop, left, step, depth + 1) ||
           is_multiple(loop, right, step, depth + 1);
  if (node->op == PL_OP_ADD || node->op == PL_OP_SUB)
    return is_multiple(loop, left, step, depth + 1) &&
           is_multiple(loop, right, step, depth + 1);
  if (node->op != PL_OP_AND || !known || !is_power_of_two(by))
    return false;
  return left_by_mask(loop, left) >= by || left_by_mask(loop, right) >= by;
}

/* ---- where a thread begins --------------------------------------------------- */

/* Whether two expressions are the thread's place along one axis, or in the block. */
static bool is_same_place(const pl_loop *loop, pl_node *a, pl_node *b) {
  a = value_of(loop, a);
  b = value_of(loop, b);
  char axis = a && b ? pl_index_axis(a, "threadIdx") : 0;
  return a && b && ((axis && axis == pl_index_axis(b, "threadIdx")) ||
                    (pl_is_block_rank(a) && pl_is_block_rank(b)));
}

/* Whether a tile has a row or a cell for each place below the step alone, and each
 * iteration stores to the thread's own: no thread beyond them runs any. */
static bool is_place_in_tile(pl_loop *loop, pl_node *start, pl_node *step) {
  for (size_t i = 0; i < loop->fill.ncopies; i++) {
    const pl_copy *copy = &loop->fill.copies[i];
    const pl_decl *tile = copy->tile->decl;
    pl_node *dim = tile->ndims ? tile->dims[0] : NULL, *index = NULL, *at;
    int64_t cells, by;
    for (at = pl_node_bare(copy->dst);
         at && at->nkids &&
         (at->kind == PL_NODE_SUBSCRIPT || at->kind == PL_NODE_MEMBER);
         at = pl_node_bare(at->kids[0]))
      index = at->kind == PL_NODE_SUBSCRIPT ? at->kids[1] : NULL;
    if (!dim || !index || !at || at->kind != PL_NODE_REF || at->decl != tile ||
        copy->store->parent != loop->body || !is_same_place(loop, index, start))
      continue;
    if (is_same_value(loop, dim, step) ||
        (is_number(loop, dim, &cells) && is_number(loop, step, &by) &&
         cells <= by))
      return true;
  }
  return false;
}

static bool is_below_step(pl_loop *loop, pl_node *start, pl_node *step) {
  pl_node *place = value_of(loop, start), *extent = value_of(loop, step);
  char axis = place ? pl_index_axis(place, "threadIdx") : 0;
  int64_t by, most;
  if (!place || !extent || (!axis && !pl_is_block_rank(place)))
    return false;
  if (axis ? axis == pl_index_axis(extent, "blockDim")
           : pl_is_block_size(extent))
    return true;
  most = pl_largest_start(loop, place);
  return (is_number(loop, step, &by) && most >= 0 && most < by) ||
         is_place_in_tile(loop, start, step);
}

/* ---- the loop ----------------------------------------------------------------- */

/* What the variable holds when the loop is reached. */
static pl_node *start_of(pl_loop *loop, const pl_decl *decl) {
  const pl_node *init = loop->init ? pl_node_bare(loop->init) : NULL;
  if (init && init->kind == PL_NODE_ASSIGN && init->op == PL_OP_ASSIGN &&
      pl_names_var(init->kids[0], decl))
    return init->kids[1];
  return pl_begins_as_declared(loop, decl) ? decl->init : NULL;
}

bool pl_counts_agree(pl_loop *loop) {
  pl_node *cond = loop->header ? pl_node_bare(loop->header) : NULL;
  if (!cond || cond->kind != PL_NODE_BINARY || loop->searches ||
      (cond->op != PL_OP_LT && cond->op != PL_OP_GT))
    return false;
  pl_node *moving = pl_node_bare(cond->kids[cond->op == PL_OP_GT]);
  pl_node *bound = cond->kids[cond->op == PL_OP_LT];
  pl_decl *decl = moving->kind == PL_NODE_REF ? moving->decl : NULL;
  const pl_recurrence *r = decl ? pl_loop_recurrence(loop, decl) : NULL;
  pl_node *step = r ? pl_node_bare(r->step) : NULL;
  if (!step || r->derived || r->uneven || r->restarts || r->by_fill ||
      pl_steps_of(loop, decl) != 1 || step->kind != PL_NODE_ASSIGN ||
      step->op != PL_OP_ADD || pl_varies(loop, bound))
    return false;
  pl_node *start = start_of(loop, decl);
  return start && is_below_step(loop, start, step->kids[1]) &&
         is_multiple(loop, bound, step->kids[1], 0);
}
