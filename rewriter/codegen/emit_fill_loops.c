/* emit_fill_loops.c - loops that copy, unrolled or counted.
 *
 * Needs: the copy loops of copies.c and chains.c. Gives: each with a counter
 * that indexes registers, and what is left of it where its count is assumed; in
 * asynchronous mode the loop as it stands. Raises nothing. */
#include "copies.h"
#include "emit_fill.h"

#include <string.h>

pl_str pl_summand(pl_emitter *e, const pl_node *node) {
  const pl_node *bare = pl_node_bare((pl_node *)node);
  bool loose = bare->kind == PL_NODE_COND ||
               (bare->kind == PL_NODE_REF && bare->from_macro) ||
               (bare->kind == PL_NODE_BINARY && bare->op != PL_OP_ADD &&
                bare->op != PL_OP_SUB && bare->op != PL_OP_MUL &&
                bare->op != PL_OP_DIV && bare->op != PL_OP_REM);
  return loose ? pl_grouped(e, node) : pl_node_text(e, node);
}

static bool is_literal(const pl_node *node, int64_t value) {
  const pl_node *bare = pl_node_bare((pl_node *)node);
  return bare->kind == PL_NODE_INT && !bare->from_macro && bare->ival == value;
}

/* Where so many rounds lead from a place. */
static pl_str place_after(pl_emitter *e, const pl_copy_loop *c, pl_str rounds,
                          pl_str start) {
  pl_str way = rounds;
  if (c->step && !is_literal(c->step, 1))
    way = pl_str_is(rounds, "1")
              ? pl_grouped(e, c->step)
              : pl_arena_printf(e->arena, "%.*s * %.*s", PL_FMT(rounds),
                                PL_FMT(pl_grouped(e, c->step)));
  return pl_str_is(start, "0") ? way
                               : pl_arena_printf(e->arena, "%.*s + %.*s",
                                                 PL_FMT(start), PL_FMT(way));
}

/* What is left of a copy loop whose count rests on what the run decides: the user's
 * own loop, from where the unrolled one ends. */
static void render_remainder(pl_emitter *e, const pl_copy_loop *c, int level) {
  pl_str type = c->declares ? pl_plain_type(e, c->var->type) : PL_STR("");
  pl_str rounds = pl_arena_printf(e->arena, "%lld", (long long)c->count);
  pl_emit_line(e, level, c->by_thread ? "// What a smaller block has not fetched."
                                      : "// What has not been fetched ahead.");
  pl_str header = pl_arena_printf(
      e->arena, "for (%.*s%s%.*s = %.*s; %.*s; %.*s)", PL_FMT(type),
      c->declares ? " " : "", PL_FMT(c->var->name),
      PL_FMT(place_after(e, c, rounds, pl_summand(e, c->start))),
      PL_FMT(pl_node_text(e, c->node->kids[1])),
      PL_FMT(pl_node_text(e, c->node->kids[2])));
  pl_node *body = c->node->kids[3];
  pl_str text = pl_unit_slice(e->unit, body->range);
  bool block = pl_str_starts(text, "{");
  if (block && !e->brace_own_line)
    text = pl_arena_printf(e->arena, "%.*s %.*s", PL_FMT(header), PL_FMT(text));
  else
    pl_emit_line(e, level, "%.*s", PL_FMT(header));
  if (!block && !memchr(text.p, '\n', text.n)) {
    pl_emit_under(e, level, "%.*s", PL_FMT(text));
    return;
  }
  pl_emit_statement(e, block ? level : level + 1, text, block ? c->node : body);
}

/* A thread's first index. Threads beyond the step would only repeat what others
 * copy; they are made to repeat what the last of those does, so that every
 * round but the last is within the bound. */
static pl_str start_text(pl_emitter *e, const pl_copy_loop *c) {
  pl_str start = pl_summand(e, c->start);
  if (!c->by_thread || c->below_step)
    return start;
  pl_str one = pl_grouped(e, c->start), step = pl_grouped(e, c->step);
  const pl_node *number = pl_node_bare(c->step);
  bool written = number->kind == PL_NODE_INT && number->has_ival && !number->from_macro;
  pl_str last = written ? pl_arena_printf(e->arena, "%lld", (long long)number->ival - 1)
                        : pl_arena_printf(e->arena, "%.*s - 1", PL_FMT(step));
  return pl_arena_printf(e->arena, "(%.*s < %.*s ? %.*s : %.*s)", PL_FMT(one),
                         PL_FMT(step), PL_FMT(one), PL_FMT(last));
}

/* The test against the bound; where the start is below the step, the compiler
 * sees that all rounds but a partial last one pass it. */
static pl_str slot_test(pl_emitter *e, const pl_copy_loop *c, pl_str slot) {
  pl_str test = pl_node_text(e, c->node->kids[1]);
  if (!c->by_thread)
    return test;
  return pl_arena_printf(e->arena, "%.*s < %.*s / %.*s || %.*s", PL_FMT(slot),
                         PL_FMT(pl_grouped(e, c->bound)),
                         PL_FMT(pl_grouped(e, c->step)), PL_FMT(test));
}

static void render_split_loop(pl_emitter *e, const pl_copy_loop *c, int level,
                              pl_fill_mode mode) {
  pl_node *body = c->node->kids[3];
  pl_emit_line(e, level, "#pragma unroll");
  if (c->constant) {
    pl_render_own_loop(e, c->node, level, mode);
    return;
  }
  pl_str slot = pl_slot_name(e, c->node);
  pl_str type = c->declares ? pl_plain_type(e, c->var->type) : PL_STR("");
  bool own = pl_counts_slots(c);
  pl_emit_open(e, level, "for (%.*s %.*s = 0; %.*s < %.*s; ++%.*s)",
               PL_FMT(own ? type : PL_STR("int")), PL_FMT(slot), PL_FMT(slot),
               PL_FMT(pl_count_text(e, c)), PL_FMT(slot));
  if (!own)
    pl_emit_line(e, level + 1, "%.*s%s%.*s = %.*s;", PL_FMT(type),
                 c->declares ? " " : "", PL_FMT(c->var->name),
                 PL_FMT(place_after(e, c, slot, start_text(e, c))));
  bool test = !(c->by_thread && c->divides);
  if (test)
    pl_render_loop_of(e, pl_arena_printf(e->arena, "if (%.*s)",
                                         PL_FMT(slot_test(e, c, slot))),
                      body, level + 1, mode);
  else
    pl_render_body(e, body, level + 1, mode);
  pl_emit_line(e, level, "}");
  if (c->assumed && mode == PL_FILL_STORE)
    render_remainder(e, c, level);
}

/* ---- chains -------------------------------------------------------------- */

/* A condition as one side of `&&`. */
static pl_str conjunct(pl_emitter *e, const pl_node *cond) {
  const pl_node *bare = pl_node_bare((pl_node *)cond);
  bool tight = bare->kind == PL_NODE_BINARY && bare->op >= PL_OP_LT &&
               bare->op <= PL_OP_NE && !bare->from_macro;
  return tight ? pl_node_text(e, cond) : pl_grouped(e, cond);
}

static pl_str part_text(const pl_emitter *e, const pl_node *part) {
  return part ? pl_node_text(e, part) : PL_STR("");
}

/* Whether the counter can be declared beside what a header declares. */
static bool shares_declaration(const pl_emitter *e, const pl_node *init) {
  if (!init)
    return true;
  const pl_node *var =
      init->kind == PL_NODE_DECL_STMT && init->nkids ? init->kids[0] : NULL;
  const pl_type *type = var && var->decl ? var->decl->type : NULL;
  return type && type->kind == PL_TYPE_INT && type->size >= 4 &&
         !pl_str_starts(pl_node_text(e, init), "auto");
}

/* The header of a chain: the user's own parts, and the counter. */
static void open_chain(pl_emitter *e, const pl_copy_loop *c,
                       const pl_node *init, bool counter, int level) {
  const pl_node *inc = c->node->kind == PL_NODE_FOR ? c->node->kids[2] : NULL;
  const pl_node *cond =
      c->node->kind == PL_NODE_DO ? NULL : pl_inner_cond(c->node);
  if (cond && cond->has_ival)
    cond = NULL;
  pl_str slot = pl_slot_name(e, c->node), start = part_text(e, init);
  if (counter)
    start = pl_arena_printf(e->arena, "%.*s%s%.*s = 0", PL_FMT(start),
                            init ? ", " : "int ", PL_FMT(slot));
  pl_emit_line(e, level, "#pragma unroll");
  pl_emit_open(e, level, "for (%.*s; %.*s < %.*s%s%.*s; %.*s%s++%.*s)",
               PL_FMT(start), PL_FMT(slot), PL_FMT(pl_count_text(e, c)),
               cond ? " && " : "",
               PL_FMT(cond ? conjunct(e, cond) : PL_STR("")),
               PL_FMT(part_text(e, inc)), inc ? ", " : "", PL_FMT(slot));
}

/* Whether the counter has to say behind the loop how it ended. */
static bool asks_once(const pl_copy_loop *c) {
  return c->asks && c->wraps;
}

/* What a chain leaves behind its counted iterations, by its own text. A condition
 * that would hold once more where it has ended is not asked again. */
static void finish_chain(pl_emitter *e, const pl_copy_loop *c, int level) {
  if (asks_once(c))
    pl_emit_line(e, level++, "if (%.*s == %.*s)",
                 PL_FMT(pl_slot_name(e, c->node)), PL_FMT(pl_count_text(e, c)));
  bool is_for = c->node->kind == PL_NODE_FOR;
  const pl_node *body = pl_node_loop_body(c->node);
  pl_str cond = part_text(e, pl_inner_cond(c->node));
  if (is_for)
    pl_emit_line(e, level, "for (; %.*s; %.*s)", PL_FMT(cond),
                 PL_FMT(part_text(e, c->node->kids[2])));
  else
    pl_emit_line(e, level, "while (%.*s)", PL_FMT(cond));
  pl_str text = pl_unit_slice(e->unit, body->range);
  bool block = pl_str_starts(text, "{");
  pl_emit_statement(e, block ? level : level + 1, text, block ? c->node : body);
}

/* A loop that is kept as it stands, its iterations counted. What the header
 * declares stands before the loop where the loop's rest needs it. */
static void render_chain(pl_emitter *e, const pl_copy_loop *c, int level,
                         pl_fill_mode mode) {
  const pl_node *init =
      c->node->kind == PL_NODE_FOR ? c->node->kids[0] : NULL;
  bool rest = c->assumed && mode == PL_FILL_STORE;
  bool ahead = rest && init;
  bool apart = (rest && asks_once(c)) ||
               (!ahead && !shares_declaration(e, init));
  int inner = apart || ahead ? level + 1 : level;
  if (inner > level)
    pl_emit_line(e, level, "{");
  if (ahead)
    pl_emit_line(e, inner, "%.*s;", PL_FMT(part_text(e, init)));
  if (apart)
    pl_emit_line(e, inner, "int %.*s = 0;", PL_FMT(pl_slot_name(e, c->node)));
  open_chain(e, c, ahead ? NULL : init, !apart, inner);
  pl_render_body(e, pl_node_loop_body(c->node), inner + 1, mode);
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

/* ---- any loop ------------------------------------------------------------ */

bool pl_keeps_loops(const pl_emitter *e, const pl_node *node,
                    pl_fill_mode mode) {
  return mode == PL_FILL_ASYNC ||
         (mode == PL_FILL_MIXED && !pl_stages_below(e, node));
}

void pl_render_loop_of(pl_emitter *e, pl_str head, pl_node *body, int level,
                       pl_fill_mode mode) {
  pl_str line = pl_one_line(e, body, level + 1, mode);
  if (line.n) {
    pl_emit_line(e, level, "%.*s", PL_FMT(head));
    pl_emit_under(e, level, "%.*s", PL_FMT(line));
    return;
  }
  pl_emit_open(e, level, "%.*s", PL_FMT(head));
  pl_render_body(e, body, level + 1, mode);
  pl_emit_line(e, level, "}");
}

void pl_render_own_loop(pl_emitter *e, pl_node *node, int level, pl_fill_mode mode) {
  pl_node *body = pl_node_loop_body(node);
  pl_str head = pl_arena_printf(e->arena, "%s (%.*s)",
                                node->kind == PL_NODE_FOR ? "for" : "while",
                                PL_FMT(pl_rebased(e, level, pl_header_text(e, node))));
  pl_render_loop_of(e, head, body, level, mode);
}

void pl_render_loop(pl_emitter *e, pl_node *node, int level,
                    pl_fill_mode mode) {
  const pl_copy_loop *c = pl_fill_loop(&e->loop->fill, node);
  if (c && c->var && !pl_keeps_loops(e, node, mode) &&
      pl_has_content(e, node, mode)) {
    if (c->chain)
      render_chain(e, c, level, mode);
    else
      render_split_loop(e, c, level, mode);
    return;
  }
  if (node->kind == PL_NODE_DO) {
    pl_emit_open(e, level, "do");
    pl_render_body(e, node->kids[0], level + 1, mode);
    pl_emit_close_do(e, level, node, pl_node_text(e, node->kids[1]));
    return;
  }
  if (pl_is_wide_loop(e, c, mode) && !e->joins) {
    pl_render_wide_loop(e, c, level, mode);
    return;
  }
  pl_render_own_loop(e, node, level, mode);
}
