/* certificate_text.c - is the text around the loop the source's?
 *
 * Needs: the trees of both functions, and where the loop is. Gives: whether all
 * statements around it stand in both, word for word, but for declarations of shared
 * objects and of new constants, and statements that name a stage of one; and whether all
 * other functions of the device do that have no pipelined loop. Raises: nothing. */
#include "events.h"

typedef struct sides {
  pl_emitted *out;
  const pl_node *loop, *region; /* the loop, and the first node that it has become */
} sides;

static bool same_name(const pl_node *was, const pl_node *is, void *context) {
  (void)context;
  return is->kind == was->kind && pl_str_eq(was->decl->name, is->decl->name);
}

/* A macro may have its line in it. */
static bool same_macro(const pl_node *was, const pl_node *is, void *context) {
  const sides *s = context;
  return was->from_macro && is->from_macro &&
         pl_same_words(s->out->source->unit, was, s->out->unit, is);
}

static bool same(const sides *s, const pl_node *was, const pl_node *is) {
  const pl_node *alone = pl_of_first_layer(s->out, is);
  is = alone ? alone : is;
  const pl_unit *before = s->out->source->unit, *after = s->out->unit;
  return pl_alike_tree(before, was, after, is, same_name, same_macro, (void *)s);
}

/* Another tile loop, that may have been pipelined too: it is shown by itself. */
static bool is_another_loop(const pl_node *was, const pl_node *is) {
  return pl_node_is_loop(was) && is->kind == PL_NODE_COMPOUND &&
         pl_has_plain_barrier(was) && pl_has_plain_barrier(is);
}

/* Shared objects, and names. */
static bool declares_shared(const pl_node *node) {
  bool names = node->kind == PL_NODE_DECL_STMT;
  for (uint32_t i = 0; node->kind == PL_NODE_DECL_STMT && i < node->nkids; i++) {
    const pl_node *kid = node->kids[i];
    if (kid && kid->decl && kid->decl->is_shared)
      return true;
    names &= !kid || kid->kind == PL_NODE_OTHER_DECL;
  }
  return names;
}

/* `auto fill_async = [&](...) { ... };`: it does nothing where it stands. */
static bool makes_lambda(const pl_node *node) {
  const pl_node *var = node->kind == PL_NODE_DECL_STMT && node->nkids == 1
                           ? node->kids[0] : NULL;
  return var && var->kind == PL_NODE_VAR && var->nkids && var->kids[0] &&
         pl_node_bare(var->kids[0])->kind == PL_NODE_LAMBDA;
}

/* `float *as = tile;`, which the text may make anew in the loop: it does nothing but to
 * make a value of the thread's own variables and of addresses. */
static bool makes_value(const sides *s, pl_node *node) {
  pl_effects effects = {0};
  if (node->kind != PL_NODE_DECL_STMT)
    return false;
  pl_effects_of(s->out->source->effects, s->out->source->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *e = &effects.items[i];
    bool made = e->kind == PL_EFFECT_READ || (e->kind == PL_EFFECT_WRITE && e->root.decl &&
                                              pl_is_declared_in(e->root.decl, node));
    for (uint32_t k = 0; k < node->nkids && !made; k++)
      made = node->kids[k]->decl && pl_is_of_making(node->kids[k]->decl, e);
    if (!made)
      return false;
  }
  return true;
}

/* What need not be there, or may stand in the text alone: names, and the variable that
 * keeps the stage for what is behind the loop. */
static bool is_passed(const pl_node *node) {
  return !node || node->kind == PL_NODE_EMPTY || node->kind == PL_NODE_OTHER_DECL ||
         declares_shared(node);
}

/* The one variable that is declared, of a name that the source's function does not have:
 * it changes what no other text means. NULL: it is something else. */
static const pl_node *new_variable(const sides *s, const pl_node *node) {
  const pl_node *var = node->kind == PL_NODE_DECL_STMT && node->nkids == 1
                           ? node->kids[0] : NULL;
  bool is = var && var->kind == PL_NODE_VAR && var->decl &&
            !pl_count_words(s->out->source->unit, s->out->source->func->range,
                            var->decl->name);
  return is ? var : NULL;
}

/* `constexpr int stages = 3;` */
static bool is_new_constant(const sides *s, const pl_node *node) {
  const pl_node *var = new_variable(s, node);
  return var && var->decl->is_constexpr && var->decl->has_value;
}

static bool is_in_region(const sides *s, const pl_node *node) {
  return node->range.end && pl_range_inside(node->range, s->out->region);
}

static bool names_stage(const sides *s, const pl_node *node) {
  const pl_source_loop *l = s->out->source;
  for (size_t i = 1; i < l->nobjects; i++)
    if (l->objects[i].slots > 1 && l->objects[i].after &&
        (pl_mentions(node, l->objects[i].after) ||
         pl_mentions(node, l->objects[i].stages)))
      return true;
  return false;
}

static const pl_node *kid_towards(const pl_node *from, const pl_node *to) {
  while (to && to->parent != from)
    to = to->parent;
  return to;
}

static uint32_t next_of(const pl_node *node, uint32_t i) {
  while (i < node->nkids && is_passed(node->kids[i]))
    i++;
  return i;
}

/* `int stage = 0;` of such a name, which events_walk.c has looked at. */
static bool keeps_stage(const sides *s, const pl_node *node) {
  const pl_node *var = new_variable(s, node);
  return var && var->decl->init && var->decl->init->has_ival;
}

/* The statements of two blocks, one of which holds the loop. */
static const pl_node *other_in_block(const sides *s, const pl_node *was,
                                     const pl_node *is, const pl_node *loop) {
  uint32_t i = next_of(was, 0), k = next_of(is, 0);
  const pl_node *region = kid_towards(is, s->region);
  while (i < was->nkids && k < is->nkids) {
    const pl_node *a = was->kids[i], *b = is->kids[k];
    bool here = a == loop;
    if (b != region &&
        ((makes_lambda(b) && (here || !same(s, a, b))) || is_new_constant(s, b))) {
      k = next_of(is, k + 1);
      continue;
    }
    if (b != region && (here || !same(s, a, b)) && pl_declares_stages(s->out, b)) {
      k = next_of(is, k + 1);
      continue;
    }
    if (here && b != region && keeps_stage(s, b)) {
      k = next_of(is, k + 1);
      continue;
    }
    if (!here && (b == region || (!names_stage(s, b) && !same(s, a, b))) && makes_value(s, was->kids[i])) {
      i = next_of(was, i + 1);
      continue;
    }
    if (here != (b == region) || (!here && !names_stage(s, b) &&
                                  !is_another_loop(a, b) && !same(s, a, b)))
      return b;
    k++;
    while (here && k < is->nkids && is->kids[k] && is_in_region(s, is->kids[k]))
      k++;
    i = next_of(was, i + 1);
    k = next_of(is, k);
  }
  return i < was->nkids || k < is->nkids ? is : NULL;
}

static const pl_node *other_in_parts(const sides *s, const pl_node *was,
                                     const pl_node *is, const pl_node *loop) {
  if (was->kind != is->kind || was->nkids != is->nkids)
    return is;
  for (uint32_t i = 0; i < was->nkids; i++)
    if (was->kids[i] == loop ? is->kids[i] != kid_towards(is, s->region)
        : !was->kids[i] || !is->kids[i]
            ? was->kids[i] != is->kids[i]
            : !same(s, was->kids[i], is->kids[i]))
      return is;
  return NULL;
}

/* From the body down to the loop. */
static const pl_node *other_around(const sides *s) {
  const pl_node *was = s->out->source->func->body, *is = s->out->func->body;
  const pl_node *other = NULL;
  while (!other && was && is && was != s->loop) {
    const pl_node *loop = kid_towards(was, s->loop);
    bool block = was->kind == PL_NODE_COMPOUND && is->kind == PL_NODE_COMPOUND;
    other = block ? other_in_block(s, was, is, loop) : other_in_parts(s, was, is, loop);
    is = kid_towards(is, s->region);
    was = loop;
  }
  return other;
}

static bool is_region(pl_node *node, const void *context) {
  const pl_range *region = context;
  return node->parent && !is_passed(node) && pl_range_inside(node->range, *region) &&
         !pl_range_inside(node->parent->range, *region);
}

const pl_node *pl_region_node(const pl_emitted *out) {
  return pl_node_find(out->func->body, is_region, &out->region);
}

/* ---- other functions ------------------------------------------------------------- */

/* Whether threads run a function, and it has a text of its own here: an instantiation has its
 * template's. */
static bool has_text(const pl_func *func) {
  return (func->is_device || func->is_global) && func->body && func->in_main && !func->pattern &&
         func->range.end;
}

/* ... but for the launch bounds of a kernel. */
static pl_str text_of(const pl_unit *unit, const pl_func *func) {
  uint32_t name = func->name_range.end ? func->name_range.begin : func->body->range.begin;
  bool inside = name > func->range.begin && name < func->range.end;
  return pl_unit_slice(unit, func->is_global && inside ? (pl_range){name, func->range.end}
                                                       : func->range);
}

static bool holds_loop(const pl_emitted *out, const pl_func *func) {
  bool holds = pl_range_inside(out->region, func->range);
  for (size_t i = 0; i < out->nall && !holds; i++)
    holds = pl_range_inside(out->all[i], func->range);
  return holds;
}

/* Whether the source has a function of that name, and none of that text. */
static bool is_another(const pl_emitted *out, const pl_func *func) {
  const pl_unit *before = out->source->unit;
  pl_str text = text_of(out->unit, func);
  bool named = false;
  for (uint32_t i = 0; i < before->nfuncs; i++) {
    const pl_func *was = before->funcs[i];
    if (!has_text(was) || !pl_str_eq(was->qualified, func->qualified))
      continue;
    if (pl_same_but_blanks(text_of(before, was), text))
      return false;
    named = true;
  }
  return named;
}

/* What both texts call by one name must do the same: each function that threads run and
 * that has no pipelined loop is the source's, as is what it hands to others. */
static void check_functions(pl_emitted *out) {
  for (uint32_t i = 0; i < out->unit->nfuncs && !out->claim; i++) {
    const pl_func *func = out->unit->funcs[i];
    if (has_text(func) && !holds_loop(out, func) && is_another(out, func))
      pl_emitted_fail(out, '?', func->body, "'%.*s' is not the source's", PL_FMT(func->name));
  }
}

void pl_check_text_around(pl_emitted *out) {
  sides s = {.out = out, .loop = out->source->node, .region = pl_region_node(out)};
  const pl_node *other = s.region ? other_around(&s) : out->func->body;
  if (other)
    pl_emitted_fail(out, '?', other, "the text around the loop is not the source's");
  if (!out->claim)
    check_functions(out);
}
