/* forwarding.c - a local's value, a default or what is loaded, where it is stored.
 *
 * Needs: an attempt in which a loop's tiles are not copied asynchronously because a
 * value passes through a local. Gives: `s[t] = c ? A[i] : 0;` for `v = 0; if (c) v =
 * A[i]; s[t] = v;`, in every spelling of that: declared with the default or assigned,
 * an element of an array, a branch with an else, one branch for several locals. Raises
 * nothing.
 *
 * The definitions of the local that reach the store stand in its block, one default at
 * most and one branch at most, and nothing else names the local. */
#include "cfg.h"
#include "copies.h"
#include "expansions.h"
#include "values.h"

#include <string.h>

typedef struct value {
  const pl_copy *copy;
  const pl_node *store, *src; /* the local, or the element of a local array */
  const pl_decl *decl;
  pl_node *block;
  pl_node *plain;   /* the ASSIGN or VAR that sets it in any case, NULL: none */
  pl_node *branch;  /* the IF that sets it, NULL: none */
  pl_node *inner;   /* the IF in that one that does so, or branch itself */
  pl_node *yes, *no; /* the ASSIGNs in its arms, NULL: none */
  bool fine;
} value;

typedef struct forwarding {
  pl_loop *loop;
  pl_arena *arena;
  value *items;
  size_t n, cap;
} forwarding;

/* ---- which cell a node is ---------------------------------------------------- */

static const pl_node *base_of(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  if (node && node->kind == PL_NODE_SUBSCRIPT)
    node = pl_node_bare(node->kids[0]);
  return node && node->kind == PL_NODE_REF ? node : NULL;
}

/* A number that is one in every build. */
static bool is_closed(const pl_node *index) {
  return index->has_ival && !pl_is_open(index);
}

static bool is_cell(const value *v, const pl_node *node) {
  const pl_node *bare = pl_node_bare((pl_node *)node), *base = base_of(node);
  if (!base || base->decl != v->decl || bare->kind != v->src->kind)
    return false;
  if (bare->kind == PL_NODE_REF)
    return true;
  const pl_node *a = pl_node_bare(bare->kids[1]);
  const pl_node *b = pl_node_bare(v->src->kids[1]);
  if (a->has_ival || b->has_ival)
    return is_closed(a) && is_closed(b) && a->ival == b->ival;
  return a->kind == PL_NODE_REF && b->kind == PL_NODE_REF && a->decl == b->decl;
}

typedef struct names {
  const value *v;
  int cells; /* of this one */
  bool only_cells; /* the array is named with constant indices, or with one alone */
} names;

static bool count_cells(pl_node *node, void *context) {
  names *w = context;
  if (node->kind != PL_NODE_REF || node->decl != w->v->decl)
    return true;
  const pl_node *at = node;
  while (at->parent && at->parent->kind == PL_NODE_PAREN)
    at = at->parent;
  if (at->parent && at->parent->kind == PL_NODE_SUBSCRIPT &&
      at->parent->kids[0] == at)
    at = at->parent;
  const pl_node *index = at->kind == PL_NODE_SUBSCRIPT ? pl_node_bare(at->kids[1])
                                                       : NULL;
  bool cell = is_cell(w->v, at);
  w->cells += cell;
  w->only_cells = w->only_cells &&
                  (cell || (index && is_closed(index) &&
                            is_closed(pl_node_bare(w->v->src->kids[1]))));
  return true;
}

/* ---- definitions ------------------------------------------------------------ */

static bool is_set(const value *v, const pl_node *node) {
  return node && node->kind == PL_NODE_ASSIGN && node->op == PL_OP_ASSIGN &&
         !node->from_macro && node->op_range.end && is_cell(v, node->kids[0]);
}

/* The assignment to the cell among the statements of an arm, which are all plain
 * assignments; NULL: it has none. *fine is cleared where it has more. */
static pl_node *set_in_arm(const value *v, pl_node *arm, bool *fine) {
  pl_node *found = NULL;
  uint32_t n = !arm ? 0 : arm->kind == PL_NODE_COMPOUND ? arm->nkids : 1;
  for (uint32_t i = 0; i < n; i++) {
    pl_node *stmt = arm->kind == PL_NODE_COMPOUND ? arm->kids[i] : arm;
    if (!stmt || stmt->kind != PL_NODE_ASSIGN || stmt->op != PL_OP_ASSIGN ||
        stmt->from_macro || !base_of(stmt->kids[0]) || (found && is_set(v, stmt)))
      *fine = false;
    else if (is_set(v, stmt))
      found = stmt;
  }
  return found;
}

static bool is_plain_branch(const pl_unit *unit, const pl_node *node) {
  return node && node->kind == PL_NODE_IF && !pl_if_has_init(node) &&
         !node->from_macro && node->range.end > node->range.begin &&
         node->kids[0]->kind != PL_NODE_DECL_STMT &&
         node->kids[0]->kind != PL_NODE_VAR &&
         node->kids[0]->range.end > node->kids[0]->range.begin &&
         pl_str_starts(pl_unit_slice(unit, node->range), "if");
}

/* `if (a) { if (b) v = x; }`: the inner one, where the outer one has no else. */
static pl_node *inner_branch(const pl_unit *unit, pl_node *node) {
  while (node->nkids < 3 || !node->kids[2]) {
    pl_node *arm = node->kids[1];
    while (arm && arm->kind == PL_NODE_COMPOUND && arm->nkids == 1)
      arm = arm->kids[0];
    if (!is_plain_branch(unit, arm) || (arm->nkids > 2 && arm->kids[2]))
      return node;
    node = arm;
  }
  return node;
}

static void take_branch(const forwarding *f, value *v, pl_node *node) {
  if (v->branch || !is_plain_branch(f->loop->unit, node)) {
    v->fine = false;
    return;
  }
  v->branch = node;
  v->inner = inner_branch(f->loop->unit, node);
  v->yes = set_in_arm(v, v->inner->kids[1], &v->fine);
  v->no = set_in_arm(v, v->inner->nkids > 2 ? v->inner->kids[2] : NULL, &v->fine);
  v->fine = v->fine && (v->yes || v->no);
}

/* The declarator of the local in a declaration. */
static pl_node *declarator(const pl_node *stmt, const pl_decl *decl) {
  for (uint32_t i = 0; stmt->kind == PL_NODE_DECL_STMT && i < stmt->nkids; i++)
    if (stmt->kids[i]->kind == PL_NODE_VAR && stmt->kids[i]->decl == decl)
      return stmt->kids[i];
  return NULL;
}

/* Goes back from the store to what sets the local in any case. */
static void find_definitions(const forwarding *f, value *v) {
  uint32_t at = 0;
  while (at < v->block->nkids && v->block->kids[at] != v->store)
    at++;
  while (v->fine && at-- > 0) {
    pl_node *stmt = v->block->kids[at];
    names w = {v, 0, true};
    if (!stmt)
      continue;
    pl_node *var = declarator(stmt, v->decl);
    if (var) {
      bool sets = var->nkids && var->kids[0] && v->src->kind == PL_NODE_REF;
      v->plain = sets ? var : NULL;
      break;
    }
    pl_node_walk(stmt, count_cells, &w);
    if (!w.cells)
      continue;
    if (is_set(v, stmt)) {
      v->plain = stmt;
      break;
    }
    take_branch(f, v, stmt);
    if (v->yes && v->no)
      break;
  }
}

/* ---- may it be so? ------------------------------------------------------------ */

static pl_node *value_of(const pl_node *set) {
  return !set ? NULL : set->kind == PL_NODE_VAR ? set->kids[0] : set->kids[1];
}

static pl_node *if_so(const value *v) {
  return value_of(v->yes ? v->yes : v->plain);
}

static pl_node *else_so(const value *v) {
  return value_of(v->no ? v->no : v->plain);
}

static const pl_type *type_of(const value *v) { return v->src->type; }

/* Whether a value may stand in `c ? a : b` and be the same as in the local. */
static bool keeps_type(const value *v, const pl_node *node) {
  const pl_node *bare = pl_node_bare((pl_node *)node);
  const pl_type *type = type_of(v);
  bool number = type->kind == PL_TYPE_FLOAT || type->kind == PL_TYPE_INT;
  if (bare->kind == PL_NODE_INT && bare->has_ival && number && bare->ival >= 0 &&
      bare->ival <= 127)
    return true;
  if (bare->kind == PL_NODE_FLOATING && type->kind == PL_TYPE_FLOAT)
    return type->size >= 4 && !type->in_text;
  if (bare->kind == PL_NODE_INIT_LIST)
    return type->kind == PL_TYPE_RECORD && !type->is_user && !type->in_text;
  return bare->type && pl_same_type(bare->type, type) &&
         pl_same_type(pl_written_type(bare->type), pl_written_type(type));
}

static bool has_comment(pl_str text) {
  return pl_has_comment(text) || pl_str_has(text, "\n#");
}

/* The text of a value behind its `=`, or of the list that makes one; empty: a macro
 * hides it. */
static pl_str text_of_value(const forwarding *f, const value *v,
                            const pl_node *set) {
  const pl_unit *unit = f->loop->unit;
  const pl_node *node = value_of(set);
  pl_str text = pl_unit_slice(unit, node->range);
  pl_range whole = set->range;
  if (set->kind == PL_NODE_ASSIGN) {
    whole = (pl_range){set->op_range.end, set->range.end};
    pl_str all = pl_unit_slice(unit, whole);
    while (all.n && (all.p[all.n - 1] == ';' || all.p[all.n - 1] == ' '))
      all.n--;
    if (!pl_str_eq(pl_str_trimmed(all), text))
      return PL_STR("");
  } else if (node->from_macro || node->range.begin < set->decl->name_range.end) {
    return PL_STR("");
  }
  if (!text.n || has_comment(text))
    return PL_STR("");
  if (pl_node_bare((pl_node *)node)->kind != PL_NODE_INIT_LIST)
    return text;
  pl_str type = pl_without_const(type_of(v)->written);
  return text.p[0] == '{' && type.n
             ? pl_arena_printf(f->arena, "%.*s%.*s", PL_FMT(type), PL_FMT(text))
             : PL_STR("");
}

/* Whether an expression reads nothing but the thread's own variables and, a load,
 * global memory. */
static bool reads_only(const forwarding *f, pl_node *node, bool loads) {
  pl_effects effects = pl_effects_in(f->loop, node);
  for (size_t i = 0; i < effects.n; i++) {
    pl_space space = effects.items[i].space;
    if (effects.items[i].kind != PL_EFFECT_READ ||
        !(space == PL_SPACE_LOCAL || space == PL_SPACE_CONSTANT ||
          (loads && space == PL_SPACE_GLOBAL)))
      return false;
  }
  return true;
}

/* Whether what stands between a definition and the store leaves alone what the
 * value is made from. */
static bool stays_until_store(const forwarding *f, const value *v,
                              const pl_node *from, pl_node *made_of) {
  bool behind = false;
  for (uint32_t i = 0; i < v->block->nkids && v->block->kids[i] != v->store; i++) {
    pl_node *stmt = v->block->kids[i];
    pl_effects effects = {0};
    if (!stmt)
      continue;
    behind = behind || pl_node_within(from, stmt);
    if (!behind || pl_node_within(from, stmt))
      continue;
    pl_effects_of(f->loop->effects, f->loop->func, stmt, &effects);
    for (size_t k = 0; k < effects.n; k++) {
      const pl_effect *effect = &effects.items[k];
      bool sets = effect->kind == PL_EFFECT_WRITE &&
                  effect->space == PL_SPACE_LOCAL && effect->root.decl;
      if (effect->kind == PL_EFFECT_READ ||
          (effect->kind == PL_EFFECT_WRITE && effect->space == PL_SPACE_SHARED))
        continue;
      if (!sets || pl_mentions(made_of, effect->root.decl))
        return false;
    }
  }
  return true;
}

static bool is_guard(const forwarding *f, const value *v) {
  for (pl_node *at = v->branch; at; at = at->kids[1]) {
    while (at->kind == PL_NODE_COMPOUND)
      at = at->kids[0];
    if (v->branch != v->inner && !pl_is_plain_test(at->kids[0]))
      return false;
    pl_str text = pl_unit_slice(f->loop->unit, at->kids[0]->range);
    if (!reads_only(f, at->kids[0], false) || has_comment(text) || !text.n ||
        at->kids[0]->from_macro ||
        !stays_until_store(f, v, v->branch, at->kids[0]))
      return false;
    if (at == v->inner)
      break;
  }
  return true;
}

static bool is_value(const forwarding *f, const value *v, const pl_node *set,
                     bool *loads) {
  pl_node *node = value_of(set);
  bool load = pl_reads_global(f->loop, node);
  *loads = *loads || load;
  return text_of_value(f, v, set).n && keeps_type(v, node) &&
         reads_only(f, node, true) && !pl_mentions(node, v->decl) &&
         stays_until_store(f, v, set->kind == PL_NODE_VAR ? set->parent : set,
                           node);
}

/* Whether the local is the thread's own, of a type with a plain name, and of one
 * value for the store. */
static bool is_plain_local(const forwarding *f, const value *v) {
  const pl_type *type = type_of(v);
  return v->decl && v->decl->kind == PL_DECL_VAR && v->decl->owner == f->loop->func &&
         pl_is_private(v->decl) && !v->decl->is_static && !v->decl->is_volatile &&
         !v->decl->from_macro && type &&
         (type->kind == PL_TYPE_FLOAT || type->kind == PL_TYPE_INT ||
          type->kind == PL_TYPE_RECORD) &&
         pl_same_type(type, v->copy->type) &&
         (v->src->kind == PL_NODE_REF ||
          (v->decl->ndims == 1 && v->decl->type->kind == PL_TYPE_ARRAY &&
           (!v->decl->init || v->plain)));
}

static int uses_of(const value *v) {
  return 1 + (v->plain && v->plain->kind == PL_NODE_ASSIGN) + (v->yes != NULL) +
         (v->no != NULL);
}

static bool can_be_forwarded(const forwarding *f, const value *v) {
  names w = {v, 0, true};
  bool loads = false;
  pl_node_walk(f->loop->func->body, count_cells, &w);
  if (!v->fine || !is_plain_local(f, v) || !w.only_cells || w.cells != uses_of(v) ||
      (!v->branch && !(v->plain && v->plain->kind == PL_NODE_ASSIGN)) ||
      (v->branch && (!if_so(v) || !else_so(v) || !is_guard(f, v))))
    return false;
  const pl_node *sets[] = {v->plain, v->yes, v->no};
  for (size_t i = 0; i < 3; i++)
    if (sets[i] && !is_value(f, v, sets[i], &loads))
      return false;
  return loads && (!v->branch || pl_reads_global(f->loop, if_so(v)) !=
                                     pl_reads_global(f->loop, else_so(v)));
}

/* Whether all that a branch sets goes to stores with the values that are put there. */
static bool serves_all(const forwarding *f, const pl_node *arm, const pl_node *branch) {
  uint32_t n = !arm ? 0 : arm->kind == PL_NODE_COMPOUND ? arm->nkids : 1;
  for (uint32_t i = 0; i < n; i++) {
    const pl_node *set = arm->kind == PL_NODE_COMPOUND ? arm->kids[i] : arm;
    bool found = false;
    for (size_t k = 0; k < f->n; k++)
      found = found || (f->items[k].fine && f->items[k].branch == branch &&
                        (f->items[k].yes == set || f->items[k].no == set));
    if (!found)
      return false;
  }
  return true;
}

static void leave_torn_branches(const forwarding *f) {
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < f->n; i++) {
      value *v = &f->items[i];
      if (!v->fine || !v->branch ||
          (serves_all(f, v->inner->kids[1], v->branch) &&
           serves_all(f, v->inner->nkids > 2 ? v->inner->kids[2] : NULL,
                      v->branch)))
        continue;
      v->fine = false;
      again = true;
    }
  }
}

/* ---- the text ---------------------------------------------------------------- */

static void put(forwarding *f, pl_replacements *out, pl_range range, pl_str text) {
  for (size_t i = 0; i < out->n; i++)
    if (out->items[i].range.begin == range.begin &&
        out->items[i].range.end == range.end)
      return;
  pl_put(f->arena, out, range, text);
}

/* Whether all elements of an array are forwarded. */
static bool is_of_no_more_use(const forwarding *f, const pl_decl *decl) {
  size_t uses = 0;
  for (size_t i = 0; i < f->n; i++)
    if (f->items[i].fine && f->items[i].decl == decl)
      uses += (size_t)uses_of(&f->items[i]);
  return decl->type->kind == PL_TYPE_ARRAY && !decl->init &&
         uses == pl_count_names(f->loop->func->body, decl);
}

static bool is_forwarded(const forwarding *f, const pl_node *var) {
  for (size_t i = 0; i < f->n; i++)
    if (f->items[i].fine && f->items[i].decl == var->decl &&
        (f->items[i].src->kind == PL_NODE_REF || is_of_no_more_use(f, var->decl)))
      return true;
  return false;
}

/* The declaration of what is a local no more, without it. */
static bool take_from_declaration(forwarding *f, pl_replacements *out,
                                  const pl_node *stmt) {
  const pl_unit *unit = f->loop->unit;
  pl_text text = {.arena = f->arena};
  const pl_decl *first = stmt->kids[0]->decl;
  for (uint32_t i = 0; i < stmt->nkids; i++) {
    const pl_node *var = stmt->kids[i];
    if (var->kind != PL_NODE_VAR || !var->decl || !var->decl->name_range.end ||
        var->decl->from_macro || var->range.end < var->decl->name_range.end ||
        !var->decl->type || var->decl->type->kind == PL_TYPE_POINTER ||
        var->decl->type->kind == PL_TYPE_REFERENCE ||
        has_comment(pl_unit_slice(unit, stmt->range)))
      return false;
    if (is_forwarded(f, var))
      continue;
    pl_range own = {var->decl->name_range.begin, var->range.end};
    pl_range type = {stmt->range.begin, first->name_range.begin};
    if (!text.n)
      pl_text_add(&text, pl_unit_slice(unit, type));
    else
      pl_text_printf(&text, ", ");
    pl_text_add(&text, pl_unit_slice(unit, own));
  }
  if (text.n) {
    pl_text_printf(&text, ";");
    put(f, out, stmt->range, pl_text_view(&text));
  } else {
    put(f, out, pl_with_line(unit, stmt->range), PL_STR(""));
  }
  return true;
}

static pl_str grouped(const forwarding *f, const pl_node *node, pl_str text) {
  const pl_node *bare = node;
  bool weak = bare->kind == PL_NODE_COND || bare->kind == PL_NODE_ASSIGN ||
              (bare->kind == PL_NODE_BINARY && bare->op == PL_OP_COMMA) ||
              bare->from_macro;
  return weak ? pl_arena_printf(f->arena, "(%.*s)", PL_FMT(text)) : text;
}

static pl_str guard_text(const forwarding *f, const value *v) {
  pl_text out = {.arena = f->arena};
  bool several = v->branch != v->inner;
  for (pl_node *at = v->branch; at; at = at->kids[1]) {
    while (at->kind == PL_NODE_COMPOUND)
      at = at->kids[0];
    pl_str text = pl_unit_slice(f->loop->unit, at->kids[0]->range);
    pl_text_printf(&out, several ? "%s(%.*s)" : "%s%.*s", out.n ? " && " : "",
                   PL_FMT(several ? text : grouped(f, at->kids[0], text)));
    if (at == v->inner)
      break;
  }
  return pl_text_view(&out);
}

static pl_str forwarded_text(const forwarding *f, const value *v) {
  const pl_node *yes = v->yes ? v->yes : v->plain, *no = v->no ? v->no : v->plain;
  if (!v->branch)
    return text_of_value(f, v, v->plain);
  return pl_arena_printf(
      f->arena, "%.*s ? %.*s : %.*s", PL_FMT(guard_text(f, v)),
      PL_FMT(grouped(f, value_of(yes), text_of_value(f, v, yes))),
      PL_FMT(grouped(f, value_of(no), text_of_value(f, v, no))));
}

/* The statement that declares a local, within the loop; NULL: it stands elsewhere. */
static const pl_node *declaration_of(const forwarding *f, const value *v) {
  const pl_node *stmt = v->decl->node ? v->decl->node->parent : NULL;
  return stmt && stmt->kind == PL_NODE_DECL_STMT &&
                 (v->src->kind == PL_NODE_REF || is_of_no_more_use(f, v->decl)) &&
                 pl_node_within(stmt, f->loop->body)
             ? stmt
             : NULL;
}

static void put_all(forwarding *f, pl_replacements *out) {
  const pl_unit *unit = f->loop->unit;
  pl_replacements own = {0};
  for (size_t i = 0; i < f->n; i++) {
    const value *v = &f->items[i];
    const pl_node *stmt = v->fine ? declaration_of(f, v) : NULL;
    if (!v->fine)
      continue;
    if (stmt && !take_from_declaration(f, &own, stmt))
      return;
    if (v->plain && v->plain->kind == PL_NODE_ASSIGN)
      put(f, &own, pl_with_line(unit, v->plain->range), PL_STR(""));
    if (v->branch)
      put(f, &own, pl_with_line(unit, v->branch->range), PL_STR(""));
    put(f, &own, v->src->range, forwarded_text(f, v));
  }
  pl_put_all(f->arena, out, &own);
  out->for_async = out->for_async || own.n > 0;
}

/* ---- which copies ------------------------------------------------------------- */

static bool passes_through(const pl_copy *copy) {
  return !copy->load && !copy->nbytes && !copy->by_call &&
         copy->last == copy->store && copy->store->kind == PL_NODE_ASSIGN &&
         copy->store->op == PL_OP_ASSIGN && !copy->store->from_macro &&
         copy->store->parent && copy->store->parent->kind == PL_NODE_COMPOUND &&
         base_of(copy->src);
}

static bool may_gain(const pl_loop *loop) {
  if (!loop->body || loop->body->from_macro || loop->caller)
    return false;
  return pl_is_refused_for(loop, "PL5002") ||
         (loop->verdict == PL_VERDICT_PIPELINED && loop->async_id &&
          strcmp(loop->async_id, "PL5002") == 0 &&
          loop->options->variant == PL_VARIANT_AUTO &&
          !pl_variant_is_async(loop->variant)) ||
         (loop->mixed && loop->verdict == PL_VERDICT_PIPELINED);
}

/* ---- two loops as one ----------------------------------------------------------- */

/* `for (j...) v[j] = A[j]; for (j...) s[j] = v[j];`: the second loop, and the first of
 * the same header. */
typedef struct pair {
  const forwarding *f;
  const pl_node *first, *second, *block;
  const pl_decl *array;
} pair;

static bool is_counting(const pl_node *node) {
  return node && node->kind == PL_NODE_FOR && node->kids[0] &&
         node->kids[0]->kind == PL_NODE_DECL_STMT && node->kids[0]->nkids == 1 &&
         node->kids[0]->kids[0]->decl && node->kids[3] &&
         node->kids[3]->kind == PL_NODE_COMPOUND && !node->from_macro &&
         !node->kids[3]->from_macro;
}

static pl_str header_of(const pair *p, const pl_node *loop) {
  pl_range range = {loop->range.begin, loop->kids[3]->range.begin};
  return pl_str_trimmed(pl_unit_slice(p->f->loop->unit, range));
}

/* A header's names, but for the variable that it declares itself. */
static bool same_header_names(const pl_node *a, const pl_node *b,
                              const pl_decl *own, const pl_decl *other) {
  if (!a || !b)
    return a == b;
  if (a->kind != b->kind || a->nkids != b->nkids)
    return false;
  if (a->kind == PL_NODE_REF && a->decl != b->decl &&
      !(a->decl == own && b->decl == other))
    return false;
  for (uint32_t i = 0; i < a->nkids; i++)
    if (!same_header_names(a->kids[i], b->kids[i], own, other))
      return false;
  return true;
}

static bool same_header(const pair *p, const pl_node *a, const pl_node *b) {
  const pl_decl *own = a->kids[0]->kids[0]->decl, *other = b->kids[0]->kids[0]->decl;
  for (uint32_t i = 1; i < 3; i++)
    if (!same_header_names(a->kids[i], b->kids[i], own, other))
      return false;
  return pl_str_eq(header_of(p, a), header_of(p, b)) &&
         same_header_names(a->kids[0]->kids[0]->nkids ? a->kids[0]->kids[0]->kids[0] : NULL,
                           b->kids[0]->kids[0]->nkids ? b->kids[0]->kids[0]->kids[0] : NULL,
                           own, other);
}

/* The loop around a store that counts the elements of a local array. */
static bool take_second(pair *p, const pl_copy *copy) {
  const pl_node *src = pl_node_bare(copy->src);
  const pl_node *index = src->kind == PL_NODE_SUBSCRIPT ? pl_node_bare(src->kids[1])
                                                        : NULL;
  const pl_node *up = copy->store->parent ? copy->store->parent->parent : NULL;
  p->array = base_of(src)->decl;
  p->second = up;
  p->block = up ? up->parent : NULL;
  return index && index->kind == PL_NODE_REF && is_counting(up) &&
         up->kids[3] == copy->store->parent &&
         index->decl == up->kids[0]->kids[0]->decl && p->block &&
         p->block->kind == PL_NODE_COMPOUND;
}

/* Whether a statement sets nothing but the thread's own variables, none of which the
 * second loop names but elements of the array. */
static bool goes_behind(const pair *p, pl_node *stmt) {
  pl_effects effects = pl_effects_in(p->f->loop, stmt);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    bool own = effect->kind == PL_EFFECT_WRITE &&
               effect->space == PL_SPACE_LOCAL && effect->root.decl;
    if (effect->kind == PL_EFFECT_READ ? effect->space == PL_SPACE_SHARED ||
                                             effect->space == PL_SPACE_UNKNOWN
                                       : !own)
      return false;
    if (own && effect->root.decl != p->array &&
        pl_mentions(p->second, effect->root.decl))
      return false;
  }
  return true;
}

static bool take_first(pair *p) {
  uint32_t at = 0;
  while (at < p->block->nkids && p->block->kids[at] != p->second)
    at++;
  while (at-- > 0) {
    pl_node *stmt = p->block->kids[at];
    if (!stmt)
      continue;
    if (is_counting(stmt) && pl_mentions(stmt, p->array) &&
        same_header(p, stmt, p->second)) {
      p->first = stmt;
      return goes_behind(p, stmt);
    }
    if (pl_mentions(stmt, p->array) || !goes_behind(p, stmt))
      return false;
  }
  return false;
}

static bool says(const pair *p, const pl_node *node, pl_str name) {
  return pl_unit_says(p->f->loop->unit, node->range, name);
}

/* A declaration that the first loop has, in the same words, of what nothing sets. */
static bool is_declared_alike(const pair *p, const pl_node *stmt) {
  const pl_node *body = p->first->kids[3];
  for (uint32_t i = 0; i < body->nkids; i++) {
    const pl_node *other = body->kids[i];
    bool alike = other && other->kind == PL_NODE_DECL_STMT &&
                 pl_same_text(p->f->loop->unit, other, stmt) &&
                 other->nkids == stmt->nkids;
    for (uint32_t k = 0; alike && k < stmt->nkids; k++)
      alike = stmt->kids[k]->decl && other->kids[k]->decl &&
              stmt->kids[k]->nkids && stmt->kids[k]->kids[0] &&
              reads_only(p->f, stmt->kids[k]->kids[0], false) &&
              !pl_assigned_anywhere(p->first->kids[3], other->kids[k]->decl) &&
              !pl_assigned_anywhere(p->second->kids[3], stmt->kids[k]->decl);
    if (alike)
      return true;
  }
  return false;
}

/* Whether the second loop's statements, but for what the first one declares as well,
 * can stand behind those of the first: stores to tiles, and names that are not there. */
static bool can_join(const pair *p, pl_text *out) {
  const pl_node *body = p->second->kids[3];
  for (uint32_t i = 0; i < body->nkids; i++) {
    pl_node *stmt = body->kids[i];
    pl_effects effects = {0};
    if (!stmt || (stmt->kind != PL_NODE_DECL_STMT && stmt->kind != PL_NODE_ASSIGN) ||
        stmt->from_macro || has_comment(pl_unit_slice(p->f->loop->unit, stmt->range)))
      return false;
    pl_effects_of(p->f->loop->effects, p->f->loop->func, stmt, &effects);
    for (size_t k = 0; k < effects.n; k++)
      if (effects.items[k].kind == PL_EFFECT_WRITE
              ? effects.items[k].space != PL_SPACE_SHARED &&
                    !pl_declared_inside(effects.items[k].root.decl, stmt)
              : effects.items[k].kind != PL_EFFECT_READ ||
                    (effects.items[k].space != PL_SPACE_LOCAL &&
                     effects.items[k].space != PL_SPACE_CONSTANT))
        return false;
    if (stmt->kind == PL_NODE_DECL_STMT && is_declared_alike(p, stmt))
      continue;
    for (uint32_t k = 0; stmt->kind == PL_NODE_DECL_STMT && k < stmt->nkids; k++)
      if (!stmt->kids[k]->decl || says(p, p->first, stmt->kids[k]->decl->name))
        return false;
    pl_text_printf(out, "    %.*s\n%.*s",
                   PL_FMT(pl_unit_slice(p->f->loop->unit, stmt->range)),
                   PL_FMT(pl_indent_at(p->f->loop->unit, p->first->range.begin)));
  }
  return out->n > 0;
}

/* Whether the second loop names what the first one's body declares otherwise. */
static bool hides_names(const pair *p) {
  const pl_node *body = p->first->kids[3], *second = p->second->kids[3];
  for (uint32_t i = 0; i < body->nkids; i++) {
    const pl_node *stmt = body->kids[i];
    bool alike = false;
    for (uint32_t k = 0; stmt && stmt->kind == PL_NODE_DECL_STMT && k < second->nkids;
         k++)
      alike = alike || (second->kids[k] &&
                        second->kids[k]->kind == PL_NODE_DECL_STMT &&
                        pl_same_text(p->f->loop->unit, stmt, second->kids[k]));
    for (uint32_t k = 0; stmt && !alike && stmt->kind == PL_NODE_DECL_STMT &&
                         k < stmt->nkids;
         k++)
      if (!stmt->kids[k]->decl || says(p, p->second, stmt->kids[k]->decl->name))
        return true;
  }
  return false;
}

/* What goes with the second loop: the pragmas ahead of it; false: more stands there. */
static bool range_of_second(const pair *p, pl_range *range) {
  const pl_unit *unit = p->f->loop->unit;
  uint32_t from = p->first->range.end;
  for (uint32_t i = 0; i < p->block->nkids && p->block->kids[i] != p->second; i++)
    if (p->block->kids[i])
      from = p->block->kids[i]->range.end;
  pl_run run = pl_tokens_in(unit, (pl_range){from, p->second->range.begin});
  bool pragma = false;
  for (uint32_t t = run.first; t < run.end; t++) {
    if (unit->tokens[t].kind != PL_TOK_DIRECTIVE ||
        !pl_str_has(pl_token_text(unit, t), "pragma"))
      return false;
    pragma = true;
  }
  *range = pragma ? (pl_range){from, p->second->range.end}
                  : pl_with_line(unit, p->second->range);
  return true;
}

static void join_loops(forwarding *f, const pl_copy *copy, pl_replacements *out) {
  pair p = {.f = f};
  pl_text text = {.arena = f->arena};
  pl_range range;
  if (!take_second(&p, copy) || !take_first(&p) ||
      pl_cfg_jump_out(p.first->kids[3], PL_JUMP_ANY) ||
      pl_node_has(p.first, PL_NODE_LAMBDA) ||
      pl_node_has(p.first, PL_NODE_LABEL) || hides_names(&p) ||
      !can_join(&p, &text) || !range_of_second(&p, &range))
    return;
  uint32_t brace = p.first->kids[3]->range.end - 1;
  pl_text_printf(&text, "}");
  put(f, out, (pl_range){brace, brace + 1}, pl_text_view(&text));
  put(f, out, range, PL_STR(""));
  out->for_async = true;
}

/* Whether the stores of one of the loop's copies are in the text of another's that is
 * to be replaced. */
static bool is_joined(const pl_replacements *out, const pl_copy *copy) {
  for (size_t i = 0; i < out->n; i++)
    if (pl_range_inside(copy->store->range, out->items[i].range))
      return true;
  return false;
}

void pl_values_in_place(pl_loop *loop, pl_arena *arena, pl_replacements *out) {
  forwarding f = {.loop = loop, .arena = arena};
  size_t before = out->n;
  if (!may_gain(loop))
    return;
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    if (passes_through(&loop->fill.copies[i]) &&
        !is_joined(out, &loop->fill.copies[i]))
      join_loops(&f, &loop->fill.copies[i], out);
  if (out->n > before)
    return;
  for (size_t i = 0; i < loop->fill.ncopies; i++) {
    const pl_copy *copy = &loop->fill.copies[i];
    if (!passes_through(copy))
      continue;
    value v = {.copy = copy, .store = copy->store, .fine = true};
    v.src = pl_node_bare(copy->src);
    v.decl = base_of(copy->src)->decl;
    v.block = copy->store->parent;
    find_definitions(&f, &v);
    v.fine = v.fine && can_be_forwarded(&f, &v);
    PL_PUSH(arena, f.items, f.n, f.cap, v);
  }
  leave_torn_branches(&f);
  put_all(&f, out);
}
