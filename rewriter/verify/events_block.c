/* events_block.c - what the emitted text's block waits by: a pipeline, or barriers, one
 * for each stage.
 *
 * Needs: the statements that make, use and end them. Gives: groups, waits and barriers
 * (events_walk.c) for them; or what they are not made, used or ended for. Raises:
 * nothing.
 *
 * Barriers, of all threads of the block, are used in turn: the n-th group of copies is
 * bound to the one at n modulo their number, and the n-th meeting is at it. So a thread's
 * group is bound to the phase that the thread's own meeting ends, and what it waits for
 * are all threads, and their groups up to that one. */
#include "assembly.h"
#include "call_summary.h"
#include "cfg.h"
#include "events_state.h"
#include "values.h"

enum { BARRIER = 8 }; /* bytes */

static bool is_call_of(const pl_node *node, const char *name) {
  return node->kind == PL_NODE_CALL && pl_str_is(pl_last_name(pl_callee_name(node)), name);
}

/* Whether threads may come to the region more than once. */
static bool may_come_again(const pl_walker *w) {
  const pl_node *up = pl_region_node(w->out);
  while (up && !pl_node_is_loop(up))
    up = up->parent;
  return up || !w->out->func->is_global || pl_cfg_has_goto(w->out->func->body);
}

bool pl_keeps_account(const pl_decl *decl) {
  return decl->is_shared && decl->type &&
         (pl_str_has(decl->type->spelling, "pipeline_shared_state<") ||
          pl_str_has(decl->type->spelling, "cuda::barrier<cuda::thread_scope_block>["));
}

/* What was committed is waited for ahead of the end; what may be made anew has ended. */
void pl_check_account(pl_walker *w) {
  const pl_node *at = w->source->node;
  if (w->out->has_roles && (!w->out->loaded ||
                            !pl_holds(w, pl_counter_of(w, PL_WAITED)->value.n, PL_OP_EQ,
                                      w->out->loaded) ||
                            !pl_holds(w, pl_counter_of(w, PL_RELEASED)->value.n, PL_OP_EQ,
                                      w->out->loaded)))
    pl_emitted_fail(w->out, 'd', at, "what is loaded is not waited for and released as often");
  else if (!w->out->has_roles && (w->out->pipeline || w->out->meeting) &&
      !pl_holds(w, pl_counter_of(w, PL_WAITED)->value.n, PL_OP_EQ,
                pl_counter_of(w, PL_GROUPS)->value.n))
    pl_emitted_fail(w->out, 'c', at,
                    "not all that was committed is waited for behind the loop");
  if (w->out->meeting && !w->has_ended && may_come_again(w))
    pl_emitted_fail(w->out, 'a', at, "the barriers are made where they have not ended");
}

/* ---- a pipeline ------------------------------------------------------------------- */

/* One more of something that the block's pipeline counts: `before` has been counted
 * further by then, or (`level`) as far. */
static void count_stage(pl_walker *w, const pl_node *node, pl_counter counter,
                        pl_counter before, bool level) {
  const pl_iform *n = pl_counter_of(w, counter)->value.n;
  if (w->out->has_roles && w->role != (counter == PL_RELEASED ? PL_COMPUTES : PL_LOADS))
    pl_emitted_fail(w->out, 'd', node, "it is another role's");
  if (!pl_holds(w, n, level ? PL_OP_EQ : PL_OP_LT, pl_counter_of(w, before)->value.n))
    pl_emitted_fail(w->out, 'a', node, "the stages of the pipeline are not acquired, "
                                       "committed, waited for and released in turn");
  pl_count_up(w, counter);
  w->run++;
  w->moment.at++;
}

/* (A thread that acquires more stages than there are waits for itself.) */
static void acquire_stage(pl_walker *w, const pl_node *node) {
  count_stage(w, node, PL_ACQUIRED, PL_GROUPS, true);
  const pl_iform *taken = pl_iform_sub(pl_counter_of(w, PL_ACQUIRED)->value.n,
                                       pl_counter_of(w, PL_RELEASED)->value.n);
  if (!w->out->has_roles &&
      !pl_holds(w, taken, PL_OP_LE, pl_number_in(w, w->out->stages)))
    pl_emitted_fail(w->out, 'd', node, "a stage is acquired that was not released");
}

/* A wait or acquire is for stages, not for groups alone. */
static bool try_stage_call(pl_walker *w, const pl_node *node, pl_str name) {
  if (pl_str_is(name, "producer_acquire"))
    acquire_stage(w, node);
  else if (pl_str_is(name, "producer_commit"))
    count_stage(w, node, PL_GROUPS, PL_ACQUIRED, false);
  else if (pl_str_is(name, "consumer_release"))
    count_stage(w, node, PL_RELEASED, PL_WAITED, false);
  else
    return false;
  return true;
}

/* Of `threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0`, or of `blockDim.x *
 * blockDim.y * blockDim.z`: a bit for each axis; -1: it is no such term. */
static int axes_of(const pl_node *node, pl_op op) {
  const pl_node *bare = pl_node_bare((pl_node *)node);
  if (bare->kind == PL_NODE_BINARY && bare->op == op) {
    int left = axes_of(bare->kids[0], op), right = axes_of(bare->kids[1], op);
    return left < 0 || right < 0 || left & right ? -1 : left | right;
  }
  bool zero = bare->kind == PL_NODE_BINARY && bare->op == PL_OP_EQ &&
              bare->kids[1]->has_ival && !bare->kids[1]->ival;
  char axis = op == PL_OP_MUL ? pl_block_axis(bare)
              : zero ? pl_index_axis(pl_node_bare(bare->kids[0]), "threadIdx") : 0;
  return axis ? 1 << (axis - 'x') : -1;
}

enum { ALL_AXES = 7, LAYER_AXES = 3 };

/* The shared state that an argument is the address of, NULL: none. */
static const pl_decl *state_of(const pl_node *argument) {
  const pl_node *bare = pl_node_bare((pl_node *)argument);
  const pl_node *named = bare->kind == PL_NODE_UNARY && bare->op == PL_OP_ADDR
                             ? pl_node_bare(bare->kids[0]) : bare;
  const pl_decl *decl = named->kind == PL_NODE_REF ? named->decl : NULL;
  return decl && pl_keeps_account(decl) &&
                 decl->type->kind != PL_TYPE_ARRAY
             ? decl : NULL;
}

/* `auto pipe = cuda::make_pipeline(this_thread_block(), &state);`, of all threads as
 * producers and consumers, at which they meet. Its state is two barriers of eight
 * bytes for each stage, and as much for their count. */
bool pl_make_pipeline(pl_walker *w, const pl_decl *decl, const pl_node *init) {
  bool roles = init->nkids == 4;
  const pl_decl *state = is_call_of(init, "make_pipeline") && (roles || init->nkids == 3)
                             ? state_of(init->kids[2]) : NULL;
  if (!state || !is_call_of(pl_node_bare(init->kids[1]), "this_thread_block") ||
      w->out->pipeline || w->had_loop)
    return false;
  if (roles && (!w->has_layers || axes_of(init->kids[3], PL_OP_MUL) != LAYER_AXES)) {
    pl_emitted_fail(w->out, '?', init, "how many threads load is not known");
    return true;
  }
  if (roles && may_come_again(w))
    pl_emitted_fail(w->out, '?', init, "threads that load do not come again");
  w->out->has_roles = roles;
  w->out->pipeline = decl;
  w->out->stages = (state->type->size / BARRIER - 1) / 2;
  if (may_come_again(w) && pl_holds(w, pl_counter_of(w, PL_BARRIERS)->value.n, PL_OP_EQ,
                                    pl_number_in(w, 0)))
    pl_emitted_fail(w->out, 'a', init,
                    "no barrier keeps it behind the threads' last use of the state");
  pl_do_barrier(w);
  pl_set_entry(w, decl, (pl_value){.kind = PL_VALUE_FETCHED});
  if (w->out->stages <= 0)
    pl_emitted_fail(w->out, '?', init, "a pipeline of no stages");
  return true;
}

/* ---- roles ------------------------------------------------------------------------ */

static bool is_trap(const pl_node *node) {
  return node && is_call_of(node, "__trap");
}

/* `if (blockDim.z != 2 || blockDim.x * blockDim.y % 32) __trap();`: threads of one warp are of
 * one layer. */
static bool asks_for_layers(const pl_node *node) {
  const pl_node *any = node->kind == PL_NODE_IF && !node->kids[2] && is_trap(node->kids[1])
                           ? pl_node_bare(node->kids[0]) : NULL;
  if (!any || any->kind != PL_NODE_BINARY || any->op != PL_OP_LOR)
    return false;
  const pl_node *two = pl_node_bare(any->kids[0]), *warps = pl_node_bare(any->kids[1]);
  return two->kind == PL_NODE_BINARY && two->op == PL_OP_NE &&
         pl_block_axis(pl_node_bare(two->kids[0])) == 'z' && two->kids[1]->has_ival &&
         two->kids[1]->ival == 2 && warps->kind == PL_NODE_BINARY &&
         warps->op == PL_OP_REM && axes_of(warps->kids[0], PL_OP_MUL) == LAYER_AXES &&
         warps->kids[1]->has_ival && warps->kids[1]->ival == 32;
}

/* `if (threadIdx.z == 1) { ...; return; }` */
static bool is_loaders(const pl_node *node) {
  const pl_node *asked = node->kind == PL_NODE_IF && !node->kids[2]
                             ? pl_node_bare(node->kids[0]) : NULL;
  const pl_node *arm = asked ? node->kids[1] : NULL;
  return arm && asked->kind == PL_NODE_BINARY && asked->op == PL_OP_EQ &&
         pl_index_axis(pl_node_bare(asked->kids[0]), "threadIdx") == 'z' &&
         asked->kids[1]->has_ival && asked->kids[1]->ival == 1 &&
         arm->kind == PL_NODE_COMPOUND && arm->nkids > 1 &&
         arm->kids[arm->nkids - 1]->kind == PL_NODE_RETURN &&
         !arm->kids[arm->nkids - 1]->nkids;
}

/* Those of the second layer do this, and no more; the others what is behind it. */
static void part_ways(pl_walker *w, const pl_node *loaders) {
  pl_env start = pl_copy_env(w);
  size_t last = w->last;
  w->role = PL_LOADS;
  for (uint32_t i = 0; i + 1 < loaders->nkids && !w->out->claim; i++)
    pl_do_statement(w, loaders->kids[i]);
  w->out->loaded = pl_counter_of(w, PL_GROUPS)->value.n;
  if (!w->had_loop || !pl_holds(w, pl_counter_of(w, PL_ACQUIRED)->value.n, PL_OP_EQ,
                                w->out->loaded))
    pl_emitted_fail(w->out, 'd', loaders, "what is loaded is not known");
  w->env = start;
  w->last = last;
  w->had_loop = false;
  w->moment = (pl_moment){0, 0};
  w->run++;
  w->role = PL_COMPUTES;
}

/* `asm volatile("barrier.sync 1, %0;" : : "r"(blockDim.x * blockDim.y) : "memory");` */
static bool is_named_barrier(const pl_unit *unit, const pl_node *node) {
  return node->kind == PL_NODE_ASM && node->nkids == 1 && !node->ival &&
         pl_str_is(pl_assembly_text(unit, node), " barrier.sync 1, %0;") &&
         pl_str_has(pl_unit_slice(unit, node->range), "\"memory\"") &&
         axes_of(node->kids[0], PL_OP_MUL) == LAYER_AXES;
}

bool pl_try_roles(pl_walker *w, const pl_node *node) {
  if (w->out->has_roles && w->role == PL_COMPUTES && is_named_barrier(w->out->unit, node))
    pl_do_barrier(w);
  else if (!w->out->has_roles && !w->had_loop && asks_for_layers(node))
    w->has_layers = true;
  else if (w->out->has_roles && w->role == PL_ALL && !w->is_dry && is_loaders(node))
    part_ways(w, node->kids[1]);
  else
    return false;
  return true;
}

/* What may be another thing to a block of two layers. */
static bool asks_for_layer(const pl_unit *unit, const pl_node *node) {
  static const char *const calls[] = {"thread_rank", "num_threads", "size", "thread_index",
                                      "dim_threads", "group_dim", "meta_group_rank",
                                      "meta_group_size", "__syncthreads_count"};
  pl_str name = node->kind == PL_NODE_CALL ? pl_last_name(pl_callee_name(node)) : (pl_str){0};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (pl_str_is(name, calls[i]))
      return true;
  pl_str text = node->kind == PL_NODE_ASM ? pl_assembly_text(unit, node) : (pl_str){0};
  bool whole = node->kind == PL_NODE_REF && (pl_str_is(node->name, "threadIdx") ||
                                             pl_str_is(node->name, "blockDim")) &&
               !(node->parent && node->parent->kind == PL_NODE_MEMBER);
  return whole || pl_block_axis(node) == 'z' || pl_index_axis(node, "threadIdx") == 'z' ||
         pl_str_has(text, "tid") || pl_str_has(text, "warpid");
}

static bool is_shared_or_global(const pl_effect *e) {
  return e->space == PL_SPACE_SHARED || e->space == PL_SPACE_GLOBAL ||
         e->space == PL_SPACE_UNKNOWN;
}

/* Whether one of two accesses may find what the other one has stored. */
static bool may_find(const pl_effect *store, const pl_effect *read) {
  if (!is_shared_or_global(read))
    return false;
  bool apart = store->root.decl && read->root.decl && store->space == PL_SPACE_SHARED
                   ? read->space == PL_SPACE_GLOBAL ||
                         !pl_same_shared(store->root.decl, read->root.decl)
                   : store->space == PL_SPACE_GLOBAL && read->space == PL_SPACE_SHARED;
  return !apart;
}

const pl_node *pl_of_first_layer(const pl_emitted *out, const pl_node *node) {
  const pl_node *asked = node->kind == PL_NODE_IF && !node->kids[2]
                             ? pl_node_bare(node->kids[0]) : NULL;
  pl_effects effects = {0};
  if (!out->has_roles || !asked || asked->kind != PL_NODE_BINARY || asked->op != PL_OP_EQ ||
      pl_index_axis(pl_node_bare(asked->kids[0]), "threadIdx") != 'z' ||
      !asked->kids[1]->has_ival || asked->kids[1]->ival)
    return NULL;
  pl_effects_of(out->effects, out->func, node->kids[1], &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *e = &effects.items[i];
    bool own = e->kind == PL_EFFECT_WRITE && e->space == PL_SPACE_LOCAL && e->root.decl &&
               pl_is_declared_in(e->root.decl, node);
    if (e->kind != PL_EFFECT_READ && e->kind != PL_EFFECT_ATOMIC && !own &&
        (e->kind != PL_EFFECT_WRITE || !is_shared_or_global(e)))
      return NULL;
  }
  return pl_cfg_jump_out(node, PL_JUMP_ANY) ? NULL : node->kids[1];
}

static bool is_done_once(const pl_emitted *out, const pl_node *node) {
  while (node && !pl_of_first_layer(out, node))
    node = node->parent;
  return node != NULL;
}

/* Whether all threads meet between two texts. */
static bool meet_between(const pl_emitted *out, const pl_node *a, const pl_node *b) {
  const pl_node *body = out->func->body;
  for (uint32_t i = 0; i < body->nkids; i++)
    if (body->kids[i] && pl_is_barrier(body->kids[i]) &&
        a->range.end <= body->kids[i]->range.begin &&
        body->kids[i]->range.end <= b->range.begin)
      return true;
  return false;
}

/* Ahead of the loop both layers do the same: what others see, the first one has to do alone,
 * and nothing that both do may find it ahead of a barrier. */
static const pl_node *done_twice(const pl_emitted *out) {
  pl_effects effects = {0};
  pl_effects_of(out->effects, out->func, out->func->body, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *e = &effects.items[i];
    if (e->node->range.begin >= out->region.begin || is_trap(e->node) ||
        e->kind == PL_EFFECT_READ ||
        e->kind == PL_EFFECT_BARRIER || e->kind == PL_EFFECT_FENCE ||
        e->kind == PL_EFFECT_WARP || e->kind == PL_EFFECT_WARP_BARRIER ||
        (e->kind == PL_EFFECT_WRITE && !is_shared_or_global(e)))
      continue;
    if (!is_done_once(out, e->node))
      return e->node;
    for (size_t k = 0; k < effects.n; k++)
      if (effects.items[k].kind == PL_EFFECT_READ &&
          effects.items[k].node->range.begin < out->region.begin &&
          !is_done_once(out, effects.items[k].node) &&
          !meet_between(out, e->node, effects.items[k].node) && may_find(e, &effects.items[k]))
        return e->node;
  }
  return NULL;
}

void pl_check_layers(pl_emitted *out) {
  if (!out->has_roles || out->claim)
    return;
  const pl_source_loop *l = out->source;
  const pl_node *layer = pl_function_shows(l->unit, l->func, asks_for_layer);
  const pl_node *twice = layer ? NULL : done_twice(out);
  if (layer)
    pl_emitted_fail(out, '?', layer, "whether it is the same to twice as many threads is not known");
  else if (twice)
    pl_emitted_fail(out, '?', twice, "what both layers of the block do is done twice");
  for (size_t i = 0; i < out->nsites; i++)
    if (out->sites[i].role == PL_ALL)
      pl_emitted_fail(out, '?', out->sites[i].node, "threads of both roles come to it");
}

/* ---- barriers --------------------------------------------------------------------- */

static bool is_one_of_barriers(pl_node *node, const void *context) {
  (void)context;
  const pl_node *of = node->kind == PL_NODE_SUBSCRIPT ? pl_node_bare(node->kids[0]) : NULL;
  return of && of->kind == PL_NODE_REF && of->decl && pl_keeps_account(of->decl);
}

/* `landed[n]`, wherever that stands in a call; NULL: nowhere. */
static const pl_node *barrier_in(const pl_node *node) {
  return pl_node_find((pl_node *)node, is_one_of_barriers, NULL);
}

/* `if (one thread) for (int stage = 0; stage < N; ++stage) call;` of all the barriers of
 * an array; NULL: it is something else. */
static const pl_node *call_for_each(const pl_node *node, const pl_decl **barriers) {
  const pl_node *loop =
      node->kind == PL_NODE_IF && node->nkids == 3 && !node->kids[2] ? node->kids[1] : NULL;
  const pl_node *call = loop && loop->kind == PL_NODE_FOR
                            ? pl_node_loop_body((pl_node *)loop) : NULL;
  const pl_node *at = call && call->kind == PL_NODE_CALL ? barrier_in(call) : NULL;
  const pl_node *made = at ? loop->kids[0] : NULL, *asked = at ? loop->kids[1] : NULL;
  const pl_node *index = at ? pl_node_bare(at->kids[1]) : NULL;
  if (!made || made->kind != PL_NODE_DECL_STMT || made->nkids != 1 || !asked ||
      asked->kind != PL_NODE_BINARY || asked->op != PL_OP_LT || !loop->kids[2])
    return NULL;
  const pl_decl *var = made->kids[0]->decl, *array = pl_node_bare(at->kids[0])->decl;
  bool each = var->init && var->init->has_ival && !var->init->ival &&
              pl_mentions(asked->kids[0], var) && asked->kids[1]->has_ival &&
              asked->kids[1]->ival * BARRIER == array->type->size &&
              loop->kids[2]->op == PL_OP_PREINC && pl_mentions(loop->kids[2], var) &&
              index->kind == PL_NODE_REF && index->decl == var;
  *barriers = array;
  return each ? call : NULL;
}

/* The statement beside one of a block. */
static const pl_node *beside(const pl_node *node, int by) {
  const pl_node *up = node->parent;
  for (uint32_t i = 0; up && up->kind == PL_NODE_COMPOUND && i < up->nkids; i++)
    if (up->kids[i] == node)
      return i + (uint32_t)by < up->nkids ? up->kids[i + (uint32_t)by] : NULL;
  return NULL;
}

static bool is_barrier_beside(const pl_node *node, int by) {
  const pl_node *other = beside(node, by);
  return other && pl_is_barrier(other);
}

static const pl_decl *declared_by(const pl_node *stmt) {
  return stmt->kind == PL_NODE_DECL_STMT && stmt->nkids == 1 ? stmt->kids[0]->decl : NULL;
}

static bool names(const pl_node *node, const pl_decl *decl) {
  const pl_node *bare = pl_node_bare((pl_node *)node);
  return decl && bare->kind == PL_NODE_REF && bare->decl == decl;
}

/* A loop that ends at the rank of the first of those threads that are there: `while
 * (!__syncthreads_or(rank == first)) ++first;`. */
static bool finds_first(const pl_node *loop, const pl_decl *rank, const pl_decl *first) {
  const pl_node *no = loop->kind == PL_NODE_WHILE ? pl_node_bare(loop->kids[0]) : NULL;
  const pl_node *any = no && no->kind == PL_NODE_UNARY && no->op == PL_OP_LNOT
                           ? pl_node_bare(no->kids[0]) : NULL;
  const pl_node *cond = any && is_call_of(any, "__syncthreads_or") && any->nkids == 2
                            ? pl_node_bare(any->kids[1]) : NULL;
  const pl_node *step = cond ? pl_node_loop_body((pl_node *)loop) : NULL;
  return step && cond->kind == PL_NODE_BINARY && cond->op == PL_OP_EQ &&
         names(cond->kids[0], rank) && names(cond->kids[1], first) &&
         step->op == PL_OP_PREINC && names(step->kids[0], first) && first->init &&
         first->init->has_ival && !first->init->ival;
}

/* Of the threads that are there: `{ const unsigned rank = ...; unsigned first = 0; while
 * ...; const int present = __syncthreads_count(1); if (rank == first) ... }`: the `if`,
 * which one of them goes into, and their number; NULL: it is another block. */
static const pl_node *chosen_in(const pl_unit *unit, const pl_node *block,
                                const pl_decl **present) {
  static const char thread[] = "threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * "
                               "threadIdx.z)";
  if (block->kind != PL_NODE_COMPOUND || block->nkids != 6)
    return NULL;
  const pl_decl *rank = declared_by(block->kids[0]), *first = declared_by(block->kids[1]);
  const pl_node *choice = block->kids[4];
  *present = declared_by(block->kids[3]);
  const pl_node *count = *present && (*present)->init ? pl_node_bare((*present)->init) : NULL;
  const pl_node *cond = choice->kind == PL_NODE_IF ? pl_node_bare(choice->kids[0]) : NULL;
  return count && is_call_of(count, "__syncthreads_count") && count->nkids == 2 &&
                 count->kids[1]->has_ival && count->kids[1]->ival == 1 && rank &&
                 rank->init && first && finds_first(block->kids[2], rank, first) &&
                 pl_str_is(pl_unit_slice(unit, rank->init->range), thread) && cond &&
                 cond->kind == PL_NODE_BINARY && cond->op == PL_OP_EQ &&
                 names(cond->kids[0], rank) && names(cond->kids[1], first)
             ? choice : NULL;
}

/* `present`: how many threads are there; NULL: all of the block are. */
static void make_barriers(pl_walker *w, const pl_node *node, const pl_node *call,
                          const pl_decl *array, const pl_decl *present) {
  w->out->stages = array->type->size / BARRIER;
  w->out->meeting = array;
  w->made_at = present ? node->parent->parent : node->parent;
  pl_set_entry(w, array, (pl_value){.kind = PL_VALUE_FETCHED});
  if (call->nkids < 3 || (present ? !names(call->kids[2], present)
                                  : axes_of(call->kids[2], PL_OP_MUL) != ALL_AXES))
    pl_emitted_fail(w->out, 'd', call, "it does not wait for all threads of the block");
  if (!is_barrier_beside(node, 1))
    pl_emitted_fail(w->out, 'a', node, "threads may use barriers that are not made yet");
}

/* Some threads may still ask whether the last meeting is over. */
static void end_barriers(pl_walker *w, const pl_node *node) {
  if (!w->had_loop || node->parent != w->made_at || !is_barrier_beside(node, -1))
    pl_emitted_fail(w->out, 'a', node, "threads may use barriers that have ended");
  w->has_ended = true;
}

bool pl_try_barriers(pl_walker *w, const pl_node *node) {
  const pl_decl *array, *present = NULL;
  const pl_node *chosen = chosen_in(w->out->unit, node, &present);
  if (!chosen && (node->kind != PL_NODE_IF || axes_of(node->kids[0], PL_OP_LAND) != ALL_AXES))
    return false;
  node = chosen ? chosen : node;
  present = chosen ? present : NULL;
  const pl_node *call = call_for_each(node, &array);
  if (!call || w->has_ended)
    return false;
  if (is_call_of(call, "init") && !w->out->pipeline && !w->out->meeting && !w->had_loop)
    make_barriers(w, node, call, array, present);
  else if (!chosen && pl_str_has(pl_callee_name(call), "~barrier") && array == w->out->meeting)
    end_barriers(w, node);
  else
    return false;
  return true;
}

/* Whether the barrier is the one whose turn it is. */
static void check_turn(pl_walker *w, const pl_node *node, pl_counter counter) {
  const pl_node *at = barrier_in(node);
  const pl_iform *index = at && pl_node_bare(at->kids[0])->decl == w->out->meeting
                              ? pl_eval_form(w, at->kids[1]) : NULL;
  const pl_iform *turn = pl_iform_mod(pl_counter_of(w, counter)->value.n, w->out->stages);
  if (!w->out->meeting || w->has_ended)
    pl_emitted_fail(w->out, 'd', node, "it is not known to be made for all threads");
  else if (!index)
    pl_emitted_fail(w->out, '?', node, "which barrier this is is not known");
  else if (!pl_holds(w, index, PL_OP_EQ, turn))
    pl_emitted_fail(w->out, 'c', node, "it is not the turn of this barrier");
}

/* The copies so far are bound to a barrier. */
static void bind(pl_walker *w, const pl_node *node) {
  check_turn(w, node, PL_GROUPS);
  pl_count_up(w, PL_GROUPS);
  w->run++;
  w->moment.at++;
}

static void meet(pl_walker *w, const pl_node *node) {
  check_turn(w, node, PL_WAITED);
  pl_count_up(w, PL_WAITED);
  if (!pl_holds(w, pl_counter_of(w, PL_WAITED)->value.n, PL_OP_LE,
                pl_counter_of(w, PL_GROUPS)->value.n))
    pl_emitted_fail(w->out, 'c', node, "no copies are bound to it");
  pl_note_wait(w, pl_counter_of(w, PL_WAITED)->value.n);
  pl_do_barrier(w);
}

/* ---- bulk copies ------------------------------------------------------------------- */

/* Whether threads may meet in a node; a local function may do anything. */
static bool is_meeting(pl_node *node, const void *context) {
  return pl_is_barrier(node) || is_call_of(node, "arrive_and_wait") ||
         (node->kind == PL_NODE_CALL && pl_local_function(context, node));
}

/* Whether, in a block around a node, a proxy fence stands ahead of it, with no meeting in
 * between. */
static bool is_fenced(const pl_walker *w, const pl_node *node) {
  const pl_unit *unit = w->out->unit;
  for (; node->parent && node->kind != PL_NODE_LAMBDA; node = node->parent) {
    for (const pl_node *at = beside(node, -1); at; at = beside(at, -1)) {
      if (is_call_of(at, "fence_proxy_async_shared_cta"))
        return true;
      if (pl_node_find((pl_node *)at, is_meeting, unit))
        return false;
    }
    if (pl_node_is_loop(node->parent) &&
        pl_node_find((pl_node *)node->parent, is_meeting, unit))
      return false;
  }
  return false;
}

/* Whether the first thread of the block alone comes to a node. */
static bool is_of_first_thread(const pl_node *node) {
  for (; node->parent && node->kind != PL_NODE_LAMBDA; node = node->parent)
    if (node->parent->kind == PL_NODE_IF && node == node->parent->kids[1] &&
        axes_of(node->parent->kids[0], PL_OP_LAND) == ALL_AXES)
      return true;
  return false;
}

/* `cuda::aligned_size_t<16>(n)`: n. */
static const pl_node *size_in(const pl_node *node) {
  while (node->kind == PL_NODE_CONSTRUCT || node->kind == PL_NODE_CAST ||
         node->kind == PL_NODE_PAREN) {
    if (!node->nkids)
      return node;
    node = node->kids[node->nkids - 1];
  }
  return node;
}

/* A copy by the other proxy comes behind what came ahead of the fence; its barrier, the
 * one that the copies are bound to next, waits for the bytes that it is told of. */
static void check_bulk_copy(pl_walker *w, const pl_node *call) {
  const pl_node *told = beside(call, -1);
  check_turn(w, call, PL_GROUPS);
  if (!is_fenced(w, call))
    pl_emitted_fail(w->out, 'a', call, "no proxy fence stands ahead of it");
  if (!is_of_first_thread(call))
    pl_emitted_fail(w->out, 'b', call, "more than one thread may make a bulk copy");
  if (!told || !is_call_of(told, "barrier_expect_tx") || told->nkids != 3 ||
      call->nkids != 5 ||
      !pl_same_words(w->out->unit, told->kids[1], w->out->unit, call->kids[4]) ||
      !pl_same_words(w->out->unit, told->kids[2], w->out->unit,
                     size_in(call->kids[3])))
    pl_emitted_fail(w->out, 'c', call, "its barrier is not told how many bytes it brings");
}

void pl_check_async_call(pl_walker *w, const pl_node *call) {
  const pl_node *next = beside(call, 1);
  if (is_call_of(call, "memcpy_async_tx"))
    check_bulk_copy(w, call);
  else if (is_call_of(call, "barrier_expect_tx") &&
           !(next && is_call_of(next, "memcpy_async_tx")))
    pl_emitted_fail(w->out, 'd', call, "it waits for bytes that no copy brings");
  else if (!is_call_of(call, "barrier_expect_tx") && w->out->meeting &&
           pl_mentions(call, w->out->meeting))
    pl_emitted_fail(w->out, '?', call, "what it does to a barrier is not known");
}

/* ---- calls ------------------------------------------------------------------------ */

bool pl_try_block_call(pl_walker *w, const pl_node *node, pl_str name) {
  if (pl_str_is(name, "__pipeline_arrive_on"))
    bind(w, node);
  else if (pl_str_is(name, "arrive_and_wait"))
    meet(w, node);
  else
    return w->out->pipeline && try_stage_call(w, node, name);
  return true;
}
