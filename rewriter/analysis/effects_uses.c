/* effects_uses.c - what may a use of a variable do to the pointers in it?
 *
 * Needs: the nodes around the use, summaries of methods. Gives: whether it
 * only reads them, gives them a value that is known, or may do anything to
 * them. Raises: nothing.
 *
 * Uses that are known to be harmless are listed; all others may do anything. */
#include "call_summary.h"
#include "effects_parts.h"

#include <string.h>

/* Whether a node names a part of the object that its operand `at` names:
 * `p[i]`, `i[p]` and `*p` of an array, `p.m`. */
static bool names_part(const pl_node *node, const pl_node *at) {
  switch (node->kind) {
  case PL_NODE_PAREN:
    return true;
  case PL_NODE_SUBSCRIPT:
    return pl_is_array_type(at->type);
  case PL_NODE_UNARY:
    return node->op == PL_OP_DEREF && pl_is_array_type(at->type);
  case PL_NODE_MEMBER:
    return !node->is_arrow &&
           !(node->decl && pl_is_reference(node->decl->type));
  default:
    return false;
  }
}

/* The largest part of a variable that the text around a use names. */
static pl_node *named_part(pl_node *ref) {
  pl_node *at = ref;
  while (at->parent && names_part(at->parent, at))
    at = at->parent;
  return at;
}

static bool is_number_without_address(const pl_type *type) {
  while (pl_is_array_type(type))
    type = pl_no_reference(type)->element;
  type = pl_no_reference(type);
  return type &&
         (type->kind == PL_TYPE_FLOAT || type->kind == PL_TYPE_BOOL ||
          type->kind == PL_TYPE_ENUM ||
          (type->kind == PL_TYPE_INT && type->size > 1 && type->size < 4));
}

/* A name or an address of a part: whoever has it may change the part, which
 * matters where pointers may be in it. */
static pl_use lost_unless_number(const pl_node *part) {
  return is_number_without_address(part->type) ? PL_USE_READ : PL_USE_LOST;
}

/* The value of a part is read; that of an array is its address. */
static pl_use read_value(const pl_node *part) {
  return pl_is_array_type(part->type) ? lost_unless_number(part) : PL_USE_READ;
}

static pl_use use_of_part(pl_walk *w, pl_node *part, pl_node **value);

/* What gives the part on as an lvalue: to be read only, or lost. */
static pl_use use_of_same(pl_walk *w, pl_node *node) {
  pl_node *unused = NULL;
  return use_of_part(w, named_part(node), &unused) == PL_USE_READ
             ? PL_USE_READ
             : PL_USE_LOST;
}

static pl_use use_in_assignment(pl_walk *w, pl_node *assign,
                                const pl_node *part, pl_node **value) {
  if (assign->kids[0] != part)
    return read_value(part);
  if (use_of_same(w, assign) != PL_USE_READ)
    return PL_USE_LOST;
  if (assign->op != PL_OP_ASSIGN && pl_is_pointer(part->type))
    return PL_USE_READ;
  *value = assign->kids[1];
  return PL_USE_SET;
}

static pl_use use_in_unary(pl_walk *w, pl_node *node, const pl_node *part) {
  switch (node->op) {
  case PL_OP_ADDR:
    return lost_unless_number(part);
  case PL_OP_PREINC:
  case PL_OP_PREDEC:
    return use_of_same(w, node);
  case PL_OP_OTHER:
    return PL_USE_LOST;
  default:
    return read_value(part);
  }
}

static pl_use use_in_binary(pl_walk *w, pl_node *node, const pl_node *part) {
  if (node->op == PL_OP_OTHER)
    return PL_USE_LOST;
  if (node->op == PL_OP_COMMA)
    return part == node->kids[1] ? use_of_same(w, node) : PL_USE_READ;
  return read_value(part);
}

/* `(float *&)p = q`: what a cast says may be the variable itself under another
 * type; the model does not tell that from a value. */
static pl_use use_in_cast(pl_walk *w, pl_node *node, const pl_node *part) {
  return use_of_same(w, node) == PL_USE_READ ? read_value(part) : PL_USE_LOST;
}

/* The type of parameter `index` in how clang writes the type of a function:
 * "void (float *&, const T &)". */
static pl_str parameter_text(const pl_type *type, uint32_t index) {
  pl_str text = type ? type->spelling : (pl_str){NULL, 0};
  int depth = 0;
  size_t begin = 0;
  bool inside = false;
  for (size_t i = 0; i < text.n; i++) {
    char c = text.p[i];
    bool opens = c == '(' || c == '<' || c == '[';
    bool closes = c == ')' || c == '>' || c == ']';
    if (opens && depth++ == 0 && c == '(') {
      inside = true;
      begin = i + 1;
    }
    depth -= closes;
    bool ends = inside && ((depth == 1 && c == ',') || (closes && depth == 0));
    if (!ends)
      continue;
    if (index-- == 0)
      return (pl_str){text.p + begin, i - begin};
    begin = i + 1;
    inside = c == ',';
  }
  return (pl_str){NULL, 0};
}

/* Whether a parameter is a reference through which its argument may change:
 * "float *&", "T &&", but not "const float &". */
static bool is_changing_reference(pl_str text) {
  for (size_t i = 0; i < text.n; i++) {
    size_t end = i;
    while (end && text.p[end - 1] == ' ')
      end--;
    bool pointer = memchr(text.p, '*', i) != NULL;
    bool constant = pointer ? end >= 5 && !memcmp(text.p + end - 5, "const", 5)
                            : pl_str_starts(text, "const ");
    if (text.p[i] == '&' && !constant)
      return true;
  }
  return false;
}

bool pl_is_const_method(const pl_type *type) {
  pl_str text = type->spelling;
  size_t close = text.n;
  while (close && text.p[close - 1] != ')')
    close--;
  return pl_str_has((pl_str){text.p + close, text.n - close}, "const");
}

bool pl_is_variable_argument(const pl_decl *func, uint32_t index) {
  return func->type && func->type->kind == PL_TYPE_FUNCTION &&
         is_changing_reference(parameter_text(func->type, index));
}

/* Whether some function of the file that a dependent call may mean takes its
 * argument by reference. */
static bool overload_changes(const pl_unit *unit, const pl_node *call,
                             uint32_t index) {
  for (uint32_t f = 0; call->name.n && f < unit->nfuncs; f++) {
    const pl_func *func = unit->funcs[f];
    if (pl_str_eq(pl_before_angle(func->name), pl_before_angle(call->name)) &&
        index < func->nparams && pl_is_reference(func->params[index]->type))
      return true;
  }
  return false;
}

/* Uses of a parameter in its function's body. */
typedef struct parameter_uses {
  pl_walk *w;
  const pl_decl *param;
} parameter_uses;

static bool is_named(pl_node *node, const void *context) {
  const parameter_uses *uses = context;
  pl_node *part, *value;
  pl_use use = node->kind == PL_NODE_REF && node->decl == uses->param
                   ? pl_use_of(uses->w, node, &part, &value)
                   : PL_USE_READ;
  return use == PL_USE_LOST || use == PL_USE_GIVEN ||
         (node->kind == PL_NODE_LAMBDA && pl_mentions(node, uses->param));
}

static bool is_more_than_read(pl_node *node, const void *context) {
  const parameter_uses *uses = context;
  pl_node *part, *value;
  return (node->kind == PL_NODE_REF && node->decl == uses->param &&
          pl_use_of(uses->w, node, &part, &value) != PL_USE_READ) ||
         (node->kind == PL_NODE_LAMBDA && pl_mentions(node, uses->param));
}

bool pl_has_names(pl_walk *w, const pl_decl *decl) {
  parameter_uses uses = {w, decl};
  return !decl->owner || pl_node_find(decl->owner->body, is_named, &uses);
}

/* Whether a function may change the object that its parameter is a reference to, or
 * keep its address: not where its body only reads it, `src(y, x)` with
 * `const Src &src`. */
static bool changes_parameter(pl_walk *w, const pl_func *func, uint32_t index) {
  return pl_is_reference(func->params[index]->type) &&
         (index >= 64 ||
          pl_summarise(w->context, func)->changes >> index & 1);
}

/* Whether a call may change the variable that is its argument `index`. */
static bool call_changes(pl_walk *w, const pl_node *call,
                         uint32_t index) {
  const pl_func *callee = pl_callee_of(call);
  const pl_node *lambda = callee ? NULL : pl_called_lambda(call);
  if (lambda && lambda->func)
    return index >= lambda->func->nparams || pl_takes_pack(lambda->func) ||
           pl_is_reference(lambda->func->params[index]->type);
  if (callee)
    return index >= callee->nparams || pl_takes_pack(callee) ||
           changes_parameter(w, callee, index);
  if (pl_builtin_argument(pl_builtin_of(call), index) == 'x')
    return true;
  if (call->decl && call->decl->type &&
      call->decl->type->kind == PL_TYPE_FUNCTION)
    return pl_is_variable_argument(call->decl, index);
  if (call->decl)
    return call->decl->kind != PL_DECL_FUNC;
  return overload_changes(w->context->unit, call, index);
}

/* Whether a member of a method's object, or a cell of one that is an array, is a
 * number, in no union. */
static bool is_number_field(const pl_node *node) {
  bool number = pl_is_number_or_enum(pl_no_reference(node->type)), field = false;
  while (node->kind == PL_NODE_SUBSCRIPT && pl_is_array_type(node->kids[0]->type))
    node = pl_node_bare(node->kids[0]);
  for (; number && node && node->kind == PL_NODE_MEMBER;
       node = node->nkids ? pl_node_bare(node->kids[0]) : NULL) {
    const pl_type *holder = pl_no_reference(node->type);
    number = node->decl && node->decl->is_field && !(holder && holder->is_union);
    field = true;
  }
  return number && field && (!node || node->kind == PL_NODE_THIS);
}

/* Whether a written member stays in the object that it points into: `p += n`,
 * `++p`. */
static bool only_steps(const pl_node *node) {
  const pl_node *up = node->parent;
  while (up && up->kind == PL_NODE_PAREN)
    up = up->parent;
  if (!up || node->kind != PL_NODE_MEMBER || !pl_is_pointer(node->type))
    return false;
  return (up->kind == PL_NODE_ASSIGN && up->op != PL_OP_ASSIGN) ||
         pl_node_is_step(up);
}

static bool takes_numbers(const pl_func *func) {
  for (uint32_t i = 0; i < func->nparams; i++)
    if (!pl_is_number_or_enum(func->params[i]->type))
      return false;
  return true;
}

/* Whether a function leaves all alone that it gets at by its arguments: what it
 * changes is its object. */
static bool leaves_arguments(pl_walk *w, const pl_func *func) {
  const pl_summary *summary =
      takes_numbers(func) ? NULL : pl_summarise(w->context, func);
  for (size_t i = 0; summary && i < summary->effects.n; i++) {
    const pl_effect *effect = &summary->effects.items[i];
    const pl_decl *decl = effect->root.decl;
    int index = decl ? pl_param_index(func, decl) : -1;
    bool own = effect->direct && decl &&
               (index < 0 || !pl_is_reference(func->params[index]->type));
    bool changes = effect->kind == PL_EFFECT_WRITE ||
                   effect->kind == PL_EFFECT_ATOMIC ||
                   effect->kind == PL_EFFECT_ESCAPE;
    if (changes && !own && (!decl || index >= 0))
      return false;
  }
  return true;
}

/* Whether an effect of a method may give a pointer in its object another
 * object to point into. */
static bool changes_pointers(pl_walk *w, const pl_effect *effect) {
  const pl_func *callee =
      effect->node->kind == PL_NODE_CALL ? pl_callee_of(effect->node) : NULL;
  if (effect->kind != PL_EFFECT_WRITE)
    return true;
  if (effect->by_call)
    return !callee || !pl_is_member_function(effect->node) ||
           !leaves_arguments(w, callee) ||
           pl_summarise(w->context, callee)->changes_this;
  return !is_number_field(effect->node) && !only_steps(effect->node);
}

/* Whether a function with such effects changes the pointers in the object that it is
 * called on. */
static bool changes_this(pl_walk *w, const pl_effects *effects) {
  for (size_t i = 0; i < effects->n; i++) {
    const pl_effect *effect = &effects->items[i];
    bool changes = effect->kind == PL_EFFECT_WRITE ||
                   effect->kind == PL_EFFECT_ATOMIC ||
                   effect->kind == PL_EFFECT_ESCAPE;
    if (effect->kind == PL_EFFECT_UNSEEN ||
        (changes && pl_root_is_this(effect->root) && !effect->root.member.n &&
         changes_pointers(w, effect)))
      return true;
  }
  return false;
}

void pl_find_changes(pl_walk *w, pl_summary *s, const pl_effects *effects) {
  for (uint32_t i = 0; i < s->func->nparams && i < 64; i++) {
    parameter_uses uses = {w, s->func->params[i]};
    if (pl_is_reference(uses.param->type) &&
        pl_node_find(s->func->body, is_more_than_read, &uses))
      s->changes |= 1ull << i;
  }
  s->changes_this = s->changes_this || changes_this(w, effects);
}

bool pl_is_discarded(const pl_node *node) {
  const pl_node *up = node->parent;
  if (up && up->kind == PL_NODE_BINARY && up->op == PL_OP_COMMA)
    return up->kids[0] == node || pl_is_discarded(up);
  return pl_node_is_statement(node) ||
         (up && up->kind == PL_NODE_FOR && up->kids[2] == node);
}

/* Whether a method may give back a reference to its object, or to a part of it:
 * not where what a member points to is all that it names, `return data_[i];`. */
static bool gives_itself(pl_walk *w, const pl_func *callee) {
  const pl_summary *s = pl_returns_reference(callee)
                            ? pl_summarise(w->context, callee)
                            : NULL;
  const pl_roots *returned = s ? &s->returned[0] : NULL;
  bool itself = s && s->done && !returned->n;
  for (size_t i = 0; s && !itself && i < returned->n; i++) {
    const pl_root *root = &returned->items[i];
    itself = !root->decl || (pl_root_is_this(*root) && !root->member.n);
  }
  return itself;
}

/* Whether a method may change its object: by what it does where its body is
 * seen, else unless it is declared const. */
static bool method_changes(pl_walk *w, const pl_node *call) {
  const pl_func *callee = pl_callee_of(call);
  if (callee)
    return pl_summarise(w->context, callee)->changes_this ||
           (!pl_is_discarded(call) && gives_itself(w, callee));
  const pl_type *type = call->decl ? call->decl->type : NULL;
  if (!type || type->kind != PL_TYPE_FUNCTION)
    return true;
  size_t n = type->spelling.n;
  return !(n > 7 && !memcmp(type->spelling.p + n - 7, ") const", 7)) &&
         !pl_str_has(type->spelling, ") const ");
}

/* Whether a call knows its argument `index`, a pointer, by reference, and what
 * its body does to it is seen. */
static bool gives_pointer(const pl_node *call, const pl_node *part,
                          uint32_t index) {
  const pl_func *callee = pl_callee_of(call);
  return callee && index < callee->nparams && pl_is_pointer(part->type) &&
         pl_is_pointer_reference(callee->params[index]->type);
}

static pl_use use_in_call(pl_walk *w, pl_node *call, const pl_node *part,
                          pl_node **value) {
  if (call->kids[0] == part && part->kind != PL_NODE_MEMBER)
    return PL_USE_READ;
  if (call->kids[0] == part)
    return method_changes(w, call) ? PL_USE_LOST : PL_USE_READ;
  for (uint32_t i = 1; i < call->nkids; i++) {
    if (call->kids[i] != part || !call_changes(w, call, i - 1))
      continue;
    if (!gives_pointer(call, part, i - 1))
      return lost_unless_number(part);
    *value = call;
    return PL_USE_GIVEN;
  }
  return read_value(part);
}

/* Inline assembly sets its output operands, which come first; where a macro
 * hides the constraints it may set any. */
static pl_use use_in_asm(const pl_node *node, const pl_node *part) {
  int64_t outputs = node->ival;
  for (uint32_t i = 0; i < node->nkids; i++) {
    if (!node->kids[i] || node->kids[i]->kind == PL_NODE_STRING)
      continue;
    if (outputs-- == 0)
      break;
    if (node->kids[i] == part)
      return PL_USE_LOST;
  }
  return read_value(part);
}

/* `return p;` gives the value; in a function that gives back a reference, or a
 * lambda that may, the variable itself. */
static pl_use use_in_return(const pl_walk *w, const pl_node *node,
                            const pl_node *part) {
  const pl_node *lambda = node;
  while (lambda && lambda->kind != PL_NODE_LAMBDA)
    lambda = lambda->parent;
  bool itself = false;
  if (lambda) {
    pl_str text = pl_unit_slice(w->context->unit, lambda->range);
    itself = !lambda->range.end || pl_str_has(text, "->");
  } else {
    itself = !w->func || pl_returns_reference(w->func);
  }
  return itself ? lost_unless_number(part) : read_value(part);
}

/* Whether a field is another name for what may be, or hold, an address, and can set it. */
static bool is_reference_field(pl_node *node, const void *unused) {
  (void)unused;
  if (node->kind != PL_NODE_MEMBER || !node->decl || !node->decl->is_field ||
      !pl_is_reference(node->decl->type))
    return false;
  const pl_type *type = pl_no_reference(node->type ? node->type : node->decl->type);
  bool holds_none = type->kind == PL_TYPE_RECORD && type->is_user && !type->is_union &&
                    !type->keeps_addresses;
  return !type->is_const && !holds_none && !is_number_without_address(type);
}

/* Fields by which a variable may be changed that a list or constructor is handed. */
static bool has_reference_fields(pl_effect_context *context) {
  for (uint32_t i = 0; !context->fields_are_known && i < context->unit->nfuncs; i++)
    if (!context->unit->funcs[i]->is_all_in_sight &&
        pl_node_find(context->unit->funcs[i]->body, is_reference_field, NULL))
      context->has_reference_fields = true;
  context->fields_are_known = true;
  return context->has_reference_fields;
}

static pl_use use_in_list(pl_walk *w, const pl_node *list,
                          const pl_node *part) {
  if (pl_takes_value(list, part))
    return read_value(part);
  for (uint32_t i = 0; list->kind == PL_NODE_CONSTRUCT && list->decl &&
                       i < list->nkids;
       i++)
    if (list->kids[i] == part &&
        is_changing_reference(parameter_text(list->decl->type, i)))
      return lost_unless_number(part);
  return has_reference_fields(w->context) ? lost_unless_number(part)
                                          : read_value(part);
}

static pl_use use_of_part(pl_walk *w, pl_node *part, pl_node **value) {
  pl_node *up = part->parent;
  switch (up ? up->kind : PL_NODE_UNKNOWN) {
  case PL_NODE_ASSIGN:
    return use_in_assignment(w, up, part, value);
  case PL_NODE_UNARY:
    return use_in_unary(w, up, part);
  case PL_NODE_BINARY:
    return use_in_binary(w, up, part);
  case PL_NODE_COND:
    return up->kids[0] == part ? PL_USE_READ : use_of_same(w, up);
  case PL_NODE_CAST:
    return use_in_cast(w, up, part);
  case PL_NODE_CALL:
    return use_in_call(w, up, part, value);
  case PL_NODE_VAR:
    return up->decl && !pl_is_reference(up->decl->type)
               ? read_value(part)
               : lost_unless_number(part);
  case PL_NODE_CONSTRUCT:
  case PL_NODE_INIT_LIST:
    return use_in_list(w, up, part);
  case PL_NODE_RETURN:
    return use_in_return(w, up, part);
  case PL_NODE_ASM:
    return use_in_asm(up, part);
  case PL_NODE_SUBSCRIPT:
  case PL_NODE_MEMBER:
  case PL_NODE_LAMBDA:
  case PL_NODE_SIZEOF:
  case PL_NODE_COMPOUND:
  case PL_NODE_IF:
  case PL_NODE_FOR:
  case PL_NODE_WHILE:
  case PL_NODE_DO:
  case PL_NODE_SWITCH:
  case PL_NODE_CASE:
  case PL_NODE_LABEL:
    return PL_USE_READ;
  default:
    return lost_unless_number(part);
  }
}

pl_use pl_use_of(pl_walk *w, pl_node *ref, pl_node **part, pl_node **value) {
  *part = named_part(ref);
  *value = NULL;
  return use_of_part(w, *part, value);
}
