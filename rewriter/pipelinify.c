/* pipelinify.c - the order of the passes, and the library's public face. */
#include "pipelinify.h"

#include "embedded.h"
#include "frontend.h"
#include "loop.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pl_result {
  pl_arena *arena;
  const char *error;
  pl_str text;
  pl_edit *edits;
  size_t nedits;
  pl_kernel_report *kernels;
  size_t nkernels;
  const char **headers;
  size_t nheaders;
  const char *dump;
  pl_pragma_list pragmas;
};

static const char *const variant_names[] = {"auto", "ldg", "ldg-single",
                                            "cp.async"};

const char *pl_variant_name(pl_variant variant) {
  return variant_names[variant];
}

bool pl_variant_parse(const char *name, pl_variant *variant) {
  for (size_t i = 0; i < sizeof variant_names / sizeof *variant_names; i++)
    if (strcmp(name, variant_names[i]) == 0) {
      *variant = (pl_variant)i;
      return true;
    }
  return false;
}

const char *pl_verdict_name(pl_verdict verdict) {
  static const char *const names[] = {"pipelined",         "kept",
                                      "refused",           "suppressed",
                                      "already-pipelined", "not-a-tile-loop"};
  return names[verdict];
}

/* ---- reasons ---------------------------------------------------------------- */

static pl_reason reasons[] = {
#define X(number, name, title) {"PL" #number, name, title, NULL},
#include "reasons.def"
#undef X
};

#define REASON_COUNT (sizeof reasons / sizeof *reasons)

const pl_reason *pl_reasons(size_t *count) {
  for (size_t i = 0; i < REASON_COUNT; i++) {
    char name[64];
    snprintf(name, sizeof name, "reasons/%s.md", reasons[i].id);
    const pl_embedded_file *page = pl_embedded_find(name);
    reasons[i].page = page ? page->data : NULL;
  }
  *count = REASON_COUNT;
  return reasons;
}

const pl_reason *pl_reason_find(const char *id_or_name) {
  size_t n;
  const pl_reason *list = pl_reasons(&n);
  for (size_t i = 0; i < n; i++)
    if (strcmp(list[i].id, id_or_name) == 0 ||
        strcmp(list[i].name, id_or_name) == 0)
      return &list[i];
  return NULL;
}

const char *pl_libclang_version(void) {
  static char version[128];
  pl_frontend_version(version, sizeof version);
  return version;
}

/* ---- reports ---------------------------------------------------------------- */

static const char *keep(pl_arena *arena, pl_str s) {
  return s.n ? pl_arena_cstr(arena, s) : NULL;
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
        bytes[report->ncopies++] = (int)body->fill.copies[i].bytes;
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

static pl_loop_report report_loop(pl_arena *arena, const pl_loop *loop) {
  pl_loop_report report = {
      .begin = loop->node->range.begin,
      .end = loop->node->range.end,
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
      .staging_bytes = loop->staging_bytes,
      .barriers_before = counts_barriers(loop) ? loop->nbarriers : 0,
      .barriers_after = counts_barriers(loop) ? loop->barriers_after : 0,
      .ratio = loop->ratio,
      .measured = loop->measured,
      .why = keep(arena, loop->why),
  };
  pl_unit_position(loop->unit, report.begin, &report.line, &report.column);
  pl_range at = loop->at.end ? loop->at : loop->node->range;
  report.at_begin = at.begin;
  report.at_end = at.end;
  pl_unit_position(loop->unit, at.begin, &report.at_line, &report.at_column);
  report_copies(arena, loop, &report);
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
    if (loops->items[i]->func == func)
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

static pl_kernel_report report_kernel(pl_arena *arena, const pl_unit *unit,
                                      const pl_func *func,
                                      const pl_loops *loops,
                                      const pl_options *options) {
  pl_kernel_report report = {.is_global = func->is_global};
  report.name = keep(arena, func->qualified.n ? func->qualified : func->name);
  unsigned column;
  uint32_t at = func->decl && func->decl->name_range.end
                    ? func->decl->name_range.begin
                    : func->range.begin;
  pl_unit_position(unit, at, &report.line, &column);
  const char **names = PL_NEW_ARRAY(arena, const char *, func->ninstances + 1);
  for (uint32_t i = 0; i < func->ninstances; i++)
    names[i] = pl_arena_cstr(arena, func->instances[i].spelling);
  report.instantiations = names;
  report_parameters(arena, func, &report);
  report.ninstantiations = func->ninstances;
  pl_loop_report *list = PL_NEW_ARRAY(arena, pl_loop_report, loops->n + 1);
  for (size_t i = 0; i < loops->n; i++)
    if (loops->items[i]->func == func)
      list[report.nloops++] = report_loop(arena, loops->items[i]);
  report.loops = list;
  if (report.nloops)
    report.fingerprint = pl_fingerprint(arena, unit, func, options);
  return report;
}

static void report_unit(pl_result *result, const pl_unit *unit,
                        const pl_loops *loops, const pl_options *options) {
  pl_arena *arena = result->arena;
  result->kernels = PL_NEW_ARRAY(arena, pl_kernel_report, unit->nfuncs + 1);
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    const pl_func *func = unit->funcs[i];
    if (func->in_main && (func->is_global || func_has_loops(func, loops)))
      result->kernels[result->nkernels++] =
          report_kernel(arena, unit, func, loops, options);
  }
}

/* ---- pragmas and filters ------------------------------------------------------ */

static void suppress_filtered(const pl_options *options, pl_loops *loops) {
  for (size_t i = 0; options->kernel_filter && i < loops->n; i++) {
    pl_loop *loop = loops->items[i];
    pl_str name = loop->func->qualified.n ? loop->func->qualified
                                          : loop->func->name;
    if (!options->kernel_filter(pl_arena_cstr(loop->arena, name),
                                options->filter_context))
      pl_loop_settle(loop, PL_VERDICT_SUPPRESSED, true, NULL, NULL,
                     "the kernel is not selected");
  }
}

/* ---- the passes ------------------------------------------------------------------ */

static void dump(pl_result *result, const pl_options *options,
                 const char *pass, const pl_unit *unit,
                 const pl_loops *loops) {
  if (!options->dump_after || strcmp(options->dump_after, pass) != 0)
    return;
  pl_text out = {.arena = result->arena};
  pl_unit_dump(unit, &out);
  for (size_t i = 0; i < loops->n; i++)
    pl_loop_dump(loops->items[i], &out);
  result->dump = out.n ? out.p : "";
}

typedef struct pass {
  const char *name;
  void (*run)(pl_loop *loop);
} pass;

static const pass loop_passes[] = {
    {"pragmas", pl_apply_pragmas},   {"phases", pl_split_phases},     {"slices", pl_slice},
    {"copies", pl_describe_copies},  {"derived", pl_find_derived},    {"legality", pl_check_legality},
    {"stale", pl_find_stale_cells},
    {"split", pl_split},
};

/* The whole way, in order. */
static void run_passes(pl_result *result, pl_unit *unit,
                       const pl_options *options, pl_loops *loops) {
  pl_effect_context *effects = pl_effect_context_new(unit);
  dump(result, options, "frontend", unit, loops);
  pl_find_loops(unit, effects, options, loops);
  suppress_filtered(options, loops);
  dump(result, options, "loops", unit, loops);
  for (size_t p = 0; p < sizeof loop_passes / sizeof *loop_passes; p++) {
    for (size_t i = 0; i < loops->n; i++)
      loop_passes[p].run(loops->items[i]);
    dump(result, options, loop_passes[p].name, unit, loops);
  }
  pl_plan(loops);
  dump(result, options, "plan", unit, loops);
  pl_emit(unit, loops, &result->edits, &result->nedits);
}

static pl_str apply_edits(pl_arena *arena, pl_str text, const pl_edit *edits,
                          size_t n) {
  pl_text out = {.arena = arena};
  uint32_t at = 0;
  for (size_t i = 0; i < n; i++) {
    pl_text_add(&out, (pl_str){text.p + at, edits[i].offset - at});
    pl_text_add(&out, (pl_str){edits[i].text, edits[i].text_length});
    at = edits[i].offset + edits[i].length;
  }
  pl_text_add(&out, (pl_str){text.p + at, text.n - at});
  return pl_text_view(&out);
}

static pl_parse_request request_for(const char *path, pl_str text,
                                    const pl_options *options) {
  return (pl_parse_request){.path = path,
                            .text = text,
                            .args = options->clang_args,
                            .nargs = options->clang_nargs,
                            .cuda_path = options->cuda_path,
                            .arch = options->arch ? options->arch : 80,
                            .precompiled_shim = options->precompiled_shim};
}

/* The length of a `:LINE:COLUMN` at `at` of a message; 0: there is none. */
static size_t place_length(pl_str message, size_t at) {
  size_t end = at, digits = 0;
  for (int part = 0; part < 2; part++, digits = 0) {
    if (end == message.n || message.p[end++] != ':')
      return 0;
    for (; end < message.n && isdigit((unsigned char)message.p[end]); end++)
      digits++;
    if (!digits)
      return 0;
  }
  return end - at;
}

/* A message without the places that it quotes, which edits move: clang calls a
 * lambda `(lambda at k.cu:30:5)`. */
static pl_str without_places(pl_arena *arena, pl_str message) {
  pl_text out = {.arena = arena};
  for (size_t at = 0; at < message.n;) {
    size_t skipped = place_length(message, at);
    if (!skipped)
      pl_text_add(&out, (pl_str){message.p + at, 1});
    at += skipped ? skipped : 1;
  }
  return pl_text_view(&out);
}

/* How often a message, whatever places it quotes, stands among a unit's
 * problems. */
static uint32_t count_of(const pl_unit *unit, pl_str message) {
  uint32_t n = 0;
  for (uint32_t p = 0; p < unit->nproblems; p++)
    n += pl_str_eq(without_places(unit->arena, unit->problems[p].message),
                   message);
  return n;
}

/* A problem that the source does not have, wherever in the file it is: clones
 * of load helpers and the include stand outside the rewritten kernels. */
static pl_str new_problem(const pl_unit *before, const pl_unit *after) {
  for (uint32_t p = 0; p < after->nproblems; p++) {
    pl_str message =
        without_places(after->arena, after->problems[p].message);
    if (count_of(after, message) > count_of(before, message))
      return after->problems[p].message;
  }
  return (pl_str){0};
}

/* Where the text of a loop is once the edits are made. */
static pl_range region_after(const pl_result *result, const pl_loop *loop) {
  int64_t moved = 0;
  for (size_t i = 0; i < result->nedits; i++) {
    const pl_edit *edit = &result->edits[i];
    if (edit->offset <= loop->node->range.begin &&
        edit->offset + edit->length >= loop->node->range.end) {
      uint32_t begin = (uint32_t)(edit->offset + moved);
      return (pl_range){begin, begin + (uint32_t)edit->text_length};
    }
    moved += (int64_t)edit->text_length - edit->length;
  }
  return (pl_range){0, 0};
}

/* The problem inside a rewritten loop's function, or the name that means
 * something else there. */
static pl_str check_rewritten(pl_result *result, const pl_unit *after,
                              const pl_loop *loop) {
  pl_range region = region_after(result, loop);
  for (uint32_t f = 0; f < after->nfuncs; f++) {
    pl_func *func = after->funcs[f];
    if (!func->in_main || !pl_str_eq(func->qualified, loop->func->qualified))
      continue;
    for (uint32_t p = 0; p < after->nproblems; p++)
      if (pl_range_inside(after->problems[p].range, func->range))
        return pl_arena_printf(result->arena,
                               "the rewritten text does not parse: %.*s",
                               PL_FMT(after->problems[p].message));
    pl_str name = {0};
    if (func->body && loop->options->only == PL_SIDE_BOTH &&
        pl_range_inside(region, func->body->range))
      name = pl_changed_meaning(loop, after, func, region);
    if (name.n)
      return pl_arena_printf(
          result->arena,
          "in the rewritten text '%.*s' would mean something else",
          PL_FMT(name));
  }
  return (pl_str){0};
}

/* The rewritten text must parse as well as the source did, every rewritten
 * kernel without an error, and what was moved must mean what it did. Returns
 * what is wrong, or nothing. */
static pl_str self_check(pl_result *result, const char *path,
                         const pl_options *options, const pl_unit *before,
                         const pl_loops *loops) {
  pl_str error = {0};
  pl_parse_request request = request_for(path, result->text, options);
  request.force_toolkit = before->used_toolkit;
  pl_unit *unit = pl_parse(result->arena, &request, &error);
  if (!unit)
    return error;
  for (size_t i = 0; i < loops->n; i++) {
    pl_str why = {0};
    if (!loops->items[i]->settled)
      why = check_rewritten(result, unit, loops->items[i]);
    if (why.n)
      return why;
  }
  error = new_problem(before, unit);
  if (error.n)
    error = pl_arena_printf(result->arena,
                            "the rewritten text does not parse: %.*s",
                            PL_FMT(error));
  return error;
}

static void withdraw(pl_result *result, pl_loops *loops, pl_str why) {
  result->nedits = 0;
  for (size_t i = 0; i < loops->n; i++)
    if (!loops->items[i]->settled)
      pl_refuse(loops->items[i], false, "PL9001", NULL, "%.*s", PL_FMT(why));
}

/* What pl_rewrite was called with, for pl_arena_try. */
typedef struct job {
  pl_arena *arena;
  pl_result *result;
  const char *path;
  pl_str text;
  const pl_options *options;
} job;

static void rewrite(void *context) {
  job *j = context;
  pl_result *result = j->result = PL_NEW(j->arena, pl_result);
  result->arena = j->arena;
  result->text = pl_arena_str(j->arena, j->text.p, j->text.n);
  pl_str error = {0};
  pl_parse_request request = request_for(j->path, result->text, j->options);
  pl_unit *unit = pl_parse(j->arena, &request, &error);
  if (!unit) {
    result->error = pl_arena_cstr(j->arena, error);
    return;
  }
  result->headers = unit->headers;
  result->nheaders = unit->nheaders;
  pl_loops loops = {0};
  run_passes(result, unit, j->options, &loops);
  if (result->nedits) {
    pl_str source = result->text;
    result->text =
        apply_edits(j->arena, source, result->edits, result->nedits);
    pl_str why = self_check(result, j->path, j->options, unit, &loops);
    if (why.n) {
      if (j->options->dump_after && strcmp(j->options->dump_after, "emit") == 0)
        result->dump = result->text.p;
      result->text = source;
      withdraw(result, &loops, why);
    }
  }
  report_unit(result, unit, &loops, j->options);
  pl_check_pragmas(unit, &loops, &result->pragmas);
}

/* Where there is no memory for a result either. */
static pl_result out_of_memory = {.error = "out of memory",
                                  .text = {.p = "", .n = 0}};

pl_result *pl_rewrite(const char *path, const char *text, size_t length,
                      const pl_options *options) {
  job j = {.path = path, .text = {text, length}, .options = options};
  j.arena = pl_arena_new(NULL);
  if (j.arena && pl_arena_try(j.arena, rewrite, &j))
    return j.result;
  pl_arena_free(j.arena);
  return &out_of_memory;
}

/* ---- the shim, precompiled ------------------------------------------------ */

typedef struct shim_job {
  pl_arena *arena;
  pl_parse_request request;
  const char *path; /* to write to; NULL: the key is wanted */
  char *key;
  bool saved;
} shim_job;

static void work_on_shim(void *context) {
  shim_job *j = context;
  if (j->path) {
    j->saved = pl_frontend_save_shim(j->arena, &j->request, j->path);
    return;
  }
  pl_str key = pl_frontend_shim_key(j->arena, &j->request);
  if (key.n && (j->key = malloc(key.n + 1))) {
    memcpy(j->key, key.p, key.n);
    j->key[key.n] = '\0';
  }
}

static shim_job do_shim_job(const char *text, size_t length,
                            const pl_options *options, const char *path) {
  shim_job j = {.request = request_for("", (pl_str){text, length}, options),
                .path = path,
                .arena = pl_arena_new(NULL)};
  if (j.arena)
    pl_arena_try(j.arena, work_on_shim, &j);
  pl_arena_free(j.arena);
  return j;
}

char *pl_shim_key(const char *text, size_t length, const pl_options *options) {
  return do_shim_job(text, length, options, NULL).key;
}

bool pl_shim_precompile(const char *text, size_t length,
                        const pl_options *options, const char *path) {
  return do_shim_job(text, length, options, path).saved;
}

void pl_result_free(pl_result *result) {
  if (result)
    pl_arena_free(result->arena);
}

const char *pl_result_error(const pl_result *result) { return result->error; }

const char *pl_result_text(const pl_result *result, size_t *length) {
  *length = result->text.n;
  return result->text.p;
}

const pl_edit *pl_result_edits(const pl_result *result, size_t *count) {
  *count = result->nedits;
  return result->edits;
}

const pl_kernel_report *pl_result_kernels(const pl_result *result,
                                          size_t *count) {
  *count = result->nkernels;
  return result->kernels;
}

const pl_pragma_report *pl_result_pragmas(const pl_result *result,
                                          size_t *count) {
  *count = result->pragmas.n;
  return result->pragmas.items;
}

const char *const *pl_result_headers(const pl_result *result, size_t *count) {
  *count = result->nheaders;
  return result->headers;
}

const char *pl_result_dump(const pl_result *result) { return result->dump; }
