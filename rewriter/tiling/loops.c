/* loops.c - which loops may hold a tile?
 *
 * Needs: the model. Gives: candidates, outermost to innermost, each with the
 * statements of its body. Raises: PL1001, PL1002, PL2008, PL2012, PL2101.
 *
 * A candidate is a loop with a barrier of its own (at its own level or
 * inside a branch, but not inside a loop within it), or one that fills and
 * uses shared memory with no barrier at all. */
#include "call_summary.h"
#include "loops_parts.h"

#include "async_operations.h"
#include "handed_tiles.h"

/* The body of a loop of any form: where the tree has no place for it, the block
 * that stands last. */
static pl_node *written_body(pl_node *node) {
  pl_node *body = pl_node_loop_body(node);
  pl_node *last = node->nkids ? node->kids[node->nkids - 1] : NULL;
  return body ? body : last && last->kind == PL_NODE_COMPOUND ? last : NULL;
}

/* `while (int left = n - k) {...}`: the tree has no place for the variable. */
static bool is_odd_loop(const pl_unit *unit, const pl_node *node) {
  pl_str text = pl_unit_slice(unit, node->range);
  return node->kind == PL_NODE_UNKNOWN && node->range.end &&
         written_body((pl_node *)node) &&
         (pl_str_starts(text, "while") || pl_str_starts(text, "for"));
}

static pl_loop *new_loop(pl_finder *f, pl_node *node, pl_loop *outer,
                         bool nested) {
  pl_loop *loop = PL_NEW(f->unit->arena, pl_loop);
  loop->unit = f->unit;
  loop->func = f->func;
  loop->arena = f->unit->arena;
  loop->effects = f->effects;
  loop->options = f->options;
  loop->block = PL_NEW(f->unit->arena, pl_block);
  loop->node = node;
  loop->outer = outer;
  loop->all = f->loops;
  loop->nested = nested;
  loop->body = written_body(node);
  loop->smem_before = loop->smem_after = loop->smem_limit = -1;
  loop->blocks_before = loop->blocks_after = -1;
  loop->threads = -1;
  loop->ratio = -1;
  if (node->kind == PL_NODE_FOR) {
    loop->init = node->kids[0];
    loop->cond = node->kids[1];
    loop->inc = node->kids[2];
  } else if (node->kind == PL_NODE_WHILE) {
    loop->cond = node->kids[0];
  } else if (node->kind == PL_NODE_DO) {
    loop->cond = node->kids[1];
    loop->asks_last = true;
  }
  PL_PUSH(f->unit->arena, f->loops->items, f->loops->n, f->loops->cap, loop);
  return loop;
}

static bool touches_shared(pl_finder *f, pl_node *body, bool *fills,
                           bool *uses) {
  pl_effects effects = {0};
  pl_effects_of(f->effects, f->func, body, &effects);
  *fills = *uses = false;
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    if (effect->space != PL_SPACE_SHARED)
      continue;
    if (effect->kind == PL_EFFECT_WRITE)
      *fills = true;
    if (effect->kind == PL_EFFECT_READ)
      *uses = true;
  }
  return *fills || *uses;
}

/* Whether a body fills and uses memory of which nothing at all is known, or calls
 * what may. */
static bool streams_unknown(pl_finder *f, pl_node *body) {
  pl_effects effects = {0};
  bool fills = false, uses = false;
  pl_effects_of(f->effects, f->func, body, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    bool unknown = effects.items[i].space == PL_SPACE_UNKNOWN &&
                   !effects.items[i].root.decl;
    bool unseen = effects.items[i].kind == PL_EFFECT_UNSEEN;
    fills = fills || unseen ||
            (unknown && effects.items[i].kind == PL_EFFECT_WRITE);
    uses = uses || unseen ||
           (unknown && effects.items[i].kind == PL_EFFECT_READ);
  }
  return fills && uses;
}

static void find_in(pl_finder *f, pl_node *node, pl_loop *outer, bool nested);

static bool reads_global(pl_finder *f, pl_node *body) {
  pl_effects effects = {0};
  pl_effects_of(f->effects, f->func, body, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind == PL_EFFECT_READ &&
        effects.items[i].space == PL_SPACE_GLOBAL)
      return true;
  return false;
}

/* Whether all that a body reads is known, and none of it is global memory. */
static bool loads_nothing(pl_finder *f, pl_node *body) {
  pl_effects effects = {0};
  pl_effects_of(f->effects, f->func, body, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    bool reads = effect->kind == PL_EFFECT_READ ||
                 effect->kind == PL_EFFECT_ATOMIC;
    if (effect->kind == PL_EFFECT_UNSEEN || effect->kind == PL_EFFECT_ASM ||
        (reads && effect->space != PL_SPACE_LOCAL &&
         effect->space != PL_SPACE_SHARED))
      return false;
  }
  return true;
}

static bool is_shared_name(pl_node *node, const void *unused) {
  (void)unused;
  return node->kind == PL_NODE_REF && node->decl && node->decl->is_shared;
}

static bool names_shared(pl_node *body) {
  return pl_node_find(body, is_shared_name, NULL);
}

/* Whether something in a body may order the threads of a warp: a barrier of the
 * warp's, a collective such as a shuffle or a fragment's load, assembly. */
static bool orders_warp(const pl_effects *effects) {
  return pl_effects_find(effects, PL_EFFECT_WARP_BARRIER) ||
         pl_effects_find(effects, PL_EFFECT_ASM) ||
         pl_effects_find(effects, PL_EFFECT_UNSEEN);
}

static bool is_collective(pl_node *node, const void *unused) {
  (void)unused;
  return node->kind == PL_NODE_CALL && pl_str_has(node->name, "_sync") &&
         *pl_builtin_of(node)->name;
}

/* A loop that no barrier of the block parts into phases: a race where one is seen,
 * and else no tile loop, but one of threads or warps by themselves. A block of one
 * warp may leave it to the warp's own order. */
static void refuse_without_barrier(pl_finder *f, pl_loop *loop, pl_node *body) {
  enum { WARP = 32 };
  pl_effects effects = {0};
  pl_effects_of(f->effects, f->func, body, &effects);
  const pl_effect *warp = pl_effects_find(&effects, PL_EFFECT_WARP_BARRIER);
  bool ordered = orders_warp(&effects) || pl_node_find(body, is_collective, NULL);
  bool shown = pl_shows_race(f->unit, f->func, body);
  bool race = shown && (!ordered || pl_block_threads(loop) > WARP);
  const pl_effect *unseen = pl_effects_find(&effects, PL_EFFECT_UNSEEN);
  bool object = unseen && unseen->node->kind == PL_NODE_VAR;
  if (unseen && (race || (shown && object))) { /* that may wait at a barrier */
    pl_refuse_unseen(loop, unseen->node);
    return;
  }
  if (!race) {
    pl_loop_settle(loop, PL_VERDICT_NOT_A_TILE_LOOP, true, "PL2101",
                   warp ? warp->node : NULL,
                   ordered ? "a warp fills and reads shared memory by itself; "
                             "loops are pipelined where the block waits"
                           : "each thread uses shared memory by itself; loops are "
                             "pipelined where the block waits");
    if (warp)
      pl_loop_note(loop, warp->node,
                   "__syncthreads() is as good here where all warps run the loop "
                   "equally often, as in a block of one warp");
    return;
  }
  if (!warp) {
    pl_refuse(loop, false, "PL2008", NULL,
              "no block barrier separates filling shared memory from using it");
    return;
  }
  pl_refuse(loop, false, "PL2008", warp->node,
            "between filling shared memory and using it the threads of a warp "
            "alone wait for each other, and what is read may be another's");
}

/* Whether the block waits in a body for asynchronous copies, by what is more than that
 * a barrier for all. */
static bool waits_for_copies(const pl_finder *f, const pl_node *body) {
  const pl_loop probe = {.unit = f->unit, .func = f->func, .arena = f->unit->arena};
  pl_async_op op;
  for (uint32_t i = 0; body && i < body->nkids; i++)
    if (body->kids[i] && pl_async_operation(&probe, body->kids[i], &op) &&
        op.keeper != PL_KEPT_BY_THREAD &&
        (op.role == PL_ASYNC_WAIT || op.role == PL_ASYNC_WAIT_OLDEST ||
         op.role == PL_ASYNC_ARRIVE_AND_WAIT || op.role == PL_ASYNC_WAIT_TOKEN))
      return true;
  return false;
}

/* A loop of a lambda that no pass looks at, if there is a tile in it at all. */
static void examine_in_lambda(pl_finder *f, pl_loop *loop, pl_node *body) {
  if (!pl_check_problems(loop) || !pl_settle_async(loop))
    return;
  if (loads_nothing(f, body))
    pl_loop_settle(loop, PL_VERDICT_NOT_A_TILE_LOOP, true, "PL2101", NULL,
                   "the loop does not fill shared memory from global memory "
                   "tile by tile");
  else
    pl_refuse(loop, false, "PL2012", NULL, "the loop stands in a lambda");
}

/* The loops of a lambda belong to whoever calls it. */
static void find_in_lambda(pl_finder *f, pl_node *node) {
  bool outside = !f->in_lambda;
  f->in_lambda = true;
  for (uint32_t i = 0; outside && i < node->nkids; i++)
    find_in(f, node->kids[i], NULL, true);
  f->in_lambda = !outside;
}

/* Whether the function of a loop holds an error, and the loop no barrier and no
 * shared array, `seen` in the tree or in its text: of what is lost of it nothing is
 * said. */
static bool is_lost(const pl_finder *f, const pl_node *node, bool seen) {
  return !seen && pl_problem_inside(f->unit, f->func->range) &&
         !pl_text_has_tile(f->unit, f->func, node->range);
}

static void find_in(pl_finder *f, pl_node *node, pl_loop *outer, bool nested) {
  if (!node)
    return;
  if (node->kind == PL_NODE_LAMBDA) {
    find_in_lambda(f, node);
    return;
  }
  if ((!pl_node_is_loop(node) || pl_runs_once(node)) &&
      !is_odd_loop(f->unit, node)) {
    for (uint32_t i = 0; i < node->nkids; i++)
      find_in(f, node->kids[i], outer, nested);
    return;
  }
  pl_node *body = written_body(node);
  pl_barrier_scan scan = pl_scan_loop(f->unit, body);
  bool fills = false, uses = false;
  bool barrier =
      scan.own || scan.conditional || scan.special || scan.called || scan.open;
  if (barrier)
    pl_adopt_tiles(&(pl_callee){f->unit, f->func, f->effects});
  bool touched = touches_shared(f, body, &fills, &uses) ||
                 (barrier && names_shared(body));
  bool shared = touched || (barrier && (streams_unknown(f, body) ||
                                       pl_has_marker(f->unit, node)));
  bool stands_alone = !barrier && !scan.in_inner_loop && fills && uses &&
                      reads_global(f, body) && !outer;
  bool copies = !barrier && !f->in_lambda && waits_for_copies(f, body);
  pl_loop *loop = NULL;
  if (is_lost(f, node, barrier && touched)) {
    shared = false;
  } else if (f->in_lambda && barrier && shared) {
    loop = new_loop(f, node, outer, nested);
    examine_in_lambda(f, loop, body);
  } else if ((barrier && shared) || (barrier && reads_global(f, body) && fills)) {
    loop = new_loop(f, node, outer, nested);
    pl_examine(loop, &scan);
  } else if (copies) {
    loop = new_loop(f, node, outer, nested);
    if (pl_check_problems(loop))
      pl_settle_async(loop);
  } else if (stands_alone) {
    loop = new_loop(f, node, outer, nested);
    if (pl_check_problems(loop) && pl_settle_async(loop))
      refuse_without_barrier(f, loop, body);
  }
  pl_str tile =
      barrier && !loop && !outer ? pl_caller_tile(f, body) : PL_STR("");
  if (tile.n) {
    loop = new_loop(f, node, outer, nested);
    pl_refuse_caller_tile(f, loop, tile);
  }
  for (uint32_t i = 0; i < node->nkids; i++)
    find_in(f, node->kids[i], loop ? loop : outer, true);
}

/* A kernel whose errors left no tile loop in the tree is reported all the same, where
 * its text shows one. */
static void report_lost(pl_finder *f, size_t before) {
  const pl_problem *problem = pl_problem_inside(f->unit, f->func->range);
  if (!problem || f->loops->n > before || !f->func->is_global)
    return;
  pl_range range = pl_tile_loop_in_text(f->unit, f->func);
  if (!range.end)
    return;
  pl_node *node = PL_NEW(f->unit->arena, pl_node);
  node->kind = PL_NODE_UNKNOWN;
  node->range = f->unit->tokens[pl_token_from(f->unit, range.begin)].range;
  pl_refuse_problem(new_loop(f, node, NULL, false), problem);
}

void pl_find_loops(pl_unit *unit, pl_effect_context *effects,
                   const pl_options *options, pl_loops *loops) {
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    pl_func *func = unit->funcs[i];
    if (!func->in_main || !func->body || func->nbodies ||
        !(func->is_global || func->is_device))
      continue;
    pl_finder f = {unit, func, effects, options, loops, false};
    size_t before = loops->n;
    find_in(&f, func->body, NULL, false);
    report_lost(&f, before);
  }
}
