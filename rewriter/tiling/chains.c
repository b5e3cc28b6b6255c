/* chains.c - copy loops that are not `for (i = start; i < bound; i += step)`.
 *
 * Needs: a loop that copy_loops.c cannot count. Gives: how often it runs at
 * most. Raises nothing: what does not count has no variable.
 *
 * while and do loops, endless ones with a break, several variables, steps in
 * the body: their text is kept as it stands, with a counter of iterations
 * beside it that says which register is meant. One variable has to step towards
 * a bound, so that there is a largest number of iterations; breaks and other
 * conditions only make it less. One that steps down is counted as in a mirror:
 * from its bound up to where it starts. */
#include "cfg.h"
#include "copies.h"
#include "values.h"

/* ---- steps ---------------------------------------------------------------- */

typedef struct step_scan {
  pl_loop *loop;
  const pl_node *within; /* the copy loop, or the whole function */
  const pl_decl *var;
  bool down;         /* steps are those that subtract */
  pl_node *first;    /* what the first step adds, NULL: one */
  size_t steps;      /* `var += amount` by a known amount above zero */
  size_t plain;      /* of them: in the header, or a statement of the body */
  size_t setters;    /* initialiser and `var = value` */
  pl_node *setter;
  bool other;        /* something else may change it */
} step_scan;

/* 4294967295u is a step back. */
static bool is_positive(pl_loop *loop, pl_node *amount) {
  int64_t value;
  bool assumed = false;
  return pl_loop_eval(loop, NULL, amount, &value, &assumed)
             ? value > 0 && value <= INT32_MAX
             : pl_steps_up(loop, amount);
}

/* The part of a condition that a counter is asked by: `q--` of `q-- > 0`. */
static const pl_node *asked_part(const pl_node *cond) {
  cond = cond ? pl_node_bare((pl_node *)cond) : NULL;
  if (!cond || cond->kind != PL_NODE_BINARY)
    return cond;
  return cond->op == PL_OP_GT || cond->op == PL_OP_NE
             ? pl_node_bare(cond->kids[0])
             : NULL;
}

/* `while (q-- > 0)`, `for (int q = 4; q--;)`: the step that the condition makes
 * each time. One behind the body would be a round late. */
static bool is_asked_step(const pl_node *within, const pl_node *step) {
  return within->kind != PL_NODE_DO && step->op == PL_OP_POSTDEC &&
         asked_part(pl_inner_cond(within)) == step;
}

/* Whether a step is done in every iteration that ends. */
static bool is_plain_step(const pl_node *within, const pl_node *step) {
  const pl_node *body = pl_node_loop_body(within);
  if (!body)
    return false;
  const pl_node *jump = pl_cfg_jump_out(body, PL_JUMP_CONTINUE);
  if (is_asked_step(within, step) ||
      (within->kind == PL_NODE_FOR && pl_node_within(step, within->kids[2])))
    return true;
  return (step->parent == body || step == body) &&
         (!jump || jump->range.begin > step->range.begin);
}

static void add_step(step_scan *scan, pl_node *node, pl_node *amount) {
  if (amount && !is_positive(scan->loop, amount)) {
    scan->other = true;
    return;
  }
  if (is_plain_step(scan->within, node)) {
    if (!scan->plain++)
      scan->first = amount;
  }
  scan->steps++;
}

/* What `var = var + amount` adds, or `var = var - amount` subtracts, NULL: the
 * assignment is none. */
static pl_node *added_amount(const step_scan *scan, const pl_node *assign) {
  pl_node *sum = pl_node_bare(assign->kids[1]);
  if (sum->kind != PL_NODE_BINARY ||
      sum->op != (scan->down ? PL_OP_SUB : PL_OP_ADD))
    return NULL;
  if (pl_names_var(sum->kids[0], scan->var))
    return sum->kids[1];
  return !scan->down && pl_names_var(sum->kids[1], scan->var) ? sum->kids[0]
                                                              : NULL;
}

static void scan_assign(step_scan *scan, pl_node *node) {
  pl_node *amount = added_amount(scan, node);
  if (node->op == (scan->down ? PL_OP_SUB : PL_OP_ADD)) {
    add_step(scan, node, node->kids[1]);
  } else if (node->op != PL_OP_ASSIGN) {
    scan->other = true;
  } else if (amount) {
    add_step(scan, node, amount);
  } else {
    scan->setters++;
    scan->setter = node->kids[1];
  }
}

/* `var++`, `--var`, `&var`. */
static void scan_unary(step_scan *scan, pl_node *node) {
  bool up = node->op == PL_OP_PREINC || node->op == PL_OP_POSTINC;
  bool down = node->op == PL_OP_PREDEC || node->op == PL_OP_POSTDEC;
  if (scan->down ? down : up)
    add_step(scan, node, NULL);
  else
    scan->other = scan->other || up || down || node->op == PL_OP_ADDR;
}

static bool scan_steps(pl_node *node, void *context) {
  step_scan *scan = context;
  if (node->kind == PL_NODE_VAR && node->decl == scan->var && node->nkids &&
      node->kids[0]) {
    scan->setters++;
    scan->setter = node->kids[0];
  } else if (node->kind == PL_NODE_ASSIGN &&
             pl_names_var(node->kids[0], scan->var)) {
    scan_assign(scan, node);
  } else if (node->kind == PL_NODE_UNARY &&
             pl_names_var(node->kids[0], scan->var)) {
    scan_unary(scan, node);
  } else {
    scan->other = scan->other || pl_may_set(node, scan->var);
  }
  return true;
}

static step_scan scan_in(pl_loop *loop, const pl_copy_loop *c, pl_node *text,
                         const pl_decl *var) {
  step_scan scan = {
      .loop = loop, .within = c->node, .var = var, .down = c->down};
  pl_node_walk(text, scan_steps, &scan);
  return scan;
}

/* ---- bounds --------------------------------------------------------------- */

/* A number that no text stands for; it is compared as what it is. */
static pl_node *number_node(pl_loop *loop, int64_t value) {
  static const pl_type number = {.kind = PL_TYPE_INT, .size = 8, .align = 8};
  pl_node *node = PL_NEW(loop->arena, pl_node);
  node->kind = PL_NODE_INT;
  node->type = &number;
  node->has_ival = true;
  node->ival = value;
  return node;
}

static bool is_counter(const pl_decl *decl) {
  return decl && decl->kind == PL_DECL_VAR && decl->owner && !decl->is_shared &&
         decl->type && decl->type->kind == PL_TYPE_INT;
}

/* Whether what is stepped by several steps between two looks at it may have wrapped
 * then. */
static bool may_wrap(const pl_type *type) {
  return type->kind == PL_TYPE_INT && (type->size < 4 || type->is_unsigned);
}

/* A variable that nothing but its step moves on, up to a bound that does not hang
 * on it. */
static bool take_counter(pl_loop *loop, pl_copy_loop *c, pl_decl *var,
                         pl_node *bound, bool inclusive) {
  step_scan steps = scan_in(loop, c, c->node, var);
  if (steps.other || !steps.plain || pl_mentions(bound, var) ||
      (steps.steps > 1 && may_wrap(var->type)))
    return false;
  c->var = var;
  c->bound = bound;
  c->inclusive = inclusive;
  c->step = steps.first;
  return true;
}

/* `var < bound`, `var + ahead <= bound`, as the left and right side say. */
static bool take_bound(pl_loop *loop, pl_copy_loop *c, pl_node *left,
                       pl_node *right, bool inclusive) {
  left = pl_node_bare(left);
  c->ahead = NULL;
  c->down = c->wraps = c->asks = false;
  if (left->kind == PL_NODE_BINARY && left->op == PL_OP_ADD) {
    c->ahead = left->kids[1];
    left = pl_node_bare(left->kids[0]);
  }
  if (left->kind != PL_NODE_REF || !is_counter(left->decl))
    return false;
  return take_counter(loop, c, left->decl, right, inclusive);
}

/* Whether what is compared with makes a comparison one without signs. */
static bool takes_sign(const pl_decl *var, const pl_node *right) {
  const pl_type *type = right->type;
  return type && type->is_unsigned && type->size >= 4 &&
         type->size >= var->type->size;
}

/* `q + a` as `q`, and *low less by as much; false: no numbers say so. */
static bool drop_addend(pl_loop *loop, pl_node **left, pl_node **low) {
  pl_node *sum = *left;
  int64_t addend, bound;
  if (sum->kind != PL_NODE_BINARY || sum->op != PL_OP_ADD)
    return true;
  if (!sum->type || sum->type->kind != PL_TYPE_INT || sum->type->is_unsigned ||
      ((*low)->type && (*low)->type->is_unsigned) ||
      pl_is_open(sum->kids[1]) || pl_is_open(*low) ||
      !pl_loop_eval(loop, NULL, sum->kids[1], &addend, NULL) ||
      !pl_loop_eval(loop, NULL, *low, &bound, NULL))
    return false;
  *left = pl_node_bare(sum->kids[0]);
  *low = number_node(loop, bound - addend);
  return true;
}

/* The variable that a condition asks, and may step while it does. */
static pl_decl *asked_counter(pl_copy_loop *c, pl_node *left) {
  c->asks = left->kind == PL_NODE_UNARY && is_asked_step(c->node, left);
  if (c->asks)
    left = pl_node_bare(left->kids[0]);
  return left->kind == PL_NODE_REF && is_counter(left->decl) ? left->decl : NULL;
}

/* Whether a loop takes one off its variable in every round, and nothing else. */
static bool steps_by_one(pl_loop *loop, const pl_copy_loop *c,
                         const pl_decl *var) {
  step_scan steps = scan_in(loop, c, c->node, var);
  return steps.steps == 1 && steps.plain == 1 && !steps.first;
}

/* `var > low`, `var >= low`, `var-- > low` of a variable that steps down. One
 * without a sign would wrap, and never be below zero: it has to be asked before
 * each step of one. */
static bool take_low(pl_loop *loop, pl_copy_loop *c, pl_node *left,
                     pl_node *right, bool inclusive) {
  left = pl_node_bare(left);
  c->ahead = NULL;
  c->down = true;
  pl_decl *var = drop_addend(loop, &left, &right) ? asked_counter(c, left)
                                                  : NULL;
  if (!var)
    return false;
  c->wraps = var->type->is_unsigned || takes_sign(var, right);
  if (c->wraps && (!c->asks || inclusive || var->type->size < 4 ||
                   !steps_by_one(loop, c, var)))
    return false;
  return take_counter(loop, c, var, right, inclusive);
}

/* `while (var--)`, `var != 0`: as `var > 0` where it begins above, and each step
 * takes one off. */
static bool take_nonzero(pl_loop *loop, pl_copy_loop *c, pl_node *left) {
  left = pl_node_bare(left);
  c->ahead = NULL;
  c->down = c->wraps = true;
  pl_decl *var = asked_counter(c, left);
  return var && var->type->size >= 4 && steps_by_one(loop, c, var) &&
         take_counter(loop, c, var, number_node(loop, 0), false);
}

/* Takes a bound from a condition that holds in every iteration (`holds`), or
 * does not. */
static bool bound_from(pl_loop *loop, pl_copy_loop *c, pl_node *cond,
                       bool holds) {
  cond = cond ? pl_node_bare(cond) : NULL;
  if (!cond)
    return false;
  if (cond->kind == PL_NODE_UNARY && cond->op == PL_OP_LNOT)
    return bound_from(loop, c, cond->kids[0], !holds);
  if (cond->kind != PL_NODE_BINARY)
    return holds && take_nonzero(loop, c, cond);
  pl_op op = cond->op;
  pl_node *left = cond->kids[0], *right = cond->kids[1];
  if (op == (holds ? PL_OP_LAND : PL_OP_LOR))
    return bound_from(loop, c, left, holds) || bound_from(loop, c, right, holds);
  if (op == (holds ? PL_OP_NE : PL_OP_EQ))
    return right->has_ival && right->ival == 0 && take_nonzero(loop, c, left);
  bool below = op == (holds ? PL_OP_LT : PL_OP_GE);
  bool at_most = op == (holds ? PL_OP_LE : PL_OP_GT);
  if (below || at_most)
    return take_bound(loop, c, left, right, at_most) ||
           take_low(loop, c, right, left, at_most);
  bool above = op == (holds ? PL_OP_GT : PL_OP_LE);
  bool at_least = op == (holds ? PL_OP_GE : PL_OP_LT);
  return (above || at_least) && (take_bound(loop, c, right, left, at_least) ||
                                 take_low(loop, c, left, right, at_least));
}

/* `for (...; ; ...) { if (i >= bound) break; ...`: the condition of the break. */
static pl_node *leading_break(const pl_node *node) {
  pl_node *body = pl_node_loop_body(node);
  pl_node *first = body && body->kind == PL_NODE_COMPOUND && body->nkids
                       ? body->kids[0]
                       : NULL;
  return first && first->kind == PL_NODE_IF &&
                 pl_is_only(first->kids[1], PL_NODE_BREAK) &&
                 (first->nkids < 3 || !first->kids[2])
             ? first->kids[0]
             : NULL;
}

static bool is_endless(const pl_unit *unit, const pl_node *cond) {
  return !cond || (cond->has_ival && cond->ival != 0 && !pl_build_may_change(unit, cond));
}

/* ---- starts --------------------------------------------------------------- */

static bool is_set_in_header(const pl_copy_loop *c) {
  const pl_node *init =
      c->node->kind == PL_NODE_FOR ? c->node->kids[0] : NULL;
  return init && pl_mentions(init, c->var);
}

static pl_node *header_setter(pl_loop *loop, const pl_copy_loop *c) {
  step_scan scan = scan_in(loop, c, c->node->kids[0], c->var);
  return scan.setters == 1 && !scan.steps && !scan.other ? scan.setter : NULL;
}

/* What the variable holds at least when the loop begins. */
static bool find_start(pl_loop *loop, pl_copy_loop *c) {
  pl_node *init = c->node->kind == PL_NODE_FOR ? c->node->kids[0] : NULL;
  c->declares = c->var->node && init && pl_node_within(c->var->node, init);
  if (c->declares || is_set_in_header(c)) {
    c->start = c->declares ? c->var->init : header_setter(loop, c);
    return c->start != NULL;
  }
  step_scan all = scan_in(loop, c, c->var->owner->body, c->var);
  c->start = all.setter;
  return all.setters == 1 && !all.other;
}

/* Whether a variable begins anew with each run of the loop and ends with it: how
 * often it is asked is then of no account. */
static bool is_loops_own(const pl_copy_loop *c) {
  const pl_node *decl = c->var->node ? c->var->node->parent : NULL;
  if (c->declares)
    return true;
  if (!is_set_in_header(c) &&
      !(decl && decl->parent == c->node->parent && decl->parent &&
        decl->parent->kind == PL_NODE_COMPOUND))
    return false;
  return pl_count_names(c->var->owner->body, c->var) ==
         pl_count_names(c->node, c->var);
}

static bool is_relation(const pl_node *cond) {
  cond = cond ? pl_node_bare((pl_node *)cond) : NULL;
  return cond && cond->kind == PL_NODE_BINARY &&
         (cond->op == PL_OP_LT || cond->op == PL_OP_GT);
}

/* `for (; i + 64 < n; i += 128) ...; for (; i < n; i += 64)`: what the second
 * loop finds is what the first one's condition left. */
static void take_remainder(pl_loop *loop, pl_copy_loop *c) {
  const pl_node *block = c->node->parent;
  const pl_node *before = NULL;
  for (uint32_t i = 1; block && block->kind == PL_NODE_COMPOUND &&
                       i < block->nkids; i++)
    if (block->kids[i] == c->node)
      before = block->kids[i - 1];
  if (!before || c->down || !pl_node_is_loop(before) ||
      before->kind == PL_NODE_DO || !is_relation(pl_inner_cond(before)) ||
      !pl_node_loop_body(before) || is_set_in_header(c) ||
      pl_cfg_jump_out(pl_node_loop_body(before), PL_JUMP_BREAK))
    return;
  pl_copy_loop first = {.node = (pl_node *)before};
  if (!bound_from(loop, &first, pl_inner_cond(before), true) ||
      first.var != c->var || !first.ahead || first.inclusive || c->inclusive ||
      c->ahead || !pl_same_text(loop->unit, first.bound, c->bound))
    return;
  c->start = number_node(loop, 0);
  c->bound = first.ahead;
}

/* `i + ahead < bound` is stricter than `i < bound`, unless the sum wraps. */
static bool drop_ahead(pl_loop *loop, pl_copy_loop *c) {
  int64_t ahead = 0;
  if (!c->ahead)
    return true;
  const pl_type *type = c->ahead->type;
  bool signs = !c->var->type->is_unsigned && !(type && type->is_unsigned);
  if (!signs && !pl_not_negative(loop, c->start))
    return false;
  bool known = pl_loop_eval(loop, NULL, c->ahead, &ahead, NULL);
  if (c->inclusive ? !known || ahead < 1 : !pl_not_negative(loop, c->ahead))
    return false;
  c->ahead = NULL;
  c->inclusive = false;
  return true;
}

/* Counts a variable that steps down as one that steps up from its bound to its
 * start; what the start is less by is not known, and only makes it less. */
static void mirror(pl_loop *loop, pl_copy_loop *c) {
  pl_node *low = c->bound, *high = pl_node_bare(c->start);
  int64_t value;
  while (high->kind == PL_NODE_BINARY && high->op == PL_OP_SUB && !c->wraps &&
         c->var->type->size == 4 &&
         !pl_loop_eval(loop, NULL, high->kids[1], &value, NULL) &&
         pl_not_negative(loop, high->kids[1]))
    high = pl_node_bare(high->kids[0]);
  c->start = low;
  c->bound = high;
}

/* ---- the whole loop ------------------------------------------------------- */

/* Whether what is left after the counted iterations can be done by the loop's
 * own text once more: it begins with its condition, and leaves only there. */
static bool resumes(const pl_copy_loop *c) {
  const pl_node *body = pl_node_loop_body(c->node);
  if (c->node->kind == PL_NODE_DO)
    return false;
  if (!leading_break(c->node))
    return !pl_cfg_jump_out(body, PL_JUMP_BREAK);
  for (uint32_t i = 1; i < body->nkids; i++)
    if (pl_cfg_jump_out(body->kids[i], PL_JUMP_BREAK))
      return false;
  return true;
}

bool pl_describe_chain(pl_loop *loop, const pl_fill *fill, pl_copy_loop *c) {
  (void)fill;
  pl_node *body = pl_node_loop_body(c->node);
  pl_node *cond = pl_inner_cond(c->node);
  c->var = NULL;
  c->chain = true;
  if (!body || pl_cfg_jump_out(body, PL_JUMP_AWAY) ||
      (c->node->kind == PL_NODE_DO && pl_cfg_jump_out(body, PL_JUMP_CONTINUE)))
    return false;
  if (!bound_from(loop, c, cond, true) &&
      !(is_endless(loop->unit, cond) && bound_from(loop, c, leading_break(c->node), false)))
    return false;
  if (!find_start(loop, c) || !drop_ahead(loop, c) ||
      ((c->asks || c->wraps) && !is_loops_own(c))) {
    c->var = NULL;
    return false;
  }
  take_remainder(loop, c);
  if (c->down)
    mirror(loop, c);
  c->numeric = c->inclusive || c->down;
  c->resumes = resumes(c);
  return true;
}
