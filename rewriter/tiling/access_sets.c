/* access_sets.c - forms and conditions, in the terms of integer_set.h.
 *
 * Needs: forms of names, and which value of a name each side of a question has.
 * Gives: the forms and sets that they are, and what holds of the names in them.
 * Raises: nothing. */
#include "access.h"

#define MOST_XOR_BITS 4

#define MOST_NEW_NAMES 256

void pl_sides_begin(pl_sides *s) {
  s->n = s->names->n + (s->times ? MOST_NEW_NAMES : 0);
  for (int value = 0; value < s->nvalues; value++)
    s->forms[value] = PL_NEW_ARRAY(s->names->arena, const pl_iform *, s->n);
  for (int side = 0; side < s->nsides; side++)
    s->told[side] = PL_NEW_ARRAY(s->names->arena, bool, s->n);
  s->set = pl_iset_all(s->integers);
}

const pl_iform *pl_side_form(pl_sides *s, const pl_affine *a, int side) {
  const pl_iform *sum = pl_iform_number(s->integers, a->constant);
  for (uint32_t i = 0; i < a->n; i++) {
    const pl_iform *name = pl_side_name(s, a->terms[i].name, side);
    sum = pl_iform_add(sum, a->terms[i].by == 1
                                ? name
                                : pl_iform_scale(name, a->terms[i].by));
  }
  return sum;
}

void pl_sides_require(pl_sides *s, const pl_iform *a, pl_op op,
                      const pl_iform *b) {
  s->set = pl_iset_and(s->set, pl_iset_compare(a, op, b));
}

static const pl_iform *number(pl_sides *s, int64_t value) {
  return pl_iform_number(s->integers, value);
}

/* Two to the 64, times a form. */
static const pl_iform *turns_of_8_bytes(const pl_iform *by) {
  int64_t half = (int64_t)1 << 32;
  return pl_iform_scale(pl_iform_scale(by, half), half);
}

/* A name of its own, within its bounds. */
static const pl_iform *free_form(pl_sides *s, uint32_t name, int side,
                                 int value) {
  const pl_affine_name *is = &s->names->names[name];
  pl_str text = pl_arena_printf(s->names->arena, "n%u.%d", name, value);
  const pl_iform *form = pl_iform_name(s->integers, text.p);
  if (is->known && (s->tells >> side & 1)) /* no number of its type, perhaps, where
                                              control does not come to that */
    return form;
  if (is->range.least > -PL_UNBOUNDED)
    pl_sides_require(s, form, PL_OP_GE, number(s, is->range.least));
  if (is->range.largest < PL_UNBOUNDED)
    pl_sides_require(s, form, PL_OP_LE, number(s, is->range.largest));
  else if (is->is_wide)
    pl_sides_require(s, form, PL_OP_LT, turns_of_8_bytes(number(s, 1)));
  return form;
}

/* So many times two to the 64 less that it is a number of 8 bytes. */
static const pl_iform *wrapped_form(pl_sides *s, uint32_t name, int side,
                                    int value) {
  const pl_affine_name *is = &s->names->names[name];
  pl_str text = pl_arena_printf(s->names->arena, "w%u.%d", name, value);
  const pl_iform *times = pl_iform_name(s->integers, text.p);
  const pl_iform *least = number(s, is->by ? INT64_MIN : 0);
  const pl_iform *form = pl_iform_sub(pl_side_form(s, is->of, side),
                                      turns_of_8_bytes(times));
  pl_sides_require(s, form, PL_OP_GE, least);
  pl_sides_require(s, pl_iform_sub(form, least), PL_OP_LT,
                   turns_of_8_bytes(number(s, 1)));
  return form;
}

/* Bit by bit. */
static const pl_iform *xor_form(pl_sides *s, const pl_affine_name *name,
                                int side) {
  const pl_iform *a = pl_side_form(s, name->of, side);
  const pl_iform *b = pl_side_form(s, name->with, side);
  const pl_iform *sum = number(s, 0);
  for (int i = 0; i < (int)name->by; i++) {
    int64_t bit = (int64_t)1 << i;
    const pl_iform *both =
        pl_iform_add(pl_iform_floor(a, bit), pl_iform_floor(b, bit));
    sum = pl_iform_add(sum, pl_iform_scale(pl_iform_mod(both, 2), bit));
  }
  return sum;
}

static const pl_iform *made_form(pl_sides *s, uint32_t name, int side,
                                 int value) {
  const pl_affine_name *is = &s->names->names[name];
  if (is->kind == PL_NAME_FLOOR)
    return pl_iform_floor(pl_side_form(s, is->of, side), is->by);
  if (is->kind == PL_NAME_QUOTIENT)
    return pl_iform_div(pl_side_form(s, is->of, side), is->by);
  if (is->kind == PL_NAME_XOR && is->by <= MOST_XOR_BITS)
    return xor_form(s, is, side);
  return is->kind == PL_NAME_WRAPPED && s->tells
             ? wrapped_form(s, name, side, value)
             : free_form(s, name, side, value);
}

const pl_iform *pl_side_name(pl_sides *s, uint32_t name, int side) {
  const pl_affine_name *is = &s->names->names[name];
  if (name >= s->n)
    return NULL;
  int value = s->value_of(s, name, side);
  if (!s->forms[value][name])
    s->forms[value][name] = made_form(s, name, side, value);
  if (is->known && (s->tells >> side & 1) && !s->told[side][name]) {
    s->told[side][name] = true;
    s->set = pl_iset_and(s->set, pl_side_said(s, is->known, side));
  }
  return s->forms[value][name];
}

static const pl_iset *compared(pl_sides *s, const pl_affine *a, pl_op op,
                               int side) {
  return pl_iset_compare(pl_side_form(s, a, side), op, number(s, 0));
}

/* Of a < 0, a * times + times <= 0; of the others, a * times. */
static const pl_iset *multiplied(pl_sides *s, const pl_where *where, int side) {
  const pl_affine *product =
      pl_affine_multiply(s->names, where->of, s->times);
  if (where->op == PL_OP_NE)
    return pl_iset_all(s->integers);
  if (where->op == PL_OP_LT)
    product = pl_affine_add(s->names, product, s->times, 1);
  return compared(s, product, where->op == PL_OP_EQ ? PL_OP_EQ : PL_OP_LE, side);
}

static const pl_iset *where_set(pl_sides *s, const pl_where *where, int side,
                                bool is_said) {
  if (!where)
    return pl_iset_all(s->integers);
  if (where->op == PL_OP_LAND)
    return pl_iset_and(where_set(s, where->a, side, is_said),
                       where_set(s, where->b, side, is_said));
  if (where->op == PL_OP_LOR)
    return pl_iset_or(where_set(s, where->a, side, is_said),
                      where_set(s, where->b, side, is_said));
  const pl_iset *set = compared(s, where->of, where->op, side);
  return is_said && s->times ? pl_iset_and(set, multiplied(s, where, side)) : set;
}

const pl_iset *pl_side_where(pl_sides *s, const pl_where *where, int side) {
  return where_set(s, where, side, false);
}

const pl_iset *pl_side_said(pl_sides *s, const pl_where *where, int side) {
  return where_set(s, where, side, true);
}

static bool is_small(int64_t bound) { return bound > INT32_MIN && bound < INT32_MAX; }

/* Of a name that is within its bounds on a side, unlike one that is defined there. */
static void bound_product(pl_sides *s, uint32_t product, const pl_affine *of,
                          int side) {
  const pl_affine_name *is = &s->names->names[of->terms[0].name];
  const pl_iform *form = pl_side_name(s, product, side);
  const pl_iform *times = pl_side_form(s, s->times, side);
  if (is->kind != PL_NAME_FREE || is->known)
    return;
  if (is_small(is->range.least))
    pl_sides_require(s, form, PL_OP_GE, pl_iform_scale(times, is->range.least));
  if (is_small(is->range.largest))
    pl_sides_require(s, form, PL_OP_LE, pl_iform_scale(times, is->range.largest));
}

void pl_sides_bound_products(pl_sides *s) {
  for (uint32_t name = 0; s->times && name < s->n && name < s->names->n; name++)
    for (int side = 0; side < s->nsides; side++) {
      const pl_affine_name *is = &s->names->names[name];
      bool used = is->kind == PL_NAME_PRODUCT &&
                  s->forms[s->value_of(s, name, side)][name];
      if (used && pl_affine_equal(is->with, s->times))
        bound_product(s, name, is->of, side);
      else if (used && pl_affine_equal(is->of, s->times))
        bound_product(s, name, is->with, side);
    }
}
