/* builtins.c - which function of the toolkit is it that a call calls?
 *
 * Needs: builtins.def, declarations. Gives: its row. Raises: nothing. */
#include "call_summary.h"

#include <string.h>

#define ENDS_IN_STAR(name)                                                     \
  (sizeof name > 1 && name[sizeof name < 2 ? 0 : sizeof name - 2] == '*')
#define IN(scope, name, emits, arguments, leads, differs)                      \
  {scope,                                                                      \
   name,                                                                       \
   sizeof name - 1 - ENDS_IN_STAR(name),                                       \
   ENDS_IN_STAR(name),                                                         \
   PL_EMITS_##emits,                                                           \
   arguments,                                                                  \
   PL_LEADS_##leads,                                                           \
   PL_DIFFERS_##differs},
#define X(name, ...) IN("", name, __VA_ARGS__)

static const pl_builtin rows[] = {
#include "builtins.def"
};
static const pl_builtin unlisted[] = {
    X("", DECLARED, "", ANYWHERE, SAME)};

/* A class of the toolkit's, of which a row's scope says more. */
static bool is_of_scope(const pl_type *type, const char *scope) {
  type = pl_no_reference(type);
  if (type && type->kind == PL_TYPE_POINTER)
    type = type->element;
  return type && type->kind == PL_TYPE_RECORD && !type->is_user &&
         pl_str_has(pl_before_angle(type->spelling), scope);
}

/* `grid.sync()`, and `sync(grid)`. */
static bool is_row_of(const pl_builtin *row, pl_str name, const pl_node *call) {
  const pl_decl *decl = call->decl;
  if (row->is_prefix ? name.n < row->n : name.n != row->n)
    return false;
  if (memcmp(name.p, row->name, row->n) != 0)
    return false;
  const pl_node *first = row->n && call->kind == PL_NODE_CALL && call->nkids > 1 &&
                                 decl && decl->kind != PL_DECL_METHOD
                             ? call->kids[1]
                             : NULL;
  return !*row->scope || (first && is_of_scope(first->type, row->scope)) ||
         (decl && decl->qualified.n > name.n &&
          pl_str_has((pl_str){decl->qualified.p, decl->qualified.n - name.n},
                     row->scope));
}

bool pl_is_atomic_object(const pl_type *type) {
  return type && type->kind == PL_TYPE_RECORD && is_of_scope(type, "atomic");
}

/* The compiler's own functions are declared where they are first called. */
bool pl_is_own_function(const pl_node *call) {
  return call->decl &&
         (call->decl->func ||
          (call->decl->is_user && !pl_str_starts(call->name, "__builtin_")));
}

const pl_builtin *pl_builtin_of(const pl_node *call) {
  const pl_decl *decl = call->decl;
  pl_str name = pl_before_angle(call->name);
  if (!name.n || (decl && decl->is_user && pl_is_own_function(call)))
    return unlisted;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (is_row_of(&rows[i], name, call))
      return &rows[i];
  return unlisted;
}

char pl_builtin_argument(const pl_builtin *row, uint32_t index) {
  return index < strlen(row->arguments) ? row->arguments[index] : ' ';
}

bool pl_calls_builtin(const pl_node *node, const char *name) {
  return node->kind == PL_NODE_CALL &&
         strcmp(pl_builtin_of(node)->name, name) == 0;
}

bool pl_is_load_call(const pl_node *node) {
  return node->kind == PL_NODE_CALL &&
         strcmp(pl_builtin_of(node)->arguments, "r") == 0;
}
