/* emu_findings.c - runs the plan and sorts what the runner finds into a tally
 * for each launch and object. See emu.h.
 *
 * Before: emu_plan.c. Next: emu_verdict.c. */
#include "emu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the runner calls a finding, what that proves, and how it is told. */
static const struct {
  const char *word;
  pl_proof proof;
  const char *text, *other;
} FINDINGS[] = {
    {"race", PL_PROOF_RACE, "race on", "with the access"},
    {"in-flight", PL_PROOF_IN_FLIGHT, "a copy is in flight to",
     "the copy began"},
    {"source-changed", PL_PROOF_IN_FLIGHT, "a copy in flight still reads",
     "the copy began"},
    {"uninitialised", PL_PROOF_UNINITIALISED, "reads before any write:", ""},
    {"unwritten", PL_PROOF_UNWRITTEN, "reads what nothing has written of", ""},
    {"out-of-bounds", PL_PROOF_OUT_OF_BOUNDS, "out of bounds of", ""},
    {"misaligned", PL_PROOF_OUT_OF_BOUNDS, "misaligned access to", ""},
    {"bad-copy", PL_PROOF_OUT_OF_BOUNDS,
     "an asynchronous copy of neither 4, 8 nor 16 bytes to", ""},
    {"bad-source", PL_PROOF_OUT_OF_BOUNDS,
     "an asynchronous copy from other memory than global to", ""},
    {"divergence", PL_PROOF_DIVERGENCE, "wait at this barrier",
     "and the others elsewhere"},
    {"deadlock", PL_PROOF_DIVERGENCE, "wait at this barrier",
     "and the others never come"},
    {"warp-deadlock", PL_PROOF_DIVERGENCE,
     "wait here for threads of their warp that never come", "the others:"},
    {"mixed-warp", PL_PROOF_DIVERGENCE,
     "threads of a warp meet at different operations", ""},
    {"trap", PL_PROOF_FAULT, "the kernel traps", ""},
    {"fault", PL_PROOF_FAULT, "the kernel crashes", ""},
    {"timeout", PL_PROOF_FAULT, "the kernel does not end", ""},
};

static const char *const ORDERS[] = {"forward", "backward", "shuffled", NULL};
static const char *const LANDINGS[] = {"early", "late", "at-random", NULL};

const char *pl_replay_threads(int index) { return ORDERS[index]; }
const char *pl_replay_copies(int index) { return LANDINGS[index]; }

pl_emu_tally *pl_emu_tally_of(pl_emu *p, size_t launch, size_t object_index) {
  return &p->tallies[launch * p->n_objects + object_index];
}

static void add_detail_at(pl_emu_tally *t, pl_proof proof_kind, pl_str text,
                          pl_counterexample at) {
  if (proof_kind > t->worst)
    t->worst = proof_kind;
  for (size_t i = 0; i < t->n_details; i++)
    if (pl_str_eq(t->details[i].text, text))
      return;
  if (t->n_details < PL_EMU_DETAILS)
    t->details[t->n_details++] = (pl_emu_detail){proof_kind, text, at};
}

static void add_detail(pl_emu_tally *t, pl_proof proof_kind, pl_str text) {
  add_detail_at(t, proof_kind, text, (pl_counterexample){.thread = -1});
}

/* `block`: where it was seen; NULL: not said. */
static pl_str run_text(pl_emu *p, const long long *block) {
  const pl_emu_case *pc = &p->cases[p->run_case];
  pl_text text = {.arena = p->arena};
  pl_text_add(&text, pl_case_sizes_text(p->arena, &pc->c));
  if (text.n)
    pl_text_printf(&text, "; ");
  if (block) {
    pl_text_add(&text, pl_emu_block_text(p, pc->launch_index,
                                         (size_t)p->run_object, block));
    pl_text_printf(&text, "; ");
  }
  pl_text_printf(&text, "threads %s, copies %s", ORDERS[p->run_order],
                 LANDINGS[p->run_landing]);
  return pl_text_view(&text);
}

/* The run that is under way. */
static pl_counterexample example_now(pl_emu *p) {
  const pl_emu_case *pc = &p->cases[p->run_case];
  pl_str sizes = pl_case_sizes_text(p->arena, &pc->c);
  return (pl_counterexample){
      .sizes = pl_arena_cstr(p->arena, sizes),
      .run = {p->req->replay ? p->req->replay->seed : pc->set, p->run_order,
              p->run_landing},
      .thread = -1};
}

static pl_emu_tally *tally_now(pl_emu *p) {
  if (p->run_case < 0)
    return NULL;
  return pl_emu_tally_of(p, p->cases[p->run_case].launch_index,
                         (size_t)p->run_object);
}

/* Threads that stand at one line: see run_state.h for `how`. */
typedef struct group {
  char how;
  int line, count, first, last;
} group;

enum { MOST_GROUPS = 8 };

/* The runner's numbers for one finding. `offset` is a line for the findings
 * that concern barriers. `count` of the block's `threads` stand where `thread`
 * does; 0: not said. */
typedef struct finding {
  char word[32];
  unsigned code, other;
  int space, index;
  long offset;
  int thread, other_thread;
  long long block[3];
  int count, threads;
  group groups[MOST_GROUPS];
  size_t n_groups;
} finding;

static bool read_finding(const char *line, finding *f) {
  int used = 0;
  *f = (finding){0};
  if (sscanf(line, "finding\t%31s %x %x %d %d %ld %d %d %lld %lld %lld %d %d%n",
             f->word, &f->code, &f->other, &f->space, &f->index, &f->offset,
             &f->thread, &f->other_thread, &f->block[0], &f->block[1],
             &f->block[2], &f->count, &f->threads, &used) != 13)
    return false;
  for (line += used; *line == '\t' && f->n_groups < MOST_GROUPS; line += used) {
    group *g = &f->groups[f->n_groups];
    if (sscanf(line, "\t%c %d %d %d %d%n", &g->how, &g->line, &g->count,
               &g->first, &g->last, &used) != 5)
      break;
    f->n_groups++;
  }
  return true;
}

/* "thread 3", "threads 0 to 31", "some of threads 1 to 63" */
static void add_threads(pl_text *text, int count, int first, int last) {
  if (count == 1)
    pl_text_printf(text, "thread %d", first);
  else
    pl_text_printf(text, "%sthreads %d to %d",
                   last - first + 1 == count ? "" : "some of ", first, last);
}

/* "32 (threads 32 to 63) at the barrier at line 20" */
static void add_group(pl_text *text, const group *g) {
  pl_text_printf(text, "%d (", g->count);
  add_threads(text, g->count, g->first, g->last);
  pl_text_printf(text, ")");
  switch (g->how) {
  case 'b': pl_text_printf(text, " at the barrier at line %d", g->line); return;
  case 'n':
    pl_text_printf(text, " at the barrier of a part of the block at line %d",
                   g->line);
    return;
  case 'w':
    pl_text_printf(text, " at the warp operation at line %d", g->line);
    return;
  case 'e': pl_text_printf(text, " %s ended", g->count == 1 ? "has" : "have"); return;
  default: pl_text_printf(text, " still %s", g->count == 1 ? "runs" : "run");
  }
}

static void add_groups(pl_text *text, const finding *f) {
  for (size_t i = 0; i < f->n_groups; i++) {
    pl_text_printf(text, i ? ", " : " ");
    add_group(text, &f->groups[i]);
  }
}

static bool is_of_barrier(size_t kind) {
  return FINDINGS[kind].proof == PL_PROOF_DIVERGENCE;
}

/* "k.cu:12: 32 of 64 threads wait at this barrier, and the others never come: 32
 * (threads 32 to 63) at the warp operation at line 14" */
static pl_str barrier_text(pl_emu *p, const finding *f, size_t kind) {
  const pl_emu_object *o = &p->objects[p->run_object];
  pl_text text = {.arena = p->arena};
  pl_text_printf(&text, "%s:%ld%s: ", o->path, f->offset, pl_emu_whose_lines(p, o));
  if (!f->count) {
    pl_text_printf(&text, "%s (thread %d)", FINDINGS[kind].text, f->thread);
    return pl_text_view(&text);
  }
  pl_text_printf(&text, "%d of %d threads %s", f->count, f->threads,
                 FINDINGS[kind].text);
  if (f->n_groups)
    pl_text_printf(&text, ", %s%s", FINDINGS[kind].other,
                   pl_str_has((pl_str){FINDINGS[kind].other,
                                       strlen(FINDINGS[kind].other)}, ":")
                       ? ""
                       : ":");
  add_groups(&text, f);
  return pl_text_view(&text);
}

/* "k.cu:40: race on 'As' byte 4 (thread 1; with the access of thread 2 at
 * k.cu:33)" */
static pl_str access_text(pl_emu *p, const finding *f, size_t kind,
                          const char *place) {
  pl_emu_object *o = &p->objects[p->run_object];
  const pl_launch *l = p->cases[p->run_case].launch;
  pl_text text = {.arena = p->arena};
  pl_text_printf(&text, "%s: %s", place ? place : o->path, FINDINGS[kind].text);
  pl_text_add(&text,
              pl_emu_target_text(p, o, l, f->space, f->index, f->offset));
  if (f->thread >= 0)
    pl_text_printf(&text, " (thread %d", f->thread);
  const char *other = pl_emu_place(p, o, f->other);
  if (other)
    pl_text_printf(&text, "; %s at %s", FINDINGS[kind].other, other);
  if (other && f->other_thread >= 0)
    pl_text_printf(&text, " by thread %d", f->other_thread);
  if (f->n_groups)
    pl_text_printf(&text, "; of the others");
  add_groups(&text, f);
  if (f->thread >= 0)
    pl_text_printf(&text, ")");
  return pl_text_view(&text);
}

/* Is a finding of this word and code known already for this object? Then the
 * costly look-up of its place is not done again. */
static bool is_new(pl_emu *p, pl_emu_tally *t, const finding *f) {
  pl_str key = pl_arena_printf(p->arena, "%s %x %ld", f->word, f->code,
                               f->code ? 0L : f->offset);
  static const char MARK[] = "\1";
  for (size_t i = 0; i < t->n_details; i++) {
    const char *p_end = t->details[i].text.p + t->details[i].text.n;
    if (*p_end == *MARK && strcmp(p_end + 1, key.p) == 0)
      return false;
  }
  return true;
}

/* The compiler's own "is it constructed?" byte beside a shared object of class
 * type is read before anything is written, and means nothing. */
static bool is_guard(pl_emu *p, const finding *f) {
  long offset = f->offset;
  return f->space == 0 && strcmp(f->word, "uninitialised") == 0 &&
         pl_str_starts(
             pl_emu_shared_symbol(p, &p->objects[p->run_object], &offset),
             "_ZGV");
}

static void on_finding(pl_emu *p, const char *line) {
  finding f;
  pl_emu_tally *t = tally_now(p);
  if (!t || !read_finding(line, &f))
    return;
  for (size_t k = 0; k < sizeof FINDINGS / sizeof *FINDINGS; k++) {
    if (strcmp(f.word, FINDINGS[k].word) != 0)
      continue;
    bool looked_up = !is_new(p, t, &f);
    if (!looked_up && is_guard(p, &f))
      return;
    pl_proof kind = FINDINGS[k].proof;
    if (p->run_object == 0 && strcmp(f.word, "timeout") == 0)
      kind = PL_PROOF_TOO_LONG;
    if (kind > t->worst)
      t->worst = kind;
    if (t->n_details == PL_EMU_DETAILS || looked_up)
      return;
    const pl_emu_object *o = &p->objects[p->run_object];
    const char *place = is_of_barrier(k)
                            ? pl_arena_printf(p->arena, "%s:%ld", o->path,
                                              f.offset).p
                            : pl_emu_place(p, o, f.code);
    pl_str text = is_of_barrier(k) ? barrier_text(p, &f, k)
                                   : access_text(p, &f, k, place);
    pl_str run = run_text(p, f.block);
    pl_counterexample at = example_now(p);
    at.has_block = true;
    memcpy(at.block, f.block, sizeof at.block);
    at.thread = f.thread;
    at.place = place;
    pl_str whole = pl_arena_printf(
        p->arena, "%.*s [%.*s]\1%s %x %ld", PL_FMT(text), PL_FMT(run), f.word,
        f.code, f.code ? 0L : f.offset);
    whole.n = (size_t)(strchr(whole.p, '\1') - whole.p);
    add_detail_at(t, kind, whole, at);
  }
}

/* One schedule is enough to tell of a cell and its sizes. */
static bool is_told(const pl_emu_tally *t, pl_proof kind,
                    const pl_counterexample *at) {
  for (size_t i = 0; i < t->n_details; i++) {
    const pl_counterexample *known = &t->details[i].at;
    if (t->details[i].proof == kind && known->cell &&
        strcmp(known->cell, at->cell) == 0 &&
        strcmp(known->sizes, at->sizes) == 0)
      return true;
  }
  return false;
}

static void on_difference(pl_emu *p, const char *line, pl_proof kind) {
  int arg;
  size_t index, differing, all;
  char want[64], got[64];
  pl_emu_tally *t = tally_now(p);
  if (!t || sscanf(line, "%*s\t%d\t%zu\t%*x\t%*x\t%63s\t%63s\t%zu\t%zu", &arg,
                   &index, want, got, &differing, &all) != 6)
    return;
  t->wavers |= kind == PL_PROOF_NONDETERMINISTIC;
  if (kind > t->worst)
    t->worst = kind;
  if (t->n_details >= 4)
    return;
  const pl_launch *l = p->cases[p->run_case].launch;
  pl_str run = run_text(p, NULL);
  pl_counterexample at = example_now(p);
  at.cell = pl_arena_printf(p->arena, "%s[%zu]", l->args[arg].name, index).p;
  at.got = pl_arena_printf(p->arena, "%s", got).p;
  at.wanted = pl_arena_printf(p->arena, "%s", want).p;
  if (is_told(t, kind, &at))
    return;
  pl_str text = pl_arena_printf(
      p->arena, "%s: %s, %s %s (%zu of %zu differ) [%.*s]", at.cell, got,
      kind == PL_PROOF_DIFFERS ? "should be" : "in the first run", want,
      differing, all, PL_FMT(run));
  add_detail_at(t, kind, text, at);
}

/* Who wrote what differs, in the object that ran last or in the original. */
static void on_writer(pl_emu *p, const char *line) {
  int so, thread;
  unsigned code;
  long long block[3];
  pl_emu_tally *t = tally_now(p);
  int n = sscanf(line, "writer\t%d\t%lld\t%lld\t%lld\t%d\t%x", &so, &block[0],
                 &block[1], &block[2], &thread, &code);
  if (!t || n < 1)
    return;
  pl_emu_writer w = {.told = true, .found = n == 6};
  if (w.found) {
    memcpy(w.block, block, sizeof block);
    w.thread = thread;
    w.place = pl_emu_place(p, &p->objects[so], code);
  }
  *(so == 0 ? &t->original_writer : &t->writer) = w;
}

/* Threads that had ended when the others met at a barrier of the block. */
static void on_short(pl_emu *p, const char *line) {
  pl_emu_tally *t = tally_now(p);
  if (t && !t->short_line &&
      sscanf(line, "short\t%d\t%d\t%d", &t->short_line, &t->short_ended,
             &t->short_threads) == 3)
    t->short_sizes = pl_case_sizes_text(p->arena, &p->cases[p->run_case].c);
}

static void on_run(pl_emu *p, const char *line) {
  if (sscanf(line, "run\t%d\t%d\t%d\t%d", &p->run_case, &p->run_object,
             &p->run_order, &p->run_landing) != 4)
    return;
  pl_emu_tally *t = tally_now(p);
  t->runs++;
  if (t->last_case != p->run_case)
    t->cases++;
  t->last_case = p->run_case;
}

static void on_unloadable(pl_emu *p, const char *why) {
  pl_emu_object *o = &p->objects[p->run_object];
  o->built = false;
  pl_emu_write(o->log, (pl_str){why, strlen(why)});
}

static void on_signature(pl_emu *p, const char *line) {
  int index, object_index;
  char types[2][1500];
  if (sscanf(line, "signature\t%d\t%d\t%1499[^\t]\t%1499[^\t]", &index,
             &object_index, types[0], types[1]) != 4)
    return;
  pl_emu_tally *t =
      pl_emu_tally_of(p, p->cases[index].launch_index, (size_t)object_index);
  if (p->req->strict)
    add_detail(t, PL_PROOF_OTHER_SIGNATURE,
               pl_emu_signature_text(p, &p->objects[0], types[0],
                                     &p->objects[object_index], types[1]));
  else
    add_detail(t, PL_PROOF_BUILD_FAILED,
               PL_STR("the rewritten kernel has other parameters"));
}

/* One line of the runner's report. */
static void on_line(pl_emu *p, const char *line, size_t *next_case) {
  if (!strncmp(line, "run\t", 4))
    on_run(p, line);
  else if (!strncmp(line, "finding\t", 8))
    on_finding(p, line);
  else if (!strncmp(line, "differs\t", 8))
    on_difference(p, line, PL_PROOF_DIFFERS);
  else if (!strncmp(line, "nondeterministic\t", 17))
    on_difference(p, line, PL_PROOF_NONDETERMINISTIC);
  else if (!strncmp(line, "writer\t", 7))
    on_writer(p, line);
  else if (!strncmp(line, "short\t", 6))
    on_short(p, line);
  else if (!strncmp(line, "load\t", 5))
    p->run_object = atoi(line + 5);
  else if (!strncmp(line, "unloadable\t", 11))
    on_unloadable(p, line + 11);
  else if (!strncmp(line, "signature\t", 10))
    on_signature(p, line);
  else if (!strncmp(line, "begin\t", 6))
    *next_case = (size_t)atoi(line + 6);
  else if (!strncmp(line, "undescribed\t", 12))
    p->case_errors[p->cases[*next_case].launch_index] =
        pl_arena_printf(p->arena, "%s", line + 12).p;
  else if (!strcmp(line, "end"))
    p->finished = true;
}

/* Runs the plan once and reads its report. False where the runner cannot be
 * started. */
static bool run_plan(pl_emu *p) {
  const char *plan = pl_emu_path(p, "plan");
  if (!pl_emu_write_plan(p, plan))
    return false;
  pl_str line = pl_arena_printf(p->arena, "'%s' '%s' 2>/dev/null", p->runner,
                                plan);
  FILE *from = popen(line.p, "r");
  if (!from)
    return false;
  char text[4096];
  size_t next_case = 0;
  p->run_case = -1;
  p->finished = false;
  while (fgets(text, sizeof text, from)) {
    text[strcspn(text, "\n")] = 0;
    on_line(p, text, &next_case);
  }
  pclose(from);
  return true;
}

void pl_emu_clear_tallies(pl_emu *p) {
  for (size_t i = 0; i < p->n_launches * p->n_objects; i++)
    p->tallies[i] = (pl_emu_tally){.last_case = -1};
}

/* A runner that died names its last run; that kernel is left out and the rest
 * is run again. */
void pl_emu_run(pl_emu *p) {
  for (size_t tries = 0; tries <= p->n_objects; tries++) {
    pl_emu_tally *keep =
        PL_NEW_ARRAY(p->arena, pl_emu_tally, p->n_launches * p->n_objects);
    memcpy(keep, p->tallies,
           sizeof *keep * p->n_launches * p->n_objects);
    pl_emu_clear_tallies(p);
    for (size_t i = 0; i < p->n_launches * p->n_objects; i++)
      if (p->objects[i % p->n_objects].crashed)
        p->tallies[i] = keep[i];
    if (!run_plan(p) || p->finished)
      return;
    if (p->run_case < 0) {
      on_unloadable(p, "error: its host code crashes while it is loaded: an "
                       "initialiser needs what is left out");
      return;
    }
    add_detail(tally_now(p), PL_PROOF_FAULT, PL_STR("the emulator crashes"));
    p->objects[p->run_object].crashed = true;
    if (p->run_object == 0)
      return;
  }
}
