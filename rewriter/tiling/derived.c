/* derived.c - which variables are another name for a place in a tile?
 *
 * Needs: slices, copies. Gives: the declarations before the loop, and in its
 * body, that name a tile's place once and for all: `auto &As = shared.a;`,
 * `float *row = Bs[ty];`. With stages they are declared anew wherever a stage
 * is chosen. Raises nothing: what is not found here keeps its one buffer.
 *
 * The text is moved, so all that it names must be the same there: the tile,
 * other such variables, thread indices, constants and what is set once. */
#include "call_summary.h"
#include "loop.h"

typedef struct derived_walk {
  pl_loop *loop;
  const pl_node *stmt;
  bool of_tile; /* a tile, or a variable derived from one, is named */
  bool ok;
} derived_walk;

/* The object that a variable's declaration makes; NULL: it makes none. */
static pl_decl *made_object(const pl_node *var) {
  pl_decl *decl = var->decl;
  return decl && decl->kind == PL_DECL_VAR && decl->type &&
                 (decl->type->kind == PL_TYPE_RECORD || decl->type->nmakings) &&
                 var->nkids &&
                 pl_makes_plainly(var->kids[0])
             ? decl
             : NULL;
}

static bool declares(const pl_node *stmt, const pl_decl *decl) {
  for (uint32_t i = 0; i < stmt->nkids; i++)
    if (stmt->kids[i]->decl == decl)
      return true;
  return false;
}

static bool is_derived(const pl_loop *loop, const pl_decl *decl) {
  for (size_t i = 0; i < loop->nderived; i++)
    if (declares(loop->derived[i], decl))
      return true;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].names_tile && declares(loop->stmts[i].node, decl))
      return true;
  return false;
}

/* Whether a variable keeps, to the end of the function, what its declaration
 * gives it. A reference is bound once. */
static bool is_fixed(const pl_loop *loop, const pl_decl *decl) {
  bool reference = decl->type && decl->type->kind == PL_TYPE_REFERENCE;
  return decl->owner == loop->func && !decl->is_static && !decl->is_volatile &&
         (reference || !pl_assigned_anywhere(loop->func->body, decl));
}

/* Whether a call gives the same address wherever it stands: what the language
 * has for that, or a function of the file, whose effects reads_nothing sees. */
static bool is_address_call(const pl_node *call) {
  const pl_func *func = call->decl ? call->decl->func : NULL;
  return pl_calls_builtin(call, "__cvta_generic_to_*") ||
         (func && func->body && !func->is_method);
}

static bool look(pl_node *node, void *context) {
  derived_walk *w = context;
  switch (node->kind) {
  case PL_NODE_CALL:
    return w->ok = w->ok && is_address_call(node);
  case PL_NODE_LAMBDA:
  case PL_NODE_ASSIGN:
  case PL_NODE_CONSTRUCT:
  case PL_NODE_UNKNOWN:
  case PL_NODE_THIS:
    return w->ok = false;
  case PL_NODE_REF:
    break;
  default:
    return w->ok;
  }
  const pl_decl *decl = node->decl;
  if (!decl)
    return w->ok = w->ok && pl_str_has(node->name, "::");
  if (pl_loop_tile(w->loop, decl) || is_derived(w->loop, decl))
    return w->of_tile = true;
  bool variable =
      decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM;
  if (variable && decl->owner && !decl->is_constexpr)
    w->ok = w->ok && !decl->is_shared && is_fixed(w->loop, decl);
  else if (variable && !decl->is_constexpr)
    w->ok = w->ok && !decl->is_user; /* threadIdx and its like */
  return w->ok;
}

/* Whether an effect is that of making an object: of its constructor, which
 * reads nothing, or of naming what a reference in it is bound to. */
static bool is_of_making(const pl_node *var, const pl_effect *effect) {
  if (!made_object(var))
    return false;
  const pl_node *init = var->kids[0];
  if (effect->kind == PL_EFFECT_UNSEEN)
    return effect->node == init || effect->node == var;
  for (uint32_t i = 0; i < init->nkids; i++)
    if (init->kids[i] && effect->node == pl_node_bare(init->kids[i]) &&
        !pl_takes_value(init, init->kids[i]))
      return true;
  return false;
}

/* Whether the initialiser reads no memory: a row of a tile is a place, a cell
 * of it is a value. */
static bool reads_nothing(pl_loop *loop, pl_node *stmt) {
  pl_effects effects = pl_effects_in(loop, stmt);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    bool own = effect->kind == PL_EFFECT_WRITE && effect->direct &&
               declares(stmt, effect->root.decl);
    bool local = effect->kind == PL_EFFECT_READ &&
                 effect->space == PL_SPACE_LOCAL;
    bool name = effect->kind == PL_EFFECT_READ && effect->direct;
    bool made = false;
    for (uint32_t k = 0; k < stmt->nkids; k++)
      made = made || is_of_making(stmt->kids[k], effect);
    if (!own && !local && !name && !made)
      return false;
  }
  return true;
}

/* Whether something changes a variable of the function's behind a statement, other than its
 * own declaration: a cell, a member, or by way of a pointer. */
static bool is_changed_behind(pl_loop *loop, const pl_decl *decl, const pl_node *stmt) {
  pl_effects effects = pl_effects_in(loop, loop->func->body);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    if (effect->kind != PL_EFFECT_READ && effect->root.decl == decl && effect->node &&
        effect->node->range.end > stmt->range.begin)
      return true;
  }
  return false;
}

/* Whether the locals that an initialiser reads, some by a part alone, still hold that
 * wherever the statement is moved to. */
static bool reads_what_stays(pl_loop *loop, pl_node *stmt) {
  pl_effects effects = pl_effects_in(loop, stmt);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    const pl_decl *decl = effect->root.decl;
    if (effect->kind == PL_EFFECT_READ && effect->space == PL_SPACE_LOCAL && decl &&
        !decl->is_shared && !declares(stmt, decl) && !is_derived(loop, decl) &&
        is_changed_behind(loop, decl, stmt))
      return false;
  }
  return true;
}

/* Whether an object is named for more than its members, or something in the function
 * changes it. */
static bool is_named_whole(pl_node *node, const void *object) {
  const pl_node *up = node->parent;
  return node->kind == PL_NODE_REF && node->decl == object &&
         !(up && up->kind == PL_NODE_MEMBER && !up->is_arrow);
}

static bool stays_as_made(pl_loop *loop, const pl_node *var) {
  const pl_decl *object = made_object(var);
  if (!object || pl_node_find(loop->func->body, is_named_whole, object))
    return false;
  pl_effects effects = pl_effects_in(loop, loop->func->body);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    if (effect->kind != PL_EFFECT_READ && effect->root.decl == object &&
        !effect->root.member.n && effect->node != var)
      return false;
  }
  return true;
}

static bool is_place(const pl_type *type) {
  return type && (type->kind == PL_TYPE_POINTER ||
                  type->kind == PL_TYPE_REFERENCE || type->kind == PL_TYPE_INT);
}

/* Whether every variable of a declaration is a name for a place in a tile. */
static bool names_tile(pl_loop *loop, pl_node *stmt) {
  if (stmt->kind != PL_NODE_DECL_STMT || !stmt->nkids || stmt->from_macro ||
      !reads_nothing(loop, stmt))
    return false;
  for (uint32_t i = 0; i < stmt->nkids; i++) {
    pl_node *var = stmt->kids[i];
    derived_walk w = {loop, stmt, false, true};
    if (var->kind != PL_NODE_VAR || !var->decl || !var->nkids ||
        var->decl->is_shared || var->decl->is_constexpr ||
        !(is_place(var->decl->type) || stays_as_made(loop, var)) ||
        !is_fixed(loop, var->decl) || pl_is_under_condition(loop, var->decl))
      return false;
    bool object = made_object(var) != NULL;
    for (uint32_t k = 0; object && k < var->kids[0]->nkids; k++)
      pl_node_walk(var->kids[0]->kids[k], look, &w);
    if (!object)
      pl_node_walk(var->kids[0], look, &w);
    if (!w.ok || !w.of_tile)
      return false;
  }
  return reads_what_stays(loop, stmt);
}

/* Where a variable may not be named if its declaration is to be moved. */
typedef struct use_walk {
  pl_loop *loop;
  const pl_node *stmt;
  bool ok;
} use_walk;

/* Whether a name is that of the object whose method fills its members'
 * tiles. */
static bool is_filling_object(const pl_fill_call *call, const pl_node *ref) {
  const pl_node *member = call->body->members
                              ? pl_node_bare(call->node->kids[0])
                              : NULL;
  return member && pl_node_bare(member->kids[0]) == ref;
}

/* Whether the load side names an object other than in the place of a store. */
typedef struct fetch_walk {
  const pl_loop *loop;
  const pl_decl *object;
  bool found;
} fetch_walk;

static bool find_fetch(pl_node *node, void *context) {
  fetch_walk *w = context;
  for (size_t i = 0; i < w->loop->fill.ncopies; i++)
    if (node == w->loop->fill.copies[i].dst)
      return false;
  w->found = w->found || (node->kind == PL_NODE_REF && node->decl == w->object);
  return !w->found;
}

static bool is_number(const pl_type *type) {
  return pl_is_number_type(pl_no_reference(type));
}

/* A number, or where numbers lie: nothing that an address could be left in. */
static bool holds_numbers(const pl_type *type) {
  type = pl_no_reference(type);
  if (type && type->kind == PL_TYPE_POINTER)
    type = type->element;
  while (type && type->kind == PL_TYPE_ARRAY)
    type = type->element;
  return is_number(type);
}

/* The call of a method for which an object is named, that gives a number or
 * nothing and is handed numbers; NULL: the name stands for more. */
static pl_node *call_for_numbers(const pl_node *ref) {
  pl_node *member = ref->parent, *call = member ? member->parent : NULL;
  if (!call || call->kind != PL_NODE_CALL || member->kind != PL_NODE_MEMBER ||
      call->kids[0] != member || !call->type ||
      pl_is_reference(call->type) ||
      (call->type->kind != PL_TYPE_VOID && !is_number(call->type)))
    return NULL;
  for (uint32_t i = 1; i < call->nkids; i++)
    if (!call->kids[i] || !holds_numbers(call->kids[i]->type))
      return NULL;
  return call;
}

/* A number in the object itself, or an array of them. */
static bool is_own_number(const pl_type *type) {
  return type && !pl_is_reference(type) && type->kind != PL_TYPE_POINTER &&
         holds_numbers(type);
}

/* What a method does with more than the numbers of its object. */
static bool asks_more(const pl_unit *unit, const pl_node *node) {
  (void)unit;
  const pl_node *up = node->parent;
  const pl_decl *decl = node->decl;
  switch (node->kind) {
  case PL_NODE_LAMBDA:
  case PL_NODE_ASM:
  case PL_NODE_UNKNOWN:
    return true;
  case PL_NODE_CALL:
    return decl && decl->func ? !decl->func->body : pl_is_member_function(node);
  case PL_NODE_THIS:
    return !up || up->kind != PL_NODE_MEMBER;
  case PL_NODE_MEMBER:
  case PL_NODE_REF:
    if (!decl) /* `P::kRows` of a template's argument */
      return node->kind != PL_NODE_REF || !pl_str_has(node->name, "::");
    return decl->kind == PL_DECL_FIELD && !is_own_number(decl->type);
  default:
    return false;
  }
}

static bool asks_numbers(const pl_unit *unit, const pl_node *call) {
  return !asks_more(unit, call) && !pl_call_shows(unit, call, asks_more);
}

/* Whether an object is named for what is no tile's: which stage it was made with
 * is the same to `mma.row(i)`, that asks its own numbers. */
static bool is_apart_from_tiles(const pl_loop *loop, const pl_node *ref) {
  pl_effects effects = {0};
  pl_node *call = call_for_numbers(ref);
  if (!call || !call->decl || !call->decl->func || !asks_numbers(loop->unit, call))
    return false;
  pl_effects_of(loop->effects, loop->func, call, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    if (effect->kind == PL_EFFECT_UNSEEN || !effect->root.decl ||
        pl_loop_tile((pl_loop *)loop, effect->root.decl))
      return false;
  }
  return true;
}

/* Whether an object is named outside the loop and what is declared anew there. */
static bool find_outside(pl_node *node, void *context) {
  fetch_walk *w = context;
  if (node == w->loop->node)
    return false;
  for (size_t i = 0; i < w->loop->nderived; i++)
    if (node == w->loop->derived[i])
      return false;
  w->found = w->found || (node->kind == PL_NODE_REF && node->decl == w->object);
  return !w->found;
}

bool pl_named_outside(const pl_loop *loop, const pl_node *stmt) {
  for (uint32_t k = 0; k < stmt->nkids; k++) {
    fetch_walk w = {loop, made_object(stmt->kids[k]), false};
    if (w.object)
      pl_node_walk(loop->func->body, find_outside, &w);
    if (w.found)
      return true;
  }
  return false;
}

bool pl_stands_in_front(const pl_loop *loop, const pl_node *stmt) {
  for (uint32_t k = 0; k < stmt->nkids; k++) {
    fetch_walk w = {loop, made_object(stmt->kids[k]), false};
    for (size_t i = 0; w.object && i < loop->nstmts; i++)
      if (loop->stmts[i].in_load)
        pl_node_walk(loop->stmts[i].node, find_fetch, &w);
    if (w.found)
      return true;
  }
  return false;
}

/* One that stays in front of the loop as well names the tiles by their own
 * names alone: others are gone there. */
static bool names_tiles_alone(const pl_loop *loop, const pl_node *stmt) {
  for (size_t i = 0; i < loop->nderived; i++)
    for (uint32_t k = 0; k < loop->derived[i]->nkids; k++)
      if (loop->derived[i] != stmt &&
          pl_mentions(stmt, loop->derived[i]->kids[k]->decl))
        return false;
  return true;
}

static bool find_use(pl_node *node, void *context) {
  use_walk *w = context;
  const pl_loop *loop = w->loop;
  if (node == w->stmt)
    return false;
  if (node->kind == PL_NODE_LAMBDA || node->kind == PL_NODE_OTHER_DECL)
    for (uint32_t i = 0; i < w->stmt->nkids; i++)
      w->ok = w->ok && !pl_mentions(node, w->stmt->kids[i]->decl);
  if (node->kind != PL_NODE_REF || !declares(w->stmt, node->decl))
    return w->ok;
  bool inside = pl_node_within(node, loop->node);
  for (size_t i = 0; !inside && i < loop->nderived; i++)
    inside = pl_node_within(node, loop->derived[i]);
  inside = inside || is_apart_from_tiles(loop, node);
  const pl_node *body = loop->body;
  w->ok = w->ok && inside &&
          (!pl_node_within(node, loop->node) || pl_node_within(node, body));
  for (size_t i = 0; i < loop->fill.ncalls; i++)
    w->ok = w->ok && (!pl_node_within(node, loop->fill.calls[i].node) ||
                      is_filling_object(&loop->fill.calls[i], node));
  return w->ok;
}

static bool has_name(pl_node *node, const void *name) {
  return node->kind == PL_NODE_REF && node->decl &&
         pl_str_eq(node->decl->name, *(const pl_str *)name);
}

/* A block around the loop, or a header, may declare a name anew that the
 * declaration means otherwise: `float *p = s + k; { int k = 1; for ...`. */
static bool find_hiding(pl_node *node, void *context) {
  use_walk *w = context;
  bool other = node->kind == PL_NODE_OTHER_DECL;
  const pl_node *scope = node->parent;
  if ((node->kind != PL_NODE_VAR && !other) || (!other && !node->decl) ||
      node->range.begin < w->stmt->range.end)
    return w->ok;
  while (scope && (scope->kind == PL_NODE_DECL_STMT ||
                   scope->kind == PL_NODE_VAR))
    scope = scope->parent;
  pl_str name = other ? node->name : node->decl->name;
  if (scope && pl_node_within(w->loop->node, scope) &&
      (pl_node_find(w->stmt, has_name, &name) ||
       pl_unit_says(w->loop->unit, w->stmt->range, name)))
    w->ok = false;
  return w->ok;
}

static bool stays_inside(pl_loop *loop, const pl_node *stmt) {
  use_walk w = {loop, stmt, true};
  pl_node_walk(loop->func->body, find_use, &w);
  if (w.ok)
    pl_node_walk(stmt->parent, find_hiding, &w);
  bool stands = pl_stands_in_front(loop, stmt) || pl_named_outside(loop, stmt);
  return w.ok && (!stands || names_tiles_alone(loop, stmt));
}

/* The statements of the blocks around the loop that stand before it. */
static void find_before(pl_loop *loop) {
  pl_node *list[64];
  size_t n = 0, cap = 0;
  for (const pl_node *at = loop->node; at->parent; at = at->parent)
    for (uint32_t i = 0; at->parent->kind == PL_NODE_COMPOUND &&
                         i < at->parent->nkids && n < 64;
         i++)
      if (at->parent->kids[i] == at)
        break;
      else if (at->parent->kids[i]->kind == PL_NODE_DECL_STMT)
        list[n++] = at->parent->kids[i];
  size_t count = n;
  n = 0;
  for (;;) {
    size_t before = n;
    for (size_t i = 0; i < count; i++) {
      bool known = false;
      for (size_t k = 0; k < n; k++)
        known = known || loop->derived[k] == list[i];
      if (known || !names_tile(loop, list[i]))
        continue;
      PL_PUSH(loop->arena, loop->derived, n, cap, list[i]);
      loop->nderived = n;
    }
    if (n == before)
      break;
  }
}

/* One that may not be moved keeps those that it is made from where they are. */
static void drop_unmovable(pl_loop *loop) {
  for (size_t i = 0; i < loop->nderived;) {
    if (stays_inside(loop, loop->derived[i])) {
      i++;
      continue;
    }
    for (size_t k = i + 1; k < loop->nderived; k++)
      loop->derived[k - 1] = loop->derived[k];
    loop->nderived--;
    i = 0;
  }
}

static void sort_by_place(pl_loop *loop) {
  for (size_t i = 1; i < loop->nderived; i++)
    for (size_t k = i; k > 0 && loop->derived[k]->range.begin <
                                    loop->derived[k - 1]->range.begin;
         k--) {
      pl_node *swap = loop->derived[k];
      loop->derived[k] = loop->derived[k - 1];
      loop->derived[k - 1] = swap;
    }
}

static bool may_cast(pl_node *node, const void *unused) {
  (void)unused;
  return node->kind == PL_NODE_CALL ||
         (node->kind == PL_NODE_CAST && node->type &&
          (node->type->kind == PL_TYPE_POINTER ||
           node->type->kind == PL_TYPE_REFERENCE));
}

/* A cast in the declaration is one of the tile's address. */
static void mark_wide(pl_loop *loop) {
  for (size_t i = 0; i < loop->nderived; i++)
    for (uint32_t k = 0; k < loop->derived[i]->nkids; k++) {
      pl_node *init = loop->derived[i]->kids[k]->kids[0];
      pl_roots roots = pl_roots_in(loop, init);
      bool wide = pl_node_find(init, may_cast, NULL);
      for (size_t j = 0; wide && j < roots.n; j++) {
        pl_tile *tile = pl_loop_tile(loop, roots.items[j].decl);
        if (tile)
          tile->wide = true;
      }
    }
}

/* In the body, those that only stores go through: the fetch does without. */
static void find_inside(pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    pl_stmt *stmt = &loop->stmts[i];
    bool fetched = false;
    if (!stmt->in_load || stmt->fills || !names_tile(loop, stmt->node))
      continue;
    for (uint32_t v = 0; v < stmt->node->nkids; v++) {
      const pl_decl *decl = stmt->node->kids[v]->decl;
      for (size_t k = 0; k < loop->fill.ncopies; k++)
        fetched = fetched || pl_mentions(loop->fill.copies[k].src, decl);
      for (size_t k = 0; k < loop->fill.ncalls; k++)
        fetched = fetched || pl_mentions(loop->fill.calls[k].node, decl);
      for (size_t k = 0; k < loop->nstmts; k++)
        fetched = fetched || (k != i && loop->stmts[k].in_load &&
                              !loop->stmts[k].fills &&
                              !loop->stmts[k].names_tile &&
                              pl_mentions(loop->stmts[k].node, decl));
    }
    stmt->names_tile = !fetched;
  }
}

static bool is_made_anew(const pl_loop *loop, const pl_fill_call *call) {
  for (size_t i = 0; i < loop->nderived; i++)
    for (uint32_t k = 0; k < loop->derived[i]->nkids; k++)
      if (made_object(loop->derived[i]->kids[k]) &&
          pl_mentions(call->node->kids[0], loop->derived[i]->kids[k]->decl))
        return true;
  return false;
}

/* A tile behind a member of an object that is not made anew has one place. */
static void fix_members(pl_loop *loop) {
  for (size_t i = 0; i < loop->fill.ncalls; i++) {
    const pl_loop *body = loop->fill.calls[i].body;
    if (!body->members || pl_is_called_on_this(body->call) ||
        is_made_anew(loop, &loop->fill.calls[i]))
      continue;
    for (size_t k = 0; k < body->ntiles; k++) {
      pl_tile *tile = body->tiles[k].stands_for
                          ? pl_loop_tile(loop, body->tiles[k].stands_for)
                          : NULL;
      if (!tile)
        continue;
      tile->member = body->tiles[k].decl;
      tile->object =
          pl_node_bare(pl_node_bare(body->call->kids[0])->kids[0])->decl;
    }
  }
}

void pl_find_derived(pl_loop *loop) {
  if (loop->settled)
    return;
  find_before(loop);
  drop_unmovable(loop);
  sort_by_place(loop);
  mark_wide(loop);
  find_inside(loop);
  fix_members(loop);
}
