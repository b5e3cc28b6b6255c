/* word_set.h - a set of words. */
#ifndef PL_WORD_SET_H
#define PL_WORD_SET_H

#include "arena.h"

/* All zero: empty. The words' bytes stay where they are. */
typedef struct pl_word_set {
  pl_str *slots; /* open addressing; p NULL: free */
  size_t n, cap; /* cap: a power of two, at least twice n */
} pl_word_set;

void pl_word_set_add(pl_arena *arena, pl_word_set *set, pl_str word);
bool pl_word_set_has(const pl_word_set *set, pl_str word);

#endif
