/* legality_memory.c - does memory stay as it was for a load a tile earlier?
 *
 * Needs: the roots of stores and loads. Gives: whether a store of the loop
 * may change what a later tile, or the condition, reads. Raises: PL2005,
 * PL4002, PL4003. */
#include "call_summary.h"
#include "legality_parts.h"
#include "slices.h"

static pl_str root_name(pl_loop *loop, pl_root root) {
  if (!root.decl)
    return PL_STR("an address that cannot be followed");
  if (!root.decl->name.n)
    return PL_STR("a variable without a name");
  if (!root.member.n)
    return pl_arena_printf(loop->arena, "'%.*s'", PL_FMT(root.decl->name));
  if (pl_str_is(root.member, "*"))
    return pl_arena_printf(loop->arena, "'*%.*s'", PL_FMT(root.decl->name));
  if (pl_str_starts(root.member, "*"))
    root.member = (pl_str){root.member.p + 1, root.member.n - 1};
  return pl_arena_printf(loop->arena, "'%.*s.%.*s'", PL_FMT(root.decl->name),
                         PL_FMT(root.member));
}

static bool is_object(pl_root root) {
  return root.decl && !root.member.n && root.decl->kind == PL_DECL_VAR &&
         (!root.decl->owner || root.decl->is_static);
}

/* A pointer that is read from memory each time: a __device__ variable, an
 * element of a table. */
static bool is_stored_pointer(pl_root root) {
  return pl_str_starts(root.member, "*");
}

/* Whether what an effect stores may be an address. */
static bool may_store_address(const pl_effect *store) {
  const pl_type *type = store->by_call ? NULL : store->node->type;
  while (type && (type->kind == PL_TYPE_REFERENCE ||
                  type->kind == PL_TYPE_ARRAY))
    type = type->element;
  return !type || (type->kind != PL_TYPE_FLOAT && type->kind != PL_TYPE_BOOL &&
                   !(type->kind == PL_TYPE_INT && type->size < 8 &&
                     type->size > 1));
}

/* Whether a store may change the memory that a stored pointer is read from. */
static bool may_change(const pl_loop *loop, const pl_effect *store,
                       pl_root pointer) {
  pl_root holder = {pointer.decl, {0}};
  if (!store->root.decl)
    return true;
  if (store->root.decl == pointer.decl)
    return store->root.member.n < pointer.member.n;
  bool apart = pl_is_restrict(loop->unit, store->root) ||
               pl_is_restrict(loop->unit, holder) ||
               pl_is_constant(store->root) || pl_is_constant(holder) ||
               (is_object(store->root) && is_object(holder));
  return !apart && may_store_address(store);
}

/* Whether the function may put an address into the memory that such a pointer
 * is read from: a copy of a __restrict__ pointer there is no other pointer.
 * [C11 6.7.3.1: "based on"] */
static bool may_be_copy(const pl_loop *loop, pl_root root) {
  if (!is_stored_pointer(root))
    return false;
  pl_effects effects = pl_effects_in(loop, loop->func->body);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    if (effect->kind == PL_EFFECT_UNSEEN)
      return true;
    if (pl_is_write(effect) && effect->space != PL_SPACE_LOCAL &&
        effect->space != PL_SPACE_SHARED && may_change(loop, effect, root))
      return true;
  }
  return false;
}

/* The member of a method's object that an access names, or a part of which it
 * does; NULL: none that is known by itself. */
static const pl_decl *own_member(const pl_effect *access) {
  const pl_node *at = access->by_call ? NULL : access->node;
  const pl_decl *member = NULL;
  while (at) {
    bool array = at->kind == PL_NODE_SUBSCRIPT && at->kids[0]->type &&
                 at->kids[0]->type->kind == PL_TYPE_ARRAY;
    bool part = at->kind == PL_NODE_MEMBER && at->decl && at->decl->is_field &&
                !(at->decl->type && at->decl->type->kind == PL_TYPE_REFERENCE);
    const pl_node *of = at->nkids ? at->kids[0] : NULL;
    const pl_node *bare = of ? pl_node_bare((pl_node *)of) : NULL;
    bool ends = part && (!bare || bare->kind == PL_NODE_THIS);
    member = part ? at->decl : member;
    if (ends)
      return member;
    at = array || at->kind == PL_NODE_PAREN || (part && !at->is_arrow) ? of
                                                                      : NULL;
  }
  return NULL;
}

/* The call of another method of the object by which an access happens, which gets the
 * object alone of it; NULL: it is no such access. */
static const pl_node *by_method_beside(const pl_effect *access) {
  const pl_node *call = access->by_call && access->node->kind == PL_NODE_CALL &&
                                pl_is_called_on_this(access->node)
                            ? access->node
                            : NULL;
  for (uint32_t i = 1; call && i < call->nkids; i++)
    if (pl_node_find(call->kids[i], pl_is_own_object, NULL))
      return NULL;
  return call && !call->decl->is_virtual ? call : NULL;
}

/* Whether a store leaves a member of the method's object be. Those of a union lie at one
 * place, and so does what an unnamed one holds. */
static bool leaves_alone(const pl_loop *loop, const pl_effect *store,
                         const pl_decl *member) {
  const pl_decl *own = own_member(store);
  const pl_node *call = by_method_beside(store);
  return own ? own->field_offset != member->field_offset
             : call && !member->is_in_union &&
                   !pl_method_sets(loop->effects, call->decl->func, member);
}

/* Whether all that is read of the method's object, also by methods that are called on
 * it, is left alone by a store. */
static bool reads_what_is_left(const pl_loop *loop, const pl_effect *store,
                               const pl_effect *read, int depth) {
  enum { MOST_CALLS_WITHIN = 4 };
  const pl_decl *member = own_member(read);
  const pl_node *call = by_method_beside(read);
  const pl_func *method = call ? call->decl->func : NULL;
  pl_effects effects = {0};
  if (member)
    return leaves_alone(loop, store, member);
  if (!method || !method->body || depth > MOST_CALLS_WITHIN)
    return false;
  pl_effects_of(loop->effects, method, method->body, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *one = &effects.items[i];
    if (one->kind == PL_EFFECT_READ && pl_root_is_this(one->root) &&
        !one->root.member.n && !reads_what_is_left(loop, store, one, depth + 1))
      return false;
  }
  return true;
}

bool pl_may_be_shared(const pl_loop *loop, const pl_effect *access) {
  return access->space == PL_SPACE_SHARED || access->space == PL_SPACE_UNKNOWN ||
         pl_may_lead_elsewhere(loop, access->root);
}

/* The operand that leads to the memory which an expression names, or points into; NULL: it
 * is a name, or does otherwise. */
static const pl_node *leads_on(const pl_node *node) {
  switch (node->kind) {
  case PL_NODE_ASSIGN: case PL_NODE_SUBSCRIPT: case PL_NODE_PAREN: case PL_NODE_CAST:
    return node->kids[0];
  case PL_NODE_UNARY:
    return node->op == PL_OP_DEREF || node->op == PL_OP_ADDR ? node->kids[0] : NULL;
  case PL_NODE_BINARY:
    for (uint32_t i = 0; i < 2; i++)
      if (node->kids[i]->type && (node->kids[i]->type->kind == PL_TYPE_POINTER ||
                                  node->kids[i]->type->kind == PL_TYPE_ARRAY))
        return node->kids[i];
    return NULL;
  default:
    return NULL;
  }
}

static bool is_restrict_local(const pl_loop *loop, const pl_decl *decl) {
  return decl->kind == PL_DECL_VAR && pl_is_restrict(loop->unit, (pl_root){.decl = (pl_decl *)decl}) &&
         decl->owner == loop->func && pl_only_value(decl) && !pl_declared_inside(decl, loop->node);
}

/* The parameter, a record by value, that a pointer is a member of: `args` of `args.in`. */
static const pl_decl *record_param(const pl_node *node) {
  const pl_node *base = node->kind == PL_NODE_MEMBER && !node->is_arrow && node->nkids
                            ? pl_node_bare(node->kids[0])
                            : NULL;
  const pl_decl *decl = base && base->kind == PL_NODE_REF ? base->decl : NULL;
  bool pointer = node->type && node->type->kind == PL_TYPE_POINTER && node->decl &&
                 !node->decl->is_in_union;
  return pointer && decl && decl->kind == PL_DECL_PARAM && decl->type &&
                 decl->type->kind == PL_TYPE_RECORD
             ? decl
             : NULL;
}

/* The variables that an access goes by, from the one that it names to a parameter, or
 * to a record's member that is one: `float *__restrict__ row = a + k;` and `a` of
 * `row[i]`; what names the last one is `end`. 0: some of that is not known. */
static size_t names_on_the_way(const pl_loop *loop, const pl_effect *access, const pl_decl **names,
                               size_t most, const pl_node **end) {
  const pl_node *at = access->by_call ? NULL : access->node;
  size_t n = 0;
  while (at) {
    const pl_decl *record = record_param(at);
    if (record) {
      *end = at;
      names[n] = record;
      return n == most || pl_assigned_anywhere(loop->func->body, record) ? 0 : n + 1;
    }
    const pl_decl *decl = at->kind == PL_NODE_REF ? at->decl : NULL;
    if (!decl) {
      at = leads_on(at);
      continue;
    }
    if (n == most || (decl->type && decl->type->kind != PL_TYPE_POINTER))
      return 0;
    names[n++] = decl;
    *end = at;
    if (decl->kind == PL_DECL_PARAM)
      return pl_assigned_anywhere(loop->func->body, decl) ? 0 : n;
    at = pl_only_value(decl);
  }
  return 0;
}

/* The __restrict__ pointer of the function's own that some names have, and others not. */
static const pl_decl *own_restrict(const pl_loop *loop, const pl_decl *const *names, size_t n,
                                   const pl_decl *const *others, size_t nothers) {
  for (size_t i = 0; i < n; i++)
    if (is_restrict_local(loop, names[i]) && !pl_is_among(names[i], others, nothers))
      return names[i];
  return NULL;
}

/* Whether one of two accesses goes by a __restrict__ pointer of the function's own, which the
 * loop stands in the scope of, and the other one does not. Where both lead to one parameter,
 * each has to go by one, and they begin at different places: what says it itself that it
 * meets is not believed to be apart. */
static bool parts_by_local(const pl_loop *loop, const pl_effect *store, const pl_effect *read) {
  enum { MOST_NAMES = 8 };
  const pl_decl *a[MOST_NAMES], *b[MOST_NAMES];
  const pl_node *from = NULL, *to = NULL;
  size_t na = names_on_the_way(loop, store, a, MOST_NAMES, &to);
  size_t nb = names_on_the_way(loop, read, b, MOST_NAMES, &from);
  if (!na || !nb)
    return false;
  const pl_decl *one = own_restrict(loop, a, na, b, nb), *other = own_restrict(loop, b, nb, a, na);
  bool members = from->kind == PL_NODE_MEMBER && to->kind == PL_NODE_MEMBER &&
                 !pl_str_eq(from->name, to->name);
  if (a[na - 1] != b[nb - 1] || members)
    return one || other;
  return one && other &&
         !pl_same_text(loop->unit, pl_node_bare(pl_only_value(one)),
                       pl_node_bare(pl_only_value(other)));
}

/* Whether an access is __ldg's, and not one that its argument makes. */
static bool is_by_ldg(const pl_effect *read) {
  const pl_node *at = read->node, *call = at ? at->parent : NULL;
  while (call && call->kind == PL_NODE_CAST)
    call = call->parent;
  at = at ? pl_node_bare((pl_node *)at) : NULL;
  bool reads = !at || (at->kind == PL_NODE_REF ? !at->decl || !at->decl->owner
                       : at->kind == PL_NODE_UNARY ? at->op != PL_OP_ADDR
                                                   : at->kind != PL_NODE_BINARY);
  return call && !reads && pl_calls_builtin(call, "__ldg");
}

/* Whether a read is of what no kernel that has it may store to: by __ldg, or of the file's own
 * numbers that are const.
 * [CUDA C++ Programming Guide, on __ldg: data that is read-only for the lifetime of the
 * kernel. C++17 10.1.7.1/4: to change a const object is undefined.] */
static bool is_read_only(const pl_effect *read) {
  const pl_decl *decl = read->root.decl;
  const pl_type *type = decl && decl->kind == PL_DECL_VAR && !decl->owner ? decl->type : NULL;
  while (type && type->kind == PL_TYPE_ARRAY)
    type = type->element;
  return is_by_ldg(read) ||
         (type && type->is_const && !type->is_volatile && !type->in_text &&
          !read->root.member.n && pl_is_number_type(type));
}

/* PL4003: the same pointer; PL4002: perhaps the same memory; NULL: apart.
 * [restrict: C11 6.7.3.1, in CUDA as __restrict__] */
static const char *alias_reason(const pl_loop *loop, const pl_effect *store,
                                const pl_effect *read) {
  pl_root load = read->root;
  if (store->space == PL_SPACE_LOCAL)
    return NULL;
  if (store->space == PL_SPACE_SHARED)
    return pl_may_be_shared(loop, read) ? "PL4002" : NULL;
  if (parts_by_local(loop, store, read))
    return NULL;
  if (store->root.decl && pl_root_eq(store->root, load))
    return pl_root_is_this(load) && !load.member.n &&
                   reads_what_is_left(loop, store, read, 0)
               ? NULL
               : "PL4003";
  if (pl_is_constant(store->root) || pl_is_constant(load) || is_read_only(read))
    return NULL;
  if (pl_parted_by_restrict(loop->unit, store->root, load) &&
      !may_be_copy(loop, store->root) && !may_be_copy(loop, load))
    return NULL;
  if (is_object(store->root) && is_object(load))
    return NULL;
  if (pl_apart_in_callers(loop->effects, loop->func, store->root, load))
    return NULL;
  return "PL4002";
}

/* Whether a store may change what another access reads, as far as the file and
 * --assume-no-alias say. */
bool pl_may_change(const pl_loop *loop, const pl_effect *store,
                   const pl_effect *read) {
  if (read->space == PL_SPACE_LOCAL || read->space == PL_SPACE_SHARED)
    return false;
  const char *id = alias_reason(loop, store, read);
  return id && (id[5] == '3' || !loop->options->assume_no_alias ||
                !store->root.decl);
}

/* The macro that would keep the two apart, in builds that do not give it. */
static pl_str by_default(const pl_loop *loop, pl_root store, pl_root load) {
  pl_str name = pl_restrict_by_default(loop->unit, store);
  return name.n ? name : pl_restrict_by_default(loop->unit, load);
}

/* Read out of a record of which it is not known whether its own pointers are
 * __restrict__: it has bases, is a reference, or a template's arguments decide it. */
static bool is_closed_member(pl_root root) {
  return root.decl && root.member.n && root.decl->type &&
         pl_no_reference(root.decl->type)->kind == PL_TYPE_RECORD &&
         (!root.decl->npointers || root.decl->type->in_text);
}

/* One global store of the loop against one load that runs ahead of it. `certain`: only
 * where both are through one pointer. */
static bool check_pair(pl_loop *loop, const pl_effect *store,
                       const pl_effect *load, const pl_node *cond, bool certain) {
  bool beside = load->space == PL_SPACE_SHARED &&
                (store->space == PL_SPACE_SHARED || !pl_may_be_shared(loop, store));
  if (load->space == PL_SPACE_LOCAL || beside)
    return true;
  const char *id = alias_reason(loop, store, load);
  if (!id)
    return true;
  bool same = id[5] == '3';
  if (!same && (certain || (loop->options->assume_no_alias && store->root.decl)))
    return true;
  pl_str from = root_name(loop, load->root);
  pl_str to = root_name(loop, store->root);
  if (cond && same)
    pl_refuse(loop, true, "PL2005", cond,
              "the condition reads %.*s, which the loop writes", PL_FMT(from));
  else if (cond)
    pl_refuse(loop, false, "PL2005", cond,
              "the condition reads %.*s, which the loop may write through %.*s",
              PL_FMT(from), PL_FMT(to));
  if (cond) {
    pl_loop_note(loop, store->node, "it %s written here", same ? "is" : "may be");
    return false;
  }
  pl_refuse(loop, same, id, store->node,
            same ? "this stores to %.*s, which a later tile is loaded from"
                 : "this store to %.*s may change what a later tile loads "
                   "from %.*s",
            PL_FMT(to), PL_FMT(from));
  pl_loop_note(loop, load->node, "the tile is loaded here");
  if (!same && !store->root.decl)
    pl_loop_note(loop, store->node,
                 "a pointer that is an argument, or a local variable made from "
                 "one, can be followed");
  else if (!same && by_default(loop, store->root, load->root).n)
    pl_loop_note(loop, store->node,
                 "a build may give '%.*s' as something else; '-- -U%.*s' leaves "
                 "such builds out",
                 PL_FMT(by_default(loop, store->root, load->root)),
                 PL_FMT(by_default(loop, store->root, load->root)));
  else if (!same)
    pl_loop_note(loop, store->node,
                 is_closed_member(store->root) || is_closed_member(load->root)
                     ? "a __restrict__ pointer of the kernel's own, set from its "
                       "member once, ahead of the loop, or --assume-no-alias settles it"
                     : "__restrict__ on one of the two, or --assume-no-alias, "
                       "settles it");
  return false;
}

static bool check_against_stores(pl_loop *loop, const pl_effect *load,
                                 const pl_node *cond, bool certain) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    for (size_t j = 0; !stmt->fills && j < stmt->effects.n; j++) {
      const pl_effect *store = &stmt->effects.items[j];
      if (pl_is_write(store) && !check_pair(loop, store, load, cond, certain))
        return false;
    }
  }
  return true;
}

/* Shared memory that the loop writes may not decide a condition. */
static bool check_shared_read(pl_loop *loop, const pl_effect *read,
                              const pl_node *cond) {
  for (size_t s = 0; s < loop->nstmts; s++)
    for (size_t j = 0; j < loop->stmts[s].effects.n; j++) {
      const pl_effect *other = &loop->stmts[s].effects.items[j];
      if (pl_is_write(other) &&
          pl_same_shared(other->root.decl, read->root.decl))
        return pl_refuse(loop, true, "PL2005", cond,
                         "the condition reads '%.*s', which the loop "
                         "writes",
                         PL_FMT(read->root.decl->name));
    }
  return true;
}

static bool check_condition(pl_loop *loop, pl_node *cond) {
  pl_effects effects = pl_effects_in(loop, cond);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *read = &effects.items[i];
    if (read->kind != PL_EFFECT_READ)
      continue;
    if (read->space == PL_SPACE_SHARED && !check_shared_read(loop, read, cond))
      return false;
    if (!check_against_stores(loop, read, cond, false))
      return false;
  }
  return true;
}

/* Memory that the loop writes may not decide a condition or a load; the slices
 * have seen to shared memory and loads. */
bool pl_check_condition_memory(pl_loop *loop) {
  for (size_t i = 0; pl_loop_condition(loop, i); i++)
    if (!check_condition(loop, pl_loop_condition(loop, i)))
      return false;
  return true;
}

static bool check_loads(pl_loop *loop, bool certain) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    for (size_t j = 0; stmt->in_load && j < stmt->effects.n; j++) {
      const pl_effect *load = &stmt->effects.items[j];
      if (load->kind == PL_EFFECT_READ &&
          !check_against_stores(loop, load, NULL, certain))
        return false;
    }
  }
  return true;
}

/* What is certain is said first: no option settles that. */
bool pl_check_loads(pl_loop *loop) {
  return check_loads(loop, true) && check_loads(loop, false);
}
