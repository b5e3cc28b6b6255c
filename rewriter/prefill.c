/* prefill.c - is what a store before the loop writes written by every tile?
 *
 * Needs: the copies of the loop. Gives: whether a cell that is zeroed before the
 * loop is overwritten by the same thread in every iteration before anything
 * reads it. Such a store is dead, and so it may go to any one stage. Raises
 * nothing.
 *
 * The two stores have to name their cells alike: by the same expression of what
 * never changes, in copy loops of the same header. */
#include "copies.h"

#define MOST_LOOPS 4

/* The copy loops around the store before the loop, outermost first, and as many
 * of the fill's as stand for them so far. */
typedef struct pairing {
  pl_loop *loop;
  const pl_node *dst;
  const pl_node *own[MOST_LOOPS], *fill[MOST_LOOPS];
  size_t nown, nfill;
} pairing;

static const pl_decl *counter_of(const pl_node *node) {
  const pl_node *init = node->kids[0];
  bool one = init && init->kind == PL_NODE_DECL_STMT && init->nkids == 1;
  return one ? init->kids[0]->decl : NULL;
}

/* Whether a name has the same value in both places: of a counter, or of what
 * the function sets once or never. */
static bool same_name(const pairing *p, const pl_decl *own,
                      const pl_decl *fill) {
  for (size_t i = 0; i < p->nfill; i++)
    if (counter_of(p->own[i]) == own)
      return counter_of(p->fill[i]) == fill;
  if (!own || own != fill || own->is_volatile || own->is_shared)
    return false;
  bool variable =
      own->kind == PL_DECL_VAR || own->kind == PL_DECL_PARAM;
  if (!variable || own->is_constexpr)
    return true;
  return own->owner ? !pl_assigned_anywhere(p->loop->func->body, own)
                    : !own->in_main; /* threadIdx and its like */
}

static bool is_arithmetic(const pl_node *node) {
  return node->kind == PL_NODE_BINARY || node->kind == PL_NODE_CAST ||
         (node->kind == PL_NODE_UNARY &&
          (node->op == PL_OP_PLUS || node->op == PL_OP_MINUS ||
           node->op == PL_OP_NOT || node->op == PL_OP_LNOT));
}

/* Whether two expressions have the same value. No memory is read. */
static bool same_value(const pairing *p, const pl_node *own,
                       const pl_node *fill) {
  own = pl_node_bare((pl_node *)own);
  fill = pl_node_bare((pl_node *)fill);
  if (!own || !fill || own->kind != fill->kind || own->op != fill->op ||
      own->nkids != fill->nkids)
    return false;
  if (own->kind == PL_NODE_REF)
    return same_name(p, own->decl, fill->decl);
  if (own->kind == PL_NODE_INT || own->kind == PL_NODE_SIZEOF)
    return pl_same_text(p->loop->unit, own, fill);
  bool member = own->kind == PL_NODE_MEMBER && own->decl && own->decl == fill->decl &&
                own->nkids == 1 && !own->is_arrow &&
                pl_node_bare(own->kids[0])->kind == PL_NODE_REF;
  if (!member && (!is_arithmetic(own) || !pl_same_type(own->type, fill->type)))
    return false;
  for (uint32_t i = 0; i < own->nkids; i++)
    if (!same_value(p, own->kids[i], fill->kids[i]))
      return false;
  return true;
}

/* Whether two left sides name one cell of the tile. */
static bool same_cell(const pairing *p, const pl_node *own,
                      const pl_node *fill) {
  own = pl_node_bare((pl_node *)own);
  fill = pl_node_bare((pl_node *)fill);
  if (own->kind != fill->kind || own->decl != fill->decl)
    return false;
  if (own->kind == PL_NODE_SUBSCRIPT)
    return same_cell(p, own->kids[0], fill->kids[0]) &&
           same_value(p, own->kids[1], fill->kids[1]);
  if (own->kind == PL_NODE_MEMBER)
    return own->decl && own->nkids && fill->nkids &&
           same_cell(p, own->kids[0], fill->kids[0]);
  return own->kind == PL_NODE_REF && own->decl && own->decl->is_shared;
}

/* `i += 256` with the counters standing for each other. */
static bool same_step(const pairing *p, const pl_node *own,
                      const pl_node *fill) {
  if (!own || !fill || own->kind != fill->kind || own->op != fill->op ||
      own->nkids != fill->nkids ||
      (own->kind != PL_NODE_ASSIGN && own->kind != PL_NODE_UNARY))
    return false;
  for (uint32_t i = 0; i < own->nkids; i++)
    if (!same_value(p, own->kids[i], fill->kids[i]))
      return false;
  return true;
}

/* Whether two loops count alike, each with a counter that its header alone
 * sets. */
static bool same_header(pairing *p, const pl_node *own, const pl_node *fill) {
  const pl_decl *a = counter_of(own), *b = counter_of(fill);
  if (!a || !b || !a->init || !b->init || !pl_same_type(a->type, b->type) ||
      pl_assigned_anywhere(own->kids[3], a) ||
      pl_assigned_anywhere(fill->kids[3], b) ||
      !same_value(p, a->init, b->init))
    return false;
  p->fill[p->nfill++] = fill;
  if (same_value(p, own->kids[1], fill->kids[1]) &&
      same_step(p, own->kids[2], fill->kids[2]))
    return true;
  p->nfill--;
  return false;
}

static bool writes_cell(pairing *p, const pl_node *node);

static bool loop_writes_cell(pairing *p, const pl_node *node) {
  if (p->nfill == p->nown || pl_inner_jump(node->kids[3], PL_NODE_BREAK) ||
      pl_inner_jump(node->kids[3], PL_NODE_CONTINUE) ||
      !same_header(p, p->own[p->nfill], node))
    return false;
  bool found = writes_cell(p, node->kids[3]);
  p->nfill--;
  return found;
}

/* Whether a statement of the fill writes the cell whatever happens. */
static bool writes_cell(pairing *p, const pl_node *node) {
  if (!node)
    return false;
  switch (node->kind) {
  case PL_NODE_ASSIGN:
    return node->op == PL_OP_ASSIGN && p->nfill == p->nown &&
           (same_cell(p, p->dst, node->kids[0]) ||
            writes_cell(p, node->kids[1]));
  case PL_NODE_COMPOUND:
    for (uint32_t i = 0; i < node->nkids; i++)
      if (writes_cell(p, node->kids[i]))
        return true;
    return false;
  case PL_NODE_IF:
    return node->nkids > 2 && writes_cell(p, node->kids[1]) &&
           writes_cell(p, node->kids[2]);
  case PL_NODE_FOR:
    return loop_writes_cell(p, node);
  default:
    return false;
  }
}

/* The store whose left side a name stands in, NULL: it stands elsewhere. */
static const pl_node *store_of(const pl_node *ref) {
  const pl_node *at = ref;
  while (at->parent && (at->parent->kind == PL_NODE_SUBSCRIPT ||
                        at->parent->kind == PL_NODE_PAREN ||
                        at->parent->kind == PL_NODE_MEMBER) &&
         at->parent->kids[0] == at)
    at = at->parent;
  const pl_node *up = at->parent;
  return up && up->kind == PL_NODE_ASSIGN && up->op == PL_OP_ASSIGN &&
                 up->kids[0] == at
             ? up
             : NULL;
}

/* The loops around a store that do not hold the tile loop as well. */
static bool find_own_loops(pairing *p, const pl_node *store) {
  for (const pl_node *up = store->parent;
       up && !pl_node_within(p->loop->node, up); up = up->parent) {
    if (!pl_node_is_loop(up))
      continue;
    if (up->kind != PL_NODE_FOR || p->nown == MOST_LOOPS)
      return false;
    for (size_t i = p->nown++; i > 0; i--)
      p->own[i] = p->own[i - 1];
    p->own[0] = up;
  }
  return true;
}

typedef struct leave_walk {
  pl_range between;
  bool found;
} leave_walk;

static bool find_leave(pl_node *node, void *context) {
  leave_walk *w = context;
  bool leaves = node->kind == PL_NODE_RETURN || node->kind == PL_NODE_BREAK ||
                node->kind == PL_NODE_CONTINUE || node->kind == PL_NODE_GOTO ||
                node->kind == PL_NODE_ASM;
  w->found = w->found || (leaves && pl_range_inside(node->range, w->between));
  return !w->found;
}

/* Whether a thread that makes the store comes to the loop: one that returns
 * between the two leaves its cell as it is. */
static bool reaches_loop(const pl_loop *loop, const pl_node *store) {
  pl_node *block = loop->node->parent;
  leave_walk w = {{store->range.end, loop->node->range.begin}, false};
  if (!block || block->kind != PL_NODE_COMPOUND ||
      !pl_node_within(store, block))
    return false;
  pl_node_walk(block, find_leave, &w);
  return !w.found;
}

bool pl_is_dead_prefill(pl_loop *loop, const pl_node *ref) {
  const pl_node *store = store_of(ref);
  pl_str text = pl_unit_slice(loop->unit, ref->range);
  if (!store || ref->range.begin >= loop->node->range.begin ||
      !reaches_loop(loop, store) || !pl_str_eq(text, ref->decl->name))
    return false;
  pairing p = {.loop = loop, .dst = store->kids[0]};
  if (!find_own_loops(&p, store))
    return false;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].fills && writes_cell(&p, loop->stmts[i].node))
      return true;
  return false;
}
