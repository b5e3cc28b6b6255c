/* emit_fill.c - the text that fills a tile, split or made asynchronous.
 *
 * Needs: split (what is staged). Gives: the load side in a mode. Raises
 * nothing.
 *
 * The statements that fill tiles are printed anew from their tree: control flow
 * as it stands (loops: emit_fill_loops.c), each store as its mode wants it
 * (emit_fill_stores.c, emit_fill_calls.c), and of everything else what the mode
 * still needs (emit_fill_needs.c). */
#include "cfg.h"
#include "copies.h"
#include "emit_fill.h"

#include <string.h>

static void render(pl_emitter *e, pl_node *node, int level, pl_fill_mode mode,
                   uint32_t after);

void pl_render_body(pl_emitter *e, pl_node *node, int level,
                    pl_fill_mode mode) {
  if (node && mode != PL_FILL_STORE)
    pl_emit_header_comment(e, level, node);
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

/* `if constexpr` chooses among texts of which the others need not compile. */
static const char *keyword_of(const pl_emitter *e, const pl_node *node) {
  const pl_node *cond = node->kids[0];
  uint32_t begin = pl_if_has_init(node) ? node->parent->range.begin
                                        : node->range.begin;
  pl_range range = {begin, cond ? cond->range.begin : begin};
  pl_str text = range.end > range.begin ? pl_unit_slice(e->unit, range)
                                        : PL_STR("");
  return pl_str_has(text, "constexpr") ? "if constexpr" : "if";
}

pl_str pl_one_line(pl_emitter *e, pl_node *node, int level, pl_fill_mode mode) {
  const size_t from = e->out.n;
  if (node->kind == PL_NODE_COMPOUND || pl_is_seen_in_part(e))
    return PL_STR("");
  pl_render_body(e, node, level, mode);
  pl_str text = pl_text_view(&e->out);
  text = pl_trim_lines((pl_str){text.p + from, text.n - from});
  text = (pl_str){text.p + pl_blank_prefix(text), text.n - pl_blank_prefix(text)};
  bool aside = pl_str_starts(text, "/") || pl_str_starts(text, "#");
  bool one = text.n && !aside && !memchr(text.p, '\n', text.n);
  pl_str line = one ? pl_arena_printf(e->arena, "%.*s", PL_FMT(text)) : PL_STR("");
  e->out.n = from;
  return line;
}

/* `if (c) x; else y;` of one line each: what the user says without braces. */
static bool render_short_if(pl_emitter *e, pl_node *node, int level, pl_fill_mode mode,
                            pl_str head, pl_node *no) {
  pl_str yes = pl_one_line(e, node->kids[1], level, mode), other = {0};
  if (no && no->kind != PL_NODE_IF)
    other = pl_one_line(e, no, level, mode);
  if (!yes.n || (no && !other.n))
    return false;
  pl_emit_line(e, level, "%.*s", PL_FMT(head));
  pl_emit_under(e, level, "%.*s", PL_FMT(yes));
  if (no) {
    pl_emit_line(e, level, "else");
    pl_emit_under(e, level, "%.*s", PL_FMT(other));
  }
  return true;
}

static void render_if(pl_emitter *e, pl_node *node, int level,
                      pl_fill_mode mode, const char *lead) {
  pl_node *no = node->nkids > 2 ? node->kids[2] : NULL;
  bool yes_content =
      pl_has_content(e, node->kids[1], mode) ||
      pl_cfg_jump_out(node->kids[1], PL_JUMP_LOOP);
  bool no_content =
      pl_has_content(e, no, mode) || pl_cfg_jump_out(no, PL_JUMP_LOOP);
  if (!yes_content && !no_content)
    return;
  pl_str cond = pl_header_text(e, node);
  pl_str head = pl_arena_printf(e->arena, "%s%s (%.*s)", lead, keyword_of(e, node),
                                PL_FMT(pl_rebased(e, level, cond)));
  if (!*lead && yes_content &&
      render_short_if(e, node, level, mode, head, no_content ? no : NULL))
    return;
  pl_emit_open(e, level, "%.*s", PL_FMT(head));
  if (yes_content)
    pl_render_body(e, node->kids[1], level + 1, mode);
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
  pl_render_body(e, no, level + 1, mode);
  pl_emit_line(e, level, "}");
}

static bool holds_staged(pl_emitter *e, const pl_node *node) {
  for (uint32_t i = 0; i < node->nkids; i++)
    if (pl_is_staged_local(e, node->kids[i]))
      return true;
  return false;
}

/* Whether a declaration is of a type, within a block of its own: what a load
 * helper declares for all of its body is put in front of that. */
static bool declares_inner_type(const pl_emitter *e, const pl_node *node) {
  return node->nkids && node->kids[0]->kind == PL_NODE_OTHER_DECL &&
         !(e->loop->caller && node->parent == e->loop->func->body);
}

/* Whether a declaration is written in this mode. */
static bool shows_declaration(pl_emitter *e, const pl_node *node,
                              pl_fill_mode mode) {
  if (declares_inner_type(e, node))
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (node->kids[i]->decl && pl_is_wanted(e, node->kids[i]->decl))
      return true;
  return pl_fetches(mode) && holds_staged(e, node);
}

static bool is_plain_number(const pl_emitter *e, const pl_node *var) {
  const pl_decl *decl = var->decl;
  if (var->kind != PL_NODE_VAR || !decl || decl->from_macro || decl->ndims ||
      !var->nkids || !var->kids[0] || !decl->type ||
      var->kids[0]->range.begin < decl->name_range.end)
    return false;
  return (decl->type->kind == PL_TYPE_INT ||
          decl->type->kind == PL_TYPE_FLOAT) &&
         pl_str_is(pl_trimmed(pl_between(e, decl->name_range.end,
                                         var->kids[0]->range.begin)),
                   "=");
}

/* Whether a mode needs some of the numbers that a statement declares, and not the
 * others: `const int r = i / T, c = i % T;`. */
static bool is_needed_in_part(pl_emitter *e, const pl_node *node) {
  bool part = false;
  for (uint32_t i = 0; i < node->nkids; i++) {
    if (!is_plain_number(e, node->kids[i]))
      return false;
    part = part || !pl_is_wanted(e, node->kids[i]->decl);
  }
  return part && node->nkids > 1;
}

static void render_needed_part(pl_emitter *e, const pl_node *node, int level) {
  const pl_decl *first = node->kids[0]->decl;
  pl_str type = pl_trimmed(pl_between(e, node->range.begin,
                                      first->name_range.begin));
  for (uint32_t i = 0; i < node->nkids; i++)
    if (pl_is_wanted(e, node->kids[i]->decl))
      pl_emit_line(e, level, "%.*s %.*s = %.*s;", PL_FMT(type),
                   PL_FMT(node->kids[i]->decl->name),
                   PL_FMT(pl_node_text(e, node->kids[i]->kids[0])));
}

/* The comments of what is stored again stand where it is fetched. */
static void render_as_it_stands(pl_emitter *e, const pl_node *node, int level,
                                pl_fill_mode mode) {
  if (mode == PL_FILL_STORE)
    pl_emit_statement(e, level, pl_unit_slice(e->unit, node->range), node);
  else
    pl_emit_with_comment(e, level, node);
}

/* Saves, or takes back, the locals of a declaration that hold loaded values. */
static void render_declaration(pl_emitter *e, pl_node *node, int level,
                               pl_fill_mode mode) {
  bool staged = holds_staged(e, node);
  bool replayed = mode == PL_FILL_STORE && staged;
  if (!shows_declaration(e, node, mode))
    return;
  if (!staged && is_needed_in_part(e, node)) {
    render_needed_part(e, node, level);
    return;
  }
  if (!replayed)
    render_as_it_stands(e, node, level, mode);
  for (uint32_t i = 0; i < node->nkids && staged && mode != PL_FILL_ASYNC;
       i++) {
    const pl_node *var = node->kids[i];
    const pl_decl *decl = var->decl;
    if (!pl_is_staged_local(e, var)) {
      if (replayed && pl_is_wanted(e, decl))
        pl_emit_line(e, level, "%.*s %.*s = %.*s;",
                     PL_FMT(pl_plain_type(e, decl->type)), PL_FMT(decl->name),
                     PL_FMT(pl_node_text(e, var->kids[0])));
      continue;
    }
    pl_str name = pl_register_name(e, var, decl->name);
    pl_str index = pl_brackets(e, var, false);
    if (replayed)
      pl_emit_line(e, level, "%.*s %.*s = %s%.*s%.*s;",
                   PL_FMT(pl_plain_type(e, decl->type)), PL_FMT(decl->name),
                   e->register_prefix, PL_FMT(name), PL_FMT(index));
    else
      pl_emit_line(e, level, "%s%.*s%.*s = %.*s;", e->register_prefix,
                   PL_FMT(name), PL_FMT(index), PL_FMT(decl->name));
  }
}

static void render_copy(pl_emitter *e, const pl_copy *copy, int level,
                        pl_fill_mode mode) {
  mode = pl_mode_of(mode, copy->early);
  if (mode == PL_FILL_FETCH)
    pl_render_fetch(e, copy, level);
  else if (mode == PL_FILL_STORE)
    pl_render_store(e, copy, level);
  else
    pl_render_async(e, copy, level);
}

/* A loop that stands in the text twice has its pragmas with it. */
static bool shows_pragmas(const pl_emitter *e, const pl_node *node,
                          pl_fill_mode mode) {
  return pl_keeps_loops(e, node, mode) &&
         !pl_is_wide_loop(e, pl_fill_loop(&e->loop->fill, node), mode);
}

static void render(pl_emitter *e, pl_node *node, int level, pl_fill_mode mode,
                   uint32_t after) {
  const pl_copy *copy = pl_fill_copy(&e->loop->fill, node);
  bool shown = pl_has_content(e, node, mode) ||
               pl_cfg_jump_out(node, PL_JUMP_LOOP) ||
               (node->kind == PL_NODE_DECL_STMT);
  if (!shown)
    return;
  if (pl_is_in_wide_header(e, node))
    return;
  if (mode != PL_FILL_STORE)
    pl_emit_leading(e, level, after, node, shows_pragmas(e, node, mode));
  if (pl_fill_call_at(&e->loop->fill, node)) {
    pl_render_call(e, node, level, mode);
    return;
  }
  if (pl_is_together_at(e, node, mode)) {
    pl_render_together(e, node, level);
    return;
  }
  if (pl_is_row_at(e, node, mode)) {
    pl_open_row(e, node, level, mode);
    e->row = PL_ROW_APART;
    render(e, node, level + 1, mode, node->range.begin);
    e->row = PL_NO_ROW;
    pl_emit_line(e, level, "}");
    return;
  }
  const pl_copy *wide = pl_wide_copy_at(e, node, mode);
  if (wide) {
    pl_render_wide(e, wide, level);
    return;
  }
  if (copy) {
    render_copy(e, copy, level, mode);
    return;
  }
  switch (node->kind) {
  case PL_NODE_COMPOUND:
    if (pl_str_is(node->name, "if") &&
        !shows_declaration(e, node->kids[0], mode)) {
      pl_render_body(e, node, level, mode);
      return;
    }
    pl_emit_line(e, level, "{");
    pl_render_body(e, node, level + 1, mode);
    pl_emit_line(e, level, "}");
    return;
  case PL_NODE_IF:
    if (mode == PL_FILL_STORE && pl_chooses_value(e, node))
      pl_render_store(e, pl_only_copy(&e->loop->fill, node->kids[1]), level);
    else
      render_if(e, node, level, mode, "");
    return;
  case PL_NODE_FOR:
  case PL_NODE_WHILE:
  case PL_NODE_DO:
    if (!pl_is_plain_block(node)) {
      pl_render_loop(e, node, level, mode);
      return;
    }
    pl_emit_line(e, level, "{");
    pl_render_body(e, node->kids[0], level + 1, mode);
    pl_emit_line(e, level, "}");
    return;
  case PL_NODE_DECL_STMT:
    render_declaration(e, node, level, mode);
    return;
  default:
    render_as_it_stands(e, node, level, mode);
  }
}

/* ---- the whole fill ------------------------------------------------------ */

/* Whether a declaration, or a branch that fills it, only carries a value that now
 * goes straight from memory to the tile. Compute that asks for it declares it
 * anew. */
static bool only_carries(pl_emitter *e, const pl_stmt *carrier) {
  const pl_node *stmt = carrier->node;
  if (pl_only_fills_local(e, stmt))
    return true;
  if (stmt->kind != PL_NODE_DECL_STMT || stmt->nkids != 1)
    return false;
  const pl_node *var = stmt->kids[0];
  bool carries = false;
  for (size_t i = 0; i < e->loop->fill.ncopies; i++) {
    const pl_copy *copy = &e->loop->fill.copies[i];
    carries = carries || (copy->via == var && pl_is_copied_async(e, copy));
  }
  for (size_t i = 0; carries && i < e->loop->nstmts; i++) {
    const pl_stmt *other = &e->loop->stmts[i];
    if (other->node == stmt || other->is_barrier ||
        (carrier->in_compute && !other->in_load) ||
        pl_only_fills_local(e, other->node))
      continue;
    bool stored_later =
        e->loop->mixed && pl_stages_below(e, other->node);
    if ((!other->fills || stored_later) && pl_mentions(other->node, var->decl))
      return false;
  }
  return carries && !pl_is_wanted(e, var->decl);
}

size_t pl_emit_last_fill(const pl_loop *loop) {
  size_t last = 0;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].fills)
      last = i;
  return last;
}

/* One statement of the load side in a mode. */
static void emit_part(pl_emitter *e, int level, pl_fill_mode mode,
                      size_t index) {
  const pl_loop *loop = e->loop;
  const pl_stmt *stmt = &loop->stmts[index];
  if (stmt->fills && loop->caller) {
    pl_render_body(e, stmt->node, level, mode);
    return;
  }
  if (stmt->fills || (stmt->restarts && mode != PL_FILL_ASYNC)) {
    render(e, stmt->node, level, mode, stmt->chunk.begin);
    return;
  }
  bool deferred = pl_fetches(mode) && stmt->is_advance &&
                  index > pl_emit_last_fill(loop);
  bool copies = mode == PL_FILL_ASYNC || mode == PL_FILL_MIXED;
  if (!pl_is_text_of(e, stmt, mode) || deferred)
    return;
  if (copies && only_carries(e, stmt))
    pl_emit_leading(e, level, stmt->chunk.begin, stmt->node, false);
  else
    pl_emit_chunk(e, level, stmt->chunk, stmt->node->range.begin);
}

/* The user's empty lines stay, but for the stores, which follow each other. */
void pl_emit_fill(pl_emitter *e, int level, pl_fill_mode mode) {
  const pl_loop *loop = e->loop;
  size_t last = loop->nstmts;
  e->branch.end = 0;
  pl_find_wanted(e, mode);
  if (pl_fetches(mode) && !loop->caller)
    pl_emit_declare_registers(e, level);
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (!stmt->in_load || stmt->is_shared_decl || stmt->only_asks)
      continue;
    size_t before = e->out.n;
    if (mode != PL_FILL_STORE && last < i && pl_blank_between(loop, last, i))
      pl_emit_blank(e);
    size_t begin = e->out.n;
    emit_part(e, level, mode, i);
    if (e->out.n == begin)
      e->out.n = before;
    else
      last = i;
  }
}
