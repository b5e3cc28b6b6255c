/* word_set.c - see word_set.h. Hashed by FNV-1a (Fowler, Noll, Vo). */
#include "word_set.h"

static size_t slot_of(const pl_str *slots, size_t cap, pl_str word) {
  uint64_t hash = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < word.n; i++)
    hash = (hash ^ (unsigned char)word.p[i]) * UINT64_C(1099511628211);
  size_t at = (size_t)hash & (cap - 1);
  while (slots[at].p && !pl_str_eq(slots[at], word))
    at = (at + 1) & (cap - 1);
  return at;
}

static void grow(pl_arena *arena, pl_word_set *set) {
  size_t cap = set->cap ? set->cap * 2 : 1024;
  pl_str *slots = PL_NEW_ARRAY(arena, pl_str, cap);
  for (size_t i = 0; i < set->cap; i++)
    if (set->slots[i].p)
      slots[slot_of(slots, cap, set->slots[i])] = set->slots[i];
  set->slots = slots;
  set->cap = cap;
}

void pl_word_set_add(pl_arena *arena, pl_word_set *set, pl_str word) {
  if (set->n * 2 >= set->cap)
    grow(arena, set);
  pl_str *slot = &set->slots[slot_of(set->slots, set->cap, word)];
  set->n += !slot->p;
  *slot = word;
}

bool pl_word_set_has(const pl_word_set *set, pl_str word) {
  return set->cap &&
         set->slots[slot_of(set->slots, set->cap, word)].p;
}
