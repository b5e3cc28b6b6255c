/* legality_names.c - which names cannot be rebound?
 *
 * Needs: tiles and recurrences. Gives: the tiles that are fixed by lambdas,
 * constants and decltype; whether a recurrence has one name only. Raises:
 * PL3009. */
#include "legality_parts.h"
#include "varies.h"

bool pl_names_type(const pl_unit *unit, const pl_node *ref) {
  if (!pl_str_eq(pl_unit_slice(unit, ref->range), ref->decl->name))
    return false;
  for (const pl_node *up = ref->parent; up; up = up->parent)
    if (up->kind == PL_NODE_SIZEOF ||
        (up->kind == PL_NODE_CALL && up->has_ival))
      return true;
  return false;
}

typedef struct name_walk {
  pl_loop *loop;
  bool ok;
} name_walk;

/* Whether a lambda takes what it names by reference: `[&]`, `[&, n]`. */
static bool takes_references(const pl_unit *unit, const pl_node *lambda) {
  pl_str text = pl_unit_slice(unit, lambda->range);
  size_t at = 1;
  while (at < text.n && text.p[at] == ' ')
    at++;
  size_t behind = at + 1;
  while (behind < text.n && text.p[behind] == ' ')
    behind++;
  return !lambda->from_macro && text.n && text.p[0] == '[' &&
         behind < text.n && text.p[at] == '&' &&
         (text.p[behind] == ']' || text.p[behind] == ',');
}

/* Whether a name stands in lambdas of the loop's body that take it for the alias
 * that it is there. */
static bool is_taken_by_reference(const pl_loop *loop, const pl_node *ref) {
  for (const pl_node *up = ref->parent; up != loop->node; up = up->parent)
    if (!up || (up->kind == PL_NODE_LAMBDA &&
                !takes_references(loop->unit, up)))
      return false;
  return true;
}

static void fix_tile(pl_loop *loop, pl_node *ref) {
  pl_tile *tile = ref->decl ? pl_loop_tile(loop, ref->decl) : NULL;
  if (tile && !tile->fixed) {
    tile->fixed = true;
    tile->fixed_at = ref;
  }
}

static bool lambda_names(pl_node *node, void *context) {
  name_walk *w = context;
  if (node->kind == PL_NODE_REF && !is_taken_by_reference(w->loop, node))
    fix_tile(w->loop, node);
  return true;
}

/* Where a constant expression names a tile, an alias will do for sizeof alone;
 * outside the loop one of the stages does for a constexpr function too. */
static bool constant_names(pl_node *node, void *context) {
  name_walk *w = context;
  if (node->kind == PL_NODE_SIZEOF)
    return false;
  if (node->kind != PL_NODE_REF || !node->decl ||
      (pl_names_type(w->loop->unit, node) &&
       !pl_node_within(node, w->loop->node)))
    return true;
  fix_tile(w->loop, node);
  return true;
}

/* Lambdas and constant-evaluated initialisers that name a tile. */
static bool find_fixed(pl_node *node, void *context) {
  if (node->kind == PL_NODE_LAMBDA)
    pl_node_walk(node, lambda_names, context);
  if (node->kind == PL_NODE_VAR && node->decl && node->decl->is_constexpr &&
      node->nkids)
    pl_node_walk(node->kids[0], constant_names, context);
  return true;
}

/* A recurrence that something else can see under its address must not get a
 * second copy. */
bool pl_check_recurrence_names(pl_loop *loop) {
  for (size_t i = 0; i < loop->nrecurrences; i++) {
    const pl_decl *decl = loop->recurrences[i].decl;
    if (pl_other_name(loop, decl, true))
      return pl_refuse(loop, false, "PL3009", loop->recurrences[i].step,
                       "'%.*s' is also reached through a reference or lambda",
                       PL_FMT(decl->name));
  }
  return true;
}

/* The token behind what `decltype` at token `at` has in its parentheses. */
static uint32_t decltype_end(const pl_unit *unit, uint32_t at) {
  int depth = 0;
  for (uint32_t i = at + 1; i < unit->ntokens; i++) {
    pl_str word = pl_unit_slice(unit, unit->tokens[i].range);
    depth += pl_str_is(word, "(") ? 1 : pl_str_is(word, ")") ? -1 : 0;
    if (depth <= 0)
      return i;
  }
  return unit->ntokens;
}

/* The next `decltype` of a run from `i` on; its end: there is none. */
static uint32_t next_decltype(const pl_unit *unit, pl_run run, uint32_t i) {
  while (i < run.end && (unit->tokens[i].kind != PL_TOK_IDENT ||
                         !pl_token_is(unit, i, "decltype")))
    i++;
  return i;
}

static void fix_tile_named(pl_loop *loop, const pl_token *token) {
  for (size_t t = 0; t < loop->ntiles; t++)
    if (pl_str_eq(pl_unit_slice(loop->unit, token->range),
                  loop->tiles[t].decl->name))
      loop->tiles[t].fixed = true;
}

static void find_decltype(pl_loop *loop) {
  const pl_unit *unit = loop->unit;
  pl_run run = pl_tokens_in(unit, loop->func->body->range);
  for (uint32_t i = next_decltype(unit, run, run.first); i < run.end;
       i = next_decltype(unit, run, i + 1))
    for (uint32_t j = i + 1; j < decltype_end(unit, i); j++)
      fix_tile_named(loop, &unit->tokens[j]);
}

/* A recurrence whose type is asked for: where a copy of it goes by its name,
 * that name is a reference. */
static const pl_decl *named_in_decltype(const pl_loop *loop, uint32_t at) {
  for (uint32_t j = at + 1; j < decltype_end(loop->unit, at); j++)
    for (size_t i = 0; i < loop->nrecurrences; i++)
      if (pl_str_eq(pl_unit_slice(loop->unit, loop->unit->tokens[j].range),
                    loop->recurrences[i].decl->name))
        return loop->recurrences[i].decl;
  return NULL;
}

/* `decltype(i)` inside the loop, of a variable that gets a second copy. */
bool pl_check_recurrence_types(pl_loop *loop) {
  pl_run run = pl_tokens_in(loop->unit, loop->node->range);
  for (uint32_t i = next_decltype(loop->unit, run, run.first); i < run.end;
       i = next_decltype(loop->unit, run, i + 1)) {
    const pl_decl *decl = named_in_decltype(loop, i);
    pl_node at = {.range = loop->unit->tokens[i].range};
    if (decl)
      return pl_refuse(loop, false, "PL3009", &at,
                       "decltype names '%.*s', which stands for a reference "
                       "to its copy where the loop is rewritten",
                       PL_FMT(decl->name));
  }
  return true;
}

/* Marks the tiles whose names cannot stand for another stage: in lambdas and
 * constants, and in what leads from one tile to the next, which stands between
 * the stages. */
void pl_find_fixed_tiles(pl_loop *loop) {
  name_walk names = {loop, true};
  pl_node_walk(loop->func->body, find_fixed, &names);
  pl_node_walk(loop->cond, constant_names, &names);
  pl_node_walk(loop->inc, constant_names, &names);
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].is_advance)
      pl_node_walk(loop->stmts[i].node, constant_names, &names);
  find_decltype(loop);
}
