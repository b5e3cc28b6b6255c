/* load_lambdas.c - a lambda that fills tiles: can it be split?
 *
 * Needs: the call and the lambda, made before the loop. Gives: the lambda as a
 * function, as load_helpers.c asks for. Raises nothing.
 *
 * Its split forms are lambdas too, which capture as it does, behind its own declaration.
 * They run at other times than the call did, so all that it names from outside has to be
 * what the loop leaves alone: tiles and parameters change, nothing else. */
#include "cfg.h"
#include "copies.h"

#include "points_to.h"
#include "slices.h"

typedef struct name_walk {
  pl_loop *loop;
  const pl_node *lambda;
  bool ok;
  const struct name_walk *up; /* of the lambda that calls it */
} name_walk;

/* A pointer, or a reference to an array: by it a lambda is handed a tile, or what
 * it loads from. */
static bool is_place(const pl_type *type) {
  if (type && type->kind == PL_TYPE_REFERENCE)
    return type->element && type->element->kind == PL_TYPE_ARRAY;
  return type && type->kind == PL_TYPE_POINTER;
}

/* `[&]`, `[=]`, or `[]` of a lambda that names nothing from outside. */
static uint32_t captures_length(pl_str text) {
  bool all = pl_str_starts(text, "[&]") || pl_str_starts(text, "[=]");
  return all ? 3 : pl_str_starts(text, "[]") ? 2 : 0;
}

static bool takes_copies(const pl_unit *unit, const pl_node *lambda) {
  return pl_str_starts(pl_unit_slice(unit, lambda->range), "[=]");
}

/* `auto name = [&](int k) {`: the captures are all of one kind, and nothing
 * stands between parameters and body. */
static bool is_plain(const pl_unit *unit, const pl_node *lambda) {
  const pl_func *func = lambda->func;
  uint32_t head = captures_length(pl_unit_slice(unit, lambda->range));
  if (lambda->from_macro || !head || !func->body)
    return false;
  int depth = 0;
  bool closed = false;
  uint32_t end = pl_token_from(unit, func->body->range.begin);
  for (uint32_t i = pl_token_from(unit, lambda->range.begin + head); i < end; i++) {
    pl_str word = pl_token_text(unit, i);
    bool opens = pl_str_is(word, "("), closes = pl_str_is(word, ")");
    if (unit->tokens[i].kind == PL_TOK_DIRECTIVE || closed ||
        (depth == 0 && !opens) || pl_str_is(word, "="))
      return false;
    depth += opens - closes;
    closed = depth == 0;
  }
  for (uint32_t i = 0; i < func->nparams; i++)
    if ((!pl_is_number_or_enum(func->params[i]->type) &&
         !is_place(func->params[i]->type)) ||
        func->params[i]->from_macro)
      return false;
  return true;
}

static bool is_of(const pl_node *lambda, const pl_decl *decl) {
  for (uint32_t i = 0; i < lambda->func->nparams; i++)
    if (lambda->func->params[i] == decl)
      return true;
  return decl->node && !decl->is_static && pl_node_within(decl->node, lambda);
}

/* Whether the loop writes to a variable, or to a part of it; of a pointer, not to
 * what it points to. */
static bool is_changed(const pl_loop *loop, const pl_decl *decl) {
  if (decl->type && decl->type->kind == PL_TYPE_POINTER)
    return pl_written_in_loop(loop, decl);
  for (size_t i = 0; i <= loop->nstmts; i++) {
    const pl_effects *effects =
        i < loop->nstmts ? &loop->stmts[i].effects : &loop->header_effects;
    for (size_t j = 0; j < effects->n; j++)
      if (effects->items[j].kind == PL_EFFECT_WRITE &&
          effects->items[j].root.decl == decl)
        return true;
  }
  return false;
}

/* Whether a variable stands for others of the thread's own. */
static bool stands_for_others(pl_loop *loop, pl_node *ref) {
  const pl_type *type = ref->decl->type;
  if (type && type->kind == PL_TYPE_REFERENCE)
    return true;
  if (!type || (type->kind != PL_TYPE_POINTER && type->kind != PL_TYPE_RECORD))
    return false;
  pl_roots roots = pl_roots_in(loop, ref);
  for (size_t i = 0; i < roots.n; i++)
    if (pl_root_space(roots.items[i]) == PL_SPACE_LOCAL &&
        roots.items[i].decl != ref->decl)
      return true;
  return false;
}

/* Whether a lambda is looked at already: it calls itself. */
static bool is_open(const name_walk *w, const pl_node *lambda) {
  while (w && w->lambda != lambda)
    w = w->up;
  return w != NULL;
}

/* (What a lambda's body sets is seen there.) */
static bool sets(pl_node *node, const void *decl) {
  return node->kind != PL_NODE_LAMBDA && pl_may_set(node, decl);
}

/* Whether a variable is a number or pointer that its declaration alone sets: a copy that
 * a lambda has of it is what the variable is. */
static bool is_as_made(pl_loop *loop, const pl_decl *decl) {
  return (pl_is_number_or_enum(decl->type) ||
          (decl->type && decl->type->kind == PL_TYPE_POINTER)) &&
         !pl_node_find(loop->func->body, sets, decl) &&
         !pl_led_to(loop, loop->func->body, decl);
}

/* Whether the loop leaves alone what a lambda names, and what lambdas that it
 * calls do. */
static bool look(pl_node *node, void *context) {
  name_walk *w = context;
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  if (node->kind == PL_NODE_THIS || node->kind == PL_NODE_LAMBDA ||
      (node->kind == PL_NODE_MEMBER && !node->nkids))
    w->ok = false;
  if (!decl || decl->is_shared || is_of(w->lambda, decl) || !w->ok)
    return w->ok;
  if (decl->kind != PL_DECL_VAR && decl->kind != PL_DECL_PARAM)
    return true;
  w->ok = !is_changed(w->loop, decl) && !stands_for_others(w->loop, node) &&
          (!takes_copies(w->loop->unit, w->lambda) || !decl->owner ||
           is_as_made(w->loop, decl)) &&
          !(decl->node && pl_node_within(decl->node, w->loop->node));
  pl_node *init = decl->init ? pl_node_bare(decl->init) : NULL;
  if (w->ok && init && init->kind == PL_NODE_LAMBDA) {
    name_walk inner = {w->loop, init, !is_open(w, init), w};
    for (uint32_t i = 0; i < init->nkids; i++)
      pl_node_walk(init->kids[i], look, &inner);
    w->ok = inner.ok;
  }
  return w->ok;
}

/* Whether a call hands the lambda tiles alone for this parameter. */
static bool is_handed_tiles(pl_loop *loop, const pl_node *call,
                            const pl_func *func, const pl_decl *decl) {
  pl_roots roots = {0};
  for (uint32_t i = 0; i < func->nparams; i++)
    if (func->params[i] == decl && decl && is_place(decl->type) &&
        call->kids[i + 1])
      pl_roots_of(loop->effects, loop->func, call->kids[i + 1], &roots);
  for (size_t i = 0; i < roots.n; i++)
    if (!pl_loop_tile(loop, roots.items[i].decl))
      return false;
  return roots.n > 0;
}

/* Whether it writes to nothing but tiles and locals of its own. */
static bool writes_tiles_alone(pl_loop *loop, const pl_node *call,
                               const pl_node *lambda) {
  pl_effects effects = {0};
  pl_effects_of(loop->effects, lambda->func, lambda->func->body, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    const pl_decl *decl = effect->root.decl;
    bool own = decl && effect->direct && is_of(lambda, decl) &&
               !(decl->type && decl->type->kind == PL_TYPE_REFERENCE);
    bool harmless = effect->kind == PL_EFFECT_READ ||
                    (effect->kind == PL_EFFECT_WRITE &&
                     (own || (decl && pl_loop_tile(loop, decl)) ||
                      (!effect->direct &&
                       is_handed_tiles(loop, call, lambda->func, decl))));
    if (!harmless)
      return false;
  }
  return true;
}

/* The declaration of the lambda's variable alone, before the loop. */
static const pl_node *own_statement(const pl_loop *loop, const pl_node *lambda) {
  const pl_node *var = lambda->parent;
  while (var && var->kind == PL_NODE_PAREN)
    var = var->parent;
  const pl_node *stmt = var && var->kind == PL_NODE_VAR ? var->parent : NULL;
  bool alone = stmt && stmt->kind == PL_NODE_DECL_STMT && stmt->nkids == 1 &&
               stmt->parent && stmt->parent->kind == PL_NODE_COMPOUND &&
               !stmt->from_macro && var->decl && !var->decl->is_static &&
               !var->decl->is_constexpr;
  return alone && stmt->range.end <= loop->node->range.begin ? stmt : NULL;
}

static const char *why_whole(pl_loop *loop, const pl_node *call,
                             const pl_node *lambda) {
  name_walk w = {loop, lambda, true, NULL};
  if (loop->caller || !lambda->func || lambda->func->outer != loop->func)
    return "a lambda that another function calls";
  if (!own_statement(loop, lambda))
    return "a lambda has to be made before the loop, in a declaration of its own";
  if (!is_plain(loop->unit, lambda))
    return "a lambda has to be `[&](...) { ... }` or `[=](...) { ... }`, and is handed "
           "numbers, pointers and arrays";
  if (pl_cfg_jump_out(lambda->func->body, PL_JUMP_RETURN) ||
      pl_has_conditional_text(loop->unit, lambda->range))
    return "a return or an #if stands in the lambda";
  if (pl_names_its_place(loop->unit, lambda->range))
    return "it asks for its own name or line";
  if (call->nkids != lambda->func->nparams + 1 ||
      !pl_node_is_statement(call) || call->from_macro)
    return "it is no statement of its own";
  pl_node_walk(lambda->func->body, look, &w);
  if (!w.ok)
    return "the lambda names a reference, what the loop changes, or a copy of what is "
           "set again: that can be handed to it";
  return writes_tiles_alone(loop, call, lambda)
             ? NULL
             : "the lambda changes more than tiles and locals of its own";
}

pl_func *pl_load_lambda(pl_loop *loop, const pl_node *call, pl_node *lambda,
                        const char **why) {
  pl_func *func = lambda->func;
  *why = why_whole(loop, call, lambda);
  if (*why)
    return NULL;
  const pl_node *stmt = own_statement(loop, lambda);
  func->decl = stmt->kids[0]->decl;
  func->name = func->qualified = func->decl->name;
  func->range = stmt->range;
  func->in_main = loop->func->in_main;
  func->instances = loop->func->instances;
  func->ninstances = loop->func->ninstances;
  func->template_params = loop->func->template_params;
  func->ntemplate_params = loop->func->ntemplate_params;
  return func;
}
