/* values.c - what is an expression worth, and may two stand for each other?
 *
 * Needs: the model, and of a load helper the call. Gives: constant values
 * under an instantiation, with block sizes known or assumed; whether texts and
 * the names in them are the same. Raises nothing. */
#include "macros.h"
#include "reaching_definitions.h"
#include "values.h"

#include <string.h>

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

static bool is_block_y(pl_node *node, const void *context) {
  (void)context;
  const pl_node *base = node->kind == PL_NODE_MEMBER && pl_str_is(node->name, "y")
                            ? pl_node_bare(node->kids[0])
                            : NULL;
  return base && base->kind == PL_NODE_REF &&
         (pl_str_is(base->name, "threadIdx") || pl_str_is(base->name, "blockDim"));
}

bool pl_names_block_y(const pl_node *node) {
  return pl_node_find(node, is_block_y, NULL);
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

/* A load helper's parameter that it has not set: what it is handed, in the
 * parameter's type. */
static bool passed_value(value_walk *w, const pl_node *ref, pl_const *value) {
  pl_node *passed = pl_passed_for(w->loop, ref->decl);
  if (!passed || !pl_is_as_handed(ref))
    return false;
  value_walk outside = {.loop = w->loop->caller, .depth = w->depth};
  *value = pl_const_convert(value_of(&outside, passed), ref->decl->type);
  w->assumed = w->assumed || outside.assumed;
  return true;
}

/* A local holds, in its own type, the one value that reaches it. */
static bool local_value(value_walk *w, const pl_node *ref, pl_const *value) {
  const pl_decl *decl = ref->decl;
  const pl_node *from = decl->has_value ? NULL : pl_reaching_initialiser(ref);
  if (!from)
    return false;
  const pl_type *type = pl_decl_type(decl, w->instance);
  bool open = type && type->in_text && !w->instance; /* another one's may differ */
  type = open ? NULL : pl_type_settled(type, w->loop->func, w->instance);
  *value = pl_const_convert(value_of(w, from), type);
  return true;
}

static bool leaf_value(void *context, const pl_node *node, pl_const *value) {
  value_walk *w = context;
  if (node->kind == PL_NODE_REF)
    return node->decl &&
           (passed_value(w, node, value) || local_value(w, node, value));
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
  return type && type->kind == PL_TYPE_INT && type->size >= 4 && !decl->from_macro &&
         pl_only_value(decl);
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

/* Whether a constant's value may differ in another build or instantiation. */
bool pl_is_open(const pl_node *node) {
  if (!node)
    return false;
  if (node->from_macro || node->open || node->of_build ||
      (node->kind == PL_NODE_REF && node->decl &&
       (node->decl->kind == PL_DECL_TEMPLATE_VALUE || node->decl->is_open)) ||
      (node->kind == PL_NODE_REF && !node->decl))
    return true;
  if (node->kind == PL_NODE_REF && node->decl && pl_is_open(node->decl->init))
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (pl_is_open(node->kids[i]))
      return true;
  return false;
}

/* ---- arithmetic ----------------------------------------------------------- */

#define MOST_DEPTH 8

bool pl_is_place_index(const pl_node *node) {
  return pl_is_block_rank(node) || pl_index_axis(node, "threadIdx") ||
         pl_index_axis(node, "blockIdx") || pl_index_axis(node, "blockDim") ||
         pl_index_axis(node, "gridDim");
}

/* Whether an expression computes with numbers and variables alone: no memory is
 * read, nothing is changed. */
static bool is_arithmetic(const pl_node *node, int depth) {
  node = pl_node_bare((pl_node *)node);
  if (!node || depth > MOST_DEPTH)
    return false;
  if (node->has_ival || pl_is_place_index(node))
    return true;
  switch (node->kind) {
  case PL_NODE_REF:
    return node->decl && !node->decl->is_shared && !node->decl->is_volatile &&
           (node->decl->kind == PL_DECL_TEMPLATE_VALUE ||
            ((node->decl->kind == PL_DECL_VAR ||
              node->decl->kind == PL_DECL_PARAM) &&
             node->decl->owner && node->decl->type &&
             node->decl->type->kind == PL_TYPE_INT));
  case PL_NODE_UNARY:
    return (node->op == PL_OP_MINUS || node->op == PL_OP_PLUS ||
            node->op == PL_OP_NOT) &&
           is_arithmetic(node->kids[0], depth + 1);
  case PL_NODE_BINARY:
  case PL_NODE_CAST:
    for (uint32_t i = 0; i < node->nkids; i++)
      if (!is_arithmetic(node->kids[i], depth + 1))
        return false;
    return node->nkids > 0 && node->op != PL_OP_COMMA &&
           node->op != PL_OP_OTHER;
  default:
    return false;
  }
}

bool pl_is_arithmetic(const pl_node *node) { return is_arithmetic(node, 0); }

bool pl_same_atom(const pl_loop *loop, const pl_node *a, const pl_node *b) {
  a = pl_node_bare((pl_node *)a);
  b = pl_node_bare((pl_node *)b);
  if (!a || !b || a->kind != b->kind || a->op != b->op || a->decl != b->decl ||
      !pl_str_eq(a->name, b->name) || a->nkids != b->nkids || a->has_ival != b->has_ival ||
      (a->has_ival && a->ival != b->ival) || !pl_same_type(a->type, b->type))
    return false;
  if (a->has_ival && !pl_same_text(loop->unit, a, b))
    return false;
  for (uint32_t i = 0; i < a->nkids; i++)
    if (!pl_same_atom(loop, a->kids[i], b->kids[i]))
      return false;
  return true;
}

/* Macros that the file defines once, under no #if, are what they are; `arguments`: of a
 * template, they may be others. */
static bool may_be_another(const pl_unit *unit, const pl_node *node, bool arguments) {
  if (!node || !pl_is_open(node))
    return false;
  if (node->of_build)
    return true;
  if (node->from_macro)
    return !pl_macro_is_number(unit, node->range);
  if (node->kind == PL_NODE_REF) {
    if (node->decl && node->decl->is_open)
      return true;
    bool argument = !node->decl || node->decl->kind == PL_DECL_TEMPLATE_VALUE;
    return argument ? arguments : may_be_another(unit, node->decl->init, arguments);
  }
  for (uint32_t i = 0; i < node->nkids; i++)
    if (may_be_another(unit, node->kids[i], arguments))
      return true;
  return false;
}

bool pl_may_be_another_number(const pl_unit *unit, const pl_node *node) {
  return may_be_another(unit, node, true);
}

bool pl_build_may_change(const pl_unit *unit, const pl_node *node) {
  return may_be_another(unit, node, false);
}

/* ---- a loop's first round --------------------------------------------------- */

typedef struct first_round {
  const pl_func *func;
  const pl_node *init;
} first_round;

/* What the header declares a variable with. */
static bool start_value(void *context, const pl_node *node, pl_const *value) {
  const first_round *f = context;
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  const pl_const_scope scope = {.func = f->func};
  if (!decl || decl->kind != PL_DECL_VAR || !decl->init || !decl->node ||
      !pl_node_within(decl->node, f->init))
    return false;
  bool known = decl->type && !decl->type->in_text && !decl->is_volatile;
  *value = known ? pl_const_convert(pl_const_eval(&scope, decl->init), decl->type)
                 : pl_const_unknown;
  return true;
}

/* Whether a name is declared in text that another build may leave out. */
static bool is_declared_under_if(pl_node *node, const void *context) {
  const pl_unit *unit = context;
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  return decl && decl->node &&
         pl_is_conditional(unit->conditional ? unit->conditional : unit, decl->node->range.begin);
}

bool pl_has_first_round(const pl_unit *unit, const pl_func *func, const pl_node *init,
                        const pl_node *cond) {
  first_round first = {func, init};
  const pl_const_scope scope = {func, NULL, start_value, &first};
  return init && init->kind == PL_NODE_DECL_STMT && cond &&
         !pl_may_be_another_number(unit, init) && !pl_may_be_another_number(unit, cond) &&
         !pl_node_find((pl_node *)init, is_declared_under_if, unit) &&
         !pl_node_find((pl_node *)cond, is_declared_under_if, unit) &&
         pl_const_is_true(pl_const_eval(&scope, cond));
}
