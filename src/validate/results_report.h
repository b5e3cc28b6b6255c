/* results_report.h - `validate|bench --results DIR`: what a prepared directory
 * found elsewhere, reported as if it had been found here. */
#ifndef PL_RESULTS_REPORT_H
#define PL_RESULTS_REPORT_H

#include "options.h"
#include "run.h"

/* 0 all equal, 2 unreadable, 3 a finding, 4 something is not proven. */
int pl_report_results(const pl_command *command, pl_streams streams);

#endif
