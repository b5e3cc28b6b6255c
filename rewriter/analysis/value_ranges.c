/* value_ranges.c - between which bounds does a value lie, in its own type?
 *
 * Needs: values. Gives: an interval for an integer expression: thread and block
 * indices by CUDA's limits, locals that are set once by their initialisers,
 * everything else by its type. Unsigned arithmetic that may leave its type, and a
 * conversion to a type that does not have all values, give all values of the type;
 * signed arithmetic does not leave its own. Raises nothing. */
#include "call_summary.h"
#include "reaching_definitions.h"
#include "value_ranges.h"

#include "values.h"

#define MOST_THREADS 1024
#define MOST_LAYERS 64 /* of a block, in z */
#define MOST_BLOCKS_YZ 65535

static const pl_interval unknown = {0};

static pl_interval interval(int64_t low, int64_t high) {
  return (pl_interval){true, false, low, high};
}

/* All values of a type. */
static pl_interval whole(const pl_type *type) {
  if (!pl_is_integer_type(type))
    return unknown;
  pl_interval all = interval(pl_least_of(type), pl_largest_of(type));
  all.open = type->is_unsigned && type->size == 8;
  return all;
}

static bool fits(pl_interval of, const pl_type *to) {
  pl_interval all = whole(to);
  return of.known && all.known && of.low >= all.low &&
         (all.open || (!of.open && of.high <= all.high));
}

pl_interval pl_value_range_in(pl_interval of, const pl_type *to) {
  to = pl_no_reference(to);
  return fits(of, to) ? of : whole(to);
}

static pl_interval hull(pl_interval a, pl_interval b) {
  if (!a.known || !b.known)
    return unknown;
  return (pl_interval){true, a.open || b.open, a.low < b.low ? a.low : b.low,
                       a.high > b.high ? a.high : b.high};
}

/* ---- operations ------------------------------------------------------------ */

/* A result of exact arithmetic in a type: unsigned numbers wrap, signed ones have
 * no value beyond theirs. */
static pl_interval in_type(pl_interval exact, bool overflows,
                           const pl_type *type) {
  if (!overflows && fits(exact, type))
    return exact;
  pl_interval all = whole(type);
  if (overflows || type->is_unsigned || exact.open)
    return all;
  exact.low = exact.low > all.low ? exact.low : all.low;
  exact.high = exact.high < all.high ? exact.high : all.high;
  return exact.low <= exact.high ? exact : all;
}

static pl_interval sum(pl_op op, pl_interval a, pl_interval b,
                       const pl_type *type) {
  pl_interval exact = interval(0, 0);
  bool overflows =
      a.open || b.open ||
      (op == PL_OP_ADD ? __builtin_add_overflow(a.low, b.low, &exact.low)
                       : __builtin_sub_overflow(a.low, b.high, &exact.low)) ||
      (op == PL_OP_ADD ? __builtin_add_overflow(a.high, b.high, &exact.high)
                       : __builtin_sub_overflow(a.high, b.low, &exact.high));
  return in_type(exact, overflows, type);
}

static pl_interval product(pl_interval a, pl_interval b, const pl_type *type) {
  const int64_t left[] = {a.low, a.high}, right[] = {b.low, b.high};
  pl_interval exact = interval(INT64_MAX, INT64_MIN);
  bool overflows = a.open || b.open;
  for (int i = 0; i < 4; i++) {
    int64_t one;
    overflows = __builtin_mul_overflow(left[i / 2], right[i % 2], &one) ||
                overflows;
    exact.low = one < exact.low ? one : exact.low;
    exact.high = one > exact.high ? one : exact.high;
  }
  if (overflows && !type->is_unsigned && a.low >= 0 && b.low >= 0)
    return interval(0, pl_largest_of(type)); /* as large as it may be */
  return in_type(exact, overflows, type);
}

/* Nobody divides by zero. */
static pl_interval quotient(pl_interval a, pl_interval b, const pl_type *type) {
  int64_t least = b.low > 1 ? b.low : 1;
  if (b.low < 0 || a.open)
    return whole(type);
  return interval(a.low < 0 ? a.low / least : a.low / (b.high > 1 ? b.high : 1),
                  a.high < 0 ? a.high / (b.high > 1 ? b.high : 1)
                             : a.high / least);
}

static pl_interval remainder_of(pl_interval a, pl_interval b,
                                const pl_type *type) {
  if (b.low < 0)
    return a.low >= 0 && !a.open ? interval(0, a.high) : whole(type);
  if (b.open)
    return a.low >= 0 ? (pl_interval){true, a.open, 0, a.high} : whole(type);
  int64_t most = b.high > 1 ? b.high - 1 : 0;
  return interval(a.low >= 0 ? 0 : -most,
                  a.low >= 0 && !a.open && a.high < most ? a.high : most);
}

/* A mask that is not negative bounds what is left of any number. */
static pl_interval masked(pl_interval a, pl_interval b, const pl_type *type) {
  if (a.low < 0 && b.low < 0)
    return whole(type);
  if (a.low < 0 || a.open)
    return (pl_interval){true, b.open, 0, b.high};
  if (b.low < 0 || b.open)
    return interval(0, a.high);
  return interval(0, a.high < b.high ? a.high : b.high);
}

/* Of two numbers that are not negative: no bit above both's. */
static pl_interval joined(pl_interval a, pl_interval b, const pl_type *type) {
  if (a.low < 0 || b.low < 0 || a.open || b.open)
    return whole(type);
  uint64_t bits = (uint64_t)(a.high | b.high);
  for (int by = 1; by < 64; by *= 2)
    bits |= bits >> by;
  return interval(0, (int64_t)bits);
}

static pl_interval shifted(pl_op op, pl_interval a, pl_interval b,
                           const pl_type *type) {
  if (a.low < 0 || b.low < 0 || b.low > 62 || a.open)
    return whole(type);
  int most = b.open || b.high > 62 ? 62 : (int)b.high;
  if (op == PL_OP_SHR)
    return interval(a.low >> most, a.high >> b.low);
  bool overflows = a.high > INT64_MAX >> most;
  return overflows ? whole(type)
                   : (fits(interval(a.low << b.low, a.high << most), type)
                          ? interval(a.low << b.low, a.high << most)
                          : whole(type));
}

/* Both operands and the result are of the type. */
static pl_interval operate(pl_op op, pl_interval a, pl_interval b,
                           const pl_type *type) {
  switch (op) {
  case PL_OP_ADD:
  case PL_OP_SUB:
    return sum(op, a, b, type);
  case PL_OP_MUL:
    return product(a, b, type);
  case PL_OP_DIV:
    return quotient(a, b, type);
  case PL_OP_REM:
    return remainder_of(a, b, type);
  case PL_OP_AND:
    return masked(a, b, type);
  case PL_OP_OR:
  case PL_OP_XOR:
    return joined(a, b, type);
  default:
    return whole(type);
  }
}

/* ---- names and expressions -------------------------------------------------- */

/* What was found of an initialiser, which many names lead to. */
typedef struct known_range {
  const pl_node *init;
  pl_interval range;
} known_range;

typedef struct known_ranges {
  known_range *items;
  size_t n, cap;
} known_ranges;

typedef struct range_walk {
  const pl_loop *loop;
  known_ranges *known;
} range_walk;

static pl_interval range_of(range_walk w, const pl_node *node);

/* Indices and extents of threads and blocks. */
static pl_interval place_range(const pl_node *node) {
  char thread = pl_index_axis(node, "threadIdx");
  char extent = pl_index_axis(node, "blockDim");
  char block = pl_index_axis(node, "blockIdx");
  char blocks = pl_index_axis(node, "gridDim");
  if (thread)
    return interval(0, (thread == 'z' ? MOST_LAYERS : MOST_THREADS) - 1);
  if (extent)
    return interval(1, extent == 'z' ? MOST_LAYERS : MOST_THREADS);
  if (block)
    return interval(0, (block == 'x' ? INT32_MAX : MOST_BLOCKS_YZ) - 1);
  if (blocks)
    return interval(1, blocks == 'x' ? INT32_MAX : MOST_BLOCKS_YZ);
  return pl_is_block_rank(node) ? interval(0, MOST_THREADS - 1) : unknown;
}

/* Whether a method is one of all blocks' threads together. */
static bool is_of_grid(const pl_node *call) {
  const pl_node *callee = pl_node_bare(call->kids[0]);
  const pl_node *object =
      callee->kind == PL_NODE_MEMBER ? pl_node_bare(callee->kids[0]) : NULL;
  const pl_type *type = object ? pl_no_reference(object->type) : NULL;
  return type && pl_str_has(type->spelling, "grid_group");
}

/* How many threads a group of a block has, or which of them this one is; how many
 * groups there are, or which of them this is. */
static bool is_group_number(const pl_node *call) {
  pl_differs differs = pl_builtin_of(call)->differs;
  return call->nkids == 1 && pl_is_member_function(call) &&
         !is_of_grid(call) &&
         (differs == PL_DIFFERS_PLACE || differs == PL_DIFFERS_SIZE);
}

static pl_interval template_value(range_walk w, const pl_node *ref) {
  const pl_func *func = w.loop->func;
  pl_interval all = unknown;
  for (uint32_t i = 0; i < func->ninstances; i++) {
    int64_t value;
    bool assumed = false;
    if (!pl_loop_eval(w.loop, &func->instances[i], (pl_node *)ref, &value,
                      &assumed) ||
        assumed)
      return pl_value_range_in(unknown, ref->decl->type);
    all = i ? hull(all, interval(value, value)) : interval(value, value);
  }
  return all.known ? all : pl_value_range_in(unknown, ref->decl->type);
}

/* (An initialiser dominates the use, so that this comes to an end.) */
static pl_interval initial_range(range_walk w, const pl_node *init) {
  for (size_t i = 0; i < w.known->n; i++)
    if (w.known->items[i].init == init)
      return w.known->items[i].range;
  known_range found = {init, range_of(w, init)};
  PL_PUSH(w.loop->arena, w.known->items, w.known->n, w.known->cap, found);
  return found.range;
}

static pl_interval name_range(range_walk w, const pl_node *ref) {
  const pl_decl *decl = ref->decl;
  if (!decl)
    return pl_value_range_in(unknown, ref->type);
  if (decl->kind == PL_DECL_TEMPLATE_VALUE)
    return template_value(w, ref);
  const pl_type *type = pl_no_reference(decl->type);
  pl_interval of = unknown;
  pl_node *passed = pl_passed_for(w.loop, decl);
  pl_node *value = passed ? NULL : pl_reaching_initialiser(ref);
  if (passed && pl_is_as_handed(ref)) {
    range_walk outside = w;
    outside.loop = w.loop->caller;
    of = range_of(outside, passed);
  } else if (value) {
    of = initial_range(w, value);
  }
  return pl_value_range_in(of, type);
}

static pl_interval binary_range(range_walk w, const pl_node *node,
                                const pl_type *type) {
  if (type && type->kind == PL_TYPE_BOOL)
    return interval(0, 1);
  pl_interval a = range_of(w, node->kids[0]), b = range_of(w, node->kids[1]);
  if (node->op == PL_OP_COMMA)
    return b;
  bool shift = node->op == PL_OP_SHL || node->op == PL_OP_SHR;
  if (!pl_is_integer_type(type))
    return unknown;
  a = pl_value_range_in(a, type);
  if (shift)
    return b.known ? shifted(node->op, a, b, type) : whole(type);
  return operate(node->op, a, pl_value_range_in(b, type), type);
}

static pl_interval call_range(range_walk w, const pl_node *call,
                              const pl_type *type) {
  bool less = pl_calls_builtin(call, "min");
  bool more = pl_calls_builtin(call, "max");
  if (is_group_number(call))
    return interval(0, MOST_THREADS);
  if ((!less && !more) || call->nkids != 3 || !pl_is_integer_type(type))
    return whole(type);
  pl_interval a = pl_value_range_in(range_of(w, call->kids[1]), type);
  pl_interval b = pl_value_range_in(range_of(w, call->kids[2]), type);
  pl_interval all = hull(a, b);
  if (less && !(a.open && b.open)) {
    all.high = a.high < b.high ? a.high : b.high;
    all.open = false;
  } else if (more)
    all.low = a.low > b.low ? a.low : b.low;
  return all;
}

static pl_interval parts_range(range_walk w, const pl_node *node) {
  const pl_type *type = pl_no_reference(node->type);
  switch (node->kind) {
  case PL_NODE_CAST:
    return node->nkids ? pl_value_range_in(range_of(w, node->kids[0]), type)
                       : whole(type);
  case PL_NODE_BINARY:
    return node->nkids == 2 ? binary_range(w, node, type) : whole(type);
  case PL_NODE_COND:
    return hull(pl_value_range_in(range_of(w, node->kids[1]), type),
                pl_value_range_in(range_of(w, node->kids[2]), type));
  case PL_NODE_REF:
    return name_range(w, node);
  case PL_NODE_CALL:
    return call_range(w, node, type);
  default:
    return whole(type);
  }
}

static pl_interval range_of(range_walk w, const pl_node *node) {
  int64_t value;
  bool assumed = false;
  node = pl_node_bare((pl_node *)node);
  if (!node)
    return unknown;
  if (pl_loop_eval(w.loop, NULL, (pl_node *)node, &value, &assumed) && !assumed)
    return interval(value, value);
  pl_interval place = place_range(node);
  return place.known ? place : parts_range(w, node);
}

pl_interval pl_value_range(const pl_loop *loop, const pl_node *node) {
  return range_of((range_walk){loop, &(known_ranges){0}}, node);
}
