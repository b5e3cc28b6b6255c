/* addresses.c - see addresses.h.
 *
 * Needs: effects. A function's text is walked until nothing is added; functions that
 * are called are walked once for each set of parameters that hold addresses, to a fixed
 * point. */
#include "addresses_parts.h"
#include "call_summary.h"

/* ---- stores -------------------------------------------------------------- */

enum { MOST_PARAMETERS = 64 };

static uint32_t index_of(const pl_flow *f, const pl_decl *decl) {
  uint32_t i = 0;
  while (i < f->func->nparams && f->func->params[i] != decl)
    i++;
  return i;
}

static bool is_parameter(const pl_flow *f, const pl_decl *decl) {
  return index_of(f, decl) < f->func->nparams;
}

static void fill_parameter(pl_flow *f, const pl_decl *decl, const pl_node *at) {
  uint32_t i = index_of(f, decl);
  uint64_t filled = f->filled | (i < MOST_PARAMETERS ? 1ull << i : 0);
  f->changed = f->changed || filled != f->filled;
  f->filled = filled;
  if (i >= MOST_PARAMETERS && !f->out->stored_at)
    f->out->stored_at = at;
}

/* An address is put behind one of the roots. */
static void fill_roots(pl_flow *f, const pl_roots *roots, const pl_node *at) {
  for (size_t i = 0; i < roots->n; i++) {
    pl_root root = roots->items[i];
    if (!f->tile && root.decl && is_parameter(f, root.decl))
      fill_parameter(f, root.decl, at);
    else if (pl_root_is_this(root))
      f->changed = f->changed || !f->this_filled, f->this_filled = true;
    else if (root.decl && pl_root_space(root) == PL_SPACE_LOCAL)
      pl_flow_add(f, root.decl, false, at);
    else if (!f->out->stored_at)
      f->out->stored_at = at;
  }
}

static void fill_this(pl_flow *f) {
  f->changed = f->changed || !f->this_filled || !f->this_holds;
  f->this_filled = f->this_holds = true;
}

/* An address is stored to an lvalue. */
static void fill(pl_flow *f, pl_node *target, const pl_node *at) {
  const pl_node *object = pl_flow_object(target);
  const pl_decl *decl =
      object && object->kind == PL_NODE_REF ? object->decl : NULL;
  if (pl_is_own_member(object)) {
    fill_this(f);
    return;
  }
  if (decl && decl->owner && !decl->is_shared && !pl_is_reference(decl->type)) {
    pl_flow_add(f, decl, false, at);
    return;
  }
  if (decl && !f->tile && is_parameter(f, decl)) {
    pl_flow_add(f, decl, false, at);
    fill_parameter(f, decl, at);
    return;
  }
  pl_effects effects = {0};
  pl_roots roots = {0};
  pl_node *whole = at->kind == PL_NODE_ASSIGN ? (pl_node *)at : target;
  pl_effects_of(f->loop->effects, f->func, whole, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind == PL_EFFECT_WRITE)
      PL_PUSH(f->loop->arena, roots.items, roots.n, roots.cap,
              effects.items[i].root);
  if (decl && pl_is_reference(decl->type))
    pl_flow_add(f, decl, false, at);
  fill_roots(f, &roots, at);
}

/* What the pointer `target` leads to is given an address. */
static void fill_behind(pl_flow *f, pl_node *target, const pl_node *at) {
  pl_roots roots = {0};
  pl_roots_of(f->loop->effects, f->func, target, &roots);
  fill_roots(f, &roots, at);
}

/* ---- calls --------------------------------------------------------------- */

static const pl_func *body_of(const pl_node *call) {
  const pl_func *func = call->decl ? call->decl->func : NULL;
  return func && func->body ? func : NULL;
}

static bool gather(pl_node *node, void *context);

static void run(pl_flow *f) {
  do {
    pl_flow before = *f;
    const pl_node *stored_at = f->out->stored_at;
    f->changed = false;
    pl_node_walk(f->func->body, gather, f);
    f->changed = f->changed || before.gives_address != f->gives_address ||
                 before.gives_place != f->gives_place ||
                 stored_at != f->out->stored_at;
    f->all->changed = f->all->changed || f->changed;
  } while (f->changed);
}

/* The walk over a function that is handed the same, which is kept. */
static pl_flow *same_flow(pl_flows *all, pl_arena *arena, const pl_flow *fresh) {
  for (size_t i = 0; i < all->n; i++) {
    pl_flow *one = all->items[i];
    if (one->func == fresh->func && one->named == fresh->named &&
        one->held == fresh->held && one->this_held == fresh->this_held &&
        one->this_named == fresh->this_named)
      return one;
  }
  pl_flow *kept = PL_NEW(arena, pl_flow);
  *kept = *fresh;
  kept->out = PL_NEW(arena, pl_holders);
  for (uint32_t i = 0; i < kept->func->nparams && i < MOST_PARAMETERS; i++) {
    if (kept->named >> i & 1)
      pl_flow_add(kept, kept->func->params[i], true, NULL);
    if (kept->held >> i & 1)
      pl_flow_add(kept, kept->func->params[i], false, NULL);
  }
  PL_PUSH(arena, all->items, all->n, all->cap, kept);
  return kept;
}

/* Whether a variable of that type gets an address with what it is given. A
 * reference to an array gets what the array holds: its name is no pointer. */
static bool gets_address(pl_flow *f, const pl_type *type, pl_node *given) {
  const pl_node *object = pl_flow_object(given);
  if (pl_is_reference(type) && pl_is_array_type(type) && object &&
      object->kind == PL_NODE_REF && object->decl)
    return object->decl != f->tile && pl_flow_holds(f, object->decl);
  return pl_flow_carries(f, given);
}

/* Whether a method is called on the tile or a part of it. */
static bool is_object(pl_flow *f, const pl_node *member) {
  return member->is_arrow ? pl_flow_carries(f, member->kids[0])
                          : pl_flow_is_place(f, member->kids[0]);
}

const pl_flow *pl_flow_follow(pl_flow *f, pl_node *call) {
  const pl_func *func = body_of(call);
  if (!func || func->nparams > MOST_PARAMETERS)
    return NULL;
  pl_flow fresh = {.loop = f->loop, .func = func, .all = f->all};
  for (uint32_t i = 0; i < func->nparams && i + 1 < call->nkids; i++) {
    pl_node *arg = call->kids[i + 1];
    if (pl_is_reference(func->params[i]->type) && pl_flow_is_place(f, arg))
      fresh.named |= 1ull << i;
    if (gets_address(f, func->params[i]->type, arg))
      fresh.held |= 1ull << i;
  }
  const pl_node *object = call->kids[0];
  if (object && object->kind == PL_NODE_MEMBER && object->nkids &&
      object->kids[0]) {
    fresh.this_held = pl_flow_carries(f, object->kids[0]);
    fresh.this_named = is_object(f, object);
  } else if (pl_is_own_member(object)) {
    fresh.this_held = f->this_holds;
    fresh.this_named = f->this_named;
  }
  fresh.this_holds = fresh.this_held;
  pl_flow *callee = same_flow(f->all, f->loop->arena, &fresh);
  bool handed = fresh.named || fresh.held || fresh.this_held || fresh.this_named;
  if (handed && callee->round != f->all->round) {
    callee->round = f->all->round;
    run(callee);
  }
  return callee;
}

/* What a function that is seen does with addresses that it is handed. */
static void gather_call(pl_flow *f, pl_node *call) {
  const pl_flow *callee = pl_flow_follow(f, call);
  bool lost = !callee && body_of(call) && pl_flow_argument(f, call, true);
  if (lost && !f->out->stored_at)
    f->out->stored_at = call;
  if (!callee)
    return;
  if (callee->out->stored_at && !f->out->stored_at)
    f->out->stored_at = call;
  for (uint32_t i = 0; i < callee->func->nparams && i + 1 < call->nkids; i++)
    if (!(callee->filled >> i & 1))
      continue;
    else if (pl_is_reference(callee->func->params[i]->type))
      fill(f, call->kids[i + 1], call);
    else
      fill_behind(f, call->kids[i + 1], call);
  const pl_node *object = call->kids[0];
  if (callee->this_filled && object && object->kind == PL_NODE_MEMBER &&
      object->nkids && object->kids[0])
    fill(f, object->kids[0], call);
  else if (callee->this_filled)
    fill_this(f);
}

/* A lambda of the function: its text is walked where it stands, with what its
 * calls hand it. */
static void gather_lambda_call(pl_flow *f, pl_node *call) {
  const pl_node *lambda = pl_called_lambda(call);
  const pl_func *func = lambda ? lambda->func : NULL;
  for (uint32_t i = 0; func && i < func->nparams && i + 1 < call->nkids; i++) {
    pl_node *arg = call->kids[i + 1];
    const pl_type *type = func->params[i]->type;
    if (pl_is_reference(type) && pl_flow_is_place(f, arg))
      pl_flow_add(f, func->params[i], true, call);
    if (gets_address(f, type, arg))
      pl_flow_add(f, func->params[i], false, call);
  }
}

/* Functions of the toolkit that move values about. */
static void gather_unseen(pl_flow *f, pl_node *call) {
  const pl_builtin *row = pl_builtin_of(call);
  bool exchange = pl_builtin_argument(row, 0) == 'x';
  bool atomic = row->emits == PL_EMITS_ATOMIC;
  if (pl_str_has(call->name, "memcpy") && call->nkids > 2 &&
      pl_flow_points(f, call->kids[2], true))
    fill_behind(f, call->kids[1], call);
  for (uint32_t i = 2; atomic && i < call->nkids; i++)
    if (pl_flow_carries(f, call->kids[i]) && !f->out->stored_at)
      f->out->stored_at = call;
  for (uint32_t i = 1; exchange && i < call->nkids; i++)
    if (pl_flow_argument(f, call, false))
      fill(f, call->kids[i], call);
}

/* ---- inline assembly ----------------------------------------------------- */

/* Whether every `%N` of an operand stands in the brackets of a load. */
static bool only_in_brackets(pl_str text, int64_t operand) {
  bool inside = false, seen = false;
  for (size_t i = 0; i + 1 < text.n; i++) {
    inside = text.p[i] == '[' || (inside && text.p[i] != ']');
    if (text.p[i] != '%' || text.p[i + 1] < '0' || text.p[i + 1] > '9')
      continue;
    int64_t n = 0;
    size_t k = i + 1;
    while (k < text.n && text.p[k] >= '0' && text.p[k] <= '9')
      n = n * 10 + (text.p[k++] - '0');
    if (n == operand && !inside)
      return false;
    seen = seen || n == operand;
  }
  return seen;
}

/* Outputs hold the addresses that go in, but for those that are loaded
 * through. */
static void gather_asm(pl_flow *f, pl_node *node) {
  pl_str text = pl_asm_source(f->loop->unit, node);
  bool gives = false;
  int64_t operand = 0;
  for (uint32_t i = 0; i < node->nkids; i++) {
    if (!node->kids[i] || node->kids[i]->kind == PL_NODE_STRING)
      continue;
    gives = gives || (pl_flow_carries(f, node->kids[i]) &&
                      operand >= node->ival &&
                      !only_in_brackets(text, operand));
    operand++;
  }
  operand = 0;
  for (uint32_t i = 0; gives && i < node->nkids; i++)
    if (node->kids[i] && node->kids[i]->kind != PL_NODE_STRING &&
        operand++ < node->ival && pl_can_hold(node->kids[i]->type))
      fill(f, node->kids[i], node);
}

/* ---- the walk ------------------------------------------------------------ */

static void gather_variable(pl_flow *f, pl_node *node) {
  pl_node *init = node->nkids ? node->kids[0] : NULL;
  if (!init || !node->decl)
    return;
  if (pl_is_reference(node->decl->type) && pl_flow_is_place(f, init))
    pl_flow_add(f, node->decl, true, node);
  if (pl_can_hold(node->decl->type) && gets_address(f, node->decl->type, init))
    pl_flow_add(f, node->decl, false, node);
}

/* Variables of a range-based loop over what holds addresses. */
static void gather_range(pl_flow *f, pl_node *node) {
  bool found = pl_flow_mentions(
      f, pl_node_is_array_range(node) ? node->kids[1] : node);
  for (uint32_t i = 0; found && i < node->nkids; i++)
    if (node->kids[i] && node->kids[i]->kind == PL_NODE_VAR &&
        node->kids[i]->decl && pl_can_hold(node->kids[i]->decl->type) &&
        !pl_flow_holds(f, node->kids[i]->decl))
      pl_flow_add(f, node->kids[i]->decl, false, node);
}

/* Whether a function gives back a name of something, and no value. */
static bool gives_reference(const pl_func *func) {
  const pl_type *type = func->decl ? func->decl->type : NULL;
  pl_str text = type ? type->spelling : PL_STR("decltype");
  if (pl_str_starts(text, "decltype") || pl_str_starts(text, "typename"))
    return true;
  for (size_t i = 0; i < text.n && text.p[i] != '('; i++)
    if (text.p[i] == '&')
      return true;
  return false;
}

/* An assignment, or an operator of the user's. */
static void gather_operator(pl_flow *f, pl_node *node) {
  pl_node *call = pl_flow_operator(f, node);
  if (call)
    gather_call(f, call);
  else if (node->kind == PL_NODE_ASSIGN && pl_can_hold(node->kids[0]->type) &&
           pl_flow_carries(f, node->kids[1]))
    fill(f, node->kids[0], node);
}

static bool gather(pl_node *node, void *context) {
  pl_flow *f = context;
  switch (node->kind) {
  case PL_NODE_VAR:
    gather_variable(f, node);
    break;
  case PL_NODE_ASSIGN:
  case PL_NODE_BINARY:
  case PL_NODE_UNARY:
  case PL_NODE_SUBSCRIPT:
    gather_operator(f, node);
    break;
  case PL_NODE_RETURN:
    if (node->nkids && node->kids[0]) {
      f->gives_address = f->gives_address || pl_flow_carries(f, node->kids[0]);
      f->gives_place = f->gives_place || (gives_reference(f->func) &&
                                          pl_flow_is_place(f, node->kids[0]));
    }
    break;
  case PL_NODE_CALL:
    gather_call(f, node);
    gather_lambda_call(f, node);
    if (!body_of(node))
      gather_unseen(f, node);
    break;
  case PL_NODE_ASM:
    gather_asm(f, node);
    break;
  case PL_NODE_RANGE_FOR:
    gather_range(f, node);
    break;
  default:
    break;
  }
  return true;
}

void pl_find_holders(pl_loop *loop, const pl_decl *tile, pl_holders *holders) {
  pl_flows all = {0};
  pl_flow f = {.all = &all, .loop = loop, .func = loop->func, .tile = tile,
               .out = holders};
  do {
    all.round++;
    all.changed = false;
    run(&f);
  } while (all.changed);
}
