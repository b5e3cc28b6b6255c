/* frontend_concrete.c - an instantiation beside its template's text.
 *
 * An instantiation's tree has concrete types and the values of the arguments;
 * text that is emitted has to hold for all arguments. So each node takes from the
 * node of the pattern at the same place how its type is written, which template
 * parameter it names, and whether its value is the text's or the instantiation's
 * alone.
 *
 * Needs: the unit with all bodies. Changes: nodes and decls of functions that
 * have a pattern. Raises nothing. */
#include "frontend_parts.h"

#include <stdlib.h>

/* The nodes of a pattern, by place; of one place the outermost first. */
typedef struct pattern_index {
  pl_arena *arena;
  struct placed {
    pl_node *node;
    uint32_t order;
  } * items;
  size_t n, cap;
} pattern_index;

static bool add_node(pl_node *node, void *context);

static void add_tree(pattern_index *index, pl_node *root) {
  pl_node_walk(root, add_node, index);
}

static bool add_node(pl_node *node, void *context) {
  pattern_index *index = context;
  struct placed item = {node, (uint32_t)index->n};
  if (node->range.end)
    PL_PUSH(index->arena, index->items, index->n, index->cap, item);
  for (uint32_t i = 0; node->kind == PL_NODE_VAR && node->decl &&
                       i < node->decl->ndims; i++)
    if (node->decl->dims[i])
      add_tree(index, node->decl->dims[i]);
  return true;
}

static int by_place(const void *a, const void *b) {
  const struct placed *x = a, *y = b;
  const pl_range p = x->node->range, q = y->node->range;
  if (p.begin != q.begin)
    return p.begin < q.begin ? -1 : 1;
  if (p.end != q.end)
    return p.end < q.end ? -1 : 1;
  return (x->order > y->order) - (x->order < y->order);
}

static bool is_at(const pl_node *node, pl_range range) {
  return node->range.begin == range.begin && node->range.end == range.end;
}

/* The pattern's node at the place of another, of its kind where there is one;
 * NULL: there is none. */
static pl_node *counterpart(const pattern_index *index, const pl_node *node) {
  size_t low = 0, high = index->n;
  while (low < high) {
    size_t mid = (low + high) / 2;
    const pl_range at = index->items[mid].node->range;
    bool before = at.begin != node->range.begin ? at.begin < node->range.begin
                                                : at.end < node->range.end;
    if (before)
      low = mid + 1;
    else
      high = mid;
  }
  pl_node *found = NULL;
  for (; low < index->n && is_at(index->items[low].node, node->range); low++) {
    pl_node *here = index->items[low].node;
    if (here->kind == node->kind)
      return here;
    found = found ? found : here;
  }
  return found;
}

/* ---- types ---------------------------------------------------------------- */

static bool is_open(const pl_type *type) {
  for (; type; type = type->element)
    if (type->kind == PL_TYPE_DEPENDENT ||
        (type->kind == PL_TYPE_RECORD && type->size < 0) ||
        (type->kind == PL_TYPE_ARRAY && type->count < 0))
      return true;
  return false;
}

static const pl_type *unnamed(pl_arena *arena, const pl_type *type,
                              const pl_type *in_text) {
  if (!type)
    return NULL;
  pl_type *copy = PL_NEW(arena, pl_type);
  *copy = *type;
  copy->written = PL_STR("<dependent type>");
  copy->in_text = in_text;
  copy->element = unnamed(arena, type->element, in_text);
  return copy;
}

/* A concrete type under the name that the template's text has for it. */
static const pl_type *named_as(pl_arena *arena, const pl_type *type,
                               const pl_type *in_text) {
  if (!type || !in_text || !is_open(in_text))
    return type;
  pl_type *copy = PL_NEW(arena, pl_type);
  *copy = *type;
  copy->written = in_text->written;
  copy->in_text = in_text;
  if (type->element)
    copy->element = in_text->kind == type->kind
                        ? named_as(arena, type->element, in_text->element)
                        : unnamed(arena, type->element, in_text);
  return copy;
}

/* ---- nodes ---------------------------------------------------------------- */

typedef struct align_walk {
  pl_arena *arena;
  const pattern_index *index;
} align_walk;

static bool align_node(pl_node *node, void *context);

static void open_value(pl_node *node) {
  node->has_value_here = true;
  node->value_here = node->ival;
  node->has_ival = false;
  node->ival = 0;
}

/* A bound of an array, which the instantiation's type says. */
static void align_bound(align_walk *w, pl_node **bound, pl_node *in_text,
                        const pl_type *array) {
  if (*bound && (*bound)->range.end)
    pl_node_walk(*bound, align_node, w);
  if (!in_text || in_text->has_ival || !array || array->count < 0)
    return;
  if (!*bound || !(*bound)->range.end) {
    *bound = PL_NEW(w->arena, pl_node);
    **bound = *in_text;
  }
  (*bound)->has_ival = false;
  (*bound)->has_value_here = true;
  (*bound)->value_here = array->count;
}

static void align_variable(align_walk *w, pl_decl *decl, pl_decl *in_text) {
  const pl_type *array = decl->type;
  for (uint32_t i = 0; i < decl->ndims; i++) {
    pl_node *bound = i < in_text->ndims ? in_text->dims[i] : NULL;
    align_bound(w, &decl->dims[i], bound, array);
    array = array ? array->element : NULL;
  }
  decl->type = named_as(w->arena, decl->type, in_text->type);
  if (!in_text->has_value)
    decl->has_value = false;
  if (!in_text->is_constexpr)
    decl->is_constexpr = false;
  decl->align_attr = decl->align_attr < 0 ? decl->align_attr
                                          : in_text->align_attr;
}

static bool align_node(pl_node *node, void *context) {
  align_walk *w = context;
  pl_node *in_text = node->range.end ? counterpart(w->index, node) : NULL;
  if (!in_text)
    return true;
  if (node->has_ival && !in_text->has_ival)
    open_value(node);
  node->type = named_as(w->arena, node->type, in_text->type);
  if (node->kind == PL_NODE_REF && !node->decl && in_text->decl &&
      (in_text->decl->kind == PL_DECL_TEMPLATE_VALUE ||
       in_text->decl->kind == PL_DECL_TEMPLATE_TYPE))
    node->decl = in_text->decl;
  if (node->kind == PL_NODE_VAR && node->decl && in_text->kind == node->kind &&
      in_text->decl)
    align_variable(w, node->decl, in_text->decl);
  return true;
}

static void align_parameters(pl_arena *arena, pl_func *func) {
  const pl_func *pattern = func->pattern;
  for (uint32_t i = 0; i < func->nparams && i < pattern->nparams; i++)
    if (pl_str_eq(func->params[i]->name, pattern->params[i]->name))
      func->params[i]->type = named_as(arena, func->params[i]->type,
                                       pattern->params[i]->type);
}

void pl_unit_align_instances(pl_unit *unit) {
  const pl_func *indexed = NULL;
  pattern_index index = {.arena = unit->arena};
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    pl_func *func = unit->funcs[i];
    if (!func->pattern || !func->in_main || !func->body ||
        !func->pattern->body)
      continue;
    if (indexed != func->pattern) {
      index = (pattern_index){.arena = unit->arena};
      add_tree(&index, func->pattern->body);
      qsort(index.items, index.n, sizeof *index.items, by_place);
      indexed = func->pattern;
    }
    align_walk walk = {unit->arena, &index};
    align_parameters(unit->arena, func);
    pl_node_walk(func->body, align_node, &walk);
  }
}
