/* schedule_check.c - does a form's order keep the order of memory?
 *
 * Needs: a schedule (schedule.h). Gives: what is wrong with it. Raises: PL9001 for a
 * loop whose form's schedule is wrong, so that no text comes of it.
 *
 * The rule, of every cell of a tile: a read finds what its own tile's load wrote, has
 * waited for it and has a barrier behind that wait, for others have written; between
 * the reads of one tile and the write of the next one to the same buffer stands a
 * barrier, for others may still read; nothing is written over before it was read, or
 * while it is in flight. The rule is asked by executing the schedule for loops of 0,
 * 1, 2, ... tiles. All threads make the same steps, so that one list stands for
 * them: what two of them do is in order if a barrier of the list stands in between;
 * or, where batches are the block's, a commit and the wait for it, or a release and
 * the acquire of that buffer. The computes of two tiles are in order, too: they may do
 * more than to read their tiles (barrier_order.c counts on it).
 * Threads that do nothing but load have a list of their own, and the others theirs: they
 * are executed one after the other, as far as they come, those that load first or last.
 * Behind as many tiles as there are buffers, a round finds what the round before
 * found: twice as many and a few show all that a longer loop would. */
#include "schedule.h"

#include "forms.h"

#define MOST_BUFFERS 16
#define MOST_TILES (2 * MOST_BUFFERS + 3)
#define NONE (-1)

/* The part of a buffer that is copied asynchronously, and that which passes through
 * registers; a form whose tiles go one way fills both at once. */
enum { COPIED, STAGED, PARTS };

typedef struct part {
  int tile;     /* whose values it holds, or will when its copies have landed */
  int batch;    /* in flight: the batch that it is of */
  bool flies;   /* not waited for yet */
  bool visible; /* a barrier stands behind the write, or the wait for it */
} part;

typedef struct buffer {
  part parts[PARTS];
  bool read;    /* and others may still do so */
  int released; /* read: how many buffers were given back before */
} buffer;

typedef struct run {
  const pl_schedule *schedule;
  int buffers, tiles;
  buffer held[MOST_BUFFERS];
  int base;      /* the tile that the steps count from */
  int loaded, computed; /* the next tile to load, to compute on */
  int registers; /* the tile that is fetched, NONE */
  int issued, batches, waited; /* copies since the last batch; batches so far, and
                                  how many of them have landed */
  bool meets;    /* copies are waited for by their tile, and make no batches */
  bool acquires; /* buffers are taken and given back */
  int acquired, released;
  int passed;    /* tiles whose compute all threads have behind them */
  bool splits;   /* tiles go two ways */
  const char *fault;
} run;

int pl_count_of(pl_count count, int buffers) {
  return count.of_buffers * buffers + count.plus;
}

static void fail(run *r, const char *fault) {
  r->fault = r->fault ? r->fault : fault;
}

static void require(run *r, bool holds, const char *otherwise) {
  if (!holds)
    fail(r, otherwise);
}

static bool is_of_block(const run *r) {
  return r->schedule->batches == PL_BATCHES_OF_BLOCK;
}

/* Those that load are other threads than those that compute. */
static bool has_roles(const run *r) {
  return r->schedule->rounds == PL_ROUNDS_OF_ROLES;
}

static buffer *buffer_of(run *r, int tile) { return &r->held[tile % r->buffers]; }

/* Loads go through the tiles one by one. False: there is no such tile. */
static bool begin_load(run *r, int tile) {
  if (r->schedule->rounds != PL_ROUNDS_BUT_LAST && tile >= r->tiles)
    return false;
  require(r, tile < r->tiles, "a tile beyond the last one is loaded");
  require(r, tile == r->loaded, "tiles are not loaded one by one");
  r->loaded = tile + 1;
  return !r->fault;
}

static void write_part(run *r, int tile, int which, bool flies) {
  buffer *b = buffer_of(r, tile);
  part *p = &b->parts[which];
  require(r, !b->read, "other threads may still read a buffer that is filled");
  require(r, !p->flies, "a buffer is filled while copies to it are in flight");
  require(r, p->tile == NONE || p->tile < r->computed,
          "a tile is written over before its compute");
  *p = (part){.tile = tile, .batch = r->batches, .flies = flies};
}

/* ---- steps --------------------------------------------------------------- */

static void do_load(run *r, int tile) {
  if (!begin_load(r, tile))
    return;
  for (int which = 0; which < PARTS; which++)
    write_part(r, tile, which, false);
}

/* Between ACQUIRE and COMMIT, where a form has them. */
static void require_acquired(run *r) {
  require(r, !r->acquires || r->acquired > r->batches,
          "copies go to a buffer that was not acquired");
}

static void do_issue(run *r, int tile) {
  if (!begin_load(r, tile))
    return;
  require_acquired(r);
  for (int which = 0; which < PARTS; which++)
    write_part(r, tile, which, true);
  r->issued += !r->meets;
}

static void do_fetch(run *r, int tile) {
  if (!begin_load(r, tile))
    return;
  require(r, r->registers == NONE, "registers are loaded before they were stored");
  r->registers = tile;
}

static void do_split(run *r, int tile) {
  do_fetch(r, tile);
  if (r->registers != tile || r->fault)
    return;
  write_part(r, tile, COPIED, true);
  r->issued++;
}

static void do_store(run *r, int tile) {
  require(r, r->registers == tile, "registers hold another tile than is stored");
  if (r->fault)
    return;
  write_part(r, tile, STAGED, false);
  if (!r->splits)
    write_part(r, tile, COPIED, false);
  r->registers = NONE;
}

static void do_commit(run *r) {
  require_acquired(r);
  r->issued = 0;
  r->batches++;
}

/* The batches before `until` have landed. */
static void land(run *r, int until) {
  r->waited = until > r->waited ? until : r->waited;
  for (int i = 0; i < r->buffers; i++)
    for (int which = 0; which < PARTS; which++) {
      part *p = &r->held[i].parts[which];
      p->flies = p->flies && p->batch >= r->waited;
    }
}

static void do_wait_oldest(run *r) {
  require(r, r->waited < r->batches, "no batch is left to wait for");
  land(r, r->waited + 1);
  for (int i = 0; is_of_block(r) && i < r->buffers; i++)
    for (int which = 0; which < PARTS; which++)
      r->held[i].parts[which].visible |= r->held[i].parts[which].batch < r->waited;
}

static void do_barrier(run *r) {
  r->passed = r->computed;
  if (has_roles(r))
    return;
  for (int i = 0; i < r->buffers; i++) {
    r->held[i].read = false;
    for (int which = 0; which < PARTS; which++)
      r->held[i].parts[which].visible = !r->held[i].parts[which].flies;
  }
}

static void do_meet(run *r, int tile) {
  buffer *b = buffer_of(r, tile);
  for (int which = 0; which < PARTS; which++)
    b->parts[which].flies = b->parts[which].flies && b->parts[which].tile != tile;
  do_barrier(r);
}

static void do_compute(run *r, int tile) {
  require(r, tile < r->tiles, "compute has no tile");
  require(r, tile == r->computed, "compute does not take the tiles one by one");
  if (r->fault)
    return;
  buffer *b = buffer_of(r, tile);
  for (int which = 0; which < PARTS; which++) {
    const part *p = &b->parts[which];
    require(r, p->tile == tile, "compute reads another tile than its own");
    require(r, !p->flies, "compute reads what was not waited for");
    require(r, p->visible, "no barrier makes a tile visible to its compute");
  }
  require(r, r->passed >= tile, "the computes of two tiles are not in order");
  b->read = true;
  b->released = r->released;
  r->computed = tile + 1;
}

/* That all threads have released so many buffers. */
static void pass_reads(run *r, int released) {
  for (int i = 0; i < r->buffers; i++) {
    buffer *b = &r->held[i];
    if (!b->read || b->released >= released)
      continue;
    int tile = b->parts[COPIED].tile;
    b->read = false;
    r->passed = has_roles(r) || r->passed > tile ? r->passed : tile + 1;
  }
}

static void do_acquire(run *r) {
  require(r, r->acquired == r->batches,
          "a buffer is acquired while the one before is in no batch");
  r->acquired++;
  require(r, r->acquired - r->released <= r->buffers,
          "more buffers are acquired than there are");
  if (is_of_block(r))
    pass_reads(r, r->acquired - r->buffers);
}

static void do_release(run *r) {
  require(r, r->released < r->waited,
          "a buffer is released that was not waited for");
  r->released++;
}

static void do_drain(run *r) {
  while (r->waited < r->batches && !r->fault) {
    do_wait_oldest(r);
    do_release(r);
  }
}

static void do_step(run *r, const pl_step *step) {
  int n = pl_count_of(step->n, r->buffers), tile = r->base + n;
  switch (step->kind) {
  case PL_STEP_END: return;
  case PL_STEP_LOAD: do_load(r, tile); return;
  case PL_STEP_ISSUE: do_issue(r, tile); return;
  case PL_STEP_FETCH: do_fetch(r, tile); return;
  case PL_STEP_SPLIT: do_split(r, tile); return;
  case PL_STEP_STORE: do_store(r, tile); return;
  case PL_STEP_ACQUIRE: do_acquire(r); return;
  case PL_STEP_COMMIT: do_commit(r); return;
  case PL_STEP_WAIT: land(r, r->batches - n); return;
  case PL_STEP_WAIT_OLDEST: do_wait_oldest(r); return;
  case PL_STEP_BARRIER: do_barrier(r); return;
  case PL_STEP_MEET: do_meet(r, tile); return;
  case PL_STEP_COMPUTE: do_compute(r, tile); return;
  case PL_STEP_RELEASE: do_release(r); return;
  case PL_STEP_DRAIN: do_drain(r); return;
  case PL_STEP_ADVANCE: r->base++; return;
  }
}

/* ---- lists of steps ------------------------------------------------------ */

static void do_list(run *r, const pl_step *list) {
  for (; list->kind != PL_STEP_END && !r->fault; list++)
    do_step(r, list);
}

static void do_prologue(run *r) {
  int lead = pl_count_of(r->schedule->lead, r->buffers);
  require(r, lead > 0, "the prologue loads no tile");
  for (int tile = 0; tile < lead; tile++) {
    r->base = tile;
    do_list(r, r->schedule->prologue);
  }
  r->base = 0;
}

/* What round k fetches: until `lead` tiles from its own on are begun. */
static int do_fetches(run *r, int k, int begun) {
  int lead = pl_count_of(r->schedule->lead, r->buffers);
  for (; begun < k + lead && !r->fault; begun++) {
    r->base = begun;
    do_list(r, r->schedule->prologue);
  }
  r->base = k;
  return begun;
}

static void do_rounds(run *r) {
  bool all = r->schedule->rounds != PL_ROUNDS_BUT_LAST;
  int rounds = all ? r->tiles : r->tiles - 1, begun = 0;
  for (int k = 0; k < rounds && !r->fault; k++) {
    require(r, r->base == k, "a round does not go on to the next tile");
    if (r->schedule->rounds == PL_ROUNDS_THAT_FETCH)
      begun = do_fetches(r, k, begun);
    do_list(r, r->schedule->round);
  }
  require(r, r->base == rounds || r->tiles == 0,
          "a round does not go on to the next tile");
}

/* Whether those that load can make the next step: a buffer is free, or they need none. */
static bool may_acquire(const run *r, const pl_step *step) {
  return step->kind != PL_STEP_ACQUIRE || r->acquired - r->released < r->buffers;
}

/* A list of one role's, step by step, for each tile. */
typedef struct role {
  const pl_step *list, *next;
  int tile;
} role;

/* Makes a role's next step, unless it has to wait or is through. */
static bool do_next(run *r, role *of, bool loads) {
  if (of->next->kind == PL_STEP_END)
    of->next = of->list;
  bool waits = loads ? !may_acquire(r, of->next)
                     : of->next->kind == PL_STEP_WAIT_OLDEST && r->waited == r->batches;
  if (of->tile == r->tiles || r->fault || waits)
    return false;
  r->base = of->tile;
  do_step(r, of->next++);
  of->tile = r->base;
  return true;
}

static void do_roles(run *r, bool eager) {
  role load = {r->schedule->prologue, r->schedule->prologue, 0};
  role compute = {r->schedule->round, r->schedule->round, 0};
  bool moves = true;
  while (moves && !r->fault) {
    moves = false;
    while (do_next(r, eager ? &load : &compute, eager))
      moves = true;
    moves = do_next(r, eager ? &compute : &load, !eager) || moves;
  }
  require(r, load.tile == r->tiles && compute.tile == r->tiles,
          "those that load and those that compute wait for each other");
}

/* What has to be so behind the loop. */
static void check_end(run *r) {
  require(r, r->computed == r->tiles, "a tile is not computed on");
  require(r, r->registers == NONE, "registers are not stored");
  require(r, r->issued == 0, "copies are in no batch");
  require(r, !is_of_block(r) || r->waited == r->batches,
          "what keeps account of batches ends before they have landed");
  for (int i = 0; i < r->buffers; i++)
    for (int which = 0; which < PARTS; which++)
      require(r, !r->held[i].parts[which].flies,
              "copies are in flight behind the loop");
}

bool pl_has_step(const pl_step *list, pl_step_kind kind) {
  while (list->kind != PL_STEP_END && list->kind != kind)
    list++;
  return list->kind == kind;
}

static void do_schedule(run *r, bool eager) {
  if (has_roles(r)) {
    do_roles(r, eager);
    return;
  }
  if (r->schedule->rounds != PL_ROUNDS_THAT_FETCH)
    do_prologue(r);
  do_rounds(r);
  do_list(r, r->schedule->epilogue);
}

static const char *fault_with(const pl_schedule *schedule, int buffers, int tiles,
                              bool eager) {
  run r = {.schedule = schedule, .buffers = buffers, .tiles = tiles,
           .registers = NONE,
           .splits = pl_has_step(schedule->round, PL_STEP_SPLIT),
           .meets = pl_has_step(schedule->round, PL_STEP_MEET),
           .acquires = pl_has_step(schedule->round, PL_STEP_ACQUIRE) ||
                       pl_has_step(schedule->round, PL_STEP_RELEASE)};
  for (int i = 0; i < buffers; i++)
    for (int which = 0; which < PARTS; which++)
      r.held[i].parts[which].tile = NONE;
  if (tiles == 0 && schedule->rounds == PL_ROUNDS_BUT_LAST)
    return NULL;
  do_schedule(&r, eager);
  check_end(&r);
  return r.fault;
}

/* ---- what the printer has a text for -------------------------------------- */

#define KIND(kind) (1u << PL_STEP_##kind)
#define BATCHES                                                                \
  (KIND(ACQUIRE) | KIND(COMMIT) | KIND(WAIT) | KIND(WAIT_OLDEST) | KIND(RELEASE))

/* By pl_rounds: the steps that a list may have. */
static const struct {
  unsigned prologue, round, epilogue;
} printed[] = {
    [PL_ROUNDS_BUT_LAST] = {KIND(LOAD) | KIND(ISSUE) | KIND(BARRIER) | BATCHES,
                            KIND(ISSUE) | KIND(FETCH) | KIND(SPLIT) | KIND(STORE) |
                                KIND(COMPUTE) | KIND(ADVANCE) | KIND(BARRIER) |
                                BATCHES,
                            KIND(COMPUTE) | KIND(BARRIER) | BATCHES},
    [PL_ROUNDS_OF_ALL] = {KIND(ISSUE) | BATCHES,
                          KIND(ISSUE) | KIND(COMPUTE) | KIND(ADVANCE) |
                              KIND(BARRIER) | KIND(MEET) | BATCHES,
                          BATCHES | KIND(DRAIN)},
    [PL_ROUNDS_THAT_FETCH] = {KIND(ISSUE) | KIND(ACQUIRE) | KIND(COMMIT),
                              KIND(COMPUTE) | KIND(ADVANCE) | KIND(BARRIER) | BATCHES,
                              KIND(DRAIN)},
    [PL_ROUNDS_OF_ROLES] = {KIND(ISSUE) | KIND(ACQUIRE) | KIND(COMMIT) | KIND(ADVANCE),
                            KIND(WAIT_OLDEST) | KIND(COMPUTE) | KIND(BARRIER) |
                                KIND(RELEASE) | KIND(ADVANCE),
                            0},
};

static bool has_only(const pl_step *list, unsigned kinds) {
  while (list->kind != PL_STEP_END && (kinds & 1u << list->kind))
    list++;
  return list->kind == PL_STEP_END;
}

static bool has_text(const pl_schedule *s, int buffers) {
  bool one = s->rounds != PL_ROUNDS_BUT_LAST || pl_count_of(s->lead, buffers) == 1;
  return one && has_only(s->prologue, printed[s->rounds].prologue) &&
         has_only(s->round, printed[s->rounds].round) &&
         has_only(s->epilogue, printed[s->rounds].epilogue);
}

const char *pl_schedule_fault(const pl_schedule *schedule, int buffers) {
  if (buffers < 1 || buffers > MOST_BUFFERS)
    return "there is no such number of buffers";
  if (!has_text(schedule, buffers))
    return "no text is known for a step where it stands";
  for (int tiles = 0; tiles < MOST_TILES; tiles++) {
    const char *fault = fault_with(schedule, buffers, tiles, true);
    if (!fault && schedule->rounds == PL_ROUNDS_OF_ROLES)
      fault = fault_with(schedule, buffers, tiles, false);
    if (fault)
      return fault;
  }
  return NULL;
}

/* ---- loops --------------------------------------------------------------- */

void pl_check_schedules(pl_loops *loops) {
  for (size_t i = 0; i < loops->n; i++) {
    pl_loop *loop = loops->items[i];
    const pl_form *form = loop->settled ? NULL : pl_form_of(loop);
    const char *fault = loop->settled ? NULL
                        : form ? pl_schedule_fault(form->schedule, loop->stages)
                               : "it has no such form";
    if (fault)
      pl_refuse(loop, false, "PL9001", NULL, "%s with %d stages: %s",
                pl_variant_name(loop->variant), loop->stages, fault);
  }
}
