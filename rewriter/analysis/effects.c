/* effects.c - see effects.h.
 *
 * Needs: the model. Gives: effect lists, roots of addresses, and the summary
 * of each function that is called. Raises: nothing.
 *
 * effects_types.c says what a type is, effects_space.c which memory a root
 * stands for, effects_callee.c what a call is. effects_pointers.c and
 * effects_roots.c follow addresses; effects_visit.c, effects_calls.c and
 * effects_asm.c walk over statements. */
#include "effects_parts.h"

pl_effect_context *pl_effect_context_new(pl_unit *unit) {
  pl_effect_context *context = PL_NEW(unit->arena, pl_effect_context);
  context->unit = unit;
  context->nsummaries = unit->nfuncs;
  context->summaries = PL_NEW_ARRAY(unit->arena, pl_summary, unit->nfuncs);
  for (size_t i = 0; i < unit->nfuncs; i++)
    context->summaries[i].func = unit->funcs[i];
  return context;
}

/* Collects what `return` statements give back. */
static bool gather_returns(pl_node *node, void *context) {
  pl_gather *g = context;
  if (node->kind == PL_NODE_LAMBDA)
    return false;
  if (node->kind == PL_NODE_RETURN && node->nkids && node->kids[0]) {
    if (pl_returns_reference(g->w->func))
      pl_lvalue_roots(g->w, node->kids[0], g->roots);
    else
      pl_value_roots(g->w, node->kids[0], g->roots);
  }
  return true;
}

/* What a function gives the pointers that it knows by reference. */
static void find_given(pl_walk *w, pl_summary *s) {
  pl_arena *arena = w->context->unit->arena;
  s->given = PL_NEW_ARRAY(arena, pl_roots, s->func->nparams);
  for (uint32_t i = 0; i < s->func->nparams; i++)
    if (pl_is_pointer_reference(s->func->params[i]->type))
      pl_local_pointer_roots(w, s->func->params[i], &s->given[i]);
}

/* A summary holds for good: the variables of the function are followed to the
 * end, also where the caller's are being followed. */
pl_summary *pl_summarise(pl_effect_context *context, const pl_func *func) {
  pl_summary *s = NULL;
  for (size_t i = 0; i < context->nsummaries && !s; i++)
    if (context->summaries[i].func == func)
      s = &context->summaries[i];
  if (s->done || s->busy)
    return s;
  s->busy = true;
  bool in_round = context->in_round;
  context->in_round = false;
  pl_walk w = {.context = context, .func = func, .out = &s->effects};
  pl_visit_node(&w, func->body, ACCESS_READ);
  pl_gather g = {.w = &w, .roots = &s->returned};
  pl_node_walk(func->body, gather_returns, &g);
  find_given(&w, s);
  context->in_round = in_round;
  s->busy = false;
  s->done = true;
  return s;
}

void pl_effects_of(pl_effect_context *context, const pl_func *func,
                   pl_node *node, pl_effects *effects) {
  pl_walk w = {.context = context, .func = func, .out = effects};
  size_t before = effects->n;
  pl_visit_node(&w, node, ACCESS_READ);
  for (size_t i = before; i < effects->n; i++) {
    pl_decl *was = effects->items[i].root.decl;
    pl_name_members(context, func, &effects->items[i].root);
    if (effects->items[i].root.decl != was)
      effects->items[i].space = pl_root_space(effects->items[i].root);
  }
}

static void name_roots(const pl_effect_context *context, const pl_func *func,
                       pl_roots *roots, size_t before) {
  for (size_t i = before; i < roots->n; i++)
    pl_name_members(context, func, &roots->items[i]);
}

void pl_roots_of(pl_effect_context *context, const pl_func *func, pl_node *node,
                 pl_roots *roots) {
  pl_effects scratch = {0};
  pl_walk w = {.context = context, .func = func, .out = &scratch};
  size_t before = roots->n;
  pl_value_roots(&w, node, roots);
  name_roots(context, func, roots, before);
}

void pl_roots_of_member(pl_effect_context *context, const pl_func *func,
                        pl_node *object, pl_str member, pl_roots *roots) {
  pl_effects scratch = {0};
  pl_walk w = {.context = context, .func = func, .out = &scratch};
  size_t before = roots->n;
  pl_member_roots(&w, object, member, roots);
  name_roots(context, func, roots, before);
}

const pl_effect *pl_effects_find(const pl_effects *effects,
                                 pl_effect_kind kind) {
  for (size_t i = 0; i < effects->n; i++)
    if (effects->items[i].kind == kind)
      return &effects->items[i];
  return NULL;
}

bool pl_mentions(const pl_node *node, const pl_decl *decl) {
  if (!node)
    return false;
  if (node->kind == PL_NODE_REF && node->decl == decl)
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (pl_mentions(node->kids[i], decl))
      return true;
  return false;
}

/* Whether a write is one of the variable itself, not of what it points to. */
static bool changes(const pl_effect *effect, const pl_decl *decl) {
  return pl_same_shared(effect->root.decl, decl) &&
         effect->root.member.n == 0 &&
         (effect->direct || effect->space == PL_SPACE_LOCAL ||
          effect->space == PL_SPACE_SHARED);
}

bool pl_writes_decl(const pl_effects *effects, const pl_decl *decl) {
  for (size_t i = 0; i < effects->n; i++) {
    const pl_effect *effect = &effects->items[i];
    if ((effect->kind == PL_EFFECT_WRITE || effect->kind == PL_EFFECT_ATOMIC) &&
        changes(effect, decl))
      return true;
  }
  return false;
}

/* What one call does to several members of an object is one write. */
size_t pl_count_writes(const pl_effects *effects, const pl_decl *decl) {
  size_t n = 0;
  const pl_node *call = NULL;
  for (size_t i = 0; i < effects->n; i++) {
    const pl_effect *effect = &effects->items[i];
    if (effect->kind != PL_EFFECT_WRITE || !changes(effect, decl) ||
        (effect->by_call && effect->node == call))
      continue;
    n++;
    call = effect->by_call ? effect->node : NULL;
  }
  return n;
}
