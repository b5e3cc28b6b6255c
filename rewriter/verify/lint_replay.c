/* lint_replay.c - the events of all threads, in every order that waits and barriers
 * allow.
 *
 * Needs: a list of events a thread. They are gone through statement by statement, as
 * if all threads were in step; vector clocks say which of them other orders would
 * turn round. Gives: faults, and who read what was written when. Raises nothing. */
#include "lint_clocks.h"

#include <string.h>

typedef struct reader {
  int32_t thread, round;
  uint32_t clock, site;
} reader;

/* What is known of a few bytes of shared memory. */
typedef struct cell {
  bool is_written, is_copy, maybe, is_read, lost; /* lost: what was there before was
                                                     written and never read */
  int32_t thread, round;
  uint32_t clock, site;
  int32_t object; /* who keeps account of the copy */
  int64_t batch;  /* which of its groups, stages or phases */
  int64_t waits;  /* that its thread had come to */
  uint32_t fill;
  int64_t barriers; /* of the block, when the readers were noted */
  reader *readers;
  size_t nreaders, cap;
} cell;

typedef struct replay {
  pl_lint_run *run;
  pl_lint_replayed *out;
  pl_lint_faults *faults;
  pl_lint_thread *threads;
  pl_lint_objects objects;
  int *everybody;
  int64_t barriers; /* of the block */
  int64_t granule;
  cell **cells; /* of each region */
  int64_t *lengths;
  uint32_t *fill_table;
  size_t fill_slots;
} replay;

/* ---- cells -------------------------------------------------------------------------- */

static int64_t gcd(int64_t a, int64_t b) {
  while (b) {
    int64_t c = a % b;
    a = b;
    b = c;
  }
  return a < 0 ? -a : a;
}

static bool is_access(const pl_lint_event *event) { return event->kind <= PL_LINT_BULK; }

/* The bytes that all accesses are multiples of, and how far each object reaches. */
static void measure(replay *p) {
  pl_lint_run *r = p->run;
  p->cells = PL_NEW_ARRAY(r->arena, cell *, r->nshared + 1);
  p->lengths = PL_NEW_ARRAY(r->arena, int64_t, r->nshared + 1);
  p->granule = 16;
  for (size_t i = 0; i < r->nevents; i++) {
    const pl_lint_event *event = &r->events[i];
    if (!is_access(event))
      continue;
    int64_t window = event->addr >> PL_LINT_SHARED_SHIFT;
    int64_t offset = event->addr & (((int64_t)1 << PL_LINT_SHARED_SHIFT) - 1);
    p->granule = gcd(gcd(p->granule, offset), event->width ? event->width : 1);
    if (window >= 1 && window <= (int64_t)r->nshared &&
        offset + event->width > p->lengths[window])
      p->lengths[window] = offset + event->width;
  }
  for (size_t i = 1; i <= r->nshared; i++) {
    if (p->lengths[i] > (1 << 20))
      pl_lint_fail(r, NULL, "it accesses more shared memory than a block can have");
    else if (p->lengths[i])
      p->cells[i] = PL_NEW_ARRAY(r->arena, cell, p->lengths[i] / p->granule + 1);
  }
}

/* ---- fills --------------------------------------------------------------------------- */

static uint32_t fill_of(replay *p, const pl_lint_event *event, int thread) {
  pl_lint_run *r = p->run;
  pl_lint_replayed *out = p->out;
  uint64_t seq = event->key >> 44;
  if (out->nfills * 2 >= p->fill_slots) {
    p->fill_slots = p->fill_slots ? p->fill_slots * 2 : 256;
    p->fill_table = PL_NEW_ARRAY(r->arena, uint32_t, p->fill_slots);
    for (size_t i = 0; i < out->nfills; i++) {
      size_t at = (out->fills[i].site * 0x9E3779B1u + out->fills[i].seq * 31) %
                  p->fill_slots;
      while (p->fill_table[at])
        at = (at + 1) % p->fill_slots;
      p->fill_table[at] = (uint32_t)i + 1;
    }
  }
  size_t at = (event->site * 0x9E3779B1u + seq * 31) % p->fill_slots;
  for (; p->fill_table[at]; at = (at + 1) % p->fill_slots) {
    const pl_lint_fill *fill = &out->fills[p->fill_table[at] - 1];
    if (fill->site == event->site && fill->seq == seq)
      return p->fill_table[at] - 1;
  }
  PL_PUSH(r->arena, out->fills, out->nfills, out->fills_cap,
          ((pl_lint_fill){.site = event->site,
                          .seq = seq,
                          .round = event->round,
                          .thread = thread,
                          .addr = event->addr,
                          .from = event->arg,
                          .maybe = event->maybe}));
  p->fill_table[at] = (uint32_t)out->nfills;
  return (uint32_t)out->nfills - 1;
}

static void note_use(replay *p, pl_lint_fill *fill, const pl_lint_event *event,
                     int thread) {
  pl_lint_run *r = p->run;
  const pl_node *node = r->sites[event->site].node;
  uint64_t seq = event->key >> 44;
  fill->is_read = true;
  for (size_t i = fill->nuses; i > 0; i--)
    if (fill->uses[i - 1].node == node && fill->uses[i - 1].seq == seq)
      return;
  PL_PUSH(r->arena, fill->uses, fill->nuses, fill->uses_cap,
          ((struct pl_lint_use){node, event->site, seq, event->round, thread,
                                event->addr}));
}

/* ---- faults --------------------------------------------------------------------------- */

void pl_lint_add_fault(pl_lint_run *r, pl_lint_faults *faults, pl_lint_fault fault) {
  for (size_t i = 0; i < faults->n; i++) {
    const pl_lint_fault *other = &faults->items[i];
    const pl_lint_site *sites = other->run->sites;
    bool same = other->kind == fault.kind &&
                sites[other->what.site].node == r->sites[fault.what.site].node;
    if (same)
      return;
  }
  fault.run = r;
  if (faults->n < 256)
    PL_PUSH(r->arena, faults->items, faults->n, faults->cap, fault);
}

static pl_lint_act act_of(const pl_lint_event *event, int thread) {
  return (pl_lint_act){event->site, thread, event->round, event->addr};
}

static void blame(replay *p, pl_lint_fault_kind kind, const pl_lint_event *event,
                  int thread, pl_lint_act other, int32_t keeper, int64_t number) {
  const pl_lint_thread *owner = other.thread >= 0 ? &p->threads[other.thread] : NULL;
  pl_lint_fault fault = {.kind = kind,
                         .what = act_of(event, thread),
                         .other = other,
                         .is_certain = !event->maybe,
                         .tiles = -1,
                         .wait = owner && owner->nwaits ? owner->last_wait + 1 : 0,
                         .number = number};
  if (keeper) /* it lands for those who wait for its stage */
    fault.wait = pl_lint_object_of(p->run, &p->objects, keeper)->at[thread].last_wait;
  pl_lint_add_fault(p->run, p->faults, fault);
}

static pl_lint_act writer_of(const cell *c, int64_t addr) {
  return (pl_lint_act){c->site, c->thread, c->round, addr};
}

static bool is_landed_for(replay *p, const cell *c, int thread) {
  const pl_lint_thread *owner = &p->threads[c->thread];
  if (!c->is_copy)
    return true;
  if (c->object)
    return pl_lint_knows_landed(p->run,
                                pl_lint_object_of(p->run, &p->objects, c->object),
                                c->batch, p->threads, thread);
  return c->batch < owner->landed &&
         pl_lint_is_before(p->threads, c->thread, owner->landed_at[c->batch], thread);
}

/* Whether somebody knows that a copy has landed. */
static bool is_landed(replay *p, const cell *c) {
  if (!c->is_copy)
    return true;
  if (!c->object)
    return c->batch < p->threads[c->thread].landed;
  return pl_lint_is_waited_for(
      p->run, pl_lint_object_of(p->run, &p->objects, c->object), c->batch);
}

/* Whether a thread leaves out a commit between a copy and the wait for it: in a round of
 * the loop of its wait there are fewer than in others, up to there. */
static bool leaves_out_commit(const replay *p, const cell *c) {
  const pl_lint_run *r = p->run;
  const pl_lint_thread *t = &p->threads[c->thread];
  const pl_lint_trace *trace = &r->traces[c->thread];
  const pl_node *loop = r->sites[t->last_wait].loop;
  int64_t counts[PL_LINT_MOST_DEPTH] = {0}, usual = 0;
  int now = -1;
  bool ahead = false; /* it commits in a round, and waits then */
  for (size_t i = trace->first; loop && i < t->next; i++)
    if (r->events[i].site == t->last_wait)
      now = r->events[i].round;
  for (size_t i = trace->first; loop && i < trace->first + trace->n; i++) {
    const pl_lint_event *event = &r->events[i];
    if (event->round < 0 || event->round >= PL_LINT_MOST_DEPTH ||
        r->sites[event->site].loop != loop)
      continue;
    int64_t *count = &counts[event->round];
    *count += event->kind == PL_LINT_COMMIT;
    usual = *count > usual ? *count : usual;
    ahead = ahead || (event->site == t->last_wait && *count);
  }
  for (int k = c->round < 0 ? 0 : c->round; k < now + ahead && k < PL_LINT_MOST_DEPTH; k++)
    if (counts[k] < usual)
      return true;
  return false;
}

/* Whether a thread that waited as often, and at the same place, had committed more then. */
static bool others_commit_more(const replay *p, const pl_lint_thread *owner) {
  for (int i = 0; i < p->run->threads; i++) {
    const pl_lint_thread *other = &p->threads[i];
    if (other->nwaits == owner->nwaits && other->last_wait == owner->last_wait &&
        other->had_committed > owner->had_committed)
      return true;
  }
  return false;
}

/* Why a copy is in flight. */
static pl_lint_fault_kind kind_of_flight(replay *p, const cell *c, int thread,
                                         int64_t *prior) {
  const pl_lint_thread *owner = &p->threads[c->thread];
  *prior = owner->last_prior;
  if (c->lost)
    return PL_LINT_FEW_BUFFERS;
  if (c->object)
    return pl_lint_object_of(p->run, &p->objects, c->object)->at[thread].last_wait
               ? PL_LINT_SHALLOW_WAIT
               : PL_LINT_MISSING_WAIT;
  if (c->batch >= owner->committed) {
    for (int i = 0; i < p->run->threads; i++)
      if (p->threads[i].committed > owner->committed)
        return PL_LINT_DIVERGENT_COMMIT;
    return owner->nwaits > c->waits ? PL_LINT_CONDITIONAL_COMMIT : PL_LINT_MISSING_WAIT;
  }
  if (owner->nwaits == c->waits)
    return PL_LINT_MISSING_WAIT;
  if (others_commit_more(p, owner))
    return PL_LINT_DIVERGENT_COMMIT;
  return leaves_out_commit(p, c) ? PL_LINT_CONDITIONAL_COMMIT : PL_LINT_SHALLOW_WAIT;
}

/* ---- accesses --------------------------------------------------------------------------- */

static void check_read(replay *p, cell *c, const pl_lint_event *event, int thread) {
  int64_t prior;
  if (!c->is_written) {
    if (!p->run->fills_partly)
      blame(p, PL_LINT_UNFILLED, event, thread, (pl_lint_act){.thread = -1}, 0, 0);
    return;
  }
  if (!is_landed(p, c)) {
    pl_lint_fault_kind kind = kind_of_flight(p, c, thread, &prior);
    blame(p, kind, event, thread, writer_of(c, event->addr), c->object, prior);
  } else if (!is_landed_for(p, c, thread) ||
             (!c->object && !pl_lint_is_before(p->threads, c->thread, c->clock, thread))) {
    if (!(c->maybe && event->maybe))
      blame(p, PL_LINT_NO_BARRIER, event, thread, writer_of(c, event->addr), c->object,
            c->is_copy);
  }
}

static void note_reader(replay *p, cell *c, const pl_lint_event *event, int thread) {
  const pl_lint_thread *t = &p->threads[thread];
  if (c->barriers != p->barriers) {
    c->barriers = p->barriers;
    c->nreaders = 0;
  }
  for (size_t i = c->nreaders; i > 0 && i + 4 > c->nreaders; i--)
    if (c->readers[i - 1].thread == thread) {
      c->readers[i - 1].clock = t->clock;
      c->readers[i - 1].site = event->site;
      c->readers[i - 1].round = event->round;
      return;
    }
  PL_PUSH(p->run->arena, c->readers, c->nreaders, c->cap,
          ((reader){thread, event->round, t->clock, event->site}));
}

static void do_read(replay *p, cell *c, const pl_lint_event *event, int thread) {
  check_read(p, c, event, thread);
  if (c->is_written)
    note_use(p, &p->out->fills[c->fill], event, thread);
  c->is_read = true;
  note_reader(p, c, event, thread);
}

static void check_write(replay *p, const cell *c, const pl_lint_event *event, int thread) {
  for (size_t i = 0; i < c->nreaders; i++) {
    const reader *by = &c->readers[i];
    if (pl_lint_is_before(p->threads, by->thread, by->clock, thread))
      continue;
    pl_lint_act read = {by->site, by->thread, by->round, event->addr};
    if (!c->is_written || !(c->maybe && event->maybe))
      blame(p, PL_LINT_OVERWRITTEN, event, thread, read, 0, 0);
    return;
  }
  if (!c->is_written || (c->round == event->round && c->site == event->site) ||
      (c->maybe && event->maybe))
    return;
  bool is_read = c->is_read || p->out->fills[c->fill].is_read; /* else the read is told */
  if (!is_landed(p, c) && !is_read)
    blame(p, PL_LINT_FEW_BUFFERS, event, thread, writer_of(c, event->addr), 0, 1);
  else if (c->round != event->round && !c->is_read && c->thread != thread &&
           !pl_lint_is_before(p->threads, c->thread, c->clock, thread) &&
           !(c->maybe || event->maybe))
    blame(p, PL_LINT_FEW_BUFFERS, event, thread, writer_of(c, event->addr), 0, 2);
}

static void do_write(replay *p, cell *c, const pl_lint_event *event, int thread,
                     uint32_t fill) {
  pl_lint_thread *t = &p->threads[thread];
  bool copy = event->kind >= PL_LINT_COPY;
  check_write(p, c, event, thread);
  if (event->maybe && c->maybe && c->is_copy && !copy && c->round == event->round)
    return; /* one of two ways: the other one copies */
  if (c->is_written && !c->is_read &&
      p->out->fills[c->fill].seq != p->out->fills[fill].seq)
    p->out->fills[c->fill].overwritten++;
  else if (c->is_written && !c->is_read && c->fill != fill)
    p->out->fills[c->fill].redone++;
  bool lost = c->is_written && !p->out->fills[c->fill].is_read && c->fill != fill &&
              p->run->sites[c->site].node == p->run->sites[event->site].node;
  bool maybe = event->maybe && c->is_written ? c->maybe : event->maybe;
  reader *readers = c->readers;
  size_t cap = c->cap;
  *c = (cell){.is_written = true,
              .is_copy = copy,
              .maybe = maybe,
              .lost = lost,
              .thread = thread,
              .round = event->round,
              .clock = t->clock,
              .site = event->site,
              .object = copy ? event->object : 0,
              .batch = t->committed,
              .waits = t->nwaits,
              .fill = fill,
              .barriers = p->barriers,
              .readers = readers,
              .cap = cap};
  if (copy && event->object) {
    pl_lint_object *o = pl_lint_object_of(p->run, &p->objects, event->object);
    c->batch = pl_lint_stage_of_copy(p->run, o, thread);
  }
  p->out->fills[fill].cells++;
}

static void do_access(replay *p, const pl_lint_event *event, int thread) {
  int64_t window = event->addr >> PL_LINT_SHARED_SHIFT;
  int64_t offset = event->addr & (((int64_t)1 << PL_LINT_SHARED_SHIFT) - 1);
  if (window < 1 || window > (int64_t)p->run->nshared || !p->cells[window])
    return;
  bool writes = event->kind != PL_LINT_READ && event->kind != PL_LINT_ATOMIC;
  uint32_t fill = writes ? fill_of(p, event, thread) : 0;
  for (int64_t i = 0; i < event->width; i += p->granule) {
    cell *c = &p->cells[window][(offset + i) / p->granule];
    if (event->kind == PL_LINT_READ)
      do_read(p, c, event, thread);
    else if (event->kind == PL_LINT_ATOMIC)
      c->is_read = c->is_written; /* of its own order */
    else
      do_write(p, c, event, thread, fill);
  }
}

/* ---- waits -------------------------------------------------------------------------------- */

static void land(replay *p, pl_lint_thread *t, const pl_lint_event *event, int64_t until) {
  if (until > t->committed)
    until = t->committed;
  size_t n = (size_t)t->landed;
  while ((int64_t)n < until)
    PL_PUSH(p->run->arena, t->landed_at, n, t->landed_cap, t->clock);
  t->landed = (int64_t)n;
  t->nwaits++;
  t->had_committed = t->committed;
  t->last_wait = event->site;
  t->last_prior = t->committed - until;
}

static bool is_in_warp(const pl_lint_event *event, int thread, int lane) {
  int width = event->object;
  if (thread / width != lane / width)
    return false;
  return event->arg < 0 || event->arg >> (lane % 32) & 1;
}

static const pl_lint_event *next_of(const replay *p, int thread) {
  return &p->run->events[p->threads[thread].next];
}

/* Lets go on who waits for a warp, if all of it have come. */
static void try_warp(replay *p, const pl_lint_event *event, int thread) {
  int *who = p->everybody, n = 0;
  int width = event->object, first = thread / width * width;
  for (int i = first; i < first + width && i < p->run->threads; i++) {
    if (!is_in_warp(event, thread, i) || p->threads[i].done)
      continue;
    if (p->threads[i].waits != PL_LINT_WARP)
      return;
    who[n++] = i;
  }
  pl_lint_join(p->run, p->threads, who, n);
  for (int i = 0; i < n; i++) {
    p->threads[who[i]].waits = PL_LINT_END;
    p->threads[who[i]].next++;
  }
}

static void try_block(replay *p) {
  int n = 0;
  for (int i = 0; i < p->run->threads; i++) {
    const pl_lint_thread *t = &p->threads[i];
    if (t->done)
      continue;
    if (t->waits != PL_LINT_BARRIER)
      return;
    p->everybody[n++] = i;
  }
  if (!n)
    return;
  pl_lint_join(p->run, p->threads, p->everybody, n);
  p->barriers++;
  for (int i = 0; i < n; i++) {
    pl_lint_thread *t = &p->threads[p->everybody[i]];
    t->waits = PL_LINT_END;
    t->barriers++;
    t->next++;
  }
}

/* ---- one event ------------------------------------------------------------------------------ */

/* Does the next event of a thread, or lets it wait there. */
static void do_event(replay *p, int thread) {
  pl_lint_thread *t = &p->threads[thread];
  const pl_lint_event *event = next_of(p, thread);
  switch (event->kind) {
  case PL_LINT_READ:
  case PL_LINT_WRITE:
  case PL_LINT_ATOMIC:
  case PL_LINT_COPY:
  case PL_LINT_BULK:
    do_access(p, event, thread);
    if (event->kind == PL_LINT_BULK)
      pl_lint_bytes_arrive(p->run, pl_lint_object_of(p->run, &p->objects, event->object),
                           event->width);
    t->next++;
    return;
  case PL_LINT_COMMIT:
    t->committed++;
    t->next++;
    return;
  case PL_LINT_WAIT:
    land(p, t, event, t->committed - event->arg);
    t->clock++;
    t->next++;
    return;
  case PL_LINT_WAIT_GROUP:
    land(p, t, event, event->arg + 1);
    t->clock++;
    t->next++;
    return;
  case PL_LINT_BARRIER:
    t->waits = PL_LINT_BARRIER;
    return;
  case PL_LINT_WARP:
    t->waits = PL_LINT_WARP;
    try_warp(p, event, thread);
    return;
  case PL_LINT_PIPE_MAKE:
    t->next++;
    return;
  case PL_LINT_END:
    t->done = true;
    return;
  default:
    if (pl_lint_do_object(p->run, &p->objects, p->threads, thread, event))
      t->next++;
    else
      t->waits = event->kind;
  }
}

static bool is_ready(const replay *p, int thread) {
  const pl_lint_thread *t = &p->threads[thread];
  return !t->done && t->waits == PL_LINT_END;
}

/* Those that wait for an object look again. */
static bool wake_up(replay *p) {
  bool any = false;
  for (int i = 0; i < p->run->threads; i++) {
    pl_lint_thread *t = &p->threads[i];
    if (t->done || t->waits < PL_LINT_PIPE_ACQUIRE || t->waits == PL_LINT_END)
      continue;
    t->waits = PL_LINT_END;
    size_t before = t->next;
    do_event(p, i);
    any = any || t->next != before;
  }
  return any;
}

/* What the threads that are behind all others do until they come to the next
 * statement. */
static bool step(replay *p) {
  uint64_t key = UINT64_MAX;
  for (int i = 0; i < p->run->threads; i++)
    if (is_ready(p, i) && next_of(p, i)->key < key)
      key = next_of(p, i)->key;
  if (key == UINT64_MAX)
    return false;
  for (int i = 0; i < p->run->threads; i++)
    while (is_ready(p, i) && next_of(p, i)->key <= key)
      do_event(p, i);
  return true;
}

/* ---- the end ----------------------------------------------------------------------------------- */

/* Who never goes on. */
static void blame_stuck(replay *p) {
  int at_barrier = -1, other = -1;
  for (int i = 0; i < p->run->threads; i++) {
    if (p->threads[i].done)
      continue;
    if (p->threads[i].waits == PL_LINT_BARRIER && at_barrier < 0)
      at_barrier = i;
    else if (p->threads[i].waits != PL_LINT_BARRIER && other < 0)
      other = i;
  }
  bool stuck = at_barrier < 0 ||
               (other >= 0 && p->threads[other].waits >= PL_LINT_PIPE_ACQUIRE);
  int first = stuck ? other : at_barrier, last = stuck ? at_barrier : other;
  if (first < 0)
    return;
  pl_lint_act second = {.thread = -1};
  if (last >= 0)
    second = act_of(next_of(p, last), last);
  blame(p, stuck ? PL_LINT_STUCK : PL_LINT_DIVERGENT_BARRIER, next_of(p, first), first,
        second, 0, next_of(p, first)->kind);
}

/* The n-th barrier of the block that a thread comes to; NULL: it does not. */
static const pl_lint_event *barrier_of(const replay *p, int thread, int64_t n) {
  const pl_lint_trace *trace = &p->run->traces[thread];
  for (size_t i = trace->first; i < trace->first + trace->n; i++) {
    const pl_lint_event *event = &p->run->events[i];
    if (event->kind == PL_LINT_BARRIER && n-- == 0)
      return event;
  }
  return NULL;
}

/* The first barrier that a thread does not come to and goes on; NULL: as far as it
 * goes it comes to the same ones, and has left then. */
static const pl_lint_event *passed_by(const replay *p, int most, int least) {
  for (int64_t n = 0; n < p->threads[least].barriers; n++) {
    const pl_lint_event *a = barrier_of(p, most, n), *b = barrier_of(p, least, n);
    if (a && b && a->site != b->site)
      return a;
  }
  return NULL;
}

/* A thread that comes to some of the barriers and passes others by. */
static void blame_uneven(replay *p) {
  int most = 0;
  for (int i = 1; i < p->run->threads; i++)
    if (p->threads[i].barriers > p->threads[most].barriers)
      most = i;
  for (int i = 0; i < p->run->threads; i++) {
    if (p->threads[i].barriers == p->threads[most].barriers)
      continue;
    const pl_lint_event *event = passed_by(p, most, i);
    if (!event)
      continue;
    blame(p, PL_LINT_DIVERGENT_BARRIER, event, most,
          (pl_lint_act){event->site, i, -1, -1}, 0, -1);
    return;
  }
}

static void begin(replay *p) {
  pl_lint_run *r = p->run;
  pl_lint_base *base = PL_NEW(r->arena, pl_lint_base);
  base->v = PL_NEW_ARRAY(r->arena, uint32_t, r->threads);
  base->owner = -1;
  p->threads = PL_NEW_ARRAY(r->arena, pl_lint_thread, r->threads);
  p->everybody = PL_NEW_ARRAY(r->arena, int, r->threads);
  for (int i = 0; i < r->threads; i++)
    p->threads[i] = (pl_lint_thread){.next = r->traces[i].first,
                                     .base = base,
                                     .clock = 1,
                                     .waits = PL_LINT_END};
  for (size_t i = 0; i < r->nevents; i++) {
    const pl_lint_event *event = &r->events[i];
    if (event->kind != PL_LINT_PIPE_MAKE)
      continue;
    pl_lint_object *o = pl_lint_object_of(r, &p->objects, event->object);
    o->stages = event->width;
    o->producers += (event->arg & 1) != 0;
    o->consumers += (event->arg & 2) != 0;
  }
}

/* An unfilled cell that somebody fills in the same interval is a race, which has been
 * told; so has been where the fault itself was. */
static void leave_out_consequences(pl_lint_faults *faults) {
  bool races = false;
  for (size_t i = 0; i < faults->n; i++)
    races = races || (faults->items[i].kind != PL_LINT_UNFILLED &&
                      faults->items[i].kind != PL_LINT_NARROW &&
                      faults->items[i].kind != PL_LINT_MISALIGNED);
  size_t n = 0;
  for (size_t i = 0; i < faults->n; i++)
    if (!races || faults->items[i].kind != PL_LINT_UNFILLED)
      faults->items[n++] = faults->items[i];
  faults->n = n;
}

void pl_lint_replay(pl_lint_run *r, pl_lint_replayed *out, pl_lint_faults *faults) {
  replay p = {.run = r, .out = out, .faults = faults};
  begin(&p);
  measure(&p);
  while (!pl_lint_failed(r)) {
    bool any = step(&p);
    try_block(&p);
    any = wake_up(&p) || any;
    bool ready = false;
    for (int i = 0; i < r->threads && !ready; i++)
      ready = is_ready(&p, i);
    if (!any && !ready)
      break;
  }
  blame_stuck(&p);
  blame_uneven(&p);
  leave_out_consequences(faults);
}
