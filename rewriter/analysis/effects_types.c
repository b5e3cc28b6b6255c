/* effects_types.c - what do types say about addresses?
 *
 * Needs: types of the model. Gives: which are pointers, arrays or
 * references, which values may carry an address. Raises: nothing. */
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
