/* sarif_parts.h - what reports in SARIF are made of. */
#ifndef PL_SARIF_PARTS_H
#define PL_SARIF_PARTS_H

#include <jansson.h>
#include <stdbool.h>

#include "output.h"

json_t *pl_sarif_message(const char *text);
/* From a line and byte column, from 1, to the line's end. */
json_t *pl_sarif_line_region(pl_bytes source, long long line, long long column);
/* Takes the region. */
json_t *pl_sarif_location(const char *path, json_t *region);
/* Those of `lint`, or of the rewriter. */
json_t *pl_sarif_rules(bool of_lint);
json_t *pl_sarif_rule_index(const json_t *rules, const char *id);
/* The whole text; takes all of it. Free with free. */
pl_bytes pl_sarif_document(json_t *rules, json_t *results, json_t *notifications,
                           bool failed);

#endif
