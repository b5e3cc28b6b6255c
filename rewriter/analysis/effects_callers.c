/* effects_callers.c - what do all calls of a function say of its addresses?
 *
 * Needs: every call of the function in the file. Gives: whether in each of them
 * what one address leads to is memory of the thread's own, which another one is no
 * part of, or is kept apart by the caller's __restrict__; whether it is of one
 * space in all of them. Raises: nothing.
 *
 * `__device__ void run(float (&acc)[8]) const { ... a[i] ... }` of an object with a
 * pointer `a`: the callers say that acc is a local of theirs, and what a points to. */
#include "effects_parts.h"

/* What is asked: are a and b apart, or is a of a space? */
typedef struct call_question {
  pl_root a, b;
  bool of_space;
  pl_space space;
} call_question;

/* ... of a function, in all of its calls. */
typedef struct func_question {
  const pl_func *func;
  call_question question;
} func_question;

/* What is left to ask: it holds where all of it does, each once. */
typedef struct call_walk {
  pl_effect_context *context;
  func_question *asked;
  size_t nasked, cap;
  const pl_func *func, *caller;
  call_question question;
  bool any, holds;
} call_walk;

static bool is_same_question(const call_question *a, const call_question *b) {
  return a->of_space == b->of_space && a->space == b->space &&
         pl_root_eq(a->a, b->a) && pl_root_eq(a->b, b->b);
}

/* It holds where the callers of a function say so, who are asked later. */
static bool ask_callers(call_walk *w, const pl_func *func,
                        call_question question) {
  for (size_t i = 0; i < w->nasked; i++)
    if (w->asked[i].func == func &&
        is_same_question(&w->asked[i].question, &question))
      return true;
  func_question fresh = {func, question};
  PL_PUSH(w->context->unit->arena, w->asked, w->nasked, w->cap, fresh);
  return pl_calls_are_seen(func);
}

/* A variable of the thread's own, declared in the function; or an argument that it
 * has by value. */
static bool is_own(pl_root root) {
  const pl_decl *decl = root.decl;
  bool value = decl && decl->kind == PL_DECL_PARAM && decl->type &&
               decl->type->kind == PL_TYPE_RECORD;
  bool temporary = decl && decl == pl_temporary_root().decl;
  return decl && !root.member.n &&
         (temporary || ((decl->kind == PL_DECL_VAR || value) && decl->owner &&
                        !pl_is_reference(decl->type) &&
                        pl_root_space(root) == PL_SPACE_LOCAL));
}

static bool is_pointer_read(pl_root root) {
  return pl_str_starts(root.member, "*");
}

/* What a kernel is handed by the host, and what lies at file scope: no variable
 * of a thread's own. */
static bool is_from_outside(const pl_func *caller, pl_root root) {
  if (!root.decl || is_pointer_read(root))
    return false;
  if (root.decl->is_shared || root.decl->is_constant_memory)
    return true;
  return root.decl->kind == PL_DECL_PARAM
             ? caller->is_global && pl_root_space(root) == PL_SPACE_GLOBAL
             : root.decl->kind == PL_DECL_VAR && !root.decl->owner;
}

static bool says_restrict(pl_arena *arena, pl_str body) {
  return pl_text_says(arena, body, PL_STR("__restrict__")) ||
         pl_text_says(arena, body, PL_STR("__restrict")) ||
         pl_text_says(arena, body, PL_STR("restrict"));
}

/* The macro that the file, or a header of the user's, defines as __restrict__ where
 * nothing else did, and that some text names; of text that is not seen, any such. */
static pl_str default_in(const pl_unit *unit, pl_str text) {
  for (size_t i = 0; i < unit->ndefaults; i++) {
    const pl_macro_line *line = &unit->defaults[i];
    if ((!text.n || pl_text_says(unit->arena, text, line->name)) &&
        says_restrict(unit->arena, line->body) &&
        !pl_command_line_says(unit, line->name))
      return line->name;
  }
  return (pl_str){0};
}

/* The pointers by whose name one was read out of an argument that is a record; NULL: it
 * was read otherwise, or not all that the record holds is known. */
static const pl_pointer_name *named_pointer(pl_root root) {
  for (size_t i = 0; i < root.decl->npointers; i++)
    if (pl_str_eq(root.decl->pointers[i].name, root.member))
      return &root.decl->pointers[i];
  return NULL;
}

/* A pointer; or one of a record that is an argument by value, whatever a template's
 * arguments are: there the argument's name is what designates the pointer.
 * [C11 6.7.3.1: "provides a means of designating an object P as a restrict-qualified
 * pointer"] */
static bool is_declared_restrict(pl_root root) {
  const pl_type *type = root.decl ? root.decl->type : NULL;
  const pl_pointer_name *named = type && root.member.n ? named_pointer(root) : NULL;
  return root.member.n ? named && named->is_restrict && !type->in_text
                       : type && type->kind == PL_TYPE_POINTER && type->is_restrict;
}

pl_str pl_restrict_by_default(const pl_unit *unit, pl_root root) {
  pl_str text = {0};
  if (!is_declared_restrict(root))
    return text;
  if (root.member.n)
    return default_in(unit, text);
  pl_range range = root.decl->range;
  if (range.end > range.begin && range.end <= unit->text.n)
    text = pl_unit_slice(unit, range);
  return text.n ? default_in(unit, text) : text;
}

bool pl_is_restrict(const pl_unit *unit, pl_root root) {
  return is_declared_restrict(root) && !pl_restrict_by_default(unit, root).n;
}

bool pl_parted_by_restrict(const pl_unit *unit, pl_root a, pl_root b) {
  bool one_record = a.decl == b.decl && a.decl && a.decl->type &&
                    a.decl->type->kind == PL_TYPE_RECORD;
  return a.decl && b.decl && !pl_root_eq(a, b) &&
         (!one_record || (named_pointer(a) && named_pointer(b))) &&
         (pl_is_restrict(unit, a) || pl_is_restrict(unit, b));
}

static bool is_of_param(pl_root root) {
  return root.decl->kind == PL_DECL_PARAM && !is_pointer_read(root);
}

/* Whether two addresses of a caller are apart; of its own parameters its callers
 * know more. */
static bool pair_is_apart(call_walk *w, pl_root a, pl_root b) {
  if (!a.decl || !b.decl)
    return false;
  if (is_own(a) && is_own(b))
    return a.decl != b.decl;
  if ((is_own(a) && is_from_outside(w->caller, b)) ||
      (is_own(b) && is_from_outside(w->caller, a)))
    return true;
  if (a.decl != b.decl && !is_pointer_read(a) && !is_pointer_read(b) &&
      ((is_of_param(a) && pl_is_restrict(w->context->unit, a)) ||
       (is_of_param(b) && pl_is_restrict(w->context->unit, b))))
    return true;
  return ask_callers(w, w->caller, (call_question){a, b, false, 0});
}

static bool is_of_space(call_walk *w, pl_root a, pl_space space) {
  if (space == PL_SPACE_LOCAL ? is_own(a)
                              : is_from_outside(w->caller, a) &&
                                    pl_root_space(a) == space)
    return true;
  return a.decl &&
         ask_callers(w, w->caller, (call_question){a, {0}, true, space});
}

bool pl_is_call_of(const pl_node *node, const pl_func *func) {
  return node->kind == PL_NODE_CALL && node->decl && node->decl->func == func;
}

/* Whether a node stands in the text of a template of which all instantiations are
 * there: what it calls is said by their bodies. */
static bool is_said_by_instances(const pl_node *node) {
  while (node->parent)
    node = node->parent;
  return node->func && node->func->is_all_in_sight;
}

/* A name of the function that calls nothing, a call of something unknown that has
 * its name, or an object that it makes. */
bool pl_may_be_call_of(const pl_node *node, const pl_func *func) {
  if (node->kind == PL_NODE_CALL)
    return !node->decl &&
           pl_str_eq(pl_last_name(node->name), pl_before_angle(func->name)) &&
           !is_said_by_instances(node);
  const pl_node *up = node->parent;
  bool named = (node->kind == PL_NODE_REF || node->kind == PL_NODE_MEMBER ||
                node->kind == PL_NODE_CONSTRUCT) &&
               node->decl && node->decl->func == func;
  return named && !(up && pl_is_call_of(up, func));
}

bool pl_stands_for_call(const pl_node *node, const pl_func *func) {
  return node->kind == PL_NODE_CALL && pl_may_be_call_of(node, func) &&
         node->nkids == func->nparams + 1;
}

/* Operators other than `()`, and destructors, run where no call stands. */
bool pl_calls_are_seen(const pl_func *func) {
  bool silent = pl_str_starts(func->name, "~") ||
                (pl_str_starts(func->name, "operator") &&
                 !pl_str_starts(func->name, "operator()"));
  return !func->is_global && !func->is_named_elsewhere && !silent &&
         !(func->decl && func->decl->is_virtual);
}

static void ask_call(call_walk *w, pl_node *call) {
  const call_question *q = &w->question;
  pl_effects scratch = {0};
  pl_walk walk = {.context = w->context, .func = w->caller, .out = &scratch};
  pl_roots a = {0}, b = {0};
  w->any = w->any || !pl_stands_for_call(call, w->func);
  pl_map_root(&walk, w->func, call, q->a, &a);
  for (size_t i = 0; q->of_space && i < a.n; i++)
    w->holds = w->holds && is_of_space(w, a.items[i], q->space);
  if (q->of_space)
    return;
  pl_map_root(&walk, w->func, call, q->b, &b);
  for (size_t i = 0; i < a.n; i++)
    for (size_t k = 0; k < b.n; k++)
      w->holds = w->holds && pair_is_apart(w, a.items[i], b.items[k]);
}

static bool find_call(pl_node *node, void *context) {
  call_walk *w = context;
  bool open = pl_stands_for_call(node, w->func);
  if (!open && pl_may_be_call_of(node, w->func))
    w->holds = false;
  if (w->holds && (open || pl_is_call_of(node, w->func)))
    ask_call(w, node);
  return w->holds;
}

static bool hold_in_calls(pl_effect_context *context, const pl_func *func,
                          call_question question) {
  call_walk w = {.context = context, .any = true};
  w.holds = ask_callers(&w, func, question);
  for (size_t k = 0; k < w.nasked && w.holds && w.any; k++) {
    w.func = w.asked[k].func;
    w.question = w.asked[k].question;
    w.any = false;
    for (uint32_t i = 0; i < context->unit->nfuncs && w.holds; i++) {
      w.caller = context->unit->funcs[i];
      if (w.caller->body)
        pl_node_walk(w.caller->body, find_call, &w);
    }
  }
  return w.any && w.holds;
}

bool pl_apart_in_callers(pl_effect_context *context, const pl_func *func,
                         pl_root a, pl_root b) {
  return hold_in_calls(context, func, (call_question){a, b, false, 0});
}

bool pl_of_space_in_callers(pl_effect_context *context, const pl_func *func,
                            pl_root root, pl_space space) {
  return hold_in_calls(context, func, (call_question){root, {0}, true, space});
}
