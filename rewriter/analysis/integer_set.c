/* integer_set.c - sets of integers, by isl.
 *
 * Needs: nothing but names and numbers. Gives: forms and sets, and answers
 * about them, unknown where isl's budget is spent. Raises: nothing.
 *
 * What was asked once is kept: the same question of the same handles has the same
 * handle for its answer, so that all that is made of it is found again, too.
 *
 * The only file that includes isl. A name is a parameter of isl's, which aligns those
 * of two objects by themselves. isl takes what it is handed and gives NULL where
 * anything failed: each handle keeps its own object, and hands out copies. */
#include "integer_set.h"

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
  isl_pw_aff *isl;
  pl_iform *before; /* made before it */
};

struct pl_iset {
  pl_integers *of;
  isl_set *isl;
  pl_iset *before;
};

/* Two questions are one where all of these are. ASKED_WORD: where the one copy of a name
 * is. */
typedef enum asked {
  ASKED_NOTHING, ASKED_WORD,
  ASKED_NUMBER, ASKED_NAME, ASKED_ADD, ASKED_SUB, ASKED_SCALE, ASKED_FLOOR, ASKED_MOD,
  ASKED_DIV, ASKED_REM, ASKED_CHOOSE, ASKED_WITHIN, ASKED_FORM_RENAMED,
  ASKED_ALL, ASKED_COMPARE, ASKED_AND, ASKED_OR, ASKED_MINUS, ASKED_SET_RENAMED,
  ASKED_JOINED, ASKED_PROJECT, ASKED_EMPTY, ASKED_SUBSET
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
  pl_iform *forms; /* the last ones made */
  pl_iset *sets;
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

/* ---- handles ------------------------------------------------------------- */

static const pl_iform *keep_form(pl_integers *of, isl_pw_aff *isl) {
  if (!isl)
    return NULL;
  pl_iform *made = PL_NEW(of->arena, pl_iform);
  *made = (pl_iform){of, isl, of->forms};
  return of->forms = made;
}

static const pl_iset *keep_set(pl_integers *of, isl_set *isl) {
  if (!isl)
    return NULL;
  pl_iset *made = PL_NEW(of->arena, pl_iset);
  *made = (pl_iset){of, isl, of->sets};
  return of->sets = made;
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

static const pl_iform *form_for(pl_integers *of, question q, isl_pw_aff *isl) {
  const pl_iform *made = keep_form(of, isl);
  if (made)
    keep_answer(of, q, made, PL_YES);
  return made;
}

static const pl_iset *set_for(pl_integers *of, question q, isl_set *isl) {
  const pl_iset *made = keep_set(of, isl);
  if (made)
    keep_answer(of, q, made, PL_YES);
  return made;
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

static isl_pw_aff *form_of(const pl_iform *form) {
  return isl_pw_aff_copy(form->isl);
}

static isl_set *set_of(const pl_iset *set) { return isl_set_copy(set->isl); }

static pl_answer answer(isl_bool said) {
  return said == isl_bool_error ? PL_UNKNOWN : said ? PL_YES : PL_NO;
}

/* ---- forms --------------------------------------------------------------- */

const pl_iform *pl_iform_number(pl_integers *integers, int64_t value) {
  const question q = {.what = ASKED_NUMBER, .n = value};
  const kept_answer *kept = integers ? found_again(integers, q) : NULL;
  if (!integers || kept)
    return kept ? kept->handle : NULL;
  isl_set *all = isl_set_universe(isl_space_params_alloc(integers->isl, 0));
  isl_val *number = isl_val_int_from_si(integers->isl, value);
  return form_for(integers, q, isl_pw_aff_val_on_domain(all, number));
}

const pl_iform *pl_iform_name(pl_integers *integers, const char *name) {
  if (!integers)
    return NULL;
  const question q = {.what = ASKED_NAME, .a = own_name(integers, name)};
  const kept_answer *kept = found_again(integers, q);
  if (kept)
    return kept->handle;
  isl_id *id = isl_id_alloc(integers->isl, name, NULL);
  isl_space *space = isl_space_params_alloc(integers->isl, 1);
  space = isl_space_set_dim_id(space, isl_dim_param, 0, id);
  isl_local_space *local = isl_local_space_from_space(space);
  return form_for(integers, q, isl_pw_aff_var_on_domain(local, isl_dim_param, 0));
}

static const pl_iform *of_two(asked what, const pl_iform *a, const pl_iform *b,
                              isl_pw_aff *(*make)(isl_pw_aff *, isl_pw_aff *)) {
  if (!a || !b)
    return NULL;
  const question q = {.what = what, .a = a, .b = b};
  const kept_answer *kept = found_again(a->of, q);
  return kept ? kept->handle : form_for(a->of, q, make(form_of(a), form_of(b)));
}

static const pl_iform *by_number(asked what, const pl_iform *a, int64_t by,
                                 isl_pw_aff *(*make)(isl_pw_aff *, isl_val *)) {
  if (!a)
    return NULL;
  const question q = {.what = what, .a = a, .n = by};
  const kept_answer *kept = found_again(a->of, q);
  if (kept)
    return kept->handle;
  return form_for(a->of, q, make(form_of(a), isl_val_int_from_si(a->of->isl, by)));
}

static isl_pw_aff *floor_of(isl_pw_aff *form, isl_val *by) {
  return isl_pw_aff_floor(isl_pw_aff_scale_down_val(form, by));
}

const pl_iform *pl_iform_add(const pl_iform *a, const pl_iform *b) {
  return of_two(ASKED_ADD, a, b, isl_pw_aff_add);
}

const pl_iform *pl_iform_sub(const pl_iform *a, const pl_iform *b) {
  return of_two(ASKED_SUB, a, b, isl_pw_aff_sub);
}

const pl_iform *pl_iform_scale(const pl_iform *a, int64_t by) {
  return by_number(ASKED_SCALE, a, by, isl_pw_aff_scale_val);
}

const pl_iform *pl_iform_floor(const pl_iform *a, int64_t by) {
  return by > 0 ? by_number(ASKED_FLOOR, a, by, floor_of) : NULL;
}

const pl_iform *pl_iform_mod(const pl_iform *a, int64_t by) {
  return by > 0 ? by_number(ASKED_MOD, a, by, isl_pw_aff_mod_val) : NULL;
}

const pl_iform *pl_iform_div(const pl_iform *a, int64_t by) {
  return a && by > 0
             ? of_two(ASKED_DIV, a, pl_iform_number(a->of, by), isl_pw_aff_tdiv_q)
             : NULL;
}

const pl_iform *pl_iform_rem(const pl_iform *a, int64_t by) {
  return a && by > 0
             ? of_two(ASKED_REM, a, pl_iform_number(a->of, by), isl_pw_aff_tdiv_r)
             : NULL;
}

const pl_iform *pl_iform_choose(const pl_iset *where, const pl_iform *a,
                                const pl_iform *b) {
  if (!where || !a || !b)
    return NULL;
  const question q = {.what = ASKED_CHOOSE, .a = where, .b = a, .c = b};
  const kept_answer *kept = found_again(a->of, q);
  if (kept)
    return kept->handle;
  isl_pw_aff *yes = isl_pw_aff_intersect_domain(form_of(a), set_of(where));
  isl_pw_aff *no = isl_pw_aff_subtract_domain(form_of(b), set_of(where));
  return form_for(a->of, q, isl_pw_aff_union_add(yes, no));
}

/* A sum of names and numbers, everywhere the same one: nothing makes it simpler. */
static bool is_plain(const pl_iform *form) {
  if (isl_pw_aff_isa_aff(form->isl) != isl_bool_true)
    return false;
  isl_aff *aff = isl_pw_aff_as_aff(form_of(form));
  bool plain = isl_aff_dim(aff, isl_dim_div) == 0;
  isl_aff_free(aff);
  return plain;
}

const pl_iform *pl_iform_within(const pl_iform *a, const pl_iset *where) {
  if (!a || !where)
    return NULL;
  const question q = {.what = ASKED_WITHIN, .a = a, .b = where};
  const kept_answer *kept = found_again(a->of, q);
  if (kept || is_plain(a))
    return kept ? kept->handle : a;
  isl_pw_aff *simple = isl_pw_aff_gist_params(form_of(a), set_of(where));
  return form_for(a->of, q, isl_pw_aff_coalesce(simple));
}

bool pl_iform_has(const pl_iform *a, const char *name) {
  int at = a ? isl_pw_aff_find_dim_by_name(a->isl, isl_dim_param, name) : 0;
  return !a || (at >= 0 && isl_pw_aff_involves_dims(a->isl, isl_dim_param,
                                                    (unsigned)at, 1) != isl_bool_false);
}

const pl_iform *pl_iform_renamed(const pl_iform *a, const char *from,
                                 const char *to) {
  if (!a)
    return NULL;
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
                                                  (unsigned)at, id));
}

/* ---- sets ---------------------------------------------------------------- */

const pl_iset *pl_iset_all(pl_integers *integers) {
  const question q = {.what = ASKED_ALL};
  const kept_answer *kept = integers ? found_again(integers, q) : NULL;
  if (!integers || kept)
    return kept ? kept->handle : NULL;
  isl_space *space = isl_space_params_alloc(integers->isl, 0);
  return set_for(integers, q, isl_set_universe(space));
}

/* A comparison, piece by piece: isl's own of two forms makes one of their difference
 * first, and simplifies that. */
typedef struct comparison {
  pl_op op;
  isl_pw_aff *b; /* not its own, as all below but `found` */
  isl_set *where; /* a piece of the first form */
  isl_aff *is;
  isl_set *found;
} comparison;

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
  case PL_OP_NE:
    return isl_aff_ne_set(a, b);
  default:
    isl_aff_free(a);
    isl_aff_free(b);
    return NULL;
  }
}

static isl_stat compare_pieces(isl_set *where, isl_aff *is, void *context) {
  comparison *c = context;
  isl_set *both = isl_set_intersect(isl_set_copy(c->where), where);
  isl_set *holds = compare_affine(isl_aff_copy(c->is), c->op, is);
  c->found = isl_set_union(c->found, isl_set_intersect(both, holds));
  return c->found ? isl_stat_ok : isl_stat_error;
}

static isl_stat compare_piece(isl_set *where, isl_aff *is, void *context) {
  comparison *c = context;
  c->where = where;
  c->is = is;
  isl_stat done = isl_pw_aff_foreach_piece(c->b, compare_pieces, c);
  isl_set_free(where);
  isl_aff_free(is);
  return done;
}

static isl_set *compare(isl_pw_aff *a, pl_op op, isl_pw_aff *b) {
  a = isl_pw_aff_align_params(a, isl_pw_aff_get_space(b));
  b = isl_pw_aff_align_params(b, isl_pw_aff_get_space(a));
  if (isl_pw_aff_isa_aff(a) == isl_bool_true && isl_pw_aff_isa_aff(b) == isl_bool_true)
    return compare_affine(isl_pw_aff_as_aff(a), op, isl_pw_aff_as_aff(b));
  comparison c = {.op = op, .b = b,
                  .found = isl_set_empty(isl_pw_aff_get_domain_space(a))};
  if (isl_pw_aff_foreach_piece(a, compare_piece, &c) != isl_stat_ok)
    c.found = isl_set_free(c.found);
  isl_pw_aff_free(a);
  isl_pw_aff_free(b);
  return c.found;
}

const pl_iset *pl_iset_compare(const pl_iform *a, pl_op op, const pl_iform *b) {
  if (!a || !b)
    return NULL;
  const question q = {.what = ASKED_COMPARE, .a = a, .b = b, .n = op};
  const kept_answer *kept = found_again(a->of, q);
  if (kept)
    return kept->handle;
  return set_for(a->of, q, compare(form_of(a), op, form_of(b)));
}

static const pl_iset *of_sets(asked what, const pl_iset *a, const pl_iset *b,
                              isl_set *(*make)(isl_set *, isl_set *)) {
  if (!a || !b)
    return NULL;
  const question q = {.what = what, .a = a, .b = b};
  const kept_answer *kept = found_again(a->of, q);
  return kept ? kept->handle : set_for(a->of, q, make(set_of(a), set_of(b)));
}

const pl_iset *pl_iset_and(const pl_iset *a, const pl_iset *b) {
  return of_sets(ASKED_AND, a, b, isl_set_intersect);
}

const pl_iset *pl_iset_or(const pl_iset *a, const pl_iset *b) {
  return of_sets(ASKED_OR, a, b, isl_set_union);
}

const pl_iset *pl_iset_minus(const pl_iset *a, const pl_iset *b) {
  return of_sets(ASKED_MINUS, a, b, isl_set_subtract);
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
  return set_for(set->of, q, left);
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
  int at = isl_set_find_dim_by_name(set->isl, isl_dim_param, from);
  if (at < 0)
    return set;
  isl_id *id = isl_id_alloc(set->of->isl, to, NULL);
  return set_for(set->of, q, isl_set_set_dim_id(set_of(set), isl_dim_param,
                                                (unsigned)at, id));
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

/* What is not known, as the budget is spent, is not kept. */
static pl_answer answer_for(pl_integers *of, question q, isl_bool said) {
  if (said != isl_bool_error)
    keep_answer(of, q, NULL, answer(said));
  return answer(said);
}

pl_answer pl_iset_is_empty(const pl_iset *set) {
  if (!set)
    return PL_UNKNOWN;
  const question q = {.what = ASKED_EMPTY, .a = set};
  const kept_answer *kept = found_again(set->of, q);
  return kept ? kept->answer : answer_for(set->of, q, isl_set_is_empty(set->isl));
}

pl_answer pl_iset_is_subset(const pl_iset *set, const pl_iset *of) {
  if (!set || !of)
    return PL_UNKNOWN;
  const question q = {.what = ASKED_SUBSET, .a = set, .b = of};
  const kept_answer *kept = found_again(set->of, q);
  return kept ? kept->answer
              : answer_for(set->of, q, isl_set_is_subset(set->isl, of->isl));
}
