/* widen_loops.c - which threads share a copy loop out between them?
 *
 * Needs: copy loops, widen_multiples.c. Gives: whether each value of a loop's
 * counter is some thread's of a row of the block, or of the block, and which of
 * the two; notes the premises that this rests on. Raises nothing: widen.c notes
 * the reason. */
#include "copies.h"
#include "widen.h"

/* Whether a type has room for the number of each thread of a block. */
static bool numbers_threads(const pl_type *type) {
  return type && type->kind == PL_TYPE_INT && type->size >= 2;
}

/* What a local stands for that is set once, without casts that keep its value. */
static pl_node *origin_of(const pl_loop *loop, pl_node *node) {
  for (int depth = 0; depth < 6; depth++) {
    node = pl_node_bare(node);
    if (node->kind == PL_NODE_CAST && node->nkids && numbers_threads(node->type))
      node = node->kids[0];
    else if (node->kind == PL_NODE_REF && node->decl && node->decl->owner &&
             pl_is_set_once(loop, node->decl))
      node = node->decl->init;
    else
      break;
  }
  return pl_node_bare(node);
}

static bool is_row_place(const pl_node *node) {
  return pl_index_axis(node, "threadIdx") == 'x';
}

/* `threadIdx.y * blockDim.x + threadIdx.x` in any order, also by way of locals. */
static bool is_block_place(const pl_loop *loop, const pl_node *node) {
  if (pl_is_block_rank(node))
    return true;
  if (node->kind != PL_NODE_BINARY || node->op != PL_OP_ADD)
    return false;
  for (uint32_t i = 0; i < 2; i++) {
    const pl_node *row = origin_of(loop, node->kids[1 - i]);
    if (!is_row_place(origin_of(loop, node->kids[i])) ||
        row->kind != PL_NODE_BINARY || row->op != PL_OP_MUL)
      continue;
    for (uint32_t k = 0; k < 2; k++)
      if (pl_index_axis(origin_of(loop, row->kids[k]), "threadIdx") == 'y' &&
          pl_block_axis(origin_of(loop, row->kids[1 - k])) == 'x')
        return true;
  }
  return false;
}

/* Whether a step is the number of threads that a start numbers: `blockDim.x` for
 * threadIdx.x, `blockDim.x * blockDim.y` for the place in both. */
static bool counts_threads(const pl_node *start, const pl_node *step) {
  if (is_row_place(start))
    return pl_block_axis(step) == 'x';
  if (pl_is_block_rank(start) || pl_is_block_size(step))
    return pl_is_block_rank(start) && pl_is_block_size(step);
  if (step->kind != PL_NODE_BINARY || step->op != PL_OP_MUL)
    return false;
  char a = pl_block_axis(pl_node_bare(step->kids[0]));
  char b = pl_block_axis(pl_node_bare(step->kids[1]));
  return (a == 'x' && b == 'y') || (a == 'y' && b == 'x');
}

/* Whether a macro's body holds a part of a loop's header that is written anew. */
static bool has_written_macros(const pl_copy_loop *c) {
  return !c->start->range.end || !c->step->range.end ||
         !c->node->kids[1]->range.end || c->node->kids[1]->from_macro;
}

typedef struct fill_walk {
  const pl_loop *loop;
  bool only;
} fill_walk;

/* Whether all that a loop's body does is to declare locals and to fill tiles. */
static bool fills_or_declares(pl_node *node, void *context) {
  fill_walk *f = context;
  if (pl_fill_copy(&f->loop->fill, node))
    return false;
  if (node->kind == PL_NODE_ASSIGN || node->kind == PL_NODE_CALL ||
      node->kind == PL_NODE_LAMBDA || node->kind == PL_NODE_ASM ||
      pl_node_is_step(node) || pl_node_is_loop(node) ||
      node->kind == PL_NODE_SWITCH || node->kind == PL_NODE_GOTO)
    f->only = false;
  return f->only;
}

/* Whether the step is one that all threads know, and can be asked for. */
static bool can_step(pl_neighbours *n, const pl_copy_loop *c,
                     const pl_node *start) {
  if (counts_threads(start, origin_of(n->loop, c->step)))
    return true;
  if (!pl_can_be_asked(n->loop, pl_node_bare(c->step)))
    return false;
  pl_add_premise(n, c->in_row ? PL_PREMISE_ROW_STEP : PL_PREMISE_BLOCK_STEP,
                 c->step);
  return true;
}

const char *pl_not_shared_out(pl_neighbours *n, pl_copy_loop *c) {
  const pl_type *type = c->var ? c->var->type : NULL;
  fill_walk f = {n->loop, true};
  if (!c->var || c->chain || !c->declares || c->inclusive || c->ahead ||
      !c->step || !type || type->kind != PL_TYPE_INT || type->size < 4 ||
      c->node->from_macro || has_written_macros(c))
    return "its copy loop does not step by the threads that share it";
  pl_node_walk(c->node->kids[3], fills_or_declares, &f);
  pl_node *start = origin_of(n->loop, c->start);
  c->in_row = is_row_place(start);
  if (!f.only)
    return "its copy loop does more than to fill tiles";
  if (!c->in_row && !is_block_place(n->loop, start))
    return "its copy loop does not begin at the thread's number";
  n->counter = c->var;
  n->in_row = c->in_row;
  if (!can_step(n, c, start))
    return "its copy loop does not step by the threads that share it";
  return pl_is_multiple(n, c->bound)
             ? NULL
             : "its copy loop's bound is not known to be a whole number of "
               "groups of 16 bytes";
}
