/* branch_choices.h - which conditions of the file choose for a loop? */
#ifndef PL_BRANCH_CHOICES_H
#define PL_BRANCH_CHOICES_H

#include "loop.h"

/* The token of the #endif of the group that one begins. */
uint32_t pl_end_of_group(const pl_unit *unit, uint32_t at);
/* Whether a directive, of the file (`text` is the loop's unit) or of a header of its own,
 * begins an #if that another build decides otherwise, and chooses what a loop uses, or what
 * its function does besides. Where the loop stands below it, such a build alone has it.
 * Outside functions there has to be a choice: a macro that is given a value where it has
 * none is none. */
bool pl_chooses_for(const pl_loop *loop, const pl_unit *text, uint32_t at);

/* The name behind an #include of the file, or of its headers, that is a macro with a
 * default, another value of which is another header for what the loop uses; empty: there
 * is none. */
pl_str pl_included_by_default(const pl_loop *loop);

/* Whether what the loop uses is declared under a condition, tokens `at` to `end` of the file
 * or of a header: in one of several branches (`chooses`), or elsewhere as well, or the
 * condition is a part of it. */
bool pl_has_a_say(const pl_loop *loop, const pl_unit *text, uint32_t at, uint32_t end,
                  bool chooses);

#endif
