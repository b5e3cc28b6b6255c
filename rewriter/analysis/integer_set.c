/* integer_set.c - sets of integers, by isl.
 *
 * Needs: nothing but names and numbers. Gives: forms and sets, and answers
 * about them, unknown where isl's budget is spent. Raises: nothing.
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

struct pl_integers {
  pl_arena *arena;
  isl_ctx *isl;
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

static isl_pw_aff *form_of(const pl_iform *form) {
  return isl_pw_aff_copy(form->isl);
}

static isl_set *set_of(const pl_iset *set) { return isl_set_copy(set->isl); }

static pl_answer answer(isl_bool said) {
  return said == isl_bool_error ? PL_UNKNOWN : said ? PL_YES : PL_NO;
}

/* ---- forms --------------------------------------------------------------- */

const pl_iform *pl_iform_number(pl_integers *integers, int64_t value) {
  if (!integers)
    return NULL;
  isl_set *all = isl_set_universe(isl_space_params_alloc(integers->isl, 0));
  isl_val *number = isl_val_int_from_si(integers->isl, value);
  return keep_form(integers, isl_pw_aff_val_on_domain(all, number));
}

const pl_iform *pl_iform_name(pl_integers *integers, const char *name) {
  if (!integers)
    return NULL;
  isl_id *id = isl_id_alloc(integers->isl, name, NULL);
  isl_space *space = isl_space_params_alloc(integers->isl, 1);
  space = isl_space_set_dim_id(space, isl_dim_param, 0, id);
  isl_local_space *local = isl_local_space_from_space(space);
  return keep_form(integers,
                   isl_pw_aff_var_on_domain(local, isl_dim_param, 0));
}

const pl_iform *pl_iform_add(const pl_iform *a, const pl_iform *b) {
  return a && b ? keep_form(a->of, isl_pw_aff_add(form_of(a), form_of(b)))
                : NULL;
}

const pl_iform *pl_iform_sub(const pl_iform *a, const pl_iform *b) {
  return a && b ? keep_form(a->of, isl_pw_aff_sub(form_of(a), form_of(b)))
                : NULL;
}

static isl_val *number_for(const pl_iform *a, int64_t value) {
  return isl_val_int_from_si(a->of->isl, value);
}

const pl_iform *pl_iform_scale(const pl_iform *a, int64_t by) {
  if (!a)
    return NULL;
  return keep_form(a->of, isl_pw_aff_scale_val(form_of(a), number_for(a, by)));
}

const pl_iform *pl_iform_floor(const pl_iform *a, int64_t by) {
  if (!a || by <= 0)
    return NULL;
  isl_pw_aff *part = isl_pw_aff_scale_down_val(form_of(a), number_for(a, by));
  return keep_form(a->of, isl_pw_aff_floor(part));
}

const pl_iform *pl_iform_mod(const pl_iform *a, int64_t by) {
  if (!a || by <= 0)
    return NULL;
  return keep_form(a->of, isl_pw_aff_mod_val(form_of(a), number_for(a, by)));
}

const pl_iform *pl_iform_div(const pl_iform *a, int64_t by) {
  const pl_iform *number = a ? pl_iform_number(a->of, by) : NULL;
  if (!number || by <= 0)
    return NULL;
  return keep_form(a->of, isl_pw_aff_tdiv_q(form_of(a), form_of(number)));
}

const pl_iform *pl_iform_rem(const pl_iform *a, int64_t by) {
  const pl_iform *number = a ? pl_iform_number(a->of, by) : NULL;
  if (!number || by <= 0)
    return NULL;
  return keep_form(a->of, isl_pw_aff_tdiv_r(form_of(a), form_of(number)));
}

const pl_iform *pl_iform_choose(const pl_iset *where, const pl_iform *a,
                                const pl_iform *b) {
  if (!where || !a || !b)
    return NULL;
  isl_pw_aff *yes = isl_pw_aff_intersect_domain(form_of(a), set_of(where));
  isl_pw_aff *no = isl_pw_aff_subtract_domain(form_of(b), set_of(where));
  return keep_form(a->of, isl_pw_aff_union_add(yes, no));
}

const pl_iform *pl_iform_within(const pl_iform *a, const pl_iset *where) {
  if (!a || !where)
    return NULL;
  isl_pw_aff *simple = isl_pw_aff_gist_params(form_of(a), set_of(where));
  return keep_form(a->of, isl_pw_aff_coalesce(simple));
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
  int at = isl_pw_aff_find_dim_by_name(a->isl, isl_dim_param, from);
  if (at < 0)
    return a;
  isl_id *id = isl_id_alloc(a->of->isl, to, NULL);
  return keep_form(a->of, isl_pw_aff_set_dim_id(form_of(a), isl_dim_param,
                                                (unsigned)at, id));
}

/* ---- sets ---------------------------------------------------------------- */

const pl_iset *pl_iset_all(pl_integers *integers) {
  if (!integers)
    return NULL;
  isl_space *space = isl_space_params_alloc(integers->isl, 0);
  return keep_set(integers, isl_set_universe(space));
}

static isl_set *compare(isl_pw_aff *a, pl_op op, isl_pw_aff *b) {
  switch (op) {
  case PL_OP_LT:
    return isl_pw_aff_lt_set(a, b);
  case PL_OP_LE:
    return isl_pw_aff_le_set(a, b);
  case PL_OP_GT:
    return isl_pw_aff_gt_set(a, b);
  case PL_OP_GE:
    return isl_pw_aff_ge_set(a, b);
  case PL_OP_EQ:
    return isl_pw_aff_eq_set(a, b);
  case PL_OP_NE:
    return isl_pw_aff_ne_set(a, b);
  default:
    isl_pw_aff_free(a);
    isl_pw_aff_free(b);
    return NULL;
  }
}

const pl_iset *pl_iset_compare(const pl_iform *a, pl_op op, const pl_iform *b) {
  return a && b ? keep_set(a->of, compare(form_of(a), op, form_of(b))) : NULL;
}

const pl_iset *pl_iset_and(const pl_iset *a, const pl_iset *b) {
  return a && b ? keep_set(a->of, isl_set_intersect(set_of(a), set_of(b)))
                : NULL;
}

const pl_iset *pl_iset_or(const pl_iset *a, const pl_iset *b) {
  return a && b ? keep_set(a->of, isl_set_union(set_of(a), set_of(b))) : NULL;
}

const pl_iset *pl_iset_minus(const pl_iset *a, const pl_iset *b) {
  return a && b ? keep_set(a->of, isl_set_subtract(set_of(a), set_of(b)))
                : NULL;
}

const pl_iset *pl_iset_project(const pl_iset *set, const char *const *names,
                               size_t nnames) {
  if (!set)
    return NULL;
  isl_set *left = set_of(set);
  for (size_t i = 0; i < nnames; i++) {
    isl_id *id = isl_id_alloc(set->of->isl, names[i], NULL);
    left = isl_set_project_out_param_id(left, id);
  }
  return keep_set(set->of, left);
}

const pl_iset *pl_iset_renamed(const pl_iset *set, const char *from,
                               const char *to) {
  if (!set)
    return NULL;
  int at = isl_set_find_dim_by_name(set->isl, isl_dim_param, from);
  if (at < 0)
    return set;
  isl_id *id = isl_id_alloc(set->of->isl, to, NULL);
  return keep_set(set->of, isl_set_set_dim_id(set_of(set), isl_dim_param,
                                              (unsigned)at, id));
}

const pl_iset *pl_iset_joined(const pl_iset *set) {
  return set ? keep_set(set->of, isl_set_coalesce(set_of(set))) : NULL;
}

pl_answer pl_iset_is_empty(const pl_iset *set) {
  return set ? answer(isl_set_is_empty(set->isl)) : PL_UNKNOWN;
}

pl_answer pl_iset_is_subset(const pl_iset *set, const pl_iset *of) {
  return set && of ? answer(isl_set_is_subset(set->isl, of->isl)) : PL_UNKNOWN;
}
