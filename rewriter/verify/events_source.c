/* events_source.c - a tile loop as items, clocks and accesses.
 *
 * Needs: the loop's tree. Gives: each statement of its body with what it touches
 * that others see, how many barriers of an iteration stand ahead of it, and which
 * variables of the thread's own it uses and sets; or why that is not known. Raises:
 * nothing. */
#include "cfg.h"
#include "events.h"
#include "points_to.h"
#include "reaching_definitions.h"
#include "values.h"
#include "varies.h"

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
    touch(l, item, NULL, reads, writes);
    item->follows.reads |= reads;
    item->follows.writes |= writes;
    l->follows_memory = true;
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
  case PL_EFFECT_END:
    touch(l, item, NULL, true, false);
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

/* What an address that memory holds leads to may be any object whose address is stored. */
static void touch_followed(pl_source_loop *l) {
  for (size_t object = 1; l->follows_memory && object < l->nobjects; object++) {
    const pl_decl *decl = l->objects[object].decl;
    if (!pl_address_is_stored(l->effects, l->func, decl))
      continue;
    for (size_t i = 0; i < l->nitems; i++)
      if (l->items[i].follows.reads || l->items[i].follows.writes)
        touch(l, &l->items[i], decl, l->items[i].follows.reads,
              l->items[i].follows.writes);
  }
}

/* ---- clocks ------------------------------------------------------------------ */

bool pl_is_callees_own(const pl_func *func, const pl_decl *decl,
                       const pl_node *node) {
  if (decl->kind == PL_DECL_PARAM) {
    for (uint32_t i = 0; i < func->nparams; i++)
      if (func->params[i] == decl)
        return false;
    return !pl_is_declared_in(decl, node);
  }
  const pl_node *up = decl->node;
  while (up && up->kind != PL_NODE_LAMBDA)
    up = up->parent;
  return up && !decl->is_static && !pl_node_within(node, up) && !pl_node_within(up, node);
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
  if (!is_variable(decl) || pl_is_declared_in(decl, item->node) ||
      pl_is_callees_own(l->func, decl, item->node))
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

/* `int i = 0, end = n / 4`: what the body does not set has no writers. */
static void add_header(pl_source_loop *l) {
  for (uint32_t i = 0; l->init && i < l->init->nkids; i++)
    if (l->init->kind == PL_NODE_DECL_STMT && l->init->kids[i] &&
        l->init->kids[i]->kind == PL_NODE_VAR)
      var_for(l, l->init->kids[i]->decl);
}

/* Whether a statement declares names alone, or shared objects, which are none of an
 * iteration's. */
static bool is_no_item(const pl_node *node) {
  if (node->kind == PL_NODE_OTHER_DECL)
    return true;
  for (uint32_t i = 0; node->kind == PL_NODE_DECL_STMT && i < node->nkids; i++) {
    const pl_node *kid = node->kids[i];
    bool shared = kid && kid->kind == PL_NODE_VAR && kid->decl && kid->decl->is_shared;
    if (kid && !shared && kid->kind != PL_NODE_OTHER_DECL)
      return false;
  }
  return node->kind == PL_NODE_DECL_STMT;
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
  made.plain = l->certain;
  made.first = made.last = l->barriers;
  l->barriers += made.is_barrier || made.has_barrier;
  l->certain += made.is_barrier;
  made.last += made.has_barrier;
  PL_PUSH(l->arena, l->items, l->nitems, l->items_cap, made);
}

static bool is_plain_barrier(pl_node *node, const void *unused) {
  (void)unused;
  return node->kind != PL_NODE_COMPOUND && pl_is_barrier(node);
}

bool pl_has_plain_barrier(const pl_node *node) {
  return pl_node_find(node, is_plain_barrier, NULL);
}

bool pl_is_plain_break(const pl_node *node) {
  const pl_node *arm = node->kind == PL_NODE_IF ? node->kids[1] : NULL;
  while (arm && arm->kind == PL_NODE_COMPOUND && arm->nkids == 1)
    arm = arm->kids[0];
  return arm && arm->kind == PL_NODE_BREAK && !node->kids[2];
}

/* The condition as an item. It may set variables of the thread's own, and no more. */
static void add_test(pl_source_loop *l, pl_node *node, bool late, bool negated) {
  if (l->has_test || l->condition || l->nbreaks) {
    fail(l, node, "the loop ends in several ways");
    return;
  }
  l->has_test = true;
  l->test = l->nitems;
  l->is_late = late;
  l->is_negated = negated;
  add_item(l, node);
  pl_item *made = &l->items[l->test];
  made->is_test = true;
  for (size_t i = 0; i < made->ntouches; i++)
    if (made->touches[i].object || made->touches[i].writes)
      fail(l, node, "the loop's condition does more than ask for numbers");
  made->ntouches = 0;
}

/* ---- searches ------------------------------------------------------------------ */

/* `if (c) continue;`, `if (c) { ++t; continue; }` */
static bool is_skip(const pl_node *node) {
  const pl_node *arm = node->kind == PL_NODE_IF && !node->kids[2] ? node->kids[1] : NULL;
  if (!arm || arm->kind != PL_NODE_COMPOUND)
    return arm && arm->kind == PL_NODE_CONTINUE;
  for (uint32_t i = 0; i < arm->nkids; i++) {
    const pl_node *kid = arm->kids[i];
    bool last = i + 1 == arm->nkids;
    if (!kid || (last ? kid->kind != PL_NODE_CONTINUE
                      : kid->kind != PL_NODE_ASSIGN && !pl_node_is_step(kid)))
      return false;
  }
  return arm->nkids > 0;
}

bool pl_read_search(pl_node *loop, pl_search *made) {
  bool is_for = loop->kind == PL_NODE_FOR;
  *made = (pl_search){.body = pl_node_loop_body(loop)};
  if ((!is_for && loop->kind != PL_NODE_WHILE) || !made->body ||
      made->body->kind != PL_NODE_COMPOUND)
    return false;
  made->condition = loop->kids[is_for ? 1 : 0];
  made->step = is_for ? loop->kids[2] : NULL;
  for (uint32_t i = 0; i < made->body->nkids && made->body->kids[i]; i++) {
    pl_node *kid = made->body->kids[i];
    if (is_skip(kid))
      made->nhead = i + 1;
    else if (kid->kind != PL_NODE_DECL_STMT && !pl_is_plain_break(kid))
      break;
  }
  return made->nhead && made->condition;
}

/* What it is asked by, as one item. */
static pl_node *search_node(pl_source_loop *l) {
  const pl_search *s = &l->search;
  pl_node *made = PL_NEW(l->arena, pl_node);
  made->kind = PL_NODE_COMPOUND;
  made->kids = PL_NEW_ARRAY(l->arena, pl_node *, s->nhead + 2);
  made->kids[made->nkids++] = s->condition;
  for (size_t i = 0; i < s->nhead; i++)
    made->kids[made->nkids++] = s->body->kids[i];
  if (s->step)
    made->kids[made->nkids++] = s->step;
  return made;
}

/* It sets what it moves on, once, and its own variables are read nowhere else. */
static void add_search(pl_source_loop *l) {
  pl_item made = {.node = search_node(l), .is_test = true};
  pl_effects effects = {0};
  pl_effects_of(l->effects, l->func, made.node, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    take_effect(l, &made, &effects.items[i]);
    set_var(l, &made, &effects.items[i]);
  }
  l->has_test = true;
  PL_PUSH(l->arena, l->items, l->nitems, l->items_cap, made);
  for (uint32_t i = 0; i < l->search.nhead; i++) {
    const pl_node *kid = l->search.body->kids[i];
    for (uint32_t k = 0; kid->kind == PL_NODE_DECL_STMT && k < kid->nkids; k++)
      for (uint32_t j = (uint32_t)l->search.nhead; j < l->search.body->nkids; j++)
        if (kid->kids[k]->decl && pl_mentions(l->search.body->kids[j], kid->kids[k]->decl))
          fail(l, kid, "what the loop asks for is used behind that");
  }
}

/* `if (c) break;` ahead of all items: the loop goes on while its condition holds and
 * none of these. Behind some, it is an item itself. */
static bool take_break(pl_source_loop *l, const pl_node *node) {
  if (!pl_is_plain_break(node))
    return false;
  if (l->nitems)
    add_test(l, node->kids[0], true, true);
  else
    PL_PUSH(l->arena, l->breaks, l->nbreaks, l->breaks_cap, node->kids[0]);
  return true;
}

/* `{ p += 256; s[t] = *p; }`: of its own it has no name. */
static bool declares_nothing(const pl_node *compound) {
  for (uint32_t i = 0; i < compound->nkids; i++)
    if (compound->kids[i] && (compound->kids[i]->kind == PL_NODE_DECL_STMT ||
                              compound->kids[i]->kind == PL_NODE_OTHER_DECL))
      return false;
  return true;
}

static void add_body(pl_source_loop *l, pl_node *node) {
  if (!node || node->kind == PL_NODE_EMPTY || is_no_item(node) ||
      take_break(l, node))
    return;
  bool opens = node->kind == PL_NODE_COMPOUND && !pl_is_barrier(node) &&
               (node == pl_node_loop_body(l->node) || pl_holds_barrier(node) ||
                declares_nothing(node));
  uint32_t first = l->has_search && node == l->search.body ? (uint32_t)l->search.nhead : 0;
  for (uint32_t i = first; opens && i < node->nkids; i++)
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

static int writers_before(const pl_source_loop *l, size_t var, size_t item) {
  int n = 0;
  for (size_t i = 0; i < item; i++)
    for (size_t k = 0; k < l->items[i].nuses; k++)
      n += l->items[i].uses[k].writes && l->items[i].uses[k].var == var;
  return n;
}

static void add_use(use_walk *w, const pl_decl *decl) {
  pl_source_loop *l = w->loop;
  size_t var = pl_clocked_of(l, decl);
  if (var == l->nvars)
    return;
  for (size_t i = 0; i < w->item->nuses; i++)
    if (w->item->uses[i].var == var)
      return;
  PL_PUSH(l->arena, w->item->uses, w->item->nuses, w->item->uses_cap,
          ((pl_clock_use){var, writers_before(l, var, w->index), false}));
}

/* What an object holds for good is of no tile. */
static bool add_named(pl_node *node, void *context) {
  const use_walk *w = context;
  const pl_source_loop *l = w->loop;
  if (node->kind == PL_NODE_REF && node->decl && pl_clocked_of(l, node->decl) < l->nvars &&
      !pl_reads_kept_fields_in(l->arena, l->unit, l->func, node))
    add_use(context, node->decl);
  return true;
}

/* What a lambda or a pointer leads to. */
static void add_hidden(use_walk *w) {
  pl_item *item = w->item;
  for (size_t i = 0; i < item->nlocals; i++) {
    add_use(w, item->locals[i]);
    item->has_hidden |= pl_clocked_of(w->loop, item->locals[i]) < w->loop->nvars &&
                        !pl_is_declared_in(item->locals[i], item->node) &&
                        !pl_mentions(item->node, item->locals[i]);
  }
}

static void add_uses(pl_source_loop *l) {
  for (size_t i = 0; i < l->nitems; i++) {
    use_walk walk = {l, &l->items[i], i};
    pl_node_walk(l->items[i].node, add_named, &walk);
    add_hidden(&walk);
  }
}

/* Whether some condition of the loop names a variable. */
static bool asks_for(const pl_source_loop *l, const pl_decl *decl) {
  bool found = l->condition && pl_mentions(l->condition, decl);
  if (l->has_test)
    found |= pl_mentions(l->items[l->test].node, decl);
  for (size_t i = 0; i < l->nbreaks; i++)
    found |= pl_mentions(l->breaks[i], decl);
  return found;
}

/* A variable that each item which names it gives a value first carries nothing from
 * one to the next. */
static bool is_scratch(const pl_source_loop *l, size_t var) {
  const pl_decl *decl = l->vars[var].decl;
  if (l->vars[var].is_temporary || asks_for(l, decl) ||
      pl_is_live_behind(decl, l->node) != PL_NO)
    return false;
  for (size_t i = 0; i < l->nitems; i++)
    if (pl_mentions(l->items[i].node, decl) &&
        pl_first_use_in(l->items[i].node, decl) == PL_READS)
      return false;
  return true;
}

/* A variable from outside that each iteration gives a value before it reads it. */
static void find_refreshed(pl_source_loop *l) {
  for (size_t i = 0; i < l->nvars; i++) {
    pl_clocked *v = &l->vars[i];
    v->is_refreshed = !v->is_temporary && !v->is_scratch && !v->is_set_by_header &&
                      v->writers > 0 && !asks_for(l, v->decl) &&
                      pl_is_live_behind(v->decl, l->node) == PL_NO &&
                      pl_is_live_around(v->decl, l->node) == PL_NO;
    v->is_temporary |= v->is_refreshed;
  }
}

static void drop_uses(pl_item *item, size_t var) {
  size_t kept = 0;
  for (size_t i = 0; i < item->nuses; i++)
    if (item->uses[i].var != var)
      item->uses[kept++] = item->uses[i];
  item->nuses = kept;
}

static void find_scratch(pl_source_loop *l) {
  for (size_t i = 0; i < l->nvars; i++) {
    l->vars[i].is_scratch = is_scratch(l, i);
    for (size_t k = 0; l->vars[i].is_scratch && k < l->nitems; k++)
      drop_uses(&l->items[k], i);
  }
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
    l->vars[i].is_set_by_header = pl_is_declared_in(l->vars[i].decl, l->init);
    for (size_t k = 0; k < effects.n; k++)
      l->vars[i].is_set_by_header |= set_by(&effects.items[k]) == l->vars[i].decl;
  }
}

/* Whether some item writes an object, or may. */
static bool is_written(const pl_source_loop *l, const pl_decl *decl) {
  for (size_t i = 0; i < l->nitems; i++)
    for (size_t k = 0; k < l->items[i].ntouches; k++) {
      const pl_touch *t = &l->items[i].touches[k];
      const pl_decl *other = l->objects[t->object].decl;
      if (t->writes && other && (!decl || pl_same_shared(decl, other)))
        return true;
    }
  return false;
}

/* A condition must do nothing but ask, and of shared memory what the loop leaves as it
 * is. */
static void check_condition(pl_source_loop *l, pl_node *condition) {
  pl_effects effects = {0};
  pl_effects_of(l->effects, l->func, condition, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *e = &effects.items[i];
    bool reads = e->kind == PL_EFFECT_READ;
    if (e->space == PL_SPACE_SHARED)
      reads &= !is_written(l, e->root.decl);
    l->follows_memory |= e->space == PL_SPACE_UNKNOWN;
    if (!reads)
      fail(l, e->node, "the loop's condition does more than ask for numbers");
  }
}

/* Of a search, too. */
static void check_search(pl_source_loop *l) {
  pl_item *asked = &l->items[l->test];
  for (size_t i = 0; i < asked->ntouches; i++) {
    const pl_decl *decl = l->objects[asked->touches[i].object].decl;
    bool writes = asked->touches[i].writes;
    asked->touches[i].writes = false;
    if (writes || (decl && is_written(l, decl)))
      fail(l, l->node, "the loop's condition does more than ask for numbers");
  }
  asked->ntouches = 0;
}

static void check_conditions(pl_source_loop *l) {
  if (l->has_search)
    check_search(l);
  l->has_first = l->is_late || (!l->has_test && !l->nbreaks && !l->has_search &&
                                pl_has_first_round(l->unit, l->func, l->init, l->condition));
  if (!l->condition && !l->nbreaks && !l->has_test)
    fail(l, l->node, "the loop has no condition");
  if (l->condition)
    check_condition(l, l->condition);
  for (size_t i = 0; i < l->nbreaks; i++)
    check_condition(l, l->breaks[i]);
}

int pl_runs_beyond(const pl_source_loop *l, size_t item) {
  if (!l->has_test)
    return 0;
  return l->is_late ? -(item > l->test) : item == l->test;
}

/* The header's condition: NULL where it is always true; an item where it sets
 * variables. */
static void take_condition(pl_source_loop *l, pl_node *condition) {
  const pl_node *bare = condition ? pl_node_bare(condition) : NULL;
  if (!bare || (bare->has_ival && bare->ival))
    return;
  if (pl_node_changes(condition))
    add_test(l, condition, false, false);
  else
    l->condition = condition;
}

void pl_read_source_loop(pl_source_loop *l, pl_node *node) {
  l->node = node;
  PL_PUSH(l->arena, l->objects, l->nobjects, l->objects_cap,
          ((pl_cell_object){.slots = 1}));
  bool is_for = node->kind == PL_NODE_FOR;
  bool is_do = node->kind == PL_NODE_DO;
  l->init = is_for ? kid(node, 0) : NULL;
  if (!pl_node_loop_body(node)) {
    fail(l, node, "it is no such loop");
    return;
  }
  l->has_search = pl_read_search(node, &l->search);
  if (l->has_search)
    add_search(l);
  else if (!is_do)
    take_condition(l, kid(node, is_for ? 1 : 0));
  add_body(l, pl_node_loop_body(node));
  if (is_do)
    add_test(l, kid(node, 1), true, false);
  if (is_for)
    add_step(l, kid(node, 2));
  touch_followed(l);
  add_header(l);
  add_uses(l);
  find_scratch(l);
  check_names(l);
  check_conditions(l);
  note_start(l);
  find_refreshed(l);
}
