/* explain.h - the page behind an ID. */
#ifndef PL_EXPLAIN_H
#define PL_EXPLAIN_H

#include <stdio.h>

/* Prints the page of "PL2003" or "early-exit". Returns the exit code: 2, with
 * a suggestion on `err`, where there is no such reason. */
int pl_explain(const char *id, FILE *out, FILE *err);

#endif
