/* emit_text.c - how a line gets into the text.
 *
 * Needs: the emitter's indentation and brace style. Gives: lines and statements
 * of the user's at a new indentation, and what the other files of this pass ask
 * of text: its indentation, its edges. Raises nothing. */
#include "emit.h"

#include <string.h>

size_t pl_blank_prefix(pl_str line) {
  size_t n = 0;
  while (n < line.n && (line.p[n] == ' ' || line.p[n] == '\t'))
    n++;
  return n;
}

pl_str pl_trim_lines(pl_str text) {
  size_t line = 0;
  if (!text.n)
    return text;
  for (size_t i = 0; i < text.n; i++) {
    if (text.p[i] == '\n')
      line = i + 1;
    else if (text.p[i] != ' ' && text.p[i] != '\t' && text.p[i] != '\r')
      break;
  }
  text.p += line;
  text.n -= line;
  while (text.n && strchr(" \t\r\n", text.p[text.n - 1]))
    text.n--;
  return text;
}

pl_str pl_text_of(const pl_emitter *e, const pl_node *node) {
  pl_str text = node ? pl_unit_slice(e->unit, node->range) : PL_STR("");
  while (text.n && strchr("; \t\r\n", text.p[text.n - 1]))
    text.n--;
  return text;
}

#define TAB 8 /* columns, where tabs and blanks are mixed */

static size_t columns(pl_str blanks) {
  size_t n = 0;
  for (size_t i = 0; i < blanks.n; i++)
    n = blanks.p[i] == '\t' ? n / TAB * TAB + TAB : n + 1;
  return n;
}

/* A line with blanks in the place of the tabs that it begins with. */
static pl_str without_tabs(pl_arena *arena, pl_str line) {
  size_t n = pl_blank_prefix(line);
  if (!n || !memchr(line.p, '\t', n))
    return line;
  return pl_arena_printf(arena, "%*s%.*s", (int)columns((pl_str){line.p, n}), "",
                         (int)(line.n - n), line.p + n);
}

/* The blanks in front of the first character of the line of `at`. */
pl_str pl_emit_indent_of(const pl_unit *unit, uint32_t at) {
  uint32_t begin = at;
  while (begin > 0 && unit->text.p[begin - 1] != '\n')
    begin--;
  pl_str line = {unit->text.p + begin, unit->text.n - begin};
  line.n = pl_blank_prefix(line);
  return unit->mixes_tabs ? without_tabs(unit->arena, line) : line;
}

/* A line at a level, or half a level more. What a block without a header holds
 * is half a level in where braces are. A pragma is where the user's are. */
static void add_line(pl_emitter *e, int level, int half, pl_str line) {
  size_t blanks = e->pragmas_at_edge ? pl_blank_prefix(line) : 0;
  if (e->pragmas_at_edge && blanks < line.n && line.p[blanks] == '#') {
    line.p += blanks;
    line.n -= blanks;
  } else if (line.n) {
    pl_text_add(&e->out, e->base);
    for (int i = 0; i < level - e->bare; i++)
      pl_text_add(&e->out, e->step);
    for (int i = 0; i < e->bare + half; i++)
      pl_text_add(&e->out, e->half);
  }
  pl_text_add(&e->out, line);
  pl_text_add(&e->out, PL_STR("\n"));
}

/* A comment that ends in a backslash takes the next line with it: that is one
 * without text, as it was where the comment stood. */
static void end_text(pl_emitter *e, pl_str text) {
  if (text.n && text.p[text.n - 1] == '\\')
    pl_text_add(&e->out, PL_STR("\n"));
}

static void open_brace(pl_emitter *e, int level, bool header) {
  add_line(e, level, header, PL_STR("{"));
  PL_PUSH(e->arena, e->open, e->nopen, e->open_cap, header);
  e->bare += !header;
}

static void close_brace(pl_emitter *e, int level, pl_str line) {
  bool header = e->nopen == 0 || e->open[--e->nopen];
  e->bare -= !header;
  add_line(e, level, header, line);
}

void pl_emit_line(pl_emitter *e, int level, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  pl_str line = pl_arena_vprintf(e->arena, fmt, args);
  va_end(args);
  if (e->half.n && pl_str_is(line, "{"))
    open_brace(e, level, false);
  else if (e->half.n && pl_str_starts(line, "}"))
    close_brace(e, level, line);
  else
    add_line(e, level, 0, line);
  end_text(e, line);
}

void pl_emit_below(pl_emitter *e, int level, int headers, pl_str line) {
  if (!headers)
    pl_emit_line(e, level, "%.*s", PL_FMT(line));
  else
    add_line(e, e->half.n ? level : level + headers, e->half.n ? headers : 0, line);
}

void pl_emit_under(pl_emitter *e, int level, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  pl_str line = pl_arena_vprintf(e->arena, fmt, args);
  va_end(args);
  pl_emit_below(e, level, 1, line);
}

void pl_emit_blank(pl_emitter *e) {
  pl_text_add(&e->out, PL_STR("\n"));
}

void pl_emit_open(pl_emitter *e, int level, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  pl_str text = pl_arena_vprintf(e->arena, fmt, args);
  va_end(args);
  pl_emit_line(e, level, e->brace_own_line ? "%.*s" : "%.*s {", PL_FMT(text));
  if (e->half.n)
    open_brace(e, level, true);
  else if (e->brace_own_line)
    pl_emit_line(e, level, "{");
}

void pl_emit_else(pl_emitter *e, int level) {
  if (e->brace_own_line) {
    pl_emit_line(e, level, "}");
    pl_emit_open(e, level, "else");
  } else {
    pl_emit_line(e, level, "} else {");
  }
}

void pl_emit_close_do(pl_emitter *e, int level, const pl_node *node, pl_str cond) {
  pl_node *body = node->kids[0], *last = node->kids[1];
  if (pl_newline_between(e->unit, body->range.end, last->range.begin)) {
    pl_emit_line(e, level, "}");
    pl_emit_line(e, level, "while (%.*s);", PL_FMT(cond));
  } else {
    pl_emit_line(e, level, "} while (%.*s);", PL_FMT(cond));
  }
}

/* Text that is moved, and its tokens where one may hold a line break. */
typedef struct moved {
  pl_str text;
  const pl_token *tokens;
  uint32_t n;
} moved;

static moved moved_text(pl_emitter *e, pl_str text) {
  moved m = {.text = text};
  if (text.n && memchr(text.p, '\n', text.n) && memchr(text.p, '"', text.n))
    m.tokens = pl_lex(e->arena, text, &m.n);
  return m;
}

/* Whether the line break at an offset belongs to a string. */
static bool breaks_string(const moved *m, size_t at) {
  for (uint32_t i = 0; i < m->n; i++)
    if (m->tokens[i].kind == PL_TOK_STRING && m->tokens[i].range.begin < at &&
        at + 1 < m->tokens[i].range.end)
      return true;
  return false;
}

/* One line of moved text: the old indentation is taken off and the new put on;
 * a line that was indented less keeps no more than the new. What begins
 * its line as #if does stays there; pragmas go with their statements. */
static void add_moved_line(pl_emitter *e, int level, pl_str line, size_t old,
                           bool in_string) {
  while (line.n && (line.p[line.n - 1] == '\r' ||
                    (!in_string && strchr(" \t", line.p[line.n - 1]))))
    line.n--;
  if (line.n && line.p[0] == '#' &&
      !pl_str_starts(pl_directive_word(line), "pragma")) {
    pl_text_add(&e->out, line);
    pl_text_add(&e->out, PL_STR("\n"));
    return;
  }
  if (e->unit->mixes_tabs)
    line = without_tabs(e->arena, line);
  size_t blanks = pl_blank_prefix(line);
  size_t cut = blanks < old ? blanks : old;
  line.p += cut;
  line.n -= cut;
  add_line(e, level, 0, line);
}

static pl_str line_at(pl_str text, size_t at) {
  const char *end =
      at < text.n ? memchr(text.p + at, '\n', text.n - at) : NULL;
  return (pl_str){text.p + at, end ? (size_t)(end - text.p) - at : text.n - at};
}

/* A pragma that stands further left than the text around it, with the blanks of
 * the line that it is for. */
static pl_str beside_next(pl_emitter *e, pl_str text, pl_str line, size_t old) {
  size_t at = (size_t)(line.p - text.p) + line.n + 1;
  pl_str next = at < text.n ? line_at(text, at) : PL_STR("");
  size_t blanks = pl_blank_prefix(line), want = pl_blank_prefix(next);
  bool pragma = blanks < line.n && line.p[blanks] == '#' &&
                pl_str_starts(pl_directive_word((pl_str){line.p + blanks,
                                                         line.n - blanks}),
                              "pragma");
  if (!pragma || e->pragmas_at_edge || blanks >= old || want <= old || want >= next.n)
    return line;
  return pl_arena_printf(e->arena, "%.*s%.*s", (int)want, next.p,
                         (int)(line.n - blanks), line.p + blanks);
}

/* The lines of a text from `at` on. A line that begins inside of a string is part
 * of it, as are the blanks that end one that goes on. */
static void add_moved_lines(pl_emitter *e, int level, pl_str text, size_t at,
                            size_t old) {
  const moved m = moved_text(e, text);
  while (at <= text.n) {
    pl_str line = line_at(text, at);
    bool begins = at > 0 && breaks_string(&m, at - 1);
    bool goes_on = breaks_string(&m, at + line.n);
    at += line.n + 1;
    if (begins) {
      while (line.n && line.p[line.n - 1] == '\r')
        line.n--;
      pl_text_add(&e->out, line);
      pl_text_add(&e->out, PL_STR("\n"));
    } else {
      add_moved_line(e, level, beside_next(e, text, line, old), old, goes_on);
    }
  }
}

pl_str pl_rebased(pl_emitter *e, int level, pl_str text) {
  const pl_str file = e->unit->text;
  bool is_users = text.n && text.p >= file.p && text.p < file.p + file.n;
  if (!is_users || !memchr(text.p, '\n', text.n))
    return text;
  size_t old = pl_emit_indent_of(e->unit, (uint32_t)(text.p - file.p)).n;
  pl_text whole = e->out;
  e->out = (pl_text){.arena = e->arena};
  add_moved_lines(e, level, text, line_at(text, 0).n + 1, old);
  pl_str rest = pl_text_view(&e->out);
  while (rest.n && rest.p[rest.n - 1] == '\n')
    rest.n--;
  e->out = whole;
  return pl_arena_printf(e->arena, "%.*s\n%.*s", PL_FMT(line_at(text, 0)),
                         PL_FMT(rest));
}

void pl_emit_moved(pl_emitter *e, int level, pl_str text, size_t old) {
  pl_str own = {text.p, pl_blank_prefix(text)};
  if (e->unit->mixes_tabs && own.n == old)
    old = columns(own);
  add_moved_lines(e, level, text, 0, old);
  end_text(e, pl_trim_lines(text));
}

/* A statement with the comments that belong to it, at a new indentation. A
 * statement that shares its line with the one before keeps only itself. */
void pl_emit_chunk(pl_emitter *e, int level, pl_range chunk, uint32_t begin) {
  pl_str text = pl_trim_lines(pl_unit_slice(e->unit, chunk));
  pl_str indent = pl_emit_indent_of(e->unit, begin);
  size_t lead = pl_blank_prefix(text);
  if (lead == 0 && text.n) {
    pl_emit_moved(e, level, text, indent.n);
    return;
  }
  if (chunk.begin && e->unit->text.p + chunk.begin == text.p) {
    text.p += lead;
    text.n -= lead;
  }
  pl_emit_moved(e, level, text, indent.n);
}
