/* gaps.c - see gaps.h. */
#define _GNU_SOURCE
#include "gaps.h"

#include <stdlib.h>
#include <string.h>

#include "header_search.h"
#include "memory.h"
#include "output.h"
#include "text.h"

static const pl_gap *first_of(const pl_gap_note *note, pl_gap_kind kind) {
  for (size_t i = 0; i < note->ngaps; i++)
    if (note->gaps[i].kind == kind)
      return &note->gaps[i];
  return NULL;
}

const char *pl_gaps_elsewhere(const pl_source *source) {
  return memmem(source->text, source->length, "<<<", 3)
             ? "; those that it launches stand in other files, which are to be named"
             : "";
}

static bool is_missing(const pl_gap_note *note, const char *what) {
  return note->missing && strcmp(note->missing, what) == 0;
}

/* "no kernel found: ", or nothing. */
static char *lead_of(const pl_gap_note *note, const char *end) {
  return note->missing ? pl_format("no %s found%s", note->missing, end)
                       : pl_format("%s", "");
}

/* Whether a text defines a kernel: `__global__` with a brace ahead of the next semicolon. */
static bool defines_kernel(const char *text) {
  for (const char *at = strstr(text, "__global__"); at; at = strstr(at + 1, "__global__"))
    if (at[strcspn(at, ";{")] == '{')
      return true;
  return false;
}

/* The name that the next `#include "name"` has, NULL: there is none; free with free. */
static char *next_include(const char **text) {
  const char *at = strstr(*text, "#include \"");
  if (!at)
    return NULL;
  at += strlen("#include \"");
  size_t n = strcspn(at, "\"\n");
  *text = at + n;
  return pl_format("%.*s", (int)n, at);
}

/* Whether one of the headers that were opened goes by a name, and has a kernel. */
static bool has_kernel(const pl_gap_note *note, const char *name) {
  bool has = false;
  for (const char *up = name; *up == '.' && (up = strchr(up, '/')); name = ++up)
    ;
  for (size_t i = 0; i < note->nheaders && !has; i++) {
    pl_bytes bytes = {0};
    if (!pl_ends_with(note->headers[i], name) || !pl_read_file(note->headers[i], &bytes))
      continue;
    has = defines_kernel(bytes.data);
    free(bytes.data);
  }
  return has;
}

/* "; those of 'rows.cuh', ..." of a header that the source itself includes; empty: none of
 * them has kernels. */
static char *in_header(const pl_source *source, const pl_gap_note *note) {
  const char *text = source->text;
  for (char *name; (name = next_include(&text)) != NULL; free(name))
    if (has_kernel(note, name)) {
      char *where = pl_format("; those of '%s', which it includes, are looked at where that "
                              "file is named", name);
      free(name);
      return where;
    }
  return pl_format("%s", "");
}

static char *about_no_kernel(const pl_source *source, const pl_gap_note *note) {
  char *where = in_header(source, note);
  char *text = lead_of(note, *where ? where : pl_gaps_elsewhere(source));
  free(where);
  return text;
}

/* That something was not found, where no gap says why. */
static char *about_nothing(const pl_source *source, const pl_gap_note *note) {
  const pl_loop_report *near = note->nearest;
  if (is_missing(note, "kernel"))
    return about_no_kernel(source, note);
  if (!near)
    return lead_of(note, is_missing(note, "tile loop") ? PL_NO_SUCH_LOOP : "");
  char *more = note->others ? pl_format("; -v says what the other %zu are", note->others)
                            : pl_format("%s", "");
  if (note->others == 1) {
    free(more);
    more = pl_format("%s", "; -v says what the other one is");
  }
  char *text = pl_format("no %s found; this one comes nearest: %s%s", note->missing,
                         near->message, more);
  free(more);
  return text;
}

/* ---- headers ----------------------------------------------------------------- */

/* " -- -Iinclude finds it", by a search of the tree around the source. */
static char *where_they_are(const pl_header_search *search) {
  bool all = search->found == search->count;
  if (!search->found)
    return pl_format("%s", "-- -I<directory> or -p <build directory> says where "
                           "headers are");
  if (search->count == 1)
    return pl_format("--%s finds it", search->flags);
  return all ? pl_format("--%s finds them", search->flags)
             : pl_format("--%s finds %zu of them", search->flags, search->found);
}

static char *about_headers(const pl_source *source, const pl_gap_note *note) {
  const char **names = pl_alloc(note->ngaps, sizeof *names);
  size_t count = 0;
  for (size_t i = 0; i < note->ngaps; i++)
    if (note->gaps[i].kind == PL_GAP_HEADER)
      names[count++] = note->gaps[i].what;
  pl_header_search search = {.names = names, .count = count,
                             .source = source->path, .tree = note->tree};
  pl_header_search_run(&search);
  char *where = where_they_are(&search);
  char *text = count == 1
                   ? pl_format("'%s' is not found; %s", names[0], where)
                   : pl_format("'%s' and %zu more header%s are not found; %s",
                               names[0], count - 1, count == 2 ? "" : "s", where);
  free(where);
  free(search.flags);
  free(names);
  return text;
}

/* ---- kernels ------------------------------------------------------------------- */

static char *about_left_out(const pl_gap *gap) {
  bool several = strncmp(gap->kernels, "kernel '", 8) != 0;
  return gap->flags
             ? pl_format("'%s' leaves out %s; -- %s shows %s", gap->what,
                         gap->kernels, gap->flags, several ? "them" : "it")
             : pl_format("'%s' leaves out %s", gap->what, gap->kernels);
}

static char *about_stop(const pl_gap *gap) {
  return gap->flags ? pl_format("%s was met; -- %s avoids it", gap->what, gap->flags)
                    : pl_format("%s was met", gap->what);
}

static char *about_error(const pl_gap *gap) {
  return pl_format("%s: %s is not seen whole", gap->what, gap->kernels);
}

/* The gap that explains most: what hides a kernel, if none was found; headers that
 * errors may come from; an #error; errors. */
static const pl_gap *weightiest(const pl_gap_note *note) {
  const pl_gap *gap = note->missing ? first_of(note, PL_GAP_LEFT_OUT) : NULL;
  bool none = is_missing(note, "kernel");
  const pl_gap *error = first_of(note, PL_GAP_ERROR);
  const pl_gap *header = first_of(note, PL_GAP_HEADER);
  const pl_gap *stop = none || error ? first_of(note, PL_GAP_STOP) : NULL;
  return gap ? gap : header ? header : stop ? stop : error;
}

static char *text_about(const pl_source *source, const pl_gap_note *note,
                        const pl_gap *gap) {
  switch (gap->kind) {
  case PL_GAP_LEFT_OUT:
    return about_left_out(gap);
  case PL_GAP_HEADER:
    return about_headers(source, note);
  case PL_GAP_STOP:
    return about_stop(gap);
  default:
    return about_error(gap);
  }
}

pl_note pl_gaps_note(const pl_source *source, const pl_gap_note *note) {
  const pl_gap *gap = weightiest(note);
  if (!gap && !note->missing)
    return (pl_note){0};
  const pl_loop_report *near = note->nearest;
  if (!gap && near)
    return (pl_note){near->at_line, near->at_column, near->at_begin, near->at_end,
                     about_nothing(source, note)};
  if (!gap)
    return (pl_note){.message = about_nothing(source, note)};
  char *lead = lead_of(note, ": "), *about = text_about(source, note, gap);
  pl_note place = {gap->line, gap->column, gap->begin, gap->end,
                   pl_format("%s%s", lead, about)};
  free(about);
  free(lead);
  return place;
}
