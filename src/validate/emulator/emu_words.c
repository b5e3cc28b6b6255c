/* emu_words.c - the runner's findings, read and told. See emu.h.
 *
 * Beside: emu_findings.c. */
#include "emu.h"

#include <stdio.h>
#include <string.h>

/* What the runner calls a finding, what that proves, and how it is told. */
static const struct {
  const char *word;
  pl_proof proof;
  const char *text, *other;
} FINDINGS[] = {
    {"race", PL_PROOF_RACE, "race on", "with the access"},
    {"blocks-write", PL_PROOF_RACE, "race between blocks on",
     "another block writes it"},
    {"blocks-read", PL_PROOF_RACE, "race between blocks on",
     "another block writes it"},
    {"block-read", PL_PROOF_RACE, "race between blocks, of which one has read it, on",
     ""},
    {"read-only", PL_PROOF_RACE,
     "a read by the cache for what the kernel does not change, of", "it is written"},
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
    {"no-fence", PL_PROOF_RACE,
     "a bulk copy that no proxy fence orders behind other accesses to", ""},
    {"divergence", PL_PROOF_DIVERGENCE, "wait at this barrier",
     "and the others elsewhere"},
    {"deadlock", PL_PROOF_DIVERGENCE, "wait at this barrier",
     "and the others never come"},
    {"warp-deadlock", PL_PROOF_DIVERGENCE,
     "wait here for threads of their warp that never come",
     "and the others stand elsewhere"},
    {"mixed-warp", PL_PROOF_DIVERGENCE,
     "threads of a warp meet at different operations", ""},
    {"trap", PL_PROOF_FAULT, "the kernel traps", ""},
    {"fault", PL_PROOF_FAULT, "the kernel crashes", ""},
    {"timeout", PL_PROOF_FAULT, "the kernel does not end", ""},
};

enum { N_FINDINGS = sizeof FINDINGS / sizeof *FINDINGS };

bool pl_emu_read_finding(const char *line, pl_emu_finding *f) {
  int used = 0;
  *f = (pl_emu_finding){0};
  if (sscanf(line, "finding\t%31s %x %x %d %d %ld %d %d %lld %lld %lld %d %d%n",
             f->word, &f->code, &f->other, &f->space, &f->index, &f->offset,
             &f->thread, &f->other_thread, &f->block[0], &f->block[1],
             &f->block[2], &f->count, &f->threads, &used) != 13)
    return false;
  for (line += used; *line == '\t' && f->n_groups < PL_EMU_GROUPS; line += used) {
    pl_emu_group *g = &f->groups[f->n_groups];
    if (sscanf(line, "\t%c %d %d %d %d%n", &g->how, &g->line, &g->count,
               &g->first, &g->last, &used) != 5)
      break;
    f->n_groups++;
  }
  while (f->kind < N_FINDINGS && strcmp(f->word, FINDINGS[f->kind].word) != 0)
    f->kind++;
  return f->kind < N_FINDINGS;
}

pl_proof pl_emu_finding_proof(const pl_emu_finding *f) {
  return FINDINGS[f->kind].proof;
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
static void add_group(pl_text *text, const pl_emu_group *g) {
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

static void add_groups(pl_text *text, const pl_emu_finding *f) {
  for (size_t i = 0; i < f->n_groups; i++) {
    pl_text_printf(text, i ? ", " : " ");
    add_group(text, &f->groups[i]);
  }
}

static bool is_of_barrier(const pl_emu_finding *f) {
  return FINDINGS[f->kind].proof == PL_PROOF_DIVERGENCE;
}

const char *pl_emu_finding_place(pl_emu *p, const pl_emu_finding *f) {
  const pl_emu_object *o = &p->objects[p->run_object];
  return is_of_barrier(f)
             ? pl_arena_printf(p->arena, "%s:%ld", o->path, f->offset).p
             : pl_emu_place(p, o, f->code);
}

/* "k.cu:12: 32 of 64 threads wait at this barrier, and the others never come: 32
 * (threads 32 to 63) at the warp operation at line 14" */
static pl_str barrier_text(pl_emu *p, const pl_emu_finding *f,
                           const char *place) {
  const char *told = FINDINGS[f->kind].text;
  pl_text text = {.arena = p->arena};
  pl_text_printf(&text, "%s%s: ", place,
                 pl_emu_whose_lines(p, &p->objects[p->run_object]));
  if (f->count)
    pl_text_printf(&text, "%d of %d threads %s", f->count, f->threads, told);
  else
    pl_text_printf(&text, "%s (thread %d)", told, f->thread);
  if (f->n_groups)
    pl_text_printf(&text, ", %s:", FINDINGS[f->kind].other);
  add_groups(&text, f);
  return pl_text_view(&text);
}

/* "k.cu:40: race on 'As' byte 4 (thread 1; with the access of thread 2 at
 * k.cu:33)" */
static pl_str access_text(pl_emu *p, const pl_emu_finding *f,
                          const char *place) {
  pl_emu_object *o = &p->objects[p->run_object];
  const pl_launch *l = p->cases[p->run_case].launch;
  pl_text text = {.arena = p->arena};
  pl_text_printf(&text, "%s: %s", place ? place : o->path, FINDINGS[f->kind].text);
  pl_text_add(&text,
              pl_emu_target_text(p, o, l, f->space, f->index, f->offset));
  if (f->thread >= 0)
    pl_text_printf(&text, " (thread %d", f->thread);
  const char *other = pl_emu_place(p, o, f->other);
  if (other)
    pl_text_printf(&text, "; %s at %s", FINDINGS[f->kind].other, other);
  if (other && f->other_thread >= 0)
    pl_text_printf(&text, " by thread %d", f->other_thread);
  if (f->n_groups)
    pl_text_printf(&text, "; of the others");
  add_groups(&text, f);
  if (f->thread >= 0)
    pl_text_printf(&text, ")");
  return pl_text_view(&text);
}

pl_str pl_emu_finding_text(pl_emu *p, const pl_emu_finding *f,
                           const char *place) {
  return is_of_barrier(f) ? barrier_text(p, f, place) : access_text(p, f, place);
}
