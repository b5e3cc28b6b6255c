/* apart.c - a variable that serves the loads, and then compute, as two.
 *
 * Needs: an attempt in which a loop is refused for a variable that both sides set.
 * Gives: a name of its own for what the loads use, where each of the two sets it
 * before it reads it, so that no value goes from one to the other. Raises nothing.
 *
 * `v = A[i]; s[t] = v; barrier; v = s[j]; sum += v;` has one v for two things. With
 * `float v_load = A[i]; s[t] = v_load;` each side has its own, and behind the loop v
 * holds what compute has left in it. */
#include "copies.h"
#include "expansions.h"
#include "slices.h"

typedef enum first_use {
  NO_USE, /* not on every path */
  SETS,   /* all of it, before anything reads it */
  READS   /* or may do so */
} first_use;

typedef struct apart {
  const pl_loop *loop;
  const pl_decl *decl;
  pl_arena *arena;
  pl_replacements *out;
} apart;

/* ---- which comes first? ---------------------------------------------------------- */

static bool branches_within(const pl_node *node) {
  if (!node)
    return false;
  if (node->kind == PL_NODE_COND || node->kind == PL_NODE_LAMBDA ||
      (node->kind == PL_NODE_BINARY &&
       (node->op == PL_OP_LAND || node->op == PL_OP_LOR)))
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (branches_within(node->kids[i]))
      return true;
  return false;
}

/* Of an expression, or a statement that is none but one. */
static first_use first_in_expression(const apart *a, pl_node *node) {
  pl_effects effects = {0};
  if (!node || !pl_mentions(node, a->decl))
    return NO_USE;
  pl_effects_of(a->loop->effects, a->loop->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    if (effect->root.decl != a->decl)
      continue;
    bool sets = effect->kind == PL_EFFECT_WRITE && effect->whole &&
                effect->direct && !effect->by_call && !effect->root.member.n;
    return sets && !branches_within(node) ? SETS : READS;
  }
  return READS; /* named in a way that has no effect: not looked into */
}

static first_use first_of(const apart *a, pl_node *node);

/* What two parts do that are run one after the other, the second one perhaps not. */
static first_use then(first_use first, first_use second, bool always) {
  if (first != NO_USE)
    return first;
  return second == READS || always ? second : NO_USE;
}

static first_use first_in_branch(const apart *a, const pl_node *node) {
  first_use asks = first_in_expression(a, node->kids[0]);
  first_use yes = first_of(a, node->kids[1]);
  first_use no = node->nkids > 2 ? first_of(a, node->kids[2]) : NO_USE;
  if (pl_if_has_init(node))
    return pl_mentions(node, a->decl) ? READS : NO_USE;
  if (asks != NO_USE)
    return asks;
  if (yes == READS || no == READS)
    return READS;
  return yes == SETS && no == SETS ? SETS : NO_USE;
}

/* What a loop does that may run no time at all: a step or test finds what the body
 * has not set, where that is left early. */
static first_use first_in_for(const apart *a, const pl_node *node) {
  first_use body = first_of(a, node->kids[3]);
  first_use step = first_in_expression(a, node->kids[2]);
  first_use head = then(first_in_expression(a, node->kids[0]),
                        first_in_expression(a, node->kids[1]), true);
  return then(head, body == READS ? READS : step, false);
}

static first_use first_in_do(const apart *a, const pl_node *node) {
  if (pl_inner_jump(node->kids[0], PL_NODE_BREAK) ||
      pl_inner_jump(node->kids[0], PL_NODE_CONTINUE))
    return READS;
  return then(first_of(a, node->kids[0]),
              first_in_expression(a, node->kids[1]), true);
}

static first_use first_in_block(const apart *a, const pl_node *node) {
  first_use so_far = NO_USE;
  for (uint32_t i = 0; i < node->nkids; i++)
    so_far = then(so_far, first_of(a, node->kids[i]), true);
  return so_far;
}

static first_use first_of(const apart *a, pl_node *node) {
  if (!node || !pl_mentions(node, a->decl))
    return NO_USE;
  switch (node->kind) {
  case PL_NODE_COMPOUND:
    return first_in_block(a, node);
  case PL_NODE_IF:
    return first_in_branch(a, node);
  case PL_NODE_FOR:
    return first_in_for(a, node);
  case PL_NODE_WHILE:
    return then(first_in_expression(a, node->kids[0]),
                first_of(a, node->kids[1]), false);
  case PL_NODE_DO:
    return first_in_do(a, node);
  case PL_NODE_ASSIGN:
  case PL_NODE_DECL_STMT:
  case PL_NODE_CALL:
  case PL_NODE_UNARY:
  case PL_NODE_BINARY:
    return first_in_expression(a, node);
  default:
    return READS;
  }
}

/* ---- two uses that have nothing to do with each other ----------------------------- */

static bool is_of_loads(const apart *a, const pl_stmt *stmt) {
  return stmt->phase == a->loop->load_phase;
}

/* Whether the loads set the variable, and behind them the rest does, if it uses it,
 * each before it reads it; *always: the rest does so on every path. */
static bool are_two_uses(const apart *a, bool *always) {
  first_use loads = NO_USE, rest = NO_USE;
  bool behind = false;
  for (size_t i = 0; i < a->loop->nstmts; i++) {
    const pl_stmt *stmt = &a->loop->stmts[i];
    bool loading = is_of_loads(a, stmt);
    if (!pl_mentions(stmt->node, a->decl))
      continue;
    if (stmt->node->parent != a->loop->body || (loading && behind))
      return false;
    behind = behind || !loading;
    first_use *use = loading ? &loads : &rest;
    *use = then(*use, first_of(a, stmt->node), true);
    if (*use == READS || (loading && *use != SETS))
      return false;
  }
  *always = rest == SETS;
  return loads == SETS;
}

static size_t count_names(const pl_node *node, const pl_decl *decl) {
  size_t n = node && node->kind == PL_NODE_REF && node->decl == decl;
  for (uint32_t i = 0; node && i < node->nkids; i++)
    n += count_names(node->kids[i], decl);
  return n;
}

/* What the statements behind one in its block do first. */
static first_use first_behind(const apart *a, const pl_node *block,
                              const pl_node *at) {
  first_use so_far = NO_USE;
  bool behind = false;
  for (uint32_t i = 0; i < block->nkids; i++) {
    if (behind)
      so_far = then(so_far, first_of(a, block->kids[i]), true);
    behind = behind || block->kids[i] == at;
  }
  return so_far;
}

/* Whether what the variable holds behind the loop may be read: there, or when a loop
 * around this one comes to it again. */
static bool is_read_behind(const apart *a) {
  const size_t own = count_names(a->loop->body, a->decl);
  for (const pl_node *at = a->loop->node; at->parent; at = at->parent) {
    const pl_node *up = at->parent;
    first_use next = NO_USE;
    if (up->kind == PL_NODE_COMPOUND)
      next = first_behind(a, up, at);
    else if (up->kind != PL_NODE_IF)
      next = count_names(up, a->decl) > own ? READS : NO_USE;
    if (next != NO_USE)
      return next == READS;
  }
  return false;
}

static bool holds_jumps(const pl_node *node) {
  if (!node || node->kind == PL_NODE_LAMBDA)
    return false;
  if (node->kind == PL_NODE_GOTO || node->kind == PL_NODE_LABEL)
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (holds_jumps(node->kids[i]))
      return true;
  return false;
}

static bool may_leave(const pl_loop *loop) {
  return pl_inner_jump(loop->body, PL_NODE_BREAK) ||
         pl_inner_jump(loop->body, PL_NODE_CONTINUE) || pl_leaves(loop->body) ||
         holds_jumps(loop->func->body);
}

static bool is_plain_type(const pl_type *type) {
  if (!type || !type->written.n || type->is_const || type->is_volatile)
    return false;
  if (type->kind == PL_TYPE_RECORD)
    return type->is_trivially_copyable && !type->is_union &&
           !type->begins_by_code && !type->runs_code && !type->has_operators;
  return type->kind == PL_TYPE_INT || type->kind == PL_TYPE_BOOL ||
         type->kind == PL_TYPE_FLOAT || type->kind == PL_TYPE_POINTER;
}

/* `float v;` in the body itself. */
static bool is_declared_empty(const apart *a) {
  const pl_node *stmt = a->decl->node->parent;
  return !a->decl->init && stmt && stmt->kind == PL_NODE_DECL_STMT &&
         stmt->parent == a->loop->body && !pl_mentions(stmt, a->decl);
}

static bool is_plain_local(const apart *a) {
  const pl_decl *decl = a->decl;
  return decl->kind == PL_DECL_VAR && decl->owner == a->loop->func &&
         decl->node && !decl->is_shared && !decl->is_static &&
         !decl->is_volatile && !decl->from_macro && is_plain_type(decl->type) &&
         (!pl_declared_inside(decl, a->loop->body) || is_declared_empty(a)) &&
         !pl_mentions(a->loop->init, decl) && !pl_mentions(a->loop->cond, decl) &&
         !pl_mentions(a->loop->inc, decl) &&
         !pl_has_second_name(a->loop, (pl_decl *)decl);
}

static bool can_be_two(const apart *a) {
  bool always = false;
  return is_plain_local(a) && !may_leave(a->loop) && are_two_uses(a, &always) &&
         (always || pl_declared_inside(a->decl, a->loop->body) ||
          !is_read_behind(a));
}

/* ---- the text ---------------------------------------------------------------------- */

typedef struct name_walk {
  const apart *of;
  pl_replacements names;
  bool hidden;
} name_walk;

static void add_name(name_walk *w, const pl_node *node) {
  pl_replacements *names = &w->names;
  for (size_t i = 0; i < names->n; i++)
    if (names->items[i].range.begin == node->range.begin)
      return; /* a macro has it twice */
  pl_replacement one = {.range = node->range};
  PL_PUSH(w->of->arena, names->items, names->n, names->cap, one);
}

/* Gathers where the variable's name stands; hidden: in a macro's body, too, or
 * something else has the name. */
static bool find_names(pl_node *node, void *context) {
  name_walk *w = context;
  const pl_decl *decl = w->of->decl;
  bool names = node->kind == PL_NODE_REF && node->decl == decl;
  bool alike = node->decl && pl_str_eq(node->decl->name, decl->name);
  if (names && !node->from_macro &&
      pl_str_eq(pl_unit_slice(w->of->loop->unit, node->range), decl->name))
    add_name(w, node);
  else if (names || alike)
    w->hidden = true;
  return !w->hidden;
}

static size_t count_words(const pl_unit *unit, pl_range range, pl_str word) {
  pl_run run = pl_tokens_in(unit, range);
  size_t n = 0;
  for (uint32_t i = run.first; i < run.end; i++)
    n += pl_str_eq(pl_token_text(unit, i), word);
  return n;
}

/* Whether the function has a word, or a macro is called so or has it in its body. */
static bool is_taken(const pl_loop *loop, pl_str name) {
  const pl_unit *unit = loop->unit;
  const pl_range within = loop->func->range;
  for (size_t i = 0; i < unit->nmacros; i++)
    if (pl_str_eq(unit->macros[i], name))
      return true;
  for (uint32_t i = 0; i < unit->ntokens; i++) {
    const pl_token *token = &unit->tokens[i];
    bool inside = token->range.begin >= within.begin &&
                  token->range.end <= within.end;
    if (token->kind == PL_TOK_DIRECTIVE
            ? pl_str_has(pl_token_text(unit, i), name.p)
            : inside && pl_str_eq(pl_token_text(unit, i), name))
      return true;
  }
  return false;
}

static pl_str free_name(const apart *a) {
  pl_str name = pl_arena_printf(a->arena, "%.*s_load", PL_FMT(a->decl->name));
  for (int i = 2; is_taken(a->loop, name); i++)
    name = pl_arena_printf(a->arena, "%.*s_load%d", PL_FMT(a->decl->name), i);
  return name;
}

static pl_str declaration_of(const apart *a, pl_str name) {
  pl_str type = a->decl->type->written;
  return pl_arena_printf(a->arena, "%.*s%s%.*s", PL_FMT(type),
                         type.p[type.n - 1] == '*' ? "" : " ", PL_FMT(name));
}

/* Declares the name by the statement that sets it first or in front of it; a loop
 * may have a pragma there, so that the body's begin is the place. */
static void declare(const apart *a, const pl_stmt *first, pl_str name,
                    name_walk *w) {
  const pl_unit *unit = a->loop->unit;
  const pl_node *body = a->loop->body;
  pl_str text = declaration_of(a, name);
  const pl_node *node = first->node;
  bool assigns = node->kind == PL_NODE_ASSIGN;
  if (assigns && !node->from_macro && pl_names_var(node->kids[0], a->decl) &&
      w->names.items[0].range.begin == node->range.begin) {
    w->names.items[0].text = text;
    return;
  }
  pl_range word = assigns
                      ? unit->tokens[pl_token_from(unit, node->range.begin)].range
                      : (pl_range){body->range.begin, body->range.begin + 1};
  pl_str begin = pl_unit_slice(unit, word);
  pl_str indent = pl_indent_at(unit, body->kids[0]->range.begin);
  pl_replacement more = {word, {0}};
  more.text = assigns ? pl_arena_printf(a->arena, "%.*s;\n%.*s%.*s", PL_FMT(text),
                                        PL_FMT(indent), PL_FMT(begin))
                      : pl_arena_printf(a->arena, "{\n%.*s%.*s;", PL_FMT(indent),
                                        PL_FMT(text));
  PL_PUSH(a->arena, a->out->items, a->out->n, a->out->cap, more);
}

static void rename_loads(const apart *a) {
  name_walk w = {.of = a};
  const pl_stmt *first = NULL;
  size_t words = 0;
  for (size_t i = 0; i < a->loop->nstmts; i++) {
    const pl_stmt *stmt = &a->loop->stmts[i];
    if (!is_of_loads(a, stmt) || !pl_mentions(stmt->node, a->decl))
      continue;
    first = first ? first : stmt;
    pl_node_walk(stmt->node, find_names, &w);
    words += count_words(a->loop->unit, stmt->node->range, a->decl->name);
  }
  if (w.hidden || !first || words != w.names.n)
    return;
  pl_str name = free_name(a);
  for (size_t i = 0; i < w.names.n; i++)
    w.names.items[i].text = name;
  declare(a, first, name, &w);
  for (size_t i = 0; i < w.names.n; i++)
    PL_PUSH(a->arena, a->out->items, a->out->n, a->out->cap, w.names.items[i]);
  a->out->renames = true;
}

void pl_names_apart(const pl_loop *loop, pl_arena *arena, pl_replacements *out) {
  const apart a = {loop, loop->serves_both, arena, out};
  const pl_node *body = loop->body;
  bool asked = pl_is_refused_for(loop, "PL4001") ||
               pl_is_refused_for(loop, "PL4006");
  if (asked && a.decl && body->kind == PL_NODE_COMPOUND && body->nkids &&
      !body->from_macro && !loop->branch && !loop->nhead && can_be_two(&a))
    rename_loads(&a);
}
