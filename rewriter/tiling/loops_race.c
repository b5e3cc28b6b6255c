/* loops_race.c - does a loop that no barrier of the block parts hold a race?
 *
 * Needs: the tree. Gives: whether a cell of a shared array is read that another
 * warp's thread may have written. Raises nothing.
 *
 * A race is named only where it is seen: cells by their indices on both sides. A
 * thread that reads back the cell it has stored, and a warp that keeps to its own
 * part of the array, race with nobody. */
#include "call_summary.h"
#include "copies.h"
#include "loops_parts.h"

#define MOST_TERMS 32
#define WARP 32

typedef struct access {
  pl_node *node; /* `s[a][b]` as a whole */
  const pl_decl *array;
  bool writes, reads;
} access;

typedef struct access_list {
  pl_arena *arena;
  access *items;
  size_t n, cap;
  const pl_decl **lost; /* arrays that are named in another way as well */
  size_t nlost, lost_cap;
} access_list;

static bool find_access(pl_node *node, void *context) {
  access_list *list = context;
  if (node->kind != PL_NODE_REF || !node->decl || !node->decl->is_shared)
    return true;
  pl_node *at = node;
  for (pl_node *up = node->parent; up; up = up->parent) {
    bool goes_on = up->kind == PL_NODE_PAREN || up->kind == PL_NODE_CAST ||
                   (up->kind == PL_NODE_SUBSCRIPT && up->kids[0] == at);
    if (!goes_on)
      break;
    at = up;
  }
  if (at->kind == PL_NODE_CAST && at->nkids)
    at = pl_node_bare(at);
  if (at->kind != PL_NODE_SUBSCRIPT) {
    PL_PUSH(list->arena, list->lost, list->nlost, list->lost_cap, node->decl);
    return true;
  }
  const pl_node *up = at->parent;
  bool set = up && up->nkids && pl_node_bare(up->kids[0]) == at &&
             (up->kind == PL_NODE_ASSIGN || pl_node_is_step(up));
  access one = {.node = at, .array = node->decl, .writes = set};
  one.reads = !set || pl_node_is_step(up) || up->op != PL_OP_ASSIGN;
  PL_PUSH(list->arena, list->items, list->n, list->cap, one);
  return true;
}

/* ---- what an index says of its thread ---------------------------------------- */

/* A question about what a function's locals are given, as its least fixed point: one
 * that is asked for once more, while its own values are looked through, is not known to
 * be said, and all are looked through again until none is added. */
typedef struct question {
  pl_arena *arena;
  const pl_func *func;
  bool (*says)(struct question *q, const pl_node *node);
  struct question *thread; /* what `says` asks of operands */
  struct said_of {
    const pl_decl *decl;
    bool is_said, is_settled;
    size_t round; /* in which it was looked through last */
  } * locals;
  size_t n, cap, round;
  bool grew;
} question;

typedef struct values_walk {
  question *q;
  const pl_decl *decl;
  bool found;
} values_walk;

static bool find_value(pl_node *node, void *context) {
  values_walk *w = context;
  if (node->kind == PL_NODE_ASSIGN && node->nkids == 2 &&
      pl_names_var(node->kids[0], w->decl))
    w->found = w->found || w->q->says(w->q, node->kids[1]);
  return !w->found;
}

/* Whether a local is given, where it is declared or later, what says so. */
static bool value_says(question *q, const pl_decl *decl) {
  if (decl->kind != PL_DECL_VAR || decl->owner != q->func)
    return false;
  size_t i = 0;
  while (i < q->n && q->locals[i].decl != decl)
    i++;
  if (i == q->n)
    PL_PUSH(q->arena, q->locals, q->n, q->cap, (struct said_of){.decl = decl});
  if (q->locals[i].is_settled || q->locals[i].round == q->round)
    return q->locals[i].is_said;
  q->locals[i].round = q->round;
  values_walk w = {q, decl, decl->init && q->says(q, decl->init)};
  pl_node_walk(q->func->body, find_value, &w);
  q->locals[i].is_said = q->locals[i].is_settled = w.found;
  q->grew = q->grew || w.found;
  return w.found;
}

static bool asks(question *q, const pl_node *node) {
  bool said;
  do {
    q->round++;
    q->grew = false;
    said = q->says(q, node);
  } while (!said && q->grew);
  for (size_t i = 0; !said && i < q->n; i++)
    q->locals[i].is_settled = q->locals[i].is_settled || q->locals[i].round == q->round;
  return said;
}

static bool names_thread(question *q, const pl_node *node) {
  if (!node)
    return false;
  if (pl_index_axis(node, "threadIdx"))
    return true;
  if (node->kind == PL_NODE_REF && node->decl && value_says(q, node->decl))
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (names_thread(q, node->kids[i]))
      return true;
  return node->kind == PL_NODE_CALL &&
         pl_builtin_of(node)->differs == PL_DIFFERS_PLACE;
}

/* Whether a launch of the kernel has rows of threads that are longer than a warp. */
static bool has_long_rows(const pl_func *func) {
  for (uint32_t i = 0; i < func->nlaunches; i++)
    if (func->launches[i].threads > 0 && func->launches[i].block_dims[0] > WARP)
      return true;
  return false;
}

/* `t / 32`, `t >> 5`, threadIdx.y: threads of which this is the same are, as far
 * as the text goes, those of one warp. */
static bool is_of_warp(question *q, const pl_node *node) {
  node = node ? pl_node_bare((pl_node *)node) : NULL;
  if (!node)
    return false;
  char axis = pl_index_axis(node, "threadIdx");
  if (axis == 'y' || axis == 'z')
    return !has_long_rows(q->func);
  int64_t by;
  bool known = node->kind == PL_NODE_BINARY &&
               pl_node_eval(node->kids[1], NULL, NULL, &by);
  if (node->kind == PL_NODE_BINARY && node->op == PL_OP_DIV &&
      asks(q->thread, node->kids[0]))
    return !known || by <= WARP;
  if (node->kind == PL_NODE_BINARY && node->op == PL_OP_SHR &&
      asks(q->thread, node->kids[0]))
    return !known || by <= 5;
  if (node->kind == PL_NODE_REF)
    return node->decl && value_says(q, node->decl);
  if (node->kind == PL_NODE_CALL)
    return pl_builtin_of(node)->emits == PL_EMITS_WARP ||
           pl_calls_builtin(node, "meta_group_rank");
  for (uint32_t i = 0; i < node->nkids; i++)
    if (is_of_warp(q, node->kids[i]))
      return node->kind == PL_NODE_CAST || node->op == PL_OP_ADD ||
             node->op == PL_OP_MUL || node->op == PL_OP_SHL;
  return false;
}

/* What is asked of one function. */
typedef struct race {
  question thread, warp;
} race;

static void ask_of(race *r, pl_arena *arena, const pl_func *func) {
  r->thread = (question){.arena = arena, .func = func, .says = names_thread};
  r->warp = (question){.arena = arena, .func = func, .says = is_of_warp,
                       .thread = &r->thread};
}

/* ---- whose cells --------------------------------------------------------------- */

static bool same_cell(const pl_node *a, const pl_node *b) {
  a = pl_node_bare((pl_node *)a);
  b = pl_node_bare((pl_node *)b);
  for (; a->kind == PL_NODE_SUBSCRIPT && b->kind == PL_NODE_SUBSCRIPT;
       a = pl_node_bare(a->kids[0]), b = pl_node_bare(b->kids[0]))
    if (!pl_same_names(pl_node_bare(a->kids[1]), pl_node_bare(b->kids[1])))
      return false;
  return a->kind == b->kind && a->decl == b->decl;
}

typedef struct term_list {
  const pl_node *items[MOST_TERMS];
  size_t n;
} term_list;

static void add_terms(term_list *list, const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  if (node->kind == PL_NODE_BINARY && node->op == PL_OP_ADD) {
    add_terms(list, node->kids[0]);
    add_terms(list, node->kids[1]);
  } else if (list->n < MOST_TERMS) {
    list->items[list->n++] = node;
  }
}

/* Whether a dimension's index is the same warp's in both, by a part of its sum. */
static bool same_part(race *r, const pl_node *a, const pl_node *b) {
  term_list mine = {.n = 0}, other = {.n = 0};
  add_terms(&mine, a);
  add_terms(&other, b);
  for (size_t i = 0; i < mine.n; i++)
    for (size_t k = 0; k < other.n; k++)
      if (pl_same_names(mine.items[i], other.items[k]) &&
          asks(&r->warp, mine.items[i]))
        return true;
  return false;
}

static bool same_warp(race *r, const pl_node *a, const pl_node *b) {
  a = pl_node_bare((pl_node *)a);
  b = pl_node_bare((pl_node *)b);
  for (; a->kind == PL_NODE_SUBSCRIPT && b->kind == PL_NODE_SUBSCRIPT;
       a = pl_node_bare(a->kids[0]), b = pl_node_bare(b->kids[0]))
    if (same_part(r, a->kids[1], b->kids[1]))
      return true;
  return false;
}

/* Whether a thread finds in a cell what it has stored itself: each has its own, or
 * all store the same. */
static bool is_own(race *r, const access *write, const access *read,
                   const pl_node *body) {
  if (!same_cell(write->node, read->node))
    return false;
  for (const pl_node *at = write->node; at && at->kind == PL_NODE_SUBSCRIPT;
       at = pl_node_bare(at->kids[0]))
    if (asks(&r->thread, at->kids[1]))
      return true;
  const pl_node *at = write->node;
  for (const pl_node *up = at->parent; up && at != body; at = up, up = up->parent)
    if (up->kind == PL_NODE_IF && up->kids[0] != at &&
        asks(&r->thread, up->kids[0]))
      return false;
  return true;
}

/* The access that an effect's node is, or stands in. */
static pl_node *whole_access(pl_node *node) {
  for (pl_node *up = node->parent;
       up && (up->kind == PL_NODE_PAREN ||
              (up->kind == PL_NODE_SUBSCRIPT && up->kids[0] == node));
       up = up->parent)
    node = up;
  return pl_node_bare(node);
}

bool pl_is_own_cell(pl_arena *arena, const pl_func *func, pl_node *write,
                    pl_node *read, const pl_node *body) {
  race r;
  ask_of(&r, arena, func);
  const access by = {.node = whole_access(write)}, of = {.node = whole_access(read)};
  return by.node->kind == PL_NODE_SUBSCRIPT && is_own(&r, &by, &of, body);
}

bool pl_shows_race(const pl_unit *unit, const pl_func *func, pl_node *body) {
  access_list list = {.arena = unit->arena};
  race r;
  ask_of(&r, unit->arena, func);
  pl_node_walk(body, find_access, &list);
  for (size_t i = 0; i < list.n; i++)
    for (size_t k = 0; list.items[i].writes && k < list.n; k++) {
      const access *write = &list.items[i], *read = &list.items[k];
      if (read->reads && read->array == write->array &&
          !pl_is_among(write->array, list.lost, list.nlost) &&
          !is_own(&r, write, read, body) &&
          !same_warp(&r, write->node, read->node))
        return true;
    }
  return false;
}
