/* spelled.c - do the file's macros make the same strings of their operands?
 *
 * Needs: the source, and the rewritten text, parsed. Gives: a macro that makes
 * another string, or another word, of what it is handed. Raises nothing.
 *
 * What `#x` makes of its operand is its text: to call a variable otherwise there is to
 * say something else. So each such use has to be one of the source's, blank for blank. */
#include "attempt.h"
#include "macros.h"

#include <string.h>

/* The text of a use, in which any blanks and comments are one blank. */
static pl_str words_of(pl_arena *arena, const pl_unit *unit, pl_range use) {
  pl_run run = pl_tokens_in(unit, use);
  pl_text out = {.arena = arena};
  uint32_t at = use.begin;
  for (uint32_t i = run.first; i < run.end; i++) {
    const pl_token *token = &unit->tokens[i];
    if (token->kind == PL_TOK_COMMENT)
      continue;
    bool edge = pl_token_is(unit, i, ")") ||
                (i > run.first && pl_token_is(unit, i - 1, "("));
    if (token->range.begin > at && !edge)
      pl_text_add(&out, PL_STR(" "));
    pl_text_add(&out, pl_token_text(unit, i));
    at = token->range.end;
  }
  return pl_text_view(&out);
}

static bool has_use(pl_arena *arena, const pl_unit *unit, pl_str words) {
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    pl_range use = pl_spelled_by(unit, i);
    if (use.end && pl_str_eq(words_of(arena, unit, use), words))
      return true;
  }
  return false;
}

pl_str pl_spelled_otherwise(const pl_attempt *a, const pl_unit *after, pl_range region) {
  pl_unit source = *a->unit;
  pl_run run = pl_tokens_in(after, region);
  for (uint32_t i = run.first; i < run.end; i++) {
    pl_range use = pl_spelled_by(after, i);
    if (!use.end)
      continue;
    if (a->expanded && source.text.p != a->expanded->source.p) {
      source.text = a->expanded->source;
      source.tokens = pl_lex(a->arena, source.text, &source.ntokens);
    }
    if (!has_use(a->arena, &source, words_of(a->arena, after, use)))
      return pl_token_text(after, i);
  }
  return (pl_str){0};
}
