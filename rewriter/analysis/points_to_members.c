/* points_to_members.c - where do the pointers and references in an object lead?
 *
 * Needs: what the frontend says of constructors, roots of their arguments.
 * Gives: the roots of one member, as its object was made. Raises: nothing. */
#include "effects_parts.h"

static const pl_type *record_of(const pl_type *type) {
  type = pl_no_reference(type);
  return type && type->nmakings ? type : NULL;
}

const pl_beginning *pl_record_member(const pl_type *type, pl_str member) {
  type = record_of(type);
  for (uint32_t i = 0; type && i < type->makings->nmembers; i++)
    if (pl_str_eq(type->makings->members[i].member, member))
      return &type->makings->members[i];
  return NULL;
}

/* Which of the ways to make a record an initialiser takes; NULL: not known. */
static const pl_making *making_by(const pl_type *type, const pl_node *init) {
  const pl_making *found = NULL;
  const pl_decl *decl = init->decl;
  bool named = decl && decl->in_main && decl->name_range.end;
  for (uint32_t i = 0; i < type->nmakings; i++) {
    const pl_making *making = &type->makings[i];
    bool fits = named              ? making->at == decl->name_range.begin
                : making->is_list ? init->nkids <= making->nparams
                                   : init->nkids == making->nparams;
    if (fits && found)
      return NULL;
    found = fits ? making : found;
  }
  return found && found->is_known ? found : NULL;
}

/* The single argument in the parentheses that make a variable of a template:
 * clang shows nothing else there. NULL: these may hold what is copied. */
static const pl_node *single_argument(const pl_node *init) {
  if (init->kind != PL_NODE_PAREN || init->nkids != 1)
    return NULL;
  const pl_type *only = pl_no_reference(init->kids[0]->type);
  bool class = only && (only->kind == PL_TYPE_RECORD ||
                        only->kind == PL_TYPE_DEPENDENT);
  return only && !class ? init->kids[0] : NULL;
}

static bool is_making(const pl_node *init) {
  return init && (init->kind == PL_NODE_CONSTRUCT ||
                  init->kind == PL_NODE_INIT_LIST || single_argument(init));
}

/* Braces, and what is in parentheses alone, have the type of the variable that
 * they make. */
static const pl_type *made_by(const pl_node *init) {
  const pl_node *up = init->parent;
  const pl_type *own = single_argument(init) ? NULL : record_of(init->type);
  bool of_variable = init->kind == PL_NODE_INIT_LIST || single_argument(init);
  return own || !of_variable || !up || up->kind != PL_NODE_VAR || !up->decl
             ? own
             : record_of(up->decl->type);
}

bool pl_makes_plainly(const pl_node *init) {
  const pl_type *type = init && is_making(init) ? made_by(init) : NULL;
  const pl_making *making = type ? making_by(type, init) : NULL;
  return making && making->is_plain && !type->runs_code &&
         !type->begins_by_code &&
         (making->is_list || init->nkids == making->nparams);
}

bool pl_takes_value(const pl_node *init, const pl_node *arg) {
  const pl_type *type = made_by(init);
  const pl_making *making = type ? making_by(type, init) : NULL;
  for (uint32_t i = 0; making && i < init->nkids && i < 64; i++)
    if (init->kids[i] == arg)
      return !(making->by_name >> i & 1);
  return false;
}

bool pl_takes_plain_value(const pl_node *init, uint32_t index) {
  const pl_type *type = made_by(init);
  const pl_making *making = type ? making_by(type, init) : NULL;
  return making && index < 64 && making->by_value >> index & 1;
}

/* What an argument leads to: what a pointer points to, or the object that is
 * known by a reference. A number counts the cells there. */
static void argument_roots(pl_walk *w, const pl_making *making, uint32_t index,
                           pl_node *arg, bool reference, pl_roots *roots) {
  const pl_type *type = arg ? pl_no_reference(arg->type) : NULL;
  bool name = making->by_name >> index & 1;
  bool pointer = type && type->kind == PL_TYPE_POINTER;
  bool number = pl_is_number_type(type);
  if (!type || (reference && name && pointer))
    pl_add_root(w->context->unit->arena, roots, (pl_root){0});
  else if (name && !pointer)
    pl_lvalue_roots(w, arg, roots);
  else if (!number)
    pl_value_roots(w, arg, roots);
}

static void beginning_roots(pl_walk *w, const pl_making *making,
                            const pl_beginning *begins, const pl_node *init,
                            pl_roots *roots) {
  bool known = begins->is_known;
  for (uint32_t i = 0; known && i < making->nparams && i < 64; i++) {
    bool given = i < init->nkids && init->kids[i];
    if (!((begins->from | begins->loads) >> i & 1))
      continue;
    if (given && begins->from >> i & 1)
      argument_roots(w, making, i, init->kids[i], begins->is_reference, roots);
    if (given && begins->loads >> i & 1)
      pl_member_roots(w, init->kids[i], (pl_str){NULL, 0}, roots);
    known = given || making->is_list;
  }
  if (!known)
    pl_add_root(w->context->unit->arena, roots, (pl_root){0});
}

bool pl_made_member_roots(pl_walk *w, const pl_type *type, pl_node *init,
                          pl_str member, pl_roots *roots) {
  const pl_beginning *begins = pl_record_member(type, member);
  const pl_making *making =
      begins && is_making(init) ? making_by(record_of(type), init) : NULL;
  for (uint32_t i = 0; making && i < making->nmembers; i++)
    if (pl_str_eq(making->members[i].member, member)) {
      beginning_roots(w, making, &making->members[i], init, roots);
      return true;
    }
  return false;
}

static bool begins_elsewhere(const pl_type *type) {
  type = pl_no_reference(type);
  while (type && type->kind == PL_TYPE_ARRAY)
    type = pl_no_reference(type->element);
  return type && type->is_user && type->begins_elsewhere;
}

bool pl_may_be_made_otherwise(const pl_decl *decl) {
  const pl_node *init = decl->init;
  if (init->decl || (init->kind != PL_NODE_CONSTRUCT &&
                     init->kind != PL_NODE_INIT_LIST &&
                     init->kind != PL_NODE_PAREN))
    return false;
  return begins_elsewhere(decl->type);
}

void pl_made_roots(pl_walk *w, const pl_type *type, pl_node *init,
                   pl_roots *roots) {
  type = record_of(type);
  const pl_making *making = making_by(type, init);
  for (uint32_t i = 0; making && i < making->nmembers; i++)
    beginning_roots(w, making, &making->members[i], init, roots);
  if (!making)
    pl_add_root(w->context->unit->arena, roots, (pl_root){0});
}

pl_str pl_address_member(const pl_type *record, uint32_t index) {
  record = record_of(record);
  return record && index < record->makings->nmembers
             ? record->makings->members[index].member
             : (pl_str){NULL, 0};
}

void pl_push_members(pl_effect_context *context, pl_member_names *names) {
  names->outer = context->named;
  context->named = names;
}

void pl_pop_members(pl_effect_context *context) {
  context->named = context->named->outer;
}

pl_root pl_unnamed_member(const pl_effect_context *context, pl_root root) {
  if (!root.decl || !root.decl->is_member || root.member.n)
    return root;
  return (pl_root){pl_any_this(),
                   pl_arena_printf(context->unit->arena, "*%.*s",
                                   PL_FMT(root.decl->name))};
}

void pl_name_members(const pl_effect_context *context, const pl_func *func,
                     pl_root *root) {
  if (!pl_root_is_this(*root) || !pl_str_starts(root->member, "*"))
    return;
  pl_str member = {root->member.p + 1, root->member.n - 1};
  const pl_member_names *names = context->named;
  for (; names; names = names->outer)
    for (size_t i = 0; names->method == func && i < names->n; i++)
      if (pl_str_eq(names->fields[i]->name, member)) {
        *root = (pl_root){names->fields[i], {0}};
        return;
      }
}
