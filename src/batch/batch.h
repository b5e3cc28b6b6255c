/* batch.h - many jobs, in processes that do a few dozen each.
 *
 * A job that crashes, hangs or eats the memory costs itself alone, and is
 * given up only where it did so, or would not end, in a process that had done
 * no other job before. A job that ends in an error ends its process. What jobs
 * print is kept and handed over in the order of the jobs, however many run at
 * once and whichever ends first. */
#ifndef PL_BATCH_H
#define PL_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "output.h"

/* What a job prints to: the product, messages, and facts for the parent. */
typedef struct pl_job_files {
  FILE *out, *err, *facts;
} pl_job_files;

typedef struct pl_outcome {
  int code;            /* what the job returned */
  const char *failure; /* why it came to no end; NULL: it did */
  pl_bytes out, err, facts;
} pl_outcome;

typedef struct pl_batch {
  size_t count;
  int jobs;           /* at once; 0: as many as there are cores */
  long long timeout;  /* seconds of processor time a job, and ten times as many
                         by the clock; 0: no limit */
  int64_t max_memory; /* resident bytes a job; 0: no limit */
  void *context;      /* of the functions */

  /* Once, before the first process, where more may follow: what is loaded here they
   * share. Where none may, in that process, while the parent provides for its job.
   * NULL: nothing. */
  void (*prepare)(void);
  /* Settles a job without a process; false: it has to be worked on. */
  bool (*settle)(void *context, size_t job, pl_job_files files, int *code);
  /* In the parent, for a job that has a process now and does not begin yet: what
   * takes a while. NULL: nothing. */
  void (*provide)(void *context, size_t job);
  /* In another process; what it leaves in memory the next job there sees.
   * Writes facts before it returns. */
  int (*work)(void *context, size_t job, pl_job_files files);
  /* Changes when the parent has got something that the processes it started
   * before should have: they get no more jobs. NULL: never. */
  unsigned (*inheritance)(void *context);
  /* In the parent, in the order of the jobs. */
  void (*started)(void *context, size_t job);
  void (*done)(void *context, size_t job, const pl_outcome *outcome);
} pl_batch;

void pl_batch_run(const pl_batch *batch);

#endif
