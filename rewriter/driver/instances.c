/* instances.c - do all instantiations of a loop in sight allow what is written?
 *
 * Needs: plans. Gives: one loop for each text. Raises: what an instantiation was
 * refused for, and PL6003 where they do not agree.
 *
 * The model of a template is the set of its instantiations, each a function of
 * the unit with concrete types. A loop of a template's text is rewritten where
 * it may be in every instantiation in sight, by a plan that all of them allow,
 * and where the same text comes of each. */
#include "rewrite.h"

#include <string.h>

/* The loops of all instantiations that one loop of a text has. */
typedef struct group {
  pl_loop **items;
  size_t n, cap;
} group;

static bool same_text_loop(const pl_loop *a, const pl_loop *b) {
  return a->func->pattern && a->func->pattern == b->func->pattern &&
         a->node->range.begin == b->node->range.begin;
}

static group group_of(const pl_loops *loops, size_t first) {
  group g = {0};
  for (size_t i = first; i < loops->n; i++)
    if (i == first || same_text_loop(loops->items[first], loops->items[i]))
      PL_PUSH(loops->items[first]->arena, g.items, g.n, g.cap, loops->items[i]);
  return g;
}

static pl_str name_of(pl_arena *arena, const pl_func *func) {
  return pl_arena_printf(arena, "%.*s<%.*s>", PL_FMT(func->name),
                         PL_FMT(func->instances[func->own].spelling));
}

static pl_str instance_name(const pl_loop *loop) {
  return name_of(loop->arena, loop->func);
}

/* ---- what one of them objects to ------------------------------------------ */

/* How little hope a verdict leaves: of several loops the one that says most is
 * shown. */
static int severity(const pl_loop *loop) {
  if (!loop->settled || loop->verdict == PL_VERDICT_PIPELINED)
    return 0;
  if (loop->verdict == PL_VERDICT_KEPT && loop->legal)
    return 1;
  return loop->verdict == PL_VERDICT_REFUSED ? 3 : 2;
}

static pl_loop *objector(const group *g) {
  pl_loop *worst = g->items[0];
  for (size_t i = 1; i < g->n; i++)
    if (severity(g->items[i]) > severity(worst))
      worst = g->items[i];
  return severity(worst) > 1 ? worst : NULL;
}

/* Whether some of the group say something else: then it is told which one. */
static bool differ(const group *g, const pl_loop *one) {
  for (size_t i = 0; i < g->n; i++)
    if (!g->items[i]->settled || g->items[i]->id != one->id ||
        !pl_str_eq(g->items[i]->message, one->message))
      return true;
  return false;
}

static bool is_loop_at(pl_node *node, const void *begin) {
  return pl_node_is_loop(node) && node->range.begin == *(const uint32_t *)begin;
}

static bool has_member(const group *g, const pl_func *func) {
  for (size_t i = 0; i < g->n; i++)
    if (g->items[i]->func == func)
      return true;
  return false;
}

/* An instantiation that has the loop, and in which it streams no tile; NULL: there
 * is none. */
static const pl_func *other_use(const group *g) {
  const pl_loop *one = g->items[0];
  const pl_unit *unit = one->unit;
  for (uint32_t i = 0; one->func->pattern && i < unit->nfuncs; i++) {
    const pl_func *func = unit->funcs[i];
    if (func->pattern == one->func->pattern && !has_member(g, func) &&
        pl_node_find(func->body, is_loop_at, &one->node->range.begin))
      return func;
  }
  return NULL;
}

/* Whether an instantiation is named whose body is not looked at; NULL: all are. */
static const char *unseen_instance(const pl_func *func) {
  const pl_func *pattern = func->pattern;
  if (func->ninstances >= PL_MAX_INSTANCES)
    return "more instantiations are in sight than are looked at";
  if (pattern && pattern->is_named_openly)
    return "instantiations are named in a list, with arguments that are not "
           "followed";
  return pattern && pattern->nbodies < pattern->ninstances
             ? "an instantiation is declared here whose body another source has"
             : NULL;
}

/* ---- a plan for all of them ----------------------------------------------- */

#define MOST_PLANS 24

typedef struct plan {
  pl_variant variant;
  int stages;
} plan;

static bool is_planned(const pl_loop *loop, plan p) {
  return !loop->settled && loop->variant == p.variant &&
         loop->stages == p.stages;
}

static bool all_allow(const group *g, plan p) {
  for (size_t i = 0; i < g->n; i++) {
    if (!is_planned(g->items[i], p))
      pl_choose_as(g->items[i], p.variant, p.stages);
    if (!is_planned(g->items[i], p))
      return false;
  }
  return true;
}

/* Those of the variants that `auto` may take and that make no asynchronous copies. */
static size_t add_staging_plans(plan *plans, size_t n) {
  for (pl_variant v = PL_VARIANT_AUTO + 1; v < PL_VARIANTS && n < MOST_PLANS; v++)
    if (pl_variant_is_tried(v) && !pl_variant_is_async(v))
      plans[n++] = (plan){v, pl_variant_least(v)};
  return n;
}

/* Their own plans first, then what needs less. */
static bool find_plan(const group *g) {
  plan own[MOST_PLANS];
  size_t n = 0;
  for (size_t i = 0; i < g->n && n < MOST_PLANS / 3; i++)
    if (!g->items[i]->settled)
      own[n++] = (plan){g->items[i]->variant, g->items[i]->stages};
  for (size_t i = 0; i < n; i++)
    if (own[i].stages > pl_variant_least(own[i].variant) && n < MOST_PLANS / 2)
      own[n++] = (plan){own[i].variant, pl_variant_least(own[i].variant)};
  if (g->items[0]->options->variant == PL_VARIANT_AUTO)
    n = add_staging_plans(own, n);
  for (size_t i = 0; i < n; i++)
    if (all_allow(g, own[i]))
      return true;
  return false;
}

static bool any_planned(const group *g) {
  for (size_t i = 0; i < g->n; i++)
    if (!g->items[i]->settled)
      return true;
  return false;
}

/* ---- one text for all of them --------------------------------------------- */

static bool is_same_edit(const pl_edit *a, const pl_edit *b) {
  return a->offset == b->offset && a->length == b->length &&
         a->text_length == b->text_length &&
         memcmp(a->text, b->text, a->text_length) == 0;
}

/* A split form of a helper, which stands right behind it. */
static bool is_of_helper(const pl_unit *unit, const pl_edit *edit) {
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    if (edit->length == 0 && unit->funcs[i]->in_main &&
        edit->offset == unit->funcs[i]->range.end)
      return true;
  return false;
}

static bool has_edit(const pl_edit *edits, size_t n, const pl_edit *one) {
  for (size_t i = 0; i < n; i++)
    if (is_same_edit(&edits[i], one))
      return true;
  return false;
}

/* Whether all edits of a text are in another one, but for split forms of helpers that
 * the other has no use for. */
static bool holds_edits(const pl_loop *loop, const pl_edit *a, size_t n,
                        const pl_edit *b, size_t m) {
  for (size_t i = 0; i < m; i++) {
    bool apart = is_of_helper(loop->unit, &b[i]) &&
                 !pl_range_inside((pl_range){b[i].offset, b[i].offset},
                                  loop->func->range);
    for (size_t k = 0; k < n && apart; k++)
      apart = a[k].offset != b[i].offset;
    if (!apart && !has_edit(a, n, &b[i]))
      return false;
  }
  return true;
}

/* The split forms that one instantiation's text has, by another specialisation of a
 * class, belong to the text of all. */
static void take_helpers(pl_loop *one, const pl_edit *a, size_t n,
                         const pl_edit *b, size_t m) {
  for (size_t i = 0; i < m; i++)
    if (!has_edit(a, n, &b[i]) &&
        !has_edit(one->helper_edits, one->nhelper_edits, &b[i]))
      PL_PUSH(one->arena, one->helper_edits, one->nhelper_edits,
              one->helper_edits_cap, b[i]);
}

static void text_of(pl_loop *loop, pl_edit **edits, size_t *n) {
  pl_loops alone = {.items = &loop, .n = 1, .cap = 1};
  pl_emit(loop->unit, &alone, edits, n);
}

/* The one whose text another instantiation does not have; NULL: all are alike. */
static pl_loop *other_text(const group *g) {
  pl_edit *first, *edits;
  size_t n, m;
  if (g->n < 2)
    return NULL;
  text_of(g->items[0], &first, &n);
  for (size_t i = 1; i < g->n; i++) {
    text_of(g->items[i], &edits, &m);
    if (!holds_edits(g->items[0], first, n, edits, m) ||
        !holds_edits(g->items[0], edits, m, first, n))
      return g->items[i];
    take_helpers(g->items[0], first, n, edits, m);
  }
  return NULL;
}

/* The loads that one of them converts at the store, another one has no need to: what
 * is held in registers is then the stored value in all. */
static void stage_alike(const group *g) {
  const pl_fill *one = &g->items[0]->fill;
  for (size_t i = 0; i < g->n; i++)
    if (g->items[i]->fill.ncopies != one->ncopies)
      return;
  for (size_t c = 0; c < one->ncopies; c++) {
    bool value = false, nothing = false;
    for (size_t i = 0; i < g->n; i++) {
      pl_staging staging = g->items[i]->fill.copies[c].staging;
      value = value || staging == PL_STAGE_VALUE;
      nothing = nothing || staging == PL_STAGE_NOTHING;
    }
    for (size_t i = 0; value && !nothing && i < g->n; i++)
      g->items[i]->fill.copies[c].staging = PL_STAGE_VALUE;
  }
}

/* A barrier that one of them needs, inside compute or behind the loop, does no harm
 * in the others, but where threads leave before others. What is a barrier in some
 * alone, `P::wait()`, is text of all. */
static void keep_same_barriers(const group *g) {
  pl_loop *one = g->items[0];
  bool behind = false;
  for (size_t i = 0; i < g->n; i++)
    if (g->items[i]->nstmts != one->nstmts || g->items[i]->counts_differ)
      return;
  for (size_t i = 0; i < g->n; i++)
    behind = behind || pl_needs_exit_barrier(g->items[i]);
  for (size_t i = 0; i < g->n; i++)
    g->items[i]->stays_before_text = g->items[i]->stays_before_text || behind;
  for (size_t s = 0; s < one->nstmts; s++) {
    bool kept = false, barriers = true;
    for (size_t i = 0; i < g->n; i++) {
      kept = kept || g->items[i]->stmts[s].kept;
      barriers = barriers && g->items[i]->stmts[s].is_barrier;
    }
    kept = kept || !barriers;
    for (size_t i = 0; i < g->n; i++)
      g->items[i]->stmts[s].kept = kept && g->items[i]->stmts[s].is_barrier;
  }
}

static void take_most(const group *g, pl_loop *one) {
  for (size_t i = 0; i < g->n; i++) {
    const pl_loop *loop = g->items[i];
    if (loop->smem_before > one->smem_before)
      one->smem_before = loop->smem_before;
    if (loop->smem_after > one->smem_after)
      one->smem_after = loop->smem_after;
  }
}

/* The loop that stands for all of a group. */
static pl_loop *join(const group *g) {
  pl_loop *one = objector(g);
  if (one) {
    if (g->n > 1 && differ(g, one))
      pl_loop_note(one, NULL, "in the instantiation '%.*s'",
                   PL_FMT(instance_name(one)));
    return one;
  }
  one = g->items[0];
  const pl_func *other_func = any_planned(g) ? other_use(g) : NULL;
  const char *unseen = any_planned(g) ? unseen_instance(one->func) : NULL;
  if (other_func || unseen) {
    one->settled = false;
    pl_refuse(one, false, "PL6003", NULL, "%s",
              other_func ? "in another instantiation this loop streams no tile "
                           "through shared memory"
                         : unseen);
    if (other_func)
      pl_loop_note(one, NULL, "in '%.*s'",
                   PL_FMT(name_of(one->arena, other_func)));
    return one;
  }
  if (g->n < 2 || one->options->only != PL_SIDE_BOTH || !any_planned(g))
    return one;
  if (!find_plan(g)) {
    one->settled = false;
    pl_refuse(one, false, "PL6003", NULL,
              "no form is one that all instantiations in sight allow");
    return one;
  }
  keep_same_barriers(g);
  stage_alike(g);
  pl_loop *other = other_text(g);
  take_most(g, one);
  if (other) {
    pl_refuse(one, false, "PL6003", NULL,
              "the instantiations in sight would need different texts");
    pl_loop_note(one, NULL, "'%.*s' and '%.*s' differ",
                 PL_FMT(instance_name(one)), PL_FMT(instance_name(other)));
  }
  return one;
}

void pl_join_instances(pl_loops *loops) {
  size_t left = 0;
  for (size_t i = 0; i < loops->n; i++) {
    bool seen = false;
    for (size_t k = 0; k < left && !seen; k++)
      seen = same_text_loop(loops->items[k], loops->items[i]);
    if (seen)
      continue;
    group g = group_of(loops, i);
    loops->items[left++] = join(&g);
  }
  loops->n = left;
}
