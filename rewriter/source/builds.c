/* builds.c - which builds can there be, and what does each see of a text?
 *
 * Needs: a text. Gives: its conditions, and the text without them. Raises
 * nothing. */
#include "builds.h"

#include <ctype.h>
#include <string.h>

pl_directive_kind pl_directive_kind_of(pl_str word) {
  if (pl_str_starts(word, "if"))
    return PL_DIRECTIVE_IF;
  if (pl_str_starts(word, "elif"))
    return PL_DIRECTIVE_ELIF;
  if (pl_str_starts(word, "else"))
    return PL_DIRECTIVE_ELSE;
  return pl_str_starts(word, "endif") ? PL_DIRECTIVE_ENDIF : PL_DIRECTIVE_OTHER;
}

/* How many tokens the operand at `at` has that asks for a name: X, defined X,
 * defined(X); 0: it is another. */
static uint32_t operand_length(const pl_str *words, uint32_t n, uint32_t at) {
  if (at < n && !pl_str_is(words[at], "defined"))
    return 1;
  if (at + 3 < n && pl_str_is(words[at + 1], "("))
    return 4;
  return at + 1 < n ? 2 : 0;
}

/* The condition behind #if, `defined(X)` as `defined X`, without the `!` in
 * front of a lone operand. */
static pl_str condition_of(pl_arena *arena, pl_str text, bool *negated) {
  pl_text out = {.arena = arena};
  uint32_t ntokens, n = 0, at = 0;
  pl_token *tokens = pl_lex(arena, text, &ntokens);
  pl_str *words = PL_NEW_ARRAY(arena, pl_str, ntokens + 1);
  for (uint32_t i = 0; i < ntokens; i++)
    if (tokens[i].kind != PL_TOK_COMMENT)
      words[n++] = pl_token_in(text, &tokens[i]);
  if (n > 1 && pl_str_is(words[0], "!") &&
      operand_length(words, n, 1) == n - 1) {
    *negated = !*negated;
    at = 1;
  }
  for (uint32_t skip; at < n; at += skip) {
    bool asks = pl_str_is(words[at], "defined");
    skip = operand_length(words, n, at);
    pl_str name = asks && skip ? words[at + skip / 2] : words[at];
    pl_text_printf(&out, "%s%s%.*s", out.n ? " " : "", asks ? "defined " : "",
                   PL_FMT(name));
    skip = skip ? skip : 1;
  }
  return pl_text_view(&out);
}

/* ---- builds that there can be -------------------------------------------- */

/* The word in front of the first blank, which goes with it. */
static pl_str take_word(pl_str *text) {
  pl_str word = {text->p, 0};
  while (word.n < text->n && word.p[word.n] != ' ')
    word.n++;
  size_t n = word.n < text->n ? word.n + 1 : word.n;
  *text = (pl_str){text->p + n, text->n - n};
  return word;
}

static bool is_name(pl_str word) {
  return word.n && (isalpha((unsigned char)word.p[0]) || word.p[0] == '_');
}

/* `NAME op NUMBER`, and `defined NAME && NAME op NUMBER`: a name that is not
 * defined is 0. `NAME` is one that is not 0. */
static pl_comparison comparison_of(pl_str condition) {
  static const char *const ops[] = {"<", "<=", ">", ">=", "==", "!="};
  pl_comparison c = {0};
  pl_str rest = condition, defined = {0};
  pl_str word = take_word(&rest);
  if (pl_str_is(word, "defined")) {
    defined = take_word(&rest);
    if (!pl_str_is(take_word(&rest), "&&"))
      return c;
    word = take_word(&rest);
  }
  if (is_name(word) && !rest.n && !defined.n)
    return (pl_comparison){.name = word, .op = PL_STR("!="), .value = 0};
  c.op = take_word(&rest);
  pl_str number = take_word(&rest);
  bool known = false, digits = number.n > 0 && number.n < 9 && !rest.n;
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    known = known || pl_str_is(c.op, ops[i]);
  for (size_t i = 0; i < number.n && digits; i++) {
    digits = isdigit((unsigned char)number.p[i]) && (i || number.p[0] != '0');
    c.value = c.value * 10 + (number.p[i] - '0');
  }
  bool above = pl_str_starts(c.op, ">") || pl_str_is(c.op, "==");
  if (known && digits && is_name(word) &&
      (!defined.n || (above && pl_str_eq(defined, word))))
    c.name = word;
  return c;
}

static bool compares(const pl_comparison *c, int64_t value) {
  bool equal = value == c->value && (c->op.n == 2 && c->op.p[1] == '=');
  switch (c->op.p[0]) {
  case '<': return value < c->value || equal;
  case '>': return value > c->value || equal;
  case '!': return value != c->value;
  default: return equal;
  }
}

static bool is_number_for(const pl_build *b, pl_str name, int64_t value) {
  for (size_t i = 0; i < b->n; i++) {
    bool holds = (b->holds >> i) & 1;
    const pl_comparison *c = &b->comparisons[i];
    pl_str rest = b->conditions[i];
    if (pl_str_eq(c->name, name) && compares(c, value) != holds)
      return false;
    if (!holds && value && pl_str_is(take_word(&rest), "defined") &&
        pl_str_eq(rest, name))
      return false;
  }
  return true;
}

bool pl_build_is_possible(const pl_build *b) {
  for (size_t i = 0; i < b->n; i++) {
    pl_str name = b->comparisons[i].name;
    bool any = !name.n || is_number_for(b, name, 0);
    for (size_t j = 0; j < b->n && !any; j++)
      for (int64_t d = -1; d <= 1 && !any; d++)
        any = pl_str_eq(b->comparisons[j].name, name) &&
              is_number_for(b, name, b->comparisons[j].value + d);
    if (!any)
      return false;
  }
  return true;
}

/* ---- a directive --------------------------------------------------------- */

pl_directive pl_directive_read(pl_arena *arena, pl_str text) {
  pl_str word = pl_directive_word(text);
  pl_directive d = {.kind = pl_directive_kind_of(word)};
  if (d.kind != PL_DIRECTIVE_IF && d.kind != PL_DIRECTIVE_ELIF)
    return d;
  size_t n = d.kind == PL_DIRECTIVE_IF ? 2 : 4;
  pl_str rest = {word.p + n, word.n - n};
  bool names = pl_str_starts(rest, "def"), none = pl_str_starts(rest, "ndef");
  size_t skipped = names ? 3 : none ? 4 : 0;
  rest = (pl_str){rest.p + skipped, rest.n - skipped};
  d.negated = none;
  d.condition = condition_of(arena, rest, &d.negated);
  if (names || none)
    d.condition = pl_arena_printf(arena, "defined %.*s", PL_FMT(d.condition));
  return d;
}

/* Whether it is known what a condition says; `holds`: that. */
static bool is_known(const pl_build *b, const pl_directive *d, bool *holds) {
  bool one = pl_str_is(d->condition, "1"), none = pl_str_is(d->condition, "0");
  *holds = one != d->negated;
  if (one || none)
    return true;
  for (size_t i = 0; i < b->n; i++)
    if (pl_str_eq(b->conditions[i], d->condition)) {
      *holds = ((b->holds >> i) & 1) != d->negated;
      return true;
    }
  return false;
}

/* ---- a text without the conditions --------------------------------------- */

typedef struct group {
  bool kept;   /* not all of its conditions are known: it stays */
  bool dead;   /* its own text is not seen, whatever it says */
  bool taken;  /* a branch of it was seen */
} group;

typedef struct blanking {
  const pl_build *b;
  pl_str text;
  pl_token *tokens;
  uint32_t ntokens;
  char *out;
  group *groups;
  size_t ngroups, groups_cap;
  bool dead;
} blanking;

static pl_directive directive_at(const blanking *w, uint32_t i) {
  if (w->tokens[i].kind != PL_TOK_DIRECTIVE)
    return (pl_directive){0};
  return pl_directive_read(w->b->arena, pl_token_in(w->text, &w->tokens[i]));
}

/* Whether the conditions of the group that token `at` begins are all known. */
static bool all_known(const blanking *w, uint32_t at) {
  int depth = 0;
  for (uint32_t i = at; i < w->ntokens; i++) {
    pl_directive d = directive_at(w, i);
    bool holds;
    depth += (d.kind == PL_DIRECTIVE_IF) - (d.kind == PL_DIRECTIVE_ENDIF);
    if (depth == 0)
      return true;
    if (depth == 1 && (i == at || d.kind == PL_DIRECTIVE_ELIF) &&
        !is_known(w->b, &d, &holds))
      return false;
  }
  return false;
}

static void blank(blanking *w, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; i++)
    if (w->out[i] != '\n' && w->out[i] != '\r')
      w->out[i] = ' ';
}

/* Sets whether the text behind a directive is seen; gives whether that is. */
static bool pass_directive(blanking *w, uint32_t at, const pl_directive *d) {
  bool holds = true;
  if (d->kind == PL_DIRECTIVE_IF) {
    group opened = {.dead = w->dead, .kept = !w->dead && !all_known(w, at)};
    PL_PUSH(w->b->arena, w->groups, w->ngroups, w->groups_cap, opened);
  }
  if (w->ngroups == 0)
    return true;
  group *g = &w->groups[w->ngroups - 1];
  if (d->kind == PL_DIRECTIVE_ENDIF) {
    w->dead = g->dead;
    w->ngroups--;
    return g->kept;
  }
  if (g->dead || g->kept)
    return g->kept;
  if (d->kind != PL_DIRECTIVE_ELSE)
    is_known(w->b, d, &holds);
  w->dead = g->taken || !holds;
  g->taken = g->taken || holds;
  return false;
}

static bool is_error(pl_str text, const pl_token *token) {
  return token->kind == PL_TOK_DIRECTIVE &&
         pl_str_starts(pl_directive_word(pl_token_in(text, token)), "error");
}

/* Whether a condition that is not known may leave this out. */
static bool is_kept(const blanking *w) {
  for (size_t i = 0; i < w->ngroups; i++)
    if (w->groups[i].kept)
      return true;
  return false;
}

pl_str pl_build_text(pl_build *b, pl_str text) {
  blanking w = {.b = b, .text = text};
  w.out = pl_arena_cstr(b->arena, text);
  w.tokens = pl_lex(b->arena, text, &w.ntokens);
  uint32_t from = 0;
  for (uint32_t i = 0; i < w.ntokens; i++) {
    pl_directive d = directive_at(&w, i);
    pl_range range = w.tokens[i].range;
    if (d.kind == PL_DIRECTIVE_OTHER) {
      b->impossible = b->impossible || (!w.dead && !is_kept(&w) &&
                                        is_error(text, &w.tokens[i]));
      continue;
    }
    if (w.dead)
      blank(&w, from, range.begin);
    if (!pass_directive(&w, i, &d))
      blank(&w, range.begin, range.end);
    from = range.end;
  }
  return (pl_str){w.out, text.n};
}

/* Conditions that may say something else in a copy of the text. */
static bool says_place(pl_str condition) {
  return pl_str_has(condition, "__LINE__") ||
         pl_str_has(condition, "__COUNTER__");
}

bool pl_build_add(pl_build *b, const pl_directive *d) {
  bool holds;
  if ((d->kind != PL_DIRECTIVE_IF && d->kind != PL_DIRECTIVE_ELIF) ||
      is_known(b, d, &holds))
    return true;
  if (b->n == PL_MAX_CONDITIONS || says_place(d->condition))
    return false;
  b->comparisons[b->n] = comparison_of(d->condition);
  b->conditions[b->n++] = d->condition;
  return true;
}

pl_str pl_build_describe(const pl_build *b) {
  pl_text out = {.arena = b->arena};
  for (size_t i = 0; i < b->n; i++)
    pl_text_printf(&out, "%s'%.*s'%.*s is %s", i ? " and " : "",
                 PL_FMT(b->conditions[i]), PL_FMT(b->places[i]),
                 (b->holds >> i) & 1 ? "true" : "false");
  return pl_text_view(&out);
}
