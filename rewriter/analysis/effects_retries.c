/* effects_retries.c - which loops of compare-and-swap are an atomic like the others?
 *
 * Needs: the effects of one. Gives: what is left of them.
 *
 *     do { seen = old; old = atomicCAS(p, seen, f(seen)); } while (seen != old);
 *
 * waits for nobody: it goes round again where another thread came between, and only
 * then. It is the atomic that sets *p to f(*p) (CUDA C++ Programming Guide, Atomic
 * Functions: any atomic can be made so), which orders nothing where nobody asks for
 * what it found. */
#include "call_summary.h"
#include "effects_parts.h"

#include "reaching_definitions.h"
#include "sets.h"

/* The loop, and its parts. */
typedef struct retry {
  const pl_func *func;
  pl_node *loop, *body;
  pl_node *call;
  const pl_decl *seen, *old;
  uint32_t takes, swaps; /* statements of the body: seen = old; old = atomicCAS(); */
} retry;

/* What is left of a value that is taken as another type, bit by bit:
 * `__float_as_int(x)`, `(int)x`. */
static pl_node *without_casts(pl_node *node) {
  node = node ? pl_node_bare(node) : NULL;
  while (node && (node->kind == PL_NODE_CAST ||
                  (node->kind == PL_NODE_CALL && node->nkids == 2 &&
                   pl_str_starts(node->name, "__") && pl_str_has(node->name, "_as_"))))
    node = pl_node_bare(node->kids[node->nkids - 1]);
  return node;
}

static const pl_decl *own_variable(pl_node *node) {
  node = without_casts(node);
  return node && node->kind == PL_NODE_REF && node->decl &&
                 pl_is_private(node->decl) && node->decl->node
             ? node->decl
             : NULL;
}

static bool is_assignment(const pl_node *node) {
  return node && node->kind == PL_NODE_ASSIGN && node->op == PL_OP_ASSIGN;
}

/* `seen != old`, and the assignments that make them so. */
static bool find_parts(retry *r) {
  const pl_node *cond = pl_node_bare(r->loop->kids[1]);
  if (r->body->kind != PL_NODE_COMPOUND || cond->kind != PL_NODE_BINARY ||
      cond->op != PL_OP_NE)
    return false;
  const pl_decl *sides[] = {own_variable(cond->kids[0]), own_variable(cond->kids[1])};
  for (uint32_t i = 0; i < r->body->nkids; i++) {
    pl_node *set = r->body->kids[i];
    pl_node *value = is_assignment(set) ? without_casts(set->kids[1]) : NULL;
    const pl_decl *to = value ? own_variable(set->kids[0]) : NULL;
    if (!to || (to != sides[0] && to != sides[1]))
      continue;
    const pl_decl *other = to == sides[0] ? sides[1] : sides[0];
    if (value->kind == PL_NODE_CALL && pl_calls_builtin(value, "atomicCAS")) {
      r->call = value;
      r->old = to;
      r->swaps = i;
    } else if (other && own_variable(value) == other) {
      r->seen = to;
      r->takes = i;
    }
  }
  return r->call && r->seen && r->old && r->seen != r->old && r->takes < r->swaps &&
         own_variable(pl_argument(r->call, 1)) == r->seen;
}

typedef struct wanted {
  const pl_decl *decl;
  bool is_set;
} wanted;

static void note_set(pl_decl *decl, void *context) {
  wanted *w = context;
  w->is_set |= decl == w->decl;
}

static bool visit_sets(pl_node *node, void *context) {
  wanted *w = context;
  w->is_set |= !pl_each_set(node, note_set, w);
  return true;
}

static bool sets(pl_node *node, const pl_decl *decl) {
  wanted w = {decl, false};
  pl_node_walk(node, visit_sets, &w);
  return w.is_set;
}

/* What is compared is what was seen, and nothing else: `old` may be set on the way to
 * the call alone, `seen` once. */
static bool compares_what_it_saw(const retry *r) {
  for (uint32_t i = 0; i < r->body->nkids; i++) {
    bool between = i > r->takes && i < r->swaps;
    if (i != r->takes && sets(r->body->kids[i], r->seen))
      return false;
    if (i != r->swaps && !between && sets(r->body->kids[i], r->old))
      return false;
  }
  return !sets(r->loop->kids[1], r->seen) && !sets(r->loop->kids[1], r->old) &&
         !pl_node_has(r->body, PL_NODE_CONTINUE) &&
         !pl_node_has(r->body, PL_NODE_RETURN) && !pl_node_has(r->body, PL_NODE_GOTO);
}

/* Whether a variable of the thread's own is read, or set, or a part of it. */
static bool is_of_own(const pl_effect *e) {
  const pl_decl *decl = e->root.decl;
  if ((e->kind != PL_EFFECT_READ && e->kind != PL_EFFECT_WRITE) || !pl_is_private(decl) ||
      pl_is_reference(decl->type))
    return false;
  return e->direct || (e->space == PL_SPACE_LOCAL && !e->root.member.n &&
                       pl_is_plain_value(decl->type));
}

/* Whether a loop does no more than to read, and to set variables of the thread's own. */
static bool sets_own_alone(const pl_effects *effects, size_t first,
                           const pl_node *call) {
  for (size_t i = first; i < effects->n; i++) {
    const pl_effect *e = &effects->items[i];
    bool swap = e->kind == PL_EFFECT_ATOMIC && e->node == call;
    if (e->kind != PL_EFFECT_READ && !is_of_own(e) && !swap)
      return false;
  }
  return true;
}

bool pl_is_like_an_atomic(const pl_walk *w, const pl_func *func) {
  if (!func->body || !func->nparams || !pl_is_pointer(func->params[0]->type) ||
      pl_is_reference(func->params[0]->type))
    return false;
  const pl_effects *effects = &pl_summarise(w->context, func)->effects;
  for (size_t i = 0; i < effects->n; i++) {
    const pl_effect *e = &effects->items[i];
    bool access = e->kind == PL_EFFECT_READ || e->kind == PL_EFFECT_WRITE ||
                  (e->kind == PL_EFFECT_ATOMIC && e->given_back);
    bool its_own = access && pl_param_index(func, e->root.decl) == 0;
    if (!its_own && !is_of_own(e))
      return false;
  }
  return true;
}

/* Names of a variable behind a loop that does not stand in another one, that are no
 * part of what the function gives back. */
typedef struct later_uses {
  const pl_decl *decl;
  const pl_node *loop;
  bool used;
} later_uses;

static bool find_later(pl_node *node, void *context) {
  later_uses *u = context;
  if (node == u->loop)
    return false;
  if (node->kind == PL_NODE_RETURN && !pl_in_lambda(node))
    return false;
  u->used |= pl_names_var(node, u->decl) && node->range.begin >= u->loop->range.end;
  return true;
}

static bool is_given_back_alone(const retry *r, const pl_decl *decl) {
  for (const pl_node *up = r->loop->parent; up; up = up->parent)
    if (pl_node_is_loop(up) || up->kind == PL_NODE_LAMBDA)
      return false;
  later_uses u = {decl, r->loop, false};
  pl_node_walk(r->func->body, find_later, &u);
  return !u.used;
}

typedef enum fate { DROPPED, GIVEN_BACK, USED } fate;

/* What becomes of what the loop found. */
static fate fate_of(const retry *r, const pl_effects *effects, size_t first) {
  fate all = DROPPED;
  for (size_t i = first; i < effects->n; i++) {
    const pl_decl *decl = effects->items[i].root.decl;
    if (effects->items[i].kind != PL_EFFECT_WRITE ||
        pl_is_live_behind(decl, r->loop) == PL_NO)
      continue;
    if (!is_given_back_alone(r, decl))
      return USED;
    all = GIVEN_BACK;
  }
  return all;
}

void pl_settle_retry(pl_walk *w, pl_node *loop, size_t first) {
  retry r = {.func = w->func, .loop = loop, .body = loop->kids[0]};
  if (!w->func || w->entered || !find_parts(&r) || !compares_what_it_saw(&r) ||
      !sets_own_alone(w->out, first, r.call) || !pl_is_own_atomic(w, r.call))
    return;
  fate what = fate_of(&r, w->out, first);
  for (size_t i = first, n = w->out->n; i < n && what != USED; i++) {
    pl_effect *e = &w->out->items[i];
    if (e->kind != PL_EFFECT_ATOMIC || e->space == PL_SPACE_SHARED)
      continue;
    e->given_back = what == GIVEN_BACK;
    if (what == DROPPED)
      pl_drop_old_value(w, i);
  }
}
