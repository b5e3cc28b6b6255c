/* frontend_instances.c - what do the instantiations in sight say of a template?
 *
 * Needs: the unit with all bodies, each instance with its facts. Changes: the
 * instances' types, decls of CALL nodes and their callees, is_known of names,
 * is_value of variables. Raises nothing: what one instantiation leaves open, or
 * two see differently, stays open. */
#include "frontend_parts.h"

#include <string.h>

/* ---- types -------------------------------------------------------------- */

/* Types without a name of their own stand for another one at each place. */
static bool has_own_name(pl_str spelling) {
  return spelling.n && spelling.p[0] != '<' && !pl_str_has(spelling, "auto");
}

void pl_settle_type(pl_unit *unit, pl_instance *instance, pl_str spelling,
                    const pl_type *type) {
  struct pl_settled_type fresh = {spelling, type};
  if (!has_own_name(spelling))
    return;
  for (size_t i = 0; i < instance->ntypes; i++) {
    struct pl_settled_type *old = &instance->types[i];
    if (!pl_str_eq(old->spelling, spelling))
      continue;
    if (old->type && !pl_str_eq(old->type->spelling, type->spelling))
      old->type = NULL;
    return;
  }
  PL_PUSH(unit->arena, instance->types, instance->ntypes, instance->types_cap,
          fresh);
}

/* `const typename Q::data_t *` beside `const float *`: what Q::data_t is. */
static void pair_types(pl_unit *unit, pl_instance *instance,
                       const pl_type *open, const pl_type *settled) {
  while (open && settled && open->kind != PL_TYPE_DEPENDENT &&
         open->kind == settled->kind) {
    open = open->element;
    settled = settled->element;
  }
  if (open && settled && open->kind == PL_TYPE_DEPENDENT &&
      settled->kind != PL_TYPE_DEPENDENT && has_own_name(open->spelling))
    pl_settle_type(unit, instance, open->spelling, settled);
}

/* Numbers and records that hold no reference: what is done to such a variable
 * stays in it. */
static bool is_value_type(const pl_type *type) {
  return type && (type->kind == PL_TYPE_FLOAT ||
                  (type->kind == PL_TYPE_RECORD && type->is_trivially_copyable));
}

/* How many indices of an array lead to a record, that is no pointer and no name
 * for another object; PL_NONE: none do. */
static uint32_t indices_to_record(const pl_type *type) {
  uint32_t n = 0;
  for (; type && type->kind == PL_TYPE_ARRAY; type = type->element)
    n++;
  return type && type->kind == PL_TYPE_RECORD ? n : PL_NONE;
}

static void settle_variable(pl_unit *unit, pl_func *func, pl_decl *decl) {
  bool value = decl->type && decl->type->kind == PL_TYPE_DEPENDENT;
  uint32_t indices = PL_NONE;
  if (!decl->name_range.end)
    return;
  for (uint32_t i = 0; i < func->ninstances; i++) {
    const pl_type *type = pl_decl_type(decl, &func->instances[i]);
    pair_types(unit, &func->instances[i], decl->type, type);
    value = value && is_value_type(type);
    uint32_t here = indices_to_record(type);
    indices = i == 0 || here == indices ? here : PL_NONE;
  }
  decl->is_value = value;
  decl->is_object = indices != PL_NONE;
  decl->object_indices = indices;
}

/* ---- names and calls ----------------------------------------------------- */

static void settle_name(pl_func *func, pl_node *node) {
  int64_t value;
  node->is_known = true;
  for (uint32_t i = 0; i < func->ninstances && node->is_known; i++)
    node->is_known = pl_node_eval(node, func, &func->instances[i], &value);
}

/* What tells a name or a call from all others in the function's text, a
 * header's, too; {0, 0}: nothing does. */
static pl_range place_of(const pl_node *node) {
  return node->range.end ? node->range : node->place;
}

static const pl_instance_fact *callee_at(const pl_instance *instance,
                                         pl_range at) {
  for (size_t i = 0; i < instance->nfacts; i++)
    if (instance->facts[i].callee && instance->facts[i].at.begin == at.begin &&
        instance->facts[i].at.end == at.end)
      return &instance->facts[i];
  return NULL;
}

/* ---- members ------------------------------------------------------------- */

static const pl_type *member_type(const pl_instance *instance,
                                  const pl_node *node) {
  const pl_type *found = NULL;
  pl_range at = place_of(node);
  for (size_t i = 0; at.end && i < instance->nfacts; i++) {
    const pl_instance_fact *fact = &instance->facts[i];
    if (fact->callee || !fact->type || fact->at.begin != at.begin ||
        fact->at.end != at.end ||
        !pl_str_eq(fact->name, node->name))
      continue;
    if (found && !pl_str_eq(found->spelling, fact->type->spelling))
      return NULL;
    found = fact->type;
  }
  return found;
}

/* How many dimensions an array of numbers or plain records has, -1: it is none,
 * and no such value. */
static int dimensions_of(const pl_type *type) {
  int dims = 0;
  for (; type && type->kind == PL_TYPE_ARRAY; type = type->element)
    dims++;
  bool number = type && (type->kind == PL_TYPE_INT ||
                         type->kind == PL_TYPE_FLOAT ||
                         type->kind == PL_TYPE_BOOL);
  bool record = type && type->kind == PL_TYPE_RECORD &&
                type->is_trivially_copyable && !type->has_operators &&
                !type->is_union;
  return number || record ? dims : -1;
}

static const pl_type *array_of(pl_arena *arena, const pl_type *element) {
  pl_type *type = PL_NEW(arena, pl_type);
  type->kind = PL_TYPE_ARRAY;
  type->element = element;
  type->size = type->align = type->count = -1;
  type->spelling = type->written = element->spelling;
  return type;
}

/* `storage.a[r][c]` of an object whose type hangs on the arguments: where `a`
 * is an array in every instantiation, each index stays in the object. What its
 * elements are is left open. */
static void settle_member(pl_unit *unit, pl_func *func, pl_node *node) {
  int dims = -1;
  for (uint32_t i = 0; i < func->ninstances; i++) {
    int here = dimensions_of(member_type(&func->instances[i], node));
    if (here < 0 || (i > 0 && here != dims))
      return;
    dims = here;
  }
  const pl_type *type = node->type;
  if (!type || type->kind != PL_TYPE_DEPENDENT || node->is_arrow)
    return;
  for (int i = 0; i < dims; i++)
    type = array_of(unit->arena, type);
  node->type = type;
  for (pl_node *at = node; type->kind == PL_TYPE_ARRAY; at = at->parent) {
    pl_node *up = at->parent;
    if (!up || up->kind != PL_NODE_SUBSCRIPT || up->kids[0] != at)
      return;
    up->type = type = type->element;
  }
}

/* `tile.rows[r]` of a class of the function's own: what its elements are. */
static void settle_member_type(pl_unit *unit, pl_func *func,
                               const pl_node *node) {
  for (uint32_t i = 0; i < func->ninstances; i++)
    pair_types(unit, &func->instances[i], node->type,
               member_type(&func->instances[i], node));
}

static bool find_shared_or_call(pl_node *node, void *context) {
  bool *found = context;
  *found = *found || (node->kind == PL_NODE_VAR && node->decl &&
                      node->decl->is_shared) ||
           (node->kind == PL_NODE_CALL &&
            (!node->decl || node->decl->in_main ||
             (!node->range.end && node->decl->is_user)));
  return !*found;
}

/* A function of which several may stand for each other at a call: it gives a
 * value, and calls nothing of the file, one of a header nothing of the user's. */
static bool is_plain_function(const pl_func *func) {
  bool found = false;
  pl_node_walk(func->body, find_shared_or_call, &found);
  pl_str type = func->decl->type ? func->decl->type->spelling : PL_STR("&");
  for (size_t i = 0; i < type.n && type.p[i] != '('; i++)
    found = found || type.p[i] == '&';
  return !found;
}

void pl_add_callee(pl_arena *arena, pl_node *call, const pl_decl *callee) {
  for (uint32_t i = 0; i < call->ncallees; i++)
    if (call->callees[i] == callee)
      return;
  pl_decl **grown = PL_NEW_ARRAY(arena, pl_decl *, call->ncallees + 1);
  for (uint32_t i = 0; i < call->ncallees; i++)
    grown[i] = call->callees[i];
  grown[call->ncallees++] = (pl_decl *)callee;
  call->callees = grown;
}

/* `(*this)`. */
static bool is_own_object(const pl_node *name) {
  while (name && name->kind == PL_NODE_PAREN && name->nkids)
    name = name->kids[0];
  return name && name->kind == PL_NODE_UNARY && name->op == PL_OP_DEREF &&
         name->kids[0] && name->kids[0]->kind == PL_NODE_THIS;
}

/* Whether a call's callee is an object whose type hangs on the arguments. */
static bool is_functor(const pl_node *name) {
  if (is_own_object(name))
    return true;
  const pl_decl *decl = name->kind == PL_NODE_REF ? name->decl : NULL;
  const pl_type *type = decl ? decl->type : NULL;
  if (type && type->kind == PL_TYPE_REFERENCE)
    type = type->element;
  return decl && (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM) &&
         type && type->kind == PL_TYPE_DEPENDENT;
}

/* Whether a method leaves its object alone. */
static bool is_const_method(const pl_func *func) {
  pl_str type = func->decl->type ? func->decl->type->spelling : PL_STR("");
  pl_str end = PL_STR(") const");
  return func->is_method && !func->decl->is_virtual && type.n > end.n &&
         memcmp(type.p + type.n - end.n, end.p, end.n) == 0;
}

pl_node *pl_operator_member(pl_arena *arena, pl_node *object,
                            const pl_decl *method, pl_str name) {
  pl_node *member = PL_NEW(arena, pl_node);
  member->kind = PL_NODE_MEMBER;
  member->range = object->range;
  member->decl = (pl_decl *)method;
  member->name = name;
  member->kids = PL_NEW_ARRAY(arena, pl_node *, 1);
  member->kids[0] = object;
  member->nkids = 1;
  object->parent = member;
  return member;
}

/* `u(r)` becomes what a call of a method is: `u.operator()` applied to r. */
static void call_method(pl_unit *unit, pl_node *call, const pl_decl *method) {
  pl_node *member =
      pl_operator_member(unit->arena, call->kids[0], method, method->name);
  member->parent = call;
  call->kids[0] = member;
  call->decl = NULL;
  call->name = member->name;
}

/* What is written elsewhere and gives something back: one function of the
 * toolkit, whichever of its overloads. What gives nothing back may be a barrier,
 * which is known by its object's type. */
static bool is_foreign(const pl_decl *callee, const pl_decl *first) {
  return callee && first && !callee->is_user && !callee->func &&
         (callee->kind == PL_DECL_FUNC || callee->kind == PL_DECL_METHOD) &&
         pl_str_eq(callee->qualified, first->qualified) && callee->type &&
         !pl_str_starts(callee->type->spelling, "void");
}

/* How many functions of the file bear a name and have as many parameters: other
 * arguments could pick any of them. */
static uint32_t namesakes(const pl_unit *unit, const pl_func *func) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    n += unit->funcs[i]->nparams == func->nparams &&
         pl_str_eq(unit->funcs[i]->name, func->name);
  return n;
}

/* Whether a function may change what it is handed. */
static bool takes_reference(const pl_func *func) {
  for (uint32_t i = 0; i < func->nparams; i++)
    if (func->params[i]->type &&
        func->params[i]->type->kind == PL_TYPE_REFERENCE)
      return true;
  return false;
}

/* Names what a call calls in all instantiations. */
static void name_callee(pl_node *call, pl_decl *callee) {
  call->decl = callee;
  if (call->kids[0]->kind == PL_NODE_MEMBER && !call->kids[0]->decl)
    call->kids[0]->decl = callee;
}

/* What a call whose callee hangs on the arguments calls. That is what the file
 * shows of it: where it may be one function or another, only plain ones. */
static void settle_call(pl_unit *unit, pl_func *func, pl_node *call) {
  const pl_node *name = call->nkids ? call->kids[0] : NULL;
  bool plain = true;
  if (!name || name->from_macro || !place_of(name).end ||
      name->kind == PL_NODE_CALL)
    return;
  bool functor = is_functor(name), foreign = true, one = true;
  pl_decl *first = NULL;
  const pl_type *result = NULL;
  for (uint32_t i = 0; i < func->ninstances; i++) {
    const pl_instance_fact *fact = callee_at(
        &func->instances[i], place_of(functor ? call : name));
    pl_decl *callee = fact ? fact->callee : NULL;
    if (fact && i == 0)
      result = fact->type;
    first = i == 0 ? callee : first;
    foreign = foreign && is_foreign(callee, first);
    one = one && callee && callee == first && callee->func &&
          callee->func->body && callee->in_main && !callee->is_virtual &&
          namesakes(unit, callee->func) == 1;
    if (!fact || !fact->type || !result ||
        !pl_str_eq(fact->type->spelling, result->spelling))
      result = NULL;
    plain = plain && callee && callee->func && callee->func->body &&
            is_plain_function(callee->func) &&
            (!functor || is_const_method(callee->func));
    if (plain)
      pl_add_callee(unit->arena, call, callee);
  }
  for (uint32_t i = 0; plain && i < call->ncallees; i++)
    plain = !takes_reference(call->callees[i]->func) ||
            namesakes(unit, call->callees[i]->func) == call->ncallees;
  if (functor && (plain || (one && is_const_method(first->func))))
    call_method(unit, call, first);
  if (functor && !plain && one && is_const_method(first->func))
    call->decl = first;
  if (plain && functor && result)
    call->type = result;
  if (plain && call->ncallees == 1)
    call->decl = call->callees[0];
  else if (!plain && !functor && (foreign || one))
    name_callee(call, first);
  if (!plain || call->ncallees == 1)
    call->ncallees = 0;
}

typedef struct settle_walk {
  pl_unit *unit;
  pl_func *func;
} settle_walk;

/* Forgets what a template's call of an overloaded name seems to call where its
 * arguments bring another function along, from their own namespace. */
static void forget_other(const pl_func *func, pl_node *call) {
  const pl_node *name = call->nkids ? call->kids[0] : NULL;
  bool open = name && name->kind == PL_NODE_REF && place_of(name).end &&
              name->type && pl_str_starts(name->type->spelling, "<overloaded");
  const pl_func *first = call->decl->func;
  for (uint32_t i = 0; open && first && i < func->ninstances; i++) {
    const pl_instance_fact *fact = callee_at(&func->instances[i], place_of(name));
    bool seen = fact && fact->callee->func && fact->callee->func->body;
    if (fact && !seen && fact->callee->is_user)
      call->is_unseen = true;
    if (seen && fact->callee->func != first)
      call->decl = NULL;
  }
}

static bool settle_node(pl_node *node, void *context) {
  settle_walk *walk = context;
  if (node->kind == PL_NODE_CALL && node->decl)
    forget_other(walk->func, node);
  if (node->kind == PL_NODE_VAR && node->decl)
    settle_variable(walk->unit, walk->func, node->decl);
  for (uint32_t i = 0; node->kind == PL_NODE_VAR && node->decl &&
                       i < node->decl->ndims; i++)
    pl_node_walk(node->decl->dims[i], settle_node, walk);
  if (node->kind == PL_NODE_REF && !node->decl)
    settle_name(walk->func, node);
  if (node->kind == PL_NODE_MEMBER && !node->decl && node->nkids)
    settle_member(walk->unit, walk->func, node);
  if (node->kind == PL_NODE_MEMBER && node->decl)
    settle_member_type(walk->unit, walk->func, node);
  if (node->kind == PL_NODE_CALL &&
      (!node->decl || (node->nkids && node->kids[0] &&
                       is_functor(node->kids[0]))))
    settle_call(walk->unit, walk->func, node);
  return true;
}

void pl_unit_settle_instances(pl_unit *unit) {
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    pl_func *func = unit->funcs[i];
    settle_walk walk = {unit, func};
    if (func->pattern || !func->ninstances ||
        func->ninstances >= PL_MAX_INSTANCES)
      continue;
    for (uint32_t p = 0; p < func->nparams; p++)
      settle_variable(unit, func, func->params[p]);
    pl_node_walk(func->body, settle_node, &walk);
  }
}
