/* loops_problems.c - what may an error have hidden?
 *
 * Needs: the errors that the parse found. Of what clang does not understand it shows
 * nothing, so that a function may look as if it did less than it does, and another
 * overload than the one that is meant may be called. Raises: PL1001, PL1002. */
#include "call_summary.h"
#include "loops_parts.h"

#include <ctype.h>

const pl_problem *pl_problem_inside(const pl_unit *unit, pl_range range) {
  const pl_problem *uncovered = NULL;
  for (uint32_t i = 0; i < unit->nproblems; i++) {
    if (!pl_range_inside(unit->problems[i].range, range))
      continue;
    if (!unit->problems[i].uncovered)
      return &unit->problems[i];
    if (!uncovered)
      uncovered = &unit->problems[i];
  }
  return uncovered;
}

/* The name that is not declared, if it is written as macros are: `_TILE_`, which a
 * build defines, or who writes it in before the file is compiled; else nothing. */
static pl_str macro_missed(pl_str message) {
  static const char begin[] = "use of undeclared identifier '";
  if (!pl_str_starts(message, begin) || message.p[message.n - 1] != '\'')
    return PL_STR("");
  pl_str name = {message.p + sizeof begin - 1, message.n - sizeof begin};
  bool capital = false;
  for (size_t i = 0; i < name.n; i++) {
    if (islower((unsigned char)name.p[i]) || name.p[i] == ':')
      return PL_STR("");
    capital |= isupper((unsigned char)name.p[i]) != 0;
  }
  return capital ? name : PL_STR("");
}

bool pl_refuse_problem(pl_loop *loop, const pl_problem *problem) {
  pl_node at = {.range = problem->range};
  pl_str macro = macro_missed(problem->message);
  pl_refuse(loop, false, problem->uncovered ? "PL1002" : "PL1001", &at, "%.*s",
            PL_FMT(problem->message));
  if (macro.n)
    pl_loop_note(loop, &at, "where a build defines it, '-- -D%.*s=...' does so here",
                 PL_FMT(macro));
  return false;
}

static bool is_broken_body(const pl_unit *unit, const pl_node *node) {
  const pl_func *func = node->kind == PL_NODE_COMPOUND ? node->func : NULL;
  return func && (func->holds_error ||
                  (func->in_main && pl_problem_inside(unit, func->range)));
}

/* The first error of a function in the main file; of none there, the file's first. */
static void note_problem(pl_loop *loop, const pl_func *func) {
  const pl_unit *unit = loop->unit;
  const pl_problem *found =
      func && func->in_main ? pl_problem_inside(unit, func->range) : NULL;
  for (uint32_t i = 0; i < unit->nproblems && !found; i++)
    if (!unit->problems[i].uncovered && unit->problems[i].range.end)
      found = &unit->problems[i];
  if (found)
    pl_loop_note(loop, &(pl_node){.range = found->range}, "%.*s",
                 PL_FMT(found->message));
}

/* What a function does whose text holds an error is not known. */
static bool check_called(pl_loop *loop) {
  pl_node *call = pl_text_shows(loop->unit, loop->node, is_broken_body);
  if (!call)
    return true;
  pl_str name = pl_callee_name(call);
  pl_refuse(loop, false, "PL1001", call,
            "there is an error in what %s%.*s%s does, or in a function that it "
            "calls: a part of that may be hidden by it",
            name.n ? "'" : "is called here", PL_FMT(name), name.n ? "'" : "");
  note_problem(loop, call->decl ? call->decl->func : NULL);
  return false;
}

static bool is_lost_name(const pl_unit *unit, pl_str name) {
  name = pl_before_angle(pl_last_name(name));
  for (size_t i = 0; i < unit->nlost && name.n; i++)
    if (pl_str_eq(unit->lost[i], name))
      return true;
  return false;
}

static bool uses_lost(const pl_unit *unit, const pl_node *node) {
  const pl_type *type = node->type ? pl_no_reference(node->type) : NULL;
  while (type && (type->kind == PL_TYPE_ARRAY || type->kind == PL_TYPE_POINTER))
    type = type->element;
  return (node->kind == PL_NODE_CALL && is_lost_name(unit, pl_callee_name(node))) ||
         (type && type->kind == PL_TYPE_RECORD && is_lost_name(unit, type->spelling));
}

/* Where a declaration holds an error, another one of that name is in its place, or a
 * class lacks a member. */
static bool check_lost(pl_loop *loop) {
  pl_node *use = loop->unit->nlost
                     ? pl_text_shows(loop->unit, loop->node, uses_lost)
                     : NULL;
  if (!use)
    return true;
  pl_refuse(loop, false, "PL1001", use,
            "a declaration of what is used here holds an error, and what it says is "
            "not known");
  note_problem(loop, NULL);
  return false;
}

/* An error anywhere in the function may have hidden part of the loop, and one in what
 * the loop calls a part of that. */
bool pl_check_problems(pl_loop *loop) {
  const pl_problem *problem = pl_problem_inside(loop->unit, loop->func->range);
  return problem ? pl_refuse_problem(loop, problem)
                 : check_called(loop) && check_lost(loop);
}
