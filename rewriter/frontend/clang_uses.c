/* clang_uses.c - which functions are named where no body of the model calls them?
 *
 * Needs: the functions of the unit. Gives: a mark on each that is called in text
 * that the model leaves out, or that is named and not called. Raises: nothing.
 *
 * Who asks what all callers say of an argument would miss those: default arguments
 * of parameters and members, initialisers at file scope, what a constructor sets its
 * members from, methods of local classes, `kernel<&Operands::multiply>`. There
 * instantiations are named too. */
#include "clang_parts.h"

typedef struct use_walk {
  pl_fe *f;
  bool outside; /* of the bodies that the model has */
  bool called;  /* part of a call, not of what stands in its operands */
  CXCursor callee;
  bool names; /* that, and what stands below it says which functions there are */
} use_walk;

static bool is_function_kind(enum CXCursorKind kind) {
  return kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate ||
         kind == CXCursor_CXXMethod || kind == CXCursor_Constructor ||
         kind == CXCursor_Destructor || kind == CXCursor_ConversionFunction;
}

static bool is_record_kind(enum CXCursorKind kind) {
  return kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl ||
         kind == CXCursor_UnionDecl;
}

static bool is_scope(enum CXCursorKind kind) {
  return clang_isTranslationUnit(kind) || kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec ||
         kind == CXCursor_UnexposedDecl || kind == CXCursor_FriendDecl ||
         kind == CXCursor_ClassTemplate || is_record_kind(kind) ||
         kind == CXCursor_ClassTemplatePartialSpecialization;
}

static void mark_all_of_name(pl_fe *f, pl_str name) {
  for (uint32_t i = 0; name.n && i < f->unit->nfuncs; i++)
    if (pl_str_eq(pl_before_angle(f->unit->funcs[i]->name), name))
      f->unit->funcs[i]->is_named_elsewhere = true;
}

/* Of several functions, or of a template's, all that have the name are meant. */
static void mark(pl_fe *f, CXCursor cursor) {
  CXCursor target = clang_getCursorReferenced(cursor);
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  bool open = clang_Cursor_isNull(target) ||
              clang_isInvalid(clang_getCursorKind(target));
  if (kind == CXCursor_OverloadedDeclRef || open) {
    pl_str said = pl_fe_take_string(f, clang_getCursorSpelling(cursor));
    mark_all_of_name(f, pl_before_angle(said));
    mark_all_of_name(f, pl_fe_last_identifier(f->unit,
                                              pl_fe_cursor_range(f, cursor)));
    return;
  }
  if (!is_function_kind(clang_getCursorKind(target)))
    return;
  pl_decl *decl = pl_fe_decl_for(f, target);
  if (decl && decl->func)
    decl->func->is_named_elsewhere = true;
  if (decl && !clang_Cursor_isNull(clang_getSpecializedCursorTemplate(target)))
    mark_all_of_name(f, pl_before_angle(decl->name));
}

static bool is_use(enum CXCursorKind kind) {
  return kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr ||
         kind == CXCursor_CallExpr || kind == CXCursor_OverloadedDeclRef ||
         kind == CXCursor_MemberRef;
}

static bool is_wrapper(enum CXCursorKind kind) {
  return kind == CXCursor_UnexposedExpr || kind == CXCursor_ParenExpr;
}

/* What a call names, also where a template leaves open which one that is. */
static bool is_callee(const use_walk *up, CXCursor cursor) {
  if (clang_getCursorKind(cursor) == CXCursor_OverloadedDeclRef && up->names)
    return true;
  return up->called &&
         (clang_Cursor_isNull(up->callee) ||
          clang_equalCursors(up->callee, clang_getCursorReferenced(cursor)));
}

/* `cudaFuncSetAttribute(kernel, ...)` asks for something, and launches nothing. */
static bool is_question(pl_fe *f, const use_walk *up) {
  if (clang_Cursor_isNull(up->callee))
    return false;
  pl_str name = pl_fe_take_string(f, clang_getCursorSpelling(up->callee));
  return pl_str_starts(name, "cudaFunc") || pl_str_starts(name, "cudaOccupancy");
}

/* A call in a body is the model's to see. */
static enum CXChildVisitResult look_at(CXCursor cursor, CXCursor parent,
                                       CXClientData data) {
  const use_walk *up = data;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  use_walk w = *up;
  (void)parent;
  if (kind == CXCursor_UsingDeclaration)
    return CXChildVisit_Continue;
  w.names = is_use(kind) && is_callee(up, cursor);
  if (is_use(kind) &&
      (up->outside || (kind != CXCursor_CallExpr && !w.names)) &&
      !is_question(up->f, up))
    mark(up->f, cursor);
  w.called = kind == CXCursor_CallExpr || (up->called && is_wrapper(kind));
  if (kind == CXCursor_CallExpr)
    w.callee = clang_getCursorReferenced(cursor);
  w.outside =
      up->outside || is_record_kind(kind) || kind == CXCursor_ParmDecl;
  pl_fe_visit_children(up->f, cursor, look_at, &w);
  return CXChildVisit_Continue;
}

static enum CXChildVisitResult look_at_part(CXCursor cursor, CXCursor parent,
                                            CXClientData data) {
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  bool body = kind == CXCursor_CompoundStmt || kind == CXCursor_CXXTryStmt;
  use_walk w = {.f = data, .outside = !body};
  look_at(cursor, parent, &w);
  return CXChildVisit_Continue;
}

/* ---- instantiations -------------------------------------------------------- */

static enum CXChildVisitResult note_instance(CXCursor cursor, CXCursor parent,
                                             CXClientData data) {
  pl_fe *f = data;
  uint32_t at;
  if (is_scope(clang_getCursorKind(parent)) &&
      pl_fe_locate(f, clang_getCursorLocation(cursor), &at) == PLACE_SYSTEM)
    return CXChildVisit_Continue;
  if (is_function_kind(clang_getCursorKind(cursor)))
    pl_fe_instance_decl(f, cursor);
  if (!is_use(clang_getCursorKind(cursor)))
    return CXChildVisit_Recurse;
  CXCursor target = clang_getCursorReferenced(cursor);
  pl_fe_instance_decl(f, target);
  if (clang_getCursorKind(target) == CXCursor_VarDecl &&
      !clang_Cursor_isNull(clang_getSpecializedCursorTemplate(target)) &&
      !clang_equalCursors(target, parent))
    pl_fe_visit_children(f, target, note_instance, f);
  return CXChildVisit_Recurse;
}

void pl_fe_note_instances(pl_fe *f) {
  bool any = false;
  for (uint32_t i = 0; i < f->unit->nfuncs && !any; i++)
    any = f->unit->funcs[i]->ntemplate_params > 0;
  if (any)
    pl_fe_visit_children(f, clang_getTranslationUnitCursor(f->tu),
                         note_instance, f);
}

enum CXChildVisitResult pl_fe_note_uses(CXCursor cursor, CXCursor parent,
                                        CXClientData data) {
  pl_fe *f = data;
  uint32_t at;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  use_walk w = {.f = f, .outside = true};
  if (pl_fe_locate(f, clang_getCursorLocation(cursor), &at) == PLACE_SYSTEM)
    return CXChildVisit_Continue;
  if (is_function_kind(kind))
    pl_fe_visit_children(f, cursor, look_at_part, f);
  else if (is_scope(kind))
    pl_fe_visit_children(f, cursor, pl_fe_note_uses, f);
  else
    look_at(cursor, parent, &w);
  return CXChildVisit_Continue;
}
