/* branch_choices.h - which conditions of the file choose for a loop? */
#ifndef PL_BRANCH_CHOICES_H
#define PL_BRANCH_CHOICES_H

#include "loop.h"

/* The token of the #endif of the group that one begins. */
uint32_t pl_end_of_group(const pl_unit *unit, uint32_t at);
/* Whether a directive asks for the architecture, or for what a `-D` says, and
 * chooses what a loop calls, or what its function does besides. Where the loop
 * stands below it, such a build alone has it. Outside functions there has to be a
 * choice: a macro that is given a value where it has none is none. */
bool pl_chooses_for(const pl_loop *loop, uint32_t at);

/* Whether a name is one of compilers and platforms, that no command gives otherwise. */
bool pl_is_compilers_own(pl_str name);
/* Whether tokens from `first` to before `last`, the text under a condition, define what is
 * defined elsewhere too: what `#ifdef A` and `#ifndef A` each have a text for. */
bool pl_defines_again(const pl_unit *unit, uint32_t first, uint32_t last);
/* Whether tokens from `first` to before `last` define what a loop calls, or a macro
 * or type that it uses. */
bool pl_has_a_say(const pl_loop *loop, uint32_t first, uint32_t last);

#endif
