/* shadow_results.c - see shadow_results.h. */
#include "shadow_results.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena.h"
#include "memory.h"
#include "output.h"
#include "report_tree.h"
#include "text.h"

/* One kernel, or one instance of a template, at one line, and of several forms that
 * are timed one. */
typedef struct site {
  int line; /* 0: not known */
  const char *kernel;
  const char *form; /* "": there is one alone */
  long long timed;  /* launches */
  double ns, original_ns; /* of all these */
  long long launches, refused, checks; /* launches: -1, not counted */
  long long equal, unchanged, unsteady;
  const char *finding; /* the first; NULL: none */
  const char *reason;  /* why a launch was not shadowed; NULL */
} site;

typedef struct reader {
  pl_arena *arena;
  FILE *out, *err;
  const pl_command *command;
  pl_proof_report *report; /* NULL: not asked for */
  const char *path; /* of the source, as it was given */
  const char *device, *trouble;
  json_t *chosen; /* the form that auto takes, by kernel; NULL: none is named */
  bool is_timed;
  json_t *kernels; /* names of the rewritten ones */
  site *sites;
  size_t n, cap;
  const char **idle; /* instances that were never launched */
  size_t n_idle, cap_idle;
  long long started, ended; /* processes */
  long long status;         /* of the program; -1: not known */
  bool ran;
  bool cut_off; /* a line that is no record */
} reader;

static long long number_of(const json_t *record, const char *name) {
  return json_integer_value(json_object_get(record, name));
}

static const char *keep(reader *r, const char *text) {
  return pl_arena_printf(r->arena, "%s", text).p;
}

static bool is_at(const site *s, const json_t *record) {
  return s->line == (int)number_of(record, "line") &&
         strcmp(s->kernel, pl_tree_text(record, "kernel")) == 0;
}

static site *site_of(reader *r, const json_t *record) {
  const char *form = pl_tree_text(record, "form");
  for (size_t i = 0; i < r->n; i++)
    if (is_at(&r->sites[i], record) && strcmp(r->sites[i].form, form) == 0)
      return &r->sites[i];
  site fresh = {.line = (int)number_of(record, "line"),
                .kernel = keep(r, pl_tree_text(record, "kernel")),
                .form = keep(r, form)};
  PL_PUSH(r->arena, r->sites, r->n, r->cap, fresh);
  return &r->sites[r->n - 1];
}

/* --- records --------------------------------------------------------------- */

static const char *difference(reader *r, const json_t *record) {
  return pl_arena_printf(r->arena,
                         "differs: %s: %s, should be %s (%lld of %lld differ,"
                         " launch %lld)",
                         pl_tree_text(record, "where"), pl_tree_text(record, "value"),
                         pl_tree_text(record, "should"),
                         number_of(record, "differing"),
                         number_of(record, "elements"),
                         number_of(record, "launch"))
      .p;
}

static const char *fault(reader *r, const json_t *record) {
  return pl_arena_printf(r->arena, "%s: %s (launch %lld)",
                         pl_tree_text(record, "verdict"),
                         pl_tree_text(record, "reason"),
                         number_of(record, "launch"))
      .p;
}

static void take_check(reader *r, const json_t *record) {
  site *s = site_of(r, record);
  const char *verdict = pl_tree_text(record, "verdict");
  s->checks++;
  if (number_of(record, "ns") > 0) {
    s->timed++;
    s->ns += (double)number_of(record, "ns");
    s->original_ns += (double)number_of(record, "original_ns");
  }
  if (strcmp(verdict, "equal") == 0)
    s->equal++;
  else if (strcmp(verdict, "unchanged") == 0)
    s->unchanged++;
  else if (strcmp(verdict, "nondeterministic") == 0)
    s->unsteady++;
  else if (!s->finding)
    s->finding = strcmp(verdict, "differs") == 0 ? difference(r, record)
                                                 : fault(r, record);
}

/* What is known of the place holds for each form. */
static void take_site(reader *r, const json_t *record) {
  bool any = false;
  for (size_t i = 0; i < r->n; i++)
    any |= is_at(&r->sites[i], record);
  if (!any)
    site_of(r, record);
  for (size_t i = 0; i < r->n; i++)
    if (is_at(&r->sites[i], record)) {
      r->sites[i].launches += number_of(record, "launches");
      r->sites[i].refused += number_of(record, "refused");
    }
}

static void take_refusal(reader *r, const json_t *record) {
  site *s = site_of(r, record);
  if (!s->reason)
    s->reason = keep(r, pl_tree_text(record, "reason"));
}

static void take_start(reader *r, const json_t *record) {
  r->started++;
  if (*pl_tree_text(record, "device"))
    r->device = keep(r, pl_tree_text(record, "device"));
  if (*pl_tree_text(record, "trouble"))
    r->trouble = keep(r, pl_tree_text(record, "trouble"));
}

static void take_source(reader *r, const json_t *record) {
  r->path = keep(r, pl_tree_text(record, "path"));
  json_decref(r->kernels);
  r->kernels = json_deep_copy(json_object_get(record, "kernels"));
  r->is_timed = json_is_true(json_object_get(record, "timed"));
  json_decref(r->chosen);
  r->chosen = json_deep_copy(json_object_get(record, "auto"));
}

static void take_idle(reader *r, const json_t *record) {
  PL_PUSH(r->arena, r->idle, r->n_idle, r->cap_idle,
          keep(r, pl_tree_text(record, "kernel")));
}

static void take_program(reader *r, const json_t *record) {
  r->status = number_of(record, "status");
  r->ran = true;
}

static void take_end(reader *r, const json_t *record) {
  (void)record;
  r->ended++;
}

static const struct record_kind {
  const char *type;
  void (*take)(reader *r, const json_t *record);
} record_kinds[] = {
    {"source", take_source}, {"start", take_start},   {"check", take_check},
    {"refused", take_refusal}, {"site", take_site},   {"idle", take_idle},
    {"end", take_end},       {"program", take_program},
};

static bool take_record(reader *r, const json_t *record) {
  const char *type = pl_tree_text(record, "type");
  for (size_t i = 0; i < sizeof record_kinds / sizeof *record_kinds; i++)
    if (strcmp(type, record_kinds[i].type) == 0) {
      record_kinds[i].take(r, record);
      return true;
    }
  return false;
}

/* What a crash has cut off is left out. False: a record of another version. */
static bool read_lines(reader *r, const char *text, size_t size) {
  const char *end = text + size;
  for (const char *line = text; line < end;) {
    const char *newline = memchr(line, '\n', (size_t)(end - line));
    size_t n = (size_t)((newline ? newline : end) - line);
    json_t *record = json_loadb(line, n, 0, NULL);
    bool known = !record || take_record(r, record);
    r->cut_off |= !record;
    json_decref(record);
    if (!known)
      return false;
    line = newline ? newline + 1 : end;
  }
  return true;
}

/* --- verdicts --------------------------------------------------------------- */

static bool is_plain_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_';
}

/* "k" of "n::k<a::b>" and of "(anonymous namespace)::k". */
static pl_str last_part(const char *name) {
  size_t n = strcspn(name, "<");
  size_t from = n;
  while (from > 0 && is_plain_name(name[from - 1]))
    from--;
  return (pl_str){name + from, n - from};
}

static bool is_of(const site *s, const char *kernel) {
  return pl_str_eq(last_part(s->kernel), last_part(kernel));
}

static bool is_proven_elsewhere(const reader *r, const site *s) {
  for (size_t i = 0; i < r->n; i++)
    if (r->sites[i].equal && strcmp(r->sites[i].kernel, s->kernel) == 0 &&
        strcmp(r->sites[i].form, s->form) == 0)
      return true;
  return false;
}

static void say_place(const reader *r, const site *s) {
  fprintf(r->out, "GPU: %s:", r->path ? r->path : "program");
  if (s->line)
    fprintf(r->out, "%d:", s->line);
  fprintf(r->out, " %s: ", s->kernel);
}

static void say_counts(const reader *r, const site *s) {
  if (s->launches > 0)
    fprintf(r->out, " (%lld of %lld launches compared)", s->checks,
            s->launches);
  else
    fprintf(r->out, " (%lld launches compared)", s->checks);
}

/* What becomes of one place, in words and for machines. */
typedef struct judgement {
  const char *proof; /* one word */
  const char *text;
  int code;
} judgement;

static judgement judge(const reader *r, const site *s) {
  if (s->finding)
    return (judgement){"finding", s->finding, PL_EXIT_PROOF_FAILED};
  if (s->unsteady)
    return (judgement){"nondeterministic",
                       "not proven: the original disagrees with itself",
                       PL_EXIT_NOT_PROVEN};
  if (s->equal)
    return (judgement){"equal", "equal", PL_EXIT_FINE};
  if (is_proven_elsewhere(r, s))
    return (judgement){"equal", "equal, with the result there before",
                       PL_EXIT_FINE};
  return (judgement){"unchanged",
                     "not proven: equal, but the original left everything as"
                     " it was",
                     PL_EXIT_NOT_PROVEN};
}

static void report(const reader *r, const site *s, judgement j) {
  pl_proof_site row = {.path = r->path,
                       .kernel = s->kernel,
                       .line = s->line,
                       .form = s->form && *s->form ? s->form : NULL,
                       .proof = j.proof,
                       .code = j.code,
                       .detail = j.text,
                       .timed = s->timed};
  if (s->timed) {
    row.ms = s->ns / (double)s->timed / 1e6;
    row.original_ms = s->original_ns / (double)s->timed / 1e6;
  }
  if (r->report)
    pl_proof_report_add_site(r->report, &row);
}

/* ---- times ----------------------------------------------------------------- */

static void say_time(const reader *r, const char *name, bool chosen,
                     const char *proof, double ns, double original) {
  fprintf(r->out, "  %-13s%c %-16s %10.4f %8.3fx\n", name, chosen ? '*' : ' ',
          proof, ns / 1e6, original / ns);
}

/* A place's first form that was timed knows the original's time. */
static void say_original(const reader *r, size_t first, size_t end) {
  const site *s = &r->sites[first];
  while (s < &r->sites[end] && !s->timed)
    s++;
  say_place(r, &r->sites[first]);
  fprintf(r->out, "%lld of %lld launches timed\n",
          s < &r->sites[end] ? s->timed : 0, r->sites[first].launches);
  fprintf(r->out, "  %-14s %-16s %10s %9s\n", "form", "proof", "ms", "speedup");
  if (s < &r->sites[end]) {
    double ns = s->original_ns / (double)s->timed;
    say_time(r, "original", false, "-", ns, ns);
  }
}

/* Whether it is what auto takes. */
static bool is_chosen(const reader *r, const site *s) {
  const char *name;
  json_t *form;
  json_object_foreach(r->chosen, name, form) {
    const char *text = json_string_value(form);
    if (is_of(s, name) && text && strcmp(text, s->form) == 0)
      return true;
  }
  return false;
}

static int say_timed_form(const reader *r, const site *s) {
  bool chosen = is_chosen(r, s);
  judgement j = s->checks ? judge(r, s)
                          : (judgement){"not-shadowed", s->reason,
                                        PL_EXIT_NOT_PROVEN};
  report(r, s, j);
  if (s->timed)
    say_time(r, s->form, chosen, j.proof, s->ns / (double)s->timed,
             s->original_ns / (double)s->timed);
  else
    fprintf(r->out, "  %-13s%c %-16s %10s %9s\n", s->form, chosen ? '*' : ' ',
            j.proof, "-", "-");
  if (j.code != PL_EXIT_FINE)
    fprintf(r->out, "    %s\n", j.text ? j.text : "");
  return j.code;
}

static int say_compared(const reader *r, const site *s) {
  judgement j = judge(r, s);
  report(r, s, j);
  if (r->command->quiet && j.code == PL_EXIT_FINE)
    return j.code;
  say_place(r, s);
  fprintf(r->out, "%s", j.text);
  if (!s->finding)
    say_counts(r, s);
  fprintf(r->out, "\n");
  return j.code;
}

static int say_refused(const reader *r, const site *s) {
  judgement j = {"not-shadowed", s->reason, PL_EXIT_NOT_PROVEN};
  report(r, s, j);
  say_place(r, s);
  fprintf(r->out, "not proven: %s", j.text);
  if (s->refused)
    fprintf(r->out, " (%lld launches)", s->refused);
  fprintf(r->out, "\n");
  return j.code;
}

static int worse(int a, int b) {
  if (a == PL_EXIT_PROOF_FAILED || b == PL_EXIT_PROOF_FAILED)
    return PL_EXIT_PROOF_FAILED;
  return a > b ? a : b;
}

static int by_place(const void *a, const void *b) {
  const site *x = a, *y = b;
  if (x->line != y->line)
    return x->line < y->line ? -1 : 1;
  return strcmp(x->kernel, y->kernel);
}

static bool is_same_place(const site *a, const site *b) {
  return by_place(a, b) == 0;
}

/* Forms keep their order within a place. */
static void group_places(reader *r) {
  for (size_t i = 1; i < r->n; i++) {
    site moved = r->sites[i];
    size_t at = i;
    for (; at > 0 && by_place(&r->sites[at - 1], &moved) > 0; at--)
      r->sites[at] = r->sites[at - 1];
    r->sites[at] = moved;
  }
}

static int say_times(reader *r) {
  int code = PL_EXIT_FINE;
  group_places(r);
  for (size_t i = 0, end; i < r->n; i = end) {
    for (end = i; end < r->n && is_same_place(&r->sites[i], &r->sites[end]);)
      end++;
    say_original(r, i, end);
    for (size_t k = i; k < end; k++)
      code = worse(code, say_timed_form(r, &r->sites[k]));
  }
  if (r->n)
    fprintf(r->out, "ms: a launch's, the L2 cache cold; the mean of the medians of "
                    "all launches that were timed%s\n",
            r->chosen ? "\n*: the choice of --variant=auto" : "");
  return code;
}

static int say_sites(const reader *r) {
  int code = PL_EXIT_FINE;
  for (size_t i = 0; i < r->n; i++) {
    if (r->sites[i].checks)
      code = worse(code, say_compared(r, &r->sites[i]));
    if (r->sites[i].reason)
      code = worse(code, say_refused(r, &r->sites[i]));
  }
  return code;
}

/* Every rewritten kernel has to be seen. */
static int say_missing(const reader *r) {
  int code = PL_EXIT_FINE;
  size_t k;
  json_t *name;
  json_array_foreach(r->kernels, k, name) {
    bool seen = false;
    for (size_t i = 0; i < r->n; i++)
      seen |= is_of(&r->sites[i], json_string_value(name));
    if (seen)
      continue;
    site unseen = {.kernel = json_string_value(name)};
    judgement j = {"not-launched", "not proven: no launch was seen",
                   PL_EXIT_NOT_PROVEN};
    report(r, &unseen, j);
    say_place(r, &unseen);
    fprintf(r->out, "%s\n", j.text);
    code = j.code;
  }
  return code;
}

/* A device function was rewritten, and no kernel that may call it was seen. */
static int say_nothing_seen(const reader *r) {
  if (r->n || json_array_size(r->kernels))
    return PL_EXIT_FINE;
  fprintf(r->out, "GPU: %s: not proven: no launch was seen\n", r->path);
  return PL_EXIT_NOT_PROVEN;
}

/* Instances of which another one was launched. */
static void say_idle(const reader *r) {
  for (size_t i = 0; i < r->n_idle && !r->command->quiet; i++)
    if (strchr(r->idle[i], '<'))
      fprintf(r->out, "GPU: %s: %s: not launched, not proven\n",
              r->path ? r->path : "program", r->idle[i]);
}

static int say_program(const reader *r) {
  if (r->trouble)
    fprintf(r->out, "GPU: skipped, %s\n", r->trouble);
  if (!r->ran || r->status == 0) {
    bool cut_off = !r->ran || r->cut_off || r->started > r->ended;
    if (cut_off && !r->trouble)
      fprintf(r->out, "GPU: the program ended early: its last launches are not"
                      " in the results\n");
    return cut_off || r->trouble ? PL_EXIT_NOT_PROVEN : PL_EXIT_FINE;
  }
  fprintf(r->out, "GPU: not proven: the program ended with status %lld\n",
          r->status);
  return PL_EXIT_NOT_PROVEN;
}

static int say_all(reader *r) {
  if (r->device && !r->command->quiet)
    fprintf(r->out, "GPU: %s\n", r->device);
  int code = r->is_timed ? say_times(r) : say_sites(r);
  code = worse(code, say_missing(r));
  code = worse(code, say_nothing_seen(r));
  say_idle(r);
  return worse(code, say_program(r));
}

/* --- files ------------------------------------------------------------------ */

static char *file_of(const char *path) {
  return pl_ends_with(path, ".jsonl") ? pl_format("%s", path)
                                      : pl_format("%s/shadow.jsonl", path);
}

bool pl_is_shadow_results(const char *path) {
  char *file = file_of(path);
  bool there = access(file, R_OK) == 0;
  free(file);
  return there;
}

int pl_report_shadow(const char *path, const pl_command *command,
                     pl_proof_report *rows, pl_streams streams) {
  reader r = {.arena = pl_new_arena(), .command = command,
              .report = rows,
              .out = streams.out, .err = streams.err, .status = -1};
  char *file = file_of(path);
  pl_bytes bytes;
  int code = PL_EXIT_ERROR;
  if (!pl_read_file(file, &bytes)) {
    fprintf(r.err, "pipelinify: error: %s: %s\n", file, strerror(errno));
  } else {
    if (read_lines(&r, bytes.data, bytes.size) && r.path)
      code = say_all(&r);
    else
      fprintf(r.err, "pipelinify: error: %s: no results of a shadowed"
                     " program\n", file);
    free(bytes.data);
  }
  json_decref(r.kernels);
  json_decref(r.chosen);
  pl_arena_free(r.arena);
  free(file);
  return code;
}
