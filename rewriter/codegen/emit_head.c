/* emit_head.c - how a loop is asked for its next tile.
 *
 * Needs: header and tests (loops_head.c), cursors. Gives: the condition as one
 * expression; where the head of the body takes part in finding a tile, the
 * search for it; the user's own loop around all tiles. Raises nothing.
 *
 * The search is the user's loop with the user's head, left at the first tile:
 *
 *     more = false;
 *     for (; t < tiles; ++t) {
 *         if (!mask[t])
 *             continue;
 *         more = true;
 *         break;
 *     } */
#include "emit.h"

#include <string.h>

/* ---- the condition as an expression ---------------------------------------- */

static pl_str part_text(pl_emitter *e, pl_node *node, bool renamed) {
  return renamed ? pl_renamed(e, node) : pl_text_of(e, node);
}

static bool compares_exactly(const pl_node *node) {
  return node->type && (node->type->kind == PL_TYPE_INT ||
                        node->type->kind == PL_TYPE_POINTER ||
                        node->type->kind == PL_TYPE_BOOL);
}

/* `<` for `>=`; NULL: no such operator. */
static const char *opposite(pl_op op) {
  switch (op) {
  case PL_OP_LT: return ">=";
  case PL_OP_GE: return "<";
  case PL_OP_GT: return "<=";
  case PL_OP_LE: return ">";
  case PL_OP_EQ: return "!=";
  case PL_OP_NE: return "==";
  default: return NULL;
  }
}

/* Whether a comparison can be turned: no NaN is compared, and its operands are
 * spelled on both sides of its operator. */
static bool can_turn(const pl_node *test) {
  return test->kind == PL_NODE_BINARY && opposite(test->op) &&
         compares_exactly(test->kids[0]) && compares_exactly(test->kids[1]) &&
         test->op_range.end && !test->from_macro &&
         test->kids[0]->range.end <= test->op_range.begin &&
         test->kids[1]->range.begin >= test->op_range.end;
}

static bool is_operand(const pl_node *node) {
  return node->kind == PL_NODE_REF || node->kind == PL_NODE_CALL ||
         node->kind == PL_NODE_SUBSCRIPT || node->kind == PL_NODE_MEMBER ||
         node->kind == PL_NODE_PAREN;
}

/* What holds where a break is not taken. */
static pl_str turned(pl_emitter *e, pl_node *test, bool renamed) {
  pl_str text = part_text(e, test, renamed);
  if (can_turn(test)) {
    pl_str left = part_text(e, test->kids[0], renamed),
           right = part_text(e, test->kids[1], renamed);
    return pl_arena_printf(e->arena, "%.*s %s %.*s", PL_FMT(left),
                           opposite(test->op), PL_FMT(right));
  }
  if (test->kind == PL_NODE_UNARY && test->op == PL_OP_LNOT &&
      !test->from_macro && is_operand(test->kids[0]))
    return part_text(e, test->kids[0], renamed);
  const char *form =
      is_operand(test) && !test->from_macro ? "!%.*s" : "!(%.*s)";
  return pl_arena_printf(e->arena, form, PL_FMT(text));
}

/* Whether an expression needs parentheses as an operand of `&&`. */
static bool binds_weakly(const pl_node *node) {
  return node->from_macro || node->kind == PL_NODE_COND ||
         node->kind == PL_NODE_ASSIGN ||
         (node->kind == PL_NODE_BINARY &&
          (node->op == PL_OP_LOR || node->op == PL_OP_COMMA));
}

pl_str pl_cond_text(pl_emitter *e, bool renamed) {
  const pl_loop *loop = e->loop;
  pl_text out = {.arena = e->arena};
  if (loop->header) {
    bool group = loop->ntests && binds_weakly(loop->header);
    pl_text_printf(&out, group ? "(%.*s)" : "%.*s",
                   PL_FMT(part_text(e, loop->header, renamed)));
  }
  for (size_t i = 0; i < loop->ntests; i++)
    pl_text_printf(&out, "%s%.*s", out.n ? " && " : "",
                   PL_FMT(turned(e, loop->tests[i], renamed)));
  return pl_text_view(&out);
}

/* ---- headers ---------------------------------------------------------------- */

void pl_emit_step(pl_emitter *e, int level) {
  pl_str step = pl_text_of(e, e->loop->inc);
  if (step.n)
    pl_emit_line(e, level, "%.*s;", PL_FMT(step));
}

static void emit_comment(pl_emitter *e, int level, pl_range range) {
  pl_str text = pl_trim_lines(pl_unit_slice(e->unit, range));
  size_t blank = pl_blank_prefix(text);
  if (text.n > blank)
    pl_emit_moved(e, level, text, blank);
}

/* The comments of the tests that have gone into the condition. */
static void emit_test_comments(pl_emitter *e, int level) {
  for (size_t i = 0; !e->loop->searches && i < e->loop->nhead; i++) {
    const pl_head_item *item = &e->loop->head[i];
    if (!item->jumps)
      continue;
    emit_comment(e, level,
                 (pl_range){item->chunk.begin, item->node->range.begin});
    pl_range behind = {item->node->range.end, item->chunk.end};
    while (behind.begin < behind.end &&
           e->unit->text.p[behind.begin] == ' ')
      behind.begin++;
    emit_comment(e, level, behind);
  }
}

static uint32_t first_begin(const pl_loop *loop) {
  uint32_t at = loop->nstmts ? loop->stmts[0].chunk.begin : UINT32_MAX;
  return loop->nhead && loop->head[0].chunk.begin < at
             ? loop->head[0].chunk.begin
             : at;
}

/* The comments behind the body's brace, up to its first statement. */
static pl_range behind_brace(const pl_loop *loop) {
  return (pl_range){loop->body->range.begin + 1, first_begin(loop)};
}

/* Those that end the brace's line, with the blanks before them; empty: there is more. */
static pl_str comment_beside(const pl_emitter *e) {
  pl_str text = pl_unit_slice(e->unit, behind_brace(e->loop));
  while (text.n && strchr(" \t\r\n", text.p[text.n - 1]))
    text.n--;
  bool whole = text.n && !memchr(text.p, '\n', text.n) && text.p[text.n - 1] != '\\';
  return whole ? text : PL_STR("");
}

void pl_emit_beside(pl_emitter *e) {
  pl_str text = comment_beside(e);
  if (!text.n)
    return;
  e->out.n--;
  pl_text_printf(&e->out, "%.*s\n", PL_FMT(text));
}

uint32_t pl_loop_end(const pl_emitter *e) {
  const uint32_t end = e->loop->node->range.end;
  pl_range behind = {end, pl_end_with_comment(e->unit, e->loop->node)};
  pl_str text = pl_unit_slice(e->unit, behind);
  bool speaks_of_loop = text.n && !memchr(text.p, '\n', text.n) &&
                        text.p[text.n - 1] != '\\' && !pl_str_has(text, "pipelinify:") &&
                        !pl_str_has(text, "clang-format");
  return speaks_of_loop ? behind.end : end;
}

void pl_emit_behind(pl_emitter *e) {
  pl_str text =
      pl_unit_slice(e->unit, (pl_range){e->loop->node->range.end, pl_loop_end(e)});
  if (!text.n)
    return;
  e->out.n--;
  pl_text_printf(&e->out, "%.*s\n", PL_FMT(text));
}

/* The comments between a header and its body's brace. */
static void emit_comments_behind_header(pl_emitter *e, int level) {
  pl_run run = pl_tokens_in(
      e->unit, (pl_range){pl_header_end(e), e->loop->body->range.begin});
  for (uint32_t i = run.first; i < run.end; i++)
    if (e->unit->tokens[i].kind == PL_TOK_COMMENT)
      emit_comment(e, level, e->unit->tokens[i].range);
}

void pl_emit_above(pl_emitter *e, int level) {
  if (!pl_keeps_header(e) || e->loop->ntests)
    emit_comments_behind_header(e, level);
  if (!comment_beside(e).n)
    emit_comment(e, level, behind_brace(e->loop));
  emit_test_comments(e, level);
  if (e->pragma.n)
    pl_emit_line(e, level, "%.*s", PL_FMT(e->pragma));
}

static bool has_for_header(const pl_loop *loop) {
  return loop->node->kind != PL_NODE_WHILE && loop->inc && !loop->asks_last;
}

static bool reads_memory(pl_node *node, const void *unused) {
  (void)unused;
  return node->kind == PL_NODE_CALL || node->kind == PL_NODE_SUBSCRIPT ||
         node->kind == PL_NODE_ASM || node->kind == PL_NODE_UNKNOWN ||
         (node->kind == PL_NODE_MEMBER && node->is_arrow) ||
         (node->kind == PL_NODE_UNARY && node->op == PL_OP_DEREF) ||
         (node->kind == PL_NODE_REF && node->decl && node->decl->is_shared);
}

/* Steps longer than that are no part of a header that has another. */
#define SHORT_STEP 16

bool pl_header_steps_first(const pl_emitter *e) {
  const pl_loop *loop = e->loop;
  return !loop->searches && has_for_header(loop) &&
         pl_text_of(e, loop->inc).n <= SHORT_STEP &&
         !pl_node_find(loop->inc, reads_memory, NULL);
}

/* The header as it stands, with what is between it and its brace. */
static void open_kept(pl_emitter *e, int level, pl_str cond) {
  const pl_loop *loop = e->loop;
  pl_str text = pl_unit_slice(
      e->unit, (pl_range){pl_header_begin(loop), loop->body->range.begin});
  if (loop->ntests)
    pl_emit_open(e, level, "for (%.*s; %.*s; %.*s)", PL_FMT(pl_text_of(e, loop->init)),
                 PL_FMT(cond), PL_FMT(pl_text_of(e, loop->inc)));
  else if (e->brace_own_line)
    pl_emit_open(e, level, "%.*s", PL_FMT(pl_rebased(e, level, pl_trim_lines(text))));
  else
    pl_emit_line(e, level, "%.*s{", PL_FMT(pl_rebased(e, level, text)));
}

void pl_emit_header(pl_emitter *e, int level, bool steps_first) {
  pl_str cond = pl_rebased(e, level, pl_cond_text(e, false));
  pl_str step = pl_text_of(e, e->loop->inc);
  pl_emit_above(e, level);
  if (pl_keeps_header(e))
    open_kept(e, level, cond);
  else if (!has_for_header(e->loop))
    pl_emit_open(e, level, "while (%.*s)", PL_FMT(cond));
  else
    pl_emit_open(e, level, "for (%.*s; %.*s; %.*s)", steps_first ? (int)step.n : 0,
                 step.p, PL_FMT(cond), PL_FMT(step));
  pl_emit_beside(e);
}

/* ---- the user's own loop ---------------------------------------------------- */

/* The header of the user's loop as it stands, but for what it declares. */
static void open_own_header(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  pl_str cond = pl_text_of(e, loop->header), step = pl_text_of(e, loop->inc);
  if (loop->node->kind == PL_NODE_DO)
    pl_emit_open(e, level, "do");
  else if (loop->node->kind == PL_NODE_WHILE && !loop->inc)
    pl_emit_open(e, level, "while (%.*s)",
                 PL_FMT(pl_text_of(e, loop->node->kids[0])));
  else
    pl_emit_open(e, level, "for (;%s%.*s;%s%.*s)", cond.n ? " " : "",
                 PL_FMT(cond), step.n ? " " : "", PL_FMT(step));
}

/* Where the text of the first statement at or behind an offset begins. */
static uint32_t chunk_behind(const pl_loop *loop, uint32_t at, uint32_t end) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].node->range.begin >= at &&
        loop->stmts[i].chunk.begin < end)
      end = loop->stmts[i].chunk.begin;
  return end;
}

/* `if (wanted) {` with the comments beside its braces. */
static void open_branch(pl_emitter *e, int level, const pl_head_item *item) {
  const pl_loop *loop = e->loop;
  const pl_node *wanted = loop->branch->kids[0]->kids[0];
  uint32_t brace = loop->branch_body->range.begin, at = wanted->range.end;
  while (at < brace && e->unit->text.p[at] != ')')
    at++;
  while (at < brace && strchr(") ", e->unit->text.p[at]))
    at++;
  emit_comment(e, level,
               (pl_range){item->chunk.begin, item->node->range.begin});
  emit_comment(e, level, (pl_range){at, brace});
  pl_emit_open(e, level, "if (%.*s)",
               PL_FMT(pl_rebased(e, level, pl_text_of(e, wanted))));
  emit_comment(e, level + 1,
               (pl_range){brace + 1,
                          chunk_behind(loop, brace, loop->body->range.end)});
}

/* The head of the body as far as it decides over a tile; gives the level inside
 * of a branch that it opens. */
static int emit_head(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  for (size_t i = 0; i < loop->nhead; i++) {
    const pl_head_item *item = &loop->head[i];
    uint32_t begin = item->node->range.begin;
    if (item->node == loop->branch) {
      open_branch(e, level++, item);
    } else if (item->needed) {
      pl_emit_chunk(e, level, item->chunk, begin);
    }
  }
  return level;
}

/* The branch's brace, with the comments behind it. */
static void close_branch(pl_emitter *e, int level) {
  uint32_t end = e->loop->branch_body->range.end;
  uint32_t last = e->loop->body->range.end - 1;
  pl_emit_line(e, level, "}");
  while (end < last && e->unit->text.p[end] == ' ')
    end++;
  uint32_t line = end;
  while (line < last && e->unit->text.p[line] != '\n')
    line++;
  last = chunk_behind(e->loop, end, last);
  line = line < last ? line : last;
  emit_comment(e, level, (pl_range){end, line});
  emit_comment(e, level, (pl_range){line, last});
}

/* Closes the branch, and steps to the next tile behind it. */
static void emit_always(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  if (loop->branch)
    close_branch(e, level);
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].always)
      pl_emit_chunk(e, level, loop->stmts[i].chunk,
                    loop->stmts[i].node->range.begin);
}

int pl_open_own_loop(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  if (!loop->searches && !loop->asks_last) {
    pl_emit_header(e, level, false);
    return level + 1;
  }
  pl_emit_above(e, level);
  open_own_header(e, level);
  pl_emit_beside(e);
  return emit_head(e, level + 1);
}

void pl_close_own_loop(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  emit_always(e, level + 1);
  if (loop->last_jump)
    pl_emit_chunk(e, level + 1, loop->last_jump->range,
                  loop->last_jump->range.begin);
  if (loop->node->kind == PL_NODE_DO)
    pl_emit_close_do(e, level, loop->node, pl_text_of(e, loop->cond));
  else
    pl_emit_line(e, level, "}");
  pl_emit_behind(e);
}

/* ---- the search -------------------------------------------------------------- */

void pl_emit_search(pl_emitter *e, int level, pl_str more) {
  open_own_header(e, level);
  int inner = emit_head(e, level + 1);
  pl_emit_line(e, inner, "%.*s = true;", PL_FMT(more));
  pl_emit_line(e, inner, "break;");
  emit_always(e, level + 1);
  pl_emit_line(e, level, "}");
}
