/* outputs.c - see outputs.h. */
#define _GNU_SOURCE
#include "outputs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "memory.h"
#include "product.h"
#include "text.h"

/* A file that is read or written. */
typedef struct place {
  char *path, *real;
  const char *option; /* that has it written; NULL: a product, or an input */
  size_t input;       /* that it is, or is made of */
  bool source;
} place;

typedef struct places {
  place *items;
  size_t count;
} places;

/* Its own path where it exists, else that of its directory and its name. */
static char *real_place(const char *path) {
  char *real = realpath(path, NULL);
  if (real)
    return real;
  int length = (int)(pl_base_name(path) - path);
  char *directory =
      length ? pl_format("%.*s", length, path) : pl_format("./");
  real = realpath(directory, NULL);
  free(directory);
  char *placed = real ? pl_format("%s/%s", real, pl_base_name(path))
                     : pl_format("%s", path);
  free(real);
  return placed;
}

/* Devices and pipes take what they get. */
static bool is_plain(const char *path) {
  struct stat at;
  return path && !pl_is_stdin(path) &&
         (stat(path, &at) != 0 || S_ISREG(at.st_mode));
}

static void add_place(places *all, place p) {
  if (!is_plain(p.path)) {
    free(p.path);
    return;
  }
  p.real = real_place(p.path);
  all->items[all->count++] = p;
}

static void add_option(places *all, const char *option, const char *path) {
  if (path)
    add_place(all, (place){.path = pl_format("%s", path), .option = option,
                           .input = SIZE_MAX});
}

static places all_places(const pl_run_state *r) {
  const pl_command *command = r->command;
  const pl_inputs *inputs = &r->inputs;
  enum { OPTIONS = 5 };
  places all = {pl_alloc(2 * inputs->count + OPTIONS, sizeof *all.items), 0};
  for (size_t i = 0; i < inputs->count; i++) {
    const pl_input *input = &inputs->items[i];
    char *product = pl_product_path(r, input);
    if (!input->trouble)
      add_place(&all, (place){.path = pl_format("%s", input->path), .input = i,
                              .source = true});
    if (product)
      add_place(&all, (place){.path = product, .input = i});
  }
  add_option(&all, "--report", command->report);
  add_option(&all, "--save-opt-record", command->opt_record);
  add_option(&all, "--export-fixes", command->export_fixes);
  add_option(&all, "-MF", command->depfile_path);
  add_option(&all, "--emit-ninja", command->emit_ninja);
  return all;
}

static int by_place(const void *left, const void *right) {
  const place *a = left, *b = right;
  int order = strcmp(a->real, b->real);
  return order ? order : (a->source < b->source) - (a->source > b->source);
}

static bool say_option(pl_run_state *r, const place *p, const char *what) {
  char *why = pl_format("%s, and '%s' would overwrite it", what, p->option);
  pl_run_say_error(r, p->path, why);
  free(why);
  return true;
}

/* Of two at one place, sources come first. A source may be its own product. */
static bool meet(pl_run_state *r, const place *a, const place *b) {
  if (a->source && b->source)
    return false;
  if (a->source && b->option)
    return say_option(r, b, "an input");
  if (a->source && a->input == b->input)
    return false;
  if (a->source)
    pl_run_say_error(r, b->path, "an input, and what another becomes would be "
                                 "written there");
  else if (!a->option && !b->option)
    pl_run_say_error(r, b->path, "two inputs would be written there");
  else
    return say_option(r, a->option ? a : b, "written by something else too");
  return true;
}

/* Each is compared with the first at its place: the source, if there is one. */
static bool places_clash(pl_run_state *r) {
  places all = all_places(r);
  bool clash = false;
  qsort(all.items, all.count, sizeof *all.items, by_place);
  for (size_t i = 1, first = 0; i < all.count && !clash; i++) {
    if (strcmp(all.items[first].real, all.items[i].real) != 0)
      first = i;
    else
      clash = meet(r, &all.items[first], &all.items[i]);
  }
  for (size_t i = 0; i < all.count; i++) {
    free(all.items[i].path);
    free(all.items[i].real);
  }
  free(all.items);
  return clash;
}

void pl_run_refuse(pl_run_state *r, const char *message) {
  fprintf(r->streams.err, "pipelinify: error: %s\n", message);
  pl_run_note_exit(r, PL_EXIT_ERROR);
}

bool pl_outputs_fit(pl_run_state *r) {
  bool several = r->inputs.many || r->inputs.count > 1;
  if (r->mode == PL_MODE_STDOUT && several)
    pl_run_refuse(r, "several inputs need -i, --out-dir, --suffix, --diff, "
                     "--check or -n");
  else if (r->mode == PL_MODE_FILE && several)
    pl_run_refuse(r, "'-o' takes one input, no directory and no list");
  else if (r->command->depfile_path && several)
    pl_run_refuse(r, "'-MF' takes one input; without it each product gets its"
                     " own depfile, PRODUCT.d");
  else
    return !places_clash(r);
  return false;
}
