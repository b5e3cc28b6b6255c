/* emit_count.c - by which name does the text know the number of stages?
 *
 * Needs: where plan_stage_count.c has found room for a constant. Gives: its
 * declaration, and the text of numbers that are made from it. Raises nothing. */
#include "emit.h"

static const struct pl_stage_count *count_at(const pl_emitter *e,
                                             const pl_node *before) {
  for (size_t i = 0; before && i < e->ncounts; i++)
    if (e->counts[i].before == before)
      return &e->counts[i];
  return NULL;
}

/* The name that another function has for its own, so that each kernel of a file has
 * its `stages`. */
static pl_str name_for(pl_emitter *e, const pl_func *func) {
  bool own = false;
  for (size_t i = 0; i < e->ncounts; i++)
    own = own || e->counts[i].func == func;
  return e->ncounts && !own ? e->counts[0].name
                            : pl_emit_name(e, "stages", PL_STR(""));
}

void pl_name_counts(pl_emitter *e, const pl_loops *loops) {
  for (size_t i = 0; i < loops->n; i++) {
    const pl_loop *loop = loops->items[i];
    if (!loop->counts_from || count_at(e, loop->counts_from))
      continue;
    struct pl_stage_count count = {loop->counts_from, loop->func,
                                   name_for(e, loop->func)};
    PL_PUSH(e->arena, e->counts, e->ncounts, e->counts_cap, count);
  }
}

pl_str pl_stages_text(const pl_emitter *e, const pl_loop *loop, int plus) {
  const struct pl_stage_count *count = count_at(e, loop->counts_from);
  if (!count)
    return pl_arena_printf(e->arena, "%d", loop->stages + plus);
  return plus ? pl_arena_printf(e->arena, "%.*s %c %d", PL_FMT(count->name),
                                plus < 0 ? '-' : '+', plus < 0 ? -plus : plus)
              : count->name;
}

pl_str pl_count_of_tile(const pl_emitter *e, const pl_staged_tile *tile) {
  const struct pl_stage_count *count = count_at(e, tile->counts_from);
  return count ? count->name : pl_arena_printf(e->arena, "%d", tile->stages);
}

pl_str pl_count_before(const pl_emitter *e, const pl_node *stmt, int stages) {
  const struct pl_stage_count *count = count_at(e, stmt);
  if (!count)
    return PL_STR("");
  return pl_arena_printf(e->arena, "constexpr int %.*s = %d;\n%.*s",
                         PL_FMT(count->name), stages,
                         PL_FMT(pl_emit_indent_of(e->unit, stmt->range.begin)));
}
