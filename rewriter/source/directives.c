/* directives.c - which macro does a directive define?
 *
 * Needs: the tokens of the file. Gives: the parts of `#define` and `#undef`
 * lines. Raises nothing. */
#include "unit.h"

#include <ctype.h>
#include <string.h>

static bool is_blank(char c) {
  return isspace((unsigned char)c) || c == '\\';
}

static pl_str behind(pl_str text, size_t n) {
  return (pl_str){text.p + n, text.n - n};
}

/* What follows blanks, ends of continued lines and comments. */
static pl_str past_blanks(pl_str text) {
  for (;;) {
    while (text.n && is_blank(text.p[0]))
      text = behind(text, 1);
    if (!pl_str_starts(text, "/*"))
      return text;
    size_t at = 2;
    while (at + 1 < text.n && memcmp(text.p + at, "*/", 2) != 0)
      at++;
    text = behind(text, at + 1 < text.n ? at + 2 : text.n);
  }
}

pl_str pl_first_word(pl_str text) {
  size_t n = 0;
  while (n < text.n && (isalnum((unsigned char)text.p[n]) || text.p[n] == '_'))
    n++;
  return (pl_str){text.p, n};
}

pl_str pl_directive_word(pl_str text) { return past_blanks(behind(text, 1)); }

pl_str pl_directive_at(const pl_unit *unit, uint32_t i) {
  if (unit->tokens[i].kind != PL_TOK_DIRECTIVE)
    return (pl_str){"", 0};
  return pl_directive_word(pl_unit_slice(unit, unit->tokens[i].range));
}

bool pl_is_pragma_once(pl_str word) {
  pl_str verb = pl_first_word(word);
  return pl_str_is(verb, "pragma") &&
         pl_str_is(pl_first_word(past_blanks(behind(word, verb.n))), "once");
}

pl_macro_line pl_macro_of(pl_str word) {
  pl_str verb = pl_first_word(word);
  pl_macro_line line = {.defines = pl_str_is(verb, "define")};
  if (!line.defines && !pl_str_is(verb, "undef"))
    return line;
  pl_str rest = past_blanks(behind(word, verb.n));
  line.name = pl_first_word(rest);
  line.body = behind(rest, line.name.n);
  return line;
}

int pl_macro_definitions(const pl_unit *unit, pl_str name, uint32_t end) {
  int found = 0;
  for (size_t i = 0; i < unit->ndefines && unit->defines[i].begin < end; i++)
    found += pl_str_eq(unit->defines[i].name, name);
  return found;
}

int pl_header_macro_definitions(const pl_unit *unit, pl_str name) {
  int found = 0;
  for (size_t i = 0; i < unit->ndefinitions; i++)
    found += pl_str_eq(pl_first_word(unit->definitions[i]), name);
  return found;
}
