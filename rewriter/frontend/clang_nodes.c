/* clang_nodes.c - nodes: making one, giving it kids, folding it, literals. */
#include "assembly.h"
#include "clang_parts.h"

pl_node *pl_fe_new_node(pl_fe *f, pl_node_kind kind, CXCursor cursor) {
  pl_node *node = PL_NEW(f->arena, pl_node);
  node->kind = kind;
  node->range = pl_fe_cursor_range(f, cursor);
  if (f->header && !node->range.end &&
      (kind == PL_NODE_MEMBER || kind == PL_NODE_REF || kind == PL_NODE_CALL))
    node->place = pl_fe_header_place(cursor, f->header);
  if (clang_isExpression(clang_getCursorKind(cursor)))
    node->type = pl_fe_type_for(f, clang_getCursorType(cursor));
  return node;
}

void pl_fe_room_for_kids(pl_fe *f, pl_node *node, size_t n) {
  node->kids = PL_NEW_ARRAY(f->arena, pl_node *, n ? n : 1);
}

void pl_fe_add_kid(pl_node *node, pl_node *kid) {
  node->kids[node->nkids++] = kid;
}

void pl_fe_adopt(pl_node *node) {
  for (uint32_t i = 0; i < node->nkids; i++)
    if (node->kids[i])
      node->kids[i]->parent = node;
}

static bool all_kids_known(const pl_node *node) {
  for (uint32_t i = 0; i < node->nkids; i++)
    if (!node->kids[i] || !node->kids[i]->has_ival)
      return false;
  return node->nkids > 0;
}

/* A node over constants is one: computed here, without asking clang. */
static void fold(pl_node *node) {
  int64_t value;
  if (node->has_ival || !all_kids_known(node) ||
      !pl_node_eval(node, NULL, NULL, &value))
    return;
  node->has_ival = true;
  node->ival = value;
}

pl_node *pl_fe_finish(pl_fe *f, pl_node *node) {
  pl_fe_adopt(node);
  pl_source_own_tokens(&f->source, node);
  if (node->kind == PL_NODE_BINARY || node->kind == PL_NODE_UNARY ||
      node->kind == PL_NODE_PAREN || node->kind == PL_NODE_COND ||
      node->kind == PL_NODE_CAST)
    fold(node);
  return node;
}

/* The text of a statement in a header of the user's, as far as no macro makes it. */
static pl_str header_text(pl_fe *f, CXCursor cursor) {
  uint32_t at;
  if (pl_fe_locate(f, clang_getCursorLocation(cursor), &at) != PLACE_USER)
    return (pl_str){0};
  pl_str text = pl_fe_file_text(f, cursor);
  return pl_arena_str(f->arena, text.p, text.n);
}

pl_node *pl_fe_build_asm(pl_fe *f, CXCursor cursor) {
  pl_node *node = pl_fe_build_plain(f, cursor, PL_NODE_ASM);
  pl_str text = node->range.end ? (pl_str){0} : header_text(f, cursor);
  if (text.n && pl_asm_is_plain(f->unit, text))
    node->name = text;
  node->ival = pl_asm_outputs(f->unit, node);
  return node;
}

bool pl_fe_evaluate_int(CXCursor cursor, int64_t *value) {
  CXEvalResult result = clang_Cursor_Evaluate(cursor);
  if (!result)
    return false;
  bool is_int = clang_EvalResult_getKind(result) == CXEval_Int;
  if (is_int)
    *value = clang_EvalResult_isUnsignedInt(result)
                 ? (int64_t)clang_EvalResult_getAsUnsigned(result)
                 : clang_EvalResult_getAsLongLong(result);
  clang_EvalResult_dispose(result);
  return is_int;
}

pl_node *pl_fe_build_literal(pl_fe *f, CXCursor cursor, pl_node_kind kind) {
  pl_node *node = pl_fe_new_node(f, kind, cursor);
  enum CXCursorKind literal = clang_getCursorKind(cursor);
  if (literal == CXCursor_CXXNullPtrLiteralExpr ||
      literal == CXCursor_GNUNullExpr)
    node->has_ival = true;
  else if (kind == PL_NODE_INT)
    node->has_ival = pl_fe_evaluate_int(cursor, &node->ival);
  return pl_fe_finish(f, node);
}
