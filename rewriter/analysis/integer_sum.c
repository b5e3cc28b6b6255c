/* integer_sum.c - sums of names and a number.
 *
 * Needs: nothing but names and numbers. Gives: their sums and multiples, in one order.
 * Raises: nothing. */
#include "integer_sum.h"

#include <string.h>

static pl_isum *room_for(pl_arena *arena, size_t n) {
  return pl_arena_alloc(arena, sizeof(pl_isum) + n * sizeof(pl_isum_term));
}

const pl_isum *pl_isum_of(pl_arena *arena, const char *name, int64_t by, int64_t constant) {
  pl_isum *made = room_for(arena, 1);
  made->constant = constant;
  made->n = by != 0;
  made->terms[0] = (pl_isum_term){name, by};
  return made;
}

/* Adds `by` times a number to a number; false: it is too large for one. Its negative is
 * one, too. */
static bool add_times(int64_t *to, int64_t what, int64_t by) {
  int64_t part;
  return !__builtin_mul_overflow(what, by, &part) &&
         !__builtin_add_overflow(*to, part, to) && *to != INT64_MIN;
}

const pl_isum *pl_isum_add(pl_arena *arena, const pl_isum *a, const pl_isum *b, int64_t by) {
  pl_isum *sum = room_for(arena, a->n + b->n);
  sum->constant = a->constant;
  bool fits = add_times(&sum->constant, b->constant, by);
  for (size_t i = 0, k = 0; fits && (i < a->n || k < b->n);) {
    int order = i == a->n   ? 1
                : k == b->n ? -1
                            : strcmp(a->terms[i].name, b->terms[k].name);
    pl_isum_term *term = &sum->terms[sum->n];
    *term = order <= 0 ? a->terms[i] : (pl_isum_term){b->terms[k].name, 0};
    fits = order < 0 || add_times(&term->by, b->terms[k].by, by);
    i += order <= 0;
    k += order >= 0;
    sum->n += term->by != 0;
  }
  return fits ? sum : NULL;
}

static int64_t part_of(int64_t a, int64_t by, bool rest) {
  int64_t left = a % by;
  return rest ? left + (left < 0 ? by : 0) : a / by - (left < 0);
}

const pl_isum *pl_isum_floor(pl_arena *arena, const pl_isum *a, int64_t by, bool rest) {
  pl_isum *made = room_for(arena, a->n);
  made->constant = part_of(a->constant, by, rest);
  for (size_t i = 0; i < a->n; i++) {
    made->terms[made->n] = (pl_isum_term){a->terms[i].name, part_of(a->terms[i].by, by, rest)};
    made->n += made->terms[made->n].by != 0;
  }
  return made;
}

int64_t pl_isum_measure(const pl_isum *a) {
  int64_t measure = 0;
  for (size_t i = 0; i < a->n; i++) {
    int64_t by = a->terms[i].by < 0 ? -a->terms[i].by : a->terms[i].by;
    while (by) {
      int64_t rest = measure % by;
      measure = by;
      by = rest;
    }
  }
  return measure;
}

int64_t pl_isum_factor(const pl_isum *a, const char *name) {
  for (size_t i = 0; i < a->n; i++)
    if (strcmp(a->terms[i].name, name) == 0)
      return a->terms[i].by;
  return 0;
}

const pl_isum *pl_isum_renamed(pl_arena *arena, const pl_isum *a, const char *from,
                               const char *to) {
  int64_t by = pl_isum_factor(a, from);
  const pl_isum *without = pl_isum_add(arena, a, pl_isum_of(arena, from, by, 0), -1);
  return without ? pl_isum_add(arena, without, pl_isum_of(arena, to, by, 0), 1) : NULL;
}

bool pl_isum_equal(const pl_isum *a, const pl_isum *b) {
  bool equal = a->n == b->n && a->constant == b->constant;
  for (size_t i = 0; equal && i < a->n; i++)
    equal = a->terms[i].by == b->terms[i].by &&
            strcmp(a->terms[i].name, b->terms[i].name) == 0;
  return equal;
}

uint32_t pl_isum_hash(const pl_isum *a) {
  uint32_t hash = (uint32_t)a->constant;
  for (size_t i = 0; i < a->n; i++) {
    for (const char *c = a->terms[i].name; *c; c++)
      hash = hash * 31 + (unsigned char)*c;
    hash = hash * 31 + (uint32_t)a->terms[i].by;
  }
  return hash;
}
