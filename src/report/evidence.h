/* evidence.h - does the machine code overlap loads with compute?
 *
 * Reads SASS as cuobjdump and nvdisasm print it. The main loop of a function is
 * the innermost one that loads, waits at barriers and computes; of several, the
 * one with the most to compute. Between two barriers of it, round the back edge,
 * a load has to stand before most of the compute: that is what the rewrite is
 * for, and what a compiler may undo. */
#ifndef PL_EVIDENCE_H
#define PL_EVIDENCE_H

#include <stdbool.h>
#include <stdio.h>

typedef enum pl_seen { PL_NOT_SEEN, PL_SEEN, PL_COULD_NOT_TELL } pl_seen;

/* What one function's main loop holds; `found` is
 * false where there is none. */
typedef struct pl_machine_loop {
  bool found;
  unsigned long first, last; /* addresses: its head, its back branch */
  int loads;                 /* LDG and LDGSTS */
  int barriers;              /* BAR */
  int compute; /* of the strongest kind: tensor, else fused multiply-adds, else
                * what works on values out of shared memory */
  bool plain;     /* that last kind: compilers form it in several ways */
  bool rolled;    /* some of it stands in a loop inside, and counts once */
  int parts;      /* between barriers, that compute */
  int overlapped; /* of these: with a load before most of the compute */
  int behind;     /* compute that stands behind a load of its part */
} pl_machine_loop;

typedef struct pl_evidence {
  pl_seen overlap;      /* loads before compute, no barrier between */
  pl_seen same_compute; /* as many compute instructions a tile as before */
  int tiles;            /* an iteration of the machine loop; 0: unknown */
  const char *why;      /* of what could not be told; NULL */
} pl_evidence;

/* The main loop of `function` (its mangled name) in `sass`. */
pl_machine_loop pl_machine_loop_find(const char *sass, const char *function);

/* That loop's loads, barriers, compute and back branch as lines of the dump,
 * `indent` before each; of a run of one kind the first line, and how many
 * follow. */
void pl_machine_loop_print(FILE *out, const char *indent, const char *sass,
                           const char *function);

/* Compares a form with its original. `barriers`, `old_barriers`: that the source
 * of each has a tile; fewer compute instructions a tile are lost ones. 0: unknown.
 * Then as many compute instructions a load are as many a tile, since both load
 * every tile once; nothing is known where they differ, since loads may have
 * become wider. */
pl_evidence pl_evidence_judge(const pl_machine_loop *original,
                              int old_barriers, const pl_machine_loop *form,
                              int barriers);

const char *pl_seen_name(pl_seen seen);

#endif
