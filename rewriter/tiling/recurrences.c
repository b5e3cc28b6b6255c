/* recurrences.c - what carries a value from one tile to the next?
 *
 * Needs: the load slice. Gives: the variables that step by a constant amount a
 * tile, and those that it sets from what it knows (own_steps.c); makes sure that the
 * load side changes no other one from outside the loop that it, or the condition, reads
 * first. Raises: PL2001, PL2101. */
#include "reaching_definitions.h"
#include "slices.h"

/* `x += invariant`, `++x` and relatives; NULL where a statement is none. */
static pl_decl *stepped_variable(pl_loop *loop, pl_node *node) {
  node = pl_node_bare(node);
  if (pl_node_is_step(node)) {
    pl_node *target = pl_node_bare(node->kids[0]);
    return target->kind == PL_NODE_REF ? target->decl : NULL;
  }
  if (node->kind != PL_NODE_ASSIGN)
    return NULL;
  pl_node *target = pl_node_bare(node->kids[0]);
  if (target->kind != PL_NODE_REF)
    return NULL;
  pl_node *value = pl_node_bare(node->kids[1]);
  if (node->op == PL_OP_ADD || node->op == PL_OP_SUB)
    return pl_varies(loop, value) ? NULL : target->decl;
  if (node->op != PL_OP_ASSIGN || value->kind != PL_NODE_BINARY ||
      (value->op != PL_OP_ADD && value->op != PL_OP_SUB))
    return NULL;
  pl_node *left = pl_node_bare(value->kids[0]);
  pl_node *right = pl_node_bare(value->kids[1]);
  bool on_left = left->kind == PL_NODE_REF && left->decl == target->decl;
  bool on_right = right->kind == PL_NODE_REF && right->decl == target->decl &&
                  value->op == PL_OP_ADD;
  pl_node *amount = on_left ? right : left;
  if ((!on_left && !on_right) || pl_varies(loop, amount))
    return NULL;
  return target->decl;
}

/* Whether an effect of a call is one that leaves all but an object of the
 * thread's own as it is, and needs nothing else that the loop changes. */
static bool moves_only(const pl_loop *loop, const pl_effect *effect,
                       const pl_decl *object) {
  if (effect->kind == PL_EFFECT_WRITE)
    return effect->root.decl == object && !effect->root.member.n;
  if (effect->kind != PL_EFFECT_READ)
    return false;
  return effect->space == PL_SPACE_CONSTANT ||
         (effect->space == PL_SPACE_LOCAL &&
          (effect->root.decl == object ||
           !pl_written_in_loop(loop, effect->root.decl)));
}

/* Whether an expression sets a member of a variable: `walk.at += stride`. */
static bool sets_member(const pl_node *node) {
  const pl_node *to = node->kind == PL_NODE_ASSIGN || pl_node_is_step(node)
                          ? pl_node_bare(node->kids[0])
                          : NULL;
  bool member = false;
  for (; to && to->kind == PL_NODE_MEMBER && !to->is_arrow && to->nkids;
       to = pl_node_bare(to->kids[0]))
    member = true;
  return member && to && to->kind == PL_NODE_REF;
}

/* An object of the thread's own; one that a function is handed by value is, too. */
static bool is_own_object(const pl_decl *decl) {
  return decl && decl->type && decl->type->kind == PL_TYPE_RECORD &&
         !decl->is_static &&
         (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM);
}

/* The object that a call moves on, or an assignment to one of its members:
 * `loader.next()`, `++tile`, `step(walk)`, `walk.at += walk.stride`. NULL: more is
 * done than that, or nothing. */
static pl_decl *moved_object(pl_loop *loop, pl_node *node) {
  pl_decl *object = NULL;
  pl_effects effects = {0};
  if (node->kind != PL_NODE_CALL && !sets_member(node))
    return NULL;
  pl_effects_of(loop->effects, loop->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind == PL_EFFECT_WRITE)
      object = effects.items[i].root.decl;
  for (size_t i = 0; object && i < effects.n; i++)
    if (!moves_only(loop, &effects.items[i], object))
      return NULL;
  return is_own_object(object) ? object : NULL;
}

/* Records the steps of one expression or block: `a += x, b += y` has two. False where
 * a part of it is no step. */
static bool collect_steps(pl_loop *loop, pl_node *node, int stmt) {
  node = pl_node_bare(node);
  if (!node || (node->kind == PL_NODE_EMPTY && !node->nkids))
    return true;
  if (node->kind == PL_NODE_COMPOUND && stmt >= 0) {
    for (uint32_t i = 0; i < node->nkids; i++)
      if (!collect_steps(loop, node->kids[i], stmt))
        return false;
    return node->nkids > 0;
  }
  if (node->kind == PL_NODE_BINARY && node->op == PL_OP_COMMA) {
    bool left = collect_steps(loop, node->kids[0], stmt);
    return collect_steps(loop, node->kids[1], stmt) && left;
  }
  pl_decl *decl = stepped_variable(loop, node);
  if (!decl)
    decl = moved_object(loop, node);
  if (!decl && stmt < 0)
    decl = pl_own_header_step(loop, node);
  if (!decl || !pl_is_private(decl) || pl_declared_inside(decl, loop->body))
    return false;
  pl_recurrence step = {.decl = decl, .step = node, .stmt = stmt};
  step.in_header = loop->init && decl->node &&
                   pl_node_within(decl->node, loop->init);
  PL_PUSH(loop->arena, loop->recurrences, loop->nrecurrences,
          loop->recurrences_cap, step);
  return true;
}

/* The first thing that the load slice does with a variable, in body order. */
static const pl_effect *first_use(const pl_loop *loop, const pl_decl *decl,
                                  const pl_stmt **where) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (!stmt->in_load)
      continue;
    for (size_t j = 0; j < stmt->effects.n; j++) {
      const pl_effect *effect = &stmt->effects.items[j];
      if (effect->root.decl != decl || effect->root.member.n)
        continue;
      *where = stmt;
      return effect;
    }
  }
  return NULL;
}

/* Whether the loop's condition finds a value in a variable that an earlier
 * statement of the body, ahead of the tests at its head, has not set. */
static bool is_asked(const pl_loop *loop, const pl_decl *decl) {
  if (!loop->cond || !pl_mentions(loop->cond, decl))
    return false;
  for (size_t i = 0; i < loop->nhead; i++)
    for (size_t k = 0; k < loop->nstmts; k++)
      if (loop->stmts[k].node == loop->head[i].node &&
          pl_writes_decl(&loop->stmts[k].effects, decl))
        return false;
  return true;
}

/* Whether a variable has parts, each of which is set by itself: also of a class
 * template's whose arguments are this template's. */
static bool has_parts(const pl_decl *decl) {
  const pl_type *type = decl->type;
  return type && (type->kind == PL_TYPE_ARRAY || type->kind == PL_TYPE_RECORD ||
                  (type->kind == PL_TYPE_DEPENDENT &&
                   pl_str_has(type->spelling, "<")));
}

bool pl_is_carried(const pl_loop *loop, const pl_decl *decl) {
  const pl_stmt *where = NULL;
  const pl_effect *first = first_use(loop, decl, &where);
  return is_asked(loop, decl) ||
         (first && (first->kind != PL_EFFECT_WRITE ||
                    (!first->whole && !has_parts(decl))));
}

/* `here = above;` where `above` was loaded: planes that roll on, not tiles. Either
 * of them carries a value. */
bool pl_rolls_loaded_value(pl_loop *loop, const pl_decl *decl) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_node *stmt = loop->stmts[i].node;
    if (stmt->kind != PL_NODE_ASSIGN || stmt->op != PL_OP_ASSIGN)
      continue;
    const pl_node *target = pl_node_bare(stmt->kids[0]);
    pl_node *value = pl_node_bare(stmt->kids[1]);
    if (target->kind != PL_NODE_REF || value->kind != PL_NODE_REF ||
        (target->decl != decl && value->decl != decl) || !value->decl ||
        !value->type || value->type->kind == PL_TYPE_POINTER)
      continue;
    for (size_t k = 0; k < loop->nstmts; k++)
      if (pl_writes_decl(&loop->stmts[k].effects, value->decl) &&
          pl_effects_read_global(&loop->stmts[k].effects))
        return true;
  }
  return false;
}

/* Whether each iteration sets a variable before each of its uses, as in
 * `if (tid < T) { at = k + tid; s[tid] = a[at]; }`. */
static bool is_set_before_use(const pl_loop *loop, const pl_decl *decl) {
  bool header = (loop->cond && pl_mentions(loop->cond, decl)) ||
                (loop->inc && pl_mentions(loop->inc, decl));
  return !header && !pl_has_second_name(loop, (pl_decl *)decl) &&
         pl_first_use_in(loop->body, decl) != PL_READS;
}

/* The statement that fills tiles and moves a variable on with that, as
 * `walker.load(As)` and `As[t] = *next++` do, where besides steps alone change it; of
 * an object, `loader.fetch(k); loader.store();`, any statements of the load side do.
 * -1: there is none, or the loop's own count hangs on it. */
static int moving_fill(const pl_loop *loop, const pl_decl *decl) {
  int found = -1;
  bool header = pl_writes_decl(&loop->header_effects, decl) ||
                (loop->cond && pl_mentions(loop->cond, decl)) ||
                (loop->inc && pl_mentions(loop->inc, decl));
  bool moves = decl->type && (decl->type->kind == PL_TYPE_INT ||
                              decl->type->kind == PL_TYPE_POINTER ||
                              decl->type->kind == PL_TYPE_RECORD);
  if (header || loop->searches || !moves || decl->is_static ||
      (decl->kind != PL_DECL_VAR && !is_own_object(decl)))
    return -1;
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (!pl_writes_decl(&stmt->effects, decl))
      continue;
    bool object = decl->type->kind == PL_TYPE_RECORD;
    if (!stmt->in_load || (!stmt->fills && !stmt->is_advance && !object))
      return -1;
    found = stmt->fills || object ? (int)i : found;
  }
  return found;
}

static bool is_moved_by_fill(const pl_loop *loop, const pl_decl *decl) {
  for (size_t i = 0; i < loop->nrecurrences; i++)
    if (loop->recurrences[i].decl == decl && loop->recurrences[i].by_fill)
      return true;
  return false;
}

/* The load side alone runs what fills tiles, tile by tile: whatever it changes there
 * is as it would have been. That nothing else needs it is for slices.c to see. */
static bool moves_with_loads(pl_loop *loop, pl_decl *decl) {
  int at = moving_fill(loop, decl);
  if (at < 0)
    return false;
  pl_recurrence step = {.decl = decl, .step = loop->stmts[at].node, .stmt = at,
                        .by_fill = true};
  PL_PUSH(loop->arena, loop->recurrences, loop->nrecurrences,
          loop->recurrences_cap, step);
  return true;
}

/* Whether all that sets a variable in the body are steps, with no fill between the
 * first and the last: each side then goes through them as through one. */
static bool steps_at_once(const pl_loop *loop, const pl_decl *decl) {
  bool begun = false, filled = false;
  for (size_t i = 0; i < loop->nstmts; i++) {
    filled = filled || (begun && loop->stmts[i].fills);
    if (!pl_writes_decl(&loop->stmts[i].effects, decl))
      continue;
    if (filled || !loop->stmts[i].is_advance)
      return false;
    begun = true;
  }
  return begun && !pl_writes_decl(&loop->header_effects, decl);
}

/* A variable that the loads would have to change ahead, and cannot. `at`: where it is
 * changed in the body, NULL: in the header alone. */
static bool refuse_carried(pl_loop *loop, const pl_decl *decl, const pl_node *at,
                           size_t writes) {
  bool fills = false;
  for (size_t i = 0; i < loop->nstmts; i++)
    fills = fills || (loop->stmts[i].node == at && loop->stmts[i].fills);
  if (fills)
    return pl_refuse(loop, true, "PL2001", at,
                     "'%.*s' is changed within the statement that fills the tile, "
                     "and not only the loads need it; in a statement of its own it "
                     "is no hindrance",
                     PL_FMT(decl->name));
  if (writes > 1)
    return pl_refuse(loop, true, "PL2001", at ? at : loop->inc,
                     "'%.*s' is changed in more than one place, and not by steps "
                     "that stand together",
                     PL_FMT(decl->name));
  return pl_refuse(loop, true, "PL2001", at ? at : loop->inc,
                   "'%.*s' is changed here in a way that the loads cannot make "
                   "ahead",
                   PL_FMT(decl->name));
}

/* A variable from outside the loop that the load side changes: it must step at one
 * place, or be written before it is read in every
 * iteration. */
static bool check_carried(pl_loop *loop, pl_decl *decl) {
  size_t steps = pl_steps_of(loop, decl), writes = 0;
  writes += pl_count_writes(&loop->header_effects, decl);
  pl_node *at = NULL;
  for (size_t i = 0; i < loop->nstmts; i++) {
    size_t here = pl_count_writes(&loop->stmts[i].effects, decl);
    writes += here;
    if (here && (!at || !loop->stmts[i].is_advance))
      at = loop->stmts[i].node;
  }
  bool object = decl->type && decl->type->kind == PL_TYPE_RECORD;
  if (writes == 0 || (steps == writes && (steps == 1 || object)) ||
      (steps > 0 && steps_at_once(loop, decl)))
    return true;
  const pl_stmt *where = NULL;
  const pl_effect *first = first_use(loop, decl, &where);
  bool fresh = steps == 0 && first && first->kind == PL_EFFECT_WRITE &&
               (first->whole || has_parts(decl));
  if (fresh && is_asked(loop, decl))
    return pl_refuse(loop, true, "PL2001", at ? at : loop->inc,
                     "the condition asks '%.*s', which this sets to something "
                     "else than a function of the steps",
                     PL_FMT(decl->name));
  if (fresh || (steps == 0 && is_set_before_use(loop, decl)))
    return true;
  if (pl_rolls_loaded_value(loop, decl))
    return pl_loop_settle(loop, PL_VERDICT_NOT_A_TILE_LOOP, true, "PL2101",
                          at, "'%.*s' hands loaded values on from one "
                          "iteration to the next",
                          PL_FMT(decl->name));
  if (is_moved_by_fill(loop, decl) || moves_with_loads(loop, decl))
    return true;
  loop->serves_both = decl;
  return refuse_carried(loop, decl, at, writes);
}

static bool is_not_carried(pl_node *node, const void *context) {
  pl_loop *loop = (pl_loop *)context;
  return node->kind == PL_NODE_REF && pl_is_private(node->decl) &&
         !pl_declared_inside(node->decl, loop->body) &&
         !pl_set_by_header(loop, node) && !pl_reads_kept_fields(loop, node) &&
         !check_carried(loop, node->decl);
}

/* Whether asking a condition always gets to a place in it. */
static bool is_always_asked(const pl_node *node, const pl_node *cond) {
  for (const pl_node *at = node; at != cond && at->parent; at = at->parent)
    if (at->parent->kind == PL_NODE_COND ||
        (at->parent->kind == PL_NODE_BINARY && at->parent->kids[0] != at &&
         (at->parent->op == PL_OP_LAND || at->parent->op == PL_OP_LOR)))
      return false;
  return true;
}

typedef struct asked {
  pl_loop *loop;
  const pl_node *cond;
} asked;

static bool is_no_asked_step(pl_node *node, const void *context) {
  const asked *a = context;
  return (node->kind == PL_NODE_ASSIGN || pl_node_is_step(node)) &&
         !(is_always_asked(node, a->cond) && collect_steps(a->loop, node, -1));
}

/* The steps of a condition that is asked behind the body: `while (++t < n)`. */
static bool collect_asked_steps(pl_loop *loop) {
  for (size_t i = 0; loop->asks_last && pl_loop_condition(loop, i); i++) {
    pl_node *cond = pl_loop_condition(loop, i);
    if (pl_node_find(cond, is_no_asked_step, &(asked){loop, cond}))
      return pl_refuse(loop, false, "PL2001", cond,
                       "the condition does not advance a variable by the same "
                       "amount each time it is asked");
  }
  return true;
}

/* What is done for tiles that are passed over, too, must step what leads from
 * one tile to the next, and no more. */
static bool check_always(pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if ((loop->stmts[i].always || loop->stmts[i].repeated) &&
        !loop->stmts[i].is_advance)
      return pl_refuse(loop, true, "PL2001", loop->stmts[i].node,
                       "this is done for every tile, also for one that is "
                       "passed over, and is more than a step to the next");
  return true;
}

static bool is_stepped(pl_node *node, const void *context) {
  const pl_loop *loop = context;
  if (node->kind != PL_NODE_REF || !node->decl)
    return false;
  for (size_t i = 0; i < loop->nstmts; i++)
    if ((loop->stmts[i].always || loop->stmts[i].repeated) &&
        pl_writes_decl(&loop->stmts[i].effects, node->decl))
      return true;
  return pl_writes_decl(&loop->header_effects, node->decl);
}

/* A tile that is passed over without a step would be passed over for ever. */
static bool check_search(pl_loop *loop) {
  if (!loop->passes_over || pl_node_find(loop->cond, is_stepped, loop))
    return true;
  for (size_t i = 0; i < loop->nhead; i++)
    if (loop->head[i].needed && pl_node_find(loop->head[i].node, is_stepped, loop))
      return true;
  return pl_refuse(loop, true, "PL2001", loop->tests[0],
                   "a tile is passed over without a step to the next one");
}

bool pl_find_recurrences(pl_loop *loop) {
  if (!pl_check_step_memory(loop))
    return false;
  if (pl_effects_find(&loop->header_effects, PL_EFFECT_BARRIER))
    return pl_refuse(loop, false, "PL2001", loop->inc ? loop->inc : loop->cond,
                     "the loop's header waits at a barrier; as a statement of "
                     "the body it is no hindrance");
  if (!collect_steps(loop, loop->inc, -1) && loop->inc)
    return pl_refuse(loop, false, "PL2001", loop->inc,
                     "the loop's increment does not advance by a constant "
                     "amount");
  for (size_t i = 0; i < loop->nstmts; i++) {
    pl_stmt *stmt = &loop->stmts[i];
    if (stmt->is_barrier || !stmt->in_load || stmt->fills)
      continue;
    size_t before = loop->nrecurrences;
    stmt->is_advance = collect_steps(loop, stmt->node, (int)i);
    if (!stmt->is_advance)
      loop->nrecurrences = before;
  }
  if (!collect_asked_steps(loop))
    return false;
  pl_find_own_steps(loop);
  if (!pl_check_own_steps(loop))
    return false;
  if (pl_node_find(loop->cond, is_not_carried, loop) ||
      pl_node_find(loop->inc, is_not_carried, loop))
    return false;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].in_load &&
        pl_node_find(loop->stmts[i].node, is_not_carried, loop))
      return false;
  return check_always(loop) && check_search(loop);
}
