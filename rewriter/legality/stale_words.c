/* stale_words.c - records that are stored word by word, under a guard that counts
 * records.
 *
 * Needs: the sums of a store's indices and of its guard. Gives: which of their terms
 * count the words of a record, and how many words that is. Raises nothing.
 *
 * Of `if (t < m) for (k = 0; k < 3; k++) s[3 * t + k] = ...` a guard that is taken
 * three times, 3 * t < 3 * m, can be told from the index: 3 * t is the cell, less k. */
#include "copies.h"
#include "stale.h"

#define MOST_COUNTED (1 << 12)

/* A number that no build or instantiation makes another one. */
static bool is_fixed(pl_loop *loop, const pl_node *node, int64_t *value) {
  if (!node)
    return false;
  const pl_linear sum = pl_linear_of(loop, node, node);
  *value = sum.constant;
  return sum.known && !sum.n && !sum.wraps;
}

static bool is_counter(const pl_node *node, const pl_decl *counter) {
  node = node ? pl_node_bare((pl_node *)node) : NULL;
  return node && node->kind == PL_NODE_REF && node->decl == counter;
}

static bool begins_at_or_above_zero(pl_loop *loop, const pl_node *init,
                                    const pl_decl *counter) {
  int64_t value;
  if (!init)
    return false;
  if (init->kind == PL_NODE_DECL_STMT)
    return counter->node && counter->node->parent == init &&
           is_fixed(loop, counter->init, &value) && value >= 0;
  return init->kind == PL_NODE_ASSIGN && init->op == PL_OP_ASSIGN &&
         is_counter(init->kids[0], counter) &&
         is_fixed(loop, init->kids[1], &value) && value >= 0;
}

static bool steps_up(pl_loop *loop, const pl_node *step,
                     const pl_decl *counter) {
  int64_t value;
  step = step ? pl_node_bare((pl_node *)step) : NULL;
  if (!step || !step->nkids || !is_counter(step->kids[0], counter))
    return false;
  return (step->kind == PL_NODE_UNARY &&
          (step->op == PL_OP_PREINC || step->op == PL_OP_POSTINC)) ||
         (step->kind == PL_NODE_ASSIGN && step->op == PL_OP_ADD &&
          is_fixed(loop, step->kids[1], &value) && value > 0 &&
          value < MOST_COUNTED);
}

static bool ends_soon(pl_loop *loop, const pl_node *test,
                      const pl_decl *counter) {
  int64_t value;
  test = test ? pl_node_bare((pl_node *)test) : NULL;
  return test && test->kind == PL_NODE_BINARY &&
         (test->op == PL_OP_LT || test->op == PL_OP_LE) &&
         is_counter(test->kids[0], counter) &&
         is_fixed(loop, test->kids[1], &value) && value >= 0 &&
         value < MOST_COUNTED;
}

bool pl_counts_few(pl_loop *loop, const pl_term *term) {
  const pl_node *atom = pl_node_bare((pl_node *)term->atom);
  const pl_decl *counter = atom->kind == PL_NODE_REF ? atom->decl : NULL;
  if (!counter || counter->kind != PL_DECL_VAR || !counter->type ||
      counter->type->kind != PL_TYPE_INT || counter->type->size < 4 ||
      counter->is_shared ||
      counter->is_static || counter->owner != loop->func)
    return false;
  for (const pl_node *at = term->place; at->parent && at != loop->body;
       at = at->parent) {
    const pl_node *up = at->parent;
    if (up->kind == PL_NODE_FOR && at == up->kids[3] &&
        !pl_assigned_anywhere(up->kids[3], counter) &&
        begins_at_or_above_zero(loop, up->kids[0], counter) &&
        ends_soon(loop, up->kids[1], counter) &&
        steps_up(loop, up->kids[2], counter))
      return true;
  }
  return false;
}

static int64_t without_sign(int64_t value) {
  return value < 0 ? -value : value;
}

int64_t pl_words_of(pl_loop *loop, const pl_partial_store *store,
                    const pl_relation *goal) {
  int64_t times = 1;
  for (uint32_t d = 0; d < store->at.n; d++)
    for (int i = 0; i < store->index[d].n; i++) {
      const pl_term *term = &store->index[d].terms[i];
      const int64_t by = without_sign(term->by);
      bool asked = pl_linear_count(loop, &goal->left, term->atom) ||
                   pl_linear_count(loop, &goal->right, term->atom);
      if (asked && times % by && by % times)
        return 1;
      if (asked && by > times)
        times = by;
    }
  return times < MOST_COUNTED ? times : 1;
}
