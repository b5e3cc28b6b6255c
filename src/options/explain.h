/* explain.h - the page behind an ID. */
#ifndef PL_EXPLAIN_H
#define PL_EXPLAIN_H

#include <stdbool.h>
#include <stdio.h>

/* Prints the page of "PL2003" or "early-exit"; `bold`: with its headings in
 * bold, for a terminal. Returns the exit code: 2, with
 * a suggestion on `err`, where there is no such reason. */
int pl_explain(const char *id, bool bold, FILE *out, FILE *err);

#endif
