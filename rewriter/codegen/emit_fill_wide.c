/* emit_fill_wide.c - copies that some iterations of a copy loop make at once.
 *
 * Needs: widen (which copies, for how many, what that takes for granted). Gives:
 * in front of the tile loop whether they can be made; the copy loop that takes
 * some iterations at once, in front of the user's own; in it the copies with
 * their guards, and the elements by themselves where a guard is in between.
 * Raises nothing.
 *
 * What is asked of all neighbours is asked of the last of them, in the user's own
 * words: `col < N` becomes `col + 7 < N`. */
#include "emit_fill.h"
#include "widen.h"


/* Whether all copies of a copy loop are asynchronous ones in this form. */
static bool is_widened(const pl_emitter *e, const pl_copy_loop *c) {
  const pl_loop *loop = e->loop;
  if (!c || !c->neighbours || !pl_variant_is_async(loop->variant))
    return false;
  for (size_t i = 0; loop->mixed && i < loop->fill.ncopies; i++)
    if (pl_node_within(loop->fill.copies[i].store, c->node) &&
        !loop->fill.copies[i].early)
      return false;
  return true;
}

bool pl_is_wide_loop(const pl_emitter *e, const pl_copy_loop *c,
                     pl_fill_mode mode) {
  return (mode == PL_FILL_ASYNC || mode == PL_FILL_MIXED) && is_widened(e, c);
}

const pl_copy *pl_wide_copy_at(const pl_emitter *e, const pl_node *node,
                               pl_fill_mode mode) {
  const pl_loop *loop = e->loop;
  bool row = e->row == PL_ROW_ASKED || e->row == PL_ROW_COPIED;
  for (size_t i = 0; e->joins && i < loop->fill.ncopies; i++) {
    const pl_copy *copy = &loop->fill.copies[i];
    if (row && copy->row && copy->row->unit == node)
      return copy;
    if (!row && copy->wide && copy->wide->unit == node &&
        pl_is_wide_loop(e, pl_loop_of_wide(loop, copy), mode))
      return copy;
  }
  return NULL;
}

/* ---- whether they can be made ----------------------------------------------- */

static pl_str premise_text(pl_emitter *e, const pl_premise *premise) {
  pl_str node = premise->node   ? pl_grouped(e, premise->node)
                : premise->type ? pl_plain_type(e, premise->type)
                                : PL_STR("");
  switch (premise->kind) {
  case PL_PREMISE_ROW_STEP:
    return pl_arena_printf(e->arena, "blockDim.x == %.*s", PL_FMT(node));
  case PL_PREMISE_BLOCK_STEP:
    return pl_arena_printf(e->arena, "blockDim.x * blockDim.y == %.*s",
                           PL_FMT(node));
  case PL_PREMISE_MULTIPLE:
    return pl_arena_printf(e->arena, "%.*s %% %lld == 0", PL_FMT(node),
                           (long long)premise->neighbours);
  case PL_PREMISE_DIVIDES:
    return pl_arena_printf(e->arena, "%.*s %% %.*s == 0", PL_FMT(node),
                           PL_FMT(pl_grouped(e, premise->by)));
  case PL_PREMISE_ALIGNED:
    return pl_arena_printf(e->arena, "(size_t)%.*s %% %lld == 0", PL_FMT(node),
                           (long long)premise->bytes);
  case PL_PREMISE_POSITIVE:
    return pl_arena_printf(e->arena, "%.*s > 0", PL_FMT(node));
  case PL_PREMISE_THREADS:
    return pl_arena_printf(e->arena, "blockDim.x %% %lld == 0",
                           (long long)premise->neighbours);
  case PL_PREMISE_SIZE:
    return pl_arena_printf(e->arena,
                           "sizeof(%.*s) == %lld && __is_trivially_copyable(%.*s)",
                           PL_FMT(node),
                           (long long)(premise->bytes / premise->neighbours),
                           PL_FMT(node));
  }
  return PL_STR("");
}

/* `const bool joined = A && B;`: line_breaks.c breaks it. */
static void emit_joined(pl_emitter *e, int level,
                        const struct pl_joined *joined) {
  const pl_loop *loop = e->loop;
  pl_text line = {.arena = e->arena};
  for (size_t i = 0; i < loop->npremises; i++)
    if (loop->premises[i].group == joined->neighbours)
      pl_text_printf(&line, "%s%.*s", line.n ? " && " : "",
                     PL_FMT(premise_text(e, &loop->premises[i])));
  pl_emit_line(e, level, "const bool %.*s = %.*s;", PL_FMT(joined->name),
               PL_FMT(line.n ? pl_text_view(&line) : PL_STR("true")));
}

static const struct pl_joined *joined_of(const pl_emitter *e,
                                         int64_t neighbours) {
  for (size_t i = 0; i < e->njoined; i++)
    if (e->joined[i].neighbours == neighbours)
      return &e->joined[i];
  return NULL;
}

/* Whether a form makes bulk copies of rows. */
static bool copies_rows(const pl_emitter *e) {
  return e->form->words && e->form->words->row;
}

static int64_t group_of_row(const pl_emitter *e, const pl_copy *copy) {
  const pl_copy_loop *c = pl_loop_of_row(e->loop, copy);
  return c ? c->row : PL_THREADS_GROUP / copy->bytes;
}

static void emit_whole(pl_emitter *e, int level, int64_t group) {
  size_t most = sizeof e->joined / sizeof *e->joined;
  if (joined_of(e, group) || e->njoined == most)
    return;
  pl_emit_line(e, level, "// Whether a tile's rows can be copied whole: all is aligned.");
  struct pl_joined *whole = &e->joined[e->njoined++];
  *whole = (struct pl_joined){group, pl_emit_name(e, "whole", PL_STR(""))};
  emit_joined(e, level, whole);
}

void pl_emit_joined(pl_emitter *e, int level) {
  const pl_fill *fill = &e->loop->fill;
  e->njoined = 0;
  e->each = PL_STR("");
  for (size_t i = 0; copies_rows(e) && i < fill->ncopies; i++)
    if (fill->copies[i].row)
      emit_whole(e, level, group_of_row(e, &fill->copies[i]));
  for (size_t i = 0; i < fill->nloops; i++) {
    int64_t neighbours = fill->loops[i].neighbours;
    if (!is_widened(e, &fill->loops[i]) || joined_of(e, neighbours))
      continue;
    if (!e->each.n)
      e->each = pl_emit_name(e, "each", PL_STR(""));
    pl_emit_line(e, level, "// Whether %lld neighbouring elements can be one copy: "
                           "all is aligned.", (long long)neighbours);
    struct pl_joined *joined = &e->joined[e->njoined++];
    *joined = (struct pl_joined){neighbours,
                                 pl_emit_name(e, "joined", PL_STR(""))};
    emit_joined(e, level, joined);
  }
}

/* ---- guards -------------------------------------------------------------- */

/* Which of the neighbours a condition is asked of. */
typedef struct asked {
  pl_emitter *e;
  pl_neighbours n;
  bool one; /* of the one whose number `each` has; else of all: whether it holds
               for each of them, or with `some` whether for one of them */
} asked;

static pl_str ask(asked *a, pl_node *cond, bool some);

/* An operand for the j-th neighbour, j the last one or `each`. */
static pl_str moved_operand(asked *a, pl_node *node, int64_t by) {
  pl_emitter *e = a->e;
  pl_str text = pl_summand(e, node);
  if (by == 0)
    return pl_node_text(e, node);
  if (a->n.of_block)
    return pl_arena_printf(e->arena, "%.*s + %lld * (int)(blockDim.x - 1 - threadIdx.x)",
                           PL_FMT(text), (long long)by);
  if (!a->one)
    return pl_arena_printf(e->arena, "%.*s + %lld", PL_FMT(text),
                           (long long)(by * (a->n.width - 1)));
  if (by == 1)
    return pl_arena_printf(e->arena, "%.*s + %.*s", PL_FMT(text),
                           PL_FMT(e->each));
  return pl_arena_printf(e->arena, "%.*s + %lld * %.*s", PL_FMT(text),
                         (long long)by, PL_FMT(e->each));
}

static bool is_number(const pl_node *node) {
  const pl_type *type = pl_no_reference(pl_node_bare((pl_node *)node)->type);
  return type && type->kind == PL_TYPE_INT;
}

/* `at < n && n - at > 7`: of unsigned numbers, which may wrap behind the bound, the
 * first is asked, and how far it is from there. */
static pl_str ask_distance(asked *a, pl_node *cond, int64_t left, int64_t right,
                           bool some) {
  pl_emitter *e = a->e;
  pl_node *grows = cond->kids[left ? 0 : 1], *bound = cond->kids[left ? 1 : 0];
  bool equal = cond->op == PL_OP_LE || cond->op == PL_OP_GE;
  const char *op = some ? (equal ? "<=" : "<") : (equal ? ">=" : ">");
  bool tight = pl_node_bare(grows)->kind == PL_NODE_CAST;
  return pl_arena_printf(
      e->arena, "%s%.*s %s %.*s - %.*s %s %lld%s", some ? "(" : "",
      PL_FMT(pl_node_text(e, cond)), some ? "||" : "&&",
      PL_FMT(pl_summand(e, bound)),
      PL_FMT(tight ? pl_node_text(e, grows) : pl_grouped(e, grows)), op,
      (long long)((left + right) * (a->n.width - 1)), some ? ")" : "");
}

/* The same of the block's threads, of which any may ask. */
static pl_str ask_threads(asked *a, pl_node *cond) {
  pl_emitter *e = a->e;
  bool less = cond->op == PL_OP_LT || cond->op == PL_OP_LE;
  bool equal = cond->op == PL_OP_LE || cond->op == PL_OP_GE;
  pl_str bound = pl_summand(e, cond->kids[less ? 1 : 0]);
  pl_str first = pl_arena_printf(e->arena, "%.*s - threadIdx.x",
                                 PL_FMT(pl_summand(e, cond->kids[less ? 0 : 1])));
  return pl_arena_printf(e->arena, "%.*s %s %.*s && %.*s - (%.*s) %s blockDim.x - 1",
                         PL_FMT(first), equal ? "<=" : "<", PL_FMT(bound),
                         PL_FMT(bound), PL_FMT(first), equal ? ">=" : ">");
}

/* `left < right`, of which one side grows from neighbour to neighbour. */
static pl_str ask_comparison(asked *a, pl_node *cond, bool some) {
  pl_emitter *e = a->e;
  int64_t left = pl_slope_of(&a->n, cond->kids[0]).by;
  int64_t right = pl_slope_of(&a->n, cond->kids[1]).by;
  bool less = cond->op == PL_OP_LT || cond->op == PL_OP_LE;
  bool last_first = less ? right > 0 : left > 0; /* the last one's holds first */
  pl_str plain = pl_node_text(e, cond);
  if ((!left && !right) ||
      (!a->one && !a->n.of_block && pl_holds_for_all_or_none(&a->n, cond)))
    return plain;
  if (a->n.of_block && pl_compares_unsigned(cond))
    return ask_threads(a, cond);
  pl_str moved = pl_arena_printf(
      e->arena, "%.*s %s %.*s", PL_FMT(moved_operand(a, cond->kids[0], left)),
      pl_op_name(cond->op), PL_FMT(moved_operand(a, cond->kids[1], right)));
  if (a->one)
    return moved;
  if (!pl_compares_unsigned(cond))
    return last_first == some ? moved : plain;
  if (is_number(cond->kids[0]) && is_number(cond->kids[1]) &&
      last_first == some)
    return ask_distance(a, cond, left, right, some);
  return pl_arena_printf(e->arena, "%s%.*s %s %.*s%s", some ? "(" : "",
                         PL_FMT(plain), some ? "||" : "&&", PL_FMT(moved),
                         some ? ")" : "");
}

static pl_str ask(asked *a, pl_node *cond, bool some) {
  pl_emitter *e = a->e;
  if (cond->kind == PL_NODE_PAREN)
    return pl_arena_printf(e->arena, "(%.*s)",
                           PL_FMT(ask(a, cond->kids[0], some)));
  if (cond->kind == PL_NODE_UNARY && cond->op == PL_OP_LNOT)
    return pl_arena_printf(e->arena, "!%.*s",
                           PL_FMT(ask(a, cond->kids[0], !some)));
  if (cond->kind == PL_NODE_BINARY && pl_is_order(cond->op))
    return ask_comparison(a, cond, some);
  pl_slope same = pl_slope_of(&a->n, cond);
  pl_node *named = same.known ? NULL : pl_named_guard(e->loop, cond);
  if (named)
    return pl_arena_printf(e->arena, "(%.*s)", PL_FMT(ask(a, named, some)));
  if (cond->kind != PL_NODE_BINARY ||
      (cond->op != PL_OP_LAND && cond->op != PL_OP_LOR))
    return pl_node_text(e, cond);
  return pl_arena_printf(
      e->arena, "%.*s %s %.*s", PL_FMT(ask(a, cond->kids[0], some)),
      pl_op_name(cond->op), PL_FMT(ask(a, cond->kids[1], some)));
}

/* Which neighbours are asked about: a wide copy's, or a row's. */
static pl_neighbours neighbours_of_row(const pl_emitter *e, const pl_copy *copy) {
  const pl_copy_loop *c = pl_loop_of_row(e->loop, copy);
  return (pl_neighbours){.loop = e->loop, .width = c ? c->row : PL_THREADS_GROUP,
                         .bytes = 16, .counter = c ? c->var : NULL, .of_block = !c};
}

static const pl_wide_copy *made_for(const pl_emitter *e, const pl_copy *copy) {
  return e->row == PL_ROW_ASKED || e->row == PL_ROW_COPIED ? copy->row : copy->wide;
}

static asked asked_of(pl_emitter *e, const pl_copy *copy, bool one) {
  if (e->row == PL_ROW_ASKED || e->row == PL_ROW_COPIED)
    return (asked){e, neighbours_of_row(e, copy), one};
  const pl_copy_loop *c = pl_loop_of_wide(e->loop, copy);
  pl_neighbours n = {.loop = e->loop, .width = c->neighbours, .group = c->neighbours,
                     .bytes = c->neighbours * copy->bytes, .counter = c->place,
                     .in_row = c->in_row};
  return (asked){e, n, one};
}

/* As an operand of `&&`. */
static pl_str conjunct(pl_emitter *e, const pl_node *cond, pl_str text) {
  bool loose = cond->kind == PL_NODE_COND ||
               (cond->kind == PL_NODE_BINARY && cond->op == PL_OP_LOR) ||
               (cond->kind == PL_NODE_REF && cond->from_macro);
  return loose ? pl_arena_printf(e->arena, "(%.*s)", PL_FMT(text)) : text;
}

/* Without parentheses around all of it. */
static pl_str without_parentheses(pl_str text) {
  int depth = 0;
  for (size_t i = 0; i + 1 < text.n; i++) {
    depth += text.p[i] == '(' ? 1 : text.p[i] == ')' ? -1 : 0;
    if (depth == 0)
      return text;
  }
  return text.n > 2 && text.p[0] == '(' ? (pl_str){text.p + 1, text.n - 2} : text;
}

/* Whether the copy is made for all of the neighbours, or for one. */
static pl_str guard_text(pl_emitter *e, const pl_copy *copy, bool one) {
  const pl_wide_copy *wide = made_for(e, copy);
  asked a = asked_of(e, copy, one);
  pl_node *cond = pl_node_bare(wide->cond);
  pl_node *named = pl_named_guard(e->loop, cond);
  pl_str text = without_parentheses(ask(&a, cond, wide->negated));
  if (wide->negated)
    return pl_arena_printf(e->arena, "!(%.*s)", PL_FMT(text));
  return conjunct(e, named ? pl_node_bare(named) : cond, text);
}

/* ---- the names that it takes --------------------------------------------- */

typedef struct name_walk {
  asked a;
  pl_visit *want;
} name_walk;

/* Those of a guard that stands for another are the other's. */
static bool want_of_guard(pl_node *node, void *context) {
  name_walk *w = context;
  pl_node *named = pl_named_guard(w->a.e->loop, node);
  if (!named || pl_slope_of(&w->a.n, node).known)
    return w->want(node, w->a.e);
  pl_node_walk(named, want_of_guard, w);
  return false;
}

void pl_want_of_wide(pl_emitter *e, const pl_copy *copy, pl_visit *want) {
  name_walk w = {asked_of(e, copy, false), want};
  const pl_wide_copy *wide = made_for(e, copy);
  if (e->row != PL_ROW_ASKED) {
    pl_node_walk(copy->dst, want, e);
    pl_node_walk(copy->load, want, e);
  }
  if (e->row != PL_ROW_ASKED && e->row != PL_ROW_COPIED)
    pl_node_walk(wide->fill, want, e);
  if (e->row != PL_ROW_COPIED)
    pl_node_walk(wide->cond, want_of_guard, &w);
}

/* ---- copies -------------------------------------------------------------- */

/* `p[each]`, `(&A[i])[each]`. */
static pl_str element_of(pl_emitter *e, pl_str address) {
  bool name = pl_first_word(address).n == address.n;
  return pl_arena_printf(e->arena, name ? "%.*s[%.*s]" : "(%.*s)[%.*s]",
                         PL_FMT(address), PL_FMT(e->each));
}

/* Whether a guard holds for all neighbours or for none. */
static bool is_for_all_or_none(asked *a, pl_node *cond) {
  cond = pl_node_bare(cond);
  if (cond->kind == PL_NODE_BINARY &&
      (cond->op == PL_OP_LAND || cond->op == PL_OP_LOR))
    return is_for_all_or_none(a, cond->kids[0]) &&
           is_for_all_or_none(a, cond->kids[1]);
  if (cond->kind == PL_NODE_UNARY && cond->op == PL_OP_LNOT)
    return is_for_all_or_none(a, cond->kids[0]);
  pl_slope slope = pl_slope_of(&a->n, cond);
  if (slope.known && slope.by == 0)
    return true;
  pl_node *named = pl_named_guard(a->e->loop, cond);
  if (named)
    return is_for_all_or_none(a, named);
  return cond->kind == PL_NODE_BINARY && pl_is_order(cond->op) &&
         pl_holds_for_all_or_none(&a->n, cond);
}

/* The elements by themselves, where the guard does not hold for all. */
static void render_each(pl_emitter *e, const pl_copy *copy, int level, pl_str to,
                        pl_str from) {
  const pl_wide_copy *wide = copy->wide;
  const pl_copy_loop *c = pl_loop_of_wide(e->loop, copy);
  asked a = asked_of(e, copy, false);
  bool some = !is_for_all_or_none(&a, wide->cond);
  pl_str each = e->each;
  pl_emit_open(e, level, "for (int %.*s = 0; %.*s < %lld; ++%.*s)", PL_FMT(each),
               PL_FMT(each), (long long)c->neighbours, PL_FMT(each));
  int inner = level + 1;
  if (some) {
    pl_emit_line(e, inner, "if (%.*s)", PL_FMT(guard_text(e, copy, true)));
    pl_emit_line(e, inner + 1, "%.*s = %.*s;", PL_FMT(element_of(e, to)),
                 PL_FMT(element_of(e, from)));
    if (wide->fill)
      pl_emit_line(e, inner++, "else");
  }
  if (wide->fill)
    pl_emit_line(e, inner, "%.*s = %.*s;", PL_FMT(element_of(e, to)),
                 PL_FMT(pl_node_text(e, wide->fill)));
  pl_emit_line(e, level, "}");
}

static bool is_cut(pl_emitter *e, const pl_copy *copy) {
  asked a = asked_of(e, copy, false);
  return copy->wide->fill || !is_for_all_or_none(&a, copy->wide->cond);
}

/* `memcpy_async_tx(&s[r][c], &a[...], 512, landed[load_stage]);` */
static void render_row_copy(pl_emitter *e, const pl_copy *copy, int level, pl_str bytes) {
  pl_emit_words(e, level, e->form->words->row,
                (pl_copy_values){.stage = e->pipe_stage, .to = pl_target_text(e, copy),
                                 .from = pl_address_text(e, copy->load),
                                 .bytes = bytes});
}

/* One of a copy loop's: whether it is made for all, or its bulk copy. */
static void render_of_row(pl_emitter *e, const pl_copy *copy, int level) {
  if (e->row == PL_ROW_COPIED)
    render_row_copy(e, copy, level,
                    pl_arena_printf(e->arena, "%lld",
                                    (long long)(copy->bytes *
                                                group_of_row(e, copy))));
  else if (copy->row->cond)
    pl_emit_line(e, level, "%.*s = %.*s && %.*s;", PL_FMT(e->full), PL_FMT(e->full),
                 PL_FMT(guard_text(e, copy, false)));
}

/* How many bytes the copy itself makes zeros, where its guard holds for all neighbours
 * or for none; empty: it does not. */
static pl_str zeros_of(pl_emitter *e, const pl_copy *copy, pl_str guard, pl_str bytes) {
  asked a = asked_of(e, copy, false);
  if (!copy->wide->cond || !is_for_all_or_none(&a, copy->wide->cond))
    return (pl_str){0};
  return pl_zeros_text(e, copy->load, copy->wide->fill,
                       pl_arena_printf(e->arena, "(%.*s)", PL_FMT(guard)), bytes);
}

void pl_render_wide(pl_emitter *e, const pl_copy *copy, int level) {
  if (e->row == PL_ROW_ASKED || e->row == PL_ROW_COPIED) {
    render_of_row(e, copy, level);
    return;
  }
  const pl_copy_loop *c = pl_loop_of_wide(e->loop, copy);
  pl_str to = pl_target_text(e, copy);
  pl_str from = pl_address_text(e, copy->load);
  pl_str bytes = pl_arena_printf(e->arena, "%lld",
                                 (long long)(copy->bytes * c->neighbours));
  pl_str guard = copy->wide->cond ? guard_text(e, copy, false) : PL_STR("");
  pl_str zeros = zeros_of(e, copy, guard, bytes);
  bool branches = guard.n && !zeros.n;
  int inner = branches ? level + 1 : level;
  if (branches)
    pl_emit_open(e, level, "if (%.*s)", PL_FMT(guard));
  pl_emit_line(e, inner, "%.*s;%.*s",
               PL_FMT(pl_async_copy_text(e, to, from, bytes, zeros)),
               PL_FMT(pl_trailing_comment(e, copy->store)));
  if (branches && is_cut(e, copy)) {
    if (e->brace_own_line) {
      pl_emit_line(e, level, "}");
      pl_emit_open(e, level, "else");
    } else {
      pl_emit_line(e, level, "} else {");
    }
    render_each(e, copy, inner, to, from);
  }
  if (branches)
    pl_emit_line(e, level, "}");
}

/* ---- one copy by all ------------------------------------------------------- */

/* The copy loop all of which the block copies in one call. */
static const pl_copy_loop *loop_together(const pl_emitter *e, const pl_copy *copy) {
  for (size_t i = 0; i < e->loop->fill.nloops; i++)
    if (e->loop->fill.loops[i].together &&
        pl_node_within(copy->store, e->loop->fill.loops[i].node))
      return &e->loop->fill.loops[i];
  return NULL;
}

/* Whether a copy is one of those that stand for a statement. */
static bool is_together_at(const pl_emitter *e, const pl_copy *copy, const pl_node *node) {
  const pl_copy_loop *c = copy->together ? loop_together(e, copy) : NULL;
  return copy->together && node == (c ? c->node : copy->store);
}

bool pl_is_together_at(const pl_emitter *e, const pl_node *node, pl_fill_mode mode) {
  const pl_copy_loop *c = pl_fill_loop(&e->loop->fill, node);
  bool any = false;
  for (size_t i = 0; i < e->loop->fill.ncopies; i++)
    any = any || is_together_at(e, &e->loop->fill.copies[i], node);
  return any && mode == PL_FILL_ASYNC && !e->joins && e->form->words &&
         e->form->words->together && !(c && c->neighbours);
}

static pl_str first_text(pl_emitter *e, const pl_first_place *first) {
  if (!first->rest)
    return pl_node_text(e, pl_node_bare(first->base));
  pl_str base = pl_node_text(e, first->base);
  return pl_arena_printf(e->arena, "&%.*s[%s%.*s]", PL_FMT(base), first->wraps ? "(unsigned)" : "",
                         PL_FMT(first->wraps ? pl_grouped(e, first->rest)
                                             : pl_node_text(e, first->rest)));
}

void pl_want_together(pl_emitter *e, const pl_node *node, pl_visit *want) {
  for (size_t i = 0; i < e->loop->fill.ncopies; i++) {
    const pl_copy *copy = &e->loop->fill.copies[i];
    if (!is_together_at(e, copy, node))
      continue;
    const pl_copy_loop *c = loop_together(e, copy);
    pl_node *named[] = {copy->together->to.base, copy->together->to.rest,
                        copy->together->from.base, copy->together->from.rest,
                        c ? c->bound : NULL};
    for (size_t k = 0; k < sizeof named / sizeof *named; k++)
      pl_node_walk(named[k], want, e);
  }
}

void pl_render_together(pl_emitter *e, const pl_node *node, int level) {
  for (size_t i = 0; i < e->loop->fill.ncopies; i++) {
    const pl_copy *copy = &e->loop->fill.copies[i];
    if (!is_together_at(e, copy, node))
      continue;
    const pl_copy_loop *c = loop_together(e, copy);
    pl_str bytes = pl_arena_printf(e->arena, "sizeof(%.*s) * %.*s",
                                   PL_FMT(pl_plain_type(e, copy->type)),
                                   PL_FMT(c ? pl_grouped(e, c->bound) : PL_STR("blockDim.x")));
    if (c && c->neighbours)
      bytes = pl_arena_printf(e->arena, "cuda::aligned_size_t<%lld>(%.*s)",
                              (long long)(copy->bytes * c->neighbours), PL_FMT(bytes));
    pl_emit_words(e, level, e->form->words->together,
                  (pl_copy_values){.to = first_text(e, &copy->together->to),
                                   .from = first_text(e, &copy->together->from),
                                   .bytes = bytes});
  }
}

/* ---- copy loops ---------------------------------------------------------- */

/* Whether there is another group: `i < n`; of a local that numbers them, how many
 * each thread has by how many threads there are. */
static pl_str more_text(pl_emitter *e, const pl_copy_loop *c) {
  if (c->place == c->var)
    return pl_node_text(e, c->node->kids[1]);
  if (c->cells)
    return pl_arena_printf(e->arena, "%.*s < %.*s", PL_FMT(c->place->name),
                           PL_FMT(pl_summand(e, c->cells)));
  return pl_arena_printf(e->arena, "%.*s < %.*s * %.*s", PL_FMT(c->place->name),
                         PL_FMT(pl_grouped(e, c->bound)),
                         PL_FMT(pl_grouped(e, c->apart)));
}

bool pl_is_in_wide_header(const pl_emitter *e, const pl_node *stmt) {
  const pl_fill *fill = &e->loop->fill;
  for (size_t i = 0; e->joins && i < fill->nloops; i++)
    if (fill->loops[i].neighbours && stmt->kind == PL_NODE_DECL_STMT &&
        stmt->nkids && stmt->kids[0]->decl == fill->loops[i].place)
      return true;
  return false;
}

static pl_str counter_type(pl_emitter *e, const pl_copy_loop *c) {
  return pl_trimmed(pl_between(e, c->node->kids[0]->range.begin,
                               c->var->name_range.begin));
}

/* `for (int i = 8 * tid; i < n; i += 8 * T)`. */
static pl_str wide_header(pl_emitter *e, const pl_copy_loop *c) {
  pl_str type = c->place == c->var ? counter_type(e, c) : pl_plain_type(e, c->place->type);
  pl_str name = c->place->name;
  long long n = c->neighbours;
  return pl_arena_printf(e->arena,
                         "for (%.*s %.*s = %lld * %.*s; %.*s; %.*s += %lld * %.*s)",
                         PL_FMT(type), PL_FMT(name), n, PL_FMT(pl_grouped(e, c->first)),
                         PL_FMT(more_text(e, c)), PL_FMT(name), n,
                         PL_FMT(pl_grouped(e, c->apart)));
}

/* The body of a copy loop for all neighbours, behind a header of its own or alone, as a row's
 * neighbours are asked or copied. */
static void render_body_for_all(pl_emitter *e, const pl_copy_loop *c, bool alone, int level,
                                pl_fill_mode mode) {
  pl_decl **wanted = e->wanted;
  size_t n = e->nwanted, cap = e->wanted_cap;
  pl_node *body = c->node->kids[3];
  e->joins = true;
  pl_find_wanted_below(e, body, mode);
  if (alone) {
    pl_render_body(e, body, level, mode);
  } else {
    pl_emit_pragmas(e, level, c->node);
    pl_render_loop_of(e, wide_header(e, c), body, level, mode);
  }
  e->joins = false;
  e->wanted = wanted;
  e->nwanted = n;
  e->wanted_cap = cap;
}

/* The loop that copies for all. */
static void render_joined(pl_emitter *e, const pl_copy_loop *c, int level,
                          pl_fill_mode mode) {
  if (c->together && e->form->words->together)
    pl_render_together(e, c->node, level);
  else
    render_body_for_all(e, c, false, level, mode);
}

/* Whether nothing but empty lines stands behind a branch that asks the same. */
static bool follows_branch(const pl_emitter *e, pl_str name, int level) {
  const struct pl_branch *last = &e->branch;
  bool same = last->end && last->end <= e->out.n && last->level == level && !e->half.n &&
              pl_str_eq(last->name, name);
  pl_str text = pl_text_view(&e->out);
  for (size_t i = last->end; same && i < text.n; i++)
    same = text.p[i] == '\n';
  return same;
}

/* The text printed since `from`, which is taken back. */
static pl_str taken_back(pl_emitter *e, size_t from) {
  pl_str text = pl_text_view(&e->out);
  text = pl_arena_str(e->arena, text.p + from, text.n - from);
  e->out.n = from;
  return text;
}

void pl_render_wide_loop(pl_emitter *e, const pl_copy_loop *c, int level,
                         pl_fill_mode mode) {
  struct pl_branch *branch = &e->branch;
  pl_str name = joined_of(e, c->neighbours)->name;
  if (follows_branch(e, name, level)) {
    e->out.n = branch->close;
    pl_str others = taken_back(e, branch->others);
    render_joined(e, c, level + 1, mode);
    branch->others = e->out.n;
    pl_text_add(&e->out, others);
  } else {
    pl_emit_open(e, level, "if (%.*s)", PL_FMT(name));
    render_joined(e, c, level + 1, mode);
    *branch = (struct pl_branch){.name = name, .level = level, .others = e->out.n};
    pl_emit_else(e, level);
  }
  pl_emit_pragmas(e, level + 1, c->node);
  pl_render_own_loop(e, c->node, level + 1, mode);
  branch->close = e->out.n;
  pl_emit_line(e, level, "}");
  branch->end = e->out.n;
}

/* ---- rows ------------------------------------------------------------------ */

/* The copies whose rows a statement makes: a copy loop, or one of the block's threads'. */
static bool makes_row(const pl_emitter *e, const pl_copy *copy, const pl_node *node) {
  const pl_copy_loop *c = pl_loop_of_row(e->loop, copy);
  return copy->row && (c ? c->node == node : copy->row->unit == node);
}

static const pl_copy *first_in_row(const pl_emitter *e, const pl_node *node) {
  for (size_t i = 0; i < e->loop->fill.ncopies; i++)
    if (makes_row(e, &e->loop->fill.copies[i], node))
      return &e->loop->fill.copies[i];
  return NULL;
}

bool pl_is_row_at(const pl_emitter *e, const pl_node *node, pl_fill_mode mode) {
  return mode == PL_FILL_ASYNC && e->row == PL_NO_ROW && !e->joins && copies_rows(e) &&
         !e->loop->caller && first_in_row(e, node);
}

/* Asks the guards of the last row's last neighbour, which has the largest indices. */
static void ask_last_row(pl_emitter *e, const pl_copy_loop *c, int level,
                         pl_fill_mode mode) {
  pl_emit_open(e, level, "if (%.*s)", PL_FMT(e->full));
  pl_emit_line(e, level + 1, "%.*s %.*s = %.*s - %lld;", PL_FMT(counter_type(e, c)),
               PL_FMT(c->var->name), PL_FMT(pl_grouped(e, c->bound)),
               (long long)c->row);
  e->row = PL_ROW_ASKED;
  render_body_for_all(e, c, true, level + 1, mode);
  e->row = PL_NO_ROW;
  pl_emit_line(e, level, "}");
}

static bool has_guard(const pl_emitter *e, const pl_node *node) {
  for (size_t i = 0; i < e->loop->fill.ncopies; i++)
    if (makes_row(e, &e->loop->fill.copies[i], node) &&
        e->loop->fill.copies[i].row->cond)
      return true;
  return false;
}

/* Whether all rows that a statement makes are whole; text ahead of the question. */
static pl_str whole_text(pl_emitter *e, const pl_copy *copy, const pl_node *node,
                         int level, pl_fill_mode mode) {
  const pl_copy_loop *c = pl_loop_of_row(e->loop, copy);
  pl_str whole = joined_of(e, group_of_row(e, copy))->name;
  if (!has_guard(e, node))
    return whole;
  e->full = pl_emit_name(e, "full", PL_STR(""));
  if (!c) {
    e->row = PL_ROW_ASKED;
    pl_emit_line(e, level, "const bool %.*s = %.*s && %.*s;", PL_FMT(e->full),
                 PL_FMT(whole), PL_FMT(guard_text(e, copy, false)));
    e->row = PL_NO_ROW;
    return e->full;
  }
  pl_emit_line(e, level, "bool %.*s = %.*s;", PL_FMT(e->full), PL_FMT(whole));
  ask_last_row(e, c, level, mode);
  return e->full;
}

/* The elected thread's bulk copies. */
static void render_bulk(pl_emitter *e, const pl_copy *copy, int level,
                        pl_fill_mode mode) {
  const pl_copy_loop *c = pl_loop_of_row(e->loop, copy);
  pl_emit_words(e, level, e->form->words->fence, (pl_copy_values){0});
  if (!c) {
    render_row_copy(e, copy, level,
                    pl_arena_printf(e->arena, "blockDim.x * sizeof(%.*s)",
                                    PL_FMT(pl_plain_type(e, copy->type))));
    return;
  }
  pl_emit_open(e, level, "for (%.*s %.*s = 0; %.*s; %.*s += %lld)",
               PL_FMT(counter_type(e, c)), PL_FMT(c->var->name),
               PL_FMT(pl_node_text(e, c->node->kids[1])), PL_FMT(c->var->name),
               (long long)c->row);
  e->row = PL_ROW_COPIED;
  render_body_for_all(e, c, true, level + 1, mode);
  e->row = PL_NO_ROW;
  pl_emit_line(e, level, "}");
}

void pl_open_row(pl_emitter *e, const pl_node *node, int level, pl_fill_mode mode) {
  const pl_copy *copy = first_in_row(e, node);
  pl_str whole = whole_text(e, copy, node, level, mode);
  pl_emit_open(e, level, "if (%.*s)", PL_FMT(whole));
  pl_emit_open(e, level + 1, "%s", e->form->words->elects);
  render_bulk(e, copy, level + 2, mode);
  pl_emit_line(e, level + 1, "}");
  pl_emit_else(e, level);
}
