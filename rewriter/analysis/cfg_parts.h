/* cfg_parts.h - what the files of cfg share. */
#ifndef PL_CFG_PARTS_H
#define PL_CFG_PARTS_H

#include "cfg.h"

#define PL_NO_BLOCK UINT32_MAX

/* One place of the order of evaluation. Each block begins with one without a node,
 * so that none is empty. */
typedef struct pl_cfg_place {
  pl_node *node;
  uint32_t first, end; /* the places of the node and of what is below it */
  uint32_t block;
} pl_cfg_place;

typedef struct pl_cfg_block {
  uint32_t begin, end; /* its places */
  uint32_t first_out, nout; /* in `out` */
  uint32_t first_in, nin;   /* in `in` */
  uint32_t order[2]; /* in reverse post-order, from the entry and, against the
                        edges, from the exit; PL_NO_BLOCK: it is not reached */
  uint32_t above[2]; /* immediate dominator and post-dominator */
} pl_cfg_block;

typedef struct pl_cfg_jump {
  pl_node *node;
  pl_node *target; /* NULL: a return, or it is not known */
} pl_cfg_jump;

/* A loop, and the block that each of its iterations begins with. */
typedef struct pl_cfg_loop {
  const pl_node *node;
  uint32_t head;
} pl_cfg_loop;

/* Blocks that a search has come to, and those of them still to be looked at. */
typedef struct pl_cfg_set {
  bool *has;
  uint32_t *todo;
  size_t n;
} pl_cfg_set;

struct pl_cfg {
  pl_arena *arena;
  pl_node *body;
  struct pl_definitions *definitions; /* NULL: not asked for */
  pl_cfg_place *places;
  size_t nplaces, places_cap;
  pl_cfg_block *blocks;
  size_t nblocks, blocks_cap;
  uint32_t *out, *in; /* blocks at the other end of edges */
  uint32_t entry, exit;
  pl_cfg_jump *jumps;
  size_t njumps, jumps_cap;
  pl_cfg_loop *loops;
  size_t nloops, loops_cap;
  bool unclear; /* some jump may lead anywhere */
  bool has_goto; /* in a lambda, too */
  bool has_dominators;
  pl_cfg_set sets[2]; /* what searches use, each for itself */
};

/* Makes the graph of a body. */
pl_cfg *pl_cfg_build(pl_arena *arena, pl_node *body);
/* Immediate dominators and post-dominators, once. */
void pl_cfg_find_dominators(pl_cfg *cfg);

/* One of the graph's two sets, empty. Who searches does not ask for another search. */
pl_cfg_set *pl_cfg_empty_set(pl_cfg *cfg, int which);
void pl_cfg_add(pl_cfg_set *set, uint32_t block);
/* The block that each iteration of a loop begins with; PL_NO_BLOCK: none. */
uint32_t pl_cfg_head_of(const pl_cfg *cfg, const pl_node *loop);
/* The place of a node; NULL: it is not evaluated, or no node of the body. */
const pl_cfg_place *pl_cfg_place_of(const pl_cfg *cfg, const pl_node *node);

#endif
