/* cancels.c - which sums stay the same although names in them change?
 *
 * Needs: the model, values. Gives: whether of what a loop within the tile loop counts
 * with, less where the tile begins, only the distance is left: `s[i - t0]` with
 * `for (int i = t0 + tid; ...)`. Raises nothing: what is not known varies.
 *
 * All is computed in one width, so that what wraps does so alike each time. */
#include "macros.h"
#include "values.h"
#include "varies.h"

#define MOST_DEPTH 8
#define MOST_TIMES (1 << 24) /* a name is taken in a sum */

static bool is_integer(const pl_type *type) {
  return type && type->kind == PL_TYPE_INT && type->size >= 4 &&
         !type->is_volatile;
}

#define MOST_TERMS 12

/* What is not taken apart: a variable, threadIdx.x, `i % 32`. */
typedef struct term_of_sum {
  const pl_node *atom;
  int64_t by;
} term_of_sum;

typedef struct linear {
  term_of_sum terms[MOST_TERMS];
  int n;
  int64_t constant;
  bool known;
  int64_t wraps; /* bytes of the unsigned numbers that a part is computed in; 0:
                    none is, and so the sum is exact */
} linear;

/* ---- sums ------------------------------------------------------------------ */

static void add_term(const pl_loop *loop, linear *to, term_of_sum term) {
  for (int i = 0; i < to->n; i++) {
    term_of_sum *have = &to->terms[i];
    if (!pl_same_atom(loop, have->atom, term.atom))
      continue;
    have->by += term.by;
    if (!have->by)
      *have = to->terms[--to->n];
    return;
  }
  if (to->n == MOST_TERMS)
    to->known = false;
  else if (term.by)
    to->terms[to->n++] = term;
}

/* Whether numbers of this type wrap elsewhere than those that a sum has so far. */
static bool wraps_otherwise(const linear *out, const pl_type *type) {
  return !is_integer(type) || (out->wraps && out->wraps != type->size);
}

static void mark_wrap(linear *out, const pl_type *type) {
  if (wraps_otherwise(out, type))
    out->known = false;
  else
    out->wraps = type->size;
}

typedef struct sum_walk {
  pl_loop *loop;
  linear *out;
} sum_walk;

static void sum(const sum_walk *w, const pl_node *node, int64_t by, int depth);

/* A number that no build or instantiation makes another one. */
static bool is_fixed_number(const pl_loop *loop, const pl_node *node,
                      int64_t *value) {
  bool assumed = false;
  return !pl_may_be_another_number(loop->unit, node) &&
         pl_loop_eval(loop, NULL, (pl_node *)node, value, &assumed) &&
         !assumed && *value > -(1 << 20) && *value < 1 << 20;
}

/* Whether a local is another name for the value of its initialiser. */
static bool stands_for_sum(const pl_loop *loop, const pl_decl *decl) {
  if (!decl || !decl->node || decl->owner != loop->func || !is_integer(decl->type) ||
      !pl_only_value(decl) || !is_integer(decl->init->type) ||
      decl->type->size < decl->init->type->size)
    return false;
  const pl_node *init = pl_node_bare(decl->init);
  return pl_is_arithmetic(init) || pl_is_place_index(init);
}

static void sum_local(const sum_walk *w, const pl_decl *decl, int64_t by,
                      int depth) {
  const pl_type *from = decl->init->type;
  int64_t value;
  if (from->is_unsigned != decl->type->is_unsigned &&
      !pl_is_place_index(pl_node_bare(decl->init)) &&
      !is_fixed_number(w->loop, decl->init, &value))
    mark_wrap(w->out, from->is_unsigned ? from : decl->type);
  sum(w, decl->init, by, depth + 1);
}

/* `4 * i`: the number; NULL: none of the two is one. */
static const pl_node *factor_of(const pl_loop *loop, const pl_node *product,
                                int64_t *value) {
  for (int i = 0; i < 2; i++)
    if (is_fixed_number(loop, product->kids[i], value))
      return product->kids[!i];
  return NULL;
}

/* The type that a cast may make another number in, as one of the two is unsigned;
 * NULL: none. */
static const pl_type *cast_wraps(const pl_node *node) {
  const pl_type *to = node->type, *from = node->kids[0]->type;
  return to->is_unsigned == from->is_unsigned ||
                 pl_is_place_index(pl_node_bare(node->kids[0]))
             ? NULL
         : to->is_unsigned ? to : from;
}

/* What is computed in unsigned numbers of another size than the rest is an atom:
 * `(size_t)row * ld + blockIdx.x * 32`. */
static void sum(const sum_walk *w, const pl_node *node, int64_t by, int depth) {
  node = pl_node_bare((pl_node *)node);
  int64_t value;
  if (!node || !is_integer(node->type) || depth > MOST_DEPTH ||
      by > MOST_TIMES || by < -MOST_TIMES) {
    w->out->known = false;
    return;
  }
  if (is_fixed_number(w->loop, node, &value)) {
    w->out->constant += by * value;
    return;
  }
  if (node->kind == PL_NODE_REF && stands_for_sum(w->loop, node->decl)) {
    sum_local(w, node->decl, by, depth);
    return;
  }
  bool sign = node->kind == PL_NODE_UNARY &&
              (node->op == PL_OP_MINUS || node->op == PL_OP_PLUS);
  bool binary = node->kind == PL_NODE_BINARY &&
                (node->op == PL_OP_ADD || node->op == PL_OP_SUB);
  const pl_node *other = node->kind == PL_NODE_BINARY && node->op == PL_OP_MUL
                             ? factor_of(w->loop, node, &value)
                             : NULL;
  bool same = node->kind == PL_NODE_CAST && node->nkids == 1 &&
              is_integer(node->kids[0]->type) &&
              node->kids[0]->type->size <= node->type->size;
  const pl_type *wraps =
      same ? cast_wraps(node) : node->type->is_unsigned ? node->type : NULL;
  if ((!sign && !binary && !other && !same) ||
      (wraps && wraps_otherwise(w->out, wraps))) {
    term_of_sum term = {node, by};
    if (pl_is_arithmetic(node))
      add_term(w->loop, w->out, term);
    else
      w->out->known = false;
    return;
  }
  if (wraps)
    mark_wrap(w->out, wraps);
  if (other) {
    sum(w, other, by * value, depth + 1);
    return;
  }
  bool minus = node->op == PL_OP_MINUS || node->op == PL_OP_SUB;
  sum(w, node->kids[0], sign && minus ? -by : by, depth + 1);
  if (binary)
    sum(w, node->kids[1], minus ? -by : by, depth + 1);
}

static linear linear_of(pl_loop *loop, const pl_node *node) {
  linear out = {.known = true};
  sum(&(sum_walk){loop, &out}, node, 1, 0);
  return out;
}

static void linear_add(const pl_loop *loop, linear *to, const linear *what,
                   int64_t by) {
  linear from = *what; /* which may be `to` */
  to->known = to->known && from.known &&
              (!to->wraps || !from.wraps || to->wraps == from.wraps);
  to->wraps = to->wraps ? to->wraps : from.wraps;
  to->constant += by * from.constant;
  for (int i = 0; i < from.n; i++) {
    term_of_sum term = from.terms[i];
    term.by *= by;
    add_term(loop, to, term);
  }
}

/* ---- what cancels ---------------------------------------------------------- */

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
                         const linear *sum) {
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
                           linear sum) {
  linear start = linear_of(loop, decl->init);
  bool alike = start.known &&
               (!start.wraps || (start.wraps == width &&
                                 has_width(decl->init, width)));
  if (!alike || !leaves_alone(loop, counting, &start))
    return false;
  linear_add(loop, &sum, &start, by);
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
  linear sum = linear_of(loop, node);
  for (int i = 0; sum.known && i < sum.n; i++) {
    const pl_node *atom = pl_node_bare((pl_node *)sum.terms[i].atom);
    pl_node *counting = atom->kind == PL_NODE_REF && has_width(atom, width)
                            ? counted_by(loop, atom->decl)
                            : NULL;
    int64_t by = sum.terms[i].by;
    if (!counting || !pl_varies(loop, atom->decl->init) ||
        (sum.wraps && sum.wraps != width) || !leaves_alone(loop, counting, &sum))
      continue;
    linear rest = sum;
    rest.terms[i] = rest.terms[--rest.n];
    if (is_steady_from(loop, counting, atom->decl, by, width, rest))
      return counting;
  }
  return NULL;
}
