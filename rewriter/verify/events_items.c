/* events_items.c - statements of the emitted text that stand for the source's.
 *
 * Needs: the source loop's items and a walker's state. Gives: which item a statement
 * is, word for word, and for which tile; or of which tile's load it is a part; and
 * the accesses of either. Raises: nothing.
 *
 * A statement is one of tile t where every variable that it uses is as old as it is
 * in iteration t of the source: its clock says so. Where it uses none, it is the
 * next one that has not run. */
#include "cfg.h"
#include "events_state.h"
#include "reaching_definitions.h"

static bool is_in_region(const pl_walker *w, const pl_decl *decl) {
  return decl->owner && decl->name_range.end &&
         pl_range_inside(decl->name_range, w->out->region);
}

/* A lambda's parameter has no node of its own. */
static bool is_inside(const pl_decl *decl, const pl_node *node) {
  if (decl->kind == PL_DECL_PARAM)
    return decl->name_range.end && pl_range_inside(decl->name_range, node->range);
  return decl->node && pl_node_within(decl->node, node);
}

/* ---- slots -------------------------------------------------------------------- */

static int64_t size_of(const pl_decl *decl) {
  const pl_type *type = decl->type;
  return type && type->kind == PL_TYPE_ARRAY ? type->size : -1;
}

/* A shared object that has kept its name and has one slot. */
static bool is_kept(pl_walker *w, size_t object, const pl_decl *is) {
  pl_cell_object *o = &w->source->objects[object];
  if (!o->after && pl_str_eq(o->decl->name, is->name) &&
      (is->is_shared || !is_in_region(w, is)) &&
      o->decl->is_shared == is->is_shared && size_of(o->decl) == size_of(is)) {
    o->after = is;
    o->slots = 1;
  }
  return o->after == is && o->slots == 1;
}

static size_t object_after(const pl_walker *w, const pl_decl *decl) {
  size_t i = 1;
  while (i < w->source->nobjects && w->source->objects[i].after != decl)
    i++;
  return i;
}

/* ... or that it may be, as it has kept its name. */
static size_t object_for(pl_walker *w, const pl_decl *decl) {
  size_t i = object_after(w, decl);
  for (size_t k = 1; i == w->source->nobjects && k < i; k++)
    if (is_kept(w, k, decl))
      return k;
  return i;
}

/* `X_stage[n]`, `X_stage[n].tile`, or a reference to that. */
bool pl_slot_named(pl_walker *w, const pl_node *node, size_t *object,
                   const pl_iform **slot) {
  if (node->kind != PL_NODE_REF || !node->decl)
    return false;
  const pl_entry *entry = pl_resolve(w, node->decl);
  if (entry && entry->value.kind == PL_VALUE_SLOT) {
    *object = entry->value.of;
    *slot = entry->value.n;
    return true;
  }
  *object = object_for(w, node->decl);
  if (*object == w->source->nobjects)
    return false;
  const pl_node *up = node->parent;
  bool picks = up && up->kind == PL_NODE_SUBSCRIPT && up->kids[0] == node;
  *slot = w->source->objects[*object].slots == 1 ? pl_number_in(w, 0)
          : picks ? pl_eval_form(w, up->kids[1])
                  : NULL;
  return true;
}

/* Whether a variable may hold an address. */
static bool may_lead(const pl_decl *decl) {
  const pl_type *type = decl->type;
  while (type && type->kind == PL_TYPE_ARRAY)
    type = type->element;
  if (!type)
    return true;
  return type->kind == PL_TYPE_RECORD
             ? type->keeps_addresses
             : type->kind != PL_TYPE_INT && type->kind != PL_TYPE_FLOAT &&
                   type->kind != PL_TYPE_BOOL && type->kind != PL_TYPE_ENUM;
}

/* The slots that the names in a statement lead to, of themselves or as addresses. */
typedef struct leads_walk {
  pl_walker *walker;
  const pl_led_to *found;
} leads_walk;

static void add_lead(leads_walk *l, size_t object, const pl_iform *slot) {
  pl_led_to *made = PL_NEW(l->walker->arena, pl_led_to);
  for (const pl_led_to *at = l->found; at; at = at->next)
    if (at->object == object && at->slot == slot)
      return;
  *made = (pl_led_to){object, slot, l->found};
  l->found = made;
}

static bool find_lead(pl_node *node, void *context) {
  leads_walk *l = context;
  size_t object;
  const pl_iform *slot = NULL;
  if (node->kind != PL_NODE_REF || !node->decl)
    return true;
  if (pl_slot_named(l->walker, node, &object, &slot)) {
    add_lead(l, object, slot);
    return true;
  }
  const pl_entry *entry = pl_resolve(l->walker, node->decl);
  for (const pl_led_to *at = entry ? entry->value.leads : NULL; at; at = at->next)
    add_lead(l, at->object, at->slot);
  return true;
}

static const pl_led_to *leads_of(pl_walker *w, pl_node *node) {
  leads_walk walk = {.walker = w};
  pl_node_walk(node, find_lead, &walk);
  return walk.found;
}

/* An object that is reached through pointers alone, and has kept its name. */
static void bind_by_effects(pl_walker *w, pl_node *node, size_t object) {
  pl_effects effects = {0};
  pl_effects_of(w->out->effects, w->out->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].space == PL_SPACE_SHARED && effects.items[i].root.decl)
      is_kept(w, object, effects.items[i].root.decl);
}

/* The slot of an object that a statement uses; NULL: not known, or several. */
static const pl_iform *slot_in(pl_walker *w, pl_node *node, size_t object) {
  const pl_iform *found = NULL;
  if (object == 0)
    return pl_number_in(w, 0);
  for (const pl_led_to *at = leads_of(w, node); at; at = at->next) {
    if (at->object != object)
      continue;
    if (!at->slot || (found && !pl_holds(w, found, PL_OP_EQ, at->slot)))
      return NULL;
    found = at->slot;
  }
  if (found)
    return found;
  if (!w->source->objects[object].after)
    bind_by_effects(w, node, object);
  return w->source->objects[object].slots == 1 ? pl_number_in(w, 0) : NULL;
}

/* ---- accesses ----------------------------------------------------------------- */

/* Several of one statement are one. */
static bool joins_last(pl_emitted *out, const pl_site *site) {
  for (size_t i = out->nsites; i > 0 && out->sites[i - 1].node == site->node; i--) {
    pl_site *last = &out->sites[i - 1];
    if (last->object != site->object || last->item != site->item ||
        last->moment.at != site->moment.at || last->when != site->when ||
        pl_iset_is_subset(site->when, pl_iset_compare(last->tile, PL_OP_EQ,
                                                      site->tile)) != PL_YES)
      continue;
    last->reads |= site->reads;
    last->writes |= site->writes;
    last->is_copy |= site->is_copy;
    return true;
  }
  return false;
}

static void note_site(pl_walker *w, pl_site site) {
  pl_emitted *out = w->out;
  site.when = w->where;
  site.moment = w->moment;
  if (w->is_dry || joins_last(out, &site))
    return;
  site.slot = slot_in(w, (pl_node *)site.node, site.object);
  if (!site.slot) {
    pl_emitted_fail(out, '?', site.node, "which stage of '%.*s' it is in is not "
                    "known", PL_FMT(w->source->objects[site.object].decl->name));
    return;
  }
  site.run = w->run;
  site.slot = pl_iform_within(site.slot, w->where);
  site.tile = pl_iform_within(site.tile, w->where);
  site.barriers = pl_iform_within(pl_counter_of(w, PL_BARRIERS)->value.n, w->where);
  site.group = pl_iform_within(pl_counter_of(w, PL_GROUPS)->value.n, w->where);
  PL_PUSH(w->arena, out->sites, out->nsites, out->sites_cap, site);
}

/* ---- word for word ------------------------------------------------------------ */

typedef struct pair {
  size_t var;
  const pl_decl *decl; /* resolved */
} pair;

typedef struct pairing {
  pl_walker *walker;
  const pl_node *was, *is; /* what is compared */
  const pl_item *item;     /* NULL: no item's */
  pair *items;
  size_t n, cap;
} pairing;

static void add_pair(pairing *p, size_t var, const pl_decl *decl) {
  for (size_t i = 0; i < p->n; i++)
    if (p->items[i].var == var && p->items[i].decl == decl)
      return;
  PL_PUSH(p->walker->arena, p->items, p->n, p->cap, ((pair){var, decl}));
}

static const pl_clock_use *use_of(const pl_item *item, size_t var) {
  for (size_t i = 0; i < item->nuses; i++)
    if (item->uses[i].var == var)
      return &item->uses[i];
  return NULL;
}

/* Whether an item is the first of an iteration to set a variable, so that it does not
 * matter what that held. */
static bool is_fresh(const pl_walker *w, const pl_item *item, size_t var) {
  const pl_clock_use *use = item ? use_of(item, var) : NULL;
  return use && use->writes && use->before == 0 &&
         w->source->vars[var].is_refreshed;
}

static bool same_var(pairing *p, size_t var, const pl_decl *is) {
  const pl_entry *entry = pl_resolve(p->walker, is);
  if (!entry)
    return false;
  const pl_value *v = &entry->value;
  bool known = v->kind == PL_VALUE_CLOCK || v->kind == PL_VALUE_TEMPORARY ||
               (v->kind == PL_VALUE_UNSET && p->was == p->walker->source->init);
  if (!is_fresh(p->walker, p->item, var) && (!known || v->of != var))
    return false;
  add_pair(p, var, entry->decl);
  return true;
}

static bool same_object(pairing *p, size_t object, const pl_decl *is) {
  pl_walker *w = p->walker;
  const pl_entry *entry = pl_resolve(w, is);
  if (entry)
    return entry->value.kind == PL_VALUE_SLOT && entry->value.of == object;
  return is_kept(w, object, is);
}

static bool same_name(const pl_node *was, const pl_node *is, void *context) {
  pairing *p = context;
  const pl_source_loop *l = p->walker->source;
  bool inside = is_inside(was->decl, p->was);
  if (inside || is_inside(is->decl, p->is))
    return inside && is_inside(is->decl, p->is) &&
           pl_str_eq(was->decl->name, is->decl->name);
  size_t var = pl_clocked_of(l, was->decl), object = pl_object_of(l, was->decl);
  if (var < l->nvars && !l->vars[var].is_scratch)
    return same_var(p, var, is->decl);
  if (object < l->nobjects)
    return same_object(p, object, is->decl);
  return !is_in_region(p->walker, is->decl) && !is_inside(was->decl, l->node) &&
         pl_str_eq(was->decl->name, is->decl->name);
}

static bool matches(pairing *p, pl_walker *w, const pl_node *was, pl_node *is) {
  *p = (pairing){.walker = w, .was = was, .is = is, .item = p->item};
  return pl_same_tree(w->source->unit, was, w->out->unit, is, same_name, p);
}

/* The variables that an item leads to by other names. */
static void add_hidden(pairing *p, pl_node *node) {
  pl_walker *w = p->walker;
  pl_effects effects = {0};
  pl_effects_of(w->out->effects, w->out->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *e = &effects.items[i];
    const pl_entry *entry = e->space == PL_SPACE_LOCAL && e->root.decl
                                ? pl_resolve(w, e->root.decl) : NULL;
    if (entry && (entry->value.kind == PL_VALUE_CLOCK ||
                  entry->value.kind == PL_VALUE_TEMPORARY) &&
        use_of(p->item, entry->value.of))
      add_pair(p, entry->value.of, entry->decl);
  }
}

/* Whether each variable that an item uses is one of the text's. */
static bool is_complete(const pairing *p) {
  for (size_t i = 0; i < p->item->nuses; i++) {
    size_t var = p->item->uses[i].var, k = 0;
    const pl_clocked *v = &p->walker->source->vars[var];
    while (k < p->n && p->items[k].var != var)
      k++;
    if (k == p->n && !is_inside(v->decl, p->item->node))
      return false;
  }
  return true;
}

static bool matches_item(pairing *p, pl_walker *w, const pl_item *it, pl_node *node) {
  p->item = it;
  if (it->is_barrier || !matches(p, w, it->node, node))
    return false;
  if (it->has_hidden)
    add_hidden(p, node);
  return is_complete(p);
}

/* The tile for which a version of a variable is as old as `before` of its writers
 * into an iteration make it. */
static const pl_iform *tile_of_clock(pl_walker *w, size_t var, const pl_iform *n,
                                     int before) {
  int writers = w->source->vars[var].writers;
  const pl_iform *since = pl_iform_sub(n, pl_number_in(w, before));
  if (writers == 1)
    return since;
  if (writers < 1 ||
      !pl_holds(w, pl_iform_mod(since, writers), PL_OP_EQ, pl_number_in(w, 0)))
    return NULL;
  return pl_iform_floor(since, writers);
}

/* Whether two answers are one; *tile: the first. */
static bool agrees(pl_walker *w, const pl_iform **tile, const pl_iform *other) {
  if (!other)
    return false;
  if (!*tile)
    *tile = other;
  return *tile == other || pl_holds(w, *tile, PL_OP_EQ, other);
}

/* Whether an item does nothing that lasts: it may run at any time. */
static bool is_free(const pl_walker *w, const pl_item *it) {
  for (size_t i = 0; i < it->nuses; i++)
    if (it->uses[i].writes && !w->source->vars[it->uses[i].var].is_temporary)
      return false;
  return it->ntouches == 0;
}

/* *tile: NULL where it is the same for all. */
static bool tile_of_item(pl_walker *w, const pairing *p, size_t item,
                         const pl_iform **tile) {
  const pl_item *it = &w->source->items[item];
  *tile = NULL;
  for (size_t i = 0; i < p->n; i++) {
    const pl_value *v = &pl_entry_of(w, p->items[i].decl)->value;
    const pl_clock_use *use = use_of(it, p->items[i].var);
    bool temporary = v->kind == PL_VALUE_TEMPORARY;
    if (is_fresh(w, it, p->items[i].var))
      continue;
    if (!use || (temporary && v->writers != use->before))
      return false;
    if (temporary ? !v->n : !w->source->vars[v->of].writers)
      continue;
    const pl_iform *at =
        temporary ? v->n : tile_of_clock(w, v->of, v->n, use->before);
    if (!agrees(w, tile, at))
      return false;
  }
  if (!*tile && is_free(w, it))
    return true;
  if (!*tile)
    *tile = pl_counter_of(w, PL_COUNTERS + item)->value.n;
  return pl_holds(w, *tile, PL_OP_GE, pl_number_in(w, 0)) &&
         pl_holds(w, *tile, PL_OP_LT, pl_iform_name(w->ints, "T"));
}

/* ---- what an item does to the state ------------------------------------------- */

static void advance(pl_walker *w, const pairing *p, const pl_item *it,
                    const pl_iform *tile, const pl_led_to *leads) {
  for (size_t i = 0; i < p->n; i++) {
    pl_value *v = &pl_entry_of(w, p->items[i].decl)->value;
    const pl_led_to *own = may_lead(p->items[i].decl) ? leads : NULL;
    if (!use_of(it, p->items[i].var)->writes)
      continue;
    if (is_fresh(w, it, p->items[i].var))
      *v = (pl_value){.kind = PL_VALUE_TEMPORARY, .n = tile, .of = p->items[i].var,
                      .writers = 1, .leads = own};
    else if (v->kind == PL_VALUE_TEMPORARY) {
      v->writers++;
      v->n = v->n ? v->n : tile;
      v->leads = own;
    } else {
      v->n = pl_iform_add(v->n, pl_number_in(w, 1));
      v->leads = own;
      w->out->leaves_addresses |= own != NULL;
    }
  }
}

/* What a declaration of the body declares. */
static void declare(pl_walker *w, const pl_item *it, pl_node *node,
                    const pl_iform *tile, const pl_led_to *leads) {
  if (node->kind != PL_NODE_DECL_STMT)
    return;
  for (uint32_t i = 0; i < node->nkids; i++) {
    const pl_decl *was = it->node->kids[i]->decl, *is = node->kids[i]->decl;
    size_t var = was ? pl_clocked_of(w->source, was) : w->source->nvars;
    if (is && var < w->source->nvars)
      pl_set_entry(w, is, (pl_value){.kind = PL_VALUE_TEMPORARY, .n = tile,
                                     .of = var,
                                     .leads = may_lead(is) ? leads : NULL,
                                     .writers = use_of(it, var)->before + 1});
  }
}

static bool reads_tiles(const pl_item *it) {
  for (size_t i = 0; i < it->ntouches; i++)
    if (it->touches[i].object && it->touches[i].reads)
      return true;
  return false;
}

static void do_item(pl_walker *w, const pairing *p, size_t item, pl_node *node,
                    const pl_iform *tile) {
  const pl_item *it = &w->source->items[item];
  w->run += reads_tiles(it);
  for (size_t i = 0; i < it->ntouches; i++) {
    const pl_touch *t = &it->touches[i];
    note_site(w, (pl_site){.object = t->object, .reads = t->reads,
                           .writes = t->writes, .item = item, .tile = tile,
                           .is_verbatim = true, .node = node});
  }
  w->run += reads_tiles(it);
  w->moment.at++;
  const pl_led_to *leads = leads_of(w, node);
  advance(w, p, it, tile, leads);
  declare(w, it, node, tile, leads);
  pl_count_up(w, PL_COUNTERS + item);
  w->last = item;
}

/* Of several items with the same words the one behind the last that ran. */
bool pl_try_item(pl_walker *w, pl_node *node) {
  const pl_source_loop *l = w->source;
  bool found = false;
  for (size_t i = 0; i < l->nitems; i++) {
    size_t item = (w->last + 1 + i) % l->nitems;
    const pl_iform *tile;
    pairing p;
    if (!matches_item(&p, w, &l->items[item], node))
      continue;
    found = true;
    if (!tile_of_item(w, &p, item, &tile))
      continue;
    do_item(w, &p, item, node, tile);
    return true;
  }
  if (found)
    pl_emitted_fail(w->out, 'b', node, "it uses variables of different tiles, or of "
                    "none");
  return found;
}

static bool is_start_of(pl_walker *w, pl_node *node) {
  pairing p = {.walker = w, .was = w->source->init, .is = node};
  return w->source->init &&
         pl_same_tree(w->source->unit, w->source->init, w->out->unit, node,
                      same_name, &p);
}

static void start(pl_walker *w, size_t var, const pl_decl *decl) {
  pl_set_entry(w, decl, (pl_value){.kind = PL_VALUE_CLOCK, .of = var,
                                   .n = pl_number_in(w, 0)});
}

bool pl_try_init(pl_walker *w, pl_node *node) {
  pl_source_loop *l = w->source;
  if (!is_start_of(w, node))
    return false;
  for (size_t i = 0; i < l->nvars; i++) {
    if (!l->vars[i].is_set_by_header)
      continue;
    const pl_decl *is = NULL;
    for (uint32_t k = 0; node->kind == PL_NODE_DECL_STMT && k < node->nkids; k++)
      if (l->init->kids[k]->decl == l->vars[i].decl)
        is = node->kids[k]->decl;
    for (size_t k = 0; !is && k < w->env.n; k++)
      if (w->env.items[k].decl && !is_in_region(w, w->env.items[k].decl) &&
          w->env.items[k].value.of == i &&
          w->env.items[k].value.kind == PL_VALUE_UNSET)
        is = w->env.items[k].decl;
    if (is)
      start(w, i, is);
  }
  return true;
}

/* ---- the loop's condition ----------------------------------------------------- */

const pl_iform *pl_asked_tile(pl_walker *w, pl_node *node) {
  pairing p = {.item = NULL};
  const pl_iform *tile = NULL;
  if (!matches(&p, w, pl_node_bare(w->source->condition), node) || !p.n)
    return NULL;
  for (size_t i = 0; i < p.n; i++) {
    const pl_value *v = &pl_entry_of(w, p.items[i].decl)->value;
    if (v->kind == PL_VALUE_CLOCK && !w->source->vars[v->of].writers)
      continue;
    if (v->kind != PL_VALUE_CLOCK ||
        !agrees(w, &tile, tile_of_clock(w, v->of, v->n, 0)))
      return NULL;
  }
  bool asked = tile && pl_holds(w, tile, PL_OP_GE, pl_number_in(w, w->source->is_do)) &&
               pl_holds(w, tile, PL_OP_LE, pl_iform_name(w->ints, "T"));
  return asked ? tile : NULL;
}

/* ---- parts of loads ----------------------------------------------------------- */

typedef struct part_walk {
  pl_walker *walker;
  const pl_node *node;
  pl_parts parts;
  const pl_decl *unknown; /* that it uses; NULL: none */
} part_walk;

static void add_parts(pl_walker *w, pl_parts *to, const pl_parts *from) {
  for (size_t i = 0; i < from->n; i++)
    PL_PUSH(w->arena, to->items, to->n, to->cap, from->items[i]);
}

static bool find_parts(pl_node *node, void *context) {
  part_walk *p = context;
  pl_walker *w = p->walker;
  if (node->kind != PL_NODE_REF || !node->decl || is_inside(node->decl, p->node))
    return true;
  const pl_entry *entry = pl_resolve(w, node->decl);
  const pl_value *v = entry ? &entry->value : NULL;
  if (v && ((v->kind == PL_VALUE_TEMPORARY && !v->n) ||
            (v->kind == PL_VALUE_CLOCK && !w->source->vars[v->of].writers)))
    return true;
  if (!v)
    p->unknown = is_in_region(w, node->decl) ? node->decl : p->unknown;
  else if (v->kind == PL_VALUE_CLOCK)
    PL_PUSH(w->arena, p->parts.items, p->parts.n, p->parts.cap,
            ((pl_part){v->of, v->n}));
  else if (v->kind == PL_VALUE_TEMPORARY)
    PL_PUSH(w->arena, p->parts.items, p->parts.n, p->parts.cap,
            ((pl_part){PL_NO_VAR, v->n}));
  else if (v->kind == PL_VALUE_FETCHED)
    add_parts(w, &p->parts, &v->parts);
  else if (v->kind != PL_VALUE_SLOT && v->kind != PL_VALUE_NUMBER)
    p->unknown = node->decl;
  return true;
}

/* The first writer count with which an item, or a temporary that it uses, has a
 * variable; -1: not at all. */
static int age_in_item(const pl_source_loop *l, size_t item, size_t var, int depth) {
  const pl_clock_use *use = use_of(&l->items[item], var);
  if (use)
    return use->before;
  for (size_t i = 0; depth < 6 && i < l->items[item].nuses; i++) {
    const pl_clock_use *through = &l->items[item].uses[i];
    for (size_t k = 0; l->vars[through->var].is_temporary && k < item; k++) {
      const pl_clock_use *writer = use_of(&l->items[k], through->var);
      int age = writer && writer->writes ? age_in_item(l, k, var, depth + 1) : -1;
      if (age >= 0)
        return age;
    }
  }
  return -1;
}

static bool item_touches(const pl_item *it, size_t object, bool writes) {
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
  int age = -1;
  if (part->var == PL_NO_VAR)
    return part->n;
  for (size_t i = 0; i < l->nitems; i++) {
    int own = item_touches(&l->items[i], object, writes)
                  ? age_in_item(l, i, part->var, 0) : -1;
    if (own >= 0 && age >= 0 && own != age)
      return NULL;
    age = own >= 0 ? own : age;
  }
  return age < 0 ? NULL : tile_of_clock(w, part->var, part->n, age);
}

static size_t first_item_of(const pl_source_loop *l, size_t object, bool writes) {
  size_t i = 0;
  while (i < l->nitems && !item_touches(&l->items[i], object, writes))
    i++;
  return i;
}

static void note_part(pl_walker *w, pl_node *node, const pl_parts *parts,
                      size_t object, bool writes, bool is_copy) {
  const pl_iform *tile = NULL;
  size_t item = first_item_of(w->source, object, writes);
  if (w->is_dry)
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
  if (!pl_holds(w, tile, PL_OP_GE, pl_number_in(w, 0)) ||
      !pl_holds(w, tile, PL_OP_LT, pl_iform_name(w->ints, "T"))) {
    pl_emitted_fail(w->out, 'b', node, "a tile is loaded that there may not be");
    return;
  }
  note_site(w, (pl_site){.object = object, .reads = !writes, .writes = writes,
                         .is_copy = is_copy, .item = item, .tile = tile,
                         .node = node});
}

/* Whether a variable that every item sets before it reads it is set first. */
static bool is_scratch(const pl_walker *w, const pl_node *node, const pl_decl *decl) {
  for (size_t i = 0; i < w->source->nvars; i++)
    if (w->source->vars[i].is_scratch &&
        pl_str_eq(w->source->vars[i].decl->name, decl->name))
      return !is_in_region(w, decl) && pl_first_use_in(node, decl) != PL_READS;
  return false;
}

/* Whether one load alone sets a variable: its part does so in its place. */
static bool is_set_by_load(const pl_walker *w, size_t var) {
  const pl_source_loop *l = w->source;
  bool load = false;
  for (size_t i = 0; i < l->nitems; i++) {
    const pl_clock_use *use = use_of(&l->items[i], var);
    for (size_t k = 0; use && use->writes && k < l->items[i].ntouches; k++)
      load |= l->items[i].touches[k].object && l->items[i].touches[k].writes;
  }
  return load && l->vars[var].writers == 1;
}

static void set_local(pl_walker *w, const pl_effect *effect, const part_walk *p) {
  const pl_decl *decl = effect->root.decl;
  if (!decl) {
    pl_emitted_fail(w->out, '?', p->node, "which variable is set is not known");
    return;
  }
  if (is_inside(decl, p->node) || pl_is_callees_own(w->out->func, decl, p->node))
    return;
  pl_entry *entry = pl_resolve(w, decl);
  if (!entry && is_scratch(w, p->node, decl))
    return;
  if (!entry) {
    pl_emitted_fail(w->out, '?', p->node, "'%.*s' is set", PL_FMT(decl->name));
    return;
  }
  if (entry->value.kind == PL_VALUE_CLOCK && is_set_by_load(w, entry->value.of)) {
    entry->value.n = pl_iform_add(entry->value.n, pl_number_in(w, 1));
    return;
  }
  pl_value made = {.kind = PL_VALUE_FETCHED,
                   .leads = may_lead(decl) ? leads_of(w, (pl_node *)p->node) : NULL};
  if (entry->value.kind == PL_VALUE_FETCHED) {
    if (!effect->whole)
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

typedef struct object_walk {
  pl_walker *walker;
  bool *named;
} object_walk;

static bool find_objects(pl_node *node, void *context) {
  object_walk *o = context;
  size_t object;
  const pl_iform *slot;
  if (pl_slot_named(o->walker, node, &object, &slot))
    o->named[object] = true;
  return true;
}

/* Where an asynchronous copy goes: what its first argument names, or, of another
 * function's, any argument. */
static void note_copy(pl_walker *w, const part_walk *p, const pl_effect *effect) {
  object_walk walk = {w, PL_NEW_ARRAY(w->arena, bool, w->source->nobjects)};
  pl_node *call = effect->node;
  bool plain = call->kind == PL_NODE_CALL && call->nkids > 1 &&
               pl_str_has(call->name, "memcpy_async");
  pl_node_walk(plain ? call->kids[1] : call, find_objects, &walk);
  for (size_t i = 1; i < w->source->nobjects; i++)
    if (walk.named[i])
      note_part(w, (pl_node *)p->node, &p->parts, i, true, true);
}

typedef struct variable_walk {
  pl_walker *walker;
  const pl_decl *decl;
  bool found;
} variable_walk;

static bool find_variable(pl_node *node, void *context) {
  variable_walk *v = context;
  const pl_entry *entry = node->kind == PL_NODE_REF && node->decl
                              ? pl_resolve(v->walker, node->decl) : NULL;
  v->found |= entry && entry->decl == v->decl;
  return !v->found;
}

/* By itself or through a reference. */
static bool names_variable(pl_walker *w, const pl_node *node, const pl_decl *decl) {
  variable_walk walk = {.walker = w, .decl = decl};
  pl_node_walk((pl_node *)node, find_variable, &walk);
  return walk.found;
}

static void take_effect(pl_walker *w, const part_walk *p, const pl_effect *e) {
  bool writes = e->kind == PL_EFFECT_WRITE;
  switch (e->kind) {
  case PL_EFFECT_READ:
  case PL_EFFECT_WRITE:
    if (e->space == PL_SPACE_LOCAL && writes)
      set_local(w, e, p);
    else if (e->space == PL_SPACE_LOCAL && e->root.decl &&
             pl_entry_of(w, e->root.decl) && !is_inside(e->root.decl, p->node) &&
             !names_variable(w, p->node, e->root.decl))
      pl_emitted_fail(w->out, '?', e->node, "a variable is reached by another name");
    else if (e->space == PL_SPACE_SHARED && e->root.decl &&
             object_for(w, e->root.decl) < w->source->nobjects)
      note_part(w, (pl_node *)p->node, &p->parts, object_for(w, e->root.decl),
                writes, false);
    else if (e->space == PL_SPACE_SHARED || e->space == PL_SPACE_UNKNOWN ||
             (e->space == PL_SPACE_GLOBAL && writes))
      pl_emitted_fail(w->out, '?', e->node, "an access is none of the source's");
    return;
  case PL_EFFECT_ASYNC:
    note_copy(w, p, e);
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
  part_walk walk = {.walker = w, .node = node};
  pl_effects effects = {0};
  pl_node_walk(node, find_parts, &walk);
  if (pl_cfg_jump_out(node, PL_JUMP_ANY)) {
    pl_emitted_fail(w->out, '?', node, "a jump leads out of it");
    return walk;
  }
  if (walk.unknown && !w->is_dry) {
    pl_emitted_fail(w->out, '?', node, "what '%.*s' holds is not known",
                    PL_FMT(walk.unknown->name));
    return walk;
  }
  pl_effects_of(w->out->effects, w->out->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++)
    take_effect(w, &walk, &effects.items[i]);
  w->moment.at++;
  return walk;
}

void pl_do_part_of_load(pl_walker *w, pl_node *node) { do_part(w, node); }

void pl_do_fetched(pl_walker *w, pl_node *var) {
  pl_value made = {.kind = PL_VALUE_FETCHED,
                   .leads = may_lead(var->decl) ? leads_of(w, var) : NULL};
  made.parts = do_part(w, var).parts;
  pl_set_entry(w, var->decl, made);
}
