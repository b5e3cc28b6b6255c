/* results_html.h - `bench|validate --results=DIR --report-format=html`: what a
 * prepared directory found, as one page. */
#ifndef PL_RESULTS_HTML_H
#define PL_RESULTS_HTML_H

#include "output.h"
#include "results.h"

/* Free its data with free. */
pl_bytes pl_results_html(const pl_results *results, const char *command,
                         const char *date);

#endif
