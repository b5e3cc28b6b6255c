/* block_parts.h - what lies where in a block of dynamic shared memory? */
#ifndef PL_BLOCK_PARTS_H
#define PL_BLOCK_PARTS_H

#include "access.h"

/* A place that a function accesses, so many bytes from there on. */
typedef struct pl_block_access {
  const pl_decl *by; /* the name in the text: the block's, or a pointer's */
  const pl_node *ref; /* where it stands */
  pl_node *node;
  int64_t width;
} pl_block_access;

/* All that a loop's function accesses in a block. */
typedef struct pl_block_parts {
  pl_loop *loop;
  pl_arena *arena;
  const pl_decl *block;
  const pl_decl **names; /* the block, and pointers of the function's that may lead there */
  size_t nnames, names_cap;
  pl_block_access *items;
  size_t n, cap;
  pl_named_cell *cells; /* the same places, for `of` */
  size_t ncells, cells_cap;
  bool fine;
  pl_accesses of; /* where they are, bytes behind the block's begin, and when */
} pl_block_parts;

/* `here`: the numbers are those of the instantiation, blocks at most as large as launches in
 * sight and launch bounds say; else of any launch. False: the block is named in a way that is
 * not followed. */
bool pl_find_block_parts(pl_block_parts *out, pl_loop *loop, pl_arena *arena,
                         const pl_decl *block, bool here);
bool pl_is_block_name(const pl_block_parts *parts, const pl_decl *decl);
/* What an access that was seen is. */
const pl_block_access *pl_block_access_of(const pl_block_parts *parts, const pl_seen_cell *seen);
/* Whether an lvalue is what an assignment stores to, or a member of that. */
bool pl_is_stored_to(const pl_node *lvalue);
/* The largest multiple of `step` that all accesses are behind, and the least that they end
 * ahead of; false: not all are known to be among the block's bytes. */
bool pl_block_bytes_used(pl_block_parts *parts, int64_t bytes, int64_t step, int64_t *begin,
                         int64_t *end);

#endif
