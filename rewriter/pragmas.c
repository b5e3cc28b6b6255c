/* pragmas.c - what comments beside a loop or kernel ask for.
 *
 * Needs: candidates. Gives: each loop's own options; loops that are skipped are
 * settled as suppressed. The words are `off`, `on`, `skip`, `require`,
 * `assume-no-alias`, `stages=N` and `variant=NAME`, after "// pipelinify:". A
 * comment above a loop speaks of that loop, one above a function of all its
 * loops; `off` and `on` of all that lies between them. */
#include "loop.h"

#include <stdlib.h>
#include <string.h>

#define PREFIX "// pipelinify:"

static pl_str next_word(pl_str *text) {
  while (text->n && strchr(" \t\r\n,", text->p[0])) {
    text->p++;
    text->n--;
  }
  pl_str word = {text->p, 0};
  while (word.n < text->n && !strchr(" \t\r\n,", text->p[word.n]))
    word.n++;
  text->p += word.n;
  text->n -= word.n;
  return word;
}

/* The words of a pragma comment; false for any other comment. */
static bool pragma_words(const pl_unit *unit, const pl_token *token,
                         pl_str *words) {
  if (token->kind != PL_TOK_COMMENT)
    return false;
  pl_str text = pl_unit_slice(unit, token->range);
  if (!pl_str_starts(text, PREFIX))
    return false;
  words->p = text.p + sizeof PREFIX - 1;
  words->n = text.n - (sizeof PREFIX - 1);
  return true;
}

static void apply_word(pl_loop *loop, pl_options *options, pl_str word) {
  char *text = pl_arena_cstr(loop->arena, word);
  pl_variant variant;
  if (strcmp(text, "skip") == 0)
    pl_loop_settle(loop, PL_VERDICT_SUPPRESSED, true, NULL, NULL,
                   "a comment says to skip it");
  else if (strcmp(text, "assume-no-alias") == 0)
    options->assume_no_alias = true;
  else if (strncmp(text, "stages=", 7) == 0)
    options->stages = atoi(text + 7);
  else if (strncmp(text, "variant=", 8) == 0 &&
           pl_variant_parse(text + 8, &variant))
    options->variant = variant;
}

static void apply_words(pl_loop *loop, pl_options *options, pl_str words) {
  for (pl_str word = next_word(&words); word.n; word = next_word(&words))
    apply_word(loop, options, word);
}

/* The pragmas in the run of comments and directives right above `offset`. */
static void apply_above(pl_loop *loop, pl_options *options, uint32_t offset) {
  const pl_unit *unit = loop->unit;
  uint32_t at = 0;
  while (at < unit->ntokens && unit->tokens[at].range.begin < offset)
    at++;
  while (at-- > 0) {
    const pl_token *token = &unit->tokens[at];
    pl_str words;
    if (token->kind != PL_TOK_COMMENT && token->kind != PL_TOK_DIRECTIVE)
      return;
    if (pragma_words(unit, token, &words))
      apply_words(loop, options, words);
  }
}

/* Whether the last `off` or `on` before `offset` is an `off`. */
static bool is_off(const pl_unit *unit, uint32_t offset) {
  bool off = false;
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    pl_str words;
    if (unit->tokens[i].range.begin >= offset)
      break;
    if (!pragma_words(unit, &unit->tokens[i], &words))
      continue;
    pl_str word = next_word(&words);
    if (pl_str_is(word, "off") || pl_str_is(word, "on"))
      off = pl_str_is(word, "off");
  }
  return off;
}

void pl_apply_pragmas(pl_loop *loop) {
  if (loop->settled)
    return;
  pl_options *options = PL_NEW(loop->arena, pl_options);
  *options = *loop->options;
  apply_above(loop, options, loop->func->range.begin);
  apply_above(loop, options, loop->node->range.begin);
  if (is_off(loop->unit, loop->node->range.begin))
    pl_loop_settle(loop, PL_VERDICT_SUPPRESSED, true, NULL, NULL,
                   "pipelinify is off here");
  loop->options = options;
}
