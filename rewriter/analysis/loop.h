/* loop.h - a tile loop, as the passes fill it in.
 *
 * loops.c finds it, phases.c splits its body at the barriers, slices.c decides
 * what runs ahead, copies.c says how each tile is filled, legality.c whether it
 * may move, plan.c what to emit, emit.c the text. */
#ifndef PL_LOOP_H
#define PL_LOOP_H

#include "const_eval.h"
#include "effects.h"
#include "pipelinify.h"

/* What an emitted main loop's comment begins with. */
#define PL_MAIN_LOOP "// Main loop: "

/* One statement at the loop body's own level. */
typedef struct pl_stmt {
  pl_node *node;
  pl_range chunk; /* with the comments before it and on its last line */
  pl_effects effects;
  bool is_barrier;
  bool kept;           /* a barrier that stays inside compute (barrier_order.c) */
  bool is_shared_decl; /* declares __shared__ objects and nothing else */
  int phase;           /* cyclic, 0 to nphases - 1 */
  bool in_load;        /* the load side runs it */
  bool in_compute;     /* the compute side runs it */
  bool fills;          /* writes a tile that this loop streams */
  bool is_advance;     /* steps recurrences and does nothing else */
  bool names_tile;     /* declares names for places in a tile, for stores */
  bool restarts;       /* sets what the store changes: done again before it */
  bool asks;           /* makes a value for a test of the head */
  bool only_asks;      /* of the load side: made for a test of the head alone */
  bool always;         /* behind the branch that is the loop's whole body: done
                          for tiles that are passed over, too */
  bool repeated;       /* ends the body, and is done where one is passed over */
  bool joined;         /* an #if holds it and the statement before */
  bool is_vote;        /* a barrier: the vote at the head, with its test */
  bool ahead;          /* a name of a type, which moves in front of the loop */
} pl_stmt;

/* One statement of a loop's head: up to the last place at which the loop is left,
 * or a tile passed over, before anything is loaded. */
typedef struct pl_head_item {
  pl_node *node;
  pl_range chunk; /* with the comments before it and on its last line */
  bool jumps;     /* no statement of the body any more: a test */
  bool needed;    /* a test, or what a test is made from */
} pl_head_item;

/* A variable that carries a value from one tile to the next, by a constant
 * amount a tile, by one that the load side works out or as a function of others
 * that do, and that the load side needs; or one from outside the loop that both
 * sides set for themselves. */
typedef struct pl_recurrence {
  pl_decl *decl;
  pl_node *step;      /* `k0 += BK`, `++t`, `left = n - k0` */
  bool derived;       /* the step sets it anew, from other variables */
  bool uneven;        /* ... or is another function of what the load side knows */
  bool restarts;      /* carries nothing: set before it is read, each time */
  int stmt;           /* body statement of the step; -1: the header */
  bool by_fill;       /* the step is the call that fills tiles */
  bool in_header;     /* declared in the for header */
  bool compute_needs; /* compute, or what is replayed for it, reads it */
} pl_recurrence;

typedef struct pl_tile {
  pl_decl *decl;
  pl_decl *stands_for; /* in a method, of a member: the caller's tile */
  bool dynamic;       /* extern __shared__ */
  bool wide;          /* touched through a wider type, fragments or asm */
  bool partial;       /* cells may stay unwritten in some iterations */
  const char *partial_why; /* NULL: a guard skips the store */
  bool prefilled;     /* written before the loop */
  bool used_outside;  /* named outside this loop other than by its declaration */
  bool lasts;         /* used behind the loop: the last tile, by its stage */
  bool stored_twice;  /* a cell may be written twice in one iteration */
  bool async;         /* some copy of it can be asynchronous */
  bool fixed;         /* named where rebinding does not reach */
  const pl_decl *member, *object; /* the one leads there, of the other, which is
                                     not made anew; NULL: none does */
  bool escapes;       /* its address leaves the kernel's sight behind the loop */
  const pl_decl *kept_by; /* keeps an address of it for a later tile */
  pl_node *fixed_at;
  pl_node *prefilled_at, *outside_at;
  pl_node *changed_at; /* compute writes to it here, NULL: it does not */
  bool widened;       /* some copy of it is a wide one (widen.c) */
  bool in_rows;       /* some copy of it may be a bulk copy */
  int64_t bytes;      /* largest over the instantiations, -1: unknown */
  int64_t align;      /* that every stage must keep, bytes; 0: its own */
} pl_tile;

/* A launch in the text, or a question how many of its blocks fit: where the bytes of dynamic shared memory are said. */
typedef struct pl_launch_place {
  pl_range expr;   /* what is given */
  int64_t bytes;   /* that it comes to, the most of the instantiations; -1: not
                      known */
  pl_range callee; /* `k<16>`; empty: it names less than the instantiation */
  uint32_t begin;  /* of the statement that it is; 0: it is a part of one */
  bool alone;      /* it is the body of a branch or a loop, without braces */
  uint32_t call;   /* the token of the function that is called, 0: of none */
  const pl_decl *config; /* `expr` is its dynamicSmemBytes; NULL: an argument */
} pl_launch_place;

/* What a launch says of its block. */
typedef struct pl_launch_block {
  pl_range expr;
  bool number; /* one, of threads; else a dim3 */
} pl_launch_block;

#define PL_TOLD_APART 1    /* bytes, behind the last stage */

/* The dynamic shared memory of a kernel all of whose launches are in sight and can
 * be edited, so that it has room for stages (plan_launches.c). */
typedef struct pl_dynamic_memory {
  int64_t bytes;  /* the most that a launch gives; may give, where that is unknown */
  bool unknown;   /* the run decides what a launch gives */
  int64_t begin;  /* of what the tiles take of it, a multiple of align */
  int64_t stride; /* bytes from there to the end of what they take, rounded up: from stage
                     to stage. The first is the block itself */
  int64_t behind; /* from the first to the second: the rest of the block, rounded up */
  int64_t align;  /* of a stage, bytes */
  bool varies;    /* not all give as much: the kernel asks for its stride */
  bool open;      /* other instantiations or builds may give yet others */
  bool limited;   /* the host may allow a launch less than without a word */
  bool raised;    /* it may allow more */
  bool may_allow; /* a statement that allows more can stand before each launch */
  pl_launch_place *launches;
  size_t n, cap;
} pl_dynamic_memory;

/* Threads of a second layer of the block that do nothing but load, and what speaks
 * against them (plan_roles.c). */
typedef struct pl_roles {
  bool known;     /* it has been asked */
  const char *id; /* what speaks against them; NULL: nothing */
  pl_str why;
  const pl_node *at;   /* ... and where, NULL: nowhere in the text */
  pl_node **passed;    /* statements ahead of the loop that they pass over */
  size_t npassed, passed_cap;
  bool ordered;        /* the computes of two tiles need a barrier in between */
  int64_t threads;     /* of the block as it was, the most of the launches */
  pl_launch_block *launches;
  size_t n, cap;
} pl_roles;

/* What is kept in registers between fetch and store. */
typedef enum pl_staging {
  PL_STAGE_NOTHING, /* the value is at hand when the store is replayed */
  PL_STAGE_VALUE,   /* the stored value */
  PL_STAGE_LEAVES   /* the loads that the value is computed from */
} pl_staging;

typedef struct pl_loop pl_loop;

/* A store that some iterations of a copy loop can make at once, as one asynchronous
 * copy of 16 bytes: the loop's neighbours (widen.c). */
typedef struct pl_wide_copy {
  pl_node *unit; /* what it stands for in the text: the store, or the IF around it
                    and around the store of its fill */
  pl_node *cond; /* of that IF, or of the value, NULL: none */
  bool negated;  /* the copy is made where cond does not hold */
  pl_node *fill; /* what is stored otherwise, NULL: nothing */
} pl_wide_copy;

/* A place of which neighbours have one element each, side by side: the first's, base[rest],
 * or base where rest is NULL. */
typedef struct pl_first_place {
  pl_node *base, *rest;
  bool wraps; /* the index is unsigned, and rest a signed number that may be negative */
} pl_first_place;

/* All that a copy loop, or the block's threads, copy by a store: one range in both places. */
typedef struct pl_block_copy {
  pl_first_place to, from;
} pl_block_copy;

/* What widening a loop's copies takes for granted; asked once, in front of the
 * tile loop. Where it is not so, each element is copied by itself. */
typedef enum pl_premise_kind {
  PL_PREMISE_ROW_STEP,   /* a row of the block has as many threads as node says */
  PL_PREMISE_BLOCK_STEP, /* the block has */
  PL_PREMISE_MULTIPLE,   /* node is a multiple of the neighbours */
  PL_PREMISE_ALIGNED,    /* node points to the alignment of a wide copy */
  PL_PREMISE_DIVIDES,    /* by divides node */
  PL_PREMISE_POSITIVE,   /* node is more than zero */
  PL_PREMISE_THREADS,    /* the threads of a row of the block are a multiple */
  PL_PREMISE_SIZE        /* elements of the type are plain data of that size */
} pl_premise_kind;

typedef struct pl_premise {
  pl_premise_kind kind;
  int64_t group;      /* of those copies that are made for so many neighbours */
  int64_t neighbours; /* of 16 bytes, or of a narrower wide copy */
  int64_t bytes;      /* of that */
  pl_node *node, *by;
  const pl_type *type;
} pl_premise;

/* One store into a tile, as it stands in the text. */
typedef struct pl_copy {
  pl_node *store;     /* the ASSIGN statement */
  pl_node *dst, *src; /* its two sides; of `a = b = v` a and v */
  pl_node *last;      /* of `a = b = v` the ASSIGN to b, else the store */
  const pl_type *type; /* of the value stored */
  bool type_is_values; /* the source's: the destination's has no name */
  pl_tile *tile;
  pl_node *nbytes;    /* of memcpy and memset: how many; NULL: an assignment */
  bool by_call;       /* a function stores src, which it is handed */
  pl_node *place;     /* by_call: the argument that says where, if the function
                         does nothing but to store src there */
  bool changes;       /* src sets a variable on the way */
  bool reads_memory;  /* src loads from global memory itself */
  bool by_leaf;       /* src computes with its loads: stage those */
  pl_staging staging; /* split.c: what registers hold until the store */
  bool takes_address; /* src hands on the address of what it would load */
  pl_node **leaves;   /* by_leaf: the loads */
  size_t nleaves;
  pl_node *load;      /* the one load that src is, guarded or not */
  pl_node *via;       /* VAR of the local between load and store, or NULL */
  pl_node *filled_by; /* via: the IF without else that alone gives it the load,
                         NULL: it begins with it */
  pl_node *choice;    /* filled_by: `condition ? load : beginning`, as a COND */
  int64_t bytes;      /* of one store, -1: a template decides */
  int64_t slots;      /* stores a thread makes a tile, -1: unknown */
  const char *async_id; /* why it cannot be asynchronous; NULL: it can */
  const char *async_why;
  bool narrow;        /* ... but for its elements' size it could */
  pl_wide_copy *wide; /* it is one of neighbours, and so it can; NULL: it is not */
  pl_wide_copy *row;  /* it is one of those that a bulk copy stands for: of its copy
                         loop's (pl_copy_loop.row), else of the block's threads */
  pl_block_copy *together; /* the block can make it in one call; NULL: it cannot */
  bool early;         /* mixed form: written before compute, asynchronously if
                         it loads; the others are staged */
} pl_copy;

/* A loop around copies, as `for (i = start; i < bound; i += step)`, or a chain
 * in which one variable steps like that (chains.c). */
typedef struct pl_copy_loop {
  pl_node *node;
  pl_decl *var;
  bool declares;       /* the header declares var */
  pl_node *start, *bound;
  pl_node *step;       /* NULL: one */
  pl_node *ahead;      /* `i + ahead <= bound`, NULL: none */
  bool inclusive;      /* <= */
  bool constant;       /* start, bound and step are constant expressions */
  bool by_thread;      /* start is the thread's index within the block, or below */
  bool below_step;     /* start is known to be less than step */
  bool divides;        /* step divides bound, whatever a build defines */
  bool assumed;        /* the count rests on what the run decides: the loop's
                          own text takes what is left */
  bool estimated;      /* nothing says how many; count is a guess */
  bool down;           /* chain: steps down; start and bound as in a mirror */
  bool asks;           /* chain: the condition itself steps var */
  bool wraps;          /* chain: down, and below zero it would go on */
  bool chain;          /* kept as it stands, with a counter beside it */
  bool numeric;        /* chain: the count is no simple quotient */
  bool resumes;        /* chain: its text goes on where the counter ends */
  int64_t neighbours;  /* iterations, of this thread and of others, that one
                          asynchronous copy is made for; 0: each its own */
  int64_t row;         /* neighbours of one bulk copy; 0: none is made */
  bool together;       /* all its copies are such that the block makes in one call each */
  bool in_row;         /* neighbours: the threads are those of a row of the block,
                          of one threadIdx.y and z */
  pl_decl *place;      /* neighbours: what numbers them over all threads, var or a
                          local that is set to `thread + i * threads` */
  pl_node *first, *apart; /* of place: a thread's first value, and how far its
                             values are from each other */
  pl_node *cells;         /* of a local place: how many values it takes, NULL: as
                             many as bound times apart */
  int64_t count;       /* most iterations of one thread, -1: unknown */
} pl_copy_loop;

/* A call of a function in the file that fills tiles it is handed. `body` is
 * that function seen as a load side of its own: one statement, its body, whose
 * tiles are the parameters. */
typedef struct pl_fill_call {
  pl_node *node;
  pl_loop *body;
  bool early; /* mixed form: all that it copies is copied asynchronously */
} pl_fill_call;

/* Text that fills tiles: the load statements of a loop, or the body of a
 * function that the load phase hands a tile to. */
typedef struct pl_fill {
  const pl_func *func;
  bool of_helper;  /* the text of a function that is called to fill */
  pl_node **roots; /* the statements, in order */
  size_t nroots;
  pl_copy *copies;
  size_t ncopies, copies_cap;
  pl_copy_loop *loops;
  size_t nloops, loops_cap;
  pl_fill_call *calls;
  size_t ncalls, calls_cap;
  pl_node **staged; /* VARs inside statements that hold loaded values */
  size_t nstaged, staged_cap;
  pl_decl **restarted; /* locals of the loop body that a replay sets anew */
  size_t nrestarted, restarted_cap;
  pl_decl **read; /* of_helper: parameters that its caller reads from memory */
  size_t nread, read_cap;
} pl_fill;

/* What the rewritten text asks of an argument of a template, or of a type that one
 * decides. */
typedef struct pl_asked_type {
  pl_str name;
  bool points;  /* a pointer in all instantiations in sight: to what is not volatile */
  bool is_data; /* plain data in all of them */
  bool is_value; /* a number, not a type */
  bool is_function; /* ... or a function */
  pl_str *same; /* to be one of these; NULL: no reference and not volatile */
  size_t nsame, same_cap;
} pl_asked_type;

/* Threads of a block, and its extents; 0: unknown. */
typedef struct pl_block {
  int64_t threads;
  int64_t dims[3];
  bool known; /* looked for */
} pl_block;

enum { PL_GAIN_TERMS = 7 }; /* of plan_gain.def */

/* What a loop's cost hangs on, for one thread and one full tile (plan_facts.c). */
typedef struct pl_loop_facts {
  double narrow, middle, wide; /* copies of up to 4 bytes, up to 8, and wider */
  double copied;               /* bytes of all of them */
  double made;                 /* stores of values that are computed on the way */
  double guarded;              /* copies, of those three, that a guard may skip */
  double reads;                /* of the tiles' cells by compute, at least */
  double operations;           /* of compute; 0: they cannot be counted */
  int64_t held;                /* bytes of locals that live over the loop */
  int64_t grid;                /* blocks of a launch, the most; 0: not known */
} pl_loop_facts;

/* What the form that was taken is expected to gain (plan_gain.c): times as fast, and
 * between what eight in ten launches lie; 0: not asked. */
typedef struct pl_gain {
  double low, middle, high;
  int class;
  bool compiled; /* it is known what nvcc makes of the form */
  double terms[PL_GAIN_TERMS];
} pl_gain;

struct pl_loop {
  pl_unit *unit;
  pl_func *func;
  pl_effect_context *effects;
  pl_arena *arena;
  const char *measured; /* ", as measured on ..."; NULL: not measured */
  const pl_options *options;
  pl_block *block; /* block.c's; NULL: nothing is kept */
  pl_node *node; /* FOR, WHILE or DO */
  pl_node *init, *cond, *inc, *body; /* cond: header and tests, as one */
  pl_node *header;       /* the condition of the loop's own header, NULL: none */
  pl_node **tests;       /* conditions of its breaks and continues */
  size_t ntests, tests_cap;
  pl_head_item *head;    /* statements before the last of those */
  size_t nhead, head_cap;
  pl_node *branch;       /* `if (wanted)`, around all that the body does */
  pl_node *branch_body;
  pl_node *last_jump;    /* the break that ends the body; cond is asked there */
  bool waits_at_exit;    /* the loop is left behind a barrier that begins its body */
  bool waits_at_entry;   /* that barrier comes before the first test, too */
  bool asks_last;        /* cond is asked behind each tile */
  bool asks_first;       /* ... and in front of the first one as well */
  bool searches;         /* the head's own text looks for the next tile */
  bool passes_over;      /* a continue, or branch, passes tiles over */
  pl_loop *caller;         /* of a load helper: the loop that calls it */
  pl_node *call;           /* of a load helper: one call of it */
  bool on_local;           /* of a load helper: a method of a local object */
  bool on_tile;            /* ... of an object in shared memory, a tile */
  pl_member_names *members; /* ... whose members lead to tiles; NULL: none do */
  struct pl_used_names *uses; /* branch_names.c's; NULL: not asked yet */
  pl_loop *outer;          /* enclosing candidate, NULL: none */
  const struct pl_loops *all; /* of the file */
  pl_loop *entries;        /* entries.c's; NULL: not looked at */
  bool called_again;       /* entries.c's: its function is called more than once */
  bool by_jumps;           /* entries.c's: labels may make it a loop's body */
  bool nested;             /* inside another loop of the function */
  pl_stmt *stmts;
  size_t nstmts;
  pl_stmt *votes;          /* of the vote that begins the body: declarations, and
                              last the test that leaves the loop */
  size_t nvotes;
  int nbarriers, nphases;
  int load_phase;
  bool barrier_first;      /* a barrier comes before the first fill */
  bool barrier_last;       /* a barrier comes after the last use of a tile */
  bool stays_before_text;  /* so it does where another build has it */
  bool counts_differ;      /* threads may leave it at different tiles */
  bool threads_vary;       /* not the same threads may run each iteration */
  pl_range condition;      /* the first #if inside; empty: none */
  pl_tile *tiles;
  size_t ntiles, tiles_cap;
  pl_node **derived; /* declarations before the loop that name a tile's places
                        and can be made anew for each stage */
  size_t nderived;
  pl_recurrence *recurrences;
  size_t nrecurrences, recurrences_cap;
  pl_fill fill;
  pl_premise *premises;      /* of its wide copies */
  struct pl_accesses *neighbour_runs; /* widen_forms.c: what has been asked for */
  size_t npremises, premises_cap;
  const char *apart_why;     /* why none are made for rows; NULL: not known */
  const char *narrow_why;    /* why narrow copies cannot be wide ones; NULL */
  pl_effects header_effects; /* of condition and increment */

  pl_verdict verdict; /* PIPELINED until something speaks against it */
  bool settled;       /* verdict is final */
  const pl_decl *serves_both; /* it is refused for this variable, which both sides
                                 set, or goes on; NULL: for none */
  bool legal;         /* nothing but a variant's own needs speaks against it */
  bool filtered;      /* of a kernel that the options do not select */
  pl_str denied[PL_VARIANTS]; /* why a variant's text was no good; empty: nothing
                                 is known against it */
  const char *denied_id[PL_VARIANTS];
  bool certain;
  const char *id;
  pl_str message;
  pl_range at;
  pl_range macro_at; /* in a load helper, what its text is refused for */
  pl_note *notes;
  size_t nnotes, notes_cap;

  /* plan */
  const char *ldg_id, *async_id, *double_id;
  pl_str ldg_why, async_why, double_why;
  const pl_node *ldg_at; /* what is meant; NULL: the loop */
  pl_variant variant;
  int stages;
  int64_t smem_before, smem_after, smem_limit;
  int blocks_before, blocks_after;
  const pl_dynamic_memory *dynamic; /* of the tile in it; NULL: it stays as it is */
  pl_str dynamic_why; /* what speaks against more of it */
  const pl_node *dynamic_at; /* ... and where, NULL: nowhere in the text */
  pl_roles *roles; /* NULL: nobody asked for threads that load alone */
  bool launches_at_fault; /* ... it is a launch, or that there is none */
  bool grid_waits; /* all blocks of a launch may have to run at once; the file: */
  bool grid_is_asked; /* ... asks the runtime how many do */
  int64_t threads;
  struct pl_divergent_variables *divergent; /* uniform.c's; NULL: none was asked for */
  int64_t staging_bytes;
  bool async_proven;     /* whether copies meet has been looked at */
  bool can_mix;          /* some tiles can be copied asynchronously, the others
                            pass through registers */
  bool mixed;            /* ... and are, in this plan */
  int64_t mixed_bytes;   /* can_mix: of registers that a thread stages then */
  double ratio;
  pl_loop_facts facts;
  pl_gain gain;
  pl_str why;
  int conflicts, padded_conflicts; /* row_padding.c: of banks, the worst of compute's reads
                                      of tiles that are padded, without and with that */
  size_t padding_notes; /* how many of the last notes are row_padding.c's */
  bool is_marked;         /* the text around it is ours */
  bool parts_stay;        /* to set parts of a block apart has cost it its form (carved.c) */
  bool rows_stay; /* its tiles' rows would cost it more than they gain */
  bool copies_once, compute_once; /* that side's text can be a local function */
  const pl_node *counts_from; /* plan: the declaration ahead of which a constant says
                                 how many stages there are; NULL: none does */
  pl_str last_stage;  /* emit: the variable that says behind the loop which
                         stage the last tile is in; empty: nothing asks */
  int barriers_after; /* emit: that the main loop waits at, a tile */
  const char *certificate; /* verify: as in pl_loop_report; NULL: not asked for */
  const char **cert_premises;
  size_t ncert_premises;
  pl_edit *helper_edits; /* split forms of helpers that other instantiations call */
  size_t nhelper_edits, helper_edits_cap;
  pl_asked_type *asked_types; /* of a template's arguments, that the rewritten text
                                 has to ask for */
  size_t nasked_types, asked_cap;
  pl_str clash; /* emit: the load helper whose instantiations would need different
                   texts; empty: none */
};

typedef struct pl_loops {
  pl_loop **items;
  size_t n, cap;
} pl_loops;

/* Settles a loop's verdict with a reason, unless it is settled already. `at`
 * is the blocking node (NULL: the loop). Returns false, for `return`. */
bool pl_loop_settle(pl_loop *loop, pl_verdict verdict, bool certain,
                    const char *id, const pl_node *at, const char *fmt, ...)
    __attribute__((format(printf, 6, 7)));
#define pl_refuse(loop, certain, id, at, ...)                                  \
  pl_loop_settle((loop), PL_VERDICT_REFUSED, (certain), (id), (at), __VA_ARGS__)

/* Refuses a loop for what stands at a node of which no body is seen: PL4004. */
bool pl_refuse_unseen(pl_loop *loop, const pl_node *node);
/* Refuses the loop where part of what a node does is not seen. */
bool pl_all_is_seen(pl_loop *loop, pl_node *node);

/* Adds a note at a node to the loop's remark. */
void pl_loop_note(pl_loop *loop, const pl_node *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The passes, in order. Each leaves a settled loop alone. */
void pl_find_loops(pl_unit *unit, pl_effect_context *effects,
                   const pl_options *options, pl_loops *loops);
void pl_apply_pragmas(pl_loop *loop);

typedef struct pl_pragma_list {
  pl_pragma_report *items;
  size_t n, cap;
} pl_pragma_list;

/* When every verdict is final: the pragmas without effect, and what is wrong
 * with those that are misspelt. */
void pl_check_pragmas(const pl_unit *unit, const pl_loops *loops,
                      pl_pragma_list *out);
/* Hex digits that change with the function's meaning; see fingerprint.c. */
const char *pl_fingerprint(pl_arena *arena, const pl_unit *unit,
                           const pl_func *func, const pl_options *options);

void pl_split_phases(pl_loop *loop);
void pl_slice(pl_loop *loop);
void pl_describe_copies(pl_loop *loop);
void pl_find_derived(pl_loop *loop);
/* Whether such a declaration stands before the loop as well, for a fetch: that
 * names an object, and none of its tiles. */
bool pl_stands_in_front(const pl_loop *loop, const pl_node *stmt);
/* Whether one stands there for what is outside the loop and asks its object for
 * its own numbers. */
bool pl_named_outside(const pl_loop *loop, const pl_node *stmt);
/* Whether a declaration stands in a branch of an #if that ends before the loop. */
bool pl_is_under_condition(const pl_loop *loop, const pl_decl *decl);
/* Whether a range lies in an #if inside the loop: what another build may not
 * see, or this one (branches.c looks at each). */
bool pl_under_inner_condition(const pl_loop *loop, pl_range range);

/* Whether a name stands in a part of the loop where no variable and no parameter is meant,
 * but a type, or what the model does not show; *where: there. */
bool pl_find_other_word(const pl_loop *loop, pl_range within, pl_str name,
                        pl_range *where);
/* What gives each copy of the loop's text variables of its own, NULL: nothing. */
pl_node *pl_own_storage(const pl_loop *loop);
/* Whether __COUNTER__ and __LINE__ leave the loop's text as it is elsewhere. */
bool pl_check_places(pl_loop *loop);
/* Whether a function's text asks for its own name, its line or a count: another
 * function's would answer otherwise. */
bool pl_names_its_place(const pl_unit *unit, pl_range range);
/* ... of those that name the function that it stands in. */
bool pl_names_its_function(const pl_unit *unit, pl_range range);

/* Finds the narrow copies that some iterations of a copy loop can make at once. */
void pl_widen(pl_loop *loop);
/* Finds the copies that the block can make in one call: those of one range, which ask
 * nothing but what widened ones do. */
void pl_find_together(pl_loop *loop);
/* Finds what bulk copies can be made of. */
void pl_find_rows(pl_loop *loop);
/* Why a copy cannot be asynchronous; NULL: it can, by itself or as a wide one. */
const char *pl_async_obstacle(const pl_copy *copy);
/* Bytes of the asynchronous copy that it is, or is a part of; -1: a template
 * decides. */
int64_t pl_copied_bytes(const pl_loop *loop, const pl_copy *copy);

void pl_check_legality(pl_loop *loop);
/* Whether threads of the block may not come to the loop: they have left, or take
 * another way there. */
bool pl_some_stay_away(const pl_loop *loop);
/* Whether threads of the block that do not come to a kernel's loop have returned ahead of
 * it, once and for all, and the others come to all of its iterations. */
bool pl_others_have_ended(const pl_loop *loop);
/* Whether a store outside shared memory may change what an access reads. */
bool pl_may_change(const pl_loop *loop, const pl_effect *store,
                   const pl_effect *read);
/* Whether an effect may change a shared object. */
bool pl_may_write_shared(const pl_effect *effect, const pl_decl *decl);
/* Whether a name of a tile stands in a store before the loop that no thread
 * reads anything of, as every tile writes its cell again (prefill.c). */
bool pl_is_dead_prefill(pl_loop *loop, const pl_node *ref);
/* Whether each iteration writes what another tile loop fills of a tile. */
bool pl_refills(pl_loop *loop, pl_loop *other, const pl_decl *tile);
/* Whether the text behind the loop writes all cells that the tile's copies write
 * before it reads any. */
bool pl_is_filled_anew_behind(pl_loop *loop, const pl_tile *tile);
/* Whether a name behind the loop stands in a store to a cell that every tile
 * writes. */
bool pl_is_store_as_of_a_tile(pl_loop *loop, const pl_node *ref);
/* Whether an expression has the same value for all threads of the block. */
bool pl_is_uniform(pl_loop *loop, pl_node *node);
/* Has the rewritten text of a template's instantiation ask for the arguments in sight, or
 * for those that are numbers; false: it cannot. */
bool pl_ask_for_arguments(pl_loop *loop, bool numbers_alone);
/* Finds the tiles of which compute reads only what the same tile wrote. */
void pl_find_stale_cells(pl_loop *loop);
/* ... and, of a loop that ends by a vote and is reached again, PL2003 where some do. */
void pl_check_kept_cells(pl_loop *loop);
/* How fetch and store come apart: sets each copy's staging and the loop's
 * staging_bytes, or ldg_id and ldg_why. */
void pl_split(pl_loop *loop);
/* While a load helper is looked at, its parameters that are given tiles point to
 * shared memory, and its object is the thread's own. */
void pl_enter_helper(const pl_loop *body);
void pl_leave_helper(const pl_loop *body);
/* The parameters of a function before the first one with a default value. */
uint32_t pl_required_params(const pl_unit *unit, const pl_func *func);
/* Whether the registers of a load helper can have a type with a name, declared
 * beside it: calls inside branches and loops declare them beforehand. */
bool pl_has_named_registers(const pl_func *func);
/* The loop of each load helper that a loop calls, NULL at the end. */
pl_loop *pl_helper_body(const pl_loop *loop, size_t index);
void pl_plan(pl_loops *loops);
/* Registers of a thread in a variant, PL_VARIANT_AUTO: of the loop as it is; as they were
 * compiled (sets `known`), else estimated. */
int pl_registers_of(const pl_loop *loop, pl_variant variant, bool *known);
/* Whether that, with what else the kernel has, is more than a launch may give without
 * the host's leave. */
bool pl_needs_leave(const pl_loop *loop);
/* The bytes of dynamic shared memory that each launch gives where there are so many
 * stages. */
int64_t pl_dynamic_with(const pl_dynamic_memory *memory, int stages);
/* The bytes of the first stage: of the block as it was, rounded up. */
int64_t pl_dynamic_block(const pl_dynamic_memory *memory);
/* Whether the stages of a tile lie apart only where each is in a struct of its
 * alignment. */
bool pl_needs_padding(const pl_tile *tile);
/* Plans a legal loop anew, as if that had been asked for; refuses it where that
 * cannot be. */
void pl_choose_as(pl_loop *loop, pl_variant variant, int stages);
/* Whether carved.c has set parts of a block apart in a function's text. */
bool pl_has_parts_apart(const pl_func *func);
/* Whether a barrier has to follow the rewritten loop. */
bool pl_needs_exit_barrier(const pl_loop *loop);
/* Adds the edits of every loop that is to be pipelined, sorted. */
void pl_emit(pl_unit *unit, pl_loops *loops, pl_edit **edits, size_t *nedits);
/* Whether sorted edits change a byte twice, so that no text can be made of them. */
bool pl_edits_overlap(const pl_edit *edits, size_t n);
/* By their places; those of one place stay in their order. */
void pl_sort_edits(pl_edit *edits, size_t n);

/* Whether a text in what the loop has become, with or without its end, may be one
 * of the statements that pl_changed_meaning compares. */
bool pl_may_have_moved(const pl_loop *loop, pl_str text);
/* The first name of a statement of the loop that means something else in what
 * the loop has become: `region` of `func` in another unit; empty: none. */
pl_str pl_changed_meaning(const pl_loop *loop, const pl_unit *after,
                          const pl_func *func, pl_range region);

/* What would say which types and functions a template's arguments make, for the end of a
 * remark; empty: an instantiation is in sight, or it is no template. */
const char *pl_what_settles(const pl_loop *loop);

/* Shared by the passes. */
/* The header's condition and the tests of breaks and continues, one by one;
 * NULL at the end. */
pl_node *pl_loop_condition(const pl_loop *loop, size_t index);
pl_tile *pl_loop_tile(const pl_loop *loop, const pl_decl *decl);
pl_recurrence *pl_loop_recurrence(const pl_loop *loop, const pl_decl *decl);
/* Whether it is refused, or left alone, for that reason. */
bool pl_is_refused_for(const pl_loop *loop, const char *id);
/* At how many places a variable steps. */
size_t pl_steps_of(const pl_loop *loop, const pl_decl *decl);
bool pl_declared_inside(const pl_decl *decl, const pl_node *node);
/* copy_calls.c: whether a call names a cell that a pointer leads to, as `view(r, k)`
 * does of `T &operator()(int r, int k) const { return p[r * ld + k]; }`. */
bool pl_named_by_call(const pl_node *call);
/* Where in a statement an effect happens: what a lambda does, anywhere. */
pl_range pl_effect_range(const pl_stmt *stmt, const pl_effect *effect);
/* Whether a value may change from one iteration to the next. */
bool pl_varies(pl_loop *loop, pl_node *node);
/* Whether the place in `tile` that an lvalue or address names may change. */
bool pl_place_varies(pl_loop *loop, const pl_decl *tile, pl_node *node);
/* Whether a load helper is a method that is called on a tile by its name. */
bool pl_names_own_tile(const pl_loop *body);
/* Whether a block may come to the loop more than once; by calls of its function
 * (entries.c). */
bool pl_is_entered_again(pl_loop *loop);
bool pl_is_called_again(pl_loop *loop);
/* The same of all times that the loop is reached. */
bool pl_ever_varies(pl_loop *loop, pl_node *node);
bool pl_place_ever_varies(pl_loop *loop, const pl_decl *tile, pl_node *node);
/* Whether anything below `node` may give `decl` another value. */
bool pl_assigned_anywhere(const pl_node *node, const pl_decl *decl);
/* Tests of nodes: names a variable that a tree declares; that it sets anew. */
bool pl_is_named_inside(pl_node *node, const void *tree);
bool pl_is_set_in(pl_node *node, const void *tree);
/* What a number or a pointer of a function's own, not static, shared or volatile, has
 * from its declaration on, as nothing sets it anew; NULL: it is another variable. */
pl_node *pl_only_value(const pl_decl *decl);
/* Whether a node may, of itself: not by what is below it. */
bool pl_may_set(const pl_node *node, const pl_decl *decl);
/* Whether the header of a loop within the tile loop's body starts with a value
 * for a variable from outside that `ref` names there:
 * `for (i = threadIdx.x; ...)`. */
bool pl_set_by_header(const pl_loop *loop, const pl_node *ref);
/* Whether a node does no more than read, and of memory only what is the thread's own
 * or constant. */
bool pl_reads_own_only(pl_loop *loop, pl_node *node);
/* What a statement or expression of the loop's function does to memory, and the objects
 * that such a pointer may point into. */
pl_effects pl_effects_in(const pl_loop *loop, pl_node *node);
pl_roots pl_roots_in(const pl_loop *loop, pl_node *node);
/* Whether every part of `node` can be evaluated any number of times. */
bool pl_is_pure(pl_loop *loop, pl_node *node);
/* The value of an integer expression under one instantiation; local constants
 * are followed, and blockDim as far as it is known or guessed (*assumed is set). */
bool pl_loop_eval(const pl_loop *loop, const pl_instance *instance,
                  pl_node *node, int64_t *value, bool *assumed);
/* The same with its type. */
pl_const pl_loop_const(const pl_loop *loop, const pl_instance *instance,
                       const pl_node *node, bool *assumed);
/* Threads of a block where the file or the options say, -1: they do not. The
 * most over all launches of the kernels that get to the loop. */
int64_t pl_block_threads(const pl_loop *loop);
/* blockDim.AXIS, guessed where nothing says; whether the loop's text tells
 * rows of threads apart decides what of a total is guessed for x. */
int64_t pl_block_extent(const pl_loop *loop, char axis, bool two_dimensions);
/* The most threads of a block along x, y and z, of all launches in sight of the kernel
 * that the loop is in; false, and nothing is set: one of them does not say. */
bool pl_block_most(const pl_loop *loop, int64_t most[3]);
bool pl_block_least(const pl_loop *loop, int64_t least[3]);
/* Whether a count can be written with the user's own constants. */
bool pl_has_symbolic_count(const pl_copy_loop *c);
/* Most iterations of a countable for loop, -1: unknown. */
int64_t pl_trip_count(pl_loop *loop, pl_node *node);
/* The bound of a countable for loop with steps of one, NULL: it is none. */
pl_node *pl_counted_bound(pl_node *node);
/* loops_race.c: whether a thread that reads a cell finds in it what it has stored
 * there itself, by the nodes of both accesses: each has its own, or all store the
 * same. */
bool pl_is_own_cell(pl_arena *arena, const pl_func *func, pl_node *write,
                    pl_node *read, const pl_node *body);
/* Whether the text of `node` is a constant expression wherever it stands. */
bool pl_is_constant_text(const pl_node *node);
/* A local number that is set where it is declared, and never anew. */
bool pl_is_settled_local(const pl_decl *decl);
/* Whether a text is one, or would be with the values of such locals in their place. */
bool pl_is_settled_text(const pl_node *node);
/* The loop, call or copy of a fill that a node is, NULL: none. */
const pl_copy_loop *pl_fill_loop(const pl_fill *fill, const pl_node *node);
/* In how many rounds of copy loops a node is run, as far as registers hold them. */
int64_t pl_slots_of(const pl_fill *fill, const pl_node *node);
const pl_fill_call *pl_fill_call_at(const pl_fill *fill, const pl_node *node);
const pl_copy *pl_fill_copy(const pl_fill *fill, const pl_node *store);
/* The one copy that a branch's arm consists of, NULL: it is more, or none. */
const pl_copy *pl_only_copy(const pl_fill *fill, const pl_node *arm);
/* The value that an asynchronous copy copies: through the local between, if there
 * is one. */
pl_node *pl_async_source(const pl_copy *copy);
/* Whether addresses that memory holds may lead out of global memory: the file's
 * functions put them there. */
bool pl_may_lead_elsewhere(const pl_loop *loop, pl_root root);
/* The two arms of one branch: at most one of them runs. */
bool pl_are_exclusive(const pl_node *a, const pl_node *b);
/* Marks tiles in which two copies of one thread meet. */
void pl_mark_meetings(pl_loop *loop, const pl_fill *fill);
/* Whether text of two nodes is the same but for blanks. */
bool pl_same_text(const pl_unit *unit, const pl_node *a, const pl_node *b);
/* Whether two trees of equal text name the same declarations. */
bool pl_same_names(const pl_node *a, const pl_node *b);
bool pl_reads_global(pl_loop *loop, pl_node *node);
/* `Plane<T>`, the class of a template: neither a pointer nor a reference, nor volatile
 * of itself, whatever its arguments are. */
bool pl_is_class_of_template(const pl_func *func, const pl_type *type);
/* Whether a name stands for the type of what it names: in sizeof, or in a call
 * that is a constant. */
bool pl_names_type(const pl_unit *unit, const pl_node *ref);
/* Whether `decl` is declared inside one of the fill's statements (and so is
 * gone when the store is replayed), not at the loop body's own level; or set
 * anew by a statement there that is replayed as well. */
bool pl_is_nested(const pl_fill *fill, const pl_decl *decl);
/* Whether `node` names a tile, or a local that may point into one. */
bool pl_points_into_tile(const pl_loop *loop, const pl_node *node);
const pl_arch *pl_loop_arch(const pl_loop *loop);
void pl_loop_dump(const pl_loop *loop, pl_text *out);

#endif
