/* clang_expressions.c - casts, sizeof, lambdas, and what clang shows without a
 * kind. */
#include "clang_parts.h"

static bool same_extent(CXCursor a, CXCursor b) {
  return clang_equalRanges(clang_getCursorExtent(a),
                           clang_getCursorExtent(b)) != 0;
}

/* `int()`, as which an instantiation has `T()`: the value zero. */
static bool is_zero_of_type(const pl_node *node) {
  const pl_type *type = node->type;
  return node->kind == PL_NODE_UNKNOWN && node->nkids == 0 &&
         (pl_is_value_type(type) || pl_is_number_or_enum(type));
}

pl_node *pl_fe_build_unexposed(pl_fe *f, CXCursor cursor) {
  size_t first, n = pl_fe_children(f, cursor, pl_fe_collect_code, &first);
  CXCursor only = n == 1 ? f->stack[first] : cursor;
  pl_fe_drop_children(f, first);
  if (n == 1 && same_extent(cursor, only))
    return pl_fe_build_node(f, only);
  if (n == 0 && pl_fe_has_no_extent(cursor))
    return NULL;
  pl_node *node = pl_fe_build_plain(f, cursor, PL_NODE_UNKNOWN);
  if (node->nkids == 1 && node->kids[0]->range.begin <= node->range.begin &&
      node->kids[0]->range.end >= node->range.end)
    return node->kids[0];
  uint32_t at = pl_token_from(f->unit, node->range.begin);
  if (node->nkids == 1 && node->range.end && pl_token_is(f->unit, at, "("))
    node->kind = PL_NODE_PAREN;
  if (is_zero_of_type(node)) {
    node->kind = PL_NODE_CONSTRUCT;
    node->name = node->type->written;
  }
  return node;
}

static const pl_type *element_of(const pl_type *list) {
  while (list && list->kind == PL_TYPE_ARRAY)
    list = list->element;
  return list;
}

/* Whether a value in braces, which make what is of type `to`, may be another one there
 * by a function of its class. */
static bool is_converted(const pl_type *from, const pl_type *to) {
  from = pl_no_reference(from);
  return from && (from->has_conversions || from->is_open) && !pl_same_type(from, to);
}

bool pl_fe_hides_conversion(pl_fe *f, CXCursor list) {
  const pl_type *to = element_of(pl_fe_type_for(f, clang_getCursorType(list)));
  size_t first, n = pl_fe_children(f, list, pl_fe_collect_all, &first);
  bool hides = false;
  for (size_t i = 0; i < n && !hides; i++) {
    CXType from = clang_getCursorType(f->stack[first + i]);
    hides = is_converted(pl_fe_type_for(f, from), to);
  }
  pl_fe_drop_children(f, first);
  return hides;
}

/* clang shows braces as they are written, without the conversions of what stands in
 * them: `float v[2] = {flag, 1};` calls some function of flag's class. */
pl_node *pl_fe_build_list(pl_fe *f, CXCursor cursor) {
  pl_node *list = pl_fe_build_plain(f, cursor, PL_NODE_INIT_LIST);
  const pl_type *to = element_of(list->type);
  for (uint32_t i = 0; i < list->nkids; i++) {
    pl_node *value = list->kids[i];
    if (!is_converted(value->type, to))
      continue;
    pl_node *call = PL_NEW(f->arena, pl_node);
    call->kind = PL_NODE_CALL;
    call->range = value->range;
    call->type = to && to->kind != PL_TYPE_RECORD ? to : NULL;
    pl_fe_room_for_kids(f, call, 1);
    pl_fe_add_kid(call,
                  pl_operator_member(f->arena, value, NULL, (pl_str){0}));
    pl_fe_adopt(call);
    list->kids[i] = call;
  }
  pl_fe_adopt(list);
  return list;
}

/* `T{a, b}`: a construction from the list's values, of a scalar a cast. */
static void take_braces(pl_node *node, const pl_node *list) {
  bool scalar = node->type && node->type->kind != PL_TYPE_RECORD &&
                node->type->kind != PL_TYPE_ARRAY && list->nkids == 1;
  node->kind = scalar ? PL_NODE_CAST : PL_NODE_CONSTRUCT;
  if (!scalar && node->type)
    node->name = node->type->written;
  node->kids = list->kids;
  node->nkids = list->nkids;
}

/* Whether a cast names the place of its operand: its type is written so, or is the name
 * of such a type. Where a macro or a template's argument hides that, nothing else makes a
 * record of a number, or reads the bits of one as another. */
static bool is_to_reference(pl_fe *f, CXCursor cursor, const pl_node *cast,
                            const pl_node *of) {
  CXCursor named = pl_fe_child_of_kind(cursor, CXCursor_TypeRef);
  if (!clang_Cursor_isNull(named) &&
      clang_getCanonicalType(clang_getCursorType(named)).kind == CXType_LValueReference)
    return true;
  if (!cast->from_macro && cast->range.end && of->range.begin > cast->range.begin) {
    pl_str head = pl_unit_slice(f->unit,
                                (pl_range){cast->range.begin, of->range.begin});
    if (pl_str_has(head, "&"))
      return !pl_str_has(head, "&&");
  }
  bool bits = clang_getCursorKind(cursor) == CXCursor_CXXReinterpretCastExpr;
  const pl_type *to = cast->type, *from = of->type;
  return to && from && to->kind != PL_TYPE_POINTER && from->kind != PL_TYPE_POINTER &&
         to->kind != from->kind && (bits || to->kind == PL_TYPE_RECORD) &&
         from->kind != PL_TYPE_ARRAY && pl_is_number_type(from);
}

/* clang says of such a cast what is at the place. */
static void become_reference(pl_fe *f, pl_node *cast) {
  pl_type *type = PL_NEW(f->arena, pl_type);
  *type = (pl_type){.kind = PL_TYPE_REFERENCE,
                    .element = cast->type,
                    .spelling = pl_arena_printf(f->arena, "%.*s &",
                                                PL_FMT(cast->type->spelling)),
                    .size = cast->type->size,
                    .align = cast->type->align};
  type->written = type->spelling;
  cast->type = type;
}

pl_node *pl_fe_build_cast(pl_fe *f, CXCursor cursor) {
  pl_node *node = pl_fe_new_node(f, PL_NODE_CAST, cursor);
  size_t first, n = pl_fe_children(f, cursor, pl_fe_collect_code, &first);
  pl_fe_room_for_kids(f, node, 1);
  pl_node *kid = n ? pl_fe_build_node(f, f->stack[first + n - 1]) : NULL;
  pl_fe_drop_children(f, first);
  if (!kid)
    node->kind = PL_NODE_CONSTRUCT;
  else if (kid->kind == PL_NODE_INIT_LIST)
    take_braces(node, kid);
  else if (kid->kind == PL_NODE_CONSTRUCT && node->range.end &&
           kid->range.begin == node->range.begin)
    return kid;
  else
    pl_fe_add_kid(node, kid);
  pl_fe_finish(f, node);
  if (node->kind == PL_NODE_CAST && node->nkids && node->type &&
      is_to_reference(f, cursor, node, node->kids[0]))
    become_reference(f, node);
  return node;
}

/* sizeof(T) of a template parameter carries T as its only kid, so that the
 * size can be looked up under an instantiation. */
static void add_sizeof_type(pl_fe *f, CXCursor cursor, pl_node *node) {
  CXCursor found = pl_fe_child_of_kind(cursor, CXCursor_TypeRef);
  if (clang_Cursor_isNull(found))
    return;
  uint32_t at = pl_token_from(f->unit, node->range.begin);
  if (!pl_token_is(f->unit, at + 1, "(") || !pl_token_is(f->unit, at + 3, ")"))
    return;
  pl_node *kid = PL_NEW(f->arena, pl_node);
  kid->kind = PL_NODE_REF;
  kid->type = pl_fe_type_for(f, clang_getCursorType(found));
  kid->decl = pl_fe_decl_for(f, clang_getCursorReferenced(found));
  kid->name = pl_token_text(f->unit, at + 2);
  kid->range = pl_fe_cursor_range(f, found);
  pl_fe_room_for_kids(f, node, 1);
  pl_fe_add_kid(node, kid);
}

pl_node *pl_fe_build_sizeof(pl_fe *f, CXCursor cursor) {
  pl_node *node = pl_fe_build_plain(f, cursor, PL_NODE_SIZEOF);
  if (node->range.end)
    node->name =
        pl_token_text(f->unit, pl_token_from(f->unit, node->range.begin));
  if (node->from_macro)
    node->name = PL_STR("sizeof");
  node->has_ival = pl_fe_evaluate_int(cursor, &node->ival);
  if (!node->has_ival && node->nkids == 0)
    add_sizeof_type(f, cursor, node);
  pl_fe_adopt(node);
  return node;
}

/* A captured variable; one that [=] or [&] captures has no text. */
static pl_node *capture_node(pl_fe *f, CXCursor cursor) {
  pl_node *node = pl_fe_new_node(f, PL_NODE_REF, cursor);
  node->decl = pl_fe_decl_for(f, clang_getCursorReferenced(cursor));
  node->name = node->decl ? node->decl->name : (pl_str){NULL, 0};
  node->type = node->decl ? node->decl->type : NULL;
  if (!pl_str_eq(pl_unit_slice(f->unit, node->range), node->name))
    node->range = (pl_range){0, 0};
  if (node->decl && node->decl->bound_in)
    pl_fe_become_part(f, node);
  return pl_fe_finish(f, node);
}

/* `p = a + 1` among the captures is a variable of the lambda's. */
static pl_node *build_capture(pl_fe *f, CXCursor lambda, CXCursor name) {
  CXCursor variable = clang_getCursorReferenced(name);
  bool own = clang_getCursorKind(variable) == CXCursor_VarDecl &&
             pl_range_inside(pl_fe_cursor_range(f, variable),
                             pl_fe_cursor_range(f, lambda));
  return own ? pl_fe_build_variable(f, variable) : capture_node(f, name);
}

/* A capture by value is shown twice: as a name and as what is copied; of what a variable
 * of the lambda's begins with, parts are. */
static bool repeats_capture(const pl_node *lambda, const pl_node *kid) {
  const pl_node *last = lambda->nkids ? lambda->kids[lambda->nkids - 1] : NULL;
  for (uint32_t i = 0; i < lambda->nkids; i++)
    if (lambda->kids[i]->kind == PL_NODE_VAR && kid->range.end &&
        pl_range_inside(kid->range, lambda->kids[i]->range))
      return true;
  return last && kid->kind == PL_NODE_REF && last->kind == PL_NODE_REF &&
         kid->decl == last->decl && kid->range.begin == last->range.begin;
}

/* A lambda as a function: its name and place are those of a variable. */
static pl_func *lambda_func(pl_fe *f, const pl_node *node) {
  pl_func *func = PL_NEW(f->arena, pl_func);
  *func = (pl_func){.outer = f->func, .is_device = true, .arena = f->arena};
  func->from_macro = node->from_macro;
  return func;
}

pl_decl *pl_fe_param_for(pl_fe *f, CXCursor cursor) {
  pl_decl *decl = pl_fe_decl_for(f, cursor);
  if (decl)
    decl->unless_given = pl_fe_origin_of_initialiser(f, cursor);
  return decl;
}

static pl_decl *own_param(pl_fe *f, CXCursor cursor) {
  pl_decl *decl = pl_fe_param_for(f, cursor);
  if (decl)
    decl->owner = f->func;
  return decl;
}

pl_node *pl_fe_build_lambda(pl_fe *f, CXCursor cursor) {
  pl_node *node = pl_fe_new_node(f, PL_NODE_LAMBDA, cursor);
  pl_func *func = node->func = lambda_func(f, node);
  size_t first, n = pl_fe_children(f, cursor, pl_fe_collect_all, &first);
  size_t nparams = 0, cap = 0;
  pl_fe_room_for_kids(f, node, n);
  for (size_t i = 0; i < n; i++) {
    CXCursor child = f->stack[first + i];
    enum CXCursorKind kind = clang_getCursorKind(child);
    pl_node *kid = NULL;
    if (kind == CXCursor_VariableRef)
      kid = build_capture(f, cursor, child);
    else if (clang_isExpression(kind) || clang_isStatement(kind) ||
             kind == CXCursor_VarDecl)
      kid = pl_fe_build_node(f, child);
    else if (kind == CXCursor_ParmDecl)
      PL_PUSH(f->arena, func->params, nparams, cap, own_param(f, child));
    if (kid && !repeats_capture(node, kid))
      pl_fe_add_kid(node, kid);
  }
  pl_fe_drop_children(f, first);
  func->nparams = (uint32_t)nparams;
  pl_node *last = node->nkids ? node->kids[node->nkids - 1] : NULL;
  func->body = last && last->kind == PL_NODE_COMPOUND ? last : NULL;
  if (func->body)
    func->body->func = func;
  return pl_fe_finish(f, node);
}

/* ---- generic lambdas ------------------------------------------------------- */

static void replace_body(pl_node *lambda, pl_node *body) {
  for (uint32_t i = 0; i < lambda->nkids; i++)
    if (lambda->kids[i] == lambda->func->body)
      lambda->kids[i] = body;
  body->parent = lambda;
  body->func = lambda->func;
  lambda->func->body = body;
}

/* A generic lambda, and the call that says what its parameters are. */
typedef struct pl_fe_settling {
  struct pl_fe_settling *outer;
  pl_decl **params;
  size_t nparams;
  pl_node *call;
} pl_fe_settling;

pl_node *pl_fe_settled_argument(pl_fe *f, const pl_decl *param) {
  for (const pl_fe_settling *s = f->settling; s; s = s->outer)
    for (size_t i = 0; i < s->nparams && i + 1 < s->call->nkids; i++)
      if (s->params[i] == param)
        return s->call->kids[i + 1];
  return NULL;
}

void pl_fe_settle_lambda(pl_fe *f, pl_node *lambda, CXCursor method,
                         pl_node *call) {
  pl_func *func = lambda->func;
  CXCursor definition = clang_getCursorDefinition(method);
  pl_decl *decl = pl_fe_decl_for(f, method);
  const pl_decl *last =
      func && func->nparams ? func->params[func->nparams - 1] : NULL;
  bool pack = last && last->type && pl_str_has(last->type->spelling, "...");
  if (!func || !func->body || func->is_mixed || func->decl == decl || pack ||
      clang_Cursor_isNull(definition))
    return;
  if (func->open_body) {
    func->is_mixed = true;
    replace_body(lambda, func->open_body);
    func->params = func->open_params;
    return;
  }
  pl_node *body = NULL;
  pl_decl **params = NULL;
  size_t nparams = 0, cap = 0;
  size_t first, n = pl_fe_children(f, definition, pl_fe_collect_all, &first);
  for (size_t i = 0; i < n; i++) {
    CXCursor child = f->stack[first + i];
    if (clang_getCursorKind(child) == CXCursor_ParmDecl)
      PL_PUSH(f->arena, params, nparams, cap, own_param(f, child));
    if (clang_getCursorKind(child) != CXCursor_CompoundStmt)
      continue;
    pl_fe_settling settling = {f->settling, params, nparams, call};
    f->settling = &settling;
    body = pl_fe_build_node(f, child);
    f->settling = settling.outer;
  }
  pl_fe_drop_children(f, first);
  if (!body || nparams != func->nparams)
    return;
  func->decl = decl;
  func->open_body = func->body;
  func->open_params = func->params;
  replace_body(lambda, body);
  func->params = params;
}
