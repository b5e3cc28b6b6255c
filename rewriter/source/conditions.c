/* conditions.c - what does a condition of the preprocessor say?
 *
 * Needs: its words. Gives: the tree of them. Raises nothing. */
#include "conditions.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OPERANDS 2000

/* ---- a condition ----------------------------------------------------------- */

typedef struct reader {
  pl_arena *arena;
  pl_str rest; /* words, each with a blank behind it but the last */
  int depth;
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
static bool is_number(pl_str word, int64_t *value, bool *is_unsigned) {
  char digits[32];
  size_t n = 0;
  if (!word.n || !isdigit((unsigned char)word.p[0]))
    return false;
  for (*is_unsigned = false; word.n && strchr("uUlLzZ", word.p[word.n - 1]); word.n--)
    *is_unsigned |= strchr("uU", word.p[word.n - 1]) != NULL;
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
  if (++r->depth > MOST_OPERANDS)
    r->rest.n = 0; /* it is read no further */
  if (take_if(r, "(")) {
    pl_term *inner = read_choice(r);
    inner->is_closed = true;
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
  } else if (is_number(word, &t.value, &t.is_unsigned)) {
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
  reader r = {arena, words, 0};
  pl_term *t = read_choice(&r);
  if (!r.rest.n && r.depth <= MOST_OPERANDS)
    return t;
  r.rest = (pl_str){words.p + words.n, 0};
  return new_term(&r, words.p, (pl_term){.kind = PL_TERM_OPEN});
}

bool pl_is_comparison(pl_str word) {
  static const char *const ops[] = {"<", "<=", ">", ">=", "==", "!="};
  return PL_STR_IS_ONE(word, ops);
}
