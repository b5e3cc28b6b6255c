/* plan_ratio.c - how many operations are there for each byte loaded?
 *
 * Needs: the tree, the tiles and their bytes, the threads of a block. Gives: the
 * compute/load ratio of a loop, where all that its compute does can be counted.
 * Raises nothing: plan_choose.c says what follows. */
#include "plan.h"

/* Operations of one warp matrix product of 16x16x16, a thread. */
#define FRAGMENT_OPERATIONS (2.0 * 16 * 16 * 16 / 32)

enum { MOST_ARGS = 16 };

/* What one call of a function counts, with what was fed to it; the calls of it that
 * are looked at have no sum yet. */
typedef struct called_tally {
  const pl_func *func;
  uint32_t fed; /* bit i: parameter i */
  bool places, done;
  double operations;
} called_tally;

/* What is counted, one function in the other. */
typedef struct count {
  pl_loop *loop; /* with the function at hand */
  const pl_decl **fed; /* variables that hold what was read from a tile */
  size_t nfed, fed_cap;
  called_tally *calls;
  size_t ncalls, calls_cap;
  bool places;  /* what is counted says where, or how often */
  bool unknown; /* something cannot be counted */
} count;

/* Operations of one thread, and whether their result comes from a tile. */
typedef struct tally {
  double operations;
  bool fed;
} tally;

static tally tally_of(count *c, pl_node *node);

/* ---- calls --------------------------------------------------------------- */

typedef struct known_call {
  const char *name;
  double operations;
} known_call;

/* Of a function of CUDA's headers: by its name, then by how that begins. */
static double library_operations(pl_str name) {
  static const known_call whole[] = {
      {"mma_sync", FRAGMENT_OPERATIONS}, {"fma", 2}, {"fmaf", 2}, {"min", 1},
      {"max", 1}, {"abs", 1}, {"__sad", 2}, {"__usad", 2}};
  static const known_call begins[] = {
      {"__dp4a", 8}, {"__dp2a", 4}, {"__hfma2", 4}, {"__hmul2", 2},
      {"__hadd2", 2}, {"__hsub2", 2}, {"__hfma", 2}, {"__fma", 2},
      {"__hmul", 1}, {"__hadd", 1}, {"__hsub", 1}, {"__fmul_", 1},
      {"__fadd_", 1}, {"__fsub_", 1}, {"__dmul_", 1}, {"__dadd_", 1},
      {"__dsub_", 1}, {"__popc", 1}, {"fmin", 1}, {"fmax", 1}, {"fabs", 1},
      {"sqrt", 1}, {"rsqrt", 1}, {"exp", 1}, {"__exp", 1}, {"log", 1},
      {"__log", 1}};
  for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
    if (pl_str_is(name, whole[i].name))
      return whole[i].operations;
  for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
    if (pl_str_starts(name, begins[i].name))
      return begins[i].operations;
  return 0;
}

static bool is_fed(const count *c, const pl_decl *decl) {
  for (size_t i = 0; i < c->nfed; i++)
    if (c->fed[i] == decl)
      return true;
  return decl && pl_loop_tile(c->loop, decl);
}

static void feed(count *c, const pl_decl *decl) {
  if (decl && !is_fed(c, decl))
    PL_PUSH(c->loop->arena, c->fed, c->nfed, c->fed_cap, decl);
}

static size_t call_index(count *c, const pl_func *func, uint32_t fed) {
  called_tally fresh = {func, fed, c->places, false, 0};
  for (size_t i = 0; i < c->ncalls; i++)
    if (c->calls[i].func == func && c->calls[i].fed == fed &&
        c->calls[i].places == c->places)
      return i;
  PL_PUSH(c->loop->arena, c->calls, c->ncalls, c->calls_cap, fresh);
  return c->ncalls - 1;
}

/* The text of a function whose parameters come from a tile where its arguments
 * do. How often one calls itself is not known. */
static double inside(count *c, const pl_func *func, const bool *fed,
                     uint32_t nargs) {
  pl_loop inner = *c->loop, *outer = c->loop;
  uint32_t mask = 0;
  for (uint32_t i = 0; i < func->nparams && i < nargs; i++)
    mask |= (uint32_t)fed[i] << i;
  size_t before = c->ncalls, at = call_index(c, func, mask);
  if (at < before && c->calls[at].done)
    return c->calls[at].operations;
  if (!func->body || at < before) {
    c->unknown = true;
    return 0;
  }
  for (uint32_t i = 0; i < func->nparams && i < nargs; i++)
    if (fed[i])
      feed(c, func->params[i]);
  inner.func = (pl_func *)func;
  c->loop = &inner;
  double sum = tally_of(c, func->body).operations;
  c->calls[at].operations = sum;
  c->calls[at].done = true;
  c->loop = outer;
  return sum;
}

static tally call_tally(count *c, pl_node *node) {
  bool fed[MOST_ARGS] = {false};
  tally sum = {0};
  for (uint32_t i = 0; i < node->nkids; i++) {
    tally part = tally_of(c, node->kids[i]);
    sum.operations += part.operations;
    sum.fed = sum.fed || part.fed;
    if (i > 0 && i <= MOST_ARGS)
      fed[i - 1] = part.fed;
  }
  const pl_decl *decl = node->decl;
  bool own = decl && decl->func && decl->func != c->loop->func;
  double known = library_operations(node->name);
  bool unseen = decl ? decl->is_user : !known;
  if (own && decl->func->nparams < MOST_ARGS)
    sum.operations += inside(c, decl->func, fed, node->nkids - 1);
  else if (unseen)
    c->unknown = c->unknown || sum.fed;
  else if (!c->places)
    sum.operations += known;
  return sum;
}

/* ---- expressions ---------------------------------------------------------- */

/* What is computed with integers may be an address: it counts where it is
 * computed from the tile. */
static bool is_operation(const count *c, const pl_node *node, bool fed) {
  bool sum = node->op == PL_OP_ADD || node->op == PL_OP_SUB ||
             node->op == PL_OP_MUL || node->op == PL_OP_DIV;
  const pl_type *type = node->kind == PL_NODE_ASSIGN ? node->kids[0]->type
                                                     : node->type;
  if (type && type->kind == PL_TYPE_REFERENCE)
    type = type->element;
  if (!type || c->places)
    return false;
  if (type->kind == PL_TYPE_INT)
    return fed && (sum || node->op == PL_OP_AND || node->op == PL_OP_OR ||
                   node->op == PL_OP_XOR);
  return sum && (type->kind == PL_TYPE_FLOAT || type->kind == PL_TYPE_RECORD ||
                 type->kind == PL_TYPE_DEPENDENT);
}

/* The variable that an assignment sets, or sets a part of. */
static const pl_decl *set_by(const pl_node *node) {
  pl_node *at = pl_node_bare(node->kids[0]);
  while (at && (at->kind == PL_NODE_SUBSCRIPT ||
                (at->kind == PL_NODE_MEMBER && at->nkids)))
    at = pl_node_bare(at->kids[0]);
  return at && at->kind == PL_NODE_REF ? at->decl : NULL;
}

static tally all_kids(count *c, pl_node *node) {
  tally sum = {0};
  for (uint32_t i = 0; i < node->nkids; i++) {
    tally part = tally_of(c, node->kids[i]);
    sum.operations += part.operations;
    sum.fed = sum.fed || part.fed;
  }
  return sum;
}

/* What only says where something is, or how often. */
static double place_operations(count *c, pl_node *node) {
  bool before = c->places;
  c->places = true;
  double sum = tally_of(c, node).operations;
  c->places = before;
  return sum;
}

static tally for_tally(count *c, pl_node *node) {
  tally sum = tally_of(c, node->kids[3]);
  for (int i = 0; i < 3; i++)
    sum.operations += place_operations(c, node->kids[i]);
  return sum;
}

static tally loop_tally(count *c, pl_node *node) {
  tally sum = node->kind == PL_NODE_FOR ? for_tally(c, node)
                                        : all_kids(c, node);
  int64_t trips = sum.operations > 0 ? pl_full_trips(c->loop, node) : 0;
  c->unknown = c->unknown || trips < 0;
  sum.operations *= trips > 0 ? (double)trips : 0;
  return sum;
}

static tally tally_of(count *c, pl_node *node) {
  tally sum = {0};
  if (!node)
    return sum;
  switch (node->kind) {
  case PL_NODE_REF:
    sum.fed = is_fed(c, node->decl);
    return sum;
  case PL_NODE_SUBSCRIPT:
    sum = tally_of(c, node->kids[0]);
    sum.operations += place_operations(c, node->kids[1]);
    return sum;
  case PL_NODE_CALL:
    return call_tally(c, node);
  case PL_NODE_FOR:
  case PL_NODE_WHILE:
    return loop_tally(c, node);
  case PL_NODE_ASM:
    c->unknown = c->unknown || node->nkids;
    return sum;
  default:
    sum = all_kids(c, node);
  }
  if (node->kind == PL_NODE_VAR && sum.fed)
    feed(c, node->decl);
  if (node->kind == PL_NODE_ASSIGN && sum.fed)
    feed(c, set_by(node));
  if (node->kind == PL_NODE_BINARY || node->kind == PL_NODE_ASSIGN)
    sum.operations += is_operation(c, node, sum.fed);
  return sum;
}

/* Operations of one tile's compute for each byte loaded. For a GEMM this is
 * 2 BM BN BK / ((BM BK + BK BN) sizeof(T)), the ratio of the guide that the
 * `ldg` and `cp.async` forms come from; below 5 it advises asynchronous copies,
 * above 20 it expects little. Those two bounds are not decided on, for they put
 * that guide's own best kernel above 20; STREAM_RATIO is (choose_deep). */
void pl_measure_ratio(pl_loop *loop) {
  count c = {.loop = loop};
  double sum = 0;
  int64_t bytes = 0;
  for (size_t i = 0; i < loop->nstmts && !c.unknown; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (stmt->in_compute && !stmt->in_load)
      sum += tally_of(&c, stmt->node).operations;
  }
  loop->facts.operations = c.unknown ? 0 : sum;
  for (size_t t = 0; t < loop->ntiles; t++) {
    if (loop->tiles[t].bytes <= 0)
      return;
    bytes += loop->tiles[t].bytes;
  }
  if (!c.unknown && sum > 0 && loop->threads > 0 && bytes > 0)
    loop->ratio = sum * (double)loop->threads / (double)bytes;
}
