/* copy_values.c - which value does a copy store, and where is it loaded?
 *
 * Needs: a copy's store, its two sides. Gives: the type of the value, the one
 * load that it is or the loads that it is computed from, the local between
 * load and store. Raises nothing. */
#include "call_summary.h"
#include "copies.h"

#include <string.h>

/* Whether a method's object, or what a parameter refers or points to, is a variable
 * of the thread's own in every call. */
static bool is_own_object(pl_loop *loop, const pl_effect *read) {
  const pl_decl *decl = read->root.decl;
  return (pl_root_is_this(read->root) || (decl && decl->kind == PL_DECL_PARAM)) &&
         !read->root.member.n &&
         pl_of_space_in_callers(loop->effects, loop->func, read->root,
                                PL_SPACE_LOCAL);
}

/* `Plane<T>`, the class of a template: no pointer, whatever its arguments are. */
bool pl_is_class_of_template(const pl_func *func, const pl_type *type) {
  pl_str text = type && type->kind == PL_TYPE_DEPENDENT ? type->spelling : PL_STR("");
  if (pl_str_starts(text, "const "))
    text = (pl_str){text.p + 6, text.n - 6};
  pl_str name = pl_first_word(text);
  for (uint32_t i = 0; func && i < func->ntemplate_params; i++)
    if (pl_str_eq(func->template_params[i]->name, name))
      return false;
  return name.n && name.n < text.n && text.p[name.n] == '<' &&
         text.p[text.n - 1] == '>' && !pl_str_starts(text, "typename ") &&
         !pl_str_starts(text, "template-parameter");
}

static bool is_own_field(const pl_node *node) {
  return node->kind == PL_NODE_MEMBER && !node->is_arrow && node->nkids &&
         node->decl && node->decl->kind == PL_DECL_FIELD &&
         !pl_is_reference(node->decl->type);
}

static bool is_element_of_field(const pl_node *node) {
  const pl_node *of = node->kind == PL_NODE_SUBSCRIPT
                          ? pl_node_bare(node->kids[0])
                          : NULL;
  return of && is_own_field(of) && of->decl->type &&
         of->decl->type->kind == PL_TYPE_ARRAY;
}

/* The object that a node names a part of, or calls a method of, by fields and
 * methods that are known. */
static const pl_node *object_named(const pl_node *node) {
  if (node->kind == PL_NODE_CALL && node->decl && node->decl->kind == PL_DECL_METHOD &&
      node->nkids && node->kids[0]) {
    const pl_node *method = pl_node_bare(node->kids[0]);
    return method->kind == PL_NODE_MEMBER && !method->is_arrow && method->nkids
               ? pl_node_bare(method->kids[0])
               : node;
  }
  while (is_own_field(node) || is_element_of_field(node))
    node = pl_node_bare(node->kids[0]);
  return node;
}

/* Whether what is read is part of an argument that the function has by value: memory
 * that nobody else sees. */
static bool is_member_of_argument(const pl_loop *loop, const pl_effect *read) {
  const pl_node *node = read->node;
  const pl_type *type = node ? node->type : NULL;
  bool number = pl_is_number_type(type);
  const pl_node *at = node ? object_named(node) : NULL;
  return (number || read->by_call) && at && at != node && at->kind == PL_NODE_REF &&
         at->decl && at->decl->kind == PL_DECL_PARAM &&
         at->decl == read->root.decl && !read->root.member.n &&
         pl_is_class_of_template(loop->func, at->decl->type);
}

bool pl_reads_global(pl_loop *loop, pl_node *node) {
  pl_effects effects = pl_effects_in(loop, node);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind == PL_EFFECT_READ && !effects.items[i].direct &&
        !is_member_of_argument(loop, &effects.items[i]) &&
        (effects.items[i].space == PL_SPACE_CONSTANT ||
         ((effects.items[i].space == PL_SPACE_GLOBAL ||
           effects.items[i].space == PL_SPACE_UNKNOWN) &&
          !is_own_object(loop, &effects.items[i]))))
      return true;
  return false;
}

/* Whether a call that names a cell is found by looking at the thread's own variables
 * alone, and reads the cell. */
static bool reads_one_cell(pl_loop *loop, pl_node *call) {
  pl_effects effects = {0};
  bool found = false;
  pl_effects_of(loop->effects, loop->func, call, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    bool cell = effect->node == call && !effect->by_call &&
                (effect->space == PL_SPACE_GLOBAL ||
                 effect->space == PL_SPACE_UNKNOWN);
    bool own = effect->space == PL_SPACE_LOCAL ||
               (pl_root_is_this(effect->root) && !effect->root.member.n);
    if (effect->kind != PL_EFFECT_READ || (!cell && !own))
      return false;
    found = found || cell;
  }
  return found;
}

/* Whether an expression is exactly one access to global memory. */
static bool is_load(pl_loop *loop, pl_node *node) {
  node = pl_node_bare(node);
  if (!node)
    return false;
  if (pl_is_load_call(node))
    return true;
  if (pl_named_by_call(node))
    return reads_one_cell(loop, node);
  bool lvalue = node->kind == PL_NODE_SUBSCRIPT ||
                (node->kind == PL_NODE_UNARY && node->op == PL_OP_DEREF) ||
                (node->kind == PL_NODE_MEMBER);
  if (!lvalue)
    return false;
  return pl_reads_global(loop, node);
}

/* ... or a call of a function that does no more than that. */
static bool is_any_load(pl_loop *loop, pl_node *node) {
  node = pl_node_bare(node);
  return is_load(loop, node) || (node && pl_read_by_call(node) &&
                                 pl_reads_global(loop, node));
}

static pl_node *guarded_load(pl_loop *loop, pl_node *node) {
  node = pl_node_bare(node);
  if (is_any_load(loop, node))
    return node;
  if (node->kind != PL_NODE_COND || pl_reads_global(loop, node->kids[0]))
    return NULL;
  bool first = is_any_load(loop, node->kids[1]);
  bool second = is_any_load(loop, node->kids[2]);
  if (first && !pl_reads_global(loop, node->kids[2]))
    return pl_node_bare(node->kids[1]);
  if (second && !pl_reads_global(loop, node->kids[1]))
    return pl_node_bare(node->kids[2]);
  return NULL;
}

static void gather_leaves(pl_loop *loop, pl_copy *copy, size_t *cap,
                          pl_node *node) {
  if (!node)
    return;
  if ((node->kind == PL_NODE_UNARY && node->op == PL_OP_ADDR) ||
      (node->kind == PL_NODE_CAST && node->type &&
       node->type->kind == PL_TYPE_REFERENCE)) {
    copy->takes_address = true;
    return;
  }
  if (is_load(loop, node)) {
    PL_PUSH(loop->arena, copy->leaves, copy->nleaves, *cap,
            pl_node_bare(node));
    return;
  }
  for (uint32_t i = 0; i < node->nkids; i++)
    gather_leaves(loop, copy, cap, node->kids[i]);
}

/* Whether an expression's value takes that of this part of it in any case: not of
 * `c ?: v`, which clang shows without a kind, nor of what is under a sizeof. */
static bool always_asks(const pl_node *node, const pl_node *part) {
  switch (node->kind) {
  case PL_NODE_COND:
    return node->kids[0] == part;
  case PL_NODE_BINARY:
    return node->kids[0] == part ||
           (node->op != PL_OP_LAND && node->op != PL_OP_LOR);
  case PL_NODE_PAREN:
  case PL_NODE_CAST:
  case PL_NODE_UNARY:
  case PL_NODE_ASSIGN:
  case PL_NODE_CALL:
  case PL_NODE_SUBSCRIPT:
  case PL_NODE_MEMBER:
  case PL_NODE_CONSTRUCT:
  case PL_NODE_INIT_LIST:
    return true;
  default:
    return false;
  }
}

/* Whether a load inside `src` happens only under a condition within it. */
static bool leaf_is_guarded(const pl_node *leaf, const pl_node *src) {
  for (const pl_node *at = leaf; at && at != src; at = at->parent)
    if (!at->parent || !always_asks(at->parent, at))
      return true;
  return false;
}

/* The stores of one local: `v` read by this and that, declared once in the load
 * slice and never changed. */
static pl_node *local_between(pl_loop *loop, pl_node *src) {
  src = pl_node_bare(src);
  if (!src || src->kind != PL_NODE_REF || !src->decl || !src->decl->node ||
      !src->decl->init || src->decl->kind != PL_DECL_VAR ||
      !pl_declared_inside(src->decl, loop->body) ||
      pl_assigned_anywhere(loop->body, src->decl))
    return NULL;
  return src->decl->node;
}

/* What a local may begin with so that its text can be assigned as well. */
static bool is_plain_beginning(pl_loop *loop, const pl_decl *decl) {
  pl_node *init = pl_node_bare(decl->init);
  bool number = init->kind == PL_NODE_INT || init->kind == PL_NODE_FLOATING;
  bool value = init->kind == PL_NODE_CALL || init->kind == PL_NODE_CAST;
  bool plain = decl->type->kind == PL_TYPE_FLOAT ||
               decl->type->kind == PL_TYPE_INT;
  return ((number && plain) || (value && pl_same_type(init->type, decl->type))) &&
         !init->from_macro && pl_is_pure(loop, init) &&
         !pl_reads_global(loop, init);
}

/* The branch behind a declaration, in its block, by which alone the local is given
 * another value: `float v = 0; if (c) v = A[i];`. NULL: none. */
static pl_node *filling_branch(const pl_decl *decl, const pl_node *store) {
  const pl_node *block = decl->node->parent ? decl->node->parent->parent : NULL;
  pl_node *found = NULL;
  if (!block || block->kind != PL_NODE_COMPOUND || store->parent != block ||
      decl->node->parent->kind != PL_NODE_DECL_STMT ||
      decl->node->parent->nkids != 1)
    return NULL;
  for (uint32_t i = 0; i < block->nkids; i++) {
    pl_node *stmt = block->kids[i];
    if (stmt && stmt->kind == PL_NODE_IF && pl_mentions(stmt, decl) &&
        stmt->range.begin > decl->node->range.end &&
        stmt->range.end <= store->range.begin)
      found = stmt;
  }
  return pl_count_names(block, decl) == 2 ? found : NULL; /* set, and stored */
}

static pl_node *make_choice(pl_loop *loop, pl_node *branch, pl_node *load,
                            pl_node *beginning) {
  pl_node *node = PL_NEW(loop->arena, pl_node);
  node->kind = PL_NODE_COND;
  node->range = node->op_range = branch->range;
  node->type = load->type;
  node->parent = branch->parent;
  node->nkids = 3;
  node->kids = PL_NEW_ARRAY(loop->arena, pl_node *, 3);
  node->kids[0] = branch->kids[0];
  node->kids[1] = load;
  node->kids[2] = beginning;
  return node;
}

/* `float v = 0; if (c) v = A[i]; As[t] = v;`: the value is `c ? A[i] : 0`. */
static void find_filled_local(pl_loop *loop, pl_copy *copy) {
  const pl_node *src = pl_node_bare(copy->src);
  const pl_decl *decl = src->kind == PL_NODE_REF ? src->decl : NULL;
  if (!decl || decl->kind != PL_DECL_VAR || !decl->node || !decl->init ||
      !decl->type || decl->is_static || decl->is_shared || decl->is_volatile ||
      copy->nbytes || copy->last != copy->store ||
      !pl_declared_inside(decl, loop->body) ||
      !pl_same_type(decl->type, copy->type) || !is_plain_beginning(loop, decl))
    return;
  pl_node *branch = filling_branch(decl, copy->store);
  pl_node *set = branch && (branch->nkids < 3 || !branch->kids[2]) &&
                         !pl_if_has_init(branch)
                     ? pl_only_statement(branch->kids[1])
                     : NULL;
  if (!set || set->kind != PL_NODE_ASSIGN || set->op != PL_OP_ASSIGN ||
      set->from_macro || branch->from_macro || branch->kids[0]->from_macro ||
      !pl_names_var(set->kids[0], decl) || !is_load(loop, set->kids[1]) ||
      !pl_same_type(set->kids[1]->type, decl->type) ||
      pl_reads_global(loop, branch->kids[0]) ||
      !pl_is_pure(loop, branch->kids[0]) || pl_node_changes(set->kids[1]))
    return;
  pl_node *load = pl_node_bare(set->kids[1]);
  pl_node *choice = make_choice(loop, branch, load, pl_node_bare(decl->init));
  if (pl_changed_between(loop, choice, branch->range.begin,
                         copy->store->range.begin) ||
      pl_changed_between(loop, decl->init, decl->node->range.end,
                         copy->store->range.begin))
    return;
  copy->load = load;
  copy->via = decl->node;
  copy->filled_by = branch;
  copy->choice = choice;
}

/* Two names of one type: as written, or as clang sees through both. */
static bool is_one_type(const pl_type *a, const pl_type *b) {
  return pl_str_eq(pl_without_const(a->written), pl_without_const(b->written)) ||
         pl_same_type(a, b);
}

/* The 0 of `c ? a : 0`: the value is one of a's type, whatever that is. */
static bool is_plain_zero(pl_node *value) {
  value = pl_node_bare(value);
  return value && value->kind == PL_NODE_INT && value->has_ival &&
         value->ival == 0 && value->type && value->type->kind == PL_TYPE_INT;
}

/* The type of a value; of `c ? a : b`, where a template hides it, the one that
 * both sides have. NULL: it has no name. */
static const pl_type *value_type(pl_node *value) {
  value = pl_node_bare(value);
  if (!value || pl_is_spelled_type(value->type))
    return value ? value->type : NULL;
  if (value->kind != PL_NODE_COND)
    return NULL;
  const pl_type *yes = value_type(value->kids[1]);
  const pl_type *no = value_type(value->kids[2]);
  if (yes && is_plain_zero(value->kids[2]))
    return yes;
  if (no && is_plain_zero(value->kids[1]))
    return no;
  return yes && no && is_one_type(yes, no) ? yes : NULL;
}

/* The type of a tile's elements as its declaration writes it. */
static const pl_type *element_type(const pl_copy *copy) {
  const pl_node *dst = copy->last->kids[0];
  const pl_node *node = pl_node_bare((pl_node *)dst);
  uint32_t levels = 0;
  while (node->kind == PL_NODE_SUBSCRIPT) {
    node = pl_node_bare(node->kids[0]);
    levels++;
  }
  if (node->kind != PL_NODE_REF || !node->decl ||
      (copy->last == copy->store && node->decl != copy->tile->decl))
    return dst->type;
  const pl_type *type = node->decl->type;
  if (type && type->kind == PL_TYPE_REFERENCE)
    type = type->element;
  while (type && levels &&
         (type->kind == PL_TYPE_ARRAY || type->kind == PL_TYPE_POINTER)) {
    type = type->element;
    levels--;
  }
  return levels == 0 && pl_is_spelled_type(type) ? type : dst->type;
}

/* Whether a variable of a type could not be set: a template's argument may bring
 * the const that its text does not have. */
static bool may_be_const(const pl_loop *loop, const pl_type *type) {
  const pl_func *func = loop->func;
  if (!type || pl_written_type(type)->kind != PL_TYPE_DEPENDENT)
    return false;
  pl_str name = pl_without_const(type->written);
  pl_type bare = {.kind = PL_TYPE_DEPENDENT, .spelling = name, .written = name};
  bool may_be = !func->ninstances ||
                (type->in_text && type->is_const && !type->in_text->is_const);
  for (uint32_t i = 0; i < func->ninstances && !may_be; i++) {
    const pl_type *here = pl_type_settled(&bare, func, &func->instances[i]);
    may_be = here && (here->is_const || here->is_volatile);
  }
  return may_be;
}

/* Whether a template's argument, which may be a class, says how a value is converted where
 * it is stored: both types are not one in the text; or none is in sight. */
static bool may_convert(const pl_type *to, const pl_type *from) {
  if (to && from && to->kind == PL_TYPE_DEPENDENT)
    return from->kind != PL_TYPE_DEPENDENT;
  return to && from && to->in_text &&
         !pl_same_type(pl_written_type(to), pl_written_type(from));
}

/* The type that a stored value has in a register: of the store's left side, or
 * where a template hides that, of the tile's elements or of the value. The own one of
 * what is loaded, too, where another instantiation may convert it: the store does that,
 * as a class has it. */
const pl_type *pl_stored_type(pl_loop *loop, pl_copy *copy) {
  const pl_type *type = copy->last->kids[0]->type;
  if (!pl_is_spelled_type(type))
    type = element_type(copy);
  const pl_type *value = value_type(copy->src);
  bool own = value && (!pl_is_spelled_type(type) ||
                       (may_convert(type, value) && !may_be_const(loop, value) &&
                        pl_reads_global(loop, copy->src)));
  copy->type_is_values = own;
  return own ? value : type;
}

/* Whether a call inside an expression gets an lvalue by reference. */
static bool passes_reference(pl_node *node, const void *context) {
  (void)context;
  const pl_func *func = node->kind == PL_NODE_CALL && node->decl
                            ? node->decl->func
                            : NULL;
  for (uint32_t i = 0; func && i < func->nparams; i++)
    if (func->params[i]->type &&
        func->params[i]->type->kind == PL_TYPE_REFERENCE)
      return true;
  return false;
}

/* Whether a method, an operator or a conversion is asked of an object in memory that is
 * constant: of a register, which is not, another one may be meant. */
static bool is_asked_as_constant(const pl_node *leaf) {
  const pl_node *up = leaf->parent;
  while (up && up->kind == PL_NODE_PAREN)
    up = up->parent;
  bool part = up && up->kind == PL_NODE_MEMBER && up->decl && up->decl->is_field;
  return leaf->type && leaf->type->kind == PL_TYPE_RECORD && leaf->type->is_user &&
         leaf->type->is_const && !part;
}

void pl_describe_source(pl_loop *loop, pl_copy *copy) {
  copy->reads_memory = pl_reads_global(loop, copy->src);
  copy->place = copy->by_call ? pl_written_by_call(copy->store) : NULL;
  if (copy->by_call && !copy->place)
    return;
  copy->load = guarded_load(loop, copy->src);
  if (!copy->load) {
    copy->via = local_between(loop, copy->src);
    if (copy->via)
      copy->load = guarded_load(loop, copy->via->kids[0]);
    if (!copy->load)
      copy->via = NULL;
  }
  if (!copy->load && !copy->by_call)
    find_filled_local(loop, copy);
  if (!copy->reads_memory || copy->nbytes || copy->by_call)
    return;
  bool converts = !copy->load || (copy->load->type && copy->type &&
                                  !pl_same_type(copy->load->type, copy->type));
  if (!converts)
    return;
  size_t cap = 0;
  gather_leaves(loop, copy, &cap, copy->src);
  copy->by_leaf = copy->nleaves > 0 && !copy->takes_address &&
                  !pl_node_find(copy->src, passes_reference, NULL);
  for (size_t i = 0; i < copy->nleaves; i++) {
    const pl_type *type = copy->leaves[i]->type;
    if (leaf_is_guarded(copy->leaves[i], copy->src) || !type ||
        is_asked_as_constant(copy->leaves[i]) ||
        !type->written.n || copy->leaves[i]->from_macro ||
        may_be_const(loop, type) ||
        pl_str_has(type->written, "dependent"))
      copy->by_leaf = false;
  }
  if (copy->src->from_macro)
    copy->by_leaf = false;
}
