/* emu_place.c - what code offsets and addresses of the runner's findings are
 * called in the source: addr2line and readelf know. See emu.h. */
#include "emu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The debugger's names are absolute; below the working directory they are what the
 * user would call them. */
static const char *as_named(const char *path) {
  char here[4096];
  size_t n = getcwd(here, sizeof here) ? strlen(here) : 0;
  bool below = n > 1 && strncmp(path, here, n) == 0 && path[n] == '/';
  return below ? path + n + 1 : path;
}

/* What we wrote around the user's files. The headers in the compiler's form may have
 * been made in another run's directory. */
static bool is_ours(const pl_emu *p, const char *place) {
  return strncmp(place, p->dir, strlen(p->dir)) == 0 ||
         strstr(place, "/emu/pl_") != NULL;
}

/* The first line of addr2line's answer that is in the user's files; NULL: none
 * is. */
static const char *place_in_output(pl_emu *p, FILE *from) {
  char line[4096];
  const char *first = NULL;
  while (fgets(line, sizeof line, from)) {
    line[strcspn(line, " (\n")] = 0;
    if (!first && !is_ours(p, line))
      first = pl_arena_printf(p->arena, "%s", as_named(line)).p;
  }
  return first && first[0] != '?' ? first : NULL;
}

const char *pl_emu_whose_lines(const pl_emu *p, const pl_emu_object *o) {
  const pl_emu_object *original = &p->objects[0];
  return o != original && strcmp(o->path, original->path) == 0 &&
                 !pl_str_eq(o->source, original->source)
             ? " of the rewritten text"
             : "";
}

/* "k.cu:40" for a code offset; NULL where it is not known. */
const char *pl_emu_place(pl_emu *p, const pl_emu_object *o, unsigned code) {
  if (!code)
    return NULL;
  pl_str line = pl_arena_printf(p->arena, "addr2line -i -e '%s' 0x%x", o->so,
                                code);
  FILE *from = popen(line.p, "r");
  if (!from)
    return NULL;
  const char *place = place_in_output(p, from);
  pclose(from);
  return place ? pl_arena_printf(p->arena, "%s%s", place,
                                 pl_emu_whose_lines(p, o)).p
               : NULL;
}

/* The name in a mangled local static: "_ZZ4gemmPKfE2As" gives "As". */
static pl_str variable_name(pl_arena *arena, const char *mangled) {
  size_t n = strlen(mangled);
  for (size_t from = n; from-- > 1;) {
    size_t digits = from;
    while (digits > 0 && mangled[digits - 1] >= '0' &&
           mangled[digits - 1] <= '9')
      digits--;
    if (digits == from || (mangled[from] >= '0' && mangled[from] <= '9'))
      continue;
    size_t length = strtoul(mangled + digits, NULL, 10);
    if (length > 0 && from + length <= n &&
        (from + length == n || mangled[from + length] == '_'))
      return pl_arena_str(arena, mangled + from, length);
  }
  return pl_arena_str(arena, mangled, n);
}

static void read_symbols(pl_emu *p, pl_emu_object *o) {
  char line[4096], name[3500];
  pl_emu_symbol symbol;
  pl_str text = pl_arena_printf(p->arena, "readelf -sW '%s'", o->so);
  FILE *from = o->symbols_are_read ? NULL : popen(text.p, "r");
  o->symbols_are_read = true;
  while (from && fgets(line, sizeof line, from))
    if (strstr(line, " TLS ") &&
        sscanf(line, " %*d: %lx %lu TLS %*s %*s %*s %3499s", &symbol.value,
               &symbol.size, name) == 3) {
      symbol.name = pl_arena_str(p->arena, name, strlen(name));
      PL_PUSH(p->arena, o->symbols, o->n_symbols, o->cap_symbols, symbol);
    }
  if (from)
    pclose(from);
}

/* The mangled name of the static shared variable at `offset` of the
 * thread-local block; *offset becomes the offset in it. Empty where there is
 * none. */
pl_str pl_emu_shared_symbol(pl_emu *p, pl_emu_object *o, long *offset) {
  unsigned long at = (unsigned long)*offset;
  read_symbols(p, o);
  for (size_t i = o->n_symbols; *offset >= 0 && i-- > 0;)
    if (at >= o->symbols[i].value &&
        at - o->symbols[i].value < o->symbols[i].size) {
      *offset = (long)(at - o->symbols[i].value);
      return o->symbols[i].name;
    }
  return (pl_str){0};
}

/* How far `at` lies from a variable, outside of it. */
static unsigned long distance(const pl_emu_symbol *s, unsigned long at) {
  return at < s->value ? s->value - at : at - s->value - s->size + 1;
}

/* The variable nearest to what is nobody's, and *offset from its begin. */
static pl_str nearest_symbol(const pl_emu_object *o, long *offset) {
  const pl_emu_symbol *nearest = NULL;
  unsigned long at = (unsigned long)*offset;
  for (size_t i = 0; *offset >= 0 && i < o->n_symbols; i++) {
    const pl_emu_symbol *s = &o->symbols[i];
    if (s->size && !pl_str_starts(s->name, "_ZGV") &&
        !pl_str_has(s->name, "pl_anchor") &&
        (!nearest || distance(s, at) < distance(nearest, at)))
      nearest = s;
  }
  if (!nearest)
    return (pl_str){0};
  *offset -= (long)nearest->value;
  return nearest->name;
}

static pl_str shared_variable(pl_emu *p, pl_emu_object *o, long *offset) {
  pl_str symbol = pl_emu_shared_symbol(p, o, offset);
  if (!symbol.n)
    symbol = nearest_symbol(o, offset);
  return symbol.n ? variable_name(p->arena, symbol.p)
                  : PL_STR("shared memory");
}

static int grid_dims(const pl_emu *p, size_t launch, size_t object_index) {
  int dims = 1;
  for (size_t i = 0; i < p->n_cases; i++) {
    const int64_t *grid = p->cases[i].shapes[object_index].grid;
    int n = grid[2] > 1 ? 3 : grid[1] > 1 ? 2 : 1;
    if (p->cases[i].launch_index == launch && n > dims)
      dims = n;
  }
  return dims;
}

pl_str pl_emu_block_text(pl_emu *p, size_t launch, size_t object_index,
                         const long long *block) {
  int n = grid_dims(p, launch, object_index);
  pl_text text = {.arena = p->arena};
  for (int i = 0; i < n; i++)
    pl_text_printf(&text, "%s%lld", i ? "," : "block ", block[i]);
  return pl_text_view(&text);
}

pl_str pl_emu_target_text(pl_emu *p, pl_emu_object *o, const pl_launch *l,
                          int space, int index, long offset) {
  if (space < 0)
    return (pl_str){0};
  pl_str name = PL_STR("dynamic shared memory");
  if (space == 0)
    name = shared_variable(p, o, &offset);
  else if (space == 2 && (size_t)index < l->n_args)
    name = pl_arena_printf(p->arena, "%s", l->args[index].name);
  return pl_arena_printf(p->arena, " '%.*s' byte %ld", PL_FMT(name), offset);
}
