/* shadow_results.h - what the launches of a shadowed program have shown: reads
 * shadow.jsonl (docs/shadow.md) and says it, a launch site a line. */
#ifndef PL_SHADOW_RESULTS_H
#define PL_SHADOW_RESULTS_H

#include "options.h"
#include "proof_report.h"
#include "run.h"

/* Whether `path` is, or is a directory with, such a file. */
bool pl_is_shadow_results(const char *path);

/* 0 all equal, 2 unreadable, 3 a finding, 4 something is not proven. `report`
 * gets a row for each place; NULL: none. */
int pl_report_shadow(const char *path, const pl_command *command,
                     pl_proof_report *report, pl_streams streams);

#endif
