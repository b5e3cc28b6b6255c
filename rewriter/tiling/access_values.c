/* access_values.c - what is an expression of a fill, as a form of what is not known?
 *
 * Needs: what the names of the text are bound to at this place of it. Gives: values
 * and places as forms, and where conditions may hold. The same text has the same
 * value as long as what it names has, and no memory is looked at between. Raises:
 * nothing. */
#include "access.h"
#include "call_summary.h"
#include "copies.h"
#include "values.h"
#include "reaching_definitions.h"

#define OPEN_SIZE 4  /* bytes of an element whose size a template leaves open */
#define OPEN_ROW ((int64_t)1 << 20)
#define OPEN_PLANE ((int64_t)1 << 40)
#define MOST_SHARED 232448 /* bytes that a block can have */
#define MOST_GROUP 1024 /* threads of a group */

/* The instantiation that a function is, or is looked at as. */
static const pl_instance *instance_of(const pl_accesses *of,
                                      const pl_func *func) {
  const pl_instance *own = pl_own_instance(func);
  return own || func != of->loop->func ? own : of->instance;
}

static const pl_type *type_of(const pl_accesses *of, const pl_node *node) {
  return pl_no_reference(pl_type_settled(pl_node_bare((pl_node *)node)->type,
                                         of->func, instance_of(of, of->func)));
}

static bool is_address(const pl_type *type) {
  return type && (type->kind == PL_TYPE_POINTER || type->kind == PL_TYPE_ARRAY);
}

/* A pointer, so many bytes behind the begin of what it points into. */
static pl_typed address(const pl_affine *at) {
  return (pl_typed){at, 8, false, true};
}

/* Any value of the type of an expression. */
static pl_typed anything(pl_accesses *of, const pl_type *type,
                         const pl_turns *turns) {
  type = pl_no_reference(type);
  return is_address(type)
             ? address(pl_affine_free(
                   &of->names, (pl_interval){-PL_UNBOUNDED, PL_UNBOUNDED}, turns))
             : pl_typed_any(&of->names, type, turns);
}

/* ---- variables ----------------------------------------------------------- */

static pl_binding *find_binding(pl_accesses *of, const pl_decl *decl) {
  for (size_t i = of->nbound; i-- > 0;)
    if (of->bound[i].decl == decl)
      return &of->bound[i];
  return NULL;
}

void pl_access_bind(pl_accesses *of, const pl_decl *decl, pl_typed value) {
  if (of->counter == decl)
    value = of->number;
  pl_binding *old = find_binding(of, decl), fresh = {decl, value};
  if (old)
    *old = fresh;
  else
    PL_PUSH(of->names.arena, of->bound, of->nbound, of->bound_cap, fresh);
}

const pl_type *pl_access_type(const pl_accesses *of, const pl_decl *decl) {
  const pl_func *func = decl->owner ? decl->owner : of->func;
  const pl_instance *instance = instance_of(of, func);
  return pl_no_reference(
      pl_type_settled(pl_decl_type(decl, instance), func, instance));
}

/* The variable that a reference to a number or a pointer is another name of, as
 * far as that is plain. */
static const pl_decl *named_by(const pl_decl *decl) {
  for (;;) {
    bool reference = decl->kind == PL_DECL_VAR && decl->type &&
                     decl->type->kind == PL_TYPE_REFERENCE && decl->init;
    const pl_node *to = reference ? pl_node_bare(decl->init) : NULL;
    const pl_type *type = to && to->kind == PL_NODE_REF && to->decl
                              ? to->decl->type
                              : NULL;
    if (!type || to->decl == decl || to->decl->is_shared ||
        type->kind == PL_TYPE_ARRAY)
      return decl;
    decl = to->decl;
  }
}

/* Whether a number has a second name that is another one of a part of a record, or of
 * what a pointer leads to: who sets the first one sets it. */
static bool is_second_name(const pl_decl *decl) {
  const pl_node *to = decl->init ? pl_node_bare(decl->init) : NULL;
  return decl->kind == PL_DECL_VAR && decl->type &&
         decl->type->kind == PL_TYPE_REFERENCE &&
         pl_is_integer_type(decl->type->element) && to &&
         to->kind != PL_NODE_BINARY && !to->has_ival;
}

/* Whether places are counted from the begin of an object. */
static bool is_origin(const pl_accesses *of, const pl_decl *decl) {
  return of->origin ? decl == of->origin : pl_loop_tile(of->loop, decl) != NULL;
}

static bool is_place(const pl_type *type) {
  return type && (type->kind == PL_TYPE_ARRAY ||
                  (type->kind == PL_TYPE_REFERENCE && type->element &&
                   type->element->kind != PL_TYPE_INT));
}

static pl_typed as_type(pl_accesses *of, pl_typed value, const pl_type *type) {
  return is_address(type) ? address(value.is)
                          : pl_typed_convert(&of->names, value, type);
}

/* Numbers whose sums are asked for are what they have wrapped to. */
static pl_typed initial(pl_accesses *of, const pl_decl *decl, pl_node *init) {
  const pl_type *type = pl_access_type(of, decl);
  if (is_place(decl->type))
    return address(pl_access_place(of, init));
  pl_typed value = as_type(of, pl_access_value(of, init), type);
  return of->relation ? pl_typed_exact(&of->names, value) : value;
}

void pl_access_declare(pl_accesses *of, const pl_decl *decl, pl_node *init) {
  pl_access_bind(of, decl, initial(of, decl, init));
}

static bool is_declared_in_fill(const pl_accesses *of, const pl_decl *decl) {
  for (size_t i = 0; i < of->fill->nroots; i++)
    if (pl_declared_inside(decl, of->fill->roots[i]))
      return true;
  return false;
}

static bool is_set_again(const pl_decl *decl) {
  return !decl->owner || !decl->owner->body || decl->is_volatile ||
         pl_assigned_anywhere(decl->owner->body, decl);
}

/* Whether a local of before the tile loop is set by nothing but its initialiser until
 * that begins. */
static bool is_begun_with(const pl_accesses *of, const pl_decl *decl) {
  return of->wanted && decl->node && decl->node->kind == PL_NODE_VAR &&
         pl_is_set_between(decl, decl->node, of->loop->node) == PL_NO;
}

bool pl_access_is_inside(const pl_accesses *of, const void *item) {
  return of->ninside == PL_MOST_INSIDE ||
         pl_is_among(item, of->inside, of->ninside);
}

void pl_access_go_into(pl_accesses *of, const void *item) {
  PL_PUSH(of->names.arena, of->inside, of->ninside, of->inside_cap, item);
}

/* A local of before the fill, which nothing sets again: its initialiser, as it was
 * then. */
static pl_typed settled_value(pl_accesses *of, const pl_decl *decl) {
  const pl_turns *turns = of->turns;
  const pl_node *before = of->before;
  of->turns = NULL;
  pl_access_go_into(of, decl);
  of->before = decl->node;
  pl_typed value = initial(of, decl, decl->init);
  of->before = before;
  of->ninside--;
  of->turns = turns;
  return value;
}

/* What a variable is where the tile loop begins, if it has been met. */
static pl_binding *find_entered(pl_accesses *of, const pl_decl *decl) {
  for (size_t i = of->nentered; i-- > 0;)
    if (of->entered[i].decl == decl)
      return &of->entered[i];
  return NULL;
}

/* Whether it was that where the initialiser at hand was looked at. */
static bool was_entered(const pl_accesses *of, const pl_decl *decl) {
  return of->relation && !is_declared_in_fill(of, decl) &&
         pl_is_set_between(decl, of->before, of->loop->node) == PL_NO;
}

/* A variable's value where the fill begins; of one that is set somewhere, whichever.
 * While initialisers of before it are looked at, it may have been another one. */
pl_typed pl_access_meet(pl_accesses *of, const pl_decl *decl) {
  if (of->counter == decl)
    return of->number;
  bool own = pl_is_private(decl), inside = is_declared_in_fill(of, decl);
  bool again = is_set_again(decl);
  if (of->before && again && !(own && was_entered(of, decl)))
    return anything(of, pl_access_type(of, decl), NULL);
  pl_binding *held = of->before && again ? find_entered(of, decl) : find_binding(of, decl);
  if (held)
    return held->value;
  bool settled = own && !inside && decl->kind == PL_DECL_VAR && decl->init &&
                 !pl_access_is_inside(of, decl) && (!again || is_begun_with(of, decl));
  pl_typed value = settled ? settled_value(of, decl)
                           : anything(of, pl_access_type(of, decl),
                                      own && !inside ? NULL : of->turns);
  if (!settled)
    pl_access_flag_variable(of, value.is, decl);
  if (own && !find_binding(of, decl))
    pl_access_bind(of, decl, value);
  if (own && again && !inside && of->relation)
    PL_PUSH(of->names.arena, of->entered, of->nentered, of->entered_cap,
            ((pl_binding){decl, value}));
  return value;
}

/* ---- what is not taken apart --------------------------------------------- */

/* What an expression names, as far as its value rests on it. */
typedef struct text_walk {
  pl_accesses *of;
  struct pl_said_text *said;
  bool looks; /* at memory, or does what nobody sees */
} text_walk;

static bool built_in(pl_accesses *of, const pl_node *node, pl_typed *value);

static void note_value(text_walk *w, const pl_affine *value) {
  PL_PUSH(w->of->names.arena, w->said->values, w->said->nvalues,
          w->said->values_cap, value);
}

/* How many threads a group of the toolkit's has, which arguments of a template may
 * choose, or which of them this one is. */
static bool asks_group(const pl_accesses *of, const pl_node *call) {
  if (call->kind != PL_NODE_CALL || call->nkids != 1 || !pl_is_member_function(call))
    return false;
  pl_differs differs = pl_builtin_of(call)->differs;
  const pl_type *group = type_of(of, call->kids[0]->kids[0]);
  return (differs == PL_DIFFERS_SIZE || (of->alone && differs == PL_DIFFERS_PLACE)) &&
         group && group->kind == PL_TYPE_RECORD && !group->is_user &&
         (pl_str_has(group->spelling, "thread_") ||
          (of->alone && !pl_str_has(group->spelling, "grid_group")));
}

/* Whether the fill stores to the object of the method that it is of. */
static bool changes_self(pl_accesses *of) {
  if (of->self_func == of->func)
    return of->changes_self;
  of->self_func = of->func;
  of->changes_self = false;
  for (size_t i = 0; i < of->fill->nroots; i++) {
    pl_effects effects = {0};
    pl_effects_of(of->loop->effects, of->func, of->fill->roots[i], &effects);
    for (size_t k = 0; k < effects.n; k++)
      of->changes_self = of->changes_self ||
                         (effects.items[k].kind == PL_EFFECT_WRITE &&
                          effects.items[k].space != PL_SPACE_SHARED &&
                          pl_root_is_this(effects.items[k].root));
  }
  return of->changes_self;
}

/* `p->`, but for `this->` of the method that the fill is of, where nothing is stored
 * there: that of a function which is called is any object. */
static bool follows_pointer(pl_accesses *of, const pl_node *node) {
  const pl_node *base = node->nkids ? pl_node_bare(node->kids[0]) : NULL;
  bool of_self = node->kind == PL_NODE_MEMBER &&
                 (!base || base->kind == PL_NODE_THIS);
  return of_self ? of->func != of->fill->func || changes_self(of)
                 : node->is_arrow;
}

static bool gather(pl_node *node, void *context) {
  text_walk *w = context;
  pl_typed place;
  if (pl_index_axis(node, "blockIdx") || pl_index_axis(node, "gridDim"))
    return false;
  if (node->has_ival) /* of a macro, which may be another number elsewhere */
    note_value(w, pl_affine_number(&w->of->names, node->ival));
  if (built_in(w->of, node, &place)) {
    note_value(w, place.is);
    return false;
  }
  bool plain = node->kind == PL_NODE_REF || node->kind == PL_NODE_MEMBER ||
               node->kind == PL_NODE_BINARY || node->kind == PL_NODE_PAREN ||
               node->kind == PL_NODE_CAST || node->kind == PL_NODE_COND ||
               node->kind == PL_NODE_THIS || node->kind == PL_NODE_INT ||
               node->kind == PL_NODE_FLOATING || pl_is_block_rank(node) ||
               pl_is_block_size(node) || asks_group(w->of, node) ||
               (node->kind == PL_NODE_UNARY && node->op != PL_OP_DEREF);
  w->looks = w->looks || !plain || follows_pointer(w->of, node);
  if (node->kind != PL_NODE_REF || !node->decl || node->decl->func)
    return node->kind != PL_NODE_LAMBDA;
  bool variable = node->decl->kind == PL_DECL_VAR ||
                  node->decl->kind == PL_DECL_PARAM;
  w->looks = w->looks || (variable && !pl_is_private(node->decl));
  if (!variable || node->decl->is_shared)
    return true;
  w->looks = w->looks || is_second_name(named_by(node->decl));
  note_value(w, pl_access_meet(w->of, named_by(node->decl)).is);
  return true;
}

static bool says_same(const struct pl_said_text *a,
                      const struct pl_said_text *b) {
  if (!pl_str_eq(a->text, b->text) || a->func != b->func ||
      a->turns != b->turns || a->changes != b->changes ||
      a->nvalues != b->nvalues)
    return false;
  for (size_t i = 0; i < a->nvalues; i++)
    if (!pl_affine_equal(a->values[i], b->values[i]))
      return false;
  return true;
}

/* The innermost loop of whose iterations what is named tells. */
static const pl_turns *turns_of(pl_accesses *of,
                                const struct pl_said_text *said) {
  const pl_turns *inner = NULL;
  for (size_t i = 0; i < said->nvalues; i++) {
    const pl_turns *one = pl_affine_turns(&of->names, said->values[i]);
    if (one && (!inner || one->depth > inner->depth))
      inner = one;
  }
  return inner;
}

/* A number of its own for a text, the same one for the same text. */
static pl_typed unknown_text(pl_accesses *of, pl_node *node) {
  struct pl_said_text said = {
      .text = pl_unit_slice(of->loop->unit, node->range), .func = of->func};
  text_walk w = {of, &said, false};
  pl_node_walk(node, gather, &w);
  said.turns = w.looks ? of->turns : turns_of(of, &said);
  said.changes = w.looks ? of->changes : 0;
  bool again = !pl_node_changes(node) &&
               !(w.looks && (of->before || of->flags));
  for (size_t i = 0; again && i < of->ntexts; i++)
    if (says_same(&of->texts[i], &said))
      return of->texts[i].value;
  said.value = anything(of, type_of(of, node), said.turns);
  pl_access_flag(of, said.value.is, node);
  if (said.text.n && again)
    PL_PUSH(of->names.arena, of->texts, of->ntexts, of->texts_cap, said);
  return said.value;
}

/* ---- names --------------------------------------------------------------- */

static bool constant_value(pl_accesses *of, pl_node *node, pl_typed *value) {
  bool assumed = false;
  const pl_const_scope scope = {.func = of->func,
                                .instance = instance_of(of, of->func)};
  pl_const is = of->func == of->loop->func
                    ? pl_loop_const(of->loop, scope.instance, node, &assumed)
                    : pl_const_eval(&scope, node);
  int64_t number;
  if (assumed || !pl_const_number(is, &number))
    return false;
  *value = pl_typed_number(&of->names, number, is.bytes, is.is_unsigned);
  return true;
}

/* Whether a number is not taken for what it is here. */
static bool is_open(const pl_accesses *of, const pl_node *node) {
  if (of->neighbours)
    return pl_is_open(node);
  return of->flags && (of->instantiated ? pl_build_may_change(of->loop->unit, node)
                                        : pl_may_be_another_number(of->loop->unit, node));
}

/* What a name is worth by the initialiser that reaches it, or by what a load helper is
 * handed. (An initialiser dominates the use, so that this comes to an end.) */
static pl_typed value_alone(pl_accesses *of, pl_node *ref) {
  const pl_type *type = pl_access_type(of, ref->decl);
  pl_node *passed = pl_passed_for(of->loop, ref->decl);
  pl_node *init = passed ? NULL : pl_reaching_initialiser(ref);
  if (passed && pl_is_as_handed(ref)) {
    pl_loop *loop = of->loop;
    of->loop = loop->caller;
    of->func = loop->caller->func;
    pl_typed value = as_type(of, pl_access_value(of, passed), type);
    of->loop = loop;
    of->func = loop->func;
    pl_typed any = anything(of, type, NULL); /* not each thread may come to the call */
    of->names.names[any.is->terms[0].name].range = pl_typed_range(&of->names, value);
    return any;
  }
  return init ? as_type(of, pl_access_value(of, init), type)
              : anything(of, type, NULL);
}

static pl_typed name_value(pl_accesses *of, pl_node *node) {
  pl_typed value;
  if (!node->decl)
    return constant_value(of, node, &value) ? value : unknown_text(of, node);
  const pl_decl *decl = named_by(node->decl);
  pl_binding *held = find_binding(of, decl);
  if (is_second_name(decl))
    return unknown_text(of, node);
  if (held && !of->before)
    return held->value;
  if (is_origin(of, decl) && is_address(type_of(of, node)))
    return address(pl_affine_number(&of->names, 0));
  if (!decl->in_main && pl_str_is(decl->name, "warpSize"))
    return pl_typed_number(&of->names, 32, 4, false);
  if (!is_open(of, node) && constant_value(of, node, &value))
    return value;
  if (of->alone)
    return value_alone(of, node);
  if (!pl_is_private(decl))
    return unknown_text(of, node);
  value = pl_access_meet(of, decl);
  if (of->before && of->neighbours && is_set_again(decl)) /* it was another one */
    pl_access_flag_common(of, value.is, node);
  return value;
}

/* `threadIdx.x`, `blockDim.y`. */
static bool built_in(pl_accesses *of, const pl_node *node, pl_typed *value) {
  char of_thread = pl_index_axis(node, "threadIdx");
  char of_block = pl_index_axis(node, "blockDim");
  char axis = of_thread ? of_thread : of_block;
  if (axis < 'x' || axis > 'z')
    return false;
  const pl_affine *const *names = of_thread ? of->places.thread : of->places.block;
  if (of->neighbours)
    pl_access_flag(of, names[axis - 'x'], (pl_node *)node);
  *value = (pl_typed){names[axis - 'x'], 4, true, true};
  return true;
}

/* ---- pointers ------------------------------------------------------------ */

/* The type of what is indexed, with the bounds that the instantiation gives. */
static const pl_type *indexed_type(const pl_accesses *of, const pl_node *node) {
  const pl_node *bare = pl_node_bare((pl_node *)node);
  const pl_type *type = bare->type;
  if (bare->kind == PL_NODE_REF && bare->decl)
    type = pl_decl_type(bare->decl, instance_of(of, of->func));
  else if (bare->kind == PL_NODE_SUBSCRIPT) {
    const pl_type *outer = indexed_type(of, bare->kids[0]);
    type = outer && outer->element ? outer->element : type;
  }
  return pl_no_reference(type);
}

/* The bytes of what a pointer or array holds. Rows of open length are far
 * apart, planes of them farther: no index in bounds leads from one to the next. */
static int64_t element_size(pl_accesses *of, const pl_node *indexed) {
  const pl_type *type = indexed_type(of, indexed);
  const pl_type *element = type ? type->element : NULL;
  int64_t size = pl_type_size(element, of->func, instance_of(of, of->func));
  if (size > 0)
    return size;
  of->open = true;
  if (!element || element->kind != PL_TYPE_ARRAY)
    return OPEN_SIZE;
  bool plane = element->element && element->element->kind == PL_TYPE_ARRAY;
  return plane ? OPEN_PLANE : OPEN_ROW;
}

int64_t pl_access_element(pl_accesses *of, const pl_node *indexed) {
  return element_size(of, indexed);
}

/* So many elements behind a place. Neighbours' places are told apart as if no index had
 * wrapped around: where one has, it is behind the end of what is copied. */
static const pl_affine *moved(pl_accesses *of, const pl_node *indexed,
                              const pl_affine *from, pl_typed by,
                              int64_t sign) {
  const pl_affine *size =
      pl_affine_number(&of->names, element_size(of, indexed));
  const pl_affine *count =
      by.bytes == 8 || of->neighbours ? by.is : pl_typed_form(&of->names, by);
  return pl_affine_add(&of->names, from,
                       pl_affine_multiply(&of->names, count, size), sign);
}

static pl_typed pointer_sum(pl_accesses *of, pl_node *node, pl_typed a,
                            pl_typed b) {
  int64_t sign = node->op == PL_OP_SUB ? -1 : 1;
  bool left = is_address(type_of(of, node->kids[0]));
  bool right = is_address(type_of(of, node->kids[1]));
  if ((left && right) || (node->op != PL_OP_ADD && node->op != PL_OP_SUB))
    return anything(of, type_of(of, node), of->turns);
  return address(left ? moved(of, node->kids[0], a.is, b, sign)
                      : moved(of, node->kids[1], b.is, a, 1));
}

/* ---- operations ---------------------------------------------------------- */

static pl_typed operation(pl_accesses *of, pl_node *node, pl_typed a,
                          pl_typed b) {
  const pl_type *left = type_of(of, node->kids[0]);
  const pl_type *right = type_of(of, node->kids[1]);
  if (is_address(left) || is_address(right))
    return pointer_sum(of, node, a, b);
  if ((left && left->kind == PL_TYPE_FLOAT) ||
      (right && right->kind == PL_TYPE_FLOAT))
    return anything(of, type_of(of, node), of->turns);
  return pl_typed_binary(&of->names, node->op, a, b);
}

static bool is_question(pl_op op) {
  return op == PL_OP_LT || op == PL_OP_GT || op == PL_OP_LE || op == PL_OP_GE ||
         op == PL_OP_EQ || op == PL_OP_NE || op == PL_OP_LAND ||
         op == PL_OP_LOR;
}

/* What a condition is as a number. */
static pl_typed truth(pl_accesses *of, pl_node *node) {
  pl_decision decision = pl_access_decide(of, node);
  pl_typed any = unknown_text(of, node);
  pl_access_define(of, any, decision,
                   pl_typed_number(&of->names, 1, any.bytes, true),
                   pl_typed_number(&of->names, 0, any.bytes, true));
  return any;
}

static pl_typed binary(pl_accesses *of, pl_node *node) {
  if (is_question(node->op))
    return truth(of, node);
  pl_typed a = pl_access_value(of, node->kids[0]);
  pl_typed b = pl_access_value(of, node->kids[1]);
  size_t before = of->names.n;
  pl_typed value = node->op == PL_OP_COMMA ? b : operation(of, node, a, b);
  const pl_affine *is = value.is;
  bool unknown = is->n == 1 && is->terms[0].name >= before &&
                 of->names.names[is->terms[0].name].kind == PL_NAME_FREE;
  if (unknown || of->neighbours)
    pl_access_flag(of, is, node);
  return of->flags && unknown && value.bytes ? unknown_text(of, node) : value;
}

/* Sets what a left side names, where that is a local as a whole; what else is
 * set is not known any more. */
static pl_typed assign(pl_accesses *of, pl_node *node, pl_typed value) {
  pl_node *target = pl_node_bare(node->kids[0]);
  const pl_decl *decl = target->kind == PL_NODE_REF && target->decl
                            ? named_by(target->decl)
                            : NULL;
  bool plain = decl && decl->type && decl->type->kind != PL_TYPE_REFERENCE;
  if (!plain)
    pl_access_forget(of, node);
  if (!decl || is_origin(of, decl) || !pl_is_private(decl))
    return value;
  value = as_type(of, value, pl_access_type(of, decl));
  pl_access_bind(of, decl, value);
  of->changes++;
  return value;
}

static pl_typed assignment(pl_accesses *of, pl_node *node) {
  pl_typed value = pl_access_value(of, node->kids[1]);
  if (node->op != PL_OP_ASSIGN)
    value = operation(of, node, pl_access_value(of, node->kids[0]), value);
  return assign(of, node, value);
}

static pl_typed step(pl_accesses *of, pl_node *node) {
  bool down = node->op == PL_OP_PREDEC || node->op == PL_OP_POSTDEC;
  pl_typed old = pl_access_value(of, node->kids[0]);
  pl_typed one = pl_typed_number(&of->names, 1, 4, false);
  pl_typed fresh =
      is_address(type_of(of, node->kids[0]))
          ? address(moved(of, node->kids[0], old.is, one, down ? -1 : 1))
          : pl_typed_binary(&of->names, down ? PL_OP_SUB : PL_OP_ADD, old, one);
  fresh = assign(of, node, fresh);
  return node->op == PL_OP_PREINC || node->op == PL_OP_PREDEC ? fresh : old;
}

static pl_typed unary(pl_accesses *of, pl_node *node) {
  switch (node->op) {
  case PL_OP_PREINC:
  case PL_OP_POSTINC:
  case PL_OP_PREDEC:
  case PL_OP_POSTDEC:
    return step(of, node);
  case PL_OP_MINUS:
  case PL_OP_PLUS:
  case PL_OP_NOT: {
    pl_typed value = pl_access_value(of, node->kids[0]);
    return pl_is_integer_type(type_of(of, node->kids[0]))
               ? pl_typed_unary(&of->names, node->op, value)
               : unknown_text(of, node);
  }
  case PL_OP_LNOT:
    return truth(of, node);
  case PL_OP_ADDR:
    return address(pl_access_place(of, node->kids[0]));
  default:
    return unknown_text(of, node);
  }
}

/* ---- calls --------------------------------------------------------------- */

/* Declarations and one return. */
static pl_node *returned(const pl_func *func) {
  const pl_node *body = func->body;
  for (uint32_t i = 0; i < body->nkids; i++)
    if (!body->kids[i] || (body->kids[i]->kind != PL_NODE_DECL_STMT &&
                           body->kids[i]->kind != PL_NODE_RETURN))
      return NULL;
  const pl_node *last = body->nkids ? body->kids[body->nkids - 1] : NULL;
  return last && last->kind == PL_NODE_RETURN && last->nkids ? last->kids[0]
                                                             : NULL;
}

static void declare_all(pl_accesses *of, const pl_node *statement) {
  for (uint32_t i = 0; i < statement->nkids; i++) {
    pl_node *var = statement->kids[i];
    if (var && var->kind == PL_NODE_VAR && var->nkids && var->decl)
      pl_access_declare(of, var->decl, var->kids[0]);
  }
}

/* Goes into a function of the file that is declarations and a return: what it
 * returns. NULL: it does something else. */
static pl_node *enter(pl_accesses *of, pl_node *call) {
  pl_func *func = call->decl ? call->decl->func : NULL;
  pl_node *result = func && func->body ? returned(func) : NULL;
  if (!result || pl_access_is_inside(of, func) || func->nparams + 1 != call->nkids)
    return NULL;
  for (uint32_t i = 0; i < func->nparams; i++)
    pl_access_declare(of, func->params[i], call->kids[i + 1]);
  of->func = func;
  pl_access_go_into(of, func);
  for (uint32_t i = 0; i + 1 < func->body->nkids; i++)
    if (func->body->kids[i]->kind == PL_NODE_DECL_STMT)
      declare_all(of, func->body->kids[i]);
  return result;
}

/* Says of a value that is not taken apart between which bounds it is. */
static pl_typed bounded(pl_accesses *of, pl_typed any, int64_t least,
                        int64_t largest) {
  bool fresh = any.is->n == 1 && any.is->terms[0].by == 1 && !any.is->constant;
  pl_interval *range =
      fresh ? &of->names.names[any.is->terms[0].name].range : NULL;
  if (range && least > range->least)
    range->least = least;
  if (range && largest < range->largest)
    range->largest = largest;
  return any;
}

/* The smaller, or larger, one of two. */
static pl_typed extreme(pl_accesses *of, pl_node *call) {
  pl_typed a = pl_access_value(of, call->kids[1]);
  pl_typed b = pl_access_value(of, call->kids[2]);
  pl_interval x = pl_typed_range(&of->names, a);
  pl_interval y = pl_typed_range(&of->names, b);
  bool less = pl_calls_builtin(call, "min");
  bool same = a.is_unsigned == b.is_unsigned || (x.least >= 0 && y.least >= 0);
  if (same && (x.largest <= y.least || y.largest <= x.least))
    return as_type(of, (x.largest <= y.least) == less ? a : b,
                   type_of(of, call));
  int64_t least = (x.least < y.least) == less ? x.least : y.least;
  int64_t largest = (x.largest < y.largest) == less ? x.largest : y.largest;
  pl_typed any = unknown_text(of, call);
  pl_typed one = as_type(of, a, type_of(of, call));
  pl_typed other = as_type(of, b, type_of(of, call));
  pl_access_define(of, any,
                   pl_typed_compare(&of->names, less ? PL_OP_LE : PL_OP_GE, one, other),
                   one, other);
  return same && a.bytes && b.bytes ? bounded(of, any, least, largest) : any;
}

static void go_back(pl_accesses *of, const pl_func *outer) {
  of->func = outer;
  of->ninside--;
}

static pl_typed called(pl_accesses *of, pl_node *call) {
  if (pl_is_block_rank(call))
    return (pl_typed){of->places.rank, 4, true, true};
  if (pl_is_block_size(call))
    return (pl_typed){of->places.size, 4, true, true};
  if (asks_group(of, call)) {
    pl_typed any = unknown_text(of, call);
    any.bytes = 4;
    any.is_unsigned = true;
    return bounded(of, any, pl_builtin_of(call)->differs == PL_DIFFERS_SIZE, MOST_GROUP);
  }
  if (call->nkids == 3 &&
      (pl_calls_builtin(call, "min") || pl_calls_builtin(call, "max")))
    return extreme(of, call);
  const pl_func *outer = of->func;
  pl_node *result = enter(of, call);
  if (!result) {
    pl_typed any = unknown_text(of, call);
    pl_access_forget(of, call);
    return any;
  }
  pl_typed value = pl_access_value(of, result);
  go_back(of, outer);
  pl_access_flag(of, value.is, call);
  pl_access_forget(of, call);
  return as_type(of, value, type_of(of, call));
}

/* ---- expressions --------------------------------------------------------- */

/* `c ? a : b`, where a number decides, or any of both. */
static pl_typed conditional(pl_accesses *of, pl_node *node) {
  if (node->kids[0]->has_ival && !is_open(of, node->kids[0]))
    return pl_access_value(of, node->kids[node->kids[0]->ival ? 1 : 2]);
  pl_typed any = unknown_text(of, node);
  if (pl_node_changes(node)) {
    pl_access_forget(of, node);
    return any;
  }
  const pl_type *type = type_of(of, node);
  pl_decision decision = pl_access_decide(of, node->kids[0]);
  pl_typed a = as_type(of, pl_access_value(of, node->kids[1]), type);
  pl_typed b = as_type(of, pl_access_value(of, node->kids[2]), type);
  pl_access_define(of, any, decision, a, b);
  if (!a.exact || !b.exact || !pl_is_integer_type(type))
    return any;
  pl_interval x = pl_where_range(&of->names, decision.yes, a.is);
  pl_interval y = pl_where_range(&of->names, decision.no, b.is);
  return bounded(of, any, x.least < y.least ? x.least : y.least,
                 x.largest > y.largest ? x.largest : y.largest);
}

static pl_typed cast(pl_accesses *of, pl_node *node) {
  const pl_type *to = type_of(of, node);
  if (!node->nkids || !(pl_is_integer_type(to) || is_address(to)))
    return unknown_text(of, node);
  pl_typed value = pl_access_value(of, node->kids[0]);
  const pl_type *from = type_of(of, node->kids[0]);
  bool converts = is_address(to) ? is_address(from) : pl_is_integer_type(from);
  return converts ? as_type(of, value, to) : unknown_text(of, node);
}

static pl_typed any_value(pl_accesses *of, pl_node *node) {
  pl_typed value;
  switch (node->kind) {
  case PL_NODE_REF:
    return name_value(of, node);
  case PL_NODE_CAST:
    return cast(of, node);
  case PL_NODE_UNARY:
    return unary(of, node);
  case PL_NODE_BINARY:
    return binary(of, node);
  case PL_NODE_COND:
    return conditional(of, node);
  case PL_NODE_ASSIGN:
    return assignment(of, node);
  case PL_NODE_CALL:
    return called(of, node);
  case PL_NODE_SUBSCRIPT:
  case PL_NODE_MEMBER:
    if (built_in(of, node, &value))
      return value;
    if (pl_index_axis(node, "blockIdx"))
      return bounded(of, unknown_text(of, node), 0, INT32_MAX - 1);
    if (pl_index_axis(node, "gridDim"))
      return bounded(of, unknown_text(of, node), 1, INT32_MAX);
    if (is_address(type_of(of, node)) &&
        type_of(of, node)->kind == PL_TYPE_ARRAY)
      return address(pl_access_place(of, node));
    return unknown_text(of, node);
  case PL_NODE_THIS:
    return address(of->places.self);
  default:
    value = unknown_text(of, node);
    pl_access_forget(of, node);
    return value;
  }
}

pl_typed pl_access_value(pl_accesses *of, pl_node *node) {
  node = pl_node_bare(node);
  if (!node || ++of->steps > PL_MOST_ACCESS_STEPS) {
    of->cut = of->cut || node;
    return anything(of, NULL, of->turns);
  }
  const pl_type *type = type_of(of, node);
  const pl_instance *instance = instance_of(of, of->func);
  pl_typed value;
  if (is_open(of, node))
    return any_value(of, node);
  if (node->open && instance && node->open[instance->index].is_known &&
      constant_value(of, node, &value))
    return value;
  if (node->has_ival)
    return pl_typed_number(&of->names, node->ival,
                           pl_is_integer_type(type) ? (uint8_t)type->size : 0,
                           pl_is_integer_type(type) && type->is_unsigned);
  return any_value(of, node);
}

/* ---- conditions ---------------------------------------------------------- */

static pl_decision decide_both(pl_accesses *of, pl_node *node) {
  pl_affines *all = &of->names;
  pl_decision a = pl_access_decide(of, node->kids[0]);
  pl_decision b = pl_access_decide(of, node->kids[1]);
  if (pl_node_changes(node->kids[1]))
    pl_access_forget(of, node->kids[1]);
  return node->op == PL_OP_LAND
             ? (pl_decision){pl_where_both(all, a.yes, b.yes),
                             pl_where_either(all, a.no, b.no)}
             : (pl_decision){pl_where_either(all, a.yes, b.yes),
                             pl_where_both(all, a.no, b.no)};
}

static bool compares_integers(const pl_accesses *of, const pl_node *node) {
  const pl_type *left = type_of(of, node->kids[0]);
  const pl_type *right = type_of(of, node->kids[1]);
  return pl_is_integer_type(left) && pl_is_integer_type(right);
}

pl_decision pl_access_decide(pl_accesses *of, pl_node *cond) {
  cond = pl_node_bare(cond);
  bool asks = cond->kind == PL_NODE_BINARY && is_question(cond->op);
  if (asks && (cond->op == PL_OP_LAND || cond->op == PL_OP_LOR))
    return decide_both(of, cond);
  if (cond->kind == PL_NODE_UNARY && cond->op == PL_OP_LNOT) {
    pl_decision turned = pl_access_decide(of, cond->kids[0]);
    return (pl_decision){turned.no, turned.yes};
  }
  if (asks) {
    pl_typed a = pl_access_value(of, cond->kids[0]);
    pl_typed b = pl_access_value(of, cond->kids[1]);
    if (cond == of->relation && !of->trials) {
      of->sides[0] = a;
      of->sides[1] = b;
      of->sides_met = true;
    }
    if (compares_integers(of, cond))
      return pl_typed_compare(&of->names, cond->op, a, b);
    pl_typed any = unknown_text(of, cond);
    return pl_typed_compare(&of->names, PL_OP_NE, any,
                            pl_typed_number(&of->names, 0, 4, false));
  }
  return pl_typed_compare(&of->names, PL_OP_NE, pl_access_value(of, cond),
                          pl_typed_number(&of->names, 0, 4, false));
}

/* ---- places -------------------------------------------------------------- */

/* An index that is so large would be anywhere in the tile. */
#define LARGE_INDEX ((int64_t)1 << 20)

/* Where an index into an array that may be so large is in bounds; NULL: anywhere. */
static const pl_where *in_bounds(pl_accesses *of, const pl_node *array, pl_typed index) {
  pl_affines *all = &of->names;
  const pl_type *type = indexed_type(of, array);
  if (!type || type->kind != PL_TYPE_ARRAY ||
      (type->count > 0 && !of->rounds_open &&
       pl_typed_range(all, index).largest < LARGE_INDEX))
    return NULL;
  pl_typed zero = pl_typed_number(all, 0, 8, false);
  pl_typed count = pl_typed_number(all, type->count > 0 ? type->count : MOST_SHARED, 8, false);
  return pl_where_both(all, pl_typed_compare(all, PL_OP_GE, index, zero).yes,
                       pl_typed_compare(all, PL_OP_LT, index, count).yes);
}

const pl_affine *pl_access_place(pl_accesses *of, pl_node *node) {
  node = pl_node_bare(node);
  if (node && node->kind == PL_NODE_REF && node->decl &&
      is_origin(of, named_by(node->decl)) &&
      !find_binding(of, named_by(node->decl)))
    return pl_affine_number(&of->names, 0);
  if (!node || ++of->steps > PL_MOST_ACCESS_STEPS || node->nkids == 0)
    return pl_access_value(of, node).is;
  pl_node *base = node->kids[0];
  switch (node->kind) {
  case PL_NODE_SUBSCRIPT: {
    bool array = base->type && base->type->kind != PL_TYPE_POINTER;
    const pl_affine *at =
        array ? pl_access_place(of, base) : pl_access_value(of, base).is;
    pl_typed index = pl_access_value(of, node->kids[1]);
    if (of->in_bounds)
      of->path = pl_where_both(&of->names, of->path, in_bounds(of, base, index));
    return moved(of, base, at, index, 1);
  }
  case PL_NODE_MEMBER: {
    const pl_affine *at = node->is_arrow ? pl_access_value(of, base).is
                                         : pl_access_place(of, base);
    int64_t offset =
        node->decl && node->decl->is_field ? node->decl->field_offset : 0;
    return pl_affine_add(&of->names, at, pl_affine_number(&of->names, offset), 1);
  }
  case PL_NODE_UNARY:
    return node->op == PL_OP_DEREF ? pl_access_value(of, base).is
                                   : pl_access_value(of, node).is;
  case PL_NODE_CAST:
    return pl_access_place(of, base);
  case PL_NODE_CALL: {
    const pl_func *outer = of->func;
    pl_node *result = enter(of, node);
    if (!result)
      return unknown_text(of, node).is;
    const pl_affine *at = pl_access_place(of, result);
    go_back(of, outer);
    return at;
  }
  default:
    return pl_access_value(of, node).is;
  }
}

const pl_where *pl_access_bounds(pl_accesses *of, pl_node *cell) {
  const pl_where *within = NULL;
  bool changes = pl_node_changes(cell);
  for (cell = pl_node_bare(cell); cell->kind == PL_NODE_SUBSCRIPT && !changes;
       cell = pl_node_bare(cell->kids[0]))
    within = pl_where_both(&of->names, within,
                           in_bounds(of, cell->kids[0], pl_access_value(of, cell->kids[1])));
  return within;
}
