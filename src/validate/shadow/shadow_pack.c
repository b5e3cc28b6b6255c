/* shadow_pack.c - see shadow_pack.h. */
#define _XOPEN_SOURCE 700
#include "shadow_pack.h"

#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "embedded.h"
#include "gpu_sources.h"
#include "memory.h"
#include "output.h"
#include "text.h"

typedef struct packer {
  const pl_shadow_program *program;
  pl_arena *arena;
  FILE *err;
  pl_gpu_sources sources;
  const char *source;  /* its path below program/ */
  char found[PATH_MAX]; /* the include that was resolved last */
} packer;

static bool fail(packer *p, const char *path) {
  fprintf(p->err, "pipelinify: error: %s: %s\n", path, strerror(errno));
  return false;
}

/* In place where it is there: a script that another process runs must not be
 * replaced while it has the same bytes. */
static bool write_file(packer *p, const char *name, pl_str text) {
  const char *path =
      pl_arena_printf(p->arena, "%s/%s", p->program->dir, name).p;
  return (pl_make_parents(path) &&
          pl_write_file(path, text.p ? text.p : "", text.n) !=
              PL_WRITE_FAILED) ||
         fail(p, path);
}

/* --- the two sources ------------------------------------------------------ */

/* The absolute path of a header that lies beside the source. */
static const char *beside_source(const char *name, void *context) {
  packer *p = context;
  const char *source = p->sources.paths[0];
  const char *slash = strrchr(source, '/');
  char *path = *name == '/' ? NULL
                            : pl_format("%.*s/%s", (int)(slash - source),
                                        source, name);
  bool there = path && access(path, R_OK) == 0 && realpath(path, p->found);
  free(path);
  return there ? p->found : NULL;
}

/* From the source's directory up to the directory that is packed. */
static const char *way_up(packer *p) {
  pl_text up = {.arena = p->arena};
  for (const char *c = p->source; *c; c++)
    if (*c == '/')
      pl_text_printf(&up, "../");
  pl_text_printf(&up, "../");
  return pl_arena_cstr(p->arena, pl_text_view(&up));
}

/* A path inside quotes of a #line. */
static void add_quoted(pl_text *out, const char *path) {
  for (const char *c = path; *c; c++)
    pl_text_printf(out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
}

static pl_str without_mark(pl_str text) {
  bool marked = text.n >= 3 && memcmp(text.p, "\xEF\xBB\xBF", 3) == 0;
  return marked ? (pl_str){text.p + 3, text.n - 3} : text;
}

static bool write_source(packer *p, const char *kind, pl_str text,
                         const char *launch, pl_str head, pl_str tail) {
  pl_marks marks = {
      .launch = launch,
      .include = p->program->with_headers ? NULL : beside_source,
      .context = p,
  };
  pl_text out = {.arena = p->arena};
  size_t n;
  char *marked = pl_made(pl_mark(text.p, text.n, &marks, &n));
  pl_text_add(&out, head);
  pl_text_add(&out, (pl_str){marked, n});
  pl_text_add(&out, tail);
  free(marked);
  const char *name =
      pl_arena_printf(p->arena, "%s/%s", kind, p->source).p;
  return write_file(p, name, pl_text_view(&out));
}

/* By this kernel the checker knows the rewritten file's device code: a build
 * that compiles another file of the same name would prove nothing. */
static const char rewritten_mark[] =
    "\nextern \"C\" __global__ void pl_shadow_rewritten() {}\n";

static bool write_sources(packer *p) {
  const pl_shadow_program *program = p->program;
  pl_text head = {.arena = p->arena};
  pl_text_printf(&head, "#include \"%sshadow/pl_shadow.h\"\n#line 1 \"",
                 way_up(p));
  add_quoted(&head, program->path);
  pl_text_printf(&head, "\"\n");
  return write_source(p, "program",
                      without_mark((pl_str){program->text, program->len}),
                      "pl_shadow_at(__LINE__) = ", pl_text_view(&head),
                      PL_STR(""));
}

static bool write_form(packer *p, const pl_shadow_form *form) {
  size_t n;
  const char *rewritten = pl_result_text(form->result, &n);
  return write_source(p, form->name, (pl_str){rewritten, n}, NULL, PL_STR(""),
                      PL_STR(rewritten_mark));
}

static bool copy_header(packer *p, const char *path) {
  pl_bytes bytes;
  const char *name = pl_gpu_sources_relative(&p->sources, path);
  if (!pl_read_file(path, &bytes))
    return fail(p, path);
  pl_str text = {bytes.data, bytes.size};
  const pl_shadow_program *program = p->program;
  bool written =
      write_file(p, pl_arena_printf(p->arena, "program/%s", name).p, text);
  for (size_t i = 0; i < program->nforms && written; i++)
    written = write_file(
        p, pl_arena_printf(p->arena, "%s/%s", program->forms[i].name, name).p,
        text);
  free(bytes.data);
  return written;
}

static bool copy_headers(packer *p) {
  for (size_t i = 1; p->program->with_headers && i < p->sources.n; i++)
    if (!copy_header(p, p->sources.paths[i]))
      return false;
  return true;
}

/* --- flags ---------------------------------------------------------------- */

static bool is_same_file(const char *a, const char *b) {
  struct stat x, y;
  return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
         x.st_ino == y.st_ino;
}

/* -I, -isystem and their like: the number of words, 0 for another flag. */
static size_t include_words(const char *word) {
  static const char *const names[] = {"-I", "--include-path", "-isystem",
                                      "--system-include"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (pl_starts_with(word, names[i]))
      return word[strlen(names[i])] ? 1 : 2;
  return 0;
}

/* The words after -- as they are, less those of a pasted command line that name
 * compiler, source and output. */
static void add_words(packer *p, pl_text *out) {
  const pl_command *command = p->program->command;
  for (size_t i = 0; i < command->nflags; i++) {
    const char *word = command->flags[i];
    size_t n = include_words(word);
    bool is_compiler = i == 0 && pl_ends_with(word, "nvcc");
    if (strcmp(word, "-o") == 0)
      i++;
    else if (n && p->program->with_headers)
      i += n - 1;
    else if (!is_compiler && strcmp(word, "-c") != 0 &&
             (*word == '-' || !is_same_file(word, p->program->path)))
      pl_text_printf(out, "%s\n", word);
  }
}

static bool has_word(const pl_command *command, const char *word) {
  for (size_t i = 0; i < command->nflags; i++)
    if (strcmp(command->flags[i], word) == 0)
      return true;
  return false;
}

/* What is not on the command line: the compilation database's, and those of
 * --extra-arg. */
static void add_settings(packer *p, pl_text *out) {
  const pl_command *command = p->program->command;
  const pl_clang_flags *flags = &command->clang;
  for (size_t i = 0; i < flags->count; i++) {
    const char *word = flags->arguments[i];
    size_t n = include_words(word);
    bool wanted = (n && !p->program->with_headers) ||
                  pl_starts_with(word, "-D") || pl_starts_with(word, "-U") ||
                  pl_starts_with(word, "-std=");
    if (wanted && !has_word(command, word)) {
      pl_text_printf(out, "%s\n", word);
      if (n == 2 && i + 1 < flags->count)
        pl_text_printf(out, "%s\n", flags->arguments[++i]);
    }
  }
}

static bool write_flags(packer *p) {
  pl_text out = {.arena = p->arena};
  const pl_command *command = p->program->command;
  add_words(p, &out);
  add_settings(p, &out);
  if (command->arch && pl_option_given(command, "gpu-architecture") &&
      command->clang.arch != command->arch)
    pl_text_printf(&out, "-arch=sm_%d\n", command->arch);
  for (size_t i = 0; p->program->with_headers && i < p->sources.n_include_dirs;
       i++)
    pl_text_printf(&out, "-I@/%s\n",
                   pl_gpu_sources_relative(&p->sources,
                                           p->sources.include_dirs[i]));
  return write_file(p, "flags", pl_text_view(&out));
}

/* --- for the checker ------------------------------------------------------ */

static bool is_pipelined(const pl_kernel_report *kernel) {
  for (size_t i = 0; i < kernel->nloops; i++)
    if (kernel->loops[i].verdict == PL_VERDICT_PIPELINED)
      return true;
  return false;
}

/* Any kernel may call a device function that was rewritten. */
static bool any_kernel(const pl_kernel_report *kernels, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!kernels[i].is_global && is_pipelined(&kernels[i]))
      return true;
  return false;
}

static void add_kernel(pl_text *out, const pl_kernel_report *kernel) {
  pl_text_printf(out, "%s", kernel->name);
  if (kernel->dynamic_smem)
    pl_text_printf(out, "\t!%s", kernel->dynamic_smem);
  if (kernel->layers > 1)
    pl_text_printf(out, "\t^%d", kernel->layers);
  for (size_t i = 0; i < kernel->nparameters; i++)
    pl_text_printf(out, "\t%s:%s", kernel->parameters[i].name,
                   kernel->parameters[i].type);
  pl_text_printf(out, "\n");
}

static bool write_kernels(packer *p, const pl_shadow_form *form) {
  pl_text out = {.arena = p->arena};
  size_t n;
  const pl_kernel_report *kernels = pl_result_kernels(form->result, &n);
  bool any = any_kernel(kernels, n);
  if (any)
    pl_text_printf(&out, "*\n");
  for (size_t i = 0; i < n; i++)
    if (kernels[i].is_global && (any || is_pipelined(&kernels[i])))
      add_kernel(&out, &kernels[i]);
  const char *name = pl_arena_printf(p->arena, "%s.kernels", form->name).p;
  return write_file(p, name, pl_text_view(&out));
}

static bool write_forms(packer *p) {
  const pl_shadow_program *program = p->program;
  pl_text names = {.arena = p->arena};
  bool written = true;
  for (size_t i = 0; i < program->nforms && written; i++) {
    pl_text_printf(&names, "%s\n", program->forms[i].name);
    written = write_form(p, &program->forms[i]) &&
              write_kernels(p, &program->forms[i]);
  }
  return written && write_file(p, "forms", pl_text_view(&names));
}

static bool write_limits(packer *p) {
  enum { CHECKS = 5 };
  long long checks = p->program->command->max_checks;
  pl_text text = {.arena = p->arena};
  pl_text_printf(&text, "checks %lld\n", checks ? checks : CHECKS);
  if (p->program->rounds)
    pl_text_printf(&text, "rounds %d\n", p->program->rounds);
  return write_file(p, "limits", pl_text_view(&text));
}

static bool is_listed(const json_t *names, const char *name) {
  size_t i;
  json_t *other;
  json_array_foreach(names, i, other) {
    if (strcmp(json_string_value(other), name) == 0)
      return true;
  }
  return false;
}

/* The kernels whose own loops were rewritten, in some form: each is to be launched. */
static json_t *rewritten_kernels(const pl_shadow_program *program) {
  json_t *names = json_array();
  for (size_t f = 0; f < program->nforms; f++) {
    size_t n;
    const pl_kernel_report *kernels =
        pl_result_kernels(program->forms[f].result, &n);
    for (size_t i = 0; i < n; i++)
      if (kernels[i].is_global && is_pipelined(&kernels[i]) &&
          !is_listed(names, kernels[i].name))
        json_array_append_new(names, json_string(kernels[i].name));
  }
  return names;
}

/* The form's name that a kernel's loops have in common; NULL: none. Free with
 * free. */
static char *form_of(const pl_kernel_report *kernel) {
  const pl_loop_report *found = NULL;
  for (size_t i = 0; i < kernel->nloops; i++) {
    const pl_loop_report *loop = &kernel->loops[i];
    if (loop->verdict != PL_VERDICT_PIPELINED)
      continue;
    if (found &&
        (found->variant != loop->variant || found->stages != loop->stages))
      return NULL;
    found = loop;
  }
  if (!found)
    return NULL;
  const char *name = pl_variant_name(found->variant);
  bool fixed = pl_variant_least(found->variant) == pl_variant_most(found->variant);
  return fixed ? pl_format("%s", name) : pl_format("%s-%d", name, found->stages);
}

/* Of each kernel. */
static json_t *choices(const pl_result *result) {
  json_t *names = json_object();
  size_t n;
  const pl_kernel_report *kernels = pl_result_kernels(result, &n);
  for (size_t i = 0; i < n; i++) {
    char *form = form_of(&kernels[i]);
    if (form)
      json_object_set_new(names, kernels[i].name, json_string(form));
    free(form);
  }
  return names;
}

static bool write_head(packer *p) {
  json_t *path = json_string(p->program->path);
  if (!path) {
    errno = EILSEQ;
    return fail(p, p->program->path);
  }
  json_t *head = pl_made(json_pack("{s:s, s:i, s:o, s:o}", "type", "source",
                                   "version", 1, "path", path, "kernels",
                                   rewritten_kernels(p->program)));
  if (p->program->rounds)
    json_object_set_new(head, "timed", json_true());
  if (p->program->choice)
    json_object_set_new(head, "auto", choices(p->program->choice));
  char *line = pl_made(json_dumps(head, JSON_COMPACT));
  pl_str text = pl_arena_printf(p->arena, "%s\n", line);
  free(line);
  json_decref(head);
  return write_file(p, "head.jsonl", text);
}

/* A command that an earlier call has left must not run. */
static bool write_command(packer *p, const char *name, const char *command) {
  if (command)
    return write_file(p, name, pl_arena_printf(p->arena, "%s\n", command));
  const char *path =
      pl_arena_printf(p->arena, "%s/%s", p->program->dir, name).p;
  return unlink(path) == 0 || errno == ENOENT || fail(p, path);
}

/* --- the whole ------------------------------------------------------------ */

static bool write_templates(packer *p) {
  for (size_t i = 0; i < pl_embedded_count; i++) {
    const pl_embedded_file *f = &pl_embedded_files[i];
    bool is_script = strcmp(f->name, "shadow/run") == 0;
    const char *name = is_script ? "run" : f->name;
    if (!pl_starts_with(f->name, "shadow/"))
      continue;
    if (!write_file(p, name, (pl_str){f->data, f->size}))
      return false;
    const char *path =
        pl_arena_printf(p->arena, "%s/%s", p->program->dir, name).p;
    if (is_script && chmod(path, 0777 & ~022) != 0)
      return fail(p, path);
  }
  return true;
}

static bool write_all(packer *p) {
  const pl_command *command = p->program->command;
  pl_str source = pl_arena_printf(p->arena, "%s\n", p->source);
  return write_templates(p) && write_sources(p) && copy_headers(p) &&
         write_file(p, "source", source) && write_flags(p) &&
         write_forms(p) && write_limits(p) && write_head(p) &&
         write_command(p, "build-command", command->build) &&
         write_command(p, "run-command", command->run);
}

/* The user's own include directories: where copied headers come from. */
static pl_gpu_sources find_sources(packer *p) {
  const pl_shadow_program *program = p->program;
  const pl_clang_flags *flags = &program->command->clang;
  const char **dirs = PL_NEW_ARRAY(p->arena, const char *, flags->count + 1);
  size_t n = 0;
  for (size_t i = 0; i < flags->count; i++) {
    const char *word = flags->arguments[i];
    if (strcmp(word, "-isystem") == 0 && i + 1 < flags->count)
      dirs[n++] = flags->arguments[++i];
    else if (pl_starts_with(word, "-I"))
      dirs[n++] = word + 2;
  }
  return pl_gpu_sources_find(p->arena, program->path,
                             (pl_str){program->text, program->len}, dirs, n);
}

bool pl_shadow_pack(const pl_shadow_program *program, FILE *err) {
  packer p = {.program = program, .arena = pl_new_arena(), .err = err};
  p.sources = find_sources(&p);
  p.source = program->with_headers
                 ? pl_gpu_sources_relative(&p.sources, p.sources.paths[0])
                 : pl_base_name(program->path);
  bool written = write_all(&p);
  pl_arena_free(p.arena);
  return written;
}
