/* plan_once.c - which side's text can be written once, as a local function?
 *
 * Needs: the slices, the statements of both sides. Gives: copies_once, compute_once.
 * Raises nothing.
 *
 * A form that runs a side's text at two places says it as a lambda that captures by
 * reference, where that means the same: the text leaves it at its end alone, and all
 * that it names can be captured. A name of `auto [a, b]` cannot before C++20, nor a
 * pack by all compilers. */
#include "cfg.h"
#include "plan.h"

static bool is_pack(const pl_decl *decl) {
  return (decl->kind == PL_DECL_PARAM || decl->kind == PL_DECL_VAR) && decl->type &&
         decl->type->kind != PL_TYPE_POINTER && pl_str_has(decl->type->spelling, "...");
}

/* Whether what clang did not understand holds a jump, or may. */
static bool may_jump(const pl_loop *loop, const pl_node *unknown) {
  static const char *const jumps[] = {"return", "goto", "break", "continue", "asm"};
  pl_run run = pl_tokens_in(loop->unit, unknown->range);
  for (uint32_t i = run.first; i < run.end; i++)
    for (size_t k = 0; k < sizeof jumps / sizeof *jumps; k++)
      if (pl_token_is(loop->unit, i, jumps[k]))
        return true;
  return unknown->from_macro;
}

static bool cannot_be_captured(pl_node *node, const void *context) {
  const pl_loop *loop = context;
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  bool binding = decl && (decl->in_parts || decl->bound_in) &&
                 !pl_declared_inside(decl, loop->body);
  return node->kind == PL_NODE_LABEL || binding || (decl && is_pack(decl)) ||
         (node->kind == PL_NODE_UNKNOWN && may_jump(loop, node));
}

static bool can_move(const pl_loop *loop, pl_node *node) {
  return !node || (!pl_names_its_function(loop->unit, node->range) &&
                   !pl_node_find(node, cannot_be_captured, loop) &&
                   !pl_cfg_jump_out(node, PL_JUMP_ANY));
}

static bool side_can_move(const pl_loop *loop, bool load) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if ((load ? stmt->in_load : stmt->in_compute) && !stmt->is_barrier &&
        !can_move(loop, stmt->node))
      return false;
  }
  return true;
}

/* The tests and steps that the load side makes on its way to the next tile. */
static bool way_can_move(const pl_loop *loop) {
  for (size_t i = 0; pl_loop_condition(loop, i); i++)
    if (!can_move(loop, pl_loop_condition(loop, i)))
      return false;
  return can_move(loop, loop->inc);
}

void pl_find_once(pl_loop *loop) {
  loop->copies_once = !loop->searches && way_can_move(loop) &&
                      side_can_move(loop, true);
  loop->compute_once = !loop->nvotes && side_can_move(loop, false) &&
                       can_move(loop, loop->inc);
}
