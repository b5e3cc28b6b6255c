/* events_items.c - statements of the emitted text that stand for the source's.
 *
 * Needs: the source loop's items and a walker's state. Gives: which item a statement
 * is, word for word, and for which tile; or of which tile's load it is a part; and
 * the accesses of either. Raises: nothing.
 *
 * A statement is one of tile t where every variable that it uses is as old as it is
 * in iteration t of the source: its clock says so. Where it uses none, it is the
 * next one that has not run. */
#include "events_state.h"

/* ---- word for word ------------------------------------------------------------ */

void pl_add_pair(pl_pairing *p, size_t var, const pl_decl *decl) {
  for (size_t i = 0; i < p->n; i++)
    if (p->items[i].var == var && p->items[i].decl == decl)
      return;
  PL_PUSH(p->walker->arena, p->items, p->n, p->cap, ((pl_pair){var, decl}));
}

const pl_clock_use *pl_item_use(const pl_item *item, size_t var) {
  for (size_t i = 0; i < item->nuses; i++)
    if (item->uses[i].var == var)
      return &item->uses[i];
  return NULL;
}

/* Whether an item is the first of an iteration to set a variable, so that it does not
 * matter what that held. */
static bool is_fresh(const pl_walker *w, const pl_item *item, size_t var) {
  const pl_clock_use *use = item ? pl_item_use(item, var) : NULL;
  return use && use->writes && use->before == 0 &&
         w->source->vars[var].is_refreshed;
}

static bool same_var(pl_pairing *p, size_t var, const pl_decl *is) {
  const pl_entry *entry = pl_resolve(p->walker, is);
  if (!entry)
    return false;
  const pl_value *v = &entry->value;
  bool known = v->kind == PL_VALUE_CLOCK || v->kind == PL_VALUE_TEMPORARY ||
               (v->kind == PL_VALUE_UNSET && p->was == p->walker->source->init);
  if (!is_fresh(p->walker, p->item, var) && (!known || v->of != var))
    return false;
  pl_add_pair(p, var, entry->decl);
  return true;
}

static bool same_object(pl_pairing *p, size_t object, const pl_decl *is) {
  pl_walker *w = p->walker;
  const pl_entry *entry = pl_resolve(w, is);
  if (entry)
    return entry->value.kind == PL_VALUE_SLOT && entry->value.of == object;
  return pl_is_kept(w, object, is);
}

/* `As_stage[n]`, `As_stage[n].tile` */
static bool is_stage_of(pl_pairing *p, size_t object, const pl_node *is) {
  const pl_source_loop *l = p->walker->source;
  const pl_decl *stages = NULL;
  pl_node *index;
  const pl_type *was = object < l->nobjects ? l->objects[object].decl->type : NULL;
  if (!was || !is->type || is->type->size != was->size)
    return false;
  if (is->kind == PL_NODE_MEMBER)
    is = is->is_arrow || !is->nkids ? is : pl_node_bare(is->kids[0]);
  return is->kind == PL_NODE_SUBSCRIPT && pl_picked_stage(is, &stages, &index) &&
         pl_object_for(p->walker, stages) == object && l->objects[object].slots > 1;
}

static bool same_name(const pl_node *was, const pl_node *is, void *context) {
  pl_pairing *p = context;
  const pl_source_loop *l = p->walker->source;
  if (is->kind != PL_NODE_REF)
    return is_stage_of(p, pl_object_of(l, was->decl), is);
  bool inside = pl_is_declared_in(was->decl, p->was);
  if (inside || pl_is_declared_in(is->decl, p->is))
    return inside && pl_is_declared_in(is->decl, p->is) &&
           pl_str_eq(was->decl->name, is->decl->name);
  const pl_entry *again = pl_resolve(p->walker, is->decl);
  if (again && again->value.kind == PL_VALUE_AGAIN)
    return again->value.to == was->decl;
  size_t var = pl_clocked_of(l, was->decl), object = pl_object_of(l, was->decl);
  if (var < l->nvars && !l->vars[var].is_scratch)
    return same_var(p, var, is->decl);
  if (object < l->nobjects)
    return same_object(p, object, is->decl);
  return !pl_is_in_region(p->walker, is->decl) && !pl_is_declared_in(was->decl, l->node) &&
         pl_str_eq(was->decl->name, is->decl->name);
}

bool pl_match_trees(pl_pairing *p, pl_walker *w, const pl_node *was, pl_node *is) {
  *p = (pl_pairing){.walker = w, .was = was, .is = is, .item = p->item};
  return pl_same_tree(w->source->unit, was, w->out->unit, is, same_name, p);
}

bool pl_match_more(pl_pairing *p, const pl_node *was, const pl_node *is) {
  pl_walker *w = p->walker;
  return pl_same_tree(w->source->unit, was, w->out->unit, is, same_name, p);
}

/* The variables that an item leads to by other names. */
static void add_hidden(pl_pairing *p, pl_node *node) {
  pl_walker *w = p->walker;
  pl_effects effects = {0};
  pl_effects_of(w->out->effects, w->out->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *e = &effects.items[i];
    const pl_entry *entry = e->space == PL_SPACE_LOCAL && e->root.decl
                                ? pl_resolve(w, e->root.decl) : NULL;
    if (entry && (entry->value.kind == PL_VALUE_CLOCK ||
                  entry->value.kind == PL_VALUE_TEMPORARY) &&
        pl_item_use(p->item, entry->value.of))
      pl_add_pair(p, entry->value.of, entry->decl);
  }
}

/* Whether each variable that an item uses is one of the text's. */
static bool is_complete(const pl_pairing *p) {
  for (size_t i = 0; i < p->item->nuses; i++) {
    size_t var = p->item->uses[i].var, k = 0;
    const pl_clocked *v = &p->walker->source->vars[var];
    while (k < p->n && p->items[k].var != var)
      k++;
    if (k == p->n && !pl_is_declared_in(v->decl, p->item->node))
      return false;
  }
  return true;
}

static bool matches_item(pl_pairing *p, pl_walker *w, const pl_item *it, pl_node *node) {
  p->item = it;
  if (it->is_barrier || it->is_test || !pl_match_trees(p, w, it->node, node))
    return false;
  if (it->has_hidden)
    add_hidden(p, node);
  return is_complete(p);
}

/* The tile for which a version of a variable is as old as `before` of its writers
 * into an iteration make it. */
const pl_iform *pl_tile_of_clock(pl_walker *w, size_t var, const pl_iform *n,
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
bool pl_tiles_agree(pl_walker *w, const pl_iform **tile, const pl_iform *other) {
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
static bool tile_of_item(pl_walker *w, const pl_pairing *p, size_t item,
                         const pl_iform **tile) {
  const pl_item *it = &w->source->items[item];
  *tile = NULL;
  for (size_t i = 0; i < p->n; i++) {
    const pl_value *v = &pl_entry_of(w, p->items[i].decl)->value;
    const pl_clock_use *use = pl_item_use(it, p->items[i].var);
    bool temporary = v->kind == PL_VALUE_TEMPORARY;
    if (is_fresh(w, it, p->items[i].var))
      continue;
    if (!use || (temporary && v->writers != use->before))
      return false;
    if (temporary ? !v->n : !w->source->vars[v->of].writers)
      continue;
    const pl_iform *at =
        temporary ? v->n : pl_tile_of_clock(w, v->of, v->n, use->before);
    if (!pl_tiles_agree(w, tile, at))
      return false;
  }
  if (!*tile && is_free(w, it))
    return true;
  if (!*tile)
    *tile = pl_counter_of(w, PL_COUNTERS + item)->value.n;
  const pl_iform *end = pl_iform_add(
      pl_iform_name(w->ints, pl_may_pass_vote(w->source, item) ? pl_asked_bound(w->source)
                                                               : "T"),
      pl_number_in(w, pl_runs_beyond(w->source, item)));
  if (it->is_vote)
    end = pl_iform_name(w->ints, "N");
  return pl_holds(w, *tile, PL_OP_GE, pl_number_in(w, 0)) &&
         pl_holds(w, *tile, PL_OP_LT, end) &&
         (!it->is_vote || pl_holds(w, *tile, PL_OP_LE, pl_iform_name(w->ints, "T")));
}

/* ---- what an item does to the state ------------------------------------------- */

static void advance(pl_walker *w, const pl_pairing *p, const pl_item *it,
                    const pl_iform *tile, pl_node *node) {
  for (size_t i = 0; i < p->n; i++) {
    pl_value *v = &pl_entry_of(w, p->items[i].decl)->value;
    if (!pl_item_use(it, p->items[i].var)->writes)
      continue;
    const pl_led_to *own = pl_leads_for(w, p->items[i].decl, node);
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
                    const pl_iform *tile) {
  if (node->kind != PL_NODE_DECL_STMT)
    return;
  for (uint32_t i = 0; i < node->nkids; i++) {
    const pl_decl *was = it->node->kids[i]->decl, *is = node->kids[i]->decl;
    size_t var = was ? pl_clocked_of(w->source, was) : w->source->nvars;
    if (is && var < w->source->nvars)
      pl_set_entry(w, is, (pl_value){.kind = PL_VALUE_TEMPORARY, .n = tile,
                                     .of = var,
                                     .leads = pl_leads_for(w, is, node),
                                     .writers = pl_item_use(it, var)->before + 1});
  }
}

static bool reads_tiles(const pl_item *it) {
  for (size_t i = 0; i < it->ntouches; i++)
    if (it->touches[i].object && it->touches[i].reads)
      return true;
  return false;
}

/* Whether it sets variables of one iteration, which a load may be made of. */
static bool sets_temporaries(const pl_walker *w, const pl_item *it) {
  for (size_t i = 0; i < it->nuses; i++) {
    const pl_clocked *v = &w->source->vars[it->uses[i].var];
    if (it->uses[i].writes && (v->is_temporary || v->is_scratch))
      return true;
  }
  return false;
}

static void do_item(pl_walker *w, const pl_pairing *p, size_t item, pl_node *node,
                    const pl_iform *tile) {
  const pl_item *it = &w->source->items[item];
  if (sets_temporaries(w, it))
    pl_note_store(w, node, 0, item, false);
  if (w->role && it->has_barrier)
    pl_emitted_fail(w->out, '?', node, "threads that load do not come to it");
  w->run += reads_tiles(it);
  for (size_t i = 0; i < it->ntouches; i++) {
    const pl_touch *t = &it->touches[i];
    pl_note_site(w, (pl_site){.object = t->object, .reads = t->reads,
                           .writes = t->writes, .item = item, .tile = tile,
                           .is_verbatim = true, .node = node});
    if (t->object && t->writes)
      pl_note_store(w, node, t->object, item, false);
  }
  pl_note_names(w, item, tile, node);
  w->run += reads_tiles(it);
  w->moment.at++;
  advance(w, p, it, tile, node);
  declare(w, it, node, tile);
  if (it->is_vote)
    pl_do_barrier(w);
  pl_count_up(w, PL_COUNTERS + item);
  w->last = item;
}

/* An object has parts, of which some may be a tile's and others all tiles'. */
static bool has_record(const pl_pairing *p) {
  for (size_t i = 0; i < p->n; i++) {
    const pl_type *type = p->items[i].decl->type;
    if (!type || (type->kind == PL_TYPE_RECORD && type->is_user))
      return true;
  }
  return false;
}

/* Of several items with the same words the one behind the last that ran. */
bool pl_try_item(pl_walker *w, pl_node *node) {
  const pl_source_loop *l = w->source;
  bool found = false, record = false;
  for (size_t i = 0; i < l->nitems; i++) {
    size_t item = (w->last + 1 + i) % l->nitems;
    const pl_iform *tile;
    pl_pairing p;
    if (!matches_item(&p, w, &l->items[item], node))
      continue;
    found = true;
    record |= has_record(&p);
    if (!tile_of_item(w, &p, item, &tile))
      continue;
    do_item(w, &p, item, node, tile);
    return true;
  }
  if (found)
    pl_emitted_fail(w->out, record ? '?' : 'b', node,
                    "it uses variables of different tiles, or of none");
  return found;
}

/* Whether a name is what the text calls the load side's copy of a variable. */
static bool is_copys_name(pl_str was, pl_str is) {
  return is.n > was.n && pl_str_starts((pl_str){is.p + was.n, is.n - was.n}, "_load") &&
         pl_str_eq(was, (pl_str){is.p, was.n});
}

/* Whether an iteration gives a variable a value before anything asks for it. */
static bool is_given_first(const pl_source_loop *l, size_t var) {
  const pl_decl *decl = l->vars[var].decl;
  bool asked = l->condition && pl_mentions(l->condition, decl);
  for (size_t i = 0; i < l->nbreaks; i++)
    asked |= pl_mentions(l->breaks[i], decl);
  for (size_t i = 0; i < l->nitems && !asked; i++) {
    const pl_clock_use *use = pl_item_use(&l->items[i], var);
    if (use)
      return use->writes && !l->items[i].has_hidden &&
             !pl_is_read_first(l->effects, l->func, l->items[i].node, decl);
  }
  return false;
}

/* `bool more_load;`: of what it holds nothing is asked, so that it is as old as the variable is
 * ahead of the loop. */
bool pl_try_unset_copy(pl_walker *w, const pl_decl *decl) {
  const pl_source_loop *l = w->source;
  for (size_t i = 0; i < l->nvars; i++) {
    const pl_clocked *v = &l->vars[i];
    if (v->is_temporary || v->is_scratch || v->is_set_by_header || !v->writers ||
        !is_copys_name(v->decl->name, decl->name) || !pl_same_type(v->decl->type, decl->type) ||
        !is_given_first(l, i))
      continue;
    pl_set_entry(w, decl, (pl_value){.kind = PL_VALUE_CLOCK, .of = i, .n = pl_number_in(w, 0)});
    return true;
  }
  return false;
}

/* `int t_load = 0` is a start of `int t = 0` too, which its name tells from others: what
 * both hold is the same. */
static bool starts_same(pl_pairing *p, const pl_node *was, const pl_node *is) {
  const pl_walker *w = p->walker;
  if (was->kind != PL_NODE_VAR || is->kind != was->kind || !was->decl || !is->decl ||
      !was->nkids || !is->nkids || !is_copys_name(was->decl->name, is->decl->name))
    return pl_same_tree(w->source->unit, was, w->out->unit, is, same_name, p);
  return pl_str_eq(was->decl->type->spelling, is->decl->type->spelling) &&
         pl_same_tree(w->source->unit, was->kids[0], w->out->unit, is->kids[0],
                      same_name, p);
}

/* More may be declared behind what the header's statement does. */
bool pl_is_start(pl_walker *w, pl_node *node) {
  pl_node *init = w->source->init;
  pl_pairing p = {.walker = w, .was = init, .is = node};
  if (!init || init->kind != PL_NODE_DECL_STMT || node->kind != init->kind ||
      node->nkids < init->nkids)
    return init && pl_same_tree(w->source->unit, init, w->out->unit, node, same_name, &p);
  for (uint32_t i = 0; i < init->nkids; i++)
    if (!starts_same(&p, init->kids[i], node->kids[i]))
      return false;
  return true;
}

static void start(pl_walker *w, size_t var, const pl_decl *decl) {
  pl_set_entry(w, decl, (pl_value){.kind = PL_VALUE_CLOCK, .of = var,
                                   .n = pl_number_in(w, 0)});
}

bool pl_try_init(pl_walker *w, pl_node *node) {
  pl_source_loop *l = w->source;
  if (!pl_is_start(w, node))
    return false;
  for (size_t i = 0; i < l->nvars; i++) {
    if (!l->vars[i].is_set_by_header)
      continue;
    const pl_decl *is = NULL;
    for (uint32_t k = 0; node->kind == PL_NODE_DECL_STMT && k < l->init->nkids; k++)
      if (l->init->kids[k]->decl == l->vars[i].decl)
        is = node->kids[k]->decl;
    for (size_t k = 0; !is && k < w->env.n; k++)
      if (w->env.items[k].decl && !pl_is_in_region(w, w->env.items[k].decl) &&
          w->env.items[k].value.of == i &&
          w->env.items[k].value.kind == PL_VALUE_UNSET)
        is = w->env.items[k].decl;
    if (is)
      start(w, i, is);
  }
  if (node->kind == PL_NODE_DECL_STMT)
    pl_do_declarations(w, node, l->init->nkids);
  return true;
}
