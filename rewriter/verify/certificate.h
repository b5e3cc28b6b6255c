/* certificate.h - is a pipelined loop the loop that it was made of, however often it
 * runs? A proof over the emitted text, by its tree (docs/certificate.md). */
#ifndef PL_CERTIFICATE_H
#define PL_CERTIFICATE_H

#include "answers.h"
#include "model.h"
#include "pipelinify.h"

typedef struct pl_certificate {
  pl_answer shown; /* NO: something is seen to be wrong; UNKNOWN: not shown */
  char claim;      /* 'a' to 'd', the one that is not shown; '?': the events cannot
                      be read */
  pl_str why;
  pl_range at;     /* in the emitted text; empty: nowhere there */
  size_t nevents;
  bool needs_coverage; /* it rests on this: a tile's compute reads only cells that
                          the same tile's load has written */
  bool needs_apart;    /* ... no store of the loop changes what is read past it */
  bool needs_vote;     /* ... a tile is there to be loaded that a vote passes by */
  bool needs_launches; /* ... a stage of dynamic shared memory is as large as it was */
  bool needs_no_tile;  /* ... addresses that memory holds lead to no tile */
} pl_certificate;

/* A loop and what it has become. */
typedef struct pl_pipelined {
  pl_unit *before;
  const pl_func *func;
  pl_node *loop;        /* of `func` */
  pl_unit *after;
  const pl_func *emitted;
  pl_range region;      /* where the loop has gone, in the body of `emitted` */
  const pl_range *all;  /* where all loops have that have certificates */
  size_t nall;
  bool is_apart; /* different pointers lead apart, says the user */
  bool is_told; /* else only whether it is wrong counts, and no more is asked */
} pl_pipelined;

/* `memory`: of other certificates; NULL: there is none. */
pl_certificate pl_certify(pl_arena *arena, const pl_pipelined *made,
                          pl_memory *memory);

#endif
