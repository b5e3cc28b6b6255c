/* html_diff.h - what changed in a file of the report, folded. */
#ifndef PL_HTML_DIFF_H
#define PL_HTML_DIFF_H

#include "report_tree.h"

/* Nothing where the file did not change, or its text is not known. */
void pl_html_diff(FILE *out, const pl_report *report, size_t file);

#endif
