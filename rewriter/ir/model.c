/* model.c - reading the model: names, walks, and what a node is.
 *
 * Needs a filled pl_unit and nothing else; libclang is not known here. Dumps are in
 * model_dump.c, types in model_values.c; the text is source/unit.h's. */
#include "model.h"

#include <string.h>

const char *pl_node_kind_name(pl_node_kind kind) {
  static const char *const names[] = {
#define X(name, children) #name,
      PL_NODE_KINDS(X)
#undef X
  };
  size_t at = (size_t)kind;
  return at < sizeof names / sizeof *names ? names[at] : "?";
}

const char *pl_op_name(pl_op op) {
  static const char *const names[] = {
#define X(name, spelling) spelling,
      PL_OPS(X)
#undef X
  };
  size_t at = (size_t)op;
  return at < sizeof names / sizeof *names ? names[at] : "?";
}

pl_node *pl_node_bare(pl_node *node) {
  while (node && node->kind == PL_NODE_PAREN && node->nkids > 0)
    node = node->kids[0];
  return node;
}

pl_node *pl_node_around(const pl_node *node) {
  pl_node *up = node->parent;
  while (up && up->kind == PL_NODE_PAREN)
    up = up->parent;
  return up;
}

/* Whether a constant's text says the same in every build. */
static bool is_closed(const pl_node *node) {
  const pl_decl *decl = node && node->kind == PL_NODE_REF ? node->decl : NULL;
  if (node && (node->from_macro || node->of_build ||
               (decl && (decl->is_open || !is_closed(decl->init)))))
    return false;
  for (uint32_t i = 0; node && i < node->nkids; i++)
    if (!is_closed(node->kids[i]))
      return false;
  return true;
}

bool pl_node_is_zero(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  return node && node->has_ival && node->ival == 0 && is_closed(node);
}

bool pl_node_is_array_range(const pl_node *node) {
  if (node->kind != PL_NODE_RANGE_FOR || node->nkids != 3 || !node->kids[0] ||
      node->kids[0]->kind != PL_NODE_VAR || node->kids[0]->nkids != 1)
    return false;
  pl_node_kind kind = node->kids[0]->kids[0]->kind;
  return kind == PL_NODE_SUBSCRIPT || kind == PL_NODE_EMPTY;
}

bool pl_node_is_loop(const pl_node *node) {
  return node->kind == PL_NODE_FOR || node->kind == PL_NODE_WHILE ||
         node->kind == PL_NODE_DO || node->kind == PL_NODE_RANGE_FOR;
}

bool pl_node_is_step(const pl_node *node) {
  return node->kind == PL_NODE_UNARY && node->op >= PL_OP_PREINC &&
         node->op <= PL_OP_POSTDEC;
}

static bool changes(pl_node *node, const void *context) {
  (void)context;
  return node->kind == PL_NODE_ASSIGN || pl_node_is_step(node);
}

bool pl_node_changes(const pl_node *node) {
  return pl_node_find(node, changes, NULL);
}

pl_node *pl_node_loop_body(const pl_node *node) {
  switch (node->kind) {
  case PL_NODE_FOR:
    return node->kids[3];
  case PL_NODE_WHILE:
    return node->kids[1];
  case PL_NODE_DO:
    return node->kids[0];
  default:
    return NULL;
  }
}

/* `({ a; b; })`, whose value is that of its last statement. */
static bool gives_last(const pl_node *block) {
  pl_node_kind kind = block->parent ? block->parent->kind : PL_NODE_COMPOUND;
  return kind == PL_NODE_CONSTRUCT || kind == PL_NODE_UNKNOWN ||
         kind == PL_NODE_PAREN || kind == PL_NODE_CAST;
}

pl_origin pl_omitted_arguments(const pl_func *func, const pl_node *call) {
  pl_origin origin = PL_ORIGIN_NUMBERS;
  for (uint32_t i = call->nkids ? call->nkids - 1 : 0; i < func->nparams; i++)
    if (func->params[i]->unless_given > origin)
      origin = func->params[i]->unless_given;
  return origin;
}

bool pl_node_is_statement(const pl_node *node) {
  const pl_node *up = node->parent;
  if (!up)
    return true;
  switch (up->kind) {
  case PL_NODE_COMPOUND:
    return !gives_last(up) || up->kids[up->nkids - 1] != node;
  case PL_NODE_LABEL:
  case PL_NODE_CASE:
    return true;
  case PL_NODE_IF:
    return up->kids[0] != node;
  case PL_NODE_FOR:
  case PL_NODE_WHILE:
  case PL_NODE_DO:
    return pl_node_loop_body(up) == node;
  default:
    return false;
  }
}

bool pl_if_has_init(const pl_node *node) {
  return node->kind == PL_NODE_IF && node->parent &&
         node->parent->kind == PL_NODE_COMPOUND &&
         pl_str_is(node->parent->name, "if");
}

static bool is_of_kind(pl_node *node, const void *context) {
  return node->kind == *(const pl_node_kind *)context;
}

bool pl_node_has(const pl_node *node, pl_node_kind kind) {
  return pl_node_find(node, is_of_kind, &kind);
}

bool pl_node_within(const pl_node *node, const pl_node *ancestor) {
  for (; node; node = node->parent)
    if (node == ancestor)
      return true;
  return false;
}

bool pl_in_lambda(const pl_node *node) {
  while (node && node->kind != PL_NODE_LAMBDA)
    node = node->parent;
  return node != NULL;
}

void pl_node_walk(pl_node *node, pl_visit *visit, void *context) {
  if (!node || !visit(node, context))
    return;
  for (uint32_t i = 0; i < node->nkids; i++)
    pl_node_walk(node->kids[i], visit, context);
}

pl_node *pl_node_find(const pl_node *node, pl_node_test *test, const void *context) {
  if (!node || test((pl_node *)node, context))
    return (pl_node *)node;
  pl_node *found = NULL;
  for (uint32_t i = 0; i < node->nkids && !found; i++)
    found = pl_node_find(node->kids[i], test, context);
  return found;
}

uint32_t pl_count_names(const pl_node *node, const pl_decl *decl) {
  uint32_t n = node && node->kind == PL_NODE_REF && node->decl == decl;
  for (uint32_t i = 0; node && i < node->nkids; i++)
    n += pl_count_names(node->kids[i], decl);
  return n;
}

const pl_type *pl_no_reference(const pl_type *type) {
  return type && type->kind == PL_TYPE_REFERENCE ? type->element : type;
}

bool pl_is_number_type(const pl_type *type) {
  return type && (type->kind == PL_TYPE_INT || type->kind == PL_TYPE_FLOAT ||
                  type->kind == PL_TYPE_BOOL);
}

bool pl_is_number_or_enum(const pl_type *type) {
  return pl_is_number_type(type) || (type && type->kind == PL_TYPE_ENUM);
}

bool pl_is_value_type(const pl_type *type) {
  return pl_is_number_type(type) || (type && type->kind == PL_TYPE_POINTER);
}

bool pl_is_plain_test(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  bool made = node->kind == PL_NODE_CALL && node->decl &&
              pl_str_starts(node->decl->name, "operator ");
  return !made && pl_is_value_type(pl_no_reference(node->type));
}

bool pl_is_array_type(const pl_type *type) {
  type = pl_no_reference(type);
  return type && type->kind == PL_TYPE_ARRAY;
}

bool pl_is_spelled_type(const pl_type *type) {
  return type && type->written.n && !pl_str_has(type->written, "dependent") &&
         !pl_str_has(type->written, "unnamed") &&
         !pl_str_has(type->written, "lambda");
}

pl_str pl_behind_const(pl_str spelling) {
  while (pl_str_starts(spelling, "const "))
    spelling = (pl_str){spelling.p + 6, spelling.n - 6};
  return spelling;
}

bool pl_is_own_object(pl_node *node, const void *unused) {
  (void)unused;
  return node->kind == PL_NODE_THIS ||
         (node->kind == PL_NODE_MEMBER && (!node->nkids || !node->kids[0]));
}

pl_node *pl_only_statement(const pl_node *node) {
  while (node && node->kind == PL_NODE_COMPOUND)
    node = node->nkids == 1 ? node->kids[0] : NULL;
  return (pl_node *)node;
}

bool pl_is_only(const pl_node *node, pl_node_kind kind) {
  node = pl_only_statement(node);
  return node && node->kind == kind;
}

int pl_param_index(const pl_func *func, const pl_decl *decl) {
  for (uint32_t i = 0; i < func->nparams; i++)
    if (func->params[i] == decl)
      return (int)i;
  return -1;
}

bool pl_same_type(const pl_type *a, const pl_type *b) {
  a = pl_no_reference(a);
  b = pl_no_reference(b);
  return a && b && a->spelling.n && pl_str_eq(a->spelling, b->spelling);
}

bool pl_names_var(const pl_node *node, const pl_decl *var) {
  node = pl_node_bare((pl_node *)node);
  return node && node->kind == PL_NODE_REF && node->decl == var;
}

bool pl_is_private(const pl_decl *decl) {
  return decl && (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM) &&
         !decl->is_shared && !decl->points_to_shared && decl->owner;
}

pl_str pl_without_const(pl_str written) {
  size_t n = written.n, of_const = sizeof "const" - 1;
  if (n > of_const && memcmp(written.p + n - of_const, "const", of_const) == 0 &&
      strchr("* ", written.p[n - of_const - 1]))
    n -= of_const;
  while (n && written.p[n - 1] == ' ')
    n--;
  bool pointer = n && written.p[n - 1] == '*';
  if (!pointer && pl_str_starts(written, "const "))
    return (pl_str){written.p + 6, n - 6};
  return (pl_str){written.p, n};
}
