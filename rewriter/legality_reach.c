/* legality_reach.c - do all threads of the block wait at the loop's barriers?
 *
 * Needs: effects of the loop's function and of its callers. Gives: whether
 * threads that do not come to the loop wait elsewhere, at as many barriers as
 * it has: those of a producer, in the other branch. Raises: PL2006.
 *
 * A barrier lets pass who has arrived, at whatever place of the text. A loop
 * with fewer barriers than before would leave such threads behind. */
#include "legality_parts.h"

#define MAX_CALLERS 8 /* one above the other, that are looked at */

typedef struct reach_walk {
  pl_loop *loop;
  const pl_func *func;   /* that is looked through */
  const pl_node *anchor; /* in it: the loop, or a call that leads there */
  int depth;
  const pl_node *found; /* a barrier of other threads */
} reach_walk;

static const pl_node *barrier_in(const reach_walk *w, pl_node *arm) {
  pl_effects effects = {0};
  pl_effects_of(w->loop->effects, w->func, arm, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind == PL_EFFECT_BARRIER ||
        effects.items[i].kind == PL_EFFECT_SPECIAL_BARRIER)
      return effects.items[i].node;
  return NULL;
}

/* The first part of a node's that waits, and does not hold the anchor. */
static const pl_node *waits_apart(const reach_walk *w, const pl_node *node,
                                  uint32_t from) {
  const pl_node *found = NULL;
  for (uint32_t i = from; i < node->nkids && !found; i++)
    if (node->kids[i] && !pl_node_within(w->anchor, node->kids[i]))
      found = barrier_in(w, node->kids[i]);
  return found;
}

/* What a branch chooses among, whose first part says which; NULL: none. A switch
 * chooses among the statements of its body. */
static const pl_node *choices(const pl_node *node, uint32_t *from) {
  bool is_switch = node->kind == PL_NODE_SWITCH && node->nkids > 1;
  bool sides = node->kind == PL_NODE_IF || node->kind == PL_NODE_COND ||
               (node->kind == PL_NODE_BINARY &&
                (node->op == PL_OP_LAND || node->op == PL_OP_LOR));
  *from = is_switch ? 0 : 1;
  return is_switch ? node->kids[1] : sides ? node : NULL;
}

static bool find_waiting(pl_node *node, void *context) {
  reach_walk *w = context;
  if (node == w->anchor || node == w->loop->node || w->found)
    return false;
  uint32_t from;
  const pl_node *among = choices(node, &from);
  const pl_node *waits = among ? waits_apart(w, among, from) : NULL;
  if (waits && !pl_is_uniform(w->loop, node->kids[0]))
    w->found = waits;
  return !w->found;
}

/* The search for calls of a function. */
typedef struct call_walk {
  const reach_walk *below;
  reach_walk above;
} call_walk;

static void look_through(reach_walk *w);

static bool find_calls(pl_node *node, void *context) {
  call_walk *c = context;
  if (node->kind == PL_NODE_CALL && node->decl &&
      node->decl->func == c->below->func && !c->above.found) {
    c->above.anchor = node;
    look_through(&c->above);
  }
  return !c->above.found;
}

static void look_through(reach_walk *w) {
  const pl_unit *unit = w->loop->unit;
  pl_node_walk(w->func->body, find_waiting, w);
  if (w->func->is_global || w->depth == MAX_CALLERS)
    return;
  for (uint32_t i = 0; i < unit->nfuncs && !w->found; i++) {
    call_walk c = {.below = w,
                   .above = {.loop = w->loop,
                             .func = unit->funcs[i],
                             .depth = w->depth + 1}};
    if (unit->funcs[i]->body && unit->funcs[i] != w->func)
      pl_node_walk(unit->funcs[i]->body, find_calls, &c);
    w->found = c.above.found;
  }
}

bool pl_check_reach(pl_loop *loop) {
  reach_walk w = {.loop = loop, .func = loop->func, .anchor = loop->node};
  look_through(&w);
  if (!w.found)
    return true;
  pl_refuse(loop, false, "PL2006", NULL,
            "threads of the block that do not come to this loop wait for it at "
            "another barrier");
  pl_loop_note(loop, w.found, "they wait here");
  return false;
}
