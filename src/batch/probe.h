/* probe.h - what nvcc makes of the forms that `auto` may take: registers, spills, and
 * whether the machine code still loads ahead of compute.
 *
 * With --probe alone: what is emitted must not hang on whether a machine has nvcc. */
#ifndef PL_PROBE_H
#define PL_PROBE_H

#include "digest.h"
#include "options.h"
#include "pipelinify.h"
#include "source.h"
#include "store.h"

typedef struct pl_probe pl_probe;

/* Which compiler would be asked; false: there is none. */
bool pl_probe_identity(pl_digest *identity);

/* Rewrites a source to each form, compiles what came of it, all at once, and looks at
 * it. `options` as for the rewrite; `store` keeps what was found, NULL: nowhere. Never
 * NULL; free with pl_probe_free. */
pl_probe *pl_probe_run(const pl_source *source, const pl_options *options,
                       const pl_command *command, const pl_store *store);
void pl_probe_free(pl_probe *probe);
/* Why nothing is known, NULL: something is. */
const char *pl_probe_trouble(const pl_probe *probe);

/* pl_options.compiled; the context is a pl_probe. */
bool pl_probe_compiled(const char *kernel, pl_variant variant, void *probe,
                       pl_compiled *compiled);

#endif
