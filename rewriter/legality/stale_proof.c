/* stale_proof.c - does what a read stands under say what the store's guard asks?
 *
 * Needs: the stores and reads that stale.c finds, sums. Gives: whether a cell that
 * is read was written for the same tile. Raises nothing.
 *
 * The guard is a comparison of two sums. The store's indices are replaced in it by
 * those of the read; what is left has to be the same for all threads, and in the
 * numbers of the load phase. */
#include "cfg.h"
#include "copies.h"
#include "reaching_definitions.h"
#include "slices.h"
#include "stale.h"

/* ---- values that stay ------------------------------------------------------ */

static int statement_of(const pl_loop *loop, const pl_node *node) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if (pl_node_within(node, loop->stmts[i].node))
      return (int)i;
  return -1;
}

/* Whether no statement from that of `from` to that of `to` sets a variable. */
static bool unwritten_between(const pl_loop *loop, const pl_decl *decl,
                              const pl_node *from, const pl_node *to) {
  int first = statement_of(loop, from), last = statement_of(loop, to);
  if (first < 0 || last < first)
    return false;
  for (int i = first; i <= last; i++)
    if (pl_assigned_anywhere(loop->stmts[i].node, decl) ||
        pl_writes_decl(&loop->stmts[i].effects, decl))
      return false;
  return true;
}

typedef struct stays_walk {
  const pl_loop *loop;
  const pl_node *place, *use;
  bool across; /* from a thread's store to another one's read */
  bool stays;
} stays_walk;

static bool is_set_once(const stays_walk *w, const pl_decl *decl) {
  if (pl_assigned_anywhere(w->loop->func->body, decl) ||
      pl_written_in_loop(w->loop, decl))
    return false;
  const pl_node *stmt = decl->node ? decl->node->parent : NULL;
  return !w->across || !pl_declared_inside(decl, w->loop->body) ||
         (stmt && stmt->parent == w->loop->body);
}

static bool find_change(pl_node *node, void *context) {
  stays_walk *w = context;
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  if (pl_is_block_rank(node))
    return false;
  if (decl && decl->owner && w->stays &&
      (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM))
    w->stays = decl->type && decl->type->kind == PL_TYPE_INT &&
               (is_set_once(w, decl) ||
                (w->across
                     ? unwritten_between(w->loop, decl, w->place, w->use)
                     : pl_is_set_between(decl, w->place, w->use) == PL_NO));
  return w->stays;
}

static bool stays(const pl_loop *loop, const pl_term *term, const pl_node *use) {
  stays_walk w = {loop, term->place, use, false, true};
  pl_node_walk((pl_node *)term->atom, find_change, &w);
  return w.stays;
}

bool pl_all_stay(const pl_loop *loop, const pl_linear *of, const pl_node *use) {
  for (int i = 0; i < of->n; i++)
    if (!stays(loop, &of->terms[i], use))
      return false;
  return of->known;
}

/* Whether what the store's thread asks has the same value for any thread that
 * reads. */
static bool is_common(pl_loop *loop, const pl_term *term, const pl_node *store,
                      const pl_node *read) {
  stays_walk w = {loop, store, read, true, true};
  if (!pl_is_uniform(loop, (pl_node *)term->atom))
    return false;
  pl_node_walk((pl_node *)term->atom, find_change, &w);
  return w.stays;
}

/* ---- what a read stands under ----------------------------------------------- */

bool pl_is_skip(const pl_node *node) {
  return node && node->kind == PL_NODE_IF &&
         (node->nkids < 3 || !node->kids[2]) && pl_cfg_completes(node->kids[1]) == PL_NO;
}

/* Where a condition names a variable first; NULL: nowhere. */
static pl_node *first_name(pl_node *node, const pl_decl *decl) {
  pl_node *found = node->kind == PL_NODE_REF && node->decl == decl ? node : NULL;
  for (uint32_t i = 0; !found && i < node->nkids; i++)
    found = node->kids[i] ? first_name(node->kids[i], decl) : NULL;
  return found;
}

/* `--j`, `j--` or `j -= 4`; `++j`, `j++` or `j += 4`. */
static bool counts(const pl_node *step, const pl_decl *decl, bool down) {
  const pl_node *bare = pl_node_bare((pl_node *)step);
  if (!bare || (bare->kind != PL_NODE_UNARY && bare->kind != PL_NODE_ASSIGN))
    return false;
  bool one = bare->op == (down ? PL_OP_PREDEC : PL_OP_PREINC) ||
             bare->op == (down ? PL_OP_POSTDEC : PL_OP_POSTINC);
  bool number = bare->kind == PL_NODE_ASSIGN &&
                bare->op == (down ? PL_OP_SUB : PL_OP_ADD) &&
                bare->kids[1]->has_ival && bare->kids[1]->ival > 0 &&
                bare->kids[1]->ival <= INT32_MAX;
  const pl_node *target = pl_node_bare(bare->kids[0]);
  return (one || number) && target && target->kind == PL_NODE_REF &&
         target->decl == decl;
}

/* `for (int j = m - 1; j >= 0; --j)`: nothing that the counter is in the body lies
 * above what it began with; of one that climbs, below. */
static void say_start(const pl_said *s, const pl_node *up) {
  pl_node *init = up->kids[0], *cond = up->kids[1];
  pl_decl *decl = init && init->kind == PL_NODE_DECL_STMT && init->nkids == 1
                      ? init->kids[0]->decl
                      : NULL;
  if (!decl || !cond || !decl->init || !decl->type || !decl->node ||
      decl->type->kind != PL_TYPE_INT || decl->type->is_unsigned ||
      !decl->init->type || decl->init->type->kind != PL_TYPE_INT ||
      decl->init->type->is_unsigned ||
      decl->init->type->size > decl->type->size ||
      pl_assigned_anywhere(cond, decl) ||
      pl_assigned_anywhere(up->kids[3], decl))
    return;
  const pl_node *counter = first_name(cond, decl);
  bool down = counts(up->kids[2], decl, true);
  if (!counter || (!down && !counts(up->kids[2], decl, false)))
    return;
  pl_relation fact = {.left = pl_linear_of(s->loop, counter, cond),
                      .right = pl_linear_of(s->loop, decl->init, decl->node),
                      .inclusive = true};
  if (!down) {
    pl_linear start = fact.right;
    fact.right = fact.left;
    fact.left = start;
  }
  PL_PUSH(s->loop->arena, s->out->items, s->out->n, s->out->cap, fact);
}

static bool facts_of(pl_loop *loop, const pl_node *read, pl_relations *facts) {
  const pl_said said = {loop, facts, .upper = true};
  for (const pl_node *at = read; at->parent && at != loop->body;
       at = at->parent) {
    const pl_node *up = at->parent;
    if (up->kind == PL_NODE_SWITCH || up->kind == PL_NODE_LABEL)
      return false;
    if ((up->kind == PL_NODE_IF || up->kind == PL_NODE_COND) &&
        at != up->kids[0])
      pl_say(&said, up->kids[0], up->kids[0], at == up->kids[1]);
    else if (up->kind == PL_NODE_FOR && at == up->kids[3]) {
      pl_say(&said, up->kids[1], up->kids[1], true);
      say_start(&said, up);
    }
    else if (up->kind == PL_NODE_WHILE && at == up->kids[1])
      pl_say(&said, up->kids[0], up->kids[0], true);
    else if (up->kind == PL_NODE_BINARY && at == up->kids[1] &&
             (up->op == PL_OP_LAND || up->op == PL_OP_LOR))
      pl_say(&said, up->kids[0], up->kids[0], up->op == PL_OP_LAND);
    for (uint32_t i = 0; up->kind == PL_NODE_COMPOUND && up != loop->body &&
                         i < up->nkids && up->kids[i] != at;
         i++)
      if (pl_is_skip(up->kids[i]))
        pl_say(&said, up->kids[i]->kids[0], up->kids[i], false);
  }
  return true;
}

/* ---- the proof ----------------------------------------------------------------- */

/* Whether a constant is no longer than a row of threads may be apart; one that a
 * template decides is a size. */
static bool is_row_length(const pl_loop *loop, const pl_node *node) {
  int64_t value;
  return pl_is_constant_text(node) &&
         (!pl_loop_eval(loop, NULL, (pl_node *)node, &value, NULL) ||
          (value >= 0 && value <= 1 << 20));
}

/* `threadIdx.y * blockDim.x`, `threadIdx.y * TILE`: a row of threads, by how many
 * there are in one. No block has so many that this wraps. */
static bool is_row_of_threads(const pl_loop *loop, const pl_node *atom) {
  if (atom->kind != PL_NODE_BINARY || atom->op != PL_OP_MUL)
    return false;
  for (int i = 0; i < 2; i++) {
    const pl_node *row = pl_node_bare(atom->kids[i]);
    const pl_node *length = pl_node_bare(atom->kids[!i]);
    if (pl_index_axis(row, "threadIdx") &&
        (pl_index_axis(length, "blockDim") || is_row_length(loop, length)))
      return true;
  }
  return false;
}

static bool is_small_index(pl_loop *loop, const pl_term *term) {
  const pl_node *atom = pl_node_bare((pl_node *)term->atom);
  bool of_thread = pl_is_block_rank(atom) || pl_index_axis(atom, "threadIdx");
  return (of_thread && term->by > 0 && term->by <= 1 << 16) ||
         (is_row_of_threads(loop, atom) && term->by == 1) ||
         (term->by > 0 && term->by <= 1 << 8 && pl_counts_few(loop, term));
}

/* Whether the value of an index is its sum: nothing wraps. */
static bool is_exact(pl_loop *loop, const pl_linear *of) {
  for (int i = 0; of->wraps && i < of->n; i++)
    if (!is_small_index(loop, &of->terms[i]))
      return false;
  return of->known && (!of->wraps || (of->constant >= 0 &&
                                      of->constant < 1 << 20));
}

static bool never_negative(pl_loop *loop, const pl_node *atom) {
  atom = pl_node_bare((pl_node *)atom);
  const pl_recurrence *r =
      atom->kind == PL_NODE_REF ? pl_loop_recurrence(loop, atom->decl) : NULL;
  if (pl_is_place_index(atom) || (atom->type && atom->type->is_unsigned) ||
      pl_not_negative(loop, atom))
    return true;
  if (!r || !r->decl->init ||
      !pl_begins_not_negative(loop, r->decl->init, r->decl->type) ||
      pl_count_writes(&loop->header_effects, r->decl) > 1 ||
      pl_steps_of(loop, r->decl) != 1)
    return false;
  const pl_node *step = pl_node_bare(r->step);
  return (step->kind == PL_NODE_UNARY &&
          (step->op == PL_OP_PREINC || step->op == PL_OP_POSTINC)) ||
         (step->kind == PL_NODE_ASSIGN && step->op == PL_OP_ADD &&
          pl_steps_up(loop, step->kids[1]));
}

/* Whether a guard that holds for the sums holds for the program, which compares
 * or adds unsigned numbers: the smaller side is no negative number, the larger one
 * at most a variable, or computed without unsigned ones. */
static bool holds_unsigned(pl_loop *loop, const pl_relation *goal) {
  const pl_linear *left = &goal->left, *right = &goal->right;
  int positive = 0;
  for (int i = 0; i < left->n; i++)
    if (left->terms[i].by < 0 || !never_negative(loop, left->terms[i].atom))
      return false;
  for (int i = 0; right->wraps && i < right->n; i++) {
    const pl_term *term = &right->terms[i];
    bool one = term->by == 1 && (goal->unsigned_bytes ||
                                 !term->atom->type->is_unsigned);
    positive += one;
    if (!one && (term->by > 0 || !never_negative(loop, term->atom)))
      return false;
  }
  return left->constant >= 0 &&
         (!right->wraps ||
          (positive <= 1 && (right->constant <= 0 || positive == 0)));
}

/* One side of a guard, taken a number of times, and whether it may be less (-1) or
 * more (1) by a few. */
typedef struct guard_side {
  const pl_linear *sum;
  int64_t times;
  int may_be;
} guard_side;

/* Puts the indices of a read in the place of those of the store, in one side of
 * a guard; what is left must be the same for all threads, or be what the side may
 * do without. */
static bool substitute(pl_loop *loop, const pl_partial_store *store,
                       const pl_linear *read, const pl_node *at,
                       const guard_side *side, pl_linear *out) {
  pl_linear rest = {.known = true, .wraps = side->sum->wraps};
  pl_linear_add(loop, &rest, side->sum, side->times);
  *out = (pl_linear){.known = true, .wraps = side->sum->wraps};
  for (uint32_t d = 0; d < store->at.n; d++) {
    const pl_linear *index = &store->index[d];
    for (int i = 0; i < index->n; i++) {
      const pl_term *term = &index->terms[i];
      int64_t has = pl_linear_count(loop, &rest, term->atom);
      if (!has || has % term->by || is_common(loop, term, store->node, at))
        continue;
      pl_linear_add(loop, &rest, index, -(has / term->by));
      pl_linear_add(loop, out, &read[d], has / term->by);
      break;
    }
  }
  for (int i = 0; i < rest.n; i++) {
    pl_term *term = &rest.terms[i];
    if (is_common(loop, term, store->node, at))
      continue;
    if (term->by * side->may_be <= 0 || !pl_counts_few(loop, term))
      return false;
    *term = rest.terms[--rest.n];
    i--;
  }
  pl_linear_add(loop, out, &rest, 1);
  return out->known;
}

/* right - left of what is said, less one where both cannot be equal: no negative
 * number. */
static pl_linear gap_of(pl_loop *loop, const pl_linear *left,
                        const pl_linear *right, bool inclusive) {
  pl_linear gap = *right, small = *left;
  gap.wraps = small.wraps = 0;
  pl_linear_add(loop, &gap, &small, -1);
  gap.constant -= !inclusive;
  return gap;
}

/* Whether a fact holds for the sums, and here. */
static bool says(pl_loop *loop, const pl_relation *fact, const pl_node *at) {
  if (fact->left.wraps ||
      (fact->right.wraps && !pl_is_exact_difference(loop, &fact->right, at)) ||
      !pl_all_stay(loop, &fact->left, at) ||
      !pl_all_stay(loop, &fact->right, at))
    return false;
  for (int i = 0; fact->unsigned_bytes && !fact->right.wraps &&
                  i < fact->right.n;
       i++)
    if (fact->right.terms[i].by < 0 ||
        !never_negative(loop, fact->right.terms[i].atom))
      return false;
  return !fact->unsigned_bytes || fact->right.wraps ||
         fact->right.constant >= 0;
}

/* Whether what facts say makes left < right. */
static bool is_said(pl_loop *loop, const pl_relations *facts,
                    const pl_linear *left, const pl_linear *right,
                    bool inclusive, const pl_node *at) {
  struct {
    pl_linear *items;
    size_t n, cap;
  } gaps = {0};
  for (size_t i = 0; i < facts->n; i++) {
    const pl_relation *fact = &facts->items[i];
    if (!says(loop, fact, at))
      continue;
    pl_linear gap = gap_of(loop, &fact->left, &fact->right, fact->inclusive);
    PL_PUSH(loop->arena, gaps.items, gaps.n, gaps.cap, gap);
  }
  pl_linear wanted = gap_of(loop, left, right, inclusive);
  return pl_sum_follows(loop, &wanted, gaps.items, gaps.n, at);
}

/* Whether a fact is the guard itself, computed and compared alike. */
static bool is_same(pl_loop *loop, const pl_relation *fact,
                    const pl_relation *goal, const pl_linear *left,
                    const pl_linear *right, const pl_node *at) {
  return fact->unsigned_bytes == goal->unsigned_bytes &&
         fact->inclusive == goal->inclusive &&
         pl_all_stay(loop, &fact->left, at) && pl_all_stay(loop, &fact->right, at) &&
         (!left->wraps || left->wraps == goal->unsigned_bytes) &&
         (!right->wraps || right->wraps == goal->unsigned_bytes) &&
         (!fact->left.wraps || fact->left.wraps == goal->unsigned_bytes) &&
         (!fact->right.wraps || fact->right.wraps == goal->unsigned_bytes) &&
         left->constant == fact->left.constant &&
         right->constant == fact->right.constant &&
         pl_linear_equal(loop, left, &fact->left) &&
         pl_linear_equal(loop, right, &fact->right);
}

/* Whether the guard holds for each cell of the record that has the cell read:
 * `t < m` of s[3 * t + k] where s[3 * j + c] is read says 3 * j + c - k < 3 * m. */
static bool prove_record(pl_loop *loop, const pl_partial_store *store,
                         const pl_relation *goal, const pl_linear *read,
                         const pl_node *at, const pl_relations *facts) {
  const int64_t times = pl_words_of(loop, store, goal);
  const guard_side small = {&goal->left, times, -1};
  const guard_side large = {&goal->right, times, 1};
  pl_linear left, right;
  return times > 1 && substitute(loop, store, read, at, &small, &left) &&
         substitute(loop, store, read, at, &large, &right) &&
         is_said(loop, facts, &left, &right, goal->inclusive, at);
}

static bool prove_goal(pl_loop *loop, const pl_partial_store *store,
                       const pl_relation *goal, const pl_linear *read,
                       const pl_node *at, const pl_relations *facts) {
  const guard_side small = {&goal->left, 1, 0}, large = {&goal->right, 1, 0};
  pl_linear left, right;
  bool plain = !goal->unsigned_bytes && !goal->left.wraps && !goal->right.wraps;
  bool sums = plain || holds_unsigned(loop, goal);
  bool stay = goal->left.known && goal->right.known &&
              pl_all_stay(loop, &goal->left, store->node) &&
              pl_all_stay(loop, &goal->right, store->node);
  if (stay && sums && prove_record(loop, store, goal, read, at, facts))
    return true;
  if (stay && substitute(loop, store, read, at, &small, &left) &&
      substitute(loop, store, read, at, &large, &right)) {
    if (sums && is_said(loop, facts, &left, &right, goal->inclusive, at))
      return true;
    for (size_t i = 0; i < facts->n; i++)
      if (is_same(loop, &facts->items[i], goal, &left, &right, at))
        return true;
  }
  const pl_node *arms[2], *place = goal->large_place;
  if (!pl_smaller_of(loop, goal->large, &place, arms) &&
      !pl_smaller_unsigned_of(loop, goal->large, &place, arms))
    return false;
  for (int i = 0; i < 2; i++) {
    pl_relation one = pl_relate(loop, goal->small, goal->small_place, arms[i],
                                place, goal->inclusive);
    one.unsigned_bytes = goal->unsigned_bytes;
    if (!prove_goal(loop, store, &one, read, at, facts))
      return false;
  }
  return true;
}

/* An index that is no sum is no hindrance where the guard does not ask for it. */
bool pl_is_fresh(pl_loop *loop, const pl_partial_store *store,
                 const pl_named_cell *read) {
  pl_relations facts = {0};
  pl_linear index[PL_MOST_INDICES];
  if (!store->goals.n)
    return true;
  if (statement_of(loop, store->node) < 0 ||
      statement_of(loop, read->node) <= statement_of(loop, store->node) ||
      !facts_of(loop, read->node, &facts))
    return false;
  for (uint32_t d = 0; d < read->n; d++) {
    index[d] = pl_linear_of(loop, read->index[d], read->node);
    index[d].known =
        is_exact(loop, &index[d]) && pl_all_stay(loop, &index[d], read->node);
    index[d].wraps = 0;
  }
  for (size_t i = 0; i < store->goals.n; i++)
    if (!prove_goal(loop, store, &store->goals.items[i], index, read->node,
                    &facts))
      return false;
  return true;
}

bool pl_describe_indices(pl_loop *loop, pl_partial_store *store) {
  for (uint32_t d = 0; d < store->at.n; d++) {
    if (pl_ever_varies(loop, store->at.index[d]))
      return false;
    store->index[d] = pl_linear_of(loop, store->at.index[d], store->node);
    if (!is_exact(loop, &store->index[d]) ||
        !pl_all_stay(loop, &store->index[d], store->node))
      return false;
    store->index[d].wraps = 0;
  }
  return true;
}
