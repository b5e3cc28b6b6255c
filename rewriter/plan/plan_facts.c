/* plan_facts.c - what does a tile cost one thread?
 *
 * Needs: the tree, the copies and how they are widened, the ratio's count. Gives: a
 * loop's facts, on which plan_model.c foresees what the forms gain. Raises nothing. */
#include "call_summary.h"
#include "plan.h"

#define FRAGMENT_BYTES 32 /* of a 16x16 fragment, a thread of the warp */
#define MOST_HELD 1020    /* bytes: 255 registers */

/* ---- copies -------------------------------------------------------------- */

static bool is_guarded(const pl_fill *fill, const pl_copy *copy) {
  if (copy->filled_by || (copy->wide && copy->wide->cond))
    return true;
  const pl_node *src = copy->src ? pl_node_bare((pl_node *)copy->src) : NULL;
  if (src && src->kind == PL_NODE_COND)
    return true;
  for (const pl_node *up = copy->store->parent; up; up = up->parent) {
    if (up->kind == PL_NODE_IF)
      return true;
    for (size_t i = 0; i < fill->nroots; i++)
      if (up == fill->roots[i])
        return false;
  }
  return false;
}

static void add_copy(pl_loop *loop, const pl_fill *fill, const pl_copy *copy,
                     double times) {
  pl_loop_facts *facts = &loop->facts;
  double stores = (copy->slots > 0 ? (double)copy->slots : 1) * times;
  double bytes = copy->bytes > 0 ? (double)copy->bytes : 4;
  if (!copy->load) {
    facts->made += stores;
    return;
  }
  facts->copied += stores * bytes;
  double width = (double)pl_copied_bytes(loop, copy);
  if (width > bytes) /* neighbours are copied as one */
    stores *= bytes / width;
  if (width < bytes || width <= 0)
    width = bytes;
  *(width <= 4 ? &facts->narrow : width <= 8 ? &facts->middle : &facts->wide) +=
      width > 16 ? stores * width / 16 : stores;
  if (is_guarded(fill, copy))
    facts->guarded += stores;
}

static void add_fill(pl_loop *loop, const pl_fill *fill, double times) {
  for (size_t i = 0; i < fill->ncopies; i++)
    add_copy(loop, fill, &fill->copies[i], times);
  for (size_t i = 0; i < fill->ncalls; i++) {
    int64_t slots = pl_slots_of(fill, fill->calls[i].node);
    add_fill(loop, &fill->calls[i].body->fill,
             times * (slots > 0 ? (double)slots : 1));
  }
}

/* ---- registers ----------------------------------------------------------- */

typedef struct held_walk {
  pl_loop *loop;
  int64_t bytes;
} held_walk;

/* How many objects an array of arrays has, and their type. */
static int64_t elements_of(const pl_loop *loop, const pl_decl *decl,
                           const pl_type **type) {
  int64_t count = 1;
  *type = decl->type;
  for (uint32_t i = 0; i < decl->ndims; i++) {
    int64_t n = 1;
    if (*type && (*type)->kind == PL_TYPE_ARRAY)
      *type = (*type)->element;
    if (decl->dims[i] &&
        pl_loop_eval(loop, pl_reading(loop->func, 0), decl->dims[i], &n, NULL))
      count *= n;
  }
  return count;
}

/* A fragment's declaration says 16x16, its size is the compiler's own. */
static int64_t bytes_of(const pl_loop *loop, const pl_decl *decl) {
  const pl_type *type;
  int64_t count = elements_of(loop, decl, &type);
  if (type && (pl_str_has(type->written, "fragment") ||
               pl_str_has(pl_written_type(type)->written, "fragment")))
    return count * FRAGMENT_BYTES;
  int64_t size = pl_largest_size(type, loop->func);
  return count * (size > 0 ? (size + 3) / 4 * 4 : 4);
}

/* Locals of the function that live over the loop: declared outside its body and
 * named in it. */
static bool find_held(pl_node *node, void *context) {
  held_walk *w = context;
  const pl_decl *decl = node->kind == PL_NODE_VAR ? node->decl : NULL;
  if (!decl || decl->is_shared || decl->is_constexpr || decl->has_value ||
      pl_declared_inside(decl, w->loop->body))
    return true;
  if (pl_mentions(w->loop->body, decl))
    w->bytes += bytes_of(w->loop, decl);
  return true;
}

static int64_t bytes_of_array(const pl_loop *loop, const pl_decl *decl) {
  const pl_type *type;
  return elements_of(loop, decl, &type) > 1 ? bytes_of(loop, decl) : 0;
}

/* Arrays of a thread's own that compute declares, as fragments of a tile. */
static bool find_inner_arrays(pl_node *node, void *context) {
  held_walk *w = context;
  const pl_decl *decl = node->kind == PL_NODE_VAR ? node->decl : NULL;
  if (decl && !decl->is_shared && decl->ndims)
    w->bytes += bytes_of_array(w->loop, decl);
  return true;
}

static int64_t held_bytes(pl_loop *loop) {
  held_walk w = {loop, 0};
  if (loop->func->body)
    pl_node_walk(loop->func->body, find_held, &w);
  for (uint32_t i = 0; i < loop->func->nparams; i++)
    if (pl_mentions(loop->body, loop->func->params[i]))
      w.bytes += 4; /* a pointer's address is kept as an offset, or in both halves */
  pl_node_walk(loop->body, find_inner_arrays, &w);
  return w.bytes > MOST_HELD ? MOST_HELD : w.bytes;
}

/* Fitted on half of 2,236 kernels and forms that nvcc 13.0 compiled for sm_90; of the
 * other half's registers the median is off by 2, one in ten by 40 and more, for loops
 * that are unrolled (docs/model-against-measured.md). Up to MOST_FULL the compiler
 * makes do with the 32 that a multiprocessor full of threads has. */
#define OF_ITS_OWN 24
#define OF_HELD 0.6
#define OF_STAGED 0.5
#define OF_READS 0.1
#define MOST_READS 64
#define MOST_FULL 44
#define FULL 32

static int estimated(const pl_loop *loop, int64_t staged) {
  const pl_loop_facts *facts = &loop->facts;
  double reads = facts->reads < MOST_READS ? facts->reads : MOST_READS;
  double need = OF_ITS_OWN + OF_HELD * (double)facts->held / 4 +
                OF_STAGED * (double)staged / 4 + OF_READS * reads;
  int64_t most = loop->threads > 32 ? 65536 / loop->threads / 8 * 8 : 255;
  if (need <= MOST_FULL)
    return FULL;
  if (most > 255)
    most = 255;
  return (int)(need < (double)most ? need : (double)most);
}

bool pl_compiled_as(const pl_loop *loop, pl_variant variant, pl_compiled *most) {
  const pl_options *options = loop->options;
  const pl_unit *unit = loop->unit;
  *most = (pl_compiled){0};
  for (uint32_t i = 0; options->compiled && i < unit->nfuncs; i++) {
    const pl_func *kernel = unit->funcs[i];
    pl_compiled one;
    if (!kernel->is_global ||
        (kernel != loop->func && !pl_may_call(unit, kernel, loop->func)) ||
        !options->compiled(pl_arena_cstr(loop->arena, kernel->name), variant,
                           options->compiled_context, &one))
      continue;
    most->registers = one.registers > most->registers ? one.registers : most->registers;
    most->spills += one.spills;
    most->behind |= one.behind;
    most->longer = one.longer > most->longer ? one.longer : most->longer;
  }
  return most->registers > 0;
}

int pl_registers_of(const pl_loop *loop, pl_variant variant, bool *known) {
  pl_compiled compiled;
  *known = pl_compiled_as(loop, variant, &compiled);
  bool staged = variant != PL_VARIANT_AUTO && !pl_variant_is_async(variant);
  return *known ? compiled.registers : estimated(loop, staged ? loop->staging_bytes : 0);
}

/* ---- blocks -------------------------------------------------------------- */

static int64_t blocks_of(const pl_loop *loop, const pl_func *kernel) {
  const pl_options *options = loop->options;
  return options->grid_blocks
             ? options->grid_blocks(pl_arena_cstr(loop->arena, kernel->name),
                                    options->grid_context)
             : 0;
}

/* The most of all kernels that get to the loop; 0 where one's are not known. */
static int64_t grid_of(const pl_loop *loop) {
  const pl_unit *unit = loop->unit;
  int64_t most = 0;
  if (loop->func->is_global)
    return blocks_of(loop, loop->func);
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    const pl_func *kernel = unit->funcs[i];
    if (!kernel->is_global || !pl_may_call(unit, kernel, loop->func))
      continue;
    int64_t blocks = blocks_of(loop, kernel);
    if (!blocks)
      return 0;
    most = blocks > most ? blocks : most;
  }
  return most;
}

void pl_find_facts(pl_loop *loop) {
  double operations = loop->facts.operations;
  loop->facts = (pl_loop_facts){.operations = operations};
  add_fill(loop, &loop->fill, 1);
  loop->facts.reads = pl_reads_of_tiles(loop);
  loop->facts.held = held_bytes(loop);
  loop->facts.grid = grid_of(loop);
}
