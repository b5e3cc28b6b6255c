/* async_order.c - which asynchronous copies are in flight, where?
 *
 * Needs: async_operations.c, effects, divergence. Gives: whether all that an iteration
 * of a loop issues is waited for in it, and nothing from outside is in flight there.
 * Raises nothing: the use says what stands in the way.
 *
 * The text of the whole function is gone through once, with an account for the thread's
 * own groups, for those of groups of threads and for each pipeline or barrier: copies
 * that are issued, and batches of them that are committed. Where ways meet, what one of
 * them left in flight is. */
#include "async_operations.h"

#include "cfg.h"

#define MOST_ACCOUNTS 6
#define MOST_TARGETS 24

typedef struct account {
  pl_async_keeper keeper;
  const pl_decl *object;
  bool issued;          /* copies that no batch has, or no arrival follows */
  int64_t batches;      /* in flight */
  const pl_decl *armed; /* the token of an arrival that is not waited for */
  struct {
    const pl_decl *decl; /* a shared object that copies go to */
    int64_t age;         /* batches that were committed with it, and since */
  } targets[MOST_TARGETS];
  int ntargets;
} account;

typedef struct state {
  account items[MOST_ACCOUNTS];
  int n;
} state;

typedef struct order_walk {
  pl_loop *loop; /* in a helper: the loop as if it were the helper's */
  const pl_node *target;  /* the loop's node */
  const pl_func *helper;  /* that is gone through; NULL: none */
  pl_node *call;          /* of it */
  const pl_loop *caller;
  state returned;         /* what is in flight where the helper returns early */
  bool returns;
  pl_async_use *use;
  pl_async_op *all; /* of the function */
  size_t nall, cap;
  bool inside;      /* the loop */
  bool uniform;     /* all threads of the block come to the statement */
  bool again;       /* the text was gone through before */
  bool leaves_some; /* some wait of the loop is not for all batches */
  bool unknown;     /* some operation of the loop is not known */
  bool left_open;   /* what comes from outside is in flight */
} order_walk;

static void obstacle(order_walk *w, pl_node *at, const char *why) {
  if (w->use->why)
    return;
  w->use->at = w->inside ? at : NULL;
  w->use->why = why;
}

/* ---- accounts ------------------------------------------------------------------- */

static account *account_of(order_walk *w, state *s, const pl_async_op *op) {
  for (int i = 0; i < s->n; i++)
    if (s->items[i].keeper == op->keeper && s->items[i].object == op->object)
      return &s->items[i];
  if (s->n == MOST_ACCOUNTS) {
    obstacle(w, op->node, "too many pipelines and barriers");
    return &s->items[0];
  }
  s->items[s->n] = (account){.keeper = op->keeper, .object = op->object};
  return &s->items[s->n++];
}

static bool is_clean(const account *a) {
  return !a->issued && !a->batches && !a->armed;
}

static bool all_clean(const state *s) {
  for (int i = 0; i < s->n; i++)
    if (!is_clean(&s->items[i]))
      return false;
  return true;
}

/* Notes that copies go to an object; false: there are too many. The newest of them is
 * what a wait has to cover. */
static bool note_target(account *a, const pl_decl *decl, int64_t age) {
  for (int i = 0; i < a->ntargets; i++)
    if (a->targets[i].decl == decl) {
      a->targets[i].age = age < a->targets[i].age ? age : a->targets[i].age;
      return true;
    }
  if (a->ntargets == MOST_TARGETS)
    return false;
  a->targets[a->ntargets].decl = decl;
  a->targets[a->ntargets++].age = age;
  return true;
}

/* What parameters of a helper lead to in the caller. */
static pl_roots roots_at_call(order_walk *w, const pl_roots *roots) {
  pl_roots out = {0};
  for (size_t i = 0; i < roots->n; i++) {
    bool param = false;
    for (uint32_t k = 0; k < w->helper->nparams && k + 1 < w->call->nkids; k++)
      if (w->helper->params[k] == roots->items[i].decl) {
        pl_roots_of(w->caller->effects, w->caller->func, w->call->kids[k + 1], &out);
        param = true;
      }
    if (!param)
      PL_PUSH(w->loop->arena, out.items, out.n, out.cap, roots->items[i]);
  }
  return out;
}

static void add_targets(order_walk *w, account *a, const pl_async_op *op) {
  pl_roots roots = pl_roots_in(w->loop, op->to);
  if (w->helper)
    roots = roots_at_call(w, &roots);
  for (size_t i = 0; i < roots.n; i++) {
    if (!roots.items[i].decl || !note_target(a, roots.items[i].decl, 0))
      obstacle(w, op->node, "where the copy goes cannot be followed");
  }
}

/* One more batch, of all that was issued. */
static void commit(account *a) {
  a->issued = false;
  a->batches++;
  for (int i = 0; i < a->ntargets; i++)
    a->targets[i].age++;
}

/* All batches but the last ones are complete. */
static void leave(account *a, int64_t batches) {
  int left = 0;
  if (a->batches > batches)
    a->batches = batches;
  for (int i = 0; i < a->ntargets; i++)
    if (a->targets[i].age <= batches && !is_clean(a))
      a->targets[left++] = a->targets[i];
  a->ntargets = left;
}

/* What one way, and another, left in flight. */
static void join(order_walk *w, state *s, const state *other, pl_node *at) {
  for (int i = 0; i < other->n; i++) {
    const account *b = &other->items[i];
    const pl_async_op key = {.keeper = b->keeper, .object = b->object, .node = at};
    account *a = account_of(w, s, &key);
    if (b->keeper == PL_KEPT_BY_OBJECT &&
        (a->batches != b->batches || a->armed != b->armed))
      obstacle(w, at, "not every way through the loop commits and waits alike");
    a->issued = a->issued || b->issued;
    a->batches = a->batches > b->batches ? a->batches : b->batches;
    for (int k = 0; k < b->ntargets; k++)
      if (!note_target(a, b->targets[k].decl, b->targets[k].age))
        obstacle(w, at, "too many tiles are copied to");
  }
  for (int i = 0; i < s->n; i++) {
    bool there = false;
    for (int k = 0; k < other->n; k++)
      there = there || (other->items[k].keeper == s->items[i].keeper &&
                        other->items[k].object == s->items[i].object);
    if (!there && s->items[i].keeper == PL_KEPT_BY_OBJECT &&
        (s->items[i].batches || s->items[i].armed))
      obstacle(w, at, "not every way through the loop commits and waits alike");
  }
}

/* ---- operations -------------------------------------------------------------------- */

static void apply_barrier(order_walk *w, account *a, const pl_async_op *op) {
  switch (op->role) {
  case PL_ASYNC_ARRIVE:
    if (a->armed || !op->token)
      obstacle(w, op->node, "which wait goes with this arrival is not seen");
    a->armed = op->token;
    commit(a);
    return;
  case PL_ASYNC_WAIT_TOKEN:
    if (!a->armed || a->armed != op->token)
      obstacle(w, op->node, "which arrival this waits for is not seen");
    a->armed = NULL;
    leave(a, 0);
    return;
  default:
    if (a->armed)
      obstacle(w, op->node, "the thread has arrived at the barrier already");
    commit(a);
    leave(a, 0);
    return;
  }
}

static void apply(order_walk *w, state *s, const pl_async_op *op) {
  account *a = account_of(w, s, op);
  switch (op->role) {
  case PL_ASYNC_COPY:
    a->issued = true;
    add_targets(w, a, op);
    if (a->keeper == PL_KEPT_BY_GROUP)
      commit(a);
    return;
  case PL_ASYNC_COMMIT:
    commit(a);
    return;
  case PL_ASYNC_WAIT:
    if (op->commits)
      commit(a);
    w->leaves_some = w->leaves_some || (w->inside && op->prior > 0);
    a->issued = a->issued && op->prior != PL_ASYNC_OF_ALL;
    leave(a, op->prior > 0 ? op->prior : 0);
    return;
  case PL_ASYNC_WAIT_OLDEST:
    leave(a, a->batches ? a->batches - 1 : 0);
    return;
  case PL_ASYNC_ARRIVE:
  case PL_ASYNC_WAIT_TOKEN:
  case PL_ASYNC_ARRIVE_AND_WAIT:
    apply_barrier(w, a, op);
    return;
  case PL_ASYNC_QUIT:
    if (w->inside)
      obstacle(w, op->node, "threads leave the pipeline in the loop");
    return;
  case PL_ASYNC_ACQUIRE:
  case PL_ASYNC_RELEASE:
    return;
  }
}

/* Whether all those come to an operation who do it together. */
static void check_together(order_walk *w, const pl_async_op *op) {
  bool copies = op->role == PL_ASYNC_COPY;
  bool of_block = op->of_block && !copies;
  if (!w->inside)
    return;
  if (!w->uniform && (op->by != PL_GROUP_THREAD || of_block))
    obstacle(w, op->node, "a group of threads does this together, and not all of "
                          "them may come to it");
  bool waits = (of_block || op->by != PL_GROUP_THREAD) && !copies;
  if (waits && (w->helper || op->node->parent != w->loop->body))
    obstacle(w, op->node, "this does not stand at the loop's own level");
}

static void take_operation(order_walk *w, state *s, pl_async_op *op) {
  pl_async_pieces pieces;
  const char *why = op->problem;
  if (!why && w->inside && op->role == PL_ASYNC_COPY)
    why = pl_async_take_pieces(w->loop, op, &pieces);
  if (why)
    obstacle(w, op->node, why);
  check_together(w, op);
  op->helper = w->helper;
  op->call = w->call;
  w->leaves_some = w->leaves_some || (w->inside && op->of_several);
  if (w->helper && op->object)
    obstacle(w, op->node, "a function is handed the pipeline or barrier");
  if (!w->again) {
    PL_PUSH(w->loop->arena, w->all, w->nall, w->cap, *op);
    if (w->inside)
      PL_PUSH(w->loop->arena, w->use->ops, w->use->n, w->use->cap, *op);
  }
  if (!op->problem)
    apply(w, s, op);
}

/* ---- statements ------------------------------------------------------------------- */

static bool is_target(const state *s, const pl_decl *decl) {
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < s->items[i].ntargets; k++)
      if (pl_same_shared(s->items[i].targets[k].decl, decl))
        return true;
  return false;
}

typedef struct some_walk {
  const pl_loop *loop;
  const pl_node **texts; /* and the bodies of what they call */
  size_t n, cap;
  bool found;
} some_walk;

/* A wait that leaves batches in flight. */
static bool find_wait_for_some(pl_node *node, void *context) {
  some_walk *w = context;
  pl_async_op op;
  if (node->kind != PL_NODE_CALL && node->kind != PL_NODE_ASM)
    return !w->found;
  if (pl_async_operation(w->loop, node, &op)) {
    w->found = w->found || (op.role == PL_ASYNC_WAIT && op.prior > 0);
    return false;
  }
  const pl_node *body = node->kind == PL_NODE_CALL ? pl_called_body(node) : NULL;
  if (body && !pl_is_among(body, w->texts, w->n))
    PL_PUSH(w->loop->arena, w->texts, w->n, w->cap, body);
  return !w->found;
}

/* Whether a part of the text has one, or a function or lambda that it calls. */
static bool waits_for_some(const order_walk *w, const pl_node *node) {
  some_walk walk = {.loop = w->loop};
  PL_PUSH(w->loop->arena, walk.texts, walk.n, walk.cap, node);
  for (size_t i = 0; i < walk.n && !walk.found; i++)
    pl_node_walk((pl_node *)walk.texts[i], find_wait_for_some, &walk);
  return walk.found;
}

/* A statement, or a part of one, that is no operation. */
static void look_at(order_walk *w, const state *s, pl_node *node) {
  pl_effects effects = {0};
  if (!node)
    return;
  pl_effects_of(w->loop->effects, w->loop->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    const pl_decl *made = node->kind == PL_NODE_DECL_STMT && node->nkids == 1 &&
                                  node->kids[0]->kind == PL_NODE_VAR
                              ? node->kids[0]->decl
                              : NULL;
    bool makes = made && made->type &&
                 pl_str_has(made->type->spelling, "pipeline<");
    if (effect->kind == PL_EFFECT_ASYNC && w->inside) {
      w->leaves_some = w->leaves_some || waits_for_some(w, node);
      w->unknown = true;
    }
    if (effect->kind == PL_EFFECT_ASYNC && (!makes || w->inside))
      obstacle(w, node, "which asynchronous copies are made or waited for here is "
                        "not known");
    if (w->inside && effect->kind == PL_EFFECT_READ &&
        effect->space == PL_SPACE_SHARED && is_target(s, effect->root.decl))
      obstacle(w, node, "a tile is read before the copies to it are waited for");
  }
}

static void look_at_arguments(order_walk *w, const state *s, const pl_node *call) {
  for (uint32_t i = 1; i < call->nkids; i++)
    look_at(w, s, call->kids[i]);
}

static void walk(order_walk *w, state *s, pl_node *stmt);

/* A function of the file's that copies, or waits, more than once. */
static bool walk_helper(order_walk *w, state *s, pl_node *stmt) {
  const pl_node *lambda = stmt->kind == PL_NODE_CALL ? pl_called_lambda(stmt) : NULL;
  const pl_func *callee = lambda                                        ? lambda->func
                          : stmt->kind == PL_NODE_CALL && stmt->decl ? stmt->decl->func
                                                                     : NULL;
  const pl_node *body = callee ? pl_called_body(stmt) : NULL;
  pl_effects effects = {0};
  bool own_text = lambda ? !callee->is_mixed && !callee->open_body && !lambda->from_macro
                         : callee && body == callee->body && callee->in_main &&
                               !callee->is_method && !callee->outer;
  if (!body || !own_text || w->helper || callee->from_macro || stmt->from_macro ||
      body->kind != PL_NODE_COMPOUND ||
      pl_async_has_condition(w->loop->unit, body->range))
    return false;
  pl_effects_of(w->loop->effects, w->loop->func, stmt, &effects);
  if (!pl_effects_find(&effects, PL_EFFECT_ASYNC) || pl_cfg_has_goto(body))
    return false;
  pl_loop own = *w->loop, *loop = w->loop;
  own.func = lambda ? loop->func : (pl_func *)callee;
  own.block = NULL;
  look_at_arguments(w, s, stmt);
  w->caller = loop;
  w->loop = &own;
  w->helper = callee;
  w->call = stmt;
  w->returns = false;
  walk(w, s, (pl_node *)body);
  if (w->returns)
    join(w, s, &w->returned, stmt);
  w->loop = loop;
  w->helper = NULL;
  w->call = NULL;
  return true;
}

static void walk_branch(order_walk *w, state *s, pl_node *stmt) {
  state other = *s;
  bool uniform = w->uniform;
  look_at(w, s, stmt->kids[0]);
  w->uniform = uniform && !w->helper && pl_is_uniform(w->loop, stmt->kids[0]);
  walk(w, s, stmt->kids[1]);
  walk(w, &other, stmt->nkids > 2 ? stmt->kids[2] : NULL);
  w->uniform = uniform;
  bool away = stmt->kids[1] && pl_cfg_completes(stmt->kids[1]) == PL_NO;
  if (away)
    *s = other;
  else
    join(w, s, &other, stmt);
}

static void walk_inner_loop(order_walk *w, state *s, pl_node *node) {
  pl_node *body = pl_node_loop_body(node);
  pl_node *cond = node->kind == PL_NODE_FOR     ? node->kids[1]
                  : node->kind == PL_NODE_WHILE ? node->kids[0]
                                                : node->kids[1];
  bool uniform = w->uniform, again = w->again;
  if (node->kind == PL_NODE_FOR)
    walk(w, s, node->kids[0]);
  w->uniform = uniform && !w->helper && cond && pl_is_uniform(w->loop, cond);
  for (int i = 0; i < 2; i++) { /* what one iteration leaves, the next one finds */
    state before = *s;
    look_at(w, s, cond);
    walk(w, s, body);
    if (node->kind == PL_NODE_FOR)
      look_at(w, s, node->kids[2]);
    join(w, s, &before, node);
    w->again = true;
  }
  w->again = again;
  w->uniform = uniform;
}

/* The loop itself. Where it begins with copies in flight, and waits for them, these are
 * another's. */
static void walk_the_loop(order_walk *w, state *s) {
  state own = *s;
  pl_loop *loop = w->loop;
  w->left_open = w->left_open || w->use->why || !all_clean(s);
  if (w->again)
    return;
  w->inside = true;
  w->uniform = true;
  w->use->why = NULL;
  w->use->at = NULL;
  look_at(w, &own, loop->cond);
  look_at(w, &own, loop->inc);
  walk(w, &own, loop->body);
  w->use->ahead = !all_clean(&own) || (w->unknown && w->leaves_some);
  w->inside = false;
}

static void walk(order_walk *w, state *s, pl_node *stmt) {
  pl_async_op op;
  if (!stmt)
    return;
  if (stmt == w->target) {
    bool uniform = w->uniform;
    walk_the_loop(w, s);
    w->uniform = uniform;
    return;
  }
  switch (stmt->kind) {
  case PL_NODE_COMPOUND:
    for (uint32_t i = 0; i < stmt->nkids; i++)
      walk(w, s, stmt->kids[i]);
    return;
  case PL_NODE_IF:
    walk_branch(w, s, stmt);
    return;
  case PL_NODE_FOR: case PL_NODE_WHILE: case PL_NODE_DO:
    walk_inner_loop(w, s, stmt);
    return;
  case PL_NODE_RETURN: case PL_NODE_BREAK: case PL_NODE_CONTINUE: case PL_NODE_GOTO:
    if (w->helper && stmt->kind == PL_NODE_RETURN && !w->returns) {
      w->returned = *s;
      w->returns = true;
    } else if (w->helper && stmt->kind == PL_NODE_RETURN) {
      join(w, &w->returned, s, stmt);
    } else if (w->inside && !all_clean(s))
      obstacle(w, stmt, "the loop may be left, or gone on with, before copies are "
                        "waited for");
    look_at(w, s, stmt->nkids ? stmt->kids[0] : NULL);
    return;
  default:
    if (pl_async_operation(w->loop, stmt, &op))
      take_operation(w, s, &op);
    else if (!walk_helper(w, s, stmt))
      look_at(w, s, stmt);
    return;
  }
}

/* ---- objects ------------------------------------------------------------------------ */

typedef struct object_walk {
  order_walk *of;
  const pl_decl *object;
  pl_node *found;
} object_walk;

/* `init(&bar, n)`. */
static bool is_initialised(const pl_node *ref) {
  const pl_node *call = ref->parent ? ref->parent->parent : NULL;
  return call && ref->parent->kind == PL_NODE_UNARY &&
         ref->parent->op == PL_OP_ADDR && call->kind == PL_NODE_CALL && call->decl &&
         pl_str_is(call->decl->qualified, "cuda::init");
}

static bool find_other_use(pl_node *node, void *context) {
  object_walk *w = context;
  if (node->kind != PL_NODE_REF || node->decl != w->object)
    return !w->found;
  bool known = is_initialised(node);
  for (size_t i = 0; i < w->of->nall && !known; i++)
    known = pl_node_within(node, w->of->all[i].node);
  if (!known)
    w->found = node;
  return known;
}

/* Whether an object is used as a pipeline or barrier alone, and each iteration leaves it
 * as it found it. */
static void check_object(order_walk *w, const pl_async_op *op) {
  object_walk walk = {w, op->object, NULL};
  int acquired = 0, committed = 0, waited = 0, released = 0;
  pl_node_walk(w->loop->func->body, find_other_use, &walk);
  if (walk.found)
    obstacle(w, op->node, "the pipeline or barrier is used in other ways as well");
  for (size_t i = 0; i < w->use->n; i++) {
    const pl_async_op *other = &w->use->ops[i];
    bool same = other->object == op->object;
    acquired += same && other->role == PL_ASYNC_ACQUIRE;
    committed += same && other->role == PL_ASYNC_COMMIT;
    waited += same && other->role == PL_ASYNC_WAIT_OLDEST;
    released += same && other->role == PL_ASYNC_RELEASE;
  }
  bool pipeline = acquired || committed || waited || released;
  if (pipeline && op->of_block &&
      (acquired != committed || committed != waited || waited != released))
    obstacle(w, op->node, "the pipeline's stages are not all acquired, committed, "
                          "waited for and released once in each iteration");
}

/* Whether all threads of the block come to the loop, equally often: a barrier of theirs
 * may stand in it. */
static bool is_reached_together(pl_loop *loop) {
  for (const pl_node *node = loop->node; node->parent; node = node->parent) {
    const pl_node *up = node->parent;
    bool plain = up->kind == PL_NODE_COMPOUND;
    pl_node *cond = up->kind == PL_NODE_IF || up->kind == PL_NODE_WHILE
                        ? up->kids[0]
                    : up->kind == PL_NODE_FOR || up->kind == PL_NODE_DO
                        ? up->kids[1]
                        : NULL;
    bool loops = pl_node_is_loop(up);
    if (!plain && (!cond || !pl_is_uniform(loop, cond)))
      return false;
    if (loops && pl_cfg_jump_out(pl_node_loop_body(up), PL_JUMP_LOOP))
      return false;
  }
  return loop->func->is_global;
}

static void check_block(order_walk *w) {
  for (size_t i = 0; i < w->use->n; i++) {
    const pl_async_op *op = &w->use->ops[i];
    if (!op->object)
      continue;
    check_object(w, op);
    if (op->of_block && !is_reached_together(w->loop))
      obstacle(w, op->node, "not all threads of the block may come to the loop");
  }
}

typedef struct caller_walk {
  pl_loop *loop;
  const pl_func *func, *caller;
  bool calls, copies;
} caller_walk;

static bool look_at_caller(pl_node *node, void *context) {
  caller_walk *w = context;
  pl_effects effects = {0};
  if (pl_is_call_of(node, w->func)) {
    w->calls = true;
    return false;
  }
  if (pl_may_be_call_of(node, w->func))
    w->calls = w->copies = true;
  if (node->kind != PL_NODE_CALL && node->kind != PL_NODE_ASM)
    return true;
  pl_effects_of(w->loop->effects, w->caller, node, &effects);
  w->copies = w->copies || pl_effects_find(&effects, PL_EFFECT_ASYNC);
  return true;
}

bool pl_async_callers_copy_nothing(pl_loop *loop) {
  const pl_func **of = NULL; /* and those that call them */
  size_t n = 0, cap = 0;
  PL_PUSH(loop->arena, of, n, cap, loop->func);
  for (size_t i = 0; i < n; i++) {
    bool any = of[i]->is_global;
    if (!any && !pl_calls_are_seen(of[i]))
      return false;
    for (uint32_t k = 0; k < loop->unit->nfuncs && !of[i]->is_global; k++) {
      const pl_func *caller = loop->unit->funcs[k];
      caller_walk w = {loop, of[i], caller, false, false};
      if (!caller->body || caller == of[i])
        continue;
      pl_node_walk(caller->body, look_at_caller, &w);
      any = any || w.calls;
      if (w.calls &&
          (w.copies || pl_async_has_condition(loop->unit, caller->body->range)))
        return false;
      if (w.calls && !pl_is_among(caller, of, n))
        PL_PUSH(loop->arena, of, n, cap, caller);
    }
    if (!any)
      return false;
  }
  return true;
}

/* ---- the loop ------------------------------------------------------------------------ */

void pl_async_in_loop(pl_loop *loop, pl_async_use *use) {
  order_walk w = {.loop = loop, .target = loop->node, .use = use, .uniform = true};
  state s = {0};
  pl_effects effects = {0};
  *use = (pl_async_use){0};
  pl_effects_of(loop->effects, loop->func, loop->body, &effects);
  use->any = pl_effects_find(&effects, PL_EFFECT_ASYNC) != NULL;
  if (!use->any || !loop->body)
    return;
  if (pl_cfg_has_goto(loop->node)) {
    use->why = "a goto may pass over copies or waits";
    return;
  }
  walk(&w, &s, loop->func->body);
  w.inside = true;
  if (!use->why && !use->ahead && !pl_async_is_all_seen(loop))
    use->why = "another build may copy around the loop, and what is not seen";
  if (!use->why && !use->ahead)
    check_block(&w);
  if (!use->why && !use->ahead &&
      (w.left_open || (!loop->func->is_global && !all_clean(&s)) ||
       !pl_async_callers_copy_nothing(loop)))
    use->why = "whether copies from outside the loop are waited for in it is not known";
  use->waited = !use->why && !use->ahead && use->n > 0;
}
