/* lint_sizes.c - with which numbers is a kernel executed?
 *
 * Needs: launches, or the kernel's parameters and the block that the file gives it.
 * Gives: runs with none, one, two ... tiles, up to twice the stages and two; what is
 * wrong in them. Raises: why a kernel was not read. */
#include "lint_parts.h"

#include "call_summary.h"
#include "values.h"

#include <string.h>

enum { MOST_DIMS = 16, MOST_TURNS = 24, PROBES = 8, FAR_PROBE = 24, MOST_ROLES = 8 };

/* How the kernel is launched, described or guessed. */
typedef struct model {
  const pl_func *kernel;
  const pl_lint_launch *given; /* NULL: guessed */
  pl_lint_case guess;
  pl_lint_arg args[64];
  size_t ndims;
  size_t nown; /* of them are the launch's; then come numbers in records, then `held` */
  pl_lint_fields fields;
  bool holds; /* what memory holds is a size, too */
  int64_t held;
  const char *names[MOST_DIMS];
  int64_t usual[MOST_DIMS], unit[MOST_DIMS], least[MOST_DIMS];
  uint32_t param[MOST_DIMS]; /* guessed: which parameter each is */
  bool knows_smem; /* the file's launches say how much dynamic memory there is */
  const char *block; /* where its shape is from */
} model;

typedef struct search {
  pl_arena *arena;
  pl_unit *unit;
  const pl_func *kernel;
  model *model;
  pl_lint_event *events; /* used again by each run */
  size_t events_cap;
  pl_lint_value *local;
  int64_t steps; /* of all runs */
  int roles[MOST_ROLES]; /* threads that differ in the loops that they come to */
  int nroles;
  pl_str unread;
  const pl_node *unread_at;
  pl_lint_loop *loops; /* of the last probe */
  size_t nloops;
  bool holds_sync; /* some probe came to a tile loop */
  bool waits;      /* ... with a wait or barrier */
  const pl_node *assumed;
  const char *assumed_why;
} search;

#define MOST_STEPS ((int64_t)400 * 1000 * 1000)
#define PROBE_STEPS ((int64_t)2 * 1000 * 1000)
#define MOST_EVENTS ((size_t)6 * 1000 * 1000)

/* ---- launches ----------------------------------------------------------------------- */

static bool same_but_blanks(pl_str a, const char *b) {
  size_t i = 0;
  for (; i < a.n; i++) {
    while (*b == ' ')
      b++;
    if (a.p[i] == ' ')
      continue;
    if (a.p[i] != *b++)
      return false;
  }
  return true;
}

typedef enum fit { OTHER_KERNEL, OTHER_ARGUMENTS, OPEN_ARGUMENTS, SAME_ARGUMENTS } fit;

/* The numbers among template arguments, one behind the other. */
static bool same_numbers(pl_str a, const char *b) {
  size_t i = 0;
  for (;;) {
    while (i < a.n && !(a.p[i] >= '0' && a.p[i] <= '9'))
      i++;
    while (*b && !(*b >= '0' && *b <= '9'))
      b++;
    if (i == a.n || !*b)
      return i == a.n && !*b;
    while (i < a.n && a.p[i] >= '0' && a.p[i] <= '9')
      if (a.p[i++] != *b++)
        return false;
    if (*b >= '0' && *b <= '9')
      return false;
  }
}

/* Whether a launch is of this kernel, and of these template arguments. */
static fit fit_of(const pl_lint_launch *launch, const pl_func *kernel) {
  if (!pl_str_is(kernel->name, launch->name))
    return OTHER_KERNEL;
  const char *angle = strchr(launch->kernel, '<');
  const pl_func *pattern = kernel->pattern;
  if (!pattern || kernel->own >= pattern->ninstances)
    return SAME_ARGUMENTS;
  if (!angle)
    return OPEN_ARGUMENTS;
  if (same_but_blanks(pattern->instances[kernel->own].spelling, angle + 1))
    return SAME_ARGUMENTS;
  /* types have other names there */
  return same_numbers(pattern->instances[kernel->own].spelling, angle + 1)
             ? OPEN_ARGUMENTS
             : OTHER_ARGUMENTS;
}

/* The launch that fits best; NULL: none is of this kernel and its arguments. */
static const pl_lint_launch *launch_of(const pl_lint_options *options,
                                       const pl_func *kernel) {
  const pl_lint_launch *found = NULL;
  fit best = OTHER_ARGUMENTS;
  for (size_t i = 0; i < options->nlaunches; i++) {
    fit one = fit_of(&options->launches[i], kernel);
    if (one > best) {
      best = one;
      found = &options->launches[i];
    }
  }
  return found;
}

static void take_given(model *m, const pl_lint_launch *launch) {
  m->given = launch;
  m->block = "as launched";
  m->ndims = launch->ndims < MOST_DIMS ? launch->ndims : MOST_DIMS;
  for (size_t i = 0; i < m->ndims; i++) {
    m->names[i] = launch->names[i];
    m->usual[i] = launch->usual[i];
    m->unit[i] = launch->unit[i] > 0 ? launch->unit[i] : 1;
    m->least[i] = launch->least[i];
  }
  m->nown = m->ndims;
}

static bool set_block(pl_lint_case *out, int64_t x, int64_t y, int64_t z) {
  if (x < 1 || y < 1 || z < 1 || x * y * z > PL_LINT_MOST_THREADS)
    return false;
  out->block[0] = x;
  out->block[1] = y;
  out->block[2] = z;
  return true;
}

/* What the text says of the shape of a block. */
typedef struct shape_walk {
  bool y, z;
  int64_t wide;    /* of `threadIdx.y * wide + threadIdx.x`; 0: none */
  int64_t side;    /* asked for: */
  bool has_side;   /* some array has as many elements */
} shape_walk;

static int64_t row_width(const pl_node *product, const pl_node *rest) {
  product = pl_node_bare((pl_node *)product);
  if (product->kind != PL_NODE_BINARY || product->op != PL_OP_MUL ||
      pl_index_axis(pl_node_bare((pl_node *)rest), "threadIdx") != 'x')
    return 0;
  for (int i = 0; i < 2; i++)
    if (pl_index_axis(pl_node_bare(product->kids[i]), "threadIdx") == 'y')
      return product->kids[1 - i]->has_ival ? product->kids[1 - i]->ival : 0;
  return 0;
}

static bool note_shape(pl_node *node, void *context) {
  shape_walk *w = context;
  char axis = pl_index_axis(node, "threadIdx");
  w->y = w->y || axis == 'y';
  w->z = w->z || axis == 'z';
  for (int i = 0; node->kind == PL_NODE_BINARY && node->op == PL_OP_ADD && i < 2; i++)
    w->wide = w->wide ? w->wide : row_width(node->kids[i], node->kids[1 - i]);
  for (uint32_t i = 0; node->kind == PL_NODE_VAR && node->decl && i < node->decl->ndims; i++) {
    const pl_node *extent = node->decl->dims[i];
    w->has_side = w->has_side || (extent && extent->has_ival && extent->ival == w->side);
  }
  return true;
}

/* A block of so many threads, of the shape that the text goes by; false: that is open. */
static bool set_shape(model *m, int64_t threads) {
  shape_walk w = {.side = 1};
  while (w.side * w.side < threads)
    w.side++;
  pl_node_walk(m->kernel->body, note_shape, &w);
  if (!w.y && !w.z)
    return set_block(&m->guess, threads, 1, 1);
  if (w.wide > 0 && !w.z)
    return threads % w.wide == 0 && set_block(&m->guess, w.wide, threads / w.wide, 1);
  return w.side * w.side == threads && !w.z && w.has_side &&
         set_block(&m->guess, w.side, w.side, 1);
}

/* The most that the file's own launches give, where all of them say a number. */
static void take_smem(model *m) {
  const pl_func *pattern = pl_written_func(m->kernel);
  m->knows_smem = pattern->nlaunches > 0;
  for (uint32_t i = 0; i < pattern->nlaunches; i++) {
    int64_t bytes = pattern->launches[i].shared_bytes;
    m->knows_smem = m->knows_smem && bytes > 0;
    if (bytes > m->guess.smem)
      m->guess.smem = bytes;
  }
}

/* The block that the file, or the options, say; false: neither does. */
static bool block_of_file(model *m, const pl_lint_options *options) {
  const pl_func *pattern = pl_written_func(m->kernel);
  for (uint32_t i = 0; i < pattern->nlaunches; i++) {
    const pl_launch_site *site = &pattern->launches[i];
    m->block = "as launched";
    if (site->block_dims[0] > 0 &&
        set_block(&m->guess, site->block_dims[0],
                  site->block_dims[1] > 0 ? site->block_dims[1] : 1,
                  site->block_dims[2] > 0 ? site->block_dims[2] : 1))
      return true;
  }
  int64_t threads = m->kernel->launch_bounds;
  if (threads < 0 && m->kernel->own < pattern->ninstances && pattern->launch_bounds_node)
    pl_node_eval(pattern->launch_bounds_node, pattern,
                 &pattern->instances[m->kernel->own], &threads);
  m->block = "by its launch bounds";
  if (threads <= 0) {
    threads = options->block_threads;
    m->block = "as the options say";
  }
  return threads > 0 && set_shape(m, threads);
}

/* The numbers that the kernel is given are its sizes; those of an example, where there
 * is one. */
static void guess_sizes(model *m, const pl_lint_case *example) {
  m->ndims = 0;
  for (uint32_t i = 0; i < m->kernel->nparams && i < 64; i++) {
    const pl_decl *param = m->kernel->params[i];
    m->args[i] = (pl_lint_arg){PL_LINT_ARG_OTHER, 0};
    if (!pl_is_integer_type(pl_no_reference(param->type)) || m->ndims == MOST_DIMS)
      continue;
    int64_t usual = example && i < example->nargs &&
                            example->args[i].kind == PL_LINT_ARG_INT
                        ? example->args[i].value
                        : PL_LINT_USUAL_SIZE;
    m->args[i] = (pl_lint_arg){PL_LINT_ARG_INT, usual};
    m->names[m->ndims] = pl_arena_cstr(m->kernel->arena, param->name);
    m->usual[m->ndims] = usual;
    m->unit[m->ndims] = 1;
    m->least[m->ndims] = 0;
    m->param[m->ndims++] = i;
  }
  m->nown = m->ndims;
  m->guess.args = m->args;
  m->guess.nargs = m->kernel->nparams < 64 ? m->kernel->nparams : 64;
}

static void add_dim(model *m, const char *name, int64_t usual) {
  if (m->ndims == MOST_DIMS)
    return;
  m->names[m->ndims] = name;
  m->usual[m->ndims] = usual;
  m->unit[m->ndims] = 1;
  m->least[m->ndims++] = 0;
}

/* Behind the launch's own sizes. */
static void add_found_dims(model *m) {
  m->ndims = m->nown;
  for (size_t i = 0; i < m->fields.n; i++)
    add_dim(m, m->fields.items[i].name, PL_LINT_USUAL_SIZE);
  if (m->holds)
    add_dim(m, "what memory holds", 64);
}

/* `if (blockDim.z != 2 || ...) __trap();`: the kernel asks for so many layers of threads,
 * which its descriptions need not know. */
static bool asks_for_layers(pl_node *node, const void *unused) {
  const pl_node *up = node;
  if (node->kind != PL_NODE_BINARY || node->op != PL_OP_NE || !node->kids[1]->has_ival ||
      pl_block_axis(pl_node_bare(node->kids[0])) != 'z')
    return false;
  while (up->parent && up->parent->kind == PL_NODE_BINARY && up->parent->op == PL_OP_LOR)
    up = up->parent;
  const pl_node *test = up->parent;
  (void)unused;
  return test && test->kind == PL_NODE_IF && test->kids[0] == up &&
         test->kids[1]->kind == PL_NODE_CALL && pl_str_is(test->kids[1]->name, "__trap");
}

static void add_layers(const model *m, pl_lint_case *at) {
  const pl_node *asks = pl_node_find(m->kernel->body, asks_for_layers, NULL);
  if (asks && at->block[2] == 1)
    at->block[2] = asks->kids[1]->ival;
}

static bool case_at(model *m, const int64_t *sizes, pl_lint_case *out) {
  for (size_t i = m->nown; i < m->ndims; i++)
    if (i - m->nown < m->fields.n)
      m->fields.items[i - m->nown].value = sizes[i];
    else
      m->held = sizes[i];
  if (m->given) {
    if (!m->given->at(m->given->context, sizes, out))
      return false;
    add_layers(m, out);
    return out->block[0] >= 1 && out->block[1] >= 1 && out->block[2] >= 1 &&
           out->block[0] * out->block[1] * out->block[2] <= PL_LINT_MOST_THREADS;
  }
  for (size_t i = 0; i < m->nown; i++)
    m->args[m->param[i]].value = sizes[i];
  *out = m->guess;
  return true;
}

/* ---- runs -------------------------------------------------------------------------------- */

/* Whether a kernel asks by itself how much dynamic shared memory it has got. */
static bool asks_for_size(const pl_unit *unit, const pl_func *kernel) {
  return pl_str_has(pl_unit_slice(unit, pl_written_func(kernel)->range),
                    "%dynamic_smem_size");
}

static pl_lint_run *new_run(search *s, pl_lint_case *at) {
  pl_arena *arena = pl_arena_child(s->arena);
  pl_lint_run *r = PL_NEW(s->arena, pl_lint_run);
  pl_lint_case *own = PL_NEW(s->arena, pl_lint_case);
  pl_lint_arg *args = PL_NEW_ARRAY(s->arena, pl_lint_arg, at->nargs + 1);
  for (size_t i = 0; i < at->nargs; i++)
    args[i] = at->args[i];
  bool is_described = s->model->given && !s->model->given->is_example;
  *own = *at;
  own->args = args;
  if (!is_described && s->model->knows_smem)
    own->smem = s->model->guess.smem;
  *r = (pl_lint_run){.arena = arena,
                     .unit = s->unit,
                     .kernel = s->kernel,
                     .at = own,
                     .threads = (int)(at->block[0] * at->block[1] * at->block[2]),
                     .local = s->local,
                     .fields = &s->model->fields,
                     .knows_smem = (is_described || s->model->knows_smem) &&
                                   !asks_for_size(s->unit, s->kernel),
                     .holds = s->model->holds,
                     .held = s->model->held,
                     .most_events = MOST_EVENTS,
                     .most_steps = MOST_STEPS - s->steps};
  return r;
}

static bool take_problem(search *s, pl_lint_run *r) {
  s->steps += r->steps;
  if (r->assumed && !s->assumed && !r->finds_loops) {
    s->assumed = r->assumed;
    s->assumed_why = r->assumed_why;
  }
  if (!pl_lint_failed(r))
    return false;
  s->unread = pl_arena_str(s->arena, r->unread.p, r->unread.n);
  s->unread_at = r->unread_at;
  return true;
}

static int tile_loops(const pl_lint_run *r) {
  int n = 0;
  for (size_t i = 0; i < r->nloops; i++)
    n += r->loops[i].is_tile_loop;
  return n;
}

static void probe_thread(pl_lint_run *r, int thread, int role) {
  pl_lint_run_thread(r, thread);
  for (size_t i = 0; i < r->nloops; i++)
    if (r->loops[i].entries)
      r->loops[i].roles |= 1u << role;
}

/* Whether one of two loops stands in the other. */
static bool are_nested(const pl_node *a, const pl_node *b) {
  return pl_node_within(a, b) || pl_node_within(b, a);
}

/* A loop that waits for nothing is a pipeline as well, if a broken one, where it fills an
 * object and reads it that was filled ahead, that copies are in flight to, or that holds
 * several slots, or where lanes alone meet: the innermost such. */
static void find_bare_loops(pl_lint_run *r) {
  bool *bare = PL_NEW_ARRAY(r->arena, bool, r->nloops + 1);
  for (size_t i = 0; i < r->nloops; i++) {
    const pl_lint_loop *loop = &r->loops[i];
    uint64_t both = loop->fills & loop->reads;
    bare[i] = loop->meets ? both : both & (loop->ahead | loop->copies | loop->turns);
    for (size_t k = 0; k < r->nloops; k++)
      if (r->loops[k].is_tile_loop && are_nested(r->loops[k].node, loop->node))
        bare[i] = false;
  }
  for (size_t i = 0; i < r->nloops; i++) {
    bool inner = bare[i];
    for (size_t k = 0; k < r->nloops; k++)
      inner = inner && (k == i || !bare[k] ||
                        !pl_node_within(r->loops[k].node, r->loops[i].node));
    r->loops[i].is_bare |= inner;
    r->loops[i].is_tile_loop |= inner;
  }
}

/* One thread of each role: the first one, and those that come to loops which none before
 * them has come to. Of each warp the first is asked, then the others, as far as it takes
 * few steps. */
static void find_roles(search *s, pl_lint_run *r) {
  probe_thread(r, 0, 0);
  s->roles[0] = 0;
  s->nroles = 1;
  int64_t first = r->steps;
  bool known = !pl_lint_failed(r);
  for (int i = 1; known && i < 2 * r->threads && s->nroles < MOST_ROLES; i++) {
    bool leads = i % 32 == 0;
    if (i < r->threads ? !leads : (leads || r->steps - first > PROBE_STEPS))
      continue;
    find_bare_loops(r);
    int before = tile_loops(r), thread = i % r->threads;
    r->most_steps = r->steps + PROBE_STEPS / 16;
    probe_thread(r, thread, s->nroles);
    r->unread = (pl_str){0}; /* told when all threads are executed */
    find_bare_loops(r);
    if (tile_loops(r) > before)
      s->roles[s->nroles++] = thread;
  }
}

/* One thread of each role, to see which loops hold waits and how often they run, in so
 * many steps; false: it cannot be read. */
static bool probe(search *s, const int64_t *sizes, int64_t steps) {
  pl_lint_case at;
  s->nloops = 0;
  if (!case_at(s->model, sizes, &at))
    return false;
  pl_lint_run *r = new_run(s, &at);
  r->finds_loops = true;
  if (r->most_steps > steps)
    r->most_steps = steps;
  if (!s->nroles)
    find_roles(s, r);
  else
    for (int i = 0; i < s->nroles && !pl_lint_failed(r); i++)
      probe_thread(r, s->roles[i], i);
  bool failed = take_problem(s, r);
  find_bare_loops(r);
  s->loops = PL_NEW_ARRAY(s->arena, pl_lint_loop, r->nloops + 1);
  s->nloops = r->nloops;
  for (size_t i = 0; i < r->nloops; i++) {
    s->loops[i] = r->loops[i];
    s->holds_sync |= r->loops[i].is_tile_loop;
    s->waits |= r->loops[i].is_tile_loop && !r->loops[i].is_bare;
  }
  pl_arena_free(r->arena);
  return !failed;
}

/* What the last probe saw of a tile loop; NULL: it did not come there. */
static const pl_lint_loop *loop_at(const search *s, const pl_node *loop) {
  for (size_t i = 0; i < s->nloops; i++)
    if (s->loops[i].node == loop && s->loops[i].is_tile_loop)
      return &s->loops[i];
  return NULL;
}

static int64_t rounds_of(const search *s, const pl_node *loop) {
  const pl_lint_loop *found = loop_at(s, loop);
  return found ? found->most : 0;
}

/* All threads with these sizes, in all orders; false: it cannot be read. */
static bool turn_at(search *s, const int64_t *sizes, int64_t tiles, pl_lint_turn *out,
                    pl_lint_faults *faults) {
  pl_lint_case at;
  if (!probe(s, sizes, MOST_STEPS) || !case_at(s->model, sizes, &at))
    return false;
  pl_lint_run *r = new_run(s, &at);
  r->events = s->events;
  r->events_cap = s->events_cap;
  r->loops = s->loops;
  r->nloops = s->nloops;
  r->traces = PL_NEW_ARRAY(r->arena, pl_lint_trace, r->threads);
  *out = (pl_lint_turn){.tiles = tiles, .run = r, .once = true};
  for (size_t i = 0; i < r->nloops; i++)
    if (r->loops[i].is_tile_loop && r->loops[i].most_entries > 1)
      out->once = false;
  for (int t = 0; t < r->threads && !pl_lint_failed(r); t++) {
    r->traces[t].first = r->nevents;
    pl_lint_run_thread(r, t);
    r->traces[t].n = r->nevents - r->traces[t].first;
  }
  pl_lint_faults found = {0};
  if (!pl_lint_failed(r))
    pl_lint_replay(r, &out->done, &found);
  if (!pl_lint_failed(r))
    pl_lint_check_widths(r, &found);
  if (!pl_lint_failed(r))
    pl_lint_check_ends(r, &found);
  s->events = r->events;
  s->events_cap = r->events_cap;
  for (size_t i = 0; i < found.n; i++) {
    found.items[i].tiles = tiles;
    pl_lint_add_fault(r, faults, found.items[i]);
  }
  return !take_problem(s, r);
}

/* ---- how many tiles ------------------------------------------------------------------------- */

/* A size that the number of tiles grows with. */
typedef struct axis {
  size_t dim;
  int64_t unit;
  const pl_node *loop;
  bool found;
} axis;

/* Whether k units more are k rounds more of some loop, for all k that are not small. */
static const pl_node *grows(search *s, size_t dim, int64_t unit) {
  int64_t sizes[MOST_DIMS];
  const pl_node *loops[64];
  int64_t first[64];
  size_t n = 0;
  memcpy(sizes, s->model->usual, sizeof sizes);
  for (int k = 5; k < PROBES; k++) {
    sizes[dim] = k * unit;
    bool known = probe(s, sizes, PROBE_STEPS);
    s->unread = (pl_str){0}; /* for want of steps; else the first probe has told */
    if (!known)
      return NULL;
    if (k == 5)
      for (size_t i = 0; i < s->nloops && n < 64; i++)
        if (s->loops[i].is_tile_loop && s->loops[i].most > 0) {
          loops[n] = s->loops[i].node;
          first[n++] = s->loops[i].most;
        }
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
      if (rounds_of(s, loops[i]) == first[i] + k - 5) {
        loops[kept] = loops[i];
        first[kept++] = first[i];
      }
    n = kept;
    if (!n)
      return NULL;
  }
  sizes[dim] = FAR_PROBE * unit; /* a unit that is not much off is seen there */
  bool known = probe(s, sizes, PROBE_STEPS);
  s->unread = (pl_str){0};
  for (size_t i = 0; i < n; i++)
    if (!known || rounds_of(s, loops[i]) == first[i] + FAR_PROBE - 5)
      return loops[i];
  return NULL;
}

/* One size that varies, in steps of so much. */
typedef struct ladder {
  size_t dim;
  int64_t own;
} ladder;

/* Whether the launch may have such a size. */
static bool is_allowed(const search *s, size_t dim, int64_t size) {
  int64_t sizes[MOST_DIMS];
  pl_lint_case at;
  memcpy(sizes, s->model->usual, sizeof sizes);
  sizes[dim] = size;
  return case_at(s->model, sizes, &at);
}

/* What large sizes have to be multiples of. */
static int64_t least_step(const search *s, size_t dim) {
  int64_t step = 1;
  for (int k = 0; k < PROBES && step < PL_LINT_USUAL_SIZE; k++)
    if (!is_allowed(s, dim, (PROBES + k) * step)) {
      step++;
      k = -1;
    }
  return step;
}

static bool probe_at(search *s, const ladder *by, int64_t size) {
  int64_t sizes[MOST_DIMS];
  memcpy(sizes, s->model->usual, sizeof sizes);
  sizes[by->dim] = size;
  bool known = probe(s, sizes, PROBE_STEPS);
  s->unread = (pl_str){0};
  return known;
}

/* The least size above `low` with which a loop goes so many rounds; with `high` it does. */
static int64_t least_for(search *s, const ladder *by, const pl_node *loop, int64_t rounds,
                         int64_t low, int64_t high) {
  while (high - low > by->own) {
    int64_t middle = low + (high - low) / by->own / 2 * by->own;
    if (probe_at(s, by, middle) && rounds_of(s, loop) < rounds)
      low = middle;
    else
      high = middle;
  }
  return high;
}

/* How far apart the sizes are with which a loop goes its last round more. */
static int64_t unit_of(search *s, const ladder *by, const pl_node *loop, int64_t size) {
  int64_t rounds = rounds_of(s, loop), low = size / by->own / 2 * by->own;
  if (!probe_at(s, by, low) || rounds_of(s, loop) >= rounds - 1)
    return 0;
  int64_t last = least_for(s, by, loop, rounds, low, size);
  return last - least_for(s, by, loop, rounds - 1, low, last);
}

enum { FEW_ROUNDS = 6, LARGEST_SIZE = 1 << 21, LARGEST_UNITS = 512 };

/* Whole tiles: the largest unit of a size of which each more is one round more. */
static axis axis_along(search *s, const ladder *by) {
  axis found = {0};
  const pl_node *asked[64];
  size_t nasked = 0;
  int64_t most = LARGEST_SIZE;
  for (int64_t size = by->own; size <= most; size *= 2) {
    if (!is_allowed(s, by->dim, size))
      continue;
    if (s->steps > MOST_STEPS / 4 || !probe_at(s, by, size))
      break;
    size_t first = nasked;
    for (size_t i = 0; i < s->nloops; i++) {
      bool known = !s->loops[i].is_tile_loop || s->loops[i].most < FEW_ROUNDS;
      for (size_t k = 0; k < nasked && !known; k++)
        known = asked[k] == s->loops[i].node;
      if (!known && nasked < 64)
        asked[nasked++] = s->loops[i].node;
    }
    for (size_t i = first; i < nasked; i++) {
      int64_t unit = probe_at(s, by, size) ? unit_of(s, by, asked[i], size) : 0;
      if (unit <= found.unit)
        continue;
      const pl_node *loop = grows(s, by->dim, unit);
      if (loop)
        found = (axis){by->dim, unit, loop, true};
    }
    if (found.found && most > found.unit * LARGEST_UNITS)
      most = found.unit * LARGEST_UNITS;
  }
  return found;
}

/* Of the sizes but `but` the first that has such a unit: of multiples of what all that
 * are given are multiples of, else of parts of it. */
static axis find_axis(search *s, int64_t but) {
  axis found = {0};
  for (size_t d = 0; d < s->model->ndims && !found.found; d++) {
    int64_t own = s->model->unit[d], step = (int64_t)d == but ? 0 : least_step(s, d);
    if (!step)
      continue;
    own = own % step ? step : own;
    found = axis_along(s, &(ladder){d, own});
    if (!found.found && step < own)
      found = axis_along(s, &(ladder){d, step});
    if (found.unit % own && own % found.unit)
      found = (axis){0};
  }
  return found;
}

/* Where a size of its own, that the launch does not say, is another one. */
static axis find_axis_with(search *s, size_t dim, int64_t size) {
  model *m = s->model;
  int64_t usual = m->usual[dim];
  if ((m->given && dim < m->nown) || size < m->least[dim])
    return (axis){0};
  m->usual[dim] = size;
  axis found = find_axis(s, (int64_t)dim);
  if (!found.found)
    m->usual[dim] = usual;
  return found;
}

/* Where no size makes a loop go on: perhaps a flag does, or it goes on by products,
 * `rows * tiles`. */
static axis find_axis_anyhow(search *s) {
  model *m = s->model;
  axis found = find_axis(s, -1);
  for (size_t d = 0; d < m->nown && !m->given && !found.found && !s->unread.n; d++)
    if (pl_no_reference(m->kernel->params[m->param[d]]->type)->kind == PL_TYPE_BOOL)
      found = find_axis_with(s, d, 0);
  for (size_t d = 0; d < m->ndims && m->ndims > 1 && !found.found && !s->unread.n; d++)
    found = find_axis_with(s, d, 1);
  return found;
}

/* Which sizes say how often a loop is come to, and not how often it goes round: rows of
 * tiles, of which one is enough, so that each is one from here on. Where the axis is that of
 * rows, it becomes that of the loop within. */
static void find_rows(search *s, axis *by, bool *rows) {
  model *m = s->model;
  const axis outer = *by;
  for (size_t k = 0; !m->given && k <= m->nown; k++) { /* the axis' own size first */
    size_t d = k ? k - 1 : outer.dim;
    int64_t usual = m->usual[d];
    if (k && (d == outer.dim || usual < 2 || !probe(s, m->usual, PROBE_STEPS)))
      continue;
    const pl_lint_loop *before = loop_at(s, by->loop);
    m->usual[d] = 1;
    axis inner = k ? *by : find_axis(s, (int64_t)d);
    if (!k) {
      rows[d] = inner.found && inner.loop != by->loop &&
                pl_range_inside(inner.loop->range, by->loop->range);
      *by = rows[d] ? inner : *by;
    } else if (before && probe(s, m->usual, PROBE_STEPS)) {
      const pl_lint_loop *now = loop_at(s, by->loop);
      rows[d] = now && now->most == before->most && now->most_entries < before->most_entries;
    }
    if (!rows[d])
      m->usual[d] = usual;
    s->unread = (pl_str){0};
  }
}

/* How many slots a loop goes round in: the addresses that one place writes first. */
static int64_t slots_of(const pl_lint_turn *turn) {
  int64_t most = 1;
  for (size_t i = 0; i < turn->done.nfills; i++) {
    int64_t addresses[PL_LINT_MOST_DEPTH], n = 0;
    const pl_node *node = turn->run->sites[turn->done.fills[i].site].node;
    int64_t object = turn->done.fills[i].addr >> PL_LINT_SHARED_SHIFT;
    for (size_t k = 0; k < turn->done.nfills && n < 16; k++) {
      const pl_lint_fill *fill = &turn->done.fills[k];
      bool known = turn->run->sites[fill->site].node != node ||
                   fill->addr >> PL_LINT_SHARED_SHIFT != object;
      for (int64_t a = 0; a < n; a++)
        known = known || addresses[a] == fill->addr;
      if (!known)
        addresses[n++] = fill->addr;
    }
    most = n > most ? n : most;
  }
  return most;
}

enum { MOST_REACH = 8 };

/* How many rounds later one place of a loop loads what another one loads now: fewer
 * tiles do not show that it is read in the end. */
static int64_t reach_of(const pl_lint_turn *turn) {
  const pl_lint_run *r = turn->run;
  const pl_lint_fill *fills = turn->done.fills;
  int64_t most = 0;
  for (size_t i = 0; i < turn->done.nfills; i++) {
    const pl_lint_region *region =
        fills[i].from && fills[i].round == 0 ? pl_lint_region_at(r, fills[i].from) : NULL;
    int64_t advance = 0;
    for (size_t k = i + 1; region && k < turn->done.nfills && !advance; k++)
      if (fills[k].round == 1 && fills[k].from &&
          r->sites[fills[k].site].node == r->sites[fills[i].site].node)
        advance = fills[k].from - fills[i].from;
    for (size_t k = 0; advance && k < turn->done.nfills; k++) {
      int64_t apart = fills[k].from - fills[i].from;
      if (fills[k].round == 0 && fills[k].from && apart % advance == 0 &&
          pl_lint_region_at(r, fills[k].from) == region && apart / advance > most &&
          apart / advance <= MOST_REACH)
        most = apart / advance;
    }
  }
  return most;
}

/* ---- causes ----------------------------------------------------------------------------------- */

static bool has(const pl_lint_faults *faults, pl_lint_fault_kind kind,
                const pl_lint_fault *on) {
  for (size_t i = 0; i < faults->n; i++)
    if (faults->items[i].kind == kind &&
        (!on || faults->items[i].what.addr >> PL_LINT_SHARED_SHIFT ==
                    on->what.addr >> PL_LINT_SHARED_SHIFT))
      return true;
  return false;
}

static bool is_order(pl_lint_fault_kind kind) {
  return kind <= PL_LINT_DIVERGENT_BARRIER || kind == PL_LINT_STUCK;
}

/* Whether another fault is the cause of it. */
static bool follows(const pl_lint_faults *faults, const pl_lint_fault *f, bool any_order) {
  bool counts = f->kind == PL_LINT_TILE_SKIPPED || f->kind == PL_LINT_TILE_TWICE ||
                f->kind == PL_LINT_BEYOND_LAST;
  if (f->kind == PL_LINT_NO_BARRIER && f->number && has(faults, PL_LINT_MISSING_WAIT, f))
    return true;
  bool flight = f->kind == PL_LINT_MISSING_WAIT || f->kind == PL_LINT_SHALLOW_WAIT;
  if (f->kind != PL_LINT_DIVERGENT_BARRIER && is_order(f->kind) &&
      has(faults, PL_LINT_DIVERGENT_BARRIER, NULL))
    return true;
  if ((counts || f->kind == PL_LINT_UNFILLED) && has(faults, PL_LINT_LITERAL_STAGE, NULL))
    return true;
  if (flight && (has(faults, PL_LINT_FEW_BUFFERS, f) ||
                 has(faults, PL_LINT_CONDITIONAL_COMMIT, f) ||
                 has(faults, PL_LINT_DIVERGENT_COMMIT, f)))
    return true;
  if ((f->kind == PL_LINT_TILE_SKIPPED || f->kind == PL_LINT_BEYOND_LAST) &&
      (has(faults, PL_LINT_TILE_TWICE, NULL) || has(faults, PL_LINT_UNFILLED, NULL)))
    return true;
  return counts && any_order;
}

/* `waits`: some loop does. Where none does, who needs no other thread's cells may fill
 * and read what it likes. */
static void leave_out_consequences(pl_lint_faults *faults, bool waits, pl_arena *arena) {
  pl_lint_faults kept = {0};
  bool any_order = !waits;
  for (size_t i = 0; i < faults->n; i++)
    any_order = any_order || is_order(faults->items[i].kind);
  for (size_t i = 0; i < faults->n; i++)
    if (!follows(faults, &faults->items[i], any_order) &&
        (waits || faults->items[i].kind != PL_LINT_UNFILLED))
      PL_PUSH(arena, kept.items, kept.n, kept.cap, faults->items[i]);
  *faults = kept;
}

/* ---- a kernel --------------------------------------------------------------------------------- */

/* One run of the series, with so many tiles and so much more; false: it cannot be read.
 * Where it is more, tiles are not counted: -1. */
static bool add_turn(search *s, const axis *by, int64_t tiles, int64_t more,
                     pl_lint_turn *turns, size_t *n, pl_lint_faults *faults) {
  int64_t sizes[MOST_DIMS];
  pl_lint_case at;
  memcpy(sizes, s->model->usual, sizeof sizes);
  sizes[by->dim] = tiles * by->unit + more;
  if (sizes[by->dim] < s->model->least[by->dim] || !case_at(s->model, sizes, &at))
    return true;
  tiles = more ? -1 : tiles;
  if (*n == MOST_TURNS || !turn_at(s, sizes, tiles, &turns[*n], faults))
    return false;
  (*n)++;
  return true;
}


static void name_size(const search *s, const axis *by, pl_lint_faults *faults) {
  for (size_t i = 0; i < faults->n; i++) {
    faults->items[i].size_name = s->model->names[by->dim];
    faults->items[i].unit = by->unit;
  }
}

/* None to some more than there are slots, and twice as many and two, or more than loads
 * reach ahead: the first few, and a steady state. */
static void run_series(search *s, const axis *by, pl_lint_faults *faults,
                       pl_lint_kernel *kernel) {
  enum { FIRST = 4 };
  pl_lint_turn turns[MOST_TURNS], parts[MOST_TURNS], fourth;
  pl_lint_faults later = {0};
  size_t n = 0, one = 0;
  bool read = add_turn(s, by, FIRST, 0, &fourth, &one, &later);
  int64_t slots = one ? slots_of(&fourth) : 1;
  int64_t last = slots == 1 ? FIRST : 2 * slots + 2;
  int64_t reach = one ? reach_of(&fourth) : 0;
  if (reach > 1 && last < reach + FIRST)
    last = reach + FIRST;
  for (int64_t k = 0; read && k <= last; k++) {
    if (k == FIRST && one) {
      turns[n++] = fourth;
      for (size_t i = 0; i < later.n; i++)
        pl_lint_add_fault(later.items[i].run, faults, later.items[i]);
    } else if (k <= slots + 2 || k >= last - 1) {
      read = add_turn(s, by, k, 0, turns, &n, faults);
    }
  }
  kernel->runs = n;
  kernel->most_tiles = n ? turns[n - 1].tiles : 0;
  /* parts of a few tiles that one round takes */
  size_t nparts = 0;
  for (int64_t part = 1; read && by->unit <= 4 && part <= 2 * by->unit + 1; part++)
    if (part % by->unit)
      read = add_turn(s, by, part / by->unit, part % by->unit, parts, &nparts, faults);
  if (!read)
    return;
  pl_lint_check_tiles(turns, n, faults);
  pl_lint_check_parts(turns, n, parts, nparts, faults);
  name_size(s, by, faults);
}

static bool shares_memory(const pl_unit *unit, const pl_node *node) {
  (void)unit;
  return (node->kind == PL_NODE_REF || node->kind == PL_NODE_VAR) && node->decl &&
         node->decl->is_shared;
}

/* Sees which numbers of records are read, and whether it cannot be read but where
 * memory holds numbers. */
static bool first_probe(search *s) {
  bool known = probe(s, s->model->usual, MOST_STEPS);
  if (known) {
    add_found_dims(s->model);
    return true;
  }
  pl_str why = s->unread;
  const pl_node *at = s->unread_at;
  s->unread = (pl_str){0};
  s->model->holds = true;
  add_found_dims(s->model);
  known = probe(s, s->model->usual, MOST_STEPS);
  add_found_dims(s->model);
  if (known) {
    s->assumed = at;
    s->assumed_why = "numbers that memory holds: looked at as if each were so much more "
                     "than the one before";
    return true;
  }
  s->unread = why;
  s->unread_at = at;
  return false;
}

/* All sizes along the axis; where there is none, the usual ones. */
static void run_all(search *s, axis *by, pl_lint_faults *faults, pl_lint_kernel *kernel) {
  bool rows[MOST_DIMS] = {false}, any = false;
  if (!by->found) {
    pl_lint_turn turn;
    kernel->most_tiles = -1;
    kernel->runs = 1;
    turn_at(s, s->model->usual, -1, &turn, faults);
    return;
  }
  find_rows(s, by, rows);
  run_series(s, by, faults, kernel);
  /* what one row leaves to the next */
  for (size_t d = 0; d < MOST_DIMS; d++) {
    any = any || rows[d];
    s->model->usual[d] = rows[d] ? 2 : s->model->usual[d];
  }
  if (any && !s->unread.n)
    run_series(s, by, faults, kernel);
}

/* A kernel without a wait in its loops that threads can do without never was a pipeline. */
static void leave_alone(search *s, pl_lint_kernel *kernel) {
  s->unread = (pl_str){0};
  s->assumed = NULL;
  kernel->is_pipeline = false;
}

static void look_at(search *s, pl_arena *arena, pl_lint_report *report,
                    pl_lint_kernel *kernel) {
  pl_lint_faults faults = {0};
  bool known = first_probe(s);
  axis by = known ? find_axis_anyhow(s) : (axis){0};
  pl_lint_case example;
  if (known && !by.found && !s->unread.n && s->model->given &&
      s->model->given->is_example && case_at(s->model, s->model->usual, &example)) {
    s->model->guess = example;
    s->model->given = NULL;
    guess_sizes(s->model, &example);
    add_found_dims(s->model);
    by = find_axis(s, -1);
  }
  kernel->is_pipeline = kernel->is_pipeline || s->holds_sync || s->unread.n;
  if (!kernel->is_pipeline || s->unread.n)
    return;
  run_all(s, &by, &faults, kernel);
  leave_out_consequences(&faults, s->waits, s->arena);
  if (!s->waits && (s->unread.n || !faults.n))
    leave_alone(s, kernel);
  else if (!s->unread.n)
    pl_lint_say(s->unit, s->kernel, &faults, arena, report);
}

static pl_lint_unread unread_of(search *s, pl_arena *arena, bool whole) {
  const pl_node *at = whole ? s->unread_at : s->assumed;
  pl_range range = at && at->range.end ? at->range : s->kernel->name_range;
  pl_str why = s->unread;
  pl_lint_unread out = {.is_whole = whole, .begin = range.begin, .end = range.end};
  pl_unit_position(s->unit, range.begin, &out.line, &out.column);
  out.message = whole ? pl_arena_cstr(arena, why) : s->assumed_why;
  return out;
}

static const char *name_of(pl_arena *arena, const pl_func *kernel) {
  pl_str name = kernel->qualified.n ? kernel->qualified : kernel->name;
  return pl_arena_cstr(arena, name);
}

static const char *block_text(pl_arena *arena, const model *m, const pl_lint_case *at) {
  pl_text out = {.arena = arena};
  pl_text_printf(&out, "%lld", (long long)at->block[0]);
  for (int i = 1; i < 3; i++)
    if (at->block[i] > 1 || (i == 1 && at->block[2] > 1))
      pl_text_printf(&out, " x %lld", (long long)at->block[i]);
  pl_text_printf(&out, " threads, %s", m->block);
  return pl_arena_cstr(arena, pl_text_view(&out));
}

static void search_kernel(pl_unit *unit, const pl_func *func,
                          const pl_lint_options *options, pl_lint_report *report) {
  pl_arena *arena = unit->arena;
  search s = {.arena = pl_arena_child(arena), .unit = unit, .kernel = func};
  model *m = s.model = PL_NEW(s.arena, model);
  m->kernel = func;
  pl_lint_kernel kernel = {.name = name_of(arena, func), .is_read = true, .block = ""};
  unsigned column;
  pl_unit_position(unit, func->name_range.begin, &kernel.line, &column);
  if (!pl_function_shows(unit, func, shares_memory))
    return;
  s.local = PL_NEW_ARRAY(s.arena, pl_lint_value, PL_LINT_LOCAL_BYTES);
  const pl_lint_launch *launch = launch_of(options, func);
  take_smem(m);
  if (launch)
    take_given(m, launch);
  pl_lint_case at;
  if (pl_written_func(func)->holds_error || func->holds_error) {
    s.unread = PL_STR("its text holds what clang takes for an error");
    kernel.is_pipeline = true;
  } else if (!m->given && !block_of_file(m, options)) {
    s.unread = PL_STR("what blocks it has is not known: neither a launch nor launch bounds nor "
                      "--block-threads says it, or how many threads of them are in a row");
    kernel.is_pipeline = true;
  } else {
    if (!m->given) {
      m->guess.grid[0] = m->guess.grid[1] = m->guess.grid[2] = 1;
      if (!m->guess.smem)
        m->guess.smem = 48 * 1024;
      guess_sizes(m, NULL);
    }
    if (case_at(m, m->usual, &at))
      kernel.block = block_text(arena, m, &at);
    look_at(&s, arena, report, &kernel);
  }
  if (s.unread.n || s.assumed) {
    kernel.is_read = !s.unread.n;
    pl_lint_unread one = unread_of(&s, arena, s.unread.n > 0);
    one.kernel = kernel.name;
    PL_PUSH(arena, report->unread, report->nunread, report->unread_cap, one);
  }
  PL_PUSH(arena, report->kernels, report->nkernels, report->kernels_cap, kernel);
  pl_arena_free(s.arena);
}

static bool is_looked_at(const pl_func *func) {
  return func->is_global && func->body && (func->pattern || !func->nbodies) &&
         (func->in_main || (func->pattern && func->pattern->in_main));
}

void pl_lint_unit(pl_unit *unit, const pl_lint_options *options,
                  pl_lint_report *report) {
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    const pl_func *func = unit->funcs[i];
    if (!is_looked_at(func) ||
        (options->kernel_filter &&
         !options->kernel_filter(name_of(unit->arena, func), options->filter_context)))
      continue;
    if (func->is_template && !func->pattern) {
      pl_lint_unread one = {.kernel = name_of(unit->arena, func),
                            .begin = func->name_range.begin,
                            .end = func->name_range.end,
                            .is_whole = true,
                            .message = "no instantiation of it is in sight"};
      pl_unit_position(unit, one.begin, &one.line, &one.column);
      PL_PUSH(unit->arena, report->unread, report->nunread, report->unread_cap, one);
      continue;
    }
    search_kernel(unit, func, options, report);
  }
}
