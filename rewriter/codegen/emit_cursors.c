/* emit_cursors.c - second copies of the recurrences.
 *
 * Needs: the loop's recurrences and which side needs which. Gives: a cursor for
 * the side that lags or leads, its declaration, its alias, its step, and the
 * user's expressions with its name in them. Raises nothing. */
#include "emit.h"

#include "values.h"

#include <string.h>

static const pl_cursor *cursor_of(const pl_emitter *e, const pl_decl *decl) {
  for (size_t i = 0; i < e->ncursors; i++)
    if (e->cursors[i].decl == decl)
      return &e->cursors[i];
  return NULL;
}

bool pl_has_cursor(const pl_emitter *e, const pl_decl *decl) {
  return cursor_of(e, decl) != NULL;
}

static bool named_by(const pl_node *node, const pl_decl *decl) {
  return node && pl_mentions(node, decl);
}

/* Whether the text that looks for a tile names a variable. */
static bool search_names(const pl_loop *loop, const pl_decl *decl) {
  for (size_t i = 0; loop->searches && i < loop->nhead; i++)
    if (loop->head[i].needed && named_by(loop->head[i].node, decl))
      return true;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].always && named_by(loop->stmts[i].node, decl))
      return true;
  return named_by(loop->cond, decl);
}

/* Whether a variable that both sides move is made from `decl`: of those that are made of
 * it, and of these in turn, as `seen` has them, the search for a tile names one. */
static bool makes_seen(const pl_loop *loop, const pl_decl *decl, bool seen[]) {
  for (size_t i = 0; i < loop->nrecurrences; i++) {
    const pl_recurrence *r = &loop->recurrences[i];
    if (seen[i] || !r->derived || r->decl == decl || !pl_mentions(r->step, decl))
      continue;
    seen[i] = true;
    if (search_names(loop, r->decl) || makes_seen(loop, r->decl, seen))
      return true;
  }
  return false;
}

static bool makes_moved(const pl_loop *loop, const pl_decl *decl) {
  return makes_seen(loop, decl, PL_NEW_ARRAY(loop->arena, bool, loop->nrecurrences + 1));
}

/* Whether the compute side steps a variable for itself, where the load side runs ahead of
 * it by any number of tiles. */
static bool is_asked_by_both(const pl_loop *loop, const pl_recurrence *r) {
  return r->compute_needs || r->stmt < 0 || search_names(loop, r->decl) ||
         makes_moved(loop, r->decl);
}

/* ... or one that the same statement steps: `q += a, r += b;`. */
static bool steps_on_both(const pl_loop *loop, const pl_recurrence *r) {
  for (size_t i = 0; i < loop->nrecurrences; i++)
    if (loop->recurrences[i].stmt == r->stmt &&
        is_asked_by_both(loop, &loop->recurrences[i]))
      return true;
  return false;
}

/* Copies of the recurrences that both sides move: for register staging the
 * compute side gets copies, for asynchronous copies the load side does. */
void pl_choose_cursors(pl_emitter *e, bool for_compute) {
  const pl_loop *loop = e->loop;
  for (size_t i = 0; i < loop->nrecurrences; i++) {
    const pl_recurrence *r = &loop->recurrences[i];
    bool both = for_compute ? r->compute_needs : steps_on_both(loop, r);
    if (!both || pl_has_cursor(e, r->decl))
      continue;
    pl_cursor cursor = {.decl = r->decl};
    cursor.name = pl_emit_name(e, for_compute ? "%.*s_tile" : "%.*s_load",
                               r->decl->name);
    PL_PUSH(e->arena, e->cursors, e->ncursors, e->cursors_cap, cursor);
  }
}

/* Whether a variable is named there, ahead of the loop. */
typedef struct named_before {
  const pl_loop *loop;
  const pl_decl *decl;
} named_before;

static bool is_named_before(pl_node *node, const void *context) {
  const named_before *n = context;
  return node->kind == PL_NODE_REF && node->decl == n->decl &&
         !pl_node_within(node, n->loop->node) &&
         (n->loop->nested || node->range.begin < n->loop->node->range.begin);
}

/* Whether nothing that runs ahead of the loop names a variable without an
 * initialiser. */
static bool is_bare_declaration(const pl_loop *loop, const pl_decl *decl) {
  named_before n = {loop, decl};
  return decl->kind == PL_DECL_VAR && !decl->init &&
         !pl_node_find(loop->func->body, is_named_before, &n);
}

/* Whether a copy starts with nothing: both sides set the variable first, as in
 * `bool more; do { ... more = k < n; } while (more);` */
static bool has_no_value(const pl_loop *loop, const pl_decl *decl) {
  const pl_recurrence *r = pl_loop_recurrence(loop, decl);
  bool unset = r && (r->restarts || (loop->asks_last && r->derived &&
                                     is_bare_declaration(loop, decl)));
  return unset && decl->type->kind != PL_TYPE_POINTER;
}

static bool is_plain_int(const pl_decl *decl) {
  return decl && decl->type && !decl->type->in_text && !decl->type->is_const &&
         pl_str_is(decl->type->spelling, "int") && pl_str_is(decl->type->written, "int");
}

/* What a copy is declared with. */
static pl_str copy_type(const pl_decl *decl) {
  const pl_type *type = decl->type;
  bool number = type && (type->kind == PL_TYPE_INT || type->kind == PL_TYPE_FLOAT) &&
                !type->in_text && !decl->from_macro && !type->is_volatile;
  pl_str text = number ? pl_without_const(type->written) : PL_STR("auto");
  return pl_str_has(text, "decltype") ? PL_STR("auto") : text;
}

/* `int t = 0;` */
static bool declares_ints(const pl_emitter *e, const pl_node *init) {
  return init && init->kind == PL_NODE_DECL_STMT && init->nkids &&
         pl_str_starts(pl_text_of(e, init), "int ") && is_plain_int(init->kids[0]->decl);
}

/* Whether a copy is declared with what the header declares, or with others where it
 * declares nothing. */
static bool is_joined(const pl_emitter *e, const pl_decl *decl) {
  return (!e->loop->init || declares_ints(e, e->loop->init)) && is_plain_int(decl) &&
         !has_no_value(e->loop, decl);
}

static bool is_of_function(const pl_decl *decl) {
  return (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM) && decl->owner &&
         !decl->is_static && !decl->is_shared && !decl->is_volatile && decl->type &&
         decl->type->kind != PL_TYPE_REFERENCE;
}

/* Whether an expression is another one where it is evaluated again, ahead of the loop
 * or in its header: it does something, reads memory, or what the loop sets. */
static bool is_once(pl_node *node, const void *loop) {
  switch (node->kind) {
  case PL_NODE_DECL_STMT:
  case PL_NODE_VAR:
  case PL_NODE_INT:
  case PL_NODE_FLOATING:
  case PL_NODE_PAREN:
  case PL_NODE_CAST:
  case PL_NODE_COND:
  case PL_NODE_BINARY:
  case PL_NODE_SIZEOF: return false;
  case PL_NODE_UNARY:
    return node->op != PL_OP_MINUS && node->op != PL_OP_PLUS && node->op != PL_OP_NOT;
  case PL_NODE_MEMBER: return !pl_is_place_index(node);
  case PL_NODE_REF:
    if (node->parent && !is_once(node->parent, loop) &&
        node->parent->kind == PL_NODE_MEMBER)
      return false;
    return !node->decl || (!node->decl->has_value && !is_of_function(node->decl)) ||
           (!pl_node_within(node->decl->node, ((const pl_loop *)loop)->init) &&
            pl_is_set_in(node, ((const pl_loop *)loop)->node));
  default: return true;
  }
}

static bool is_stepped_by_header(const pl_loop *loop, const pl_decl *decl) {
  const pl_recurrence *r = pl_loop_recurrence(loop, decl);
  return r && r->stmt < 0;
}

bool pl_keeps_header(const pl_emitter *e) {
  const pl_loop *loop = e->loop;
  const pl_node *init = loop->init;
  pl_rounds rounds = e->form->schedule->rounds;
  if (rounds == PL_ROUNDS_BUT_LAST || rounds == PL_ROUNDS_OF_ROLES || loop->searches ||
      loop->asks_last || loop->node->kind != PL_NODE_FOR || !init || !loop->inc ||
      init->kind != PL_NODE_DECL_STMT ||
      pl_node_find((pl_node *)init, is_once, loop))
    return false;
  for (uint32_t i = 0; i < init->nkids; i++) {
    const pl_decl *decl = init->kids[i]->decl;
    if (init->kids[i]->kind != PL_NODE_VAR || decl->from_macro || decl->in_parts ||
        !decl->init || !is_stepped_by_header(loop, decl) ||
        !pl_range_inside(decl->name_range, init->range))
      return false;
  }
  return true;
}

static bool is_of_header(const pl_emitter *e, const pl_decl *decl) {
  return decl->node && pl_node_within(decl->node, e->loop->init);
}

/* The copies of what the header declares, as it declares them. */
static bool emit_own_start(pl_emitter *e, int level, pl_str zero) {
  bool joins = declares_ints(e, e->loop->init);
  pl_str init = pl_renamed(e, e->loop->init);
  while (init.n && strchr("; \t\r\n", init.p[init.n - 1]))
    init.n--;
  pl_text line = {.arena = e->arena};
  pl_text_add(&line, init);
  for (size_t i = 0; i < e->ncursors; i++)
    if (!is_of_header(e, e->cursors[i].decl) && is_joined(e, e->cursors[i].decl))
      pl_text_printf(&line, ", %.*s = %.*s", PL_FMT(e->cursors[i].name),
                     PL_FMT(e->cursors[i].decl->name));
  if (joins && zero.n)
    pl_text_printf(&line, ", %.*s = 0", PL_FMT(zero));
  pl_emit_line(e, level, "%.*s;", PL_FMT(pl_text_view(&line)));
  pl_emit_cursor_copies(e, level, joins);
  return joins;
}

bool pl_emit_start(pl_emitter *e, int level, bool copies, pl_str zero) {
  if (pl_keeps_header(e))
    return emit_own_start(e, level, zero);
  bool joins = declares_ints(e, e->loop->init);
  pl_text line = {.arena = e->arena};
  pl_text_add(&line, pl_text_of(e, e->loop->init));
  for (size_t i = 0; copies && i < e->ncursors; i++) {
    if (!is_joined(e, e->cursors[i].decl))
      continue;
    pl_text_printf(&line, "%s%.*s = %.*s", line.n ? ", " : "int ",
                   PL_FMT(e->cursors[i].name), PL_FMT(e->cursors[i].decl->name));
    joins = true;
  }
  if (joins && zero.n)
    pl_text_printf(&line, ", %.*s = 0", PL_FMT(zero));
  if (line.n)
    pl_emit_line(e, level, "%.*s;", PL_FMT(pl_text_view(&line)));
  if (copies)
    pl_emit_cursor_copies(e, level, joins);
  return joins;
}

void pl_emit_cursor_copies(pl_emitter *e, int level, bool started) {
  for (size_t i = 0; i < e->ncursors; i++) {
    const pl_decl *decl = e->cursors[i].decl;
    if ((started && is_joined(e, decl)) || (pl_keeps_header(e) && is_of_header(e, decl)))
      continue;
    if (has_no_value(e->loop, decl))
      pl_emit_line(e, level, "%.*s %.*s;",
                   PL_FMT(decl->type->in_text
                              ? pl_without_const(decl->type->written)
                              : decl->type->spelling),
                   PL_FMT(e->cursors[i].name));
    else
      pl_emit_line(e, level, "%.*s %.*s = %.*s;", PL_FMT(copy_type(decl)),
                   PL_FMT(e->cursors[i].name), PL_FMT(decl->name));
  }
}

void pl_emit_next_cursors(pl_emitter *e, int level) {
  for (size_t i = 0; i < e->ncursors; i++) {
    pl_cursor *cursor = &e->cursors[i];
    cursor->next = pl_emit_name(e, "%.*s_next", cursor->decl->name);
    pl_emit_line(e, level, "%.*s %.*s = %.*s;", PL_FMT(copy_type(cursor->decl)),
                 PL_FMT(cursor->next), PL_FMT(cursor->decl->name));
  }
}

void pl_emit_move_cursors(pl_emitter *e, int level) {
  for (size_t i = 0; i < e->ncursors; i++)
    pl_emit_line(e, level, "%.*s = %.*s;", PL_FMT(e->cursors[i].name),
                 PL_FMT(e->cursors[i].next));
}

/* Whether a side's text names a copy itself. The text that looks for tiles has aliases. */
static bool is_direct(const pl_emitter *e, const pl_cursor *cursor, bool load) {
  return !e->loop->searches && pl_is_direct(e, cursor->decl, load);
}

void pl_emit_cursor_alias(pl_emitter *e, int level, const pl_cursor *cursor,
                          bool load) {
  if (!is_direct(e, cursor, load))
    pl_emit_line(e, level, "auto &%.*s = %.*s;", PL_FMT(cursor->decl->name),
                 PL_FMT(cursor->name));
}

void pl_emit_cursor_aliases(pl_emitter *e, int level) {
  for (size_t i = 0; i < e->ncursors; i++)
    pl_emit_cursor_alias(e, level, &e->cursors[i], true);
}

bool pl_has_cursor_aliases(const pl_emitter *e, bool load) {
  for (size_t i = 0; i < e->ncursors; i++)
    if (!is_direct(e, &e->cursors[i], load))
      return true;
  return false;
}

void pl_name_cursors_since(pl_emitter *e, size_t from, bool load) {
  for (size_t i = 0; i < e->ncursors; i++)
    if (is_direct(e, &e->cursors[i], load))
      pl_name_since(e, from, e->cursors[i].decl, e->cursors[i].name);
}

/* Whether a step in the body moves a variable of which the load side has its
 * own copy, so that the compute side must move its own as well. */
bool pl_steps_cursor(const pl_emitter *e, size_t stmt) {
  for (size_t i = 0; i < e->loop->nrecurrences; i++)
    if (e->loop->recurrences[i].stmt == (int)stmt &&
        cursor_of(e, e->loop->recurrences[i].decl))
      return true;
  return false;
}

/* ---- expressions --------------------------------------------------------- */

typedef struct rename_walk {
  pl_emitter *e;
  pl_range within;
  struct rename_ref {
    pl_range at;
    pl_str to;
  } * refs;
  size_t n, cap;
} rename_walk;

static bool collect_refs(pl_node *node, void *context) {
  rename_walk *w = context;
  if ((node->kind != PL_NODE_REF && node->kind != PL_NODE_VAR) || !node->decl)
    return true;
  const pl_cursor *cursor = cursor_of(w->e, node->decl);
  if (!cursor)
    return true;
  struct rename_ref ref = {
      node->kind == PL_NODE_VAR ? node->decl->name_range : node->range, cursor->name};
  PL_PUSH(w->e->arena, w->refs, w->n, w->cap, ref);
  return true;
}

/* The text of an expression with the cursors' names for the variables. */
pl_str pl_renamed(pl_emitter *e, pl_node *node) {
  rename_walk w = {.e = e, .within = node->range};
  pl_node_walk(node, collect_refs, &w);
  pl_text out = {.arena = e->arena};
  uint32_t at = node->range.begin;
  for (;;) {
    struct rename_ref *next = NULL;
    for (size_t i = 0; i < w.n; i++)
      if (w.refs[i].at.begin >= at &&
          (!next || w.refs[i].at.begin < next->at.begin))
        next = &w.refs[i];
    if (!next)
      break;
    pl_text_add(&out, pl_unit_slice(e->unit,
                                    (pl_range){at, next->at.begin}));
    pl_text_add(&out, next->to);
    at = next->at.end;
  }
  pl_text_add(&out, pl_unit_slice(e->unit, (pl_range){at, node->range.end}));
  return pl_text_view(&out);
}

/* The header's step for the compute side's copies: inside their scope, or by their own
 * names. */
static void emit_step(pl_emitter *e, int level, bool by_own_names) {
  const pl_loop *loop = e->loop;
  for (size_t i = 0; i < loop->nrecurrences; i++) {
    const pl_recurrence *r = &loop->recurrences[i];
    if (r->stmt >= 0 || !cursor_of(e, r->decl))
      continue;
    pl_str text = by_own_names ? pl_renamed(e, r->step) : pl_text_of(e, r->step);
    pl_emit_line(e, level, "%.*s;", PL_FMT(text));
  }
}

void pl_emit_compute_step(pl_emitter *e, int level) { emit_step(e, level, false); }

void pl_emit_own_step(pl_emitter *e, int level) { emit_step(e, level, true); }
