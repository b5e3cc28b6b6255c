/* mark.c - a source whose launches say where they stand, and whose includes
 * are found from any directory.
 *
 * Needs tokens alone: a launch is what `<<<` is in, in code and in the bodies
 * of macros. Nothing else of the text changes, lines least of all. */
#include "model.h"
#include "pipelinify.h"

#include <stdlib.h>
#include <string.h>

typedef struct marker {
  pl_arena *arena;
  pl_str source;
  const pl_marks *marks;
  pl_text out;
  uint32_t at; /* how far the source is copied */
} marker;

static void copy_to(marker *m, uint32_t end) {
  pl_text_add(&m->out, (pl_str){m->source.p + m->at, end - m->at});
  m->at = end;
}

static pl_str spelling(pl_str text, pl_token token) {
  return (pl_str){text.p + token.range.begin,
                  token.range.end - token.range.begin};
}

/* Behind each `<<<` of a piece of the source that begins at `base`. */
static void mark_launches(marker *m, pl_str piece, uint32_t base) {
  uint32_t n;
  pl_token *tokens = pl_lex(m->arena, piece, &n);
  for (uint32_t i = 0; i < n; i++) {
    bool is_operator =
        i > 0 && pl_str_is(spelling(piece, tokens[i - 1]), "operator");
    if (tokens[i].kind != PL_TOK_PUNCT || is_operator ||
        !pl_str_is(spelling(piece, tokens[i]), "<<<"))
      continue;
    copy_to(m, base + tokens[i].range.end);
    pl_text_printf(&m->out, "%s", m->marks->launch);
  }
}

/* The word behind the `#`, and what follows it. */
static pl_str directive_name(pl_str line, pl_str *rest) {
  uint32_t i = 1, end;
  while (i < line.n && (line.p[i] == ' ' || line.p[i] == '\t'))
    i++;
  for (end = i; end < line.n && line.p[end] >= 'a' && line.p[end] <= 'z';)
    end++;
  *rest = (pl_str){line.p + end, line.n - end};
  return (pl_str){line.p + i, end - i};
}

/* `"tile.h"` becomes the path that the caller knows. */
static void resolve_include(marker *m, pl_str rest) {
  const char *open = memchr(rest.p, '"', rest.n);
  const char *angle = memchr(rest.p, '<', rest.n);
  const char *end = rest.p + rest.n;
  const char *close =
      open ? memchr(open + 1, '"', (size_t)(end - open - 1)) : NULL;
  if (!close || (angle && angle < open))
    return;
  pl_str name = {open + 1, (size_t)(close - open - 1)};
  const char *path = m->marks->include(pl_arena_cstr(m->arena, name),
                                       m->marks->context);
  if (!path)
    return;
  copy_to(m, (uint32_t)(name.p - m->source.p));
  pl_text_printf(&m->out, "%s", path);
  m->at += (uint32_t)name.n;
}

static void mark_directive(marker *m, pl_token token) {
  pl_str rest, line = spelling(m->source, token);
  pl_str name = directive_name(line, &rest);
  if (m->marks->include && pl_str_is(name, "include"))
    resolve_include(m, rest);
  else if (m->marks->launch && pl_str_is(name, "define"))
    mark_launches(m, rest, (uint32_t)(rest.p - m->source.p));
}

/* The code between directives as a piece of its own each. */
static void mark_pieces(marker *m) {
  uint32_t n, from = 0;
  pl_token *tokens = pl_lex(m->arena, m->source, &n);
  for (uint32_t i = 0; i <= n; i++) {
    bool is_last = i == n;
    if (!is_last && tokens[i].kind != PL_TOK_DIRECTIVE)
      continue;
    uint32_t to = is_last ? (uint32_t)m->source.n : tokens[i].range.begin;
    if (m->marks->launch)
      mark_launches(m, (pl_str){m->source.p + from, to - from}, from);
    if (is_last)
      break;
    mark_directive(m, tokens[i]);
    from = tokens[i].range.end;
  }
  copy_to(m, (uint32_t)m->source.n);
}

static void mark(void *context) {
  marker *m = context;
  m->out = (pl_text){.arena = m->arena};
  mark_pieces(m);
}

char *pl_mark(const char *text, size_t length, const pl_marks *marks,
              size_t *marked) {
  marker m = {.source = {text, length}, .marks = marks};
  m.arena = pl_arena_new(NULL);
  bool done = m.arena && pl_arena_try(m.arena, mark, &m);
  char *out = done ? malloc(m.out.n + 1) : NULL;
  if (out) {
    memcpy(out, m.out.n ? m.out.p : "", m.out.n);
    out[m.out.n] = '\0';
    *marked = m.out.n;
  }
  pl_arena_free(m.arena);
  return out;
}
