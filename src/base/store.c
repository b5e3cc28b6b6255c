/* store.c - see store.h. */
#define _GNU_SOURCE
#include "store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"
#include "text.h"

/* A new layout of blobs gets a new directory. */
#define LAYOUT "v1"
#define TEMPORARY "tmp."

enum {
  NAME_LENGTH = 2 * PL_DIGEST_SIZE - 2,
  DIRECTORIES = 256,
  HOUR = 3600 /* seconds */
};

/* In front of a blob's bytes. */
typedef struct head {
  char magic[8];
  pl_digest check; /* of the bytes */
} head;

static const char magic[8] = "plcache";

static char *directory_of(const pl_store *store, const pl_digest *name) {
  return pl_format("%s/" LAYOUT "/%.2s", store->directory,
                   pl_digest_hex(name).text);
}

static char *path_of(const pl_store *store, const pl_digest *name) {
  pl_digest_name hex = pl_digest_hex(name);
  return pl_format("%s/" LAYOUT "/%.2s/%s", store->directory, hex.text,
                   hex.text + 2);
}

/* ---- reading ------------------------------------------------------------- */

static bool is_good(pl_bytes file) {
  head h;
  if (file.size < sizeof h)
    return false;
  memcpy(&h, file.data, sizeof h);
  pl_digest check = pl_digest_of(file.data + sizeof h, file.size - sizeof h);
  return memcmp(h.magic, magic, sizeof magic) == 0 &&
         pl_digest_same(&h.check, &check);
}

/* The time of a blob is that of its last use, to the hour. */
static void mark_used(int fd) {
  struct stat at;
  if (fstat(fd, &at) == 0 && time(NULL) - at.st_mtime > HOUR)
    futimens(fd, NULL);
}

bool pl_store_get(const pl_store *store, const pl_digest *name,
                  pl_bytes *bytes) {
  char *path = path_of(store, name);
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  bool good = false;
  free(path);
  if (fd < 0)
    return false;
  if (pl_read_descriptor(fd, bytes)) {
    good = is_good(*bytes);
    if (!good)
      free(bytes->data);
  }
  if (good) {
    mark_used(fd);
    bytes->size -= sizeof(head);
    memmove(bytes->data, bytes->data + sizeof(head), bytes->size + 1);
  }
  close(fd);
  return good;
}

/* ---- writing ------------------------------------------------------------- */

static bool make_directory(const char *path) {
  return mkdir(path, 0777) == 0 || errno == EEXIST;
}

/* A small file that is there already stays. */
static void put_note(const pl_store *store, const char *name,
                     const char *text) {
  char *path = pl_format("%s/%s", store->directory, name);
  int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  free(path);
  if (fd < 0)
    return;
  if (write(fd, text, strlen(text)) < 0)
    errno = 0;
  close(fd);
}

bool pl_store_open(const pl_store *store) {
  char *layout = pl_format("%s/" LAYOUT, store->directory);
  bool there = access(layout, W_OK | X_OK) == 0;
  bool made = false;
  if (!there && errno == ENOENT)
    made = pl_make_parents(layout) && make_directory(layout);
  int reason = errno;
  free(layout);
  if (made) {
    put_note(store, ".gitignore", "*\n");
    put_note(store, "CACHEDIR.TAG",
             "Signature: 8a477f597d28d172789f06886806bc55\n"
             "# Results of pipelinify, which makes them again if they are gone."
             "\n");
  }
  errno = reason;
  return there || made;
}

static bool write_blob(int fd, pl_bytes bytes) {
  head h = {.check = pl_digest_of(bytes.data, bytes.size)};
  memcpy(h.magic, magic, sizeof magic);
  struct iovec parts[2] = {{&h, sizeof h}, {bytes.data, bytes.size}};
  return writev(fd, parts, 2) == (ssize_t)(sizeof h + bytes.size);
}

static char *temporary_path(const char *directory) {
  static unsigned number;
  return pl_format("%s/" TEMPORARY "%ld.%u", directory, (long)getpid(),
                   number++);
}

/* By way of a file without a name, of which a kill leaves nothing, and, where
 * the blob's name is taken, a second one. */
static bool put_nameless(const char *directory, const char *path,
                         pl_bytes bytes) {
  int fd = openat(AT_FDCWD, directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  if (fd < 0)
    return false;
  char *from = pl_format("/proc/self/fd/%d", fd);
  bool put = write_blob(fd, bytes) && linkat(AT_FDCWD, from, AT_FDCWD, path,
                                             AT_SYMLINK_FOLLOW) == 0;
  if (!put && errno == EEXIST) {
    char *second = temporary_path(directory);
    put = linkat(AT_FDCWD, from, AT_FDCWD, second, AT_SYMLINK_FOLLOW) == 0 &&
          rename(second, path) == 0;
    if (!put)
      unlink(second);
    free(second);
  }
  free(from);
  close(fd);
  return put;
}

static bool put_named(const char *directory, const char *path,
                      pl_bytes bytes) {
  char *temporary = temporary_path(directory);
  int fd = openat(AT_FDCWD, temporary,
                  O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  bool put = fd >= 0 && write_blob(fd, bytes);
  put = fd >= 0 && close(fd) == 0 && put && rename(temporary, path) == 0;
  if (fd >= 0 && !put)
    unlink(temporary);
  free(temporary);
  return put;
}

/* ---- keeping within the size --------------------------------------------- */

typedef struct blob {
  char name[NAME_LENGTH + 1];
  int64_t size;
  struct timespec used;
} blob;

typedef struct blobs {
  blob *items;
  size_t count, room;
  int64_t size;
} blobs;

static int by_use(const void *left, const void *right) {
  const blob *a = left, *b = right;
  if (a->used.tv_sec != b->used.tv_sec)
    return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
  return (a->used.tv_nsec > b->used.tv_nsec) -
         (a->used.tv_nsec < b->used.tv_nsec);
}

static bool is_blob_name(const char *name) {
  return strlen(name) == NAME_LENGTH &&
         strspn(name, "0123456789abcdef") == NAME_LENGTH;
}

/* What a process that was killed has left. */
static bool is_old_temporary(const char *name, const struct stat *at) {
  return pl_starts_with(name, TEMPORARY) && time(NULL) - at->st_mtime > HOUR;
}

static void add_blob(blobs *all, const char *name, const struct stat *at) {
  if (all->count == all->room) {
    all->room = all->room ? 2 * all->room : 64;
    all->items = pl_resize(all->items, all->room, sizeof *all->items);
  }
  blob *b = &all->items[all->count++];
  *b = (blob){.size = at->st_blocks * 512, .used = at->st_mtim};
  memcpy(b->name, name, sizeof b->name);
  all->size += b->size;
}

static void look_at_entry(blobs *all, int fd, const char *name) {
  struct stat at;
  if (fstatat(fd, name, &at, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(at.st_mode))
    return;
  if (is_blob_name(name))
    add_blob(all, name, &at);
  else if (is_old_temporary(name, &at))
    unlinkat(fd, name, 0);
}

/* Down to nine tenths, so that not each blob that comes drives one out. */
static void drop_oldest(blobs *all, int fd, int64_t limit) {
  if (all->size <= limit)
    return;
  qsort(all->items, all->count, sizeof *all->items, by_use);
  for (size_t i = 0; i < all->count && all->size > limit / 10 * 9; i++)
    if (unlinkat(fd, all->items[i].name, 0) == 0)
      all->size -= all->items[i].size;
}

static void prune(const char *directory, int64_t limit) {
  blobs all = {0};
  DIR *open_directory = opendir(directory);
  if (!open_directory)
    return;
  for (struct dirent *e; (e = readdir(open_directory));)
    look_at_entry(&all, dirfd(open_directory), e->d_name);
  drop_oldest(&all, dirfd(open_directory), limit);
  closedir(open_directory);
  free(all.items);
}

char *pl_store_temporary(const pl_store *store, const pl_digest *name) {
  char *directory = directory_of(store, name);
  char *path = make_directory(directory) ? temporary_path(directory) : NULL;
  free(directory);
  return path;
}

void pl_store_put(const pl_store *store, const pl_digest *name,
                  pl_bytes bytes) {
  char *directory = directory_of(store, name), *path = path_of(store, name);
  if (make_directory(directory) &&
      (put_nameless(directory, path, bytes) ||
       put_named(directory, path, bytes)))
    prune(directory, store->limit / DIRECTORIES);
  free(path);
  free(directory);
}
