/* product.h - what becomes of a rewritten text: a file, standard output, a
 * diff, a line of --check. */
#ifndef PL_PRODUCT_H
#define PL_PRODUCT_H

#include "run_state.h"

void pl_run_print(pl_run_state *run, const char *data, size_t size);
/* Writes bytes to a path, "-" for standard output. Whether the bytes there are
 * others now. */
bool pl_run_write(pl_run_state *run, const char *path, const char *data,
                  size_t size);

/* The file that an input is written to; NULL in modes that write none. Free
 * with free. */
char *pl_product_path(const pl_run_state *run, const pl_input *input);

/* Does with a job's text what the mode says. */
void pl_product_deliver(pl_run_state *run, const pl_job *job);

/* An expression that gave up has chosen nothing: says so. */
bool pl_run_selection_failed(pl_run_state *run);

#endif
