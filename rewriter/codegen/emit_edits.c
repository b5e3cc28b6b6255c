/* emit_edits.c - the edits as a list, and those of the file as a whole.
 *
 * Needs: the edits of the loops. Gives: the include that asynchronous copies
 * want, the file's own line ends, the order. Raises nothing. */
#include "emit.h"

#include <string.h>

void pl_emit_add_edit(pl_emitter *e, uint32_t offset, uint32_t length,
                      pl_str text) {
  pl_edit edit = {offset, length, text.p, text.n};
  PL_PUSH(e->arena, e->edits, e->nedits, e->edits_cap, edit);
}

/* What is put in front of a text stands ahead of what takes its place. */
static bool is_ahead(const pl_edit *edit, const pl_edit *other) {
  return edit->offset < other->offset ||
         (edit->offset == other->offset && !edit->length && other->length);
}

void pl_sort_edits(pl_edit *edits, size_t n) {
  for (size_t i = 1; i < n; i++)
    for (size_t k = i; k > 0 && is_ahead(&edits[k], &edits[k - 1]); k--) {
      pl_edit swap = edits[k];
      edits[k] = edits[k - 1];
      edits[k - 1] = swap;
    }
}

bool pl_edits_overlap(const pl_edit *edits, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (edits[i].offset < edits[i - 1].offset + edits[i - 1].length)
      return true;
  return false;
}

/* ---- the include --------------------------------------------------------- */

static bool directive_is(pl_str text, const char *word) {
  size_t i = 1;
  while (i < text.n && (text.p[i] == ' ' || text.p[i] == '\t'))
    i++;
  return pl_str_starts((pl_str){text.p + i, text.n - i}, word);
}

static uint32_t first_function(const pl_unit *unit) {
  uint32_t at = UINT32_MAX;
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    if (unit->funcs[i]->in_main && unit->funcs[i]->range.begin < at)
      at = unit->funcs[i]->range.begin;
  return at;
}

/* The next token from one on that is no comment; NULL: there is none. */
static const pl_token *next_code(const pl_unit *unit, uint32_t at) {
  while (at < unit->ntokens && unit->tokens[at].kind == PL_TOK_COMMENT)
    at++;
  return at < unit->ntokens ? &unit->tokens[at] : NULL;
}

static bool is_directive(const pl_unit *unit, const pl_token *token, const char *word) {
  return token && token->kind == PL_TOK_DIRECTIVE &&
         directive_is(pl_unit_slice(unit, token->range), word);
}

/* Whether what an #if at a token begins ends with the file. */
static bool holds_rest(const pl_unit *unit, const pl_token *from) {
  int depth = 0;
  for (uint32_t i = (uint32_t)(from - unit->tokens); i < unit->ntokens; i++) {
    depth += is_directive(unit, &unit->tokens[i], "if");
    depth -= is_directive(unit, &unit->tokens[i], "endif");
    if (!depth)
      return !next_code(unit, i + 1);
  }
  return false;
}

/* What guards the file, `#pragma once` or `#ifndef NAME` and `#define NAME`: the last
 * token of that; NULL: nothing does. */
static const pl_token *file_guard(const pl_unit *unit) {
  const pl_token *first = next_code(unit, 0);
  if (is_directive(unit, first, "pragma") &&
      pl_str_has(pl_unit_slice(unit, first->range), "once"))
    return first;
  if (!is_directive(unit, first, "ifndef") || !holds_rest(unit, first))
    return NULL;
  const pl_token *second = next_code(unit, (uint32_t)(first - unit->tokens) + 1);
  return is_directive(unit, second, "define") ? second : NULL;
}

/* The last include ahead of the first function that stands in no #if but the file's
 * guard, and in no braces, where it may bring declarations; NULL: none. `has_it`: one
 * of them has `name` in it. */
static const pl_token *last_include(const pl_unit *unit, const pl_token *guard,
                                    const char *name, bool *has_it) {
  const pl_token *last = NULL;
  int conditions = 0, braces = 0;
  uint32_t end = first_function(unit);
  for (uint32_t i = guard ? (uint32_t)(guard - unit->tokens) + 1 : 0;
       i < unit->ntokens; i++) {
    const pl_token *token = &unit->tokens[i];
    pl_str text = pl_unit_slice(unit, token->range);
    if (token->range.begin >= end)
      break;
    if (token->kind != PL_TOK_DIRECTIVE) {
      braces += pl_str_is(text, "{") ? 1 : pl_str_is(text, "}") ? -1 : 0;
    } else if (directive_is(text, "if")) {
      conditions++;
    } else if (directive_is(text, "endif")) {
      conditions--;
    } else if (!conditions && !braces && directive_is(text, "include")) {
      *has_it = *has_it || pl_str_has(text, name);
      last = token;
    }
  }
  return last;
}

static size_t lines_between(const pl_unit *unit, uint32_t from, uint32_t to) {
  size_t n = 0;
  for (uint32_t i = from; i < to; i++)
    n += unit->text.p[i] == '\n';
  return n;
}

static bool is_licence(const pl_unit *unit, const pl_token *comment) {
  pl_str text = pl_unit_slice(unit, comment->range);
  return pl_str_has(text, "opyright") || pl_str_has(text, "SPDX");
}

/* Where the first code of a file without includes begins: with the comments that stand
 * right above it. A directive's are the file's, and so is a licence. */
static uint32_t first_code(const pl_unit *unit) {
  uint32_t i = 0;
  while (i < unit->ntokens && unit->tokens[i].kind == PL_TOK_COMMENT)
    i++;
  if (i == unit->ntokens)
    return 0;
  bool code = unit->tokens[i].kind != PL_TOK_DIRECTIVE;
  while (code && i && !is_licence(unit, &unit->tokens[i - 1]) &&
         lines_between(unit, unit->tokens[i - 1].range.end,
                       unit->tokens[i].range.begin) < 2)
    i--;
  return unit->tokens[i].range.begin;
}

/* After the last such include; else behind the file's guard, or before its code. */
void pl_add_include(pl_emitter *e, const pl_copy_words *words) {
  const char *const headers[][2] = {{words->group_header, words->group_known_by},
                                    {words->header, words->known_by}};
  const pl_token *guard = file_guard(e->unit), *last = NULL;
  pl_text missing = {.arena = e->arena};
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
    bool has_it = !headers[i][0];
    if (!has_it)
      last = last_include(e->unit, guard, headers[i][1], &has_it);
    bool behind = last || guard;
    if (!has_it)
      pl_text_printf(&missing, behind ? "\n#include %s" : "#include %s\n", headers[i][0]);
  }
  if (!missing.n)
    return;
  pl_str text = pl_text_view(&missing);
  const pl_token *above = last ? last : guard;
  uint32_t at = above ? above->range.end : first_code(e->unit);
  while (above && at > above->range.begin && strchr("\r\n", e->unit->text.p[at - 1]))
    at--;
  if (!last)
    text = pl_arena_printf(e->arena, guard ? "\n%.*s" : "%.*s\n", PL_FMT(text));
  pl_emit_add_edit(e, at, 0, text);
}

/* ---- line ends ----------------------------------------------------------- */

bool pl_uses_crlf(const pl_unit *unit) {
  const char *newline = memchr(unit->text.p, '\n', unit->text.n);
  return newline && newline > unit->text.p && newline[-1] == '\r';
}

void pl_give_crlf(pl_emitter *e) {
  for (size_t i = 0; i < e->nedits; i++) {
    pl_text out = {.arena = e->arena};
    pl_str text = {e->edits[i].text, e->edits[i].text_length};
    for (size_t k = 0; k < text.n; k++) {
      if (text.p[k] == '\n' && (k == 0 || text.p[k - 1] != '\r'))
        pl_text_add(&out, PL_STR("\r\n"));
      else
        pl_text_add(&out, (pl_str){text.p + k, 1});
    }
    e->edits[i].text = out.p ? out.p : "";
    e->edits[i].text_length = out.n;
  }
}
