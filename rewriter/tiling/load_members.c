/* load_members.c - which tiles does a method fill by way of its object's
 * members?
 *
 * Needs: the call of a method of a local object, where the members of the
 * object lead. Gives: the members that are tiles in the method's text, as
 * parameters are. Raises: PL4006. */
#include "copies.h"
#include "slices.h"

#include <string.h>

/* The member of that name as the method's text knows it; NULL: it does not. */

static bool is_member(pl_node *node, const void *name) {
  const pl_node *of = node->kind == PL_NODE_MEMBER && node->nkids
                          ? pl_node_bare(node->kids[0])
                          : NULL;
  return of && of->kind == PL_NODE_THIS && node->decl && node->decl->is_field &&
         pl_str_eq(node->name, *(const pl_str *)name);
}

static pl_node *object_of(const pl_loop *body) {
  return pl_node_bare(pl_node_bare(body->call->kids[0])->kids[0]);
}

bool pl_stands_for(const pl_loop *body, const pl_decl *tile) {
  for (size_t i = 0; i < body->ntiles; i++)
    if (pl_same_shared(body->tiles[i].stands_for, tile))
      return true;
  return false;
}

static bool refuse(pl_loop *loop, const pl_loop *body, pl_str name,
                   const char *why) {
  return pl_refuse(loop, false, "PL4006", body->call,
                   "this call fills a tile and cannot be split into load and "
                   "store: member '%.*s' %s",
                   PL_FMT(name), why);
}

/* A member that leads to one tile, and to nothing else at any time. */
static bool bind_member(pl_loop *loop, pl_loop *body, pl_str name,
                        pl_decl *field) {
  pl_roots roots = {0};
  pl_tile *tile = NULL;
  pl_roots_of_member(loop->effects, loop->func, object_of(body), name, &roots);
  for (size_t i = 0; i < roots.n; i++)
    tile = tile ? tile : pl_loop_tile(loop, roots.items[i].decl);
  if (!tile)
    return true;
  if (roots.n > 1)
    return refuse(loop, body, name,
                  "does not lead to that tile alone; one that is set where the "
                  "object is made, and never again, does");
  if (pl_stands_for(body, tile->decl))
    return refuse(loop, body, name,
                  "leads to a tile that another member leads to as well");
  if (pl_declared_inside(pl_object_variable(object_of(body)), loop->body))
    return refuse(loop, body, name,
                  "is of an object that is made in the loop; one that is made "
                  "before it is followed");
  if (!pl_field_stays(loop, object_of(body), field))
    return refuse(loop, body, name,
                  "may be set after the object was made; a reference, or a "
                  "member that no method sets, stays what it is");
  pl_tile own = *tile;
  own.decl = field;
  own.stands_for = tile->decl;
  PL_PUSH(loop->arena, body->tiles, body->ntiles, body->tiles_cap, own);
  return true;
}

/* What a method of the loop's own object calls its members by. */
static bool names_own(pl_node *node, const void *tile) {
  const pl_decl *decl = tile;
  const pl_node *of = node->nkids && node->kids[0] ? pl_node_bare(node->kids[0]) : NULL;
  return node->kind == PL_NODE_MEMBER && node->decl && node->decl->is_field &&
         (!of || of->kind == PL_NODE_THIS) && pl_str_eq(node->name, decl->name);
}

static void bind_names(pl_loop *loop, pl_loop *body, pl_decl **fields, size_t n) {
  if (!n)
    return;
  body->members = PL_NEW(loop->arena, pl_member_names);
  body->members->method = body->func;
  body->members->fields = PL_NEW_ARRAY(loop->arena, pl_decl *, n);
  body->members->n = n;
  memcpy(body->members->fields, fields, n * sizeof *fields);
}

void pl_bind_own_members(pl_loop *loop, pl_loop *body) {
  pl_decl *fields[64];
  size_t n = 0;
  for (size_t i = 0; i < loop->ntiles && n < 64; i++) {
    const pl_tile *tile = &loop->tiles[i];
    const pl_node *member =
        tile->decl->is_member ? pl_node_find(body->body, names_own, tile->decl) : NULL;
    if (!member)
      continue;
    pl_tile own = *tile;
    own.decl = fields[n++] = member->decl;
    own.stands_for = tile->decl;
    PL_PUSH(loop->arena, body->tiles, body->ntiles, body->tiles_cap, own);
  }
  bind_names(loop, body, fields, n);
}

bool pl_bind_members(pl_loop *loop, pl_loop *body) {
  const pl_type *record = object_of(body)->decl->type;
  pl_decl *fields[64];
  size_t n = 0;
  for (uint32_t i = 0; n < 64; i++) {
    pl_str name = pl_address_member(record, i);
    if (!name.n)
      break;
    size_t before = body->ntiles;
    const pl_node *member = pl_node_find(body->body, is_member, &name);
    if (member && !bind_member(loop, body, name, member->decl))
      return false;
    if (body->ntiles > before)
      fields[n++] = member->decl;
  }
  bind_names(loop, body, fields, n);
  return true;
}
