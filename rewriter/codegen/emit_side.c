/* emit_side.c - a tile loop with its loads alone, or with its compute alone.
 *
 * Needs: the plan. For measuring: what the loop would take if the other side
 * were free. Results are wrong. Barriers, trip count and everything outside
 * the loop stay, and the compiler is kept from seeing that half is missing: it
 * must take each tile for one that somebody else reads and writes. */
#include "emit.h"

/* `asm volatile("" : : "l"(&As) : "memory");`: no instruction, but all that was
 * stored to the tile has to be there, and all of it may have changed. */
static void emit_opaque(pl_emitter *e, int level) {
  for (size_t i = 0; i < e->loop->ntiles; i++) {
    const pl_decl *tile = e->loop->tiles[i].decl;
    bool pointer = tile->type && tile->type->kind == PL_TYPE_POINTER;
    pl_emit_line(e, level, "asm volatile(\"\" : : \"l\"(%s%.*s) : \"memory\");",
                 pointer ? "" : "&", PL_FMT(tile->name));
  }
}

static void emit_statement(pl_emitter *e, int level, const pl_stmt *stmt) {
  for (size_t i = 0; stmt->is_vote && i < e->loop->nvotes; i++)
    pl_emit_chunk(e, level, e->loop->votes[i].chunk,
                  e->loop->votes[i].node->range.begin);
  if (stmt->is_vote)
    return;
  pl_emit_chunk(e, level, stmt->chunk, stmt->node->range.begin);
}

static void emit_loads(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  pl_emit_init(e, level);
  int inner = pl_open_own_loop(e, level);
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (stmt->is_barrier ||
        (stmt->in_load && !stmt->is_shared_decl && !stmt->asks &&
         !stmt->always))
      emit_statement(e, inner, stmt);
  }
  emit_opaque(e, inner);
  pl_close_own_loop(e, level);
}

/* Steps stay even where only loads need them: the condition may. */
static bool stays(const pl_stmt *stmt) {
  return !stmt->always && !stmt->asks &&
         (stmt->is_barrier || stmt->is_advance ||
          (stmt->in_compute && !stmt->is_shared_decl));
}

/* Takes down where the load side's variables stand that its text, or the search
 * for its first tile, moves. */
static pl_str *keep_steps(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  pl_str *kept = PL_NEW_ARRAY(e->arena, pl_str, loop->nrecurrences + 1);
  for (size_t i = 0; i < loop->nrecurrences; i++) {
    pl_str name = loop->recurrences[i].decl->name;
    if (loop->recurrences[i].stmt < 0 && !loop->searches && !loop->asks_first)
      continue;
    kept[i] = pl_emit_name(e, "%.*s_first", name);
    pl_emit_line(e, level, "auto %.*s = %.*s;", PL_FMT(kept[i]), PL_FMT(name));
  }
  return kept;
}

/* Steps of the load side go back, so that the loop makes as many rounds as it
 * would have. */
static void take_back_steps(pl_emitter *e, int level, const pl_str *kept) {
  for (size_t i = 0; i < e->loop->nrecurrences; i++)
    if (kept[i].n)
      pl_emit_line(e, level, "%.*s = %.*s;",
                   PL_FMT(e->loop->recurrences[i].decl->name), PL_FMT(kept[i]));
}

/* Opens the block of a loop that has a tile. */
static void open_first_tile(pl_emitter *e, int level) {
  pl_str more = {0};
  if (e->loop->searches) {
    more = pl_emit_name(e, "more", PL_STR(""));
    pl_emit_line(e, level, "bool %.*s = false;", PL_FMT(more));
    pl_emit_search(e, level, more);
  }
  if (e->loop->asks_last && !e->loop->asks_first)
    pl_emit_line(e, level, "{");
  else
    pl_emit_open(e, level, "if (%.*s)",
                 PL_FMT(more.n ? more : pl_cond_text(e, false)));
}

static void emit_first_tile(pl_emitter *e, int level) {
  bool moves = e->loop->searches || e->loop->asks_first;
  const pl_str *kept = moves ? keep_steps(e, level) : NULL;
  int inner = level + 1;
  open_first_tile(e, level);
  const pl_str *moved = kept ? NULL : keep_steps(e, inner);
  pl_emit_line(e, inner, "{");
  pl_emit_load(e, inner + 1);
  pl_emit_line(e, inner, "}");
  if (moved)
    take_back_steps(e, inner, moved);
  pl_emit_barrier_of(e, inner, true);
  pl_emit_line(e, level, "}");
  if (kept)
    take_back_steps(e, level, kept);
}

static void emit_compute(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  pl_emit_init(e, level);
  pl_emit_line(e, level, "// The first tile, for all rounds.");
  emit_first_tile(e, level);
  int inner = pl_open_own_loop(e, level);
  for (size_t i = 0; i < loop->nstmts; i++)
    if (stays(&loop->stmts[i]))
      emit_statement(e, inner, &loop->stmts[i]);
  emit_opaque(e, inner);
  pl_close_own_loop(e, level);
}

void pl_emit_one_side(pl_emitter *e) {
  bool loads = e->loop->options->only == PL_SIDE_LOADS;
  pl_emit_line(e, 0, "// pipelinify: %s alone, to be timed: results are wrong",
               loads ? "loads" : "compute");
  pl_emit_line(e, 0, "{");
  pl_emit_hoisted(e, 1);
  if (loads)
    emit_loads(e, 1);
  else
    emit_compute(e, 1);
  pl_emit_line(e, 0, "}");
}
