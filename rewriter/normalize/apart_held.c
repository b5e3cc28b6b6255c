/* apart_held.c - what a variable holds, said again where that shows something.
 *
 * Needs: a loop that is refused for a variable which goes on from tile to tile. Gives:
 * in front of what reads it the assignment of what it holds there anyhow. Raises
 * nothing. */
#include "apart.h"
#include "reaching_definitions.h"
#include "slices.h"
#include "values.h"

/* A number, or a variable that is set once. */
static bool is_fixed(const pl_apart *a, const pl_node *value) {
  const pl_decl *decl = value && value->kind == PL_NODE_REF ? value->decl : NULL;
  if (!decl)
    return value && value->kind == PL_NODE_INT;
  return decl != a->decl && decl->owner == a->loop->func && decl->type &&
         decl->type->kind == PL_TYPE_INT && !decl->is_shared &&
         !decl->is_static && !decl->is_volatile && !value->from_macro &&
         (decl->kind == PL_DECL_PARAM ||
          (decl->kind == PL_DECL_VAR && decl->init)) &&
         !pl_assigned_anywhere(a->loop->func->body, decl) &&
         !pl_has_second_name(a->loop, (pl_decl *)decl);
}

/* What a statement leaves in the variable, where it does but set it; NULL: that is
 * not all. */
const pl_node *pl_value_set(const pl_apart *a, const pl_node *stmt) {
  const pl_node *value = NULL;
  if (stmt->kind == PL_NODE_ASSIGN && stmt->op == PL_OP_ASSIGN &&
      !stmt->from_macro && pl_names_var(stmt->kids[0], a->decl))
    value = pl_node_bare(stmt->kids[1]);
  else if (stmt->kind == PL_NODE_DECL_STMT &&
           pl_node_within(a->decl->node, stmt) && a->decl->init &&
           !pl_mentions(stmt, a->decl))
    value = pl_node_bare(a->decl->init);
  return is_fixed(a, value) ? value : NULL;
}

static bool is_one_value(const pl_node *a, const pl_node *b) {
  return a && b && a->kind == b->kind && a->decl == b->decl &&
         a->has_ival == b->has_ival &&
         (!a->has_ival || (a->ival == b->ival && !pl_is_open(a) && !pl_is_open(b)));
}

/* What the variable holds where the loop begins. */
static const pl_node *value_before(const pl_apart *a) {
  for (const pl_node *at = a->loop->node; at->parent; at = at->parent) {
    const pl_node *up = at->parent, *last = NULL;
    if (up->kind == PL_NODE_IF && !pl_mentions(up->kids[0], a->decl) &&
        !pl_if_has_init(up))
      continue;
    if (up->kind != PL_NODE_COMPOUND)
      return NULL;
    for (uint32_t i = 0; i < up->nkids && up->kids[i] != at; i++)
      if (pl_mentions(up->kids[i], a->decl) ||
          pl_node_within(a->decl->node, up->kids[i]))
        last = up->kids[i];
    if (last)
      return pl_value_set(a, last);
  }
  return NULL;
}

/* Says at a place what the variable holds there. */
static bool say_value(const pl_apart *a, pl_range word, const pl_node *value,
                      bool behind) {
  const pl_unit *unit = a->loop->unit;
  const pl_node *body = a->loop->body;
  uint32_t token = pl_token_from(unit, word.begin);
  pl_str indent = pl_indent_at(unit, body->kids[0]->range.begin);
  pl_str text = pl_arena_printf(a->arena, "%.*s = %.*s;", PL_FMT(a->decl->name),
                                PL_FMT(pl_unit_slice(unit, value->range)));
  pl_str old = pl_unit_slice(unit, word);
  pl_replacement one = {word, {0}};
  if (!behind && unit->tokens[token - 1].kind == PL_TOK_DIRECTIVE)
    return false; /* a pragma is of what stands behind it */
  one.text = behind ? pl_arena_printf(a->arena, "%.*s\n%.*s%.*s", PL_FMT(old),
                                      PL_FMT(indent), PL_FMT(text))
                    : pl_arena_printf(a->arena, "%.*s\n%.*s%.*s", PL_FMT(text),
                                      PL_FMT(indent), PL_FMT(old));
  PL_PUSH(a->arena, a->out->items, a->out->n, a->out->cap, one);
  a->out->renames = true;
  return true;
}

/* Whether what names it are statements of the body itself. */
static bool all_in_body(const pl_apart *a) {
  for (size_t i = 0; i < a->loop->nstmts; i++)
    if (a->loop->stmts[i].node->parent != a->loop->body &&
        pl_mentions(a->loop->stmts[i].node, a->decl))
      return false;
  return true;
}

/* `while (w < n) { ...; w += T; } w = tx;` at the end of the body, and before the
 * loop: w = tx holds where the body begins, too, and behind what loads with it. Said
 * there, it shows that no value goes from one tile, or one side, to the next. */
static void say_of(const pl_apart *a) {
  const pl_node *body = a->loop->body, *held = value_before(a), *last = NULL;
  pl_replacements none = {0}, *out = a->out;
  for (uint32_t i = 0; i < body->nkids; i++)
    if (pl_mentions(body->kids[i], a->decl))
      last = pl_value_set(a, body->kids[i]);
  if (!is_one_value(held, last) || !all_in_body(a))
    return;
  bool fine = true, loading = false, first = true;
  for (size_t i = 0; fine && i < a->loop->nstmts; i++) {
    const pl_stmt *stmt = &a->loop->stmts[i];
    if (!pl_mentions(stmt->node, a->decl))
      continue;
    bool loads = stmt->phase == a->loop->load_phase;
    uint32_t token = pl_token_from(a->loop->unit, stmt->node->range.begin);
    if (held && (first || loads != loading) &&
        pl_first_use_in(stmt->node, a->decl) != PL_SETS)
      fine = say_value(a, first ? (pl_range){body->range.begin,
                                             body->range.begin + 1}
                                : a->loop->unit->tokens[token].range,
                       held, first);
    held = pl_value_set(a, stmt->node);
    loading = loads;
    first = false;
  }
  if (!fine)
    *out = none;
}

/* The first variable of which something can be said. */
void pl_say_what_is_held(const pl_loop *loop, pl_arena *arena,
                         pl_replacements *out) {
  for (size_t i = 0; !out->n && i < loop->nstmts; i++) {
    const pl_node *stmt = loop->stmts[i].node;
    const pl_node *to = stmt->kind == PL_NODE_ASSIGN && stmt->parent == loop->body
                            ? pl_node_bare(stmt->kids[0])
                            : NULL;
    const pl_apart a = {loop, to && to->kind == PL_NODE_REF ? to->decl : NULL, arena,
                     out};
    if (a.decl && pl_is_plain_local(&a) && a.decl->type->kind == PL_TYPE_INT &&
        !pl_declared_inside(a.decl, loop->body) && !pl_may_leave(loop))
      say_of(&a);
  }
}
