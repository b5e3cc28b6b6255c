/* plan_total.c - what do a kernel's shared objects take together?
 *
 * Needs: the tiles' stages as far as they are chosen. Gives: the bytes of all
 * that a function declares and calls, and the most that a kernel with a loop in
 * it takes. Raises (by plan_choose.c): PL7001. */
#include "call_summary.h"
#include "forms.h"
#include "open_values.h"
#include "plan.h"

typedef struct total_walk {
  const pl_loop *loop;
  int stages; /* of the loop's own tiles; 0: none has stages */
  const pl_func *func;
  const pl_instance *instance; /* of func */
  const pl_func *at; /* it, or a function that it calls */
  bool is_static; /* dynamic memory does not count */
  const pl_decl **outside; /* objects of file scope that are named */
  size_t noutside, outside_cap;
  pl_shared_sum sum;
} total_walk;

/* sizeof a shared object under an instantiation: from its type, or from its
 * bounds where a template decides them. */
int64_t pl_object_bytes(const pl_loop *loop, const pl_decl *decl,
                        const pl_func *func, const pl_instance *instance) {
  int64_t size = pl_type_size(decl->type, func, instance);
  for (size_t i = 0; size < 0 && instance && i < instance->nobjects; i++)
    if (instance->objects[i].at == decl->name_range.begin)
      return instance->objects[i].bytes;
  if (size >= 0 || decl->ndims == 0)
    return size;
  const pl_type *element = decl->type;
  for (uint32_t i = 0; i < decl->ndims; i++)
    if (element && element->kind == PL_TYPE_ARRAY)
      element = element->element;
  size = element ? pl_type_size(element, func, instance) : -1;
  for (uint32_t i = 0; i < decl->ndims && size >= 0; i++) {
    int64_t count;
    if (!pl_loop_eval(loop, instance, decl->dims[i], &count, NULL))
      return -1;
    size *= count;
  }
  return size;
}

/* The bytes of an object: of another function's the most of its uses. */
static int64_t bytes_of(const total_walk *w, const pl_func *func,
                        const pl_decl *decl) {
  if (func == w->func)
    return pl_object_bytes(w->loop, decl, func, w->instance);
  int64_t most = -1;
  for (uint32_t i = 0; i < pl_count_readings(func); i++) {
    int64_t size = pl_object_bytes(w->loop, decl, func, pl_reading(func, i));
    most = size > most ? size : most;
  }
  return most;
}

static const pl_tile *tile_of(const pl_loop *loop, const pl_decl *decl) {
  for (size_t i = 0; i < loop->ntiles; i++)
    if (loop->tiles[i].decl == decl)
      return &loop->tiles[i];
  return NULL;
}

int64_t pl_stage_bytes(const pl_tile *tile) {
  int64_t align = tile->align ? tile->align : tile->dynamic ? 4 : 1;
  return tile->bytes < 0 ? -1 : (tile->bytes + align - 1) / align * align;
}

/* What the stages of an object add. */
static int64_t growth(const total_walk *w, const pl_decl *decl) {
  const pl_loops *all = w->loop->all;
  int64_t most = 0;
  for (size_t i = 0; w->stages && i < all->n; i++) {
    const pl_loop *loop = all->items[i];
    const pl_tile *tile = tile_of(loop, decl);
    int stages = loop == w->loop ? w->stages
                 : pl_is_staged(loop) ? loop->stages : 1;
    int64_t more = tile ? (stages - 1) * pl_stage_bytes(tile) : 0;
    most = more > most ? more : most;
  }
  return most;
}

static void add_object(total_walk *w, const pl_decl *decl) {
  int64_t size = bytes_of(w, w->at, decl);
  w->sum.unknown = w->sum.unknown || size < 0;
  w->sum.bytes += size < 0 ? 0 : size + growth(w, decl);
  if (size > 0 && !tile_of(w->loop, decl) && pl_has_open_size(w->loop, decl))
    w->sum.open += size;
}

/* An object of file scope takes its bytes of each kernel that names it, once. */
static void add_outside(total_walk *w, const pl_decl *decl) {
  for (size_t i = 0; i < w->noutside; i++)
    if (w->outside[i] == decl)
      return;
  PL_PUSH(w->loop->arena, w->outside, w->noutside, w->outside_cap, decl);
  add_object(w, decl);
}

static bool add_node(pl_node *node, void *context) {
  total_walk *w = context;
  const pl_decl *decl = node->decl;
  if (node->kind == PL_NODE_VAR && decl && decl->is_shared &&
      !decl->is_extern)
    add_object(w, decl);
  if (node->kind == PL_NODE_REF && decl && decl->is_shared &&
      !decl->is_extern && !decl->owner)
    add_outside(w, decl);
  if ((node->kind == PL_NODE_VAR || node->kind == PL_NODE_REF) && decl &&
      decl->is_shared && decl->is_extern)
    w->sum.dynamic = true;
  if (node->kind == PL_NODE_VAR && decl && decl->is_shared && decl->is_extern &&
      !w->is_static)
    w->sum.bytes += growth(w, decl);
  return true;
}

/* What the forms of a function's loops have in shared memory beside the stages. */
static void add_states(total_walk *w) {
  const pl_loops *loops = w->loop->all;
  for (size_t i = 0; w->stages && i < loops->n; i++) {
    const pl_loop *loop = loops->items[i];
    bool own = loop == w->loop;
    if (loop->func == w->at && (own ? w->stages > 1 : pl_is_staged(loop)))
      w->sum.bytes += pl_state_bytes(loop, loop->variant, own ? w->stages : loop->stages);
  }
}

static void add_functions(total_walk *w) {
  pl_func_list all = pl_functions_of(w->loop->unit, w->func);
  for (size_t i = 0; i < all.n; i++) {
    w->at = all.items[i];
    pl_node_walk(w->at->body, add_node, w);
    add_states(w);
  }
}

pl_shared_sum pl_sum_shared(const pl_loop *loop, const pl_func *func,
                            const pl_instance *instance) {
  total_walk w = {.loop = loop, .func = func, .instance = instance};
  add_functions(&w);
  return w.sum;
}

/* Whether the text has a call of the toolkit's that launches a kernel of that name:
 * it may be undeclared, and no part of the model. */
static bool is_launched_by_call(const pl_unit *unit, pl_str name) {
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    pl_str word = pl_token_text(unit, i);
    uint32_t end = i;
    if (!pl_str_starts(word, "cudaLaunch") && !pl_str_starts(word, "cuLaunch"))
      continue;
    while (end < unit->ntokens && !pl_token_is(unit, end, ";"))
      end++;
    pl_range call = {unit->tokens[i].range.begin,
                     end < unit->ntokens ? unit->tokens[end].range.begin
                                         : (uint32_t)unit->text.n};
    if (pl_unit_says(unit, call, name))
      return true;
  }
  return false;
}

/* (Of a launch by a function that is handed the kernel it is not known how much.) */
int64_t pl_dynamic_bytes(const pl_loop *loop, const pl_func *func) {
  int64_t most = -1;
  if (loop->dynamic && pl_written_func(func) == pl_written_func(loop->func))
    return loop->dynamic->unknown ? -1 : loop->dynamic->bytes;
  if (pl_written_func(func)->is_named_elsewhere || func->is_named_elsewhere ||
      is_launched_by_call(loop->unit, func->name))
    return -1;
  for (uint32_t i = 0; i < func->nlaunches; i++) {
    if (func->launches[i].shared_bytes < 0)
      return -1;
    if (func->launches[i].shared_bytes > most)
      most = func->launches[i].shared_bytes;
  }
  return most;
}

static bool is_name_of(pl_node *node, const void *kernel) {
  return node->kind == PL_NODE_REF && node->decl && node->decl->func &&
         pl_written_func(node->decl->func) == pl_written_func(kernel);
}

/* Whether a launch is handed the kernel: as an argument, or as what a variable holds. */
static bool is_of(const pl_node *given, const pl_func *kernel) {
  const pl_node *bare = given ? pl_node_bare((pl_node *)given) : NULL;
  const pl_decl *held = bare && bare->kind == PL_NODE_REF ? bare->decl : NULL;
  return pl_node_find((pl_node *)given, is_name_of, kernel) ||
         (held && held->kind == PL_DECL_VAR && pl_node_find(held->init, is_name_of, kernel));
}

typedef struct launch_of {
  const pl_loop *loop;
  const pl_func *kernel, *caller;
} launch_of;

/* cudaLaunchKernel(kernel, grid, block, arguments, bytes), cudaLaunchKernelEx(&config,
 * kernel, ...), and kernel<<<grid, block, bytes>>> of a variable, of any bytes but none. */
static bool gives_bytes(pl_node *node, const void *context) {
  const launch_of *of = context;
  bool call = node->kind == PL_NODE_CALL && node->nkids > 5 &&
              (pl_str_is(node->name, "cudaLaunchKernel") ||
               pl_str_is(node->name, "cudaLaunchCooperativeKernel"));
  if (node->kind == PL_NODE_CALL && !call)
    return pl_gives_configured(of->loop->unit, of->kernel, of->caller, node) &&
           is_of(node->kids[2], of->kernel);
  if (!call && node->kind != PL_NODE_LAUNCH)
    return false;
  const pl_node *bytes = node->kids[call ? 5 : 3];
  bytes = bytes ? pl_node_bare((pl_node *)bytes) : NULL;
  return bytes && !(bytes->has_ival && bytes->ival == 0) &&
         is_of(node->kids[call ? 1 : 0], of->kernel);
}

bool pl_has_dynamic(const pl_loop *loop, const pl_func *kernel,
                    const pl_shared_sum *sum) {
  bool given = sum->dynamic;
  for (uint32_t i = 0; i < kernel->nlaunches; i++)
    given = given || kernel->launches[i].shared_bytes;
  for (uint32_t i = 0; !given && i < loop->unit->nfuncs; i++) {
    launch_of of = {loop, kernel, loop->unit->funcs[i]};
    given = !of.caller->is_global && pl_node_find(of.caller->body, gives_bytes, &of);
  }
  return given;
}

bool pl_may_lead_to(const pl_loop *loop, const pl_func *func) {
  return func == loop->func || (func->is_global && !loop->func->is_global);
}

/* The bytes of a kernel that runs the loop, or of the loop's own function. */
static int64_t kernel_bytes(const pl_loop *loop, const pl_func *kernel,
                            const pl_instance *instance, int stages,
                            bool is_static, bool *open) {
  total_walk w = {.loop = loop, .stages = stages, .func = kernel,
                  .instance = instance, .is_static = is_static};
  if (!pl_may_call(loop->unit, kernel, loop->func))
    return 0;
  add_functions(&w);
  const pl_dynamic_memory *own = loop->func == kernel ? loop->dynamic : NULL;
  int64_t dynamic = is_static || !pl_has_dynamic(loop, kernel, &w.sum) ? 0
                    : own ? own->bytes
                          : pl_dynamic_bytes(loop, kernel);
  *open = *open || dynamic < 0;
  return w.sum.bytes + (dynamic > 0 ? dynamic : 0);
}

static int64_t most_bytes(const pl_loop *loop, int stages, bool is_static,
                          bool *open) {
  int64_t most = 0;
  *open = false;
  for (uint32_t i = 0; i < loop->unit->nfuncs; i++) {
    const pl_func *func = loop->unit->funcs[i];
    if (!pl_may_lead_to(loop, func))
      continue;
    for (uint32_t k = 0; k < pl_count_readings(func); k++) {
      int64_t bytes =
          kernel_bytes(loop, func, pl_reading(func, k), stages, is_static, open);
      most = bytes > most ? bytes : most;
    }
  }
  return most;
}

int64_t pl_total_bytes(const pl_loop *loop, int stages, bool *open) {
  return most_bytes(loop, stages, false, open);
}

int64_t pl_static_bytes(const pl_loop *loop, int stages) {
  bool open;
  return most_bytes(loop, stages, true, &open);
}

bool pl_needs_leave(const pl_loop *loop) {
  bool open;
  int64_t bytes = pl_total_bytes(loop, loop->stages, &open) + PL_TOLD_APART;
  return open || bytes > pl_loop_arch(loop)->smem_block_static;
}
