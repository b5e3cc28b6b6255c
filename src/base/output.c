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

#include "attributes.h"
#include "memory.h"
#include "replace.h"
#include "text.h"

/* Places in a source are numbers of 31 bits; and /dev/zero has no end. */
enum { MOST_BYTES = 1 << 30 };

/* Reads to the end into memory that doubles. */
static bool read_stream(FILE *in, pl_bytes *bytes) {
  size_t room = (size_t)64 * 1024;
  struct stat at;
  bool huge = fstat(fileno(in), &at) == 0 && at.st_size > MOST_BYTES;
  bytes->data = pl_alloc(room + 1, 1);
  bytes->size = 0;
  for (size_t n; !huge && (n = fread(bytes->data + bytes->size, 1, room - bytes->size,
                            in));) {
    bytes->size += n;
    huge = bytes->size > MOST_BYTES;
    if (bytes->size == room)
      bytes->data = pl_resize(bytes->data, (room *= 2) + 1, 1);
  }
  bytes->data[bytes->size] = 0;
  if (huge)
    errno = EFBIG;
  return !huge && !ferror(in);
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
      bytes->data = pl_resize(bytes->data, (room = 2 * bytes->size) + 2, 1);
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

/* Length of the directory part of a path, its slash included. */
static int directory_length(const char *path) {
  return (int)(pl_base_name(path) - path);
}

static pl_write_status replaced(const char *target, const struct stat *old,
                                const char *data, size_t size,
                                const char *mark) {
  return pl_replace_file(target, old, data, size, mark) ? PL_WRITE_DONE
                                                        : PL_WRITE_FAILED;
}

static pl_write_status write_in_place(const char *path, const char *data,
                                      size_t size) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0)
    return PL_WRITE_FAILED;
  bool good = pl_write_all(fd, data, size);
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
                              const char *data, size_t size,
                              const char *mark) {
  if (!S_ISREG(old->st_mode))
    return write_in_place(target, data, size);
  if (has_bytes(target, data, size)) {
    if (mark)
      pl_mark_path(target, mark);
    return PL_WRITE_SAME;
  }
  if (access(target, W_OK) != 0)
    return PL_WRITE_FAILED;
  return replaced(target, old, data, size, mark);
}

/* What a link names, seen from its directory; NULL: it is none. */
static char *link_target(const char *path) {
  char target[PATH_MAX];
  ssize_t length = readlink(path, target, sizeof target - 1);
  if (length < 0)
    return NULL;
  target[length] = 0;
  if (target[0] == '/')
    return pl_format("%s", target);
  return pl_format("%.*s%s", directory_length(path), path, target);
}

/* Where the last of the links leads to nothing. Links in a circle lead
 * nowhere: `realpath` has told. */
static char *dangling_target(const char *path) {
  enum { MOST_LINKS = 40 }; /* the system's own bound */
  char *here = pl_format("%s", path), *next;
  for (int i = 0; i < MOST_LINKS && (next = link_target(here)); i++) {
    free(here);
    here = next;
  }
  return here;
}

pl_write_status pl_write_marked(const char *path, const char *data, size_t size,
                                const char *mark) {
  struct stat old;
  char *target = realpath(path, NULL);
  if (!target && errno == ELOOP)
    return PL_WRITE_FAILED;
  if (!target)
    target = dangling_target(path);
  bool exists = stat(target, &old) == 0;
  pl_write_status status = exists ? update(target, &old, data, size, mark)
                                  : replaced(target, NULL, data, size, mark);
  int reason = errno;
  free(target);
  errno = reason;
  return status;
}

pl_write_status pl_write_file(const char *path, const char *data,
                              size_t size) {
  return pl_write_marked(path, data, size, NULL);
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
  char *below = pl_format("%s/%s/", dir, rest);
  char *start = below + strlen(dir), *end = start;
  for (const char *part = rest; *part; part += strspn(part, "/")) {
    size_t length = strcspn(part, "/");
    if (length == 2 && memcmp(part, "..", 2) == 0)
      while (end > start && *--end != '/')
        continue;
    else if (length > 1 || *part != '.') {
      *end++ = '/';
      memmove(end, part, length);
      end += length;
    }
    part += length;
  }
  *end = 0;
  return below;
}

void pl_guard_streams(void) {
  static const int modes[] = {O_WRONLY, O_RDONLY, O_RDWR};
  for (int fd = 0; fd < 3; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) != fd)
      return;
}
