/* tiles.c - which shared objects does the loop stream, and in which phase?
 *
 * Needs: phases, varies, closure. Gives: the tiles, the load phase. Raises:
 * PL2010, PL2100, PL2101, PL3002, PL4001. */
#include "slices.h"

typedef struct candidate {
  pl_decl *decl;
  int phase;      /* of its streaming fill, -1: none */
  bool streams;   /* filled from global memory, by a slice without tiles */
  bool many;      /* written in several phases */
} candidate;

bool pl_effects_read_global(const pl_effects *effects) {
  for (size_t i = 0; i < effects->n; i++)
    if (effects->items[i].kind == PL_EFFECT_READ &&
        !pl_is_constant_number(effects->items[i].root.decl) &&
        (effects->items[i].space == PL_SPACE_GLOBAL ||
         effects->items[i].space == PL_SPACE_CONSTANT ||
         effects->items[i].space == PL_SPACE_UNKNOWN))
      return true;
  return false;
}

static const pl_effect *reads_written_shared(const pl_loop *loop,
                                             const pl_effects *effects) {
  for (size_t i = 0; i < effects->n; i++)
    if (effects->items[i].kind == PL_EFFECT_READ &&
        effects->items[i].space == PL_SPACE_SHARED &&
        pl_written_in_loop(loop, effects->items[i].root.decl))
      return &effects->items[i];
  return NULL;
}

static bool feeds(const pl_closure *c, const pl_stmt *stmt) {
  for (size_t i = 0; i < c->n; i++)
    if (c->needed[i] && pl_writes_decl(&stmt->effects, c->needed[i]))
      return true;
  return false;
}

/* What a statement overwrites as a whole need not be looked for before it. */
static void forget_written(pl_closure *c, const pl_stmt *stmt) {
  for (size_t j = 0; j < stmt->effects.n; j++)
    for (size_t i = 0; i < c->n; i++)
      if (stmt->effects.items[j].kind == PL_EFFECT_WRITE &&
          stmt->effects.items[j].whole &&
          stmt->effects.items[j].root.decl == c->needed[i])
        c->needed[i] = NULL;
}

/* Whether what a statement stores comes from global memory in the same
 * iteration, through statements that stand before it; through those of another
 * phase where no shared memory has a part in it. */
bool pl_statement_streams(pl_loop *loop, size_t index) {
  pl_closure c = pl_closure_new(loop);
  pl_add_statement(&c, index);
  if (pl_effects_read_global(&loop->stmts[index].effects))
    return true;
  bool computed = reads_written_shared(loop, &loop->stmts[index].effects);
  for (size_t i = index; i-- > 0;) {
    const pl_stmt *stmt = &loop->stmts[i];
    bool apart = stmt->phase != loop->stmts[index].phase;
    if ((apart && computed) || stmt->is_barrier || !feeds(&c, stmt))
      continue;
    computed = computed || reads_written_shared(loop, &stmt->effects);
    if (!(apart && computed) && pl_effects_read_global(&stmt->effects))
      return true;
    forget_written(&c, stmt);
    pl_add_statement(&c, i);
  }
  return false;
}

static size_t collect_candidates(pl_loop *loop, candidate **list) {
  size_t n = 0, cap = 0;
  for (size_t i = 0; i < loop->nstmts; i++) {
    pl_effects *effects = &loop->stmts[i].effects;
    for (size_t j = 0; j < effects->n; j++) {
      pl_effect *effect = &effects->items[j];
      if (effect->kind != PL_EFFECT_WRITE ||
          effect->space != PL_SPACE_SHARED)
        continue;
      candidate *found = NULL;
      for (size_t k = 0; k < n; k++)
        if (pl_same_shared((*list)[k].decl, effect->root.decl))
          found = &(*list)[k];
      if (!found) {
        candidate fresh = {.decl = effect->root.decl, .phase = -1};
        PL_PUSH(loop->arena, *list, n, cap, fresh);
        found = &(*list)[n - 1];
      }
      bool streams = !reads_written_shared(loop, effects) &&
                     pl_statement_streams(loop, i);
      if (found->phase >= 0 && found->phase != loop->stmts[i].phase)
        found->many = true;
      if (streams)
        found->streams = true;
      if (found->phase < 0 || (streams && !found->many))
        found->phase = loop->stmts[i].phase;
    }
  }
  return n;
}

/* The name of a local that `node` reads, loaded from global memory elsewhere in
 * the loop: at a later place or in another phase. NULL: none. */
static const pl_decl *prefetched_local(pl_loop *loop, size_t index) {
  pl_closure c = pl_closure_new(loop);
  pl_node_walk(loop->stmts[index].node, pl_need_mentioned, &c);
  for (size_t k = 0; k < c.n; k++) {
    pl_decl *decl = c.needed[k];
    if (pl_declared_inside(decl, loop->body) ||
        pl_writes_decl(&loop->header_effects, decl))
      continue;
    for (size_t i = 0; i < loop->nstmts; i++)
      if (i != index && pl_writes_decl(&loop->stmts[i].effects, decl) &&
          pl_effects_read_global(&loop->stmts[i].effects) &&
          (i > index || loop->stmts[i].phase != loop->stmts[index].phase))
        return decl;
  }
  return NULL;
}

/* Whether another phase only reads a shared object, as compute reads a tile. */
static bool is_used_elsewhere(pl_loop *loop, const pl_stmt *fill,
                              const pl_decl *decl) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (stmt->phase == fill->phase || pl_writes_shared(stmt, decl))
      continue;
    for (size_t j = 0; j < stmt->effects.n; j++)
      if (stmt->effects.items[j].kind == PL_EFFECT_READ &&
          pl_same_shared(stmt->effects.items[j].root.decl, decl))
        return true;
  }
  return false;
}

/* An operand of inline assembly, or the call of a function whose own text holds
 * some. */
bool pl_is_assembly(const pl_node *node) {
  const pl_func *func =
      node->kind == PL_NODE_CALL && node->decl ? node->decl->func : NULL;
  bool found = func && pl_node_has(func->body, PL_NODE_ASM);
  for (const pl_node *at = node; at && !found; at = at->parent)
    found = at->kind == PL_NODE_ASM;
  return found;
}

bool pl_refuse_assembly(pl_loop *loop, const pl_effect *effect) {
  return pl_refuse(loop, false, "PL2010", effect->node,
                   "tile '%.*s' is filled by inline assembly",
                   PL_FMT(effect->root.decl->name));
}

/* Whether what a statement reads of shared memory, or another object that it
 * fills, is used in another phase. */
static bool fills_for_others(pl_loop *loop, const pl_stmt *stmt,
                             const pl_decl *read) {
  if (is_used_elsewhere(loop, stmt, read))
    return true;
  for (size_t j = 0; j < stmt->effects.n; j++) {
    const pl_effect *write = &stmt->effects.items[j];
    if (write->kind == PL_EFFECT_WRITE && write->space == PL_SPACE_SHARED &&
        !pl_same_shared(write->root.decl, read) &&
        is_used_elsewhere(loop, stmt, write->root.decl))
      return true;
  }
  return false;
}

/* The variable or member that an access goes by: `part` of `part[i + 1]`. */
static const pl_decl *accessed_by(const pl_node *node) {
  while (node && node->nkids &&
         (node->kind == PL_NODE_SUBSCRIPT || node->kind == PL_NODE_PAREN ||
          node->kind == PL_NODE_CAST))
    node = node->kids[0];
  bool named = node && (node->kind == PL_NODE_REF || node->kind == PL_NODE_MEMBER);
  return named ? node->decl : NULL;
}

/* Where a pointer's own initialiser begins: `smem` of `float *tile = smem;`. */
static const pl_decl *beginning_of(const pl_decl *decl) {
  const pl_node *init = decl && !decl->is_shared ? pl_node_bare(decl->init) : NULL;
  bool plain = init && init->kind == PL_NODE_REF && init->decl != decl;
  return plain ? beginning_of(init->decl) : decl;
}

bool pl_may_be_other_part(const pl_loop *loop, const pl_effect *use, const pl_decl *block) {
  const pl_decl *by = beginning_of(accessed_by(use->node));
  bool apart = block->is_extern;
  for (size_t i = 0; apart && i < loop->nstmts; i++)
    for (size_t j = 0; j < loop->stmts[i].effects.n; j++) {
      const pl_effect *fill = &loop->stmts[i].effects.items[j];
      if (pl_is_write(fill) && fill->root.decl == block &&
          (!loop->ntiles || loop->stmts[i].fills))
        apart = apart && beginning_of(accessed_by(fill->node)) != by;
    }
  return apart;
}

bool pl_refuse_read(pl_loop *loop, const pl_effect *read) {
  const pl_node *call = read->node;
  pl_str name = read->root.decl->name;
  if (call->kind == PL_NODE_CALL && call->decl && call->decl->is_user &&
      pl_str_is(call->name, "operator="))
    return pl_refuse(loop, false, "PL4006", call,
                     "tile '%.*s' is filled by an 'operator=' of its type's own, "
                     "which cannot be split into load and store",
                     PL_FMT(name));
  const pl_decl *by = accessed_by(read->node);
  if (by && by != read->root.decl && pl_may_be_other_part(loop, read, read->root.decl))
    return pl_refuse(loop, false, "PL3002", read->node,
                     "the loads read '%.*s', and whether that is another part of '%.*s' "
                     "than the tile in each launch is not known; a __shared__ array of its "
                     "own would be",
                     PL_FMT(by->name), PL_FMT(name));
  return pl_refuse(loop, true, "PL3002", read->node,
                   "tile '%.*s' is read in the load phase", PL_FMT(name));
}

/* A statement that loads globally into shared memory, but at a place or with a
 * value that shared memory decides. */
static bool check_dependent_fill(pl_loop *loop, const pl_stmt *stmt) {
  const pl_effect *read = reads_written_shared(loop, &stmt->effects);
  if (!read || stmt->is_barrier || !pl_effects_read_global(&stmt->effects) ||
      !fills_for_others(loop, stmt, read->root.decl))
    return true;
  for (size_t j = 0; j < stmt->effects.n; j++) {
    const pl_effect *write = &stmt->effects.items[j];
    if (write->kind != PL_EFFECT_WRITE || write->space != PL_SPACE_SHARED)
      continue;
    if (pl_same_shared(write->root.decl, read->root.decl) &&
        pl_is_assembly(write->node))
      return pl_refuse_assembly(loop, write);
    if (pl_same_shared(write->root.decl, read->root.decl))
      return pl_refuse_read(loop, read);
    return pl_refuse(loop, true, "PL4001", read->node,
                     "the load side needs a value that is computed from "
                     "shared memory, '%.*s'",
                     PL_FMT(read->root.decl->name));
  }
  return true;
}

static const pl_effect *unknown_access(const pl_stmt *stmt,
                                       pl_effect_kind kind) {
  for (size_t i = 0; i < stmt->effects.n; i++)
    if (stmt->effects.items[i].kind == kind &&
        stmt->effects.items[i].space == PL_SPACE_UNKNOWN)
      return &stmt->effects.items[i];
  return NULL;
}

/* What a call is handed of one kind of memory; the declaration that it is of. */
static const pl_decl *handed_of(pl_loop *loop, const pl_node *call,
                                pl_space space) {
  for (uint32_t i = 1; i < call->nkids; i++) {
    pl_roots roots = {0};
    if (call->kids[i])
      pl_roots_of(loop->effects, loop->func, call->kids[i], &roots);
    for (size_t k = 0; k < roots.n; k++)
      if (roots.items[k].decl && pl_root_space(roots.items[k]) == space)
        return roots.items[k].decl;
  }
  return NULL;
}

/* `load(tile, src)` where `load` is a lambda: which memory its parameters stand
 * for is not followed. */
static bool check_lambda_fill(pl_loop *loop, const pl_stmt *stmt) {
  const pl_node *call = stmt->node;
  if (call->kind != PL_NODE_CALL || !pl_called_lambda(call) ||
      !unknown_access(stmt, PL_EFFECT_WRITE))
    return true;
  const pl_decl *tile = handed_of(loop, call, PL_SPACE_SHARED);
  bool loads = pl_effects_read_global(&stmt->effects) ||
               handed_of(loop, call, PL_SPACE_GLOBAL);
  if (!tile || !loads || !is_used_elsewhere(loop, stmt, tile))
    return true;
  pl_refuse(loop, false, "PL3007", call,
            "whether this fills a tile is not certain: what a lambda is handed, "
            "here '%.*s', is not followed",
            PL_FMT(tile->name));
  pl_loop_note(loop, call,
               "a lambda before the loop that names the tile itself, or a "
               "__device__ function, is followed");
  return false;
}

/* The member of an object, a reference, by which an access gets to its memory;
 * NULL: none. */
static const pl_decl *reference_member(const pl_node *at) {
  for (; at && at->nkids; at = at->kids[0])
    if (at->kind == PL_NODE_MEMBER && at->decl && at->decl->is_field &&
        at->decl->type && at->decl->type->kind == PL_TYPE_REFERENCE)
      return at->decl;
  return NULL;
}

static bool refuse_unknown_fill(pl_loop *loop, const pl_node *store) {
  const pl_decl *member = reference_member(store);
  if (!member)
    return pl_refuse(loop, false, "PL3007", store,
                     "whether this fills a tile is not certain: the memory "
                     "cannot be followed to its declaration");
  pl_refuse(loop, false, "PL3007", store,
            "whether this fills a tile is not certain: '%.*s' is a reference "
            "that an object holds, and what it is bound to is not followed",
            PL_FMT(member->name));
  pl_loop_note(loop, store,
               "a reference that the function itself is handed is followed");
  return false;
}

/* A statement that fills from global memory what cannot be followed to where it
 * is declared, and that another phase may read. */
static bool check_unknown_fill(pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (!check_lambda_fill(loop, stmt))
      return false;
    const pl_effect *write = unknown_access(stmt, PL_EFFECT_WRITE);
    for (size_t k = 0; write && k < loop->nstmts; k++)
      if (loop->stmts[k].phase != stmt->phase &&
          unknown_access(&loop->stmts[k], PL_EFFECT_READ) &&
          pl_statement_streams(loop, i))
        return refuse_unknown_fill(loop, write->node);
  }
  return true;
}

static bool settle_without_tile(pl_loop *loop, candidate *list, size_t n) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_effect *unseen =
        pl_effects_find(&loop->stmts[i].effects, PL_EFFECT_UNSEEN);
    if (unseen)
      return pl_refuse_unseen(loop, unseen->node);
    if (!check_dependent_fill(loop, &loop->stmts[i]))
      return false;
  }
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t k = 0; k < n; k++) {
      if (!pl_writes_shared(&loop->stmts[i], list[k].decl) ||
          reads_written_shared(loop, &loop->stmts[i].effects))
        continue;
      const pl_decl *decl = prefetched_local(loop, i);
      if (decl)
        return pl_loop_settle(
            loop, PL_VERDICT_ALREADY_PIPELINED, true, "PL2100",
            loop->stmts[i].node,
            "'%.*s' is loaded a tile ahead of its store already",
            PL_FMT(decl->name));
    }
  return check_unknown_fill(loop) &&
         pl_loop_settle(loop, PL_VERDICT_NOT_A_TILE_LOOP, true, "PL2101", NULL,
                        "the loop does not fill shared memory from global "
                        "memory tile by tile");
}

/* Whether a statement of a phase streams into a shared object. */
static bool streams_in(pl_loop *loop, const pl_decl *decl, int phase) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].phase == phase && !loop->stmts[i].is_barrier &&
        pl_writes_shared(&loop->stmts[i], decl) &&
        !reads_written_shared(loop, &loop->stmts[i].effects) &&
        pl_statement_streams(loop, i))
      return true;
  return false;
}

/* Whether shared memory that the loop writes has a part in what a statement stores:
 * scores of one tile, which stand in memory for the next. */
static bool is_computed(pl_loop *loop, size_t index) {
  pl_closure c = pl_closure_new(loop);
  pl_add_statement(&c, index);
  for (size_t i = index; i-- > 0;) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (stmt->is_barrier || !feeds(&c, stmt))
      continue;
    if (reads_written_shared(loop, &stmt->effects))
      return true;
    forget_written(&c, stmt);
    pl_add_statement(&c, i);
  }
  return false;
}

/* Whether an object is filled in a phase by nothing that is computed. */
static bool is_loaded_in(pl_loop *loop, const pl_decl *decl, int phase) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].phase == phase && !loop->stmts[i].is_barrier &&
        pl_writes_shared(&loop->stmts[i], decl) && is_computed(loop, i))
      return false;
  return true;
}

/* The first of the phases that fill the most objects: of those that are loaded, not
 * computed, where there are some, and of these that no other phase writes. */
static int fullest_phase(pl_loop *loop, const candidate *list, size_t n) {
  int best = -1, best_count = 0;
  for (int rank = 0; rank < 4 && best < 0; rank++)
    for (int phase = 0; phase < loop->nphases; phase++) {
      int count = 0;
      for (size_t i = 0; i < n; i++)
        count += list[i].streams && list[i].many == (rank & 1) &&
                 streams_in(loop, list[i].decl, phase) &&
                 (rank > 1 || is_loaded_in(loop, list[i].decl, phase));
      if (count > best_count) {
        best = phase;
        best_count = count;
      }
    }
  return best;
}

/* What another phase than the one that fills it does to a tile: with one
 * buffer it is done at the same place as ever, behind the same barriers. */
static pl_node *change_of(const pl_loop *loop, const pl_decl *tile) {
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t j = 0; j < loop->stmts[i].effects.n; j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      if (loop->stmts[i].phase != loop->load_phase &&
          effect->space == PL_SPACE_SHARED &&
          pl_same_shared(effect->root.decl, tile) &&
          (effect->kind == PL_EFFECT_WRITE || effect->kind == PL_EFFECT_ATOMIC))
        return effect->node;
    }
  return NULL;
}

bool pl_choose_tiles(pl_loop *loop) {
  candidate *list = NULL;
  size_t n = collect_candidates(loop, &list);
  int best = fullest_phase(loop, list, n);
  if (best < 0)
    return settle_without_tile(loop, list, n);
  loop->load_phase = best;
  for (size_t i = 0; i < n; i++) {
    if (!list[i].streams || !streams_in(loop, list[i].decl, best))
      continue;
    pl_tile tile = {.decl = list[i].decl, .bytes = -1};
    tile.dynamic = list[i].decl->is_extern;
    tile.changed_at = change_of(loop, tile.decl);
    PL_PUSH(loop->arena, loop->tiles, loop->ntiles, loop->tiles_cap, tile);
  }
  for (size_t i = 0; i < loop->ntiles; i++)
    if (!pl_check_cells(loop, loop->tiles[i].decl))
      return false;
  pl_add_made_tiles(loop);
  return true;
}
