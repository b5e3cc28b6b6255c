/* lint_calls.c - calls of the user's functions, of lambdas and of what is not seen.
 *
 * Needs: bodies. Gives: what they return, and events for what they do. Raises: why a
 * call cannot be followed. */
#include "lint_parts.h"

#include "call_summary.h"
#include "sets.h"

#include <string.h>

/* ---- frames ------------------------------------------------------------------------- */

/* Whether a function type's result is a reference: `float &(int)`, `T (&())[4]`. */
static bool gives_reference(const pl_decl *decl) {
  pl_str type = decl && decl->type ? decl->type->spelling : (pl_str){0};
  int angles = 0;
  for (size_t i = 0; i < type.n; i++) {
    angles += type.p[i] == '<' ? 1 : type.p[i] == '>' ? -1 : 0;
    if (type.p[i] == '(' && angles == 0)
      return (i > 0 && type.p[i - 1] == '&') || (i + 1 < type.n && type.p[i + 1] == '&');
  }
  return false;
}

static void bind_param(pl_lint_run *r, pl_lint_frame *frame, const pl_decl *param,
                       const pl_node *given) {
  const pl_type *type = param->type;
  bool by_name = type && type->kind == PL_TYPE_REFERENCE;
  int64_t addr = 0;
  given = given ? given : param->init;
  if (by_name && given && pl_lint_place(r, given, &addr)) {
    pl_lint_bind(r, frame, param, addr);
    return;
  }
  int64_t size = pl_lint_size(type);
  addr = pl_lint_room(r, size > 0 ? size : 8, given);
  if (given && !by_name)
    pl_lint_init(r, addr, type, given);
  pl_lint_bind(r, frame, param, addr);
}

typedef struct target {
  const pl_func *func;
  const pl_node *body;
  pl_decl **params;
  uint32_t nparams;
  int64_t object;
  pl_lint_frame *up;
  uint32_t first; /* of the call's kids, that is the first argument */
} target;

static pl_lint_value enter(pl_lint_run *r, const pl_node *node, const target *to,
                           int64_t *place) {
  pl_lint_value value = pl_lint_unknown(0);
  if (r->depth >= PL_LINT_MOST_DEPTH) {
    pl_lint_fail(r, node, "calls are nested too deeply");
    return value;
  }
  bool object = node->kind == PL_NODE_CALL && pl_lint_is_object(node->type);
  bool by_name = gives_reference(node->decl);
  int64_t at = object && !by_name ? pl_lint_room(r, pl_lint_size(node->type), node) : 0;
  int64_t top = r->top;
  pl_lint_frame *frame = pl_lint_new_frame(r), *caller = r->frame;
  frame->up = to->up;
  frame->func = to->func;
  frame->object = to->object;
  frame->by_name = by_name;
  frame->result_at = at;
  for (uint32_t i = 0; i < to->nparams; i++) {
    uint32_t kid = to->first + i;
    bind_param(r, frame, to->params[i], kid < node->nkids ? node->kids[kid] : NULL);
  }
  const pl_node *inner = r->inner;
  r->frame = frame;
  r->depth++;
  r->result = value;
  pl_lint_exec(r, to->body);
  value = r->result;
  r->result = pl_lint_unknown(0);
  r->depth--;
  r->frame = caller;
  pl_lint_drop_frame(r, frame);
  r->inner = inner;
  r->top = top;
  if (at)
    return pl_lint_address(at);
  if (by_name && value.c.known) {
    bool whole = object || (node->type && node->type->kind == PL_TYPE_ARRAY);
    if (place)
      *place = value.c.bits;
    else if (!whole)
      return pl_lint_load(r, value.c.bits, node->type, node);
  }
  return value;
}

/* ---- what is called -------------------------------------------------------------------- */

static const pl_func *function_of(const pl_node *call) {
  const pl_decl *decl = call->decl;
  return decl && decl->func && decl->func->body ? decl->func : NULL;
}

/* The object of `object.method()`; 0: the function's own. */
static bool object_of(pl_lint_run *r, const pl_node *call, int64_t *object) {
  const pl_node *member = call->nkids ? pl_node_bare(call->kids[0]) : NULL;
  *object = r->frame->object;
  if (!member || member->kind != PL_NODE_MEMBER || !member->nkids)
    return true;
  if (!member->is_arrow)
    return pl_lint_place(r, member->kids[0], object);
  pl_lint_value base = pl_lint_eval(r, member->kids[0]);
  *object = base.c.bits;
  return base.c.known;
}

/* The lambda that an object is; NULL: it is none. */
static const pl_node *lambda_of(pl_lint_run *r, const pl_node *call,
                                pl_lint_frame **frame) {
  const pl_node *callee = call->nkids ? pl_node_bare(call->kids[0]) : NULL;
  const pl_node *object = callee && callee->kind == PL_NODE_MEMBER && callee->nkids
                              ? pl_node_bare(callee->kids[0])
                              : callee;
  if (!object || !object->type ||
      !pl_str_has(pl_no_reference(object->type)->spelling, "(lambda at"))
    return NULL;
  int64_t addr;
  if (object->kind == PL_NODE_LAMBDA) {
    *frame = r->frame;
    return object;
  }
  if (!pl_lint_place(r, object, &addr) || !pl_lint_is_local(addr))
    return NULL;
  pl_lint_value value = r->local[addr - PL_LINT_LOCAL];
  *frame = (pl_lint_frame *)(uintptr_t)value.c.bits;
  return (const pl_node *)(uintptr_t)value.from;
}

pl_lint_value pl_lint_eval_all(pl_lint_run *r, const pl_node *node, uint32_t first) {
  pl_lint_value value = pl_lint_unknown(0);
  for (uint32_t i = first; i < node->nkids; i++) {
    if (!node->kids[i])
      continue;
    pl_lint_value one = pl_lint_eval(r, node->kids[i]);
    if (pl_lint_is_object(node->kids[i]->type) && one.c.known &&
        pl_lint_is_local(one.c.bits))
      one.from = r->local[one.c.bits - PL_LINT_LOCAL].from;
    else if (pl_lint_is_object(node->kids[i]->type) && one.c.known &&
             pl_lint_is_shared(r, one.c.bits))
      pl_lint_copy(r, 0, one.c.bits, pl_lint_size(node->kids[i]->type), node);
    else if (pl_lint_is_object(node->kids[i]->type) && one.c.known)
      one.from = one.c.bits;
    value.from = value.from ? value.from : one.from;
  }
  return value;
}

/* What is handed an address of shared memory may do anything with it, unless it is
 * known. */
static void look_at_argument(pl_lint_run *r, const pl_node *call, const pl_node *arg,
                             pl_lint_value value, char letter) {
  const pl_type *type = pl_no_reference(arg->type);
  bool pointer = type && (type->kind == PL_TYPE_POINTER || type->kind == PL_TYPE_ARRAY);
  if (!pointer || !value.c.known || !pl_lint_is_shared(r, value.c.bits))
    return;
  int64_t size = pl_lint_size(type->element);
  if (letter == 'r') {
    pl_lint_load(r, value.c.bits, type->element, call);
  } else if (letter == 'w' && size > 0) {
    pl_lint_store(r, value.c.bits, type->element, pl_lint_unknown(0), call);
  } else if (letter == 'm') {
    pl_lint_event *event = pl_lint_emit(r, PL_LINT_ATOMIC, call);
    event->addr = value.c.bits;
    event->width = (uint16_t)(size > 0 ? size : 4);
  } else {
    pl_lint_fail(r, call, "what '%.*s' does to shared memory is not seen",
                 PL_FMT(call->name));
  }
}

/* A result of what is not seen. */
static pl_lint_value made_of(pl_lint_run *r, const pl_node *node, int64_t from) {
  if (!pl_lint_is_object(node->type))
    return pl_lint_unknown(from);
  int64_t size = pl_lint_size(node->type), at = pl_lint_room(r, size, node);
  for (int64_t i = 0; i < size; i++)
    pl_lint_set_local(r, at + i, pl_lint_unknown(from ? from + i : 0));
  return pl_lint_address(at);
}

void pl_lint_forget(pl_lint_run *r, const pl_node *node) {
  int64_t addr;
  if (pl_lint_place(r, node, &addr) && pl_lint_is_local(addr))
    pl_lint_set_local(r, addr, pl_lint_unknown(0));
}

static pl_lint_value call_unseen(pl_lint_run *r, const pl_node *node) {
  pl_lint_fact *fact = pl_lint_fact_of(r, node);
  const pl_builtin *row = fact->row ? fact->row : (fact->row = pl_builtin_of(node));
  const bool loads = strcmp(row->arguments, "r") == 0;
  int64_t from = 0, object = 0;
  const pl_node *callee = node->nkids ? pl_node_bare(node->kids[0]) : NULL;
  if (callee && callee->kind == PL_NODE_MEMBER && callee->nkids)
    object_of(r, node, &object);
  for (uint32_t i = 1; i < node->nkids; i++) {
    pl_lint_value value = pl_lint_eval(r, node->kids[i]);
    look_at_argument(r, node, node->kids[i], value, pl_builtin_argument(row, i - 1));
    if (pl_lint_is_object(node->kids[i]->type) && value.c.known)
      value.from = pl_lint_is_local(value.c.bits)
                       ? r->local[value.c.bits - PL_LINT_LOCAL].from
                       : value.c.bits;
    if (pl_lint_is_object(node->kids[i]->type) && value.c.known &&
        pl_lint_is_shared(r, value.c.bits))
      pl_lint_copy(r, 0, value.c.bits, pl_lint_size(node->kids[i]->type), node);
    if (loads && i == 1 && value.c.known && value.c.bits > PL_LINT_LOCAL &&
        !pl_lint_is_object(node->type))
      return pl_lint_load(r, value.c.bits, node->type, node);
    if (loads && i == 1 && value.c.known)
      value.from = value.c.bits;
    from = from ? from : value.from;
    /* a place of the thread's own that is handed over is not known behind */
    const pl_type *type = pl_no_reference(node->kids[i]->type);
    if (type && type->kind == PL_TYPE_POINTER && value.c.known &&
        pl_lint_is_local(value.c.bits) && !type->element->is_const)
      pl_lint_set_local(r, value.c.bits, pl_lint_unknown(0));
    else if (pl_is_number_or_enum(type) && pl_may_set_argument(node, i))
      pl_lint_forget(r, node->kids[i]);
  }
  if (node->decl && node->decl->is_user && !node->decl->is_defaulted &&
      node->decl->kind == PL_DECL_FUNC && !pl_str_starts(node->name, "__builtin_") &&
      !pl_lint_failed(r))
    pl_lint_fail(r, node, "the body of '%.*s' is not seen", PL_FMT(node->name));
  if (row->emits == PL_EMITS_BARRIER || row->emits == PL_EMITS_SPECIAL_BARRIER)
    pl_lint_fail(r, node, "'%.*s' waits in a way that is not known", PL_FMT(node->name));
  return made_of(r, node, from);
}

pl_lint_value pl_lint_call(pl_lint_run *r, const pl_node *node, int64_t *place) {
  pl_lint_value value;
  pl_lint_frame *frame = NULL;
  if (pl_lint_failed(r))
    return pl_lint_unknown(0);
  pl_lint_fact *fact = pl_lint_fact_of(r, node);
  if (!fact->is_no_toolkit) {
    if (pl_lint_toolkit(r, node, &value))
      return value;
    pl_lint_fact_of(r, node)->is_no_toolkit = true;
  }
  const pl_node *lambda = lambda_of(r, node, &frame);
  if (lambda && lambda->func && lambda->func->body) {
    const target to = {frame ? frame->func : NULL, lambda->func->body,
                       lambda->func->params,       lambda->func->nparams,
                       frame ? frame->object : 0,  frame,
                       1};
    return enter(r, node, &to, place);
  }
  const pl_func *func = function_of(node);
  if (!func)
    return call_unseen(r, node);
  target to = {func, func->body, func->params, func->nparams, 0, NULL, 1};
  if (func->is_method && !object_of(r, node, &to.object))
    pl_lint_fail(r, node, "the object of '%.*s' is not known", PL_FMT(node->name));
  return enter(r, node, &to, place);
}

/* ---- objects ---------------------------------------------------------------------------- */

static void init_members(pl_lint_run *r, const pl_func *func, int64_t addr) {
  for (uint32_t i = 0; i < func->nmember_inits; i++) {
    const pl_member_init *init = &func->member_inits[i];
    if (!init->field || !init->field->type)
      continue;
    int64_t at = addr + init->field->field_offset, to;
    if (init->field->type->kind == PL_TYPE_REFERENCE) {
      if (pl_lint_place(r, init->value, &to))
        pl_lint_set_local(r, at, pl_lint_address(to));
    } else {
      pl_lint_init(r, at, init->field->type, init->value);
    }
  }
}

static void run_constructor(pl_lint_run *r, const pl_node *node, const pl_func *func,
                            int64_t addr) {
  pl_lint_frame *frame = pl_lint_new_frame(r), *caller = r->frame;
  int64_t top = r->top;
  frame->func = func;
  frame->object = addr;
  for (uint32_t i = 0; i < func->nparams; i++)
    bind_param(r, frame, func->params[i], i < node->nkids ? node->kids[i] : NULL);
  r->frame = frame;
  r->depth++;
  if (r->depth < PL_LINT_MOST_DEPTH) {
    init_members(r, func, addr);
    pl_lint_exec(r, func->body);
  } else {
    pl_lint_fail(r, node, "calls are nested too deeply");
  }
  r->depth--;
  r->frame = caller;
  pl_lint_drop_frame(r, frame);
  r->top = top;
}

void pl_lint_begin_object(pl_lint_run *r, int64_t addr, const pl_type *type) {
  if (!type || !type->nbegins)
    return;
  pl_lint_frame *frame = pl_lint_new_frame(r), *caller = r->frame;
  frame->func = caller->func;
  frame->object = addr;
  r->frame = frame;
  for (uint32_t i = 0; i < type->nbegins; i++) {
    const pl_member_init *begin = &type->begins[i];
    int64_t at = addr + begin->field->field_offset;
    if (begin->value)
      pl_lint_init(r, at, begin->field->type, begin->value);
    else
      pl_lint_begin_object(r, at, begin->field->type);
  }
  r->frame = caller;
  pl_lint_drop_frame(r, frame);
}

pl_lint_value pl_lint_construct(pl_lint_run *r, const pl_node *node, int64_t addr) {
  const pl_type *type = pl_no_reference(node->type);
  if (!pl_lint_is_object(type)) {
    pl_lint_value value = node->nkids ? pl_lint_eval(r, node->kids[0]) : pl_lint_number(0);
    if (pl_is_integer_type(type))
      value.c = pl_const_convert(value.c, type);
    return value;
  }
  int64_t size = pl_lint_size(type);
  if (!addr)
    addr = pl_lint_room(r, size, node);
  const pl_func *func = node->decl ? node->decl->func : NULL;
  if (func && func->body) {
    run_constructor(r, node, func, addr);
    return pl_lint_address(addr);
  }
  if (node->nkids == 1 && pl_lint_is_object(node->kids[0]->type) &&
      pl_same_type(pl_no_reference(node->kids[0]->type), type)) {
    pl_lint_value from = pl_lint_eval(r, node->kids[0]);
    if (from.c.known)
      pl_lint_copy(r, addr, from.c.bits, size, node);
    return pl_lint_address(addr);
  }
  int64_t at = addr;
  bool keeps_names = !type->is_user && pl_str_has(type->spelling, "&");
  pl_lint_begin_object(r, addr, type);
  for (uint32_t i = 0; i < node->nkids; i++) {
    const pl_type *part = pl_no_reference(node->kids[i]->type);
    int64_t width = pl_lint_size(part);
    if (keeps_names && !pl_lint_is_object(part))
      pl_lint_forget(r, node->kids[i]);
    if (at - addr >= size && size > 0)
      break;
    pl_lint_init(r, at, part, node->kids[i]);
    at += width > 0 ? width : 4;
  }
  return pl_lint_address(addr);
}
