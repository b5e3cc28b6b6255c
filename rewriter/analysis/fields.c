/* fields.c - does a number, a pointer or a reference in an object stay what it was
 * when the object was made?
 *
 * Needs: all functions of the unit. Gives: whether a field is never set, whatever
 * else the methods of its object move on. Raises: nothing. */
#include "sets.h"
#include "varies.h"

typedef struct field_walk {
  const pl_decl *field, *object;
  const pl_unit *unit;
  const pl_node *part; /* of the object's variable, which has the field */
  const pl_func *func; /* whose text is looked through */
  bool lost;
} field_walk;

/* A field of a template and that of an instantiation have one place in the text. */
static bool is_field(const pl_node *node, const pl_decl *field) {
  return node && node->kind == PL_NODE_MEMBER && node->decl &&
         (node->decl == field ||
          (node->decl->is_field && node->decl->in_main &&
           node->decl->name_range.begin == field->name_range.begin));
}

/* ... or one that it lies in. */
static bool is_of_path(const field_walk *w, const pl_node *node) {
  bool found = is_field(node, w->field);
  for (const pl_node *at = w->part; at->kind == PL_NODE_MEMBER && !found;
       at = pl_node_bare(at->kids[0]))
    found = is_field(node, at->decl);
  return found;
}

/* `(int *)this`: the object as what it is not. As a class that derives from its own
 * it has the same fields, `static_cast<Derived &>(*this)`. */
static bool is_seen_as_other(const pl_unit *unit, const pl_node *node) {
  if (node->kind == PL_NODE_VAR)
    return node->nkids && node->kids[0] &&
           pl_is_this(pl_node_bare(node->kids[0]));
  if (node->kind != PL_NODE_CAST || !node->nkids || !node->kids[0] ||
      !pl_is_this(pl_node_bare(node->kids[0])))
    return false;
  const pl_type *type = node->type;
  while (type && (type->kind == PL_TYPE_POINTER ||
                  type->kind == PL_TYPE_REFERENCE))
    type = type->element;
  return !node->range.end || !type || type->kind == PL_TYPE_INT ||
         type->kind == PL_TYPE_FLOAT ||
         !pl_str_starts(pl_unit_slice(unit, node->range), "static_cast");
}

static void find_part(const pl_node *name, void *context) {
  field_walk *w = context;
  w->lost = w->lost || is_of_path(w, name);
}

static void find_named(const pl_node *name, void *context) {
  field_walk *w = context;
  find_part(name, context);
  w->lost = w->lost || pl_is_this(name);
}

/* What a lambda names is set where its own nodes set it. */
static void pass_over(const pl_node *name, void *context) {
  (void)name;
  (void)context;
}

/* The function, or lambda, that a `return` ends. */
static const pl_func *ended_by(const field_walk *w, const pl_node *node) {
  while (node && node->kind != PL_NODE_LAMBDA)
    node = node->parent;
  return node ? node->func : w->func;
}

/* Whether a member is one of this class. */
static bool is_member_of(const pl_decl *member, pl_str class) {
  pl_str scope = {member->qualified.p, member->qualified.n - member->name.n};
  scope = pl_before_angle((pl_str){scope.p, scope.n > 2 ? scope.n - 2 : 0});
  return pl_str_eq(scope, class);
}

/* Whether an object that has the field, or one that it lies in, is set as a whole, but
 * for a variable under its own name: `*at = other`, `cursor.next() = other`. */
static bool sets_object(const field_walk *w, const pl_node *node) {
  const pl_node *to = node->kind == PL_NODE_ASSIGN ? pl_node_bare(node->kids[0]) : NULL;
  const pl_type *type = to ? pl_no_reference(to->type) : NULL;
  if (!type || type->kind != PL_TYPE_RECORD ||
      (to->kind == PL_NODE_REF && to->decl && to->decl->kind == PL_DECL_VAR &&
       to->decl->type && to->decl->type->kind == PL_TYPE_RECORD))
    return false;
  pl_str class = pl_before_angle(type->spelling);
  bool has = is_member_of(w->field, class);
  for (const pl_node *at = w->part; at->kind == PL_NODE_MEMBER && !has;
       at = pl_node_bare(at->kids[0]))
    has = at->decl && is_member_of(at->decl, class);
  return has;
}

/* Whether a node sets the field, or gives it or its object another name. */
static bool find_setting(pl_node *node, void *context) {
  field_walk *w = context;
  bool lambda = node->kind == PL_NODE_LAMBDA;
  bool handed = node->kind == PL_NODE_CALL || node->kind == PL_NODE_CONSTRUCT;
  const pl_func *ended = node->kind == PL_NODE_RETURN ? ended_by(w, node) : NULL;
  bool given = node->kind == PL_NODE_RETURN && (!ended || pl_returns_reference(ended));
  bool seen = pl_each_set_name(node, lambda ? pass_over : find_named, w);
  for (uint32_t i = 0; i < node->nkids && (handed || given); i++)
    pl_each_place_name(node->kids[i], handed ? find_named : find_part, w);
  w->lost = w->lost || !seen || sets_object(w, node) || node->kind == PL_NODE_ASM ||
            is_seen_as_other(w->unit, node) || (lambda && w->func->is_method);
  return !w->lost;
}

/* Whether the object is named for a member of it alone. */
static bool find_whole(pl_node *node, void *context) {
  field_walk *w = context;
  const pl_node *up = node->parent;
  if (node->kind == PL_NODE_REF && node->decl == w->object)
    w->lost = w->lost || !up || up->kind != PL_NODE_MEMBER || up->is_arrow;
  return !w->lost;
}

static bool is_kept_type(const pl_type *type) {
  return type && !type->is_volatile &&
         (type->kind == PL_TYPE_INT || type->kind == PL_TYPE_BOOL ||
          type->kind == PL_TYPE_ENUM || type->kind == PL_TYPE_POINTER ||
          type->kind == PL_TYPE_REFERENCE);
}

/* `Loader::Loader`, which makes the object and is done with it. */
static bool is_constructor(const pl_func *func) {
  pl_str scope = {func->qualified.p, func->qualified.n - func->name.n};
  size_t n = pl_before_angle(func->name).n;
  return func->is_method && scope.n > n + 1 &&
         pl_str_eq((pl_str){scope.p + scope.n - n - 2, n},
                   pl_before_angle(func->name)) &&
         (scope.n == n + 2 || scope.p[scope.n - n - 3] == ':');
}

/* A reference is bound once; another field no function may set. */
static bool is_set_somewhere(field_walk *w, const pl_unit *unit) {
  if (w->field->type->kind == PL_TYPE_REFERENCE)
    return w->lost;
  for (uint32_t i = 0; i < unit->nfuncs && !w->lost; i++) {
    w->func = unit->funcs[i];
    if (unit->funcs[i]->body && !is_constructor(unit->funcs[i]))
      pl_node_walk(unit->funcs[i]->body, find_setting, w);
  }
  return w->lost;
}

const pl_decl *pl_object_variable(const pl_node *object) {
  const pl_node *at = pl_node_bare((pl_node *)object);
  while (at && at->kind == PL_NODE_MEMBER && !at->is_arrow && at->nkids &&
         at->decl && at->decl->is_field && at->decl->type &&
         at->decl->type->kind == PL_TYPE_RECORD)
    at = pl_node_bare(at->kids[0]);
  return at && at->kind == PL_NODE_REF ? at->decl : NULL;
}

bool pl_field_is_set_once(const pl_unit *unit, const pl_decl *field) {
  pl_node none = {.kind = PL_NODE_REF};
  field_walk w = {.field = field, .unit = unit, .part = &none};
  return field->is_field && !field->is_in_union && field->in_main &&
         field->name_range.end && is_kept_type(field->type) &&
         !is_set_somewhere(&w, unit);
}

/* Whether a field is never set once its object is made, if that has no other name than
 * it has in `scope`. */
static bool stays_in(const pl_unit *unit, pl_node *scope, const pl_node *part,
                     const pl_decl *field) {
  const pl_decl *object = pl_object_variable(part);
  field_walk w = {.field = field, .object = object, .unit = unit,
                  .part = pl_node_bare((pl_node *)part)};
  if (!field || !field->is_field || field->is_in_union || !field->in_main ||
      !field->name_range.end || !is_kept_type(field->type) || !object ||
      object->kind != PL_DECL_VAR)
    return false;
  pl_node_walk(scope, find_whole, &w);
  return !is_set_somewhere(&w, unit);
}

bool pl_field_stays(pl_loop *loop, const pl_node *part, const pl_decl *field) {
  const pl_decl *object = pl_object_variable(part);
  return object && !pl_declared_inside(object, loop->body) &&
         !pl_has_second_name(loop, (pl_decl *)object) &&
         stays_in(loop->unit, loop->node, part, field);
}

/* ---- what of an object is read ---------------------------------------------- */

/* The uses that methods make of the object, which `ref` names where the loop calls
 * one: each is looked through once. */
typedef struct read_walk {
  pl_arena *arena;
  const pl_unit *unit;
  pl_loop *loop; /* NULL: ... */
  pl_node *body; /* of a function that names the object for members alone */
  const pl_node *ref;
  const pl_func **methods;
  size_t n, cap;
  bool kept;
} read_walk;

static void add_method(read_walk *w, const pl_func *method) {
  for (size_t i = 0; i < w->n; i++)
    if (w->methods[i] == method)
      return;
  PL_PUSH(w->arena, w->methods, w->n, w->cap, method);
}

/* `object.member`, or what a method of this name does: it may read fields alone that
 * stay what they were. */
static bool reads_kept(read_walk *w, const pl_node *member) {
  const pl_node *call = member->parent;
  if (member->decl && member->decl->is_field)
    return w->loop ? pl_field_stays(w->loop, w->ref, member->decl)
                   : stays_in(w->unit, w->body, w->ref, member->decl);
  bool called = call && call->kind == PL_NODE_CALL && call->decl &&
                call->kids[0] == member && !call->decl->is_virtual &&
                call->decl->func && call->decl->func->body;
  if (called)
    add_method(w, call->decl->func);
  return called;
}

static bool find_other_read(pl_node *node, void *context) {
  read_walk *w = context;
  const pl_node *up = node->parent;
  if (node->kind == PL_NODE_THIS)
    w->kept = w->kept && up && up->kind == PL_NODE_MEMBER && reads_kept(w, up);
  w->kept = w->kept && node->kind != PL_NODE_LAMBDA &&
            (node->kind != PL_NODE_MEMBER || node->nkids);
  return w->kept;
}

static bool reads_kept_alone(read_walk *w) {
  const pl_decl *object = w->ref->decl;
  const pl_node *up = w->ref->parent;
  w->kept = object && object->type && object->type->kind == PL_TYPE_RECORD &&
            object->kind == PL_DECL_VAR && up && up->kind == PL_NODE_MEMBER &&
            !up->is_arrow && reads_kept(w, up);
  for (size_t i = 0; i < w->n && w->kept; i++)
    pl_node_walk(w->methods[i]->body, find_other_read, w);
  return w->kept;
}

bool pl_reads_kept_fields(pl_loop *loop, const pl_node *ref) {
  read_walk w = {.arena = loop->arena, .unit = loop->unit, .loop = loop, .ref = ref};
  return ref->decl && pl_written_in_loop(loop, ref->decl) && reads_kept_alone(&w);
}

bool pl_reads_kept_fields_in(pl_arena *arena, const pl_unit *unit, const pl_func *func,
                             const pl_node *ref) {
  read_walk w = {.arena = arena, .unit = unit, .body = func->body, .ref = ref};
  return reads_kept_alone(&w);
}

/* ---- what a method sets -------------------------------------------------- */

bool pl_is_this(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  return node->kind == PL_NODE_THIS ||
         (node->kind == PL_NODE_UNARY && node->op == PL_OP_DEREF &&
          pl_node_bare(node->kids[0])->kind == PL_NODE_THIS);
}

/* The member of a method's object that an lvalue is, or lies in: `at_` of
 * `at_.row[i]`; NULL: it is known in another way. */
static const pl_decl *own_field(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  for (; node && node->nkids && node->kids[0] && !pl_is_this(node->kids[0]);
       node = pl_node_bare(node->kids[0]))
    if ((node->kind != PL_NODE_SUBSCRIPT && node->kind != PL_NODE_MEMBER) ||
        node->is_arrow)
      return NULL;
  bool field = node && node->kind == PL_NODE_MEMBER && node->decl &&
               node->decl->is_field && !node->decl->is_in_union;
  return field ? node->decl : NULL;
}

/* (A field of a template and that of an instantiation have one place.) */
static bool is_same_field(const pl_decl *a, const pl_decl *b) {
  return a == b || (a->in_main && b->in_main &&
                    a->name_range.begin == b->name_range.begin);
}

bool pl_sets_member(const pl_effects *effects, const pl_decl *field) {
  for (size_t i = 0; i < effects->n; i++) {
    const pl_effect *effect = &effects->items[i];
    if (effect->kind == PL_EFFECT_READ || !pl_root_is_this(effect->root) ||
        effect->root.member.n)
      continue;
    const pl_decl *set = effect->by_call ? NULL : own_field(effect->node);
    if (!set || !field || is_same_field(set, field))
      return true;
  }
  return false;
}

bool pl_method_sets(pl_effect_context *context, const pl_func *method,
                    const pl_decl *field) {
  pl_effects effects = {0};
  if (!method || !method->body)
    return true;
  pl_effects_of(context, method, method->body, &effects);
  return pl_sets_member(&effects, field);
}
