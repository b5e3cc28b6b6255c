/* addresses_values.c - may a value be an address of the tile, an lvalue its name?
 *
 * Needs: which variables hold addresses. Gives: whether a value carries one,
 * whether an lvalue names the tile or a part of it. Raises nothing. */
#include "addresses_parts.h"
#include "call_summary.h"

/* ---- types and variables ------------------------------------------------- */

/* Shared addresses have 32 bits at least. */
bool pl_can_hold(const pl_type *type) {
  if (!type)
    return true;
  switch (type->kind) {
  case PL_TYPE_VOID:
  case PL_TYPE_BOOL:
  case PL_TYPE_FLOAT:
  case PL_TYPE_ENUM:
    return false;
  case PL_TYPE_INT:
    return type->size < 0 || type->size >= 4;
  case PL_TYPE_REFERENCE:
  case PL_TYPE_ARRAY:
    return pl_can_hold(type->element);
  default:
    return true;
  }
}

static bool is_pointer(const pl_node *node) {
  return node && node->type &&
         (node->type->kind == PL_TYPE_POINTER || pl_is_array_type(node->type));
}

static const pl_holder *holder_of(const pl_flow *f, const pl_decl *decl) {
  for (size_t i = 0; i < f->out->n; i++)
    if (f->out->items[i].decl == decl)
      return &f->out->items[i];
  return NULL;
}

bool pl_flow_holds(const pl_flow *f, const pl_decl *decl) {
  const pl_holder *holder = holder_of(f, decl);
  return holder && holder->holds;
}

static bool names(const pl_flow *f, const pl_decl *decl) {
  const pl_holder *holder = holder_of(f, decl);
  return holder && holder->names;
}

void pl_flow_add(pl_flow *f, const pl_decl *decl, bool as_name,
                const pl_node *at) {
  pl_holder *holder = (pl_holder *)holder_of(f, decl);
  if (!holder) {
    pl_holder fresh = {.decl = decl};
    PL_PUSH(f->loop->arena, f->out->items, f->out->n, f->out->cap, fresh);
    holder = &f->out->items[f->out->n - 1];
  }
  bool inside = f->tile && at &&
                (pl_node_within(at, f->loop->node) || pl_in_lambda(at));
  pl_holder old = *holder;
  holder->names = old.names || as_name;
  holder->holds = old.holds || !as_name;
  holder->inside = old.inside || inside;
  f->changed = f->changed || old.names != holder->names ||
               old.holds != holder->holds || old.inside != holder->inside;
}

/* ---- values -------------------------------------------------------------- */

/* The variable of which an lvalue is all or a part, without going through a
 * pointer; NULL: there is none. */
const pl_node *pl_flow_object(pl_node *node) {
  node = pl_node_bare(node);
  while (node && node->nkids &&
         ((node->kind == PL_NODE_MEMBER && !node->is_arrow) ||
          (node->kind == PL_NODE_SUBSCRIPT &&
           pl_is_array_type(node->kids[0]->type)) ||
          (node->kind == PL_NODE_CAST && pl_is_reference(node->type))))
    node = pl_node_bare(node->kids[0]);
  return node;
}

bool pl_is_own_member(const pl_node *node) {
  if (!node || node->kind != PL_NODE_MEMBER)
    return node && node->kind == PL_NODE_THIS;
  if (node->nkids == 0 || !node->kids[0])
    return true;
  return pl_node_bare(node->kids[0])->kind == PL_NODE_THIS;
}

/* Whether something that an address leads to, other than the tile's cells, may
 * hold one. */
bool pl_flow_points(pl_flow *f, pl_node *pointer, bool pointers) {
  pl_roots roots = {0};
  pl_roots_of(f->loop->effects, f->func, pointer, &roots);
  for (size_t i = 0; i < roots.n; i++) {
    const pl_decl *decl = roots.items[i].decl;
    if (decl && pl_flow_holds(f, decl) &&
        (pointers || pl_root_space(roots.items[i]) == PL_SPACE_LOCAL))
      return true;
  }
  return false;
}

/* Whether the object that an lvalue is a part of may hold an address. */
static bool object_holds(pl_flow *f, pl_node *node) {
  const pl_node *object = pl_flow_object(node);
  if (!object)
    return false;
  if (object->kind == PL_NODE_REF)
    return object->decl && object->decl != f->tile &&
           pl_flow_holds(f, object->decl);
  if (pl_is_own_member(object))
    return f->this_holds;
  if (object->nkids == 0)
    return false;
  bool pointers = node->type && node->type->kind == PL_TYPE_POINTER;
  return pl_flow_points(f, object->kids[0], pointers);
}

/* Whether what is read out of an lvalue is an address. */
static bool loaded(pl_flow *f, pl_node *node) {
  return pl_can_hold(node->type) && object_holds(f, node);
}

static bool is_field_reference(const pl_node *node) {
  return node->decl && node->decl->is_field && pl_is_reference(node->decl->type);
}

/* Whether a return statement gives an address or, as an lvalue, a place. */
typedef struct giving {
  pl_flow *f;
  bool place;
} giving;

static bool gives(pl_node *node, const void *context) {
  const giving *g = context;
  return node->kind == PL_NODE_RETURN && node->nkids && node->kids[0] &&
         (g->place ? pl_flow_is_place(g->f, node->kids[0])
                   : pl_flow_carries(g->f, node->kids[0]));
}

bool pl_flow_argument(pl_flow *f, const pl_node *call, bool places) {
  for (uint32_t i = 1; i < call->nkids; i++)
    if (call->kids[i] && (pl_flow_carries(f, call->kids[i]) ||
                          (places && pl_flow_is_place(f, call->kids[i]))))
      return true;
  return false;
}

/* Whether a call gives an address, or, as an lvalue, a place. */
static bool call_gives(pl_flow *f, pl_node *call, bool place) {
  pl_node *lambda = pl_called_lambda(call);
  if (lambda)
    return pl_node_find(lambda, gives, &(giving){f, place});
  const pl_flow *callee = pl_flow_follow(f, call);
  if (callee)
    return place ? callee->gives_place : callee->gives_address;
  const pl_node *object = call->nkids ? call->kids[0] : NULL;
  bool member = object && object->kind == PL_NODE_MEMBER && object->nkids &&
                object->kids[0] && pl_flow_carries(f, object->kids[0]);
  pl_leads leads = pl_builtin_of(call)->leads;
  place = place || leads == PL_LEADS_OBJECTS;
  return leads != PL_LEADS_NOWHERE &&
         (member || pl_flow_argument(f, call, place));
}

static bool is_holder(pl_node *node, const void *flow) {
  const pl_flow *f = flow;
  return node->kind == PL_NODE_REF && node->decl &&
         (node->decl == f->tile || holder_of(f, node->decl));
}

bool pl_flow_mentions(pl_flow *f, pl_node *node) {
  return pl_node_find(node, is_holder, f);
}

/* Whether a record is made with a name of a place, which its constructor, or a
 * reference in it, may keep. */
static bool keeps_place(pl_flow *f, const pl_node *node) {
  const pl_node *up = node->parent;
  bool bare = !node->type || node->type->kind == PL_TYPE_VOID;
  const pl_type *type = bare && up && up->kind == PL_NODE_VAR && up->decl
                            ? up->decl->type
                            : node->type;
  for (uint32_t i = 0; type && type->keeps_addresses && i < node->nkids; i++)
    if (node->kids[i] && pl_flow_is_place(f, node->kids[i]) &&
        !pl_takes_plain_value(node, i))
      return true;
  return false;
}

static bool any_carries(pl_flow *f, pl_node *node, uint32_t from) {
  for (uint32_t i = from; i < node->nkids; i++)
    if (node->kids[i] && pl_flow_carries(f, node->kids[i]))
      return true;
  return false;
}

static bool operation_carries(pl_flow *f, pl_node *node) {
  if (node->op == PL_OP_COMMA)
    return pl_flow_carries(f, node->kids[1]);
  bool left = pl_flow_carries(f, node->kids[0]);
  bool right = pl_flow_carries(f, node->kids[1]);
  if (node->op == PL_OP_SUB && is_pointer(node->kids[0]) &&
      is_pointer(node->kids[1]))
    return left != right; /* how far apart two places are */
  return left || right;
}

/* An operator of the user's, as the call that it is; NULL: it is another. */
pl_node *pl_flow_operator(pl_flow *f, const pl_node *node) {
  bool operates = node->kind == PL_NODE_BINARY || node->kind == PL_NODE_UNARY ||
                  node->kind == PL_NODE_ASSIGN ||
                  node->kind == PL_NODE_SUBSCRIPT;
  const pl_func *func = operates && node->decl ? node->decl->func : NULL;
  if (!func || !func->body || !node->nkids)
    return NULL;
  pl_node *call = PL_NEW(f->loop->arena, pl_node);
  *call = *node;
  call->kind = PL_NODE_CALL;
  call->nkids = node->nkids + !func->is_method;
  call->kids = PL_NEW_ARRAY(f->loop->arena, pl_node *, call->nkids);
  for (uint32_t i = 0; i < node->nkids; i++)
    call->kids[i + !func->is_method] = node->kids[i];
  if (func->is_method) {
    pl_node *member = PL_NEW(f->loop->arena, pl_node);
    *member = (pl_node){.kind = PL_NODE_MEMBER, .nkids = 1};
    member->kids = PL_NEW_ARRAY(f->loop->arena, pl_node *, 1);
    member->kids[0] = node->kids[0];
    call->kids[0] = member;
  }
  return call;
}

/* What a part of an object is: the name of an array, or a value that is read. */
static bool place_or_load(pl_flow *f, pl_node *node) {
  return pl_is_array_type(node->type) ? pl_flow_is_place(f, node)
                                       : loaded(f, node);
}

/* Whether the value of an expression may be, or hold, an address of the tile. */
bool pl_flow_carries(pl_flow *f, pl_node *node) {
  node = pl_node_bare(node);
  bool braces = node && node->kind == PL_NODE_INIT_LIST; /* may have no type */
  if (!node || pl_node_is_constant(node) ||
      (!braces && !pl_is_array_type(node->type) && !pl_can_hold(node->type)))
    return false;
  pl_node *call = pl_flow_operator(f, node);
  if (call)
    return call_gives(f, call, false);
  switch (node->kind) {
  case PL_NODE_REF:
    if (!node->decl)
      return false;
    if (pl_is_array_type(node->decl->type) &&
        (node->decl == f->tile || names(f, node->decl)))
      return true;
    return node->decl != f->tile && pl_flow_holds(f, node->decl);
  case PL_NODE_SUBSCRIPT:
  case PL_NODE_MEMBER:
    return place_or_load(f, node);
  case PL_NODE_UNARY:
    if (node->op == PL_OP_ADDR)
      return pl_flow_is_place(f, node->kids[0]);
    if (node->op == PL_OP_DEREF)
      return place_or_load(f, node);
    return pl_flow_carries(f, node->kids[0]);
  case PL_NODE_CAST:
    if (pl_is_reference(node->type) && !pl_is_array_type(node->type))
      return loaded(f, node);
    return node->nkids && pl_flow_carries(f, node->kids[0]);
  case PL_NODE_BINARY:
    return operation_carries(f, node);
  case PL_NODE_COND:
    return any_carries(f, node, 1);
  case PL_NODE_CALL:
    return call_gives(f, node, false);
  case PL_NODE_LAMBDA:
    return pl_flow_mentions(f, node);
  case PL_NODE_THIS:
    return f->this_holds || f->this_named;
  case PL_NODE_SIZEOF:
    return false;
  case PL_NODE_CONSTRUCT:
  case PL_NODE_INIT_LIST:
    return keeps_place(f, node) || any_carries(f, node, 0);
  default:
    return any_carries(f, node, 0);
  }
}

/* Whether an lvalue names the tile or a part of it. */
bool pl_flow_is_place(pl_flow *f, pl_node *node) {
  node = pl_node_bare(node);
  if (!node)
    return false;
  pl_node *call = pl_flow_operator(f, node);
  if (call)
    return call_gives(f, call, true);
  switch (node->kind) {
  case PL_NODE_REF:
    return node->decl && (node->decl == f->tile || names(f, node->decl));
  case PL_NODE_SUBSCRIPT:
    return pl_is_array_type(node->kids[0]->type)
               ? pl_flow_is_place(f, node->kids[0])
               : pl_flow_carries(f, node->kids[0]);
  case PL_NODE_MEMBER:
    if (is_field_reference(node))
      return object_holds(f, node);
    if (node->nkids == 0 || !node->kids[0])
      return f->this_named;
    return node->is_arrow ? pl_flow_carries(f, node->kids[0])
                          : pl_flow_is_place(f, node->kids[0]);
  case PL_NODE_UNARY:
    if (node->op == PL_OP_PREINC || node->op == PL_OP_PREDEC)
      return pl_flow_is_place(f, node->kids[0]);
    return node->op == PL_OP_DEREF && pl_flow_carries(f, node->kids[0]);
  case PL_NODE_ASSIGN:
    return pl_flow_is_place(f, node->kids[0]);
  case PL_NODE_BINARY:
    return node->op == PL_OP_COMMA && pl_flow_is_place(f, node->kids[1]);
  case PL_NODE_CAST:
    return node->nkids && pl_flow_is_place(f, node->kids[0]);
  case PL_NODE_COND:
    return pl_flow_is_place(f, node->kids[1]) ||
           pl_flow_is_place(f, node->kids[2]);
  case PL_NODE_CALL:
    return call_gives(f, node, true);
  default:
    return false;
  }
}
