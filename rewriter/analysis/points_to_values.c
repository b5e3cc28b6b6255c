/* points_to_values.c - which objects does an address come from?
 *
 * Needs: roots of local pointers, summaries of callees. Gives: the roots of
 * values. Raises: nothing. */
#include "call_summary.h"
#include "effects_parts.h"

/* Roots of a parameter, or of a pointer that is read out of one that is a
 * record. */
static void parameter_roots(pl_walk *w, pl_decl *decl, pl_str name,
                            pl_roots *roots) {
  pl_add_root(w->context->unit->arena, roots, (pl_root){decl, name});
  if (decl->owner)
    pl_local_pointer_roots(w, decl, roots);
}

static bool is_record(const pl_type *type) {
  type = pl_no_reference(type);
  return type && type->kind == PL_TYPE_RECORD;
}

/* Pointers to pointers beyond that are one: a variable that is given what it leads
 * to, `p = next(p);`, leads on for ever. */
enum { MANY_LOADS = 8 };

static bool is_far(pl_str member) {
  size_t n = 0;
  while (n < member.n && member.p[n] == '*')
    n++;
  return n >= MANY_LOADS;
}

/* Roots of a pointer that is read out of an object; `name` is the member that
 * it is read from, empty: any. What hangs on a template may hold one where it is
 * a record in every instantiation. */
void pl_load_through(pl_walk *w, pl_root root, pl_str name, pl_roots *roots) {
  pl_arena *arena = w->context->unit->arena;
  pl_space space = pl_root_space(root);
  bool own = root.decl && !root.member.n;
  bool global = own && root.decl->kind == PL_DECL_VAR;
  if (own && pl_root_is_this(root))
    pl_add_root(
        arena, roots,
        (pl_root){root.decl, pl_arena_printf(arena, "*%.*s", PL_FMT(name))});
  else if (pl_root_is_this(root) && !is_far(root.member))
    pl_add_root(
        arena, roots,
        (pl_root){root.decl, pl_arena_printf(arena, "*%.*s", PL_FMT(root.member))});
  else if (own && space == PL_SPACE_LOCAL && root.decl->kind == PL_DECL_VAR)
    pl_local_member_roots(w, root.decl, name, roots);
  else if (own && root.decl->kind == PL_DECL_PARAM &&
           is_record(root.decl->type))
    parameter_roots(w, root.decl, name.n ? name : PL_STR("[]"), roots);
  else if (is_far(root.member))
    pl_add_root(arena, roots, root);
  else if (space == PL_SPACE_GLOBAL || space == PL_SPACE_CONSTANT)
    pl_add_root(arena, roots,
                (pl_root){root.decl,
                          pl_arena_printf(
                              arena, "*%.*s",
                              PL_FMT(global ? name : root.member))});
  else
    pl_add_root(arena, roots, (pl_root){0});
}

static bool is_this_object(const pl_node *object) {
  object = object ? pl_node_bare((pl_node *)object) : NULL;
  if (object && object->kind == PL_NODE_UNARY && object->op == PL_OP_DEREF)
    object = pl_node_bare(object->kids[0]);
  return !object || object->kind == PL_NODE_THIS;
}

/* The member of a method's own object that a part of it lies in: `shape` of
 * `shape.rows` and `this->shape.at.rows`; empty: any. */
static pl_str own_field(const pl_node *object, pl_str name) {
  while (!is_this_object(object)) {
    object = pl_node_bare((pl_node *)object);
    if (object->kind != PL_NODE_MEMBER || !object->decl ||
        pl_is_reference(object->decl->type))
      return (pl_str){NULL, 0};
    name = object->name;
    object = object->nkids ? object->kids[0] : NULL;
    if (object && is_this_object(object))
      break;
  }
  return name;
}

/* The name of an object's own member that a pointer is read out of, where an expression
 * names the object, or a part of it; empty: any of them. */
static pl_str member_of(pl_root root, const pl_node *object, pl_str name) {
  const pl_type *type = object ? pl_no_reference(object->type) : NULL;
  const pl_type *own = root.decl ? pl_no_reference(root.decl->type) : NULL;
  if (type && type->kind == PL_TYPE_POINTER)
    type = pl_no_reference(type->element);
  if (root.member.n)
    return name;
  if (pl_root_is_this(root))
    return own_field(object, name);
  return !own || !own->nmakings || !type || pl_same_type(own, type)
             ? name
             : (pl_str){NULL, 0};
}

/* Roots of a pointer that is read out of the memory at `node`. */
static void loaded_pointer_roots(pl_walk *w, pl_node *node, pl_roots *roots) {
  pl_roots holder = {0};
  pl_lvalue_roots(w, node, &holder);
  bool named = node->kind == PL_NODE_MEMBER &&
               !(node->decl && pl_is_reference(node->decl->type));
  pl_node *object = named && node->nkids ? node->kids[0] : NULL;
  pl_str name = named ? node->name : PL_STR("");
  for (size_t i = 0; i < holder.n; i++)
    pl_load_through(w, holder.items[i], member_of(holder.items[i], object, name), roots);
}

pl_node *pl_lambda_of(const pl_node *object) {
  const pl_decl *decl = object && object->kind == PL_NODE_REF ? object->decl : NULL;
  while (decl && decl->kind == PL_DECL_VAR && decl->init)
    object = decl->init, decl = NULL;
  object = object ? pl_node_bare((pl_node *)object) : NULL;
  while (object && object->kind == PL_NODE_CONSTRUCT && object->nkids == 1)
    object = pl_node_bare(object->kids[0]);
  return object && object->kind == PL_NODE_LAMBDA ? (pl_node *)object : NULL;
}

/* What a lambda captures under a name. */
static void captured_roots(pl_walk *w, const pl_node *lambda, pl_str name,
                           pl_roots *roots) {
  bool found = false;
  for (uint32_t i = 0; name.n && i < lambda->nkids; i++)
    if (lambda->kids[i] && lambda->kids[i]->kind == PL_NODE_REF &&
        pl_str_eq(lambda->kids[i]->name, name)) {
      pl_value_roots(w, lambda->kids[i], roots);
      found = true;
    }
  if (!found)
    pl_add_root(w->context->unit->arena, roots, (pl_root){0});
}

/* Roots of a pointer that is a member of what an expression names or gives. */
void pl_member_roots(pl_walk *w, pl_node *object, pl_str name,
                     pl_roots *roots) {
  pl_node *bare = pl_node_bare(object);
  const pl_node *lambda = pl_lambda_of(bare);
  if (lambda) {
    captured_roots(w, lambda, name, roots);
    return;
  }
  if (bare && pl_made_member_roots(w, bare->type, bare, name, roots))
    return;
  if (bare && (bare->kind == PL_NODE_CONSTRUCT ||
               bare->kind == PL_NODE_INIT_LIST ||
               (bare->kind == PL_NODE_CALL && is_record(bare->type)))) {
    pl_value_roots(w, bare, roots);
    return;
  }
  pl_roots holder = {0};
  pl_lvalue_roots(w, bare, &holder);
  for (size_t i = 0; i < holder.n; i++)
    pl_load_through(w, holder.items[i], member_of(holder.items[i], bare, name), roots);
}

/* A parameter of a lambda in the function: what it is given is followed in the
 * calls that are walked alone. */
bool pl_is_lambda_parameter(const pl_walk *w, const pl_decl *decl) {
  for (const pl_func *up = w->func; up; up = up->outer)
    if (pl_param_index(up, decl) >= 0)
      return false;
  return decl->kind == PL_DECL_PARAM && !decl->is_member && w->func &&
         (pl_is_pointer_like(decl->type) || pl_is_reference(decl->type) ||
          (decl->type && (decl->type->kind == PL_TYPE_RECORD ||
                          decl->type->kind == PL_TYPE_DEPENDENT)));
}

/* Roots of a lambda's parameter in the call that is walked, as a value or as
 * the object that it is bound to. False: its call is not known. */
bool pl_bound_roots(pl_walk *w, pl_decl *decl, bool object, pl_roots *roots) {
  const pl_frame *frame = w->frame, *outside = w->frame;
  while (frame && pl_param_index(frame->lambda, decl) < 0)
    frame = frame->up;
  const pl_type *type = pl_no_reference(decl->type);
  pl_node *arg =
      frame ? pl_argument(frame->call, pl_param_index(frame->lambda, decl))
            : NULL;
  bool names = object && pl_is_reference(decl->type);
  if (!arg || !decl->owner || !type || (type->kind == PL_TYPE_RECORD && !names))
    return false;
  w->frame = frame->up;
  if (object)
    pl_lvalue_roots(w, arg, roots);
  else
    pl_address_roots(w, arg, roots);
  w->frame = outside;
  if (!object && type->kind != PL_TYPE_ARRAY)
    pl_local_pointer_roots(w, decl, roots);
  return true;
}

/* What a parameter's function reaches by it: a pointer's object, also where a
 * template knows the pointer by `T &`, or what a reference names. */
static void argument_roots(pl_walk *w, const pl_func *callee, pl_node *call,
                       int index, pl_roots *roots) {
  pl_node *arg = pl_argument(call, index);
  if (!arg)
    return;
  const pl_type *type = callee->params[index]->type;
  const pl_type *given = pl_no_reference(arg->type);
  bool pointer = !pl_is_reference(type) || pl_is_pointer(type) ||
                 pl_is_pointer(given);
  if (!pointer)
    pl_lvalue_roots(w, arg, roots);
  if (pointer || !given || given->kind == PL_TYPE_DEPENDENT)
    pl_value_roots(w, arg, roots);
}

static pl_str without_star(pl_str member) {
  return member.n ? (pl_str){member.p + 1, member.n - 1} : member;
}

/* Whether an object is what a function gives back by value: the thread's own, for
 * this statement. */
static bool is_given_back(const pl_node *object) {
  const pl_node *bare = pl_node_bare((pl_node *)object);
  const pl_func *callee =
      bare->kind == PL_NODE_CALL ? pl_callee_of(bare) : NULL;
  return callee && bare->type && bare->type->kind == PL_TYPE_RECORD &&
         !pl_returns_reference(callee);
}

/* A root inside a member function, as roots of the object that the function is
 * called on: of `**rows`, what the pointers lead to that lie where `rows` leads. */
static void object_roots(pl_walk *w, const pl_node *call, pl_root root,
                         pl_roots *roots) {
  pl_node *member = pl_is_member_function(call) ? call->kids[0] : NULL;
  pl_node *object = member && member->nkids ? member->kids[0] : NULL;
  pl_str name = without_star(root.member);
  pl_roots holder = {0};
  if (pl_str_starts(name, "*")) {
    object_roots(w, call, (pl_root){root.decl, name}, &holder);
    for (size_t i = 0; i < holder.n; i++)
      pl_load_through(w, holder.items[i], (pl_str){NULL, 0}, roots);
    return;
  }
  if (object && root.member.n && !member->is_arrow) {
    pl_member_roots(w, object, name, roots);
    return;
  }
  if (object && member->is_arrow)
    pl_address_roots(w, object, &holder);
  else if (object && is_given_back(object))
    pl_add_root(w->context->unit->arena, &holder, pl_temporary_root());
  else if (object)
    pl_lvalue_roots(w, object, &holder);
  pl_never_empty(w->context->unit->arena, &holder);
  for (size_t i = 0; i < holder.n; i++)
    if (root.member.n)
      pl_load_through(w, holder.items[i], name, roots);
    else
      pl_add_root(w->context->unit->arena, roots, holder.items[i]);
}

/* A root inside a called function, as roots of the caller. */
void pl_map_root(pl_walk *w, const pl_func *callee, pl_node *call, pl_root root,
                 pl_roots *roots) {
  pl_arena *arena = w->context->unit->arena;
  root = pl_unnamed_member(w->context, root);
  int index = root.decl ? pl_param_index(callee, root.decl) : -1;
  pl_node *arg = index < 0 ? NULL : pl_argument(call, index);
  pl_roots found = {0};
  if (pl_root_is_this(root)) {
    object_roots(w, call, root, &found);
  } else if (index < 0) {
    pl_add_root(arena, &found, root);
  } else if (!root.member.n) {
    argument_roots(w, callee, call, index, &found);
  } else if (!pl_str_starts(root.member, "*")) {
    pl_member_roots(w, arg, root.member, &found);
  } else {
    pl_roots holder = {0};
    argument_roots(w, callee, call, index, &holder);
    for (size_t i = 0; i < holder.n; i++)
      pl_load_through(w, holder.items[i], without_star(root.member), &found);
  }
  pl_never_empty(arena, &found);
  for (size_t i = 0; i < found.n; i++)
    pl_add_root(arena, roots, found.items[i]);
}

/* What a call gives the pointer `arg` that it is handed by reference. */
void pl_given_roots(pl_walk *w, pl_node *call, const pl_node *arg,
                    pl_roots *roots) {
  const pl_func *callee = pl_callee_of(call);
  const pl_summary *s = pl_summarise(w->context, callee);
  for (uint32_t p = 0; p < callee->nparams; p++) {
    if (pl_argument(call, (int)p) != arg)
      continue;
    const pl_roots *given = &s->given[w->context->told][p];
    for (size_t i = 0; i < given->n; i++)
      if (given->items[i].decl != callee->params[p] || given->items[i].member.n)
        pl_map_root(w, callee, call, given->items[i], roots);
  }
}

/* What a call of the toolkit's gives back: a number, or an address that comes
 * from its arguments where that is known. */
static void known_call_roots(pl_walk *w, pl_node *call, pl_roots *roots) {
  pl_leads leads = pl_builtin_of(call)->leads;
  bool number = leads == PL_LEADS_NOWHERE && call->type &&
                !pl_is_pointer_like(call->type);
  bool given = leads == PL_LEADS_ARGUMENTS || leads == PL_LEADS_OBJECTS;
  for (uint32_t i = 1; given && i < call->nkids; i++)
    if (leads == PL_LEADS_OBJECTS)
      pl_lvalue_roots(w, call->kids[i], roots);
    else
      pl_value_roots(w, call->kids[i], roots);
  if (given || number)
    return;
  pl_add_root(w->context->unit->arena, roots, (pl_root){0});
  if (!w->context->told || leads == PL_LEADS_NOWHERE || !pl_can_hold(call->type) ||
      pl_called_lambda(call))
    return;
  for (uint32_t i = 1; i < call->nkids; i++)
    if (call->kids[i] && (pl_can_hold(call->kids[i]->type) ||
                          pl_is_array_type(call->kids[i]->type)))
      pl_value_roots(w, call->kids[i], roots);
  if (pl_is_member_function(call) && call->kids[0]->nkids)
    pl_value_roots(w, call->kids[0]->kids[0], roots);
}

/* What a lambda gives back. */
static bool gather_given(pl_node *node, void *context) {
  pl_gather *g = context;
  if (node->kind == PL_NODE_RETURN && node->nkids)
    pl_value_roots(g->w, node->kids[0], g->roots);
  return true;
}

/* What a function whose body is seen gives back. */
static void returned_roots(pl_walk *w, const pl_func *callee, pl_node *call,
                           pl_roots *roots) {
  pl_summary *s = pl_summarise(w->context, callee);
  const pl_roots *returned = &s->returned[w->context->told];
  for (size_t i = 0; i < returned->n; i++)
    pl_map_root(w, callee, call, returned->items[i], roots);
}

void pl_call_roots(pl_walk *w, pl_node *call, pl_roots *roots) {
  const pl_func *callee = pl_callee_of(call);
  if (callee)
    returned_roots(w, callee, call, roots);
  else
    known_call_roots(w, call, roots);
  pl_node *lambda = callee ? NULL : pl_called_lambda(call);
  pl_gather g = {.w = w, .roots = roots};
  if (w->context->told && lambda && pl_can_hold(call->type))
    pl_node_walk(lambda, gather_given, &g);
}

static bool converts_address(pl_node *node, const void *context) {
  (void)context;
  return pl_calls_builtin(node, "__cvta_generic_to_*");
}

/* Whether an integer expression holds a shared address in disguise. */
bool pl_carries_address(const pl_node *node) {
  return pl_node_find(node, converts_address, NULL);
}

/* A number that is made from others: their addresses, but not what compares
 * or counts. */
bool pl_makes_number(pl_op op) {
  return op == PL_OP_ADD || op == PL_OP_SUB || op == PL_OP_MUL ||
         op == PL_OP_DIV || op == PL_OP_REM || op == PL_OP_SHL ||
         op == PL_OP_SHR || op == PL_OP_AND || op == PL_OP_OR ||
         op == PL_OP_XOR;
}

/* Whether a number may be an address, or the part of one that matters. */
static bool may_be_address(const pl_node *node) {
  const pl_type *type = node ? pl_no_reference(node->type) : NULL;
  if (!node || pl_node_is_constant(node))
    return false;
  return !type || pl_may_carry_address(type) ||
         (type->kind == PL_TYPE_INT && type->size >= 4);
}

static bool has_root(const pl_roots *roots, pl_root root) {
  for (size_t i = 0; i < roots->n; i++)
    if (pl_root_eq(roots->items[i], root))
      return true;
  return false;
}

/* How far apart two places are says where what one of them is in lies, not the other. */
static void distance_roots(pl_walk *w, pl_node *node, pl_roots *roots) {
  pl_roots sides[2] = {{0}, {0}};
  for (int i = 0; i < 2; i++)
    pl_value_roots(w, node->kids[i], &sides[i]);
  for (int i = 0; i < 2; i++)
    for (size_t k = 0; k < sides[i].n; k++)
      if (!has_root(&sides[!i], sides[i].items[k]))
        pl_add_root(w->context->unit->arena, roots, sides[i].items[k]);
}

/* `p + i` is of p; of two numbers, each may be the address. */
static void sum_roots(pl_walk *w, pl_node *node, pl_roots *roots) {
  bool pointer = false;
  for (uint32_t i = 0; i < 2; i++)
    pointer = pointer || (node->kids[i] &&
                          pl_is_pointer_like(node->kids[i]->type));
  for (uint32_t i = 0; i < 2; i++) {
    const pl_type *type =
        node->kids[i] ? pl_no_reference(node->kids[i]->type) : NULL;
    bool number = type && type->kind == PL_TYPE_INT;
    if (!(pointer && number) && may_be_address(node->kids[i]))
      pl_value_roots(w, node->kids[i], roots);
  }
}

static void binary_roots(pl_walk *w, pl_node *node, pl_roots *roots) {
  if (node->op == PL_OP_COMMA)
    pl_value_roots(w, node->kids[1], roots);
  else if (node->op == PL_OP_SUB && pl_is_pointer_like(node->kids[0]->type) &&
           pl_is_pointer_like(node->kids[1]->type))
    distance_roots(w, node, roots);
  else if (pl_makes_number(node->op))
    sum_roots(w, node, roots);
  else if (node->op == PL_OP_OTHER)
    pl_add_root(w->context->unit->arena, roots, (pl_root){0});
}

/* A pointer that is made from a number may point anywhere, whatever else is
 * known of the number. */
static void cast_roots(pl_walk *w, pl_node *node, pl_roots *roots) {
  pl_node *value = node->nkids ? node->kids[0] : NULL;
  const pl_type *from = value ? pl_no_reference(value->type) : NULL;
  bool number = from && !pl_node_is_constant(value) &&
                (from->kind == PL_TYPE_INT || from->kind == PL_TYPE_FLOAT);
  if (number && pl_is_pointer(node->type))
    pl_add_root(w->context->unit->arena, roots, (pl_root){0});
  if (value)
    pl_value_roots(w, value, roots);
}

/* What is in a global variable is read anew each time. */
static bool is_in_global_memory(const pl_decl *decl) {
  return decl->kind == PL_DECL_VAR && !decl->is_shared &&
         (!decl->owner || decl->is_static) && !decl->is_constexpr;
}

bool pl_is_argument_object(const pl_decl *decl) {
  return decl->kind == PL_DECL_TEMPLATE_VALUE &&
         (pl_is_reference(decl->type) || pl_is_pointer(decl->type));
}

static void name_roots(pl_walk *w, pl_node *node, pl_roots *roots) {
  pl_arena *arena = w->context->unit->arena;
  pl_decl *decl = node->decl;
  if (node->open)
    return;
  bool handed = decl && pl_is_lambda_parameter(w, decl);
  if (handed && pl_bound_roots(w, decl, false, roots))
    return;
  if (!decl || handed || pl_is_argument_object(decl))
    pl_add_root(arena, roots, (pl_root){0});
  if (handed && decl->owner && w->context->told)
    pl_local_pointer_roots(w, decl, roots);
  if (!decl || handed || pl_is_argument_object(decl))
    return;
  if (decl->kind == PL_DECL_VAR && pl_is_reference(decl->type))
    pl_local_pointer_roots(w, decl, roots);
  else if (decl->is_shared && pl_is_pointer(decl->type))
    pl_add_root(arena, roots, (pl_root){0});
  else if (pl_type_is_deref_array(node) || decl->is_shared)
    pl_add_root(arena, roots, (pl_root){decl, {0}});
  else if (is_in_global_memory(decl))
    pl_load_through(w, (pl_root){decl, {0}}, (pl_str){NULL, 0}, roots);
  else if (decl->kind == PL_DECL_VAR)
    pl_local_pointer_roots(w, decl, roots);
  else if (decl->kind == PL_DECL_PARAM)
    parameter_roots(w, decl, (pl_str){NULL, 0}, roots);
  else if (decl->kind == PL_DECL_OTHER || decl->kind == PL_DECL_FIELD)
    pl_add_root(arena, roots, (pl_root){0});
  if (decl && is_record(decl->type) && decl->kind == PL_DECL_PARAM)
    pl_add_root(arena, roots, (pl_root){0});
}

/* A static member is a variable of its own, whatever object stands before. */
bool pl_is_static_member(const pl_node *node) {
  return node->kind == PL_NODE_MEMBER && node->decl &&
         node->decl->kind == PL_DECL_VAR;
}

static void value_of_member(pl_walk *w, pl_node *node, pl_roots *roots) {
  if (pl_is_static_member(node))
    name_roots(w, node, roots);
  else if (pl_type_is_deref_array(node))
    pl_lvalue_roots(w, node, roots);
  else if (node->is_arrow || !node->nkids ||
           (node->decl && pl_is_reference(node->decl->type)))
    loaded_pointer_roots(w, node, roots);
  else
    pl_member_roots(w, node->kids[0], node->name, roots);
}

/* What a call gives back; of a reference, what is read through it. */
static void value_of_call(pl_walk *w, pl_node *call, pl_roots *roots) {
  const pl_func *callee = pl_callee_of(call);
  if (callee && pl_returns_reference(callee) && !pl_type_is_deref_array(call))
    loaded_pointer_roots(w, call, roots);
  else
    pl_call_roots(w, call, roots);
}

/* The values in braces or parentheses; numbers among them are no addresses, but
 * in a union. */
static void list_roots(pl_walk *w, pl_node *node, pl_roots *roots) {
  const pl_type *type = pl_no_reference(node->type);
  bool record = type && type->kind == PL_TYPE_RECORD && !type->is_union;
  bool own = node->kind == PL_NODE_CONSTRUCT && node->decl &&
             node->decl->is_user && !node->decl->is_defaulted;
  if (own && record && type->nmakings) {
    pl_made_roots(w, type, node, roots);
    return;
  }
  for (uint32_t i = 0; i < node->nkids; i++) {
    const pl_type *kid =
        node->kids[i] ? pl_no_reference(node->kids[i]->type) : NULL;
    bool number = pl_is_number_type(kid);
    if (!(record && number))
      pl_value_roots(w, node->kids[i], roots);
  }
}

/* Roots of the pointer (or of the address inside an integer) that an
 * expression gives. */
void pl_value_roots(pl_walk *w, pl_node *node, pl_roots *roots) {
  pl_arena *arena = w->context->unit->arena;
  if (!node || pl_node_is_constant(node))
    return;
  switch (node->kind) {
  case PL_NODE_PAREN:
    if (node->nkids)
      pl_value_roots(w, node->kids[0], roots);
    return;
  case PL_NODE_CAST:
    cast_roots(w, node, roots);
    return;
  case PL_NODE_REF:
    name_roots(w, node, roots);
    return;
  case PL_NODE_UNARY:
    if (node->op == PL_OP_ADDR ||
        (node->op == PL_OP_DEREF && pl_type_is_deref_array(node)))
      pl_lvalue_roots(w, node->op == PL_OP_ADDR ? node->kids[0] : node, roots);
    else if (node->op == PL_OP_DEREF)
      loaded_pointer_roots(w, node, roots);
    else if (node->op != PL_OP_LNOT && node->nkids)
      pl_value_roots(w, node->kids[0], roots);
    return;
  case PL_NODE_BINARY:
    binary_roots(w, node, roots);
    return;
  case PL_NODE_ASSIGN:
    pl_value_roots(w, node->kids[0], roots);
    if (!pl_is_pointer(node->kids[0]->type) || node->op == PL_OP_ASSIGN)
      pl_value_roots(w, node->kids[1], roots);
    return;
  case PL_NODE_COND:
    pl_value_roots(w, node->kids[1], roots);
    pl_value_roots(w, node->kids[2], roots);
    return;
  case PL_NODE_SUBSCRIPT:
    if (pl_type_is_deref_array(node))
      pl_lvalue_roots(w, node, roots);
    else
      loaded_pointer_roots(w, node, roots);
    return;
  case PL_NODE_MEMBER:
    value_of_member(w, node, roots);
    return;
  case PL_NODE_CALL:
    value_of_call(w, node, roots);
    return;
  case PL_NODE_INIT_LIST:
  case PL_NODE_CONSTRUCT:
    list_roots(w, node, roots);
    return;
  case PL_NODE_THIS:
    pl_add_root(arena, roots, pl_this_root(w));
    return;
  case PL_NODE_INT:
  case PL_NODE_FLOATING:
  case PL_NODE_STRING:
  case PL_NODE_SIZEOF:
  case PL_NODE_LAMBDA:
    return;
  default:
    pl_add_root(arena, roots, (pl_root){0});
    if (w->context->told)
      pl_roots_in_text(w, node, roots);
  }
}

/* Roots of a pointer that is followed: where none is known it may be any. */
void pl_address_roots(pl_walk *w, pl_node *node, pl_roots *roots) {
  pl_roots found = {0};
  pl_value_roots(w, node, &found);
  pl_never_empty(w->context->unit->arena, &found);
  for (size_t i = 0; i < found.n; i++)
    pl_add_root(w->context->unit->arena, roots, found.items[i]);
}
