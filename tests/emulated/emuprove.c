/* emuprove.c - the CPU proof by hand, without the command line tool.
 *
 *   emuprove ORIGINAL.cu LABEL=REWRITTEN.cu ... [-I DIR] [-D NAME]
 *            [--launch FILE] [--smem LABEL=EXPR] [--layers LABEL=N] [--cache DIR]
 *            [--cxx COMPILER] [-k KERNEL] [--timeout SECONDS] [--keep] [-v] [-vv] [-q]
 *
 * Build, from the top of the repository: sh tests/emulated/build.sh, which
 * leaves build-emu/emuprove.
 *
 * A path compared with itself (`same=ORIGINAL.cu`) shows whether the emulator
 * knows everything that a kernel uses. Exit codes: 0, 2 (usage), 3, 4. */
#include "launch.h"
#include "validate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 };

typedef struct options {
  pl_validate_request req;
  pl_validate_variant variants[MOST];
  pl_kernel_shape shapes[MOST];
  const char *include_dirs[MOST], *defines[MOST];
  const char *launch_file;
} options;

static char *read_all(const char *path, size_t *len) {
  FILE *f = fopen(path, "rb");
  if (!f)
    return NULL;
  fseek(f, 0, SEEK_END);
  *len = (size_t)ftell(f);
  rewind(f);
  char *text = malloc(*len + 1);
  *len = fread(text, 1, *len, f);
  text[*len] = 0;
  fclose(f);
  return text;
}

static int usage(void) {
  fprintf(stderr, "usage: emuprove ORIGINAL.cu LABEL=REWRITTEN.cu ... "
                  "[-I DIR] [-D NAME] [--launch FILE] [--smem LABEL=EXPR] [--layers LABEL=N] "
                  "[--cache DIR] [--cxx COMPILER] [-k KERNEL] [--keep] [-v]\n");
  return 2;
}

static void set_shape(options *o, char *text, bool layers) {
  char *equals = strchr(text, '=');
  for (size_t i = 0; equals && i < o->req.n_variants; i++)
    if (strncmp(o->variants[i].label, text, (size_t)(equals - text)) == 0) {
      if (layers)
        o->shapes[i].layers = atoi(equals + 1);
      else
        o->shapes[i].bytes = equals + 1;
      o->variants[i].shapes = &o->shapes[i];
      o->variants[i].n_shapes = 1;
    }
}

/* An option that takes a value; false where `name` is none. */
static bool set_option(options *o, const char *name, char *value) {
  if (!strcmp(name, "-I"))
    o->include_dirs[o->req.flags.n_include_dirs++] = value;
  else if (!strcmp(name, "-D"))
    o->defines[o->req.flags.n_defines++] = value;
  else if (!strcmp(name, "--launch"))
    o->launch_file = value;
  else if (!strcmp(name, "--smem") || !strcmp(name, "--layers"))
    set_shape(o, value, name[2] == 'l');
  else if (!strcmp(name, "--cache"))
    o->req.cache_dir = value;
  else if (!strcmp(name, "--cxx"))
    o->req.compiler = value;
  else if (!strcmp(name, "--timeout"))
    o->req.timeout_s = (unsigned)atoi(value);
  else if (!strcmp(name, "-k"))
    o->req.kernel = value;
  else
    return false;
  return true;
}

static bool set_flag(options *o, const char *name) {
  if (!strcmp(name, "--keep"))
    o->req.keep_temp = true;
  else if (!strcmp(name, "-v"))
    o->req.verbosity = 1;
  else if (!strcmp(name, "-vv"))
    o->req.verbosity = 2;
  else if (!strcmp(name, "-q"))
    o->req.verbosity = -1;
  else
    return false;
  return true;
}

static bool set_file(options *o, char *word) {
  char *equals = strchr(word, '=');
  if (!o->req.path) {
    o->req.path = word;
    return true;
  }
  if (!equals || o->req.n_variants == MOST)
    return false;
  *equals = 0;
  o->variants[o->req.n_variants++] =
      (pl_validate_variant){.label = word, .path = equals + 1};
  return true;
}

static bool read_options(options *o, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    if (set_flag(o, argv[i]))
      continue;
    if (argv[i][0] == '-' && i + 1 < argc && set_option(o, argv[i], argv[i + 1]))
      i++;
    else if (argv[i][0] == '-' || !set_file(o, argv[i]))
      return false;
  }
  return o->req.path && o->req.n_variants;
}

static pl_launch_list *read_launches(const options *o) {
  size_t len;
  pl_launch_error error;
  const char *path = o->launch_file ? o->launch_file : o->req.path;
  char *text = read_all(path, &len);
  if (!text) {
    perror(path);
    return NULL;
  }
  pl_launch_list *list = o->launch_file
                             ? pl_launches_from_text(text, len, &error)
                             : pl_launches_from_source(text, len, &error);
  if (!list)
    fprintf(stderr, "%s:%d:%d: error: %s\n", path, error.line, error.column,
            error.text);
  free(text);
  return list;
}

int main(int argc, char **argv) {
  options o = {0};
  if (!read_options(&o, argc, argv))
    return usage();
  pl_launch_list *list = read_launches(&o);
  if (!list)
    return 2;
  o.req.variants = o.variants;
  o.req.flags.include_dirs = o.include_dirs;
  o.req.flags.defines = o.defines;
  o.req.launches = list;
  int code = pl_validate_cpu(&o.req, stdout);
  pl_launch_list_free(list);
  return code;
}
