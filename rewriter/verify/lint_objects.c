/* lint_objects.c - vectors of clocks; what pipelines and barriers of a block order.
 *
 * Needs: the events of such objects. Gives: which thread goes on, and what is behind it
 * then. Raises nothing. */
#include "lint_clocks.h"

#include <string.h>

/* ---- vectors ------------------------------------------------------------------------ */

static uint32_t *new_vector(pl_lint_run *r) {
  return PL_NEW_ARRAY(r->arena, uint32_t, r->threads);
}

static void raise_to(const pl_lint_run *r, uint32_t *v, const uint32_t *by) {
  for (int i = 0; i < r->threads; i++)
    if (by[i] > v[i])
      v[i] = by[i];
}

/* The warp of threads that share one vector, which nobody else has; -1: none. */
static int own_warp(const pl_lint_thread *threads, const int *who, int n) {
  const pl_lint_base *base = threads[who[0]].base;
  for (int i = 1; i < n; i++)
    if (threads[who[i]].base != base || who[i] / 32 != who[0] / 32)
      return -1;
  return base->owner == who[0] / 32 ? base->owner : -1;
}

void pl_lint_join(pl_lint_run *r, pl_lint_thread *threads, const int *who, int n) {
  bool in_place = n == 32 && own_warp(threads, who, n) >= 0;
  pl_lint_base *base = threads[who[0]].base;
  if (!in_place) {
    base = PL_NEW(r->arena, pl_lint_base);
    base->v = new_vector(r);
    const pl_lint_base *last = NULL;
    bool one_warp = n == 32;
    for (int i = 0; i < n; i++) {
      if (threads[who[i]].base != last)
        raise_to(r, base->v, threads[who[i]].base->v);
      last = threads[who[i]].base;
      one_warp = one_warp && who[i] / 32 == who[0] / 32;
    }
    base->owner = one_warp ? who[0] / 32 : -1;
  }
  for (int i = 0; i < n; i++) {
    pl_lint_thread *t = &threads[who[i]];
    if (base->v[who[i]] < t->clock)
      base->v[who[i]] = t->clock;
    t->base = base;
    t->clock++;
  }
}

void pl_lint_add_to(pl_lint_run *r, const pl_lint_thread *threads, int who,
                    uint32_t **vector) {
  if (!*vector)
    *vector = new_vector(r);
  raise_to(r, *vector, threads[who].base->v);
  if ((*vector)[who] < threads[who].clock)
    (*vector)[who] = threads[who].clock;
}

void pl_lint_take_from(pl_lint_run *r, pl_lint_thread *threads, int who,
                       const uint32_t *vector) {
  pl_lint_base *base = PL_NEW(r->arena, pl_lint_base);
  base->v = new_vector(r);
  base->owner = -1;
  memcpy(base->v, threads[who].base->v, (size_t)r->threads * sizeof *base->v);
  if (vector)
    raise_to(r, base->v, vector);
  threads[who].base = base;
}

/* ---- objects --------------------------------------------------------------------------- */

pl_lint_object *pl_lint_object_of(pl_lint_run *r, pl_lint_objects *objects, int32_t id) {
  for (size_t i = 0; i < objects->n; i++)
    if (objects->items[i].id == id)
      return &objects->items[i];
  pl_lint_object made = {.id = id};
  made.at = PL_NEW_ARRAY(r->arena, struct pl_lint_place, r->threads);
  PL_PUSH(r->arena, objects->items, objects->n, objects->cap, made);
  return &objects->items[objects->n - 1];
}

static pl_lint_stage *stage_of(pl_lint_run *r, pl_lint_object *object, int64_t n) {
  while ((int64_t)object->n <= n)
    PL_PUSH(r->arena, object->items, object->n, object->cap, (pl_lint_stage){0});
  return &object->items[n];
}

static void note_waited(pl_lint_run *r, pl_lint_object *object, int64_t which,
                        pl_lint_thread *threads, int who, const pl_lint_event *event) {
  pl_lint_stage *stage = stage_of(r, object, which);
  if (!stage->waited)
    stage->waited = new_vector(r);
  pl_lint_take_from(r, threads, who, stage->arrival);
  stage->waited[who] = threads[who].clock;
  object->at[who].last_wait = event->site + 1;
}

static bool do_pipe(pl_lint_run *r, pl_lint_object *o, pl_lint_thread *threads, int who,
                    const pl_lint_event *event) {
  struct pl_lint_place *at = &o->at[who];
  pl_lint_stage *stage;
  switch (event->kind) {
  case PL_LINT_PIPE_ACQUIRE:
    if (at->acquired >= o->stages) {
      stage = stage_of(r, o, at->acquired - o->stages);
      if (stage->released < o->consumers)
        return false;
      pl_lint_take_from(r, threads, who, stage->release);
    }
    at->acquired++;
    return true;
  case PL_LINT_PIPE_COMMIT:
    stage = stage_of(r, o, at->committed++);
    stage->arrived++;
    pl_lint_add_to(r, threads, who, &stage->arrival);
    threads[who].clock++;
    return true;
  case PL_LINT_PIPE_WAIT:
    stage = stage_of(r, o, at->waited);
    if (stage->arrived < o->producers)
      return false;
    at->waited++;
    note_waited(r, o, at->waited - 1, threads, who, event);
    return true;
  case PL_LINT_PIPE_RELEASE:
    stage = stage_of(r, o, at->released++);
    stage->released++;
    pl_lint_add_to(r, threads, who, &stage->release);
    threads[who].clock++;
    return true;
  default:
    return true;
  }
}

/* Ends a phase for which all have arrived, and as many bytes as are expected. */
static void end_phase(pl_lint_object *o, const pl_lint_stage *stage) {
  if (o->expected <= 0 || stage->arrived < o->expected ||
      stage->bytes < stage->expected_bytes)
    return;
  o->phase++;
  o->expected -= o->dropped;
  o->dropped = 0;
}

void pl_lint_bytes_arrive(pl_lint_run *r, pl_lint_object *object, int64_t bytes) {
  pl_lint_stage *stage = stage_of(r, object, object->phase);
  stage->bytes += bytes;
  end_phase(object, stage);
}

static void arrive(pl_lint_run *r, pl_lint_object *o, pl_lint_thread *threads, int who,
                   const pl_lint_event *event) {
  pl_lint_stage *stage = stage_of(r, o, o->phase);
  pl_lint_thread *t = &threads[who];
  PL_PUSH(r->arena, t->phases, t->nphases, t->phases_cap, o->phase);
  pl_lint_add_to(r, threads, who, &stage->arrival);
  t->clock++;
  stage->arrived += event->arg;
  o->dropped += event->width ? event->arg : 0;
  end_phase(o, stage);
}

/* Whether a thread knows that a phase has ended: all that arrived is behind it, and where
 * copies are waited for, somebody's wait is. */
static bool knows_ended(const pl_lint_run *r, const pl_lint_object *o, int64_t phase,
                        const pl_lint_thread *threads, int who) {
  const pl_lint_stage *stage = &o->items[phase];
  if (stage->waited && stage->waited[who])
    return true;
  if (stage->expected_bytes || stage->holds_copies)
    return pl_lint_knows_landed(r, o, phase, threads, who);
  for (int i = 0; stage->arrival && i < r->threads; i++)
    if (!pl_lint_is_before(threads, i, stage->arrival[i], who))
      return false;
  return true;
}

/* A wait for a parity ends with the first phase of which the thread does not know that it
 * has ended, or at once where the one before it has that parity: what others do meanwhile
 * is not behind it then. */
static bool wait_parity(pl_lint_run *r, pl_lint_object *o, pl_lint_thread *threads, int who,
                        const pl_lint_event *event) {
  int64_t *known = &o->at[who].waited;
  while (*known < o->phase && knows_ended(r, o, *known, threads, who))
    ++*known;
  if ((o->phase & 1) == (event->arg & 1))
    return false;
  if ((*known & 1) == (event->arg & 1))
    note_waited(r, o, *known, threads, who, event);
  else
    o->at[who].last_wait = event->site + 1;
  return true;
}

static bool do_barrier(pl_lint_run *r, pl_lint_object *o, pl_lint_thread *threads, int who,
                       const pl_lint_event *event) {
  int64_t phase;
  switch (event->kind) {
  case PL_LINT_MBAR_INIT:
    o->expected = event->arg;
    return true;
  case PL_LINT_MBAR_ARRIVE:
    arrive(r, o, threads, who, event);
    return true;
  case PL_LINT_MBAR_EXPECT:
    stage_of(r, o, o->phase)->expected_bytes += event->arg;
    return true;
  case PL_LINT_MBAR_WAIT:
    if (event->arg < 0 || event->arg >= (int64_t)threads[who].nphases)
      return true;
    phase = threads[who].phases[event->arg];
    if (o->phase <= phase)
      return false;
    note_waited(r, o, phase, threads, who, event);
    return true;
  default:
    return wait_parity(r, o, threads, who, event);
  }
}

bool pl_lint_do_object(pl_lint_run *r, pl_lint_objects *objects, pl_lint_thread *threads,
                       int who, const pl_lint_event *event) {
  pl_lint_object *o = pl_lint_object_of(r, objects, event->object);
  if (event->kind < PL_LINT_MBAR_INIT)
    return do_pipe(r, o, threads, who, event);
  o->is_barrier = true;
  return do_barrier(r, o, threads, who, event);
}

int64_t pl_lint_stage_of_copy(pl_lint_run *r, pl_lint_object *object, int who) {
  if (!object->is_barrier)
    return object->at[who].committed;
  stage_of(r, object, object->phase)->holds_copies = true;
  return object->phase;
}

/* The threads that have waited for a stage; NULL: none has, or it does not wait for all
 * the bytes that come. */
static const uint32_t *waited_of(const pl_lint_object *object, int64_t which) {
  const pl_lint_stage *stage = which < (int64_t)object->n ? &object->items[which] : NULL;
  return stage && stage->bytes <= stage->expected_bytes ? stage->waited : NULL;
}

bool pl_lint_knows_landed(const pl_lint_run *r, const pl_lint_object *object, int64_t stage,
                          const pl_lint_thread *threads, int who) {
  const uint32_t *waited = waited_of(object, stage);
  if (!waited)
    return false;
  if (waited[who])
    return true;
  for (int i = 0; i < r->threads; i++)
    if (waited[i] && threads[who].base->v[i] >= waited[i])
      return true;
  return false;
}

bool pl_lint_is_waited_for(const pl_lint_run *r, const pl_lint_object *object,
                           int64_t stage) {
  const uint32_t *waited = waited_of(object, stage);
  for (int i = 0; waited && i < r->threads; i++)
    if (waited[i])
      return true;
  return false;
}
