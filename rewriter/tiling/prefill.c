/* prefill.c - is what a store outside the loop writes written by every tile, and
 * the other way round?
 *
 * Needs: the copies of the loop. Gives: whether a cell that is zeroed before the
 * loop, or that another tile loop fills, is overwritten by the same thread in every
 * iteration before anything reads it. Such a store is dead, and so it may go to any
 * one stage. And whether text behind the loop first writes all cells that the tiles
 * write, and no others: what it reads then is its own. Raises nothing.
 *
 * The two stores have to name their cells alike: by the same expression of what
 * never changes, in copy loops of the same header. */
#include "cfg.h"
#include "copies.h"

#define MOST_LOOPS 4

/* The copy loops around the store outside the loop, outermost first, and as many
 * of the fill's as stand for them so far. */
typedef struct pairing {
  pl_loop *loop;
  const pl_node *other; /* the tile loop that the store is in, NULL: none */
  const pl_node *dst;
  const pl_node *own[MOST_LOOPS], *fill[MOST_LOOPS];
  size_t nown, nfill;
} pairing;

static const pl_decl *counter_of(const pl_node *node) {
  const pl_node *init = node->kids[0];
  bool one = init && init->kind == PL_NODE_DECL_STMT && init->nkids == 1;
  return one ? init->kids[0]->decl : NULL;
}

static bool same_value(const pairing *p, const pl_node *own,
                       const pl_node *fill);

static bool is_record(const pl_type *type) {
  if (type && type->kind == PL_TYPE_REFERENCE)
    type = type->element;
  return !type || (type->kind != PL_TYPE_INT && type->kind != PL_TYPE_FLOAT &&
                   type->kind != PL_TYPE_BOOL &&
                   type->kind != PL_TYPE_POINTER);
}

/* Whether the function may set a variable anew, or a member of it. */
static bool is_set_anew(const pl_loop *loop, const pl_decl *decl) {
  pl_effects effects = {0};
  if (pl_assigned_anywhere(loop->func->body, decl))
    return true;
  if (!is_record(decl->type))
    return false;
  pl_effects_of(loop->effects, loop->func, loop->func->body, &effects);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind != PL_EFFECT_READ &&
        effects.items[i].root.decl == decl &&
        !(decl->node && pl_node_within(effects.items[i].node, decl->node)))
      return true;
  return false;
}

/* `const int row = i / 16;` in both loops, each for itself. */
static bool set_alike(const pairing *p, const pl_decl *own,
                      const pl_decl *fill) {
  return p->other && own && fill && own->owner == p->loop->func &&
         fill->owner == own->owner && pl_only_value(own) && pl_only_value(fill) &&
         pl_same_type(own->type, fill->type) && !is_record(own->type) &&
         same_value(p, own->init, fill->init);
}

/* Whether a name has the same value in both places: of a counter, or of what
 * the function sets once or never. */
static bool same_name(const pairing *p, const pl_node *own_name,
                      const pl_node *fill_name) {
  const pl_decl *own = own_name->decl, *fill = fill_name->decl;
  for (size_t i = 0; i < p->nfill; i++)
    if (counter_of(p->own[i]) == own)
      return counter_of(p->fill[i]) == fill;
  if (own != fill)
    return set_alike(p, own, fill);
  if (!own || own->is_volatile || own->is_shared)
    return false;
  bool variable =
      own->kind == PL_DECL_VAR || own->kind == PL_DECL_PARAM;
  if (!variable || own->is_constexpr)
    return true;
  if (p->other && pl_ever_varies(p->loop, (pl_node *)fill_name))
    return false;
  return own->owner ? !is_set_anew(p->loop, own)
                    : !own->in_main; /* threadIdx and its like */
}

static bool is_arithmetic(const pl_node *node) {
  return node->kind == PL_NODE_BINARY || node->kind == PL_NODE_CAST ||
         (node->kind == PL_NODE_UNARY &&
          (node->op == PL_OP_PLUS || node->op == PL_OP_MINUS ||
           node->op == PL_OP_NOT || node->op == PL_OP_LNOT));
}

/* Whether two expressions have the same value. No memory is read. */
static bool same_value(const pairing *p, const pl_node *own,
                       const pl_node *fill) {
  own = pl_node_bare((pl_node *)own);
  fill = pl_node_bare((pl_node *)fill);
  if (!own || !fill || own->kind != fill->kind || own->op != fill->op ||
      own->nkids != fill->nkids)
    return false;
  if (own->kind == PL_NODE_REF)
    return same_name(p, own, fill);
  if (own->kind == PL_NODE_INT || own->kind == PL_NODE_SIZEOF)
    return pl_same_text(p->loop->unit, own, fill);
  bool member = own->kind == PL_NODE_MEMBER && own->decl && own->decl == fill->decl &&
                own->nkids == 1 && !own->is_arrow &&
                pl_node_bare(own->kids[0])->kind == PL_NODE_REF;
  if (!member && (!is_arithmetic(own) || !pl_same_type(own->type, fill->type)))
    return false;
  for (uint32_t i = 0; i < own->nkids; i++)
    if (!same_value(p, own->kids[i], fill->kids[i]))
      return false;
  return true;
}

/* Whether two left sides name one cell of the tile. */
static bool same_cell(const pairing *p, const pl_node *own,
                      const pl_node *fill) {
  own = pl_node_bare((pl_node *)own);
  fill = pl_node_bare((pl_node *)fill);
  if (own->kind != fill->kind || own->decl != fill->decl)
    return false;
  bool index = own->kind == PL_NODE_SUBSCRIPT ||
               (p->other && own->kind == PL_NODE_BINARY &&
                own->op == PL_OP_ADD && fill->op == PL_OP_ADD);
  if (index)
    return same_cell(p, own->kids[0], fill->kids[0]) &&
           same_value(p, own->kids[1], fill->kids[1]);
  bool pointer = own->kind == PL_NODE_CAST ||
                 (own->kind == PL_NODE_UNARY && own->op == fill->op &&
                  (own->op == PL_OP_DEREF || own->op == PL_OP_ADDR));
  if (p->other && pointer && own->nkids == 1 && fill->nkids == 1)
    return pl_same_type(own->type, fill->type) &&
           same_cell(p, own->kids[0], fill->kids[0]);
  if (own->kind == PL_NODE_MEMBER)
    return own->decl && own->nkids && fill->nkids &&
           same_cell(p, own->kids[0], fill->kids[0]);
  return own->kind == PL_NODE_REF && own->decl && own->decl->is_shared;
}

/* `i += 256` with the counters standing for each other. */
static bool same_step(const pairing *p, const pl_node *own,
                      const pl_node *fill) {
  if (!own || !fill || own->kind != fill->kind || own->op != fill->op ||
      own->nkids != fill->nkids ||
      (own->kind != PL_NODE_ASSIGN && own->kind != PL_NODE_UNARY))
    return false;
  for (uint32_t i = 0; i < own->nkids; i++)
    if (!same_value(p, own->kids[i], fill->kids[i]))
      return false;
  return true;
}

/* Whether two loops count alike, each with a counter that its header alone
 * sets. */
static bool same_header(pairing *p, const pl_node *own, const pl_node *fill) {
  const pl_decl *a = counter_of(own), *b = counter_of(fill);
  if (!a || !b || !a->init || !b->init || !pl_same_type(a->type, b->type) ||
      pl_assigned_anywhere(own->kids[3], a) ||
      pl_assigned_anywhere(fill->kids[3], b) ||
      !same_value(p, a->init, b->init))
    return false;
  p->fill[p->nfill++] = fill;
  if (same_value(p, own->kids[1], fill->kids[1]) &&
      same_step(p, own->kids[2], fill->kids[2]))
    return true;
  p->nfill--;
  return false;
}

static bool writes_cell(pairing *p, const pl_node *node);

static bool loop_writes_cell(pairing *p, const pl_node *node) {
  if (p->nfill == p->nown || pl_cfg_jump_out(node->kids[3], PL_JUMP_LOOP) ||
      !same_header(p, p->own[p->nfill], node))
    return false;
  bool found = writes_cell(p, node->kids[3]);
  p->nfill--;
  return found;
}

/* Whether the store outside stands under a condition as well. */
static bool is_asked_alike(const pairing *p, const pl_node *cond) {
  const pl_node *at = p->dst;
  for (; p->other && at->parent && at != p->other; at = at->parent)
    if (at->parent->kind == PL_NODE_IF && at == at->parent->kids[1] &&
        same_value(p, at->parent->kids[0], cond))
      return true;
  return false;
}

/* Whether a store of the fill writes no less than the one outside, of which a
 * memcpy says how much. */
static bool as_many_bytes(const pairing *p, const pl_node *store) {
  const pl_node *outside = p->dst->parent;
  const pl_node *bytes = store->nkids > 2 ? store->kids[2] : NULL;
  if (!outside || outside->kind != PL_NODE_ASSIGN || outside->nkids < 3)
    return !bytes;
  return bytes && bytes->has_ival && outside->kids[2]->has_ival &&
         bytes->ival == outside->kids[2]->ival && !pl_is_open(bytes);
}

/* Whether a statement of the fill writes the cell whatever happens. */
static bool writes_cell(pairing *p, const pl_node *node) {
  if (!node)
    return false;
  switch (node->kind) {
  case PL_NODE_ASSIGN:
    return node->op == PL_OP_ASSIGN && p->nfill == p->nown &&
           ((same_cell(p, p->dst, node->kids[0]) && as_many_bytes(p, node)) ||
            writes_cell(p, node->kids[1]));
  case PL_NODE_COMPOUND:
    for (uint32_t i = 0; i < node->nkids; i++)
      if (writes_cell(p, node->kids[i]))
        return true;
    return false;
  case PL_NODE_IF:
    return (is_asked_alike(p, node->kids[0]) ||
            (node->nkids > 2 && writes_cell(p, node->kids[2]))) &&
           writes_cell(p, node->kids[1]);
  case PL_NODE_FOR:
    return loop_writes_cell(p, node);
  default:
    return false;
  }
}

/* The cell that a name stands in, where that is stored to, also by `+=`; NULL: it
 * is not. */
static const pl_node *target_of(const pl_node *ref) {
  const pl_node *at = ref;
  while (at->parent && (at->parent->kind == PL_NODE_SUBSCRIPT ||
                        at->parent->kind == PL_NODE_PAREN ||
                        at->parent->kind == PL_NODE_MEMBER) &&
         at->parent->kids[0] == at)
    at = at->parent;
  return at->parent && at->parent->kind == PL_NODE_ASSIGN &&
                 at->parent->kids[0] == at
             ? at
             : NULL;
}

/* The store whose left side a name stands in, NULL: it stands elsewhere. */
static const pl_node *store_of(const pl_node *ref) {
  const pl_node *target = target_of(ref);
  return target && target->parent->op == PL_OP_ASSIGN ? target->parent : NULL;
}

/* Whether an expression names a counter, or locals that are computed from it. */
static bool hangs_on(const pl_node *node, const pl_decl *counter, int depth) {
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  if (decl && decl != counter && decl->kind == PL_DECL_VAR && decl->owner &&
      decl->init && (depth > 8 || hangs_on(decl->init, counter, depth + 1)))
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (node->kids[i] && hangs_on(node->kids[i], counter, depth))
      return true;
  return decl == counter;
}

/* Whether a loop makes no other cells of the one that is stored to: it does not
 * count in its index. */
static bool repeats_cell(const pairing *p, const pl_node *loop) {
  const pl_decl *counter = loop->kind == PL_NODE_FOR ? counter_of(loop) : NULL;
  return p->dst && counter && !hangs_on(p->dst, counter, 0);
}

/* The loops around a store that do not hold the tile loop as well. */
static bool find_own_loops(pairing *p, const pl_node *store) {
  for (const pl_node *up = store->parent;
       up && up != p->other && !pl_node_within(p->loop->node, up);
       up = up->parent) {
    if (!pl_node_is_loop(up) || repeats_cell(p, up))
      continue;
    if (up->kind != PL_NODE_FOR || p->nown == MOST_LOOPS)
      return false;
    for (size_t i = p->nown++; i > 0; i--)
      p->own[i] = p->own[i - 1];
    p->own[0] = up;
  }
  return true;
}

static bool is_asm_within(pl_node *node, const void *range) {
  return node->kind == PL_NODE_ASM &&
         pl_range_inside(node->range, *(const pl_range *)range);
}

/* Whether a thread that makes the store comes to the loop: one that returns
 * between the two leaves its cell as it is. */
static bool reaches_loop(const pl_loop *loop, const pl_node *store) {
  pl_node *block = loop->node->parent;
  pl_range between = {store->range.end, loop->node->range.begin};
  return block && block->kind == PL_NODE_COMPOUND && pl_node_within(store, block) &&
         !pl_node_find(block, is_asm_within, &between) &&
         pl_cfg_post_dominates(loop->node, store) == PL_YES;
}

static bool fill_writes_cell(pairing *p) {
  for (size_t i = 0; i < p->loop->nstmts; i++)
    if (p->loop->stmts[i].fills && writes_cell(p, p->loop->stmts[i].node))
      return true;
  return false;
}

bool pl_refills(pl_loop *loop, pl_loop *other, const pl_decl *tile) {
  const pl_fill *fill = &other->fill;
  pairing p = {.loop = loop, .other = other->node};
  for (size_t i = 0; i < fill->ncalls; i++)
    if (pl_mentions(fill->calls[i].node, tile))
      return false;
  for (size_t i = 0; i < fill->ncopies; i++) {
    const pl_copy *copy = &fill->copies[i];
    for (const pl_node *at = copy->store;; at = at->kids[1]) {
      pl_tile *of = pl_tile_of_cell(other, at->kids[0]);
      p.nown = p.nfill = 0;
      p.dst = at->kids[0];
      if (of && of->decl == tile &&
          (!find_own_loops(&p, copy->store) || !fill_writes_cell(&p)))
        return false;
      if (at == copy->last)
        break;
    }
  }
  return true;
}

bool pl_is_dead_prefill(pl_loop *loop, const pl_node *ref) {
  const pl_node *store = store_of(ref);
  pl_str text = pl_unit_slice(loop->unit, ref->range);
  if (!store || ref->range.begin >= loop->node->range.begin ||
      !reaches_loop(loop, store) || !pl_str_eq(text, ref->decl->name))
    return false;
  pairing p = {.loop = loop, .dst = store->kids[0]};
  return find_own_loops(&p, store) && fill_writes_cell(&p);
}

/* ---- behind the loop ------------------------------------------------------- */

static bool is_read(pl_node *node, const void *tile) {
  const pl_node *target = pl_names_var(node, tile) ? target_of(node) : NULL;
  return node->kind == PL_NODE_REF && node->decl == tile &&
         (!target || target->parent->op != PL_OP_ASSIGN);
}

/* Statements one after the other. */
typedef struct run {
  pl_node **items;
  uint32_t n;
} run;

/* Whether statements, up to the first one that reads the tile, write the cell that
 * a copy writes. */
static bool is_written_first(pl_loop *loop, const pl_copy *copy, run at) {
  for (uint32_t i = 0; i < at.n; i++) {
    if (!at.items[i])
      continue;
    pairing p = {.loop = loop, .other = loop->node->parent,
                 .dst = copy->store->kids[0]};
    if (pl_cfg_jump_out(at.items[i], PL_JUMP_ANY) ||
        pl_node_has(at.items[i], PL_NODE_ASM) ||
        pl_node_find(at.items[i], is_read, copy->tile->decl))
      return false;
    if (find_own_loops(&p, copy->store) && writes_cell(&p, at.items[i]))
      return true;
  }
  return false;
}

/* What a branch without `else` holds that stands among statements; where the loop
 * around them took it for what it does (loops_head.c), that are statements behind
 * it. */
static run held_by(const pl_loop *loop, run all, uint32_t index) {
  const pl_node *branch = all.items[index];
  const pl_loop *outer = loop->outer;
  if (!branch || branch->kind != PL_NODE_IF || (branch->nkids > 2 && branch->kids[2]))
    return (run){NULL, 0};
  if (!outer || outer->branch != branch)
    return branch->kids[1]->kind == PL_NODE_COMPOUND
               ? (run){branch->kids[1]->kids, branch->kids[1]->nkids}
               : (run){NULL, 0};
  run held = {all.items + index + 1, 0};
  while (index + 1 + held.n < all.n && held.items[held.n] &&
         pl_range_inside(held.items[held.n]->range, outer->branch_body->range))
    held.n++;
  return held;
}

static bool names_tile(const pl_tile *tile, run at) {
  for (uint32_t i = 0; i < at.n; i++)
    if (pl_mentions(at.items[i], tile->decl))
      return true;
  return false;
}

/* The statements behind the loop, or of a branch there that has all that name the
 * tile. */
static run that_name(const pl_loop *loop, const pl_tile *tile, run all) {
  for (uint32_t i = 0; i < all.n; i++) {
    run held = held_by(loop, all, i);
    bool inside = held.n && held.items == all.items + i + 1;
    uint32_t behind = i + 1 + (inside ? held.n : 0);
    run rest = {all.items + behind, all.n - behind};
    if (held.n && names_tile(tile, held) && !names_tile(tile, rest) &&
        !pl_mentions(all.items[i]->kids[0], tile->decl))
      return that_name(loop, tile, held);
    if (pl_mentions(all.items[i], tile->decl))
      return all;
  }
  return all;
}

bool pl_is_filled_anew_behind(pl_loop *loop, const pl_tile *tile) {
  const pl_node *block = loop->node->parent;
  uint32_t at = 0;
  while (at < block->nkids && block->kids[at] != loop->node)
    at++;
  for (size_t i = 0; i < loop->fill.ncalls; i++)
    if (pl_mentions(loop->fill.calls[i].node, tile->decl))
      return false;
  if (at == block->nkids || tile->partial || tile->changed_at)
    return false;
  run names = that_name(loop, tile,
                        (run){block->kids + at + 1, block->nkids - at - 1});
  bool any = false;
  for (size_t i = 0; i < loop->fill.ncopies; i++) {
    const pl_copy *copy = &loop->fill.copies[i];
    if (copy->tile != tile)
      continue;
    any = true;
    if (copy->last != copy->store || copy->nbytes ||
        !is_written_first(loop, copy, names))
      return false;
  }
  return any;
}

bool pl_is_store_as_of_a_tile(pl_loop *loop, const pl_node *ref) {
  const pl_node *target = target_of(ref);
  pairing p = {.loop = loop, .other = loop->node->parent, .dst = target};
  return target && find_own_loops(&p, target->parent) && fill_writes_cell(&p);
}
