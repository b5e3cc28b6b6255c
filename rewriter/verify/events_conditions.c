/* events_conditions.c - does the emitted text ask what the loop asks to go on?
 *
 * Needs: the source loop's condition and breaks, and a walker's state. Gives: the tile
 * that an expression asks for. Raises: nothing. */
#include "events_state.h"

/* What the loop goes on for, one by one: all that `&&` joins, and no break. */
typedef struct test {
  pl_node *node;
  bool negated;
} test;

enum { MOST_ASKED = 16 };

static void split_asked(pl_node *node, bool negated, test *list, size_t *n) {
  node = pl_node_bare(node);
  pl_op joint = negated ? PL_OP_LOR : PL_OP_LAND;
  if (node->kind == PL_NODE_UNARY && node->op == PL_OP_LNOT) {
    split_asked(node->kids[0], !negated, list, n);
  } else if (node->kind == PL_NODE_BINARY && node->op == joint) {
    split_asked(node->kids[0], negated, list, n);
    split_asked(node->kids[1], negated, list, n);
  } else if (node->has_ival && !node->ival == negated) {
    return; /* it asks nothing */
  } else if (*n < MOST_ASKED) {
    list[(*n)++] = (test){node, negated};
  }
}

static pl_op opposite(pl_op op) {
  switch (op) {
  case PL_OP_LT: return PL_OP_GE;
  case PL_OP_GE: return PL_OP_LT;
  case PL_OP_GT: return PL_OP_LE;
  case PL_OP_LE: return PL_OP_GT;
  case PL_OP_EQ: return PL_OP_NE;
  case PL_OP_NE: return PL_OP_EQ;
  default: return PL_OP_NONE;
  }
}

/* Numbers and pointers alone: a comparison of floats and its opposite may both be
 * false. */
static bool is_ordered(const pl_node *node) {
  const pl_type *type = node->type;
  return type && (type->kind == PL_TYPE_INT || type->kind == PL_TYPE_POINTER ||
                  type->kind == PL_TYPE_ENUM || type->kind == PL_TYPE_BOOL);
}

static bool same_asked(pl_pairing *p, pl_walker *w, const test *was, const test *is) {
  pl_pairing one = {.item = NULL};
  const pl_node *a = was->node, *b = is->node;
  bool same = was->negated == is->negated && pl_match_trees(&one, w, a, is->node);
  if (!same && was->negated != is->negated && a->kind == PL_NODE_BINARY &&
      b->kind == PL_NODE_BINARY && opposite(a->op) == b->op && b->op != PL_OP_NONE &&
      is_ordered(a->kids[0]) && is_ordered(a->kids[1])) {
    pl_pairing right = {.item = NULL};
    same = pl_match_trees(&one, w, a->kids[0], b->kids[0]) &&
           pl_match_trees(&right, w, a->kids[1], b->kids[1]);
    for (size_t i = 0; i < right.n; i++)
      pl_add_pair(&one, right.items[i].var, right.items[i].decl);
  }
  for (size_t i = 0; same && i < one.n; i++)
    pl_add_pair(p, one.items[i].var, one.items[i].decl);
  return same;
}

static bool both_match(pl_pairing *p, const pl_node *was, const pl_node *is) {
  return was && is ? pl_match_more(p, was, is) : was == is;
}

/* The head's statements; what nothing in it needs may be left out. */
static bool same_head(pl_pairing *p, const pl_search *was, const pl_search *is) {
  size_t k = 0;
  for (size_t i = was->meets; i < was->nhead; i++)
    if (k < is->nhead && pl_match_more(p, was->body->kids[i], is->body->kids[k]))
      k++;
    else if (pl_search_needs(was, i))
      return false;
  return k == is->nhead;
}

static bool same_stay(pl_pairing *p, const pl_search *was, const pl_search *is) {
  size_t n = was->body->nkids - was->nhead;
  if (!was->stays || !is->stays || is->body->nkids - is->nhead != n)
    return was->stays == is->stays;
  bool same = pl_match_more(p, was->stays->kids[0], is->stays->kids[0]);
  for (size_t i = 1; i < n && same; i++)
    same = pl_match_more(p, was->body->kids[was->nhead + i], is->body->kids[is->nhead + i]);
  return same;
}

/* Whether a loop begins as the source's, which passes iterations by. */
static bool asks_as_search(pl_pairing *p, pl_walker *w, pl_node *node) {
  const pl_search *was = &w->source->search;
  pl_search is;
  if (!pl_node_is_loop(node) || !pl_read_search(node, &is) || is.meets)
    return false;
  *p = (pl_pairing){.walker = w, .was = was->body, .is = is.body};
  return both_match(p, was->condition, is.condition) && both_match(p, was->step, is.step) &&
         same_head(p, was, &is) && same_stay(p, was, &is) && p->n;
}

/* Whether an expression asks all that the source's loop goes on for, in its order, or
 * (`ends`) what it ends for; or what its vote asks. */
static bool asks_all(pl_pairing *p, pl_walker *w, pl_node *node, bool ends, bool vote) {
  const pl_source_loop *l = w->source;
  if (vote ? !l->has_vote : l->has_search)
    return !vote && !ends && asks_as_search(p, w, node);
  test was[MOST_ASKED], is[MOST_ASKED];
  size_t nwas = 0, nis = 0;
  if (vote)
    split_asked(l->items[l->vote].node, true, was, &nwas);
  else if (l->has_test)
    split_asked(l->items[l->test].node, l->is_negated, was, &nwas);
  else if (l->condition)
    split_asked(l->condition, false, was, &nwas);
  for (size_t i = 0; i < l->nbreaks && !vote; i++)
    split_asked(l->breaks[i], true, was, &nwas);
  split_asked(node, ends, is, &nis);
  *p = (pl_pairing){.walker = w};
  bool same = nwas == nis && nwas < MOST_ASKED;
  for (size_t i = 0; same && i < nwas; i++)
    same = same_asked(p, w, &was[i], &is[i]);
  return same && p->n;
}

/* The tile in whose iteration a variable is as old as the condition, an item or none, finds
 * it. NULL: of none; *any: of every one. */
static const pl_iform *tile_of_pair(pl_walker *w, const pl_pair *pair,
                                    const pl_item *asked, bool *any) {
  const pl_source_loop *l = w->source;
  const pl_value *v = &pl_entry_of(w, pair->decl)->value;
  const pl_clock_use *use = asked ? pl_item_use(asked, pair->var) : NULL;
  *any = v->kind == PL_VALUE_CLOCK ? !l->vars[v->of].writers : !v->n;
  if (*any || (asked && !use))
    return NULL;
  if (v->kind == PL_VALUE_CLOCK)
    return pl_tile_of_clock(w, v->of, v->n, use ? use->before : 0);
  return use && v->kind == PL_VALUE_TEMPORARY && v->writers == use->before ? v->n
                                                                           : NULL;
}

static const pl_iform *tile_of_pairs(pl_walker *w, const pl_pairing *p,
                                     const pl_item *asked) {
  const pl_iform *tile = NULL;
  for (size_t i = 0; i < p->n; i++) {
    bool any;
    const pl_iform *at = tile_of_pair(w, &p->items[i], asked, &any);
    if (!any && !pl_tiles_agree(w, &tile, at))
      return NULL;
  }
  return tile;
}

static const pl_iform *asked_tile(pl_walker *w, pl_node *node, bool ends) {
  const pl_source_loop *l = w->source;
  pl_pairing p;
  const pl_iform *tile = NULL;
  if (asks_all(&p, w, node, ends, false))
    tile = tile_of_pairs(w, &p, l->has_test ? &l->items[l->test] : NULL);
  if (tile && l->is_late)
    tile = pl_iform_add(tile, pl_number_in(w, 1));
  bool asked = tile && pl_holds(w, tile, PL_OP_GE, pl_number_in(w, l->is_late)) &&
               pl_holds(w, tile, PL_OP_LE, pl_iform_name(w->ints, pl_asked_bound(l)));
  return asked ? tile : NULL;
}

const pl_iform *pl_asked_tile(pl_walker *w, pl_node *node) {
  return asked_tile(w, node, false);
}

const pl_iform *pl_asked_tile_of_break(pl_walker *w, pl_node *node) {
  return asked_tile(w, node, true);
}

/* A vote is asked of no tile but those of which the source asks. */
const pl_iform *pl_voted_tile(pl_walker *w, pl_node *node, bool ends) {
  pl_pairing p;
  const pl_source_loop *l = w->source;
  if (!asks_all(&p, w, node, ends, true))
    return NULL;
  const pl_iform *tile = tile_of_pairs(w, &p, &l->items[l->vote]);
  bool asked = tile && pl_holds(w, tile, PL_OP_GE, pl_number_in(w, 0)) &&
               pl_holds(w, tile, PL_OP_LE, pl_iform_name(w->ints, "T")) &&
               pl_holds(w, tile, PL_OP_LT, pl_iform_name(w->ints, "N"));
  return asked ? tile : NULL;
}

/* What it reads of shared objects. */
static void note_reads(pl_walker *w, size_t item, const pl_iform *tile, pl_node *node) {
  const pl_item *it = &w->source->items[item];
  for (size_t i = 0; i < it->ntouches; i++)
    pl_note_site(w, (pl_site){.object = it->touches[i].object, .reads = true, .item = item,
                              .tile = tile, .is_verbatim = true, .node = node});
  w->moment.at += it->ntouches > 0;
}

static void set_by_test(pl_walker *w, const pl_pairing *p) {
  const pl_source_loop *l = w->source;
  for (size_t i = 0; i < p->n; i++) {
    pl_value *v = &pl_entry_of(w, p->items[i].decl)->value;
    const pl_clock_use *use = pl_item_use(&l->items[l->test], p->items[i].var);
    if (!use || !use->writes)
      continue;
    if (v->kind == PL_VALUE_CLOCK)
      v->n = pl_iform_add(v->n, pl_number_in(w, 1));
    else
      v->writers++;
  }
}

/* It reads as what it asks for is, whichever that is. */
static void note_test(pl_walker *w, pl_node *node, bool ends) {
  const pl_source_loop *l = w->source;
  size_t item = l->has_test ? l->test : l->asks;
  if (item == PL_NO_ITEM || !l->items[item].ntouches)
    return;
  const pl_iform *tile = asked_tile(w, node, ends);
  if (tile)
    note_reads(w, item, pl_iform_sub(tile, pl_number_in(w, l->is_late)), node);
  else
    pl_emitted_fail(w->out, '?', node, "what it asks for is not known");
}

void pl_do_test(pl_walker *w, pl_node *node) {
  pl_pairing p;
  const pl_source_loop *l = w->source;
  pl_node *bare = pl_node_bare(node);
  if (!l->has_test && !l->has_vote && l->asks == PL_NO_ITEM)
    return;
  if (asks_all(&p, w, bare, false, true) || asks_all(&p, w, bare, true, true)) {
    if (pl_has_vote(bare))
      pl_do_barrier(w);
    return;
  }
  bool goes_on = asks_all(&p, w, bare, false, false);
  if (!goes_on && !asks_all(&p, w, bare, true, false)) {
    if (pl_has_vote(bare))
      pl_emitted_fail(w->out, '?', node, "a vote is none of the source's");
    return;
  }
  note_test(w, bare, !goes_on);
  if (l->has_test)
    set_by_test(w, &p);
}

/* The variable that a statement gives a truth; NULL: it is another one. */
static const pl_decl *given(const pl_node *node, bool truth) {
  bool is = node->kind == PL_NODE_ASSIGN && node->op == PL_OP_ASSIGN &&
            node->kids[1]->has_ival && node->kids[1]->ival == truth;
  const pl_node *left = is ? pl_node_bare(node->kids[0]) : NULL;
  return left && left->kind == PL_NODE_REF ? left->decl : NULL;
}

bool pl_try_search(pl_walker *w, pl_node *loop) {
  pl_search is;
  pl_pairing p;
  if (!w->source->has_search || !pl_node_is_loop(loop) || !pl_read_search(loop, &is) ||
      !pl_search_found(&is))
    return false;
  const pl_decl *decl = given(pl_search_found(&is), true);
  const pl_iform *tile = decl ? pl_asked_tile(w, loop) : NULL;
  pl_entry *more = decl ? pl_resolve(w, decl) : NULL;
  if (!tile || !more || more->value.kind != PL_VALUE_NUMBER ||
      !pl_holds(w, more->value.n, PL_OP_EQ, pl_number_in(w, 0)) ||
      !asks_all(&p, w, loop, false, false))
    return false;
  more->value.n = pl_iform_choose(
      pl_iset_compare(tile, PL_OP_LT, pl_iform_name(w->ints, "T")), pl_number_in(w, 1),
      pl_number_in(w, 0));
  note_test(w, loop, false);
  set_by_test(w, &p);
  return true;
}

typedef struct change_walk {
  const pl_node *found;
  int n;
} change_walk;

static bool find_change(pl_node *node, void *context) {
  change_walk *c = context;
  bool changes = node->kind == PL_NODE_ASSIGN || pl_node_is_step(node);
  c->n += changes;
  c->found = changes ? node : c->found;
  return true;
}

/* `++t;` of `while (++t < n)`, where that need not be asked. */
bool pl_try_step_of_test(pl_walker *w, pl_node *node) {
  const pl_source_loop *l = w->source;
  change_walk change = {.n = 0};
  if (!l->has_test || l->has_search)
    return false;
  pl_node_walk(l->items[l->test].node, find_change, &change);
  pl_pairing p = {.item = NULL};
  if (change.n != 1 || !pl_match_trees(&p, w, change.found, node) || !p.n)
    return false;
  set_by_test(w, &p);
  return true;
}
