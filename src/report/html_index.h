/* html_index.h - what a reader of the report sees first: a row for each loop, with a
 * link to what is said of it, and the files of which there is nothing to say. */
#ifndef PL_HTML_INDEX_H
#define PL_HTML_INDEX_H

#include "report_tree.h"

/* Whether a file has a part of its own on the page. */
bool pl_html_has_part(const json_t *file);

/* The name of a loop's place on the page: "f1k0l2". Free with free. */
char *pl_html_anchor(size_t file, size_t kernel, size_t loop);

void pl_html_index(FILE *out, const pl_report *report);

#endif
