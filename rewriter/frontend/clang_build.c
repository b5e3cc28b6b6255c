/* clang_build.c - one cursor: which of the builders makes its node. */
#include "clang_parts.h"

#define DEPTH_LIMIT 1500

static pl_node *build_declaration(pl_fe *f, CXCursor cursor,
                                  enum CXCursorKind kind) {
  if (kind == CXCursor_VarDecl)
    return pl_fe_build_variable(f, cursor);
  pl_node *bindings = pl_fe_build_bindings(f, cursor);
  return bindings ? bindings : pl_fe_build_other_decl(f, cursor);
}

static pl_node *build_stmt_kind(pl_fe *f, CXCursor cursor,
                                enum CXCursorKind kind) {
  switch (kind) {
  case CXCursor_CompoundStmt:
    return pl_fe_build_compound(f, cursor);
  case CXCursor_DeclStmt:
    return pl_fe_build_decl_stmt(f, cursor);
  case CXCursor_IfStmt:
    return pl_fe_build_if(f, cursor);
  case CXCursor_ForStmt:
    return pl_fe_build_for(f, cursor);
  case CXCursor_CXXForRangeStmt:
    return pl_fe_build_range_for(f, cursor);
  case CXCursor_WhileStmt:
    return pl_fe_build_condition_body(f, cursor, PL_NODE_WHILE);
  case CXCursor_SwitchStmt:
    return pl_fe_build_condition_body(f, cursor, PL_NODE_SWITCH);
  case CXCursor_DoStmt:
    return pl_fe_build_do(f, cursor);
  case CXCursor_CaseStmt:
    return pl_fe_build_case(f, cursor, false);
  case CXCursor_DefaultStmt:
    return pl_fe_build_case(f, cursor, true);
  case CXCursor_LabelStmt:
    return pl_fe_build_label(f, cursor);
  case CXCursor_GotoStmt:
    return pl_fe_build_goto(f, cursor);
  case CXCursor_ReturnStmt:
    return pl_fe_build_plain(f, cursor, PL_NODE_RETURN);
  case CXCursor_BreakStmt:
    return pl_fe_build_plain(f, cursor, PL_NODE_BREAK);
  case CXCursor_ContinueStmt:
    return pl_fe_build_plain(f, cursor, PL_NODE_CONTINUE);
  case CXCursor_NullStmt:
    return pl_fe_build_plain(f, cursor, PL_NODE_EMPTY);
  case CXCursor_GCCAsmStmt:
  case CXCursor_MSAsmStmt:
    return pl_fe_build_asm(f, cursor);
  default:
    return pl_fe_build_attributed(f, cursor);
  }
}

static pl_node *build_expr_kind(pl_fe *f, CXCursor cursor,
                                enum CXCursorKind kind) {
  switch (kind) {
  case CXCursor_UnexposedExpr:
    return pl_fe_build_unexposed(f, cursor);
  case CXCursor_DeclRefExpr:
    return pl_fe_build_ref(f, cursor);
  case CXCursor_MemberRefExpr:
    return pl_fe_build_member(f, cursor);
  case CXCursor_CallExpr:
    return pl_fe_build_call(f, cursor);
  case CXCursor_ArraySubscriptExpr:
    return pl_fe_build_subscript(f, cursor);
  case CXCursor_BinaryOperator:
  case CXCursor_CompoundAssignOperator:
    return pl_fe_build_binary(f, cursor);
  case CXCursor_UnaryOperator:
    return pl_fe_build_unary(f, cursor);
  case CXCursor_ConditionalOperator:
    return pl_fe_build_fixed(f, cursor, PL_NODE_COND, PL_OP_NONE, 3);
  case CXCursor_ParenExpr:
    return pl_fe_build_paren(f, cursor);
  case CXCursor_CStyleCastExpr:
  case CXCursor_CXXStaticCastExpr:
  case CXCursor_CXXReinterpretCastExpr:
  case CXCursor_CXXConstCastExpr:
  case CXCursor_CXXDynamicCastExpr:
  case CXCursor_CXXFunctionalCastExpr:
  case CXCursor_CXXAddrspaceCastExpr:
  case CXCursor_CompoundLiteralExpr:
    return pl_fe_build_cast(f, cursor);
  case CXCursor_IntegerLiteral:
  case CXCursor_CharacterLiteral:
  case CXCursor_CXXBoolLiteralExpr:
    return pl_fe_build_literal(f, cursor, PL_NODE_INT);
  case CXCursor_CXXNullPtrLiteralExpr:
  case CXCursor_GNUNullExpr:
    return pl_fe_build_literal(f, cursor, PL_NODE_INT);
  case CXCursor_FloatingLiteral:
    return pl_fe_build_literal(f, cursor, PL_NODE_FLOATING);
  case CXCursor_StringLiteral:
    return pl_fe_build_literal(f, cursor, PL_NODE_STRING);
  case CXCursor_UnaryExpr:
    return pl_fe_build_sizeof(f, cursor);
  case CXCursor_InitListExpr:
    return pl_fe_build_list(f, cursor);
  case CXCursor_LambdaExpr:
    return pl_fe_build_lambda(f, cursor);
  case CXCursor_CXXThisExpr:
    return pl_fe_build_literal(f, cursor, PL_NODE_THIS);
  default:
    return pl_fe_build_plain(f, cursor, PL_NODE_UNKNOWN);
  }
}

pl_node *pl_fe_build_node(pl_fe *f, CXCursor cursor) {
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (f->depth > DEPTH_LIMIT)
    return pl_fe_new_node(f, PL_NODE_UNKNOWN, cursor);
  f->depth++;
  pl_node *node;
  if (clang_isDeclaration(kind))
    node = build_declaration(f, cursor, kind);
  else if (clang_isStatement(kind))
    node = build_stmt_kind(f, cursor, kind);
  else
    node = build_expr_kind(f, cursor, kind);
  f->depth--;
  return node;
}
