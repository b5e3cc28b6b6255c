/* model_digest.c - whether a unit's trees are still what the frontend made.
 *
 * Needs a filled pl_unit. What passes keep in a tree to find it again (numbers in a
 * graph, who sets what) is no part of the digest; all that says what the text means
 * is. */
#include "model.h"

typedef struct digest {
  uint64_t value;
} digest;

static void add_number(digest *d, uint64_t number) {
  d->value = (d->value ^ number ^ number >> 29) * 1099511628211u;
}

static void add_pointer(digest *d, const void *pointer) {
  add_number(d, (uint64_t)(uintptr_t)pointer);
}

static void add_range(digest *d, pl_range range) {
  add_number(d, (uint64_t)range.begin << 32 | range.end);
}

static void add_decl(digest *d, const pl_decl *decl) {
  add_pointer(d, decl);
  if (!decl)
    return;
  add_number(d, (uint64_t)decl->kind << 8 | (uint64_t)decl->is_shared << 7 |
                    (uint64_t)decl->is_static << 6 | (uint64_t)decl->is_member << 5 |
                    (uint64_t)decl->points_to_shared << 4 |
                    (uint64_t)decl->has_value << 3);
  add_number(d, (uint64_t)decl->value);
  add_pointer(d, decl->type);
  add_pointer(d, decl->init);
  add_pointer(d, decl->carved_with);
  add_pointer(d, decl->name.p);
}

static bool add_node(pl_node *node, void *context) {
  digest *d = context;
  add_number(d, (uint64_t)node->kind << 32 | (uint64_t)node->op << 16 |
                    (uint64_t)node->has_ival << 1 | node->from_macro);
  add_number(d, (uint64_t)node->ival);
  add_range(d, node->range);
  add_pointer(d, node->type);
  add_pointer(d, node->parent);
  add_pointer(d, node->func);
  add_decl(d, node->decl);
  add_number(d, node->nkids);
  return true;
}

static void add_func(digest *d, const pl_func *func) {
  add_pointer(d, func->pattern);
  add_number(d, (uint64_t)func->local_object << 1 | func->shared_object);
  for (uint32_t i = 0; i < func->nparams; i++)
    add_decl(d, func->params[i]);
  if (func->body)
    pl_node_walk(func->body, add_node, d);
}

uint64_t pl_unit_digest(const pl_unit *unit) {
  digest d = {14695981039346656037u};
  for (uint32_t i = 0; i < unit->nfuncs; i++)
    add_func(&d, unit->funcs[i]);
  return d.value;
}
