/* cancels.c - which sums stay the same although names in them change?
 *
 * Needs: linear sums. Gives: whether of what a loop within the tile loop counts
 * with, less where the tile begins, only the distance is left: `s[i - t0]` with
 * `for (int i = t0 + tid; ...)`. Raises nothing: what is not known varies.
 *
 * All is computed in one width, so that what wraps does so alike each time. */
#include "linear.h"
#include "varies.h"

/* The for loop whose header declares a variable that nothing else sets but its
 * step; NULL: another kind of variable. */
static pl_node *counted_by(const pl_loop *loop, pl_decl *decl) {
  const pl_node *at = decl->kind == PL_DECL_VAR ? decl->node : NULL;
  while (at && at->kind != PL_NODE_FOR && at->kind != PL_NODE_COMPOUND)
    at = at->parent;
  if (!at || at->kind != PL_NODE_FOR || !pl_node_within(at, loop->body) ||
      !decl->init || !at->kids[0] || !at->kids[2] ||
      !pl_node_within(decl->node, at->kids[0]))
    return NULL;
  pl_effects effects = pl_effects_in(loop, at->kids[2]);
  bool steps = pl_count_writes(&effects, decl) == 1;
  effects = pl_effects_in(loop, at->kids[3]);
  if (at->kids[1])
    pl_effects_of(loop->effects, loop->func, at->kids[1], &effects);
  return steps && !pl_writes_decl(&effects, decl) &&
                 !pl_has_second_name(loop, decl)
             ? (pl_node *)at
             : NULL;
}

static bool has_width(const pl_node *node, int64_t width) {
  return node->type && node->type->kind == PL_TYPE_INT &&
         node->type->size == width;
}

/* Whether a loop leaves the variables of a sum alone while it runs. */
static bool leaves_alone(const pl_loop *loop, const pl_node *counting,
                         const pl_linear *sum) {
  pl_effects effects = pl_effects_in(loop, (pl_node *)counting);
  for (int i = 0; i < sum->n; i++)
    for (size_t j = 0; j < effects.n; j++)
      if (effects.items[j].kind != PL_EFFECT_READ &&
          effects.items[j].root.decl &&
          pl_mentions(sum->terms[i].atom, effects.items[j].root.decl) &&
          !pl_declared_inside(effects.items[j].root.decl, counting))
        return false;
  return true;
}

/* Puts where a loop begins in the place of what it counts with; whether nothing
 * that varies is left. */
static bool is_steady_from(pl_loop *loop, const pl_node *counting,
                           const pl_decl *decl, int64_t by, int64_t width,
                           pl_linear sum) {
  pl_linear start = pl_linear_of(loop, decl->init);
  bool alike = start.known &&
               (!start.wraps || (start.wraps == width &&
                                 has_width(decl->init, width)));
  if (!alike || !leaves_alone(loop, counting, &start))
    return false;
  pl_linear_add(loop, &sum, &start, by);
  for (int i = 0; sum.known && i < sum.n; i++)
    if (pl_varies(loop, (pl_node *)sum.terms[i].atom))
      return false;
  return sum.known;
}

pl_node *pl_cancels(pl_loop *loop, pl_node *node) {
  node = pl_node_bare(node);
  int64_t width = node->type ? node->type->size : 0;
  if (node->kind != PL_NODE_BINARY ||
      (node->op != PL_OP_SUB && node->op != PL_OP_ADD) ||
      (width != 4 && width != 8) || !has_width(node, width))
    return NULL;
  pl_linear sum = pl_linear_of(loop, node);
  for (int i = 0; sum.known && i < sum.n; i++) {
    const pl_node *atom = pl_node_bare((pl_node *)sum.terms[i].atom);
    pl_node *counting = atom->kind == PL_NODE_REF && has_width(atom, width)
                            ? counted_by(loop, atom->decl)
                            : NULL;
    int64_t by = sum.terms[i].by;
    if (!counting || !pl_varies(loop, atom->decl->init) ||
        (sum.wraps && sum.wraps != width) || !leaves_alone(loop, counting, &sum))
      continue;
    pl_linear rest = sum;
    rest.terms[i] = rest.terms[--rest.n];
    if (is_steady_from(loop, counting, atom->decl, by, width, rest))
      return counting;
  }
  return NULL;
}
