/* linear.c - sums of names times numbers.
 *
 * Needs: the model. Gives: the sum that an expression is, locals that stand for
 * one followed. Raises nothing: what is not known is no sum. */
#include "linear.h"

#include "values.h"
#include "macros.h"

#define MOST_DEPTH 8
#define MOST_TIMES (1 << 24) /* a name is taken in a sum */

static bool is_integer(const pl_type *type) {
  return type && type->kind == PL_TYPE_INT && type->size >= 4 &&
         !type->is_volatile;
}

static bool is_place_index(const pl_node *node) {
  return pl_is_block_rank(node) || pl_index_axis(node, "threadIdx") ||
         pl_index_axis(node, "blockIdx") || pl_index_axis(node, "blockDim") ||
         pl_index_axis(node, "gridDim");
}

/* Whether an expression computes with numbers and variables alone: no memory is
 * read, nothing is changed. */
static bool is_arithmetic(const pl_node *node, int depth) {
  node = pl_node_bare((pl_node *)node);
  if (!node || depth > MOST_DEPTH)
    return false;
  if (node->has_ival || is_place_index(node))
    return true;
  switch (node->kind) {
  case PL_NODE_REF:
    return node->decl && !node->decl->is_shared && !node->decl->is_volatile &&
           (node->decl->kind == PL_DECL_TEMPLATE_VALUE ||
            ((node->decl->kind == PL_DECL_VAR ||
              node->decl->kind == PL_DECL_PARAM) &&
             node->decl->owner && node->decl->type &&
             node->decl->type->kind == PL_TYPE_INT));
  case PL_NODE_UNARY:
    return (node->op == PL_OP_MINUS || node->op == PL_OP_PLUS ||
            node->op == PL_OP_NOT) &&
           is_arithmetic(node->kids[0], depth + 1);
  case PL_NODE_BINARY:
  case PL_NODE_CAST:
    for (uint32_t i = 0; i < node->nkids; i++)
      if (!is_arithmetic(node->kids[i], depth + 1))
        return false;
    return node->nkids > 0 && node->op != PL_OP_COMMA &&
           node->op != PL_OP_OTHER;
  default:
    return false;
  }
}

bool pl_is_arithmetic(const pl_node *node) { return is_arithmetic(node, 0); }

bool pl_same_atom(const pl_loop *loop, const pl_node *a, const pl_node *b) {
  a = pl_node_bare((pl_node *)a);
  b = pl_node_bare((pl_node *)b);
  if (!a || !b || a->kind != b->kind || a->op != b->op || a->decl != b->decl ||
      !pl_str_eq(a->name, b->name) || a->nkids != b->nkids || a->has_ival != b->has_ival ||
      (a->has_ival && a->ival != b->ival) || !pl_same_type(a->type, b->type))
    return false;
  if (a->has_ival && !pl_same_text(loop->unit, a, b))
    return false;
  for (uint32_t i = 0; i < a->nkids; i++)
    if (!pl_same_atom(loop, a->kids[i], b->kids[i]))
      return false;
  return true;
}

/* ---- sums ------------------------------------------------------------------ */

static void add_term(const pl_loop *loop, pl_linear *to, pl_term term) {
  for (int i = 0; i < to->n; i++) {
    pl_term *have = &to->terms[i];
    if (!pl_same_atom(loop, have->atom, term.atom))
      continue;
    have->by += term.by;
    if (!have->by)
      *have = to->terms[--to->n];
    return;
  }
  if (to->n == PL_MOST_TERMS)
    to->known = false;
  else if (term.by)
    to->terms[to->n++] = term;
}

/* Whether numbers of this type wrap elsewhere than those that a sum has so far. */
static bool wraps_otherwise(const pl_linear *out, const pl_type *type) {
  return !is_integer(type) || (out->wraps && out->wraps != type->size);
}

static void mark_wrap(pl_linear *out, const pl_type *type) {
  if (wraps_otherwise(out, type))
    out->known = false;
  else
    out->wraps = type->size;
}

typedef struct sum_walk {
  pl_loop *loop;
  pl_linear *out;
} sum_walk;

static void sum(const sum_walk *w, const pl_node *node, int64_t by, int depth);

/* Macros that the file defines once, under no #if, are what they are; `arguments`: of a
 * template, they may be others. */
static bool may_be_another(const pl_unit *unit, const pl_node *node, bool arguments) {
  if (!node || !pl_is_open(node))
    return false;
  if (node->of_build)
    return true;
  if (node->from_macro)
    return !pl_macro_is_number(unit, node->range);
  if (node->kind == PL_NODE_REF) {
    if (node->decl && node->decl->is_open)
      return true;
    bool argument = !node->decl || node->decl->kind == PL_DECL_TEMPLATE_VALUE;
    return argument ? arguments : may_be_another(unit, node->decl->init, arguments);
  }
  for (uint32_t i = 0; i < node->nkids; i++)
    if (may_be_another(unit, node->kids[i], arguments))
      return true;
  return false;
}

bool pl_may_be_another_number(const pl_unit *unit, const pl_node *node) {
  return may_be_another(unit, node, true);
}

bool pl_build_may_change(const pl_unit *unit, const pl_node *node) {
  return may_be_another(unit, node, false);
}

/* A number that no build or instantiation makes another one. */
static bool is_number(const pl_loop *loop, const pl_node *node,
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
  return is_arithmetic(init, 0) || is_place_index(init);
}

static void sum_local(const sum_walk *w, const pl_decl *decl, int64_t by,
                      int depth) {
  const pl_type *from = decl->init->type;
  int64_t value;
  if (from->is_unsigned != decl->type->is_unsigned &&
      !is_place_index(pl_node_bare(decl->init)) &&
      !is_number(w->loop, decl->init, &value))
    mark_wrap(w->out, from->is_unsigned ? from : decl->type);
  sum(w, decl->init, by, depth + 1);
}

/* `4 * i`: the number; NULL: none of the two is one. */
static const pl_node *factor_of(const pl_loop *loop, const pl_node *product,
                                int64_t *value) {
  for (int i = 0; i < 2; i++)
    if (is_number(loop, product->kids[i], value))
      return product->kids[!i];
  return NULL;
}

/* The type that a cast may make another number in, as one of the two is unsigned;
 * NULL: none. */
static const pl_type *cast_wraps(const pl_node *node) {
  const pl_type *to = node->type, *from = node->kids[0]->type;
  return to->is_unsigned == from->is_unsigned ||
                 is_place_index(pl_node_bare(node->kids[0]))
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
  if (is_number(w->loop, node, &value)) {
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
    pl_term term = {node, by};
    if (is_arithmetic(node, 0))
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

pl_linear pl_linear_of(pl_loop *loop, const pl_node *node) {
  pl_linear out = {.known = true};
  sum(&(sum_walk){loop, &out}, node, 1, 0);
  return out;
}

void pl_linear_add(const pl_loop *loop, pl_linear *to, const pl_linear *what,
                   int64_t by) {
  pl_linear from = *what; /* which may be `to` */
  to->known = to->known && from.known &&
              (!to->wraps || !from.wraps || to->wraps == from.wraps);
  to->wraps = to->wraps ? to->wraps : from.wraps;
  to->constant += by * from.constant;
  for (int i = 0; i < from.n; i++) {
    pl_term term = from.terms[i];
    term.by *= by;
    add_term(loop, to, term);
  }
}
