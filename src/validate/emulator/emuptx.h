/* emuptx.h - inline PTX to calls of the functions in templates/emu/pl_ptx.h. */
#ifndef PL_EMUPTX_H
#define PL_EMUPTX_H

#include "arena.h"

#include <stdbool.h>

/* Writes the asm whose brackets are at `open` and `close` as one statement.
 * False for what cannot be read: it becomes a name that does not exist, so that
 * the build fails with it. */
bool pl_emuptx_put(pl_text *out, const char *open, const char *close);

#endif
