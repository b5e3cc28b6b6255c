/* tile_cells.c - do the same cells of a tile get filled in each iteration?
 *
 * Needs: the load phase, varies. Gives: whether a tile's stores go to other cells
 * with the iteration. Raises: PL2100, PL3003. */
#include "access.h"
#include "cfg.h"
#include "slices.h"

bool pl_writes_shared(const pl_stmt *stmt, const pl_decl *decl) {
  for (size_t i = 0; i < stmt->effects.n; i++)
    if (stmt->effects.items[i].kind == PL_EFFECT_WRITE &&
        stmt->effects.items[i].space == PL_SPACE_SHARED &&
        pl_same_shared(stmt->effects.items[i].root.decl, decl))
      return true;
  return false;
}

/* The variables whose values have been looked into. */
typedef struct known_vars {
  pl_loop *loop;
  const pl_decl **items;
  size_t n, cap;
} known_vars;

static bool is_new(known_vars *known, const pl_decl *decl) {
  if (pl_is_among(decl, known->items, known->n))
    return false;
  PL_PUSH(known->loop->arena, known->items, known->n, known->cap, decl);
  return true;
}

static bool names_cell(known_vars *known, const pl_node *node);

/* Whether a value that a variable is given somewhere below `node` tells cells
 * apart, or a loop within the tile loop counts with it. */
static bool is_set_by_cell(known_vars *known, const pl_node *node,
                           const pl_decl *decl) {
  if (!node)
    return false;
  const pl_loop *loop = known->loop;
  bool step = node->kind == PL_NODE_UNARY || node->kind == PL_NODE_ASSIGN;
  bool sets = step && pl_names_var(node->kids[0], decl);
  for (const pl_node *up = node->parent;
       sets && pl_node_is_step(node) && up && up != loop->node;
       up = up->parent)
    if (pl_node_is_loop(up) && pl_node_within(up, loop->body))
      return true;
  if (sets && node->kind == PL_NODE_ASSIGN && names_cell(known, node->kids[1]))
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (is_set_by_cell(known, node->kids[i], decl))
      return true;
  return false;
}

/* Whether a value differs between threads, or between the cells that one of
 * them fills, as an index within a buffer does and the number of a buffer does
 * not. */
static bool names_cell(known_vars *known, const pl_node *node) {
  if (!node)
    return false;
  if (node->kind == PL_NODE_REF && node->decl) {
    const pl_decl *decl = node->decl;
    if (pl_str_is(node->name, "threadIdx"))
      return true;
    return decl->kind == PL_DECL_VAR && decl->owner && is_new(known, decl) &&
           (names_cell(known, decl->init) ||
            is_set_by_cell(known, decl->owner->body, decl));
  }
  for (uint32_t i = 0; i < node->nkids; i++)
    if (names_cell(known, node->kids[i]))
      return true;
  return false;
}

static bool mentions_toggle(known_vars *known, pl_node *node) {
  pl_loop *loop = known->loop;
  if (!node || node->kind == PL_NODE_ASSIGN)
    return false;
  if (node->kind == PL_NODE_BINARY &&
      (node->op == PL_OP_AND || node->op == PL_OP_XOR ||
       node->op == PL_OP_REM) &&
      pl_varies(loop, node) && !names_cell(&(known_vars){.loop = loop}, node))
    return true;
  if (node->kind == PL_NODE_BINARY && node->op == PL_OP_SUB &&
      pl_node_bare(node->kids[0])->has_ival && pl_varies(loop, node->kids[1]))
    return true;
  if (node->kind == PL_NODE_REF && node->decl && node->decl->owner &&
      node->decl->kind == PL_DECL_VAR) {
    pl_decl *decl = node->decl;
    if (pl_declared_inside(decl, loop->body))
      return is_new(known, decl) && mentions_toggle(known, decl->init);
    for (size_t i = 0; i < loop->nstmts; i++) {
      pl_node *stmt = loop->stmts[i].node;
      if (stmt->kind == PL_NODE_ASSIGN &&
          pl_node_bare(stmt->kids[0])->decl == decl &&
          (stmt->op != PL_OP_ADD && stmt->op != PL_OP_SUB))
        return stmt->op != PL_OP_ASSIGN || pl_varies(loop, stmt->kids[1]);
    }
    return false;
  }
  for (uint32_t i = 0; i < node->nkids; i++)
    if (mentions_toggle(known, node->kids[i]))
      return true;
  return false;
}

typedef struct store_scan {
  pl_loop *loop;
  const pl_decl *tile;
  pl_node *toggled, *varying;
} store_scan;

/* The local pointer that an lvalue goes through, when the loop moves it. */
static bool through_moving_pointer(pl_loop *loop, pl_node *node) {
  node = pl_node_bare(node);
  while (node && (node->kind == PL_NODE_SUBSCRIPT ||
                  node->kind == PL_NODE_MEMBER ||
                  node->kind == PL_NODE_UNARY || node->kind == PL_NODE_CAST))
    node = pl_node_bare(node->kids[0]);
  return node && node->kind == PL_NODE_REF && pl_is_private(node->decl) &&
         !pl_declared_inside(node->decl, loop->body) &&
         pl_written_in_loop(loop, node->decl);
}

/* Whether each index of the cells that a run has come to is the same in all iterations.
 * Whether each of them comes to it is asked in coverage.c. */
static bool are_settled(const pl_accesses *of) {
  for (size_t i = 0; i < of->nseen; i++) {
    const pl_seen_cell *seen = &of->seen[i];
    for (uint32_t k = 0; k < seen->cell->n; k++)
      if (!pl_is_same_form(&of->names, seen->index[k], PL_IN_ITERATIONS))
        return false;
  }
  return of->nseen && !of->cut && !of->lost;
}

static bool is_tile_itself(pl_node *node, const void *tile) {
  return node->kind == PL_NODE_REF && node->decl == tile;
}

/* Whether a cell that is named by what varies is the same one in each iteration, as a
 * form: `s[(32 * t + x) % 32]`. */
static bool is_one_cell(pl_loop *loop, const pl_decl *tile, pl_node *place) {
  pl_named_cell cell;
  pl_node *ref = (pl_node *)pl_node_find(place, is_tile_itself, tile);
  if (!ref || loop->caller || loop->by_jumps || tile->owner != loop->func ||
      pl_cfg_has_goto(loop->func->body) || !pl_cell_of(tile, ref, &cell) ||
      cell.node != pl_node_bare(place))
    return false;
  pl_accesses of;
  pl_arena *arena = pl_arena_child(loop->arena);
  pl_find_cells(&of, arena, loop, &cell, 1);
  bool one = are_settled(&of);
  pl_arena_free(arena);
  return one;
}

bool pl_cell_moves(pl_loop *loop, const pl_decl *tile, pl_node *place) {
  return pl_place_varies(loop, tile, place) && !is_one_cell(loop, tile, place);
}

/* What names a place of the tile: a left side, or what a function is handed. */
static void scan_place(store_scan *scan, pl_node *node, pl_node *place) {
  bool varies = pl_place_varies(scan->loop, scan->tile, place);
  bool toggles = varies && mentions_toggle(&(known_vars){.loop = scan->loop}, place);
  if (toggles || through_moving_pointer(scan->loop, place))
    scan->toggled = node;
  if (toggles || (varies && !is_one_cell(scan->loop, scan->tile, place)))
    scan->varying = node;
}

static bool scan_store(pl_node *node, void *context) {
  store_scan *scan = context;
  if (node->kind == PL_NODE_ASSIGN) {
    pl_effects effects = pl_effects_in(scan->loop, node);
    bool hits = false;
    for (size_t i = 0; i < effects.n; i++)
      hits = hits || (effects.items[i].kind == PL_EFFECT_WRITE &&
                      effects.items[i].node == node->kids[0] &&
                      pl_same_shared(effects.items[i].root.decl, scan->tile));
    if (hits)
      scan_place(scan, node, node->kids[0]);
  }
  for (uint32_t i = 1; node->kind == PL_NODE_CALL && i < node->nkids; i++) {
    pl_roots roots = node->kids[i] ? pl_roots_in(scan->loop, node->kids[i])
                                   : (pl_roots){0};
    for (size_t j = 0; j < roots.n; j++)
      if (pl_same_shared(roots.items[j].decl, scan->tile))
        scan_place(scan, node, node->kids[i]);
  }
  return true;
}

static store_scan scan_stores(pl_loop *loop, const pl_decl *tile) {
  store_scan scan = {.loop = loop, .tile = tile};
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].phase == loop->load_phase &&
        pl_writes_shared(&loop->stmts[i], tile))
      pl_node_walk(loop->stmts[i].node, scan_store, &scan);
  return scan;
}

bool pl_cells_stay(pl_loop *loop, const pl_decl *decl) {
  store_scan scan = scan_stores(loop, decl);
  return !scan.toggled && !scan.varying;
}

/* Whether all that the loop reads of a tile lies in the part that the iteration
 * chooses: more than that is no buffer of one tile. */
static bool reads_one_buffer(pl_loop *loop, const pl_decl *tile) {
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t j = 0; j < loop->stmts[i].effects.n; j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      if (effect->kind == PL_EFFECT_READ && effect->space == PL_SPACE_SHARED &&
          pl_same_shared(effect->root.decl, tile) &&
          !through_moving_pointer(loop, effect->node) &&
          !mentions_toggle(&(known_vars){.loop = loop}, effect->node))
        return false;
    }
  return true;
}

/* Alternating buffers, and cells that wander with the iteration. What compute
 * changes in the tile stays where it is. */
bool pl_check_cells(pl_loop *loop, const pl_decl *tile) {
  store_scan scan = scan_stores(loop, tile);
  if (scan.toggled && !reads_one_buffer(loop, tile))
    scan.varying = scan.toggled;
  else if (scan.toggled)
    return pl_loop_settle(loop, PL_VERDICT_ALREADY_PIPELINED, true, "PL2100",
                          scan.toggled,
                          "'%.*s' already alternates between buffers",
                          PL_FMT(tile->name));
  if (scan.varying)
    return pl_refuse(loop, true, "PL3003", scan.varying,
                     "which cells of tile '%.*s' are written depends on the "
                     "iteration",
                     PL_FMT(tile->name));
  return true;
}
