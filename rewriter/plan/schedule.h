/* schedule.h - in which order a form does what.
 *
 * A schedule is what one thread does, in three lists of steps: ahead of the main
 * loop, in each round of it, and behind it. A step's tile is counted from the one
 * that the round is of; tile k is in buffer k modulo the number of buffers.
 * schedule_check.c asks whether a schedule keeps the order of memory,
 * region_printer.c prints it. */
#ifndef PL_SCHEDULE_H
#define PL_SCHEDULE_H

#include "arena.h"

typedef enum pl_step_kind {
  PL_STEP_END,  /* of a list */
  PL_STEP_LOAD, /* n: tile; fills it, with the load side as it stands */
  PL_STEP_ISSUE, /* n: tile; begins to copy it asynchronously */
  PL_STEP_FETCH, /* n: tile; loads it into registers */
  PL_STEP_SPLIT, /* n: tile; issues one part of it, and fetches the other */
  PL_STEP_STORE, /* n: tile; stores what was fetched */
  PL_STEP_ACQUIRE, /* takes a buffer for the copies that follow */
  PL_STEP_COMMIT,  /* makes one batch of the copies that were issued */
  PL_STEP_WAIT,    /* n: how many of the last batches need not have landed */
  PL_STEP_WAIT_OLDEST, /* for the oldest batch that was not waited for yet */
  PL_STEP_BARRIER, /* n: PL_BEFORE_LOADS or PL_BEHIND_LOADS */
  PL_STEP_MEET, /* n: tile; until its copies have landed and all threads are here */
  PL_STEP_COMPUTE, /* n: tile */
  PL_STEP_RELEASE, /* gives the oldest buffer back */
  PL_STEP_DRAIN,   /* waits for the batches that are left, which no tile was left for,
                      and gives their buffers back */
  PL_STEP_ADVANCE  /* on to the next tile: that is tile 0 of the steps behind */
} pl_step_kind;

/* Which barrier of the user's own a step stands for, and takes the comments of. */
enum { PL_BEFORE_LOADS, PL_BEHIND_LOADS };

/* of_buffers times the number of buffers, and `plus`. */
typedef struct pl_count {
  int of_buffers, plus;
} pl_count;

#define PL_N(number) {0, (number)}
#define PL_BUFFERS_AND(number) {1, (number)}

typedef struct pl_step {
  pl_step_kind kind;
  pl_count n;
} pl_step;

/* Lists of steps. */
#define PL_STEPS(...) (const pl_step[]){__VA_ARGS__, PL_AT(END, 0)}
#define PL_NO_STEPS (const pl_step[]){PL_AT(END, 0)}
#define PL_AT(kind, number) {PL_STEP_##kind, PL_N(number)}
#define PL_AHEAD(kind, number) {PL_STEP_##kind, PL_BUFFERS_AND(number)}

typedef enum pl_rounds {
  /* The main loop has a round for each tile but the last, on which the epilogue
   * computes; nothing happens where there is no tile. The compute side has copies
   * of the variables that both sides move. */
  PL_ROUNDS_BUT_LAST,
  /* It has one for each tile. Loads ask by themselves whether there is one more:
   * steps that fill a tile beyond the last are passed over. The load side has
   * copies of those variables. */
  PL_ROUNDS_OF_ALL,
  /* The same, without a prologue of its own: each round begins with the prologue's
   * steps, for as many tiles as are not `lead` tiles ahead of its own yet. */
  PL_ROUNDS_THAT_FETCH,
  /* Threads that do nothing but load make the prologue's steps for each tile; those that
   * compute, a round's. A barrier of a round is one of theirs. Neither waits for the
   * other but by acquires and by waits for batches, which are the block's. */
  PL_ROUNDS_OF_ROLES
} pl_rounds;

typedef enum pl_batches {
  PL_BATCHES_OF_THREAD, /* a wait is for the thread's own copies */
  /* A wait is for what all threads of the block did ahead of their commit, an acquire
   * for what all did ahead of giving that buffer back. Making what keeps account of
   * them is a barrier. */
  PL_BATCHES_OF_BLOCK
} pl_batches;

typedef struct pl_schedule {
  pl_rounds rounds;
  pl_count lead; /* the prologue's steps are for tiles 0 up to that one */
  const pl_step *prologue, *round, *epilogue;
  pl_batches batches;
} pl_schedule;

int pl_count_of(pl_count count, int buffers);

/* What is wrong with the order, with so many buffers; NULL: nothing. */
const char *pl_schedule_fault(const pl_schedule *schedule, int buffers);

/* Whether a step of a kind is among those of a list. */
bool pl_has_step(const pl_step *list, pl_step_kind kind);

#endif
