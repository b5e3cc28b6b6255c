/* validate.h - the CPU proof: a kernel and its rewritten forms run in an
 * emulator, are watched for races, and leave the same bits behind.
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
  PL_PROOF_NO_CASES,         /* `requires` leaves no size set */
  PL_PROOF_UNDESCRIBED,      /* description and signature do not fit */
  PL_PROOF_GPU_ONLY,         /* inline PTX that the emulator does not know */
  PL_PROOF_NOT_BUILT,        /* the ORIGINAL does not build for the emulator */
  PL_PROOF_TOO_LONG,         /* the ORIGINAL does not end in the emulator */
  PL_PROOF_NONDETERMINISTIC, /* the original disagrees with itself */
  PL_PROOF_ORIGINAL_FAULTY,  /* races or worse in the original */
  PL_PROOF_BUILD_FAILED,     /* the rewritten kernel does not build */
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

/* 0, 3 or 4, as in the table of exit codes. */
int pl_proof_exit_code(pl_proof proof);

/* One rewritten form. Where `text` is NULL, `path` is read; `path` names the
 * file in findings either way, and its directory is searched for includes. */
typedef struct pl_validate_variant {
  const char *label; /* "ldg", "cp.async s3": for messages */
  const char *path;
  const char *text;
  size_t len;
  const pl_kernel_smem *smem; /* of kernels that are launched with more */
  size_t n_smem;
} pl_validate_variant;

typedef struct pl_validate_request {
  const char *path; /* the original */
  const char *text; /* NULL: read from path */
  size_t len;
  const pl_validate_variant *variants;
  size_t n_variants;
  const pl_launch_list *launches;
  const char *const *include_dirs;
  size_t n_include_dirs;
  const char *const *defines; /* "NAME" or "NAME=VALUE" */
  size_t n_defines;
  int standard;          /* 20 where the source is C++20; 0: 17 is enough */
  const char *kernel;    /* NULL: all; else the name without arguments */
  const char *compiler;  /* NULL: g++, else clang++, else c++ */
  const char *cache_dir; /* NULL: the runner is compiled each time */
  int verbosity;         /* -1 quiet: findings only; 0; 1 more; 2 commands */
  bool keep_temp;        /* leaves the directory and says where it is */
  unsigned max_cases;    /* size sets a launch; 0: 64 */
  unsigned budget_ms;    /* time for schedules a launch and variant; 0: 1000 */
  unsigned timeout_s;    /* one run of one kernel; 0: 20 */
  unsigned jobs;         /* compilers at once; 0: 2 */
  /* Called once for each launch and variant; may be NULL. */
  void (*verdict)(void *context, const pl_launch *launch,
                  const pl_validate_variant *variant, pl_proof proof,
                  const char *detail);
  void *context;
} pl_validate_request;

/* Proves every variant against the original for every launch. Writes a line per
 * launch and variant to `out`, findings under it. Returns 0 when all are equal,
 * 3 when something was found or a rewritten kernel does not build, 4 when the
 * proof could not be run. */
int pl_validate_cpu(const pl_validate_request *request, FILE *out);

#endif
