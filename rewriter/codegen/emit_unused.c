/* emit_unused.c - which declarations served the loads alone?
 *
 * Needs: a text in which names of the loads are others than in the source (apart.c)
 * or have given way to what they hold (forwarding.c), the loops that are emitted.
 * Gives: edits that take away what a loop's loads alone have used, and nothing uses
 * now. Raises nothing. */
#include "emit.h"

#include <string.h>

/* Whether the loop's text in the source has the word. */
static bool source_says(pl_emitter *e, const pl_loop *loop, pl_str word) {
  const pl_expanded *expanded = e->unit->expanded;
  pl_range at = pl_origin_of(expanded, loop->node->range);
  pl_str text = {expanded->source.p + at.begin, at.end - at.begin};
  uint32_t n;
  pl_token *tokens = pl_lex(e->arena, text, &n);
  for (uint32_t i = 0; i < n; i++) {
    pl_range range = tokens[i].range;
    if (tokens[i].kind == PL_TOK_IDENT &&
        pl_str_eq((pl_str){text.p + range.begin, range.end - range.begin}, word))
      return true;
  }
  return false;
}

/* Whether only the declaration has the name, which the source's loop has too. */
static bool served_loads(pl_emitter *e, const pl_loop *loop, const pl_node *var) {
  const pl_decl *decl = var->decl;
  return var->kind == PL_NODE_VAR && decl && !decl->init && !decl->is_shared &&
         !decl->is_static && !decl->from_macro && decl->ndims == 0 &&
         decl->type &&
         (decl->type->kind != PL_TYPE_RECORD ||
          decl->type->is_trivially_copyable) &&
         decl->name_range.end && !pl_node_within(var, loop->node) &&
         !pl_mentions(loop->func->body, decl) &&
         pl_count_words(e->unit, loop->func->range, decl->name) == 1 &&
         source_says(e, loop, decl->name);
}

/* All of a line that nothing else stands in. */
static pl_range whole_line(const pl_unit *unit, pl_range range) {
  pl_str text = unit->text;
  pl_range line = range;
  while (line.begin > 0 && strchr(" \t", text.p[line.begin - 1]))
    line.begin--;
  while (line.end < text.n && strchr(" \t\r", text.p[line.end]))
    line.end++;
  bool alone = (line.begin == 0 || text.p[line.begin - 1] == '\n') &&
               line.end < text.n && text.p[line.end] == '\n';
  return alone ? (pl_range){line.begin, line.end + 1} : range;
}

/* The text of a declarator with the comma beside it, of the statement where it is
 * the only one; false: more belongs to it. */
static bool declarator_of(const pl_unit *unit, const pl_node *stmt,
                          const pl_node *var, pl_range *range) {
  uint32_t at = pl_token_from(unit, var->decl->name_range.begin), first = at;
  if (first > 0 && pl_token_is(unit, first - 1, "*"))
    first--;
  bool more = first > 0 && pl_token_is(unit, first - 1, ",");
  if (stmt->nkids == 1)
    *range = whole_line(unit, stmt->range);
  else if (pl_token_is(unit, at + 1, ","))
    *range = (pl_range){unit->tokens[first].range.begin,
                        unit->tokens[at + 2].range.begin};
  else if (more && pl_token_is(unit, at + 1, ";"))
    *range = (pl_range){unit->tokens[first - 1].range.begin,
                        unit->tokens[at].range.end};
  else
    return false;
  return pl_token_is(unit, at + 1, ",") || pl_token_is(unit, at + 1, ";");
}

static bool is_edited(const pl_emitter *e, pl_range range) {
  for (size_t i = 0; i < e->nedits; i++)
    if (e->edits[i].offset < range.end &&
        e->edits[i].offset + e->edits[i].length >= range.begin)
      return true;
  return false;
}

typedef struct unused_walk {
  pl_emitter *e;
  const pl_loop *loop;
} unused_walk;

static bool drop_unused(pl_node *node, void *context) {
  const unused_walk *w = context;
  if (node->kind != PL_NODE_DECL_STMT)
    return node != w->loop->node;
  for (uint32_t i = 0; i < node->nkids; i++) {
    pl_range range;
    if (served_loads(w->e, w->loop, node->kids[i]) &&
        declarator_of(w->e->unit, node, node->kids[i], &range) &&
        !is_edited(w->e, range))
      pl_emit_add_edit(w->e, range.begin, range.end - range.begin, PL_STR(""));
  }
  return false;
}

void pl_drop_unused(pl_emitter *e, const pl_loop *loop) {
  unused_walk w = {e, loop};
  if (e->unit->expanded &&
      (e->unit->expanded->renames || e->unit->expanded->for_async))
    pl_node_walk(loop->func->body, drop_unused, &w);
}
