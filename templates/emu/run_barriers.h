/* run_barriers.h - barriers, votes and shuffles: who waits for whom. */
#ifndef PL_RUN_BARRIERS_H
#define PL_RUN_BARRIERS_H

#include "run_phases.h"

EXPORT int pl_rt_barrier(int vote, int predicate, int line) {
  Fiber *f = self;
  f->state = AT_BARRIER;
  f->barrier_id = 0;
  f->barrier_count = 0;
  f->vote = vote;
  f->predicate = predicate;
  f->line = line;
  yield_to_scheduler();
  return self->result;
}

EXPORT void pl_rt_named_barrier(int id, int count, int line) {
  Fiber *f = self;
  f->state = AT_BARRIER;
  f->barrier_id = id;
  f->barrier_count = count;
  f->vote = 0;
  f->line = line;
  yield_to_scheduler();
}

/* The fibers of `first`'s warp whose lanes are in its mask; true when each of
 * them that lives has come to the same meeting. */
static bool meeting_complete(const Fiber *first, void **deposits) {
  int base = first->warp * 32;
  bool mixed = false;
  for (int lane = 0; lane < 32; lane++) {
    deposits[lane] = NULL;
    Fiber *f = &fibers[base + lane];
    if (base + lane >= n_threads || !(first->mask >> lane & 1) ||
        f->state == DONE)
      continue;
    if (f->state != AT_MEETING || f->mask != first->mask)
      return false;
    mixed |= f->finish != first->finish;
    deposits[lane] = f->deposit;
  }
  if (mixed)
    report("mixed-warp", 0, 0, NULL, first->line, first->id, -1);
  return !mixed;
}

static void finish_meeting(const Fiber *first, void *const *deposits) {
  unsigned mask = first->mask;
  int base = first->warp * 32;
  if (first->finish)
    first->finish(deposits, mask);
  for (int lane = 0; lane < 32 && base + lane < n_threads; lane++)
    if ((mask >> lane & 1) && fibers[base + lane].state == AT_MEETING)
      fibers[base + lane].state = READY;
}

EXPORT void pl_rt_meet(unsigned mask, void *mine,
                       void (*finish)(void *const *, unsigned), int line) {
  Fiber *f = self;
  void *deposits[32];
  f->state = AT_MEETING;
  f->mask = mask;
  f->deposit = mine;
  f->finish = finish;
  f->line = line;
  if (meeting_complete(f, deposits)) {
    finish_meeting(f, deposits);
    return;
  }
  yield_to_scheduler();
}

EXPORT void pl_rt_warp_order() { warp_orders[self->warp]++; }
EXPORT unsigned pl_rt_lane() { return self->lane; }
EXPORT unsigned pl_rt_live_lanes() {
  unsigned mask = 0;
  int base = self->warp * 32;
  for (int lane = 0; lane < 32 && base + lane < n_threads; lane++)
    if (fibers[base + lane].state != DONE)
      mask |= 1u << lane;
  return mask;
}

static int vote_result(int vote, int count) {
  return vote == 1 ? count : vote == 2 ? count == n_live : count > 0;
}

/* All that was done so far happened before all that comes. */
static void new_interval() {
  latest++;
  for (int t = 0; t < n_threads; t++) {
    Fiber *f = &fibers[t];
    f->clock = f->floor = latest;
    for (int w = 0; w <= (n_threads - 1) / 32; w++)
      f->known[w] = latest;
  }
  memset(warp_orders, 0, sizeof warp_orders);
  land_some();
}

static char standing_of(const Fiber *f) {
  return f->state == DONE         ? HAS_ENDED
         : f->state == AT_MEETING ? AT_WARP
         : f->state == READY      ? RUNS
         : f->barrier_id          ? AT_NAMED_BARRIER
                                  : AT_BLOCK_BARRIER;
}

/* The line that threads wait at is no news of those that do not wait. */
static int line_of(const Fiber *f) {
  return f->state == DONE || f->state == READY ? 0 : f->line;
}

static bool stand_together(const Fiber *a, const Fiber *b) {
  return standing_of(a) == standing_of(b) && line_of(a) == line_of(b);
}

static void add_to_group(Finding *f, const Fiber *fiber) {
  int i = 0;
  while (i < f->n_groups && (f->groups[i].how != standing_of(fiber) ||
                             f->groups[i].line != line_of(fiber)))
    i++;
  if (i == MANY_GROUPS)
    return;
  if (i == f->n_groups)
    f->groups[f->n_groups++] = {standing_of(fiber), line_of(fiber), 0,
                                fiber->id, 0};
  f->groups[i].count++;
  f->groups[i].last = fiber->id;
}

/* Where all threads stand, in the finding of that kind at that line, which is
 * about those that stand as `subject` does. */
static void note_groups(const char *kind, const Fiber *subject) {
  for (int i = 0; i < n_findings; i++) {
    Finding *f = &findings[i];
    if (f->kind != kind || f->count)
      continue;
    for (int t = 0; t < n_threads; t++)
      if (stand_together(&fibers[t], subject))
        f->count++;
      else
        add_to_group(f, &fibers[t]);
  }
}

/* All living threads stand at a barrier: lets them go. Threads that wait at
 * different lines met by accident. */
static void release_standing(State where) {
  int count = 0, line = -1;
  const Fiber *first = NULL;
  for (int t = 0; t < n_threads; t++) {
    Fiber *f = &fibers[t];
    if (f->state != where)
      continue;
    count += f->predicate != 0;
    if (!first)
      first = f;
    else if (f->line != first->line && line < 0)
      line = f->line;
  }
  if (line >= 0) {
    report("divergence", 0, (u32)line, NULL, first->line, first->id, -1);
    note_groups("divergence", first);
  } else if (n_live < n_threads && !short_barrier.line) {
    short_barrier = {first->line, n_threads - n_live};
  }
  for (int t = 0; t < n_threads; t++)
    if (fibers[t].state == where) {
      fibers[t].state = READY;
      fibers[t].result = vote_result(fibers[t].vote, count);
    }
  new_interval();
}

static bool stands_at(const Fiber *f, int id) {
  return f->state == AT_BARRIER && f->barrier_id == id;
}

/* Where more threads stand at a barrier than it waits for, some of them are at its next
 * phase: the first whole warps pass that make up the number. Else all do. */
static void choose_passing(int id, int want) {
  int here[MAX_WARPS] = {}, all = 0, chosen = 0;
  bool passes[MAX_WARPS] = {};
  for (int t = 0; t < n_threads; t++)
    if (stands_at(&fibers[t], id))
      here[fibers[t].warp]++, all++;
  for (int w = 0; w < MAX_WARPS && all > want; w++)
    if (chosen + here[w] <= want) {
      passes[w] = true;
      chosen += here[w];
    }
  for (int t = 0; t < n_threads; t++)
    fibers[t].passes = stands_at(&fibers[t], id) &&
                       (chosen != want || passes[fibers[t].warp]);
}

/* Whole warps pass a named barrier: they alone are ordered. Of parts of warps nothing
 * is kept apart: the shadow takes it for one of the whole block, which finds no false
 * race, and misses some. */
static void order_passing() {
  static Phase p;
  memset(&p, 0, sizeof p);
  for (int t = 0; t < n_threads; t++)
    if (fibers[t].passes)
      tell(&p, &fibers[t]);
  for (int w = 0; w <= (n_threads - 1) / 32; w++)
    if (p.lanes[w] && p.lanes[w] < 32) {
      new_interval();
      return;
    }
  end_phase(&p);
  for (int t = 0; t < n_threads; t++)
    if (fibers[t].passes)
      learn(&p, &fibers[t]);
  land_some();
}

/* Releases the named barrier `id` when enough threads stand there. */
static bool release_named(int id) {
  int here = 0, want = 0;
  for (int t = 0; t < n_threads; t++)
    if (stands_at(&fibers[t], id)) {
      here++;
      want = fibers[t].barrier_count;
    }
  if (here == 0 || here < (want ? want : n_live))
    return false;
  if (here == n_live && id == 0 && (!want || here == want)) {
    release_standing(AT_BARRIER);
    return true;
  }
  choose_passing(id, want ? want : here);
  order_passing();
  for (int t = 0; t < n_threads; t++)
    if (fibers[t].passes)
      fibers[t].state = READY;
  return true;
}

static bool release_meetings() {
  void *deposits[32];
  for (int t = 0; t < n_threads; t++)
    if (fibers[t].state == AT_MEETING &&
        meeting_complete(&fibers[t], deposits)) {
      finish_meeting(&fibers[t], deposits);
      return true;
    }
  return false;
}

/* The first thread that waits for the block; where none does, that waits for a part
 * of it, or for its warp. NULL: none waits. */
static const Fiber *first_waiting() {
  static const char KINDS[] = {AT_BLOCK_BARRIER, AT_NAMED_BARRIER, AT_WARP};
  for (char kind : KINDS)
    for (int t = 0; t < n_threads; t++)
      if (standing_of(&fibers[t]) == kind)
        return &fibers[t];
  return NULL;
}

/* No thread can go on: those that wait at a barrier wait for others that never
 * come. (Threads that have ended are not waited for: since sm_70 a barrier is
 * one of the threads that live.) */
static void report_deadlock() {
  const Fiber *first = first_waiting();
  const char *kind = standing_of(first) == AT_WARP ? "warp-deadlock" : "deadlock";
  report(kind, 0, 0, NULL, first->line, first->id, -1);
  note_groups(kind, first);
}

#endif
