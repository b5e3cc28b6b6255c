/* effects.c - see effects.h.
 *
 * Needs: the model. Gives: effect lists, roots of addresses. Raises: nothing.
 *
 * A called function's body is analysed once; its effects on its own parameters
 * are then read as effects on whatever the caller passes. Local pointers are
 * followed through every value that the function assigns to them, in whatever
 * order, so a root list is never too short. */
#include "effects.h"

#include <string.h>

typedef struct summary {
  const pl_func *func;
  pl_effects effects;
  pl_roots returned;
  bool busy, done;
} summary;

typedef struct pointer_values {
  const pl_decl *decl;
  pl_roots roots;
  bool busy, done;
} pointer_values;

struct pl_effect_context {
  pl_unit *unit;
  summary *summaries;
  size_t nsummaries;
  pointer_values **pointers;
  size_t npointers, pointers_cap;
};

typedef enum behaviour {
  CALL_UNKNOWN,
  CALL_BARRIER,
  CALL_SPECIAL_BARRIER,
  CALL_WARP,
  CALL_FENCE,
  CALL_ASYNC,
  CALL_ATOMIC,
  CALL_FRAGMENT_LOAD,
  CALL_FRAGMENT_STORE,
  CALL_FIRST_WRITTEN,
  CALL_LATER_WRITTEN,
  CALL_EXCHANGE,
  CALL_COPY,
  CALL_LOAD,
  CALL_VOLATILE_LOAD,
  CALL_TEXTURE,
  CALL_STORE,
  CALL_ADDRESS,
  CALL_ESCAPE,
  CALL_VALUE,
  CALL_SIDE
} behaviour;

static const struct {
  const char *name;
  behaviour what;
} known_calls[] = {
#define X(name, what) {name, CALL_##what},
#include "calls.def"
#undef X
};

/* A walk over one function's text, with where its results go. */
typedef struct walk {
  pl_effect_context *context;
  const pl_func *func;
  pl_effects *out;
  int conditional; /* depth of branches and loops around the current node */
  int depth;       /* of lambda bodies entered */
} walk;

enum { ACCESS_NONE = 0, ACCESS_READ = 1, ACCESS_WRITE = 2 };

static void visit(walk *w, pl_node *node, int access);

pl_effect_context *pl_effect_context_new(pl_unit *unit) {
  pl_effect_context *context = PL_NEW(unit->arena, pl_effect_context);
  context->unit = unit;
  context->nsummaries = unit->nfuncs;
  context->summaries = PL_NEW_ARRAY(unit->arena, summary, unit->nfuncs);
  for (size_t i = 0; i < unit->nfuncs; i++)
    context->summaries[i].func = unit->funcs[i];
  return context;
}

bool pl_root_eq(pl_root a, pl_root b) {
  return a.decl == b.decl && pl_str_eq(a.member, b.member);
}

static void add_root(pl_arena *arena, pl_roots *roots, pl_root root) {
  for (size_t i = 0; i < roots->n; i++)
    if (pl_root_eq(roots->items[i], root))
      return;
  PL_PUSH(arena, roots->items, roots->n, roots->cap, root);
}

static const pl_type *no_reference(const pl_type *type) {
  return type && type->kind == PL_TYPE_REFERENCE ? type->element : type;
}

static bool is_pointer_like(const pl_type *type) {
  type = no_reference(type);
  return type &&
         (type->kind == PL_TYPE_POINTER || type->kind == PL_TYPE_ARRAY);
}

static bool is_pointer(const pl_type *type) {
  type = no_reference(type);
  return type && type->kind == PL_TYPE_POINTER;
}

/* threadIdx and its relatives: registers, though declared like globals. */
static bool is_builtin_index(const pl_decl *decl) {
  static const char *const names[] = {"threadIdx", "blockIdx", "blockDim",
                                      "gridDim", "warpSize", NULL};
  for (size_t i = 0; !decl->in_main && names[i]; i++)
    if (pl_str_is(decl->name, names[i]))
      return true;
  return false;
}

/* What `this` points to, inside the summary of a member function: an object
 * that may be anywhere, or one that is known to be the thread's own. With a
 * member that begins with '*', what that member of the object points to. */
static pl_decl this_object = {.kind = PL_DECL_OTHER};
static pl_decl this_local = {.kind = PL_DECL_OTHER};

bool pl_root_is_this(pl_root root) {
  return root.decl == &this_object || root.decl == &this_local;
}

pl_space pl_root_space(pl_root root) {
  pl_decl *decl = root.decl;
  if (!decl)
    return PL_SPACE_UNKNOWN;
  if (pl_root_is_this(root))
    return decl == &this_local && !root.member.n ? PL_SPACE_LOCAL
                                                 : PL_SPACE_UNKNOWN;
  if (is_builtin_index(decl))
    return PL_SPACE_LOCAL;
  if (decl->points_to_shared && !root.member.n)
    return PL_SPACE_SHARED;
  if (root.member.n && root.member.p[0] == '*')
    return decl->is_shared ? PL_SPACE_UNKNOWN : PL_SPACE_GLOBAL;
  if (decl->is_shared)
    return PL_SPACE_SHARED;
  if (decl->is_constant_memory)
    return PL_SPACE_CONSTANT;
  if (decl->kind == PL_DECL_PARAM) {
    const pl_type *type = decl->type;
    if (root.member.n || is_pointer_like(type))
      return PL_SPACE_GLOBAL;
    if (type && type->kind == PL_TYPE_REFERENCE)
      return PL_SPACE_UNKNOWN;
    if (type && type->kind == PL_TYPE_DEPENDENT)
      return PL_SPACE_GLOBAL;
    return PL_SPACE_LOCAL;
  }
  if (decl->kind == PL_DECL_VAR && !decl->owner)
    return decl->is_constexpr ? PL_SPACE_CONSTANT : PL_SPACE_GLOBAL;
  if (decl->kind == PL_DECL_VAR && root.member.n)
    return PL_SPACE_GLOBAL;
  if (decl->kind == PL_DECL_VAR)
    return PL_SPACE_LOCAL;
  return PL_SPACE_UNKNOWN;
}

/* What textures and surfaces are read from: no kernel sees there what it stores
 * itself. */
static pl_decl texture_memory = {.kind = PL_DECL_OTHER};

/* ---- roots of addresses ------------------------------------------------- */

static void lvalue_roots(walk *w, pl_node *node, pl_roots *roots);
static void value_roots(walk *w, pl_node *node, pl_roots *roots);

static pointer_values *pointer_entry(pl_effect_context *context,
                                     const pl_decl *decl) {
  for (size_t i = 0; i < context->npointers; i++)
    if (context->pointers[i]->decl == decl)
      return context->pointers[i];
  pointer_values *entry = PL_NEW(context->unit->arena, pointer_values);
  entry->decl = decl;
  PL_PUSH(context->unit->arena, context->pointers, context->npointers,
          context->pointers_cap, entry);
  return entry;
}

typedef struct gather {
  walk *w;
  const pl_decl *decl;
  pl_roots *roots;
} gather;

/* The variable that an assignment's left side stores into: `p`, `p[i]`. */
static const pl_decl *stored_variable(pl_node *node) {
  node = pl_node_bare(node);
  while (node && (node->kind == PL_NODE_SUBSCRIPT ||
                  node->kind == PL_NODE_MEMBER)) {
    pl_node *base = pl_node_bare(node->kids[0]);
    if (node->kind == PL_NODE_SUBSCRIPT &&
        !(base && base->type && no_reference(base->type)->kind == PL_TYPE_ARRAY))
      return NULL;
    node = base;
  }
  return node && node->kind == PL_NODE_REF ? node->decl : NULL;
}

static bool names(const pl_node *node, const pl_decl *decl) {
  node = pl_node_bare((pl_node *)node);
  return node && node->kind == PL_NODE_REF && node->decl == decl;
}

static bool is_reference(const pl_type *type);
static bool may_carry_address(const pl_type *type);
static bool carries_address(const pl_node *node);
static const pl_func *callee_of(const pl_node *call);

static pl_str before_angle(pl_str name) {
  for (size_t i = 0; i < name.n; i++)
    if (name.p[i] == '<')
      return (pl_str){name.p, i};
  return name;
}

/* The number of output operands: constraints that begin with '=' or '+'. */
static size_t asm_outputs(pl_str text) {
  size_t n = 0;
  for (size_t i = 0; i + 1 < text.n; i++)
    n += text.p[i] == '"' && (text.p[i + 1] == '=' || text.p[i + 1] == '+');
  return n;
}

/* Inline assembly sets its output operands, which come first; where a macro
 * hides the constraints it may set any. */
static bool asm_sets(const pl_unit *unit, const pl_node *node,
                     const pl_decl *decl) {
  bool seen = node->range.end && !node->from_macro;
  size_t outputs =
      seen ? asm_outputs(pl_unit_slice(unit, node->range)) : node->nkids;
  for (uint32_t i = 0; i < node->nkids; i++) {
    if (!node->kids[i] || node->kids[i]->kind == PL_NODE_STRING)
      continue;
    if (outputs-- == 0)
      return false;
    if (stored_variable(node->kids[i]) == decl)
      return true;
  }
  return false;
}

/* Whether a lambda makes another name for what it captures: `[&q = p]`. What
 * its body does to `p` under its own name is looked at like any other text. */
static bool renames_capture(const pl_unit *unit, const pl_node *lambda) {
  pl_str text = pl_unit_slice(unit, lambda->range);
  if (!lambda->range.end || !pl_str_starts(text, "["))
    return true;
  bool by_reference = false;
  for (size_t i = 1; i < text.n && text.p[i] != ']'; i++) {
    by_reference = text.p[i] == '&' || (by_reference && text.p[i] != ',');
    if (text.p[i] == '=' && by_reference)
      return true;
  }
  return false;
}

/* Whether a function type takes something by reference that it may change. */
static bool takes_reference(const pl_type *type) {
  pl_str text = type ? type->spelling : (pl_str){NULL, 0};
  for (size_t i = 0; i < text.n; i++) {
    size_t end = i;
    while (end && text.p[end - 1] == ' ')
      end--;
    if (text.p[i] == '&' &&
        !(end >= 5 && memcmp(text.p + end - 5, "const", 5) == 0))
      return true;
  }
  return false;
}

/* Whether a call may change the pointer variable that is its argument `i`. */
static bool call_sets(const pl_unit *unit, const pl_node *call, uint32_t i) {
  const pl_func *callee = callee_of(call);
  if (callee)
    return i - 1 < callee->nparams &&
           is_reference(callee->params[i - 1]->type);
  if (pl_str_is(call->name, "swap"))
    return true;
  if (call->decl)
    return call->decl->in_main && takes_reference(call->decl->type);
  for (uint32_t f = 0; call->name.n && f < unit->nfuncs; f++) {
    const pl_func *func = unit->funcs[f];
    if (pl_str_eq(before_angle(func->name), before_angle(call->name)) &&
        i - 1 < func->nparams && is_reference(func->params[i - 1]->type))
      return true;
  }
  return false;
}

/* Whether a node lets something else change a pointer variable: its address is
 * taken, a reference bound to it, it is passed by reference, or set by inline
 * assembly. */
static bool exposes_pointer(const pl_unit *unit, const pl_node *node,
                            const pl_decl *decl) {
  if (node->kind == PL_NODE_UNARY && node->op == PL_OP_ADDR)
    return stored_variable(node->kids[0]) == decl;
  if (node->kind == PL_NODE_VAR && node->decl && node->nkids &&
      is_reference(node->decl->type))
    return stored_variable(node->kids[0]) == decl;
  if (node->kind == PL_NODE_LAMBDA)
    return renames_capture(unit, node) && pl_mentions(node, decl);
  if (node->kind == PL_NODE_ASM)
    return asm_sets(unit, node, decl);
  if (node->kind != PL_NODE_CALL)
    return false;
  bool array = decl->type && decl->type->kind == PL_TYPE_ARRAY;
  for (uint32_t i = 1; i < node->nkids; i++) {
    if (array && names(node->kids[i], decl))
      return true;
    if (stored_variable(node->kids[i]) == decl && call_sets(unit, node, i))
      return true;
  }
  return false;
}

/* Whether what an lvalue names through the reference is a number: a store there
 * may change a cell, but gives the reference no other object. */
static bool names_number(const gather *g, pl_node *lvalue) {
  const pl_type *type = no_reference(lvalue->type);
  if (!is_reference(g->decl->type) || !g->decl->init || !type ||
      may_carry_address(type))
    return false;
  pl_roots roots = {0};
  lvalue_roots(g->w, g->decl->init, &roots);
  bool shared = roots.n > 0;
  for (size_t i = 0; i < roots.n; i++)
    shared = shared && pl_root_space(roots.items[i]) == PL_SPACE_SHARED;
  return shared || type->kind != PL_TYPE_INT || type->size < 4;
}

static bool stores_number(const gather *g, const pl_node *assign) {
  return names_number(g, assign->kids[0]) && !carries_address(assign->kids[1]);
}

/* `float &cell = row[c];` and `&row[c]` are other names for cells. */
static bool renames_number(const gather *g, const pl_node *node) {
  return (node->kind == PL_NODE_VAR || node->kind == PL_NODE_UNARY) &&
         names_number(g, node->kids[0]);
}

static bool gather_values(pl_node *node, void *context) {
  gather *g = context;
  if (exposes_pointer(g->w->context->unit, node, g->decl) &&
      !renames_number(g, node))
    add_root(g->w->context->unit->arena, g->roots, (pl_root){0});
  if (node->kind == PL_NODE_VAR && node->decl == g->decl && node->nkids)
    value_roots(g->w, node->kids[0], g->roots);
  if (node->kind == PL_NODE_ASSIGN && node->op == PL_OP_ASSIGN &&
      stored_variable(node->kids[0]) == g->decl && !stores_number(g, node))
    value_roots(g->w, node->kids[1], g->roots);
  return true;
}

static bool type_is_array(const pl_type *type) {
  type = no_reference(type);
  return type && type->kind == PL_TYPE_ARRAY &&
         type->element && type->element->kind != PL_TYPE_POINTER;
}

/* What a local pointer (or array of pointers) may point into: every value that
 * the function gives it; a reference to an array of values, what it is bound
 * to. */
static void local_pointer_roots(walk *w, pl_decl *decl, pl_roots *roots) {
  pl_arena *arena = w->context->unit->arena;
  pointer_values *entry = pointer_entry(w->context, decl);
  if (!entry->done && !entry->busy) {
    entry->busy = true;
    bool bound = decl->kind == PL_DECL_VAR && is_reference(decl->type) &&
                 type_is_array(decl->type) && decl->init;
    if (bound)
      lvalue_roots(w, decl->init, &entry->roots);
    else if (decl->init)
      value_roots(w, decl->init, &entry->roots);
    gather g = {w, decl, &entry->roots};
    if (!bound && decl->owner && decl->owner->body)
      pl_node_walk(decl->owner->body, gather_values, &g);
    entry->busy = false;
    entry->done = true;
  }
  for (size_t i = 0; i < entry->roots.n; i++)
    add_root(arena, roots, entry->roots.items[i]);
}

static bool type_is_deref_array(const pl_node *node) {
  const pl_type *type = node ? no_reference(node->type) : NULL;
  return type && type->kind == PL_TYPE_ARRAY;
}

/* Roots of a pointer that is read out of the memory at `node`. */
static void loaded_pointer_roots(walk *w, pl_node *node, pl_roots *roots) {
  pl_roots holder = {0};
  lvalue_roots(w, node, &holder);
  pl_arena *arena = w->context->unit->arena;
  for (size_t i = 0; i < holder.n; i++) {
    pl_root root = holder.items[i];
    pl_space space = pl_root_space(root);
    if (pl_root_is_this(root) && !root.member.n) {
      pl_str name = node->kind == PL_NODE_MEMBER ? node->name : PL_STR("");
      add_root(arena, roots,
               (pl_root){root.decl, pl_arena_printf(arena, "*%.*s",
                                                    PL_FMT(name))});
    } else if (space == PL_SPACE_LOCAL && root.decl->kind == PL_DECL_VAR)
      local_pointer_roots(w, root.decl, roots);
    else if (space == PL_SPACE_GLOBAL || space == PL_SPACE_CONSTANT)
      add_root(arena, roots,
               (pl_root){root.decl, pl_arena_printf(arena, "*%.*s",
                                                    PL_FMT(root.member))});
    else
      add_root(arena, roots, (pl_root){0});
  }
}

static summary *summarise(pl_effect_context *context, const pl_func *func);

/* Whether a call picks its body at run time: a virtual function of an object
 * that is reached through a pointer or a reference. */
static bool is_dispatched(const pl_node *call) {
  if (!call->decl || !call->decl->is_virtual)
    return false;
  const pl_node *member = call->nkids ? call->kids[0] : NULL;
  const pl_node *object = member && member->nkids ? member->kids[0] : NULL;
  return !object || member->is_arrow || object->kind != PL_NODE_REF ||
         !object->decl || is_reference(object->decl->type);
}

static const pl_func *callee_of(const pl_node *call) {
  if (call->decl && call->decl->func && call->decl->func->body &&
      !is_dispatched(call))
    return call->decl->func;
  return NULL;
}

static int param_index(const pl_func *func, const pl_decl *decl) {
  for (uint32_t i = 0; i < func->nparams; i++)
    if (func->params[i] == decl)
      return (int)i;
  return -1;
}

/* The argument node that stands for parameter `index` of a call. */
static pl_node *argument(const pl_node *call, int index) {
  uint32_t at = (uint32_t)index + 1;
  return at < call->nkids ? call->kids[at] : NULL;
}

static bool is_reference(const pl_type *type) {
  return type && type->kind == PL_TYPE_REFERENCE;
}

/* A parameter of a lambda in the function: what it is given is not followed. */
static bool is_lambda_parameter(const walk *w, const pl_decl *decl) {
  return decl->kind == PL_DECL_PARAM && w->func &&
         param_index(w->func, decl) < 0 &&
         (is_pointer_like(decl->type) || is_reference(decl->type) ||
          (decl->type && decl->type->kind == PL_TYPE_RECORD));
}

static void argument_roots(walk *w, const pl_func *callee, pl_node *call,
                           int index, pl_roots *roots) {
  pl_node *arg = argument(call, index);
  if (!arg)
    return;
  if (is_reference(callee->params[index]->type) &&
      !is_pointer(callee->params[index]->type))
    lvalue_roots(w, arg, roots);
  else
    value_roots(w, arg, roots);
}

static behaviour known_behaviour(pl_str name) {
  for (size_t i = 0; i < sizeof known_calls / sizeof *known_calls; i++) {
    const char *key = known_calls[i].name;
    size_t n = strlen(key);
    bool prefix = key[n - 1] == '*';
    if (prefix ? name.n >= n - 1 && memcmp(name.p, key, n - 1) == 0
               : pl_str_is(name, key))
      return known_calls[i].what;
  }
  return CALL_UNKNOWN;
}

static behaviour behaviour_of(const pl_node *call) {
  if (call->decl && call->decl->in_main)
    return CALL_UNKNOWN;
  return known_behaviour(call->name);
}

static bool is_member_function(const pl_node *call);

/* A root inside a member function, as roots of the object that the function is
 * called on. */
static void object_roots(walk *w, const pl_node *call, pl_root root,
                         pl_roots *roots) {
  pl_arena *arena = w->context->unit->arena;
  pl_node *member = is_member_function(call) ? call->kids[0] : NULL;
  pl_node *object = member && member->nkids ? member->kids[0] : NULL;
  pl_node *bare = object ? pl_node_bare(object) : NULL;
  if (!bare) {
    add_root(arena, roots, (pl_root){0});
    return;
  }
  if (!root.member.n && member->is_arrow) {
    value_roots(w, object, roots);
    return;
  }
  if (!root.member.n) {
    lvalue_roots(w, object, roots);
    return;
  }
  pl_decl *decl = bare->kind == PL_NODE_REF && !member->is_arrow ? bare->decl
                                                                 : NULL;
  bool own = decl && decl->owner && !decl->is_shared &&
             !is_reference(decl->type);
  if (own && decl->kind == PL_DECL_VAR)
    local_pointer_roots(w, decl, roots);
  else if (own && decl->kind == PL_DECL_PARAM)
    add_root(arena, roots,
             (pl_root){decl, {root.member.p + 1, root.member.n - 1}});
  else if (bare->kind == PL_NODE_THIS)
    add_root(arena, roots, root);
  else
    add_root(arena, roots, (pl_root){0});
}

static void call_roots(walk *w, pl_node *call, pl_roots *roots) {
  pl_arena *arena = w->context->unit->arena;
  const pl_func *callee = callee_of(call);
  if (callee) {
    summary *s = summarise(w->context, callee);
    if (s->busy) {
      add_root(arena, roots, (pl_root){0});
      return;
    }
    for (size_t i = 0; i < s->returned.n; i++) {
      pl_root root = s->returned.items[i];
      int index = root.decl ? param_index(callee, root.decl) : -1;
      if (pl_root_is_this(root))
        object_roots(w, call, root, roots);
      else if (index >= 0 && root.member.n == 0)
        argument_roots(w, callee, call, index, roots);
      else
        add_root(arena, roots, root);
    }
    return;
  }
  behaviour what = behaviour_of(call);
  if (what == CALL_ADDRESS)
    for (uint32_t i = 1; i < call->nkids; i++)
      value_roots(w, call->kids[i], roots);
  else if (what == CALL_VALUE || what == CALL_LOAD || what == CALL_WARP ||
           what == CALL_VOLATILE_LOAD || what == CALL_TEXTURE)
    for (uint32_t i = 1; i < call->nkids; i++) {
      if (is_pointer(call->type))
        add_root(arena, roots, (pl_root){0});
    }
  else
    add_root(arena, roots, (pl_root){0});
}

/* Whether an integer expression holds a shared address in disguise. */
static bool carries_address(const pl_node *node) {
  if (!node)
    return false;
  if (node->kind == PL_NODE_CALL &&
      pl_str_starts(node->name, "__cvta_generic_to"))
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (carries_address(node->kids[i]))
      return true;
  return false;
}

static pl_root this_root(const walk *w) {
  bool local = w->func && w->func->local_object;
  return (pl_root){local ? &this_local : &this_object, {0}};
}

/* Roots of the pointer (or of the address inside an integer) that an
 * expression gives. */
static void value_roots(walk *w, pl_node *node, pl_roots *roots) {
  pl_arena *arena = w->context->unit->arena;
  if (!node)
    return;
  switch (node->kind) {
  case PL_NODE_PAREN:
  case PL_NODE_CAST:
    if (node->nkids)
      value_roots(w, node->kids[0], roots);
    return;
  case PL_NODE_REF: {
    pl_decl *decl = node->decl;
    if (!decl || is_lambda_parameter(w, decl))
      add_root(arena, roots, (pl_root){0});
    else if (decl->type && is_reference(decl->type) &&
             decl->kind == PL_DECL_VAR)
      local_pointer_roots(w, decl, roots);
    else if (decl->is_shared && is_pointer(decl->type))
      add_root(arena, roots, (pl_root){0});
    else if (type_is_deref_array(node) || decl->is_shared)
      add_root(arena, roots, (pl_root){decl, {0}});
    else if (decl->kind == PL_DECL_VAR && decl->owner)
      local_pointer_roots(w, decl, roots);
    else if (decl->kind == PL_DECL_PARAM || decl->kind == PL_DECL_VAR) {
      add_root(arena, roots, (pl_root){decl, {0}});
      if (decl->kind == PL_DECL_PARAM && decl->owner)
        local_pointer_roots(w, decl, roots);
      if (decl->type && decl->type->kind == PL_TYPE_RECORD)
        add_root(arena, roots, (pl_root){0});
    }
    return;
  }
  case PL_NODE_UNARY:
    if (node->op == PL_OP_ADDR)
      lvalue_roots(w, node->kids[0], roots);
    else if (node->op == PL_OP_DEREF)
      loaded_pointer_roots(w, node, roots);
    else if (node->nkids)
      value_roots(w, node->kids[0], roots);
    return;
  case PL_NODE_BINARY:
    if (node->op == PL_OP_COMMA) {
      value_roots(w, node->kids[1], roots);
      return;
    }
    for (uint32_t i = 0; i < 2; i++)
      if (is_pointer_like(node->kids[i] ? node->kids[i]->type : NULL) ||
          carries_address(node->kids[i]) ||
          (node->kids[i] && node->kids[i]->type &&
           node->kids[i]->type->kind == PL_TYPE_DEPENDENT))
        value_roots(w, node->kids[i], roots);
    return;
  case PL_NODE_ASSIGN:
    value_roots(w, node->kids[0], roots);
    return;
  case PL_NODE_COND:
    value_roots(w, node->kids[1], roots);
    value_roots(w, node->kids[2], roots);
    return;
  case PL_NODE_SUBSCRIPT:
    if (type_is_deref_array(node))
      lvalue_roots(w, node, roots);
    else
      loaded_pointer_roots(w, node, roots);
    return;
  case PL_NODE_MEMBER: {
    if (type_is_deref_array(node)) {
      lvalue_roots(w, node, roots);
      return;
    }
    pl_node *base = pl_node_bare(node->kids[0]);
    bool local = base && base->kind == PL_NODE_REF && base->decl &&
                 !node->is_arrow && !base->decl->is_shared;
    if (local && base->decl->kind == PL_DECL_VAR && base->decl->owner)
      local_pointer_roots(w, base->decl, roots);
    else if (local)
      add_root(arena, roots, (pl_root){base->decl, node->name});
    else
      loaded_pointer_roots(w, node, roots);
    return;
  }
  case PL_NODE_CALL:
    call_roots(w, node, roots);
    return;
  case PL_NODE_INIT_LIST:
  case PL_NODE_CONSTRUCT:
    for (uint32_t i = 0; i < node->nkids; i++)
      value_roots(w, node->kids[i], roots);
    return;
  case PL_NODE_THIS:
    add_root(arena, roots, this_root(w));
    return;
  case PL_NODE_INT:
  case PL_NODE_FLOATING:
  case PL_NODE_STRING:
  case PL_NODE_SIZEOF:
  case PL_NODE_LAMBDA:
    return;
  default:
    add_root(arena, roots, (pl_root){0});
  }
}

/* Roots of the object that an lvalue names. */
static void lvalue_roots(walk *w, pl_node *node, pl_roots *roots) {
  pl_arena *arena = w->context->unit->arena;
  node = pl_node_bare(node);
  if (!node)
    return;
  switch (node->kind) {
  case PL_NODE_REF:
    if (node->decl && node->decl->kind == PL_DECL_VAR && node->decl->owner &&
        is_reference(node->decl->type) && node->decl->init)
      lvalue_roots(w, node->decl->init, roots);
    else if (node->decl && ((node->decl->kind == PL_DECL_VAR &&
                             is_reference(node->decl->type)) ||
                            (is_reference(node->decl->type) &&
                             is_lambda_parameter(w, node->decl)) ||
                            node->decl->kind == PL_DECL_OTHER))
      add_root(arena, roots, (pl_root){0});
    else
      add_root(arena, roots, (pl_root){node->decl, {0}});
    return;
  case PL_NODE_SUBSCRIPT:
    value_roots(w, node->kids[0], roots);
    return;
  case PL_NODE_MEMBER:
    if (node->decl && is_reference(node->decl->type))
      add_root(arena, roots, (pl_root){0});
    else if (node->nkids == 0 || !node->kids[0])
      add_root(arena, roots, this_root(w));
    else if (node->is_arrow)
      value_roots(w, node->kids[0], roots);
    else
      lvalue_roots(w, node->kids[0], roots);
    return;
  case PL_NODE_UNARY:
    if (node->op == PL_OP_DEREF)
      value_roots(w, node->kids[0], roots);
    else
      lvalue_roots(w, node->kids[0], roots);
    return;
  case PL_NODE_CAST:
    lvalue_roots(w, node->kids[0], roots);
    return;
  case PL_NODE_COND:
    lvalue_roots(w, node->kids[1], roots);
    lvalue_roots(w, node->kids[2], roots);
    return;
  case PL_NODE_CALL:
    call_roots(w, node, roots);
    return;
  case PL_NODE_ASSIGN:
    lvalue_roots(w, node->kids[0], roots);
    return;
  case PL_NODE_BINARY:
    if (node->op == PL_OP_COMMA)
      lvalue_roots(w, node->kids[1], roots);
    return;
  case PL_NODE_LAMBDA:
  case PL_NODE_INT:
  case PL_NODE_FLOATING:
  case PL_NODE_CONSTRUCT:
  case PL_NODE_INIT_LIST:
    return;
  default:
    add_root(arena, roots, (pl_root){0});
  }
}

/* ---- effects ------------------------------------------------------------ */

static void emit(walk *w, pl_effect effect) {
  PL_PUSH(w->context->unit->arena, w->out->items, w->out->n, w->out->cap,
          effect);
}

static void emit_kind(walk *w, pl_effect_kind kind, pl_node *node) {
  emit(w, (pl_effect){.kind = kind, .node = node});
}

/* A pointer (or other scalar) parameter or local itself, as opposed to what it
 * points to. */
static bool is_own_variable(const pl_decl *decl) {
  return decl && decl->owner && !decl->is_shared &&
         (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM) &&
         !is_reference(decl->type);
}

/* Accesses to every object in `roots`. */
static void emit_access(walk *w, const pl_roots *roots, pl_node *node,
                        int access, bool direct, bool whole) {
  for (size_t i = 0; i < roots->n; i++) {
    pl_effect effect = {.space = pl_root_space(roots->items[i]),
                        .root = roots->items[i],
                        .direct = direct,
                        .whole = whole,
                        .node = node};
    if (direct && is_own_variable(roots->items[i].decl))
      effect.space = PL_SPACE_LOCAL;
    if (roots->items[i].decl && roots->items[i].decl->is_volatile)
      emit_kind(w, PL_EFFECT_VOLATILE, node);
    if (access & ACCESS_READ) {
      effect.kind = PL_EFFECT_READ;
      emit(w, effect);
    }
    if (access & ACCESS_WRITE) {
      effect.kind = PL_EFFECT_WRITE;
      emit(w, effect);
    }
  }
}

static bool is_volatile_access(const pl_node *node) {
  for (const pl_node *at = node; at; at = at->nkids ? at->kids[0] : NULL) {
    const pl_type *type = no_reference(at->type);
    if (!type)
      continue;
    if (type->is_volatile)
      return true;
    if (type->kind == PL_TYPE_POINTER && type->element &&
        type->element->is_volatile)
      return true;
    if (at->kind == PL_NODE_REF || at->kind == PL_NODE_CALL)
      break;
  }
  return false;
}

/* The index expressions and other values that an lvalue is formed from. */
static void visit_address(walk *w, pl_node *node) {
  node = pl_node_bare(node);
  if (!node)
    return;
  switch (node->kind) {
  case PL_NODE_REF:
    return;
  case PL_NODE_SUBSCRIPT:
    if (type_is_deref_array(node->kids[0]) ||
        (pl_node_bare(node->kids[0]) &&
         type_is_deref_array(pl_node_bare(node->kids[0]))))
      visit_address(w, node->kids[0]);
    else
      visit(w, node->kids[0], ACCESS_READ);
    visit(w, node->kids[1], ACCESS_READ);
    return;
  case PL_NODE_MEMBER:
    if (node->is_arrow)
      visit(w, node->kids[0], ACCESS_READ);
    else
      visit_address(w, node->kids[0]);
    return;
  case PL_NODE_UNARY:
    if (node->op == PL_OP_DEREF) {
      visit(w, node->kids[0], ACCESS_READ);
      return;
    }
    visit(w, node, ACCESS_NONE);
    return;
  case PL_NODE_CAST:
    visit_address(w, node->kids[0]);
    return;
  default:
    visit(w, node, ACCESS_NONE);
  }
}

static bool returns_reference(const pl_func *func);

/* `f().x`: a part of a value that a call gives back is no memory. */
static bool is_part_of_value(pl_node *node) {
  pl_node *at = pl_node_bare(node);
  while (at && at->kind == PL_NODE_MEMBER && !at->is_arrow && at->nkids &&
         !(at->decl && is_reference(at->decl->type)))
    at = pl_node_bare(at->kids[0]);
  if (!at || at == pl_node_bare(node) || !at->type ||
      at->type->kind != PL_TYPE_RECORD)
    return false;
  const pl_func *callee = at->kind == PL_NODE_CALL ? callee_of(at) : NULL;
  return at->kind == PL_NODE_CONSTRUCT ||
         (at->kind == PL_NODE_CALL && !(callee && returns_reference(callee)));
}

/* An access to memory or to a variable through an lvalue expression. */
static void visit_lvalue(walk *w, pl_node *node, int access) {
  if (is_part_of_value(node)) {
    visit_address(w, node);
    return;
  }
  visit_address(w, node);
  if (access == ACCESS_NONE || type_is_deref_array(node))
    return;
  if (is_volatile_access(node))
    emit_kind(w, PL_EFFECT_VOLATILE, node);
  pl_roots roots = {0};
  lvalue_roots(w, node, &roots);
  if (roots.n == 0)
    add_root(w->context->unit->arena, &roots, (pl_root){0});
  pl_node *bare = pl_node_bare(node);
  bool direct = bare->kind == PL_NODE_REF;
  bool whole = direct && w->conditional == 0;
  emit_access(w, &roots, node, access, direct, whole);
}

static bool is_member_function(const pl_node *call) {
  return call->nkids && call->kids[0] &&
         call->kids[0]->kind == PL_NODE_MEMBER;
}

/* Accesses behind a pointer argument. */
static void pointer_argument(walk *w, pl_node *arg, int access) {
  if (!arg)
    return;
  pl_roots roots = {0};
  value_roots(w, arg, &roots);
  if (roots.n == 0)
    add_root(w->context->unit->arena, &roots, (pl_root){0});
  emit_access(w, &roots, arg, access, false, false);
}

/* Accesses to the object that a reference argument names. */
static void reference_argument(walk *w, pl_node *arg, int access) {
  if (!arg)
    return;
  pl_roots roots = {0};
  lvalue_roots(w, arg, &roots);
  pl_node *bare = pl_node_bare(arg);
  bool direct = bare && bare->kind == PL_NODE_REF;
  emit_access(w, &roots, arg, access, direct,
              direct && !type_is_deref_array(arg) && w->conditional == 0);
}

/* An address that goes where it cannot be followed; whether there was one. */
static bool emit_escape(walk *w, pl_node *arg) {
  pl_roots roots = {0};
  value_roots(w, arg, &roots);
  for (size_t i = 0; i < roots.n; i++)
    emit(w, (pl_effect){.kind = PL_EFFECT_ESCAPE,
                        .root = roots.items[i],
                        .space = pl_root_space(roots.items[i]),
                        .node = arg});
  return roots.n > 0;
}

static void visit_arguments(walk *w, pl_node *call) {
  for (uint32_t i = 1; i < call->nkids; i++)
    visit(w, call->kids[i], ACCESS_READ);
}

/* A parameter that is a copy: what happens to it stays in the callee. */
static bool is_plain_value(const pl_type *type) {
  return type && (type->kind == PL_TYPE_BOOL || type->kind == PL_TYPE_INT ||
                  type->kind == PL_TYPE_FLOAT || type->kind == PL_TYPE_ENUM ||
                  type->kind == PL_TYPE_RECORD);
}

/* A number that a reference parameter is bound to, and no object that has a
 * name: `const int &last` given `rows - 1`. */
static bool is_temporary_number(pl_node *arg) {
  pl_node *bare = pl_node_bare(arg);
  if (!bare || !bare->type || bare->type->kind == PL_TYPE_RECORD ||
      !is_plain_value(bare->type))
    return false;
  return bare->kind == PL_NODE_INT || bare->kind == PL_NODE_FLOATING ||
         (bare->kind == PL_NODE_BINARY && bare->op != PL_OP_COMMA);
}

/* An effect on a member function's own object, as one on what it is called
 * on. */
static void map_this(walk *w, pl_node *call, pl_effect effect) {
  pl_roots roots = {0};
  object_roots(w, call, effect.root, &roots);
  if (roots.n == 0)
    add_root(w->context->unit->arena, &roots, (pl_root){0});
  for (size_t i = 0; i < roots.n; i++) {
    effect.root = roots.items[i];
    effect.space = pl_root_space(effect.root);
    effect.direct = effect.whole = false;
    emit(w, effect);
  }
}

/* A call of a function whose body is seen: its own effects, with arguments in
 * the place of parameters. */
static void visit_seen_call(walk *w, const pl_func *callee, pl_node *call) {
  for (uint32_t i = 1; i < call->nkids; i++) {
    bool by_reference = i - 1 < callee->nparams &&
                        is_reference(callee->params[i - 1]->type);
    if (by_reference)
      visit_address(w, call->kids[i]);
    else
      visit(w, call->kids[i], ACCESS_READ);
  }
  if (is_member_function(call))
    visit_address(w, call->kids[0]->kids[0]);
  summary *s = summarise(w->context, callee);
  if (s->busy) {
    emit_kind(w, PL_EFFECT_UNSEEN, call);
    return;
  }
  for (size_t i = 0; i < s->effects.n; i++) {
    pl_effect effect = s->effects.items[i];
    effect.node = call;
    effect.by_call = true;
    if (effect.root.decl && effect.root.decl->points_to_shared)
      effect.space = PL_SPACE_GLOBAL;
    int index = effect.root.decl ? param_index(callee, effect.root.decl) : -1;
    if (index >= 0 && !effect.root.member.n &&
        is_plain_value(callee->params[index]->type) &&
        (effect.direct || callee->params[index]->type->kind == PL_TYPE_RECORD ||
         callee->params[index]->type->kind == PL_TYPE_FLOAT))
      continue;
    if (index >= 0 && effect.root.member.n) {
      pl_node *passed = pl_node_bare(argument(call, index));
      bool named = passed && passed->kind == PL_NODE_REF;
      effect.root.decl = named ? passed->decl : NULL;
      effect.space = pl_root_space(effect.root);
      effect.direct = false;
      emit(w, effect);
      continue;
    }
    if (pl_root_is_this(effect.root)) {
      map_this(w, call, effect);
      continue;
    }
    if (index < 0) {
      effect.direct = false;
      if (effect.space != PL_SPACE_LOCAL || !effect.root.decl)
        emit(w, effect);
      continue;
    }
    const pl_type *type = callee->params[index]->type;
    if (!is_reference(type) && effect.direct)
      continue;
    pl_node *arg = argument(call, index);
    pl_roots roots = {0};
    if (is_reference(type) && effect.direct && is_temporary_number(arg))
      continue;
    argument_roots(w, callee, call, index, &roots);
    if (roots.n == 0)
      add_root(w->context->unit->arena, &roots, (pl_root){0});
    pl_node *bare = pl_node_bare(arg);
    for (size_t j = 0; j < roots.n; j++) {
      pl_effect mapped = effect;
      mapped.root = roots.items[j];
      mapped.space = pl_root_space(mapped.root);
      mapped.direct = is_reference(type) && effect.direct && bare &&
                      bare->kind == PL_NODE_REF;
      mapped.whole = mapped.direct && effect.whole && w->conditional == 0;
      emit(w, mapped);
    }
  }
}

/* Whether a lambda's copies are those of variables under their own names, and
 * stay as they are: no `[p = A + 1]`, and not `mutable`. What its body does is
 * then what it says. (Shared variables are never copied.) */
static bool keeps_names(const walk *w, const pl_node *lambda) {
  pl_str text = pl_unit_slice(w->context->unit, lambda->range);
  if (!lambda->range.end || !pl_str_starts(text, "["))
    return false;
  size_t close = 1;
  for (; close < text.n && text.p[close] != ']'; close++)
    if (text.p[close] == '(' || text.p[close] == '*' ||
        (text.p[close] == '=' && close > 1))
      return false;
  for (uint32_t i = 0; i < w->context->unit->ntokens; i++) {
    pl_range range = w->context->unit->tokens[i].range;
    if (range.begin < lambda->range.begin + close)
      continue;
    pl_str word = pl_unit_slice(w->context->unit, range);
    if (range.begin >= lambda->range.end || pl_str_is(word, "{"))
      break;
    if (pl_str_is(word, "mutable"))
      return false;
  }
  return true;
}

/* A call of a lambda that a local variable holds. */
static bool visit_lambda_call(walk *w, pl_node *call) {
  pl_node *callee = call->nkids ? pl_node_bare(call->kids[0]) : NULL;
  if (callee && callee->kind == PL_NODE_MEMBER)
    callee = pl_node_bare(callee->kids[0]);
  if (!callee || callee->kind != PL_NODE_REF || !callee->decl ||
      !callee->decl->init || w->depth > 4)
    return false;
  pl_node *lambda = pl_node_bare(callee->decl->init);
  if (!lambda || lambda->kind != PL_NODE_LAMBDA)
    return false;
  visit_arguments(w, call);
  if (!keeps_names(w, lambda))
    emit_kind(w, PL_EFFECT_UNSEEN, call);
  w->depth++;
  w->conditional++;
  for (uint32_t i = 0; i < lambda->nkids; i++)
    if (lambda->kids[i] && lambda->kids[i]->kind != PL_NODE_REF)
      visit(w, lambda->kids[i], ACCESS_READ);
  w->conditional--;
  w->depth--;
  return true;
}

/* Whether a value of this type can carry an address into a call. */
static bool may_carry_address(const pl_type *type) {
  type = no_reference(type);
  if (!type)
    return true;
  switch (type->kind) {
  case PL_TYPE_BOOL:
  case PL_TYPE_INT:
  case PL_TYPE_FLOAT:
  case PL_TYPE_ENUM:
    return false;
  case PL_TYPE_RECORD:
    return !type->is_trivially_copyable;
  default:
    return true;
  }
}

/* A function that returns nothing is called for what else it does. */
static bool gives_nothing(const pl_node *call) {
  return call->type && call->type->kind == PL_TYPE_VOID;
}

/* A call of something that is neither seen nor in the table. A function of the
 * toolkit (declared outside the main file) that gets values only is taken for
 * arithmetic; anything else is unseen, and what it is handed escapes. */
static void visit_unknown_call(walk *w, pl_node *call) {
  bool foreign = call->decl && !call->decl->in_main &&
                 (call->decl->kind == PL_DECL_FUNC ||
                  call->decl->kind == PL_DECL_METHOD ||
                  pl_str_starts(call->name, "__builtin_")) &&
                 !gives_nothing(call);
  bool addresses = false;
  for (uint32_t i = 1; i < call->nkids; i++) {
    pl_node *arg = call->kids[i];
    visit(w, arg, ACCESS_READ);
    if (!arg || !may_carry_address(arg->type) || arg->kind == PL_NODE_STRING)
      continue;
    if (arg->type && arg->type->kind == PL_TYPE_DEPENDENT && foreign)
      continue;
    addresses = emit_escape(w, arg) || addresses;
  }
  if (is_member_function(call))
    visit_address(w, call->kids[0]->kids[0]);
  bool arithmetic_name = pl_str_starts(call->name, "make_") ||
                         pl_str_starts(call->name, "__") ||
                         pl_str_is(call->name, "operator()");
  if (!foreign && !(call->decl == NULL && arithmetic_name))
    emit_kind(w, PL_EFFECT_UNSEEN, call);
  else if (addresses && foreign && !is_member_function(call))
    emit_kind(w, PL_EFFECT_UNSEEN, call);
}

static bool is_group_sync(const pl_node *call);

/* A barrier, or a half of one, of more than the block. */
static bool barrier_is_special(const pl_node *call) {
  bool waits = pl_str_is(call->name, "sync") ||
               pl_str_is(call->name, "barrier_arrive") ||
               pl_str_is(call->name, "barrier_wait");
  return waits && !is_group_sync(call) && call->decl &&
         (pl_str_has(call->decl->qualified, "grid") ||
          pl_str_has(call->decl->qualified, "cluster") ||
          pl_str_has(call->decl->qualified, "multi"));
}

/* Operations of cuda::atomic and cuda::atomic_ref. */
static bool is_atomic_member(const pl_node *call) {
  return is_member_function(call) && call->decl &&
         pl_str_has(call->decl->qualified, "atomic");
}

static bool is_async_member(const pl_node *call) {
  return call->decl && (pl_str_has(call->decl->qualified, "pipeline") ||
                        pl_str_has(call->decl->qualified, "cuda::barrier"));
}

static void visit_known_call(walk *w, pl_node *call, behaviour what) {
  switch (what) {
  case CALL_BARRIER:
    emit_kind(w, PL_EFFECT_BARRIER, call);
    return;
  case CALL_SPECIAL_BARRIER:
    visit_arguments(w, call);
    emit_kind(w, PL_EFFECT_SPECIAL_BARRIER, call);
    return;
  case CALL_WARP:
    visit_arguments(w, call);
    emit_kind(w, PL_EFFECT_WARP, call);
    return;
  case CALL_FENCE:
    visit_arguments(w, call);
    emit_kind(w, PL_EFFECT_FENCE, call);
    return;
  case CALL_ASYNC:
    visit_arguments(w, call);
    emit_kind(w, PL_EFFECT_ASYNC, call);
    return;
  case CALL_SIDE:
    visit_arguments(w, call);
    emit_kind(w, PL_EFFECT_SIDE, call);
    return;
  case CALL_ATOMIC: {
    visit_arguments(w, call);
    pl_roots roots = {0};
    value_roots(w, argument(call, 0), &roots);
    for (size_t i = 0; i < roots.n; i++)
      emit(w, (pl_effect){.kind = PL_EFFECT_ATOMIC,
                          .root = roots.items[i],
                          .space = pl_root_space(roots.items[i]),
                          .node = call});
    return;
  }
  case CALL_FRAGMENT_LOAD:
    visit_arguments(w, call);
    pointer_argument(w, argument(call, 1), ACCESS_READ);
    reference_argument(w, argument(call, 0), ACCESS_WRITE);
    return;
  case CALL_FRAGMENT_STORE:
    visit_arguments(w, call);
    reference_argument(w, argument(call, 1), ACCESS_READ);
    pointer_argument(w, argument(call, 0), ACCESS_WRITE);
    return;
  case CALL_FIRST_WRITTEN:
    for (uint32_t i = 2; i < call->nkids; i++)
      visit(w, call->kids[i], ACCESS_READ);
    visit_address(w, argument(call, 0));
    if (is_pointer_like(argument(call, 0) ? argument(call, 0)->type : NULL))
      pointer_argument(w, argument(call, 0), ACCESS_WRITE);
    else
      reference_argument(w, argument(call, 0), ACCESS_WRITE);
    return;
  case CALL_LATER_WRITTEN:
    visit(w, argument(call, 0), ACCESS_READ);
    for (uint32_t i = 2; i < call->nkids; i++)
      pointer_argument(w, call->kids[i], ACCESS_WRITE);
    return;
  case CALL_EXCHANGE:
    for (uint32_t i = 1; i < call->nkids; i++)
      reference_argument(w, call->kids[i], ACCESS_READ | ACCESS_WRITE);
    return;
  case CALL_COPY:
    visit_arguments(w, call);
    pointer_argument(w, argument(call, 1), ACCESS_READ);
    pointer_argument(w, argument(call, 0), ACCESS_WRITE);
    return;
  case CALL_LOAD:
    visit_arguments(w, call);
    pointer_argument(w, argument(call, 0), ACCESS_READ);
    return;
  case CALL_VOLATILE_LOAD:
    visit_arguments(w, call);
    emit_kind(w, PL_EFFECT_VOLATILE, call);
    pointer_argument(w, argument(call, 0), ACCESS_READ);
    return;
  case CALL_TEXTURE:
    visit_arguments(w, call);
    emit(w, (pl_effect){.kind = PL_EFFECT_READ,
                        .space = PL_SPACE_CONSTANT,
                        .root = {&texture_memory, {0}},
                        .node = call});
    return;
  case CALL_STORE:
    visit_arguments(w, call);
    pointer_argument(w, argument(call, 0), ACCESS_WRITE);
    return;
  case CALL_ESCAPE:
    visit_arguments(w, call);
    emit_escape(w, argument(call, 0));
    return;
  case CALL_ADDRESS:
  case CALL_VALUE:
    visit_arguments(w, call);
    return;
  case CALL_UNKNOWN:
    visit_unknown_call(w, call);
    return;
  }
}

/* A call in a template that overload resolution has yet to settle: what any of
 * the file's functions of that name and number of parameters does. */
static bool visit_overloads(walk *w, pl_node *call) {
  bool any = false;
  if (call->decl && !call->decl->in_main)
    return false;
  pl_str name = before_angle(call->name);
  for (uint32_t i = 0; name.n && i < w->context->unit->nfuncs; i++) {
    const pl_func *func = w->context->unit->funcs[i];
    if (!func->body || func->nparams + 1 != call->nkids ||
        !pl_str_eq(before_angle(func->name), name))
      continue;
    w->conditional++;
    visit_seen_call(w, func, call);
    w->conditional--;
    any = true;
  }
  return any;
}

/* A call that is a constant is made by the compiler. */
static void visit_call(walk *w, pl_node *call) {
  if (call->has_ival)
    return;
  const pl_func *callee = callee_of(call);
  if (callee) {
    visit_seen_call(w, callee, call);
    return;
  }
  if (visit_overloads(w, call))
    return;
  if (visit_lambda_call(w, call))
    return;
  if (is_group_sync(call)) {
    emit_kind(w, PL_EFFECT_BARRIER, call);
    return;
  }
  if (barrier_is_special(call)) {
    emit_kind(w, PL_EFFECT_SPECIAL_BARRIER, call);
    return;
  }
  if (is_atomic_member(call)) {
    visit_arguments(w, call);
    emit_kind(w, PL_EFFECT_FENCE, call);
    return;
  }
  if (is_async_member(call)) {
    visit_arguments(w, call);
    emit_kind(w, PL_EFFECT_ASYNC, call);
    return;
  }
  if (pl_str_is(call->name, "sync") || pl_str_starts(call->name, "shfl")) {
    visit_arguments(w, call);
    emit_kind(w, PL_EFFECT_WARP, call);
    return;
  }
  visit_known_call(w, call, behaviour_of(call));
}

static bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.';
}

/* Whether an instruction of the assembly begins with one of the words. */
static bool asm_has(pl_str text, const char *const *words) {
  for (; *words; words++) {
    size_t n = strlen(*words);
    for (size_t i = 1; i + n <= text.n; i++)
      if (memcmp(text.p + i, *words, n) == 0 && !is_word_byte(text.p[i - 1]))
        return true;
  }
  return false;
}

/* Inline assembly: what the text says it does. A read-only or arithmetic form
 * (mma, ldmatrix, cvt) reads what its address operands point into; anything
 * that stores, waits or orders is reported as such. */
static void visit_asm(walk *w, pl_node *node) {
  static const char *const async[] = {"cp.async", "mbarrier", "cp.reduce",
                                      NULL};
  static const char *const barrier[] = {"bar.", "barrier.", NULL};
  static const char *const fence[] = {"membar", "fence.", "ld.acquire",
                                      "ld.relaxed", NULL};
  static const char *const fresh[] = {"ld.volatile", "ld.mmio", NULL};
  static const char *const store[] = {"st.", "red.", "atom.", "stmatrix",
                                      NULL};
  static const char *const trap[] = {"trap", "brkpt", NULL};
  static const char *const remote[] = {"mapa", NULL};
  static const char *const leave[] = {"exit", "ret", "bra", "brx", "call",
                                      NULL};
  pl_str text = pl_unit_slice(w->context->unit, node->range);
  bool in_main = node->range.end > 0;
  if (in_main && asm_has(text, async))
    emit_kind(w, PL_EFFECT_ASYNC, node);
  if (in_main && asm_has(text, barrier))
    emit_kind(w, PL_EFFECT_SPECIAL_BARRIER, node);
  if (in_main && asm_has(text, fence))
    emit_kind(w, PL_EFFECT_FENCE, node);
  if (in_main && (asm_has(text, fresh) || pl_str_has(text, "ld.global.cv")))
    emit_kind(w, PL_EFFECT_VOLATILE, node);
  if (in_main && asm_has(text, trap))
    emit_kind(w, PL_EFFECT_SIDE, node);
  bool stores = !in_main || asm_has(text, store) || node->from_macro;
  bool clobbers = pl_str_has(text, "\"memory\"");
  bool leaves = in_main && asm_has(text, leave);
  if (stores || clobbers || leaves)
    emit_kind(w, PL_EFFECT_ASM, node);
  size_t outputs =
      in_main && !node->from_macro ? asm_outputs(text) : node->nkids;
  size_t operand = 0;
  for (uint32_t i = 0; i < node->nkids; i++) {
    pl_node *kid = node->kids[i];
    if (!kid || kid->kind == PL_NODE_STRING)
      continue;
    visit(w, kid, ACCESS_READ);
    if (in_main && asm_has(text, remote))
      emit_escape(w, kid);
    if (operand++ < outputs)
      reference_argument(w, kid, ACCESS_WRITE);
    pl_roots addresses = {0};
    value_roots(w, kid, &addresses);
    for (size_t j = 0; j < addresses.n; j++) {
      pl_root root = addresses.items[j];
      if (!root.decl || pl_root_space(root) == PL_SPACE_LOCAL)
        continue;
      emit_access(w, &(pl_roots){&root, 1, 1}, kid,
                  stores ? ACCESS_READ | ACCESS_WRITE : ACCESS_READ, false,
                  false);
    }
  }
}

static void visit_kids(walk *w, pl_node *node) {
  for (uint32_t i = 0; i < node->nkids; i++)
    visit(w, node->kids[i], ACCESS_READ);
}

static void visit_branch(walk *w, pl_node *node) {
  w->conditional++;
  visit(w, node, ACCESS_READ);
  w->conditional--;
}

/* A variable whose constructor or destructor may do anything: its type is a
 * record of the file itself, and not trivially copyable. */
static bool is_user_object(const pl_decl *decl) {
  const pl_type *type = decl ? decl->type : NULL;
  while (type && type->kind == PL_TYPE_ARRAY)
    type = type->element;
  return type && type->kind == PL_TYPE_RECORD && !type->is_trivially_copyable &&
         !pl_str_has(type->spelling, "::") &&
         !pl_str_starts(type->spelling, "__");
}

/* A capture whose copy may run code of the user's. */
static bool captures_object(const pl_node *lambda) {
  for (uint32_t i = 0; i < lambda->nkids; i++) {
    const pl_node *kid = lambda->kids[i];
    const pl_type *type =
        kid && kid->kind == PL_NODE_REF ? no_reference(kid->type) : NULL;
    if (type && type->kind != PL_TYPE_POINTER && type->kind != PL_TYPE_ARRAY &&
        !is_plain_value(type))
      return true;
    if (type && type->kind == PL_TYPE_RECORD && !type->is_trivially_copyable)
      return true;
  }
  return false;
}

/* A variable that holds a lambda which keeps references, `[&]`, or copies of
 * plain values: making it runs no code, and calls of it are followed. */
static bool is_plain_lambda(const walk *w, const pl_node *node) {
  const pl_node *value = node->nkids ? pl_node_bare(node->kids[0]) : NULL;
  if (!value || value->kind != PL_NODE_LAMBDA || !value->range.end)
    return false;
  pl_str text = pl_unit_slice(w->context->unit, value->range);
  return pl_str_starts(text, "[&]") || pl_str_starts(text, "[]") ||
         (keeps_names(w, value) && !captures_object(value));
}

static void visit_var(walk *w, pl_node *node) {
  pl_decl *decl = node->decl;
  if (decl)
    for (uint32_t i = 0; i < decl->ndims; i++)
      visit(w, decl->dims[i], ACCESS_READ);
  if (!node->nkids || !node->kids[0])
    return;
  if (pl_node_bare(node->kids[0])->kind == PL_NODE_LAMBDA)
    return;
  if (decl && is_reference(decl->type)) {
    visit_address(w, node->kids[0]);
    return;
  }
  visit(w, node->kids[0], ACCESS_READ);
  if (decl)
    emit(w, (pl_effect){.kind = PL_EFFECT_WRITE,
                        .space = decl->is_shared ? PL_SPACE_SHARED
                                                 : PL_SPACE_LOCAL,
                        .root = {decl, {0}},
                        .direct = true,
                        .whole = w->conditional == 0,
                        .node = node});
}

/* What a call that gives back a reference names, when its value is read. */
static void read_referred(walk *w, pl_node *call, int access) {
  const pl_func *callee = callee_of(call);
  if (!(access & ACCESS_READ) || !callee || !returns_reference(callee))
    return;
  pl_roots roots = {0};
  call_roots(w, call, &roots);
  if (roots.n == 0)
    add_root(w->context->unit->arena, &roots, (pl_root){0});
  emit_access(w, &roots, call, ACCESS_READ, false, false);
}

/* One node; `access` says what the surrounding expression does with the value
 * that it names. */
static void visit(walk *w, pl_node *node, int access) {
  if (!node)
    return;
  switch (node->kind) {
  case PL_NODE_REF:
  case PL_NODE_SUBSCRIPT:
  case PL_NODE_MEMBER:
    if (node->kind == PL_NODE_REF && !node->decl &&
        pl_str_has(node->name, "::"))
      return;
    if (node->decl && (node->decl->kind == PL_DECL_FUNC ||
                       node->decl->kind == PL_DECL_METHOD ||
                       node->decl->kind == PL_DECL_TEMPLATE_VALUE ||
                       node->decl->kind == PL_DECL_ENUM_CONSTANT))
      return;
    visit_lvalue(w, node, access);
    return;
  case PL_NODE_PAREN:
    visit(w, node->nkids ? node->kids[0] : NULL, access);
    return;
  case PL_NODE_CAST:
    if (node->type && node->type->kind == PL_TYPE_REFERENCE)
      visit_lvalue(w, node, access);
    else
      visit(w, node->nkids ? node->kids[0] : NULL, ACCESS_READ);
    return;
  case PL_NODE_UNARY:
    if (node->op == PL_OP_ADDR)
      visit_address(w, node->kids[0]);
    else if (node->op == PL_OP_DEREF)
      visit_lvalue(w, node, access);
    else if (node->op == PL_OP_PREINC || node->op == PL_OP_POSTINC ||
             node->op == PL_OP_PREDEC || node->op == PL_OP_POSTDEC)
      visit_lvalue(w, node->kids[0], ACCESS_READ | ACCESS_WRITE);
    else
      visit_kids(w, node);
    return;
  case PL_NODE_ASSIGN:
    visit(w, node->kids[1], ACCESS_READ);
    visit_lvalue(w, node->kids[0],
                 node->op == PL_OP_ASSIGN ? ACCESS_WRITE
                                          : ACCESS_READ | ACCESS_WRITE);
    return;
  case PL_NODE_BINARY:
    visit(w, node->kids[0], ACCESS_READ);
    if (node->op == PL_OP_LAND || node->op == PL_OP_LOR)
      visit_branch(w, node->kids[1]);
    else
      visit(w, node->kids[1], ACCESS_READ);
    return;
  case PL_NODE_COND:
    visit(w, node->kids[0], ACCESS_READ);
    visit_branch(w, node->kids[1]);
    visit_branch(w, node->kids[2]);
    return;
  case PL_NODE_CALL:
    visit_call(w, node);
    read_referred(w, node, access);
    return;
  case PL_NODE_RETURN:
    if (w->depth == 0 && w->func && returns_reference(w->func) && node->nkids)
      visit_address(w, node->kids[0]);
    else
      visit_kids(w, node);
    return;
  case PL_NODE_CONSTRUCT:
    visit_kids(w, node);
    if (node->decl && node->decl->in_main)
      emit_kind(w, PL_EFFECT_UNSEEN, node);
    return;
  case PL_NODE_VAR:
    visit_var(w, node);
    if (is_user_object(node->decl) && !is_plain_lambda(w, node))
      emit_kind(w, PL_EFFECT_UNSEEN, node);
    return;
  case PL_NODE_ASM:
    visit_asm(w, node);
    return;
  case PL_NODE_IF:
    visit(w, node->kids[0], ACCESS_READ);
    visit_branch(w, node->kids[1]);
    visit_branch(w, node->nkids > 2 ? node->kids[2] : NULL);
    return;
  case PL_NODE_FOR:
    visit(w, node->kids[0], ACCESS_READ);
    visit(w, node->kids[1], ACCESS_READ);
    visit_branch(w, node->kids[3]);
    visit_branch(w, node->kids[2]);
    return;
  case PL_NODE_WHILE:
    visit(w, node->kids[0], ACCESS_READ);
    visit_branch(w, node->kids[1]);
    return;
  case PL_NODE_RANGE_FOR:
    emit_kind(w, PL_EFFECT_UNSEEN, node);
    return;
  case PL_NODE_DO:
  case PL_NODE_SWITCH:
    w->conditional++;
    visit_kids(w, node);
    w->conditional--;
    return;
  case PL_NODE_SIZEOF:
  case PL_NODE_INT:
  case PL_NODE_FLOATING:
  case PL_NODE_STRING:
  case PL_NODE_LAMBDA:
    return;
  case PL_NODE_LAUNCH:
    emit_kind(w, PL_EFFECT_UNSEEN, node);
    return;
  default:
    visit_kids(w, node);
  }
}

static bool returns_reference(const pl_func *func) {
  const pl_type *type = func->decl ? func->decl->type : NULL;
  for (size_t i = 0; type && i < type->spelling.n; i++) {
    if (type->spelling.p[i] == '(')
      return false;
    if (type->spelling.p[i] == '&')
      return true;
  }
  return false;
}

/* Collects what `return` statements give back. */
static bool gather_returns(pl_node *node, void *context) {
  gather *g = context;
  if (node->kind == PL_NODE_LAMBDA)
    return false;
  if (node->kind == PL_NODE_RETURN && node->nkids && node->kids[0]) {
    if (returns_reference(g->w->func))
      lvalue_roots(g->w, node->kids[0], g->roots);
    else
      value_roots(g->w, node->kids[0], g->roots);
  }
  return true;
}

static summary *summarise(pl_effect_context *context, const pl_func *func) {
  summary *s = NULL;
  for (size_t i = 0; i < context->nsummaries && !s; i++)
    if (context->summaries[i].func == func)
      s = &context->summaries[i];
  if (s->done || s->busy)
    return s;
  s->busy = true;
  walk w = {.context = context, .func = func, .out = &s->effects};
  visit(&w, func->body, ACCESS_READ);
  gather g = {&w, NULL, &s->returned};
  pl_node_walk(func->body, gather_returns, &g);
  s->busy = false;
  s->done = true;
  return s;
}

void pl_effects_of(pl_effect_context *context, const pl_func *func,
                   pl_node *node, pl_effects *effects) {
  walk w = {.context = context, .func = func, .out = effects};
  visit(&w, node, ACCESS_READ);
}

void pl_roots_of(pl_effect_context *context, const pl_func *func,
                 pl_node *node, pl_roots *roots) {
  pl_effects scratch = {0};
  walk w = {.context = context, .func = func, .out = &scratch};
  value_roots(&w, node, roots);
}

/* ---- barriers ----------------------------------------------------------- */

static bool type_is_thread_block(const pl_type *type) {
  type = no_reference(type);
  return type && pl_str_has(type->spelling, "thread_block") &&
         !pl_str_has(type->spelling, "tile");
}

/* `block.sync()`, `cg::sync(block)`, `cg::this_thread_block().sync()`. */
static bool is_group_sync(const pl_node *call) {
  if (call->kind != PL_NODE_CALL || !pl_str_is(call->name, "sync"))
    return false;
  if (is_member_function(call))
    return type_is_thread_block(call->kids[0]->kids[0]->type);
  return call->nkids == 2 && call->kids[1] &&
         type_is_thread_block(call->kids[1]->type);
}

static bool is_barrier_call(const pl_node *node, int depth) {
  if (!node || node->kind != PL_NODE_CALL || depth > 4)
    return false;
  if (is_group_sync(node))
    return true;
  const pl_func *callee = callee_of(node);
  if (!callee)
    return behaviour_of(node) == CALL_BARRIER;
  return callee->body->nkids == 1 &&
         is_barrier_call(callee->body->kids[0], depth + 1);
}

bool pl_is_barrier(const pl_node *statement) {
  return is_barrier_call(statement, 0);
}

pl_str pl_callee_name(const pl_node *call) {
  const pl_node *object = call->kind == PL_NODE_CALL && is_member_function(call)
                              ? pl_node_bare(call->kids[0]->kids[0])
                              : NULL;
  if (pl_str_is(call->name, "operator()") && object &&
      object->kind == PL_NODE_REF)
    return object->name;
  return call->name.n ? call->name : PL_STR("this call");
}

const pl_effect *pl_effects_find(const pl_effects *effects,
                                 pl_effect_kind kind) {
  for (size_t i = 0; i < effects->n; i++)
    if (effects->items[i].kind == kind)
      return &effects->items[i];
  return NULL;
}

bool pl_mentions(const pl_node *node, const pl_decl *decl) {
  if (!node)
    return false;
  if (node->kind == PL_NODE_REF && node->decl == decl)
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (pl_mentions(node->kids[i], decl))
      return true;
  return false;
}
