/* coverage.c - are all cells of a tile written in every iteration, and once?
 *
 * Needs: the copies, loops and calls of a fill. Gives: partial for tiles of
 * which a guard that varies leaves cells unwritten, stored_twice for those of
 * which one statement writes again what another one has written. Raises
 * nothing. Whether a thread's copies meet is asked in meetings.c. */
#include "cfg.h"
#include "copies.h"

typedef struct cells {
  pl_node **items;
  size_t n, cap;
} cells;

/* How many bytes a memcpy or memset stores to a cell, NULL: it is assigned to. */
static const pl_node *bytes_of(const pl_node *dst) {
  const pl_node *store = dst->parent;
  return store && store->kind == PL_NODE_ASSIGN && store->nkids > 2 &&
                 store->kids[0] == dst && dst->op == PL_OP_DEREF
             ? store->kids[2]
             : NULL;
}

/* Whether as much is stored to one cell as to another of the same text. */
static bool as_many_bytes(const pl_loop *loop, const pl_node *a,
                          const pl_node *b) {
  const pl_node *m = bytes_of(a), *n = bytes_of(b);
  if (!m || !n)
    return m == n;
  return m->has_ival && n->has_ival && !pl_is_open(m) && !pl_is_open(n)
             ? m->ival == n->ival
             : pl_same_text(loop->unit, m, n) && pl_same_names(m, n);
}

static bool cells_have(const pl_loop *loop, const cells *set,
                       const pl_node *dst) {
  if (pl_node_changes(dst)) /* `*d++`: another cell each time */
    return false;
  for (size_t i = 0; i < set->n; i++)
    if (pl_same_text(loop->unit, set->items[i], dst) &&
        pl_same_names(set->items[i], dst) &&
        as_many_bytes(loop, set->items[i], dst))
      return true;
  return false;
}

/* Whether a branch is left by jumps alone, so that what follows is its else part. */
static bool only_jumps(const pl_node *arm) {
  return pl_cfg_completes(arm) == PL_NO;
}

static bool stores_cell(const pl_loop *loop, const pl_node *node,
                        const pl_node *dst) {
  const cells one = {.items = (pl_node *[]){(pl_node *)dst}, .n = 1};
  if (!node)
    return false;
  if (node->kind == PL_NODE_ASSIGN && cells_have(loop, &one, node->kids[0]))
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (stores_cell(loop, node->kids[i], dst))
      return true;
  return false;
}

/* Whether a thread that comes to `dst` has written `item` before, or will: no
 * branch around it, of which the other arm does not write it too, passes it over,
 * `if (tx < 16) As[tx] = v; if (k0 == 0) As[tx] = w`. The arms of one branch
 * around both are compared by the caller. */
static bool is_passed_over(const pl_loop *loop, const pl_node *item,
                           const pl_node *dst) {
  for (const pl_node *at = item; at->parent && at != loop->body;
       at = at->parent) {
    const pl_node *up = at->parent;
    if (pl_node_within(dst, up))
      return false;
    const pl_node *other = up->kind == PL_NODE_IF && up->nkids > 2
                               ? up->kids[at == up->kids[1] ? 2 : 1]
                               : NULL;
    if (up->kind == PL_NODE_IF && !only_jumps(at) &&
        !stores_cell(loop, other, item))
      return true;
  }
  return false;
}

/* Whether `set` has the cell itself: the same text names another one where a
 * variable of it is set on the way, `As[i] = 0; i += 8; As[i] = v`. */
static bool cells_have_same(pl_loop *loop, const cells *set,
                            const pl_node *dst) {
  for (size_t i = 0; i < set->n; i++) {
    const pl_node *item = set->items[i];
    cells one = {.items = &set->items[i], .n = 1};
    bool first = item->range.begin < dst->range.begin;
    if (cells_have(loop, &one, dst) && !is_passed_over(loop, item, dst) &&
        !pl_changed_between(loop, dst, first ? item->range.end : dst->range.end,
                            first ? dst->range.begin : item->range.begin))
      return true;
  }
  return false;
}

static void mark_partial(pl_loop *loop, pl_node *dst, pl_node *at) {
  pl_tile *tile = pl_tile_of_cell(loop, dst);
  if (!tile || tile->partial)
    return;
  tile->partial = true;
  tile->partial_at = at;
}

/* Cells that are others when the loop is reached again: those of the time before
 * stay behind. */
static void mark_moved(pl_loop *loop, pl_tile *tile, pl_node *dst) {
  if (!tile || tile->partial || pl_place_varies(loop, tile->decl, dst) ||
      !pl_place_ever_varies(loop, tile->decl, dst))
    return;
  tile->partial_why = "keeps old cells, as those that are filled change from one "
                      "time that the loop is reached to the next";
  mark_partial(loop, dst, dst);
}

static bool condition_varies(pl_loop *loop, pl_node *cond) {
  return cond && pl_ever_varies(loop, cond);
}

/* Calls under a guard that varies fill their tiles in some iterations only. */
static void guard_calls(pl_loop *loop, pl_fill *fill, pl_node *guard) {
  for (size_t i = 0; guard && i < fill->ncalls; i++) {
    if (!pl_node_within(fill->calls[i].node, guard))
      continue;
    for (size_t t = 0; t < loop->ntiles; t++)
      if (pl_mentions(fill->calls[i].node, loop->tiles[t].decl))
        loop->tiles[t].partial = true;
  }
}

static void written_cells(pl_loop *loop, pl_fill *fill, pl_node *node,
                          const cells *before, cells *out);

/* Statements one after the other, as part of a block. */
typedef struct run {
  pl_node **items;
  uint32_t n;
} run;

static void add_all(pl_loop *loop, cells *to, const cells *from) {
  for (size_t i = 0; i < from->n; i++)
    PL_PUSH(loop->arena, to->items, to->n, to->cap, from->items[i]);
}

static bool fills_tile(pl_loop *loop, const cells *set, const pl_tile *tile) {
  for (size_t i = 0; i < set->n; i++)
    if (pl_tile_of_cell(loop, set->items[i]) == tile)
      return true;
  return false;
}

/* A cell that one side of a branch writes, and the other perhaps not. */
static void mark_one_sided(pl_loop *loop, const pl_node *branch, pl_node *dst,
                           const cells *other) {
  pl_tile *tile = pl_tile_of_cell(loop, dst);
  if (tile && !tile->partial && fills_tile(loop, other, tile))
    tile->partial_why = "is filled by both sides of a branch, and whether they "
                        "write the same cells is not known";
  mark_partial(loop, dst, (pl_node *)branch);
}

/* Of the cells that one side of a branch writes, those are written always that
 * the other side writes too, or that were written before. */
static void join_cells(pl_loop *loop, const pl_node *branch, bool varies,
                       const cells *one, const cells *other,
                       const cells *known, cells *out) {
  for (size_t i = 0; i < one->n; i++) {
    bool always = !varies || cells_have_same(loop, other, one->items[i]) ||
                  cells_have_same(loop, known, one->items[i]);
    if (!always)
      mark_one_sided(loop, branch, one->items[i], other);
    else if (!cells_have_same(loop, out, one->items[i]))
      PL_PUSH(loop->arena, out->items, out->n, out->cap, one->items[i]);
  }
}

static void written_in_run(pl_loop *loop, pl_fill *fill, run rest,
                           const cells *before, cells *out);

/* `if (c) yes; else no;`, or with a jump at the end of `yes`, the rest of the
 * block for `no`. */
static void written_in_branch(pl_loop *loop, pl_fill *fill, pl_node *node,
                              run no_run, const cells *before, cells *out) {
  cells yes = {0}, no = {0}, known = {0};
  add_all(loop, &known, before);
  add_all(loop, &known, out);
  written_cells(loop, fill, node->kids[1], &known, &yes);
  written_in_run(loop, fill, no_run, &known, &no);
  bool varies = condition_varies(loop, node->kids[0]);
  if (varies)
    guard_calls(loop, fill, node);
  for (uint32_t i = 0; varies && i < no_run.n; i++)
    guard_calls(loop, fill, no_run.items[i]);
  join_cells(loop, node, varies, &yes, &no, &known, out);
  join_cells(loop, node, varies, &no, &yes, &known, out);
}

typedef struct jump_walk {
  pl_loop *loop;
  uint32_t before; /* jumps that stand in front of this decide */
  bool varies;
} jump_walk;

static bool find_varying_jump(pl_node *node, void *context) {
  jump_walk *w = context;
  if (node->kind == PL_NODE_IF && node->range.begin < w->before &&
      pl_cfg_jump_out(node, PL_JUMP_LOOP))
    w->varies = w->varies || condition_varies(w->loop, node->kids[0]);
  return !w->varies;
}

/* Whether the iteration decides over a jump somewhere below a statement. */
static bool jump_varies(pl_loop *loop, pl_node *node, uint32_t before) {
  jump_walk w = {.loop = loop, .before = before};
  pl_node_walk(node, find_varying_jump, &w);
  return w.varies;
}

/* Whether the iteration decides which turn of a copy loop is its last: by a
 * break, or by a continue that passes one over. */
static bool break_varies(pl_loop *loop, pl_node *body) {
  const pl_node *last = pl_cfg_last_jump_out(body, PL_JUMP_BREAK);
  return last && jump_varies(loop, body, last->range.begin);
}

static void written_in_run(pl_loop *loop, pl_fill *fill, run rest,
                           const cells *before, cells *out) {
  for (uint32_t i = 0; i < rest.n; i++) {
    pl_node *node = rest.items[i];
    if (!node)
      continue;
    run after = {rest.items + i + 1, rest.n - i - 1};
    bool leaves = pl_cfg_jump_out(node, PL_JUMP_LOOP);
    if (leaves && node->kind == PL_NODE_IF && only_jumps(node->kids[1]) &&
        (node->nkids < 3 || !node->kids[2])) {
      written_in_branch(loop, fill, node, after, before, out);
      return;
    }
    written_cells(loop, fill, node, before, out);
    if (!leaves)
      continue;
    cells later = {0}, known = {0};
    add_all(loop, &known, before);
    add_all(loop, &known, out);
    bool varies = jump_varies(loop, node, UINT32_MAX);
    written_in_run(loop, fill, after, &known, &later);
    for (uint32_t k = 0; varies && k < after.n; k++)
      guard_calls(loop, fill, after.items[k]);
    join_cells(loop, node, varies, &later, &(cells){0}, &known, out);
    return;
  }
}

/* Whether a part of a loop's header gives what its condition asks for another
 * value in another iteration: `p += ld` beside `++r` does not. */
static bool sets_varying(pl_loop *loop, pl_node *part, const pl_node *cond) {
  if (!part)
    return false;
  if (part->kind == PL_NODE_PAREN || part->kind == PL_NODE_DECL_STMT ||
      (part->kind == PL_NODE_BINARY && part->op == PL_OP_COMMA)) {
    for (uint32_t i = 0; i < part->nkids; i++)
      if (sets_varying(loop, part->kids[i], cond))
        return true;
    return false;
  }
  bool steps = part->kind == PL_NODE_ASSIGN || pl_node_is_step(part);
  const pl_node *target = steps ? pl_node_bare(part->kids[0]) : part;
  bool named = (steps && target->kind == PL_NODE_REF) || part->kind == PL_NODE_VAR;
  return (!named || !target->decl || !cond || pl_mentions(cond, target->decl)) &&
         condition_varies(loop, part);
}

/* A loop's cells are written always, unless the iteration decides how often it
 * runs: by its header, or by a break. */
static void written_in_loop_body(pl_loop *loop, pl_fill *fill, pl_node *node,
                                 const cells *before, cells *out) {
  cells inner = {0};
  pl_node *body = pl_node_loop_body(node);
  written_cells(loop, fill, body, before, &inner);
  bool varies = break_varies(loop, body), counts = node->kind == PL_NODE_FOR;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (node->kids[i] != body)
      varies = varies ||
               (counts ? sets_varying(loop, node->kids[i], node->kids[1])
                       : condition_varies(loop, node->kids[i]));
  if (varies)
    guard_calls(loop, fill, node);
  for (size_t i = 0; i < inner.n; i++) {
    if (varies)
      mark_partial(loop, inner.items[i], node);
    else
      PL_PUSH(loop->arena, out->items, out->n, out->cap, inner.items[i]);
  }
}

/* Gathers in `out` the cells that a statement writes whatever the iteration;
 * `before` holds those that are certainly written already. */
static void written_cells(pl_loop *loop, pl_fill *fill, pl_node *node,
                          const cells *before, cells *out) {
  if (!node)
    return;
  const pl_copy *copy = pl_fill_copy(fill, node);
  if (copy) {
    for (pl_node *at = copy->store;; at = at->kids[1]) {
      pl_node *dst = at->kids[0];
      pl_tile *tile = pl_tile_of_cell(loop, dst);
      if (tile && (cells_have(loop, before, dst) || cells_have(loop, out, dst)))
        tile->stored_twice = true;
      mark_moved(loop, tile, dst);
      PL_PUSH(loop->arena, out->items, out->n, out->cap, dst);
      if (at == copy->last)
        return;
    }
  }
  switch (node->kind) {
  case PL_NODE_COMPOUND:
    written_in_run(loop, fill, (run){node->kids, node->nkids}, before, out);
    return;
  case PL_NODE_FOR:
  case PL_NODE_WHILE:
  case PL_NODE_DO:
    written_in_loop_body(loop, fill, node, before, out);
    return;
  case PL_NODE_CALL: {
    const pl_fill_call *call = pl_fill_call_at(fill, node);
    if (call)
      pl_return_tile_facts(loop, call->body);
    return;
  }
  case PL_NODE_IF: {
    pl_node *no = node->nkids > 2 ? node->kids[2] : NULL;
    written_in_branch(loop, fill, node, (run){&no, 1}, before, out);
    return;
  }
  default:
    return;
  }
}

void pl_mark_coverage(pl_loop *loop, pl_fill *fill) {
  cells before = {0}, out = {0};
  for (size_t i = 0; i < fill->nroots; i++)
    written_cells(loop, fill, fill->roots[i], &before, &out);
}

/* Whether at most one of two runs, in each iteration of the loop around both. */
bool pl_are_exclusive(const pl_node *a, const pl_node *b) {
  const pl_node *loop = a;
  while (loop && !(pl_node_is_loop(loop) && pl_node_within(b, loop)))
    loop = loop->parent;
  return pl_cfg_are_exclusive(a, b, loop) == PL_YES;
}

/* Whether one of a copy's left sides is in the tile. */
bool pl_stores_into(pl_loop *loop, const pl_copy *copy, const pl_tile *tile) {
  for (const pl_node *at = copy->store;; at = at->kids[1]) {
    if (pl_tile_of_cell(loop, at->kids[0]) == tile)
      return true;
    if (at == copy->last)
      return false;
  }
}

/* An asynchronous copy and a plain store into one tile must not meet: the copy
 * would land later. */
static void mark_mixed_stores(pl_loop *loop, pl_fill *fill) {
  for (size_t i = 0; i < fill->ncopies; i++)
    for (size_t k = 0; k < fill->ncopies; k++) {
      const pl_copy *copy = &fill->copies[i], *plain = &fill->copies[k];
      if (copy->load && !plain->load && pl_stores_into(loop, plain, copy->tile) &&
          !pl_are_exclusive(copy->store, plain->store))
        copy->tile->stored_twice = true;
    }
}

/* The argument of a call that is (in) a tile, or the object one of whose members
 * leads there; NULL: none. */
pl_node *pl_tile_argument(pl_loop *loop, const pl_fill_call *call,
                          const pl_tile *tile) {
  if (pl_stands_for(call->body, tile->decl))
    return pl_node_bare(call->node->kids[0])->kids[0];
  for (uint32_t i = 1; i < call->node->nkids; i++) {
    pl_roots roots = {0};
    pl_roots_of(loop->effects, loop->func, call->node->kids[i], &roots);
    for (size_t k = 0; k < roots.n; k++)
      if (roots.items[k].decl == tile->decl)
        return call->node->kids[i];
  }
  return NULL;
}

/* Whether a left side begins with a record that a load helper is handed, or that
 * its object's member leads to. */
static bool is_record_of_helper(const pl_node *node) {
  const pl_node *of = node->nkids ? pl_node_bare(node->kids[0]) : NULL;
  return node->decl &&
         ((node->kind == PL_NODE_REF && node->decl->kind == PL_DECL_PARAM) ||
          (node->kind == PL_NODE_MEMBER && of && of->kind == PL_NODE_THIS));
}

/* The field of that record which a left side lies in, as `b` in `s.b[r][c]`, and
 * the record's name; NULL: it lies in none, or other fields may lie there. */
static const pl_decl *field_stored_to(const pl_node *dst,
                                      const pl_decl **record) {
  const pl_node *at = pl_node_bare((pl_node *)dst);
  for (const pl_node *of; at->nkids; at = of) {
    of = pl_node_bare(at->kids[0]);
    if (at->kind == PL_NODE_SUBSCRIPT &&
        (!of->type || of->type->kind == PL_TYPE_POINTER))
      return NULL;
    if (at->kind != PL_NODE_SUBSCRIPT && at->kind != PL_NODE_MEMBER)
      return NULL;
    if (at->kind != PL_NODE_MEMBER || !is_record_of_helper(of))
      continue;
    *record = of->decl;
    return at->decl && at->decl->is_field && !at->decl->is_in_union ? at->decl
                                                                    : NULL;
  }
  return NULL;
}

/* Whether two left sides lie in two fields of one record. */
static bool lie_apart(const pl_node *a, const pl_node *b) {
  const pl_decl *record = NULL, *other = NULL;
  const pl_decl *one = field_stored_to(a, &record);
  const pl_decl *two = field_stored_to(b, &other);
  bool same = one && two &&
              (record == other || (record->kind == PL_DECL_PARAM &&
                                   other->kind == PL_DECL_PARAM &&
                                   pl_same_type(record->type, other->type)));
  return same && one != two;
}

static bool store_apart(const pl_copy *a, const pl_copy *b) {
  for (const pl_node *x = a->store;; x = x->kids[1]) {
    for (const pl_node *y = b->store;; y = y->kids[1]) {
      if (!lie_apart(x->kids[0], y->kids[0]))
        return false;
      if (y == b->last)
        break;
    }
    if (x == a->last)
      return true;
  }
}

bool pl_fill_other_fields(const pl_fill_call *a, const pl_fill_call *b) {
  const pl_fill *one = &a->body->fill, *two = &b->body->fill;
  for (size_t i = 0; i < one->ncopies; i++)
    for (size_t k = 0; k < two->ncopies; k++)
      if (!store_apart(&one->copies[i], &two->copies[k]))
        return false;
  return one->ncopies && two->ncopies && !one->ncalls && !two->ncalls;
}

static bool meets_another_call(pl_loop *loop, const pl_fill *fill, size_t at,
                               const pl_tile *tile) {
  const pl_node *place = pl_tile_argument(loop, &fill->calls[at], tile);
  for (size_t i = 0; i < fill->ncalls; i++) {
    const pl_node *other =
        i == at ? NULL : pl_tile_argument(loop, &fill->calls[i], tile);
    bool member = pl_stands_for(fill->calls[at].body, tile->decl) ||
                  pl_stands_for(fill->calls[i].body, tile->decl);
    if (other && (member || pl_same_text(loop->unit, place, other)) &&
        !pl_are_exclusive(fill->calls[at].node, fill->calls[i].node) &&
        !pl_fill_other_fields(&fill->calls[at], &fill->calls[i]))
      return true;
  }
  return false;
}

/* The same of what a called function copies: it may be any cell of what it is
 * handed. */
static void mark_mixed_calls(pl_loop *loop, const pl_fill *fill) {
  for (size_t i = 0; i < fill->ncalls; i++)
    for (size_t t = 0; t < loop->ntiles; t++) {
      pl_tile *tile = &loop->tiles[t];
      if (!pl_tile_argument(loop, &fill->calls[i], tile))
        continue;
      if (meets_another_call(loop, fill, i, tile))
        tile->stored_twice = true;
      for (size_t k = 0; k < fill->ncopies; k++)
        if (pl_stores_into(loop, &fill->copies[k], tile) &&
            !pl_are_exclusive(fill->calls[i].node, fill->copies[k].store))
          tile->stored_twice = true;
    }
}

void pl_mark_mixed(pl_loop *loop, pl_fill *fill) {
  mark_mixed_stores(loop, fill);
  mark_mixed_calls(loop, fill);
}
