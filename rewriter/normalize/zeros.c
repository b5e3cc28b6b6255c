/* zeros.c - a zero that a guarded load may replace, as the other arm of its guard.
 *
 * Needs: an attempt in which a loop is refused, as asynchronous copies have no place
 * for a cell that is stored twice. Gives: `if (c) s[t] = A[i]; else s[t] = 0;` for
 * `s[t] = 0; if (c) s[t] = A[i];`. Raises nothing. */
#include "copies.h"
#include "expansions.h"
#include "values.h"

static bool is_plain_store(const pl_node *node) {
  return node && node->kind == PL_NODE_ASSIGN && node->op == PL_OP_ASSIGN &&
         !node->from_macro &&
         pl_node_bare(node->kids[0])->kind == PL_NODE_SUBSCRIPT;
}

/* Zero, or another number that is written out as one with a point. */
static bool is_fill(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  return (node->kind == PL_NODE_INT && node->has_ival && node->ival == 0) ||
         node->kind == PL_NODE_FLOATING;
}

static const pl_node *array_of(const pl_node *cell) {
  cell = pl_node_bare((pl_node *)cell);
  while (cell->kind == PL_NODE_SUBSCRIPT)
    cell = pl_node_bare(cell->kids[0]);
  return cell;
}

/* Whether two cells of one array are named by the same indices. */
static bool is_one_cell(const pl_loop *loop, const pl_node *a, const pl_node *b) {
  a = pl_node_bare((pl_node *)a);
  b = pl_node_bare((pl_node *)b);
  if (a->kind == PL_NODE_REF)
    return b->kind == PL_NODE_REF && a->decl == b->decl;
  return a->kind == PL_NODE_SUBSCRIPT && b->kind == PL_NODE_SUBSCRIPT &&
         pl_is_arithmetic(a->kids[1]) &&
         pl_same_atom(loop, a->kids[1], b->kids[1]) &&
         is_one_cell(loop, a->kids[0], b->kids[0]);
}

/* `if (c) s[t] = A[i];` for `s[t] = 0;` */
static bool replaces(const pl_loop *loop, const pl_node *branch,
                     const pl_node *zero) {
  const pl_node *store =
      branch->kind == PL_NODE_IF && !pl_if_has_init(branch) &&
              !branch->from_macro && (branch->nkids < 3 || !branch->kids[2])
          ? pl_only_statement(branch->kids[1])
          : NULL;
  const pl_decl *tile = array_of(zero->kids[0])->decl;
  return store && is_plain_store(store) &&
         is_one_cell(loop, zero->kids[0], store->kids[0]) &&
         pl_is_pure((pl_loop *)loop, branch->kids[0]) &&
         !pl_mentions(branch->kids[0], tile) &&
         !pl_mentions(store->kids[1], tile);
}

/* Whether a statement between the two has nothing to do with them: it stores to
 * another array, and sets nothing. */
static bool is_apart(const pl_loop *loop, const pl_node *node,
                     const pl_node *zero) {
  const pl_decl *tile = array_of(zero->kids[0])->decl;
  const pl_node *store =
      node->kind == PL_NODE_IF ? pl_only_statement(node->kids[1]) : node;
  return (node->kind != PL_NODE_IF ||
          ((node->nkids < 3 || !node->kids[2]) &&
           pl_is_pure((pl_loop *)loop, node->kids[0]))) &&
         store && is_plain_store(store) && !pl_mentions(node, tile) &&
         array_of(store->kids[0])->kind == PL_NODE_REF &&
         array_of(store->kids[0])->decl->is_shared &&
         pl_is_pure((pl_loop *)loop, store->kids[1]);
}

pl_range pl_with_line(const pl_unit *unit, pl_range range) {
  const char *text = unit->text.p;
  uint32_t begin = range.begin;
  while (begin && (text[begin - 1] == ' ' || text[begin - 1] == '\t'))
    begin--;
  bool alone = begin && text[begin - 1] == '\n' && range.end < unit->text.n &&
               (text[range.end] == '\n' || text[range.end] == '\r');
  if (alone)
    range.begin = begin - 1 - (begin > 1 && text[begin - 2] == '\r');
  return range;
}

static void join(const pl_loop *loop, const pl_node *zero, const pl_node *branch,
                 pl_arena *arena, pl_replacements *out) {
  const pl_unit *unit = loop->unit;
  pl_str arm = pl_unit_slice(unit, branch->kids[1]->range);
  bool braces = branch->kids[1]->kind == PL_NODE_COMPOUND;
  pl_str store = pl_unit_slice(unit, zero->range);
  pl_str indent = pl_indent_at(unit, branch->range.begin);
  pl_str both =
      braces ? pl_arena_printf(arena, "%.*s else {\n%.*s  %.*s\n%.*s}", PL_FMT(arm),
                               PL_FMT(indent), PL_FMT(store), PL_FMT(indent))
             : pl_arena_printf(arena, "%.*s\n%.*selse\n%.*s  %.*s", PL_FMT(arm),
                               PL_FMT(indent), PL_FMT(indent), PL_FMT(store));
  pl_put(arena, out, pl_with_line(unit, zero->range), PL_STR(""));
  pl_put(arena, out, branch->kids[1]->range, both);
}

static bool ends_with_semicolon(const pl_unit *unit, const pl_node *node) {
  return node->range.end && unit->text.p[node->range.end - 1] == ';';
}

/* The statements of a block: the first guarded load behind a zero is the one. */
static void look_into(const pl_loop *loop, const pl_node *block, pl_arena *arena,
                      pl_replacements *out) {
  for (uint32_t i = 0; i + 1 < block->nkids; i++) {
    const pl_node *zero = block->kids[i];
    if (!is_plain_store(zero) || !is_fill(zero->kids[1]) ||
        array_of(zero->kids[0])->kind != PL_NODE_REF ||
        !array_of(zero->kids[0])->decl->is_shared ||
        !ends_with_semicolon(loop->unit, zero))
      continue;
    uint32_t k = i + 1;
    while (k < block->nkids && !replaces(loop, block->kids[k], zero) &&
           is_apart(loop, block->kids[k], zero))
      k++;
    if (k < block->nkids && replaces(loop, block->kids[k], zero) &&
        (block->kids[k]->kids[1]->kind == PL_NODE_COMPOUND ||
         ends_with_semicolon(loop->unit, block->kids[k]->kids[1])))
      join(loop, zero, block->kids[k], arena, out);
  }
}

static bool find_blocks(pl_node *node, void *context) {
  void **of = context;
  if (node->kind == PL_NODE_COMPOUND)
    look_into(of[0], node, of[1], of[2]);
  return node->kind != PL_NODE_LAMBDA;
}

void pl_zeros_as_else(pl_loop *loop, pl_arena *arena,
                      pl_replacements *out) {
  void *of[] = {(void *)loop, arena, out};
  bool twice = false;
  for (size_t i = 0; i < loop->ntiles; i++)
    twice = twice || loop->tiles[i].stored_twice;
  if (twice && pl_is_refused_for(loop, "PL5002") && !loop->body->from_macro)
    pl_node_walk(loop->body, find_blocks, of);
}
