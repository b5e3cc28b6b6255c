/* widen_loops.c - which threads share a copy loop out between them?
 *
 * Needs: copy loops, widen_forms.c. Gives: whether each value of a loop's
 * counter is some thread's of a row of the block, or of the block, and which of
 * the two; notes the premises that this rests on. Raises nothing: widen.c notes
 * the reason. */
#include "copies.h"
#include "widen.h"

/* Whether a macro's body holds a part of a loop's header that is written anew. */
static bool has_written_macros(const pl_copy_loop *c) {
  return !c->first->range.end || !c->apart->range.end || !c->bound->range.end ||
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
static bool can_step(pl_neighbours *n, const pl_copy_loop *c) {
  if (pl_counts_threads(n->loop, c->apart, pl_numbers_threads(n->loop, c->first)))
    return true;
  if (!pl_can_be_asked(n->loop, pl_node_bare(c->apart)))
    return false;
  pl_add_premise(n, c->in_row ? PL_PREMISE_ROW_STEP : PL_PREMISE_BLOCK_STEP,
                 c->apart);
  return true;
}

/* ---- what numbers the cells ---------------------------------------------- */

static bool numbers_cells(const pl_decl *decl) {
  const pl_type *type = decl->type;
  return type && type->kind == PL_TYPE_INT && type->size >= 4 && !type->is_volatile;
}

static bool names_counter(const pl_copy_loop *c, pl_node *node) {
  node = pl_node_bare(node);
  return node->kind == PL_NODE_REF && node->decl == c->var;
}

/* How far apart the values are of which a summand `i`, or `i * threads`, tells one
 * from the other; NULL: it is neither. */
static pl_node *apart_by(const pl_copy_loop *c, pl_node *summand) {
  summand = pl_node_bare(summand);
  if (c->step)
    return names_counter(c, summand) ? c->step : NULL;
  for (uint32_t i = 0; i < 2; i++)
    if (summand->kind == PL_NODE_BINARY && summand->op == PL_OP_MUL &&
        names_counter(c, summand->kids[i]))
      return summand->kids[1 - i];
  return NULL;
}

/* Whether a statement of the loop's body is `int at = thread + i * threads;`, which
 * is its place then. */
static bool sets_place(pl_loop *loop, pl_copy_loop *c, const pl_node *stmt) {
  pl_decl *decl = stmt->kind == PL_NODE_DECL_STMT && stmt->nkids == 1 &&
                          stmt->kids[0]->kind == PL_NODE_VAR &&
                          !stmt->kids[0]->from_macro
                      ? stmt->kids[0]->decl
                      : NULL;
  pl_node *sum = decl && decl->init ? pl_node_bare(decl->init) : NULL;
  if (!sum || sum->kind != PL_NODE_BINARY || sum->op != PL_OP_ADD ||
      !numbers_cells(decl) || !pl_is_set_once(loop, decl))
    return false;
  for (uint32_t k = 0; k < 2; k++) {
    pl_node *apart = apart_by(c, sum->kids[1 - k]);
    if (!apart || !pl_numbers_threads(loop, sum->kids[k]))
      continue;
    c->place = decl;
    c->first = sum->kids[k];
    c->apart = apart;
    return true;
  }
  return false;
}

/* A loop that counts from zero, and by such a local alone names what it counts. */
static bool find_local_place(pl_loop *loop, pl_copy_loop *c) {
  const pl_node *body = c->node->kids[3];
  bool from_zero = pl_node_is_zero(c->start);
  if (!from_zero || body->kind != PL_NODE_COMPOUND ||
      pl_count_names(body, c->var) != 1 ||
      pl_has_conditional_text(loop->unit, c->node->range))
    return false;
  for (uint32_t i = 0; i < body->nkids; i++)
    if (sets_place(loop, c, body->kids[i]))
      return true;
  return false;
}

static bool find_place(pl_loop *loop, pl_copy_loop *c) {
  c->place = c->var;
  c->first = c->start;
  c->apart = c->step;
  return pl_numbers_threads(loop, c->start) || find_local_place(loop, c);
}

/* What a count by threads was made of, `cells / threads`; NULL: of nothing. */
static pl_node *divided_by(const pl_loop *loop, pl_node *count,
                           const pl_node *threads) {
  count = pl_node_bare(count);
  bool is_quotient = count->kind == PL_NODE_BINARY && count->op == PL_OP_DIV;
  return is_quotient && pl_same_text(loop->unit, count->kids[1], threads) &&
                 pl_same_names(count->kids[1], threads)
             ? pl_node_bare(count->kids[0])
             : NULL;
}

/* Whether there are as many cells as whole groups have. */
static bool has_whole_groups(pl_neighbours *n, pl_copy_loop *c) {
  if (c->place == c->var)
    return pl_is_multiple(n, c->bound);
  pl_node *all = c->step ? c->bound : divided_by(n->loop, c->bound, c->apart);
  c->cells = all && pl_divides(n, c->apart, all) ? all : NULL;
  bool counted = c->cells || (!c->step && pl_not_negative(n->loop, c->bound));
  if (!counted) /* the product with a number of threads, unsigned, would be large */
    return false;
  size_t before = n->loop->npremises;
  if (pl_is_multiple(n, c->apart))
    return true;
  n->loop->npremises = before;
  return pl_is_multiple(n, c->bound);
}

const char *pl_not_shared_out(pl_neighbours *n, pl_copy_loop *c) {
  fill_walk f = {n->loop, true};
  if (!c->var || c->chain || !c->declares || c->inclusive || c->ahead ||
      !numbers_cells(c->var) || c->node->from_macro)
    return "its copy loop does not step by the threads that share it";
  pl_node_walk(c->node->kids[3], fills_or_declares, &f);
  if (!f.only)
    return "its copy loop does more than to fill tiles";
  if (!find_place(n->loop, c))
    return "its copy loop does not begin at the thread's number";
  c->in_row = pl_numbers_threads(n->loop, c->first) == 'x';
  n->counter = c->place;
  n->in_row = c->in_row;
  if (!c->apart || has_written_macros(c) || !can_step(n, c))
    return "its copy loop does not step by the threads that share it";
  pl_slope bound = pl_slope_of(n, c->bound);
  if (!bound.known || bound.by != 0 ||
      (c->place != c->var && !pl_is_uniform(n->loop, c->bound)))
    return "its copy loop's bound may differ between the threads that share it";
  return has_whole_groups(n, c)
             ? NULL
             : "its copy loop's bound is not known to be a whole number of "
               "groups of 16 bytes";
}
