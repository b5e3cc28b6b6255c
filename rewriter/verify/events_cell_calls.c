/* events_cell_calls.c - functions and methods that a load calls.
 *
 * Needs: a call. Gives: the body of what it runs, with its parameters bound to what they are
 * handed, and `this` to the object; and what a body that is no more than a value gives.
 * Raises: nothing. */
#include <ctype.h>

#include "effects_parts.h"
#include "events_cells.h"

enum { MOST_CALLS = 4 };

static const pl_cell_place nowhere;

/* What a parameter is handed; NULL: its default argument. */
static pl_cell_variable handed(pl_cell_reading *r, const pl_decl *param, pl_node *arg) {
  pl_cell_variable made = {.decl = param};
  if (!arg) {
    made.value = pl_is_never_set(param)
                     ? pl_term(r, pl_cell_unless_given(r, param), NULL, 0) : made.value;
    return made;
  }
  const pl_type *named = pl_is_reference(param->type) ? param->type->element : NULL;
  made.is_place = named || param->type->kind == PL_TYPE_POINTER;
  if (!made.is_place && !pl_is_never_set(param))
    return made;
  const pl_type *own = pl_node_bare(arg)->type ? pl_no_reference(pl_node_bare(arg)->type) : NULL;
  bool number = named && pl_is_number_or_enum(named);
  if (named && (!number || (own && pl_same_type(own, named))))
    made.place = pl_cell_place_of(r, arg);
  if (number && named->is_const && !made.place.is_known) { /* of a value, not of a variable */
    made.is_place = false;
    made.value = pl_converted(r, pl_sum_of(r, arg), arg->type, named);
  } else if (!named && made.is_place) {
    made.place = pl_place_led_to(r, arg);
  } else if (!named) {
    made.value = pl_converted(r, pl_sum_of(r, arg), arg->type, param->type);
  }
  return made;
}

/* What an earlier call has left in its variables, or in its parameters as well. */
static void drop_locals_of(pl_cell_reading *r, const pl_func *func, bool params) {
  size_t kept = 0;
  for (size_t i = 0; i < r->nfills; i++)
    if (!r->fills[i].local || (r->fills[i].local->kind == PL_DECL_PARAM && !params) ||
        !pl_cell_is_own_of(func, r->fills[i].local))
      r->fills[kept++] = r->fills[i];
  r->nfills = kept;
}

/* The object that a call is of; not known where it is none's. */
static pl_cell_place object_of(pl_cell_reading *r, const pl_node *call) {
  const pl_node *method = call->kids[0];
  bool known = call->decl && call->decl->kind == PL_DECL_METHOD && !call->decl->is_virtual;
  pl_node *object = known && method->nkids ? method->kids[0] : NULL;
  return !known ? nowhere : !object ? r->self
         : method->is_arrow ? pl_place_led_to(r, object) : pl_cell_place_of(r, object);
}

static bool may_be_older(pl_node *node, const void *context) {
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  return decl && decl->is_user && (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM) &&
         !pl_is_declared_in(decl, context) && !pl_is_never_set(decl);
}

/* `[a, &b]`, `[=]`: names alone, and none of them is made of something else. */
static bool captures_names(pl_str lambda) {
  size_t at = pl_str_starts(lambda, "[=") ? 2 : 1;
  while (at < lambda.n && lambda.p[at] != ']' && lambda.p[at] != '=' && lambda.p[at] != '*' &&
         lambda.p[at] != '{' && lambda.p[at] != '(')
    at++;
  return at < lambda.n && lambda.p[at] == ']' && !pl_str_has(lambda, "mutable");
}

/* Whether a lambda's names are what they are where it is called. */
static bool names_by_reference(const pl_cell_reading *r, const pl_func *callee) {
  const pl_node *up = callee->body->parent;
  pl_str text = up && up->kind == PL_NODE_LAMBDA ? pl_unit_slice(r->unit, up->range)
                                                 : PL_STR("[]");
  return pl_str_starts(text, "[&]") || pl_str_starts(text, "[]") ||
         (captures_names(text) && !pl_node_find(callee->body, may_be_older, up));
}

const pl_func *pl_cell_callee_of(const pl_node *call) {
  const pl_node *object = call->nkids && call->kids[0] ? pl_node_bare(call->kids[0]) : NULL;
  if (object && object->kind == PL_NODE_MEMBER && object->nkids) /* its operator() */
    object = pl_node_bare(object->kids[0]);
  const pl_decl *decl = object && object->kind == PL_NODE_REF ? object->decl : NULL;
  const pl_node *lambda = decl && decl->init ? pl_node_bare(decl->init) : NULL;
  return lambda && lambda->kind == PL_NODE_LAMBDA ? lambda->func : pl_callee_of(call);
}

bool pl_is_readable(const pl_cell_reading *r, const pl_node *call) {
  const pl_func *callee = pl_cell_callee_of(call);
  bool is = callee && callee->body && callee->body->kind == PL_NODE_COMPOUND &&
            callee->body->nkids && call->nkids && call->nkids <= callee->nparams + 1;
  for (uint32_t i = is ? call->nkids - 1 : 0; is && i < callee->nparams; i++)
    is = pl_cell_unless_given(r, callee->params[i]).n > 0;
  return is;
}

pl_str pl_cell_unless_given(const pl_cell_reading *r, const pl_decl *param) {
  pl_str text = pl_unit_slice(r->unit, param->range);
  size_t at = 0;
  while (at < text.n && text.p[at] != '=')
    at++;
  bool is = at < text.n && param->unless_given == PL_ORIGIN_NUMBERS &&
            pl_is_number_or_enum(param->type);
  return is ? (pl_str){text.p + at, text.n - at} : (pl_str){0};
}

pl_str pl_cell_arguments_of(const pl_cell_reading *r, const pl_node *call) {
  const pl_node *callee = call->nkids && call->kids[0] ? pl_node_bare(call->kids[0]) : NULL;
  pl_str text = callee && callee->range.end ? pl_unit_slice(r->unit, callee->range) : (pl_str){0};
  pl_str name = pl_last_name(pl_callee_name(call));
  size_t at = text.n;
  while (at > 0 && !(name.n && pl_str_starts((pl_str){text.p + at, text.n - at}, "<") &&
                     at >= name.n && pl_str_eq((pl_str){text.p + at - name.n, name.n}, name)))
    at--;
  pl_str made = {0};
  for (; at > 0 && at < text.n; at++)
    if (text.p[at] != ' ')
      made = pl_arena_printf(r->arena, isalnum((unsigned char)text.p[at]) ? "%.*s%c" : "%.*s_%02x",
                             PL_FMT(made), (unsigned char)text.p[at]);
  return made;
}

pl_node *pl_enter_call(pl_cell_reading *r, const pl_node *node, pl_cell_call *call) {
  const pl_func *callee = pl_cell_callee_of(node);
  bool is_lambda = callee && callee->body && callee->body->parent &&
                   callee->body->parent->kind == PL_NODE_LAMBDA;
  bool method = pl_is_member_function(node) && !is_lambda;
  *call = (pl_cell_call){r->func, r->self, r->nbound, r->made_for};
  if (!pl_is_readable(r, node) || callee == r->func || r->calls == MOST_CALLS ||
      !names_by_reference(r, callee))
    return NULL;
  pl_cell_place self = is_lambda ? r->self : method ? object_of(r, node) : nowhere;
  if (method && !self.is_known)
    return NULL;
  pl_cell_variable *params = PL_NEW_ARRAY(r->arena, pl_cell_variable, callee->nparams + 1);
  for (uint32_t i = 0; i < callee->nparams; i++)
    params[i] = handed(r, callee->params[i], i + 1 < node->nkids ? node->kids[i + 1] : NULL);
  drop_locals_of(r, callee, false);
  for (uint32_t i = 0; i < callee->nparams; i++)
    if (params[i].is_place || params[i].value.is_known)
      PL_PUSH(r->arena, r->bound, r->nbound, r->bound_cap, params[i]);
  r->calls++;
  r->made_for = pl_arena_printf(r->arena, "%.*s%.*s", PL_FMT(pl_cell_arguments_of(r, node)),
                                PL_FMT(r->made_for));
  r->func = callee;
  r->self = self;
  return callee->body;
}

void pl_leave_call(pl_cell_reading *r, const pl_cell_call *call) {
  size_t kept = call->nbound < r->nbound ? call->nbound : r->nbound;
  for (size_t i = kept; i < r->nbound; i++)
    if (!pl_cell_is_callees(r, r->bound[i].decl))
      r->bound[kept++] = r->bound[i];
  r->func = call->caller;
  r->self = call->self;
  r->made_for = call->made_for;
  r->nbound = kept;
  r->calls--;
}

/* ---- what objects lead to ----------------------------------------------------------- */

/* Whether nothing but its declaration sets what an object holds. */
static bool is_as_made(pl_cell_reading *r, const pl_decl *object) {
  pl_effects effects = {0};
  if (!object->owner || !object->owner->body || !object->node)
    return false;
  pl_effects_of(r->effects, object->owner, object->owner->body, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *e = &effects.items[i];
    if (e->kind != PL_EFFECT_READ && e->root.decl == object && !e->root.member.n &&
        !pl_node_within(e->node, object->node))
      return false;
  }
  return true;
}

/* The value that a constructor makes a field of; NULL: not known. */
static pl_node *made_of(const pl_func *made_by, const pl_decl *field) {
  for (uint32_t i = 0; made_by && i < made_by->nmember_inits; i++)
    if (made_by->member_inits[i].field == field)
      return made_by->member_inits[i].value;
  return NULL;
}

/* Whether a name may hold something else by the time that an object of the iteration's is
 * used. Which slot it is of has been looked at. */
static bool may_change(pl_node *node, const void *context) {
  const pl_cell_reading *r = context;
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  return node->kind == PL_NODE_LAMBDA ||
         (decl && decl->is_user && !pl_cell_object_named(r, decl) &&
          !(node->parent && pl_cell_object_staged(r, node->parent)) &&
          (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM) &&
          pl_no_reference(decl->type)->kind != PL_TYPE_ARRAY && !pl_is_never_set(decl));
}

/* The value in a list of an object's members that is one of them; NULL: not known. */
static pl_node *listed(const pl_node *init, const pl_type *type, const pl_decl *field) {
  const pl_beginning *begins =
      init && init->kind == PL_NODE_INIT_LIST ? pl_record_member(type, field->name) : NULL;
  bool one = begins && begins->is_known && !begins->loads && !begins->is_record &&
             pl_no_reference(type)->makings->is_list;
  for (uint32_t i = 0; one && i < init->nkids && i < 64; i++)
    if (begins->from == (uint64_t)1 << i)
      return init->kids[i];
  return NULL;
}

/* What a field of an object was made of, read as it was there; NULL: not known, or something may
 * have set it since. Ended by leave_making. */
static pl_node *enter_making(pl_cell_reading *r, const pl_cell_place *object,
                             const pl_decl *field) {
  const pl_decl *of = object->of;
  const pl_node *init = of && of->init ? pl_node_bare(of->init) : NULL;
  const pl_func *made_by = init && init->kind == PL_NODE_CONSTRUCT && init->decl
                               ? init->decl->func : NULL;
  pl_node *value = made_of(made_by, field), *own = of ? listed(init, of->type, field) : NULL;
  bool kept = pl_is_reference(field->type) || field->type->is_const;
  bool as_made = own ? kept || is_as_made(r, of)
                     : value && made_by->nparams == init->nkids &&
                           (kept || (made_by->body && !made_by->body->nkids && is_as_made(r, of)));
  if (!as_made || r->depth >= PL_CELL_DEPTH ||
      (pl_cell_is_inner(r, of) && pl_node_find(init, may_change, r)))
    return NULL;
  r->ahead += !pl_cell_is_inner(r, of);
  r->depth++;
  for (uint32_t i = 0; !own && i < made_by->nparams; i++) {
    pl_cell_variable param = handed(r, made_by->params[i], init->kids[i]);
    PL_PUSH(r->arena, r->bound, r->nbound, r->bound_cap, param);
  }
  if (own)
    return own;
  r->calls++;
  r->func = made_by;
  r->self = *object;
  r->self.at = pl_number_sum(r, 0);
  return value;
}

static void leave_making(pl_cell_reading *r, const pl_cell_reading *was) {
  r->nbound = was->nbound;
  r->calls = was->calls;
  r->func = was->func;
  r->self = was->self;
  r->depth = was->depth;
  r->ahead = was->ahead;
}

pl_cell_place pl_cell_made_to_lead(pl_cell_reading *r, const pl_cell_place *object,
                                   const pl_decl *field) {
  const pl_cell_reading was = *r;
  pl_node *value = enter_making(r, object, field);
  pl_cell_place made = !value                        ? nowhere
                       : pl_is_reference(field->type) ? pl_cell_place_of(r, value)
                                                      : pl_place_led_to(r, value);
  leave_making(r, &was);
  return made;
}

pl_cell_sum pl_cell_made_number(pl_cell_reading *r, const pl_cell_place *object,
                                const pl_decl *field) {
  const pl_cell_reading was = *r;
  pl_node *value = enter_making(r, object, field);
  pl_cell_sum made = value ? pl_converted(r, pl_sum_of(r, value), value->type, field->type)
                           : (pl_cell_sum){0};
  leave_making(r, &was);
  return made;
}

pl_node *pl_enter_value(pl_cell_reading *r, pl_node *node, pl_cell_call *call) {
  const pl_node *body = pl_is_readable(r, node) ? pl_cell_callee_of(node)->body : NULL;
  const pl_node *last = body ? body->kids[body->nkids - 1] : NULL;
  if (!last || last->kind != PL_NODE_RETURN || !last->nkids || !last->kids[0] ||
      !pl_gives_alone(r, node))
    return NULL;
  for (uint32_t i = 0; i + 1 < body->nkids; i++)
    if (body->kids[i] && body->kids[i]->kind != PL_NODE_DECL_STMT &&
        body->kids[i]->kind != PL_NODE_OTHER_DECL)
      return NULL;
  if (pl_cell_callee_of(node) != r->func)
    drop_locals_of(r, pl_cell_callee_of(node), true);
  return pl_enter_call(r, node, call) ? last->kids[0] : NULL;
}
