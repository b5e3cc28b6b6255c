/* clang_names.c - what a name refers to, overloads and specialised members
 * included. */
#include "clang_parts.h"

typedef struct child_walk {
  enum CXCursorKind kind;
  CXCursor found;
} child_walk;

static enum CXChildVisitResult find_child(CXCursor cursor, CXCursor parent,
                                          CXClientData data) {
  child_walk *w = data;
  (void)parent;
  if (clang_getCursorKind(cursor) != w->kind)
    return CXChildVisit_Continue;
  w->found = cursor;
  return CXChildVisit_Break;
}

CXCursor pl_fe_child_of_kind(CXCursor cursor, enum CXCursorKind kind) {
  child_walk w = {kind, clang_getNullCursor()};
  clang_visitChildren(cursor, find_child, &w);
  return w.found;
}

pl_decl *pl_fe_choose_overload(pl_fe *f, CXCursor overloads) {
  unsigned n = clang_getNumOverloadedDecls(overloads);
  pl_decl *library = NULL, *own = NULL;
  for (unsigned i = 0; i < n && i < 64; i++) {
    CXCursor cursor = clang_getOverloadedDecl(overloads, i);
    uint32_t at;
    if (pl_fe_locate(f, clang_getCursorLocation(cursor), &at) == PLACE_SYSTEM) {
      library = library ? library : pl_fe_decl_for(f, cursor);
      continue;
    }
    pl_decl *decl = pl_fe_decl_for(f, cursor);
    if (own && own != decl)
      return NULL;
    own = decl;
  }
  return own ? own : library;
}

pl_str pl_fe_last_identifier(const pl_unit *unit, pl_range range) {
  pl_str name = {NULL, 0};
  for (uint32_t i = pl_token_from(unit, range.begin);
       i < unit->ntokens && unit->tokens[i].range.end <= range.end; i++)
    if (unit->tokens[i].kind == PL_TOK_IDENT)
      name = pl_token_text(unit, i);
  return name;
}

/* Whether a method is written out for some arguments: its instantiations stand
 * where the pattern does. */
static bool is_written_anew(CXCursor method, CXCursor pattern) {
  CXSourceLocation at = clang_getCursorLocation(method);
  CXCursor body = clang_getCursorDefinition(pattern);
  return !clang_equalLocations(at, clang_getCursorLocation(pattern)) &&
         (clang_Cursor_isNull(body) ||
          !clang_equalLocations(at, clang_getCursorLocation(body)));
}

/* Where a pattern is in the set of those that are specialised, or would be. */
static size_t specialized_slot(const pl_fe *f, CXCursor pattern) {
  size_t at = clang_hashCursor(pattern) * 0x9E3779B1u & (f->specialized_cap - 1);
  while (!clang_Cursor_isNull(f->specialized[at]) &&
         !clang_equalCursors(f->specialized[at], pattern))
    at = (at + 1) & (f->specialized_cap - 1);
  return at;
}

static void grow_specialized(pl_fe *f) {
  size_t old_cap = f->specialized_cap;
  CXCursor *old = f->specialized;
  f->specialized_cap = old_cap ? 2 * old_cap : 256;
  f->specialized = PL_NEW_ARRAY(f->arena, CXCursor, f->specialized_cap);
  for (size_t i = 0; i < f->specialized_cap; i++)
    f->specialized[i] = clang_getNullCursor();
  for (size_t i = 0; i < old_cap; i++)
    if (!clang_Cursor_isNull(old[i]))
      f->specialized[specialized_slot(f, old[i])] = old[i];
}

static void add_specialized(pl_fe *f, CXCursor pattern) {
  if (2 * f->nspecialized >= f->specialized_cap)
    grow_specialized(f);
  size_t at = specialized_slot(f, pattern);
  f->nspecialized += clang_Cursor_isNull(f->specialized[at]);
  f->specialized[at] = pattern;
}

static enum CXChildVisitResult
note_specialization(CXCursor cursor, CXCursor parent, CXClientData data) {
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  (void)parent;
  if (kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec)
    return CXChildVisit_Recurse;
  bool record = kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl ||
                kind == CXCursor_ClassTemplatePartialSpecialization;
  CXCursor of = record || kind == CXCursor_CXXMethod ||
                        kind == CXCursor_Constructor
                    ? clang_getSpecializedCursorTemplate(cursor)
                    : clang_getNullCursor();
  CXCursor pattern = clang_getCanonicalCursor(of);
  if (!clang_Cursor_isNull(of) && (record || is_written_anew(cursor, pattern)))
    add_specialized(data, pattern);
  return CXChildVisit_Continue;
}

/* (All are found in one walk, at the first question: a library asks often.) */
bool pl_fe_is_never_specialized(pl_fe *f, CXCursor pattern) {
  if (!f->specialized_cap) {
    grow_specialized(f);
    pl_fe_visit_children(f, clang_getTranslationUnitCursor(f->tu),
                         note_specialization, f);
  }
  size_t at = specialized_slot(f, clang_getCanonicalCursor(pattern));
  return clang_Cursor_isNull(f->specialized[at]);
}

/* What find_member looks for among the members of a class. */
typedef struct member_search {
  pl_str name;
  CXCursor plain, constant; /* the last that is no const method, that is one */
  unsigned nplain, nconstant;
} member_search;

static enum CXChildVisitResult find_member(CXCursor cursor, CXCursor parent,
                                           CXClientData data) {
  member_search *search = data;
  CXString name = clang_getCursorSpelling(cursor);
  const char *text = clang_getCString(name);
  (void)parent;
  if (clang_isDeclaration(clang_getCursorKind(cursor)) && text &&
      pl_str_is(search->name, text)) {
    bool constant = clang_CXXMethod_isConst(cursor) != 0;
    *(constant ? &search->constant : &search->plain) = cursor;
    search->nplain += !constant;
    search->nconstant += constant;
  }
  clang_disposeString(name);
  return CXChildVisit_Continue;
}

static bool same_parameters(CXCursor a, CXCursor b) {
  int n = clang_Cursor_getNumArguments(a);
  if (clang_getCursorKind(a) != CXCursor_CXXMethod || n < 0 ||
      n != clang_Cursor_getNumArguments(b))
    return false;
  for (unsigned i = 0; i < (unsigned)n; i++) {
    CXType x = clang_getCursorType(clang_Cursor_getArgument(a, i));
    CXType y = clang_getCursorType(clang_Cursor_getArgument(b, i));
    if (!clang_equalTypes(clang_getCanonicalType(x), clang_getCanonicalType(y)))
      return false;
  }
  return true;
}

bool pl_fe_is_local_record(CXCursor record) {
  enum CXCursorKind kind = clang_getCursorKind(record);
  return (kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl ||
          kind == CXCursor_UnionDecl) &&
         pl_fe_is_function_kind(pl_fe_decl_kind(
             clang_getCursorKind(clang_getCursorSemanticParent(record))));
}

CXCursor pl_fe_member_of_template(pl_fe *f, CXCursor record, pl_str name,
                                  pl_fe_object object) {
  CXCursor found = clang_getNullCursor();
  member_search search = {name, found, found, 0, 0};
  bool open = clang_getCursorKind(record) == CXCursor_ClassTemplate &&
              pl_fe_is_never_specialized(f, record);
  if (!name.n || (!open && !pl_fe_is_local_record(record)))
    return found;
  CXCursor definition = clang_getCursorDefinition(record);
  clang_visitChildren(definition, find_member, &search);
  bool pair = search.nplain == 1 && search.nconstant == 1;
  if (search.nplain + search.nconstant == 1)
    found = search.nplain ? search.plain : search.constant;
  else if (pair && object != PL_FE_OBJECT_UNKNOWN &&
           same_parameters(search.plain, search.constant))
    found = object == PL_FE_OBJECT_CONST ? search.constant : search.plain;
  bool method = clang_getCursorKind(found) == CXCursor_CXXMethod;
  return method && !pl_fe_is_never_specialized(f, found) ? clang_getNullCursor()
                                                   : found;
}

/* `Shape<16>::kDepth`: a constant of a class that a template makes is declared
 * where no text of it stands. */
static void take_member_value(pl_decl *decl, CXCursor target) {
  enum CXCursorKind scope =
      clang_getCursorKind(clang_getCursorSemanticParent(target));
  const pl_type *type = decl ? decl->type : NULL;
  if (!type || decl->kind != PL_DECL_VAR || decl->has_value || decl->node ||
      !type->is_const || type->is_volatile ||
      (type->kind != PL_TYPE_INT && type->kind != PL_TYPE_BOOL) ||
      (scope != CXCursor_StructDecl && scope != CXCursor_ClassDecl))
    return;
  decl->has_value = pl_fe_evaluate_int(target, &decl->value);
  decl->is_constexpr = decl->is_constexpr || decl->has_value;
}

/* What an instantiation has for `F` of `template <void (*F)()>`, or for `R` of
 * `template <int &R>`: clang shows the argument below the name. */
static CXCursor argument_below(pl_fe *f, CXCursor cursor) {
  bool address = false;
  if (!f->func || !f->func->pattern)
    return clang_getNullCursor();
  for (int i = 0; i < 8; i++) {
    CXCursor below = pl_fe_first_operand(f, cursor);
    enum CXCursorKind kind = clang_getCursorKind(below);
    if (clang_Cursor_isNull(below))
      break;
    cursor = below;
    address |= kind == CXCursor_UnaryOperator;
    if (kind != CXCursor_DeclRefExpr)
      continue;
    CXCursor target = clang_getCursorReferenced(below);
    kind = clang_getCursorKind(target);
    bool known = pl_fe_is_function_kind(pl_fe_decl_kind(kind)) ||
                 (kind == CXCursor_VarDecl && !address);
    return known ? target : clang_getNullCursor();
  }
  return clang_getNullCursor();
}

pl_node *pl_fe_build_ref(pl_fe *f, CXCursor cursor) {
  pl_node *node = pl_fe_new_node(f, PL_NODE_REF, cursor);
  CXCursor target = clang_getCursorReferenced(cursor);
  if (clang_getCursorKind(target) == CXCursor_OverloadedDeclRef)
    target = clang_getNullCursor();
  pl_decl *captured = pl_fe_captured(f, target);
  if (captured) {
    pl_fe_be_own_member(f, node, captured);
    return pl_fe_finish(f, node);
  }
  if (clang_Cursor_isNull(target) ||
      clang_isInvalid(clang_getCursorKind(target))) {
    CXCursor overloads = pl_fe_child_of_kind(cursor, CXCursor_OverloadedDeclRef);
    CXCursor argument = argument_below(f, cursor);
    if (!clang_Cursor_isNull(argument)) {
      node->decl = pl_fe_decl_for(f, argument);
      pl_fe_note_instance(f, argument);
    } else if (!clang_Cursor_isNull(overloads)) {
      node->name = pl_fe_take_string(f, clang_getCursorSpelling(overloads));
      node->decl = pl_fe_choose_overload(f, overloads);
    } else {
      CXCursor member = pl_fe_dependent_member(f, cursor, node->range);
      enum CXCursorKind kind = clang_getCursorKind(member);
      if (pl_fe_is_function_kind(pl_fe_decl_kind(kind)))
        node->decl = pl_fe_decl_for(f, member);
    }
  } else {
    node->decl = pl_fe_decl_for(f, target);
    take_member_value(node->decl, target);
    pl_fe_note_instance(f, target);
  }
  if (!node->name.n && node->decl)
    node->name = node->decl->name;
  if (!node->name.n)
    node->name = pl_fe_take_string(f, clang_getCursorSpelling(cursor));
  if (!node->name.n)
    node->name = pl_fe_dependent_name(f, node->range);
  if (node->decl && node->decl->has_value) {
    node->has_ival = true;
    node->ival = node->decl->value;
  }
  else if (!node->decl && f->func && f->func->pattern)
    node->has_ival = pl_fe_evaluate_int(cursor, &node->ival);
  if (!node->decl && !node->name.n && node->has_ival && f->header)
    node->kind = PL_NODE_INT; /* an argument, of which a header's text is not looked at */
  if (node->decl && node->decl->bound_in)
    pl_fe_become_part(f, node);
  return pl_fe_finish(f, node);
}
