/* loops_votes.c - does the block vote at the head of the body whether to go on?
 *
 * Needs: the statements of the body. Gives: the vote as the barrier that it is, its
 * text and its test. Raises: nothing; legality_votes.c does.
 *
 *     if (__syncthreads_count(done) == THREADS)
 *         break;
 *
 * is a barrier that begins the body, and a test that only compute can answer: it is
 * asked where compute goes on to the next tile, and the load side is by then one tile
 * ahead. */
#include "call_summary.h"
#include "loops_parts.h"

bool pl_is_vote(const pl_effect *effect) {
  return effect->kind == PL_EFFECT_SPECIAL_BARRIER &&
         pl_calls_builtin(effect->node, "__syncthreads_*");
}

/* How many votes a statement of the head takes; -1: it does more than to work out
 * numbers of its own from the thread's. */
static int count_votes(const pl_stmt *stmt) {
  int votes = 0;
  for (size_t i = 0; i < stmt->effects.n; i++) {
    const pl_effect *effect = &stmt->effects.items[i];
    bool own = effect->space == PL_SPACE_LOCAL ||
               (effect->kind == PL_EFFECT_READ &&
                effect->space == PL_SPACE_CONSTANT);
    if (pl_is_vote(effect) && !effect->by_call)
      votes++;
    else if (!own || (effect->kind != PL_EFFECT_READ &&
                      !(effect->kind == PL_EFFECT_WRITE &&
                        pl_declared_inside(effect->root.decl, stmt->node))))
      return -1;
  }
  return votes;
}

/* `const int n = ...;` whose text is all its own. */
static bool is_plain_declaration(const pl_stmt *stmt) {
  const pl_node *node = stmt->node;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (node->kids[i]->kind != PL_NODE_VAR || !node->kids[i]->decl ||
        node->kids[i]->decl->is_shared || node->kids[i]->decl->is_static ||
        node->kids[i]->decl->from_macro)
      return false;
  return node->kind == PL_NODE_DECL_STMT && !node->from_macro;
}

/* `if (test) break;` or `if (test) { break; }`. */
static bool is_plain_test(const pl_unit *unit, const pl_node *node) {
  const pl_node *then = node->kind == PL_NODE_IF ? node->kids[1] : NULL;
  if (then && then->kind == PL_NODE_COMPOUND && then->nkids == 1)
    then = then->kids[0];
  return then && then->kind == PL_NODE_BREAK &&
         (node->nkids < 3 || !node->kids[2]) && !pl_if_has_init(node) &&
         pl_str_starts(pl_unit_slice(unit, node->range), "if") &&
         node->kids[0]->range.end > node->kids[0]->range.begin &&
         pl_range_inside(node->kids[0]->range, node->range);
}

/* Barriers that begin the body: with the vote behind them they are one. */
static size_t barriers_ahead(const pl_loop *loop) {
  size_t n = 0;
  while (n < loop->nstmts && loop->stmts[n].is_barrier && !loop->stmts[n].joined)
    n++;
  return n;
}

/* Up to where the head goes that begins with a statement, the last of which is the
 * test; 0: it is no such head. */
static size_t vote_end(const pl_loop *loop, size_t from) {
  int votes = 0;
  for (size_t i = from; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    int here = stmt->is_barrier ? -1 : count_votes(stmt);
    votes += here;
    if (here < 0 || votes > 1 || stmt->joined)
      return 0;
    if (is_plain_test(loop->unit, stmt->node))
      return votes == 1 ? i + 1 : 0;
    if (!is_plain_declaration(stmt))
      return 0;
  }
  return 0;
}

/* Whether a declaration of the head is named behind it. */
static bool is_named_behind(const pl_loop *loop, size_t from, size_t end) {
  for (size_t i = from; i + 1 < end; i++)
    for (uint32_t k = 0; k < loop->stmts[i].node->nkids; k++)
      for (size_t s = end; s < loop->nstmts; s++)
        if (pl_mentions(loop->stmts[s].node, loop->stmts[i].node->kids[k]->decl))
          return true;
  return false;
}

/* The call that votes, wherever in the head it stands. */
static pl_node *call_of_vote(const pl_loop *loop, size_t from, size_t end) {
  for (size_t i = from; i < end; i++)
    for (size_t j = 0; j < loop->stmts[i].effects.n; j++)
      if (pl_is_vote(&loop->stmts[i].effects.items[j]))
        return loop->stmts[i].effects.items[j].node;
  return NULL;
}

void pl_take_vote(pl_loop *loop) {
  size_t from = barriers_ahead(loop), end = vote_end(loop, from);
  if (!end || loop->node->kind == PL_NODE_DO || loop->branch ||
      pl_is_endless(loop) || is_named_behind(loop, from, end) ||
      pl_node_changes(loop->cond))
    return;
  pl_range text = {loop->stmts[0].chunk.begin, loop->stmts[end - 1].chunk.end};
  if (pl_has_conditional_text(loop->unit, text))
    return;
  for (size_t i = from; i < end; i++)
    if (pl_node_has(loop->stmts[i].node, PL_NODE_LAMBDA))
      return;
  pl_node *call = call_of_vote(loop, from, end);
  loop->votes = PL_NEW_ARRAY(loop->arena, pl_stmt, end - from);
  for (size_t i = from; i < end; i++)
    loop->votes[loop->nvotes++] = loop->stmts[i];
  loop->stmts[0].node = call;
  loop->stmts[0].chunk = text;
  loop->stmts[0].effects = (pl_effects){0};
  loop->stmts[0].is_barrier = loop->stmts[0].is_vote = true;
  for (size_t i = end; i < loop->nstmts; i++)
    loop->stmts[i - end + 1] = loop->stmts[i];
  loop->nstmts -= end - 1;
}
