/* legality_reach.c - do all threads of the block wait at the loop's barriers?
 *
 * Needs: effects of the loop's function and of its callers. Gives: whether
 * threads that do not come to the loop wait elsewhere, at as many barriers as
 * it has: those of a producer, in the other branch. Raises: PL2006.
 *
 * A barrier lets pass who has arrived, at whatever place of the text. A loop
 * with fewer barriers than before would leave such threads behind. */
#include "call_summary.h"
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
  pl_str text = pl_assembly_text(w->loop->unit, node);
  bool numbered = false;
  for (size_t i = 1; i + 3 < text.n; i++) {
    if (memcmp(text.p + i, "bar", 3) != 0 || !strchr(" \t\n;:{}", text.p[i - 1]))
      continue;
    while (i < text.n && !strchr(" \t\n;", text.p[i]))
      i++;
    while (i < text.n && strchr(" \t\n", text.p[i]))
      i++;
    numbered = i < text.n && text.p[i] >= '1' && text.p[i] <= '9';
    if (!numbered)
      return false;
  }
  return numbered;
}

static const pl_node *barrier_in(const reach_walk *w, pl_node *arm) {
  pl_effects effects = {0};
  pl_effects_of(w->loop->effects, w->func, arm, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind == PL_EFFECT_BARRIER ||
        (effects.items[i].kind == PL_EFFECT_SPECIAL_BARRIER &&
         !is_numbered(w, effects.items[i].node)))
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

/* How control leaves at the end of a statement; EMPTY: it goes on to the next. */
static pl_node_kind leaves_by(const pl_node *node) {
  while (node && node->kind == PL_NODE_COMPOUND)
    node = node->nkids ? node->kids[node->nkids - 1] : NULL;
  bool jumps = node && (node->kind == PL_NODE_RETURN ||
                        node->kind == PL_NODE_CONTINUE ||
                        node->kind == PL_NODE_BREAK);
  return jumps ? node->kind : PL_NODE_EMPTY;
}

/* Walking out from the anchor: how its threads have left, and whether others
 * have parted from them since. */
typedef struct way_out {
  pl_node_kind left;
  bool parted;
} way_out;

static void look_behind(reach_walk *w, way_out *way, const pl_node *block,
                        const pl_node *at) {
  uint32_t i = 0;
  while (i < block->nkids && block->kids[i] != at)
    i++;
  for (i++; i < block->nkids && !w->found; i++) {
    pl_node *kid = block->kids[i];
    if (way->left != PL_NODE_EMPTY && way->parted)
      w->found = barrier_in(w, kid);
    if (way->left == PL_NODE_EMPTY)
      *way = (way_out){leaves_by(kid), false};
  }
}

/* `if (consumer) { the loop; return; }`: behind the branch are the others. */
static void find_behind(reach_walk *w) {
  way_out way = {PL_NODE_EMPTY, false};
  const pl_node *at = w->anchor;
  for (; at->parent && !w->found; at = at->parent) {
    pl_node *up = at->parent;
    bool is_switch = up->kind == PL_NODE_SWITCH;
    if (up->kind == PL_NODE_COMPOUND)
      look_behind(w, &way, up, at);
    if ((pl_node_is_loop(up) && way.left != PL_NODE_RETURN) ||
        (is_switch && way.left == PL_NODE_BREAK))
      way.left = PL_NODE_EMPTY;
    if ((up->kind == PL_NODE_IF || is_switch) && up->kids[0] != at)
      way.parted = way.parted || !pl_is_uniform(w->loop, up->kids[0]);
  }
}

static void look_through(reach_walk *w) {
  pl_node_walk(w->func->body, find_waiting, w);
  find_behind(w);
}

static bool look_around_call(const pl_func *caller, pl_node *call,
                             void *context) {
  reach_walk *w = context;
  w->func = caller;
  w->anchor = call;
  look_through(w);
  return !w->found;
}

bool pl_check_reach(pl_loop *loop) {
  reach_walk w = {.loop = loop, .func = loop->func, .anchor = loop->node};
  look_through(&w);
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
