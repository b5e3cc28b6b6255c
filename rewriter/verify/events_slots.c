/* events_slots.c - which slot of which shared object does a statement use?
 *
 * Needs: a walker's state. Gives: the objects of the emitted text and where its names
 * and addresses lead, and notes accesses. Raises: nothing. */
#include "assembly.h"
#include "call_summary.h"
#include "events_state.h"

bool pl_is_in_region(const pl_walker *w, const pl_decl *decl) {
  return decl->owner && decl->name_range.end &&
         pl_range_inside(decl->name_range, w->out->region);
}

/* A lambda's parameter has no node of its own. */
bool pl_is_declared_in(const pl_decl *decl, const pl_node *node) {
  if (decl->kind == PL_DECL_PARAM)
    return decl->name_range.end && pl_range_inside(decl->name_range, node->range);
  return decl->node && pl_node_within(decl->node, node);
}

/* ---- slots -------------------------------------------------------------------- */

static int64_t size_of(const pl_decl *decl) {
  const pl_type *type = decl->type;
  return type && type->kind == PL_TYPE_ARRAY ? type->size : -1;
}

/* Whether a declaration of the text may be an object's, and is its callers' as far as that is:
 * they have it behind the loop. */
static bool is_of_same_callers(const pl_cell_object *o, const pl_decl *is) {
  return o->decl->is_shared == is->is_shared &&
         o->decl->points_to_shared == is->points_to_shared;
}

/* A shared object that has kept its name and has one slot. */
bool pl_is_kept(pl_walker *w, size_t object, const pl_decl *is) {
  pl_cell_object *o = &w->source->objects[object];
  if (!o->after && pl_str_eq(o->decl->name, is->name) &&
      (is->is_shared || !pl_is_in_region(w, is)) &&
      is_of_same_callers(o, is) && size_of(o->decl) == size_of(is)) {
    o->after = is;
    o->slots = 1;
  }
  return o->after == is && o->slots == 1;
}

size_t pl_object_after(const pl_walker *w, const pl_decl *decl) {
  size_t i = 1;
  while (i < w->source->nobjects && w->source->objects[i].after != decl &&
         w->source->objects[i].stages != decl)
    i++;
  return i;
}

/* Whether an object of the text is not the one of another of the source. */
static bool is_its_own(const pl_source_loop *l, size_t object, const pl_decl *shared) {
  for (size_t i = 1; i < l->nobjects; i++)
    if (i != object && l->objects[i].after == shared)
      return false;
  return true;
}

bool pl_take_stages(pl_walker *w, size_t object, const pl_decl *named,
                    const pl_stages *stages) {
  pl_cell_object *o = &w->source->objects[object];
  if (!is_its_own(w->source, object, stages->shared) ||
      !is_of_same_callers(o, stages->shared))
    return false;
  if (!o->after) {
    o->after = stages->shared;
    o->stages = named;
    o->slots = stages->n;
    o->is_dynamic = stages->is_dynamic;
    o->is_carved = stages->is_carved;
  }
  return o->stages == named && o->slots >= 1;
}

/* `As_stage`, of as many bytes a stage as `As` has, which no statement has bound yet. */
static bool are_stages(pl_walker *w, size_t object, const pl_decl *decl) {
  const pl_cell_object *o = &w->source->objects[object];
  pl_str name = o->decl->name;
  pl_stages stages;
  if (o->after || !decl->is_shared || decl->name.n <= name.n ||
      !pl_str_eq((pl_str){decl->name.p, name.n}, name) ||
      !pl_str_starts((pl_str){decl->name.p + name.n, decl->name.n - name.n}, "_stage") ||
      !pl_stages_of(w->out, decl, &stages) || stages.is_dynamic || !stages.type)
    return false;
  bool record = stages.type->kind == PL_TYPE_RECORD;
  int64_t size = o->decl->type ? o->decl->type->size : -1;
  return size > 0 && (record ? stages.type->size >= size : stages.type->size == size) &&
         pl_take_stages(w, object, decl, &stages);
}

/* ... or that it may be, as it has kept its name, or has another for its stages. */
size_t pl_object_for(pl_walker *w, const pl_decl *decl) {
  size_t i = pl_object_after(w, decl);
  for (size_t k = 1; i == w->source->nobjects && k < i; k++)
    if (pl_is_kept(w, k, decl) || are_stages(w, k, decl))
      return k;
  return i;
}

/* A stage that is picked is there. */
static const pl_iform *picked(pl_walker *w, const pl_node *node, size_t object) {
  pl_node *index = pl_stage_index(node);
  const pl_iform *slot = index ? pl_eval_form(w, index) : NULL;
  if (slot && !(pl_holds(w, slot, PL_OP_GE, pl_number_in(w, 0)) &&
                pl_holds(w, slot, PL_OP_LT,
                         pl_number_in(w, w->source->objects[object].slots))))
    pl_emitted_fail(w->out, 'b', node, "there is no such stage");
  return slot;
}

/* `X_stage[n]`, `X_stage[n].tile`, or a reference to that. */
static bool slot_named(pl_walker *w, const pl_node *node, size_t *object,
                       const pl_iform **slot) {
  if (node->kind != PL_NODE_REF || !node->decl)
    return false;
  const pl_entry *entry = pl_resolve(w, node->decl);
  if (entry && entry->value.kind == PL_VALUE_SLOT) {
    *object = entry->value.of;
    *slot = entry->value.n;
    return true;
  }
  *object = pl_object_for(w, node->decl);
  if (*object == w->source->nobjects)
    return false;
  *slot = w->source->objects[*object].slots == 1 ? pl_number_in(w, 0)
                                                 : picked(w, node, *object);
  return true;
}

/* Whether a variable may hold an address. */
bool pl_may_lead(const pl_decl *decl) {
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

/* Whether what a pointer, or an object's pointers and references, lead to is known, and no
 * tile. */
static bool leads_to_no_tile(const pl_walker *w, pl_node *ref) {
  pl_roots roots = {0};
  pl_str member;
  const pl_type *type = ref->decl->type;
  if (!type || (type->kind != PL_TYPE_POINTER && type->kind != PL_TYPE_RECORD))
    return false;
  for (uint32_t i = 0; (member = pl_address_member(type, i)).n; i++)
    pl_roots_of_member(w->out->effects, w->out->func, ref, member, &roots);
  if (!roots.n)
    pl_roots_of(w->out->effects, w->out->func, ref, &roots);
  for (size_t i = 0; i < roots.n; i++) {
    const pl_root root = roots.items[i];
    bool own = root.decl == ref->decl && !root.member.n &&
               !(root.decl->kind == PL_DECL_PARAM && type->kind == PL_TYPE_POINTER);
    if (!root.decl || own || pl_root_space(root) == PL_SPACE_SHARED ||
        pl_root_space(root) == PL_SPACE_UNKNOWN)
      return false;
  }
  return roots.n > 0;
}

/* Assembly that loads, or multiplies, gives what an address leads to. */
static bool is_made_of_address(const pl_unit *unit, const pl_node *node) {
  pl_str text = node->kind == PL_NODE_ASM ? pl_assembly_text(unit, node) : (pl_str){0};
  bool cast = node->kind == PL_NODE_CAST && node->type && node->type->kind == PL_TYPE_INT &&
              node->nkids && node->kids[0]->type &&
              node->kids[0]->type->kind == PL_TYPE_POINTER;
  return cast || pl_calls_builtin(node, "__cvta_generic_to_*") ||
         (text.n && !pl_str_has(text, "ld") && !pl_str_has(text, "mma"));
}

static bool is_of_address(pl_node *node, const void *context) {
  const pl_unit *unit = context;
  return is_made_of_address(unit, node) ||
         (node->kind == PL_NODE_CALL && node->decl && node->decl->func &&
          pl_call_shows(unit, node, is_made_of_address));
}

typedef struct ref_search {
  const pl_decl *decl;
  pl_node *found;
} ref_search;

static bool find_ref(pl_node *node, void *context) {
  ref_search *r = context;
  if (node->kind == PL_NODE_REF && node->decl == r->decl)
    r->found = node;
  return !r->found;
}

/* ... an object that a statement uses. */
static bool leads_elsewhere(pl_walker *w, const pl_decl *decl, pl_node *node) {
  ref_search search = {.decl = decl};
  pl_node_walk(node, find_ref, &search);
  return search.found && leads_to_no_tile(w, search.found);
}

/* A number that is an address in shared memory. */
static bool may_be_address(const pl_decl *decl) {
  return decl->type && decl->type->kind == PL_TYPE_INT && decl->type->size >= 4;
}

/* The slots that the names in a statement lead to, of themselves or as addresses. */
typedef struct leads_walk {
  pl_walker *walker;
  bool by_numbers; /* alone */
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
  if (!l->by_numbers && slot_named(l->walker, node, &object, &slot)) {
    add_lead(l, object, slot);
    return true;
  }
  const pl_entry *entry = l->by_numbers && !may_be_address(node->decl)
                              ? NULL : pl_resolve(l->walker, node->decl);
  for (const pl_led_to *at = entry ? entry->value.leads : NULL; at; at = at->next)
    add_lead(l, at->object, at->slot);
  return true;
}

const pl_led_to *pl_leads_of(pl_walker *w, pl_node *node) {
  leads_walk walk = {.walker = w};
  pl_node_walk(node, find_lead, &walk);
  return walk.found;
}

const pl_led_to *pl_leads_for(pl_walker *w, const pl_decl *decl, pl_node *node) {
  leads_walk walk = {.walker = w, .by_numbers = true};
  if (pl_may_lead(decl))
    return leads_elsewhere(w, decl, node) ? NULL : pl_leads_of(w, node);
  if (!may_be_address(decl))
    return NULL;
  if (pl_node_find(node, is_of_address, w->out->unit))
    return pl_leads_of(w, node);
  if (pl_node_has(node, PL_NODE_ASM))
    return NULL;
  pl_node_walk(node, find_lead, &walk);
  return walk.found;
}

/* An object that is reached through pointers alone, and has kept its name. */
static void bind_by_effects(pl_walker *w, pl_node *node, size_t object) {
  pl_effects effects = {0};
  pl_effects_of(w->out->effects, w->out->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].space == PL_SPACE_SHARED && effects.items[i].root.decl)
      pl_is_kept(w, object, effects.items[i].root.decl);
}

/* The slot of an object that a statement uses; NULL: not known, or several. */
static const pl_iform *slot_in(pl_walker *w, pl_node *node, size_t object) {
  const pl_iform *found = NULL;
  if (object == 0)
    return pl_number_in(w, 0);
  for (const pl_led_to *at = pl_leads_of(w, node); at; at = at->next) {
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

void pl_note_site(pl_walker *w, pl_site site) {
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
  site.role = w->role;
  site.slot = pl_iform_within(site.slot, w->where);
  site.tile = pl_iform_within(site.tile, w->where);
  site.barriers = pl_iform_within(pl_counter_of(w, PL_BARRIERS)->value.n, w->where);
  site.group = pl_iform_within(pl_counter_of(w, PL_GROUPS)->value.n, w->where);
  site.acquired = pl_iform_within(pl_counter_of(w, PL_ACQUIRED)->value.n, w->where);
  site.waited = pl_iform_within(pl_counter_of(w, PL_WAITED)->value.n, w->where);
  site.released = pl_iform_within(pl_counter_of(w, PL_RELEASED)->value.n, w->where);
  PL_PUSH(w->arena, out->sites, out->nsites, out->sites_cap, site);
}

static bool find_name(pl_node *node, void *context) {
  leads_walk *l = context;
  size_t object;
  const pl_iform *slot = NULL;
  if (node->kind == PL_NODE_REF && slot_named(l->walker, node, &object, &slot))
    add_lead(l, object, slot);
  return true;
}

static bool touches(const pl_item *it, size_t object) {
  return pl_item_touches(it, object, false) || pl_item_touches(it, object, true);
}

void pl_note_names(pl_walker *w, size_t item, const pl_iform *tile, pl_node *node) {
  leads_walk walk = {.walker = w};
  if (w->is_dry || !tile)
    return;
  pl_node_walk(node, find_name, &walk);
  for (const pl_led_to *at = walk.found; at; at = at->next) {
    pl_site made = {.object = at->object, .when = w->where, .node = node};
    if (w->source->objects[at->object].slots < 2 ||
        touches(&w->source->items[item], at->object))
      continue;
    if (!at->slot)
      return pl_emitted_fail(w->out, '?', node, "which stage of '%.*s' it names is not known",
                             PL_FMT(w->source->objects[at->object].decl->name));
    made.tile = pl_iform_within(tile, w->where);
    made.slot = pl_iform_within(at->slot, w->where);
    PL_PUSH(w->arena, w->out->names, w->out->nnames, w->out->names_cap, made);
  }
}
