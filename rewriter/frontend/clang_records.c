/* clang_records.c - code that runs where no text of it stands: constructors,
 * destructors and assignments of a record, members' initialisers. */
#include "clang_parts.h"

#include <string.h>

typedef struct origin_walk {
  pl_fe *f;
  pl_origin origin;
} origin_walk;

pl_origin pl_fe_origin_of_name(pl_fe *f, CXCursor cursor) {
  const pl_decl *decl = pl_fe_decl_for(f, clang_getCursorReferenced(cursor));
  int64_t value;
  if (!decl || decl->kind != PL_DECL_VAR || decl->is_constant_memory ||
      (decl->type && decl->type->is_const && decl->is_user) ||
      pl_fe_evaluate_int(cursor, &value))
    return PL_ORIGIN_NUMBERS;
  if (decl->is_user)
    return PL_ORIGIN_CODE;
  return pl_str_is(decl->name, "threadIdx") ? PL_ORIGIN_THREAD
                                            : PL_ORIGIN_NUMBERS;
}

/* Whether the constructors of members and bases may run in an object of the user's that
 * no text makes but `R()`, or braces. */
static bool begins_silently(pl_fe *f, CXCursor cursor) {
  const pl_type *type = pl_fe_type_for(f, clang_getCursorType(cursor));
  while (type && type->kind == PL_TYPE_ARRAY)
    type = type->element;
  return type && type->kind == PL_TYPE_RECORD && type->is_user && !type->is_open &&
         !type->is_trivially_copyable;
}

/* A function, or a constructor of the user's, does what it likes; `Op()` of a
 * template's own parameter is settled by nobody yet. */
static bool calls_code(pl_fe *f, CXCursor cursor) {
  CXCursor target = clang_getCursorReferenced(cursor);
  uint32_t at;
  if (clang_Cursor_isNull(target))
    return false;
  return clang_getCursorKind(target) != CXCursor_Constructor ||
         (clang_Cursor_getNumArguments(cursor) == 0 && begins_silently(f, cursor)) ||
         (!clang_CXXMethod_isDefaulted(target) &&
          pl_fe_locate(f, clang_getCursorLocation(target), &at) !=
              PLACE_SYSTEM);
}

static enum CXChildVisitResult note_child(CXCursor cursor, CXCursor parent,
                                          CXClientData data) {
  (void)cursor, (void)parent;
  *(bool *)data = true;
  return CXChildVisit_Break;
}

/* `T()` of an instantiation in which T is a number: zero. (Of __builtin_LINE() clang
 * shows no more than of that.) */
static bool is_value_initialised(pl_fe *f, CXCursor cursor) {
  CXFile file;
  clang_getFileLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
  pl_str text = pl_fe_file_text(f, cursor);
  return pl_fe_is_number(clang_getCursorType(cursor)) &&
         pl_fe_header_place(cursor, file).end && text.n > 2 &&
         text.p[text.n - 1] == ')' &&
         (text.p[text.n - 2] == '(' || text.p[text.n - 2] == ' ') &&
         !pl_str_starts(text, "__");
}

/* An operator of numbers that neither changes one nor reads what a pointer leads to. */
static bool only_computes(CXCursor cursor) {
  switch (clang_getCursorUnaryOperatorKind(cursor)) {
  case CXUnaryOperator_PostInc: case CXUnaryOperator_PostDec:
  case CXUnaryOperator_PreInc:  case CXUnaryOperator_PreDec:
  case CXUnaryOperator_Deref:
    return false;
  default:
    break;
  }
  enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
  return kind < CXBinaryOperator_Assign || kind == CXBinaryOperator_Comma;
}

static enum CXChildVisitResult note_origin(CXCursor cursor, CXCursor parent,
                                           CXClientData data) {
  origin_walk *w = data;
  pl_origin origin = PL_ORIGIN_NUMBERS;
  bool inside = false;
  (void)parent;
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_CallExpr:
    origin = calls_code(w->f, cursor) ? PL_ORIGIN_CODE : PL_ORIGIN_NUMBERS;
    break;
  case CXCursor_DeclRefExpr:
    origin = pl_fe_origin_of_name(w->f, cursor);
    break;
  case CXCursor_InitListExpr:
    origin = pl_fe_hides_conversion(w->f, cursor) || begins_silently(w->f, cursor)
                 ? PL_ORIGIN_CODE
                 : PL_ORIGIN_NUMBERS;
    break;
  case CXCursor_OverloadedDeclRef:
  case CXCursor_LambdaExpr:
  case CXCursor_CXXThisExpr:
  case CXCursor_ArraySubscriptExpr:
  case CXCursor_CompoundAssignOperator:
  case CXCursor_CXXNewExpr:
  case CXCursor_StmtExpr:
    origin = PL_ORIGIN_CODE;
    break;
  case CXCursor_BinaryOperator:
  case CXCursor_UnaryOperator:
    origin = only_computes(cursor) ? PL_ORIGIN_NUMBERS : PL_ORIGIN_CODE;
    break;
  case CXCursor_UnexposedExpr:
    clang_visitChildren(cursor, note_child, &inside);
    origin = inside || is_value_initialised(w->f, cursor) ? PL_ORIGIN_NUMBERS
                                                          : PL_ORIGIN_CODE;
    break;
  default:
    break;
  }
  w->origin = origin > w->origin ? origin : w->origin;
  return CXChildVisit_Recurse;
}

pl_origin pl_fe_origin_of_initialiser(pl_fe *f, CXCursor cursor) {
  origin_walk w = {f, PL_ORIGIN_NUMBERS};
  clang_visitChildren(cursor, note_origin, &w);
  return w.origin;
}

static enum CXChildVisitResult note_member(CXCursor cursor, CXCursor parent,
                                           CXClientData data);

/* A record, and the one that it is a base or a field of. */
typedef struct record_walk {
  pl_fe *f;
  pl_type *type;
  CXCursor record;
  const struct record_walk *outer;
} record_walk;

static void note_members(pl_fe *f, pl_type *type, CXCursor record,
                         const record_walk *outer);

/* Copies and ends of an implicit instantiation are those of its template: of its
 * own members clang shows the fields alone. */
static void note_template(pl_fe *f, pl_type *type, CXCursor record) {
  CXCursor pattern = clang_getSpecializedCursorTemplate(record);
  pl_type of_template = {0};
  if (clang_Cursor_isNull(pattern))
    return;
  note_members(f, &of_template, pattern, NULL);
  type->runs_code |= of_template.runs_code;
  type->copies_by_code |= of_template.copies_by_code;
  type->has_own_address |= of_template.has_own_address;
  type->has_conversions |= of_template.has_conversions;
}

/* What the user's code does when a record is made, copied, combined or ends:
 * by its own members, and by those of its bases and fields. A template may have
 * itself, with other arguments, for a base. */
static void note_members(pl_fe *f, pl_type *type, CXCursor record,
                         const record_walk *outer) {
  record_walk walk = {f, type, clang_getCursorDefinition(record), outer};
  if (clang_Cursor_isNull(walk.record))
    return;
  for (const record_walk *up = outer; up; up = up->outer)
    if (clang_equalCursors(up->record, walk.record))
      return;
  clang_visitChildren(walk.record, note_member, &walk);
  note_template(f, type, walk.record);
}

static void note_constructor(pl_fe *f, pl_type *type, CXCursor cursor) {
  type->has_constructors = true;
  type->made_by_code |= !pl_fe_only_sets_members(f, cursor);
  type->runs_code |= clang_CXXConstructor_isCopyConstructor(cursor) ||
                     clang_CXXConstructor_isMoveConstructor(cursor);
}

static enum CXChildVisitResult note_parameter(CXCursor cursor, CXCursor parent,
                                              CXClientData data) {
  CXType type = clang_getCursorType(cursor);
  (void)parent;
  if (clang_getCursorKind(cursor) != CXCursor_ParmDecl)
    return CXChildVisit_Continue;
  CXString text = clang_getTypeSpelling(type);
  *(bool *)data = strchr(clang_getCString(text), '&') &&
                  !(type.kind == CXType_LValueReference &&
                    clang_isConstQualifiedType(clang_getPointeeType(type)));
  clang_disposeString(text);
  return CXChildVisit_Break;
}

/* Whether a template of a record's is preferred to what copies it, where the object that
 * is copied is no constant: it takes a reference to what it may change, `U &&` as well
 * ([over.ics.rank]; of two that are as good, the one that is no template is taken). */
static bool takes_copies(CXCursor of_template) {
  bool takes = false;
  clang_visitChildren(of_template, note_parameter, &takes);
  return takes;
}

/* Whether an operator= may be what copies an object of its class: its argument's type has
 * the class's name. (Another one is worse than the one that the compiler makes.) */
static bool takes_its_class(CXCursor method) {
  CXString name = clang_getCursorSpelling(clang_getCursorSemanticParent(method));
  CXType type = clang_getCursorType(clang_Cursor_getArgument(method, 0));
  CXString text = clang_getTypeSpelling(clang_getCanonicalType(type));
  const char *own = clang_getCString(name), *of_argument = clang_getCString(text);
  bool takes = !own || !*own || !of_argument || strstr(of_argument, own);
  clang_disposeString(text);
  clang_disposeString(name);
  return takes;
}

static void note_method(pl_type *type, CXCursor cursor) {
  CXString name = clang_getCursorSpelling(cursor);
  const char *text = clang_getCString(name);
  bool assigns = text && strcmp(text, "operator=") == 0;
  bool is_template = clang_getCursorKind(cursor) == CXCursor_FunctionTemplate;
  type->has_operators |= text && strncmp(text, "operator", 8) == 0 &&
                         strcmp(text, "operator()") != 0;
  type->has_conversions |= text && strncmp(text, "operator ", 9) == 0;
  type->runs_code |= assigns && is_template && takes_copies(cursor);
  type->copies_by_code |= (assigns && !is_template && takes_its_class(cursor)) ||
                          clang_CXXMethod_isVirtual(cursor);
  type->has_own_address |= text && strcmp(text, "operator&") == 0 &&
                           clang_Cursor_getNumArguments(cursor) == 0;
  clang_disposeString(name);
}

/* A member that is a reference, to a number or to something else. */
static void note_reference(pl_type *type, CXType held) {
  bool reference = held.kind == CXType_LValueReference ||
                   held.kind == CXType_RValueReference;
  CXType to = clang_getPointeeType(held);
  type->has_references |= reference;
  type->has_number_references |= reference && clang_getArraySize(to) < 0 &&
                                 to.kind != CXType_Record;
}

static enum CXChildVisitResult note_member(CXCursor cursor, CXCursor parent,
                                           CXClientData data) {
  const record_walk *walk = data;
  pl_type *type = walk->type;
  CXType held = clang_getCanonicalType(clang_getCursorType(cursor));
  bool own = clang_CXXMethod_isDefaulted(cursor) == 0;
  (void)parent;
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_PackedAttr:
    type->is_packed = true;
    break;
  case CXCursor_Destructor:
    type->runs_code |= own;
    break;
  case CXCursor_Constructor:
    if (own)
      note_constructor(walk->f, type, cursor);
    break;
  case CXCursor_FunctionTemplate:
    if (clang_getTemplateCursorKind(cursor) == CXCursor_Constructor) {
      type->made_by_code = true;
      type->runs_code |= takes_copies(cursor);
    } else {
      note_method(type, cursor);
    }
    break;
  case CXCursor_CXXMethod:
  case CXCursor_ConversionFunction:
    if (own)
      note_method(type, cursor);
    break;
  case CXCursor_CXXBaseSpecifier:
    type->made_by_code = true;
    note_members(walk->f, type, clang_getTypeDeclaration(held), walk);
    break;
  case CXCursor_FieldDecl:
    note_reference(type, held);
    type->begins_by_code |=
        pl_fe_origin_of_initialiser(walk->f, cursor) != PL_ORIGIN_NUMBERS;
    while (clang_getArraySize(held) >= 0)
      held = clang_getCanonicalType(clang_getArrayElementType(held));
    type->has_volatile |= clang_isVolatileQualifiedType(held) != 0;
    if (held.kind == CXType_Record)
      note_members(walk->f, type, clang_getTypeDeclaration(held), walk);
    else if (held.kind == CXType_Unexposed || held.kind == CXType_Dependent)
      type->has_open_fields |= type->kind == PL_TYPE_DEPENDENT;
    break;
  default:
    break;
  }
  return CXChildVisit_Continue;
}

/* ---- ends ------------------------------------------------------------------ */

#define MOST_RECORDS 256 /* in one: of more, the end counts as code */

typedef struct end_walk {
  pl_fe *f;
  int looked_at;
  bool runs_code;
} end_walk;

static void look_at_end(end_walk *w, CXCursor record);

static enum CXChildVisitResult look_for_end(CXCursor cursor, CXCursor parent,
                                            CXClientData data) {
  end_walk *w = data;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  CXType held = clang_getCanonicalType(clang_getCursorType(cursor));
  (void)parent;
  while (clang_getArraySize(held) >= 0)
    held = clang_getCanonicalType(clang_getArrayElementType(held));
  if (kind == CXCursor_Destructor)
    w->runs_code |= clang_CXXMethod_isDefaulted(cursor) == 0;
  else if (kind == CXCursor_CXXBaseSpecifier || kind == CXCursor_FieldDecl)
    look_at_end(w, clang_getTypeDeclaration(held));
  return w->runs_code ? CXChildVisit_Break : CXChildVisit_Continue;
}

/* An implicit instantiation shows its fields, the template the rest. */
static void look_at_end(end_walk *w, CXCursor record) {
  uint32_t at;
  record = clang_getCursorDefinition(record);
  if (clang_Cursor_isNull(record) || w->runs_code ||
      pl_fe_locate(w->f, clang_getCursorLocation(record), &at) == PLACE_SYSTEM)
    return;
  CXCursor pattern = clang_getSpecializedCursorTemplate(record);
  w->runs_code = ++w->looked_at > MOST_RECORDS;
  if (!w->runs_code)
    clang_visitChildren(record, look_for_end, w);
  if (!clang_Cursor_isNull(pattern))
    look_at_end(w, pattern);
}

/* ---- records that constructors make like numbers --------------------------- */

/* A record of which a copy is one of its bits, and that no code begins unless it is told
 * to, by a constructor that is looked at where it is named: a union is one, of such, that
 * has no constructors. */
static bool is_plain_field(const pl_type *type) {
  return type->is_trivially_copyable ||
         (type->is_union && type->holds_plainly && !type->has_constructors);
}

typedef struct field_walk {
  pl_fe *f;
  bool plain;
} field_walk;

static enum CXVisitorResult look_at_field(CXCursor field, CXClientData data) {
  field_walk *w = data;
  CXType held = clang_getCanonicalType(clang_getCursorType(field));
  while (clang_getArraySize(held) >= 0)
    held = clang_getCanonicalType(clang_getArrayElementType(held));
  const pl_type *type =
      held.kind == CXType_Record ? pl_fe_type_for(w->f, held) : NULL;
  w->plain = w->plain && held.kind != CXType_LValueReference &&
             held.kind != CXType_RValueReference &&
             (!type || is_plain_field(type));
  return w->plain ? CXVisit_Continue : CXVisit_Break;
}

/* Whether all constructors of a record, if it has any, compute it from their
 * arguments, its members begin as numbers, and it is copied as it is. An implicit
 * instantiation shows no members but its fields: the others are those of the
 * template. */
static bool is_made_plainly(pl_fe *f, pl_type *type, CXType canonical,
                            CXCursor record) {
  CXCursor pattern = clang_getSpecializedCursorTemplate(record);
  pl_type of_template = *type;
  field_walk w = {f, true};
  if (!clang_Cursor_isNull(pattern))
    note_members(f, &of_template, pattern, NULL);
  clang_Type_visitFields(canonical, look_at_field, &w);
  type->holds_plainly = w.plain && !of_template.runs_code &&
                        !of_template.copies_by_code &&
                        !of_template.begins_by_code;
  return type->holds_plainly && !of_template.made_by_code;
}

/* ---- what members begin as ------------------------------------------------- */

typedef struct beginning_walk {
  pl_fe *f;
  pl_type *type;
  CXCursor pattern; /* the template that it is an instantiation of */
  pl_str name;
  CXCursor found;
  size_t cap;
} beginning_walk;

static enum CXChildVisitResult find_value(CXCursor cursor, CXCursor parent, CXClientData data) {
  beginning_walk *w = data;
  (void)parent;
  if (clang_isExpression(clang_getCursorKind(cursor)))
    w->found = cursor;
  return CXChildVisit_Continue;
}

/* The field of the template that is called so, and its value. */
static enum CXChildVisitResult find_field(CXCursor cursor, CXCursor parent, CXClientData data) {
  beginning_walk *w = data;
  (void)parent;
  if (clang_getCursorKind(cursor) == CXCursor_FieldDecl &&
      pl_str_eq(pl_fe_take_string(w->f, clang_getCursorSpelling(cursor)), w->name))
    clang_visitChildren(cursor, find_value, w);
  return CXChildVisit_Continue;
}

static enum CXVisitorResult note_beginning(CXCursor field, CXClientData data) {
  beginning_walk *w = data;
  const pl_decl *decl = pl_fe_decl_for(w->f, field);
  if (!decl || !decl->type || decl->type->kind == PL_TYPE_ARRAY)
    return CXVisit_Continue;
  w->found = clang_getNullCursor();
  clang_visitChildren(field, find_value, w);
  if (clang_Cursor_isNull(w->found) && !clang_Cursor_isNull(w->pattern)) {
    w->name = decl->name;
    clang_visitChildren(w->pattern, find_field, w);
  }
  pl_member_init begin = {decl, NULL};
  if (!clang_Cursor_isNull(w->found))
    begin.value = pl_fe_build_node(w->f, w->found);
  size_t n = w->type->nbegins;
  if (begin.value || decl->type->nbegins)
    PL_PUSH(w->f->arena, w->type->begins, n, w->cap, begin);
  w->type->nbegins = (uint32_t)n;
  return CXVisit_Continue;
}

void pl_fe_fill_record(pl_fe *f, pl_type *type, CXType canonical) {
  uint32_t at;
  if (type->kind != PL_TYPE_RECORD && type->kind != PL_TYPE_DEPENDENT)
    return;
  CXCursor record = clang_getTypeDeclaration(canonical);
  enum CXCursorKind kind = clang_getCursorKind(record);
  type->is_union = pl_fe_is_union(record);
  type->is_user =
      (kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl ||
       kind == CXCursor_UnionDecl || kind == CXCursor_ClassTemplate ||
       kind == CXCursor_ClassTemplatePartialSpecialization) &&
      pl_fe_locate(f, clang_getCursorLocation(record), &at) != PLACE_SYSTEM;
  if (type->is_user) {
    end_walk end = {.f = f};
    note_members(f, type, record, NULL);
    look_at_end(&end, record);
    type->ends_by_code = end.runs_code;
    beginning_walk begin = {.f = f, .type = type,
                            .pattern = clang_getSpecializedCursorTemplate(record)};
    if (!type->is_union && !type->has_constructors)
      clang_Type_visitFields(canonical, note_beginning, &begin);
  }
  type->made_plainly = type->is_user && type->size > 0 &&
                       is_made_plainly(f, type, canonical, record) &&
                       !type->is_union;
  type->is_trivially_copyable |= type->made_plainly;
  if (type->is_user && !type->is_union)
    pl_fe_fill_makings(f, type, canonical);
}
