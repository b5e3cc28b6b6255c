/* events_parts.c - statements of the emitted text that are parts of a load.
 *
 * Needs: a walker's state. Gives: of which tile's load a statement is that fetches,
 * stores what was fetched, or copies asynchronously, by the clocks of what it is made
 * of; and its accesses. What a part may not do is not known. Raises: nothing. */
#include "cfg.h"
#include "events_cells.h"
#include "events_state.h"
#include "reaching_definitions.h"
#include "varies.h"

typedef struct part_walk {
  pl_walker *walker;
  const pl_node *node;
  pl_effects effects; /* of the node */
  pl_parts parts;
  bool *stepped;      /* variables whose clocks this has moved on, by their number */
  const pl_decl *unknown; /* that it uses; NULL: none */
} part_walk;

static void add_parts(pl_walker *w, pl_parts *to, const pl_parts *from) {
  for (size_t i = 0; i < from->n; i++)
    PL_PUSH(w->arena, to->items, to->n, to->cap, from->items[i]);
}

/* `walk.load_store(row, row_next)`: whether nothing of an object is read whose method, or a
 * part's, is called. */
static bool lends_method(const part_walk *p, const pl_node *ref) {
  const pl_node *up = ref->parent;
  while (up && up->kind == PL_NODE_MEMBER && !up->is_arrow && up->parent &&
         up->parent->kind == PL_NODE_MEMBER) {
    ref = up;
    up = up->parent;
  }
  const pl_node *call = up ? up->parent : NULL;
  if (!up || up->kind != PL_NODE_MEMBER || !call || call->kind != PL_NODE_CALL ||
      call->kids[0] != up)
    return false;
  for (size_t i = 0; i < p->effects.n; i++)
    if (!p->effects.items[i].root.decl || p->effects.items[i].root.decl == ref->decl)
      return false;
  return true;
}

static void add_value(part_walk *p, const pl_entry *entry, const pl_decl *named) {
  pl_walker *w = p->walker;
  const pl_value *v = &entry->value;
  if (v->kind == PL_VALUE_CLOCK && !pl_names_clocked(&w->source->vars[v->of], named))
    p->unknown = named; /* cells are compared by the source's names */
  else if (v->kind == PL_VALUE_CLOCK)
    PL_PUSH(w->arena, p->parts.items, p->parts.n, p->parts.cap,
            ((pl_part){v->of, v->n}));
  else if (v->kind == PL_VALUE_TEMPORARY)
    PL_PUSH(w->arena, p->parts.items, p->parts.n, p->parts.cap,
            ((pl_part){PL_NO_VAR, v->n}));
  else if (v->kind == PL_VALUE_FETCHED)
    add_parts(w, &p->parts, &v->parts);
}

static bool find_parts(pl_node *node, void *context) {
  part_walk *p = context;
  pl_walker *w = p->walker;
  if (node->kind != PL_NODE_REF || !node->decl ||
      pl_is_declared_in(node->decl, p->node) || lends_method(p, node))
    return true;
  const pl_entry *entry = pl_resolve(w, node->decl);
  const pl_value *v = entry ? &entry->value : NULL;
  if (v && ((v->kind == PL_VALUE_TEMPORARY && !v->n) ||
            (v->kind == PL_VALUE_CLOCK && !w->source->vars[v->of].writers)))
    return true;
  if ((!v && pl_object_for(w, node->decl) < w->source->nobjects) ||
      pl_reads_kept_fields_in(w->arena, w->out->unit, w->out->func, node))
    return true;
  if (!v)
    p->unknown = pl_is_in_region(w, node->decl) ? node->decl : p->unknown;
  else if (v->kind == PL_VALUE_CLOCK || v->kind == PL_VALUE_TEMPORARY ||
           v->kind == PL_VALUE_FETCHED)
    add_value(p, entry, node->decl);
  else if (v->kind == PL_VALUE_UNKNOWN &&
           pl_first_use_in(p->node, entry->decl) != PL_READS)
    return true; /* it is set first */
  else if (v->kind != PL_VALUE_SLOT && v->kind != PL_VALUE_NUMBER &&
           v->kind != PL_VALUE_AGAIN)
    p->unknown = node->decl;
  return true;
}

typedef struct resolving {
  pl_walker *walker;
  const pl_decl *decl;
} resolving;

static bool is_variable(pl_node *node, const void *context) {
  const resolving *r = context;
  const pl_entry *entry = node->kind == PL_NODE_REF && node->decl
                              ? pl_resolve(r->walker, node->decl) : NULL;
  return entry && entry->decl == r->decl;
}

/* The variable that a part reads by another name, a lambda or an address; NULL: it does not,
 * or that is not of a tile. */
static const pl_entry *reached(const part_walk *p, const pl_effect *e) {
  pl_walker *w = p->walker;
  const pl_entry *entry = e->kind == PL_EFFECT_READ && e->space == PL_SPACE_LOCAL &&
                                  e->root.decl && !pl_is_declared_in(e->root.decl, p->node)
                              ? pl_entry_of(w, e->root.decl) : NULL;
  return entry && !pl_node_find(p->node, is_variable, &(resolving){w, e->root.decl}) ? entry
                                                                                     : NULL;
}

static bool is_of_tile(const pl_value *v) {
  return v->kind == PL_VALUE_CLOCK || v->kind == PL_VALUE_TEMPORARY ||
         v->kind == PL_VALUE_FETCHED;
}

static void add_reached(part_walk *p) {
  for (size_t i = 0; i < p->effects.n; i++) {
    const pl_entry *entry = reached(p, &p->effects.items[i]);
    if (entry && is_of_tile(&entry->value))
      add_value(p, entry, entry->decl);
  }
}

enum { NO_AGE = -1, SEVERAL_AGES = -2 };

static int joined_age(int a, int b) {
  return a == NO_AGE ? b : b == NO_AGE || a == b ? a : SEVERAL_AGES;
}

/* With how many of its writers before it an item, or a temporary that it uses, has a
 * variable. */
static int age_in_item(const pl_source_loop *l, size_t item, size_t var, int depth) {
  const pl_clock_use *use = pl_item_use(&l->items[item], var);
  int age = use ? use->before : NO_AGE;
  if (depth > 6)
    return SEVERAL_AGES;
  for (size_t i = 0; i < l->items[item].nuses; i++) {
    const pl_clock_use *through = &l->items[item].uses[i];
    for (size_t k = 0; l->vars[through->var].is_temporary && k < item; k++) {
      const pl_clock_use *writer = pl_item_use(&l->items[k], through->var);
      if (writer && writer->writes)
        age = joined_age(age, age_in_item(l, k, var, depth + 1));
    }
  }
  return age;
}

bool pl_item_touches(const pl_item *it, size_t object, bool writes) {
  for (size_t i = 0; i < it->ntouches; i++)
    if (it->touches[i].object == object &&
        (writes ? it->touches[i].writes : it->touches[i].reads))
      return true;
  return false;
}

/* The tile that a part is of, if its statement is one of the items that load an
 * object. */
static const pl_iform *tile_of_part(pl_walker *w, const pl_part *part, size_t object,
                                    bool writes) {
  const pl_source_loop *l = w->source;
  int age = NO_AGE;
  if (part->var == PL_NO_VAR)
    return part->n;
  for (size_t i = 0; i < l->nitems; i++) {
    if (pl_item_touches(&l->items[i], object, writes))
      age = joined_age(age, age_in_item(l, i, part->var, 0));
  }
  return age < 0 ? NULL : pl_tile_of_clock(w, part->var, part->n, age);
}

static size_t first_item_of(const pl_source_loop *l, size_t object, bool writes) {
  size_t i = 0;
  while (i < l->nitems && !pl_item_touches(&l->items[i], object, writes))
    i++;
  return i;
}

void pl_note_store(pl_walker *w, const pl_node *node, size_t object, size_t item,
                   bool is_copy) {
  pl_emitted *out = w->out;
  if (w->is_dry)
    return;
  for (size_t i = 0; i < out->nparts; i++)
    if (out->parts[i].node == node && out->parts[i].object == object &&
        out->parts[i].section == w->moment.section) {
      out->parts[i].is_copy |= is_copy;
      return;
    }
  PL_PUSH(w->arena, out->parts, out->nparts, out->parts_cap,
          ((pl_part_site){.node = node, .object = object, .section = w->moment.section,
                          .is_verbatim = item != PL_NO_ITEM, .is_copy = is_copy,
                          .item = item, .arm = w->arm, .choice = w->choice}));
}

static bool is_the_only_one(const pl_source_loop *l, size_t object, size_t item) {
  for (size_t i = item + 1; i < l->nitems; i++)
    if (pl_item_touches(&l->items[i], object, true))
      return false;
  return item < l->nitems;
}

/* A load that is the same for each tile is of the next one that has not run, where one
 * statement of a section makes it. NULL: it is none. */
static const pl_iform *next_tile(pl_walker *w, const pl_node *node, size_t object,
                                 size_t item) {
  if (!object || !is_the_only_one(w->source, object, item))
    return NULL;
  for (size_t i = 0; i < w->out->nparts && !w->is_dry; i++) {
    const pl_part_site *p = &w->out->parts[i];
    if (p->object == object && p->section == w->moment.section && p->node != node)
      return NULL;
  }
  const pl_iform *tile = pl_counter_of(w, PL_COUNTERS + item)->value.n;
  pl_count_up(w, PL_COUNTERS + item);
  w->out->counts_loads = true;
  return tile;
}

static bool is_written(const pl_source_loop *l, size_t object) {
  return first_item_of(l, object, true) < l->nitems;
}

static void note_part(pl_walker *w, pl_node *node, const pl_parts *parts,
                      size_t object, bool writes, bool is_copy) {
  size_t item = first_item_of(w->source, object, writes);
  const pl_iform *tile = !parts->n && writes ? next_tile(w, node, object, item) : NULL;
  bool unchanging = !parts->n && !writes && !object && !is_written(w->source, 0);
  if (w->is_dry || unchanging)
    return;
  bool known = item < w->source->nitems;
  for (size_t i = 0; known && i < parts->n; i++) {
    const pl_iform *at = tile_of_part(w, &parts->items[i], object, writes);
    if (at && tile && !pl_holds(w, tile, PL_OP_EQ, at)) {
      pl_emitted_fail(w->out, 'b', node, "a load is made of parts of different tiles");
      return;
    }
    known = at != NULL;
    tile = at;
  }
  if (!known || !tile) {
    pl_emitted_fail(w->out, '?', node, "which tile it is of is not known");
    return;
  }
  for (size_t i = 0; i < w->asked.n; i++) {
    const pl_iform *at = tile_of_part(w, &w->asked.items[i], object, writes);
    if (!at || !pl_holds(w, tile, PL_OP_EQ, at))
      pl_emitted_fail(w->out, '?', node, "whether it is the tile that is asked for is not "
                      "known");
  }
  if (!pl_holds(w, tile, PL_OP_GE, pl_number_in(w, 0)) ||
      !pl_holds(w, tile, PL_OP_LT, pl_iform_name(w->ints, pl_asked_bound(w->source)))) {
    pl_emitted_fail(w->out, 'b', node, "a tile is loaded that there may not be");
    return;
  }
  if (writes && object)
    pl_note_store(w, node, object, PL_NO_ITEM, is_copy);
  pl_note_site(w, (pl_site){.object = object, .reads = !writes, .writes = writes,
                         .is_copy = is_copy, .item = item, .tile = tile,
                         .node = node});
}

/* Whether a node reaches a variable by its names in it alone: by no lambda, and no address. */
static bool names_it_alone(const pl_effects *effects, const pl_node *node, const pl_decl *decl) {
  for (size_t i = 0; i < effects->n; i++) {
    const pl_effect *e = &effects->items[i];
    if (e->root.decl == decl && (!e->direct || e->by_call || e->kind > PL_EFFECT_WRITE ||
                                 !pl_node_within(e->node, node)))
      return false;
  }
  return true;
}

bool pl_is_read_first(pl_effect_context *context, const pl_func *func, pl_node *node,
                      const pl_decl *decl) {
  pl_effects effects = {0};
  if (pl_first_use_in(node, decl) != PL_READS)
    return false;
  pl_effects_of(context, func, node, &effects);
  return !names_it_alone(&effects, node, decl) ||
         pl_first_use_by_name(node, decl) == PL_READS;
}

/* Whether a variable that every item sets before it reads it is set first. */
static bool is_scratch(const part_walk *p, const pl_decl *decl) {
  const pl_walker *w = p->walker;
  for (size_t i = 0; i < w->source->nvars; i++)
    if (w->source->vars[i].is_scratch &&
        pl_str_eq(w->source->vars[i].decl->name, decl->name))
      return !pl_is_in_region(w, decl) &&
             !pl_is_read_first(w->out->effects, w->out->func, (pl_node *)p->node, decl);
  return false;
}

/* Whether one load alone sets a variable: its part does so in its place. (What a load has moved on
 * that other statements do as well is not compared.) */
static bool is_set_by_load(const pl_walker *w, size_t var) {
  const pl_source_loop *l = w->source;
  bool load = false;
  for (size_t i = 0; i < l->nitems; i++) {
    const pl_clock_use *use = pl_item_use(&l->items[i], var);
    for (size_t k = 0; use && use->writes && k < l->items[i].ntouches; k++)
      load |= l->items[i].touches[k].object && l->items[i].touches[k].writes;
  }
  return load && l->vars[var].writers == 1;
}

/* Whether a number of the text's own, or a variable of an iteration, holds what its declaration
 * gave it. */
static bool holds_beginning(pl_walker *w, const pl_entry *entry) {
  const pl_decl *decl = entry->decl;
  if (entry->value.kind == PL_VALUE_TEMPORARY)
    return entry->value.writers == 1 && decl->node && decl->init;
  return entry->value.kind == PL_VALUE_NUMBER && decl->node && decl->init &&
         pl_holds(w, entry->value.n, PL_OP_EQ, pl_eval_form(w, decl->init));
}

/* Of those that a part sets, the declaration is one that comes ahead of it. */
static void note_beginnings(pl_walker *w, const part_walk *p) {
  for (size_t i = 0; i < p->effects.n; i++) {
    const pl_effect *e = &p->effects.items[i];
    const pl_decl *decl = e->kind == PL_EFFECT_WRITE && e->space == PL_SPACE_LOCAL
                              ? e->root.decl : NULL;
    const pl_entry *entry =
        decl && !pl_is_declared_in(decl, p->node) ? pl_resolve(w, decl) : NULL;
    if (entry && holds_beginning(w, entry))
      pl_note_store(w, entry->decl->node, 0, PL_NO_ITEM, false);
  }
}

static void set_local(pl_walker *w, const pl_effect *effect, part_walk *p) {
  const pl_decl *decl = effect->root.decl;
  if (!decl) {
    pl_emitted_fail(w->out, '?', p->node, "which variable is set is not known");
    return;
  }
  if (pl_is_declared_in(decl, p->node) || pl_is_callees_own(w->out->func, decl, p->node))
    return;
  pl_entry *entry = pl_resolve(w, decl);
  if (!entry && is_scratch(p, decl))
    return;
  if (!entry) {
    pl_emitted_fail(w->out, '?', p->node, "'%.*s' is set", PL_FMT(decl->name));
    return;
  }
  if (entry->value.kind == PL_VALUE_CLOCK && is_set_by_load(w, entry->value.of)) {
    if (!p->stepped[entry->value.of])
      entry->value.n = pl_iform_add(entry->value.n, pl_number_in(w, 1));
    p->stepped[entry->value.of] = true;
    return;
  }
  pl_note_store(w, p->node, 0, PL_NO_ITEM, false);
  pl_value made = {.kind = PL_VALUE_FETCHED,
                   .leads = pl_leads_for(w, decl, (pl_node *)p->node)};
  if (entry->value.kind == PL_VALUE_FETCHED) {
    if (!effect->whole || effect->node != p->node)
      add_parts(w, &made.parts, &entry->value.parts);
    add_parts(w, &made.parts, &p->parts);
  } else if (entry->value.kind == PL_VALUE_NUMBER ||
             entry->value.kind == PL_VALUE_TEMPORARY) {
    add_parts(w, &made.parts, &p->parts);
  } else {
    made.kind = PL_VALUE_UNKNOWN;
  }
  entry->value = made;
}

/* A name of a lambda's own, that a part of a load calls. */
static bool is_handed(pl_node *node, const void *context) {
  const part_walk *p = context;
  return node->kind == PL_NODE_REF && node->decl &&
         pl_is_callees_own(p->walker->out->func, node->decl, p->node);
}

/* A name that a part declares, of what may be an address. */
static bool is_its_own(pl_node *node, const void *context) {
  const part_walk *p = context;
  return node->kind == PL_NODE_REF && node->decl && pl_may_lead(node->decl) &&
         pl_is_declared_in(node->decl, p->node);
}

/* The objects that an address may lead to, of whichever slot; NULL: not known. */
static const pl_led_to *objects_led_to(const part_walk *p, pl_node *address) {
  pl_walker *w = p->walker;
  const pl_led_to *found = NULL;
  pl_roots roots = {0};
  pl_roots_of(w->out->effects, w->out->func, address, &roots);
  for (size_t i = 0; i < roots.n; i++) {
    pl_led_to *made = PL_NEW(w->arena, pl_led_to);
    const pl_root root = roots.items[i];
    size_t object = root.decl && !root.member.n ? pl_object_for(w, root.decl)
                                                : w->source->nobjects;
    if (object == w->source->nobjects)
      return NULL;
    *made = (pl_led_to){object, NULL, found};
    found = made;
  }
  return found;
}

/* Where an asynchronous copy goes: what its first argument names or leads to, or, of
 * another function's or by a name of a lambda's own, any name of the part. */
static void note_copy(pl_walker *w, const part_walk *p, const pl_effect *effect) {
  pl_node *call = effect->node;
  bool plain = call->kind == PL_NODE_CALL && call->nkids > 1 &&
               pl_str_has(call->name, "memcpy_async");
  pl_check_async_call(w, call);
  pl_node *to = plain ? call->kids[pl_is_group_copy(call) ? 2 : 1] : call;
  bool own = pl_node_find(to, is_its_own, p);
  bool handed = plain ? pl_node_find(to, is_handed, p) != NULL : own;
  const pl_led_to *leads = handed ? pl_leads_of(w, (pl_node *)p->node)
                           : own  ? objects_led_to(p, to) : pl_leads_of(w, to);
  for (const pl_led_to *at = leads; at; at = at->next) {
    const pl_led_to *same = leads;
    while (same->object != at->object)
      same = same->next;
    if (same == at)
      note_part(w, (pl_node *)p->node, &p->parts, at->object, true, true);
  }
  if (!leads && plain)
    pl_emitted_fail(w->out, '?', call, "where a copy goes is not known");
}

/* The object that an access is to: none by a look at the pointer alone that leads there. Of
 * stages that an object finds, the effects know none: there it is what the address's own name
 * leads to. */
static size_t accessed(pl_walker *w, const pl_effect *e) {
  size_t none = w->source->nobjects;
  const pl_node *base = pl_node_bare(e->node);
  if (e->space == PL_SPACE_LOCAL)
    return none;
  if (e->root.decl && !e->root.member.n)
    return pl_object_for(w, e->root.decl);
  while (base->kind == PL_NODE_SUBSCRIPT || base->kind == PL_NODE_PAREN ||
         base->kind == PL_NODE_ASSIGN ||
         (base->kind == PL_NODE_UNARY && base->op == PL_OP_DEREF) ||
         (base->kind == PL_NODE_MEMBER && !base->is_arrow))
    base = base->kids[0];
  const pl_led_to *leads = base->kind == PL_NODE_REF && e->space == PL_SPACE_UNKNOWN
                               ? pl_leads_of(w, (pl_node *)base) : NULL;
  bool one = leads && !leads->next && w->source->objects[leads->object].is_dynamic;
  return one ? leads->object : none;
}

static void take_effect(pl_walker *w, part_walk *p, const pl_effect *e) {
  bool writes = e->kind == PL_EFFECT_WRITE;
  if (w->out->meeting && e->root.decl == w->out->meeting && !writes)
    return;
  switch (e->kind) {
  case PL_EFFECT_READ:
  case PL_EFFECT_WRITE:
    if (e->space == PL_SPACE_LOCAL && writes)
      set_local(w, e, p);
    else if (reached(p, e) && !is_of_tile(&reached(p, e)->value))
      pl_emitted_fail(w->out, '?', e->node, "a variable is reached by another name");
    else if (accessed(w, e) < w->source->nobjects)
      note_part(w, (pl_node *)p->node, &p->parts, accessed(w, e), writes, false);
    else if (e->space == PL_SPACE_SHARED || (e->space == PL_SPACE_UNKNOWN &&
                                             !w->source->follows_memory) ||
             (e->space != PL_SPACE_LOCAL && writes))
      pl_emitted_fail(w->out, '?', e->node, "an access is none of the source's");
    return;
  case PL_EFFECT_ASYNC:
    note_copy(w, p, e);
    return;
  case PL_EFFECT_END:
    return;
  case PL_EFFECT_ESCAPE:
    if (e->space == PL_SPACE_LOCAL)
      return;
    break;
  default:
    break;
  }
  pl_emitted_fail(w->out, '?', e->node, "a part of a load does more than to load");
}

static part_walk do_part(pl_walker *w, pl_node *node) {
  part_walk walk = {.walker = w, .node = node,
                    .stepped = PL_NEW_ARRAY(w->arena, bool, w->source->nvars + 1)};
  pl_effects_of(w->out->effects, w->out->func, node, &walk.effects);
  pl_node_walk(node, find_parts, &walk);
  add_reached(&walk);
  if (pl_cfg_jump_out(node, PL_JUMP_ANY)) {
    pl_emitted_fail(w->out, '?', node, "a jump leads out of it");
    return walk;
  }
  if (walk.unknown && !w->is_dry) {
    pl_emitted_fail(w->out, '?', node, "what '%.*s' holds is not known",
                    PL_FMT(walk.unknown->name));
    return walk;
  }
  note_beginnings(w, &walk);
  for (size_t i = 0; i < walk.effects.n; i++)
    take_effect(w, &walk, &walk.effects.items[i]);
  w->moment.at++;
  return walk;
}

void pl_do_part_of_load(pl_walker *w, pl_node *node) { do_part(w, node); }

void pl_do_fetched(pl_walker *w, pl_node *var) {
  pl_value made = {.kind = PL_VALUE_FETCHED,
                   .leads = pl_leads_for(w, var->decl, var)};
  made.parts = do_part(w, var).parts;
  pl_note_store(w, var, 0, PL_NO_ITEM, false);
  pl_set_entry(w, var->decl, made);
}
