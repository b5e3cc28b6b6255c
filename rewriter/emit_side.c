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
  pl_emit_chunk(e, level, stmt->chunk, stmt->node->range.begin);
}

static void emit_loads(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  pl_emit_init(e, level);
  pl_emit_header(e, level);
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (stmt->is_barrier || (stmt->in_load && !stmt->is_shared_decl))
      emit_statement(e, level + 1, stmt);
  }
  emit_opaque(e, level + 1);
  pl_emit_line(e, level, "}");
}

/* Steps stay even where only loads need them: the condition may. */
static bool stays(const pl_stmt *stmt) {
  return stmt->is_barrier || stmt->is_advance ||
         (stmt->in_compute && !stmt->is_shared_decl);
}

/* Steps of the load side go back, so that the loop makes as many rounds as it
 * would have. */
static void emit_first_tile(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  pl_str *kept = PL_NEW_ARRAY(e->arena, pl_str, loop->nrecurrences + 1);
  for (size_t i = 0; i < loop->nrecurrences; i++) {
    pl_str name = loop->recurrences[i].decl->name;
    if (loop->recurrences[i].stmt < 0)
      continue;
    kept[i] = pl_emit_name(e, "%.*s_first", name);
    pl_emit_line(e, level, "auto %.*s = %.*s;", PL_FMT(kept[i]), PL_FMT(name));
  }
  pl_emit_line(e, level, "{");
  pl_emit_load(e, level + 1);
  pl_emit_line(e, level, "}");
  for (size_t i = 0; i < loop->nrecurrences; i++)
    if (kept[i].n)
      pl_emit_line(e, level, "%.*s = %.*s;",
                   PL_FMT(loop->recurrences[i].decl->name), PL_FMT(kept[i]));
  pl_emit_barrier_of(e, level, true);
}

static void emit_compute(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  pl_str cond = pl_unit_slice(e->unit, loop->cond->range);
  pl_emit_init(e, level);
  pl_emit_line(e, level, "// The first tile, for all rounds.");
  pl_emit_open(e, level, "if (%.*s)", PL_FMT(cond));
  emit_first_tile(e, level + 1);
  pl_emit_line(e, level, "}");
  pl_emit_header(e, level);
  for (size_t i = 0; i < loop->nstmts; i++)
    if (stays(&loop->stmts[i]))
      emit_statement(e, level + 1, &loop->stmts[i]);
  emit_opaque(e, level + 1);
  pl_emit_line(e, level, "}");
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
