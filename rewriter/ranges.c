/* ranges.c - between which bounds does an index stay?
 *
 * Needs: values. Gives: whether an expression is never negative, is small, or
 * is the thread's number within the block; its largest value by the launch
 * bounds; whether another build or instantiation may change a constant. Raises
 * nothing: what is not known is answered with no. */
#include "copies.h"
#include "linear.h"

/* How many threads a group has, or which of them this one is; how many groups
 * there are, or which of them this is. */
static bool is_group_number(const pl_node *call) {
  return call->nkids == 1 && pl_is_member_function(call) &&
         !(call->decl && call->decl->is_user) &&
         (pl_str_is(call->name, "thread_rank") ||
          pl_str_is(call->name, "size") ||
          pl_str_is(call->name, "num_threads") ||
          pl_str_is(call->name, "meta_group_rank") ||
          pl_str_is(call->name, "meta_group_size"));
}

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

/* Whether an expression cannot be negative: thread indices, their sums,
 * products, quotients and masks, and locals that are set to such once. */
static bool not_negative(const pl_loop *loop, const pl_node *node, int depth) {
  node = pl_node_bare((pl_node *)node);
  if (!node || depth > 12)
    return false;
  if (node->has_ival)
    return node->ival >= 0;
  if (pl_is_place_index(node))
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
    pl_node *passed = pl_passed_for(loop, decl);
    if (passed && !pl_assigned_anywhere(loop->func->body, decl))
      return not_negative(loop->caller, passed, depth + 1);
    return decl && decl->kind == PL_DECL_VAR && decl->init && decl->owner &&
           !pl_assigned_anywhere(decl->owner->body, decl) &&
           not_negative(loop, decl->init, depth + 1);
  }
  case PL_NODE_CALL:
    return is_group_number(node) && (pl_str_is(node->name, "thread_rank") ||
                                     pl_str_is(node->name, "meta_group_rank"));
  default:
    return false;
  }
}

bool pl_not_negative(const pl_loop *loop, const pl_node *node) {
  return not_negative(loop, node, 0);
}

static bool is_index(const pl_node *node, const char *name, char axis) {
  node = pl_node_bare((pl_node *)node);
  return node && pl_index_axis(node, name) == axis;
}

/* threadIdx.x, threadIdx.y * blockDim.x + threadIdx.x, and locals that are set
 * to one of the two once: all values from zero up to some last one occur. */
static bool is_thread_number(const pl_loop *loop, const pl_node *node,
                             int depth) {
  node = pl_node_bare((pl_node *)node);
  if (!node || depth > 6)
    return false;
  if (is_index(node, "threadIdx", 'x'))
    return !pl_names_block_y(loop->func->body);
  if (pl_is_block_rank(node))
    return true;
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
  return is_index(node->kids[1], "threadIdx", 'x') &&
         row->kind == PL_NODE_BINARY && row->op == PL_OP_MUL &&
         ((is_index(row->kids[0], "threadIdx", 'y') &&
           is_index(row->kids[1], "blockDim", 'x')) ||
          (is_index(row->kids[1], "threadIdx", 'y') &&
           is_index(row->kids[0], "blockDim", 'x')));
}

bool pl_is_thread_number(const pl_loop *loop, const pl_node *node) {
  return is_thread_number(loop, node, 0);
}

/* Whether a constant's value may differ in another build or instantiation. */
bool pl_is_open(const pl_node *node) {
  if (!node)
    return false;
  if (node->from_macro || node->open ||
      (node->kind == PL_NODE_REF && node->decl &&
       node->decl->kind == PL_DECL_TEMPLATE_VALUE) ||
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
static int64_t largest_start(const pl_loop *loop, const pl_node *node,
                             int depth) {
  node = pl_node_bare((pl_node *)node);
  if (!node || depth > 8)
    return -1;
  const pl_func *func = loop->func;
  bool bounded = !loop->caller && func->launch_bounds > 0 &&
                 (!func->launch_bounds_node ||
                  !pl_is_open(func->launch_bounds_node));
  if (is_thread_number(loop, node, 0) || is_index(node, "threadIdx", 'x') ||
      is_index(node, "threadIdx", 'y') || is_index(node, "threadIdx", 'z'))
    return bounded ? func->launch_bounds - 1 : -1;
  if (node->kind == PL_NODE_REF)
    return node->decl && node->decl->kind == PL_DECL_VAR && node->decl->owner &&
                   node->decl->init &&
                   !pl_assigned_anywhere(node->decl->owner->body, node->decl)
               ? largest_start(loop, node->decl->init, depth + 1)
               : -1;
  int64_t by = 0;
  if (node->kind != PL_NODE_BINARY || pl_is_open(node->kids[1]) ||
      !pl_loop_eval((pl_loop *)loop, NULL, node->kids[1], &by, NULL) || by <= 0)
    return -1;
  int64_t most = largest_start(loop, node->kids[0], depth + 1);
  if (node->op == PL_OP_DIV && most >= 0)
    return most / by;
  if (node->op == PL_OP_REM &&
      (most >= 0 || is_thread_number(loop, node->kids[0], 0)))
    return most >= 0 && most < by ? most : by - 1;
  return -1;
}

int64_t pl_largest_start(const pl_loop *loop, const pl_node *node) {
  return largest_start(loop, node, 0);
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
  if (pl_block_axis(node) || is_index(node, "threadIdx", 'x') ||
      is_index(node, "threadIdx", 'y') || is_index(node, "threadIdx", 'z'))
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
    pl_node *passed = pl_passed_for(loop, node->decl);
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
    return is_group_number(node);
  default:
    return false;
  }
}

bool pl_is_small(const pl_loop *loop, const pl_node *node) {
  return is_small(loop, node, 0);
}
