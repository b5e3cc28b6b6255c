/* emit_fill_stores.c - one store, as its mode wants it.
 *
 * Needs: split (how each copy is staged). Gives: the fetch into registers, the
 * store from them, or the asynchronous copy. Raises nothing. */
#include "emit_fill.h"
#include "line_breaks.h"

#include <string.h>

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
    pl_text_add(&out, pl_between(e, at, next->range.begin));
    pl_str name = pl_register_name(e, next, pl_copy_base(e, copy));
    pl_str index = pl_brackets(e, copy->store, false);
    pl_text_printf(&out, "%s%.*s%.*s", e->register_prefix, PL_FMT(name),
                   PL_FMT(index));
    at = next->range.end;
  }
  pl_text_add(&out, pl_between(e, at, end));
  return pl_trimmed(pl_text_view(&out));
}

/* Whether the words that end at a token declare its name: `typedef float real`,
 * `using real`. */
static bool declares_name(const pl_unit *unit, uint32_t at) {
  for (uint32_t i = at; i-- > 0;) {
    if (pl_token_is(unit, i, "typedef") || pl_token_is(unit, i, "using"))
      return true;
    if (pl_token_is(unit, i, ";") || pl_token_is(unit, i, "{") ||
        pl_token_is(unit, i, "}") || pl_directive_at(unit, i).n)
      return false;
  }
  return false;
}

/* Whether a preprocessor condition chooses what a type's name stands for: another
 * build may have it narrower, and is to get the same text. */
static bool is_chosen_by_build(const pl_unit *unit, pl_str name) {
  int depth = 0;
  for (uint32_t i = 0; name.n && i < unit->ntokens; i++) {
    pl_str word = pl_directive_at(unit, i);
    if (word.n)
      depth += pl_str_starts(word, "if") - pl_str_starts(word, "endif");
    else if (depth > 0 && pl_str_eq(pl_token_text(unit, i), name) &&
             declares_name(unit, i))
      return true;
  }
  return false;
}

/* Whether another instantiation of the function in sight has a narrower type. */
static bool is_narrow_elsewhere(const pl_func *func, const pl_type *type) {
  const pl_type *in_text = type ? type->in_text : NULL;
  bool narrow = false;
  for (uint32_t i = 0; in_text && i < func->ninstances; i++) {
    int64_t size = pl_type_size(in_text, func, &func->instances[i]);
    narrow = narrow || (size > 0 && size < 4);
  }
  return narrow;
}

/* A guarded value narrower than a register is fetched by a branch, in its own
 * type: as a conditional expression it is widened first, which waits for the
 * load. */
static bool fetches_by_branch(pl_emitter *e, const pl_copy *copy) {
  const pl_node *src = pl_node_bare(copy->src);
  if (src->kind != PL_NODE_COND || !src->op_range.end || !copy->load ||
      copy->via || copy->bytes <= 0)
    return false;
  return copy->bytes < 4 || is_narrow_elsewhere(e->loop->func, copy->type) ||
         is_chosen_by_build(e->unit->conditional, pl_plain_type(e, copy->type));
}

static void render_branch(pl_emitter *e, const pl_copy *copy, int level) {
  const pl_node *src = pl_node_bare(copy->src);
  pl_str name = pl_copy_register(e, copy);
  bool first = pl_node_bare(src->kids[1]) == copy->load;
  const pl_node *fill = src->kids[first ? 2 : 1];
  bool declare = pl_is_at_top(e, copy->store);
  pl_str type = declare ? pl_plain_type(e, copy->type) : PL_STR("");
  pl_str cond = pl_node_text(e, pl_node_bare(src->kids[0]));
  if (!first)
    cond = pl_arena_printf(e->arena, "!(%.*s)", PL_FMT(cond));
  pl_emit_comment_above(e, level, copy->store);
  pl_emit_line(e, level, "%.*s%s%.*s = %.*s;", PL_FMT(type),
               declare ? " " : "", PL_FMT(name),
               PL_FMT(pl_node_text(e, fill)));
  pl_emit_line(e, level, "if (%.*s)", PL_FMT(cond));
  pl_emit_under(e, level, "%.*s = %.*s;", PL_FMT(name),
                PL_FMT(pl_node_text(e, copy->load)));
}

/* ---- memcpy and memset ----------------------------------------------------- */

/* An expression in the place of a store, with the comment behind it. */
static void render_expression(pl_emitter *e, const pl_copy *copy, int level,
                              pl_str text) {
  pl_emit_statement(
      e, level,
      pl_arena_printf(e->arena, "%.*s;%.*s", PL_FMT(text),
                      PL_FMT(pl_trailing_comment(e, copy->store))),
      copy->store);
}

static void render_bytes(pl_emitter *e, const pl_copy *copy, int level,
                         pl_str callee, pl_str to, pl_str from) {
  render_expression(e, copy, level,
                    pl_arena_printf(e->arena, "%.*s(%.*s, %.*s, %.*s)",
                                    PL_FMT(callee), PL_FMT(to), PL_FMT(from),
                                    PL_FMT(pl_node_text(e, copy->nbytes))));
}

/* `memcpy(&As_next, &A[i], 16);` */
static void fetch_bytes(pl_emitter *e, const pl_copy *copy, int level) {
  pl_str name = pl_copy_register(e, copy);
  if (!pl_is_staged_value(e, copy))
    return;
  if (pl_is_at_top(e, copy->store))
    pl_emit_line(e, level, "%.*s %.*s%.*s;",
                 PL_FMT(pl_plain_type(e, copy->type)), PL_FMT(name),
                 PL_FMT(pl_bytes_bound(e, copy)));
  render_bytes(e, copy, level, pl_bytes_callee(e, copy),
               pl_arena_printf(e->arena, "&%.*s", PL_FMT(name)),
               pl_bytes_from(e, copy));
}

/* `memset` as the memcpy of what it has set. */
static pl_str copying_callee(pl_emitter *e, const pl_copy *copy) {
  pl_str scope = pl_bytes_callee(e, copy), name = {scope.p, 0};
  if (scope.n >= strlen("memcpy")) {
    scope.n -= strlen("memcpy");
    name = (pl_str){scope.p + scope.n, strlen("memcpy")};
  }
  bool spelt = pl_str_is(name, "memcpy") || pl_str_is(name, "memset");
  return spelt ? pl_arena_printf(e->arena, "%.*smemcpy", PL_FMT(scope))
               : PL_STR("memcpy");
}

/* `memcpy(&As[i], &As_next, 16);` */
static void store_bytes(pl_emitter *e, const pl_copy *copy, int level) {
  bool staged = pl_is_staged_value(e, copy);
  pl_str from = pl_arena_printf(e->arena, "&%.*s",
                                PL_FMT(pl_copy_register(e, copy)));
  render_bytes(e, copy, level,
               staged ? copying_callee(e, copy) : pl_bytes_callee(e, copy),
               pl_bytes_to(e, copy), staged ? from : pl_bytes_from(e, copy));
}

/* ---- into registers and out ------------------------------------------------ */

static void emit_fetch(pl_emitter *e, int level, pl_str to, pl_str value, pl_str comment,
                       const pl_copy *copy) {
  pl_str text = pl_arena_printf(e->arena, "%.*s;%.*s",
                                PL_FMT(pl_behind(e, to, value, copy->store)), PL_FMT(comment));
  pl_emit_statement(e, level, text, copy->store);
}

void pl_render_fetch(pl_emitter *e, const pl_copy *copy, int level) {
  if (copy->nbytes) {
    fetch_bytes(e, copy, level);
    return;
  }
  if (fetches_by_branch(e, copy) && pl_is_staged_value(e, copy)) {
    render_branch(e, copy, level);
    return;
  }
  bool declare = pl_is_at_top(e, copy->store);
  pl_str comment = pl_trailing_comment(e, copy->store);
  if (pl_is_staged_value(e, copy)) {
    pl_str type = declare ? pl_plain_type(e, copy->type) : PL_STR("");
    pl_str to = pl_arena_printf(e->arena, "%.*s%s%.*s = ", PL_FMT(type),
                                declare ? " " : "", PL_FMT(pl_copy_register(e, copy)));
    emit_fetch(e, level, to, pl_right_text(e, copy), comment, copy);
    return;
  }
  for (size_t i = 0; copy->staging == PL_STAGE_LEAVES && i < copy->nleaves;
       i++) {
    const pl_node *leaf = copy->leaves[i];
    pl_str name = pl_register_name(e, leaf, pl_copy_base(e, copy));
    pl_str type = declare ? pl_plain_type(e, leaf->type) : PL_STR("");
    pl_str to = pl_arena_printf(e->arena, "%.*s%s%s%.*s%.*s = ", PL_FMT(type),
                                declare ? " " : "", e->register_prefix, PL_FMT(name),
                                PL_FMT(pl_brackets(e, copy->store, false)));
    emit_fetch(e, level, to, pl_node_text(e, leaf), PL_STR(""), copy);
  }
}

/* `put(&As[i], value);` */
static pl_str storing_call(pl_emitter *e, const pl_copy *copy, pl_str value) {
  pl_range store = copy->store->range, old = copy->src->range;
  return pl_arena_printf(e->arena, "%.*s%.*s%.*s",
                         PL_FMT(pl_between(e, store.begin, old.begin)),
                         PL_FMT(value),
                         PL_FMT(pl_between(e, old.end, store.end)));
}

static void store_by_call(pl_emitter *e, const pl_copy *copy, int level) {
  pl_str value = pl_is_staged_value(e, copy) ? pl_copy_register(e, copy)
                                             : pl_right_text(e, copy);
  pl_emit_statement(e, level, storing_call(e, copy, value), copy->store);
}

/* The comment of what is computed of loaded values stands where that is done. */
void pl_render_store(pl_emitter *e, const pl_copy *copy, int level) {
  if (copy->nbytes) {
    store_bytes(e, copy, level);
    return;
  }
  if (copy->by_call) {
    store_by_call(e, copy, level);
    return;
  }
  pl_str value = pl_is_staged_value(e, copy)        ? pl_copy_register(e, copy)
                 : copy->staging == PL_STAGE_LEAVES ? with_leaves(e, copy)
                                                    : pl_right_text(e, copy);
  bool computes = copy->staging == PL_STAGE_LEAVES && !pl_is_staged_value(e, copy);
  pl_str comment = computes ? pl_trailing_comment(e, copy->store) : PL_STR("");
  pl_emit_statement(e, level,
                    pl_arena_printf(e->arena, "%.*s = %.*s;%.*s",
                                    PL_FMT(pl_left_text(e, copy)),
                                    PL_FMT(value), PL_FMT(comment)),
                    copy->store);
}

/* ---- asynchronous copies ------------------------------------------------- */

/* `&A[i]` of `A[i]`, `p` of `*p`, but `&*it` where the star is an operator of the
 * user's. */
static pl_str address_of(pl_emitter *e, pl_str lvalue, const pl_node *of) {
  bool by_call = pl_node_bare((pl_node *)of)->kind == PL_NODE_CALL;
  if (pl_str_starts(lvalue, "*") && !by_call)
    return pl_trimmed((pl_str){lvalue.p + 1, lvalue.n - 1});
  return pl_arena_printf(e->arena, "&%.*s", PL_FMT(lvalue));
}

pl_str pl_address_text(pl_emitter *e, pl_node *load) {
  load = pl_node_bare(load);
  if (load->kind == PL_NODE_CALL && load->nkids > 1 && !pl_named_by_call(load))
    return pl_trimmed(pl_spell(e->unit, load->kids[1]));
  return address_of(e, pl_node_text(e, load), load);
}

pl_str pl_target_text(pl_emitter *e, const pl_copy *copy) {
  if (!copy->by_call)
    return address_of(e, pl_left_text(e, copy), copy->last->kids[0]);
  pl_str place = pl_node_text(e, copy->place);
  return copy->dst == copy->place ? address_of(e, place, copy->place) : place;
}

/* The arguments of a call are laid out anew: each in one line, which line_breaks.c breaks. */
pl_str pl_async_copy_text(const pl_emitter *e, pl_str to, pl_str from,
                          pl_str bytes, pl_str zeros) {
  const pl_copy_words *words = e->form->words;
  const pl_copy_values values = {
      .name = e->pipe, .stage = e->pipe_stage, .bytes = bytes,
      .to = pl_in_one_line(e->arena, to), .from = pl_in_one_line(e->arena, from),
      .zeros = pl_in_one_line(e->arena, zeros)};
  return pl_copy_text(e->arena, zeros.n ? words->copy_or_zeros : words->copy, &values);
}

static pl_str bytes_text(pl_emitter *e, const pl_copy *copy) {
  return pl_arena_printf(e->arena, "sizeof(%.*s)", PL_FMT(pl_plain_type(e, copy->type)));
}

static pl_str async_text(pl_emitter *e, const pl_copy *copy, pl_node *load,
                         pl_str zeros, pl_str comment) {
  pl_str text = pl_async_copy_text(e, pl_target_text(e, copy), pl_address_text(e, load),
                                   bytes_text(e, copy), zeros);
  return pl_arena_printf(e->arena, "%.*s;%.*s", PL_FMT(text), PL_FMT(comment));
}

static bool has_one_line(const pl_emitter *e, const pl_node *node) {
  pl_str text = pl_unit_slice(e->unit, node->range);
  return !memchr(text.p, '\n', text.n);
}

/* Each arm has the comment that ends its line; that of a statement of one line, which
 * speaks of both, stands above them. */
static pl_str arm_comment(pl_emitter *e, const pl_copy *copy,
                          const pl_node *arm) {
  if (has_one_line(e, copy->store))
    return PL_STR("");
  pl_str own = pl_trailing_comment(e, arm);
  bool is_last = own.n == 0 && copy->store->range.end <= arm->range.end + 1;
  return is_last ? pl_trailing_comment(e, copy->store) : own;
}

static void render_async_arm(pl_emitter *e, const pl_copy *copy, pl_node *arm,
                             int level) {
  arm = pl_node_bare(arm);
  pl_str comment = arm_comment(e, copy, arm);
  pl_str value = pl_node_text(e, arm);
  pl_str text =
      arm == copy->load ? async_text(e, copy, arm, PL_STR(""), comment)
      : copy->by_call
          ? pl_arena_printf(e->arena, "%.*s%.*s",
                            PL_FMT(storing_call(e, copy, value)),
                            PL_FMT(comment))
          : pl_arena_printf(e->arena, "%.*s = %.*s;%.*s",
                            PL_FMT(pl_left_text(e, copy)), PL_FMT(value),
                            PL_FMT(comment));
  pl_emit_statement(e, level, text, copy->store);
}

/* `c ? A[i] : 0` by one copy. */
static bool fills_zeros(pl_emitter *e, const pl_copy *copy, const pl_node *source,
                        int level) {
  pl_node *yes = pl_node_bare(source->kids[1]);
  pl_str own = pl_trailing_comment(e, source->kids[1]);
  if (yes != copy->load || own.n || copy->by_call)
    return false;
  pl_str zeros = pl_zeros_text(e, copy->load, source->kids[2],
                               pl_grouped(e, source->kids[0]), bytes_text(e, copy));
  if (zeros.n)
    pl_emit_statement(e, level,
                      async_text(e, copy, copy->load, zeros,
                                 pl_trailing_comment(e, copy->store)), copy->store);
  return zeros.n > 0;
}

void pl_render_async(pl_emitter *e, const pl_copy *copy, int level) {
  if (!pl_is_copied_async(e, copy)) {
    pl_emit_with_comment(e, level, copy->store);
    return;
  }
  if (copy->nbytes) {
    pl_str from = copy->via ? pl_address_text(e, copy->load)
                            : pl_bytes_from(e, copy);
    pl_str bytes = pl_node_text(e, copy->nbytes);
    render_expression(e, copy, level, pl_async_copy_text(e, pl_bytes_to(e, copy),
                                                         from, bytes, PL_STR("")));
    return;
  }
  pl_node *source = pl_node_bare(pl_async_source(copy));
  if (source->kind != PL_NODE_COND) {
    pl_str comment = pl_trailing_comment(e, copy->store);
    pl_emit_statement(e, level, async_text(e, copy, copy->load, PL_STR(""), comment),
                      copy->store);
    return;
  }
  if (fills_zeros(e, copy, source, level))
    return;
  pl_node *cond = pl_node_bare(source->kids[0]);
  if (has_one_line(e, copy->store))
    pl_emit_comment_above(e, level, copy->store);
  pl_emit_open(e, level, "if (%.*s)",
               PL_FMT(pl_rebased(e, level, pl_node_text(e, cond))));
  render_async_arm(e, copy, source->kids[1], level + 1);
  pl_emit_else(e, level);
  render_async_arm(e, copy, source->kids[2], level + 1);
  pl_emit_line(e, level, "}");
}
