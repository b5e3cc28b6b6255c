/* product.c - see product.h. */
#define _GNU_SOURCE
#include "product.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "compiler_text.h"
#include "depfile.h"
#include "diff.h"
#include "generated.h"
#include "text.h"

void pl_run_print(pl_run_state *r, const char *data, size_t size) {
  if (fwrite(data, 1, size, r->streams.out) != size)
    pl_run_say_error(r, "standard output", strerror(errno));
}

/* The directory of a file that cannot be written, where it is to blame. */
static char *directory_trouble(const char *path, int reason) {
  int length = (int)(pl_base_name(path) - path);
  char *directory =
      length ? pl_format("%.*s", length, path) : pl_format("./");
  struct stat at;
  bool there = stat(directory, &at) == 0 && S_ISDIR(at.st_mode);
  bool denied = reason == EACCES && access(directory, W_OK) != 0;
  char *why = NULL;
  if (!there && (reason == ENOENT || reason == ENOTDIR))
    why = pl_format("cannot be written: there is no directory '%s'", directory);
  else if (there && (denied || reason == EROFS))
    why = pl_format("cannot be written: no new file may be made in '%s': %s",
                    directory, strerror(reason));
  free(directory);
  return why;
}

static char *write_trouble(const pl_run_state *r, const char *path,
                           int reason) {
  bool product =
      r->mode == PL_MODE_FILE && strcmp(path, r->command->output) == 0;
  if (reason == EISDIR)
    return pl_format(product ? "a directory; --out-dir=DIR writes below one"
                             : "a directory, not a file");
  char *why = directory_trouble(path, reason);
  return why ? why : pl_format("cannot be written: %s", strerror(reason));
}

static void say_unwritable(pl_run_state *r, const char *path, int reason) {
  char *why = write_trouble(r, path, reason);
  pl_run_say_error(r, path, why);
  free(why);
}

static bool write_marked(pl_run_state *r, const char *path, const char *data,
                         size_t size, const char *mark) {
  if (pl_is_stdin(path)) {
    pl_run_print(r, data, size);
    return true;
  }
  pl_write_status status = pl_write_marked(path, data, size, mark);
  if (status == PL_WRITE_DONE)
    pl_reuse_forget(r->reuse);
  if (status == PL_WRITE_FAILED)
    say_unwritable(r, path, errno);
  return status == PL_WRITE_DONE;
}

bool pl_run_write(pl_run_state *r, const char *path, const char *data,
                  size_t size) {
  return write_marked(r, path, data, size, NULL);
}

static void note_written(pl_run_state *r, bool written) {
  if (written && r->command->exit_on_change)
    pl_run_note_exit(r, PL_EXIT_CHANGED);
}

static void write_product(pl_run_state *r, const char *path, const pl_job *j) {
  bool written = pl_run_write(r, path, j->text, j->length);
  note_written(r, pl_is_stdin(path) ? j->changed : written);
}

static bool has_text(const pl_bytes *bytes, const char *text, size_t length) {
  return bytes->size == length && memcmp(bytes->data, text, length) == 0;
}

/* Whether someone has saved the file since we read it. */
static bool changed_meanwhile(const char *path, const pl_job *j) {
  pl_bytes now;
  if (!pl_read_file(path, &now))
    return false;
  bool known = has_text(&now, j->source.text, j->source.length) ||
               has_text(&now, j->text, j->length);
  free(now.data);
  return !known;
}

static void write_in_place(pl_run_state *r, const char *path,
                           const pl_job *j) {
  if (!j->changed)
    return;
  if (changed_meanwhile(path, j))
    pl_run_say_error(r, path,
                     "changed while it was looked at, and left so; run again");
  else
    write_product(r, path, j);
}

static void refuse_to_overwrite(pl_run_state *r, const char *path,
                                pl_generated_state state) {
  char *reason =
      pl_format("%s; --force overwrites it", pl_generated_name(state));
  pl_run_say_error(r, path, reason);
  free(reason);
}

/* A file of its own: neither the source itself nor a device. */
static bool is_separate(const pl_run_state *r, const char *path,
                        const pl_job *j) {
  struct stat there, source;
  bool product = r->mode == PL_MODE_FILE || r->mode == PL_MODE_OUT_DIR;
  if (!product || pl_is_stdin(path))
    return false;
  if (stat(path, &there) != 0)
    return true;
  bool same = stat(j->input->path, &source) == 0 &&
              there.st_dev == source.st_dev && there.st_ino == source.st_ino;
  return S_ISREG(there.st_mode) && !same;
}

/* Whether someone edited what we wrote there. A source that came of a run has
 * a line of ours already, which says nothing of its copy. */
static bool is_edited(const char *path, const pl_bytes *wanted,
                      const pl_job *j) {
  char mark[PL_MARK_SIZE];
  return (!pl_is_stamped(&j->source) || pl_mark_of(path, mark)) &&
         pl_generated_at(path, wanted) == PL_GENERATED_EDITED;
}

/* The products of -o and --out-dir. What did not change is a copy to the byte,
 * and has a mark alone. */
static void write_separate(pl_run_state *r, const char *path, const pl_job *j) {
  pl_bytes stamped = pl_written_text(&j->source, j->text, j->length);
  pl_job product = *j;
  if (j->changed) {
    product.text = stamped.data;
    product.length = stamped.size;
  }
  pl_bytes wanted = {(char *)product.text, product.length};
  char mark[PL_MARK_SIZE];
  pl_generated_mark(&wanted, mark);
  if (!r->command->force && is_edited(path, &wanted, j))
    refuse_to_overwrite(r, path, PL_GENERATED_EDITED);
  else
    note_written(r, write_marked(r, path, wanted.data, wanted.size, mark));
  free(stamped.data);
}

char *pl_product_path(const pl_run_state *r, const pl_input *input) {
  switch (r->mode) {
  case PL_MODE_STDOUT: return pl_format("-");
  case PL_MODE_FILE: return pl_format("%s", r->command->output);
  case PL_MODE_IN_PLACE: return pl_format("%s", input->path);
  case PL_MODE_SUFFIX: return pl_path_with_suffix(input->path, r->suffix);
  case PL_MODE_OUT_DIR: return pl_path_below(r->command->out_dir, input->below);
  default: return NULL;
  }
}

/* What was found in a directory gets no copy of itself beside it, unless an
 * older product has to be brought up to date. */
static bool is_needless(const pl_job *j, const char *path) {
  return j->input->found && !j->changed && access(path, F_OK) != 0;
}

/* --force aside, what is not ours or not as we left it stays. */
static void write_generated(pl_run_state *r, const char *path,
                            const pl_job *j) {
  pl_bytes wanted = pl_generated_text(&j->source, j->text, j->length);
  pl_generated_state state = pl_generated_at(path, &wanted);
  bool theirs = state == PL_GENERATED_EDITED || state == PL_GENERATED_FOREIGN;
  if (theirs && !r->command->force)
    refuse_to_overwrite(r, path, state);
  else if (state != PL_GENERATED_CURRENT)
    note_written(r, pl_run_write(r, path, wanted.data, wanted.size));
  free(wanted.data);
}

static void check_generated(pl_run_state *r, const pl_job *j) {
  char *path = pl_path_with_suffix(j->input->path, r->suffix);
  pl_bytes wanted = pl_generated_text(&j->source, j->text, j->length);
  pl_generated_state state = pl_generated_at(path, &wanted);
  if (state != PL_GENERATED_CURRENT && !is_needless(j, path)) {
    fprintf(r->streams.out, "%s\n", path);
    if (!r->command->quiet)
      fprintf(r->streams.err, "%s: note: %s\n", path, pl_generated_name(state));
    pl_run_note_exit(r, PL_EXIT_CHANGED);
  }
  free(wanted.data);
  free(path);
}

/* All that was read to make a product. */
static void add_read_files(const pl_run_state *r, const pl_job *j,
                           pl_words *names) {
  const char *source = j->source.path;
  if (!pl_is_stdin(j->input->path))
    pl_words_add(names, source);
  for (size_t i = 0; i < j->nheaders; i++)
    pl_words_add(names, j->headers[i]);
  pl_settings_files(r->settings, source, names, r->streams.err);
  pl_ignores_files(r->ignores, source, names);
  char *record = pl_record_path(r->command->record, source);
  if (!r->command->no_record && access(record, F_OK) == 0)
    pl_words_add(names, record);
  free(record);
}

/* Not for a product that could not be written. */
static void write_depfile(pl_run_state *r, const pl_job *j,
                          const char *product) {
  bool written = r->worst <= PL_EXIT_CHANGED && access(product, F_OK) == 0;
  if (!r->command->depfile || !written)
    return;
  const char *asked = r->command->depfile_path;
  char *path = asked ? pl_format("%s", asked) : pl_format("%s.d", product);
  pl_words names = {0};
  add_read_files(r, j, &names);
  pl_bytes text = pl_depfile_text(product, &names);
  pl_run_write(r, path, text.data, text.size);
  free(text.data);
  pl_words_free(&names);
  free(path);
}

static void write_file(pl_run_state *r, const pl_job *j) {
  char *path = pl_product_path(r, j->input);
  bool mirrored = r->mode == PL_MODE_OUT_DIR;
  if (mirrored && !pl_make_parents(path))
    say_unwritable(r, path, errno);
  else if (is_separate(r, path, j))
    write_separate(r, path, j);
  else if (r->mode == PL_MODE_IN_PLACE)
    write_in_place(r, path, j);
  else if (r->mode != PL_MODE_SUFFIX)
    write_product(r, path, j);
  else if (!is_needless(j, path))
    write_generated(r, path, j);
  write_depfile(r, j, path);
  free(path);
}

static void print_diff(pl_run_state *r, const pl_job *j) {
  bool differs = pl_diff_print(r->streams.out, j->source.path, j->source.text,
                               j->source.length, j->text, j->length);
  pl_run_note_exit(r, differs ? PL_EXIT_CHANGED : PL_EXIT_FINE);
}

static void print_check(pl_run_state *r, const pl_job *j) {
  if (r->command->suffix) {
    check_generated(r, j);
    return;
  }
  if (!j->changed)
    return;
  fprintf(r->streams.out, "%s\n", j->source.path);
  pl_run_note_exit(r, PL_EXIT_CHANGED);
}

bool pl_run_selection_failed(pl_run_state *r) {
  const char *pattern = pl_selection_failed(r->selection);
  if (pattern)
    pl_run_say_error(r, pattern, "the expression takes too long to match");
  return pattern;
}

/* "k.cu:23: gemm  <16, float> <32, float>" */
static void print_kernel(pl_run_state *r, const pl_job *j,
                         const pl_kernel_report *k) {
  FILE *out = r->streams.out;
  if (!k->is_global || !pl_selection_matches(k->name, r->selection))
    return;
  fprintf(out, "%s:%u: %s", j->source.path, k->line, k->name);
  for (size_t i = 0; i < k->ninstantiations; i++)
    fprintf(out, "%s<%s>", i ? " " : "  ", k->instantiations[i]);
  fputc('\n', out);
}

static void print_kernels(pl_run_state *r, const pl_job *j) {
  for (size_t i = 0; i < j->nkernels; i++)
    print_kernel(r, j, &j->kernels[i]);
  pl_run_selection_failed(r);
}

static void print_dump(pl_run_state *r, const pl_job *j) {
  if (j->dump)
    fputs(j->dump, r->streams.out);
  else
    pl_run_say_error(r, r->command->dump_after,
                     "no pass; they are frontend, loops, pragmas, phases, "
                     "slices, copies, derived, legality, split and plan");
}

/* What did not change is compiled where it is. */
static void write_for_compiler(pl_run_state *r, const pl_job *j) {
  const char *bound =
      j->changed ? pl_text_bound_to_place(&j->source) : NULL;
  if (!j->changed)
    return;
  if (bound) {
    char *why = pl_format("%s depends on where the source is", bound);
    pl_run_say_error(r, j->source.path, why);
    free(why);
    return;
  }
  pl_bytes text = pl_compiler_text(&j->source, j->answer);
  pl_run_write(r, r->command->output, text.data, text.size);
  free(text.data);
}

void pl_product_deliver(pl_run_state *r, const pl_job *j) {
  if (r->command->for_compiler) {
    write_for_compiler(r, j);
    return;
  }
  switch (r->mode) {
  case PL_MODE_DIFF: print_diff(r, j); break;
  case PL_MODE_CHECK: print_check(r, j); break;
  case PL_MODE_LIST: print_kernels(r, j); break;
  case PL_MODE_DUMP: print_dump(r, j); break;
  case PL_MODE_DRY_RUN: break;
  default: write_file(r, j); break;
  }
}
