/* memory.c - see memory.h. */
#define _GNU_SOURCE
#include "memory.h"

#include <stdlib.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

void pl_out_of_memory(void) {
  static const char message[] = "pipelinify: out of memory\n";
  ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
  (void)written;
  _exit(2);
}

void pl_keep_freed_memory(void) {
#ifdef __GLIBC__
  enum { MIB = 1 << 20 };
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_TRIM_THRESHOLD, 256 * MIB);
  mallopt(M_MMAP_THRESHOLD, 32 * MIB);
#endif
}

void *pl_made(void *made) {
  if (!made)
    pl_out_of_memory();
  return made;
}

void *pl_alloc(size_t count, size_t size) {
  return pl_made(calloc(count ? count : 1, size ? size : 1));
}

void *pl_resize(void *memory, size_t count, size_t size) {
  return pl_made(reallocarray(memory, count ? count : 1, size ? size : 1));
}

FILE *pl_open_text(char **text, size_t *size) {
  return pl_made(open_memstream(text, size));
}

pl_arena *pl_new_arena(void) { return pl_made(pl_arena_new(pl_out_of_memory)); }
