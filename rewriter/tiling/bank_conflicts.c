/* bank_conflicts.c - how many words of one bank does a warp ask for at once?
 *
 * Needs: a cell as it is named in the loop, the extents of a block. Gives: the degree of
 * the worst conflict of a warp, for rows of any pitch. Raises: nothing.
 *
 * Shared memory has 32 banks, of successive words of 4 bytes. Lanes that name one word
 * share it; wider accesses go in phases, in which half of the lanes name 8 bytes each, or
 * a quarter 16 [CUDA C++ Programming Guide: shared memory]. What is the same for all
 * threads is taken for zero. */
#include "access.h"

#define BANKS 32
#define WORD 4
#define WARP 32

typedef struct lane {
  const pl_accesses *of;
  int64_t at[3], extent[3];
  bool known; /* nothing of it is another thing for each thread, but its place */
} lane;

static int64_t value_of(lane *l, const pl_affine *form);

static int64_t free_value(lane *l, uint32_t name) {
  const pl_places *places = &l->of->places;
  for (int axis = 0; axis < 3; axis++) {
    if (places->thread[axis]->terms[0].name == name)
      return l->at[axis];
    if (places->block[axis]->terms[0].name == name)
      return l->extent[axis];
  }
  if (places->rank->terms[0].name == name)
    return l->at[0] + l->extent[0] * (l->at[1] + l->extent[1] * l->at[2]);
  if (places->size->terms[0].name == name)
    return l->extent[0] * l->extent[1] * l->extent[2];
  const pl_affine_name *is = &l->of->names.names[name];
  bool counter = is->turns && is->turns->counter == name;
  l->known = l->known && (counter || pl_is_same_name(&l->of->names, name, PL_IN_THREADS));
  return 0;
}

static int64_t rounded_down(int64_t a, int64_t by) {
  return a / by - (a % by < 0);
}

static int64_t name_value(lane *l, uint32_t name) {
  const pl_affine_name *is = &l->of->names.names[name];
  switch (is->kind) {
  case PL_NAME_FLOOR:
    return rounded_down(value_of(l, is->of), is->by);
  case PL_NAME_QUOTIENT:
    return value_of(l, is->of) / is->by;
  case PL_NAME_XOR:
    return value_of(l, is->of) ^ value_of(l, is->with);
  case PL_NAME_WRAPPED:
    return value_of(l, is->of);
  case PL_NAME_PRODUCT:
    return value_of(l, is->of) * value_of(l, is->with);
  default:
    return free_value(l, name);
  }
}

static int64_t value_of(lane *l, const pl_affine *form) {
  int64_t sum = form->constant;
  for (uint32_t i = 0; i < form->n; i++)
    sum += form->terms[i].by * name_value(l, form->terms[i].name);
  return sum;
}

/* Bytes between the tile's begin and the cell that a thread names. */
static int64_t address_of(lane *l, const pl_seen_cell *seen, const pl_row_shape *shape,
                          int64_t pitch) {
  uint32_t last = seen->cell->n - 1;
  int64_t row = 0;
  for (uint32_t d = 0; d < last; d++)
    row = row * shape->counts[d] + value_of(l, seen->index[d]);
  return row * pitch + value_of(l, seen->index[last]) * shape->element;
}

/* The most words of one bank among those of some lanes. */
static int worst_bank(const int64_t *words, size_t n) {
  int asked[BANKS] = {0}, worst = 0;
  for (size_t i = 0; i < n; i++) {
    bool shared = false;
    for (size_t k = 0; k < i && !shared; k++)
      shared = words[k] == words[i];
    int *bank = &asked[(words[i] % BANKS + BANKS) % BANKS];
    *bank += !shared;
    worst = *bank > worst ? *bank : worst;
  }
  return worst;
}

/* Of one phase: lanes from `first` on, or rows of a fragment. */
static int phase_conflicts(lane *l, const pl_seen_cell *seen, const pl_row_shape *shape,
                           int64_t pitch, int64_t first, int64_t lanes) {
  int64_t words[2 * WARP], each = shape->width / WORD ? shape->width / WORD : 1;
  int64_t threads = l->extent[0] * l->extent[1] * l->extent[2];
  size_t n = 0;
  for (int64_t i = 0; i < lanes && (shape->fragment || first + i < threads); i++) {
    int64_t rank = shape->fragment ? first : first + i;
    l->at[0] = rank % l->extent[0];
    l->at[1] = rank / l->extent[0] % l->extent[1];
    l->at[2] = rank / l->extent[0] / l->extent[1];
    int64_t at = address_of(l, seen, shape, pitch) + (shape->fragment ? i * pitch : 0);
    for (int64_t word = 0; word < each; word++)
      words[n++] = rounded_down(at, WORD) + word;
  }
  return worst_bank(words, n);
}

int pl_bank_conflicts(const pl_accesses *of, const pl_seen_cell *seen,
                      const pl_row_shape *shape, int64_t pitch, const int64_t block[3]) {
  lane l = {.of = of, .extent = {block[0], block[1], block[2]}, .known = true};
  int64_t threads = block[0] * block[1] * block[2];
  int64_t lanes = shape->width <= WORD ? WARP : WARP * WORD / shape->width;
  int worst = 0;
  for (int64_t first = 0; first < threads; first += lanes) {
    int one = phase_conflicts(&l, seen, shape, pitch, first, lanes);
    worst = one > worst ? one : worst;
  }
  return l.known ? worst : 0;
}
