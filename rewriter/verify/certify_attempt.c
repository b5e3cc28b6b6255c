/* certify_attempt.c - certificates of all loops of an attempt.
 *
 * Needs: an attempt whose text was checked. Gives: with each rewritten loop whether it
 * is shown to be right for every number of tiles, and what that rests on; and those
 * that may not be written. Raises: PL9002. */
#include "attempt.h"
#include "certificate.h"

static bool is_pattern(const pl_unit *unit, const pl_func *func) {
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    if (unit->funcs[i]->pattern == func && unit->funcs[i]->body)
      return true;
  return false;
}

/* The function of the text that a loop's has become: of the same instantiation. */
static const pl_func *func_after(const pl_unit *after, const pl_loop *loop,
                                 pl_range region) {
  for (uint32_t i = 0; i < after->nfuncs; i++) {
    const pl_func *func = after->funcs[i];
    if (func->body && func->in_main && func->own == loop->func->own &&
        !func->pattern == !loop->func->pattern && !is_pattern(after, func) &&
        pl_str_eq(func->qualified, loop->func->qualified) &&
        pl_range_inside(region, func->body->range))
      return func;
  }
  return NULL;
}

static void add_premise(pl_loop *loop, size_t most, const char *premise) {
  if (!loop->cert_premises)
    loop->cert_premises = PL_NEW_ARRAY(loop->arena, const char *, most);
  loop->cert_premises[loop->ncert_premises++] = premise;
}

/* Whether the loop names a macro that a build may give otherwise than the file does. */
static bool rests_on_default(const pl_loop *loop) {
  const pl_unit *unit = loop->unit;
  for (size_t i = 0; i < unit->ndefaults; i++)
    if (pl_count_words(unit, loop->node->range, unit->defaults[i].name) &&
        !pl_command_line_says(unit, unit->defaults[i].name))
      return true;
  return false;
}

/* docs/certificate.md lists them. */
static void list_premises(pl_loop *loop, const pl_certificate *made) {
  const size_t most = 12;
  add_premise(loop, most, "no data race and no divergent barrier in the source: "
                          "stated by the user");
  add_premise(loop, most, "names outside the loop mean what they did: proven "
                          "(meaning of names)");
  if (made->needs_coverage)
    add_premise(loop, most, "compute reads only cells that its own tile's load has "
                            "written: proven (legality)");
  if (made->needs_apart)
    add_premise(loop, most,
                loop->options->assume_no_alias
                    ? "no store changes what is read past it: stated by the user "
                      "(--assume-no-alias)"
                    : "no store changes what is read past it: proven (legality)");
  if (made->needs_vote)
    add_premise(loop, most, "a tile that a vote passes by is there to be loaded: proven "
                            "(legality)");
  if (made->needs_no_tile)
    add_premise(loop, most, "addresses that memory holds lead to no tile: proven "
                            "(legality)");
  if (made->needs_launches)
    add_premise(loop, most, "a stage holds what is accessed of the block of dynamic shared "
                            "memory: proven (launches in sight), and checked at run time");
  if (rests_on_default(loop))
    add_premise(loop, most, "a build that gives a macro which has a default here gives a number "
                            "for a number, an expression for an expression: not held (PL1004)");
  if (loop->grid_waits)
    add_premise(loop, most,
                loop->grid_is_asked
                    ? "as many blocks run at once as the launch has: asked of the runtime by "
                      "the file"
                    : "as many blocks run at once as before: shared memory is counted, "
                      "registers are not");
  const pl_expanded *expanded = loop->unit->expanded;
  if (expanded && expanded->padded)
    add_premise(loop, most, "rows of tiles lie further apart, and each name of a cell is "
                            "one of its row: proven (row_padding.c), for blocks of the "
                            "launches in sight");
  if (expanded && (!expanded->padded || expanded->padded->origins))
    add_premise(loop, most, "the text with macros and helpers in their place means "
                            "what the source does: not proven here");
}

/* "(c) copies into 'As' may be in flight" */
static pl_str failure_of(pl_arena *arena, const pl_certificate *made) {
  return made->claim == '?' || made->shown == PL_UNKNOWN
             ? pl_arena_printf(arena, "events not read: %.*s", PL_FMT(made->why))
             : pl_arena_printf(arena, "(%c) %.*s", made->claim, PL_FMT(made->why));
}

/* With each loop; of one that is not shown, what that leaves open. */
static void note_verdict(const pl_attempt *a, pl_loop *loop,
                         const pl_certificate *made) {
  pl_str why = failure_of(a->arena, made);
  loop->ncert_premises = 0;
  loop->certificate = "shown";
  if (made->shown == PL_YES) {
    list_premises(loop, made);
    return;
  }
  pl_str verdict = pl_arena_printf(a->arena, "not shown: %.*s", PL_FMT(why));
  pl_str premise = pl_arena_printf(
      a->arena, "the text is the loop for every number of tiles: not certified (%.*s)",
      PL_FMT(why));
  loop->certificate = pl_arena_cstr(a->arena, verdict);
  add_premise(loop, 1, pl_arena_cstr(a->arena, premise));
}

static void refuse(const pl_attempt *a, const pl_unit *after, const pl_loop *loop,
                   const pl_certificate *made, pl_denials *denied) {
  unsigned line = 0, column = 0;
  pl_str why = failure_of(a->arena, made);
  pl_str place = {0};
  if (made->at.end) {
    pl_unit_position(after, made->at.begin, &line, &column);
    place = pl_arena_printf(a->arena, ", line %u of the rewritten text", line);
  }
  pl_deny(a, loop, false, "PL9002",
          pl_arena_printf(a->arena, "the rewritten text is not shown to be the loop: "
                          "%.*s%.*s", PL_FMT(why), PL_FMT(place)),
          denied);
}

static bool is_rewritten(const pl_attempt *a, const pl_loop *loop) {
  return !loop->settled && a->options->only == PL_SIDE_BOTH;
}

typedef struct regions {
  pl_range *items;
  size_t n;
} regions;

static regions regions_of(const pl_attempt *a, pl_arena *arena) {
  regions made = {PL_NEW_ARRAY(arena, pl_range, a->loops.n + 1), 0};
  for (size_t i = 0; i < a->loops.n; i++)
    if (is_rewritten(a, a->loops.items[i]))
      made.items[made.n++] = pl_region_after(a, a->loops.items[i]);
  return made;
}

/* The trees that loops were found in: the attempt's, or, of the same text, those of
 * another parse, where the passes have changed what they say. */
typedef struct reading {
  const pl_attempt *attempt;
  pl_arena *arena;
  const pl_unit *of; /* whose text was parsed again; NULL: none was */
  pl_unit *unit;
} reading;

static pl_unit *parsed_again(reading *r, const pl_unit *of) {
  pl_str error = {0};
  if (r->of == of)
    return r->unit;
  pl_parse_request request =
      pl_request_for(r->attempt->path, of->text, r->attempt->options);
  request.like = of;
  r->of = of;
  r->unit = pl_parse(r->arena, &request, &error);
  return r->unit;
}

typedef struct loop_search {
  pl_range range;
  pl_node *found;
} loop_search;

static bool find_loop(pl_node *node, void *context) {
  loop_search *s = context;
  if (pl_node_is_loop(node) && node->range.begin == s->range.begin &&
      node->range.end == s->range.end)
    s->found = node;
  return !s->found;
}

/* The loop as it was found. */
static void find_original(reading *r, const pl_loop *loop, pl_pipelined *made) {
  loop_search search = {.range = loop->node->range};
  if (loop->unit->digest == pl_unit_digest(loop->unit)) {
    made->before = loop->unit;
    made->func = loop->func;
    made->loop = loop->node;
    return;
  }
  made->before = parsed_again(r, loop->unit);
  if (made->before)
    made->func = func_after(made->before, loop, loop->node->range);
  if (made->func)
    pl_node_walk(made->func->body, find_loop, &search);
  made->loop = search.found;
}

/* Whether more is asked than whether something is seen to be wrong. */
static bool is_told(pl_certification how) {
  return how == PL_CERTIFY_SAY || how == PL_CERTIFY_REQUIRE;
}

static pl_certificate certificate_of(const pl_attempt *a, reading *r, pl_unit *after,
                                     const regions *all, const pl_loop *loop) {
  pl_range region = pl_region_after(a, loop);
  pl_pipelined made = {.after = after, .region = region,
                       .emitted = func_after(after, loop, region),
                       .all = all->items, .nall = all->n,
                       .is_apart = a->options->assume_no_alias,
                       .is_told = is_told(a->options->certify)};
  find_original(r, loop, &made);
  if (!made.emitted || !made.loop)
    return (pl_certificate){.shown = PL_UNKNOWN, .claim = '?',
                            .why = PL_STR("the loop is not found in the text")};
  return pl_certify(a->arena, &made, a->options->memory);
}

static void certify_loop(const pl_attempt *a, reading *r, pl_unit *after,
                         const regions *all, pl_loop *loop, pl_denials *denied) {
  pl_certification how = a->options->certify;
  pl_certificate made = certificate_of(a, r, after, all, loop);
  if (is_told(how))
    note_verdict(a, loop, &made);
  if (made.shown == PL_NO || (made.shown != PL_YES && how == PL_CERTIFY_REQUIRE))
    refuse(a, after, loop, &made, denied);
}

bool pl_is_certified(const pl_options *options) {
  return options->certify != PL_CERTIFY_NOT && options->only == PL_SIDE_BOTH;
}

void pl_certify_attempt(const pl_attempt *a, pl_unit *after, pl_denials *denied) {
  pl_arena *arena = pl_arena_child(a->arena);
  regions all = regions_of(a, arena);
  reading before = {.attempt = a, .arena = arena};
  for (size_t i = 0; i < a->loops.n; i++)
    if (is_rewritten(a, a->loops.items[i]))
      certify_loop(a, &before, after, &all, a->loops.items[i], denied);
  pl_arena_free(arena);
}
