/* clang_closures.c - lambdas that a template is handed, as functions of the model.
 *
 * In an instantiation of `template <class F> void run(F op)` the type of `op` is
 * one lambda's, and `op(x)` calls its operator(). A lambda that captures nothing
 * is a function like any other; of one that captures numbers and pointers these are
 * members of its object, by a reference, too, where nothing sets the variable behind
 * its declaration. Its text also stands in the function that makes it
 * (pl_fe_build_lambda), so what it declares is declared here once more. */
#include "clang_parts.h"

typedef struct closure_walk {
  bool other; /* declares more than variables, whose declarations would be shared; or
                 names what is captured and may be set */
  bool body;
  CXCursor method;
  bool by_name; /* something is captured by a reference */
} closure_walk;

static bool is_number_or_pointer(CXType type) {
  return pl_fe_is_number(type) || type.kind == CXType_Pointer;
}

typedef struct captures {
  bool plain; /* numbers and pointers */
  bool by_name;
} captures;

static enum CXVisitorResult look_at_capture(CXCursor field, CXClientData data) {
  captures *c = data;
  CXType type = clang_getCanonicalType(clang_getCursorType(field));
  c->by_name |= pl_fe_is_reference(type);
  if (pl_fe_is_reference(type))
    type = clang_getCanonicalType(clang_getPointeeType(type));
  c->plain = c->plain && is_number_or_pointer(type);
  return c->plain ? CXVisit_Continue : CXVisit_Break;
}

typedef struct use_walk {
  CXCursor variable;
  bool read_alone;
} use_walk;

/* A name whose value is read stands in a conversion to that; what captures it is no
 * name. */
static enum CXChildVisitResult look_at_use(CXCursor cursor, CXCursor parent,
                                           CXClientData data) {
  use_walk *w = data;
  if (clang_getCursorKind(cursor) == CXCursor_DeclRefExpr &&
      clang_equalCursors(clang_getCursorReferenced(cursor), w->variable) &&
      clang_getCursorKind(parent) != CXCursor_UnexposedExpr)
    w->read_alone = false;
  return w->read_alone ? CXChildVisit_Recurse : CXChildVisit_Break;
}

/* The variable of a function's that a name in a closure means, and the function; the null
 * cursor: it is no such variable. */
static CXCursor owner_of_captured(CXCursor variable, CXCursor method) {
  enum CXCursorKind kind = clang_getCursorKind(variable);
  CXCursor owner = clang_getCursorSemanticParent(variable);
  enum CXCursorKind of = clang_getCursorKind(owner);
  bool local = (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl) &&
               (of == CXCursor_FunctionDecl || of == CXCursor_CXXMethod ||
                of == CXCursor_Constructor || of == CXCursor_ConversionFunction) &&
               clang_Cursor_getStorageClass(variable) != CX_SC_Static &&
               clang_Cursor_getStorageClass(variable) != CX_SC_Extern;
  return local && !clang_equalCursors(clang_getCanonicalCursor(owner), method)
             ? owner
             : clang_getNullCursor();
}

/* Whether what is captured stays what it is: the closure has a copy, or nothing sets it. */
static bool stays(CXCursor variable, CXCursor owner, bool by_name) {
  use_walk w = {variable, true};
  CXCursor body = clang_getCursorDefinition(owner);
  if (clang_Cursor_isNull(body) ||
      !is_number_or_pointer(clang_getCanonicalType(clang_getCursorType(variable))))
    return false;
  if (!by_name)
    return true;
  clang_visitChildren(body, look_at_use, &w);
  return w.read_alone;
}

static enum CXChildVisitResult note_object(CXCursor cursor, CXCursor parent,
                                           CXClientData data) {
  (void)parent;
  *(bool *)data |= clang_isExpression(clang_getCursorKind(cursor)) != 0;
  return CXChildVisit_Continue;
}

/* `this`, or a member of the object of the method that a closure stands in, whose `this`
 * clang does not show. */
static bool names_this(CXCursor cursor) {
  bool object = false;
  if (clang_getCursorKind(cursor) == CXCursor_MemberRefExpr)
    clang_visitChildren(cursor, note_object, &object);
  return clang_getCursorKind(cursor) == CXCursor_CXXThisExpr ||
         (clang_getCursorKind(cursor) == CXCursor_MemberRefExpr && !object);
}

static enum CXChildVisitResult look_at(CXCursor cursor, CXCursor parent,
                                       CXClientData data) {
  closure_walk *w = data;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  (void)parent;
  w->body |= kind == CXCursor_CompoundStmt;
  w->other |= kind == CXCursor_LambdaExpr || kind == CXCursor_UnexposedDecl ||
              kind == CXCursor_LabelStmt || names_this(cursor) ||
              (clang_isDeclaration(kind) && kind != CXCursor_VarDecl &&
               kind != CXCursor_ParmDecl);
  if (kind == CXCursor_DeclRefExpr) {
    CXCursor variable = clang_getCursorReferenced(cursor);
    CXCursor owner = owner_of_captured(variable, w->method);
    w->other |= !clang_Cursor_isNull(owner) && !stays(variable, owner, w->by_name);
  }
  return w->other ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* The declaration of a lambda's operator() that is a function by itself; the null
 * cursor: it is none, or its text asks for more than the model has. */
static CXCursor definition_of(pl_fe *f, CXCursor method) {
  CXCursor record = clang_getCursorSemanticParent(method);
  CXType type = clang_getCursorType(record);
  captures of = {.plain = true};
  closure_walk w = {.method = clang_getCanonicalCursor(method)};
  if (clang_getCursorKind(method) != CXCursor_CXXMethod ||
      clang_getCursorKind(record) != CXCursor_ClassDecl ||
      !pl_str_has(pl_fe_take_string(f, clang_getTypeSpelling(type)), "(lambda"))
    return clang_getNullCursor();
  clang_Type_visitFields(type, look_at_capture, &of);
  w.by_name = of.by_name;
  CXCursor definition = clang_getCursorDefinition(method);
  if (!of.plain || clang_Cursor_isNull(definition) || !clang_CXXMethod_isConst(method))
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

pl_decl *pl_fe_captured(pl_fe *f, CXCursor variable) {
  if (!f->closure ||
      clang_Cursor_isNull(owner_of_captured(variable, f->closure->method)))
    return NULL;
  for (size_t i = 0; i < f->closure->n; i++)
    if (clang_equalCursors(f->closure->items[i].key, variable))
      return f->closure->items[i].value;
  pl_decl *field = PL_NEW(f->arena, pl_decl);
  field->kind = PL_DECL_FIELD;
  field->is_field = field->is_user = true;
  field->name = field->qualified =
      pl_fe_take_string(f, clang_getCursorSpelling(variable));
  field->type = pl_fe_type_for(f, clang_getCursorType(variable));
  PL_PUSH(f->arena, f->closure->items, f->closure->n, f->closure->cap,
          ((pl_fe_decl){variable, field}));
  return field;
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
