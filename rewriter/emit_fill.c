/* emit_fill.c - the text that fills a tile, split or made asynchronous.
 *
 * Needs: split (what is staged). The statements that fill tiles are printed
 * anew from their tree: control flow as it stands, each store as its mode wants
 * it, and of everything else what the mode still needs. */
#include "copies.h"
#include "emit.h"

#include <string.h>

static void render(pl_emitter *e, pl_node *node, int level, pl_fill_mode mode,
                   uint32_t after);

/* ---- pieces of text ---------------------------------------------------------- */

static pl_str slice(const pl_emitter *e, uint32_t begin, uint32_t end) {
  return pl_unit_slice(e->unit, (pl_range){begin, end});
}

static pl_str trimmed(pl_str text) {
  while (text.n && strchr("; \t\r\n", text.p[text.n - 1]))
    text.n--;
  while (text.n && strchr(" \t\r\n", text.p[0])) {
    text.p++;
    text.n--;
  }
  return text;
}

/* The two sides of a store, by the place of its operator, so that macros in
 * either keep their spelling. */
static pl_str left_text(const pl_emitter *e, const pl_copy *copy) {
  return trimmed(slice(e, copy->store->range.begin,
                       copy->last->op_range.begin));
}

static pl_str right_text(const pl_emitter *e, const pl_copy *copy) {
  return trimmed(slice(e, copy->last->op_range.end, copy->store->range.end));
}

static pl_str node_text(const pl_emitter *e, const pl_node *node) {
  return trimmed(pl_unit_slice(e->unit, node->range));
}

/* The text between the parentheses that follow a keyword. */
static pl_str header_text(const pl_emitter *e, const pl_node *node) {
  int depth = 0;
  uint32_t begin = 0;
  for (uint32_t i = 0; i < e->unit->ntokens; i++) {
    const pl_token *token = &e->unit->tokens[i];
    if (token->range.begin < node->range.begin ||
        token->kind != PL_TOK_PUNCT)
      continue;
    char c = e->unit->text.p[token->range.begin];
    if (c == '(' && depth++ == 0)
      begin = token->range.end;
    if (c == ')' && --depth == 0)
      return slice(e, begin, token->range.begin);
  }
  return PL_STR("");
}

static void emit_statement(pl_emitter *e, int level, pl_str text,
                           const pl_node *from) {
  pl_str indent = pl_emit_indent_of(e->unit, from->range.begin);
  pl_emit_moved(e, level, text, indent.n);
}

static bool line_break_between(const pl_emitter *e, uint32_t a, uint32_t b) {
  return a < b && memchr(e->unit->text.p + a, '\n', b - a) != NULL;
}

/* Comments and pragmas in front of a statement, from the end of what is before
 * it; those that end the line before belong there. */
static void emit_leading(pl_emitter *e, int level, uint32_t after,
                         const pl_node *node, bool pragmas) {
  for (uint32_t i = 0; i < e->unit->ntokens; i++) {
    const pl_token *token = &e->unit->tokens[i];
    if (token->range.begin < after)
      continue;
    if (token->range.begin >= node->range.begin)
      break;
    bool wanted = token->kind == PL_TOK_COMMENT ||
                  (pragmas && token->kind == PL_TOK_DIRECTIVE);
    if (!wanted || !line_break_between(e, after, token->range.begin))
      continue;
    pl_str text = trimmed(pl_unit_slice(e->unit, token->range));
    pl_emit_moved(e, level, text,
                  pl_emit_indent_of(e->unit, token->range.begin).n);
  }
}

/* The comment that ends a statement's line, with the blank before it. */
static pl_str trailing_comment(const pl_emitter *e, const pl_node *node) {
  for (uint32_t i = 0; i < e->unit->ntokens; i++) {
    const pl_token *token = &e->unit->tokens[i];
    if (token->range.begin < node->range.end)
      continue;
    if (token->kind != PL_TOK_COMMENT ||
        line_break_between(e, node->range.end, token->range.begin))
      break;
    return pl_arena_printf(e->arena, "  %.*s",
                           PL_FMT(trimmed(pl_unit_slice(e->unit,
                                                        token->range))));
  }
  return PL_STR("");
}

/* ---- registers ------------------------------------------------------------------ */

static pl_str register_name(pl_emitter *e, const pl_node *of, pl_str base) {
  for (size_t i = 0; i < e->nregisters; i++)
    if (e->registers[i].of == of)
      return e->registers[i].name;
  pl_register fresh = {of, pl_emit_name(e, "%.*s_next", base)};
  PL_PUSH(e->arena, e->registers, e->nregisters, e->registers_cap, fresh);
  return fresh.name;
}

/* The counter of an unrolled copy loop: one name for each depth, as the user
 * would have `i` and `j`. */
static pl_str slot_name(pl_emitter *e, const pl_node *loop) {
  size_t depth = 0;
  for (const pl_node *up = loop->parent; up; up = up->parent) {
    const pl_copy_loop *c = pl_fill_loop(&e->loop->fill, up);
    depth += c && c->var && !c->constant;
  }
  while (depth >= e->nslots) {
    pl_str name = pl_emit_name(e, "slot", PL_STR(""));
    PL_PUSH(e->arena, e->slots, e->nslots, e->slots_cap, name);
  }
  return e->slots[depth];
}

/* A name, a number, or a part of a name: `blockDim.x`. */
static bool is_simple(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  if (node->kind == PL_NODE_MEMBER && !node->from_macro && node->nkids)
    node = pl_node_bare(node->kids[0]);
  return node->kind == PL_NODE_REF || node->kind == PL_NODE_INT;
}

static pl_str grouped(pl_emitter *e, const pl_node *node) {
  pl_str text = node_text(e, node);
  if (is_simple(node) || node->kind == PL_NODE_PAREN)
    return text;
  return pl_arena_printf(e->arena, "(%.*s)", PL_FMT(text));
}

/* As the left operand of a sum: `tid >> 2` needs parentheses there. */
static pl_str summand(pl_emitter *e, const pl_node *node) {
  const pl_node *bare = pl_node_bare((pl_node *)node);
  bool loose = bare->kind == PL_NODE_COND ||
               (bare->kind == PL_NODE_REF && bare->from_macro) ||
               (bare->kind == PL_NODE_BINARY && bare->op != PL_OP_ADD &&
                bare->op != PL_OP_SUB && bare->op != PL_OP_MUL &&
                bare->op != PL_OP_DIV && bare->op != PL_OP_REM);
  return loose ? grouped(e, node) : node_text(e, node);
}

static bool starts_at_zero(const pl_copy_loop *c) {
  const pl_node *start = pl_node_bare(c->start);
  return start->has_ival && start->ival == 0;
}

/* How many iterations, as a constant expression of the user's own names. */
static pl_str count_text(pl_emitter *e, const pl_copy_loop *c) {
  bool symbolic = pl_has_symbolic_count(c);
  if (!symbolic)
    return pl_arena_printf(e->arena, "%lld", (long long)c->count);
  if (!c->step)
    return node_text(e, c->bound);
  if (c->ahead)
    return pl_arena_printf(e->arena, "%.*s / %.*s", PL_FMT(grouped(e, c->bound)),
                           PL_FMT(grouped(e, c->step)));
  pl_str bound = grouped(e, c->bound), step = grouped(e, c->step);
  return pl_arena_printf(e->arena, "(%.*s + %.*s - 1) / %.*s", PL_FMT(bound),
                         PL_FMT(step), PL_FMT(step));
}

static pl_str slot_index(pl_emitter *e, const pl_copy_loop *c) {
  if (!c->constant)
    return slot_name(e, c->node);
  pl_str name = c->var->name;
  if (!starts_at_zero(c))
    name = pl_arena_printf(e->arena, "(%.*s - %.*s)", PL_FMT(name),
                           PL_FMT(grouped(e, c->start)));
  if (!c->step)
    return name;
  return pl_arena_printf(e->arena, "%.*s / %.*s", PL_FMT(name),
                         PL_FMT(grouped(e, c->step)));
}

/* "[a][b]" for the copy loops around a node, outermost first: their counts, or
 * their current slots. */
static pl_str brackets(pl_emitter *e, const pl_node *node, bool counts) {
  pl_str text = {0};
  for (const pl_node *up = node->parent; up; up = up->parent) {
    const pl_copy_loop *c = pl_fill_loop(&e->loop->fill, up);
    if (!c)
      continue;
    pl_str one = counts ? count_text(e, c) : slot_index(e, c);
    text = pl_arena_printf(e->arena, "[%.*s]%.*s", PL_FMT(one), PL_FMT(text));
  }
  return text;
}

static pl_str plain_type(pl_emitter *e, const pl_type *type) {
  pl_str text = type->written;
  if (pl_str_starts(text, "const "))
    text = (pl_str){text.p + 6, text.n - 6};
  while (text.n && (text.p[text.n - 1] == '&' || text.p[text.n - 1] == ' '))
    text.n--;
  (void)e;
  return text;
}

/* ---- guards that choose between two values for one cell ------------------------------ */

/* The one copy that a branch consists of, NULL: it is more. */
static const pl_copy *only_copy(const pl_emitter *e, const pl_node *node) {
  while (node && node->kind == PL_NODE_COMPOUND && node->nkids == 1)
    node = node->kids[0];
  return node ? pl_fill_copy(&e->loop->fill, node) : NULL;
}

/* `if (c) As[i] = A[j]; else As[i] = 0;` needs the guard for the fetch only. */
static bool chooses_value(const pl_emitter *e, const pl_node *node) {
  if (node->kind != PL_NODE_IF || node->nkids < 3 || !node->kids[2])
    return false;
  const pl_copy *yes = only_copy(e, node->kids[1]);
  const pl_copy *no = only_copy(e, node->kids[2]);
  return yes && no && yes->last == yes->store && no->last == no->store &&
         pl_same_text(e->unit, yes->dst, no->dst) &&
         yes->staging != PL_STAGE_LEAVES && no->staging != PL_STAGE_LEAVES &&
         (yes->staging == PL_STAGE_VALUE || no->staging == PL_STAGE_VALUE);
}

static const pl_node *choosing_if(const pl_emitter *e, const pl_node *store) {
  const pl_node *up = store->parent;
  while (up && up->kind == PL_NODE_COMPOUND && up->nkids == 1)
    up = up->parent;
  return up && chooses_value(e, up) ? up : NULL;
}

/* The node that names the register of a copy. */
static const pl_node *register_key(const pl_emitter *e, const pl_copy *copy) {
  const pl_node *up = choosing_if(e, copy->store);
  return up ? up : copy->store;
}

static bool is_staged_value(const pl_emitter *e, const pl_copy *copy) {
  return copy->staging == PL_STAGE_VALUE || choosing_if(e, copy->store);
}

/* The name of what an lvalue indexes: of the array that is a member of the
 * tile or of a name for it, `tiles.a[i][j]`, of a pointer into the tile, or of
 * the tile. */
static pl_str part_name(const pl_node *node, const pl_decl *tile) {
  node = pl_node_bare((pl_node *)node);
  while (node->kind == PL_NODE_SUBSCRIPT ||
         (node->kind == PL_NODE_UNARY && node->op == PL_OP_ADDR))
    node = pl_node_bare(node->kids[0]);
  const pl_node *base =
      node->kind == PL_NODE_MEMBER ? pl_node_bare(node->kids[0]) : NULL;
  if (node->kind == PL_NODE_REF && node->decl &&
      node->decl->kind == PL_DECL_VAR && !node->decl->is_shared)
    return node->decl->name;
  bool member = base && base->kind == PL_NODE_REF && node->type &&
                node->type->kind == PL_TYPE_ARRAY;
  return member ? node->name : tile->name;
}

static pl_str copy_base(const pl_copy *copy) {
  return part_name(copy->dst, copy->tile->decl);
}

static pl_str copy_register(pl_emitter *e, const pl_copy *copy) {
  return pl_arena_printf(
      e->arena, "%s%.*s%.*s", e->register_prefix,
      PL_FMT(register_name(e, register_key(e, copy), copy_base(copy))),
      PL_FMT(brackets(e, copy->store, false)));
}

/* ---- what a mode needs ------------------------------------------------------------------ */

static bool is_staged_local(const pl_emitter *e, const pl_node *var) {
  for (size_t i = 0; i < e->loop->fill.nstaged; i++)
    if (e->loop->fill.staged[i] == var)
      return true;
  return false;
}

static bool is_wanted(const pl_emitter *e, const pl_decl *decl) {
  for (size_t i = 0; i < e->nwanted; i++)
    if (e->wanted[i] == decl)
      return true;
  return false;
}

static bool want(pl_node *node, void *context) {
  pl_emitter *e = context;
  if (node->kind == PL_NODE_REF && node->decl && !is_wanted(e, node->decl))
    PL_PUSH(e->arena, e->wanted, e->nwanted, e->wanted_cap, node->decl);
  return true;
}

/* Whether a plain statement sets something that this mode still needs; the
 * fetch (or the asynchronous copy) also keeps what outlives the fill. */
static bool writes_wanted(pl_emitter *e, pl_node *node, pl_fill_mode mode) {
  pl_effects effects = {0};
  pl_effects_of(e->loop->effects, e->loop->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    if (effect->kind != PL_EFFECT_WRITE)
      continue;
    bool nested = pl_is_nested(&e->loop->fill, effect->root.decl);
    if (nested ? is_wanted(e, effect->root.decl) : mode != PL_FILL_STORE)
      return true;
  }
  return false;
}

/* The value that an asynchronous copy copies: through the local between, if
 * there is one. */
static pl_node *async_source(const pl_copy *copy) {
  return copy->via ? copy->via->kids[0] : copy->src;
}

static void want_of_copy(pl_emitter *e, const pl_copy *copy,
                         pl_fill_mode mode) {
  bool value = is_staged_value(e, copy);
  for (pl_node *at = copy->store; mode != PL_FILL_FETCH; at = at->kids[1]) {
    pl_node_walk(at->kids[0], want, e);
    if (at == copy->last)
      break;
  }
  if (mode == PL_FILL_ASYNC)
    pl_node_walk(copy->load ? async_source(copy) : copy->src, want, e);
  else if (value ? mode == PL_FILL_FETCH : mode == PL_FILL_STORE)
    pl_node_walk(copy->src, want, e);
  for (size_t i = 0; mode == PL_FILL_FETCH && !value &&
                     copy->staging == PL_STAGE_LEAVES && i < copy->nleaves;
       i++)
    pl_node_walk(copy->leaves[i], want, e);
}

/* Whether a statement jumps, within the loop around it that is printed. */
static bool has_jump(const pl_node *node) {
  return pl_inner_jump(node, PL_NODE_BREAK) ||
         pl_inner_jump(node, PL_NODE_CONTINUE);
}

/* Whether a loop's header sets something that outlives the loop. */
static bool steps_wanted(pl_emitter *e, pl_node *inc, pl_fill_mode mode) {
  const pl_node *up = inc ? inc->parent : NULL;
  pl_effects effects = {0};
  pl_effects_of(e->loop->effects, e->loop->func, inc, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_decl *decl = effects.items[i].root.decl;
    if (effects.items[i].kind == PL_EFFECT_WRITE && decl && decl->node && up &&
        !pl_node_within(decl->node, up) &&
        pl_is_nested(&e->loop->fill, decl) && is_wanted(e, decl))
      return true;
  }
  (void)mode;
  return false;
}

static bool has_content(pl_emitter *e, pl_node *node, pl_fill_mode mode) {
  if (!node)
    return false;
  if (pl_fill_call_at(&e->loop->fill, node))
    return true;
  const pl_copy *copy = pl_fill_copy(&e->loop->fill, node);
  if (copy)
    return mode != PL_FILL_FETCH || is_staged_value(e, copy) ||
           copy->staging != PL_STAGE_NOTHING;
  switch (node->kind) {
  case PL_NODE_COMPOUND:
    for (uint32_t i = 0; i < node->nkids; i++)
      if (has_content(e, node->kids[i], mode))
        return true;
    return false;
  case PL_NODE_IF:
    return has_content(e, node->kids[1], mode) ||
           (node->nkids > 2 && has_content(e, node->kids[2], mode));
  case PL_NODE_FOR:
    return has_content(e, node->kids[3], mode) ||
           steps_wanted(e, node->kids[2], mode);
  case PL_NODE_WHILE:
  case PL_NODE_DO:
    return has_content(e, pl_inner_body(node), mode);
  case PL_NODE_BREAK:
  case PL_NODE_CONTINUE:
    return false;
  case PL_NODE_DECL_STMT:
    if (mode == PL_FILL_FETCH)
      for (uint32_t i = 0; i < node->nkids; i++)
        if (is_staged_local(e, node->kids[i]))
          return true;
    return false;
  default:
    return writes_wanted(e, node, mode);
  }
}

static void want_of_declaration(pl_emitter *e, pl_node *node,
                                pl_fill_mode mode) {
  for (uint32_t i = 0; i < node->nkids; i++) {
    pl_node *var = node->kids[i];
    if (var->kind != PL_NODE_VAR)
      continue;
    if (is_staged_local(e, var) ? mode == PL_FILL_FETCH ||
                                      (mode == PL_FILL_ASYNC &&
                                       is_wanted(e, var->decl))
                                : is_wanted(e, var->decl))
      pl_node_walk(var, want, e);
  }
}

typedef struct remainder_walk {
  pl_emitter *e;
  const pl_node *loop;
} remainder_walk;

static bool want_from_outside(pl_node *node, void *context) {
  remainder_walk *w = context;
  bool own = node->decl && node->decl->node &&
             pl_node_within(node->decl->node, w->loop);
  if (!own)
    want(node, w->e);
  return true;
}

/* The user's own loop, which takes what the unrolled one leaves, declares its
 * own locals. */
static void want_of_remainder(pl_emitter *e, pl_node *loop) {
  remainder_walk w = {e, loop};
  pl_node_walk(loop, want_from_outside, &w);
}

static bool *unused_parameters(pl_emitter *e, const pl_fill_call *call,
                               pl_fill_mode mode);

/* A clone's call names the arguments that it takes. */
static void want_of_call(pl_emitter *e, const pl_fill_call *call,
                         pl_fill_mode mode) {
  bool *drops =
      mode == PL_FILL_ASYNC ? NULL : unused_parameters(e, call, mode);
  for (uint32_t i = 0; i < call->node->nkids; i++)
    if (!i || !drops || !drops[i - 1])
      pl_node_walk(call->node->kids[i], want, e);
}

/* Adds what the text that a mode prints below `node` names. */
static void want_below(pl_emitter *e, pl_node *node, pl_fill_mode mode) {
  if (!node)
    return;
  const pl_copy *copy = pl_fill_copy(&e->loop->fill, node);
  if (copy) {
    want_of_copy(e, copy, mode);
    return;
  }
  const pl_fill_call *call = pl_fill_call_at(&e->loop->fill, node);
  if (call) {
    want_of_call(e, call, mode);
    return;
  }
  if (node->kind == PL_NODE_DECL_STMT) {
    want_of_declaration(e, node, mode);
    return;
  }
  if (node->kind != PL_NODE_COMPOUND && !has_content(e, node, mode) &&
      !has_jump(node))
    return;
  const pl_copy_loop *c = pl_fill_loop(&e->loop->fill, node);
  if (mode == PL_FILL_STORE && c && c->var && c->assumed)
    want_of_remainder(e, node);
  if (mode == PL_FILL_STORE && chooses_value(e, node)) {
    want_of_copy(e, only_copy(e, node->kids[1]), mode);
    return;
  }
  for (uint32_t i = 0; i < node->nkids; i++) {
    bool below = node->kind == PL_NODE_COMPOUND ||
                 (node->kind == PL_NODE_IF && i > 0) ||
                 (node->kids[i] && node->kids[i] == pl_inner_body(node));
    if (below)
      want_below(e, node->kids[i], mode);
    else
      pl_node_walk(node->kids[i], want, e);
  }
}

/* The names that a mode's text needs, to a fixed point. */
static void find_wanted(pl_emitter *e, pl_fill_mode mode) {
  size_t before;
  e->nwanted = 0;
  do {
    before = e->nwanted;
    for (size_t i = 0; i < e->loop->nstmts; i++) {
      const pl_stmt *stmt = &e->loop->stmts[i];
      if (stmt->fills || stmt->restarts)
        want_below(e, stmt->node, mode);
      else if (stmt->in_load && !stmt->is_advance &&
               (mode == PL_FILL_ASYNC ||
                (mode == PL_FILL_STORE) == stmt->names_tile))
        pl_node_walk(stmt->node, want, e);
    }
  } while (e->nwanted > before);
}

/* ---- stores -------------------------------------------------------------------------------- */

static pl_str with_leaves(pl_emitter *e, const pl_copy *copy) {
  pl_text out = {.arena = e->arena};
  uint32_t at = copy->last->op_range.end, end = copy->store->range.end;
  for (;;) {
    const pl_node *next = NULL;
    for (size_t i = 0; i < copy->nleaves; i++)
      if (copy->leaves[i]->range.begin >= at &&
          (!next || copy->leaves[i]->range.begin < next->range.begin))
        next = copy->leaves[i];
    if (!next)
      break;
    pl_text_add(&out, slice(e, at, next->range.begin));
    pl_str name = register_name(e, next, copy_base(copy));
    pl_str index = brackets(e, copy->store, false);
    pl_text_printf(&out, "%s%.*s%.*s", e->register_prefix, PL_FMT(name),
                   PL_FMT(index));
    at = next->range.end;
  }
  pl_text_add(&out, slice(e, at, end));
  return trimmed(pl_text_view(&out));
}

static bool is_at_top(const pl_emitter *e, const pl_node *node) {
  for (size_t i = 0; i < e->loop->nstmts; i++)
    if (e->loop->stmts[i].node == node)
      return true;
  return false;
}

/* A guarded value narrower than a register is fetched by a branch, in its own
 * type: as a conditional expression it is widened first, which waits for the
 * load. */
static bool fetches_by_branch(const pl_copy *copy) {
  const pl_node *src = pl_node_bare(copy->src);
  return src->kind == PL_NODE_COND && src->op_range.end && copy->load &&
         !copy->via && copy->bytes > 0 && copy->bytes < 4;
}

static void render_branch(pl_emitter *e, const pl_copy *copy, int level) {
  const pl_node *src = pl_node_bare(copy->src);
  pl_str name = copy_register(e, copy);
  bool first = pl_node_bare(src->kids[1]) == copy->load;
  const pl_node *fill = src->kids[first ? 2 : 1];
  pl_str cond = node_text(e, src->kids[0]);
  if (!first)
    cond = pl_arena_printf(e->arena, "!(%.*s)", PL_FMT(cond));
  pl_emit_line(e, level, "%.*s = %.*s;", PL_FMT(name),
               PL_FMT(node_text(e, fill)));
  pl_emit_open(e, level, "if (%.*s)", PL_FMT(cond));
  pl_emit_line(e, level + 1, "%.*s = %.*s;", PL_FMT(name),
               PL_FMT(node_text(e, copy->load)));
  pl_emit_line(e, level, "}");
}

static void render_fetch(pl_emitter *e, const pl_copy *copy, int level) {
  if (fetches_by_branch(copy) && is_staged_value(e, copy)) {
    if (is_at_top(e, copy->store))
      pl_emit_line(e, level, "%.*s %.*s;", PL_FMT(plain_type(e, copy->type)),
                   PL_FMT(copy_register(e, copy)));
    render_branch(e, copy, level);
    return;
  }
  bool declare = is_at_top(e, copy->store);
  pl_str comment = trailing_comment(e, copy->store);
  if (is_staged_value(e, copy)) {
    pl_str type = declare ? plain_type(e, copy->type) : PL_STR("");
    emit_statement(e, level,
                   pl_arena_printf(e->arena, "%.*s%s%.*s = %.*s;%.*s",
                                   PL_FMT(type), declare ? " " : "",
                                   PL_FMT(copy_register(e, copy)),
                                   PL_FMT(right_text(e, copy)),
                                   PL_FMT(comment)),
                   copy->store);
    return;
  }
  for (size_t i = 0; copy->staging == PL_STAGE_LEAVES && i < copy->nleaves;
       i++) {
    const pl_node *leaf = copy->leaves[i];
    pl_str type = declare ? plain_type(e, leaf->type) : PL_STR("");
    emit_statement(
        e, level,
        pl_arena_printf(e->arena, "%.*s%s%s%.*s%.*s = %.*s;%.*s", PL_FMT(type),
                        declare ? " " : "", e->register_prefix,
                        PL_FMT(register_name(e, leaf, copy_base(copy))),
                        PL_FMT(brackets(e, copy->store, false)),
                        PL_FMT(node_text(e, leaf)), PL_FMT(comment)),
        copy->store);
  }
}

static void render_store(pl_emitter *e, const pl_copy *copy, int level) {
  pl_str value = is_staged_value(e, copy) ? copy_register(e, copy)
                 : copy->staging == PL_STAGE_LEAVES ? with_leaves(e, copy)
                                                    : right_text(e, copy);
  emit_statement(e, level,
                 pl_arena_printf(e->arena, "%.*s = %.*s;",
                                 PL_FMT(left_text(e, copy)), PL_FMT(value)),
                 copy->store);
}

/* `&A[i]` of `A[i]`, `p` of `*p`. */
static pl_str address_of(pl_emitter *e, pl_str lvalue) {
  if (pl_str_starts(lvalue, "*"))
    return trimmed((pl_str){lvalue.p + 1, lvalue.n - 1});
  return pl_arena_printf(e->arena, "&%.*s", PL_FMT(lvalue));
}

/* The address of a load: `&A[i]`, or what __ldg was given. */
static pl_str address_text(pl_emitter *e, pl_node *load) {
  load = pl_node_bare(load);
  if (load->kind == PL_NODE_CALL && load->nkids > 1)
    return node_text(e, load->kids[1]);
  return address_of(e, node_text(e, load));
}

static pl_str async_text(pl_emitter *e, const pl_copy *copy, pl_node *load) {
  return pl_arena_printf(
      e->arena, "__pipeline_memcpy_async(%.*s, %.*s, sizeof(%.*s));%.*s",
      PL_FMT(address_of(e, left_text(e, copy))), PL_FMT(address_text(e, load)),
      PL_FMT(plain_type(e, copy->type)),
      PL_FMT(trailing_comment(e, copy->store)));
}

static void render_async_arm(pl_emitter *e, const pl_copy *copy, pl_node *arm,
                             int level) {
  arm = pl_node_bare(arm);
  pl_str text =
      arm == copy->load
          ? async_text(e, copy, arm)
          : pl_arena_printf(e->arena, "%.*s = %.*s;",
                            PL_FMT(left_text(e, copy)),
                            PL_FMT(node_text(e, arm)));
  emit_statement(e, level, text, copy->store);
}

static void render_async(pl_emitter *e, const pl_copy *copy, int level) {
  if (!copy->load) {
    emit_statement(e, level, pl_unit_slice(e->unit, copy->store->range),
                   copy->store);
    return;
  }
  pl_node *source = pl_node_bare(async_source(copy));
  if (source->kind != PL_NODE_COND) {
    emit_statement(e, level, async_text(e, copy, copy->load), copy->store);
    return;
  }
  pl_emit_open(e, level, "if (%.*s)", PL_FMT(node_text(e, source->kids[0])));
  render_async_arm(e, copy, source->kids[1], level + 1);
  if (e->brace_own_line) {
    pl_emit_line(e, level, "}");
    pl_emit_open(e, level, "else");
  } else {
    pl_emit_line(e, level, "} else {");
  }
  render_async_arm(e, copy, source->kids[2], level + 1);
  pl_emit_line(e, level, "}");
}

/* ---- load helpers ---------------------------------------------------------------- */

static bool is_operator(const pl_func *func) {
  return pl_str_is(func->name, "operator()");
}

static bool names_word(const pl_emitter *e, pl_range range, pl_str word) {
  for (uint32_t i = 0; i < e->unit->ntokens; i++)
    if (pl_range_inside(e->unit->tokens[i].range, range) &&
        pl_str_eq(pl_unit_slice(e->unit, e->unit->tokens[i].range), word))
      return true;
  return false;
}

/* Whether a parameter may have to tell a function template an argument that no
 * parameter in use tells. */
static bool tells_template_argument(const pl_emitter *e, const pl_func *func,
                                    const pl_decl *param) {
  for (uint32_t k = 0; func->is_template && k < func->ntemplate_params; k++) {
    pl_str name = func->template_params[k]->name;
    bool told = !names_word(e, param->range, name);
    for (uint32_t i = 0; !told && i < func->nparams; i++)
      told = is_wanted(e, func->params[i]) &&
             names_word(e, func->params[i]->range, name);
    if (!told)
      return true;
  }
  return false;
}

/* Whether another function of the name is told apart by its parameters. */
static bool is_overloaded(const pl_emitter *e, const pl_func *func) {
  for (uint32_t i = 0; i < e->unit->nfuncs; i++)
    if (e->unit->funcs[i] != func &&
        pl_str_eq(e->unit->funcs[i]->qualified, func->qualified))
      return true;
  return false;
}

/* The parameters that a mode's text does not need. */
static bool *unused_parameters(pl_emitter *e, const pl_fill_call *call,
                               pl_fill_mode mode) {
  const pl_func *func = call->body->func;
  bool *drops = PL_NEW_ARRAY(e->arena, bool, func->nparams + 1);
  if (is_overloaded(e, func))
    return drops;
  pl_emitter inner = *e;
  inner.loop = call->body;
  inner.wanted = NULL;
  inner.nwanted = inner.wanted_cap = 0;
  find_wanted(&inner, mode);
  for (uint32_t i = 0; i < func->nparams; i++)
    drops[i] = func->params[i]->range.end && !func->params[i]->from_macro &&
               !is_wanted(&inner, func->params[i]) &&
               !tells_template_argument(&inner, func, func->params[i]);
  return drops;
}

static struct pl_clone *known_clone(pl_emitter *e, const pl_func *func) {
  for (size_t i = 0; i < e->nclones; i++)
    if (e->clones[i].func == func)
      return &e->clones[i];
  return NULL;
}

/* Functions of one name have clones of one name: they are told apart as the
 * functions are. */
static void name_clone(pl_emitter *e, struct pl_clone *clone) {
  const pl_func *func = clone->func;
  pl_str base = is_operator(func) ? PL_STR("load") : func->name;
  clone->registers_name = pl_emit_name(e, "%.*s_registers", base);
  for (size_t i = 0; i < e->nclones; i++) {
    if (!pl_str_eq(e->clones[i].func->name, func->name))
      continue;
    clone->fetch_name = e->clones[i].fetch_name;
    clone->store_name = e->clones[i].store_name;
    clone->async_name = e->clones[i].async_name;
    return;
  }
  clone->fetch_name = pl_emit_name(e, "%.*s_fetch", base);
  clone->store_name = pl_emit_name(e, "%.*s_store", base);
  clone->async_name = pl_emit_name(e, "%.*s_async", base);
}

/* The clones of a load helper, and of those that it calls: what these load has
 * a type with a name, as a part of what it loads itself. */
static void need_clone(pl_emitter *e, const pl_fill_call *call, bool async,
                       bool named) {
  if (!known_clone(e, call->body->func)) {
    struct pl_clone fresh = {.func = call->body->func, .body = call->body};
    name_clone(e, &fresh);
    fresh.fetch_drops = unused_parameters(e, call, PL_FILL_FETCH);
    fresh.store_drops = unused_parameters(e, call, PL_FILL_STORE);
    PL_PUSH(e->arena, e->clones, e->nclones, e->clones_cap, fresh);
  }
  struct pl_clone *clone = known_clone(e, call->body->func);
  clone->async = clone->async || async;
  clone->staged = clone->staged || !async;
  clone->named = clone->named || named;
  for (size_t i = 0; i < call->body->fill.ncalls; i++)
    need_clone(e, &call->body->fill.calls[i], async, true);
}

static bool token_is(const pl_emitter *e, uint32_t i, const char *text) {
  return pl_str_is(pl_unit_slice(e->unit, e->unit->tokens[i].range), text);
}

/* The token that opens a call's arguments: it matches the last one. */
static uint32_t arguments_open(const pl_emitter *e, const pl_node *call) {
  int depth = 0;
  uint32_t i = e->unit->ntokens;
  while (i > 0 && e->unit->tokens[i - 1].range.end > call->range.end)
    i--;
  for (; i-- > 0 && e->unit->tokens[i].range.begin >= call->range.begin;) {
    depth += token_is(e, i, ")") ? 1 : token_is(e, i, "(") ? -1 : 0;
    if (depth == 0 && token_is(e, i, "("))
      return i;
  }
  return 0;
}

/* The first of the template arguments that end before token `i`, `i` itself
 * where there are none. */
static uint32_t before_template_arguments(const pl_emitter *e, uint32_t i) {
  int angles = 0, parens = 0;
  for (uint32_t k = i; k-- > 0;) {
    parens += token_is(e, k, ")") ? 1 : token_is(e, k, "(") ? -1 : 0;
    if (parens)
      continue;
    angles += token_is(e, k, ">") ? 1 : token_is(e, k, ">>") ? 2 : 0;
    angles -= token_is(e, k, "<") ? 1 : 0;
    if (angles <= 0)
      return angles == 0 && token_is(e, k, "<") ? k : i;
  }
  return i;
}

/* The callee's own name in a call, `ns::|load|<8>(...)`; empty, and where the
 * arguments begin, for an object that is called itself. */
static pl_range callee_name(const pl_emitter *e, const pl_node *call,
                            const pl_func *func) {
  uint32_t open = arguments_open(e, call);
  uint32_t at = e->unit->tokens[open].range.begin;
  if (is_operator(func))
    return (pl_range){at, at};
  return e->unit->tokens[before_template_arguments(e, open) - 1].range;
}

/* Whether `using SCOPE::NAME;` brings a name into sight: its clones are not. */
static bool is_brought_by_using(const pl_emitter *e, pl_str name) {
  bool using = false;
  for (uint32_t i = 0; i + 1 < e->unit->ntokens; i++) {
    if (token_is(e, i, ";") || token_is(e, i, "{") || token_is(e, i, "="))
      using = false;
    using = using || token_is(e, i, "using");
    if (using && i && token_is(e, i - 1, "::") && token_is(e, i + 1, ";") &&
        pl_str_eq(pl_unit_slice(e->unit, e->unit->tokens[i].range), name))
      return true;
  }
  return false;
}

/* What goes in front of a clone's name: the dot of a call of an object itself,
 * the scope of a name that a using-declaration shortens. */
static pl_str callee_scope(pl_emitter *e, const pl_node *call, pl_range name,
                           const pl_func *func) {
  if (is_operator(func))
    return PL_STR(".");
  if (name.begin != call->range.begin ||
      func->qualified.n <= func->name.n || !is_brought_by_using(e, func->name))
    return PL_STR("");
  return (pl_str){func->qualified.p, func->qualified.n - func->name.n};
}

typedef struct place_walk {
  pl_emitter *e;
  pl_text *out;
  uint32_t at;
} place_walk;

/* Copies a call's text up to each tile and puts some stage of it there. */
static bool name_stage(pl_node *node, void *context) {
  place_walk *w = context;
  if (node->kind != PL_NODE_REF || !node->decl ||
      !pl_loop_tile(w->e->loop, node->decl) || node->range.begin < w->at)
    return true;
  pl_text_add(w->out, slice(w->e, w->at, node->range.begin));
  pl_text_add(w->out, pl_emit_tile_place(w->e, node->decl));
  w->at = node->range.end;
  return true;
}

/* What the registers of a call are called after: the first tile it fills, or
 * the member of it. */
static pl_str filled_name(const pl_emitter *e, const pl_fill_call *call) {
  for (size_t i = 0; i < e->loop->ntiles; i++) {
    const pl_decl *tile = e->loop->tiles[i].decl;
    for (uint32_t k = 1; k < call->node->nkids; k++)
      if (pl_mentions(call->node->kids[k], tile))
        return part_name(call->node->kids[k], tile);
  }
  return call->body->func->name;
}

/* What holds a call's registers, of the current round of the loops around. */
static pl_str call_registers(pl_emitter *e, const pl_fill_call *call) {
  pl_str name = register_name(e, call->node, filled_name(e, call));
  return pl_arena_printf(e->arena, "%s%.*s%.*s", e->register_prefix,
                         PL_FMT(name), PL_FMT(brackets(e, call->node, false)));
}

static pl_str argument_text(pl_emitter *e, pl_node *arg, pl_fill_mode mode) {
  pl_text out = {.arena = e->arena};
  place_walk w = {e, &out, arg->range.begin};
  if (mode == PL_FILL_FETCH)
    pl_node_walk(arg, name_stage, &w);
  pl_text_add(&out, trimmed(slice(e, w.at, arg->range.end)));
  return pl_text_view(&out);
}

/* The arguments that a clone takes; a store gets the registers, behind the last
 * or before the first that has a default value. */
static pl_str arguments_text(pl_emitter *e, const pl_fill_call *call,
                             const bool *drops, pl_fill_mode mode) {
  pl_text out = {.arena = e->arena};
  const pl_node *node = call->node;
  uint32_t required = pl_required_params(e->unit, call->body->func);
  for (uint32_t i = 0; i < node->nkids; i++) {
    if (mode == PL_FILL_STORE && i == required)
      pl_text_printf(&out, "%s%.*s", out.n ? ", " : "",
                     PL_FMT(call_registers(e, call)));
    if (i + 1 == node->nkids || (drops && drops[i]))
      continue;
    pl_text_printf(&out, "%s%.*s", out.n ? ", " : "",
                   PL_FMT(argument_text(e, node->kids[i + 1], mode)));
  }
  return pl_text_view(&out);
}

static bool drops_any(const bool *drops, const pl_func *func) {
  for (uint32_t i = 0; drops && i < func->nparams; i++)
    if (drops[i])
      return true;
  return false;
}

static void render_call(pl_emitter *e, pl_node *node, int level,
                        pl_fill_mode mode) {
  const pl_fill_call *call = pl_fill_call_at(&e->loop->fill, node);
  const pl_func *func = call->body->func;
  pl_range name = callee_name(e, node, func);
  uint32_t open = e->unit->tokens[arguments_open(e, node)].range.end;
  need_clone(e, call, mode == PL_FILL_ASYNC, false);
  const struct pl_clone *clone = known_clone(e, func);
  const bool *drops = mode == PL_FILL_FETCH   ? clone->fetch_drops
                      : mode == PL_FILL_STORE ? clone->store_drops
                                              : NULL;
  pl_text out = {.arena = e->arena};
  if (mode == PL_FILL_FETCH)
    pl_text_printf(&out, "%s%.*s = ", is_at_top(e, node) ? "auto " : "",
                   PL_FMT(call_registers(e, call)));
  pl_text_add(&out, slice(e, node->range.begin, name.begin));
  pl_text_add(&out, callee_scope(e, node, name, func));
  pl_text_add(&out, mode == PL_FILL_FETCH   ? clone->fetch_name
                    : mode == PL_FILL_STORE ? clone->store_name
                                            : clone->async_name);
  pl_text_add(&out, slice(e, name.end, open));
  if (mode == PL_FILL_STORE || drops_any(drops, func)) {
    pl_text_printf(&out, "%.*s)",
                   PL_FMT(arguments_text(e, call, drops, mode)));
  } else {
    place_walk w = {e, &out, open};
    if (mode == PL_FILL_FETCH)
      pl_node_walk(node, name_stage, &w);
    pl_text_add(&out, trimmed(slice(e, w.at, node->range.end)));
  }
  pl_text_add(&out, PL_STR(";"));
  emit_statement(e, level, pl_text_view(&out), node);
}

/* ---- statements ---------------------------------------------------------------------------------- */

static void render_body(pl_emitter *e, pl_node *node, int level,
                        pl_fill_mode mode) {
  if (node && node->kind == PL_NODE_COMPOUND) {
    uint32_t after = node->range.begin + 1;
    for (uint32_t i = 0; i < node->nkids; i++) {
      if (!node->kids[i])
        continue;
      render(e, node->kids[i], level, mode, after);
      after = node->kids[i]->range.end;
    }
    return;
  }
  if (node)
    render(e, node, level, mode, node->range.begin);
}

static void render_if(pl_emitter *e, pl_node *node, int level,
                      pl_fill_mode mode, const char *lead) {
  pl_node *no = node->nkids > 2 ? node->kids[2] : NULL;
  bool yes_content = has_content(e, node->kids[1], mode) ||
                     has_jump(node->kids[1]);
  bool no_content = has_content(e, no, mode) || has_jump(no);
  if (!yes_content && !no_content)
    return;
  pl_str cond = trimmed(header_text(e, node));
  pl_emit_open(e, level, "%sif (%.*s)", lead, PL_FMT(cond));
  if (yes_content)
    render_body(e, node->kids[1], level + 1, mode);
  if (!no_content) {
    pl_emit_line(e, level, "}");
    return;
  }
  bool chain = no->kind == PL_NODE_IF;
  if (e->brace_own_line) {
    pl_emit_line(e, level, "}");
    if (chain) {
      render_if(e, no, level, mode, "else ");
      return;
    }
    pl_emit_open(e, level, "else");
  } else if (chain) {
    render_if(e, no, level, mode, "} else ");
    return;
  } else {
    pl_emit_line(e, level, "} else {");
  }
  render_body(e, no, level + 1, mode);
  pl_emit_line(e, level, "}");
}

/* What is left of a copy loop whose count rests on the block size: the user's
 * own loop, from where the unrolled one ends. */
static void render_remainder(pl_emitter *e, const pl_copy_loop *c, int level) {
  pl_str type = c->declares ? plain_type(e, c->var->type) : PL_STR("");
  pl_str skipped = c->step ? grouped(e, c->step) : PL_STR("1");
  if (c->count > 1)
    skipped = pl_arena_printf(e->arena, "%lld * %.*s", (long long)c->count,
                              PL_FMT(skipped));
  pl_emit_line(e, level, "// What a smaller block has not fetched.");
  pl_emit_line(e, level, "for (%.*s%s%.*s = %.*s + %.*s; %.*s; %.*s)",
               PL_FMT(type), c->declares ? " " : "", PL_FMT(c->var->name),
               PL_FMT(summand(e, c->start)), PL_FMT(skipped),
               PL_FMT(node_text(e, c->node->kids[1])),
               PL_FMT(node_text(e, c->node->kids[2])));
  pl_node *body = c->node->kids[3];
  bool block = body->kind == PL_NODE_COMPOUND;
  emit_statement(e, block ? level : level + 1,
                 pl_unit_slice(e->unit, body->range),
                 block ? c->node : body);
}

/* A thread's first index. Threads beyond the step would only repeat what others
 * copy; they are made to repeat what the last of those does, so that every
 * round but the last is within the bound. */
static pl_str start_text(pl_emitter *e, const pl_copy_loop *c) {
  pl_str start = summand(e, c->start);
  if (!c->by_thread || c->below_step)
    return start;
  pl_str one = grouped(e, c->start), step = grouped(e, c->step);
  return pl_arena_printf(e->arena, "(%.*s < %.*s ? %.*s : %.*s - 1)",
                         PL_FMT(one), PL_FMT(step), PL_FMT(one), PL_FMT(step));
}

/* The test against the bound; where the start is below the step, the compiler
 * sees that all rounds but a partial last one pass it. */
static pl_str slot_test(pl_emitter *e, const pl_copy_loop *c, pl_str slot) {
  pl_str test = node_text(e, c->node->kids[1]);
  if (!c->by_thread)
    return test;
  return pl_arena_printf(e->arena, "%.*s < %.*s / %.*s || %.*s", PL_FMT(slot),
                         PL_FMT(grouped(e, c->bound)),
                         PL_FMT(grouped(e, c->step)), PL_FMT(test));
}

static void render_split_loop(pl_emitter *e, const pl_copy_loop *c, int level,
                              pl_fill_mode mode) {
  pl_node *body = c->node->kids[3];
  pl_emit_line(e, level, "#pragma unroll");
  if (c->constant) {
    pl_emit_open(e, level, "for (%.*s)",
                 PL_FMT(trimmed(header_text(e, c->node))));
    render_body(e, body, level + 1, mode);
    pl_emit_line(e, level, "}");
    return;
  }
  pl_str slot = slot_name(e, c->node);
  pl_emit_open(e, level, "for (int %.*s = 0; %.*s < %.*s; ++%.*s)",
               PL_FMT(slot), PL_FMT(slot), PL_FMT(count_text(e, c)),
               PL_FMT(slot));
  pl_str type = c->declares ? plain_type(e, c->var->type) : PL_STR("");
  pl_str step = c->step ? grouped(e, c->step) : PL_STR("1");
  pl_emit_line(e, level + 1, "%.*s%s%.*s = %.*s + %.*s * %.*s;", PL_FMT(type),
               c->declares ? " " : "", PL_FMT(c->var->name),
               PL_FMT(start_text(e, c)), PL_FMT(slot), PL_FMT(step));
  bool test = !(c->by_thread && c->divides);
  if (test)
    pl_emit_open(e, level + 1, "if (%.*s)", PL_FMT(slot_test(e, c, slot)));
  render_body(e, body, test ? level + 2 : level + 1, mode);
  if (test)
    pl_emit_line(e, level + 1, "}");
  pl_emit_line(e, level, "}");
  if (c->assumed && mode == PL_FILL_STORE)
    render_remainder(e, c, level);
}

/* A condition as one side of `&&`. */
static pl_str conjunct(pl_emitter *e, const pl_node *cond) {
  const pl_node *bare = pl_node_bare((pl_node *)cond);
  bool tight = bare->kind == PL_NODE_BINARY && bare->op >= PL_OP_LT &&
               bare->op <= PL_OP_NE && !bare->from_macro;
  return tight ? node_text(e, cond) : grouped(e, cond);
}

static pl_str part_text(const pl_emitter *e, const pl_node *part) {
  return part ? node_text(e, part) : PL_STR("");
}

/* Whether the counter can be declared beside what a header declares. */
static bool shares_declaration(const pl_emitter *e, const pl_node *init) {
  if (!init)
    return true;
  const pl_node *var =
      init->kind == PL_NODE_DECL_STMT && init->nkids ? init->kids[0] : NULL;
  const pl_type *type = var && var->decl ? var->decl->type : NULL;
  return type && type->kind == PL_TYPE_INT && type->size >= 4 &&
         !pl_str_starts(node_text(e, init), "auto");
}

/* The header of a chain: the user's own parts, and the counter. */
static void open_chain(pl_emitter *e, const pl_copy_loop *c,
                       const pl_node *init, bool counter, int level) {
  const pl_node *inc = c->node->kind == PL_NODE_FOR ? c->node->kids[2] : NULL;
  const pl_node *cond =
      c->node->kind == PL_NODE_DO ? NULL : pl_inner_cond(c->node);
  if (cond && cond->has_ival)
    cond = NULL;
  pl_str slot = slot_name(e, c->node), start = part_text(e, init);
  if (counter)
    start = pl_arena_printf(e->arena, "%.*s%s%.*s = 0", PL_FMT(start),
                            init ? ", " : "int ", PL_FMT(slot));
  pl_emit_line(e, level, "#pragma unroll");
  pl_emit_open(e, level, "for (%.*s; %.*s < %.*s%s%.*s; %.*s%s++%.*s)",
               PL_FMT(start), PL_FMT(slot), PL_FMT(count_text(e, c)),
               cond ? " && " : "",
               PL_FMT(cond ? conjunct(e, cond) : PL_STR("")),
               PL_FMT(part_text(e, inc)), inc ? ", " : "", PL_FMT(slot));
}

/* What a chain leaves behind its counted iterations, by its own text. */
static void finish_chain(pl_emitter *e, const pl_copy_loop *c, int level) {
  bool is_for = c->node->kind == PL_NODE_FOR;
  const pl_node *body = pl_inner_body(c->node);
  pl_str cond = part_text(e, pl_inner_cond(c->node));
  if (is_for)
    pl_emit_line(e, level, "for (; %.*s; %.*s)", PL_FMT(cond),
                 PL_FMT(part_text(e, c->node->kids[2])));
  else
    pl_emit_line(e, level, "while (%.*s)", PL_FMT(cond));
  bool block = body->kind == PL_NODE_COMPOUND;
  emit_statement(e, block ? level : level + 1,
                 pl_unit_slice(e->unit, body->range), block ? c->node : body);
}

/* A loop that is kept as it stands, its iterations counted. What the header
 * declares stands before the loop where the loop's rest needs it. */
static void render_chain(pl_emitter *e, const pl_copy_loop *c, int level,
                         pl_fill_mode mode) {
  const pl_node *init =
      c->node->kind == PL_NODE_FOR ? c->node->kids[0] : NULL;
  bool rest = c->assumed && mode == PL_FILL_STORE;
  bool apart = !shares_declaration(e, init);
  bool ahead = rest && init;
  int inner = apart || ahead ? level + 1 : level;
  if (inner > level)
    pl_emit_line(e, level, "{");
  if (ahead)
    pl_emit_line(e, inner, "%.*s;", PL_FMT(part_text(e, init)));
  if (apart && !ahead)
    pl_emit_line(e, inner, "int %.*s = 0;", PL_FMT(slot_name(e, c->node)));
  open_chain(e, c, ahead ? NULL : init, !apart || ahead, inner);
  render_body(e, pl_inner_body(c->node), inner + 1, mode);
  if (c->node->kind == PL_NODE_DO) {
    pl_emit_open(e, inner + 1, "if (!(%.*s))",
                 PL_FMT(part_text(e, pl_inner_cond(c->node))));
    pl_emit_line(e, inner + 2, "break;");
    pl_emit_line(e, inner + 1, "}");
  }
  pl_emit_line(e, inner, "}");
  if (rest)
    finish_chain(e, c, inner);
  if (inner > level)
    pl_emit_line(e, level, "}");
}

static void render_loop(pl_emitter *e, pl_node *node, int level,
                        pl_fill_mode mode) {
  const pl_copy_loop *c = pl_fill_loop(&e->loop->fill, node);
  if (c && c->var && mode != PL_FILL_ASYNC && has_content(e, node, mode)) {
    if (c->chain)
      render_chain(e, c, level, mode);
    else
      render_split_loop(e, c, level, mode);
    return;
  }
  if (node->kind == PL_NODE_DO) {
    pl_emit_open(e, level, "do");
    render_body(e, node->kids[0], level + 1, mode);
    pl_emit_line(e, level, "} while (%.*s);", PL_FMT(node_text(e, node->kids[1])));
    return;
  }
  bool is_for = node->kind == PL_NODE_FOR;
  pl_emit_open(e, level, "%s (%.*s)", is_for ? "for" : "while",
               PL_FMT(trimmed(header_text(e, node))));
  render_body(e, is_for ? node->kids[3] : node->kids[1], level + 1, mode);
  pl_emit_line(e, level, "}");
}

/* Saves, or takes back, the locals of a declaration that hold loaded values. */
static void render_declaration(pl_emitter *e, pl_node *node, int level,
                               pl_fill_mode mode) {
  bool staged = false, wanted = false;
  for (uint32_t i = 0; i < node->nkids; i++) {
    staged = staged || is_staged_local(e, node->kids[i]);
    wanted = wanted || (node->kids[i]->decl &&
                        is_wanted(e, node->kids[i]->decl));
  }
  bool replayed = mode == PL_FILL_STORE && staged;
  bool fetched = mode == PL_FILL_FETCH && staged;
  if (!wanted && !fetched)
    return;
  if (!replayed)
    emit_statement(e, level, pl_unit_slice(e->unit, node->range), node);
  for (uint32_t i = 0; i < node->nkids && staged && mode != PL_FILL_ASYNC;
       i++) {
    const pl_node *var = node->kids[i];
    const pl_decl *decl = var->decl;
    if (!is_staged_local(e, var)) {
      if (replayed && is_wanted(e, decl))
        pl_emit_line(e, level, "%.*s %.*s = %.*s;",
                     PL_FMT(plain_type(e, decl->type)), PL_FMT(decl->name),
                     PL_FMT(node_text(e, var->kids[0])));
      continue;
    }
    pl_str name = register_name(e, var, decl->name);
    pl_str index = brackets(e, var, false);
    if (replayed)
      pl_emit_line(e, level, "%.*s %.*s = %s%.*s%.*s;",
                   PL_FMT(plain_type(e, decl->type)), PL_FMT(decl->name),
                   e->register_prefix, PL_FMT(name), PL_FMT(index));
    else
      pl_emit_line(e, level, "%s%.*s%.*s = %.*s;", e->register_prefix,
                   PL_FMT(name), PL_FMT(index), PL_FMT(decl->name));
  }
}

static void render(pl_emitter *e, pl_node *node, int level, pl_fill_mode mode,
                   uint32_t after) {
  const pl_copy *copy = pl_fill_copy(&e->loop->fill, node);
  bool shown = has_content(e, node, mode) || has_jump(node) ||
               (node->kind == PL_NODE_DECL_STMT);
  if (!shown)
    return;
  if (mode != PL_FILL_STORE)
    emit_leading(e, level, after, node, mode == PL_FILL_ASYNC);
  if (pl_fill_call_at(&e->loop->fill, node)) {
    render_call(e, node, level, mode);
    return;
  }
  if (copy) {
    if (mode == PL_FILL_FETCH)
      render_fetch(e, copy, level);
    else if (mode == PL_FILL_STORE)
      render_store(e, copy, level);
    else
      render_async(e, copy, level);
    return;
  }
  switch (node->kind) {
  case PL_NODE_COMPOUND:
    pl_emit_line(e, level, "{");
    render_body(e, node, level + 1, mode);
    pl_emit_line(e, level, "}");
    return;
  case PL_NODE_IF:
    if (mode == PL_FILL_STORE && chooses_value(e, node))
      render_store(e, only_copy(e, node->kids[1]), level);
    else
      render_if(e, node, level, mode, "");
    return;
  case PL_NODE_FOR:
  case PL_NODE_WHILE:
  case PL_NODE_DO:
    render_loop(e, node, level, mode);
    return;
  case PL_NODE_DECL_STMT:
    render_declaration(e, node, level, mode);
    return;
  default:
    emit_statement(e, level, pl_unit_slice(e->unit, node->range), node);
  }
}

/* ---- the whole fill ---------------------------------------------------------------------------------- */

static void declare(pl_emitter *e, int level, const pl_type *type,
                    pl_str name, const pl_node *at) {
  pl_emit_line(e, level, "%.*s %.*s%.*s;", PL_FMT(plain_type(e, type)),
               PL_FMT(name), PL_FMT(brackets(e, at, true)));
}

static bool is_named(const pl_emitter *e, const pl_node *of) {
  for (size_t i = 0; i < e->nregisters; i++)
    if (e->registers[i].of == of)
      return true;
  return false;
}

/* Registers that cannot be declared where they are first set. */
void pl_emit_declare_registers(pl_emitter *e, int level) {
  pl_fill *fill = &e->loop->fill;
  for (size_t i = 0; i < fill->ncopies; i++) {
    const pl_copy *copy = &fill->copies[i];
    pl_str base = copy_base(copy);
    if (is_at_top(e, copy->store))
      continue;
    if (is_staged_value(e, copy) && !is_named(e, register_key(e, copy)))
      declare(e, level, copy->type,
              register_name(e, register_key(e, copy), base), copy->store);
    for (size_t k = 0; copy->staging == PL_STAGE_LEAVES && k < copy->nleaves;
         k++)
      declare(e, level, copy->leaves[k]->type,
              register_name(e, copy->leaves[k], base), copy->store);
  }
  for (size_t i = 0; i < fill->ncalls; i++) {
    const pl_fill_call *call = &fill->calls[i];
    if (is_at_top(e, call->node))
      continue;
    need_clone(e, call, false, true);
    pl_emit_line(e, level, "%.*s %.*s%.*s;",
                 PL_FMT(known_clone(e, call->body->func)->registers_name),
                 PL_FMT(register_name(e, call->node, filled_name(e, call))),
                 PL_FMT(brackets(e, call->node, true)));
  }
  for (size_t i = 0; i < fill->nstaged; i++)
    declare(e, level, fill->staged[i]->decl->type,
            register_name(e, fill->staged[i], fill->staged[i]->decl->name),
            fill->staged[i]);
}

/* Whether a declaration only carries a value that now goes straight from
 * memory to the tile. */
static bool only_carries(pl_emitter *e, const pl_node *stmt) {
  if (stmt->kind != PL_NODE_DECL_STMT || stmt->nkids != 1)
    return false;
  const pl_node *var = stmt->kids[0];
  bool carries = false;
  for (size_t i = 0; i < e->loop->fill.ncopies; i++)
    carries = carries || e->loop->fill.copies[i].via == var;
  for (size_t i = 0; carries && i < e->loop->nstmts; i++) {
    const pl_stmt *other = &e->loop->stmts[i];
    if (other->node == stmt || other->is_barrier)
      continue;
    if (!other->fills && pl_mentions(other->node, var->decl))
      return false;
  }
  return carries && !is_wanted(e, var->decl);
}

size_t pl_emit_last_fill(const pl_loop *loop) {
  size_t last = 0;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].fills)
      last = i;
  return last;
}

void pl_emit_fill(pl_emitter *e, int level, pl_fill_mode mode) {
  const pl_loop *loop = e->loop;
  find_wanted(e, mode);
  if (mode == PL_FILL_FETCH && !loop->caller)
    pl_emit_declare_registers(e, level);
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (!stmt->in_load || stmt->is_shared_decl)
      continue;
    if (stmt->fills && loop->caller) {
      render_body(e, stmt->node, level, mode);
      continue;
    }
    if (stmt->fills || (stmt->restarts && mode != PL_FILL_ASYNC)) {
      render(e, stmt->node, level, mode, stmt->chunk.begin);
      continue;
    }
    bool deferred = mode == PL_FILL_FETCH && stmt->is_advance &&
                    i > pl_emit_last_fill(loop);
    bool needed = mode == PL_FILL_ASYNC ||
                  (mode == PL_FILL_STORE) == stmt->names_tile;
    if (!needed || deferred ||
        (mode == PL_FILL_ASYNC && only_carries(e, stmt->node)))
      continue;
    pl_emit_chunk(e, level, stmt->chunk, stmt->node->range.begin);
  }
}
