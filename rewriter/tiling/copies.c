/* copies.c - how does each tile get filled?
 *
 * Needs: slices. Gives: every store into a tile with its source, guard and
 * width, the loops around it with their trip counts, and for each tile whether
 * all its cells are written in every iteration. Raises: PL1003, PL3002, PL4006.
 *
 * The walk of the load side's text is here, and what it asks of each part is
 * in copy_loops.c (how often?), copy_values.c (which value?), copy_async.c (by
 * the hardware?), load_helpers.c (by a call?) and coverage.c (every cell, and
 * once?). */
#include "call_summary.h"
#include "cfg.h"
#include "copies.h"
#include "varies.h"

/* Casts, fragments and vector pointers on a tile: its stages must keep the
 * alignment that the first one happens to have. (A method's own object is none.) */
static bool casts_address(const pl_unit *unit, const pl_node *node) {
  (void)unit;
  return node->kind == PL_NODE_ASM ||
         (node->kind == PL_NODE_CAST && node->type &&
          (node->type->kind == PL_TYPE_POINTER ||
           node->type->kind == PL_TYPE_REFERENCE) &&
          !pl_is_this(node->kids[0]));
}

static bool mark_wide(pl_node *node, void *context) {
  pl_loop *loop = context;
  bool address = pl_call_shows(loop->unit, node, casts_address) ||
                 node->kind == PL_NODE_CAST ||
                 pl_calls_builtin(node, "load_matrix_sync") ||
                 pl_calls_builtin(node, "__cvta_generic_to_*");
  if (!address)
    return true;
  if (node->kind == PL_NODE_CAST && node->type &&
      node->type->kind != PL_TYPE_POINTER &&
      node->type->kind != PL_TYPE_REFERENCE &&
      node->type->kind != PL_TYPE_DEPENDENT)
    return true;
  for (size_t i = 0; i < loop->ntiles; i++) {
    pl_roots roots = {0};
    bool place = node->kind == PL_NODE_CAST && node->type &&
                 node->type->kind == PL_TYPE_REFERENCE;
    for (uint32_t k = 0; k < node->nkids; k++)
      if (node->kids[k] && place)
        pl_roots_of_object(loop->effects, loop->func, node->kids[k], &roots);
      else if (node->kids[k] && node->kids[k]->type)
        pl_roots_of(loop->effects, loop->func, node->kids[k], &roots);
    for (size_t j = 0; j < roots.n; j++)
      if (roots.items[j].decl == loop->tiles[i].decl)
        loop->tiles[i].wide = true;
  }
  return true;
}

/* The innermost assignment of `a = b = v`. */
static pl_node *last_of_chain(pl_node *store) {
  pl_node *value = store->kids[1];
  while (value && value->kind == PL_NODE_ASSIGN && value->op == PL_OP_ASSIGN) {
    store = value;
    value = store->kids[1];
  }
  return store;
}

/* Whether every left side of a chained assignment is a tile's cell: anything
 * else would be set twice, with the fetch and with the store. */
static bool stores_to_tiles(pl_loop *loop, const pl_copy *copy) {
  for (const pl_node *at = copy->store;; at = at->kids[1]) {
    if (!pl_tile_of_cell(loop, at->kids[0]))
      return false;
    if (at == copy->last)
      return true;
  }
}

static bool add_copy(pl_loop *loop, pl_fill *fill, pl_node *node,
                     pl_tile *tile) {
  if (node->op_range.end == 0)
    return pl_refuse(loop, false, "PL1003", node,
                     "a macro's body holds the store into tile '%.*s'",
                     PL_FMT(tile->decl->name));
  if (node->op != PL_OP_ASSIGN)
    return pl_refuse(loop, true, "PL3002", node,
                     "tile '%.*s' is read and changed in the load phase",
                     PL_FMT(tile->decl->name));
  if (!pl_node_is_statement(node))
    return pl_refuse(loop, false, "PL4006", node,
                     "the store into tile '%.*s' is part of a larger "
                     "expression",
                     PL_FMT(tile->decl->name));
  pl_copy copy = {.store = node, .dst = node->kids[0], .src = node->kids[1]};
  copy.last = last_of_chain(node);
  copy.src = copy.last->kids[1];
  copy.changes = pl_node_changes(copy.src);
  copy.tile = tile;
  copy.nbytes = node->nkids > 2 ? node->kids[2] : NULL;
  copy.by_call = !copy.nbytes && node->name.n > 0;
  copy.slots = 1;
  if (copy.last->op_range.end == 0)
    return pl_refuse(loop, false, "PL1003", node,
                     "a macro's body holds the store into tile '%.*s'",
                     PL_FMT(tile->decl->name));
  if (pl_tile_written(loop, copy.src) || !stores_to_tiles(loop, &copy))
    return pl_refuse(loop, false, "PL4006", node,
                     "one statement stores into tiles and elsewhere");
  copy.type = copy.nbytes || copy.by_call ? node->type : pl_stored_type(loop, &copy);
  pl_describe_source(loop, &copy);
  pl_check_async(loop, &copy);
  for (const pl_node *up = node->parent; up; up = up->parent) {
    const pl_copy_loop *c = pl_fill_loop(fill, up);
    if (!c)
      continue;
    copy.slots = c->count < 0 || copy.slots < 0 ? -1 : copy.slots * c->count;
  }
  PL_PUSH(loop->arena, fill->copies, fill->ncopies, fill->copies_cap, copy);
  return true;
}

/* The first word of a node's text: of a macro's use, its name. */
static pl_str first_word(const pl_unit *unit, const pl_node *node) {
  return pl_token_text(unit, pl_token_from(unit, node->range.begin));
}

/* What a node's text begins with: an `if` below the declaration of its header does
 * with its condition, stores that commas join do with the first of them. */
static const char *keyword_of(const pl_node *node) {
  bool joined = node->nkids && node->kids[0] && !node->from_macro &&
                !node->kids[0]->from_macro &&
                node->kids[0]->range.begin == node->range.begin;
  switch (node->kind) {
  case PL_NODE_COMPOUND:
    return joined ? "" : node->name.n ? "if" : "{";
  case PL_NODE_IF:
    return pl_if_has_init(node) ? "" : "if";
  case PL_NODE_FOR:
    return "for";
  case PL_NODE_WHILE:
    return "while";
  case PL_NODE_DO:
    return "do";
  default:
    return NULL;
  }
}

/* Whether the parts of a branch, a loop or a block lie apart, behind its keyword or
 * its brace: a macro may make several of them. */
static bool is_spelled_out(const pl_unit *unit, const pl_node *node) {
  const char *keyword = keyword_of(node);
  pl_str text = pl_unit_slice(unit, node->range);
  uint32_t end = node->range.begin + (keyword && *keyword);
  if (!keyword)
    return true;
  for (uint32_t i = 0; i < node->nkids; i++) {
    const pl_node *kid = node->kids[i];
    if (!kid || kid->kind == PL_NODE_EMPTY)
      continue;
    if (kid->range.begin < end)
      return false;
    end = kid->range.end;
  }
  return pl_str_starts(text, keyword) || pl_str_starts(text, "#");
}

bool pl_is_plain_block(const pl_node *node) {
  return pl_runs_once(node) && !pl_cfg_jump_out(node->kids[0], PL_JUMP_LOOP);
}

static bool collect(pl_loop *loop, pl_fill *fill, pl_node *node) {
  if (!node)
    return true;
  pl_tile *tile = pl_tile_written(loop, node);
  if (!tile)
    return true;
  if (!is_spelled_out(loop->unit, node))
    return pl_refuse(loop, false, "PL1003", node,
                     "a macro makes parts of what fills tile '%.*s'",
                     PL_FMT(tile->decl->name));
  switch (node->kind) {
  case PL_NODE_ASSIGN:
    return add_copy(loop, fill, node, tile);
  case PL_NODE_CALL:
    if (pl_is_byte_copy(node) && pl_node_is_statement(node))
      return pl_become_assignment(loop, node, tile) &&
             add_copy(loop, fill, node, tile);
    return pl_stores_argument(loop, node) ? add_copy(loop, fill, node, tile)
                                          : pl_add_call(loop, fill, node);
  case PL_NODE_FOR:
    pl_describe_loop(loop, fill, node);
    if (pl_tile_written(loop, node->kids[0]) ||
        pl_tile_written(loop, node->kids[1]) ||
        pl_tile_written(loop, node->kids[2]))
      return pl_refuse(loop, false, "PL4006", node,
                       "a loop header stores into tile '%.*s'",
                       PL_FMT(tile->decl->name));
    return collect(loop, fill, node->kids[3]);
  case PL_NODE_WHILE:
  case PL_NODE_DO:
    if (pl_is_plain_block(node))
      return collect(loop, fill, node->kids[0]);
    pl_describe_loop(loop, fill, node);
    if (pl_tile_written(loop, pl_inner_cond(node)))
      return pl_refuse(loop, false, "PL4006", node,
                       "a loop header stores into tile '%.*s'",
                       PL_FMT(tile->decl->name));
    return collect(loop, fill, pl_node_loop_body(node));
  case PL_NODE_IF:
    if (pl_tile_written(loop, node->kids[0]))
      break;
    return collect(loop, fill, node->kids[1]) &&
           collect(loop, fill, node->nkids > 2 ? node->kids[2] : NULL);
  case PL_NODE_COMPOUND:
    for (uint32_t i = 0; i < node->nkids; i++)
      if (!collect(loop, fill, node->kids[i]))
        return false;
    return true;
  default:
    break;
  }
  if (node->from_macro && pl_str_is(first_word(loop->unit, node), "("))
    return pl_refuse(loop, false, "PL4006", node,
                     "a fold over a pack stores into tile '%.*s', which cannot be "
                     "split into load and store; a statement for each can",
                     PL_FMT(tile->decl->name));
  if (node->from_macro && node->kind != PL_NODE_CALL)
    return pl_refuse(loop, false, "PL1003", node,
                     "the macro '%.*s' holds the store into tile '%.*s'; a "
                     "__device__ function in its place can be split",
                     PL_FMT(first_word(loop->unit, node)),
                     PL_FMT(tile->decl->name));
  if (node->kind == PL_NODE_SWITCH)
    return pl_refuse(loop, false, "PL4006", node,
                     "tile '%.*s' is filled inside a switch, which is cut into "
                     "load and store where each arm ends with a break",
                     PL_FMT(tile->decl->name));
  return pl_refuse(loop, false, "PL4006", node,
                   "tile '%.*s' is filled in a way that cannot be split into "
                   "load and store",
                   PL_FMT(tile->decl->name));
}

static bool leaves_early(pl_loop *loop, const pl_fill *fill) {
  for (size_t i = 0; i < fill->nroots; i++)
    if (pl_tile_written(loop, fill->roots[i]) &&
        pl_cfg_jump_out(fill->roots[i], PL_JUMP_AWAY))
      return true;
  return false;
}

void pl_describe_fill(pl_loop *loop) {
  pl_fill *fill = &loop->fill;
  fill->func = loop->func;
  fill->roots = PL_NEW_ARRAY(loop->arena, pl_node *, loop->nstmts + 1);
  for (size_t i = 0; i < loop->nstmts; i++) {
    if (!loop->stmts[i].in_load)
      continue;
    fill->roots[fill->nroots++] = loop->stmts[i].node;
    if (loop->stmts[i].fills && !collect(loop, fill, loop->stmts[i].node))
      return;
  }
  if (leaves_early(loop, fill)) {
    pl_refuse(loop, false, "PL4006", fill->roots[0],
              "a return or goto decides what is loaded");
    return;
  }
  pl_mark_mixed(loop, fill);
  pl_mark_coverage(loop, fill);
  pl_node_walk(loop->body, mark_wide, loop);
  for (size_t i = 0; i < fill->ncalls; i++)
    pl_return_tile_facts(loop, fill->calls[i].body);
}

void pl_describe_copies(pl_loop *loop) {
  if (loop->settled)
    return;
  pl_describe_fill(loop);
  loop->threads = pl_block_threads(loop);
}
