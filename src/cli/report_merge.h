/* report_merge.h - `pipelinify report merge`: the JSON reports of several runs
 * as one.
 *
 * Of the shards of one list of inputs it is, byte for byte, what one run over
 * all of them reports. Other reports are joined in the order they are named. */
#ifndef PL_REPORT_MERGE_H
#define PL_REPORT_MERGE_H

#include "options.h"
#include "run.h"

/* An exit code. */
int pl_report_merge(const pl_command *command, pl_streams streams);

#endif
