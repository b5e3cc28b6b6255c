/* cell_values.c - what is an expression of a fill, in a thread and a world?
 *
 * Needs: a machine and what its names are bound to. Gives: numbers, for what is
 * not known too, and what they rest on. Raises: nothing. */
#include "cells.h"
#include "copies.h"

#define START 1469598103934665603u
#define UNKNOWN_ROW ((int64_t)1 << 32) /* bytes of a row whose length is open  \
                                        */

/* ---- names ------------------------------------------------------------------
 */

pl_binding *pl_cell_bound(pl_machine *m, const pl_decl *decl) {
  for (size_t i = m->n; i-- > 0;)
    if (m->items[i].decl == decl)
      return &m->items[i];
  return NULL;
}

void pl_cell_bind(pl_machine *m, const pl_decl *decl, int64_t value,
                  unsigned rests) {
  pl_binding *old = pl_cell_bound(m, decl);
  pl_binding fresh = {decl, value, rests};
  if (old)
    *old = fresh;
  else
    PL_PUSH(m->loop->arena, m->items, m->n, m->cap, fresh);
}

static int64_t unknown(pl_machine *m, const pl_decl *decl) {
  int64_t value =
      pl_cell_number(m, decl ? pl_cell_mix(decl->name_range.begin, START) : 0);
  if (decl)
    pl_cell_bind(m, decl, value, ON_UNKNOWN);
  return value;
}

typedef struct text_walk {
  pl_machine *m;
  uint64_t key;
} text_walk;

/* What is called may look at any variable, and so may a pointer. */
static bool mix_in(pl_node *node, void *context) {
  text_walk *w = context;
  bool looks = (node->kind == PL_NODE_CALL && !pl_is_block_rank(node)) ||
               (node->kind == PL_NODE_UNARY && node->op == PL_OP_DEREF);
  if (node->kind == PL_NODE_REF && node->decl && !node->decl->func)
    w->key = pl_cell_mix(w->key, (uint64_t)pl_cell_value(w->m, node));
  if (looks)
    w->key = pl_cell_mix(w->key, w->m->changes);
  return node->kind != PL_NODE_LAMBDA;
}

/* The same text has the same number, as long as what it names is the same. */
static int64_t unknown_text(pl_machine *m, pl_node *node) {
  pl_str text = pl_unit_slice(m->loop->unit, node->range);
  text_walk w = {m, START};
  for (size_t i = 0; i < text.n; i++)
    w.key = pl_cell_mix(w.key, (unsigned char)text.p[i]);
  if (node->kind != PL_NODE_REF)
    pl_node_walk(node, mix_in, &w);
  return pl_cell_number(m, w.key);
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

/* The variable that a reference to a number or a pointer is another name of, as
 * far as that is plain. */
static const pl_decl *named_by(const pl_decl *decl) {
  for (int depth = 0; depth < 8; depth++) {
    bool reference = decl->kind == PL_DECL_VAR && decl->type &&
                     decl->type->kind == PL_TYPE_REFERENCE && decl->init;
    const pl_node *to = reference ? pl_node_bare(decl->init) : NULL;
    const pl_type *type = to && to->kind == PL_NODE_REF && to->decl
                              ? to->decl->type
                              : NULL;
    if (!type || to->decl->is_shared || type->kind == PL_TYPE_ARRAY)
      break;
    decl = to->decl;
  }
  return decl;
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
  value = pl_cell_fit(decl->type, value, m->rests);
  pl_cell_bind(m, decl, value, m->rests);
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
  decl = (pl_decl *)named_by(decl);
  pl_binding *held = pl_cell_bound(m, decl);
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
  held = pl_cell_bound(m, decl);
  held->rests |= assigned ? ON_START : 0;
  m->rests |= held->rests;
  return held->value;
}

void pl_cell_meet(pl_machine *m, const pl_decl *decl) {
  pl_node name = {.kind = PL_NODE_REF, .decl = (pl_decl *)decl};
  unsigned before = m->rests;
  name_value(m, &name);
  m->rests = before;
}

/* ---- expressions --------------------------------------------------------- */

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
  return pl_no_reference(type);
}

int64_t pl_cell_rows(const pl_machine *m, const pl_node *indexed) {
  const pl_type *type = indexed_type(m, indexed);
  return type && type->kind == PL_TYPE_ARRAY ? type->count : 0;
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
  m->bends = m->bends || pl_cell_bends(node->op, left, m->rests);
  m->rests |= left;
  if (is_pointer(node->kids[0]) && !is_pointer(node->kids[1]))
    b = pl_cell_arithmetic(PL_OP_MUL, b, element_size(m, node->kids[0]));
  else if (is_pointer(node->kids[1]) && !is_pointer(node->kids[0]))
    a = pl_cell_arithmetic(PL_OP_MUL, a, element_size(m, node->kids[1]));
  return pl_cell_binary(m, node, a, b);
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

/* Sets what a left side names, where that is a local as a whole; what else is
 * set is not known any more. */
static int64_t assign(pl_machine *m, pl_node *node, int64_t value) {
  pl_node *target = pl_node_bare(node->kids[0]);
  const pl_decl *decl = target->kind == PL_NODE_REF && target->decl
                            ? named_by(target->decl)
                            : NULL;
  bool plain = decl && decl->type && decl->type->kind != PL_TYPE_REFERENCE;
  if (!plain)
    pl_cell_forget_written(m, node);
  if (!decl || pl_loop_tile(m->loop, decl))
    return value;
  value = pl_cell_fit(decl->type, value, m->rests);
  pl_cell_bind(m, decl, value, m->rests);
  m->changes++;
  return value;
}

int64_t pl_cell_assignment(pl_machine *m, pl_node *node) {
  m->rests = 0;
  int64_t value = pl_cell_value(m, node->kids[1]);
  if (node->op != PL_OP_ASSIGN) {
    unsigned right = m->rests;
    m->rests = 0;
    int64_t old = pl_cell_value(m, node->kids[0]);
    m->bends = m->bends || pl_cell_bends(node->op, m->rests, right);
    m->rests |= right;
    if (is_pointer(node->kids[0]))
      value = pl_cell_arithmetic(PL_OP_MUL, value,
                                 element_size(m, node->kids[0]));
    value = pl_cell_binary(m, node, old, value);
  }
  return assign(m, node, value);
}

static int64_t step(pl_machine *m, pl_node *node) {
  pl_node *of = node->kids[0];
  int64_t by = is_pointer(of) ? element_size(m, of) : 1;
  bool down = node->op == PL_OP_PREDEC || node->op == PL_OP_POSTDEC;
  unsigned before = m->rests;
  m->rests = 0;
  int64_t old = pl_cell_value(m, of);
  int64_t fresh = assign(m, node, pl_cell_arithmetic(PL_OP_ADD, old,
                                                     down ? -by : by));
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
  case PL_OP_PLUS:
  case PL_OP_NOT:
  case PL_OP_LNOT: {
    unsigned before = m->rests;
    m->rests = 0;
    int64_t value = pl_cell_value(m, node->kids[0]);
    if (node->op == PL_OP_NOT || node->op == PL_OP_LNOT)
      pl_cell_choose_by(m);
    value = pl_cell_unary(m, node, value);
    m->rests |= before;
    return value;
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
  bool rank = pl_is_block_rank(call), size = pl_is_block_size(call);
  m->all->asks_block = m->all->asks_block || rank || size;
  if (rank) {
    m->rests |= ON_THREAD;
    return m->thread[0] + extent[0] * (m->thread[1] + extent[1] * m->thread[2]);
  }
  if (size)
    return extent[0] * extent[1] * extent[2];
  if ((less || more) && !own && call->nkids == 3) {
    int64_t a = pl_cell_fit(call->type, pl_cell_value(m, call->kids[1]), m->rests),
            b = pl_cell_fit(call->type, pl_cell_value(m, call->kids[2]), m->rests);
    pl_cell_choose_by(m);
    return (a < b) == less ? a : b;
  }
  if (!enter(m, call, &result)) {
    int64_t something = unknown_text(m, call);
    pl_cell_forget_written(m, call);
    return something;
  }
  m->depth++;
  int64_t value = pl_cell_value(m, result);
  m->depth--;
  pl_cell_forget_written(m, call);
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
  char of_thread = pl_index_axis(node, "threadIdx");
  char of_block = pl_index_axis(node, "blockDim");
  if (of_thread) {
    *value = m->thread[of_thread - 'x'];
    m->rests |= ON_THREAD;
  } else if (of_block) {
    *value = m->all->extent[of_block - 'x'];
    m->all->asks_block = true;
  } else
    return false;
  return true;
}

static int64_t any_value(pl_machine *m, pl_node *node) {
  int64_t value;
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

int64_t pl_cell_value(pl_machine *m, pl_node *node) {
  unsigned before = m->rests;
  node = pl_node_bare(node);
  if (!node || ++m->steps > PL_MOST_STEPS)
    return 0;
  if (node->has_ival)
    return node->ival;
  m->rests = 0;
  int64_t value = any_value(m, node);
  value = pl_cell_fit(node->type, value, m->rests);
  m->rests |= before;
  return value;
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
    int64_t by = pl_cell_arithmetic(PL_OP_MUL, pl_cell_value(m, node->kids[1]),
                                    element_size(m, base));
    return pl_cell_arithmetic(PL_OP_ADD, at, by);
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
