/* phases.c - what do the barriers separate?
 *
 * Needs: candidates with their statements. Gives: the cyclic phase of each
 * statement; a loop that begins with a barrier is the same cycle, turned.
 * Raises: PL2003, PL2004, PL2007, PL2008, PL2009, PL2011.
 *
 * Phase p holds what runs after p of the body's barriers; what comes after the
 * last barrier and before the next iteration's first belongs together. */
#include "cfg.h"
#include "loop.h"

/* What leaves the tile loop midway; NULL: nothing. A goto that stays inside finds
 * its label there. */
static const pl_node *midway_exit(const pl_loop *loop) {
  const pl_node *found = NULL;
  for (size_t i = 0; i < loop->nstmts && !found; i++)
    found = pl_cfg_jump_out(loop->stmts[i].node, PL_JUMP_ANY);
  bool stays = found && found->kind == PL_NODE_GOTO &&
               pl_node_within(pl_cfg_jump_target(found), loop->body);
  return stays ? NULL : found;
}

/* Whether a call is handed a number by a reference to it. */
static bool takes_place(const pl_node *call, const pl_node *arg) {
  const pl_func *func = call->decl ? call->decl->func : NULL;
  for (uint32_t i = 0; func && i < func->nparams && i + 1 < call->nkids; i++)
    if (call->kids[i + 1] == arg)
      return pl_is_reference(func->params[i]->type);
  return false;
}

/* Whether more is asked of a number than its value. */
static bool asks_for_place(const pl_node *number) {
  const pl_node *up = number->parent;
  while (up && (up->kind == PL_NODE_PAREN || up->kind == PL_NODE_COND)) {
    number = up;
    up = up->parent;
  }
  if (!up || up->kind == PL_NODE_RETURN || up->kind == PL_NODE_CONSTRUCT ||
      up->kind == PL_NODE_INIT_LIST)
    return !up || up->kind != PL_NODE_INIT_LIST || !up->type || !pl_is_array_type(up->type);
  return (up->kind == PL_NODE_UNARY && up->op == PL_OP_ADDR) ||
         (up->kind == PL_NODE_VAR && up->decl && pl_is_reference(up->decl->type)) ||
         (up->kind == PL_NODE_CAST && pl_is_reference(up->type)) ||
         (up->kind == PL_NODE_CALL && takes_place(up, number));
}

/* A name of a constant by which more than its value, or that of an element, is known. */
static bool is_for_place(pl_node *node, const void *decl) {
  const pl_node *at = node, *up = node->parent;
  if (node->kind != PL_NODE_REF || node->decl != decl)
    return false;
  while (up && (up->kind == PL_NODE_PAREN ||
                (up->kind == PL_NODE_SUBSCRIPT && up->kids[0] == at))) {
    at = up;
    up = up->parent;
  }
  if (up && up->kind == PL_NODE_SIZEOF)
    return false;
  return pl_is_number_type(at->type) ? asks_for_place(at) : !pl_node_is_constant(node);
}

/* Text that may appear but once. A constant is the same in each copy, where nothing asks
 * where it lies. */
static bool is_single(pl_node *node, const void *body) {
  const pl_decl *decl = node->kind == PL_NODE_VAR ? node->decl : NULL;
  return node->kind == PL_NODE_LABEL ||
         (decl && decl->is_static && !decl->is_shared &&
          !(decl->is_constexpr && !pl_node_find(body, is_for_place, decl)));
}

static bool check_text(pl_loop *loop) {
  const pl_node *jump = midway_exit(loop);
  if (jump)
    return pl_refuse(loop, true, "PL2003", jump,
                     "'%s' leaves the tile loop midway",
                     jump->kind == PL_NODE_RETURN  ? "return"
                     : jump->kind == PL_NODE_GOTO  ? "goto"
                     : jump->kind == PL_NODE_BREAK ? "break"
                                                   : "continue");
  pl_node *found = pl_node_find(loop->body, is_single, loop->body);
  if (found)
    return pl_refuse(loop, false, "PL2011", found,
                     "%s may appear only once, and pipelining would duplicate "
                     "it",
                     found->kind == PL_NODE_LABEL ? "a label"
                                                  : "a static variable");
  found = pl_own_storage(loop);
  if (found && found->kind == PL_NODE_CALL)
    return pl_refuse(loop, false, "PL2011", found,
                     "what is called keeps a variable for each type, and types of "
                     "the loop's body would be there twice");
  if (found)
    return pl_refuse(loop, false, "PL2011", found,
                     "'%.*s' stays from tile to tile, and pipelining would "
                     "duplicate it",
                     PL_FMT(found->decl->name));
  return pl_check_places(loop);
}

/* A fence, and what is taken for one: a pause, an atomic object's methods. */
static bool refuse_fence(pl_loop *loop, const pl_node *node) {
  pl_str name = node->kind == PL_NODE_CALL ? pl_callee_name(node) : (pl_str){0};
  if (pl_str_starts(name, "__threadfence") || !name.n)
    return pl_refuse(loop, false, "PL2009", node,
                     "a memory fence in the loop orders accesses that would "
                     "be reordered");
  return pl_refuse(loop, false, "PL2009", node,
                   "'%.*s' in the loop must keep its place among the accesses to "
                   "memory",
                   PL_FMT(name));
}

static bool refuse_barrier(pl_loop *loop, const pl_node *node) {
  if (node->kind == PL_NODE_ASM)
    return pl_refuse(loop, true, "PL2007", node,
                     "this assembly may wait for a part of the block alone, or for more "
                     "than it; __syncthreads() where all threads of the block come here "
                     "separates load from compute");
  return pl_refuse(loop, true, "PL2007", node,
                   "this barrier does more than separate load from compute");
}

/* What no part of a tile loop may do, whichever slice it is in. */
static bool check_effect(pl_loop *loop, const pl_effect *effect) {
  switch (effect->kind) {
  case PL_EFFECT_SPECIAL_BARRIER:
    return refuse_barrier(loop, effect->node);
  case PL_EFFECT_FENCE:
    return refuse_fence(loop, effect->node);
  case PL_EFFECT_VOLATILE:
    return pl_refuse(loop, false, "PL2009", effect->node,
                     "a volatile access in the loop must keep its place");
  default:
    return true;
  }
}

static bool check_effects(pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    pl_effects *effects = &loop->stmts[i].effects;
    for (size_t j = 0; j < effects->n; j++)
      if (!check_effect(loop, &effects->items[j]))
        return false;
  }
  return true;
}

/* Whether asking the condition does no more than to step the thread's own
 * variables, and that only where it is asked once a tile, behind the body. */
static bool only_steps(pl_loop *loop, pl_node *cond) {
  pl_effects effects = pl_effects_in(loop, cond);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind != PL_EFFECT_READ &&
        !(effects.items[i].kind == PL_EFFECT_WRITE && loop->asks_last &&
          effects.items[i].space == PL_SPACE_LOCAL))
      return false;
  return true;
}

static bool check_condition(pl_loop *loop) {
  for (size_t i = 0; pl_loop_condition(loop, i); i++)
    if (!only_steps(loop, pl_loop_condition(loop, i)))
      return pl_all_is_seen(loop, pl_loop_condition(loop, i)) &&
             pl_refuse(loop, true, "PL2004", pl_loop_condition(loop, i),
                       "the loop's condition has side effects");
  return true;
}

void pl_split_phases(pl_loop *loop) {
  if (loop->settled)
    return;
  if (!check_condition(loop))
    return;
  if (!check_effects(loop) || !check_text(loop))
    return;
  int barriers = 0;
  for (size_t i = 0; i < loop->nstmts; i++) {
    loop->stmts[i].phase = barriers;
    barriers += loop->stmts[i].is_barrier;
  }
  loop->nbarriers = barriers;
  loop->nphases = barriers;
  if (barriers == 0) {
    pl_refuse(loop, false, "PL2008", NULL,
              "no barrier at the loop's own level separates load from "
              "compute");
    return;
  }
  for (size_t i = 0; i < loop->nstmts; i++)
    loop->stmts[i].phase %= barriers;
}
