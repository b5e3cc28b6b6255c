/* select.h - which kernels -k picks. */
#ifndef PL_SELECT_H
#define PL_SELECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct pl_selection pl_selection;

/* Patterns as ncu has them: a name, whole or without its namespaces, or
 * "regex:EXPR", searched for in the whole name. None: every kernel. NULL, and
 * a message, for an expression that does not compile. The patterns have to
 * outlive the selection. */
pl_selection *pl_selection_new(const char *const *patterns, size_t count,
                               FILE *err);
void pl_selection_free(pl_selection *selection);

/* Has the type of pl_options.kernel_filter; the context is the selection. */
bool pl_selection_matches(const char *name, void *selection);

/* An expression that gave up on a name; NULL: none did. */
const char *pl_selection_failed(const pl_selection *selection);

#endif
