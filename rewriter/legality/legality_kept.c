/* legality_kept.c - does the address of a tile outlive its iteration?
 *
 * Needs: addresses. Gives: the tiles of which a variable keeps an address for a
 * later tile or for behind the loop: with stages that would be another buffer.
 * Raises: PL3007; plan.c does for the tiles that it marks.
 *
 * A variable that every iteration sets as a whole before it reads it keeps
 * nothing. */
#include "addresses.h"
#include "legality_parts.h"

typedef struct reading {
  const pl_decl *decl;
  bool set;  /* on every way to where the walk is */
  bool kept; /* it is read where it may not be set */
} reading;

static void read_node(reading *r, const pl_node *node);

static void read_kids(reading *r, const pl_node *node, uint32_t from) {
  for (uint32_t i = from; i < node->nkids; i++)
    read_node(r, node->kids[i]);
}

/* Something that may be left out. */
static void read_optional(reading *r, const pl_node *node) {
  bool before = r->set;
  read_node(r, node);
  r->set = before;
}

static void read_branches(reading *r, const pl_node *node) {
  read_node(r, node->kids[0]);
  bool before = r->set;
  read_node(r, node->kids[1]);
  bool then = r->set;
  r->set = before;
  read_node(r, node->nkids > 2 ? node->kids[2] : NULL);
  r->set = then && r->set;
}

static void read_for(reading *r, const pl_node *node) {
  read_node(r, node->kids[0]);
  read_node(r, node->kids[1]);
  read_optional(r, node->kids[3]);
  read_optional(r, node->kids[2]);
}

/* Cases are entered as the switch is. */
static void read_switch(reading *r, const pl_node *node, bool at_entry) {
  for (uint32_t i = 0; node && i < node->nkids; i++) {
    const pl_node *kid = node->kids[i];
    if (kid && kid->kind == PL_NODE_CASE)
      r->set = at_entry;
    if (kid && (kid->kind == PL_NODE_COMPOUND || kid->kind == PL_NODE_CASE))
      read_switch(r, kid, at_entry);
    else
      read_node(r, kid);
  }
}

static bool is_whole_target(const reading *r, const pl_node *node) {
  const pl_node *target = pl_node_bare(node->kids[0]);
  return node->op == PL_OP_ASSIGN && target->kind == PL_NODE_REF &&
         target->decl == r->decl;
}

static void read_node(reading *r, const pl_node *node) {
  if (!node || r->kept)
    return;
  bool before = r->set;
  switch (node->kind) {
  case PL_NODE_REF:
    r->kept = node->decl == r->decl && !r->set;
    return;
  case PL_NODE_ASSIGN:
    read_kids(r, node, 1);
    if (is_whole_target(r, node))
      r->set = true;
    else
      read_node(r, node->kids[0]);
    return;
  case PL_NODE_IF:
  case PL_NODE_COND:
    read_branches(r, node);
    return;
  case PL_NODE_FOR:
    read_for(r, node);
    return;
  case PL_NODE_SWITCH:
    read_node(r, node->kids[0]);
    before = r->set;
    read_switch(r, node->nkids > 1 ? node->kids[1] : NULL, before);
    r->set = before;
    return;
  case PL_NODE_LABEL:
    r->set = false;
    read_kids(r, node, 0);
    return;
  case PL_NODE_BINARY:
    read_node(r, node->kids[0]);
    if (node->op == PL_OP_LAND || node->op == PL_OP_LOR)
      read_optional(r, node->kids[1]);
    else
      read_node(r, node->kids[1]);
    return;
  case PL_NODE_WHILE:
    read_node(r, node->kids[0]);
    read_optional(r, node->kids[1]);
    return;
  case PL_NODE_DO:
  case PL_NODE_RANGE_FOR:
  case PL_NODE_LAMBDA:
    read_kids(r, node, 0);
    r->set = before;
    return;
  case PL_NODE_SIZEOF:
    return;
  default:
    read_kids(r, node, 0);
  }
}

/* Whether an iteration, or what comes behind the loop, may find in a variable
 * what an earlier iteration put there. */
static bool outlives_iteration(pl_loop *loop, const pl_decl *decl) {
  if (pl_has_other_name(loop->func->body, decl))
    return true;
  reading r = {.decl = decl};
  read_node(&r, loop->cond);
  read_node(&r, loop->inc);
  for (size_t i = 0; i < loop->nstmts; i++)
    read_node(&r, loop->stmts[i].node);
  return r.kept || pl_is_read_behind(loop, decl);
}

/* ---- behind the loop ----------------------------------------------------- */

typedef struct behind_walk {
  const pl_loop *loop;
  const pl_decl *decl;
  bool comes_back; /* what stands before the loop runs behind it as well */
  bool found;
} behind_walk;

static bool find_behind(pl_node *node, void *context) {
  behind_walk *w = context;
  if (node == w->loop->node || w->found)
    return false;
  const pl_node *up = node->parent;
  bool target = up && up->kind == PL_NODE_ASSIGN && up->kids[0] == node &&
                up->op == PL_OP_ASSIGN;
  bool behind = w->comes_back ||
                node->range.begin >= w->loop->node->range.end;
  if (node->kind == PL_NODE_REF && node->decl == w->decl && behind && !target)
    w->found = true;
  return !w->found;
}

bool pl_is_read_behind(const pl_loop *loop, const pl_decl *decl) {
  behind_walk w = {.loop = loop, .decl = decl};
  for (const pl_node *up = loop->node->parent; up; up = up->parent)
    w.comes_back = w.comes_back || pl_node_is_loop(up);
  pl_node_walk(loop->func->body, find_behind, &w);
  return w.found;
}

/* ---- tiles --------------------------------------------------------------- */

static bool is_derived(const pl_loop *loop, const pl_decl *decl) {
  for (size_t i = 0; i < loop->nderived; i++)
    for (uint32_t k = 0; k < loop->derived[i]->nkids; k++)
      if (loop->derived[i]->kids[k]->decl == decl)
        return true;
  return false;
}

/* The variable that keeps an address from one iteration to the next, NULL:
 * none. */
static const pl_decl *keeper(pl_loop *loop, const pl_holders *holders) {
  for (size_t i = 0; i < holders->n; i++) {
    const pl_holder *h = &holders->items[i];
    bool lasts = h->decl->is_static || !pl_declared_inside(h->decl, loop->body);
    if (h->inside && lasts && !pl_is_of_call(loop, h->decl) &&
        !is_derived(loop, h->decl) &&
        outlives_iteration(loop, h->decl))
      return h->decl;
  }
  return NULL;
}

bool pl_check_kept_addresses(pl_loop *loop) {
  for (size_t t = 0; t < loop->ntiles; t++) {
    pl_tile *tile = &loop->tiles[t];
    pl_holders holders = {0};
    if (tile->decl->kind == PL_DECL_PARAM)
      continue;
    pl_find_holders(loop, tile->decl, &holders);
    if (holders.stored_at)
      return pl_refuse(loop, false, "PL3007", holders.stored_at,
                       "the address of tile '%.*s' is stored",
                       PL_FMT(tile->decl->name));
    tile->kept_by = keeper(loop, &holders);
  }
  return true;
}
