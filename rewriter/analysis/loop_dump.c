/* loop_dump.c - a loop as text, for --dump-after and the tests of passes. */
#include "loop.h"

static void dump_statement(const pl_loop *loop, const pl_stmt *stmt,
                           pl_text *out) {
  unsigned line, column;
  pl_unit_position(loop->unit, stmt->node->range.begin, &line, &column);
  pl_text_printf(out, "  line %u phase %d %s%s%s%s%s%s\n", line, stmt->phase,
                 pl_node_kind_name(stmt->node->kind),
                 stmt->is_barrier ? " barrier" : "",
                 stmt->in_load ? " load" : "",
                 stmt->in_compute ? " compute" : "",
                 stmt->fills ? " fills" : "",
                 stmt->is_advance ? " advance" : "");
}

static void dump_copy(const pl_loop *loop, const pl_copy *copy, pl_text *out) {
  static const char *const staging[] = {"replayed", "value", "loads"};
  unsigned line, column;
  pl_unit_position(loop->unit, copy->store->range.begin, &line, &column);
  pl_text_printf(out, "  copy line %u tile %.*s bytes %lld slots %lld %s %s\n",
                 line, PL_FMT(copy->tile->decl->name), (long long)copy->bytes,
                 (long long)copy->slots, staging[copy->staging],
                 copy->wide       ? "wide"
                 : copy->async_id ? copy->async_id
                 : copy->load     ? "async"
                                  : "plain");
}

void pl_loop_dump(const pl_loop *loop, pl_text *out) {
  unsigned line, column;
  pl_unit_position(loop->unit, loop->node->range.begin, &line, &column);
  pl_text_printf(out, "loop %.*s line %u: %s %s %.*s\n",
                 PL_FMT(loop->func->name), line,
                 loop->settled ? pl_verdict_name(loop->verdict)
                               : pl_variant_name(loop->variant),
                 loop->id ? loop->id : "", PL_FMT(loop->message));
  for (size_t i = 0; i < loop->ntiles; i++) {
    const pl_tile *tile = &loop->tiles[i];
    pl_text_printf(out, "  tile %.*s bytes %lld%s%s%s%s%s%s\n",
                   PL_FMT(tile->decl->name), (long long)tile->bytes,
                   tile->dynamic ? " dynamic" : "", tile->wide ? " wide" : "",
                   tile->partial ? " partial" : "",
                   tile->prefilled ? " prefilled" : "",
                   tile->used_outside ? " used-outside" : "",
                   tile->fixed ? " fixed" : "");
  }
  for (size_t i = 0; i < loop->nrecurrences; i++)
    pl_text_printf(out, "  recurrence %.*s%s%s\n",
                   PL_FMT(loop->recurrences[i].decl->name),
                   loop->recurrences[i].stmt < 0 ? " header" : "",
                   loop->recurrences[i].compute_needs ? " compute" : "");
  for (size_t i = 0; i < loop->nstmts; i++)
    dump_statement(loop, &loop->stmts[i], out);
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    dump_copy(loop, &loop->fill.copies[i], out);
  const pl_loop_facts *f = &loop->facts;
  if (f->reads > 0 || f->copied > 0)
    pl_text_printf(out, "  a thread and tile: copies %g %g %g bytes %g made %g guarded "
                        "%g reads %g operations %g held %lld grid %lld\n",
                   f->narrow, f->middle, f->wide, f->copied, f->made, f->guarded,
                   f->reads, f->operations, (long long)f->held, (long long)f->grid);
  const pl_gain *g = &loop->gain;
  if (!loop->settled && g->middle > 0) {
    pl_text_printf(out, "  gain %.3f %.3f %.3f of %s-%d class %d terms", g->low,
                   g->middle, g->high, pl_variant_name(loop->variant), loop->stages,
                   g->class);
    for (int i = 0; i < PL_GAIN_TERMS; i++)
      pl_text_printf(out, " %.6g", g->terms[i]);
    pl_text_printf(out, "\n");
  }
  if (loop->narrow_why)
    pl_text_printf(out, "  not wide: %s\n", loop->narrow_why);
  if (loop->ldg_id)
    pl_text_printf(out, "  not ldg: %s %.*s\n", loop->ldg_id,
                   PL_FMT(loop->ldg_why));
  if (loop->async_id)
    pl_text_printf(out, "  not cp.async: %s %.*s\n", loop->async_id,
                   PL_FMT(loop->async_why));
  if (loop->double_id)
    pl_text_printf(out, "  one buffer: %s %.*s\n", loop->double_id,
                   PL_FMT(loop->double_why));
}
