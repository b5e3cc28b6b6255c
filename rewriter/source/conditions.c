/* conditions.c - which definitions make the preprocessor see a place, or pass it by?
 *
 * Needs: the bytes of a file. Gives: the #if that decides of a place, and the -D and -U
 * with which it would decide otherwise, where they follow from its words alone.
 * Raises nothing. */
#include "conditions.h"

#include "builds.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DEPTH 32
#define MOST_BRANCHES 16

/* ---- a condition ----------------------------------------------------------- */

typedef struct reader {
  pl_arena *arena;
  pl_str rest; /* words, each with a blank behind it but the last */
} reader;

static pl_str peek(const reader *r) {
  pl_str word = {r->rest.p, 0};
  while (word.n < r->rest.n && word.p[word.n] != ' ')
    word.n++;
  return word;
}

static pl_str take(reader *r) {
  pl_str word = peek(r);
  size_t n = word.n < r->rest.n ? word.n + 1 : word.n;
  r->rest = (pl_str){r->rest.p + n, r->rest.n - n};
  return word;
}

static bool take_if(reader *r, const char *word) {
  bool is = pl_str_is(peek(r), word);
  if (is)
    take(r);
  return is;
}

static bool is_name(pl_str word) {
  return word.n && (isalpha((unsigned char)word.p[0]) || word.p[0] == '_');
}

/* A whole number, with or without a suffix. */
static bool is_number(pl_str word, int64_t *value) {
  char digits[32];
  size_t n = 0;
  if (!word.n || !isdigit((unsigned char)word.p[0]))
    return false;
  while (word.n && strchr("uUlL", word.p[word.n - 1]))
    word.n--;
  for (size_t i = 0; i < word.n; i++) {
    if (n + 1 == sizeof digits)
      return false;
    if (word.p[i] != '\'')
      digits[n++] = word.p[i];
  }
  digits[n] = '\0';
  bool binary = n > 2 && digits[0] == '0' && (digits[1] == 'b' || digits[1] == 'B');
  char *end;
  errno = 0;
  *value = strtoll(binary ? digits + 2 : digits, &end, binary ? 2 : 0);
  return !*end && errno == 0;
}

/* What has been read from `begin` on. */
static pl_term *new_term(const reader *r, const char *begin, pl_term like) {
  pl_term *t = PL_NEW(r->arena, pl_term);
  *t = like;
  t->text = pl_str_trimmed((pl_str){begin, (size_t)(r->rest.p - begin)});
  return t;
}

static pl_term *read_choice(reader *r);

/* What a macro is handed, up to the parenthesis that closes; false: none does. */
static bool take_operands(reader *r, pl_str *operands) {
  const char *begin = r->rest.p;
  for (int depth = 1; r->rest.n;) {
    const char *at = r->rest.p;
    pl_str word = take(r);
    depth += pl_str_is(word, "(") - pl_str_is(word, ")");
    if (depth == 0) {
      *operands = pl_str_trimmed((pl_str){begin, (size_t)(at - begin)});
      return true;
    }
  }
  return false;
}

static pl_term *read_operand(reader *r) {
  static const char *const signs[] = {"!", "-", "+", "~"};
  const char *begin = r->rest.p;
  pl_term t = {.kind = PL_TERM_OPEN};
  if (take_if(r, "(")) {
    pl_term *inner = read_choice(r);
    return take_if(r, ")") ? inner : new_term(r, begin, t);
  }
  pl_str word = take(r);
  t.name = word;
  if (PL_STR_IS_ONE(word, signs)) {
    t.kind = PL_TERM_UNARY;
    t.kids[0] = read_operand(r);
  } else if (pl_str_is(word, "defined")) {
    t.kind = PL_TERM_DEFINED;
    t.name = take(r);
  } else if (is_number(word, &t.value)) {
    t.kind = PL_TERM_NUMBER;
  } else if (pl_str_is(word, "true") || pl_str_is(word, "false")) {
    t.kind = PL_TERM_NUMBER;
    t.value = pl_str_is(word, "true");
  } else if (is_name(word) && take_if(r, "(")) {
    t.kind = take_operands(r, &t.operands) ? PL_TERM_CALL : PL_TERM_OPEN;
  } else if (is_name(word)) {
    t.kind = PL_TERM_NAME;
  }
  return new_term(r, begin, t);
}

/* How tightly an operator of two operands binds; 0: it is none. */
static int rank_of(pl_str word) {
  static const char *const ranks[][5] = {{"||"}, {"&&"}, {"|"},  {"^"}, {"&"}, {"==", "!="},
                                         {"<", "<=", ">", ">="}, {"<<", ">>"}, {"+", "-"},
                                         {"*", "/", "%"}};
  for (size_t rank = 0; rank < sizeof ranks / sizeof *ranks; rank++)
    for (size_t i = 0; ranks[rank][i]; i++)
      if (pl_str_is(word, ranks[rank][i]))
        return (int)rank + 1;
  return 0;
}

static pl_term *read_binary(reader *r, int least) {
  const char *begin = r->rest.p;
  pl_term *left = read_operand(r);
  for (int rank = rank_of(peek(r)); rank && rank >= least; rank = rank_of(peek(r))) {
    pl_term t = {.kind = PL_TERM_BINARY, .name = take(r), .kids = {left}};
    t.kids[1] = read_binary(r, rank + 1);
    left = new_term(r, begin, t);
  }
  return left;
}

static pl_term *read_choice(reader *r) {
  const char *begin = r->rest.p;
  pl_term *which = read_binary(r, 1);
  if (!take_if(r, "?"))
    return which;
  pl_term t = {.kind = PL_TERM_CHOICE, .kids = {which}};
  t.kids[1] = read_choice(r);
  t.kind = take_if(r, ":") ? PL_TERM_CHOICE : PL_TERM_OPEN;
  t.kids[2] = read_choice(r);
  return new_term(r, begin, t);
}

pl_term *pl_term_read(pl_arena *arena, pl_str words) {
  reader r = {arena, words};
  pl_term *t = read_choice(&r);
  if (!r.rest.n)
    return t;
  r.rest = (pl_str){words.p + words.n, 0};
  return new_term(&r, words.p, (pl_term){.kind = PL_TERM_OPEN});
}

bool pl_is_comparison(pl_str word) {
  static const char *const ops[] = {"<", "<=", ">", ">=", "==", "!="};
  return PL_STR_IS_ONE(word, ops);
}

/* ---- what makes it hold ------------------------------------------------------ */

/* Definitions: NAME=VALUE, or not at all. */
typedef struct definition {
  pl_str name, value; /* "=2", or empty */
  bool undefined;
} definition;

typedef struct definitions {
  pl_arena *arena;
  pl_str text; /* the file's: what it defines itself no flag takes back */
  const pl_token *tokens;
  uint32_t ntokens;
  definition *items;
  size_t n, cap;
} definitions;

static bool file_defines(const definitions *d, pl_str name) {
  for (uint32_t i = 0; i < d->ntokens; i++) {
    if (d->tokens[i].kind != PL_TOK_DIRECTIVE)
      continue;
    pl_macro_line line =
        pl_macro_of(pl_directive_word(pl_token_in(d->text, &d->tokens[i])));
    if (line.defines && pl_str_eq(line.name, name))
      return true;
  }
  return false;
}

/* What a compiler defines by itself is nobody's to define. False: it is that, or
 * there is another definition of the name already. */
static bool set(definitions *d, definition one) {
  if (!is_name(one.name) || pl_str_starts(one.name, "__") ||
      (one.undefined && file_defines(d, one.name)))
    return false;
  for (size_t i = 0; i < d->n; i++)
    if (pl_str_eq(d->items[i].name, one.name))
      return d->items[i].undefined == one.undefined &&
             pl_str_eq(d->items[i].value, one.value);
  PL_PUSH(d->arena, d->items, d->n, d->cap, one);
  return true;
}

static bool define(definitions *d, pl_str name, pl_str value) {
  return set(d, (definition){name, value, false});
}

static bool undefine(definitions *d, pl_str name) {
  return set(d, (definition){name, PL_STR(""), true});
}

/* A name that is not to be defined is most often not. */
static pl_str flags_of(const definitions *d) {
  pl_text out = {.arena = d->arena};
  bool defines = false;
  for (size_t i = 0; i < d->n; i++)
    defines = defines || !d->items[i].undefined;
  for (size_t i = 0; i < d->n; i++)
    if (d->items[i].undefined != defines)
      pl_text_printf(&out, "%s-%c%.*s%.*s", out.n ? " " : "", defines ? 'D' : 'U',
                     PL_FMT(d->items[i].name), PL_FMT(d->items[i].value));
  return pl_text_view(&out);
}

/* The number for which a comparison comes out so; the other side of the boundary
 * where it is the contrary. */
static int64_t number_for(pl_str op, int64_t value, bool holds) {
  bool or_equal = op.n == 2 && op.p[0] != '!' && op.p[0] != '=';
  bool equal = op.p[0] == '=' ? holds : op.p[0] == '!' ? !holds : or_equal == holds;
  if (equal)
    return value;
  return op.p[0] == '<' && holds ? value - 1 : op.p[0] == '>' && !holds ? value - 1 : value + 1;
}

static bool solve(const pl_term *t, bool holds, definitions *flags);

/* Both sides of `&&` that is to hold, one of two else. */
static bool solve_both(const pl_term *t, bool holds, definitions *flags) {
  bool is_and = pl_str_is(t->name, "&&");
  size_t before = flags->n;
  if (is_and == holds)
    return solve(t->kids[0], holds, flags) && solve(t->kids[1], holds, flags);
  if (solve(t->kids[0], holds, flags))
    return true;
  flags->n = before;
  return solve(t->kids[1], holds, flags);
}

static bool solve(const pl_term *t, bool holds, definitions *flags) {
  switch (t->kind) {
  case PL_TERM_NUMBER:
    return (t->value != 0) == holds;
  case PL_TERM_NAME:
    return define(flags, t->name, holds ? PL_STR("") : PL_STR("=0"));
  case PL_TERM_DEFINED:
    return holds ? define(flags, t->name, PL_STR("")) : undefine(flags, t->name);
  case PL_TERM_UNARY:
    return pl_str_is(t->name, "!") && solve(t->kids[0], !holds, flags);
  case PL_TERM_BINARY:
    if (pl_str_is(t->name, "&&") || pl_str_is(t->name, "||"))
      return solve_both(t, holds, flags);
    return pl_is_comparison(t->name) && t->kids[0]->kind == PL_TERM_NAME &&
           t->kids[1]->kind == PL_TERM_NUMBER &&
           define(flags, t->kids[0]->name,
                  pl_arena_printf(flags->arena, "=%lld",
                                  (long long)number_for(t->name, t->kids[1]->value, holds)));
  default:
    return false;
  }
}

static bool solve_directive(const pl_directive *d, bool holds,
                            definitions *flags) {
  return solve(pl_term_read(flags->arena, d->condition), holds != d->negated, flags);
}

/* ---- the groups around a place ------------------------------------------------ */

typedef struct group {
  pl_directive branches[MOST_BRANCHES];
  uint32_t tokens[MOST_BRANCHES]; /* theirs */
  size_t n;
} group;

typedef struct groups {
  group items[MOST_DEPTH];
  size_t n;
} groups;

/* The #if, #elif and #else that are open at an offset. False: they are too many. */
static bool find_groups(pl_arena *arena, pl_str text, const pl_token *tokens,
                        uint32_t ntokens, uint32_t offset, groups *open) {
  open->n = 0;
  for (uint32_t i = 0; i < ntokens && tokens[i].range.begin < offset; i++) {
    if (tokens[i].kind != PL_TOK_DIRECTIVE)
      continue;
    pl_directive d = pl_directive_read(arena, pl_token_in(text, &tokens[i]));
    if (d.kind == PL_DIRECTIVE_IF) {
      if (open->n == MOST_DEPTH)
        return false;
      open->items[open->n++].n = 0;
    }
    if (d.kind == PL_DIRECTIVE_ENDIF)
      open->n -= open->n > 0;
    if (d.kind == PL_DIRECTIVE_OTHER || d.kind == PL_DIRECTIVE_ENDIF || !open->n)
      continue;
    group *g = &open->items[open->n - 1];
    if (g->n == MOST_BRANCHES)
      return false;
    g->branches[g->n] = d;
    g->tokens[g->n++] = i;
  }
  return true;
}

/* The last branch of a group is the one that is seen. */
static bool solve_group(const group *g, definitions *flags) {
  for (size_t i = 0; i + 1 < g->n; i++)
    if (!solve_directive(&g->branches[i], false, flags))
      return false;
  const pl_directive *last = &g->branches[g->n - 1];
  return last->kind == PL_DIRECTIVE_ELSE ||
         solve_directive(last, true, flags);
}

/* The last branch of a group is passed by, by itself or for one before it. */
static bool avoid_group(const group *g, definitions *flags) {
  for (size_t i = g->n; i-- > 0;) {
    bool last = i + 1 == g->n;
    size_t before = flags->n;
    if (g->branches[i].kind != PL_DIRECTIVE_ELSE &&
        solve_directive(&g->branches[i], !last, flags))
      return true;
    flags->n = before;
  }
  return false;
}

/* A directive on one line, without the comments behind it. */
static pl_str shown(pl_arena *arena, pl_str directive) {
  pl_text out = {.arena = arena};
  pl_text_add(&out, PL_STR("#"));
  pl_str word = pl_directive_word(directive);
  for (size_t i = 0; i < word.n; i++) {
    bool comment = i + 1 < word.n && word.p[i] == '/' &&
                   (word.p[i + 1] == '/' || word.p[i + 1] == '*');
    if (comment || word.p[i] == '\n')
      break;
    bool blank = strchr(" \t\r", word.p[i]) != NULL;
    if (!blank || out.p[out.n - 1] != ' ')
      pl_text_printf(&out, "%c", blank ? ' ' : word.p[i]);
  }
  while (out.n && out.p[out.n - 1] == ' ')
    out.n--;
  return pl_text_view(&out);
}

bool pl_condition_at(pl_arena *arena, pl_str text, const pl_token *tokens,
                     uint32_t ntokens, uint32_t offset, uint32_t from,
                     pl_condition *c) {
  groups open;
  *c = (pl_condition){0};
  if (!find_groups(arena, text, tokens, ntokens, offset, &open))
    return false;
  definitions flags = {.arena = arena, .text = text, .tokens = tokens,
                       .ntokens = ntokens};
  bool known = true;
  for (size_t i = 0; i < open.n; i++) {
    const group *g = &open.items[i];
    if (!g->n || tokens[g->tokens[g->n - 1]].range.end <= from)
      continue;
    if (!c->directive.n) {
      c->at = tokens[g->tokens[g->n - 1]].range;
      c->directive = shown(arena, pl_token_in(text, &tokens[g->tokens[g->n - 1]]));
      if (g->branches[g->n - 1].kind == PL_DIRECTIVE_ELSE)
        c->directive = pl_arena_printf(
            arena, "#else of %.*s",
            PL_FMT(shown(arena, pl_token_in(text, &tokens[g->tokens[0]]))));
    }
    known = known && solve_group(g, &flags);
  }
  c->flags = known ? flags_of(&flags) : PL_STR("");
  return c->directive.n > 0;
}

/* `#ifndef NAME` with `#define NAME` behind it guards a header. */
static bool is_guard(const group *g, pl_str text, const pl_token *tokens,
                     uint32_t ntokens) {
  const pl_directive *d = &g->branches[0];
  if (g->n != 1 || !d->negated || !pl_str_starts(d->condition, "defined "))
    return false;
  pl_str name = {d->condition.p + 8, d->condition.n - 8};
  uint32_t i = g->tokens[0] + 1;
  while (i < ntokens && tokens[i].kind == PL_TOK_COMMENT)
    i++;
  if (i >= ntokens || tokens[i].kind != PL_TOK_DIRECTIVE)
    return false;
  pl_macro_line line =
      pl_macro_of(pl_directive_word(pl_token_in(text, &tokens[i])));
  return line.defines && pl_str_eq(line.name, name);
}

pl_str pl_flags_past(pl_arena *arena, pl_str text, uint32_t offset) {
  groups open;
  uint32_t n;
  pl_token *tokens = pl_lex(arena, text, &n);
  definitions flags = {.arena = arena, .text = text, .tokens = tokens,
                       .ntokens = n};
  if (find_groups(arena, text, tokens, n, offset, &open))
    for (size_t i = open.n; i-- > 0;)
      if (open.items[i].n && !is_guard(&open.items[i], text, tokens, n) &&
          avoid_group(&open.items[i], &flags))
        return flags_of(&flags);
  return PL_STR("");
}
