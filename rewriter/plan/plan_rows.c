/* plan_rows.c - which rows may bulk copies take?
 *
 * Needs: the rows (widen.c), effects, legality. Gives: the rows without those that the
 * kernel may have written itself, and why a loop has none. Raises (by plan_choose.c):
 * PL5001, PL5003, and what pl_all_take_part does.
 *
 * The copy engine reads memory by the asynchronous proxy. What the kernel has written
 * before by the generic one it need not see: the fence that the form makes is of shared
 * memory alone, for one of global memory waits for all stores of the thread. */
#include "forms.h"
#include "plan.h"

enum { FIRST_WITH_BULK_COPIES = 90 };

/* The statement of the function's body that a node stands in. */
static const pl_node *top_of(const pl_loop *loop, const pl_node *node) {
  while (node->parent && node->parent != loop->func->body)
    node = node->parent;
  return node;
}

static bool only_orders(pl_effect_kind kind) {
  return kind == PL_EFFECT_BARRIER || kind == PL_EFFECT_SPECIAL_BARRIER ||
         kind == PL_EFFECT_FENCE || kind == PL_EFFECT_SIDE || kind == PL_EFFECT_END ||
         kind == PL_EFFECT_WARP || kind == PL_EFFECT_WARP_BARRIER;
}

/* Whether a statement that may come ahead of the loop may change what a copy loads. */
static bool writes_source(const pl_loop *loop, pl_node *stmt, const pl_effects *reads) {
  pl_effects all = {0};
  pl_effects_of(loop->effects, loop->func, stmt, &all);
  for (size_t i = 0; i < all.n; i++) {
    pl_effect_kind kind = all.items[i].kind;
    bool writes = kind != PL_EFFECT_READ && !only_orders(kind);
    for (size_t k = 0; writes && all.items[i].space != PL_SPACE_LOCAL &&
                       all.items[i].space != PL_SPACE_SHARED && k < reads->n;
         k++)
      if (reads->items[k].kind == PL_EFFECT_READ &&
          pl_may_change(loop, &all.items[i], &reads->items[k]))
        return true;
  }
  return false;
}

static bool is_written_ahead(const pl_loop *loop, const pl_copy *copy) {
  const pl_node *top = top_of(loop, loop->node);
  const pl_node *body = loop->func->body;
  pl_effects reads = {0};
  pl_effects_of(loop->effects, loop->func, copy->load, &reads);
  for (uint32_t i = 0; i < body->nkids && body->kids[i]; i++) {
    bool around = body->kids[i] == top;
    if ((!around || top != loop->node) && writes_source(loop, body->kids[i], &reads))
      return true;
    if (around)
      break;
  }
  return false;
}

static void drop_row(pl_loop *loop, pl_copy *copy) {
  for (size_t i = 0; i < loop->fill.nloops; i++) {
    pl_copy_loop *c = &loop->fill.loops[i];
    if (!c->row || !pl_node_within(copy->store, c->node))
      continue;
    c->row = 0;
    for (size_t k = 0; k < loop->fill.ncopies; k++)
      if (pl_node_within(loop->fill.copies[k].store, c->node))
        loop->fill.copies[k].row = NULL;
  }
  copy->row = NULL;
}

void pl_choose_rows(pl_loop *loop) {
  if (pl_loop_arch(loop)->sm < FIRST_WITH_BULK_COPIES)
    return;
  pl_find_rows(loop);
  for (size_t i = 0; i < loop->fill.ncopies; i++) {
    pl_copy *copy = &loop->fill.copies[i];
    if (!copy->row || !is_written_ahead(loop, copy))
      continue;
    drop_row(loop, copy);
    loop->apart_why = "the kernel itself may write what is loaded, which the copy "
                      "engine need not see";
  }
}

const char *pl_needs_rows(const pl_loop *loop, pl_str *why) {
  const char *id = pl_all_take_part(loop, why);
  bool any = false;
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    any = any || loop->fill.copies[i].row;
  if (id)
    return id;
  if (pl_loop_arch(loop)->sm < FIRST_WITH_BULK_COPIES) {
    *why = PL_STR("the architecture has no bulk copies: sm_90 and newer have");
    return "PL5003";
  }
  if (any)
    return NULL;
  *why = pl_arena_printf(loop->arena,
                         "no tile is known to be made of whole rows of at least 512 "
                         "bytes that lie side by side in memory and in the tile%s%s",
                         loop->apart_why ? ": " : "",
                         loop->apart_why ? loop->apart_why : "");
  return "PL5001";
}
