/* rotation.c - a loop that loads the next tile into the tile that it has used.
 *
 * Needs: an attempt in which a loop is left, or refused, as it fills a tile behind its
 * use. Gives: the loop turned, so that it loads first, with the first use in front of
 * it. Raises nothing.
 *
 *     for (int k = 0; k < n; ++k) {          int k = 0;
 *         use(s);                            if (k < n) {
 *         barrier;                               { use(s); barrier; }
 *         s[t] = a[k * T + t];                   auto k_before = k;
 *         barrier;                               for (++k; k < n; ++k, ++k_before) {
 *     }                                              s[t] = a[k_before * T + t];
 *                                                    barrier;
 *                                                    use(s);
 *                                                    barrier;
 *                                                }
 *                                            }
 *
 * What is loaded last nobody uses: the last load stands under a guard that says so, or
 * the tile is not named behind the loop, to which no other leads back. A guard that asks
 * whether there is a next tile is the turned loop's own condition. */
#include "cfg.h"
#include "copies.h"
#include "expansions.h"
#include "values.h"
#include "reaching_definitions.h"

#define MOST_NAMES 8

typedef struct rotation {
  const pl_loop *loop;
  const pl_unit *unit;
  pl_arena *arena;
  const pl_node *body;
  uint32_t split; /* the first statement behind the barrier that the loads follow */
  struct lagging {
    const pl_decl *decl;
    pl_str name;
    const pl_node *stmt; /* that declares it in the body, ahead of the barrier; NULL:
                            the header moves it */
  } lagging[MOST_NAMES];
  size_t n;
  pl_replacements parts; /* of the text that is moved */
  bool fine;
} rotation;

static pl_str text_of(const rotation *r, const pl_node *node) {
  return pl_unit_slice(r->unit, node->range);
}

static bool is_spelt(const pl_node *node) {
  return node && !node->from_macro && node->range.end > node->range.begin;
}

/* ---- where the loop is turned ------------------------------------------------- */

static bool touches(const rotation *r, const pl_node *node, pl_effect_kind kind,
                    const pl_decl *tile) {
  pl_effects effects = pl_effects_in(r->loop, (pl_node *)node);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind == kind && effects.items[i].space == PL_SPACE_SHARED &&
        (!tile || (effects.items[i].root.decl &&
                   pl_same_shared(effects.items[i].root.decl, tile))))
      return true;
  return false;
}

/* The first shared object that the statements behind the split fill, from memory. */
static const pl_decl *filled_behind(const rotation *r) {
  for (uint32_t i = r->split; i < r->body->nkids; i++) {
    pl_effects effects = {0};
    bool streams = false;
    const pl_decl *tile = NULL;
    if (!r->body->kids[i] || pl_is_barrier(r->body->kids[i]))
      continue;
    pl_effects_of(r->loop->effects, r->loop->func, r->body->kids[i], &effects);
    for (size_t k = 0; k < effects.n; k++) {
      streams = streams || (effects.items[k].kind == PL_EFFECT_READ &&
                            effects.items[k].space == PL_SPACE_GLOBAL);
      if (effects.items[k].kind == PL_EFFECT_WRITE &&
          effects.items[k].space == PL_SPACE_SHARED)
        tile = effects.items[k].root.decl;
    }
    if (streams && tile)
      return tile;
  }
  return NULL;
}

/* Behind the last barrier that loads follow of what is read ahead of it. */
static bool find_split(rotation *r) {
  for (uint32_t i = r->body->nkids; i-- > 1;) {
    const pl_node *barrier = r->body->kids[i - 1];
    if (!barrier || !pl_is_barrier(barrier) || !r->body->kids[i] ||
        pl_is_barrier(r->body->kids[i]))
      continue;
    r->split = i;
    const pl_decl *tile = filled_behind(r);
    bool read = false;
    for (uint32_t k = 0; tile && k < i; k++)
      read = read || (r->body->kids[k] &&
                      touches(r, r->body->kids[k], PL_EFFECT_READ, tile));
    if (read)
      return true;
  }
  return false;
}

/* ---- what is behind ----------------------------------------------------------- */

/* Whether a variable is one of the loads' own: declared among them. */
static bool is_own(const rotation *r, const pl_decl *decl) {
  for (uint32_t i = r->split; i < r->body->nkids; i++)
    if (decl->node && pl_node_within(decl->node, r->body->kids[i]))
      return true;
  return false;
}

static bool is_entered_again(const rotation *r) {
  for (const pl_node *up = r->loop->node->parent; up; up = up->parent)
    if (pl_node_is_loop(up))
      return true;
  return !r->loop->func->is_global;
}

/* Whether a statement may read a shared object. */
static bool may_read(const rotation *r, pl_node *stmt, const pl_decl *tile) {
  pl_effects effects = pl_effects_in(r->loop, stmt);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    bool reads = effect->kind == PL_EFFECT_READ || effect->kind == PL_EFFECT_ATOMIC;
    bool unknown = effect->kind == PL_EFFECT_UNSEEN || effect->kind == PL_EFFECT_ASM ||
                   effect->kind == PL_EFFECT_ESCAPE || effect->kind == PL_EFFECT_ASYNC;
    if (unknown || (reads && (!effect->root.decl || effect->space == PL_SPACE_UNKNOWN ||
                              (effect->space == PL_SPACE_SHARED &&
                               pl_same_shared(effect->root.decl, tile)))))
      return true;
  }
  return false;
}

/* Whether nothing asks for what the last of the loads leaves in a tile. */
static bool is_dead_behind(const rotation *r, const pl_decl *tile) {
  if (tile->kind != PL_DECL_VAR || tile->owner != r->loop->func || is_entered_again(r))
    return false;
  for (const pl_node *node = r->loop->node; node->parent; node = node->parent) {
    const pl_node *up = node->parent;
    bool behind = false;
    if (up->kind != PL_NODE_COMPOUND && up->kind != PL_NODE_IF)
      return false;
    for (uint32_t i = 0; up->kind == PL_NODE_COMPOUND && i < up->nkids; i++) {
      if (behind && up->kids[i] && may_read(r, up->kids[i], tile))
        return false;
      behind = behind || up->kids[i] == node;
    }
  }
  return !pl_cfg_has_goto(r->loop->node);
}

/* `k + 1` of a condition's `k`, where the header moves k on by one. */
static bool is_moved_on(const rotation *r, const pl_node *guard, const pl_node *cond) {
  const pl_node *step = pl_node_bare((pl_node *)r->loop->inc);
  int64_t by = 0;
  guard = pl_node_bare((pl_node *)guard);
  cond = pl_node_bare((pl_node *)cond);
  if (cond->kind != PL_NODE_REF || guard->kind != PL_NODE_BINARY ||
      guard->op != PL_OP_ADD || !pl_node_is_constant(pl_node_bare(guard->kids[1])) ||
      !pl_names_var(pl_node_bare(guard->kids[0]), cond->decl))
    return false;
  if (pl_node_is_step(step) && pl_names_var(pl_node_bare(step->kids[0]), cond->decl))
    by = step->op == PL_OP_PREINC || step->op == PL_OP_POSTINC ? 1 : 0;
  else if (step->kind == PL_NODE_ASSIGN && step->op == PL_OP_ADD &&
           pl_names_var(pl_node_bare(step->kids[0]), cond->decl) &&
           pl_node_is_constant(pl_node_bare(step->kids[1])) &&
           pl_same_text(r->unit, pl_node_bare(step->kids[1]),
                        pl_node_bare(guard->kids[1])))
    return true;
  return by && pl_node_bare(guard->kids[1])->kind == PL_NODE_INT &&
         pl_node_bare(guard->kids[1])->ival == by &&
         !pl_build_may_change(r->unit, guard->kids[1]);
}

static bool stays(const rotation *r, pl_node *node) {
  return !pl_node_find(node, pl_is_set_in, r->loop->node) &&
         pl_reads_own_only((pl_loop *)r->loop, node) &&
         pl_is_pure((pl_loop *)r->loop, node);
}

/* Whether a guard is the loop's condition of the next iteration: `k + 1 < n`. */
static bool asks_for_next(const rotation *r, const pl_node *guard) {
  const pl_node *cond = pl_node_bare((pl_node *)r->loop->cond);
  guard = pl_node_bare((pl_node *)guard);
  return cond->kind == PL_NODE_BINARY && guard->kind == PL_NODE_BINARY &&
         cond->op == guard->op && (cond->op == PL_OP_LT || cond->op == PL_OP_LE) &&
         is_moved_on(r, guard->kids[0], cond->kids[0]) &&
         pl_same_text(r->unit, guard->kids[1], cond->kids[1]) &&
         pl_same_names(guard->kids[1], cond->kids[1]) &&
         stays(r, cond->kids[1]) &&
         guard->kids[0]->type && cond->kids[0]->type &&
         pl_same_type(guard->kids[0]->type, cond->kids[0]->type);
}

/* `if (there is a next tile) { loads }`, without an else. */
static bool is_for_next(const rotation *r, const pl_node *stmt) {
  return stmt->kind == PL_NODE_IF && !pl_if_has_init(stmt) && is_spelt(stmt) &&
         is_spelt(stmt->kids[0]) && (stmt->nkids < 3 || !stmt->kids[2]) &&
         is_spelt(stmt->kids[1]) && asks_for_next(r, stmt->kids[0]);
}

/* Whether a statement of the loads does no more than to fill tiles, of which the last
 * is not used, or than to move what nobody reads behind the loop. */
static bool can_be_left_out(const rotation *r, const pl_node *stmt) {
  bool for_next = is_for_next(r, stmt);
  pl_effects effects = pl_effects_in(r->loop, (pl_node *)stmt);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    const pl_decl *decl = effect->root.decl;
    if (effect->kind == PL_EFFECT_READ || effect->kind == PL_EFFECT_BARRIER)
      continue;
    if (effect->kind != PL_EFFECT_WRITE || !decl)
      return false;
    if (effect->space == PL_SPACE_SHARED ? !for_next && !is_dead_behind(r, decl)
                                         : effect->space != PL_SPACE_LOCAL)
      return false;
    if (effect->space == PL_SPACE_LOCAL && !for_next && !is_own(r, decl) &&
        (!effect->direct || pl_is_live_behind(decl, r->loop->node) != PL_NO))
      return false;
  }
  return true;
}

/* ---- names ------------------------------------------------------------------------ */

static bool lag(rotation *r, const pl_decl *decl, const pl_node *stmt) {
  if (r->n == MOST_NAMES || !decl->name.n || decl->from_macro)
    return false;
  pl_str name = pl_name_not_taken(
      r->unit, r->arena,
      pl_arena_printf(r->arena, "%.*s_before", PL_FMT(decl->name)));
  r->lagging[r->n++] = (struct lagging){decl, name, stmt};
  return true;
}

static const struct lagging *lagging_of(const rotation *r, const pl_decl *decl) {
  for (size_t i = 0; decl && i < r->n; i++)
    if (r->lagging[i].decl == decl)
      return &r->lagging[i];
  return NULL;
}

/* Variables that the header sets, each by a step of its own. */
static bool find_header_names(rotation *r, const pl_node *inc) {
  inc = pl_node_bare((pl_node *)inc);
  if (inc->kind == PL_NODE_BINARY && inc->op == PL_OP_COMMA)
    return find_header_names(r, inc->kids[0]) && find_header_names(r, inc->kids[1]);
  const pl_node *to = pl_node_is_step(inc) || inc->kind == PL_NODE_ASSIGN
                          ? pl_node_bare(inc->kids[0])
                          : NULL;
  const pl_type *type = to ? to->type : NULL;
  for (uint32_t i = 1; i < inc->nkids; i++)
    if (pl_node_find(inc->kids[i], pl_is_set_in, r->body) ||
        !pl_reads_own_only((pl_loop *)r->loop, inc->kids[i]) ||
        !pl_is_pure((pl_loop *)r->loop, inc->kids[i]))
      return false;
  return to && to->kind == PL_NODE_REF && to->decl && pl_is_private(to->decl) &&
         type && (type->kind == PL_TYPE_INT || type->kind == PL_TYPE_POINTER) &&
         !pl_assigned_anywhere(r->body, to->decl) && !lagging_of(r, to->decl) &&
         lag(r, to->decl, NULL);
}

typedef struct need_walk {
  rotation *r;
  bool fine;
} need_walk;

/* What the loads use that is declared ahead of the barrier is made again for them. */
static bool find_need(pl_node *node, void *context) {
  need_walk *w = context;
  rotation *r = w->r;
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  const pl_node *var = decl ? decl->node : NULL;
  if (node->kind == PL_NODE_LAMBDA)
    w->fine = false;
  if (!var || !pl_node_within(var, r->body) || is_own(r, decl) || lagging_of(r, decl))
    return w->fine;
  const pl_node *stmt = var->parent;
  bool plain = stmt && stmt->parent == r->body && stmt->kind == PL_NODE_DECL_STMT &&
               stmt->nkids == 1 && is_spelt(stmt) && var->nkids && var->kids[0] &&
               decl->type && decl->type->kind != PL_TYPE_REFERENCE &&
               decl->type->kind != PL_TYPE_ARRAY &&
               !pl_assigned_anywhere(r->body, decl) &&
               pl_reads_own_only((pl_loop *)r->loop, var->kids[0]) &&
               pl_is_pure((pl_loop *)r->loop, var->kids[0]);
  if (plain)
    pl_node_walk(var->kids[0], find_need, w);
  w->fine = w->fine && plain && lag(r, decl, stmt);
  return w->fine;
}

static bool is_set_beside(pl_node *node, const void *context) {
  const rotation *r = context;
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  return decl && !lagging_of(r, decl) && pl_assigned_anywhere(r->body, decl);
}

static bool find_needs(rotation *r) {
  need_walk w = {r, true};
  for (uint32_t i = r->split; i < r->body->nkids; i++)
    pl_node_walk(r->body->kids[i], find_need, &w);
  for (size_t i = 0; w.fine && i < r->n; i++)
    w.fine = !r->lagging[i].stmt ||
             !pl_node_find(r->lagging[i].decl->init, is_set_beside, r);
  return w.fine;
}

/* ---- text -------------------------------------------------------------------------- */

static bool rename_lagging(pl_node *node, void *context) {
  rotation *r = context;
  const struct lagging *l = node->kind == PL_NODE_REF || node->kind == PL_NODE_VAR
                                ? lagging_of(r, node->decl)
                                : NULL;
  pl_range at = l && node->kind == PL_NODE_VAR ? l->decl->name_range : node->range;
  if (!l)
    return true;
  r->fine = r->fine && !node->from_macro &&
            pl_str_eq(pl_unit_slice(r->unit, at), l->decl->name);
  pl_put(r->arena, &r->parts, at, l->name);
  return true;
}

static size_t lagging_words(const rotation *r, pl_range range) {
  size_t n = 0;
  for (size_t i = 0; i < r->n; i++)
    n += pl_count_words(r->unit, range, r->lagging[i].decl->name);
  return n;
}

/* The text of a range, in which the parts have been replaced; `hidden`: words of lagging
 * variables in parts that are left out. */
static pl_str replaced(rotation *r, pl_range range, size_t hidden) {
  pl_str text = {0};
  size_t words = hidden;
  for (size_t i = 0; i < r->parts.n; i++)
    words += r->parts.items[i].text.n > 0;
  r->fine = pl_replaced_text(r->unit, r->arena, range, &r->parts, &text) && r->fine &&
            lagging_words(r, range) == words; /* else a macro names one */
  r->parts = (pl_replacements){0};
  return text;
}

static pl_str lagged(rotation *r, const pl_node *node) {
  pl_node_walk((pl_node *)node, rename_lagging, r);
  return replaced(r, node->range, 0);
}

/* The statements behind the barrier, of the iteration before. */
static pl_str loads_text(rotation *r) {
  const pl_node *first = r->body->kids[r->split];
  const pl_node *last = r->body->kids[r->body->nkids - 1];
  size_t hidden = 0;
  for (uint32_t i = r->split; i < r->body->nkids; i++) {
    const pl_node *stmt = r->body->kids[i];
    if (is_for_next(r, stmt)) {
      /* the parentheses go with the condition: `if (c) {` is `{` */
      pl_range test = {stmt->range.begin, stmt->kids[1]->range.begin};
      pl_put(r->arena, &r->parts, test, PL_STR(""));
      hidden += lagging_words(r, test);
      pl_node_walk(stmt->kids[1], rename_lagging, r);
    } else {
      pl_node_walk((pl_node *)stmt, rename_lagging, r);
    }
  }
  return replaced(r, (pl_range){first->range.begin, last->range.end}, hidden);
}

/* Whether a declaration ahead of the barrier serves the loads alone. */
static bool is_for_loads_alone(const rotation *r, const struct lagging *l) {
  for (uint32_t i = 0; l->stmt && i < r->split; i++)
    if (r->body->kids[i] != l->stmt && pl_mentions(r->body->kids[i], l->decl))
      return false;
  return l->stmt;
}

/* The statements ahead of the loads. */
static pl_str use_text(rotation *r) {
  pl_text out = {.arena = r->arena};
  uint32_t at = r->body->kids[0]->range.begin;
  for (uint32_t i = 0; i < r->split; i++)
    for (size_t k = 0; k < r->n; k++) {
      pl_range range = r->body->kids[i]->range;
      if (r->lagging[k].stmt != r->body->kids[i] ||
          !is_for_loads_alone(r, &r->lagging[k]))
        continue;
      range = i ? pl_with_line(r->unit, range)
                : (pl_range){range.begin, r->body->kids[1]->range.begin};
      pl_text_add(&out, pl_unit_slice(r->unit, (pl_range){at, range.begin}));
      at = range.end;
    }
  pl_range rest = {at, r->body->kids[r->split - 1]->range.end};
  pl_text_add(&out, pl_unit_slice(r->unit, rest));
  return pl_text_view(&out);
}

static bool is_pragma(const pl_unit *unit, uint32_t token) {
  return unit->tokens[token].kind == PL_TOK_DIRECTIVE;
}

static bool has_directive(const rotation *r) {
  pl_run run = pl_tokens_in(r->unit, r->loop->node->range);
  for (uint32_t t = run.first; t < run.end; t++)
    if (is_pragma(r->unit, t))
      return true;
  uint32_t at = pl_token_from(r->unit, r->loop->node->range.begin);
  return at > 0 && is_pragma(r->unit, at - 1);
}

/* Whether another build may do more behind the split than to load, by a macro: it would do
 * so once less. */
static bool may_do_more(const rotation *r) {
  pl_run run = pl_tokens_in(r->unit, (pl_range){r->body->kids[r->split - 1]->range.end,
                                                r->body->range.end});
  for (uint32_t t = run.first; t < run.end; t++)
    if (r->unit->tokens[t].kind == PL_TOK_IDENT && pl_is_open_macro(r->unit, r->arena, t))
      return true;
  return false;
}

/* A text whose lines, but the first, begin with more blanks. */
static pl_str deeper(const rotation *r, pl_str text, pl_str more) {
  pl_text out = {.arena = r->arena};
  for (size_t i = 0; i < text.n; i++) {
    pl_text_add(&out, (pl_str){text.p + i, 1});
    if (text.p[i] == '\n' && i + 1 < text.n && text.p[i + 1] != '\n')
      pl_text_add(&out, more);
  }
  return pl_text_view(&out);
}

/* `once`: what is kept of the loop. */
static pl_str turned_text(rotation *r, pl_str *once) {
  const pl_loop *loop = r->loop;
  pl_text out = {.arena = r->arena}, kept = {.arena = r->arena};
  pl_str indent = pl_indent_at(r->unit, loop->node->range.begin);
  pl_str inner = pl_indent_at(r->unit, r->body->kids[0]->range.begin);
  pl_str step = inner.n > indent.n ? (pl_str){inner.p + indent.n, inner.n - indent.n}
                                   : PL_STR("    ");
  pl_str deep = pl_arena_printf(r->arena, "%.*s%.*s", PL_FMT(inner), PL_FMT(step));
  pl_str more = pl_arena_printf(r->arena, "%.*s%.*s", PL_FMT(step), PL_FMT(step));
  pl_str cond = text_of(r, loop->cond), inc = text_of(r, loop->inc);
  pl_str used = deeper(r, use_text(r), more);
  pl_str loads = loads_text(r);
  pl_text_printf(&kept, "%.*s;%.*s;%.*s;%.*s;%.*s;", PL_FMT(used), PL_FMT(loads), PL_FMT(cond),
                 PL_FMT(inc), PL_FMT(loop->init ? text_of(r, loop->init) : PL_STR("")));
  *once = pl_text_view(&kept);
  pl_text_printf(&out, "{\n");
  if (loop->init)
    pl_text_printf(&out, "%.*s%.*s%s\n", PL_FMT(inner), PL_FMT(text_of(r, loop->init)),
                   pl_str_has(text_of(r, loop->init), ";") ? "" : ";");
  pl_text_printf(&out, "%.*sif (%.*s) {\n%.*s{\n%.*s%.*s%.*s\n%.*s}\n", PL_FMT(inner),
                 PL_FMT(cond), PL_FMT(deep), PL_FMT(deep), PL_FMT(step), PL_FMT(used),
                 PL_FMT(deep));
  for (size_t i = 0; i < r->n; i++)
    if (!r->lagging[i].stmt)
      pl_text_printf(&out, "%.*sauto %.*s = %.*s;\n", PL_FMT(deep),
                     PL_FMT(r->lagging[i].name), PL_FMT(r->lagging[i].decl->name));
  pl_text_printf(&out, "%.*sfor (%.*s; %.*s; %.*s, %.*s) {\n", PL_FMT(deep),
                 PL_FMT(inc), PL_FMT(cond), PL_FMT(inc), PL_FMT(lagged(r, loop->inc)));
  for (size_t i = 0; i < r->n; i++)
    if (r->lagging[i].stmt)
      pl_text_printf(&out, "%.*s%.*s%.*s\n", PL_FMT(deep), PL_FMT(step),
                     PL_FMT(lagged(r, r->lagging[i].stmt)));
  pl_text_printf(&out, "%.*s%.*s%.*s\n%.*s%.*s%.*s\n%.*s}\n%.*s}\n%.*s}", PL_FMT(deep),
                 PL_FMT(step), PL_FMT(deeper(r, loads, more)), PL_FMT(deep),
                 PL_FMT(step), PL_FMT(used), PL_FMT(deep), PL_FMT(inner),
                 PL_FMT(indent));
  return pl_text_view(&out);
}

/* ---- which loops --------------------------------------------------------------------- */

static bool reads_shared(const rotation *r, const pl_node *node) {
  return touches(r, node, PL_EFFECT_READ, NULL);
}

/* Whether the parts of the body may change places. */
static bool can_be_turned(rotation *r) {
  const pl_loop *loop = r->loop;
  pl_node *cond = loop->cond;
  if (!is_spelt(cond) || !is_spelt(loop->inc) || (loop->init && !is_spelt(loop->init)) ||
      !pl_is_pure((pl_loop *)loop, cond) || reads_shared(r, cond) ||
      pl_reads_global((pl_loop *)loop, cond) || reads_shared(r, loop->inc) ||
      pl_node_has(r->body, PL_NODE_LABEL) || pl_node_has(r->body, PL_NODE_LAMBDA) ||
      has_directive(r) || pl_own_storage(loop) || !find_split(r) || may_do_more(r))
    return false;
  for (uint32_t i = 0; i < r->body->nkids; i++) {
    const pl_node *stmt = r->body->kids[i];
    if (!stmt || !is_spelt(stmt) || pl_cfg_jump_out(stmt, PL_JUMP_ANY))
      return false;
    for (uint32_t k = 0; stmt->kind == PL_NODE_DECL_STMT && k < stmt->nkids; k++)
      if (!stmt->kids[k]->decl || stmt->kids[k]->decl->is_shared ||
          stmt->kids[k]->decl->is_static)
        return false;
    if (i >= r->split && !can_be_left_out(r, stmt))
      return false;
  }
  return find_header_names(r, loop->inc) && find_needs(r);
}

static bool is_asked_behind(pl_node *node, const void *context) {
  const rotation *r = context;
  for (uint32_t i = r->split; node->kind == PL_NODE_REF && node->decl &&
                              i < r->body->nkids;
       i++)
    if (pl_assigned_anywhere(r->body->kids[i], node->decl))
      return true;
  return false;
}

void pl_turn_loop(pl_loop *loop, pl_arena *arena, pl_replacements *out) {
  rotation r = {.loop = loop, .unit = loop->unit, .arena = arena, .body = loop->body,
                .fine = true};
  bool late = pl_is_refused_for(loop, "PL2100") || pl_is_refused_for(loop, "PL3001");
  if (!late || loop->node->kind != PL_NODE_FOR || !r.body || !loop->cond ||
      !loop->inc || loop->branch || loop->nhead || loop->node->from_macro ||
      r.body->kind != PL_NODE_COMPOUND || r.body->from_macro || r.body->nkids < 3 ||
      !loop->node->parent || loop->node->parent->kind != PL_NODE_COMPOUND ||
      !can_be_turned(&r))
    return;
  pl_str once = {0}, text = turned_text(&r, &once);
  if (!r.fine || pl_node_find(loop->cond, is_asked_behind, &r) ||
      pl_node_find(loop->inc, is_asked_behind, &r))
    return;
  pl_put_saying(arena, out, (pl_replacement){loop->node->range, text}, once, (pl_range){0, 0});
  out->renames = true;
  out->renamed = PL_NEW(arena, pl_made_name);
  *out->renamed = (pl_made_name){r.lagging[0].name, r.lagging[0].decl->name, NULL};
}
