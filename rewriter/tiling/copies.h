/* copies.h - what the files share that say how tiles are filled: copies.c,
 * which walks the text, and those that it asks. Of the other passes split.c
 * and emit_fill.c use it: they look at the headers of the same loops. */
#ifndef PL_COPIES_H
#define PL_COPIES_H

#include "values.h"

/* ---- copy_loops.c -------------------------------------------------------- */

/* Adds a loop around copies to the fill's. */
void pl_describe_loop(pl_loop *loop, pl_fill *fill, pl_node *node);

/* ---- chains.c ------------------------------------------------------------ */

/* The condition of a for, while or do loop, NULL: none. */
pl_node *pl_inner_cond(const pl_node *node);

/* Describes a loop that is kept as it stands, with a counter beside: finds a
 * variable that steps towards a bound. False: nothing counts. */
bool pl_describe_chain(pl_loop *loop, const pl_fill *fill, pl_copy_loop *c);

/* Whether a loop's body moves variables on that are declared outside the loop;
 * whether more text of the load side goes by where the loop leaves them. */
bool pl_has_riders(pl_loop *loop, pl_node *node);
bool pl_riders_outlive(pl_loop *loop, pl_node *node);

/* ---- copy_values.c, copy_async.c ----------------------------------------- */

/* The type that a stored value has in a register. */
const pl_type *pl_stored_type(pl_loop *loop, pl_copy *copy);
/* Finds the copy's loads: load, via, leaves. Its type is known. */
void pl_describe_source(pl_loop *loop, pl_copy *copy);
/* Sets bytes, and async_id where the copy cannot be asynchronous. */
void pl_check_async(pl_loop *loop, pl_copy *copy);

/* ---- copy_alignment.c ---------------------------------------------------- */

/* Whether both sides lie at multiples of the copied type's size. */
bool pl_is_aligned_copy(const pl_loop *loop, const pl_copy *copy);

/* ---- byte_copies.c ------------------------------------------------------- */

/* The type of registers that are arrays of bytes. */
#define PL_BYTES_TYPE "alignas(16) unsigned char"

/* Whether a call is memcpy or memset of the toolkit's. */
bool pl_is_byte_copy(const pl_node *call);
/* Makes such a call an assignment; false: refused. */
bool pl_become_assignment(pl_loop *loop, pl_node *call, const pl_tile *tile);
/* Whether the arguments' own text stands in the call, one behind the other. */
bool pl_arguments_are_spelled_out(const pl_node *call);
/* Whether both sides of a memcpy lie at multiples of its size. */
bool pl_bytes_are_aligned(const pl_copy *copy);

/* ---- copy_calls.c -------------------------------------------------------- */

/* The pointer whose object a called function reads, and hands back as it is, NULL:
 * it does something else. */
pl_node *pl_read_by_call(const pl_node *call);
/* Of a store that was a call: the argument by which the function writes, as it
 * is, what it is handed, a pointer or the cell itself. NULL: it does something
 * else. */
pl_node *pl_written_by_call(const pl_node *store);

/* ---- store_calls.c ------------------------------------------------------- */

/* Makes a call of a function that stores an argument an assignment; false: it is
 * none. */
bool pl_stores_argument(pl_loop *loop, pl_node *call);

/* ---- load_helpers.c ------------------------------------------------------ */

/* Adds a call that fills tiles to the fill's calls; false: refused. */
bool pl_add_call(pl_loop *loop, pl_fill *fill, pl_node *call);
/* What the helper's text says of its parameters holds for the tiles. */
void pl_return_tile_facts(pl_loop *loop, const pl_loop *body);

/* ---- load_lambdas.c ------------------------------------------------------ */

/* A called lambda as a load helper; *why: it cannot be split. */
pl_func *pl_load_lambda(pl_loop *loop, const pl_node *call, pl_node *lambda,
                        const char **why);

/* ---- load_members.c ------------------------------------------------------ */

/* The members of a local object by which its method fills tiles become those of
 * the method's text; false: the loop is refused. */
bool pl_bind_members(pl_loop *loop, pl_loop *body);
/* The same of a method of the object whose method holds the loop: its tiles are known. */
void pl_bind_own_members(pl_loop *loop, pl_loop *body);
/* Whether a member stands for a tile of the caller's in a method's text. */
bool pl_stands_for(const pl_loop *body, const pl_decl *tile);

/* ---- coverage.c ---------------------------------------------------------- */

/* Sets partial for tiles with cells that some iterations leave unwritten. */
void pl_mark_coverage(pl_loop *loop, pl_fill *fill);
/* Sets stored_twice where an asynchronous copy and another store, or two calls,
 * fill one tile. */
void pl_mark_mixed(pl_loop *loop, pl_fill *fill);
/* The argument of a call that is (in) a tile, NULL: none. */
pl_node *pl_tile_argument(pl_loop *loop, const pl_fill_call *call,
                          const pl_tile *tile);
/* Whether one of a copy's left sides is in the tile. */
bool pl_stores_into(pl_loop *loop, const pl_copy *copy, const pl_tile *tile);

/* ---- copies.c ------------------------------------------------------------ */

/* Describes what fills tiles in a loop's load side, or in a load helper. */
void pl_describe_fill(pl_loop *loop);
/* `do { ... } while (0)` that nothing leaves: a block. */
bool pl_is_plain_block(const pl_node *node);

/* ---- fills.c ------------------------------------------------------------- */

/* A tile that `node` writes; that a left side is a cell of. NULL: none. */
pl_tile *pl_tile_written(pl_loop *loop, pl_node *node);
pl_tile *pl_tile_of_cell(pl_loop *loop, pl_node *cell);
/* Whether a declaration in a part of a body gives a word of a text ahead of it another
 * meaning behind that part. */
bool pl_hidden_between(const pl_unit *unit, pl_node *body, pl_range text, pl_range between);
/* Whether the load side changes a variable that `node` names, in the text
 * between two offsets, or declares another one there under such a name. */
bool pl_changed_between(pl_loop *loop, const pl_node *node, uint32_t begin,
                        uint32_t end);

/* ---- ranges.c ------------------------------------------------------------ */

/* Whether a value cannot be negative. */
bool pl_not_negative(const pl_loop *loop, const pl_node *node);
/* Whether adding a value to a number of at least the size of an int does not make
 * it less: it is none that wraps around. */
bool pl_steps_up(const pl_loop *loop, const pl_node *amount);
/* Whether it is the thread's number within its block: all values from zero up
 * to some last one occur. */
bool pl_is_thread_number(const pl_loop *loop, const pl_node *node);
/* The largest value of a thread's place by the kernel's launch bounds, -1: not
 * known. */
int64_t pl_largest_start(const pl_loop *loop, const pl_node *node);
/* Whether a few steps more than the loop makes cannot make it overflow. */
bool pl_is_small(const pl_loop *loop, const pl_node *node);

#endif
