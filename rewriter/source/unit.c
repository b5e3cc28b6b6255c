/* unit.c - a unit's text: lines and columns, and where text of macros comes from.
 *
 * Needs a unit's text. Gives places as the user's editor counts them. Raises
 * nothing. */
#include "unit.h"

#include <string.h>

pl_str pl_unit_slice(const pl_unit *unit, pl_range range) {
  if (range.begin >= range.end || range.end > unit->text.n)
    return (pl_str){NULL, 0};
  return (pl_str){unit->text.p + range.begin, range.end - range.begin};
}

bool pl_range_inside(pl_range inner, pl_range outer) {
  return inner.begin >= outer.begin && inner.end <= outer.end;
}

pl_lines pl_find_lines(pl_arena *arena, pl_str text) {
  pl_lines lines = {.text = text, .n = 1};
  uint32_t n = 1;
  for (size_t i = 0; i < text.n; i++)
    n += text.p[i] == '\n';
  lines.begins = PL_NEW_ARRAY(arena, uint32_t, n);
  for (size_t i = 0; i < text.n; i++)
    if (text.p[i] == '\n')
      lines.begins[lines.n++] = (uint32_t)i + 1;
  return lines;
}

/* Whether a text is indented as Emacs does by itself: in some lines by a few blanks, in
 * others by tabs that stand for eight, and in none by eight blanks. Lines of a block comment
 * (` * ...`) say nothing. */
static bool mixes_tabs(const pl_unit *unit) {
  uint32_t few = 0, tabs = 0;
  for (uint32_t i = 0; i < unit->lines.n; i++) {
    const char *line = unit->text.p + unit->lines.begins[i];
    size_t left = unit->text.n - unit->lines.begins[i], n = 0;
    while (n < left && line[n] == ' ')
      n++;
    if (n >= 8)
      return false;
    few += n > 0 && n < left && !strchr("*\r\n\t", line[n]);
    tabs += left > 0 && line[0] == '\t';
  }
  return tabs > 0 && few >= 3 && few * 4 > tabs;
}

void pl_unit_index(pl_unit *unit) {
  pl_str before = {0};
  pl_index_words(unit);
  unit->lines = pl_find_lines(unit->arena, unit->text);
  unit->mixes_tabs = mixes_tabs(unit);
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    if (unit->tokens[i].kind == PL_TOK_COMMENT)
      PL_PUSH(unit->arena, unit->comments, unit->ncomments, unit->comments_cap, i);
    if (unit->tokens[i].kind != PL_TOK_DIRECTIVE)
      continue;
    PL_PUSH(unit->arena, unit->directives, unit->ndirectives,
            unit->directives_cap, i);
    pl_str word = pl_directive_at(unit, i);
    pl_macro_line line = pl_macro_of(word);
    line.begin = unit->tokens[i].range.begin;
    line.is_default =
        line.defines && pl_is_default_of(unit->arena, before, line.name);
    if (line.defines)
      PL_PUSH(unit->arena, unit->defines, unit->ndefines, unit->defines_cap,
              line);
    if (line.is_default)
      PL_PUSH(unit->arena, unit->defaults, unit->ndefaults, unit->defaults_cap,
              line);
    before = word;
  }
}

static void find_position(const pl_lines *lines, uint32_t offset, unsigned *line,
                          unsigned *column) {
  uint32_t size = (uint32_t)lines->text.n, end = offset < size ? offset : size;
  uint32_t first = 0, behind = lines->n;
  while (behind - first > 1) {
    uint32_t middle = first + (behind - first) / 2;
    if (lines->begins[middle] <= end)
      first = middle;
    else
      behind = middle;
  }
  *line = first + 1;
  *column = end - (lines->n ? lines->begins[first] : 0) + 1;
}

void pl_unit_position(const pl_unit *unit, uint32_t offset, unsigned *line,
                      unsigned *column) {
  find_position(&unit->lines, offset, line, column);
}

pl_range pl_origin_of(const pl_expanded *expanded, pl_range range) {
  uint32_t n = expanded ? (uint32_t)expanded->text.n : 0;
  if (!n || !expanded->origins)
    return range;
  uint32_t begin = range.begin < n ? expanded->origins[range.begin].begin
                                   : expanded->origins[n - 1].end;
  uint32_t end = range.end > range.begin && range.end <= n
                     ? expanded->origins[range.end - 1].end
                     : begin;
  return (pl_range){begin, end};
}

pl_range pl_unit_place(const pl_unit *unit, pl_range range, unsigned *line,
                       unsigned *column) {
  range = pl_origin_of(unit->expanded, range);
  find_position(unit->expanded ? &unit->expanded->lines : &unit->lines,
                range.begin, line, column);
  return range;
}

uint32_t pl_offset_in(const pl_expanded *e, uint32_t offset) {
  size_t low = 0, high = e->text.n;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (e->origins[middle].begin < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return (uint32_t)low;
}

bool pl_unit_is_header(const pl_unit *unit) {
  static const char *const endings[] = {".cuh", ".h", ".hh", ".hpp", ".hxx", ".inl",
                                        ".inc"};
  for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
    size_t n = strlen(endings[i]);
    if (unit->path.n > n &&
        memcmp(unit->path.p + unit->path.n - n, endings[i], n) == 0)
      return true;
  }
  return false;
}

const pl_unit *pl_header_unit(const pl_unit *unit, size_t header) {
  pl_own_header *h = &unit->own_headers[header];
  if (!h->unit) {
    h->unit = PL_NEW(unit->arena, pl_unit);
    h->unit->arena = unit->arena;
    h->unit->path = (pl_str){h->path, strlen(h->path)};
    h->unit->text = h->text;
    h->unit->tokens = pl_lex(unit->arena, h->text, &h->unit->ntokens);
    pl_unit_index(h->unit);
  }
  return h->unit;
}
