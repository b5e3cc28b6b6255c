/* conditions.c - which definitions make the preprocessor see a place, or pass it by?
 *
 * Needs: the bytes of a file. Gives: the #if that decides of a place, and the -D and -U
 * with which it would decide otherwise, where they follow from its words alone.
 * Raises nothing. */
#include "conditions.h"

#include "builds.h"

#include <ctype.h>
#include <string.h>

#define MOST_DEPTH 32
#define MOST_BRANCHES 16

/* ---- a condition ----------------------------------------------------------- */

typedef enum term_kind {
  TERM_OPEN, /* says what is not known here */
  TERM_NUMBER,
  TERM_NAME,
  TERM_DEFINED,
  TERM_COMPARED, /* a name and a number */
  TERM_NOT,
  TERM_AND,
  TERM_OR
} term_kind;

typedef struct term {
  term_kind kind;
  pl_str name, op;
  int64_t value;
  struct term *left, *right;
} term;

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

/* A decimal number, with or without a suffix. */
static bool is_number(pl_str word, int64_t *value) {
  *value = 0;
  size_t i = 0;
  for (; i < word.n && i < 12 && isdigit((unsigned char)word.p[i]); i++)
    *value = *value * 10 + (word.p[i] - '0');
  while (i < word.n && i > 0 && strchr("uUlL", word.p[i]))
    i++;
  return word.n && i == word.n;
}

static bool is_comparison(pl_str word) {
  static const char *const ops[] = {"<", "<=", ">", ">=", "==", "!="};
  return PL_STR_IS_ONE(word, ops);
}

static term *new_term(reader *r, term like) {
  term *t = PL_NEW(r->arena, term);
  *t = like;
  return t;
}

static term *read_or(reader *r);

/* What stands between operators: all that is not known up to the next one. */
static term *read_operand(reader *r) {
  int64_t value;
  if (take_if(r, "!"))
    return new_term(r, (term){.kind = TERM_NOT, .left = read_operand(r)});
  if (take_if(r, "(")) {
    term *inner = read_or(r);
    bool closed = take_if(r, ")");
    return closed ? inner : new_term(r, (term){.kind = TERM_OPEN});
  }
  if (take_if(r, "defined"))
    return new_term(r, (term){.kind = TERM_DEFINED, .name = take(r)});
  pl_str word = take(r);
  if (is_number(word, &value))
    return new_term(r, (term){.kind = TERM_NUMBER, .value = value});
  term t = {.kind = is_name(word) ? TERM_NAME : TERM_OPEN, .name = word};
  if (is_name(word) && is_comparison(peek(r))) {
    t.op = take(r);
    t.kind = is_number(take(r), &t.value) ? TERM_COMPARED : TERM_OPEN;
  }
  return new_term(r, t);
}

static term *read_and(reader *r) {
  term *left = read_operand(r);
  while (take_if(r, "&&"))
    left = new_term(r, (term){.kind = TERM_AND, .left = left,
                              .right = read_operand(r)});
  return left;
}

static term *read_or(reader *r) {
  term *left = read_and(r);
  while (take_if(r, "||"))
    left = new_term(r, (term){.kind = TERM_OR, .left = left,
                              .right = read_and(r)});
  return left;
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
static int64_t number_for(const term *t, bool holds) {
  char op = t->op.p[0];
  bool or_equal = t->op.n == 2 && op != '!' && op != '=';
  bool equal = op == '=' ? holds : op == '!' ? !holds : or_equal == holds;
  if (equal)
    return t->value;
  return op == '<' && holds ? t->value - 1
         : op == '>' && !holds ? t->value - 1
                               : t->value + 1;
}

static bool solve(const term *t, bool holds, definitions *flags);

/* One side of two is enough. */
static bool solve_one(const term *t, bool holds, definitions *flags) {
  size_t before = flags->n;
  if (solve(t->left, holds, flags))
    return true;
  flags->n = before;
  return solve(t->right, holds, flags);
}

static bool solve(const term *t, bool holds, definitions *flags) {
  switch (t->kind) {
  case TERM_NUMBER:
    return (t->value != 0) == holds;
  case TERM_NAME:
    return define(flags, t->name, holds ? PL_STR("") : PL_STR("=0"));
  case TERM_DEFINED:
    return holds ? define(flags, t->name, PL_STR("")) : undefine(flags, t->name);
  case TERM_COMPARED:
    return define(flags, t->name,
                  pl_arena_printf(flags->arena, "=%lld",
                                  (long long)number_for(t, holds)));
  case TERM_NOT:
    return solve(t->left, !holds, flags);
  case TERM_AND:
  case TERM_OR:
    if ((t->kind == TERM_AND) != holds)
      return solve_one(t, holds, flags);
    return solve(t->left, holds, flags) &&
           solve(t->right, holds, flags);
  default:
    return false;
  }
}

static bool solve_directive(const pl_directive *d, bool holds,
                            definitions *flags) {
  reader r = {flags->arena, d->condition};
  term *t = read_or(&r);
  return !r.rest.n && solve(t, holds != d->negated, flags);
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
