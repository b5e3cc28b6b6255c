/* emu_files.c - the proof's temporary directory, and files read and written
 * whole. See emu.h. */
#include "emu.h"

#include "environment.h"
#include "interrupt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool pl_emu_read(pl_arena *arena, const char *path, pl_str *text) {
  FILE *f = fopen(path, "rb");
  if (!f)
    return false;
  pl_text to = {.arena = arena};
  char buffer[16384];
  size_t n;
  while ((n = fread(buffer, 1, sizeof buffer, f)) > 0)
    pl_text_add(&to, (pl_str){buffer, n});
  bool ok = !ferror(f);
  fclose(f);
  *text = pl_text_view(&to);
  return ok;
}

bool pl_emu_write(const char *path, pl_str text) {
  FILE *f = fopen(path, "wb");
  if (!f)
    return false;
  bool ok = fwrite(text.p, 1, text.n, f) == text.n;
  return fclose(f) == 0 && ok;
}

const char *pl_emu_path(pl_emu *p, const char *name) {
  return pl_arena_printf(p->arena, "%s/%s", p->dir, name).p;
}

const char *pl_emu_directory(pl_arena *arena, const char *path) {
  const char *slash = strrchr(path, '/');
  if (!slash)
    return ".";
  return pl_arena_cstr(arena, (pl_str){path, (size_t)(slash - path) + 1});
}

static const char *temporary_base(void) {
  const char *base = pl_environment_tmpdir();
  return base ? base : "/tmp";
}

bool pl_emu_make_dir(pl_emu *p) {
  pl_str name =
      pl_arena_printf(p->arena, "%s/pipelinify-XXXXXX", temporary_base());
  sigset_t before;
  pl_hold_signals(&before);
  p->dir = mkdtemp((char *)name.p);
  if (p->dir && !p->req->keep_temp)
    pl_interrupt_removes_directory(p->dir);
  pl_release_signals(&before);
  return p->dir != NULL;
}

const char *pl_emu_dir_trouble(const pl_emu *p) {
  const char *reason = strerror(errno);
  return pl_arena_printf(p->arena,
                         "no temporary files can be written in '%s' (%s); set "
                         "TMPDIR to a directory where they can",
                         temporary_base(), reason)
      .p;
}

void pl_emu_remove_dir(pl_emu *p) {
  pl_remove_directory(p->dir);
  pl_interrupt_removes_directory(NULL);
}
