/* run_phases.h - barriers whose arrival and wait come apart, phase by phase: the
 * mbarriers of a pipeline's stages. */
#ifndef PL_RUN_PHASES_H
#define PL_RUN_PHASES_H

#include "run_copies.h"

/* One phase. What the threads that arrive at it did ahead of that, and what they knew
 * of others, is what those know who have waited for it. */
struct Phase {
  u32 number, arrived;
  bool is_over, has_landed;
  u32 known[MAX_WARPS];  /* of others, by those who arrived */
  u32 clocks[MAX_WARPS]; /* the earliest of a warp, where it arrived */
  u32 lanes[MAX_WARPS];  /* that have arrived */
  u32 groups[MAX_THREADS]; /* of copies that the arrival stands behind */
};

/* Two phases of one object at most are looked at: that which goes on, and the one
 * before. */
struct Phases {
  const void *object;
  Phase two[2];
};

static Phases phases[256];
static int n_phases;

static Phases *phases_of(const void *object) {
  for (int i = 0; i < n_phases; i++)
    if (phases[i].object == object)
      return &phases[i];
  if (n_phases == sizeof phases / sizeof *phases)
    pl_rt_trap("more barriers than the emulator keeps");
  Phases *made = &phases[n_phases++];
  made->object = object;
  for (Phase &p : made->two)
    p.number = ~0u;
  return made;
}

static void forget_phases() { n_phases = 0; }

/* It begins, where it is the next one of the object. */
static Phase *phase_of(const void *object, u32 number) {
  Phases *of = phases_of(object);
  Phase *p = &of->two[number & 1];
  if (p->number == number)
    return p;
  memset(p, 0, sizeof *p);
  p->number = number;
  return p;
}

/* Whether threads arrive at a phase while the one before goes on. */
static bool is_too_early(const void *object, u32 number) {
  const Phase *before = &phases_of(object)->two[(number + 1) & 1];
  return number > 0 && (before->number != number - 1 || !before->is_over);
}

static void end_phase(Phase *p) {
  p->is_over = true;
  for (int w = 0; w <= (n_threads - 1) / 32; w++) {
    u32 lanes = n_threads - w * 32 < 32 ? (u32)(n_threads - w * 32) : 32;
    if (p->lanes[w] == lanes && p->known[w] < p->clocks[w] + 1)
      p->known[w] = p->clocks[w] + 1;
  }
}

/* A thread makes known what it did, and what it knows of others. */
static void tell(Phase *p, Fiber *f) {
  u32 *clock = &p->clocks[f->warp];
  for (int w = 0; w <= (n_threads - 1) / 32; w++)
    if (p->known[w] < f->known[w])
      p->known[w] = f->known[w];
  if (!p->lanes[f->warp]++ || f->clock < *clock)
    *clock = f->clock;
  if (latest < ++f->clock)
    latest = f->clock;
}

/* A thread knows what those made known who arrived. */
static void learn(const Phase *p, Fiber *f) {
  f->floor = ~0u;
  for (int w = 0; w <= (n_threads - 1) / 32; w++) {
    if (f->known[w] < p->known[w])
      f->known[w] = p->known[w];
    if (f->floor > f->known[w])
      f->floor = f->known[w];
  }
}

EXPORT void pl_rt_arrive(const void *object, unsigned number, unsigned threads,
                         int copies) {
  if (is_too_early(object, number))
    pl_rt_trap("a thread arrives at a phase before the last one is over");
  Phase *p = phase_of(object, number);
  p->groups[self->id] = copies ? self->groups : 0;
  tell(p, self);
  if (++p->arrived == threads)
    end_phase(p);
  land_some();
}

/* The copies that were waited for with a phase. */
static void land_copies_of(Phase *p) {
  for (int t = 0; t < n_threads && !p->has_landed; t++)
    if (p->groups[t])
      complete_before(&fibers[t], p->groups[t], p->clocks[t / 32]);
  p->has_landed = true;
}

EXPORT void pl_rt_await(const void *object, unsigned number, int line) {
  Phase *p = phase_of(object, number);
  land_some();
  if (!p->is_over) {
    self->state = AT_PHASE;
    self->awaited = p;
    self->line = line;
    yield_to_scheduler();
  }
  land_copies_of(p);
  learn(p, self);
}

/* The object is made anew, and nobody has arrived. */
EXPORT void pl_rt_forget(const void *object) {
  Phases *of = phases_of(object);
  for (Phase &p : of->two)
    p.number = ~0u;
}

static bool release_waiting() {
  bool any = false;
  for (int t = 0; t < n_threads; t++)
    if (fibers[t].state == AT_PHASE && fibers[t].awaited->is_over) {
      fibers[t].state = READY;
      any = true;
    }
  return any;
}

#endif
