/* watch.c - see watch.h. */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE /* its inline open could not be defined again */
#include "watch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"
#include "text.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile bool watching;
static pl_sights seen;

void pl_watch_begin(void) {
  pthread_mutex_lock(&lock);
  seen = (pl_sights){0};
  watching = true;
  pthread_mutex_unlock(&lock);
}

pl_sights pl_watch_end(void) {
  pthread_mutex_lock(&lock);
  watching = false;
  pl_sights sights = seen;
  seen = (pl_sights){0};
  pthread_mutex_unlock(&lock);
  return sights;
}

void pl_sights_free(pl_sights *sights) {
  for (size_t i = 0; i < sights->count; i++)
    free(sights->items[i].path);
  free(sights->items);
  *sights = (pl_sights){0};
}

/* What the process knows about its own descriptors is no file. */
static bool is_own_descriptor(const char *path) {
  return pl_starts_with(path, "/proc/self/fd");
}

static void grow(void) {
  if (seen.count < seen.room)
    return;
  seen.room = seen.room ? 2 * seen.room : 256;
  seen.items = pl_resize(seen.items, seen.room, sizeof *seen.items);
}

/* Files carry the time of the last tick of the clock: two changes within one
 * look the same. */
static bool changed_just_now(const struct stat *at) {
  enum { TICKS_NS = 20 * 1000 * 1000 };
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  long long age = (long long)(now.tv_sec - at->st_ctim.tv_sec) * 1000000000 +
                  now.tv_nsec - at->st_ctim.tv_nsec;
  return age < TICKS_NS;
}

/* Keeps errno, which says why an answer is none. */
static void note(pl_sight sight, const char *path, bool found) {
  int reason = errno;
  if (!watching || !path || is_own_descriptor(path))
    return;
  sight.path = pl_format("%s", path);
  sight.error = found ? 0 : reason;
  pthread_mutex_lock(&lock);
  grow();
  seen.items[seen.count++] = sight;
  pthread_mutex_unlock(&lock);
  errno = reason;
}

/* What a descriptor stands for, at the moment of its opening. */
static void note_opened(pl_question question, const char *path, int fd) {
  pl_sight sight = {.question = question};
  int reason = errno;
  if (!watching)
    return;
  if (fd >= 0 && fstat(fd, &sight.at) == 0)
    sight.fresh = changed_just_now(&sight.at);
  errno = reason;
  note(sight, path, fd >= 0);
}

static void note_looked(pl_question question, const char *path, int result,
                        const struct stat *at) {
  pl_sight sight = {.question = question};
  if (result == 0)
    sight.at = *at;
  note(sight, path, result == 0);
}

static void note_text(pl_question question, const char *path,
                      const char *text, size_t length) {
  pl_sight sight = {.question = question};
  if (text && watching)
    sight.content = pl_digest_of(text, length);
  note(sight, path, text);
}

static void note_unclear(void) {
  if (watching)
    seen.unclear = true;
}

/* ---- in the C library's place --------------------------------------------
 * Each does what its name says by way of a relative that nobody replaces. */

static int watched_open(const char *path, int flags, mode_t mode) {
  int fd = openat(AT_FDCWD, path, flags, mode);
  if ((flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)))
    note_unclear();
  else
    note_opened(PL_ASK_OPEN, path, fd);
  return fd;
}

static mode_t mode_argument(int flags, va_list arguments) {
  bool given = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
  return given ? va_arg(arguments, mode_t) : 0;
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_argument(flags, arguments);
  va_end(arguments);
  return watched_open(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = mode_argument(flags, arguments);
  va_end(arguments);
  return watched_open(path, flags, mode);
}

int stat(const char *restrict path, struct stat *restrict at) {
  int result = fstatat(AT_FDCWD, path, at, 0);
  note_looked(PL_ASK_STAT, path, result, at);
  return result;
}

int lstat(const char *restrict path, struct stat *restrict at) {
  int result = fstatat(AT_FDCWD, path, at, AT_SYMLINK_NOFOLLOW);
  note_looked(PL_ASK_LSTAT, path, result, at);
  return result;
}

#if defined __GLIBC__ && __SIZEOF_LONG__ == 8
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "one and the same");

int stat64(const char *restrict path, struct stat64 *restrict at) {
  return stat(path, (struct stat *)at);
}

int lstat64(const char *restrict path, struct stat64 *restrict at) {
  return lstat(path, (struct stat *)at);
}
#endif

int access(const char *path, int mode) {
  int result = faccessat(AT_FDCWD, path, mode, 0);
  note((pl_sight){.question = PL_ASK_ACCESS, .mode = mode}, path, result == 0);
  return result;
}

ssize_t readlink(const char *restrict path, char *restrict target,
                 size_t room) {
  ssize_t length = readlinkat(AT_FDCWD, path, target, room);
  note_text(PL_ASK_LINK, path, length >= 0 ? target : NULL, (size_t)length);
  return length;
}

char *realpath(const char *restrict path, char *restrict resolved) {
  char *real = canonicalize_file_name(path);
  note_text(PL_ASK_REAL, path, real, real ? strlen(real) : 0);
  if (!real || !resolved)
    return real;
  memcpy(resolved, real, strlen(real) + 1); /* no longer than PATH_MAX */
  free(real);
  return resolved;
}

DIR *opendir(const char *path) {
  int fd = openat(AT_FDCWD, path,
                  O_RDONLY | O_NONBLOCK | O_DIRECTORY | O_CLOEXEC);
  note_opened(PL_ASK_LIST, path, fd);
  DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
  if (fd >= 0 && !directory)
    close(fd);
  return directory;
}
