/* events_source.c - a tile loop as items, clocks and accesses.
 *
 * Needs: the loop's tree. Gives: each statement of its body with what it touches
 * that others see, how many barriers of an iteration stand ahead of it, and which
 * variables of the thread's own it uses and sets; or why that is not known. Raises:
 * nothing. */
#include "call_summary.h"
#include "cfg.h"
#include "events.h"
#include "handed_tiles.h"
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

bool pl_may_be_one(const pl_source_loop *l, size_t a, size_t b) {
  const pl_cell_object *one = &l->objects[a], *other = &l->objects[b];
  return a == b || (a && b && (pl_same_shared(one->decl, other->decl) ||
                               (one->after && pl_same_shared(one->after, other->after))));
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
    if (item->is_vote && pl_calls_builtin(effect->node, "__syncthreads_*"))
      return;
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

static bool is_vote(pl_node *node, const void *unused) {
  (void)unused;
  return pl_calls_builtin(node, "__syncthreads_*");
}

bool pl_has_vote(const pl_node *node) { return pl_node_find(node, is_vote, NULL); }

/* The one vote of an expression or a declaration, which is asked in any case. */
static bool votes_once(const pl_node *top) {
  const pl_node *vote = pl_node_find(top, is_vote, NULL);
  for (const pl_node *at = vote; at && at != top; at = at->parent) {
    const pl_node *up = at->parent;
    for (uint32_t i = 0; i < up->nkids; i++)
      if (up->kids[i] && up->kids[i] != at && pl_has_vote(up->kids[i]))
        return false;
    bool whether = up->kind == PL_NODE_COND || (up->kind == PL_NODE_BINARY &&
                   (up->op == PL_OP_LAND || up->op == PL_OP_LOR));
    if ((whether && up->kids[0] != at) || up->kind == PL_NODE_LAMBDA ||
        (pl_node_is_statement(up) && up->kind != PL_NODE_DECL_STMT))
      return false;
  }
  return vote != NULL;
}

static void add_item(pl_source_loop *l, pl_node *node) {
  pl_item made = {.node = node, .is_barrier = pl_is_barrier(node)};
  made.is_vote = (node->kind == PL_NODE_DECL_STMT || !pl_node_is_statement(node)) &&
                 votes_once(node);
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
  l->barriers += made.is_barrier || made.is_vote || made.has_barrier;
  l->certain += made.is_barrier || made.is_vote;
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

/* A vote at the head, behind what it asks and nothing else, ends the loop as its condition
 * does. */
static bool add_vote(pl_source_loop *l, pl_node *node) {
  bool votes = pl_has_vote(node), first = !l->has_test && !l->has_vote && l->condition;
  for (size_t i = 0; i < l->nitems; i++) {
    first &= (l->items[i].is_barrier || l->items[i].is_vote) && i != l->asks;
    votes |= l->items[i].is_vote;
  }
  if (!votes || !first)
    return false;
  l->has_vote = true;
  l->vote = l->nitems;
  add_item(l, node);
  l->items[l->vote].is_test = true;
  l->asked_behind = l->barriers;
  return true;
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
  l->items[l->test].is_test = true;
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

static bool is_step(const pl_node *node) {
  return node && (node->kind == PL_NODE_ASSIGN || pl_node_is_step(node));
}

/* `if (c) { ... }`, with nothing but steps behind it. */
static bool is_stay(const pl_node *body, uint32_t at) {
  const pl_node *kid = body->kids[at];
  if (kid->kind != PL_NODE_IF || kid->kids[2] || kid->kids[1]->kind != PL_NODE_COMPOUND)
    return false;
  for (uint32_t i = at + 1; i < body->nkids; i++)
    if (!is_step(body->kids[i]))
      return false;
  return true;
}

bool pl_read_search(pl_node *loop, pl_search *made) {
  bool is_for = loop->kind == PL_NODE_FOR, ends = false;
  *made = (pl_search){.body = pl_node_loop_body(loop)};
  if ((!is_for && loop->kind != PL_NODE_WHILE) || !made->body ||
      made->body->kind != PL_NODE_COMPOUND)
    return false;
  made->condition = loop->kids[is_for ? 1 : 0];
  made->step = is_for ? loop->kids[2] : NULL;
  for (uint32_t i = 0; i < made->body->nkids && made->body->kids[i]; i++) {
    pl_node *kid = made->body->kids[i];
    bool is_break = pl_is_plain_break(kid);
    ends |= is_break;
    if (is_skip(kid) || (is_break && made->nhead))
      made->nhead = i + 1;
    else if (!made->nhead && !is_break && is_stay(made->body, i)) {
      made->nhead = i;
      made->stays = kid;
      break;
    } else if (i == 0 && pl_is_barrier(kid))
      made->meets = true;
    else if (kid->kind != PL_NODE_DECL_STMT && !is_break)
      break;
  }
  return (made->nhead || made->stays) && (made->condition || ends);
}

pl_node *pl_search_found(const pl_search *s) {
  const pl_node *in = s->stays ? s->stays->kids[1] : s->body;
  size_t at = s->stays ? 0 : s->nhead;
  bool is = in->nkids == at + 2 && in->kids[at]->kind == PL_NODE_ASSIGN &&
            in->kids[at + 1]->kind == PL_NODE_BREAK;
  return is ? in->kids[at] : NULL;
}

bool pl_search_needs(const pl_search *s, size_t i) {
  const pl_node *node = s->body->kids[i];
  if (node->kind != PL_NODE_DECL_STMT)
    return true;
  for (uint32_t k = 0; k < node->nkids; k++) {
    const pl_decl *decl = node->kids[k]->decl;
    if (!decl || (s->stays && pl_mentions(s->stays->kids[0], decl)))
      return true;
    for (size_t j = i + 1; j < s->nhead; j++)
      if (pl_mentions(s->body->kids[j], decl) && pl_search_needs(s, j))
        return true;
  }
  return false;
}

/* What it is asked by, as one item. */
static pl_node *search_node(pl_source_loop *l) {
  const pl_search *s = &l->search;
  pl_node *made = PL_NEW(l->arena, pl_node);
  made->kind = PL_NODE_COMPOUND;
  made->kids = PL_NEW_ARRAY(l->arena, pl_node *, s->body->nkids + 3);
  if (s->condition)
    made->kids[made->nkids++] = s->condition;
  for (size_t i = s->meets; i < s->nhead; i++)
    made->kids[made->nkids++] = s->body->kids[i];
  if (s->stays)
    made->kids[made->nkids++] = s->stays->kids[0];
  for (size_t i = s->nhead + 1; s->stays && i < s->body->nkids; i++)
    made->kids[made->nkids++] = s->body->kids[i];
  if (s->step)
    made->kids[made->nkids++] = s->step;
  return made;
}

static bool is_of_head(const pl_search *s, const pl_decl *decl) {
  for (size_t i = 0; decl && i < s->nhead; i++)
    if (pl_is_declared_in(decl, s->body->kids[i]))
      return true;
  return false;
}

/* It sets what it moves on, once. What its head declares is declared anew in the iteration
 * that it has found. */
static void add_search(pl_source_loop *l) {
  const pl_search *s = &l->search;
  if (s->meets)
    add_item(l, s->body->kids[0]);
  pl_item made = {.node = search_node(l), .is_test = true, .plain = l->certain,
                  .first = l->barriers, .last = l->barriers};
  pl_effects effects = {0};
  pl_effects_of(l->effects, l->func, made.node, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    take_effect(l, &made, &effects.items[i]);
    if (!is_of_head(s, set_by(&effects.items[i])))
      set_var(l, &made, &effects.items[i]);
  }
  l->has_test = true;
  l->asked_behind = l->barriers;
  l->test = l->nitems;
  PL_PUSH(l->arena, l->items, l->nitems, l->items_cap, made);
  for (size_t i = 0; i < s->nhead; i++)
    if (s->body->kids[i]->kind == PL_NODE_DECL_STMT)
      add_item(l, s->body->kids[i]);
}

/* Behind nothing but barriers a break asks what it would ask ahead of them; of shared objects
 * it asks behind them all the same. */
static bool has_barriers_alone(const pl_source_loop *l) {
  for (size_t i = 0; i < l->nitems; i++)
    if (!l->items[i].is_barrier && i != l->asks)
      return false;
  return !l->has_vote;
}

static void add_asking(pl_source_loop *l, pl_node *condition) {
  pl_effects effects = {0};
  if (l->asks == PL_NO_ITEM) {
    pl_item made = {.node = condition, .is_test = true, .plain = l->certain,
                    .first = l->barriers, .last = l->barriers};
    l->asks = l->nitems;
    PL_PUSH(l->arena, l->items, l->nitems, l->items_cap, made);
  }
  pl_effects_of(l->effects, l->func, condition, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].space == PL_SPACE_SHARED)
      take_effect(l, &l->items[l->asks], &effects.items[i]);
}

/* `if (c) break;` ahead of all items: the loop goes on while its condition holds and
 * none of these. Behind some, it is an item itself. */
static bool take_break(pl_source_loop *l, const pl_node *node) {
  if (!pl_is_plain_break(node))
    return false;
  if (add_vote(l, node->kids[0]))
    return true;
  if (!has_barriers_alone(l)) {
    add_test(l, node->kids[0], true, true);
    return true;
  }
  PL_PUSH(l->arena, l->breaks, l->nbreaks, l->breaks_cap, node->kids[0]);
  l->asked_behind = l->barriers;
  if (l->nitems)
    add_asking(l, node->kids[0]);
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
  bool searches = l->has_search && node == l->search.body;
  for (uint32_t i = searches ? (uint32_t)l->search.nhead : 0; opens && i < node->nkids; i++)
    add_body(l, searches && node->kids[i] == l->search.stays ? node->kids[i]->kids[1]
                                                             : node->kids[i]);
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
  if (l->has_vote)
    found |= pl_mentions(l->items[l->vote].node, decl);
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
      if (pl_str_eq(l->objects[i].decl->name, l->objects[k].decl->name))
        fail(l, l->node, "two shared objects have one name");
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

/* Of one that is an item, too: what it reads there of shared objects is an access. */
static void check_test(pl_source_loop *l, pl_item *asked) {
  size_t kept = 0;
  for (size_t i = 0; i < asked->ntouches; i++) {
    const pl_decl *decl = l->objects[asked->touches[i].object].decl;
    if (asked->touches[i].writes || (decl && is_written(l, decl)))
      fail(l, asked->node->range.end ? asked->node : l->node,
           "the loop's condition does more than ask for numbers");
    if (decl)
      asked->touches[kept++] = asked->touches[i];
  }
  asked->ntouches = kept;
}

/* A vote asks no more than the thread's own numbers. */
static void check_vote(pl_source_loop *l, const pl_item *asked) {
  bool asks = asked->ntouches == 0;
  for (size_t i = 0; i < asked->nuses; i++)
    asks &= !asked->uses[i].writes || pl_is_declared_in(l->vars[asked->uses[i].var].decl,
                                                        asked->node);
  if (!asks || !l->has_vote || asked > &l->items[l->vote])
    fail(l, asked->node, "the loop's condition does more than ask for numbers");
}

static void check_conditions(pl_source_loop *l) {
  if (l->has_test)
    check_test(l, &l->items[l->test]);
  for (size_t i = 0; i < l->nitems; i++)
    if (l->items[i].is_vote)
      check_vote(l, &l->items[i]);
  l->has_first = l->is_late || (!l->has_test && !l->has_vote && !l->nbreaks && !l->has_search &&
                                pl_has_first_round(l->unit, l->func, l->init, l->condition));
  if (!l->condition && !l->nbreaks && !l->has_test)
    fail(l, l->node, "the loop has no condition");
  if (l->condition)
    check_condition(l, l->condition);
  for (size_t i = 0; i < l->nbreaks; i++)
    check_condition(l, l->breaks[i]);
}

const char *pl_asked_bound(const pl_source_loop *l) { return l->has_vote ? "N" : "T"; }

bool pl_may_pass_vote(const pl_source_loop *l, size_t item) {
  const pl_item *it = &l->items[item];
  bool may = !it->is_vote && !it->has_barrier;
  for (size_t i = 0; i < it->ntouches; i++)
    may &= it->touches[i].object ? !it->touches[i].reads : !it->touches[i].writes;
  return may;
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
  pl_adopt_tiles(&(pl_callee){(pl_unit *)l->unit, (pl_func *)l->func, l->effects});
  PL_PUSH(l->arena, l->objects, l->nobjects, l->objects_cap,
          ((pl_cell_object){.slots = 1}));
  bool is_for = node->kind == PL_NODE_FOR;
  bool is_do = node->kind == PL_NODE_DO;
  l->init = is_for ? kid(node, 0) : NULL;
  if (!pl_node_loop_body(node)) {
    fail(l, node, "it is no such loop");
    return;
  }
  l->asks = PL_NO_ITEM;
  l->has_search = pl_read_search(node, &l->search) &&
                  (!l->search.stays || pl_has_plain_barrier(l->search.stays));
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
