/* uniform.c - has an expression the same value for all threads of the block?
 *
 * Needs: effects and loops. Gives: whether a value may depend on the thread, and how.
 * Raises: nothing.
 *
 * A value depends on the thread through what it is made from, through the
 * branches under which it is set, and through the functions and the assembly
 * that set it. Loops and branches around the tile loop do not count: every
 * thread that reaches it came through them. */
#include "call_summary.h"
#include "cfg.h"
#include "divergence.h"

enum {
  UNIFORM = PL_UNIFORM,
  THREAD_OFFSET = PL_THREAD_OFFSET,
  THREAD_DATA = PL_THREAD_DATA
};

typedef struct known {
  const pl_decl *decl;
  int level, round; /* the last round that looked at it */
} known;

/* What earlier questions have found of a loop whose block has so many threads. */
typedef struct pl_divergent_variables {
  int64_t threads;
  known *items;
  size_t n, cap;
} settled;

#define CALL_LISTS 256

/* What a call does in its function, which is asked for each of its variables. */
typedef struct known_call {
  const pl_node *node;
  const pl_func *func;
  pl_effects effects;
  struct known_call *next;
} known_call;

/* Variables are made from one another in circles: rounds, each of which looks
 * at a variable once, until none of them rises. Then all that the last round has looked
 * at is settled. */
typedef struct taint_walk {
  const pl_threads_at *at;
  settled *settled;
  const pl_decl *given; /* of threads for which this one is the same; NULL: of all */
  known *items;
  size_t n, cap;
  int round;
  bool changed;
  known_call *calls[CALL_LISTS]; /* by the places where they begin */
} taint_walk;

static int taint(taint_walk *w, pl_node *node);

static int worse(int a, int b) { return a > b ? a : b; }

/* ---- what tells threads apart --------------------------------------------- */

/* Whether the value of a call may differ between threads whatever they give. */
static bool is_thread_call(const pl_node *call) {
  return call->kind == PL_NODE_CALL &&
         pl_builtin_of(call)->differs == PL_DIFFERS_THREAD;
}

static bool is_thread_place(const pl_node *call) {
  return call->kind == PL_NODE_CALL &&
         pl_builtin_of(call)->differs == PL_DIFFERS_PLACE;
}

/* What a lambda takes over and what it does is asked of its text. */
static bool is_closure(const pl_type *type) {
  return type && pl_str_has(type->spelling, "(lambda ");
}

/* Whether the user's code makes an object: it may ask which thread it is in. */
static bool begins_apart(const pl_type *type) {
  while (type && type->kind == PL_TYPE_ARRAY)
    type = type->element;
  return type && type->kind == PL_TYPE_RECORD && type->is_user &&
         !type->made_plainly && !is_closure(type);
}

/* The constructor that computes an object from its arguments, whatever others its class
 * has; NULL: none does. */
static const pl_decl *computing_maker(const pl_node *init) {
  const pl_type *type = init ? pl_no_reference(init->type) : NULL;
  const pl_decl *maker = init && init->kind == PL_NODE_CONSTRUCT ? init->decl : NULL;
  bool computes = maker && maker->sets_members_alone && type && type->holds_plainly;
  return computes ? maker : NULL;
}

static bool makes_object(const pl_node *node) {
  return node->kind == PL_NODE_VAR || node->kind == PL_NODE_CONSTRUCT ||
         node->kind == PL_NODE_INIT_LIST;
}

static bool is_hidden(const pl_node *call);

static const pl_node *made_by(const pl_node *node) {
  return node->kind == PL_NODE_VAR && node->nkids ? node->kids[0] : node;
}

/* Whether something names the thread, asks the machine in assembly, or does what is
 * not seen; not whether what a constructor calls does so. */
static bool asks_for_thread(const pl_node *node) {
  const pl_func *func = node->decl ? node->decl->func : NULL;
  if (makes_object(node) && !computing_maker(made_by(node)) &&
      begins_apart(node->decl && node->kind == PL_NODE_VAR ? node->decl->type
                                                           : node->type))
    return true;
  if (node->kind == PL_NODE_CALL)
    return is_thread_call(node) || is_thread_place(node) || is_hidden(node) ||
           (func && pl_omitted_arguments(func, node) != PL_ORIGIN_NUMBERS);
  return node->kind == PL_NODE_ASM ||
         (node->kind == PL_NODE_REF && pl_str_is(node->name, "threadIdx"));
}

/* Constructors and functions that may run while one constructor does: either may come
 * to the other again. */
typedef struct making {
  const pl_unit *unit;
  const pl_decl **makers;
  size_t nmakers, makers_cap;
  const pl_func **funcs;
  size_t nfuncs, funcs_cap;
  bool asks;
} making;

static void add_maker(making *m, const pl_decl *maker) {
  for (size_t i = 0; maker && i < m->nmakers; i++)
    if (m->makers[i] == maker)
      return;
  if (maker)
    PL_PUSH(m->unit->arena, m->makers, m->nmakers, m->makers_cap, maker);
}

static void add_functions(making *m, const pl_decl *callee) {
  pl_func_list all = pl_functions_of(m->unit, callee ? callee->func : NULL);
  for (size_t i = 0; i < all.n; i++)
    if (!pl_is_among(all.items[i], m->funcs, m->nfuncs))
      PL_PUSH(m->unit->arena, m->funcs, m->nfuncs, m->funcs_cap, all.items[i]);
}

static bool look_at_making(pl_node *node, void *context) {
  making *m = context;
  add_maker(m, computing_maker(made_by(node)));
  add_functions(m, node->decl);
  m->asks = m->asks || asks_for_thread(node) ||
            (node->kind == PL_NODE_CALL && !(node->decl && node->decl->func) &&
             pl_builtin_of(node)->differs != PL_DIFFERS_SAME);
  return !m->asks;
}

/* Whether what a constructor calls may differ between threads that give the same. */
static bool makes_apart(const pl_unit *unit, const pl_decl *maker) {
  making m = {.unit = unit};
  add_maker(&m, maker);
  for (size_t i = 0, k = 0; !m.asks && (i < m.nmakers || k < m.nfuncs);)
    if (k < m.nfuncs)
      pl_node_walk(m.funcs[k++]->body, look_at_making, &m);
    else {
      for (uint32_t c = 0; c < m.makers[i]->ncalls; c++)
        pl_node_walk(m.makers[i]->calls[c], look_at_making, &m);
      i++;
    }
  return m.asks;
}

/* Whether an object is computed from what its constructor is given, and from that alone. */
static bool is_computed(const pl_unit *unit, const pl_node *init) {
  const pl_decl *maker = computing_maker(init);
  return maker && !makes_apart(unit, maker);
}

static bool tells_threads_apart(const pl_unit *unit, const pl_node *node) {
  const pl_decl *maker = computing_maker(made_by(node));
  return asks_for_thread(node) || (maker && makes_apart(unit, maker));
}

/* ---- the values of a variable ----------------------------------------------- */

typedef struct value_taint {
  taint_walk *w;
  const pl_decl *decl;
  int level;
} value_taint;

/* Whether a variable may be stored into, or a part of it; not what lies behind a
 * pointer. *level: of what chooses the place. */
static bool may_store_into(taint_walk *w, pl_node *target, const pl_decl *decl,
                           int *level) {
  target = pl_node_bare(target);
  if (!target || !target->nkids)
    return target && target->kind == PL_NODE_REF && target->decl == decl;
  pl_node *base = pl_node_bare(target->kids[0]);
  bool by_pointer = target->is_arrow ||
                    (base && base->type && base->type->kind == PL_TYPE_POINTER);
  switch (target->kind) {
  case PL_NODE_COND:
    *level = worse(*level, taint(w, base));
    return may_store_into(w, target->kids[1], decl, level) ||
           may_store_into(w, target->kids[2], decl, level);
  case PL_NODE_BINARY:
    return may_store_into(w, target->kids[1], decl, level);
  case PL_NODE_SUBSCRIPT:
    *level = worse(*level, taint(w, target->kids[1]));
    return !by_pointer && may_store_into(w, base, decl, level);
  case PL_NODE_MEMBER:
    return !by_pointer && may_store_into(w, base, decl, level);
  case PL_NODE_CAST:
  case PL_NODE_ASSIGN:
    return may_store_into(w, base, decl, level);
  default:
    return pl_node_is_step(target) && may_store_into(w, base, decl, level);
  }
}

/* Whether an effect is one on a variable, and not on what it points to. */
static bool is_on_variable(const pl_effect *effect, const pl_decl *decl) {
  return effect->root.decl == decl &&
         (effect->direct || effect->space == PL_SPACE_LOCAL ||
          effect->space == PL_SPACE_UNKNOWN ||
          (effect->space == PL_SPACE_SHARED && decl->is_shared));
}

static const pl_effects *effects_of_call(taint_walk *w, const pl_func *func, pl_node *node) {
  known_call **list = &w->calls[node->range.begin % CALL_LISTS];
  known_call *one = *list;
  while (one && (one->node != node || one->func != func))
    one = one->next;
  if (!one) {
    one = PL_NEW(w->at->arena, known_call);
    *one = (known_call){.node = node, .func = func};
    pl_effects_of(w->at->effects, func, node, &one->effects);
    one->next = *list;
    *list = one;
  }
  return &one->effects;
}

/* Whether a call or assembly sets the variable: by reference, or through its
 * address; that of a lambda also by its own text, which stands elsewhere. */
static bool is_set_by(const value_taint *v, pl_node *node) {
  const pl_effects *effects = effects_of_call(v->w, v->decl->owner, node);
  for (size_t i = 0; i < effects->n; i++) {
    const pl_effect *effect = &effects->items[i];
    if (is_on_variable(effect, v->decl) &&
        (node->kind == PL_NODE_ASM || effect->node == node || !pl_node_within(effect->node, node)) &&
        (effect->kind == PL_EFFECT_WRITE || effect->kind == PL_EFFECT_ATOMIC))
      return true;
  }
  return false;
}

pl_node *pl_condition_of(pl_node *node, const pl_node *part) {
  bool first = node->kind == PL_NODE_IF || node->kind == PL_NODE_WHILE ||
               node->kind == PL_NODE_SWITCH || node->kind == PL_NODE_COND ||
               (node->kind == PL_NODE_BINARY &&
                (node->op == PL_OP_LAND || node->op == PL_OP_LOR));
  bool second = node->kind == PL_NODE_FOR || node->kind == PL_NODE_DO;
  pl_node *cond = first ? node->kids[0] : second ? node->kids[1] : NULL;
  return cond != part ? cond : NULL;
}

/* What jumps decide of a node: whether control comes to it behind a branch that holds
 * one. */
typedef struct jump_taint {
  taint_walk *w;
  const pl_node *node;
  int level;
} jump_taint;

/* Whether a branch decides whether, or how often, control comes to a node that it need
 * not hold. */
static bool controls(const pl_node *cond, const pl_node *node) {
  return pl_cfg_may_reach(cond, node, NULL) != PL_NO &&
         pl_cfg_post_dominates(node, cond) != PL_YES;
}

/* Threads that do not come to the tile loop are none that differ from others in it. */
static bool taint_jump(pl_node *jump, void *context) {
  jump_taint *j = context;
  const pl_node *loop = j->w->at->node;
  bool of_lambda = pl_in_lambda(jump);
  bool stays = of_lambda || (jump->kind != PL_NODE_RETURN &&
                             (pl_node_within(jump, loop) ||
                              pl_cfg_may_reach(jump, loop, NULL) != PL_NO));
  for (const pl_node *at = jump; stays && at->parent; at = at->parent) {
    pl_node *cond = pl_condition_of(at->parent, at);
    if (at->kind == PL_NODE_LAMBDA || pl_node_within(loop, at->parent))
      break;
    if (cond && controls(cond, j->node))
      j->level = worse(j->level, taint(j->w, cond));
  }
  return true;
}

/* The branches, jumps and inner loops that decide whether a node is done, or how
 * often. */
static int taint_of_branches(taint_walk *w, const pl_node *node) {
  jump_taint j = {w, node, UNIFORM};
  for (const pl_node *at = node;
       at->parent && !pl_node_within(w->at->node, at->parent); at = at->parent)
    j.level = worse(j.level, taint(w, pl_condition_of(at->parent, at)));
  pl_cfg_each_jump(node, taint_jump, &j);
  return j.level == UNIFORM ? UNIFORM : THREAD_DATA;
}

static bool taint_values(pl_node *node, void *context) {
  value_taint *v = context;
  int level = UNIFORM;
  bool sets = false;
  if (node->kind == PL_NODE_ASSIGN || pl_node_is_step(node)) {
    sets = may_store_into(v->w, node->kids[0], v->decl, &level);
    if (sets && node->kind == PL_NODE_ASSIGN)
      level = worse(level, taint(v->w, node->kids[1]));
    level = sets ? level : UNIFORM;
  } else if (node->kind == PL_NODE_CALL && is_set_by(v, node)) {
    sets = true;
    level = taint(v->w, node) == UNIFORM ? UNIFORM : THREAD_DATA;
  } else if (node->kind == PL_NODE_ASM && is_set_by(v, node)) {
    level = THREAD_DATA;
  }
  /* An offset is where a thread begins; how far it goes is the same for all. */
  if (sets && level != UNIFORM && pl_node_within(node, v->w->at->node))
    level = THREAD_DATA;
  if (sets)
    level = worse(level, taint_of_branches(v->w, node));
  v->level = worse(v->level, level);
  return true;
}

/* What the callers of a device function pass for a parameter. */
static int taint_of_arguments(taint_walk *w, const pl_decl *param);

static size_t known_index(taint_walk *w, const pl_decl *decl) {
  for (size_t i = 0; i < w->n; i++)
    if (w->items[i].decl == decl)
      return i;
  known fresh = {decl, UNIFORM, 0};
  PL_PUSH(w->at->arena, w->items, w->n, w->cap, fresh);
  return w->n - 1;
}

/* A parameter of a lambda: its calls are not looked for. */
static bool is_of_lambda(const pl_decl *decl) {
  bool own = decl->kind != PL_DECL_PARAM;
  for (uint32_t i = 0; !own && i < decl->owner->nparams; i++)
    own = decl->owner->params[i] == decl;
  return !own;
}

static int taint_variable(taint_walk *w, pl_decl *decl) {
  if ((decl->kind != PL_DECL_VAR && decl->kind != PL_DECL_PARAM) ||
      !decl->owner || decl->is_shared || decl == w->given)
    return UNIFORM;
  for (size_t i = 0; i < w->settled->n; i++)
    if (w->settled->items[i].decl == decl)
      return w->settled->items[i].level;
  size_t at = known_index(w, decl);
  if (w->items[at].round == w->round)
    return w->items[at].level;
  w->items[at].round = w->round;
  value_taint v = {w, decl, decl->init ? taint(w, decl->init) : UNIFORM};
  if ((decl->kind == PL_DECL_VAR && !is_computed(w->at->unit, decl->init) &&
       begins_apart(decl->type)) ||
      is_of_lambda(decl))
    v.level = THREAD_DATA;
  if (decl->kind == PL_DECL_PARAM && !decl->owner->is_global)
    v.level = worse(v.level, taint_of_arguments(w, decl));
  if (decl->owner->body)
    pl_node_walk(decl->owner->body, taint_values, &v);
  w->changed = w->changed || v.level > w->items[at].level;
  w->items[at].level = worse(w->items[at].level, v.level);
  return w->items[at].level;
}

typedef struct argument_walk {
  taint_walk *w;
  const pl_func *func;
  uint32_t index;
  int level;
} argument_walk;

static bool taint_argument(pl_node *node, void *context) {
  argument_walk *a = context;
  if (node->kind == PL_NODE_CALL && node->decl && node->decl->func == a->func &&
      a->index + 1 < node->nkids)
    a->level = worse(a->level, taint(a->w, node->kids[a->index + 1]));
  else if (node->kind == PL_NODE_CALL && node->decl &&
           node->decl->func == a->func &&
           a->func->params[a->index]->unless_given != PL_ORIGIN_NUMBERS)
    a->level = THREAD_DATA;
  return true;
}

static int taint_of_arguments(taint_walk *w, const pl_decl *param) {
  const pl_unit *unit = w->at->unit;
  argument_walk a = {.w = w, .func = param->owner};
  while (a.index < a.func->nparams && a.func->params[a.index] != param)
    a.index++;
  for (uint32_t i = 0; a.index < a.func->nparams && i < unit->nfuncs; i++)
    if (unit->funcs[i]->body)
      pl_node_walk(unit->funcs[i]->body, taint_argument, &a);
  return a.level;
}

/* ---- expressions -------------------------------------------------------------- */

static bool is_memory_read(const pl_node *node) {
  const pl_node *base = pl_node_bare(node->kids[0]);
  if (node->kind == PL_NODE_SUBSCRIPT)
    return true;
  if (node->kind == PL_NODE_UNARY && node->op == PL_OP_DEREF)
    return true;
  return node->kind == PL_NODE_MEMBER && node->is_arrow && base;
}

/* A vote of the block, or in a block of one warp the value of one lane. */
static bool is_same_for_all(int64_t threads, const pl_node *call) {
  pl_differs differs = pl_builtin_of(call)->differs;
  uint32_t lane = pl_is_member_function(call) ? 2 : 3;
  return differs == PL_DIFFERS_BLOCK ||
         (differs == PL_DIFFERS_LANE && call->nkids > lane &&
          threads > 0 && threads <= 32 && call->kids[lane] &&
          call->kids[lane]->has_ival);
}

/* A function that the source does not show: of another file, behind a pointer, or
 * an object's that a template's arguments choose. */
static bool is_hidden(const pl_node *call) {
  const pl_node *callee = call->nkids && call->kids[0] ? pl_node_bare(call->kids[0])
                                                       : NULL;
  const pl_decl *decl = call->decl;
  if (!decl)
    return true;
  if (callee && callee->kind == PL_NODE_MEMBER && callee->nkids)
    callee = pl_node_bare(callee->kids[0]);
  if (callee && is_closure(callee->type))
    return false;
  return decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM ||
         decl->kind == PL_DECL_FIELD ||
         (decl->is_user && !decl->is_defaulted && !decl->func);
}

static int taint_of_call(taint_walk *w, pl_node *call, int arguments) {
  if (is_same_for_all(w->at->threads, call))
    return UNIFORM;
  if (is_thread_place(call))
    return THREAD_OFFSET;
  if (is_thread_call(call) || is_hidden(call))
    return THREAD_DATA;
  if (tells_threads_apart(w->at->unit, call))
    return THREAD_DATA;
  return arguments == UNIFORM ? UNIFORM : THREAD_DATA;
}

/* Whether an object that it makes, or what its call runs, may ask which thread it is in. */
static bool makes_apart_here(const pl_unit *unit, const pl_node *node) {
  return (makes_object(node) && !is_computed(unit, node) && begins_apart(node->type)) ||
         pl_call_shows(unit, node, tells_threads_apart);
}

bool pl_tells_threads_apart(const pl_unit *unit, const pl_node *node) {
  bool call = node->kind == PL_NODE_CALL;
  return makes_apart_here(unit, node) ||
         (call && (is_thread_place(node) || is_thread_call(node) || is_hidden(node)));
}

static int taint(taint_walk *w, pl_node *node) {
  if (!node)
    return UNIFORM;
  if (node->kind == PL_NODE_REF) {
    if (pl_str_is(node->name, "threadIdx"))
      return THREAD_OFFSET;
    return node->decl ? taint_variable(w, node->decl) : UNIFORM;
  }
  int level = makes_apart_here(w->at->unit, node) ? THREAD_DATA : UNIFORM;
  for (uint32_t i = 0; i < node->nkids; i++)
    level = worse(level, taint(w, node->kids[i]));
  if (node->kind == PL_NODE_CALL)
    return taint_of_call(w, node, level);
  if (level != UNIFORM && node->nkids && is_memory_read(node))
    return THREAD_DATA;
  return level;
}

static settled *settled_of(pl_loop *loop) {
  if (!loop->divergent || loop->divergent->threads != loop->threads) {
    loop->divergent = PL_NEW(loop->arena, settled);
    loop->divergent->threads = loop->threads;
  }
  return loop->divergent;
}

/* The level of an expression, or of a variable where there is none; of threads for which
 * `given` is the same. */
static int level_of(const pl_threads_at *at, settled *of, pl_node *node, pl_decl *decl,
                    const pl_decl *given) {
  taint_walk w = {.at = at, .settled = of, .given = given};
  int level;
  do {
    w.round++;
    w.changed = false;
    level = node ? taint(&w, node) : taint_variable(&w, decl);
  } while (w.changed);
  for (size_t i = 0; i < w.n; i++)
    if (w.items[i].round == w.round)
      PL_PUSH(at->arena, of->items, of->n, of->cap, w.items[i]);
  return level;
}

static pl_threads_at threads_of(const pl_loop *loop) {
  return (pl_threads_at){loop->arena, loop->effects, loop->unit, loop->node, loop->threads,
                         NULL};
}

pl_divergence pl_divergence_of(pl_loop *loop, pl_node *node) {
  pl_threads_at at = threads_of(loop);
  return node ? (pl_divergence)level_of(&at, settled_of(loop), node, NULL, NULL)
              : PL_UNIFORM;
}

bool pl_is_uniform_given(pl_loop *loop, pl_node *node, const pl_decl *decl) {
  pl_threads_at at = threads_of(loop);
  settled none = {.threads = loop->threads};
  return level_of(&at, &none, node, NULL, decl) == UNIFORM;
}

bool pl_is_uniform(pl_loop *loop, pl_node *node) {
  return pl_divergence_of(loop, node) == PL_UNIFORM;
}

bool pl_variable_is_uniform(pl_threads_at *at, pl_decl *decl) {
  if (!at->known)
    at->known = PL_NEW(at->arena, settled);
  return level_of(at, at->known, NULL, decl, NULL) == UNIFORM;
}
