/* addresses.c - see addresses.h.
 *
 * Needs: effects. A function's text is walked until nothing is added; calls of
 * functions that are seen are walked with what their parameters hold. */
#include "addresses.h"

#define DEEPEST_CALL 5

typedef struct flow {
  pl_loop *loop;
  const pl_func *func;
  const pl_decl *tile; /* NULL in a called function: its parameters stand in */
  pl_holders *out;
  const pl_decl *filled[16]; /* parameters through which an address goes out */
  size_t nfilled;
  bool this_holds, this_filled, changed;
  bool this_named; /* the object that a method is called on is the tile */
  bool gives_address, gives_place; /* by its return statements */
  int depth;
} flow;

static bool carries(flow *f, pl_node *node);
static bool is_place(flow *f, pl_node *node);
static bool follow_call(flow *f, pl_node *call, flow *callee);

/* ---- types and variables ------------------------------------------------- */

/* Shared addresses have 32 bits at least. */
static bool can_hold(const pl_type *type) {
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
    return can_hold(type->element);
  default:
    return true;
  }
}

static bool is_reference(const pl_type *type) {
  return type && type->kind == PL_TYPE_REFERENCE;
}

static bool is_array(const pl_type *type) {
  if (is_reference(type))
    type = type->element;
  return type && type->kind == PL_TYPE_ARRAY;
}

static bool is_pointer(const pl_node *node) {
  return node && node->type &&
         (node->type->kind == PL_TYPE_POINTER || is_array(node->type));
}

static const pl_holder *holder_of(const flow *f, const pl_decl *decl) {
  for (size_t i = 0; i < f->out->n; i++)
    if (f->out->items[i].decl == decl)
      return &f->out->items[i];
  return NULL;
}

static bool holds(const flow *f, const pl_decl *decl) {
  const pl_holder *holder = holder_of(f, decl);
  return holder && holder->holds;
}

static bool names(const flow *f, const pl_decl *decl) {
  const pl_holder *holder = holder_of(f, decl);
  return holder && holder->names;
}

/* The text of a lambda may run wherever it is called. */
static bool is_in_lambda(const pl_node *at) {
  while (at && at->kind != PL_NODE_LAMBDA)
    at = at->parent;
  return at != NULL;
}

static void add(flow *f, const pl_decl *decl, bool as_name,
                const pl_node *at) {
  pl_holder *holder = (pl_holder *)holder_of(f, decl);
  if (!holder) {
    pl_holder fresh = {.decl = decl};
    PL_PUSH(f->loop->arena, f->out->items, f->out->n, f->out->cap, fresh);
    holder = &f->out->items[f->out->n - 1];
  }
  bool inside = f->tile && at &&
                (pl_node_within(at, f->loop->node) || is_in_lambda(at));
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
static const pl_node *object_of(pl_node *node) {
  node = pl_node_bare(node);
  while (node && node->nkids &&
         ((node->kind == PL_NODE_MEMBER && !node->is_arrow) ||
          (node->kind == PL_NODE_SUBSCRIPT && is_array(node->kids[0]->type)) ||
          (node->kind == PL_NODE_CAST && is_reference(node->type))))
    node = pl_node_bare(node->kids[0]);
  return node;
}

static bool is_own_member(const pl_node *node) {
  if (!node || node->kind != PL_NODE_MEMBER)
    return node && node->kind == PL_NODE_THIS;
  if (node->nkids == 0 || !node->kids[0])
    return true;
  return pl_node_bare(node->kids[0])->kind == PL_NODE_THIS;
}

/* Whether something that an address leads to, other than the tile's cells, may
 * hold one. */
static bool points_to_holder(flow *f, pl_node *pointer, bool pointers) {
  pl_roots roots = {0};
  pl_roots_of(f->loop->effects, f->func, pointer, &roots);
  for (size_t i = 0; i < roots.n; i++) {
    const pl_decl *decl = roots.items[i].decl;
    if (decl && holds(f, decl) &&
        (pointers || pl_root_space(roots.items[i]) == PL_SPACE_LOCAL))
      return true;
  }
  return false;
}

/* Whether the object that an lvalue is a part of may hold an address. */
static bool object_holds(flow *f, pl_node *node) {
  const pl_node *object = object_of(node);
  if (!object)
    return false;
  if (object->kind == PL_NODE_REF)
    return object->decl && object->decl != f->tile && holds(f, object->decl);
  if (is_own_member(object))
    return f->this_holds;
  if (object->nkids == 0)
    return false;
  bool pointers = node->type && node->type->kind == PL_TYPE_POINTER;
  return points_to_holder(f, object->kids[0], pointers);
}

/* Whether what is read out of an lvalue is an address. */
static bool loaded(flow *f, pl_node *node) {
  return can_hold(node->type) && object_holds(f, node);
}

static bool is_field_reference(const pl_node *node) {
  return node->decl && node->decl->is_field && is_reference(node->decl->type);
}

typedef struct lambda_walk {
  flow *f;
  bool place, gives;
} lambda_walk;

/* A call of a lambda of the function gives what its return statements give. */
static bool lambda_gives(pl_node *node, void *context) {
  lambda_walk *w = context;
  if (node->kind == PL_NODE_RETURN && node->nkids && node->kids[0])
    w->gives = w->gives || (w->place ? is_place(w->f, node->kids[0])
                                     : carries(w->f, node->kids[0]));
  return !w->gives;
}

/* Toolkit functions that give what an address leads to, or a fact about it. */
static bool gives_no_address(pl_str name) {
  static const char *const prefixes[] = {"__ld", "__is", "tex", "surf",
                                         "atomic", NULL};
  for (size_t i = 0; prefixes[i]; i++)
    if (pl_str_starts(name, prefixes[i]))
      return true;
  return false;
}

/* ... and that give the address of what they are handed. */
static bool takes_address(pl_str name) {
  return pl_str_has(name, "addressof") || pl_str_is(name, "ref") ||
         pl_str_is(name, "cref") || pl_str_is(name, "tie") ||
         pl_str_is(name, "forward_as_tuple");
}

static bool argument_carries(flow *f, const pl_node *call, bool places) {
  for (uint32_t i = 1; i < call->nkids; i++)
    if (call->kids[i] && (carries(f, call->kids[i]) ||
                          (places && is_place(f, call->kids[i]))))
      return true;
  return false;
}

/* Whether a call gives an address, or, as an lvalue, a place. */
static bool call_gives(flow *f, pl_node *call, bool place) {
  pl_node *lambda = pl_called_lambda(call);
  if (lambda) {
    lambda_walk w = {f, place, false};
    pl_node_walk(lambda, lambda_gives, &w);
    return w.gives;
  }
  flow callee;
  if (follow_call(f, call, &callee))
    return place ? callee.gives_place : callee.gives_address;
  const pl_node *object = call->nkids ? call->kids[0] : NULL;
  bool member = object && object->kind == PL_NODE_MEMBER && object->nkids &&
                object->kids[0] && carries(f, object->kids[0]);
  place = place || takes_address(call->name);
  return !gives_no_address(call->name) &&
         (member || argument_carries(f, call, place));
}

typedef struct mention_walk {
  flow *f;
  bool found;
} mention_walk;

static bool mentions_holder(pl_node *node, void *context) {
  mention_walk *w = context;
  if (node->kind == PL_NODE_REF && node->decl)
    w->found = w->found || node->decl == w->f->tile ||
               holder_of(w->f, node->decl);
  return !w->found;
}

/* Whether a record is made with a name of a place, which its constructor, or a
 * reference in it, may keep. */
static bool keeps_place(flow *f, const pl_node *node) {
  const pl_node *up = node->parent;
  bool bare = !node->type || node->type->kind == PL_TYPE_VOID;
  const pl_type *type = bare && up && up->kind == PL_NODE_VAR && up->decl
                            ? up->decl->type
                            : node->type;
  for (uint32_t i = 0; type && type->keeps_addresses && i < node->nkids; i++)
    if (node->kids[i] && is_place(f, node->kids[i]))
      return true;
  return false;
}

static bool any_carries(flow *f, pl_node *node, uint32_t from) {
  for (uint32_t i = from; i < node->nkids; i++)
    if (node->kids[i] && carries(f, node->kids[i]))
      return true;
  return false;
}

static bool operation_carries(flow *f, pl_node *node) {
  if (node->op == PL_OP_COMMA)
    return carries(f, node->kids[1]);
  bool left = carries(f, node->kids[0]), right = carries(f, node->kids[1]);
  if (node->op == PL_OP_SUB && is_pointer(node->kids[0]) &&
      is_pointer(node->kids[1]))
    return left != right; /* how far apart two places are */
  return left || right;
}

/* An operator of the user's, as the call that it is; NULL: it is another. */
static pl_node *operator_call(flow *f, const pl_node *node) {
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

/* Whether the value of an expression may be, or hold, an address of the tile. */
static bool carries(flow *f, pl_node *node) {
  node = pl_node_bare(node);
  bool braces = node && node->kind == PL_NODE_INIT_LIST; /* may have no type */
  if (!node || node->has_ival ||
      (!braces && !is_array(node->type) && !can_hold(node->type)))
    return false;
  pl_node *call = operator_call(f, node);
  if (call)
    return call_gives(f, call, false);
  switch (node->kind) {
  case PL_NODE_REF:
    if (!node->decl)
      return false;
    if (is_array(node->decl->type) &&
        (node->decl == f->tile || names(f, node->decl)))
      return true;
    return node->decl != f->tile && holds(f, node->decl);
  case PL_NODE_SUBSCRIPT:
  case PL_NODE_MEMBER:
    return is_array(node->type) ? is_place(f, node) : loaded(f, node);
  case PL_NODE_UNARY:
    if (node->op == PL_OP_ADDR)
      return is_place(f, node->kids[0]);
    if (node->op == PL_OP_DEREF)
      return is_array(node->type) ? is_place(f, node) : loaded(f, node);
    return carries(f, node->kids[0]);
  case PL_NODE_CAST:
    if (is_reference(node->type) && !is_array(node->type))
      return loaded(f, node);
    return node->nkids && carries(f, node->kids[0]);
  case PL_NODE_BINARY:
    return operation_carries(f, node);
  case PL_NODE_COND:
    return any_carries(f, node, 1);
  case PL_NODE_CALL:
    return call_gives(f, node, false);
  case PL_NODE_LAMBDA: {
    mention_walk w = {f, false};
    pl_node_walk(node, mentions_holder, &w);
    return w.found;
  }
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
static bool is_place(flow *f, pl_node *node) {
  node = pl_node_bare(node);
  if (!node)
    return false;
  pl_node *call = operator_call(f, node);
  if (call)
    return call_gives(f, call, true);
  switch (node->kind) {
  case PL_NODE_REF:
    return node->decl && (node->decl == f->tile || names(f, node->decl));
  case PL_NODE_SUBSCRIPT:
    return is_array(node->kids[0]->type) ? is_place(f, node->kids[0])
                                         : carries(f, node->kids[0]);
  case PL_NODE_MEMBER:
    if (is_field_reference(node))
      return object_holds(f, node);
    if (node->nkids == 0 || !node->kids[0])
      return f->this_named;
    return node->is_arrow ? carries(f, node->kids[0])
                          : is_place(f, node->kids[0]);
  case PL_NODE_UNARY:
    if (node->op == PL_OP_PREINC || node->op == PL_OP_PREDEC)
      return is_place(f, node->kids[0]);
    return node->op == PL_OP_DEREF && carries(f, node->kids[0]);
  case PL_NODE_ASSIGN:
    return is_place(f, node->kids[0]);
  case PL_NODE_BINARY:
    return node->op == PL_OP_COMMA && is_place(f, node->kids[1]);
  case PL_NODE_CAST:
    return node->nkids && is_place(f, node->kids[0]);
  case PL_NODE_COND:
    return is_place(f, node->kids[1]) || is_place(f, node->kids[2]);
  case PL_NODE_CALL:
    return call_gives(f, node, true);
  default:
    return false;
  }
}

/* ---- stores -------------------------------------------------------------- */

static bool is_parameter(const flow *f, const pl_decl *decl) {
  for (uint32_t i = 0; i < f->func->nparams; i++)
    if (f->func->params[i] == decl)
      return true;
  return false;
}

static void fill_parameter(flow *f, const pl_decl *decl) {
  for (size_t i = 0; i < f->nfilled; i++)
    if (f->filled[i] == decl)
      return;
  if (f->nfilled < sizeof f->filled / sizeof *f->filled) {
    f->filled[f->nfilled++] = decl;
    f->changed = true;
  }
}

/* An address is put behind one of the roots. */
static void fill_roots(flow *f, const pl_roots *roots, const pl_node *at) {
  for (size_t i = 0; i < roots->n; i++) {
    pl_root root = roots->items[i];
    if (!f->tile && root.decl && is_parameter(f, root.decl))
      fill_parameter(f, root.decl);
    else if (pl_root_is_this(root))
      f->changed = f->changed || !f->this_filled, f->this_filled = true;
    else if (root.decl && pl_root_space(root) == PL_SPACE_LOCAL)
      add(f, root.decl, false, at);
    else if (!f->out->stored_at)
      f->out->stored_at = at;
  }
}

/* An address is stored to an lvalue. */
static void fill(flow *f, pl_node *target, const pl_node *at) {
  const pl_node *object = object_of(target);
  const pl_decl *decl =
      object && object->kind == PL_NODE_REF ? object->decl : NULL;
  if (is_own_member(object)) {
    f->changed = f->changed || !f->this_filled || !f->this_holds;
    f->this_filled = f->this_holds = true;
    return;
  }
  if (decl && decl->owner && !decl->is_shared && !is_reference(decl->type)) {
    add(f, decl, false, at);
    return;
  }
  if (decl && !f->tile && is_parameter(f, decl)) {
    add(f, decl, false, at);
    fill_parameter(f, decl);
    return;
  }
  pl_effects effects = {0};
  pl_roots roots = {0};
  pl_node *whole = at->kind == PL_NODE_ASSIGN ? (pl_node *)at : target;
  pl_effects_of(f->loop->effects, f->func, whole, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind == PL_EFFECT_WRITE)
      PL_PUSH(f->loop->arena, roots.items, roots.n, roots.cap,
              effects.items[i].root);
  if (decl && is_reference(decl->type))
    add(f, decl, false, at);
  fill_roots(f, &roots, at);
}

/* What the pointer `target` leads to is given an address. */
static void fill_behind(flow *f, pl_node *target, const pl_node *at) {
  pl_roots roots = {0};
  pl_roots_of(f->loop->effects, f->func, target, &roots);
  fill_roots(f, &roots, at);
}

/* ---- calls --------------------------------------------------------------- */

static const pl_func *body_of(const pl_node *call) {
  const pl_func *func = call->decl ? call->decl->func : NULL;
  return func && func->body ? func : NULL;
}

static bool gather(pl_node *node, void *context);

static void run(flow *f) {
  do {
    f->changed = false;
    pl_node_walk(f->func->body, gather, f);
  } while (f->changed);
}

/* Whether a variable of that type gets an address with what it is given. A
 * reference to an array gets what the array holds: its name is no pointer. */
static bool gets_address(flow *f, const pl_type *type, pl_node *given) {
  const pl_node *object = object_of(given);
  if (is_reference(type) && is_array(type) && object &&
      object->kind == PL_NODE_REF && object->decl)
    return object->decl != f->tile && holds(f, object->decl);
  return carries(f, given);
}

/* Whether a method is called on the tile or a part of it. */
static bool is_object(flow *f, const pl_node *member) {
  return member->is_arrow ? carries(f, member->kids[0])
                          : is_place(f, member->kids[0]);
}

/* Walks a called function with what it is handed. False: its body is not seen,
 * or it is handed nothing. */
static bool follow_call(flow *f, pl_node *call, flow *callee) {
  const pl_func *func = body_of(call);
  if (!func || f->depth >= DEEPEST_CALL)
    return false;
  pl_holders *held = PL_NEW(f->loop->arena, pl_holders);
  *callee = (flow){.loop = f->loop, .func = func, .out = held,
                   .depth = f->depth + 1};
  for (uint32_t i = 0; i < func->nparams && i + 1 < call->nkids; i++) {
    pl_node *arg = call->kids[i + 1];
    if (is_reference(func->params[i]->type) && is_place(f, arg))
      add(callee, func->params[i], true, NULL);
    if (gets_address(f, func->params[i]->type, arg))
      add(callee, func->params[i], false, NULL);
  }
  const pl_node *object = call->kids[0];
  if (object && object->kind == PL_NODE_MEMBER && object->nkids &&
      object->kids[0]) {
    callee->this_holds = carries(f, object->kids[0]);
    callee->this_named = is_object(f, object);
  } else if (is_own_member(object)) {
    callee->this_holds = f->this_holds;
    callee->this_named = f->this_named;
  }
  if (held->n || callee->this_holds || callee->this_named)
    run(callee);
  return true;
}

/* What a function that is seen does with addresses that it is handed. */
static void gather_call(flow *f, pl_node *call) {
  flow callee;
  if (!follow_call(f, call, &callee))
    return;
  if (callee.out->stored_at && !f->out->stored_at)
    f->out->stored_at = call;
  for (uint32_t i = 0; i < callee.func->nparams && i + 1 < call->nkids; i++)
    for (size_t k = 0; k < callee.nfilled; k++)
      if (callee.filled[k] != callee.func->params[i])
        continue;
      else if (is_reference(callee.func->params[i]->type))
        fill(f, call->kids[i + 1], call);
      else
        fill_behind(f, call->kids[i + 1], call);
  const pl_node *object = call->kids[0];
  if (callee.this_filled && object && object->kind == PL_NODE_MEMBER &&
      object->nkids && object->kids[0])
    fill(f, object->kids[0], call);
  else if (callee.this_filled)
    f->this_filled = f->this_holds = true;
}

/* A lambda of the function: its text is walked where it stands, with what its
 * calls hand it. */
static void gather_lambda_call(flow *f, pl_node *call) {
  const pl_node *lambda = pl_called_lambda(call);
  const pl_func *func = lambda ? lambda->func : NULL;
  for (uint32_t i = 0; func && i < func->nparams && i + 1 < call->nkids; i++) {
    pl_node *arg = call->kids[i + 1];
    const pl_type *type = func->params[i]->type;
    if (is_reference(type) && is_place(f, arg))
      add(f, func->params[i], true, call);
    if (gets_address(f, type, arg))
      add(f, func->params[i], false, call);
  }
}

/* Functions of the toolkit that move values about. */
static void gather_unseen(flow *f, pl_node *call) {
  bool exchange = pl_str_has(call->name, "swap") ||
                  pl_str_has(call->name, "exchange");
  bool atomic = pl_str_starts(call->name, "atomic");
  if (pl_str_has(call->name, "memcpy") && call->nkids > 2 &&
      points_to_holder(f, call->kids[2], true))
    fill_behind(f, call->kids[1], call);
  for (uint32_t i = 2; atomic && i < call->nkids; i++)
    if (carries(f, call->kids[i]) && !f->out->stored_at)
      f->out->stored_at = call;
  for (uint32_t i = 1; exchange && i < call->nkids; i++)
    if (argument_carries(f, call, false))
      fill(f, call->kids[i], call);
}

/* ---- inline assembly ----------------------------------------------------- */

/* Whether every `%N` of an operand stands in the brackets of a load. */
static bool only_in_brackets(pl_str text, int64_t operand) {
  bool inside = false, seen = false;
  for (size_t i = 0; i + 1 < text.n; i++) {
    inside = text.p[i] == '[' || (inside && text.p[i] != ']');
    if (text.p[i] != '%' || text.p[i + 1] < '0' || text.p[i + 1] > '9')
      continue;
    int64_t n = 0;
    size_t k = i + 1;
    while (k < text.n && text.p[k] >= '0' && text.p[k] <= '9')
      n = n * 10 + (text.p[k++] - '0');
    if (n == operand && !inside)
      return false;
    seen = seen || n == operand;
  }
  return seen;
}

/* Outputs hold the addresses that go in, but for those that are loaded
 * through. */
static void gather_asm(flow *f, pl_node *node) {
  pl_str text = pl_asm_source(f->loop->unit, node);
  bool gives = false;
  int64_t operand = 0;
  for (uint32_t i = 0; i < node->nkids; i++) {
    if (!node->kids[i] || node->kids[i]->kind == PL_NODE_STRING)
      continue;
    gives = gives || (carries(f, node->kids[i]) && operand >= node->ival &&
                      !only_in_brackets(text, operand));
    operand++;
  }
  operand = 0;
  for (uint32_t i = 0; gives && i < node->nkids; i++)
    if (node->kids[i] && node->kids[i]->kind != PL_NODE_STRING &&
        operand++ < node->ival && can_hold(node->kids[i]->type))
      fill(f, node->kids[i], node);
}

/* ---- the walk ------------------------------------------------------------ */

static void gather_variable(flow *f, pl_node *node) {
  pl_node *init = node->nkids ? node->kids[0] : NULL;
  if (!init || !node->decl)
    return;
  if (is_reference(node->decl->type) && is_place(f, init))
    add(f, node->decl, true, node);
  if (can_hold(node->decl->type) && gets_address(f, node->decl->type, init))
    add(f, node->decl, false, node);
}

/* Variables of a range-based loop over what holds addresses. */
static void gather_range(flow *f, pl_node *node) {
  mention_walk w = {f, false};
  pl_node_walk(pl_node_is_array_range(node) ? node->kids[1] : node,
               mentions_holder, &w);
  for (uint32_t i = 0; w.found && i < node->nkids; i++)
    if (node->kids[i] && node->kids[i]->kind == PL_NODE_VAR &&
        node->kids[i]->decl && can_hold(node->kids[i]->decl->type) &&
        !holds(f, node->kids[i]->decl))
      add(f, node->kids[i]->decl, false, node);
}

/* Whether a function gives back a name of something, and no value. */
static bool gives_reference(const pl_func *func) {
  const pl_type *type = func->decl ? func->decl->type : NULL;
  pl_str text = type ? type->spelling : PL_STR("decltype");
  if (pl_str_starts(text, "decltype") || pl_str_starts(text, "typename"))
    return true;
  for (size_t i = 0; i < text.n && text.p[i] != '('; i++)
    if (text.p[i] == '&')
      return true;
  return false;
}

/* An assignment, or an operator of the user's. */
static void gather_operator(flow *f, pl_node *node) {
  pl_node *call = operator_call(f, node);
  if (call)
    gather_call(f, call);
  else if (node->kind == PL_NODE_ASSIGN && can_hold(node->kids[0]->type) &&
           carries(f, node->kids[1]))
    fill(f, node->kids[0], node);
}

static bool gather(pl_node *node, void *context) {
  flow *f = context;
  switch (node->kind) {
  case PL_NODE_VAR:
    gather_variable(f, node);
    break;
  case PL_NODE_ASSIGN:
  case PL_NODE_BINARY:
  case PL_NODE_UNARY:
  case PL_NODE_SUBSCRIPT:
    gather_operator(f, node);
    break;
  case PL_NODE_RETURN:
    if (node->nkids && node->kids[0]) {
      f->gives_address = f->gives_address || carries(f, node->kids[0]);
      f->gives_place = f->gives_place || (gives_reference(f->func) &&
                                          is_place(f, node->kids[0]));
    }
    break;
  case PL_NODE_CALL:
    gather_call(f, node);
    gather_lambda_call(f, node);
    if (!body_of(node))
      gather_unseen(f, node);
    break;
  case PL_NODE_ASM:
    gather_asm(f, node);
    break;
  case PL_NODE_RANGE_FOR:
    gather_range(f, node);
    break;
  default:
    break;
  }
  return true;
}

void pl_find_holders(pl_loop *loop, const pl_decl *tile, pl_holders *holders) {
  flow f = {.loop = loop, .func = loop->func, .tile = tile, .out = holders};
  run(&f);
}
