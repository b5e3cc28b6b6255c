/* certify.c - certificates of texts that need not be those that the program emits.
 *
 *     certify KERNEL.cu LINE:COLUMN,... TEXT.cu... -- [clang arguments]
 *
 * Says of each pipelined loop of each text, which may be a mutant of the emitted one,
 * whether it is shown to be the kernel's: a line `TEXT:n: shown`, or why it is not.
 * The loops begin at those places of the kernel, in their order; a text's are at its
 * markers. */
#include "certificate.h"
#include "frontend.h"
#include "remembered.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST = 64 };

typedef struct places {
  pl_range items[MOST];
  size_t n;
} places;

typedef struct run {
  pl_arena *arena;
  pl_parse_request request;
  pl_unit *before;
  places loops;
} run;

static pl_str read_file(pl_arena *arena, const char *path) {
  FILE *file = fopen(path, "rb");
  pl_text text = {.arena = arena};
  char buffer[4096];
  size_t n;
  if (!file) {
    perror(path);
    exit(2);
  }
  while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
    pl_text_add(&text, (pl_str){buffer, n});
  fclose(file);
  return pl_arena_str(arena, text.p, text.n);
}

static uint32_t offset_of(const pl_unit *unit, unsigned line, unsigned column) {
  return line && line <= unit->lines.n ? unit->lines.begins[line - 1] + column - 1
                                       : (uint32_t)unit->text.n;
}

/* "12:5,40:5" */
static places at_places(const pl_unit *unit, const char *words) {
  places found = {.n = 0};
  unsigned line, column;
  int used;
  while (found.n < MOST && sscanf(words, "%u:%u%n", &line, &column, &used) == 2) {
    uint32_t begin = offset_of(unit, line, column);
    found.items[found.n++] = (pl_range){begin, begin + 1};
    words += used + (words[used] == ',');
  }
  return found;
}

static uint32_t behind_block(pl_str text, uint32_t at) {
  int depth = 0;
  for (; at < text.n; at++) {
    depth += text.p[at] == '{';
    depth -= text.p[at] == '}';
    if (text.p[at] == '}' && depth == 0)
      return at + 1;
  }
  return (uint32_t)text.n;
}

typedef struct search {
  pl_range range;
  pl_node *found;
} search;

static bool visit(pl_node *node, void *context) {
  search *s = context;
  bool is_it = pl_node_is_loop(node) && node->range.begin == s->range.begin;
  if (is_it)
    s->found = node;
  return !s->found;
}

static bool is_pattern(const pl_unit *unit, const pl_func *func) {
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    if (unit->funcs[i]->pattern == func)
      return true;
  return false;
}

/* The next function of a loop, of several where a template is instantiated, and its
 * node. */
static const pl_func *func_of(const pl_unit *unit, pl_range range, uint32_t *next,
                              pl_node **node) {
  while (*next < unit->nfuncs) {
    const pl_func *func = unit->funcs[(*next)++];
    search s = {.range = range};
    if (!func->body || !func->in_main || is_pattern(unit, func) ||
        !pl_range_inside(range, func->range))
      continue;
    pl_node_walk(func->body, visit, &s);
    *node = s.found;
    if (s.found)
      return func;
  }
  return NULL;
}

/* The text of a function behind a node in it. */
static pl_str rest_behind(const pl_unit *unit, const pl_func *func, uint32_t at) {
  return pl_unit_slice(unit, (pl_range){at, func->range.end});
}

/* Where a loop's text ends that begins at a place: what stands behind it in its function
 * is the source's, or else it is one block. */
static uint32_t behind_loop(const run *r, pl_range loop, const pl_unit *after,
                            uint32_t at) {
  pl_node *node = NULL;
  uint32_t next = 0;
  const pl_func *func = func_of(r->before, loop, &next, &node);
  pl_str rest = func ? rest_behind(r->before, func, node->range.end) : PL_STR("");
  for (uint32_t i = 0; rest.n && i < after->nfuncs; i++) {
    const pl_range in = after->funcs[i]->range;
    uint32_t end = in.end - in.begin > rest.n ? in.end - (uint32_t)rest.n : 0;
    if (in.begin < at && at < end &&
        pl_str_eq(rest, rest_behind(after, after->funcs[i], end)))
      return end;
  }
  return behind_block(after->text, at);
}

/* What stands behind the markers for the loops. */
static places marked(const run *r, const pl_unit *unit) {
  places found = {.n = 0};
  for (size_t i = 0; i < unit->ncomments && found.n < MOST; i++) {
    pl_range at = unit->tokens[unit->comments[i]].range;
    pl_str text = pl_unit_slice(unit, at);
    if (!pl_str_starts(text, "// pipelinify: ") || !pl_str_has(text, "source ") ||
        !pl_str_has(text, " stage"))
      continue;
    uint32_t end = found.n < r->loops.n
                       ? behind_loop(r, r->loops.items[found.n], unit, at.end)
                       : behind_block(unit->text, at.end);
    found.items[found.n++] = (pl_range){at.end, end};
  }
  return found;
}

static const pl_func *func_like(const pl_unit *unit, const pl_func *like,
                                pl_range region) {
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    const pl_func *func = unit->funcs[i];
    if (func->body && func->in_main && !is_pattern(unit, func) &&
        func->own == like->own && pl_str_eq(func->qualified, like->qualified) &&
        pl_range_inside(region, func->range))
      return func;
  }
  return NULL;
}

static double cpu_ms(void) { return 1000.0 * (double)clock() / CLOCKS_PER_SEC; }

static void say(const char *path, size_t i, const pl_unit *unit,
                const pl_certificate *made, double ms) {
  unsigned line = 0, column = 0;
  if (made->at.end)
    pl_unit_position(unit, made->at.begin, &line, &column);
  printf("%s:%zu: ", path, i + 1);
  if (made->shown == PL_YES)
    printf("shown (%zu events%s%s)", made->nevents,
           made->needs_coverage ? ", covered" : "",
           made->needs_apart ? ", apart" : "");
  else
    printf("%s (%c) line %u: %.*s", made->shown == PL_NO ? "wrong" : "unknown",
           made->claim, line, PL_FMT(made->why));
  printf(" %.1f ms\n", ms);
}

/* Of the instantiations of a loop the first that is not shown, or else the last: each
 * remembers what those ahead have asked, as in the program. */
static pl_certificate of_all(const run *r, pl_arena *arena, pl_unit *after,
                             const places *regions, size_t i, pl_memory *memory) {
  pl_certificate made = {.shown = PL_UNKNOWN, .claim = '?',
                         .why = PL_STR("the loop is not found")};
  pl_node *node = NULL;
  const pl_func *func;
  uint32_t next = 0;
  while ((func = func_of(r->before, r->loops.items[i], &next, &node))) {
    const pl_func *emitted = func_like(after, func, regions->items[i]);
    pl_pipelined pipelined = {
        .before = r->before, .func = func, .loop = node, .after = after,
        .emitted = emitted, .region = regions->items[i], .all = regions->items,
        .nall = regions->n, .is_told = true};
    if (!emitted)
      continue;
    made = pl_certify(arena, &pipelined, memory);
    if (made.shown == PL_YES)
      continue;
    pipelined.is_told = false;
    pl_certificate untold = pl_certify(arena, &pipelined, memory);
    /* The other way round it may be: what is not told is asked with fewer operations. */
    if (untold.shown == PL_NO && made.shown != PL_NO) {
      fprintf(stderr, "what is told changes what is seen to be wrong: '%.*s', else '%.*s'\n",
              PL_FMT(made.why), PL_FMT(untold.why));
      exit(3);
    }
    return made;
  }
  return made;
}

typedef struct asked {
  const run *run;
  const char *path;
  pl_arena *arena;
  pl_unit *after;
  const places *regions;
  size_t i;
  pl_memory *memory;
} asked;

static void certify_loop(void *context) {
  const asked *a = context;
  double start = cpu_ms();
  pl_certificate made = of_all(a->run, a->arena, a->after, a->regions, a->i, a->memory);
  say(a->path, a->i, a->after, &made, cpu_ms() - start);
}

static void certify(run *r, const char *path) {
  pl_arena *arena = pl_arena_child(r->arena);
  pl_parse_request request = r->request;
  pl_str error = {0};
  request.path = path;
  request.text = read_file(arena, path);
  pl_unit *after = pl_parse(arena, &request, &error);
  places regions = {.n = 0};
  if (after && after->nproblems > r->before->nproblems) {
    printf("%s:0: broken\n", path);
    pl_arena_free(arena);
    return;
  }
  if (after)
    regions = marked(r, after);
  if (!after || regions.n != r->loops.n)
    printf("%s:0: unknown (?) line 0: %zu loops, %zu markers 0 ms\n", path,
           r->loops.n, regions.n);
  for (size_t i = 0; i < regions.n && regions.n == r->loops.n; i++) {
    asked a = {r, path, arena, after, &regions, i, pl_memory_new()};
    if (!a.memory || !pl_memory_try(a.memory, certify_loop, &a))
      abort();
    pl_memory_free(a.memory);
  }
  pl_arena_free(arena);
}

int main(int argc, char **argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: certify KERNEL.cu LINE:COLUMN,... TEXT.cu... -- ARGS\n");
    return 2;
  }
  int end = 3;
  while (end < argc && strcmp(argv[end], "--") != 0)
    end++;
  int words = end < argc ? end + 1 : argc;
  run r = {.arena = pl_arena_new(abort)};
  r.request = (pl_parse_request){.path = argv[1],
                                 .text = read_file(r.arena, argv[1]),
                                 .args = (const char *const *)argv + words,
                                 .nargs = (size_t)(argc - words),
                                 .arch = 80};
  pl_str error = {0};
  r.before = pl_parse(r.arena, &r.request, &error);
  if (!r.before) {
    fprintf(stderr, "%.*s\n", PL_FMT(error));
    return 1;
  }
  r.loops = at_places(r.before, argv[2]);
  for (int i = 3; i < end; i++)
    certify(&r, argv[i]);
  pl_arena_free(r.arena);
  return 0;
}
