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

void pl_sort_edits(pl_edit *edits, size_t n) {
  for (size_t i = 1; i < n; i++)
    for (size_t k = i; k > 0 && edits[k].offset < edits[k - 1].offset; k--) {
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

/* The last include ahead of the first function that stands in no #if and in no
 * braces, where it may bring declarations; NULL: none. `first`: the first token
 * that is no comment; `has_it`: one of them has `name` in it. */
static const pl_token *last_include(const pl_unit *unit, const char *name,
                                    const pl_token **first, bool *has_it) {
  const pl_token *last = NULL;
  int conditions = 0, braces = 0;
  uint32_t end = first_function(unit);
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    const pl_token *token = &unit->tokens[i];
    pl_str text = pl_unit_slice(unit, token->range);
    if (token->kind != PL_TOK_COMMENT && !*first)
      *first = token;
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

/* After the last such include; else before the first token that is no comment. */
void pl_add_include(pl_emitter *e, const pl_copy_words *words) {
  const char *const headers[][2] = {{words->group_header, words->group_known_by},
                                    {words->header, words->known_by}};
  const pl_token *first = NULL, *last = NULL;
  pl_text missing = {.arena = e->arena};
  for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
    bool has_it = !headers[i][0];
    if (!has_it)
      last = last_include(e->unit, headers[i][1], &first, &has_it);
    if (!has_it)
      pl_text_printf(&missing, last ? "\n#include %s" : "#include %s\n", headers[i][0]);
  }
  if (!missing.n)
    return;
  uint32_t at = last ? last->range.end : first ? first->range.begin : 0;
  while (last && at > last->range.begin && strchr("\r\n", e->unit->text.p[at - 1]))
    at--;
  if (!last)
    pl_text_add(&missing, PL_STR("\n"));
  pl_emit_add_edit(e, at, 0, pl_text_view(&missing));
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
