/* frontend_instances.c - what instantiations say of types, and operators that are
 * called by no name.
 *
 * Needs, changes: an instance's types, a CALL node. Raises nothing. */
#include "frontend_parts.h"

/* Types without a name of their own stand for another one at each place. */
static bool has_own_name(pl_str spelling) {
  return spelling.n && spelling.p[0] != '<' && !pl_str_has(spelling, "auto");
}

void pl_settle_type(pl_unit *unit, pl_instance *instance, pl_str spelling,
                    const pl_type *type) {
  struct pl_settled_type fresh = {spelling, type};
  if (!has_own_name(spelling))
    return;
  for (size_t i = 0; i < instance->ntypes; i++) {
    struct pl_settled_type *old = &instance->types[i];
    if (!pl_str_eq(old->spelling, spelling))
      continue;
    if (old->type && !pl_str_eq(old->type->spelling, type->spelling))
      old->type = NULL;
    return;
  }
  PL_PUSH(unit->arena, instance->types, instance->ntypes, instance->types_cap,
          fresh);
}

pl_node *pl_operator_member(pl_arena *arena, pl_node *object,
                            const pl_decl *method, pl_str name) {
  pl_node *member = PL_NEW(arena, pl_node);
  member->kind = PL_NODE_MEMBER;
  member->range = object->range;
  member->decl = (pl_decl *)method;
  member->name = name;
  member->kids = PL_NEW_ARRAY(arena, pl_node *, 1);
  member->kids[0] = object;
  member->nkids = 1;
  object->parent = member;
  return member;
}
