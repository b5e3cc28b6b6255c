/* queues.c - a value that registers hand on from an earlier iteration, loaded again.
 *
 * Needs: an attempt in which a loop is refused because what fills a tile was loaded in an
 * iteration before. Gives: in the place of that value what loads it from where it was
 * loaded. Raises nothing.
 *
 *     top = u[at + (k + 1) * plane];           sh[t] = u[at + k * plane];
 *     sh[t] = here;                        for sh[t] = here;
 *     ...; here = top;
 *
 * This undoes scalar replacement (Callahan, Carr, Kennedy: Improving register allocation for
 * subscripted variables, PLDI 1990): the body is run in the head, as often as values may be
 * handed on, with loads as symbols. A value that is always of the load so many iterations
 * ago, and ahead of the first ones of a load that the same expression says for iterations
 * before the first, is what the memory holds, which is const __restrict__: nobody changes it
 * while the kernel runs. Compute keeps its registers. */
#include "alike.h"
#include "cfg.h"
#include "expansions.h"
#include "slices.h"
#include "values.h"

#include <string.h>

#define MOST_SLOTS 128
#define MOST_STEPS 8
#define MOST_COUNTERS 4
#define MOST_ITERATIONS 16 /* that a value is handed on for, and of copy loops four times as many */
#define AHEAD (-1)

/* What a variable holds: what a load gave, of an iteration, when the variables that step had
 * been stepped so often. */
typedef struct held {
  pl_node *load; /* NULL: not known */
  int iteration; /* AHEAD: before the loop */
  int steps[MOST_STEPS];
  const pl_decl *counter; /* of a copy loop around the load, and its value then */
  int64_t is;
} held;

typedef struct slot {
  const pl_decl *decl;
  int64_t index; /* of an array; 0 */
  held holds;
} slot;

typedef struct stepping {
  const pl_decl *decl;
  const pl_node *by; /* the first statement that steps it in the body */
  int steps, era;    /* so often since it was set otherwise, and how often that was */
} stepping;

/* How often, as one number: none of one era is near any of another. */
static int times_of(const stepping *of) { return of->era * 4096 + of->steps; }

typedef struct queues {
  pl_loop *loop;
  pl_arena *arena;
  slot slots[MOST_SLOTS];
  size_t nslots;
  stepping all[MOST_STEPS];
  size_t nsteps;
  struct {
    const pl_decl *decl;
    int64_t is;
  } counters[MOST_COUNTERS];
  size_t ncounters;
  int iteration;
  pl_node *use; /* of a value, by the statement that fills the tile */
  held used[MOST_ITERATIONS];
  int steps_at_use[MOST_STEPS];
} queues;

/* ---- numbers ---------------------------------------------------------------------------- */

static bool number_of(const queues *q, pl_node *node, int64_t *value) {
  const pl_alike plain = {.unit = q->loop->unit, .arena = q->arena};
  int64_t a, b;
  node = pl_node_bare(node);
  if (pl_alike_number(&plain, node, value))
    return true;
  for (size_t i = 0; node->kind == PL_NODE_REF && i < q->ncounters; i++)
    if (q->counters[i].decl == node->decl) {
      *value = q->counters[i].is;
      return true;
    }
  if (node->kind != PL_NODE_BINARY || !number_of(q, node->kids[0], &a) ||
      !number_of(q, node->kids[1], &b))
    return false;
  switch (node->op) {
  case PL_OP_ADD: return !__builtin_add_overflow(a, b, value);
  case PL_OP_SUB: return !__builtin_sub_overflow(a, b, value);
  case PL_OP_MUL: return !__builtin_mul_overflow(a, b, value);
  default: return false;
  }
}

/* ---- what is held ------------------------------------------------------------------------ */

/* The variable, or the element of an array, that an expression names; false: it names none
 * of the thread's own that goes by this name alone. */
static bool place_of(const queues *q, pl_node *node, const pl_decl **decl, int64_t *index) {
  node = pl_node_bare(node);
  pl_node *base = node->kind == PL_NODE_SUBSCRIPT ? pl_node_bare(node->kids[0]) : node;
  const pl_type *type = base->decl ? base->decl->type : NULL;
  *decl = base->decl;
  *index = 0;
  if (base->kind != PL_NODE_REF || !type || !pl_is_private(base->decl) || base->decl->is_static ||
      pl_has_second_name(q->loop, base->decl))
    return false;
  if (base == node)
    return pl_is_number_type(type);
  return type->kind == PL_TYPE_ARRAY && pl_is_number_type(type->element) &&
         number_of(q, node->kids[1], index);
}

static held *slot_of(queues *q, const pl_decl *decl, int64_t index) {
  for (size_t i = 0; i < q->nslots; i++)
    if (q->slots[i].decl == decl && q->slots[i].index == index)
      return &q->slots[i].holds;
  if (q->nslots == MOST_SLOTS)
    return NULL;
  q->slots[q->nslots] = (slot){.decl = decl, .index = index};
  return &q->slots[q->nslots++].holds;
}

/* `u[...]` of a parameter `const T *__restrict__ u`. */
static bool is_load(const queues *q, const pl_node *node) {
  pl_node *base = node->kind == PL_NODE_SUBSCRIPT ? pl_node_bare(node->kids[0]) : NULL;
  const pl_decl *decl = base && base->kind == PL_NODE_REF ? base->decl : NULL;
  const pl_root root = {.decl = (pl_decl *)decl};
  return decl && decl->kind == PL_DECL_PARAM && decl->type &&
         decl->type->kind == PL_TYPE_POINTER && decl->type->element->is_const &&
         !decl->type->element->is_volatile && pl_is_number_type(decl->type->element) &&
         q->loop->func->is_global && pl_is_restrict(q->loop->unit, root) &&
         !pl_assigned_anywhere(q->loop->func->body, decl);
}

static bool is_of_type(const pl_type *a, const pl_type *b) {
  return a && b && pl_str_eq(pl_behind_const(a->spelling), pl_behind_const(b->spelling));
}

static held value_of(queues *q, pl_node *node) {
  const pl_decl *decl;
  int64_t index;
  node = pl_node_bare(node);
  held value = {.load = NULL};
  if (place_of(q, node, &decl, &index)) {
    const held *from = slot_of(q, decl, index);
    return from ? *from : value;
  }
  if (!is_load(q, node))
    return value;
  value = (held){.load = node, .iteration = q->iteration};
  for (size_t i = 0; i < q->nsteps; i++)
    value.steps[i] = times_of(&q->all[i]);
  if (q->ncounters) {
    value.counter = q->counters[q->ncounters - 1].decl;
    value.is = q->counters[q->ncounters - 1].is;
  }
  return value;
}

/* ---- the body, in the head ----------------------------------------------------------------- */

/* What a statement that is not followed may set is not known behind it. */
static void forget(queues *q, const pl_node *stmt) {
  for (size_t i = 0; i < q->nslots; i++)
    if (pl_assigned_anywhere(stmt, q->slots[i].decl))
      q->slots[i].holds.load = NULL;
  for (size_t i = 0; i < q->nsteps; i++)
    q->all[i].era += pl_assigned_anywhere(stmt, q->all[i].decl);
}

static pl_node *stepped(pl_node *stmt) {
  bool step = pl_node_is_step(stmt) || (stmt->kind == PL_NODE_ASSIGN &&
                                        (stmt->op == PL_OP_ADD || stmt->op == PL_OP_SUB));
  pl_node *to = step ? pl_node_bare(stmt->kids[0]) : NULL;
  return to && to->kind == PL_NODE_REF ? to : NULL;
}

/* Whether two statements step a variable by one amount. */
static bool steps_alike(const queues *q, const pl_node *a, const pl_node *b) {
  const pl_alike plain = {.unit = q->loop->unit, .arena = q->arena};
  pl_node *x = (pl_node *)a, *y = (pl_node *)b;
  pl_str of_a, of_b;
  return pl_alike_form(&plain, &x, 1, &of_a) && pl_alike_form(&plain, &y, 1, &of_b) &&
         pl_str_eq(of_a, of_b);
}

static bool take_step(queues *q, pl_node *stmt) {
  pl_node *to = stepped(stmt);
  for (size_t i = 0; to && i < q->nsteps; i++)
    if (q->all[i].decl == to->decl && steps_alike(q, stmt, q->all[i].by)) {
      q->all[i].steps++;
      return true;
    }
  return false;
}

static bool take_assignment(queues *q, pl_node *stmt) {
  const pl_decl *decl;
  int64_t index;
  if (stmt->kind != PL_NODE_ASSIGN || stmt->op != PL_OP_ASSIGN ||
      pl_node_changes(stmt->kids[1]) || pl_node_has(stmt->kids[1], PL_NODE_LAMBDA) ||
      !place_of(q, stmt->kids[0], &decl, &index))
    return false;
  held value = value_of(q, stmt->kids[1]), *to = slot_of(q, decl, index);
  const pl_type *type = decl->type->kind == PL_TYPE_ARRAY ? decl->type->element : decl->type;
  if (value.load && !is_of_type(type, value.load->type))
    value.load = NULL;
  forget(q, stmt->kids[1]);
  for (size_t i = 0; i < q->nsteps; i++)
    q->all[i].era += q->all[i].decl == decl;
  if (to)
    *to = value;
  return to != NULL;
}

static void run(queues *q, pl_node *stmt);

static void declare(queues *q, pl_node *stmt) {
  for (uint32_t i = 0; i < stmt->nkids; i++) {
    pl_node *var = stmt->kids[i];
    const pl_decl *decl = var->kind == PL_NODE_VAR ? var->decl : NULL;
    forget(q, var);
    if (!decl || !decl->type)
      continue;
    for (size_t k = 0; k < q->nslots; k++)
      if (q->slots[k].decl == decl)
        q->slots[k].holds.load = NULL;
    for (size_t k = 0; k < q->nsteps; k++)
      q->all[k].era += q->all[k].decl == decl;
    bool plain = pl_is_private(decl) && pl_is_number_type(decl->type) && var->nkids == 1 &&
                 var->kids[0] && !pl_has_second_name(q->loop, (pl_decl *)decl);
    held value = plain ? value_of(q, var->kids[0]) : (held){.load = NULL};
    held *to = value.load && is_of_type(decl->type, value.load->type) ? slot_of(q, decl, 0) : NULL;
    if (to)
      *to = value;
  }
}

static bool goes_on(const queues *q, const pl_node *cond, bool *known) {
  int64_t a = 0, b = 0;
  cond = pl_node_bare((pl_node *)cond);
  *known = cond->kind == PL_NODE_BINARY && number_of(q, cond->kids[0], &a) &&
           number_of(q, cond->kids[1], &b);
  switch (*known ? cond->op : PL_OP_NONE) {
  case PL_OP_LT: return a < b;
  case PL_OP_LE: return a <= b;
  case PL_OP_GT: return a > b;
  case PL_OP_GE: return a >= b;
  case PL_OP_NE: return a != b;
  default: *known = false; return false;
  }
}

/* `for (int i = R - 1; i > 0; i--)`, as often as its numbers say; false: they do not. */
static bool run_copy_loop(queues *q, pl_node *node) {
  pl_node *init = node->kids[0], *cond = node->kids[1], *inc = node->kids[2];
  pl_node *var = init && init->kind == PL_NODE_DECL_STMT && init->nkids == 1 ? init->kids[0] : NULL;
  pl_node *body = pl_node_loop_body(node);
  int64_t begin = 0, by = 1;
  bool known = true;
  if (!var || var->kind != PL_NODE_VAR || !var->decl || !var->nkids || !cond || !inc || !body ||
      q->ncounters == MOST_COUNTERS || !number_of(q, var->kids[0], &begin) || !stepped(inc) ||
      stepped(inc)->decl != var->decl || pl_assigned_anywhere(body, var->decl) ||
      var->decl->type->kind != PL_TYPE_INT || pl_node_has(body, PL_NODE_BREAK) ||
      pl_node_has(body, PL_NODE_CONTINUE) || pl_node_has(body, PL_NODE_RETURN) ||
      (inc->kind == PL_NODE_ASSIGN && !number_of(q, inc->kids[1], &by)))
    return false;
  bool down = inc->kind == PL_NODE_ASSIGN ? inc->op == PL_OP_SUB
                                          : inc->op == PL_OP_PREDEC || inc->op == PL_OP_POSTDEC;
  q->counters[q->ncounters].decl = var->decl;
  q->counters[q->ncounters++].is = begin;
  size_t own = q->ncounters - 1;
  int n = 0;
  while (goes_on(q, cond, &known) && known && n++ < 4 * MOST_ITERATIONS) {
    run(q, body);
    q->counters[own].is += down ? -by : by;
  }
  q->ncounters--;
  if (!known || n > 4 * MOST_ITERATIONS)
    forget(q, node);
  return true;
}

static void run(queues *q, pl_node *stmt) {
  if (!stmt || take_step(q, stmt) || take_assignment(q, stmt))
    return;
  if (stmt->kind == PL_NODE_COMPOUND)
    for (uint32_t i = 0; i < stmt->nkids; i++)
      run(q, stmt->kids[i]);
  else if (stmt->kind == PL_NODE_DECL_STMT)
    declare(q, stmt);
  else if (stmt->kind != PL_NODE_FOR || !run_copy_loop(q, stmt))
    forget(q, stmt);
}

/* ---- the load that a value is of -------------------------------------------------------- */

static void find_steps(queues *q) {
  const pl_node *body = q->loop->body;
  for (uint32_t i = 0; i < body->nkids; i++) {
    pl_node *to = body->kids[i] ? stepped(body->kids[i]) : NULL;
    bool known = !to || !to->decl || !pl_is_private(to->decl) || q->nsteps == MOST_STEPS ||
                 to->decl->type->kind != PL_TYPE_INT;
    for (size_t k = 0; k < q->nsteps; k++)
      known = known || q->all[k].decl == to->decl;
    if (!known)
      q->all[q->nsteps++] = (stepping){.decl = to->decl, .by = body->kids[i]};
  }
}

/* Runs what stands ahead of the loop in its block, and then the loop. */
static bool find_values(queues *q) {
  const pl_node *block = q->loop->node->parent, *body = q->loop->body;
  if (!block || block->kind != PL_NODE_COMPOUND || body->kind != PL_NODE_COMPOUND)
    return false;
  find_steps(q);
  q->iteration = AHEAD;
  for (uint32_t i = 0; i < block->nkids && block->kids[i] != q->loop->node; i++)
    run(q, block->kids[i]);
  for (q->iteration = 0; q->iteration < MOST_ITERATIONS; q->iteration++)
    for (uint32_t i = 0; i < body->nkids; i++) {
      if (body->kids[i] && pl_node_within(q->use, body->kids[i])) {
        q->used[q->iteration] = value_of(q, q->use);
        for (size_t k = 0; k < q->nsteps; k++)
          q->steps_at_use[k] = times_of(&q->all[k]);
      }
      run(q, body->kids[i]);
    }
  return true;
}

static bool has_steps(const queues *q, const held *value, const held *like, int apart) {
  for (size_t k = 0; k < q->nsteps; k++)
    if (pl_mentions(like->load, q->all[k].decl) && value->steps[k] != like->steps[k] + apart)
      return false;
  return true;
}

static const pl_decl *counter_of(const queues *q, int64_t *begins, int64_t *step) {
  const pl_node *init = q->loop->init, *inc = q->loop->inc;
  pl_node *var = init && init->kind == PL_NODE_DECL_STMT && init->nkids == 1 ? init->kids[0] : NULL;
  pl_node *to = inc ? stepped((pl_node *)inc) : NULL;
  if (!var || !var->decl || !var->nkids || !to || to->decl != var->decl ||
      var->decl->type->kind != PL_TYPE_INT || !number_of(q, var->kids[0], begins) ||
      pl_assigned_anywhere(q->loop->body, var->decl))
    return NULL;
  *step = 1;
  if (inc->kind == PL_NODE_ASSIGN && !number_of(q, inc->kids[1], step))
    return NULL;
  if (inc->op == PL_OP_SUB || inc->op == PL_OP_PREDEC || inc->op == PL_OP_POSTDEC)
    *step = -*step;
  return var->decl;
}

/* Whether what was loaded ahead of the loop is what the load says for an iteration, below
 * zero. */
static bool is_before(const queues *q, const held *ahead, const held *load, int iteration) {
  int64_t begins = 0, step = 0;
  const pl_decl *counter = counter_of(q, &begins, &step);
  pl_alike in = {.unit = q->loop->unit, .arena = q->arena, .counter = counter, .is_known = counter,
                 .is = begins + iteration * step};
  pl_alike of = {.unit = q->loop->unit, .arena = q->arena, .counter = ahead->counter,
                 .is_known = ahead->counter, .is = ahead->is};
  pl_node *a = ahead->load, *b = load->load;
  pl_str of_a, of_b;
  return (counter || !q->loop->init || !pl_node_find(b, pl_is_named_inside, q->loop->init)) &&
         pl_alike_form(&of, &a, 1, &of_a) && pl_alike_form(&in, &b, 1, &of_b) &&
         pl_str_eq(of_a, of_b);
}

/* For how many iterations a value is handed on; 0: that is not known, or it is none. */
static int handed_on_for(const queues *q) {
  const held *last = &q->used[MOST_ITERATIONS - 1];
  int lag = last->load ? MOST_ITERATIONS - 1 - last->iteration : 0;
  if (lag <= 0 || lag > MOST_ITERATIONS / 2 || last->counter)
    return 0;
  for (int i = 0; i < MOST_ITERATIONS; i++) {
    const held *value = &q->used[i];
    int apart = i - (MOST_ITERATIONS - 1);
    bool fine = i >= lag ? value->load == last->load && value->iteration == i - lag
                         : value->load && value->iteration == AHEAD &&
                               is_before(q, value, last, i - lag);
    if (!fine || !has_steps(q, value, last, apart))
      return 0;
  }
  return lag;
}

/* ---- text -------------------------------------------------------------------------------- */

typedef struct shifting {
  const queues *q;
  const pl_node *load;
  int lag;
  pl_replacements parts;
  bool fine;
} shifting;

/* Whether a variable is the same at the use. */
static bool stays(const queues *q, const pl_decl *decl) {
  return (decl->kind != PL_DECL_VAR && decl->kind != PL_DECL_PARAM) ||
         (!decl->is_shared && !pl_assigned_anywhere(q->loop->func->body, decl) &&
          !pl_declared_inside(decl, q->loop->body) &&
          !pl_has_second_name(q->loop, (pl_decl *)decl) &&
          (decl->kind == PL_DECL_PARAM || pl_only_value(decl)));
}

/* A sum in the place of a name: in parentheses but where it stands alone. */
static pl_str in_place(const shifting *s, const pl_node *node, pl_str sum) {
  const pl_node *up = node->parent;
  bool alone = up && (up->kind == PL_NODE_PAREN ||
                      (up->kind == PL_NODE_SUBSCRIPT && up->kids[1] == node));
  return alone ? sum : pl_arena_printf(s->q->arena, "(%.*s)", PL_FMT(sum));
}

/* `k + 1`, or `k` alone, of the iteration so many before. */
static void shift_counter(shifting *s, pl_node *node, int64_t by) {
  pl_node *up = node->parent;
  int64_t more = 0;
  pl_range range = node->range;
  bool sum = up && up->kind == PL_NODE_BINARY && up->op == PL_OP_ADD && up->kids[0] == node &&
             up->kids[1]->kind == PL_NODE_INT && !up->from_macro &&
             is_of_type(up->type, node->decl->type) && number_of(s->q, up->kids[1], &more);
  pl_str name = node->decl->name;
  more = sum ? more - by : -by;
  if (sum)
    range = up->range;
  if (sum && !more && up->parent && up->parent->kind == PL_NODE_PAREN)
    range = up->parent->range;
  s->fine = s->fine && (more >= 0 || !node->decl->type->is_unsigned);
  pl_str text = !more ? name
                      : pl_arena_printf(s->q->arena, "%.*s %s %lld", PL_FMT(name),
                                        more < 0 ? "-" : "+", (long long)(more < 0 ? -more : more));
  pl_put(s->q->arena, &s->parts, range, sum || !more ? text : in_place(s, node, text));
}

/* Whether a name stands in a sum that does what is undone: `at + plane` of `at - plane`. */
static bool is_undone(const queues *q, const pl_node *node, pl_op op, const pl_node *by, int n) {
  const pl_node *up = node->parent;
  int64_t more = 0;
  if (!up || up->kind != PL_NODE_BINARY || up->op != op || up->kids[0] != node ||
      up->from_macro || !is_of_type(up->type, node->decl->type))
    return false;
  if (!by)
    return up->kids[1]->kind == PL_NODE_INT && number_of(q, up->kids[1], &more) && more == n;
  return n == 1 && by->kind == PL_NODE_REF && up->kids[1]->kind == PL_NODE_REF &&
         up->kids[1]->decl == by->decl;
}

static void shift_step(shifting *s, pl_node *node, const stepping *of, int times) {
  const pl_node *by = of->by;
  bool one = by->kind != PL_NODE_ASSIGN, down = by->op == PL_OP_SUB || by->op == PL_OP_PREDEC ||
                                               by->op == PL_OP_POSTDEC;
  const char *sign = (times > 0) != down ? "-" : "+";
  int n = times < 0 ? -times : times;
  const pl_type *type = node->decl->type;
  const char *wide = n > 1 && !type->is_unsigned && type->size < 8 ? "LL" : "";
  pl_str amount = one ? PL_STR("1") : pl_unit_slice(s->q->loop->unit, by->kids[1]->range);
  bool plain = one || by->kids[1]->kind == PL_NODE_REF || by->kids[1]->kind == PL_NODE_INT;
  s->fine = s->fine && !by->from_macro && (one || !by->kids[1]->from_macro) &&
            type->size >= 4;
  if (!n)
    return;
  if (is_undone(s->q, node, *sign == '-' ? PL_OP_ADD : PL_OP_SUB, one ? NULL : by->kids[1], n)) {
    const pl_node *sum = node->parent, *around = sum->parent;
    pl_put(s->q->arena, &s->parts,
           around && around->kind == PL_NODE_PAREN ? around->range : sum->range,
           node->decl->name);
    return;
  }
  pl_str text = n == 1 ? pl_arena_printf(s->q->arena, plain ? "%.*s %s %.*s" : "%.*s %s (%.*s)",
                                         PL_FMT(node->decl->name), sign, PL_FMT(amount))
                       : pl_arena_printf(s->q->arena,
                                         plain ? "%.*s %s %d%s * %.*s" : "%.*s %s %d%s * (%.*s)",
                                         PL_FMT(node->decl->name), sign, n, wide, PL_FMT(amount));
  pl_put(s->q->arena, &s->parts, node->range, in_place(s, node, text));
}

static bool is_changing(pl_node *node, const void *context) {
  const queues *q = context;
  return node->kind == PL_NODE_REF && node->decl && !stays(q, node->decl);
}

static bool shift_name(pl_node *node, void *context) {
  shifting *s = context;
  const queues *q = s->q;
  int64_t begins, step;
  switch (node->kind) {
  case PL_NODE_CALL: case PL_NODE_ASSIGN: case PL_NODE_LAMBDA: case PL_NODE_UNKNOWN:
  case PL_NODE_CONSTRUCT: case PL_NODE_ASM:
    s->fine = false;
    return false;
  default:
    s->fine = s->fine && !node->from_macro && !pl_node_is_step(node);
  }
  if (node->kind != PL_NODE_REF || !node->decl)
    return s->fine;
  if (node->decl == counter_of(q, &begins, &step)) {
    shift_counter(s, node, s->lag * step);
    return s->fine;
  }
  for (size_t k = 0; k < q->nsteps; k++)
    if (q->all[k].decl == node->decl) {
      const pl_node *by = q->all[k].by;
      s->fine = s->fine && !(by->kind == PL_NODE_ASSIGN && pl_node_find(by->kids[1], is_changing, q));
      shift_step(s, node, &q->all[k],
                 q->steps_at_use[k] - q->used[MOST_ITERATIONS - 1].steps[k]);
      return s->fine;
    }
  s->fine = s->fine && stays(q, node->decl);
  return s->fine;
}

static void load_again(queues *q, pl_node *use, pl_replacements *out) {
  q->use = use;
  int lag = find_values(q) ? handed_on_for(q) : 0;
  if (!lag)
    return;
  shifting s = {.q = q, .load = q->used[MOST_ITERATIONS - 1].load, .lag = lag, .fine = true};
  pl_node_walk((pl_node *)s.load, shift_name, &s);
  pl_str text;
  if (s.fine && pl_replaced_text(q->loop->unit, q->arena, s.load->range, &s.parts, &text))
    pl_put(q->arena, out, use->range, text);
}

/* ---- which values -------------------------------------------------------------------------- */

typedef struct uses {
  pl_loop *loop;
  pl_arena *arena;
  pl_replacements *out;
} uses;

/* The value that a statement puts into shared memory as it is, which the loop changes. */
static bool find_use(pl_node *node, void *context) {
  uses *u = context;
  if (pl_node_is_loop(node) || node->kind == PL_NODE_LAMBDA)
    return false;
  pl_node *value = node->kind == PL_NODE_ASSIGN && node->op == PL_OP_ASSIGN
                       ? pl_node_bare(node->kids[1])
                       : NULL;
  const pl_node *to = value ? pl_node_bare(node->kids[0]) : NULL;
  while (to && to->kind == PL_NODE_SUBSCRIPT)
    to = pl_node_bare(to->kids[0]);
  if (!to || to->kind != PL_NODE_REF || !to->decl || !to->decl->is_shared || value->from_macro)
    return true;
  const pl_decl *decl;
  int64_t index;
  queues *q = PL_NEW(u->arena, queues);
  q->loop = u->loop;
  q->arena = u->arena;
  if (place_of(q, value, &decl, &index) && pl_assigned_anywhere(u->loop->body, decl))
    load_again(q, value, u->out);
  return false;
}

void pl_load_handed_on(pl_loop *loop, pl_arena *arena, pl_replacements *out) {
  uses u = {loop, arena, out};
  if ((pl_is_refused_for(loop, "PL2101") || pl_is_refused_for(loop, "PL2001")) && loop->body &&
      loop->body->kind == PL_NODE_COMPOUND && !loop->branch && !loop->node->from_macro &&
      loop->node->kind == PL_NODE_FOR && !pl_cfg_jump_out(loop->body, PL_JUMP_ANY) &&
      !pl_cfg_has_goto(loop->node))
    pl_node_walk(loop->body, find_use, &u);
}
