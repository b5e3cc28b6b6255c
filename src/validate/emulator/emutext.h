/* emutext.h - CUDA text to text that a host compiler reads, for the emulator.
 *
 * What the headers in templates/emu cannot do is done here, on a copy of the
 * file: `extern __shared__` gets its storage, inline PTX becomes function calls,
 * and the bodies of host functions that launch kernels or call the CUDA API
 * (main too) are left out. Line numbers stay what they were. */
#ifndef PL_EMUTEXT_H
#define PL_EMUTEXT_H

#include "arena.h"

#include <stdbool.h>

typedef struct pl_emutext {
  pl_str text;
  bool has_asm;        /* inline PTX was translated */
  bool has_strange_asm; /* inline PTX that was not */
} pl_emutext;

/* Gives the file to include in place of `name`, or NULL to leave the directive
 * as it is. `quoted`: it stands between quotes, not between angle brackets. */
typedef const char *(*pl_emutext_include)(void *context, pl_str name,
                                          bool quoted);

pl_emutext pl_emutext_translate(pl_arena *arena, pl_str source,
                                pl_emutext_include include, void *context);

#endif
