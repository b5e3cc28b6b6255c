/* participants.c - do the same threads of the block run each iteration?
 *
 * Needs: divergence analysis (uniform.c), what is entered again (entries.c).
 * Gives: tiles marked partial where a thread that is no longer in the loop, or not
 * this time that it is reached, leaves its cells as they were. Raises nothing.
 *
 * Such a cell keeps the last tile that it was filled for. One buffer shows that as
 * the original does, and several show an older one: it is as with a guard around
 * the store. Threads that never come to the loop fill nothing in any iteration. */
#include "assembly.h"
#include "call_summary.h"
#include "cfg.h"
#include "divergence.h"
#include "varies.h"

typedef struct thread_walk {
  pl_loop *again;         /* the function's body taken for the loop */
  pl_loop *loop;          /* NULL: in a caller, of which nothing is asked but
                             whether it differs between threads */
  const pl_node *anchor;  /* the loop, or the call that leads to it */
  bool vary;
} thread_walk;

/* Whether a condition sorts threads, and not the same ones each time. */
static bool sorts(const thread_walk *w, pl_node *cond) {
  return cond && !pl_is_uniform(w->again, cond) &&
         (!w->loop || pl_ever_varies(w->loop, cond));
}

static bool range_sorts(const thread_walk *w, const pl_node *loop) {
  const pl_node *body = pl_node_loop_body((pl_node *)loop);
  for (uint32_t i = 0; loop->kind == PL_NODE_RANGE_FOR && i < loop->nkids; i++)
    if (loop->kids[i] != body && sorts(w, loop->kids[i]))
      return true;
  return false;
}

/* Whether one of the branches and loops around a node, up to `end`, does. */
static bool is_sorted(const thread_walk *w, const pl_node *node,
                      const pl_node *end) {
  for (const pl_node *at = node; at->parent && at != end; at = at->parent)
    if (sorts(w, pl_condition_of(at->parent, at)) || range_sorts(w, at->parent))
      return true;
  return false;
}

/* Whether a jump may lead past the anchor, for this time or for good: out of what
 * does not hold it, it does not. */
static bool may_lead_past(const thread_walk *w, const pl_node *jump) {
  const pl_node *target = pl_cfg_jump_target(jump);
  return !target || target->kind == PL_NODE_LABEL ||
         pl_node_within(w->anchor, target);
}

static bool find_jump(pl_node *jump, void *context) {
  thread_walk *w = context;
  if (!pl_node_within(jump, w->anchor) && may_lead_past(w, jump))
    w->vary = w->vary || is_sorted(w, jump, NULL);
  return !w->vary;
}

/* `each_time`: and not the same ones each time. */
static bool vary_at(pl_loop *loop, const pl_func *func, const pl_node *anchor,
                    bool each_time) {
  pl_loop again = *loop;
  again.func = (pl_func *)func;
  again.node = again.body = func->body;
  thread_walk w = {.again = &again, .anchor = anchor};
  w.loop = each_time ? loop : NULL;
  w.vary = is_sorted(&w, anchor, NULL);
  pl_cfg_each_jump(func->body, find_jump, &w);
  return w.vary;
}

/* ---- calls ------------------------------------------------------------------- */

typedef struct call_walk {
  pl_loop *loop;
  bool vary;
} call_walk;

static bool look_at_call(const pl_func *caller, pl_node *call, void *context) {
  call_walk *c = context;
  c->vary = vary_at(c->loop, caller, call, false);
  return !c->vary;
}

/* Whether the calls that lead to the loop's function, as the file shows them, may not
 * all be made by the same threads. */
static bool vary_in_callers(pl_loop *loop) {
  call_walk c = {loop, false};
  pl_each_call_to(loop->unit, loop->func, look_at_call, &c);
  return c.vary;
}

void pl_find_participants(pl_loop *loop) {
  const char *why = NULL;
  if (loop->counts_differ)
    why = "keeps old cells, as threads may leave the loop at different tiles";
  else if (pl_is_entered_again(loop) && vary_at(loop, loop->func, loop->node, true))
    why = "keeps old cells, as not the same threads may come to the loop each time";
  else if (pl_is_called_again(loop) && vary_in_callers(loop))
    why = "keeps old cells, as calls of the function may not be made by the same "
          "threads";
  loop->threads_vary = why != NULL;
  for (size_t t = 0; why && t < loop->ntiles; t++) {
    pl_tile *tile = &loop->tiles[t];
    tile->partial_why = why;
    tile->partial = true;
  }
}

/* ---- for good ------------------------------------------------------------------ */

static bool find_exit(pl_node *node, void *context) {
  call_walk *c = context;
  if (node->kind == PL_NODE_ASM)
    c->vary = c->vary || pl_str_has(pl_assembly_text(c->loop->unit, node), "exit");
  return !c->vary;
}

/* Whether assembly in a function, or in one that it calls, may end a thread. */
static bool may_exit(pl_loop *loop, const pl_func *func) {
  pl_func_list all = pl_functions_of(loop->unit, func);
  call_walk c = {loop, false};
  for (size_t i = 0; i < all.n; i++)
    pl_node_walk(all.items[i]->body, find_exit, &c);
  return c.vary;
}

/* A jump that sorts threads, and does more to those that it leads past than to end them. */
static bool find_other_jump(pl_node *jump, void *context) {
  thread_walk *w = context;
  if (jump->kind != PL_NODE_RETURN && !pl_node_within(jump, w->anchor) &&
      may_lead_past(w, jump))
    w->vary = w->vary || is_sorted(w, jump, NULL);
  return !w->vary;
}

bool pl_others_have_ended(const pl_loop *of) {
  pl_loop *loop = (pl_loop *)of, again = *of;
  const pl_func *func = loop->func;
  if (!func->is_global || loop->caller || loop->counts_differ || may_exit(loop, func) ||
      pl_is_entered_again(loop))
    return false;
  again.node = again.body = func->body;
  thread_walk w = {.again = &again, .anchor = loop->node};
  w.vary = is_sorted(&w, loop->node, NULL);
  pl_cfg_each_jump(func->body, find_other_jump, &w);
  return !w.vary;
}

static bool look_at_caller(const pl_func *caller, pl_node *call, void *context) {
  call_walk *c = context;
  c->vary = vary_at(c->loop, caller, call, false) || may_exit(c->loop, caller) ||
            (!caller->is_global && !pl_calls_are_seen(caller));
  return !c->vary;
}

bool pl_some_stay_away(const pl_loop *of) {
  pl_loop *loop = (pl_loop *)of;
  call_walk c = {loop, false};
  if (vary_at(loop, loop->func, loop->node, false) || may_exit(loop, loop->func))
    return true;
  if (loop->func->is_global)
    return false;
  pl_each_call_to(loop->unit, loop->func, look_at_caller, &c);
  return c.vary || !pl_calls_are_seen(loop->func);
}
