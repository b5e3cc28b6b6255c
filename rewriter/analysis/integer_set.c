/* integer_set.c - sets of integers, by isl.
 *
 * Needs: nothing but names and numbers. Gives: forms and sets, and answers
 * about them, unknown where isl's budget is spent. Raises: nothing.
 *
 * What was asked once is kept: the same question of the same handles has the same
 * handle for its answer, so that all that is made of it is found again, too. A sum of
 * names and a number has one handle, however it came to be; the sums that a comparison
 * says the same of are one question; and isl is not asked for what a sum says.
 *
 * The only file that includes isl. A name is a parameter of isl's, which aligns those
 * of two objects by themselves. isl takes what it is handed and gives NULL where
 * anything failed: each handle keeps its own object, and hands out copies. */
#include "integer_set.h"

#include "integer_sum.h"

#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/id.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include <string.h>

struct pl_iform {
  pl_integers *of;
  isl_pw_aff *isl; /* of a sum: NULL until it is needed */
  const pl_isum *sum; /* NULL: it is more than that */
  const pl_iset *within; /* where it is a number; NULL: everywhere */
  const pl_iform *as_zero; /* zero where it is, and simpler; NULL: it has none */
  const pl_iform *rest_of; /* what that leaves, divided `by`; NULL: it is not that */
  int64_t by;
  pl_iform *before; /* made before it */
};

/* Of forms of many pieces it takes less time to compare what is left of them in the set
 * that the comparison is asked in: till then it waits. */
struct pl_iset {
  pl_integers *of;
  isl_set *isl; /* of a comparison: NULL until it is needed */
  const pl_iform *a, *b; /* of a comparison */
  pl_op op;
  const pl_isum *sum; /* of what is zero there, or not, or not negative (`sign`); NULL: of more */
  pl_op sign;
  const pl_iset *in[2], *apart; /* what it was made a part of, and without what; NULL: nothing */
  size_t seen[2]; /* mark */
  pl_iset *before;
};

/* Two questions are one where all of these are. ASKED_WORD: where the one copy of a name
 * is; ASKED_SUM: of a sum. */
typedef enum asked {
  ASKED_NOTHING, ASKED_WORD, ASKED_SUM,
  ASKED_ADD, ASKED_SUB, ASKED_SCALE, ASKED_FLOOR, ASKED_MOD,
  ASKED_DIV, ASKED_REM, ASKED_CHOOSE, ASKED_WITHIN, ASKED_FORM_RENAMED,
  ASKED_SIGN, ASKED_COMPARE, ASKED_AND, ASKED_OR, ASKED_MINUS, ASKED_SET_RENAMED,
  ASKED_JOINED, ASKED_SET_WITHIN, ASKED_PROJECT, ASKED_EMPTY, ASKED_SUBSET
} asked;

typedef struct question {
  asked what;
  const void *a, *b, *c;
  int64_t n;
} question;

typedef struct kept_answer {
  question of;
  const void *handle; /* NULL: there was none */
  pl_answer answer;
} kept_answer;

struct pl_integers {
  pl_arena *arena;
  isl_ctx *isl;
  kept_answer *kept; /* open addressing; nslots is a power of two */
  size_t nkept, nslots;
  size_t marks; /* the last one */
  pl_iform *forms; /* the last ones made */
  pl_iset *sets;
  const pl_iset *plain[2]; /* of nothing, and of all; NULL: not made yet */
};

pl_integers *pl_integers_new(pl_arena *arena, unsigned long operations) {
  pl_integers *made = PL_NEW(arena, pl_integers);
  made->arena = arena;
  made->isl = isl_ctx_alloc();
  if (!made->isl)
    return NULL;
  isl_options_set_on_error(made->isl, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(made->isl, operations);
  return made;
}

void pl_integers_free(pl_integers *integers) {
  if (!integers)
    return;
  for (pl_iform *at = integers->forms; at; at = at->before)
    isl_pw_aff_free(at->isl);
  for (pl_iset *at = integers->sets; at; at = at->before)
    isl_set_free(at->isl);
  isl_ctx_free(integers->isl);
}

void pl_integers_again(pl_integers *integers, unsigned long operations) {
  isl_ctx_reset_error(integers->isl);
  isl_ctx_reset_operations(integers->isl);
  isl_ctx_set_max_operations(integers->isl, operations);
}

size_t pl_integers_kept(const pl_integers *integers) { return integers->nkept; }

bool pl_integers_spent(const pl_integers *integers) {
  return !integers || isl_ctx_last_error(integers->isl) == isl_error_quota;
}

/* ---- what was asked --------------------------------------------------------- */

static size_t hash_of(const question *q) {
  const uint64_t parts[] = {(uint64_t)q->what, (uint64_t)(uintptr_t)q->a,
                            (uint64_t)(uintptr_t)q->b, (uint64_t)(uintptr_t)q->c,
                            (uint64_t)q->n};
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    hash = (hash ^ parts[i] ^ parts[i] >> 29) * 1099511628211u;
  return (size_t)(hash ^ hash >> 32);
}

static bool is_one(const question *a, const question *b) {
  return a->what == b->what && a->a == b->a && a->b == b->b && a->c == b->c &&
         a->n == b->n;
}

static kept_answer *slot_of(const pl_integers *of, const question *q) {
  size_t i = hash_of(q) & (of->nslots - 1);
  while (of->kept[i].of.what != ASKED_NOTHING && !is_one(&of->kept[i].of, q))
    i = (i + 1) & (of->nslots - 1);
  return &of->kept[i];
}

static void make_room(pl_integers *of) {
  kept_answer *before = of->kept;
  size_t n = of->nslots;
  if (of->nkept * 2 < n)
    return;
  of->nslots = n ? n * 2 : 256;
  of->kept = PL_NEW_ARRAY(of->arena, kept_answer, of->nslots);
  for (size_t i = 0; i < n; i++)
    if (before[i].of.what != ASKED_NOTHING)
      *slot_of(of, &before[i].of) = before[i];
}

/* NULL: it was not asked, or nothing came of it. */
static const kept_answer *found_again(const pl_integers *of, question q) {
  const kept_answer *slot = of->nslots ? slot_of(of, &q) : NULL;
  return slot && slot->of.what != ASKED_NOTHING ? slot : NULL;
}

static void keep_answer(pl_integers *of, question q, const void *handle,
                        pl_answer answer) {
  make_room(of);
  kept_answer *slot = slot_of(of, &q);
  of->nkept += slot->of.what == ASKED_NOTHING;
  *slot = (kept_answer){q, handle, answer};
}

/* The one copy of a name. */
static const char *own_name(pl_integers *of, const char *name) {
  question q = {.what = ASKED_WORD};
  for (const char *c = name; *c; c++)
    q.n = (int32_t)((uint32_t)q.n * 31 + (unsigned char)*c);
  for (const kept_answer *kept; (kept = found_again(of, q)); q.n++)
    if (strcmp(kept->handle, name) == 0)
      return kept->handle;
  pl_str made = pl_arena_str(of->arena, name, strlen(name));
  keep_answer(of, q, made.p, PL_YES);
  return made.p;
}


static pl_answer answer(isl_bool said) {
  return said == isl_bool_error ? PL_UNKNOWN : said ? PL_YES : PL_NO;
}

/* ---- sums ------------------------------------------------------------------ */

static isl_pw_aff *isl_of_sum(const pl_integers *of, const pl_isum *sum) {
  isl_space *space = isl_space_params_alloc(of->isl, (unsigned)sum->n);
  for (size_t i = 0; i < sum->n; i++)
    space = isl_space_set_dim_id(space, isl_dim_param, (unsigned)i,
                                 isl_id_alloc(of->isl, sum->terms[i].name, NULL));
  isl_aff *aff = isl_aff_zero_on_domain(isl_local_space_from_space(space));
  aff = isl_aff_set_constant_val(aff, isl_val_int_from_si(of->isl, sum->constant));
  for (size_t i = 0; i < sum->n; i++)
    aff = isl_aff_set_coefficient_val(aff, isl_dim_param, (int)i,
                                      isl_val_int_from_si(of->isl, sum->terms[i].by));
  return isl_pw_aff_from_aff(aff);
}

static isl_pw_aff *form_of(const pl_iform *form) {
  pl_iform *own = (pl_iform *)form;
  if (!own->isl)
    own->isl = isl_of_sum(own->of, own->sum);
  return isl_pw_aff_copy(own->isl);
}

/* The one form of a sum. */
static const pl_iform *form_of_sum(pl_integers *of, const pl_isum *sum) {
  if (!sum)
    return NULL;
  question q = {.what = ASKED_SUM, .n = pl_isum_hash(sum)};
  for (const kept_answer *kept; (kept = found_again(of, q)); q.n++)
    if (pl_isum_equal(((const pl_iform *)kept->handle)->sum, sum))
      return kept->handle;
  pl_iform *made = PL_NEW(of->arena, pl_iform);
  *made = (pl_iform){.of = of, .sum = sum, .before = of->forms};
  keep_answer(of, q, made, PL_YES);
  return of->forms = made;
}

/* A number of isl's, if eight bytes hold it; false: they do not. */
static bool take_number(isl_val *value, int64_t *number) {
  bool fits = isl_val_is_int(value) == isl_bool_true && isl_val_n_abs_num_chunks(value, 4) <= 1;
  *number = fits ? isl_val_get_num_si(value) : 0;
  isl_val_free(value);
  return fits;
}

/* What isl has found to be no more than a sum of numbers below 1 << 32; NULL: it is more. Takes
 * it. */
static const pl_isum *sum_of_aff(pl_integers *of, isl_aff *aff) {
  int64_t number = 0;
  unsigned divisions = (unsigned)isl_aff_dim(aff, isl_dim_div);
  bool is_sum = isl_aff_involves_dims(aff, isl_dim_div, 0, divisions) == isl_bool_false &&
                take_number(isl_aff_get_constant_val(aff), &number);
  const pl_isum *sum = is_sum ? pl_isum_of(of->arena, "", 0, number) : NULL;
  for (isl_size i = 0; sum && i < isl_aff_dim(aff, isl_dim_param); i++) {
    const char *name = isl_aff_get_dim_name(aff, isl_dim_param, (unsigned)i);
    sum = take_number(isl_aff_get_coefficient_val(aff, isl_dim_param, i), &number)
              ? pl_isum_add(of->arena, sum, pl_isum_of(of->arena, own_name(of, name), number, 0), 1)
              : NULL;
  }
  isl_aff_free(aff);
  return sum;
}

/* ... all of it, in one piece. */
static isl_aff *only_piece(isl_pw_aff *isl) {
  return isl_pw_aff_isa_aff(isl) == isl_bool_true ? isl_pw_aff_as_aff(isl_pw_aff_copy(isl))
                                                  : NULL;
}

static const pl_isum *sum_of_isl(pl_integers *of, isl_pw_aff *isl) {
  isl_aff *aff = only_piece(isl);
  return aff ? sum_of_aff(of, aff) : NULL;
}

/* ---- comparisons ------------------------------------------------------------- */

static bool compare_numbers(int64_t a, pl_op op, int64_t b) {
  switch (op) {
  case PL_OP_LT: return a < b;
  case PL_OP_LE: return a <= b;
  case PL_OP_GT: return a > b;
  case PL_OP_GE: return a >= b;
  case PL_OP_EQ: return a == b;
  default: return a != b;
  }
}

static isl_set *compare_affine(isl_aff *a, pl_op op, isl_aff *b) {
  switch (op) {
  case PL_OP_LT:
    return isl_aff_lt_set(a, b);
  case PL_OP_LE:
    return isl_aff_le_set(a, b);
  case PL_OP_GT:
    return isl_aff_gt_set(a, b);
  case PL_OP_GE:
    return isl_aff_ge_set(a, b);
  case PL_OP_EQ:
    return isl_aff_eq_set(a, b);
  default:
    return isl_aff_ne_set(a, b);
  }
}

/* Piece by piece: isl's own of two forms makes one of their difference first, and
 * simplifies that. */
typedef struct comparison {
  pl_op op;
  isl_pw_aff *b; /* not its own, as all below but `found` */
  isl_set *in;
  isl_set *where; /* a piece of the first form, in that */
  isl_aff *is;
  isl_set *found;
} comparison;

/* Two pieces whose difference is a number are compared all over, or nowhere. */
static isl_set *compare_in(isl_set *both, isl_aff *a, pl_op op, isl_aff *b) {
  isl_aff *apart = isl_aff_sub(isl_aff_copy(a), isl_aff_copy(b));
  isl_val *by = isl_aff_is_cst(apart) == isl_bool_true ? isl_aff_get_constant_val(apart) : NULL;
  int sign = by ? isl_val_sgn(by) : 0;
  isl_aff_free(apart);
  isl_val_free(by);
  if (!by)
    return isl_set_intersect(both, compare_affine(isl_aff_copy(a), op, isl_aff_copy(b)));
  if (compare_numbers(sign, op, 0))
    return both;
  isl_space *space = isl_set_get_space(both);
  isl_set_free(both);
  return isl_set_empty(space);
}

/* Takes `where`. NULL: the two have nothing in common, or that is not known. */
static isl_set *in_common(isl_set *in, isl_set *where) {
  isl_set *both = isl_set_intersect(isl_set_copy(in), where);
  return both && isl_set_plain_is_empty(both) == isl_bool_false ? both : isl_set_free(both);
}

static isl_stat compare_pieces(isl_set *where, isl_aff *is, void *context) {
  comparison *c = context;
  isl_set *both = in_common(c->where, where);
  if (both)
    c->found = isl_set_union(c->found, compare_in(both, c->is, c->op, is));
  isl_aff_free(is);
  return c->found ? isl_stat_ok : isl_stat_error;
}

static isl_stat compare_piece(isl_set *where, isl_aff *is, void *context) {
  comparison *c = context;
  isl_stat done = isl_stat_ok;
  c->where = in_common(c->in, where);
  c->is = is;
  if (c->where)
    done = isl_pw_aff_foreach_piece(c->b, compare_pieces, c);
  isl_set_free(c->where);
  isl_aff_free(is);
  return done;
}

/* Takes all three. */
static isl_set *compare(isl_set *in, isl_pw_aff *a, pl_op op, isl_pw_aff *b) {
  a = isl_pw_aff_align_params(a, isl_pw_aff_get_space(b));
  a = isl_pw_aff_align_params(a, isl_set_get_space(in));
  b = isl_pw_aff_align_params(b, isl_pw_aff_get_space(a));
  in = isl_set_align_params(in, isl_pw_aff_get_domain_space(a));
  comparison c = {.op = op, .b = b, .in = in,
                  .found = isl_set_empty(isl_pw_aff_get_domain_space(a))};
  bool known = in && isl_pw_aff_foreach_piece(a, compare_piece, &c) == isl_stat_ok &&
               isl_ctx_last_error(isl_set_get_ctx(in)) == isl_error_none;
  isl_pw_aff_free(a);
  isl_pw_aff_free(b);
  isl_set_free(in);
  return known ? c.found : isl_set_free(c.found);
}

static isl_set *set_of(const pl_iset *set) {
  pl_iset *own = (pl_iset *)set;
  if (!own->isl)
    own->isl = compare(isl_set_universe(isl_space_params_alloc(own->of->isl, 0)),
                       form_of(own->a), own->op, form_of(own->b));
  return isl_set_copy(own->isl);
}

static bool waits(const pl_iset *set) { return !set->isl; }

/* ---- handles ------------------------------------------------------------------ */

/* `within`: the form's. */
static const pl_iform *form_for(pl_integers *of, question q, isl_pw_aff *isl,
                                const pl_iset *within) {
  if (!isl)
    return NULL;
  const pl_iform *made = form_of_sum(of, sum_of_isl(of, isl));
  if (made) {
    isl_pw_aff_free(isl);
  } else {
    pl_iform *fresh = PL_NEW(of->arena, pl_iform);
    *fresh = (pl_iform){.of = of, .isl = isl, .within = within, .before = of->forms};
    made = of->forms = fresh;
  }
  keep_answer(of, q, made, PL_YES);
  return made;
}

static const pl_iset *keep_set(pl_integers *of, isl_set *isl) {
  if (!isl)
    return NULL;
  pl_iset *made = PL_NEW(of->arena, pl_iset);
  *made = (pl_iset){.of = of, .isl = isl, .before = of->sets};
  return of->sets = made;
}

static const pl_iset *set_for(pl_integers *of, question q, isl_set *isl) {
  const pl_iset *made = keep_set(of, isl);
  if (made)
    keep_answer(of, q, made, PL_YES);
  return made;
}

static const pl_iset *all_or_none(pl_integers *of, bool all) {
  isl_space *space = of->plain[all] ? NULL : isl_space_params_alloc(of->isl, 0);
  if (!of->plain[all])
    of->plain[all] = keep_set(of, all ? isl_set_universe(space) : isl_set_empty(space));
  return of->plain[all];
}

static bool is_all(const pl_iset *set) { return set == set->of->plain[true]; }

static bool is_none(const pl_iset *set) { return set == set->of->plain[false]; }

/* The answer to a question that isl has made a set for: one of two where that is seen. */
static const pl_iset *plain_set_for(pl_integers *of, question q, isl_set *isl) {
  bool none = isl && isl_set_plain_is_empty(isl) == isl_bool_true;
  if (!none && !(isl && isl_set_plain_is_universe(isl) == isl_bool_true))
    return set_for(of, q, isl);
  isl_set_free(isl);
  const pl_iset *made = all_or_none(of, !none);
  if (made)
    keep_answer(of, q, made, PL_YES);
  return made;
}

/* ---- parts ------------------------------------------------------------------ */

/* Marks all that a set was made a part of, and itself: as `own`, 0 or 1. Whether any of those
 * was made without one that is marked as the other. */
static bool mark(const pl_iset *set, int own) {
  if (!set || set->seen[own] == set->of->marks)
    return false;
  ((pl_iset *)set)->seen[own] = set->of->marks;
  bool apart = set->apart && set->apart->seen[!own] == set->of->marks;
  for (int i = 0; i < 2; i++)
    apart |= mark(set->in[i], own);
  return apart;
}

/* Whether a set was made a part of another one; false: it may be one. */
static bool was_made_of(const pl_iset *set, const pl_iset *of) {
  set->of->marks++;
  mark(set, 0);
  return of->seen[0] == set->of->marks;
}

/* Whether one of two was made without all of the other one; false: they may have nothing in
 * common. */
static bool were_made_apart(const pl_iset *a, const pl_iset *b) {
  bool apart = false;
  for (int i = 0; i < 2 && !apart; i++) {
    a->of->marks++;
    mark(i ? b : a, 0);
    apart = mark(i ? a : b, 1);
  }
  return apart;
}

/* What a set was made a part of, and (NULL: of nothing) without what. */
static const pl_iset *made_of(const pl_iset *set, const pl_iset *a, const pl_iset *b,
                              const pl_iset *without) {
  pl_iset *own = (pl_iset *)set;
  if (set && !is_all(set) && !is_none(set)) {
    own->in[0] = a;
    own->in[1] = b;
    own->apart = without;
  }
  return set;
}

/* ---- forms --------------------------------------------------------------- */

const pl_iform *pl_iform_number(pl_integers *integers, int64_t value) {
  return integers ? form_of_sum(integers, pl_isum_of(integers->arena, "", 0, value)) : NULL;
}

const pl_iform *pl_iform_name(pl_integers *integers, const char *name) {
  return integers ? form_of_sum(integers, pl_isum_of(integers->arena,
                                                     own_name(integers, name), 1, 0))
                  : NULL;
}

/* Where two forms are numbers. */
static const pl_iset *within_both(const pl_iset *a, const pl_iset *b) {
  return a && b ? pl_iset_and(a, b) : a ? a : b;
}

static const pl_iform *of_two(asked what, const pl_iform *a, const pl_iform *b,
                              isl_pw_aff *(*make)(isl_pw_aff *, isl_pw_aff *)) {
  if (!a || !b)
    return NULL;
  const question q = {.what = what, .a = a, .b = b};
  const kept_answer *kept = found_again(a->of, q);
  return kept ? kept->handle
              : form_for(a->of, q, make(form_of(a), form_of(b)),
                         within_both(a->within, b->within));
}

static const pl_iform *by_number(asked what, const pl_iform *a, int64_t by,
                                 isl_pw_aff *(*make)(isl_pw_aff *, isl_val *)) {
  if (!a)
    return NULL;
  const question q = {.what = what, .a = a, .n = by};
  const kept_answer *kept = found_again(a->of, q);
  if (kept)
    return kept->handle;
  return form_for(a->of, q, make(form_of(a), isl_val_int_from_si(a->of->isl, by)),
                  a->within);
}

static isl_pw_aff *floor_of(isl_pw_aff *form, isl_val *by) {
  return isl_pw_aff_floor(isl_pw_aff_scale_down_val(form, by));
}

/* a + by * b; NULL: they are no sums. */
static const pl_iform *sum_of(const pl_iform *a, const pl_iform *b, int64_t by) {
  return a && b && a->sum && b->sum
             ? form_of_sum(a->of, pl_isum_add(a->of->arena, a->sum, b->sum, by))
             : NULL;
}

static bool is_zero(const pl_iform *form) {
  return form && form->sum && !form->sum->n && !form->sum->constant;
}

const pl_iform *pl_iform_add(const pl_iform *a, const pl_iform *b) {
  if (a && b && (is_zero(a) || is_zero(b)))
    return is_zero(a) ? b : a;
  const pl_iform *sum = sum_of(a, b, 1);
  return sum ? sum : of_two(ASKED_ADD, a, b, isl_pw_aff_add);
}

const pl_iform *pl_iform_sub(const pl_iform *a, const pl_iform *b) {
  if (a && is_zero(b))
    return a;
  const pl_iform *sum = sum_of(a, b, -1);
  return sum ? sum : of_two(ASKED_SUB, a, b, isl_pw_aff_sub);
}

const pl_iform *pl_iform_scale(const pl_iform *a, int64_t by) {
  if (by == 1)
    return a;
  const pl_iform *sum = a ? sum_of(pl_iform_number(a->of, 0), a, by) : NULL;
  return sum ? sum : by_number(ASKED_SCALE, a, by, isl_pw_aff_scale_val);
}

/* What a division of a sum leaves; NULL: it is none. */
static const pl_iform *rest_of(const pl_iform *a, int64_t by) {
  return a && a->sum ? form_of_sum(a->of, pl_isum_floor(a->of->arena, a->sum, by, true)) : NULL;
}

static bool is_number(const pl_iform *form) { return form && form->sum && !form->sum->n; }

const pl_iform *pl_iform_floor(const pl_iform *a, int64_t by) {
  if (by > 0 && is_number(rest_of(a, by)))
    return form_of_sum(a->of, pl_isum_floor(a->of->arena, a->sum, by, false));
  return by > 0 ? by_number(ASKED_FLOOR, a, by, floor_of) : NULL;
}

const pl_iform *pl_iform_mod(const pl_iform *a, int64_t by) {
  const pl_iform *rest = by > 0 ? rest_of(a, by) : NULL;
  if (is_number(rest))
    return rest;
  a = rest ? rest : a;
  const pl_iform *made = by > 0 ? by_number(ASKED_MOD, a, by, isl_pw_aff_mod_val) : NULL;
  if (made && !made->sum) {
    ((pl_iform *)made)->rest_of = a;
    ((pl_iform *)made)->by = by;
  }
  return made;
}

/* The one form of what isl has found to be what a division of a sum leaves; NULL: it is not. */
static const pl_iform *known_rest(pl_integers *of, isl_pw_aff *isl) {
  isl_aff *aff = only_piece(isl);
  const pl_iform *made = NULL;
  int64_t by = 0;
  if (aff && isl_aff_dim(aff, isl_dim_div) == 1) {
    isl_aff *floor = isl_aff_get_div(aff, 0);
    isl_val *measure = isl_aff_get_denominator_val(floor);
    floor = isl_aff_scale_val(floor, isl_val_copy(measure));
    const pl_iform *sum = form_of_sum(of, sum_of_aff(of, floor));
    made = take_number(measure, &by) ? pl_iform_mod(sum, by) : NULL;
  }
  isl_aff_free(aff);
  isl_pw_aff *same =
      made ? isl_pw_aff_align_params(form_of(made), isl_pw_aff_get_space(isl)) : NULL;
  bool is = same && isl_pw_aff_plain_is_equal(same, isl) == isl_bool_true;
  isl_pw_aff_free(same);
  return is ? made : NULL;
}

const pl_iform *pl_iform_div(const pl_iform *a, int64_t by) {
  return a && by > 0
             ? of_two(ASKED_DIV, a, pl_iform_number(a->of, by), isl_pw_aff_tdiv_q)
             : NULL;
}

const pl_iform *pl_iform_rem(const pl_iform *a, int64_t by) {
  const pl_iform *made =
      a && by > 0 ? of_two(ASKED_REM, a, pl_iform_number(a->of, by), isl_pw_aff_tdiv_r) : NULL;
  if (made && !made->sum)
    ((pl_iform *)made)->as_zero = pl_iform_mod(a, by);
  return made;
}

/* `x == 0 ? by - 1 : x - 1` of a rest is one of the number below: one piece in the place of two.
 * NULL: it is not that. */
static const pl_iform *turned_back(const pl_iset *where, const pl_iform *a, const pl_iform *b) {
  const pl_iform *x = where->op == PL_OP_EQ && is_zero(where->b) ? where->a : NULL;
  if (!x || !x->rest_of || a != pl_iform_number(x->of, x->by - 1) ||
      b != pl_iform_sub(x, pl_iform_number(x->of, 1)))
    return NULL;
  return pl_iform_mod(pl_iform_sub(x->rest_of, pl_iform_number(x->of, 1)), x->by);
}

const pl_iform *pl_iform_choose(const pl_iset *where, const pl_iform *a,
                                const pl_iform *b) {
  if (!where || !a || !b)
    return NULL;
  if (a == b || is_all(where) || is_none(where))
    return is_none(where) ? b : a;
  const pl_iform *turned = turned_back(where, a, b);
  if (turned)
    return turned;
  const question q = {.what = ASKED_CHOOSE, .a = where, .b = a, .c = b};
  const kept_answer *kept = found_again(a->of, q);
  if (kept)
    return kept->handle;
  isl_pw_aff *yes = isl_pw_aff_intersect_domain(form_of(a), set_of(where));
  isl_pw_aff *no = isl_pw_aff_subtract_domain(form_of(b), set_of(where));
  return form_for(a->of, q, isl_pw_aff_union_add(yes, no), within_both(a->within, b->within));
}

const pl_iform *pl_iform_within(const pl_iform *a, const pl_iset *where) {
  if (!a || !where)
    return NULL;
  const question q = {.what = ASKED_WITHIN, .a = a, .b = where};
  const kept_answer *kept = found_again(a->of, q);
  if (kept || a->sum)
    return kept ? kept->handle : a;
  isl_pw_aff *simple =
      isl_pw_aff_coalesce(isl_pw_aff_gist_params(form_of(a), set_of(where)));
  const pl_iform *rest = simple ? known_rest(a->of, simple) : NULL;
  if (!rest)
    return form_for(a->of, q, simple, within_both(a->within, where));
  isl_pw_aff_free(simple);
  keep_answer(a->of, q, rest, PL_YES);
  return rest;
}

bool pl_iform_has(const pl_iform *a, const char *name) {
  if (!a || a->sum)
    return !a || pl_isum_factor(a->sum, name) != 0;
  int at = isl_pw_aff_find_dim_by_name(a->isl, isl_dim_param, name);
  return at >= 0 && isl_pw_aff_involves_dims(a->isl, isl_dim_param, (unsigned)at, 1) !=
                        isl_bool_false;
}

bool pl_iform_is_number(const pl_iform *a, int64_t *number) {
  bool is = a && a->sum && !a->sum->n && !a->within;
  *number = is ? a->sum->constant : 0;
  return is;
}

bool pl_iform_adds_up(const pl_iform *a, bool (*is)(const char *name, const void *context),
                      const void *context) {
  bool all = a && a->sum && a->sum->constant >= 0;
  for (size_t i = 0; all && i < a->sum->n; i++)
    all = a->sum->terms[i].by > 0 && is(a->sum->terms[i].name, context);
  return all;
}

const pl_iform *pl_iform_renamed(const pl_iform *a, const char *from,
                                 const char *to) {
  if (!a)
    return NULL;
  if (a->sum)
    return form_of_sum(a->of, pl_isum_renamed(a->of->arena, a->sum, from,
                                              own_name(a->of, to)));
  const question q = {.what = ASKED_FORM_RENAMED, .a = a, .b = own_name(a->of, from),
                      .c = own_name(a->of, to)};
  const kept_answer *kept = found_again(a->of, q);
  if (kept)
    return kept->handle;
  int at = isl_pw_aff_find_dim_by_name(a->isl, isl_dim_param, from);
  if (at < 0)
    return a;
  isl_id *id = isl_id_alloc(a->of->isl, to, NULL);
  return form_for(a->of, q, isl_pw_aff_set_dim_id(form_of(a), isl_dim_param,
                                                  (unsigned)at, id),
                  pl_iset_renamed(a->within, from, to));
}

/* ---- sets ---------------------------------------------------------------- */

const pl_iset *pl_iset_all(pl_integers *integers) {
  return integers ? all_or_none(integers, true) : NULL;
}

/* Where a sum is zero, is not, or is not negative. */
static const pl_iset *sign_of(pl_integers *of, const pl_isum *sum, pl_op op) {
  const pl_iform *form = form_of_sum(of, sum);
  const question q = {.what = ASKED_SIGN, .a = form, .n = op};
  const kept_answer *kept = form ? found_again(of, q) : NULL;
  if (!form || kept)
    return kept ? kept->handle : NULL;
  isl_pw_aff *isl = form_of(form);
  const pl_iset *made = set_for(of, q, op == PL_OP_GE   ? isl_pw_aff_nonneg_set(isl)
                                       : op == PL_OP_EQ ? isl_pw_aff_zero_set(isl)
                                                        : isl_pw_aff_non_zero_set(isl));
  if (made) {
    ((pl_iset *)made)->sum = sum;
    ((pl_iset *)made)->sign = op;
  }
  return made;
}

/* What a comparison of two sums says of their difference: as small as it can be, whose
 * first factor is positive where it is asked whether it is zero. NULL: they are no sums. */
static const pl_iset *compare_sums(const pl_iform *a, pl_op op, const pl_iform *b) {
  pl_arena *arena = a->of->arena;
  bool turned = op == PL_OP_LT || op == PL_OP_LE, equal = op == PL_OP_EQ || op == PL_OP_NE;
  const pl_iform *d = turned ? sum_of(b, a, -1) : sum_of(a, b, -1);
  if (!d)
    return NULL;
  const pl_isum *sum = d->sum, *none = pl_isum_of(arena, "", 0, 0);
  int64_t measure = pl_isum_measure(sum);
  if (!sum->n)
    return all_or_none(a->of, compare_numbers(sum->constant, turned ? op == PL_OP_LT ? PL_OP_GT
                                                                                     : PL_OP_GE
                                                                    : op, 0));
  if (equal && sum->constant % measure)
    return all_or_none(a->of, op == PL_OP_NE);
  if (equal && sum->terms[0].by < 0)
    sum = pl_isum_add(arena, none, sum, -1);
  if (op == PL_OP_LT || op == PL_OP_GT)
    sum = pl_isum_add(arena, sum, pl_isum_of(arena, "", 0, 1), -1);
  return sum ? sign_of(a->of, pl_isum_floor(arena, sum, measure, false),
                       equal ? op : PL_OP_GE)
             : NULL;
}

static bool is_comparison(pl_op op) {
  return op == PL_OP_LT || op == PL_OP_LE || op == PL_OP_GT || op == PL_OP_GE ||
         op == PL_OP_EQ || op == PL_OP_NE;
}

const pl_iset *pl_iset_compare(const pl_iform *a, pl_op op, const pl_iform *b) {
  if (!a || !b || !is_comparison(op))
    return NULL;
  const pl_iset *plain = compare_sums(a, op, b);
  if (plain)
    return plain;
  if (a->as_zero && is_zero(b) && (op == PL_OP_EQ || op == PL_OP_NE))
    return pl_iset_compare(a->as_zero, op, b);
  const question q = {.what = ASKED_COMPARE, .a = a, .b = b, .n = op};
  const kept_answer *kept = found_again(a->of, q);
  if (kept)
    return kept->handle;
  const pl_iset waiting = {.of = a->of, .a = a, .b = b, .op = op, .before = a->of->sets};
  pl_iset *made = PL_NEW(a->of->arena, pl_iset);
  *made = waiting;
  keep_answer(a->of, q, made, PL_YES);
  return a->of->sets = made;
}

static const pl_iset *of_sets(asked what, const pl_iset *a, const pl_iset *b,
                              isl_set *(*make)(isl_set *, isl_set *)) {
  if (!a || !b)
    return NULL;
  const question q = {.what = what, .a = a, .b = b};
  const kept_answer *kept = found_again(a->of, q);
  return kept ? kept->handle : plain_set_for(a->of, q, make(set_of(a), set_of(b)));
}

/* What is in a set and in another one that waits, or (`not`) in no such. */
static const pl_iset *compared_in(asked what, const pl_iset *set, const pl_iset *waiting,
                                  bool not) {
  static const pl_op others[] = {[PL_OP_LT] = PL_OP_GE, [PL_OP_GE] = PL_OP_LT,
                                 [PL_OP_GT] = PL_OP_LE, [PL_OP_LE] = PL_OP_GT,
                                 [PL_OP_EQ] = PL_OP_NE, [PL_OP_NE] = PL_OP_EQ};
  const question q = {.what = what, .a = set, .b = waiting};
  const kept_answer *kept = found_again(set->of, q);
  if (kept)
    return kept->handle;
  return plain_set_for(set->of, q, compare(set_of(set), form_of(waiting->a),
                                           not ? others[waiting->op] : waiting->op,
                                           form_of(waiting->b)));
}

static bool involves(isl_set *set, const char *name) {
  int at = isl_set_find_dim_by_name(set, isl_dim_param, name);
  return at >= 0 && isl_set_involves_dims(set, isl_dim_param, (unsigned)at, 1) != isl_bool_false;
}

/* Whether a set says of a name, that another one has nothing of, what some value of it fulfils
 * whatever the other names are: what is there with it is not empty, if the other one is not. */
static bool is_of_new_name(const pl_iset *set, const pl_iset *in) {
  for (size_t i = 0; set->sum && i < set->sum->n; i++) {
    const pl_isum_term *t = &set->sum->terms[i];
    if ((set->sign != PL_OP_EQ || t->by == 1 || t->by == -1) && !involves(in->isl, t->name))
      return true;
  }
  return false;
}

/* Whether two sets have no name in common. */
static bool are_of_other_names(isl_set *a, isl_set *b) {
  for (isl_size i = 0; i < isl_set_dim(b, isl_dim_param); i++)
    if (isl_set_involves_dims(b, isl_dim_param, (unsigned)i, 1) != isl_bool_false &&
        involves(a, isl_set_get_dim_name(b, isl_dim_param, (unsigned)i)))
      return false;
  return true;
}

/* Takes both, of which no two parts have nothing in common. isl's own intersection asks that of
 * each two, as integers, which takes most of its time. */
static isl_set *intersect_nonempty(isl_set *a, isl_set *b) {
  a = isl_set_align_params(a, isl_set_get_space(b));
  b = isl_set_align_params(b, isl_set_get_space(a));
  isl_set *both = isl_set_empty(isl_set_get_space(a));
  isl_basic_set_list *of_a = isl_set_get_basic_set_list(a),
                     *of_b = isl_set_get_basic_set_list(b);
  isl_size na = isl_basic_set_list_n_basic_set(of_a), nb = isl_basic_set_list_n_basic_set(of_b);
  for (int i = 0; i < na; i++)
    for (int k = 0; k < nb; k++)
      both = isl_set_union(
          both, isl_set_from_basic_set(isl_basic_set_intersect(
                    isl_basic_set_list_get_basic_set(of_a, i),
                    isl_basic_set_list_get_basic_set(of_b, k))));
  isl_basic_set_list_free(of_a);
  isl_basic_set_list_free(of_b);
  isl_set_free(a);
  isl_set_free(b);
  return na < 0 || nb < 0 ? isl_set_free(both) : both;
}

const pl_iset *pl_iset_and(const pl_iset *a, const pl_iset *b) {
  if (!a || !b || a == b || is_all(a) || is_all(b) || is_none(a) || is_none(b))
    return !a || !b ? NULL : is_all(a) || is_none(b) ? b : a;
  if (was_made_of(a, b) || was_made_of(b, a))
    return was_made_of(a, b) ? a : b;
  if (were_made_apart(a, b))
    return all_or_none(a->of, false);
  if (waits(a) || waits(b))
    return made_of(compared_in(ASKED_AND, waits(b) ? a : b, waits(b) ? b : a, false), a, b, NULL);
  bool stays = is_of_new_name(b, a) || is_of_new_name(a, b) || are_of_other_names(a->isl, b->isl);
  return made_of(of_sets(ASKED_AND, a, b, stays ? intersect_nonempty : isl_set_intersect), a, b,
                 NULL);
}

const pl_iset *pl_iset_or(const pl_iset *a, const pl_iset *b) {
  if (!a || !b || a == b || is_all(a) || is_all(b) || is_none(a) || is_none(b))
    return !a || !b ? NULL : is_none(a) || is_all(b) ? b : a;
  return of_sets(ASKED_OR, a, b, isl_set_union);
}

static bool is_number_in(const pl_iform *form, const pl_iset *set) {
  return !form->within || pl_iset_is_subset(set, form->within) == PL_YES;
}

/* Whether a set waits, and where it is not, of another one, says the contrary of it. */
static bool has_contrary(const pl_iset *waiting, const pl_iset *in) {
  return waits(waiting) && is_number_in(waiting->a, in) && is_number_in(waiting->b, in);
}

const pl_iset *pl_iset_minus(const pl_iset *a, const pl_iset *b) {
  if (!a || !b || is_none(b))
    return !a || !b ? NULL : a;
  if (a == b || is_none(a) || is_all(b))
    return all_or_none(a->of, false);
  if (were_made_apart(a, b))
    return a;
  if (was_made_of(a, b))
    return all_or_none(a->of, false);
  return made_of(has_contrary(b, a) ? compared_in(ASKED_MINUS, a, b, true)
                                    : of_sets(ASKED_MINUS, a, b, isl_set_subtract),
                 a, NULL, b);
}

const pl_iset *pl_iset_project(const pl_iset *set, const char *const *names,
                               size_t nnames) {
  if (!set)
    return NULL;
  pl_text all = {.arena = set->of->arena};
  for (size_t i = 0; i < nnames; i++)
    pl_text_printf(&all, "%s\n", names[i]);
  pl_text_add(&all, (pl_str){"", 1}); /* its end */
  const question q = {.what = ASKED_PROJECT, .a = set, .b = own_name(set->of, all.p)};
  const kept_answer *kept = found_again(set->of, q);
  if (kept)
    return kept->handle;
  isl_set *left = set_of(set);
  for (size_t i = 0; i < nnames; i++) {
    isl_id *id = isl_id_alloc(set->of->isl, names[i], NULL);
    left = isl_set_project_out_param_id(left, id);
  }
  return plain_set_for(set->of, q, left);
}

const pl_iset *pl_iset_renamed(const pl_iset *set, const char *from,
                               const char *to) {
  if (!set)
    return NULL;
  const question q = {.what = ASKED_SET_RENAMED, .a = set,
                      .b = own_name(set->of, from), .c = own_name(set->of, to)};
  const kept_answer *kept = found_again(set->of, q);
  if (kept)
    return kept->handle;
  isl_set *left = set_of(set);
  int at = isl_set_find_dim_by_name(left, isl_dim_param, from);
  if (at < 0) {
    isl_set_free(left);
    return set;
  }
  isl_id *id = isl_id_alloc(set->of->isl, to, NULL);
  return set_for(set->of, q, isl_set_set_dim_id(left, isl_dim_param, (unsigned)at, id));
}

const pl_iset *pl_iset_joined(const pl_iset *set) {
  if (!set)
    return NULL;
  const question q = {.what = ASKED_JOINED, .a = set};
  const kept_answer *kept = found_again(set->of, q);
  if (kept)
    return kept->handle;
  return set_for(set->of, q, isl_set_coalesce(set_of(set)));
}

const pl_iset *pl_iset_within(const pl_iset *set, const pl_iset *where) {
  if (!set || !where)
    return NULL;
  const question q = {.what = ASKED_SET_WITHIN, .a = set, .b = where};
  const kept_answer *kept = found_again(set->of, q);
  if (kept)
    return kept->handle;
  return plain_set_for(set->of, q, isl_set_coalesce(isl_set_gist(set_of(set), set_of(where))));
}

bool pl_iset_has(const pl_iset *set, const char *name) {
  isl_set *own = set ? set_of(set) : NULL;
  bool has = own && isl_set_find_dim_by_name(own, isl_dim_param, name) >= 0;
  isl_set_free(own);
  return has;
}

/* What is not known, as the budget is spent, is not kept. */
static pl_answer answer_for(pl_integers *of, question q, isl_bool said) {
  if (said != isl_bool_error)
    keep_answer(of, q, NULL, answer(said));
  return answer(said);
}

static isl_bool is_empty(const pl_iset *set) {
  isl_set *left = set_of(set);
  isl_bool empty = isl_set_is_empty(left);
  isl_set_free(left);
  return empty;
}

bool pl_iset_fixes(const pl_iset *set, const char *name, int64_t *number) {
  isl_set *all = set ? isl_set_detect_equalities(isl_set_coalesce(isl_set_copy(set_of(set))))
                     : NULL;
  int at = all ? isl_set_find_dim_by_name(all, isl_dim_param, name) : -1;
  isl_val *val = at < 0 ? NULL
                        : isl_set_plain_get_val_if_fixed(all, isl_dim_param, (unsigned)at);
  bool is = val && isl_val_is_int(val) == isl_bool_true;
  *number = is ? (int64_t)isl_val_get_num_si(val) : 0;
  isl_val_free(val);
  isl_set_free(all);
  return is;
}

pl_answer pl_iset_is_empty(const pl_iset *set) {
  if (!set)
    return PL_UNKNOWN;
  if (is_none(set) || is_all(set))
    return is_none(set) ? PL_YES : PL_NO;
  const question q = {.what = ASKED_EMPTY, .a = set};
  const kept_answer *kept = found_again(set->of, q);
  return kept ? kept->answer : answer_for(set->of, q, is_empty(set));
}

static isl_bool is_subset(const pl_iset *set, const pl_iset *of) {
  isl_set *inner = set_of(set), *outer = set_of(of);
  isl_bool is = isl_set_is_subset(inner, outer);
  isl_set_free(inner);
  isl_set_free(outer);
  return is;
}

pl_answer pl_iset_is_subset(const pl_iset *set, const pl_iset *of) {
  if (!set || !of)
    return PL_UNKNOWN;
  if (set == of || is_none(set) || is_all(of) || was_made_of(set, of))
    return PL_YES;
  const question q = {.what = ASKED_SUBSET, .a = set, .b = of};
  const kept_answer *kept = found_again(set->of, q);
  if (kept)
    return kept->answer;
  if (has_contrary(of, set))
    return pl_iset_is_empty(pl_iset_minus(set, of));
  return answer_for(set->of, q, is_subset(set, of));
}
