/* emu_repair.c - which lines of a file the compiler did not take, so that host
 * declarations in them are left out. See emu.h; emudrop.h says which may be.
 *
 * Between two rounds of emu_build.c. */
#include "emu.h"

#include <stdlib.h>
#include <string.h>

/* Does a line of the compiler's log say where something is wrong? */
static bool names_a_fault(pl_str line) {
  return pl_str_has(line, "error:") || pl_str_has(line, "required from") ||
         pl_str_has(line, "requested here");
}

static bool is_known(const pl_emu *p, const char *path, unsigned line) {
  for (size_t i = 0; i < p->n_bad_lines; i++)
    if (p->bad_lines[i].line == line &&
        strcmp(p->bad_lines[i].path, path) == 0)
      return true;
  return false;
}

/* "k.cu:40:7: error: ..." */
static void note_line(pl_emu *p, const char *path, pl_str text) {
  size_t n = strlen(path);
  if (!names_a_fault(text) || !pl_str_starts(text, path) || text.n <= n + 1 ||
      text.p[n] != ':')
    return;
  unsigned line = (unsigned)strtoul(text.p + n + 1, NULL, 10);
  if (line && !is_known(p, path, line))
    PL_PUSH(p->arena, p->bad_lines, p->n_bad_lines, p->cap_bad_lines,
            ((pl_emu_bad_line){path, line}));
}

static void read_log(pl_emu *p, const pl_emu_object *o, pl_str log) {
  while (log.n) {
    const char *end = memchr(log.p, '\n', log.n);
    size_t n = end ? (size_t)(end - log.p) : log.n;
    pl_str line = {log.p, n};
    note_line(p, o->path, line);
    for (size_t i = 0; i < p->n_headers; i++)
      note_line(p, p->headers[i].from, line);
    n += end != NULL;
    log = (pl_str){log.p + n, log.n - n};
  }
}

/* Translates an object anew. True: more was left out than before. */
static bool translate_again(pl_emu *p, pl_emu_object *o, size_t index) {
  size_t before = o->n_dropped;
  return pl_emu_translate(p, o, index) && o->n_dropped > before;
}

bool pl_emu_repair(pl_emu *p) {
  size_t known = p->n_bad_lines;
  bool changed = false;
  for (size_t i = 0; i < p->n_objects; i++) {
    pl_str log;
    if (!p->objects[i].built && pl_emu_read(p->arena, p->objects[i].log, &log))
      read_log(p, &p->objects[i], log);
  }
  if (p->n_bad_lines == known)
    return false;
  p->n_headers = 0;
  for (size_t i = 0; i < p->n_objects; i++)
    if (!p->objects[i].built)
      changed |= translate_again(p, &p->objects[i], i);
  return changed;
}
