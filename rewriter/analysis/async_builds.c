/* async_builds.c - may another build copy asynchronously around a loop?
 *
 * Needs: the function's tokens and tree. Gives: whether all calls and assembly in the
 * text of a function, outside of a loop, are in its tree: what an #if leaves out of it
 * may leave copies in flight. (Inside of the loop branches.c looks at each build.)
 * Raises nothing. */
#include "async_operations.h"

static bool is_directive(pl_str text, const char *word) {
  size_t i = 0;
  while (i < text.n && (text.p[i] == '#' || text.p[i] == ' ' || text.p[i] == '\t'))
    i++;
  return pl_str_starts((pl_str){text.p + i, text.n - i}, word);
}

bool pl_async_has_condition(const pl_unit *unit, pl_range range) {
  pl_run run = pl_tokens_in(unit, range);
  for (uint32_t i = run.first; i < run.end; i++) {
    pl_str text = pl_token_text(unit, i);
    if (unit->tokens[i].kind == PL_TOK_DIRECTIVE && !is_directive(text, "pragma"))
      return true;
  }
  return false;
}

static bool contains(const pl_node *node, pl_range range) {
  return node && node->range.begin <= range.begin && range.end <= node->range.end;
}

/* Whether a statement of the tree has a token; what only a block has, is not parsed. */
static bool is_parsed(const pl_node *node, pl_range token) {
  bool block = node->kind == PL_NODE_COMPOUND;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (contains(node->kids[i], token))
      return is_parsed(node->kids[i], token);
  return !block;
}

/* Words ahead of a parenthesis that begin no call of a function that may copy. */
static bool is_harmless(pl_str word) {
  static const char *const words[] = {"if",     "for",    "while",         "switch",
                                      "sizeof", "return", "__syncthreads", "printf",
                                      "assert", "min",    "max",           "__ldg"};
  return PL_STR_IS_ONE(word, words);
}

bool pl_async_is_all_seen(const pl_loop *loop) {
  const pl_unit *unit = loop->unit;
  const pl_node *body = loop->func->body;
  pl_run run = pl_tokens_in(unit, body->range);
  if (!pl_async_has_condition(unit, body->range))
    return true;
  for (uint32_t i = run.first; i + 1 < run.end; i++) {
    pl_range range = unit->tokens[i].range;
    pl_str word = pl_token_text(unit, i);
    bool named = unit->tokens[i].kind == PL_TOK_IDENT;
    bool assembly = pl_str_is(word, "asm") || pl_str_is(word, "__asm__");
    bool call = named && (pl_token_is(unit, i + 1, "(") || pl_token_is(unit, i + 1, "<")) &&
                !is_harmless(word);
    if (pl_range_inside(range, loop->node->range) || (!call && !assembly))
      continue;
    if (!is_parsed(body, range))
      return false;
  }
  return true;
}
