/* distance.c - is what a loop still has to go the same for all threads?
 *
 * Needs: recurrences, linear sums. Gives: whether both sides of a loop's
 * condition hang on the thread in the same way, `p < end` of a thread's own
 * pointers, `t < end + tid` of a `t` that begins at `start + tid`. Raises
 * nothing: what is not known is no such distance. */
#include "divergence.h"
#include "linear.h"
#include "reaching_definitions.h"

#define MOST_NAMES 8

/* How far a pointer stands behind a variable; `base` NULL: a number. */
typedef struct place_sum {
  const pl_decl *base;
  pl_linear offset;
  int64_t unit; /* bytes of an element, 0: of a number */
} place_sum;

/* Whether the loop moves a variable by what is the same for all threads. */
static bool steps_alike(pl_loop *loop, const pl_decl *decl) {
  const pl_recurrence *r = pl_loop_recurrence(loop, decl);
  const pl_node *step = r ? pl_node_bare(r->step) : NULL;
  if (!step || decl->owner != loop->func || pl_steps_of(loop, decl) != 1)
    return false;
  return pl_node_is_step(step) ||
         (step->kind == PL_NODE_ASSIGN &&
          (step->op == PL_OP_ADD || step->op == PL_OP_SUB) &&
          pl_is_uniform(loop, step->kids[1]));
}

bool pl_begins_as_declared(pl_loop *loop, const pl_decl *decl) {
  return decl->kind == PL_DECL_VAR && decl->init && decl->node &&
         steps_alike(loop, decl) &&
         (pl_node_within(decl->node, loop->init) ||
          (!(loop->init && pl_assigned_anywhere(loop->init, decl)) &&
           pl_is_set_between(decl, decl->node, loop->node) == PL_NO));
}

/* Whether the loop finds a variable as it is where `where` names it: in the loop's
 * condition, or with nothing on the way that sets it.
 * `last = p + n; do { ... p += 16; } while (p < last);` */
static bool keeps_until_loop(const pl_loop *loop, const pl_decl *decl,
                             const pl_node *where) {
  return !(loop->init && pl_assigned_anywhere(loop->init, decl)) &&
         (pl_node_within(where, loop->node) ||
          pl_is_set_between(decl, where, loop->node) == PL_NO);
}

/* Whether what the threads' values of an atom differ by never changes. */
static bool is_fixed(const pl_loop *loop, const pl_node *node) {
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  if (pl_is_place_index(node) || pl_node_is_constant(node))
    return true;
  if (decl && decl->kind != PL_DECL_TEMPLATE_VALUE &&
      (decl->owner != loop->func || decl->is_static ||
       pl_assigned_anywhere(loop->func->body, decl)))
    return false;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (node->kids[i] && !is_fixed(loop, node->kids[i]))
      return false;
  return true;
}

/* Adds what the loop's variables were before it moved them, and refuses what
 * hangs on the thread and may change between two looks at it. */
static bool settle_offset(pl_loop *loop, pl_linear *sum) {
  for (int names = 0; names < MOST_NAMES; names++) {
    int at = 0;
    const pl_node *atom = NULL;
    for (; at < sum->n && !atom; at++) {
      const pl_node *node = sum->terms[at].atom;
      if (node->kind == PL_NODE_REF && node->decl &&
          pl_loop_recurrence(loop, node->decl))
        atom = node;
    }
    if (!atom)
      break;
    if (!pl_begins_as_declared(loop, atom->decl))
      return false;
    int64_t by = sum->terms[at - 1].by;
    pl_linear start = pl_linear_of(loop, atom->decl->init, atom->decl->node);
    sum->terms[at - 1] = sum->terms[--sum->n];
    pl_linear_add(loop, sum, &start, by);
  }
  for (int i = 0; i < sum->n; i++)
    if (!pl_is_uniform(loop, (pl_node *)sum->terms[i].atom) &&
        !is_fixed(loop, sum->terms[i].atom))
      return false;
  return sum->known;
}

static bool place_of(pl_loop *loop, pl_node *node, const pl_node *where,
                     place_sum *out, int depth);

static bool add_offset(pl_loop *loop, const pl_node *node, const pl_node *where,
                       int sign, place_sum *out) {
  pl_linear offset = pl_linear_of(loop, node, where);
  if (!settle_offset(loop, &offset))
    return false;
  pl_linear_add(loop, &out->offset, &offset, sign);
  return out->offset.known;
}

/* Of a pointer in a variable: what it is made from, where it keeps that, or is
 * only moved by the loop. */
static bool place_of_variable(pl_loop *loop, const pl_node *ref,
                              const pl_node *where, place_sum *out,
                              int depth) {
  const pl_decl *decl = ref->decl;
  bool moves = decl && pl_loop_recurrence(loop, decl);
  if (!decl || decl->owner != loop->func || decl->is_static ||
      (!moves && pl_assigned_anywhere(loop->func->body, decl)))
    return false;
  if (moves && !pl_begins_as_declared(loop, decl)) {
    out->base = decl;
    return steps_alike(loop, decl) && keeps_until_loop(loop, decl, where);
  }
  place_sum from = *out;
  bool made = decl->kind == PL_DECL_VAR && decl->init &&
              place_of(loop, decl->init, decl->node, &from, depth + 1);
  if (made)
    *out = from;
  else
    out->base = decl;
  return true;
}

static bool place_of(pl_loop *loop, pl_node *node, const pl_node *where,
                     place_sum *out, int depth) {
  node = pl_node_bare(node);
  const pl_type *type = node ? node->type : NULL;
  if (!type || type->kind != PL_TYPE_POINTER || !type->element ||
      depth > MOST_NAMES || type->element->size <= 0 ||
      (out->unit && out->unit != type->element->size))
    return false;
  out->unit = type->element->size;
  if (node->kind == PL_NODE_REF)
    return place_of_variable(loop, node, where, out, depth);
  return node->kind == PL_NODE_BINARY &&
         (node->op == PL_OP_ADD || node->op == PL_OP_SUB) &&
         place_of(loop, node->kids[0], where, out, depth + 1) &&
         add_offset(loop, node->kids[1], where, node->op == PL_OP_ADD ? 1 : -1, out);
}

/* A side of the condition as a pointer and a sum, or a sum alone. */
static bool side_of(pl_loop *loop, pl_node *node, place_sum *out) {
  *out = (place_sum){.offset = {.known = true}};
  const pl_type *type = pl_node_bare(node)->type;
  return type && type->kind == PL_TYPE_POINTER
             ? place_of(loop, node, node, out, 0)
             : add_offset(loop, node, node, 1, out);
}

bool pl_has_same_distance(pl_loop *loop, const pl_node *relation) {
  place_sum left, right;
  if (!side_of(loop, relation->kids[0], &left) ||
      !side_of(loop, relation->kids[1], &right) || left.base != right.base ||
      left.unit != right.unit)
    return false;
  pl_linear_add(loop, &left.offset, &right.offset, -1);
  for (int i = 0; i < left.offset.n; i++)
    if (!pl_is_uniform(loop, (pl_node *)left.offset.terms[i].atom))
      return false;
  return left.offset.known;
}
