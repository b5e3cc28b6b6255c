/* job.h - one input on its way: read, left alone, answered from earlier runs,
 * or rewritten; remarks, the report and the product follow. */
#ifndef PL_JOB_H
#define PL_JOB_H

#include "run_state.h"

bool pl_run_wants_remarks(const pl_run_state *run);
/* An error that the report has too. */
void pl_run_report_error(pl_run_state *run, const char *path,
                         const char *reason);

/* An input that cannot be had is settled, with a word. */
bool pl_job_settle_trouble(pl_run_state *run, const pl_input *input);
/* False, and a message: it cannot be read. Free the bytes' data after the
 * job. */
bool pl_job_read(pl_run_state *run, const pl_input *input, pl_job *job,
                 pl_bytes *bytes);
/* Whether a job is done without the parser. */
bool pl_job_settle(pl_run_state *run, pl_job *job);

/* In the parent of a batch: the precompiled shim of a job that was not settled, so
 * that all jobs have it. To be expected before the job's process is forked, to be
 * provided before it begins. */
void pl_job_expect_shim(pl_run_state *run, const pl_job *job);
void pl_job_provide_shim(pl_run_state *run, const pl_job *job);

/* The whole way of a job that cannot be settled. */
void pl_job_run(pl_run_state *run, const pl_input *input);

#endif
