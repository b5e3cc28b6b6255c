/* wait_at_end.c - asynchronous copies that the next iteration waits for at once.
 *
 * Needs: an attempt in which a loop is left as copies are in flight from one iteration to
 * the next. Gives: its wait at the end of the iteration as well, and in front of the loop,
 * where nothing is done between the last copy and the wait. Raises nothing.
 *
 *     for (...) {                            {
 *         wait for all; barrier;                 wait for all;
 *         use(s);                                for (...) {
 *         barrier;                                   wait for all; barrier;
 *         copy to s; commit;                         use(s);
 *     }                                              barrier;
 *                                                    copy to s; commit; wait for all;
 *                                                }
 *                                            }
 *
 * One more wait does no harm; here it takes no overlap away. */
#include "async_operations.h"
#include "expansions.h"

static const pl_async_op *operation_at(const pl_async_use *use, const pl_node *stmt) {
  for (size_t i = 0; i < use->n; i++)
    if (use->ops[i].node == stmt && !use->ops[i].helper)
      return &use->ops[i];
  return NULL;
}

static bool waits_for_all(const pl_async_op *op) {
  return op->role == PL_ASYNC_WAIT &&
         (op->prior == 0 || op->prior == PL_ASYNC_OF_ALL);
}

/* Whether all that is in a statement are copies and commits. */
static bool only_copies(const pl_async_use *use, const pl_node *stmt) {
  bool any = false;
  for (size_t i = 0; i < use->n; i++) {
    const pl_async_op *op = &use->ops[i];
    if (!pl_node_within(op->helper ? op->call : op->node, stmt))
      continue;
    any = true;
    if (op->role != PL_ASYNC_COPY && op->role != PL_ASYNC_COMMIT)
      return false;
  }
  return any;
}

/* The end of the commits and the wait that the body begins with, behind barriers and
 * declarations at most; 0: it begins otherwise. */
static uint32_t first_wait(const pl_async_use *use, const pl_node *body,
                           uint32_t *begin) {
  bool any = false;
  for (uint32_t i = 0; i < body->nkids; i++) {
    const pl_node *stmt = body->kids[i];
    const pl_async_op *op = stmt ? operation_at(use, stmt) : NULL;
    bool plain = stmt && (pl_is_barrier(stmt) || stmt->kind == PL_NODE_DECL_STMT);
    if (op && (op->role == PL_ASYNC_COMMIT || waits_for_all(op)) &&
        op->keeper != PL_KEPT_BY_OBJECT) {
      *begin = any ? *begin : i;
      any = true;
      if (waits_for_all(op))
        return i + 1;
    } else if (!plain || any) {
      return 0;
    }
  }
  return 0;
}

/* Whether the body ends with copies, and nothing is done behind the last of them. */
static bool ends_with_copies(const pl_async_use *use, const pl_node *body,
                             uint32_t from) {
  uint32_t i = body->nkids;
  while (i > from && body->kids[i - 1] &&
         (pl_is_barrier(body->kids[i - 1]) ||
          (operation_at(use, body->kids[i - 1]) &&
           operation_at(use, body->kids[i - 1])->role == PL_ASYNC_COMMIT)))
    i--;
  if (i <= from || !body->kids[i - 1] || !only_copies(use, body->kids[i - 1]))
    return false;
  for (uint32_t k = from; k < i; k++)
    for (size_t n = 0; n < use->n; n++)
      if (body->kids[k] && pl_node_within(use->ops[n].node, body->kids[k]) &&
          !only_copies(use, body->kids[k]))
        return false;
  return true;
}

void pl_wait_at_end(pl_loop *loop, pl_arena *arena, pl_replacements *out) {
  const pl_unit *unit = loop->unit;
  const pl_node *body = loop->body, *node = loop->node;
  pl_async_use use;
  uint32_t begin = 0, end;
  if (!pl_is_refused_for(loop, "PL2100") || !body || body->from_macro ||
      body->kind != PL_NODE_COMPOUND || node->from_macro || !node->parent ||
      node->parent->kind != PL_NODE_COMPOUND)
    return;
  pl_async_in_loop((pl_loop *)loop, &use);
  if (!use.ahead || use.why || !use.n)
    return;
  end = first_wait(&use, body, &begin);
  if (!end || !ends_with_copies(&use, body, end))
    return;
  pl_range wait = {body->kids[begin]->range.begin, body->kids[end - 1]->range.end};
  pl_str text = pl_unit_slice(unit, wait);
  if (text.n && text.p[text.n - 1] != ';')
    text = pl_arena_printf(arena, "%.*s;", PL_FMT(text));
  pl_str indent = pl_indent_at(unit, node->range.begin);
  pl_str inner = pl_indent_at(unit, body->kids[0]->range.begin);
  pl_str step = {inner.p, inner.n > indent.n ? inner.n - indent.n : 0};
  pl_range head = {node->range.begin, body->range.end - 1};
  /* one replacement: parts of it may be replaced again, and all stands for the loop */
  pl_str whole = pl_arena_printf(
      arena, "{\n%.*s%.*s\n%.*s%.*s%.*s%.*s\n%.*s}\n%.*s}", PL_FMT(indent), PL_FMT(text),
      PL_FMT(indent), PL_FMT(pl_unit_slice(unit, head)), PL_FMT(step), PL_FMT(text),
      PL_FMT(indent), PL_FMT(indent));
  if (node->kind != PL_NODE_DO)
    pl_put_saying(arena, out, (pl_replacement){node->range, whole}, pl_unit_slice(unit, head),
                  (pl_range){0, 0});
}
