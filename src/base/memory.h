/* memory.h - memory that is no arena's, and the one place where it is out.
 *
 * Without memory the program can neither go on nor tidy up, so that this is the
 * one end besides main's: "pipelinify: out of memory" on standard error and
 * exit code 2, with nothing flushed that is half made. (The library returns
 * instead: see pl_arena_try.) In a job of a batch it ends that job's process
 * alone. Nothing in src calls malloc and its kin but memory.c: tests/wall.sh
 * looks. */
#ifndef PL_MEMORY_H
#define PL_MEMORY_H

#include <stddef.h>
#include <stdio.h>

#include "arena.h"

/* Allocates nothing. */
_Noreturn void pl_out_of_memory(void);

/* `made`, of a library that gives NULL only where memory is out. */
void *pl_made(void *made);

/* Zeroed memory; never NULL. Free with free. */
void *pl_alloc(size_t count, size_t size);

/* `memory`, which may be NULL, with room for `count` items of `size` bytes;
 * what is new of it is not zeroed. Never NULL. Free with free. */
void *pl_resize(void *memory, size_t count, size_t size);

/* What is freed stays the process's, and threads share it: each parse is made by
 * a thread of its own, and needs what the one before it gave back. */
void pl_keep_freed_memory(void);

/* A stream into memory: open_memstream that never gives NULL. */
FILE *pl_open_text(char **text, size_t *size);

/* An arena whose allocations outside pl_arena_try never fail. */
pl_arena *pl_new_arena(void);

#endif
