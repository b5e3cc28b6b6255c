/* events_state.c - the variables of a thread that executes the emitted text.
 *
 * Needs: the state. Gives: what a name stands for, and numbers and conditions as
 * forms and sets over T and k. Raises: nothing. */
#include "events_state.h"

/* ---- entries ------------------------------------------------------------------ */

pl_entry *pl_entry_of(pl_walker *w, const pl_decl *decl) {
  for (size_t i = 0; i < w->env.n; i++)
    if (w->env.items[i].decl == decl)
      return &w->env.items[i];
  return NULL;
}

pl_entry *pl_counter_of(pl_walker *w, size_t counter) {
  for (size_t i = 0; i < w->env.n; i++)
    if (!w->env.items[i].decl && w->env.items[i].counter == counter)
      return &w->env.items[i];
  pl_entry made = {.counter = counter,
                   .value = {.kind = PL_VALUE_NUMBER, .n = pl_number_in(w, 0)}};
  PL_PUSH(w->arena, w->env.items, w->env.n, w->env.cap, made);
  return &w->env.items[w->env.n - 1];
}

pl_entry *pl_resolve(pl_walker *w, const pl_decl *decl) {
  pl_entry *entry = pl_entry_of(w, decl);
  for (int i = 0; entry && entry->value.kind == PL_VALUE_NAME && i < 8; i++)
    entry = pl_entry_of(w, entry->value.to);
  return entry;
}

void pl_set_entry(pl_walker *w, const pl_decl *decl, pl_value value) {
  pl_entry *entry = pl_entry_of(w, decl);
  if (entry)
    entry->value = value;
  else
    PL_PUSH(w->arena, w->env.items, w->env.n, w->env.cap,
            ((pl_entry){.decl = decl, .value = value}));
}

void pl_count_up(pl_walker *w, size_t counter) {
  pl_value *value = &pl_counter_of(w, counter)->value;
  value->n = pl_iform_add(value->n, pl_number_in(w, 1));
}

pl_env pl_copy_env(pl_walker *w) {
  pl_env made = {PL_NEW_ARRAY(w->arena, pl_entry, w->env.n + 1), w->env.n,
                 w->env.n + 1};
  for (size_t i = 0; i < w->env.n; i++)
    made.items[i] = w->env.items[i];
  return made;
}

static bool is_same_kind(const pl_value *a, const pl_value *b) {
  return a->kind == b->kind && a->of == b->of && a->writers == b->writers &&
         a->to == b->to && a->kind != PL_VALUE_FETCHED;
}

static bool has_lead(const pl_led_to *leads, const pl_led_to *one) {
  while (leads && (leads->object != one->object || leads->slot != one->slot))
    leads = leads->next;
  return leads != NULL;
}

bool pl_has_leads(const pl_led_to *leads, const pl_led_to *of) {
  while (of && has_lead(leads, of))
    of = of->next;
  return !of;
}

const pl_led_to *pl_joined_leads(pl_walker *w, const pl_led_to *a, const pl_led_to *b) {
  for (; b; b = b->next) {
    if (has_lead(a, b))
      continue;
    pl_led_to *made = PL_NEW(w->arena, pl_led_to);
    *made = (pl_led_to){b->object, b->slot, a};
    a = made;
  }
  return a;
}

/* An entry that one of the ways alone has made ends with it. */
void pl_join_envs(pl_walker *w, const pl_iset *where, const pl_env *taken,
                  const pl_env *other) {
  pl_env joined = {0};
  for (size_t i = 0; i < taken->n; i++) {
    pl_entry entry = taken->items[i];
    const pl_entry *from = i < other->n ? &other->items[i] : NULL;
    bool both = from && from->decl == entry.decl && from->counter == entry.counter;
    if (!both && entry.decl)
      continue;
    if (!both)
      entry.value.n = pl_iform_choose(where, entry.value.n, pl_number_in(w, 0));
    else if (!is_same_kind(&entry.value, &from->value))
      entry.value = entry.value.kind == PL_VALUE_FETCHED &&
                            entry.value.parts.items == from->value.parts.items
                        ? entry.value
                        : (pl_value){PL_VALUE_UNKNOWN};
    else if (entry.value.n != from->value.n)
      entry.value.n = pl_iform_choose(where, entry.value.n, from->value.n);
    if (both && entry.value.kind != PL_VALUE_UNKNOWN)
      entry.value.leads = pl_joined_leads(w, entry.value.leads, from->value.leads);
    PL_PUSH(w->arena, joined.items, joined.n, joined.cap, entry);
  }
  w->env = joined;
}

/* ---- numbers ------------------------------------------------------------------ */

const pl_iform *pl_number_in(pl_walker *w, int64_t value) {
  return pl_iform_number(w->ints, value);
}

bool pl_holds(pl_walker *w, const pl_iform *a, pl_op op, const pl_iform *b) {
  if (w->is_dry)
    return true;
  return pl_iset_is_subset(w->where, pl_iset_compare(a, op, b)) == PL_YES;
}

static const pl_iform *of_name(pl_walker *w, const pl_node *node) {
  const pl_entry *entry = node->decl ? pl_resolve(w, node->decl) : NULL;
  return entry && entry->value.kind == PL_VALUE_NUMBER ? entry->value.n : NULL;
}

const pl_iform *pl_toggled(pl_walker *w, const pl_iform *a, const pl_node *by) {
  if (!a || !by->has_ival || by->ival != 1 ||
      !pl_holds(w, a, PL_OP_GE, pl_number_in(w, 0)) ||
      !pl_holds(w, a, PL_OP_LE, pl_number_in(w, 1)))
    return NULL;
  return pl_iform_sub(pl_number_in(w, 1), a);
}

static const pl_iform *of_binary(pl_walker *w, const pl_node *node) {
  pl_node *left = node->kids[0], *right = node->kids[1];
  const pl_iform *a = pl_eval_form(w, left);
  switch (node->op) {
  case PL_OP_ADD: return pl_iform_add(a, pl_eval_form(w, right));
  case PL_OP_SUB: return pl_iform_sub(a, pl_eval_form(w, right));
  case PL_OP_XOR: return pl_toggled(w, a, right);
  case PL_OP_REM:
    return right->has_ival && right->ival > 0 ? pl_iform_rem(a, right->ival) : NULL;
  default: return NULL;
  }
}

const pl_iform *pl_eval_form(pl_walker *w, pl_node *node) {
  node = pl_node_bare(node);
  if (node->has_ival)
    return pl_number_in(w, node->ival);
  if (node->kind == PL_NODE_REF)
    return of_name(w, node);
  if (node->kind == PL_NODE_BINARY)
    return of_binary(w, node);
  if (node->kind == PL_NODE_COND)
    return pl_iform_choose(pl_eval_set(w, node->kids[0]),
                           pl_eval_form(w, node->kids[1]),
                           pl_eval_form(w, node->kids[2]));
  return NULL;
}

/* ---- conditions --------------------------------------------------------------- */

static const pl_iset *of_comparison(pl_walker *w, const pl_node *node) {
  switch (node->op) {
  case PL_OP_LT: case PL_OP_LE: case PL_OP_GT:
  case PL_OP_GE: case PL_OP_EQ: case PL_OP_NE:
    return pl_iset_compare(pl_eval_form(w, node->kids[0]), node->op,
                           pl_eval_form(w, node->kids[1]));
  default:
    return NULL;
  }
}

static const pl_iset *not_in(pl_walker *w, const pl_iset *set) {
  return pl_iset_minus(pl_iset_all(w->ints), set);
}

/* A part of a condition may not be asked at all. */
static const pl_iset *of_part(pl_walker *w, pl_node *node) {
  return pl_node_changes(node) || pl_has_vote(node) ? NULL : pl_eval_set(w, node);
}

const pl_iset *pl_eval_set(pl_walker *w, pl_node *node) {
  node = pl_node_bare(node);
  const pl_iform *tile = pl_asked_tile(w, node);
  if (tile)
    return pl_iset_compare(tile, PL_OP_LT,
                           pl_iform_name(w->ints, pl_asked_bound(w->source)));
  for (int ends = 0; ends < 2; ends++)
    if ((tile = pl_voted_tile(w, node, ends)))
      return pl_iset_compare(tile, ends ? PL_OP_GE : PL_OP_LT, pl_iform_name(w->ints, "T"));
  if (node->kind == PL_NODE_UNARY && node->op == PL_OP_LNOT)
    return not_in(w, pl_eval_set(w, node->kids[0]));
  if (node->kind == PL_NODE_BINARY && node->op == PL_OP_LAND)
    return pl_iset_and(of_part(w, node->kids[0]), of_part(w, node->kids[1]));
  if (node->kind == PL_NODE_BINARY && node->op == PL_OP_LOR)
    return pl_iset_or(of_part(w, node->kids[0]), of_part(w, node->kids[1]));
  if (node->kind == PL_NODE_BINARY && !node->has_ival)
    return of_comparison(w, node);
  return pl_iset_compare(pl_eval_form(w, node), PL_OP_NE, pl_number_in(w, 0));
}
