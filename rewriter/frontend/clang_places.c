/* clang_places.c - where a cursor stands in the user's text, and what stands
 * below it.
 *
 * Offsets of the main file, macros' uses included; the children of a cursor go
 * on a stack, the innermost list last. */
#include "clang_parts.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

pl_str pl_fe_take_string(pl_fe *f, CXString string) {
  const char *text = clang_getCString(string);
  pl_str copy = {NULL, 0};
  if (text && *text)
    copy = pl_arena_str(f->arena, text, strlen(text));
  clang_disposeString(string);
  return copy;
}

/* Whether a header lies below a directory that holds CUDA's own. */
static bool is_toolkits(const char *path) {
  char at[PATH_MAX];
  size_t n = strlen(path);
  if (n + sizeof "/cuda_runtime.h" > sizeof at)
    return false;
  memcpy(at, path, n + 1);
  for (char *slash = strrchr(at, '/'); slash; slash = strrchr(at, '/')) {
    strcpy(slash, "/cuda_runtime.h");
    if (access(at, F_OK) == 0)
      return true;
    *slash = '\0';
  }
  return false;
}

/* Whether what clang takes for a header of the system's is one: what `-isystem`
 * or a pragma makes so may be a library like any other. */
bool pl_fe_is_systems(const char *path) {
  static const char *const begins[] = {"/.pipelinify/", "/usr/include/",
                                       "/usr/lib/", "/usr/lib64/"};
  static const char *const parts[] = {"/c++/", "/lib/gcc", "/lib/clang/"};
  for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
    if (strncmp(path, begins[i], strlen(begins[i])) == 0)
      return true;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (strstr(path, parts[i]))
      return true;
  return is_toolkits(path);
}

/* The file's name decides: ours, the toolkit's and the system's headers are
 * not the user's code. (clang_File_isEqual takes any two files that exist only
 * in memory for the same one.) */
static pl_place file_place(pl_fe *f, CXFile file, CXSourceLocation location) {
  pl_place where = PLACE_USER;
  if (!file)
    return PLACE_SYSTEM;
  CXString name = clang_getFileName(file);
  const char *text = clang_getCString(name);
  if (text && strcmp(text, f->main_name) == 0)
    where = PLACE_MAIN;
  else if (text ? (clang_Location_isInSystemHeader(location) ||
                   strncmp(text, "/.pipelinify/", 13) == 0) &&
                      pl_fe_is_systems(text)
                : clang_Location_isInSystemHeader(location))
    where = PLACE_SYSTEM;
  clang_disposeString(name);
  return where;
}

pl_place pl_fe_cached_place(pl_fe *f, CXFile file, CXSourceLocation location) {
  if (!file || file != f->last_file) {
    f->last_file = file;
    f->last_place = file_place(f, file, location);
  }
  return f->last_place;
}

pl_place pl_fe_locate(pl_fe *f, CXSourceLocation location, uint32_t *offset) {
  CXFile file;
  unsigned at;
  clang_getFileLocation(location, &file, NULL, NULL, &at);
  *offset = at;
  return pl_fe_cached_place(f, file, location);
}

/* A location ends at a macro's name where the macro stands in another one's
 * argument: clang then gives the begin of the inner use. */
static uint32_t end_offset(pl_fe *f, CXSourceLocation end, uint32_t offset) {
  unsigned expansion;
  uint32_t use = pl_source_use_at(&f->source, offset);
  if (use == PL_NONE)
    return offset;
  clang_getExpansionLocation(end, NULL, NULL, NULL, &expansion);
  return expansion == offset ? offset : f->source.uses[use].range.end;
}

static bool raw_extent(pl_fe *f, CXCursor cursor, pl_range *raw) {
  CXSourceRange extent = clang_getCursorExtent(cursor);
  CXSourceLocation end = clang_getRangeEnd(extent);
  if (pl_fe_locate(f, clang_getRangeStart(extent), &raw->begin) != PLACE_MAIN)
    return false;
  if (pl_fe_locate(f, end, &raw->end) != PLACE_MAIN)
    return false;
  raw->end = end_offset(f, end, raw->end);
  return true;
}

pl_range pl_fe_cursor_range(pl_fe *f, CXCursor cursor) {
  pl_range raw;
  if (!raw_extent(f, cursor, &raw))
    return (pl_range){0, 0};
  pl_range range = pl_source_range(&f->source, raw.begin, raw.end);
  if (range.end > f->unit->text.n)
    range.end = (uint32_t)f->unit->text.n;
  return range.begin > range.end ? (pl_range){0, 0} : range;
}

/* A place in the header itself: no macro makes it, and no part of it. */
static bool is_written_in(CXSourceLocation location, CXFile header,
                          unsigned *at) {
  CXFile spelled, expanded;
  unsigned use;
  clang_getSpellingLocation(location, &spelled, NULL, NULL, at);
  clang_getExpansionLocation(location, &expanded, NULL, NULL, &use);
  return spelled == header && expanded == header && *at == use;
}

static const uint32_t elsewhere = (uint32_t)1 << 31;

pl_range pl_fe_header_place(CXCursor cursor, CXFile header) {
  CXSourceRange extent = clang_getCursorExtent(cursor);
  unsigned begin, end;
  if (!header ||
      !is_written_in(clang_getRangeStart(extent), header, &begin) ||
      !is_written_in(clang_getRangeEnd(extent), header, &end) ||
      begin >= end || end >= elsewhere)
    return (pl_range){0, 0};
  return (pl_range){begin | elsewhere, end | elsewhere};
}

/* (libclang looks through all files for one's text.) */
pl_str pl_fe_text_of(pl_fe *f, CXFile file) {
  if (file && file != f->text_of) {
    size_t size = 0;
    const char *text = clang_getFileContents(f->tu, file, &size);
    f->text_of = file;
    f->text = (pl_str){text, text ? size : 0};
  }
  return file ? f->text : (pl_str){0};
}

pl_str pl_fe_text_at(pl_fe *f, pl_range place) {
  uint32_t begin = place.begin & ~elsewhere, end = place.end & ~elsewhere;
  pl_str text = pl_fe_text_of(f, f->header);
  return begin < end && end <= text.n ? (pl_str){text.p + begin, end - begin}
                                      : (pl_str){"", 0};
}

CXFile pl_fe_header_of(pl_fe *f, CXCursor function) {
  CXSourceLocation at = clang_getCursorLocation(function);
  CXFile file;
  uint32_t offset;
  if (pl_fe_locate(f, at, &offset) != PLACE_USER)
    return NULL;
  clang_getFileLocation(at, &file, NULL, NULL, &offset);
  return file;
}

bool pl_fe_has_no_extent(CXCursor cursor) {
  return clang_Range_isNull(clang_getCursorExtent(cursor)) != 0;
}

void pl_fe_push_cursor(pl_fe *f, CXCursor cursor) {
  PL_PUSH(f->arena, f->stack, f->nstack, f->stack_cap, cursor);
}

enum CXChildVisitResult pl_fe_collect_code(CXCursor cursor, CXCursor parent,
                                           CXClientData data) {
  (void)parent;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (clang_isExpression(kind) || clang_isStatement(kind) ||
      clang_isDeclaration(kind))
    pl_fe_push_cursor(data, cursor);
  return CXChildVisit_Continue;
}

enum CXChildVisitResult pl_fe_collect_all(CXCursor cursor, CXCursor parent,
                                          CXClientData data) {
  (void)parent;
  pl_fe_push_cursor(data, cursor);
  return CXChildVisit_Continue;
}

/* A visit by libclang, whose frames must not be jumped over: each callback is
 * tried for itself. */
typedef struct visit {
  pl_arena *arena;
  CXCursorVisitor visitor;
  CXClientData data;
  CXCursor cursor, parent; /* of the callback in progress */
  enum CXChildVisitResult next;
  bool full;
} visit;

static void visit_one(void *context) {
  visit *v = context;
  v->next = v->visitor(v->cursor, v->parent, v->data);
}

static enum CXChildVisitResult try_one(CXCursor cursor, CXCursor parent,
                                       CXClientData data) {
  visit *v = data;
  v->cursor = cursor;
  v->parent = parent;
  if (!v->full) /* libclang goes on to the declarations after its macros */
    v->full = !pl_arena_try(v->arena, visit_one, v);
  return v->full ? CXChildVisit_Break : v->next;
}

void pl_fe_visit_children(pl_fe *f, CXCursor cursor, CXCursorVisitor visitor,
                          CXClientData data) {
  visit v = {.arena = f->arena, .visitor = visitor, .data = data};
  clang_visitChildren(cursor, try_one, &v);
  if (v.full)
    pl_arena_out_of_memory(f->arena);
}

size_t pl_fe_children(pl_fe *f, CXCursor cursor, CXCursorVisitor visitor,
                      size_t *first) {
  *first = f->nstack;
  pl_fe_visit_children(f, cursor, visitor, f);
  return f->nstack - *first;
}

void pl_fe_drop_children(pl_fe *f, size_t first) { f->nstack = first; }

CXCursor pl_fe_child(pl_fe *f, CXCursor cursor, size_t index, size_t *n) {
  size_t first;
  *n = pl_fe_children(f, cursor, pl_fe_collect_all, &first);
  CXCursor found = index < *n ? f->stack[first + index] : clang_getNullCursor();
  pl_fe_drop_children(f, first);
  return found;
}
