/* clang_makings.c - what do the pointers and references in an object begin
 * with?
 *
 * Needs: the text of a record's constructors. Gives: for each way to make an
 * object, which arguments each of its pointers and references comes from.
 * Raises: nothing: what is not understood here is not known. */
#include "clang_parts.h"

/* ---- values -------------------------------------------------------------- */

/* A walk over what a constructor says. */
typedef struct making_walk {
  pl_fe *f;
  pl_making *making;
  CXCursor constructor;
  pl_beginning value; /* of the one at hand: arguments that it names */
  bool in_list;       /* it is what a member is initialised with */
} making_walk;

bool pl_fe_is_number(CXType type) {
  type = clang_getCanonicalType(type);
  if (pl_fe_is_reference(type))
    type = clang_getCanonicalType(clang_getPointeeType(type));
  return (type.kind >= CXType_FirstBuiltin && type.kind <= CXType_LastBuiltin &&
          type.kind != CXType_Dependent) ||
         type.kind == CXType_Enum;
}

static bool is_pointer_type(CXType type) {
  return clang_getCanonicalType(type).kind == CXType_Pointer;
}

CXType pl_fe_innermost(CXType held) {
  held = clang_getCanonicalType(held);
  while (clang_getArraySize(held) >= 0)
    held = clang_getCanonicalType(clang_getArrayElementType(held));
  return held;
}

/* (The type of a name is never a reference: that of what it names may be.) */
static bool is_address_member(pl_fe *f, CXCursor member) {
  return pl_fe_holds_address(f, clang_getCursorType(clang_getCursorReferenced(member)));
}

static int parameter_index(CXCursor constructor, CXCursor param) {
  int n = clang_Cursor_getNumArguments(constructor);
  for (int i = 0; i < n && i < 64; i++)
    if (clang_equalCursors(
            clang_Cursor_getArgument(constructor, (unsigned)i), param))
      return i;
  return -1;
}

/* A number, or what the toolkit declares, as threadIdx. */
static bool holds_no_address(pl_fe *f, CXCursor name, CXCursor named) {
  uint32_t at;
  return pl_fe_is_number(clang_getCursorType(name)) ||
         (!is_pointer_type(clang_getCursorType(name)) &&
          pl_fe_locate(f, clang_getCursorLocation(named), &at) == PLACE_SYSTEM);
}

static void note_name(making_walk *w, CXCursor cursor) {
  CXCursor named = clang_getCursorReferenced(cursor);
  int index = parameter_index(w->constructor, named);
  bool number = pl_fe_is_number(clang_getCursorType(cursor));
  CXType type = clang_getCanonicalType(clang_getCursorType(named));
  bool own = index < 0
                 ? pl_fe_origin_of_name(w->f, cursor) == PL_ORIGIN_NUMBERS
                 : !pl_fe_is_reference(type);
  w->making->is_plain = w->making->is_plain && (own || !number);
  if (index >= 0)
    w->value.from |= (uint64_t)1 << index;
  else
    w->value.is_known = w->value.is_known &&
                        holds_no_address(w->f, cursor, named);
}

/* The member of the object that is made which an lvalue is, or lies in: of
 * `this->rows[i]` the cursor of `rows`. */
static CXCursor own_member(pl_fe *f, CXCursor cursor) {
  for (int depth = 0; depth < 16; depth++) {
    size_t n;
    CXCursor base = pl_fe_child(f, cursor, 0, &n);
    switch (clang_getCursorKind(cursor)) {
    case CXCursor_MemberRefExpr:
      if (n == 0 || clang_getCursorKind(base) == CXCursor_CXXThisExpr ||
          clang_isReference(clang_getCursorKind(base)))
        return cursor;
      break;
    case CXCursor_ParenExpr:
    case CXCursor_UnexposedExpr:
    case CXCursor_ArraySubscriptExpr:
    case CXCursor_UnaryOperator:
      break;
    default:
      return clang_getNullCursor();
    }
    cursor = base;
  }
  return clang_getNullCursor();
}

/* The argument that `args.rows.first` is read out of, -1: another object. */
static int argument_of(making_walk *w, CXCursor member) {
  while (clang_getCursorKind(member) == CXCursor_MemberRefExpr) {
    size_t n;
    CXCursor base = pl_fe_child(w->f, member, 0, &n);
    if (n == 0 ||
        clang_getCanonicalType(clang_getCursorType(base)).kind != CXType_Record)
      return -1;
    member = base;
  }
  bool name = clang_getCursorKind(member) == CXCursor_DeclRefExpr;
  CXCursor named = clang_getCursorReferenced(member);
  return name ? parameter_index(w->constructor, named) : -1;
}

static bool is_place_type(CXType type) {
  switch (clang_getCanonicalType(type).kind) {
  case CXType_Record:
  case CXType_ConstantArray:
  case CXType_IncompleteArray:
  case CXType_DependentSizedArray:
    return true;
  default:
    return pl_fe_is_number(type);
  }
}

/* Whether a number is read out of more than an argument itself, or the
 * object. */
static bool reads_memory(making_walk *w, CXCursor cursor) {
  CXCursor own = own_member(w->f, cursor);
  size_t n = 1;
  uint32_t at;
  if (!pl_fe_is_number(clang_getCursorType(cursor)))
    return false;
  if (!clang_Cursor_isNull(own))
    return !clang_equalCursors(own, cursor) &&
           is_address_member(w->f, own);
  while (n && clang_getCursorKind(cursor) == CXCursor_MemberRefExpr) {
    CXCursor base = pl_fe_child(w->f, cursor, 0, &n);
    cursor = n ? base : cursor;
  }
  if (clang_getCursorKind(cursor) != CXCursor_DeclRefExpr)
    return true;
  CXCursor named = clang_getCursorReferenced(cursor);
  if (parameter_index(w->constructor, named) >= 0)
    return clang_getCanonicalType(clang_getCursorType(named)).kind !=
           CXType_Record;
  return pl_fe_locate(w->f, clang_getCursorLocation(named), &at) !=
         PLACE_SYSTEM;
}

static pl_beginning *beginning_of(pl_making *making, pl_str member) {
  for (uint32_t i = 0; i < making->nmembers; i++)
    if (pl_str_eq(making->members[i].member, member))
      return &making->members[i];
  return NULL;
}

/* `b(a + n)` behind `a(p)`: the members of a list are initialised once, one by one, so
 * that a pointer among them is what it began with. */
static bool note_member(making_walk *w, CXCursor member) {
  const pl_beginning *begins = beginning_of(
      w->making, pl_fe_take_string(w->f, clang_getCursorSpelling(member)));
  if (!w->in_list || !begins || begins->is_reference || begins->is_record ||
      !(begins->from | begins->loads))
    return false;
  w->value.from |= begins->from;
  w->value.loads |= begins->loads;
  w->value.is_known = w->value.is_known && begins->is_known;
  return true;
}

/* A part of what an argument leads to is a place there. A pointer that is
 * read is another one; of the object itself, what it began with is asked in
 * its list alone. */
static void note_part(making_walk *w, CXCursor cursor) {
  bool member = clang_getCursorKind(cursor) == CXCursor_MemberRefExpr;
  bool own = !clang_Cursor_isNull(own_member(w->f, cursor));
  w->making->is_plain = w->making->is_plain && !reads_memory(w, cursor);
  if (pl_fe_is_number(clang_getCursorType(cursor)) ||
      (is_place_type(clang_getCursorType(cursor)) && !own))
    return;
  if (own && clang_equalCursors(own_member(w->f, cursor), cursor) &&
      note_member(w, cursor))
    return;
  int index = member && !own ? argument_of(w, cursor) : -1;
  if (index >= 0)
    w->value.loads |= (uint64_t)1 << index;
  else
    w->value.is_known = false;
}

/* `&param` of a pointer is where the constructor keeps it. */
static void note_address(making_walk *w, CXCursor cursor) {
  size_t n;
  CXType type = clang_getCursorType(pl_fe_child(w->f, cursor, 0, &n));
  if (clang_getCursorUnaryOperatorKind(cursor) == CXUnaryOperator_AddrOf)
    w->value.is_known = w->value.is_known && is_place_type(type);
  else if (clang_getCursorUnaryOperatorKind(cursor) == CXUnaryOperator_Deref)
    note_part(w, cursor);
}

static bool is_plain_unary(CXCursor cursor) {
  enum CXUnaryOperatorKind op = clang_getCursorUnaryOperatorKind(cursor);
  return op >= CXUnaryOperator_AddrOf && op <= CXUnaryOperator_LNot;
}

static bool is_plain_binary(CXCursor cursor) {
  enum CXBinaryOperatorKind op = clang_getCursorBinaryOperatorKind(cursor);
  return op >= CXBinaryOperator_Mul && op <= CXBinaryOperator_LOr;
}

/* A cast keeps an address what it is, but where it makes one of a number. */
static bool keeps_address(pl_fe *f, CXCursor cast) {
  size_t n;
  pl_fe_child(f, cast, 0, &n);
  CXType from = clang_getCursorType(pl_fe_child(f, cast, n - 1, &n));
  return !is_pointer_type(clang_getCursorType(cast)) || !pl_fe_is_number(from);
}

/* A record that is copied as it is. */
static bool is_plain_copy(CXCursor cursor) {
  CXCursor target = clang_getCursorReferenced(cursor);
  return !clang_Cursor_isNull(target) &&
         clang_getCursorKind(target) == CXCursor_Constructor &&
         clang_CXXMethod_isDefaulted(target);
}

/* `T(0)` of a template's own type: what it runs is handed no member. */
static bool is_dependent_value(pl_fe *f, CXCursor cursor) {
  size_t n;
  return clang_Cursor_isNull(clang_getCursorReferenced(cursor)) &&
         clang_getCursorKind(pl_fe_child(f, cursor, 0, &n)) == CXCursor_TypeRef;
}

/* `sizeof(T)`, whose operand is not evaluated. */
static bool asks_size(CXCursor cursor) {
  return clang_getCursorKind(cursor) == CXCursor_UnaryExpr;
}

/* Whether a part of a value is one that is understood. */
static bool is_value_part(making_walk *w, CXCursor cursor) {
  size_t n;
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_MemberRef:
    return true;
  case CXCursor_UnexposedExpr:
    pl_fe_child(w->f, cursor, 0, &n);
    return n > 0;
  case CXCursor_CStyleCastExpr:
  case CXCursor_CXXStaticCastExpr:
  case CXCursor_CXXReinterpretCastExpr:
  case CXCursor_CXXFunctionalCastExpr:
    return keeps_address(w->f, cursor);
  case CXCursor_DeclRefExpr:
    note_name(w, cursor);
    return true;
  case CXCursor_MemberRefExpr:
  case CXCursor_ArraySubscriptExpr:
    note_part(w, cursor);
    return true;
  case CXCursor_UnaryOperator:
    note_address(w, cursor);
    return is_plain_unary(cursor);
  case CXCursor_BinaryOperator:
    return is_plain_binary(cursor);
  case CXCursor_CallExpr:
    return is_plain_copy(cursor) || is_dependent_value(w->f, cursor);
  default:
    return pl_fe_only_holds(w->f, cursor);
  }
}

/* `this` itself, or the address of a member: whoever has it may set the member
 * at any time. */
static bool gives_itself(pl_fe *f, CXCursor cursor, CXCursor parent) {
  if (clang_getCursorKind(cursor) == CXCursor_CXXThisExpr)
    return clang_getCursorKind(parent) != CXCursor_MemberRefExpr;
  return clang_getCursorKind(cursor) == CXCursor_UnaryOperator &&
         clang_getCursorUnaryOperatorKind(cursor) == CXUnaryOperator_AddrOf &&
         !clang_Cursor_isNull(own_member(f, cursor));
}

static enum CXChildVisitResult look_at_value(CXCursor cursor, CXCursor parent,
                                             CXClientData data) {
  making_walk *w = data;
  if (asks_size(cursor))
    return CXChildVisit_Continue;
  uint64_t loads = w->value.loads;
  w->making->is_known = w->making->is_known &&
                        !gives_itself(w->f, cursor, parent) &&
                        is_value_part(w, cursor);
  if (!w->making->is_known)
    return CXChildVisit_Break;
  return w->value.loads == loads ? CXChildVisit_Recurse
                                 : CXChildVisit_Continue;
}

/* ---- members ------------------------------------------------------------- */

/* Which of the arguments are records, or may be: what a member that is one gets of
 * them are their pointers. */
static uint64_t record_arguments(const making_walk *w) {
  uint64_t found = 0;
  int n = clang_Cursor_getNumArguments(w->constructor);
  for (int i = 0; i < n && i < 64; i++) {
    CXType type = clang_getCanonicalType(
        clang_getCursorType(clang_Cursor_getArgument(w->constructor, (unsigned)i)));
    if (pl_fe_is_reference(type))
      type = clang_getCanonicalType(clang_getPointeeType(type));
    if (!pl_fe_is_number(type) && type.kind != CXType_Pointer)
      found |= (uint64_t)1 << i;
  }
  return found;
}

/* A member is given a value, or bound to an object, that an expression
 * names. */
static void give(making_walk *w, CXCursor member, CXCursor value) {
  making_walk inner = *w;
  pl_beginning *begins = beginning_of(
      w->making, pl_fe_take_string(w->f, clang_getCursorSpelling(member)));
  inner.value = (pl_beginning){.is_known = true};
  inner.in_list = w->in_list && begins && !begins->is_reference && !begins->is_record;
  if (look_at_value(value, member, &inner) == CXChildVisit_Recurse)
    pl_fe_visit_children(w->f, value, look_at_value, &inner);
  if (!begins)
    return;
  uint64_t records = begins->is_record ? record_arguments(w) : 0;
  begins->from |= inner.value.from & ~records;
  begins->loads |= inner.value.loads | (inner.value.from & records);
  begins->is_known = begins->is_known && inner.value.is_known;
}

/* ---- statements ---------------------------------------------------------- */

/* `re = r;`, `sums[i] = 0;`, `tile.a[0] = 0;` */
static bool look_at_assignment(making_walk *w, CXCursor cursor) {
  size_t n;
  CXCursor target = pl_fe_child(w->f, cursor, 0, &n);
  CXCursor member = own_member(w->f, target);
  bool whole = clang_equalCursors(member, target);
  bool number = pl_fe_is_number(clang_getCursorType(target)) ||
                (!clang_Cursor_isNull(member) &&
                 !is_address_member(w->f, member));
  w->making->is_plain =
      w->making->is_plain &&
      (whole || (!clang_Cursor_isNull(member) &&
                 !is_address_member(w->f, member)));
  if (n == 2 && whole)
    give(w, member, pl_fe_child(w->f, cursor, 1, &n));
  return number || whole;
}

static bool is_system_function(pl_fe *f, CXCursor call) {
  CXCursor target = clang_getCursorReferenced(call);
  uint32_t at;
  return !clang_Cursor_isNull(target) &&
         pl_fe_is_number(clang_getCursorType(call)) &&
         pl_fe_locate(f, clang_getCursorLocation(target), &at) == PLACE_SYSTEM;
}

static bool is_statement_part(making_walk *w, CXCursor cursor) {
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  switch (kind) {
  case CXCursor_VarDecl:
    return !pl_fe_is_reference(clang_getCursorType(cursor));
  case CXCursor_CompoundAssignOperator:
    return look_at_assignment(w, cursor);
  case CXCursor_BinaryOperator:
    return is_plain_binary(cursor) ||
           (clang_getCursorBinaryOperatorKind(cursor) ==
                CXBinaryOperator_Assign &&
            look_at_assignment(w, cursor));
  case CXCursor_UnaryOperator:
    w->making->is_plain = w->making->is_plain && is_plain_unary(cursor);
    return is_plain_unary(cursor) ||
           pl_fe_is_number(clang_getCursorType(cursor));
  case CXCursor_CallExpr:
    w->making->is_plain = w->making->is_plain && is_plain_copy(cursor);
    return is_plain_copy(cursor) || is_dependent_value(w->f, cursor) ||
           is_system_function(w->f, cursor);
  case CXCursor_CompoundStmt:
  case CXCursor_DeclStmt:
  case CXCursor_ForStmt:
  case CXCursor_IfStmt:
  case CXCursor_NullStmt:
    return true;
  default:
    return is_value_part(w, cursor) || clang_isReference(kind);
  }
}

static enum CXChildVisitResult look_at_statement(CXCursor cursor,
                                                 CXCursor parent,
                                                 CXClientData data) {
  making_walk *w = data;
  if (asks_size(cursor))
    return CXChildVisit_Continue;
  w->making->is_known = w->making->is_known &&
                        !gives_itself(w->f, cursor, parent) &&
                        is_statement_part(w, cursor);
  return w->making->is_known ? CXChildVisit_Recurse : CXChildVisit_Break;
}

/* ---- constructors -------------------------------------------------------- */

/* The parts of a constructor: parameters, names of members with what they begin
 * with, its body. A parameter that the body sets is an argument no longer. */
static void look_at_parts(making_walk *w) {
  size_t first, n = pl_fe_children(w->f, w->constructor, pl_fe_collect_all,
                                   &first);
  CXCursor member = clang_getNullCursor();
  for (size_t i = 0; i < n && w->making->is_known; i++) {
    CXCursor cursor = w->f->stack[first + i];
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_MemberRef)
      member = cursor;
    else if (kind == CXCursor_CompoundStmt)
      pl_fe_visit_children(w->f, cursor, look_at_statement, w);
    else if (clang_isExpression(kind) && !clang_Cursor_isNull(member)) {
      w->in_list = true;
      give(w, member, cursor);
      w->in_list = false;
    } else
      w->making->is_known = kind == CXCursor_ParmDecl ||
                            clang_isAttribute(kind) ||
                            (clang_Cursor_isNull(member) &&
                             clang_isReference(kind));
  }
  pl_fe_drop_children(w->f, first);
}

void pl_fe_look_at_constructor(pl_fe *f, CXCursor text, pl_making *making) {
  making_walk w = {.f = f, .making = making, .constructor = text};
  look_at_parts(&w);
}
