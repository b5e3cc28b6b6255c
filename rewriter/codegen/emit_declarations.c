/* emit_declarations.c - what is declared anew, moved or taken away.
 *
 * Needs: the tiles and stages of the plan. Gives: the tiles with their stages,
 * the edits of their declarations and of what names their types, and what moves
 * in front of a loop. Raises nothing. */
#include "emit.h"

#include <string.h>

/* The name that a tile of the same name got in another function, so that each
 * kernel of a file has its As_stage. */
static pl_str reused_stage_name(const pl_emitter *e, const pl_decl *decl,
                                const pl_func *func) {
  for (size_t i = 0; i < e->ntiles; i++) {
    const pl_staged_tile *tile = &e->tiles[i];
    if (!pl_str_eq(tile->decl->name, decl->name) || tile->func == func)
      continue;
    bool taken = false;
    for (size_t k = 0; k < e->ntiles; k++)
      taken = taken || (e->tiles[k].func == func &&
                        pl_str_eq(e->tiles[k].stage, tile->stage));
    if (!taken)
      return tile->stage;
  }
  return (pl_str){0};
}

#define WIDE_ALIGN 16

/* Whether a tile whose declaration says nothing of its alignment gets wide copies;
 * its stages are as long as their alignment asks (widen.c). */
static bool is_widened(const pl_loop *loop, const pl_tile *tile) {
  const pl_copy_words *words = pl_form_of(loop)->words;
  bool rows = tile->in_rows && words && words->row;
  return pl_variant_is_async(loop->variant) && (tile->widened || rows) &&
         tile->decl->align_attr == 0;
}

void pl_note_tile(pl_emitter *e, const pl_loop *loop, const pl_tile *tile) {
  for (size_t i = 0; i < e->ntiles; i++)
    if (pl_is_staged_in(&e->tiles[i], tile->decl, loop->func)) {
      if (e->tiles[i].stages < loop->stages)
        e->tiles[i].stages = loop->stages;
      e->tiles[i].async |= pl_variant_is_async(loop->variant);
      if (is_widened(loop, tile) && e->tiles[i].align < WIDE_ALIGN)
        e->tiles[i].align = WIDE_ALIGN;
      return;
    }
  pl_staged_tile staged = {
      .decl = tile->decl, .func = loop->func, .stages = loop->stages};
  staged.async = pl_variant_is_async(loop->variant);
  staged.counts_from = loop->counts_from;
  staged.stage = reused_stage_name(e, tile->decl, loop->func);
  if (!staged.stage.n)
    staged.stage = pl_emit_name(e, "%.*s_stage", tile->decl->name);
  staged.align = tile->align > 0 && tile->decl->align_attr == 0 ? tile->align : 0;
  if (is_widened(loop, tile) && staged.align < WIDE_ALIGN)
    staged.align = WIDE_ALIGN;
  staged.padded = pl_needs_padding(tile);
  staged.pad_align = tile->align;
  if (staged.padded)
    staged.record = pl_emit_name(e, "%.*s_padded", tile->decl->name);
  staged.dynamic = tile->dynamic ? loop->dynamic : NULL;
  if (staged.dynamic)
    pl_name_dynamic(e, &staged);
  PL_PUSH(e->arena, e->tiles, e->ntiles, e->tiles_cap, staged);
}

const pl_staged_tile *pl_staged_tile_of(const pl_emitter *e, const pl_decl *decl,
                                        const pl_func *func) {
  for (size_t i = 0; i < e->ntiles; i++)
    if (pl_is_staged_in(&e->tiles[i], decl, func))
      return &e->tiles[i];
  return NULL;
}

pl_str pl_element_text(pl_emitter *e, const pl_decl *decl) {
  pl_text out = {.arena = e->arena};
  uint32_t begin = decl->owner ? decl->node->parent->range.begin : decl->range.begin;
  int depth = 0;
  bool skipping = false;
  uint32_t end = pl_token_from(e->unit, decl->name_range.begin);
  for (uint32_t i = pl_token_from(e->unit, begin); i < end; i++) {
    const pl_token *token = &e->unit->tokens[i];
    pl_str word = pl_unit_slice(e->unit, token->range);
    if (token->kind == PL_TOK_COMMENT || pl_str_is(word, "__shared__") ||
        pl_str_is(word, "static") || pl_str_is(word, "extern"))
      continue;
    if (pl_str_is(word, "__align__") || pl_str_is(word, "alignas")) {
      skipping = true;
      continue;
    }
    if (skipping) {
      depth += pl_str_is(word, "(") ? 1 : pl_str_is(word, ")") ? -1 : 0;
      skipping = depth > 0;
      continue;
    }
    if (out.n && token->kind != PL_TOK_PUNCT &&
        e->unit->text.p[token->range.begin - 1] == ' ')
      pl_text_add(&out, PL_STR(" "));
    pl_text_add(&out, word);
  }
  return pl_text_view(&out);
}

static pl_str padded_declaration(pl_emitter *e, const pl_staged_tile *tile) {
  const pl_decl *decl = tile->decl;
  pl_str type = pl_element_text(e, decl);
  pl_str dims = pl_unit_slice(
      e->unit, (pl_range){decl->name_range.end, decl->range.end});
  pl_str indent = pl_emit_indent_of(e->unit, decl->node->parent->range.begin);
  return pl_arena_printf(
      e->arena,
      "struct __align__(%d) %.*s { %.*s tile%.*s; };\n%.*s__shared__ %.*s "
      "%.*s[%.*s];",
      (int)tile->pad_align, PL_FMT(tile->record), PL_FMT(type), PL_FMT(dims),
      PL_FMT(indent), PL_FMT(tile->record), PL_FMT(tile->stage),
      PL_FMT(pl_count_of_tile(e, tile)));
}

/* Whether the elements' type, under its own name, is aligned so in each build: `float4`. */
static bool is_aligned_by_type(pl_emitter *e, const pl_decl *decl, int64_t align) {
  const pl_type *type = decl->type;
  while (type && type->kind == PL_TYPE_ARRAY)
    type = type->element;
  return type && !type->in_text && !type->is_user && type->align >= align &&
         pl_str_eq(pl_element_text(e, decl), type->spelling);
}

/* The declaration statement of shared objects with the tiles' stages. */
static pl_str emit_declaration(pl_emitter *e, const pl_node *stmt) {
  const pl_decl *declared = stmt->kids[0]->decl;
  const pl_staged_tile *first =
      pl_staged_tile_of(e, declared, declared ? declared->owner : NULL);
  if (first && first->dynamic)
    return pl_emit_dynamic(e, first, stmt);
  if (first && first->padded)
    return padded_declaration(e, first);
  pl_text out = {.arena = e->arena};
  uint32_t at = stmt->range.begin;
  int64_t align = 0;
  for (uint32_t i = 0; i < stmt->nkids; i++) {
    const pl_decl *decl = stmt->kids[i]->decl;
    const pl_staged_tile *tile = pl_staged_tile_of(e, decl, decl ? decl->owner : NULL);
    if (!tile)
      continue;
    if (tile->align > align && !is_aligned_by_type(e, decl, tile->align))
      align = tile->align;
    pl_text_add(&out, pl_unit_slice(e->unit,
                                    (pl_range){at, decl->name_range.begin}));
    pl_text_printf(&out, "%.*s[%.*s]", PL_FMT(tile->stage),
                   PL_FMT(pl_count_of_tile(e, tile)));
    at = decl->name_range.end;
  }
  pl_text_add(&out, pl_unit_slice(e->unit, (pl_range){at, stmt->range.end}));
  pl_str text = pl_text_view(&out);
  if (!align || !pl_str_starts(text, "__shared__"))
    return text;
  size_t word = sizeof "__shared__" - 1;
  return pl_arena_printf(e->arena, "__shared__ __align__(%d)%.*s",
                         (int)align, (int)(text.n - word),
                         text.p + word);
}

static bool hoisted_by_a_loop(const pl_loops *loops, const pl_node *stmt) {
  for (size_t i = 0; i < loops->n; i++) {
    const pl_loop *loop = loops->items[i];
    for (size_t k = 0; !loop->settled && k < loop->nstmts; k++)
      if (loop->stmts[k].node == stmt)
        return true;
  }
  return false;
}

/* Of a block that is declared outside the function: behind its first brace. */
static void say_at_begin(pl_emitter *e, const pl_staged_tile *tile) {
  const pl_node *body = tile->func->body;
  uint32_t first = body->nkids ? body->kids[0]->range.begin : body->range.begin;
  pl_str indent = pl_emit_indent_of(e->unit, first);
  pl_emit_add_edit(e, body->range.begin + 1, 0,
                   pl_emit_dynamic_stages(e, tile, indent));
}

void pl_edit_declarations(pl_emitter *e, const pl_loops *loops) {
  for (size_t i = 0; i < e->ntiles; i++) {
    if (!e->tiles[i].decl->owner) {
      say_at_begin(e, &e->tiles[i]);
      continue;
    }
    const pl_node *stmt = e->tiles[i].decl->node->parent;
    bool seen = hoisted_by_a_loop(loops, stmt);
    for (size_t k = 0; k < i; k++)
      seen = seen || (e->tiles[k].decl->owner &&
                      e->tiles[k].decl->node->parent == stmt);
    uint32_t end = e->tiles[i].dynamic ? pl_end_with_comment(e->unit, stmt)
                                       : stmt->range.end;
    if (!seen)
      pl_emit_add_edit(e, stmt->range.begin, end - stmt->range.begin,
                       pl_arena_printf(
                           e->arena, "%.*s%.*s",
                           PL_FMT(pl_count_before(e, stmt, e->tiles[i].stages)),
                           PL_FMT(emit_declaration(e, stmt))));
  }
}

/* Where the line in front of a place begins; itself where that has text. */
static uint32_t blank_line_before(const pl_unit *unit, uint32_t at) {
  uint32_t begin = at ? at - 1 : 0;
  while (begin && strchr(" \t\r", unit->text.p[begin - 1]))
    begin--;
  return at && unit->text.p[at - 1] == '\n' &&
                 (!begin || unit->text.p[begin - 1] == '\n')
             ? begin
             : at;
}

static uint32_t blank_line_behind(const pl_unit *unit, uint32_t at) {
  uint32_t end = at;
  while (end < unit->text.n && strchr(" \t\r", unit->text.p[end]))
    end++;
  return end < unit->text.n && unit->text.p[end] == '\n' ? end + 1 : at;
}

/* Where the text before a place ends that no edit takes away. */
static uint32_t kept_before(const pl_emitter *e, uint32_t at) {
  for (size_t i = 0; i < e->nedits; i++)
    if (e->edits[i].length && !e->edits[i].text_length &&
        e->edits[i].offset + e->edits[i].length == at)
      return kept_before(e, e->edits[i].offset);
  return at;
}

/* The blank line's worth of text that a deleted statement leaves: all of its
 * lines where it stands alone on them, and of the blank lines on both sides of
 * them that which follows. */
static pl_range with_own_lines(const pl_emitter *e, pl_range range) {
  const pl_unit *unit = e->unit;
  pl_range whole = range;
  while (whole.begin && strchr(" \t", unit->text.p[whole.begin - 1]))
    whole.begin--;
  while (whole.end < unit->text.n && strchr(" \t\r", unit->text.p[whole.end]))
    whole.end++;
  bool alone = (!whole.begin || unit->text.p[whole.begin - 1] == '\n') &&
               whole.end < unit->text.n && unit->text.p[whole.end] == '\n';
  if (!alone)
    return range;
  whole.end++;
  uint32_t kept = kept_before(e, whole.begin);
  if (blank_line_before(unit, kept) < kept)
    whole.end = blank_line_behind(unit, whole.end);
  return whole;
}

static bool name_first_stage(pl_node *node, void *context) {
  pl_emitter *e = context;
  if (node->kind == PL_NODE_REF && node->decl &&
      pl_loop_tile(e->loop, node->decl))
    pl_emit_add_edit(e, node->range.begin, node->range.end - node->range.begin,
                     pl_emit_tile_place(e, node->decl));
  return true;
}

/* Names for places in a tile that are made anew inside the loops. */
void pl_delete_derived(pl_emitter *e, const pl_loop *loop) {
  for (size_t i = 0; i < loop->nderived; i++) {
    bool fetches = pl_form_of(loop)->registers;
    if (pl_named_outside(loop, loop->derived[i]) ||
        (fetches && pl_stands_in_front(loop, loop->derived[i]))) {
      pl_node_walk(loop->derived[i], name_first_stage, e);
      continue;
    }
    pl_range range = with_own_lines(e, loop->derived[i]->range);
    pl_emit_add_edit(e, range.begin, range.end - range.begin, PL_STR(""));
  }
}

/* ---- in front of a loop -------------------------------------------------- */

/* A lambda that takes no copies of other values. */
static bool is_plain_lambda(const pl_loop *loop, const pl_node *init) {
  pl_str text = pl_unit_slice(loop->unit, init->range);
  return init->kind == PL_NODE_LAMBDA &&
         (pl_str_starts(text, "[]") || pl_str_starts(text, "[&]") ||
          pl_str_starts(text, "[=]"));
}

/* Whether a variable is what waits, or waits for the block, by its type. */
static bool is_waiter(pl_loop *loop, const pl_decl *decl) {
  return decl && decl->init &&
         (is_plain_lambda(loop, decl->init) ||
          (pl_is_thread_block(decl->type) && pl_is_pure(loop, decl->init)));
}

/* `cg::thread_block block = cg::this_thread_block();` in the loop's body: a
 * barrier names it, and its value is the same in every iteration. */
static bool is_barrier_object(pl_loop *loop, const pl_stmt *stmt) {
  if (stmt->node->kind != PL_NODE_DECL_STMT || stmt->is_shared_decl ||
      stmt->node->nkids != 1 || !is_waiter(loop, stmt->node->kids[0]->decl))
    return false;
  for (uint32_t i = 0; i < stmt->node->kids[0]->nkids; i++)
    if (pl_node_find(stmt->node->kids[0]->kids[i], pl_is_named_inside, loop->node))
      return false;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].is_barrier &&
        pl_mentions(loop->stmts[i].node, stmt->node->kids[0]->decl))
      return true;
  return false;
}

/* They move in front of the loop: barriers stand outside the two sides. */
static void hoist_barrier_objects(pl_emitter *e, int level) {
  for (size_t i = 0; i < e->loop->nstmts; i++) {
    pl_stmt *stmt = &e->loop->stmts[i];
    if (!is_barrier_object(e->loop, stmt))
      continue;
    pl_emit_chunk(e, level, stmt->chunk, stmt->node->range.begin);
    stmt->in_load = stmt->in_compute = false;
  }
}

/* The names that the body gives types, where the load side needs them. */
static void hoist_types(pl_emitter *e, int level) {
  for (size_t i = 0; i < e->loop->nstmts; i++)
    if (e->loop->stmts[i].ahead)
      pl_emit_chunk(e, level, e->loop->stmts[i].chunk,
                    e->loop->stmts[i].node->range.begin);
}

void pl_emit_hoisted(pl_emitter *e, int level) {
  hoist_types(e, level);
  hoist_barrier_objects(e, level);
  for (size_t i = 0; i < e->loop->nstmts; i++)
    if (e->loop->stmts[i].is_shared_decl)
      pl_emit_moved(e, level,
                    emit_declaration(e, e->loop->stmts[i].node),
                    pl_emit_indent_of(e->unit,
                                      e->loop->stmts[i].node->range.begin)
                        .n);
}

/* Where what a class does is known of those in sight alone. */
static void ask_for_one_of(pl_emitter *e, int level, const pl_asked_type *asked) {
  for (size_t i = 0; i < asked->nsame; i++)
    pl_emit_line(e, level,
                 asked->is_value      ? "%s(long long)%.*s == %.*s%s"
                 : asked->is_function ? "%s%.*s == %.*s%s"
                                      : "%s__is_same(%.*s, %.*s)%s",
                 i ? "              " : "static_assert(", PL_FMT(asked->name),
                 PL_FMT(asked->same[i]), i + 1 < asked->nsame ? " ||" : ",");
  pl_emit_line(e, level,
               "              \"pipelined for this %.*s alone: run pipelinify again for "
               "another\");",
               PL_FMT(asked->name));
}

static void ask_for_plain_data(pl_emitter *e, int level, pl_str name) {
  pl_emit_line(e, level,
               "static_assert(__is_trivially_copyable(%.*s) && !__is_same(%.*s, volatile %.*s), "
               "\"%.*s must be plain data and not volatile\");",
               PL_FMT(name), PL_FMT(name), PL_FMT(name), PL_FMT(name));
}

/* Whether the loop moves on a variable of a type, of which the text may keep a copy. */
static bool may_be_copied(const pl_loop *loop, pl_str name) {
  for (size_t i = 0; i < loop->nrecurrences; i++) {
    const pl_type *type = pl_no_reference(loop->recurrences[i].decl->type);
    if (type && pl_str_eq(pl_written_type(type)->written, name))
      return true;
  }
  return false;
}

/* (No reference is trivially copyable, and it is the same as one to it; a cast to
 * `const void *` takes a pointer to anything that is not volatile.) */
void pl_emit_asked_types(pl_emitter *e, int level) {
  bool in_sight = e->loop->func->pattern != NULL;
  for (size_t i = 0; i < e->loop->nasked_types; i++) {
    const pl_asked_type *asked = &e->loop->asked_types[i];
    pl_str name = asked->name;
    if (asked->same)
      ask_for_one_of(e, level, asked);
    else if (!in_sight || (asked->is_data && !asked->points) || may_be_copied(e->loop, name))
      ask_for_plain_data(e, level, name);
    else if (asked->points)
      pl_emit_line(e, level,
                   "static_assert(sizeof(static_cast<const void *>(*(%.*s "
                   "*)nullptr)) > 0, \"%.*s must point to what is not volatile\");",
                   PL_FMT(name), PL_FMT(name));
    else
      pl_emit_line(e, level,
                   "static_assert(!__is_same(%.*s, %.*s &&) && !__is_same(%.*s, volatile "
                   "%.*s), \"%.*s must be no reference and not volatile\");",
                   PL_FMT(name), PL_FMT(name), PL_FMT(name), PL_FMT(name), PL_FMT(name));
  }
}

/* What a proof for the instantiations in sight rests on: a type that a
 * template decides must stay one that asynchronous copies can move. */
void pl_emit_asserts(pl_emitter *e, int level, const pl_fill *fill) {
  for (size_t i = 0; i < fill->ncopies; i++) {
    const pl_copy *copy = &fill->copies[i];
    bool said = !pl_is_copied_async(e, copy) || !copy->type ||
                pl_written_type(copy->type)->kind != PL_TYPE_DEPENDENT;
    for (size_t k = 0; k < i && !said; k++)
      said = pl_is_copied_async(e, &fill->copies[k]) && fill->copies[k].type &&
             pl_str_eq(fill->copies[k].type->written, copy->type->written);
    if (said)
      continue;
    pl_str type = copy->type->written;
    pl_emit_line(e, level,
                 "static_assert(__is_trivially_copyable(%.*s) && (sizeof(%.*s) "
                 "== 4 || sizeof(%.*s) == 8 || sizeof(%.*s) == 16) &&",
                 PL_FMT(type), PL_FMT(type), PL_FMT(type), PL_FMT(type));
    pl_emit_line(e, level, "              alignof(%.*s) == sizeof(%.*s),",
                 PL_FMT(type), PL_FMT(type));
    pl_emit_line(e, level, "              \"asynchronous copies move 4, 8 or "
                           "16 aligned bytes\");");
  }
}

/* ---- tiles named for their type ------------------------------------------ */

typedef struct type_walk {
  pl_emitter *e;
  const pl_loops *loops;
  const pl_func *func; /* whose body is walked */
} type_walk;

static bool is_emitted(const pl_loops *loops, const pl_node *node) {
  for (size_t i = 0; i < loops->n; i++)
    if (!loops->items[i]->settled && loops->items[i]->node == node)
      return true;
  return false;
}

/* Behind the loop whose last tile is used there: the variable that says which
 * stage it is in; empty: some other place. */
static pl_str last_stage(const pl_loops *loops, const pl_func *func,
                         const pl_node *ref) {
  for (size_t i = 0; i < loops->n; i++) {
    const pl_loop *loop = loops->items[i];
    const pl_tile *tile = loop->last_stage.n && loop->func == func
                              ? pl_loop_tile(loop, ref->decl)
                              : NULL;
    if (tile && tile->lasts && ref->range.begin > loop->node->range.begin)
      return loop->last_stage;
  }
  return (pl_str){0};
}

/* A type is any stage's; a store goes to one that no asynchronous copy fills
 * before the first barrier of the loop. */
static void name_a_stage(pl_emitter *e, const pl_loops *loops,
                         const pl_staged_tile *tile, const pl_node *ref) {
  bool is_type = pl_names_type(e->unit, ref);
  pl_str index = is_type ? (pl_str){0} : last_stage(loops, tile->func, ref);
  if (!index.n)
    index = pl_arena_printf(e->arena, "%d",
                            tile->async && !is_type ? tile->stages - 1 : 0);
  for (size_t i = 0; i < e->nedits; i++)
    if (e->edits[i].offset == ref->range.begin && e->edits[i].length)
      return;
  pl_emit_add_edit(e, ref->range.begin, ref->range.end - ref->range.begin,
                   pl_arena_printf(e->arena, "%.*s[%.*s]%s",
                                   PL_FMT(tile->stage), PL_FMT(index),
                                   tile->padded ? ".tile" : ""));
}

static bool is_derived(const pl_loops *loops, const pl_node *node) {
  for (size_t i = 0; i < loops->n; i++)
    for (size_t k = 0; !loops->items[i]->settled &&
                       k < loops->items[i]->nderived;
         k++)
      if (loops->items[i]->derived[k] == node)
        return true;
  return false;
}

/* `sizeof(As)` outside the loops that fill it: some stage has that type. A
 * store before them that every tile makes again may go to any stage. */
static bool rename_types(pl_node *node, void *context) {
  type_walk *w = context;
  if (is_emitted(w->loops, node) || is_derived(w->loops, node))
    return false;
  if (node->kind == PL_NODE_VAR && node->decl)
    for (uint32_t i = 0; i < node->decl->ndims; i++)
      pl_node_walk(node->decl->dims[i], rename_types, w);
  const pl_staged_tile *tile =
      node->kind == PL_NODE_REF ? pl_staged_tile_of(w->e, node->decl, w->func) : NULL;
  if (tile)
    name_a_stage(w->e, w->loops, tile, node);
  return true;
}

void pl_edit_types(pl_emitter *e, const pl_loops *loops) {
  for (size_t i = 0; i < e->ntiles; i++) {
    type_walk w = {e, loops, e->tiles[i].func};
    bool seen = false;
    for (size_t k = 0; k < i; k++)
      seen = seen || e->tiles[k].func == e->tiles[i].func;
    if (!seen)
      pl_node_walk(e->tiles[i].func->body, rename_types, &w);
  }
}
