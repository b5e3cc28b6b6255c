/* launch_taken.c - see launch_taken.h. */
#include "launch_taken.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "memory.h"
#include "program.h"
#include "text.h"

static const char *text_of(const pl_inferred *in, pl_taken_form form) {
  return form == PL_TAKEN_SMALL ? in->small
         : form == PL_TAKEN_OWN ? in->own
                                : in->few;
}

static size_t gaps_of(const pl_inferred *in, pl_taken_form form) {
  return form == PL_TAKEN_OWN ? in->own_gaps : in->gaps;
}

static bool is_whole(const pl_inferred *in, pl_taken_form form) {
  return !gaps_of(in, form) && !in->obstacle;
}

/* Small sizes are often those of another launch too; where they do not fit, each
 * launch's own would count, but one of them is enough to be told. */
static bool is_there(const pl_taken *t, const pl_inferred *in,
                     pl_taken_form form) {
  for (size_t i = 0; i < t->n_whole; i++)
    if (strcmp(text_of(t->whole[i], form), text_of(in, form)) == 0)
      return true;
  return false;
}

static bool has_whole(const pl_taken *t, const char *name) {
  for (size_t i = 0; i < t->n_whole; i++)
    if (strcmp(t->whole[i]->name, name) == 0)
      return true;
  return false;
}

/* The one with the fewest gaps stands for a kernel's launches. */
static void add_missing(pl_taken *t, const pl_inferred *in) {
  for (size_t i = 0; i < t->n_missing; i++)
    if (strcmp(t->missing[i]->name, in->name) == 0) {
      if (gaps_of(in, t->form) < gaps_of(t->missing[i], t->form))
        t->missing[i] = in;
      return;
    }
  t->missing[t->n_missing++] = in;
}

/* Launches of one kernel beyond that prove little more. */
enum { A_KERNEL = 4 };

static bool is_enough(const pl_taken *t, const char *name) {
  size_t n = 0;
  for (size_t i = 0; i < t->n_whole; i++)
    n += strcmp(t->whole[i]->name, name) == 0;
  return n >= A_KERNEL;
}

void pl_taken_find(pl_taken *t, const pl_bytes *source, pl_taken_form form,
                   const char *const *defines, size_t n_defines,
                   bool (*wanted)(const char *kernel, void *context),
                   void *context) {
  *t = (pl_taken){.form = form,
                  .all = pl_infer_launches(source->data, source->size, defines,
                                           n_defines)};
  size_t n = t->all->n;
  t->whole = pl_alloc(n + 1, sizeof *t->whole);
  t->missing = pl_alloc(n + 1, sizeof *t->missing);
  for (size_t i = 0; i < n; i++) {
    const pl_inferred *in = &t->all->items[i];
    bool asked = !wanted || wanted(in->name, context);
    if (asked && is_whole(in, form) && !is_there(t, in, form) &&
        !is_enough(t, in->name))
      t->whole[t->n_whole++] = in;
  }
  for (size_t i = 0; i < n; i++) {
    const pl_inferred *in = &t->all->items[i];
    if ((!wanted || wanted(in->name, context)) && !has_whole(t, in->name))
      add_missing(t, in);
  }
}

void pl_taken_free(pl_taken *t) {
  pl_inferred_free(t->all);
  free(t->whole);
  free(t->missing);
}

pl_launch_list *pl_taken_launches(const pl_taken *t, pl_taken_form form,
                                  const pl_taken_form *forms) {
  char *text;
  size_t size;
  FILE *to = pl_open_text(&text, &size);
  for (size_t i = 0; i < t->n_whole; i++)
    fputs(text_of(t->whole[i], forms ? forms[i] : form), to);
  fclose(to);
  pl_launch_error error;
  pl_launch_list *list = pl_launches_from_text(text, size, &error);
  if (!list) /* what we write we read */
    list = pl_launches_from_text("", 0, &error);
  free(text);
  return list;
}

static void write_lines(const char *text, const char *before, FILE *to) {
  while (*text) {
    size_t n = strcspn(text, "\n");
    fprintf(to, "%s%.*s\n", before, (int)n, text);
    text += n + (text[n] == '\n');
  }
}

static void say_one(const pl_inferred *in, const char *path,
                    pl_taken_form form, FILE *err) {
  fprintf(err, "%s:%u: note: launch taken from the host code:\n", path,
          in->line);
  write_lines(text_of(in, form), "  ", err);
  if (form == PL_TAKEN_SMALL && in->varies)
    fputs("  assumed: the kernel is right for these sizes too\n", err);
  if (form == PL_TAKEN_FEW && in->leaves_out)
    fputs("  assumed: a few blocks stand for all of the grid\n", err);
  fputs("  assumed: buffers hold random numbers\n", err);
  write_lines(form == PL_TAKEN_FEW ? in->few_assumed : in->assumed,
              "  assumed: ", err);
}

void pl_taken_say(const pl_taken *t, const char *path,
                  const pl_taken_form *forms, FILE *err) {
  for (size_t i = 0; i < t->n_whole; i++)
    say_one(t->whole[i], path, forms ? forms[i] : PL_TAKEN_OWN, err);
}

void pl_taken_say_missing(const pl_taken *t, const char *path, FILE *err) {
  char *file = pl_launch_file_of(path);
  for (size_t i = 0; i < t->n_missing; i++) {
    const pl_inferred *in = t->missing[i];
    fprintf(err, "%s:%u: note: the launch of '%s' is not known%s%s", path,
            in->line ? in->line : 1, in->name, in->obstacle ? ": " : "",
            in->obstacle ? in->obstacle : "");
    if (in->obstacle) {
      fprintf(err, "; 'validate --program=%s' proves it inside the program\n",
              path);
      continue;
    }
    fprintf(err, "; fill in each ? (--init writes %s):\n", pl_base_name(file));
    write_lines(text_of(in, t->form), "  ", err);
  }
  free(file);
}

char *pl_launch_file_of(const char *path) {
  const char *dot = strrchr(pl_base_name(path), '.');
  size_t n = dot ? (size_t)(dot - path) : strlen(path);
  return pl_format("%.*s.launch", (int)n, path);
}

static size_t write_all(const pl_taken *t, FILE *to) {
  size_t gaps = 0;
  fputs("# How the kernels beside this file are launched: docs/launch.md. A ? "
        "is to be filled in.\n", to);
  for (size_t i = 0; i < t->n_whole; i++)
    fprintf(to, "\n%s", t->whole[i]->small);
  for (size_t i = 0; i < t->n_missing; i++) {
    if (t->missing[i]->obstacle)
      continue;
    fprintf(to, "\n%s", t->missing[i]->small);
    gaps += t->missing[i]->gaps;
  }
  return gaps;
}

static bool can_be_described(const pl_taken *t) {
  bool any = t->n_whole > 0;
  for (size_t i = 0; i < t->n_missing; i++)
    any |= !t->missing[i]->obstacle;
  return any;
}

static int fail(const char *file, const char *why, FILE *err) {
  fprintf(err, "pipelinify: error: %s: %s\n", file, why);
  return PL_EXIT_ERROR;
}

int pl_taken_write(const pl_taken *t, const char *path, bool quiet,
                   FILE *err) {
  char *file = pl_launch_file_of(path), *text;
  size_t size;
  int code = PL_EXIT_FINE;
  if (!can_be_described(t)) {
    code = PL_EXIT_NOT_PROVEN;
    fprintf(err, "pipelinify: error: %s: no launch that a description can "
                 "say\n", path);
    pl_taken_say_missing(t, path, err);
  } else if (access(file, F_OK) == 0) {
    code = fail(file, "is there already, and is left as it is", err);
  } else {
    FILE *to = pl_open_text(&text, &size);
    size_t gaps = write_all(t, to);
    fclose(to);
    if (pl_write_file(file, text, size) == PL_WRITE_FAILED)
      code = fail(file, strerror(errno), err);
    else if (!quiet)
      fprintf(err, "%s: note: written; %zu %s to be filled in\n", file, gaps,
              gaps == 1 ? "line is" : "lines are");
    free(text);
  }
  free(file);
  return code;
}
