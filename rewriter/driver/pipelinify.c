/* pipelinify.c - the library's public face. */
#include "pipelinify.h"

#include "expansions.h"
#include "line_breaks.h"
#include "remembered.h"
#include "rewrite.h"
#include "spacing.h"

#include <stdlib.h>
#include <string.h>

/* One use of a macro for each loop a time. */
#define MOST_EXPANSIONS 32

struct pl_result {
  pl_arena *arena;
  const char *error;
  pl_str source, text;
  pl_edit *edits;
  size_t nedits;
  pl_kernel_report *kernels;
  size_t nkernels;
  const char **headers;
  size_t nheaders;
  const char *dump;
  pl_pragma_list pragmas;
  pl_gap *gaps;
  size_t ngaps;
};

const char *pl_libclang_version(void) {
  static char version[512];
  pl_frontend_version(version, sizeof version);
  return version;
}

const char *pl_libclang_missing(void) { return pl_frontend_load(); }

void pl_libclang_load(void) { pl_frontend_load(); }

const char *const *pl_libclang_files(void) { return pl_frontend_libraries(); }

void pl_libclang_use(const char *file) { pl_frontend_use(file); }

/* What pl_rewrite was called with, for pl_arena_try. */
typedef struct job {
  pl_arena *arena;
  pl_result *result;
  const char *path;
  pl_str text;
  const pl_options *options;
  bool with_toolkit; /* what the shim lacks of headers is in the way of a loop */
  const pl_unit *first; /* of the source; NULL: it was not parsed yet */
  bool done;
} job;

/* What a refusal says, with the user's own names in quotes. */
static pl_str in_own_words(pl_arena *arena, const pl_expanded *of, pl_str text) {
  pl_text out = {.arena = arena};
  size_t at = 0;
  for (size_t i = 0, open = 0; i < text.n; i++) {
    if (text.p[i] != '\'')
      continue;
    const pl_made_name *r = open ? of->renamed : NULL;
    while (r && !pl_str_eq(r->made, (pl_str){text.p + open, i - open}))
      r = r->next;
    if (r) {
      pl_text_add(&out, (pl_str){text.p + at, open - at});
      pl_text_add(&out, r->meant);
      at = i;
    }
    open = open ? 0 : i + 1;
  }
  pl_text_add(&out, (pl_str){text.p + at, text.n - at});
  return pl_text_view(&out);
}

static pl_attempt *run_as(const job *j, pl_result *result, const pl_expanded *of,
                          const pl_attempt *chosen, pl_denials denied) {
  pl_attempt *attempt = PL_NEW(j->arena, pl_attempt);
  *attempt = (pl_attempt){.arena = j->arena,
                          .path = j->path,
                          .options = j->options,
                          .with_toolkit = j->with_toolkit,
                          .parsed_like = j->first,
                          .source = of->text,
                          .expanded = of->origins ? of : NULL,
                          .denied = denied,
                          .chosen = chosen};
  pl_attempt_run(attempt);
  for (size_t i = 0; of->renamed && i < attempt->loops.n; i++) {
    pl_loop *loop = attempt->loops.items[i];
    loop->message = in_own_words(j->arena, of, loop->message);
  }
  if (attempt->dump)
    result->dump = attempt->dump;
  return attempt;
}

static pl_attempt *run(const job *j, pl_result *result, const pl_expanded *of,
                       pl_denials denied) {
  return run_as(j, result, of, NULL, denied);
}

/* Whether nothing is wrong with what came of an attempt; else who is denied what. */
static bool is_right(const pl_attempt *a, pl_denials *denied) {
  size_t before = denied->n;
  if (!a->nedits)
    return true;
  bool certified = pl_is_certified(a->options);
  pl_arena *arena = pl_arena_child(a->arena);
  pl_unit *after = pl_self_check(a, certified, arena, denied);
  if (denied->n == before)
    pl_check_branches(a, denied);
  if (denied->n == before && certified)
    pl_certify_attempt(a, after, denied);
  pl_arena_free(arena);
  return denied->n == before;
}

/* Looks at what came of an attempt, and makes it again without the loops that
 * cannot be left so, until nothing is wrong. */
static pl_attempt *settle(const job *j, pl_result *result,
                          const pl_expanded *of, pl_attempt *attempt) {
  pl_denials denied = {0};
  while (!is_right(attempt, &denied)) {
    if (j->options->dump_after && strcmp(j->options->dump_after, "emit") == 0)
      result->dump = attempt->text.p;
    attempt = run_as(j, result, of, attempt->chosen, denied);
  }
  return attempt;
}

static bool is_fine(const pl_loop *loop) {
  return loop->verdict == PL_VERDICT_PIPELINED ||
         loop->verdict == PL_VERDICT_KEPT;
}

static size_t count_fine(const pl_attempt *a) {
  size_t n = 0;
  for (size_t i = 0; i < a->loops.n; i++)
    n += is_fine(a->loops.items[i]);
  return n;
}

/* How many loops nothing is said against but for what a variant needs. */
static size_t count_legal(const pl_attempt *a) {
  size_t n = 0;
  for (size_t i = 0; i < a->loops.n; i++)
    n += is_fine(a->loops.items[i]) || a->loops.items[i]->legal;
  return n;
}

/* How many loops copy asynchronously; those that copy all of their tiles so count
 * twice. */
static size_t count_async(const pl_attempt *a) {
  size_t n = 0;
  for (size_t i = 0; i < a->loops.n; i++) {
    const pl_loop *loop = a->loops.items[i];
    if (loop->verdict == PL_VERDICT_PIPELINED &&
        pl_variant_is_async(loop->variant))
      n += loop->mixed ? 1 : 2;
  }
  return n;
}

/* How many have several buffers. */
static size_t count_staged(const pl_attempt *a) {
  size_t n = 0;
  for (size_t i = 0; i < a->loops.n; i++)
    n += a->loops.items[i]->verdict == PL_VERDICT_PIPELINED && a->loops.items[i]->stages > 1;
  return n;
}

static bool has_id(const pl_loop *loop, const char *id) {
  return loop->id && strcmp(loop->id, id) == 0;
}

static bool is_read(const pl_loop *loop) {
  return !has_id(loop, "PL1001") && !has_id(loop, "PL1002");
}

static bool says_why(const pl_loop *loop) {
  return is_read(loop) && !has_id(loop, "PL9001") && !has_id(loop, "PL9002");
}

static size_t count_read(const pl_attempt *a) {
  size_t n = 0;
  for (size_t i = 0; i < a->loops.n; i++)
    n += is_read(a->loops.items[i]);
  return n;
}

/* The attempt on the source. The shim lacks most of what headers of libraries ask of
 * the standard library; where that is in the way of a loop, even if it is far from it,
 * the toolkit's headers are read, for all attempts to come if that shows more. */
static pl_attempt *attempt_source(job *j, pl_result *result, const pl_expanded *source) {
  pl_attempt *first = run(j, result, source, (pl_denials){0});
  j->first = first->unit;
  size_t seen = first->unit ? count_read(first) : 0;
  if (!first->unit || first->unit->used_toolkit || !j->options->cuda_path ||
      seen == first->loops.n)
    return first;
  j->with_toolkit = true;
  pl_attempt *again = run(j, result, source, (pl_denials){0});
  if (again->unit && again->loops.n >= first->loops.n && count_read(again) > seen) {
    j->first = again->unit;
    return again;
  }
  j->with_toolkit = false;
  return first;
}

/* Whether each loop that was rewritten still is. */
static bool keeps_all(const pl_attempt *a, const pl_attempt *than) {
  bool all = a->loops.n == than->loops.n;
  for (size_t i = 0; all && i < a->loops.n; i++)
    all = than->loops.items[i]->verdict != PL_VERDICT_PIPELINED ||
          a->loops.items[i]->verdict == PL_VERDICT_PIPELINED;
  return all;
}

/* Whether an attempt on a text with macros' bodies in it is to be kept: more loops
 * are fine, or for each that is not there is a reason in what it does, in words that
 * the user knows. */
static bool is_better(const pl_attempt *a, const pl_expanded *of,
                      const pl_attempt *than) {
  size_t fine = a->unit ? count_fine(a) : 0, before = count_fine(than);
  bool better = a->unit && fine >= before && a->loops.n >= than->loops.n &&
                pl_waits_stay_together(a, of) &&
                (fine > before || !of->renames ||
                 count_legal(a) > count_legal(than));
  if (better && of->for_async && fine == before)
    better = keeps_all(a, than) &&
             (count_async(a) > count_async(than) ||
              (count_async(a) == count_async(than) && count_staged(a) > count_staged(than)));
  for (size_t i = 0; better && fine == before && i < a->loops.n; i++)
    better = says_why(a->loops.items[i]);
  return better;
}

/* Marks the loops of functions in which one has lost its form, so that parts of their
 * blocks are not set apart once more; false: there are none, or that is not why. */
static bool find_unparted(const pl_attempt *a, const pl_attempt *before) {
  bool any = false;
  for (size_t i = 0; a->unit && a->loops.n == before->loops.n && i < a->loops.n; i++) {
    pl_loop *was = before->loops.items[i];
    if (was->verdict != PL_VERDICT_PIPELINED || was->parts_stay ||
        a->loops.items[i]->verdict == PL_VERDICT_PIPELINED ||
        !pl_has_parts_apart(a->loops.items[i]->func))
      continue;
    for (size_t k = 0; k < before->loops.n; k++)
      if (pl_written_func(before->loops.items[k]->func) == pl_written_func(was->func))
        before->loops.items[k]->parts_stay = true;
    any = true;
  }
  return any;
}

static void keep_unparted(const pl_attempt *before, const pl_attempt *a) {
  for (size_t i = 0; a->unit && a->loops.n == before->loops.n && i < a->loops.n; i++)
    a->loops.items[i]->parts_stay |= before->loops.items[i]->parts_stay;
}

static const pl_expanded *expanded_source(const job *j, const pl_result *result) {
  pl_expanded *source = PL_NEW(j->arena, pl_expanded);
  source->text = source->source = result->source;
  source->lines = pl_find_lines(j->arena, result->source);
  return source;
}

/* What comes of the source as it stands. */
static const pl_attempt *settled_source(job *j, pl_result *result, const pl_expanded **of) {
  *of = expanded_source(j, result);
  return settle(j, result, *of, attempt_source(j, result, *of));
}

/* Where a macro's body holds a part of a loop, the loop is looked at with that body
 * in its place. `settled`: each attempt on the way is, not as it first comes. */
static pl_attempt *best_attempt(job *j, pl_result *result, bool settled,
                                const pl_expanded **of) {
  const pl_expanded *source = expanded_source(j, result), *from = *of = source;
  pl_attempt *best = attempt_source(j, result, source), *last;
  last = best = settled ? settle(j, result, source, best) : best;
  for (int i = 0; i < MOST_EXPANSIONS; i++) {
    pl_expanded *to = PL_NEW(j->arena, pl_expanded);
    const pl_attempt *before = last;
    if (!pl_expand_macros(before, from, to))
      break;
    last = run(j, result, to, (pl_denials){0});
    if (find_unparted(last, before)) {
      if (!pl_expand_macros(before, from, to))
        break;
      last = run(j, result, to, (pl_denials){0});
    }
    keep_unparted(before, last);
    from = to;
    last = settled ? settle(j, result, to, last) : last;
    if (is_better(last, to, best)) {
      best = last;
      *of = to;
    }
  }
  return best;
}

/* Whether a loop has lost more than it gains by longer rows: its form, stages, or more
 * of its blocks than of its conflicts. */
static bool has_lost(const pl_loop *padded, const pl_loop *before) {
  return padded->variant != before->variant || padded->stages < before->stages ||
         (padded->blocks_after < before->blocks_after &&
          padded->blocks_after * before->conflicts <=
              before->blocks_after * before->padded_conflicts);
}

/* Marks the loops that longer rows have cost that they are pipelined, or, where they are
 * our choice, what they gain: all of them where those are known already. False: none. */
static bool find_losers(const pl_attempt *padded, const pl_attempt *best) {
  bool any = false, fresh = false;
  bool known = padded->unit && padded->loops.n == best->loops.n;
  for (size_t i = 0; i < best->loops.n; i++) {
    const pl_loop *a = known ? padded->loops.items[i] : NULL;
    pl_loop *b = best->loops.items[i];
    bool chosen = b->options->row_padding == PL_ROW_PADDING_AUTO;
    bool loses = !a || (is_fine(b) && (!is_fine(a) || (chosen && has_lost(a, b))));
    fresh = fresh || (loses && !b->rows_stay);
    b->rows_stay = b->rows_stay || loses;
    any = any || loses;
  }
  for (size_t i = 0; any && !fresh && i < best->loops.n; i++)
    best->loops.items[i]->rows_stay = true;
  return any;
}

/* What is said of a loop of the source, and why it has its form. */
static void hand_on(const pl_attempt *from, const pl_attempt *to) {
  for (size_t i = 0; i < from->loops.n; i++) {
    const pl_loop *before = from->loops.items[i];
    pl_loop *loop = to->loops.items[i];
    if (loop->settled)
      continue;
    loop->notes = before->notes;
    loop->nnotes = before->nnotes;
    loop->why = before->why;
    loop->gain = before->gain;
    loop->smem_before = before->smem_before;
  }
}

/* What a measurement is of is the source, not the text with longer rows. */
static void report(pl_result *result, const pl_attempt *last, const pl_attempt *best) {
  size_t n;
  const pl_kernel_report *before = pl_report_unit(best->arena, best->unit, &best->loops,
                                                  best->options, &n);
  result->kernels = pl_report_unit(last->arena, last->unit, &last->loops, last->options,
                                   &result->nkernels);
  for (size_t i = 0; last != best && i < n && i < result->nkernels; i++)
    result->kernels[i].fingerprint = before[i].fingerprint;
}

/* The attempt with padding behind the rows of tiles, where their loops' options ask for
 * it. */
static const pl_attempt *with_padding(const job *j, pl_result *result,
                                      const pl_attempt *best, const pl_expanded **of) {
  pl_expanded *to = PL_NEW(j->arena, pl_expanded);
  const pl_attempt *padded = best;
  if (!best->unit || !pl_pads_rows(best))
    return best;
  do {
    if (!pl_pad_rows(best, *of, to))
      return best;
    padded = settle(j, result, to, run_as(j, result, to, best, (pl_denials){0}));
  } while (find_losers(padded, best));
  hand_on(best, padded);
  *of = to;
  return padded;
}

/* To settle an attempt takes longer than to make it: only the best one is, and all
 * of them where that one cannot be left so. */
static const pl_attempt *settle_expanded(job *j, pl_result *result,
                                         const pl_expanded **of) {
  pl_attempt *best = best_attempt(j, result, false, of);
  const pl_attempt *left = settle(j, result, *of, best);
  if (left == best ||
      (!(*of)->origins && !pl_expand_macros(best, *of, &(pl_expanded){0})))
    return left;
  return best_attempt(j, result, true, of);
}

/* The text of an attempt, as the source's with edits. */
static void give_text(const job *j, pl_result *result, const pl_attempt *a,
                      const pl_expanded *of) {
  result->text = a->text;
  result->edits = a->edits;
  result->nedits = a->nedits;
  pl_edits_of_source(j->arena, of, &result->edits, &result->nedits);
  bool spaced = pl_keep_spacing(j->arena, result->source, result->edits, result->nedits);
  if (pl_break_lines(j->arena, result->source, result->edits, result->nedits) || spaced ||
      of->origins)
    result->text = pl_apply_edits(j->arena, result->source, result->edits,
                                  result->nedits);
}

static void rewrite(void *context) {
  job *j = context;
  pl_result *result = j->result = PL_NEW(j->arena, pl_result);
  result->arena = j->arena;
  result->source = pl_arena_str(j->arena, j->text.p, j->text.n);
  const pl_expanded *of;
  const pl_attempt *best = settle_expanded(j, result, &of);
  const pl_attempt *last = with_padding(j, result, best, &of);
  if (!last->unit) {
    result->text = last->text;
    result->error = pl_arena_cstr(j->arena, last->error);
    return;
  }
  give_text(j, result, last, of);
  /* The attempt's own text was checked. That of the source is another one where the
   * attempt is not on the source. */
  if (of->origins && last->nedits && !pl_parses_as_well(last, result->text)) {
    best = last = settled_source(j, result, &of);
    give_text(j, result, last, of);
  }
  result->headers = last->unit->headers;
  result->nheaders = last->unit->nheaders;
  report(result, last, best);
  pl_check_pragmas(last->unit, &last->loops, &result->pragmas);
  result->gaps =
      pl_find_gaps(j->arena, last->unit, &last->loops, &result->ngaps);
}

/* Where there is no memory for a result either. */
static pl_result out_of_memory = {.error = "out of memory",
                                  .text = {.p = "", .n = 0}};

static void try_to_rewrite(void *context) {
  job *j = context;
  j->done = pl_arena_try(j->arena, rewrite, j);
}

pl_result *pl_rewrite(const char *path, const char *text, size_t length,
                      const pl_options *options) {
  job j = {.path = path, .text = {text, length}, .options = options};
  j.arena = pl_arena_new(NULL);
  if (j.arena && !options->memory)
    try_to_rewrite(&j);
  else if (j.arena && !pl_memory_try(options->memory, try_to_rewrite, &j))
    j.done = false;
  if (j.done)
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
  shim_job j = {.request = pl_request_for("", (pl_str){text, length}, options),
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

const pl_gap *pl_result_gaps(const pl_result *result, size_t *count) {
  *count = result->ngaps;
  return result->gaps;
}

const char *const *pl_result_headers(const pl_result *result, size_t *count) {
  *count = result->nheaders;
  return result->headers;
}

const char *pl_result_dump(const pl_result *result) { return result->dump; }
