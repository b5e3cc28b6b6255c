/* validate.h - the CPU proof: a kernel and its rewritten forms run in an
 * emulator, are watched for races, and leave the same bits behind. A kernel alone is
 * watched, and a kernel that a person wrote takes the place of a form.
 *
 * Needs a C++17 compiler (g++ or clang++) and binutils, no GPU, no CUDA. */
#ifndef PL_VALIDATE_H
#define PL_VALIDATE_H

#include "launch.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Worst last: a kernel's verdict is the biggest that any run gave. */
typedef enum pl_proof {
  PL_PROOF_EQUAL,
  PL_PROOF_CLEAN,            /* a kernel alone: nothing was found */
  PL_PROOF_NO_CASES,         /* `requires` leaves no size set */
  PL_PROOF_UNDESCRIBED,      /* description and signature do not fit */
  PL_PROOF_GPU_ONLY,         /* inline PTX that the emulator does not know */
  PL_PROOF_NOT_BUILT,        /* the ORIGINAL does not build for the emulator */
  PL_PROOF_TOO_LONG,         /* the ORIGINAL does not end in the emulator */
  PL_PROOF_NONDETERMINISTIC, /* the original disagrees with itself */
  PL_PROOF_ORIGINAL_FAULTY,  /* races or worse in the original */
  PL_PROOF_OTHER_SIGNATURE,  /* the two kernels have other parameters */
  PL_PROOF_BUILD_FAILED,     /* the rewritten kernel does not build */
  PL_PROOF_UNWRITTEN,        /* a result is read before it is written */
  PL_PROOF_UNINITIALISED,    /* shared memory read before it is written */
  PL_PROOF_DIFFERS,
  PL_PROOF_RACE,
  PL_PROOF_IN_FLIGHT,     /* bytes of a copy used before its wait */
  PL_PROOF_DIVERGENCE,    /* a barrier that not all threads reach */
  PL_PROOF_OUT_OF_BOUNDS, /* also misaligned accesses, impossible copies */
  PL_PROOF_FAULT          /* trap, crash, endless loop */
} pl_proof;

/* "equal", "in-flight", ...: the word of reports. */
const char *pl_proof_name(pl_proof proof);

/* 0, 3 or 4, as in the table of exit codes; 2 for PL_PROOF_OTHER_SIGNATURE. */
int pl_proof_exit_code(pl_proof proof);

/* What a source is compiled with. */
typedef struct pl_validate_flags {
  const char *const *include_dirs;
  size_t n_include_dirs;
  const char *const *defines; /* "NAME" or "NAME=VALUE" */
  size_t n_defines;
  int standard; /* 20 where the source is C++20; 0: 17 is enough */
} pl_validate_flags;

/* One rewritten form. Where `text` is NULL, `path` is read; `path` names the
 * file in findings either way, and its directory is searched for includes. */
typedef struct pl_validate_variant {
  const char *label; /* "ldg", "cp.async s3": for messages */
  const char *path;
  const char *text;
  size_t len;
  const pl_kernel_shape *shapes; /* of kernels that are launched in another way */
  size_t n_shapes;
  /* Of a kernel that is no form of the original: how it is launched instead, one of
   * each of the request's launches, and what its file is compiled with. NULL: as the
   * original. */
  const pl_launch *const *launches;
  const pl_validate_flags *flags;
} pl_validate_variant;

/* One run of one launch, to be made again. */
typedef struct pl_replay {
  unsigned long long seed; /* of what the buffers hold, and of the schedule */
  int threads, copies;     /* see pl_replay_threads and pl_replay_copies */
} pl_replay;

/* "forward", "backward", "shuffled": the order in which threads run. "early", "late",
 * "at-random": when copies land. NULL behind the last. */
const char *pl_replay_threads(int index);
const char *pl_replay_copies(int index);

/* Where the first finding of a verdict was seen. Texts are NULL where not known. */
typedef struct pl_counterexample {
  const char *sizes; /* "M=33 N=48 K=0" */
  pl_replay run;
  bool has_block; /* and thread, that made it; of a difference, that wrote the cell */
  long long block[3];
  int thread;
  const char *place; /* "k.cu:40" */
  const char *cell;  /* "C[17]", of a difference: with what it holds and should */
  const char *got, *wanted;
} pl_counterexample;

/* What came of one launch and variant. */
typedef struct pl_verdict_row {
  const pl_launch *launch;
  const pl_validate_variant *variant; /* NULL: the original alone */
  const char *variant_kernel;         /* what it is called there */
  pl_proof proof;
  int code;           /* what the program ends with for it */
  const char *detail;
  unsigned size_sets, runs;
  unsigned left_out; /* size sets that only the variant's own description leaves out */
  int ended_line;    /* of a barrier behind the end of some threads; 0: none */
  bool blocks_watched; /* against each other: a strict request, and no atomics */
  const pl_counterexample *counterexample; /* NULL: nothing was found */
} pl_verdict_row;

typedef struct pl_validate_request {
  const char *path; /* the original */
  const char *text; /* NULL: read from path */
  size_t len;
  const pl_validate_variant *variants;
  size_t n_variants; /* 0: the original alone is watched */
  const pl_launch_list *launches;
  pl_validate_flags flags;
  /* A form is made of the original. Of what is not, results too are watched for reads
   * of what nothing has written, blocks for conflicts with each other, types of parameters
   * are compared, and a difference is traced to its writers. */
  bool strict;
  const pl_replay *replay; /* this run alone; NULL: all */
  const char *kernel;    /* NULL: all; else the name without arguments */
  const char *compiler;  /* NULL: g++, else clang++, else c++ */
  const char *cache_dir; /* NULL: the runner is compiled each time */
  int verbosity;         /* -1 quiet: findings only; 0; 1 more; 2 commands */
  bool keep_temp;        /* leaves the directory and says where it is */
  unsigned max_cases;    /* size sets a launch; 0: 64 */
  unsigned budget_ms;    /* time for schedules a launch and variant; 0: 1000 */
  unsigned timeout_s;    /* one run of one kernel; 0: 20 */
  unsigned jobs;         /* compilers at once; 0: 2 */
  /* Called once for each launch and variant, behind its line; may be NULL. */
  void (*verdict)(void *context, const pl_verdict_row *row);
  void *context;
} pl_validate_request;

/* Proves every variant against the original for every launch. Writes a line per
 * launch and variant to `out`, findings under it; where the original is to blame, one
 * line per launch. Returns 0 when all are equal, 3 when something was found or a
 * rewritten kernel does not build, 4 when the proof could not be run, 2 where kernels
 * have other parameters. */
int pl_validate_cpu(const pl_validate_request *request, FILE *out);

#endif
