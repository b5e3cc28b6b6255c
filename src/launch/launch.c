/* launch.c - see launch.h.
 *
 * Lines first (comment markers stripped, position kept); launch_line.c reads
 * each, launch_case.c works the expressions out. */
#include "launch_line.h"

#include <stdlib.h>
#include <string.h>

#include "memory.h"

/* The last identifier before template arguments: "a::b<4>" gives "b". */
static const char *bare_name(pl_arena *arena, const char *kernel) {
  const char *end = strchr(kernel, '<');
  if (!end)
    end = kernel + strlen(kernel);
  while (end > kernel && pl_piece_is_space(end[-1]))
    end--;
  const char *from = end;
  while (from > kernel && pl_piece_is_name(from[-1]))
    from--;
  return pl_arena_cstr(arena, (pl_str){from, (size_t)(end - from)});
}

/* Where the kernel's name ends and "(types)" begins; brackets may nest, as in
 * "f<(1 + 2)>(int)". */
static const char *types_start(const pl_piece *pc) {
  int angle = 0, round = 0;
  for (const char *p = pc->p; p < pc->end; p++) {
    if (*p == '(' && angle == 0)
      return p;
    round += (*p == '(') - (*p == ')');
    if (round == 0)
      angle += (*p == '<') - (*p == '>');
  }
  return pc->end;
}

static bool begin_launch(pl_launch_reader *r, pl_piece pc) {
  pl_piece_trim(&pc);
  if (pc.p == pc.end)
    return pl_piece_fail(r, &pc, pc.p, "expected a kernel's name");
  pl_piece name = pc;
  const char *types = types_start(&pc);
  name.end = types;
  pl_piece_trim(&name);
  pl_launch l = {.line = pc.line};
  l.kernel = pl_arena_cstr(r->arena,
                           (pl_str){name.p, (size_t)(name.end - name.p)});
  l.name = bare_name(r->arena, l.kernel);
  if (!*l.name)
    return pl_piece_fail(r, &pc, pc.p, "expected a kernel's name");
  if (types < pc.end)
    l.types = pl_arena_cstr(r->arena,
                            (pl_str){types, (size_t)(pc.end - types)});
  PL_PUSH(r->arena, r->list->launches, r->list->n, r->cap, l);
  r->now = &r->list->launches[r->list->n - 1];
  return true;
}

static bool take_word(pl_piece *pc, const char *word) {
  pl_piece rest = *pc;
  pl_str got = pl_piece_name(&rest);
  if (!pl_str_is(got, word))
    return false;
  *pc = rest;
  return true;
}

/* Takes `pipelinify :`. */
static bool take_marker(pl_piece *pc) {
  pl_piece rest = *pc;
  if (!take_word(&rest, "pipelinify") || !pl_piece_take(&rest, ':'))
    return false;
  *pc = rest;
  return true;
}

static bool take_slashes(pl_piece *pc) {
  pl_piece_trim(pc);
  if (pc->end - pc->p < 2 || pc->p[0] != '/' || pc->p[1] != '/')
    return false;
  pc->p += 2;
  pl_piece_trim(pc);
  return true;
}

/* Each description must say its block and give every dimension a value. */
static bool finish_launch(pl_launch_reader *r) {
  pl_launch *l = r->now;
  r->now = NULL;
  if (!l)
    return true;
  pl_piece pc = {.line = l->line};
  if (!l->block[0])
    return pl_piece_fail_name(r, &pc, pc.p, "launch '%s' has no block",
                              l->kernel);
  return true;
}

/* A line of a source file: only `//` comments count. */
static bool source_line(pl_launch_reader *r, pl_piece pc) {
  if (!take_slashes(&pc))
    return finish_launch(r);
  if (take_marker(&pc)) {
    if (!finish_launch(r))
      return false;
    return take_word(&pc, "launch") ? begin_launch(r, pc) : true;
  }
  if (!r->now || pc.p == pc.end)
    return true;
  return pl_launch_read_line(r, pc);
}

/* A line of a description file or option. `#` begins a comment. */
static bool text_line(pl_launch_reader *r, pl_piece pc) {
  take_slashes(&pc);
  bool marked = take_marker(&pc);
  if (pc.p == pc.end || *pc.p == '#')
    return true;
  pl_piece rest = pc;
  if (take_word(&rest, "launch") && (rest.p == rest.end || *rest.p != ':'))
    return finish_launch(r) && begin_launch(r, rest);
  if (marked)
    return finish_launch(r);
  if (!r->now)
    return pl_piece_fail(r, &pc, pc.p, "expected 'launch KERNEL'");
  return pl_launch_read_line(r, pc);
}

/* Is the `|` at `p` the end of a line, and not one half of `||`? */
static bool is_bar(const char *text, const char *p, const char *end) {
  return *p == '|' && !(p + 1 < end && p[1] == '|') &&
         !(p > text && p[-1] == '|');
}

static pl_launch_list *read_all(const char *text, size_t len, bool bars,
                                bool (*line)(pl_launch_reader *, pl_piece),
                                pl_launch_error *error) {
  pl_arena *arena = pl_new_arena();
  pl_launch_list *list = PL_NEW(arena, pl_launch_list);
  list->arena = arena;
  pl_launch_reader r = {.arena = arena, .list = list, .error = error};
  const char *p = pl_arena_str(arena, text, len).p;
  const char *start = p, *end = p + len;
  if (len >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0)
    p += 3; /* a byte order mark */
  pl_piece pc = {.line = 1, .line_start = p};
  bool ok = true;
  while (ok && p < end) {
    pc.p = p;
    while (p < end && *p != '\n' && !(bars && is_bar(start, p, end)))
      p++;
    pc.end = p;
    ok = line(&r, pc);
    if (p < end && *p++ == '\n') {
      pc.line++;
      pc.line_start = p;
    }
  }
  if (ok && finish_launch(&r))
    return list;
  pl_arena_free(arena);
  return NULL;
}

pl_launch_list *pl_launches_from_source(const char *text, size_t len,
                                        pl_launch_error *error) {
  return read_all(text, len, false, source_line, error);
}

pl_launch_list *pl_launches_from_text(const char *text, size_t len,
                                      pl_launch_error *error) {
  return read_all(text, len, true, text_line, error);
}

void pl_launch_list_free(pl_launch_list *list) {
  if (list)
    pl_arena_free(list->arena);
}
