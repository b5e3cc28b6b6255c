/* ranges.c - between which bounds does an index stay?
 *
 * Needs: expressions as forms. Gives: whether an expression is never negative, is small,
 * or is the thread's number within the block; its largest value by the launch bounds.
 * Over all instantiations; of locals by the initialisers that reach them. Raises nothing:
 * what is not known is answered with no. */
#include "access.h"
#include "copies.h"
#include "values.h"

#define MOST_THREADS 1024

/* So many threads a block has at most. */
static int64_t threads_of(const pl_loop *loop) {
  const pl_func *func = loop->func;
  bool bounded = !loop->caller && func->launch_bounds > 0 &&
                 func->launch_bounds < MOST_THREADS &&
                 (!func->launch_bounds_node || !pl_is_open(func->launch_bounds_node));
  return bounded ? func->launch_bounds : MOST_THREADS;
}

/* The value of an expression in one instantiation. */
static bool find_value(pl_accesses *of, pl_arena *arena, const pl_loop *loop,
                       uint32_t reading, const pl_node *node, pl_typed *value) {
  if (!node)
    return false;
  pl_begin_alone(of, arena, (pl_loop *)loop, pl_reading(loop->func, reading),
                 threads_of(loop));
  *value = pl_access_value(of, (pl_node *)node);
  return !of->cut && value->bytes;
}

/* The bounds of an expression, as a type holds it, NULL: its own; false: there are none,
 * as of numbers of 8 bytes that may be larger than those with a sign. */
static bool find_range(const pl_loop *loop, const pl_node *node, const pl_type *type,
                       pl_interval *range) {
  pl_arena *arena = pl_arena_child(loop->arena);
  bool found = true;
  for (uint32_t i = 0; i < pl_count_readings(loop->func) && found; i++) {
    pl_accesses of;
    pl_typed value;
    found = find_value(&of, arena, loop, i, node, &value);
    if (found && type)
      value = pl_typed_convert(&of.names, value, type);
    pl_interval one = found ? pl_typed_range(&of.names, value) : (pl_interval){0, 0};
    if (i == 0)
      *range = one;
    range->least = one.least < range->least ? one.least : range->least;
    range->largest = one.largest > range->largest ? one.largest : range->largest;
  }
  pl_arena_free(arena);
  return found;
}

bool pl_not_negative(const pl_loop *loop, const pl_node *node) {
  const pl_type *type = pl_no_reference(node->type);
  bool wide = type && pl_is_integer_type(type) && type->size == 8;
  pl_interval of;
  return find_range(loop, node, NULL, &of) && of.least >= 0 &&
         (wide ? !type->is_unsigned || of.largest < PL_UNBOUNDED : of.largest <= INT32_MAX);
}

bool pl_steps_up(const pl_loop *loop, const pl_node *amount) {
  pl_interval by;
  return find_range(loop, amount, NULL, &by) && by.least >= 0 && by.largest <= INT32_MAX;
}

bool pl_is_small(const pl_loop *loop, const pl_node *node) {
  pl_interval of;
  return find_range(loop, node, NULL, &of) && of.least >= 0 && of.largest <= 1 << 27;
}

/* ---- threads --------------------------------------------------------------- */

char pl_thread_form(pl_accesses *of, pl_typed value) {
  const pl_places *at = &of->places;
  if (!value.exact)
    return 0;
  if (pl_affine_equal(value.is, at->thread[0]))
    return 'x';
  const pl_affine *row = pl_affine_add(&of->names, value.is, at->thread[0], -1);
  return pl_affine_equal(value.is, at->rank)                           ? 'b'
         : pl_is_product_of(&of->names, row, at->thread[1], at->block[0]) ? 'y'
                                                                          : 0;
}

bool pl_is_thread_number(const pl_loop *loop, const pl_node *node) {
  pl_arena *arena = pl_arena_child(loop->arena);
  pl_accesses of;
  pl_typed value;
  char number = find_value(&of, arena, loop, 0, node, &value) ? pl_thread_form(&of, value)
                                                              : 0;
  pl_arena_free(arena);
  return number == 'x' ? !pl_names_block_y(loop->func->body) : number != 0;
}

/* Whether a value hangs on what another build or instantiation may choose. */
static bool names_open(pl_node *node, const void *context) {
  (void)context;
  pl_node *init = node->kind == PL_NODE_REF && node->decl ? node->decl->init : NULL;
  return (node->has_ival && pl_is_open(node)) ||
         (init && pl_node_find(init, names_open, NULL));
}

int64_t pl_largest_start(const pl_loop *loop, const pl_node *node) {
  pl_interval of;
  return !pl_node_find(node, names_open, NULL) && find_range(loop, node, NULL, &of) &&
                 of.least >= 0 && of.largest < INT32_MAX
             ? of.largest
             : -1;
}
