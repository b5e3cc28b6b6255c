/* record_merge.h - `pipelinify record merge`: the records of several machines as
 * one, to be kept beside a source, or shipped with it. */
#ifndef PL_RECORD_MERGE_H
#define PL_RECORD_MERGE_H

#include "options.h"
#include "run.h"

/* An exit code. */
int pl_record_merge(const pl_command *command, pl_streams streams);

#endif
