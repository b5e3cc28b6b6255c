/* ranges.c - between which bounds does an index stay?
 *
 * Needs: values, value_ranges.c. Gives: whether an expression is never negative, is small, or
 * is the thread's number within the block; its largest value by the launch
 * bounds; whether another build or instantiation may change a constant. Raises
 * nothing: what is not known is answered with no. */
#include "reaching_definitions.h"
#include "values.h"
#include "value_ranges.h"

/* Whether a value is no negative number, nor one in a signed type of its size. */
static bool is_positive_part(pl_interval of, const pl_type *type) {
  type = pl_no_reference(type);
  int64_t most = type && pl_is_integer_type(type) && type->size == 8 ? INT64_MAX
                                                                     : INT32_MAX;
  return of.known && !of.open && of.low >= 0 && of.high <= most;
}

bool pl_not_negative(const pl_loop *loop, const pl_node *node) {
  return is_positive_part(pl_value_range(loop, node), node->type);
}

bool pl_steps_up(const pl_loop *loop, const pl_node *amount) {
  pl_interval by = pl_value_range(loop, amount);
  return by.known && !by.open && by.low >= 0 && by.high <= INT32_MAX;
}

bool pl_begins_not_negative(const pl_loop *loop, const pl_node *node,
                            const pl_type *type) {
  pl_interval of = pl_value_range_in(pl_value_range(loop, node), type);
  return of.known && of.low >= 0;
}

static bool is_index(const pl_node *node, const char *name, char axis) {
  node = pl_node_bare((pl_node *)node);
  return node && pl_index_axis(node, name) == axis;
}

/* Whether a type has all numbers of a block's threads. */
static bool holds_thread_number(const pl_type *type) {
  type = pl_no_reference(type);
  return type && (type->kind == PL_TYPE_DEPENDENT ||
                  (type->kind == PL_TYPE_INT && type->size >= 2));
}

/* threadIdx.x, threadIdx.y * blockDim.x + threadIdx.x, and locals that are set
 * to one of the two once: all values from zero up to some last one occur. */
bool pl_is_thread_number(const pl_loop *loop, const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  if (!node)
    return false;
  if (is_index(node, "threadIdx", 'x'))
    return !pl_names_block_y(loop->func->body);
  if (pl_is_block_rank(node))
    return true;
  if (node->kind == PL_NODE_REF)
    return node->decl && holds_thread_number(node->decl->type) &&
           pl_is_thread_number(loop, pl_reaching_initialiser(node));
  if (node->kind == PL_NODE_CAST)
    return node->nkids && holds_thread_number(node->type) &&
           pl_is_thread_number(loop, node->kids[0]);
  if (node->kind != PL_NODE_BINARY || node->op != PL_OP_ADD)
    return false;
  const pl_node *row = pl_node_bare(node->kids[0]);
  return is_index(node->kids[1], "threadIdx", 'x') &&
         row->kind == PL_NODE_BINARY && row->op == PL_OP_MUL &&
         ((is_index(row->kids[0], "threadIdx", 'y') &&
           is_index(row->kids[1], "blockDim", 'x')) ||
          (is_index(row->kids[1], "threadIdx", 'y') &&
           is_index(row->kids[0], "blockDim", 'x')));
}

/* Whether a constant's value may differ in another build or instantiation. */
bool pl_is_open(const pl_node *node) {
  if (!node)
    return false;
  if (node->from_macro || node->open || node->of_build ||
      (node->kind == PL_NODE_REF && node->decl &&
       (node->decl->kind == PL_DECL_TEMPLATE_VALUE || node->decl->is_open)) ||
      (node->kind == PL_NODE_REF && !node->decl))
    return true;
  if (node->kind == PL_NODE_REF && node->decl && pl_is_open(node->decl->init))
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (pl_is_open(node->kids[i]))
      return true;
  return false;
}

/* The largest value of a thread's place, or of a quotient or remainder of it,
 * by the kernel's launch bounds; -1: not known, or another build's could
 * differ. */
int64_t pl_largest_start(const pl_loop *loop, const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  if (!node)
    return -1;
  const pl_func *func = loop->func;
  bool bounded = !loop->caller && func->launch_bounds > 0 &&
                 (!func->launch_bounds_node ||
                  !pl_is_open(func->launch_bounds_node));
  if (pl_is_thread_number(loop, node) || is_index(node, "threadIdx", 'x') ||
      is_index(node, "threadIdx", 'y') || is_index(node, "threadIdx", 'z'))
    return bounded ? func->launch_bounds - 1 : -1;
  if (node->kind == PL_NODE_REF)
    return node->decl && holds_thread_number(node->decl->type)
               ? pl_largest_start(loop, pl_reaching_initialiser(node))
               : -1;
  int64_t by = 0;
  if (node->kind != PL_NODE_BINARY || pl_is_open(node->kids[1]) ||
      !pl_loop_eval((pl_loop *)loop, NULL, node->kids[1], &by, NULL) || by <= 0)
    return -1;
  int64_t most = pl_largest_start(loop, node->kids[0]);
  if (node->op == PL_OP_DIV && most >= 0)
    return most / by;
  if (node->op == PL_OP_REM &&
      (most >= 0 || pl_is_thread_number(loop, node->kids[0])))
    return most >= 0 && most < by ? most : by - 1;
  return -1;
}

/* Whether a value stays far from the largest integer, so that a few steps more
 * than the loop makes cannot overflow: a thread's place, block sizes, constants
 * and what they add up to. */
bool pl_is_small(const pl_loop *loop, const pl_node *node) {
  pl_interval of = pl_value_range(loop, node);
  return of.known && !of.open && of.low >= 0 && of.high <= 1 << 27;
}
