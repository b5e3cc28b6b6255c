/* frontend_finish.c - the last steps over the finished model: dependent
 * callees, launch constants, and the check that no token was lost.
 *
 * Needs the unit with all bodies; changes decls of CALL nodes, launch sites
 * and problems. */
#include "const_eval.h"
#include "frontend_parts.h"
#include "lvalues.h"

#include <string.h>

/* ---- dependent calls ---------------------------------------------------- */

static pl_func *only_func_named(const pl_unit *unit, pl_str name) {
  pl_func *found = NULL;
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    if (unit->funcs[i]->pattern || !pl_str_eq(unit->funcs[i]->name, name))
      continue;
    if (found)
      return NULL;
    found = unit->funcs[i];
  }
  return found;
}

static bool resolve_call(pl_node *node, void *context) {
  const pl_unit *unit = context;
  if (node->kind != PL_NODE_CALL || node->decl || !node->name.n)
    return true;
  const pl_node *callee = node->nkids ? pl_node_bare(node->kids[0]) : NULL;
  if (!callee || callee->kind != PL_NODE_REF)
    return true;
  pl_func *func = only_func_named(unit, node->name);
  if (func)
    node->decl = func->decl;
  return true;
}

void pl_unit_resolve_calls(pl_unit *unit) {
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    pl_node_walk(unit->funcs[i]->body, resolve_call, unit);
}

/* ---- launches ----------------------------------------------------------- */

/* The variable that an assignment's left side is about. */
static const pl_decl *written_root(const pl_node *node) {
  while (node && node->nkids &&
         (node->kind == PL_NODE_PAREN || node->kind == PL_NODE_MEMBER ||
          node->kind == PL_NODE_SUBSCRIPT || node->kind == PL_NODE_CAST))
    node = node->kids[0];
  return node && node->kind == PL_NODE_REF ? node->decl : NULL;
}

static bool is_reference_to_variable(const pl_type *type) {
  return type && type->kind == PL_TYPE_REFERENCE &&
         !(type->element && type->element->is_const);
}

typedef struct writing {
  const pl_decl *decl;
  bool found;
} writing;

static void find_root(pl_node *place, void *context) {
  writing *w = context;
  w->found = w->found || written_root(place) == w->decl;
}

/* Whether a node sets a variable, or gives it to what may. */
static bool writes(pl_node *node, const void *decl) {
  writing w = {.decl = decl};
  bool sets = node->kind == PL_NODE_ASSIGN || pl_node_is_step(node) ||
              (node->kind == PL_NODE_UNARY && node->op == PL_OP_ADDR) ||
              (node->kind == PL_NODE_VAR && node->decl &&
               is_reference_to_variable(node->decl->type));
  if (sets && node->nkids)
    pl_each_place(node->kids[0], find_root, &w);
  for (uint32_t i = 1; node->kind == PL_NODE_CALL && i < node->nkids; i++)
    if (!node->decl || pl_may_set_argument(node, i - 1))
      pl_each_place(node->kids[i], find_root, &w);
  return w.found;
}

static bool is_written(const pl_decl *decl, const pl_func *caller) {
  return caller && pl_node_find(caller->body, writes, decl);
}

static bool block_threads(const pl_node *node, const pl_func *caller,
                          int64_t *threads, int depth);

/* A variable that is set once, where it is declared: what is outside of functions, any
 * of the program's may set. */
static bool variable_threads(const pl_decl *decl, const pl_func *caller,
                             int64_t *threads, int depth) {
  if (decl->has_value)
    return *threads = decl->value, true;
  bool stays = decl->owner || (decl->type && decl->type->is_const);
  if (decl->kind != PL_DECL_VAR || !decl->init || !stays || is_written(decl, caller))
    return false;
  if (!block_threads(decl->init, caller, threads, depth + 1))
    return false;
  return !pl_is_integer_type(decl->type) ||
         pl_const_number(pl_const_convert(pl_const_make(0, false, *threads),
                                          decl->type),
                         threads);
}

static bool product_of_kids(const pl_node *node, const pl_func *caller,
                            int64_t *threads, int depth) {
  int64_t each;
  *threads = 1;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (!block_threads(node->kids[i], caller, &each, depth + 1) ||
        __builtin_mul_overflow(*threads, each, threads))
      return false;
  return true;
}

/* The number that a block expression comes to: an integer, or the product of
 * a dim3's parts. */
static bool block_threads(const pl_node *node, const pl_func *caller,
                          int64_t *threads, int depth) {
  if (!node || depth > 32)
    return false;
  if (pl_node_eval(node, NULL, NULL, threads))
    return true;
  switch (node->kind) {
  case PL_NODE_CONSTRUCT:
  case PL_NODE_INIT_LIST:
  case PL_NODE_PAREN:
  case PL_NODE_CAST:
    return product_of_kids(node, caller, threads, depth);
  case PL_NODE_REF:
    return node->decl && variable_threads(node->decl, caller, threads, depth);
  case PL_NODE_BINARY: {
    pl_node copy = *node;
    pl_node left = {.kind = PL_NODE_INT, .has_ival = true}, right = left;
    pl_node *kids[2] = {&left, &right};
    if (node->nkids != 2 ||
        !block_threads(node->kids[0], caller, &left.ival, depth + 1) ||
        !block_threads(node->kids[1], caller, &right.ival, depth + 1))
      return false;
    left.type = node->kids[0]->type;
    right.type = node->kids[1]->type;
    copy.kids = kids;
    return pl_node_eval(&copy, NULL, NULL, threads);
  }
  default:
    return false;
  }
}

/* The parts of a `dim3(x, y, z)` or of the variable that holds it; what is one
 * number is x. */
static void block_dims(pl_launch_site *site, const pl_func *caller) {
  const pl_node *node = pl_node_bare(site->block);
  if (node && node->kind == PL_NODE_REF && node->decl &&
      node->decl->kind == PL_DECL_VAR && node->decl->init)
    node = pl_node_bare(node->decl->init);
  bool parts = node && node->nkids > 1 && node->nkids <= 3 &&
               (node->kind == PL_NODE_CONSTRUCT ||
                node->kind == PL_NODE_INIT_LIST);
  for (uint32_t i = 0; i < 3; i++)
    site->block_dims[i] = 1;
  site->block_dims[0] = site->threads;
  for (uint32_t i = 0; parts && i < node->nkids; i++)
    if (!block_threads(node->kids[i], caller, &site->block_dims[i], 0))
      site->block_dims[0] = 0;
}

bool pl_host_number(const pl_node *node, const pl_func *caller, int64_t *number) {
  return block_threads(node, caller, number, 0);
}

void pl_launch_constants(pl_launch_site *site, const pl_func *caller) {
  if (block_threads(site->block, caller, &site->threads, 0))
    block_dims(site, caller);
  else
    site->threads = -1;
  if (!site->shared)
    site->shared_bytes = 0;
  else if (!block_threads(site->shared, caller, &site->shared_bytes, 0))
    site->shared_bytes = -1;
}

/* ---- folds over packs --------------------------------------------------------- */

static bool is_operator_of_fold(const pl_unit *unit, uint32_t token) {
  static const char *const words[] = {"+", "-", "*", "/", "%", "^", "&", "|", "<<", ">>",
                                      "&&", "||", ",", "=", "+=", "-=", "*=", "/=", "|=", "&="};
  return PL_STR_IS_ONE(pl_token_text(unit, token), words);
}

/* Whether `...` is that of a fold, `(f(p) + ...)`, `(... + f(p))` or `(x + ... + f(p))`. */
static bool is_fold(const pl_unit *unit, uint32_t token) {
  uint32_t before = token;
  while (before-- > 0 && unit->tokens[before].kind == PL_TOK_COMMENT)
    ;
  uint32_t behind = pl_token_code(unit, token + 1);
  bool left = pl_token_is(unit, before, "("), right = pl_token_is(unit, behind, ")");
  return pl_token_is(unit, token, "...") && !(left && right) &&
         (left || is_operator_of_fold(unit, before)) &&
         (right || is_operator_of_fold(unit, behind));
}

/* The parentheses around a token; false: there are none. */
static bool parentheses_around(const pl_unit *unit, uint32_t token, pl_range *range) {
  uint32_t first = token;
  for (int depth = 1; depth; depth += pl_token_is(unit, first, ")") - pl_token_is(unit, first, "("))
    if (first-- == 0)
      return false;
  uint32_t last = pl_token_match(unit, first);
  if (last != PL_NONE)
    *range = (pl_range){unit->tokens[first].range.begin, unit->tokens[last].range.end};
  return last != PL_NONE;
}

static bool is_strictly_inside(pl_range range, pl_range within) {
  return range.begin > within.begin && range.end < within.end;
}

typedef struct closing {
  const pl_unit *unit;
  pl_range fold;
} closing;

/* Where `=` stands in front of a fold. */
static void find_assignment(const pl_unit *unit, pl_node *node, pl_range fold) {
  uint32_t at = pl_token_from(unit, fold.begin) - 1;
  if (node && node->kind == PL_NODE_ASSIGN && !node->op_range.end && pl_token_is(unit, at, "="))
    node->op_range = unit->tokens[at].range;
}

/* What a fold expands to has the range of what is folded, and what stands around ends, or
 * begins, with that. */
static bool close_fold(pl_node *node, void *context) {
  const closing *c = context;
  const pl_range *fold = &c->fold;
  pl_range *range = &node->range;
  if (!range->end || range->end <= fold->begin || range->begin >= fold->end)
    return false;
  if (range->begin <= fold->begin && range->end < fold->end)
    range->end = fold->end;
  else if (range->begin > fold->begin && range->end >= fold->end)
    range->begin = fold->begin;
  else if (!is_strictly_inside(*range, *fold))
    return true;
  else {
    *range = *fold;
    find_assignment(c->unit, node->parent, *fold);
  }
  if (range->end == fold->end && pl_node_is_statement(node))
    range->end = pl_statement_end(c->unit, range->end);
  return node->kind == PL_NODE_CAST || !pl_range_inside(*range, *fold);
}

/* Of an instantiation: the template's own text has its folds whole. */
void pl_unit_close_folds(pl_unit *unit) {
  for (uint32_t i = pl_token_of(unit, PL_STR("...")); i < unit->ntokens; i = unit->words->next[i]) {
    closing c = {.unit = unit};
    if (!is_fold(unit, i) || !parentheses_around(unit, i, &c.fold))
      continue;
    for (uint32_t f = 0; f < unit->nfuncs; f++)
      if (unit->funcs[f]->pattern && unit->funcs[f]->body &&
          pl_range_inside(c.fold, unit->funcs[f]->body->range))
        pl_node_walk(unit->funcs[f]->body, close_fold, &c);
  }
}

/* ---- coverage ----------------------------------------------------------- */

typedef struct coverage {
  const pl_unit *unit;
  uint32_t first; /* token index of the body's first token */
  uint32_t count;
  bool *covered;
} coverage;

static void cover(coverage *map, pl_range range) {
  uint32_t i = pl_token_from(map->unit, range.begin);
  for (; i < map->first + map->count &&
         map->unit->tokens[i].range.begin < range.end;
       i++)
    if (i >= map->first)
      map->covered[i - map->first] = true;
}

static bool is_control(pl_node_kind kind) {
  return kind == PL_NODE_COMPOUND || kind == PL_NODE_IF ||
         kind == PL_NODE_FOR || kind == PL_NODE_RANGE_FOR ||
         kind == PL_NODE_WHILE || kind == PL_NODE_DO ||
         kind == PL_NODE_SWITCH || kind == PL_NODE_CASE ||
         kind == PL_NODE_LABEL;
}

/* Expressions and simple statements cover their text; control statements only
 * what their parts cover. A from_macro one covers the macro's use. */
static bool cover_node(pl_node *node, void *context) {
  coverage *map = context;
  if (!is_control(node->kind)) {
    cover(map, node->range);
    return false;
  }
  return true;
}

static bool is_control_word(pl_str text) {
  static const char *const words[] = {
      "if",        "else",    "for",      "while",        "do",       "switch",
      "case",      "default", "return",   "break",        "continue", "goto",
      "constexpr", "_Pragma", "__pragma", "__extension__"};
  return PL_STR_IS_ONE(text, words);
}

static bool is_bracketing(pl_str text) {
  return (text.n == 1 && strchr("{}();:,", text.p[0])) || pl_str_is(text, "<%") ||
         pl_str_is(text, "%>");
}

static bool in_ranges(const pl_range *ranges, size_t n, uint32_t offset) {
  for (size_t i = 0; i < n; i++)
    if (offset >= ranges[i].begin && offset < ranges[i].end)
      return true;
  return false;
}

/* Macro uses show no cursors where they expand to nothing or to a pragma. */
static bool in_macro_use(const pl_source *source, uint32_t offset) {
  for (size_t i = 0; i < source->nuses; i++)
    if (offset >= source->uses[i].range.begin &&
        offset < source->uses[i].range.end)
      return true;
  return false;
}

/* `name:` before a statement is a label; clang's LABEL node shows its name. */
static bool is_label_name(const pl_unit *unit, uint32_t index) {
  return pl_token_is(unit, pl_token_code(unit, index + 1), ":");
}

/* Marks [[attribute]] and _Pragma("...") as covered. */
static void cover_attributes(coverage *map) {
  for (uint32_t i = map->first; i + 1 < map->first + map->count; i++) {
    bool attribute =
        pl_token_is(map->unit, i, "[") && pl_token_is(map->unit, i + 1, "[");
    bool pragma = pl_token_is(map->unit, i, "_Pragma") ||
                  pl_token_is(map->unit, i, "__attribute__");
    if (!attribute && !pragma)
      continue;
    uint32_t close = pl_token_match(map->unit, attribute ? i : i + 1);
    if (close != PL_NONE)
      cover(map, (pl_range){map->unit->tokens[i].range.begin,
                            map->unit->tokens[close].range.end});
  }
}

static bool must_be_covered(const pl_source *source, const coverage *map,
                            uint32_t index) {
  const pl_token *token = &map->unit->tokens[index];
  pl_str text = pl_token_text(map->unit, index);
  if (map->covered[index - map->first] || token->kind == PL_TOK_COMMENT ||
      token->kind == PL_TOK_DIRECTIVE || token->kind == PL_TOK_STRING)
    return false;
  if (token->kind == PL_TOK_PUNCT && is_bracketing(text))
    return false;
  if (token->kind == PL_TOK_IDENT &&
      (is_control_word(text) || is_label_name(map->unit, index)))
    return false;
  return !in_ranges(source->skipped, source->nskipped, token->range.begin) &&
         !in_macro_use(source, token->range.begin);
}

/* One problem for each run of lost tokens. */
static void report_gaps(const pl_source *source, const coverage *map) {
  pl_unit *unit = source->unit;
  for (uint32_t i = map->first; i < map->first + map->count; i++) {
    if (!must_be_covered(source, map, i))
      continue;
    pl_range range = unit->tokens[i].range;
    while (i + 1 < map->first + map->count &&
           must_be_covered(source, map, i + 1))
      range.end = unit->tokens[++i].range.end;
    pl_str message = pl_arena_printf(unit->arena, "no cursor covers '%.*s'",
                                     PL_FMT(pl_unit_slice(unit, range)));
    pl_unit_add_problem(unit, range, message, true);
  }
}

static void check_function(const pl_source *source, const pl_func *func) {
  const pl_unit *unit = source->unit;
  coverage map = {.unit = unit};
  map.first = pl_token_from(unit, func->body->range.begin);
  map.count = pl_token_from(unit, func->body->range.end) - map.first;
  map.covered = PL_NEW_ARRAY(unit->arena, bool, map.count + 1);
  pl_node_walk(func->body, cover_node, &map);
  cover_attributes(&map);
  report_gaps(source, &map);
}

void pl_unit_check_coverage(const pl_source *source) {
  const pl_unit *unit = source->unit;
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    const pl_func *func = unit->funcs[i];
    if (func->in_main && func->body && !func->pattern &&
        (func->is_global || func->is_device))
      check_function(source, func);
  }
}
