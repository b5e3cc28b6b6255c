/* clang_calls.c - calls, launches and constructions. */
#include "clang_parts.h"

#include <string.h>

/* The one child that is code; a null cursor: there are none, or several. */
static CXCursor only_child(pl_fe *f, CXCursor cursor) {
  size_t first, n = pl_fe_children(f, cursor, pl_fe_collect_code, &first);
  CXCursor only = n == 1 ? f->stack[first] : clang_getNullCursor();
  pl_fe_drop_children(f, first);
  return only;
}

static CXCursor strip_implicit(pl_fe *f, CXCursor cursor) {
  for (int i = 0; i < 16; i++) {
    CXCursor only = clang_getCursorKind(cursor) == CXCursor_UnexposedExpr
                        ? only_child(f, cursor)
                        : clang_getNullCursor();
    if (clang_Cursor_isNull(only))
      return cursor;
    cursor = only;
  }
  return cursor;
}

static bool cursor_starts(CXCursor cursor, const char *prefix) {
  CXString name = clang_getCursorSpelling(cursor);
  const char *text = clang_getCString(name);
  bool starts = text && strncmp(text, prefix, strlen(prefix)) == 0;
  clang_disposeString(name);
  return starts;
}

/* The "operator..." name of the callee that clang lists second, empty where
 * this is no operator's call. */
static pl_str operator_name(pl_fe *f, CXCursor callee) {
  pl_str none = {NULL, 0};
  callee = strip_implicit(f, callee);
  enum CXCursorKind kind = clang_getCursorKind(callee);
  if (kind != CXCursor_DeclRefExpr)
    return none;
  CXCursor named = callee;
  if (!cursor_starts(callee, "operator"))
    named = pl_fe_child_of_kind(callee, CXCursor_OverloadedDeclRef);
  if (clang_Cursor_isNull(named) || !cursor_starts(named, "operator"))
    return none;
  return pl_fe_take_string(f, clang_getCursorSpelling(named));
}

static bool is_known_operand(const pl_type *type) {
  while (type && type->kind == PL_TYPE_REFERENCE)
    type = type->element;
  return !type || type->kind == PL_TYPE_DEPENDENT ||
         type->kind != PL_TYPE_RECORD ||
         pl_fe_is_cuda_value_type(type->spelling);
}

/* Whether an operator of the user's may read as the built-in one: on CUDA's
 * own value types, or an assignment that only copies. */
static bool reads_as_builtin(const pl_node *node, CXCursor target) {
  if (node->decl && !node->decl->is_user && node->decl->qualified.n &&
      !node->decl->func && node->kids[0] &&
      is_known_operand(node->kids[0]->type))
    return true;
  bool own = node->decl && node->decl->is_user && !node->decl->is_defaulted;
  if (node->kind == PL_NODE_ASSIGN && node->op == PL_OP_ASSIGN && !own &&
      node->kids[0]->type && node->kids[0]->type->is_trivially_copyable)
    return true;
  if (!node->decl)
    return true;
  (void)target;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (!is_known_operand(node->kids[i]->type))
      return false;
  return true;
}

/* An operator whose meaning is the user's: a call by the operator's name. */
static void become_call(pl_fe *f, pl_node *node, pl_str name) {
  bool member = node->decl && node->decl->kind == PL_DECL_METHOD;
  if (pl_fe_is_library_array(node->decl)) {
    pl_fe_become_subscript(f, node);
    return;
  }
  node->kind = PL_NODE_CALL;
  node->op = PL_OP_NONE;
  node->name = name;
  if (member) {
    node->kids[0] =
        pl_operator_member(f->arena, node->kids[0], node->decl, name);
    return;
  }
  pl_node **kids = PL_NEW_ARRAY(f->arena, pl_node *, node->nkids + 1);
  memcpy(kids + 1, node->kids, node->nkids * sizeof *kids);
  node->kids = kids;
  node->nkids++;
}

/* CXXOperatorCallExpr: clang lists the first operand, the operator, the rest.
 * The extra int of a postfix ++ is dropped. */
static pl_node *build_operator(pl_fe *f, CXCursor cursor, size_t first,
                               size_t n, pl_str name) {
  pl_node *node = pl_fe_new_node(f, PL_NODE_CALL, cursor);
  CXCursor target = clang_getCursorReferenced(cursor);
  pl_fe_room_for_kids(f, node, n);
  for (size_t i = 0; i < n; i++) {
    pl_node *kid = i == 1 ? NULL : pl_fe_build_node(f, f->stack[first + i]);
    if (kid)
      pl_fe_add_kid(node, kid);
  }
  pl_str text = {name.p + 8, name.n - 8};
  node->decl = pl_fe_closure_called(f, target, node->nkids ? node->kids[0] : NULL);
  if (!node->decl)
    node->decl = pl_fe_decl_for(f, target);
  uint32_t written = (uint32_t)(n - 1);
  if (!pl_fe_overloaded_op(text, written, &node->kind, &node->op)) {
    node->kind = PL_NODE_CALL;
    node->op = PL_OP_NONE;
    node->name = name;
    if (node->nkids && node->decl && node->decl->kind == PL_DECL_METHOD)
      node->kids[0] =
          pl_operator_member(f->arena, node->kids[0], node->decl, name);
    return pl_fe_finish(f, node);
  }
  if (node->kind == PL_NODE_UNARY)
    node->nkids = 1;
  if (node->nkids < (node->kind == PL_NODE_UNARY ? 1u : 2u)) {
    node->kind = PL_NODE_UNKNOWN;
    node->op = PL_OP_NONE;
    return pl_fe_finish(f, node);
  }
  if (!reads_as_builtin(node, target))
    become_call(f, node, name);
  return pl_fe_finish(f, node);
}

/* `kernel<<<grid, block, shared, stream>>>(arguments)`: clang lists the
 * callee, the configuration's call (from a kernel, of clang 22: the launch's, which has
 * the configuration behind two others), the arguments. */
static pl_node *build_launch(pl_fe *f, CXCursor cursor, size_t first,
                             size_t n) {
  pl_node *node = pl_fe_new_node(f, PL_NODE_LAUNCH, cursor);
  CXCursor config = f->stack[first + 1];
  unsigned grid = cursor_starts(config, "cudaLaunchDevice") ? 2 : 0;
  pl_fe_room_for_kids(f, node, n + 4);
  pl_fe_add_kid(node, pl_fe_build_node(f, f->stack[first]));
  for (unsigned i = 0; i < 4; i++) {
    CXCursor part = clang_Cursor_getArgument(config, grid + i);
    pl_fe_add_kid(node, clang_Cursor_isNull(part) || pl_fe_has_no_extent(part)
                            ? NULL
                            : pl_fe_build_node(f, part));
  }
  for (size_t i = 2; i < n; i++)
    pl_fe_add_kid(node, pl_fe_build_node(f, f->stack[first + i]));
  node->decl = pl_fe_decl_for(f, clang_getCursorReferenced(cursor));
  node->name = node->kids[0] ? node->kids[0]->name : (pl_str){NULL, 0};
  if (!node->decl && node->kids[0])
    node->decl = node->kids[0]->decl;
  node->ival = 1 + pl_fe_note_instance(f, clang_getCursorReferenced(cursor));
  return pl_fe_finish(f, node);
}

/* How many of the children that clang shows of a construction stand in its type,
 * `N - 1` of `View<T, N - 1>(p)`. */
static size_t in_type(pl_fe *f, CXCursor cursor, size_t first, size_t n) {
  int given = clang_Cursor_getNumArguments(cursor);
  if (given < 0 || n == 0)
    return 0;
  pl_range whole = pl_fe_cursor_range(f, cursor);
  pl_range argument = {whole.end, whole.end};
  if (given > 0)
    argument = pl_fe_cursor_range(f, clang_Cursor_getArgument(cursor, 0));
  size_t skipped = 0;
  for (; skipped < n; skipped++) {
    pl_range kid = pl_fe_cursor_range(f, f->stack[first + skipped]);
    if (!kid.end || !argument.end || kid.end > argument.begin)
      break;
  }
  return skipped;
}

/* type(a, b), T{a}, and declarations with arguments. A construction that no
 * text asks for (a copy, a conversion) is its argument, unless the user's code
 * makes it. */
static pl_node *build_construct(pl_fe *f, CXCursor cursor, size_t first,
                                size_t n) {
  pl_node *node = pl_fe_new_node(f, PL_NODE_CONSTRUCT, cursor);
  pl_fe_room_for_kids(f, node, n);
  for (size_t i = in_type(f, cursor, first, n); i < n; i++) {
    pl_node *kid = pl_fe_build_node(f, f->stack[first + i]);
    if (kid)
      pl_fe_add_kid(node, kid);
  }
  node->decl = pl_fe_decl_for(f, clang_getCursorReferenced(cursor));
  bool own = node->decl && node->decl->is_user && !node->decl->is_defaulted;
  if (node->nkids == 1 && node->kids[0]->range.begin <= node->range.begin &&
      node->kids[0]->range.end >= node->range.end && !own)
    return node->kids[0];
  node->name = node->type ? node->type->written : (pl_str){NULL, 0};
  return pl_fe_finish(f, node);
}

/* T(x) with dependent T is a cast; with several arguments a construction. */
static pl_node *build_unresolved_construct(pl_fe *f, CXCursor cursor,
                                           size_t first, size_t n) {
  if (n != 1)
    return build_construct(f, cursor, first, n);
  pl_node *node = pl_fe_new_node(f, PL_NODE_CAST, cursor);
  pl_fe_room_for_kids(f, node, 1);
  pl_node *kid = pl_fe_build_node(f, f->stack[first]);
  if (!kid)
    node->kind = PL_NODE_CONSTRUCT;
  else
    pl_fe_add_kid(node, kid);
  return pl_fe_finish(f, node);
}

/* What `object.method(...)` gives where clang leaves that open. */
static void take_result_type(pl_fe *f, pl_node *node, CXCursor callee) {
  const pl_func *func = node->decl ? node->decl->func : NULL;
  if (!func || !node->type || node->type->kind != PL_TYPE_DEPENDENT)
    return;
  CXCursor object = pl_fe_first_operand(f, callee);
  CXCursor member =
      pl_fe_member_of_object(f, clang_getCursorType(object), node->decl->name);
  if (clang_getCursorKind(member) == CXCursor_CXXMethod)
    pl_fe_take_member_type(f, node, clang_getCursorResultType(member),
                           clang_getCursorType(object));
}

/* N of `wait_prior<N>()`. */
static void take_template_value(pl_node *node, CXCursor target) {
  if (clang_Cursor_isNull(target) || clang_Cursor_getNumTemplateArguments(target) < 1 ||
      clang_Cursor_getTemplateArgumentKind(target, 0) != CXTemplateArgumentKind_Integral)
    return;
  node->has_template_value = true;
  node->template_value = clang_Cursor_getTemplateArgumentValue(target, 0);
}

static bool is_constant_pointer(CXCursor variable) {
  CXType type = clang_getCanonicalType(clang_getCursorType(variable));
  return type.kind == CXType_Pointer && clang_isConstQualifiedType(type);
}

/* The function that a call's target is: of a pointer that stays what it was made of, as
 * `constexpr load_t load = traits<T>::load`, what that leads to. */
static CXCursor called_function(pl_fe *f, CXCursor target) {
  CXCursor at = target;
  for (int i = 0; i < 16; i++) {
    enum CXCursorKind kind = clang_getCursorKind(at);
    if (kind == CXCursor_FunctionDecl || kind == CXCursor_CXXMethod)
      return at;
    if (kind == CXCursor_VarDecl && is_constant_pointer(at))
      at = clang_Cursor_getVarDeclInitializer(at);
    else if (kind == CXCursor_DeclRefExpr)
      at = clang_getCursorReferenced(at);
    else if (kind == CXCursor_UnexposedExpr || kind == CXCursor_ParenExpr ||
             kind == CXCursor_UnaryOperator || kind == CXCursor_InitListExpr)
      at = only_child(f, at);
    else
      return target;
  }
  return target;
}

/* A constexpr function of constants is its value; so is one that only asks for
 * the type of an array, as std::size does. */
static pl_node *build_plain_call(pl_fe *f, CXCursor cursor, size_t first,
                                 size_t n) {
  pl_node *node = pl_fe_new_node(f, PL_NODE_CALL, cursor);
  pl_fe_room_for_kids(f, node, n ? n : 1);
  pl_fe_add_kid(node, n ? pl_fe_build_node(f, f->stack[first]) : NULL);
  for (size_t i = 1; i < n; i++) {
    pl_node *kid = pl_fe_build_node(f, f->stack[first + i]);
    if (kid)
      pl_fe_add_kid(node, kid);
  }
  const pl_node *callee = pl_node_bare(node->kids[0]);
  CXCursor target = called_function(f, clang_getCursorReferenced(cursor));
  node->decl = pl_fe_decl_for(f, target);
  take_template_value(node, target);
  if (!node->decl && callee)
    node->decl = callee->decl;
  node->name = callee ? callee->name : (pl_str){NULL, 0};
  if (!node->name.n && node->decl)
    node->name = node->decl->name;
  if (callee && callee->kind == PL_NODE_CALL) {
    node->decl = NULL; /* `forward<F>(f)(i)` calls what forward gives */
    node->name = (pl_str){NULL, 0};
  }
  pl_fe_finish(f, node);
  if (n && callee && callee->kind == PL_NODE_REF && callee->decl &&
      !callee->decl->func)
    pl_fe_settle_operator(f, node, f->stack[first], PL_STR("operator()"));
  else if (n && callee && callee->kind == PL_NODE_MEMBER && callee->decl)
    take_result_type(f, node, f->stack[first]);
  bool constants = node->nkids > 1;
  for (uint32_t i = 1; i < node->nkids; i++)
    constants =
        constants && (node->kids[i]->has_ival || pl_is_array_type(node->kids[i]->type));
  if (constants)
    node->has_ival = pl_fe_evaluate_int(cursor, &node->ival);
  return node;
}

/* An implicit conversion (`float f = h`) is its object; one that the file
 * defines may do anything, and stays a call. */
static pl_node *build_conversion(pl_fe *f, CXCursor cursor, size_t first,
                                 size_t n) {
  pl_node *call = build_plain_call(f, cursor, first, n);
  pl_node *member = call->kids[0];
  pl_node *object = member && member->nkids ? member->kids[0] : NULL;
  bool own = call->decl && call->decl->is_user;
  if (!own && object && object->range.end >= call->range.end)
    return object;
  return call;
}

static bool is_launch_config(CXCursor cursor) {
  return clang_getCursorKind(cursor) == CXCursor_CallExpr &&
         (cursor_starts(cursor, "__cudaPushCallConfiguration") ||
          cursor_starts(cursor, "cudaConfigureCall") ||
          cursor_starts(cursor, "cudaLaunchDevice"));
}

static pl_node *dispatch_call(pl_fe *f, CXCursor cursor, size_t first,
                              size_t n) {
  enum CXCursorKind target =
      clang_getCursorKind(clang_getCursorReferenced(cursor));
  if (target == CXCursor_Constructor)
    return build_construct(f, cursor, first, n);
  if (target == CXCursor_ConversionFunction)
    return build_conversion(f, cursor, first, n);
  if (clang_Cursor_getNumArguments(cursor) < 0)
    return build_unresolved_construct(f, cursor, first, n);
  if (n >= 2 && is_launch_config(f->stack[first + 1]))
    return build_launch(f, cursor, first, n);
  if (n >= 2) {
    pl_str name = operator_name(f, f->stack[first + 1]);
    pl_str callee = operator_name(f, f->stack[first]);
    if (name.n > 8 && !callee.n)
      return build_operator(f, cursor, first, n, name);
  }
  return build_plain_call(f, cursor, first, n);
}

/* The lambda that a call's object was made as: `step` of `step(a, b)`, also where that
 * is the parameter of another one. */
static pl_node *lambda_called(pl_fe *f, const pl_node *node) {
  const pl_node *object = node->kind == PL_NODE_CALL && node->nkids
                              ? pl_node_bare(node->kids[0])
                              : NULL;
  const pl_decl *decl =
      object && object->kind == PL_NODE_REF ? object->decl : NULL;
  const pl_node *given = decl && decl->kind == PL_DECL_PARAM
                             ? pl_node_bare(pl_fe_settled_argument(f, decl))
                             : NULL;
  if (given && given->kind == PL_NODE_LAMBDA)
    return (pl_node *)given;
  if (given && given->kind == PL_NODE_REF)
    decl = given->decl;
  pl_node *init = decl && decl->kind == PL_DECL_VAR && decl->init
                      ? pl_node_bare(decl->init)
                      : NULL;
  return init && init->kind == PL_NODE_LAMBDA ? init : NULL;
}

pl_node *pl_fe_build_call(pl_fe *f, CXCursor cursor) {
  size_t first, n = pl_fe_children(f, cursor, pl_fe_collect_code, &first);
  CXCursor target = clang_getCursorReferenced(cursor);
  pl_fe_note_instance(f, target);
  pl_node *node = dispatch_call(f, cursor, first, n);
  pl_fe_drop_children(f, first);
  pl_node *lambda = node ? lambda_called(f, node) : NULL;
  if (lambda && clang_getCursorKind(target) == CXCursor_CXXMethod &&
      !clang_Cursor_isNull(clang_getSpecializedCursorTemplate(target)))
    pl_fe_settle_lambda(f, lambda, target, node);
  return node;
}
