/* slice_objects.c - may both sides have an object that moves on, each its own?
 *
 * Needs: the objects that step, where their pointers lead. Gives: whether a copy
 * of one is as good as the object itself. Raises: nothing.
 *
 * It is where the object is a set of numbers and pointers that stand for
 * themselves, or where all that its methods do with it they do by its members,
 * so that none of them knows where it is. */
#include "points_to.h"
#include "slices.h"

typedef struct part_walk {
  const pl_decl *object;
  pl_node *name; /* the first one */
  bool parts;
} part_walk;

/* Whether a name of an object stands for a number or pointer in it. */
static bool names_part(const pl_node *ref) {
  const pl_node *at = ref;
  while (at->parent && at->parent->kind == PL_NODE_MEMBER &&
         !at->parent->is_arrow && at->parent->decl && at->parent->decl->is_field)
    at = at->parent;
  return at != ref && pl_is_value_type(at->type);
}

static bool find_other_name(pl_node *node, void *context) {
  part_walk *w = context;
  if (node->kind != PL_NODE_REF || node->decl != w->object)
    return true;
  w->name = w->name ? w->name : node;
  w->parts = w->parts && names_part(node);
  return true;
}

/* No code makes or changes it, and nothing knows where it is. */
static bool is_set_of_parts(const pl_loop *loop, const pl_decl *decl,
                            bool parts) {
  const pl_type *type = decl->type;
  return parts && type->is_trivially_copyable && !type->is_union &&
         !type->has_constructors && !type->begins_by_code &&
         !type->runs_code && !type->has_operators &&
         !pl_has_second_name(loop, (pl_decl *)decl);
}

/* A record that is copied bit by bit, whatever constructor it is made by. */
static bool is_copied_plainly(const pl_type *type) {
  return type->is_trivially_copyable && !type->is_union && !type->runs_code &&
         !type->copies_by_code && !type->has_own_address &&
         (!type->has_constructors || type->made_plainly);
}

bool pl_may_be_copied(const pl_loop *loop, pl_decl *decl) {
  part_walk w = {decl, NULL, true};
  pl_node_walk(loop->func->body, find_other_name, &w);
  return is_set_of_parts(loop, decl, w.parts) ||
         (w.name && is_copied_plainly(decl->type) &&
          !pl_has_second_name(loop, decl) &&
          !pl_leads_to_itself((pl_loop *)loop, decl));
}
