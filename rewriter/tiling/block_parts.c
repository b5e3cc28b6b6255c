/* block_parts.c - which bytes of a block of dynamic shared memory does a function access, and
 * by way of which of its pointers?
 *
 * Needs: the block, what may lead there (points_to.h), the run of the function's text
 * (access_relation.c). Gives: each access with where it is, as a form, and how many bytes
 * it is of. Raises nothing. */
#include "block_parts.h"
#include "call_summary.h"
#include "points_to.h"

#define MOST_ACCESSES 256
#define MOST_OPERATIONS 4000000 /* of isl, for one block */
#define MOST_THREADS 1024
#define MOST_LAYERS 64

bool pl_is_block_name(const pl_block_parts *parts, const pl_decl *decl) {
  for (size_t i = 0; i < parts->nnames; i++)
    if (parts->names[i] == decl)
      return true;
  return false;
}

static bool is_pointer(const pl_type *type) {
  return type && type->kind == PL_TYPE_POINTER && !type->is_volatile;
}

static bool is_plain_reference(const pl_type *type) {
  return pl_is_reference(type) && type->element && !type->element->is_volatile &&
         type->element->kind != PL_TYPE_POINTER;
}

static bool find_names(pl_block_parts *p) {
  pl_holders holders = {0};
  pl_find_holders(p->loop, p->block, &holders);
  PL_PUSH(p->arena, p->names, p->nnames, p->names_cap, p->block);
  for (size_t i = 0; i < holders.n; i++) {
    const pl_decl *decl = holders.items[i].decl;
    if (decl == p->block)
      continue;
    bool leads = is_pointer(decl->type) || is_plain_reference(decl->type);
    if (decl->kind != PL_DECL_VAR || decl->owner != p->loop->func || !leads || !decl->init ||
        decl->is_static || decl->in_parts)
      return false;
    PL_PUSH(p->arena, p->names, p->nnames, p->names_cap, decl);
  }
  return !holders.stored_at;
}

/* ---- accesses ----------------------------------------------------------------------- */

/* `r.m` of a reference to a record, or of a record's member. */
static bool is_member_of(const pl_node *up, const pl_node *at) {
  return up && up->kind == PL_NODE_MEMBER && !up->is_arrow && up->nkids &&
         pl_node_within(at, up->kids[0]);
}

/* The lvalue that an address, a row or a record leads to; NULL: the address goes elsewhere,
 * as it is in `address`. */
static pl_node *lvalue_of(pl_node *at, pl_node **address) {
  bool named = at->decl && pl_is_reference(at->decl->type) && !pl_is_array_type(at->type);
  if (named && !is_member_of(pl_node_around(at), at))
    return at;
  for (pl_node *up = pl_node_around(at); up; up = pl_node_around(at)) {
    bool left = up->nkids && pl_node_within(at, up->kids[0]);
    bool array = pl_is_array_type(up->type);
    bool follows = (up->kind == PL_NODE_SUBSCRIPT && left) ||
                   (up->kind == PL_NODE_UNARY && up->op == PL_OP_DEREF) ||
                   (up->kind == PL_NODE_MEMBER && up->decl && up->decl->is_field);
    bool moves = (up->kind == PL_NODE_CAST && (is_pointer(up->type) || array)) ||
                 (up->kind == PL_NODE_BINARY && is_pointer(up->type) &&
                  (up->op == PL_OP_ADD || up->op == PL_OP_SUB));
    if (follows && !array && !is_member_of(pl_node_around(up), up))
      return up;
    *address = at;
    if (!follows && !moves)
      return NULL;
    at = up;
  }
  return NULL;
}

/* What stands around an lvalue and its members. */
static const pl_node *around(const pl_node *lvalue, const pl_node **whole) {
  const pl_node *up = lvalue->parent;
  *whole = lvalue;
  for (; up && (up->kind == PL_NODE_PAREN || (up->kind == PL_NODE_MEMBER && !up->is_arrow));
       up = up->parent)
    *whole = up;
  return up;
}

bool pl_is_stored_to(const pl_node *lvalue) {
  const pl_node *whole, *up = around(lvalue, &whole);
  return up && up->kind == PL_NODE_ASSIGN && up->kids[0] == whole;
}

/* The assignment to an lvalue; NULL: none. */
static pl_node *store_of(const pl_node *lvalue) {
  pl_node *up = pl_node_around(lvalue);
  return up && up->kind == PL_NODE_ASSIGN && pl_node_within(lvalue, up->kids[0]) ? up : NULL;
}

/* Whether what a call is handed is read by it, or written, where it is, and nothing
 * beside it. */
static bool takes_value(const pl_block_parts *p, const pl_node *call) {
  pl_effects effects = pl_effects_in(p->loop, (pl_node *)call);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].by_call && effects.items[i].root.decl == p->block)
      return false;
  return true;
}

static int64_t size_of(const pl_block_parts *p, const pl_type *type) {
  const pl_func *func = p->loop->func;
  return pl_type_size(type, func, func->pattern ? &func->instances[func->own] : NULL);
}

/* What is done at an address by the function that is handed it; -1: it is not known. Of an
 * array with bounds that is no more than all of it. */
static int64_t width_at(const pl_block_parts *p, const pl_node *address) {
  if (pl_is_array_type(address->type))
    return size_of(p, pl_no_reference(address->type));
  const pl_node *call = address->parent;
  while (call && (call->kind == PL_NODE_PAREN || call->kind == PL_NODE_CAST))
    call = call->parent;
  bool atomic = call && call->kind == PL_NODE_CALL && pl_str_starts(call->name, "atomic") &&
                !pl_is_own_function(call);
  return atomic && is_pointer(address->type) ? size_of(p, address->type->element) : -1;
}

/* The bytes from an lvalue on that are accessed there; -1: others are, or not known. */
static int64_t width_of(const pl_block_parts *p, const pl_node *lvalue) {
  const pl_node *whole, *up = around(lvalue, &whole);
  int64_t width = size_of(p, lvalue->type);
  if (up && up->kind == PL_NODE_UNARY && up->op == PL_OP_ADDR)
    return width_at(p, up) > 0 ? width : -1;
  bool reference =
      !up || up->kind == PL_NODE_RETURN || up->kind == PL_NODE_ASM || up->kind == PL_NODE_LAMBDA ||
      (up->kind == PL_NODE_VAR && (!up->decl || pl_is_reference(up->decl->type))) ||
      (up->kind == PL_NODE_CAST && pl_is_reference(up->type)) ||
      (up->kind == PL_NODE_CALL && !takes_value(p, up));
  return reference || !whole->type || whole->type->kind == PL_TYPE_ARRAY ? -1 : width;
}

/* Whether a name stands where a pointer or reference into the block is declared, for its
 * address alone. */
static bool is_in_declaration(const pl_block_parts *p, const pl_node *node,
                              const pl_node *lvalue) {
  const pl_node *whole, *up = lvalue ? around(lvalue, &whole) : NULL;
  bool binds = !lvalue || (up && up->kind == PL_NODE_UNARY && up->op == PL_OP_ADDR) ||
               (up && up->kind == PL_NODE_CAST && pl_is_reference(up->type)) ||
               (up && up->kind == PL_NODE_VAR && up->decl && pl_is_reference(up->decl->type));
  for (size_t i = 0; binds && i < p->nnames; i++)
    if (p->names[i]->init && pl_node_within(node, p->names[i]->init))
      return true;
  return false;
}

static bool note_access(pl_node *node, void *context) {
  pl_block_parts *p = context;
  if (!p->fine || node->kind == PL_NODE_SIZEOF)
    return false;
  if (node->kind != PL_NODE_REF || !pl_is_block_name(p, node->decl))
    return true;
  pl_node *address = node, *lvalue = lvalue_of(node, &address);
  if (is_in_declaration(p, node, lvalue))
    return true;
  pl_block_access one = {node->decl, node, lvalue ? lvalue : address,
                         lvalue ? width_of(p, lvalue) : width_at(p, address)};
  pl_named_cell cell = {.node = one.node, .store = store_of(one.node)};
  p->fine = one.width > 0 && !pl_in_lambda(node) && !node->from_macro && p->n < MOST_ACCESSES;
  PL_PUSH(p->arena, p->items, p->n, p->cap, one);
  PL_PUSH(p->arena, p->cells, p->ncells, p->cells_cap, cell);
  return p->fine;
}

/* ---- places --------------------------------------------------------------------------- */

/* The threads of the launches in sight along each axis, and of the launch bounds. */
static void find_extents(const pl_loop *loop, int64_t least[3], int64_t most[3]) {
  int64_t bound = loop->func->launch_bounds;
  least[0] = least[1] = least[2] = 1;
  most[0] = most[1] = MOST_THREADS;
  most[2] = MOST_LAYERS;
  pl_block_least(loop, least);
  pl_block_most(loop, most);
  for (int axis = 0; bound > 0 && axis < 3; axis++)
    most[axis] = bound < most[axis] ? bound : most[axis];
}

static bool all_are_seen(const pl_accesses *of) {
  for (size_t i = 0; i < of->nwanted; i++) {
    bool seen = false;
    for (size_t k = 0; k < of->nseen; k++)
      seen = seen || of->seen[k].cell == &of->wanted[i];
    if (!seen)
      return false;
  }
  return !of->cut && !of->lost && !of->open;
}

bool pl_find_block_parts(pl_block_parts *p, pl_loop *loop, pl_arena *arena,
                         const pl_decl *block, bool here) {
  int64_t least[3], most[3];
  *p = (pl_block_parts){.loop = loop, .arena = arena, .block = block, .fine = true};
  if (block->ndims != 1 || !find_names(p))
    return false;
  pl_node_walk(loop->func->body, note_access, p);
  if (!p->fine)
    return false;
  find_extents(loop, least, most);
  pl_find_places(&p->of, arena, loop, block, p->cells, p->ncells, here ? least : NULL,
                 here ? most : NULL);
  return all_are_seen(&p->of);
}

const pl_block_access *pl_block_access_of(const pl_block_parts *parts, const pl_seen_cell *seen) {
  return &parts->items[seen->cell - parts->cells];
}

/* ---- how much of it -------------------------------------------------------------------- */

static int own_value(const pl_sides *s, uint32_t name, int side) {
  (void)s, (void)name;
  return side;
}

/* Whether an access is nowhere where its first byte, and so many more, are `op` a number. */
static bool is_never(pl_block_parts *p, pl_integers *integers, const pl_seen_cell *seen,
                     int64_t more, pl_op op, int64_t bytes) {
  pl_sides s = {.names = &p->of.names, .integers = integers, .value_of = own_value,
                .nsides = 1, .nvalues = 1, .tells = 1};
  pl_sides_begin(&s);
  const pl_iform *at = pl_side_form(&s, seen->index[0], 0);
  const pl_iset *here = pl_side_where(&s, seen->within, 0);
  const pl_iset *there = pl_iset_compare(at, op, pl_iform_number(integers, bytes - more));
  return pl_iset_is_empty(pl_iset_and(s.set, pl_iset_and(here, there))) == PL_YES;
}

/* Whether all accesses are behind a place, or (`ends`) end ahead of it. */
static bool all_are(pl_block_parts *p, pl_integers *integers, bool ends, int64_t place) {
  bool all = true;
  for (size_t i = 0; all && i < p->of.nseen; i++) {
    const pl_seen_cell *seen = &p->of.seen[i];
    int64_t width = pl_block_access_of(p, seen)->width;
    pl_interval at = pl_where_range(&p->of.names, seen->within, seen->index[0]);
    bool known = ends ? at.largest < PL_UNBOUNDED && at.largest + width <= place
                      : at.least >= place;
    all = known || is_never(p, integers, seen, ends ? width : 0, ends ? PL_OP_GT : PL_OP_LT, place);
  }
  return all;
}

bool pl_block_bytes_used(pl_block_parts *p, int64_t bytes, int64_t step, int64_t *begin,
                         int64_t *end) {
  pl_integers *integers = pl_integers_new(p->arena, MOST_OPERATIONS);
  bool known = p->of.nseen && all_are(p, integers, false, 0) && all_are(p, integers, true, bytes);
  int64_t most = known ? (bytes + step - 1) / step : 0, least = 0;
  *begin = 0;
  *end = most * step;
  for (int64_t low = 0; low + 1 < most;) { /* all end ahead of `most` */
    int64_t middle = (low + most) / 2;
    bool ahead = all_are(p, integers, true, middle * step);
    *end = ahead ? middle * step : *end;
    most = ahead ? middle : most;
    low = ahead ? low : middle;
  }
  for (int64_t high = most; least + 1 < high;) { /* all are behind `least` */
    int64_t middle = (least + high) / 2;
    bool behind = all_are(p, integers, false, middle * step);
    least = behind ? middle : least;
    high = behind ? high : middle;
  }
  *begin = least * step;
  pl_integers_free(integers);
  return known;
}
