/* reuse.h - the answers of earlier runs as a run uses them: which directory
 * they are in, whether they are wanted, how often one was there. */
#ifndef PL_REUSE_H
#define PL_REUSE_H

#include <stdbool.h>
#include <stdio.h>

#include "cache.h"
#include "environment.h"
#include "options.h"

typedef struct pl_reuse pl_reuse;

pl_reuse *pl_reuse_new(const pl_environment *env);
void pl_reuse_free(pl_reuse *reuse);

/* Where a command's answers are kept: the command line, then the environment,
 * then what is configured, then the usual place. "" or NULL: nowhere. */
const char *pl_reuse_directory(const pl_environment *env,
                               const pl_command *command);

/* One source's place among the answers, for as long as its command lives. */
typedef struct pl_reuse_key {
  bool usable;
  pl_store store;
  pl_digest digest;
} pl_reuse_key;

pl_reuse_key pl_reuse_key_of(pl_reuse *reuse, const pl_command *command,
                             const pl_cache_request *request);

/* As pl_cache_find; counts. */
bool pl_reuse_find(pl_reuse *reuse, const pl_reuse_key *key,
                   const pl_source *source, pl_cached *cached);

/* pl_rewrite, watched where the answer could be kept. */
pl_result *pl_reuse_rewrite(const pl_reuse_key *key, const pl_source *source,
                            const pl_options *options, pl_sights *sights);
/* Keeps the answer, and frees the sights. */
void pl_reuse_keep(const pl_reuse_key *key, const pl_source *source,
                   pl_sights *sights, const pl_answer *answer);

/* Files may have been written. */
void pl_reuse_forget(pl_reuse *reuse);

/* "pipelinify: note: cache: 3 hits, 1 miss", and why nothing is kept. */
void pl_reuse_print_note(const pl_reuse *reuse, FILE *out);
/* The same as two lines of --statistics. */
void pl_reuse_print_counts(const pl_reuse *reuse, FILE *out);

#endif
