/* fills.c - what does a fill hold, and which tile does a node write?
 *
 * Needs: the effects of a node; a fill, as far as it is described. Gives: the
 * copy, loop or call that a node of the text is in the fill. Raises nothing. */
#include "copies.h"

pl_tile *pl_tile_written(pl_loop *loop, pl_node *node) {
  pl_effects effects = pl_effects_in(loop, node);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind == PL_EFFECT_WRITE &&
        effects.items[i].space == PL_SPACE_SHARED) {
      pl_tile *tile = pl_loop_tile(loop, effects.items[i].root.decl);
      if (tile)
        return tile;
    }
  return NULL;
}

/* The tile that one left side of an assignment is a cell of, NULL: none. */
pl_tile *pl_tile_of_cell(pl_loop *loop, pl_node *cell) {
  pl_node zero = {.kind = PL_NODE_INT, .has_ival = true};
  pl_node *sides[2] = {cell, &zero};
  pl_node store = {.kind = PL_NODE_ASSIGN,
                   .op = PL_OP_ASSIGN,
                   .range = cell->range,
                   .kids = sides,
                   .nkids = 2};
  return pl_tile_written(loop, &store);
}

/* A text that is put further down, and what stands in between. */
typedef struct moved_text {
  const pl_unit *unit;
  pl_range text, between;
  bool hidden;
} moved_text;

/* A variable or type that is declared in between and still seen at the end, of a name that the
 * text says: there it would mean this one. */
static bool find_hiding(pl_node *node, void *context) {
  moved_text *m = context;
  const pl_node *scope = node->parent;
  while (scope && scope->kind == PL_NODE_DECL_STMT)
    scope = scope->parent;
  if (!scope || scope->range.end < m->between.end || node->range.begin < m->text.end ||
      node->range.begin < m->between.begin || node->range.begin >= m->between.end)
    return !m->hidden;
  if (node->kind == PL_NODE_VAR && node->decl && node->decl->name.n)
    m->hidden = m->hidden || pl_count_words(m->unit, m->text, node->decl->name);
  pl_run run = pl_tokens_in(m->unit, node->range);
  for (uint32_t t = run.first; node->kind == PL_NODE_OTHER_DECL && t < run.end; t++)
    m->hidden = m->hidden || (m->unit->tokens[t].kind == PL_TOK_IDENT &&
                              pl_count_words(m->unit, m->text, pl_token_text(m->unit, t)));
  return !m->hidden;
}

bool pl_hidden_between(const pl_unit *unit, pl_node *body, pl_range text, pl_range between) {
  moved_text m = {unit, text, between, false};
  pl_node_walk(body, find_hiding, &m);
  return m.hidden;
}

/* Whether the load side changes a variable that `node` names, in the text
 * between two offsets. A cell stays where it is when others of its tile are
 * written. */
bool pl_changed_between(pl_loop *loop, const pl_node *node, uint32_t begin,
                        uint32_t end) {
  if (pl_hidden_between(loop->unit, loop->body, node->range, (pl_range){begin, end}))
    return true;
  const pl_tile *own = pl_tile_of_cell(loop, (pl_node *)node);
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t j = 0; j < loop->stmts[i].effects.n; j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      pl_range at = pl_effect_range(&loop->stmts[i], effect);
      bool inside = at.begin >= begin && at.begin < end;
      if (effect->kind == PL_EFFECT_WRITE && loop->stmts[i].in_load &&
          (inside || (at.begin < begin && at.end > end)) && effect->root.decl &&
          !(own && own->decl == effect->root.decl) &&
          pl_mentions(node, effect->root.decl))
        return true;
    }
  return false;
}

const pl_copy *pl_fill_copy(const pl_fill *fill, const pl_node *store) {
  for (size_t i = 0; i < fill->ncopies; i++)
    if (fill->copies[i].store == store)
      return &fill->copies[i];
  return NULL;
}

const pl_copy *pl_only_copy(const pl_fill *fill, const pl_node *arm) {
  while (arm && arm->kind == PL_NODE_COMPOUND && arm->nkids == 1)
    arm = arm->kids[0];
  return arm ? pl_fill_copy(fill, arm) : NULL;
}

const pl_copy_loop *pl_fill_loop(const pl_fill *fill, const pl_node *node) {
  for (size_t i = 0; i < fill->nloops; i++)
    if (fill->loops[i].node == node)
      return &fill->loops[i];
  return NULL;
}

const pl_fill_call *pl_fill_call_at(const pl_fill *fill,
                                    const pl_node *node) {
  for (size_t i = 0; i < fill->ncalls; i++)
    if (fill->calls[i].node == node)
      return &fill->calls[i];
  return NULL;
}

pl_loop *pl_helper_body(const pl_loop *loop, size_t index) {
  return index < loop->fill.ncalls ? loop->fill.calls[index].body : NULL;
}
