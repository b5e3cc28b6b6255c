/* affine.c - arithmetic of quasi-affine forms.
 *
 * Needs: nothing but forms and bounds. Gives: their sums, products by numbers,
 * rounded quotients and bounds; a new name for what no form can hold. Raises:
 * nothing. */
#include "affine.h"

#define MOST_TERMS 12
#define MOST_CROSS_TERMS 9 /* of a product */

/* ---- forms --------------------------------------------------------------- */

static pl_affine *new_form(pl_affines *all, uint32_t terms) {
  return pl_arena_alloc(all->arena,
                        sizeof(pl_affine) + terms * sizeof(pl_affine_term));
}

static const pl_affine *form_of_name(pl_affines *all, size_t name) {
  pl_affine *form = new_form(all, 1);
  form->n = 1;
  form->terms[0] = (pl_affine_term){(uint32_t)name, 1};
  return form;
}

/* ---- bounds -------------------------------------------------------------- */

static int64_t clamped(__int128 value) {
  return value > PL_UNBOUNDED    ? PL_UNBOUNDED
         : value < -PL_UNBOUNDED ? -PL_UNBOUNDED
                                 : (int64_t)value;
}

static bool is_open(int64_t bound) {
  return bound >= PL_UNBOUNDED || bound <= -PL_UNBOUNDED;
}

/* A bound times a number; what is open stays so. */
static int64_t bound_times(int64_t bound, int64_t by) {
  if (is_open(bound) && by)
    return (bound > 0) == (by > 0) ? PL_UNBOUNDED : -PL_UNBOUNDED;
  return clamped((__int128)bound * by);
}

static int64_t bound_sum(int64_t a, int64_t b) {
  return is_open(a) ? a : is_open(b) ? b : clamped((__int128)a + b);
}

static int64_t floor_of(int64_t a, int64_t by) {
  return a / by - (a % by < 0);
}

static pl_interval times(pl_interval range, int64_t by) {
  int64_t a = bound_times(range.least, by), b = bound_times(range.largest, by);
  return a < b ? (pl_interval){a, b} : (pl_interval){b, a};
}

static pl_interval product_of(pl_interval a, pl_interval b) {
  pl_interval low = times(b, a.least), high = times(b, a.largest);
  return (pl_interval){low.least < high.least ? low.least : high.least,
                       low.largest > high.largest ? low.largest : high.largest};
}

static pl_interval sum_of(pl_interval a, pl_interval b) {
  return (pl_interval){bound_sum(a.least, b.least),
                       bound_sum(a.largest, b.largest)};
}

/* Term by term. */
static pl_interval plain_range(const pl_affines *all, const pl_affine *a) {
  pl_interval sum = {clamped(a->constant), clamped(a->constant)};
  for (uint32_t i = 0; i < a->n; i++)
    sum = sum_of(sum, times(all->names[a->terms[i].name].range,
                            a->terms[i].by));
  return sum;
}

/* What a division by a number leaves. */
static pl_interval remainder_range(const pl_affine_name *quotient) {
  return (pl_interval){quotient->kind == PL_NAME_FLOOR ? 0 : 1 - quotient->by,
                       quotient->by - 1};
}

/* The sum without as many remainders as one of its quotients allows, x - 8 * (x / 8):
 * term by term, that could be anything. False: it has no quotient of the kind. */
static bool without_remainder(pl_affines *all, const pl_affine *a,
                              const pl_affine_term *term,
                              const pl_affine **left, pl_interval *removed) {
  const pl_affine_name *name = &all->names[term->name];
  bool divides = (name->kind == PL_NAME_FLOOR ||
                  name->kind == PL_NAME_QUOTIENT) &&
                 term->by % name->by == 0;
  if (!divides || term->by <= -PL_UNBOUNDED)
    return false;
  int64_t remainders = -(term->by / name->by);
  *removed = times(remainder_range(name), remainders);
  const pl_affine *quotient = form_of_name(all, term->name);
  *left = pl_affine_add(all, pl_affine_add(all, a, name->of, -remainders),
                        quotient, -term->by);
  return true;
}

/* The same of x - n * (x / n), where x is not negative and n is positive. */
static bool without_rest(pl_affines *all, const pl_affine *a, const pl_affine_term *term,
                         const pl_affine **left, pl_interval *removed) {
  const pl_affine_name *product = &all->names[term->name];
  for (int side = 0; side < 2 && product->kind == PL_NAME_PRODUCT; side++) {
    const pl_affine *part = side ? product->with : product->of;
    const pl_affine *other = side ? product->of : product->with;
    const pl_affine_name *ratio = &all->names[part->terms[0].name];
    if (ratio->kind != PL_NAME_RATIO || !pl_affine_equal(ratio->with, other))
      continue;
    pl_interval of = pl_affine_range(all, ratio->of), with = pl_affine_range(all, other);
    int64_t most = with.largest - 1 < of.largest ? with.largest - 1 : of.largest;
    if (of.least < 0 || with.least < 1)
      return false;
    *removed = times((pl_interval){0, most}, -term->by);
    *left = pl_affine_add(all, a, ratio->of, term->by);
    *left = pl_affine_add(all, *left, form_of_name(all, term->name), -term->by);
    return true;
  }
  return false;
}

static pl_interval range_within(pl_affines *all, const pl_affine *a,
                                int remainders) {
  pl_interval range = plain_range(all, a), removed;
  const pl_affine *left;
  for (uint32_t i = 0; remainders && a->n > 1 && i < a->n; i++) {
    if (!without_remainder(all, a, &a->terms[i], &left, &removed) &&
        !without_rest(all, a, &a->terms[i], &left, &removed))
      continue;
    pl_interval other = sum_of(range_within(all, left, remainders - 1), removed);
    range.least = other.least > range.least ? other.least : range.least;
    range.largest =
        other.largest < range.largest ? other.largest : range.largest;
  }
  return range;
}

pl_interval pl_affine_range(pl_affines *all, const pl_affine *a) {
  return range_within(all, a, 2);
}

/* ---- names --------------------------------------------------------------- */

static const pl_affine *add_name(pl_affines *all, pl_affine_name name) {
  PL_PUSH(all->arena, all->names, all->n, all->cap, name);
  return form_of_name(all, all->n - 1);
}

static bool same_part(const pl_affine *a, const pl_affine *b) {
  return a == b || (a && b && pl_affine_equal(a, b));
}

/* The name of what is made of forms. */
static const pl_affine *made_name(pl_affines *all, pl_affine_name name) {
  for (size_t i = 0; i < all->n; i++) {
    const pl_affine_name *at = &all->names[i];
    if (at->kind == name.kind && at->by == name.by &&
        same_part(at->of, name.of) && same_part(at->with, name.with))
      return form_of_name(all, i);
  }
  return add_name(all, name);
}

const pl_affine *pl_affine_free(pl_affines *all, pl_interval range,
                                const pl_turns *turns) {
  return add_name(all, (pl_affine_name){.range = range, .turns = turns});
}

static const pl_turns *inner_of(const pl_turns *a, const pl_turns *b) {
  return !a || (b && b->depth > a->depth) ? b : a;
}

const pl_turns *pl_affine_turns(const pl_affines *all, const pl_affine *a) {
  const pl_turns *turns = NULL;
  for (uint32_t i = 0; i < a->n; i++)
    turns = inner_of(turns, all->names[a->terms[i].name].turns);
  return turns;
}

/* Some number, which two forms decide. */
static const pl_affine *anything(pl_affines *all, const pl_affine *a,
                                 const pl_affine *b) {
  return pl_affine_free(
      all, (pl_interval){-PL_UNBOUNDED, PL_UNBOUNDED},
      inner_of(pl_affine_turns(all, a), pl_affine_turns(all, b)));
}

/* What is left of a number, as small as can be. */
static int64_t residue(int64_t value, int64_t modulus) {
  int64_t rest = value % modulus;
  return rest > modulus / 2    ? rest - modulus
         : rest < -modulus / 2 ? rest + modulus
                               : rest;
}

/* ---- sums ---------------------------------------------------------------- */

const pl_affine *pl_affine_number(pl_affines *all, int64_t value) {
  pl_affine *form = new_form(all, 0);
  form->constant = value;
  return form;
}

bool pl_affine_is_number(const pl_affine *a) { return a->n == 0; }

bool pl_affine_equal(const pl_affine *a, const pl_affine *b) {
  if (a->n != b->n || a->constant != b->constant)
    return false;
  for (uint32_t i = 0; i < a->n; i++)
    if (a->terms[i].name != b->terms[i].name || a->terms[i].by != b->terms[i].by)
      return false;
  return true;
}

bool pl_affine_divides(const pl_affine *a, int64_t by) {
  if (a->constant % by)
    return false;
  for (uint32_t i = 0; i < a->n; i++)
    if (a->terms[i].by % by)
      return false;
  return true;
}

/* Adds `by` times a number to a number; false: it is too large for one. */
static bool add_times(int64_t *to, int64_t what, int64_t by) {
  int64_t part;
  return !__builtin_mul_overflow(what, by, &part) &&
         !__builtin_add_overflow(*to, part, to) && !is_open(*to);
}

/* The next term of a + by * b, whose names are in order. */
static bool next_term(const pl_affine *a, const pl_affine *b, int64_t by,
                      uint32_t *i, uint32_t *k, pl_affine_term *term) {
  bool left = *i < a->n && (*k >= b->n || a->terms[*i].name <= b->terms[*k].name);
  bool right = *k < b->n && (*i >= a->n || b->terms[*k].name <= a->terms[*i].name);
  *term = left ? a->terms[*i] : (pl_affine_term){b->terms[*k].name, 0};
  bool fits = !right || add_times(&term->by, b->terms[*k].by, by);
  *i += left;
  *k += right;
  return fits;
}

const pl_affine *pl_affine_add(pl_affines *all, const pl_affine *a,
                               const pl_affine *b, int64_t by) {
  pl_affine *sum = new_form(all, a->n + b->n);
  sum->constant = a->constant;
  bool fits = add_times(&sum->constant, b->constant, by);
  for (uint32_t i = 0, k = 0; fits && (i < a->n || k < b->n);) {
    fits = next_term(a, b, by, &i, &k, &sum->terms[sum->n]);
    sum->n += sum->terms[sum->n].by != 0;
  }
  return fits && sum->n <= MOST_TERMS ? sum : anything(all, a, b);
}

const pl_affine *pl_affine_residue(pl_affines *all, const pl_affine *a,
                                   int64_t modulus) {
  pl_affine *made = new_form(all, a->n);
  made->constant = residue(a->constant, modulus);
  for (uint32_t i = 0; i < a->n; i++) {
    int64_t by = residue(a->terms[i].by, modulus);
    if (by)
      made->terms[made->n++] = (pl_affine_term){a->terms[i].name, by};
  }
  return made;
}

/* ---- products ------------------------------------------------------------ */

static const pl_affine *scaled(pl_affines *all, const pl_affine *a, int64_t by) {
  return pl_affine_add(all, pl_affine_number(all, 0), a, by);
}

static const pl_affine *product_of_names(pl_affines *all, uint32_t a,
                                         uint32_t b) {
  const pl_affine_name *left = &all->names[a], *right = &all->names[b];
  pl_affine_name made = {.kind = PL_NAME_PRODUCT,
                         .of = form_of_name(all, a < b ? a : b),
                         .with = form_of_name(all, a < b ? b : a),
                         .range = product_of(left->range, right->range),
                         .turns = inner_of(left->turns, right->turns)};
  return made_name(all, made);
}

bool pl_is_product_of(const pl_affines *all, const pl_affine *form, const pl_affine *a,
                      const pl_affine *b) {
  const pl_affine_name *at = form->n == 1 ? &all->names[form->terms[0].name] : NULL;
  return at && !form->constant && form->terms[0].by == 1 && at->kind == PL_NAME_PRODUCT &&
         ((pl_affine_equal(at->of, a) && pl_affine_equal(at->with, b)) ||
          (pl_affine_equal(at->of, b) && pl_affine_equal(at->with, a)));
}

/* All terms of one times all of the other. */
static const pl_affine *distributed(pl_affines *all, const pl_affine *a,
                                    const pl_affine *b) {
  const pl_affine *sum = scaled(all, b, a->constant);
  for (uint32_t i = 0; i < a->n; i++) {
    const pl_affine *name = form_of_name(all, a->terms[i].name);
    int64_t by = a->terms[i].by, number;
    if (__builtin_mul_overflow(by, b->constant, &number))
      return anything(all, a, b);
    sum = pl_affine_add(all, sum, name, number);
    for (uint32_t k = 0; k < b->n; k++) {
      if (__builtin_mul_overflow(by, b->terms[k].by, &number))
        return anything(all, a, b);
      sum = pl_affine_add(
          all, sum,
          product_of_names(all, a->terms[i].name, b->terms[k].name), number);
    }
  }
  return sum;
}

const pl_affine *pl_affine_multiply(pl_affines *all, const pl_affine *a,
                                    const pl_affine *b) {
  if (pl_affine_is_number(a))
    return scaled(all, b, a->constant);
  if (pl_affine_is_number(b))
    return scaled(all, a, b->constant);
  return a->n * b->n <= MOST_CROSS_TERMS ? distributed(all, a, b)
                                         : anything(all, a, b);
}

/* ---- quotients ----------------------------------------------------------- */

/* Splits a form into `by` times the result, and what is left of it. */
static const pl_affine *whole_part(pl_affines *all, const pl_affine *a,
                                   int64_t by, const pl_affine **left) {
  pl_affine *whole = new_form(all, a->n), *rest = new_form(all, a->n);
  whole->constant = floor_of(a->constant, by);
  rest->constant = a->constant - by * whole->constant;
  for (uint32_t i = 0; i < a->n; i++) {
    pl_affine_term term = a->terms[i];
    int64_t over = residue(term.by, by), times = (term.by - over) / by;
    if (times)
      whole->terms[whole->n++] = (pl_affine_term){term.name, times};
    if (over)
      rest->terms[rest->n++] = (pl_affine_term){term.name, over};
  }
  *left = rest;
  return whole;
}

/* The quotient that a form is, and nothing else; NULL: it is none. */
static const pl_affine_name *as_floor(const pl_affines *all, const pl_affine *a) {
  const pl_affine_name *name = a->n == 1 ? &all->names[a->terms[0].name] : NULL;
  return name && !a->constant && a->terms[0].by == 1 &&
                 name->kind == PL_NAME_FLOOR
             ? name
             : NULL;
}

static pl_interval floor_range(pl_interval range, int64_t by) {
  return (pl_interval){
      is_open(range.least) ? range.least : floor_of(range.least, by),
      is_open(range.largest) ? range.largest : floor_of(range.largest, by)};
}

const pl_affine *pl_affine_floor(pl_affines *all, const pl_affine *a,
                                 int64_t by) {
  const pl_affine *left, *whole = whole_part(all, a, by, &left);
  pl_interval range = floor_range(pl_affine_range(all, left), by);
  if (range.least == range.largest && !is_open(range.least))
    return pl_affine_add(all, whole, pl_affine_number(all, range.least), 1);
  const pl_affine_name *inner = as_floor(all, left);
  int64_t both;
  if (inner && !__builtin_mul_overflow(inner->by, by, &both))
    return pl_affine_add(all, whole, pl_affine_floor(all, inner->of, both), 1);
  pl_affine_name made = {.kind = PL_NAME_FLOOR, .of = left, .by = by,
                         .range = range, .turns = pl_affine_turns(all, left)};
  return pl_affine_add(all, whole, made_name(all, made), 1);
}

const pl_affine *pl_affine_modulo(pl_affines *all, const pl_affine *a,
                                  int64_t by) {
  const pl_affine *left;
  whole_part(all, a, by, &left);
  return pl_affine_add(all, left, pl_affine_floor(all, left, by), -by);
}

const pl_affine *pl_affine_quotient(pl_affines *all, const pl_affine *a,
                                    int64_t by) {
  pl_interval range = pl_affine_range(all, a);
  if (range.least >= 0)
    return pl_affine_floor(all, a, by);
  pl_affine_name made = {.kind = PL_NAME_QUOTIENT, .of = a, .by = by,
                         .turns = pl_affine_turns(all, a)};
  made.range = (pl_interval){
      is_open(range.least) ? range.least : range.least / by,
      is_open(range.largest) ? range.largest : range.largest / by};
  return made_name(all, made);
}

const pl_affine *pl_affine_ratio(pl_affines *all, const pl_affine *a,
                                 const pl_affine *by) {
  pl_interval of = pl_affine_range(all, a), with = pl_affine_range(all, by);
  pl_affine_name made = {.kind = PL_NAME_RATIO, .of = a, .with = by,
                         .range = {-PL_UNBOUNDED, PL_UNBOUNDED}};
  if (of.least >= 0 && with.least > 0)
    made.range = (pl_interval){0, of.largest};
  made.turns = inner_of(pl_affine_turns(all, a), pl_affine_turns(all, by));
  return made_name(all, made);
}

const pl_affine *pl_affine_wrapped(pl_affines *all, const pl_affine *a,
                                   bool is_unsigned) {
  return made_name(
      all, (pl_affine_name){.kind = PL_NAME_WRAPPED, .of = a, .by = !is_unsigned,
                            .range = {is_unsigned ? 0 : -PL_UNBOUNDED, PL_UNBOUNDED},
                            .turns = pl_affine_turns(all, a)});
}

/* The bits above those of `b` stay. */
const pl_affine *pl_affine_xor(pl_affines *all, const pl_affine *a,
                               const pl_affine *b, int bits) {
  const pl_affine *low = pl_affine_modulo(all, a, (int64_t)1 << bits);
  pl_affine_name made = {.kind = PL_NAME_XOR, .of = low, .with = b, .by = bits,
                         .range = {0, ((int64_t)1 << bits) - 1}};
  made.turns = inner_of(pl_affine_turns(all, low), pl_affine_turns(all, b));
  return pl_affine_add(all, pl_affine_add(all, a, low, -1),
                       made_name(all, made), 1);
}
