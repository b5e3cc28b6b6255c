/* replace.c - see replace.h. */
#define _GNU_SOURCE
#include "replace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "attributes.h"
#include "interrupt.h"
#include "text.h"

#define MARK ".pipelinify" /* ends the name of a temporary file */

/* The temporary file of the moment. */
static char temporary_path[PATH_MAX];
static bool temporary_exists;

static void note_temporary(bool exists) {
  temporary_exists = exists;
  pl_interrupt_removes_file(exists ? temporary_path : NULL);
}

/* "dir/" of "dir/kernel.cu", "./" of "kernel.cu". Free with free. */
static char *directory_of(const char *path) {
  int length = (int)(pl_base_name(path) - path);
  return length ? pl_format("%.*s", length, path) : pl_format("./");
}

/* As much of a file's name as leaves room for what is put around it: whole
 * characters of UTF-8. */
static int name_length(const char *name) {
  enum { ROOM = NAME_MAX - sizeof ".." MARK - 10 };
  size_t length = strlen(name);
  if (length <= ROOM)
    return (int)length;
  for (length = ROOM; length > 1 && (name[length] & 0xc0) == 0x80;)
    length--;
  return (int)length;
}

/* ---- what was left behind ------------------------------------------------------ */

/* The process that named a temporary file of `base`; 0: it is none. */
static pid_t writer_of(const char *name, const char *base) {
  size_t length = (size_t)name_length(base);
  if (name[0] != '.' || strncmp(name + 1, base, length) != 0 ||
      name[1 + length] != '.')
    return 0;
  const char *digits = name + length + 2;
  size_t count = strspn(digits, "0123456789");
  bool ours = count > 0 && count < 10 && strcmp(digits + count, MARK) == 0;
  return ours ? (pid_t)atoi(digits) : 0;
}

/* One whose writer is gone. Its age is for writers that this machine, or this
 * container, does not know of: they are done in a moment. */
static bool is_left(int directory, const char *name, pid_t writer) {
  struct stat at;
  bool gone = kill(writer, 0) != 0 && errno == ESRCH;
  return gone && fstatat(directory, name, &at, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISREG(at.st_mode) && time(NULL) - at.st_ctim.tv_sec > 1;
}

static void remove_left(const char *target) {
  char *path = directory_of(target);
  DIR *directory = opendir(path);
  free(path);
  if (!directory)
    return;
  for (struct dirent *e; (e = readdir(directory));) {
    pid_t writer = writer_of(e->d_name, pl_base_name(target));
    if (writer && is_left(dirfd(directory), e->d_name, writer))
      unlinkat(dirfd(directory), e->d_name, 0);
  }
  closedir(directory);
}

/* What is to be where. */
typedef struct product {
  const char *target;
  const struct stat *old;
  const char *data;
  size_t size;
  const char *mark;
} product;

/* ---- a whole file under a name of its own ---------------------------------------- */

static bool choose_name(const char *target) {
  char *directory = directory_of(target);
  const char *name = pl_base_name(target);
  int length = snprintf(temporary_path, sizeof temporary_path,
                        "%s.%.*s.%ld" MARK, directory, name_length(name), name,
                        (long)getpid());
  free(directory);
  if (length < (int)sizeof temporary_path)
    return true;
  errno = ENAMETOOLONG;
  return false;
}

/* An open temporary file beside `target`; -1 with errno. No signal comes
 * between its birth and its being known. */
static int open_temporary(const char *target) {
  sigset_t before;
  if (!choose_name(target))
    return -1;
  pl_hold_signals(&before);
  int fd = open(temporary_path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  note_temporary(fd >= 0);
  pl_release_signals(&before);
  return fd;
}

/* A file without a name in the directory of `target`; -1: this file system has
 * none such. */
static int open_nameless(const char *target) {
  char *directory = directory_of(target);
  int fd = open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  free(directory);
  return fd;
}

static bool link_to(int fd, const char *path) {
  char *from = pl_format("/proc/self/fd/%d", fd);
  bool linked = linkat(AT_FDCWD, from, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0;
  free(from);
  return linked;
}

static bool name_temporary(int fd, const char *target) {
  sigset_t before;
  if (!choose_name(target))
    return false;
  pl_hold_signals(&before);
  bool named = link_to(fd, temporary_path);
  note_temporary(named);
  pl_release_signals(&before);
  return named;
}

bool pl_write_all(int fd, const char *data, size_t size) {
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

/* Not ours to give: another user's file, or an id that is not known here. */
static bool is_forbidden(int reason) {
  return reason == EPERM || reason == EINVAL || reason == EOPNOTSUPP;
}

/* Gives a file the owner and group of the old one, as far as the system lets
 * us, and says in which mode: nobody may do with it what was not allowed
 * before. False with errno. */
static bool take_owner(int fd, const struct stat *old, mode_t *mode) {
  *mode = old->st_mode & 07777;
  if (fchown(fd, old->st_uid, old->st_gid) == 0)
    return true;
  if (!is_forbidden(errno))
    return false;
  *mode &= ~(mode_t)S_ISUID;
  if (fchown(fd, (uid_t)-1, old->st_gid) == 0)
    return true;
  mode_t others = *mode & S_IRWXO;
  *mode &= ~(mode_t)(S_ISGID | S_IRWXG) | others << 3;
  return is_forbidden(errno);
}

/* The owner, mode and attributes of the old file, or what a fresh one gets. */
static bool take_over(int fd, const char *target, const struct stat *old) {
  mode_t mode, mask = umask(0);
  umask(mask);
  if (!old)
    return fchmod(fd, 0666 & ~mask) == 0;
  if (!take_owner(fd, old, &mode))
    return false;
  pl_attributes_copy(target, fd);
  return fchmod(fd, mode) == 0;
}

static bool fill(int fd, const product *p) {
  if (!pl_write_all(fd, p->data, p->size) ||
      !take_over(fd, p->target, p->old))
    return false;
  if (p->mark)
    pl_mark_file(fd, p->mark);
  return fsync(fd) == 0;
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
  pl_hold_signals(&before);
  bool renamed = rename(temporary_path, target) == 0;
  if (renamed)
    note_temporary(false);
  pl_release_signals(&before);
  return renamed;
}

static bool drop_temporary(void) {
  int reason = errno;
  if (temporary_exists)
    unlink(temporary_path);
  note_temporary(false);
  errno = reason;
  return false;
}

static bool move_to(const char *target) {
  return rename_temporary(target) || drop_temporary();
}

/* ---- the ways ----------------------------------------------------------------------- */

/* A free name is given at once. */
static bool place_nameless(int fd, const char *target,
                           const struct stat *old) {
  if (!old && link_to(fd, target))
    return true;
  remove_left(target);
  return name_temporary(fd, target) && move_to(target);
}

static bool replace_named(const product *p) {
  remove_left(p->target);
  int fd = open_temporary(p->target);
  if (fd < 0)
    return false;
  bool made = close_after(fd, fill(fd, p));
  return made ? move_to(p->target) : drop_temporary();
}

bool pl_replace_file(const char *target, const struct stat *old,
                     const char *data, size_t size, const char *mark) {
  product p = {target, old, data, size, mark};
  int fd = open_nameless(target);
  bool filled = fd >= 0 && fill(fd, &p);
  bool placed = filled && place_nameless(fd, target, old);
  if (fd >= 0)
    placed = close_after(fd, placed);
  return placed || replace_named(&p);
}
