/* copy_alignment.c - do the types of an access vouch for its alignment?
 *
 * Needs: the copy's two sides, its type. Gives: whether objects of that type lie
 * at multiples of their size, where the kernel reads and where it writes.
 * Notes, for plan.c to raise: nothing; copy_async.c does.
 *
 * They need not be: a record may be aligned to less than its size, a type that
 * is declared with less alignment than its own as well, and packed records put
 * their members anywhere. The kernel as it stands reads such objects by parts. */
#include "copies.h"

typedef struct place {
  const pl_loop *loop;
  const pl_instance *instance; /* NULL: the function is no template */
  int64_t bytes;
} place;

static bool is_pointer(const pl_type *type) {
  type = pl_no_reference(type);
  return type && type->kind == PL_TYPE_POINTER;
}

static const pl_type *pointed_to(const pl_type *type) {
  type = pl_no_reference(type);
  return is_pointer(type) ? pl_no_reference(type->element) : type;
}

/* Of a record that a template's function declares itself, the variable tells what
 * it is under the arguments. */
static const pl_type *record_of(const place *p, const pl_node *member) {
  const pl_node *base = member->nkids ? pl_node_bare(member->kids[0]) : NULL;
  const pl_type *type = base ? pointed_to(base->type) : NULL;
  if (!p->instance)
    return type;
  type = pl_type_settled(type, p->loop->func, p->instance);
  bool open = type && type->kind == PL_TYPE_RECORD && type->align < 0;
  return open && base->kind == PL_NODE_REF && base->decl
             ? pointed_to(pl_decl_type(base->decl, p->instance))
             : type;
}

/* Whether objects of a type lie at multiples of the width. */
static bool is_as_wide(const place *p, const pl_type *type) {
  type = pl_no_reference(type);
  if (p->instance)
    type = pl_type_settled(type, p->loop->func, p->instance);
  return !type || type->align < 0 || type->align >= p->bytes;
}

/* Whether a member lies at a multiple of the width in its record, and the record
 * does. Of a template's record the place is not known. */
static bool is_placed(const place *p, const pl_node *member) {
  const pl_type *record = record_of(p, member);
  const pl_decl *field = member->decl;
  if (record && record->align < p->bytes &&
      (record->align >= 0 || record->kind == PL_TYPE_RECORD))
    return false;
  bool open = field && field->is_field && field->field_offset >> 32 != 0;
  return !field || !field->is_field ||
         (open ? !record || !record->is_packed
               : field->field_offset % p->bytes == 0);
}

/* Whether what an expression names is aligned: each record on the way to it, up
 * to where a pointer leads. */
static bool is_aligned(const place *p, const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  if (node && !is_as_wide(p, node->type))
    return false;
  while (node && node->nkids) {
    const pl_node *base = pl_node_bare(node->kids[0]);
    if (node->kind == PL_NODE_MEMBER) {
      if (node->decl && node->decl->is_field && node->decl->type &&
          node->decl->type->kind == PL_TYPE_REFERENCE)
        return true;
      if (!is_placed(p, node))
        return false;
      if (node->is_arrow)
        return true;
    } else if (node->kind != PL_NODE_SUBSCRIPT || !base || !base->type || is_pointer(base->type)) {
      return true;
    }
    node = base;
  }
  return true;
}

bool pl_is_aligned_copy(const pl_loop *loop, const pl_copy *copy) {
  for (uint32_t i = 0; i < pl_count_readings(loop->func); i++) {
    place p = {loop, pl_reading(loop->func, i), 0};
    p.bytes = pl_type_size(copy->type, loop->func, p.instance);
    if (p.bytes > 0 &&
        (!is_as_wide(&p, copy->type) || !is_aligned(&p, copy->load) ||
         !is_aligned(&p, copy->dst)))
      return false;
  }
  return true;
}
