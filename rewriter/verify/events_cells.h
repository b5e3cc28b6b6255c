/* events_cells.h - a load as a relation of cells and what they get. For the files
 * events_cell*.c.
 *
 * An index is a sum of products of names that the load does not change, as `row * N`,
 * with forms over threads and iterations; two are equal for all values of the names
 * where each product has an equal form. What is not of that kind is a term: what it is
 * made of, by which it is the same as another one, and no more. That numbers wrap around
 * is not looked at. */
#ifndef PL_EVENTS_CELLS_H
#define PL_EVENTS_CELLS_H

#include "divergence.h"
#include "events_state.h"

enum { PL_CELL_TERMS = 10, PL_CELL_DEPTH = 12 /* of variables that others were made of */ };

typedef struct pl_cell_term {
  pl_str symbol; /* a name, or two: `K`, `K*lda`; `#3`: a term; empty: none */
  const pl_iform *by;
  bool is_number;
  int64_t number;
} pl_cell_term;

typedef struct pl_cell_sum {
  bool is_known;
  pl_cell_term items[PL_CELL_TERMS];
  size_t n;
  bool is_widened; /* some of it was made wider that has no sign, and may have wrapped around */
} pl_cell_sum;

/* What an expression is that is no sum: an operator, of sums and where they hold. Two
 * are the same where their parts are, for all values of their names: so they are
 * numbered, the source's and the text's alike. */
typedef struct pl_cell_made {
  pl_str label;
  const pl_cell_sum *parts;
  size_t nparts;
  const pl_iset *const *where; /* for each part; NULL: everywhere */
  bool has_turns; /* it hangs on the iterations of loops inside */
  bool has_threads; /* ... on the thread */
  bool tells_threads; /* ... whatever its parts hang on: the operator asks for it */
} pl_cell_made;

typedef struct pl_cell_terms {
  pl_cell_made *items;
  size_t n, cap;
  const char **names; /* of symbols in sets, but of how large a block is */
  size_t nnames, names_cap;
  const pl_iset *ranges; /* of names in numbers that wrap around; NULL: of none */
} pl_cell_terms;

/* A place in memory: in an object, in a variable of the thread's own, or behind a
 * pointer of that name. */
typedef struct pl_cell_place {
  bool is_known;
  size_t object; /* of the source; 0: none */
  const pl_decl *local;
  pl_str root;
  pl_cell_sum at; /* bytes */
  int64_t size;   /* of what lies there */
  const pl_decl *of; /* the variable whose own bytes these are; NULL: not known */
} pl_cell_place;

typedef struct pl_cell_fill {
  size_t object;
  const pl_decl *local;
  pl_str from; /* `=0.0f`, a pointer's name, or `~`: the value that `at` is */
  pl_cell_sum to, at;
  int64_t width;
  const pl_iset *within;
  bool has_terms, has_turns; /* `within` does, or some sum, that threads or iterations may
                                differ in */
  int run; /* which loop's it is, the innermost one; 0: none's */
} pl_cell_fill;

/* A variable by its value, or by the place that it leads to or names. */
typedef struct pl_cell_variable {
  const pl_decl *decl;
  bool is_place;
  bool is_counted; /* a loop around counts it */
  bool is_end;     /* the load has moved it on, and the next tile's begins with that */
  const pl_iset *within; /* where that is; NULL: wherever it is named */
  pl_cell_sum value;
  pl_cell_place place;
} pl_cell_variable;

/* A variable that a turn of a loop sets by what the one before has left in it: known by what
 * it began with, what a turn makes of it, and the turn (Gated SSA's mu). */
typedef struct pl_cell_carried {
  const pl_decl *decl;
  const pl_node *loop;
} pl_cell_carried;

/* A variable whose name stands for what it holds, or for where it leads. */
typedef struct pl_cell_named {
  const pl_decl *decl;
  bool differs; /* it is not known to be one number, or address, of all threads */
} pl_cell_named;

/* The turn that has ended a loop, and the one ahead of it, by names; where those stand for
 * that. */
typedef struct pl_cell_ends {
  const char *last, *ahead;
  const pl_iset *there;
} pl_cell_ends;

/* Those that any reading of a text and of its source has named so far, and what is asked of
 * both. */
typedef struct pl_cell_names {
  pl_cell_named *items;
  size_t n, cap;
  pl_threads_at source, text;
} pl_cell_names;

/* What of an array that was filled ahead of a loop a turn of that has read. */
typedef struct pl_cell_older {
  pl_cell_fill fill;
  pl_cell_sum at;
  int64_t size;
  const pl_iset *within;
  int run; /* the loop that it was read in */
} pl_cell_older;

typedef struct pl_cell_reading {
  const pl_source_loop *loop;
  pl_arena *arena;
  pl_integers *ints;
  const pl_unit *unit;
  pl_effect_context *effects;
  const pl_func *func;
  pl_cell_place self; /* the object of the method that is read */
  int calls;       /* around: `func` is what they call */
  pl_range region; /* of the text; empty: this is the source */
  const pl_node *part; /* the statement that is executed */
  pl_cell_terms *terms;
  const pl_iset *path, *begin; /* what holds here, and of all of the load */
  const pl_iset *threads; /* those of the block */
  bool has_terms, has_turns; /* the path does, that threads or iterations may differ in */
  const pl_iset *gone; /* where a jump has led out of what is read; NULL: nowhere */
  bool gone_terms, gone_turns; /* of that, as of the path */
  const pl_iset *broken; /* where a break has led out of the switch around; NULL: nowhere */
  int switch_loops;      /* around that switch; -1: there is none in what is called */
  const pl_cell_place *result; /* what gets what the function gives back; NULL: nothing does */
  const pl_type *result_type;
  int result_loops; /* around the call */
  pl_cell_variable *bound;
  size_t nbound, bound_cap;
  pl_cell_fill *fills;
  size_t nfills, fills_cap;
  pl_cell_fill *seen; /* of bytes of memory, what is stored over since as well, or a value made of */
  size_t nseen, seen_cap;
  pl_str made_for; /* template arguments that the calls around stand with */
  pl_cell_fill *used; /* what a value was made of that a variable held */
  size_t nused, used_cap;
  pl_cell_older *olders;
  size_t nolders, olders_cap;
  pl_cell_ends *ends;
  size_t nends, ends_cap;
  pl_cell_carried *carried;
  size_t ncarried, carried_cap;
  pl_cell_names *names;
  pl_cell_named *named_vars;
  size_t nnamed_vars, named_vars_cap;
  int counters, depth, loops; /* names `m0`, ...; of definitions; around, `n0`, ... */
  int most_loops;
  int run, *runs; /* the loop around, and the one around each that was executed, from 1 */
  size_t nruns, runs_cap;
  int64_t block[3]; /* threads, if a choice has asked for them; 0: not known */
  int asks;         /* around: conditions of loops, in which a step is what it gives */
  int ahead;        /* around: what variables from ahead of the loop began with */
  pl_node *choice;  /* what holds of the way to load that is read; NULL: nothing */
  bool is_choice;   /* of ways to load: else fills have to be the same one by one */
  int taken;        /* axes of threads that a loop around deals its turns out to, */
  int named;        /* ... and those that are named otherwise; one bit each */
  int axes;         /* those of which the path says how many threads there are, */
  int asked;        /* ... and those that anything hangs on */
  bool wraps;       /* a number without a sign was asked for that turns may take past zero */
  bool moves_on; /* variables of the loop's: else those are what their clocks say */
  bool is_lost;
} pl_cell_reading;

/* ---- events_cell_values.c -------------------------------------------------------- */

/* The names of a thread's indices, and of its rank along the first two of them, or all. */
enum { PL_CELL_AXES = 5, PL_CELL_RANK = 3 };
extern const char *const pl_cell_threads[PL_CELL_AXES];
/* ... and of how many there are. */
extern const char *const pl_cell_sizes[PL_CELL_AXES];

pl_cell_sum pl_form_sum(const pl_iform *form);
pl_cell_sum pl_number_sum(const pl_cell_reading *r, int64_t number);
/* a + times * b */
pl_cell_sum pl_sum_add(pl_cell_sum a, pl_cell_sum b, int64_t times);
/* With a name in the place of a thread's rank, if no other index of it is there; *rank: which of
 * the axes that is; 0: none. */
pl_cell_sum pl_sum_ranked(const pl_cell_reading *r, pl_cell_sum s, int *rank);
/* The next name of a product. */
pl_str pl_next_name(pl_str *rest);
/* Two products of names as one; empty: that is the other one. */
pl_str pl_product_of(const pl_cell_reading *r, pl_str a, pl_str b);
/* Unknown where both have forms that are no numbers. */
pl_cell_sum pl_sum_times(const pl_cell_reading *r, pl_cell_sum a, pl_cell_sum b);
/* What an operator, of an assignment too, makes of two numbers of its type; unknown: no sum. */
pl_cell_sum pl_sum_combined(pl_cell_reading *r, const pl_node *node, const pl_cell_sum *a,
                            const pl_cell_sum *b);
bool pl_sum_is_number(const pl_cell_sum *s, int64_t *number);
/* One that has no terms in it, and names no more than a number of times; NULL: it has, or is
 * not known. */
const pl_iform *pl_sum_affine(const pl_cell_reading *r, const pl_cell_sum *s);
/* Whether a variable holds what it, or its parameter, was given. */
bool pl_is_never_set(const pl_decl *decl);
/* What a variable holds that is not set anew; NULL: not known. */
pl_node *pl_beginning_of(const pl_node *ref);
/* 0 to 2 of `.x` to `.z`. */
int pl_axis_of(const pl_node *member);
bool pl_is_wide_integer(const pl_type *type);
/* What kind of number a type is of, which conversions and overloads go by; "": of none. */
const char *pl_cell_kind_of(const pl_type *type);
/* A value of one type, made one of another. */
pl_cell_sum pl_converted(pl_cell_reading *r, pl_cell_sum sum, const pl_type *from,
                         const pl_type *to);
/* ... as an index of a tile: where a difference of what has no sign is below zero, it is none. */
pl_cell_sum pl_cell_index(pl_cell_reading *r, pl_cell_sum sum, const pl_type *type);
/* A name's; with a name of sets for each symbol. NULL: a symbol has a form that is no
 * number. */
pl_cell_sum pl_symbol_sum(const pl_cell_reading *r, pl_str name);
const pl_iform *pl_sum_linear(const pl_cell_reading *r, const pl_cell_sum *s);
/* How many threads a block has along an axis. */
pl_cell_sum pl_block_sum(const pl_cell_reading *r, int axis);
/* Takes note of a variable by whose name is said what it holds; gives that back. */
pl_str pl_cell_noted_name(pl_cell_reading *r, const pl_decl *decl);
/* Whether a name is one of those that may differ between threads. */
bool pl_cell_name_differs(const pl_cell_reading *r, pl_str name);
/* The value of an expression. */
pl_cell_sum pl_sum_of(pl_cell_reading *r, pl_node *node);
/* Where a condition holds; NULL: not known. A term that it asks for, which threads or turns may
 * differ in, is noted. */
const pl_iset *pl_cell_condition(pl_cell_reading *r, pl_node *node);

/* Whether a variable, or parameter, is a function's or a lambda's own. */
bool pl_cell_is_own_of(const pl_func *func, const pl_decl *decl);
/* Whether a variable is one of a function's that a part of the load calls. */
bool pl_cell_is_callees(const pl_cell_reading *r, const pl_decl *decl);
/* What a variable began with, to be read as it was there: not what an iteration, or a
 * statement ahead of the loop, may have changed since. Ended by `r->ahead = was`. */
pl_node *pl_cell_beginning(pl_cell_reading *r, const pl_node *ref, int *was);
/* Whether the load has given a variable something. */
bool pl_cell_is_filled(const pl_cell_reading *r, const pl_decl *decl);
/* What it is from here on; what it may be elsewhere is not known then. */
void pl_cell_bind(pl_cell_reading *r, pl_cell_variable made);
/* Whether it was bound. */
bool pl_cell_unbind(pl_cell_reading *r, const pl_decl *decl);
const pl_cell_variable *pl_cell_bound_to(const pl_cell_reading *r, const pl_decl *decl);
/* A member, in whole, of a variable that is none of the load's own: a name, as that is. */
bool pl_cell_names_member(const pl_cell_place *place, int64_t *at);
pl_str pl_cell_member_name(const pl_cell_reading *r, const pl_cell_place *place, int64_t at);
bool pl_cell_is_in_text(const pl_cell_reading *r, const pl_decl *decl);
/* Whether a name that a variable from ahead of the loop was made of may hold something
 * else by now. */
bool pl_cell_may_have_changed(const pl_cell_reading *r, const pl_decl *decl);

/* ---- events_cell_places.c -------------------------------------------------------- */

/* Where an address leads, and what an expression names. */
pl_cell_place pl_place_led_to(pl_cell_reading *r, pl_node *node);
pl_cell_place pl_cell_place_of(pl_cell_reading *r, pl_node *node);

/* ---- events_cell_terms.c --------------------------------------------------------- */

enum { PL_CELL_PARTS = 8 };

/* A term. */
pl_cell_sum pl_term(pl_cell_reading *r, pl_str label, const pl_cell_sum *parts, size_t n);
/* ... by what a node calls or makes, which may ask for the thread as well. */
pl_cell_sum pl_term_by(pl_cell_reading *r, const pl_node *node, pl_str label,
                       const pl_cell_sum *parts, size_t n);
/* ... of what an expression does to what it is made of; unknown where it does more than
 * to give a value. */
pl_cell_sum pl_term_of(pl_cell_reading *r, pl_node *node);
/* One of several, each where that is; they do not meet. Where that is is said as far as the path
 * does not: so one is the same whatever loops and conditions are around it. */
pl_cell_sum pl_term_of_arms(pl_cell_reading *r, const pl_cell_sum *arms,
                            const pl_iset *const *where, size_t n);
/* Which ones a value is one of; NULL: it is no choice. */
const pl_cell_made *pl_cell_choice(const pl_cell_reading *r, const pl_cell_sum *s);
/* ... of a variable in turn n of a loop: which one, of those of which each began with `parts`'
 * first and is, in the next turn, what the second makes of `@0`, `@1`, ...; n stands last. */
pl_cell_sum pl_term_of_turns(pl_cell_reading *r, size_t which, const pl_cell_sum *parts, size_t n);
/* Some bytes, from one of them on, of what a fill gives. */
pl_cell_sum pl_cell_slice(pl_cell_reading *r, const pl_cell_fill *fill, int64_t from, int64_t n);
/* An address, of what is no object and no variable of the thread's own, as a value, and where a
 * value that is one leads. */
pl_cell_sum pl_cell_address(pl_cell_reading *r, const pl_cell_place *place);
bool pl_cell_is_address(const pl_cell_reading *r, const pl_cell_sum *value, pl_cell_place *to);
/* What a part of an object from ahead of the loop holds that began with that: what the load has
 * given it since. */
pl_cell_sum pl_cell_held_by(pl_cell_reading *r, const pl_cell_place *place, pl_cell_sum began);
/* What lies at a place. */
pl_cell_sum pl_content_of(pl_cell_reading *r, const pl_cell_place *place);
/* Whether it is no more than a term that is false or true: zero or one. */
bool pl_sum_is_truth(const pl_cell_reading *r, const pl_cell_sum *s);
/* Whether two are equal wherever that is. */
bool pl_same_sum(const pl_cell_sum *a, const pl_cell_sum *b, const pl_iset *within);
/* A fill as what is done to some numbers, of which each name of a sum and a place of its
 * own in the pattern has one, as `4 bytes of ? gets __half2float(2 at a(?))`: of two that
 * say the same, cells and values are the same where those numbers are. A term in `within`
 * is called by its pattern there. */
typedef struct pl_cell_pattern {
  bool is_known;
  bool is_own; /* some name in it may differ between threads */
  pl_str text;
  pl_cell_term *items;
  size_t n, cap;
  const pl_iset *within;
} pl_cell_pattern;
pl_cell_pattern pl_pattern_of(pl_cell_reading *r, const pl_cell_fill *fill);
/* Whether it may change with a turn of a loop. */
bool pl_form_has_turns(const pl_cell_reading *r, const pl_iform *form);
/* Whether it has terms; *turns is set where some of them has turns. */
bool pl_sum_has_terms(const pl_cell_reading *r, const pl_cell_sum *s, bool *turns);
/* ... that threads, or iterations, may differ in. */
bool pl_sum_differs(const pl_cell_reading *r, const pl_cell_sum *s, bool *turns);
/* Whether a condition asks that what lies at a root begins at a multiple of so many bytes. */
bool pl_asks_for_address(pl_cell_reading *r, pl_node *node, pl_str root, int64_t by);
/* Whether a sum is a multiple, of a power of two, wherever the path leads. */
bool pl_begins_at_multiple(const pl_cell_reading *r, const pl_cell_sum *s, int64_t by);
/* Whether a condition that holds here asks that a pointer's address is a multiple of so
 * many bytes, and both places are as far from an object's begin, which is one, and from it. */
bool pl_is_aligned(pl_cell_reading *r, const pl_cell_place *to,
                   const pl_cell_place *from, int64_t by);
/* With another iteration's name in the place of one. */
pl_cell_sum pl_sum_renamed(pl_cell_reading *r, const pl_cell_sum *s, const char *from,
                           const char *to);

/* Whether it, or a term in it, may change with a name. */
bool pl_sum_hangs_on(const pl_cell_reading *r, const pl_cell_sum *s, const char *name);
/* As pl_sum_renamed; terms in it are those of the other iteration. */
const pl_iset *pl_cell_set_renamed(pl_cell_reading *r, const pl_iset *set, const char *from,
                                   const char *to);
/* Where it holds, whatever turns the loops that are over have ended in. `but`: those that this
 * names are told; NULL: none. */
const pl_iset *pl_cell_set_at_ends(const pl_cell_reading *r, const pl_iset *set,
                                   const pl_iset *but);

/* Whether a name is that of a variable that the source's iterations move on: of which
 * tile it is has been looked at. */
bool pl_cell_is_moved_on(const pl_cell_reading *r, const pl_decl *decl);
/* Whether a variable is one of an iteration's, or of the text's own. */
bool pl_cell_is_inner(const pl_cell_reading *r, const pl_decl *decl);
/* The object of the source that a name stands for; 0: none. */
size_t pl_cell_object_named(const pl_cell_reading *r, const pl_decl *decl);
/* The object of which a subscript of the text picks a stage, `As_stage[n]`; 0: none. */
size_t pl_cell_object_staged(const pl_cell_reading *r, const pl_node *node);
/* Whether a name of the text is that of a variable, or of a copy of it: `t`, `t_load`. */
bool pl_names_clocked(const pl_clocked *v, const pl_decl *decl);
/* What the source calls a variable. */
pl_str pl_cell_name(const pl_cell_reading *r, const pl_decl *decl);

/* Whether an expression gives a value and does no more. */
bool pl_gives_alone(const pl_cell_reading *r, pl_node *node);

/* ---- events_cell_calls.c --------------------------------------------------------- */

/* What is around a call. */
typedef struct pl_cell_call {
  const pl_func *caller;
  pl_cell_place self;
  size_t nbound;
  pl_str made_for;
} pl_cell_call;

/* What a call runs, a lambda that a variable holds as well; NULL: that is not seen. */
const pl_func *pl_cell_callee_of(const pl_node *call);
/* Whether the body of what a call runs is there, and all that it is handed. */
bool pl_is_readable(const pl_cell_reading *r, const pl_node *call);
/* `= 0.0f` of a parameter that is a number, and of numbers alone; empty: it is none. */
pl_str pl_cell_unless_given(const pl_cell_reading *r, const pl_decl *param);
/* `<8, T>` of a call, as one word; empty: it stands with none. */
pl_str pl_cell_arguments_of(const pl_cell_reading *r, const pl_node *call);
/* The body of what a call runs, read from here on till that is left; NULL: it is not read. */
pl_node *pl_enter_call(pl_cell_reading *r, const pl_node *node, pl_cell_call *call);
/* The value that it gives, where its body is no more than that, and names. */
pl_node *pl_enter_value(pl_cell_reading *r, pl_node *node, pl_cell_call *call);
void pl_leave_call(pl_cell_reading *r, const pl_cell_call *call);
/* Where a reference or a pointer in an object leads that is as its constructor has made it. */
pl_cell_place pl_cell_made_to_lead(pl_cell_reading *r, const pl_cell_place *object,
                                   const pl_decl *field);
/* ... and what a number in it is. */
pl_cell_sum pl_cell_made_number(pl_cell_reading *r, const pl_cell_place *object,
                                const pl_decl *field);

/* ---- events_cell_fills.c --------------------------------------------------------- */

/* Whether all bytes of a constant are zeros: not of what a class of the user's makes. */
bool pl_is_zeros(const pl_cell_reading *r, const pl_node *node);
/* `__pipeline_memcpy_async(to, from, width, zeros)`, `cuda::memcpy_async(...)`, with how
 * many bytes are copied (0: not known); false: the call is none. */
bool pl_copy_of(pl_cell_reading *r, const pl_node *call, int64_t *width, pl_node **zeros);
/* `cuda::memcpy_async(group, to, from, bytes, pipe)`, which a group's threads share. */
bool pl_is_group_copy(const pl_node *call);
/* Gives a variable of the thread's own a value, wherever this is. */
void pl_cell_give(pl_cell_reading *r, const pl_decl *decl, pl_cell_sum value);
/* What it holds; unknown where it was given nothing. */
pl_cell_sum pl_cell_given(pl_cell_reading *r, const pl_decl *decl);
/* Executes a part of a load: what it stores becomes a fill. */
void pl_run_fills(pl_cell_reading *r, pl_node *node);
/* What a function gives back whose body does no more than that. */
pl_cell_sum pl_value_of_call(pl_cell_reading *r, pl_node *call);

/* With names of their own in the place of those of loops, and of other iterations. */
pl_cell_fill pl_cell_of_others(pl_cell_reading *r, pl_cell_fill f);
/* Where a fill lies hangs on turns of loops that are over: it gets names of their own for them,
 * as those of the loops around here are called alike. False: on none. */
bool pl_cell_of_ended(pl_cell_reading *r, pl_cell_fill *f);
/* Where so many bytes, from `since` on behind the begin of others, meet those; NULL: that is no
 * number. */
const pl_iset *pl_cell_overlap(const pl_cell_reading *r, const pl_cell_sum *since, int64_t width,
                               int64_t size);
/* What loop `run`, of which n is in the path, has left in variables is behind it what its last
 * turn did. */
void pl_leave_turns(pl_cell_reading *r, const pl_node *body, const char *n, int run);
/* Takes note of what a turn of a loop reads of an array that was filled ahead of that: no earlier
 * turn may have stored there, which is asked where the loop ends. */
void pl_cell_note_older(pl_cell_reading *r, const pl_cell_fill *f, const pl_cell_place *at);
/* Whether a loop is another one, or in it. */
bool pl_cell_is_run_in(const pl_cell_reading *r, int run, int in);

/* ---- events_cell_loops.c --------------------------------------------------------- */

/* Executes a loop, in any of its turns. */
void pl_run_loop(pl_cell_reading *r, pl_node *node);
/* `i++`, `i -= by`, `i = i + by`. */
typedef struct pl_cell_step {
  const pl_decl *decl;
  pl_node *by; /* NULL: one */
  bool is_down;
} pl_cell_step;

/* Whether a node is a step of a variable. */
bool pl_cell_is_step(const pl_node *node, pl_cell_step *step);
/* What a step of a variable adds to it, of a pointer in bytes; unknown: it is none. */
pl_cell_sum pl_cell_step_of(pl_cell_reading *r, const pl_node *step);

/* ---- events_cell_trees.c --------------------------------------------------------- */

/* Whether the text's statements of one section that fill an object are the source's, but
 * for copies in the place of stores. */
bool pl_loads_alike(const pl_emitted *out, pl_cell_reading *source, pl_cell_reading *text,
                    size_t object, int section);

#endif
