/* effects_types.c - what do types say about addresses?
 *
 * Needs: types of the model. Gives: which are pointers, arrays or
 * references, which values may carry an address, and whose end runs code. Raises:
 * nothing. */
#include "effects_parts.h"

bool pl_is_pointer_like(const pl_type *type) {
  type = pl_no_reference(type);
  return type && (type->kind == PL_TYPE_POINTER || type->kind == PL_TYPE_ARRAY);
}

bool pl_is_pointer(const pl_type *type) {
  type = pl_no_reference(type);
  return type && type->kind == PL_TYPE_POINTER;
}

bool pl_type_is_deref_array(const pl_node *node) {
  const pl_type *type = node ? pl_no_reference(node->type) : NULL;
  return type && type->kind == PL_TYPE_ARRAY;
}

bool pl_is_reference(const pl_type *type) {
  return type && type->kind == PL_TYPE_REFERENCE;
}

bool pl_is_pointer_reference(const pl_type *type) {
  return pl_is_reference(type) && pl_is_pointer(type);
}

/* A parameter that is a copy: what happens to it stays in the callee. */
bool pl_is_plain_value(const pl_type *type) {
  return pl_is_number_or_enum(type) || (type && type->kind == PL_TYPE_RECORD);
}

/* Whether a value of this type can carry an address into a call. */
bool pl_may_carry_address(const pl_type *type) {
  type = pl_no_reference(type);
  if (!type)
    return true;
  switch (type->kind) {
  case PL_TYPE_BOOL:
  case PL_TYPE_INT:
  case PL_TYPE_FLOAT:
  case PL_TYPE_ENUM:
    return false;
  case PL_TYPE_RECORD:
    return !type->is_trivially_copyable;
  default:
    return true;
  }
}

/* ---- what ends ----------------------------------------------------------------- */

/* A reference may keep a temporary alive. */
static bool is_object(const pl_type *type) {
  while (type &&
         (type->kind == PL_TYPE_ARRAY || type->kind == PL_TYPE_REFERENCE))
    type = type->element;
  return type && type->ends_by_code;
}

/* Whether an object's end runs code, in an instantiation. */
static bool type_ends_by_code(const pl_func *func, const pl_decl *decl) {
  if (is_object(decl->type))
    return true;
  for (uint32_t i = 0; i < func->ninstances; i++)
    if (is_object(pl_decl_type(decl, &func->instances[i])))
      return true;
  return false;
}

/* Whether a lambda may hold copies of objects, which end with it: a capture has a
 * value of its own, or a parameter is copied. (The end of other variables counts
 * itself.) */
static bool holds_objects(const pl_unit *unit, const pl_func *func, const pl_node *lambda) {
  pl_str text = pl_unit_slice(unit, lambda->range);
  if (!pl_str_starts(text, "["))
    return true;
  for (size_t at = 2; at < text.n && text.p[at] != ']'; at++)
    if (text.p[at] == '=')
      return true;
  for (uint32_t i = 0; i < func->nparams; i++)
    if (type_ends_by_code(func, func->params[i]))
      return true;
  return false;
}

bool pl_ends_by_code(const pl_unit *unit, const pl_func *func, const pl_node *var) {
  const pl_node *value = var->nkids ? pl_node_bare(var->kids[0]) : NULL;
  if (value && value->kind == PL_NODE_LAMBDA)
    return holds_objects(unit, func, value);
  return var->decl && type_ends_by_code(func, var->decl);
}
