/* cfg.h - the control-flow graph of one function body.
 *
 * Basic blocks of what is evaluated, in the order in which it is: a node comes
 * behind the operands that it uses, a statement with parts (if, loop, switch,
 * block) at its begin. Barriers are instructions like others. The right side of
 * `&&` and `||` and the arms of `?:` are blocks of their own.
 *
 * A lambda's body has a graph of its own. Graphs are made when they are first
 * asked for and kept with their function (pl_func.cfg); who changes a tree says so
 * (pl_cfg_forget). A goto whose label the body does not have, or a jump inside of
 * what the model does not show, makes every answer about paths PL_UNKNOWN. */
#ifndef PL_CFG_H
#define PL_CFG_H

#include "answers.h"
#include "model.h"

typedef struct pl_cfg pl_cfg;

/* The graph that a node is an instruction of; NULL: it stands in no body. */
const pl_cfg *pl_cfg_around(const pl_node *node);
/* The tree of a node's body has changed. */
void pl_cfg_forget(pl_node *node);

/* ---- jumps ----------------------------------------------------------------- */

typedef enum pl_jump {
  PL_JUMP_BREAK = 1,
  PL_JUMP_CONTINUE = 2,
  PL_JUMP_RETURN = 4,
  PL_JUMP_GOTO = 8,
  PL_JUMP_LOOP = PL_JUMP_BREAK | PL_JUMP_CONTINUE,
  PL_JUMP_AWAY = PL_JUMP_RETURN | PL_JUMP_GOTO,
  PL_JUMP_ANY = PL_JUMP_LOOP | PL_JUMP_AWAY
} pl_jump;

/* The first jump in a subtree (NULL: nothing) that leads out of it, of the kinds
 * asked for: a break or continue of a loop or switch around it, a return; any goto,
 * as who goes by the order of the text cannot follow it. Of a loop's body its own
 * continues do. NULL: none. */
const pl_node *pl_cfg_jump_out(const pl_node *subtree, unsigned kinds);
/* Whether the body that a node stands in, or a lambda in it, has a goto. */
bool pl_cfg_has_goto(const pl_node *node);
/* What a break or continue belongs to, or the LABEL of a goto; NULL: of a return,
 * or it is not known. */
const pl_node *pl_cfg_jump_target(const pl_node *jump);
/* Calls `visit` for each jump of the body that a node stands in, in the order of
 * the text, until it returns false. */
void pl_cfg_each_jump(const pl_node *node, pl_visit *visit, void *context);

/* ---- paths ------------------------------------------------------------------- */

/* Whether every path from the function's begin to `b` comes past `a`. A node does
 * so to itself. */
pl_answer pl_cfg_dominates(const pl_node *a, const pl_node *b);
/* Whether every path from `b` to the function's end comes past `a`; PL_NO where the
 * end cannot be reached. */
pl_answer pl_cfg_post_dominates(const pl_node *a, const pl_node *b);
/* Whether some path leads from behind `from` to `to`; `loop`: within one iteration
 * of it, NULL: at all. */
pl_answer pl_cfg_may_reach(const pl_node *from, const pl_node *to,
                           const pl_node *loop);
/* Whether no path has both, within one iteration of `loop`. */
pl_answer pl_cfg_are_exclusive(const pl_node *a, const pl_node *b,
                               const pl_node *loop);
/* Whether control may come to the end of a statement, and not leave it by jumps
 * alone. */
pl_answer pl_cfg_completes(const pl_node *stmt);

#endif
