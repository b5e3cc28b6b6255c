/* precompiled.h - the parser's own headers, parsed once for many sources.
 *
 * Two thirds of a parse are the shim's. What libclang makes of it is the same
 * for all sources that include the same headers with the same arguments; it is
 * kept in a file without a name for the run, and in the store for the next. */
#ifndef PL_PRECOMPILED_H
#define PL_PRECOMPILED_H

#include "pipelinify.h"
#include "source.h"
#include "store.h"

typedef struct pl_precompiled pl_precompiled;

pl_precompiled *pl_precompiled_new(void);
void pl_precompiled_free(pl_precompiled *precompiled);

/* A path for pl_options.precompiled_shim, good in this process and in those
 * that it forks, as long as `precompiled` lives. `store` NULL: of this run
 * alone. NULL: there is none, and the source is parsed without. It is made in
 * a process of its own, so that nothing of libclang stays in this one. */
const char *pl_precompiled_for(pl_precompiled *precompiled,
                               const pl_store *store, const pl_source *source,
                               const pl_options *options);

/* Makes room for one, where there is none: processes that are forked from here on
 * have it as soon as pl_precompiled_for has made it. */
void pl_precompiled_expect(pl_precompiled *precompiled, const pl_source *source,
                           const pl_options *options);
/* As pl_precompiled_for, and makes none. */
const char *pl_precompiled_found(pl_precompiled *precompiled,
                                 const pl_source *source,
                                 const pl_options *options);

/* How many there is room for so far. */
unsigned pl_precompiled_count(const pl_precompiled *precompiled);

#endif
