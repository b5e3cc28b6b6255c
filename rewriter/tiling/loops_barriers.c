/* loops_barriers.c - which barriers are a loop's own?
 *
 * Needs: the loop's body. Gives: its barriers by where they stand. Raises:
 * nothing; loops_form.c and phases.c do. */
#include "assembly.h"
#include "call_summary.h"
#include "loops_parts.h"

static bool is_special_name(const pl_node *node) {
  return node->kind == PL_NODE_CALL && !pl_is_barrier(node) &&
         pl_builtin_of(node)->emits == PL_EMITS_SPECIAL_BARRIER;
}

static const pl_node *callee_body(const pl_node *node) {
  return node->kind == PL_NODE_CALL ? pl_called_body(node) : NULL;
}

static bool repeats(const pl_node *node) {
  return pl_node_is_loop(node) && !pl_runs_once(node);
}

static bool waits(const pl_unit *unit, const pl_node *node) {
  (void)unit;
  return pl_is_barrier(node);
}

static bool waits_again(const pl_unit *unit, const pl_node *node) {
  return repeats(node) && pl_text_shows(unit, (pl_node *)node, waits);
}

/* Whether a call waits at a barrier, and does not loop over tiles itself. */
static bool waits_within(const pl_unit *unit, const pl_node *call) {
  return call->kind == PL_NODE_CALL && pl_call_shows(unit, call, waits) &&
         !pl_call_shows(unit, call, waits_again);
}

/* A barrier inside a branch of a function that the loop calls. */
static bool branches_to_barrier(const pl_node *node, bool branch) {
  if (!node)
    return false;
  if (branch && pl_is_barrier(node))
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (branches_to_barrier(node->kids[i], branch || node->kind == PL_NODE_IF))
      return true;
  return false;
}

/* `group.sync()`, where the template's arguments decide what the group is. */
static bool is_open_sync(const pl_node *node) {
  const pl_node *object =
      node->kind == PL_NODE_CALL && node->nkids &&
              node->kids[0] && node->kids[0]->kind == PL_NODE_MEMBER &&
              node->kids[0]->nkids
          ? node->kids[0]->kids[0]
          : NULL;
  return object && pl_str_is(node->name, "sync") && object->type &&
         pl_written_type(object->type)->kind == PL_TYPE_DEPENDENT &&
         !pl_is_barrier(node);
}

static bool is_barrier_asm(const pl_unit *unit, const pl_node *node) {
  const pl_node *callee = callee_body(node);
  if (callee && callee->nkids == 1 && callee->kids[0])
    node = callee->kids[0];
  if (node->kind != PL_NODE_ASM)
    return false;
  pl_str text = pl_asm_source(unit, node);
  return pl_str_has(text, "bar.sync") || pl_str_has(text, "barrier.");
}

static void scan_barriers(const pl_unit *unit, pl_node *node, bool own_level,
                          bool inner, pl_barrier_scan *scan) {
  if (!node || node->kind == PL_NODE_LAMBDA)
    return;
  if (pl_is_barrier(node) || is_special_name(node) ||
      is_barrier_asm(unit, node)) {
    if (inner)
      scan->in_inner_loop = true;
    else if (!pl_is_barrier(node))
      scan->special = node;
    else if (own_level)
      scan->own = scan->own ? scan->own : node;
    else if (!scan->conditional)
      scan->conditional = node;
    return;
  }
  if (!inner && !scan->called && waits_within(unit, node))
    scan->called = node;
  if (!inner && !scan->conditional &&
      branches_to_barrier(callee_body(node), false))
    scan->conditional = node;
  if (!inner && is_open_sync(node))
    scan->open = node;
  for (uint32_t i = 0; i < node->nkids; i++)
    scan_barriers(
        unit, node->kids[i], false,
        inner || (node->kids[i] && repeats(node->kids[i])), scan);
}

pl_barrier_scan pl_scan_loop(const pl_unit *unit, pl_node *body) {
  pl_barrier_scan scan = {0};
  if (!body)
    return scan;
  if (body->kind != PL_NODE_COMPOUND) {
    scan_barriers(unit, body, true, repeats(body), &scan);
    return scan;
  }
  for (uint32_t i = 0; i < body->nkids; i++)
    if (body->kids[i])
      scan_barriers(unit, body->kids[i], true,
                    repeats(body->kids[i]), &scan);
  return scan;
}
