/* apart.c - a variable that serves the loads, and then compute, as two.
 *
 * Needs: an attempt in which a loop is refused for a variable that both sides set.
 * Gives: a name of its own for what the loads use, where each of the two sets it
 * before it reads it, so that no value goes from one to the other. Raises nothing.
 *
 * `v = A[i]; s[t] = v; barrier; v = s[j]; sum += v;` has one v for two things. With
 * `float v_load = A[i]; s[t] = v_load;` each side has its own, and behind the loop v
 * holds what compute has left in it. */
#include "apart.h"
#include "cfg.h"
#include "macros.h"
#include "reaching_definitions.h"
#include "slices.h"

/* ---- two uses that have nothing to do with each other ----------------------------- */

static bool is_of_loads(const pl_apart *a, const pl_stmt *stmt) {
  return stmt->phase == a->loop->load_phase;
}

/* Whether the loads set the variable, and behind them the rest does, if it uses it,
 * each before it reads it; *always: the rest does so on every path. */
static bool are_two_uses(const pl_apart *a, bool *always) {
  pl_first_use loads = PL_NO_USE, rest = PL_NO_USE;
  bool behind = false;
  for (size_t i = 0; i < a->loop->nstmts; i++) {
    const pl_stmt *stmt = &a->loop->stmts[i];
    bool loading = is_of_loads(a, stmt);
    if (!pl_mentions(stmt->node, a->decl))
      continue;
    if (stmt->node->parent != a->loop->body || (loading && behind))
      return false;
    behind = behind || !loading;
    pl_first_use *use = loading ? &loads : &rest;
    if (*use == PL_NO_USE)
      *use = pl_first_use_in(stmt->node, a->decl);
    if (*use == PL_READS || (loading && *use != PL_SETS))
      return false;
  }
  *always = rest == PL_SETS;
  return loads == PL_SETS;
}

/* Whether another build may have other text in the function, by an #if or by a macro
 * of several bodies: what it does with the variable there is not seen. */
static bool may_say_more(const pl_apart *a) {
  const pl_unit *unit = a->loop->unit;
  const pl_run run = pl_tokens_in(unit, a->loop->func->range);
  if (pl_has_conditional_text(unit, a->loop->func->range))
    return true;
  for (uint32_t i = run.first; i < run.end; i++) {
    pl_macro m = {0};
    pl_str word = pl_token_text(unit, i);
    if (unit->tokens[i].kind == PL_TOK_IDENT &&
        pl_macro_definitions(unit, word, UINT32_MAX) &&
        !pl_macro_named(unit, word, UINT32_MAX, &m))
      return true;
  }
  return false;
}

bool pl_may_leave(const pl_loop *loop) {
  return pl_cfg_jump_out(loop->body, PL_JUMP_ANY) ||
         pl_cfg_has_goto(loop->func->body);
}

static bool is_plain_type(const pl_type *type) {
  if (!type || !type->written.n || type->is_const || type->is_volatile)
    return false;
  if (type->kind == PL_TYPE_RECORD)
    return type->is_trivially_copyable && !type->is_union &&
           !type->begins_by_code && !type->runs_code && !type->has_operators;
  return pl_is_value_type(type);
}

/* `float v;` in the body itself. */
static bool is_declared_empty(const pl_apart *a) {
  const pl_node *stmt = a->decl->node->parent;
  return !a->decl->init && stmt && stmt->kind == PL_NODE_DECL_STMT &&
         stmt->parent == a->loop->body && !pl_mentions(stmt, a->decl);
}

bool pl_is_plain_local(const pl_apart *a) {
  const pl_decl *decl = a->decl;
  return decl->kind == PL_DECL_VAR && decl->owner == a->loop->func &&
         decl->node && !decl->is_shared && !decl->is_static &&
         !decl->is_volatile && !decl->from_macro && is_plain_type(decl->type) &&
         (!pl_declared_inside(decl, a->loop->body) || is_declared_empty(a)) &&
         !pl_mentions(a->loop->init, decl) && !pl_mentions(a->loop->cond, decl) &&
         !pl_mentions(a->loop->inc, decl) &&
         !pl_has_second_name(a->loop, (pl_decl *)decl);
}

static bool can_be_two(const pl_apart *a) {
  bool always = false;
  return pl_is_plain_local(a) && !pl_may_leave(a->loop) && are_two_uses(a, &always) &&
         (always || pl_declared_inside(a->decl, a->loop->body) ||
          (pl_is_live_behind(a->decl, a->loop->node) == PL_NO &&
           !may_say_more(a)));
}

/* ---- the text ---------------------------------------------------------------------- */

typedef struct name_walk {
  const pl_apart *of;
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

/* (Two tokens that a macro joins are no word of the text.) */
static bool is_named(const pl_node *node, pl_str name) {
  if (node && ((node->decl && pl_str_eq(node->decl->name, name)) ||
               pl_str_eq(node->name, name)))
    return true;
  for (uint32_t i = 0; node && i < node->nkids; i++)
    if (is_named(node->kids[i], name))
      return true;
  return false;
}

/* Whether the function has a word, or a macro is called so or has it in its body. */
static bool is_taken(const pl_loop *loop, pl_str name) {
  const pl_unit *unit = loop->unit;
  const pl_range within = loop->func->range;
  if (is_named(loop->func->body, name))
    return true;
  if (pl_is_word_of_macros(unit, name))
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

static pl_str free_name(const pl_apart *a) {
  pl_str name = pl_arena_printf(a->arena, "%.*s_load", PL_FMT(a->decl->name));
  for (int i = 2; is_taken(a->loop, name); i++)
    name = pl_arena_printf(a->arena, "%.*s_load%d", PL_FMT(a->decl->name), i);
  return name;
}

static pl_str declaration_of(const pl_apart *a, pl_str name) {
  pl_str type = a->decl->type->written;
  return pl_arena_printf(a->arena, "%.*s%s%.*s", PL_FMT(type),
                         type.p[type.n - 1] == '*' ? "" : " ", PL_FMT(name));
}

/* Declares the name by the statement that sets it first or in front of it; a loop
 * may have a pragma there, so that the body's begin is the place. */
static void declare(const pl_apart *a, const pl_stmt *first, pl_str name,
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

/* `w = tx;` behind what the loads do with it: of a variable of their own nobody would
 * know. NULL: they end otherwise. */
static const pl_node *last_setting(const pl_apart *a) {
  const pl_node *last = NULL;
  for (size_t i = 0; i < a->loop->nstmts; i++)
    if (is_of_loads(a, &a->loop->stmts[i]) &&
        pl_mentions(a->loop->stmts[i].node, a->decl))
      last = a->loop->stmts[i].node;
  bool ends = last && pl_value_set(a, last) &&
              a->loop->unit->text.p[last->range.end - 1] == ';';
  return ends ? last : NULL;
}

static bool is_in_statement(const pl_loop *loop, pl_range token) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if (pl_range_inside(token, loop->stmts[i].node->range))
      return true;
  return false;
}

/* How often the loads' text says the name, between its statements as well: a macro that is
 * empty here may say it there in another build, by its arguments or by itself. */
static size_t count_said(const pl_apart *a, pl_range text) {
  const pl_unit *unit = a->loop->unit;
  pl_run run = pl_tokens_in(unit, text);
  size_t n = pl_count_words(unit, text, a->decl->name);
  for (uint32_t i = run.first; i < run.end; i++)
    n += unit->tokens[i].kind == PL_TOK_IDENT && !is_in_statement(a->loop, unit->tokens[i].range) &&
         pl_macro_says(unit, pl_token_text(unit, i), a->decl->name);
  return n;
}

static void rename_loads(const pl_apart *a) {
  name_walk w = {.of = a};
  const pl_stmt *first = NULL;
  const pl_node *ends = last_setting(a);
  pl_range text = {0, 0};
  for (size_t i = 0; i < a->loop->nstmts; i++) {
    const pl_stmt *stmt = &a->loop->stmts[i];
    if (!is_of_loads(a, stmt) || !pl_mentions(stmt->node, a->decl))
      continue;
    if (first && stmt->node == ends)
      continue;
    first = first ? first : stmt;
    pl_node_walk(stmt->node, find_names, &w);
    text = (pl_range){first->node->range.begin, stmt->node->range.end};
  }
  if (w.hidden || !first || count_said(a, text) != w.names.n)
    return;
  pl_str name = free_name(a);
  for (size_t i = 0; i < w.names.n; i++)
    w.names.items[i].text = name;
  declare(a, first, name, &w);
  if (ends && ends != first->node) {
    pl_put(a->arena, a->out, ends->range, PL_STR(""));
  }
  pl_put_all(a->arena, a->out, &w.names);
  a->out->renames = true;
  a->out->renamed = PL_NEW(a->arena, pl_made_name);
  a->out->renamed->made = name;
  a->out->renamed->meant = a->decl->name;
}

void pl_names_apart(pl_loop *loop, pl_arena *arena, pl_replacements *out) {
  const pl_apart a = {loop, loop->serves_both, arena, out};
  const pl_node *body = loop->body;
  bool asked = pl_is_refused_for(loop, "PL4001") ||
               pl_is_refused_for(loop, "PL4006") ||
               pl_is_refused_for(loop, "PL2001") ||
               pl_is_refused_for(loop, "PL6001");
  if (!body || body->kind != PL_NODE_COMPOUND || !body->nkids ||
      body->from_macro || loop->branch || loop->nhead)
    return;
  if (asked && a.decl && can_be_two(&a))
    rename_loads(&a);
  if (!out->n && (asked || pl_is_refused_for(loop, "PL3003")) &&
      !may_say_more(&a))
    pl_say_what_is_held(loop, arena, out);
}
