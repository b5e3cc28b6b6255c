/* clang_constructors.c - constructors that do no more than set their object.
 *
 * Needs: the text of a constructor. Gives: whether it computes the members from its
 * arguments and numbers, so that what it makes is a value like any other. */
#include "clang_parts.h"

bool pl_fe_is_reference(CXType type) {
  return type.kind == CXType_LValueReference ||
         type.kind == CXType_RValueReference;
}

bool pl_fe_only_holds(pl_fe *f, CXCursor cursor) {
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_InitListExpr:
    return !pl_fe_hides_conversion(f, cursor);
  case CXCursor_IntegerLiteral:
  case CXCursor_FloatingLiteral:
  case CXCursor_CharacterLiteral:
  case CXCursor_CXXBoolLiteralExpr:
  case CXCursor_CXXNullPtrLiteralExpr:
  case CXCursor_ParenExpr:
  case CXCursor_ConditionalOperator:
  case CXCursor_CXXThisExpr:
  case CXCursor_TypeRef:
  case CXCursor_TemplateRef:
  case CXCursor_NamespaceRef:
    return true;
  default:
    return false;
  }
}

typedef struct setting_walk {
  pl_fe *f;
  bool plain;
  pl_decl *decl; /* gets the calls; NULL: there may be none */
} setting_walk;

static bool look_within(pl_fe *f, CXCursor cursor, pl_decl *decl);

/* A field that holds its value itself; a static member is a variable like any. */
static bool names_value(CXCursor member) {
  CXCursor field = clang_getCursorReferenced(member);
  return !clang_Cursor_isNull(field) &&
         clang_getCursorKind(field) == CXCursor_FieldDecl &&
         !pl_fe_is_reference(clang_getCursorType(field));
}

static bool is_pointer(CXCursor cursor) {
  return clang_getCanonicalType(clang_getCursorType(cursor)).kind ==
         CXType_Pointer;
}

/* A member of the object that is made, or of an argument; not one that a pointer
 * leads to. */
static bool is_own_member(pl_fe *f, CXCursor cursor) {
  size_t n;
  CXCursor object = pl_fe_child(f, cursor, 0, &n);
  return names_value(cursor) &&
         (n == 0 || clang_getCursorKind(object) == CXCursor_CXXThisExpr ||
          !is_pointer(object));
}

static bool is_plain_operator(CXCursor cursor) {
  enum CXBinaryOperatorKind two = clang_getCursorBinaryOperatorKind(cursor);
  switch (clang_getCursorUnaryOperatorKind(cursor)) {
  case CXUnaryOperator_Plus:
  case CXUnaryOperator_Minus:
  case CXUnaryOperator_Not:
  case CXUnaryOperator_LNot:
    return true;
  default:
    return two >= CXBinaryOperator_Mul && two <= CXBinaryOperator_LOr;
  }
}

/* A record of numbers that is copied as it is, or a base that is made of values. */
static bool is_plain_copy(const setting_walk *w, CXCursor cursor) {
  CXCursor target = clang_getCursorReferenced(cursor);
  uint32_t at;
  return !clang_Cursor_isNull(target) &&
         clang_getCursorKind(target) == CXCursor_Constructor &&
         (clang_CXXMethod_isDefaulted(target) ||
          pl_fe_locate(w->f, clang_getCursorLocation(target), &at) ==
              PLACE_SYSTEM ||
          look_within(w->f, target, w->decl));
}

/* `bits_of(x)`, of values: what it does is asked of the function. */
static bool note_call(setting_walk *w, CXCursor cursor) {
  CXCursor target = clang_getCursorReferenced(cursor);
  if (!w->decl || clang_Cursor_isNull(target) ||
      clang_getCursorKind(target) != CXCursor_FunctionDecl)
    return false;
  size_t cap = w->decl->ncalls, n = cap;
  PL_PUSH(w->f->arena, w->decl->calls, n, cap, pl_fe_build_call(w->f, cursor));
  w->decl->ncalls = (uint32_t)n;
  return true;
}

static bool is_plain_part(setting_walk *w, CXCursor cursor) {
  pl_fe *f = w->f;
  size_t n;
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_UnexposedExpr:
    pl_fe_child(f, cursor, 0, &n);
    return n > 0;
  case CXCursor_CStyleCastExpr:
  case CXCursor_CXXStaticCastExpr:
  case CXCursor_CXXFunctionalCastExpr:
    return !is_pointer(cursor);
  case CXCursor_DeclRefExpr:
    return pl_fe_origin_of_name(f, cursor) == PL_ORIGIN_NUMBERS;
  case CXCursor_MemberRef:
    return names_value(cursor);
  case CXCursor_MemberRefExpr:
    return is_own_member(f, cursor);
  case CXCursor_UnaryOperator:
  case CXCursor_BinaryOperator:
    return is_plain_operator(cursor);
  case CXCursor_CallExpr:
    return is_plain_copy(w, cursor) || note_call(w, cursor);
  default:
    return pl_fe_only_holds(f, cursor);
  }
}

static enum CXChildVisitResult look_at_part(CXCursor cursor, CXCursor parent,
                                            CXClientData data) {
  setting_walk *w = data;
  (void)parent;
  w->plain = w->plain && is_plain_part(w, cursor);
  return w->plain ? CXChildVisit_Recurse : CXChildVisit_Break;
}

static bool is_plain_value(const setting_walk *of, CXCursor cursor) {
  setting_walk w = *of;
  w.plain = is_plain_part(&w, cursor);
  clang_visitChildren(cursor, look_at_part, &w);
  return w.plain;
}

/* A member of the object that is made, not of an argument: one that is mutable can
 * be set there, too. */
static bool is_of_this(pl_fe *f, CXCursor cursor) {
  size_t n = 1;
  while (n && clang_getCursorKind(cursor) == CXCursor_MemberRefExpr) {
    CXCursor object = pl_fe_child(f, cursor, 0, &n);
    cursor = n ? object : cursor;
  }
  return !n || clang_getCursorKind(cursor) == CXCursor_CXXThisExpr;
}

/* `re = r;` */
static bool sets_member(const setting_walk *w, CXCursor cursor) {
  size_t n;
  CXCursor target = pl_fe_child(w->f, cursor, 0, &n);
  CXCursor value = pl_fe_child(w->f, cursor, 1, &n);
  return clang_getCursorBinaryOperatorKind(cursor) == CXBinaryOperator_Assign &&
         clang_getCursorKind(target) == CXCursor_MemberRefExpr &&
         is_of_this(w->f, target) && is_plain_value(w, target) &&
         is_plain_value(w, value);
}

/* One that sets a member, or that chooses by a value between such. */
static enum CXChildVisitResult look_at_statement(CXCursor cursor,
                                                 CXCursor parent,
                                                 CXClientData data) {
  setting_walk *w = data;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  bool inside = kind == CXCursor_IfStmt || kind == CXCursor_CompoundStmt;
  bool condition = clang_getCursorKind(parent) == CXCursor_IfStmt &&
                   clang_isExpression(kind) && is_plain_value(w, cursor);
  w->plain = w->plain && (inside || condition || sets_member(w, cursor));
  return !w->plain ? CXChildVisit_Break
         : inside  ? CXChildVisit_Recurse
                   : CXChildVisit_Continue;
}

/* A parameter is a value, or names one that it cannot change. */
static bool is_plain_parameter(pl_fe *f, CXCursor cursor) {
  CXType type = clang_getCursorType(cursor);
  return (!pl_fe_is_reference(type) ||
          (type.kind == CXType_LValueReference &&
           clang_isConstQualifiedType(clang_getPointeeType(type)))) &&
         pl_fe_origin_of_initialiser(f, cursor) == PL_ORIGIN_NUMBERS;
}

static enum CXChildVisitResult look_at_child(CXCursor cursor, CXCursor parent,
                                             CXClientData data) {
  setting_walk *w = data;
  (void)parent;
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_ParmDecl:
    w->plain = w->plain && is_plain_parameter(w->f, cursor);
    break;
  case CXCursor_CompoundStmt:
    clang_visitChildren(cursor, look_at_statement, w);
    break;
  default:
    if (clang_isExpression(clang_getCursorKind(cursor)) ||
        clang_isReference(clang_getCursorKind(cursor)))
      w->plain = w->plain && is_plain_value(w, cursor);
    else
      w->plain = w->plain && clang_isAttribute(clang_getCursorKind(cursor));
  }
  return w->plain ? CXChildVisit_Continue : CXChildVisit_Break;
}

static enum CXChildVisitResult look_at_member(CXCursor cursor, CXCursor parent,
                                              CXClientData data) {
  setting_walk *w = data;
  (void)parent;
  if (clang_getCursorKind(cursor) == CXCursor_FieldDecl &&
      pl_fe_is_reference(clang_getCursorType(cursor)))
    w->plain = false;
  return w->plain ? CXChildVisit_Continue : CXChildVisit_Break;
}

/* Bases, and the initialisers of a constructor that make them. */
typedef struct base_walk {
  pl_fe *f;
  pl_decl *decl; /* gets the calls */
  unsigned listed, plain;
  bool of_member; /* the next initialiser is a member's */
} base_walk;

static enum CXChildVisitResult count_base(CXCursor cursor, CXCursor parent,
                                          CXClientData data) {
  base_walk *w = data;
  (void)parent;
  w->listed += clang_getCursorKind(cursor) == CXCursor_CXXBaseSpecifier;
  return CXChildVisit_Continue;
}

/* A base's constructor that only sets members, of a base that is a value. */
static bool is_plain_base(const base_walk *w, CXCursor constructor) {
  CXCursor record = clang_getCursorSemanticParent(constructor);
  const pl_type *type =
      clang_getCursorKind(constructor) == CXCursor_Constructor
          ? pl_fe_type_for(w->f, clang_getCursorType(record))
          : NULL;
  return type && type->holds_plainly && look_within(w->f, constructor, w->decl);
}

static enum CXChildVisitResult count_plain_base(CXCursor cursor, CXCursor parent,
                                                CXClientData data) {
  base_walk *w = data;
  (void)parent;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind == CXCursor_CallExpr && !w->of_member)
    w->plain += is_plain_base(w, clang_getCursorReferenced(cursor));
  if (kind == CXCursor_MemberRef || clang_isExpression(kind))
    w->of_member = kind == CXCursor_MemberRef;
  return CXChildVisit_Continue;
}

/* Whether a constructor makes every base of its record, which the template's text
 * lists, by one that only sets members: which those are an instantiation says. */
static bool makes_bases_plainly(const setting_walk *of, CXCursor cursor,
                                CXCursor in_text) {
  base_walk w = {.f = of->f, .decl = of->decl};
  clang_visitChildren(clang_getCursorSemanticParent(in_text), count_base, &w);
  CXCursor own = clang_getCursorDefinition(cursor);
  if (w.listed && !clang_Cursor_isNull(own))
    clang_visitChildren(own, count_plain_base, &w);
  return w.plain == w.listed;
}

/* Constructors that are made from others are looked at so far: one may name itself,
 * `Size(int n) : v(n ? Size(n / 2).v : 0)`. */
enum { MOST_CONSTRUCTORS_WITHIN = 8 };

static bool only_sets_members(pl_fe *f, CXCursor cursor, pl_decl *decl) {
  CXCursor pattern = clang_getSpecializedCursorTemplate(cursor);
  CXCursor in_text = clang_Cursor_isNull(pattern) ? cursor : pattern;
  CXCursor own = clang_getCursorDefinition(cursor);
  CXCursor text = clang_Cursor_isNull(own) ? clang_getCursorDefinition(in_text) : own;
  setting_walk w = {f, !clang_Cursor_isNull(text) &&
                           clang_getCursorKind(text) == CXCursor_Constructor,
                    decl};
  CXCursor record = clang_getCursorSemanticParent(text);
  if (!w.plain || !makes_bases_plainly(&w, cursor, in_text))
    return false;
  clang_visitChildren(record, look_at_member, &w);
  if (w.plain)
    clang_visitChildren(text, look_at_child, &w);
  return w.plain;
}

/* (Of an instantiation, by its own text; where that is not made, by its template's.) */
static bool look_within(pl_fe *f, CXCursor cursor, pl_decl *decl) {
  if (f->constructors_within >= MOST_CONSTRUCTORS_WITHIN)
    return false;
  f->constructors_within++;
  bool sets = only_sets_members(f, cursor, decl);
  f->constructors_within--;
  return sets;
}

bool pl_fe_only_sets_members(pl_fe *f, CXCursor cursor) {
  return look_within(f, cursor, NULL);
}

void pl_fe_look_at_making(pl_fe *f, CXCursor cursor, pl_decl *decl) {
  int within = f->constructors_within; /* what others are made of is no part of it */
  f->constructors_within = 0;
  decl->sets_members_alone = look_within(f, cursor, decl);
  f->constructors_within = within;
}
