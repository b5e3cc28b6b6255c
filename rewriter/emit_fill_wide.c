/* emit_fill_wide.c - a copy that some iterations of a copy loop make at once.
 *
 * Needs: widen (which copies, for how many, what that takes for granted). Gives:
 * in front of the tile loop how many elements are one copy, the headers of the
 * copy loops that take as many at once, the copy with its guard, and the elements
 * by themselves where it cannot be made. Raises nothing.
 *
 * What is asked of all neighbours is asked of the last of them, in the user's own
 * words: `col < N` becomes `col + 7 < N`. */
#include "emit_fill.h"
#include "widen.h"

#define LINE 90

/* Whether all copies of a copy loop are asynchronous ones in this form. */
static bool is_widened(const pl_emitter *e, const pl_copy_loop *c) {
  const pl_loop *loop = e->loop;
  if (!c || !c->neighbours || loop->variant != PL_VARIANT_CP_ASYNC)
    return false;
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    if (loop->fill.copies[i].load &&
        pl_node_within(loop->fill.copies[i].store, c->node) &&
        !pl_is_copied_async(e, &loop->fill.copies[i]))
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
  for (size_t i = 0; i < loop->fill.ncopies; i++) {
    const pl_copy *copy = &loop->fill.copies[i];
    if (copy->wide && copy->wide->unit == node &&
        pl_is_wide_loop(e, pl_loop_of_wide(loop, copy), mode))
      return copy;
  }
  return NULL;
}

/* ---- how many are one copy ----------------------------------------------- */

static pl_str premise_text(pl_emitter *e, const pl_premise *premise) {
  pl_str node = premise->node ? pl_grouped(e, premise->node)
                              : pl_plain_type(e, premise->type);
  switch (premise->kind) {
  case PL_PREMISE_ROW_STEP:
    return pl_arena_printf(e->arena, "blockDim.x == %.*s", PL_FMT(node));
  case PL_PREMISE_BLOCK_STEP:
    return pl_arena_printf(e->arena, "blockDim.x * blockDim.y == %.*s",
                           PL_FMT(node));
  case PL_PREMISE_MULTIPLE:
    return pl_arena_printf(e->arena, "%.*s %% %lld == 0", PL_FMT(node),
                           (long long)premise->neighbours);
  case PL_PREMISE_ALIGNED:
    return pl_arena_printf(e->arena, "(size_t)%.*s %% %lld == 0", PL_FMT(node),
                           (long long)premise->bytes);
  case PL_PREMISE_SIZE:
    return pl_arena_printf(e->arena,
                           "sizeof(%.*s) == %lld && __is_trivially_copyable(%.*s)",
                           PL_FMT(node),
                           (long long)(premise->bytes / premise->neighbours),
                           PL_FMT(node));
  }
  return PL_STR("");
}

/* `const int group = A && B ? 8 : 1;`, on as many lines as it takes. */
static void emit_group(pl_emitter *e, int level, const struct pl_group *group) {
  const pl_loop *loop = e->loop;
  pl_text line = {.arena = e->arena};
  bool any = false;
  pl_text_printf(&line, "const int %.*s = ", PL_FMT(group->name));
  for (size_t i = 0; i < loop->npremises; i++) {
    if (loop->premises[i].neighbours != group->neighbours)
      continue;
    pl_str term = premise_text(e, &loop->premises[i]);
    bool breaks = any && line.n + term.n > LINE;
    pl_text_printf(&line, "%s", any ? " &&" : "");
    if (breaks) {
      pl_emit_line(e, level, "%.*s", PL_FMT(pl_text_view(&line)));
      line = (pl_text){.arena = e->arena};
    }
    pl_text_printf(&line, "%.*s%.*s", PL_FMT(breaks ? e->step : PL_STR("")),
                   PL_FMT(breaks || !any ? PL_STR("") : PL_STR(" ")));
    pl_text_add(&line, term);
    any = true;
  }
  pl_text_printf(&line, any ? " ? %lld : 1;" : "%lld;",
                 (long long)group->neighbours);
  pl_emit_line(e, level, "%.*s", PL_FMT(pl_text_view(&line)));
}

static const struct pl_group *group_of(const pl_emitter *e, int64_t neighbours) {
  for (size_t i = 0; i < e->ngroups; i++)
    if (e->groups[i].neighbours == neighbours)
      return &e->groups[i];
  return NULL;
}

void pl_emit_groups(pl_emitter *e, int level) {
  const pl_fill *fill = &e->loop->fill;
  e->ngroups = 0;
  for (size_t i = 0; i < fill->nloops; i++) {
    int64_t neighbours = fill->loops[i].neighbours;
    if (!is_widened(e, &fill->loops[i]) || group_of(e, neighbours))
      continue;
    if (!e->ngroups) {
      e->each = pl_emit_name(e, "each", PL_STR(""));
      pl_emit_line(e, level, "// Elements that one asynchronous copy takes, where "
                             "all is aligned.");
    }
    struct pl_group *group = &e->groups[e->ngroups++];
    *group = (struct pl_group){neighbours,
                               pl_emit_name(e, "group", PL_STR(""))};
    emit_group(e, level, group);
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
  if (!a->one)
    return pl_arena_printf(e->arena, "%.*s + %lld", PL_FMT(text),
                           (long long)(by * (a->n.width - 1)));
  if (by == 1)
    return pl_arena_printf(e->arena, "%.*s + %.*s", PL_FMT(text),
                           PL_FMT(e->each));
  return pl_arena_printf(e->arena, "%.*s + %lld * %.*s", PL_FMT(text),
                         (long long)by, PL_FMT(e->each));
}

/* `left < right`, of which one side grows from neighbour to neighbour. */
static pl_str ask_comparison(asked *a, pl_node *cond, bool some) {
  pl_emitter *e = a->e;
  int64_t left = pl_slope_of(&a->n, cond->kids[0]).by;
  int64_t right = pl_slope_of(&a->n, cond->kids[1]).by;
  bool less = cond->op == PL_OP_LT || cond->op == PL_OP_LE;
  bool last_first = less ? right > 0 : left > 0; /* the last one's holds first */
  pl_str plain = pl_node_text(e, cond);
  if ((!left && !right) || (!a->one && pl_holds_for_all_or_none(&a->n, cond)))
    return plain;
  pl_str moved = pl_arena_printf(
      e->arena, "%.*s %s %.*s", PL_FMT(moved_operand(a, cond->kids[0], left)),
      pl_op_name(cond->op), PL_FMT(moved_operand(a, cond->kids[1], right)));
  if (a->one)
    return moved;
  if (!pl_compares_unsigned(cond))
    return last_first == some ? moved : plain;
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

static asked asked_of(pl_emitter *e, const pl_copy *copy, bool one) {
  const pl_copy_loop *c = pl_loop_of_wide(e->loop, copy);
  pl_neighbours n = {.loop = e->loop, .width = c->neighbours,
                     .bytes = c->neighbours * copy->bytes, .counter = c->var,
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
  const pl_wide_copy *wide = copy->wide;
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
  pl_node_walk(copy->dst, want, e);
  pl_node_walk(copy->load, want, e);
  pl_node_walk(copy->wide->fill, want, e);
  pl_node_walk(copy->wide->cond, want_of_guard, &w);
}

/* ---- copies -------------------------------------------------------------- */

/* `p[each]`, `(&A[i])[each]`. */
static pl_str element_of(pl_emitter *e, pl_str address) {
  bool name = pl_first_word(address).n == address.n;
  return pl_arena_printf(e->arena, name ? "%.*s[%.*s]" : "(%.*s)[%.*s]",
                         PL_FMT(address), PL_FMT(e->each));
}

/* The elements by themselves. */
static void render_each(pl_emitter *e, const pl_copy *copy, int level, pl_str group,
                        pl_str to, pl_str from) {
  const pl_wide_copy *wide = copy->wide;
  pl_str each = e->each;
  pl_emit_open(e, level, "for (int %.*s = 0; %.*s < %.*s; ++%.*s)", PL_FMT(each),
               PL_FMT(each), PL_FMT(group), PL_FMT(each));
  if (wide->cond)
    pl_emit_line(e, level + 1, "if (%.*s)", PL_FMT(guard_text(e, copy, true)));
  pl_emit_line(e, level + (wide->cond ? 2 : 1), "%.*s = %.*s;",
               PL_FMT(element_of(e, to)), PL_FMT(element_of(e, from)));
  if (wide->fill) {
    pl_emit_line(e, level + 1, "else");
    pl_emit_line(e, level + 2, "%.*s = %.*s;", PL_FMT(element_of(e, to)),
                 PL_FMT(pl_node_text(e, wide->fill)));
  }
  pl_emit_line(e, level, "}");
}

void pl_render_wide(pl_emitter *e, const pl_copy *copy, int level) {
  const pl_copy_loop *c = pl_loop_of_wide(e->loop, copy);
  pl_str group = group_of(e, c->neighbours)->name;
  pl_str to = pl_target_text(e, copy);
  pl_str from = pl_address_text(e, copy->load);
  pl_str guard = copy->wide->cond
                     ? pl_arena_printf(e->arena, " && %.*s",
                                       PL_FMT(guard_text(e, copy, false)))
                     : PL_STR("");
  pl_emit_open(e, level, "if (%.*s == %lld%.*s)", PL_FMT(group),
               (long long)c->neighbours, PL_FMT(guard));
  pl_emit_line(e, level + 1, "__pipeline_memcpy_async(%.*s, %.*s, %lld);%.*s",
               PL_FMT(to), PL_FMT(from), (long long)(copy->bytes * c->neighbours),
               PL_FMT(pl_trailing_comment(e, copy->store)));
  if (e->brace_own_line) {
    pl_emit_line(e, level, "}");
    pl_emit_open(e, level, "else");
  } else {
    pl_emit_line(e, level, "} else {");
  }
  render_each(e, copy, level + 1, group, to, from);
  pl_emit_line(e, level, "}");
}

/* `for (int i = group * tid; i < n; i += group * T)`. */
void pl_open_wide_loop(pl_emitter *e, const pl_copy_loop *c, int level) {
  pl_str group = group_of(e, c->neighbours)->name;
  pl_str type = pl_trimmed(pl_between(e, c->node->kids[0]->range.begin,
                                      c->var->name_range.begin));
  pl_emit_open(e, level, "for (%.*s %.*s = %.*s * %.*s; %.*s; %.*s += %.*s * %.*s)",
               PL_FMT(type), PL_FMT(c->var->name),
               PL_FMT(group), PL_FMT(pl_grouped(e, c->start)),
               PL_FMT(pl_node_text(e, c->node->kids[1])), PL_FMT(c->var->name),
               PL_FMT(group), PL_FMT(pl_grouped(e, c->step)));
}
