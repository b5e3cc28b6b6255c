/* lint_clocks.h - which of two events of two threads is known to be first? Vector
 * clocks: of each thread, how much of every other one is behind it.
 *
 * Source: Fidge 1988; Mattern 1989; as FastTrack (PLDI 2009) asks for races. */
#ifndef PL_LINT_CLOCKS_H
#define PL_LINT_CLOCKS_H

#include "lint_parts.h"

/* A vector that several threads share; owner: the warp all of whose threads alone
 * do, -1: others do, too. */
typedef struct pl_lint_base {
  uint32_t *v;
  int owner;
} pl_lint_base;

typedef struct pl_lint_thread {
  size_t next; /* event */
  pl_lint_base *base;
  uint32_t clock;
  bool done;
  uint8_t waits; /* kind of the event that it waits in; PL_LINT_END: in none */
  int64_t barriers;
  /* its own groups of copies */
  int64_t committed, landed; /* groups */
  int64_t nwaits;
  uint32_t *landed_at; /* clock, a group */
  size_t landed_cap;
  uint32_t last_wait; /* site */
  int64_t had_committed; /* at the last wait */
  int64_t last_prior;
  /* barriers of libcu++ */
  int64_t *phases; /* of its arrivals */
  size_t nphases, phases_cap;
} pl_lint_thread;

/* Whether what thread a did at a clock is behind thread b. */
static inline bool pl_lint_is_before(const pl_lint_thread *threads, int a, uint32_t clock,
                                     int b) {
  return a == b || threads[b].base->v[a] >= clock;
}

/* One vector: what is behind all of some threads, and what they have done. */
void pl_lint_join(pl_lint_run *r, pl_lint_thread *threads, const int *who, int n);
/* Adds what a thread has done to a vector, which is made where it is NULL. */
void pl_lint_add_to(pl_lint_run *r, const pl_lint_thread *threads, int who,
                    uint32_t **vector);
/* What a vector says is behind a thread from now on. */
void pl_lint_take_from(pl_lint_run *r, pl_lint_thread *threads, int who,
                       const uint32_t *vector);

/* ---- lint_objects.c: pipelines and barriers of the block -------------------------- */

/* A stage of a pipeline, or a phase of a barrier. */
typedef struct pl_lint_stage {
  int64_t arrived, released;
  bool holds_copies; /* of a phase: it ends when copies have landed, too */
  int64_t expected_bytes, bytes; /* of bulk copies: those that are waited for, all */
  uint32_t *arrival, *release; /* vectors */
  uint32_t *waited;            /* of each thread the clock, 0: it has not */
} pl_lint_stage;

typedef struct pl_lint_object {
  int32_t id;
  bool is_barrier;
  int64_t stages, producers, consumers; /* of a pipeline */
  int64_t expected, phase, dropped;     /* of a barrier */
  pl_lint_stage *items;
  size_t n, cap;
  struct pl_lint_place {
    int64_t acquired, committed, waited, released; /* waited, of a barrier: phases of
                                                      which it knows that they ended */
    uint32_t last_wait; /* site, plus one; 0: it has not waited */
  } *at; /* of each thread */
} pl_lint_object;

typedef struct pl_lint_objects {
  pl_lint_object *items;
  size_t n, cap;
} pl_lint_objects;

pl_lint_object *pl_lint_object_of(pl_lint_run *r, pl_lint_objects *objects, int32_t id);
/* Does an event of an object; false: the thread has to wait. */
bool pl_lint_do_object(pl_lint_run *r, pl_lint_objects *objects, pl_lint_thread *threads,
                       int who, const pl_lint_event *event);
/* Bytes of a bulk copy arrive at a barrier. */
void pl_lint_bytes_arrive(pl_lint_run *r, pl_lint_object *object, int64_t bytes);
/* The stage, or phase, that a copy of a thread is of. */
int64_t pl_lint_stage_of_copy(pl_lint_run *r, pl_lint_object *object, int who);
/* Whether a thread knows that the copies of a stage have landed. */
bool pl_lint_knows_landed(const pl_lint_run *r, const pl_lint_object *object, int64_t stage,
                          const pl_lint_thread *threads, int who);
/* Whether any thread has waited for it. */
bool pl_lint_is_waited_for(const pl_lint_run *r, const pl_lint_object *object,
                           int64_t stage);

#endif
