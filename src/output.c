/* output.c - see output.h. */
#define _GNU_SOURCE
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text.h"

/* Reads to the end into memory that doubles. */
static bool read_stream(FILE *in, pl_bytes *bytes) {
  size_t room = (size_t)64 * 1024;
  bytes->data = pl_alloc(room + 1, 1);
  bytes->size = 0;
  for (size_t n; (n = fread(bytes->data + bytes->size, 1, room - bytes->size,
                            in));) {
    bytes->size += n;
    if (bytes->size == room)
      bytes->data = realloc(bytes->data, (room *= 2) + 1);
    if (!bytes->data)
      abort();
  }
  bytes->data[bytes->size] = 0;
  return !ferror(in);
}

bool pl_read_file(const char *path, pl_bytes *bytes) {
  bool from_stdin = strcmp(path, "-") == 0;
  FILE *in = from_stdin ? stdin : fopen(path, "rb");
  *bytes = (pl_bytes){0};
  if (!in)
    return false;
  bool read = read_stream(in, bytes);
  int reason = errno;
  if (!from_stdin)
    fclose(in);
  if (read)
    return true;
  free(bytes->data);
  *bytes = (pl_bytes){0};
  errno = reason;
  return false;
}

/* Room for the file's size and the byte that shows its end. */
bool pl_read_descriptor(int fd, pl_bytes *bytes) {
  struct stat at;
  size_t room = fstat(fd, &at) == 0 && at.st_size > 0 ? (size_t)at.st_size : 0;
  ssize_t n = 1;
  *bytes = (pl_bytes){pl_alloc(room + 2, 1), 0};
  while (n > 0 || (n < 0 && errno == EINTR)) {
    if (bytes->size > room)
      bytes->data = realloc(bytes->data, (room = 2 * bytes->size) + 2);
    if (!bytes->data)
      abort();
    n = read(fd, bytes->data + bytes->size, room + 1 - bytes->size);
    bytes->size += n > 0 ? (size_t)n : 0;
  }
  bytes->data[bytes->size] = 0;
  if (n == 0)
    return true;
  free(bytes->data);
  *bytes = (pl_bytes){0};
  return false;
}

/* The temporary file that exists at the moment, for the signal handler. */
static char temporary_path[PATH_MAX];
static volatile sig_atomic_t temporary_exists;

static void remove_temporary(int signal_number) {
  if (temporary_exists)
    unlink(temporary_path);
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

static const int caught_signals[] = {SIGINT, SIGTERM, SIGHUP};
enum { CAUGHT = sizeof caught_signals / sizeof *caught_signals };

/* A signal that the parent had ignored (nohup) stays ignored. */
void pl_catch_signals(void) {
  for (size_t i = 0; i < CAUGHT; i++)
    if (signal(caught_signals[i], remove_temporary) == SIG_IGN)
      signal(caught_signals[i], SIG_IGN);
}

static void hold_signals(sigset_t *before) {
  sigset_t held;
  sigemptyset(&held);
  for (size_t i = 0; i < CAUGHT; i++)
    sigaddset(&held, caught_signals[i]);
  sigprocmask(SIG_BLOCK, &held, before);
}

static void release_signals(const sigset_t *before) {
  sigprocmask(SIG_SETMASK, before, NULL);
}

/* Length of the directory part of a path, its slash included. */
static int directory_length(const char *path) {
  return (int)(pl_base_name(path) - path);
}

/* An open temporary file beside `target`; -1 with errno. No signal comes
 * between its birth and its being known. */
static int open_temporary(const char *target) {
  sigset_t before;
  int length = snprintf(temporary_path, sizeof temporary_path,
                        "%.*s.%s.XXXXXX", directory_length(target), target,
                        pl_base_name(target));
  if (length >= (int)sizeof temporary_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  hold_signals(&before);
  int fd = mkostemp(temporary_path, O_CLOEXEC);
  temporary_exists = fd >= 0;
  release_signals(&before);
  return fd;
}

/* A file without a name in the directory of `target`, which a kill -9 leaves
 * nothing of; -1: this file system has none such. */
static int open_nameless(const char *target) {
  int length = directory_length(target);
  char *directory = length ? pl_format("%.*s", length, target)
                           : pl_format(".");
  int fd = open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  free(directory);
  return fd;
}

/* Gives a nameless file, now whole, the name that rename takes away again. */
static bool name_temporary(int fd, const char *target) {
  sigset_t before;
  char *from = pl_format("/proc/self/fd/%d", fd);
  int length = snprintf(temporary_path, sizeof temporary_path, "%.*s.%s.%d",
                        directory_length(target), target,
                        pl_base_name(target), (int)getpid());
  hold_signals(&before);
  bool named = length < (int)sizeof temporary_path &&
               linkat(AT_FDCWD, from, AT_FDCWD, temporary_path,
                      AT_SYMLINK_FOLLOW) == 0;
  temporary_exists = named;
  release_signals(&before);
  free(from);
  return named;
}

static bool write_all(int fd, const char *data, size_t size) {
  while (size) {
    ssize_t n = write(fd, data, size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return false;
    data += n;
    size -= (size_t)n;
  }
  return true;
}

/* The mode of the old file, or what a fresh file gets. The owner is kept where
 * the system lets us. */
static bool take_over(int fd, const struct stat *old) {
  mode_t mask = umask(0);
  umask(mask);
  if (!old)
    return fchmod(fd, 0666 & ~mask) == 0;
  if (fchown(fd, old->st_uid, old->st_gid) != 0 && errno != EPERM)
    return false;
  return fchmod(fd, old->st_mode & 07777) == 0;
}

static bool fill_temporary(int fd, const struct stat *old, const char *data,
                           size_t size) {
  return write_all(fd, data, size) && take_over(fd, old) && fsync(fd) == 0;
}

static bool close_after(int fd, bool good) {
  int reason = errno;
  bool closed = close(fd) == 0;
  if (!good)
    errno = reason;
  return good && closed;
}

static bool rename_temporary(const char *target) {
  sigset_t before;
  hold_signals(&before);
  bool renamed = rename(temporary_path, target) == 0;
  if (renamed)
    temporary_exists = 0;
  release_signals(&before);
  return renamed;
}

static void drop_temporary(void) {
  int reason = errno;
  unlink(temporary_path);
  temporary_exists = 0;
  errno = reason;
}

/* The whole file under a temporary name. False with errno. */
static bool make_named(const char *target, const struct stat *old,
                       const char *data, size_t size) {
  int fd = open_temporary(target);
  return fd >= 0 && close_after(fd, fill_temporary(fd, old, data, size));
}

/* The same by way of a file without a name. */
static bool make_nameless(const char *target, const struct stat *old,
                          const char *data, size_t size) {
  int fd = open_nameless(target);
  return fd >= 0 && close_after(fd, fill_temporary(fd, old, data, size) &&
                                        name_temporary(fd, target));
}

static pl_write_status replace(const char *target, const struct stat *old,
                               const char *data, size_t size) {
  bool made = make_nameless(target, old, data, size);
  if (!made && !temporary_exists)
    made = make_named(target, old, data, size);
  if (made && rename_temporary(target))
    return PL_WRITE_DONE;
  if (temporary_exists)
    drop_temporary();
  return PL_WRITE_FAILED;
}

static pl_write_status write_in_place(const char *path, const char *data,
                                      size_t size) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0)
    return PL_WRITE_FAILED;
  bool good = write_all(fd, data, size);
  int reason = errno;
  good = close(fd) == 0 && good;
  errno = reason;
  return good ? PL_WRITE_DONE : PL_WRITE_FAILED;
}

static bool has_bytes(const char *path, const char *data, size_t size) {
  pl_bytes old;
  if (!pl_read_file(path, &old))
    return false;
  bool same = old.size == size && memcmp(old.data, data, size) == 0;
  free(old.data);
  return same;
}

static pl_write_status update(const char *target, const struct stat *old,
                              const char *data, size_t size) {
  if (!S_ISREG(old->st_mode))
    return write_in_place(target, data, size);
  if (has_bytes(target, data, size))
    return PL_WRITE_SAME;
  if (access(target, W_OK) != 0)
    return PL_WRITE_FAILED;
  return replace(target, old, data, size);
}

/* The path that a link to nothing names, seen from the link's directory. */
static char *dangling_target(const char *path) {
  char target[PATH_MAX];
  ssize_t length = readlink(path, target, sizeof target - 1);
  if (length < 0)
    return pl_format("%s", path);
  target[length] = 0;
  if (target[0] == '/')
    return pl_format("%s", target);
  return pl_format("%.*s%s", directory_length(path), path, target);
}

pl_write_status pl_write_file(const char *path, const char *data,
                              size_t size) {
  struct stat old;
  char *target = realpath(path, NULL);
  if (!target)
    target = dangling_target(path);
  bool exists = stat(target, &old) == 0;
  pl_write_status status = exists ? update(target, &old, data, size)
                                  : replace(target, NULL, data, size);
  int reason = errno;
  free(target);
  errno = reason;
  return status;
}

bool pl_make_parents(const char *path) {
  bool made = true;
  for (const char *slash = strchr(path + 1, '/'); slash && made;
       slash = strchr(slash + 1, '/')) {
    char *parent = pl_format("%.*s", (int)(slash - path), path);
    made = mkdir(parent, 0777) == 0 || errno == EEXIST;
    free(parent);
  }
  return made;
}

char *pl_path_with_suffix(const char *path, const char *suffix) {
  const char *name = pl_base_name(path);
  const char *dot = strrchr(name, '.');
  if (!dot || dot == name)
    return pl_format("%s%s", path, suffix);
  return pl_format("%.*s%s%s", (int)(dot - path), path, suffix, dot);
}

char *pl_path_below(const char *dir, const char *path) {
  const char *rest = path[0] == '/' ? pl_base_name(path) : path;
  while (pl_starts_with(rest, "../") || pl_starts_with(rest, "./"))
    rest = strchr(rest, '/') + 1;
  return pl_format("%s/%s", dir, rest);
}
