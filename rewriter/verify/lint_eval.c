/* lint_eval.c - expressions, executed with the numbers of one thread.
 *
 * Needs: the model. Gives: numbers, addresses, and events for what is read and written
 * on the way. What memory holds has no value. Raises nothing by itself. */
#include "lint_parts.h"

#include "effects.h"

#include <string.h>

bool pl_lint_is_object(const pl_type *type) {
  type = pl_no_reference(type);
  return type && (type->kind == PL_TYPE_RECORD ||
                  (type->kind == PL_TYPE_OTHER && type->size > 8));
}

static const pl_type *type_of(const pl_node *node) {
  return node ? pl_no_reference(node->type) : NULL;
}

static bool is_address_type(const pl_type *type) {
  return type && (type->kind == PL_TYPE_POINTER || type->kind == PL_TYPE_ARRAY);
}

static int64_t step_of(const pl_type *type) {
  int64_t size = type && type->element ? pl_lint_size(type->element) : -1;
  return size < 0 ? 1 : size;
}

static pl_lint_value first_from(pl_lint_value a, pl_lint_value b) {
  return pl_lint_unknown(a.from ? a.from : b.from);
}

/* ---- places ------------------------------------------------------------------------ */

static bool place_of_name(pl_lint_run *r, const pl_node *node, int64_t *addr) {
  const pl_decl *decl = node->decl;
  return decl && (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM ||
                  decl->kind == PL_DECL_OTHER) &&
         pl_lint_find(r, decl, addr);
}

static bool place_of_element(pl_lint_run *r, const pl_node *node, int64_t *addr) {
  if (node->nkids != 2)
    return false;
  const pl_node *base = node->kids[0], *index = node->kids[1];
  if (!is_address_type(type_of(base)) && is_address_type(type_of(index))) {
    base = node->kids[1];
    index = node->kids[0];
  }
  pl_lint_value at = is_address_type(type_of(base)) ? pl_lint_eval(r, base)
                                                    : pl_lint_unknown(0);
  if (!is_address_type(type_of(base))) { /* of a library's array */
    int64_t object;
    if (pl_lint_place(r, base, &object))
      at = pl_lint_address(object);
  }
  pl_lint_value i = pl_lint_eval(r, index);
  int64_t size = pl_lint_size(node->type);
  if (!at.c.known || !i.c.known || size < 0 ||
      ((at.from || i.from) && pl_lint_is_shared(r, at.c.bits)))
    return false; /* also where a made-up number says which cell of shared memory */
  *addr = at.c.bits + i.c.bits * size;
  return true;
}

static bool place_of_member(pl_lint_run *r, const pl_node *node, int64_t *addr) {
  const pl_decl *decl = node->decl;
  if (!node->nkids)
    return false;
  const pl_node *of = pl_node_bare(node->kids[0]);
  char axis = node->name.n == 1 ? node->name.p[0] : 0;
  if (of->kind == PL_NODE_REF && axis >= 'x' && axis <= 'z' && place_of_name(r, of, addr) &&
      pl_lint_is_built_in(r, of->decl)) { /* clang's own headers have no fields there */
    *addr += 4 * (axis - 'x');
    return true;
  }
  if (!decl)
    return false;
  if (decl->kind == PL_DECL_VAR)
    return pl_lint_find(r, decl, addr);
  if (decl->kind != PL_DECL_FIELD)
    return false;
  if (node->is_arrow) {
    pl_lint_value base = pl_lint_eval(r, node->kids[0]);
    *addr = base.c.bits;
    if (!base.c.known)
      return false;
  } else if (!pl_lint_place(r, node->kids[0], addr)) {
    return false;
  }
  *addr += decl->field_offset;
  if (decl->type && decl->type->kind == PL_TYPE_REFERENCE) {
    pl_lint_value to = pl_lint_load(r, *addr, NULL, node);
    *addr = to.c.bits;
    return to.c.known;
  }
  return true;
}

/* Of what an expression gives. */
static bool place_of_value(pl_lint_run *r, const pl_node *node, pl_lint_value value,
                           int64_t *addr) {
  if (pl_lint_is_object(node->type)) {
    *addr = value.c.bits;
    return value.c.known;
  }
  int64_t size = pl_lint_size(node->type);
  *addr = pl_lint_room(r, size < 0 ? 8 : size, node);
  pl_lint_set_local(r, *addr, value);
  return true;
}

static bool place_of_temporary(pl_lint_run *r, const pl_node *node, int64_t *addr) {
  return place_of_value(r, node, pl_lint_eval(r, node), addr);
}

static bool place_of_choice(pl_lint_run *r, const pl_node *node, int64_t *addr) {
  pl_lint_value c = pl_lint_eval(r, node->kids[0]);
  return c.c.known && pl_lint_place(r, node->kids[c.c.bits ? 1 : 2], addr);
}

bool pl_lint_place(pl_lint_run *r, const pl_node *node, int64_t *addr) {
  if (!node || pl_lint_failed(r))
    return false;
  switch (node->kind) {
  case PL_NODE_PAREN:
    return pl_lint_place(r, node->kids[0], addr);
  case PL_NODE_REF:
    return place_of_name(r, node, addr);
  case PL_NODE_SUBSCRIPT:
    return place_of_element(r, node, addr);
  case PL_NODE_MEMBER:
    return place_of_member(r, node, addr);
  case PL_NODE_COND:
    return node->nkids == 3 && place_of_choice(r, node, addr);
  case PL_NODE_UNARY:
    if (node->op == PL_OP_DEREF && !node->decl) {
      pl_lint_value to = pl_lint_eval(r, node->kids[0]);
      *addr = to.c.bits;
      return to.c.known && !(to.from && pl_lint_is_shared(r, *addr));
    }
    if (node->op == PL_OP_PREINC || node->op == PL_OP_PREDEC) {
      pl_lint_eval(r, node);
      return pl_lint_place(r, node->kids[0], addr);
    }
    return place_of_temporary(r, node, addr);
  case PL_NODE_ASSIGN:
    pl_lint_eval(r, node);
    return pl_lint_place(r, node->kids[0], addr);
  case PL_NODE_BINARY:
    if (node->op == PL_OP_COMMA) {
      pl_lint_eval(r, node->kids[0]);
      return pl_lint_place(r, node->kids[1], addr);
    }
    return place_of_temporary(r, node, addr);
  case PL_NODE_CAST:
    if (node->nkids == 1 && node->type && node->kids[0]->type &&
        pl_lint_is_object(node->kids[0]->type) && pl_lint_is_object(node->type))
      return pl_lint_place(r, node->kids[0], addr);
    if (node->nkids == 1 && node->kids[0]->type &&
        (node->kids[0]->kind == PL_NODE_REF || node->kids[0]->kind == PL_NODE_SUBSCRIPT ||
         node->kids[0]->kind == PL_NODE_MEMBER) &&
        node->type && node->type->kind != PL_TYPE_POINTER)
      return pl_lint_place(r, node->kids[0], addr); /* a cast to a reference */
    return place_of_temporary(r, node, addr);
  case PL_NODE_CALL: {
    int64_t place = 0;
    pl_lint_value value = pl_lint_call(r, node, &place);
    *addr = place;
    return place || place_of_value(r, node, value, addr);
  }
  case PL_NODE_THIS:
    *addr = r->frame->object;
    return *addr != 0;
  default:
    return place_of_temporary(r, node, addr);
  }
}

/* The variable that an element or a member is a part of; NULL: it is of none. */
static const pl_decl *variable_of(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  while (node && (node->kind == PL_NODE_SUBSCRIPT || node->kind == PL_NODE_MEMBER) &&
         node->nkids && !node->is_arrow)
    node = pl_node_bare(node->kids[0]);
  return node && node->kind == PL_NODE_REF ? node->decl : NULL;
}

/* ---- making objects ------------------------------------------------------------------- */

/* Whether the i-th of a list of a record's members makes a reference. */
static bool keeps_name(const pl_type *type, uint32_t i) {
  for (uint32_t k = 0; type && type->makings && k < type->nmakings; k++)
    if (type->makings[k].is_list && i < 64 && type->makings[k].by_name >> i & 1)
      return true;
  return false;
}

static void init_list(pl_lint_run *r, int64_t addr, const pl_type *type,
                      const pl_node *list) {
  if (type && type->kind == PL_TYPE_ARRAY) {
    int64_t size = pl_lint_size(type->element);
    for (uint32_t i = 0; size > 0 && i < list->nkids; i++)
      if (pl_lint_is_object(type->element) && type->element->has_constructors &&
          list->kids[i] && !pl_lint_is_object(list->kids[i]->type))
        pl_lint_forget(r, list->kids[i]); /* a constructor is handed it */
      else
        pl_lint_init(r, addr + i * size, type->element, list->kids[i]);
    return;
  }
  /* members: their places are those of the fields, by the size of what is given */
  int64_t at = addr;
  for (uint32_t i = 0; i < list->nkids; i++) {
    const pl_type *part = type_of(list->kids[i]);
    if (keeps_name(type, i)) {
      int64_t to;
      at = addr + (at - addr + 7) / 8 * 8;
      if (pl_lint_place(r, list->kids[i], &to))
        pl_lint_set_local(r, at, pl_lint_address(to));
      at += 8;
      continue;
    }
    int64_t size = pl_lint_size(part), align = part && part->align > 0 ? part->align : 1;
    if (part && part->kind == PL_TYPE_ARRAY &&
        pl_node_bare(list->kids[i])->kind != PL_NODE_INIT_LIST)
      size = align = 8; /* as a pointer */
    at = addr + (at - addr + align - 1) / align * align;
    pl_lint_init(r, at, part, list->kids[i]);
    at += size > 0 ? size : 0;
  }
}

void pl_lint_init(pl_lint_run *r, int64_t addr, const pl_type *type,
                  const pl_node *init) {
  const pl_node *bare = pl_node_bare((pl_node *)init);
  type = pl_no_reference(type);
  if (!bare || pl_lint_failed(r))
    return;
  if (bare->kind == PL_NODE_INIT_LIST &&
      ((type && type->kind == PL_TYPE_ARRAY) || pl_lint_is_object(type))) {
    if (bare->nkids == 0 && pl_lint_is_local(addr)) /* all of it is zero */
      for (int64_t i = 0; i < pl_lint_size(type); i++)
        pl_lint_set_local(r, addr + i, (pl_lint_value){.c = pl_const_int(0)});
    pl_lint_begin_object(r, addr, type);
    init_list(r, addr, type, bare);
    return;
  }
  if (bare->kind == PL_NODE_CONSTRUCT && pl_lint_is_object(type)) {
    pl_lint_construct(r, bare, addr);
    return;
  }
  pl_lint_value value = pl_lint_eval(r, init);
  if (pl_lint_is_object(type) && pl_lint_is_object(bare->type)) {
    if (value.c.known)
      pl_lint_copy(r, addr, value.c.bits, pl_lint_size(type), init);
    return;
  }
  pl_lint_store(r, addr, type, value, init);
}

/* ---- operators -------------------------------------------------------------------------- */

static pl_lint_value sum(pl_op op, const pl_node *left, pl_lint_value a,
                         const pl_node *right, pl_lint_value b) {
  const pl_type *x = type_of(left), *y = type_of(right);
  bool far = is_address_type(x), near = is_address_type(y);
  if (!a.c.known || !b.c.known)
    return pl_lint_unknown(0);
  if (far && near) {
    int64_t difference = (a.c.bits - b.c.bits) / step_of(x);
    return (pl_lint_value){.c = pl_const_make(8, false, difference)};
  }
  int64_t base = far ? a.c.bits : b.c.bits;
  int64_t steps = (far ? b.c.bits : a.c.bits) * step_of(far ? x : y);
  pl_lint_value sum_of = pl_lint_address(op == PL_OP_SUB ? base - steps : base + steps);
  sum_of.from = a.from ? a.from : b.from;
  return sum_of;
}

static bool compares(pl_op op) {
  return op == PL_OP_LT || op == PL_OP_GT || op == PL_OP_LE || op == PL_OP_GE ||
         op == PL_OP_EQ || op == PL_OP_NE;
}

static pl_lint_value operate(const pl_node *node, const pl_node *left, pl_lint_value a,
                             const pl_node *right, pl_lint_value b) {
  bool addresses = is_address_type(type_of(left)) || is_address_type(type_of(right));
  if (addresses && (node->op == PL_OP_ADD || node->op == PL_OP_SUB))
    return sum(node->op, left, a, right, b);
  if (addresses && compares(node->op) && a.c.known && b.c.known) {
    a.c = pl_const_make(8, true, a.c.bits);
    b.c = pl_const_make(8, true, b.c.bits);
  }
  const pl_type *type = node->kind == PL_NODE_ASSIGN ? NULL : type_of(node);
  pl_const c = pl_const_binary(node->op, a.c, b.c, type);
  pl_lint_value value = first_from(a, b);
  bool slot = (node->op == PL_OP_AND || node->op == PL_OP_REM) && !b.from;
  value.c = c;
  value.from = slot ? 0 : value.from;
  return value;
}

static pl_lint_value logical(pl_lint_run *r, const pl_node *node) {
  pl_lint_value a = pl_lint_eval(r, node->kids[0]);
  bool stops = node->op == PL_OP_LOR;
  if (a.c.known && (a.c.bits != 0) == stops)
    return pl_lint_number(stops);
  size_t mark = a.c.known ? 0 : pl_lint_begin_maybe(r);
  pl_lint_value b = pl_lint_eval(r, node->kids[1]);
  if (!a.c.known)
    pl_lint_end_maybe(r, mark);
  if (b.c.known && (b.c.bits != 0) == stops)
    return pl_lint_number(stops);
  return a.c.known && b.c.known ? pl_lint_number(!stops) : pl_lint_unknown(0);
}

static pl_lint_value conditional(pl_lint_run *r, const pl_node *node) {
  pl_lint_value c = pl_lint_eval(r, node->kids[0]);
  pl_lint_value value;
  if (c.c.known) {
    value = pl_lint_eval(r, node->kids[c.c.bits ? 1 : 2]);
  } else {
    size_t mark = pl_lint_begin_maybe(r);
    pl_lint_value a = pl_lint_eval(r, node->kids[1]);
    pl_lint_roll_back(r, mark);
    pl_lint_value b = pl_lint_eval(r, node->kids[2]);
    pl_lint_end_maybe(r, mark);
    bool same = a.c.known && b.c.known && a.c.bits == b.c.bits;
    value = same ? a : first_from(a, b);
  }
  if (value.c.known && pl_is_integer_type(type_of(node)))
    value.c = pl_const_convert(value.c, node->type);
  if (c.from && value.c.known)
    value.from = c.from;
  return value;
}

static pl_lint_value binary(pl_lint_run *r, const pl_node *node) {
  if (node->op == PL_OP_LAND || node->op == PL_OP_LOR)
    return logical(r, node);
  pl_lint_value a = pl_lint_eval(r, node->kids[0]);
  pl_lint_value b = pl_lint_eval(r, node->kids[1]);
  if (node->op == PL_OP_COMMA)
    return b;
  if (pl_lint_is_object(node->type)) { /* of a vector type */
    int64_t size = pl_lint_size(node->type);
    int64_t at = pl_lint_room(r, size, node);
    return pl_lint_address(at);
  }
  return operate(node, node->kids[0], a, node->kids[1], b);
}

static pl_lint_value step(pl_lint_run *r, const pl_node *node) {
  int64_t addr;
  const pl_node *of = node->kids[0];
  if (!pl_lint_place(r, of, &addr))
    return pl_lint_unknown(0);
  pl_lint_value old = pl_lint_load(r, addr, of->type, node), now = old;
  bool up = node->op == PL_OP_PREINC || node->op == PL_OP_POSTINC;
  if (is_address_type(type_of(of)) && old.c.known)
    now = pl_lint_address(old.c.bits + (up ? 1 : -1) * step_of(type_of(of)));
  else
    now.c = pl_const_binary(up ? PL_OP_ADD : PL_OP_SUB, old.c, pl_const_int(1), NULL);
  pl_lint_store(r, addr, of->type, now, node);
  bool before = node->op == PL_OP_POSTINC || node->op == PL_OP_POSTDEC;
  return before ? old : pl_lint_is_local(addr) ? pl_lint_load(r, addr, of->type, node) : now;
}

static pl_lint_value assign(pl_lint_run *r, const pl_node *node) {
  int64_t addr;
  const pl_node *left = node->kids[0], *right = node->kids[1];
  if (pl_lint_is_object(left->type)) {
    pl_lint_value from = pl_lint_eval(r, right);
    if (!pl_lint_place(r, left, &addr))
      return pl_lint_unknown(0);
    if (node->op != PL_OP_ASSIGN) {
      pl_lint_copy(r, addr, addr, pl_lint_size(left->type), node);
      return pl_lint_address(addr);
    }
    if (from.c.known && pl_lint_is_object(right->type))
      pl_lint_copy(r, addr, from.c.bits, pl_lint_size(left->type), node);
    else
      pl_lint_store(r, addr, NULL, pl_lint_unknown(from.from), node);
    if (pl_lint_is_shared(r, addr) && !(from.c.known && pl_lint_is_object(right->type))) {
      pl_lint_event *event = pl_lint_emit(r, PL_LINT_WRITE, node);
      event->addr = addr;
      event->width = (uint16_t)(pl_lint_size(left->type) > 0 ? pl_lint_size(left->type) : 1);
      event->arg = from.from;
    }
    return pl_lint_address(addr);
  }
  pl_lint_value value = pl_lint_eval(r, right);
  if (!pl_lint_place(r, left, &addr)) {
    const pl_decl *decl = variable_of(left);
    const pl_node *name = pl_node_bare((pl_node *)left);
    if (name->kind == PL_NODE_REF && name->decl && name->decl->kind == PL_DECL_VAR &&
        pl_is_number_or_enum(pl_no_reference(name->decl->type)))
      pl_lint_fail(r, node, "what '%.*s' leads to is not seen", PL_FMT(name->name));
    else if (decl && decl->is_shared)
      pl_lint_fail(r, node, "which cell of '%.*s' is written depends on data",
                   PL_FMT(decl->name));
    else if (decl && decl->type && decl->type->kind == PL_TYPE_ARRAY &&
             pl_lint_find(r, decl, &addr) && pl_lint_is_local(addr))
      for (int64_t i = 0; i < pl_lint_size(decl->type); i++)
        pl_lint_set_local(r, addr + i, pl_lint_unknown(0));
    return value;
  }
  if (node->op != PL_OP_ASSIGN) {
    pl_lint_value old = pl_lint_load(r, addr, left->type, node);
    value = operate(node, left, old, right, value);
  }
  pl_lint_store(r, addr, left->type, value, node);
  return pl_lint_is_local(addr) ? pl_lint_load(r, addr, left->type, node) : value;
}

static pl_lint_value unary(pl_lint_run *r, const pl_node *node) {
  if (pl_node_is_step(node))
    return step(r, node);
  if (node->op == PL_OP_ADDR) {
    int64_t addr;
    return pl_lint_place(r, node->kids[0], &addr) ? pl_lint_address(addr)
                                                  : pl_lint_unknown(0);
  }
  pl_lint_value of = pl_lint_eval(r, node->kids[0]);
  if (pl_lint_is_object(node->type))
    return pl_lint_address(pl_lint_room(r, pl_lint_size(node->type), node));
  return (pl_lint_value){.c = pl_const_unary(node->op, of.c, type_of(node)),
                         .from = of.from};
}

static pl_lint_value cast(pl_lint_run *r, const pl_node *node) {
  if (node->nkids != 1)
    return pl_lint_eval_all(r, node, 0);
  pl_lint_value value = pl_lint_eval(r, node->kids[0]);
  const pl_type *to = type_of(node);
  if (pl_lint_is_object(node->kids[0]->type) && !pl_lint_is_object(to) && value.c.known) {
    /* a record as the number in it: a size, an element */
    return pl_lint_load(r, value.c.bits, node->kids[0]->type, node);
  }
  if (pl_lint_is_object(to) && !pl_lint_is_object(node->kids[0]->type)) {
    int64_t at = pl_lint_room(r, pl_lint_size(to), node);
    pl_lint_set_local(r, at, value);
    return pl_lint_address(at);
  }
  if (pl_is_integer_type(to) || (to && to->kind == PL_TYPE_ENUM))
    value.c = pl_const_convert(value.c, to);
  else if (to && to->kind == PL_TYPE_FLOAT)
    value.c = pl_const_unknown;
  return value;
}

/* ---- names ------------------------------------------------------------------------------- */

static bool constant_of(pl_lint_run *r, const pl_node *node, pl_lint_value *value) {
  const pl_type *type = node->type;
  if (node->has_ival && type && type->kind == PL_TYPE_INT) {
    *value = (pl_lint_value){
        .c = pl_const_make((uint8_t)type->size, type->is_unsigned, node->ival)};
    return true;
  }
  const pl_decl *decl = node->decl;
  if (decl && !node->has_ival && !node->open && node->kind != PL_NODE_SIZEOF &&
      !decl->has_value && !decl->is_constexpr && decl->kind != PL_DECL_TEMPLATE_VALUE &&
      decl->kind != PL_DECL_ENUM_CONSTANT)
    return false;
  const pl_func *func = r->frame->func ? r->frame->func : r->kernel;
  const pl_const_scope scope = {.func = func, .instance = pl_own_instance(func)};
  value->c = pl_const_eval(&scope, node);
  value->from = 0;
  return value->c.known;
}

/* What a name, element or member holds. */
static pl_lint_value held(pl_lint_run *r, const pl_node *node) {
  int64_t addr;
  pl_lint_value value = pl_lint_unknown(0);
  if (node->kind != PL_NODE_SUBSCRIPT && constant_of(r, node, &value))
    return value;
  if (node->kind == PL_NODE_REF && node->decl &&
      (node->decl->kind == PL_DECL_FUNC || node->decl->kind == PL_DECL_METHOD))
    return value;
  if (!pl_lint_place(r, node, &addr)) {
    const pl_decl *decl = variable_of(node);
    if (decl && decl->is_shared && !r->assumed) {
      r->assumed = node;
      r->assumed_why = "a read of shared memory at a place that depends on data";
    }
    return value;
  }
  const pl_type *type = type_of(node);
  if ((type && type->kind == PL_TYPE_ARRAY) || pl_lint_is_object(type))
    return pl_lint_address(addr);
  return pl_lint_load(r, addr, node->type, node);
}

static pl_lint_value make_list(pl_lint_run *r, const pl_node *node) {
  const pl_type *type = type_of(node);
  int64_t size = pl_lint_size(type);
  if (!pl_lint_is_object(type) && !(type && type->kind == PL_TYPE_ARRAY))
    return node->nkids ? pl_lint_eval(r, node->kids[0]) : pl_lint_number(0);
  int64_t at = pl_lint_room(r, size, node);
  pl_lint_init(r, at, type, node);
  return pl_lint_address(at);
}

/* `[&held = count]`: what that leads to has no node. */
static bool captures_under_a_name(const pl_lint_run *r, const pl_node *lambda) {
  pl_str text = pl_unit_slice(r->unit, lambda->range);
  bool by_name = false;
  for (size_t i = 1; i < text.n && text.p[i] != ']'; i++) {
    by_name = text.p[i] == '&' || (by_name && text.p[i] != ',');
    if (by_name && text.p[i] == '=')
      return true;
  }
  return false;
}

/* A lambda as an object: it knows its text, and the variables around it. */
static pl_lint_value closure(pl_lint_run *r, const pl_node *node) {
  if (captures_under_a_name(r, node))
    pl_lint_fail(r, node, "what a capture of its own name leads to is not seen");
  int64_t size = pl_lint_size(node->type);
  int64_t at = pl_lint_room(r, size > 0 ? size : 1, node);
  pl_lint_value value = pl_lint_address((int64_t)(uintptr_t)r->frame);
  value.from = (int64_t)(uintptr_t)node;
  pl_lint_set_local(r, at, value);
  return pl_lint_address(at);
}

pl_lint_value pl_lint_eval(pl_lint_run *r, const pl_node *node) {
  pl_lint_value value = pl_lint_unknown(0);
  if (!node || pl_lint_failed(r))
    return value;
  if (++r->steps > r->most_steps) {
    pl_lint_fail(r, node, "it takes too many steps");
    return value;
  }
  switch (node->kind) {
  case PL_NODE_PAREN:
    return pl_lint_eval(r, node->kids[0]);
  case PL_NODE_INT:
  case PL_NODE_SIZEOF:
    constant_of(r, node, &value);
    return value;
  case PL_NODE_REF:
  case PL_NODE_MEMBER:
  case PL_NODE_SUBSCRIPT:
    return held(r, node);
  case PL_NODE_UNARY:
    if (node->op == PL_OP_DEREF) {
      int64_t addr;
      if (!pl_lint_place(r, node, &addr))
        return value;
      bool object = pl_lint_is_object(node->type) ||
                    (node->type && type_of(node)->kind == PL_TYPE_ARRAY);
      return object ? pl_lint_address(addr) : pl_lint_load(r, addr, node->type, node);
    }
    return unary(r, node);
  case PL_NODE_BINARY:
    if (node->has_ival && constant_of(r, node, &value))
      return value;
    return binary(r, node);
  case PL_NODE_ASSIGN:
    return assign(r, node);
  case PL_NODE_COND:
    return conditional(r, node);
  case PL_NODE_CAST:
    return cast(r, node);
  case PL_NODE_CALL:
    if (node->has_ival && constant_of(r, node, &value))
      return value;
    return pl_lint_call(r, node, NULL);
  case PL_NODE_CONSTRUCT:
    return pl_lint_construct(r, node, 0);
  case PL_NODE_INIT_LIST:
    return make_list(r, node);
  case PL_NODE_THIS:
    return r->frame->object ? pl_lint_address(r->frame->object) : value;
  case PL_NODE_LAMBDA:
    return closure(r, node);
  case PL_NODE_FLOATING:
  case PL_NODE_STRING:
    return value;
  case PL_NODE_ASM:
    pl_lint_asm(r, node);
    return value;
  default:
    return pl_lint_eval_all(r, node, 0);
  }
}
