/* effects_calls.c - what does a call do to memory?
 *
 * Needs: summaries of callees, builtins. Gives: the effects of a
 * call, as seen by the caller: arguments in the place of parameters, the
 * object in that of `this`. Raises: nothing. */
#include "call_summary.h"
#include "effects_parts.h"

#define MOST_BODIES 1000 /* of lambdas, in one walk */

/* What textures and surfaces are read from: no kernel sees there what it stores
 * itself. */
static pl_decl texture_memory = {.kind = PL_DECL_OTHER};

/* Accesses behind a pointer argument. */
static void pointer_argument(pl_walk *w, pl_node *arg, int access) {
  if (!arg)
    return;
  pl_roots roots = {0};
  pl_address_roots(w, arg, &roots);
  pl_emit_access(w, &roots, arg, access, false, false);
}

/* Accesses to the object that a reference argument names. */
void pl_reference_argument(pl_walk *w, pl_node *arg, int access) {
  if (!arg)
    return;
  pl_roots roots = {0};
  pl_lvalue_roots(w, arg, &roots);
  pl_node *bare = pl_node_bare(arg);
  bool direct = bare && bare->kind == PL_NODE_REF;
  pl_emit_access(w, &roots, arg, access, direct,
                 direct && !pl_type_is_deref_array(arg) && w->conditional == 0);
}

/* An address that goes where it cannot be followed; whether there was one. */
bool pl_emit_escape(pl_walk *w, pl_node *arg) {
  pl_roots roots = {0};
  pl_value_roots(w, arg, &roots);
  for (size_t i = 0; i < roots.n; i++)
    pl_emit_effect(w, (pl_effect){.kind = PL_EFFECT_ESCAPE,
                                  .root = roots.items[i],
                                  .space = pl_root_space(roots.items[i]),
                                  .node = arg});
  return roots.n > 0;
}

static void visit_arguments(pl_walk *w, pl_node *call) {
  for (uint32_t i = 1; i < call->nkids; i++)
    pl_visit_node(w, call->kids[i], ACCESS_READ);
}

/* A number that a reference parameter is bound to, and no object that has a
 * name: `const int &last` given `rows - 1`. */
static bool is_temporary_number(pl_node *arg) {
  pl_node *bare = pl_node_bare(arg);
  if (!bare || !bare->type || bare->type->kind == PL_TYPE_RECORD ||
      !pl_is_plain_value(bare->type))
    return false;
  return bare->kind == PL_NODE_INT || bare->kind == PL_NODE_FLOATING ||
         (bare->kind == PL_NODE_BINARY && bare->op != PL_OP_COMMA);
}

/* An effect of a callee's on its parameter, or on its object, as effects on what
 * the caller gives it. */
static void map_given(pl_walk *w, const pl_func *callee, pl_node *call,
                      pl_effect effect, int index) {
  pl_node *arg = index < 0 ? NULL : pl_node_bare(pl_argument(call, index));
  bool object = effect.direct && index >= 0 && !effect.root.member.n &&
                pl_is_reference(callee->params[index]->type) && arg;
  bool itself = object && pl_is_variable(w, arg);
  pl_roots roots = {0};
  if (object)
    pl_lvalue_roots(w, arg, &roots);
  else
    pl_map_root(w, callee, call, effect.root, &roots);
  effect.whole = itself && effect.whole && w->conditional == 0;
  effect.direct = itself;
  for (size_t i = 0; i < roots.n; i++) {
    effect.root = roots.items[i];
    effect.space = pl_access_space(effect.root, itself);
    pl_emit_effect(w, effect);
  }
}

/* One effect of a callee's as the caller's: what it does to its own variables
 * is its own affair. */
static void map_effect(pl_walk *w, const pl_func *callee, pl_node *call,
                       pl_effect effect, int index) {
  const pl_type *type = index < 0 ? NULL : callee->params[index]->type;
  if (index < 0 && !pl_root_is_this(effect.root)) {
    effect.direct = false;
    if (effect.space != PL_SPACE_LOCAL || !effect.root.decl)
      pl_emit_effect(w, effect);
    return;
  }
  if (index >= 0 && effect.direct && !effect.root.member.n &&
      (!pl_is_reference(type) || is_temporary_number(pl_argument(call, index))))
    return;
  map_given(w, callee, call, effect, index);
}

/* Whether handing over an argument runs the user's code. */
static bool copies_by_code(const pl_func *callee) {
  for (uint32_t i = 0; i < callee->nparams; i++)
    if (callee->params[i]->type && callee->params[i]->type->runs_code)
      return true;
  return false;
}

static bool visit_lambda(pl_walk *w, pl_node *lambda, pl_node *call);

static pl_decl *parameter_of(const pl_walk *w, const pl_node *node) {
  pl_decl *decl = node && node->kind == PL_NODE_REF ? node->decl : NULL;
  return decl && w->func && pl_param_index(w->func, decl) >= 0 ? decl : NULL;
}

/* `f` of `std::forward<F>(f)`, `std::move(f)` and `static_cast<F &&>(f)`. */
static pl_node *handed_on(pl_node *node) {
  node = node ? pl_node_bare(node) : NULL;
  const pl_node *operand =
      node && node->kind == PL_NODE_CAST && node->nkids ? node->kids[0] : NULL;
  const pl_type *from = operand ? pl_no_reference(operand->type) : NULL;
  const pl_type *to = operand ? pl_no_reference(node->type) : NULL;
  if (from && to && pl_str_eq(from->spelling, to->spelling))
    return pl_node_bare(node->kids[0]);
  bool passes = node && node->kind == PL_NODE_CALL && node->nkids == 2 &&
                node->decl && !node->decl->is_user &&
                (pl_calls_builtin(node, "forward") ||
                 pl_calls_builtin(node, "move"));
  return passes ? pl_node_bare(node->kids[1]) : node;
}

/* The object of `f(i)`, in an instantiation a call of its operator(). */
static pl_node *called_object(const pl_node *call) {
  pl_node *callee = call->nkids ? call->kids[0] : NULL;
  if (callee && callee->kind == PL_NODE_MEMBER && callee->nkids &&
      pl_str_is(callee->name, "operator()"))
    callee = callee->kids[0];
  return handed_on(callee);
}

static bool is_closure(const pl_type *type) {
  return type->kind == PL_TYPE_RECORD && pl_str_has(type->spelling, "(lambda");
}

/* A call of what a template is handed: `f(i)` with a parameter `f` whose type
 * depends on the arguments, or is a lambda's. Its callers say what that does. */
static bool visit_handed_call(pl_walk *w, pl_node *call) {
  pl_decl *decl = parameter_of(w, called_object(call));
  const pl_type *type = decl ? pl_no_reference(decl->type) : NULL;
  if (!type || (type->kind != PL_TYPE_DEPENDENT && !is_closure(type)))
    return false;
  visit_arguments(w, call);
  for (uint32_t i = 1; i < call->nkids; i++)
    if (call->kids[i] && pl_may_carry_address(call->kids[i]->type))
      pl_emit_escape(w, call->kids[i]);
  pl_emit_effect(w, (pl_effect){.kind = PL_EFFECT_UNSEEN,
                                .root = {decl, {0}},
                                .node = call});
  return true;
}

/* What a callee calls that it is handed: a lambda, or a parameter of this
 * function's own; anything else stays unseen. False: the effect is another. */
static bool visit_handed(pl_walk *w, const pl_func *callee, pl_node *call,
                         const pl_effect *effect) {
  int index = effect->kind == PL_EFFECT_UNSEEN && effect->root.decl
                  ? pl_param_index(callee, effect->root.decl)
                  : -1;
  if (index < 0)
    return false;
  pl_node *arg = handed_on(pl_argument(call, index));
  pl_decl *passed_on = parameter_of(w, arg);
  if (arg && arg->kind == PL_NODE_REF && arg->decl &&
      arg->decl->kind == PL_DECL_VAR && arg->decl->init &&
      arg->decl->type && arg->decl->type->kind != PL_TYPE_POINTER)
    arg = pl_node_bare(arg->decl->init);
  if (arg && arg->kind == PL_NODE_LAMBDA && visit_lambda(w, arg, call))
    return true;
  pl_emit_effect(w, (pl_effect){.kind = PL_EFFECT_UNSEEN,
                                .root = {passed_on, {0}},
                                .node = call,
                                .by_call = true});
  return true;
}

/* Whether a value is what the function gives back. */
static bool is_returned(const pl_node *node) {
  const pl_node *up = node->parent;
  while (up && (up->kind == PL_NODE_PAREN || up->kind == PL_NODE_CAST))
    up = up->parent;
  return up && up->kind == PL_NODE_RETURN && !pl_in_lambda(up);
}

void pl_drop_old_value(pl_walk *w, size_t at) {
  w->out->items[at].kind = PL_EFFECT_READ;
  pl_effect store = w->out->items[at];
  store.kind = PL_EFFECT_WRITE;
  pl_emit_effect(w, store);
}

/* Atomics of which a callee gives back the old value, and the caller drops it: they
 * load and store, like those in visit_atomic. */
static void drop_old_values(pl_walk *w, const pl_node *call, size_t first) {
  for (size_t i = first, n = w->out->n; i < n; i++) {
    pl_effect *effect = &w->out->items[i];
    if (effect->kind != PL_EFFECT_ATOMIC || !effect->given_back)
      continue;
    bool dropped = pl_node_is_statement(call);
    effect->given_back = is_returned(call);
    if (!dropped || effect->space == PL_SPACE_SHARED)
      continue;
    pl_drop_old_value(w, i);
  }
}

/* A call of a function whose body is seen: its own effects, with arguments in
 * the place of parameters. */
static void visit_seen_call(pl_walk *w, const pl_func *callee, pl_node *call) {
  for (uint32_t i = 1; i < call->nkids; i++) {
    bool by_reference =
        i - 1 < callee->nparams && pl_is_reference(callee->params[i - 1]->type);
    if (by_reference)
      pl_visit_address(w, call->kids[i]);
    else
      pl_visit_node(w, call->kids[i], ACCESS_READ);
  }
  if (pl_is_member_function(call))
    pl_visit_address(w, call->kids[0]->kids[0]);
  pl_summary *s = pl_summarise(w->context, callee);
  size_t first = w->out->n;
  if (copies_by_code(callee) ||
      pl_omitted_arguments(callee, call) == PL_ORIGIN_CODE)
    pl_emit_kind(w, PL_EFFECT_UNSEEN, call);
  for (size_t i = 0; i < s->effects.n; i++) {
    pl_effect effect = s->effects.items[i];
    if (visit_handed(w, callee, call, &effect))
      continue;
    effect.node = call;
    effect.by_call = true;
    effect.root = pl_unnamed_member(w->context, effect.root);
    if (effect.root.decl && effect.root.decl->points_to_shared)
      effect.space = PL_SPACE_GLOBAL;
    int index =
        effect.root.decl ? pl_param_index(callee, effect.root.decl) : -1;
    if (index >= 0 && !effect.root.member.n &&
        pl_is_plain_value(callee->params[index]->type) &&
        (effect.direct || callee->params[index]->type->kind == PL_TYPE_RECORD ||
         callee->params[index]->type->kind == PL_TYPE_FLOAT))
      continue;
    size_t mapped = w->out->n;
    map_effect(w, callee, call, effect, index);
    drop_old_values(w, call, mapped);
  }
  pl_drop_repeats(w, first);
}

/* Whether a lambda's copies are those of variables under their own names, or numbers and
 * pointers of its own, and stay as they are: no `[*this]`, no `[&q = p]`, and not
 * `mutable`. What its body does is then what it says. (Shared variables are never
 * copied.) */
bool pl_keeps_names(const pl_walk *w, const pl_node *lambda) {
  pl_str text = pl_unit_slice(w->context->unit, lambda->range);
  if (!lambda->range.end || !pl_str_starts(text, "["))
    return false;
  uint32_t own = 0, said = 0;
  for (uint32_t i = 0; i < lambda->nkids; i++)
    if (lambda->kids[i]->kind == PL_NODE_VAR) {
      const pl_type *type = lambda->kids[i]->decl->type;
      if (!pl_is_number_or_enum(type) && !(type && type->kind == PL_TYPE_POINTER))
        return false;
      own++;
    }
  size_t close = 0;
  for (int depth = 0; close < text.n; close++) {
    depth += (text.p[close] == '[') - (text.p[close] == ']');
    said += depth == 1 && close > 1 && text.p[close] == '=';
    if (depth == 0)
      break;
    if (text.p[close] == '(' || (text.p[close] == '*' && !said))
      return false;
  }
  if (said != own || pl_str_has((pl_str){text.p, close}, "...") ||
      pl_str_has((pl_str){text.p, close}, "*this"))
    return false;
  const pl_unit *unit = w->context->unit;
  pl_range behind = {lambda->range.begin + (uint32_t)close, lambda->range.end};
  pl_run run = pl_tokens_in(unit, behind);
  for (uint32_t i = run.first; i < run.end && !pl_token_is(unit, i, "{"); i++)
    if (pl_token_is(unit, i, "mutable"))
      return false;
  return true;
}

/* Whether a template's call may mean a function of the file, which does what it
 * likes. */
static bool has_namesake(const pl_walk *w, const pl_node *call) {
  bool open = !call->decl || (w->func && w->func->is_template);
  for (uint32_t i = 0; open && i < w->context->unit->nfuncs; i++) {
    const pl_func *func = w->context->unit->funcs[i];
    if (pl_str_eq(func->name, call->name) && !pl_is_like_an_atomic(w, func))
      return true;
  }
  return false;
}

bool pl_is_own_atomic(const pl_walk *w, const pl_node *call) {
  const pl_builtin *row = pl_builtin_of(call);
  return row && row->emits == PL_EMITS_ATOMIC && !has_namesake(w, call);
}

/* An atomic: of `atomicAdd(p, v);` of which nobody takes the old value. CUDA's
 * atomics are relaxed, so that it orders nothing: it loads and stores. */
static void visit_atomic(pl_walk *w, pl_node *call) {
  pl_roots roots = {0};
  bool orders_none = pl_builtin_argument(pl_builtin_of(call), 0) == 'm' &&
                     pl_is_own_atomic(w, call);
  bool plain = orders_none && pl_node_is_statement(call);
  pl_address_roots(w, pl_argument(call, 0), &roots);
  for (size_t i = 0; i < roots.n; i++) {
    pl_roots one = {&roots.items[i], 1, 1};
    pl_space space = pl_root_space(roots.items[i]);
    if (plain && space != PL_SPACE_SHARED)
      pl_emit_access(w, &one, call, ACCESS_READ | ACCESS_WRITE, false, false);
    else
      pl_emit_effect(w, (pl_effect){.kind = PL_EFFECT_ATOMIC,
                                    .root = roots.items[i],
                                    .space = space,
                                    .given_back = orders_none && is_returned(call),
                                    .node = call});
  }
}

static bool has_default_code(const pl_func *lambda) {
  for (uint32_t i = 0; lambda && i < lambda->nparams; i++)
    if (lambda->params[i] &&
        lambda->params[i]->unless_given == PL_ORIGIN_CODE)
      return true;
  return false;
}

/* One that is handed itself calls itself. */
static bool is_entered(const pl_walk *w, const pl_node *lambda) {
  const pl_entered *at = w->entered;
  while (at && at->lambda != lambda)
    at = at->up;
  return at != NULL;
}

/* What the body of a lambda does, at a place where it may be called. False: it is
 * walked already, or too many were. */
static bool visit_lambda(pl_walk *w, pl_node *lambda, pl_node *call) {
  if (is_entered(w, lambda) || ++w->bodies > MOST_BODIES)
    return false;
  if (!pl_keeps_names(w, lambda) || has_default_code(lambda->func))
    pl_emit_kind(w, PL_EFFECT_UNSEEN, call);
  const pl_entered here = {lambda, w->entered};
  w->entered = &here;
  w->conditional++;
  for (uint32_t i = 0; i < lambda->nkids; i++)
    if (lambda->kids[i] && lambda->kids[i]->kind != PL_NODE_REF)
      pl_visit_node(w, lambda->kids[i], ACCESS_READ);
  w->conditional--;
  w->entered = here.up;
  return true;
}

/* `f.template operator()<int &>(x)`: what is deduced is never a reference, what is
 * said may be one. */
static bool says_arguments(const pl_walk *w, const pl_node *call) {
  const pl_node *member = call->kids[0];
  if (member->kind != PL_NODE_MEMBER || !member->range.end)
    return false;
  pl_str text = pl_unit_slice(w->context->unit, member->range);
  return text.n && text.p[text.n - 1] == '>';
}

/* Whether an object of the user's holds nothing that leads elsewhere, and is copied as it
 * is. */
static bool holds_values(const pl_type *type) {
  return !type->keeps_addresses && !type->has_references && !type->has_open_fields &&
         !type->runs_code && !type->has_volatile;
}

/* Whether a generic lambda is handed an object of the user's, and no other lambda: what
 * the members of its parameter lead to is not bound, and a body that is that of all
 * its calls says not even which methods it calls. (One that all calls mean does, and
 * values lead nowhere.) */
static bool is_handed_object(const pl_func *lambda, const pl_node *call) {
  for (uint32_t i = 1; i < call->nkids && i - 1 < lambda->nparams; i++) {
    const pl_type *given =
        call->kids[i] ? pl_no_reference(call->kids[i]->type) : NULL;
    pl_decl **params = lambda->open_params ? lambda->open_params : lambda->params;
    const pl_type *taken = pl_no_reference(params[i - 1]->type);
    bool open = !taken || taken->kind == PL_TYPE_DEPENDENT ||
                (taken->kind == PL_TYPE_OTHER &&
                 pl_str_has(taken->spelling, "auto"));
    if (open && (!given || (given->kind == PL_TYPE_RECORD && given->is_user &&
                            !is_closure(given) &&
                            !(lambda->open_params && !lambda->is_mixed &&
                              holds_values(given)))))
      return true;
  }
  return false;
}

/* What the lambda that is walked was handed for the object of a call, by its
 * parameter: `op` of `fold(values, [](auto a, auto b) { ... })`. */
static pl_node *given_in_frame(const pl_walk *w, pl_node *object) {
  const pl_decl *decl =
      object && object->kind == PL_NODE_REF ? object->decl : NULL;
  for (const pl_frame *frame = w->frame;
       decl && decl->kind == PL_DECL_PARAM && frame; frame = frame->up) {
    int index = frame->lambda ? pl_param_index(frame->lambda, decl) : -1;
    if (index >= 0)
      return pl_node_bare(pl_argument(frame->call, index));
  }
  return object;
}

/* A call of a lambda that a local variable holds. */
static bool visit_lambda_call(pl_walk *w, pl_node *call) {
  pl_node *callee = call->nkids ? pl_node_bare(call->kids[0]) : NULL;
  if (callee && callee->kind == PL_NODE_MEMBER)
    callee = pl_node_bare(callee->kids[0]);
  callee = given_in_frame(w, callee);
  if (callee && callee->kind == PL_NODE_REF && callee->decl &&
      callee->decl->init)
    callee = pl_node_bare(callee->decl->init);
  if (!callee || callee->kind != PL_NODE_LAMBDA || is_entered(w, callee))
    return false;
  visit_arguments(w, call);
  const pl_func *lambda = callee->func;
  pl_frame frame = {lambda, call, w->frame};
  bool known = lambda && lambda->nparams + 1 >= call->nkids &&
               !pl_takes_pack(lambda) && !says_arguments(w, call) &&
               !is_handed_object(lambda, call);
  if (known)
    w->frame = &frame;
  else if (call->nkids > 1)
    pl_emit_kind(w, PL_EFFECT_UNSEEN, call);
  bool seen = visit_lambda(w, callee, call);
  w->frame = frame.up;
  return seen;
}

/* Whether a function of the toolkit may change the variable that is an argument:
 * `exchange(T &old, U &&value)`. */
static bool may_change(const pl_node *call, uint32_t index) {
  bool passes =
      pl_calls_builtin(call, "move") || pl_calls_builtin(call, "forward");
  return call->decl && !passes && pl_is_variable_argument(call->decl, index);
}

/* Whether a method of the toolkit may change its object: one that is not const, but
 * for those that give a place in it. */
static bool may_change_object(const pl_node *call) {
  const pl_type *type = call->decl ? call->decl->type : NULL;
  return type && type->kind == PL_TYPE_FUNCTION &&
         !pl_is_const_method(type) &&
         pl_builtin_of(call)->leads != PL_LEADS_PART;
}

/* What a method of the toolkit does to its object. */
static void visit_object(pl_walk *w, pl_node *call) {
  pl_node *object = call->kids[0]->kids[0];
  pl_visit_address(w, object);
  if (!may_change_object(call))
    return;
  if (call->kids[0]->is_arrow)
    pointer_argument(w, object, ACCESS_READ | ACCESS_WRITE);
  else
    pl_reference_argument(w, object, ACCESS_READ | ACCESS_WRITE);
}

/* A call of something that is neither seen nor in the table. A function of the
 * toolkit that gets values only is taken for arithmetic; anything else is
 * unseen, and what it is handed escapes. */
static void visit_unknown_call(pl_walk *w, pl_node *call) {
  bool builtin = pl_str_starts(call->name, "__builtin_");
  bool foreign =
      call->decl && (!call->decl->is_user || builtin) &&
      (call->decl->kind == PL_DECL_FUNC || call->decl->kind == PL_DECL_METHOD ||
       call->decl->kind == PL_DECL_OTHER || builtin) && /* `using ::fmax;` of std */
      !pl_gives_nothing(call);
  bool addresses = false;
  for (uint32_t i = 1; i < call->nkids; i++) {
    pl_node *arg = call->kids[i];
    pl_visit_node(w, arg, ACCESS_READ);
    if (foreign && may_change(call, i - 1))
      pl_reference_argument(w, arg, ACCESS_READ | ACCESS_WRITE);
    if (!arg || !pl_may_carry_address(arg->type) || arg->kind == PL_NODE_STRING)
      continue;
    if (arg->type && arg->type->kind == PL_TYPE_DEPENDENT && foreign)
      continue;
    addresses = pl_emit_escape(w, arg) || addresses;
  }
  if (pl_is_member_function(call))
    visit_object(w, call);
  if (!foreign)
    pl_emit_kind(w, PL_EFFECT_UNSEEN, call);
  else if (addresses && foreign && !pl_is_member_function(call))
    pl_emit_kind(w, PL_EFFECT_UNSEEN, call);
}

/* Whether a function is an operator of a record's, or one for it. */
static bool is_operator_for(const pl_func *func, const char *record) {
  bool one = pl_str_starts(func->name, "operator");
  bool is_for = one && pl_str_has(func->qualified, record);
  for (uint32_t i = 0; one && !is_for && i < func->nparams; i++) {
    const pl_type *type = pl_no_reference(func->params[i]->type);
    is_for = type && pl_str_has(type->spelling, record);
  }
  return is_for;
}

/* Whether a function makes a value of its arguments' members, and does no more. */
static bool makes_value(pl_walk *w, const pl_func *func) {
  const pl_summary *s = func->body ? pl_summarise(w->context, func) : NULL;
  for (size_t i = 0; s && i < s->effects.n; i++) {
    const pl_effect *effect = &s->effects.items[i];
    const pl_decl *decl = effect->root.decl;
    int index = decl ? pl_param_index(func, decl) : -1;
    bool given = (pl_root_is_this(effect->root) || index >= 0) && !effect->root.member.n;
    bool own = decl && effect->space == PL_SPACE_LOCAL && !given;
    if (effect->kind != PL_EFFECT_READ ? effect->kind != PL_EFFECT_WRITE || !own
                                       : !own && !given)
      return false;
  }
  return s != NULL;
}

/* A function of a library may call operators of the user's for the records that it is
 * handed: `std::max(a, b)` asks a < b. */
static void doubt_operators(pl_walk *w, pl_node *call) {
  const pl_unit *unit = w->context->unit;
  for (uint32_t i = 1; i < call->nkids; i++) {
    const pl_type *type = call->kids[i] ? pl_no_reference(call->kids[i]->type) : NULL;
    if (!type || type->kind != PL_TYPE_RECORD || !type->is_user)
      continue;
    const char *record =
        pl_arena_cstr(unit->arena, pl_before_angle(pl_last_name(type->spelling)));
    for (uint32_t k = 0; k < unit->nfuncs; k++)
      if (is_operator_for(unit->funcs[k], record) && !makes_value(w, unit->funcs[k])) {
        pl_emit_kind(w, PL_EFFECT_UNSEEN, call);
        return;
      }
  }
}

static void visit_texture(pl_walk *w, pl_node *call) {
  pl_node *first = pl_argument(call, 0);
  if (first && pl_is_pointer_like(first->type))
    pointer_argument(w, first, ACCESS_WRITE);
  pl_emit_effect(w, (pl_effect){.kind = PL_EFFECT_READ,
                                .space = PL_SPACE_CONSTANT,
                                .root = {&texture_memory, {0}},
                                .node = call});
}

/* What is done to the arguments of a call of a function that is listed, once they
 * are evaluated. */
static void visit_letters(pl_walk *w, pl_node *call, const pl_builtin *row,
                          bool writes) {
  for (uint32_t i = 1; i < call->nkids; i++) {
    char letter = pl_builtin_argument(row, i - 1);
    if (letter == 'r' && !writes)
      pointer_argument(w, call->kids[i], ACCESS_READ);
    else if (letter == 'e' && !writes)
      pl_emit_escape(w, call->kids[i]);
    else if (letter == 'w' && writes)
      pointer_argument(w, call->kids[i], ACCESS_WRITE);
    else if ((letter == 'W' || letter == 'x') && writes)
      pl_reference_argument(w, call->kids[i],
                            letter == 'W' ? ACCESS_WRITE
                                          : ACCESS_READ | ACCESS_WRITE);
  }
}

static bool leaves(pl_node *node, const void *context) {
  (void)context;
  return node->kind == PL_NODE_BREAK || node->kind == PL_NODE_RETURN ||
         node->kind == PL_NODE_GOTO;
}

/* Whether a loop goes on by what `part` of it gives, be it by way of a variable. */
static bool decides(const pl_node *loop, const pl_node *part, const pl_decl *given) {
  bool first = loop->kind == PL_NODE_WHILE ||
               (loop->kind == PL_NODE_IF && loop->nkids > 1 &&
                pl_node_find(loop->kids[1], leaves, NULL));
  bool second = loop->kind == PL_NODE_FOR || loop->kind == PL_NODE_DO;
  pl_node *cond = first ? loop->kids[0] : second ? loop->kids[1] : NULL;
  return cond && (cond == part || (given && pl_mentions(cond, given)));
}

bool pl_is_waited_for(const pl_node *node, const pl_decl *given) {
  for (const pl_node *at = node; at->parent; at = at->parent) {
    const pl_node *up = at->parent;
    if (up->kind == PL_NODE_VAR)
      given = up->decl;
    else if (up->kind == PL_NODE_ASSIGN && up->kids[1] == at)
      given = pl_node_bare(up->kids[0])->decl;
    if (decides(up, at, given))
      return true;
  }
  return false;
}

/* Whether a loop goes on by what a call reads past the first cache, itself or by any
 * number of functions. */
static bool waits_for_others(const pl_walk *w, const pl_node *call) {
  const pl_unit *unit = w->context->unit;
  return pl_is_waited_for(call, NULL) &&
         (pl_reads_past_cache(unit, call) ||
          pl_call_shows(unit, call, pl_reads_past_cache));
}

static void visit_known_call(pl_walk *w, pl_node *call, const pl_builtin *row) {
  if (row->emits == PL_EMITS_DECLARED) {
    visit_unknown_call(w, call);
    return;
  }
  for (uint32_t i = 1; i < call->nkids; i++) {
    char letter = pl_builtin_argument(row, i - 1);
    if (letter == 'W' || letter == 'x')
      pl_visit_address(w, call->kids[i]);
    else
      pl_visit_node(w, call->kids[i], ACCESS_READ);
  }
  if (row->emits == PL_EMITS_ATOMIC)
    visit_atomic(w, call);
  else if (row->emits == PL_EMITS_TEXTURE)
    visit_texture(w, call);
  else if (row->emits != PL_EMITS_NONE)
    pl_emit_kind(w, (pl_effect_kind)row->emits, call);
  if (pl_is_member_function(call) && *row->arguments)
    visit_object(w, call);
  visit_letters(w, call, row, false);
  visit_letters(w, call, row, true);
}

/* A call of what the file defines under that name, but by no declaration that is bound
 * or by one without a body: which of them it is, or what else, is not known. */
static bool is_unsettled(const pl_walk *w, const pl_node *call) {
  pl_str name = pl_before_angle(call->name);
  if ((call->decl && !call->decl->is_user) || pl_last_name(call->name).p != name.p)
    return false;
  for (uint32_t i = 0; name.n && i < w->context->unit->nfuncs; i++) {
    const pl_func *func = w->context->unit->funcs[i];
    if (func->body && func->nparams + 1 == call->nkids &&
        pl_str_eq(pl_before_angle(func->name), name))
      return true;
  }
  return false;
}

/* Whether a source that includes the file, a header, may have another function for a call of
 * one of its templates: `Step<T>::wait()` and `note(sum)` of the template's own type mean
 * what is specialised, or found by the argument, there. */
static bool is_others_to_choose(const pl_walk *w, const pl_func *callee, const pl_node *call) {
  bool is = callee->is_others_too;
  for (uint32_t i = 1; i < call->nkids && !is; i++) {
    const pl_type *type = call->kids[i] ? pl_no_reference(call->kids[i]->type) : NULL;
    is = type && type->kind == PL_TYPE_DEPENDENT;
  }
  return is && w->func && w->func->is_others_too && callee->decl && callee->decl->is_user;
}

/* A call that is a constant is made by the compiler. */
void pl_visit_call(pl_walk *w, pl_node *call) {
  if (pl_node_is_constant(call))
    return;
  if (waits_for_others(w, call))
    pl_emit_kind(w, PL_EFFECT_VOLATILE, call);
  const pl_func *callee = pl_callee_of(call);
  if (callee) {
    if (is_others_to_choose(w, callee, call))
      pl_emit_kind(w, PL_EFFECT_UNSEEN, call);
    visit_seen_call(w, callee, call);
    return;
  }
  if (visit_lambda_call(w, call))
    return;
  if (is_unsettled(w, call)) {
    pl_emit_kind(w, PL_EFFECT_UNSEEN, call);
    return;
  }
  if (visit_handed_call(w, call))
    return;
  if (pl_is_group_sync(call)) {
    pl_emit_kind(w, PL_EFFECT_BARRIER, call);
    return;
  }
  visit_known_call(w, call, pl_builtin_of(call));
  doubt_operators(w, call);
}
