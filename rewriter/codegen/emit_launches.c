/* emit_launches.c - what do launches give once a kernel's dynamic tiles have stages?
 *
 * Needs: the tiles' stages, the launches that plan_launches.c found. Gives: the edits
 * of their bytes, and statements in front of them that allow so many. Raises
 * nothing.
 *
 * The launch's own expression stays: what it gives more is added to it. */
#include "emit.h"
#include "macros.h"

/* Whether a kernel, with the stages of all its loops, has more static and dynamic
 * memory than without asking. */
static bool is_beyond_default(const pl_loops *loops, const pl_func *kernel) {
  for (size_t i = 0; i < loops->n; i++) {
    const pl_loop *loop = loops->items[i];
    if (!loop->settled && pl_written_func(loop->func) == kernel &&
        pl_needs_leave(loop))
      return true;
  }
  return false;
}

static bool is_macro(const pl_unit *unit, pl_str name) {
  return pl_macro_is_given(unit, name) ||
         pl_macro_definitions(unit, name, UINT32_MAX) > 0;
}

/* Whether a sum can be made of an expression by adding to its end. */
static bool is_summand(const pl_unit *unit, pl_range expr) {
  static const char *const words[] = {"*", "/", "+", "-", ")", "::"};
  pl_run run = pl_tokens_in(unit, expr);
  int depth = 0;
  for (uint32_t i = run.first; i < run.end; i++) {
    depth += pl_token_is(unit, i, "(") - pl_token_is(unit, i, ")");
    bool known = unit->tokens[i].kind == PL_TOK_NUMBER || depth;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
      known = known || pl_token_is(unit, i, words[k]);
    if (unit->tokens[i].kind == PL_TOK_IDENT)
      known = !is_macro(unit, pl_token_text(unit, i));
    if (!known)
      return false;
  }
  return true;
}

/* What is put in front of the bytes, and behind them. */
typedef struct more_bytes {
  pl_str before, behind;
} more_bytes;

static more_bytes more_than(pl_emitter *e, const pl_dynamic_memory *memory,
                            const pl_launch_place *place, int stages) {
  bool bare = is_summand(e->unit, place->expr);
  if (!memory->varies)
    return (more_bytes){
        bare ? PL_STR("") : PL_STR("("),
        pl_arena_printf(e->arena, "%s + %.*s", bare ? "" : ")",
                        PL_FMT(pl_bytes_text(e->arena, memory,
                                             pl_dynamic_with(memory, stages) - place->bytes)))};
  int align = (int)memory->align;
  return (more_bytes){
      pl_arena_printf(e->arena, "%d * ((%s", stages, bare ? "" : "("),
      pl_arena_printf(e->arena, "%s + %d) / %d * %d) + %d", bare ? "" : ")",
                      align - 1, align, align, PL_TOLD_APART)};
}

static void allow(pl_emitter *e, const pl_dynamic_memory *memory,
                  const pl_launch_place *place, int stages) {
  more_bytes more = more_than(e, memory, place, stages);
  pl_str number =
      place->config ? pl_arena_printf(e->arena, "%.*s.dynamicSmemBytes", PL_FMT(place->config->name))
      : memory->varies
          ? pl_arena_printf(e->arena, "%.*s%.*s%.*s", PL_FMT(more.before),
                            PL_FMT(pl_unit_slice(e->unit, place->expr)),
                            PL_FMT(more.behind))
          : pl_bytes_text(e->arena, memory, pl_dynamic_with(memory, stages));
  pl_emit_add_edit(
      e, place->begin, 0,
      pl_arena_printf(
          e->arena,
          "cudaFuncSetAttribute(%.*s, cudaFuncAttributeMaxDynamicSharedMemorySize, "
          "%.*s)%s\n%.*s",
          PL_FMT(pl_unit_slice(e->unit, place->callee)), PL_FMT(number),
          place->alone ? "," : ";",
          PL_FMT(pl_emit_indent_of(e->unit, place->begin))));
}

static void give_more(pl_emitter *e, const pl_dynamic_memory *memory,
                      const pl_launch_place *place, int stages) {
  more_bytes more = more_than(e, memory, place, stages);
  if (more.before.n)
    pl_emit_add_edit(e, place->expr.begin, 0, more.before);
  pl_emit_add_edit(e, place->expr.end, 0, more.behind);
}

/* A configuration may serve several launches. */
static bool is_first_of_bytes(const pl_dynamic_memory *memory, size_t k) {
  for (size_t i = 0; i < k; i++)
    if (memory->launches[i].expr.begin == memory->launches[k].expr.begin)
      return false;
  return true;
}

static bool is_first_of_kernel(const pl_emitter *e, size_t tile) {
  for (size_t i = 0; i < tile; i++)
    if (e->tiles[i].dynamic && pl_written_func(e->tiles[i].func) ==
                                   pl_written_func(e->tiles[tile].func))
      return false;
  return true;
}

void pl_edit_launches(pl_emitter *e, const pl_loops *loops) {
  for (size_t i = 0; i < e->ntiles; i++) {
    const pl_staged_tile *tile = &e->tiles[i];
    const pl_dynamic_memory *memory = tile->dynamic;
    if (!memory || !is_first_of_kernel(e, i))
      continue;
    bool allows = memory->limited || (memory->open && memory->may_allow) ||
                is_beyond_default(loops, pl_written_func(tile->func));
    for (size_t k = 0; k < memory->n; k++) {
      if (allows)
        allow(e, memory, &memory->launches[k], tile->stages);
      if (is_first_of_bytes(memory, k))
        give_more(e, memory, &memory->launches[k], tile->stages);
    }
  }
}
