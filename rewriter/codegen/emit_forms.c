/* emit_forms.c - prologue, main loop, epilogue.
 *
 * Needs: names, cursors, barriers, the fill (emit_fill.c). Gives: the text of a
 * pipelined loop in the form of its variant: register staging with one buffer
 * or two, two stages of asynchronous copies, or more. The user's statements are
 * moved verbatim. Raises nothing. */
#include "emit.h"

/* The statements of a list as they stand: those of one line together, and empty
 * lines where the user left some. */
static void emit_verbatim(pl_emitter *e, int level, const bool *shown) {
  const pl_loop *loop = e->loop;
  size_t last = loop->nstmts;
  for (size_t i = 0; i < loop->nstmts; i++) {
    if (!shown[i])
      continue;
    if (last < i && pl_blank_between(loop, last, i))
      pl_emit_blank(e);
    pl_range chunk = loop->stmts[i].chunk;
    uint32_t begin = loop->stmts[i].node->range.begin;
    while (i + 1 < loop->nstmts && shown[i + 1] && pl_shares_line(loop, i + 1))
      chunk.end = loop->stmts[++i].chunk.end;
    pl_emit_chunk(e, level, chunk, begin);
    last = i;
  }
}

/* The load side's statements as they stand: the prologue. */
void pl_emit_load(pl_emitter *e, int level) {
  bool *shown = PL_NEW_ARRAY(e->arena, bool, e->loop->nstmts + 1);
  for (size_t i = 0; i < e->loop->nstmts; i++) {
    const pl_stmt *stmt = &e->loop->stmts[i];
    shown[i] = stmt->in_load && !stmt->is_shared_decl && !stmt->only_asks;
  }
  emit_verbatim(e, level, shown);
}

static bool in_compute_text(const pl_emitter *e, size_t i) {
  const pl_stmt *stmt = &e->loop->stmts[i];
  if (stmt->is_barrier)
    return stmt->kept;
  if (stmt->always)
    return false;
  return !stmt->is_shared_decl && (stmt->in_compute || pl_steps_cursor(e, i));
}

static void emit_comments(pl_emitter *e, int level, uint32_t from,
                          uint32_t to) {
  pl_str text = pl_trim_lines(pl_unit_slice(e->unit, (pl_range){from, to}));
  size_t lead = pl_blank_prefix(text);
  if (text.n > lead)
    pl_emit_moved(e, level, text, lead);
}

/* Whether a barrier or step stands behind the last break. */
static bool behind_break(const pl_loop *loop, const pl_node *jump) {
  return loop->stmts[loop->nstmts - 1].node->range.begin > jump->range.begin ||
         (loop->inc && loop->inc->range.begin > jump->range.begin);
}

/* The comments between two offsets that no statement has. */
static void emit_comments_around(pl_emitter *e, int level, uint32_t from,
                                 uint32_t to) {
  const pl_loop *loop = e->loop;
  pl_run run = pl_tokens_in(e->unit, (pl_range){from, to});
  for (uint32_t i = run.first; i < run.end; i++) {
    const pl_token *token = &e->unit->tokens[i];
    bool has = token->kind == PL_TOK_COMMENT;
    for (size_t s = 0; has && s < loop->nstmts; s++)
      has = !pl_range_inside(token->range, loop->stmts[s].chunk);
    if (has)
      emit_comments(e, level, token->range.begin, token->range.end);
  }
}

/* Comments between the last statement and the closing brace; around a break that
 * stands there. */
static void emit_last_comments(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  const pl_node *jump = loop->last_jump;
  uint32_t end = loop->body->range.end - 1;
  size_t last = loop->nstmts - 1;
  if (loop->branch)
    end = loop->branch_body->range.end - 1;
  while (last && loop->stmts[last].always)
    last--;
  if (jump && behind_break(loop, jump)) {
    emit_comments_around(e, level, jump->range.begin, end);
    return;
  }
  emit_comments(e, level, loop->stmts[last].chunk.end,
                jump ? jump->range.begin : end);
  if (jump)
    emit_comments(e, level, jump->range.end, end);
}

/* Whether a statement only moves cursors that nothing shown behind it names. */
static bool is_dead_step(const pl_emitter *e, const bool *shown, size_t index) {
  const pl_stmt *stmt = &e->loop->stmts[index];
  if (!stmt->is_advance)
    return false;
  for (size_t j = 0; j < stmt->effects.n; j++) {
    const pl_effect *effect = &stmt->effects.items[j];
    if (effect->kind != PL_EFFECT_WRITE)
      continue;
    if (!pl_has_cursor(e, effect->root.decl))
      return false;
    for (size_t i = index + 1; i < e->loop->nstmts; i++)
      if (shown[i] && pl_mentions(e->loop->stmts[i].node, effect->root.decl))
        return false;
  }
  return true;
}

/* The statements of the compute side's text. For the last tile, cursors need
 * not go on. */
static const bool *shown_of_compute(const pl_emitter *e, bool last) {
  const pl_loop *loop = e->loop;
  bool *shown = PL_NEW_ARRAY(e->arena, bool, loop->nstmts + 1);
  for (size_t i = 0; i < loop->nstmts; i++)
    shown[i] = in_compute_text(e, i);
  for (size_t i = loop->nstmts; last && i-- > 0;)
    shown[i] = shown[i] && !is_dead_step(e, shown, i);
  return shown;
}

static void emit_compute(pl_emitter *e, int level, const bool shown[]) {
  emit_verbatim(e, level, shown);
  emit_last_comments(e, level);
}

/* ---- headers ------------------------------------------------------------- */

void pl_emit_init(pl_emitter *e, int level) {
  pl_str init = pl_text_of(e, e->loop->init);
  if (init.n)
    pl_emit_line(e, level, "%.*s;", PL_FMT(init));
}

/* ---- scopes -------------------------------------------------------------- */

typedef enum part {
  PART_LOAD, /* the load side as it stands */
  PART_STORE,
  PART_COMPUTE
} part;

static bool is_in_part(const pl_stmt *stmt, part which) {
  if (which == PART_COMPUTE)
    return stmt->in_compute;
  return stmt->in_load && (which == PART_LOAD || stmt->fills ||
                           stmt->restarts || stmt->names_tile);
}

/* Whether a part's text declares names, or needs some rebound. */
static bool needs_scope(pl_emitter *e, part which) {
  const pl_loop *loop = e->loop;
  bool rebinds = loop->variant != PL_VARIANT_LDG_SINGLE &&
                 !(loop->mixed && which == PART_STORE);
  if (rebinds || (which == PART_COMPUTE && e->ncursors))
    return true;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (is_in_part(&loop->stmts[i], which) &&
        (loop->stmts[i].node->kind == PL_NODE_DECL_STMT
             ? !loop->stmts[i].is_shared_decl
             : which == PART_COMPUTE &&
                   pl_header_hides(loop, loop->stmts[i].node)))
      return true;
  return false;
}

static int open_scope(pl_emitter *e, int level, part which) {
  if (!needs_scope(e, which))
    return level;
  pl_emit_line(e, level, "{");
  return level + 1;
}

static void close_scope(pl_emitter *e, int level, part which) {
  if (needs_scope(e, which))
    pl_emit_line(e, level, "}");
}

/* Whether a statement of those shown names a variable. */
static bool shows(const pl_loop *loop, const bool *shown, const pl_decl *decl) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if (shown[i] && pl_mentions(loop->stmts[i].node, decl))
      return true;
  return false;
}

static void emit_compute_block(pl_emitter *e, int level, const char *stage,
                               bool last) {
  bool step = !last && !e->loop->searches;
  const bool *shown = shown_of_compute(e, last);
  int inner = open_scope(e, level, PART_COMPUTE);
  pl_emit_aliases(e, inner, false, stage);
  for (size_t i = 0; i < e->ncursors; i++)
    if (step || shows(e->loop, shown, e->cursors[i].decl))
      pl_emit_cursor_alias(e, inner, &e->cursors[i]);
  emit_compute(e, inner, shown);
  if (step)
    pl_emit_compute_step(e, inner);
  close_scope(e, level, PART_COMPUTE);
}

static void emit_trailing_steps(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  for (size_t i = pl_emit_last_fill(loop) + 1; i < loop->nstmts; i++)
    if (loop->stmts[i].in_load && loop->stmts[i].is_advance)
      pl_emit_chunk(e, level, loop->stmts[i].chunk,
                    loop->stmts[i].node->range.begin);
}

/* ---- forms --------------------------------------------------------------- */

/* The fetch stands outside the aliases: its registers outlive them. What it
 * says of a tile is a size or the distance of two places. */
static void emit_fetch(pl_emitter *e, int level) {
  size_t from = e->out.n;
  pl_emit_fill(e, level, PL_FILL_FETCH);
  for (size_t i = 0; i < e->loop->ntiles; i++)
    if (e->loop->variant == PL_VARIANT_LDG &&
        !pl_is_shadowed(e, e->loop->tiles[i].decl))
      pl_name_stage_since(e, from, e->loop->tiles[i].decl);
}

/* What the main loop does ahead of compute: fetch the next tile, copy it
 * asynchronously, or copy one part and fetch the other. In the mixed form the
 * names of the next stage stay in sight for the store. */
static void emit_ahead(pl_emitter *e, int level, const char *next) {
  const pl_loop *loop = e->loop;
  if (loop->variant != PL_VARIANT_CP_ASYNC) {
    emit_fetch(e, level);
    return;
  }
  int inner = loop->mixed ? level : level + 1;
  if (!loop->mixed)
    pl_emit_line(e, level, "{");
  pl_emit_aliases(e, inner, true, next);
  pl_emit_fill(e, inner, loop->mixed ? PL_FILL_MIXED : PL_FILL_ASYNC);
  if (!loop->mixed)
    pl_emit_line(e, level, "}");
  pl_emit_line(e, level, "__pipeline_commit();");
}

/* What it does behind compute: store what was fetched, wait for what was
 * copied. */
static void emit_behind(pl_emitter *e, int level, const char *stage) {
  const pl_loop *loop = e->loop;
  bool async = loop->variant == PL_VARIANT_CP_ASYNC;
  if (!async || loop->mixed) {
    int inner = open_scope(e, level, PART_STORE);
    if (!async)
      pl_emit_aliases(e, inner, true, stage);
    pl_emit_fill(e, inner, PL_FILL_STORE);
    close_scope(e, level, PART_STORE);
    emit_trailing_steps(e, level);
  }
  if (async)
    pl_emit_line(e, level, "__pipeline_wait_prior(0);");
}

static const char *main_loop_comment(const pl_loop *loop) {
  if (loop->mixed)
    return "// Main loop: copy or fetch the next tile while computing on this "
           "one.";
  return loop->variant == PL_VARIANT_CP_ASYNC
             ? "// Main loop: copy the next tile while computing on this one."
             : "// Main loop: fetch the next tile while computing on this one.";
}

/* The load side's first tile, up to the barrier behind it. */
static void emit_prologue(pl_emitter *e, int level) {
  bool async = e->loop->variant == PL_VARIANT_CP_ASYNC;
  if (pl_needs_entry_barrier(e->loop))
    pl_emit_barrier(e, level);
  pl_emit_line(e, level, "// Prologue: load the first tile.");
  int inner = open_scope(e, level, PART_LOAD);
  pl_emit_aliases(e, inner, true, "0");
  if (async)
    pl_emit_fill(e, inner, PL_FILL_ASYNC);
  else
    pl_emit_load(e, inner);
  close_scope(e, level, PART_LOAD);
  if (!e->loop->asks_last)
    pl_emit_step(e, level);
  if (async) {
    pl_emit_line(e, level, "__pipeline_commit();");
    pl_emit_line(e, level, "__pipeline_wait_prior(0);");
  }
  pl_emit_barrier_of(e, level, true);
}

/* The main loop's header, and how it gets to the tile that is loaded next. */
static void open_main_loop(pl_emitter *e, int level, pl_str more) {
  if (!e->loop->searches) {
    pl_emit_header(e, level);
    if (e->loop->asks_last)
      pl_emit_step(e, level + 1);
    return;
  }
  pl_emit_above(e, level);
  pl_emit_open(e, level, "while (true)");
  pl_emit_line(e, level + 1, "%.*s = false;", PL_FMT(more));
  pl_emit_search(e, level + 1, more);
  pl_emit_line(e, level + 1, "if (!%.*s)", PL_FMT(more));
  pl_emit_line(e, level + 2, "break;");
  pl_emit_next_cursors(e, level + 1);
}

/* The block's vote, as a barrier whose outcome `left` keeps. */
static void emit_vote(pl_emitter *e, int level, pl_str left, bool first) {
  const pl_loop *loop = e->loop;
  const pl_stmt *last = &loop->votes[loop->nvotes - 1];
  for (size_t i = 0; i + 1 < loop->nvotes; i++)
    pl_emit_chunk(e, level, loop->votes[i].chunk,
                  loop->votes[i].node->range.begin);
  emit_comments(e, level, last->chunk.begin, last->node->range.begin);
  pl_emit_line(e, level, first ? "bool %.*s = %.*s;" : "%.*s = %.*s;",
               PL_FMT(left), PL_FMT(pl_text_of(e, last->node->kids[0])));
}

/* What lets the main loop go on to the next tile: the barrier behind the load side,
 * or the vote that stands there. */
static void end_round(pl_emitter *e, int level, pl_str left) {
  if (!left.n) {
    pl_emit_barrier_of(e, level, e->loop->variant == PL_VARIANT_LDG_SINGLE);
    return;
  }
  emit_vote(e, level, left, false);
  pl_emit_line(e, level, "if (%.*s)", PL_FMT(left));
  pl_emit_line(e, level + 1, "break;");
}

/* One round: the next tile on its way, this one computed on. */
static void emit_round(pl_emitter *e, int level, pl_str stage, pl_str left) {
  const pl_loop *loop = e->loop;
  bool single = loop->variant == PL_VARIANT_LDG_SINGLE;
  emit_ahead(e, level, pl_arena_printf(e->arena, "%.*s ^ 1", PL_FMT(stage)).p);
  emit_compute_block(e, level, stage.n ? stage.p : "", false);
  if (loop->searches)
    pl_emit_move_cursors(e, level);
  if (single)
    pl_emit_barrier_of(e, level, false);
  else
    pl_emit_line(e, level, "%.*s ^= 1;", PL_FMT(stage));
  emit_behind(e, level, stage.n ? stage.p : "");
  end_round(e, level, left);
  if (loop->searches)
    pl_emit_step(e, level);
}

/* Declares `more`, finds the first tile, opens the block of a loop that has
 * one; gives the level inside. */
static int open_first_tile(pl_emitter *e, int level, pl_str more) {
  const pl_loop *loop = e->loop;
  if (loop->searches) {
    pl_emit_line(e, level, "bool %.*s = false;", PL_FMT(more));
    pl_emit_search(e, level, more);
  }
  if (!loop->asks_first)
    pl_emit_cursor_copies(e, level);
  if (loop->asks_last && !loop->asks_first)
    return level;
  pl_emit_open(e, level, "if (%.*s)",
               PL_FMT(loop->searches ? more : pl_cond_text(e, false)));
  if (loop->asks_first)
    pl_emit_cursor_copies(e, level + 1);
  return level + 1;
}

/* The variable that says which stage compute works on. */
static pl_str stage_variable(pl_emitter *e) {
  return e->loop->last_stage.n ? e->loop->last_stage
                               : pl_emit_name(e, "stage", PL_STR(""));
}

/* Prologue, main loop, epilogue: register staging with two buffers and one
 * barrier an iteration, or with one buffer and two; two stages of asynchronous
 * copies, of all tiles or beside registers. */
void pl_emit_staged(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  bool single = loop->variant == PL_VARIANT_LDG_SINGLE;
  pl_choose_cursors(e, true);
  pl_str stage = single ? PL_STR("") : stage_variable(e);
  pl_str more =
      loop->searches ? pl_emit_name(e, "more", PL_STR("")) : PL_STR("");
  pl_emit_init(e, level);
  if (loop->waits_at_entry)
    pl_emit_barrier(e, level);
  level = open_first_tile(e, level, more);
  pl_str left = loop->nvotes ? pl_emit_name(e, "voted", PL_STR("")) : PL_STR("");
  if (left.n) {
    emit_vote(e, level, left, true);
    pl_emit_open(e, level++, "if (!%.*s)", PL_FMT(left));
  }
  emit_prologue(e, level);
  pl_emit_blank(e);
  pl_emit_line(e, level, "%s", main_loop_comment(loop));
  if (!single && !loop->last_stage.n)
    pl_emit_line(e, level, "int %.*s = 0;", PL_FMT(stage));
  open_main_loop(e, level, more);
  emit_round(e, level + 1, stage, left);
  pl_emit_line(e, level, "}");
  pl_emit_blank(e);
  pl_emit_line(e, level, "// Epilogue: compute on the last tile.");
  if (left.n)
    pl_emit_open(e, level++, "if (!%.*s)", PL_FMT(left));
  emit_compute_block(e, level, stage.n ? stage.p : "", true);
  for (int k = 0; left.n && k < 2; k++)
    pl_emit_line(e, --level, "}");
  if (pl_needs_exit_barrier(loop) && !loop->waits_at_exit)
    pl_emit_barrier(e, level);
  if (!loop->asks_last || loop->asks_first)
    pl_emit_line(e, --level, "}");
  if (loop->waits_at_exit)
    pl_emit_barrier(e, level);
}

/* ---- three stages and more ------------------------------------------------ */

/* Where the load side is asked behind each tile: whether there is another. */
static void emit_ask_again(pl_emitter *e, int level, pl_str more) {
  pl_emit_line(e, level, "%.*s = %.*s;", PL_FMT(more),
               PL_FMT(pl_cond_text(e, false)));
  if (!e->loop->inc)
    return;
  pl_emit_line(e, level, "if (%.*s)", PL_FMT(more));
  pl_emit_step(e, level + 1);
}

/* If there is one more tile, its copies into a stage; and their commit, which
 * is made whether there was more or not. */
static void emit_copy_ahead(pl_emitter *e, int level, pl_str stage,
                            pl_str more) {
  pl_emit_aliases(e, level + 1, true, stage.p);
  if (!e->loop->searches)
    pl_emit_cursor_aliases(e, level + 1);
  pl_emit_fill(e, level + 1, PL_FILL_ASYNC);
  if (e->loop->asks_last)
    emit_ask_again(e, level + 1, more);
  else
    pl_emit_step(e, level + 1);
  pl_emit_line(e, level, "}");
}

/* Unless the load side is through already: on to its next tile. */
static void emit_search_ahead(pl_emitter *e, int level, pl_str more) {
  pl_emit_cursor_aliases(e, level);
  pl_emit_open(e, level, "if (%.*s)", PL_FMT(more));
  pl_emit_line(e, level + 1, "%.*s = false;", PL_FMT(more));
  pl_emit_search(e, level + 1, more);
  pl_emit_line(e, level, "}");
}

/* The first stages - 1 tiles. */
static void emit_fill_stages(pl_emitter *e, int level, pl_str ahead,
                             pl_str more) {
  const pl_loop *loop = e->loop;
  int stages = loop->stages;
  pl_emit_line(e, level, "// Prologue: start copying the first %d tiles.",
               stages - 1);
  pl_emit_open(e, level, "for (int %.*s = 0; %.*s < %d; ++%.*s)",
               PL_FMT(ahead), PL_FMT(ahead), stages - 1, PL_FMT(ahead));
  if (loop->searches)
    emit_search_ahead(e, level + 1, more);
  pl_emit_open(e, level + 1, "if (%.*s)", PL_FMT(more));
  if (loop->searches && pl_needs_entry_barrier(loop)) {
    pl_emit_line(e, level + 2, "if (%.*s == 0)", PL_FMT(ahead));
    pl_emit_barrier(e, level + 3);
  }
  emit_copy_ahead(e, level + 1, ahead, more);
  pl_emit_line(e, level + 1, "__pipeline_commit();");
  pl_emit_line(e, level, "}");
}

/* One more tile into the stage that was computed on last. */
static void emit_refill(pl_emitter *e, int level, pl_str stage, pl_str ahead,
                        pl_str more) {
  const pl_loop *loop = e->loop;
  int last = loop->stages - 1, inner = level + (loop->searches ? 1 : 0);
  if (loop->searches) {
    pl_emit_line(e, level, "{");
    emit_search_ahead(e, inner, more);
  }
  pl_emit_open(e, inner, "if (%.*s)", PL_FMT(more));
  pl_emit_line(e, inner + 1, "int %.*s = %.*s == 0 ? %d : %.*s - 1;",
               PL_FMT(ahead), PL_FMT(stage), last, PL_FMT(stage));
  emit_copy_ahead(e, inner, ahead, more);
  if (loop->searches)
    pl_emit_line(e, level, "}");
  pl_emit_line(e, level, "__pipeline_commit();");
}

/* The barrier in front of the first copy, if there is a tile. */
static void emit_entry(pl_emitter *e, int level, pl_str more) {
  const pl_loop *loop = e->loop;
  if (loop->waits_at_entry)
    pl_emit_barrier(e, level);
  if (loop->searches || !pl_needs_entry_barrier(loop))
    return;
  if (loop->asks_last && !loop->asks_first) {
    pl_emit_barrier(e, level);
    return;
  }
  pl_emit_open(e, level, "if (%.*s)", PL_FMT(more));
  pl_emit_barrier(e, level + 1);
  pl_emit_line(e, level, "}");
}

/* Asynchronous copies, three stages and more: the load side has its own cursor,
 * one commit an iteration whether it copied or not. */
void pl_emit_multistage(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  int stages = loop->stages;
  bool flag = loop->searches || loop->asks_last;
  pl_choose_cursors(e, false);
  pl_str stage = stage_variable(e);
  pl_str ahead = pl_emit_name(e, "load_stage", PL_STR(""));
  pl_str more = flag ? pl_emit_name(e, "more", PL_STR(""))
                     : pl_cond_text(e, true);
  pl_emit_init(e, level);
  pl_emit_cursor_copies(e, level);
  if (flag)
    pl_emit_line(e, level, "bool %.*s = %.*s;", PL_FMT(more),
                 PL_FMT(loop->asks_first ? pl_cond_text(e, true)
                                         : PL_STR("true")));
  emit_entry(e, level, more);
  emit_fill_stages(e, level, ahead, more);
  pl_emit_blank(e);
  pl_emit_line(e, level,
               "// Main loop: %d tiles are in flight while computing on one.",
               stages - 1);
  if (!loop->last_stage.n)
    pl_emit_line(e, level, "int %.*s = 0;", PL_FMT(stage));
  int inner = pl_open_own_loop(e, level);
  pl_emit_line(e, inner, "__pipeline_wait_prior(%d);", stages - 2);
  pl_emit_barrier_of(e, inner, true);
  emit_refill(e, inner, stage, ahead, more);
  pl_emit_line(e, inner, "{");
  pl_emit_aliases(e, inner + 1, false, stage.p);
  emit_compute(e, inner + 1, shown_of_compute(e, false));
  pl_emit_line(e, inner, "}");
  pl_emit_line(e, inner, "%.*s = %.*s == %d ? 0 : %.*s + 1;", PL_FMT(stage),
               PL_FMT(stage), stages - 1, PL_FMT(stage));
  pl_close_own_loop(e, level);
  pl_emit_blank(e);
  pl_emit_line(e, level, "// Epilogue: every copy has landed.");
  pl_emit_line(e, level, "__pipeline_wait_prior(0);");
  if (loop->last_stage.n) {
    pl_emit_line(e, level, "// Back to the stage of the last tile.");
    pl_emit_line(e, level, "%.*s = %.*s == 0 ? %d : %.*s - 1;", PL_FMT(stage),
                 PL_FMT(stage), stages - 1, PL_FMT(stage));
  }
  if (loop->waits_at_exit || pl_needs_exit_barrier(loop))
    pl_emit_barrier(e, level);
}
