/* clang_closures.c - lambdas that a template is handed, as functions of the model.
 *
 * In an instantiation of `template <class F> void run(F op)` the type of `op` is
 * one lambda's, and `op(x)` calls its operator(). A lambda that captures nothing
 * is a function like any other. Its text also stands in the function that makes it
 * (pl_fe_build_lambda), so what it declares is declared here once more. */
#include "clang_parts.h"

typedef struct closure_walk {
  bool other; /* declares more than variables, whose declarations would be shared */
  bool body;
} closure_walk;

static enum CXVisitorResult note_field(CXCursor field, CXClientData data) {
  (void)field;
  *(bool *)data = true;
  return CXVisit_Break;
}

static enum CXChildVisitResult look_at(CXCursor cursor, CXCursor parent,
                                       CXClientData data) {
  closure_walk *w = data;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  (void)parent;
  w->body |= kind == CXCursor_CompoundStmt;
  w->other |= kind == CXCursor_LambdaExpr || kind == CXCursor_UnexposedDecl ||
              kind == CXCursor_LabelStmt ||
              (clang_isDeclaration(kind) && kind != CXCursor_VarDecl &&
               kind != CXCursor_ParmDecl);
  return w->other ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* The declaration of a lambda's operator() that is a function by itself; the null
 * cursor: it is none, or its text asks for more than the model has. */
static CXCursor definition_of(pl_fe *f, CXCursor method) {
  CXCursor record = clang_getCursorSemanticParent(method);
  CXType type = clang_getCursorType(record);
  bool captures = false;
  closure_walk w = {0};
  if (clang_getCursorKind(method) != CXCursor_CXXMethod ||
      clang_getCursorKind(record) != CXCursor_ClassDecl ||
      !pl_str_has(pl_fe_take_string(f, clang_getTypeSpelling(type)), "(lambda"))
    return clang_getNullCursor();
  clang_Type_visitFields(type, note_field, &captures);
  CXCursor definition = clang_getCursorDefinition(method);
  if (captures || clang_Cursor_isNull(definition))
    return clang_getNullCursor();
  clang_visitChildren(definition, look_at, &w);
  return w.body && !w.other ? definition : clang_getNullCursor();
}

pl_decl *pl_fe_closure_variable(pl_fe *f, CXCursor cursor) {
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (!f->closure ||
      (kind != CXCursor_VarDecl && kind != CXCursor_ParmDecl) ||
      !clang_equalCursors(
          clang_getCanonicalCursor(clang_getCursorSemanticParent(cursor)),
          f->closure->method))
    return NULL;
  for (size_t i = 0; i < f->closure->n; i++)
    if (clang_equalCursors(f->closure->items[i].key, cursor))
      return f->closure->items[i].value;
  pl_decl *decl = pl_fe_make_decl(f, cursor);
  PL_PUSH(f->arena, f->closure->items, f->closure->n, f->closure->cap,
          ((pl_fe_decl){cursor, decl}));
  return decl;
}

static pl_decl *make_closure(pl_fe *f, CXCursor key, CXCursor definition) {
  pl_fe_closure *outer = f->closure;
  pl_decl *decl = pl_fe_make_decl(f, key);
  pl_func *func = decl->func = PL_NEW(f->arena, pl_func);
  f->closure = PL_NEW(f->arena, pl_fe_closure);
  f->closure->method = key;
  func->is_device = func->is_method = true;
  func->decl = decl;
  func->name = decl->name;
  func->qualified = decl->qualified;
  func->range = pl_fe_cursor_range(f, definition);
  pl_fe_fill_signature(f, func, definition);
  size_t n = f->unit->nfuncs;
  PL_PUSH(f->arena, f->unit->funcs, n, f->funcs_cap, func);
  f->unit->nfuncs = (uint32_t)n;
  PL_PUSH(f->arena, f->bodies, f->nbodies, f->bodies_cap,
          ((pl_fe_body){func, definition, -1, f->closure}));
  f->closure = outer;
  return decl;
}

pl_decl *pl_fe_closure_called(pl_fe *f, CXCursor method, const pl_node *object) {
  object = pl_node_bare((pl_node *)object);
  bool handed =
      object && ((object->kind == PL_NODE_REF && object->decl &&
                  object->decl->kind == PL_DECL_PARAM) ||
                 object->kind == PL_NODE_MEMBER);
  if (!f->knows_patterns || !f->func || !f->func->pattern || !handed)
    return NULL;
  CXCursor definition = definition_of(f, method);
  CXCursor key = clang_getCanonicalCursor(method);
  if (clang_Cursor_isNull(definition))
    return NULL;
  for (size_t i = 0; i < f->nbodies; i++)
    if (f->bodies[i].closure &&
        clang_equalCursors(f->bodies[i].closure->method, key))
      return f->bodies[i].func->decl;
  return make_closure(f, key, definition);
}
