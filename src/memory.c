/* memory.c - see memory.h. */
#define _GNU_SOURCE
#include "memory.h"

#include <stdlib.h>
#include <unistd.h>

void pl_out_of_memory(void) {
  static const char message[] = "pipelinify: out of memory\n";
  ssize_t written = write(STDERR_FILENO, message, sizeof message - 1);
  (void)written;
  _exit(2);
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
