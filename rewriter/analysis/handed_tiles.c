/* handed_tiles.c - which parameters are tiles that all callers hand over?
 *
 * Needs: every call of a device function in the file. Gives: parameters that each of
 * them gives a shared object, to which no other argument leads: they are tiles like any
 * other, but for their one place. Raises: nothing. */
#include "handed_tiles.h"

#include "loop.h"

/* What adoptable looks at: every call of the function. */
typedef struct adoption {
  pl_callee *f;
  const pl_func *caller;
  uint32_t index;    /* of the parameter */
  const bool *given; /* by parameter: may it be given a part of the same object? */
  bool any, all;
} adoption;

static void argument_roots(const adoption *a, pl_node *call, uint32_t index,
                           pl_roots *roots) {
  if (index + 1 >= call->nkids)
    return;
  const pl_type *type = index < a->f->func->nparams ? a->f->func->params[index]->type : NULL;
  bool named = type && type->kind == PL_TYPE_REFERENCE && type->element &&
               type->element->kind == PL_TYPE_RECORD;
  if (named)
    pl_roots_of_object(a->f->effects, a->caller, call->kids[index + 1], roots);
  else
    pl_roots_of(a->f->effects, a->caller, call->kids[index + 1], roots);
}

static bool is_pointer(const pl_type *type) {
  type = pl_no_reference(type);
  return type && type->kind == PL_TYPE_POINTER;
}

/* Whether an argument other than those for tiles leads to the object too, or what
 * a method is called on. */
static bool leaks(const adoption *a, pl_node *call, const pl_decl *object) {
  const pl_node *member = pl_is_member_function(call) ? call->kids[0] : NULL;
  pl_roots called = {0};
  if (member && member->nkids && member->kids[0])
    pl_roots_of(a->f->effects, a->caller, member->kids[0], &called);
  if (pl_leads_to(&called, object) == PL_YES)
    return true;
  for (uint32_t i = 0; i + 1 < call->nkids; i++) {
    pl_roots other = {0};
    bool tile = i < a->f->func->nparams && a->given[i];
    if (i != a->index && !tile) {
      argument_roots(a, call, i, &other);
      pl_roots_of(a->f->effects, a->caller, call->kids[i + 1], &other);
    }
    pl_answer leads = pl_leads_to(&other, object);
    if (leads == PL_YES ||
        (leads == PL_UNKNOWN && is_pointer(call->kids[i + 1]->type)))
      return true;
  }
  return false;
}

static bool adoptable_in(pl_node *node, void *context) {
  adoption *a = context;
  bool open = pl_stands_for_call(node, a->f->func);
  a->all = a->all && (open || !pl_may_be_call_of(node, a->f->func));
  if (!open && !pl_is_call_of(node, a->f->func))
    return a->all;
  pl_roots tile = {0};
  argument_roots(a, node, a->index, &tile);
  a->any = a->any || !open;
  a->all = a->all && tile.n == 1 && tile.items[0].decl &&
           tile.items[0].decl->is_shared &&
           pl_root_space(tile.items[0]) == PL_SPACE_SHARED &&
           !leaks(a, node, tile.items[0].decl);
  return a->all;
}

static void visit_calls(adoption *a, pl_visit *visit) {
  for (uint32_t i = 0; i < a->f->unit->nfuncs && a->all; i++) {
    a->caller = a->f->unit->funcs[i];
    if (a->caller->body)
      pl_node_walk(a->caller->body, visit, a);
  }
}

bool pl_is_plain_record(const pl_type *type) {
  return type->kind == PL_TYPE_RECORD && type->is_user &&
         type->is_trivially_copyable && !type->runs_code &&
         !type->has_constructors && !type->has_operators &&
         !type->has_own_address;
}

/* What a caller's tile may be known by: a pointer, or a reference to an array or to
 * a plain record, in every instance. */
static bool names_tile(const pl_func *func, const pl_decl *param) {
  const pl_type *type = param->type;
  bool reference = type && type->kind == PL_TYPE_REFERENCE && type->element;
  if (!reference)
    return type && type->kind == PL_TYPE_POINTER;
  bool open = type->element->size < 0 && func->ninstances > 0;
  for (uint32_t i = 0; open && i < func->ninstances; i++) {
    const pl_type *known = pl_decl_type(param, &func->instances[i]);
    open = known && known->kind == PL_TYPE_REFERENCE && known->element &&
           pl_is_plain_record(known->element);
  }
  return type->element->kind == PL_TYPE_ARRAY || open ||
         pl_is_plain_record(type->element);
}

/* Whether a node may set a parameter, or have another object under its name: a lambda that
 * copies what it names. */
static bool sets_parameter(pl_node *node, const void *context) {
  const adoption *a = context;
  const pl_decl *param = a->f->func->params[a->index];
  if (node->kind != PL_NODE_LAMBDA)
    return pl_may_set(node, param);
  return pl_mentions(node, param) &&
         !pl_str_starts(pl_unit_slice(a->f->unit, node->range), "[&]");
}

/* Whether every call passes a shared object for a parameter, which then is a
 * tile like any other, but for its one place. */
static bool is_adoptable(pl_callee *f, uint32_t index, const bool *given) {
  const pl_decl *param = f->func->params[index];
  adoption a = {f, NULL, index, given, false, true};
  if (!pl_calls_are_seen(f->func) || !names_tile(f->func, param) ||
      pl_node_find(f->func->body, sets_parameter, &a))
    return false;
  visit_calls(&a, adoptable_in);
  return a.any && a.all;
}

/* Parameters that a call gives parts of one object may overlap. */
static bool group_in(pl_node *node, void *context) {
  adoption *a = context;
  if (!pl_is_call_of(node, a->f->func) && !pl_stands_for_call(node, a->f->func))
    return true;
  pl_decl **params = a->f->func->params;
  pl_roots tile = {0};
  argument_roots(a, node, a->index, &tile);
  for (uint32_t i = 0; i < a->index; i++) {
    pl_roots other = {0};
    if (!a->given[i])
      continue;
    argument_roots(a, node, i, &other);
    if (!pl_same_shared(other.items[0].decl, tile.items[0].decl))
      continue;
    pl_decl *first = params[i]->carved_with ? params[i]->carved_with : params[i];
    pl_decl *old = params[a->index]->carved_with;
    for (uint32_t k = 0; old && k < a->f->func->nparams; k++)
      if (params[k]->carved_with == old)
        params[k]->carved_with = first;
    params[i]->carved_with = params[a->index]->carved_with = first;
  }
  return true;
}

/* Takes away, one after the other, what cannot be adopted with the rest. */
void pl_adopt_tiles(pl_callee *f) {
  uint32_t n = f->func->is_global ? 0 : f->func->nparams;
  bool *given = PL_NEW_ARRAY(f->unit->arena, bool, n + 1);
  bool changed = true;
  pl_adopt_members(f);
  for (uint32_t i = 0; i < n; i++)
    given[i] = true;
  while (changed) {
    changed = false;
    for (uint32_t i = 0; i < n; i++)
      if (given[i] && !is_adoptable(f, i, given)) {
        given[i] = false;
        changed = true;
      }
  }
  for (uint32_t i = 0; i < n; i++) {
    adoption a = {f, NULL, i, given, false, true};
    if (given[i])
      visit_calls(&a, group_in);
  }
  for (uint32_t i = 0; i < n; i++)
    if (given[i])
      f->func->params[i]->points_to_shared = true;
}
