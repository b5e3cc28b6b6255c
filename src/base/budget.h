/* budget.h - what one to eight stages cost in shared memory, on every
 * architecture that is known: the table that pipelining is decided with. */
#ifndef PL_BUDGET_H
#define PL_BUDGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pipelinify.h"

enum { PL_BUDGET_ARCHS = 16, PL_BUDGET_STAGES = 3 };

/* The architectures that the library knows, oldest first. */
size_t pl_budget_archs(const pl_arch *archs[PL_BUDGET_ARCHS]);

/* The numbers of stages worth showing: 1 and 2, and a third that is the one
 * written where that is more; only 1 where the size of a stage is not known;
 * none where nothing is. */
size_t pl_budget_stages(const pl_loop_report *loop,
                        int stages[PL_BUDGET_STAGES]);

/* Static and dynamic bytes a block with so many stages. */
int64_t pl_budget_bytes(const pl_loop_report *loop, int stages);

/* Blocks that fit a multiprocessor by shared memory and, where `threads` is
 * not -1, by threads. Registers are not counted. */
int pl_budget_blocks(const pl_arch *arch, int64_t bytes, int64_t threads);

/* What the rule of thumb says of a compute/load ratio in operations a byte:
 * below 5 asynchronous copies, above 20 nothing, in between measure. */
const char *pl_ratio_advice(double ratio);

#endif
