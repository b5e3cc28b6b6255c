/* points_to.c - see points_to.h.
 *
 * Needs: roots, summaries of callees. Gives: the puts of a function, each with the
 * roots that are put and the objects that they are put in; by them what may lead to an
 * object, and the roots of a variable that is given values under other names than its
 * own. Raises nothing. */
#include "assembly.h"
#include "call_summary.h"
#include "effects_parts.h"
#include "points_to.h"

bool pl_can_hold(const pl_type *type) {
  if (!type)
    return true;
  switch (type->kind) {
  case PL_TYPE_VOID:
  case PL_TYPE_BOOL:
  case PL_TYPE_FLOAT:
  case PL_TYPE_ENUM:
    return false;
  case PL_TYPE_INT:
    return type->size < 0 || type->size >= 4;
  case PL_TYPE_REFERENCE:
  case PL_TYPE_ARRAY:
    return pl_can_hold(type->element);
  default:
    return true;
  }
}

/* ---- what one node puts where -------------------------------------------- */

static void add_all(pl_walk *w, pl_roots *to, const pl_roots *from) {
  for (size_t i = 0; i < from->n; i++)
    pl_add_root(w->context->unit->arena, to, from->items[i]);
}

static void add_put(pl_walk *w, pl_puts *puts, pl_put put) {
  if (put.values.n && put.into.n)
    PL_PUSH(w->context->unit->arena, puts->items, puts->n, puts->cap, put);
}

/* What the pointers lead to that lie where some roots do. */
static pl_roots behind(pl_walk *w, const pl_roots *roots) {
  pl_roots found = {0};
  for (size_t i = 0; i < roots->n; i++)
    pl_load_through(w, roots->items[i], PL_STR(""), &found);
  return found;
}

/* The function's own variable of which an lvalue is all or a part, without going
 * through a pointer; NULL: there is none. */
static const pl_decl *variable_of(pl_node *node) {
  node = pl_node_bare(node);
  while (node && node->nkids &&
         ((node->kind == PL_NODE_MEMBER && !node->is_arrow &&
           !(node->decl && pl_is_reference(node->decl->type))) ||
          (node->kind == PL_NODE_SUBSCRIPT &&
           pl_is_array_type(node->kids[0]->type)) ||
          (node->kind == PL_NODE_CAST && pl_is_reference(node->type))))
    node = pl_node_bare(node->kids[0]);
  const pl_decl *decl = node && node->kind == PL_NODE_REF ? node->decl : NULL;
  bool own = decl && decl->owner && !decl->is_shared && !decl->is_static;
  return own && !pl_is_reference(decl->type) ? decl : NULL;
}

/* Whether a pointer is set by a parameter's name that is a reference to it. */
static bool is_set_by_reference(pl_node *target, const pl_decl *decl) {
  const pl_node *bare = pl_node_bare(target);
  return bare->kind == PL_NODE_REF && bare->decl == decl &&
         decl->kind == PL_DECL_PARAM && pl_is_pointer_reference(decl->type);
}

/* `values` are put in what an lvalue names: in the pointer itself, `&`, that a
 * parameter is a reference to. */
static void put_in(pl_walk *w, pl_node *at, pl_node *target, pl_roots values,
                   pl_puts *puts) {
  pl_put put = {.at = at, .values = values};
  put.is_own = variable_of(target) != NULL;
  if (!pl_can_hold(target->type) || !values.n)
    return;
  pl_lvalue_roots(w, target, &put.into);
  for (size_t i = 0; i < put.into.n; i++)
    if (put.into.items[i].decl && !put.into.items[i].member.n &&
        is_set_by_reference(target, put.into.items[i].decl))
      put.into.items[i].member = PL_STR("&");
  add_put(w, puts, put);
}

static pl_roots value_of(pl_walk *w, pl_node *node);

static bool named_roots(pl_node *node, void *context) {
  pl_gather *g = context;
  if (node->kind == PL_NODE_THIS || (node->kind == PL_NODE_MEMBER && !node->nkids))
    pl_add_root(g->w->context->unit->arena, g->roots, pl_this_root(g->w));
  if (node->kind != PL_NODE_REF || !node->decl ||
      (node->decl->kind != PL_DECL_VAR && node->decl->kind != PL_DECL_PARAM))
    return true;
  pl_lvalue_roots(g->w, node, g->roots);
  pl_roots values = value_of(g->w, node);
  add_all(g->w, g->roots, &values);
  return true;
}

void pl_roots_in_text(pl_walk *w, pl_node *text, pl_roots *roots) {
  pl_gather g = {.w = w, .roots = roots};
  pl_node_walk(text, named_roots, &g);
}

/* The object that a name may be bound to; no value is one. */
static void place_roots(pl_walk *w, pl_node *node, pl_roots *roots) {
  const pl_node *bare = pl_node_bare(node);
  const pl_func *callee =
      bare && bare->kind == PL_NODE_CALL ? pl_callee_of(bare) : NULL;
  bool value = !bare || (callee && !pl_returns_reference(callee)) ||
               (bare->kind == PL_NODE_UNARY && bare->op != PL_OP_DEREF &&
                bare->op != PL_OP_PREINC && bare->op != PL_OP_PREDEC);
  pl_roots found = {0};
  if (!value)
    pl_lvalue_roots(w, node, &found);
  for (size_t i = 0; i < found.n; i++)
    if (found.items[i].decl != pl_temporary_root().decl)
      pl_add_root(w->context->unit->arena, roots, found.items[i]);
}

void pl_kept_names(pl_walk *w, const pl_type *type, pl_node *init,
                   pl_roots *roots) {
  bool makes = init->kind == PL_NODE_CONSTRUCT || init->kind == PL_NODE_INIT_LIST;
  for (uint32_t i = 0; makes && type && type->keeps_addresses && i < init->nkids;
       i++)
    if (init->kids[i] && !pl_takes_plain_value(init, i) &&
        !pl_node_is_constant(init->kids[i]))
      place_roots(w, init->kids[i], roots);
}

/* The value of an expression; of a lambda, what it has captured. */
static pl_roots value_of(pl_walk *w, pl_node *node) {
  pl_roots found = {0};
  pl_node *bare = pl_node_bare(node), *lambda = pl_lambda_of(bare);
  if (lambda) {
    pl_roots_in_text(w, lambda, &found);
    return found;
  }
  pl_value_roots(w, node, &found);
  if (bare && bare->type)
    pl_kept_names(w, bare->type, bare, &found);
  if (bare && bare->kind == PL_NODE_REF && bare->decl && bare->decl->owner &&
      bare->type && bare->type->keeps_addresses)
    pl_local_member_roots(w, bare->decl, PL_STR("&"), &found);
  return found;
}

static void put_variable(pl_walk *w, pl_node *node, pl_puts *puts) {
  pl_node *init = node->nkids ? node->kids[0] : NULL;
  pl_decl *decl = node->decl;
  if (!init || !decl)
    return;
  pl_put put = {.at = node, .is_own = true};
  pl_add_root(w->context->unit->arena, &put.into, (pl_root){decl, {0}});
  if (pl_is_reference(decl->type)) {
    pl_put name = put;
    name.is_name = true;
    place_roots(w, init, &name.values);
    add_put(w, puts, name);
    if (pl_is_array_type(decl->type->element)) {
      put.values = behind(w, &name.values);
      add_put(w, puts, put);
      return;
    }
  }
  if (!pl_can_hold(decl->type))
    return;
  put.values = value_of(w, init);
  pl_kept_names(w, decl->type, init, &put.values);
  add_put(w, puts, put);
}

/* Variables of a range-based loop: whatever its range names. */
static void put_range(pl_walk *w, pl_node *node, pl_puts *puts) {
  pl_node *range = pl_node_is_array_range(node) ? node->kids[1] : node;
  for (uint32_t i = 0; i < node->nkids; i++) {
    pl_decl *decl = node->kids[i] && node->kids[i]->kind == PL_NODE_VAR
                        ? node->kids[i]->decl
                        : NULL;
    if (!decl || !pl_can_hold(decl->type))
      continue;
    pl_put put = {.at = node, .is_own = true};
    pl_roots_in_text(w, range, &put.values);
    pl_add_root(w->context->unit->arena, &put.into, (pl_root){decl, {0}});
    add_put(w, puts, put);
  }
}

/* What a function puts where, as told of its parameters. */
static void put_by_callee(pl_walk *w, const pl_func *callee, pl_node *call,
                          pl_puts *puts) {
  const pl_summary *s = pl_summarise(w->context, callee);
  for (size_t i = 0; i < s->nflows; i++) {
    pl_root into = s->flows[i].into;
    pl_put put = {.at = call, .is_lost = s->flows[i].is_lost};
    int index = into.decl ? pl_param_index(callee, into.decl) : -1;
    pl_node *arg = index < 0 ? NULL : pl_argument(call, index);
    pl_map_root(w, callee, call, s->flows[i].from, &put.values);
    if (arg && pl_str_is(into.member, "&")) {
      put_in(w, call, arg, put.values, puts);
      continue;
    }
    pl_map_root(w, callee, call, into, &put.into);
    add_put(w, puts, put);
  }
}

/* What the calls of a lambda hand it. */
static void put_in_lambda(pl_walk *w, pl_node *call, pl_puts *puts) {
  const pl_node *lambda = pl_called_lambda(call);
  const pl_func *func = lambda ? lambda->func : NULL;
  for (uint32_t i = 0; func && i < func->nparams && i + 1 < call->nkids; i++) {
    pl_put put = {.at = call, .is_own = true};
    pl_node *arg = call->kids[i + 1];
    pl_add_root(w->context->unit->arena, &put.into,
                (pl_root){func->params[i], {0}});
    if (!arg)
      continue;
    if (pl_is_reference(func->params[i]->type)) {
      pl_put name = put;
      name.is_name = true;
      place_roots(w, arg, &name.values);
      add_put(w, puts, name);
    }
    if (pl_can_hold(func->params[i]->type))
      put.values = value_of(w, arg);
    add_put(w, puts, put);
  }
}

/* Functions of the toolkit that move values about. */
static void put_by_builtin(pl_walk *w, pl_node *call, pl_puts *puts) {
  const pl_builtin *row = pl_builtin_of(call);
  bool exchange = pl_builtin_argument(row, 0) == 'x';
  bool atomic = row->emits == PL_EMITS_ATOMIC;
  pl_put put = {.at = call};
  if (pl_str_has(call->name, "memcpy") && call->nkids > 2) {
    pl_roots from = {0};
    pl_value_roots(w, call->kids[2], &from);
    put.values = behind(w, &from);
    pl_value_roots(w, call->kids[1], &put.into);
    add_put(w, puts, put);
  }
  for (uint32_t i = 1; (atomic || exchange) && i < call->nkids; i++)
    if (call->kids[i] && (exchange || i > 1) && pl_can_hold(call->kids[i]->type))
      pl_value_roots(w, call->kids[i], &put.values);
  pl_add_root(w->context->unit->arena, &put.into, (pl_root){0});
  if (atomic)
    add_put(w, puts, put);
  for (uint32_t i = 1; exchange && i < call->nkids; i++)
    put_in(w, call, call->kids[i], put.values, puts);
}

/* What a function of the user's is handed whose body is not seen. */
static void put_out_of_sight(pl_walk *w, pl_node *call, pl_puts *puts) {
  pl_put put = {.at = call, .is_lost = true};
  pl_add_root(w->context->unit->arena, &put.into, (pl_root){0});
  for (uint32_t i = 1; i < call->nkids; i++) {
    const pl_type *type = call->kids[i] ? call->kids[i]->type : NULL;
    if (call->kids[i] && (pl_can_hold(type) || pl_is_array_type(type)))
      pl_value_roots(w, call->kids[i], &put.values);
  }
  add_put(w, puts, put);
}

static void put_by_call(pl_walk *w, pl_node *call, pl_puts *puts) {
  const pl_func *callee = pl_callee_of(call);
  if (callee)
    put_by_callee(w, callee, call, puts);
  if (pl_called_lambda(call))
    put_in_lambda(w, call, puts);
  else if (!callee)
    put_by_builtin(w, call, puts);
  if (!callee && pl_is_own_function(call) && !pl_called_lambda(call))
    put_out_of_sight(w, call, puts);
}

/* Outputs hold the addresses that go in, but for those that are loaded
 * through. */
static void put_by_asm(pl_walk *w, pl_node *node, pl_puts *puts) {
  pl_str text = pl_assembly_text(w->context->unit, node);
  pl_roots values = {0};
  for (int pass = 0; pass < 2; pass++) {
    int64_t operand = 0;
    for (uint32_t i = 0; i < node->nkids; i++) {
      pl_node *kid = node->kids[i];
      if (!kid || kid->kind == PL_NODE_STRING)
        continue;
      bool output = operand < node->ival;
      pl_asm_use use = pl_used_by_asm(text, operand);
      bool address = use.in_brackets && !use.bare;
      if (pass == 0 && !output && !address &&
          pl_can_hold(kid->type))
        pl_value_roots(w, kid, &values);
      if (pass == 1 && output)
        put_in(w, node, kid, values, puts);
      operand++;
    }
  }
}

/* What takes the address of something, and is not known. */
static void put_by_unknown(pl_walk *w, pl_node *node, pl_puts *puts) {
  pl_put put = {.at = node, .is_lost = true};
  pl_add_root(w->context->unit->arena, &put.into, (pl_root){0});
  for (uint32_t i = 0; i < node->nkids; i++)
    if (node->kids[i] && node->kids[i]->kind == PL_NODE_UNARY &&
        node->kids[i]->op == PL_OP_ADDR)
      pl_value_roots(w, node->kids[i], &put.values);
  add_put(w, puts, put);
}

/* An operator of the user's, as the call that it is; NULL: it is another. */
static pl_node *operator_call(pl_walk *w, const pl_node *node) {
  pl_arena *arena = w->context->unit->arena;
  bool operates = node->kind == PL_NODE_BINARY || node->kind == PL_NODE_UNARY ||
                  node->kind == PL_NODE_ASSIGN ||
                  node->kind == PL_NODE_SUBSCRIPT;
  const pl_func *func = operates && node->decl ? node->decl->func : NULL;
  if (!func || !func->body || !node->nkids)
    return NULL;
  pl_node *call = PL_NEW(arena, pl_node);
  *call = *node;
  call->kind = PL_NODE_CALL;
  call->nkids = node->nkids + !func->is_method;
  call->kids = PL_NEW_ARRAY(arena, pl_node *, call->nkids);
  for (uint32_t i = 0; i < node->nkids; i++)
    call->kids[i + !func->is_method] = node->kids[i];
  if (func->is_method) {
    pl_node *member = PL_NEW(arena, pl_node);
    *member = (pl_node){.kind = PL_NODE_MEMBER, .nkids = 1};
    member->kids = PL_NEW_ARRAY(arena, pl_node *, 1);
    member->kids[0] = node->kids[0];
    call->kids[0] = member;
  }
  return call;
}

/* Whether a node may put something in a variable under another name than its own, and
 * not by its declaration. */
static bool puts_elsewhere(const pl_node *node) {
  switch (node->kind) {
  case PL_NODE_ASSIGN:
    return (node->decl && node->decl->func) ||
           (pl_can_hold(node->kids[0]->type) && !variable_of(node->kids[0]));
  case PL_NODE_BINARY:
  case PL_NODE_UNARY:
  case PL_NODE_SUBSCRIPT:
    return node->decl && node->decl->func;
  case PL_NODE_CALL:
  case PL_NODE_ASM:
  case PL_NODE_RANGE_FOR:
    return true;
  default:
    return false;
  }
}

static void put_by_node(pl_walk *w, pl_node *node, pl_puts *puts) {
  pl_node *operates = operator_call(w, node);
  size_t first = puts->n;
  if (operates)
    put_by_call(w, operates, puts);
  else if (node->kind == PL_NODE_VAR)
    put_variable(w, node, puts);
  else if (node->kind == PL_NODE_ASSIGN && pl_can_hold(node->kids[0]->type))
    put_in(w, node, node->kids[0], value_of(w, node->kids[1]), puts);
  else if (node->kind == PL_NODE_CALL)
    put_by_call(w, node, puts);
  else if (node->kind == PL_NODE_ASM)
    put_by_asm(w, node, puts);
  else if (node->kind == PL_NODE_RANGE_FOR)
    put_range(w, node, puts);
  else if (node->kind == PL_NODE_UNKNOWN)
    put_by_unknown(w, node, puts);
  for (; operates && first < puts->n; first++)
    puts->items[first].at = node;
}

/* ---- the puts of a function ----------------------------------------------- */

typedef struct put_walk {
  pl_walk *w;
  pl_puts *puts;
  bool all;
} put_walk;

static bool gather_puts(pl_node *node, void *context) {
  put_walk *p = context;
  if (p->all || puts_elsewhere(node))
    put_by_node(p->w, node, p->puts);
  return true;
}

static size_t size_of(const pl_puts *puts) {
  size_t n = puts->n;
  for (size_t i = 0; i < puts->n; i++)
    n += puts->items[i].values.n + puts->items[i].into.n;
  return n;
}

static pl_summary *summary_of(const pl_effect_context *context,
                              const pl_func *func) {
  pl_summary *s = func ? &context->summaries[func->number] : NULL;
  return s && s->func == func && func->body ? s : NULL;
}

/* In a round, what was found in the one before is told while a function is looked
 * through. */
static const pl_puts *puts_in_round(pl_walk *w, const pl_func *func) {
  static const pl_puts none = {0};
  pl_effect_context *context = w->context;
  pl_summary *s = summary_of(context, func);
  if (!s)
    return &none;
  if (s->puts_round != context->round) {
    pl_puts fresh = {0};
    put_walk p = {w, &fresh, false};
    s->puts_round = context->round;
    pl_node_walk(func->body, gather_puts, &p);
    context->nput += size_of(&fresh) - size_of(&s->puts);
    s->puts = fresh;
  }
  return &s->puts;
}

void pl_put_roots(pl_walk *w, const pl_decl *decl, bool names, pl_roots *roots) {
  const pl_puts *puts = puts_in_round(w, decl->owner);
  for (size_t i = 0; i < puts->n; i++)
    for (size_t k = 0; k < puts->items[i].into.n; k++)
      if (puts->items[i].into.items[k].decl == decl &&
          !puts->items[i].into.items[k].member.n &&
          puts->items[i].is_name == names)
        add_all(w, roots, &puts->items[i].values);
}

/* Whether a root is a variable of the function's own, and no more. */
static bool is_own(const pl_func *func, const pl_put *put, pl_root root) {
  const pl_decl *decl = root.decl;
  if (!decl || root.member.n || decl->is_shared || pl_root_is_this(root))
    return false;
  if (decl == pl_temporary_root().decl)
    return true;
  while (func && func != decl->owner)
    func = func->outer;
  return put->is_own || (decl->kind == PL_DECL_VAR && func &&
                         pl_root_space(root) == PL_SPACE_LOCAL);
}

static bool has_flow(const pl_summary *s, pl_flow flow) {
  for (size_t i = 0; i < s->nflows; i++)
    if (pl_root_eq(s->flows[i].from, flow.from) &&
        pl_root_eq(s->flows[i].into, flow.into) &&
        s->flows[i].is_lost == flow.is_lost)
      return true;
  return false;
}

/* What a put moves between what the function's callers know. */
static void find_flow(pl_walk *w, pl_summary *s, const pl_put *put) {
  const pl_put any = {0};
  for (size_t i = 0; i < put->into.n; i++)
    for (size_t k = 0; !is_own(s->func, put, put->into.items[i]) &&
                       k < put->values.n; k++) {
      pl_flow flow = {put->values.items[k], put->into.items[i], put->is_lost};
      if (flow.from.decl && !is_own(s->func, &any, flow.from) &&
          !has_flow(s, flow))
        PL_PUSH(w->context->unit->arena, s->flows, s->nflows, s->flows_cap, flow);
    }
}

void pl_find_flows(pl_walk *w, pl_summary *s) {
  pl_puts puts = {0};
  put_walk p = {w, &puts, true};
  w->context->told = true;
  pl_node_walk(s->func->body, gather_puts, &p);
  w->context->told = false;
  for (size_t i = 0; i < puts.n; i++)
    find_flow(w, s, &puts.items[i]);
}

/* ---- what leads to an object --------------------------------------------- */

/* (A lambda's are looked for each time.) */
static pl_puts all_puts(pl_effect_context *context, const pl_func *func) {
  pl_summary *s = summary_of(context, func);
  pl_effects scratch = {0};
  pl_walk w = {.context = context, .func = func, .out = &scratch};
  pl_puts puts = {0};
  if (s && s->knows_puts)
    return s->all_puts;
  put_walk p = {&w, &puts, true};
  context->told = true;
  pl_node_walk(func->body, gather_puts, &p);
  context->told = false;
  if (s) {
    s->all_puts = puts;
    s->knows_puts = true;
  }
  return puts;
}

/* The roots of a parameter that is a pointer, or a number, are what it leads to: it is
 * led to itself where it has other names. */
static bool may_be_led_to(pl_effect_context *context, const pl_func *func,
                          const pl_decl *object) {
  pl_effects scratch = {0};
  pl_walk w = {.context = context, .func = func, .out = &scratch};
  return object->kind != PL_DECL_PARAM || pl_is_reference(object->type) ||
         (object->type && object->type->kind == PL_TYPE_RECORD) ||
         pl_has_names(&w, object);
}

static pl_puts puts_that_may_lead_to(pl_effect_context *context, const pl_func *func,
                                     const pl_decl *object) {
  return may_be_led_to(context, func, object) ? all_puts(context, func) : (pl_puts){0};
}

bool pl_address_is_stored(pl_effect_context *context, const pl_func *func,
                          const pl_decl *object) {
  pl_puts puts = puts_that_may_lead_to(context, func, object);
  for (size_t i = 0; i < puts.n; i++)
    for (size_t k = 0; k < puts.items[i].into.n; k++)
      if (pl_leads_to(&puts.items[i].values, object) != PL_NO &&
          !is_own(func, &puts.items[i], puts.items[i].into.items[k]))
        return true;
  return false;
}

static void add_holder(pl_loop *loop, pl_holders *out, const pl_decl *decl,
                       const pl_put *put) {
  size_t i = 0;
  while (i < out->n && out->items[i].decl != decl)
    i++;
  if (i == out->n)
    PL_PUSH(loop->arena, out->items, out->n, out->cap,
            (pl_holder){.decl = decl});
  pl_holder *holder = &out->items[i];
  holder->names = holder->names || put->is_name;
  holder->holds = holder->holds || !put->is_name;
  holder->inside = holder->inside || pl_node_within(put->at, loop->node) ||
                   pl_in_lambda(put->at);
}

void pl_find_holders(pl_loop *loop, const pl_decl *object, pl_holders *holders) {
  pl_puts puts = puts_that_may_lead_to(loop->effects, loop->func, object);
  for (size_t i = 0; i < puts.n; i++) {
    const pl_put *put = &puts.items[i];
    if (pl_leads_to(&put->values, object) != PL_YES)
      continue;
    for (size_t k = 0; k < put->into.n; k++)
      if (is_own(loop->func, put, put->into.items[k]))
        add_holder(loop, holders, put->into.items[k].decl, put);
      else if (!holders->stored_at && !put->is_lost)
        holders->stored_at = put->at;
  }
}

bool pl_is_of_call(const pl_loop *loop, const pl_decl *decl) {
  return pl_param_index(loop->func, decl) < 0 &&
         ((!decl->is_static && pl_in_lambda(decl->node)) ||
          decl->kind == PL_DECL_PARAM);
}

/* Whether a variable that leads to an object is one more name of it. Names in a lambda
 * are those of where it stands. */
static bool is_lasting_name(const pl_loop *loop, const pl_decl *by,
                            const pl_decl *object) {
  const pl_node *init = by->init ? pl_node_bare(by->init) : NULL;
  return by != object && !(init && init->kind == PL_NODE_LAMBDA) &&
         !pl_is_of_call(loop, by);
}

const pl_node *pl_led_to(pl_loop *loop, const pl_node *text, const pl_decl *object) {
  const pl_node *stored = NULL;
  pl_puts puts = puts_that_may_lead_to(loop->effects, loop->func, object);
  for (size_t i = 0; i < puts.n; i++) {
    const pl_put *put = &puts.items[i];
    if (pl_leads_to(&put->values, object) != PL_YES || !pl_node_within(put->at, text))
      continue;
    for (size_t k = 0; k < put->into.n; k++) {
      const pl_decl *by = put->into.items[k].decl;
      if (!is_own(loop->func, put, put->into.items[k]))
        stored = stored ? stored : put->at;
      else if (is_lasting_name(loop, by, object))
        return by->node ? by->node : put->at;
    }
  }
  return stored;
}

bool pl_leads_to_itself(pl_loop *loop, const pl_decl *object) {
  pl_puts puts = puts_that_may_lead_to(loop->effects, loop->func, object);
  for (size_t i = 0; i < puts.n; i++)
    if (pl_leads_to(&puts.items[i].values, object) == PL_YES &&
        pl_leads_to(&puts.items[i].into, object) == PL_YES)
      return true;
  return false;
}
