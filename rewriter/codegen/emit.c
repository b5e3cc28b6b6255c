/* emit.c - which text?
 *
 * Needs: the plan. Gives: sorted edits, and the barriers that a main loop waits
 * at. Raises nothing: a loop that reaches this pass is
 * emitted whole.
 *
 * The order of the emission stands here. The user's statements are moved
 * verbatim (region_printer.c) under aliases that rebind the tiles' names to one
 * stage (emit_names.c); only stores that are split or become asynchronous are
 * rewritten (emit_fill.c). */
#include "emit.h"

#include <string.h>

static uint32_t fnv(pl_str text) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < text.n; i++)
    if (text.p[i] != '\r')
      hash = (hash ^ (unsigned char)text.p[i]) * 16777619u;
  return hash;
}

static void emit_marker(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  pl_emit_line(e, level, "// pipelinify: %s, %d stage%s, source %08x%s",
               pl_variant_name(loop->variant), loop->stages,
               loop->stages == 1 ? "" : "s",
               fnv(pl_unit_slice(loop->unit, loop->node->range)),
               loop->measured ? loop->measured : "");
}

/* Whether the function has another loop that is pipelined, whose names are the same. */
static bool has_fellow(const pl_loops *loops, const pl_loop *loop) {
  for (size_t i = 0; i < loops->n; i++)
    if (loops->items[i] != loop && !loops->items[i]->settled &&
        loops->items[i]->func == loop->func)
      return true;
  return false;
}

static bool is_label(pl_node *node, const void *unused) {
  (void)unused;
  return node->kind == PL_NODE_LABEL || node->kind == PL_NODE_CASE;
}

/* Whether a name is a word of the function outside of the loop, whichever build sees it
 * there, or of what a macro stands for. */
static bool is_said_around(pl_emitter *e, pl_str name) {
  const pl_loop *loop = e->loop;
  const pl_unit *whole = e->unit->conditional ? e->unit->conditional : e->unit;
  return pl_is_macro_word(e, name) ||
         pl_count_words(whole, loop->func->range, name) !=
             pl_count_words(whole, loop->node->range, name);
}

/* Whether what the header declares may be declared in the block around the loop:
 * variables, under names that nothing else has. All other names are new. */
static bool keeps_block_clean(pl_emitter *e, const pl_loops *loops) {
  const pl_loop *loop = e->loop;
  const pl_node *init = pl_keeps_header(e) ? NULL : loop->init;
  if (loop->node->parent->kind != PL_NODE_COMPOUND ||
      has_fellow(loops, loop) ||
      pl_node_find(loop->func->body, is_label, NULL))
    return false;
  for (uint32_t i = 0; init && init->kind == PL_NODE_DECL_STMT && i < init->nkids; i++)
    if (init->kids[i]->kind != PL_NODE_VAR || init->kids[i]->decl->in_parts ||
        is_said_around(e, init->kids[i]->decl->name))
      return false;
  return true;
}

static void emit_pipelined(pl_emitter *e, const pl_loops *loops) {
  const pl_loop *loop = e->loop;
  if (loop->last_stage.n)
    pl_emit_line(e, 0, "int %.*s = 0;", PL_FMT(loop->last_stage));
  emit_marker(e, 0);
  const size_t before = e->out.n;
  pl_emit_line(e, 0, "{");
  const size_t open = e->out.n;
  pl_emit_hoisted(e, 1);
  const bool bare = e->out.n == open && keeps_block_clean(e, loops);
  const int level = bare ? 0 : 1;
  if (bare) {
    e->out.n = before;
    e->nopen = 0;
    e->bare = 0;
  }
  pl_emit_asked_types(e, level);
  if (e->form->async)
    pl_emit_asserts(e, level, &loop->fill);
  if (e->form->async)
    pl_emit_joined(e, level);
  pl_print_region(e, level);
  if (!bare)
    pl_emit_line(e, 0, "}");
}

/* One loop: its text from the first column of its line is replaced. */
static void emit_loop(pl_emitter *e, const pl_loops *loops) {
  const pl_loop *loop = e->loop;
  uint32_t begin = pl_with_pragma(e);
  pl_str column = pl_emit_indent_of(e->unit, begin);
  e->base = pl_emit_indent_of(e->unit, pl_header_begin(loop));
  e->step = pl_indent_step(e);
  e->brace_own_line = pl_newline_between(e->unit, pl_header_end(e),
                                         loop->body->range.begin + 1);
  e->half = pl_brace_indent(e);
  e->pragmas_at_edge = pl_pragmas_at_edge(e);
  e->nopen = 0;
  e->bare = 0;
  e->out = (pl_text){.arena = e->arena};
  pl_count_barriers(e);
  if (loop->options->only != PL_SIDE_BOTH)
    pl_emit_one_side(e);
  else
    emit_pipelined(e, loops);
  pl_str text = pl_text_view(&e->out);
  size_t have = column.n < e->base.n ? column.n : e->base.n;
  text.p += have;
  text.n -= have + 1;
  pl_emit_add_edit(e, begin, pl_loop_end(e) - begin, text);
}

static bool is_staged(const pl_loop *loop) {
  return pl_variant_most(loop->variant) > 1;
}

/* The name that loops of other functions have for the same, so that each kernel
 * of a file has its `stage`. */
static pl_str last_stage_name(pl_emitter *e, const pl_loops *loops,
                              const pl_loop *loop) {
  pl_str name = {0};
  for (size_t i = 0; i < loops->n; i++) {
    const pl_loop *other = loops->items[i];
    if (other->last_stage.n && other->func == loop->func)
      return pl_emit_name(e, "stage", PL_STR(""));
    if (other->last_stage.n && !name.n)
      name = other->last_stage;
  }
  return name.n ? name : pl_emit_name(e, "stage", PL_STR(""));
}

/* What is used behind a loop is named there by the stage of its last tile. Other
 * functions do not see that name. */
static void name_last_stages(pl_emitter *e, pl_loops *loops) {
  const size_t names = e->nnames;
  for (size_t i = 0; i < loops->n; i++) {
    pl_loop *loop = loops->items[i];
    for (size_t t = 0; !loop->settled && is_staged(loop) && t < loop->ntiles;
         t++)
      if (loop->tiles[t].lasts && !loop->last_stage.n)
        loop->last_stage = last_stage_name(e, loops, loop);
  }
  e->nnames = names;
}

static void take_last_stages(pl_emitter *e, const pl_loops *loops) {
  for (size_t i = 0; i < loops->n; i++)
    if (loops->items[i]->func == e->loop->func && loops->items[i]->last_stage.n)
      PL_PUSH(e->arena, e->names, e->nnames, e->names_cap,
              loops->items[i]->last_stage);
}

/* How a loop's asynchronous copies are written, NULL: it has none. */
static const pl_copy_words *words_of(const pl_loop *loop) {
  return loop->settled ? NULL : pl_form_of(loop)->words;
}

/* What other instantiations of the loop need besides; see instances.c. */
static void add_helper_edits(pl_emitter *e, const pl_loop *loop) {
  for (size_t i = 0; !loop->settled && i < loop->nhelper_edits; i++) {
    const pl_edit *edit = &loop->helper_edits[i];
    bool there = false;
    for (size_t k = 0; k < e->nedits && !there; k++)
      there = e->edits[k].offset == edit->offset &&
              e->edits[k].text_length == edit->text_length &&
              !memcmp(e->edits[k].text, edit->text, edit->text_length);
    if (!there)
      PL_PUSH(e->arena, e->edits, e->nedits, e->edits_cap, *edit);
  }
}

/* The headers of all forms that are there, each once. */
static void add_includes(pl_emitter *e, const pl_loops *loops) {
  for (size_t i = 0; i < loops->n; i++) {
    const pl_copy_words *words = words_of(loops->items[i]);
    bool there = !words;
    for (size_t k = 0; k < i && !there; k++)
      there = words_of(loops->items[k]) == words;
    if (!there)
      pl_add_include(e, words);
  }
}

void pl_emit(pl_unit *unit, pl_loops *loops, pl_edit **edits, size_t *nedits) {
  pl_emitter e = {
      .unit = unit, .arena = unit->arena, .register_prefix = ""};
  for (size_t i = 0; i < loops->n; i++) {
    const pl_loop *loop = loops->items[i];
    for (size_t t = 0; !loop->settled && is_staged(loop) && t < loop->ntiles;
         t++)
      pl_note_tile(&e, loop, &loop->tiles[t]);
  }
  name_last_stages(&e, loops);
  pl_name_counts(&e, loops);
  size_t shared_names = e.nnames;
  for (size_t i = 0; i < loops->n; i++) {
    if (loops->items[i]->settled)
      continue;
    e.loop = loops->items[i];
    e.form = pl_form_of(e.loop);
    e.nnames = shared_names;
    take_last_stages(&e, loops);
    e.ncursors = 0;
    e.nregisters = e.nslots = 0;
    e.pragma = (pl_str){0};
    emit_loop(&e, loops);
  }
  pl_edit_declarations(&e, loops);
  for (size_t i = 0; i < loops->n; i++) {
    e.loop = loops->items[i];
    if (!e.loop->settled && is_staged(e.loop))
      pl_delete_derived(&e, e.loop);
    if (!e.loop->settled)
      pl_drop_unused(&e, e.loop);
  }
  pl_edit_types(&e, loops);
  pl_edit_launches(&e, loops);
  pl_edit_roles(&e, loops);
  pl_edit_bounds(&e, loops);
  pl_emit_clones(&e);
  add_includes(&e, loops);
  if (pl_uses_crlf(unit))
    pl_give_crlf(&e);
  for (size_t i = 0; i < loops->n; i++)
    add_helper_edits(&e, loops->items[i]);
  pl_sort_edits(e.edits, e.nedits);
  *edits = e.edits;
  *nedits = e.nedits;
}
