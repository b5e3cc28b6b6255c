/* emit_style.c - how the user writes a loop: indentation, braces, pragma.
 *
 * Needs: the tokens around the loop. Gives: one level of indentation, whether
 * braces have lines of their own, and the pragma that goes along with the main
 * loop. Raises nothing. */
#include "emit.h"

#include <string.h>

bool pl_newline_between(const pl_unit *unit, uint32_t from, uint32_t to) {
  return from < to && memchr(unit->text.p + from, '\n', to - from) != NULL;
}

/* What the tree has of the header last; NULL: nothing. */
static const pl_node *last_of_header(const pl_loop *loop) {
  const pl_node *node = loop->node;
  if (node->kind == PL_NODE_WHILE)
    return node->kids[0];
  if (node->kind == PL_NODE_DO)
    return NULL;
  for (int i = 2; i > 0; i--)
    if (node->kids[i])
      return node->kids[i];
  return node->kids[0];
}

/* The last blank in front of a loop's body. */
static uint32_t blank_before_body(const pl_emitter *e) {
  uint32_t at = e->loop->body->range.begin;
  while (at && strchr(" \t\r\n", e->unit->text.p[at - 1]))
    at--;
  return at;
}

/* Where the next `for`, `while` or `do` begins; UINT32_MAX: there is none. */
static uint32_t keyword_from(const pl_unit *unit, uint32_t at) {
  for (uint32_t i = pl_token_from(unit, at); i < unit->ntokens; i++)
    if (pl_token_is(unit, i, "for") || pl_token_is(unit, i, "while") ||
        pl_token_is(unit, i, "do"))
      return unit->tokens[i].range.begin;
  return UINT32_MAX;
}

uint32_t pl_header_begin(const pl_loop *loop) {
  uint32_t keyword = keyword_from(loop->unit, loop->node->range.begin);
  return keyword <= loop->body->range.begin ? keyword : loop->node->range.begin;
}

uint32_t pl_header_end(const pl_emitter *e) {
  const pl_node *part = last_of_header(e->loop);
  return part ? part->range.end : blank_before_body(e);
}

/* By how much a function's text stands further in than its head; empty: it does not
 * say. */
static pl_str step_in(const pl_emitter *e, const pl_func *func) {
  pl_str outer = pl_emit_indent_of(e->unit, func->range.begin);
  const pl_node *first = func->body->nkids ? func->body->kids[0] : NULL;
  pl_str inner =
      first ? pl_emit_indent_of(e->unit, first->range.begin) : PL_STR("");
  return inner.n > outer.n ? (pl_str){inner.p + outer.n, inner.n - outer.n}
                           : PL_STR("");
}

pl_str pl_indent_step_in(const pl_emitter *e, const pl_func *func) {
  pl_str step = step_in(e, func);
  return step.n ? step : e->step.n ? e->step : PL_STR("  ");
}

pl_str pl_indent_step(const pl_emitter *e) {
  pl_str outer = pl_emit_indent_of(e->unit, e->loop->node->range.begin);
  for (size_t i = 0; i < e->loop->nstmts; i++) {
    pl_str inner =
        pl_emit_indent_of(e->unit, e->loop->stmts[i].node->range.begin);
    if (inner.n > outer.n)
      return (pl_str){inner.p + outer.n, inner.n - outer.n};
  }
  pl_str step = step_in(e, e->loop->func);
  return step.n ? step : PL_STR("  ");
}

pl_str pl_brace_indent(const pl_emitter *e) {
  pl_str outer = pl_emit_indent_of(e->unit, pl_header_begin(e->loop));
  pl_str brace = pl_emit_indent_of(e->unit, e->loop->body->range.begin);
  if (!e->brace_own_line || brace.n <= outer.n ||
      brace.n - outer.n > e->step.n)
    return PL_STR("");
  return (pl_str){brace.p + outer.n, brace.n - outer.n};
}

bool pl_pragmas_at_edge(const pl_emitter *e) {
  const pl_unit *unit = e->unit;
  pl_run run = pl_tokens_in(unit, e->loop->func->range);
  for (uint32_t i = run.first; i < run.end; i++)
    if (unit->tokens[i].kind == PL_TOK_DIRECTIVE &&
        pl_str_starts(pl_directive_word(pl_token_text(unit, i)), "pragma"))
      return pl_emit_indent_of(unit, unit->tokens[i].range.begin).n == 0;
  return false;
}

/* Whether text begins with the rest of a line and an empty one. */
static bool begins_with_blank_line(pl_str text) {
  int ends = 0;
  for (size_t i = 0; i < text.n && strchr(" \t\r\n", text.p[i]); i++)
    ends += text.p[i] == '\n';
  return ends > 1;
}

bool pl_blank_between(const pl_loop *loop, size_t first, size_t second) {
  for (size_t i = first + 1; i <= second; i++)
    if (begins_with_blank_line(
            pl_unit_slice(loop->unit, loop->stmts[i].chunk)))
      return true;
  return false;
}

bool pl_shares_line(const pl_loop *loop, size_t index) {
  if (index == 0 || loop->stmts[index].joined)
    return index > 0;
  uint32_t at = loop->stmts[index - 1].node->range.end;
  uint32_t begin = loop->stmts[index].node->range.begin;
  while (at < begin && strchr(" \t", loop->unit->text.p[at]))
    at++;
  return at == begin;
}

/* Whether a statement begins at an offset. */
static bool begins_statement(const pl_node *block, uint32_t at) {
  for (uint32_t i = 0; block && i < block->nkids; i++)
    if (block->kids[i] && block->kids[i]->range.begin == at)
      return true;
  return false;
}

/* A word that stands between two statements is `_Pragma`, or a macro that stands for it or
 * for an attribute. */
pl_range pl_pragma_operator(const pl_unit *unit, const pl_node *loop, uint32_t keyword) {
  static const char *const before[] = {"if", "else", "for", "while", "do", "switch", "constexpr"};
  uint32_t i = pl_token_from(unit, keyword), last, depth = 0;
  while (i && unit->tokens[i - 1].kind == PL_TOK_COMMENT)
    i--;
  if (!i)
    return (pl_range){0, 0};
  last = --i;
  for (;; i--) {
    depth += pl_token_is(unit, i, ")");
    if (!i || !depth)
      break;
    depth -= pl_token_is(unit, i, "(");
  }
  pl_range range = {unit->tokens[i].range.begin, unit->tokens[last].range.end};
  bool is_word = unit->tokens[i].kind == PL_TOK_IDENT &&
                 !PL_STR_IS_ONE(pl_token_text(unit, i), before);
  return is_word && !begins_statement(loop->parent, range.begin) ? range : (pl_range){0, 0};
}

/* `_Pragma("unroll")` above the loop, and what stands before its keyword. */
static bool with_pragma_operator(pl_emitter *e, uint32_t *begin) {
  uint32_t keyword = keyword_from(e->unit, *begin);
  pl_range text = pl_pragma_operator(e->unit, e->loop->node, keyword);
  if (!text.end)
    return false;
  e->pragma = pl_unit_slice(e->unit, text);
  if (text.begin < *begin)
    *begin = text.begin;
  return true;
}

/* `#pragma unroll` right above the loop goes along with the main loop. */
uint32_t pl_with_pragma(pl_emitter *e) {
  uint32_t begin = e->loop->node->range.begin;
  if (with_pragma_operator(e, &begin))
    return begin;
  pl_str text = pl_unit_slice(e->unit, e->loop->node->range);
  if (text.n && text.p[0] == '#') {
    size_t end = 0;
    while (end < text.n && text.p[end] != '\n')
      end++;
    e->pragma = pl_trim_lines((pl_str){text.p, end});
    return begin;
  }
  uint32_t at = pl_token_from(e->unit, begin);
  if (at == 0 || e->unit->tokens[at - 1].kind != PL_TOK_DIRECTIVE)
    return begin;
  pl_str line = pl_token_text(e->unit, at - 1);
  if (!pl_str_has(line, "pragma") || !pl_str_has(line, "unroll"))
    return begin;
  e->pragma = pl_trim_lines(line);
  return e->unit->tokens[at - 1].range.begin;
}
