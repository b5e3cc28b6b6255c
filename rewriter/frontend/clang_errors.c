/* clang_errors.c - whose text holds an error, and what is lost by one?
 *
 * Of what clang does not understand it shows nothing: `lost::store(p);` with a name
 * that is not declared is no statement of the tree, and of the overloads of a function
 * one with an error in front of its body is none: another one is called then. */
#include "clang_parts.h"

/* Which text is this the begin of: `namespace N {`, `struct S {`, or that of a
 * function, of a list, of anything else? */
typedef struct scope {
  bool declares;
  pl_str record; /* whose members it declares */
} scope;

typedef struct scope_walk {
  pl_fe *f;
  pl_str text;
  const pl_token *tokens;
  uint32_t n;
  scope open[64];
  uint32_t nopen;
} scope_walk;

static pl_str token_text(const scope_walk *w, uint32_t i) {
  return pl_token_in(w->text, &w->tokens[i]);
}

static bool token_is(const scope_walk *w, uint32_t i, const char *word) {
  return i < w->n && pl_str_is(token_text(w, i), word);
}

static bool is_skipped(const scope_walk *w, uint32_t i) {
  return w->tokens[i].kind == PL_TOK_COMMENT || w->tokens[i].kind == PL_TOK_DIRECTIVE;
}

/* The token behind `template <...>`. */
static uint32_t past_template(const scope_walk *w, uint32_t i) {
  int depth = 0;
  if (!token_is(w, i, "template") || !token_is(w, i + 1, "<"))
    return i;
  for (i++; i < w->n; i++) {
    depth += token_is(w, i, "<") - token_is(w, i, ">") - 2 * token_is(w, i, ">>");
    if (depth <= 0)
      return i + 1;
  }
  return i;
}

static bool is_record_word(const scope_walk *w, uint32_t i) {
  return token_is(w, i, "struct") || token_is(w, i, "class") || token_is(w, i, "union");
}

/* What begins with the brace at `end`, whose own text begins at `begin`. */
static scope scope_of(const scope_walk *w, uint32_t begin, uint32_t end) {
  scope found = {false, {NULL, 0}};
  bool record = false, called = false;
  for (uint32_t i = begin; i < end; i++) {
    uint32_t next = past_template(w, i);
    if (next != i) {
      i = next - 1;
      continue;
    }
    if (is_skipped(w, i))
      continue;
    found.declares |= token_is(w, i, "namespace") || token_is(w, i, "extern");
    called |= !record && token_is(w, i, "(");
    record |= is_record_word(w, i) && !called;
    if (record && !found.record.n && w->tokens[i].kind == PL_TOK_IDENT &&
        !is_record_word(w, i) && !token_is(w, i + 1, "("))
      found.record = token_text(w, i);
    if (record && token_is(w, i, ")") && i + 1 == end)
      record = false;
  }
  found.declares |= record;
  if (!record)
    found.record = (pl_str){NULL, 0};
  return found;
}

static void lose(pl_fe *f, pl_str name) {
  for (size_t i = 0; i < f->unit->nlost; i++)
    if (pl_str_eq(f->unit->lost[i], name))
      return;
  PL_PUSH(f->arena, f->unit->lost, f->unit->nlost, f->unit->lost_cap, name);
}

/* What a declaration declares: `f` of `void f(int x)`, `S` of `struct S : T`. */
static void lose_declared(const scope_walk *w, uint32_t begin) {
  const scope *in = w->nopen ? &w->open[w->nopen - 1] : NULL;
  if (in && in->record.n)
    lose(w->f, in->record);
  for (uint32_t i = begin; i + 1 < w->n; i++) {
    if (token_is(w, i, ";") || token_is(w, i, "{"))
      return;
    bool name = w->tokens[i].kind == PL_TOK_IDENT &&
                (token_is(w, i + 1, "(") || token_is(w, i + 1, "<") ||
                 (i && (is_record_word(w, i - 1) || token_is(w, i - 1, "using"))));
    if (name && !token_is(w, i, "template"))
      lose(w->f, token_text(w, i));
  }
}

/* What is lost by an error that stands where things are declared. */
static void lose_at(scope_walk *w, unsigned at) {
  uint32_t begin = 0;
  for (uint32_t i = 0; i < w->n && w->tokens[i].range.end <= at; i++) {
    if (is_skipped(w, i))
      begin = w->tokens[i].kind == PL_TOK_DIRECTIVE ? i + 1 : begin;
    else if (token_is(w, i, "{") && w->nopen < 64)
      w->open[w->nopen++] = scope_of(w, begin, i);
    else if (token_is(w, i, "}"))
      w->nopen -= w->nopen > 0;
    if (token_is(w, i, "{") || token_is(w, i, "}") || token_is(w, i, ";"))
      begin = i + 1;
  }
  for (uint32_t i = 0; i < w->nopen; i++)
    if (!w->open[i].declares)
      return;
  lose_declared(w, begin);
}

void pl_fe_note_lost(pl_fe *f) {
  enum { MOST = 64 };
  scope_walk w = {.f = f};
  for (size_t i = 0; i < f->nerrors && i < MOST; i++) {
    pl_str text = pl_fe_text_of(f, f->errors[i].file);
    if (!text.p)
      continue;
    if (text.p != w.text.p)
      w.tokens = pl_lex(f->arena, text, &w.n);
    w.text = text;
    w.nopen = 0;
    lose_at(&w, f->errors[i].at);
  }
}

void pl_fe_note_error(pl_fe *f, CXFile file, unsigned at) {
  if (file)
    PL_PUSH(f->arena, f->errors, f->nerrors, f->errors_cap,
            ((pl_fe_error){file, at}));
}

bool pl_fe_holds_error(const pl_fe *f, CXCursor cursor) {
  CXFile first, last;
  unsigned begin, end;
  if (!f->nerrors)
    return false;
  CXSourceRange extent = clang_getCursorExtent(cursor);
  clang_getExpansionLocation(clang_getRangeStart(extent), &first, NULL, NULL, &begin);
  clang_getExpansionLocation(clang_getRangeEnd(extent), &last, NULL, NULL, &end);
  for (size_t i = 0; i < f->nerrors; i++)
    if (f->errors[i].at >= begin && f->errors[i].at < end && first && last &&
        clang_File_isEqual(f->errors[i].file, first) && clang_File_isEqual(first, last))
      return true;
  return false;
}
