/* one_buffer.c - a loop that alternates between two buffers by hand, with one buffer.
 *
 * Needs: an attempt in which a loop is left as its author has pipelined it, for which more
 * stages are asked. Gives: the loop with one buffer, that loads each tile where it uses it,
 * in the place of it and of the load ahead of it. Raises nothing.
 *
 *     s[0][t] = a[t];                            for (int k = 0; k < n; ++k) {
 *     for (int k = 0; k < n; ++k) {                  s[t] = a[k * T + t];
 *         if (k + 1 < n)                             __syncthreads();
 *             s[(k + 1) & 1][t] = a[(k + 1) * T + t];   use(s);
 *         use(s[k & 1]);                             __syncthreads();
 *         __syncthreads();                       }
 *     }
 *
 * Both do the same where the source has no data race: what an iteration loads goes to the
 * slot that the next one uses, and what is loaded ahead of the loop is what an iteration
 * before the first would load (alike.c). Whether a load may run ahead of the use before it
 * asks legality of the new loop, so that it may as well stand behind it. */
#include "alike.h"
#include "async_operations.h"
#include "cfg.h"
#include "expansions.h"

#include <string.h>

#define MOST_TILES 4
#define MOST_PARTS 32

typedef enum part_kind { COMPUTES, LOADS, DROPPED } part_kind;

typedef struct undoing {
  const pl_loop *loop;
  const pl_unit *unit;
  pl_arena *arena;
  const pl_node *body, *block;
  uint32_t at, first;       /* of the block: the loop, the first load ahead of it */
  const pl_decl *counter, *ring;
  int64_t begins, step;     /* of the counter */
  int64_t ring_begins;
  const pl_node *toggle;
  const pl_decl *tiles[MOST_TILES];
  size_t ntiles;
  part_kind parts[MOST_PARTS]; /* of the body */
  pl_node *loads[MOST_PARTS], *ahead[MOST_PARTS];
  size_t nloads, nahead;
  int computes, fills;      /* the slot of the first iteration; -1: none yet */
  bool copies; /* asynchronously */
  bool orders; /* commits and waits of the thread's copies are left out */
  bool waits;  /* at a barrier, so that all threads run the loop as often */
  bool fine;
  const char *why;    /* it is not, in words that go on behind "because"; NULL: not said */
  const pl_node *at_fault; /* what is meant; NULL: the loop */
} undoing;

/* What keeps the loop from being undone, said once; gives back `holds`. */
static bool need(undoing *u, bool holds, const pl_node *at, const char *why) {
  if (!holds && !u->why) {
    u->why = why;
    u->at_fault = at;
  }
  u->fine = u->fine && holds;
  return holds;
}

/* ---- the header ------------------------------------------------------------------------ */

static bool is_number(const undoing *u, const pl_node *node, int64_t *value) {
  const pl_alike none = {.unit = u->unit, .arena = u->arena};
  return node && pl_alike_number(&none, (pl_node *)node, value);
}

/* `k = 0` of a header or a declaration. */
static bool find_counter(undoing *u) {
  const pl_node *init = u->loop->init, *inc = pl_node_bare(u->loop->inc);
  const pl_node *cond = pl_node_bare(u->loop->cond);
  const pl_node *var = init && init->kind == PL_NODE_DECL_STMT && init->nkids == 1 ? init->kids[0]
                                                                                   : NULL;
  u->counter = var ? var->decl : NULL;
  if (!u->counter || !pl_is_private(u->counter) || !var->nkids ||
      !is_number(u, var->kids[0], &u->begins) || u->begins < 0 || u->counter->from_macro ||
      cond->kind != PL_NODE_BINARY || (cond->op != PL_OP_LT && cond->op != PL_OP_LE) ||
      !pl_names_var(pl_node_bare(cond->kids[0]), u->counter) ||
      pl_assigned_anywhere(u->body, u->counter))
    return false;
  if (pl_node_is_step(inc) && (inc->op == PL_OP_PREINC || inc->op == PL_OP_POSTINC))
    u->step = 1;
  else if (inc->kind != PL_NODE_ASSIGN || inc->op != PL_OP_ADD ||
           !is_number(u, inc->kids[1], &u->step))
    return false;
  return pl_names_var(pl_node_bare(inc->kids[0]), u->counter) && u->step > 0 &&
         u->counter->type->kind == PL_TYPE_INT && u->counter->type->size >= 4;
}

/* ---- slots ------------------------------------------------------------------------------- */

/* A slot: `is`, or `is` and one more with each iteration, modulo two. */
typedef struct slot {
  bool moves;
  int is;
} slot;

static bool parity_of(const undoing *u, const pl_node *node, bool wraps, slot *made);

static bool add_parities(const undoing *u, const pl_node *node, bool wraps, slot *made) {
  slot a, b;
  if (!parity_of(u, node->kids[0], wraps, &a) || !parity_of(u, node->kids[1], wraps, &b) ||
      (a.moves && b.moves))
    return false;
  *made = (slot){a.moves || b.moves, (a.is + b.is) & 1};
  return true;
}

/* What a number is modulo two; `wraps`: it may be below zero. */
static bool parity_of(const undoing *u, const pl_node *node, bool wraps, slot *made) {
  int64_t value = 0;
  node = pl_node_bare((pl_node *)node);
  if (is_number(u, node, &value)) {
    *made = (slot){false, (int)(value & 1)};
    return wraps || value >= 0;
  }
  if (node->kind == PL_NODE_REF && node->decl == u->counter) {
    *made = (slot){true, (int)(u->begins & 1)};
    return u->step == 1;
  }
  if (node->kind == PL_NODE_REF && node->decl && node->decl == u->ring) {
    bool behind = u->toggle && node->range.begin > u->toggle->range.begin;
    bool inside = pl_node_within(node, u->loop->node);
    *made = (slot){inside, (int)((u->ring_begins + (behind && inside)) & 1)};
    return true;
  }
  if (node->kind == PL_NODE_REF && node->decl && pl_only_value(node->decl) &&
      pl_declared_inside(node->decl, u->body))
    return parity_of(u, node->decl->init, wraps, made);
  if (node->kind == PL_NODE_UNARY && node->op == PL_OP_LNOT) {
    made->is = parity_of(u, node->kids[0], false, made) ? made->is ^ 1 : -1;
    return made->is >= 0 && node->kids[0]->type && pl_node_bare(node->kids[0])->decl == u->ring;
  }
  if (node->kind != PL_NODE_BINARY)
    return false;
  bool two = is_number(u, node->kids[1], &value) &&
             ((node->op == PL_OP_AND && value == 1) || (node->op == PL_OP_REM && value == 2));
  switch (node->op) {
  case PL_OP_AND:
  case PL_OP_REM:
    return two && parity_of(u, node->kids[0], node->op == PL_OP_AND, made);
  case PL_OP_XOR:
  case PL_OP_ADD:
    return (node->op != PL_OP_XOR || is_number(u, node->kids[1], &value)) &&
           add_parities(u, node, wraps, made);
  case PL_OP_SUB:
    return (wraps || is_number(u, node->kids[0], &value)) && add_parities(u, node, wraps, made);
  case PL_OP_DIV: /* `(k0 / TILE) & 1` */
    *made = (slot){true, (int)((u->begins / u->step) & 1)};
    return is_number(u, node->kids[1], &value) && value == u->step && u->begins % u->step == 0 &&
           pl_names_var(pl_node_bare(node->kids[0]), u->counter);
  default:
    return false;
  }
}

/* Which slot an index is, which is zero or one. */
static bool slot_of(const undoing *u, const pl_node *index, slot *made) {
  int64_t value = 0;
  const pl_node *node = pl_node_bare((pl_node *)index);
  while (node->kind == PL_NODE_REF && node->decl && node->decl != u->ring &&
         pl_only_value(node->decl) && pl_declared_inside(node->decl, u->body))
    node = pl_node_bare(node->decl->init);
  bool one = node->kind == PL_NODE_BINARY && is_number(u, node->kids[1], &value);
  bool fits = is_number(u, node, &value) ? value == 0 || value == 1
              : node->kind == PL_NODE_BINARY
                  ? (node->op == PL_OP_AND && one) || (node->op == PL_OP_REM && one) ||
                        (node->op == PL_OP_XOR && one && value == 1 &&
                         slot_of(u, node->kids[0], made)) ||
                        (node->op == PL_OP_SUB && is_number(u, node->kids[0], &value) &&
                         value == 1 && slot_of(u, node->kids[1], made))
                  : node->decl == u->ring || (node->kind == PL_NODE_UNARY && node->op == PL_OP_LNOT);
  return fits && parity_of(u, node, false, made);
}

/* `ring ^= 1;`, `ring = 1 - ring;` */
static bool is_toggle(undoing *u, const pl_node *stmt) {
  const pl_node *to = stmt->kind == PL_NODE_ASSIGN ? pl_node_bare(stmt->kids[0]) : NULL;
  const pl_decl *decl = to && to->kind == PL_NODE_REF ? to->decl : NULL;
  int64_t value = 0;
  slot next;
  if (!decl || !pl_is_private(decl) || decl == u->counter || !decl->init || decl->is_static ||
      decl->type->kind != PL_TYPE_INT || !is_number(u, decl->init, &u->ring_begins) ||
      u->ring_begins < 0 || u->ring_begins > 1 || pl_declared_inside(decl, u->loop->node))
    return false;
  u->ring = decl;
  bool turns = stmt->op == PL_OP_XOR ? is_number(u, stmt->kids[1], &value) && value == 1
                                     : stmt->op == PL_OP_ASSIGN &&
                                           slot_of(u, stmt->kids[1], &next) && next.moves &&
                                           next.is == (u->ring_begins ^ 1);
  u->toggle = turns ? stmt : NULL;
  u->ring = turns ? decl : NULL;
  return turns;
}

typedef struct setter_walk {
  const undoing *u;
  bool other;
} setter_walk;

static bool find_setter(pl_node *node, void *context) {
  setter_walk *w = context;
  w->other = w->other || (node != w->u->toggle && node->kind != PL_NODE_VAR &&
                          pl_may_set(node, w->u->ring));
  return !w->other;
}

/* Whether the variable begins with its number each time that the loop does: what turns it
 * an odd number of times leaves the other one to the next time of a loop around. */
static bool begins_anew(const undoing *u) {
  for (const pl_node *up = u->block; up; up = up->parent)
    if (pl_node_is_loop(up) && !pl_declared_inside(u->ring, up))
      return false;
  return !pl_cfg_has_goto(u->loop->func->body);
}

static void find_ring(undoing *u) {
  for (uint32_t i = 0; i < u->body->nkids && !u->ring; i++)
    is_toggle(u, u->body->kids[i]);
  setter_walk w = {u, false};
  if (u->ring)
    pl_node_walk(u->loop->func->body, find_setter, &w);
  need(u, !w.other, u->toggle, "the variable that picks the buffer is set elsewhere as well");
  need(u, !u->ring || begins_anew(u), u->toggle,
       "the variable that picks the buffer goes on from one time of the loop to the next");
}

/* ---- tiles ------------------------------------------------------------------------------- */

static bool is_tile(const undoing *u, const pl_decl *decl) {
  for (size_t i = 0; i < u->ntiles; i++)
    if (u->tiles[i] == decl)
      return true;
  return false;
}

/* `As[1]` of two rows or planes. */
static const pl_node *picked(const pl_node *ref) {
  const pl_node *up = ref->parent;
  bool two = ref->decl && ref->decl->is_shared && !ref->decl->is_extern && ref->decl->type &&
             ref->decl->type->kind == PL_TYPE_ARRAY && ref->decl->type->count == 2 &&
             pl_is_array_type(ref->decl->type->element) && ref->decl->ndims > 1;
  return two && up && up->kind == PL_NODE_SUBSCRIPT && up->kids[0] == ref ? up : NULL;
}

static bool find_tile(pl_node *node, void *context) {
  undoing *u = context;
  const pl_node *cell = node->kind == PL_NODE_REF ? picked(node) : NULL;
  slot is;
  if (!cell || is_tile(u, node->decl) || !slot_of(u, cell->kids[1], &is) || !is.moves)
    return true;
  need(u, u->ntiles < MOST_TILES && node->decl->owner == u->loop->func, node,
       "a tile is declared outside of the function");
  if (u->ntiles < MOST_TILES)
    u->tiles[u->ntiles++] = node->decl;
  return true;
}

/* What of the tiles a part of the function names. */
typedef struct slots_walk {
  const undoing *u;
  int moving, fixed; /* the slot; -1: none, -2: several */
  bool known;
} slots_walk;

static void note_slot(int *of, int is) { *of = *of == -1 || *of == is ? is : -2; }

static bool find_slot(pl_node *node, void *context) {
  slots_walk *w = context;
  if (node->kind != PL_NODE_REF || !is_tile(w->u, node->decl))
    return true;
  const pl_node *cell = picked(node);
  slot is = {false, 0};
  w->known = w->known && cell && !node->from_macro && !cell->from_macro && !pl_in_lambda(node) &&
             slot_of(w->u, cell->kids[1], &is);
  if (w->known)
    note_slot(is.moves ? &w->moving : &w->fixed, is.is);
  return true;
}

static slots_walk slots_in(const undoing *u, const pl_node *node) {
  slots_walk w = {u, -1, -1, true};
  pl_node_walk((pl_node *)node, find_slot, &w);
  return w;
}

/* ---- loads ------------------------------------------------------------------------------ */

/* A commit or a wait of the thread's own copies. */
static bool is_order(const undoing *u, pl_node *stmt) {
  pl_async_op op;
  return pl_async_operation(u->loop, stmt, &op) && op.keeper == PL_KEPT_BY_THREAD &&
         (op.role == PL_ASYNC_COMMIT || op.role == PL_ASYNC_WAIT);
}

static bool orders_alone(const undoing *u, pl_node *stmt) {
  bool all = true;
  if (!stmt || stmt->kind != PL_NODE_COMPOUND)
    return !stmt || is_order(u, stmt);
  for (uint32_t i = 0; i < stmt->nkids; i++)
    all = all && orders_alone(u, stmt->kids[i]);
  return all;
}

typedef struct copy_walk {
  const undoing *u;
  bool copies, other; /* asynchronous copies; other calls or assembly that do more than read */
} copy_walk;

static bool find_copy(pl_node *node, void *context) {
  copy_walk *w = context;
  pl_async_op op;
  if (node->kind != PL_NODE_CALL && node->kind != PL_NODE_ASM)
    return true;
  if (pl_async_operation(w->u->loop, node, &op) && !op.problem && op.role == PL_ASYNC_COPY) {
    w->copies = true;
    return false;
  }
  w->other = w->other || (!is_order(w->u, node) && !pl_is_pure((pl_loop *)w->u->loop, node));
  return true;
}

static copy_walk copies_in(const undoing *u, const pl_node *node) {
  copy_walk w = {u, false, false};
  pl_node_walk((pl_node *)node, find_copy, &w);
  return w;
}

/* Whether a tile is named as what an asynchronous copy goes to. */
static bool is_copied_to(const undoing *u, const pl_node *node) {
  pl_async_op op;
  for (; node && node != u->body; node = node->parent)
    if ((node->kind == PL_NODE_CALL || node->kind == PL_NODE_ASM) &&
        pl_async_operation(u->loop, (pl_node *)node, &op) && op.role == PL_ASYNC_COPY)
      return op.from && slots_in(u, op.from).moving == -1;
  return false;
}

/* Adds what a statement loads, without commits and waits. */
static void add_loads(undoing *u, pl_node *stmt, pl_node **list, size_t *n) {
  if (stmt->kind == PL_NODE_COMPOUND) {
    for (uint32_t i = 0; i < stmt->nkids; i++)
      if (stmt->kids[i])
        add_loads(u, stmt->kids[i], list, n);
    return;
  }
  if (is_order(u, stmt) || stmt->kind == PL_NODE_EMPTY)
    return;
  u->fine = u->fine && *n < MOST_PARTS && !stmt->from_macro && !pl_cfg_jump_out(stmt, PL_JUMP_ANY);
  if (*n < MOST_PARTS)
    list[(*n)++] = stmt;
}

/* Whether a guard holds for all tiles that are used: `k + 1 < n` of an iteration is what the
 * header asks ahead of the next one. */
static bool holds_for_used(const undoing *u, const pl_node *guard) {
  const pl_node *cond = pl_node_bare(u->loop->cond);
  guard = pl_node_bare((pl_node *)guard);
  const pl_alike how = {.unit = u->unit, .arena = u->arena};
  int64_t apart;
  if (guard->kind != PL_NODE_BINARY || (guard->op != PL_OP_LT && guard->op != PL_OP_LE))
    return false;
  const pl_type *type = pl_no_reference(guard->kids[0]->type);
  pl_node *asks[2] = {guard->kids[0], guard->kids[1]}, *holds[2] = {cond->kids[0], cond->kids[1]};
  if (!type || !pl_same_type(type, pl_no_reference(cond->kids[0]->type)) ||
      !pl_same_type(pl_no_reference(guard->kids[1]->type), pl_no_reference(cond->kids[1]->type)) ||
      !pl_alike_difference(&how, asks, holds, &apart))
    return false;
  apart += (guard->op == PL_OP_LT) - (cond->op == PL_OP_LT);
  return (apart == u->step && guard->op == cond->op) ||
         (apart <= u->step && !type->is_unsigned &&
          !pl_no_reference(guard->kids[1]->type)->is_unsigned);
}

/* Whether a guard ahead of the loop is what the header asks first. */
static bool is_asked_first(const undoing *u, pl_node *guard) {
  const pl_alike first = {.unit = u->unit, .arena = u->arena, .counter = u->counter,
                          .is = u->begins, .is_known = true};
  pl_node *cond = u->loop->cond;
  pl_str a, b;
  return pl_alike_form(&first, &cond, 1, &a) && pl_alike_form(&first, &guard, 1, &b) &&
         pl_str_eq(a, b);
}

/* `if (there is a tile) { loads }`, or the loads alone. */
static void add_guarded(undoing *u, pl_node *stmt, bool ahead) {
  pl_node **list = ahead ? u->ahead : u->loads;
  size_t *n = ahead ? &u->nahead : &u->nloads;
  if (stmt->kind != PL_NODE_IF) {
    add_loads(u, stmt, list, n);
    return;
  }
  bool plain = !pl_if_has_init(stmt) && stmt->kids[1] &&
               (stmt->nkids < 3 || orders_alone(u, stmt->kids[2]));
  bool holds = plain && (ahead ? is_asked_first(u, stmt->kids[0]) : holds_for_used(u, stmt->kids[0]));
  if (holds)
    add_loads(u, stmt->kids[1], list, n);
  else
    add_loads(u, stmt, list, n); /* a part of the load */
}

/* ---- what is what ------------------------------------------------------------------------ */

typedef struct index_walk {
  const undoing *u;
  const pl_decl *decl;
  bool other;
} index_walk;

static bool is_left_out(const undoing *u, const pl_node *node) {
  for (uint32_t i = 0; i < u->body->nkids; i++)
    if (u->body->kids[i] == node)
      return u->parts[i] == DROPPED;
  return false;
}

static bool find_other_use(pl_node *node, void *context) {
  index_walk *w = context;
  const pl_node *base = node->kind == PL_NODE_SUBSCRIPT ? pl_node_bare(node->kids[0]) : NULL;
  if ((base && base->kind == PL_NODE_REF && is_tile(w->u, base->decl)) || is_left_out(w->u, node))
    return false;
  w->other = w->other || (node->kind == PL_NODE_REF && node->decl == w->decl);
  return !w->other;
}

/* Whether a variable says slots and no more, among what is left. */
static bool is_for_slots(const undoing *u, const pl_decl *decl) {
  index_walk w = {u, decl, false};
  pl_node_walk(u->loop->func->body, find_other_use, &w);
  return !w.other;
}

/* Declarations of slots; the last ones first, as one may be made of another. */
static void drop_slot_names(undoing *u) {
  for (uint32_t i = u->body->nkids; i-- > 0;) {
    const pl_node *stmt = u->body->kids[i];
    bool slots = stmt->kind == PL_NODE_DECL_STMT && u->parts[i] == COMPUTES;
    for (uint32_t k = 0; slots && k < stmt->nkids; k++) {
      slot is;
      const pl_node *var = stmt->kids[k];
      slots = var->decl && var->nkids && var->kids[0] && pl_only_value(var->decl) &&
              slot_of(u, var->kids[0], &is);
    }
    u->parts[i] = slots ? DROPPED : u->parts[i];
    for (uint32_t k = 0; slots && k < stmt->nkids && u->parts[i] == DROPPED; k++)
      if (!is_for_slots(u, stmt->kids[k]->decl))
        u->parts[i] = COMPUTES;
  }
}

static void sort_body(undoing *u) {
  for (uint32_t i = 0; i < u->body->nkids && u->fine; i++) {
    pl_node *stmt = u->body->kids[i];
    if (!need(u, stmt && !stmt->from_macro && i < MOST_PARTS, stmt,
              "a macro makes a statement of the body, or there are too many"))
      return;
    slots_walk has = slots_in(u, stmt);
    u->orders = u->orders || is_order(u, stmt);
    u->parts[i] = stmt == u->toggle || is_order(u, stmt) ? DROPPED : COMPUTES;
    u->waits = u->waits || pl_is_barrier(stmt);
    need(u, has.known && has.fixed == -1 && has.moving != -2, stmt,
         "a name of a tile in this statement does not pick one of two buffers, by the counter "
         "or by one variable that turns");
    if (!u->fine || u->parts[i] == DROPPED)
      continue;
    pl_effects effects = pl_effects_in(u->loop, stmt);
    bool copies = pl_effects_find(&effects, PL_EFFECT_ASYNC) || copies_in(u, stmt).copies;
    bool fills = copies, reads = false;
    u->copies = u->copies || copies;
    need(u, has.moving != -1 || !copies, stmt, "it is not known to which buffer this copies");
    if (has.moving == -1)
      continue;
    for (size_t k = 0; k < effects.n; k++) {
      bool tile = effects.items[k].root.decl && is_tile(u, effects.items[k].root.decl);
      fills = fills || (tile && effects.items[k].kind == PL_EFFECT_WRITE);
      reads = reads || (tile && effects.items[k].kind == PL_EFFECT_READ &&
                        !is_copied_to(u, effects.items[k].node));
    }
    u->parts[i] = fills && !reads ? LOADS : COMPUTES;
    need(u, u->parts[i] == LOADS || !copies, stmt,
         "a statement copies to one buffer and uses the other");
    note_slot(u->parts[i] == LOADS ? &u->fills : &u->computes, has.moving);
    if (u->parts[i] == LOADS)
      add_guarded(u, stmt, false);
  }
  need(u, u->nloads > 0, NULL, "no statement of the body does nothing but to fill the next buffer");
  need(u, u->waits, NULL, "no barrier stands at the loop's own level");
  need(u, u->fills >= 0 && u->computes >= 0 && u->fills != u->computes, NULL,
       "what it fills is not the buffer that the next iteration uses");
}

/* ---- may they be moved? -------------------------------------------------------------------- */

static bool is_declared_among(const pl_decl *decl, pl_node *const *list, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (pl_declared_inside(decl, list[i]))
      return true;
  return false;
}

/* Whether a name in a load is something else in another place of the block. */
static bool is_moved_on(pl_node *node, const void *context) {
  const undoing *u = context;
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  if (node->kind == PL_NODE_LAMBDA)
    return true;
  if (!decl || decl == u->counter || decl->kind == PL_DECL_FUNC || is_tile(u, decl) ||
      is_declared_among(decl, u->loads, u->nloads) || is_declared_among(decl, u->ahead, u->nahead))
    return false;
  for (uint32_t i = u->first; i <= u->at; i++)
    if (u->block->kids[i] && (pl_assigned_anywhere(u->block->kids[i], decl) ||
                              pl_declared_inside(decl, u->block->kids[i])))
      return true;
  return false;
}

static bool stays(const undoing *u, pl_node *node) {
  const pl_node *base = node->kind == PL_NODE_SUBSCRIPT ? pl_node_bare(node->kids[0]) : NULL;
  if (base && base->kind == PL_NODE_REF && is_tile(u, base->decl))
    return true; /* a slot */
  if (is_moved_on(node, u) && !(node->kind == PL_NODE_REF && is_tile(u, node->decl)))
    return false;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (node->kids[i] && !stays(u, node->kids[i]))
      return false;
  return true;
}

/* Whether a load does no more than to fill the tiles. */
static bool fills_alone(const undoing *u, pl_node *stmt) {
  pl_effects effects = pl_effects_in(u->loop, stmt);
  copy_walk copies = copies_in(u, stmt);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    bool of_copies = effect->kind == PL_EFFECT_ASM || effect->kind == PL_EFFECT_ESCAPE ||
                     effect->kind == PL_EFFECT_ASYNC;
    if (of_copies && copies.copies && !copies.other)
      continue;
    bool own = effect->space == PL_SPACE_LOCAL && effect->root.decl &&
               (is_declared_among(effect->root.decl, u->loads, u->nloads) ||
                is_declared_among(effect->root.decl, u->ahead, u->nahead));
    bool tile = effect->root.decl && is_tile(u, effect->root.decl);
    if (effect->kind != PL_EFFECT_READ && !(effect->kind == PL_EFFECT_WRITE && (own || tile)))
      return false;
  }
  return true;
}

/* Whether a statement between the first load and the loop is nothing to the loads. */
static bool is_beside(const undoing *u, pl_node *stmt) {
  pl_effects effects = pl_effects_in(u->loop, stmt);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind != PL_EFFECT_READ &&
        !(effects.items[i].kind == PL_EFFECT_WRITE && effects.items[i].space == PL_SPACE_LOCAL))
      return false;
  return !pl_cfg_jump_out(stmt, PL_JUMP_ANY);
}

/* The loads ahead of the loop, in the slot of the first iteration. */
static void find_ahead(undoing *u) {
  u->first = u->at;
  for (uint32_t i = u->at; i-- > 0;)
    if (u->block->kids[i] && slots_in(u, u->block->kids[i]).fixed != -1)
      u->first = i;
  for (uint32_t i = u->first; i < u->at && u->fine; i++) {
    pl_node *stmt = u->block->kids[i];
    slots_walk has = stmt ? slots_in(u, stmt) : (slots_walk){u, -1, -1, true};
    need(u, has.known && has.moving == -1, stmt,
         "ahead of the loop a name of a tile picks no buffer by a number");
    u->orders = u->orders || (stmt && is_order(u, stmt));
    if (!stmt || pl_is_barrier(stmt) || is_order(u, stmt))
      continue;
    need(u, has.fixed == -1 ? is_beside(u, stmt) : has.fixed == u->computes, stmt,
         "between the first load and the loop this does something else");
    if (has.fixed != -1)
      add_guarded(u, stmt, true);
  }
  need(u, u->nahead > 0, NULL, "no first tile is loaded just ahead of the loop");
}

typedef struct flight_walk {
  const undoing *u;
  bool other;
} flight_walk;

static bool find_flight(pl_node *node, void *context) {
  flight_walk *w = context;
  for (uint32_t i = w->u->first; i <= w->u->at; i++)
    if (node == w->u->block->kids[i])
      return false;
  if (node->kind != PL_NODE_CALL && node->kind != PL_NODE_ASM)
    return !w->other;
  pl_effects effects = pl_effects_in(w->u->loop, node);
  w->other = w->other || (!is_order(w->u, node) && pl_effects_find(&effects, PL_EFFECT_ASYNC));
  return !w->other;
}

/* Whether no copy may be in flight at the waits that are left out but those to the tiles:
 * a wait is for all that the thread has issued. */
static bool are_for_tiles(const undoing *u) {
  flight_walk w = {u, false};
  pl_node_walk(u->loop->func->body, find_flight, &w);
  return !u->orders || (!w.other && pl_async_is_all_seen(u->loop) &&
                        pl_async_callers_copy_nothing((pl_loop *)u->loop));
}

/* ---- other builds ------------------------------------------------------------------------ */

/* Whether no #if says what is left out, or compared. (By macros these are asked where they are
 * compared, alike.c, and whether all of them are kept, expansions.c.) */
static bool is_one_build(const undoing *u) {
  return !pl_has_conditional_text(u->unit, (pl_range){u->block->kids[u->first]->range.begin,
                                                      u->loop->node->range.end});
}

/* Whether the tiles are named nowhere else. */
static bool are_all_seen(const undoing *u) {
  slots_walk all = slots_in(u, u->loop->func->body);
  for (uint32_t i = 0; i < u->block->nkids && all.known; i++)
    if (u->block->kids[i] && (i < u->first || i > u->at))
      all.known = slots_in(u, u->block->kids[i]).known &&
                  slots_in(u, u->block->kids[i]).fixed == -1 &&
                  slots_in(u, u->block->kids[i]).moving == -1;
  for (size_t t = 0; t < u->ntiles && all.known; t++) {
    size_t n = 0;
    for (uint32_t i = u->first; i <= u->at; i++)
      n += u->block->kids[i] ? pl_count_words(u->unit, u->block->kids[i]->range, u->tiles[t]->name) : 0;
    all.known = pl_count_words(u->unit, u->loop->func->range, u->tiles[t]->name) == n + 1;
  }
  return all.known;
}

static pl_node *tile_for(const pl_alike *how, pl_node *node) {
  pl_node *base = node->kind == PL_NODE_SUBSCRIPT ? pl_node_bare(node->kids[0]) : NULL;
  return base && base->kind == PL_NODE_REF && is_tile(how->context, base->decl) ? base : NULL;
}

/* Whether what is loaded ahead is what an iteration before the first would load. */
static bool are_alike(const undoing *u) {
  pl_alike how = {.unit = u->unit, .arena = u->arena, .counter = u->counter,
                  .is = u->begins - u->step, .is_known = true, .stands_for = tile_for,
                  .context = u};
  pl_str in, ahead;
  return pl_alike_form(&how, u->loads, u->nloads, &in) &&
         pl_alike_form(&how, u->ahead, u->nahead, &ahead) && pl_str_eq(in, ahead);
}

static bool can_be_undone(undoing *u) {
  for (size_t i = 0; i < u->nloads + u->nahead; i++) {
    pl_node *stmt = i < u->nloads ? u->loads[i] : u->ahead[i - u->nloads];
    if (!need(u, stays(u, stmt), stmt, "a name in this load means another value elsewhere") ||
        !need(u, fills_alone(u, stmt), stmt, "this does more than to fill the next buffer"))
      return false;
  }
  drop_slot_names(u);
  return need(u, are_all_seen(u), NULL, "a tile is named ahead of its first load, or behind the "
                                        "loop") &&
         need(u, is_one_build(u), NULL, "another build may say something else in it") &&
         need(u, are_for_tiles(u), NULL, "its waits may be for copies from elsewhere as well") &&
         need(u, are_alike(u), u->ahead[0],
              "what is loaded ahead of the loop is not what an iteration before the first "
              "would load") &&
         need(u, !u->ring || is_for_slots(u, u->ring), u->toggle,
              "the variable that picks the buffer is used for more than that");
}

/* ---- text -------------------------------------------------------------------------------- */

typedef struct text_walk {
  undoing *u;
  bool loads;
  pl_replacements parts;
} text_walk;

/* Whether a node is the counter, so many steps on. */
static bool is_next(const undoing *u, pl_node *node) {
  const pl_alike how = {.unit = u->unit, .arena = u->arena};
  pl_node *counter = pl_node_bare(u->loop->cond)->kids[0];
  pl_node *a[2] = {node, counter}, *none[2] = {counter, counter};
  int64_t apart;
  return node->kind == PL_NODE_BINARY && node->type &&
         pl_same_type(pl_no_reference(node->type), u->counter->type) &&
         pl_alike_difference(&how, a, none, &apart) && apart == u->step;
}

static pl_str step_text(const undoing *u) {
  const pl_node *inc = pl_node_bare(u->loop->inc);
  return inc->kind == PL_NODE_ASSIGN ? pl_unit_slice(u->unit, inc->kids[1]->range) : PL_STR("1");
}

static bool put_single(pl_node *node, void *context) {
  text_walk *w = context;
  undoing *u = w->u;
  const pl_node *base = node->kind == PL_NODE_SUBSCRIPT ? pl_node_bare(node->kids[0]) : NULL;
  pl_replacement one = {node->range, {0}};
  if (base && base->kind == PL_NODE_REF && is_tile(u, base->decl))
    one.text = base->decl->name;
  else if (w->loads && is_next(u, node))
    one.text = u->counter->name;
  else if (w->loads && pl_names_var(node, u->counter))
    one.text = pl_arena_printf(u->arena, "(%.*s - %.*s)", PL_FMT(u->counter->name),
                               PL_FMT(step_text(u)));
  if (!one.text.n)
    return true;
  u->fine = u->fine && !node->from_macro;
  PL_PUSH(u->arena, w->parts.items, w->parts.n, w->parts.cap, one);
  return false;
}

static bool begins_line(const pl_unit *unit, uint32_t at) {
  while (at && (unit->text.p[at - 1] == ' ' || unit->text.p[at - 1] == '\t'))
    at--;
  return !at || unit->text.p[at - 1] == '\n';
}

/* A statement with the lines of comments and pragmas that stand ahead of it. */
static pl_range with_lines_ahead(const undoing *u, const pl_node *stmt) {
  pl_range range = stmt->range;
  for (uint32_t t = pl_token_from(u->unit, range.begin); t-- > 0;) {
    const pl_token *token = &u->unit->tokens[t];
    if ((token->kind != PL_TOK_COMMENT && token->kind != PL_TOK_DIRECTIVE) ||
        !begins_line(u->unit, token->range.begin))
      break;
    range.begin = token->range.begin;
  }
  return range;
}

static void add_statement(undoing *u, pl_text *out, pl_node *stmt, bool loads) {
  text_walk w = {.u = u, .loads = loads};
  pl_str text = {0}, indent = pl_indent_at(u->unit, u->body->kids[0]->range.begin);
  pl_node_walk(stmt, put_single, &w);
  u->fine = u->fine && pl_replaced_text(u->unit, u->arena, with_lines_ahead(u, stmt), &w.parts,
                                        &text);
  text = pl_reindented(u->arena, text, pl_indent_at(u->unit, stmt->range.begin), indent);
  bool ended = text.n && (text.p[text.n - 1] == ';' || text.p[text.n - 1] == '}');
  pl_text_printf(out, "\n%.*s%.*s%s", PL_FMT(indent), PL_FMT(text), ended ? "" : ";");
}

static pl_str loop_text(undoing *u) {
  static const char barrier[] = "__syncthreads();";
  pl_text out = {.arena = u->arena};
  pl_str indent = pl_indent_at(u->unit, u->body->kids[0]->range.begin);
  const pl_node *last = NULL;
  bool begun = false;
  pl_text_add(&out, pl_unit_slice(u->unit, (pl_range){u->loop->node->range.begin,
                                                      u->body->range.begin + 1}));
  for (size_t i = 0; i < u->nloads; i++)
    add_statement(u, &out, u->loads[i], true);
  if (u->copies)
    pl_text_printf(&out, "\n%.*sasm volatile(\"cp.async.wait_all;\" ::: \"memory\");",
                   PL_FMT(indent));
  for (uint32_t i = 0; i < u->body->nkids; i++) {
    pl_node *stmt = u->body->kids[i];
    if (u->parts[i] != COMPUTES)
      continue;
    if (!begun && !pl_is_barrier(stmt))
      pl_text_printf(&out, "\n%.*s%s", PL_FMT(indent), barrier);
    begun = true;
    add_statement(u, &out, stmt, false);
    last = stmt;
  }
  if (!last || !pl_is_barrier(last))
    pl_text_printf(&out, "\n%.*s%s", PL_FMT(indent), barrier);
  pl_text_printf(&out, "\n%.*s}", PL_FMT(pl_indent_at(u->unit, u->loop->node->range.begin)));
  return pl_text_view(&out);
}

/* Takes a statement away, with the byte ahead of its line; statements next to each other
 * together. */
static void take_away(undoing *u, const pl_node *stmt, pl_replacements *own) {
  pl_range range = pl_with_line(u->unit, stmt->range);
  pl_str text = u->unit->text;
  if (range.end < text.n && text.p[range.end] == ';')
    range.end++;
  pl_replacement *before = own->n ? &own->items[own->n - 1] : NULL;
  u->fine = u->fine && range.begin > 1;
  range.begin -= u->fine && text.p[range.begin - 1] == '\r';
  bool next = before && range.begin >= before->range.begin;
  for (uint32_t i = before ? before->range.end : 0; next && i < range.begin; i++)
    next = strchr(" \t\r\n", text.p[i]) != NULL;
  if (next) {
    before->range.end = range.end;
    return;
  }
  pl_put(u->arena, own, (pl_range){range.begin - 1, range.end},
         (pl_str){text.p + range.begin - 1, 1});
}

/* `turn = 0` of `int turn = 0, sum = 0;`, with the byte ahead of it. */
static void take_declarator(undoing *u, const pl_node *stmt, pl_replacements *own) {
  pl_str text = u->unit->text;
  pl_range range = {0, 0};
  for (uint32_t i = 0; i < stmt->nkids; i++)
    if (stmt->kids[i]->decl == u->ring && i)
      range = (pl_range){stmt->kids[i - 1]->range.end, stmt->kids[i]->range.end};
    else if (stmt->kids[i]->decl == u->ring)
      range = (pl_range){u->ring->name_range.begin, stmt->kids[i]->range.end};
  bool first = range.begin == u->ring->name_range.begin;
  while (first && range.end < text.n && (text.p[range.end] == ' ' || text.p[range.end] == ','))
    range.end++;
  u->fine = u->fine && range.begin > 1 && !stmt->from_macro;
  pl_put(u->arena, own, (pl_range){range.begin - 1, range.end},
         (pl_str){text.p + range.begin - 1, 1});
}

/* `As[2][16][16]` with one bound less. */
static void declare_single(undoing *u, const pl_decl *tile, pl_replacements *own) {
  pl_str text = u->unit->text;
  uint32_t begin = tile->name_range.end, end = tile->dims[0]->range.end;
  while (end < text.n && text.p[end] == ' ')
    end++;
  pl_range range = {begin, end + 2};
  u->fine = u->fine && !tile->from_macro && tile->name_range.end && tile->dims[0] &&
            !tile->dims[0]->from_macro && range.end < text.n && text.p[begin] == '[' &&
            text.p[end] == ']' && text.p[end + 1] == '[';
  pl_put(u->arena, own, range, PL_STR("["));
}

static void put_text(undoing *u, pl_replacements *out) {
  pl_replacements own = {0};
  pl_replacement whole = {u->loop->node->range, loop_text(u)};
  const pl_node *ring = u->ring ? u->ring->node->parent : NULL;
  for (size_t t = 0; t < u->ntiles; t++)
    declare_single(u, u->tiles[t], &own);
  if (ring && ring->nkids == 1)
    take_away(u, ring, &own);
  else if (ring)
    take_declarator(u, ring, &own);
  for (uint32_t i = u->first; i < u->at; i++) {
    pl_node *stmt = u->block->kids[i];
    if (stmt && stmt != ring && (is_order(u, stmt) || slots_in(u, stmt).fixed != -1))
      take_away(u, stmt, &own);
  }
  if (!u->fine)
    return;
  for (size_t i = 0; i < own.n; i++)
    pl_replace_with(u->arena, out, own.items[i], own.items[i].text, u->loop->node->range);
  pl_put(u->arena, out, whole.range, whole.text);
  pl_changed_loop *undone = PL_NEW(u->arena, pl_changed_loop);
  *undone = (pl_changed_loop){whole.range, out->undone};
  out->undone = undone;
}

/* ---- which loops ------------------------------------------------------------------------- */

/* Whether a template's text is that of this function alone. */
static bool is_one_text(const pl_func *func) {
  return !func->is_template ||
         (func->pattern && func->pattern->is_all_in_sight && func->pattern->ninstances == 1);
}

/* Looks at the whole of a loop; false: it is not known to be one with two buffers. */
static bool is_understood(undoing *u) {
  const pl_loop *loop = u->loop;
  bool whole = loop->node->kind == PL_NODE_FOR && loop->cond && loop->inc &&
               !loop->node->from_macro && u->body && u->body->kind == PL_NODE_COMPOUND &&
               !u->body->from_macro && u->body->nkids && u->block &&
               u->block->kind == PL_NODE_COMPOUND;
  if (!need(u, whole, NULL, "it is no for loop whose header has all its parts, in a block") ||
      !need(u, is_one_text(loop->func), NULL, "the template may have other instantiations") ||
      !need(u, !pl_has_two_meanings(loop), NULL,
            "a name that the loop declares means something else elsewhere in it") ||
      !need(u, !pl_cfg_has_goto(loop->node) && !pl_cfg_jump_out(u->body, PL_JUMP_ANY), NULL,
            "the loop can be left midway") ||
      !need(u, find_counter(u), NULL, "its counter does not begin with a number and go up by a "
                                      "constant, below a bound"))
    return false;
  while (u->at < u->block->nkids && u->block->kids[u->at] != loop->node)
    u->at++;
  find_ring(u);
  pl_node_walk((pl_node *)u->body, find_tile, u);
  need(u, u->ntiles > 0, NULL, "no tile is an array of two in static shared memory, of which each "
                               "iteration picks one by its counter or by one variable that turns");
  need(u, u->at < u->block->nkids, NULL, "it stands in no block of its own");
  if (u->fine)
    sort_body(u);
  if (u->fine)
    find_ahead(u);
  return u->fine && can_be_undone(u);
}

static void say(pl_loop *loop, const pl_node *at, const char *text) {
  for (size_t i = 0; i < loop->nnotes; i++)
    if (strcmp(loop->notes[i].message, text) == 0)
      return;
  pl_loop_note(loop, at, "%s", text);
}

void pl_with_one_buffer(pl_loop *loop, pl_arena *arena, pl_replacements *out) {
  undoing u = {.loop = loop, .unit = loop->unit, .arena = arena, .body = loop->body,
               .block = loop->node->parent, .computes = -1, .fills = -1, .fine = true};
  if (!pl_is_refused_for(loop, "PL2100") || loop->is_marked)
    return;
  bool understood = is_understood(&u), asked = loop->options->stages > 1;
  if (understood && asked)
    put_text(&u, out);
  else if (understood)
    say(loop, NULL, "--stages=N looks at it as a loop with one buffer, which may get N stages");
  else if (asked && u.why)
    say(loop, u.at_fault, pl_arena_printf(arena, "not taken for a loop with one buffer, to get more "
                                          "stages: %s", u.why).p);
  else if (!understood)
    say(loop, NULL, "'pipelinify lint' checks what is pipelined by hand");
}
