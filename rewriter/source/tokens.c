/* tokens.c - the words of a unit, by place.
 *
 * Needs: a unit's tokens, which are in order and do not overlap. Gives: those of a
 * range, without a look at the others. Raises nothing. */
#define _GNU_SOURCE /* memmem */
#include "unit.h"

#include <string.h>

pl_str pl_token_in(pl_str text, const pl_token *token) {
  return (pl_str){text.p + token->range.begin,
                  token->range.end - token->range.begin};
}

uint32_t pl_token_from(const pl_unit *unit, uint32_t offset) {
  uint32_t low = 0, high = unit->ntokens;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (unit->tokens[middle].range.begin < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

uint32_t pl_token_code(const pl_unit *unit, uint32_t index) {
  while (index < unit->ntokens &&
         (unit->tokens[index].kind == PL_TOK_COMMENT ||
          unit->tokens[index].kind == PL_TOK_DIRECTIVE))
    index++;
  return index;
}

/* The first of some indices that is no less than `index`; ntokens: none. */
static uint32_t next_of(const pl_unit *unit, const uint32_t *of, size_t n,
                        uint32_t index) {
  size_t low = 0, high = n;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (of[middle] < index)
      low = middle + 1;
    else
      high = middle;
  }
  return low < n ? of[low] : unit->ntokens;
}

uint32_t pl_directive_from(const pl_unit *unit, uint32_t index) {
  return next_of(unit, unit->directives, unit->ndirectives, index);
}

uint32_t pl_comment_from(const pl_unit *unit, uint32_t index) {
  return next_of(unit, unit->comments, unit->ncomments, index);
}

pl_run pl_tokens_in(const pl_unit *unit, pl_range range) {
  pl_run run = {pl_token_from(unit, range.begin), pl_token_from(unit, range.end)};
  while (run.end > run.first && unit->tokens[run.end - 1].range.end > range.end)
    run.end--;
  return run;
}

pl_str pl_token_text(const pl_unit *unit, uint32_t index) {
  if (index >= unit->ntokens)
    return (pl_str){NULL, 0};
  return pl_unit_slice(unit, unit->tokens[index].range);
}

bool pl_token_is(const pl_unit *unit, uint32_t index, const char *spelling) {
  return pl_str_is(pl_token_text(unit, index), spelling);
}

bool pl_unit_says(const pl_unit *unit, pl_range range, pl_str name) {
  pl_run run = pl_tokens_in(unit, range);
  for (uint32_t i = run.first; i < run.end; i++)
    if (unit->tokens[i].kind == PL_TOK_IDENT &&
        pl_str_eq(pl_token_text(unit, i), name))
      return true;
  return false;
}

/* Where the word of a token begins in the index, or the place for it. */
static uint32_t *first_of(const pl_unit *unit, pl_str word) {
  const pl_word_index *index = unit->words;
  uint32_t hash = 2166136261u; /* FNV-1a (Fowler, Noll, Vo) */
  for (size_t i = 0; i < word.n; i++)
    hash = (hash ^ (unsigned char)word.p[i]) * 16777619u;
  uint32_t at = hash & index->mask;
  while (index->first[at] != unit->ntokens &&
         !pl_str_eq(pl_token_text(unit, index->first[at]), word))
    at = (at + 1) & index->mask;
  return &index->first[at];
}

void pl_index_words(pl_unit *unit) {
  uint32_t places = 16, n = unit->ntokens;
  while (places < 2 * n)
    places *= 2;
  pl_word_index *index = unit->words = PL_NEW(unit->arena, pl_word_index);
  index->first = PL_NEW_ARRAY(unit->arena, uint32_t, places);
  index->next = PL_NEW_ARRAY(unit->arena, uint32_t, n + 1);
  index->mask = places - 1;
  for (uint32_t i = 0; i < places; i++)
    index->first[i] = n;
  for (uint32_t i = n; i-- > 0;) {
    uint32_t *first = first_of(unit, pl_token_text(unit, i));
    index->next[i] = *first;
    *first = i;
  }
}

uint32_t pl_token_of(const pl_unit *unit, pl_str word) { return *first_of(unit, word); }

size_t pl_count_words(const pl_unit *unit, pl_range range, pl_str word) {
  size_t n = 0;
  for (uint32_t i = pl_token_of(unit, word);
       i < unit->ntokens && unit->tokens[i].range.end <= range.end; i = unit->words->next[i])
    n += unit->tokens[i].range.begin >= range.begin &&
         !(i > 0 && (pl_token_is(unit, i - 1, ".") || pl_token_is(unit, i - 1, "->")));
  return n;
}

bool pl_has_conditional_text(const pl_unit *unit, pl_range range) {
  pl_run run = pl_tokens_in(unit, range);
  for (uint32_t i = pl_directive_from(unit, run.first); i < run.end;
       i = pl_directive_from(unit, i + 1))
    if (!pl_str_has(pl_token_text(unit, i), "pragma"))
      return true;
  return false;
}

bool pl_text_says(pl_arena *arena, pl_str text, pl_str word) {
  uint32_t n = 0;
  if (!text.n || !word.n || !memmem(text.p, text.n, word.p, word.n))
    return false;
  const pl_token *tokens = pl_lex(arena, text, &n);
  for (uint32_t i = 0; i < n; i++)
    if (pl_str_eq(pl_token_in(text, &tokens[i]), word))
      return true;
  return false;
}

bool pl_is_qualified(const pl_unit *unit, uint32_t at) {
  pl_str before = at ? pl_unit_slice(unit, unit->tokens[at - 1].range)
                     : PL_STR("");
  return pl_str_is(before, ".") || pl_str_is(before, "->") ||
         pl_str_is(before, "::");
}
