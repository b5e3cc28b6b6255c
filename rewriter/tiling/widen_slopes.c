/* widen_slopes.c - how does a value differ between neighbours?
 *
 * Needs: uniform, values, ranges, copy loops; widen_multiples.c. Gives: by how
 * much an expression grows from one neighbour to the next. Raises nothing: what
 * is not known has no slope. Neighbours are iterations of a copy loop that any
 * thread of its row, or of the block, may make: what differs between these
 * threads in any other way has no slope either.
 *
 * With x = width * q + j for the j-th neighbour: x / k is the same for all of
 * them, and x % k grows by one, where width divides k and x is not negative. */
#include "call_summary.h"
#include "copies.h"
#include "slices.h"
#include "widen.h"

#define MOST_DEPTH 24

static const pl_slope unknown = {false, 0};

static pl_slope slope(int64_t by) { return (pl_slope){true, by}; }

static bool is_flat(pl_slope s) { return s.known && s.by == 0; }

/* ---- names --------------------------------------------------------------- */

/* Whether values of a type do not wrap sooner than addresses are made of them. */
static bool is_index_type(const pl_type *type) {
  return type && (type->kind == PL_TYPE_POINTER ||
                  (type->kind == PL_TYPE_INT && type->size >= 4));
}

static bool holds_index(const pl_decl *decl) {
  return is_index_type(decl->type) && !decl->type->is_volatile;
}

/* Whether a local has the value of its initialiser wherever it is named. */
static bool keeps_value(const pl_loop *loop, pl_decl *decl) {
  return decl->owner == loop->func && pl_only_value(decl) &&
         !pl_has_second_name(loop, decl);
}

bool pl_is_set_once(const pl_loop *loop, pl_decl *decl) {
  return holds_index(decl) && keeps_value(loop, decl);
}

static bool is_hidden_in(pl_node *node, const void *text) {
  return node->kind == PL_NODE_REF && node->decl &&
         pl_has_namesake(text, NULL, node->decl);
}

/* The loop around a node, or its function's body. */
static const pl_node *loop_around(const pl_node *node) {
  while (node->parent && !pl_node_is_loop(node))
    node = node->parent;
  return node;
}

pl_node *pl_named_guard(const pl_loop *loop, const pl_node *node) {
  pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  bool truth = decl && decl->type && !decl->type->is_volatile &&
               (decl->type->kind == PL_TYPE_BOOL ||
                decl->type->kind == PL_TYPE_INT);
  return truth && keeps_value(loop, decl) &&
                 !pl_node_find(decl->init, is_hidden_in, loop_around(node))
             ? decl->init
             : NULL;
}

const pl_copy_loop *pl_loop_of_counter(const pl_loop *loop,
                                           const pl_decl *decl) {
  for (size_t i = 0; i < loop->fill.nloops; i++)
    if (loop->fill.loops[i].var == decl)
      return &loop->fill.loops[i];
  return NULL;
}

/* ---- variables that step ------------------------------------------------- */

typedef struct stepping {
  pl_neighbours *n;
  const pl_decl *decl;
} stepping;

/* Whether neighbours do a statement equally often: no branch or loop around it
 * but those around the tile loop. */
static bool is_done_alike(const pl_loop *loop, const pl_node *node) {
  for (const pl_node *up = node->parent; up; up = up->parent) {
    bool decides = up->kind == PL_NODE_IF || up->kind == PL_NODE_SWITCH ||
                   up->kind == PL_NODE_COND || up->kind == PL_NODE_LAMBDA ||
                   pl_node_is_loop(up) ||
                   (up->kind == PL_NODE_BINARY &&
                    (up->op == PL_OP_LAND || up->op == PL_OP_LOR));
    if (decides && !pl_node_within(loop->node, up))
      return false;
  }
  return true;
}

/* Whether a node may move a variable on by what differs between neighbours. */
static bool is_uneven_step(pl_node *node, const void *context) {
  const stepping *s = context;
  bool own = (node->kind == PL_NODE_ASSIGN || pl_node_is_step(node)) &&
             pl_names_var(node->kids[0], s->decl);
  if (own && pl_node_is_step(node))
    return !is_done_alike(s->n->loop, node);
  if (own)
    return (node->op != PL_OP_ADD && node->op != PL_OP_SUB) ||
           !is_done_alike(s->n->loop, node) ||
           !is_flat(pl_slope_of(s->n, node->kids[1]));
  return node->kind == PL_NODE_ASM || node->kind == PL_NODE_LAMBDA
             ? pl_mentions(node, s->decl)
             : pl_may_set(node, s->decl);
}

/* A variable that begins with a value and is moved on by amounts that are the same
 * for all neighbours: its slope is that of the value. */
pl_slope pl_slope_of_stepping(pl_neighbours *n, pl_decl *decl) {
  bool param = decl->kind == PL_DECL_PARAM && n->loop->func->is_global;
  if ((!param && (decl->kind != PL_DECL_VAR || !decl->init)) ||
      decl->owner != n->loop->func || decl->is_static || decl->is_shared ||
      !holds_index(decl) || pl_has_second_name(n->loop, decl) ||
      pl_node_find(decl->owner->body, is_uneven_step, &(stepping){n, decl}))
    return unknown;
  return param ? slope(0) : pl_slope_of(n, decl->init);
}

/* The counter of another copy loop: the same for all that begin alike. */
static pl_slope slope_of_counter(pl_neighbours *n, const pl_copy_loop *c) {
  pl_slope start = pl_slope_of(n, c->start);
  if (c->chain || !start.known || !is_flat(pl_slope_of(n, c->bound)) ||
      (c->step && !is_flat(pl_slope_of(n, c->step))))
    return unknown;
  return start.by == 0 ? start : unknown;
}

/* Whether a pointer steps over other objects than those that it was set from. */
static bool changes_step(const pl_decl *decl) {
  const pl_node *set = decl->init ? pl_node_bare(decl->init) : NULL;
  const pl_type *to = decl->type->element, *from = NULL;
  if (decl->type->kind != PL_TYPE_POINTER || !set || !set->type)
    return false;
  from = set->type->element;
  return to && from && (to->kind != from->kind || to->size != from->size);
}

static pl_slope slope_of_name(pl_neighbours *n, pl_node *ref) {
  pl_decl *decl = ref->decl;
  if (!decl || !decl->owner || n->depth > MOST_DEPTH)
    return unknown;
  const pl_copy_loop *c = pl_loop_of_counter(n->loop, decl);
  n->depth++;
  pl_slope found = c ? slope_of_counter(n, c)
                   : pl_is_set_once(n->loop, decl)
                       ? pl_slope_of(n, decl->init)
                       : pl_slope_of_stepping(n, decl);
  n->depth--;
  return found.by != 0 && changes_step(decl) ? unknown : found;
}

/* ---- memory -------------------------------------------------------------- */

/* Whether what an expression reads may be the thread's own: an array of its, or a
 * member of an object that it has. */
static bool is_own_memory(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  while (node && node->nkids &&
         (node->kind == PL_NODE_SUBSCRIPT || node->kind == PL_NODE_MEMBER)) {
    const pl_node *base = pl_node_bare(node->kids[0]);
    bool by_pointer = node->is_arrow ||
                      (base->type && base->type->kind == PL_TYPE_POINTER);
    if (by_pointer)
      return false;
    node = base;
  }
  return !(node && node->kind == PL_NODE_REF && node->decl &&
           (node->decl->is_shared || !node->decl->owner));
}

/* A value read from memory is the same for all where its place is. */
static pl_slope slope_of_read(pl_neighbours *n, pl_node *node) {
  if (!node->type || node->type->is_volatile || is_own_memory(node))
    return unknown;
  for (uint32_t i = 0; i < node->nkids; i++) {
    pl_node *kid = pl_node_bare(node->kids[i]);
    bool array = i == 0 && kid->type && kid->type->kind == PL_TYPE_ARRAY;
    if (!is_flat(array ? pl_slope_of_place(n, kid) : pl_slope_of(n, kid)))
      return unknown;
  }
  return slope(0);
}

pl_slope pl_slope_of_place(pl_neighbours *n, pl_node *lvalue) {
  lvalue = pl_node_bare(lvalue);
  if (!lvalue)
    return unknown;
  if (lvalue->kind == PL_NODE_REF)
    return lvalue->decl && lvalue->decl->type &&
                   lvalue->decl->type->kind == PL_TYPE_ARRAY &&
                   (lvalue->decl->is_shared || !lvalue->decl->owner)
               ? slope(0)
               : unknown;
  if (lvalue->kind == PL_NODE_UNARY && lvalue->op == PL_OP_DEREF)
    return pl_slope_of(n, lvalue->kids[0]);
  if (lvalue->kind != PL_NODE_SUBSCRIPT)
    return unknown;
  pl_node *base = pl_node_bare(lvalue->kids[0]);
  bool pointer = base->type && base->type->kind == PL_TYPE_POINTER;
  pl_slope from = pointer ? pl_slope_of(n, base) : pl_slope_of_place(n, base);
  pl_slope index = pl_slope_of(n, lvalue->kids[1]);
  if (!from.known || !index.known || (!pointer && from.by != 0))
    return unknown;
  return slope(from.by + index.by);
}

/* ---- arithmetic ---------------------------------------------------------- */

/* A constant of this build and these instantiations; *open: of no others. */
static bool constant_value(const pl_loop *loop, pl_node *node, int64_t *value,
                           bool *open) {
  bool assumed = false;
  *value = 0;
  for (uint32_t i = 0; i < pl_count_readings(loop->func); i++) {
    int64_t one;
    if (!pl_loop_eval(loop, pl_reading(loop->func, i), node, &one, &assumed) ||
        assumed || (i && one != *value))
      return false;
    *value = one;
  }
  *open = pl_is_open(node);
  return true;
}

/* Whether width divides the k of `x / k`, or of a shift or mask that does the
 * same. */
static bool divides_by_multiple(pl_neighbours *n, pl_node *node) {
  int64_t value;
  bool open;
  if (node->op == PL_OP_DIV || node->op == PL_OP_REM)
    return pl_constant_is(n, PL_PREMISE_MULTIPLE, node->kids[1]);
  if (!constant_value(n->loop, node->kids[1], &value, &open) || open)
    return false;
  if (node->op == PL_OP_SHR)
    return value >= 0 && value < 31 && ((int64_t)1 << value) % n->width == 0;
  return value > 0 && ((value + 1) & value) == 0 && (value + 1) % n->width == 0;
}

/* Whether what is no negative number stays none in another type. */
static bool keeps_sign(const pl_type *from, const pl_type *to) {
  from = pl_no_reference(from);
  to = pl_no_reference(to);
  if (!pl_is_integer_type(from) || !pl_is_integer_type(to))
    return false;
  return to->is_unsigned || to->size > from->size ||
         (to->size == from->size && !from->is_unsigned);
}

/* Whether a node may set a variable otherwise than to step it up. */
static bool is_other_step(pl_node *node, const void *context) {
  const stepping *s = context;
  bool own = (node->kind == PL_NODE_ASSIGN || pl_node_is_step(node)) &&
             pl_names_var(node->kids[0], s->decl);
  if (own && pl_node_is_step(node))
    return node->op != PL_OP_PREINC && node->op != PL_OP_POSTINC;
  if (own)
    return node->op != PL_OP_ADD || !pl_steps_up(s->n->loop, node->kids[1]);
  return node->kind == PL_NODE_ASM || node->kind == PL_NODE_LAMBDA
             ? pl_mentions(node, s->decl)
             : pl_may_set(node, s->decl);
}

/* Whether a signed variable begins at no negative number, and is but stepped up. */
static bool only_grows(pl_neighbours *n, pl_decl *decl) {
  return decl->kind == PL_DECL_VAR && decl->init && decl->owner == n->loop->func &&
         !decl->is_static && !decl->is_shared && holds_index(decl) &&
         decl->type->kind == PL_TYPE_INT && !decl->type->is_unsigned &&
         !pl_has_second_name(n->loop, decl) &&
         pl_begins_not_negative(n->loop, decl->init, decl->type) &&
         !pl_node_find(decl->owner->body, is_other_step, &(stepping){n, decl});
}

/* A counter that begins at no negative number and steps up is none, nor is what is
 * made of it. */
bool pl_is_not_negative(pl_neighbours *n, pl_node *node, int depth) {
  node = pl_node_bare(node);
  if (depth > 8 || pl_not_negative(n->loop, node))
    return depth <= 8;
  if (node->kind == PL_NODE_BINARY &&
      (node->op == PL_OP_ADD || node->op == PL_OP_MUL ||
       node->op == PL_OP_DIV || node->op == PL_OP_REM || node->op == PL_OP_SHR))
    return pl_is_not_negative(n, node->kids[0], depth + 1) &&
           pl_is_not_negative(n, node->kids[1], depth + 1);
  if (node->kind == PL_NODE_CAST)
    return node->nkids && keeps_sign(node->kids[0]->type, node->type) &&
           pl_is_not_negative(n, node->kids[0], depth + 1);
  if (node->kind != PL_NODE_REF || !node->decl)
    return false;
  const pl_copy_loop *c = pl_loop_of_counter(n->loop, node->decl);
  if (c)
    return !c->chain && !c->down &&
           pl_begins_not_negative(n->loop, c->start, c->var->type) &&
           (!c->step || pl_steps_up(n->loop, c->step));
  if (only_grows(n, node->decl))
    return true;
  return pl_is_set_once(n->loop, node->decl) &&
         keeps_sign(node->decl->init->type, node->decl->type) &&
         pl_is_not_negative(n, node->decl->init, depth + 1);
}

static pl_slope slope_of_quotient(pl_neighbours *n, pl_node *node) {
  pl_slope left = pl_slope_of(n, node->kids[0]);
  if (!left.known || !is_flat(pl_slope_of(n, node->kids[1])))
    return unknown;
  if (left.by == 0)
    return left;
  bool rest = node->op == PL_OP_REM || node->op == PL_OP_AND;
  if (left.by != 1 || !pl_is_not_negative(n, node->kids[0], 0) ||
      !pl_is_multiple(n, node->kids[0]) || !divides_by_multiple(n, node))
    return unknown;
  return slope(rest ? 1 : 0);
}

static pl_slope slope_of_product(pl_neighbours *n, pl_node *node) {
  pl_slope a = pl_slope_of(n, node->kids[0]), b = pl_slope_of(n, node->kids[1]);
  int64_t factor;
  bool open;
  if (!a.known || !b.known || (a.by && b.by))
    return unknown;
  if (a.by == 0 && b.by == 0)
    return slope(0);
  pl_node *other = node->kids[a.by ? 1 : 0];
  if (!constant_value(n->loop, other, &factor, &open) || open ||
      factor < -64 || factor > 64)
    return unknown;
  return slope((a.by + b.by) * factor);
}

static pl_slope slope_of_binary(pl_neighbours *n, pl_node *node) {
  switch (node->op) {
  case PL_OP_ADD:
  case PL_OP_SUB: {
    pl_slope a = pl_slope_of(n, node->kids[0]);
    pl_slope b = pl_slope_of(n, node->kids[1]);
    int64_t sign = node->op == PL_OP_ADD ? 1 : -1;
    return a.known && b.known ? slope(a.by + sign * b.by) : unknown;
  }
  case PL_OP_MUL:
    return slope_of_product(n, node);
  case PL_OP_DIV:
  case PL_OP_REM:
  case PL_OP_SHR:
  case PL_OP_AND:
    return slope_of_quotient(n, node);
  default:
    return is_flat(pl_slope_of(n, node->kids[0])) &&
                   is_flat(pl_slope_of(n, node->kids[1]))
               ? slope(0)
               : unknown;
  }
}

static pl_slope slope_of_unary(pl_neighbours *n, pl_node *node) {
  if (node->op == PL_OP_ADDR)
    return pl_slope_of_place(n, node->kids[0]);
  if (node->op == PL_OP_DEREF)
    return slope_of_read(n, node);
  pl_slope of = pl_slope_of(n, node->kids[0]);
  if (node->op == PL_OP_PLUS)
    return of;
  if (node->op == PL_OP_MINUS && of.known)
    return slope(-of.by);
  return (node->op == PL_OP_NOT || node->op == PL_OP_LNOT) && is_flat(of)
             ? of
             : unknown;
}

/* `(int)x`, which keeps the slope of what cannot wrap in it. */
static pl_slope slope_of_cast(pl_neighbours *n, pl_node *node) {
  pl_slope of = node->nkids ? pl_slope_of(n, node->kids[0]) : unknown;
  bool index = node->type && node->type->kind == PL_TYPE_INT &&
               node->type->size >= 4;
  return index || is_flat(of) ? of : unknown;
}

static bool is_plain_function(const pl_node *call) {
  return pl_calls_builtin(call, "min") || pl_calls_builtin(call, "max") ||
         pl_calls_builtin(call, "__ldg");
}

static pl_slope slope_of_call(pl_neighbours *n, pl_node *call) {
  for (uint32_t i = 1; i < call->nkids; i++)
    if (!is_flat(pl_slope_of(n, call->kids[i])))
      return unknown;
  return is_plain_function(call) ? slope(0) : unknown;
}

static pl_slope slope_of_parts(pl_neighbours *n, pl_node *node) {
  switch (node->kind) {
  case PL_NODE_REF:
    return slope_of_name(n, node);
  case PL_NODE_CAST:
    return slope_of_cast(n, node);
  case PL_NODE_UNARY:
    return slope_of_unary(n, node);
  case PL_NODE_BINARY:
    return slope_of_binary(n, node);
  case PL_NODE_CALL:
    return slope_of_call(n, node);
  case PL_NODE_SUBSCRIPT:
  case PL_NODE_MEMBER:
    return slope_of_read(n, node);
  case PL_NODE_COND:
    for (uint32_t i = 0; i < node->nkids; i++)
      if (!is_flat(pl_slope_of(n, node->kids[i])))
        return unknown;
    return slope(0);
  default:
    return unknown;
  }
}

pl_slope pl_slope_of(pl_neighbours *n, pl_node *node) {
  node = pl_node_bare(node);
  if (!node || n->depth > MOST_DEPTH)
    return unknown;
  if (node->has_ival)
    return slope(0);
  if (node->kind == PL_NODE_REF && node->decl == n->counter)
    return slope(1);
  char axis = pl_index_axis(node, "threadIdx");
  if (axis && n->of_block)
    return axis == 'x' ? slope(1) : unknown;
  if (axis)
    return axis != 'x' && n->in_row ? slope(0) : unknown;
  if (pl_is_uniform(n->loop, node))
    return slope(0);
  n->depth++;
  pl_slope found = slope_of_parts(n, node);
  n->depth--;
  return found.by == 0 || is_index_type(node->type) ? found : unknown;
}

/* ---- comparisons --------------------------------------------------------- */

bool pl_is_order(pl_op op) {
  return op == PL_OP_LT || op == PL_OP_LE || op == PL_OP_GT || op == PL_OP_GE;
}

bool pl_compares_unsigned(const pl_node *cond) {
  for (uint32_t i = 0; i < 2; i++) {
    const pl_type *type = pl_no_reference(pl_node_bare(cond->kids[i])->type);
    if (!type || type->kind != PL_TYPE_INT || (type->is_unsigned && type->size >= 4))
      return true;
  }
  return false;
}
