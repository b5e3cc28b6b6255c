/* cell_values.c - what is an expression of a fill, in a thread and a world?
 *
 * Needs: a machine and what its names are bound to. Gives: numbers, for what is
 * not known too, and what they rest on. Raises: nothing. */
#include "cells.h"

#define UNKNOWN_STEP 1048583 /* apart from all that a kernel counts to */
#define UNKNOWN_ROW ((int64_t)1 << 32) /* bytes of a row whose length is open  \
                                        */

/* ---- names ------------------------------------------------------------------
 */

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

uint64_t pl_cell_mix(uint64_t a, uint64_t b) {
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
  int64_t value =
      number(m, decl ? pl_cell_mix(decl->name_range.begin, 1469598103u) : 0);
  if (decl)
    bind(m, decl, value, ON_UNKNOWN);
  return value;
}

/* The same text has the same number. */
static int64_t unknown_text(pl_machine *m, const pl_node *node) {
  pl_str text = pl_unit_slice(m->loop->unit, node->range);
  uint64_t key = 1469598103934665603u;
  for (size_t i = 0; i < text.n; i++)
    key = pl_cell_mix(key, (unsigned char)text.p[i]);
  return number(m, key);
}

/* Whether a variable is set anywhere but where it is declared. */
static bool is_assigned(pl_survey *all, const pl_decl *decl) {
  for (size_t i = 0; i < all->n; i++)
    if (all->assigned[i].decl == decl)
      return all->assigned[i].is;
  struct assigned fresh = {decl,
                           decl->owner && decl->owner->body &&
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
void pl_cell_declare(pl_machine *m, const pl_decl *decl, pl_node *init) {
  unsigned before = m->rests;
  m->rests = 0;
  int64_t value =
      is_place(decl->type) ? pl_cell_place(m, init) : pl_cell_value(m, init);
  bind(m, decl, value, m->rests);
  m->rests |= before;
}

static void declare_all(pl_machine *m, const pl_node *statement) {
  for (uint32_t i = 0; i < statement->nkids; i++) {
    pl_node *var = statement->kids[i];
    if (var && var->kind == PL_NODE_VAR && var->nkids && var->decl)
      pl_cell_declare(m, var->decl, var->kids[0]);
  }
}

/* `Traits::kThreads`: what the instantiation says, in the text that it is of.
 */
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
  bool plain =
      decl->kind == PL_DECL_VAR && decl->init && decl->owner && m->depth <= 16;
  bool assigned = plain && is_assigned(m->all, decl);
  if (!plain || (m->world != WORLD_FIRST && assigned))
    return unknown(m, decl);
  m->depth++;
  pl_cell_declare(m, decl, decl->init);
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

/* ---- expressions
 * --------------------------------------------------------------- */

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

/* The bytes of what a pointer or array holds. Rows of open length are far
 * apart, planes of them farther: no index in bounds leads from one to the next.
 */
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
  case PL_OP_ADD:
    return (int64_t)(x + y);
  case PL_OP_SUB:
    return (int64_t)(x - y);
  case PL_OP_MUL:
    return (int64_t)(x * y);
  case PL_OP_DIV:
    return b == 0 || b == -1 ? 0 : a / b;
  case PL_OP_REM:
    return b == 0 || b == -1 ? 0 : a % b;
  case PL_OP_SHL:
    return (int64_t)(x << (y & 63));
  case PL_OP_SHR:
    return a >> (y & 63);
  case PL_OP_AND:
    return a & b;
  case PL_OP_OR:
    return a | b;
  case PL_OP_XOR:
    return a ^ b;
  case PL_OP_LT:
    return a < b;
  case PL_OP_GT:
    return a > b;
  case PL_OP_LE:
    return a <= b;
  case PL_OP_GE:
    return a >= b;
  case PL_OP_EQ:
    return a == b;
  case PL_OP_NE:
    return a != b;
  case PL_OP_LAND:
    return a && b;
  case PL_OP_LOR:
    return a || b;
  case PL_OP_COMMA:
    return b;
  default:
    return UNKNOWN_STEP;
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
void pl_cell_choose_by(pl_machine *m) {
  m->bends = m->bends || (m->rests & ON_THREAD);
}

/* For binary, which asks what both sides rest on. */
static int64_t operation(pl_machine *m, pl_node *node) {
  int64_t a = pl_cell_value(m, node->kids[0]);
  unsigned left = m->rests;
  m->rests = 0;
  int64_t b = pl_cell_value(m, node->kids[1]);
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

int64_t pl_cell_assignment(pl_machine *m, pl_node *node) {
  m->rests = 0;
  int64_t value = pl_cell_value(m, node->kids[1]);
  if (node->op != PL_OP_ASSIGN) {
    unsigned right = m->rests;
    m->rests = 0;
    int64_t by = is_pointer(node->kids[0]) ? element_size(m, node->kids[0]) : 1;
    value = arithmetic(node->op, pl_cell_value(m, node->kids[0]), value * by);
    m->bends = m->bends || op_bends(node->op, m->rests, right);
    m->rests |= right;
  }
  return assign(m, node->kids[0], value);
}

static int64_t step(pl_machine *m, pl_node *node) {
  pl_node *of = node->kids[0];
  int64_t by = is_pointer(of) ? element_size(m, of) : 1;
  bool down = node->op == PL_OP_PREDEC || node->op == PL_OP_POSTDEC;
  unsigned before = m->rests;
  m->rests = 0;
  int64_t old = pl_cell_value(m, of);
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
    return -pl_cell_value(m, node->kids[0]);
  case PL_OP_PLUS:
    return pl_cell_value(m, node->kids[0]);
  case PL_OP_NOT:
  case PL_OP_LNOT: {
    int64_t value = pl_cell_value(m, node->kids[0]);
    pl_cell_choose_by(m);
    return node->op == PL_OP_NOT ? ~value : !value;
  }
  case PL_OP_ADDR:
    return pl_cell_place(m, node->kids[0]);
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
    pl_cell_declare(m, param, arg);
  }
  for (uint32_t i = 0; i < body->nkids; i++) {
    if (body->kids[i]->kind == PL_NODE_DECL_STMT)
      declare_all(m, body->kids[i]);
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
    return m->thread[0] + extent[0] * (m->thread[1] + extent[1] * m->thread[2]);
  }
  if (pl_is_block_size(call))
    return extent[0] * extent[1] * extent[2];
  if ((less || more) && !own && call->nkids == 3) {
    int64_t a = pl_cell_value(m, call->kids[1]),
            b = pl_cell_value(m, call->kids[2]);
    pl_cell_choose_by(m);
    return (a < b) == less ? a : b;
  }
  if (!enter(m, call, &result))
    return unknown_text(m, call);
  m->depth++;
  int64_t value = pl_cell_value(m, result);
  m->depth--;
  return value;
}

/* The arm of `c ? a : b`; where nothing is known of c, one and the other. */
static pl_node *chosen(pl_machine *m, pl_node *node) {
  unsigned before = m->rests;
  m->rests = 0;
  bool yes = pl_cell_value(m, node->kids[0]) != 0;
  pl_cell_choose_by(m);
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

int64_t pl_cell_value(pl_machine *m, pl_node *node) {
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
    return node->nkids ? pl_cell_value(m, node->kids[0]) : 0;
  case PL_NODE_UNARY:
    return unary(m, node);
  case PL_NODE_BINARY:
    return binary(m, node);
  case PL_NODE_COND:
    return pl_cell_value(m, chosen(m, node));
  case PL_NODE_ASSIGN: {
    unsigned before = m->rests;
    pl_cell_assignment(m, node);
    value = pl_cell_value(m, node->kids[0]);
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
      return pl_cell_place(m, node);
    return unknown_text(m, node);
  default:
    return unknown_text(m, node);
  }
}

/* ---- places
 * --------------------------------------------------------------------- */

/* Bytes between the tile's begin and what an lvalue names. */
int64_t pl_cell_place(pl_machine *m, pl_node *node) {
  node = pl_node_bare(node);
  if (!node || ++m->steps > PL_MOST_STEPS || node->nkids == 0)
    return node ? pl_cell_value(m, node) : 0;
  pl_node *base = node->kids[0], *result = NULL;
  switch (node->kind) {
  case PL_NODE_SUBSCRIPT: {
    bool array = base->type && base->type->kind != PL_TYPE_POINTER;
    int64_t at = array ? pl_cell_place(m, base) : pl_cell_value(m, base);
    return arithmetic(PL_OP_ADD, at,
                      arithmetic(PL_OP_MUL, pl_cell_value(m, node->kids[1]),
                                 element_size(m, base)));
  }
  case PL_NODE_MEMBER: {
    int64_t at =
        node->is_arrow ? pl_cell_value(m, base) : pl_cell_place(m, base);
    return at +
           (node->decl && node->decl->is_field ? node->decl->field_offset : 0);
  }
  case PL_NODE_UNARY:
    return node->op == PL_OP_DEREF ? pl_cell_value(m, base)
                                   : pl_cell_value(m, node);
  case PL_NODE_CAST:
    return pl_cell_place(m, base);
  case PL_NODE_CALL: {
    if (!enter(m, node, &result))
      return unknown_text(m, node);
    m->depth++;
    int64_t at = pl_cell_place(m, result);
    m->depth--;
    return at;
  }
  default:
    return pl_cell_value(m, node);
  }
}
