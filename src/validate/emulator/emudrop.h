/* emudrop.h - a CUDA file without the host declarations that a compiler for the
 * emulator does not understand.
 *
 * The emulator has stand-ins for CUDA's own headers and no more: what is host
 * code may name types of any library. A declaration at namespace scope in which
 * the compiler found an error is left out where no kernel can come to mean
 * something else without it: then either nothing needs it, or what does has an
 * error in its turn. */
#ifndef PL_EMUDROP_H
#define PL_EMUDROP_H

#include "arena.h"

#include <stdbool.h>

/* Macros whose text says __device__ or __global__, or names such a macro. */
typedef struct pl_emudrop_macros {
  pl_str *names;
  size_t n, cap;
} pl_emudrop_macros;

typedef struct pl_emudrop {
  const unsigned *lines; /* with errors, of this file */
  size_t n_lines;
  const char *const *kernels; /* the names of those that are launched */
  size_t n_kernels;
  const pl_emudrop_macros *macros;
} pl_emudrop;

/* Adds the macros that `source` defines. */
void pl_emudrop_note_macros(pl_arena *arena, pl_str source,
                            pl_emudrop_macros *macros);

/* The text with such declarations made blank; its lines stay where they were.
 * *dropped is increased by their number. */
pl_str pl_emudrop_text(pl_arena *arena, pl_str source, const pl_emudrop *what,
                       size_t *dropped);

#endif
