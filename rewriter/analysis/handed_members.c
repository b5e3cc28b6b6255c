/* handed_members.c - is what a method's object knows the callers' shared memory?
 *
 * Needs: every call of the method in the file, what its object was made from.
 * Gives: references and pointers in the object that all callers bind to a shared
 * object of theirs, and that nothing else leads to: in the method's text each
 * becomes a variable like an adopted parameter. Raises: nothing. */
#include "cfg.h"
#include "handed_tiles.h"
#include "varies.h"

/* A member, and who calls its method. */
typedef struct member_search {
  pl_callee *f;
  const pl_func *caller;
  pl_decl *field;
  bool any, all;
} member_search;

static bool is_of_this(const pl_node *node) {
  const pl_node *of =
      node->nkids && node->kids[0] ? pl_node_bare(node->kids[0]) : NULL;
  return node->kind == PL_NODE_MEMBER && node->decl && node->decl->is_field &&
         (!of || of->kind == PL_NODE_THIS);
}

/* The record that a method is called on, where it is no more than named or made
 * there. */
static pl_node *called_on(const pl_node *call) {
  const pl_node *member = pl_is_member_function(call) ? call->kids[0] : NULL;
  return member && !member->is_arrow && member->nkids ? member->kids[0] : NULL;
}

static const pl_type *record_of(const pl_node *object) {
  const pl_type *type = object ? object->type : NULL;
  return pl_no_reference(type);
}

/* Whether an argument, or another member of the object, may lead there. */
static bool leaks(const member_search *s, pl_node *call, const pl_decl *tile) {
  pl_effect_context *effects = s->f->effects;
  pl_node *object = called_on(call);
  pl_str name;
  const pl_type *record = record_of(object);
  for (uint32_t i = 0; (name = pl_address_member(record, i)).n; i++) {
    pl_roots other = {0};
    if (!pl_str_eq(name, s->field->name))
      pl_roots_of_member(effects, s->caller, object, name, &other);
    if (pl_leads_to(&other, tile) != PL_NO)
      return true;
  }
  for (uint32_t i = 1; i < call->nkids; i++) {
    pl_roots other = {0};
    pl_roots_of(effects, s->caller, call->kids[i], &other);
    if (pl_leads_to(&other, tile) != PL_NO)
      return true;
  }
  return false;
}

static bool is_told_apart(const pl_type *record, pl_str member) {
  pl_str name;
  for (uint32_t i = 0; (name = pl_address_member(record, i)).n; i++)
    if (pl_str_eq(name, member))
      return true;
  return false;
}

/* A tile is an array, or a record that is no more than its members. */
static bool is_plain_object(const pl_type *type) {
  return type && (type->kind == PL_TYPE_ARRAY || pl_is_plain_record(type));
}

static bool check_call(pl_node *node, void *context) {
  member_search *s = context;
  s->all = s->all && !pl_may_be_call_of(node, s->f->func);
  if (!pl_is_call_of(node, s->f->func) || !s->all)
    return s->all;
  pl_node *object = called_on(node);
  pl_roots tile = {0};
  if (is_told_apart(record_of(object), s->field->name))
    pl_roots_of_member(s->f->effects, s->caller, object, s->field->name,
                       &tile);
  const pl_decl *decl = tile.n == 1 ? tile.items[0].decl : NULL;
  s->any = true;
  s->all = decl && decl->is_shared && !decl->is_extern &&
           pl_root_space(tile.items[0]) == PL_SPACE_SHARED &&
           decl->owner == s->caller && is_plain_object(decl->type) &&
           !leaks(s, node, decl);
  return s->all;
}

static bool is_given_by_all(pl_callee *f, pl_decl *field) {
  member_search s = {f, NULL, field, false, true};
  for (uint32_t i = 0; i < f->unit->nfuncs && s.all; i++) {
    s.caller = f->unit->funcs[i];
    if (s.caller->body)
      pl_node_walk(s.caller->body, check_call, &s);
  }
  return s.any && s.all;
}

/* ---- the method's text --------------------------------------------------- */

static bool is_other_use(pl_node *node, const void *unused) {
  (void)unused;
  const pl_node *up = node->parent;
  return node->kind == PL_NODE_LAMBDA ||
         (node->kind == PL_NODE_THIS &&
          !(up && up->kind == PL_NODE_MEMBER && up->kids[0] == node));
}

/* Members that lead somewhere, named in a method's text, or in that of methods that it
 * calls on its own object; and variables that stand for some there. */
typedef struct field_list {
  pl_decl *items[16];
  size_t n;
  const pl_func *seen[32];
  size_t nseen;
} field_list;

static bool collect_fields(pl_node *node, void *context);

static void collect_below(field_list *list, const pl_node *call) {
  const pl_func *func = call->decl->func;
  bool known = !func || !func->body || list->nseen == 32;
  for (size_t i = 0; i < list->nseen && !known; i++)
    known = list->seen[i] == func;
  if (known)
    return;
  list->seen[list->nseen++] = func;
  if (!pl_node_find(func->body, is_other_use, NULL))
    pl_node_walk(func->body, collect_fields, list);
}

static bool collect_fields(pl_node *node, void *context) {
  field_list *list = context;
  const pl_type *type = is_of_this(node) ? node->decl->type : NULL;
  bool variable = node->kind == PL_NODE_REF && node->decl && node->decl->is_member;
  bool leads = type && (type->kind == PL_TYPE_REFERENCE ||
                        type->kind == PL_TYPE_POINTER);
  bool known = (!leads && !variable) || list->n == 16;
  if (node->kind == PL_NODE_CALL && pl_is_called_on_this(node))
    collect_below(list, node);
  for (size_t i = 0; i < list->n && !known; i++)
    known = list->items[i] == node->decl;
  if (!known)
    list->items[list->n++] = node->decl;
  return true;
}

typedef struct stand_in {
  const pl_decl *field;
  pl_decl *variable;
} stand_in;

static bool put_variable(pl_node *node, void *context) {
  const stand_in *s = context;
  if (!is_of_this(node) || node->decl != s->field)
    return true;
  node->kind = PL_NODE_REF;
  node->decl = s->variable;
  node->nkids = 0;
  node->is_arrow = false;
  return false;
}

static pl_decl *variable_for(const pl_callee *f, const pl_decl *field) {
  pl_decl *variable = PL_NEW(f->unit->arena, pl_decl);
  *variable = *field;
  variable->kind = PL_DECL_PARAM;
  variable->is_field = false;
  variable->owner = f->func;
  variable->points_to_shared = variable->is_member = true;
  return variable;
}

/* What else the method calls with its object is told of a variable. */
static void tell(pl_callee *f, pl_decl *variable) {
  pl_arena *arena = f->unit->arena;
  pl_member_names *names = PL_NEW(arena, pl_member_names);
  names->method = f->func;
  names->fields = PL_NEW_ARRAY(arena, pl_decl *, 1);
  names->fields[0] = variable;
  names->n = 1;
  pl_push_members(f->effects, names);
}

/* From here on the method's text names a variable in the place of the member. */
static void adopt(pl_callee *f, pl_decl *field) {
  stand_in s = {field, variable_for(f, field)};
  pl_node_walk(f->func->body, put_variable, &s);
  pl_cfg_forget(f->func->body);
  tell(f, s.variable);
}

/* The variable that stands for a member by now; NULL: none does. */
static pl_decl *adopted(const field_list *fields, const pl_decl *field) {
  for (size_t i = 0; i < fields->n; i++)
    if (fields->items[i]->is_member && pl_str_eq(fields->items[i]->name, field->name))
      return fields->items[i];
  return NULL;
}

void pl_adopt_members(pl_callee *f) {
  field_list fields = {.n = 0};
  if (!f->func->is_method || f->func->is_global || !pl_calls_are_seen(f->func))
    return;
  if (!pl_node_find(f->func->body, is_other_use, NULL))
    pl_node_walk(f->func->body, collect_fields, &fields);
  for (size_t i = 0; i < fields.n; i++) {
    pl_decl *field = fields.items[i];
    if (field->is_member)
      tell(f, field);
    else if (!adopted(&fields, field) && pl_field_is_set_once(f->unit, field) &&
             is_given_by_all(f, field))
      adopt(f, field);
  }
}
