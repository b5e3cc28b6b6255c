/* frontend_parts.c - tokens and macro uses for the frontend.
 *
 * Needs the unit's text and tokens, and the macro uses that libclang
 * reports; gives the exact ranges that model.h promises. */
#include "frontend_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- tokens ------------------------------------------------------------- */

/* +1 for an opening bracket, -1 for a closing one. */
static int bracket_step(const pl_unit *unit, uint32_t index) {
  if (unit->tokens[index].kind != PL_TOK_PUNCT)
    return 0;
  switch (unit->text.p[unit->tokens[index].range.begin]) {
  case '(':
  case '[':
  case '{':
    return 1;
  case ')':
  case ']':
  case '}':
    return -1;
  default:
    return 0;
  }
}

uint32_t pl_token_match(const pl_unit *unit, uint32_t open) {
  int depth = 0;
  for (uint32_t i = open; i < unit->ntokens; i++) {
    depth += bracket_step(unit, i);
    if (depth == 0)
      return i;
  }
  return PL_NONE;
}

uint32_t pl_statement_end(const pl_unit *unit, uint32_t end) {
  uint32_t next = pl_token_code(unit, pl_token_from(unit, end));
  return pl_token_is(unit, next, ";") ? unit->tokens[next].range.end : end;
}

bool pl_for_header(const pl_unit *unit, uint32_t begin, uint32_t parts[3]) {
  uint32_t at = pl_token_from(unit, begin);
  if (!pl_token_is(unit, at, "for"))
    return false;
  uint32_t open = pl_token_code(unit, at + 1);
  if (!pl_token_is(unit, open, "("))
    return false;
  uint32_t close = pl_token_match(unit, open), found = 0;
  if (close == PL_NONE)
    return false;
  int depth = 0;
  for (uint32_t i = open; i < close && found < 2; i++) {
    depth += bracket_step(unit, i);
    if (depth == 1 && pl_token_is(unit, i, ";"))
      parts[found++] = unit->tokens[i].range.begin;
  }
  parts[2] = unit->tokens[close].range.begin;
  return found == 2;
}

/* ---- macro uses --------------------------------------------------------- */

void pl_source_add_use(pl_source *source, pl_range range) {
  pl_macro_use use = {range, PL_NONE};
  PL_PUSH(source->unit->arena, source->uses, source->nuses, source->uses_cap,
          use);
}

static int compare_uses(const void *a, const void *b) {
  const pl_macro_use *left = a, *right = b;
  if (left->range.begin != right->range.begin)
    return left->range.begin < right->range.begin ? -1 : 1;
  if (left->range.end != right->range.end)
    return left->range.end > right->range.end ? -1 : 1;
  return 0;
}

static int compare_offsets(const void *a, const void *b) {
  uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
  return left < right ? -1 : left > right;
}

void pl_source_settle_uses(pl_source *source) {
  if (source->nuses == 0)
    return;
  qsort(source->uses, source->nuses, sizeof *source->uses, compare_uses);
  source->ends = PL_NEW_ARRAY(source->unit->arena, uint32_t, source->nuses);
  uint32_t open = PL_NONE;
  for (uint32_t i = 0; i < source->nuses; i++) {
    while (open != PL_NONE &&
           source->uses[open].range.end <= source->uses[i].range.begin)
      open = source->uses[open].parent;
    source->uses[i].parent = open;
    open = i;
    source->ends[i] = source->uses[i].range.end;
  }
  qsort(source->ends, source->nuses, sizeof *source->ends, compare_offsets);
}

/* The last use that begins before `offset`, or PL_NONE. */
static uint32_t use_before(const pl_source *source, uint32_t offset) {
  size_t low = 0, high = source->nuses;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (source->uses[middle].range.begin < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low == 0 ? PL_NONE : (uint32_t)(low - 1);
}

uint32_t pl_source_use_at(const pl_source *source, uint32_t offset) {
  uint32_t before = use_before(source, offset);
  uint32_t next = before == PL_NONE ? 0 : before + 1;
  return next < source->nuses && source->uses[next].range.begin == offset
             ? next
             : PL_NONE;
}

static bool use_ends_at(const pl_source *source, uint32_t offset) {
  return source->nuses > 0 && bsearch(&offset, source->ends, source->nuses,
                                      sizeof offset, compare_offsets) != NULL;
}

/* The innermost use in whose arguments `offset` lies. */
static uint32_t use_around(const pl_source *source, uint32_t offset) {
  uint32_t use = use_before(source, offset);
  while (use != PL_NONE && source->uses[use].range.end <= offset)
    use = source->uses[use].parent;
  return use;
}

/* Grows [begin, end) until both lie in the same innermost use: a node that
 * runs over the edge of an argument has tokens outside it. */
pl_range pl_source_range(const pl_source *source, uint32_t begin,
                         uint32_t end) {
  uint32_t use = use_around(source, begin);
  while (use != PL_NONE && (end >= source->uses[use].range.end ||
                            end <= source->uses[use].range.begin)) {
    if (end <= source->uses[use].range.begin)
      end = source->uses[use].range.end;
    begin = source->uses[use].range.begin;
    use = source->uses[use].parent;
  }
  use = use_around(source, end);
  while (use != PL_NONE && begin <= source->uses[use].range.begin) {
    end = source->uses[use].range.end;
    use = source->uses[use].parent;
  }
  use = begin > end ? use_around(source, begin) : PL_NONE;
  if (use != PL_NONE)
    return source->uses[use].range;
  return (pl_range){begin, end < begin ? begin : end};
}

/* ---- own tokens --------------------------------------------------------- */

/* The token `spelling` between two kids, alone there but for parentheses that
 * macros leave behind; {0, 0} where a macro's body holds it. */
static pl_range operator_between(const pl_unit *unit, const pl_node *left,
                                 const pl_node *right, const char *spelling) {
  pl_range none = {0, 0};
  if (!left || !right || left->range.end > right->range.begin)
    return none;
  uint32_t at = pl_token_code(unit, pl_token_from(unit, left->range.end));
  if (!pl_token_is(unit, at, spelling))
    return none;
  uint32_t next = pl_token_code(unit, at + 1);
  if (next < unit->ntokens &&
      unit->tokens[next].range.begin < right->range.begin)
    return none;
  return unit->tokens[at].range;
}

/* The spelling of the operator of a two-sided node; `buffer` holds "+=". */
static const char *operator_text(const pl_node *node, char buffer[8]) {
  if (node->kind == PL_NODE_COND)
    return "?";
  const char *name = pl_op_name(node->op);
  if (node->kind != PL_NODE_ASSIGN || node->op == PL_OP_ASSIGN)
    return name;
  size_t size = strlen(name);
  memcpy(buffer, name, size);
  memcpy(buffer + size, "=", 2);
  return buffer;
}

static bool own_operator_is_macro(const pl_source *source, pl_node *node) {
  char buffer[8];
  if (node->nkids < 2)
    return false;
  node->op_range = operator_between(source->unit, node->kids[0], node->kids[1],
                                    operator_text(node, buffer));
  return node->op_range.end == 0;
}

static bool own_first_is_macro(const pl_source *source, const pl_node *node) {
  return pl_source_use_at(source, node->range.begin) != PL_NONE;
}

static bool own_last_is_macro(const pl_source *source, const pl_node *node) {
  return use_ends_at(source, node->range.end);
}

/* A declaration is its macro's only where the macro names the variable;
 * `DTYPE x` stands in the file. */
static bool own_decl_is_macro(const pl_node *node) {
  if (node->kind == PL_NODE_VAR)
    return node->decl && node->decl->from_macro;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (node->kids[i] && node->kids[i]->from_macro)
      return true;
  return false;
}

/* Whether a token of the node itself, not of a kid, is a macro's. */
static bool own_is_macro(const pl_source *source, pl_node *node) {
  switch (node->kind) {
  case PL_NODE_BINARY:
  case PL_NODE_ASSIGN:
  case PL_NODE_COND:
    return own_operator_is_macro(source, node);
  case PL_NODE_SUBSCRIPT:
  case PL_NODE_CALL:
  case PL_NODE_MEMBER:
  case PL_NODE_LAUNCH:
    return own_last_is_macro(source, node);
  case PL_NODE_UNARY:
    if (node->op == PL_OP_POSTINC || node->op == PL_OP_POSTDEC)
      return own_last_is_macro(source, node);
    return own_first_is_macro(source, node);
  case PL_NODE_CONSTRUCT:
    return own_first_is_macro(source, node) || own_last_is_macro(source, node);
  case PL_NODE_VAR:
  case PL_NODE_DECL_STMT:
    return own_decl_is_macro(node);
  default:
    return own_first_is_macro(source, node);
  }
}

void pl_source_own_tokens(const pl_source *source, pl_node *node) {
  if (node->range.end == 0)
    return;
  bool empty = node->range.end <= node->range.begin; /* `s[x]` of a body */
  node->from_macro = own_is_macro(source, node) ||
                     (empty && own_first_is_macro(source, node));
  if (!node->from_macro)
    return;
  uint32_t use = pl_source_use_at(source, node->range.begin);
  if (use == PL_NONE)
    use = use_around(source, node->range.begin);
  if (use == PL_NONE)
    return;
  pl_range range = source->uses[use].range;
  node->range.begin = range.begin;
  if (node->range.end < range.end)
    node->range.end = range.end;
}

/* ---- problems ----------------------------------------------------------- */

void pl_unit_add_problem(pl_unit *unit, pl_range range, pl_str message,
                         bool uncovered) {
  size_t n = unit->nproblems;
  if ((n & (n - 1)) == 0) {
    pl_problem *grown = PL_NEW_ARRAY(unit->arena, pl_problem, n ? 2 * n : 1);
    if (n)
      memcpy(grown, unit->problems, n * sizeof *grown);
    unit->problems = grown;
  }
  unit->problems[unit->nproblems++] = (pl_problem){range, message, uncovered};
}

static int compare_problems(const void *a, const void *b) {
  const pl_problem *left = a, *right = b;
  if (left->range.begin != right->range.begin)
    return left->range.begin < right->range.begin ? -1 : 1;
  return 0;
}

void pl_unit_sort_problems(pl_unit *unit) {
  if (unit->nproblems)
    qsort(unit->problems, unit->nproblems, sizeof *unit->problems,
          compare_problems);
}
