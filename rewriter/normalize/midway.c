/* midway.c - an endless loop that is left between the use of a tile and its refill.
 *
 * Needs: an attempt in which such a loop is refused. Gives: the loop from its exit on,
 * with the first use in front of it. Raises nothing.
 *
 *     for (;;) {                        use(s);
 *         use(s);                       while (base < n) {
 *         if (base >= n)                    barrier;
 *             break;                        s[t] = a[base + t];
 *         barrier;                          barrier;
 *         s[t] = a[base + t];               use(s);
 *         barrier;                      }
 *     }
 *
 * It is the same loop whatever its parts do: what is ahead of the exit stands twice, and
 * is followed by the same question each time. */
#include "cfg.h"
#include "copies.h"
#include "expansions.h"
#include "values.h"

#include <string.h>

typedef struct midway {
  const pl_loop *loop;
  const pl_unit *unit;
  pl_arena *arena;
  const pl_node *body, *cond; /* ... of the exit */
  uint32_t exit;              /* which statement of the body that is */
} midway;

/* In every build: `while (ROUNDS)` may be left by another one's number. */
static bool is_endless(const pl_loop *loop) {
  const pl_node *cond = loop->cond ? pl_node_bare(loop->cond) : NULL;
  return !loop->inc && (cond ? cond->has_ival && !cond->open && cond->ival &&
                                   !pl_build_may_change(loop->unit, cond)
                             : loop->node->kind == PL_NODE_FOR);
}

/* `if (c) break;`, also in braces: c; NULL: it is something else. */
static const pl_node *exit_condition(const pl_node *stmt) {
  if (stmt->kind != PL_NODE_IF || pl_if_has_init(stmt) || stmt->nkids < 2 ||
      (stmt->nkids > 2 && stmt->kids[2]))
    return NULL;
  const pl_node *then = stmt->kids[1];
  if (then && then->kind == PL_NODE_COMPOUND && then->nkids == 1)
    then = then->kids[0];
  return then && then->kind == PL_NODE_BREAK ? stmt->kids[0] : NULL;
}

static bool find_exit(midway *m) {
  for (uint32_t i = 0; i < m->body->nkids; i++) {
    const pl_node *stmt = m->body->kids[i];
    const pl_node *cond = stmt ? exit_condition(stmt) : NULL;
    if (!stmt || stmt->from_macro || (cond && m->cond) ||
        (!cond && pl_cfg_jump_out(stmt, PL_JUMP_ANY)))
      return false;
    if (cond) {
      m->exit = i;
      m->cond = cond;
    }
  }
  return m->cond && !m->cond->from_macro && m->exit && m->exit + 1 < m->body->nkids;
}

static bool is_declared_ahead(pl_node *node, const void *context) {
  const midway *m = context;
  const pl_node *var = node->kind == PL_NODE_REF && node->decl ? node->decl->node : NULL;
  for (uint32_t i = 0; var && i < m->exit; i++)
    if (m->body->kids[i]->kind == PL_NODE_DECL_STMT &&
        pl_node_within(var, m->body->kids[i]))
      return true;
  return false;
}

/* Whether the exit, or what is behind it, names what is declared ahead of it. */
static bool needs_declaration(const midway *m) {
  bool needs = false;
  for (uint32_t i = m->exit; i < m->body->nkids; i++)
    needs = needs || pl_node_find(m->body->kids[i], is_declared_ahead, m);
  return needs;
}

/* Whether what is behind the exit reads shared memory that is filled ahead of it: it
 * would come to use the tile before. */
static bool uses_behind(const midway *m) {
  pl_effects fills = {0}, uses = {0};
  for (uint32_t i = 0; i < m->body->nkids; i++)
    pl_effects_of(m->loop->effects, m->loop->func, m->body->kids[i],
                  i < m->exit ? &fills : &uses);
  for (size_t i = 0; i < fills.n; i++)
    for (size_t k = 0; k < uses.n; k++)
      if (fills.items[i].kind == PL_EFFECT_WRITE &&
          uses.items[k].kind == PL_EFFECT_READ &&
          fills.items[i].space == PL_SPACE_SHARED &&
          uses.items[k].space == PL_SPACE_SHARED &&
          pl_same_shared(fills.items[i].root.decl, uses.items[k].root.decl))
        return true;
  return false;
}

static bool has_condition(const midway *m) {
  pl_run run = pl_tokens_in(m->unit, m->loop->node->range);
  for (uint32_t t = run.first ? run.first - 1 : 0; t < run.end; t++)
    if (m->unit->tokens[t].kind == PL_TOK_DIRECTIVE &&
        (t < run.first || !pl_str_has(pl_token_text(m->unit, t), "pragma")))
      return true;
  return false;
}

static bool can_be_turned(midway *m) {
  const pl_loop *loop = m->loop;
  return loop->body && loop->body->kind == PL_NODE_COMPOUND && is_endless(loop) &&
         !loop->node->from_macro && !loop->body->from_macro && loop->node->parent &&
         loop->node->parent->kind == PL_NODE_COMPOUND && find_exit(m) &&
         !needs_declaration(m) && !uses_behind(m) && !has_condition(m) && !pl_own_storage(loop) &&
         !pl_node_has(m->body, PL_NODE_LABEL) && !pl_node_has(m->body, PL_NODE_LAMBDA);
}

/* ---- text ------------------------------------------------------------------ */

static bool is_int(const pl_node *node) {
  const pl_type *type = node ? pl_no_reference(node->type) : NULL;
  return type && type->kind == PL_TYPE_INT;
}

/* What holds where the loop goes on. */
static pl_str going_on(const midway *m) {
  static const struct {
    pl_op op;
    const char *other;
  } opposites[] = {{PL_OP_LT, ">="}, {PL_OP_GE, "<"},  {PL_OP_GT, "<="},
                   {PL_OP_LE, ">"},  {PL_OP_EQ, "!="}, {PL_OP_NE, "=="}};
  const pl_node *cond = pl_node_bare((pl_node *)m->cond);
  for (size_t i = 0; i < sizeof opposites / sizeof *opposites; i++)
    if (cond->kind == PL_NODE_BINARY && cond->op == opposites[i].op &&
        is_int(cond->kids[0]) && is_int(cond->kids[1]))
      return pl_arena_printf(m->arena, "%.*s %s %.*s",
                             PL_FMT(pl_unit_slice(m->unit, cond->kids[0]->range)),
                             opposites[i].other,
                             PL_FMT(pl_unit_slice(m->unit, cond->kids[1]->range)));
  if (cond->kind == PL_NODE_UNARY && cond->op == PL_OP_LNOT)
    return pl_unit_slice(m->unit, pl_node_bare(cond->kids[0])->range);
  return pl_arena_printf(m->arena, "!(%.*s)",
                         PL_FMT(pl_unit_slice(m->unit, m->cond->range)));
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* From the line behind one place to the end of the line ahead of another. */
static pl_str lines(const midway *m, uint32_t from, uint32_t to) {
  pl_str text = m->unit->text;
  uint32_t at = from;
  while (at < to && is_blank(text.p[at]))
    at++;
  at = at < to && text.p[at] == '\n' ? at + 1 : from;
  while (to > at && (is_blank(text.p[to - 1]) || text.p[to - 1] == '\n'))
    to--;
  return (pl_str){text.p + at, to - at};
}

/* Lines that begin with the blanks of the body, with others in their place. */
static void put_lines(const midway *m, pl_text *out, pl_str text, pl_str indent) {
  pl_str inner = pl_indent_at(m->unit, m->body->kids[0]->range.begin);
  bool begins = true;
  for (size_t i = 0; i < text.n; i++) {
    pl_str rest = {text.p + i, text.n - i};
    bool code = begins && text.p[i] != '\n' && text.p[i] != '#';
    if (code)
      pl_text_add(out, indent);
    if (code && rest.n >= inner.n && !memcmp(rest.p, inner.p, inner.n))
      i += inner.n;
    begins = text.p[i] == '\n';
    pl_text_add(out, (pl_str){text.p + i, 1});
  }
  pl_text_add(out, PL_STR("\n"));
}

static bool declares(const midway *m) {
  for (uint32_t i = 0; i < m->exit; i++)
    if (m->body->kids[i]->kind == PL_NODE_DECL_STMT)
      return true;
  return false;
}

/* What is ahead of the exit. */
static pl_str use_of(const midway *m) {
  return lines(m, m->body->range.begin + 1, m->body->kids[m->exit]->range.begin);
}

static pl_str refill_of(const midway *m) {
  return lines(m, pl_with_line(m->unit, m->body->kids[m->exit]->range).end,
               m->body->range.end - 1);
}

/* What is kept of the loop. */
static pl_str said_once(const midway *m) {
  pl_str init = m->loop->init ? pl_unit_slice(m->unit, m->loop->init->range) : PL_STR("");
  return pl_arena_printf(m->arena, "%.*s\n%.*s\n%.*s\n%.*s\n", PL_FMT(init), PL_FMT(use_of(m)),
                         PL_FMT(going_on(m)), PL_FMT(refill_of(m)));
}

/* Names that are declared stay in a block of their own. */
static pl_str turned_text(const midway *m) {
  const pl_node *init = m->loop->init;
  pl_text out = {.arena = m->arena};
  pl_str outer = pl_indent_at(m->unit, m->loop->node->range.begin);
  pl_str inner = pl_indent_at(m->unit, m->body->kids[0]->range.begin);
  pl_str step = inner.n > outer.n ? (pl_str){inner.p + outer.n, inner.n - outer.n}
                                  : PL_STR("    ");
  pl_str indent = init ? inner : outer;
  pl_str deep = pl_arena_printf(m->arena, "%.*s%.*s", PL_FMT(indent), PL_FMT(step));
  pl_str use = use_of(m), refill = refill_of(m);
  bool block = declares(m);
  if (init)
    pl_text_printf(&out, "{\n%.*s%.*s%s\n", PL_FMT(inner),
                   PL_FMT(pl_unit_slice(m->unit, init->range)),
                   pl_str_has(pl_unit_slice(m->unit, init->range), ";") ? "" : ";");
  if (block)
    pl_text_printf(&out, "%.*s{\n", PL_FMT(init ? indent : PL_STR("")));
  put_lines(m, &out, use, block ? deep : indent);
  if (block)
    pl_text_printf(&out, "%.*s}\n", PL_FMT(indent));
  pl_text_printf(&out, "%.*swhile (%.*s) {\n", PL_FMT(indent), PL_FMT(going_on(m)));
  put_lines(m, &out, refill, deep);
  put_lines(m, &out, use, deep);
  pl_text_printf(&out, "%.*s}", PL_FMT(indent));
  if (init)
    pl_text_printf(&out, "\n%.*s}", PL_FMT(outer));
  pl_str text = pl_text_view(&out);
  size_t there = 0; /* blanks that stand ahead of the loop */
  while (there < outer.n && text.p[there] == outer.p[there])
    there++;
  return (pl_str){text.p + there, text.n - there};
}

void pl_turn_at_exit(pl_loop *loop, pl_arena *arena, pl_replacements *out) {
  midway m = {.loop = loop, .unit = loop->unit, .arena = arena, .body = loop->body};
  if (!pl_is_refused_for(loop, "PL2003") || loop->branch || !can_be_turned(&m))
    return;
  pl_put_saying(arena, out, (pl_replacement){loop->node->range, turned_text(&m)},
                said_once(&m), (pl_range){0, 0});
}
