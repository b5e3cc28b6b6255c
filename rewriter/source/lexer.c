/* lexer.c - the bytes of a CUDA or C++ file as tokens.
 *
 * Needs nothing but the text; gives every token with its offsets, comments and
 * whole preprocessor lines included; `#if 0` to its `#endif` is a comment. Clang
 * is not asked, because its token ranges are wrong around macros, and because
 * edits need the bytes as they stand. Malformed input (an open comment, string or
 * raw string) ends in a token that reaches the end of its line or of the file. */
#include "unit.h"

#include <string.h>

typedef struct lexer {
  const char *p;
  uint32_t n, at;
  bool line_start; /* only blanks and comments since the last newline */
} lexer;

/* The byte `ahead` places on, 0 behind the end. */
static char peek(const lexer *lex, uint32_t ahead) {
  return ahead < lex->n - lex->at ? lex->p[lex->at + ahead] : '\0';
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Identifiers: `$` and every byte above ASCII (UTF-8) belong to them. */
static bool is_ident(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '$' || is_digit(c) || ((unsigned char)c & 0x80) != 0;
}

/* The length of a backslash-newline at `at`, 0 where there is none. Blanks
 * between the two count as part of it, as compilers have it. */
static uint32_t splice_length(const lexer *lex, uint32_t at) {
  if (at >= lex->n || lex->p[at] != '\\')
    return 0;
  uint32_t end = at + 1;
  while (end < lex->n && is_blank(lex->p[end]))
    end++;
  return end < lex->n && lex->p[end] == '\n' ? end + 1 - at : 0;
}

/* The offset of the newline that ends the logical line, or the file's end. */
static uint32_t line_end(const lexer *lex, uint32_t at) {
  while (at < lex->n && lex->p[at] != '\n') {
    uint32_t splice = splice_length(lex, at);
    at += splice ? splice : 1;
  }
  return at;
}

/* Behind the star-slash that closes the comment that begins at `at`. */
static uint32_t block_comment_end(const lexer *lex, uint32_t at) {
  for (at += 2; at + 1 < lex->n; at++)
    if (lex->p[at] == '*' && lex->p[at + 1] == '/')
      return at + 2;
  return lex->n;
}

/* Behind the closing quote of a string or character literal; an unclosed one
 * ends before its newline. */
static uint32_t quoted_end(const lexer *lex, uint32_t at) {
  char quote = lex->p[at++];
  while (at < lex->n && lex->p[at] != '\n') {
    uint32_t splice = splice_length(lex, at);
    if (splice)
      at += splice;
    else if (lex->p[at] == '\\')
      at += at + 1 < lex->n ? 2 : 1;
    else if (lex->p[at++] == quote)
      break;
  }
  return at;
}

/* Behind R"tag( ... )tag", where `at` is the opening quote; 0 where the tag is
 * no tag, so that the text is an ordinary string. */
static uint32_t raw_string_end(const lexer *lex, uint32_t at) {
  uint32_t tag = at + 1, open = tag;
  while (open < lex->n && open - tag <= 16 && lex->p[open] != '(' &&
         lex->p[open] != ')' && lex->p[open] != '"' && lex->p[open] != '\n')
    open++;
  if (open >= lex->n || lex->p[open] != '(')
    return 0;
  size_t tag_size = open - tag;
  for (uint32_t i = open + 1; i < lex->n; i++)
    if (lex->p[i] == ')' && lex->n - i > tag_size + 1 &&
        memcmp(lex->p + i + 1, lex->p + tag, tag_size) == 0 &&
        lex->p[i + 1 + tag_size] == '"')
      return i + (uint32_t)tag_size + 2;
  return lex->n;
}

/* True for R, u8, u8R, u, uR, U, UR, L, LR: what may stand before a quote. */
static bool is_string_prefix(const char *p, uint32_t n) {
  static const char *const prefixes[] = {"R", "u8", "u8R", "u", "uR",
                                         "U", "UR", "L",   "LR"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (strlen(prefixes[i]) == n && memcmp(p, prefixes[i], n) == 0)
      return true;
  return false;
}

/* Behind an identifier, or behind the literal whose prefix it is. */
static uint32_t word_end(const lexer *lex, pl_token_kind *kind) {
  uint32_t end = lex->at;
  while (end < lex->n && is_ident(lex->p[end]))
    end++;
  *kind = PL_TOK_IDENT;
  uint32_t size = end - lex->at;
  if (end >= lex->n || (lex->p[end] != '"' && lex->p[end] != '\'') ||
      !is_string_prefix(lex->p + lex->at, size))
    return end;
  *kind = PL_TOK_STRING;
  if (lex->p[end] == '"' && lex->p[end - 1] == 'R') {
    uint32_t raw = raw_string_end(lex, end);
    if (raw)
      return raw;
  }
  return quoted_end(lex, end);
}

/* Behind a preprocessing number: digit separators, exponents with a sign. */
static uint32_t number_end(const lexer *lex) {
  uint32_t end = lex->at + 1;
  for (; end < lex->n; end++) {
    char c = lex->p[end], last = lex->p[end - 1];
    bool sign = (c == '+' || c == '-') && strchr("eEpP", last) && last;
    bool hex = lex->p[lex->at] == '0' && (peek(lex, 1) | 0x20) == 'x';
    if (sign && hex && (last | 0x20) == 'e')
      sign = false;
    bool separator = c == '\'' && end + 1 < lex->n && is_ident(lex->p[end + 1]);
    if (!is_ident(c) && c != '.' && !sign && !separator)
      break;
  }
  return end;
}

/* The length of the longest operator or bracket that begins here. */
static uint32_t punct_length(const lexer *lex) {
  static const char *const longest_first[] = {
      "<<<", ">>>", "<<=", ">>=", "...", "->*", "<=>", "::", "->", "++",
      "--",  "<<",  ">>",  "<=",  ">=",  "==",  "!=",  "&&", "||", "+=",
      "-=",  "*=",  "/=",  "%=",  "&=",  "|=",  "^=",  "##", ".*",
      "<%",  "%>",  "<:",  ":>"};
  uint32_t left = lex->n - lex->at;
  if (memchr("()[]{},;?~", lex->p[lex->at], 10))
    return 1; /* no longer one begins so */
  if (peek(lex, 0) == '<' && peek(lex, 1) == ':' && peek(lex, 2) == ':' &&
      peek(lex, 3) != ':' && peek(lex, 3) != '>')
    return 1; /* C++11 [lex.pptoken]: `A<::B>` names B of the global scope */
  for (size_t i = 0; i < sizeof longest_first / sizeof *longest_first; i++) {
    if (longest_first[i][0] != lex->p[lex->at])
      continue;
    size_t size = strlen(longest_first[i]);
    if (size <= left && memcmp(lex->p + lex->at, longest_first[i], size) == 0)
      return (uint32_t)size;
  }
  return 1;
}

/* Behind a directive that begins at '#': its logical line, but a block comment
 * that is opened on it goes on to its own end, and a line comment is left to
 * be a token of its own. */
static uint32_t directive_end(const lexer *lex) {
  uint32_t at = lex->at;
  while (at < lex->n && lex->p[at] != '\n') {
    uint32_t splice = splice_length(lex, at);
    char c = lex->p[at], next = at + 1 < lex->n ? lex->p[at + 1] : '\0';
    if (splice)
      at += splice;
    else if (c == '/' && next == '*')
      at = block_comment_end(lex, at);
    else if (c == '/' && next == '/')
      break;
    else if (c == '"')
      at = quoted_end(lex, at);
    else
      at++;
  }
  while (at > lex->at && is_blank(lex->p[at - 1]))
    at--;
  return at;
}

/* ---- text that no build sees ------------------------------------------------ */

/* The word of the directive at `at`, "if" of "#  if 0"; `rest`: what follows. */
static pl_str directive_word(const lexer *lex, uint32_t at, uint32_t end,
                             pl_str *rest) {
  at++;
  while (at < end && is_blank(lex->p[at]))
    at++;
  uint32_t word = at;
  while (at < end && is_ident(lex->p[at]))
    at++;
  pl_str name = {lex->p + word, at - word};
  while (at < end && is_blank(lex->p[at]))
    at++;
  *rest = (pl_str){lex->p + at, end - at};
  return name;
}

/* Behind a quote in text that is passed over, 0: what a comment would be behind
 * it is not certain, as in `isn't fast /`. */
static uint32_t passed_quote_end(const lexer *lex, uint32_t at) {
  uint32_t line = line_end(lex, at), end = quoted_end(lex, at);
  if (at > 0 && lex->p[at] == '"' && lex->p[at - 1] == 'R')
    return 0;
  for (uint32_t i = at; i < line; i++)
    if (lex->p[i] == '/' && i + 1 < lex->n &&
        (lex->p[i + 1] == '*' || lex->p[i + 1] == '/') &&
        (lex->p[at] == '\'' || i < end))
      return 0;
  return lex->p[at] == '"' ? end : at + 1;
}

/* The '#' of the next directive, which stands first on its line but for comments;
 * the file's end where there is none, or where that is not certain. */
static uint32_t next_directive(const lexer *lex, uint32_t at) {
  for (bool first = false; at < lex->n;) {
    uint32_t splice = splice_length(lex, at);
    char c = lex->p[at], next = at + 1 < lex->n ? lex->p[at + 1] : '\0';
    uint32_t end = at + 1;
    if (c == '#' && first)
      return at;
    if (splice)
      end = at + splice;
    else if (c == '/' && next == '*')
      end = block_comment_end(lex, at);
    else if (c == '/' && next == '/')
      end = line_end(lex, at);
    else if (c == '"' || c == '\'')
      end = passed_quote_end(lex, at);
    bool blank = splice || is_blank(c) || (c == '/' && next == '*');
    first = c == '\n' || (first && blank);
    at = end ? end : lex->n;
  }
  return at;
}

/* Behind the #endif of the `#if 0` at lex->at, which has no other branch; 0: it
 * is none of that kind. */
static uint32_t dead_group_end(const lexer *lex) {
  pl_str rest;
  uint32_t at = directive_end(lex);
  pl_str first = directive_word(lex, lex->at, at, &rest);
  if (!pl_str_is(first, "if") || !pl_str_is(rest, "0"))
    return 0;
  for (int depth = 1; depth > 0;) {
    lexer line = {lex->p, lex->n, next_directive(lex, at), true};
    if (line.at >= lex->n)
      return 0;
    at = directive_end(&line);
    pl_str word = directive_word(lex, line.at, at, &rest);
    depth += pl_str_is(word, "endif") ? -1 : pl_str_starts(word, "if") ? 1 : 0;
    if (depth == 1 && pl_str_starts(word, "el"))
      return 0;
  }
  return at;
}

/* Behind the token at lex->at, which is not white space. */
static uint32_t token_end(const lexer *lex, pl_token_kind *kind) {
  char c = peek(lex, 0), next = peek(lex, 1);
  *kind = PL_TOK_COMMENT;
  if (c == '/' && next == '/')
    return line_end(lex, lex->at);
  if (c == '/' && next == '*')
    return block_comment_end(lex, lex->at);
  uint32_t dead = c == '#' && lex->line_start ? dead_group_end(lex) : 0;
  if (dead)
    return dead;
  *kind = PL_TOK_DIRECTIVE;
  if (c == '#' && lex->line_start)
    return directive_end(lex);
  *kind = PL_TOK_STRING;
  if (c == '"' || c == '\'')
    return quoted_end(lex, lex->at);
  *kind = PL_TOK_NUMBER;
  if (is_digit(c) || (c == '.' && is_digit(next)))
    return number_end(lex);
  if (is_ident(c))
    return word_end(lex, kind);
  *kind = PL_TOK_PUNCT;
  return lex->at + punct_length(lex);
}

/* Skips white space, splices and a leading byte order mark. */
static void skip_blanks(lexer *lex) {
  if (lex->at == 0 && lex->n >= 3 && memcmp(lex->p, "\xEF\xBB\xBF", 3) == 0)
    lex->at = 3;
  while (lex->at < lex->n) {
    uint32_t splice = splice_length(lex, lex->at);
    char c = lex->p[lex->at];
    if (splice)
      lex->at += splice;
    else if (c == '\n' || c == '\0' || is_blank(c))
      lex->at++;
    else
      break;
    if (c == '\n')
      lex->line_start = true;
  }
}

pl_token *pl_lex(pl_arena *arena, pl_str text, uint32_t *count) {
  lexer lex = {text.p, (uint32_t)text.n, 0, true};
  pl_token *tokens = NULL;
  size_t ntokens = 0, cap = 0;
  for (skip_blanks(&lex); lex.at < lex.n; skip_blanks(&lex)) {
    pl_token token = {PL_TOK_PUNCT, {lex.at, lex.at}};
    token.range.end = token_end(&lex, &token.kind);
    PL_PUSH(arena, tokens, ntokens, cap, token);
    lex.at = token.range.end;
    if (token.kind != PL_TOK_COMMENT)
      lex.line_start = false;
  }
  *count = (uint32_t)ntokens;
  return tokens;
}

bool pl_is_keyword(pl_str word) {
  static const char *const words[] = {
      "alignas",   "alignof",  "auto",      "bool",      "break",    "case",
      "catch",     "char",     "class",     "const",     "const_cast", "constexpr",
      "continue",  "decltype", "default",   "delete",    "do",       "double",
      "dynamic_cast", "else",  "enum",      "extern",    "false",    "float",
      "for",       "friend",   "goto",      "if",        "inline",   "int",
      "long",      "mutable",  "namespace", "new",       "noexcept", "nullptr",
      "operator",  "private",  "protected", "public",    "register", "reinterpret_cast",
      "return",    "short",    "signed",    "sizeof",    "static",   "static_assert",
      "static_cast", "struct", "switch",    "template",  "this",     "throw",
      "true",      "try",      "typedef",   "typeid",    "typename", "union",
      "unsigned",  "using",    "virtual",   "void",      "volatile", "while"};
  return PL_STR_IS_ONE(word, words);
}
