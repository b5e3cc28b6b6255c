/* events_cell_loops.c - loops of a load, in any of their turns.
 *
 * Needs: a loop. Gives: what its body fills in turn n, for each n that the loop makes. What
 * a turn adds the same to has a closed form then, any number of variables, wherever that is
 * done once a turn: in the step, among the body's statements, where the condition asks. Turn
 * n is made where the condition holds of all turns up to it. Raises: nothing. */
#include "effects_parts.h"
#include "events_cells.h"
#include "reaching_definitions.h"
#include "sets.h"

static const pl_cell_sum unknown;
static const pl_cell_place nowhere;

enum { MOST_SET = 16, MOST_STEPS = 4 };

/* A variable that is set in a loop. */
typedef struct counter {
  const pl_decl *decl;
  pl_node *steps[MOST_STEPS];
  size_t nsteps, nsets; /* all that set it */
  bool is_counted;      /* by steps alone, each once a turn */
  bool is_carried;      /* ... it is not, and a turn reads what the one before has left */
  pl_cell_variable begin;
  pl_cell_sum next; /* what a turn makes of `@0`, ..., of those that are carried */
  pl_cell_sum by; /* in a turn; of a pointer, in bytes */
  const pl_iset *asked; /* where the condition comes to its step; NULL: everywhere */
} counter;

typedef struct turns {
  pl_cell_reading *r;
  pl_node *node, *init, *condition, *step, *body;
  bool is_late; /* the condition is asked behind the body */
  bool continues; /* some turns leave a part of the body out */
  const char *own;
  counter items[MOST_SET];
  size_t n;
  const pl_iform *first; /* the turn that the loop begins with */
  pl_node *at; /* find_steps: what sets */
  const pl_iset *holds, *before; /* in turn n: the condition, and in all ahead of it */
  bool has_terms, has_turns; /* those do, that threads or iterations may differ in */
  const char *last; /* the turn that the condition ends the loop in */
} turns;

static void lose(pl_cell_reading *r) { r->is_lost = true; }

static bool is_continue(pl_node *node, const void *context) {
  (void)context;
  return node->kind == PL_NODE_CONTINUE;
}

static void take_apart(turns *t) {
  bool is_for = t->node->kind == PL_NODE_FOR;
  t->is_late = t->node->kind == PL_NODE_DO;
  t->init = is_for ? t->node->kids[0] : NULL;
  t->condition = t->node->kids[is_for || t->is_late];
  t->step = is_for ? t->node->kids[2] : NULL;
  t->body = pl_node_loop_body(t->node);
  t->continues = pl_node_find(t->body, is_continue, NULL);
}

/* ---- what is set ------------------------------------------------------------------ */

static bool has_value(const pl_decl *decl) {
  return pl_is_wide_integer(decl->type) || decl->type->kind == PL_TYPE_POINTER;
}

static counter *counter_of(turns *t, const pl_decl *decl) {
  for (size_t i = 0; i < t->n; i++)
    if (t->items[i].decl == decl)
      return &t->items[i];
  return NULL;
}

static void find_sets(turns *t, pl_node *node) {
  pl_effects effects = {0};
  if (node)
    pl_effects_of(t->r->effects, t->r->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *e = &effects.items[i];
    const pl_decl *decl = e->root.decl;
    bool writes = e->kind == PL_EFFECT_WRITE || e->kind == PL_EFFECT_ATOMIC;
    if ((!writes && (e->kind != PL_EFFECT_ESCAPE || !decl)) || e->space != PL_SPACE_LOCAL ||
        (decl && (pl_is_declared_in(decl, t->body) ||
                  pl_is_callees_own(t->r->func, decl, node))))
      continue;
    if (!decl || t->n == MOST_SET)
      return lose(t->r);
    if (!counter_of(t, decl))
      t->items[t->n++] = (counter){.decl = decl, .is_counted = has_value(decl)};
    counter_of(t, decl)->is_counted &= writes && !e->by_call;
  }
}

static bool names(const pl_node *node, const pl_decl *decl) {
  return pl_names_var(pl_node_bare((pl_node *)node), decl);
}

bool pl_cell_is_step(const pl_node *node, pl_cell_step *step) {
  bool adds = pl_node_is_step(node) || node->kind == PL_NODE_ASSIGN;
  const pl_node *to = adds ? pl_node_bare(node->kids[0]) : NULL;
  if (!to || to->kind != PL_NODE_REF || !to->decl)
    return false;
  *step = (pl_cell_step){.decl = to->decl};
  if (pl_node_is_step(node)) {
    step->is_down = node->op == PL_OP_PREDEC || node->op == PL_OP_POSTDEC;
    return true;
  }
  const pl_node *sum = node->op == PL_OP_ASSIGN ? pl_node_bare(node->kids[1]) : node;
  bool other = node->op == PL_OP_ASSIGN &&
               (sum->kind != PL_NODE_BINARY || !sum->type || !to->type ||
                pl_no_reference(sum->type)->kind != pl_no_reference(to->type)->kind);
  bool first = !other && names(sum->kids[0], to->decl);
  step->is_down = sum->op == PL_OP_SUB;
  if (other || (sum->op != PL_OP_ADD && (sum->op != PL_OP_SUB || !first)) ||
      (!first && !names(sum->kids[1], to->decl)))
    return false;
  step->by = sum->kids[first];
  return !step->by->type || pl_no_reference(step->by->type)->kind != PL_TYPE_FLOAT;
}

static bool is_count(const pl_node *node, const pl_decl *decl) {
  pl_cell_step step;
  return pl_cell_is_step(node, &step) && step.decl == decl;
}

/* Whether each turn comes to a node once, if the condition holds. */
static bool is_each_turn(const turns *t, const pl_node *node) {
  for (const pl_node *up = node->parent;
       up && node != t->body && node != t->step && node != t->condition;
       node = up, up = up->parent) {
    bool plain = up->kind == PL_NODE_COMPOUND || up->kind == PL_NODE_PAREN ||
                 up->kind == PL_NODE_CAST ||
                 (up->kind == PL_NODE_UNARY && up->op == PL_OP_LNOT) ||
                 (up->kind == PL_NODE_BINARY && (up->op != PL_OP_LOR || up->kids[0] == node)) ||
                 up == t->node;
    if (!plain)
      return false;
  }
  return node == t->body || node == t->step || node == t->condition;
}

static void note_step(pl_decl *decl, void *context) {
  turns *t = context;
  counter *c = counter_of(t, decl);
  if (!c)
    return;
  c->nsets++;
  c->is_counted &= is_count(t->at, decl) && c->nsteps < MOST_STEPS &&
                   is_each_turn(t, t->at) && !(t->continues && pl_node_within(t->at, t->body));
  if (c->is_counted)
    c->steps[c->nsteps++] = t->at;
}

static bool find_steps(pl_node *node, void *context) {
  turns *t = context;
  t->at = node;
  pl_each_set(node, note_step, t);
  return true;
}

typedef struct mentions {
  const pl_decl *decl;
  int n;
} mentions;

static bool count_mention(pl_node *node, void *context) {
  mentions *m = context;
  m->n += node->kind == PL_NODE_REF && node->decl == m->decl;
  return true;
}

static bool is_in(const pl_node *node, const pl_node *in) {
  return in && pl_node_within(node, in);
}

/* What the condition moves on it names in no other place. */
static void check_condition(const turns *t, counter *c) {
  mentions m = {.decl = c->decl};
  bool moves = false;
  for (size_t i = 0; i < c->nsteps; i++)
    moves |= is_in(c->steps[i], t->condition);
  if (t->condition)
    pl_node_walk(t->condition, count_mention, &m);
  c->is_counted &= c->nsteps && (!moves || m.n == 1);
}

static void find_counters(turns *t) {
  pl_node *parts[] = {t->condition, t->step, t->body};
  for (int i = 0; i < 3; i++)
    find_sets(t, parts[i]);
  for (int i = 0; i < 3; i++)
    if (parts[i])
      pl_node_walk(parts[i], find_steps, t);
  for (size_t i = 0; i < t->n; i++)
    check_condition(t, &t->items[i]);
}

/* ---- values ------------------------------------------------------------------------- */

static bool is_pointer(const pl_decl *decl) { return decl->type->kind == PL_TYPE_POINTER; }

static void bind_unknown(pl_cell_reading *r, const pl_decl *decl) {
  pl_cell_bind(r, (pl_cell_variable){.decl = decl, .is_place = is_pointer(decl)});
}

static pl_cell_variable moved(pl_cell_variable v, pl_cell_sum by, int64_t times) {
  v.value = pl_sum_add(v.value, by, times);
  v.place.at = pl_sum_add(v.place.at, by, times);
  v.place.is_known &= v.place.at.is_known;
  return v;
}

static bool is_known(const pl_cell_variable *v) {
  return v->is_place ? v->place.is_known : v->value.is_known;
}

pl_cell_sum pl_cell_step_of(pl_cell_reading *r, const pl_node *node) {
  pl_cell_step step;
  if (!pl_cell_is_step(node, &step))
    return unknown;
  const pl_type *type = pl_node_bare(node->kids[0])->type;
  int64_t size = type && type->kind == PL_TYPE_POINTER && type->element ? type->element->size
                                                                       : 1;
  pl_cell_sum by = step.by ? pl_sum_of(r, step.by) : pl_number_sum(r, 1);
  if (step.by && pl_is_wide_integer(type))
    by = pl_converted(r, by, step.by->type, type);
  return size > 0 ? pl_sum_times(r, by, pl_number_sum(r, step.is_down ? -size : size)) : unknown;
}

/* ... of those steps that stand in a node; NULL: anywhere. */
static pl_cell_sum steps_in(const turns *t, const counter *c, const pl_node *in) {
  pl_cell_sum sum = {.is_known = true};
  for (size_t i = 0; i < c->nsteps; i++)
    if (!in || is_in(c->steps[i], in))
      sum = pl_sum_add(sum, pl_cell_step_of(t->r, c->steps[i]), 1);
  return sum;
}

/* What a variable is ahead of the first turn. */
static pl_cell_variable value_now(pl_cell_reading *r, const counter *c) {
  pl_node *name = pl_node_bare(c->steps[0]->kids[0]);
  pl_cell_variable made = {.decl = c->decl, .is_place = is_pointer(c->decl), .is_counted = true,
                           .value = unknown, .place = nowhere};
  if (made.is_place)
    made.place = pl_place_led_to(r, name);
  else
    made.value = pl_sum_of(r, name);
  return made;
}

/* Whether what is added names nothing that the loop sets. */
static bool adds_the_same(const turns *t, const counter *c) {
  pl_cell_step step;
  for (size_t i = 0; i < c->nsteps; i++)
    for (size_t k = 0; k < t->n && pl_cell_is_step(c->steps[i], &step) && step.by; k++)
      if (pl_mentions(step.by, t->items[k].decl))
        return false;
  return true;
}

static void find_closed_forms(turns *t) {
  pl_cell_reading *r = t->r;
  size_t nbound = r->nbound;
  for (size_t i = 0; i < t->n; i++)
    if (t->items[i].is_counted)
      t->items[i].begin = value_now(r, &t->items[i]);
  for (size_t i = 0; i < t->n; i++)
    PL_PUSH(r->arena, r->bound, r->nbound, r->bound_cap,
            ((pl_cell_variable){.decl = t->items[i].decl,
                                .is_place = is_pointer(t->items[i].decl)}));
  for (size_t i = 0; i < t->n; i++) {
    counter *c = &t->items[i];
    if (!c->is_counted)
      continue;
    c->by = steps_in(t, c, NULL);
    pl_cell_sum all = pl_sum_times(r, pl_form_sum(pl_iform_name(r->ints, t->own)), c->by);
    pl_cell_variable in_turn = moved(c->begin, all, 1);
    c->is_counted = c->by.is_known && is_known(&in_turn) && adds_the_same(t, c);
  }
  r->nbound = nbound;
}

/* In a turn: ahead of its condition, or of its body. */
static pl_cell_variable in_turn(const turns *t, const counter *c, pl_cell_sum turn, bool asks) {
  pl_cell_variable made = moved(c->begin, pl_sum_times(t->r, turn, c->by), 1);
  if (asks && t->is_late)
    made = moved(made, steps_in(t, c, t->body), 1);
  if (!asks && !t->is_late && t->condition)
    made = moved(made, steps_in(t, c, t->condition), 1);
  return made;
}

static pl_cell_sum any_turn(const turns *t) {
  return pl_form_sum(pl_iform_name(t->r->ints, t->own));
}

static void bind_counters(const turns *t, bool asks) {
  for (size_t i = 0; i < t->n; i++)
    if (t->items[i].is_counted)
      pl_cell_bind(t->r, in_turn(t, &t->items[i], any_turn(t), asks));
}

/* Whether a turn reads what the one before has left of a number that is no counter. */
static bool may_be_carried(const turns *t, const counter *c) {
  const pl_cell_reading *r = t->r;
  return !c->is_counted && pl_is_number_or_enum(c->decl->type) && c->decl->type->size > 0 &&
         !pl_cell_is_moved_on(r, c->decl) && !pl_cell_bound_to(r, c->decl) &&
         pl_cell_is_filled(r, c->decl) && pl_first_use_in(t->body, c->decl) == PL_READS;
}

/* By so many of a name, `2 * blockDim.x`, a turn; NULL: that is none. */
static const pl_cell_term *steps_by_name(const counter *c) {
  const pl_cell_term *by = c->is_counted && c->by.n == 1 ? &c->by.items[0] : NULL;
  return by && by->symbol.n && by->is_number && by->number > 0 ? by : NULL;
}

static bool hangs_on_ends(const pl_cell_reading *r, const pl_iform *form) {
  bool found = false;
  for (int i = 0; i < r->counters && !found; i++)
    found = pl_iform_has(form, pl_arena_printf(r->arena, "m%d", i).p);
  return found;
}

/* How many turns a loop would have made to come to where this one begins: a number, or as many
 * as one ahead of it has made; NULL: none. */
static const pl_iform *turns_ahead(const pl_cell_reading *r, const counter *c) {
  const pl_cell_term *by = steps_by_name(c);
  const pl_cell_sum *begin = c->begin.is_place ? &c->begin.place.at : &c->begin.value;
  for (size_t i = 0; i < begin->n && by; i++) {
    const pl_cell_term *t = &begin->items[i];
    if (!pl_str_eq(t->symbol, by->symbol))
      continue;
    if (t->is_number && t->number > 0 && t->number % by->number == 0)
      return pl_iform_number(r->ints, t->number / by->number);
    return by->number == 1 && hangs_on_ends(r, t->by) ? t->by : NULL;
  }
  return NULL;
}

/* `i = t + 2 * blockDim.x; ...; i += blockDim.x`: the turns are the third one on of a loop
 * that begins with `t`, and have the numbers that they have there. Sets do not say of a step
 * that is no number that both come to the same. */
static void number_from_origin(turns *t) {
  const pl_iform *ahead = NULL;
  for (size_t i = 0; i < t->n; i++)
    if (may_be_carried(t, &t->items[i]))
      return;
  for (size_t i = 0; i < t->n && !ahead; i++)
    ahead = turns_ahead(t->r, &t->items[i]);
  if (!ahead)
    return;
  t->first = ahead;
  for (size_t i = 0; i < t->n; i++)
    if (t->items[i].is_counted)
      t->items[i].begin = moved(t->items[i].begin,
                                pl_sum_times(t->r, pl_form_sum(ahead), t->items[i].by), -1);
}

/* What is set otherwise may be what another turn has left. */
static void hide_others(const turns *t) {
  for (size_t i = 0; i < t->n; i++) {
    const counter *c = &t->items[i];
    if (!c->is_counted && !may_be_carried(t, c) && has_value(c->decl) &&
        (pl_cell_is_moved_on(t->r, c->decl) || pl_cell_bound_to(t->r, c->decl) ||
         pl_first_use_in(t->body, c->decl) == PL_READS))
      bind_unknown(t->r, c->decl);
  }
}

/* ---- how many turns ------------------------------------------------------------------- */

static bool names_counter(const turns *t, const pl_node *node) {
  bool found = false;
  for (size_t i = 0; i < t->n && !found; i++)
    found = t->items[i].is_counted && pl_mentions(node, t->items[i].decl);
  return found;
}

static bool is_positive(const pl_node *node) {
  return node->has_ival ? node->ival > 0 : node->type && pl_no_reference(node->type)->is_unsigned;
}

/* Whether it goes up where the counters in it do: not `n - i`, nor what memory holds at i. */
static bool goes_up(const turns *t, const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  if (!names_counter(t, node) || node->kind == PL_NODE_REF || pl_node_is_step(node))
    return true;
  if (node->kind == PL_NODE_CAST)
    return goes_up(t, node->kids[0]);
  if (node->kind != PL_NODE_BINARY)
    return false;
  const pl_node *a = node->kids[0], *b = pl_node_bare(node->kids[1]);
  switch (node->op) {
  case PL_OP_ADD: return goes_up(t, a) && goes_up(t, b);
  case PL_OP_SUB: return goes_up(t, a) && !names_counter(t, b);
  case PL_OP_MUL:
    return names_counter(t, a) ? is_positive(b) && !names_counter(t, b) && goes_up(t, a)
                               : is_positive(pl_node_bare((pl_node *)a)) && goes_up(t, b);
  case PL_OP_DIV:
  case PL_OP_SHR: return is_positive(b) && !names_counter(t, b) && goes_up(t, a);
  default: return false;
  }
}

/* Whether what holds of a turn holds of each one ahead of it: no counter is compared with
 * another one, and each goes up. */
static bool is_bound(const turns *t, const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  if (node->kind != PL_NODE_BINARY)
    return false;
  if (node->op == PL_OP_LAND)
    return is_bound(t, node->kids[0]) && is_bound(t, node->kids[1]);
  bool bound = (node->op == PL_OP_LT || node->op == PL_OP_LE) && goes_up(t, node->kids[0]);
  for (size_t i = 0; i < t->n && bound; i++) {
    const counter *c = &t->items[i];
    int64_t by;
    if (c->is_counted && pl_mentions(node, c->decl))
      bound = !pl_mentions(node->kids[1], c->decl) &&
              (!pl_sum_is_number(&c->by, &by) || by > 0);
  }
  return bound;
}

/* Where no earlier turn ends the loop. */
static const pl_iset *all_ahead(const turns *t, const pl_iset *holds) {
  pl_integers *ints = t->r->ints;
  const char *const gone[] = {"earlier"};
  const pl_iform *own = pl_iform_name(ints, t->own), *first = t->first;
  const pl_iform *other = pl_iform_name(ints, gone[0]);
  const pl_iset *made = pl_iset_compare(own, PL_OP_GE, first);
  const pl_iset *ends = pl_iset_renamed(pl_iset_minus(pl_iset_all(ints), holds), t->own, gone[0]);
  ends = pl_iset_and(pl_iset_and(ends, pl_iset_compare(other, PL_OP_GE, first)),
                     pl_iset_compare(other, PL_OP_LT, own));
  return pl_iset_minus(made, pl_iset_project(ends, gone, 1));
}

/* `a && b-- > 0`: where a holds. */
static const pl_iset *asked_of(const turns *t, const counter *c) {
  const pl_iset *all = NULL;
  for (size_t i = 0; i < c->nsteps && c->is_counted; i++)
    for (const pl_node *node = c->steps[i], *up = node->parent;
         is_in(c->steps[i], t->condition) && node != t->condition; node = up, up = up->parent)
      if (up->op == PL_OP_LAND && node == up->kids[1]) {
        const pl_iset *own = pl_cell_condition(t->r, up->kids[0]);
        all = all ? pl_iset_and(all, own) : own;
      }
  return all;
}

/* NULL: it is not known. */
static const pl_iset *find_turns(turns *t) {
  pl_cell_reading *r = t->r;
  const pl_iset *first = pl_iset_compare(pl_iform_name(r->ints, t->own), PL_OP_GE,
                                         t->first);
  bool around = r->has_turns;
  if (!t->condition)
    return NULL;
  for (size_t i = 0; i < t->n; i++)
    if (!t->items[i].is_counted && pl_mentions(t->condition, t->items[i].decl))
      return NULL;
  r->has_turns = r->wraps = false;
  r->asks++;
  t->holds = pl_cell_condition(r, t->condition);
  for (size_t i = 0; i < t->n; i++)
    t->items[i].asked = asked_of(t, &t->items[i]);
  r->asks--;
  bool bound = is_bound(t, t->condition) && !t->is_late && !r->wraps;
  bool open = r->has_turns;
  r->has_turns |= around;
  if (open && !bound)
    return NULL;
  t->before = bound ? first : all_ahead(t, t->holds);
  return t->is_late ? t->before : pl_iset_and(t->before, t->holds);
}

/* The header, word for word: of a loop around the names of which are told apart. */
static const pl_iset *turns_by_term(turns *t) {
  pl_cell_reading *r = t->r;
  const pl_node *var = t->init && t->init->kind == PL_NODE_DECL_STMT && t->init->nkids == 1
                           ? t->init->kids[0] : NULL;
  counter *c = var && var->decl ? counter_of(t, var->decl) : NULL;
  pl_node *step = t->step;
  if (!c || !var->nkids || !var->kids[0] || t->is_late || !t->condition || !step ||
      !(pl_node_is_step(step) || step->kind == PL_NODE_ASSIGN) ||
      !names(step->kids[0], c->decl) || c->nsets != 1)
    return NULL;
  pl_cell_sum since = pl_sum_add(any_turn(t), pl_form_sum(t->first), -1);
  const pl_type *type = c->decl->type;
  pl_str kind = pl_arena_printf(r->arena, "%s%lld", pl_cell_kind_of(type), (long long)type->size);
  pl_cell_sum parts[4] = {pl_sum_of(r, var->kids[0]), since};
  pl_cell_sum counted = pl_term(r, pl_arena_printf(r->arena, "counter %.*s", PL_FMT(kind)),
                                parts, 2);
  pl_cell_bind(r, (pl_cell_variable){.decl = c->decl, .value = counted});
  parts[2] = pl_sum_of(r, t->condition);
  parts[3] = step->kind == PL_NODE_ASSIGN ? pl_sum_of(r, step->kids[1]) : pl_number_sum(r, 1);
  pl_cell_sum value = pl_term(r, pl_arena_printf(r->arena, "counter %.*s %s %d", PL_FMT(kind),
                                                 pl_op_name(step->op),
                                                 step->kind == PL_NODE_ASSIGN), parts, 4);
  c->is_counted = false;
  pl_cell_bind(r, (pl_cell_variable){.decl = c->decl, .value = value});
  return value.is_known ? pl_iset_compare(pl_iform_name(r->ints, t->own), PL_OP_GE,
                                          t->first) : NULL;
}

/* `for (int e = c * tid; ...; e += c * threads)` of any number of threads, which are
 * counted along some axes: all threads' turns are c times each number from zero on, and
 * whose they are does not count. */
static bool deals_out(turns *t) {
  pl_cell_reading *r = t->r;
  counter *c = t->n ? &t->items[0] : NULL;
  pl_cell_sum rank = pl_number_sum(r, 0), threads = pl_number_sum(r, 1);
  size_t counted = 0;
  for (size_t i = 0; i < t->n; i++)
    if (t->items[i].is_counted) {
      counted++;
      c = &t->items[i];
    }
  if (!r->is_choice || r->path != r->begin || counted != 1 || c->begin.is_place ||
      c->nsteps != 1 || !is_in(c->steps[0], t->step))
    return false;
  for (int axis = 0; axis < 3; axis++) {
    pl_cell_sum own = pl_form_sum(pl_iform_name(r->ints, pl_cell_threads[axis]));
    int ranked;
    rank = pl_sum_ranked(r, pl_sum_add(rank, pl_sum_times(r, own, threads), 1), &ranked);
    threads = pl_sum_times(r, threads, pl_block_sum(r, axis));
    if (ranked && !pl_sum_hangs_on(r, &c->begin.value, pl_cell_threads[ranked]))
      continue;
    for (int64_t by = 1; by <= 16; by *= 2) {
      pl_cell_sum first = pl_sum_times(r, rank, pl_number_sum(r, by));
      pl_cell_sum all = pl_sum_times(r, threads, pl_number_sum(r, by));
      if (!first.is_known || !all.is_known || !pl_same_sum(&c->begin.value, &first, r->path) ||
          !pl_same_sum(&c->by, &all, r->path))
        continue;
      c->begin.value = pl_number_sum(r, 0);
      c->by = pl_number_sum(r, by);
      r->taken |= (2 << axis) - 1;
      r->asked |= r->taken;
      return true;
    }
  }
  return false;
}

/* ---- the loop --------------------------------------------------------------------------- */

/* What counts down from a number that has no sign stays one. */
static bool keeps_signs(const turns *t, const pl_iset *goes_on) {
  const pl_iset *in = pl_iset_and(t->r->path, goes_on);
  for (size_t i = 0; i < t->n; i++) {
    const counter *c = &t->items[i];
    int64_t by;
    if (!c->is_counted || c->begin.is_place || !c->decl->type->is_unsigned ||
        !pl_sum_is_number(&c->by, &by) || by >= 0)
      continue;
    pl_cell_variable now = in_turn(t, c, any_turn(t), false);
    const pl_iform *form = pl_sum_linear(t->r, &now.value);
    if (pl_iset_is_subset(in, pl_iset_compare(form, PL_OP_GE,
                                              pl_iform_number(t->r->ints, 0))) != PL_YES)
      return false;
  }
  return true;
}

static bool is_of_header(const turns *t, const pl_decl *decl) {
  return t->init && t->init->kind == PL_NODE_DECL_STMT && pl_is_declared_in(decl, t->init);
}

/* Where a name stands for the turn in which the condition ends the loop: it holds of the one
 * ahead, which has a name as well. */
static const pl_iset *ends_in(const turns *t, const char *last, const char *ahead) {
  pl_cell_reading *r = t->r;
  const pl_iform *own = pl_iform_name(r->ints, last), *before = pl_iform_name(r->ints, ahead);
  const pl_iset *ends = pl_cell_set_renamed(r, pl_iset_minus(t->before, t->holds), t->own, last);
  const pl_iset *goes_on = pl_cell_set_renamed(r, pl_iset_and(t->before, t->holds), t->own, ahead);
  const pl_iset *is_first = pl_iset_compare(own, PL_OP_EQ, t->first);
  const pl_iset *next = pl_iset_compare(
      before, PL_OP_EQ, pl_iform_sub(own, pl_iform_number(r->ints, 1)));
  return pl_iset_and(pl_iset_and(ends, next), pl_iset_or(is_first, goes_on));
}

/* How many turns there were, by a name of its own: *there is where it stands for that. */
static pl_cell_sum last_turn(turns *t, const pl_iset **there) {
  pl_cell_reading *r = t->r;
  pl_cell_ends made = {.last = pl_arena_printf(r->arena, "m%d", r->counters).p,
                       .ahead = pl_arena_printf(r->arena, "m%d", r->counters + 1).p};
  r->counters += 2;
  made.there = ends_in(t, made.last, made.ahead);
  PL_PUSH(r->arena, r->ends, r->nends, r->ends_cap, made);
  t->last = made.last;
  *there = pl_iset_and(r->path, made.there);
  return *there && !r->loops ? pl_form_sum(pl_iform_name(r->ints, t->last)) : unknown;
}

/* What the condition adds when it ends the loop. */
static pl_cell_sum asked_last(const turns *t, const counter *c) {
  pl_integers *ints = t->r->ints;
  pl_cell_sum by = steps_in(t, c, t->condition);
  if (!c->asked)
    return by;
  int64_t number;
  const pl_iset *comes = pl_cell_set_renamed(t->r, c->asked, t->own, t->last);
  return pl_sum_is_number(&by, &number)
             ? pl_form_sum(pl_iform_choose(comes, pl_iform_number(ints, number),
                                           pl_iform_number(ints, 0)))
             : unknown;
}

/* What a variable is behind the last turn. */
static void bind_ends(turns *t) {
  pl_cell_reading *r = t->r;
  const pl_iset *there = NULL;
  pl_cell_sum turn = unknown;
  for (size_t i = 0; i < t->n; i++) {
    const counter *c = &t->items[i];
    bool moved_on = pl_cell_is_moved_on(r, c->decl);
    if (is_of_header(t, c->decl) || (!c->is_counted && !moved_on && !pl_cell_bound_to(r, c->decl)))
      continue;
    bool due = c->is_counted && t->holds &&
               (moved_on || pl_is_live_behind(c->decl, t->node) != PL_NO);
    bind_unknown(r, c->decl);
    if (due && !turn.is_known)
      turn = last_turn(t, &there);
    if (!due || !turn.is_known)
      continue;
    pl_cell_variable end = in_turn(t, c, turn, true);
    end = moved(end, asked_last(t, c), 1);
    end.is_counted = false;
    end.is_end = moved_on;
    pl_cell_bind(r, end);
  }
  if (!turn.is_known)
    return;
  r->path = there;
  r->has_terms |= t->has_terms;
  r->has_turns |= t->has_turns;
}

static bool steps_alone(const turns *t, const pl_node *node) {
  if (!node)
    return true;
  if (node->kind == PL_NODE_BINARY && node->op == PL_OP_COMMA)
    return steps_alone(t, node->kids[0]) && steps_alone(t, node->kids[1]);
  for (size_t i = 0; i < t->n; i++)
    for (size_t k = 0; k < t->items[i].nsteps; k++)
      if (t->items[i].steps[k] == node && t->items[i].is_counted)
        return true;
  return false;
}

/* ---- what a turn makes of what the one before has left ---------------------------- */

/* Finds those, and what they begin with. */
static size_t find_carried(turns *t) {
  pl_cell_reading *r = t->r;
  size_t found = 0;
  for (size_t i = 0; i < t->n; i++) {
    counter *c = &t->items[i];
    pl_cell_sum begin = may_be_carried(t, c) ? pl_cell_given(r, c->decl) : unknown;
    c->is_carried = begin.is_known;
    c->begin.value = begin.is_known ? begin : c->begin.value;
    if (c->is_carried)
      PL_PUSH(r->arena, r->carried, r->ncarried, r->carried_cap,
              ((pl_cell_carried){c->decl, t->node}));
    found += c->is_carried;
  }
  return found;
}

static void run_body(const turns *t) {
  const pl_iset *gone = t->r->gone;
  t->r->gone = NULL;
  pl_run_fills(t->r, t->body);
  t->r->gone = gone;
}

/* What a turn makes of `@0`, ...: the body is executed for that alone. */
static void find_next(turns *t) {
  pl_cell_reading *r = t->r;
  pl_cell_reading was = *r;
  was.fills = PL_NEW_ARRAY(r->arena, pl_cell_fill, r->nfills + 1);
  was.bound = PL_NEW_ARRAY(r->arena, pl_cell_variable, r->nbound + 1);
  was.fills_cap = r->nfills + 1;
  was.bound_cap = r->nbound + 1;
  for (size_t i = 0; i < r->nfills; i++)
    was.fills[i] = r->fills[i];
  for (size_t i = 0; i < r->nbound; i++)
    was.bound[i] = r->bound[i];
  for (size_t i = 0, n = 0; i < t->n; i++)
    if (t->items[i].is_carried)
      pl_cell_give(r, t->items[i].decl,
                   pl_symbol_sum(r, pl_arena_printf(r->arena, "@%d.%zu", r->loops, n++)));
  run_body(t);
  r->path = was.path;
  for (size_t i = 0; i < t->n; i++)
    t->items[i].next = t->items[i].is_carried && !r->is_lost
                           ? pl_cell_given(r, t->items[i].decl) : unknown;
  was.counters = r->counters;
  was.most_loops = r->most_loops;
  was.taken = r->taken;
  was.named = r->named;
  was.is_lost = r->is_lost;
  *r = was;
}

/* ... and so what they hold in a turn. */
static void give_in_turn(const turns *t, pl_cell_sum turn) {
  pl_cell_sum parts[2 * MOST_SET + 1];
  size_t n = 0, which = 0;
  for (size_t i = 0; i < t->n; i++)
    if (t->items[i].is_carried) {
      parts[n++] = t->items[i].begin.value;
      parts[n++] = t->items[i].next;
    }
  parts[n++] = turn;
  for (size_t i = 0; i < t->n && !t->r->is_lost; i++)
    if (t->items[i].is_carried)
      pl_cell_give(t->r, t->items[i].decl, pl_term_of_turns(t->r, which++, parts, n));
}

static void give_carried(turns *t) {
  if (!find_carried(t))
    return;
  find_next(t);
  give_in_turn(t, any_turn(t));
}

/* How many turns there are, if that is one number wherever this is. */
static pl_cell_sum number_of_turns(const turns *t) {
  pl_cell_reading *r = t->r;
  int64_t number;
  if (t->is_late || !t->holds || !r->path)
    return unknown;
  const pl_iset *ends =
      pl_iset_and(r->path, pl_iset_minus(all_ahead(t, t->holds), t->holds));
  return pl_iset_fixes(ends, t->own, &number) ? pl_number_sum(r, number) : unknown;
}

/* What they hold behind the loop. */
static void end_carried(const turns *t) {
  bool found = false;
  for (size_t i = 0; i < t->n; i++)
    found |= t->items[i].is_carried;
  pl_cell_sum last = found && !t->r->is_lost ? number_of_turns(t) : unknown;
  if (last.is_known)
    give_in_turn(t, last);
  for (size_t i = 0; i < t->n && !last.is_known; i++)
    if (t->items[i].is_carried)
      bind_unknown(t->r, t->items[i].decl);
}

void pl_run_loop(pl_cell_reading *r, pl_node *node) {
  turns t = {.r = r, .node = node, .first = pl_iform_number(r->ints, 0)};
  const pl_cell_reading was = *r;
  take_apart(&t);
  if (t.init)
    pl_run_fills(r, t.init);
  t.own = pl_arena_printf(r->arena, "n%d", r->loops).p;
  find_counters(&t);
  if (r->is_lost)
    return;
  r->loops++;
  r->most_loops = r->loops > r->most_loops ? r->loops : r->most_loops;
  PL_PUSH(r->arena, r->runs, r->nruns, r->runs_cap, was.run);
  const int run = r->run = (int)r->nruns;
  find_closed_forms(&t);
  bool dealt = deals_out(&t);
  if (!dealt)
    number_from_origin(&t);
  if (dealt)
    r->named = was.named;
  hide_others(&t);
  bind_counters(&t, true);
  const pl_iset *goes_on = steps_alone(&t, t.step) ? find_turns(&t) : NULL;
  if (!goes_on)
    goes_on = turns_by_term(&t);
  else if (!keeps_signs(&t, goes_on))
    goes_on = NULL;
  t.has_terms = r->has_terms;
  t.has_turns = r->has_turns;
  bind_counters(&t, false);
  r->path = pl_iset_and(r->path, goes_on);
  if (r->path && !dealt)
    give_carried(&t);
  if (r->path && !r->is_lost)
    run_body(&t);
  r->ncarried = was.ncarried;
  r->is_lost |= !r->path;
  r->loops--;
  r->run = was.run;
  pl_leave_turns(r, t.body, t.own, run);
  r->taken = was.taken;
  r->path = was.path;
  r->has_terms = was.has_terms;
  r->has_turns = was.has_turns;
  bind_ends(&t);
  end_carried(&t);
}
