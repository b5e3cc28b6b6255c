/* cells.c - do two of a thread's copies meet in one cell of a tile?
 *
 * Needs: the copies of a fill. Gives: stored_twice for tiles where they do, as
 * asynchronous copies land in no order. Raises: nothing.
 *
 * The text that fills the tiles is run for the threads of the block, on numbers:
 * loops and locals as they stand, what only a launch or memory decides as large
 * numbers. Two stores of one thread to overlapping bytes are a meeting, unless
 * they stand in the two arms of a branch.
 *
 * It is run in several worlds, which differ in what those numbers are. Where the
 * distance of two cells is not the same in all, what is not known decides it,
 * and some value may bring them together. */
#include "loop.h"

#include <stdlib.h>

#define MOST_CELLS 2048
#define MOST_STEPS 100000
#define MOST_CELLS_LATER 128 /* of a thread that is not the first */
#define MOST_WORK 1500000    /* steps of all threads in all worlds */
#define UNKNOWN_STEP 1048583 /* apart from all that a kernel counts to */
#define UNKNOWN_ROW ((int64_t)1 << 32) /* bytes of a row whose length is open */

/* What is not known: large numbers, others, all zero, all one, negative. */
enum { WORLD_FIRST, WORLD_OTHER, WORLD_ZERO, WORLD_ONE, WORLD_BELOW, WORLDS };

typedef struct binding {
  const pl_decl *decl;
  int64_t value; /* of a pointer, array or reference: bytes from the tile */
  bool open;     /* rests on what is not known */
} binding;

typedef struct cell {
  const pl_copy *copy;
  pl_tile *tile; /* of the loop, also where a load helper fills it */
  int64_t begin, end;
  uint64_t where; /* which execution of the copy: its loops' iterations */
} cell;

/* What all runs share. */
typedef struct survey {
  pl_loop *loop;
  const pl_fill *fill;
  int64_t extent[3];
  int64_t work;
  struct assigned {
    const pl_decl *decl;
    bool is;
  } * assigned;
  size_t n, cap;
} survey;

typedef struct machine {
  survey *all;
  pl_loop *loop;
  const pl_fill *fill;
  const pl_instance *instance;
  binding *items;
  size_t n, cap;
  cell *cells;
  size_t ncells, cells_cap, most_cells;
  struct handed {
    const pl_decl *param; /* of a load helper */
    pl_tile *tile;        /* that it is handed */
    const pl_node *call;
  } * handed;
  size_t nhanded, handed_cap;
  const pl_func *func;
  int64_t thread[3];
  uint64_t where;
  int world, steps, depth;
  bool open; /* what was evaluated rests on something that is not known */
  bool counts; /* the condition of a loop is asked: numbers decide it */
} machine;

static int64_t value_of(machine *m, pl_node *node);
static int64_t place_of(machine *m, pl_node *node);
static void run(machine *m, pl_node *node);
static void declare(machine *m, const pl_decl *decl, pl_node *init);

/* ---- names ------------------------------------------------------------------ */

static binding *bound(machine *m, const pl_decl *decl) {
  for (size_t i = m->n; i-- > 0;)
    if (m->items[i].decl == decl)
      return &m->items[i];
  return NULL;
}

static void bind(machine *m, const pl_decl *decl, int64_t value, bool open) {
  binding *old = bound(m, decl);
  binding fresh = {decl, value, open};
  if (old)
    *old = fresh;
  else
    PL_PUSH(m->loop->arena, m->items, m->n, m->cap, fresh);
}

static uint64_t mix(uint64_t a, uint64_t b) {
  return (a ^ b) * 1099511628211u + (a >> 29);
}

/* A number of its own for every thing that is not known, in this world. */
static int64_t number(machine *m, uint64_t key) {
  int64_t apart = (int64_t)(key % 4093) + 1;
  m->open = true;
  switch (m->world) {
  case WORLD_FIRST:
    return UNKNOWN_STEP * apart;
  case WORLD_OTHER:
    return UNKNOWN_STEP * (4099 + 3 * (4093 - apart)) + 8 * apart + 5;
  case WORLD_ZERO:
    return 0;
  case WORLD_ONE:
    return 1;
  default:
    return -UNKNOWN_STEP * apart - 3 * apart;
  }
}

static int64_t unknown(machine *m, const pl_decl *decl) {
  int64_t value = number(m, decl ? mix(decl->name_range.begin, 1469598103u)
                                 : 0);
  if (decl)
    bind(m, decl, value, true);
  return value;
}

/* The same text has the same number. */
static int64_t unknown_text(machine *m, const pl_node *node) {
  pl_str text = pl_unit_slice(m->loop->unit, node->range);
  uint64_t key = 1469598103934665603u;
  for (size_t i = 0; i < text.n; i++)
    key = mix(key, (unsigned char)text.p[i]);
  return number(m, key);
}

/* Whether a variable is set anywhere but where it is declared. */
static bool is_assigned(survey *all, const pl_decl *decl) {
  for (size_t i = 0; i < all->n; i++)
    if (all->assigned[i].decl == decl)
      return all->assigned[i].is;
  struct assigned fresh = {
      decl, decl->owner && decl->owner->body &&
                pl_assigned_anywhere(decl->owner->body, decl)};
  PL_PUSH(all->loop->arena, all->assigned, all->n, all->cap, fresh);
  return fresh.is;
}

static bool is_place(const pl_type *type) {
  return type && (type->kind == PL_TYPE_ARRAY ||
                  (type->kind == PL_TYPE_REFERENCE && type->element &&
                   type->element->kind != PL_TYPE_INT));
}

/* Gives a variable what an expression is, and whether that is known. */
static void declare(machine *m, const pl_decl *decl, pl_node *init) {
  bool before = m->open;
  m->open = false;
  int64_t value = is_place(decl->type) ? place_of(m, init) : value_of(m, init);
  bind(m, decl, value, m->open);
  m->open = m->open || before;
}

static int64_t name_value(machine *m, pl_node *node) {
  pl_decl *decl = node->decl;
  int64_t value;
  if (!decl)
    return unknown_text(m, node);
  if (pl_loop_tile(m->loop, decl))
    return 0;
  if (!decl->in_main && pl_str_is(decl->name, "warpSize"))
    return 32;
  binding *held = bound(m, decl);
  if (held) {
    m->open = m->open || held->open;
    return held->value;
  }
  if (pl_loop_eval(m->loop, m->instance, node, &value, NULL))
    return value;
  if (decl->kind != PL_DECL_VAR || !decl->init || !decl->owner ||
      m->depth > 16 || (m->world != WORLD_FIRST && is_assigned(m->all, decl)))
    return unknown(m, decl);
  m->depth++;
  declare(m, decl, decl->init);
  m->depth--;
  return bound(m, decl)->value;
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

static int64_t operation(machine *m, pl_node *node) {
  int64_t a = value_of(m, node->kids[0]), b = value_of(m, node->kids[1]);
  if (is_pointer(node->kids[0]) && !is_pointer(node->kids[1]))
    b *= element_size(m, node->kids[0]);
  else if (is_pointer(node->kids[1]) && !is_pointer(node->kids[0]))
    a *= element_size(m, node->kids[1]);
  return arithmetic(node->op, a, b);
}

static bool is_question(pl_op op) {
  return op == PL_OP_LT || op == PL_OP_GT || op == PL_OP_LE || op == PL_OP_GE ||
         op == PL_OP_EQ || op == PL_OP_NE || op == PL_OP_LAND ||
         op == PL_OP_LOR;
}

/* A comparison of what is not known is true in one world, false in another. */
static int64_t binary(machine *m, pl_node *node) {
  bool before = m->open;
  m->open = false;
  int64_t value = operation(m, node);
  if (m->open && !m->counts && is_question(node->op))
    value = m->world % 2 == 0;
  m->open = m->open || before;
  return value;
}

/* Sets what a left side names, where that is a local as a whole. */
static int64_t assign(machine *m, pl_node *target, int64_t value) {
  target = pl_node_bare(target);
  if (target->kind == PL_NODE_REF && target->decl &&
      !pl_loop_tile(m->loop, target->decl))
    bind(m, target->decl, value, m->open);
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
    return unknown_text(m, node);
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
    declare(m, param, arg);
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
    return unknown_text(m, call);
  m->depth++;
  int64_t value = value_of(m, result);
  m->depth--;
  return value;
}

/* The arm of `c ? a : b`; where nothing is known of c, one and the other. */
static pl_node *chosen(machine *m, pl_node *node) {
  bool before = m->open;
  m->open = false;
  bool yes = value_of(m, node->kids[0]) != 0;
  if (m->open)
    yes = m->world % 2 == 0;
  m->open = m->open || before;
  return node->kids[yes ? 1 : 2];
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
    return m->all->extent[axis];
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
    return value_of(m, chosen(m, node));
  case PL_NODE_ASSIGN:
    run(m, node);
    return value_of(m, node->kids[0]);
  case PL_NODE_CALL:
    return called(m, node);
  case PL_NODE_SUBSCRIPT:
  case PL_NODE_MEMBER:
    if (is_pointer(node))
      return place_of(m, node);
    return unknown_text(m, node);
  default:
    return unknown_text(m, node);
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
      return unknown_text(m, node);
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

static pl_tile *handed_tile(const machine *m, const pl_decl *decl) {
  for (size_t i = m->nhanded; i-- > 0;)
    if (m->handed[i].param == decl)
      return m->handed[i].tile;
  return NULL;
}

static void store(machine *m, const pl_copy *copy) {
  pl_tile *outer = handed_tile(m, copy->tile->decl);
  cell fresh = {.copy = copy,
                .tile = outer ? outer : copy->tile,
                .where = m->where};
  fresh.begin = place_of(m, copy->dst);
  fresh.end = fresh.begin + (copy->bytes > 0 ? copy->bytes : 1);
  if (m->ncells < m->most_cells && copy->load)
    PL_PUSH(m->loop->arena, m->cells, m->ncells, m->cells_cap, fresh);
}

static bool goes_on(machine *m, pl_node *cond) {
  m->counts = true;
  bool more = m->ncells < m->most_cells && m->steps++ < MOST_STEPS &&
              (!cond || value_of(m, cond));
  m->counts = false;
  return more;
}

static void run_loop(machine *m, pl_node *cond, pl_node *body, pl_node *next) {
  uint64_t before = m->where;
  for (uint64_t i = 0; goes_on(m, cond); i++) {
    m->where = mix(mix(before, body ? body->range.begin : 0), i + 1);
    run(m, body);
    if (next)
      value_of(m, next);
  }
  m->where = before;
}

/* Gives a load helper's parameter what it is handed. */
static void hand(machine *m, const pl_decl *param, pl_node *arg,
                 const pl_node *call) {
  pl_roots roots = {0};
  pl_roots_of(m->loop->effects, m->func, arg, &roots);
  declare(m, param, arg);
  for (size_t i = 0; i < roots.n; i++) {
    const pl_decl *decl = roots.items[i].decl;
    pl_tile *tile = decl ? handed_tile(m, decl) : NULL;
    struct handed fresh = {
        param, tile ? tile : pl_loop_tile(m->loop, decl), call};
    if (fresh.tile)
      PL_PUSH(m->loop->arena, m->handed, m->nhanded, m->handed_cap, fresh);
  }
}

/* A template's text cannot be run with the caller's constants: another call that
 * fills the same tile may meet it. */
static void mark_other_calls(machine *m, const pl_node *call) {
  for (size_t i = 0; i < m->nhanded; i++)
    for (size_t k = 0; k < m->nhanded; k++)
      if (m->handed[i].call == call && m->handed[k].call != call &&
          m->handed[i].tile == m->handed[k].tile &&
          !pl_are_exclusive(m->handed[k].call, call))
        m->handed[i].tile->stored_twice = true;
}

/* Runs a load helper's text with its arguments. */
static void run_helper(machine *m, const pl_fill_call *call) {
  const pl_func *func = call->body->func, *outer = m->func;
  const pl_fill *fill = m->fill;
  uint64_t where = m->where;
  if (m->depth > 8)
    return;
  for (uint32_t i = 0; i < func->nparams && i + 1 < call->node->nkids; i++)
    hand(m, func->params[i], call->node->kids[i + 1], call->node);
  if (func->is_template || outer->is_template) {
    mark_other_calls(m, call->node);
    return;
  }
  m->depth++;
  m->func = func;
  m->fill = &call->body->fill;
  m->where = mix(where, call->node->range.begin);
  for (size_t i = 0; i < m->fill->nroots; i++)
    run(m, m->fill->roots[i]);
  m->where = where;
  m->fill = fill;
  m->func = outer;
  m->depth--;
}

static void run(machine *m, pl_node *node) {
  if (!node || ++m->steps > MOST_STEPS)
    return;
  const pl_fill_call *call = pl_fill_call_at(m->fill, node);
  if (call) {
    run_helper(m, call);
    return;
  }
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
      declare(m, node->decl, node->kids[0]);
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
    m->open = false;
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

static bool are_exclusive(const cell *a, const cell *b) {
  return a->copy != b->copy && pl_are_exclusive(a->copy->store, b->copy->store);
}

static int by_place(const void *x, const void *y) {
  const cell *a = x, *b = y;
  if (a->tile != b->tile)
    return a->tile < b->tile ? -1 : 1;
  return (a->begin > b->begin) - (a->begin < b->begin);
}

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

/* Sorts a thread's cells and marks those that lie over each other. */
static void mark_overlaps(machine *m) {
  qsort(m->cells, m->ncells, sizeof *m->cells, by_place);
  for (size_t i = 0; i < m->ncells; i++) {
    const cell *a = &m->cells[i];
    bool open = has_open_rows(m, a->tile);
    for (size_t k = i + 1; k < m->ncells; k++) {
      const cell *b = &m->cells[k];
      if (a->tile != b->tile || (b->begin >= a->end && !open))
        break;
      bool rows = goes_by_rows(a->copy->dst) && goes_by_rows(b->copy->dst);
      if ((b->begin < a->end || !rows) && !are_exclusive(a, b))
        a->tile->stored_twice = true;
    }
  }
}

/* ---- worlds ---------------------------------------------------------------------- */

static bool was_cut(const machine *m) {
  return m->ncells >= m->most_cells || m->steps >= MOST_STEPS;
}

/* How much further a cell lies in another world; false: it is not stored there. */
static bool shift_of(const machine *other, const cell *of, int64_t *shift) {
  for (size_t i = 0; i < other->ncells; i++)
    if (other->cells[i].copy == of->copy && other->cells[i].where == of->where) {
      *shift = other->cells[i].begin - of->begin;
      return true;
    }
  return false;
}

/* Marks tiles of which two cells are not as far apart as in the first world. */
static void mark_shifts(const machine *first, const machine *other) {
  for (size_t i = 0; i < first->ncells; i++) {
    const cell *a = &first->cells[i];
    int64_t here, there;
    if (a->tile->stored_twice || !shift_of(other, a, &here))
      continue;
    for (size_t k = i; k-- > 0;) {
      const cell *b = &first->cells[k];
      if (a->tile != b->tile)
        break;
      if (are_exclusive(a, b) || !shift_of(other, b, &there))
        continue;
      if (here != there)
        a->tile->stored_twice = true;
      break;
    }
  }
}

/* ---- threads --------------------------------------------------------------------- */

static machine run_world(survey *all, const pl_instance *instance, int world,
                         const int64_t *thread, size_t most_cells) {
  machine m = {.all = all,
               .loop = all->loop,
               .fill = all->fill,
               .instance = instance,
               .world = world,
               .func = all->loop->func,
               .most_cells = most_cells,
               .thread = {thread[0], thread[1], thread[2]}};
  for (size_t i = 0; i < all->fill->nroots; i++)
    run(&m, all->fill->roots[i]);
  all->work += m.steps;
  return m;
}

static void run_thread(survey *all, const pl_instance *instance, int64_t x,
                       int64_t y, int64_t z, bool is_first) {
  int64_t thread[3] = {x, y, z};
  size_t most = is_first ? MOST_CELLS : MOST_CELLS_LATER;
  machine first = run_world(all, instance, WORLD_FIRST, thread, most);
  mark_overlaps(&first);
  for (int world = WORLD_OTHER; world < WORLDS; world++) {
    machine other =
        run_world(all, instance, world, thread, MOST_CELLS_LATER);
    if (was_cut(&other) && world != WORLD_OTHER)
      continue;
    mark_overlaps(&other);
    mark_shifts(&first, &other);
  }
}

/* The first threads and the last, then all. */
static void run_block(survey *all, const pl_instance *instance) {
  int64_t wide = all->extent[0], high = all->extent[1], deep = all->extent[2];
  run_thread(all, instance, 0, 0, 0, true);
  run_thread(all, instance, wide > 1, high > 1, deep > 1, true);
  run_thread(all, instance, wide > 0 ? wide - 1 : 0, high > 0 ? high - 1 : 0,
             deep > 0 ? deep - 1 : 0, true);
  for (int64_t z = 0; z < deep; z++)
    for (int64_t y = 0; y < high; y++)
      for (int64_t x = 0; x < wide && all->work < MOST_WORK; x++)
        run_thread(all, instance, x, y, z, false);
  bool known = pl_block_threads(all->loop) > 0;
  for (int64_t x = wide; !known && x < 1024 && all->work < MOST_WORK; x++)
    run_thread(all, instance, x, 0, 0, false);
}

static bool is_repeated(const pl_loop *loop, const pl_copy *copy) {
  for (const pl_node *up = copy->store->parent; up && up != loop->body;
       up = up->parent)
    if (pl_node_is_loop(up))
      return true;
  return false;
}

/* Whether a tile has more than one store of a thread. */
static bool may_meet(const pl_loop *loop, const pl_fill *fill) {
  if (fill->ncalls)
    return true;
  for (size_t i = 0; i < fill->ncopies; i++) {
    if (is_repeated(loop, &fill->copies[i]))
      return true;
    for (size_t k = 0; k < i; k++)
      if (fill->copies[i].tile == fill->copies[k].tile)
        return true;
  }
  return false;
}

void pl_mark_meetings(pl_loop *loop, const pl_fill *fill) {
  survey all = {.loop = loop, .fill = fill};
  if (!may_meet(loop, fill))
    return;
  for (int i = 0; i < 3; i++)
    all.extent[i] = pl_block_extent(loop, "xyz"[i], true);
  if (!loop->func->ninstances)
    run_block(&all, NULL);
  for (uint32_t i = 0; i < loop->func->ninstances && i < 8; i++)
    run_block(&all, &loop->func->instances[i]);
}
