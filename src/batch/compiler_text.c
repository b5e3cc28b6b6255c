/* compiler_text.c - see compiler_text.h.
 *
 * Needs the edits in the order of the source, as the library gives them. A line
 * that is new is looked for, by its text without indentation, among the lines of
 * its loop: statements that were moved keep their lines, also where they name a stage
 * or a copy, `s_stage[stage]` or `t_load`. No directive is put into
 * a comment, a raw string or a line that goes on. Gives text. Raises nothing. */
#define _GNU_SOURCE
#include "compiler_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "text.h"

typedef struct slice {
  const char *text;
  size_t length;
} slice;

/* Where the compiler takes a line to be. */
typedef struct place {
  slice file; /* with its quotes */
  unsigned line;
} place;

typedef struct mapping {
  const pl_source *source;
  const pl_answer *answer;
  size_t *starts; /* of the source's lines */
  place *places;  /* one a line of the source, one for what follows the last */
  unsigned count;
  slice file; /* quoted */
} mapping;

/* ---- slices -------------------------------------------------------------- */

static bool same(slice a, slice b) {
  return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static bool is_word_char(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static slice skip_blanks(slice s) {
  while (s.length && blank(*s.text))
    s = (slice){s.text + 1, s.length - 1};
  return s;
}

static slice trimmed(slice s) {
  s = skip_blanks(s);
  while (s.length && (blank(s.text[s.length - 1]) ||
                      s.text[s.length - 1] == '\n'))
    s.length--;
  return s;
}

static bool begins(slice s, const char *word) {
  size_t n = strlen(word);
  return s.length >= n && memcmp(s.text, word, n) == 0;
}

static slice without(slice s, size_t n) {
  return (slice){s.text + n, s.length - n};
}

/* The line that begins there, with its end. */
static slice line_at(const char *text, size_t length, size_t at) {
  const char *end = memchr(text + at, '\n', length - at);
  return (slice){text + at, end ? (size_t)(end + 1 - text) - at : length - at};
}

/* Braces, parentheses and blanks are in every loop. */
static bool says_something(slice line) {
  for (size_t i = 0; i < line.length; i++)
    if (isalnum((unsigned char)line.text[i]))
      return true;
  return false;
}

/* ---- the source's own lines ---------------------------------------------- */

/* `#line 7 "gen.y"` and `# 7 "gen.y"` of a source that was made of another. */
static bool is_line_directive(slice line, place *next) {
  line = skip_blanks(line);
  if (!begins(line, "#"))
    return false;
  line = skip_blanks(without(line, 1));
  if (begins(line, "line"))
    line = skip_blanks(without(line, 4));
  if (!line.length || !isdigit((unsigned char)*line.text))
    return false;
  next->line = (unsigned)strtoul(line.text, NULL, 10);
  while (line.length && isdigit((unsigned char)*line.text))
    line = without(line, 1);
  line = trimmed(line);
  const char *end = line.length > 1 && *line.text == '"'
                        ? memchr(line.text + 1, '"', line.length - 1)
                        : NULL;
  if (end)
    next->file = (slice){line.text, (size_t)(end + 1 - line.text)};
  return true;
}

static void find_lines(mapping *m) {
  const pl_source *source = m->source;
  for (size_t i = 0; i < source->length; i++)
    m->count += source->text[i] == '\n';
  m->count++;
  m->starts = pl_alloc(m->count, sizeof *m->starts);
  m->places = pl_alloc((size_t)m->count + 1, sizeof *m->places);
  place at = {m->file, 1};
  size_t begin = 0;
  for (unsigned i = 0; i < m->count; i++) {
    slice line = line_at(source->text, source->length, begin);
    m->starts[i] = begin;
    m->places[i] = at;
    at.line++;
    is_line_directive(line, &at);
    begin += line.length;
  }
  m->places[m->count] = at;
}

/* Counted from 0. */
static unsigned line_of(const mapping *m, size_t offset) {
  unsigned low = 0, high = m->count;
  while (high - low > 1) {
    unsigned middle = low + (high - low) / 2;
    if (m->starts[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static slice source_line(const mapping *m, unsigned line) {
  return line_at(m->source->text, m->source->length, m->starts[line]);
}

/* ---- the lines of new text ----------------------------------------------- */

/* The lines that an edit's text may be made of, and how far they are used. */
typedef struct origin {
  unsigned first, last; /* of the loop; of the edit's own place where it has none */
  unsigned home;        /* of text that is new */
  unsigned next;        /* the line behind the one that was found last */
} origin;

static bool touches(const pl_edit *edit, const pl_loop_report *loop) {
  return loop->verdict == PL_VERDICT_PIPELINED &&
         edit->offset <= loop->end && loop->begin <= edit->offset + edit->length;
}

static const pl_loop_report *loop_of(const mapping *m, const pl_edit *edit) {
  const pl_answer *answer = m->answer;
  for (size_t k = 0; k < answer->nkernels; k++)
    for (size_t i = 0; i < answer->kernels[k].nloops; i++)
      if (touches(edit, &answer->kernels[k].loops[i]))
        return &answer->kernels[k].loops[i];
  return NULL;
}

static origin origin_of(const mapping *m, const pl_edit *edit) {
  const pl_loop_report *loop = loop_of(m, edit);
  unsigned begin = line_of(m, edit->offset);
  unsigned end = line_of(m, edit->offset + edit->length);
  if (!loop)
    return (origin){begin, end, begin, begin};
  unsigned first = line_of(m, loop->begin), last = line_of(m, loop->end);
  origin o = {first < begin ? first : begin, last > end ? last : end,
              loop->line ? loop->line - 1 : first, 0};
  o.next = o.first;
  return o;
}

/* ---- lines that are one --------------------------------------------------- */

static slice word_of(slice s) {
  slice word = {s.text, 0};
  while (word.length < s.length && is_word_char(s.text[word.length]))
    word.length++;
  return word;
}

/* How long `NAME_stage[...]`, with `.tile` if that stands there, `NAME_load` and
 * `NAME_tile` are, with a number if the name was taken; 0: it is none of these. */
static size_t name_made_of(slice name, slice made) {
  slice word = word_of(made);
  if (word.length <= name.length || memcmp(word.text, name.text, name.length) != 0)
    return 0;
  slice suffix = without(word, name.length);
  while (suffix.length && isdigit((unsigned char)suffix.text[suffix.length - 1]))
    suffix.length--;
  if (same(suffix, (slice){"_load", 5}) || same(suffix, (slice){"_tile", 5}))
    return word.length;
  size_t at = word.length;
  if (!same(suffix, (slice){"_stage", 6}) || at == made.length || made.text[at] != '[')
    return 0;
  for (int depth = 0; at < made.length; at++) {
    depth += (made.text[at] == '[') - (made.text[at] == ']');
    if (!depth)
      break;
  }
  at += at < made.length;
  return at + (begins(without(made, at), ".tile") ? strlen(".tile") : 0);
}

static bool is_line(slice was, slice made) {
  was = trimmed(was);
  while (was.length && made.length) {
    slice word = word_of(was), other = word_of(made);
    size_t n = same(word, other) ? word.length : name_made_of(word, made);
    if (word.length ? !n : *was.text != *made.text)
      return false;
    was = without(was, word.length ? word.length : 1);
    made = without(made, word.length ? n : 1);
  }
  return !was.length && !made.length;
}

static bool is_next(const mapping *m, const origin *o, slice line) {
  return o->next <= o->last && is_line(source_line(m, o->next), line);
}

/* The source's line of a line of new text. Most of what is moved keeps its
 * order; what is computed twice begins anew. */
static unsigned find_origin(const mapping *m, origin *o, slice line) {
  line = trimmed(line);
  if (!says_something(line)) {
    o->next += o->next > o->first && is_next(m, o, line);
    return o->next > o->first ? o->next - 1 : o->home;
  }
  unsigned count = o->last - o->first + 1;
  for (unsigned i = 0; i < count; i++) {
    unsigned at = o->first + (o->next - o->first + i) % count;
    if (is_line(source_line(m, at), line)) {
      o->next = at + 1;
      return at;
    }
  }
  return o->home;
}

/* ---- which line of the source each line is ------------------------------- */

typedef struct walk {
  const mapping *map;
  size_t edit;          /* the next one, or the one that we are in */
  size_t shift_out, shift_in; /* where the text behind the edit before begins */
  origin origin;
  bool inside; /* the origin is that of the edit */
} walk;

/* For offsets of the text that never fall. */
static unsigned origin_at(walk *w, size_t at, slice line) {
  const pl_answer *answer = w->map->answer;
  for (; w->edit < answer->nedits; w->edit++, w->inside = false) {
    const pl_edit *edit = &answer->edits[w->edit];
    size_t begin = w->shift_out + (edit->offset - w->shift_in);
    if (at < begin)
      break;
    if (!w->inside)
      w->origin = origin_of(w->map, edit);
    w->inside = true;
    if (at < begin + edit->text_length)
      return find_origin(w->map, &w->origin, line);
    w->shift_out = begin + edit->text_length;
    w->shift_in = edit->offset + edit->length;
  }
  return line_of(w->map, w->shift_in + (at - w->shift_out));
}

/* ---- where a directive may stand ----------------------------------------- */

typedef struct scan {
  bool comment, goes_on;
  slice raw; /* the end of a raw string, `)delimiter"`; empty: none */
  char end[24];
} scan;

static bool may_begin_line(const scan *s) {
  return !s->comment && !s->goes_on && !s->raw.length;
}

/* R"x( behind `at`, which is the quote; how long that is, 0: no raw string. */
static size_t open_raw(scan *s, slice line, size_t at) {
  size_t word = at;
  while (word && is_word_char(line.text[word - 1]))
    word--;
  slice prefix = {line.text + word, at - word};
  bool raw = prefix.length && prefix.length < 4 &&
             line.text[at - 1] == 'R' && !isdigit((unsigned char)*prefix.text);
  const char *open = raw ? memchr(line.text + at, '(', line.length - at) : NULL;
  size_t n = open ? (size_t)(open - line.text) - at - 1 : 0;
  if (!open || n > 16)
    return 0;
  s->end[0] = ')';
  memcpy(s->end + 1, line.text + at + 1, n);
  s->end[n + 1] = '"';
  s->raw = (slice){s->end, n + 2};
  return n + 2;
}

/* The end of a string or character whose quote stands at `at`; of one that has
 * none, the line's. */
static size_t skip_quoted(slice line, size_t at) {
  char quote = line.text[at++];
  while (at < line.length && line.text[at] != quote && line.text[at] != '\n')
    at += line.text[at] == '\\' ? 2 : 1;
  return at < line.length ? at + 1 : line.length;
}

/* In 1'000'000. */
static bool is_separator(slice line, size_t at) {
  size_t word = at;
  while (word && (is_word_char(line.text[word - 1]) ||
                  line.text[word - 1] == '\''))
    word--;
  return word < at && isdigit((unsigned char)line.text[word]);
}

static size_t leave(slice line, size_t at, const char *end, size_t n,
                    bool *left) {
  const char *found = memmem(line.text + at, line.length - at, end, n);
  *left = found;
  return found ? (size_t)(found - line.text) + n : line.length;
}

static size_t scan_code(scan *s, slice line, size_t at) {
  slice rest = without(line, at);
  if (begins(rest, "//"))
    return line.length;
  s->comment = begins(rest, "/*");
  if (s->comment)
    return at + 2;
  if (*rest.text == '"') {
    size_t opened = open_raw(s, line, at);
    return opened ? at + opened : skip_quoted(line, at);
  }
  return *rest.text == '\'' && !is_separator(line, at) ? skip_quoted(line, at)
                                                       : at + 1;
}

static void scan_line(scan *s, slice line) {
  bool left;
  for (size_t at = 0; at < line.length;) {
    if (s->comment) {
      at = leave(line, at, "*/", 2, &left);
      s->comment = !left;
    } else if (s->raw.length) {
      at = leave(line, at, s->raw.text, s->raw.length, &left);
      s->raw.length = left ? 0 : s->raw.length;
    } else {
      at = scan_code(s, line, at);
    }
  }
  line = trimmed(line);
  s->goes_on = line.length && line.text[line.length - 1] == '\\';
}

/* ---- includes ------------------------------------------------------------- */

typedef struct beside {
  char *directory; /* absolute, as the user spells it */
  char *found;
} beside;

static const char *header_beside(const char *name, void *context) {
  beside *b = context;
  free(b->found);
  b->found = *name == '/' ? NULL : pl_format("%s/%s", b->directory, name);
  return b->found && access(b->found, R_OK) == 0 ? b->found : NULL;
}

char *pl_source_directory(const char *path) {
  int n = (int)(pl_base_name(path) - path);
  if (*path == '/')
    return pl_format("%.*s", n > 1 ? n - 1 : 0, path);
  char *here = getcwd(NULL, 0);
  char *directory = n ? pl_format("%s/%.*s", here ? here : ".", n - 1, path)
                      : pl_format("%s", here ? here : ".");
  free(here);
  return directory;
}

static pl_bytes with_includes(const pl_source *source, pl_bytes text) {
  beside b = {.directory = pl_source_directory(source->path)};
  pl_marks marks = {.include = header_beside, .context = &b};
  pl_bytes out;
  out.data = pl_made(pl_mark(text.data, text.size, &marks, &out.size));
  free(text.data);
  free(b.directory);
  free(b.found);
  return out;
}

/* ---- the whole ------------------------------------------------------------ */

static char *quoted(const char *path) {
  char *text;
  size_t size;
  FILE *out = pl_open_text(&text, &size);
  fputc('"', out);
  for (const char *c = path; *c; c++)
    fprintf(out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
  fputc('"', out);
  fclose(out);
  return text;
}

static void print_directive(FILE *out, place wanted, slice file) {
  fprintf(out, "#line %u", wanted.line);
  if (!same(wanted.file, file))
    fprintf(out, " %.*s", (int)wanted.file.length, wanted.file.text);
  fputc('\n', out);
}

static void print_lines(const mapping *m, FILE *out) {
  const pl_answer *answer = m->answer;
  bool bom = answer->length > 2 && !memcmp(answer->text, "\xEF\xBB\xBF", 3);
  walk w = {.map = m};
  scan s = {0};
  place now = {{"", 0}, 0};
  for (size_t at = 0; at < answer->length;) {
    slice line = line_at(answer->text, answer->length, at);
    place wanted = m->places[origin_at(&w, at, line)];
    if (may_begin_line(&s) &&
        (wanted.line != now.line || !same(wanted.file, now.file))) {
      print_directive(out, wanted, now.file);
      now = wanted;
    }
    size_t from = at == 0 && bom ? 3 : 0;
    fwrite(line.text + from, 1, line.length - from, out);
    scan_line(&s, line);
    now.line++;
    is_line_directive(line, &now);
    at += line.length;
  }
}

pl_bytes pl_compiler_text(const pl_source *source, const pl_answer *answer) {
  char *file = quoted(source->path);
  mapping m = {.source = source, .answer = answer,
               .file = {file, strlen(file)}};
  find_lines(&m);
  pl_bytes text;
  FILE *out = pl_open_text(&text.data, &text.size);
  print_lines(&m, out);
  fclose(out);
  free(m.starts);
  free(m.places);
  free(file);
  return with_includes(source, text);
}

/* ---- what is bound to its place ------------------------------------------ */

/* `__has_include(<header>)` and the test whether there is such a thing are not. */
static bool asks_for_quoted(slice rest) {
  rest = skip_blanks(rest);
  if (!begins(rest, "("))
    return false;
  return !begins(skip_blanks(without(rest, 1)), "<");
}

static const char *bound_directive(slice line) {
  line = skip_blanks(line);
  if (!begins(line, "#"))
    return NULL;
  line = skip_blanks(without(line, 1));
  static const char *const names[] = {"include_next", "import", "embed"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (begins(line, names[i]))
      return names[i];
  if (!begins(line, "include"))
    return NULL;
  line = skip_blanks(without(line, strlen("include")));
  return begins(line, "\"") || begins(line, "<") ? NULL
                                                 : "an include of a macro";
}

static const char *bound_word(slice line) {
  static const char *const names[] = {"__BASE_FILE__", "__TIMESTAMP__",
                                      "__has_include_next", "__has_embed"};
  static const char has[] = "__has_include";
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (memmem(line.text, line.length, names[i], strlen(names[i])))
      return names[i];
  const char *found;
  while ((found = memmem(line.text, line.length, has, strlen(has)))) {
    line = without(line, (size_t)(found - line.text) + strlen(has));
    if (asks_for_quoted(line))
      return has;
  }
  return NULL;
}

const char *pl_text_bound_to_place(const pl_source *source) {
  const char *what = NULL;
  for (size_t at = 0; at < source->length && !what;) {
    slice line = line_at(source->text, source->length, at);
    what = bound_directive(line);
    if (!what)
      what = bound_word(line);
    at += line.length;
  }
  return what;
}
