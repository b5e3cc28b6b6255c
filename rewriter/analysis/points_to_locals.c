/* points_to_locals.c - what may a local pointer point into?
 *
 * Needs: roots of expressions. Gives: the roots of a pointer variable.
 * Raises: nothing.
 *
 * Local pointers are followed through every value that the function assigns
 * to them, in whatever order, so a root list is never too short; one that
 * something else may change, through its address or a reference, cannot be
 * followed (effects_uses.c). */
#include "effects_parts.h"

typedef struct pointer_values {
  const pl_decl *decl;
  pl_str member; /* of a record: this one; empty: any */
  pl_roots roots;
  size_t round; /* in which it was looked at last */
  bool done;
  bool told; /* see pl_effect_context */
} pointer_values;

static pointer_values *pointer_entry(pl_effect_context *context,
                                     const pl_decl *decl, pl_str member) {
  for (size_t i = 0; i < context->npointers; i++)
    if (context->pointers[i]->decl == decl &&
        context->pointers[i]->told == context->told &&
        pl_str_eq(context->pointers[i]->member, member))
      return context->pointers[i];
  pointer_values *entry = PL_NEW(context->unit->arena, pointer_values);
  entry->decl = decl;
  entry->member = member;
  entry->told = context->told;
  PL_PUSH(context->unit->arena, context->pointers, context->npointers,
          context->pointers_cap, entry);
  return entry;
}

/* Whether a lambda makes another name for what it captures: `[&q = p]`. What
 * its body does to `p` under its own name is looked at like any other text. */
static bool renames_capture(const pl_unit *unit, const pl_node *lambda) {
  pl_str text = pl_unit_slice(unit, lambda->range);
  if (!lambda->range.end || !pl_str_starts(text, "["))
    return true;
  bool by_reference = false;
  for (size_t i = 1; i < text.n && text.p[i] != ']'; i++) {
    by_reference = text.p[i] == '&' || (by_reference && text.p[i] != ',');
    if (text.p[i] == '=' && by_reference)
      return true;
  }
  return false;
}

/* Whether what an lvalue names through the reference is a number: a store there
 * may change a cell, but gives the reference no other object. */
static bool names_number(const pl_gather *g, pl_node *lvalue) {
  const pl_type *type = pl_no_reference(lvalue->type);
  if (!pl_is_reference(g->decl->type) || !g->decl->init || !type ||
      pl_may_carry_address(type))
    return false;
  pl_roots roots = {0};
  pl_lvalue_roots(g->w, g->decl->init, &roots);
  bool shared = roots.n > 0;
  for (size_t i = 0; i < roots.n; i++)
    shared = shared && pl_root_space(roots.items[i]) == PL_SPACE_SHARED;
  return shared || type->kind != PL_TYPE_INT || type->size < 4;
}

/* Whether a number lies where no address can: not in a union, and not the
 * variable itself. */
static bool is_plain_field(const pl_decl *decl, const pl_node *part) {
  const pl_type *type = pl_no_reference(part->type);
  bool number = pl_is_number_or_enum(type);
  const pl_node *at = part;
  bool field = false;
  for (; number && at && at->kind != PL_NODE_REF;
       at = at->nkids ? at->kids[0] : NULL) {
    const pl_type *holder = pl_no_reference(at->type);
    number = !holder || !holder->is_union;
    field = field || at->kind == PL_NODE_MEMBER;
  }
  const pl_type *whole = pl_no_reference(decl->type);
  while (whole && whole->kind == PL_TYPE_ARRAY)
    whole = whole->element;
  return number && field && whole && !whole->is_union;
}

/* Whether a part of the variable is, or lies in, another member than the one
 * that is asked for. */
static bool is_other_member(const pl_gather *g, const pl_node *ref,
                            const pl_node *part) {
  const pl_node *up = ref;
  while (up != part && up->parent->kind == PL_NODE_PAREN)
    up = up->parent;
  return g->member.n && up != part && up->parent->kind == PL_NODE_MEMBER &&
         !pl_str_eq(up->parent->name, g->member);
}

/* What one use of the variable adds to what it may point into. */
static void gather_use(pl_gather *g, pl_node *ref) {
  pl_arena *arena = g->w->context->unit->arena;
  pl_node *part, *value;
  pl_use use = pl_use_of(g->w, ref, &part, &value);
  if (use == PL_USE_READ || is_plain_field(g->decl, part) ||
      (use == PL_USE_SET && is_other_member(g, ref, part)))
    return;
  g->lost = g->lost || use == PL_USE_LOST;
  bool number = names_number(g, part);
  if (use == PL_USE_SET && !(number && !pl_carries_address(value)))
    pl_value_roots(g->w, value, g->roots);
  if (use == PL_USE_GIVEN)
    pl_given_roots(g->w, value, part, g->roots);
  if (use == PL_USE_LOST &&
      !(number && part->parent && (part->parent->kind == PL_NODE_VAR ||
                                   part->parent->kind == PL_NODE_UNARY)))
    pl_add_root(arena, g->roots, (pl_root){0});
}

static bool gather_values(pl_node *node, void *context) {
  pl_gather *g = context;
  if (node->kind == PL_NODE_REF && node->decl == g->decl)
    gather_use(g, node);
  if (node->kind == PL_NODE_LAMBDA && pl_mentions(node, g->decl) &&
      renames_capture(g->w->context->unit, node)) {
    g->lost = true;
    pl_add_root(g->w->context->unit->arena, g->roots, (pl_root){0});
  }
  return true;
}

static bool type_is_array(const pl_type *type) {
  type = pl_no_reference(type);
  return type && type->kind == PL_TYPE_ARRAY && type->element &&
         type->element->kind != PL_TYPE_POINTER;
}

/* A record that another one of that type is given, or begins with. */
static pl_decl *copied_record(const pl_decl *decl, pl_node *value) {
  value = pl_node_bare(value);
  pl_decl *from = value && value->kind == PL_NODE_REF ? value->decl : NULL;
  bool local = from && from->kind == PL_DECL_VAR && from->owner &&
               !from->is_shared && !from->is_static;
  return local && from->type && decl->type &&
                 pl_str_eq(from->type->spelling, decl->type->spelling)
             ? from
             : NULL;
}

/* ... where the members are not told apart: what a reference is bound to is
 * then not among the values. */
static void begin_roots(pl_walk *w, pl_decl *decl, pl_str member,
                        pl_roots *roots) {
  const pl_beginning *begins =
      member.n ? pl_record_member(decl->type, member) : NULL;
  pl_decl *from = begins ? copied_record(decl, decl->init) : NULL;
  if (from) {
    pl_local_member_roots(w, from, member, roots);
    return;
  }
  if ((begins && begins->is_reference) || pl_may_be_made_otherwise(decl))
    pl_add_root(w->context->unit->arena, roots, (pl_root){0});
  pl_value_roots(w, decl->init, roots);
}

/* Every value that the function gives the variable; a reference to an array of
 * values is what it is bound to. */
static void gather_all(pl_walk *w, pl_decl *decl, pl_str member,
                       pl_roots *roots) {
  if (pl_str_is(member, "&")) {
    pl_put_roots(w, decl, true, roots);
    if (decl->init)
      pl_kept_names(w, decl->type, decl->init, roots);
    return;
  }
  bool bound = decl->kind == PL_DECL_VAR && pl_is_reference(decl->type) &&
               type_is_array(decl->type) && decl->init;
  if (bound)
    pl_lvalue_roots(w, decl->init, roots);
  else if (decl->init && !(member.n && pl_made_member_roots(w, decl->type,
                                                           decl->init, member,
                                                           roots)))
    begin_roots(w, decl, member, roots);
  pl_gather g = {.w = w, .decl = decl, .roots = roots, .member = member};
  if (!bound && decl->owner && decl->owner->body)
    pl_node_walk(decl->owner->body, gather_values, &g);
  bool ranges = decl->node && decl->node->parent &&
                decl->node->parent->kind == PL_NODE_RANGE_FOR;
  if (w->context->told && decl->owner && pl_can_hold(decl->type) &&
      (g.lost || ranges || pl_is_lambda_parameter(w, decl)))
    pl_put_roots(w, decl, false, roots);
}

static size_t known_roots(const pl_effect_context *context) {
  size_t n = context->npointers + context->nput;
  for (size_t i = 0; i < context->npointers; i++)
    n += context->pointers[i]->roots.n;
  return n;
}

/* What is found holds for all calls of a lambda, not for the one that is
 * walked. */
static void look_once(pl_walk *w, pointer_values *entry) {
  const pl_frame *frame = w->frame;
  entry->round = w->context->round;
  w->frame = NULL;
  gather_all(w, (pl_decl *)entry->decl, entry->member, &entry->roots);
  w->frame = frame;
}

/* Variables that are given each other's values are all looked at once in each
 * round, until none of them gains a root: `t = p; p = q; q = t;`. What was found by
 * way of a summary that is not done may be more later. */
static void find_values(pl_walk *w, pointer_values *entry) {
  pl_effect_context *context = w->context;
  size_t before, nunsettled = context->nunsettled;
  context->in_round = true;
  do {
    before = known_roots(context);
    context->round++;
    look_once(w, entry);
  } while (known_roots(context) != before);
  context->in_round = false;
  for (size_t i = 0; i < context->npointers; i++)
    if (context->pointers[i]->round == context->round)
      context->pointers[i]->done = context->nunsettled == nunsettled;
}

/* What a local pointer (or array of pointers) may point into. */
void pl_local_pointer_roots(pl_walk *w, pl_decl *decl, pl_roots *roots) {
  pl_local_member_roots(w, decl, (pl_str){NULL, 0}, roots);
}

void pl_local_member_roots(pl_walk *w, pl_decl *decl, pl_str member,
                           pl_roots *roots) {
  pl_arena *arena = w->context->unit->arena;
  if (!pl_record_member(decl->type, member) && !pl_str_is(member, "&"))
    member = (pl_str){NULL, 0};
  pointer_values *entry = pointer_entry(w->context, decl, member);
  if (!entry->done && !w->context->in_round)
    find_values(w, entry);
  else if (!entry->done && entry->round != w->context->round)
    look_once(w, entry);
  for (size_t i = 0; i < entry->roots.n; i++)
    pl_add_root(arena, roots, entry->roots.items[i]);
}
