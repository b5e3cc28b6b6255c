/* legality_open.c - what may a type be that no instantiation in sight says?
 *
 * Needs: a loop of a template. Gives: the types that the rewritten text has to ask
 * for, `loop->asked_types`. Raises: PL6004.
 *
 * An argument may bring `volatile`, or a reference: then an access must keep its
 * place, or a variable is another one's name. Where such a type has a name in the
 * text, the text asks: for instantiations that are not in sight, there may always
 * be some. Where none is in sight at all, a type without a name cannot be asked
 * for, and nothing can be said. */
#include "legality_parts.h"

#include <string.h>

typedef struct open_walk {
  pl_loop *loop;
  const pl_node *nameless;
} open_walk;

static bool is_word(pl_str text) {
  pl_str word = pl_first_word(text);
  return word.n && word.n == text.n;
}

/* `T`, `typename Traits::value`. */
static bool is_name(pl_str text) {
  return is_word(text) || pl_str_starts(text, "typename ");
}

/* `T` of `const T`; where a type is spelled by more than a name, that counts. */
static pl_str plain_name(const pl_type *type) {
  pl_str text = type->written;
  if (pl_str_starts(text, "const "))
    text = (pl_str){text.p + 6, text.n - 6};
  return text;
}

/* What each instantiation in sight makes of a type as the text has it, in their
 * order; false behind the last. */
static bool next_settled(const pl_func *func, const pl_type *in_text, uint32_t *at,
                         const pl_type **type) {
  pl_str name = plain_name(in_text);
  pl_type bare = {.kind = PL_TYPE_DEPENDENT, .spelling = name, .written = name};
  if (!is_word(name))
    bare.spelling = in_text->spelling;
  if (*at >= func->ninstances)
    return false;
  *type = pl_type_settled(&bare, func, &func->instances[(*at)++]);
  return true;
}

/* Whether all of them make a pointer of it. */
static bool points_in_all(const pl_func *func, const pl_type *in_text) {
  const pl_type *type;
  uint32_t at = 0;
  while (next_settled(func, in_text, &at, &type))
    if (!type || type->kind != PL_TYPE_POINTER || !type->element ||
        type->element->kind == PL_TYPE_FUNCTION)
      return false;
  return at > 0;
}

/* Whether all of them make plain data of it, which is copied without the user's code. */
static bool is_data_in_all(const pl_func *func, const pl_type *in_text) {
  const pl_type *type;
  uint32_t at = 0;
  while (next_settled(func, in_text, &at, &type))
    if (!type || (!pl_is_number_type(type) && !type->is_trivially_copyable))
      return false;
  return at > 0;
}

static void ask(open_walk *w, const pl_node *at, const pl_type *type) {
  pl_str name = plain_name(type);
  pl_loop *loop = w->loop;
  if (!is_name(name)) {
    w->nameless = w->nameless ? w->nameless : at;
    return;
  }
  for (size_t i = 0; i < loop->nasked_types; i++)
    if (pl_str_eq(loop->asked_types[i].name, name))
      return;
  pl_asked_type one = {.name = name,
                       .points = points_in_all(loop->func, type),
                       .is_data = is_data_in_all(loop->func, type)};
  PL_PUSH(loop->arena, loop->asked_types, loop->nasked_types, loop->asked_cap, one);
}

/* A variable of the thread's own, or an object in memory. */
static bool is_place(const pl_node *node) {
  bool variable = node->kind == PL_NODE_REF && node->decl &&
                  (node->decl->kind == PL_DECL_VAR ||
                   node->decl->kind == PL_DECL_PARAM);
  return variable || node->kind == PL_NODE_SUBSCRIPT ||
         (node->kind == PL_NODE_UNARY && node->op == PL_OP_DEREF);
}

static const pl_type *object_type(const pl_node *node);

/* What a pointer or an array leads to; NULL: that is not known. Of `&x[k] + j` clang
 * gives no type where only the size of x is open. */
static const pl_type *pointee(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  const pl_type *type = node ? pl_no_reference(node->type) : NULL;
  if (type && (type->kind == PL_TYPE_POINTER || type->kind == PL_TYPE_ARRAY))
    return type->element;
  if (node && node->kind == PL_NODE_UNARY && node->op == PL_OP_ADDR)
    return object_type(node->kids[0]);
  if (!node || node->kind != PL_NODE_BINARY)
    return NULL;
  const pl_type *left = pointee(node->kids[0]);
  return left ? left : pointee(node->kids[1]);
}

static bool is_settled(const pl_type *type) {
  while (type && type->kind == PL_TYPE_ARRAY)
    type = type->element;
  return type && type->kind != PL_TYPE_DEPENDENT;
}

/* What an access names, also where clang leaves that open. */
static const pl_type *object_type(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  const pl_type *type = node ? pl_no_reference(node->type) : NULL;
  bool derefs = node && node->nkids &&
                (node->kind == PL_NODE_SUBSCRIPT ||
                 (node->kind == PL_NODE_UNARY && node->op == PL_OP_DEREF));
  if (is_settled(type) || !derefs)
    return type;
  const pl_type *through = pointee(node->kids[0]);
  return is_settled(through) ? through : type;
}

/* What a name or an access is, or leads to in an array. */
static const pl_type *held_type(const pl_node *node) {
  const pl_type *type = object_type(node);
  while (type && type->kind == PL_TYPE_ARRAY)
    type = type->element;
  return type;
}

/* `Holder<T> h = {x};`: where T is a reference, h is another name of x. */
static bool may_refer(const pl_node *node) {
  const pl_decl *decl = node->kind == PL_NODE_REF || node->kind == PL_NODE_VAR
                            ? node->decl
                            : NULL;
  return decl && decl->kind == PL_DECL_VAR && decl->owner && decl->init &&
         decl->init->nkids && decl->type && decl->type->has_open_fields;
}

/* `put<R>(x, v)`, with a parameter of type R: where that is a reference, x is handed
 * over, and no copy of it. Without arguments in its text a call hands over a copy. */
static bool may_hand_over(const open_walk *w, const pl_node *call) {
  const pl_node *name = call->kind == PL_NODE_CALL && call->nkids > 1
                            ? call->kids[0]
                            : NULL;
  const pl_func *func = name && call->decl ? call->decl->func : NULL;
  if (!func || !pl_str_has(pl_unit_slice(w->loop->unit, name->range), "<"))
    return false;
  for (uint32_t i = 0; i < func->nparams && i + 1 < call->nkids; i++) {
    const pl_type *type = func->params[i]->type;
    if (type && type->kind == PL_TYPE_DEPENDENT &&
        !pl_is_class_of_template(func, type) && is_place(call->kids[i + 1]))
      return true;
  }
  return false;
}

static bool visit_place(pl_node *node, void *context) {
  open_walk *w = context;
  const pl_type *type = is_place(node) ? held_type(node) : NULL;
  if ((may_refer(node) || may_hand_over(w, node)) && !w->nameless)
    w->nameless = node;
  if (type && type->kind == PL_TYPE_DEPENDENT &&
      !(type == node->type && pl_is_class_of_template(w->loop->func, type)))
    ask(w, node, type);
  return true;
}

/* Whether a type of that name is one whose objects the text can take for what they
 * are, in all instantiations in sight. */
static bool is_plain_in_all(const pl_func *func, const pl_type *in_text) {
  const pl_type *type;
  uint32_t at = 0;
  while (next_settled(func, in_text, &at, &type))
    if (!type || type->is_volatile || type->kind == PL_TYPE_VOID ||
        type->kind == PL_TYPE_REFERENCE || type->kind == PL_TYPE_DEPENDENT ||
        type->kind == PL_TYPE_FUNCTION)
      return false;
  return at > 0;
}

/* Of an instantiation's tree, what its template decides. */
static bool visit_seen_place(pl_node *node, void *context) {
  open_walk *w = context;
  const pl_type *type = is_place(node) ? held_type(node) : NULL;
  const pl_type *in_text = type ? type->in_text : NULL;
  if (in_text && in_text->kind == PL_TYPE_DEPENDENT &&
      is_name(plain_name(in_text)) &&
      is_plain_in_all(w->loop->func, in_text))
    ask(w, node, in_text);
  return true;
}

bool pl_check_open_types(pl_loop *loop) {
  const pl_func *func = loop->func;
  open_walk w = {.loop = loop};
  if (func->pattern && func->in_main)
    pl_node_walk(loop->node, visit_seen_place, &w);
  if (!func->ntemplate_params || func->nbodies || func->pattern)
    return true;
  pl_node_walk(loop->node, visit_place, &w);
  if (!w.nameless)
    return true;
  return pl_refuse(loop, false, "PL6004", w.nameless,
                   "the template's arguments say what this is, and no "
                   "instantiation is in sight: it may be volatile, or a "
                   "reference");
}
