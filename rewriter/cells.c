/* cells.c - do two of a thread's copies meet in one cell of a tile?
 *
 * Needs: the copies of a fill. Gives: stored_twice for tiles where they do, as
 * asynchronous copies land in no order. Raises: nothing.
 *
 * The text that fills the tiles is run for a few threads of the block, on
 * numbers: loops and locals as they stand, what only a launch decides as large
 * numbers, what memory holds as one number a place in the text. Two stores of
 * one thread to overlapping bytes are a meeting, unless they stand in the two
 * arms of a branch. */
#include "loop.h"

#define MOST_CELLS 2048
#define MOST_STEPS 100000
#define UNKNOWN_STEP 1048583 /* apart from all that a kernel counts to */
#define UNKNOWN_ROW ((int64_t)1 << 32) /* bytes of a row whose length is open */

typedef struct binding {
  const pl_decl *decl;
  int64_t value; /* of a pointer, array or reference: bytes from the tile */
} binding;

typedef struct cell {
  const pl_copy *copy;
  int64_t begin, end;
} cell;

typedef struct machine {
  pl_loop *loop;
  const pl_fill *fill;
  const pl_instance *instance;
  binding *items;
  size_t n, cap;
  cell *cells;
  size_t ncells, cells_cap;
  int64_t thread[3];
  int steps, depth;
} machine;

static int64_t value_of(machine *m, pl_node *node);
static int64_t place_of(machine *m, pl_node *node);
static void run(machine *m, pl_node *node);

/* ---- names ------------------------------------------------------------------ */

static int64_t *bound(machine *m, const pl_decl *decl) {
  for (size_t i = m->n; i-- > 0;)
    if (m->items[i].decl == decl)
      return &m->items[i].value;
  return NULL;
}

static void bind(machine *m, const pl_decl *decl, int64_t value) {
  int64_t *old = bound(m, decl);
  binding fresh = {decl, value};
  if (old)
    *old = value;
  else
    PL_PUSH(m->loop->arena, m->items, m->n, m->cap, fresh);
}

/* A number of its own for every thing that is not known. */
static int64_t unknown(machine *m, const pl_decl *decl) {
  if (!decl)
    return UNKNOWN_STEP;
  int64_t value = UNKNOWN_STEP * (int64_t)(m->n + 1);
  bind(m, decl, value);
  return value;
}

static bool is_place(const pl_type *type) {
  return type && (type->kind == PL_TYPE_ARRAY ||
                  (type->kind == PL_TYPE_REFERENCE && type->element &&
                   type->element->kind != PL_TYPE_INT));
}

static int64_t name_value(machine *m, pl_node *node) {
  pl_decl *decl = node->decl;
  int64_t value;
  if (!decl)
    return unknown(m, NULL);
  if (pl_loop_tile(m->loop, decl))
    return 0;
  int64_t *held = bound(m, decl);
  if (held)
    return *held;
  if (pl_loop_eval(m->loop, m->instance, node, &value, NULL))
    return value;
  if (decl->kind != PL_DECL_VAR || !decl->init || !decl->owner || m->depth > 16)
    return unknown(m, decl);
  m->depth++;
  value = is_place(decl->type) ? place_of(m, decl->init)
                               : value_of(m, decl->init);
  m->depth--;
  bind(m, decl, value);
  return value;
}

static int axis_of(const pl_node *node, const char *name) {
  const pl_node *base =
      node->kind == PL_NODE_MEMBER ? pl_node_bare(node->kids[0]) : NULL;
  bool named = base && base->kind == PL_NODE_REF && node->name.n == 1 &&
               pl_str_is(base->name, name);
  return named ? node->name.p[0] - 'x' : -1;
}

/* ---- expressions --------------------------------------------------------------- */

/* The type of what is indexed, with the bounds that the instantiation gives. */
static const pl_type *indexed_type(const machine *m, const pl_node *node) {
  const pl_node *bare = pl_node_bare((pl_node *)node);
  const pl_type *type = bare ? bare->type : NULL;
  if (bare && bare->kind == PL_NODE_REF && bare->decl)
    type = pl_decl_type(bare->decl, m->instance);
  else if (bare && bare->kind == PL_NODE_SUBSCRIPT) {
    const pl_type *outer = indexed_type(m, bare->kids[0]);
    type = outer && outer->element ? outer->element : type;
  }
  return type && type->kind == PL_TYPE_REFERENCE ? type->element : type;
}

/* The bytes of what a pointer or array holds. Rows of open length are far apart,
 * planes of them farther: no index in bounds leads from one to the next. */
static int64_t element_size(const machine *m, const pl_node *indexed) {
  const pl_type *type = indexed_type(m, indexed);
  const pl_type *element = type ? type->element : NULL;
  int64_t size = pl_type_size(element, m->loop->func, m->instance);
  if (size > 0 || !element || element->kind != PL_TYPE_ARRAY)
    return size > 0 ? size : 4;
  bool plane = element->element && element->element->kind == PL_TYPE_ARRAY;
  return plane ? UNKNOWN_ROW << 16 : UNKNOWN_ROW;
}

static bool is_pointer(const pl_node *node) {
  return node->type && (node->type->kind == PL_TYPE_POINTER ||
                        node->type->kind == PL_TYPE_ARRAY);
}

static int64_t arithmetic(pl_op op, int64_t a, int64_t b) {
  uint64_t x = (uint64_t)a, y = (uint64_t)b;
  switch (op) {
  case PL_OP_ADD: return (int64_t)(x + y);
  case PL_OP_SUB: return (int64_t)(x - y);
  case PL_OP_MUL: return (int64_t)(x * y);
  case PL_OP_DIV: return b == 0 || b == -1 ? 0 : a / b;
  case PL_OP_REM: return b == 0 || b == -1 ? 0 : a % b;
  case PL_OP_SHL: return (int64_t)(x << (y & 63));
  case PL_OP_SHR: return a >> (y & 63);
  case PL_OP_AND: return a & b;
  case PL_OP_OR: return a | b;
  case PL_OP_XOR: return a ^ b;
  case PL_OP_LT: return a < b;
  case PL_OP_GT: return a > b;
  case PL_OP_LE: return a <= b;
  case PL_OP_GE: return a >= b;
  case PL_OP_EQ: return a == b;
  case PL_OP_NE: return a != b;
  case PL_OP_LAND: return a && b;
  case PL_OP_LOR: return a || b;
  case PL_OP_COMMA: return b;
  default: return UNKNOWN_STEP;
  }
}

static int64_t binary(machine *m, pl_node *node) {
  int64_t a = value_of(m, node->kids[0]), b = value_of(m, node->kids[1]);
  if (is_pointer(node->kids[0]) && !is_pointer(node->kids[1]))
    b *= element_size(m, node->kids[0]);
  else if (is_pointer(node->kids[1]) && !is_pointer(node->kids[0]))
    a *= element_size(m, node->kids[1]);
  return arithmetic(node->op, a, b);
}

/* Sets what a left side names, where that is a local as a whole. */
static int64_t assign(machine *m, pl_node *target, int64_t value) {
  target = pl_node_bare(target);
  if (target->kind == PL_NODE_REF && target->decl &&
      !pl_loop_tile(m->loop, target->decl))
    bind(m, target->decl, value);
  return value;
}

static int64_t step(machine *m, pl_node *node) {
  pl_node *of = node->kids[0];
  int64_t by = is_pointer(of) ? element_size(m, of) : 1;
  bool down = node->op == PL_OP_PREDEC || node->op == PL_OP_POSTDEC;
  int64_t old = value_of(m, of);
  int64_t fresh = assign(m, of, old + (down ? -by : by));
  return node->op == PL_OP_PREINC || node->op == PL_OP_PREDEC ? fresh : old;
}

static int64_t unary(machine *m, pl_node *node) {
  switch (node->op) {
  case PL_OP_PREINC:
  case PL_OP_POSTINC:
  case PL_OP_PREDEC:
  case PL_OP_POSTDEC:
    return step(m, node);
  case PL_OP_MINUS:
    return -value_of(m, node->kids[0]);
  case PL_OP_PLUS:
    return value_of(m, node->kids[0]);
  case PL_OP_NOT:
    return ~value_of(m, node->kids[0]);
  case PL_OP_LNOT:
    return !value_of(m, node->kids[0]);
  case PL_OP_ADDR:
    return place_of(m, node->kids[0]);
  default:
    return unknown(m, NULL);
  }
}

/* The value, or the place, that a function of the file returns: declarations
 * and a return. */
static bool enter(machine *m, pl_node *call, pl_node **result) {
  const pl_func *func = call->decl ? call->decl->func : NULL;
  pl_node *body = func ? func->body : NULL;
  if (!body || m->depth > 8 || func->nparams + 1 != call->nkids)
    return false;
  for (uint32_t i = 0; i < body->nkids; i++)
    if (!body->kids[i] || (body->kids[i]->kind != PL_NODE_DECL_STMT &&
                           body->kids[i]->kind != PL_NODE_RETURN))
      return false;
  for (uint32_t i = 0; i < func->nparams; i++) {
    pl_decl *param = func->params[i];
    pl_node *arg = call->kids[i + 1];
    bind(m, param, is_place(param->type)
                       ? place_of(m, arg)
                       : value_of(m, arg));
  }
  for (uint32_t i = 0; i < body->nkids; i++) {
    if (body->kids[i]->kind == PL_NODE_DECL_STMT)
      run(m, body->kids[i]);
    else
      *result = body->kids[i]->nkids ? body->kids[i]->kids[0] : NULL;
  }
  return *result != NULL;
}

static int64_t called(machine *m, pl_node *call) {
  pl_node *result = NULL;
  bool less = pl_str_is(call->name, "min"), more = pl_str_is(call->name, "max");
  if ((less || more) && call->nkids == 3) {
    int64_t a = value_of(m, call->kids[1]), b = value_of(m, call->kids[2]);
    return (a < b) == less ? a : b;
  }
  if (!enter(m, call, &result))
    return unknown(m, NULL);
  m->depth++;
  int64_t value = value_of(m, result);
  m->depth--;
  return value;
}

static int64_t value_of(machine *m, pl_node *node) {
  node = pl_node_bare(node);
  if (!node || ++m->steps > MOST_STEPS)
    return 0;
  if (node->has_ival)
    return node->ival;
  int axis = axis_of(node, "threadIdx");
  if (axis >= 0 && axis < 3)
    return m->thread[axis];
  axis = axis_of(node, "blockDim");
  if (axis >= 0 && axis < 3)
    return pl_block_extent(m->loop, "xyz"[axis], true);
  switch (node->kind) {
  case PL_NODE_REF:
    return name_value(m, node);
  case PL_NODE_CAST:
    return node->nkids ? value_of(m, node->kids[0]) : 0;
  case PL_NODE_UNARY:
    return unary(m, node);
  case PL_NODE_BINARY:
    return binary(m, node);
  case PL_NODE_COND:
    return value_of(m, value_of(m, node->kids[0]) ? node->kids[1]
                                                  : node->kids[2]);
  case PL_NODE_ASSIGN:
    run(m, node);
    return value_of(m, node->kids[0]);
  case PL_NODE_CALL:
    return called(m, node);
  case PL_NODE_SUBSCRIPT:
  case PL_NODE_MEMBER:
    if (is_pointer(node))
      return place_of(m, node);
    return unknown(m, NULL);
  default:
    return unknown(m, NULL);
  }
}

/* ---- places --------------------------------------------------------------------- */

/* Bytes between the tile's begin and what an lvalue names. */
static int64_t place_of(machine *m, pl_node *node) {
  node = pl_node_bare(node);
  if (!node || ++m->steps > MOST_STEPS || node->nkids == 0)
    return node ? value_of(m, node) : 0;
  pl_node *base = node->kids[0], *result = NULL;
  switch (node->kind) {
  case PL_NODE_SUBSCRIPT: {
    bool array = base->type && base->type->kind != PL_TYPE_POINTER;
    int64_t at = array ? place_of(m, base) : value_of(m, base);
    return arithmetic(PL_OP_ADD, at,
                      arithmetic(PL_OP_MUL, value_of(m, node->kids[1]),
                                 element_size(m, base)));
  }
  case PL_NODE_MEMBER: {
    int64_t at = node->is_arrow ? value_of(m, base) : place_of(m, base);
    return at + (node->decl && node->decl->is_field ? node->decl->field_offset
                                                    : 0);
  }
  case PL_NODE_UNARY:
    return node->op == PL_OP_DEREF ? value_of(m, base) : value_of(m, node);
  case PL_NODE_CAST:
    return place_of(m, base);
  case PL_NODE_CALL: {
    if (!enter(m, node, &result))
      return unknown(m, NULL);
    m->depth++;
    int64_t at = place_of(m, result);
    m->depth--;
    return at;
  }
  default:
    return value_of(m, node);
  }
}

/* ---- statements ------------------------------------------------------------------ */

static void store(machine *m, const pl_copy *copy) {
  cell fresh = {.copy = copy};
  fresh.begin = place_of(m, copy->dst);
  fresh.end = fresh.begin + (copy->bytes > 0 ? copy->bytes : 1);
  if (m->ncells < MOST_CELLS && copy->load)
    PL_PUSH(m->loop->arena, m->cells, m->ncells, m->cells_cap, fresh);
}

static void run_loop(machine *m, pl_node *cond, pl_node *body, pl_node *next) {
  while (m->ncells < MOST_CELLS && m->steps++ < MOST_STEPS &&
         (!cond || value_of(m, cond))) {
    run(m, body);
    if (next)
      value_of(m, next);
  }
}

static void run(machine *m, pl_node *node) {
  if (!node || ++m->steps > MOST_STEPS)
    return;
  const pl_copy *copy = pl_fill_copy(m->fill, node);
  if (copy) {
    value_of(m, copy->src);
    store(m, copy);
    return;
  }
  switch (node->kind) {
  case PL_NODE_COMPOUND:
  case PL_NODE_DECL_STMT:
    for (uint32_t i = 0; i < node->nkids; i++)
      run(m, node->kids[i]);
    return;
  case PL_NODE_VAR:
    if (node->nkids && node->decl)
      bind(m, node->decl, is_place(node->decl->type)
                              ? place_of(m, node->kids[0])
                              : value_of(m, node->kids[0]));
    return;
  case PL_NODE_FOR:
    run(m, node->kids[0]);
    run_loop(m, node->kids[1], node->kids[3], node->kids[2]);
    return;
  case PL_NODE_WHILE:
    run_loop(m, node->kids[0], node->kids[1], NULL);
    return;
  case PL_NODE_IF:
    value_of(m, node->kids[0]);
    run(m, node->kids[1]);
    run(m, node->nkids > 2 ? node->kids[2] : NULL);
    return;
  case PL_NODE_ASSIGN: {
    int64_t value = value_of(m, node->kids[1]);
    if (node->op != PL_OP_ASSIGN) {
      int64_t by = is_pointer(node->kids[0]) ? element_size(m, node->kids[0])
                                             : 1;
      value = arithmetic(node->op, value_of(m, node->kids[0]), value * by);
    }
    assign(m, node->kids[0], value);
    return;
  }
  default:
    value_of(m, node);
  }
}

/* ---- meetings -------------------------------------------------------------------- */

/* Whether the bounds of a tile's rows are open. */
static bool has_open_rows(const machine *m, const pl_tile *tile) {
  const pl_type *type = pl_decl_type(tile->decl, m->instance);
  return type && type->element && type->element->kind == PL_TYPE_ARRAY &&
         pl_type_size(type->element, m->loop->func, m->instance) < 0;
}

/* Whether a place is named by row and column, `s[1][i][j]`, so that another
 * row is another place whatever the bounds are. */
static bool goes_by_rows(const pl_node *place) {
  place = pl_node_bare((pl_node *)place);
  while (place->nkids && !place->is_arrow &&
         (place->kind == PL_NODE_SUBSCRIPT || place->kind == PL_NODE_MEMBER)) {
    place = pl_node_bare(place->kids[0]);
    if (place->type && place->type->kind == PL_TYPE_POINTER)
      return false;
  }
  return place->kind == PL_NODE_REF;
}

static bool overlap(const machine *m, const cell *a, const cell *b) {
  bool rows = goes_by_rows(a->copy->dst) && goes_by_rows(b->copy->dst);
  return (a->begin < b->end && b->begin < a->end) ||
         (!rows && has_open_rows(m, a->copy->tile));
}

static bool meet(const machine *m, const cell *a, const cell *b) {
  return a->copy->tile == b->copy->tile && overlap(m, a, b) &&
         (a->copy == b->copy ||
          !pl_are_exclusive(a->copy->store, b->copy->store));
}

static void run_thread(pl_loop *loop, const pl_fill *fill,
                       const pl_instance *instance, int64_t x, int64_t y) {
  machine m = {
      .loop = loop, .fill = fill, .instance = instance, .thread = {x, y, 0}};
  for (size_t i = 0; i < fill->nroots; i++)
    run(&m, fill->roots[i]);
  for (size_t i = 0; i < m.ncells; i++)
    for (size_t k = 0; k < i && !m.cells[i].copy->tile->stored_twice; k++)
      if (meet(&m, &m.cells[i], &m.cells[k]))
        m.cells[i].copy->tile->stored_twice = true;
}

static void run_threads(pl_loop *loop, const pl_fill *fill,
                        const pl_instance *instance) {
  int64_t wide = pl_block_extent(loop, 'x', true);
  int64_t high = pl_block_extent(loop, 'y', true);
  run_thread(loop, fill, instance, 0, 0);
  run_thread(loop, fill, instance, wide > 1 ? 1 : 0, high > 1 ? 1 : 0);
  run_thread(loop, fill, instance, wide > 0 ? wide - 1 : 0,
             high > 0 ? high - 1 : 0);
}

void pl_mark_meetings(pl_loop *loop, const pl_fill *fill) {
  if (!loop->func->ninstances)
    run_threads(loop, fill, NULL);
  for (uint32_t i = 0; i < loop->func->ninstances; i++)
    run_threads(loop, fill, &loop->func->instances[i]);
}
