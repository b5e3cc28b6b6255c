/* clang_unit.c - the unit from a parsed file: launches, macros, skipped text,
 * diagnostics, headers. */
#define _GNU_SOURCE /* memmem */
#include "clang_parts.h"
#include "builds.h"
#include "frontend_args.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct launch_walk {
  pl_fe *f;
  pl_func *caller;
} launch_walk;

static void add_launch(pl_fe *f, pl_func *func, pl_launch_site site) {
  pl_launch_site *grown =
      PL_NEW_ARRAY(f->arena, pl_launch_site, func->nlaunches + 1);
  for (uint32_t i = 0; i < func->nlaunches; i++)
    grown[i] = func->launches[i];
  grown[func->nlaunches++] = site;
  func->launches = grown;
}

static bool note_launch(pl_node *node, void *context) {
  launch_walk *walk = context;
  if (node->kind != PL_NODE_LAUNCH || !node->decl || !node->decl->func)
    return true;
  pl_func *func = node->decl->func;
  pl_launch_site site = {.range = node->range,
                         .grid = node->kids[1],
                         .block = node->kids[2],
                         .shared = node->kids[3],
                         .node = node,
                         .caller = walk->caller,
                         .instance =
                             func->is_template ? (int)node->ival - 1 : -1};
  node->ival = 0;
  pl_launch_constants(&site, walk->caller);
  add_launch(walk->f, func->pattern ? func->pattern : func, site);
  return true;
}

static void collect_launches(pl_fe *f) {
  for (uint32_t i = 0; i < f->unit->nfuncs; i++) {
    if (f->unit->funcs[i]->nbodies)
      continue; /* its instantiations launch */
    launch_walk walk = {f, f->unit->funcs[i]};
    pl_node_walk(f->unit->funcs[i]->body, note_launch, &walk);
  }
  for (uint32_t i = 0; i < f->unit->nfuncs; i++) {
    pl_func *func = f->unit->funcs[i];
    func->launches = pl_written_func(func)->launches;
    func->nlaunches = pl_written_func(func)->nlaunches;
  }
}

/* Macros that spell attributes and the like (`__shared__`) read as keywords. */
static bool is_keyword_macro(CXCursor cursor) {
  CXString name = clang_getCursorSpelling(cursor);
  const char *text = clang_getCString(name);
  bool keyword = text && text[0] == '_' && text[1] == '_';
  clang_disposeString(name);
  if (!keyword)
    return false;
  CXCursor target = clang_getCursorReferenced(cursor);
  CXSourceLocation at = clang_getCursorLocation(target);
  CXFile file;
  clang_getFileLocation(at, &file, NULL, NULL, NULL);
  if (!file || clang_Location_isInSystemHeader(at))
    return true;
  CXString path = clang_getFileName(file);
  const char *where = clang_getCString(path);
  bool shim = where && strncmp(where, "/.pipelinify/", 13) == 0;
  clang_disposeString(path);
  return shim;
}

static void note_name(pl_fe *f, const char *text, size_t n) {
  PL_PUSH(f->arena, f->unit->macros, f->unit->nmacros, f->unit->macros_cap,
          pl_arena_str(f->arena, text, n));
}

static void note_word(pl_fe *f, const char *text, size_t n) {
  PL_PUSH(f->arena, f->unit->macro_words, f->unit->nmacro_words,
          f->unit->macro_words_cap, pl_arena_str(f->arena, text, n));
}

pl_str pl_fe_file_text(pl_fe *f, CXCursor cursor) {
  CXSourceRange extent = clang_getCursorExtent(cursor);
  CXFile file;
  unsigned begin, end;
  clang_getFileLocation(clang_getRangeStart(extent), &file, NULL, NULL, &begin);
  clang_getFileLocation(clang_getRangeEnd(extent), NULL, NULL, NULL, &end);
  pl_str text = pl_fe_text_of(f, file);
  return begin < end && end <= text.n ? (pl_str){text.p + begin, end - begin}
                                      : (pl_str){"", 0};
}

/* The directive, from its word on, on the last line ahead of a place that begins as
 * one; empty: there is none. */
static pl_str directive_before(const char *file, const char *place) {
  const char *end = place;
  while (end > file && end[-1] != '\n')
    end--;
  while (end > file) {
    const char *line = --end;
    while (line > file && line[-1] != '\n')
      line--;
    const char *at = line + strspn(line, " \t");
    if (at < end && *at == '#')
      return pl_directive_word((pl_str){at, (size_t)(end - at)});
    end = line;
  }
  return (pl_str){0};
}

/* `#ifndef TRACE`, `#define TRACE(x)` of a header of the user's. */
static void note_default(pl_fe *f, CXCursor cursor, pl_str text) {
  CXFile file;
  clang_getFileLocation(clang_getCursorLocation(cursor), &file, NULL, NULL, NULL);
  const char *begin = pl_fe_text_of(f, file).p;
  pl_str copy = pl_arena_str(f->arena, text.p, text.n), name = pl_first_word(copy);
  pl_macro_line line = {.defines = true,
                        .is_default = true,
                        .name = name,
                        .body = {copy.p + name.n, copy.n - name.n}};
  if (pl_is_default_of(f->arena, directive_before(begin, text.p), name))
    PL_PUSH(f->arena, f->unit->defaults, f->unit->ndefaults,
            f->unit->defaults_cap, line);
}

/* A macro's name, and the words of its definition: a variable of new text by one of
 * these names would take the place of what its body means. */
static void note_body(pl_fe *f, CXCursor cursor) {
  pl_str text = pl_fe_file_text(f, cursor), name = pl_first_word(text);
  if (!text.n)
    return;
  note_default(f, cursor, text);
  note_name(f, name.p, name.n);
  PL_PUSH(f->arena, f->unit->definitions, f->unit->ndefinitions,
          f->unit->definitions_cap, pl_arena_str(f->arena, text.p, text.n));
  for (size_t i = name.n, n; i < text.n; i += n ? n : 1) {
    n = 0;
    while (i + n < text.n && (isalnum((unsigned char)text.p[i + n]) ||
                              text.p[i + n] == '_'))
      n++;
    if (n && !isdigit((unsigned char)text.p[i]))
      note_word(f, text.p + i, n);
  }
}

/* The name of a macro that an included file defines: no name for new text. */
static void note_macro(pl_fe *f, CXCursor cursor) {
  uint32_t at;
  CXString name = clang_getCursorSpelling(cursor);
  const char *text = clang_getCString(name);
  pl_place where = pl_fe_locate(f, clang_getCursorLocation(cursor), &at);
  if (where == PLACE_USER)
    note_body(f, cursor);
  else if (text && text[0] != '_' && where != PLACE_MAIN)
    note_name(f, text, strlen(text));
  clang_disposeString(name);
}

static enum CXChildVisitResult collect_use(CXCursor cursor, CXCursor parent,
                                           CXClientData data) {
  pl_fe *f = data;
  uint32_t begin, end;
  (void)parent;
  if (clang_getCursorKind(cursor) == CXCursor_MacroDefinition)
    note_macro(f, cursor);
  if (clang_getCursorKind(cursor) != CXCursor_MacroExpansion)
    return CXChildVisit_Continue;
  CXSourceRange extent = clang_getCursorExtent(cursor);
  if (pl_fe_locate(f, clang_getRangeStart(extent), &begin) != PLACE_MAIN ||
      pl_fe_locate(f, clang_getRangeEnd(extent), &end) != PLACE_MAIN ||
      end <= begin || end > f->unit->text.n || is_keyword_macro(cursor))
    return CXChildVisit_Continue;
  pl_source_add_use(&f->source, (pl_range){begin, end});
  return CXChildVisit_Continue;
}

static void collect_skipped(pl_fe *f) {
  CXSourceRangeList *list = clang_getSkippedRanges(f->tu, f->main_file);
  for (unsigned i = 0; list && i < list->count; i++) {
    pl_range range;
    pl_fe_locate(f, clang_getRangeStart(list->ranges[i]), &range.begin);
    pl_fe_locate(f, clang_getRangeEnd(list->ranges[i]), &range.end);
    PL_PUSH(f->arena, f->source.skipped, f->source.nskipped,
            f->source.skipped_cap, range);
  }
  if (list)
    clang_disposeSourceRangeList(list);
  f->unit->left_out = f->source.skipped;
  f->unit->nleft_out = f->source.nskipped;
}

/* What clang calls an error and nvcc takes; the tree is whole. */
static bool is_false_alarm(pl_str message) {
  static const char *const texts[] = {
      "initialization is not supported for __shared__ variables",
      "dynamic initialization is not supported for",
      "'alignas' attribute cannot be applied to types",
      "an attribute list cannot appear here",
      "'aligned' attribute cannot be applied to types"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (pl_str_has(message, texts[i]))
      return true;
  return false;
}

/* The shim declares the library's templates and defines none: clang misses the
 * definition of one that is called with a lambda. */
static bool is_about_shim(pl_place where, pl_str message) {
  return where == PLACE_SYSTEM &&
         pl_str_has(message,
                    "is used but not defined in this translation unit");
}

/* "'name' file not found" is about a header; else nothing. */
static pl_str absent_header(pl_str message) {
  static const char end[] = "' file not found";
  size_t n = sizeof end - 1;
  bool is_one = message.n > n + 1 && message.p[0] == '\'' &&
                memcmp(message.p + message.n - n, end, n) == 0;
  return is_one ? (pl_str){message.p + 1, message.n - n - 1}
                : (pl_str){NULL, 0};
}

/* The file's text where a diagnostic is about an #error in it; else nothing. */
static pl_str text_of_stop(pl_fe *f, CXFile file, unsigned at) {
  pl_str text = pl_fe_text_of(f, file);
  if (at >= text.n || text.n - at < 5 || memcmp(text.p + at, "error", 5) != 0)
    return PL_STR("");
  unsigned hash = at;
  while (hash && strchr(" \t", text.p[hash - 1]))
    hash--;
  return hash && text.p[hash - 1] == '#' ? text : PL_STR("");
}

static void note_stop(pl_fe *f, CXFile file, unsigned at, pl_place where,
                      pl_range range, pl_str message) {
  pl_str text = text_of_stop(f, file, at);
  if (!text.n)
    return;
  pl_stop stop = {.range = range, .message = message,
                  .flags = pl_flags_past(f->arena, text, at - 1)};
  if (where != PLACE_MAIN)
    stop.file = pl_fe_take_string(f, clang_getFileName(file));
  PL_PUSH(f->arena, f->unit->stops, f->unit->nstops, f->unit->stops_cap, stop);
}

static void note_diagnostic(pl_fe *f, CXDiagnostic diagnostic) {
  CXFile file;
  unsigned at;
  CXSourceLocation location = clang_getDiagnosticLocation(diagnostic);
  clang_getExpansionLocation(location, &file, NULL, NULL, &at);
  pl_str message =
      pl_fe_take_string(f, clang_getDiagnosticSpelling(diagnostic));
  pl_range range = {0, 0};
  pl_place where = pl_fe_cached_place(f, file, location);
  if (is_false_alarm(message) || is_about_shim(where, message))
    return;
  pl_fe_note_error(f, file, at);
  if (where == PLACE_MAIN) {
    if (at > f->unit->text.n)
      return;
    uint32_t token = pl_token_from(f->unit, at);
    range = (pl_range){at, at};
    if (token < f->unit->ntokens && f->unit->tokens[token].range.begin == at)
      range.end = f->unit->tokens[token].range.end;
    else if (at < f->unit->text.n)
      range.end = at + 1;
  }
  pl_unit_add_problem(f->unit, range, message, false);
  note_stop(f, file, at, where, range, message);
  pl_str header = absent_header(message);
  if (header.n)
    PL_PUSH(f->arena, f->unit->absent, f->unit->nabsent, f->unit->absent_cap,
            ((pl_problem){.range = range, .message = header}));
}

/* Of a fatal error that stands nowhere: a precompiled file was no good. */
static bool is_about_no_file(CXDiagnostic diagnostic) {
  CXFile file;
  clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &file,
                             NULL, NULL, NULL);
  return !file && clang_getDiagnosticSeverity(diagnostic) == CXDiagnostic_Fatal;
}

static void collect_diagnostics(pl_fe *f) {
  unsigned n = clang_getNumDiagnostics(f->tu);
  for (unsigned i = 0; i < n; i++) {
    CXDiagnostic diagnostic = clang_getDiagnostic(f->tu, i);
    if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
      note_diagnostic(f, diagnostic);
    f->unit->shim_is_bad |= is_about_no_file(diagnostic);
    clang_disposeDiagnostic(diagnostic);
  }
}

static int by_place(const void *a, const void *b) {
  const pl_func *left = *(pl_func *const *)a, *right = *(pl_func *const *)b;
  if (left->in_main != right->in_main)
    return left->in_main ? -1 : 1;
  if (left->range.begin != right->range.begin)
    return left->range.begin < right->range.begin ? -1 : 1;
  if (!left->pattern != !right->pattern)
    return left->pattern ? 1 : -1;
  return (left->own > right->own) - (left->own < right->own);
}

#define MOST_IN_ANGLES 64 /* headers of the user's; those of libraries are hundreds */

typedef struct header_list {
  CXFile *files; /* NULL: they are only counted */
  CXSourceLocation *from; /* where they are included */
  size_t n;
} header_list;

static void note_header(CXFile file, CXSourceLocation *stack, unsigned depth,
                        CXClientData data) {
  header_list *list = data;
  if (list->files) {
    list->files[list->n] = file;
    if (depth)
      list->from[list->n] = stack[0];
  }
  list->n++;
}

static bool is_header(const pl_fe *f, pl_str path) {
  return path.n && !pl_str_is(path, f->main_name) &&
         !pl_str_is(path, f->root) &&
         !pl_str_starts(path, PL_SHIM_DIR "/") &&
         !pl_str_starts(path, PL_SUPPLEMENT_DIR "/");
}

/* Whether a header on disk says one of two words. (To give a header's text libclang looks
 * through all that it has read: with a thousand of them that is a third of the time.) */
static bool says_on_disk(const char *path, const char *word, const char *other) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat about;
  bool says = false;
  if (file >= 0 && fstat(file, &about) == 0 && about.st_size > 0) {
    size_t n = (size_t)about.st_size;
    void *text = mmap(NULL, n, PROT_READ, MAP_PRIVATE, file, 0);
    if (text != MAP_FAILED) {
      says = memmem(text, n, word, strlen(word)) || memmem(text, n, other, strlen(other));
      munmap(text, n);
    }
  }
  if (file >= 0)
    close(file);
  return says;
}

/* Whether a header of the user's asks for the line of those that call what it has. */
static bool asks_for_line(const char *path) {
  return !pl_fe_is_systems(path) &&
         says_on_disk(path, "__builtin_LINE", "source_location::");
}

static bool is_own(const pl_unit *unit, const char *path) {
  for (size_t i = 0; i < unit->nown_headers; i++)
    if (strcmp(unit->own_headers[i].path, path) == 0)
      return true;
  return false;
}

/* Whether the file, one of its own headers or the command line includes a header between
 * quotes, or by a macro's name, or by a relative path. */
static bool is_included_as_own(pl_fe *f, const char *path, CXSourceLocation from) {
  CXFile by;
  unsigned at;
  clang_getExpansionLocation(from, &by, NULL, NULL, &at);
  if (path[0] != '/' || !by) /* no file: the command line does, by -include */
    return true;
  pl_str name = pl_fe_take_string(f, clang_getFileName(by)), text = pl_fe_text_of(f, by);
  return (pl_str_is(name, f->main_name) || is_own(f->unit, pl_arena_cstr(f->arena, name))) &&
         at < text.n && text.p[at] != '<';
}

/* Keeps the text of a header. */
static void keep_own(pl_fe *f, CXFile file, const char *path, CXSourceLocation from) {
  pl_unit *unit = f->unit;
  CXFile by;
  unsigned at;
  if (is_own(unit, path))
    return;
  clang_getExpansionLocation(from, &by, NULL, NULL, &at);
  pl_str name = by ? pl_fe_take_string(f, clang_getFileName(by)) : (pl_str){0};
  pl_str text = pl_fe_text_of(f, file);
  unit->own_headers[unit->nown_headers++] =
      (pl_own_header){.path = path, .text = pl_arena_str(f->arena, text.p, text.n),
                      .by = pl_arena_str(f->arena, name.p, name.n), .at = at};
}

/* Keeps the texts of the user's headers. Those that are included otherwise, `<...>`, are
 * such, too, but for those of libraries: the command says -isystem, or they are many. */
static void keep_headers(pl_fe *f, const header_list *list, const char **paths) {
  size_t nothers = 0;
  size_t *others = PL_NEW_ARRAY(f->arena, size_t, list->n + 1);
  for (size_t i = 0; i < list->n; i++) {
    if (!paths[i] || pl_fe_is_systems(paths[i]))
      continue;
    if (is_included_as_own(f, paths[i], list->from[i]))
      keep_own(f, list->files[i], paths[i], list->from[i]);
    else if (!clang_Location_isInSystemHeader(
                 clang_getLocationForOffset(f->tu, list->files[i], 0)))
      others[nothers++] = i;
  }
  for (size_t i = 0; nothers <= MOST_IN_ANGLES && i < nothers; i++)
    keep_own(f, list->files[others[i]], paths[others[i]], list->from[others[i]]);
}

/* The files on disk that were opened. Counted first, so that libclang's visit
 * allocates nothing. */
static void collect_headers(pl_fe *f) {
  pl_unit *unit = f->unit;
  header_list list = {0};
  clang_getInclusions(f->tu, note_header, &list);
  unit->headers = PL_NEW_ARRAY(f->arena, const char *, list.n + 1);
  unit->own_headers = PL_NEW_ARRAY(f->arena, pl_own_header, list.n + 1);
  const char **paths = PL_NEW_ARRAY(f->arena, const char *, list.n + 1);
  list = (header_list){PL_NEW_ARRAY(f->arena, CXFile, list.n + 1),
                       PL_NEW_ARRAY(f->arena, CXSourceLocation, list.n + 1), 0};
  clang_getInclusions(f->tu, note_header, &list);
  for (size_t i = 0; i < list.n; i++) {
    pl_str name = pl_fe_take_string(f, clang_getFileName(list.files[i]));
    if (!is_header(f, name))
      continue;
    const char *path = pl_arena_cstr(f->arena, name);
    unit->headers[unit->nheaders++] = paths[i] = path;
    unit->headers_ask_for_line = unit->headers_ask_for_line || asks_for_line(path);
  }
  keep_headers(f, &list, paths);
}

static bool is_host_call(pl_node *node, const void *unused) {
  (void)unused;
  const pl_func *callee = node->decl ? node->decl->func : NULL;
  return node->kind == PL_NODE_CALL && (!node->decl || (callee && !callee->is_global));
}

/* Whether somebody asks who calls one of the user's functions, for which to look goes
 * over the whole file once more: nobody asks it of a kernel, but where its launches say
 * how much dynamic memory there is, nor of the host's functions as long as no kernel
 * calls one. */
static bool has_callable(const pl_unit *unit) {
  bool found = pl_str_has(unit->text, "extern") && pl_str_has(unit->text, "__shared__");
  for (uint32_t i = 0; i < unit->nfuncs && !found; i++)
    found = !unit->funcs[i]->is_global && unit->funcs[i]->is_device &&
            unit->funcs[i]->decl->is_user;
  for (uint32_t i = 0; i < unit->nfuncs && !found; i++)
    found = unit->funcs[i]->is_global &&
            pl_node_find(unit->funcs[i]->body, is_host_call, NULL);
  return found;
}

void pl_fe_read_unit(void *context) {
  pl_fe *f = context;
  CXCursor top = clang_getTranslationUnitCursor(f->tu);
  f->main_file = clang_getFile(f->tu, f->main_name);
  pl_fe_visit_children(f, top, collect_use, f);
  pl_source_settle_uses(&f->source);
  collect_skipped(f);
  collect_diagnostics(f);
  pl_fe_note_lost(f);
  pl_fe_visit_children(f, top, pl_fe_collect_top, f);
  size_t n = f->unit->nfuncs;
  f->knows_patterns = !f->wanted;
  for (size_t i = 0; i < n; i++)
    if (pl_fe_want(f, f->stack[i]) != PL_WANT_NOTHING)
      pl_fe_build_body(f, f->unit->funcs[i], f->stack[i]);
  pl_fe_build_instances(f);
  if (!f->wanted && has_callable(f->unit))
    pl_fe_visit_children(f, top, pl_fe_note_uses, f);
  if (f->unit->nfuncs)
    qsort(f->unit->funcs, f->unit->nfuncs, sizeof *f->unit->funcs, by_place);
  collect_launches(f);
  if (f->wanted)
    pl_fe_own_locals(f);
  else
    collect_headers(f);
  pl_unit_align_instances(f->unit);
  pl_unit_resolve_calls(f->unit);
  pl_unit_close_folds(f->unit);
  if (!f->wanted)
    pl_unit_check_coverage(&f->source);
  pl_unit_sort_problems(f->unit);
}
