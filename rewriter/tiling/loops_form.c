/* loops_form.c - can a loop's text be taken apart?
 *
 * Needs: a candidate. Gives: its statements, each with its chunk of text.
 * Raises: PL1003, PL1004, PL2006, PL2012, PL2100 (by
 * marker, and of asynchronous copies), PL2102, and what loops_head.c raises. */
#include "loops_parts.h"

#include "async_operations.h"

#include <ctype.h>
#include <string.h>

#define MARKER "// pipelinify: "
#define MARKER_REACH 16384 /* bytes of prologue that may follow it */

/* Whether the newline at `at` is taken away by a backslash before it. */
static bool is_spliced(const char *p, uint32_t at) {
  while (at > 0 && (p[at - 1] == ' ' || p[at - 1] == '\t' || p[at - 1] == '\r'))
    at--;
  return at > 0 && p[at - 1] == '\\';
}

/* Whether the text between two offsets is blank or comment only; sets *end to
 * just before the newline that ends the line of `from`. */
static bool rest_of_line_is_comment(const pl_unit *unit, uint32_t from,
                                    uint32_t limit, uint32_t *end) {
  const char *p = unit->text.p;
  uint32_t i = from;
  while (i < limit) {
    if (p[i] == ' ' || p[i] == '\t' || p[i] == '\r') {
      i++;
    } else if (p[i] == '\n') {
      *end = i;
      return true;
    } else if (i + 1 < limit && p[i] == '/' && p[i + 1] == '/') {
      while (i < limit && (p[i] != '\n' || is_spliced(p, i)))
        i++;
    } else if (i + 1 < limit && p[i] == '/' && p[i + 1] == '*') {
      uint32_t j = i + 2;
      while (j + 1 < limit && !(p[j] == '*' && p[j + 1] == '/')) {
        if (p[j] == '\n')
          return false;
        j++;
      }
      i = j + 2;
    } else {
      return false;
    }
  }
  return false;
}

/* An offset, or behind the comment on the rest of its line. */
static uint32_t behind_comment(const pl_unit *unit, uint32_t at,
                               uint32_t limit) {
  uint32_t line_end = at;
  return rest_of_line_is_comment(unit, at, limit, &line_end) ? line_end : at;
}

/* Gives every statement its chunk of text, so that the chunks of a body, one
 * after the other, are the body's text; but for the braces of a branch that is
 * the whole body. */
static void assign_chunks(pl_loop *loop) {
  const pl_node *branch = loop->branch_body;
  uint32_t limit = loop->body->range.end;
  uint32_t at = behind_comment(loop->unit, loop->body->range.begin + 1, limit);
  for (size_t i = 0; i < loop->nstmts; i++) {
    pl_stmt *stmt = &loop->stmts[i];
    pl_range range = stmt->node->range;
    bool inside = branch && pl_range_inside(range, branch->range);
    if (inside && at <= branch->range.begin)
      at = behind_comment(loop->unit, branch->range.begin + 1, limit);
    if (branch && range.begin >= branch->range.end && at < branch->range.end)
      at = behind_comment(loop->unit, branch->range.end, limit);
    uint32_t end = range.end;
    if (stmt->node != loop->branch)
      end = behind_comment(loop->unit, end, limit);
    stmt->chunk = (pl_range){at, end};
    stmt->always = branch && range.begin >= branch->range.end;
    at = end;
  }
}

static bool declares_only_shared(const pl_node *node) {
  if (node->kind != PL_NODE_DECL_STMT || node->nkids == 0)
    return false;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (node->kids[i]->kind != PL_NODE_VAR || !node->kids[i]->decl->is_shared)
      return false;
  return true;
}

static bool is_condition(pl_str word) {
  return pl_str_starts(word, "if") || pl_str_starts(word, "el") ||
         pl_str_starts(word, "endif");
}

static bool refuse_macro(pl_loop *loop, pl_macro_line line, const pl_node *at) {
  if (line.defines &&
      pl_macro_definitions(loop->unit, line.name, loop->node->range.end) == 1)
    return pl_refuse(loop, false, "PL1004", at,
                     "macro '%.*s' is defined inside the loop, whose statements "
                     "would move past that; define it in front of the loop",
                     PL_FMT(line.name));
  return pl_refuse(loop, false, "PL1004", at,
                   "macro '%.*s' gets another meaning inside the loop, whose "
                   "statements would move past that",
                   PL_FMT(line.name));
}

/* Conditions are looked at when all is written: branches.c. */
static bool check_directives(pl_loop *loop) {
  pl_run run = pl_tokens_in(loop->unit, loop->node->range);
  for (uint32_t i = run.first; i < run.end; i++) {
    pl_range range = loop->unit->tokens[i].range;
    pl_str word = pl_directive_at(loop->unit, i);
    pl_macro_line line = pl_macro_of(word);
    pl_node at = {.range = range};
    if (line.name.n)
      return refuse_macro(loop, line, &at);
    if (is_condition(word) && !loop->condition.end)
      loop->condition = range;
  }
  return true;
}

/* The #if to #endif in the loop that begins at or behind token `at`, which is
 * moved behind it; false: there is none. */
static bool next_group(const pl_loop *loop, uint32_t *at, pl_range *group) {
  const pl_unit *unit = loop->unit;
  int depth = 0;
  for (; loop->condition.end && *at < unit->ntokens; (*at)++) {
    pl_range range = unit->tokens[*at].range;
    if (unit->tokens[*at].kind != PL_TOK_DIRECTIVE ||
        !pl_range_inside(range, loop->body->range))
      continue;
    pl_str word = pl_directive_word(pl_unit_slice(unit, range));
    if (pl_str_starts(word, "if") && depth++ == 0)
      group->begin = range.begin;
    if (pl_str_starts(word, "endif") && --depth == 0) {
      group->end = range.end;
      (*at)++;
      return true;
    }
  }
  return false;
}

/* Text from an #if to its #endif moves as one: with the statements in it, or
 * else with the statement before, or behind where that is a barrier. */
static void join_group(pl_loop *loop, pl_range group) {
  size_t first = loop->nstmts, last = loop->nstmts, before = loop->nstmts;
  for (size_t i = 0; i < loop->nstmts; i++) {
    pl_range range = loop->stmts[i].node->range;
    if (range.end <= group.begin)
      before = i;
    if (range.begin < group.begin && range.end > group.begin)
      return;
    if (pl_range_inside(range, group)) {
      first = first < loop->nstmts ? first : i;
      last = i;
    }
  }
  if (last == loop->nstmts && before < loop->nstmts &&
      !loop->stmts[before].is_barrier)
    first = last = before;
  if (last == loop->nstmts)
    return;
  for (size_t i = first + 1; i <= last; i++)
    loop->stmts[i].joined = true;
  loop->stmts[last].chunk.end = group.end;
  if (last + 1 < loop->nstmts)
    loop->stmts[last + 1].chunk.begin = group.end;
}

static void join_groups(pl_loop *loop) {
  pl_range group = {0, 0};
  for (uint32_t at = 0; next_group(loop, &at, &group);)
    join_group(loop, group);
}

bool pl_under_inner_condition(const pl_loop *loop, pl_range range) {
  pl_range group = {0, 0};
  for (uint32_t at = 0; next_group(loop, &at, &group);)
    if (pl_range_inside(range, group))
      return true;
  return false;
}

static void fill_statements(pl_loop *loop) {
  pl_node *body = loop->body;
  loop->stmts = PL_NEW_ARRAY(loop->arena, pl_stmt, body->nkids + 1);
  for (uint32_t i = 0; i < body->nkids; i++) {
    if (!body->kids[i])
      continue;
    pl_stmt *stmt = &loop->stmts[loop->nstmts++];
    stmt->node = body->kids[i];
    stmt->is_barrier = pl_is_barrier(stmt->node);
    stmt->is_shared_decl = declares_only_shared(stmt->node);
    if (!stmt->is_barrier)
      pl_effects_of(loop->effects, loop->func, stmt->node, &stmt->effects);
  }
  assign_chunks(loop);
  join_groups(loop);
}

/* `do { ... } while (0)` of a macro: a statement, not a loop. */
static bool is_statement_macro(const pl_node *node) {
  return node->from_macro && pl_runs_once(node);
}

/* `GROUP_SYNC;` where the file, or a header of the user's, has
 * `#define GROUP_SYNC __syncthreads()`, once: the barrier goes by that name wherever
 * it moves. */
static bool is_barrier_macro(const pl_loop *loop, const pl_stmt *stmt) {
  pl_str text = pl_unit_slice(loop->unit, stmt->node->range);
  pl_str name = {text.p, 0};
  while (name.n < text.n &&
         (isalnum((unsigned char)text.p[name.n]) || text.p[name.n] == '_'))
    name.n++;
  return stmt->is_barrier &&
         pl_macro_definitions(loop->unit, name, UINT32_MAX) +
                 pl_header_macro_definitions(loop->unit, name) == 1;
}

/* Whether something else than the thread's own is written. */
static bool stores(const pl_effects *effects) {
  for (size_t i = 0; i < effects->n; i++)
    if (effects->items[i].kind != PL_EFFECT_READ &&
        effects->items[i].space != PL_SPACE_LOCAL)
      return true;
  return false;
}

static bool is_closed(const pl_loop *loop) {
  pl_str body = pl_unit_slice(loop->unit, loop->body->range);
  return body.n > 1 && body.p[0] == '{' && body.p[body.n - 1] == '}';
}

/* Whether the parts of a header lie apart, and the body's braces are written:
 * one macro may make several of them. */
static bool is_spelled_out(const pl_loop *loop) {
  const pl_node *parts[] = {loop->init, loop->cond, loop->inc, loop->body};
  bool header = loop->node->kind == PL_NODE_FOR;
  uint32_t end = loop->node->range.begin;
  for (size_t i = 0; header && i < sizeof parts / sizeof *parts; i++) {
    if (parts[i] && parts[i]->range.begin < end)
      return false;
    end = parts[i] ? parts[i]->range.end : end;
  }
  return is_closed(loop);
}

/* Whether a statement begins in the text of the one before it: `a PLUS;` where the
 * macro's body goes on behind a semicolon. */
static bool share_text(const pl_node *first, const pl_node *next) {
  return first->range.begin >= next->range.begin ||
         (first->range.end > next->range.begin && next->kind != PL_NODE_EMPTY);
}

/* Macros may be used inside statements, but may not make them; a loop of a macro
 * that computes for its thread alone stays as it is spelled. */
static bool check_macros(pl_loop *loop) {
  pl_str word = pl_unit_slice(loop->unit, loop->node->range);
  bool named = pl_str_starts(word, "for") || pl_str_starts(word, "while") ||
               pl_str_starts(word, "do");
  const pl_problem *problem =
      pl_problem_inside(loop->unit, (pl_range){loop->node->range.begin, UINT32_MAX});
  if (named && problem && !is_closed(loop)) {
    pl_refuse_problem(loop, problem);
    return false;
  }
  if (!named || !is_spelled_out(loop))
    return pl_refuse(loop, false, "PL1003", loop->node,
                     "the loop is spelled by a macro");
  for (size_t i = 0; i < loop->nstmts; i++) {
    pl_stmt *stmt = &loop->stmts[i];
    bool structural = stmt->is_barrier ||
                      stmt->node->kind == PL_NODE_DECL_STMT ||
                      pl_node_is_loop(stmt->node);
    bool from_macro = stmt->node->from_macro;
    if (stmt->node->kind == PL_NODE_DECL_STMT)
      from_macro = stmt->node->nkids && stmt->node->kids[0]->decl &&
                   stmt->node->kids[0]->decl->from_macro;
    if (pl_node_is_loop(stmt->node)) {
      pl_str text = pl_unit_slice(loop->unit, stmt->node->range);
      from_macro = !pl_str_starts(text, "for") &&
                   !pl_str_starts(text, "while") &&
                   !pl_str_starts(text, "do") && !pl_str_starts(text, "#");
    }
    pl_effects effects = {0};
    pl_effects_of(loop->effects, loop->func, stmt->node, &effects);
    bool barrier = stmt->is_barrier ||
                   pl_effects_find(&effects, PL_EFFECT_BARRIER) ||
                   pl_effects_find(&effects, PL_EFFECT_SPECIAL_BARRIER);
    bool moves_whole = is_statement_macro(stmt->node) ||
                       (pl_node_is_loop(stmt->node) && !stores(&effects));
    if (structural && from_macro && !is_barrier_macro(loop, stmt) &&
        (barrier || !moves_whole))
      return pl_refuse(loop, false, "PL1003", stmt->node,
                       "a macro's body holds this %s",
                       barrier                       ? "barrier"
                       : pl_node_is_loop(stmt->node) ? "loop"
                                                     : "declaration");
  }
  for (size_t i = 0; i + 1 < loop->nstmts; i++)
    if (share_text(loop->stmts[i].node, loop->stmts[i + 1].node))
      return pl_refuse(loop, false, "PL1003", loop->stmts[i].node,
                       "one macro makes several statements");
  return true;
}

static bool is_marker(const pl_unit *unit, uint32_t i) {
  pl_str text = pl_token_text(unit, i);
  if (unit->tokens[i].kind != PL_TOK_COMMENT || !pl_str_starts(text, MARKER))
    return false;
  text.p += strlen(MARKER);
  text.n -= strlen(MARKER);
  for (pl_variant v = PL_VARIANT_AUTO + 1; v < PL_VARIANTS; v++)
    if (pl_str_starts(text, pl_variant_name(v)))
      return true;
  return false;
}

static bool is_loop_word(const pl_unit *unit, uint32_t i) {
  return pl_token_is(unit, i, "for") || pl_token_is(unit, i, "while") ||
         pl_token_is(unit, i, "do");
}

/* Whether no loop whose body is a block, no block that holds one, and none without a
 * header ends between two tokens; local functions may. */
static bool stays_inside(const pl_unit *unit, uint32_t first, uint32_t end) {
  int braces = 0, parens = 0;
  bool loops = false;
  for (uint32_t i = first; i < end; i++) {
    if (pl_token_is(unit, i, "{") && braces++ == 0 && !pl_token_is(unit, i - 1, ")"))
      loops = true;
    parens += pl_token_is(unit, i, "(") - pl_token_is(unit, i, ")");
    loops = loops || is_loop_word(unit, i);
    if (pl_token_is(unit, i, ";") && braces == 0 && parens == 0)
      loops = false;
    if (!pl_token_is(unit, i, "}") || --braces > 0)
      continue;
    if (braces < 0 || (loops && !pl_token_is(unit, i + 1, ";")))
      return false;
    loops = false;
  }
  return true;
}

/* Whether what earlier output says of a main loop stands right above. */
static bool is_said_main(const pl_unit *unit, uint32_t end) {
  for (uint32_t i = end; i-- > 0 && (unit->tokens[i].kind == PL_TOK_COMMENT ||
                                     unit->tokens[i].kind == PL_TOK_DIRECTIVE);)
    if (pl_str_starts(pl_token_text(unit, i), PL_MAIN_LOOP))
      return true;
  return false;
}

/* Whether earlier output stands among the statements of a loop's own body: prologue and
 * epilogue of the loop inside are no tile's of this one. */
static bool holds_marker(const pl_unit *unit, const pl_node *loop) {
  const pl_node *body = pl_node_loop_body(loop);
  pl_run run = body ? pl_tokens_in(unit, body->range) : (pl_run){0, 0};
  int depth = 0;
  for (uint32_t i = run.first; i < run.end; i++) {
    depth += pl_token_is(unit, i, "{") - pl_token_is(unit, i, "}");
    if (depth == 1 && is_marker(unit, i))
      return true;
  }
  return false;
}

/* The marker that earlier output carries, not far above, or right inside. */
bool pl_has_marker(const pl_unit *unit, const pl_node *loop) {
  uint32_t at = loop->range.begin, end = pl_token_from(unit, at);
  uint32_t low = at > MARKER_REACH ? at - MARKER_REACH : 0;
  bool is_main = is_said_main(unit, end);
  for (uint32_t i = pl_token_from(unit, low); i < end; i++)
    if (is_marker(unit, i) && (is_main || stays_inside(unit, i + 1, end)))
      return true;
  return holds_marker(unit, loop);
}

/* Where copies are in flight from one iteration to another the author has pipelined the
 * loop, whatever form that took: of no such loop more is asked. Where they are waited for
 * at once, waited_copies.c makes plain loads of them. */
bool pl_settle_async(pl_loop *loop) {
  pl_async_use use;
  pl_async_in_loop(loop, &use);
  if (!use.any)
    return true;
  loop->is_marked = pl_has_marker(loop->unit, loop->node);
  if (use.ahead || loop->is_marked)
    return pl_loop_settle(loop, PL_VERDICT_ALREADY_PIPELINED, true, "PL2100", NULL,
                          "asynchronous copies are in flight from one iteration to "
                          "the next already");
  return pl_refuse(loop, true, "PL2102", use.at, "%s",
                   use.waited ? "the loop copies asynchronously, and waits at once"
                              : use.why);
}

/* Why a barrier, or a call that may wait at one, is not at the body's own level. */
static const char *why_conditional(const pl_loop *loop, const pl_node *node) {
  bool joined = false;
  const pl_node *up = node;
  while (pl_is_barrier(node) && (up = up->parent) != loop->body && up) {
    joined = joined || (up->kind == PL_NODE_BINARY && up->op == PL_OP_COMMA);
    if (up->kind != PL_NODE_COMPOUND && up->kind != PL_NODE_PAREN &&
        up->kind != PL_NODE_CAST && !joined && !pl_runs_once(up))
      break;
  }
  return up != loop->body || !pl_is_barrier(node)
             ? "a barrier stands inside a branch of the loop"
         : joined ? "a barrier is a part of a larger statement; as one of its own "
                    "it is no hindrance"
                  : "a barrier stands in a block inside the loop's body, and what the "
                    "block declares means something else behind it, or is ended by "
                    "code; with other names, and no braces, it is no hindrance";
}

static bool is_private(pl_node *node, const void *unused) {
  (void)unused;
  bool member = node->kind == PL_NODE_MEMBER && node->decl &&
                (node->decl->kind == PL_DECL_FIELD || node->decl->kind == PL_DECL_METHOD);
  const pl_node *of = member && node->nkids ? pl_node_bare(node->kids[0]) : NULL;
  return member && !node->decl->is_public && (!of || of->kind == PL_NODE_THIS);
}

/* A member that a method names, and the loop's function may not; NULL: there is none. */
static const pl_node *names_private(const pl_loop *loop, const pl_node *call) {
  const pl_func *method = call->decl ? call->decl->func : NULL;
  bool other = method && method->is_method && method->body && !loop->func->is_method;
  return other ? pl_node_find(method->body, is_private, NULL) : NULL;
}

/* Checks of form that do not need the slices. */
void pl_examine(pl_loop *loop, const pl_barrier_scan *scan) {
  if (!pl_check_problems(loop))
    return;
  loop->is_marked = pl_has_marker(loop->unit, loop->node);
  if (loop->is_marked) {
    pl_loop_settle(loop, PL_VERDICT_ALREADY_PIPELINED, true, "PL2100", NULL,
                   "the loop is software-pipelined already");
    return;
  }
  if (!pl_settle_async(loop))
    return;
  if (loop->node->kind != PL_NODE_FOR && loop->node->kind != PL_NODE_WHILE &&
      loop->node->kind != PL_NODE_DO) {
    pl_refuse(loop, false, "PL2012", NULL,
              loop->node->kind == PL_NODE_RANGE_FOR
                  ? "a range loop hides how it goes on"
                  : "the loop's condition declares a variable");
    return;
  }
  if (scan->called && !scan->own && !scan->conditional && !scan->special) {
    pl_str name = pl_callee_name(scan->called);
    const pl_node *own = names_private(loop, scan->called);
    pl_refuse(loop, true, "PL2006", scan->called,
              "the barrier that '%.*s' waits at has to stand in the loop itself%s%.*s%s",
              PL_FMT(name), own ? "; its statements cannot, as '" : "",
              PL_FMT(own ? own->decl->name : PL_STR("")), own ? "' is private" : "");
    return;
  }
  if (scan->open && !scan->own && !scan->special) {
    pl_refuse(loop, false, "PL2007", scan->open,
              "whether this barrier is one of the whole block is for the "
              "template's arguments to say%s",
              pl_what_settles(loop));
    return;
  }
  if (!loop->body || loop->body->kind != PL_NODE_COMPOUND) {
    pl_refuse(loop, false, "PL2012", NULL, "the loop's body is no block");
    return;
  }
  if (!check_directives(loop))
    return;
  pl_unwrap_body(loop);
  pl_barrier_scan flat = loop->branch ? pl_scan_loop(loop->unit, loop->body)
                                      : *scan;
  fill_statements(loop);
  if (!check_macros(loop) || !pl_find_tests(loop))
    return;
  if (flat.conditional && (!flat.special || loop->nvotes))
    pl_refuse(loop, true, "PL2006", flat.conditional, "%s",
              why_conditional(loop, flat.conditional));
}
