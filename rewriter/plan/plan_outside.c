/* plan_outside.c - may what stands outside a loop name one of a tile's stages?
 *
 * Needs: the variants chosen so far. Gives: whether a use of a tile before the
 * loop or behind it finds in one stage what it found in the one buffer; whether
 * text that an #if leaves out names the tile. Raises nothing.
 *
 * Behind the loop that is the stage of the last tile, `As_stage[stage]`, or the
 * one that no tile was loaded into. Before the loop it is any one stage as long
 * as nothing of it is needed any more: stores that every tile makes again
 * (prefill.c), and reads.
 *
 * Both hold where the loop is reached once: a second time, what was left behind
 * it the first time would have to be in the first stage. Reached again and again,
 * the text behind it has to write anew what it reads, in the cells that the tiles
 * write: other cells it would find in the stage that was the last one then. */
#include "cfg.h"
#include "forms.h"
#include "plan.h"

/* Whether a name can be declared right before the loop, for what follows in its
 * block. */
static bool stands_in_order(const pl_loop *loop) {
  const pl_node *block = loop->node->parent;
  return block && block->kind == PL_NODE_COMPOUND &&
         (!block->parent || block->parent->kind != PL_NODE_SWITCH) &&
         !pl_cfg_has_goto(loop->func->body);
}

/* Whether another tile loop of the function names the tile: one that is
 * rewritten has stages of its own, one that is refused stays as it is. One that is
 * refused around this one names it as the text behind this one does. */
static bool is_shared(const pl_loops *loops, const pl_loop *loop,
                      const pl_decl *decl) {
  for (size_t i = 0; i < loops->n; i++) {
    const pl_loop *other = loops->items[i];
    bool around = pl_node_within(loop->node, other->node);
    bool none = other->settled &&
                (around || other->verdict == PL_VERDICT_NOT_A_TILE_LOOP);
    if (other != loop && other->func == loop->func && !none &&
        pl_mentions(other->node, decl))
      return true;
  }
  return false;
}

/* Whether a cell of the tile that a name begins is read as a number, and that
 * is all: `As[ty][k]` in a sum. */
static bool is_read(const pl_node *ref) {
  const pl_node *at = ref;
  while (at->parent && (at->parent->kind == PL_NODE_SUBSCRIPT ||
                        at->parent->kind == PL_NODE_PAREN) &&
         at->parent->kids[0] == at)
    at = at->parent;
  const pl_node *up = at->parent;
  if (at == ref || !up || !pl_is_number_type(at->type))
    return false;
  if (up->kind == PL_NODE_BINARY)
    return up->op != PL_OP_COMMA;
  if (up->kind == PL_NODE_ASSIGN)
    return up->kids[1] == at;
  return up->kind == PL_NODE_VAR && up->decl && pl_is_number_type(up->decl->type);
}

/* Whether what is stored before the loop is found behind one without a tile: in forms of
 * two stages that copy asynchronously and do not lead far it goes to the second, and
 * the stage behind the loop is the first. */
static bool keeps_prefill(const pl_loop *loop, const pl_tile *tile) {
  return !tile->prefilled || !pl_variant_is_async(loop->variant) ||
         pl_leads_far(loop);
}

bool pl_may_name_a_stage(const pl_loops *loops, pl_loop *loop,
                         const pl_tile *tile, const pl_node *ref) {
  pl_str text = pl_unit_slice(loop->unit, ref->range);
  bool once = loop->func->is_global && !loop->nested;
  bool before = ref->range.begin < loop->node->range.begin;
  if (!stands_in_order(loop) || is_shared(loops, loop, tile->decl) ||
      !pl_str_eq(text, tile->decl->name))
    return false;
  if (!once &&
      (before || !(is_read(ref) || pl_is_store_as_of_a_tile(loop, ref)) ||
       !pl_node_within(ref, loop->node->parent) ||
       !pl_is_filled_anew_behind(loop, tile)))
    return false;
  if (before)
    return is_read(ref);
  return pl_node_within(ref, loop->node->parent) && keeps_prefill(loop, tile);
}

/* ---- text that is left out ------------------------------------------------ */

static bool is_name_at(pl_node *node, const void *at) {
  return node->kind == PL_NODE_REF && node->range.begin == *(const uint32_t *)at;
}

static bool is_named_at(const pl_loop *loop, uint32_t at) {
  return pl_node_find(loop->func->body, is_name_at, &at);
}

/* Where the branch of an #if ends that a place stands in, and whether another one
 * follows. The function's end where it stands in none. */
static uint32_t end_of_branch(const pl_loop *loop, uint32_t from,
                              bool *by_else) {
  const pl_unit *unit = loop->unit;
  int depth = 0;
  *by_else = false;
  pl_run run = pl_tokens_in(unit, (pl_range){from, loop->func->body->range.end});
  for (uint32_t i = pl_directive_from(unit, run.first); i < run.end;
       i = pl_directive_from(unit, i + 1)) {
    pl_range range = unit->tokens[i].range;
    pl_str word = pl_directive_at(unit, i);
    bool ends = pl_str_starts(word, "endif");
    *by_else = depth == 0 && pl_str_starts(word, "el");
    if (depth == 0 && (ends || *by_else))
      return range.end;
    depth += pl_str_starts(word, "if") - ends;
  }
  return loop->func->body->range.end;
}

/* Whether a name is spelled between two places; `left_out`: where an #if begins
 * among them that leaves it out, so that the tree does not have it. */
static bool is_spelled(const pl_loop *loop, pl_str name, pl_range where,
                       bool left_out) {
  const pl_unit *unit = loop->unit;
  int depth = 0;
  pl_run run = pl_tokens_in(unit, where);
  for (uint32_t i = run.first; i < run.end; i++) {
    const pl_token *token = &unit->tokens[i];
    if (pl_range_inside(token->range, loop->node->range)) /* branches.c */
      continue;
    pl_str text = pl_unit_slice(unit, token->range);
    if (token->kind == PL_TOK_DIRECTIVE) {
      pl_str word = pl_directive_word(text);
      depth += pl_str_starts(word, "if") - pl_str_starts(word, "endif");
    } else if (token->kind == PL_TOK_IDENT && pl_str_eq(text, name) &&
               (!left_out ||
                (depth > 0 && !is_named_at(loop, token->range.begin)))) {
      return true;
    }
  }
  return false;
}

/* Behind its branch a name stands for what other branches declare as well. */
bool pl_is_named_in_left_out_text(const pl_loop *loop, const pl_decl *decl) {
  uint32_t last = loop->func->body->range.end;
  bool by_else;
  uint32_t end = end_of_branch(loop, decl->range.end, &by_else), behind = end;
  while (by_else)
    behind = end_of_branch(loop, behind, &by_else);
  return is_spelled(loop, decl->name, (pl_range){decl->range.end, end}, true) ||
         is_spelled(loop, decl->name, (pl_range){behind, last}, false);
}
