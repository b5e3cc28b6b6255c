/* region_printer.c - prologue, main loop, epilogue: the text of any schedule.
 *
 * Needs: the form that was chosen (forms.h), the sides' text (region_text.c), names,
 * cursors, barriers. Gives: the text of a pipelined loop. Raises nothing.
 *
 * A step is one function below, by its kind; the two ways in which rounds follow
 * each other (pl_rounds) are one function each, which prints the lists of steps
 * between headers and braces. No form is known here by its name. */
#include "region.h"

#include "values.h"

/* ---- places -------------------------------------------------------------- */

static int count_of(const pl_region *r, const pl_step *step) {
  return pl_count_of(step->n, r->buffers);
}

/* The same as text, of the number of stages where that has a name. */
static pl_str count_text(const pl_region *r, pl_count count) {
  return count.of_buffers == 1
             ? pl_stages_text(r->e, r->e->loop, count.plus)
             : pl_arena_printf(r->e->arena, "%d", pl_count_of(count, r->buffers));
}

static pl_str stages_and(const pl_region *r, int plus) {
  return count_text(r, (pl_count){1, plus});
}

static bool leads(const pl_region *r) {
  return r->schedule->rounds != PL_ROUNDS_BUT_LAST;
}

static bool fetches(const pl_region *r) {
  return r->schedule->rounds == PL_ROUNDS_THAT_FETCH;
}

/* Those that load are other threads than those that compute. */
static bool has_roles(const pl_region *r) {
  return r->schedule->rounds == PL_ROUNDS_OF_ROLES;
}

static bool is_of_block(const pl_region *r) {
  return r->schedule->batches == PL_BATCHES_OF_BLOCK;
}

/* Whether shared memory keeps account of copies: making that is a barrier. */
static bool has_state(const pl_region *r) {
  return r->form->words && r->form->words->state;
}

/* Whether a barrier stands in front of the first load. */
static bool waits_at_entry(const pl_region *r) {
  return !has_state(r) && pl_needs_entry_barrier(r->e->loop);
}

static bool is_in(const pl_region *r, const pl_step *list) {
  return r->steps == list;
}

/* Which buffer a tile of this round is in: `stage`, `stage ^ 1`. */
static pl_str index_of(const pl_region *r, int tile) {
  pl_arena *arena = r->e->arena;
  if (r->buffers == 1)
    return PL_STR("");
  if (is_in(r, r->schedule->prologue))
    return pl_arena_printf(arena, "%d", tile);
  if (tile % r->buffers == 0)
    return r->stage;
  if (r->buffers == 2)
    return pl_arena_printf(arena, "%.*s ^ 1", PL_FMT(r->stage));
  if (tile == r->buffers - 1)
    return pl_arena_printf(arena, "%.*s == 0 ? %.*s : %.*s - 1", PL_FMT(r->stage),
                           PL_FMT(stages_and(r, -1)), PL_FMT(r->stage));
  return pl_arena_printf(arena, "(%.*s + %d) %% %.*s", PL_FMT(r->stage), tile,
                         PL_FMT(stages_and(r, 0)));
}

/* A statement of the form's words, line by line. What stands in one of their blocks is
 * a level further in, what stands under a header by as much as headers ask for. */
void pl_emit_words(pl_emitter *e, int level, const char *words, pl_copy_values values) {
  values.name = e->pipe;
  values.state = e->pipe_state;
  pl_str text = pl_copy_text(e->arena, words, &values);
  for (size_t from = 0, n, blocks = 0; from < text.n; from += n + 1) {
    int deeper = 0;
    for (; text.p[from] == ' '; from += 2)
      deeper++;
    for (n = 0; from + n < text.n && text.p[from + n] != '\n';)
      n++;
    blocks -= text.p[from] == '}';
    pl_emit_below(e, level + (int)blocks, deeper - (int)blocks,
                  (pl_str){text.p + from, n});
    blocks += text.p[from] == '{';
  }
}

static void say(const pl_region *r, int level, const char *words, pl_count batches) {
  pl_emit_words(r->e, level, words, (pl_copy_values){.n = count_text(r, batches)});
}

static void say_of(const pl_region *r, int level, const char *words, pl_str stage) {
  pl_emit_words(r->e, level, words, (pl_copy_values){.stage = stage});
}

/* The asynchronous copies of a tile into a buffer; names are bound. */
static void emit_copies(const pl_region *r, int level, pl_str stage) {
  r->e->pipe_stage = stage;
  pl_emit_fill(r->e, level, PL_FILL_ASYNC);
  if (r->form->words->issued)
    say_of(r, level, r->form->words->issued, stage);
}

/* The same where names are bound, but for those of the buffer that stand for themselves. */
static void emit_copies_to(const pl_region *r, int level, pl_str stage) {
  size_t from = r->e->out.n;
  emit_copies(r, level, stage);
  pl_name_stages_since(r->e, from, true, stage.p);
}

/* ---- loads, ahead -------------------------------------------------------- */

/* Where the load side is asked behind each tile: whether there is another. */
static void emit_ask_again(pl_emitter *e, int level, pl_str more) {
  pl_emit_line(e, level, "%.*s = %.*s;", PL_FMT(more),
               PL_FMT(pl_cond_text(e, false)));
  if (!e->loop->inc)
    return;
  pl_emit_line(e, level, "if (%.*s)", PL_FMT(more));
  pl_emit_step(e, level + 1);
}

/* The copies of one more tile, and the load side's step behind it. */
static void emit_copies_ahead(const pl_region *r, int level) {
  pl_emitter *e = r->e;
  pl_emit_aliases(e, level + 1, true, r->ahead.p);
  if (!e->loop->searches)
    pl_emit_cursor_aliases(e, level + 1);
  size_t from = e->out.n;
  emit_copies_to(r, level + 1, r->ahead);
  if (e->loop->asks_last)
    emit_ask_again(e, level + 1, r->more);
  else
    pl_emit_step(e, level + 1);
  pl_name_cursors_since(e, from, true);
  pl_emit_line(e, level, "}");
}

/* Unless the load side is through already: on to its next tile. */
static void emit_search_ahead(const pl_region *r, int level) {
  pl_emitter *e = r->e;
  pl_emit_cursor_aliases(e, level);
  pl_emit_open(e, level, "if (%.*s)", PL_FMT(r->more));
  pl_emit_line(e, level + 1, "%.*s = false;", PL_FMT(r->more));
  pl_emit_search(e, level + 1, r->more);
  pl_emit_line(e, level, "}");
}

/* One of the first tiles, if there is one. */
static void issue_first(const pl_region *r, int level) {
  pl_emitter *e = r->e;
  const pl_loop *loop = e->loop;
  if (loop->searches)
    emit_search_ahead(r, level);
  pl_emit_open(e, level, "if (%.*s)", PL_FMT(r->more));
  if (loop->searches && waits_at_entry(r)) {
    pl_emit_line(e, level + 1, "if (%.*s == 0)", PL_FMT(r->ahead));
    pl_emit_barrier(e, level + 2);
  }
  emit_copies_ahead(r, level);
}

/* One more tile, if there is one, into a buffer that was computed on. */
static void issue_next(const pl_region *r, int level, int tile) {
  pl_emitter *e = r->e;
  const pl_loop *loop = e->loop;
  int inner = level + (loop->searches ? 1 : 0);
  if (loop->searches) {
    pl_emit_line(e, level, "{");
    emit_search_ahead(r, inner);
  }
  pl_emit_open(e, inner, "if (%.*s)", PL_FMT(r->more));
  pl_emit_line(e, inner + 1, "int %.*s = %.*s;", PL_FMT(r->ahead),
               PL_FMT(index_of(r, tile)));
  emit_copies_ahead(r, inner);
  if (loop->searches)
    pl_emit_line(e, level, "}");
}

/* ---- loads, one round ahead ---------------------------------------------- */

/* The first tile: the load side as it stands, or asynchronously. */
static void fill_first(const pl_region *r, int level, const pl_step *step) {
  pl_emitter *e = r->e;
  int inner = pl_open_part(r, level, PL_PART_LOAD);
  pl_str stage = index_of(r, count_of(r, step));
  pl_emit_aliases(e, inner, true, stage.p);
  size_t from = e->out.n;
  if (step->kind == PL_STEP_LOAD)
    pl_emit_load(e, inner);
  else
    emit_copies(r, inner, stage);
  pl_name_stages_since(e, from, true, stage.p);
  pl_close_part(r, level, PL_PART_LOAD);
  if (!e->loop->asks_last && !pl_header_steps_first(e))
    pl_emit_step(e, level);
}

static void print_load(pl_region *r, int level, const pl_step *step) {
  fill_first(r, level, step);
}

/* The copies of a tile that there is. */
static void issue_in_part(const pl_region *r, int level, pl_str stage) {
  int inner = pl_open_part(r, level, PL_PART_LOAD);
  pl_emit_aliases(r->e, inner, true, stage.p);
  emit_copies_to(r, inner, stage);
  pl_close_part(r, level, PL_PART_LOAD);
}

static void print_issue(pl_region *r, int level, const pl_step *step) {
  bool first = is_in(r, r->schedule->prologue);
  if (has_roles(r)) {
    issue_in_part(r, level, r->ahead);
  } else if (leads(r) && first) {
    issue_first(r, level);
  } else if (leads(r)) {
    issue_next(r, level, count_of(r, step));
  } else if (first) {
    fill_first(r, level, step);
  } else {
    issue_in_part(r, level, index_of(r, count_of(r, step)));
  }
}

/* The fetch stands outside the aliases: its registers outlive them. What it
 * says of a tile is a size or the distance of two places. */
static void print_fetch(pl_region *r, int level, const pl_step *step) {
  pl_emitter *e = r->e;
  size_t from = e->out.n;
  (void)step;
  pl_emit_fill(e, level, PL_FILL_FETCH);
  for (size_t i = 0; r->buffers > 1 && i < e->loop->ntiles; i++)
    if (!pl_is_shadowed(e, e->loop->tiles[i].decl))
      pl_name_stage_since(e, from, e->loop->tiles[i].decl);
}

/* The names of the next tile's buffer stay in sight for the store. */
static void print_split(pl_region *r, int level, const pl_step *step) {
  pl_str stage = index_of(r, count_of(r, step));
  pl_emit_aliases(r->e, level, true, stage.p);
  size_t from = r->e->out.n;
  pl_emit_fill(r->e, level, PL_FILL_MIXED);
  pl_name_stages_since(r->e, from, true, stage.p);
  r->names_next = true;
}

static void print_store(pl_region *r, int level, const pl_step *step) {
  int inner = pl_open_part(r, level, PL_PART_STORE);
  pl_str stage = index_of(r, count_of(r, step));
  if (!r->names_next)
    pl_emit_aliases(r->e, inner, true, stage.p);
  size_t from = r->e->out.n;
  pl_emit_fill(r->e, inner, PL_FILL_STORE);
  pl_name_stages_since(r->e, from, true, stage.p);
  pl_close_part(r, level, PL_PART_STORE);
  pl_emit_trailing_steps(r->e, level);
}

/* ---- batches ------------------------------------------------------------- */

static void print_acquire(pl_region *r, int level, const pl_step *step) {
  (void)step;
  say(r, level, r->form->words->acquire, (pl_count)PL_N(0));
}

static void print_commit(pl_region *r, int level, const pl_step *step) {
  (void)step;
  say(r, level, r->form->words->commit, (pl_count)PL_N(0));
}

/* Where no batch is ahead of the oldest, a wait for that one says the same. */
static void print_wait(pl_region *r, int level, const pl_step *step) {
  const pl_copy_words *words = r->form->words;
  bool none = words->wait_oldest && pl_count_of(step->n, r->e->loop->stages) == 0;
  say(r, level, none ? words->wait_oldest : words->wait, step->n);
}

static void print_wait_oldest(pl_region *r, int level, const pl_step *step) {
  (void)step;
  if (is_of_block(r))
    pl_emit_barrier_comments(r->e, level);
  say(r, level, r->form->words->wait_oldest, (pl_count)PL_N(0));
}

static void print_release(pl_region *r, int level, const pl_step *step) {
  (void)step;
  say(r, level, r->form->words->release, (pl_count)PL_N(0));
}

/* What was begun and not computed on when the last round ended. */
static void print_drain(pl_region *r, int level, const pl_step *step) {
  pl_emitter *e = r->e;
  int left = pl_count_of(r->schedule->lead, r->buffers);
  bool loops = fetches(r) || left > 1;
  (void)step;
  if (fetches(r))
    pl_emit_open(e, level, "for (; %.*s > 0; --%.*s)", PL_FMT(r->begun),
                 PL_FMT(r->begun));
  else if (loops)
    pl_emit_open(e, level, "for (int %.*s = 0; %.*s < %.*s; ++%.*s)",
                 PL_FMT(r->ahead), PL_FMT(r->ahead),
                 PL_FMT(count_text(r, r->schedule->lead)), PL_FMT(r->ahead));
  say(r, level + loops, r->form->words->wait_oldest, (pl_count)PL_N(0));
  say(r, level + loops, r->form->words->release, (pl_count)PL_N(0));
  if (loops)
    pl_emit_line(e, level, "}");
}

/* ---- barriers, compute --------------------------------------------------- */

/* The block's vote, as a barrier whose outcome `left` keeps. */
static void emit_vote(const pl_region *r, int level, bool first) {
  pl_emitter *e = r->e;
  const pl_loop *loop = e->loop;
  const pl_stmt *last = &loop->votes[loop->nvotes - 1];
  for (size_t i = 0; i + 1 < loop->nvotes; i++)
    pl_emit_chunk(e, level, loop->votes[i].chunk,
                  loop->votes[i].node->range.begin);
  pl_emit_comments(e, level, last->chunk.begin, last->node->range.begin);
  pl_emit_line(e, level, first ? "bool %.*s = %.*s;" : "%.*s = %.*s;",
               PL_FMT(r->left), PL_FMT(pl_text_of(e, last->node->kids[0])));
}

/* The barrier that ends a round lets the main loop go on to the next tile: the vote
 * that stands there in the original does so too. */
static void print_barrier(pl_region *r, int level, const pl_step *step) {
  bool ends = is_in(r, r->schedule->round) && step[1].kind == PL_STEP_END;
  if (has_roles(r)) {
    if (r->e->loop->roles->ordered)
      say(r, level, r->form->words->order, (pl_count)PL_N(0));
    return;
  }
  if (!r->left.n || !ends) {
    pl_emit_barrier_of(r->e, level, count_of(r, step) == PL_BEHIND_LOADS);
    return;
  }
  emit_vote(r, level, false);
  pl_emit_line(r->e, level, "if (%.*s)", PL_FMT(r->left));
  pl_emit_under(r->e, level, "break;");
}

/* In the place of the user's barrier. */
static void print_meet(pl_region *r, int level, const pl_step *step) {
  pl_emit_barrier_comments(r->e, level);
  say_of(r, level, r->form->words->meet, index_of(r, count_of(r, step)));
}

static void print_compute(pl_region *r, int level, const pl_step *step) {
  bool last = is_in(r, r->schedule->epilogue);
  bool between = is_in(r, r->schedule->round) && step != r->steps;
  if (between && !r->compute.n && pl_is_apart_ahead(r))
    pl_emit_blank(r->e);
  if (r->compute.n)
    pl_call_compute(r, level, last);
  else
    pl_emit_compute_part(r, level, index_of(r, count_of(r, step)).p, last);
  if (between && step[1].kind != PL_STEP_END && !r->compute.n && pl_is_apart_behind(r))
    pl_emit_blank(r->e);
}

/* On to the next buffer of the ring. */
static void print_next(const pl_region *r, int level, pl_str stage) {
  pl_str last = stages_and(r, -1);
  if (r->buffers == 2)
    pl_emit_line(r->e, level, "%.*s ^= 1;", PL_FMT(stage));
  else
    pl_emit_line(r->e, level, "%.*s = %.*s == %.*s ? 0 : %.*s + 1;", PL_FMT(stage),
                 PL_FMT(stage), PL_FMT(last), PL_FMT(stage));
}

static void print_advance(pl_region *r, int level, const pl_step *step) {
  pl_emitter *e = r->e;
  (void)step;
  if (!leads(r) && e->loop->searches)
    pl_emit_move_cursors(e, level);
  if (r->buffers > 1)
    print_next(r, level, is_in(r, r->schedule->prologue) ? r->ahead : r->stage);
}

static void (*const printers[])(pl_region *, int, const pl_step *) = {
    [PL_STEP_LOAD] = print_load,
    [PL_STEP_ISSUE] = print_issue,
    [PL_STEP_FETCH] = print_fetch,
    [PL_STEP_SPLIT] = print_split,
    [PL_STEP_STORE] = print_store,
    [PL_STEP_ACQUIRE] = print_acquire,
    [PL_STEP_COMMIT] = print_commit,
    [PL_STEP_WAIT] = print_wait,
    [PL_STEP_WAIT_OLDEST] = print_wait_oldest,
    [PL_STEP_BARRIER] = print_barrier,
    [PL_STEP_MEET] = print_meet,
    [PL_STEP_COMPUTE] = print_compute,
    [PL_STEP_RELEASE] = print_release,
    [PL_STEP_DRAIN] = print_drain,
    [PL_STEP_ADVANCE] = print_advance,
};

/* Where a list has the prologue's steps in one run; NULL: it has not. */
static const pl_step *copies_in(const pl_schedule *schedule, const pl_step *list) {
  const pl_step *first = schedule->prologue;
  for (; list->kind != PL_STEP_END; list++) {
    size_t n = 0;
    while (first[n].kind != PL_STEP_END && list[n].kind == first[n].kind)
      n++;
    if (first[n].kind == PL_STEP_END)
      return list;
  }
  return NULL;
}

/* The prologue's steps, from `step` on, by their local function; gives the last. */
static const pl_step *print_copies(const pl_region *r, int level, const pl_step *step) {
  const pl_step *first = r->schedule->prologue;
  for (;; first++, step++) {
    if (step->kind == PL_STEP_ISSUE)
      pl_emit_line(r->e, level, "%.*s(%.*s);", PL_FMT(r->copy),
                   PL_FMT(index_of(r, count_of(r, step))));
    if (first[1].kind == PL_STEP_END)
      return step;
  }
}

static void print_steps(pl_region *r, int level, const pl_step *list) {
  const pl_step *copies = r->copy.n ? copies_in(r->schedule, list) : NULL;
  r->steps = list;
  r->names_next = false;
  for (const pl_step *step = list; step->kind != PL_STEP_END; step++)
    if (step == copies)
      step = print_copies(r, level, step);
    else
      printers[step->kind](r, level, step);
}

/* The variable that says which buffer compute works on. */
static pl_str stage_variable(const pl_region *r) {
  if (r->buffers == 1)
    return PL_STR("");
  return r->e->loop->last_stage.n ? r->e->loop->last_stage
                                  : pl_emit_name(r->e, "stage", PL_STR(""));
}

/* The name of `stage` where this has to be declared; else empty. */
static pl_str new_stage(const pl_region *r) {
  return r->e->loop->last_stage.n ? PL_STR("") : r->stage;
}

static void declare_stage(const pl_region *r, int level) {
  if (new_stage(r).n && !r->begun_stage)
    pl_emit_line(r->e, level, "int %.*s = 0;", PL_FMT(r->stage));
}

/* ---- local functions ------------------------------------------------------ */

static void define_compute(pl_region *r, int level) {
  if (!r->e->loop->compute_once || pl_is_shorter_twice(r, level))
    return;
  r->compute = pl_emit_name(r->e, "compute_tile", PL_STR(""));
  pl_define_compute(r, level);
}

/* The prologue's steps, which rounds repeat for a later tile. */
static void define_copies(pl_region *r, int level) {
  pl_emitter *e = r->e;
  if (!e->loop->copies_once || !copies_in(r->schedule, r->schedule->round))
    return;
  pl_emit_line(e, level, "// Starts to copy the next tile to a stage, if there is one.");
  pl_str name = pl_emit_name(e, "copy_tile", PL_STR(""));
  pl_emit_open(e, level, "auto %.*s = [&](int %.*s)", PL_FMT(name), PL_FMT(r->ahead));
  print_steps(r, level + 1, r->schedule->prologue);
  pl_emit_line(e, level, "};");
  r->copy = name;
}

/* ---- a round for each tile but the last ----------------------------------- */

static const char *main_loop_comment(const pl_region *r) {
  const pl_step *list = r->schedule->round;
  return pl_has_step(list, PL_STEP_SPLIT)
             ? PL_MAIN_LOOP "copy or fetch the next tile while computing on this one."
         : pl_has_step(list, PL_STEP_ISSUE)
             ? PL_MAIN_LOOP "copy the next tile while computing on this one."
             : PL_MAIN_LOOP "fetch the next tile while computing on this one.";
}

/* Declares `more`, finds the first tile, opens the block of a loop that has
 * one; gives the level inside. */
static int open_first_tile(const pl_region *r, int level) {
  pl_emitter *e = r->e;
  const pl_loop *loop = e->loop;
  if (loop->searches) {
    pl_emit_line(e, level, "bool %.*s = false;", PL_FMT(r->more));
    pl_emit_search(e, level, r->more);
  }
  if (loop->searches || (loop->asks_last && !loop->asks_first))
    pl_emit_cursor_copies(e, level, false);
  if (r->begins)
    return level;
  pl_emit_open(e, level, "if (%.*s)",
               PL_FMT(loop->searches ? r->more : pl_cond_text(e, false)));
  if (loop->asks_first)
    pl_emit_cursor_copies(e, level + 1, false);
  return level + 1;
}

/* The main loop's header, and how it gets to the tile that is loaded next. */
static void open_main_loop(const pl_region *r, int level) {
  pl_emitter *e = r->e;
  if (!e->loop->searches) {
    pl_emit_header(e, level, pl_header_steps_first(e));
    if (e->loop->asks_last)
      pl_emit_step(e, level + 1);
    return;
  }
  pl_emit_above(e, level);
  pl_emit_open(e, level, "while (true)");
  pl_emit_beside(e);
  pl_emit_line(e, level + 1, "%.*s = false;", PL_FMT(r->more));
  pl_emit_search(e, level + 1, r->more);
  pl_emit_line(e, level + 1, "if (!%.*s)", PL_FMT(r->more));
  pl_emit_under(e, level + 1, "break;");
  pl_emit_next_cursors(e, level + 1);
}

static void print_main_loop(pl_region *r, int level) {
  pl_emit_line(r->e, level, "%s", main_loop_comment(r));
  open_main_loop(r, level);
  print_steps(r, level + 1, r->schedule->round);
  if (r->e->loop->searches)
    pl_emit_step(r->e, level + 1);
  pl_emit_line(r->e, level, "}");
  pl_emit_behind(r->e);
}

static int open_unless_left(const pl_region *r, int level) {
  if (!r->left.n)
    return level;
  pl_emit_open(r->e, level, "if (!%.*s)", PL_FMT(r->left));
  return level + 1;
}

static void print_rounds_but_last(pl_region *r, int level) {
  pl_emitter *e = r->e;
  const pl_loop *loop = e->loop;
  pl_choose_cursors(e, true);
  r->stage = stage_variable(r);
  r->more = loop->searches ? pl_emit_name(e, "more", PL_STR("")) : PL_STR("");
  bool copies = !loop->searches && !loop->asks_last;
  r->begun_stage = pl_emit_start(e, level, copies, new_stage(r));
  if (loop->waits_at_entry)
    pl_emit_barrier(e, level);
  level = open_first_tile(r, level);
  r->left = loop->nvotes ? pl_emit_name(e, "voted", PL_STR("")) : PL_STR("");
  if (r->left.n)
    emit_vote(r, level, true);
  level = open_unless_left(r, level);
  if (pl_needs_entry_barrier(loop))
    pl_emit_barrier(e, level);
  declare_stage(r, level);
  define_compute(r, level);
  print_steps(r, level, r->schedule->prologue);
  print_main_loop(r, level);
  level = open_unless_left(r, level);
  r->alone = r->left.n > 0;
  print_steps(r, level, r->schedule->epilogue);
  for (int k = 0; r->left.n && k < 2; k++)
    pl_emit_line(e, --level, "}");
  if (pl_needs_exit_barrier(loop) && !loop->waits_at_exit)
    pl_emit_barrier(e, level);
  if (!r->begins)
    pl_emit_line(e, --level, "}");
  if (loop->waits_at_exit)
    pl_emit_barrier(e, level);
}

/* ---- a round for each tile ------------------------------------------------ */

/* The barrier in front of the first copy, if there is a tile. */
static void emit_entry(const pl_region *r, int level) {
  pl_emitter *e = r->e;
  const pl_loop *loop = e->loop;
  if (loop->waits_at_entry)
    pl_emit_barrier(e, level);
  if (loop->searches || !waits_at_entry(r))
    return;
  if (r->begins) {
    pl_emit_barrier(e, level);
    return;
  }
  pl_emit_open(e, level, "if (%.*s)", PL_FMT(r->more));
  pl_emit_barrier(e, level + 1);
  pl_emit_line(e, level, "}");
}

static void print_first_tiles(pl_region *r, int level, int tiles) {
  pl_emitter *e = r->e;
  pl_str many = count_text(r, r->schedule->lead);
  if (r->copy.n && tiles == 1) {
    pl_emit_line(e, level, "%.*s(0);", PL_FMT(r->copy));
    return;
  }
  pl_str header = pl_arena_printf(e->arena, "for (int %.*s = 0; %.*s < %.*s; ++%.*s)",
                                  PL_FMT(r->ahead), PL_FMT(r->ahead), PL_FMT(many),
                                  PL_FMT(r->ahead));
  if (r->copy.n) {
    pl_emit_line(e, level, "%.*s", PL_FMT(header));
    pl_emit_under(e, level, "%.*s(%.*s);", PL_FMT(r->copy), PL_FMT(r->ahead));
    return;
  }
  pl_emit_open(e, level, "%.*s", PL_FMT(header));
  print_steps(r, level + 1, r->schedule->prologue);
  pl_emit_line(e, level, "}");
}

/* `more`: of the load side's own. */
static void declare_more(pl_region *r, int level) {
  pl_emitter *e = r->e;
  const pl_loop *loop = e->loop;
  if (loop->searches || loop->asks_last)
    pl_emit_line(e, level, "bool %.*s = %.*s;", PL_FMT(r->more),
                 PL_FMT(loop->asks_first ? pl_cond_text(e, true)
                                         : PL_STR("true")));
}

/* Every copy that was made was waited for by its compute; what is left, if anything,
 * waits for batches without copies. */
static void print_last_waits(pl_region *r, int level) {
  if (r->schedule->epilogue->kind == PL_STEP_END)
    return;
  print_steps(r, level, r->schedule->epilogue);
}

/* The prologue, and the rounds that begin to copy one tile each. */
static void print_rounds_behind_first(pl_region *r, int level) {
  pl_emitter *e = r->e;
  int tiles = pl_count_of(r->schedule->lead, r->buffers);
  define_copies(r, level);
  print_first_tiles(r, level, tiles);
  declare_stage(r, level);
  pl_emit_line(e, level,
               tiles == 1
                   ? PL_MAIN_LOOP "%.*s tile is in flight while computing on one."
                   : PL_MAIN_LOOP "%.*s tiles are in flight while computing on one.",
               PL_FMT(count_text(r, r->schedule->lead)));
  print_steps(r, pl_open_own_loop(e, level), r->schedule->round);
  pl_close_own_loop(e, level);
}

/* The rounds that fetch: all that the load side does stands at one place. */
static void print_rounds_that_fetch(pl_region *r, int level) {
  pl_emitter *e = r->e;
  r->begun = pl_emit_name(e, "begun", PL_STR(""));
  declare_stage(r, level);
  pl_emit_line(e, level, "int %.*s = 0, %.*s = 0;", PL_FMT(r->ahead), PL_FMT(r->begun));
  int inner = pl_open_own_loop(e, level);
  pl_emit_line(e, inner, "// Fetch loop: starts to copy to all stages that are free.");
  pl_emit_open(e, inner, "for (; %.*s < %.*s; ++%.*s)", PL_FMT(r->begun),
               PL_FMT(count_text(r, r->schedule->lead)), PL_FMT(r->begun));
  print_steps(r, inner + 1, r->schedule->prologue);
  print_next(r, inner + 1, r->ahead);
  pl_emit_line(e, inner, "}");
  print_steps(r, inner, r->schedule->round);
  pl_emit_line(e, inner, "--%.*s;", PL_FMT(r->begun));
  pl_close_own_loop(e, level);
}

static bool comes_again(const pl_loop *loop) {
  return pl_is_entered_again((pl_loop *)loop) || !loop->func->is_global;
}

static void print_exit(const pl_region *r, int level) {
  pl_emitter *e = r->e;
  const pl_loop *loop = e->loop;
  if (loop->last_stage.n) {
    pl_emit_line(e, level, "// Back to the stage of the last tile.");
    pl_emit_line(e, level, "%.*s = %.*s == 0 ? %.*s : %.*s - 1;", PL_FMT(r->stage),
                 PL_FMT(r->stage), PL_FMT(stages_and(r, -1)), PL_FMT(r->stage));
  }
  bool ends = r->form->words->end && comes_again(loop);
  if (loop->waits_at_exit || pl_needs_exit_barrier(loop) || ends)
    pl_emit_barrier(e, level);
  if (ends)
    say(r, level, r->form->words->end, (pl_count)PL_BUFFERS_AND(0));
}

/* The loop of the threads that load: each goes on by the user's own variables, as it has
 * nothing else to do. */
static void print_load_role(pl_region *r, int level) {
  pl_emitter *e = r->e;
  const pl_loop *loop = e->loop;
  pl_str cond = loop->searches || loop->asks_last ? pl_emit_name(e, "more", PL_STR(""))
                                                  : pl_cond_text(e, false);
  pl_emit_line(e, level, "int %.*s = 0;", PL_FMT(r->ahead));
  if (loop->asks_last && !loop->searches)
    pl_emit_line(e, level, "bool %.*s = %.*s;", PL_FMT(cond),
                 PL_FMT(loop->asks_first ? pl_cond_text(e, false) : PL_STR("true")));
  pl_emit_open(e, level, "while (%.*s)", PL_FMT(loop->searches ? PL_STR("true") : cond));
  if (loop->searches) {
    pl_emit_line(e, level + 1, "bool %.*s = false;", PL_FMT(cond));
    pl_emit_search(e, level + 1, cond);
    pl_emit_line(e, level + 1, "if (!%.*s)", PL_FMT(cond));
    pl_emit_under(e, level + 1, "break;");
  }
  print_steps(r, level + 1, r->schedule->prologue);
  if (loop->asks_last && !loop->searches)
    emit_ask_again(e, level + 1, cond);
  else
    pl_emit_step(e, level + 1);
  pl_emit_line(e, level, "}");
}

/* Two roles: those that load end where they have no tile left, and the others do all
 * that follows. */
static void print_roles(pl_region *r, int level) {
  pl_emitter *e = r->e;
  pl_emit_init(e, level);
  pl_emit_line(e, level, "// Threads of the second layer load for those of their x and y, "
                         "and do nothing else.");
  pl_emit_open(e, level, "if (threadIdx.z == 1)");
  print_load_role(r, level + 1);
  pl_emit_line(e, level + 1, "return;");
  pl_emit_line(e, level, "}");
  pl_emit_blank(e);
  pl_choose_cursors(e, false);
  declare_stage(r, level);
  pl_emit_line(e, level, PL_MAIN_LOOP "the others compute.");
  print_steps(r, pl_open_own_loop(e, level), r->schedule->round);
  pl_close_own_loop(e, level);
  print_exit(r, level);
}

static void print_rounds_of_all(pl_region *r, int level) {
  pl_emitter *e = r->e;
  const pl_loop *loop = e->loop;
  r->stage = stage_variable(r);
  r->ahead = pl_emit_name(e, "load_stage", PL_STR(""));
  if (has_roles(r)) {
    print_roles(r, level);
    return;
  }
  pl_choose_cursors(e, false);
  r->more = loop->searches || loop->asks_last
                ? pl_emit_name(e, "more", PL_STR(""))
                : pl_cond_text(e, true);
  r->begun_stage = pl_emit_start(e, level, true, new_stage(r));
  declare_more(r, level);
  emit_entry(r, level);
  if (fetches(r))
    print_rounds_that_fetch(r, level);
  else
    print_rounds_behind_first(r, level);
  print_last_waits(r, level);
  print_exit(r, level);
}

void pl_choose_pipe(pl_emitter *e) {
  const pl_copy_words *words = e->form->words;
  e->pipe = words && words->object ? pl_emit_name(e, words->name, PL_STR(""))
                                   : PL_STR("");
  e->pipe_state = words && words->state ? pl_emit_name(e, "%.*s_state", e->pipe)
                                        : PL_STR("");
}

/* What the copies name. Threads that come to the loop again may find others still at
 * the barriers of the time before, which end with it. */
static void declare_pipe(const pl_region *r, int level) {
  const pl_copy_words *words = r->form->words;
  const pl_loop *loop = r->e->loop;
  if (has_roles(r)) {
    pl_emit_line(r->e, level, "// The kernel is trapped where its launch has no second layer of threads.");
    pl_emit_line(r->e, level, "if (blockDim.z != 2 || blockDim.x * blockDim.y %% 32)");
    pl_emit_under(r->e, level, "__trap();");
  }
  if (words->state && !words->end && comes_again(loop))
    pl_emit_barrier(r->e, level);
  if (words->state)
    say(r, level, words->state, (pl_count)PL_BUFFERS_AND(0));
  say(r, level, words->object, (pl_count)PL_BUFFERS_AND(0));
}

static bool has_first_tile(const pl_loop *loop) {
  if (loop->asks_last)
    return !loop->asks_first;
  return !loop->searches && !loop->ntests && !loop->nvotes &&
         pl_has_first_round(loop->unit, loop->func, loop->init, loop->header);
}

void pl_print_region(pl_emitter *e, int level) {
  const pl_form *form = e->form;
  pl_region r = {.e = e, .form = form, .schedule = form->schedule,
                 .buffers = e->loop->stages,
                 .begins = has_first_tile(e->loop),
                 .alone = form->schedule->rounds != PL_ROUNDS_BUT_LAST &&
                          !e->loop->nhead};
  pl_choose_pipe(e);
  if (e->pipe.n)
    declare_pipe(&r, level);
  if (leads(&r))
    print_rounds_of_all(&r, level);
  else
    print_rounds_but_last(&r, level);
}
