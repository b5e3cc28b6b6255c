/* emit_bounds.c - launch bounds that leave the compiler 64 registers a thread.
 *
 * Needs: the loops that are pipelined, the options. Gives: the edits of their kernels'
 * headers. Raises nothing.
 *
 * ptxas moves the loads of a form in registers back behind compute where they would
 * take more registers than a multiprocessor full of threads has for each (32 of
 * 65536 / 2048). Bounds that ask for 1024 threads instead leave 64
 * (docs/gpu-results.md). `__launch_bounds__(1024, 1)` says nothing of the block that
 * does not hold of any; where the kernel has bounds of its own, its threads stay, and
 * the number of blocks makes 1024 of them. Of a kernel that says how many blocks it
 * wants nothing changes. */
#include "call_summary.h"
#include "emit.h"

#define THREADS 1024

/* The parenthesis that closes the one at `open`. */
static uint32_t closing(const pl_unit *unit, uint32_t open) {
  uint32_t i = open;
  for (int depth = 0; i < unit->ntokens; i++) {
    depth += pl_token_is(unit, i, "(") - pl_token_is(unit, i, ")");
    if (depth <= 0)
      break;
  }
  return i;
}

pl_range pl_launch_bound(const pl_unit *unit, uint32_t open, int which) {
  uint32_t close = closing(unit, open), first = open + 1;
  int depth = 0, at = 0;
  for (uint32_t i = open + 1; i <= close && close < unit->ntokens; i++) {
    bool ends = i == close || (depth == 0 && pl_token_is(unit, i, ","));
    if (ends && at++ == which)
      return i > first ? (pl_range){unit->tokens[first].range.begin, unit->tokens[i - 1].range.end}
                       : (pl_range){0, 0};
    first = ends ? i + 1 : first;
    depth += pl_token_is(unit, i, "(") - pl_token_is(unit, i, ")");
  }
  return (pl_range){0, 0};
}

/* Blocks behind the threads that stand there: a number of a number, else computed by
 * the compiler. */
static pl_str blocks_behind(pl_emitter *e, const pl_func *func, uint32_t open,
                            uint32_t close) {
  const pl_unit *unit = e->unit;
  pl_range range = {unit->tokens[open].range.end, unit->tokens[close].range.begin};
  bool number = close == open + 2 && unit->tokens[open + 1].kind == PL_TOK_NUMBER &&
                func->launch_bounds > 0;
  if (number)
    return pl_arena_printf(e->arena, ", %lld",
                           (long long)(func->launch_bounds < THREADS
                                           ? THREADS / func->launch_bounds
                                           : 1));
  pl_str threads = pl_unit_slice(unit, range);
  bool name = close == open + 2;
  return pl_arena_printf(e->arena, name ? ", %d / %.*s" : ", %d / (%.*s)", THREADS,
                         PL_FMT(threads));
}

static void edit_bounds(pl_emitter *e, const pl_func *func, uint32_t word) {
  uint32_t close = closing(e->unit, word + 1);
  if (close >= e->unit->ntokens ||
      pl_launch_bound(e->unit, word + 1, 1).end)
    return;
  pl_emit_add_edit(e, e->unit->tokens[close].range.begin, 0,
                   blocks_behind(e, func, word + 1, close));
}

static void add_bounds(pl_emitter *e, const pl_func *func) {
  uint32_t word = pl_header_token(e->unit, func, "__launch_bounds__");
  uint32_t global = pl_header_token(e->unit, func, "__global__");
  uint32_t none = e->unit->ntokens;
  if (word != none)
    edit_bounds(e, func, word);
  else if (global != none && pl_header_token(e->unit, func, "__maxnreg__") == none)
    pl_emit_add_edit(e, e->unit->tokens[global].range.end, 0,
                     pl_arena_printf(e->arena, " __launch_bounds__(%d, 1)",
                                     THREADS));
}

static bool leads_to(const pl_unit *unit, const pl_func *kernel,
                     const pl_func *func) {
  return kernel == func || pl_may_call(unit, kernel, func);
}

/* Whether a kernel of that text runs a loop that is to have bounds. */
static bool is_wanted(const pl_unit *unit, const pl_loops *loops,
                      const pl_func *written) {
  for (size_t i = 0; i < loops->n; i++) {
    const pl_loop *loop = loops->items[i];
    if (loop->settled || !loop->options->launch_bounds || pl_has_roles(loop))
      continue;
    for (uint32_t k = 0; k < unit->nfuncs; k++)
      if (unit->funcs[k]->is_global && pl_written_func(unit->funcs[k]) == written &&
          leads_to(unit, unit->funcs[k], loop->func))
        return true;
  }
  return false;
}

static bool is_first_of_text(const pl_unit *unit, uint32_t index) {
  for (uint32_t i = 0; i < index; i++)
    if (unit->funcs[i]->range.begin == unit->funcs[index]->range.begin)
      return false;
  return true;
}

void pl_edit_bounds(pl_emitter *e, const pl_loops *loops) {
  const pl_unit *unit = e->unit;
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    const pl_func *func = unit->funcs[i];
    if (func->is_global && func->in_main && !func->from_macro &&
        is_first_of_text(unit, i) && is_wanted(unit, loops, pl_written_func(func)))
      add_bounds(e, func);
  }
}
