/* effects_visit.c - what does a statement do to memory?
 *
 * Needs: roots; effects of calls and of inline assembly. Gives: the effects
 * of a node and all below it, in the order of evaluation. Raises: nothing. */
#include "call_summary.h"
#include "effects_parts.h"

/* More than any kernel's own helpers do. */
#define MANY_EFFECTS 1000

void pl_emit_effect(pl_walk *w, pl_effect effect) {
  PL_PUSH(w->context->unit->arena, w->out->items, w->out->n, w->out->cap,
          effect);
}

void pl_emit_kind(pl_walk *w, pl_effect_kind kind, pl_node *node) {
  pl_emit_effect(w, (pl_effect){.kind = kind, .node = node});
}

static bool is_same_effect(const pl_effect *a, const pl_effect *b) {
  return a->kind == b->kind && a->space == b->space &&
         pl_root_eq(a->root, b->root) && a->direct == b->direct &&
         a->whole == b->whole && a->node == b->node &&
         a->by_call == b->by_call && a->given_back == b->given_back;
}

bool pl_has_effect(const pl_effects *effects, const pl_effect *effect) {
  for (size_t i = 0; i < effects->n; i++)
    if (is_same_effect(&effects->items[i], effect))
      return true;
  return false;
}

/* Leaves out, of what stands from `first` on, what stands there before. */
static void drop_same(pl_effects *effects, size_t first) {
  size_t kept = first;
  for (size_t i = first; i < effects->n; i++) {
    size_t k = first;
    while (k < kept && !is_same_effect(&effects->items[k], &effects->items[i]))
      k++;
    if (k == kept)
      effects->items[kept++] = effects->items[i];
  }
  effects->n = kept;
}

static bool is_barrier(const pl_effect *effect) {
  return effect->kind == PL_EFFECT_BARRIER;
}

/* ... and of each part between two barriers, what stands in that part. Gives how
 * many barriers are left. */
static size_t drop_same_between(pl_effects *effects, size_t first) {
  size_t end = effects->n, nbarriers = 0;
  effects->n = first;
  for (size_t i = first, since = first; i < end; i++) {
    size_t k = since;
    while (k < effects->n &&
           !is_same_effect(&effects->items[k], &effects->items[i]))
      k++;
    if (k == effects->n)
      effects->items[effects->n++] = effects->items[i];
    if (!is_barrier(&effects->items[i]))
      continue;
    since = effects->n;
    nbarriers++;
  }
  return nbarriers;
}

/* Of parts between barriers that are too many to be told apart, any may come
 * before the first barrier, and any behind the last: all, a barrier, and all once
 * more stands for them. */
static void join_parts(pl_walk *w, size_t first) {
  pl_effects *effects = w->out;
  pl_effect barrier = {0};
  size_t end = effects->n;
  effects->n = first;
  for (size_t i = first; i < end; i++)
    if (is_barrier(&effects->items[i]))
      barrier = effects->items[i];
    else
      effects->items[effects->n++] = effects->items[i];
  drop_same(effects, first);
  size_t n = effects->n;
  pl_emit_effect(w, barrier);
  for (size_t i = first; i < n; i++)
    pl_emit_effect(w, effects->items[i]);
}

/* Where functions call each other many levels deep, as in header libraries, what
 * each says of its callees multiplies: of a call that says so much, what it says
 * again is left out. Behind a barrier it is not the same, unless the barriers
 * multiply too. */
void pl_drop_repeats(pl_walk *w, size_t first) {
  if (w->out->n - first < MANY_EFFECTS)
    return;
  if (drop_same_between(w->out, first) > 1 &&
      w->out->n - first >= MANY_EFFECTS)
    join_parts(w, first);
}

/* Accesses to every object in `roots`. */
void pl_emit_access(pl_walk *w, const pl_roots *roots, pl_node *node,
                    int access, bool direct, bool whole) {
  for (size_t i = 0; i < roots->n; i++) {
    pl_effect effect = {.space = pl_access_space(roots->items[i], direct),
                        .root = roots->items[i],
                        .direct = direct,
                        .whole = whole,
                        .node = node};
    if (roots->items[i].decl && roots->items[i].decl->is_volatile)
      pl_emit_kind(w, PL_EFFECT_VOLATILE, node);
    if (access & ACCESS_READ) {
      effect.kind = PL_EFFECT_READ;
      pl_emit_effect(w, effect);
    }
    if (access & ACCESS_WRITE) {
      effect.kind = PL_EFFECT_WRITE;
      pl_emit_effect(w, effect);
    }
  }
}

/* A place that another name than a variable's stands for, or a record with a member, may
 * be volatile by its type alone. */
static bool has_volatile_type(const pl_node *node) {
  const pl_type *type = pl_no_reference(node->type);
  return type && (type->is_volatile || type->has_volatile);
}

static bool is_volatile_access(const pl_node *node) {
  if (has_volatile_type(node))
    return true;
  for (const pl_node *at = node; at; at = at->nkids ? at->kids[0] : NULL) {
    const pl_type *type = pl_no_reference(at->type);
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
void pl_visit_address(pl_walk *w, pl_node *node) {
  node = pl_node_bare(node);
  if (!node)
    return;
  switch (node->kind) {
  case PL_NODE_REF:
    return;
  case PL_NODE_SUBSCRIPT:
    if (pl_type_is_deref_array(node->kids[0]) ||
        (pl_node_bare(node->kids[0]) &&
         pl_type_is_deref_array(pl_node_bare(node->kids[0]))))
      pl_visit_address(w, node->kids[0]);
    else
      pl_visit_node(w, node->kids[0], ACCESS_READ);
    pl_visit_node(w, node->kids[1], ACCESS_READ);
    return;
  case PL_NODE_MEMBER:
    if (node->is_arrow)
      pl_visit_node(w, node->kids[0], ACCESS_READ);
    else
      pl_visit_address(w, node->kids[0]);
    return;
  case PL_NODE_UNARY:
    if (node->op == PL_OP_DEREF) {
      pl_visit_node(w, node->kids[0], ACCESS_READ);
      return;
    }
    pl_visit_node(w, node, ACCESS_NONE);
    return;
  case PL_NODE_CAST:
    if (pl_is_reference(node->type))
      pl_visit_address(w, node->kids[0]);
    else
      pl_visit_node(w, node, ACCESS_READ);
    return;
  default:
    pl_visit_node(w, node, ACCESS_NONE);
  }
}

/* `f().x`: a part of a value that a call gives back is no memory. */
static bool is_part_of_value(pl_node *node) {
  pl_node *at = pl_node_bare(node);
  while (at && at->kind == PL_NODE_MEMBER && !at->is_arrow && at->nkids &&
         !(at->decl && pl_is_reference(at->decl->type)))
    at = pl_node_bare(at->kids[0]);
  if (!at || at == pl_node_bare(node) || !at->type ||
      at->type->kind != PL_TYPE_RECORD)
    return false;
  const pl_func *callee = at->kind == PL_NODE_CALL ? pl_callee_of(at) : NULL;
  return at->kind == PL_NODE_CONSTRUCT ||
         (at->kind == PL_NODE_CALL &&
          !(callee && pl_returns_reference(callee)));
}

/* Whether an lvalue is a variable as a whole, under its own name or that of a
 * reference; a reference may be bound to a cell of memory as well, that of a
 * lambda's caller, too. */
bool pl_is_variable(const pl_walk *w, pl_node *node) {
  pl_node *bare = pl_node_bare(node);
  while (bare && bare->kind == PL_NODE_REF) {
    const pl_decl *decl = bare->decl;
    if (decl && pl_is_reference(decl->type) && pl_is_lambda_parameter(w, decl))
      return false;
    if (!decl || decl->kind != PL_DECL_VAR || !decl->owner ||
        !pl_is_reference(decl->type) || !decl->init)
      return true;
    const pl_node *name = bare;
    bare = pl_node_bare(decl->init);
    if (bare && bare->decl == name->decl)
      return false;
  }
  return false;
}

/* An access to memory or to a variable through an lvalue expression. */
static void visit_lvalue(pl_walk *w, pl_node *node, int access) {
  if (is_part_of_value(node)) {
    pl_visit_address(w, node);
    return;
  }
  pl_visit_address(w, node);
  if (access == ACCESS_NONE || pl_type_is_deref_array(node))
    return;
  if (is_volatile_access(node))
    pl_emit_kind(w, PL_EFFECT_VOLATILE, node);
  if (pl_is_atomic_object(node->type))
    pl_emit_kind(w, PL_EFFECT_FENCE, node);
  pl_roots roots = {0};
  pl_lvalue_roots(w, node, &roots);
  bool direct = pl_is_variable(w, node);
  bool whole = direct && w->conditional == 0;
  pl_emit_access(w, &roots, node, access, direct, whole);
}

static void visit_kids(pl_walk *w, pl_node *node) {
  for (uint32_t i = 0; i < node->nkids; i++)
    pl_visit_node(w, node->kids[i], ACCESS_READ);
}

/* A value that becomes one of another type; NULL: that of a question. */
static void visit_converted(pl_walk *w, pl_node *value, const pl_type *to) {
  pl_visit_node(w, value, ACCESS_READ);
  if (pl_conversion_is_unseen(w, value, to))
    pl_emit_kind(w, PL_EFFECT_UNSEEN, value);
}

static void visit_branch(pl_walk *w, pl_node *node) {
  w->conditional++;
  pl_visit_node(w, node, ACCESS_READ);
  w->conditional--;
}

static const pl_type *innermost(const pl_type *type) {
  while (type && type->kind == PL_TYPE_ARRAY)
    type = type->element;
  return type;
}

/* Whether all that begins a variable is what its initialiser shows: a constructor that
 * sets the members, which is looked at there, or a value that is copied as it is. */
static bool begins_as_shown(const pl_decl *decl) {
  const pl_type *type = decl->type;
  const pl_node *init = decl->init;
  if (!init || !type->holds_plainly || !pl_same_type(pl_no_reference(init->type), type))
    return false;
  switch (init->kind) {
  case PL_NODE_CALL:
  case PL_NODE_REF:
  case PL_NODE_MEMBER:
  case PL_NODE_SUBSCRIPT:
    return true;
  default:
    return init->kind == PL_NODE_CONSTRUCT && init->decl &&
           init->decl->sets_members_alone;
  }
}

/* A variable whose constructor or destructor may do anything: its type is a
 * record of the user's that is no plain one. */
static bool is_user_object(const pl_decl *decl) {
  const pl_type *type = innermost(decl ? decl->type : NULL);
  if (!type || !type->is_user)
    return false;
  if (type->begins_by_code || type->runs_code)
    return true;
  return type->kind == PL_TYPE_RECORD
             ? !type->is_trivially_copyable && !begins_as_shown(decl)
             : type->has_constructors;
}

/* Whether what a constructor calls computes values of its arguments alone. */
static bool only_computes(pl_walk *w, const pl_decl *constructor) {
  pl_effects effects = {0};
  for (uint32_t i = 0; i < constructor->ncalls; i++)
    pl_effects_of(w->context, w->func, constructor->calls[i], &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind != PL_EFFECT_READ ||
        effects.items[i].space != PL_SPACE_LOCAL)
      return false;
  return true;
}

/* `R()`, `R{}`: where no constructor of the user's makes it, those of its members and
 * bases do, which nothing names. */
static bool is_begun_silently(const pl_node *node, const pl_type *type) {
  bool implicit =
      node->kind == PL_NODE_INIT_LIST ||
      (node->kind == PL_NODE_CONSTRUCT && !node->nkids &&
       !(node->decl && node->decl->is_user && !node->decl->is_defaulted));
  return implicit && type && type->kind == PL_TYPE_RECORD && type->is_user &&
         !type->is_trivially_copyable;
}

/* A value whose making or whose end, with the statement, runs the user's code, and
 * more of it than computes the value. */
static bool is_made_by_code(pl_walk *w, const pl_node *node) {
  const pl_type *type = innermost(node->type);
  bool begins = node->kind == PL_NODE_CONSTRUCT || node->kind == PL_NODE_CAST ||
                node->kind == PL_NODE_INIT_LIST;
  bool plain = type && type->holds_plainly && node->decl &&
               node->decl->sets_members_alone && only_computes(w, node->decl);
  return (type && (type->runs_code || (begins && type->begins_by_code))) ||
         is_begun_silently(node, type) ||
         (node->kind == PL_NODE_CONSTRUCT && node->decl && !plain &&
          node->decl->is_user && !node->decl->is_defaulted);
}

/* A capture whose copy may run code of the user's. */
static bool captures_object(const pl_node *lambda) {
  for (uint32_t i = 0; i < lambda->nkids; i++) {
    const pl_node *kid = lambda->kids[i];
    const pl_type *type =
        kid && kid->kind == PL_NODE_REF ? pl_no_reference(kid->type) : NULL;
    if (type && type->kind != PL_TYPE_POINTER && type->kind != PL_TYPE_ARRAY &&
        !pl_is_plain_value(type))
      return true;
    if (type && type->kind == PL_TYPE_RECORD && !type->is_trivially_copyable)
      return true;
  }
  return false;
}

/* A variable that holds a lambda which keeps references, `[&]`, or copies of
 * plain values: making it runs no code, and calls of it are followed. */
static bool is_plain_lambda(const pl_walk *w, const pl_node *node) {
  const pl_node *value = node->nkids ? pl_node_bare(node->kids[0]) : NULL;
  if (!value || value->kind != PL_NODE_LAMBDA || !value->range.end)
    return false;
  pl_str text = pl_unit_slice(w->context->unit, value->range);
  return pl_str_starts(text, "[&]") || pl_str_starts(text, "[]") ||
         (pl_keeps_names(w, value) && !captures_object(value));
}

static void visit_var(pl_walk *w, pl_node *node) {
  pl_decl *decl = node->decl;
  if (decl)
    for (uint32_t i = 0; i < decl->ndims; i++)
      pl_visit_node(w, decl->dims[i], ACCESS_READ);
  if (!node->nkids || !node->kids[0])
    return;
  const pl_node *lambda = pl_node_bare(node->kids[0]);
  if (lambda->kind == PL_NODE_LAMBDA) {
    for (uint32_t i = 0; i < lambda->nkids; i++)
      if (lambda->kids[i]->kind == PL_NODE_VAR)
        pl_visit_node(w, lambda->kids[i], ACCESS_READ);
    return;
  }
  if (decl && pl_is_reference(decl->type)) {
    pl_visit_address(w, node->kids[0]);
    if (pl_conversion_is_unseen(w, node->kids[0], decl->type))
      pl_emit_kind(w, PL_EFFECT_UNSEEN, node);
    return;
  }
  visit_converted(w, node->kids[0], decl ? decl->type : NULL);
  if (decl)
    pl_emit_effect(w, (pl_effect){.kind = PL_EFFECT_WRITE,
                                  .space = decl->is_shared ? PL_SPACE_SHARED
                                                           : PL_SPACE_LOCAL,
                                  .root = {decl, {0}},
                                  .direct = true,
                                  .whole = w->conditional == 0,
                                  .node = node});
}

/* What a call that gives back a reference names, when its value is read. */
static void read_referred(pl_walk *w, pl_node *call, int access) {
  const pl_func *callee = pl_callee_of(call);
  if (!(access & ACCESS_READ) || !callee || !pl_returns_reference(callee))
    return;
  pl_roots roots = {0};
  pl_lvalue_roots(w, call, &roots);
  pl_emit_access(w, &roots, call, ACCESS_READ, false, false);
}

/* What a function gives back; where a value's type is not that of the function,
 * as clang writes both, it becomes another. */
static void visit_returned(pl_walk *w, pl_node *value) {
  const pl_type *type = w->func && w->func->decl ? w->func->decl->type : NULL;
  const pl_type *from = value ? pl_no_reference(value->type) : NULL;
  bool same = !type || !from || w->entered ||
              (pl_str_starts(type->spelling, "type-parameter") &&
               from->kind == PL_TYPE_DEPENDENT);
  if (same)
    pl_visit_node(w, value, ACCESS_READ);
  else
    visit_converted(w, value, NULL);
}

/* `get()`, `const_cast<T &>(x)`, `o.*m`: a place, where its type is that of one (a value
 * has none of its own qualifiers). */
static bool names_place(const pl_node *node) {
  return node->kind == PL_NODE_CALL || node->kind == PL_NODE_CAST ||
         (node->kind == PL_NODE_BINARY && node->op == PL_OP_OTHER);
}

static bool is_operator(const pl_node *node) {
  return node->kind == PL_NODE_BINARY || node->kind == PL_NODE_UNARY ||
         node->kind == PL_NODE_ASSIGN || node->kind == PL_NODE_SUBSCRIPT;
}

/* One node; `access` says what the surrounding expression does with the value
 * that it names. */
void pl_visit_node(pl_walk *w, pl_node *node, int access) {
  if (!node)
    return;
  if ((is_operator(node) && pl_operator_is_unseen(w, node)) ||
      pl_arrow_is_unseen(w, node))
    pl_emit_kind(w, PL_EFFECT_UNSEEN, node);
  if (access != ACCESS_NONE && names_place(node) && has_volatile_type(node))
    pl_emit_kind(w, PL_EFFECT_VOLATILE, node);
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
    pl_visit_node(w, node->nkids ? node->kids[0] : NULL, access);
    return;
  case PL_NODE_CAST:
    if (node->type && node->type->kind == PL_TYPE_REFERENCE)
      visit_lvalue(w, node, access);
    else
      visit_converted(w, node->nkids ? node->kids[0] : NULL, node->type);
    if (is_made_by_code(w, node))
      pl_emit_kind(w, PL_EFFECT_UNSEEN, node);
    return;
  case PL_NODE_UNARY:
    if (node->op == PL_OP_ADDR)
      pl_visit_address(w, node->kids[0]);
    else if (node->op == PL_OP_DEREF)
      visit_lvalue(w, node, access);
    else if (pl_node_is_step(node))
      visit_lvalue(w, node->kids[0], ACCESS_READ | ACCESS_WRITE);
    else
      visit_kids(w, node);
    return;
  case PL_NODE_ASSIGN:
    pl_visit_node(w, node->kids[1], ACCESS_READ);
    visit_lvalue(w, node->kids[0],
                 node->op == PL_OP_ASSIGN ? ACCESS_WRITE
                                          : ACCESS_READ | ACCESS_WRITE);
    return;
  case PL_NODE_BINARY:
    pl_visit_node(w, node->kids[0], ACCESS_READ);
    if (node->op == PL_OP_LAND || node->op == PL_OP_LOR)
      visit_branch(w, node->kids[1]);
    else
      pl_visit_node(w, node->kids[1], ACCESS_READ);
    return;
  case PL_NODE_COND:
    visit_converted(w, node->kids[0], NULL);
    visit_branch(w, node->kids[1]);
    visit_branch(w, node->kids[2]);
    return;
  case PL_NODE_CALL:
    pl_visit_call(w, node);
    read_referred(w, node, access);
    if (is_made_by_code(w, node))
      pl_emit_kind(w, PL_EFFECT_UNSEEN, node);
    return;
  case PL_NODE_RETURN:
    if (!w->entered && w->func && pl_returns_reference(w->func) &&
        node->nkids)
      pl_visit_address(w, node->kids[0]);
    else
      visit_returned(w, node->nkids ? node->kids[0] : NULL);
    return;
  case PL_NODE_INIT_LIST:
  case PL_NODE_CONSTRUCT:
    for (uint32_t i = 0; i < node->nkids; i++)
      visit_converted(w, node->kids[i], node->type);
    if (is_made_by_code(w, node))
      pl_emit_kind(w, PL_EFFECT_UNSEEN, node);
    return;
  case PL_NODE_VAR:
    visit_var(w, node);
    if (is_user_object(node->decl) && !is_plain_lambda(w, node))
      pl_emit_kind(w, PL_EFFECT_UNSEEN, node);
    return;
  case PL_NODE_ASM:
    pl_visit_asm(w, node);
    return;
  case PL_NODE_IF:
    visit_converted(w, node->kids[0], NULL);
    visit_branch(w, node->kids[1]);
    visit_branch(w, node->nkids > 2 ? node->kids[2] : NULL);
    return;
  case PL_NODE_FOR:
    pl_visit_node(w, node->kids[0], ACCESS_READ);
    pl_visit_node(w, node->kids[1], ACCESS_READ);
    visit_branch(w, node->kids[3]);
    visit_branch(w, node->kids[2]);
    return;
  case PL_NODE_WHILE:
    visit_converted(w, node->kids[0], NULL);
    visit_branch(w, node->kids[1]);
    return;
  case PL_NODE_RANGE_FOR:
    if (!pl_node_is_array_range(node)) {
      w->conditional++;
      visit_kids(w, node);
      w->conditional--;
      pl_emit_kind(w, PL_EFFECT_UNSEEN, node);
      return;
    }
    pl_visit_address(w, node->kids[1]);
    visit_branch(w, node->kids[0]);
    visit_branch(w, node->kids[2]);
    return;
  case PL_NODE_DO:
  case PL_NODE_SWITCH: {
    size_t first = w->out->n;
    w->conditional++;
    visit_kids(w, node);
    w->conditional--;
    if (node->kind == PL_NODE_DO)
      pl_settle_retry(w, node, first);
    return;
  }
  case PL_NODE_SIZEOF:
  case PL_NODE_INT:
  case PL_NODE_FLOATING:
  case PL_NODE_STRING:
  case PL_NODE_LAMBDA:
    return;
  case PL_NODE_OTHER_DECL:
    if (!node->ival)
      pl_emit_kind(w, PL_EFFECT_UNSEEN, node);
    return;
  case PL_NODE_COMPOUND:
  case PL_NODE_DECL_STMT:
  case PL_NODE_CASE:
  case PL_NODE_LABEL:
  case PL_NODE_BREAK:
  case PL_NODE_CONTINUE:
  case PL_NODE_GOTO:
  case PL_NODE_EMPTY:
  case PL_NODE_THIS:
    visit_kids(w, node);
    return;
  case PL_NODE_UNKNOWN:
    w->conditional++;
    visit_kids(w, node);
    w->conditional--;
    if (!pl_is_its_parts(w->context->unit, node))
      pl_emit_kind(w, PL_EFFECT_UNSEEN, node);
    return;
  case PL_NODE_LAUNCH:
  default:
    visit_kids(w, node);
    pl_emit_kind(w, PL_EFFECT_UNSEEN, node);
  }
}
