/* sets.c - which variables may a text set anew?
 *
 * Needs: the model. Gives: the variables that a node sets, or may, or hands to
 * where they may be set: by a reference, by their address, in a lambda. Raises
 * nothing. */
#include "sets.h"

#include "varies.h"

/* Does something for each name that a node by itself sets, or may: of a variable, or
 * of a member. */
typedef struct set_walk {
  void (*found)(struct set_walk *walk, const pl_node *name);
  const pl_decl *wanted; /* is_wanted's */
  bool is_set;
  const pl_func *func;   /* mark_set's */
  void (*hand_on)(pl_decl *decl, void *context); /* hand_on's */
  pl_name_visit *hand_name_on;                   /* hand_name_on's */
  void *context;
  bool unseen;           /* another variable may be set, too: any */
} set_walk;

static void set_place(pl_node *place, void *context) {
  set_walk *w = context;
  if (place->kind == PL_NODE_REF || place->kind == PL_NODE_MEMBER ||
      pl_is_this(place))
    w->found(w, place);
}

static void set_by(set_walk *w, pl_node *of) { pl_each_place(of, set_place, w); }

static void set_inside(set_walk *w, const pl_node *node) {
  if (!node)
    return;
  const pl_type *type = node->decl ? node->decl->type : NULL;
  if (node->decl && !(type && type->is_const))
    w->found(w, node);
  bool captured = type && type->kind == PL_TYPE_REFERENCE && !node->decl->node &&
                  !node->decl->init && node->decl->kind != PL_DECL_PARAM;
  if (captured)
    w->unseen = true; /* [&r = x]: x has no node */
  for (uint32_t i = 0; i < node->nkids; i++)
    set_inside(w, node->kids[i]);
}

static void set_by_call(set_walk *w, const pl_node *call) {
  for (uint32_t i = 1; i < call->nkids; i++)
    if (call->kids[i] && pl_may_set_argument(call, i - 1))
      set_by(w, call->kids[i]);
}

/* A number or a pointer of the thread's own, or a member; of what an array or a shared
 * object holds nobody asks here. */
static bool is_value(const pl_node *node) {
  node = node ? pl_node_bare((pl_node *)node) : NULL;
  const pl_decl *decl = node && node->kind == PL_NODE_REF ? node->decl : NULL;
  bool part = node && (node->kind == PL_NODE_MEMBER || pl_is_this(node));
  return part || (decl && !decl->is_shared && decl->type &&
                  decl->type->kind != PL_TYPE_ARRAY &&
                  decl->type->kind != PL_TYPE_RECORD);
}

/* An object may change what its constructor is given, or hold a name of it. */
static void set_by_making(set_walk *w, const pl_node *node) {
  bool list = node->kind == PL_NODE_INIT_LIST;
  const pl_type *type = node->type;
  while (type && type->kind == PL_TYPE_ARRAY)
    type = type->element;
  bool record = type && type->kind == PL_TYPE_RECORD;
  bool holds = record && !type->is_user && pl_str_has(type->spelling, "&");
  bool open = holds || (type && type->kind == PL_TYPE_DEPENDENT) ||
              (record && list && type->is_user &&
               (type->has_references || !type->made_plainly));
  for (uint32_t i = 0; i < node->nkids; i++)
    if (is_value(node->kids[i]) &&
        (open || (!list && pl_may_set_argument(node, i))))
      set_by(w, node->kids[i]);
}

/* `-x` and `x + y` by an operator of the user's, which may take references. */
static void set_by_operator(set_walk *w, const pl_node *node) {
  bool user = node->decl && node->decl->is_user && node->decl->type;
  uint32_t first = user && node->decl->kind == PL_DECL_METHOD;
  for (uint32_t i = first; user && i < node->nkids; i++)
    if (node->kids[i] && pl_may_set_argument(node, i - first))
      set_by(w, node->kids[i]);
}

static void set_by_asm(set_walk *w, const pl_node *node) {
  int64_t outputs = node->ival;
  for (uint32_t i = 0; outputs > 0 && i < node->nkids; i++) {
    if (!node->kids[i] || node->kids[i]->kind == PL_NODE_STRING)
      continue;
    const pl_node *of = pl_node_bare(node->kids[i]);
    w->found(w, of);
    outputs--;
  }
}

static void visit_set(set_walk *w, const pl_node *node) {
  switch (node->kind) {
  case PL_NODE_LAMBDA:
  case PL_NODE_OTHER_DECL:
    set_inside(w, node);
    break;
  case PL_NODE_VAR:
    if (node->decl && node->decl->type &&
        node->decl->type->kind == PL_TYPE_REFERENCE && node->nkids)
      set_by(w, node->kids[0]);
    break;
  case PL_NODE_ASM:
    set_by_asm(w, node);
    break;
  case PL_NODE_CALL:
    set_by_call(w, node);
    break;
  case PL_NODE_CONSTRUCT:
  case PL_NODE_INIT_LIST:
    set_by_making(w, node);
    break;
  case PL_NODE_BINARY:
    set_by_operator(w, node);
    break;
  case PL_NODE_ASSIGN:
    set_by(w, node->kids[0]);
    set_by_operator(w, node);
    break;
  case PL_NODE_UNARY:
    set_by_operator(w, node);
    if (pl_node_is_step(node) || node->op == PL_OP_ADDR)
      set_by(w, node->kids[0]);
    break;
  default:
    break;
  }
}

/* `r` of `r`, and of `r.a.b`; NULL: what a pointer leads to. */
static pl_decl *variable_of(const pl_node *name) {
  while (name->kind == PL_NODE_MEMBER && name->nkids && name->kids[0] &&
         !name->is_arrow)
    name = pl_node_bare(name->kids[0]);
  return name->kind == PL_NODE_MEMBER && name->nkids ? NULL : name->decl;
}

static void hand_on(set_walk *w, const pl_node *name) {
  pl_decl *decl = variable_of(name);
  if (decl)
    w->hand_on(decl, w->context);
}

static void hand_name_on(set_walk *w, const pl_node *name) {
  w->hand_name_on(name, w->context);
}

bool pl_each_set_name(const pl_node *node, pl_name_visit *found, void *context) {
  set_walk walk = {.found = hand_name_on, .hand_name_on = found, .context = context};
  visit_set(&walk, node);
  return !walk.unseen;
}

void pl_each_place_name(pl_node *lvalue, pl_name_visit *found, void *context) {
  set_walk walk = {.found = hand_name_on, .hand_name_on = found, .context = context};
  set_by(&walk, lvalue);
}

bool pl_each_set(const pl_node *node, void (*found)(pl_decl *decl, void *context),
                 void *context) {
  set_walk walk = {.found = hand_on, .hand_on = found, .context = context};
  visit_set(&walk, node);
  return !walk.unseen;
}

static void walk_set(set_walk *w, const pl_node *node) {
  if (!node || w->is_set)
    return;
  visit_set(w, node);
  for (uint32_t i = 0; i < node->nkids; i++)
    walk_set(w, node->kids[i]);
}

static void is_wanted(set_walk *w, const pl_node *name) {
  w->is_set = w->is_set || variable_of(name) == w->wanted;
}

static void mark_set(set_walk *w, const pl_node *name) {
  pl_decl *decl = variable_of(name);
  if (decl && decl->owner == w->func)
    decl->is_set = true;
}

bool pl_may_set(const pl_node *node, const pl_decl *decl) {
  set_walk walk = {.found = is_wanted, .wanted = decl};
  visit_set(&walk, node);
  return walk.is_set || walk.unseen;
}

/* A function is looked through once for all its own variables. */
static bool set_in_function(pl_func *func, const pl_decl *decl) {
  set_walk walk = {.found = mark_set, .func = func};
  if (!func->knows_set)
    walk_set(&walk, func->body);
  func->sets_unseen = func->sets_unseen || walk.unseen;
  func->knows_set = true;
  return decl->is_set || func->sets_unseen;
}

bool pl_assigned_anywhere(const pl_node *node, const pl_decl *decl) {
  if (decl && decl->owner && decl->owner->body && node == decl->owner->body)
    return set_in_function(decl->owner, decl);
  set_walk walk = {.found = is_wanted, .wanted = decl};
  walk_set(&walk, node);
  return walk.is_set || walk.unseen;
}

bool pl_is_set_in(pl_node *node, const void *tree) {
  return node->kind == PL_NODE_REF && node->decl &&
         pl_assigned_anywhere(tree, node->decl);
}

pl_node *pl_only_value(const pl_decl *decl) {
  bool own = decl && decl->kind == PL_DECL_VAR && decl->owner && decl->owner->body &&
             !decl->is_static && !decl->is_shared && !decl->is_volatile;
  return own && decl->init && !pl_assigned_anywhere(decl->owner->body, decl) ? decl->init
                                                                          : NULL;
}
