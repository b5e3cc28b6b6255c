/* plan_resident.c - do all blocks of a kernel have to run at once?
 *
 * Needs: the tree and the effects. Gives: whether all blocks of a launch may have
 * to run at once. Raises nothing: plan_memory.c says what follows.
 *
 * A kernel that waits for its whole grid is launched with as many blocks as
 * fit; where fewer fit than before, the launch fails, or never ends. (Shared memory is
 * counted; registers are the compiler's, and whoever asks the runtime how many fit is
 * told.) It waits by the grid's own barrier, or in a loop that asks memory until another
 * block has been there; a function that is not seen may. A cooperative launch fails as well,
 * whatever its kernel does. */
#include "call_summary.h"
#include "cfg.h"
#include "plan.h"

#include <string.h>

typedef struct resident_walk {
  const pl_loop *loop;
  const pl_func *func;
} resident_walk;

/* Whether an effect may be a look at what another block does; `until`: where it
 * decides for how long. */
static bool asks_others(const pl_effects *effects, bool until) {
  for (size_t i = 0; i < effects->n; i++) {
    const pl_effect *effect = &effects->items[i];
    bool foreign = effect->space != PL_SPACE_SHARED;
    if (effect->kind == PL_EFFECT_FENCE || effect->kind == PL_EFFECT_ASM ||
        (effect->kind == PL_EFFECT_VOLATILE && foreign) ||
        (until && effect->kind == PL_EFFECT_ATOMIC && foreign))
      return true;
  }
  return false;
}

static pl_node *condition_of(const pl_node *loop) {
  return loop->kind == PL_NODE_WHILE ? loop->kids[0]
         : loop->kind == PL_NODE_FOR || loop->kind == PL_NODE_DO
             ? loop->kids[1]
             : NULL;
}

static bool changes(const pl_effects *effects, const pl_decl *decl) {
  for (size_t i = 0; i < effects->n; i++)
    if (effects->items[i].kind == PL_EFFECT_WRITE &&
        effects->items[i].root.decl == decl)
      return true;
  return false;
}

static bool is_set_otherwise(pl_node *node, const void *context) {
  const pl_effects *effects = context;
  for (size_t i = 0; node->decl && i < effects->n; i++) {
    const pl_effect *effect = &effects->items[i];
    const pl_node *by = effect->node;
    if (effect->kind == PL_EFFECT_READ || effect->root.decl != node->decl)
      continue;
    by = by && by->kind == PL_NODE_REF ? by->parent : by;
    bool adds = by && by->kind == PL_NODE_ASSIGN &&
                (by->op == PL_OP_ADD || by->op == PL_OP_SUB) &&
                !pl_node_has(by, PL_NODE_CALL);
    bool begins = by && by->kind == PL_NODE_VAR && node->kind == PL_NODE_REF;
    if (!by || !(pl_node_is_step(by) || adds || begins))
      return true;
  }
  return node->kind == PL_NODE_CALL;
}

static bool is_counted(const pl_node *loop, const pl_effects *whole) {
  pl_node *cond = condition_of(loop);
  if (!cond || pl_cfg_jump_out(loop, PL_JUMP_AWAY) ||
      pl_cfg_jump_out(pl_node_loop_body(loop), PL_JUMP_BREAK))
    return loop->kind == PL_NODE_RANGE_FOR;
  return !pl_node_find(cond, is_set_otherwise, whole);
}

/* `do { seen = old; old = atomicCAS(p, seen, f(seen)); } while (seen != old);`:
 * of all that try, one gets on. */
static bool is_update(const pl_node *loop, const pl_effects *whole) {
  pl_node *cond = condition_of(loop) ? pl_node_bare(condition_of(loop)) : NULL;
  if (!cond || cond->kind != PL_NODE_BINARY || cond->op != PL_OP_NE)
    return false;
  for (size_t i = 0; i < whole->n; i++) {
    const pl_effect *effect = &whole->items[i];
    const pl_node *call = effect->node;
    if (effect->kind != PL_EFFECT_ATOMIC || effect->space == PL_SPACE_SHARED)
      continue;
    const pl_node *seen = !effect->by_call && call->nkids > 2 &&
                                  pl_calls_builtin(call, "atomicCAS")
                              ? pl_node_bare(call->kids[2])
                              : NULL;
    bool compared = false;
    for (int k = 0; k < 2 && seen && seen->kind == PL_NODE_REF; k++)
      compared = compared || pl_node_bare(cond->kids[k])->decl == seen->decl;
    if (!compared || !changes(whole, seen->decl))
      return false;
  }
  return true;
}

/* A loop that has no tile and reads past the caches, or asks by atomics whether
 * to go on. */
static bool spins(const resident_walk *w, const pl_func *func, pl_node *node) {
  const pl_loops *all = w->loop->all;
  for (size_t i = 0; i < all->n; i++)
    if (all->items[i]->ntiles && pl_node_within(all->items[i]->node, node))
      return false;
  pl_effects whole = {0};
  pl_effects_of(w->loop->effects, func, node, &whole);
  bool until = !is_counted(node, &whole);
  return asks_others(&whole, until && !is_update(node, &whole)) ||
         (until && pl_text_shows(w->loop->unit, node, pl_reads_past_cache));
}

/* A function that jumps back may wait like that as well. */
static bool jumps_and_asks(const resident_walk *w, const pl_func *func) {
  pl_effects whole = {0};
  if (!pl_cfg_has_goto(func->body))
    return false;
  pl_effects_of(w->loop->effects, func, func->body, &whole);
  return asks_others(&whole, true) ||
         pl_text_shows(w->loop->unit, func->body, pl_reads_past_cache);
}

static bool is_grid(const pl_node *node) {
  bool called = node->parent && node->parent->kind == PL_NODE_CALL &&
                node->parent->kids[0] == node; /* has a function's type */
  return pl_calls_builtin(node, "this_grid") ||
         (!called && node->type && pl_str_has(node->type->spelling, "grid_group"));
}

/* Whether the grid's group is only named, or asked for a number (Cooperative Groups,
 * grid_group): `auto grid = cg::this_grid();`, `grid.thread_rank()`. */
static bool is_only_asked(const pl_node *node) {
  static const char *const names[] = {"size", "num_threads", "thread_rank", "thread_index",
                                      "dim_threads", "num_blocks", "block_rank",
                                      "block_index", "dim_blocks", "group_dim", "is_valid"};
  const pl_node *up = node->parent;
  if (node->kind == PL_NODE_VAR || (node->kind == PL_NODE_MEMBER && up &&
                                    up->kind == PL_NODE_CALL && PL_STR_IS_ONE(node->name, names)))
    return true;
  if (!up || up->kind == PL_NODE_VAR)
    return up != NULL;
  bool passes = up->kind == PL_NODE_CAST || up->kind == PL_NODE_PAREN ||
                up->kind == PL_NODE_CONSTRUCT;
  return passes ? is_only_asked(up) : up->kind == PL_NODE_MEMBER && is_only_asked(up);
}

static bool may_wait(pl_node *node, const void *context) {
  const resident_walk *w = context;
  bool unseen = node->kind == PL_NODE_CALL && node->decl &&
                node->decl->kind == PL_DECL_FUNC && node->decl->is_user &&
                !pl_str_starts(node->name, "__builtin_") &&
                !pl_called_body(node);
  return (pl_node_is_loop(node) && spins(w, w->func, node)) || unseen ||
         (is_grid(node) && !is_only_asked(node));
}

/* Whether a function, or one that it calls, does. */
static bool waits(const pl_loop *loop, const pl_func *kernel) {
  pl_func_list all = pl_functions_of(loop->unit, kernel);
  for (size_t i = 0; i < all.n; i++) {
    resident_walk w = {loop, all.items[i]};
    if (jumps_and_asks(&w, w.func) || pl_node_find(w.func->body, may_wait, &w))
      return true;
  }
  return false;
}

/* (A cluster of more than eight blocks runs at once, too, and may need all that fit.) */
static bool launches_at_once(const pl_unit *unit) {
  static const char *const words[] = {"cudaLaunchCooperativeKernel",
                                      "cudaLaunchCooperativeKernelMultiDevice",
                                      "cuLaunchCooperativeKernel",
                                      "cudaLaunchAttributeCooperative",
                                      "cudaFuncAttributeNonPortableClusterSizeAllowed"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    pl_str word = {words[i], strlen(words[i])};
    if (pl_token_of(unit, word) < unit->ntokens)
      return true;
    for (size_t d = 0; d < unit->ndirectives; d++) {
      pl_str text = pl_token_text(unit, unit->directives[d]);
      if (pl_str_has(text, words[i]) && pl_text_says(unit->arena, text, word))
        return true;
    }
  }
  return false;
}

/* Whether the file may launch a kernel so that all of its blocks run at once: it does
 * so with some, and this one is handed to something. */
static bool is_launched_at_once(const pl_loop *loop, const pl_func *kernel) {
  return launches_at_once(loop->unit) &&
         pl_is_handed_on(loop->unit, pl_written_func(kernel));
}

/* cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, ...) and its like: how
 * many fit of the kernel as it is compiled. */
static bool asks_how_many(pl_node *node, const void *context) {
  const pl_func *kernel = context;
  if (node->kind != PL_NODE_CALL || !pl_str_starts(node->name, "cudaOccupancyMax"))
    return false;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (node->kids[i] && pl_mentions(node->kids[i], kernel->decl))
      return true;
  return false;
}

static bool is_asked_for(const pl_unit *unit, const pl_func *kernel) {
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    if (unit->funcs[i]->body && pl_node_find(unit->funcs[i]->body, asks_how_many, kernel))
      return true;
  return false;
}

void pl_find_grid_waits(pl_loop *loop) {
  loop->grid_waits = false;
  loop->grid_is_asked = true;
  for (uint32_t i = 0; i < loop->unit->nfuncs; i++) {
    const pl_func *func = loop->unit->funcs[i];
    if (!pl_may_lead_to(loop, func) || !pl_may_call(loop->unit, func, loop->func) ||
        !(waits(loop, func) || is_launched_at_once(loop, func)))
      continue;
    loop->grid_waits = true;
    loop->grid_is_asked &= is_asked_for(loop->unit, func) ||
                           is_asked_for(loop->unit, pl_written_func(func));
  }
}

void pl_note_grid(pl_loop *loop) {
  if (loop->grid_waits && !loop->grid_is_asked)
    pl_loop_note(loop, NULL,
                 "all blocks of the grid may have to run at once: shared memory leaves room for "
                 "as many as before, but registers are not counted; "
                 "cudaOccupancyMaxActiveBlocksPerMultiprocessor says how many fit");
}
