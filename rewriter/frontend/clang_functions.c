/* clang_functions.c - the functions and globals of a file. */
#include "clang_parts.h"

static void note_function_child(pl_fe *f, pl_func *func, CXCursor child,
                                size_t *nparams, size_t *params_cap,
                                size_t *ntemplate, size_t *template_cap) {
  switch (clang_getCursorKind(child)) {
  case CXCursor_CUDAGlobalAttr:
    func->is_global = true;
    break;
  case CXCursor_CUDADeviceAttr:
    func->is_device = true;
    break;
  case CXCursor_CUDAHostAttr:
    func->is_host = true;
    break;
  case CXCursor_ParmDecl:
    PL_PUSH(f->arena, func->params, *nparams, *params_cap,
            pl_fe_param_for(f, child));
    break;
  case CXCursor_TemplateTypeParameter:
  case CXCursor_NonTypeTemplateParameter:
  case CXCursor_TemplateTemplateParameter:
    PL_PUSH(f->arena, func->template_params, *ntemplate, *template_cap,
            pl_fe_decl_for(f, child));
    break;
  default:
    break;
  }
}

bool pl_fe_fill_signature(pl_fe *f, pl_func *func, CXCursor cursor) {
  size_t nparams = 0, params_cap = 0, ntemplate = 0, template_cap = 0;
  bool has_body = false;
  size_t first, n = pl_fe_children(f, cursor, pl_fe_collect_all, &first);
  for (size_t i = 0; i < n; i++) {
    CXCursor child = f->stack[first + i];
    note_function_child(f, func, child, &nparams, &params_cap, &ntemplate,
                        &template_cap);
    has_body |= clang_getCursorKind(child) == CXCursor_CompoundStmt ||
                clang_getCursorKind(child) == CXCursor_CXXTryStmt;
  }
  pl_fe_drop_children(f, first);
  func->nparams = (uint32_t)nparams;
  func->ntemplate_params = (uint32_t)ntemplate;
  for (uint32_t i = 0; i < func->nparams; i++)
    func->params[i]->owner = func;
  if (!func->is_global && !func->is_device)
    func->is_host = true;
  return has_body;
}

static bool is_pattern_free(CXCursor cursor, enum CXCursorKind kind) {
  return kind == CXCursor_FunctionTemplate ||
         clang_Cursor_isNull(clang_getSpecializedCursorTemplate(cursor));
}

static bool is_method_kind(enum CXCursorKind kind) {
  return kind == CXCursor_CXXMethod || kind == CXCursor_Constructor ||
         kind == CXCursor_Destructor || kind == CXCursor_ConversionFunction;
}

/* A function template of a class. */
static bool is_member_template(CXCursor cursor, enum CXCursorKind kind) {
  enum CXCursorKind scope =
      clang_getCursorKind(clang_getCursorSemanticParent(cursor));
  return kind == CXCursor_FunctionTemplate &&
         (scope == CXCursor_ClassDecl || scope == CXCursor_StructDecl ||
          scope == CXCursor_ClassTemplate ||
          scope == CXCursor_ClassTemplatePartialSpecialization);
}

/* The declaration of a function that is being collected: an explicit
 * specialization gets one of its own. */
static pl_decl *own_decl(pl_fe *f, CXCursor cursor, enum CXCursorKind kind) {
  if (is_pattern_free(cursor, kind))
    return pl_fe_decl_for(f, cursor);
  CXCursor key = clang_getCanonicalCursor(cursor);
  pl_decl *decl = pl_fe_decls_find(f, key);
  if (!decl) {
    decl = pl_fe_make_decl(f, key);
    pl_fe_decls_add(f, key, decl);
  }
  return decl;
}

/* The parameters of the class template that a method belongs to. */
static void take_class_parameters(pl_fe *f, pl_func *func, CXCursor record) {
  size_t n = 0, cap = 0;
  size_t first, kids = pl_fe_children(f, record, pl_fe_collect_all, &first);
  for (size_t i = 0; i < kids; i++) {
    CXCursor child = f->stack[first + i];
    enum CXCursorKind kind = clang_getCursorKind(child);
    if (kind == CXCursor_TemplateTypeParameter ||
        kind == CXCursor_NonTypeTemplateParameter ||
        kind == CXCursor_TemplateTemplateParameter)
      PL_PUSH(f->arena, func->template_params, n, cap,
              pl_fe_decl_for(f, child));
  }
  pl_fe_drop_children(f, first);
  func->ntemplate_params = (uint32_t)n;
}

/* Whether a function is of the device. (A header of a framework has thousands that
 * are not, and what their parameters are takes longest to find out.) */
static bool is_of_device(CXCursor cursor) {
  return !clang_Cursor_isNull(pl_fe_child_of_kind(cursor, CXCursor_CUDAGlobalAttr)) ||
         !clang_Cursor_isNull(pl_fe_child_of_kind(cursor, CXCursor_CUDADeviceAttr));
}

static void collect_function(pl_fe *f, CXCursor cursor, enum CXCursorKind kind,
                             pl_place where) {
  if (where != PLACE_MAIN && !is_of_device(cursor))
    return;
  pl_func *func = PL_NEW(f->arena, pl_func);
  if (!pl_fe_fill_signature(f, func, cursor))
    return;
  if (where != PLACE_MAIN && !func->is_global && !func->is_device)
    return;
  pl_decl *decl = own_decl(f, cursor, kind);
  if (!decl || decl->func)
    return;
  func->decl = decl;
  func->name = decl->name;
  func->qualified = decl->qualified;
  func->range = pl_fe_cursor_range(f, cursor);
  if (where == PLACE_MAIN)
    func->name_range = pl_fe_name_range(f, cursor, decl->name);
  func->in_main = where == PLACE_MAIN && func->range.end > 0;
  func->is_template = kind == CXCursor_FunctionTemplate;
  func->is_extern_c = f->extern_c;
  CXCursor scope = clang_getCursorSemanticParent(cursor);
  func->is_method = is_method_kind(kind) || is_member_template(cursor, kind);
  if (is_method_kind(kind) &&
      clang_getCursorKind(scope) == CXCursor_ClassTemplate)
    take_class_parameters(f, func, scope);
  func->from_macro = decl->from_macro;
  decl->func = func;
  size_t n = f->unit->nfuncs;
  PL_PUSH(f->arena, f->unit->funcs, n, f->funcs_cap, func);
  f->unit->nfuncs = (uint32_t)n;
  pl_fe_push_cursor(f, cursor);
}

static void collect_global(pl_fe *f, CXCursor cursor) {
  pl_decl *decl = pl_fe_decl_for(f, cursor);
  if (!decl || decl->node || decl->range.begin >= f->unit->text.n)
    return;
  pl_node *node = pl_fe_build_variable(f, cursor);
  node->decl->owner = NULL;
  if (decl->is_constexpr || decl->has_value)
    PL_PUSH(f->arena, f->globals, f->nglobals, f->globals_cap, decl);
}

static enum CXChildVisitResult
collect_enumerator(CXCursor cursor, CXCursor parent, CXClientData data) {
  pl_fe *f = data;
  (void)parent;
  if (clang_getCursorKind(cursor) == CXCursor_EnumConstantDecl)
    PL_PUSH(f->arena, f->globals, f->nglobals, f->globals_cap,
            pl_fe_decl_for(f, cursor));
  return CXChildVisit_Continue;
}

static bool is_container(enum CXCursorKind kind) {
  return kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec ||
         kind == CXCursor_UnexposedDecl || kind == CXCursor_StructDecl ||
         kind == CXCursor_ClassDecl || kind == CXCursor_ClassTemplate ||
         kind == CXCursor_UnionDecl || kind == CXCursor_FriendDecl ||
         kind == CXCursor_ClassTemplatePartialSpecialization;
}

static bool is_placed_at(CXCursor cursor, CXCursor other) {
  return !clang_Cursor_isNull(other) &&
         clang_equalLocations(clang_getCursorLocation(cursor),
                              clang_getCursorLocation(other));
}

/* What a template became for a use: libclang shows it beside the template, and
 * at its place, or at that of its body where it was declared earlier. */
static bool is_instantiation(CXCursor cursor) {
  CXCursor origin = clang_getSpecializedCursorTemplate(cursor);
  return is_placed_at(cursor, origin) ||
         (!clang_Cursor_isNull(origin) &&
          is_placed_at(cursor, clang_getCursorDefinition(origin)));
}

/* A name of a variable of the function that a class stands in. */
static enum CXChildVisitResult look_for_outer(CXCursor cursor, CXCursor parent,
                                              CXClientData data) {
  CXCursor named = clang_getCursorReferenced(cursor);
  (void)parent;
  if (clang_getCursorKind(cursor) != CXCursor_DeclRefExpr ||
      !clang_equalCursors(clang_getCanonicalCursor(clang_getCursorSemanticParent(named)),
                          *(CXCursor *)data))
    return CXChildVisit_Recurse;
  *(CXCursor *)data = clang_getNullCursor();
  return CXChildVisit_Break;
}

/* The methods of a class that a function declares, unless they name its variables. */
static enum CXChildVisitResult collect_local(CXCursor cursor, CXCursor parent,
                                             CXClientData data) {
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  CXCursor function = clang_getCanonicalCursor(clang_getCursorSemanticParent(cursor));
  (void)parent;
  if (kind != CXCursor_StructDecl && kind != CXCursor_ClassDecl)
    return CXChildVisit_Recurse;
  clang_visitChildren(cursor, look_for_outer, &function);
  if (!clang_Cursor_isNull(function))
    pl_fe_visit_children(data, cursor, pl_fe_collect_top, data);
  return CXChildVisit_Continue;
}

static bool says_class(pl_fe *f, CXCursor function) {
  pl_run run = pl_tokens_in(f->unit, pl_fe_cursor_range(f, function));
  for (uint32_t i = run.first; i < run.end; i++)
    if (pl_token_is(f->unit, i, "struct") || pl_token_is(f->unit, i, "class"))
      return true;
  return false;
}

enum CXChildVisitResult pl_fe_collect_top(CXCursor cursor, CXCursor parent,
                                          CXClientData data) {
  pl_fe *f = data;
  uint32_t at;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  (void)parent;
  pl_place where = pl_fe_locate(f, clang_getCursorLocation(cursor), &at);
  if (where == PLACE_SYSTEM || is_instantiation(cursor))
    return CXChildVisit_Continue;
  if (kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate ||
      is_method_kind(kind)) {
    collect_function(f, cursor, kind, where);
    if (where == PLACE_MAIN && says_class(f, cursor))
      clang_visitChildren(cursor, collect_local, f);
  } else if (kind == CXCursor_VarDecl) {
    collect_global(f, cursor);
  } else if (kind == CXCursor_EnumDecl) {
    pl_fe_visit_children(f, cursor, collect_enumerator, f);
  } else if (is_container(kind)) {
    bool outer = f->extern_c;
    f->extern_c = kind == CXCursor_LinkageSpec ||
                  (outer && kind == CXCursor_UnexposedDecl);
    pl_fe_visit_children(f, cursor, pl_fe_collect_top, f);
    f->extern_c = outer;
  }
  return CXChildVisit_Continue;
}

/* `__launch_bounds__(threads, ...)` between the header's first token and the
 * body. Clang shows the attribute without its arguments. */
static void fill_launch_bounds(pl_fe *f, pl_func *func) {
  const pl_unit *unit = f->unit;
  uint32_t end = func->body ? func->body->range.begin : func->range.end;
  for (uint32_t i = pl_token_from(unit, func->range.begin);
       i + 1 < unit->ntokens && unit->tokens[i].range.begin < end; i++) {
    uint32_t open = i + 1, close;
    if (!pl_token_is(unit, i, "__launch_bounds__") ||
        (close = pl_token_match(unit, open)) == PL_NONE)
      continue;
    uint32_t comma = open + 1;
    int depth = 0;
    for (; comma < close; comma++) {
      depth += pl_token_is(unit, comma, "(") - pl_token_is(unit, comma, ")");
      if (depth == 0 && pl_token_is(unit, comma, ","))
        break;
    }
    func->launch_bounds = -1;
    func->launch_bounds_node =
        pl_parse_constant(unit, open + 1, comma, pl_fe_lookup_constant, f);
    pl_node_eval(func->launch_bounds_node, func, NULL, &func->launch_bounds);
    return;
  }
}

typedef struct member_walk {
  pl_fe *f;
  pl_func *func;
  const pl_decl *field; /* that was named last */
  size_t n, cap;
} member_walk;

static bool is_made(const member_walk *w, const pl_decl *field) {
  for (size_t i = 0; i < w->n; i++)
    if (w->func->member_inits[i].field == field)
      return true;
  return false;
}

static void add_member(member_walk *w, const pl_decl *field, CXCursor value) {
  pl_member_init init = {field, pl_fe_build_node(w->f, value)};
  if (init.value)
    PL_PUSH(w->f->arena, w->func->member_inits, w->n, w->cap, init);
}

/* `member(value)`: the member's name, then the expression. */
static enum CXChildVisitResult note_member_init(CXCursor cursor, CXCursor parent,
                                                CXClientData data) {
  member_walk *w = data;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  (void)parent;
  if (kind == CXCursor_MemberRef) {
    w->field = pl_fe_decl_for(w->f, clang_getCursorReferenced(cursor));
  } else if (w->field && clang_isExpression(kind)) {
    add_member(w, w->field, cursor);
    w->field = NULL;
  }
  return CXChildVisit_Continue;
}

static enum CXChildVisitResult note_own_init(CXCursor cursor, CXCursor parent,
                                             CXClientData data) {
  member_walk *w = data;
  (void)parent;
  if (clang_isExpression(clang_getCursorKind(cursor)))
    add_member(w, w->field, cursor);
  return CXChildVisit_Continue;
}

/* A field that the constructor does not name begins as its declaration says. */
static enum CXVisitorResult note_field(CXCursor cursor, CXClientData data) {
  member_walk *w = data;
  w->field = pl_fe_decl_for(w->f, cursor);
  if (w->field && w->field->type && w->field->type->kind != PL_TYPE_ARRAY &&
      !is_made(w, w->field))
    clang_visitChildren(cursor, note_own_init, w);
  return CXVisit_Continue;
}

static void build_member_inits(pl_fe *f, pl_func *func, CXCursor cursor) {
  member_walk w = {.f = f, .func = func};
  if (clang_getCursorKind(cursor) != CXCursor_Constructor)
    return;
  clang_visitChildren(cursor, note_member_init, &w);
  CXCursor record = clang_getCursorSemanticParent(cursor);
  clang_Type_visitFields(clang_getCursorType(record), note_field, &w);
  func->nmember_inits = (uint32_t)w.n;
}

void pl_fe_build_body(pl_fe *f, pl_func *func, CXCursor cursor) {
  size_t first, n = pl_fe_children(f, cursor, pl_fe_collect_code, &first);
  f->func = func;
  f->header = pl_fe_header_of(f, cursor);
  for (size_t i = 0; i < n && !func->body; i++) {
    CXCursor child = f->stack[first + i];
    enum CXCursorKind kind = clang_getCursorKind(child);
    if (kind == CXCursor_CompoundStmt || kind == CXCursor_CXXTryStmt)
      func->body = pl_fe_build_node(f, child);
  }
  pl_fe_drop_children(f, first);
  build_member_inits(f, func, cursor);
  func->arena = f->arena;
  func->holds_error = pl_fe_holds_error(f, cursor);
  if (func->body)
    func->body->func = func;
  if (func->in_main)
    fill_launch_bounds(f, func);
  f->func = NULL;
  f->header = NULL;
}
