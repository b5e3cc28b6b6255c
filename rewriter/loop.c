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

bool pl_refuse_unseen(pl_loop *loop, const pl_node *node) {
  pl_str name = pl_callee_name(node);
  if (node->kind == PL_NODE_RANGE_FOR)
    return pl_refuse(loop, false, "PL4004", node,
                     "what this range-based loop calls is not seen; with an "
                     "index in its place there is nothing to see");
  if (name.n)
    return pl_refuse(loop, false, "PL4004", node,
                     "the body of '%.*s' is not seen, so what it reads and "
                     "writes is not known",
                     PL_FMT(name));
  return pl_refuse(loop, false, "PL4004", node,
                   "what is called here is not seen, so what it reads and "
                   "writes is not known");
}

void pl_loop_note(pl_loop *loop, const pl_node *at, const char *fmt, ...) {
  va_list args;
  va_start(args, fmt);
  char text[512];
  vsnprintf(text, sizeof text, fmt, args);
  va_end(args);
  pl_note note = {.message = pl_arena_str(loop->arena, text, strlen(text)).p};
  pl_range range = at && at->range.end ? at->range : loop->node->range;
  note.begin = range.begin;
  note.end = range.end;
  pl_unit_position(loop->unit, range.begin, &note.line, &note.column);
  PL_PUSH(loop->arena, loop->notes, loop->nnotes, loop->notes_cap, note);
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
