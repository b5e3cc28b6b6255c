/* slices.c - what belongs to the load side, what to the compute side?
 *
 * Needs: phases. Gives: tiles, the load slice, the compute slice, recurrences.
 * Raises: PL2001, PL2010, PL2100, PL2101, PL3001, PL3002, PL3003, PL3010, PL4001,
 * PL4006.
 *
 * The load slice grows from the statements that fill a tile: whatever gives a
 * value to a variable that they, or the loop's condition, use. Compute is the
 * rest, and takes along copies of the pure statements that it needs as well. */
#include "loop.h"

/* ---- values that change from tile to tile -------------------------------- */

/* Whether a write is one of the variable itself, not of what it points to. */
static bool changes(const pl_effect *effect, const pl_decl *decl) {
  return effect->root.decl == decl && effect->root.member.n == 0 &&
         (effect->direct || effect->space == PL_SPACE_LOCAL ||
          effect->space == PL_SPACE_SHARED);
}

static bool writes_decl(const pl_effects *effects, const pl_decl *decl) {
  for (size_t i = 0; i < effects->n; i++) {
    const pl_effect *effect = &effects->items[i];
    if ((effect->kind == PL_EFFECT_WRITE || effect->kind == PL_EFFECT_ATOMIC) &&
        changes(effect, decl))
      return true;
  }
  return false;
}

static bool written_in_loop(const pl_loop *loop, const pl_decl *decl) {
  if (writes_decl(&loop->header_effects, decl))
    return true;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (writes_decl(&loop->stmts[i].effects, decl))
      return true;
  return false;
}

typedef struct vary_walk {
  pl_loop *loop;
  const pl_decl *ignored; /* the tile whose address is formed */
  const pl_decl *open[32];
  int nopen;
  bool varies;
} vary_walk;

static bool varies_visit(pl_node *node, void *context);

/* Whether a jump that decides over `decl` stands below a node: one in front of
 * `before`, or a break out of a loop that the variable outlives. */
static bool holds_jump(const pl_node *node, uint32_t before, bool outlives) {
  if (!node)
    return false;
  if (node->kind == PL_NODE_BREAK || node->kind == PL_NODE_CONTINUE)
    return node->range.begin < before ||
           (outlives && node->kind == PL_NODE_BREAK);
  for (uint32_t i = 0; i < node->nkids; i++)
    if (holds_jump(node->kids[i], before, outlives))
      return true;
  return false;
}

/* The conditions under which a loop is left, or the rest of its body passed
 * over, before it gets to a place. */
static void visit_jumps(vary_walk *w, const pl_node *node, uint32_t before,
                        bool outlives) {
  for (uint32_t i = 0; i < node->nkids; i++) {
    pl_node *kid = node->kids[i];
    if (!holds_jump(kid, before, outlives))
      continue;
    if (kid->kind == PL_NODE_IF || kid->kind == PL_NODE_SWITCH)
      pl_node_walk(kid->kids[0], varies_visit, w);
    visit_jumps(w, kid, before, outlives);
  }
}

/* The jumps of a loop around `at` that decide whether `node` below it sets the
 * variable that is looked at. A loop's header is done in each iteration. */
static void visit_loop_jumps(vary_walk *w, const pl_node *up,
                             const pl_node *at, const pl_node *node) {
  const pl_decl *decl = w->nopen ? w->open[w->nopen - 1] : NULL;
  bool header = up->kind == PL_NODE_FOR && at != up->kids[3];
  bool outlives = !decl || !decl->node || !pl_node_within(decl->node, up);
  visit_jumps(w, up, header ? 0 : node->range.begin, outlives);
}

/* The conditions of the branches and loops between a node and the tile loop's
 * body: they decide whether what it does is done. */
static void visit_conditions(vary_walk *w, const pl_node *node) {
  for (const pl_node *at = node; at->parent && at->parent != w->loop->body;
       at = at->parent) {
    const pl_node *up = at->parent;
    if (up->kind == PL_NODE_DO)
      pl_node_walk(up->kids[1], varies_visit, w);
    if (pl_node_is_loop(up))
      visit_loop_jumps(w, up, at, node);
    uint32_t first = up->kind == PL_NODE_FOR     ? 3
                     : up->kind == PL_NODE_IF    ? 1
                     : up->kind == PL_NODE_COND  ? 1
                     : up->kind == PL_NODE_WHILE ? 1
                                                 : 0;
    for (uint32_t i = 0; i < first && i < up->nkids; i++)
      if (up->kids[i] == at)
        first = 0;
    for (uint32_t i = 0; i < first && i < up->nkids; i++)
      pl_node_walk(up->kids[i], varies_visit, w);
    if (up->kind == PL_NODE_SWITCH && up->nkids)
      pl_node_walk(up->kids[0], varies_visit, w);
    if (up->kind == PL_NODE_BINARY && up->kids[0] != at &&
        (up->op == PL_OP_LAND || up->op == PL_OP_LOR))
      pl_node_walk(up->kids[0], varies_visit, w);
  }
}

static bool is_step(const pl_node *node) {
  return node->kind == PL_NODE_UNARY &&
         (node->op == PL_OP_PREINC || node->op == PL_OP_POSTINC ||
          node->op == PL_OP_PREDEC || node->op == PL_OP_POSTDEC);
}

/* Whether a subscript or member leaves the object that its base names: the
 * store `p[i] = v` changes what `p` points to and leaves `p` as it is. */
static bool leaves_object(const pl_node *node) {
  const pl_node *base = node->nkids ? pl_node_bare(node->kids[0]) : NULL;
  return !base || node->is_arrow ||
         (base->type && base->type->kind == PL_TYPE_POINTER);
}

/* Whether what happens at `at` is the work of another assignment, step or call
 * inside `node`, which is looked at in its own right: `s[w++] = v` sets no `w`,
 * its `w++` does. */
static bool is_nested_setter(const pl_node *at, const pl_node *node) {
  for (; at && at != node; at = at->parent)
    if (at->kind == PL_NODE_ASSIGN || is_step(at) ||
        at->kind == PL_NODE_CALL || at->kind == PL_NODE_ASM)
      return true;
  return false;
}

/* Whether a node may give `decl` a value: itself, not what is below it. A
 * reference is bound once; what is stored through it changes what it names. */
static bool sets(pl_loop *loop, pl_node *node, const pl_decl *decl) {
  pl_node *target = NULL;
  if (node->kind == PL_NODE_VAR)
    return node->decl == decl;
  if (decl->type && decl->type->kind == PL_TYPE_REFERENCE)
    return false;
  if (node->kind == PL_NODE_ASSIGN || is_step(node))
    target = pl_node_bare(node->kids[0]);
  while (target && (target->kind == PL_NODE_SUBSCRIPT ||
                    target->kind == PL_NODE_MEMBER) && !leaves_object(target))
    target = pl_node_bare(target->kids[0]);
  if (target && target->kind == PL_NODE_REF && target->decl == decl)
    return true;
  if (node->kind != PL_NODE_CALL && node->kind != PL_NODE_ASM && !target)
    return false;
  pl_effects effects = {0};
  pl_effects_of(loop->effects, loop->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effects one = {&effects.items[i], 1, 1};
    if (writes_decl(&one, decl) && !is_nested_setter(effects.items[i].node, node))
      return true;
  }
  return false;
}

static bool assigns_varying(pl_node *node, void *context) {
  vary_walk *w = context;
  const pl_decl *decl = w->open[w->nopen - 1];
  if (w->varies || !sets(w->loop, node, decl))
    return !w->varies;
  for (uint32_t i = 0; i < node->nkids; i++)
    pl_node_walk(node->kids[i], varies_visit, w);
  visit_conditions(w, node);
  return !w->varies;
}

/* Whether a parameter's default value names nothing that could change. */
static bool is_constant_default(const pl_unit *unit, const pl_decl *param) {
  bool behind = false;
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    const pl_token *token = &unit->tokens[i];
    if (!pl_range_inside(token->range, param->range))
      continue;
    pl_str text = pl_unit_slice(unit, token->range);
    if (behind && token->kind == PL_TOK_IDENT && !pl_str_is(text, "true") &&
        !pl_str_is(text, "false"))
      return false;
    behind = behind || pl_str_is(text, "=");
  }
  return behind;
}

/* In a load helper a parameter varies as what the loop passes for it does. */
static bool argument_varies(pl_loop *body, const pl_decl *param) {
  for (uint32_t i = 0; i < body->func->nparams; i++)
    if (body->func->params[i] == param && i + 1 < body->call->nkids)
      return !pl_loop_tile(body, param) &&
             pl_varies(body->caller, body->call->kids[i + 1]);
  return !is_constant_default(body->unit, param);
}

/* Whether a reference names a variable that the loop writes. */
static bool referent_varies(pl_loop *loop, pl_node *ref) {
  pl_effects effects = {0};
  const pl_type *type = ref->decl->type->element;
  bool number = type && (type->kind == PL_TYPE_INT ||
                         type->kind == PL_TYPE_FLOAT ||
                         type->kind == PL_TYPE_BOOL);
  pl_effects_of(loop->effects, loop->func, ref, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].root.decl &&
        (effects.items[i].space == PL_SPACE_LOCAL ||
         (number && effects.items[i].space == PL_SPACE_SHARED)) &&
        written_in_loop(loop, effects.items[i].root.decl))
      return true;
  return false;
}

/* Whether a pointer leads to a local that the loop writes under its own name or
 * another: what is read through it may then change. */
static bool pointee_varies(pl_loop *loop, pl_node *ref) {
  pl_roots roots = {0};
  if (ref->decl->type && ref->decl->type->kind == PL_TYPE_REFERENCE)
    return referent_varies(loop, ref);
  if (!ref->decl->type || ref->decl->type->kind != PL_TYPE_POINTER)
    return false;
  pl_roots_of(loop->effects, loop->func, ref, &roots);
  for (size_t i = 0; i < roots.n; i++)
    if (pl_root_space(roots.items[i]) == PL_SPACE_LOCAL &&
        written_in_loop(loop, roots.items[i].decl))
      return true;
  return false;
}

static bool is_array_type(const pl_type *type) {
  if (type && type->kind == PL_TYPE_REFERENCE)
    type = type->element;
  return type && type->kind == PL_TYPE_ARRAY;
}

/* Whether an access only names a place: a row of an array, or what an address
 * is taken of. `As[r]` and `&As[r][0]` stay what they are when cells change. */
static bool only_names_place(const pl_node *node) {
  if (is_array_type(node->type))
    return true;
  const pl_node *up = node->parent;
  while (up && (up->kind == PL_NODE_PAREN ||
                (up->kind == PL_NODE_MEMBER && !up->is_arrow)))
    up = up->parent;
  return up && up->kind == PL_NODE_UNARY && up->op == PL_OP_ADDR;
}

/* Whether some of the objects that a pointer may point into is shared memory
 * that the loop writes, other than the tile whose place is asked for. */
static bool points_to_written(vary_walk *w, pl_node *pointer) {
  pl_roots roots = {0};
  if (pointer && pointer->type)
    pl_roots_of(w->loop->effects, w->loop->func, pointer, &roots);
  for (size_t i = 0; i < roots.n; i++)
    if (pl_root_space(roots.items[i]) == PL_SPACE_SHARED &&
        roots.items[i].decl != w->ignored &&
        written_in_loop(w->loop, roots.items[i].decl))
      return true;
  return false;
}

/* Whether a node reads shared memory that the loop writes: by a subscript or
 * a pointer, or in a call that is handed an address. */
static bool reads_written(vary_walk *w, pl_node *node) {
  switch (node->kind) {
  case PL_NODE_SUBSCRIPT:
    return !only_names_place(node) && points_to_written(w, node->kids[0]);
  case PL_NODE_UNARY:
    return node->op == PL_OP_DEREF && !only_names_place(node) &&
           points_to_written(w, node->kids[0]);
  case PL_NODE_MEMBER:
    return node->is_arrow && node->nkids && !only_names_place(node) &&
           points_to_written(w, node->kids[0]);
  case PL_NODE_CALL:
    for (uint32_t i = 1; i < node->nkids; i++)
      if (points_to_written(w, node->kids[i]))
        return true;
    return false;
  case PL_NODE_REF:
    return node->decl && node->decl->is_shared &&
           node->decl != w->ignored && !is_array_type(node->decl->type) &&
           !only_names_place(node) && written_in_loop(w->loop, node->decl);
  default:
    return false;
  }
}

static bool varies_visit(pl_node *node, void *context) {
  vary_walk *w = context;
  if (!node || w->varies || node->has_ival || node->kind == PL_NODE_SIZEOF)
    return false;
  if (reads_written(w, node)) {
    w->varies = true;
    return false;
  }
  if (node->kind != PL_NODE_REF || !node->decl)
    return true;
  pl_decl *decl = node->decl;
  if (decl == w->ignored || decl->is_shared)
    return true;
  if (decl->kind != PL_DECL_VAR && decl->kind != PL_DECL_PARAM)
    return true;
  if (w->loop->caller && decl->kind == PL_DECL_PARAM) {
    w->varies = w->varies || argument_varies(w->loop, decl);
    return true;
  }
  for (int i = 0; i < w->nopen; i++)
    if (w->open[i] == decl)
      return true;
  if (!pl_declared_inside(decl, w->loop->body)) {
    w->varies = written_in_loop(w->loop, decl) || pointee_varies(w->loop, node);
    return true;
  }
  if (w->nopen == 32) {
    w->varies = true;
    return false;
  }
  w->open[w->nopen++] = decl;
  pl_node_walk(w->loop->body, assigns_varying, w);
  w->nopen--;
  return true;
}

bool pl_varies(pl_loop *loop, pl_node *node) {
  vary_walk w = {.loop = loop};
  pl_node_walk(node, varies_visit, &w);
  return w.varies;
}

/* Whether the place in `tile` that an lvalue or address names may change. */
static bool place_varies(pl_loop *loop, const pl_decl *tile, pl_node *node) {
  vary_walk w = {.loop = loop, .ignored = tile};
  pl_node_walk(node, varies_visit, &w);
  return w.varies;
}

bool pl_is_pure(pl_loop *loop, pl_node *node) {
  pl_effects effects = {0};
  pl_effects_of(loop->effects, loop->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind != PL_EFFECT_READ)
      return false;
  return true;
}

/* ---- the load slice ------------------------------------------------------ */

typedef struct closure {
  pl_loop *loop;
  pl_decl **needed;
  size_t n, cap;
  bool *member; /* by statement */
} closure;

static bool is_private(const pl_decl *decl) {
  return decl && (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM) &&
         !decl->is_shared && !decl->points_to_shared && decl->owner;
}

static void need(closure *c, pl_decl *decl) {
  if (!is_private(decl))
    return;
  for (size_t i = 0; i < c->n; i++)
    if (c->needed[i] == decl)
      return;
  PL_PUSH(c->loop->arena, c->needed, c->n, c->cap, decl);
}

/* Every private variable that a piece of text names, those behind an address
 * included. */
static bool need_mentioned(pl_node *node, void *context);

/* What a reference, pointer or record that is named may stand for: variables
 * of the thread's own that it was made from, and all that a lambda names. */
static void need_referents(closure *c, pl_node *node) {
  pl_decl *decl = node->decl;
  const pl_type *type = decl->type;
  if (decl->init && decl->init->kind == PL_NODE_LAMBDA)
    for (uint32_t i = 0; i < decl->init->nkids; i++)
      pl_node_walk(decl->init->kids[i], need_mentioned, c);
  bool stands = type && (type->kind == PL_TYPE_POINTER ||
                         type->kind == PL_TYPE_REFERENCE ||
                         type->kind == PL_TYPE_RECORD);
  pl_roots roots = {0};
  if (stands && decl->kind == PL_DECL_VAR && decl->owner)
    pl_roots_of(c->loop->effects, c->loop->func, node, &roots);
  pl_effects effects = {0};
  if (type && type->kind == PL_TYPE_REFERENCE)
    pl_effects_of(c->loop->effects, c->loop->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].space == PL_SPACE_LOCAL)
      need(c, effects.items[i].root.decl);
  for (size_t i = 0; i < roots.n; i++)
    if (pl_root_space(roots.items[i]) == PL_SPACE_LOCAL)
      need(c, roots.items[i].decl);
}

static bool need_mentioned(pl_node *node, void *context) {
  closure *c = context;
  bool known = false;
  for (size_t i = 0; node->kind == PL_NODE_REF && i < c->n; i++)
    known = known || c->needed[i] == node->decl;
  if (node->kind == PL_NODE_REF && node->decl && !known) {
    need(c, node->decl);
    need_referents(c, node);
  }
  if (node->kind == PL_NODE_VAR && node->decl)
    for (uint32_t i = 0; i < node->decl->ndims; i++)
      pl_node_walk(node->decl->dims[i], need_mentioned, c);
  return true;
}

static void add_statement(closure *c, size_t index) {
  if (c->member[index])
    return;
  c->member[index] = true;
  pl_node_walk(c->loop->stmts[index].node, need_mentioned, c);
}

/* Every statement of the body that gives `decl` a value. */
static void add_writers(closure *c, const pl_decl *decl) {
  for (size_t i = 0; i < c->loop->nstmts; i++) {
    const pl_stmt *stmt = &c->loop->stmts[i];
    if (stmt->is_barrier)
      continue;
    if (writes_decl(&stmt->effects, decl) ||
        (decl->node && pl_node_within(decl->node, stmt->node)))
      add_statement(c, i);
  }
  if (writes_decl(&c->loop->header_effects, decl))
    pl_node_walk(c->loop->inc, need_mentioned, c);
}

static void close_over(closure *c) {
  for (size_t i = 0; i < c->n; i++)
    add_writers(c, c->needed[i]);
}

static closure closure_new(pl_loop *loop) {
  closure c = {.loop = loop};
  c.member = PL_NEW_ARRAY(loop->arena, bool, loop->nstmts + 1);
  return c;
}

/* ---- tiles ---------------------------------------------------------------- */

typedef struct candidate {
  pl_decl *decl;
  int phase;      /* of its streaming fill, -1: none */
  bool streams;   /* filled from global memory, by a slice without tiles */
  bool many;      /* written in several phases */
} candidate;

static bool reads_global(const pl_effects *effects) {
  for (size_t i = 0; i < effects->n; i++)
    if (effects->items[i].kind == PL_EFFECT_READ &&
        (effects->items[i].space == PL_SPACE_GLOBAL ||
         effects->items[i].space == PL_SPACE_CONSTANT ||
         effects->items[i].space == PL_SPACE_UNKNOWN))
      return true;
  return false;
}

static const pl_effect *reads_written_shared(const pl_loop *loop,
                                             const pl_effects *effects) {
  for (size_t i = 0; i < effects->n; i++)
    if (effects->items[i].kind == PL_EFFECT_READ &&
        effects->items[i].space == PL_SPACE_SHARED &&
        written_in_loop(loop, effects->items[i].root.decl))
      return &effects->items[i];
  return NULL;
}

static bool writes_shared(const pl_stmt *stmt, const pl_decl *decl) {
  for (size_t i = 0; i < stmt->effects.n; i++)
    if (stmt->effects.items[i].kind == PL_EFFECT_WRITE &&
        stmt->effects.items[i].space == PL_SPACE_SHARED &&
        stmt->effects.items[i].root.decl == decl)
      return true;
  return false;
}

static bool feeds(const closure *c, const pl_stmt *stmt) {
  for (size_t i = 0; i < c->n; i++)
    if (c->needed[i] && writes_decl(&stmt->effects, c->needed[i]))
      return true;
  return false;
}

/* What a statement overwrites as a whole need not be looked for before it. */
static void forget_written(closure *c, const pl_stmt *stmt) {
  for (size_t j = 0; j < stmt->effects.n; j++)
    for (size_t i = 0; i < c->n; i++)
      if (stmt->effects.items[j].kind == PL_EFFECT_WRITE &&
          stmt->effects.items[j].whole &&
          stmt->effects.items[j].root.decl == c->needed[i])
        c->needed[i] = NULL;
}

/* Whether what a statement stores comes from global memory in the same
 * iteration, through statements that stand before it. */
static bool statement_streams(pl_loop *loop, size_t index) {
  closure c = closure_new(loop);
  add_statement(&c, index);
  if (reads_global(&loop->stmts[index].effects))
    return true;
  for (size_t i = index; i-- > 0;) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (stmt->phase != loop->stmts[index].phase || stmt->is_barrier ||
        !feeds(&c, stmt))
      continue;
    if (reads_global(&stmt->effects))
      return true;
    forget_written(&c, stmt);
    add_statement(&c, i);
  }
  return false;
}

static size_t collect_candidates(pl_loop *loop, candidate **list) {
  size_t n = 0, cap = 0;
  for (size_t i = 0; i < loop->nstmts; i++) {
    pl_effects *effects = &loop->stmts[i].effects;
    for (size_t j = 0; j < effects->n; j++) {
      pl_effect *effect = &effects->items[j];
      if (effect->kind != PL_EFFECT_WRITE ||
          effect->space != PL_SPACE_SHARED)
        continue;
      candidate *found = NULL;
      for (size_t k = 0; k < n; k++)
        if ((*list)[k].decl == effect->root.decl)
          found = &(*list)[k];
      if (!found) {
        candidate fresh = {.decl = effect->root.decl, .phase = -1};
        PL_PUSH(loop->arena, *list, n, cap, fresh);
        found = &(*list)[n - 1];
      }
      bool streams = !reads_written_shared(loop, effects) &&
                     statement_streams(loop, i);
      if (found->phase >= 0 && found->phase != loop->stmts[i].phase)
        found->many = true;
      if (streams)
        found->streams = true;
      if (found->phase < 0 || (streams && !found->many))
        found->phase = loop->stmts[i].phase;
    }
  }
  return n;
}

/* The name of a local that `node` reads, loaded from global memory elsewhere in
 * the loop: at a later place or in another phase. NULL: none. */
static const pl_decl *prefetched_local(pl_loop *loop, size_t index) {
  closure c = closure_new(loop);
  pl_node_walk(loop->stmts[index].node, need_mentioned, &c);
  for (size_t k = 0; k < c.n; k++) {
    pl_decl *decl = c.needed[k];
    if (pl_declared_inside(decl, loop->body) || writes_decl(&loop->header_effects, decl))
      continue;
    for (size_t i = 0; i < loop->nstmts; i++)
      if (i != index && writes_decl(&loop->stmts[i].effects, decl) &&
          reads_global(&loop->stmts[i].effects) &&
          (i > index || loop->stmts[i].phase != loop->stmts[index].phase))
        return decl;
  }
  return NULL;
}

/* Whether another phase only reads a shared object, as compute reads a tile. */
static bool is_used_elsewhere(pl_loop *loop, const pl_stmt *fill,
                              const pl_decl *decl) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (stmt->phase == fill->phase || writes_shared(stmt, decl))
      continue;
    for (size_t j = 0; j < stmt->effects.n; j++)
      if (stmt->effects.items[j].kind == PL_EFFECT_READ &&
          stmt->effects.items[j].root.decl == decl)
        return true;
  }
  return false;
}

static bool find_assembly(pl_node *node, void *context) {
  bool *found = context;
  *found = *found || node->kind == PL_NODE_ASM;
  return !*found;
}

/* An operand of inline assembly, or the call of a function whose own text holds
 * some. */
static bool is_assembly(const pl_node *node) {
  const pl_func *func =
      node->kind == PL_NODE_CALL && node->decl ? node->decl->func : NULL;
  bool found = false;
  for (const pl_node *at = node; at && !found; at = at->parent)
    found = at->kind == PL_NODE_ASM;
  if (func && func->body)
    pl_node_walk(func->body, find_assembly, &found);
  return found;
}

static bool refuse_assembly(pl_loop *loop, const pl_effect *effect) {
  return pl_refuse(loop, false, "PL2010", effect->node,
                   "tile '%.*s' is filled by inline assembly",
                   PL_FMT(effect->root.decl->name));
}

/* A statement that loads globally into shared memory, but at a place or with a
 * value that shared memory decides. */
static bool check_dependent_fill(pl_loop *loop, const pl_stmt *stmt) {
  const pl_effect *read = reads_written_shared(loop, &stmt->effects);
  if (!read || stmt->is_barrier || !reads_global(&stmt->effects) ||
      !is_used_elsewhere(loop, stmt, read->root.decl))
    return true;
  for (size_t j = 0; j < stmt->effects.n; j++) {
    const pl_effect *write = &stmt->effects.items[j];
    if (write->kind != PL_EFFECT_WRITE || write->space != PL_SPACE_SHARED)
      continue;
    if (write->root.decl == read->root.decl && is_assembly(write->node))
      return refuse_assembly(loop, write);
    if (write->root.decl == read->root.decl)
      return pl_refuse(loop, true, "PL3002", read->node,
                       "tile '%.*s' is read in the load phase",
                       PL_FMT(read->root.decl->name));
    return pl_refuse(loop, true, "PL4001", read->node,
                     "the load side needs a value that is computed from "
                     "shared memory, '%.*s'",
                     PL_FMT(read->root.decl->name));
  }
  return true;
}

static bool settle_without_tile(pl_loop *loop, candidate *list, size_t n) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_effect *unseen =
        pl_effects_find(&loop->stmts[i].effects, PL_EFFECT_UNSEEN);
    if (unseen)
      return pl_refuse(loop, false, "PL4004", unseen->node,
                       "the body of '%.*s' is not seen, so what it reads and "
                       "writes is not known",
                       PL_FMT(pl_callee_name(unseen->node)));
    if (!check_dependent_fill(loop, &loop->stmts[i]))
      return false;
  }
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t k = 0; k < n; k++) {
      if (!writes_shared(&loop->stmts[i], list[k].decl) ||
          reads_written_shared(loop, &loop->stmts[i].effects))
        continue;
      const pl_decl *decl = prefetched_local(loop, i);
      if (decl)
        return pl_loop_settle(
            loop, PL_VERDICT_ALREADY_PIPELINED, true, "PL2100",
            loop->stmts[i].node,
            "'%.*s' is loaded a tile ahead of its store already",
            PL_FMT(decl->name));
    }
  return pl_loop_settle(loop, PL_VERDICT_NOT_A_TILE_LOOP, true, "PL2101", NULL,
                        "the loop does not fill shared memory from global "
                        "memory tile by tile");
}

/* Whether a value differs between threads, as an index within a buffer does
 * and the number of a buffer does not. */
static bool names_thread(const pl_node *node, int depth) {
  if (!node || depth > 6)
    return false;
  if (node->kind == PL_NODE_REF && node->decl) {
    if (pl_str_is(node->name, "threadIdx"))
      return true;
    return node->decl->kind == PL_DECL_VAR && node->decl->owner &&
           names_thread(node->decl->init, depth + 1);
  }
  for (uint32_t i = 0; i < node->nkids; i++)
    if (names_thread(node->kids[i], depth))
      return true;
  return false;
}

static bool mentions_toggle(pl_loop *loop, pl_node *node, int depth) {
  if (!node || depth > 6 || node->kind == PL_NODE_ASSIGN)
    return false;
  if (node->kind == PL_NODE_BINARY &&
      (node->op == PL_OP_AND || node->op == PL_OP_XOR ||
       node->op == PL_OP_REM) &&
      pl_varies(loop, node) && !names_thread(node, 0))
    return true;
  if (node->kind == PL_NODE_BINARY && node->op == PL_OP_SUB &&
      pl_node_bare(node->kids[0])->has_ival && pl_varies(loop, node->kids[1]))
    return true;
  if (node->kind == PL_NODE_REF && node->decl && node->decl->owner &&
      node->decl->kind == PL_DECL_VAR) {
    pl_decl *decl = node->decl;
    if (pl_declared_inside(decl, loop->body))
      return mentions_toggle(loop, decl->init, depth + 1);
    for (size_t i = 0; i < loop->nstmts; i++) {
      pl_node *stmt = loop->stmts[i].node;
      if (stmt->kind == PL_NODE_ASSIGN &&
          pl_node_bare(stmt->kids[0])->decl == decl &&
          (stmt->op != PL_OP_ADD && stmt->op != PL_OP_SUB))
        return true;
    }
    return false;
  }
  for (uint32_t i = 0; i < node->nkids; i++)
    if (mentions_toggle(loop, node->kids[i], depth + 1))
      return true;
  return false;
}

typedef struct store_scan {
  pl_loop *loop;
  const pl_decl *tile;
  pl_node *toggled, *varying;
} store_scan;

/* The local pointer that an lvalue goes through, when the loop moves it. */
static bool through_moving_pointer(pl_loop *loop, pl_node *node) {
  node = pl_node_bare(node);
  while (node && (node->kind == PL_NODE_SUBSCRIPT ||
                  node->kind == PL_NODE_MEMBER ||
                  node->kind == PL_NODE_UNARY || node->kind == PL_NODE_CAST))
    node = pl_node_bare(node->kids[0]);
  return node && node->kind == PL_NODE_REF && is_private(node->decl) &&
         !pl_declared_inside(node->decl, loop->body) &&
         written_in_loop(loop, node->decl);
}

static bool scan_store(pl_node *node, void *context) {
  store_scan *scan = context;
  pl_node *target = NULL;
  if (node->kind == PL_NODE_ASSIGN)
    target = node->kids[0];
  else if (node->kind == PL_NODE_CALL)
    target = node;
  if (!target)
    return true;
  pl_loop *loop = scan->loop;
  if (node->kind == PL_NODE_ASSIGN) {
    pl_effects effects = {0};
    pl_effects_of(loop->effects, loop->func, node, &effects);
    bool hits = false;
    for (size_t i = 0; i < effects.n; i++)
      hits = hits || (effects.items[i].kind == PL_EFFECT_WRITE &&
                      effects.items[i].node == target &&
                      effects.items[i].root.decl == scan->tile);
    if (!hits)
      return true;
    if (through_moving_pointer(loop, target))
      scan->toggled = node;
    if (place_varies(loop, scan->tile, target)) {
      scan->varying = node;
      if (mentions_toggle(loop, target, 0))
        scan->toggled = node;
    }
    return true;
  }
  for (uint32_t i = 1; i < node->nkids; i++) {
    pl_roots roots = {0};
    pl_node *arg = node->kids[i];
    if (!arg)
      continue;
    pl_roots_of(loop->effects, loop->func, arg, &roots);
    for (size_t j = 0; j < roots.n; j++)
      if (roots.items[j].decl == scan->tile) {
        if (through_moving_pointer(loop, arg))
          scan->toggled = node;
        if (place_varies(loop, scan->tile, arg)) {
          scan->varying = node;
          if (mentions_toggle(loop, arg, 0))
            scan->toggled = node;
        }
      }
  }
  return true;
}

/* Alternating buffers, and cells that wander with the iteration. */
static bool check_cells(pl_loop *loop, const pl_decl *tile) {
  store_scan scan = {.loop = loop, .tile = tile};
  for (size_t i = 0; i < loop->nstmts; i++)
    if (writes_shared(&loop->stmts[i], tile))
      pl_node_walk(loop->stmts[i].node, scan_store, &scan);
  if (scan.toggled)
    return pl_loop_settle(loop, PL_VERDICT_ALREADY_PIPELINED, true, "PL2100",
                          scan.toggled, "'%.*s' already alternates between buffers",
                          PL_FMT(tile->name));
  if (scan.varying)
    return pl_refuse(loop, true, "PL3003", scan.varying,
                     "which cells of tile '%.*s' are written depends on the "
                     "iteration",
                     PL_FMT(tile->name));
  return true;
}

/* A tile that is streamed in one phase and written in another from anything
 * else than global memory is changed by compute. */
static bool check_single_phase(pl_loop *loop, const candidate *list,
                               size_t n) {
  for (size_t i = 0; i < n; i++)
    for (size_t s = 0; list[i].streams && list[i].many && s < loop->nstmts;
         s++) {
      pl_stmt *stmt = &loop->stmts[s];
      if (!writes_shared(stmt, list[i].decl) ||
          (statement_streams(loop, s) &&
           !reads_written_shared(loop, &stmt->effects)))
        continue;
      const pl_type *type = list[i].decl->type;
      bool record = type && type->kind == PL_TYPE_RECORD;
      return pl_refuse(loop, true, "PL3001", stmt->node,
                       "tile '%.*s' is written in the compute phase too%s",
                       PL_FMT(list[i].decl->name),
                       record ? "; declare what compute writes apart from it"
                              : "");
    }
  return true;
}

/* The first statement that fills a tile in another phase than the first. */
static const pl_node *second_fill(const pl_loop *loop, const pl_decl *tile) {
  const pl_stmt *first = NULL;
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (!writes_shared(stmt, tile))
      continue;
    if (first && first->phase != stmt->phase)
      return stmt->node;
    first = first ? first : stmt;
  }
  return NULL;
}

static bool choose_tiles(pl_loop *loop) {
  candidate *list = NULL;
  size_t n = collect_candidates(loop, &list);
  bool any = false;
  for (size_t i = 0; i < n; i++)
    any = any || list[i].streams;
  if (!any)
    return settle_without_tile(loop, list, n);
  int best = -1, best_count = 0;
  for (int phase = 0; phase < loop->nphases; phase++) {
    int count = 0;
    for (size_t i = 0; i < n; i++)
      count += list[i].streams && !list[i].many && list[i].phase == phase;
    if (count > best_count) {
      best = phase;
      best_count = count;
    }
  }
  for (size_t i = 0; i < n; i++) {
    if (!list[i].streams || (best >= 0 && list[i].phase != best) ||
        (best >= 0 && list[i].many))
      continue;
    pl_tile tile = {.decl = list[i].decl, .bytes = -1};
    tile.dynamic = list[i].decl->is_extern;
    PL_PUSH(loop->arena, loop->tiles, loop->ntiles, loop->tiles_cap, tile);
  }
  for (size_t i = 0; i < loop->ntiles; i++)
    if (!check_cells(loop, loop->tiles[i].decl))
      return false;
  if (!check_single_phase(loop, list, n))
    return false;
  if (best >= 0) {
    loop->load_phase = best;
    return true;
  }
  const pl_decl *tile = loop->tiles[0].decl;
  return pl_refuse(loop, true, "PL3001", second_fill(loop, tile),
                   "tile '%.*s' is filled in more than one phase",
                   PL_FMT(tile->name));
}

/* ---- slices --------------------------------------------------------------- */

static bool fills_tile(const pl_loop *loop, const pl_stmt *stmt) {
  for (size_t i = 0; i < loop->ntiles; i++)
    if (writes_shared(stmt, loop->tiles[i].decl))
      return true;
  return false;
}

/* A load statement, or the value it needs, depends on what compute makes. */
static bool check_member(pl_loop *loop, const pl_stmt *stmt) {
  for (size_t i = 0; i < stmt->effects.n; i++) {
    const pl_effect *effect = &stmt->effects.items[i];
    pl_decl *decl = effect->root.decl;
    if (effect->space != PL_SPACE_SHARED || !written_in_loop(loop, decl))
      continue;
    bool tile = pl_loop_tile(loop, decl) != NULL;
    if (tile && stmt->fills && is_assembly(effect->node))
      return refuse_assembly(loop, effect);
    if (effect->kind == PL_EFFECT_READ && stmt->fills && tile)
      return pl_refuse(loop, true, "PL3002", effect->node,
                       "tile '%.*s' is read in the load phase",
                       PL_FMT(decl->name));
    if (effect->kind == PL_EFFECT_READ && stmt->fills)
      return pl_refuse(loop, true, "PL3010", effect->node,
                       "the tile is filled from shared memory, '%.*s'",
                       PL_FMT(decl->name));
    if (effect->kind == PL_EFFECT_READ || effect->kind == PL_EFFECT_ATOMIC)
      return pl_refuse(loop, true, "PL4001", effect->node,
                       "the load side needs a value that is computed from "
                       "shared memory, '%.*s'",
                       PL_FMT(decl->name));
    if (effect->kind == PL_EFFECT_WRITE && !tile)
      return pl_refuse(loop, true, "PL3008", effect->node,
                       "the load phase also writes the shared variable "
                       "'%.*s'",
                       PL_FMT(decl->name));
  }
  return true;
}

static bool is_plain_name(const pl_node *node, const pl_decl *decl) {
  node = pl_node_bare((pl_node *)node);
  while (node && (node->kind == PL_NODE_MEMBER ||
                  node->kind == PL_NODE_SUBSCRIPT))
    node = node->nkids ? pl_node_bare(node->kids[0]) : NULL;
  return node && node->kind == PL_NODE_REF && node->decl == decl;
}

/* Where a variable gets a second name: its address is kept, a reference is
 * bound to it, a lambda captures it, a record is made from it. An address that
 * is only passed to a call is followed there. */
static const pl_node *exposure(const pl_node *node, const pl_decl *decl) {
  if (!node)
    return NULL;
  bool argument = node->parent && node->parent->kind == PL_NODE_CALL;
  if (node->kind == PL_NODE_UNARY && node->op == PL_OP_ADDR && !argument &&
      is_plain_name(node->kids[0], decl) &&
      !(node->parent && node->parent->kind == PL_NODE_CAST))
    return node;
  const pl_type *type = node->decl ? node->decl->type : NULL;
  bool record = type && type->kind == PL_TYPE_RECORD &&
                !type->is_trivially_copyable;
  if (node->kind == PL_NODE_VAR && node->nkids && node->kids[0] && type &&
      type->kind == PL_TYPE_REFERENCE && is_plain_name(node->kids[0], decl))
    return node;
  if (node->kind == PL_NODE_VAR && record && node->nkids &&
      pl_mentions(node->kids[0], decl))
    return node;
  if (node->kind == PL_NODE_OTHER_DECL || node->kind == PL_NODE_LAMBDA ||
      node->kind == PL_NODE_RANGE_FOR)
    return pl_mentions(node, decl) ? node : NULL;
  for (uint32_t i = 0; i < node->nkids; i++) {
    const pl_node *found = exposure(node->kids[i], decl);
    if (found)
      return found;
  }
  return NULL;
}

/* A variable that the load side needs and the loop changes must be seen under
 * its one name. */
static bool check_exposed(pl_loop *loop, const closure *c) {
  for (size_t i = 0; i < c->n; i++) {
    const pl_decl *decl = c->needed[i];
    const pl_type *type = decl->type;
    bool own = type && type->kind != PL_TYPE_REFERENCE &&
               type->kind != PL_TYPE_POINTER;
    if (!written_in_loop(loop, decl) || (!own && !decl->node))
      continue;
    const pl_node *at = exposure(loop->func->body, decl);
    if (at && !pl_declared_inside(decl, loop->body))
      return pl_refuse(loop, false, "PL3009", at,
                       "'%.*s' is also reached through a reference, pointer "
                       "or lambda",
                       PL_FMT(decl->name));
  }
  return true;
}

static bool build_load_slice(pl_loop *loop) {
  closure c = closure_new(loop);
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].phase == loop->load_phase && !loop->stmts[i].is_barrier &&
        fills_tile(loop, &loop->stmts[i])) {
      loop->stmts[i].fills = true;
      add_statement(&c, i);
    }
  pl_node_walk(loop->cond, need_mentioned, &c);
  close_over(&c);
  if (!check_exposed(loop, &c))
    return false;
  for (size_t i = 0; i < loop->nstmts; i++) {
    loop->stmts[i].in_load = c.member[i];
    if (c.member[i] && !check_member(loop, &loop->stmts[i]))
      return false;
  }
  return true;
}

/* `x += invariant`, `++x` and relatives; NULL where a statement is none. */
static pl_decl *stepped_variable(pl_loop *loop, pl_node *node) {
  node = pl_node_bare(node);
  if (node->kind == PL_NODE_UNARY &&
      (node->op == PL_OP_PREINC || node->op == PL_OP_POSTINC ||
       node->op == PL_OP_PREDEC || node->op == PL_OP_POSTDEC)) {
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

/* Records the steps of one expression: `a += x, b += y` has two. False where a
 * part of it is no step. */
static bool collect_steps(pl_loop *loop, pl_node *node, int stmt) {
  node = pl_node_bare(node);
  if (!node)
    return true;
  if (node->kind == PL_NODE_BINARY && node->op == PL_OP_COMMA) {
    bool left = collect_steps(loop, node->kids[0], stmt);
    return collect_steps(loop, node->kids[1], stmt) && left;
  }
  pl_decl *decl = stepped_variable(loop, node);
  if (!decl || !is_private(decl) || pl_declared_inside(decl, loop->body))
    return false;
  pl_recurrence step = {.decl = decl, .step = node, .stmt = stmt};
  step.in_header = loop->init && decl->node &&
                   pl_node_within(decl->node, loop->init);
  PL_PUSH(loop->arena, loop->recurrences, loop->nrecurrences,
          loop->recurrences_cap, step);
  return true;
}

static size_t steps_of(const pl_loop *loop, const pl_decl *decl) {
  size_t n = 0;
  for (size_t i = 0; i < loop->nrecurrences; i++)
    n += loop->recurrences[i].decl == decl;
  return n;
}

static size_t count_writes(const pl_effects *effects, const pl_decl *decl) {
  size_t n = 0;
  for (size_t i = 0; i < effects->n; i++)
    n += effects->items[i].kind == PL_EFFECT_WRITE &&
         changes(&effects->items[i], decl);
  return n;
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

static bool is_array(const pl_decl *decl) {
  return decl->type && (decl->type->kind == PL_TYPE_ARRAY ||
                        decl->type->kind == PL_TYPE_RECORD);
}

/* `here = above;` where `above` was loaded: planes that roll on, not tiles. */
static bool rolls_loaded_value(pl_loop *loop, const pl_decl *decl) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_node *stmt = loop->stmts[i].node;
    if (stmt->kind != PL_NODE_ASSIGN || stmt->op != PL_OP_ASSIGN)
      continue;
    const pl_node *target = pl_node_bare(stmt->kids[0]);
    pl_node *value = pl_node_bare(stmt->kids[1]);
    if (target->kind != PL_NODE_REF || target->decl != decl ||
        value->kind != PL_NODE_REF || !value->decl || !value->type ||
        value->type->kind == PL_TYPE_POINTER)
      continue;
    for (size_t k = 0; k < loop->nstmts; k++)
      if (writes_decl(&loop->stmts[k].effects, value->decl) &&
          reads_global(&loop->stmts[k].effects))
        return true;
  }
  return false;
}

/* A variable from outside the loop that the load side changes: it must step by
 * a constant amount at one place, or be written before it is read in every
 * iteration. */
static bool check_carried(pl_loop *loop, const pl_decl *decl) {
  size_t steps = steps_of(loop, decl), writes = 0;
  writes += count_writes(&loop->header_effects, decl);
  pl_node *at = NULL;
  for (size_t i = 0; i < loop->nstmts; i++) {
    size_t here = count_writes(&loop->stmts[i].effects, decl);
    writes += here;
    if (here && (!at || !loop->stmts[i].is_advance))
      at = loop->stmts[i].node;
  }
  if (writes == 0 || (steps == 1 && writes == 1))
    return true;
  const pl_stmt *where = NULL;
  const pl_effect *first = first_use(loop, decl, &where);
  bool fresh = steps == 0 && first && first->kind == PL_EFFECT_WRITE &&
               (first->whole || is_array(decl));
  if (fresh)
    return true;
  if (rolls_loaded_value(loop, decl))
    return pl_loop_settle(loop, PL_VERDICT_NOT_A_TILE_LOOP, true, "PL2101",
                          at, "'%.*s' hands loaded values on from one "
                          "iteration to the next",
                          PL_FMT(decl->name));
  return pl_refuse(loop, true, "PL2001", at ? at : loop->inc,
                   "'%.*s' does not advance by the same amount once a tile",
                   PL_FMT(decl->name));
}

typedef struct carried_walk {
  pl_loop *loop;
  bool ok;
} carried_walk;

static bool check_mentioned(pl_node *node, void *context) {
  carried_walk *w = context;
  if (!w->ok || node->kind != PL_NODE_REF || !is_private(node->decl) ||
      pl_declared_inside(node->decl, w->loop->body))
    return w->ok;
  w->ok = check_carried(w->loop, node->decl);
  return w->ok;
}

/* The header's step may not read memory: the loop might change it. */
static bool check_step_memory(pl_loop *loop) {
  pl_effects effects = {0};
  pl_effects_of(loop->effects, loop->func, loop->inc, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind == PL_EFFECT_READ &&
        effects.items[i].space != PL_SPACE_LOCAL &&
        effects.items[i].space != PL_SPACE_CONSTANT)
      return pl_refuse(loop, false, "PL2001", loop->inc,
                       "the loop's step is read from memory");
  return true;
}

static bool find_recurrences(pl_loop *loop) {
  if (!check_step_memory(loop))
    return false;
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
  carried_walk w = {loop, true};
  pl_node_walk(loop->cond, check_mentioned, &w);
  for (size_t i = 0; i < loop->nstmts && w.ok; i++)
    if (loop->stmts[i].in_load)
      pl_node_walk(loop->stmts[i].node, check_mentioned, &w);
  return w.ok;
}

/* ---- the compute slice ---------------------------------------------------- */

static pl_stmt *filling_writer(pl_loop *loop, const pl_decl *decl) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].fills && writes_decl(&loop->stmts[i].effects, decl))
      return &loop->stmts[i];
  return NULL;
}

/* Compute needs what a load statement makes: it gets its own copy of a pure
 * one; a statement that also fills a tile cannot be copied. */
static bool share_with_compute(pl_loop *loop, closure *c) {
  for (size_t k = 0; k < c->n; k++) {
    pl_decl *decl = c->needed[k];
    pl_stmt *fill = filling_writer(loop, decl);
    bool inside = pl_declared_inside(decl, loop->body);
    if (fill && !(inside && pl_node_within(decl->node, fill->node)))
      return pl_refuse(loop, false, "PL4006", fill->node,
                       "this statement fills a tile and also computes "
                       "'%.*s', which the compute phase needs",
                       PL_FMT(decl->name));
    bool recurrence = steps_of(loop, decl) > 0;
    for (size_t i = 0; i < loop->nstmts; i++) {
      pl_stmt *stmt = &loop->stmts[i];
      if (stmt->is_barrier || stmt->fills || c->member[i])
        continue;
      bool declares = decl->node && pl_node_within(decl->node, stmt->node);
      if (!declares && !writes_decl(&stmt->effects, decl))
        continue;
      if (stmt->in_load && !inside && !recurrence)
        return pl_refuse(loop, false, "PL4006", stmt->node,
                         "the load phase sets '%.*s', which the compute "
                         "phase needs as well",
                         PL_FMT(decl->name));
      add_statement(c, i);
    }
  }
  return true;
}

static bool build_compute_slice(pl_loop *loop) {
  closure c = closure_new(loop);
  for (size_t i = 0; i < loop->nstmts; i++)
    if (!loop->stmts[i].is_barrier && !loop->stmts[i].in_load)
      add_statement(&c, i);
  if (!share_with_compute(loop, &c))
    return false;
  for (size_t i = 0; i < loop->nstmts; i++)
    loop->stmts[i].in_compute = c.member[i];
  for (size_t i = 0; i < loop->nrecurrences; i++) {
    pl_recurrence *r = &loop->recurrences[i];
    for (size_t k = 0; k < c.n; k++)
      r->compute_needs = r->compute_needs || c.needed[k] == r->decl;
  }
  for (size_t i = 0; i < loop->nrecurrences; i++)
    for (size_t k = 0; k < loop->nrecurrences; k++)
      if (loop->recurrences[i].stmt >= 0 &&
          loop->recurrences[i].stmt == loop->recurrences[k].stmt &&
          loop->recurrences[k].compute_needs)
        loop->recurrences[i].compute_needs = true;
  return true;
}

/* The fills must come before the first use of what they fill. */
static bool check_order(pl_loop *loop) {
  size_t last_fill = 0;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].fills)
      last_fill = i;
  for (size_t i = 0; i < last_fill; i++)
    for (size_t j = 0; j < loop->stmts[i].effects.n; j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      if (effect->kind == PL_EFFECT_READ &&
          effect->space == PL_SPACE_SHARED &&
          pl_loop_tile(loop, effect->root.decl) &&
          loop->stmts[i].phase != loop->load_phase &&
          !statement_streams(loop, last_fill))
        return pl_refuse(loop, true, "PL3001", loop->stmts[last_fill].node,
                         "tile '%.*s' is written after it was used",
                         PL_FMT(effect->root.decl->name));
      else if (effect->kind == PL_EFFECT_READ &&
               effect->space == PL_SPACE_SHARED &&
               pl_loop_tile(loop, effect->root.decl) &&
               loop->stmts[i].phase != loop->load_phase)
        return pl_loop_settle(
            loop, PL_VERDICT_ALREADY_PIPELINED, true, "PL2100", NULL,
            "tile '%.*s' is loaded for the next iteration already",
            PL_FMT(effect->root.decl->name));
    }
  return true;
}

static void note_barriers(pl_loop *loop) {
  size_t first_fill = loop->nstmts, last_use = 0;
  for (size_t i = loop->nstmts; i-- > 0;)
    if (loop->stmts[i].fills)
      first_fill = i;
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t j = 0; j < loop->stmts[i].effects.n; j++)
      if (loop->stmts[i].effects.items[j].kind == PL_EFFECT_READ &&
          loop->stmts[i].effects.items[j].space == PL_SPACE_SHARED)
        last_use = i;
  for (size_t i = 0; i < loop->nstmts; i++) {
    if (!loop->stmts[i].is_barrier)
      continue;
    loop->barrier_first = loop->barrier_first || i < first_fill;
    loop->barrier_last = loop->barrier_last || i > last_use;
  }
}

void pl_slice(pl_loop *loop) {
  if (loop->settled)
    return;
  pl_effects_of(loop->effects, loop->func, loop->inc, &loop->header_effects);
  pl_effects_of(loop->effects, loop->func, loop->cond, &loop->header_effects);
  if (!choose_tiles(loop) || !build_load_slice(loop) || !check_order(loop) ||
      !find_recurrences(loop) || !build_compute_slice(loop))
    return;
  note_barriers(loop);
}
