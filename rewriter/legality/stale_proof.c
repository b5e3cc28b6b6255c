/* stale_proof.c - is a cell that is read, if it ever is written, written before in the
 * same iteration?
 *
 * Needs: a store and a read of a tile in any iteration, as relations. Gives: whether
 * what the store writes in any other iteration, of the cells that are read in this
 * one, it writes in this one. Raises nothing.
 *
 * A thread stores in some iteration; another one reads in this one. What may differ
 * between the two has a value of its own on each side, and so has what the first
 * thread does in this iteration. Where its guard holds there too, it has written the
 * cell again. */
#include "stale.h"

#define MOST_OPERATIONS 4000000 /* of isl, for one tile */

enum { OTHER, THIS, READ, SIDES }; /* the store in two iterations, and the read */

/* ---- which value? -------------------------------------------------------- */

/* Of all, of the iteration, of the storing thread, or of the side alone. */
static int value_of(const pl_sides *s, uint32_t name, int side) {
  bool common = pl_is_same_name(s->names, name, PL_IN_THREADS);
  bool settled = pl_is_same_name(s->names, name, PL_IN_ITERATIONS);
  if (common && (settled || side != OTHER))
    return settled ? 0 : 1;
  return settled && side != READ ? 2 : 3 + side;
}

/* ---- products ------------------------------------------------------------ */

/* How many products a name is a factor of, of those that a condition or a form has. */
static int count_in_form(const pl_affines *all, const pl_affine *form,
                         uint32_t factor) {
  int n = 0;
  for (uint32_t i = 0; i < form->n; i++) {
    const pl_affine_name *is = &all->names[form->terms[i].name];
    if (is->kind == PL_NAME_PRODUCT)
      n += is->of->terms[0].name == factor || is->with->terms[0].name == factor;
  }
  return n;
}

static int count_in_where(const pl_affines *all, const pl_where *where,
                          uint32_t factor) {
  if (!where)
    return 0;
  return where->of ? count_in_form(all, where->of, factor)
                   : count_in_where(all, where->a, factor) +
                         count_in_where(all, where->b, factor);
}

static int count_in(const pl_affines *all, const pl_seen_cell *seen,
                    uint32_t factor) {
  int n = count_in_where(all, seen->within, factor);
  for (uint32_t d = 0; d < seen->cell->n; d++)
    n += count_in_form(all, seen->index[d], factor);
  return n;
}

/* The factor that most products of both have, of those that never change; NULL: none. */
static const pl_affine *common_factor(pl_affines *all, const pl_seen_cell *store,
                                      const pl_seen_cell *read) {
  const pl_affine *found = NULL;
  int most = 0;
  for (size_t i = 0; i < all->n; i++) {
    const pl_affine_name *product = &all->names[i];
    for (int side = 0; product->kind == PL_NAME_PRODUCT && side < 2; side++) {
      const pl_affine *factor = side ? product->with : product->of;
      uint32_t name = factor->terms[0].name;
      int stored = count_in(all, store, name), used = count_in(all, read, name);
      if (!stored || !used || stored + used <= most || !pl_is_same_name(all, name, PL_IN_THREADS) ||
          !pl_is_same_name(all, name, PL_IN_ITERATIONS))
        continue;
      found = factor;
      most = stored + used;
    }
  }
  return found;
}

/* ---- the question -------------------------------------------------------- */

/* Where a condition of a store holds; in this iteration, what it asks that is so in all
 * of them or in none, as it is in another one. */
static const pl_iset *guard(pl_sides *s, const pl_where *where, int side) {
  if (where && where->op == PL_OP_LAND)
    return pl_iset_and(guard(s, where->a, side), guard(s, where->b, side));
  bool settled = where && where->of && side == THIS &&
                 pl_is_same_form(s->names, where->of, PL_IN_ITERATIONS);
  return side == THIS ? pl_side_where(s, settled ? NULL : where, side)
                      : pl_side_said(s, where, side);
}

/* Where a form is one of the first `n` numbers from zero. */
static const pl_iset *is_among(pl_sides *s, const pl_iform *form, int64_t n) {
  const pl_iform *zero = pl_iform_number(s->integers, 0);
  if (n <= 1)
    return pl_iset_compare(form, PL_OP_EQ, zero);
  return pl_iset_and(pl_iset_compare(form, PL_OP_GE, zero),
                     pl_iset_compare(form, PL_OP_LT, pl_iform_number(s->integers, n)));
}

/* One of the cells that are read at once, by the number of it. */
static const pl_iform *element(const pl_sides *s) {
  return pl_iform_name(s->integers, "element");
}

/* The last index of the cell that is read. */
static const pl_iform *read_last(pl_sides *s, const pl_seen_cell *read) {
  const pl_iform *first = pl_side_form(s, read->index[read->cell->n - 1], READ);
  return read->cell->span > 1 ? pl_iform_add(first, element(s)) : first;
}

/* Where the store is made, to the cell that is read. */
static const pl_iset *stored(pl_sides *s, const pl_seen_cell *store, int side,
                             const pl_seen_cell *read) {
  const pl_iset *set = guard(s, store->within, side);
  for (uint32_t d = 0; d < store->cell->n && d < read->cell->n; d++) {
    bool last = d + 1 == read->cell->n;
    const pl_iform *to = pl_side_form(s, store->index[d], side);
    const pl_iform *from = last ? read_last(s, read) : pl_side_form(s, read->index[d], READ);
    set = pl_iset_and(set, last && store->cell->span > 1
                               ? is_among(s, pl_iform_sub(from, to), store->cell->span)
                               : pl_iset_compare(to, PL_OP_EQ, from));
  }
  return set;
}

/* Whether all cells of an access are of the row that it names. */
static bool stays_in_row(pl_sides *s, const pl_seen_cell *seen, int side,
                         const pl_iset *where) {
  if (seen->cell->span <= 1 || !seen->bound)
    return seen->cell->span <= 1 || seen->cell->n == 1;
  const pl_iform *first = pl_side_form(s, seen->index[seen->cell->n - 1], side);
  const pl_iform *end = pl_iform_add(first, pl_iform_number(s->integers, seen->cell->span));
  where = pl_iset_and(s->set, where);
  return pl_iset_is_subset(where, pl_iset_compare(end, PL_OP_LE,
                                                  pl_side_form(s, seen->bound, side))) == PL_YES &&
         pl_iset_is_subset(where, pl_iset_compare(first, PL_OP_GE,
                                                  pl_iform_number(s->integers, 0))) == PL_YES;
}

static int statement_of(const pl_loop *loop, const pl_node *node) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if (pl_node_within(node, loop->stmts[i].node))
      return (int)i;
  return -1;
}

static bool comes_before(const pl_loop *loop, const pl_node *store,
                         const pl_node *read) {
  int first = statement_of(loop, store);
  return first >= 0 && first < statement_of(loop, read);
}

/* Whether the cell has been written again, for what `factor`, if there is one, may be:
 * `sign` 0. Where that is not negative, what is said is said of its multiples, too. */
static bool is_again(pl_freshness *f, const pl_seen_cell *store,
                     const pl_seen_cell *read, const pl_affine *factor,
                     pl_op sign) {
  pl_sides s = {.names = &f->of->names, .integers = f->integers,
                .value_of = value_of, .nsides = SIDES, .nvalues = 3 + SIDES,
                .tells = 1 << THIS | 1 << READ,
                .times = sign == PL_OP_GE ? factor : NULL};
  pl_sides_begin(&s);
  if (factor)
    pl_sides_require(&s, pl_side_form(&s, factor, READ), sign,
                     pl_iform_number(s.integers, 0));
  const pl_iset *other = stored(&s, store, OTHER, read);
  const pl_iset *here = pl_side_said(&s, read->within, READ);
  const pl_iset *again = stored(&s, store, THIS, read);
  pl_sides_bound_products(&s);
  if (read->cell->span > 1)
    here = pl_iset_and(here, is_among(&s, element(&s), read->cell->span));
  if (!stays_in_row(&s, store, OTHER, guard(&s, store->within, OTHER)) ||
      !stays_in_row(&s, read, READ, here))
    return false;
  s.set = pl_iset_and(s.set, pl_iset_and(other, here));
  return pl_iset_is_subset(s.set, again) == PL_YES;
}

bool pl_is_fresh(pl_freshness *f, const pl_seen_cell *store,
                 const pl_seen_cell *read) {
  pl_affines *names = &f->of->names;
  if (!comes_before(f->of->loop, store->cell->node, read->cell->node))
    return false;
  if (!f->integers)
    f->integers = pl_integers_new(names->arena, MOST_OPERATIONS);
  if (is_again(f, store, read, NULL, PL_OP_GE))
    return true;
  const pl_affine *factor = common_factor(names, store, read);
  return factor && is_again(f, store, read, factor, PL_OP_LT) &&
         is_again(f, store, read, factor, PL_OP_GE);
}
