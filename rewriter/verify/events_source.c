/* events_source.c - a tile loop as items, clocks and accesses.
 *
 * Needs: the loop's tree. Gives: each statement of its body with what it touches
 * that others see, how many barriers of an iteration stand ahead of it, and which
 * variables of the thread's own it uses and sets; or why that is not known. Raises:
 * nothing. */
#include "cfg.h"
#include "events.h"

#include <string.h>

static void fail(pl_source_loop *l, const pl_node *at, const char *why) {
  if (l->unknown.n)
    return;
  l->unknown = (pl_str){why, strlen(why)};
  l->unknown_at = at;
}

/* ---- names ------------------------------------------------------------------ */

size_t pl_clocked_of(const pl_source_loop *l, const pl_decl *decl) {
  size_t i = 0;
  while (i < l->nvars && l->vars[i].decl != decl)
    i++;
  return i;
}

size_t pl_object_of(const pl_source_loop *l, const pl_decl *decl) {
  size_t i = 1;
  while (i < l->nobjects && l->objects[i].decl != decl)
    i++;
  return i;
}

static size_t object_for(pl_source_loop *l, const pl_decl *decl) {
  size_t i = decl ? pl_object_of(l, decl) : 0;
  if (i == l->nobjects)
    PL_PUSH(l->arena, l->objects, l->nobjects, l->objects_cap,
            (pl_cell_object){.decl = decl});
  return i;
}

/* ---- what an item touches ----------------------------------------------------- */

static void touch(pl_source_loop *l, pl_item *item, const pl_decl *decl, bool reads,
                  bool writes) {
  size_t object = object_for(l, decl);
  for (size_t i = 0; i < item->ntouches; i++)
    if (item->touches[i].object == object) {
      item->touches[i].reads |= reads;
      item->touches[i].writes |= writes;
      return;
    }
  PL_PUSH(l->arena, item->touches, item->ntouches, item->touches_cap,
          ((pl_touch){object, reads, writes}));
}

static void touch_memory(pl_source_loop *l, pl_item *item, const pl_effect *effect) {
  bool writes = effect->kind != PL_EFFECT_READ;
  bool reads = effect->kind != PL_EFFECT_WRITE;
  switch (effect->space) {
  case PL_SPACE_SHARED:
    if (effect->root.decl)
      touch(l, item, effect->root.decl, reads, writes);
    else
      fail(l, effect->node, "an access to shared memory cannot be followed");
    return;
  case PL_SPACE_GLOBAL:
    touch(l, item, NULL, reads, writes);
    return;
  case PL_SPACE_UNKNOWN:
    fail(l, effect->node, "an address cannot be followed");
    return;
  case PL_SPACE_LOCAL:
    if (effect->root.decl)
      PL_PUSH(l->arena, item->locals, item->nlocals, item->locals_cap,
              effect->root.decl);
    return;
  case PL_SPACE_CONSTANT:
    return;
  }
}

static void take_effect(pl_source_loop *l, pl_item *item, const pl_effect *effect) {
  switch (effect->kind) {
  case PL_EFFECT_READ:
  case PL_EFFECT_WRITE:
  case PL_EFFECT_ATOMIC:
    touch_memory(l, item, effect);
    return;
  case PL_EFFECT_BARRIER:
    item->has_barrier = !item->is_barrier;
    return;
  case PL_EFFECT_FENCE:
  case PL_EFFECT_VOLATILE:
  case PL_EFFECT_SIDE:
  case PL_EFFECT_WARP:
  case PL_EFFECT_WARP_BARRIER:
    touch(l, item, NULL, true, true);
    return;
  case PL_EFFECT_ESCAPE:
    if (effect->space != PL_SPACE_LOCAL)
      fail(l, effect->node, "an address is handed to where it is lost");
    return;
  case PL_EFFECT_SPECIAL_BARRIER:
    fail(l, effect->node, "a barrier is not one of the whole block");
    return;
  case PL_EFFECT_ASYNC:
    fail(l, effect->node, "the loop copies asynchronously");
    return;
  case PL_EFFECT_UNSEEN:
    fail(l, effect->node, "a body is not seen");
    return;
  case PL_EFFECT_ASM:
    fail(l, effect->node, "inline assembly may touch memory");
    return;
  }
}

/* ---- clocks ------------------------------------------------------------------ */

static bool is_within(const pl_decl *decl, const pl_node *node) {
  return decl->node && pl_node_within(decl->node, node);
}

static size_t var_for(pl_source_loop *l, const pl_decl *decl) {
  size_t i = pl_clocked_of(l, decl);
  if (i == l->nvars)
    PL_PUSH(l->arena, l->vars, l->nvars, l->vars_cap,
            (pl_clocked){.decl = decl});
  return i;
}

static const pl_decl *set_by(const pl_effect *effect) {
  bool sets = effect->kind == PL_EFFECT_WRITE || effect->kind == PL_EFFECT_ATOMIC;
  return sets && effect->space == PL_SPACE_LOCAL ? effect->root.decl : NULL;
}

static bool is_variable(const pl_decl *decl) {
  return decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM;
}

static void set_var(pl_source_loop *l, pl_item *item, const pl_effect *effect) {
  const pl_decl *decl = set_by(effect);
  if (!decl) {
    if (effect->kind == PL_EFFECT_WRITE && effect->space == PL_SPACE_LOCAL)
      fail(l, effect->node, "which variable is set is not known");
    return;
  }
  if (!is_variable(decl) || is_within(decl, item->node))
    return;
  size_t var = var_for(l, decl);
  for (size_t i = 0; i < item->nuses; i++)
    if (item->uses[i].var == var)
      return;
  PL_PUSH(l->arena, item->uses, item->nuses, item->uses_cap,
          ((pl_clock_use){var, l->vars[var].writers, true}));
  l->vars[var].writers++;
}

/* `int e = x;` in the body: it sets what it declares. */
static void declare(pl_source_loop *l, pl_item *item) {
  if (item->node->kind != PL_NODE_DECL_STMT)
    return;
  for (uint32_t i = 0; i < item->node->nkids; i++) {
    const pl_node *kid = item->node->kids[i];
    if (kid->kind != PL_NODE_VAR || !kid->decl || kid->decl->is_shared)
      continue;
    size_t var = var_for(l, kid->decl);
    l->vars[var].is_temporary = true;
    PL_PUSH(l->arena, item->uses, item->nuses, item->uses_cap,
            ((pl_clock_use){var, l->vars[var].writers, true}));
    l->vars[var].writers++;
  }
}

/* ---- items ------------------------------------------------------------------- */

static void add_item(pl_source_loop *l, pl_node *node) {
  pl_item made = {.node = node, .is_barrier = pl_is_barrier(node)};
  pl_effects effects = {0};
  if (!made.is_barrier) {
    pl_effects_of(l->effects, l->func, node, &effects);
    for (size_t i = 0; i < effects.n; i++) {
      take_effect(l, &made, &effects.items[i]);
      set_var(l, &made, &effects.items[i]);
    }
    declare(l, &made);
    if (pl_cfg_jump_out(node, PL_JUMP_ANY))
      fail(l, node, "a jump leads out of the body");
  }
  made.first = made.last = l->barriers;
  l->barriers += made.is_barrier || made.has_barrier;
  l->certain += made.is_barrier;
  made.last += made.has_barrier;
  PL_PUSH(l->arena, l->items, l->nitems, l->items_cap, made);
}

static bool holds_barrier(const pl_node *compound) {
  for (uint32_t i = 0; i < compound->nkids; i++)
    if (compound->kids[i] && pl_is_barrier(compound->kids[i]))
      return true;
  return false;
}

static void add_body(pl_source_loop *l, pl_node *node) {
  if (!node || node->kind == PL_NODE_EMPTY)
    return;
  bool opens = node->kind == PL_NODE_COMPOUND && !pl_is_barrier(node) &&
               (node == pl_node_loop_body(l->node) || holds_barrier(node));
  for (uint32_t i = 0; opens && i < node->nkids; i++)
    add_body(l, node->kids[i]);
  if (!opens)
    add_item(l, node);
}

/* `++t, p += 4` */
static void add_step(pl_source_loop *l, pl_node *node) {
  if (!node)
    return;
  if (node->kind == PL_NODE_BINARY && node->op == PL_OP_COMMA) {
    add_step(l, node->kids[0]);
    add_step(l, node->kids[1]);
  } else {
    add_item(l, node);
  }
}

/* ---- uses -------------------------------------------------------------------- */

typedef struct use_walk {
  pl_source_loop *loop;
  pl_item *item;
  size_t index;
} use_walk;

int pl_writers_before(const pl_source_loop *l, size_t var, size_t item) {
  int n = 0;
  for (size_t i = 0; i < item; i++)
    for (size_t k = 0; k < l->items[i].nuses; k++)
      n += l->items[i].uses[k].writes && l->items[i].uses[k].var == var;
  return n;
}

static bool add_use(pl_node *node, void *context) {
  use_walk *w = context;
  pl_source_loop *l = w->loop;
  if (node->kind != PL_NODE_REF || !node->decl)
    return true;
  size_t var = pl_clocked_of(l, node->decl);
  if (var == l->nvars)
    return true;
  for (size_t i = 0; i < w->item->nuses; i++)
    if (w->item->uses[i].var == var)
      return true;
  PL_PUSH(l->arena, w->item->uses, w->item->nuses, w->item->uses_cap,
          ((pl_clock_use){var, pl_writers_before(l, var, w->index), false}));
  return true;
}

/* A variable that is not named where it is used would not be compared. */
static void check_locals(pl_source_loop *l, const pl_item *item) {
  for (size_t i = 0; i < item->nlocals; i++)
    if (pl_clocked_of(l, item->locals[i]) < l->nvars &&
        !is_within(item->locals[i], item->node) &&
        !pl_mentions(item->node, item->locals[i]))
      fail(l, item->node, "a variable is reached by another name");
}

static void check_names(pl_source_loop *l) {
  for (size_t i = 0; i < l->nvars; i++)
    for (size_t k = 0; k < i; k++)
      if (pl_str_eq(l->vars[i].decl->name, l->vars[k].decl->name))
        fail(l, l->node, "two variables have one name");
  for (size_t i = 1; i < l->nobjects; i++)
    for (size_t k = 1; k < i; k++)
      if (pl_str_eq(l->objects[i].decl->name, l->objects[k].decl->name) ||
          pl_same_shared(l->objects[i].decl, l->objects[k].decl))
        fail(l, l->node, "two shared objects may be one");
}

/* ---- the header -------------------------------------------------------------- */

static pl_node *kid(const pl_node *node, uint32_t i) {
  return i < node->nkids ? node->kids[i] : NULL;
}

static void note_start(pl_source_loop *l) {
  pl_effects effects = {0};
  if (!l->init)
    return;
  pl_effects_of(l->effects, l->func, l->init, &effects);
  for (size_t i = 0; i < l->nvars; i++) {
    l->vars[i].is_set_by_header = is_within(l->vars[i].decl, l->init);
    for (size_t k = 0; k < effects.n; k++)
      l->vars[i].is_set_by_header |= set_by(&effects.items[k]) == l->vars[i].decl;
  }
}

/* The condition must do nothing but ask. */
static void check_condition(pl_source_loop *l) {
  pl_effects effects = {0};
  if (!l->condition) {
    fail(l, l->node, "the loop's header has no condition");
    return;
  }
  pl_effects_of(l->effects, l->func, l->condition, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *e = &effects.items[i];
    bool reads = e->kind == PL_EFFECT_READ && (e->space == PL_SPACE_LOCAL ||
                                               e->space == PL_SPACE_CONSTANT);
    if (!reads)
      fail(l, e->node, "the loop's condition does more than ask for numbers");
  }
}

void pl_read_source_loop(pl_source_loop *l, pl_node *node) {
  l->node = node;
  PL_PUSH(l->arena, l->objects, l->nobjects, l->objects_cap,
          ((pl_cell_object){.slots = 1}));
  bool is_for = node->kind == PL_NODE_FOR;
  l->is_do = node->kind == PL_NODE_DO;
  l->init = is_for ? kid(node, 0) : NULL;
  l->condition = is_for ? kid(node, 1) : kid(node, l->is_do ? 1 : 0);
  if (!pl_node_loop_body(node)) {
    fail(l, node, "it is no such loop");
    return;
  }
  add_body(l, pl_node_loop_body(node));
  if (is_for)
    add_step(l, kid(node, 2));
  for (size_t i = 0; i < l->nitems; i++) {
    use_walk walk = {l, &l->items[i], i};
    pl_node_walk(l->items[i].node, add_use, &walk);
    check_locals(l, &l->items[i]);
  }
  check_names(l);
  check_condition(l);
  note_start(l);
}
