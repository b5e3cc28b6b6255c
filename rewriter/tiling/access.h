/* access.h - the accesses of a fill: which cells of a tile does a thread store to, in
 * which iterations of the loops around, and where?
 *
 * access_relation.c runs the text once, on forms in the place of numbers; its
 * expressions are access_values.c's, numbers in the types of C++ are
 * typed_affine.c's. What it gives are relations from iterations to cells that may be
 * too large, never too small. access_cells.c asks the same of the tile loop's whole
 * body, where what is read has a part, too, and of stores, how sure they are;
 * access_sets.c makes sets of forms. */
#ifndef PL_ACCESS_H
#define PL_ACCESS_H

#include "affine.h"
#include "integer_set.h"
#include "loop.h"

/* ---- typed_affine.c ------------------------------------------------------ */

/* A value of a type, congruent to the form modulo two to the type's bits; `exact`: it is
 * the form. */
typedef struct pl_typed {
  const pl_affine *is; /* of a pointer or array: bytes from the tile's begin */
  uint8_t bytes;       /* 0: of a type that is not known, or no integer */
  bool is_unsigned;
  bool exact;
} pl_typed;

/* For which values of the names something holds: `of op 0` with LT, LE, EQ, NE, or
 * `a op b` with LAND, LOR. NULL: for any, as far as is known. */
typedef struct pl_where {
  pl_op op;
  const pl_affine *of;
  const struct pl_where *a, *b;
} pl_where;

/* Where a condition may hold, and where it may not. */
typedef struct pl_decision {
  const pl_where *yes, *no;
} pl_decision;

/* Of 8 bytes, the bounds are open. */
pl_interval pl_integer_range(uint8_t bytes, bool is_unsigned);
/* Whether all numbers of a range are known to be of such a type. */
bool pl_is_in_type(pl_interval range, uint8_t bytes, bool is_unsigned);
pl_typed pl_typed_number(pl_affines *all, int64_t value, uint8_t bytes,
                         bool is_unsigned);
/* Any value of a type, NULL: of one that is not known; another one in each of the
 * turns. */
pl_typed pl_typed_any(pl_affines *all, const pl_type *type,
                      const pl_turns *turns);
/* The form that a value is. */
const pl_affine *pl_typed_form(pl_affines *all, pl_typed value);
/* Between which bounds it is. */
pl_interval pl_typed_range(pl_affines *all, pl_typed value);
pl_typed pl_typed_convert(pl_affines *all, pl_typed value, const pl_type *to);
/* The operations of C++, but for comparisons; of integers. */
pl_typed pl_typed_binary(pl_affines *all, pl_op op, pl_typed a, pl_typed b);
pl_typed pl_typed_unary(pl_affines *all, pl_op op, pl_typed of);
/* The value with a form that is it, of one whose type is narrower than 8 bytes. */
pl_typed pl_typed_exact(pl_affines *all, pl_typed value);

const pl_where *pl_where_both(pl_affines *all, const pl_where *a,
                              const pl_where *b);
const pl_where *pl_where_either(pl_affines *all, const pl_where *a,
                                const pl_where *b);
/* Between which bounds a form is where something holds. */
pl_interval pl_where_range(pl_affines *all, const pl_where *where,
                           const pl_affine *form);
/* `a op b`, one of the six comparisons. */
pl_decision pl_typed_compare(pl_affines *all, pl_op op, pl_typed a, pl_typed b);

/* ---- access_sets.c ------------------------------------------------------- */

#define PL_MOST_VALUES 8

/* What a question has on its sides: a name may have another value on each of them, or
 * the same one. */
typedef struct pl_sides {
  pl_affines *names;
  pl_integers *integers;
  int (*value_of)(const struct pl_sides *s, uint32_t name, int side);
  int nsides, nvalues;
  const void *context;
  int tells; /* sides, as bits, of which what defines names is required; of all, how
                numbers of 8 bytes wrap, if any */
  const pl_affine *times; /* a name that is not negative; NULL: none */
  size_t n; /* names, at most */
  const pl_iform **forms[PL_MOST_VALUES]; /* NULL: not asked for yet */
  bool *told[PL_MOST_VALUES];             /* of a side */
  const pl_iset *set; /* what holds */
} pl_sides;

void pl_sides_begin(pl_sides *s);
void pl_sides_require(pl_sides *s, const pl_iform *a, pl_op op,
                      const pl_iform *b);
const pl_iform *pl_side_form(pl_sides *s, const pl_affine *a, int side);
const pl_iform *pl_side_name(pl_sides *s, uint32_t name, int side);
/* Where a condition holds; NULL: everywhere. */
const pl_iset *pl_side_where(pl_sides *s, const pl_where *where, int side);
/* The same of one that does, so that what it says is true `times` as often. */
const pl_iset *pl_side_said(pl_sides *s, const pl_where *where, int side);
/* Requires the bounds of names `times` as often, where that is asked for. */
void pl_sides_bound_products(pl_sides *s);

#define PL_MOST_ACCESS_STEPS 20000 /* statements and expressions of a fill */
#define PL_MOST_INSIDE 500 /* texts, one inside the other: of the stack, as above */

/* ---- access_relation.c --------------------------------------------------- */

/* One store of the text: to `width` bytes from `at` in the tile, in each iteration of
 * the turns for which `within` may hold. */
typedef struct pl_access {
  const pl_copy *copy; /* NULL: a call of a load helper */
  const pl_node *node; /* flags: what is stored to, or the call */
  pl_tile *tile; /* of the loop, also where a load helper fills it */
  const pl_affine *at;
  int64_t width;
  const pl_where *within;
  const pl_turns *turns; /* NULL: it is in no loop */
  bool sure; /* flags: control comes there wherever `within` holds */
  bool open;             /* rows are only known to lie apart, elements to be alike */
  bool more;             /* it is in a loop that may have more rounds (rounds_open) */
} pl_access;

typedef struct pl_binding {
  const pl_decl *decl;
  pl_typed value;
} pl_binding;

#define PL_MOST_INDICES 4
#define PL_MOST_PARTS 4

/* A cell that is named by all its indices: of the tile, or of a member of it. */
typedef struct pl_named_cell {
  pl_node *node; /* the outermost SUBSCRIPT, or MEMBER; of a place any lvalue */
  pl_node *store; /* the ASSIGN to it, NULL: it is read */
  pl_str part[PL_MOST_PARTS]; /* the member, and of that a member */
  uint32_t nparts;
  pl_node *index[PL_MOST_INDICES];
  uint32_t n;
  int64_t span;   /* so many side by side at once, the first of which is named; 0: one */
  pl_node *bound; /* ... of an array of rows: of how many cells a row is */
} pl_named_cell;

/* One such name, as control comes to it in any iteration of the tile loop. */
typedef struct pl_seen_cell {
  const pl_named_cell *cell;
  const pl_affine *index[PL_MOST_INDICES];
  const pl_affine *bound; /* of its cell's, NULL: none */
  const pl_where *within; /* no larger than is so, if it is `sure` */
  const pl_turns *turns;
  bool sure;
} pl_seen_cell;

/* The names of a thread and its block. */
typedef struct pl_places {
  const pl_affine *thread[3], *block[3], *rank, *size;
  const pl_affine *self; /* where the object of a method lies in its tile */
} pl_places;

/* The run of a fill's text. */
typedef struct pl_accesses {
  pl_loop *loop;
  const pl_instance *instance;
  const pl_decl *origin; /* of places, NULL: the tile at hand */
  bool in_bounds;        /* a place is looked at: its indices are in bounds, as `path` says */
  pl_affines names;
  pl_places places;
  pl_access *items;
  size_t n, cap;
  bool cut; /* something was too much to be followed: there may be more accesses */

  bool rounds_open; /* loops that go on by numbers which another build or instantiation
                       may change have any rounds, up to MORE_ROUNDS times as many */
  bool in_more;     /* ... such a loop is gone through */
  bool flags; /* names are told by what they are the same in, or not */
  bool instantiated; /* flags: numbers are those of the instantiation, all of which are
                        in sight */
  const pl_named_cell *wanted; /* NULL: it is a fill that is run */
  size_t nwanted;
  pl_seen_cell *seen;
  size_t nseen, seen_cap;
  bool unsure; /* control may not come here although `path` says so */
  bool lost;   /* what a wanted cell is, or when */
  struct pl_accesses *next; /* of the loop's neighbour_runs */
  bool in_row;              /* the neighbours are of one row of the block */
  bool alone; /* expressions are looked at without the text around them */
  bool neighbours; /* what differs between threads that copy side by side is looked at */
  const pl_decl *counter; /* their number, NULL: threadIdx.x */
  pl_typed number;        /* its value, a name */
  struct pl_scene {
    const pl_node *node; /* a statement */
    pl_binding *bound;   /* what the variables are when control comes to it */
    size_t n;
    const pl_turns *turns;
    bool again; /* it was come to more than once */
  } * scenes;
  size_t nscenes, scenes_cap;
  const pl_node *relation; /* by which the tile loop goes on, NULL: not asked for */
  pl_typed sides[2];       /* of it, in any iteration */
  bool sides_met;

  const pl_fill *fill; /* at hand */
  const pl_func *func;
  const pl_turns *turns;
  const pl_where *path; /* where control may be here */
  int trials; /* of loops: what is stored is not noted */
  struct pl_loop_run *tried; /* the innermost one */
  const void **inside; /* functions and locals whose text is looked at, each inside the
                          one before */
  size_t ninside, inside_cap;
  const pl_node *before; /* of the fill: a local's declaration, whose initialiser is
                            looked at */
  int steps;
  uint64_t changes; /* of variables, until now */
  const pl_func *self_func; /* of which changes_self says whether it stores to ... */
  bool changes_self;        /* its own object */
  bool open; /* how large what is indexed is, was not known */
  pl_binding *bound;
  size_t nbound, bound_cap;
  pl_binding *entered; /* relation: what variables are where the tile loop begins */
  size_t nentered, entered_cap;
  struct pl_handed {
    const pl_decl *param; /* of a load helper */
    pl_tile *tile;        /* that it is handed */
    const pl_node *call;
    pl_node *arg;
  } * handed;
  size_t nhanded, handed_cap;
  struct pl_said_text {
    pl_str text;
    const pl_func *func;
    const pl_turns *turns;
    uint64_t changes;
    const pl_affine **values; /* of the variables that it names */
    size_t nvalues, values_cap;
    pl_typed value;
  } * texts;
  size_t ntexts, texts_cap;
  struct pl_written {
    const pl_node *node;
    const pl_func *func;
    const pl_decl **items; /* locals that it sets */
    size_t n, cap;
  } * written;
  size_t nwritten, written_cap;
} pl_accesses;

/* Whether a function's text, or a local's initialiser, is looked at already, or too
 * many are. */
bool pl_access_is_inside(const pl_accesses *of, const void *item);
/* ... is, until `ninside` is set back. */
void pl_access_go_into(pl_accesses *of, const void *item);

/* All accesses of one thread, whichever, by copies that load; for one instantiation.
 * Memory is that of the arena. */
void pl_find_accesses(pl_accesses *of, pl_arena *arena, pl_loop *loop,
                      const pl_fill *fill, const pl_instance *instance, bool rounds_open,
                      bool in_bounds);

/* The same of all copies, also those that do not load, and of calls of load helpers,
 * which are not entered; told by what is the same in all iterations of the tile loop. */
void pl_find_writes(pl_accesses *of, pl_arena *arena, pl_loop *loop,
                    const pl_fill *fill);

/* The same of cells that the whole body of the tile loop names, for any thread and
 * iteration. Numbers that another build or instantiation may choose stay names. */
void pl_find_cells(pl_accesses *of, pl_arena *arena, pl_loop *loop,
                   const pl_named_cell *wanted, size_t n);
/* The same with the instantiation's numbers, for blocks of at most so many threads in x,
 * y and z; NULL: of any. */
void pl_find_cells_here(pl_accesses *of, pl_arena *arena, pl_loop *loop,
                        const pl_named_cell *wanted, size_t n, const int64_t most[3]);

/* The same of places in an object that the whole function names, by way of whichever
 * pointers: the one index of such a cell is how many bytes behind the object's begin it
 * is. Blocks have at least, and at most, so many threads along each axis; NULL: any, with
 * numbers that another build or instantiation may choose as names. */
void pl_find_places(pl_accesses *of, pl_arena *arena, pl_loop *loop, const pl_decl *origin,
                    const pl_named_cell *wanted, size_t n, const int64_t least[3],
                    const int64_t most[3]);

/* The same of cells, and of both sides of the comparison that the tile loop goes on by. */
void pl_find_sides(pl_accesses *of, pl_arena *arena, pl_loop *loop,
                   const pl_node *relation, const pl_named_cell *wanted, size_t n);

/* The text for the neighbours that `counter` numbers, NULL: threadIdx.x; `in_row`: they
 * are of one row of the block. Its expressions are then asked for one by one. What
 * another build or instantiation may choose stays a name. */
void pl_find_scenes(pl_accesses *of, pl_arena *arena, pl_loop *loop,
                    const pl_decl *counter, bool in_row);
/* Nothing is run: a local is what its initialiser says, where that reaches it. Blocks
 * have at most so many threads. */
void pl_begin_alone(pl_accesses *of, pl_arena *arena, pl_loop *loop,
                    const pl_instance *instance, int64_t threads);
/* Goes to where a node of the text is evaluated; false: that is not known. */
bool pl_access_go_to(pl_accesses *of, const pl_node *node);

/* Runs a statement; PL_LEAVES: what is around it is left. */
typedef enum pl_next { PL_GOES_ON, PL_LEAVES } pl_next;
pl_next pl_access_run(pl_accesses *of, pl_node *node);

/* The locals that a part of the text sets, whatever stands around them. */
const struct pl_written *pl_access_written(pl_accesses *of, pl_node *node);
/* They are not known any more; a variable is not. */
void pl_access_forget(pl_accesses *of, pl_node *node);
void pl_access_forget_one(pl_accesses *of, const pl_decl *decl);

/* Variables that parts of the text set, and what they are at some place of it. */
typedef struct pl_kept {
  const pl_decl **items;
  pl_typed *values;
  size_t n, cap;
} pl_kept;

/* Adds what a part sets, NULL: nothing does. */
void pl_access_keep(pl_accesses *of, pl_kept *set, pl_node *node);
/* What they are now, as an array. */
pl_typed *pl_access_values(pl_accesses *of, const pl_kept *set);
void pl_access_restore(pl_accesses *of, const pl_kept *set,
                       const pl_typed *values);

/* ---- access_cells.c ------------------------------------------------------ */

/* The cell that a name of an object is the base of; false: a row, an address. */
bool pl_cell_of(const pl_decl *object, pl_node *ref, pl_named_cell *out);

/* Takes down the wanted cells of a statement, or condition, that control comes to. */
void pl_access_note(pl_accesses *of, pl_node *node);
/* Says of a new name whether it is the same for all threads, and whenever the tile
 * loop is in its body, where that is so of a text that has its value. */
void pl_access_flag(pl_accesses *of, const pl_affine *name, pl_node *text);
/* ... for all threads alone, where the text is another value elsewhere. */
void pl_access_flag_common(pl_accesses *of, const pl_affine *form, pl_node *text);
/* ... of a variable. */
void pl_access_flag_variable(pl_accesses *of, const pl_affine *name,
                             const pl_decl *decl);
/* A new name is `a` where `decision` holds, else `b`. */
void pl_access_define(pl_accesses *of, pl_typed name, pl_decision decision,
                      pl_typed a, pl_typed b);
/* Whether a name, or form, has the same value for all threads in one iteration of the
 * tile loop; or for one thread in all of them, in one iteration of the loops inside. */
typedef enum pl_sameness { PL_IN_THREADS, PL_IN_ITERATIONS } pl_sameness;
bool pl_is_same_name(const pl_affines *all, uint32_t name, pl_sameness in);
bool pl_is_same_form(const pl_affines *all, const pl_affine *form,
                     pl_sameness in);
/* Whether a condition holds for a thread in all iterations, or in none. */
bool pl_is_settled(const pl_affines *all, const pl_where *where);

/* ---- bank_conflicts.c ---------------------------------------------------- */

/* What one name of a tile's cell asks for. */
typedef struct pl_row_shape {
  int64_t counts[PL_MOST_INDICES]; /* of the tile's dimensions */
  int64_t element, width;          /* bytes of a cell; that a thread accesses from there
                                      on, at most 16 */
  bool fragment; /* a warp loads rows of a matrix from there on, 16 bytes of each */
} pl_row_shape;

/* The most words of one bank that a warp asks for in one phase of the access, where rows
 * are `pitch` bytes apart and blocks have such extents; 0: not known. */
int pl_bank_conflicts(const pl_accesses *of, const pl_seen_cell *seen,
                      const pl_row_shape *shape, int64_t pitch, const int64_t block[3]);

/* ---- access_loops.c ------------------------------------------------------ */

/* Runs a loop's body for any iteration; `next`: what a for loop steps by. */
void pl_access_loop(pl_accesses *of, pl_node *node, pl_node *cond,
                    pl_node *next);
/* Whether jumps out of a part may be made in some iterations of the tile loop. */
bool pl_access_jumps(const pl_accesses *of, pl_node *node, unsigned kinds);
/* That a store at a place is made in each iteration of the loop that is tried. */
void pl_access_watch(pl_accesses *of, const pl_affine *at);

/* ---- access_values.c ----------------------------------------------------- */

pl_typed pl_access_value(pl_accesses *of, pl_node *node);
/* Bytes between the tile's begin and what an lvalue names. */
const pl_affine *pl_access_place(pl_accesses *of, pl_node *node);
pl_decision pl_access_decide(pl_accesses *of, pl_node *cond);
/* That the indices of arrays, which the text does not bound, are within them. */
const pl_where *pl_access_bounds(pl_accesses *of, pl_node *cell);
/* Bytes of what a pointer or array holds. */
int64_t pl_access_element(pl_accesses *of, const pl_node *indexed);
/* What a variable holds; it is bound to it from then on. */
pl_typed pl_access_meet(pl_accesses *of, const pl_decl *decl);
void pl_access_bind(pl_accesses *of, const pl_decl *decl, pl_typed value);
/* Gives a variable what an expression is. */
void pl_access_declare(pl_accesses *of, const pl_decl *decl, pl_node *init);
/* The type of a variable as far as values go, NULL: it holds no integer. */
const pl_type *pl_access_type(const pl_accesses *of, const pl_decl *decl);

/* ---- ranges.c ------------------------------------------------------------ */

/* Which number of a thread a value is: 'x', in its row, 'y', in the rows of one layer,
 * 'b', in the block; 0: none of them. */
char pl_thread_form(pl_accesses *of, pl_typed value);

/* ---- trip_counts.c ------------------------------------------------------- */

/* Whether a comparison that a loop goes on by holds for all threads that come to it, or
 * for none, in each iteration; false: that is not known. */
bool pl_is_decided_alike(pl_loop *loop, pl_node *relation);

#endif
