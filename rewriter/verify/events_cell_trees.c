/* events_cell_trees.c - is a load of the text, word for word, the source's, with copies
 * in the place of what that stores?
 *
 * Needs: both trees. Gives: whether the statements that fill an object, and those that
 * set variables of an iteration for them, are the same in the same order, each store as
 * it was or a copy of the same value to the same place. What a name of the loop's own
 * variables holds has been looked at: of which tile it is. Raises: nothing. */
#include "call_summary.h"
#include "effects_parts.h"
#include "events_cells.h"

enum { MOST_CALLS = 4 };

typedef struct statements {
  pl_node **items;
  bool *counts; /* for the object */
  size_t n, cap;
} statements;

typedef struct comparison {
  pl_cell_reading *source, *text;
  size_t object;
  int calls; /* whose functions are compared */
} comparison;

/* ---- which statements ---------------------------------------------------------------- */

static void add(pl_arena *arena, statements *all, pl_node *node) {
  if (!node || node->kind == PL_NODE_OTHER_DECL || node->kind == PL_NODE_EMPTY)
    return;
  for (uint32_t i = 0; node->kind == PL_NODE_DECL_STMT && i < node->nkids; i++)
    add(arena, all, node->kids[i]);
  if (node->kind != PL_NODE_DECL_STMT)
    PL_PUSH(arena, all->items, all->n, all->cap, node);
}

/* The source's variable of an iteration of that name; NULL: it is none. */
static const pl_clocked *inner_named(const pl_source_loop *l, pl_str name) {
  for (size_t i = 0; i < l->nvars; i++)
    if ((l->vars[i].is_temporary || l->vars[i].is_scratch) &&
        pl_str_eq(l->vars[i].decl->name, name))
      return &l->vars[i];
  return NULL;
}

typedef struct name_search {
  pl_str name;
} name_search;

static bool has_name(pl_node *node, const void *context) {
  const name_search *s = context;
  return node->kind == PL_NODE_REF && node->decl && pl_str_eq(node->decl->name, s->name);
}

/* Whether a statement sets a variable of an iteration that another one names. */
static bool sets_for(const pl_cell_reading *r, pl_node *node, const pl_node *other) {
  pl_effects effects = {0};
  if (node->kind == PL_NODE_VAR && node->decl && inner_named(r->loop, node->decl->name) &&
      pl_node_find(other, has_name, &(name_search){node->decl->name}))
    return true;
  pl_effects_of(r->effects, r->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *e = &effects.items[i];
    if (e->kind != PL_EFFECT_READ && e->root.decl &&
        inner_named(r->loop, e->root.decl->name) &&
        pl_node_find(other, has_name, &(name_search){e->root.decl->name}))
      return true;
  }
  return false;
}

/* Which statements some that count need, and those in turn. */
static void count_needed(const pl_cell_reading *r, statements *all) {
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < all->n; i++)
      for (size_t k = 0; k < all->n && !all->counts[i]; k++)
        if (all->counts[k] && sets_for(r, all->items[i], all->items[k]))
          all->counts[i] = more = true;
  }
}

static statements of_source(const comparison *c) {
  const pl_source_loop *l = c->source->loop;
  pl_arena *arena = c->source->arena;
  statements made = {0};
  for (size_t i = 0; i < l->nitems; i++)
    if (!l->items[i].is_barrier && !l->items[i].is_test)
      add(arena, &made, l->items[i].node);
  made.counts = PL_NEW_ARRAY(arena, bool, made.n + 1);
  for (size_t i = 0; i < l->nitems; i++)
    for (size_t k = 0; k < made.n && pl_item_touches(&l->items[i], c->object, true); k++)
      made.counts[k] |= made.items[k] == l->items[i].node;
  count_needed(c->source, &made);
  return made;
}

/* `auto &tile = tile_stage[stage];`, `auto &k = k_load;` of a name that the source has
 * outside of an iteration. */
static bool is_other_name(const comparison *c, const pl_node *node) {
  return node->kind == PL_NODE_VAR && node->decl && pl_is_reference(node->decl->type) &&
         !inner_named(c->source->loop, node->decl->name);
}

/* The statements beside those parts of a load that fill the object, if all of them stand
 * in one block. */
static statements of_text(const comparison *c, const pl_emitted *out, int section) {
  pl_arena *arena = c->source->arena;
  statements made = {0};
  const pl_node *block = NULL;
  for (size_t i = 0; i < out->nparts; i++) {
    const pl_part_site *p = &out->parts[i];
    if (p->object != c->object || p->section != section)
      continue;
    if (p->arm || (block && p->node->parent != block))
      return (statements){0};
    block = p->node->parent;
  }
  for (uint32_t i = 0; block && block->kind == PL_NODE_COMPOUND && i < block->nkids; i++)
    add(arena, &made, block->kids[i]);
  made.counts = PL_NEW_ARRAY(arena, bool, made.n + 1);
  for (size_t i = 0; i < out->nparts; i++)
    for (size_t k = 0; k < made.n; k++)
      made.counts[k] |= made.items[k] == out->parts[i].node &&
                        out->parts[i].object == c->object &&
                        out->parts[i].section == section;
  count_needed(c->text, &made);
  for (size_t k = 0; k < made.n; k++)
    made.counts[k] &= !is_other_name(c, made.items[k]);
  return made;
}

/* ---- what is alike ------------------------------------------------------------------- */

static bool alike(const comparison *c, const pl_node *was, const pl_node *is);

static bool is_moved_on(pl_node *node, const void *context) {
  return node->kind == PL_NODE_REF && node->decl && pl_cell_is_moved_on(context, node->decl);
}

static bool same_name(const pl_node *was, const pl_node *is, void *context) {
  const comparison *c = context;
  if (is->kind != PL_NODE_REF) {
    const pl_node *picked = is->kind == PL_NODE_MEMBER && is->nkids && !is->is_arrow
                                ? pl_node_bare(is->kids[0]) : is;
    size_t staged = pl_cell_object_staged(c->text, picked);
    return staged && staged == pl_cell_object_named(c->source, was->decl) && is->type &&
           is->type->size == was->decl->type->size;
  }
  if (!pl_str_eq(was->decl->name, pl_cell_name(c->text, is->decl)))
    return false;
  if (c->calls || inner_named(c->source->loop, was->decl->name))
    return true;
  size_t object = pl_cell_object_named(c->source, was->decl);
  if (object != pl_cell_object_named(c->text, is->decl))
    return false;
  pl_node *began = pl_beginning_of(was), *begins = pl_beginning_of(is);
  return object || pl_cell_is_moved_on(c->text, is->decl) ||
         !pl_cell_is_inner(c->text, is->decl) ||
         pl_is_declared_in(was->decl, c->source->loop->node) ||
         (began && begins && !pl_node_find(began, is_moved_on, c->source) &&
          alike(c, began, begins));
}

/* The one statement of a block, or what is no block. */
static const pl_node *bare(const pl_node *node) {
  while (node && node->kind == PL_NODE_COMPOUND && node->nkids == 1 && node->kids[0] &&
         node->kids[0]->kind != PL_NODE_DECL_STMT)
    node = node->kids[0];
  return node ? pl_node_bare((pl_node *)node) : NULL;
}

/* `x` and `&x`, `*p` and `p`, `p[i]` and `p + i`. */
static bool is_address_of(const comparison *c, const pl_node *place, const pl_node *address) {
  place = bare(place);
  address = bare(address);
  if (address->kind == PL_NODE_UNARY && address->op == PL_OP_ADDR)
    return alike(c, place, bare(address->kids[0]));
  if ((place->kind == PL_NODE_UNARY && place->op == PL_OP_DEREF) ||
      (place->kind == PL_NODE_CALL && pl_is_load_call(place) && place->nkids == 2))
    return alike(c, bare(place->kids[place->nkids - 1]), address);
  return place->kind == PL_NODE_SUBSCRIPT && address->kind == PL_NODE_BINARY &&
         address->op == PL_OP_ADD && alike(c, place->kids[0], address->kids[0]) &&
         alike(c, place->kids[1], address->kids[1]);
}

/* Whether a copy's place is the one that is assigned to, and all of it is copied. */
static bool copies_to(const comparison *c, const pl_node *place, const pl_node *copy) {
  pl_node *zeros;
  int64_t width;
  bool is = pl_copy_of(c->text, copy, &width, &zeros);
  const pl_type *type = place->type ? pl_no_reference(place->type) : NULL;
  return is && type && type->size == width && is_address_of(c, place, copy->kids[1]);
}

static bool is_copy_of(const comparison *c, const pl_node *place, const pl_node *value,
                       const pl_node *copy) {
  value = bare(value);
  return place->type && value->type &&
         pl_same_type(pl_no_reference(place->type), pl_no_reference(value->type)) &&
         copies_to(c, place, copy) && is_address_of(c, value, copy->kids[2]);
}

/* `copy(&x, &v, n, c ? 0 : n)`: v where c holds, else zeros. */
static bool copies_one_of(const comparison *c, const pl_node *asked,
                          const pl_node *const *places, const pl_node *const *values,
                          const pl_node *copy) {
  pl_node *zeros;
  int64_t width;
  if (!pl_copy_of(c->text, copy, &width, &zeros) || !zeros)
    return false;
  zeros = pl_node_bare(zeros);
  if (zeros->kind != PL_NODE_COND || !alike(c, asked, zeros->kids[0]))
    return false;
  for (int i = 0; i < 2; i++) {
    pl_cell_sum sum = pl_sum_of(c->text, zeros->kids[1 + i]);
    int64_t none;
    bool number = pl_sum_is_number(&sum, &none);
    if (!number || (none != 0 && none != width) ||
        (none ? !pl_is_zeros(c->source, values[i]) || !copies_to(c, places[i], copy)
              : pl_node_changes(values[i]) || !is_copy_of(c, places[i], values[i], copy)))
      return false;
  }
  return true;
}

/* Whether a statement gives a place a value. */
static bool gives(const comparison *c, const pl_node *place, const pl_node *value,
                  const pl_node *is) {
  is = bare(is);
  value = bare(value);
  if (is && is->kind == PL_NODE_IF && value->kind == PL_NODE_COND && is->nkids == 3 &&
      is->kids[1] && is->kids[2])
    return alike(c, value->kids[0], is->kids[0]) &&
           gives(c, place, value->kids[1], is->kids[1]) &&
           gives(c, place, value->kids[2], is->kids[2]);
  if (is && is->kind == PL_NODE_ASSIGN && is->op == PL_OP_ASSIGN)
    return alike(c, place, is->kids[0]) && alike(c, value, is->kids[1]);
  pl_node *zeros;
  int64_t width;
  if (!is || !pl_copy_of(c->text, is, &width, &zeros))
    return false;
  if (!zeros)
    return is_copy_of(c, place, value, is);
  return value->kind == PL_NODE_COND &&
         copies_one_of(c, value->kids[0], (const pl_node *const[]){place, place},
                       (const pl_node *const[]){value->kids[1], value->kids[2]}, is);
}

static bool is_assignment(const pl_node *node) {
  return node && node->kind == PL_NODE_ASSIGN && node->op == PL_OP_ASSIGN;
}

/* `if (c) x = v; else x = 0;` */
static bool is_choice_of(const comparison *c, const pl_node *was, const pl_node *is) {
  const pl_node *one = was->nkids == 3 ? bare(was->kids[1]) : NULL;
  const pl_node *other = was->nkids == 3 ? bare(was->kids[2]) : NULL;
  return is->kind == PL_NODE_CALL && is_assignment(one) && is_assignment(other) &&
         copies_one_of(c, was->kids[0],
                       (const pl_node *const[]){one->kids[0], other->kids[0]},
                       (const pl_node *const[]){one->kids[1], other->kids[1]}, is);
}

/* What a call of the text may hand on behind what the source's does. */
static bool is_pipeline(const pl_decl *param) {
  return pl_str_has(param->type->spelling, "pipeline<");
}

/* Of functions that are not the same what they do may be alike. */
static bool calls_alike(const comparison *c, const pl_node *was, const pl_node *is) {
  const pl_func *one = pl_callee_of(was), *other = pl_callee_of(is);
  pl_cell_reading text = *c->text;
  comparison inside = {c->source, &text, c->object, c->calls + 1};
  const pl_node *a = was->nkids ? was->kids[0] : NULL, *b = is->nkids ? is->kids[0] : NULL;
  bool object = a && b && a->kind == PL_NODE_MEMBER && b->kind == PL_NODE_MEMBER;
  if (!one || !other || is->nkids - was->nkids != other->nparams - one->nparams ||
      !pl_str_eq(pl_cell_arguments_of(c->source, was), pl_cell_arguments_of(c->text, is)) ||
      (one->nparams != other->nparams && (one->nparams + 1 != other->nparams ||
                                          !is_pipeline(other->params[one->nparams]))) ||
      c->calls == MOST_CALLS || (object && !alike(c, a->kids[0], b->kids[0])) ||
      (!object && (a && a->kind == PL_NODE_MEMBER) != (b && b->kind == PL_NODE_MEMBER)))
    return false;
  for (uint32_t i = 1; i < was->nkids; i++)
    if (!alike(c, was->kids[i], is->kids[i]))
      return false;
  for (uint32_t i = 0; i < one->nparams; i++)
    if (!pl_str_eq(one->params[i]->name, other->params[i]->name) ||
        !pl_same_type(one->params[i]->type, other->params[i]->type))
      return false;
  for (uint32_t i = was->nkids ? was->nkids - 1 : 0; i < one->nparams; i++)
    if (!pl_str_eq(pl_cell_unless_given(c->source, one->params[i]),
                   pl_cell_unless_given(c->text, other->params[i])))
      return false;
  text.func = other;
  return alike(&inside, one->body, other->body);
}

static uint32_t behind_names(const pl_node *block, uint32_t i) {
  while (i < block->nkids && (!block->kids[i] || block->kids[i]->kind == PL_NODE_OTHER_DECL))
    i++;
  return i;
}

/* Statements, but for names that stand among them. */
static bool blocks_alike(const comparison *c, const pl_node *was, const pl_node *is) {
  uint32_t i = behind_names(was, 0), k = behind_names(is, 0);
  while (i < was->nkids && k < is->nkids && alike(c, was->kids[i], is->kids[k])) {
    i = behind_names(was, i + 1);
    k = behind_names(is, k + 1);
  }
  return i >= was->nkids && k >= is->nkids;
}

static bool alike_otherwise(const pl_node *was, const pl_node *is, void *context) {
  const comparison *c = context;
  const pl_node *one = bare(was), *other = bare(is);
  if (!one || !other)
    return false;
  if (one != was || other != is)
    return alike(c, one, other);
  if (is_assignment(one))
    return gives(c, one->kids[0], one->kids[1], other);
  if (one->kind == PL_NODE_IF)
    return is_choice_of(c, one, other);
  if (one->kind == PL_NODE_COMPOUND && other->kind == PL_NODE_COMPOUND)
    return was->nkids != is->nkids && blocks_alike(c, was, is);
  return one->kind == PL_NODE_CALL && other->kind == PL_NODE_CALL &&
         calls_alike(c, one, other);
}

static bool alike(const comparison *c, const pl_node *was, const pl_node *is) {
  return pl_alike_tree(c->source->unit, was, c->text->unit, is, same_name, alike_otherwise,
                       (void *)c);
}

bool pl_loads_alike(const pl_emitted *out, pl_cell_reading *source, pl_cell_reading *text,
                    size_t object, int section) {
  comparison c = {.source = source, .text = text, .object = object};
  const statements was = of_source(&c), is = of_text(&c, out, section);
  size_t k = 0;
  for (size_t i = 0; i < was.n; i++) {
    if (!was.counts[i])
      continue;
    while (k < is.n && !is.counts[k])
      k++;
    if (k == is.n || !alike(&c, was.items[i], is.items[k++]))
      return false;
  }
  while (k < is.n && !is.counts[k])
    k++;
  return is.n && k == is.n;
}
