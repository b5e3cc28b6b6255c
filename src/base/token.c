/* token.c - see token.h. */
#include "token.h"

#include <string.h>

bool pl_tok_is_name(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9');
}

bool pl_tok_is_digit(char c) { return c >= '0' && c <= '9'; }

bool pl_tok_is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

pl_str pl_tok_between(const char *p, const char *end) {
  return (pl_str){p, (size_t)(end - p)};
}

bool pl_tok_at(const char *p, const char *end, const char *text) {
  size_t n = strlen(text);
  return (size_t)(end - p) >= n && memcmp(p, text, n) == 0;
}

static const char *skip_quoted(const char *p, const char *end) {
  char quote = *p++;
  while (p < end && *p != quote && *p != '\n')
    p += *p == '\\' && p + 1 < end ? 2 : 1;
  return p < end ? p + 1 : end;
}

/* R"tag( ... )tag" */
static const char *skip_raw(const char *p, const char *end) {
  const char *tag = p + 2;
  const char *open = memchr(tag, '(', (size_t)(end - tag));
  if (!open)
    return end;
  size_t n = (size_t)(open - tag);
  for (p = open + 1; p + n + 1 < end; p++)
    if (*p == ')' && memcmp(p + 1, tag, n) == 0 && p[n + 1] == '"')
      return p + n + 2;
  return end;
}

static const char *skip_line_comment(const char *p, const char *end) {
  while (p < end && *p != '\n')
    p++;
  return p;
}

const char *pl_tok_skip_comment(const char *p, const char *end) {
  for (p += 2; p + 1 < end; p++)
    if (p[0] == '*' && p[1] == '/')
      return p + 2;
  return end;
}

/* The end of the comment or space at `p`; `p` itself where there is neither. */
const char *pl_tok_skip_blank(const char *p, const char *end) {
  for (;;) {
    const char *from = p;
    while (p < end && (pl_tok_is_space(*p) || pl_tok_at(p, end, "\\\n")))
      p++;
    if (pl_tok_at(p, end, "//"))
      p = skip_line_comment(p, end);
    else if (pl_tok_at(p, end, "/*"))
      p = pl_tok_skip_comment(p, end);
    if (p == from)
      return p;
  }
}

/* The end of the token at `p`. Numbers keep their digit separators. */
const char *pl_tok_skip(const char *p, const char *end) {
  if (pl_tok_at(p, end, "R\""))
    return skip_raw(p, end);
  if (*p == '"' || *p == '\'')
    return skip_quoted(p, end);
  if (!pl_tok_is_name(*p))
    return p + 1;
  bool number = pl_tok_is_digit(*p);
  while (p < end &&
         (pl_tok_is_name(*p) ||
          (number && *p == '\'' && p + 1 < end && pl_tok_is_name(p[1]))))
    p++;
  return p;
}

const char *pl_tok_next(const char *p, const char *end, pl_str *token) {
  p = pl_tok_skip_blank(p, end);
  const char *to = p < end ? pl_tok_skip(p, end) : p;
  *token = pl_tok_between(p, to);
  return to;
}

/* The bracket that closes the one at `p`; NULL where none does. */
const char *pl_tok_closing(const char *p, const char *end) {
  int depth = 0;
  while (p < end) {
    pl_str token;
    p = pl_tok_next(p, end, &token);
    if (token.n != 1)
      continue;
    if (strchr("([{", *token.p))
      depth++;
    else if (strchr(")]}", *token.p) && --depth == 0)
      return token.p;
  }
  return NULL;
}

bool pl_tok_in(pl_str text, const char *word) {
  const char *p = text.p, *end = text.p + text.n;
  while (p < end) {
    pl_str token;
    p = pl_tok_next(p, end, &token);
    if (pl_str_is(token, word))
      return true;
  }
  return false;
}
