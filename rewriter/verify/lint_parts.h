/* lint_parts.h - a kernel's text, executed thread by thread with concrete numbers.
 *
 * lint_values.c has the memory of a thread, lint_eval.c executes expressions,
 * lint_calls.c and lint_async.c what is called, lint_asm.c inline assembly,
 * lint_statements.c statements. What comes of it is a list of events a thread, which
 * lint_replay.c puts into all orders that barriers and waits allow. lint_tiles.c asks
 * which tiles were read, lint_findings.c says what is wrong, lint_sizes.c chooses the
 * sizes. What is loaded from global memory has no value but the address that it is
 * from: tiles are told apart by it. */
#ifndef PL_LINT_PARTS_H
#define PL_LINT_PARTS_H

#include "const_eval.h"
#include "lint.h"

enum {
  PL_LINT_MOST_THREADS = 1024,
  PL_LINT_LOCAL_BYTES = 1 << 19,
  PL_LINT_MOST_DEPTH = 60,
  PL_LINT_USUAL_SIZE = 1024 /* of what nobody says */
};

/* Addresses. A shared object lies in a window of its own below 2^31, so that its
 * address outlives a conversion to 32 bits; a thread's own objects and buffers of
 * global memory lie above. */
#define PL_LINT_SHARED_SHIFT 24
#define PL_LINT_FAR_SHIFT 40
#define PL_LINT_LOCAL ((int64_t)1 << PL_LINT_FAR_SHIFT)
#define PL_LINT_MIDDLE ((int64_t)1 << (PL_LINT_FAR_SHIFT - 1))

/* A number or an address; of a record, the address of the object. A known number that
 * is `from` memory is made up. */
typedef struct pl_lint_value {
  pl_const c;
  int64_t from; /* the global address that it was loaded from; 0: none */
} pl_lint_value;

/* An object that is not the thread's own. */
typedef struct pl_lint_region {
  const pl_decl *decl; /* NULL: what memory holds an address of */
  int64_t base;
  bool is_shared;
  int64_t key; /* the address of the cell that holds its address; 0: none */
} pl_lint_region;

typedef enum pl_lint_event_kind {
  PL_LINT_READ,
  PL_LINT_WRITE,
  PL_LINT_ATOMIC,
  PL_LINT_COPY,        /* asynchronous; arg: from; object: who keeps account, 0: the
                          thread's groups */
  PL_LINT_BULK,        /* the same by the copy engine; object: the barrier that the
                          bytes arrive at */
  PL_LINT_COMMIT,      /* the thread's open group */
  PL_LINT_WAIT,        /* all but the last `arg` groups of the thread */
  PL_LINT_WAIT_GROUP,  /* the thread's groups up to number `arg` */
  PL_LINT_BARRIER,     /* the block's */
  PL_LINT_WARP,        /* arg: the lanes, object: width of the group */
  PL_LINT_PIPE_MAKE,   /* object; arg: 1 producer, 2 consumer, 3 both; width: stages */
  PL_LINT_PIPE_ACQUIRE,
  PL_LINT_PIPE_COMMIT,
  PL_LINT_PIPE_WAIT,
  PL_LINT_PIPE_RELEASE,
  PL_LINT_PIPE_QUIT,
  PL_LINT_MBAR_INIT,   /* object; arg: threads */
  PL_LINT_MBAR_EXPECT, /* arg: bytes, that the phase waits for */
  PL_LINT_MBAR_ARRIVE, /* arg: how many; width: 1, and they are not expected again */
  PL_LINT_MBAR_WAIT,   /* arg: which of the thread's arrivals */
  PL_LINT_MBAR_PARITY, /* arg: the phase's parity */
  PL_LINT_END
} pl_lint_event_kind;

/* The object that the two halves of a barrier of the block name; barriers that have
 * numbers are objects below zero. */
enum { PL_LINT_WHOLE_BLOCK = 1 };

typedef struct pl_lint_event {
  uint8_t kind;
  bool maybe;     /* data decides whether it happens */
  uint16_t width; /* bytes */
  uint32_t site;
  int32_t round;  /* of its tile loop; -1: in none */
  int32_t object;
  uint64_t key;   /* where in the text, in which round: the same for threads that are
                     as far */
  int64_t addr, arg;
} pl_lint_event;

/* A place of the text, as it is come to from a statement of the kernel. */
typedef struct pl_lint_site {
  const pl_node *node, *top;
  const pl_node *loop; /* the innermost tile loop around it; NULL: none */
} pl_lint_site;

/* What one thread did. */
typedef struct pl_lint_trace {
  size_t first, n; /* events */
} pl_lint_trace;

/* A loop that holds waits or barriers, and how often it ran in thread 0. */
typedef struct pl_lint_loop {
  const pl_node *node;
  bool is_tile_loop;
  bool is_bare;   /* ... though it holds none: what it fills and reads is a pipeline's */
  bool works;     /* does more than to wait for a barrier's phase */
  uint32_t roles; /* which of the threads that were looked at come to it, a bit each */
  int64_t entries, most_entries; /* of one thread */
  int64_t most;                  /* rounds in one entry */
  /* shared objects, a bit each (pl_lint_note_access): filled from global memory before
   * the loop began, in it, by asynchronous copies in it, in turn with others of its
   * rounds; read in it */
  uint64_t ahead, fills, copies, turns, reads;
  bool meets; /* lanes of a warp do, in it */
  int64_t round, cell, filled; /* the one at hand; what was filled first, and when last */
} pl_lint_loop;

typedef struct pl_lint_cell {
  const pl_decl *decl;
  int64_t addr;
} pl_lint_cell;

/* The variables of one call. */
typedef struct pl_lint_frame {
  struct pl_lint_frame *up; /* the one that a lambda stands in; NULL: none */
  const pl_func *func;
  int64_t object; /* `this`; 0: none */
  bool by_name;      /* it returns a reference */
  int64_t result_at; /* where it makes the object that it returns; 0: none */
  pl_lint_cell *cells;
  size_t ncells, cap;
} pl_lint_frame;

typedef struct pl_lint_pipe {
  int32_t object; /* of the block; 0: the thread's own groups */
  int64_t state;  /* ... the address of its state */
  int64_t *groups; /* the thread's own: of each stage the group */
  size_t ngroups, groups_cap;
  int64_t waited;
} pl_lint_pipe;

typedef enum pl_lint_flow {
  PL_LINT_NEXT,
  PL_LINT_BREAK,
  PL_LINT_CONTINUE,
  PL_LINT_RETURN
} pl_lint_flow;

/* A cell of the thread's own before a statement that may not happen set it. */
typedef struct pl_lint_undo {
  int64_t at;
  pl_lint_value old;
} pl_lint_undo;

struct pl_builtin;

/* What is known of a node once for a run. */
typedef struct pl_lint_fact {
  const pl_node *node;
  bool knows_quiet, is_quiet;
  bool is_no_toolkit; /* a call: none that pl_lint_toolkit knows */
  const struct pl_builtin *row; /* ... its row of builtins.def; NULL: not asked for */
} pl_lint_fact;

/* A number in an argument that is a record. */
typedef struct pl_lint_field {
  int64_t addr; /* of the thread's own memory */
  const char *name;
  int64_t value;
} pl_lint_field;

enum { PL_LINT_MOST_FIELDS = 8 };

typedef struct pl_lint_fields {
  pl_lint_field items[PL_LINT_MOST_FIELDS];
  size_t n;
} pl_lint_fields;

typedef struct pl_lint_run {
  pl_arena *arena; /* of this run */
  pl_unit *unit;
  const pl_func *kernel;
  const pl_lint_case *at;
  int threads;

  /* what all threads share */
  pl_lint_region *regions;
  size_t nregions, regions_cap, nshared;
  pl_lint_site *sites;
  size_t nsites, sites_cap;
  uint32_t *site_table;
  size_t site_slots;
  pl_lint_loop *loops;
  size_t nloops, loops_cap;
  pl_lint_event *events;
  size_t nevents, events_cap, most_events;
  pl_lint_trace *traces;
  pl_lint_fact *facts;
  size_t nfacts, facts_cap;
  int64_t steps, most_steps;
  pl_lint_fields *fields; /* found where they are read */
  bool knows_smem; /* a launch says how much dynamic shared memory there is */
  bool holds;   /* integers that global memory holds have values: */
  int64_t held; /* ... multiples of it, each element one more */
  uint64_t filled; /* shared objects so far, as in pl_lint_loop */
  bool finds_loops; /* a first run, of one thread, that keeps no events but notes
                       which loops hold barriers and waits */

  /* the thread */
  int thread;
  int64_t index[3];
  pl_lint_value *local;
  int64_t top; /* of local */
  int64_t given; /* where its arguments end */
  pl_lint_frame *frame, *unused_frames;
  pl_lint_frame *built_in; /* threadIdx and its like */
  const pl_decl **built_ins;
  int *which; /* of those four each is */
  size_t nbuilt_ins, built_ins_cap, which_cap;
  int depth;
  pl_lint_value result;
  uint64_t round_count; /* rounds of tile loops so far, and ends of them */
  int32_t round;
  const pl_node *tile_loop;
  const pl_node *base; /* the statement of the kernel that is executed, */
  const pl_node *inner; /* ... and that of a function that it calls */
  int fixed; /* inside loops within: the place stays */
  pl_lint_loop *around[PL_LINT_MOST_DEPTH * 4];
  int naround;
  int64_t groups; /* committed */
  int64_t arrivals;
  int64_t tried; /* the barrier that was just asked whether it has come so far; 0: none */
  int64_t tries, emitted; /* of this run: waits for such, and all events */
  pl_lint_pipe *pipes;
  size_t npipes, pipes_cap;
  int maybe; /* data decides whether this happens */
  pl_lint_undo *undo;
  size_t nundo, undo_cap;
  int64_t in_maybe; /* events so far that may not happen */

  /* why it could not be read */
  pl_str unread;
  const pl_node *unread_at;
  /* what was read as if data decided otherwise */
  const pl_node *assumed;
  const char *assumed_why;
  bool fills_partly; /* some loop fills more cells than were looked at */
} pl_lint_run;

/* ---- lint_values.c ------------------------------------------------------------ */

void pl_lint_fail(pl_lint_run *r, const pl_node *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
bool pl_lint_failed(const pl_lint_run *r);
pl_lint_value pl_lint_unknown(int64_t from);
pl_lint_value pl_lint_number(int64_t value);
pl_lint_value pl_lint_address(int64_t value);
/* Room for an object of the thread's own; cleared. */
int64_t pl_lint_room(pl_lint_run *r, int64_t size, const pl_node *at);
/* Where an address leads; NULL: into a thread's own memory, or nowhere. */
pl_lint_region *pl_lint_region_at(const pl_lint_run *r, int64_t addr);
bool pl_lint_is_local(int64_t addr);
bool pl_lint_is_shared(const pl_lint_run *r, int64_t addr);
pl_lint_value pl_lint_load(pl_lint_run *r, int64_t addr, const pl_type *type,
                           const pl_node *at);
void pl_lint_store(pl_lint_run *r, int64_t addr, const pl_type *type,
                   pl_lint_value value, const pl_node *at);
/* Copies an object. */
void pl_lint_copy(pl_lint_run *r, int64_t to, int64_t from, int64_t size,
                  const pl_node *at);
void pl_lint_set_local(pl_lint_run *r, int64_t addr, pl_lint_value value);
/* Where a variable lies; false: it is not seen here. */
bool pl_lint_find(pl_lint_run *r, const pl_decl *decl, int64_t *addr);
/* Whether a variable is `threadIdx` or its like. */
bool pl_lint_is_built_in(const pl_lint_run *r, const pl_decl *decl);
/* A frame without variables; what is not needed any more. */
pl_lint_frame *pl_lint_new_frame(pl_lint_run *r);
void pl_lint_drop_frame(pl_lint_run *r, pl_lint_frame *frame);
void pl_lint_bind(pl_lint_run *r, pl_lint_frame *frame, const pl_decl *decl,
                  int64_t addr);
pl_lint_event *pl_lint_emit(pl_lint_run *r, pl_lint_event_kind kind,
                            const pl_node *at);
/* Notes which shared objects the loops around fill, from a global address, and read. */
void pl_lint_note_access(pl_lint_run *r, pl_lint_event_kind kind, int64_t addr,
                         int64_t from);
/* Notes that the loops around hold a wait or barrier. */
void pl_lint_note_sync(pl_lint_run *r);
/* Whether nothing that is looked at can come of a statement (numbers of the thread's
 * own that no address or count hangs on). */
bool pl_lint_is_quiet(pl_lint_run *r, const pl_node *node);
pl_lint_fact *pl_lint_fact_of(pl_lint_run *r, const pl_node *node);
int64_t pl_lint_size(const pl_type *type);

/* ---- lint_eval.c ---------------------------------------------------------------- */

pl_lint_value pl_lint_eval(pl_lint_run *r, const pl_node *node);
/* The address of what an expression names; false: it is not known. */
bool pl_lint_place(pl_lint_run *r, const pl_node *node, int64_t *addr);
/* Makes an object at an address from its initialiser. */
void pl_lint_init(pl_lint_run *r, int64_t addr, const pl_type *type,
                  const pl_node *init);
bool pl_lint_is_object(const pl_type *type);

/* ---- lint_calls.c ---------------------------------------------------------------- */

pl_lint_value pl_lint_call(pl_lint_run *r, const pl_node *node, int64_t *place);
pl_lint_value pl_lint_construct(pl_lint_run *r, const pl_node *node, int64_t addr);
/* The members of an object that begin as their own declarations say. */
void pl_lint_begin_object(pl_lint_run *r, int64_t addr, const pl_type *type);
/* A variable that is known by another name: what it holds is not known from there on. */
void pl_lint_forget(pl_lint_run *r, const pl_node *node);
/* The arguments of a call of what is not seen: reads what they read. */
pl_lint_value pl_lint_eval_all(pl_lint_run *r, const pl_node *node, uint32_t first);

/* ---- lint_async.c ---------------------------------------------------------------- */

/* Whether a call is one of the toolkit that waits, copies, or tells threads apart. */
bool pl_lint_toolkit(pl_lint_run *r, const pl_node *call, pl_lint_value *value);
/* A copy of the thread's own. */
void pl_lint_async_copy(pl_lint_run *r, const pl_node *at, int64_t to, int64_t from,
                        int64_t bytes, int32_t object);

/* How many threads a group has; 0: all of the block, -1: not known. */
int64_t pl_lint_width_of(const pl_node *group);
/* What an argument is; false: it is not known. */
bool pl_lint_number_of(pl_lint_run *r, const pl_node *node, int64_t *out);
bool pl_lint_address_of(pl_lint_run *r, const pl_node *node, int64_t *out);

/* ---- lint_barriers.c -------------------------------------------------------------- */

/* Whether a call is of a barrier that is an object, or a copy that one keeps account of. */
bool pl_lint_barrier_call(pl_lint_run *r, const pl_node *call, pl_lint_value *value);
/* What is done to the barrier at an address. */
pl_lint_event *pl_lint_barrier(pl_lint_run *r, const pl_node *at, pl_lint_event_kind kind,
                               int64_t addr, int64_t arg);
/* Arrives at a barrier of so many threads, and waits there, or not. */
void pl_lint_meet(pl_lint_run *r, const pl_node *at, int32_t object, int64_t threads,
                  bool waits);
/* Asks whether a phase is over: not at once, but when asked again, so that what waits has
 * to be a loop. */
bool pl_lint_try_barrier(pl_lint_run *r, const pl_node *at, pl_lint_event_kind kind,
                         int64_t addr, int64_t arg);
void pl_lint_bulk_copy(pl_lint_run *r, const pl_node *at, int64_t to, int64_t from,
                       int64_t bytes, int64_t bar);
/* The thread's own copies so far arrive at a barrier; counts: as one more. */
void pl_lint_copies_arrive(pl_lint_run *r, const pl_node *at, int64_t bar, bool counts);

/* ---- lint_asm.c ------------------------------------------------------------------- */

void pl_lint_asm(pl_lint_run *r, const pl_node *node);

/* ---- lint_statements.c ------------------------------------------------------------- */

pl_lint_flow pl_lint_exec(pl_lint_run *r, const pl_node *node);
/* Begins and ends what may not happen; what it set is not known behind. */
size_t pl_lint_begin_maybe(pl_lint_run *r);
void pl_lint_roll_back(pl_lint_run *r, size_t mark);
void pl_lint_end_maybe(pl_lint_run *r, size_t mark);
/* Executes the kernel in one thread. */
void pl_lint_run_thread(pl_lint_run *r, int thread);

/* ---- lint_replay.c ----------------------------------------------------------------- */

typedef enum pl_lint_fault_kind {
  PL_LINT_MISSING_WAIT,
  PL_LINT_SHALLOW_WAIT,
  PL_LINT_NO_BARRIER,
  PL_LINT_OVERWRITTEN,
  PL_LINT_FEW_BUFFERS,
  PL_LINT_CONDITIONAL_COMMIT,
  PL_LINT_DIVERGENT_COMMIT,
  PL_LINT_DIVERGENT_BARRIER,
  PL_LINT_LITERAL_STAGE,
  PL_LINT_TILE_SKIPPED,
  PL_LINT_TILE_TWICE,
  PL_LINT_UNFILLED,
  PL_LINT_BEYOND_LAST,
  PL_LINT_MISALIGNED,
  PL_LINT_NARROW,
  PL_LINT_STUCK,
  PL_LINT_BEYOND_SHARED,
  PL_LINT_FAULTS
} pl_lint_fault_kind;

/* One thing at one place, as one thread did it. */
typedef struct pl_lint_act {
  uint32_t site;
  int32_t thread, round;
  int64_t addr;
} pl_lint_act;

typedef struct pl_lint_fault {
  pl_lint_fault_kind kind;
  pl_lint_act what, other; /* other.thread -1: there is none */
  bool is_certain;
  int64_t tiles;  /* of the run; -1: not counted */
  int64_t number; /* by kind: groups that the wait leaves, tiles read, bytes */
  int64_t number2;
  uint32_t wait; /* the site of the wait before, plus one; 0: there is none */
  const char *size_name; /* the size that was varied; NULL: none */
  int64_t unit;          /* ... for a tile */
  pl_lint_run *run;      /* whose sites these are */
} pl_lint_fault;

typedef struct pl_lint_faults {
  pl_lint_fault *items;
  size_t n, cap;
} pl_lint_faults;

/* What a site wrote in a round: a tile, or a part of one. */
typedef struct pl_lint_fill {
  uint32_t site;
  uint64_t seq;
  int32_t round, thread;
  int64_t addr, from; /* of its first cell */
  int64_t cells;
  bool is_read, maybe;
  int64_t redone;      /* cells that were stored to again in that round, unread */
  int64_t overwritten; /* cells that were in a later round, before they were read */
  struct pl_lint_use {
    const pl_node *node;
    uint32_t site;
    uint64_t seq;
    int32_t round, thread;
    int64_t addr;
  } *uses;
  size_t nuses, uses_cap;
} pl_lint_fill;

typedef struct pl_lint_replayed {
  pl_lint_fill *fills;
  size_t nfills, fills_cap;
} pl_lint_replayed;

void pl_lint_replay(pl_lint_run *r, pl_lint_replayed *out, pl_lint_faults *faults);
void pl_lint_add_fault(pl_lint_run *r, pl_lint_faults *faults, pl_lint_fault fault);

/* ---- lint_widths.c ----------------------------------------------------------------- */

void pl_lint_check_widths(pl_lint_run *r, pl_lint_faults *faults);
/* Accesses beyond the dynamic shared memory that the launch gives. */
void pl_lint_check_ends(pl_lint_run *r, pl_lint_faults *faults);

/* ---- lint_tiles.c ------------------------------------------------------------------ */

/* One run of a series in which the number of tiles grows by one. */
typedef struct pl_lint_turn {
  int64_t tiles;
  pl_lint_run *run;
  pl_lint_replayed done;
  bool once; /* the loop is entered once */
} pl_lint_turn;

void pl_lint_check_tiles(pl_lint_turn *turns, size_t n, pl_lint_faults *faults);
/* The same of runs between those of the series: a round takes several tiles, and the last
 * one gets a part of them. */
void pl_lint_check_parts(pl_lint_turn *turns, size_t n, pl_lint_turn *rest, size_t nrest,
                         pl_lint_faults *faults);

/* ---- lint_findings.c --------------------------------------------------------------- */

void pl_lint_say(const pl_unit *unit, const pl_func *kernel,
                 const pl_lint_faults *faults, pl_arena *arena, pl_lint_report *report);

#endif
