/* branches.c - does every build see a rewrite of what it saw?
 *
 * Needs: an attempt that rewrote loops with an #if inside, or for which the
 * architecture or a `-D` chooses what they call. Each such condition is taken
 * to hold and not to hold, in all combinations. For each, the source without
 * the conditions, that is with the text alone that such a build sees, is
 * rewritten as any other; the attempt's text, without the conditions, has to be
 * that, token by token. Raises: PL1004. */
#include "builds.h"
#include "branch_choices.h"
#include "macros.h"
#include "rewrite.h"

#include <string.h>

#define MAX_BUILDS 32 /* that are looked at: each is parsed twice */
#define MAX_BUILDS_OF_HEADERS 8 /* ... where headers choose as well: those are large */

/* A function whose loops have conditions. */
typedef struct concerned {
  const pl_func *func;
  bool settled; /* a build was found that would see something else */
} concerned;

/* Functions with the same conditions, which the same builds are made for. */
typedef struct branches {
  const pl_attempt *attempt;
  pl_arena *arena;
  concerned *funcs;
  size_t nfuncs, cap;
  pl_build build;
  size_t of_file; /* conditions that stand in the file; the rest are its headers' */
} branches;

typedef struct groups {
  branches *items;
  size_t n, cap;
} groups;

/* ---- the comparison ------------------------------------------------------ */

static const pl_token *next_token(const pl_token *tokens, uint32_t n,
                                  uint32_t *at) {
  while (*at < n && tokens[*at].kind == PL_TOK_COMMENT)
    ++*at;
  return *at < n ? &tokens[(*at)++] : NULL;
}

/* Whether two texts are the same but for blanks and comments. */
static bool same_tokens(pl_arena *arena, pl_str a, pl_str b) {
  uint32_t na, nb, i = 0, j = 0;
  pl_token *as = pl_lex(arena, a, &na), *bs = pl_lex(arena, b, &nb);
  for (;;) {
    const pl_token *x = next_token(as, na, &i), *y = next_token(bs, nb, &j);
    if (!x || !y)
      return !x && !y;
    if (!pl_str_eq(pl_token_in(a, x), pl_token_in(b, y)))
      return false;
  }
}

/* The same loop as a build has it; NULL: it has none. */
static const pl_loop *loop_at(const pl_attempt *seen, uint32_t begin) {
  for (size_t i = 0; seen->unit && i < seen->loops.n; i++)
    if (seen->loops.items[i]->node->range.begin == begin)
      return seen->loops.items[i];
  return NULL;
}

/* Where an offset of the source has come to by an attempt's edits. */
static uint32_t offset_in(const pl_attempt *attempt, uint32_t offset) {
  int64_t at = offset;
  for (size_t i = 0; i < attempt->nedits; i++)
    if (attempt->edits[i].offset < offset)
      at += (int64_t)attempt->edits[i].text_length - attempt->edits[i].length;
  return (uint32_t)at;
}

static pl_str text_of(const pl_attempt *attempt, pl_str text, pl_range range) {
  uint32_t begin = offset_in(attempt, range.begin);
  return (pl_str){text.p + begin, offset_in(attempt, range.end) - begin};
}

/* A build, and what is rewritten of its text. */
typedef struct outcome {
  pl_attempt *seen; /* without a unit where there is no such build */
  pl_str text;      /* what it sees of the attempt's text */
  pl_str wanted;    /* what it should see */
  bool fails;       /* it cannot be said what it should see */
} outcome;

/* What is denied in the attempt, and what it leaves as it is for a reason of its
 * own, which a build may not have: that says nothing of the loops that it
 * rewrites. */
static pl_denials left_alone(const pl_attempt *attempt, pl_arena *arena) {
  pl_denials left = {0};
  for (size_t i = 0; i < attempt->denied.n; i++)
    PL_PUSH(arena, left.items, left.n, left.cap, attempt->denied.items[i]);
  for (size_t i = 0; i < attempt->loops.n; i++) {
    const pl_loop *loop = attempt->loops.items[i];
    pl_denial denial = {.loop = loop->node->range.begin, .id = "PL1004",
                        .message = PL_STR("left alone")};
    if (loop->settled)
      PL_PUSH(arena, left.items, left.n, left.cap, denial);
  }
  return left;
}

/* What a build sees of the file's own headers. */
static void see_headers(branches *b, pl_attempt *seen) {
  const pl_unit *unit = b->attempt->unit;
  pl_own_header *instead = PL_NEW_ARRAY(seen->arena, pl_own_header, unit->nown_headers + 1);
  for (size_t i = 0; i < unit->nown_headers; i++) {
    pl_own_header header = unit->own_headers[i];
    pl_str was = header.text;
    header.text = pl_build_text(&b->build, was);
    if (!pl_str_eq(header.text, was))
      instead[seen->ninstead++] = header;
  }
  seen->instead = instead;
}

/* Whether a build has one of the loops that are looked at. */
static bool has_loop(const branches *b, pl_str source) {
  const pl_loops *loops = &b->attempt->loops;
  bool any = false;
  for (size_t i = 0; i < loops->n && !any; i++) {
    uint32_t at = loops->items[i]->node->range.begin;
    for (size_t f = 0; f < b->nfuncs && !any; f++)
      any = loops->items[i]->func == b->funcs[f].func &&
            source.p[at] == b->attempt->source.p[at];
  }
  return any;
}

/* Whether a build comes upon an #error in a header, or upon what is an error here: one for
 * which the toolkit declares what a header declares as well. */
static bool stops(const branches *b, const pl_attempt *seen) {
  const pl_unit *unit = seen->unit, *own = b->attempt->unit;
  return unit && (unit->nstops > own->nstops ||
                  (seen->ninstead && unit->nproblems > own->nproblems));
}

/* Rewrites what a build sees of the source, and takes it from the attempt's text. */
static outcome look(branches *b, pl_arena *arena) {
  const pl_attempt *attempt = b->attempt;
  pl_denials wrong = {0};
  pl_attempt *seen = PL_NEW(arena, pl_attempt);
  *seen = (pl_attempt){.arena = arena,
                       .path = attempt->path,
                       .options = attempt->options,
                       .with_toolkit = attempt->unit->used_toolkit,
                       .denied = left_alone(attempt, arena),
                       .like = attempt};
  outcome found = {.seen = seen};
  b->build.impossible = false;
  seen->source = pl_build_text(&b->build, attempt->source);
  b->build.impossible |= !has_loop(b, seen->source);
  if (b->build.impossible)
    return found;
  see_headers(b, seen);
  pl_attempt_run(seen);
  b->build.impossible = stops(b, seen);
  if (seen->nedits)
    pl_self_check(seen, false, arena, &wrong);
  found.fails = !seen->unit || wrong.n;
  found.text = pl_build_text(&b->build, attempt->text);
  found.wanted = seen->nedits ? seen->text : seen->source;
  return found;
}

/* Whether what a build sees of a function is a rewrite of what it sees of the
 * source. */
static bool agrees(const branches *b, const outcome *found, const pl_func *func) {
  return !found->fails &&
         same_tokens(found->seen->arena,
                     text_of(b->attempt, found->text, func->range),
                     text_of(found->seen, found->wanted, func->range));
}

/* ---- builds that there are not ---------------------------------------------- */

/* Whether a file of the user's may define a name, or the compiler does. */
static bool may_be_defined(const branches *b, pl_str name) {
  const pl_unit *unit = b->attempt->unit;
  return pl_is_compilers_own(name) || pl_macro_is_given(unit, name) ||
         pl_macro_definitions(unit, name, UINT32_MAX) > 0;
}

/* The next of a condition's alternatives, behind which *rest begins: what stands
 * between `||`. */
static pl_str next_alternative(pl_str *rest) {
  size_t n = 0;
  while (n < rest->n && rest->p[n] != '|')
    n++;
  pl_str one = {rest->p, n};
  size_t skipped = n + 3 < rest->n ? n + 3 : rest->n; /* "|| " */
  *rest = (pl_str){rest->p + skipped, rest->n - skipped};
  return one;
}

/* The name without which an alternative cannot hold: that of `defined NAME` and
 * of `defined NAME && ...`; empty: there is none. */
static pl_str needed_name(pl_str alternative) {
  static const char word[] = "defined ";
  size_t at = sizeof word - 1, end = at;
  if (!pl_str_starts(alternative, word) || pl_str_has(alternative, "(") ||
      pl_str_has(alternative, "?"))
    return PL_STR("");
  while (end < alternative.n && alternative.p[end] != ' ')
    end++;
  pl_str behind = {alternative.p + end, alternative.n - end};
  return behind.n > 1 && !pl_str_starts(behind, " &&")
             ? PL_STR("")
             : (pl_str){alternative.p + at, end - at};
}

/* Whether a condition needs a name that the command line undefines; *name: the
 * first that it leaves open. */
static bool is_ruled_out(const branches *b, pl_str condition, pl_str *name) {
  bool out = true;
  for (pl_str rest = condition; rest.n && out;) {
    *name = needed_name(next_alternative(&rest));
    if (name->n && may_be_defined(b, *name))
      *name = PL_STR("");
    out = name->n && pl_command_line_says(b->attempt->unit, *name) == 'U';
  }
  return out;
}

/* Whether there is no such build, as the command line says. */
static bool is_no_build(const branches *b) {
  pl_str name;
  for (size_t i = 0; i < b->build.n; i++)
    if (((b->build.holds >> i) & 1) &&
        is_ruled_out(b, b->build.conditions[i], &name))
      return true;
  return false;
}

/* Assertions in the file that do not hold. */
static uint32_t failed_assertions(const pl_unit *unit) {
  uint32_t n = 0;
  for (uint32_t i = 0; unit && i < unit->nproblems; i++)
    n += unit->problems[i].range.end &&
         pl_str_starts(unit->problems[i].message, "static assertion failed");
  return n;
}

/* Whether a build asserts what does not hold there, `static_assert(sizeof(T) == 2)`
 * for older devices: no compiler takes it. */
static bool is_asserted_away(const branches *b, const outcome *found) {
  return failed_assertions(found->seen->unit) && !failed_assertions(b->attempt->unit);
}

/* A name by which a build can be ruled out; empty: there is none. */
static pl_str name_to_undefine(const branches *b) {
  pl_str name = PL_STR("");
  for (size_t i = 0; i < b->build.n && !name.n; i++)
    if ((b->build.holds >> i) & 1)
      is_ruled_out(b, b->build.conditions[i], &name);
  return name.n && !pl_command_line_says(b->attempt->unit, name) ? name : PL_STR("");
}

/* ---- the loops ----------------------------------------------------------- */

static bool is_chosen_by(const pl_loop *loop, const pl_unit *text) {
  for (size_t i = 0; i < text->ndirectives; i++)
    if (pl_chooses_for(loop, text, text->directives[i]))
      return true;
  return false;
}

static bool is_chosen(const pl_loop *loop) {
  const pl_unit *unit = loop->unit;
  bool chosen = is_chosen_by(loop, unit);
  for (size_t i = 0; i < unit->nown_headers && !chosen; i++)
    chosen = is_chosen_by(loop, pl_header_unit(unit, i));
  return chosen;
}

static bool is_concerned(const pl_loop *loop, const pl_func *func) {
  return !loop->settled && loop->func == func &&
         (loop->condition.end || is_chosen(loop));
}

/* What speaks against the loop, in the build `seen`. */
static pl_str why_not(const branches *b, const pl_loop *seen) {
  pl_str why = PL_STR("the loop would be rewritten in another way");
  if (seen && seen->settled && seen->verdict == PL_VERDICT_REFUSED)
    why = seen->message;
  pl_str build = pl_build_describe(&b->build), name = name_to_undefine(b);
  pl_str offer =
      name.n ? pl_arena_printf(b->arena,
                               "; '-- -U%.*s' leaves such builds out",
                               PL_FMT(name))
             : PL_STR("");
  return pl_arena_printf(b->arena, "where %.*s, %.*s%.*s", PL_FMT(build),
                         PL_FMT(why), PL_FMT(offer));
}

/* `seen`: the build where it goes wrong; NULL: `why` they are not looked at. */
static void deny(const branches *b, const pl_func *func, const pl_attempt *seen,
                 pl_str why, pl_denials *denied) {
  const pl_loops *loops = &b->attempt->loops;
  for (size_t i = 0; i < loops->n; i++) {
    const pl_loop *loop = loops->items[i];
    if (!is_concerned(loop, func))
      continue;
    const pl_loop *other =
        seen ? loop_at(seen, loop->node->range.begin) : NULL;
    bool any = !seen || (other && other->settled && !other->legal);
    pl_deny(b->attempt, loop, any, "PL1004", seen ? why_not(b, other) : why,
            denied);
  }
}

/* Asks for the barriers behind loops that a build needs, and the attempt has not;
 * false: there are none. */
static bool keep_barriers(const branches *b, const pl_func *func,
                          const pl_attempt *seen, pl_denials *denied) {
  const pl_loops *loops = &b->attempt->loops;
  size_t before = denied->n;
  for (size_t i = 0; i < loops->n; i++) {
    const pl_loop *loop = loops->items[i];
    const pl_loop *other =
        is_concerned(loop, func) ? loop_at(seen, loop->node->range.begin) : NULL;
    pl_denial wanted = {.loop = loop->node->range.begin, .barrier = true};
    if (other && !other->settled && pl_needs_exit_barrier(other) &&
        !pl_needs_exit_barrier(loop))
      PL_PUSH(b->arena, denied->items, denied->n, denied->cap, wanted);
  }
  return denied->n > before;
}

/* Whether every #if of the loop ends in it, and none from before does. */
static bool is_balanced(const branches *b, const pl_loop *loop) {
  const pl_unit *unit = loop->unit;
  int depth = 0;
  pl_run run = pl_tokens_in(unit, loop->node->range);
  for (uint32_t i = pl_directive_from(unit, run.first); i < run.end;
       i = pl_directive_from(unit, i + 1)) {
    pl_directive d = pl_directive_read(b->arena, pl_token_text(unit, i));
    depth += d.kind == PL_DIRECTIVE_IF;
    if (d.kind != PL_DIRECTIVE_OTHER && depth == 0)
      return false;
    depth -= d.kind == PL_DIRECTIVE_ENDIF;
  }
  return depth == 0;
}

/* The name of a header, and the line of a token of it, for a condition of its. */
static pl_str place_of(const branches *b, const pl_unit *header, uint32_t at) {
  unsigned line, column;
  pl_unit_position(header, header->tokens[at].range.begin, &line, &column);
  size_t n = header->path.n;
  while (n && header->path.p[n - 1] != '/')
    n--;
  return pl_arena_printf(b->arena, " (%.*s, line %u)", (int)(header->path.n - n),
                         header->path.p + n, line);
}

/* Adds the conditions of the group that a token begins. */
static bool add_group(branches *b, const pl_unit *unit, uint32_t at) {
  uint32_t end = pl_end_of_group(unit, at);
  int depth = 0;
  for (uint32_t i = at; i < end; i = pl_directive_from(unit, i + 1)) {
    pl_directive d = pl_directive_read(b->arena, pl_token_text(unit, i));
    size_t n = b->build.n;
    depth += d.kind == PL_DIRECTIVE_IF;
    if (depth == 1 && !pl_build_add(&b->build, &d))
      return false;
    depth -= d.kind == PL_DIRECTIVE_ENDIF;
    if (b->build.n > n && unit != b->attempt->unit)
      b->build.places[n] = place_of(b, unit, i);
  }
  return true;
}

static bool find_choices_in(branches *b, const pl_loop *loop, const pl_unit *text) {
  for (size_t i = 0; i < text->ndirectives; i++)
    if (pl_chooses_for(loop, text, text->directives[i]) &&
        !add_group(b, text, text->directives[i]))
      return false;
  return true;
}

/* Adds the conditions of the file's own headers that choose what a loop uses. Where they are
 * too many they are taken to say what they say with the macros given. */
static void find_choices_of_headers(branches *b, const pl_loop *loop) {
  const pl_unit *unit = loop->unit;
  size_t before = b->build.n;
  bool known = true;
  for (size_t i = 0; i < unit->nown_headers && known; i++)
    known = find_choices_in(b, loop, pl_header_unit(unit, i));
  b->build.n = known ? b->build.n : before;
}

/* The conditions in the function's loops, and those that choose for them; false:
 * too many, or what they say changes on the way. */
static bool find_conditions(branches *b, const pl_loop *loop) {
  const pl_unit *unit = loop->unit;
  if (!is_balanced(b, loop))
    return false;
  pl_run run = pl_tokens_in(unit, loop->func->range);
  for (uint32_t i = pl_directive_from(unit, run.first); i < run.end;
       i = pl_directive_from(unit, i + 1)) {
    pl_str text = pl_token_text(unit, i);
    if (pl_macro_of(pl_directive_word(text)).name.n)
      return false;
    pl_directive d = pl_directive_read(b->arena, text);
    if (pl_range_inside(unit->tokens[i].range, loop->node->range) &&
        !pl_build_add(&b->build, &d))
      return false;
  }
  return find_choices_in(b, loop, unit);
}

static bool is_same_build(const pl_build *a, const pl_build *b) {
  bool same = a->n == b->n;
  for (size_t i = 0; same && i < a->n; i++)
    same = pl_str_eq(a->conditions[i], b->conditions[i]);
  return same;
}

/* Adds a function to those of the same conditions. */
static void add_function(groups *all, const branches *one, const pl_func *func) {
  size_t i = 0;
  while (i < all->n && !is_same_build(&all->items[i].build, &one->build))
    i++;
  if (i == all->n)
    PL_PUSH(one->arena, all->items, all->n, all->cap, *one);
  branches *b = &all->items[i];
  concerned added = {func, false};
  PL_PUSH(b->arena, b->funcs, b->nfuncs, b->cap, added);
}

static void group_function(const pl_attempt *attempt, const pl_func *func,
                           groups *all, pl_denials *denied) {
  pl_arena *arena = attempt->arena;
  branches b = {.attempt = attempt, .arena = arena, .build = {.arena = arena}};
  bool any = false, known = true;
  for (size_t i = 0; i < attempt->loops.n && known; i++)
    if (is_concerned(attempt->loops.items[i], func)) {
      any = true;
      known = find_conditions(&b, attempt->loops.items[i]);
    }
  b.of_file = b.build.n;
  for (size_t i = 0; i < attempt->loops.n && known; i++)
    if (is_concerned(attempt->loops.items[i], func))
      find_choices_of_headers(&b, attempt->loops.items[i]);
  if (!known)
    deny(&b, func, NULL,
         b.build.n == PL_MAX_CONDITIONS
             ? pl_arena_printf(arena,
                               "more than %d preprocessor conditions choose what the loop "
                               "uses",
                               PL_MAX_CONDITIONS)
             : PL_STR("a preprocessor condition inside the loop hides what other "
                      "builds see"),
         denied);
  else if (any)
    add_function(all, &b, func);
}

/* Takes a function for settled where a build does not agree with it. */
static void blame(branches *b, concerned *one, const pl_attempt *seen,
                  pl_denials *denied) {
  one->settled = true;
  if (!keep_barriers(b, one->func, seen, denied))
    deny(b, one->func, seen, PL_STR(""), denied);
}

/* Blames the functions that a build does not agree with; how many. */
static size_t blame_functions(branches *b, const outcome *found,
                              pl_denials *denied) {
  size_t n = 0;
  for (size_t i = 0; i < b->nfuncs; i++)
    if (!b->funcs[i].settled && !agrees(b, found, b->funcs[i].func)) {
      blame(b, &b->funcs[i], found->seen, denied);
      n++;
    }
  return n;
}

/* Where every function agrees, and the rest of the text does not: `apart`, that
 * was so before. */
static void blame_rest(branches *b, const outcome *found, bool apart,
                       pl_denials *denied, pl_denials *others) {
  for (size_t i = 0; i < b->nfuncs && !apart; i++)
    if (!b->funcs[i].settled &&
        !keep_barriers(b, b->funcs[i].func, found->seen, denied))
      deny(b, b->funcs[i].func, found->seen, PL_STR(""), others);
}

static void deny_unsettled(branches *b, pl_str why, pl_denials *denied) {
  for (size_t i = 0; i < b->nfuncs; i++)
    if (!b->funcs[i].settled)
      deny(b, b->funcs[i].func, NULL, why, denied);
}

/* How many builds there may be, by the conditions alone. */
static int builds_of(branches *b) {
  int builds = 0;
  unsigned all = 1u << b->build.n;
  for (b->build.holds = 0; b->build.holds < all; b->build.holds++)
    builds += pl_build_is_possible(&b->build) && !is_no_build(b);
  return builds;
}

/* `others`: the functions' loops, where they agree and the rest of the text does
 * not. */
static void check_group(branches *b, pl_denials *denied, pl_denials *others) {
  bool apart = false;
  int builds = 0;
  size_t settled = 0;
  if (b->build.n > b->of_file && builds_of(b) > MAX_BUILDS_OF_HEADERS)
    b->build.n = b->of_file;
  unsigned all = 1u << b->build.n;
  for (b->build.holds = 0; b->build.holds < all && settled < b->nfuncs;
       b->build.holds++) {
    if (!pl_build_is_possible(&b->build) || is_no_build(b))
      continue;
    if (builds++ == MAX_BUILDS) {
      deny_unsettled(b,
                     pl_arena_printf(b->arena,
                                     "by its preprocessor conditions there are "
                                     "more than %d builds of the loop",
                                     MAX_BUILDS),
                     denied);
      return;
    }
    pl_arena *arena = pl_arena_child(b->arena);
    outcome found = look(b, arena);
    builds -= b->build.impossible;
    if (!b->build.impossible && !is_asserted_away(b, &found) &&
        (found.fails || !same_tokens(arena, found.text, found.wanted))) {
      size_t blamed = blame_functions(b, &found, denied);
      if (!blamed)
        blame_rest(b, &found, apart, denied, others);
      settled += blamed;
      apart = apart || !blamed;
    }
    pl_arena_free(arena);
  }
}

/* Denies a loop where a macro with a default chooses a header for it. */
static void deny_other_header(const pl_attempt *attempt, const pl_loop *loop,
                              pl_denials *denied) {
  pl_str name = loop->settled ? PL_STR("") : pl_included_by_default(loop);
  if (name.n)
    pl_deny(attempt, loop, true, "PL1004",
            pl_arena_printf(attempt->arena,
                            "a build may give another header as '%.*s', which the file "
                            "includes; '-- -U%.*s' says that none does",
                            PL_FMT(name), PL_FMT(name)),
            denied);
}

/* Where a function is to blame it is denied alone, and all is done again; the
 * others are looked at then. */
void pl_check_branches(const pl_attempt *attempt, pl_denials *denied) {
  groups all = {0};
  pl_denials others = {0};
  size_t before = denied->n;
  for (size_t i = 0; i < attempt->loops.n; i++)
    deny_other_header(attempt, attempt->loops.items[i], denied);
  if (denied->n > before)
    return;
  for (uint32_t f = 0; f < attempt->unit->nfuncs; f++)
    group_function(attempt, attempt->unit->funcs[f], &all, denied);
  for (size_t i = 0; i < all.n; i++)
    check_group(&all.items[i], denied, &others);
  for (size_t i = 0; denied->n == before + i && i < others.n; i++)
    PL_PUSH(attempt->arena, denied->items, denied->n, denied->cap,
            others.items[i]);
}
