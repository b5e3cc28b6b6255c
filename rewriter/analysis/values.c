/* values.c - what is an expression worth, and may two stand for each other?
 *
 * Needs: the model, and of a load helper the call. Gives: constant values
 * under an instantiation, with block sizes known or assumed; whether anything
 * sets a variable anew; whether texts and the names in them are the same.
 * Raises nothing. */
#include "values.h"

#include <string.h>

/* ---- what is set anew ---------------------------------------------------- */

/* Does something for each variable that a node by itself sets, or may. */
typedef struct set_walk {
  void (*found)(struct set_walk *walk, pl_decl *decl);
  const pl_decl *wanted; /* is_wanted's */
  bool is_set;
  const pl_func *func;   /* mark_set's */
  bool unseen;           /* another variable may be set, too: any */
} set_walk;

/* `(c ? x : y) = v`, `(u, x) = v` and `(x = u) += v` set x, too. */
static void set_by(set_walk *w, pl_node *of) {
  const pl_node *place = of ? pl_node_bare(of) : NULL;
  if (!place)
    return;
  if (place->kind == PL_NODE_REF && place->decl)
    w->found(w, place->decl);
  for (uint32_t i = 1; place->kind == PL_NODE_COND && i < place->nkids; i++)
    set_by(w, place->kids[i]);
  if (place->kind == PL_NODE_BINARY && place->op == PL_OP_COMMA)
    set_by(w, place->kids[1]);
  if (place->kind == PL_NODE_ASSIGN || place->kind == PL_NODE_CAST ||
      pl_node_is_step(place))
    set_by(w, place->nkids ? place->kids[0] : NULL);
}

static void set_inside(set_walk *w, const pl_node *node) {
  if (!node)
    return;
  const pl_type *type = node->decl ? node->decl->type : NULL;
  if (node->decl && !(type && type->is_const))
    w->found(w, node->decl);
  bool captured = type && type->kind == PL_TYPE_REFERENCE && !node->decl->node &&
                  !node->decl->init && node->decl->kind != PL_DECL_PARAM;
  if (captured)
    w->unseen = true; /* [&r = x]: x has no node */
  for (uint32_t i = 0; i < node->nkids; i++)
    set_inside(w, node->kids[i]);
}

/* The i-th parameter in a function type's spelling, `void (int &, const T &)`. */
static pl_str spelled_parameter(pl_str type, uint32_t i) {
  int depth = 0;
  size_t at = 0, begin = 0;
  while (at < type.n && type.p[at] != '(')
    at++;
  for (begin = ++at; at < type.n; at++) {
    char c = type.p[at];
    bool ends = depth == 0 && (c == ',' || c == ')');
    if (ends && i-- == 0)
      return (pl_str){type.p + begin, at - begin};
    begin = ends ? at + 1 : begin;
    depth += strchr("(<[{", c) ? 1 : strchr(")>]}", c) ? -1 : 0;
  }
  return PL_STR("");
}

/* Whether that is a reference to something that is not constant: `const int *&` is;
 * of a pack's the type has one for all. */
static bool spells_variable(pl_str type, uint32_t i) {
  pl_str one = spelled_parameter(type, i);
  if (one.n == 0)
    return pl_str_has(type, "&...") || pl_str_has(type, "& ...");
  size_t star = 0;
  for (size_t at = 0; at < one.n; at++)
    star = one.p[at] == '*' ? at : star;
  return pl_str_has(one, "&") &&
         !pl_str_has((pl_str){one.p + star, one.n - star}, "const ");
}

/* Whether a function may change the i-th thing that it is given. Of one whose
 * body is not seen its type tells; what a template's object is called with it may. */
static bool may_set_argument(const pl_node *call, uint32_t i) {
  const pl_decl *callee = call->decl;
  if (callee && (callee->kind == PL_DECL_VAR || callee->kind == PL_DECL_PARAM ||
                 callee->kind == PL_DECL_FIELD))
    return true;
  if (callee && callee->func) {
    const pl_type *type =
        i < callee->func->nparams ? callee->func->params[i]->type : NULL;
    bool pack = callee->func->nparams && i + 1 >= callee->func->nparams &&
                pl_str_has(callee->func->params[callee->func->nparams - 1]
                               ->type->spelling, "&...");
    return pack || (type && type->kind == PL_TYPE_REFERENCE &&
                    !(type->element && type->element->is_const));
  }
  return callee && callee->type && spells_variable(callee->type->spelling, i);
}

static void set_by_call(set_walk *w, const pl_node *call) {
  for (uint32_t i = 1; i < call->nkids; i++)
    if (call->kids[i] && may_set_argument(call, i - 1))
      set_by(w, call->kids[i]);
}

/* A number or a pointer of the thread's own; of what an array or a shared object
 * holds nobody asks here. */
static bool is_value(const pl_node *node) {
  node = node ? pl_node_bare((pl_node *)node) : NULL;
  const pl_decl *decl = node && node->kind == PL_NODE_REF ? node->decl : NULL;
  return decl && !decl->is_shared && decl->type &&
         decl->type->kind != PL_TYPE_ARRAY && decl->type->kind != PL_TYPE_RECORD;
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
        (open || (!list && may_set_argument(node, i))))
      set_by(w, node->kids[i]);
}

/* `-x` and `x + y` by an operator of the user's, which may take references. */
static void set_by_operator(set_walk *w, const pl_node *node) {
  bool user = node->decl && node->decl->is_user && node->decl->type;
  uint32_t first = user && node->decl->kind == PL_DECL_METHOD;
  for (uint32_t i = first; user && i < node->nkids; i++)
    if (node->kids[i] && may_set_argument(node, i - first))
      set_by(w, node->kids[i]);
}

static void set_by_asm(set_walk *w, const pl_node *node) {
  int64_t outputs = node->ival;
  for (uint32_t i = 0; outputs > 0 && i < node->nkids; i++) {
    if (!node->kids[i] || node->kids[i]->kind == PL_NODE_STRING)
      continue;
    const pl_node *of = pl_node_bare(node->kids[i]);
    if (of->decl)
      w->found(w, of->decl);
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

static void walk_set(set_walk *w, const pl_node *node) {
  if (!node || w->is_set)
    return;
  visit_set(w, node);
  for (uint32_t i = 0; i < node->nkids; i++)
    walk_set(w, node->kids[i]);
}

static void is_wanted(set_walk *w, pl_decl *decl) {
  w->is_set = w->is_set || decl == w->wanted;
}

static void mark_set(set_walk *w, pl_decl *decl) {
  if (decl->owner == w->func)
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

char pl_index_axis(const pl_node *node, const char *name) {
  const pl_node *base =
      node->kind == PL_NODE_MEMBER ? pl_node_bare(node->kids[0]) : NULL;
  bool is_axis = base && base->kind == PL_NODE_REF && node->name.n == 1 &&
                 !(base->decl && base->decl->is_user) &&
                 pl_str_is(base->name, name);
  return is_axis ? node->name.p[0] : 0;
}

char pl_block_axis(const pl_node *node) {
  return pl_index_axis(node, "blockDim");
}

bool pl_names_block_y(const pl_node *node) {
  if (!node)
    return false;
  if (node->kind == PL_NODE_MEMBER && pl_str_is(node->name, "y")) {
    const pl_node *base = pl_node_bare(node->kids[0]);
    if (base && base->kind == PL_NODE_REF &&
        (pl_str_is(base->name, "threadIdx") ||
         pl_str_is(base->name, "blockDim")))
      return true;
  }
  for (uint32_t i = 0; i < node->nkids; i++)
    if (pl_names_block_y(node->kids[i]))
      return true;
  return false;
}

/* What a loop passes for a parameter of a load helper, NULL: none. */
pl_node *pl_passed_for(const pl_loop *loop, const pl_decl *decl) {
  if (!loop->caller || !decl || decl->kind != PL_DECL_PARAM)
    return NULL;
  for (uint32_t i = 0; i < loop->func->nparams; i++)
    if (loop->func->params[i] == decl && i + 1 < loop->call->nkids)
      return loop->call->kids[i + 1];
  return NULL;
}

/* ---- values ---------------------------------------------------------------- */

typedef struct value_walk {
  const pl_loop *loop;
  const pl_instance *instance;
  bool assumed; /* the size of a block is */
  int depth;
} value_walk;

static pl_const value_of(value_walk *w, const pl_node *node);

/* A load helper's parameter that it does not set: what it is handed, in the
 * parameter's type. */
static bool passed_value(value_walk *w, const pl_decl *decl, pl_const *value) {
  pl_node *passed = pl_passed_for(w->loop, decl);
  if (!passed || pl_assigned_anywhere(w->loop->func->body, decl))
    return false;
  value_walk outside = {.loop = w->loop->caller, .depth = w->depth};
  *value = pl_const_convert(value_of(&outside, passed), decl->type);
  w->assumed = w->assumed || outside.assumed;
  return true;
}

/* A local that nothing sets again holds its initialiser, in its own type. */
static bool local_value(value_walk *w, const pl_decl *decl, pl_const *value) {
  if (decl->kind != PL_DECL_VAR || decl->has_value || !decl->init ||
      !decl->owner || decl->is_volatile ||
      pl_assigned_anywhere(decl->owner->body, decl))
    return false;
  const pl_type *type = pl_decl_type(decl, w->instance);
  bool open = type && type->in_text && !w->instance; /* another one's may differ */
  type = open ? NULL : pl_type_settled(type, w->loop->func, w->instance);
  *value = pl_const_convert(value_of(w, decl->init), type);
  return true;
}

static bool leaf_value(void *context, const pl_node *node, pl_const *value) {
  value_walk *w = context;
  if (node->kind == PL_NODE_REF)
    return node->decl && (passed_value(w, node->decl, value) ||
                          local_value(w, node->decl, value));
  if (node->kind != PL_NODE_MEMBER || !pl_block_axis(node))
    return false;
  w->assumed = true;
  *value = pl_const_make(4, true,
                         pl_block_extent(w->loop, pl_block_axis(node),
                                         pl_names_block_y(w->loop->func->body)));
  return true;
}

static pl_const value_of(value_walk *w, const pl_node *node) {
  const pl_const_scope scope = {w->loop->func, w->instance, leaf_value, w};
  if (w->depth > 8)
    return pl_const_unknown;
  w->depth++;
  pl_const value = pl_const_eval(&scope, node);
  w->depth--;
  return value;
}

pl_const pl_loop_const(const pl_loop *loop, const pl_instance *instance,
                       const pl_node *node, bool *assumed) {
  value_walk w = {.loop = loop, .instance = instance};
  pl_const value = value_of(&w, node);
  if (assumed)
    *assumed = *assumed || w.assumed;
  return value;
}

bool pl_loop_eval(const pl_loop *loop, const pl_instance *instance,
                  pl_node *node, int64_t *value, bool *assumed) {
  return pl_const_number(pl_loop_const(loop, instance, node, assumed), value);
}

bool pl_is_settled_local(const pl_decl *decl) {
  const pl_type *type = decl && decl->kind == PL_DECL_VAR ? decl->type : NULL;
  return type && type->kind == PL_TYPE_INT && type->size >= 4 && decl->owner &&
         decl->owner->body && decl->init && !decl->is_static &&
         !decl->is_shared && !decl->from_macro &&
         !pl_assigned_anywhere(decl->owner->body, decl);
}

/* `settled`: locals that are never changed count. */
static bool is_constant_text(const pl_node *node, bool settled) {
  if (!node)
    return false;
  switch (node->kind) {
  case PL_NODE_INT:
  case PL_NODE_SIZEOF:
    return true;
  case PL_NODE_REF:
    if (!node->decl || node->open)
      return node->open != NULL;
    return node->decl->is_constexpr ||
           node->decl->kind == PL_DECL_TEMPLATE_VALUE ||
           node->decl->kind == PL_DECL_ENUM_CONSTANT ||
           (node->decl->kind == PL_DECL_VAR && node->decl->type &&
            node->decl->type->is_const &&
            node->decl->type->kind == PL_TYPE_INT &&
            is_constant_text(node->decl->init, settled)) ||
           (settled && pl_is_settled_local(node->decl) &&
            is_constant_text(node->decl->init, settled));
  case PL_NODE_PAREN:
  case PL_NODE_CAST:
  case PL_NODE_UNARY:
  case PL_NODE_BINARY:
  case PL_NODE_COND:
    for (uint32_t i = 0; i < node->nkids; i++)
      if (!is_constant_text(node->kids[i], settled))
        return false;
    return node->nkids > 0;
  default:
    return node->has_ival;
  }
}

bool pl_is_constant_text(const pl_node *node) {
  return is_constant_text(node, false);
}

bool pl_is_settled_text(const pl_node *node) {
  return is_constant_text(node, true);
}

bool pl_same_text(const pl_unit *unit, const pl_node *a, const pl_node *b) {
  pl_str x = pl_unit_slice(unit, a->range), y = pl_unit_slice(unit, b->range);
  size_t i = 0, j = 0;
  for (;;) {
    while (i < x.n && strchr(" \t\r\n", x.p[i]))
      i++;
    while (j < y.n && strchr(" \t\r\n", y.p[j]))
      j++;
    if (i == x.n || j == y.n)
      return i == x.n && j == y.n;
    if (x.p[i++] != y.p[j++])
      return false;
  }
}

/* Whether two trees of equal text name the same declarations. */
bool pl_same_names(const pl_node *a, const pl_node *b) {
  if (a->kind != b->kind || a->decl != b->decl || a->nkids != b->nkids)
    return false;
  for (uint32_t i = 0; i < a->nkids; i++) {
    if (!a->kids[i] != !b->kids[i])
      return false;
    if (a->kids[i] && !pl_same_names(a->kids[i], b->kids[i]))
      return false;
  }
  return true;
}
