/* legality_reach.c - do all threads of the block wait at the loop's barriers?
 *
 * Needs: effects of the loop's function and of its callers. Gives: whether
 * threads that do not come to the loop wait elsewhere, at as many barriers as
 * it has: those of a producer, in the other branch. Raises: PL2006.
 *
 * A barrier lets pass who has arrived, at whatever place of the text. A loop
 * with fewer barriers than before would leave such threads behind. */
#include "assembly.h"
#include "call_summary.h"
#include "cfg.h"
#include "legality_parts.h"

#include <string.h>

typedef struct reach_walk {
  pl_loop *loop;
  const pl_func *func;   /* that is looked through */
  const pl_node *anchor; /* in it: the loop, or a call that leads there */
  const pl_node *found; /* a barrier of other threads */
} reach_walk;

/* Whether assembly waits at a barrier of a number of its own alone: none of the
 * loop's. */
static bool is_numbered(const reach_walk *w, const pl_node *node) {
  if (node->kind != PL_NODE_ASM)
    return false;
  bool numbered = false;
  for (pl_ptx p = {.text = pl_assembly_text(w->loop->unit, node)}; pl_ptx_next(&p);) {
    if (!pl_str_starts(p.opcode, "bar"))
      continue;
    numbered = p.noperands && p.operands[0].p[0] >= '1' && p.operands[0].p[0] <= '9';
    if (!numbered)
      return false;
  }
  return numbered;
}

static bool waits(const reach_walk *w, pl_node *node) {
  pl_effects effects = {0};
  if (node->kind != PL_NODE_CALL && node->kind != PL_NODE_ASM)
    return false;
  pl_effects_of(w->loop->effects, w->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind == PL_EFFECT_BARRIER ||
        (effects.items[i].kind == PL_EFFECT_SPECIAL_BARRIER &&
         !is_numbered(w, effects.items[i].node)))
      return true;
  return false;
}

/* The condition of a branch around `part` that not all threads of the block answer
 * alike; NULL: it is none, or they do. */
static pl_node *parting(const reach_walk *w, pl_node *up, const pl_node *part) {
  pl_node *cond = pl_node_is_loop(up) ? NULL : pl_condition_of(up, part);
  return cond && !pl_is_uniform(w->loop, cond) ? cond : NULL;
}

/* Whether a barrier is in an arm of such a branch in which the anchor is not. A
 * switch chooses among the statements of its body. */
static bool is_in_other_arm(const reach_walk *w, const pl_node *node) {
  const pl_node *arm = node;
  for (const pl_node *at = node; at->parent; at = at->parent) {
    if (at->parent->kind != PL_NODE_SWITCH)
      arm = at;
    if (!pl_node_within(w->anchor, arm) && parting(w, at->parent, at))
      return true;
  }
  return false;
}

/* A barrier that no thread comes to in the iteration in which it comes to the
 * anchor. */
typedef struct other_walk {
  const reach_walk *w;
  const pl_node *barrier, *iteration; /* of the innermost loop around both */
  bool found;
} other_walk;

static const pl_node *loop_around(const pl_node *a, const pl_node *b) {
  const pl_node *at = a->parent;
  while (at && !(pl_node_is_loop(at) && pl_node_within(b, at)))
    at = at->parent;
  return at;
}

/* Whether threads come to the barrier that part from others at a branch around a
 * node. */
static bool parts_at(const other_walk *o, const pl_node *node) {
  for (const pl_node *at = node; at->parent; at = at->parent) {
    const pl_node *cond = parting(o->w, at->parent, at);
    if (cond && pl_cfg_may_reach(cond, o->barrier, o->iteration) != PL_NO)
      return true;
  }
  return false;
}

static bool look_at_goto(pl_node *jump, void *context) {
  other_walk *o = context;
  o->found = o->found || (jump->kind == PL_NODE_GOTO && parts_at(o, jump));
  return !o->found;
}

/* `if (consumer) { the loop; return; }`: whether a barrier behind is one of threads
 * that do not come to the anchor. */
static bool is_for_others(const reach_walk *w, const pl_node *node) {
  other_walk o = {w, node, loop_around(w->anchor, node), false};
  if (pl_in_lambda(node) ||
      pl_cfg_are_exclusive(w->anchor, node, o.iteration) == PL_NO)
    return false;
  pl_cfg_each_jump(w->func->body, look_at_goto, &o);
  return o.found || parts_at(&o, w->anchor);
}

static bool find_waiting(pl_node *node, void *context) {
  reach_walk *w = context;
  if (node == w->anchor || node == w->loop->node || w->found)
    return false;
  if (waits(w, node) && (is_in_other_arm(w, node) || is_for_others(w, node)))
    w->found = node;
  return !w->found;
}

static bool look_around_call(const pl_func *caller, pl_node *call,
                             void *context) {
  reach_walk *w = context;
  w->func = caller;
  w->anchor = call;
  pl_node_walk(caller->body, find_waiting, w);
  return !w->found;
}

bool pl_check_reach(pl_loop *loop) {
  reach_walk w = {.loop = loop, .func = loop->func, .anchor = loop->node};
  pl_node_walk(loop->func->body, find_waiting, &w);
  if (!w.found)
    pl_each_call_to(loop->unit, loop->func, look_around_call, &w);
  if (!w.found)
    return true;
  pl_refuse(loop, false, "PL2006", NULL,
            "threads of the block that do not come to this loop wait for it at "
            "another barrier");
  pl_loop_note(loop, w.found, "they wait here");
  return false;
}
