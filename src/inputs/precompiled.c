/* precompiled.c - see precompiled.h. */
#define _GNU_SOURCE
#include "precompiled.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "build_id.h"
#include "environment.h"
#include "memo.h"
#include "memory.h"
#include "text.h"

enum {
  SECONDS = 20, /* of processor time, for what takes a fiftieth of one */
  DIRECTORY_SHARE = 512 /* of the store that one blob may take */
};

/* What was made under one key. */
typedef struct shim {
  struct shim *next;
  int fd;     /* -1: it cannot be had; empty: not yet, or it could not be made */
  char *path; /* of fd; NULL: there is none */
  bool tried; /* to make it */
} shim;

struct pl_precompiled {
  pl_digest builds;
  pl_memo *memo;
  shim *shims;
  unsigned count;
};

unsigned pl_precompiled_count(const pl_precompiled *precompiled) {
  return precompiled->count;
}

pl_precompiled *pl_precompiled_new(void) {
  pl_precompiled *precompiled = pl_alloc(1, sizeof *precompiled);
  precompiled->builds = pl_loaded_builds();
  precompiled->memo = pl_memo_new();
  return precompiled;
}

void pl_precompiled_free(pl_precompiled *precompiled) {
  if (!precompiled)
    return;
  for (shim *s = precompiled->shims, *next; s; s = next) {
    next = s->next;
    if (s->fd >= 0)
      close(s->fd);
    free(s->path);
    free(s);
  }
  pl_memo_free(precompiled->memo);
  free(precompiled);
}

static bool write_all(int fd, pl_bytes bytes) {
  for (size_t done = 0; done < bytes.size;) {
    ssize_t n = write(fd, bytes.data + done, bytes.size - done);
    if (n < 0 && errno != EINTR)
      return false;
    done += n > 0 ? (size_t)n : 0;
  }
  return true;
}

/* ---- making one ---------------------------------------------------------- */

/* A directory of our own where there is no store. */
static char *scratch_directory(void) {
  const char *where = pl_environment_tmpdir();
  char *path = pl_format("%s/pipelinify-XXXXXX",
                         where && *where ? where : "/tmp");
  if (mkdtemp(path))
    return path;
  free(path);
  return NULL;
}

/* libclang writes to a path. */
static bool compile(const pl_source *source, const pl_options *options,
                    const char *path, pl_bytes *bytes) {
  bool made = pl_shim_precompile(source->text, source->length, options, path) &&
              pl_read_file(path, bytes);
  unlink(path);
  return made;
}

static bool compile_in_scratch(const pl_source *source,
                               const pl_options *options, pl_bytes *bytes) {
  char *directory = scratch_directory();
  if (!directory)
    return false;
  char *path = pl_format("%s/shim", directory);
  bool made = compile(source, options, path, bytes);
  rmdir(directory);
  free(path);
  free(directory);
  return made;
}

static bool compile_in_store(const pl_store *store, const pl_digest *name,
                             const pl_source *source,
                             const pl_options *options, pl_bytes *bytes) {
  char *path = pl_store_temporary(store, name);
  bool made = path && compile(source, options, path, bytes);
  free(path);
  if (made && (int64_t)bytes->size < store->limit / DIRECTORY_SHARE)
    pl_store_put(store, name, *bytes);
  return made;
}

/* In a process of its own; the file is the parent's. */
static _Noreturn void be_compiler(int fd, const pl_store *store,
                                  const pl_digest *name,
                                  const pl_source *source,
                                  const pl_options *options) {
  pl_bytes bytes = {0};
  int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0)
    dup2(nowhere, STDERR_FILENO); /* a full disk is libclang's to tell */
  setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS, SECONDS});
  bool made = store ? compile_in_store(store, name, source, options, &bytes)
                    : compile_in_scratch(source, options, &bytes);
  _exit(made && write_all(fd, bytes) ? 0 : 1);
}

static bool make(int fd, const pl_store *store, const pl_digest *name,
                 const pl_source *source, const pl_options *options) {
  int status = 0;
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0)
    be_compiler(fd, store, name, source, options);
  while (pid > 0 && waitpid(pid, &status, 0) < 0)
    if (errno != EINTR)
      return false;
  return pid > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* ---- having them --------------------------------------------------------- */

static bool fetch(int fd, const pl_store *store, const pl_digest *name) {
  pl_bytes bytes;
  if (!store || !pl_store_get(store, name, &bytes))
    return false;
  bool whole = write_all(fd, bytes);
  free(bytes.data);
  return whole;
}

static shim *add_shim(pl_precompiled *precompiled, const pl_digest *name) {
  shim *s = pl_alloc(1, sizeof *s);
  s->next = precompiled->shims;
  s->fd = memfd_create("pipelinify-shim", MFD_CLOEXEC);
  if (s->fd >= 0)
    s->path = pl_format("/proc/self/fd/%d", s->fd);
  precompiled->shims = s;
  precompiled->count++;
  pl_memo_add(precompiled->memo, name, s);
  return s;
}

static pl_digest name_of(const pl_precompiled *precompiled, const char *key) {
  pl_hasher hasher;
  pl_hasher_start(&hasher);
  pl_hasher_add_text(&hasher, "shim");
  pl_hasher_add(&hasher, &precompiled->builds, sizeof precompiled->builds);
  pl_hasher_add_text(&hasher, key);
  return pl_hasher_end(&hasher);
}

/* NULL: none can be made for the source. */
static shim *shim_for(pl_precompiled *precompiled, const pl_source *source,
                      const pl_options *options, pl_digest *name) {
  char *key = pl_shim_key(source->text, source->length, options);
  if (!key)
    return NULL;
  *name = name_of(precompiled, key);
  free(key);
  shim *s = pl_memo_find(precompiled->memo, name);
  return s ? s : add_shim(precompiled, name);
}

static bool is_empty(int fd) {
  struct stat at;
  return fstat(fd, &at) != 0 || at.st_size == 0;
}

void pl_precompiled_expect(pl_precompiled *precompiled, const pl_source *source,
                           const pl_options *options) {
  pl_digest name;
  shim_for(precompiled, source, options, &name);
}

const char *pl_precompiled_found(pl_precompiled *precompiled,
                                 const pl_source *source,
                                 const pl_options *options) {
  pl_digest name;
  shim *s = shim_for(precompiled, source, options, &name);
  return s && s->fd >= 0 && !is_empty(s->fd) ? s->path : NULL;
}

/* A file that was begun and not ended is no good. */
const char *pl_precompiled_for(pl_precompiled *precompiled,
                               const pl_store *store, const pl_source *source,
                               const pl_options *options) {
  pl_digest name;
  shim *s = shim_for(precompiled, source, options, &name);
  if (!s || s->fd < 0)
    return NULL;
  if (!s->tried && !fetch(s->fd, store, &name) &&
      !make(s->fd, store, &name, source, options) && ftruncate(s->fd, 0) != 0)
    return NULL;
  s->tried = true;
  return is_empty(s->fd) ? NULL : s->path;
}
