/* validate.c - see validate.h.
 *
 *   translate -> compile (shared objects, runner) -> plan -> run -> verdicts
 *
 * emu.h has what the passes share, and in which file each is. */
#include "emu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"

static bool wanted(const pl_validate_request *req, const pl_launch *l) {
  return !req->kernel || strcmp(req->kernel, l->name) == 0 ||
         strcmp(req->kernel, l->kernel) == 0;
}

static void pick_launches(pl_emu *p) {
  const pl_launch_list *list = p->req->launches;
  p->launches = PL_NEW_ARRAY(p->arena, const pl_launch *, list->n + 1);
  for (size_t i = 0; i < list->n; i++)
    if (wanted(p->req, &list->launches[i]))
      p->launches[p->n_launches++] = &list->launches[i];
}

static bool load_object(pl_emu *p, pl_emu_object *o, const char *label,
                        const char *path, const char *text, size_t len) {
  o->label = label;
  o->path = path;
  o->source = (pl_str){text, len};
  if (text || pl_emu_read(p->arena, path, &o->source))
    return true;
  fprintf(p->out, "%s: cannot be read: %s\n", path, strerror(errno));
  return false;
}

static bool load_objects(pl_emu *p) {
  const pl_validate_request *req = p->req;
  p->n_objects = req->n_variants + 1;
  p->objects = PL_NEW_ARRAY(p->arena, pl_emu_object, p->n_objects);
  if (!load_object(p, &p->objects[0], "original", req->path, req->text,
                   req->len))
    return false;
  for (size_t i = 0; i < req->n_variants; i++) {
    const pl_validate_variant *v = &req->variants[i];
    if (!load_object(p, &p->objects[i + 1], v->label, v->path, v->text, v->len))
      return false;
  }
  return true;
}

static bool write_objects(pl_emu *p) {
  if (!pl_emu_make_dir(p) || !pl_emu_write_headers(p))
    return false;
  for (size_t i = 0; i < p->n_objects; i++)
    if (!pl_emu_translate(p, &p->objects[i], i))
      return false;
  return true;
}

static void make_tallies(pl_emu *p) {
  size_t n = p->n_launches * p->n_objects;
  p->tallies = PL_NEW_ARRAY(p->arena, pl_emu_tally, n + 1);
  p->case_errors = PL_NEW_ARRAY(p->arena, const char *, p->n_launches + 1);
  p->left_out = PL_NEW_ARRAY(p->arena, unsigned, p->n_launches + 1);
  pl_emu_clear_tallies(p);
  for (size_t i = 0; i < p->n_launches; i++)
    pl_emu_add_cases(p, i);
}

static int cannot_run(pl_emu *p, const char *why) {
  fprintf(p->out, "emulated: not run: %s\n", why);
  return 4;
}

static int prove(pl_emu *p) {
  pick_launches(p);
  if (p->n_launches == 0)
    return cannot_run(p, "no launch description");
  if (!(p->compiler = pl_emu_find_compiler(p->req)))
    return cannot_run(p, "no C++ compiler found");
  if (!load_objects(p))
    return cannot_run(p, "a source file is missing");
  if (!write_objects(p))
    return cannot_run(p, pl_emu_dir_trouble(p));
  make_tallies(p);
  if (!pl_emu_compile(p))
    return cannot_run(p, "the emulator cannot be compiled");
  pl_emu_keep_runner(p);
  if (p->objects[0].built)
    pl_emu_run(p);
  return pl_emu_report(p);
}

int pl_validate_cpu(const pl_validate_request *request, FILE *out) {
  pl_arena *arena = pl_new_arena();
  pl_emu p = {.req = request, .out = out, .arena = arena};
  int code = prove(&p);
  if (p.dir && request->keep_temp)
    fprintf(out, "emulated: files kept in %s\n", p.dir);
  else if (p.dir)
    pl_emu_remove_dir(&p);
  pl_arena_free(arena);
  return code;
}
