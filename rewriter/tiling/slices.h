/* slices.h - what the files share that cut a loop into slices: closure.c, tiles.c,
 * tile_cells.c, tiles_made.c, recurrences.c, own_steps.c and slices.c, which
 * says in which order. */
#ifndef PL_SLICES_H
#define PL_SLICES_H

#include "varies.h"

/* ---- slice_objects.c ----------------------------------------------------- */

/* Whether a copy of an object that moves on is as good as the object itself. */
bool pl_may_be_copied(const pl_loop *loop, pl_decl *decl);

/* ---- closure.c ----------------------------------------------------------- */

/* A set of statements that grows by those that it needs: pl_add_statement for
 * each to start with, then pl_close_over. `needed` are the thread's variables
 * that the members use. */
typedef struct pl_closure {
  pl_loop *loop;
  pl_decl **needed;
  size_t n, cap;
  bool *member; /* by statement */
} pl_closure;

pl_closure pl_closure_new(pl_loop *loop);
void pl_add_statement(pl_closure *c, size_t index);
void pl_close_over(pl_closure *c);
/* A visitor, context pl_closure: needs every private variable that a piece of
 * text names, those behind an address included. */
bool pl_need_mentioned(pl_node *node, void *context);

/* ---- tile_cells.c -------------------------------------------------------- */

/* Whether a statement writes to a shared object. */
bool pl_writes_shared(const pl_stmt *stmt, const pl_decl *decl);
/* Whether the load phase writes the same cells of a tile in every iteration;
 * settles the loop where it does not. */
bool pl_cells_stay(pl_loop *loop, const pl_decl *decl);
/* Whether what names a cell of a tile may name another one in another iteration. */
bool pl_cell_moves(pl_loop *loop, const pl_decl *tile, pl_node *place);
bool pl_check_cells(pl_loop *loop, const pl_decl *tile);

/* ---- tiles.c ------------------------------------------------------------- */

/* Refuses a loop that reads a tile where it fills it. */
bool pl_refuse_read(pl_loop *loop, const pl_effect *read);
/* Whether a use is of the block of dynamic shared memory that a tile lies in, by another
 * beginning than that of all stores into the tile: perhaps another part. */
bool pl_may_be_other_part(const pl_loop *loop, const pl_effect *use, const pl_decl *block);
/* Finds the tiles and the load phase; false: settled. */
bool pl_choose_tiles(pl_loop *loop);
bool pl_effects_read_global(const pl_effects *effects);
/* Whether what a statement stores comes from global memory in the same
 * iteration, through statements that stand before it. */
bool pl_statement_streams(pl_loop *loop, size_t index);
/* An operand of inline assembly, or the call of a function whose own text holds
 * some; refuses the loop because a tile is filled by it. */
bool pl_is_assembly(const pl_node *node);
bool pl_refuse_assembly(pl_loop *loop, const pl_effect *effect);

/* ---- tiles_made.c -------------------------------------------------------- */

/* Adds what the load phase makes beside the tiles that it loads. */
void pl_add_made_tiles(pl_loop *loop);

/* ---- recurrences.c ------------------------------------------------------- */

/* Finds what steps; false: settled, something else is carried on. */
bool pl_find_recurrences(pl_loop *loop);

/* `here = above;` where `above` was loaded: a value rolls on, no tile does. */
bool pl_rolls_loaded_value(pl_loop *loop, const pl_decl *decl);
/* Whether the load side of one iteration sees what the one before has set. */
bool pl_is_carried(const pl_loop *loop, const pl_decl *decl);

/* ---- own_steps.c --------------------------------------------------------- */

/* Finds the statements that set variables from one iteration to the next as any
 * function of what the load side knows. */
void pl_find_own_steps(pl_loop *loop);
/* Refuses where more than steps would have to wait with them. */
bool pl_check_own_steps(pl_loop *loop);
/* Takes into the compute slice those that decide how often the loop runs: it may have to
 * count the tiles itself. */
void pl_share_own_steps(const pl_loop *loop, pl_closure *compute);
/* The variable that a part of the header sets so; NULL: it does not, or more. */
pl_decl *pl_own_header_step(pl_loop *loop, pl_node *node);

/* ---- step_memory.c ------------------------------------------------------- */

/* Refuses a loop whose header steps by what the loop, or a thread that is late,
 * may still write. */
bool pl_check_step_memory(pl_loop *loop);

/* slices.c: the first statement that fills tiles and sets a variable; NULL: none. */
pl_stmt *pl_filling_writer(const pl_loop *loop, const pl_decl *decl);

#endif
