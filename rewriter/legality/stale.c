/* stale.c - may compute read a cell that its tile has left unwritten?
 *
 * Needs: copies, with what a guard leaves unwritten marked as partial. Gives:
 * partial is false again for tiles of which compute reads only cells that the
 * same iteration has written, if any iteration does. Raises nothing.
 *
 * A store `if (k0 + tx < K) As[ty][tx] = ...` writes, of the cells that its
 * threads may write at all, those whose second index c has k0 + c < K, where k0
 * and K are the same for all threads. A read As[r][k] is proven where what it
 * stands under, `k < min(T, K - k0)`, says that k0 + k < K. Cells that no thread
 * writes in any iteration hold the same in every stage: nothing.
 *
 * What cannot be said for all arguments of a template may be for those in sight, which the
 * rewritten text then asks for. */
#include "cfg.h"
#include "copies.h"
#include "stale.h"

typedef struct stale_walk {
  pl_loop *loop;
  pl_tile *tile;
  pl_named_cell *cells;
  size_t n, cap;
  bool lost; /* the tile is named in another way */
  bool open; /* how many cells an access has hangs on the arguments of a template */
} stale_walk;

/* ---- stores and reads ------------------------------------------------------ */

/* The access by way of a pointer to a wider type that is made of a cell's address, `*(float4
 * *)&s[i]` or with `[0]`, or of a reference to one, `(float4 &)s[i]`; NULL: there is none. */
static pl_node *wide_access(const pl_named_cell *c) {
  pl_node *address = pl_node_around(c->node);
  if (address && address->kind == PL_NODE_CAST && pl_is_reference(address->type))
    return address;
  pl_node *cast = address && address->kind == PL_NODE_UNARY && address->op == PL_OP_ADDR
                      ? pl_node_around(address) : NULL;
  pl_node *at = cast && cast->kind == PL_NODE_CAST && cast->type &&
                        cast->type->kind == PL_TYPE_POINTER ? pl_node_around(cast) : NULL;
  bool first = at && at->kind == PL_NODE_SUBSCRIPT && pl_node_bare(at->kids[0]) == cast &&
               pl_node_is_zero(at->kids[1]);
  return at && (first || (at->kind == PL_NODE_UNARY && at->op == PL_OP_DEREF)) ? at : NULL;
}

/* Takes a cell for as many as an access to it and its neighbours has; false: it is not
 * known how many. *open: set where other arguments of a template may make it more or fewer. */
static bool take_span(const pl_decl *tile, pl_named_cell *c, const pl_node *wide, bool *open) {
  const pl_type *of = c->node->type, *as = pl_no_reference(wide->type);
  *open |= of && as && (pl_written_type(of) != of || pl_written_type(as) != as);
  bool sized = of && as && of->size > 0 && as->size >= of->size && as->size % of->size == 0;
  if (!sized || c->nparts || c->n != tile->ndims)
    return false;
  c->span = as->size / of->size;
  c->bound = c->n > 1 ? tile->dims[c->n - 1] : NULL;
  return c->n == 1 || c->bound;
}

/* What a cell is part of: `s[i].x`. */
static pl_node *user_of(const pl_node *cell) {
  pl_node *at = (pl_node *)cell, *up = at->parent;
  while (up && (up->kind == PL_NODE_PAREN ||
                (up->kind == PL_NODE_MEMBER && !up->is_arrow)))
    up = up->parent;
  return up;
}

/* Whether a use of a reference keeps an address. */
static bool keeps_address(pl_node *node, const void *decl) {
  if (node->kind != PL_NODE_REF || node->decl != decl)
    return false;
  const pl_node *up = user_of(node);
  const pl_type *as = up && up->kind == PL_NODE_VAR && up->decl ? up->decl->type
                                                                : NULL;
  return !up || pl_in_lambda(up) ||
         (up->kind == PL_NODE_VAR && (!as || as->kind == PL_TYPE_REFERENCE)) ||
         (up->kind == PL_NODE_UNARY && up->op == PL_OP_ADDR);
}

/* `const Particle &p = s[j];` in the loop: p ends with the iteration, and nothing
 * else comes to mean the cell. */
static bool is_name_within(const pl_loop *loop, const pl_node *var) {
  return pl_declared_inside(var->decl, loop->body) && !var->decl->is_static &&
         !pl_node_find(loop->body, keeps_address, var->decl);
}

static bool is_plain_read(const pl_loop *loop, const pl_node *cell) {
  const pl_node *up = user_of(cell);
  if (!up || pl_in_lambda(up) ||
      (up->kind == PL_NODE_UNARY && up->op == PL_OP_ADDR))
    return false;
  if (up->kind != PL_NODE_VAR)
    return true;
  return up->decl && up->decl->type &&
         (up->decl->type->kind != PL_TYPE_REFERENCE || is_name_within(loop, up));
}

/* Whether a name stands where the tile is filled: what is no store of one whole
 * cell is one of a part, `tile[i].of[k] = v`, or by a name made for stores. */
static bool is_among_stores(const pl_loop *loop, const pl_node *node) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if (pl_node_within(node, loop->stmts[i].node))
      return loop->stmts[i].fills || loop->stmts[i].names_tile;
  return false;
}

static bool find_cells(pl_node *node, void *context) {
  stale_walk *w = context;
  if (w->lost || node->kind == PL_NODE_SIZEOF)
    return false;
  if (node->kind != PL_NODE_REF || node->decl != w->tile->decl)
    return true;
  pl_named_cell c;
  const pl_decl *tile = w->tile->decl;
  const pl_node *access = pl_cell_of(tile, node, &c) ? c.node : NULL;
  const pl_node *wide = access ? wide_access(&c) : NULL;
  if (wide)
    access = take_span(tile, &c, wide, &w->open) ? wide : NULL;
  const pl_node *up = access ? user_of(access) : NULL;
  bool stored = up && up->kind == PL_NODE_ASSIGN &&
                pl_node_within(c.node, up->kids[0]);
  if (!up || pl_in_lambda(c.node) || !pl_node_within(node, w->loop->body) ||
      (stored && !pl_fill_copy(&w->loop->fill, up)) ||
      (!stored && (is_among_stores(w->loop, node) ||
                   !is_plain_read(w->loop, access))))
    w->lost = true;
  c.store = stored ? (pl_node *)up : NULL;
  PL_PUSH(w->loop->arena, w->cells, w->n, w->cap, c);
  return true;
}

/* ---- the tiles ---------------------------------------------------------------- */

/* Whether two cells may be one: those of two members are none. */
static bool in_one_part(const pl_named_cell *a, const pl_named_cell *b) {
  for (uint32_t i = 0; i < a->nparts && i < b->nparts; i++)
    if (!pl_str_eq(a->part[i], b->part[i]))
      return false;
  return true;
}

/* Whether each name of the tile was come to, and what it names is known. */
static bool all_are_seen(const pl_accesses *of) {
  for (size_t i = 0; i < of->nwanted; i++) {
    bool seen = false, sure = true;
    for (size_t k = 0; k < of->nseen; k++)
      if (of->seen[k].cell == &of->wanted[i]) {
        seen = true;
        sure = sure && (of->seen[k].sure || !of->wanted[i].store);
      }
    if (!seen || !sure)
      return false;
  }
  return !of->cut && !of->lost;
}

static bool all_are_fresh(pl_accesses *of) {
  pl_freshness f = {of, NULL};
  bool fresh = all_are_seen(of);
  for (size_t s = 0; fresh && s < of->nseen; s++)
    for (size_t r = 0; fresh && of->seen[s].cell->store && r < of->nseen; r++)
      fresh = of->seen[r].cell->store ||
              !in_one_part(of->seen[s].cell, of->seen[r].cell) ||
              pl_is_fresh(&f, &of->seen[s], &of->seen[r]);
  pl_integers_free(f.integers);
  return fresh;
}

static bool reads_what_it_writes(pl_loop *loop, pl_tile *tile) {
  stale_walk w = {.loop = loop, .tile = tile};
  pl_accesses of;
  if (tile->changed_at ||
      tile->decl->owner != loop->func)
    return false;
  pl_node_walk(loop->func->body, find_cells, &w);
  if (w.lost || !w.n)
    return false;
  const pl_func *pattern = loop->func->pattern;
  pl_arena *arena = pl_arena_child(loop->arena);
  pl_find_cells(&of, arena, loop, w.cells, w.n);
  bool fresh = !w.open && all_are_fresh(&of);
  if (!fresh && pattern && pattern->is_all_in_sight) {
    pl_find_cells_here(&of, arena, loop, w.cells, w.n, NULL);
    fresh = all_are_fresh(&of) && pl_ask_for_arguments(loop, !w.open);
  }
  pl_arena_free(arena);
  return fresh;
}

void pl_find_stale_cells(pl_loop *loop) {
  bool unclear = loop->threads_vary || loop->caller || !loop->func->is_global ||
                 pl_cfg_has_goto(loop->func->body);
  if (loop->settled)
    return;
  for (size_t t = 0; t < loop->ntiles && !unclear; t++)
    if (loop->tiles[t].partial && reads_what_it_writes(loop, &loop->tiles[t]))
      loop->tiles[t].partial = false;
  pl_check_kept_cells(loop);
}
