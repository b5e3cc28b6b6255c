/* reuse.c - see reuse.h. */
#include "reuse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "text.h"

struct pl_reuse {
  const pl_environment *env;
  pl_cache *cache;  /* made when it is first wanted */
  char *directory;  /* of the last source; NULL: none yet */
  bool good;        /* it can be written to */
  char *trouble;    /* the first directory that cannot, and why */
  size_t hits, misses;
};

pl_reuse *pl_reuse_new(const pl_environment *env) {
  pl_reuse *reuse = pl_alloc(1, sizeof *reuse);
  reuse->env = env;
  return reuse;
}

void pl_reuse_free(pl_reuse *reuse) {
  if (!reuse)
    return;
  pl_cache_free(reuse->cache);
  free(reuse->directory);
  free(reuse->trouble);
  free(reuse);
}

const char *pl_reuse_directory(const pl_environment *env,
                               const pl_command *command) {
  if (command->no_cache || env->no_cache)
    return NULL;
  if (pl_option_given(command, "cache-dir"))
    return command->cache_dir;
  if (env->cache_dir_given || !command->cache_dir)
    return env->cache_dir;
  return command->cache_dir;
}

/* Most sources share their directory. */
static bool open_store(pl_reuse *reuse, const pl_store *store) {
  if (reuse->directory && strcmp(reuse->directory, store->directory) == 0)
    return reuse->good;
  free(reuse->directory);
  reuse->directory = pl_format("%s", store->directory);
  reuse->good = pl_store_open(store);
  if (!reuse->good && !reuse->trouble)
    reuse->trouble = pl_format("%s: %s", store->directory, strerror(errno));
  return reuse->good;
}

pl_reuse_key pl_reuse_key_of(pl_reuse *reuse, const pl_command *command,
                             const pl_cache_request *request) {
  const char *directory = pl_reuse_directory(reuse->env, command);
  pl_reuse_key key = {.store = {directory, command->cache_size}};
  if (!directory || !*directory || !open_store(reuse, &key.store))
    return key;
  if (!reuse->cache)
    reuse->cache = pl_cache_new(pl_environment_compiler());
  key.usable = pl_cache_key(reuse->cache, request, &key.digest);
  return key;
}

bool pl_reuse_find(pl_reuse *reuse, const pl_reuse_key *key,
                   const pl_source *source, pl_cached *cached) {
  bool found = key->usable && pl_cache_find(reuse->cache, &key->store,
                                            &key->digest, source, cached);
  if (found)
    reuse->hits++;
  else
    reuse->misses++;
  return found;
}

pl_result *pl_reuse_rewrite(const pl_reuse_key *key, const pl_source *source,
                            const pl_options *options, pl_sights *sights) {
  *sights = (pl_sights){0};
  if (key->usable)
    pl_watch_begin();
  pl_result *result =
      pl_rewrite(source->path, source->text, source->length, options);
  if (key->usable)
    *sights = pl_watch_end();
  return result;
}

void pl_reuse_keep(const pl_reuse_key *key, const pl_source *source,
                   pl_sights *sights, const pl_answer *answer) {
  if (key->usable)
    pl_cache_keep(&key->store, &key->digest, source, sights, answer);
  pl_sights_free(sights);
}

void pl_reuse_forget(pl_reuse *reuse) {
  if (reuse->cache)
    pl_cache_forget(reuse->cache);
}

void pl_reuse_print_note(const pl_reuse *reuse, FILE *out) {
  if (reuse->trouble)
    fprintf(out, "pipelinify: note: nothing is kept: %s\n", reuse->trouble);
  if (reuse->cache)
    fprintf(out, "pipelinify: note: cache: %zu hit%s, %zu miss%s\n",
            reuse->hits, reuse->hits == 1 ? "" : "s", reuse->misses,
            reuse->misses == 1 ? "" : "es");
}

void pl_reuse_print_counts(const pl_reuse *reuse, FILE *out) {
  if (!reuse->cache)
    return;
  fprintf(out, "%8zu cache hits\n", reuse->hits);
  fprintf(out, "%8zu cache misses\n", reuse->misses);
}
