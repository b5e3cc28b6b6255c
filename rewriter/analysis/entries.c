/* entries.c - what changes from one time that a loop is reached to the next?
 *
 * Needs: the model. Gives: whether an expression, or a place in a tile, may have
 * other values later: in another iteration, or when the loop is reached again, as
 * in an outer loop or by another call of its function. Raises nothing.
 *
 * A cell that is not written this time holds in the one buffer what the last tile
 * of an earlier time left there, and in one of several stages an older one. What
 * changes is asked of the outermost loop, or of the function, as if that were the
 * tile loop (varies.c). */
#include "cfg.h"
#include "varies.h"

static void add_statement(pl_loop *again, pl_node *node) {
  pl_stmt *stmt = &again->stmts[again->nstmts++];
  stmt->node = node;
  pl_effects_of(again->effects, again->func, node, &stmt->effects);
}

/* Takes a node for the loop: an enclosing one, or the function's body. */
static void repeat(pl_loop *again, pl_node *node) {
  bool counts = node->kind == PL_NODE_FOR;
  bool asks = node->kind == PL_NODE_WHILE || node->kind == PL_NODE_DO;
  pl_node *body = pl_node_is_loop(node) ? pl_node_loop_body(node) : node;
  again->node = node;
  again->body = body ? body : node;
  again->init = counts ? node->kids[0] : NULL;
  again->cond = counts ? node->kids[1]
                : asks ? node->kids[node->kind == PL_NODE_DO]
                       : NULL;
  again->inc = counts ? node->kids[2] : NULL;
  again->header_effects = (pl_effects){0};
  pl_effects_of(again->effects, again->func, again->inc, &again->header_effects);
  pl_effects_of(again->effects, again->func, again->cond,
                &again->header_effects);
  body = again->body;
  bool block = body->kind == PL_NODE_COMPOUND;
  again->stmts = PL_NEW_ARRAY(again->arena, pl_stmt, block ? body->nkids + 1 : 1);
  again->nstmts = 0;
  for (uint32_t i = 0; block && i < body->nkids; i++)
    if (body->kids[i])
      add_statement(again, body->kids[i]);
  if (!block)
    add_statement(again, body);
}

/* A lambda may be called any number of times. */
static pl_node *outermost_loop(const pl_node *node) {
  pl_node *found = NULL;
  for (pl_node *up = node->parent; up; up = up->parent)
    if (pl_node_is_loop(up) || up->kind == PL_NODE_UNKNOWN ||
        up->kind == PL_NODE_LAMBDA)
      found = up;
  return found;
}

/* ---- calls ------------------------------------------------------------------- */

typedef struct call_walk {
  const pl_func *func;
  const pl_func *caller; /* whose text is looked at */
  const pl_func *device; /* a caller that is no kernel */
  const pl_node *first, *last; /* calls; last: of this caller */
  size_t n;
  uint32_t param;
  bool again;   /* one caller makes two, or one in a loop */
  bool differs; /* two calls hand something else for the parameter */
  bool unclear; /* something may be another call */
} call_walk;

static const pl_node *argument(const pl_node *call, uint32_t index) {
  return index + 1 < call->nkids ? call->kids[index + 1] : NULL;
}

static bool find_call(pl_node *node, void *context) {
  call_walk *w = context;
  w->unclear = w->unclear || pl_may_be_call_of(node, w->func);
  if (!pl_is_call_of(node, w->func))
    return true;
  const pl_node *arg = argument(node, w->param);
  const pl_node *before = w->first ? argument(w->first, w->param) : arg;
  w->differs = w->differs || !arg || !before || !arg->has_ival ||
               !before->has_ival || arg->ival != before->ival;
  w->again = w->again || w->last || outermost_loop(node) ||
             (w->device && w->device != w->caller);
  w->device = w->caller->is_global ? w->device : w->caller;
  w->first = w->first ? w->first : node;
  w->last = node;
  w->n++;
  return true;
}

static void visit_calls(const pl_unit *unit, call_walk *w) {
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    w->caller = unit->funcs[i];
    w->last = NULL;
    if (w->caller->body)
      pl_node_walk(w->caller->body, find_call, w);
  }
}

/* Whether a block may come to a function more than once, for all that the file
 * shows. Each of several kernels has blocks of its own. */
static bool is_called_again(const pl_unit *unit, const pl_func *func,
                            int depth) {
  call_walk w = {.func = func};
  if (func->is_global)
    return false;
  visit_calls(unit, &w);
  if (w.unclear || !pl_calls_are_seen(func))
    return true;
  if (!w.device)
    return w.again || !w.n;
  return w.again || w.n != 1 || depth > 6 ||
         is_called_again(unit, w.device, depth + 1);
}

bool pl_is_handed_anew(const pl_loop *again, const pl_decl *param) {
  const pl_func *func = again->func;
  call_walk w = {.func = func};
  if (!again->called_again || again->caller)
    return false;
  while (w.param < func->nparams && func->params[w.param] != param)
    w.param++;
  if (w.param < func->nparams)
    visit_calls(again->unit, &w);
  return w.param == func->nparams || !w.n || w.differs || w.unclear ||
         !pl_calls_are_seen(func);
}

/* ---- the loop, as what encloses it -------------------------------------------- */

/* What may run several times around a loop: where the function has gotos, all of
 * it. NULL: nothing. */
static pl_node *enclosing(const pl_loop *loop) {
  pl_node *body = loop->func->body;
  return pl_cfg_has_goto(body) ? body : outermost_loop(loop->node);
}

/* Stands for all times that a loop is reached; NULL: there is one. */
static pl_loop *all_entries(pl_loop *loop) {
  if (loop->entries)
    return loop->entries == loop ? NULL : loop->entries;
  pl_node *outer = loop->caller ? NULL : enclosing(loop);
  bool called = !loop->caller && is_called_again(loop->unit, loop->func, 0);
  pl_loop *caller = loop->caller ? all_entries(loop->caller) : NULL;
  loop->entries = loop;
  if (!outer && !called && !caller)
    return NULL;
  pl_loop *again = PL_NEW(loop->arena, pl_loop);
  *again = *loop;
  again->entries = again;
  again->nrecurrences = again->recurrences_cap = 0;
  again->recurrences = NULL;
  again->called_again = called;
  again->caller = caller ? caller : loop->caller;
  if (called)
    repeat(again, loop->func->body);
  else if (outer)
    repeat(again, outer);
  again->by_jumps = outer == loop->func->body;
  loop->entries = again;
  return again;
}

bool pl_ever_varies(pl_loop *loop, pl_node *node) {
  pl_loop *again = all_entries(loop);
  return pl_varies(loop, node) || (again && pl_varies(again, node));
}

bool pl_place_ever_varies(pl_loop *loop, const pl_decl *tile, pl_node *node) {
  pl_loop *again = all_entries(loop);
  return pl_place_varies(loop, tile, node) ||
         (again && pl_place_varies(again, tile, node));
}

bool pl_is_entered_again(pl_loop *loop) { return all_entries(loop) != NULL; }

bool pl_is_called_again(pl_loop *loop) {
  pl_loop *again = all_entries(loop);
  return again && again->called_again;
}
