/* loop.c - see loop.h.
 *
 * Needs: a loop. Gives: its verdict and notes; its tiles and recurrences by
 * declaration. Raises: what it is told to. */
#include "loop.h"

#include <stdio.h>
#include <string.h>

bool pl_loop_settle(pl_loop *loop, pl_verdict verdict, bool certain,
                    const char *id, const pl_node *at, const char *fmt, ...) {
  if (loop->settled)
    return false;
  va_list args;
  va_start(args, fmt);
  char text[512];
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  loop->settled = true;
  loop->verdict = verdict;
  loop->certain = certain;
  loop->id = id;
  loop->message = pl_arena_str(loop->arena, text, strlen(text));
  loop->at = at && at->range.end ? at->range : loop->node->range;
  return false;
}

void pl_loop_note(pl_loop *loop, const pl_node *at, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char text[512];
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  pl_note note = {.message = pl_arena_str(loop->arena, text, strlen(text)).p};
  pl_range range = at && at->range.end ? at->range : loop->node->range;
  range = pl_unit_place(loop->unit, range, &note.line, &note.column);
  note.begin = range.begin;
  note.end = range.end;
  PL_PUSH(loop->arena, loop->notes, loop->nnotes, loop->notes_cap, note);
}

pl_effects pl_effects_in(const pl_loop *loop, pl_node *node) {
  pl_effects effects = {0};
  pl_effects_of(loop->effects, loop->func, node, &effects);
  return effects;
}

pl_roots pl_roots_in(const pl_loop *loop, pl_node *node) {
  pl_roots roots = {0};
  pl_roots_of(loop->effects, loop->func, node, &roots);
  return roots;
}

pl_tile *pl_loop_tile(const pl_loop *loop, const pl_decl *decl) {
  for (size_t i = 0; i < loop->ntiles; i++)
    if (loop->tiles[i].decl == decl)
      return &loop->tiles[i];
  for (size_t i = 0; i < loop->ntiles; i++)
    if (pl_same_shared(loop->tiles[i].decl, decl))
      return &loop->tiles[i];
  return NULL;
}

pl_recurrence *pl_loop_recurrence(const pl_loop *loop, const pl_decl *decl) {
  for (size_t i = 0; i < loop->nrecurrences; i++)
    if (loop->recurrences[i].decl == decl)
      return &loop->recurrences[i];
  return NULL;
}

bool pl_declared_inside(const pl_decl *decl, const pl_node *node) {
  return decl && decl->node && pl_node_within(decl->node, node);
}

bool pl_is_named_inside(pl_node *node, const void *tree) {
  return node->kind == PL_NODE_REF && pl_declared_inside(node->decl, tree);
}

pl_range pl_effect_range(const pl_stmt *stmt, const pl_effect *effect) {
  const pl_node *up = effect->node;
  while (up && up != stmt->node && up->kind != PL_NODE_LAMBDA)
    up = up->parent;
  return up == stmt->node ? effect->node->range : stmt->node->range;
}

size_t pl_steps_of(const pl_loop *loop, const pl_decl *decl) {
  size_t n = 0;
  for (size_t i = 0; i < loop->nrecurrences; i++)
    n += loop->recurrences[i].decl == decl;
  return n;
}

bool pl_is_refused_for(const pl_loop *loop, const char *id) {
  return loop->settled && loop->id && strcmp(loop->id, id) == 0;
}

bool pl_is_under_condition(const pl_loop *loop, const pl_decl *decl) {
  int depth = 0;
  const pl_unit *unit = loop->unit;
  uint32_t end = pl_token_from(unit, loop->node->range.begin);
  uint32_t first = pl_token_from(unit, decl->range.begin);
  for (uint32_t i = pl_directive_from(unit, first); i < end;
       i = pl_directive_from(unit, i + 1)) {
    pl_str word = pl_directive_at(unit, i);
    bool ends = pl_str_starts(word, "endif");
    if (depth == 0 && (ends || pl_str_starts(word, "el")))
      return true;
    depth += pl_str_starts(word, "if") - ends;
  }
  return false;
}

const char *pl_what_settles(const pl_loop *loop) {
  return loop->func->ntemplate_params && !loop->func->ninstances
             ? "; an instantiation in the file, or a launch description that "
               "names one, settles it"
             : "";
}
