/* cells.h - the text that fills the tiles, run on numbers.
 *
 * Loops and locals as they stand; what only a launch or memory decides is a
 * number of its own in each of several worlds. Only cells.c, which runs the text,
 * cell_values.c, which runs its expressions, and meetings.c, which looks at the
 * cells, include this. */
#ifndef PL_CELLS_H
#define PL_CELLS_H

#include "loop.h"

#define PL_MOST_STEPS 100000 /* of a thread in a world */
#define PL_CELL_RANKS 3

/* What is not known: large numbers, others, all zero, all one, negative. */
enum { WORLD_FIRST, WORLD_OTHER, WORLD_ZERO, WORLD_ONE, WORLD_BELOW, WORLDS };

/* What a value rests on: what is not known; what a variable that is set elsewhere
 * begins with, which the first world takes for it; the thread. */
enum { ON_UNKNOWN = 1, ON_START = 2, ON_THREAD = 4, ON_WORLD = 3 };

typedef struct pl_binding {
  const pl_decl *decl;
  int64_t value; /* of a pointer, array or reference: bytes from the tile */
  unsigned rests;
} pl_binding;

/* What one execution of a copy stores, in bytes from the tile's begin. */
typedef struct pl_cell {
  const pl_copy *copy;
  pl_tile *tile; /* of the loop, also where a load helper fills it */
  int64_t begin, end;
  uint64_t where; /* which execution of the copy: its loops' iterations */
  int64_t index[PL_CELL_RANKS]; /* in arrays of arrays, the innermost first */
} pl_cell;

/* Bindings that are kept: where, how many. */
typedef struct pl_kept {
  size_t at, n;
} pl_kept;

/* What the text does to that behind it. */
typedef enum pl_next { PL_GOES_ON, PL_BREAKS, PL_CONTINUES } pl_next;

/* What all runs share. */
typedef struct pl_survey {
  pl_loop *loop;
  const pl_fill *fill;
  struct pl_machine *machines; /* of the first world and of another one */
  int64_t extent[3];
  int64_t work;
  bool bends; /* one of the machines did */
  bool cut;   /* some thread was not run for its length */
  bool asks_block; /* the text asks how large the block is */
  struct assigned {
    const pl_decl *decl;
    bool is;
  } * assigned;
  size_t n, cap;
  struct pl_written {
    const pl_node *node;
    const pl_func *func;
    const pl_decl **items; /* locals that it sets */
    size_t n, cap;
    bool jumps; /* it breaks or continues a loop around it */
  } * written;
  size_t nwritten, written_cap;
} pl_survey;

/* One thread in one world. */
typedef struct pl_machine {
  pl_survey *all;
  pl_loop *loop;
  const pl_fill *fill;
  const pl_instance *instance;
  pl_binding *items;
  size_t n, cap;
  pl_cell *cells;
  size_t ncells, cells_cap, most_cells;
  struct handed {
    const pl_decl *param; /* of a load helper */
    pl_tile *tile;        /* that it is handed */
    const pl_node *call;
    pl_node *arg;
  } * handed;
  size_t nhanded, handed_cap;
  const pl_func *func;
  int64_t thread[3];
  uint64_t where;
  int world, steps, depth;
  unsigned rests; /* what was evaluated */
  bool differs; /* the cells may be others in another world */
  pl_binding *kept; /* of before a branch or a loop, one above the other */
  size_t nkept, kept_cap;
  uint64_t changes; /* of variables, until now */
  bool cut;    /* something was not run for its length */
  bool jumped; /* what is not known may have left the iteration at hand */
  bool counts; /* the condition of a loop is asked: numbers decide it */
  bool bends;  /* the thread decides in another way than by sums and multiples
                  of its indices where a cell is, or whether it is stored to */
} pl_machine;

/* cell_numbers.c */

/* A number of its own for what is not known, in the machine's world. */
int64_t pl_cell_number(pl_machine *m, uint64_t key);
/* A number of two. */
uint64_t pl_cell_mix(uint64_t a, uint64_t b);
/* What a type holds of a value, which rests on that. */
int64_t pl_cell_fit(const pl_type *type, int64_t value, unsigned rests);
/* The results of a node's operation: of known numbers in the types of C++. What has
 * no value there is not known. */
int64_t pl_cell_binary(pl_machine *m, const pl_node *node, int64_t a, int64_t b);
int64_t pl_cell_unary(pl_machine *m, const pl_node *node, int64_t of);
/* Of places, and of what is not known. */
int64_t pl_cell_arithmetic(pl_op op, int64_t a, int64_t b);
/* Whether an operation makes of a sum of multiples of the thread's indices
 * something else. `left` and `right`: what its sides rest on. */
bool pl_cell_bends(pl_op op, unsigned left, unsigned right);

/* cell_values.c */

/* What an expression is; of a pointer, bytes from the begin of its tile. */
int64_t pl_cell_value(pl_machine *m, pl_node *node);
/* Bytes between the tile's begin and what an lvalue names. */
int64_t pl_cell_place(pl_machine *m, pl_node *node);
/* How many elements has what is indexed; 0: that is not known. */
int64_t pl_cell_rows(const pl_machine *m, const pl_node *indexed);
/* Binds a variable to what it is before the text sets it. */
void pl_cell_meet(pl_machine *m, const pl_decl *decl);
/* Gives a variable what an expression is, and whether that is known. */
void pl_cell_declare(pl_machine *m, const pl_decl *decl, pl_node *init);
/* `x = value`, `x += value`; what it rests on is the machine's then. */
int64_t pl_cell_assignment(pl_machine *m, pl_node *node);
/* What was evaluated is asked, not counted with. */
void pl_cell_choose_by(pl_machine *m);
/* What a variable is bound to, NULL: to nothing yet. */
pl_binding *pl_cell_bound(pl_machine *m, const pl_decl *decl);
void pl_cell_bind(pl_machine *m, const pl_decl *decl, int64_t value,
                  unsigned rests);

/* cell_flow.c */

/* The locals that a part of the text sets, whatever stands around them. */
const struct pl_written *pl_cell_written(pl_machine *m, pl_node *node);
/* The locals that it sets are not known any more. */
void pl_cell_forget_written(pl_machine *m, pl_node *node);
/* Keeps what all variables are, and those that `node` sets, until they are
 * dropped in turn. */
pl_kept pl_cell_keep(pl_machine *m, pl_node *node);
void pl_cell_drop(pl_machine *m, pl_kept kept);
/* Variables are what they were. */
void pl_cell_restore(pl_machine *m, pl_kept kept);
/* Of those that were there before, the ones that are not what they were then
 * are not known any more. */
void pl_cell_forget_changed(pl_machine *m, pl_kept kept, const pl_node *by);

/* Runs the fill; the cells that it stores are in the machine's list then. */
void pl_run_fill(pl_machine *m);

#endif
