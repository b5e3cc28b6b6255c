/* other_names.c - does a variable of the thread's own get another name?
 *
 * Needs: points_to. Gives: what holds the address of a variable, or is a
 * reference to it. Raises: nothing.
 *
 * The two sides of a rewritten loop have variables of their own under one name:
 * another name goes on meaning one of the two. */
#include "points_to.h"
#include "varies.h"

/* `-> int &` may hand a name out. */
static bool has_trailing_type(const pl_unit *unit, const pl_node *lambda) {
  pl_range head = {lambda->range.begin,
                   lambda->kids[lambda->nkids - 1]->range.begin};
  return pl_str_has(pl_unit_slice(unit, head), "->");
}

/* Whether a lambda is made anew in each iteration and does no more than to read
 * a variable that the header alone moves on: it goes wherever the variable's own
 * name goes. */
static bool reads_alone(const pl_loop *loop, const pl_node *lambda,
                        const pl_decl *decl) {
  if (!lambda->nkids || !pl_node_within(lambda, loop->body) ||
      has_trailing_type(loop->unit, lambda))
    return false;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (pl_writes_decl(&loop->stmts[i].effects, decl))
      return false;
  for (uint32_t i = 0; i < lambda->nkids; i++) {
    pl_effects effects = pl_effects_in(loop, lambda->kids[i]);
    if (pl_writes_decl(&effects, decl))
      return false;
  }
  return !pl_led_to((pl_loop *)loop, lambda, decl);
}

/* Whether a lambda has a variable itself: a parameter, or a local of its body. */
static bool is_its_own(const pl_node *lambda, const pl_decl *decl) {
  return lambda->kind == PL_NODE_LAMBDA && lambda->func &&
         (pl_param_index(lambda->func, decl) >= 0 ||
          (decl->node && pl_node_within(decl->node, lambda)));
}

typedef struct name_search {
  const pl_loop *loop; /* NULL: lambdas that read alone count as well */
  const pl_decl *decl;
} name_search;

/* Whether what a text is made to hold may have a variable in it, by a name that is not
 * followed: a lambda, an object that is made by code, what is not shown. */
static bool has_inside(pl_node *node, const void *context) {
  const name_search *s = context;
  const pl_node *value = node->kind == PL_NODE_VAR && node->nkids && node->kids[0]
                             ? pl_node_bare(node->kids[0])
                             : node;
  const pl_type *type = node->decl ? node->decl->type : NULL;
  bool lambda = value->kind == PL_NODE_LAMBDA;
  bool record = node->kind == PL_NODE_VAR && value != node && type &&
                type->kind == PL_TYPE_RECORD && !type->is_trivially_copyable;
  bool opaque = node->kind == PL_NODE_OTHER_DECL ||
                (node->kind == PL_NODE_RANGE_FOR && !pl_node_is_array_range(node));
  if ((!lambda && !record && !opaque) || is_its_own(value, s->decl) ||
      !pl_mentions(value, s->decl))
    return false;
  return !(lambda && s->loop && reads_alone(s->loop, value, s->decl));
}

const pl_node *pl_other_name(const pl_loop *loop, const pl_decl *decl, bool reads) {
  name_search search = {reads ? loop : NULL, decl};
  const pl_node *inside = pl_node_find(loop->func->body, has_inside, &search);
  return inside ? inside : pl_led_to((pl_loop *)loop, loop->func->body, decl);
}

bool pl_has_second_name(const pl_loop *loop, pl_decl *decl) {
  if (!decl->knows_names)
    decl->has_second_name = pl_other_name(loop, decl, false);
  decl->knows_names = true;
  return decl->has_second_name;
}

static bool is_made_from(pl_node *node, const void *decl) {
  const pl_type *type = node->decl ? node->decl->type : NULL;
  return node->kind == PL_NODE_VAR && node->decl != decl && type &&
         type->kind == PL_TYPE_RECORD && pl_mentions(node, decl);
}

bool pl_is_of_iteration(const pl_loop *loop, const pl_decl *decl) {
  return pl_declared_inside(decl, loop->body) && !decl->is_static &&
         !(decl->type && decl->type->kind == PL_TYPE_REFERENCE) &&
         !(loop->cond && pl_mentions(loop->cond, decl)) &&
         !pl_has_second_name(loop, (pl_decl *)decl) &&
         !pl_node_find(loop->body, is_made_from, decl);
}
