/* legality_directives.c - does `using namespace N;` in the body say what a name means?
 *
 * Needs: the statements of the body, slices. Gives: whether each name means the same
 * wherever its text is put; sets pl_stmt.ahead. Raises: PL2013.
 *
 * A directive is seen by what stands behind it in its block. The load side stands
 * elsewhere, and may there find another function of the name, or another variable.
 * Directives of inner blocks move with their blocks. */
#include "legality_parts.h"

bool pl_is_directive(const pl_loop *loop, const pl_node *stmt) {
  pl_str text = pl_unit_slice(loop->unit, stmt->range);
  bool other = stmt->kind == PL_NODE_DECL_STMT && stmt->nkids == 1 &&
               stmt->kids[0]->kind == PL_NODE_OTHER_DECL;
  if (!other || pl_str_has(text, "=") || !pl_str_has(text, "using"))
    return false;
  pl_run run = pl_tokens_in(loop->unit, stmt->range);
  for (uint32_t i = run.first; i < run.end; i++)
    if (pl_token_is(loop->unit, i, "namespace") || pl_token_is(loop->unit, i, "enum"))
      return true;
  return false;
}

/* Whether a number, or a variable's name, stands at an offset. */
static bool stands_at(pl_node *node, const void *offset) {
  uint32_t begin = *(const uint32_t *)offset;
  const pl_decl *decl = node->decl;
  bool variable = decl && (decl->kind == PL_DECL_VAR ||
                           decl->kind == PL_DECL_PARAM) &&
                  (decl->owner || !decl->is_user);
  bool here = node->kind == PL_NODE_VAR
                  ? decl && decl->name_range.begin == begin
                  : node->kind == PL_NODE_REF && node->range.begin == begin;
  bool number = node->kind == PL_NODE_INT || node->kind == PL_NODE_FLOATING;
  return (here && variable) || (number && node->range.begin == begin);
}

/* The first name of a part of the loop that may be one of a namespace: it is neither
 * qualified nor a variable of the function's. */
static bool find_open_name(pl_loop *loop, pl_range within, pl_node *at) {
  pl_run run = pl_tokens_in(loop->unit, within);
  for (uint32_t i = run.first; i < run.end; i++) {
    const pl_token *token = &loop->unit->tokens[i];
    pl_str word = pl_token_text(loop->unit, i);
    if (token->kind != PL_TOK_IDENT ||
        pl_is_keyword(word) || pl_str_starts(word, "__") ||
        pl_is_qualified(loop->unit, i))
      continue;
    at->range = token->range;
    if (!pl_node_find(loop->node, stands_at, &token->range.begin))
      return true;
  }
  return false;
}

/* One of the header, which stands behind the body's statements when it is the load
 * side's. */
static bool find_open_header(pl_loop *loop, pl_node *at) {
  const pl_node *node = loop->node;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (node->kids[i] && node->kids[i] != loop->body &&
        find_open_name(loop, node->kids[i]->range, at))
      return true;
  return false;
}

static bool find_open_load(pl_loop *loop, pl_node *at) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if ((stmt->in_load || stmt->is_shared_decl) && !stmt->is_barrier &&
        !pl_is_directive(loop, stmt->node) &&
        find_open_name(loop, stmt->node->range, at))
      return true;
  }
  return false;
}

/* Whether a directive may move in front of the loop: nothing of the body stands in
 * front of it that does not. */
static bool may_move(const pl_loop *loop, size_t index) {
  const pl_node *stmt = loop->stmts[index].node;
  if (stmt->from_macro || stmt->kids[0]->from_macro ||
      pl_under_inner_condition(loop, stmt->range))
    return false;
  for (size_t i = 0; i < index; i++)
    if (!loop->stmts[i].ahead)
      return false;
  return true;
}

/* Where a directive begins the body, and the header has no name that it may be
 * about, it moves in front of the loop, where both sides see it. Elsewhere it is
 * compute's, and the load side may have no such name either. */
bool pl_check_directive(pl_loop *loop, size_t index) {
  pl_stmt *stmt = &loop->stmts[index];
  pl_node at = {0};
  bool open = find_open_header(loop, &at);
  if (!open && may_move(loop, index)) {
    stmt->ahead = true;
    stmt->in_load = stmt->in_compute = false;
    return true;
  }
  if (!open && !find_open_load(loop, &at))
    return true;
  pl_refuse(loop, false, "PL2013", &at,
            "'%.*s' may mean something else where the loop's directive is seen "
            "than where it is not",
            PL_FMT(pl_unit_slice(loop->unit, at.range)));
  pl_loop_note(loop, stmt->node, "the directive is here");
  return false;
}
