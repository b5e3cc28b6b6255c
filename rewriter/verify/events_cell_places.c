/* events_cell_places.c - where do the addresses of a load lead, and what do its expressions
 * name?
 *
 * Needs: a tree, and what is known of its variables. Gives: places, by an object and how many
 * bytes from its begin, or by what a pointer is called. Raises: nothing. */
#include "effects_parts.h"
#include "call_summary.h"
#include "events_cells.h"

static const pl_cell_place nowhere;

size_t pl_cell_object_named(const pl_cell_reading *r, const pl_decl *decl) {
  size_t i = 1;
  while (i < r->loop->nobjects &&
         !pl_str_eq(r->loop->objects[i].decl->name, decl->name))
    i++;
  bool may = decl->is_shared || pl_cell_is_in_text(r, decl) ||
             (i < r->loop->nobjects && (r->loop->objects[i].decl == decl ||
                                        r->loop->objects[i].after == decl));
  return may && i < r->loop->nobjects ? i : 0;
}

static int64_t element_size(const pl_type *type) {
  return type && type->element ? type->element->size : 0;
}

static pl_cell_place moved(pl_cell_reading *r, pl_cell_place from, pl_node *index,
                           int64_t size, int64_t sign) {
  from.is_known &= size > 0;
  pl_cell_sum by = pl_sum_of(r, index);
  if (from.object)
    by = pl_cell_index(r, by, index->type);
  from.at = pl_sum_add(from.at, pl_sum_times(r, by, pl_number_sum(r, size)), sign);
  from.is_known &= from.at.is_known;
  from.size = size;
  return from;
}

/* Where a pointer leads that is a term. */
static pl_cell_place led_by(pl_cell_reading *r, const pl_cell_sum *term,
                            const pl_node *node) {
  pl_cell_place made;
  if (!term->is_known || term->n != 1)
    return nowhere;
  if (pl_cell_is_address(r, term, &made)) {
    made.size = element_size(node->type);
    return made;
  }
  return (pl_cell_place){true, 0, NULL, term->items[0].symbol, pl_number_sum(r, 0),
                         element_size(node->type), NULL};
}

static pl_cell_place led_by_term(pl_cell_reading *r, pl_node *node) {
  pl_cell_sum term = pl_term_of(r, node);
  return led_by(r, &term, node);
}

/* The tile that a member of the loop's own object leads to, in a method that the load calls;
 * 0: none. In the loop's function a variable stands for it. */
static size_t led_by_member(const pl_cell_reading *r, const pl_node *node) {
  const pl_node *base = node->kind == PL_NODE_MEMBER && node->nkids && node->kids[0]
                            ? pl_node_bare(node->kids[0]) : NULL;
  bool own = node->kind == PL_NODE_MEMBER && node->decl && node->decl->is_field &&
             (!base || base->kind == PL_NODE_THIS) && pl_str_is(r->self.root, "&this");
  for (size_t i = 1; own && i < r->loop->nobjects; i++) {
    const pl_decl *was = r->loop->objects[i].decl, *is = r->loop->objects[i].after;
    if (was->is_member && is && is->is_member && pl_str_eq(was->name, node->decl->name))
      return i;
  }
  return 0;
}

/* ... that lies somewhere itself. */
static pl_cell_place led_by_content(pl_cell_reading *r, pl_node *node) {
  pl_cell_place at = pl_cell_place_of(r, node);
  int64_t offset;
  size_t object = led_by_member(r, node);
  if (object)
    return (pl_cell_place){true, object, NULL, {0}, pl_number_sum(r, 0),
                           element_size(node->type), NULL};
  if (node->kind == PL_NODE_MEMBER && at.is_known && at.of) {
    pl_cell_place made = pl_cell_made_to_lead(r, &at, node->decl);
    made.size = element_size(node->type);
    if (made.is_known)
      return made;
  }
  bool given = at.of && !at.local && pl_cell_is_filled(r, at.of);
  if (!r->ahead && !given && pl_cell_names_member(&at, &offset))
    return (pl_cell_place){true, 0, NULL,
                           pl_arena_printf(r->arena, "*%.*s", PL_FMT(pl_cell_member_name(r, &at, offset))),
                           pl_number_sum(r, 0), element_size(node->type), NULL};
  pl_cell_sum term = pl_content_of(r, &at);
  return led_by(r, &term, node);
}

/* The place that a function gives back, by a reference or a pointer. */
static pl_cell_place given_place(pl_cell_reading *r, pl_node *node,
                                 pl_cell_place (*of)(pl_cell_reading *, pl_node *)) {
  const pl_func *callee = pl_cell_callee_of(node);
  const pl_type *type = callee && callee->decl ? callee->decl->type : NULL;
  type = type ? type->element : NULL;
  pl_cell_call call;
  bool due = type && (of == pl_place_led_to ? type->kind == PL_TYPE_POINTER
                                            : pl_is_reference(type));
  pl_node *value = due ? pl_enter_value(r, node, &call) : NULL;
  pl_cell_place made = value ? of(r, value) : nowhere;
  if (value)
    pl_leave_call(r, &call);
  return made;
}

/* What a variable from ahead of the loop is a name of, or leads to, where nothing sets it since:
 * if it is one object alone, in one slot, so many bytes in it as has a name then. */
static pl_cell_place named_in(pl_cell_reading *r, pl_node *ref) {
  pl_roots roots = {0};
  bool named = pl_is_reference(ref->decl->type);
  (named ? pl_roots_of_object : pl_roots_of)(r->effects, r->func, ref, &roots);
  const pl_decl *root = roots.n == 1 ? roots.items[0].decl : NULL;
  size_t object = root && root->is_shared ? pl_cell_object_named(r, root) : 0;
  if (!object || (r->region.end && r->loop->objects[object].slots != 1))
    return nowhere;
  pl_str name = pl_arena_printf(r->arena, "&%.*s", PL_FMT(pl_cell_noted_name(r, ref->decl)));
  return (pl_cell_place){true, object, NULL, {0}, pl_symbol_sum(r, name),
                         named ? ref->type->size : element_size(ref->type), NULL};
}

/* The one of two that a choice is of wherever this is; NULL: that is not known. */
static pl_node *chosen(pl_cell_reading *r, const pl_node *choice) {
  const bool has_terms = r->has_terms, has_turns = r->has_turns;
  const pl_iset *yes = pl_cell_condition(r, choice->kids[0]);
  r->has_terms = has_terms; /* the path says it, whatever it has in it */
  r->has_turns = has_turns;
  return pl_iset_is_subset(r->path, yes) == PL_YES ? choice->kids[1]
         : yes && pl_iset_is_empty(pl_iset_and(r->path, yes)) == PL_YES ? choice->kids[2] : NULL;
}

/* What a pointer leads to. */
pl_cell_place pl_place_led_to(pl_cell_reading *r, pl_node *node) {
  node = pl_node_bare(node);
  const pl_type *type = node->type;
  if (type && type->kind == PL_TYPE_ARRAY)
    return pl_cell_place_of(r, node);
  switch (node->kind) {
  case PL_NODE_THIS: return r->self;
  case PL_NODE_UNARY:
    return node->op == PL_OP_ADDR ? pl_cell_place_of(r, node->kids[0])
           : node->op == PL_OP_DEREF ? led_by_content(r, node) : nowhere;
  case PL_NODE_SUBSCRIPT:
  case PL_NODE_MEMBER: return led_by_content(r, node);
  case PL_NODE_CALL: {
    pl_cell_place given = given_place(r, node, pl_place_led_to);
    return given.is_known ? given : led_by_term(r, node);
  }
  case PL_NODE_COND: {
    pl_node *one = chosen(r, node);
    return one ? pl_place_led_to(r, one) : nowhere;
  }
  case PL_NODE_CAST: {
    pl_cell_place made = pl_place_led_to(r, node->kids[0]);
    made.size = element_size(type);
    return made;
  }
  case PL_NODE_BINARY:
    if (node->op != PL_OP_ADD && node->op != PL_OP_SUB)
      return nowhere;
    return moved(r, pl_place_led_to(r, node->kids[0]), node->kids[1],
                 element_size(type), node->op == PL_OP_ADD ? 1 : -1);
  case PL_NODE_REF: {
    if (!node->decl || !type || type->kind != PL_TYPE_POINTER)
      return nowhere;
    const pl_cell_variable *bound = pl_cell_bound_to(r, node->decl);
    if (bound) {
      pl_cell_place made = bound->is_place ? bound->place : nowhere;
      made.size = element_size(type);
      return made;
    }
    size_t object = pl_cell_object_named(r, node->decl);
    if (object)
      return (pl_cell_place){true, object, NULL, {0}, pl_number_sum(r, 0),
                             element_size(type), NULL};
    bool moved_on = pl_cell_is_moved_on(r, node->decl);
    bool inner = pl_cell_is_inner(r, node->decl);
    int ahead;
    pl_node *init = moved_on ? NULL : pl_cell_beginning(r, node, &ahead);
    pl_cell_place made = nowhere;
    if (init) {
      r->depth++;
      made = pl_place_led_to(r, init);
      r->depth--;
      r->ahead = ahead;
      made.size = element_size(type);
    }
    if (made.is_known)
      return made;
    made = init && !inner ? named_in(r, node) : nowhere;
    if (made.is_known)
      return made;
    if ((moved_on || !inner) && !(init ? 0 : pl_cell_may_have_changed(r, node->decl)))
      return (pl_cell_place){true, 0, NULL, pl_cell_noted_name(r, node->decl),
                             pl_number_sum(r, 0), element_size(type), NULL};
    return !init && pl_cell_is_filled(r, node->decl) ? led_by_content(r, node) : nowhere;
  }
  default:
    return nowhere;
  }
}

size_t pl_cell_object_staged(const pl_cell_reading *r, const pl_node *node) {
  const pl_decl *stages;
  pl_node *index;
  if (!r->region.end || !pl_picked_stage(node, &stages, &index) || !stages->is_shared)
    return 0;
  for (size_t i = 1; i < r->loop->nobjects; i++)
    if (r->loop->objects[i].stages == stages && r->loop->objects[i].slots > 1)
      return i;
  return 0;
}

/* What a reference is of: for good, but by which names that was said may have changed. */
static pl_cell_place referred_to(pl_cell_reading *r, const pl_decl *decl) {
  if (r->depth >= PL_CELL_DEPTH)
    return nowhere;
  int ahead = r->ahead;
  r->ahead += !pl_cell_is_inner(r, decl);
  r->depth++;
  pl_cell_place made = pl_cell_place_of(r, decl->init);
  r->depth--;
  r->ahead = ahead;
  return made;
}

pl_cell_place pl_cell_place_of(pl_cell_reading *r, pl_node *node) {
  node = pl_node_bare(node);
  pl_cell_place made;
  size_t staged = pl_cell_object_staged(r, node);
  if (staged)
    return (pl_cell_place){true, staged, NULL, {0}, pl_number_sum(r, 0),
                           node->type ? node->type->size : 0, NULL};
  switch (node->kind) {
  case PL_NODE_SUBSCRIPT: {
    pl_node *base = pl_node_bare(node->kids[0]);
    return moved(r, pl_place_led_to(r, base), node->kids[1],
                 node->type ? node->type->size : 0, 1);
  }
  case PL_NODE_CALL:
    if (!pl_is_load_call(node) || node->nkids != 2 || !node->kids[1])
      return given_place(r, node, pl_cell_place_of);
    made = pl_place_led_to(r, node->kids[1]);
    made.size = node->type ? node->type->size : 0;
    return made;
  case PL_NODE_UNARY:
    if (node->op != PL_OP_DEREF)
      return nowhere;
    made = pl_place_led_to(r, node->kids[0]);
    made.size = node->type ? node->type->size : 0;
    return made;
  case PL_NODE_MEMBER: {
    pl_node *base = node->nkids ? node->kids[0] : NULL;
    made = !base            ? r->self
           : node->is_arrow ? pl_place_led_to(r, base)
                            : pl_cell_place_of(r, base);
    bool field = node->decl && node->decl->is_field && node->type;
    if (!made.is_known || !field)
      return nowhere;
    if (pl_is_reference(node->decl->type)) {
      size_t object = led_by_member(r, node);
      made = object ? (pl_cell_place){true, object, NULL, {0}, pl_number_sum(r, 0), 0, NULL}
                    : pl_cell_made_to_lead(r, &made, node->decl);
      made.size = node->type->size;
      return made;
    }
    made.at = pl_sum_add(made.at, pl_number_sum(r, node->decl->field_offset), 1);
    made.size = node->type->size;
    return made;
  }
  case PL_NODE_CAST:
    if (!node->type || !pl_is_reference(node->type))
      return nowhere;
    made = pl_cell_place_of(r, node->kids[0]);
    made.size = pl_no_reference(node->type)->size;
    return made;
  case PL_NODE_REF: {
    const pl_decl *decl = node->decl;
    const pl_cell_variable *bound = decl ? pl_cell_bound_to(r, decl) : NULL;
    if (bound && bound->is_place && pl_is_reference(decl->type)) {
      made = bound->place;
      made.size = node->type ? node->type->size : 0;
      return made;
    }
    bool leads = decl && decl->points_to_shared && decl->type->kind == PL_TYPE_POINTER;
    size_t object = decl && !leads ? pl_cell_object_named(r, decl) : 0;
    if (decl && !object && pl_is_reference(decl->type) && decl->init && !decl->is_field &&
        !pl_cell_is_moved_on(r, decl)) {
      made = referred_to(r, decl);
      made.size = node->type ? pl_no_reference(node->type)->size : 0;
      if (!made.is_known && !pl_cell_is_inner(r, decl))
        made = named_in(r, node);
      if (made.is_known && (made.object || pl_cell_is_inner(r, decl)))
        return made;
    }
    bool hidden = bound && !bound->is_place && !bound->value.is_known;
    bool outer = decl && !object && !decl->is_shared && !hidden &&
                 (!pl_cell_is_inner(r, decl) || pl_cell_is_moved_on(r, decl)) &&
                 (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM);
    if (outer)
      return (pl_cell_place){true, 0, NULL,
                             pl_arena_printf(r->arena, "&%.*s",
                                             PL_FMT(pl_cell_noted_name(r, decl))),
                             pl_number_sum(r, 0), node->type ? node->type->size : 0, decl};
    bool local = decl && !object && !decl->is_static &&
                 (decl->kind == PL_DECL_VAR || pl_cell_is_callees(r, decl)) &&
                 !decl->is_shared && !pl_is_reference(decl->type) && pl_cell_is_inner(r, decl);
    return object || local ? (pl_cell_place){true,
                                             object,
                                             local ? decl : NULL,
                                             {0},
                                             pl_number_sum(r, 0),
                                             node->type ? node->type->size : 0,
                                             local ? decl : NULL}
                           : nowhere;
  }
  default:
    return nowhere;
  }
}
