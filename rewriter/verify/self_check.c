/* self_check.c - does the rewritten text say what it should?
 *
 * Needs: an attempt with edits. Gives: the loops whose text does not. Raises:
 * PL1004, PL9001. */
#include "attempt.h"
#include "forms.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

/* A problem's message, and where among the unit's problems it stands. */
typedef struct numbered {
  pl_str message;
  uint32_t at;
} numbered;

static int by_message(const void *a, const void *b) {
  const numbered *left = a, *right = b;
  size_t n = left->message.n < right->message.n ? left->message.n : right->message.n;
  int order = n ? memcmp(left->message.p, right->message.p, n) : 0;
  if (!order)
    order = (left->message.n > right->message.n) - (left->message.n < right->message.n);
  return order ? order : (left->at > right->at) - (left->at < right->at);
}

/* A unit's messages, whatever places they quote, those that are alike together. */
static numbered *sorted_messages(const pl_unit *unit) {
  numbered *all = PL_NEW_ARRAY(unit->arena, numbered, unit->nproblems + 1);
  for (uint32_t p = 0; p < unit->nproblems; p++)
    all[p] = (numbered){without_places(unit->arena, unit->problems[p].message), p};
  if (unit->nproblems)
    qsort(all, unit->nproblems, sizeof *all, by_message);
  return all;
}

/* How many of the messages from the first on are like it. */
static uint32_t run_of(const numbered *from, uint32_t most) {
  uint32_t n = 0;
  while (n < most && pl_str_eq(from[n].message, from->message))
    n++;
  return n;
}

/* A problem that the source does not have, or has less often, wherever in the file it
 * is: clones of load helpers and the include stand outside the rewritten kernels. */
static pl_str new_problem(const pl_unit *before, const pl_unit *after) {
  const numbered *old = sorted_messages(before), *now = sorted_messages(after);
  uint32_t first = UINT32_MAX, o = 0;
  for (uint32_t i = 0, n; i < after->nproblems; i += n) {
    n = run_of(now + i, after->nproblems - i);
    numbered like = {now[i].message, 0};
    while (o < before->nproblems && by_message(&old[o], &like) < 0)
      o++;
    uint32_t had = o < before->nproblems && pl_str_eq(old[o].message, like.message)
                       ? run_of(old + o, before->nproblems - o)
                       : 0;
    if (n > had && now[i].at < first)
      first = now[i].at;
  }
  return first == UINT32_MAX ? (pl_str){0} : after->problems[first].message;
}

/* A text in the place of the attempt's source, parsed as that was; `wanted`: NULL, or of
 * which loops whole trees are. */
static pl_unit *parse_after(const pl_attempt *a, pl_str text, const pl_wanted *wanted,
                            pl_arena *arena, pl_str *error) {
  pl_parse_request request = pl_request_for(a->path, text, a->options);
  request.like = a->unit;
  request.instead = a->instead;
  request.ninstead = a->ninstead;
  request.wanted = wanted;
  return pl_parse(arena, &request, error);
}

bool pl_parses_as_well(const pl_attempt *a, pl_str text) {
  const pl_wanted nothing = {.nplaces = 0}; /* problems alone are */
  pl_arena *arena = pl_arena_child(a->arena);
  pl_str error = {0};
  const pl_unit *unit = parse_after(a, text, &nothing, arena, &error);
  bool well = unit && !new_problem(a->unit, unit).n;
  pl_arena_free(arena);
  return well;
}

pl_range pl_region_after(const pl_attempt *a, const pl_loop *loop) {
  const pl_range own = pl_range_in(a, loop);
  int64_t moved = 0;
  for (size_t i = 0; i < a->nedits; i++) {
    const pl_edit *edit = &a->edits[i];
    if (edit->offset <= own.begin && edit->offset + edit->length >= own.end) {
      uint32_t begin = (uint32_t)(edit->offset + moved);
      return (pl_range){begin, begin + (uint32_t)edit->text_length};
    }
    moved += (int64_t)edit->text_length - edit->length;
  }
  return (pl_range){0, 0};
}

/* Whether a function is the template of which an instantiation is there too: its
 * names are not resolved, and those of the instantiation say what the text means. */
static bool is_unresolved(const pl_unit *after, const pl_loop *loop,
                          const pl_func *func) {
  for (uint32_t i = 0; loop->func->pattern && i < after->nfuncs; i++)
    if (after->funcs[i]->pattern == func && after->funcs[i]->body)
      return true;
  return false;
}

/* The problem inside a rewritten loop's function, or the name that means
 * something else there. */
static pl_str check_rewritten(const pl_attempt *a, const pl_unit *after,
                              const pl_loop *loop) {
  pl_range region = pl_region_after(a, loop);
  for (uint32_t f = 0; f < after->nfuncs; f++) {
    pl_func *func = after->funcs[f];
    if (!func->in_main || !pl_str_eq(func->qualified, loop->func->qualified))
      continue;
    for (uint32_t p = 0; p < after->nproblems; p++)
      if (pl_range_inside(after->problems[p].range, func->range))
        return pl_arena_printf(a->arena,
                               "the rewritten text does not parse: %.*s",
                               PL_FMT(after->problems[p].message));
    pl_str name = {0};
    if (func->body && loop->options->only == PL_SIDE_BOTH &&
        !is_unresolved(after, loop, func) &&
        pl_range_inside(region, func->body->range))
      name = pl_changed_meaning(loop, after, func, region);
    if (!name.n)
      name = pl_spelled_otherwise(a, after, region);
    if (name.n)
      return pl_arena_printf(
          a->arena,
          "in the rewritten text '%.*s' would mean something else",
          PL_FMT(name));
  }
  return (pl_str){0};
}

/* A loop with an #if inside, whose halves may have come apart. */
static void deny_condition(const pl_attempt *a, const pl_loop *loop,
                           pl_denials *denied) {
  pl_deny(a, loop, false, "PL1004",
          PL_STR("the text from #if to #endif would come apart"), denied);
}

/* "cp.async includes cuda_pipeline.h" */
static pl_str what_is_included(const pl_attempt *a, const pl_loop *loop) {
  const char *header = pl_form_of(loop)->words->header;
  return pl_arena_printf(a->arena, "%s includes %.*s",
                         pl_variant_name(loop->variant), (int)strlen(header) - 2,
                         header + 1);
}

/* The asynchronous copies of loops: the header that they need may not stand a macro
 * of the command line, `-DN=4`. */
static void deny_async(const pl_attempt *a, pl_str why, pl_denials *denied) {
  for (size_t i = 0; i < a->loops.n; i++) {
    const pl_loop *loop = a->loops.items[i];
    if (!loop->settled && pl_form_of(loop)->words)
      pl_deny(a, loop, false, "PL9001",
              pl_arena_printf(a->arena, "%.*s (%.*s)", PL_FMT(why),
                              PL_FMT(what_is_included(a, loop))),
              denied);
  }
}

/* All rewritten loops; those with an #if inside alone, or with asynchronous copies,
 * where there are any: what they do to the rest of the file is not the other loops'
 * fault. */
static void deny_all(const pl_attempt *a, pl_str why, pl_denials *denied) {
  size_t before = denied->n;
  for (size_t i = 0; i < a->loops.n; i++)
    if (!a->loops.items[i]->settled && a->loops.items[i]->condition.end)
      deny_condition(a, a->loops.items[i], denied);
  if (denied->n == before)
    deny_async(a, why, denied);
  for (size_t i = 0; i < a->loops.n && denied->n == before; i++)
    if (!a->loops.items[i]->settled)
      pl_deny(a, a->loops.items[i], true, "PL9001", why, denied);
}

/* Whether a loop with an #if inside fails the check as well, in the same
 * function: it is to blame. */
static bool is_beside_condition(const pl_attempt *a, const pl_loop *loop) {
  for (size_t i = 0; i < a->loops.n; i++)
    if (!a->loops.items[i]->settled && a->loops.items[i]->condition.end &&
        a->loops.items[i]->func == loop->func)
      return true;
  return false;
}

/* `unit`: the rewritten text, parsed. */
static void check(const pl_attempt *a, const pl_unit *unit, pl_denials *denied) {
  size_t before = denied->n;
  pl_str wrong = {0};
  for (size_t i = 0; i < a->loops.n; i++) {
    pl_str why = {0};
    if (!a->loops.items[i]->settled)
      why = check_rewritten(a, unit, a->loops.items[i]);
    if (!why.n)
      continue;
    wrong = why;
    if (a->loops.items[i]->condition.end)
      deny_condition(a, a->loops.items[i], denied);
    else if (!is_beside_condition(a, a->loops.items[i]))
      pl_deny(a, a->loops.items[i], true, "PL9001", why, denied);
  }
  pl_str error = new_problem(a->unit, unit);
  if (error.n)
    wrong = pl_arena_printf(a->arena, "the rewritten text does not parse: %.*s",
                            PL_FMT(error));
  for (uint32_t f = 0; f < unit->nfuncs && !wrong.n; f++) {
    const pl_func *func = unit->funcs[f];
    bool on_gpu = func->in_main && (func->is_global || func->is_device);
    pl_str name = on_gpu ? pl_spelled_otherwise(a, unit, func->range) : PL_STR("");
    if (name.n) /* launches are the host's, and say other numbers */
      wrong = pl_arena_printf(a->arena, "in the rewritten text '%.*s' would mean something else",
                              PL_FMT(name));
  }
  if (wrong.n && denied->n == before)
    deny_all(a, wrong, denied);
}

static bool may_have_moved(const void *loop, pl_str text) {
  return pl_may_have_moved(loop, text);
}

/* The loops' statements, where the rewritten text may have them. */
static pl_wanted wanted_of(const pl_attempt *a, pl_arena *arena) {
  pl_wanted_place *places =
      PL_NEW_ARRAY(arena, pl_wanted_place, a->loops.n + 1);
  pl_wanted wanted = {.places = places, .may_be_one = may_have_moved};
  for (size_t i = 0; i < a->loops.n; i++) {
    const pl_loop *loop = a->loops.items[i];
    if (!loop->settled && loop->options->only == PL_SIDE_BOTH)
      places[wanted.nplaces++] =
          (pl_wanted_place){pl_region_after(a, loop), loop};
  }
  return wanted;
}

/* A helper's text is that of one of its instantiations. */
static bool deny_clashes(const pl_attempt *a, pl_denials *denied) {
  size_t before = denied->n;
  for (size_t i = 0; i < a->loops.n; i++)
    if (!a->loops.items[i]->settled && a->loops.items[i]->clash.n)
      pl_deny(a, a->loops.items[i], false, "PL6003",
              pl_arena_printf(a->arena,
                              "the instantiations of '%.*s' in sight would need "
                              "different texts",
                              PL_FMT(a->loops.items[i]->clash)),
              denied);
  return denied->n > before;
}

pl_unit *pl_self_check(const pl_attempt *a, bool whole, pl_arena *arena,
                       pl_denials *denied) {
  if (deny_clashes(a, denied))
    return NULL;
  pl_str error = {0};
  pl_wanted wanted = wanted_of(a, arena);
  pl_unit *unit = parse_after(a, a->text, whole ? NULL : &wanted, arena, &error);
  if (unit)
    check(a, unit, denied);
  else
    deny_all(a, pl_arena_str(a->arena, error.p, error.n), denied);
  return unit;
}
