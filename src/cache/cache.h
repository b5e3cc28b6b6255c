/* cache.h - answers of earlier runs.
 *
 * An answer hangs on two things. What is known before the parse is the key,
 * one digest: the source's bytes and its path, the working directory, all
 * options of the library, the record of measured choices, the variables that
 * clang reads, and the builds of this program and of each library that is
 * loaded. What only the parse shows stands in the entry: everything that was
 * asked of the file system (watch.h), with the answers (facts.h). An entry is
 * good while all answers are still the same.
 *
 * An entry is
 *
 *   its key, the facts about the source's own directory, the names of blobs
 *   that hold the other facts, which of the paths are one object, the answer
 *
 * The other facts, about compilers, toolkits and the project's headers, are
 * the same for many sources. They are cut, in order, wherever a path's hash
 * has five zeroes, so that equal runs of them become equal blobs. */
#ifndef PL_CACHE_H
#define PL_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "answer.h"
#include "digest.h"
#include "source.h"
#include "store.h"
#include "watch.h"

typedef struct pl_cache pl_cache;

/* `environment`: see pl_environment_compiler; taken. */
pl_cache *pl_cache_new(char *environment);
void pl_cache_free(pl_cache *cache);

/* What is known before the parse. */
typedef struct pl_cache_request {
  const pl_source *source;
  const pl_options *options;
  const char *const *kernels; /* patterns of -k */
  size_t nkernels;
  const pl_digest *record;    /* of the record's bytes; NULL: none */
  const pl_digest *probe; /* the compiler that forms are tried with; NULL: none */
} pl_cache_request;

/* False: such an answer is never kept (a plugin, the time of day, ...). */
bool pl_cache_key(const pl_cache *cache, const pl_cache_request *request,
                  pl_digest *key);

/* An answer and the memory that it lives in. */
typedef struct pl_cached {
  pl_answer answer;
  pl_arena *arena;
  pl_bytes bytes;
} pl_cached;

/* False: there is no such entry, or it holds no longer. Free what comes back
 * true with pl_cached_free. */
bool pl_cache_find(pl_cache *cache, const pl_store *store,
                   const pl_digest *key, const pl_source *source,
                   pl_cached *cached);
void pl_cached_free(pl_cached *cached);

/* Keeps an answer, where it is known what it hangs on. */
void pl_cache_keep(const pl_store *store, const pl_digest *key,
                   const pl_source *source, pl_sights *sights,
                   const pl_answer *answer);

/* Answers of the file system are remembered, so that each is asked for once a
 * run. Call this when files may have been written. */
void pl_cache_forget(pl_cache *cache);

#endif
