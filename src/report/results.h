/* results.h - results.json, as the script of a bundle writes it.
 *
 * docs/results.md says what each member means and its unit. A file that is not
 * whole, not of this version or says what no run can say is refused: half of a
 * result must not look like a proof. */
#ifndef PL_RESULTS_H
#define PL_RESULTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct pl_results pl_results;

/* How a verdict counts. */
typedef enum pl_result_outcome {
  PL_OUTCOME_EQUAL,
  PL_OUTCOME_FINDING,
  PL_OUTCOME_OPEN /* neither a pass nor a finding */
} pl_result_outcome;

/* Figures of one kernel's form; NAN where nothing was measured. */
typedef struct pl_measured {
  double ms, ms_min, ms_max;           /* a launch: median, least and most */
  double gflops, gbs;                  /* 1e9 a second */
  double registers, spills;            /* a thread; bytes */
  double smem, smem_dynamic;           /* bytes a block */
  double blocks_per_sm;
} pl_measured;

enum { PL_MAX_TOOLS = 8 };

/* What one tool of compute-sanitizer said; `original` is NULL where it was not
 * asked about the original. */
typedef struct pl_tool_word {
  const char *tool, *said, *original;
} pl_tool_word;

/* One launch of one rewritten form. Texts belong to the results. */
typedef struct pl_result_row {
  const char *id, *kernel, *variant, *verdict;
  const char *detail; /* NULL: none */
  int launch, stages;
  int old_barriers, barriers; /* that a tile waits at; 0: not known */
  char copy_bytes[48]; /* "4,16" */
  bool is_auto;
  double sizes_run; /* NAN: none */
  pl_measured original, form;
  double speedup; /* from the two times; NAN */
  pl_tool_word tools[PL_MAX_TOOLS];
  size_t n_tools;
  pl_result_outcome outcome; /* of verdict and tools together */
  const json_t *members;     /* the row as it stands in the file */
} pl_result_row;

/* One launch of the original with one side of its tile loops alone. */
typedef struct pl_result_side {
  const char *id, *kernel;
  const char *detail; /* why it has no time; NULL */
  int launch;
  bool is_compute;    /* else the loads */
  pl_measured figures;
} pl_result_side;

/* What loads and compute alone say of one form; NAN: nothing. docs/results.md
 * defines them. */
typedef struct pl_overlap {
  double bound;      /* ms */
  double efficiency; /* bound / time */
  double gain_share; /* of what lies between original and bound */
} pl_overlap;

/* Reads `path`: the file, or a directory that holds results.json. NULL, and a
 * message on `err`, where it cannot be believed. */
pl_results *pl_results_read(const char *path, FILE *err);
void pl_results_free(pl_results *results);

const pl_result_row *pl_results_rows(const pl_results *results, size_t *n);

/* Empty where an older script wrote the file. */
const pl_result_side *pl_results_sides(const pl_results *results, size_t *n);
/* That side of the row's launch; NULL: not there. */
const pl_result_side *pl_results_side(const pl_results *results,
                                      const pl_result_row *row,
                                      bool is_compute);
pl_overlap pl_results_overlap(const pl_results *results,
                              const pl_result_row *row);

/* "name", "arch", "cuda", ... of the GPU; NULL: not said. */
const char *pl_results_device(const pl_results *results, const char *member);

/* Did anything run on a GPU? */
bool pl_results_ran(const pl_results *results);

/* 0 all equal, 3 a finding, 4 something is not proven. */
int pl_results_exit_code(const pl_results *results);

#endif
