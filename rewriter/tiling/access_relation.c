/* access_relation.c - which cells of a tile does a thread store to?
 *
 * Needs: the copies of a fill. Gives: for each store the place as a form of the
 * thread's index, of which iteration of the loops around it is, and of what is not
 * known; and where control may be there. Raises: nothing.
 *
 * The text is run once for any thread. A loop's body is run for any iteration: first to
 * see by how much its variables step, then with what they are after as many steps as
 * iterations. Where two ways meet, a variable that differs is not known. */
#include "access.h"
#include "cfg.h"
#include "copies.h"

#define MOST_THREADS 1024
#define MOST_THREADS_DEEP 64

static pl_tile *handed_tile(const pl_accesses *of, const pl_decl *decl) {
  for (size_t i = of->nhanded; i-- > 0;)
    if (of->handed[i].param == decl)
      return of->handed[i].tile;
  return NULL;
}

static void note_access(pl_accesses *of, const pl_copy *copy) {
  pl_tile *outer = handed_tile(of, copy->tile->decl);
  of->open = false;
  pl_access fresh = {.copy = copy,
                     .tile = outer ? outer : copy->tile,
                     .at = pl_access_place(of, copy->dst),
                     .width = copy->bytes,
                     .turns = of->turns,
                     .more = of->in_more};
  fresh.open = of->open;
  pl_access_watch(of, fresh.at);
  fresh.within = pl_where_both(&of->names, of->path,
                               pl_access_bounds(of, copy->dst));
  if (copy->last != copy->store && pl_node_changes(copy->store->kids[1]))
    pl_access_forget(of, copy->store);
  if (copy->load && !of->trials)
    PL_PUSH(of->names.arena, of->items, of->n, of->cap, fresh);
}

static void note_write(pl_accesses *of, const pl_copy *copy, pl_node *node,
                       pl_tile *tile) {
  pl_access fresh = {.copy = copy, .node = node, .tile = tile, .turns = of->turns,
                     .within = of->path, .sure = !of->unsure};
  if (copy)
    fresh.at = pl_access_place(of, node);
  if (!of->trials)
    PL_PUSH(of->names.arena, of->items, of->n, of->cap, fresh);
}

/* Each left side of `a = b = v`. */
static void note_writes(pl_accesses *of, const pl_copy *copy) {
  for (pl_node *at = copy->store;; at = at->kids[1]) {
    note_write(of, copy, at->kids[0], pl_tile_of_cell(of->loop, at->kids[0]));
    if (at == copy->last)
      break;
  }
  if (copy->last != copy->store && pl_node_changes(copy->store->kids[1]))
    pl_access_forget(of, copy->store);
}

/* ---- what is set --------------------------------------------------------- */

static void add_written(pl_accesses *of, struct pl_written *w,
                        const pl_effect *effect) {
  const pl_decl *decl = effect->root.decl;
  if (effect->kind != PL_EFFECT_WRITE || effect->space != PL_SPACE_LOCAL ||
      !decl || decl->is_shared || pl_declared_inside(decl, w->node))
    return;
  for (size_t i = 0; i < w->n; i++)
    if (w->items[i] == decl)
      return;
  PL_PUSH(of->names.arena, w->items, w->n, w->cap, decl);
}

const struct pl_written *pl_access_written(pl_accesses *of, pl_node *node) {
  for (size_t i = 0; i < of->nwritten; i++)
    if (of->written[i].node == node && of->written[i].func == of->func)
      return &of->written[i];
  struct pl_written fresh = {.node = node, .func = of->func};
  pl_effects effects = {0};
  pl_effects_of(of->loop->effects, of->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++)
    add_written(of, &fresh, &effects.items[i]);
  PL_PUSH(of->names.arena, of->written, of->nwritten, of->written_cap, fresh);
  return &of->written[of->nwritten - 1];
}

static pl_typed any_of(pl_accesses *of, const pl_decl *decl) {
  const pl_type *type = pl_access_type(of, decl);
  pl_typed any = pl_typed_any(&of->names, type, of->turns);
  if (type && type->kind == PL_TYPE_POINTER)
    any.bytes = 8;
  pl_access_flag_variable(of, any.is, decl);
  return any;
}

void pl_access_forget_one(pl_accesses *of, const pl_decl *decl) {
  pl_access_bind(of, decl, any_of(of, decl));
  of->changes++;
}

void pl_access_forget(pl_accesses *of, pl_node *node) {
  const struct pl_written *w = pl_access_written(of, node);
  for (size_t i = 0; i < w->n; i++)
    pl_access_forget_one(of, w->items[i]);
}

void pl_access_keep(pl_accesses *of, pl_kept *set, pl_node *node) {
  const struct pl_written *w = node ? pl_access_written(of, node) : NULL;
  for (size_t i = 0; w && i < w->n; i++) {
    bool known = false;
    for (size_t k = 0; k < set->n; k++)
      known = known || set->items[k] == w->items[i];
    if (!known)
      PL_PUSH(of->names.arena, set->items, set->n, set->cap, w->items[i]);
  }
}

pl_typed *pl_access_values(pl_accesses *of, const pl_kept *set) {
  pl_typed *values = PL_NEW_ARRAY(of->names.arena, pl_typed, set->n + 1);
  for (size_t i = 0; i < set->n; i++)
    values[i] = pl_access_meet(of, set->items[i]);
  return values;
}

void pl_access_restore(pl_accesses *of, const pl_kept *set,
                       const pl_typed *values) {
  for (size_t i = 0; i < set->n; i++)
    pl_access_bind(of, set->items[i], values[i]);
}

static bool same_value(pl_typed a, pl_typed b) {
  return a.bytes == b.bytes && a.is_unsigned == b.is_unsigned &&
         a.exact == b.exact && pl_affine_equal(a.is, b.is);
}

/* `do { ... } while (0)`, in which nothing jumps, is a block. */
static void run_do(pl_accesses *of, pl_node *node) {
  if (pl_runs_once(node) && !pl_cfg_jump_out(node->kids[0], PL_JUMP_BREAK) &&
      !pl_cfg_jump_out(node->kids[0], PL_JUMP_CONTINUE))
    pl_access_run(of, node->kids[0]);
  else
    pl_access_loop(of, node, node->kids[1], NULL);
}

/* ---- branches ------------------------------------------------------------ */

/* What a variable is behind two arms, at the end of the second one: of two values, any
 * between their bounds. Those hold where control comes to the branch. */
static void join_values(pl_accesses *of, const pl_decl *decl, pl_typed one,
                        const pl_where *one_path, pl_decision decision) {
  pl_typed other = pl_access_meet(of, decl);
  if (same_value(one, other))
    return;
  pl_access_forget_one(of, decl);
  pl_typed any = pl_access_meet(of, decl);
  pl_access_define(of, any, decision, one, other);
  if (of->flags || !one.exact || !other.exact || any.is->n != 1 || !any.bytes)
    return;
  pl_interval a = pl_where_range(&of->names, one_path, one.is);
  pl_interval b = pl_where_range(&of->names, of->path, other.is);
  pl_interval *range = &of->names.names[any.is->terms[0].name].range;
  int64_t least = a.least < b.least ? a.least : b.least;
  int64_t largest = a.largest > b.largest ? a.largest : b.largest;
  range->least = least > range->least ? least : range->least;
  range->largest = largest < range->largest ? largest : range->largest;
}

/* Both arms, one after the other. Where one of them leaves what is around, control
 * comes from the other one. */
static pl_next run_branch(pl_accesses *of, pl_node *branch) {
  pl_kept set = {0};
  pl_node *no = branch->nkids > 2 ? branch->kids[2] : NULL;
  pl_decision decision = pl_access_decide(of, branch->kids[0]);
  const pl_where *path = of->path;
  pl_access_keep(of, &set, branch->kids[1]);
  pl_access_keep(of, &set, no);
  set.values = pl_access_values(of, &set);
  of->path = pl_where_both(&of->names, path, decision.yes);
  pl_next then = pl_access_run(of, branch->kids[1]);
  const pl_where *then_path = of->path;
  pl_typed *after = pl_access_values(of, &set);
  pl_access_restore(of, &set, set.values);
  of->path = pl_where_both(&of->names, path, decision.no);
  pl_next other = pl_access_run(of, no);
  if (then == PL_LEAVES)
    return other;
  if (other == PL_LEAVES) {
    pl_access_restore(of, &set, after);
    of->path = then_path;
    return PL_GOES_ON;
  }
  for (size_t i = 0; i < set.n; i++)
    join_values(of, set.items[i], after[i], then_path, decision);
  of->unsure = of->unsure || pl_access_jumps(of, branch, PL_JUMP_ANY);
  of->path = path;
  return PL_GOES_ON;
}

/* ---- calls --------------------------------------------------------------- */

static const pl_affine *place_name(pl_accesses *of, int64_t least,
                                   int64_t largest) {
  return pl_affine_free(&of->names, (pl_interval){least, largest}, NULL);
}

/* Gives a load helper's parameter what it is handed. */
static void hand(pl_accesses *of, const pl_decl *param, pl_node *arg,
                 const pl_node *call) {
  pl_roots roots = {0};
  pl_roots_of(of->loop->effects, of->func, arg, &roots);
  pl_access_declare(of, param, arg);
  for (size_t i = 0; i < roots.n; i++) {
    const pl_decl *decl = roots.items[i].decl;
    pl_tile *tile = decl ? handed_tile(of, decl) : NULL;
    struct pl_handed fresh = {param, tile ? tile : pl_loop_tile(of->loop, decl),
                              call, arg};
    if (fresh.tile)
      PL_PUSH(of->names.arena, of->handed, of->nhanded, of->handed_cap, fresh);
  }
}

static void run_roots(pl_accesses *of) {
  const pl_where *path = of->path;
  for (size_t i = 0; i < of->fill->nroots; i++)
    if (pl_access_run(of, of->fill->roots[i]) == PL_LEAVES)
      break;
  of->path = path;
}

/* Whether it is a template's text, of which no instantiation is in sight. */
static bool is_pattern(const pl_func *func) {
  return func->is_template && !func->pattern;
}

/* Runs a load helper's text with its arguments. */
static void enter_helper(pl_accesses *of, const pl_fill_call *call) {
  const pl_func *func = call->body->func, *outer = of->func;
  const pl_fill *fill = of->fill;
  of->cut = of->cut || pl_access_is_inside(of, func);
  if (of->cut)
    return;
  for (uint32_t i = 0; i < func->nparams && i + 1 < call->node->nkids; i++)
    hand(of, func->params[i], call->node->kids[i + 1], call->node);
  if (is_pattern(func) || is_pattern(outer)) {
    of->cut = true;
    return;
  }
  const pl_affine *self = of->places.self;
  pl_access_go_into(of, func);
  of->func = func;
  of->fill = &call->body->fill;
  of->places.self = pl_affine_free(
      &of->names, (pl_interval){-PL_UNBOUNDED, PL_UNBOUNDED}, of->turns);
  run_roots(of);
  of->places.self = self;
  of->fill = fill;
  of->func = outer;
  of->ninside--;
}

static void run_helper(pl_accesses *of, const pl_fill_call *call) {
  enter_helper(of, call);
  pl_access_forget(of, call->node);
}

/* ---- statements ---------------------------------------------------------- */

static pl_next run_all(pl_accesses *of, const pl_node *block) {
  for (uint32_t i = 0; i < block->nkids; i++)
    if (pl_access_run(of, block->kids[i]) == PL_LEAVES)
      return PL_LEAVES;
  return PL_GOES_ON;
}

static void run_plainly(pl_accesses *of, pl_node *node) {
  switch (node->kind) {
  case PL_NODE_VAR:
    if (node->decl && node->nkids)
      pl_access_declare(of, node->decl, node->kids[0]);
    else if (node->decl && !pl_loop_tile(of->loop, node->decl))
      pl_access_forget_one(of, node->decl);
    break;
  case PL_NODE_FOR:
    pl_access_run(of, node->kids[0]);
    pl_access_loop(of, node, node->kids[1], node->kids[2]);
    break;
  case PL_NODE_WHILE:
    pl_access_loop(of, node, node->kids[0], NULL);
    break;
  case PL_NODE_DO:
    run_do(of, node);
    break;
  case PL_NODE_ASM:
  case PL_NODE_SWITCH:
  case PL_NODE_RANGE_FOR:
  case PL_NODE_UNKNOWN:
    pl_access_forget(of, node);
    of->unsure = of->unsure || (of->flags && pl_cfg_jump_out(node, PL_JUMP_ANY));
    break;
  case PL_NODE_OTHER_DECL:
  case PL_NODE_EMPTY:
    break;
  default:
    pl_access_value(of, node);
  }
}

static pl_next run_statement(pl_accesses *of, pl_node *node) {
  switch (node->kind) {
  case PL_NODE_COMPOUND:
  case PL_NODE_DECL_STMT:
    return run_all(of, node);
  case PL_NODE_IF:
    return run_branch(of, node);
  case PL_NODE_BREAK:
  case PL_NODE_CONTINUE:
  case PL_NODE_RETURN:
    return PL_LEAVES;
  case PL_NODE_GOTO:
  case PL_NODE_LABEL:
    of->cut = true;
    return PL_GOES_ON;
  default:
    run_plainly(of, node);
    return PL_GOES_ON;
  }
}

static struct pl_scene *find_scene(const pl_accesses *of, const pl_node *node) {
  for (size_t i = 0; i < of->nscenes; i++)
    if (of->scenes[i].node == node)
      return &of->scenes[i];
  return NULL;
}

static void keep_scene(pl_accesses *of, const pl_node *node) {
  struct pl_scene *old = find_scene(of, node), fresh = {.node = node, .n = of->nbound};
  if (old) {
    old->again = true;
    return;
  }
  fresh.turns = of->turns;
  fresh.bound = PL_NEW_ARRAY(of->names.arena, pl_binding, of->nbound + 1);
  for (size_t i = 0; i < of->nbound; i++)
    fresh.bound[i] = of->bound[i];
  PL_PUSH(of->names.arena, of->scenes, of->nscenes, of->scenes_cap, fresh);
}

bool pl_access_go_to(pl_accesses *of, const pl_node *node) {
  const struct pl_scene *scene = NULL;
  for (; node && !scene && node != of->loop->node; node = node->parent)
    scene = find_scene(of, node);
  if (of->cut || !scene || scene->again)
    return false;
  of->nbound = 0;
  for (size_t i = 0; i < scene->n; i++)
    PL_PUSH(of->names.arena, of->bound, of->nbound, of->bound_cap, scene->bound[i]);
  of->turns = scene->turns;
  of->path = NULL;
  of->steps = 0;
  of->changes++;
  return true;
}

pl_next pl_access_run(pl_accesses *of, pl_node *node) {
  of->cut = of->cut || (node && ++of->steps > PL_MOST_ACCESS_STEPS);
  if (!node || of->cut)
    return PL_GOES_ON;
  if (of->neighbours && !of->trials && of->turns && node->kind != PL_NODE_COMPOUND &&
      of->func == of->loop->func)
    keep_scene(of, node);
  const pl_fill_call *call = pl_fill_call_at(of->fill, node);
  const pl_copy *copy = pl_fill_copy(of->fill, node);
  if (of->wanted)
    pl_access_note(of, node);
  if (call && of->flags)
    note_write(of, NULL, node, NULL);
  else if (call)
    run_helper(of, call);
  else if (copy && copy->changes)
    pl_access_value(of, copy->src);
  if (copy && of->flags)
    note_writes(of, copy);
  else if (copy)
    note_access(of, copy);
  return call || copy ? PL_GOES_ON : run_statement(of, node);
}

/* ---- a fill -------------------------------------------------------------- */

/* No kernel is launched with more threads than its bounds say. */
static int64_t most_threads(const pl_loop *loop) {
  while (loop->caller)
    loop = loop->caller;
  int64_t bound = loop->func->is_global ? loop->func->launch_bounds : 0;
  return bound > 0 && bound < MOST_THREADS ? bound : MOST_THREADS;
}

static void name_places(pl_accesses *of, int64_t threads) {
  for (int axis = 0; axis < 3; axis++) {
    int64_t most = axis == 2 && threads > MOST_THREADS_DEEP ? MOST_THREADS_DEEP
                                                            : threads;
    of->places.thread[axis] = place_name(of, 0, most - 1);
    of->places.block[axis] = place_name(of, 1, most);
  }
  of->places.rank = place_name(of, 0, threads - 1);
  of->places.size = place_name(of, 1, threads);
  of->places.self = place_name(of, -PL_UNBOUNDED, PL_UNBOUNDED);
}

void pl_begin_alone(pl_accesses *of, pl_arena *arena, pl_loop *loop,
                    const pl_instance *instance, int64_t threads) {
  static const pl_fill none;
  *of = (pl_accesses){.loop = loop, .instance = instance, .fill = &none,
                      .func = loop->func, .names = {.arena = arena, .ratios = true},
                      .alone = true};
  name_places(of, threads);
}

static void flag_places(pl_accesses *of) {
  for (size_t i = 0; i < of->names.n; i++)
    of->names.names[i].settled = true;
  for (int axis = 0; axis < 3; axis++)
    of->names.names[of->places.block[axis]->terms[0].name].common = true;
  of->names.names[of->places.size->terms[0].name].common = true;
}

/* Of a block that has no more threads along an axis. */
static void bound_axis(pl_accesses *of, int axis, int64_t most) {
  pl_interval *thread = &of->names.names[of->places.thread[axis]->terms[0].name].range;
  pl_interval *block = &of->names.names[of->places.block[axis]->terms[0].name].range;
  thread->largest = most - 1 < thread->largest ? most - 1 : thread->largest;
  block->largest = most < block->largest ? most : block->largest;
}

static void begin_cells(pl_accesses *of, pl_arena *arena, pl_loop *loop,
                        const pl_decl *origin, const pl_named_cell *wanted, size_t n,
                        const int64_t *most) {
  pl_fill *whole = PL_NEW(arena, pl_fill);
  *whole = (pl_fill){.func = loop->func, .nroots = 1,
                     .roots = origin ? &loop->func->body : &loop->node};
  *of = (pl_accesses){.loop = loop, .origin = origin, .fill = whole, .func = loop->func,
                      .names.arena = arena, .flags = true, .wanted = wanted,
                      .nwanted = n, .instantiated = most};
  name_places(of, most_threads(loop));
  flag_places(of);
  for (int axis = 0; most && axis < 3; axis++)
    bound_axis(of, axis, most[axis]);
}

void pl_find_cells(pl_accesses *of, pl_arena *arena, pl_loop *loop,
                   const pl_named_cell *wanted, size_t n) {
  begin_cells(of, arena, loop, NULL, wanted, n, NULL);
  run_roots(of);
}

void pl_find_cells_here(pl_accesses *of, pl_arena *arena, pl_loop *loop,
                        const pl_named_cell *wanted, size_t n, const int64_t most[3]) {
  begin_cells(of, arena, loop, NULL, wanted, n, most);
  of->instantiated = true;
  run_roots(of);
}

void pl_find_sides(pl_accesses *of, pl_arena *arena, pl_loop *loop,
                   const pl_node *relation, const pl_named_cell *wanted, size_t n) {
  begin_cells(of, arena, loop, NULL, wanted, n, NULL);
  of->relation = relation;
  run_roots(of);
}

void pl_find_scenes(pl_accesses *of, pl_arena *arena, pl_loop *loop,
                    const pl_decl *counter, bool in_row) {
  static const pl_named_cell none;
  begin_cells(of, arena, loop, NULL, &none, 0, NULL);
  of->neighbours = of->names.ratios = true;
  of->in_row = in_row;
  of->number = (pl_typed){of->places.thread[0], 4, true, true};
  for (int axis = 1; axis < 3; axis++)
    of->names.names[of->places.thread[axis]->terms[0].name].common = in_row;
  if (counter) {
    pl_interval range = {0, pl_integer_range((uint8_t)counter->type->size,
                                             counter->type->is_unsigned).largest};
    of->counter = counter;
    of->number = (pl_typed){place_name(of, range.least, range.largest),
                            (uint8_t)counter->type->size, counter->type->is_unsigned, true};
  }
  run_roots(of);
}

void pl_find_places(pl_accesses *of, pl_arena *arena, pl_loop *loop, const pl_decl *origin,
                    const pl_named_cell *wanted, size_t n, const int64_t least[3],
                    const int64_t most[3]) {
  begin_cells(of, arena, loop, origin, wanted, n, most);
  for (int axis = 0; least && axis < 3; axis++)
    of->names.names[of->places.block[axis]->terms[0].name].range.least = least[axis];
  run_roots(of);
}

void pl_find_writes(pl_accesses *of, pl_arena *arena, pl_loop *loop,
                    const pl_fill *fill) {
  *of = (pl_accesses){.loop = loop, .fill = fill, .func = loop->func,
                      .names.arena = arena, .flags = true};
  name_places(of, most_threads(loop));
  flag_places(of);
  run_roots(of);
}

void pl_find_accesses(pl_accesses *of, pl_arena *arena, pl_loop *loop,
                      const pl_fill *fill, const pl_instance *instance, bool rounds_open,
                      bool in_bounds) {
  *of = (pl_accesses){.loop = loop, .instance = instance, .fill = fill, .func = loop->func,
                      .rounds_open = rounds_open, .in_bounds = in_bounds,
                      .names.arena = arena};
  name_places(of, most_threads(loop));
  run_roots(of);
}
