/* widen.c - which copies can be made 16 bytes at a time?
 *
 * Needs: copies and split; widen_loops.c, widen_forms.c, widen_premises.c.
 * Gives: for each such copy how it is made for neighbours, the copy loops that
 * take some iterations at once, what that takes for granted. Raises nothing:
 * narrow_why says what is in the way of halves and bytes, for plan_obstacles.c to
 * raise with PL5001.
 *
 * No hardware copies one or two bytes asynchronously, and copies of 4 bytes cost
 * as much as such of 16. But in
 *
 *     for (int i = tid; i < BM * BK; i += THREADS)
 *       As[i] = row < M && k0 + i % BK < K ? A[row * K + k0 + i % BK] : 0;
 *
 * eight halves, of eight threads, lie side by side in both places. One thread
 * then copies for all: the loop takes 8 * tid, 8 * THREADS. Where both places
 * grow by one element from each iteration to the next and begin at a multiple of
 * 16 bytes, that is one copy; a guard is asked of the ends, between which it can
 * but hold. What of this the run decides is asked once, in front of the tile
 * loop, and the user's own loop stands beside for where it is not so.
 *
 * Rows (pl_find_rows) are the same with groups of 512 bytes and more, which are aligned
 * to 16 bytes still, and whose guards are asked of the last group for all; or one
 * element of each thread of the block. One thread copies them all. */
#include "call_summary.h"
#include "cfg.h"
#include "copies.h"
#include "slices.h"
#include "widen.h"

#define WIDE_BYTES 16
#define LEAST_BYTES 8
#define ROW_BYTES 512  /* of a bulk copy, at least */
#define MOST_ROW 16384 /* of one in a copy loop */

typedef struct widen_walk {
  pl_loop *loop;
  pl_neighbours n;
  int64_t unit;    /* of what both places are aligned to: elements */
  int64_t largest; /* bytes of an element */
  const char *why; /* the first obstacle */
} widen_walk;

static bool no(widen_walk *w, const char *why) {
  if (!w->why)
    w->why = why;
  return false;
}

/* Asks for alignment from now on, or for what the neighbours are again; gives what was
 * asked for. */
static int64_t ask_for(widen_walk *w, int64_t width) {
  int64_t before = w->n.width;
  w->n.width = width;
  return before;
}

/* ---- the copy itself ----------------------------------------------------- */

/* The indices of a cell, outermost first, and the tile; false: it is reached in
 * another way. */
static bool cell_indices(const pl_copy *copy, pl_node **indices, uint32_t n) {
  pl_node *at = pl_node_bare(copy->dst);
  while (n && at->kind == PL_NODE_SUBSCRIPT) {
    indices[--n] = at->kids[1];
    at = pl_node_bare(at->kids[0]);
  }
  return n == 0 && at->kind == PL_NODE_REF && at->decl == copy->tile->decl;
}

/* Whether a row of the tile, or of its rows, keeps the alignment. */
static bool is_even_row(widen_walk *w, const pl_decl *tile, uint32_t level,
                        pl_node *index) {
  size_t before = w->loop->npremises;
  for (uint32_t i = tile->ndims; i-- > level + 1;) {
    if (tile->dims[i] && pl_is_multiple(&w->n, tile->dims[i]))
      return true;
    w->loop->npremises = before;
  }
  return pl_is_multiple(&w->n, index);
}

/* Whether each stage of a tile can begin at a multiple of 16 bytes. */
static bool keeps_alignment(widen_walk *w, const pl_tile *tile) {
  const pl_decl *decl = tile->decl;
  const pl_node *stmt = decl->node ? decl->node->parent : NULL;
  int64_t own = decl->align_attr;
  size_t before = w->loop->npremises;
  bool written = stmt && stmt->kind == PL_NODE_DECL_STMT &&
                 pl_str_starts(pl_unit_slice(w->loop->unit, stmt->range),
                               "__shared__");
  for (uint32_t i = decl->ndims; i-- > 0;) {
    if (decl->dims[i] && pl_is_multiple(&w->n, decl->dims[i]))
      return own >= WIDE_BYTES || (own == 0 && written);
    w->loop->npremises = before;
  }
  return false;
}

/* Whether the first neighbour's cell lies at a multiple of 16 bytes, and the
 * others' side by side behind it. */
static bool fits_cell(widen_walk *w, const pl_copy *copy) {
  const pl_decl *tile = copy->tile->decl;
  pl_node *indices[8];
  pl_slope slope = pl_slope_of_place(&w->n, copy->dst);
  if (copy->tile->dynamic || tile->kind != PL_DECL_VAR || tile->ndims == 0 ||
      tile->ndims > 8 || !cell_indices(copy, indices, tile->ndims))
    return no(w, "a tile's cells are reached by other names than the tile's");
  if (!slope.known || slope.by != 1)
    return no(w, "iterations of its copy loop fill cells that do not lie side by "
                 "side");
  int64_t width = ask_for(w, w->unit);
  bool even = true, aligned = keeps_alignment(w, copy->tile);
  for (uint32_t i = 0; i < tile->ndims; i++)
    even = even && is_even_row(w, tile, i, indices[i]);
  ask_for(w, width);
  if (!even)
    return no(w, "a tile's rows are not whole groups of 16 bytes");
  return aligned ||
         no(w, "its declaration cannot be given the alignment of 16 bytes");
}

static bool fits_source(widen_walk *w, const pl_copy *copy) {
  pl_node *load = pl_node_bare(copy->load);
  bool by_call = load->kind == PL_NODE_CALL && load->nkids > 1 &&
                 !pl_named_by_call(load);
  pl_slope slope = by_call ? pl_slope_of(&w->n, load->kids[1])
                           : pl_slope_of_place(&w->n, load);
  if (!slope.known || slope.by != 1)
    return no(w, "iterations of its copy loop load elements that may not lie "
                 "side by side");
  int64_t width = ask_for(w, w->unit);
  w->n.asks = true;
  bool aligned = pl_is_aligned_place(&w->n, load);
  w->n.asks = false;
  ask_for(w, width);
  return aligned || no(w, "nothing that could be asked in front of the loop says "
                          "whether its source is aligned");
}

/* Whether elements of a type that a template decides are of one size in all
 * instantiations; for others it is a premise. */
static bool has_one_size(widen_walk *w, const pl_copy *copy) {
  const pl_func *func = w->loop->func;
  for (uint32_t i = 0; i < func->ninstances; i++)
    if (pl_type_size(copy->type, func, &func->instances[i]) != copy->bytes)
      return false;
  int64_t width = ask_for(w, w->unit);
  if (pl_written_type(copy->type)->kind == PL_TYPE_DEPENDENT)
    pl_add_size_premise(&w->n, copy->type);
  ask_for(w, width);
  return true;
}

static bool is_plain_copy(const pl_copy *copy, int64_t largest) {
  bool plain = copy->narrow || (!copy->async_id && copy->load);
  return plain && copy->bytes <= largest && !copy->nbytes && !copy->by_call &&
         copy->last == copy->store && copy->store->op == PL_OP_ASSIGN &&
         !copy->store->from_macro && copy->bytes > 0 && copy->type;
}

/* ---- guards -------------------------------------------------------------- */

static bool is_flat(widen_walk *w, pl_node *node) {
  pl_slope s = pl_slope_of(&w->n, node);
  return s.known && s.by == 0;
}

/* Whether the text of a condition can be changed at a comparison. */
static bool is_written_out(const pl_node *cond) {
  return !cond->from_macro && cond->op_range.end && cond->range.end;
}

/* Whether a number does not wrap among the neighbours. */
static bool grows_unwrapped(widen_walk *w, pl_node *node) {
  size_t before = w->loop->npremises;
  bool whole = pl_grows_unwrapped(&w->n, node);
  w->loop->npremises = before;
  return whole;
}

/* Whether what a condition says of the neighbours, of each or with `some` of one,
 * follows from its ends. What wraps between two ends that are both below an unsigned
 * bound is nothing that a load is made from; above one it may be. */
static bool is_monotone(widen_walk *w, pl_node *cond, bool some, int depth) {
  cond = pl_node_bare(cond);
  if (cond->kind == PL_NODE_BINARY &&
      (cond->op == PL_OP_LAND || cond->op == PL_OP_LOR))
    return is_written_out(cond) && is_monotone(w, cond->kids[0], some, depth) &&
           is_monotone(w, cond->kids[1], some, depth);
  if (cond->kind == PL_NODE_UNARY && cond->op == PL_OP_LNOT)
    return !cond->from_macro && is_monotone(w, cond->kids[0], !some, depth);
  if (cond->kind == PL_NODE_BINARY && pl_is_order(cond->op)) {
    pl_slope left = pl_slope_of(&w->n, cond->kids[0]);
    pl_slope right = pl_slope_of(&w->n, cond->kids[1]);
    if (!left.known || !right.known || left.by < 0 || right.by < 0)
      return false;
    bool less = cond->op == PL_OP_LT || cond->op == PL_OP_LE;
    bool least_grows = less ? left.by > 0 : right.by > 0;
    bool wraps = !pl_compares_unsigned(cond) || least_grows == some;
    if (wraps && !(grows_unwrapped(w, cond->kids[0]) &&
                   grows_unwrapped(w, cond->kids[1])))
      return false;
    return (!left.by && !right.by) ||
           (is_written_out(cond) && (!left.by || !right.by));
  }
  pl_node *named = is_flat(w, cond) ? NULL : pl_named_guard(w->loop, cond);
  return named ? depth < 4 && is_monotone(w, named, some, depth + 1) : is_flat(w, cond);
}

static bool fits_guard(widen_walk *w, pl_node *cond, bool some) {
  if (!pl_is_pure(w->loop, cond) || !is_monotone(w, cond, some, 0))
    return no(w, "its guard differs between iterations of its copy loop, and "
                 "compares nothing that grows from each to the next");
  return true;
}

/* ---- what stands around a copy ------------------------------------------- */

/* The IF of which a copy is one arm, NULL: there is none. */
static pl_node *branch_of(const pl_copy *copy) {
  const pl_node *at = copy->store;
  pl_node *up = at->parent;
  while (up && up->kind == PL_NODE_COMPOUND && up->nkids == 1 &&
         !pl_str_is(up->name, "if")) {
    at = up;
    up = up->parent;
  }
  return up && up->kind == PL_NODE_IF && at != up->kids[0] && !pl_if_has_init(up)
             ? up
             : NULL;
}

/* Whether a value can be stored for neighbours as it is written. */
static bool is_fill(widen_walk *w, pl_node *value) {
  return value && is_flat(w, value) && pl_is_pure(w->loop, value) &&
         !pl_reads_global(w->loop, value);
}

/* A value that is guarded: `c ? A[i] : 0`. */
static bool describe_choice(widen_walk *w, const pl_copy *copy, pl_node *choice,
                            pl_wide_copy *wide) {
  wide->cond = choice->kids[0];
  wide->negated = pl_node_bare(choice->kids[1]) != copy->load;
  wide->fill = choice->kids[wide->negated ? 1 : 2];
  if (!is_fill(w, wide->fill))
    return no(w, "what is stored where its guard does not hold is no constant");
  return fits_guard(w, wide->cond, wide->negated);
}

/* A copy in one arm of a branch that neighbours may take differently. */
static bool describe_branch(widen_walk *w, const pl_copy *copy, pl_node *branch,
                            pl_wide_copy *wide) {
  pl_node *other = branch->nkids > 2 ? branch->kids[2] : NULL;
  wide->negated = pl_node_within(copy->store, other);
  if (wide->negated)
    other = branch->kids[1];
  const pl_copy *fill = other ? pl_only_copy(&w->loop->fill, other) : NULL;
  if (wide->cond || branch->from_macro ||
      (other && (!fill || fill->load || fill->reads_memory || fill->nbytes ||
                 fill->by_call || fill->last != fill->store ||
                 !pl_same_text(w->loop->unit, fill->dst, copy->dst) ||
                 !pl_same_names(fill->dst, copy->dst) ||
                 !is_fill(w, fill->src))))
    return no(w, "a branch that iterations of its copy loop may take differently "
                 "does more than to store one cell");
  wide->unit = branch;
  wide->cond = branch->kids[0];
  wide->fill = fill ? fill->src : NULL;
  return fits_guard(w, wide->cond, wide->negated);
}

/* Whether neighbours take a branch all or none. */
static bool goes_together(widen_walk *w, pl_node *cond) {
  cond = pl_node_bare(cond);
  return is_flat(w, cond) ||
         (cond->kind == PL_NODE_BINARY && pl_is_order(cond->op) &&
          pl_holds_for_all_or_none(&w->n, cond));
}

/* Whether the copy loop's iterations all come to a node, or those of a group all do
 * or none, and the threads equally often to the copy loop. */
static bool is_reached_alike(widen_walk *w, const pl_node *from) {
  const pl_loop *loop = w->loop;
  for (const pl_node *at = from, *up = from->parent; up && up != loop->body;
       at = up, up = up->parent) {
    const pl_copy_loop *c = pl_fill_loop(&loop->fill, up);
    bool branch = up->kind == PL_NODE_IF && at != up->kids[0];
    bool own = c && w->n.counter && c->place == w->n.counter;
    if (up->kind == PL_NODE_COMPOUND || own ||
        (branch && goes_together(w, up->kids[0])))
      continue;
    if (!c || !c->var || c->chain || up->kind != PL_NODE_FOR ||
        pl_has_riders(w->loop, (pl_node *)up) || !is_flat(w, c->start) ||
        !is_flat(w, c->bound) || (c->step && !is_flat(w, c->step)))
      return no(w, "threads may not copy equally often");
  }
  return true;
}

/* Comments inside of what is written anew would be lost. */
static bool has_comments(const pl_unit *unit, pl_range range) {
  uint32_t at = pl_comment_from(unit, pl_token_from(unit, range.begin));
  return at < unit->ntokens && unit->tokens[at].range.begin < range.end;
}

/* How a copy is made for neighbours, NULL: it cannot be. */
static pl_wide_copy *describe(widen_walk *w, const pl_copy *copy) {
  pl_wide_copy wide = {.unit = copy->store};
  if (!is_plain_copy(copy, w->largest) || !has_one_size(w, copy)) {
    no(w, "another copy of its copy loop is no plain one of such elements");
    return NULL;
  }
  pl_node *source = pl_node_bare(pl_async_source(copy));
  if (source->kind == PL_NODE_COND && !describe_choice(w, copy, source, &wide))
    return NULL;
  pl_node *branch = branch_of(copy);
  bool chooses = branch && branch->nkids > 2 && branch->kids[2];
  if (branch && (chooses || !is_flat(w, branch->kids[0])) &&
      !describe_branch(w, copy, branch, &wide))
    return NULL;
  if (!fits_cell(w, copy) || !fits_source(w, copy) ||
      !is_reached_alike(w, wide.unit))
    return NULL;
  if (has_comments(w->loop->unit, wide.unit->range) ||
      pl_has_conditional_text(w->loop->unit, wide.unit->range)) {
    no(w, "a comment or an #if stands inside of it");
    return NULL;
  }
  pl_wide_copy *found = PL_NEW(w->loop->arena, pl_wide_copy);
  *found = wide;
  return found;
}

/* ---- copy loops ---------------------------------------------------------- */

/* Whether each copy in a loop belongs to one that is made for neighbours. */
static bool covers_all(const pl_loop *loop, const pl_copy_loop *c) {
  for (size_t i = 0; i < loop->fill.ncopies; i++) {
    const pl_copy *copy = &loop->fill.copies[i];
    bool covered = !pl_node_within(copy->store, c->node);
    for (size_t k = 0; !covered && k < loop->fill.ncopies; k++) {
      const pl_wide_copy *wide = loop->fill.copies[k].wide;
      covered = wide && pl_node_within(copy->store, wide->unit);
    }
    if (!covered)
      return false;
  }
  return true;
}

/* Bytes of the elements that a loop copies, where they are of one size and less than
 * a wide copy; 0: they are not. */
static int64_t element_bytes(const pl_loop *loop, const pl_copy_loop *c,
                             int64_t largest) {
  int64_t bytes = 0;
  for (size_t i = 0; i < loop->fill.ncopies; i++) {
    const pl_copy *copy = &loop->fill.copies[i];
    if ((!copy->load && !copy->reads_memory) ||
        !pl_node_within(copy->store, c->node))
      continue;
    if (!is_plain_copy(copy, largest) || (bytes && bytes != copy->bytes))
      return 0;
    bytes = copy->bytes;
  }
  return bytes;
}

static bool holds_loops(const pl_copy_loop *c) {
  const pl_node *body = pl_node_loop_body(c->node);
  return !body || pl_node_has(body, PL_NODE_FOR) ||
         pl_node_has(body, PL_NODE_WHILE) || pl_node_has(body, PL_NODE_DO) ||
         pl_node_has(body, PL_NODE_RANGE_FOR);
}

/* Whether a thread makes one copy at most, which the hardware takes as it is: joined, its warp
 * issues as many, and asks besides whether all is aligned (docs/gpu-results.md, "Copies that
 * are joined"). */
static bool is_one_copy(const pl_copy_loop *c, int64_t element) {
  return element >= 4 && c->count == 1 && !c->estimated;
}

static void forget(pl_loop *loop, pl_copy_loop *c, size_t premises) {
  loop->npremises = premises;
  c->neighbours = 0;
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    if (pl_node_within(loop->fill.copies[i].store, c->node))
      loop->fill.copies[i].wide = NULL;
}

/* Makes a loop take as many iterations at once as are `bytes` long. */
static bool widen_loop(widen_walk *w, pl_copy_loop *c, int64_t element,
                       int64_t bytes) {
  pl_loop *loop = w->loop;
  size_t before = loop->npremises;
  w->n = (pl_neighbours){.loop = loop, .width = bytes / element, .bytes = bytes,
                         .group = bytes / element};
  w->unit = w->n.width;
  w->largest = LEAST_BYTES;
  const char *why = pl_not_shared_out(&w->n, c);
  bool fits = why ? no(w, why) : true;
  for (size_t i = 0; fits && i < loop->fill.ncopies; i++) {
    pl_copy *copy = &loop->fill.copies[i];
    if (!copy->load || !pl_node_within(copy->store, c->node))
      continue;
    copy->wide = describe(w, copy);
    fits = copy->wide != NULL;
  }
  if (fits && !covers_all(loop, c))
    fits = no(w, "its copy loop stores other values too");
  if (fits)
    c->neighbours = bytes / element;
  else
    forget(loop, c, before);
  return fits;
}

/* ---- the loop ------------------------------------------------------------ */

/* Whether all threads of the block come to the loop, and to each iteration of it: what
 * one copies for another is not copied where it has left. */
static bool is_run_by_all(const pl_loop *loop) {
  return loop->func->is_global && !loop->caller && !loop->counts_differ &&
         !pl_some_stay_away(loop);
}

static void note_tiles(pl_loop *loop) {
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    if (loop->fill.copies[i].wide)
      loop->fill.copies[i].tile->widened = true;
}

void pl_widen(pl_loop *loop) {
  widen_walk w = {.loop = loop};
  if (!loop->fill.nloops && !loop->fill.ncopies)
    return;
  bool all = is_run_by_all(loop) ||
             no(&w, "not all threads of the block may come to the loop");
  for (size_t i = 0; all && i < loop->fill.nloops; i++) {
    pl_copy_loop *c = &loop->fill.loops[i];
    int64_t element = holds_loops(c) ? 0 : element_bytes(loop, c, LEAST_BYTES);
    if (is_one_copy(c, element))
      element = no(&w, "each thread makes one of them at most");
    int64_t least = element < 4 ? LEAST_BYTES : WIDE_BYTES;
    for (int64_t bytes = WIDE_BYTES; element && bytes >= least; bytes /= 2)
      if (widen_loop(&w, c, element, bytes))
        break;
  }
  note_tiles(loop);
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    if (loop->fill.copies[i].narrow && !loop->fill.copies[i].wide)
      loop->narrow_why =
          w.why ? w.why : "no copy loop that the threads share is around it";
}

/* ---- rows ------------------------------------------------------------------ */

static bool is_positive(pl_neighbours *n, pl_node *node) {
  return pl_constant_is(n, PL_PREMISE_POSITIVE, node);
}

/* Whether no group of a copy loop has a larger value than the last one: of the
 * counter, its quotients, its rests by what divides the bound, and sums of those that
 * are made of signed numbers, which do not wrap. */
static bool peaks_last(const pl_neighbours *n, const pl_copy_loop *c, pl_node *node,
                       int depth) {
  pl_neighbours own = *n;
  node = pl_node_bare(node);
  if (depth > 8)
    return false;
  if (pl_is_same_for_groups(&own, node) || pl_is_their_number(&own, node))
    return true;
  if (!node->type || node->type->kind != PL_TYPE_INT || node->type->is_unsigned)
    return false;
  if (node->kind == PL_NODE_CAST && node->nkids && node->type &&
      node->type->kind == PL_TYPE_INT && node->type->size >= 4)
    return peaks_last(n, c, node->kids[0], depth + 1);
  if (node->kind == PL_NODE_REF && node->decl && node->decl->owner &&
      pl_is_set_once(n->loop, node->decl))
    return peaks_last(n, c, node->decl->init, depth + 1);
  if (node->kind != PL_NODE_BINARY)
    return false;
  pl_node *left = node->kids[0], *right = node->kids[1];
  switch (node->op) {
  case PL_OP_ADD:
    return peaks_last(n, c, left, depth + 1) && peaks_last(n, c, right, depth + 1);
  case PL_OP_MUL:
    return (is_positive(&own, right) && peaks_last(n, c, left, depth + 1)) ||
           (is_positive(&own, left) && peaks_last(n, c, right, depth + 1));
  case PL_OP_DIV:
    return pl_is_their_number(&own, left) && is_positive(&own, right);
  case PL_OP_REM:
    return pl_is_their_number(&own, left) && is_positive(&own, right) &&
           pl_divides(&own, right, c->bound);
  default:
    return false;
  }
}

/* Whether a guard that holds for the last neighbour of the last group, or for the
 * block's last thread, holds for all: each of its comparisons is of what is the largest
 * there. Numbers that may wrap do not say so. */
static bool is_asked_of_last(const widen_walk *w, const pl_copy_loop *c, pl_node *cond) {
  cond = pl_node_bare(cond);
  if (cond->kind == PL_NODE_BINARY && cond->op == PL_OP_LAND)
    return is_asked_of_last(w, c, cond->kids[0]) &&
           is_asked_of_last(w, c, cond->kids[1]);
  if (cond->kind != PL_NODE_BINARY || !pl_is_order(cond->op))
    return false;
  bool less = cond->op == PL_OP_LT || cond->op == PL_OP_LE;
  pl_node *grows = cond->kids[less ? 0 : 1], *bound = cond->kids[less ? 1 : 0];
  pl_neighbours n = w->n;
  if (c)
    return pl_is_same_for_groups(&n, bound) &&
           (pl_is_same_for_groups(&n, grows) ||
            (!pl_compares_unsigned(cond) && peaks_last(&n, c, grows, 0)));
  pl_slope by = pl_slope_of(&n, grows), still = pl_slope_of(&n, bound);
  return still.known && still.by == 0 && by.known && (by.by == 0 || by.by == 1);
}

/* Whether a copy, or a fill beside one, belongs to a row. */
static bool is_in_row(const pl_loop *loop, const pl_copy *copy) {
  for (size_t i = 0; i < loop->fill.ncopies; i++) {
    const pl_wide_copy *row = loop->fill.copies[i].row;
    if (row && pl_node_within(copy->store, row->unit))
      return true;
  }
  return false;
}

static bool is_uniform_number(pl_loop *loop, pl_node *node) {
  return node->range.end && pl_is_uniform(loop, node);
}

/* How a copy is one of a row's; NULL: it is not. */
static pl_wide_copy *describe_row(widen_walk *w, const pl_copy_loop *c,
                                  const pl_copy *copy) {
  pl_wide_copy *row = describe(w, copy);
  if (row && row->cond &&
      (row->negated || !is_asked_of_last(w, c, row->cond))) {
    no(w, "whether its guard holds for all is not known from the last one alone");
    return NULL;
  }
  return row;
}

/* Makes the elected thread copy for `bytes` of neighbours at once, over all of a copy
 * loop: what all threads of the block would copy there. */
static bool find_row(widen_walk *w, pl_copy_loop *c, int64_t element, int64_t bytes) {
  pl_loop *loop = w->loop;
  size_t before = loop->npremises;
  pl_copy_loop was = *c;
  w->n = (pl_neighbours){.loop = loop, .width = bytes / element, .bytes = WIDE_BYTES,
                         .group = bytes / element};
  w->unit = WIDE_BYTES / element;
  w->largest = WIDE_BYTES;
  const char *why = pl_not_shared_out(&w->n, c);
  bool fits = why ? no(w, why)
                  : (c->place == c->var && is_uniform_number(loop, c->bound)) ||
                        no(w, "its copy loop counts rounds");
  *c = was;
  c->place = c->var;
  w->n.in_row = false;
  for (size_t i = 0; fits && i < loop->fill.ncopies; i++) {
    pl_copy *copy = &loop->fill.copies[i];
    if (!copy->load || !pl_node_within(copy->store, c->node))
      continue;
    copy->row = describe_row(w, c, copy);
    fits = copy->row != NULL;
  }
  for (size_t i = 0; fits && i < loop->fill.ncopies; i++)
    fits = !pl_node_within(loop->fill.copies[i].store, c->node) ||
           is_in_row(loop, &loop->fill.copies[i]);
  c->row = fits ? bytes / element : 0;
  c->place = was.place;
  if (fits)
    return true;
  loop->npremises = before;
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    if (pl_node_within(loop->fill.copies[i].store, c->node))
      loop->fill.copies[i].row = NULL;
  return false;
}

/* A copy of one element by each thread: its row is the block's. */
static void find_row_of_threads(widen_walk *w, pl_copy *copy) {
  pl_loop *loop = w->loop;
  size_t before = loop->npremises;
  for (size_t i = 0; i < loop->fill.nloops; i++)
    if (pl_node_within(copy->store, loop->fill.loops[i].node))
      return;
  if (!copy->load || copy->bytes <= 0 || WIDE_BYTES % copy->bytes ||
      (loop->threads > 0 ? loop->threads * copy->bytes : copy->tile->bytes) < ROW_BYTES)
    return;
  w->n = (pl_neighbours){.loop = loop, .width = PL_THREADS_GROUP, .bytes = WIDE_BYTES,
                         .group = PL_THREADS_GROUP / copy->bytes, .of_block = true};
  w->unit = WIDE_BYTES / copy->bytes;
  w->largest = WIDE_BYTES;
  copy->row = describe_row(w, NULL, copy);
  ask_for(w, w->unit);
  if (!copy->row)
    loop->npremises = before;
  else if (w->unit > 1)
    pl_add_premise(&w->n, PL_PREMISE_THREADS, NULL);
}

void pl_find_rows(pl_loop *loop) {
  widen_walk w = {.loop = loop};
  loop->apart_why = NULL;
  if (!is_run_by_all(loop))
    return;
  for (size_t i = 0; i < loop->fill.nloops; i++) {
    pl_copy_loop *c = &loop->fill.loops[i];
    int64_t element = holds_loops(c) ? 0 : element_bytes(loop, c, WIDE_BYTES);
    for (int64_t bytes = MOST_ROW; element && bytes >= ROW_BYTES; bytes /= 2)
      if (w.why = NULL, find_row(&w, c, element, bytes))
        break;
  }
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    find_row_of_threads(&w, &loop->fill.copies[i]);
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    if (loop->fill.copies[i].row)
      loop->fill.copies[i].tile->in_rows = true;
  loop->apart_why = w.why;
}

/* ---- one copy by all ------------------------------------------------------- */

static bool is_declared_in(pl_node *node, const void *context) {
  return node->kind == PL_NODE_REF && node->decl && node->decl->node &&
         pl_node_within(node->decl->node, context);
}

static bool is_first(pl_neighbours *n, pl_node *place, const pl_node *around,
                     pl_first_place *first) {
  place = pl_node_bare(place);
  pl_slope slope = pl_slope_of_place(n, place);
  if (!slope.known || slope.by != 1 || place->kind != PL_NODE_SUBSCRIPT)
    return false;
  pl_node *index = pl_node_bare(place->kids[1]);
  *first = (pl_first_place){.base = place->kids[0]};
  for (uint32_t i = 0; index->kind == PL_NODE_BINARY && index->op == PL_OP_ADD && i < 2; i++)
    if (!first->rest && pl_is_their_number(n, index->kids[i]))
      first->rest = index->kids[1 - i];
  const pl_node *rest = first->rest;
  first->wraps = rest && index->type && index->type->is_unsigned && index->type->size == 4 &&
                 !(rest->type && rest->type->is_unsigned) &&
                 !pl_is_not_negative(n, first->rest);
  return (rest || pl_is_their_number(n, index)) && first->base->range.end &&
         (!rest || rest->range.end) && !pl_node_find(place->kids[0], is_declared_in, around) &&
         !(rest && pl_node_find(first->rest, is_declared_in, around));
}

/* Finds what a copy is of, where `around`, its copy loop or its store, copies one range. */
static bool find_range(widen_walk *w, pl_copy *copy, const pl_node *around) {
  pl_block_copy found;
  const pl_unit *unit = w->loop->unit;
  size_t before = w->loop->npremises;
  bool is = copy->load && (copy->wide || !copy->async_id) && is_plain_copy(copy, WIDE_BYTES) &&
            pl_node_bare(pl_async_source(copy))->kind != PL_NODE_COND &&
            is_first(&w->n, copy->dst, around, &found.to) &&
            is_first(&w->n, copy->load, around, &found.from) &&
            is_reached_alike(w, copy->store) && w->loop->npremises == before &&
            !has_comments(unit, around->range) &&
            !pl_has_conditional_text(unit, around->range);
  w->loop->npremises = before;
  if (is) {
    copy->together = PL_NEW(w->loop->arena, pl_block_copy);
    *copy->together = found;
  }
  return is;
}

/* Whether the threads of the block share a copy loop out as the text says, or as the
 * copies of neighbours ask. */
static bool is_shared_by_all(widen_walk *w, pl_copy_loop *c) {
  const pl_loop *loop = w->loop;
  size_t before = loop->npremises;
  pl_copy_loop was = *c;
  int64_t width = c->neighbours ? c->neighbours : 1;
  int64_t bytes = width * (c->neighbours ? element_bytes(loop, c, LEAST_BYTES) : 1);
  w->n = (pl_neighbours){.loop = w->loop, .width = width, .group = width, .bytes = bytes};
  bool all = c->declares && !holds_loops(c) && !pl_not_shared_out(&w->n, c) &&
             c->place == c->var && loop->npremises == before &&
             is_uniform_number(w->loop, c->bound) && pl_is_not_negative(&w->n, c->bound);
  w->loop->npremises = before;
  *c = was;
  c->place = c->var;
  w->n.width = PL_THREADS_GROUP;
  w->n.in_row = false;
  return all;
}

static void find_loop_together(widen_walk *w, pl_copy_loop *c) {
  pl_loop *loop = w->loop;
  pl_decl *place = c->place;
  bool all = is_shared_by_all(w, c), any = false;
  for (size_t i = 0; all && i < loop->fill.ncopies; i++)
    if (pl_node_within(loop->fill.copies[i].store, c->node))
      any = all = find_range(w, &loop->fill.copies[i], c->node);
  c->place = place;
  c->together = all && any;
  for (size_t i = 0; !c->together && i < loop->fill.ncopies; i++)
    if (pl_node_within(loop->fill.copies[i].store, c->node))
      loop->fill.copies[i].together = NULL;
}

void pl_find_together(pl_loop *loop) {
  widen_walk w = {.loop = loop};
  if (!is_run_by_all(loop))
    return;
  for (size_t i = 0; i < loop->fill.nloops; i++)
    find_loop_together(&w, &loop->fill.loops[i]);
  w.n = (pl_neighbours){.loop = loop, .width = PL_THREADS_GROUP, .group = 1, .bytes = 1,
                        .of_block = true};
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    if (!loop->fill.copies[i].together && !loop->fill.copies[i].wide)
      find_range(&w, &loop->fill.copies[i], loop->fill.copies[i].store);
}

/* ---- what others ask ----------------------------------------------------- */

const pl_copy_loop *pl_loop_of_wide(const pl_loop *loop, const pl_copy *copy) {
  for (size_t i = 0; copy->wide && i < loop->fill.nloops; i++)
    if (loop->fill.loops[i].neighbours &&
        pl_node_within(copy->store, loop->fill.loops[i].node))
      return &loop->fill.loops[i];
  return NULL;
}

const pl_copy_loop *pl_loop_of_row(const pl_loop *loop, const pl_copy *copy) {
  for (size_t i = 0; copy->row && i < loop->fill.nloops; i++)
    if (loop->fill.loops[i].row &&
        pl_node_within(copy->store, loop->fill.loops[i].node))
      return &loop->fill.loops[i];
  return NULL;
}

const char *pl_async_obstacle(const pl_copy *copy) {
  return copy->wide ? NULL : copy->async_id;
}

int64_t pl_copied_bytes(const pl_loop *loop, const pl_copy *copy) {
  const pl_copy_loop *c = pl_loop_of_wide(loop, copy);
  return c ? copy->bytes * c->neighbours : copy->bytes;
}
