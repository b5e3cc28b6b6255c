/* emit_fill_text.c - pieces of the user's text in a fill.
 *
 * Needs: the tokens and the tree. Gives: the sides of a store, headers,
 * operands in the parentheses they need, types without qualifiers, comments in
 * front of a statement and at its end. Raises nothing. */
#include "emit_fill.h"

#include <string.h>

pl_str pl_between(const pl_emitter *e, uint32_t begin, uint32_t end) {
  return pl_unit_slice(e->unit, (pl_range){begin, end});
}

pl_str pl_trimmed(pl_str text) {
  while (text.n && strchr("; \t\r\n", text.p[text.n - 1]))
    text.n--;
  while (text.n && strchr(" \t\r\n", text.p[0])) {
    text.p++;
    text.n--;
  }
  return text;
}

/* The text of a comment or a directive, which may end in a semicolon. */
static pl_str aside_text(const pl_emitter *e, const pl_token *token) {
  pl_str text = pl_unit_slice(e->unit, token->range);
  while (text.n && strchr(" \t\r\n", text.p[text.n - 1]))
    text.n--;
  return text;
}

/* Without the comments at its end: what is written behind it would be one. */
static pl_str code_between(const pl_emitter *e, uint32_t begin, uint32_t end) {
  pl_str text = pl_trimmed(pl_between(e, begin, end));
  uint32_t first = pl_token_from(e->unit, begin);
  for (uint32_t i = pl_token_from(e->unit, end); i-- > first;) {
    const pl_token *token = &e->unit->tokens[i];
    const char *at = e->unit->text.p + token->range.begin;
    if (at < text.p)
      break;
    if (token->kind == PL_TOK_COMMENT && at < text.p + text.n &&
        at + (token->range.end - token->range.begin) >= text.p + text.n)
      text = pl_trimmed((pl_str){text.p, (size_t)(at - text.p)});
  }
  return text;
}

/* The two sides of a store, by the place of its operator, so that macros in
 * either keep their spelling. */
pl_str pl_left_text(const pl_emitter *e, const pl_copy *copy) {
  return code_between(e, copy->store->range.begin, copy->last->op_range.begin);
}

pl_str pl_right_text(const pl_emitter *e, const pl_copy *copy) {
  if (copy->by_call)
    return pl_node_text(e, copy->src);
  return code_between(e, copy->last->op_range.end, copy->store->range.end);
}

/* Where the argument list of a memcpy opens. */
static uint32_t parenthesis(const pl_emitter *e, const pl_copy *copy) {
  uint32_t at = copy->store->range.begin;
  while (e->unit->text.p[at] != '(')
    at++;
  return at;
}

pl_str pl_bytes_callee(const pl_emitter *e, const pl_copy *copy) {
  return pl_trimmed(
      pl_between(e, copy->store->range.begin, parenthesis(e, copy)));
}

pl_str pl_bytes_to(const pl_emitter *e, const pl_copy *copy) {
  return pl_trimmed(pl_between(e, parenthesis(e, copy) + 1,
                               copy->store->op_range.begin));
}

pl_str pl_bytes_from(const pl_emitter *e, const pl_copy *copy) {
  return pl_trimmed(
      pl_between(e, copy->store->op_range.end, copy->src->range.end));
}

pl_str pl_node_text(const pl_emitter *e, const pl_node *node) {
  return pl_trimmed(pl_unit_slice(e->unit, node->range));
}

/* The semicolons in front of the parts that a for's header leaves out. */
static pl_str with_last_parts(const pl_emitter *e, const pl_node *node,
                              pl_str text) {
  if (node->kind != PL_NODE_FOR || node->kids[2])
    return text;
  return pl_arena_printf(e->arena, "%.*s;%s", PL_FMT(text),
                         node->kids[1] ? "" : ";");
}

/* The text between the parentheses that follow a keyword. */
pl_str pl_header_text(const pl_emitter *e, const pl_node *node) {
  if (pl_if_has_init(node))
    return pl_unit_slice(e->unit, node->kids[0]->range);
  int depth = 0;
  uint32_t begin = 0;
  for (uint32_t i = pl_token_from(e->unit, node->range.begin);
       i < e->unit->ntokens; i++) {
    const pl_token *token = &e->unit->tokens[i];
    if (token->kind != PL_TOK_PUNCT)
      continue;
    char c = e->unit->text.p[token->range.begin];
    if (c == '(' && depth++ == 0)
      begin = token->range.end;
    if (c == ')' && --depth == 0)
      return with_last_parts(e, node,
                             code_between(e, begin, token->range.begin));
  }
  return PL_STR("");
}

/* A name, a number, or a part of a name: `blockDim.x`. */
static bool is_simple(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  if (node->kind == PL_NODE_MEMBER && !node->from_macro && node->nkids)
    node = pl_node_bare(node->kids[0]);
  return node->kind == PL_NODE_REF || node->kind == PL_NODE_INT;
}

pl_str pl_grouped(pl_emitter *e, const pl_node *node) {
  pl_str text = pl_node_text(e, node);
  if (is_simple(node) || node->kind == PL_NODE_PAREN)
    return text;
  return pl_arena_printf(e->arena, "(%.*s)", PL_FMT(text));
}

pl_str pl_plain_type(pl_emitter *e, const pl_type *type) {
  pl_str text = type->written;
  while (text.n && (text.p[text.n - 1] == '&' || text.p[text.n - 1] == ' '))
    text.n--;
  (void)e;
  return pl_without_const(text);
}

/* ---- statements and comments --------------------------------------------- */

/* The column of a place of the file, in bytes. */
static size_t column_of(const pl_unit *unit, const char *at) {
  const char *begin = at;
  while (begin > unit->text.p && begin[-1] != '\n')
    begin--;
  return (size_t)(at - begin);
}

pl_str pl_behind(pl_emitter *e, pl_str before, pl_str text, const pl_node *from) {
  const size_t indent = pl_emit_indent_of(e->unit, from->range.begin).n;
  const size_t was = column_of(e->unit, text.p), is = indent + before.n;
  pl_text out = {.arena = e->arena};
  pl_text_add(&out, before);
  for (size_t at = 0; at < text.n;) {
    const char *end = memchr(text.p + at, '\n', text.n - at);
    size_t n = end ? (size_t)(end - text.p) - at + 1 : text.n - at;
    pl_str line = {text.p + at, n};
    size_t blanks = at ? pl_blank_prefix(line) : 0;
    if (blanks >= was && at && !memchr(line.p, '\t', blanks)) {
      for (size_t i = is; i < was; i++)
        line.p++, line.n--;
      for (size_t i = was; i < is; i++)
        pl_text_add(&out, PL_STR(" "));
    }
    pl_text_add(&out, line);
    at += n;
  }
  return pl_text_view(&out);
}

void pl_emit_statement(pl_emitter *e, int level, pl_str text,
                       const pl_node *from) {
  pl_str indent = pl_emit_indent_of(e->unit, from->range.begin);
  pl_emit_moved(e, level, text, indent.n);
}

static bool line_break_between(const pl_emitter *e, uint32_t a, uint32_t b) {
  return a < b && memchr(e->unit->text.p + a, '\n', b - a) != NULL;
}

/* `_Pragma("unroll")`, or a macro for it, in front of a loop. */
static void emit_pragma_operator(pl_emitter *e, int level, uint32_t after,
                                 const pl_node *node) {
  pl_range op = pl_pragma_operator(e->unit, node, node->range.begin);
  if (pl_node_is_loop(node) && op.end && op.begin >= after)
    pl_emit_line(e, level, "%.*s", PL_FMT(pl_unit_slice(e->unit, op)));
}

/* Comments and pragmas in front of a statement, from the end of what is before
 * it; those that end the line before belong there. */
void pl_emit_leading(pl_emitter *e, int level, uint32_t after,
                     const pl_node *node, bool pragmas) {
  uint32_t end = pl_token_from(e->unit, node->range.begin);
  for (uint32_t i = pl_token_from(e->unit, after); i < end; i++) {
    const pl_token *token = &e->unit->tokens[i];
    bool wanted = token->kind == PL_TOK_COMMENT ||
                  (pragmas && token->kind == PL_TOK_DIRECTIVE);
    if (!wanted || !line_break_between(e, after, token->range.begin))
      continue;
    pl_emit_moved(e, level, aside_text(e, token),
                  pl_emit_indent_of(e->unit, token->range.begin).n);
  }
  if (pragmas)
    emit_pragma_operator(e, level, after, node);
}

/* Whether a token is a comment or a directive. */
static bool is_aside(const pl_token *token) {
  return token->kind == PL_TOK_COMMENT || token->kind == PL_TOK_DIRECTIVE;
}

void pl_emit_pragmas(pl_emitter *e, int level, const pl_node *node) {
  uint32_t end = pl_token_from(e->unit, node->range.begin), begin = end;
  while (begin && is_aside(&e->unit->tokens[begin - 1]))
    begin--;
  for (uint32_t i = begin; i < end; i++) {
    if (e->unit->tokens[i].kind == PL_TOK_DIRECTIVE)
      pl_emit_moved(e, level, aside_text(e, &e->unit->tokens[i]),
                    pl_emit_indent_of(e->unit,
                                      e->unit->tokens[i].range.begin).n);
  }
  emit_pragma_operator(e, level, 0, node);
}

/* The comment that ends a statement's line; NULL: there is none. */
static const pl_token *comment_behind(const pl_emitter *e, const pl_node *node) {
  uint32_t i = pl_token_from(e->unit, node->range.end);
  const pl_token *token = &e->unit->tokens[i];
  return i == e->unit->ntokens || token->kind != PL_TOK_COMMENT ||
                 line_break_between(e, node->range.end, token->range.begin)
             ? NULL
             : token;
}

/* With a blank before it, two where the user leaves more than one, or a tab. */
pl_str pl_trailing_comment(const pl_emitter *e, const pl_node *node) {
  const pl_token *token = comment_behind(e, node);
  if (!token)
    return PL_STR("");
  uint32_t at = node->range.end + (e->unit->text.p[node->range.end] == ';');
  const char *blanks = memchr(e->unit->text.p + at, '\t', token->range.begin - at) ? "\t"
                       : token->range.begin <= at + 1                             ? " "
                                                                                  : "  ";
  return pl_arena_printf(e->arena, "%s%.*s", blanks, PL_FMT(aside_text(e, token)));
}

void pl_emit_with_comment(pl_emitter *e, int level, const pl_node *node) {
  pl_str comment = pl_trailing_comment(e, node);
  pl_emit_statement(e, level,
                    pl_arena_printf(e->arena, "%.*s%.*s",
                                    PL_FMT(pl_unit_slice(e->unit, node->range)),
                                    PL_FMT(comment)),
                    node);
}

static void emit_comment(pl_emitter *e, int level, const pl_token *token) {
  pl_emit_moved(e, level, aside_text(e, token),
                pl_emit_indent_of(e->unit, token->range.begin).n);
}

void pl_emit_comment_above(pl_emitter *e, int level, const pl_node *node) {
  const pl_token *token = comment_behind(e, node);
  if (token)
    emit_comment(e, level, token);
}

void pl_emit_header_comment(pl_emitter *e, int level, const pl_node *body) {
  const pl_unit *unit = e->unit;
  uint32_t end = pl_token_from(unit, body->range.begin), begin = end;
  if (body->kind == PL_NODE_COMPOUND) {
    const pl_token *token = &unit->tokens[end + 1];
    if (end + 1 < unit->ntokens && pl_token_is(unit, end, "{") &&
        token->kind == PL_TOK_COMMENT &&
        !line_break_between(e, body->range.begin, token->range.begin))
      emit_comment(e, level, token);
    return;
  }
  while (begin && unit->tokens[begin - 1].kind == PL_TOK_COMMENT)
    begin--;
  for (uint32_t i = begin; i < end; i++)
    if (!pl_str_starts(pl_token_text(unit, i), "#")) /* of #if 0 */
      emit_comment(e, level, &unit->tokens[i]);
}
