/* report_unit.c - what the passes found, as the library's callers see it.
 *
 * Needs: settled loops. Gives: a report of each kernel. Raises nothing. */
#include "forms.h"
#include "rewrite.h"

static const char *keep(pl_arena *arena, pl_str s) {
  return s.n ? pl_arena_cstr(arena, s) : NULL;
}

/* What of a copy is made at once, in the form that the loop has. */
static int copy_bytes(const pl_loop *loop, const pl_loop *body,
                      const pl_copy *copy) {
  bool async = pl_variant_is_async(loop->variant) && !loop->settled &&
               (copy->early || !loop->mixed);
  return (int)(async ? pl_copied_bytes(body, copy) : copy->bytes);
}

static void report_copies(pl_arena *arena, const pl_loop *loop,
                          pl_loop_report *report) {
  size_t room = loop->fill.ncopies + 1;
  for (size_t i = 0; pl_helper_body(loop, i); i++)
    room += pl_helper_body(loop, i)->fill.ncopies;
  int *bytes = PL_NEW_ARRAY(arena, int, room);
  const pl_loop *body = loop;
  for (size_t n = 0; body; body = pl_helper_body(loop, n++))
    for (size_t i = 0; i < body->fill.ncopies; i++)
      if (body->fill.copies[i].reads_memory || body->fill.copies[i].load)
        bytes[report->ncopies++] = copy_bytes(loop, body, &body->fill.copies[i]);
  report->copy_bytes = bytes;
}

/* Whether every barrier of the loop is a statement of its body. */
static bool counts_barriers(const pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if (!loop->stmts[i].is_barrier &&
        pl_effects_find(&loop->stmts[i].effects, PL_EFFECT_BARRIER))
      return false;
  return !loop->settled;
}

/* Both known, or both estimated. */
static void report_registers(const pl_loop *loop, pl_loop_report *report) {
  bool before, after;
  if (loop->settled)
    return;
  report->registers_before = pl_registers_of(loop, PL_VARIANT_AUTO, &before);
  report->registers_after = pl_registers_of(loop, loop->variant, &after);
  report->registers_known = before && after;
  if (before != after)
    report->registers_before = report->registers_after = 0;
}

static pl_loop_report report_loop(pl_arena *arena, const pl_loop *loop) {
  pl_loop_report report = {
      .verdict = loop->verdict,
      .certain = loop->certain,
      .id = loop->id,
      .message = keep(arena, loop->message),
      .notes = loop->notes,
      .nnotes = loop->nnotes,
      .variant = loop->variant,
      .stages = loop->stages,
      .smem_before = loop->smem_before,
      .smem_after = loop->settled ? -1 : loop->smem_after,
      .smem_limit = loop->smem_limit,
      .blocks_before = loop->blocks_before,
      .blocks_after = loop->blocks_after,
      .threads = loop->threads,
      .loading = pl_has_roles(loop) ? loop->roles->threads : 0,
      .staging_bytes = loop->staging_bytes,
      .barriers_before = counts_barriers(loop) ? loop->nbarriers : 0,
      .barriers_after = counts_barriers(loop) ? loop->barriers_after : 0,
      .ratio = loop->ratio,
      .measured = loop->measured,
      .why = keep(arena, loop->why),
      .certificate = loop->certificate,
      .premises = loop->cert_premises,
      .npremises = loop->ncert_premises,
  };
  pl_range own = pl_unit_place(loop->unit, loop->node->range, &report.line,
                               &report.column);
  pl_range at = pl_unit_place(loop->unit,
                              loop->at.end ? loop->at : loop->node->range,
                              &report.at_line, &report.at_column);
  report.begin = own.begin;
  report.end = own.end;
  report.at_begin = at.begin;
  report.at_end = at.end;
  report_copies(arena, loop, &report);
  report_registers(loop, &report);
  if (!loop->settled)
    report.message =
        pl_arena_printf(arena, "tile loop pipelined: %s, %d stage%s",
                        pl_variant_name(loop->variant), loop->stages,
                        loop->stages == 1 ? "" : "s")
            .p;
  return report;
}

static bool func_has_loops(const pl_func *func, const pl_loops *loops) {
  for (size_t i = 0; i < loops->n; i++)
    if (pl_written_func(loops->items[i]->func) == func)
      return true;
  return false;
}

static void report_parameters(pl_arena *arena, const pl_func *func,
                              pl_kernel_report *report) {
  pl_parameter *list = PL_NEW_ARRAY(arena, pl_parameter, func->nparams + 1);
  for (uint32_t i = 0; i < func->nparams; i++) {
    const pl_decl *param = func->params[i];
    pl_str type = param->type ? param->type->spelling : PL_STR("");
    list[i] = (pl_parameter){pl_arena_cstr(arena, param->name),
                             pl_arena_cstr(arena, type)};
  }
  report->parameters = list;
  report->nparameters = func->nparams;
}

static int count_layers(const pl_func *func, const pl_loops *loops) {
  for (size_t i = 0; i < loops->n; i++)
    if (pl_written_func(loops->items[i]->func) == func && pl_has_roles(loops->items[i]))
      return 2;
  return 1;
}

static const char *report_dynamic(pl_arena *arena, const pl_func *func,
                                  const pl_loops *loops) {
  const pl_loop *most = NULL;
  for (size_t i = 0; i < loops->n; i++) {
    const pl_loop *loop = loops->items[i];
    if (pl_written_func(loop->func) == func && !loop->settled && loop->dynamic &&
        loop->stages > 1 && (!most || loop->stages > most->stages))
      most = loop;
  }
  if (!most)
    return NULL;
  if (!most->dynamic->varies)
    return pl_arena_printf(arena, "%lld",
                           (long long)pl_dynamic_with(most->dynamic, most->stages))
        .p;
  int align = (int)most->dynamic->align;
  return pl_arena_printf(arena, "%d * ((smem + %d) / %d * %d) + %d", most->stages,
                         align - 1, align, align, PL_TOLD_APART)
      .p;
}

static pl_kernel_report report_kernel(pl_arena *arena, const pl_unit *unit,
                                      const pl_func *func,
                                      const pl_loops *loops,
                                      const pl_options *options) {
  pl_kernel_report report = {.is_global = func->is_global};
  report.name = keep(arena, func->qualified.n ? func->qualified : func->name);
  unsigned column;
  uint32_t at = func->name_range.end ? func->name_range.begin
                                     : func->range.begin;
  pl_unit_place(unit, (pl_range){at, at + 1}, &report.line, &column);
  const char **names = PL_NEW_ARRAY(arena, const char *, func->ninstances + 1);
  for (uint32_t i = 0; i < func->ninstances; i++)
    names[i] = pl_arena_cstr(arena, func->instances[i].spelling);
  report.instantiations = names;
  report_parameters(arena, func, &report);
  report.ninstantiations = func->ninstances;
  pl_loop_report *list = PL_NEW_ARRAY(arena, pl_loop_report, loops->n + 1);
  for (size_t i = 0; i < loops->n; i++)
    if (pl_written_func(loops->items[i]->func) == func)
      list[report.nloops++] = report_loop(arena, loops->items[i]);
  report.loops = list;
  report.dynamic_smem = report_dynamic(arena, func, loops);
  report.layers = count_layers(func, loops);
  if (report.nloops)
    report.fingerprint = pl_fingerprint(arena, unit, func, options);
  return report;
}

pl_kernel_report *pl_report_unit(pl_arena *arena, const pl_unit *unit,
                                 const pl_loops *loops,
                                 const pl_options *options, size_t *count) {
  pl_kernel_report *list =
      PL_NEW_ARRAY(arena, pl_kernel_report, unit->nfuncs + 1);
  *count = 0;
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    const pl_func *func = unit->funcs[i];
    if (func->in_main && !func->pattern && (func->is_global || func_has_loops(func, loops)))
      list[(*count)++] = report_kernel(arena, unit, func, loops, options);
  }
  return list;
}
