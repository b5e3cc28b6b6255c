/* region_text.c - the two sides' text, in their scopes.
 *
 * Needs: names, cursors, the fill (emit_fill.c). Gives: the load side as it stands,
 * the compute side with what belongs to it, both where names are to be rebound in
 * blocks of their own. The user's statements are moved verbatim. Raises nothing. */
#include "region.h"

/* A statement without the comments above it. */
static pl_range below_comments(const pl_unit *unit, const pl_stmt *stmt) {
  pl_range above = {stmt->chunk.begin, stmt->node->range.begin};
  pl_run run = pl_tokens_in(unit, above);
  for (uint32_t i = run.first; i < run.end; i++)
    if (unit->tokens[i].kind != PL_TOK_COMMENT)
      return stmt->chunk;
  return (pl_range){above.end, stmt->chunk.end};
}

/* The statements of a list as they stand: those of one line together, and empty
 * lines where the user left some. Where other threads load, barriers are those of the
 * threads that compute. Comments above a variable of both sides stand with the load. */
static void emit_verbatim(pl_emitter *e, int level, const bool *shown, bool computes) {
  const pl_loop *loop = e->loop;
  bool orders = e->form->words && e->form->words->order;
  size_t last = loop->nstmts;
  for (size_t i = 0; i < loop->nstmts; i++) {
    if (!shown[i])
      continue;
    if (last < i && pl_blank_between(loop, last, i))
      pl_emit_blank(e);
    const pl_stmt *stmt = &loop->stmts[i];
    bool again = computes && stmt->in_load && stmt->node->kind == PL_NODE_DECL_STMT;
    pl_range chunk = again ? below_comments(e->unit, stmt) : stmt->chunk;
    uint32_t begin = loop->stmts[i].node->range.begin;
    if (loop->stmts[i].is_barrier && orders) {
      pl_emit_comments(e, level, chunk.begin, begin);
      pl_emit_words(e, level, e->form->words->order, (pl_copy_values){0});
      last = i;
      continue;
    }
    while (i + 1 < loop->nstmts && shown[i + 1] &&
           !(orders && loop->stmts[i + 1].is_barrier) && pl_shares_line(loop, i + 1))
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
  emit_verbatim(e, level, shown, false);
}

static bool in_compute_text(const pl_emitter *e, size_t i) {
  const pl_stmt *stmt = &e->loop->stmts[i];
  if (stmt->is_barrier)
    return stmt->kept;
  if (stmt->always)
    return false;
  return !stmt->is_shared_decl && (stmt->in_compute || pl_steps_cursor(e, i));
}

void pl_emit_comments(pl_emitter *e, int level, uint32_t from, uint32_t to) {
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
      pl_emit_comments(e, level, token->range.begin, token->range.end);
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
  pl_emit_comments(e, level, loop->stmts[last].chunk.end,
                jump ? jump->range.begin : end);
  if (jump)
    pl_emit_comments(e, level, jump->range.end, end);
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

/* Whether the compute side has the copies of what both sides move. */
static bool lags(const pl_region *r) {
  return r->schedule->rounds == PL_ROUNDS_BUT_LAST;
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

/* Where loads are one round ahead, it is the load side that compute stands behind. */
bool pl_is_apart_ahead(const pl_region *r) {
  const pl_loop *loop = r->e->loop;
  const bool *shown = shown_of_compute(r->e, false);
  size_t first = 0, before;
  while (first < loop->nstmts && !shown[first])
    first++;
  if (first == 0 || first == loop->nstmts)
    return false;
  for (before = first - 1; lags(r) && before && !loop->stmts[before].in_load;)
    before--;
  return pl_blank_between(loop, before, first);
}

bool pl_is_apart_behind(const pl_region *r) {
  const pl_loop *loop = r->e->loop;
  const bool *shown = shown_of_compute(r->e, false);
  size_t last = loop->nstmts;
  while (last && !shown[last - 1])
    last--;
  return last && last < loop->nstmts && pl_blank_between(loop, last - 1, last);
}

static void emit_compute(pl_emitter *e, int level, const bool shown[],
                         const char *index) {
  size_t from = e->out.n;
  emit_verbatim(e, level, shown, true);
  emit_last_comments(e, level);
  pl_name_stages_since(e, from, false, index);
}

/* ---- headers ------------------------------------------------------------- */

void pl_emit_init(pl_emitter *e, int level) {
  pl_str init = pl_text_of(e, e->loop->init);
  if (init.n)
    pl_emit_line(e, level, "%.*s;", PL_FMT(init));
}

/* ---- scopes -------------------------------------------------------------- */

static bool is_in_part(const pl_stmt *stmt, pl_part which) {
  if (which == PL_PART_COMPUTE)
    return stmt->in_compute;
  return stmt->in_load && (which == PL_PART_LOAD || stmt->fills ||
                           stmt->restarts || stmt->names_tile);
}

/* Whether a part's text declares names, or needs some rebound. */
static bool needs_scope(const pl_region *r, pl_part which) {
  const pl_loop *loop = r->e->loop;
  bool rebinds = !(r->names_next && which == PL_PART_STORE) &&
                 pl_has_aliases(r->e, which != PL_PART_COMPUTE);
  if (which == PL_PART_COMPUTE && r->alone)
    return false;
  if (rebinds || (which == PL_PART_COMPUTE && lags(r) &&
                  pl_has_cursor_aliases(r->e, false)))
    return true;
  for (size_t i = 0; i < loop->nstmts; i++)
    if (is_in_part(&loop->stmts[i], which) &&
        (loop->stmts[i].node->kind == PL_NODE_DECL_STMT
             ? !loop->stmts[i].is_shared_decl
             : which == PL_PART_COMPUTE &&
                   pl_header_hides(loop, loop->stmts[i].node)))
      return true;
  return false;
}

int pl_open_part(const pl_region *r, int level, pl_part which) {
  if (!needs_scope(r, which))
    return level;
  pl_emit_line(r->e, level, "{");
  return level + 1;
}

void pl_close_part(const pl_region *r, int level, pl_part which) {
  if (needs_scope(r, which))
    pl_emit_line(r->e, level, "}");
}

/* Whether a statement of those shown names a variable. */
static bool shows(const pl_loop *loop, const bool *shown, const pl_decl *decl) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if (shown[i] && pl_mentions(loop->stmts[i].node, decl))
      return true;
  return false;
}

/* The aliases of the compute side's own copies that its text names; all, where it
 * moves them. */
static void emit_lagging_aliases(const pl_region *r, int level, const bool *shown,
                                 bool moves) {
  pl_emitter *e = r->e;
  for (size_t i = 0; lags(r) && i < e->ncursors; i++)
    if (moves || shows(e->loop, shown, e->cursors[i].decl))
      pl_emit_cursor_alias(e, level, &e->cursors[i], false);
}

/* Whether the header's step is made for the compute side's copies. */
static bool steps_behind(const pl_region *r, bool last) {
  return lags(r) && !last && !r->e->loop->searches;
}

void pl_emit_compute_part(const pl_region *r, int level, const char *index,
                          bool last) {
  pl_emitter *e = r->e;
  bool step = steps_behind(r, last);
  const bool *shown = shown_of_compute(e, last);
  int inner = pl_open_part(r, level, PL_PART_COMPUTE);
  pl_emit_aliases(e, inner, false, index);
  emit_lagging_aliases(r, inner, shown, step);
  size_t from = e->out.n;
  emit_compute(e, inner, shown, index);
  if (step)
    pl_emit_compute_step(e, inner);
  if (lags(r))
    pl_name_cursors_since(e, from, false);
  pl_close_part(r, level, PL_PART_COMPUTE);
}

/* ---- written once ---------------------------------------------------------- */

/* The lines of a local function besides those of its body, and of its calls. */
#define LINES_OF_FUNCTION 4

bool pl_is_shorter_twice(const pl_region *r, int level) {
  pl_emitter *e = r->e;
  size_t from = e->out.n, lines = 0;
  pl_emit_compute_part(r, level, r->stage.p, false);
  pl_str text = pl_text_view(&e->out);
  for (size_t i = from; i < text.n; i++)
    lines += text.p[i] == '\n';
  e->out.n = from;
  return lines <= LINES_OF_FUNCTION && !pl_is_seen_in_part(e);
}

void pl_define_compute(const pl_region *r, int level) {
  pl_emitter *e = r->e;
  const bool *shown = shown_of_compute(e, false);
  pl_emit_open(e, level, "auto %.*s = [&]()", PL_FMT(r->compute));
  pl_emit_aliases(e, level + 1, false, r->stage.p);
  emit_lagging_aliases(r, level + 1, shown, false);
  size_t from = e->out.n;
  emit_compute(e, level + 1, shown, r->stage.p);
  if (lags(r))
    pl_name_cursors_since(e, from, false);
  pl_emit_line(e, level, "};");
}

void pl_call_compute(const pl_region *r, int level, bool last) {
  pl_emitter *e = r->e;
  pl_emit_line(e, level, "%.*s();", PL_FMT(r->compute));
  if (steps_behind(r, last))
    pl_emit_own_step(e, level);
}

void pl_emit_trailing_steps(pl_emitter *e, int level) {
  const pl_loop *loop = e->loop;
  for (size_t i = pl_emit_last_fill(loop) + 1; i < loop->nstmts; i++)
    if (loop->stmts[i].in_load && loop->stmts[i].is_advance)
      pl_emit_chunk(e, level, loop->stmts[i].chunk,
                    loop->stmts[i].node->range.begin);
}
