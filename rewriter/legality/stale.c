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
 * writes in any iteration hold the same in every stage: nothing. */
#include "cfg.h"
#include "copies.h"
#include "stale.h"

typedef struct stale_walk {
  pl_loop *loop;
  pl_tile *tile;
  pl_partial_store *stores;
  size_t nstores, stores_cap;
  pl_named_cell *reads;
  size_t nreads, reads_cap;
  bool lost; /* the tile is named in another way */
} stale_walk;

/* ---- stores and reads ------------------------------------------------------ */

static bool is_array(const pl_type *type) {
  return type && type->kind == PL_TYPE_ARRAY;
}

/* A record whose members lie side by side. */
static bool is_struct(const pl_type *type) {
  return type && (type->kind == PL_TYPE_RECORD ||
                  (type->kind == PL_TYPE_DEPENDENT && type->is_user)) &&
         !type->is_union;
}

/* Takes one step from a name towards a cell: an index, or a member of a tile that
 * is a record. NULL: what stands around it is neither. */
static pl_node *step_into(const pl_tile *tile, pl_node *at, pl_named_cell *out) {
  pl_node *up = at->parent;
  while (up && up->kind == PL_NODE_PAREN)
    up = up->parent;
  bool index = up && up->kind == PL_NODE_SUBSCRIPT &&
               out->n < PL_MOST_INDICES && pl_node_bare(up->kids[0]) == at;
  bool part = up && up->kind == PL_NODE_MEMBER && !up->is_arrow && up->decl &&
              up->decl->is_field && !up->decl->is_in_union &&
              !tile->decl->ndims && is_struct(at->type) &&
              out->nparts < PL_MOST_PARTS;
  if (index)
    out->index[out->n++] = up->kids[1];
  else if (part)
    out->part[out->nparts++] = up->name;
  return index || part ? up : NULL;
}

/* The cell that a name of the tile is the base of; false: a row, an address. */
static bool cell_of(const pl_tile *tile, pl_node *ref, pl_named_cell *out) {
  pl_node *at = ref;
  *out = (pl_named_cell){0};
  while (at && (out->n < tile->decl->ndims ||
                (!tile->decl->ndims &&
                 (is_array(at->type) || (!out->n && is_struct(at->type))))))
    at = step_into(tile, at, out);
  out->node = at;
  return at && out->n + out->nparts > 0 && at->type && !is_array(at->type);
}

/* What a cell is part of: `s[i].x`. */
static pl_node *user_of(const pl_named_cell *c) {
  pl_node *at = c->node, *up = at->parent;
  while (up && (up->kind == PL_NODE_PAREN ||
                (up->kind == PL_NODE_MEMBER && !up->is_arrow)))
    up = up->parent;
  return up;
}

typedef struct name_walk {
  const pl_decl *decl;
  bool plain; /* so far no use keeps an address */
} name_walk;

static bool find_name_kept(pl_node *node, void *context) {
  name_walk *w = context;
  if (node->kind != PL_NODE_REF || node->decl != w->decl)
    return w->plain;
  const pl_node *up = user_of(&(pl_named_cell){.node = node});
  const pl_type *as = up && up->kind == PL_NODE_VAR && up->decl ? up->decl->type
                                                                : NULL;
  w->plain = w->plain && up && !pl_in_lambda(up) &&
             (up->kind != PL_NODE_VAR ||
              (as && as->kind != PL_TYPE_REFERENCE)) &&
             (up->kind != PL_NODE_UNARY || up->op != PL_OP_ADDR);
  return w->plain;
}

/* `const Particle &p = s[j];` in the loop: p ends with the iteration, and nothing
 * else comes to mean the cell. */
static bool is_name_within(const pl_loop *loop, const pl_node *var) {
  name_walk w = {var->decl, true};
  if (!pl_declared_inside(var->decl, loop->body) || var->decl->is_static)
    return false;
  pl_node_walk(loop->body, find_name_kept, &w);
  return w.plain;
}

static bool is_plain_read(const pl_loop *loop, const pl_named_cell *c) {
  const pl_node *up = user_of(c);
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
  const pl_node *up = cell_of(w->tile, node, &c) ? user_of(&c) : NULL;
  bool stored = up && up->kind == PL_NODE_ASSIGN &&
                pl_node_within(c.node, up->kids[0]);
  pl_partial_store store = {.at = c, .node = (pl_node *)up};
  if (!up || !pl_node_within(node, w->loop->body) ||
      (stored && !pl_fill_copy(&w->loop->fill, up)) ||
      (!stored && (is_among_stores(w->loop, node) ||
                   !is_plain_read(w->loop, &c))))
    w->lost = true;
  else if (stored)
    PL_PUSH(w->loop->arena, w->stores, w->nstores, w->stores_cap, store);
  else
    PL_PUSH(w->loop->arena, w->reads, w->nreads, w->reads_cap, c);
  return true;
}

/* ---- what a store asks ------------------------------------------------------ */

static const pl_decl *counter_of(const pl_node *node) {
  const pl_node *init = node->kids[0];
  if (init && init->kind == PL_NODE_DECL_STMT && init->nkids == 1)
    return init->kids[0]->decl;
  const pl_node *target = init && init->kind == PL_NODE_ASSIGN
                              ? pl_node_bare(init->kids[0])
                              : NULL;
  return target && target->kind == PL_NODE_REF ? target->decl : NULL;
}

/* Whether a for loop's counter climbs, so that it gets to a value if its test
 * holds there: `i` alone on the smaller side. */
static bool climbs(pl_loop *loop, const pl_node *node, const pl_decl *counter,
                   const pl_relation *test) {
  const pl_node *inc = node->kids[2] ? pl_node_bare(node->kids[2]) : NULL;
  int64_t step = 1;
  bool one = inc && inc->kind == PL_NODE_UNARY &&
             (inc->op == PL_OP_PREINC || inc->op == PL_OP_POSTINC);
  bool by = inc && inc->kind == PL_NODE_ASSIGN && inc->op == PL_OP_ADD;
  if ((!one && !by) || !pl_names_var(inc->kids[0], counter) ||
      (by && (!pl_loop_eval(loop, NULL, inc->kids[1], &step, NULL) ||
              step <= 0 || !pl_steps_up(loop, inc->kids[1]))) ||
      pl_mentions(test->large, counter))
    return false;
  if (pl_names_var(test->small, counter))
    return true;
  const pl_linear *left = &test->left;
  bool found = false;
  for (int i = 0; i < left->n; i++) {
    if (!pl_mentions(left->terms[i].atom, counter))
      continue;
    if (!pl_names_var(left->terms[i].atom, counter) || left->terms[i].by <= 0)
      return false;
    found = true;
  }
  return found && left->known && !left->wraps && !test->unsigned_bytes;
}

static bool ask_for_loop(pl_loop *loop, const pl_node *node,
                         pl_relations *goals) {
  const pl_decl *counter = counter_of(node);
  const pl_said said = {loop, goals, .varying_only = true};
  size_t first = goals->n;
  if (!counter || pl_ever_varies(loop, node->kids[0]) ||
      (node->kids[2] && pl_ever_varies(loop, node->kids[2])) ||
      pl_assigned_anywhere(node->kids[3], counter) ||
      pl_cfg_jump_out(node->kids[3], PL_JUMP_BREAK) ||
      !pl_say(&said, node->kids[1], node->kids[1], true))
    return false;
  for (size_t i = first; i < goals->n; i++)
    if (!climbs(loop, node, counter, &goals->items[i]))
      return false;
  return true;
}

/* What the statements before one in a block ask, by jumping over it. */
static bool ask_before(pl_loop *loop, const pl_node *block, const pl_node *at,
                       pl_relations *goals) {
  const pl_said said = {loop, goals, .varying_only = true};
  for (uint32_t i = 0; i < block->nkids && block->kids[i] != at; i++) {
    const pl_node *node = block->kids[i];
    if (!pl_cfg_jump_out(node, PL_JUMP_ANY))
      continue;
    if (!pl_is_skip(node) ||
        pl_cfg_jump_out(node, PL_JUMP_AWAY | PL_JUMP_BREAK) ||
        !pl_say(&said, node->kids[0], node, false))
      return false;
  }
  return true;
}

/* Gathers under what a store stands that changes with the iteration. */
static bool ask(pl_loop *loop, const pl_node *store, pl_relations *goals) {
  const pl_said said = {loop, goals, .varying_only = true};
  for (const pl_node *at = store; at->parent && at != loop->body;
       at = at->parent) {
    const pl_node *up = at->parent;
    bool fine = true;
    if (up->kind == PL_NODE_IF)
      fine = at != up->kids[0] &&
             pl_say(&said, up->kids[0], up, at == up->kids[1]);
    else if (up->kind == PL_NODE_FOR)
      fine = at == up->kids[3] && ask_for_loop(loop, up, goals);
    else if (up->kind == PL_NODE_COMPOUND)
      fine = up == loop->body || ask_before(loop, up, at, goals);
    else
      fine = up->kind == PL_NODE_ASSIGN; /* a = b = v */
    if (!fine)
      return false;
  }
  return true;
}

/* ---- the tiles ---------------------------------------------------------------- */

static bool describe_stores(stale_walk *w) {
  for (size_t i = 0; i < w->nstores; i++)
    if (!ask(w->loop, w->stores[i].node, &w->stores[i].goals) ||
        !pl_describe_indices(w->loop, &w->stores[i]))
      return false;
  return w->nstores > 0;
}

/* Whether two cells may be one: those of two members are none. */
static bool in_one_part(const pl_named_cell *a, const pl_named_cell *b) {
  for (uint32_t i = 0; i < a->nparts && i < b->nparts; i++)
    if (!pl_str_eq(a->part[i], b->part[i]))
      return false;
  return true;
}

static bool reads_what_it_writes(pl_loop *loop, pl_tile *tile) {
  stale_walk w = {.loop = loop, .tile = tile};
  if (tile->changed_at ||
      (!tile->decl->ndims && !is_struct(tile->decl->type)) ||
      tile->decl->owner != loop->func)
    return false;
  pl_node_walk(loop->func->body, find_cells, &w);
  if (w.lost || !describe_stores(&w))
    return false;
  for (size_t s = 0; s < w.nstores; s++)
    for (size_t r = 0; r < w.nreads; r++)
      if (in_one_part(&w.stores[s].at, &w.reads[r]) &&
          !pl_is_fresh(loop, &w.stores[s], &w.reads[r]))
        return false;
  return true;
}

void pl_find_stale_cells(pl_loop *loop) {
  if (loop->settled || loop->threads_vary || loop->caller || !loop->func->is_global ||
      pl_cfg_has_goto(loop->func->body))
    return;
  for (size_t t = 0; t < loop->ntiles; t++)
    if (loop->tiles[t].partial && reads_what_it_writes(loop, &loop->tiles[t]))
      loop->tiles[t].partial = false;
}
