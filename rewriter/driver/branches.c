/* branches.c - does every build see a rewrite of what it saw?
 *
 * Needs: an attempt that rewrote loops with an #if inside, or for which one chooses
 * what they use. For each build that sees other branches of these, the source with
 * the text alone that such a build sees is rewritten as any other; what it sees of the
 * attempt's text has to be that, token by token. Raises: PL1004. */
#include "builds.h"
#include "branch_choices.h"
#include "macros.h"
#include "rewrite.h"

#include <string.h>

#define MAX_BUILDS 32 /* that are looked at: each is parsed twice */
#define MAX_BUILDS_OF_HEADERS 8 /* ... of all that headers choose: those are large */
#define MANY_HEADERS 100 /* a library's, that take long to parse */

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
  pl_marked *groups; /* those of the file first */
  size_t ngroups, groups_cap, of_file;
  const pl_build *build; /* that is looked at */
  pl_directives *source, *text; /* of the attempt */
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
  bool none;        /* there is no such build */
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
static void see_headers(const branches *b, const pl_seen *source, pl_attempt *seen) {
  const pl_unit *unit = b->attempt->unit;
  pl_own_header *instead = PL_NEW_ARRAY(seen->arena, pl_own_header, unit->nown_headers + 1);
  for (size_t i = 0; i < unit->nown_headers; i++) {
    pl_own_header header = unit->own_headers[i];
    pl_str was = header.text;
    header.text = pl_text_seen(source, i + 1);
    if (!pl_str_eq(header.text, was))
      instead[seen->ninstead++] = header;
  }
  seen->instead = instead;
}

/* Whether a build comes upon an #error in a header, or upon what is an error here: one for
 * which the toolkit declares what a header declares as well. */
static bool stops(const branches *b, const pl_attempt *seen) {
  const pl_unit *unit = seen->unit, *own = b->attempt->unit;
  return unit && (unit->nstops > own->nstops ||
                  (seen->ninstead && unit->nproblems > own->nproblems));
}

/* The directives of a text that takes the place of the attempt's. */
static pl_directives *directives_of(const branches *b, pl_str text) {
  pl_unit *unit = PL_NEW(b->arena, pl_unit);
  const pl_unit *own = b->attempt->unit;
  *unit = (pl_unit){.arena = b->arena,
                    .path = own->path,
                    .text = text,
                    .own_headers = own->own_headers,
                    .nown_headers = own->nown_headers,
                    .args = own->args,
                    .nargs = own->nargs,
                    .arch = own->arch};
  unit->tokens = pl_lex(b->arena, text, &unit->ntokens);
  pl_unit_index(unit);
  return pl_directives_read(b->arena, unit);
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
  const pl_seen *source = pl_see(arena, b->source, b->build);
  seen->source = pl_text_seen(source, 0);
  see_headers(b, source, seen);
  pl_attempt_run(seen);
  found.none = stops(b, seen);
  if (seen->nedits)
    pl_self_check(seen, false, arena, &wrong);
  found.fails = !seen->unit || wrong.n;
  found.text = pl_text_seen(pl_see(arena, b->text, b->build), 0);
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

/* A name by which a build can be ruled out: it has one that is the command's alone to
 * define. Empty: there is none. */
static pl_str name_to_undefine(const branches *b) {
  const pl_unit *unit = b->attempt->unit;
  for (size_t i = 0; i < b->build->nsaid; i++) {
    pl_str name = b->build->said[i].key;
    if (!b->build->said[i].undefined && pl_first_word(name).n == name.n &&
        !pl_command_line_says(unit, name) && !pl_str_starts(name, "__") &&
        !pl_macro_is_given(unit, name) && !pl_macro_definitions(unit, name, UINT32_MAX))
      return name;
  }
  return PL_STR("");
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
  pl_str build = b->build->description, name = name_to_undefine(b);
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

static void add_group(branches *b, const pl_unit *of, uint32_t token) {
  for (size_t i = 0; i < b->ngroups; i++)
    if (b->groups[i].of == of && b->groups[i].token == token)
      return;
  pl_marked one = {of, token};
  PL_PUSH(b->arena, b->groups, b->ngroups, b->groups_cap, one);
}

static void find_choices_in(branches *b, const pl_loop *loop, const pl_unit *text) {
  for (size_t i = 0; i < text->ndirectives; i++)
    if (pl_chooses_for(loop, text, text->directives[i]))
      add_group(b, text, text->directives[i]);
}

static void find_choices_of_headers(branches *b, const pl_loop *loop) {
  for (size_t i = 0; i < loop->unit->nown_headers; i++)
    find_choices_in(b, loop, pl_header_unit(loop->unit, i));
}

/* The conditions in the function's loops, and those that choose for them; false: what they
 * say changes on the way. */
static bool find_conditions(branches *b, const pl_loop *loop) {
  const pl_unit *unit = loop->unit;
  if (!is_balanced(b, loop))
    return false;
  pl_run run = pl_tokens_in(unit, loop->func->range);
  for (uint32_t i = pl_directive_from(unit, run.first); i < run.end;
       i = pl_directive_from(unit, i + 1)) {
    pl_str word = pl_directive_at(unit, i);
    if (pl_macro_of(word).name.n)
      return false;
    if (pl_directive_kind_of(word) == PL_DIRECTIVE_IF &&
        pl_range_inside(unit->tokens[i].range, loop->node->range))
      add_group(b, unit, i);
  }
  find_choices_in(b, loop, unit);
  return true;
}

static bool has_same_groups(const branches *a, const branches *b) {
  bool same = a->ngroups == b->ngroups;
  for (size_t i = 0; same && i < a->ngroups; i++)
    same = a->groups[i].of == b->groups[i].of && a->groups[i].token == b->groups[i].token;
  return same;
}

/* Adds a function to those of the same conditions. */
static void add_function(groups *all, const branches *one, const pl_func *func) {
  size_t i = 0;
  while (i < all->n && !has_same_groups(&all->items[i], one))
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
  branches b = {.attempt = attempt, .arena = arena};
  bool any = false, known = true;
  for (size_t i = 0; i < attempt->loops.n && known; i++)
    if (is_concerned(attempt->loops.items[i], func)) {
      any = true;
      known = find_conditions(&b, attempt->loops.items[i]);
    }
  b.of_file = b.ngroups;
  for (size_t i = 0; i < attempt->loops.n && known; i++)
    if (is_concerned(attempt->loops.items[i], func))
      find_choices_of_headers(&b, attempt->loops.items[i]);
  if (!known)
    deny(&b, func, NULL,
         PL_STR("a preprocessor condition inside the loop hides what other builds see"), denied);
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

/* The builds that are looked at: where the conditions of the headers make too many together,
 * those that the conditions of the file make, and those that each of the headers' does by
 * itself; of a library's the first few. */
static pl_builds find_builds(const branches *b) {
  const pl_loops *loops = &b->attempt->loops;
  const pl_unit *unit = b->attempt->unit;
  uint32_t *needed = PL_NEW_ARRAY(b->arena, uint32_t, loops->n + 1);
  size_t n = 0;
  for (size_t i = 0; i < loops->n; i++)
    for (size_t f = 0; f < b->nfuncs; f++)
      if (loops->items[i]->func == b->funcs[f].func)
        needed[n++] = loops->items[i]->node->range.begin;
  bool of_headers = b->ngroups > b->of_file;
  pl_builds all = pl_builds_of(b->arena, unit, b->groups, b->ngroups, needed, n,
                               of_headers ? MAX_BUILDS_OF_HEADERS : MAX_BUILDS);
  if (!of_headers || !all.too_many)
    return all;
  all = pl_builds_of(b->arena, unit, b->groups, b->of_file, needed, n, MAX_BUILDS);
  bool many = unit->nheaders > MANY_HEADERS;
  size_t most = many ? MAX_BUILDS_OF_HEADERS : MAX_BUILDS;
  for (size_t g = b->of_file; g < b->ngroups && !all.too_many; g++) {
    pl_builds of = pl_builds_of(b->arena, unit, &b->groups[g], 1, needed, n, MAX_BUILDS);
    all.unclear = all.unclear.n ? all.unclear : of.unclear;
    for (size_t i = 0; i < of.n; i++) {
      all.too_many |= all.n >= most && !many && !of.items[i].is_here;
      if (!of.items[i].is_here && all.n < most)
        PL_PUSH(b->arena, all.items, all.n, all.cap, of.items[i]);
    }
  }
  return all;
}

/* `others`: the functions' loops, where they agree and the rest of the text does
 * not. */
static void check_group(branches *b, pl_denials *denied, pl_denials *others) {
  bool apart = false;
  size_t settled = 0;
  pl_builds builds = find_builds(b);
  if (builds.unclear.n || builds.too_many) {
    pl_str why = builds.unclear.n
                     ? pl_arena_printf(b->arena,
                                       "the preprocessor condition %.*s does not say the same "
                                       "wherever a build reads it",
                                       PL_FMT(builds.unclear))
                     : pl_arena_printf(b->arena,
                                       "by its preprocessor conditions there are more than %d "
                                       "builds of the loop",
                                       MAX_BUILDS);
    deny_unsettled(b, why, denied);
    return;
  }
  b->source = directives_of(b, b->attempt->source);
  b->text = directives_of(b, b->attempt->text);
  for (size_t i = 0; i < builds.n && settled < b->nfuncs; i++) {
    pl_arena *arena = pl_arena_child(b->arena);
    b->build = &builds.items[i];
    outcome found = look(b, arena);
    if (!found.none && !is_asserted_away(b, &found) &&
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
