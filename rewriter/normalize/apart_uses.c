/* apart_uses.c - does a text set a variable before it reads it?
 *
 * Needs: effects. Gives: what comes first, of a statement or of some that are run one
 * after the other. Raises nothing. */
#include "apart.h"
#include "cfg.h"

static bool branches_within(const pl_node *node) {
  if (!node)
    return false;
  if (node->kind == PL_NODE_COND || node->kind == PL_NODE_LAMBDA ||
      (node->kind == PL_NODE_BINARY &&
       (node->op == PL_OP_LAND || node->op == PL_OP_LOR)))
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (branches_within(node->kids[i]))
      return true;
  return false;
}

/* Of an expression, or a statement that is none but one. */
static pl_first_use first_in_expression(const pl_apart *a, pl_node *node) {
  pl_effects effects = {0};
  if (!node || !pl_mentions(node, a->decl))
    return PL_NO_USE;
  pl_effects_of(a->loop->effects, a->loop->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    if (effect->root.decl != a->decl)
      continue;
    bool sets = effect->kind == PL_EFFECT_WRITE && effect->whole &&
                effect->direct && !effect->by_call && !effect->root.member.n;
    return sets && !branches_within(node) ? PL_SETS : PL_READS;
  }
  return PL_READS; /* named in a way that has no effect: not looked into */
}

/* What two parts do that are run one after the other, the second one perhaps not. */
pl_first_use pl_then(pl_first_use first, pl_first_use second, bool always) {
  if (first != PL_NO_USE)
    return first;
  return second == PL_READS || always ? second : PL_NO_USE;
}

static pl_first_use first_in_branch(const pl_apart *a, const pl_node *node) {
  pl_first_use asks = first_in_expression(a, node->kids[0]);
  pl_first_use yes = pl_first_of(a, node->kids[1]);
  pl_first_use no = node->nkids > 2 ? pl_first_of(a, node->kids[2]) : PL_NO_USE;
  if (pl_if_has_init(node))
    return pl_mentions(node, a->decl) ? PL_READS : PL_NO_USE;
  if (asks != PL_NO_USE)
    return asks;
  if (yes == PL_READS || no == PL_READS)
    return PL_READS;
  return yes == PL_SETS && no == PL_SETS ? PL_SETS : PL_NO_USE;
}

/* What a loop does that may run no time at all: a step or test finds what the body
 * has not set, where that is left early. */
static pl_first_use first_in_for(const pl_apart *a, const pl_node *node) {
  pl_first_use body = pl_first_of(a, node->kids[3]);
  pl_first_use step = first_in_expression(a, node->kids[2]);
  pl_first_use head = pl_then(first_in_expression(a, node->kids[0]),
                        first_in_expression(a, node->kids[1]), true);
  return pl_then(head, body == PL_READS ? PL_READS : step, false);
}

static pl_first_use first_in_do(const pl_apart *a, const pl_node *node) {
  if (pl_cfg_jump_out(node->kids[0], PL_JUMP_LOOP))
    return PL_READS;
  return pl_then(pl_first_of(a, node->kids[0]),
              first_in_expression(a, node->kids[1]), true);
}

static pl_first_use first_in_block(const pl_apart *a, const pl_node *node) {
  pl_first_use so_far = PL_NO_USE;
  for (uint32_t i = 0; i < node->nkids; i++)
    so_far = pl_then(so_far, pl_first_of(a, node->kids[i]), true);
  return so_far;
}

pl_first_use pl_first_of(const pl_apart *a, pl_node *node) {
  if (!node || !pl_mentions(node, a->decl))
    return PL_NO_USE;
  switch (node->kind) {
  case PL_NODE_COMPOUND:
    return first_in_block(a, node);
  case PL_NODE_IF:
    return first_in_branch(a, node);
  case PL_NODE_FOR:
    return first_in_for(a, node);
  case PL_NODE_WHILE:
    return pl_then(first_in_expression(a, node->kids[0]),
                pl_first_of(a, node->kids[1]), false);
  case PL_NODE_DO:
    return first_in_do(a, node);
  case PL_NODE_ASSIGN:
  case PL_NODE_DECL_STMT:
  case PL_NODE_CALL:
  case PL_NODE_UNARY:
  case PL_NODE_BINARY:
    return first_in_expression(a, node);
  default:
    return PL_READS;
  }
}
