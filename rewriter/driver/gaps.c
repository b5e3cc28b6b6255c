/* gaps.c - what of a file's kernels was not seen, and for want of what?
 *
 * Needs: the unit, and its loops as they were settled. Gives: headers that were not
 * found, kernels that an #if leaves out, an #error, kernels that hold an error and of
 * whose loops nothing is said. Raises nothing. */
#include "builds.h"
#include "rewrite.h"

#include <string.h>

typedef struct gap_list {
  pl_arena *arena;
  const pl_unit *unit;
  pl_gap *items;
  size_t n, cap;
} gap_list;

static void add_gap(gap_list *list, pl_gap_kind kind, pl_range range, pl_str what,
                    pl_str kernels, pl_str flags) {
  pl_gap gap = {.kind = kind,
                .what = pl_arena_cstr(list->arena, what),
                .kernels = kernels.n ? pl_arena_cstr(list->arena, kernels) : NULL,
                .flags = flags.n ? pl_arena_cstr(list->arena, flags) : NULL};
  if (range.end) {
    pl_range place = pl_unit_place(list->unit, range, &gap.line, &gap.column);
    gap.begin = place.begin;
    gap.end = place.end;
  }
  PL_PUSH(list->arena, list->items, list->n, list->cap, gap);
}

/* ---- names of kernels ---------------------------------------------------------- */

typedef struct names {
  pl_str first, second;
  size_t n;
} names;

static void add_name(names *list, pl_str name) {
  list->n++;
  if (list->n == 1)
    list->first = name;
  if (list->n == 2)
    list->second = name;
}

/* "kernel 'a'", "kernels 'a' and 'b'", "'a' and 2 more kernels" */
static pl_str spell(pl_arena *arena, const names *list) {
  if (list->n == 1)
    return pl_arena_printf(arena, "kernel '%.*s'", PL_FMT(list->first));
  if (list->n == 2)
    return pl_arena_printf(arena, "kernels '%.*s' and '%.*s'", PL_FMT(list->first),
                           PL_FMT(list->second));
  return pl_arena_printf(arena, "'%.*s' and %zu more kernels", PL_FMT(list->first),
                         list->n - 1);
}

/* ---- what an #if leaves out ------------------------------------------------------ */

typedef struct hidden {
  pl_condition condition;
  names kernels;
} hidden;

typedef struct hidden_list {
  hidden *items;
  size_t n, cap;
} hidden_list;

static const pl_range *left_out_around(const pl_unit *unit, uint32_t offset) {
  for (size_t i = 0; i < unit->nleft_out; i++)
    if (unit->left_out[i].begin <= offset && offset < unit->left_out[i].end)
      return &unit->left_out[i];
  return NULL;
}

/* The name of the kernel that `__global__` at a token begins: the last word in front
 * of its parameters. */
static pl_str kernel_name(pl_str text, const pl_token *tokens, uint32_t n,
                          uint32_t at) {
  for (uint32_t i = at + 1; i + 1 < n; i++) {
    pl_str word = pl_token_in(text, &tokens[i]);
    bool opens = pl_str_is(pl_token_in(text, &tokens[i + 1]), "(");
    if (pl_str_is(word, ";") || pl_str_is(word, "{"))
      break;
    if (tokens[i].kind == PL_TOK_IDENT && opens &&
        !pl_str_is(word, "__launch_bounds__") && !pl_str_is(word, "__attribute__"))
      return word;
  }
  return PL_STR("");
}

/* Whether the file shows a kernel of that name, in another branch. */
static bool is_seen(const pl_unit *unit, pl_str name) {
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    if (unit->funcs[i]->is_global && pl_str_eq(unit->funcs[i]->name, name))
      return true;
  return false;
}

static void add_hidden(gap_list *gaps, hidden_list *list, pl_condition c,
                       pl_str name) {
  hidden *h = NULL;
  for (size_t i = 0; i < list->n && !h; i++)
    if (pl_str_eq(list->items[i].condition.directive, c.directive) &&
        pl_str_eq(list->items[i].condition.flags, c.flags))
      h = &list->items[i];
  if (!h) {
    PL_PUSH(gaps->arena, list->items, list->n, list->cap, ((hidden){.condition = c}));
    h = &list->items[list->n - 1];
  }
  add_name(&h->kernels, name);
}

static bool is_kernel_word(pl_str text, const pl_token *token) {
  return token->kind == PL_TOK_IDENT &&
         pl_str_is(pl_token_in(text, token), "__global__");
}

/* The lexer takes `#if 0` and what it leaves out for one comment. */
static void look_into_comment(gap_list *gaps, hidden_list *list, uint32_t at) {
  const pl_unit *unit = gaps->unit;
  pl_str text = pl_token_text(unit, at);
  const char *end = memchr(text.p, '\n', text.n);
  if (!pl_str_starts(text, "#") || !end)
    return;
  pl_str inner = {end, text.n - (size_t)(end - text.p)};
  uint32_t n;
  pl_token *tokens = pl_lex(gaps->arena, inner, &n);
  uint32_t begin = unit->tokens[at].range.begin;
  pl_condition c = {.at = {begin, begin + (uint32_t)(end - text.p)},
                    .directive = PL_STR("#if 0")};
  for (uint32_t i = 0; i < n; i++)
    if (is_kernel_word(inner, &tokens[i])) {
      pl_str name = kernel_name(inner, tokens, n, i);
      if (name.n && !is_seen(unit, name))
        add_hidden(gaps, list, c, name);
    }
}

static void find_hidden(gap_list *gaps) {
  const pl_unit *unit = gaps->unit;
  hidden_list list = {0};
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    if (unit->tokens[i].kind == PL_TOK_COMMENT)
      look_into_comment(gaps, &list, i);
    if (!is_kernel_word(unit->text, &unit->tokens[i]))
      continue;
    uint32_t offset = unit->tokens[i].range.begin;
    const pl_range *out = left_out_around(unit, offset);
    pl_str name = out ? kernel_name(unit->text, unit->tokens, unit->ntokens, i)
                      : PL_STR("");
    pl_condition c;
    if (name.n && !is_seen(unit, name) &&
        pl_condition_at(gaps->arena, unit, offset, out->begin, &c))
      add_hidden(gaps, &list, c, name);
  }
  for (size_t i = 0; i < list.n; i++)
    add_gap(gaps, PL_GAP_LEFT_OUT, list.items[i].condition.at,
            list.items[i].condition.directive,
            spell(gaps->arena, &list.items[i].kernels),
            list.items[i].condition.flags);
}

/* ---- errors ------------------------------------------------------------------------ */

static const pl_problem *problem_of(const pl_unit *unit, const pl_func *func) {
  for (uint32_t i = 0; i < unit->nproblems; i++)
    if (unit->problems[i].range.end && !unit->problems[i].uncovered &&
        pl_range_inside(unit->problems[i].range, func->range))
      return &unit->problems[i];
  return NULL;
}

/* The error in the head of a kernel that the parser gave up for it; NULL: it has seen the
 * kernel whose `__global__` is at a token. */
static const pl_problem *problem_of_lost(const pl_unit *unit, uint32_t at, pl_str *name) {
  pl_range head = unit->tokens[at].range;
  *name = kernel_name(unit->text, unit->tokens, unit->ntokens, at);
  if (!name->n || is_seen(unit, *name) || left_out_around(unit, head.begin))
    return NULL;
  for (uint32_t i = at; i < unit->ntokens && !pl_token_is(unit, i, "{"); i++) {
    if (pl_token_is(unit, i, ";"))
      return NULL;
    head.end = unit->tokens[i].range.end;
  }
  /* One at its name is what another among its parameters leads to. */
  const pl_problem *found = NULL;
  const char *end = name->p + name->n + 1;
  for (uint32_t i = 0; i < unit->nproblems; i++) {
    const pl_problem *problem = &unit->problems[i];
    bool inside = problem->range.end && pl_range_inside(problem->range, head);
    if (inside && (!found || unit->text.p + found->range.begin < end))
      found = problem;
  }
  return found;
}

static bool is_reported(const pl_loops *loops, const pl_func *func) {
  for (size_t i = 0; i < loops->n; i++)
    if (loops->items[i]->func == func || loops->items[i]->func->pattern == func)
      return true;
  return false;
}

/* Kernels that hold an error, or were lost by it; *broken: there are such, reported or
 * not. */
static void find_broken(gap_list *gaps, const pl_loops *loops, bool *broken) {
  const pl_unit *unit = gaps->unit;
  const pl_problem *first = NULL;
  names kernels = {.n = 0};
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    const pl_func *func = unit->funcs[i];
    const pl_problem *problem =
        func->in_main && !func->pattern && (func->is_global || func->is_device)
            ? problem_of(unit, func)
            : NULL;
    *broken = *broken || problem;
    if (!problem || !func->is_global || is_reported(loops, func))
      continue;
    first = first ? first : problem;
    add_name(&kernels, func->name);
  }
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    pl_str name;
    const pl_problem *lost = is_kernel_word(unit->text, &unit->tokens[i])
                                 ? problem_of_lost(unit, i, &name)
                                 : NULL;
    if (!lost)
      continue;
    *broken = true;
    first = first ? first : lost;
    add_name(&kernels, name);
  }
  if (first)
    add_gap(gaps, PL_GAP_ERROR, first->range, first->message,
            spell(gaps->arena, &kernels), PL_STR(""));
}

/* "'#error not today'", with the header that it stands in. */
static pl_str spell_stop(pl_arena *arena, const pl_stop *stop) {
  pl_str file = stop->file;
  if (pl_str_starts(file, "./"))
    file = (pl_str){file.p + 2, file.n - 2};
  return file.n ? pl_arena_printf(arena, "'#error %.*s' in '%.*s'",
                                  PL_FMT(stop->message), PL_FMT(file))
                : pl_arena_printf(arena, "'#error %.*s'", PL_FMT(stop->message));
}

pl_gap *pl_find_gaps(pl_arena *arena, const pl_unit *unit, const pl_loops *loops,
                     size_t *count) {
  gap_list gaps = {.arena = arena, .unit = unit};
  bool broken = false;
  find_hidden(&gaps);
  find_broken(&gaps, loops, &broken);
  for (size_t i = 0; (broken || gaps.n) && i < unit->nabsent; i++)
    add_gap(&gaps, PL_GAP_HEADER, unit->absent[i].range, unit->absent[i].message,
            PL_STR(""), PL_STR(""));
  for (size_t i = 0; i < unit->nstops; i++)
    add_gap(&gaps, PL_GAP_STOP, unit->stops[i].range,
            spell_stop(arena, &unit->stops[i]), PL_STR(""), unit->stops[i].flags);
  *count = gaps.n;
  return gaps.items;
}
