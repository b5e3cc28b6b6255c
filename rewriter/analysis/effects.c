/* effects.c - see effects.h.
 *
 * Needs: the model. Gives: effect lists, roots of addresses, and the summary
 * of each function that is called. Raises: nothing.
 *
 * effects_types.c says what a type is, effects_space.c which memory a root
 * stands for, effects_callee.c what a call is. points_to_locals.c and
 * points_to_values.c follow addresses; effects_visit.c, effects_calls.c and
 * effects_asm.c walk over statements. */
#include "effects_parts.h"

pl_effect_context *pl_effect_context_new(pl_unit *unit) {
  pl_effect_context *context = PL_NEW(unit->arena, pl_effect_context);
  context->unit = unit;
  context->nsummaries = unit->nfuncs;
  context->summaries = PL_NEW_ARRAY(unit->arena, pl_summary, unit->nfuncs);
  for (size_t i = 0; i < unit->nfuncs; i++)
    context->summaries[unit->funcs[i]->number = (uint32_t)i].func =
        unit->funcs[i];
  context->lowest = SIZE_MAX;
  return context;
}

/* Whether a value is read by a parameter's name that is a reference, of a number or a
 * record. */
static bool is_read_by_reference(const pl_node *node) {
  const pl_type *type = node->decl ? pl_no_reference(node->decl->type) : NULL;
  return node->kind == PL_NODE_REF && node->decl &&
         node->decl->kind == PL_DECL_PARAM && pl_is_reference(node->decl->type) &&
         type && (pl_is_number_or_enum(type) || type->kind == PL_TYPE_RECORD);
}

/* Roots of a value that is given back: of what a parameter is a reference to, what it
 * holds, `T smaller(const T &a, const T &b) { return a < b ? a : b; }`. */
static void returned_value(pl_walk *w, pl_node *node, pl_roots *roots) {
  pl_roots found = {0};
  node = pl_node_bare(node);
  if (node->kind == PL_NODE_CONSTRUCT && node->nkids == 1 && node->kids[0] &&
      is_read_by_reference(pl_node_bare(node->kids[0])))
    node = pl_node_bare(node->kids[0]);
  if (node->kind == PL_NODE_COND) {
    returned_value(w, node->kids[1], roots);
    returned_value(w, node->kids[2], roots);
    return;
  }
  pl_value_roots(w, node, &found);
  while (node->kind == PL_NODE_ASSIGN || pl_node_is_step(node))
    node = pl_node_bare(node->kids[0]);
  for (size_t i = 0; i < found.n; i++) {
    pl_root root = found.items[i];
    if (is_read_by_reference(node) && root.decl == node->decl && !root.member.n)
      root.member = PL_STR("*");
    pl_add_root(w->context->unit->arena, roots, root);
  }
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
      returned_value(g->w, node->kids[0], g->roots);
  }
  return true;
}

/* What a function gives the pointers that it knows by reference. */
static void find_given(pl_walk *w, pl_summary *s) {
  for (uint32_t i = 0; i < s->func->nparams; i++)
    if (pl_is_pointer_reference(s->func->params[i]->type))
      pl_local_pointer_roots(w, s->func->params[i],
                             &s->given[w->context->told][i]);
}

/* How much a summary says but for its effects; that only grows. */
static size_t size_of(const pl_summary *s) {
  size_t n = s->returned[0].n + s->returned[1].n + s->nflows + s->changes_this;
  for (uint32_t i = 0; i < s->func->nparams; i++)
    n += s->given[0][i].n + s->given[1][i].n + (i < 64 && s->changes >> i & 1);
  return n;
}

/* Of functions that call each other, anything may come before anything else, and
 * nothing happens on every way. */
static void add_unordered(pl_effect_context *context, pl_summary *s,
                          const pl_effects *found) {
  for (size_t i = 0; i < found->n; i++) {
    pl_effect effect = found->items[i];
    effect.whole = false;
    if (pl_has_effect(&s->effects, &effect))
      continue;
    PL_PUSH(context->unit->arena, s->effects.items, s->effects.n,
            s->effects.cap, effect);
    context->grew = true;
  }
}

/* Looks through a function once, with what is known of those that it calls. The
 * variables are followed to the end, also where the caller's are being followed. */
static void look_at(pl_effect_context *context, pl_summary *s) {
  pl_effects found = {0};
  size_t size = size_of(s), outer = context->lowest;
  bool in_round = context->in_round, is_told = context->told;
  context->in_round = context->told = false;
  context->lowest = SIZE_MAX;
  pl_walk w = {.context = context, .func = s->func, .out = &found};
  pl_visit_node(&w, s->func->body, ACCESS_READ);
  for (int told = 0; told < 2; told++) {
    pl_gather g = {.w = &w, .roots = &s->returned[told]};
    context->told = told;
    pl_node_walk(s->func->body, gather_returns, &g);
    find_given(&w, s);
  }
  pl_find_flows(&w, s);
  context->told = false;
  pl_find_changes(&w, s, &found);
  context->in_round = in_round;
  context->told = is_told;
  s->lowest = context->lowest;
  context->lowest = outer;
  s->in_circle = s->in_circle || s->lowest != SIZE_MAX;
  if (s->in_circle)
    add_unordered(context, s, &found);
  else
    s->effects = found;
  context->grew = context->grew || size_of(s) > size;
}

/* What is so of all that the summaries of a circle say, in whatever order. */
static void settle(pl_effect_context *context, const pl_summary *head) {
  for (size_t i = 0; i < context->nsummaries; i++) {
    pl_summary *s = &context->summaries[i];
    if (!s->in_circle || s->done || s->lowest < head->at)
      continue;
    for (size_t k = 0, n = s->effects.n; k < n; k++)
      PL_PUSH(context->unit->arena, s->effects.items, s->effects.n,
              s->effects.cap, s->effects.items[k]);
    s->done = true;
  }
}

/* What is known so far of a function that is not done is known of all that came to
 * it. */
static pl_summary *unsettled(pl_effect_context *context, pl_summary *s,
                             size_t lowest) {
  context->nunsettled++;
  context->lowest = lowest < context->lowest ? lowest : context->lowest;
  return s;
}

/* Functions that call each other in a circle wait for the one of them that was asked
 * for first. */
static void wait_for(pl_effect_context *context, pl_summary *s) {
  for (size_t i = 0; i < context->nsummaries; i++) {
    pl_summary *other = &context->summaries[i];
    if (other->in_circle && !other->done && !other->busy &&
        other->lowest >= s->at)
      other->lowest = s->lowest;
  }
}

/* A summary holds for good. Functions that call each other are looked at in rounds,
 * each of which begins with what the one before found, until there is no more. */
pl_summary *pl_summarise(pl_effect_context *context, const pl_func *func) {
  pl_summary *s = &context->summaries[func->number];
  if (s->done)
    return s;
  if (s->busy)
    return unsettled(context, s, s->at);
  if (s->in_circle && s->round == context->circle_round)
    return unsettled(context, s, s->lowest);
  for (int told = 0; told < 2 && !s->given[told]; told++)
    s->given[told] =
        PL_NEW_ARRAY(context->unit->arena, pl_roots, func->nparams + 1);
  s->busy = true;
  s->at = context->nbusy++;
  bool grew = context->grew;
  for (;;) {
    context->grew = false;
    s->round = context->circle_round;
    look_at(context, s);
    grew = grew || context->grew;
    if (s->lowest != s->at || !context->grew)
      break;
    context->circle_round++;
  }
  context->grew = grew;
  s->busy = false;
  context->nbusy--;
  s->done = !s->in_circle;
  if (s->in_circle && s->lowest >= s->at)
    settle(context, s);
  if (s->done)
    return s;
  wait_for(context, s);
  return unsettled(context, s, s->lowest);
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

void pl_roots_of_object(pl_effect_context *context, const pl_func *func,
                        pl_node *node, pl_roots *roots) {
  pl_effects scratch = {0};
  pl_walk w = {.context = context, .func = func, .out = &scratch};
  size_t before = roots->n;
  pl_lvalue_roots(&w, node, roots);
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

bool pl_is_write(const pl_effect *effect) {
  return effect->kind == PL_EFFECT_WRITE || effect->kind == PL_EFFECT_ATOMIC;
}

const pl_effect *pl_effects_find(const pl_effects *effects,
                                 pl_effect_kind kind) {
  for (size_t i = 0; i < effects->n; i++)
    if (effects->items[i].kind == kind)
      return &effects->items[i];
  return NULL;
}

static bool names(pl_node *node, const void *decl) {
  return node->kind == PL_NODE_REF && node->decl == decl;
}

bool pl_mentions(const pl_node *node, const pl_decl *decl) {
  return pl_node_find(node, names, decl);
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
