/* cache.c - see cache.h. */
#define _GNU_SOURCE
#include "cache.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena.h"
#include "build_id.h"
#include "facts.h"
#include "memo.h"
#include "memory.h"
#include "text.h"

struct pl_cache {
  char *environment, *directory; /* where we are */
  pl_digest builds;
  pl_memo *facts;  /* digest of a question: pl_fact */
  pl_memo *chunks; /* name of a blob: remembered_chunk */
  pl_arena *arena; /* of what is remembered */
};

typedef struct remembered_chunk {
  bool holds;
  pl_object *objects;
  size_t count;
} remembered_chunk;

static void start_remembering(pl_cache *cache) {
  cache->arena = pl_new_arena();
  cache->facts = pl_memo_new();
  cache->chunks = pl_memo_new();
}

static void stop_remembering(pl_cache *cache) {
  pl_memo_free(cache->facts);
  pl_memo_free(cache->chunks);
  pl_arena_free(cache->arena);
}

pl_cache *pl_cache_new(char *environment) {
  pl_cache *cache = pl_alloc(1, sizeof *cache);
  cache->environment = environment;
  cache->directory = getcwd(NULL, 0);
  cache->builds = pl_loaded_builds();
  start_remembering(cache);
  return cache;
}

void pl_cache_free(pl_cache *cache) {
  if (!cache)
    return;
  stop_remembering(cache);
  free(cache->environment);
  free(cache->directory);
  free(cache);
}

void pl_cache_forget(pl_cache *cache) {
  if (pl_memo_empty(cache->facts) && pl_memo_empty(cache->chunks))
    return;
  stop_remembering(cache);
  start_remembering(cache);
}

/* ---- the key ------------------------------------------------------------- */

/* An option that is added to the library belongs into add_options, unless it
 * changes no answer, as a precompiled shim and a memory do not. */
#if UINTPTR_MAX == UINT64_MAX
_Static_assert(sizeof(pl_options) == 168, "see add_options");
#endif

static void add_options(pl_hasher *hasher, const pl_options *options) {
  const int64_t numbers[] = {
      options->variant,       options->stages,
      options->arch,          options->max_smem,
      options->block_threads, options->variant_fixed,
      options->stages_fixed,  options->assume_no_alias,
      options->only,          options->certify,
      options->launch_bounds, options->row_padding,
      options->kernel_filter != NULL,
      options->measured_choice != NULL,
      options->grid_blocks != NULL};
  pl_hasher_add(hasher, numbers, sizeof numbers);
  pl_hasher_add_text(hasher, options->cuda_path);
  pl_hasher_add_number(hasher, (int64_t)options->clang_nargs);
  for (size_t i = 0; i < options->clang_nargs; i++)
    pl_hasher_add_text(hasher, options->clang_args[i]);
}

static void add_request(pl_hasher *hasher, const pl_cache_request *request) {
  pl_hasher_add_text(hasher, request->source->path);
  pl_hasher_add(hasher, request->source->text, request->source->length);
  add_options(hasher, request->options);
  pl_hasher_add_number(hasher, (int64_t)request->nkernels);
  for (size_t i = 0; i < request->nkernels; i++)
    pl_hasher_add_text(hasher, request->kernels[i]);
  pl_hasher_add_number(hasher, request->probe != NULL);
  if (request->probe)
    pl_hasher_add(hasher, request->probe, sizeof *request->probe);
  pl_hasher_add_number(hasher, request->record != NULL);
  if (request->record)
    pl_hasher_add(hasher, request->record, sizeof *request->record);
}

/* Code that the parser loads, the processor it runs on, the time. */
static bool is_beyond_us(const char *flag) {
  return strstr(flag, "plugin") || strstr(flag, "-load") ||
         strstr(flag, "native") || pl_has_time(flag, strlen(flag));
}

static bool may_be_kept(const pl_cache *cache,
                        const pl_cache_request *request) {
  const pl_options *options = request->options;
  if (!cache->directory || options->dump_after ||
      pl_has_time(request->source->text, request->source->length))
    return false;
  for (size_t i = 0; i < options->clang_nargs; i++)
    if (is_beyond_us(options->clang_args[i]))
      return false;
  return true;
}

bool pl_cache_key(const pl_cache *cache, const pl_cache_request *request,
                  pl_digest *key) {
  pl_hasher hasher;
  if (!may_be_kept(cache, request))
    return false;
  pl_hasher_start(&hasher);
  pl_hasher_add_text(&hasher, "pipelinify " PL_VERSION);
  pl_hasher_add(&hasher, &cache->builds, sizeof cache->builds);
  pl_hasher_add_text(&hasher, cache->environment);
  pl_hasher_add_text(&hasher, cache->directory);
  add_request(&hasher, request);
  *key = pl_hasher_end(&hasher);
  return true;
}

/* ---- what an entry is made of -------------------------------------------- */

typedef struct entry {
  pl_digest key;
  pl_fact *facts; /* about the source's own directory */
  size_t nfacts;
  pl_digest *chunks; /* names of blobs that hold the other facts */
  size_t nchunks;
  pl_digest objects; /* which paths are one */
} entry;

static pl_fact *fact_items(pl_codec *c, pl_fact *facts, size_t *count) {
  facts = pl_code_array(c, facts, count, sizeof *facts);
  for (size_t i = 0; i < *count; i++)
    pl_fact_fields(c, &facts[i]);
  return facts;
}

static void entry_fields(pl_codec *c, entry *e) {
  pl_code_digest(c, &e->key);
  e->facts = fact_items(c, e->facts, &e->nfacts);
  e->chunks = pl_code_array(c, e->chunks, &e->nchunks, sizeof *e->chunks);
  for (size_t i = 0; i < e->nchunks; i++)
    pl_code_digest(c, &e->chunks[i]);
  pl_code_digest(c, &e->objects);
}

/* ---- finding ------------------------------------------------------------- */

/* All objects that were met, in the order of the facts. */
typedef struct object_list {
  pl_arena *arena;
  pl_object *items;
  size_t count, room;
} object_list;

static void add_object(object_list *list, pl_object object) {
  PL_PUSH(list->arena, list->items, list->count, list->room, object);
}

static pl_digest question_digest(const pl_fact *fact) {
  pl_hasher hasher;
  pl_hasher_start(&hasher);
  pl_hasher_add_number(&hasher, fact->question);
  pl_hasher_add_number(&hasher, fact->mode);
  pl_hasher_add_text(&hasher, fact->path);
  return pl_hasher_end(&hasher);
}

static const pl_fact *answer_now(pl_cache *cache, const pl_fact *fact) {
  pl_digest question = question_digest(fact);
  pl_fact *known = pl_memo_find(cache->facts, &question);
  if (known)
    return known;
  known = PL_NEW(cache->arena, pl_fact);
  *known = pl_fact_now(fact);
  pl_memo_add(cache->facts, &question, known);
  return known;
}

static bool facts_hold(pl_cache *cache, const pl_fact *facts, size_t count,
                       object_list *objects) {
  for (size_t i = 0; i < count; i++) {
    const pl_fact *now = answer_now(cache, &facts[i]);
    if (!pl_fact_same(&facts[i], now))
      return false;
    add_object(objects, now->object);
  }
  return true;
}

static void check_chunk(pl_cache *cache, const pl_store *store,
                        const pl_digest *name, remembered_chunk *chunk) {
  pl_bytes bytes;
  object_list objects = {.arena = cache->arena};
  if (!pl_store_get(store, name, &bytes))
    return;
  pl_arena *arena = pl_new_arena();
  pl_codec c = pl_codec_reader(bytes, arena);
  size_t count;
  pl_fact *facts = fact_items(&c, NULL, &count);
  chunk->holds = pl_codec_ended(&c) &&
                 facts_hold(cache, facts, count, &objects);
  chunk->objects = objects.items;
  chunk->count = objects.count;
  pl_arena_free(arena);
  free(bytes.data);
}

static bool chunk_holds(pl_cache *cache, const pl_store *store,
                        const pl_digest *name, object_list *objects) {
  remembered_chunk *chunk = pl_memo_find(cache->chunks, name);
  if (!chunk) {
    chunk = PL_NEW(cache->arena, remembered_chunk);
    check_chunk(cache, store, name, chunk);
    pl_memo_add(cache->chunks, name, chunk);
  }
  for (size_t i = 0; i < chunk->count; i++)
    add_object(objects, chunk->objects[i]);
  return chunk->holds;
}

static bool entry_holds(pl_cache *cache, const pl_store *store,
                        const entry *e, pl_arena *arena) {
  object_list objects = {.arena = arena};
  if (!facts_hold(cache, e->facts, e->nfacts, &objects))
    return false;
  for (size_t i = 0; i < e->nchunks; i++)
    if (!chunk_holds(cache, store, &e->chunks[i], &objects))
      return false;
  pl_digest same = pl_objects_digest(objects.items, objects.count);
  return pl_digest_same(&same, &e->objects);
}

static bool read_entry(pl_cache *cache, const pl_store *store,
                       const pl_digest *key, const pl_source *source,
                       pl_cached *cached) {
  entry e = {0};
  pl_codec c = pl_codec_reader(cached->bytes, cached->arena);
  entry_fields(&c, &e);
  pl_answer_fields(&c, &cached->answer);
  return pl_codec_ended(&c) && pl_digest_same(&e.key, key) &&
         entry_holds(cache, store, &e, cached->arena) &&
         pl_answer_make_text(&cached->answer, source, cached->arena);
}

bool pl_cache_find(pl_cache *cache, const pl_store *store,
                   const pl_digest *key, const pl_source *source,
                   pl_cached *cached) {
  *cached = (pl_cached){0};
  if (!pl_store_get(store, key, &cached->bytes))
    return false;
  cached->arena = pl_new_arena();
  if (read_entry(cache, store, key, source, cached))
    return true;
  pl_cached_free(cached);
  return false;
}

void pl_cached_free(pl_cached *cached) {
  pl_arena_free(cached->arena);
  free(cached->bytes.data);
  *cached = (pl_cached){0};
}

/* ---- keeping ------------------------------------------------------------- */

/* Whether a fact is about the place of one source rather than of many. */
static bool is_own(const pl_fact *fact, const char *place) {
  return fact->path[0] != '/' || pl_starts_with(fact->path, place);
}

/* The directory of a source, as clang spells it. Free with free. */
static char *place_of(const pl_source *source) {
  int length = (int)(pl_base_name(source->path) - source->path);
  char *here = source->path[0] == '/' ? NULL : getcwd(NULL, 0);
  char *place = pl_format("%s%s%.*s", here ? here : "", here ? "/" : "",
                          length, source->path);
  free(here);
  return place;
}

/* Moves the source's own facts to the front, in order. Returns how many. */
static size_t own_first(pl_facts *facts, const char *place) {
  pl_fact *others = pl_alloc(facts->count, sizeof *others);
  size_t own = 0, rest = 0;
  for (size_t i = 0; i < facts->count; i++)
    if (is_own(&facts->items[i], place))
      facts->items[own++] = facts->items[i];
    else
      others[rest++] = facts->items[i];
  if (rest)
    memcpy(facts->items + own, others, rest * sizeof *others);
  free(others);
  return own;
}

/* Where a run of facts ends, whatever stands around it. */
static bool ends_chunk(const pl_fact *fact) {
  uint32_t hash = 2166136261u;
  for (const char *c = fact->path; *c; c++)
    hash = (hash ^ (unsigned char)*c) * 16777619u;
  return (hash >> 16) % 32 == 0;
}

static pl_digest put_chunk(const pl_store *store, pl_fact *facts,
                           size_t count) {
  pl_bytes there;
  pl_codec c = pl_codec_writer();
  fact_items(&c, facts, &count);
  pl_digest name = pl_digest_of(c.bytes.data, c.bytes.size);
  if (pl_store_get(store, &name, &there))
    free(there.data);
  else
    pl_store_put(store, &name, c.bytes);
  free(c.bytes.data);
  return name;
}

static void put_chunks(const pl_store *store, pl_fact *facts, size_t count,
                       entry *e) {
  e->chunks = pl_alloc(count, sizeof *e->chunks);
  for (size_t i = 0, begin = 0; i < count; i++)
    if (i + 1 == count || ends_chunk(&facts[i])) {
      e->chunks[e->nchunks++] = put_chunk(store, facts + begin, i + 1 - begin);
      begin = i + 1;
    }
}

static void put_entry(const pl_store *store, entry *e,
                      const pl_answer *answer) {
  pl_codec c = pl_codec_writer();
  pl_answer copy = *answer;
  entry_fields(&c, e);
  pl_answer_fields(&c, &copy);
  pl_store_put(store, &e->key, c.bytes);
  free(c.bytes.data);
}

/* The objects that the facts are about, in the order of an entry. */
static pl_digest objects_of(const pl_facts *facts) {
  pl_object *objects = pl_alloc(facts->count, sizeof *objects);
  for (size_t i = 0; i < facts->count; i++)
    objects[i] = facts->items[i].object;
  pl_digest digest = pl_objects_digest(objects, facts->count);
  free(objects);
  return digest;
}

/* What is read back has to be what was given. */
static bool edits_make_text(const pl_source *source,
                            const pl_answer *answer) {
  pl_arena *arena = pl_new_arena();
  pl_answer made = *answer;
  bool same = pl_answer_make_text(&made, source, arena) &&
              made.length == answer->length &&
              memcmp(made.text, answer->text, made.length) == 0;
  pl_arena_free(arena);
  return same;
}

/* clang opens "./tile.h" as "/where/we/are/./tile.h". */
static bool is_path_of(const char *opened, const char *name) {
  size_t length = strlen(opened), tail = strlen(name);
  return pl_ends_with(opened, name) &&
         (length == tail || opened[length - tail - 1] == '/');
}

static bool was_opened(const pl_facts *facts, const char *name) {
  for (size_t i = 0; i < facts->count; i++) {
    const pl_fact *fact = &facts->items[i];
    if (fact->question == PL_ASK_OPEN && !fact->error &&
        is_path_of(fact->path, name))
      return true;
  }
  return false;
}

/* What the parser says it has opened was seen to be opened: libclang asks where
 * we are watching. */
static bool saw_headers(const pl_facts *facts, const pl_answer *answer) {
  for (size_t i = 0; i < answer->nheaders; i++)
    if (!was_opened(facts, answer->headers[i]))
      return false;
  return true;
}

void pl_cache_keep(const pl_store *store, const pl_digest *key,
                   const pl_source *source, pl_sights *sights,
                   const pl_answer *answer) {
  pl_facts facts;
  if (pl_facts_from(sights, &facts) && saw_headers(&facts, answer) &&
      edits_make_text(source, answer)) {
    char *place = place_of(source);
    entry e = {.key = *key, .facts = facts.items};
    e.nfacts = own_first(&facts, place);
    e.objects = objects_of(&facts);
    put_chunks(store, facts.items + e.nfacts, facts.count - e.nfacts, &e);
    put_entry(store, &e, answer);
    free(e.chunks);
    free(place);
  }
  pl_facts_free(&facts);
}
