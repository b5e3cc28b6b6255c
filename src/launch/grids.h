/* grids.h - how many blocks the launches of a source's kernels have, where the source
 * itself says so: in the `target` of launch descriptions, else in its host code. */
#ifndef PL_GRIDS_H
#define PL_GRIDS_H

#include <stddef.h>
#include <stdint.h>

typedef struct pl_grids pl_grids;

/* Of a text, which has to outlive it, as the compiler's arguments; looked at when the
 * first kernel is asked for. Free with pl_grids_free. */
pl_grids *pl_grids_new(const char *text, size_t length,
                       const char *const *arguments, size_t narguments);
void pl_grids_free(pl_grids *grids);

/* pl_options.grid_blocks; the context is a pl_grids. */
int64_t pl_grid_blocks(const char *kernel, void *grids);

#endif
