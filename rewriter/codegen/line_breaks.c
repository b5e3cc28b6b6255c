/* line_breaks.c - which lines are longer than the user's, and where they are broken.
 *
 * Needs: the source's text and the edits of it. Gives: the edits with line breaks in
 * their text. Raises nothing.
 *
 * A line is broken where it is nested least: behind the head of a loop or branch whose
 * statement stands in the same line, then behind the commas of a call's own
 * arguments rather than of those of a call in them, and behind the bracket of a call where
 * nothing else fits; of such places, behind the last that fits. What follows is lined up
 * with what the bracket, or the value of a statement, begins with, or stands four columns
 * further in than the line where that is too far right. */
#include "line_breaks.h"

#include "unit.h"

#include <string.h>

#define TAB_COLUMNS 4
#define CONTINUED 4
#define DEEPEST 64

/* ---- columns ------------------------------------------------------------- */

/* Bytes that go on with a character of UTF-8 take no column. */
static size_t columns(pl_str text) {
  size_t n = 0;
  for (size_t i = 0; i < text.n; i++)
    n += text.p[i] == '\t' ? TAB_COLUMNS : ((unsigned char)text.p[i] & 0xc0) != 0x80;
  return n;
}

/* The line at a place, without its end, and where the next one begins. */
static pl_str line_from(pl_str text, size_t at, size_t *next) {
  const char *end = memchr(text.p + at, '\n', text.n - at);
  pl_str line = {text.p + at, end ? (size_t)(end - text.p) - at : text.n - at};
  *next = at + line.n + (end != NULL);
  if (line.n && line.p[line.n - 1] == '\r')
    line.n--;
  return line;
}

static size_t longest_line(pl_str text) {
  size_t longest = 0;
  for (size_t at = 0, next; at < text.n; at = next) {
    size_t n = columns(line_from(text, at, &next));
    longest = n > longest ? n : longest;
  }
  return longest;
}

/* Of the limits that people keep the least that the longest line keeps. */
static size_t limit_of(pl_str text) {
  static const size_t usual[] = {80, 100, 120};
  size_t mark = pl_str_starts(text, "\xef\xbb\xbf") ? 3 : 0;
  size_t longest = longest_line((pl_str){text.p + mark, text.n - mark});
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
    if (longest <= usual[i])
      return usual[i];
  return longest;
}

static pl_str trimmed(pl_str line) {
  while (line.n && (line.p[0] == ' ' || line.p[0] == '\t'))
    line.p++, line.n--;
  while (line.n && (line.p[line.n - 1] == ' ' || line.p[line.n - 1] == '\t'))
    line.n--;
  return line;
}

static bool stands_in(pl_arena *arena, pl_str text, pl_str line) {
  pl_str words = trimmed(line);
  return pl_str_has(text, pl_arena_cstr(arena, words));
}

/* ---- one line ------------------------------------------------------------- */

typedef struct bracket {
  size_t column; /* of what follows it */
  bool angle;
  bool body; /* of a lambda */
} bracket;

typedef struct breaker {
  pl_arena *arena;
  pl_str text; /* of the edit */
  const pl_token *tokens;
  uint32_t first, end; /* those of the line */
  pl_str lead;         /* its blanks */
  const char *newline; /* as the source has it */
  size_t limit;
  bracket open[DEEPEST];
  int depth;
  bool heads;  /* the outermost open bracket is a loop's or a branch's */
  bool headed; /* ... and has just been closed */
  size_t lined_up; /* the column that later lines are lined up with, 0: none */
  size_t value; /* that of what an `=`, `+=` or `return` outside brackets stands before, 0: none */
} breaker;

static pl_str text_of(const breaker *b, uint32_t i) {
  return pl_token_in(b->text, &b->tokens[i]);
}

static bool is(const breaker *b, uint32_t i, const char *spelling) {
  return i < b->end && pl_str_is(text_of(b, i), spelling);
}

static bool blank_before(const breaker *b, uint32_t i) {
  return i > b->first && b->tokens[i].range.begin > b->tokens[i - 1].range.end;
}

/* `<` that opens arguments stands close to a name, and something close to it. */
static bool opens_angle(const breaker *b, uint32_t i) {
  return is(b, i, "<") && i > b->first && b->tokens[i - 1].kind == PL_TOK_IDENT &&
         !blank_before(b, i) && i + 1 < b->end && !blank_before(b, i + 1);
}

/* Whether the bracket at `i` is that of a `for`, `if` or `while`. */
static bool opens_head(const breaker *b, uint32_t i) {
  return b->depth == 0 && i > b->first &&
         (is(b, i - 1, "for") || is(b, i - 1, "if") || is(b, i - 1, "while"));
}

static bool assigns(const breaker *b, uint32_t i) {
  pl_str text = text_of(b, i);
  bool compares = pl_str_is(text, "==") || pl_str_is(text, "!=") || pl_str_is(text, "<=") ||
                  pl_str_is(text, ">=");
  return b->depth == 0 && text.n && text.p[text.n - 1] == '=' && !compares;
}

/* Goes past one token, whose end is in a column. False: too deep. */
static bool pass(breaker *b, uint32_t i, size_t column) {
  bool angle = opens_angle(b, i);
  if (b->value == 0 && (assigns(b, i) || is(b, i, "return")))
    b->value = column + 1;
  if (b->depth == 0 && is(b, i, "("))
    b->heads = opens_head(b, i);
  b->headed = false;
  if (angle || is(b, i, "(") || is(b, i, "[") || is(b, i, "{")) {
    if (b->depth == DEEPEST)
      return false;
    size_t blanks = i + 1 < b->end ? b->tokens[i + 1].range.begin - b->tokens[i].range.end : 0;
    bool body = is(b, i, "{") && i > b->first && is(b, i - 1, ")");
    b->open[b->depth++] = (bracket){column + blanks, angle, body};
  } else if (is(b, i, ")") || is(b, i, "]") || is(b, i, "}")) {
    while (b->depth && b->open[b->depth - 1].angle)
      b->depth--;
    b->depth -= b->depth > 0;
    b->headed = b->depth == 0 && b->heads && is(b, i, ")");
  } else if (is(b, i, ">") && b->depth && b->open[b->depth - 1].angle) {
    b->depth--;
  }
  return true;
}

/* The text of tokens `from` to before `to`, with what stands between them. */
static pl_str between(const breaker *b, uint32_t from, uint32_t to) {
  uint32_t begin = b->tokens[from].range.begin;
  return (pl_str){b->text.p + begin, b->tokens[to - 1].range.end - begin};
}

/* Whether a token opens the arguments of a call. */
static bool opens_call(const breaker *b, uint32_t i) {
  return is(b, i, "(") && i > b->first && b->tokens[i - 1].kind == PL_TOK_IDENT &&
         !is(b, i - 1, "for") && !is(b, i - 1, "if") && !is(b, i - 1, "while") &&
         !is(b, i + 1, ")");
}

/* Whether the first argument of the call that a token opens can begin a line. */
static bool first_argument_fits(const breaker *b, uint32_t i) {
  breaker rest = *b;
  uint32_t end = i + 1;
  while (end < b->end && pass(&rest, end, 0) && rest.depth >= b->depth &&
         (rest.depth > b->depth || !is(b, end, ",")))
    end++;
  end += end < b->end;
  return columns(b->lead) + CONTINUED + columns(between(b, i + 1, end)) <= b->limit;
}

/* A value has a line of its own where it fits in that: else it is better broken itself,
 * between its arguments. */
static int cost_of_assignment(const breaker *b, uint32_t i) {
  size_t near = columns(b->lead) + CONTINUED;
  return near + columns(between(b, i + 1, b->end)) <= b->limit ? 2 : 4 + DEEPEST;
}

/* Whether a factor in brackets follows that is broken itself rather than taken from the
 * other. */
static bool is_long_factor(const breaker *b, uint32_t i) {
  breaker rest = *b;
  uint32_t end = i + 1;
  if (!is(b, i, "*") || !is(b, end, "("))
    return false;
  while (end < b->end && pass(&rest, end, 0) && rest.depth > b->depth)
    end++;
  return columns(between(b, i + 1, end)) > b->limit / 2;
}

/* How little one wants to break behind a token; -1: not at all. */
static int cost_behind(const breaker *b, uint32_t i) {
  if (i + 1 >= b->end || b->tokens[i + 1].kind == PL_TOK_COMMENT)
    return -1;
  if (b->headed && !is(b, i + 1, "{") && !is(b, i + 1, ";"))
    return 0;
  if (is(b, i, ";") && b->depth > 0)
    return 3 * b->depth - 1;
  if (is(b, i, ",") && b->depth > 0)
    return 3 * b->depth + 3 * b->open[b->depth - 1].angle;
  if ((is(b, i, "&&") || is(b, i, "||")) && blank_before(b, i) &&
      blank_before(b, i + 1))
    return 3 * b->depth + 1;
  if (is(b, i, "=") && b->depth == 0)
    return cost_of_assignment(b, i);
  bool sum = is(b, i, "+") || is(b, i, "-") || is(b, i, "?") || is(b, i, ":");
  bool product = is(b, i, "*") || is(b, i, "/") || is(b, i, "%");
  if ((sum || product) && blank_before(b, i) && blank_before(b, i + 1))
    return 3 * b->depth + 2 + product + 3 * is_long_factor(b, i) + DEEPEST;
  return b->depth == 1 && opens_call(b, i) && first_argument_fits(b, i) ? 4 * DEEPEST : -1;
}

/* Whether the innermost open bracket is closed in a later line: that is lined up with
 * it already. */
static bool stays_open(const breaker *b, uint32_t from) {
  breaker rest = *b;
  for (uint32_t i = from; i < b->end; i++)
    if (!pass(&rest, i, 0) || rest.depth < b->depth)
      return false;
  return true;
}

/* Whether each part of what follows, between commas or also between operators, has room in a
 * line from a column on, as far as the innermost open bracket goes. */
static bool parts_fit(const breaker *b, uint32_t from, size_t column, bool operators) {
  breaker rest = *b;
  size_t begin = b->tokens[from].range.begin;
  for (uint32_t i = from; i < b->end; i++) {
    size_t end = b->tokens[i].range.end;
    if (column + columns((pl_str){b->text.p + begin, end - begin}) > b->limit)
      return false;
    if (!pass(&rest, i, 0) || rest.depth < b->depth)
      break;
    bool ends = is(b, i, ",") ? i + 1 < b->end : operators && cost_behind(&rest, i) >= 0;
    if (rest.depth == b->depth && ends)
      begin = b->tokens[i + 1].range.begin;
  }
  return true;
}

/* The one of two columns that what follows needs no more lines from; the first of two that
 * are alike, or if it leaves half of a line. */
static size_t roomier(const breaker *b, uint32_t from, size_t column, size_t near) {
  bool left = column <= b->limit / 2;
  if (parts_fit(b, from, column, false) || (left && parts_fit(b, from, column, true)))
    return column;
  if (parts_fit(b, from, near, false))
    return near;
  return parts_fit(b, from, column, true) ? column : near;
}

/* The column that text of the innermost open bracket goes on in, from a token on: the
 * same for all of it. Outside brackets that of a value, but behind a head. */
static size_t column_of_rest(breaker *b, uint32_t from) {
  size_t near = columns(b->lead) + CONTINUED;
  if (b->depth == 0)
    return b->value = !b->value || b->headed || is(b, from - 1, "=")
                          ? near : roomier(b, from, b->value, near);
  size_t column = b->open[b->depth - 1].column;
  if (opens_call(b, from - 1))
    return b->lined_up = b->open[b->depth - 1].column = near;
  if (b->open[b->depth - 1].body)
    return near;
  if (column <= b->lined_up)
    return column;
  if (stays_open(b, from))
    return b->lined_up = column;
  if (b->lined_up)
    near = b->lined_up + CONTINUED;
  return b->open[b->depth - 1].column = roomier(b, from, column, near);
}

static void begin_line(const breaker *b, pl_text *out, size_t column) {
  size_t have = columns(b->lead);
  pl_text_printf(out, "%s%.*s", b->newline, PL_FMT(b->lead));
  if (column == have + CONTINUED && memchr(b->lead.p, '\t', b->lead.n)) {
    pl_text_add(out, PL_STR("\t"));
    return;
  }
  for (; have < column; have++)
    pl_text_add(out, PL_STR(" "));
}

/* The last tokens of a line that can stand in it from a column on, else the first
 * behind which it can be broken, if much is left: the line goes on behind them.
 * `from`: it cannot be broken so. Leaves the brackets that are open there. */
static uint32_t last_that_fits(breaker *b, uint32_t from, size_t column) {
  breaker best = *b;
  uint32_t last = from;
  int cost = -1;
  for (uint32_t i = from; i < b->end; i++) {
    size_t end = column + columns(between(b, from, i + 1));
    if (end > b->limit && cost >= 0)
      break;
    if (!pass(b, i, end))
      return from;
    int here = cost_behind(b, i);
    if (here >= 0 && (cost < 0 || here <= cost)) {
      cost = here;
      last = i + 1;
      best = *b;
    }
  }
  bool over = last > from && column + columns(between(b, from, last)) > b->limit;
  if (over && columns(between(b, last, b->end)) < b->limit / 4)
    return from;
  *b = best;
  return last;
}

/* Whether the line's last token, a comment aside, is beyond the limit. */
static bool is_long(const breaker *b, uint32_t from, size_t column) {
  uint32_t end = b->end;
  while (end > from && b->tokens[end - 1].kind == PL_TOK_COMMENT)
    end--;
  return end > from && column + columns(between(b, from, end)) > b->limit;
}

static void break_code(breaker *b, pl_text *out) {
  size_t column = columns(b->lead);
  uint32_t from = b->first;
  pl_text_add(out, b->lead);
  while (is_long(b, from, column)) {
    uint32_t to = last_that_fits(b, from, column);
    if (to == from)
      break;
    pl_text_add(out, between(b, from, to));
    column = column_of_rest(b, to);
    begin_line(b, out, column);
    from = to;
  }
  pl_text_add(out, between(b, from, b->end));
}

/* ---- one statement --------------------------------------------------------- */

pl_str pl_in_one_line(pl_arena *arena, pl_str text) {
  uint32_t n;
  if (!text.n || !memchr(text.p, '\n', text.n))
    return text;
  const pl_token *tokens = pl_lex(arena, text, &n);
  pl_text out = {.arena = arena};
  for (uint32_t i = 0; i < n; i++) {
    if (tokens[i].kind == PL_TOK_COMMENT || tokens[i].kind == PL_TOK_DIRECTIVE)
      return text;
    uint32_t at = i ? tokens[i - 1].range.end : tokens[i].range.begin;
    pl_str before = {text.p + at, tokens[i].range.begin - at};
    bool breaks = before.n && memchr(before.p, '\n', before.n);
    bool close = breaks && (strchr("([", out.p[out.n - 1]) ||
                            strchr(")]", text.p[tokens[i].range.begin]));
    pl_text_add(&out, !breaks ? before : close ? PL_STR("") : PL_STR(" "));
    pl_text_add(&out, pl_token_in(text, &tokens[i]));
  }
  return pl_text_view(&out);
}

/* Whether a statement goes on behind its first tokens: a bracket is open, or an operator
 * stands last. Of blocks, comments and literals that is not asked. */
static bool goes_on(pl_str text, const pl_token *tokens, uint32_t n) {
  static const char *const joining[] = {"+", "-", "*", "/", "%", "&&", "||", "=", "+=", "-=",
                                        "*=", "?", ":", ",", "|", "&", "^", "<<", ">>"};
  int depth = 0;
  for (uint32_t i = 0; i < n; i++) {
    pl_str token = pl_token_in(text, &tokens[i]);
    if (tokens[i].kind == PL_TOK_COMMENT || tokens[i].kind == PL_TOK_DIRECTIVE ||
        tokens[i].kind == PL_TOK_STRING || pl_str_is(token, "{") || pl_str_is(token, "}"))
      return false;
    depth += pl_str_is(token, "(") || pl_str_is(token, "[");
    depth -= pl_str_is(token, ")") || pl_str_is(token, "]");
  }
  return n && (depth > 0 || PL_STR_IS_ONE(pl_token_in(text, &tokens[n - 1]), joining));
}

/* Breaks the line at a place together with those that its statement goes on in; gives where
 * the next one begins, 0: it has no other line, or one that stays. */
static size_t break_statement(const breaker *b, size_t at, pl_text *out) {
  size_t end = at, next = at;
  uint32_t n = 0;
  breaker whole = *b;
  do {
    pl_str line = line_from(b->text, next, &next);
    end = (size_t)(line.p - b->text.p) + line.n;
    whole.text = (pl_str){b->text.p + at + b->lead.n, end - at - b->lead.n};
    whole.tokens = pl_lex(b->arena, whole.text, &n);
  } while (next < b->text.n && goes_on(whole.text, whole.tokens, n));
  if (!memchr(whole.text.p, '\n', whole.text.n) ||
      goes_on(whole.text, whole.tokens, n) || memchr(whole.text.p, '{', whole.text.n))
    return 0;
  whole.text = pl_in_one_line(b->arena, whole.text);
  whole.tokens = pl_lex(b->arena, whole.text, &whole.end);
  whole.first = 0;
  if (memchr(whole.text.p, '\n', whole.text.n))
    return 0;
  break_code(&whole, out);
  pl_text_add(out, (pl_str){b->text.p + end, next - end});
  return next;
}

/* A `//` comment of many words. */
static void break_comment(const breaker *b, pl_str line, pl_text *out) {
  pl_str words = trimmed(line);
  size_t room = b->limit - columns(b->lead);
  pl_text_add(out, b->lead);
  while (columns(words) > room) {
    size_t n = room;
    while (n > 3 && words.p[n] != ' ')
      n--;
    if (n <= 3)
      break;
    pl_text_add(out, (pl_str){words.p, n});
    pl_text_printf(out, "%s%.*s", b->newline, PL_FMT(b->lead));
    words = pl_arena_printf(b->arena, "// %.*s", (int)(words.n - n - 1),
                            words.p + n + 1);
  }
  pl_text_add(out, words);
}

/* ---- one edit ------------------------------------------------------------- */

/* Whether a line is of whole tokens of one kind of text; sets which. */
static bool find_tokens(breaker *b, uint32_t n, uint32_t begin, uint32_t end) {
  while (b->first < n && b->tokens[b->first].range.end <= begin)
    b->first++;
  b->end = b->first;
  while (b->end < n && b->tokens[b->end].range.begin < end)
    b->end++;
  if (b->first == b->end || b->tokens[b->first].range.begin < begin ||
      b->tokens[b->end - 1].range.end > end)
    return false;
  for (uint32_t i = b->first; i < b->end; i++)
    if (b->tokens[i].kind == PL_TOK_DIRECTIVE)
      return false;
  return true;
}

static bool is_long_comment(const breaker *b) {
  pl_str text = text_of(b, b->first);
  return b->end == b->first + 1 && b->tokens[b->first].kind == PL_TOK_COMMENT &&
         pl_str_starts(text, "// ") && !pl_str_starts(text, "// pipelinify:");
}

/* A comment's carriage return belongs to the end of its line. */
static const pl_token *tokens_of(pl_arena *arena, pl_str text, uint32_t *n) {
  pl_token *tokens = pl_lex(arena, text, n);
  for (uint32_t i = 0; i < *n; i++)
    if (text.p[tokens[i].range.end - 1] == '\r')
      tokens[i].range.end--;
  return tokens;
}

/* The lines of an edit; those of its last and first line that are of the file around
 * it are not looked at. */
static pl_str broken(pl_arena *arena, pl_str source, pl_str text, size_t limit) {
  uint32_t n;
  const char *first = memchr(source.p, '\n', source.n);
  breaker b = {.arena = arena, .text = text, .limit = limit};
  b.newline = first && first > source.p && first[-1] == '\r' ? "\r\n" : "\n";
  b.tokens = tokens_of(arena, text, &n);
  pl_text out = {.arena = arena};
  for (size_t at = 0, next; at < text.n; at = next) {
    pl_str line = line_from(text, at, &next);
    size_t blanks = (size_t)(trimmed(line).p - line.p);
    b.lead = (pl_str){line.p, blanks};
    b.depth = 0;
    b.lined_up = 0;
    b.value = 0;
    bool wide = columns(line) > limit && line.p[line.n - 1] != '\\' &&
                find_tokens(&b, n, (uint32_t)at, (uint32_t)(at + line.n)) &&
                !stands_in(arena, source, line);
    size_t behind = wide ? break_statement(&b, at, &out) : 0;
    if (behind) {
      next = behind;
      continue;
    }
    if (wide && is_long_comment(&b))
      break_comment(&b, line, &out);
    else if (wide)
      break_code(&b, &out);
    else
      pl_text_add(&out, line);
    pl_text_add(&out, (pl_str){text.p + at + line.n, next - at - line.n});
  }
  return pl_text_view(&out);
}

bool pl_break_lines(pl_arena *arena, pl_str source, pl_edit *edits, size_t n) {
  size_t limit = limit_of(source);
  bool any = false;
  for (size_t i = 0; i < n; i++) {
    pl_str text = {edits[i].text, edits[i].text_length};
    if (longest_line(text) <= limit)
      continue;
    pl_str out = broken(arena, source, text, limit);
    any = any || !pl_str_eq(out, text);
    edits[i].text = out.p;
    edits[i].text_length = out.n;
  }
  return any;
}
