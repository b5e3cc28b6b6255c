/* remembered.h - what certificates of earlier texts have worked out. */
#ifndef PL_REMEMBERED_H
#define PL_REMEMBERED_H

#include "integer_set.h"
#include "pipelinify.h"

/* Which questions of a certificate a budget is for. */
typedef enum pl_remembered { PL_OF_EVENTS, PL_OF_CELLS } pl_remembered;

/* Sets and forms for one certificate more, of which as many steps of arithmetic may be
 * made. They stay good until the next one asks. */
pl_integers *pl_memory_integers(pl_memory *memory, pl_remembered of,
                                unsigned long operations);

/* Does `work`, as pl_arena_try does; where memory ran out, nothing is remembered. */
bool pl_memory_try(pl_memory *memory, void (*work)(void *context), void *context);

#endif
