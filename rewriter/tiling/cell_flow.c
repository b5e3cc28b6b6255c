/* cell_flow.c - which variables of a fill are known where there are two ways?
 *
 * Needs: a machine and what its names are bound to. Gives: what variables were
 * before a branch or a loop; other numbers for those that may have changed by
 * what is not known, or not followed. Raises: nothing. */
#include "cells.h"
#include "cfg.h"
#include "copies.h"

/* ---- what is set -------------------------------------------------------- */

static void add_written(pl_machine *m, struct pl_written *w,
                        const pl_effect *effect) {
  const pl_decl *decl = effect->root.decl;
  if (effect->kind != PL_EFFECT_WRITE || effect->space != PL_SPACE_LOCAL ||
      !decl || decl->is_shared || pl_declared_inside(decl, w->node))
    return;
  PL_PUSH(m->loop->arena, w->items, w->n, w->cap, decl);
}

const struct pl_written *pl_cell_written(pl_machine *m, pl_node *node) {
  pl_survey *all = m->all;
  for (size_t i = 0; i < all->nwritten; i++)
    if (all->written[i].node == node && all->written[i].func == m->func)
      return &all->written[i];
  struct pl_written fresh = {.node = node, .func = m->func};
  pl_effects effects = {0};
  pl_effects_of(m->loop->effects, m->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++)
    add_written(m, &fresh, &effects.items[i]);
  fresh.jumps = pl_cfg_jump_out(node, PL_JUMP_LOOP);
  PL_PUSH(m->loop->arena, all->written, all->nwritten, all->written_cap, fresh);
  return &all->written[all->nwritten - 1];
}

/* ---- what is forgotten -------------------------------------------------- */

/* Another number each time, the same one in all worlds. */
static void forget(pl_machine *m, const pl_decl *decl, const pl_node *by) {
  uint64_t key = pl_cell_mix(decl->name_range.begin, m->where);
  unsigned before = m->rests;
  int64_t value = pl_cell_number(m, pl_cell_mix(key, by->range.begin));
  pl_cell_bind(m, decl, value, ON_UNKNOWN);
  m->rests = before;
  m->changes++;
}

void pl_cell_forget_written(pl_machine *m, pl_node *node) {
  const struct pl_written *w = pl_cell_written(m, node);
  for (size_t i = 0; i < w->n; i++)
    forget(m, w->items[i], node);
}

/* ---- what is kept ------------------------------------------------------- */

pl_kept pl_cell_keep(pl_machine *m, pl_node *node) {
  const struct pl_written *w = pl_cell_written(m, node);
  for (size_t i = 0; i < w->n; i++)
    if (!pl_cell_bound(m, w->items[i]))
      pl_cell_meet(m, w->items[i]);
  pl_kept kept = {m->nkept, m->n};
  for (size_t i = 0; i < m->n; i++)
    PL_PUSH(m->loop->arena, m->kept, m->nkept, m->kept_cap, m->items[i]);
  return kept;
}

void pl_cell_drop(pl_machine *m, pl_kept kept) { m->nkept = kept.at; }

/* Names that were met since then are bound where they are met again. */
void pl_cell_restore(pl_machine *m, pl_kept kept) {
  for (m->n = 0; m->n < kept.n; m->n++)
    m->items[m->n] = m->kept[kept.at + m->n];
}

void pl_cell_forget_changed(pl_machine *m, pl_kept kept, const pl_node *by) {
  for (size_t i = 0; i < kept.n; i++) {
    const pl_decl *decl = m->items[i].decl;
    if (m->items[i].value != m->kept[kept.at + i].value)
      forget(m, decl, by);
  }
}
