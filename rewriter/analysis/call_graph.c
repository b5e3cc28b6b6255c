/* call_graph.c - which functions may the text of a function come to?
 *
 * Needs: bodies. Gives: all functions that a function may call, directly or not, each
 * of which is looked through once, however deep it is called and though functions call
 * each other in circles; whether one of them shows something. Raises: nothing. */
#include "call_summary.h"

/* What was asked of a function's own text. */
typedef struct shown {
  pl_shows *is_one;
  pl_node *found;
} shown;

struct pl_calls {
  pl_func **callees; /* that its text names */
  size_t ncallees, callees_cap;
  pl_func **all; /* that may run while it does, itself first */
  size_t nall, all_cap;
  const pl_func *listed_by; /* the function among whose `all` it was put last */
  shown *shown;
  size_t nshown, shown_cap;
};

typedef struct callee_walk {
  const pl_unit *unit;
  struct pl_calls *calls;
} callee_walk;

static void add_callee(callee_walk *w, pl_func *func) {
  struct pl_calls *calls = w->calls;
  for (size_t i = 0; func && func->body && i < calls->ncallees; i++)
    if (calls->callees[i] == func)
      return;
  if (func && func->body)
    PL_PUSH(w->unit->arena, calls->callees, calls->ncallees, calls->callees_cap,
            func);
}

static bool names_function(const pl_node *node) {
  return node->decl && (node->decl->kind == PL_DECL_FUNC ||
                        node->decl->kind == PL_DECL_METHOD);
}

/* A function that is named, and not called there, may be called by who is handed its
 * address; operators and constructors are calls under another name. */
static bool find_callees(pl_node *node, void *context) {
  if (names_function(node))
    add_callee(context, node->decl->func);
  return true;
}

static struct pl_calls *calls_of(const pl_unit *unit, pl_func *func) {
  if (!func->calls) {
    func->calls = PL_NEW(unit->arena, struct pl_calls);
    callee_walk w = {unit, func->calls};
    pl_node_walk(func->body, find_callees, &w);
  }
  return func->calls;
}

static void list(const pl_unit *unit, struct pl_calls *by, const pl_func *first,
                 pl_func *func) {
  struct pl_calls *calls = calls_of(unit, func);
  if (calls->listed_by == first)
    return;
  calls->listed_by = first;
  PL_PUSH(unit->arena, by->all, by->nall, by->all_cap, func);
}

/* All functions that may run while one does, itself first. */
static struct pl_calls *closure_of(const pl_unit *unit, pl_func *func) {
  struct pl_calls *calls = calls_of(unit, func);
  if (calls->nall)
    return calls;
  list(unit, calls, func, func);
  for (size_t i = 0; i < calls->nall; i++) {
    const struct pl_calls *next = calls_of(unit, calls->all[i]);
    for (size_t k = 0; k < next->ncallees; k++)
      list(unit, calls, func, next->callees[k]);
  }
  return calls;
}

pl_func_list pl_functions_of(const pl_unit *unit, const pl_func *func) {
  if (!func || !func->body)
    return (pl_func_list){NULL, 0};
  const struct pl_calls *calls = closure_of(unit, (pl_func *)func);
  return (pl_func_list){calls->all, calls->nall};
}

bool pl_may_call(const pl_unit *unit, const pl_func *from,
                 const pl_func *target) {
  pl_func_list all = pl_functions_of(unit, from);
  return pl_is_among(target, (const pl_func *const *)all.items, all.n);
}

/* ---- who calls ---------------------------------------------------------------- */

typedef struct caller_walk {
  const pl_func *func, *caller;
  pl_call_visit *visit;
  void *context;
  bool calls, on;
} caller_walk;

static bool visit_calls(pl_node *node, void *context) {
  caller_walk *w = context;
  if (w->on && pl_is_call_of(node, w->func)) {
    w->calls = true;
    w->on = w->visit(w->caller, node, w->context);
  }
  return w->on;
}

void pl_each_call_to(const pl_unit *unit, const pl_func *func,
                     pl_call_visit *visit, void *context) {
  const pl_func **targets = NULL;
  size_t n = 0, cap = 0;
  caller_walk w = {.visit = visit, .context = context, .on = true};
  PL_PUSH(unit->arena, targets, n, cap, func);
  for (size_t i = 0; i < n && w.on; i++)
    for (uint32_t k = 0; k < unit->nfuncs && w.on && !targets[i]->is_global; k++) {
      w.func = targets[i];
      w.caller = unit->funcs[k];
      w.calls = false;
      pl_node_walk(w.caller->body, visit_calls, &w);
      if (w.calls && !pl_is_among(w.caller, targets, n))
        PL_PUSH(unit->arena, targets, n, cap, w.caller);
    }
}

/* ---- what they show ----------------------------------------------------------- */

typedef struct showing {
  const pl_unit *unit;
  pl_shows *is_one;
} showing;

static bool shows(pl_node *node, const void *context) {
  const showing *s = context;
  return s->is_one(s->unit, node);
}

static pl_node *own_text_shows(const pl_unit *unit, pl_func *func,
                               pl_shows *is_one) {
  struct pl_calls *calls = calls_of(unit, func);
  for (size_t i = 0; i < calls->nshown; i++)
    if (calls->shown[i].is_one == is_one)
      return calls->shown[i].found;
  shown answer = {is_one, pl_node_find(func->body, shows, &(showing){unit, is_one})};
  PL_PUSH(unit->arena, calls->shown, calls->nshown, calls->shown_cap, answer);
  return answer.found;
}

pl_node *pl_function_shows(const pl_unit *unit, const pl_func *func,
                           pl_shows *is_one) {
  pl_func_list all = pl_functions_of(unit, func);
  pl_node *found = NULL;
  for (size_t i = 0; i < all.n && !found; i++)
    found = own_text_shows(unit, all.items[i], is_one);
  return found;
}

/* A lambda that a variable holds, and that is called where it does not stand. */
static pl_node *lambda_elsewhere(const pl_node *node) {
  pl_node *lambda = node->kind == PL_NODE_CALL ? pl_called_lambda(node) : NULL;
  return lambda && !pl_node_within(node, lambda) ? lambda : NULL;
}

pl_node *pl_call_shows(const pl_unit *unit, const pl_node *node,
                       pl_shows *is_one) {
  pl_node *found = pl_text_shows(unit, lambda_elsewhere(node), is_one);
  if (!found && names_function(node))
    found = pl_function_shows(unit, node->decl->func, is_one);
  return found;
}

static bool shows_below(pl_node *node, const void *context) {
  const showing *s = context;
  return s->is_one(s->unit, node) || pl_call_shows(s->unit, node, s->is_one);
}

pl_node *pl_text_shows(const pl_unit *unit, pl_node *text, pl_shows *is_one) {
  return pl_node_find(text, shows_below, &(showing){unit, is_one});
}
