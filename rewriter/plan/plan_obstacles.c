/* plan_obstacles.c - which variants do not apply, and why?
 *
 * Needs: legality, split, the tiles' bytes. Gives: the reason against more than
 * one buffer, the one against asynchronous copies, and the first that a variant
 * meets. Raises (by plan_choose.c): PL1003, PL1004, PL3004, PL3009, PL5002 to
 * PL5005, PL6002, PL7003, and what copies.c and split.c left in async_id and
 * ldg_id. */
#include "assembly.h"
#include "call_summary.h"
#include "copies.h"
#include "forms.h"
#include "plan.h"

/* ---- more than one buffer ------------------------------------------------ */

void pl_no_double(pl_loop *loop, const char *id, const char *why, pl_str name) {
  if (loop->double_id)
    return;
  loop->double_id = id;
  loop->double_why =
      pl_arena_printf(loop->arena, "tile '%.*s' %s", PL_FMT(name), why);
}

/* The alignment that every stage of a tile has to keep. */
static int64_t tile_alignment(const pl_loop *loop, const pl_tile *tile) {
  int64_t align = tile->decl->align_attr > 0 ? tile->decl->align_attr : 0;
  if (!tile->wide)
    return align;
  int64_t need = 16;
  for (size_t i = 0; i < loop->nstmts; i++) {
    pl_str text = pl_unit_slice(loop->unit, loop->stmts[i].node->range);
    if (pl_str_has(text, "load_matrix_sync"))
      need = 32;
  }
  return align > need ? align : need;
}

static size_t declarators_beside(const pl_decl *decl) {
  const pl_node *stmt = decl->node ? decl->node->parent : NULL;
  return stmt && stmt->kind == PL_NODE_DECL_STMT ? stmt->nkids : 1;
}

bool pl_needs_padding(const pl_tile *tile) {
  return !tile->dynamic && tile->align > 0 &&
         (tile->bytes < 0 || tile->bytes % tile->align);
}

/* The lambda that a call calls by the name of a variable, NULL: none. */
static const pl_node *called_lambda(const pl_node *call) {
  const pl_node *callee = call->kind == PL_NODE_CALL && call->nkids
                              ? pl_node_bare(call->kids[0])
                              : NULL;
  if (callee && callee->kind == PL_NODE_MEMBER && callee->nkids)
    callee = pl_node_bare(callee->kids[0]);
  const pl_decl *decl = callee && callee->kind == PL_NODE_REF ? callee->decl
                                                              : NULL;
  return decl && decl->init && decl->init->kind == PL_NODE_LAMBDA ? decl->init
                                                                  : NULL;
}

/* Whether a name stands in a lambda, or a call is one of a lambda. */
static bool is_of_lambda(const pl_node *at) {
  return pl_in_lambda(at) || called_lambda(at);
}

static const char *why_fixed(const pl_tile *tile) {
  return tile->fixed_at && is_of_lambda(tile->fixed_at)
             ? "is named where it cannot be rebound, in a lambda; as an argument "
               "of that it can be"
             : "is named where it cannot be rebound";
}

static const char *why_bounded(const pl_loop *loop) {
  const char *what = "lies in dynamic shared memory";
  return loop->dynamic_why.n
             ? pl_arena_printf(loop->arena, "%s: %.*s",
                               what, PL_FMT(loop->dynamic_why))
                   .p
             : what;
}

/* A register that says how many bytes of shared memory a block has, or a function of the
 * toolkit's that reads one. Of assembly in a macro's body it is the file that says it. */
static bool reads_bytes(pl_node *node, const void *context) {
  const pl_unit *unit = context;
  pl_str text = node->kind == PL_NODE_ASM ? pl_assembly_text(unit, node) : (pl_str){0};
  if (node->kind == PL_NODE_ASM)
    return pl_str_has(text, "smem_size") ||
           ((node->from_macro || !pl_str_has(text, ";")) && pl_str_has(unit->text, "smem_size"));
  return node->kind == PL_NODE_CALL && pl_str_has(node->name, "smem_size");
}

static bool asks_for_bytes(const pl_loop *loop) {
  for (uint32_t i = 0; i < loop->unit->nfuncs; i++) {
    const pl_func *func = loop->unit->funcs[i];
    if (!pl_may_lead_to(loop, func) || !pl_may_call(loop->unit, func, loop->func))
      continue;
    pl_func_list run = pl_functions_of(loop->unit, func);
    for (size_t k = 0; k < run.n; k++)
      if (run.items[k]->body && pl_node_find(run.items[k]->body, reads_bytes, loop->unit))
        return true;
  }
  return false;
}

void pl_find_double(pl_loop *loop) {
  const bool asks = asks_for_bytes(loop);
  for (size_t t = 0; t < loop->ntiles; t++) {
    pl_tile *tile = &loop->tiles[t];
    pl_str name = tile->decl->name;
    tile->align = tile_alignment(loop, tile);
    if (tile->changed_at)
      pl_no_double(loop, "PL3001", "is written in the compute phase too", name);
    if (asks)
      pl_no_double(loop, "PL5005", "needs more shared memory with stages, and the kernel "
                                   "asks how much it has", name);
    if (tile->decl->kind == PL_DECL_PARAM)
      pl_no_double(loop, "PL3009", "belongs to the callers", name);
    if (tile->dynamic && !loop->dynamic)
      pl_no_double(loop, "PL5005", why_bounded(loop), name);
    if (tile->bytes < 0 && loop->func->ninstances > 0 && !tile->dynamic)
      pl_no_double(loop, "PL7003", "has a size that is not known", name);
    if (!tile->decl->in_main || !tile->decl->name_range.end ||
        ((tile->decl->owner != loop->func || !tile->decl->node) &&
         !(tile->dynamic && loop->dynamic)))
      pl_no_double(loop, "PL3009", "is declared out of reach", name);
    if (tile->partial)
      pl_no_double(loop, "PL3004",
                   tile->partial_why
                       ? tile->partial_why
                       : "keeps old cells where a guard skips the store",
                   name);
    if (tile->kept_by)
      pl_no_double(loop, "PL3007",
                   pl_arena_printf(loop->arena,
                                   "has an address that '%.*s' keeps for a "
                                   "later tile",
                                   PL_FMT(tile->kept_by->name))
                       .p,
                   name);
    if (tile->escapes)
      pl_no_double(loop, "PL3007",
                   "has its address passed to where it cannot be followed",
                   name);
    if (tile->member)
      pl_no_double(loop, "PL3009",
                   pl_arena_printf(loop->arena,
                                   "is what member '%.*s' of '%.*s' leads to, "
                                   "and a stage has such an object of its own "
                                   "only where nothing changes it, its "
                                   "constructor but sets it, and the loop "
                                   "alone names it",
                                   PL_FMT(tile->member->name),
                                   PL_FMT(tile->object->name))
                       .p,
                   name);
    if (tile->fixed)
      pl_no_double(loop, "PL3009", why_fixed(tile), name);
    if (pl_is_named_in_left_out_text(loop, tile->decl))
      pl_no_double(loop, "PL1004", "is named in text that an #if leaves out",
                   name);
    if (pl_needs_padding(tile) && declarators_beside(tile->decl) > 1)
      pl_no_double(loop, "PL5004", "shares its declaration and needs padding",
                   name);
  }
}

/* ---- asynchronous copies ------------------------------------------------- */

/* Whether a call reads an array of the thread's own: that may be what it copies. */
static bool reads_own_array(const pl_effect *effect) {
  const pl_decl *decl = effect->root.decl;
  return effect->space == PL_SPACE_LOCAL && effect->by_call && decl &&
         decl->type && decl->type->kind == PL_TYPE_ARRAY;
}

bool pl_reads_only_global(const pl_loop *loop, const pl_node *node) {
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t j = 0; j < loop->stmts[i].effects.n; j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      if (effect->node == node && effect->kind == PL_EFFECT_READ &&
          ((effect->space != PL_SPACE_GLOBAL &&
            effect->space != PL_SPACE_LOCAL &&
            !pl_is_constant_number(effect->root.decl)) ||
           reads_own_array(effect) ||
           pl_may_lead_elsewhere(loop, effect->root)))
        return false;
    }
  return true;
}

/* What the copies of a load helper, and of those that it calls, say about
 * asynchronous ones. */
static void find_async_in_helper(pl_loop *loop, const pl_loop *body,
                                 bool *any) {
  for (size_t k = 0; k < body->fill.ncopies; k++) {
    const pl_copy *copy = &body->fill.copies[k];
    *any = *any || copy->load;
    if (copy->async_id && !loop->async_id) {
      loop->async_id = copy->async_id;
      loop->async_why =
          pl_arena_printf(loop->arena, "in '%.*s': %s",
                          PL_FMT(body->func->name), copy->async_why);
    }
  }
  for (size_t i = 0; i < body->fill.ncalls; i++)
    find_async_in_helper(loop, body->fill.calls[i].body, any);
}

static void find_async_in_helpers(pl_loop *loop, bool *any) {
  for (size_t i = 0; i < loop->fill.ncalls; i++) {
    find_async_in_helper(loop, loop->fill.calls[i].body, any);
    for (size_t t = 0; t < loop->ntiles && !loop->async_id; t++) {
      if (!loop->tiles[t].stored_twice)
        continue;
      loop->async_id = "PL5002";
      loop->async_why =
          pl_arena_printf(loop->arena, "tile '%.*s': a cell may be stored twice",
                          PL_FMT(loop->tiles[t].decl->name));
    }
    if (!loop->async_id &&
        !pl_reads_only_global(loop, loop->fill.calls[i].node)) {
      loop->async_id = "PL5002";
      loop->async_why = PL_STR("its source may not be global memory");
    }
  }
}

/* Whether an expression names a recurrence inside a macro's body, where it
 * cannot be given another name. */
static bool names_by_macro(pl_node *node, const void *context) {
  const pl_loop *loop = context;
  return node->kind == PL_NODE_REF && node->decl &&
         pl_loop_recurrence(loop, node->decl) &&
         !pl_str_eq(pl_unit_slice(loop->unit, node->range), node->decl->name);
}

/* Sets async_id for what one of the copies is. */
static void find_async_in_copies(pl_loop *loop) {
  bool any = false;
  for (size_t i = 0; i < loop->fill.ncopies; i++) {
    const pl_copy *copy = &loop->fill.copies[i];
    any = any || copy->load;
    if (pl_async_obstacle(copy) && !loop->async_id) {
      loop->async_id = copy->async_id;
      loop->async_why = pl_arena_printf(
          loop->arena, "tile '%.*s': %s%s%s", PL_FMT(copy->tile->decl->name),
          copy->async_why,
          copy->narrow && loop->narrow_why ? ", and they cannot be joined: " : "",
          copy->narrow && loop->narrow_why ? loop->narrow_why : "");
    }
    if (!copy->load && !copy->async_id &&
        copy->staging != PL_STAGE_NOTHING && !loop->async_id) {
      loop->async_id = "PL5002";
      loop->async_why =
          pl_arena_printf(loop->arena, "tile '%.*s': its value is computed on "
                                       "the way",
                          PL_FMT(copy->tile->decl->name));
    }
  }
  for (size_t i = 0; i < loop->fill.ncopies && !loop->async_id; i++) {
    const pl_tile *tile = loop->fill.copies[i].tile;
    if (!tile->stored_twice)
      continue;
    loop->async_id = "PL5002";
    loop->async_why =
        pl_arena_printf(loop->arena, "tile '%.*s': a cell may be stored twice",
                        PL_FMT(tile->decl->name));
  }
  find_async_in_helpers(loop, &any);
  if (!any && !loop->async_id) {
    loop->async_id = "PL5002";
    loop->async_why = PL_STR("no store is a plain copy from global memory");
  }
}

static size_t count_stored_twice(const pl_loop *loop) {
  size_t n = 0;
  for (size_t t = 0; t < loop->ntiles; t++)
    n += loop->tiles[t].stored_twice;
  return n;
}

void pl_prove_async(pl_loop *loop) {
  if (loop->async_proven || (loop->async_id && !loop->can_mix))
    return;
  size_t before = count_stored_twice(loop);
  loop->async_proven = true;
  pl_mark_meetings(loop, &loop->fill);
  if (count_stored_twice(loop) == before)
    return;
  if (!loop->async_id)
    find_async_in_copies(loop);
  loop->can_mix = false;
  pl_find_mixed(loop);
}

void pl_find_async(pl_loop *loop) {
  if (!pl_loop_arch(loop)->has_async) {
    loop->async_id = "PL5003";
    loop->async_why = PL_STR("the architecture has no asynchronous copies");
    return;
  }
  if (pl_node_find(loop->cond, names_by_macro, loop)) {
    loop->async_id = "PL1003";
    loop->async_why = PL_STR("a macro's body holds the loop's condition");
    return;
  }
  find_async_in_copies(loop);
  if (loop->async_id)
    pl_find_mixed(loop);
}

int pl_narrowest_copy(const pl_loop *loop) {
  int64_t width = 16;
  for (size_t i = 0; i < loop->fill.ncopies; i++) {
    const pl_copy *copy = &loop->fill.copies[i];
    int64_t bytes = pl_copied_bytes(loop, copy);
    if (copy->load && bytes < width && (!loop->mixed || copy->early))
      width = bytes;
  }
  for (size_t i = 0; i < loop->fill.ncalls; i++) {
    if (loop->mixed && !loop->fill.calls[i].early)
      continue;
    int inner = pl_narrowest_copy(loop->fill.calls[i].body);
    width = inner < width ? inner : width;
  }
  return (int)width;
}

bool pl_has_wide_copy(const pl_loop *loop) {
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    if (loop->fill.copies[i].load &&
        pl_copied_bytes(loop, &loop->fill.copies[i]) >= 16)
      return true;
  for (size_t i = 0; i < loop->fill.ncalls; i++)
    if (pl_has_wide_copy(loop->fill.calls[i].body))
      return true;
  return false;
}

#define MOSTLY_WIDE 16

/* Whether some copy into a tile loads less than 16 bytes. */
static bool is_narrow_tile(pl_loop *loop, const pl_tile *tile) {
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    if (loop->fill.copies[i].load &&
        pl_copied_bytes(loop, &loop->fill.copies[i]) < 16 &&
        pl_stores_into(loop, &loop->fill.copies[i], tile))
      return true;
  return false;
}

bool pl_is_mostly_wide(pl_loop *loop) {
  int64_t all = 0, narrow = 0;
  for (size_t t = 0; t < loop->ntiles; t++) {
    if (loop->tiles[t].bytes <= 0)
      return false;
    all += loop->tiles[t].bytes;
    narrow += is_narrow_tile(loop, &loop->tiles[t]) ? loop->tiles[t].bytes : 0;
  }
  return loop->fill.ncalls == 0 && pl_has_wide_copy(loop) &&
         narrow * MOSTLY_WIDE <= all;
}

/* ---- any variant --------------------------------------------------------- */

/* A variable of the loop body's own level that the load side sets from a
 * tile's address: the fetch of `ldg` has no stage yet that it could point to. */
static const pl_decl *points_ahead(const pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (!stmt->in_load || stmt->fills || stmt->names_tile || stmt->restarts ||
        stmt->is_shared_decl)
      continue;
    if (stmt->node->kind == PL_NODE_ASSIGN &&
        pl_points_into_tile(loop, stmt->node)) {
      const pl_node *target = pl_node_bare(stmt->node->kids[0]);
      return target->decl ? target->decl : loop->tiles[0].decl;
    }
    for (uint32_t k = 0; stmt->node->kind == PL_NODE_DECL_STMT &&
                         k < stmt->node->nkids; k++)
      if (stmt->node->kids[k]->decl &&
          pl_points_into_tile(loop, stmt->node->kids[k]))
        return stmt->node->kids[k]->decl;
  }
  return NULL;
}

const char *pl_obstacle(pl_loop *loop, pl_variant variant, pl_str *why) {
  if (pl_variant_is_async(variant))
    pl_prove_async(loop);
  return pl_obstacle_in_sight(loop, variant, why);
}

static bool is_apart(pl_node *node, const void *unused) {
  (void)unused;
  return node->kind == PL_NODE_VAR && node->decl && node->decl->is_apart;
}

bool pl_has_parts_apart(const pl_func *func) {
  return func->body && pl_node_find(func->body, is_apart, NULL);
}

static bool is_apart_here(pl_node *node, const void *unused) {
  (void)unused;
  return node->kind == PL_NODE_VAR && node->decl && node->decl->is_apart_here;
}

/* Whether the loop had two buffers in the source, and has one in this text. Then what its
 * loads leave of a tile is the one before the last: to one buffer it is as wrong as to
 * several. */
static bool had_two_buffers(const pl_loop *loop) {
  const pl_expanded *of = loop->unit->expanded;
  for (const pl_changed_loop *one = of ? of->undone : NULL; one; one = one->next) {
    pl_range at = pl_origin_of(of, loop->node->range);
    if (at.begin < one->range.end && one->range.begin < at.end)
      return true;
  }
  return false;
}

pl_str pl_staging_text(const pl_loop *loop) {
  uint32_t n = loop->func->ninstances;
  pl_str most = n > 1 ? pl_arena_printf(loop->arena,
                                        ", in the largest of its %u instantiations", n)
                      : PL_STR("");
  return pl_arena_printf(loop->arena,
                         "staging would hold %lld bytes of registers a thread%.*s",
                         (long long)loop->staging_bytes, PL_FMT(most));
}

const char *pl_obstacle_in_sight(pl_loop *loop, pl_variant variant,
                                 pl_str *why) {
  if (loop->denied[variant].n) {
    *why = loop->denied[variant];
    return loop->denied_id[variant];
  }
  bool async = pl_variant_is_async(variant);
  bool mixes = pl_variant_mixes(variant) && loop->can_mix;
  if (async && loop->async_id && !mixes) {
    *why = loop->async_why;
    return loop->async_id;
  }
  if (pl_variant_most(variant) > 1 && loop->double_id) {
    *why = loop->double_why;
    return loop->double_id;
  }
  if (pl_variant_most(variant) == 1 && loop->func->body &&
      pl_node_find(loop->func->body, is_apart_here, NULL)) {
    *why = PL_STR("that parts of its block of dynamic shared memory lie apart is known of "
                  "the launches in sight, and with one buffer others are not trapped");
    return "PL5005";
  }
  if (pl_variant_most(variant) == 1 && had_two_buffers(loop)) {
    *why = PL_STR("it has two buffers already");
    return "PL2100";
  }
  if (!async && loop->ldg_id) {
    *why = loop->ldg_why;
    return loop->ldg_id;
  }
  const pl_decl *ahead = points_ahead(loop);
  if (!async && pl_variant_most(variant) > 1 && ahead) {
    *why = pl_arena_printf(loop->arena,
                           "'%.*s' points into a tile and is declared before "
                           "the statement that stores through it",
                           PL_FMT(ahead->name));
    return "PL3009";
  }
  if (!async && loop->staging_bytes > MOST_STAGING_BYTES) {
    *why = pl_staging_text(loop);
    return "PL6002";
  }
  return pl_form_obstacle(loop, variant, why);
}
