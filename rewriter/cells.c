/* cells.c - which cells of a tile does a thread store to?
 *
 * Needs: the copies of a fill. Gives: the cells that the text of the fill stores
 * to, run for a thread with what is not known as numbers. Raises: nothing. */
#include "cells.h"

#define UNKNOWN_STEP 1048583 /* apart from all that a kernel counts to */
#define UNKNOWN_ROW ((int64_t)1 << 32) /* bytes of a row whose length is open */

static int64_t value_of(pl_machine *m, pl_node *node);
static int64_t place_of(pl_machine *m, pl_node *node);
static void run(pl_machine *m, pl_node *node);
static void declare(pl_machine *m, const pl_decl *decl, pl_node *init);

/* ---- names ------------------------------------------------------------------ */

static pl_binding *bound(pl_machine *m, const pl_decl *decl) {
  for (size_t i = m->n; i-- > 0;)
    if (m->items[i].decl == decl)
      return &m->items[i];
  return NULL;
}

static void bind(pl_machine *m, const pl_decl *decl, int64_t value,
                 unsigned rests) {
  pl_binding *old = bound(m, decl);
  pl_binding fresh = {decl, value, rests};
  if (old)
    *old = fresh;
  else
    PL_PUSH(m->loop->arena, m->items, m->n, m->cap, fresh);
}

static uint64_t mix(uint64_t a, uint64_t b) {
  return (a ^ b) * 1099511628211u + (a >> 29);
}

/* A number of its own for every thing that is not known, in this world. */
static int64_t number(pl_machine *m, uint64_t key) {
  int64_t apart = (int64_t)(key % 4093) + 1;
  m->rests |= ON_UNKNOWN;
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

static int64_t unknown(pl_machine *m, const pl_decl *decl) {
  int64_t value = number(m, decl ? mix(decl->name_range.begin, 1469598103u)
                                 : 0);
  if (decl)
    bind(m, decl, value, ON_UNKNOWN);
  return value;
}

/* The same text has the same number. */
static int64_t unknown_text(pl_machine *m, const pl_node *node) {
  pl_str text = pl_unit_slice(m->loop->unit, node->range);
  uint64_t key = 1469598103934665603u;
  for (size_t i = 0; i < text.n; i++)
    key = mix(key, (unsigned char)text.p[i]);
  return number(m, key);
}

/* Whether a variable is set anywhere but where it is declared. */
static bool is_assigned(pl_survey *all, const pl_decl *decl) {
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
static void declare(pl_machine *m, const pl_decl *decl, pl_node *init) {
  unsigned before = m->rests;
  m->rests = 0;
  int64_t value = is_place(decl->type) ? place_of(m, init) : value_of(m, init);
  bind(m, decl, value, m->rests);
  m->rests |= before;
}

/* `Traits::kThreads`: what the instantiation says, in the text that it is of. */
static int64_t member_constant(pl_machine *m, pl_node *node) {
  int64_t value;
  if (m->func == m->loop->func &&
      pl_loop_eval(m->loop, m->instance, node, &value, NULL))
    return value;
  return unknown_text(m, node);
}

static int64_t name_value(pl_machine *m, pl_node *node) {
  pl_decl *decl = node->decl;
  int64_t value;
  if (!decl)
    return member_constant(m, node);
  pl_binding *held = bound(m, decl);
  if (held) {
    m->rests |= held->rests;
    return held->value;
  }
  if (pl_loop_tile(m->loop, decl))
    return 0;
  if (!decl->in_main && pl_str_is(decl->name, "warpSize"))
    return 32;
  if (pl_loop_eval(m->loop, m->instance, node, &value, NULL))
    return value;
  bool plain = decl->kind == PL_DECL_VAR && decl->init && decl->owner &&
               m->depth <= 16;
  bool assigned = plain && is_assigned(m->all, decl);
  if (!plain || (m->world != WORLD_FIRST && assigned))
    return unknown(m, decl);
  m->depth++;
  declare(m, decl, decl->init);
  m->depth--;
  held = bound(m, decl);
  held->rests |= assigned ? ON_START : 0;
  m->rests |= held->rests;
  return held->value;
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
static const pl_type *indexed_type(const pl_machine *m, const pl_node *node) {
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
static int64_t element_size(const pl_machine *m, const pl_node *indexed) {
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

/* Whether an operation makes of a sum of multiples of the thread's indices
 * something else. `left` and `right`: what its sides rest on. */
static bool op_bends(pl_op op, unsigned left, unsigned right) {
  bool by_left = left & ON_THREAD, by_right = right & ON_THREAD;
  switch (op) {
  case PL_OP_ADD:
  case PL_OP_SUB:
  case PL_OP_COMMA:
    return false;
  case PL_OP_MUL:
    return by_left && by_right;
  case PL_OP_SHL:
    return by_right;
  default:
    return by_left || by_right;
  }
}

/* Numbers from which the thread chooses one. */
static void choose_by(pl_machine *m) {
  m->bends = m->bends || (m->rests & ON_THREAD);
}

/* For binary, which asks what both sides rest on. */
static int64_t operation(pl_machine *m, pl_node *node) {
  int64_t a = value_of(m, node->kids[0]);
  unsigned left = m->rests;
  m->rests = 0;
  int64_t b = value_of(m, node->kids[1]);
  m->bends = m->bends || op_bends(node->op, left, m->rests);
  m->rests |= left;
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
static int64_t binary(pl_machine *m, pl_node *node) {
  unsigned before = m->rests;
  m->rests = 0;
  int64_t value = operation(m, node);
  if ((m->rests & ON_UNKNOWN) && !m->counts && is_question(node->op))
    value = m->world % 2 == 0;
  m->rests |= before;
  return value;
}

/* Sets what a left side names, where that is a local as a whole. */
static int64_t assign(pl_machine *m, pl_node *target, int64_t value) {
  target = pl_node_bare(target);
  if (target->kind == PL_NODE_REF && target->decl &&
      !pl_loop_tile(m->loop, target->decl))
    bind(m, target->decl, value, m->rests);
  return value;
}

static int64_t step(pl_machine *m, pl_node *node) {
  pl_node *of = node->kids[0];
  int64_t by = is_pointer(of) ? element_size(m, of) : 1;
  bool down = node->op == PL_OP_PREDEC || node->op == PL_OP_POSTDEC;
  unsigned before = m->rests;
  m->rests = 0;
  int64_t old = value_of(m, of);
  int64_t fresh = assign(m, of, old + (down ? -by : by));
  m->rests |= before;
  return node->op == PL_OP_PREINC || node->op == PL_OP_PREDEC ? fresh : old;
}

static int64_t unary(pl_machine *m, pl_node *node) {
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
  case PL_OP_LNOT: {
    int64_t value = value_of(m, node->kids[0]);
    choose_by(m);
    return node->op == PL_OP_NOT ? ~value : !value;
  }
  case PL_OP_ADDR:
    return place_of(m, node->kids[0]);
  default:
    return unknown_text(m, node);
  }
}

/* The value, or the place, that a function of the file returns: declarations
 * and a return. */
static bool enter(pl_machine *m, pl_node *call, pl_node **result) {
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

static int64_t called(pl_machine *m, pl_node *call) {
  pl_node *result = NULL;
  bool less = pl_str_is(call->name, "min"), more = pl_str_is(call->name, "max");
  bool own = call->decl && call->decl->func;
  const int64_t *extent = m->all->extent;
  if (pl_is_block_rank(call)) {
    m->rests |= ON_THREAD;
    return m->thread[0] +
           extent[0] * (m->thread[1] + extent[1] * m->thread[2]);
  }
  if (pl_is_block_size(call))
    return extent[0] * extent[1] * extent[2];
  if ((less || more) && !own && call->nkids == 3) {
    int64_t a = value_of(m, call->kids[1]), b = value_of(m, call->kids[2]);
    choose_by(m);
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
static pl_node *chosen(pl_machine *m, pl_node *node) {
  unsigned before = m->rests;
  m->rests = 0;
  bool yes = value_of(m, node->kids[0]) != 0;
  choose_by(m);
  if (m->rests & ON_UNKNOWN)
    yes = m->world % 2 == 0;
  if (m->rests & ON_WORLD)
    m->differs = m->differs || pl_node_changes(node);
  m->rests |= before;
  return node->kids[yes ? 1 : 2];
}

/* `threadIdx.x`, `blockDim.y`. */
static bool built_in(pl_machine *m, const pl_node *node, int64_t *value) {
  int axis = axis_of(node, "threadIdx"), extent = axis_of(node, "blockDim");
  if (axis >= 0 && axis < 3) {
    *value = m->thread[axis];
    m->rests |= ON_THREAD;
  } else if (extent >= 0 && extent < 3)
    *value = m->all->extent[extent];
  else
    return false;
  return true;
}

static int64_t value_of(pl_machine *m, pl_node *node) {
  int64_t value;
  node = pl_node_bare(node);
  if (!node || ++m->steps > PL_MOST_STEPS)
    return 0;
  if (node->has_ival)
    return node->ival;
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
  case PL_NODE_ASSIGN: {
    unsigned before = m->rests;
    run(m, node);
    value = value_of(m, node->kids[0]);
    m->rests |= before;
    return value;
  }
  case PL_NODE_CALL:
    return called(m, node);
  case PL_NODE_SUBSCRIPT:
  case PL_NODE_MEMBER:
    if (built_in(m, node, &value))
      return value;
    if (is_pointer(node))
      return place_of(m, node);
    return unknown_text(m, node);
  default:
    return unknown_text(m, node);
  }
}

/* ---- places --------------------------------------------------------------------- */

/* Bytes between the tile's begin and what an lvalue names. */
static int64_t place_of(pl_machine *m, pl_node *node) {
  node = pl_node_bare(node);
  if (!node || ++m->steps > PL_MOST_STEPS || node->nkids == 0)
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

static pl_tile *handed_tile(const pl_machine *m, const pl_decl *decl) {
  for (size_t i = m->nhanded; i-- > 0;)
    if (m->handed[i].param == decl)
      return m->handed[i].tile;
  return NULL;
}

static void store(pl_machine *m, const pl_copy *copy) {
  pl_tile *outer = handed_tile(m, copy->tile->decl);
  pl_cell fresh = {.copy = copy,
                .tile = outer ? outer : copy->tile,
                .where = m->where};
  m->rests = 0;
  fresh.begin = place_of(m, copy->dst);
  m->differs = m->differs || (m->rests & ON_WORLD);
  fresh.end = fresh.begin + (copy->bytes > 0 ? copy->bytes : 1);
  if (m->ncells < m->most_cells && copy->load)
    PL_PUSH(m->loop->arena, m->cells, m->ncells, m->cells_cap, fresh);
}

static bool goes_on(pl_machine *m, pl_node *cond) {
  m->counts = true;
  m->rests = 0;
  bool more = m->ncells < m->most_cells && m->steps++ < PL_MOST_STEPS &&
              (!cond || value_of(m, cond));
  m->counts = false;
  choose_by(m);
  m->differs = m->differs || (m->rests & ON_WORLD);
  return more;
}

static void run_loop(pl_machine *m, pl_node *cond, pl_node *body, pl_node *next) {
  uint64_t before = m->where;
  for (uint64_t i = 0; goes_on(m, cond); i++) {
    m->where = mix(mix(before, body ? body->range.begin : 0), i + 1);
    run(m, body);
    if (next)
      value_of(m, next);
  }
  m->where = before;
}

/* Both arms of a branch are run, whatever its condition is. */
static void ask(pl_machine *m, pl_node *cond) {
  bool bends = m->bends;
  value_of(m, cond);
  m->bends = bends || (m->bends && pl_node_changes(cond));
}

/* Gives a load helper's parameter what it is handed. */
static void hand(pl_machine *m, const pl_decl *param, pl_node *arg,
                 const pl_node *call) {
  pl_roots roots = {0};
  pl_roots_of(m->loop->effects, m->func, arg, &roots);
  declare(m, param, arg);
  for (size_t i = 0; i < roots.n; i++) {
    const pl_decl *decl = roots.items[i].decl;
    pl_tile *tile = decl ? handed_tile(m, decl) : NULL;
    struct handed fresh = {
        param, tile ? tile : pl_loop_tile(m->loop, decl), call, arg};
    if (fresh.tile)
      PL_PUSH(m->loop->arena, m->handed, m->nhanded, m->handed_cap, fresh);
  }
}

/* Whether two arguments are arrays that lie apart: members of one record, rows
 * of one array. */
static bool are_apart(const pl_unit *unit, pl_node *a, pl_node *b) {
  a = pl_node_bare(a);
  b = pl_node_bare(b);
  if (a->kind != b->kind || !a->nkids || !b->nkids || a->is_arrow ||
      b->is_arrow || !pl_same_text(unit, a->kids[0], b->kids[0]))
    return false;
  if (a->kind == PL_NODE_MEMBER)
    return !pl_str_eq(a->name, b->name);
  return a->kind == PL_NODE_SUBSCRIPT && a->type && a->kids[1]->has_ival &&
         a->type->kind == PL_TYPE_ARRAY && b->kids[1]->has_ival &&
         a->kids[1]->ival != b->kids[1]->ival;
}

/* A template's text cannot be run with the caller's constants: another call that
 * fills the same tile may meet it. */
static void mark_other_calls(pl_machine *m, const pl_node *call) {
  for (size_t i = 0; i < m->nhanded; i++)
    for (size_t k = 0; k < m->nhanded; k++)
      if (m->handed[i].call == call && m->handed[k].call != call &&
          m->handed[i].tile == m->handed[k].tile &&
          !pl_are_exclusive(m->handed[k].call, call) &&
          !are_apart(m->loop->unit, m->handed[i].arg, m->handed[k].arg))
        m->handed[i].tile->stored_twice = true;
}

/* Runs a load helper's text with its arguments. */
static void run_helper(pl_machine *m, const pl_fill_call *call) {
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

static void run(pl_machine *m, pl_node *node) {
  if (!node || ++m->steps > PL_MOST_STEPS)
    return;
  const pl_fill_call *call = pl_fill_call_at(m->fill, node);
  if (call) {
    run_helper(m, call);
    return;
  }
  const pl_copy *copy = pl_fill_copy(m->fill, node);
  if (copy) {
    if (copy->changes)
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
  case PL_NODE_DO:
    run(m, node->kids[0]);
    run_loop(m, node->kids[1], node->kids[0], NULL);
    return;
  case PL_NODE_IF:
    ask(m, node->kids[0]);
    run(m, node->kids[1]);
    run(m, node->nkids > 2 ? node->kids[2] : NULL);
    return;
  case PL_NODE_ASSIGN: {
    m->rests = 0;
    int64_t value = value_of(m, node->kids[1]);
    if (node->op != PL_OP_ASSIGN) {
      unsigned right = m->rests;
      m->rests = 0;
      int64_t by = is_pointer(node->kids[0]) ? element_size(m, node->kids[0])
                                             : 1;
      value = arithmetic(node->op, value_of(m, node->kids[0]), value * by);
      m->bends = m->bends || op_bends(node->op, m->rests, right);
      m->rests |= right;
    }
    assign(m, node->kids[0], value);
    return;
  }
  default:
    value_of(m, node);
  }
}

void pl_run_fill(pl_machine *m) {
  for (size_t i = 0; i < m->fill->nroots; i++)
    run(m, m->fill->roots[i]);
}
