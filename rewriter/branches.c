/* branches.c - does every build see a rewrite of what it saw?
 *
 * Needs: an attempt that rewrote loops with an #if inside, or under which the
 * architecture chooses what they call. Each such condition is taken to hold and not to hold, in all combinations. For each,
 * the source without the conditions, that is with the text alone that such a
 * build sees, is rewritten as any other; the attempt's text, without the
 * conditions, has to be that, token by token. Raises: PL1004. */
#include "rewrite.h"

#include <ctype.h>
#include <string.h>

#define MAX_CONDITIONS 8 /* of one function */
#define MAX_BUILDS 16    /* that are looked at: each is parsed twice */

typedef enum directive_kind {
  DIRECTIVE_OTHER,
  DIRECTIVE_IF,
  DIRECTIVE_ELIF,
  DIRECTIVE_ELSE,
  DIRECTIVE_ENDIF
} directive_kind;

typedef struct directive {
  directive_kind kind;
  pl_str condition; /* of if and elif: tokens with a blank between */
  bool negated;
} directive;

/* `__CUDA_ARCH__ >= 800` */
typedef struct comparison {
  pl_str name; /* empty: it is something else */
  pl_str op;
  int64_t value;
} comparison;

typedef struct branches {
  const pl_attempt *attempt;
  pl_arena *arena;
  const pl_func *func;
  pl_str conditions[MAX_CONDITIONS];
  comparison comparisons[MAX_CONDITIONS];
  size_t n;
  unsigned holds;  /* a bit a condition */
  bool impossible; /* the last text comes upon #error: no such build */
} branches;

/* ---- conditions ------------------------------------------------------------- */

static directive_kind kind_of(pl_str word) {
  if (pl_str_starts(word, "if"))
    return DIRECTIVE_IF;
  if (pl_str_starts(word, "elif"))
    return DIRECTIVE_ELIF;
  if (pl_str_starts(word, "else"))
    return DIRECTIVE_ELSE;
  return pl_str_starts(word, "endif") ? DIRECTIVE_ENDIF : DIRECTIVE_OTHER;
}

static pl_str token_text(pl_str text, const pl_token *token) {
  return (pl_str){text.p + token->range.begin,
                  token->range.end - token->range.begin};
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
      words[n++] = token_text(text, &tokens[i]);
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

/* ---- builds that there can be ------------------------------------------------- */

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
static comparison comparison_of(pl_str condition) {
  static const char *const ops[] = {"<", "<=", ">", ">=", "==", "!="};
  comparison c = {0};
  pl_str rest = condition, defined = {0};
  pl_str word = take_word(&rest);
  if (pl_str_is(word, "defined")) {
    defined = take_word(&rest);
    if (!pl_str_is(take_word(&rest), "&&"))
      return c;
    word = take_word(&rest);
  }
  if (is_name(word) && !rest.n && !defined.n)
    return (comparison){.name = word, .op = PL_STR("!="), .value = 0};
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

static bool compares(const comparison *c, int64_t value) {
  bool equal = value == c->value && (c->op.n == 2 && c->op.p[1] == '=');
  switch (c->op.p[0]) {
  case '<': return value < c->value || equal;
  case '>': return value > c->value || equal;
  case '!': return value != c->value;
  default: return equal;
  }
}

static bool is_number_for(const branches *b, pl_str name, int64_t value) {
  for (size_t i = 0; i < b->n; i++) {
    bool holds = (b->holds >> i) & 1;
    const comparison *c = &b->comparisons[i];
    pl_str rest = b->conditions[i];
    if (pl_str_eq(c->name, name) && compares(c, value) != holds)
      return false;
    if (!holds && value && pl_str_is(take_word(&rest), "defined") &&
        pl_str_eq(rest, name))
      return false;
  }
  return true;
}

/* Whether each name that is compared can have a value: no build is at once of
 * an architecture over 900 and none over 800. */
static bool is_possible(const branches *b) {
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

/* ---- a directive ---------------------------------------------------------------- */

static directive read_directive(pl_arena *arena, pl_str text) {
  pl_str word = pl_directive_word(text);
  directive d = {.kind = kind_of(word)};
  if (d.kind != DIRECTIVE_IF && d.kind != DIRECTIVE_ELIF)
    return d;
  size_t n = d.kind == DIRECTIVE_IF ? 2 : 4;
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
static bool is_known(const branches *b, const directive *d, bool *holds) {
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

/* ---- a text without the conditions ------------------------------------------ */

typedef struct group {
  bool kept;   /* not all of its conditions are known: it stays */
  bool dead;   /* its own text is not seen, whatever it says */
  bool taken;  /* a branch of it was seen */
} group;

typedef struct blanking {
  const branches *b;
  pl_str text;
  pl_token *tokens;
  uint32_t ntokens;
  char *out;
  group *groups;
  size_t ngroups, groups_cap;
  bool dead;
} blanking;

static directive directive_at(const blanking *w, uint32_t i) {
  if (w->tokens[i].kind != PL_TOK_DIRECTIVE)
    return (directive){0};
  return read_directive(w->b->arena, token_text(w->text, &w->tokens[i]));
}

/* Whether the conditions of the group that token `at` begins are all known. */
static bool all_known(const blanking *w, uint32_t at) {
  int depth = 0;
  for (uint32_t i = at; i < w->ntokens; i++) {
    directive d = directive_at(w, i);
    bool holds;
    depth += (d.kind == DIRECTIVE_IF) - (d.kind == DIRECTIVE_ENDIF);
    if (depth == 0)
      return true;
    if (depth == 1 && (i == at || d.kind == DIRECTIVE_ELIF) &&
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

/* Sets whether the text behind a directive is seen; whether the directive is. */
static bool pass_directive(blanking *w, uint32_t at, const directive *d) {
  bool holds = true;
  if (d->kind == DIRECTIVE_IF) {
    group opened = {.dead = w->dead, .kept = !w->dead && !all_known(w, at)};
    PL_PUSH(w->b->arena, w->groups, w->ngroups, w->groups_cap, opened);
  }
  if (w->ngroups == 0)
    return true;
  group *g = &w->groups[w->ngroups - 1];
  if (d->kind == DIRECTIVE_ENDIF) {
    w->dead = g->dead;
    w->ngroups--;
    return g->kept;
  }
  if (g->dead || g->kept)
    return g->kept;
  if (d->kind != DIRECTIVE_ELSE)
    is_known(w->b, d, &holds);
  w->dead = g->taken || !holds;
  g->taken = g->taken || holds;
  return false;
}

static bool is_error(pl_str text, const pl_token *token) {
  return token->kind == PL_TOK_DIRECTIVE &&
         pl_str_starts(pl_directive_word(token_text(text, token)), "error");
}

/* Whether a condition that is not known may leave this out. */
static bool is_kept(const blanking *w) {
  for (size_t i = 0; i < w->ngroups; i++)
    if (w->groups[i].kept)
      return true;
  return false;
}

/* A text of the same length in which the known conditions are blank, and with
 * them what such a build does not see. */
static pl_str without_conditions(branches *b, pl_str text) {
  blanking w = {.b = b, .text = text};
  w.out = pl_arena_cstr(b->arena, text);
  w.tokens = pl_lex(b->arena, text, &w.ntokens);
  uint32_t from = 0;
  for (uint32_t i = 0; i < w.ntokens; i++) {
    directive d = directive_at(&w, i);
    pl_range range = w.tokens[i].range;
    if (d.kind == DIRECTIVE_OTHER) {
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

/* ---- the comparison ---------------------------------------------------------- */

static const pl_token *next_token(const pl_token *tokens, uint32_t n,
                                  uint32_t *at) {
  while (*at < n && tokens[*at].kind == PL_TOK_COMMENT)
    ++*at;
  return *at < n ? &tokens[(*at)++] : NULL;
}

/* Whether two texts are the same but for blanks and comments. */
static bool same_tokens(pl_arena *arena, pl_str a, pl_str b) {
  uint32_t na, nb, i = 0, j = 0;
  pl_token *as = pl_lex(arena, a, &na), *bs = pl_lex(arena, b, &nb);
  for (;;) {
    const pl_token *x = next_token(as, na, &i), *y = next_token(bs, nb, &j);
    if (!x || !y)
      return !x && !y;
    if (!pl_str_eq(token_text(a, x), token_text(b, y)))
      return false;
  }
}

static pl_str describe(const branches *b) {
  pl_text out = {.arena = b->arena};
  for (size_t i = 0; i < b->n; i++)
    pl_text_printf(&out, "%s'%.*s' is %s", i ? " and " : "",
                 PL_FMT(b->conditions[i]),
                 (b->holds >> i) & 1 ? "true" : "false");
  return pl_text_view(&out);
}

/* The same loop as a build has it; NULL: it has none. */
static const pl_loop *loop_at(const pl_attempt *seen, uint32_t begin) {
  for (size_t i = 0; seen->unit && i < seen->loops.n; i++)
    if (seen->loops.items[i]->node->range.begin == begin)
      return seen->loops.items[i];
  return NULL;
}

/* Whether what a build sees of the attempt's text is a rewrite of what it sees
 * of the source; `seen`: that rewrite. */
static bool agrees(branches *b, pl_attempt *seen) {
  pl_denials wrong = {0};
  b->impossible = false;
  seen->source = without_conditions(b, b->attempt->source);
  if (b->impossible)
    return true;
  pl_attempt_run(seen);
  if (!seen->unit)
    return false;
  if (seen->nedits)
    pl_self_check(seen, &wrong);
  return !wrong.n &&
         same_tokens(b->arena, without_conditions(b, b->attempt->text),
                     seen->nedits ? seen->text : seen->source);
}

/* ---- the loops ---------------------------------------------------------------- */

/* The token of the #endif of the group that one begins. */
static uint32_t end_of_group(const pl_unit *unit, uint32_t at) {
  int depth = 0;
  for (uint32_t i = at; i < unit->ntokens; i++) {
    if (unit->tokens[i].kind != PL_TOK_DIRECTIVE)
      continue;
    pl_str word =
        pl_directive_word(pl_unit_slice(unit, unit->tokens[i].range));
    depth += (kind_of(word) == DIRECTIVE_IF) - (kind_of(word) == DIRECTIVE_ENDIF);
    if (depth == 0)
      return i;
  }
  return unit->ntokens;
}

/* Whether a directive asks for the architecture and chooses what a loop calls, or
 * what its function does besides. Where the loop stands below it, such a build alone has it. */
static bool chooses_for(const pl_loop *loop, uint32_t at) {
  const pl_token *token = &loop->unit->tokens[at];
  pl_str text = pl_unit_slice(loop->unit, token->range);
  if (token->kind != PL_TOK_DIRECTIVE || !pl_str_has(text, "__CUDA_ARCH__") ||
      kind_of(pl_directive_word(text)) != DIRECTIVE_IF ||
      pl_range_inside(token->range, loop->node->range))
    return false;
  directive d = read_directive(loop->arena, text);
  if (pl_str_is(d.condition, "defined __CUDA_ARCH__")) /* so for all of them */
    return false;
  uint32_t end = end_of_group(loop->unit, at);
  bool around = token->range.begin < loop->node->range.begin &&
                (end == loop->unit->ntokens ||
                 loop->unit->tokens[end].range.begin > loop->node->range.begin);
  return !around && (pl_range_inside(token->range, loop->func->range) ||
                     pl_has_a_say(loop, at, end));
}

static bool is_chosen(const pl_loop *loop) {
  bool found = false;
  for (uint32_t i = 0; i < loop->unit->ntokens && !found; i++)
    found = chooses_for(loop, i);
  return found;
}

static bool is_concerned(const pl_loop *loop, const pl_func *func) {
  return !loop->settled && loop->func == func &&
         (loop->condition.end || is_chosen(loop));
}

/* `seen`: the build where it goes wrong; NULL: builds are not looked at. */
static void deny(const branches *b, const pl_attempt *seen,
                 pl_denials *denied) {
  const pl_loops *loops = &b->attempt->loops;
  for (size_t i = 0; i < loops->n; i++) {
    const pl_loop *loop = loops->items[i], *other = NULL;
    pl_str why = PL_STR("a preprocessor condition inside the loop hides what "
                        "other builds see");
    if (!is_concerned(loop, b->func))
      continue;
    if (seen) {
      other = loop_at(seen, loop->node->range.begin);
      bool refused = other && other->settled && other->verdict == PL_VERDICT_REFUSED;
      why = refused ? other->message
                    : PL_STR("the loop would be rewritten in another way");
      why = pl_arena_printf(b->arena, "where %.*s, %.*s", PL_FMT(describe(b)),
                            PL_FMT(why));
    }
    bool any = !seen || (other && other->settled && !other->legal);
    pl_deny(b->attempt, loop, any, "PL1004", why, denied);
  }
}

/* Whether every #if of the loop ends in it, and none from before does. */
static bool is_balanced(const branches *b, const pl_loop *loop) {
  const pl_unit *unit = loop->unit;
  int depth = 0;
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    if (unit->tokens[i].kind != PL_TOK_DIRECTIVE ||
        !pl_range_inside(unit->tokens[i].range, loop->node->range))
      continue;
    directive d = read_directive(b->arena, pl_unit_slice(unit, unit->tokens[i].range));
    depth += d.kind == DIRECTIVE_IF;
    if (d.kind != DIRECTIVE_OTHER && depth == 0)
      return false;
    depth -= d.kind == DIRECTIVE_ENDIF;
  }
  return depth == 0;
}

/* Conditions that may say something else in a copy of the text. */
static bool says_place(pl_str condition) {
  return pl_str_has(condition, "__LINE__") ||
         pl_str_has(condition, "__COUNTER__");
}

/* Takes note of a directive's condition; false: they are too many, or what it says
 * hangs on the place. */
static bool add_condition(branches *b, const directive *d) {
  bool holds;
  if ((d->kind != DIRECTIVE_IF && d->kind != DIRECTIVE_ELIF) ||
      is_known(b, d, &holds))
    return true;
  if (b->n == MAX_CONDITIONS || says_place(d->condition))
    return false;
  b->comparisons[b->n] = comparison_of(d->condition);
  b->conditions[b->n++] = d->condition;
  return true;
}

/* The conditions that choose what a loop calls. */
static bool find_choices(branches *b, const pl_loop *loop) {
  const pl_unit *unit = loop->unit;
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    uint32_t end = chooses_for(loop, i) ? end_of_group(unit, i) : i;
    int depth = 0;
    for (uint32_t k = i; k < end; k++) {
      if (unit->tokens[k].kind != PL_TOK_DIRECTIVE)
        continue;
      directive d =
          read_directive(b->arena, pl_unit_slice(unit, unit->tokens[k].range));
      depth += d.kind == DIRECTIVE_IF;
      if (depth == 1 && !add_condition(b, &d))
        return false;
      depth -= d.kind == DIRECTIVE_ENDIF;
    }
  }
  return true;
}

/* The conditions in the function's loops, and those that choose for them; false:
 * too many, or what they say changes on the way. */
static bool find_conditions(branches *b, const pl_loop *loop) {
  const pl_unit *unit = loop->unit;
  if (!is_balanced(b, loop))
    return false;
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    const pl_token *token = &unit->tokens[i];
    if (token->kind != PL_TOK_DIRECTIVE ||
        !pl_range_inside(token->range, b->func->range))
      continue;
    pl_str text = pl_unit_slice(unit, token->range);
    pl_str word = pl_directive_word(text);
    if (pl_str_starts(word, "define") || pl_str_starts(word, "undef"))
      return false;
    directive d = read_directive(b->arena, text);
    if (pl_range_inside(token->range, loop->node->range) &&
        !add_condition(b, &d))
      return false;
  }
  return find_choices(b, loop);
}

static void check_function(const pl_attempt *attempt, const pl_func *func,
                           pl_denials *denied) {
  branches b = {.attempt = attempt, .arena = attempt->arena, .func = func};
  bool any = false;
  int builds = 0;
  for (size_t i = 0; i < attempt->loops.n; i++)
    if (is_concerned(attempt->loops.items[i], func)) {
      any = true;
      if (!find_conditions(&b, attempt->loops.items[i])) {
        deny(&b, NULL, denied);
        return;
      }
    }
  for (b.holds = 0; any && b.holds < 1u << b.n; b.holds++) {
    if (!is_possible(&b))
      continue;
    if (builds++ == MAX_BUILDS) {
      deny(&b, NULL, denied);
      return;
    }
    pl_attempt *seen = PL_NEW(b.arena, pl_attempt);
    *seen = (pl_attempt){.arena = b.arena,
                         .path = attempt->path,
                         .options = attempt->options,
                         .denied = attempt->denied,
                         .like = attempt};
    if (!agrees(&b, seen)) {
      deny(&b, seen, denied);
      return;
    }
  }
}

void pl_check_branches(const pl_attempt *attempt, pl_denials *denied) {
  for (uint32_t f = 0; f < attempt->unit->nfuncs; f++)
    check_function(attempt, attempt->unit->funcs[f], denied);
}
