/* remembered.c - what certificates of earlier texts have worked out.
 *
 * Needs: nothing. Gives: integer sets that outlive a call of the library. Raises:
 * nothing.
 *
 * Loops of one form ask the same of the same forms over T and k, whatever they
 * compute: what a stage's number is, and which tile's it is then. */
#include "remembered.h"

#include <stdlib.h>

enum { MOST_KEPT = 60000 }; /* answers: some 30 MiB */

struct pl_memory {
  pl_arena *arena; /* NULL: nothing is remembered */
  pl_integers *integers[PL_OF_CELLS + 1];
};

pl_memory *pl_memory_new(void) { return calloc(1, sizeof(pl_memory)); }

static void forget(pl_memory *memory) {
  for (int of = 0; of <= PL_OF_CELLS; of++)
    pl_integers_free(memory->integers[of]);
  pl_arena_free(memory->arena);
  *memory = (pl_memory){0};
}

void pl_memory_free(pl_memory *memory) {
  if (memory)
    forget(memory);
  free(memory);
}

pl_integers *pl_memory_integers(pl_memory *memory, pl_remembered of,
                                unsigned long operations) {
  pl_integers **kept = &memory->integers[of];
  if (!*kept)
    *kept = pl_integers_new(memory->arena, operations);
  else
    pl_integers_again(*kept, operations);
  return *kept;
}

bool pl_memory_try(pl_memory *memory, void (*work)(void *context), void *context) {
  size_t kept = 0;
  for (int of = 0; of <= PL_OF_CELLS; of++)
    kept += memory->integers[of] ? pl_integers_kept(memory->integers[of]) : 0;
  if (kept > MOST_KEPT)
    forget(memory);
  if (!memory->arena)
    memory->arena = pl_arena_new(NULL);
  bool done = memory->arena && pl_arena_try(memory->arena, work, context);
  if (!done)
    forget(memory);
  return done;
}
