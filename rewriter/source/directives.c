/* directives.c - which macro does a directive define, and which text has one a say in?
 *
 * Needs: the tokens of the file. Gives: the parts of `#define` and `#undef`
 * lines, what stands under a condition. Raises nothing. */
#include "unit.h"

#include <ctype.h>
#include <string.h>

static bool is_blank(char c) {
  return isspace((unsigned char)c) || c == '\\';
}

static pl_str behind(pl_str text, size_t n) {
  return (pl_str){text.p + n, text.n - n};
}

pl_str pl_past_blanks(pl_str text) {
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

pl_str pl_directive_word(pl_str text) { return pl_past_blanks(behind(text, 1)); }

pl_str pl_directive_at(const pl_unit *unit, uint32_t i) {
  if (unit->tokens[i].kind != PL_TOK_DIRECTIVE)
    return (pl_str){"", 0};
  return pl_directive_word(pl_unit_slice(unit, unit->tokens[i].range));
}

bool pl_is_pragma_once(pl_str word) {
  pl_str verb = pl_first_word(word);
  return pl_str_is(verb, "pragma") &&
         pl_str_is(pl_first_word(pl_past_blanks(behind(word, verb.n))), "once");
}

pl_str pl_popped_name(pl_str word) {
  pl_str verb = pl_first_word(word), rest = pl_past_blanks(behind(word, verb.n));
  pl_str which = pl_first_word(rest), none = {0};
  if (!pl_str_is(verb, "pragma") || !pl_str_is(which, "pop_macro"))
    return none;
  rest = pl_past_blanks(behind(rest, which.n));
  rest = rest.n ? pl_past_blanks(behind(rest, 1)) : rest;
  return rest.n ? pl_first_word(behind(rest, 1)) : none;
}

pl_macro_line pl_macro_of(pl_str word) {
  pl_str verb = pl_first_word(word);
  pl_macro_line line = {.defines = pl_str_is(verb, "define")};
  if (!line.defines && !pl_str_is(verb, "undef"))
    return line;
  pl_str rest = pl_past_blanks(behind(word, verb.n));
  line.name = pl_first_word(rest);
  line.body = behind(rest, line.name.n);
  return line;
}

bool pl_is_default_of(pl_arena *arena, pl_str before, pl_str name) {
  return pl_str_starts(before, "if") && pl_str_has(before, "def") &&
         pl_text_says(arena, before, name);
}

/* The last word of the command line that says something of a macro, from its name on;
 * NULL: there is none. *how: 'U' of -U, 'D' of -D. */
static const char *command_line_word(const pl_unit *unit, pl_str name, char *how) {
  const char *said = NULL;
  for (size_t i = 0; i < unit->nargs; i++) {
    const char *arg = unit->args[i];
    if (arg[0] != '-' || (arg[1] != 'U' && arg[1] != 'D'))
      continue;
    bool apart = !arg[2] && i + 1 < unit->nargs;
    const char *of = apart ? unit->args[i + 1] : arg + 2;
    if (strncmp(of, name.p, name.n) != 0 || !strchr("=(", of[name.n]))
      continue;
    said = of;
    *how = arg[1];
  }
  return said;
}

char pl_command_line_says(const pl_unit *unit, pl_str name) {
  char how = 0;
  command_line_word(unit, name, &how);
  return how;
}

pl_str pl_command_line_value(const pl_unit *unit, pl_str name) {
  char how = 0;
  const char *said = command_line_word(unit, name, &how);
  const char *value = said && how == 'D' ? strchr(said, '=') : NULL;
  return value ? (pl_str){value + 1, strlen(value + 1)} : (pl_str){0};
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

/* `#ifndef KERNEL_CUH` with `#define KERNEL_CUH` behind it. */
static bool is_guard(const pl_unit *unit, size_t directive, pl_str word) {
  if (!pl_str_starts(word, "ifndef") || directive + 1 >= unit->ndirectives)
    return false;
  pl_macro_line line =
      pl_macro_of(pl_directive_at(unit, unit->directives[directive + 1]));
  return line.defines && !pl_first_word(line.body).n && pl_text_says(unit->arena, word, line.name);
}

bool pl_is_conditional(const pl_unit *unit, uint32_t at) {
  int depth = 0, guards = 0;
  for (size_t i = 0; i < unit->ndirectives; i++) {
    if (unit->tokens[unit->directives[i]].range.begin >= at)
      break;
    pl_str word = pl_directive_at(unit, unit->directives[i]);
    if (pl_str_starts(word, "if")) {
      guards += depth == guards && is_guard(unit, i, word);
      depth++;
    } else if (pl_str_starts(word, "endif")) {
      depth--;
      guards = guards > depth ? depth : guards;
    }
  }
  return depth > guards;
}

/* Whether a text takes a macro back. */
static bool takes_back(const pl_unit *unit, pl_str name) {
  for (size_t i = 0; i < unit->ndirectives; i++) {
    pl_macro_line line = pl_macro_of(pl_directive_at(unit, unit->directives[i]));
    if (!line.defines && pl_str_eq(line.name, name))
      return true;
  }
  return false;
}

/* Whether a build always reads a header: no #if stands around what includes it. */
static bool is_always_included(const pl_unit *unit, const pl_own_header *header) {
  for (size_t depth = 0; header->by.n && depth <= unit->nown_headers; depth++) {
    size_t h = 0;
    while (h < unit->nown_headers && !pl_str_is(header->by, unit->own_headers[h].path))
      h++;
    const pl_unit *by = h < unit->nown_headers ? pl_header_unit(unit, h) : unit;
    if (pl_is_conditional(by, header->at))
      return false;
    if (by == unit)
      return true;
    header = &unit->own_headers[h];
  }
  return false;
}

const pl_macro_line *pl_header_macro(const pl_unit *unit, pl_str name) {
  const pl_macro_line *found = NULL;
  if (pl_header_macro_definitions(unit, name) != 1 || pl_command_line_says(unit, name) ||
      pl_macro_definitions(unit, name, UINT32_MAX) || takes_back(unit, name))
    return NULL;
  for (size_t h = 0; h < unit->nown_headers; h++) {
    const pl_unit *header = pl_header_unit(unit, h);
    for (size_t i = 0; i < header->ndefines; i++) {
      const pl_macro_line *line = &header->defines[i];
      if (!pl_str_eq(line->name, name))
        continue;
      if (found || line->is_default || pl_is_conditional(header, line->begin) ||
          !is_always_included(unit, &unit->own_headers[h]))
        return NULL;
      found = line;
    }
    if (takes_back(header, name))
      return NULL;
  }
  return found;
}
