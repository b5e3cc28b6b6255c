/* varies.c - which values change from one tile to the next?
 *
 * Needs: phases, the effects of each statement. Gives: whether an expression,
 * or the place in a tile that it names, may change with the iteration; which
 * variables the loop writes. Raises nothing: what is not known varies. */
#include "cfg.h"
#include "reaching_definitions.h"
#include "varies.h"

bool pl_written_in_loop(const pl_loop *loop, const pl_decl *decl) {
  if (pl_writes_decl(&loop->header_effects, decl))
    return true;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (pl_writes_decl(&loop->stmts[i].effects, decl))
      return true;
  return false;
}

typedef struct vary_walk {
  pl_loop *loop;
  const pl_decl *ignored; /* the tile whose address is formed */
  const pl_decl *open[32];
  const pl_node *asked[32]; /* where the open variable is named */
  int nopen;
  bool varies;
} vary_walk;

static bool varies_visit(pl_node *node, void *context);

typedef struct jump_walk {
  vary_walk *w;
  const pl_node *loop, *node;
  uint32_t before; /* jumps in front of that pass the node over */
  bool outlives;   /* the variable: then a break behind the node decides, too */
} jump_walk;

/* The conditions of a jump by which a loop is left, or the rest of its body passed
 * over, before it gets to a place. */
static bool visit_jump(pl_node *jump, void *context) {
  const jump_walk *j = context;
  const pl_node *target = pl_cfg_jump_target(jump);
  bool breaks = jump->kind == PL_NODE_BREAK;
  bool decides = (breaks || jump->kind == PL_NODE_CONTINUE) &&
                 (jump->range.begin < j->before || (breaks && j->outlives)) &&
                 (!target || pl_node_within(j->node, target)) &&
                 pl_node_within(jump, j->loop);
  for (const pl_node *at = jump; decides && at != j->loop; at = at->parent)
    if (at->parent->kind == PL_NODE_IF || at->parent->kind == PL_NODE_SWITCH)
      pl_node_walk(at->parent->kids[0], varies_visit, j->w);
  return true;
}

/* The jumps of a loop around `at` that decide whether `node` below it sets the
 * variable that is looked at. A loop's header is done in each iteration. */
static void visit_loop_jumps(vary_walk *w, const pl_node *up,
                             const pl_node *at, const pl_node *node) {
  const pl_decl *decl = w->nopen ? w->open[w->nopen - 1] : NULL;
  bool header = up->kind == PL_NODE_FOR && at != up->kids[3];
  bool outlives = !decl || !decl->node || !pl_node_within(decl->node, up);
  jump_walk j = {w, up, node, header ? 0 : node->range.begin, outlives};
  pl_cfg_each_jump(up, visit_jump, &j);
}

/* The conditions of the branches and loops between a node and the declaration of
 * the variable that it sets, or the tile loop's body: they decide whether what it
 * does is done. Who names the variable has come past those further out. */
static void visit_conditions(vary_walk *w, const pl_node *node) {
  const pl_decl *decl = w->nopen ? w->open[w->nopen - 1] : NULL;
  for (const pl_node *at = node; at->parent && at->parent != w->loop->body;
       at = at->parent) {
    if (decl && decl->node && pl_node_within(decl->node, at))
      return;
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
    if (at->kind == PL_NODE_ASSIGN || pl_node_is_step(at) ||
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
  if (node->kind == PL_NODE_ASSIGN || pl_node_is_step(node))
    target = pl_node_bare(node->kids[0]);
  while (target && (target->kind == PL_NODE_SUBSCRIPT ||
                    target->kind == PL_NODE_MEMBER) && !leaves_object(target))
    target = pl_node_bare(target->kids[0]);
  if (target && target->kind == PL_NODE_REF && target->decl == decl)
    return true;
  if (node->kind != PL_NODE_CALL && node->kind != PL_NODE_ASM && !target)
    return false;
  pl_effects effects = pl_effects_in(loop, node);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effects one = {&effects.items[i], 1, 1};
    bool cell = decl->points_to_shared && !effects.items[i].direct;
    if (pl_writes_decl(&one, decl) && !cell &&
        !is_nested_setter(effects.items[i].node, node))
      return true;
  }
  return false;
}

/* The statement of the body that a node stands in; NULL: it stands elsewhere. */
static const pl_node *own_statement(const pl_loop *loop, const pl_node *node) {
  while (node && node->parent != loop->body)
    node = node->parent;
  return node;
}

/* Whether a node stands behind the statement that asks for a variable which is
 * made anew in each iteration. */
static bool comes_behind(const vary_walk *w, const pl_node *node,
                         const pl_decl *decl) {
  const pl_node *asked = own_statement(w->loop, w->asked[w->nopen - 1]);
  const pl_node *own = own_statement(w->loop, node);
  return asked && own && own->range.begin >= asked->range.end &&
         pl_is_of_iteration(w->loop, decl);
}

static bool assigns_varying(pl_node *node, void *context) {
  vary_walk *w = context;
  const pl_decl *decl = w->open[w->nopen - 1];
  if (w->varies || !sets(w->loop, node, decl) ||
      comes_behind(w, node, decl))
    return !w->varies;
  for (uint32_t i = 0; i < node->nkids; i++)
    pl_node_walk(node->kids[i], varies_visit, w);
  visit_conditions(w, node);
  return !w->varies;
}

/* In a load helper a parameter begins as what the loop passes for it. What a
 * lambda names from outside the loop leaves alone (load_lambdas.c). */
static bool argument_varies(pl_loop *body, const pl_decl *param) {
  for (uint32_t i = 0; i < body->func->nparams; i++)
    if (body->func->params[i] == param && i + 1 < body->call->nkids)
      return !pl_loop_tile(body, param) &&
             pl_varies(body->caller, body->call->kids[i + 1]);
  return !body->func->outer;
}

/* Whether an access only names a place: a row of an array, or what an address
 * is taken of. `As[r]` and `&As[r][0]` stay what they are when cells change. */
static bool only_names_place(const pl_node *node) {
  if (pl_is_array_type(node->type))
    return true;
  const pl_node *up = node->parent;
  while (up && (up->kind == PL_NODE_PAREN ||
                (up->kind == PL_NODE_MEMBER && !up->is_arrow)))
    up = up->parent;
  return up && up->kind == PL_NODE_UNARY && up->op == PL_OP_ADDR;
}

static bool is_this_member(const pl_node *node) {
  const pl_node *of = node->nkids && node->kids[0] ? pl_node_bare(node->kids[0])
                                                   : NULL;
  return node->kind == PL_NODE_MEMBER && (!of || of->kind == PL_NODE_THIS);
}

/* What a method that loads is called on. */
static pl_node *object_of(const pl_loop *body) {
  const pl_node *member = body->caller && body->call->nkids
                              ? pl_node_bare(body->call->kids[0])
                              : NULL;
  return member && member->kind == PL_NODE_MEMBER && member->nkids
             ? member->kids[0]
             : NULL;
}

bool pl_names_own_tile(const pl_loop *body) {
  const pl_node *object = body->on_tile ? object_of(body) : NULL;
  return object && pl_node_bare((pl_node *)object)->kind == PL_NODE_REF;
}

/* Whether a method names a member of its object, a number, that nothing sets. */
static bool is_kept_member(pl_loop *body, const pl_node *node) {
  const pl_node *object = is_this_member(node) ? object_of(body) : NULL;
  return object && pl_field_stays(body->caller, object, node->decl);
}

/* In a method that loads, other members vary where the loop writes to the object. */
static bool object_varies(pl_loop *body, const pl_node *node) {
  bool implicit = node->kind == PL_NODE_MEMBER &&
                  (node->nkids == 0 || !node->kids[0]);
  if (node->kind != PL_NODE_THIS && !implicit)
    return false;
  if (!body->caller)
    return body->called_again && !only_names_place(node);
  pl_node *object = object_of(body);
  return object && !pl_names_own_tile(body) && pl_varies(body->caller, object);
}

/* Whether a reference names a variable that the loop writes, other than the tile whose
 * place is asked for. */
static bool referent_varies(const vary_walk *w, pl_node *ref) {
  pl_loop *loop = w->loop;
  pl_effects effects = {0};
  const pl_type *type = ref->decl->type->element;
  bool number = pl_is_number_type(type);
  pl_effects_of(loop->effects, loop->func, ref, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].root.decl &&
        (effects.items[i].space == PL_SPACE_LOCAL ||
         (number && effects.items[i].space == PL_SPACE_SHARED &&
          !pl_same_shared(effects.items[i].root.decl, w->ignored))) &&
        pl_written_in_loop(loop, effects.items[i].root.decl))
      return true;
  return false;
}

/* `value.r` with `int &r`: what is read is the variable that r was bound to. */
static bool is_reference_field(const pl_node *node) {
  return node->kind == PL_NODE_MEMBER && node->decl && node->decl->is_field &&
         node->decl->type && node->decl->type->kind == PL_TYPE_REFERENCE;
}

/* Whether a pointer leads to a local that the loop writes under its own name or
 * another: what is read through it may then change. */
static bool pointee_varies(const vary_walk *w, pl_node *ref) {
  pl_loop *loop = w->loop;
  pl_roots roots = {0};
  if (ref->decl->type && ref->decl->type->kind == PL_TYPE_REFERENCE)
    return referent_varies(w, ref);
  if (!ref->decl->type || ref->decl->type->kind != PL_TYPE_POINTER)
    return false;
  pl_roots_of(loop->effects, loop->func, ref, &roots);
  for (size_t i = 0; i < roots.n; i++)
    if (pl_root_space(roots.items[i]) == PL_SPACE_LOCAL &&
        pl_written_in_loop(loop, roots.items[i].decl))
      return true;
  return false;
}

/* Whether some of the objects that a pointer may point into is shared memory
 * that the loop writes, other than the tile whose place is asked for. */
static bool points_to_written(vary_walk *w, pl_node *pointer) {
  pl_roots roots = {0};
  if (pointer && pointer->type)
    pl_roots_of(w->loop->effects, w->loop->func, pointer, &roots);
  for (size_t i = 0; i < roots.n; i++)
    if (pl_root_space(roots.items[i]) == PL_SPACE_SHARED &&
        !pl_same_shared(roots.items[i].decl, w->ignored) &&
        pl_written_in_loop(w->loop, roots.items[i].decl))
      return true;
  return false;
}

/* Whether a name is the object of a method that does not look at it, as
 * `tile.size()` does not. */
static bool is_untouched_object(const vary_walk *w, const pl_node *ref) {
  const pl_node *member = ref->parent;
  pl_node *call = member && member->kind == PL_NODE_MEMBER && !member->is_arrow
                      ? member->parent
                      : NULL;
  if (!call || call->kind != PL_NODE_CALL || call->kids[0] != member)
    return false;
  return pl_reads_own_only(w->loop, call);
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
           node->decl != w->ignored && !pl_is_array_type(node->decl->type) &&
           !only_names_place(node) &&
           pl_written_in_loop(w->loop, node->decl) &&
           !is_untouched_object(w, node);
  default:
    return false;
  }
}

/* Whether an expression, or a part of one joined by commas, sets all of a
 * variable. */
bool pl_sets_whole(const pl_node *node, const pl_decl *decl) {
  node = pl_node_bare((pl_node *)node);
  if (node && node->kind == PL_NODE_BINARY && node->op == PL_OP_COMMA)
    return pl_sets_whole(node->kids[0], decl) || pl_sets_whole(node->kids[1], decl);
  if (!node || node->kind != PL_NODE_ASSIGN || node->op != PL_OP_ASSIGN)
    return false;
  const pl_node *target = pl_node_bare(node->kids[0]);
  return target->kind == PL_NODE_REF && target->decl == decl &&
         !pl_mentions(node->kids[1], decl);
}

/* Whether a name is what an assignment sets. */
static bool is_target(const pl_node *ref) {
  const pl_node *up = ref->parent;
  return up && up->kind == PL_NODE_ASSIGN && up->op == PL_OP_ASSIGN &&
         up->kids[0] == ref;
}

/* The loop within the tile loop's body whose header sets all of a variable from
 * outside for the place where `ref` names it, NULL: none. */
static pl_node *setting_header(const pl_loop *loop, const pl_node *ref) {
  const pl_decl *decl = ref->decl;
  const pl_node *at = ref;
  if (!pl_is_private(decl) || pl_declared_inside(decl, loop->body))
    return NULL;
  while (at != loop->body && at->parent && at->parent != loop->node &&
         (at->parent->kind != PL_NODE_FOR ||
          (at->parent->kids[0] == at && !is_target(ref)) ||
          !pl_sets_whole(at->parent->kids[0], decl)))
    at = at->parent;
  bool set = at != loop->body && at->parent && at->parent != loop->node;
  return set && !pl_has_second_name(loop, (pl_decl *)decl) ? at->parent : NULL;
}

bool pl_set_by_header(const pl_loop *loop, const pl_node *ref) {
  return setting_header(loop, ref) != NULL;
}

/* Whether every iteration sets a variable from outside the loop before it reads
 * it. */
static bool set_first(const pl_loop *loop, const pl_decl *decl) {
  return !pl_mentions(loop->cond, decl) && !pl_mentions(loop->inc, decl) &&
         pl_first_use_in(loop->body, decl) != PL_READS;
}

/* Whether a variable from outside the loop holds nothing of the iteration before
 * where `ref` names it. */
static bool starts_anew(const pl_loop *loop, const pl_node *ref) {
  const pl_decl *decl = ref->decl;
  return decl->kind == PL_DECL_VAR && pl_is_private(decl) &&
         decl->type && decl->type->kind == PL_TYPE_INT &&
         !pl_has_second_name(loop, (pl_decl *)decl) &&
         (pl_set_by_header(loop, ref) || set_first(loop, decl));
}

/* Of `i - t0` the step of the loop that counts with i is left. */
static bool visit_cancelled(vary_walk *w, pl_node *node) {
  pl_node *counting = w->nopen < 31 ? pl_cancels(w->loop, node) : NULL;
  const pl_node *step = counting ? pl_node_bare(counting->kids[2]) : NULL;
  const pl_node *target =
      step && step->nkids ? pl_node_bare(step->kids[0]) : NULL;
  if (!target || target->kind != PL_NODE_REF)
    return false;
  w->asked[w->nopen] = node;
  w->open[w->nopen++] = target->decl;
  pl_node_walk(counting->kids[2], varies_visit, w);
  w->nopen--;
  return true;
}

static bool varies_visit(pl_node *node, void *context) {
  vary_walk *w = context;
  if (!node || w->varies || pl_node_is_constant(node) || node->kind == PL_NODE_SIZEOF ||
      visit_cancelled(w, node) || is_kept_member(w->loop, node))
    return false;
  if (reads_written(w, node) || object_varies(w->loop, node)) {
    w->varies = true;
    return false;
  }
  if (is_reference_field(node) && referent_varies(w, node)) {
    w->varies = true;
    return false;
  }
  if (node->kind != PL_NODE_REF || !node->decl)
    return true;
  pl_decl *decl = node->decl;
  bool handed = w->loop->caller && decl->kind == PL_DECL_PARAM;
  bool place = decl == w->ignored || decl->is_shared || decl->points_to_shared;
  if ((place && !handed) ||
      (decl->kind != PL_DECL_VAR && decl->kind != PL_DECL_PARAM))
    return true;
  for (int i = 0; i < w->nopen; i++)
    if (w->open[i] == decl)
      return true;
  if ((w->loop->by_jumps &&
       pl_assigned_anywhere(w->loop->func->body, decl)) ||
      (decl->kind == PL_DECL_PARAM && decl->owner == w->loop->func &&
       pl_is_handed_anew(w->loop, decl)) ||
      (handed && !place && argument_varies(w->loop, decl))) {
    w->varies = true;
    return true;
  }
  if (!handed && !pl_declared_inside(decl, w->loop->body) &&
      !starts_anew(w->loop, node)) {
    w->varies =
        pl_written_in_loop(w->loop, decl) || pointee_varies(w, node);
    return true;
  }
  if (w->nopen == 32) {
    w->varies = true;
    return false;
  }
  pl_node *setting = setting_header(w->loop, node);
  w->asked[w->nopen] = node;
  w->open[w->nopen++] = decl;
  pl_node_walk(setting ? setting : w->loop->body, assigns_varying, w);
  w->nopen--;
  return true;
}

bool pl_varies(pl_loop *loop, pl_node *node) {
  vary_walk w = {.loop = loop};
  pl_node_walk(node, varies_visit, &w);
  return w.varies;
}

/* Whether the place in `tile` that an lvalue or address names may change. */
bool pl_place_varies(pl_loop *loop, const pl_decl *tile, pl_node *node) {
  vary_walk w = {.loop = loop, .ignored = tile};
  pl_node_walk(node, varies_visit, &w);
  return w.varies;
}

bool pl_reads_own_only(pl_loop *loop, pl_node *node) {
  pl_effects effects = pl_effects_in(loop, node);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind != PL_EFFECT_READ ||
        (effects.items[i].space != PL_SPACE_LOCAL &&
         effects.items[i].space != PL_SPACE_CONSTANT))
      return false;
  return true;
}

bool pl_is_pure(pl_loop *loop, pl_node *node) {
  pl_effects effects = pl_effects_in(loop, node);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind != PL_EFFECT_READ)
      return false;
  return true;
}
