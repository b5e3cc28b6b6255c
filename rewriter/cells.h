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
} pl_cell;

/* What all runs share. */
typedef struct pl_survey {
  pl_loop *loop;
  const pl_fill *fill;
  struct pl_machine *machines; /* of the first world and of another one */
  int64_t extent[3];
  int64_t work;
  bool bends; /* one of the machines did */
  struct assigned {
    const pl_decl *decl;
    bool is;
  } * assigned;
  size_t n, cap;
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
  bool counts; /* the condition of a loop is asked: numbers decide it */
  bool bends;  /* the thread decides in another way than by sums and multiples
                  of its indices where a cell is, or whether it is stored to */
} pl_machine;

/* cell_values.c */

/* What an expression is; of a pointer, bytes from the begin of its tile. */
int64_t pl_cell_value(pl_machine *m, pl_node *node);
/* Bytes between the tile's begin and what an lvalue names. */
int64_t pl_cell_place(pl_machine *m, pl_node *node);
/* Gives a variable what an expression is, and whether that is known. */
void pl_cell_declare(pl_machine *m, const pl_decl *decl, pl_node *init);
/* `x = value`, `x += value`; what it rests on is the machine's then. */
int64_t pl_cell_assignment(pl_machine *m, pl_node *node);
/* What was evaluated is asked, not counted with. */
void pl_cell_choose_by(pl_machine *m);
/* A number of two. */
uint64_t pl_cell_mix(uint64_t a, uint64_t b);

/* Runs the fill; the cells that it stores are in the machine's list then. */
void pl_run_fill(pl_machine *m);

#endif
