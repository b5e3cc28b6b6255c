/* stale_sums.c - does a sum that is not negative follow from others that are not?
 *
 * Needs: sums, and which of their names still have the value of back then. Gives:
 * whether one is made of some others, each taken a number of times or as often as
 * a name that is not negative says. Raises nothing.
 *
 * `3 * m - 3 * j - 1` is not negative where m - j - 1 is none: three times that, and
 * two. Of `m * w - j * w - c - 1` one part is w times m - j - 1, the other w - c - 1. */
#include "copies.h"
#include "stale.h"

#define MOST_STEPS 4      /* facts that are taken one after the other */
#define MOST_TIMES 65536  /* a fact is taken at once */

typedef struct sum_proof {
  pl_loop *loop;
  const pl_linear *facts; /* none is negative */
  size_t n;
  const pl_node *at; /* where the names have to have their values */
} sum_proof;

static bool follows(const sum_proof *p, const pl_linear *wanted, int steps);

/* The other factor of a product that has this one; NULL: it is none. Unsigned ones
 * may wrap. */
static const pl_node *other_factor(const pl_loop *loop, const pl_node *product,
                                   const pl_node *factor) {
  if (product->kind != PL_NODE_BINARY || product->op != PL_OP_MUL ||
      product->type->is_unsigned)
    return NULL;
  for (int i = 0; i < 2; i++)
    if (pl_same_atom(loop, product->kids[i], factor))
      return pl_node_bare(product->kids[!i]);
  return NULL;
}

/* Takes a number of times from a sum what a fact is when it is multiplied by a
 * value; false: there is a product in it that the sum does not have. */
static bool take_product(const sum_proof *p, const pl_linear *fact,
                         const pl_linear *by_sum, const pl_node *by,
                         int64_t times, pl_linear *from) {
  const pl_linear whole = *from;
  for (int i = 0; i < fact->n; i++) {
    const pl_term *term = &fact->terms[i];
    int found = 0;
    while (found < whole.n) {
      const pl_node *other =
          other_factor(p->loop, whole.terms[found].atom, term->atom);
      if (other && pl_same_atom(p->loop, other, by))
        break;
      found++;
    }
    if (found == whole.n)
      return false;
    pl_linear product = {.terms = {whole.terms[found]}, .n = 1, .known = true};
    product.terms[0].by = term->by;
    pl_linear_add(p->loop, from, &product, -times);
  }
  pl_linear_add(p->loop, from, by_sum, -times * fact->constant);
  return from->known;
}

/* How many times a fact has to be taken so that a term of a sum is gone; 0: that
 * cannot be. */
static int64_t times_of(int64_t wanted, int64_t has) {
  bool fits = has && (wanted > 0) == (has > 0) && wanted % has == 0;
  return fits && wanted / has <= MOST_TIMES ? wanted / has : 0;
}

/* A term that is a product goes where a fact has one of its factors, and the other
 * one is not negative. */
static bool follows_by_product(const sum_proof *p, const pl_linear *wanted,
                               const pl_linear *fact, int steps) {
  const pl_term *term = &wanted->terms[0];
  for (int i = 0; i < fact->n; i++) {
    const pl_node *by = other_factor(p->loop, term->atom, fact->terms[i].atom);
    int64_t times = times_of(term->by, fact->terms[i].by);
    if (!by || !times)
      continue;
    pl_linear by_sum = pl_linear_of(p->loop, by, term->place), rest = *wanted;
    if (by_sum.known && !by_sum.wraps && pl_all_stay(p->loop, &by_sum, p->at) &&
        take_product(p, fact, &by_sum, by, times, &rest) &&
        (pl_not_negative(p->loop, by) || follows(p, &by_sum, steps - 1)) &&
        follows(p, &rest, steps - 1))
      return true;
  }
  return false;
}

static bool follows(const sum_proof *p, const pl_linear *wanted, int steps) {
  if (!wanted->known || !wanted->n)
    return wanted->known && wanted->constant >= 0;
  for (size_t i = 0; steps > 0 && i < p->n; i++) {
    const pl_linear *fact = &p->facts[i];
    int64_t times = times_of(wanted->terms[0].by,
                             pl_linear_count(p->loop, fact,
                                             wanted->terms[0].atom));
    pl_linear rest = *wanted;
    if (times)
      pl_linear_add(p->loop, &rest, fact, -times);
    if ((times && follows(p, &rest, steps - 1)) ||
        follows_by_product(p, wanted, fact, steps))
      return true;
  }
  return false;
}

bool pl_sum_follows(pl_loop *loop, const pl_linear *wanted,
                    const pl_linear *facts, size_t n, const pl_node *at) {
  return follows(&(sum_proof){loop, facts, n, at}, wanted, MOST_STEPS);
}
