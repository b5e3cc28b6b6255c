/* access_loops.c - what are the variables of a loop in an iteration of it?
 *
 * Needs: the text of a loop, and what its variables are where it begins. Gives: each
 * variable that steps as its first value and so many steps as iterations; how many
 * iterations there can be, by what the loop asks and by where its stores lie, and so
 * whether a step wraps around. A short loop whose variables do something else is run
 * iteration by iteration. Raises: nothing. */
#include "access.h"
#include "cfg.h"
#include "copies.h"
#include "values.h"

#define MOST_LOOPS 6     /* one inside the other */
#define MOST_UNROLLED 16 /* iterations */
#define MOST_SHARED 232448 /* bytes that a block can have */
#define LARGE_STEP ((int64_t)1 << 30)
#define MORE_ROUNDS 16 /* times as many, by other numbers */

/* One loop, and what its variables do. */
typedef struct pl_loop_run {
  pl_node *node, *cond, *next, *body;
  pl_kept set;        /* its values: where the loop begins */
  pl_typed *start;    /* in an iteration, of which nothing is known */
  pl_typed *after;    /* behind it */
  bool *never_wraps;  /* its steps, to the end */
  bool *stays;        /* its steps from one iteration to the next, by its stores */
  struct pl_loop_run *outer; /* that is tried, too */
  const pl_where *path; /* where an iteration begins */
  pl_turns *turns;
  const pl_func *func;
  bool open;          /* other numbers may give it more rounds */
} loop_run;

/* ---- an iteration of which nothing is known ------------------------------ */

static void run_body(pl_accesses *of, const loop_run *r) {
  pl_access_run(of, r->body);
  if (r->next)
    pl_access_value(of, r->next);
}

/* Runs one, to see what it changes. */
static void try_body(pl_accesses *of, loop_run *r) {
  r->outer = of->tried;
  of->trials++;
  of->tried = r;
  for (size_t i = 0; i < r->set.n; i++)
    pl_access_forget_one(of, r->set.items[i]);
  r->start = pl_access_values(of, &r->set);
  if (r->cond && r->node->kind != PL_NODE_DO)
    pl_access_decide(of, r->cond);
  run_body(of, r);
  if (r->cond && r->node->kind == PL_NODE_DO)
    pl_access_decide(of, r->cond);
  r->after = pl_access_values(of, &r->set);
  of->trials--;
  of->tried = r->outer;
}

/* How often a form has what a variable is where an iteration begins. */
static int64_t count_start(const loop_run *r, size_t i, const pl_affine *form) {
  const pl_affine *start = r->start[i].is;
  for (uint32_t k = 0; start->n == 1 && k < form->n; k++)
    if (form->terms[k].name == start->terms[0].name)
      return form->terms[k].by;
  return 0;
}

/* Whether a form is the same in all iterations. */
static bool is_invariant(pl_accesses *of, const loop_run *r,
                         const pl_affine *form) {
  const pl_turns *turns = pl_affine_turns(&of->names, form);
  return !turns || turns->depth < r->turns->depth;
}

/* Whether something that holds in an iteration of a loop around does, or does not, in
 * all of them: it asks for no more than which iterations of inner loops it is in. */
static bool is_name_settled(const pl_accesses *of, const loop_run *r,
                            uint32_t name) {
  const pl_affine_name *at = &of->names.names[name];
  if (!at->turns || at->turns->depth < r->turns->depth)
    return true;
  if (at->kind == PL_NAME_FREE)
    return at->turns->depth > r->turns->depth && at->turns->counter == name;
  for (int side = 0; side < 2; side++) {
    const pl_affine *part = side ? at->with : at->of;
    for (uint32_t i = 0; part && i < part->n; i++)
      if (!is_name_settled(of, r, part->terms[i].name))
        return false;
  }
  return true;
}

static bool is_settled(const pl_accesses *of, const loop_run *r,
                       const pl_where *where) {
  if (!where)
    return true;
  for (uint32_t i = 0; where->of && i < where->of->n; i++)
    if (!is_name_settled(of, r, where->of->terms[i].name))
      return false;
  return where->of || (is_settled(of, r, where->a) && is_settled(of, r, where->b));
}

/* Whether control comes to a place in all iterations of a loop, or in none. What ends
 * a loop inside early is not seen there. */
static bool is_in_each(const pl_accesses *of, const loop_run *r) {
  const pl_where *at = of->path;
  if (of->func != r->func ||
      (of->turns != r->turns &&
       (pl_node_has(r->body, PL_NODE_BREAK) || pl_node_has(r->body, PL_NODE_RETURN) ||
        pl_node_has(r->body, PL_NODE_GOTO))))
    return false;
  while (at && at != r->path && at->op == PL_OP_LAND && is_settled(of, r, at->b))
    at = at->a;
  return at == r->path || (!r->path && is_settled(of, r, at));
}

/* Whether a form is `by` times a variable, and the same in each iteration but for some
 * bytes. */
static bool moves_with(pl_accesses *of, const loop_run *r, const pl_affine *at,
                       size_t i, int64_t by) {
  pl_affine *rest = (pl_affine *)pl_affine_add(&of->names, at, r->start[i].is, -by);
  uint32_t n = 0;
  for (uint32_t k = 0; k < rest->n; k++)
    if (!is_name_settled(of, r, rest->terms[k].name))
      rest->terms[n++] = rest->terms[k];
  rest->n = n;
  pl_interval range = pl_affine_range(&of->names, rest);
  return range.least > -MOST_SHARED && range.largest < MOST_SHARED;
}

/* The store is made in each iteration, each time within a tile: what it moves by is
 * what the variable steps by, which cannot have wrapped. */
void pl_access_watch(pl_accesses *of, const pl_affine *at) {
  for (loop_run *r = of->tried; r && r->start; r = r->outer)
    for (size_t i = 0; i < r->set.n; i++) {
      int64_t by = count_start(r, i, at);
      if (by > 0 && is_in_each(of, r) && moves_with(of, r, at, i, by))
        r->stays[i] = true;
    }
}

/* ---- steps --------------------------------------------------------------- */

/* Whether a part of the text sets a variable. */
static bool sets(pl_accesses *of, pl_node *node, const pl_decl *decl) {
  const struct pl_written *w = pl_access_written(of, node);
  for (size_t i = 0; i < w->n; i++)
    if (w->items[i] == decl)
      return true;
  return false;
}

/* Whether an iteration may leave out what a variable steps by. */
static bool is_passed_over(pl_accesses *of, const loop_run *r, size_t i) {
  return pl_cfg_jump_out(r->body, PL_JUMP_CONTINUE) && sets(of, r->body, r->set.items[i]);
}

/* By how much a variable steps in an iteration that goes to its end; NULL: it does
 * something else. */
static const pl_affine *full_step(pl_accesses *of, const loop_run *r, size_t i) {
  pl_typed start = r->start[i], after = r->after[i];
  const pl_affine *by = pl_affine_add(&of->names, after.is, start.is, -1);
  return after.bytes == start.bytes && after.bytes && is_invariant(of, r, by) ? by : NULL;
}

/* The same whatever the iteration. */
static const pl_affine *step_of(pl_accesses *of, const loop_run *r, size_t i) {
  return is_passed_over(of, r, i) ? NULL : full_step(of, r, i);
}

/* A value that moves from iteration to iteration. */
typedef struct moving {
  pl_typed first;
  const pl_affine *by;
  bool exact; /* as long as the language says that it does not wrap */
} moving;

/* What is moving of a value that an iteration has, in terms of where it begins. */
static bool find_moving(pl_accesses *of, const loop_run *r, pl_typed value,
                        moving *m) {
  pl_affines *all = &of->names;
  *m = (moving){value, pl_affine_number(all, 0), value.exact && !value.is_unsigned};
  for (size_t i = 0; i < r->set.n; i++) {
    int64_t count = count_start(r, i, value.is);
    const pl_affine *by = count ? step_of(of, r, i) : NULL;
    if (!count)
      continue;
    if (!by)
      return false;
    pl_typed entry = r->set.values[i];
    m->first.is = pl_affine_add(all, m->first.is, r->start[i].is, -count);
    m->first.is = pl_affine_add(all, m->first.is, entry.is, count);
    m->by = pl_affine_add(all, m->by, by, count);
    m->exact = m->exact && entry.exact && !entry.is_unsigned && r->after[i].exact;
  }
  m->first.exact = m->exact;
  return is_invariant(of, r, m->first.is);
}

/* ---- how often? ---------------------------------------------------------- */

static void limit_count(pl_accesses *of, const loop_run *r, int64_t count) {
  pl_interval *range = &of->names.names[r->turns->counter].range;
  if (r->open)
    count = count < PL_UNBOUNDED / MORE_ROUNDS ? count * MORE_ROUNDS : PL_UNBOUNDED;
  if (count < range->largest)
    range->largest = count;
}

/* A value that steps up is at most so large in each iteration. Where one more step
 * is in its type, none wraps. */
static bool limit_up(pl_accesses *of, const loop_run *r, const moving *m,
                     int64_t largest) {
  pl_interval by = pl_affine_range(&of->names, m->by);
  pl_interval first = pl_affine_range(&of->names, m->first.is);
  pl_interval type = pl_integer_range(m->first.bytes, m->first.is_unsigned);
  bool begins = m->exact ||
                (first.least >= type.least && first.largest <= type.largest);
  if (by.least < 1 || by.largest >= PL_UNBOUNDED / 4 ||
      largest >= PL_UNBOUNDED / 4 || !begins)
    return false;
  bool is_do = r->node->kind == PL_NODE_DO;
  bool fits = largest + by.largest <= type.largest &&
              (!is_do || first.largest + by.largest <= type.largest);
  if (!fits && !m->exact)
    return false;
  if (first.least > -PL_UNBOUNDED)
    limit_count(of, r, largest < first.least
                           ? 1
                           : (largest - first.least) / by.least + 2);
  return fits;
}

/* A value without sign that steps down is at most so large in each iteration, which
 * it is not where it has wrapped. */
static void limit_wrap(pl_accesses *of, const loop_run *r, const moving *m,
                       int64_t largest) {
  pl_interval by = pl_affine_range(&of->names, m->by);
  pl_interval first = pl_affine_range(&of->names, m->first.is);
  int64_t type = pl_integer_range(m->first.bytes, true).largest;
  if (by.largest > -1 || by.least <= -type / 2 || first.least < 0 ||
      first.largest > type || largest > type + by.least)
    return;
  limit_count(of, r, first.largest / -by.largest + 2);
}

/* A value that steps down is at least so large in each iteration. */
static void limit_down(pl_accesses *of, const loop_run *r, const moving *m,
                       int64_t least) {
  pl_interval by = pl_affine_range(&of->names, m->by);
  pl_interval first = pl_affine_range(&of->names, m->first.is);
  pl_interval type = pl_integer_range(m->first.bytes, m->first.is_unsigned);
  if (by.largest > -1 || by.least <= -PL_UNBOUNDED / 4 ||
      least <= -PL_UNBOUNDED / 4 || first.largest >= PL_UNBOUNDED / 4 ||
      (!m->exact && (least + by.least < type.least || first.least < type.least ||
                     first.largest > type.largest ||
                     r->node->kind == PL_NODE_DO)))
    return;
  limit_count(of, r, first.largest < least
                         ? 1
                         : (first.largest - least) / -by.largest + 2);
}

/* `small < large`, which holds in each iteration. */
static void limit_by(pl_accesses *of, loop_run *r, pl_typed small,
                     pl_typed large, bool inclusive) {
  pl_affines *all = &of->names;
  moving m;
  int64_t largest = pl_typed_range(all, large).largest - !inclusive;
  bool turns_large = small.is_unsigned && large.bytes <= small.bytes &&
                     pl_typed_range(all, large).least < 0;
  if (small.bytes && !turns_large && find_moving(of, r, small, &m)) {
    bool fits = limit_up(of, r, &m, largest);
    for (size_t i = 0; fits && i < r->set.n; i++)
      if (pl_affine_equal(small.is, r->start[i].is))
        r->never_wraps[i] = true;
    if (small.is_unsigned)
      limit_wrap(of, r, &m, largest);
  }
  bool mixed = small.bytes != large.bytes || small.is_unsigned != large.is_unsigned;
  bool both_positive = pl_typed_range(all, small).least >= 0 && !large.is_unsigned;
  if (large.bytes >= 4 && (!mixed || both_positive || !small.bytes ||
                           pl_affine_is_number(small.is)) &&
      find_moving(of, r, large, &m))
    limit_down(of, r, &m, pl_typed_range(all, small).least + !inclusive);
}

/* The comparisons that a loop goes on by. */
static void limit_by_cond(pl_accesses *of, loop_run *r, pl_node *cond) {
  cond = cond ? pl_node_bare(cond) : NULL;
  if (!cond || cond->kind != PL_NODE_BINARY ||
      (pl_node_changes(cond) &&
       (cond->op == PL_OP_LAND || r->node->kind == PL_NODE_DO)))
    return;
  if (cond->op == PL_OP_LAND) {
    limit_by_cond(of, r, cond->kids[0]);
    limit_by_cond(of, r, cond->kids[1]);
  }
  bool up = cond->op == PL_OP_LT || cond->op == PL_OP_LE;
  bool down = cond->op == PL_OP_GT || cond->op == PL_OP_GE;
  if (!up && !down)
    return;
  limit_by(of, r, pl_access_value(of, cond->kids[up ? 0 : 1]),
           pl_access_value(of, cond->kids[up ? 1 : 0]),
           cond->op == PL_OP_LE || cond->op == PL_OP_GE);
}

/* Whether a variable of a loop inside of the tile loop is the same each time, so that
 * what was seen of it in one iteration of that holds in others. */
static bool is_same_each_time(const pl_accesses *of, const loop_run *r,
                              size_t i, const pl_affine *by) {
  return r->node != of->loop->node && r->set.values[i].exact &&
         pl_is_same_form(&of->names, r->set.values[i].is, PL_IN_ITERATIONS) &&
         pl_is_same_form(&of->names, by, PL_IN_ITERATIONS);
}

/* Steps that the place of a store in the tile says are made without wrapping. */
static void limit_by_stores(pl_accesses *of, loop_run *r) {
  for (size_t i = 0; i < r->set.n; i++) {
    const pl_affine *by = r->stays[i] ? step_of(of, r, i) : NULL;
    pl_interval range = by ? pl_affine_range(&of->names, by)
                           : (pl_interval){-PL_UNBOUNDED, PL_UNBOUNDED};
    r->stays[i] = range.least > -LARGE_STEP && range.largest < LARGE_STEP &&
                  r->start[i].bytes >= 4 &&
                  (!of->flags || is_same_each_time(of, r, i, by));
  }
}

/* ---- any iteration ------------------------------------------------------- */

/* What a variable is after so many steps as a name says. */
static pl_typed value_after(pl_accesses *of, const loop_run *r, size_t i,
                            const pl_affine *by, const pl_affine *steps,
                            bool inside) {
  pl_affines *all = &of->names;
  pl_typed value = r->set.values[i];
  value.is =
      pl_affine_add(all, value.is, pl_affine_multiply(all, steps, by), 1);
  bool fits = pl_is_in_type(pl_affine_range(all, value.is), value.bytes,
                            value.is_unsigned);
  bool begins = value.exact && (r->never_wraps[i] || (inside && r->stays[i]) ||
                                (!value.is_unsigned && r->after[i].exact));
  value.exact = fits || begins;
  return value;
}

/* A variable that one statement alone steps, in some iterations: by how often is not
 * known. */
static void set_some_steps(pl_accesses *of, const loop_run *r, size_t i) {
  const pl_decl *decl = r->set.items[i];
  pl_effects effects = {0};
  pl_effects_of(of->loop->effects, of->func, r->body, &effects);
  const pl_affine *by = pl_count_writes(&effects, decl) == 1 ? full_step(of, r, i) : NULL;
  pl_typed any = pl_access_meet(of, decl), value = r->set.values[i];
  if (!by || any.is->n != 1)
    return;
  const pl_affine *steps =
      pl_affine_free(&of->names, (pl_interval){0, PL_UNBOUNDED}, r->turns);
  of->names.names[steps->terms[0].name].common =
      pl_is_same_name(&of->names, any.is->terms[0].name, PL_IN_THREADS);
  value.is = pl_affine_add(&of->names, value.is, pl_affine_multiply(&of->names, steps, by), 1);
  value.exact = value.exact && !value.is_unsigned && r->after[i].exact;
  pl_access_bind(of, decl, value);
}

static void set_steps(pl_accesses *of, const loop_run *r,
                      const pl_affine *steps, bool inside) {
  for (size_t i = 0; i < r->set.n; i++) {
    const pl_affine *by = step_of(of, r, i);
    pl_typed value = by ? value_after(of, r, i, by, steps, inside) : r->start[i];
    if (of->flags && by && value.bytes && pl_affine_is_number(by))
      value = (pl_typed){pl_typed_form(&of->names, value), value.bytes,
                         value.is_unsigned, true};
    if (by && (value.exact || !of->flags || of->neighbours))
      pl_access_bind(of, r->set.items[i], value);
    else
      pl_access_forget_one(of, r->set.items[i]);
    if (of->neighbours && inside && is_passed_over(of, r, i))
      set_some_steps(of, r, i);
  }
}

static const pl_affine *counter_of(pl_accesses *of, const loop_run *r) {
  pl_affine *counter = pl_arena_alloc(
      of->names.arena, sizeof(pl_affine) + sizeof(pl_affine_term));
  counter->n = 1;
  counter->terms[0] = (pl_affine_term){r->turns->counter, 1};
  return counter;
}

/* Where the loop has ended by its condition, after some number of iterations. */
static void leave(pl_accesses *of, const loop_run *r, bool settled) {
  pl_interval range = of->names.names[r->turns->counter].range;
  bool by_cond = r->cond && r->node->kind != PL_NODE_DO &&
                 !pl_cfg_jump_out(r->body, PL_JUMP_BREAK | PL_JUMP_AWAY);
  if (by_cond) {
    const pl_affine *steps = pl_affine_free(&of->names, range, of->turns);
    of->names.names[steps->terms[0].name].settled = of->flags && settled;
    set_steps(of, r, steps, false);
    if (!of->flags) /* of all that is in it, control comes here or not */
      of->path = pl_where_both(&of->names, of->path,
                               pl_access_decide(of, r->cond).no);
  }
  for (size_t i = 0; !by_cond && i < r->set.n; i++)
    pl_access_forget_one(of, r->set.items[i]);
}

/* ---- all iterations ------------------------------------------------------ */

static bool rests_on(const pl_accesses *of, const pl_affine *form,
                     uint32_t name) {
  for (uint32_t i = 0; i < form->n; i++) {
    const pl_affine_name *at = &of->names.names[form->terms[i].name];
    if (form->terms[i].name == name || (at->of && rests_on(of, at->of, name)) ||
        (at->with && rests_on(of, at->with, name)))
      return true;
  }
  return false;
}

/* Whether some variable neither steps nor is set anew: it is made of what others,
 * or it, were before. */
static bool carries_more(pl_accesses *of, const loop_run *r) {
  for (size_t i = 0; i < r->set.n; i++)
    for (size_t k = 0; !step_of(of, r, i) && k < r->set.n; k++)
      if (r->start[k].is->n == 1 &&
          rests_on(of, r->after[i].is, r->start[k].is->terms[0].name))
        return true;
  return false;
}

/* One iteration after the other, as often as the loop can run. */
static void unroll(pl_accesses *of, const loop_run *r, int64_t count) {
  for (int64_t i = 0; i < count && !of->cut; i++) {
    if (r->cond && r->node->kind != PL_NODE_DO)
      of->path = pl_where_both(&of->names, of->path,
                               pl_access_decide(of, r->cond).yes);
    const pl_where *path = of->path;
    run_body(of, r);
    of->path = path;
    if (r->cond && r->node->kind == PL_NODE_DO)
      of->path = pl_where_both(&of->names, of->path,
                               pl_access_decide(of, r->cond).yes);
  }
}

/* Whether it is, and what its body sets does not depend on jumps. */
static bool is_short(pl_accesses *of, const loop_run *r) {
  bool jumps = pl_cfg_jump_out(r->body, PL_JUMP_CONTINUE) != NULL;
  for (size_t i = 0; jumps && i < r->set.n; i++)
    if (sets(of, r->body, r->set.items[i]))
      return false;
  return of->names.names[r->turns->counter].range.largest <= MOST_UNROLLED;
}

/* ---- a loop -------------------------------------------------------------- */

/* Whether a form that is below a bound in an iteration was so in those before. */
static bool climbs(const pl_accesses *of, const loop_run *r,
                   const pl_affine *form) {
  for (uint32_t i = 0; i < form->n; i++) {
    uint32_t at = form->terms[i].name, counter = r->turns->counter;
    const pl_affine_name *name = &of->names.names[at];
    if (!name->turns || name->turns->depth < r->turns->depth)
      continue;
    bool product = name->kind == PL_NAME_PRODUCT;
    bool left = product && name->of->terms[0].name == counter;
    bool right = product && name->with->terms[0].name == counter;
    const pl_affine *by = left ? name->with : right ? name->of : NULL;
    bool steps = by && left != right &&
                 is_invariant((pl_accesses *)of, r, by) &&
                 of->names.names[by->terms[0].name].range.least >= 0;
    bool quotient = name->kind == PL_NAME_FLOOR && climbs(of, r, name->of);
    if (form->terms[i].by < 0 || (at != counter && !steps && !quotient))
      return false;
  }
  return true;
}

/* Whether what holds in an iteration held in all before it: by its numbers, or each
 * time that the tile loop is in its body. */
static bool held_before(const pl_accesses *of, const loop_run *r,
                        const pl_where *where) {
  if (!where)
    return true;
  if (!where->of)
    return held_before(of, r, where->a) && held_before(of, r, where->b);
  return pl_is_same_form(&of->names, where->of, PL_IN_ITERATIONS) ||
         ((where->op == PL_OP_LT || where->op == PL_OP_LE) &&
          climbs(of, r, where->of));
}

typedef struct kinds_of_jumps {
  pl_loop *loop;
  unsigned kinds;
} kinds_of_jumps;

static bool is_varying_jump(pl_node *node, const void *context) {
  const kinds_of_jumps *k = context;
  return node->kind == PL_NODE_IF && pl_cfg_jump_out(node, k->kinds) &&
         pl_ever_varies(k->loop, node->kids[0]);
}

bool pl_access_jumps(const pl_accesses *of, pl_node *node, unsigned kinds) {
  kinds_of_jumps k = {of->loop, kinds};
  return of->flags && pl_cfg_jump_out(node, kinds) &&
         (of->wanted || pl_node_find(node, is_varying_jump, &k));
}

/* Whether an iteration of a loop inside of the tile loop may be left out although what
 * the loop asks holds there. */
static bool may_be_left_out(const pl_accesses *of, const loop_run *r,
                            const pl_where *goes_on) {
  return r->node != of->loop->node &&
         ((r->node->kind == PL_NODE_DO && pl_ever_varies(of->loop, r->cond)) ||
          !held_before(of, r, goes_on) ||
          pl_access_jumps(of, r->body, PL_JUMP_BREAK | PL_JUMP_AWAY));
}

static pl_turns *new_turns(pl_accesses *of) {
  pl_turns *turns = PL_NEW(of->names.arena, pl_turns);
  turns->outer = of->turns;
  turns->depth = of->turns ? of->turns->depth + 1 : 1;
  turns->counter = pl_affine_free(&of->names, (pl_interval){0, PL_UNBOUNDED},
                                  turns)->terms[0].name;
  of->names.names[turns->counter].settled = of->flags && (of->turns || !of->wanted);
  of->names.names[turns->counter].common =
      of->wanted && (!of->turns || of->neighbours);
  return turns;
}

static void begin(pl_accesses *of, loop_run *r) {
  pl_access_keep(of, &r->set, r->cond);
  pl_access_keep(of, &r->set, r->next);
  pl_access_keep(of, &r->set, r->body);
  r->set.values = pl_access_values(of, &r->set);
  r->stays = PL_NEW_ARRAY(of->names.arena, bool, r->set.n + 1);
  r->never_wraps = PL_NEW_ARRAY(of->names.arena, bool, r->set.n + 1);
  for (size_t i = 0; i < r->set.n; i++)
    if (!r->set.values[i].is_unsigned)
      r->set.values[i] = pl_typed_exact(&of->names, r->set.values[i]);
  r->path = of->path;
  r->func = of->func;
  r->turns = new_turns(of);
}

/* Tries an iteration, and sees what it says of all. */
static void look_at(pl_accesses *of, loop_run *r) {
  try_body(of, r);
  pl_access_restore(of, &r->set, r->start);
  limit_by_cond(of, r, r->cond);
  limit_by_stores(of, r);
}

void pl_access_loop(pl_accesses *of, pl_node *node, pl_node *cond,
                    pl_node *next) {
  loop_run r = {.node = node, .cond = cond, .next = next,
                .body = pl_node_loop_body(node)};
  const pl_turns *turns = of->turns;
  bool unsure = of->unsure, settled = false, in_more = of->in_more;
  r.open = of->rounds_open && cond && pl_may_be_another_number(of->loop->unit, cond);
  of->in_more |= r.open;
  begin(of, &r);
  of->cut = of->cut || r.turns->depth > MOST_LOOPS || !r.body;
  if (of->cut)
    return;
  of->turns = r.turns;
  look_at(of, &r);
  of->path = r.path;
  of->unsure = unsure;
  if (carries_more(of, &r) && is_short(of, &r) &&
      !(of->wanted && node == of->loop->node)) {
    of->unsure = unsure || may_be_left_out(of, &r, NULL);
    of->turns = turns;
    pl_access_restore(of, &r.set, r.set.values);
    unroll(of, &r, of->names.names[r.turns->counter].range.largest);
  } else {
    set_steps(of, &r, counter_of(of, &r), true);
    const pl_where *goes_on = cond && node->kind != PL_NODE_DO && !r.open
                                  ? pl_access_decide(of, cond).yes
                                  : NULL;
    of->path = pl_where_both(&of->names, r.path, goes_on);
    of->unsure = unsure || may_be_left_out(of, &r, goes_on);
    settled = goes_on && pl_is_settled(&of->names, goes_on);
    run_body(of, &r);
    if (cond && node->kind == PL_NODE_DO)
      pl_access_decide(of, cond);
  }
  of->unsure = unsure || pl_access_jumps(of, node, PL_JUMP_ANY);
  of->in_more = in_more;
  of->turns = turns;
  of->path = r.path;
  leave(of, &r, settled);
}
