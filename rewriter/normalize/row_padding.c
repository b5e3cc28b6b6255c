/* row_padding.c - bytes behind each row of a tile, which no one uses.
 *
 * Needs: an attempt whose loops are planned. Gives: larger bounds of the last dimension
 * of tiles, where their loops' options ask for them and all instantiations can have
 * them; with each loop, of which tile that is so, or why not. Raises: nothing.
 *
 * A row that is no multiple of 128 bytes begins in another bank than the one before.
 * Nothing else may come of it: each name of the tile is a cell with all its indices, the
 * last of which is proven to stay, with all that is accessed from there on, within the
 * row. The extents of blocks are those of the launches in sight: C++ gives no meaning to
 * an index that leaves its row. Whoever loads a fragment says how far rows are apart; that
 * number grows as they do. */
#include "access.h"
#include "call_summary.h"
#include "expansions.h"
#include "values.h"

#include <string.h>

#define MOST_OPERATIONS 1000000 /* of isl, for one tile */
#define USUAL_PADDING 16
#define WORD 4 /* bytes of a bank's */
#define FRAGMENT_ROW 16       /* bytes of a row that a warp loads at once */
#define FRAGMENT_ALIGNMENT 32 /* of where a fragment is loaded from [wmma] */

typedef struct row_use {
  pl_row_shape shape;
  int64_t span;       /* bytes from the cell on, of the same row */
  const pl_node *ldm; /* cells from row to row, as a call says; NULL: none does */
} row_use;

/* The worst conflict of what compute reads, and of the stores of a tile. */
typedef struct degree {
  int reads, stores;
} degree;

typedef struct padding {
  pl_arena *arena;
  pl_loop *loop;
  const pl_decl *tile;
  const pl_instance *instance;
  int64_t counts[PL_MOST_INDICES], element, row; /* bytes of a cell, of a row */
  int64_t widest;                                /* access, bytes */
  pl_named_cell *cells;
  size_t ncells, cells_cap;
  row_use *uses; /* of each cell */
  size_t nuses, uses_cap;
  degree before, after; /* of conflicts */
  const char *why; /* it is not padded; NULL: nothing speaks against it */
  const pl_node *at;
} padding;

static bool leave(padding *p, const pl_node *at, const char *why) {
  if (!p->why) {
    p->why = why;
    p->at = at;
  }
  return false;
}

/* ---- what is accessed from a cell on ------------------------------------------- */

/* Whether `up` is an lvalue that is, or may be, what `node` is. */
static bool is_handed_through(const pl_node *up, const pl_node *node) {
  bool left = pl_node_within(node, up->kids[0]);
  switch (up->kind) {
  case PL_NODE_COND:
    return !left;
  case PL_NODE_BINARY:
    return up->op == PL_OP_COMMA && !left;
  case PL_NODE_ASSIGN:
    return left;
  case PL_NODE_UNARY:
    return up->op == PL_OP_PREINC || up->op == PL_OP_PREDEC;
  default:
    return up->kind == PL_NODE_MEMBER && !up->is_arrow;
  }
}

/* The lvalue that one is handed through to, and what stands around it. */
static pl_node *outermost(pl_node *lvalue, pl_node **around) {
  pl_node *up = pl_node_around(lvalue);
  for (; up && up->nkids && is_handed_through(up, lvalue); up = pl_node_around(lvalue))
    lvalue = up;
  *around = up;
  return lvalue;
}

static int64_t size_of(const padding *p, const pl_type *type) {
  return pl_type_size(type, p->loop->func, p->instance);
}

static int64_t number(const padding *p, const pl_node *node) {
  bool assumed = false;
  int64_t value = -1;
  bool known = !pl_build_may_change(p->loop->unit, node) &&
               pl_loop_eval(p->loop, p->instance, (pl_node *)node, &value, &assumed);
  return known && !assumed ? value : -1;
}

/* The largest of a fragment's extents: it has no longer rows. 0: it does not say. */
static int64_t fragment_extent(const padding *p, const pl_node *fragment) {
  const pl_type *type = pl_no_reference(
      pl_type_settled(fragment->type, p->loop->func, p->instance));
  int64_t most = 0, one = 0;
  for (size_t i = 0, depth = 0; type && i < type->spelling.n; i++) {
    char c = type->spelling.p[i];
    depth += c == '<';
    depth -= c == '>';
    bool digit = depth == 1 && c >= '0' && c <= '9';
    bool inside = digit && (one || type->spelling.p[i - 1] == ' ' ||
                            type->spelling.p[i - 1] == ',');
    one = inside ? one * 10 + c - '0' : 0;
    most = one > most ? one : most;
  }
  return most;
}

static bool is_fragment_load(padding *p, const pl_node *call, const pl_node *address,
                             row_use *use) {
  int64_t extent = fragment_extent(p, call->kids[1]);
  use->ldm = call->kids[3];
  use->span = extent * p->element;
  use->shape.width = FRAGMENT_ROW;
  use->shape.fragment = true;
  p->widest = p->widest < FRAGMENT_ROW ? FRAGMENT_ROW : p->widest;
  if (call->kids[2] != address || !extent || call->from_macro)
    return leave(p, call, "which rows a fragment is loaded from is not known");
  return number(p, use->ldm) * p->element == p->row ||
         leave(p, use->ldm, "a fragment's rows are not those of the tile");
}

/* Whether a function of the user's is handed the cell itself. */
static bool is_handed_by_reference(const pl_node *call, const pl_node *arg) {
  const pl_func *func = call->decl ? call->decl->func : NULL;
  if (call->decl && !call->decl->is_user)
    return false;
  for (uint32_t i = 1; func && i < call->nkids && i <= func->nparams; i++)
    if (pl_node_within(arg, call->kids[i]))
      return func->params[i - 1]->type->kind == PL_TYPE_REFERENCE;
  return true;
}

static bool is_reference(const pl_type *type) {
  return !type || type->kind == PL_TYPE_REFERENCE;
}

/* Whether what stands around an lvalue may keep its address. */
static bool is_handed_on(const pl_node *up, const pl_node *lvalue) {
  return !up || up->kind == PL_NODE_RETURN || up->kind == PL_NODE_ASM ||
         (up->kind == PL_NODE_UNARY && up->op == PL_OP_ADDR) ||
         (up->kind == PL_NODE_CAST && is_reference(up->type)) ||
         (up->kind == PL_NODE_VAR && (!up->decl || is_reference(up->decl->type))) ||
         (up->kind == PL_NODE_CALL && is_handed_by_reference(up, lvalue));
}

/* Behind `&cell`: what is read or written through that address, and no more. */
static bool is_accessed_there(padding *p, pl_node *address, row_use *use) {
  const pl_type *as = address->type;
  pl_node *at = address, *up = pl_node_around(at);
  for (; up && up->kind == PL_NODE_CAST; up = pl_node_around(at)) {
    at = up;
    as = up->type;
  }
  int64_t size = as && as->kind == PL_TYPE_POINTER ? size_of(p, as->element) : -1;
  bool index = up && up->kind == PL_NODE_SUBSCRIPT && pl_node_bare(up->kids[0]) ==
               pl_node_bare(at) && pl_node_bare(up->kids[1])->has_ival;
  int64_t first = index ? pl_node_bare(up->kids[1])->ival : 0;
  bool star = up && up->kind == PL_NODE_UNARY && up->op == PL_OP_DEREF;
  bool arrow = up && up->kind == PL_NODE_MEMBER && up->is_arrow;
  if (up && up->kind == PL_NODE_CALL && up->nkids > 3 &&
      pl_calls_builtin(up, "load_matrix_sync"))
    return is_fragment_load(p, up, at, use);
  if (size <= 0 || size > 16 || first < 0 || !(index || star || arrow))
    return leave(p, at, "its address is handed on");
  use->span = (first + 1) * size;
  use->shape.width = size;
  at = outermost(up, &up);
  return !is_handed_on(up, at) || leave(p, at, "its address is handed on");
}

static bool is_plain_use(padding *p, pl_node *cell, row_use *use) {
  pl_node *up, *arg = outermost(cell, &up);
  use->span = use->shape.width = p->element;
  if (up && up->kind == PL_NODE_UNARY && up->op == PL_OP_ADDR && arg == cell)
    return is_accessed_there(p, up, use);
  if (up && up->kind == PL_NODE_CAST && is_reference(up->type)) {
    use->span = use->shape.width = up->type ? size_of(p, up->type->element) : -1;
    if (use->span <= 0 || use->span > 16 || arg != cell)
      return leave(p, cell, "it is taken for another type");
    arg = outermost(up, &up);
  }
  return !is_handed_on(up, arg) || leave(p, cell, "its address is handed on");
}

static bool find_uses(pl_node *node, void *context) {
  padding *p = context;
  if (p->why || node->kind != PL_NODE_REF || node->decl != p->tile)
    return !p->why;
  pl_named_cell cell;
  row_use use = {.shape = {.element = p->element}};
  memcpy(use.shape.counts, p->counts, sizeof p->counts);
  if (pl_names_type(p->loop->unit, node))
    return leave(p, node, "its type is asked for");
  if (!pl_cell_of(p->tile, node, &cell))
    return leave(p, node, "it is named without all of its indices");
  if (pl_in_lambda(node) || !pl_node_within(node, p->loop->body))
    return leave(p, node, pl_in_lambda(node) ? "a lambda names it"
                                             : "it is used outside of the loop");
  if (!is_plain_use(p, cell.node, &use))
    return false;
  int64_t wide = use.shape.fragment ? FRAGMENT_ROW : use.shape.width;
  p->widest = wide > p->widest ? wide : p->widest;
  PL_PUSH(p->arena, p->cells, p->ncells, p->cells_cap, cell);
  PL_PUSH(p->arena, p->uses, p->nuses, p->uses_cap, use);
  return true;
}

/* ---- which tiles ------------------------------------------------------------------ */

static bool has_known_rows(padding *p) {
  const pl_decl *tile = p->tile;
  const pl_type *type = pl_decl_type(tile, p->instance);
  const pl_func *func = p->loop->func;
  if (tile->is_extern)
    return leave(p, tile->node, "it is a block of dynamic shared memory");
  if (tile->owner != func || !tile->node || tile->from_macro ||
      tile->node->parent->kind != PL_NODE_DECL_STMT)
    return leave(p, NULL, "it is not declared by the loop's function in plain words");
  if (func->is_template && !(func->pattern && func->pattern->is_all_in_sight))
    return leave(p, tile->node, "instantiations that are not in sight may have other rows");
  for (uint32_t d = 0; d < tile->ndims && d < PL_MOST_INDICES; d++) {
    if (!type || type->kind != PL_TYPE_ARRAY || !tile->dims[d] ||
        pl_build_may_change(p->loop->unit, tile->dims[d]))
      return leave(p, tile->node, "how long its rows are is not known");
    p->counts[d] = type->count;
    p->row = size_of(p, type);
    type = type->element;
  }
  p->element = size_of(p, type);
  if (tile->ndims < 2 || tile->ndims > PL_MOST_INDICES ||
      (type && type->kind == PL_TYPE_ARRAY))
    return leave(p, tile->node, "it has no rows");
  return (p->element > 0 && p->row > 0) ||
         leave(p, tile->node, "how long its rows are is not known");
}

/* ---- within its row? ---------------------------------------------------------------- */

static int one_value(const pl_sides *s, uint32_t name, int side) {
  (void)s, (void)name;
  return side;
}

/* Whether an index is never below zero, nor above the largest. */
static bool stays_below(pl_accesses *of, pl_integers *integers,
                        const pl_seen_cell *seen, const pl_affine *index,
                        int64_t largest) {
  pl_sides s = {.names = &of->names, .integers = integers, .value_of = one_value,
                .nsides = 1, .nvalues = 1, .tells = 1};
  pl_sides_begin(&s);
  const pl_iform *form = pl_side_form(&s, index, 0);
  const pl_iset *here = pl_side_where(&s, seen->within, 0);
  const pl_iset *out = pl_iset_or(
      pl_iset_compare(form, PL_OP_LT, pl_iform_number(integers, 0)),
      pl_iset_compare(form, PL_OP_GT, pl_iform_number(integers, largest)));
  return pl_iset_is_empty(pl_iset_and(s.set, pl_iset_and(here, out))) == PL_YES;
}

static bool is_within_row(padding *p, pl_accesses *of, pl_integers *integers,
                          const pl_seen_cell *seen, const row_use *use, int64_t pad) {
  uint32_t last = seen->cell->n - 1;
  if (!stays_below(of, integers, seen, seen->index[last],
                   (p->row - use->span) / p->element))
    return leave(p, seen->cell->node, "it may name a cell of another row");
  for (uint32_t d = 0; use->ldm && d < last; d++)
    if (pad % FRAGMENT_ALIGNMENT && !pl_affine_divides(seen->index[d], 2))
      return leave(p, seen->cell->node, "a fragment would not be aligned");
  return true;
}

static const row_use *use_of(const padding *p, const pl_seen_cell *seen) {
  return &p->uses[seen->cell - p->cells];
}

static bool are_within_rows(padding *p, pl_accesses *of, int64_t pad) {
  bool known = !of->cut && !of->lost;
  for (size_t i = 0; known && i < p->ncells; i++) {
    bool seen = false;
    for (size_t k = 0; k < of->nseen; k++)
      seen = seen || of->seen[k].cell == &p->cells[i];
    known = seen;
  }
  if (!known)
    return leave(p, p->loop->node, "which of its cells are named is not known");
  pl_integers *integers = pl_integers_new(p->arena, MOST_OPERATIONS);
  for (size_t k = 0; k < of->nseen && !p->why; k++)
    is_within_row(p, of, integers, &of->seen[k], use_of(p, &of->seen[k]), pad);
  pl_integers_free(integers);
  return !p->why;
}

/* ---- does it pay? ---------------------------------------------------------------- */

static degree degree_of(const padding *p, const pl_accesses *of, int64_t pitch,
                        const int64_t block[3]) {
  degree worst = {0, 0};
  for (size_t k = 0; k < of->nseen; k++) {
    const pl_node *node = of->seen[k].cell->node;
    bool fills = false;
    for (size_t i = 0; i < p->loop->nstmts; i++)
      fills = fills || (p->loop->stmts[i].fills &&
                        pl_node_within(node, p->loop->stmts[i].node));
    int one = pl_bank_conflicts(of, &of->seen[k], &use_of(p, &of->seen[k])->shape, pitch,
                                block);
    int *most = fills ? &worst.stores : &worst.reads;
    *most = one > *most ? one : *most;
  }
  return worst;
}

/* A cell is read more often than it is stored to. */
static bool is_lower(degree after, degree before) {
  return after.reads < before.reads
             ? after.stores <= before.stores || after.stores <= before.reads
             : after.reads == before.reads && after.stores < before.stores;
}

/* The most threads along each axis, by launches and the instantiation's own bounds. */
static void find_extents(const padding *p, int64_t most[3]) {
  const pl_func *func = p->loop->func;
  int64_t bound = func->launch_bounds;
  if (bound <= 0 && func->launch_bounds_node)
    bound = number(p, func->launch_bounds_node);
  pl_block_most(p->loop, most);
  for (int axis = 0; bound > 0 && axis < 3; axis++)
    most[axis] = bound < most[axis] ? bound : most[axis];
}

/* Bytes of padding behind a row of the tile; 0: none, or `why`. */
static int64_t padding_of(padding *p) {
  int asked = p->loop->options->row_padding;
  int64_t most[3] = {1024, 1024, 64}, block[3];
  if (!has_known_rows(p))
    return 0;
  pl_node_walk(p->loop->func->body, find_uses, p);
  if (pl_count_words(p->loop->unit, p->loop->func->body->range, p->tile->name) >
      p->ncells + 1)
    leave(p, p->tile->node, "it is named where no cell of it is");
  int64_t pad = asked > 0 ? asked : USUAL_PADDING;
  if (!p->why && (pad % p->element || pad % p->widest))
    leave(p, p->tile->node, "its accesses would not be aligned");
  if (p->why)
    return 0;
  find_extents(p, most);
  for (int axis = 0; axis < 3; axis++)
    block[axis] = pl_block_extent(p->loop, (char)('x' + axis),
                                 pl_names_block_y(p->loop->func->body));
  pl_accesses of;
  pl_find_cells_here(&of, p->arena, p->loop, p->cells, p->ncells, most);
  if (!are_within_rows(p, &of, pad))
    return 0;
  p->before = degree_of(p, &of, p->row, block);
  p->after = degree_of(p, &of, p->row + pad, block);
  int64_t least = p->widest < WORD ? WORD : p->widest;
  degree narrow = degree_of(p, &of, p->row + least, block);
  if (asked == PL_ROW_PADDING_AUTO && !pl_variant_is_async(p->loop->variant) &&
      is_lower(narrow, p->after)) {
    p->after = narrow;
    pad = least;
  }
  if (asked == PL_ROW_PADDING_AUTO && !is_lower(p->after, p->before)) {
    leave(p, p->tile->node, "there would be no fewer bank conflicts");
    return 0;
  }
  return pad;
}

/* ---- its text -------------------------------------------------------------------- */

/* The number of cells from row to row, and the padding. */
static void lengthen(padding *p, const pl_node *number, int64_t cells,
                     pl_replacements *out) {
  pl_str text = pl_unit_slice(p->loop->unit, number->range);
  bool sum = number->kind == PL_NODE_BINARY &&
             (number->op == PL_OP_ADD || number->op == PL_OP_MUL);
  bool plain = sum || number->kind == PL_NODE_INT || number->kind == PL_NODE_REF ||
               number->kind == PL_NODE_MEMBER || number->kind == PL_NODE_PAREN;
  pl_replacement one = {number->range,
                        pl_arena_printf(p->arena, plain ? "%.*s + %d" : "(%.*s) + %d",
                                        PL_FMT(text), (int)cells)};
  for (size_t i = 0; i < out->n; i++)
    if (out->items[i].range.begin == number->range.begin)
      return;
  PL_PUSH(p->arena, out->items, out->n, out->cap, one);
}

/* Of one instantiation; false: it is not padded. */
static bool is_padded(padding *p, const pl_attempt *attempt, pl_loop *loop,
                      const pl_decl *tile, int64_t *cells) {
  const pl_func *func = loop->func;
  *p = (padding){.arena = attempt->arena, .loop = loop, .tile = tile,
                 .instance = func->pattern ? &func->instances[func->own] : NULL};
  int64_t pad = padding_of(p);
  if (pad && *cells && *cells != pad / p->element)
    leave(p, tile->node, "its instantiations would have other rows each");
  *cells = pad ? pad / p->element : 0;
  return !p->why;
}

/* The same loop of another instantiation, and its tile; NULL: it is none of them. */
static const pl_decl *tile_of_instance(const pl_loop *other, const pl_loop *loop,
                                       const pl_decl *tile) {
  bool same = pl_written_func(other->func) == pl_written_func(loop->func) &&
              other->node->range.begin == loop->node->range.begin;
  for (size_t t = 0; same && t < other->ntiles; t++)
    if (other->tiles[t].decl->name_range.begin == tile->name_range.begin)
      return other->tiles[t].decl;
  return NULL;
}

static void say_padded(pl_loop *loop, const padding *p, int64_t cells) {
  loop->conflicts = p->before.reads > loop->conflicts ? p->before.reads : loop->conflicts;
  if (p->after.reads > loop->padded_conflicts)
    loop->padded_conflicts = p->after.reads;
  pl_loop_note(loop, p->tile->node, "rows of '%.*s' are %d bytes apart, not %d: conflicts "
               "of banks are %d-way in compute, %d-way in the loads (%d and %d before)",
               PL_FMT(p->tile->name), (int)(p->row + cells * p->element), (int)p->row,
               p->after.reads, p->after.stores, p->before.reads, p->before.stores);
}

static void pad_tile(pl_loop *loop, const pl_attempt *attempt, const pl_decl *tile,
                     pl_replacements *out) {
  padding p, other;
  int64_t cells = 0;
  bool pads = is_padded(&p, attempt, loop, tile, &cells);
  for (size_t i = 0; pads && i < attempt->every.n; i++) {
    pl_loop *one = attempt->every.items[i];
    const pl_decl *its = one == loop ? NULL : tile_of_instance(one, loop, tile);
    if (its && !is_padded(&other, attempt, one, its, &cells)) {
      p.why = other.why;
      p.at = other.at;
      pads = false;
    }
  }
  if (!pads) {
    pl_loop_note(loop, p.at, "rows of '%.*s' stay as they are: %s", PL_FMT(tile->name),
                 p.why);
    return;
  }
  say_padded(loop, &p, cells);
  lengthen(&p, tile->dims[tile->ndims - 1], cells, out);
  for (size_t i = 0; i < p.nuses; i++)
    if (p.uses[i].ldm)
      lengthen(&p, p.uses[i].ldm, cells, out);
}

bool pl_pads_rows(const pl_attempt *attempt) {
  for (size_t i = 0; i < attempt->loops.n; i++)
    if (!attempt->loops.items[i]->settled && attempt->loops.items[i]->options->row_padding)
      return true;
  return false;
}

/* All of a loop's tiles, with its notes. */
static void pad_tiles(pl_loop *loop, const pl_attempt *attempt, pl_replacements *out) {
  size_t before = loop->nnotes -= loop->padding_notes;
  if (loop->rows_stay)
    pl_loop_note(loop, NULL, "rows of tiles stay as they are: longer ones would leave "
                 "fewer blocks or stages, or another form");
  for (size_t t = 0; !loop->rows_stay && t < loop->ntiles; t++)
    pad_tile(loop, attempt, loop->tiles[t].decl, out);
  loop->padding_notes = loop->nnotes - before;
}

pl_replacements pl_row_padding(const pl_attempt *attempt) {
  pl_replacements all = {0};
  for (size_t i = 0; i < attempt->loops.n; i++)
    if (!attempt->loops.items[i]->settled &&
        attempt->loops.items[i]->options->row_padding)
      pad_tiles(attempt->loops.items[i], attempt, &all);
  return all;
}
