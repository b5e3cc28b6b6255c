/* widen_multiples.c - does the first of some neighbours begin a group?
 *
 * Needs: values, uniform, widen_slopes.c. Gives: whether a number is a multiple of
 * the neighbours, and a place in memory aligned to what they copy; notes the
 * premises that this rests on. Raises nothing.
 *
 * The neighbours are a power of two, so that numbers that wrap stay multiples. */
#include "copies.h"
#include "slices.h"
#include "widen.h"

#define MOST_DEPTH 24

static bool is_aligned_pointer(pl_neighbours *n, pl_node *node);

/* ---- premises ------------------------------------------------------------ */

static bool says_same(const pl_unit *unit, const pl_node *a, const pl_node *b) {
  return a == b || (a && b && pl_same_text(unit, a, b));
}

static bool is_same_premise(const pl_unit *unit, const pl_premise *a,
                            const pl_premise *b) {
  return a->kind == b->kind && a->group == b->group &&
         a->neighbours == b->neighbours &&
         a->bytes == b->bytes && says_same(unit, a->node, b->node) &&
         says_same(unit, a->by, b->by) &&
         (a->type == b->type || (a->type && b->type &&
                                 pl_str_eq(a->type->written, b->type->written)));
}

/* Of a premise's kind and what it is about: the rest is the neighbours'. */
static void add_premise(pl_neighbours *n, pl_premise fresh) {
  pl_loop *loop = n->loop;
  fresh.group = n->group;
  fresh.neighbours = n->width;
  fresh.bytes = n->bytes;
  for (size_t i = 0; i < loop->npremises; i++)
    if (is_same_premise(loop->unit, &loop->premises[i], &fresh))
      return;
  PL_PUSH(loop->arena, loop->premises, loop->npremises, loop->premises_cap,
          fresh);
}

void pl_add_premise(pl_neighbours *n, pl_premise_kind kind, pl_node *node) {
  add_premise(n, (pl_premise){.kind = kind, .node = node});
}

void pl_add_size_premise(pl_neighbours *n, const pl_type *type) {
  add_premise(n, (pl_premise){.kind = PL_PREMISE_SIZE, .type = type});
}

/* A text but for a part of it, and a variable. */
typedef struct namesakes {
  const pl_node *without;
  const pl_decl *decl;
} namesakes;

static bool is_namesake(pl_node *node, const void *context) {
  const namesakes *n = context;
  return node->kind == PL_NODE_VAR && node->decl && node->decl != n->decl &&
         pl_str_eq(node->decl->name, n->decl->name) &&
         !(n->without && pl_node_within(node, n->without));
}

bool pl_has_namesake(const pl_node *text, const pl_node *without,
                     const pl_decl *decl) {
  return pl_node_find(text, is_namesake, &(namesakes){without, decl});
}

/* Whether another variable has the name in front of the loop, perhaps. */
static bool is_hidden_before(const pl_loop *loop, const pl_decl *decl) {
  for (uint32_t i = 0; i < loop->func->nparams; i++)
    if (loop->func->params[i] != decl &&
        pl_str_eq(loop->func->params[i]->name, decl->name))
      return true;
  return pl_has_namesake(loop->func->body, loop->node, decl);
}

static bool is_inside(pl_node *node, const void *context) {
  const pl_loop *loop = context;
  return node->kind == PL_NODE_REF && node->decl &&
         (pl_declared_inside(node->decl, loop->node) ||
          is_hidden_before(loop, node->decl));
}

/* Whether an expression cannot stand in front of the tile loop: it names what is
 * declared inside, or what may be hidden there. */
static bool stays_inside(const pl_loop *loop, const pl_node *node) {
  return pl_node_find(node, is_inside, loop);
}

bool pl_constant_is(pl_neighbours *n, pl_premise_kind kind, pl_node *node) {
  const pl_loop *loop = n->loop;
  for (uint32_t i = 0; i < pl_count_readings(loop->func); i++) {
    int64_t value;
    bool assumed = false;
    if (!pl_loop_eval(loop, pl_reading(loop->func, i), node, &value, &assumed) ||
        assumed || (kind == PL_PREMISE_MULTIPLE ? value % n->width != 0 : value <= 0))
      return false;
  }
  if (!pl_is_open(node))
    return true;
  if (stays_inside(loop, node) || node->range.end == 0)
    return false;
  pl_add_premise(n, kind, node);
  return true;
}

bool pl_divides(pl_neighbours *n, pl_node *part, pl_node *whole) {
  pl_loop *loop = n->loop;
  for (uint32_t i = 0; i < pl_count_readings(loop->func); i++) {
    const pl_instance *instance = pl_reading(loop->func, i);
    int64_t all, each;
    bool assumed = false;
    if (!pl_loop_eval(loop, instance, whole, &all, &assumed) ||
        !pl_loop_eval(loop, instance, part, &each, &assumed) || assumed ||
        each <= 0 || all % each)
      return false;
  }
  if (!pl_is_open(part) && !pl_is_open(whole))
    return true;
  if (stays_inside(loop, part) || stays_inside(loop, whole) ||
      !part->range.end || !whole->range.end)
    return false;
  add_premise(n, (pl_premise){.kind = PL_PREMISE_DIVIDES, .node = whole, .by = part});
  return true;
}

/* Whether what an expression names may have another value elsewhere. */
static bool may_change(pl_node *node, const void *loop) {
  pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  bool global = decl && decl->kind == PL_DECL_VAR && !decl->owner;
  if (global)
    return !decl->is_constant_memory && !decl->is_constexpr;
  return decl && decl->owner &&
         (pl_assigned_anywhere(decl->owner->body, decl) ||
          pl_has_second_name(loop, decl));
}

static bool never_changes(const pl_loop *loop, const pl_node *node) {
  return !pl_node_find(node, may_change, loop);
}

typedef bool multiple_test(pl_neighbours *n, pl_node *node);

/* The same of a value that `by` gives to a local: what is asked in front of the tile
 * loop is what it was there. */
static bool test_value(pl_neighbours *n, const pl_node *by, pl_node *value,
                       multiple_test *test) {
  bool earlier = n->earlier;
  n->earlier = earlier || !by || !pl_node_within(by, n->loop->node);
  bool found = test(n, value);
  n->earlier = earlier;
  return found;
}

/* Of what a local was set to, once. */
static bool test_origin(pl_neighbours *n, const pl_decl *decl,
                        multiple_test *test) {
  return test_value(n, decl->node, decl->init, test);
}

/* ---- multiples ----------------------------------------------------------- */

/* Whether a number is that of the block's threads, which PL_PREMISE_THREADS asks for. */
static bool is_own_threads(const pl_neighbours *n, pl_node *node) {
  return n->of_block && pl_block_axis(pl_node_bare(node)) == 'x';
}

/* One of two ways; the premises of one that fails are taken back. */
static bool is_either_multiple(pl_neighbours *n, pl_node *a, pl_node *b) {
  size_t before = n->loop->npremises;
  if (is_own_threads(n, a) || is_own_threads(n, b))
    return true;
  if (pl_is_multiple(n, b))
    return true;
  n->loop->npremises = before;
  return pl_is_multiple(n, a);
}

static bool is_multiple_binary(pl_neighbours *n, pl_node *node) {
  switch (node->op) {
  case PL_OP_MUL:
    return is_either_multiple(n, node->kids[0], node->kids[1]);
  case PL_OP_ADD:
  case PL_OP_SUB:
  case PL_OP_REM:
    return pl_is_multiple(n, node->kids[0]) && pl_is_multiple(n, node->kids[1]);
  case PL_OP_AND:
    return is_either_multiple(n, node->kids[0], node->kids[1]);
  case PL_OP_SHL:
    return pl_is_multiple(n, node->kids[0]);
  default:
    return false;
  }
}

typedef struct stepping {
  pl_neighbours *n;
  const pl_decl *decl;
} stepping;

static bool is_no_multiple(pl_node *node, const void *context) {
  const stepping *s = context;
  if (node->kind == PL_NODE_ASSIGN && pl_names_var(node->kids[0], s->decl))
    return !test_value(s->n, node, node->kids[1], pl_is_multiple);
  return pl_node_is_step(node) && pl_names_var(node->kids[0], s->decl);
}

/* Whether a variable that steps alike does so by multiples, wherever it does, or
 * in the tile loop alone. */
static bool steps_by_multiples_in(pl_neighbours *n, pl_decl *decl,
                                  pl_node *text) {
  pl_slope alike = pl_slope_of_stepping(n, decl);
  return alike.known && alike.by == 0 &&
         !pl_node_find(text, is_no_multiple, &(stepping){n, decl});
}

static bool steps_by_multiples(pl_neighbours *n, pl_decl *decl) {
  return steps_by_multiples_in(n, decl, decl->owner->body);
}

static bool is_multiple_name(pl_neighbours *n, pl_node *ref) {
  pl_decl *decl = ref->decl;
  if (!decl || !decl->owner)
    return false;
  const pl_copy_loop *c = pl_loop_of_counter(n->loop, decl);
  if (c)
    return !c->chain && c->step && pl_is_multiple(n, c->start) &&
           pl_is_multiple(n, c->step);
  if (pl_is_set_once(n->loop, decl))
    return decl->type->kind == PL_TYPE_INT &&
           test_origin(n, decl, pl_is_multiple);
  return decl->type && decl->type->kind == PL_TYPE_INT && decl->init &&
         steps_by_multiples(n, decl) && test_origin(n, decl, pl_is_multiple);
}

static bool is_multiple_by_parts(pl_neighbours *n, pl_node *node) {
  switch (node->kind) {
  case PL_NODE_REF:
    return is_multiple_name(n, node);
  case PL_NODE_CAST:
    return node->nkids && pl_is_multiple(n, node->kids[0]);
  case PL_NODE_BINARY:
    return is_multiple_binary(n, node);
  default:
    return false;
  }
}

/* Whether working a number out does no harm where the loop would not: it reads no
 * memory and divides by nothing that may be zero. */
static bool is_harmless(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  bool divides = node->kind == PL_NODE_BINARY &&
                 (node->op == PL_OP_DIV || node->op == PL_OP_REM);
  if (divides && !(node->kids[1]->has_ival && node->kids[1]->ival > 0))
    return false;
  switch (node->kind) {
  case PL_NODE_REF:
    return !(node->decl && node->decl->is_shared);
  case PL_NODE_MEMBER:
    return !node->is_arrow && is_harmless(node->kids[0]);
  case PL_NODE_INT:
  case PL_NODE_SIZEOF:
    return true;
  case PL_NODE_CAST:
  case PL_NODE_BINARY:
    for (uint32_t i = 0; i < node->nkids; i++)
      if (!is_harmless(node->kids[i]))
        return false;
    return node->nkids > 0;
  default:
    return false;
  }
}

bool pl_can_be_asked(pl_loop *loop, pl_node *node) {
  return node->type && node->type->kind == PL_TYPE_INT && node->range.end &&
         is_harmless(node) && pl_is_uniform(loop, node) &&
         !pl_varies(loop, node) && !stays_inside(loop, node) &&
         !(loop->node->kind == PL_NODE_FOR && loop->node->kids[0] &&
           pl_node_find(node, pl_is_set_in, loop->node->kids[0]));
}

/* Fractions of a multiple are none, nor are truths. */
static bool is_whole(const pl_node *node) {
  const pl_type *type = pl_no_reference(node->type);
  return !type || type->kind == PL_TYPE_INT || type->kind == PL_TYPE_DEPENDENT;
}

static bool is_multiple(pl_neighbours *n, pl_node *node) {
  if (!is_whole(node))
    return false;
  if (n->width == 1 || (node->kind == PL_NODE_REF && node->decl == n->counter) ||
      (n->of_block && pl_index_axis(node, "threadIdx") == 'x') ||
      is_own_threads(n, node))
    return true;
  size_t before = n->loop->npremises;
  if (pl_constant_is(n, PL_PREMISE_MULTIPLE, node))
    return true;
  n->loop->npremises = before;
  if (is_multiple_by_parts(n, node))
    return true;
  n->loop->npremises = before;
  if (!n->asks || node->has_ival || node->from_macro ||
      !pl_can_be_asked(n->loop, node) ||
      (n->earlier && !never_changes(n->loop, node)))
    return false;
  pl_add_premise(n, PL_PREMISE_MULTIPLE, node);
  return true;
}

bool pl_is_multiple(pl_neighbours *n, pl_node *node) {
  node = pl_node_bare(node);
  if (!node || n->depth > MOST_DEPTH)
    return false;
  n->depth++;
  bool found = is_multiple(n, node);
  n->depth--;
  return found;
}

/* ---- alignment ----------------------------------------------------------- */

/* A pointer that all threads have before the tile loop, and that moves on by
 * multiples in it. */
static bool is_aligned_name(pl_neighbours *n, pl_node *ref) {
  pl_decl *decl = ref->decl;
  if (!decl || !decl->owner || !decl->type || ref->from_macro ||
      decl->type->kind != PL_TYPE_POINTER)
    return false;
  size_t before = n->loop->npremises;
  if (pl_is_set_once(n->loop, decl) &&
      test_origin(n, decl, is_aligned_pointer))
    return true;
  n->loop->npremises = before;
  if (stays_inside(n->loop, ref) || !pl_is_uniform(n->loop, ref) ||
      !steps_by_multiples_in(n, decl, n->loop->node) ||
      (n->earlier && !never_changes(n->loop, ref)))
    return false;
  pl_add_premise(n, PL_PREMISE_ALIGNED, ref);
  return true;
}

static bool is_aligned_pointer(pl_neighbours *n, pl_node *node) {
  node = pl_node_bare(node);
  if (!node || n->depth > MOST_DEPTH)
    return false;
  n->depth++;
  bool aligned = false;
  if (node->kind == PL_NODE_REF)
    aligned = is_aligned_name(n, node);
  else if (node->kind == PL_NODE_UNARY && node->op == PL_OP_ADDR)
    aligned = pl_is_aligned_place(n, node->kids[0]);
  else if (node->kind == PL_NODE_BINARY &&
           (node->op == PL_OP_ADD || node->op == PL_OP_SUB))
    aligned = is_aligned_pointer(n, node->kids[0]) &&
              pl_is_multiple(n, node->kids[1]);
  n->depth--;
  return aligned;
}

bool pl_is_aligned_place(pl_neighbours *n, pl_node *lvalue) {
  lvalue = pl_node_bare(lvalue);
  if (lvalue->kind == PL_NODE_CALL && lvalue->nkids > 1 &&
      !pl_named_by_call(lvalue))
    return is_aligned_pointer(n, lvalue->kids[1]);
  if (lvalue->kind == PL_NODE_UNARY && lvalue->op == PL_OP_DEREF)
    return is_aligned_pointer(n, lvalue->kids[0]);
  return lvalue->kind == PL_NODE_SUBSCRIPT &&
         is_aligned_pointer(n, lvalue->kids[0]) &&
         pl_is_multiple(n, lvalue->kids[1]);
}

bool pl_holds_for_all_or_none(pl_neighbours *n, pl_node *cond) {
  size_t before = n->loop->npremises;
  bool strict = cond->op == PL_OP_LT || cond->op == PL_OP_GE;
  int64_t left = pl_slope_of(n, cond->kids[0]).by;
  int64_t right = pl_slope_of(n, cond->kids[1]).by;
  n->asks = true;
  bool even = left + right == 1 && strict == (left == 1) &&
              pl_is_multiple(n, cond->kids[0]) &&
              pl_is_multiple(n, cond->kids[1]);
  even = even && n->loop->npremises == before;
  n->loop->npremises = before;
  return even;
}
