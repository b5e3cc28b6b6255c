/* effects_space.c - which memory does a root stand for?
 *
 * Needs: declarations of the model. Gives: sets of roots, the space of each,
 * and the roots that stand for a member function's own object. Raises:
 * nothing. */
#include "effects_parts.h"

bool pl_root_eq(pl_root a, pl_root b) {
  return a.decl == b.decl && pl_str_eq(a.member, b.member);
}

void pl_add_root(pl_arena *arena, pl_roots *roots, pl_root root) {
  for (size_t i = 0; i < roots->n; i++)
    if (pl_root_eq(roots->items[i], root))
      return;
  PL_PUSH(arena, roots->items, roots->n, roots->cap, root);
}

/* threadIdx and its relatives: registers, though declared like globals. */
static bool is_builtin_index(const pl_decl *decl) {
  static const char *const names[] = {"threadIdx", "blockIdx", "blockDim",
                                      "gridDim", "warpSize", NULL};
  for (size_t i = 0; !decl->in_main && names[i]; i++)
    if (pl_str_is(decl->name, names[i]))
      return true;
  return false;
}

/* What `this` points to, inside the summary of a member function: an object
 * that may be anywhere, or one that is known to be the thread's own. With a
 * member that begins with '*', what that member of the object points to. */
static pl_decl this_object = {.kind = PL_DECL_OTHER, .name = {"this", 4}};
static pl_decl this_local = {.kind = PL_DECL_OTHER, .name = {"this", 4}};
static pl_decl this_shared = {.kind = PL_DECL_OTHER,
                              .name = {"this", 4},
                              .is_shared = true};

/* An object without a name, of the thread's own: a number or a record that an
 * expression makes. */
static pl_decl temporary_object = {.kind = PL_DECL_OTHER};

bool pl_root_is_this(pl_root root) {
  return root.decl == &this_object || root.decl == &this_local ||
         root.decl == &this_shared;
}

pl_decl *pl_shared_this(void) { return &this_shared; }

/* A number that a function is given may be an address, where its caller makes
 * it from one. */
static pl_space param_space(pl_root root) {
  const pl_type *type = root.decl->type;
  if (root.member.n || pl_is_pointer_like(type))
    return PL_SPACE_GLOBAL;
  if (!type || type->kind == PL_TYPE_RECORD)
    return PL_SPACE_LOCAL;
  if (type->kind == PL_TYPE_DEPENDENT)
    return PL_SPACE_GLOBAL;
  return type->kind == PL_TYPE_REFERENCE || type->kind == PL_TYPE_INT
             ? PL_SPACE_UNKNOWN
             : PL_SPACE_LOCAL;
}

bool pl_is_constant_number(const pl_decl *decl) {
  const pl_type *type = decl ? decl->type : NULL;
  return type && !decl->owner && !type->is_volatile && !decl->is_shared &&
         !decl->is_constant_memory && (decl->is_constexpr || type->is_const) &&
         pl_is_number_type(type);
}

pl_space pl_root_space(pl_root root) {
  pl_decl *decl = root.decl;
  if (!decl)
    return PL_SPACE_UNKNOWN;
  if (decl == &this_shared && !root.member.n)
    return PL_SPACE_SHARED;
  if (pl_root_is_this(root))
    return decl == &this_local && !root.member.n ? PL_SPACE_LOCAL
                                                 : PL_SPACE_UNKNOWN;
  if (is_builtin_index(decl) || decl == &temporary_object)
    return PL_SPACE_LOCAL;
  if (decl->points_to_shared && !root.member.n)
    return PL_SPACE_SHARED;
  if (root.member.n && root.member.p[0] == '*')
    return decl->is_shared ? PL_SPACE_UNKNOWN : PL_SPACE_GLOBAL;
  if (decl->is_shared)
    return PL_SPACE_SHARED;
  if (decl->is_constant_memory)
    return PL_SPACE_CONSTANT;
  if (decl->kind == PL_DECL_PARAM)
    return param_space(root);
  if (decl->kind != PL_DECL_VAR)
    return PL_SPACE_UNKNOWN;
  if (!decl->owner)
    return decl->is_constexpr ? PL_SPACE_CONSTANT : PL_SPACE_GLOBAL;
  if (root.member.n || (decl->is_static && !decl->is_constexpr))
    return PL_SPACE_GLOBAL;
  return PL_SPACE_LOCAL;
}

pl_decl *pl_any_this(void) { return &this_object; }

pl_root pl_root_of_this(void) { return (pl_root){&this_object, {0}}; }

pl_root pl_temporary_root(void) {
  return (pl_root){&temporary_object, {0}};
}

/* Nothing is known of an address that comes from nowhere. */
void pl_never_empty(pl_arena *arena, pl_roots *roots) {
  if (roots->n == 0)
    pl_add_root(arena, roots, (pl_root){0});
}

/* All that is declared `extern __shared__` begins at one place, but for what a text of
 * ours says lies apart. [CUDA C++ Programming Guide, 10.2.3 __shared__] */
static bool is_dynamic(const pl_decl *decl) {
  return decl->is_shared && decl->is_extern && !decl->is_apart;
}

/* Whether a caller may pass a shared object that the parameter's function can
 * name as well: one of file scope, or the dynamic block. */
static bool may_be_passed(const pl_decl *param, const pl_decl *object) {
  return param->points_to_shared && object->is_shared &&
         (is_dynamic(object) || object->owner != param->owner);
}

bool pl_same_shared(const pl_decl *a, const pl_decl *b) {
  if (a == b)
    return true;
  if (!a || !b)
    return false;
  if (is_dynamic(a) && is_dynamic(b))
    return true;
  if (a->points_to_shared && b->points_to_shared)
    return a->carved_with && a->carved_with == b->carved_with;
  return may_be_passed(a, b) || may_be_passed(b, a);
}

pl_answer pl_leads_to(const pl_roots *roots, const pl_decl *object) {
  pl_answer answer = PL_NO;
  for (size_t i = 0; i < roots->n; i++) {
    pl_root root = roots->items[i];
    if (!root.decl)
      answer = PL_UNKNOWN;
    else if (!root.member.n && pl_same_shared(root.decl, object))
      return PL_YES;
  }
  return answer;
}

pl_root pl_this_root(const pl_walk *w) {
  bool local = w->func && w->func->local_object;
  bool shared = w->func && w->func->shared_object;
  return (pl_root){shared  ? &this_shared
                   : local ? &this_local
                           : &this_object,
                   {0}};
}

/* A pointer (or other scalar) parameter or local itself, as opposed to what it
 * points to. */
static bool is_own_variable(const pl_decl *decl) {
  return decl && decl->owner && !decl->is_shared &&
         (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM) &&
         !(decl->is_static && !decl->is_constexpr) &&
         !pl_is_reference(decl->type);
}

/* The space of an access: of a variable itself where it is `direct`. */
pl_space pl_access_space(pl_root root, bool direct) {
  return direct && is_own_variable(root.decl) ? PL_SPACE_LOCAL
                                              : pl_root_space(root);
}
