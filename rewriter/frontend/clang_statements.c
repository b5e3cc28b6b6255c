/* clang_statements.c - statements: where each ends, and the parts of a control
 * statement, of which clang leaves out those that are empty. */
#include "builds.h"
#include "clang_parts.h"

#include <string.h>

static bool ends_in_a_statement(pl_node_kind kind) {
  return kind == PL_NODE_COMPOUND || kind == PL_NODE_IF ||
         kind == PL_NODE_FOR || kind == PL_NODE_RANGE_FOR ||
         kind == PL_NODE_WHILE || kind == PL_NODE_SWITCH ||
         kind == PL_NODE_CASE || kind == PL_NODE_LABEL || kind == PL_NODE_EMPTY;
}

/* Where the last expression or variable of a statement ends, which may have its
 * semicolon already; a variable whose type an instantiation does not have stands at no
 * place. */
static uint32_t last_end(const pl_node *node) {
  const pl_node *last = node->kind == PL_NODE_DECL_STMT && node->nkids
                            ? node->kids[node->nkids - 1]
                            : node;
  return last->range.end ? last->range.end : node->range.end;
}

/* `x = a[i] SCALE;`, where SCALE stands for nothing in this build. */
static void take_empty_macro(const pl_unit *unit, pl_node *node) {
  uint32_t word = pl_token_code(unit, pl_token_from(unit, last_end(node)));
  uint32_t next = pl_token_code(unit, word + 1);
  if (node->from_macro || unit->text.p[last_end(node) - 1] == ';' ||
      word >= unit->ntokens ||
      unit->tokens[word].kind != PL_TOK_IDENT || !pl_token_is(unit, next, ";"))
    return;
  node->range.end = unit->tokens[next].range.end;
  node->from_macro = true;
  for (uint32_t i = 0; node->kind == PL_NODE_DECL_STMT && i < node->nkids; i++)
    node->kids[i]->from_macro = true;
}

void pl_fe_extend_statement(pl_fe *f, pl_node *node) {
  if (!node->range.end)
    return;
  if (!ends_in_a_statement(node->kind)) {
    const char *last = f->unit->text.p + node->range.end - 1;
    if (node->kind != PL_NODE_DECL_STMT || *last != ';')
      node->range.end = pl_statement_end(f->unit, node->range.end);
    take_empty_macro(f->unit, node);
    return;
  }
  for (uint32_t i = 0; i < node->nkids; i++)
    if (node->kids[i] && node->kids[i]->range.end > node->range.end)
      node->range.end = node->kids[i]->range.end;
}

/* Whether commas join stores into arrays and members, and nothing else. */
static uint32_t joined_stores(const pl_node *node) {
  if (node->kind == PL_NODE_BINARY && node->op == PL_OP_COMMA && !node->decl &&
      !node->from_macro) {
    uint32_t left = joined_stores(node->kids[0]);
    uint32_t right = joined_stores(node->kids[1]);
    return left && right ? left + right : 0;
  }
  const pl_node *to = node->kind == PL_NODE_ASSIGN && !node->from_macro &&
                              node->op == PL_OP_ASSIGN
                          ? pl_node_bare(node->kids[0])
                          : NULL;
  return to && (to->kind == PL_NODE_SUBSCRIPT || to->kind == PL_NODE_MEMBER);
}

static void take_stores(pl_node *block, pl_node *node) {
  if (node->kind != PL_NODE_BINARY) {
    pl_fe_add_kid(block, node);
    return;
  }
  take_stores(block, node->kids[0]);
  take_stores(block, node->kids[1]);
}

/* `a[i] = x, b[i] = y;` is the block of its stores. */
static void become_block(pl_fe *f, pl_node *node) {
  uint32_t n = joined_stores(node);
  if (n < 2)
    return;
  pl_node *left = node->kids[0], *right = node->kids[1];
  node->kind = PL_NODE_COMPOUND;
  node->op = PL_OP_NONE;
  node->type = NULL;
  node->op_range = (pl_range){0, 0};
  node->nkids = 0;
  pl_fe_room_for_kids(f, node, n);
  take_stores(node, left);
  take_stores(node, right);
  pl_fe_adopt(node);
}

static pl_node *build_statement(pl_fe *f, CXCursor cursor) {
  pl_node *node = pl_fe_build_node(f, cursor);
  if (node)
    pl_fe_extend_statement(f, node);
  if (node)
    become_block(f, node);
  return node;
}

/* Two statements over the same text are a macro's doing: a semicolon that the
 * macro's own statement took, or an argument that the macro repeats. */
static void part_siblings(pl_node *left, pl_node *right) {
  if (!left->range.end || !right->range.end ||
      left->range.end <= right->range.begin)
    return;
  if (right->kind == PL_NODE_EMPTY && right->range.begin > left->range.begin) {
    left->range.end = right->range.begin;
    return;
  }
  left->from_macro = right->from_macro = true;
}

/* NULL: nothing of it is wanted. */
static pl_node *build_wanted(pl_fe *f, CXCursor cursor) {
  const pl_wanted *wanted = f->wanted;
  pl_want want = pl_fe_want(f, cursor);
  if (want == PL_WANT_NOTHING)
    return NULL;
  if (want == PL_WANT_WHOLE)
    f->wanted = NULL;
  pl_node *node = build_statement(f, cursor);
  f->wanted = wanted;
  return node;
}

pl_node *pl_fe_build_compound(pl_fe *f, CXCursor cursor) {
  pl_node *node = pl_fe_new_node(f, PL_NODE_COMPOUND, cursor);
  size_t first, n = pl_fe_children(f, cursor, pl_fe_collect_code, &first);
  pl_fe_room_for_kids(f, node, n);
  for (size_t i = 0; i < n; i++) {
    pl_node *kid = build_wanted(f, f->stack[first + i]);
    if (!kid)
      continue;
    if (node->nkids)
      part_siblings(node->kids[node->nkids - 1], kid);
    pl_fe_add_kid(node, kid);
  }
  pl_fe_drop_children(f, first);
  return pl_fe_finish(f, node);
}

pl_node *pl_fe_build_control(pl_fe *f, CXCursor cursor, pl_node_kind kind) {
  pl_node *node = pl_fe_new_node(f, kind, cursor);
  size_t first, n = pl_fe_children(f, cursor, pl_fe_collect_code, &first);
  pl_fe_room_for_kids(f, node, n + 4);
  for (size_t i = 0; i < n; i++) {
    CXCursor child = f->stack[first + i];
    pl_node *kid = pl_fe_build_node(f, child);
    if (kid)
      pl_fe_add_kid(node, kid);
  }
  pl_fe_drop_children(f, first);
  return node;
}

pl_node *pl_fe_build_plain(pl_fe *f, CXCursor cursor, pl_node_kind kind) {
  return pl_fe_finish(f, pl_fe_build_control(f, cursor, kind));
}

/* The body of a control statement, which ends where its statement does. */
static void end_body(pl_fe *f, pl_node *body) {
  pl_fe_extend_statement(f, body);
  become_block(f, body);
}

static void pad_kids(pl_node *node, uint32_t n) {
  while (node->nkids < n)
    pl_fe_add_kid(node, NULL);
}

static void swap_in(pl_node *node, pl_node **kids, uint32_t n) {
  memcpy(node->kids, kids, n * sizeof *kids);
  node->nkids = n;
}

/* Sorts the 1 to 4 children by the header's semicolons. A header that is a
 * macro's has no semicolons to go by: four children are all there. */
static void sort_for_parts(pl_fe *f, pl_node *node) {
  pl_node *parts[4] = {NULL, NULL, NULL, NULL};
  uint32_t ends[3];
  if (!node->range.end || !pl_for_header(f->unit, node->range.begin, ends)) {
    if (node->nkids != 4 && node->nkids > 0) {
      node->kids[3] = node->kids[node->nkids - 1];
      for (uint32_t i = node->nkids - 1; i < 3; i++)
        node->kids[i] = NULL;
    }
    node->nkids = 4;
    return;
  }
  for (uint32_t i = 0; i < node->nkids; i++) {
    uint32_t at = node->kids[i]->range.begin, part = 0;
    while (part < 3 && at > ends[part])
      part++;
    if (part == 0 && node->kids[i]->kind == PL_NODE_EMPTY)
      continue;
    parts[part] = node->kids[i];
  }
  swap_in(node, parts, 4);
}

pl_node *pl_fe_build_for(pl_fe *f, CXCursor cursor) {
  pl_node *node = pl_fe_build_control(f, cursor, PL_NODE_FOR);
  if (node->nkids > 4 || node->nkids == 0)
    node->kind = PL_NODE_UNKNOWN;
  else
    sort_for_parts(f, node);
  if (node->kind == PL_NODE_FOR) {
    if (node->kids[0])
      pl_fe_extend_statement(f, node->kids[0]);
    if (node->kids[3])
      end_body(f, node->kids[3]);
  }
  pl_fe_extend_statement(f, node);
  return pl_fe_finish(f, node);
}

/* True where an `else` stands between the two. */
static bool else_between(pl_fe *f, const pl_node *left, const pl_node *right) {
  if (!left->range.end || left->range.end > right->range.begin)
    return false;
  uint32_t at = pl_token_code(f->unit, pl_token_from(f->unit, left->range.end));
  return pl_token_is(f->unit, at, "else");
}

/* True where an `else` stands between the arms, in the text of a header. */
static bool else_in_header(pl_fe *f, CXCursor cursor) {
  size_t n;
  pl_range left = pl_fe_header_place(pl_fe_child(f, cursor, 1, &n), f->header);
  pl_range right = pl_fe_header_place(pl_fe_child(f, cursor, 2, &n), f->header);
  if (!left.end || left.end >= right.begin)
    return false;
  pl_str text = pl_fe_text_at(f, (pl_range){left.end, right.begin});
  uint32_t count = 0, at = 0;
  const pl_token *tokens = pl_lex(f->arena, text, &count);
  while (at < count && (tokens[at].kind == PL_TOK_COMMENT ||
                        pl_str_is(pl_token_in(text, &tokens[at]), ";")))
    at++;
  return at < count && pl_str_is(pl_token_in(text, &tokens[at]), "else");
}

/* Whether a header begins with a declaration of its own: `if (int r = ...;`. */
static bool has_init(const pl_fe *f, const pl_node *node) {
  const pl_node *init = node->nkids > 2 ? node->kids[0] : NULL;
  return init && init->kind == PL_NODE_DECL_STMT && node->range.end &&
         init->range.end && f->unit->text.p[init->range.end - 1] == ';' &&
         pl_source_use_at(&f->source, node->range.begin) == PL_NONE &&
         pl_source_use_at(&f->source, init->range.begin) == PL_NONE;
}

/* `if (int r = row; r < n) ...` is the block `{ int r = row; if (r < n) ... }`,
 * without braces of its own. */
static pl_node *take_init(pl_fe *f, pl_node *node, CXCursor cursor) {
  pl_node *block = pl_fe_new_node(f, PL_NODE_COMPOUND, cursor);
  block->range = node->range;
  block->name = PL_STR("if");
  pl_fe_room_for_kids(f, block, 2);
  pl_fe_add_kid(block, node->kids[0]);
  pl_fe_add_kid(block, node);
  for (uint32_t i = 1; i < node->nkids; i++)
    node->kids[i - 1] = node->kids[i];
  node->nkids--;
  if (node->kids[0]->range.begin > block->range.begin)
    node->range.begin = node->kids[0]->range.begin;
  return block;
}

/* What an instantiation shows in the place of the arm that its `if constexpr` does
 * not take. */
static bool is_discarded(const pl_fe *f, const pl_node *arm) {
  return f->func && f->func->pattern && arm->nkids == 0 &&
         (arm->kind == PL_NODE_EMPTY || arm->kind == PL_NODE_COMPOUND);
}

pl_node *pl_fe_build_if(pl_fe *f, CXCursor cursor) {
  pl_node *node = pl_fe_build_control(f, cursor, PL_NODE_IF);
  pl_node *block = has_init(f, node) ? take_init(f, node, cursor) : NULL;
  uint32_t n = node->nkids;
  for (uint32_t i = 1; i < n; i++)
    end_body(f, node->kids[i]);
  if (n == 3 && !is_discarded(f, node->kids[1]) &&
      !else_between(f, node->kids[1], node->kids[2]) && !else_in_header(f, cursor) &&
      pl_source_use_at(&f->source, node->range.begin) == PL_NONE)
    node->kind = PL_NODE_UNKNOWN;
  if (n < 2 || n > 3)
    node->kind = PL_NODE_UNKNOWN;
  else
    pad_kids(node, 3);
  pl_fe_extend_statement(f, node);
  pl_fe_finish(f, node);
  if (!block)
    return node;
  pl_fe_extend_statement(f, block);
  return pl_fe_finish(f, block);
}

pl_node *pl_fe_build_condition_body(pl_fe *f, CXCursor cursor,
                                    pl_node_kind kind) {
  pl_node *node = pl_fe_build_control(f, cursor, kind);
  if (node->nkids)
    end_body(f, node->kids[node->nkids - 1]);
  if (node->nkids != 2) {
    node->kind = PL_NODE_UNKNOWN;
    node->name = kind == PL_NODE_SWITCH ? PL_STR("switch") : PL_STR("while");
  }
  pl_fe_extend_statement(f, node);
  return pl_fe_finish(f, node);
}

pl_node *pl_fe_build_do(pl_fe *f, CXCursor cursor) {
  pl_node *node = pl_fe_build_control(f, cursor, PL_NODE_DO);
  if (node->nkids)
    end_body(f, node->kids[0]);
  if (node->nkids != 2)
    node->kind = PL_NODE_UNKNOWN;
  return pl_fe_finish(f, node);
}

pl_node *pl_fe_build_case(pl_fe *f, CXCursor cursor, bool is_default) {
  pl_node *node = pl_fe_build_control(f, cursor, PL_NODE_CASE);
  if (is_default && node->nkids == 1) {
    node->kids[1] = node->kids[0];
    node->kids[0] = NULL;
    node->nkids = 2;
  }
  if (node->nkids != 2)
    node->kind = PL_NODE_UNKNOWN;
  else if (node->kids[1])
    pl_fe_extend_statement(f, node->kids[1]);
  pl_fe_extend_statement(f, node);
  return pl_fe_finish(f, node);
}

pl_node *pl_fe_build_label(pl_fe *f, CXCursor cursor) {
  pl_node *node = pl_fe_build_control(f, cursor, PL_NODE_LABEL);
  node->name = pl_fe_take_string(f, clang_getCursorSpelling(cursor));
  if (node->nkids)
    pl_fe_extend_statement(f, node->kids[node->nkids - 1]);
  pl_fe_extend_statement(f, node);
  return pl_fe_finish(f, node);
}

pl_node *pl_fe_build_goto(pl_fe *f, CXCursor cursor) {
  pl_node *node = pl_fe_new_node(f, PL_NODE_GOTO, cursor);
  node->name = pl_fe_last_identifier(f->unit, node->range);
  return pl_fe_finish(f, node);
}

pl_node *pl_fe_build_attributed(pl_fe *f, CXCursor cursor) {
  size_t first, n = pl_fe_children(f, cursor, pl_fe_collect_code, &first);
  CXCursor only = n == 1 ? f->stack[first] : cursor;
  pl_fe_drop_children(f, first);
  if (n == 1 && clang_getCursorKind(cursor) == CXCursor_UnexposedStmt)
    return pl_fe_build_node(f, only);
  return pl_fe_build_plain(f, cursor, PL_NODE_UNKNOWN);
}
