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
#include <string.h>

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

/* A variable's, by the place of its name: the range of one that a range-based loop
 * declares reaches further. */
static pl_node *same_variable(const pattern_index *index, const pl_node *var) {
  uint32_t at = var->decl ? var->decl->name_range.begin : 0;
  for (size_t i = 0; at && i < index->n; i++) {
    pl_node *here = index->items[i].node;
    if (here->kind == PL_NODE_VAR && here->decl &&
        here->decl->name_range.begin == at)
      return here;
  }
  return NULL;
}

typedef struct align_walk {
  pl_unit *unit;
  const pattern_index *index;
  pl_func *func;
  struct choice_list {
    struct choice *items; /* every `if constexpr` so far */
    size_t n, cap;
  } *choices;
} align_walk;

/* An IF's, by where it begins: of one whose last arm is discarded the end is not
 * seen. */
static pl_node *same_if(const pattern_index *index, const pl_node *node) {
  for (size_t i = 0; i < index->n; i++)
    if (index->items[i].node->kind == PL_NODE_IF &&
        index->items[i].node->range.begin == node->range.begin)
      return index->items[i].node;
  return NULL;
}

/* ---- types ---------------------------------------------------------------- */

static bool is_open(const pl_type *type) {
  for (; type; type = type->element)
    if (type->kind == PL_TYPE_DEPENDENT ||
        (type->kind == PL_TYPE_OTHER && pl_str_has(type->spelling, "auto")) ||
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
static const pl_type *named_as(const align_walk *w, const pl_type *type,
                               const pl_type *in_text) {
  if (!type || !in_text || !is_open(in_text))
    return type;
  if (in_text->kind == PL_TYPE_DEPENDENT || in_text->kind == PL_TYPE_RECORD)
    pl_settle_type(w->unit, &w->func->instances[w->func->own],
                   in_text->spelling, type);
  pl_type *copy = PL_NEW(w->unit->arena, pl_type);
  *copy = *type;
  copy->written = in_text->written;
  copy->in_text = in_text;
  if (type->element)
    copy->element = in_text->kind == type->kind
                        ? named_as(w, type->element, in_text->element)
                        : unnamed(w->unit->arena, type->element, in_text);
  return copy;
}

/* Whether a function is a method of the class that a field's record is a member of:
 * `Sums::run` for `Sums::Storage::tile`. */
static bool is_method_beside(const pl_func *func, const pl_decl *field) {
  pl_str class = field->qualified;
  for (int i = 0; i < 2; i++) {
    while (class.n && class.p[class.n - 1] != ':')
      class.n--;
    class.n -= class.n >= 2 ? 2 : class.n;
  }
  return class.n && func->is_method && func->qualified.n > class.n + 2 &&
         memcmp(func->qualified.p, class.p, class.n) == 0 &&
         memcmp(func->qualified.p + class.n, "::", 2) == 0 &&
         !pl_str_has((pl_str){func->qualified.p + class.n + 2,
                              func->qualified.n - class.n - 2},
                     "::");
}

/* Whether the method means by a type's name what the record does: it is a parameter of
 * the class's, or hangs on none. */
static bool has_one_name(const pl_func *func, const pl_type *type) {
  while (type && (type->kind == PL_TYPE_ARRAY || type->kind == PL_TYPE_POINTER))
    type = type->element;
  bool is_param = false;
  for (uint32_t i = 0; type && i < func->ntemplate_params; i++)
    is_param = is_param || pl_str_eq(func->template_params[i]->name,
                                       pl_behind_const(type->written));
  return is_param || (type && (type->kind == PL_TYPE_INT || type->kind == PL_TYPE_FLOAT));
}

/* The type of a part of such a field, where the template's text shows none of it. */
static const pl_type *type_of_field(const pl_func *func, const pl_node *node) {
  const pl_type *type = NULL;
  if (node->kind == PL_NODE_MEMBER && node->decl && node->decl->text_type &&
      is_method_beside(func, node->decl) && has_one_name(func, node->decl->text_type))
    return node->decl->text_type;
  if (node->kind == PL_NODE_PAREN)
    return type_of_field(func, node->kids[0]);
  if (node->kind == PL_NODE_SUBSCRIPT)
    type = type_of_field(func, node->kids[0]);
  return type ? type->element : NULL;
}

/* The type that the template's text has for a node. */
static const pl_type *type_in_text(const pl_func *func, const pl_node *node,
                                   const pl_node *in_text) {
  const pl_type *own = in_text->type;
  const pl_type *of_field = own && own->kind == PL_TYPE_DEPENDENT &&
                                    pl_str_has(own->written, "dependent")
                                ? type_of_field(func, node)
                                : NULL;
  return of_field ? of_field : own;
}

/* ---- nodes ---------------------------------------------------------------- */

static bool align_node(pl_node *node, void *context);

/* What the text leaves open is known of this instantiation. The nodes of all
 * instantiations at one place share the list. */
static void open_value(align_walk *w, pl_node *node, pl_node *in_text,
                       int64_t value) {
  if (!in_text->open)
    in_text->open =
        PL_NEW_ARRAY(w->unit->arena, pl_open_value, w->func->ninstances + 1);
  in_text->open[w->func->own] = (pl_open_value){true, value};
  node->open = in_text->open;
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
    *bound = PL_NEW(w->unit->arena, pl_node);
    **bound = *in_text;
  }
  open_value(w, *bound, in_text, array->count);
}

/* `static const int TILE = Policy::kRows * 4;`: a constant of each instantiation,
 * though of another value in each, is no variable in memory. */
static bool is_static_constant(const pl_decl *decl) {
  return decl->is_static && decl->is_constexpr && decl->has_value;
}

static void align_variable(align_walk *w, pl_decl *decl, pl_decl *in_text) {
  const pl_type *array = decl->type;
  bool constant = is_static_constant(decl);
  for (uint32_t i = 0; i < decl->ndims; i++) {
    pl_node *bound = i < in_text->ndims ? in_text->dims[i] : NULL;
    align_bound(w, &decl->dims[i], bound, array);
    array = array ? array->element : NULL;
  }
  decl->type = named_as(w, decl->type, in_text->type);
  decl->range = in_text->range;
  if (!in_text->has_value)
    decl->has_value = false;
  if (!in_text->is_constexpr && !constant)
    decl->is_constexpr = false;
  decl->align_attr = decl->align_attr < 0 ? decl->align_attr
                                          : in_text->align_attr;
}

/* An `if constexpr` of an instantiation, with that of the pattern. */
typedef struct choice {
  pl_func *func;
  pl_node *node, *in_text;
} choice;

static bool says_constexpr(const pl_unit *unit, const pl_node *node) {
  uint32_t at = pl_token_code(unit, pl_token_from(unit, node->range.begin) + 1);
  return pl_token_is(unit, at, "constexpr");
}

static bool align_node(pl_node *node, void *context) {
  align_walk *w = context;
  pl_node *in_text = node->range.end ? counterpart(w->index, node) : NULL;
  if (!in_text && node->kind == PL_NODE_VAR)
    in_text = same_variable(w->index, node);
  if (!in_text && node->kind == PL_NODE_IF && node->range.end) {
    in_text = same_if(w->index, node);
    node->range = in_text ? in_text->range : node->range;
  }
  if (!in_text)
    return true;
  if (node->kind == PL_NODE_IF && in_text->kind == node->kind &&
      says_constexpr(w->unit, in_text))
    PL_PUSH(w->unit->arena, w->choices->items, w->choices->n, w->choices->cap,
            ((choice){w->func, node, in_text}));
  if (node->has_ival && !in_text->has_ival)
    open_value(w, node, in_text, node->ival);
  node->type = named_as(w, node->type, type_in_text(w->func, node, in_text));
  if (node->kind == PL_NODE_REF && !node->decl && in_text->decl &&
      (in_text->decl->kind == PL_DECL_TEMPLATE_VALUE ||
       in_text->decl->kind == PL_DECL_TEMPLATE_TYPE))
    node->decl = in_text->decl;
  if (node->kind == PL_NODE_CONSTRUCT && in_text->kind == PL_NODE_CAST &&
      node->nkids == 1 && !(node->decl && node->decl->is_user)) {
    node->kind = PL_NODE_CAST; /* `T(0)` of half is no other text than of float */
    node->decl = NULL;
    node->name = (pl_str){0};
  }
  if (node->kind == PL_NODE_VAR && node->decl && in_text->kind == node->kind &&
      in_text->decl) {
    node->range = in_text->range;
    align_variable(w, node->decl, in_text->decl);
  }
  return true;
}

static void align_parameters(const align_walk *w, const pl_func *func) {
  const pl_func *pattern = func->pattern;
  for (uint32_t i = 0; i < func->nparams && i < pattern->nparams; i++)
    if (pl_str_eq(func->params[i]->name, pattern->params[i]->name))
      func->params[i]->type = named_as(w, func->params[i]->type,
                                       pattern->params[i]->type);
}

/* ---- discarded arms -------------------------------------------------------- */

/* One text comes of all instantiations: an arm that one of them discards is, for
 * the passes, what it is in another one. It does nothing there, so that taking it
 * for code which may run errs on the safe side. (The arm in which a recursive
 * template calls itself would make it one without an end.) */
typedef struct graft {
  pl_arena *arena;
  pl_func *to;
  const pl_func *from;
  pl_decl **fresh; /* declared in the arm itself */
  size_t nfresh, cap;
  bool failed;
} graft;

static bool is_declared_there(pl_node *node, const void *context) {
  const pl_decl *like = context;
  return node->kind == PL_NODE_VAR && node->decl &&
         node->decl->name_range.begin == like->name_range.begin;
}

static pl_decl *own_decl(graft *g, pl_decl *decl) {
  if (!decl || decl->owner != g->from)
    return decl;
  for (size_t i = 0; i < g->nfresh; i++)
    if (g->fresh[i]->name_range.begin == decl->name_range.begin)
      return g->fresh[i];
  for (uint32_t i = 0; i < g->from->nparams && i < g->to->nparams; i++)
    if (g->from->params[i] == decl)
      return g->to->params[i];
  const pl_node *found = pl_node_find(g->to->body, is_declared_there, decl);
  g->failed |= !found || !decl->name_range.end;
  return found ? found->decl : NULL;
}

static pl_node *copy_tree(graft *g, const pl_node *node, pl_node *parent) {
  if (!node)
    return NULL;
  pl_node *copy = PL_NEW(g->arena, pl_node);
  *copy = *node;
  copy->parent = parent;
  g->failed |= node->kind == PL_NODE_LAMBDA || node->kind == PL_NODE_LABEL ||
               (node->decl && node->decl->func &&
                node->decl->func->pattern == g->to->pattern);
  if (node->kind == PL_NODE_VAR && node->decl) {
    pl_decl *decl = copy->decl = PL_NEW(g->arena, pl_decl);
    *decl = *node->decl;
    decl->owner = g->to;
    decl->node = copy;
    PL_PUSH(g->arena, g->fresh, g->nfresh, g->cap, decl);
    g->failed |= decl->in_parts || decl->is_shared;
  } else {
    copy->decl = own_decl(g, node->decl);
  }
  copy->kids = PL_NEW_ARRAY(g->arena, pl_node *, node->nkids + 1);
  for (uint32_t i = 0; i < node->nkids; i++)
    copy->kids[i] = copy_tree(g, node->kids[i], copy);
  if (node->kind == PL_NODE_VAR && node->decl && node->decl->init)
    copy->decl->init = node->nkids && node->kids[0] == node->decl->init
                           ? copy->kids[0]
                           : copy_tree(g, node->decl->init, copy);
  for (uint32_t i = 0; node->kind == PL_NODE_VAR && node->decl &&
                       i < node->decl->ndims; i++) {
    if (i == 0)
      copy->decl->dims =
          PL_NEW_ARRAY(g->arena, pl_node *, node->decl->ndims + 1);
    copy->decl->dims[i] = copy_tree(g, node->decl->dims[i], copy);
  }
  return copy;
}

static bool is_empty(const pl_node *arm) {
  return !arm || ((arm->kind == PL_NODE_COMPOUND || arm->kind == PL_NODE_EMPTY) &&
                  !arm->nkids);
}

static pl_node *arm_of(const pl_node *node, uint32_t arm) {
  return arm < node->nkids ? node->kids[arm] : NULL;
}

static void put_arm(pl_unit *unit, const choice *to, uint32_t arm,
                    const choice *from) {
  graft g = {.arena = unit->arena, .to = to->func, .from = from->func};
  pl_node *copy = copy_tree(&g, arm_of(from->node, arm), to->node);
  if (g.failed)
    return;
  pl_node **kids = PL_NEW_ARRAY(unit->arena, pl_node *, 4);
  for (uint32_t i = 0; i < 3; i++)
    kids[i] = arm_of(to->node, i);
  kids[arm] = copy;
  to->node->kids = kids;
  to->node->nkids = to->node->nkids > arm + 1 ? to->node->nkids : arm + 1;
}

static void fill_arms(pl_unit *unit, const struct choice_list *list) {
  for (size_t i = 0; i < list->n; i++)
    for (uint32_t arm = 1; arm < 3; arm++) {
      const choice *to = &list->items[i];
      if (!is_empty(arm_of(to->node, arm)) || is_empty(arm_of(to->in_text, arm)))
        continue;
      const choice pattern = {to->func->pattern, to->in_text, to->in_text};
      const choice *from = &pattern;
      for (size_t k = 0; k < list->n && from == &pattern; k++)
        if (list->items[k].in_text == to->in_text &&
            !is_empty(arm_of(list->items[k].node, arm)))
          from = &list->items[k];
      put_arm(unit, to, arm, from);
    }
}

void pl_unit_align_instances(pl_unit *unit) {
  const pl_func *indexed = NULL;
  struct choice_list choices = {0};
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
    align_walk walk = {unit, &index, func, &choices};
    align_parameters(&walk, func);
    pl_node_walk(func->body, align_node, &walk);
  }
  fill_arms(unit, &choices);
}
