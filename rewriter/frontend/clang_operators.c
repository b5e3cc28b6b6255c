/* clang_operators.c - operators, the built-in ones and those that are calls. */
#include "clang_parts.h"

#include <string.h>

static pl_op binary_op(enum CXBinaryOperatorKind kind) {
  switch (kind) {
#define OP(clang, ours)                                                        \
  case CXBinaryOperator_##clang:                                               \
    return PL_OP_##ours;
    OP(Add, ADD)
    OP(Sub, SUB)
    OP(Mul, MUL)
    OP(Div, DIV)
    OP(Rem, REM)
    OP(Shl, SHL)
    OP(Shr, SHR)
    OP(And, AND)
    OP(Or, OR)
    OP(Xor, XOR)
    OP(LAnd, LAND)
    OP(LOr, LOR)
    OP(LT, LT)
    OP(GT, GT)
    OP(LE, LE)
    OP(GE, GE)
    OP(EQ, EQ)
    OP(NE, NE)
    OP(Assign, ASSIGN)
    OP(Comma, COMMA)
    OP(MulAssign, MUL)
    OP(DivAssign, DIV)
    OP(RemAssign, REM)
    OP(AddAssign, ADD)
    OP(SubAssign, SUB)
    OP(ShlAssign, SHL)
    OP(ShrAssign, SHR)
    OP(AndAssign, AND)
    OP(XorAssign, XOR)
    OP(OrAssign, OR)
#undef OP
  default:
    return PL_OP_OTHER;
  }
}

static bool is_assignment(enum CXBinaryOperatorKind kind) {
  return kind >= CXBinaryOperator_Assign && kind <= CXBinaryOperator_OrAssign;
}

static pl_op unary_op(enum CXUnaryOperatorKind kind) {
  switch (kind) {
#define OP(clang, ours)                                                        \
  case CXUnaryOperator_##clang:                                                \
    return PL_OP_##ours;
    OP(PreInc, PREINC)
    OP(PostInc, POSTINC)
    OP(PreDec, PREDEC)
    OP(PostDec, POSTDEC)
    OP(AddrOf, ADDR)
    OP(Deref, DEREF)
    OP(Plus, PLUS)
    OP(Minus, MINUS)
    OP(Not, NOT)
    OP(LNot, LNOT)
#undef OP
  default:
    return PL_OP_OTHER;
  }
}

pl_node *pl_fe_build_fixed(pl_fe *f, CXCursor cursor, pl_node_kind kind,
                           pl_op op, size_t n) {
  pl_node *node = pl_fe_build_control(f, cursor, kind);
  node->op = op;
  if (node->nkids != n) {
    node->kind = PL_NODE_UNKNOWN;
    node->op = PL_OP_NONE;
  }
  return pl_fe_finish(f, node);
}

static bool is_open_type(const pl_type *type) {
  return type && type->kind == PL_TYPE_DEPENDENT;
}

/* What a pointer or array holds, where clang leaves the type of the access open
 * because an index or a member hangs on a template. */
static void take_element_type(pl_node *node) {
  const pl_type *of = node->nkids ? node->kids[0]->type : NULL;
  if (of && (of->kind == PL_TYPE_ARRAY || of->kind == PL_TYPE_POINTER) &&
      of->element && is_open_type(node->type))
    node->type = of->element;
}

bool pl_fe_is_library_array(const pl_decl *method) {
  pl_str name = method ? method->qualified : PL_STR("");
  pl_str end = PL_STR("::array::operator[]");
  return name.n > end.n && !method->is_user &&
         memcmp(name.p + name.n - end.n, end.p, end.n) == 0 &&
         (pl_str_starts(name, "std::") || pl_str_starts(name, "cuda::std::"));
}

void pl_fe_become_subscript(pl_fe *f, pl_node *node) {
  const pl_type *object = node->kids[0]->type;
  pl_type *type = PL_NEW(f->arena, pl_type);
  type->kind = PL_TYPE_ARRAY;
  type->element = node->type;
  type->size = type->align = type->count = -1;
  if (object && object->size > 0 && node->type && node->type->size > 0) {
    type->size = object->size;
    type->align = object->align;
    type->count = object->size / node->type->size;
  }
  type->spelling = type->written =
      node->type ? node->type->spelling : PL_STR("");
  node->kind = PL_NODE_SUBSCRIPT;
  node->op = PL_OP_NONE;
  node->decl = NULL;
  node->name = (pl_str){NULL, 0};
  node->kids[0] =
      pl_operator_member(f->arena, node->kids[0], NULL, PL_STR("elements"));
  node->kids[0]->type = type;
  pl_fe_adopt(node);
}

void pl_fe_settle_operator(pl_fe *f, pl_node *node, CXCursor object,
                           pl_str name) {
  CXType type = clang_getCanonicalType(clang_getCursorType(object));
  CXCursor method = type.kind == CXType_Pointer
                        ? clang_getNullCursor()
                        : pl_fe_member_of_object(f, type, name);
  if (clang_getCursorKind(method) != CXCursor_CXXMethod || !node->nkids ||
      !node->kids[0])
    return;
  node->kind = PL_NODE_CALL;
  node->op = PL_OP_NONE;
  node->decl = pl_fe_decl_for(f, method);
  node->name = name;
  pl_fe_take_member_type(f, node, clang_getCursorResultType(method),
                         clang_getCursorType(object));
  if (pl_fe_is_library_array(node->decl)) {
    pl_fe_become_subscript(f, node);
    return;
  }
  node->kids[0] = pl_operator_member(f->arena, node->kids[0], node->decl, name);
  pl_fe_adopt(node);
}

CXCursor pl_fe_first_operand(pl_fe *f, CXCursor cursor) {
  size_t first, n = pl_fe_children(f, cursor, pl_fe_collect_code, &first);
  CXCursor operand = n ? f->stack[first] : clang_getNullCursor();
  pl_fe_drop_children(f, first);
  return operand;
}

pl_node *pl_fe_build_subscript(pl_fe *f, CXCursor cursor) {
  pl_node *node =
      pl_fe_build_fixed(f, cursor, PL_NODE_SUBSCRIPT, PL_OP_NONE, 2);
  CXCursor object = pl_fe_first_operand(f, cursor);
  if (!clang_Cursor_isNull(object))
    pl_fe_settle_operator(f, node, object, PL_STR("operator[]"));
  if (node->kind == PL_NODE_CALL)
    return node;
  if (node->nkids == 2 && node->kids[1]->type &&
      node->kids[1]->type->kind != PL_TYPE_POINTER)
    take_element_type(node);
  return node;
}

pl_node *pl_fe_build_paren(pl_fe *f, CXCursor cursor) {
  pl_node *node = pl_fe_build_fixed(f, cursor, PL_NODE_PAREN, PL_OP_NONE, 1);
  if (node->nkids == 1 && is_open_type(node->type))
    node->type = node->kids[0]->type;
  return node;
}

pl_node *pl_fe_build_unary(pl_fe *f, CXCursor cursor) {
  pl_op op = unary_op(clang_getCursorUnaryOperatorKind(cursor));
  pl_node *node = pl_fe_build_fixed(f, cursor, PL_NODE_UNARY, op, 1);
  if (node->op == PL_OP_DEREF)
    take_element_type(node);
  return node;
}

/* A pointer and an offset that hangs on a template are a pointer. */
static void take_pointer_type(pl_node *node) {
  const pl_type *left = node->nkids == 2 ? node->kids[0]->type : NULL;
  const pl_type *right = node->nkids == 2 ? node->kids[1]->type : NULL;
  if (node->kind == PL_NODE_BINARY && node->op == PL_OP_ADD && left && right &&
      left->kind == PL_TYPE_POINTER && is_open_type(node->type) &&
      (is_open_type(right) || right->kind == PL_TYPE_INT))
    node->type = left;
}

static bool is_arithmetic(const pl_type *type) {
  return type && (type->kind == PL_TYPE_INT || type->kind == PL_TYPE_FLOAT);
}

/* Numbers of one type give that type; clang leaves it open where an index of
 * one of them hangs on a template. Below int there are promotions. */
static void take_number_type(pl_node *node) {
  const pl_type *left = node->nkids == 2 ? node->kids[0]->type : NULL;
  const pl_type *right = node->nkids == 2 ? node->kids[1]->type : NULL;
  bool arithmetic = node->op == PL_OP_ADD || node->op == PL_OP_SUB ||
                    node->op == PL_OP_MUL || node->op == PL_OP_DIV;
  if (node->kind == PL_NODE_BINARY && arithmetic && is_open_type(node->type) &&
      is_arithmetic(left) && is_arithmetic(right) &&
      left->kind == right->kind && left->size == right->size &&
      left->size >= 4 && left->is_unsigned == right->is_unsigned)
    node->type = left;
}

pl_node *pl_fe_build_binary(pl_fe *f, CXCursor cursor) {
  enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
  pl_node *node = pl_fe_build_fixed(
      f, cursor, is_assignment(kind) ? PL_NODE_ASSIGN : PL_NODE_BINARY,
      binary_op(kind), 2);
  take_pointer_type(node);
  take_number_type(node);
  return node;
}

bool pl_fe_overloaded_op(pl_str name, uint32_t operands, pl_node_kind *kind,
                         pl_op *op) {
  static const struct {
    const char *text;
    uint32_t operands;
    pl_node_kind kind;
    pl_op op;
  } table[] = {{"=", 2, PL_NODE_ASSIGN, PL_OP_ASSIGN},
               {"[]", 2, PL_NODE_SUBSCRIPT, PL_OP_NONE},
               {"++", 1, PL_NODE_UNARY, PL_OP_PREINC},
               {"++", 2, PL_NODE_UNARY, PL_OP_POSTINC},
               {"--", 1, PL_NODE_UNARY, PL_OP_PREDEC},
               {"--", 2, PL_NODE_UNARY, PL_OP_POSTDEC},
               {"+", 1, PL_NODE_UNARY, PL_OP_PLUS},
               {"-", 1, PL_NODE_UNARY, PL_OP_MINUS},
               {"*", 1, PL_NODE_UNARY, PL_OP_DEREF},
               {"&", 1, PL_NODE_UNARY, PL_OP_ADDR},
               {"!", 1, PL_NODE_UNARY, PL_OP_LNOT},
               {"~", 1, PL_NODE_UNARY, PL_OP_NOT}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (pl_str_is(name, table[i].text) && operands == table[i].operands) {
      *kind = table[i].kind;
      *op = table[i].op;
      return true;
    }
  if (operands != 2)
    return false;
  for (int i = PL_OP_ADD; i <= PL_OP_COMMA; i++) {
    pl_str spelling = {pl_op_name((pl_op)i), strlen(pl_op_name((pl_op)i))};
    *op = (pl_op)i;
    *kind = PL_NODE_BINARY;
    if (pl_str_eq(name, spelling))
      return true;
    *kind = PL_NODE_ASSIGN;
    if (i <= PL_OP_XOR && name.n == spelling.n + 1 &&
        name.p[name.n - 1] == '=' &&
        memcmp(name.p, spelling.p, spelling.n) == 0)
      return true;
  }
  return false;
}
