/* attributes.c - see attributes.h. */
#include "attributes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>

#include "memory.h"
#include "text.h"

#define NAME "user.pipelinify.written"

/* What says who may do what, and what users have noted. */
static bool is_worth_keeping(const char *name) {
  return strcmp(name, NAME) != 0 &&
         (pl_starts_with(name, "user.") ||
          strcmp(name, "system.posix_acl_access") == 0);
}

static void copy_one(const char *path, int fd, const char *name) {
  ssize_t size = getxattr(path, name, NULL, 0);
  if (size < 0)
    return;
  char *value = pl_alloc((size_t)size + 1, 1);
  size = getxattr(path, name, value, (size_t)size);
  if (size >= 0)
    (void)fsetxattr(fd, name, value, (size_t)size, 0);
  free(value);
}

void pl_attributes_copy(const char *path, int fd) {
  ssize_t size = listxattr(path, NULL, 0);
  if (size <= 0)
    return;
  char *names = pl_alloc((size_t)size + 1, 1);
  size = listxattr(path, names, (size_t)size);
  for (char *name = names; size > 0 && name < names + size;
       name += strlen(name) + 1)
    if (is_worth_keeping(name))
      copy_one(path, fd, name);
  free(names);
}

void pl_mark_file(int fd, const char *mark) {
  (void)fsetxattr(fd, NAME, mark, strlen(mark), 0);
}

void pl_mark_path(const char *path, const char *mark) {
  char old[PL_MARK_SIZE];
  if (!pl_mark_of(path, old) || strcmp(old, mark) != 0)
    (void)setxattr(path, NAME, mark, strlen(mark), 0);
}

bool pl_mark_of(const char *path, char mark[PL_MARK_SIZE]) {
  ssize_t size = getxattr(path, NAME, mark, PL_MARK_SIZE - 1);
  mark[size > 0 ? size : 0] = 0;
  return size == PL_MARK_SIZE - 1;
}
