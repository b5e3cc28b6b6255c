/* bundle.c - see bundle.h. */
#define _XOPEN_SOURCE 700
#include "bundle.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "embedded.h"
#include "gpu_plan.h"
#include "gpu_sources.h"
#include "memory.h"
#include "output.h"
#include "pipelinify.h"
#include "report_tree.h"
#include "text.h"

struct pl_bundle {
  pl_arena *arena;
  const char *dir;
  bool anew;
  FILE *err;
  json_t *manifest, *cases;
};

static bool fail(pl_bundle *b, const char *path, const char *reason) {
  fprintf(b->err, "pipelinify: error: %s: %s\n", path, reason);
  return false;
}

/* --- files ---------------------------------------------------------------- */

static const char *inside(pl_bundle *b, const char *dir, const char *name) {
  return pl_arena_printf(b->arena, "%s/%s", dir, name).p;
}

static bool write_text(pl_bundle *b, const char *path, pl_str text) {
  FILE *f = pl_make_parents(path) ? fopen(path, "wb") : NULL;
  bool written =
      f && (text.n == 0 || fwrite(text.p, 1, text.n, f) == text.n);
  if (f)
    written = fclose(f) == 0 && written;
  return written || fail(b, path, strerror(errno));
}

static int remove_entry(const char *path, const struct stat *info, int kind,
                        struct FTW *place) {
  (void)info;
  (void)kind;
  (void)place;
  return remove(path);
}

static void remove_tree(const char *path) {
  nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static bool is_empty(const char *path) {
  DIR *dir = opendir(path);
  size_t entries = 0;
  for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir))
    entries += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
  if (dir)
    closedir(dir);
  return entries == 0;
}

/* --- the manifest --------------------------------------------------------- */

enum { MANIFEST_VERSION = 1 };

static void new_manifest(pl_bundle *b) {
  b->manifest = json_pack("{s:i, s:s, s:[]}", "bundle", MANIFEST_VERSION,
                          "pipelinify", PL_VERSION, "cases");
  b->cases = pl_made(json_object_get(b->manifest, "cases"));
}

/* False where the directory holds something that is no bundle. */
static bool read_manifest(pl_bundle *b) {
  b->manifest = json_load_file(inside(b, b->dir, "manifest.json"), 0, NULL);
  b->cases = json_object_get(b->manifest, "cases");
  json_t *version = json_object_get(b->manifest, "bundle");
  return json_is_array(b->cases) &&
         json_integer_value(version) == MANIFEST_VERSION;
}

static size_t find_case(const pl_bundle *b, const char *name,
                        const char *value) {
  size_t i;
  json_t *entry;
  json_array_foreach(b->cases, i, entry)
    if (strcmp(pl_tree_text(entry, name), value) == 0)
      return i;
  return json_array_size(b->cases);
}

static bool has_case(const pl_bundle *b, const char *name, const char *value) {
  return find_case(b, name, value) < json_array_size(b->cases);
}

/* "a/tile/kernel.cu": "tile/kernel.cu"; without a directory: as it is. */
static const char *last_two(const char *path) {
  const char *base = pl_base_name(path), *from = base;
  if (from > path)
    from--;
  while (from > path && from[-1] != '/')
    from--;
  bool dots = pl_starts_with(from, "./") || pl_starts_with(from, "../");
  return from == base - 1 || dots ? base : from;
}

/* A name for the case's directory: the file's own and its directory's; that of
 * the directory alone where the file is called kernel.cu. */
static const char *plain_id(pl_bundle *b, const char *path) {
  const char *from = last_two(path);
  size_t n = strlen(from);
  if (pl_ends_with(from, "/kernel.cu"))
    n -= strlen("/kernel.cu");
  else if (pl_ends_with(from, ".cu"))
    n -= strlen(".cu");
  char *id = pl_arena_cstr(b->arena, (pl_str){from, n});
  for (char *c = id; *c; c++)
    if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                "0123456789_-", *c))
      *c = '-';
  return id;
}

/* The old name of an input that is here already; else one that is free. What is
 * `beside` the file's own name names the case alone. */
static const char *case_id(pl_bundle *b, const char *path, const char *beside) {
  if (beside)
    return pl_arena_printf(b->arena, "%s-%s", plain_id(b, path), beside).p;
  size_t known = find_case(b, "source", path);
  if (known < json_array_size(b->cases))
    return pl_arena_printf(b->arena, "%s",
                           pl_tree_text(json_array_get(b->cases, known), "id")).p;
  const char *plain = plain_id(b, path), *id = plain;
  for (int i = 2; has_case(b, "id", id); i++)
    id = pl_arena_printf(b->arena, "%s-%d", plain, i).p;
  return id;
}

/* Text that came from elsewhere may not be UTF-8, which JSON is. */
static json_t *json_text(const char *text) {
  json_t *value = json_string(text);
  return value ? value : json_string("?");
}

static json_t *form_entry(const pl_bundle_form *form) {
  json_t *bytes = json_array();
  for (size_t i = 0; i < form->n_copies; i++)
    json_array_append_new(bytes, json_integer(form->copy_bytes[i]));
  return json_pack("{s:s, s:i, s:o, s:b}", "variant", form->label, "stages",
                   form->stages, "copy_bytes", bytes, "auto", form->is_auto);
}

static bool is_changed(const pl_bundle_case *c, size_t launch) {
  for (size_t i = 0; i < c->n_forms; i++)
    if (c->forms[i].launches[launch])
      return true;
  return false;
}

/* The functions with tile loops, to know them again after a measurement. */
static json_t *function_entries(const pl_bundle_case *c) {
  json_t *entries = json_array();
  for (size_t i = 0; i < c->n_functions; i++) {
    const pl_kernel_report *f = &c->functions[i];
    if (f->fingerprint)
      json_array_append_new(
          entries, json_pack("{s:o, s:s, s:b}", "name", json_text(f->name),
                             "fingerprint", f->fingerprint, "kernel",
                             f->is_global));
  }
  return entries;
}

static json_t *side_entries(const pl_bundle_case *c) {
  json_t *entries = json_array();
  for (size_t i = 0; i < c->n_sides; i++)
    json_array_append_new(entries, json_string(c->sides[i].label));
  return entries;
}

static void note_case(pl_bundle *b, const pl_bundle_case *c, const char *id) {
  json_t *forms = json_array(), *kernels = json_array();
  for (size_t i = 0; i < c->n_forms; i++)
    json_array_append_new(forms, form_entry(&c->forms[i]));
  for (size_t i = 0; i < c->launches->n; i++)
    if (is_changed(c, i))
      json_array_append_new(kernels,
                            json_text(c->launches->launches[i].kernel));
  json_t *entry =
      json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "id", id, "source",
                json_text(c->path), "kernels", kernels, "functions",
                function_entries(c), "variants", forms, "sides",
                side_entries(c));
  size_t known = find_case(b, "id", id);
  pl_made(entry);
  if (known < json_array_size(b->cases))
    json_array_set_new(b->cases, known, entry);
  else
    json_array_append_new(b->cases, entry);
}

/* --- one case ------------------------------------------------------------- */

typedef struct packer {
  pl_bundle *b;
  const pl_bundle_case *c;
  const char *dir; /* of the case */
  pl_gpu_sources sources;
  pl_gpu_sources *of_forms; /* of those that have a file of their own */
} packer;

/* "src/kernel.cu", and for a form "src/kernel.ldg.cu" beside it. */
static const char *source_name(packer *p, const char *label) {
  const char *name = pl_gpu_sources_relative(&p->sources, p->sources.paths[0]);
  if (!label)
    return pl_arena_printf(p->b->arena, "src/%s", name).p;
  size_t n = strlen(name);
  n -= pl_ends_with(name, ".cu") ? 3 : 0;
  return pl_arena_printf(p->b->arena, "src/%.*s.%s.cu", (int)n, name, label).p;
}

static bool has_own_file(const packer *p, const pl_bundle_form *f) {
  return f->path && strcmp(f->path, p->c->path) != 0;
}

static const char *source_of_form(packer *p, size_t i) {
  const pl_bundle_form *f = &p->c->forms[i];
  if (!has_own_file(p, f))
    return source_name(p, f->label);
  return pl_arena_printf(p->b->arena, "src/%s",
                         pl_gpu_sources_relative(&p->of_forms[i],
                                                 p->of_forms[i].paths[0])).p;
}

/* The lines behind a form that make its kernels callable. `own`: what it is instead of
 * a form of the original; NULL. */
static void add_entries(packer *p, const pl_launch *const *own, pl_text *text) {
  for (size_t i = 0; i < p->c->launches->n; i++) {
    const pl_launch *l = own ? own[i] : &p->c->launches->launches[i];
    if (!is_changed(p->c, i))
      continue;
    if (l->types)
      pl_text_printf(text, "PL_ENTRY(%zu, (static_cast<void (*)%s>(&%s)))\n",
                     i, l->types, l->kernel);
    else
      pl_text_printf(text, "PL_ENTRY(%zu, (&%s))\n", i, l->kernel);
  }
}

static bool write_form(packer *p, const char *label, const char *source,
                       const pl_launch *const *own, pl_str body) {
  pl_bundle *b = p->b;
  pl_text text = {.arena = b->arena};
  pl_text_printf(&text, "#include \"pl_entry.cuh\"\n#include \"%s\"\n", source);
  add_entries(p, own, &text);
  const char *unit = pl_arena_printf(b->arena, "%s/%s.cu", p->dir, label).p;
  return write_text(b, inside(b, p->dir, source), body) &&
         write_text(b, unit, pl_text_view(&text));
}

static bool write_forms(packer *p) {
  const pl_bundle_case *c = p->c;
  if (!write_form(p, "original", source_name(p, NULL), NULL,
                  (pl_str){c->text, c->len}))
    return false;
  for (size_t i = 0; i < c->n_forms; i++) {
    const pl_bundle_form *f = &c->forms[i];
    if (!write_form(p, f->label, source_of_form(p, i), f->own_launches,
                    (pl_str){f->text, f->len}))
      return false;
  }
  for (size_t i = 0; i < c->n_sides; i++) {
    const pl_bundle_side *side = &c->sides[i];
    if (!write_form(p, side->label, source_name(p, side->label), NULL,
                    (pl_str){side->text, side->len}))
      return false;
  }
  return true;
}

static bool copy_headers(packer *p, const pl_gpu_sources *s) {
  for (size_t i = 1; i < s->n; i++) {
    pl_bytes bytes;
    const char *to = pl_arena_printf(p->b->arena, "%s/src/%s", p->dir,
                                     pl_gpu_sources_relative(s, s->paths[i])).p;
    if (!pl_read_file(s->paths[i], &bytes))
      return fail(p->b, s->paths[i], strerror(errno));
    bool written = write_text(p->b, to, (pl_str){bytes.data, bytes.size});
    free(bytes.data);
    if (!written)
      return false;
  }
  return true;
}

static bool copy_all_headers(packer *p) {
  if (!copy_headers(p, &p->sources))
    return false;
  for (size_t i = 0; i < p->c->n_forms; i++)
    if (has_own_file(p, &p->c->forms[i]) && !copy_headers(p, &p->of_forms[i]))
      return false;
  return true;
}

static bool write_flags(packer *p, const char *name, const pl_gpu_sources *s,
                        const pl_validate_flags *flags) {
  pl_text text = {.arena = p->b->arena};
  for (size_t i = 0; i < s->n_include_dirs; i++)
    pl_text_printf(&text, "-Isrc/%s\n",
                   pl_gpu_sources_relative(s, s->include_dirs[i]));
  if (flags->standard)
    pl_text_printf(&text, "-std=c++%d\n", flags->standard);
  for (size_t i = 0; i < flags->n_defines; i++)
    pl_text_printf(&text, "-D%s\n", flags->defines[i]);
  return write_text(p->b, inside(p->b, p->dir, name), pl_text_view(&text));
}

static bool write_all_flags(packer *p) {
  bool written = write_flags(p, "flags", &p->sources, &p->c->flags);
  for (size_t i = 0; written && i < p->c->n_forms; i++) {
    const pl_bundle_form *f = &p->c->forms[i];
    if (has_own_file(p, f))
      written = write_flags(
          p, pl_arena_printf(p->b->arena, "%s.flags", f->label).p,
          &p->of_forms[i], f->flags);
  }
  return written;
}

static void add_pair(pl_text *text, const pl_bundle_form *form, size_t launch,
                     const char *kernel) {
  pl_text_printf(text, "%zu\t%s\t%d\t", launch, form->label, form->stages);
  for (size_t i = 0; i < form->n_copies; i++)
    pl_text_printf(text, "%s%d", i ? "," : "", form->copy_bytes[i]);
  pl_bundle_barriers none = {0, 0};
  pl_bundle_barriers b = form->barriers ? form->barriers[launch] : none;
  pl_text_printf(text, "\t%s\t%s\t%d\t%d\n", form->is_auto ? "auto" : "-",
                 kernel, b.before, b.after);
}

static bool write_pairs(packer *p) {
  pl_text text = {.arena = p->b->arena};
  const pl_bundle_case *c = p->c;
  for (size_t i = 0; i < c->launches->n; i++)
    for (size_t k = 0; k < c->n_forms; k++)
      if (c->forms[k].launches[i])
        add_pair(&text, &c->forms[k], i, c->launches->launches[i].kernel);
  return write_text(p->b, inside(p->b, p->dir, "pairs"), pl_text_view(&text));
}

/* Only launches that some form changes are timed at all. */
static bool write_sides(packer *p) {
  pl_text text = {.arena = p->b->arena};
  const pl_bundle_case *c = p->c;
  for (size_t i = 0; i < c->launches->n; i++)
    for (size_t k = 0; k < c->n_sides; k++)
      if (c->sides[k].launches[i] && is_changed(c, i))
        pl_text_printf(&text, "%zu\t%s\t%s\n", i, c->sides[k].label,
                       c->launches->launches[i].kernel);
  return write_text(p->b, inside(p->b, p->dir, "sides"), pl_text_view(&text));
}

static bool write_plan(packer *p) {
  pl_launch_error error;
  pl_str plan = pl_gpu_plan(p->b->arena, p->c, &error);
  if (plan.n)
    return write_text(p->b, inside(p->b, p->dir, "plan"), plan);
  fprintf(p->b->err, "%s:%d:%d: error: %s\n", p->c->path, error.line,
          error.column, error.text);
  return false;
}

/* The files of all that is packed, seen from one root. */
static void find_sources(packer *p) {
  const pl_bundle_case *c = p->c;
  pl_arena *arena = p->b->arena;
  p->sources = pl_gpu_sources_find(arena, c->path, (pl_str){c->text, c->len},
                                   c->flags.include_dirs,
                                   c->flags.n_include_dirs);
  p->of_forms = PL_NEW_ARRAY(arena, pl_gpu_sources, c->n_forms + 1);
  for (size_t i = 0; i < c->n_forms; i++) {
    const pl_bundle_form *f = &c->forms[i];
    if (!has_own_file(p, f))
      continue;
    p->of_forms[i] = pl_gpu_sources_find(arena, f->path,
                                         (pl_str){f->text, f->len},
                                         f->flags->include_dirs,
                                         f->flags->n_include_dirs);
    pl_gpu_sources_join(arena, &p->sources, &p->of_forms[i]);
  }
}

bool pl_bundle_add(pl_bundle *bundle, const pl_bundle_case *c) {
  const char *id = case_id(bundle, c->path, c->beside);
  const char *dir =
      pl_arena_printf(bundle->arena, "%s/cases/%s", bundle->dir, id).p;
  packer p = {bundle, c, dir, {0}, NULL};
  find_sources(&p);
  remove_tree(dir);
  if (!write_forms(&p) || !copy_all_headers(&p) || !write_all_flags(&p) ||
      !write_pairs(&p) || !write_sides(&p) || !write_plan(&p))
    return false;
  note_case(bundle, c, id);
  return true;
}

/* --- the whole ------------------------------------------------------------ */

pl_bundle *pl_bundle_open(const char *dir, bool anew, FILE *err) {
  pl_bundle *b = pl_alloc(1, sizeof *b);
  b->arena = pl_new_arena();
  b->dir = dir;
  b->anew = anew;
  b->err = err;
  if (anew || is_empty(dir)) {
    new_manifest(b);
    return b;
  }
  if (read_manifest(b))
    return b;
  fail(b, dir, "exists, and is no bundle");
  json_decref(b->manifest);
  pl_arena_free(b->arena);
  free(b);
  return NULL;
}

static bool write_harness(pl_bundle *b) {
  for (size_t i = 0; i < pl_embedded_count; i++) {
    const pl_embedded_file *f = &pl_embedded_files[i];
    const char *name = pl_embedded_in(f, "harness");
    if (!name)
      continue;
    bool is_script = strcmp(name, "run") == 0;
    const char *path =
        is_script ? inside(b, b->dir, name)
                  : pl_arena_printf(b->arena, "%s/harness/%s", b->dir, name).p;
    if (!write_text(b, path, (pl_str){f->data, f->size}))
      return false;
    if (is_script && chmod(path, 0777 & ~022) != 0)
      return fail(b, path, strerror(errno));
  }
  return true;
}

static bool write_manifest(pl_bundle *b) {
  char *body = pl_made(json_dumps(b->manifest, JSON_INDENT(2)));
  bool written = write_text(b, inside(b, b->dir, "manifest.json"),
                            pl_arena_printf(b->arena, "%s\n", body));
  free(body);
  return written;
}

/* Directories of cases that the manifest does not name. */
static void remove_others(pl_bundle *b) {
  const char *cases = inside(b, b->dir, "cases");
  DIR *dir = opendir(cases);
  for (struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir))
    if (e->d_name[0] != '.' && !has_case(b, "id", e->d_name))
      remove_tree(inside(b, cases, e->d_name));
  if (dir)
    closedir(dir);
}

bool pl_bundle_close(pl_bundle *bundle) {
  if (bundle->anew)
    remove_others(bundle);
  bool written = write_harness(bundle) && write_manifest(bundle);
  json_decref(bundle->manifest);
  pl_arena_free(bundle->arena);
  free(bundle);
  return written;
}
