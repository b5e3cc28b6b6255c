/* emu_findings.c - runs the plan and sorts what the runner finds into a tally
 * for each launch and object. See emu.h.
 *
 * Before: emu_plan.c. Beside: emu_words.c. Next: emu_verdict.c. */
#include "emu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const ORDERS[] = {"forward", "backward", "shuffled", NULL};
static const char *const LANDINGS[] = {"early", "late", "at-random", NULL};

const char *pl_replay_threads(int index) { return ORDERS[index]; }
const char *pl_replay_copies(int index) { return LANDINGS[index]; }

pl_emu_tally *pl_emu_tally_of(pl_emu *p, size_t launch, size_t object_index) {
  return &p->tallies[launch * p->n_objects + object_index];
}

static void add_detail(pl_emu_tally *t, pl_emu_detail detail) {
  if (detail.proof > t->worst)
    t->worst = detail.proof;
  for (size_t i = 0; i < t->n_details; i++)
    if (pl_str_eq(t->details[i].text, detail.text))
      return;
  if (t->n_details < PL_EMU_DETAILS)
    t->details[t->n_details++] = detail;
}

static void add_words(pl_emu_tally *t, pl_proof proof, pl_str text) {
  add_detail(t, (pl_emu_detail){.proof = proof, .text = text, .at.thread = -1});
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

/* Findings of one key are one: the costly look-up of the place is not done again. */
static pl_str key_of(pl_emu *p, const pl_emu_finding *f) {
  return pl_arena_printf(p->arena, "%s %x %ld", f->word, f->code,
                         f->code ? 0L : f->offset);
}

static bool is_known(const pl_emu_tally *t, pl_str key) {
  for (size_t i = 0; i < t->n_details; i++)
    if (pl_str_eq(t->details[i].key, key))
      return true;
  return false;
}

/* The compiler's own "is it constructed?" byte beside a shared object of class
 * type is read before anything is written, and means nothing. */
static bool is_guard(pl_emu *p, const pl_emu_finding *f) {
  long offset = f->offset;
  return f->space == 0 && strcmp(f->word, "uninitialised") == 0 &&
         pl_str_starts(
             pl_emu_shared_symbol(p, &p->objects[p->run_object], &offset),
             "_ZGV");
}

static void add_finding(pl_emu *p, pl_emu_tally *t, pl_proof proof,
                        const pl_emu_finding *f, pl_str key) {
  const char *place = pl_emu_finding_place(p, f);
  pl_str text = pl_emu_finding_text(p, f, place), run = run_text(p, f->block);
  pl_counterexample at = example_now(p);
  at.has_block = true;
  memcpy(at.block, f->block, sizeof at.block);
  at.thread = f->thread;
  at.place = place;
  pl_str whole = pl_arena_printf(p->arena, "%.*s [%.*s]", PL_FMT(text), PL_FMT(run));
  add_detail(t, (pl_emu_detail){proof, whole, key, at});
}

static void on_finding(pl_emu *p, const char *line) {
  pl_emu_finding f;
  pl_emu_tally *t = tally_now(p);
  if (!t || !pl_emu_read_finding(line, &f))
    return;
  pl_str key = key_of(p, &f);
  bool known = is_known(t, key);
  if (!known && is_guard(p, &f))
    return;
  pl_proof proof = p->run_object == 0 && strcmp(f.word, "timeout") == 0
                       ? PL_PROOF_TOO_LONG
                       : pl_emu_finding_proof(&f);
  if (proof > t->worst)
    t->worst = proof;
  if (t->n_details < PL_EMU_DETAILS && !known)
    add_finding(p, t, proof, &f, key);
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
  add_detail(t, (pl_emu_detail){.proof = kind, .text = text, .at = at});
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
    add_words(t, PL_PROOF_OTHER_SIGNATURE,
              pl_emu_signature_text(p, &p->objects[0], types[0],
                                    &p->objects[object_index], types[1]));
  else
    add_words(t, PL_PROOF_BUILD_FAILED,
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
  else if (!strcmp(line, "ordered") && tally_now(p))
    tally_now(p)->blocks_ordered = true;
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
    add_words(tally_now(p), PL_PROOF_FAULT, PL_STR("the emulator crashes"));
    p->objects[p->run_object].crashed = true;
    if (p->run_object == 0)
      return;
  }
}
