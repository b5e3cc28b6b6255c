/* clang_instances.c - template instances: their arguments, and what clang knows
 * of the names, types and sizes in each. */
#include "clang_parts.h"

/* Recursive templates end somewhere; we end earlier. */
#define INSTANCE_DEPTH 1000

/* What collect_constant adds to. */
typedef struct constant_list {
  pl_fe *f;
  pl_type *type;
  size_t n, cap;
} constant_list;

static enum CXChildVisitResult
collect_constant(CXCursor cursor, CXCursor parent, CXClientData data) {
  constant_list *list = data;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  (void)parent;
  if (kind == CXCursor_EnumDecl)
    return CXChildVisit_Recurse;
  if (kind != CXCursor_VarDecl && kind != CXCursor_EnumConstantDecl)
    return CXChildVisit_Continue;
  pl_decl *decl = pl_fe_decl_for(list->f, cursor);
  const pl_type *type = decl->type;
  if (!decl->has_value && type && type->is_const && !type->is_volatile &&
      (type->kind == PL_TYPE_INT || type->kind == PL_TYPE_BOOL))
    decl->has_value = pl_fe_evaluate_int(cursor, &decl->value);
  if (decl->has_value)
    PL_PUSH(list->f->arena, list->type->constants, list->n, list->cap, decl);
  return CXChildVisit_Continue;
}

/* The argument's type, with the record's constants in a copy of its own. */
static const pl_type *argument_type(pl_fe *f, CXType key) {
  const pl_type *type = pl_fe_type_for(f, key);
  if (!type || type->kind != PL_TYPE_RECORD)
    return type;
  pl_type *copy = PL_NEW(f->arena, pl_type);
  *copy = *type;
  constant_list list = {.f = f, .type = copy};
  pl_fe_visit_children(f, clang_getTypeDeclaration(clang_getCanonicalType(key)),
                       collect_constant, &list);
  copy->nconstants = (uint32_t)list.n;
  return copy;
}

static void fill_argument(pl_fe *f, CXCursor cursor, unsigned i,
                          struct pl_template_arg *arg) {
  switch (clang_Cursor_getTemplateArgumentKind(cursor, i)) {
  case CXTemplateArgumentKind_Type:
    arg->type =
        argument_type(f, clang_Cursor_getTemplateArgumentType(cursor, i));
    break;
  case CXTemplateArgumentKind_Integral:
    arg->is_value = true;
    arg->value = clang_Cursor_getTemplateArgumentValue(cursor, i);
    break;
  default:
    break;
  }
}

static void spell_argument(pl_text *out, const struct pl_template_arg *arg,
                           const pl_decl *param) {
  if (!arg->is_value)
    pl_text_printf(out, "%s%s%.*s", arg->type && arg->type->is_const ? "const " : "",
                   arg->type && arg->type->is_volatile ? "volatile " : "",
                   PL_FMT(arg->type ? arg->type->spelling : PL_STR("?")));
  else if (param->type && param->type->kind == PL_TYPE_BOOL)
    pl_text_add(out, arg->value ? PL_STR("true") : PL_STR("false"));
  else
    pl_text_printf(out, "%lld", (long long)arg->value);
}

static pl_str spell_instance(pl_fe *f, const pl_instance *instance,
                             const pl_func *func) {
  pl_text out = {.arena = f->arena};
  for (uint32_t i = 0; i < instance->nargs; i++) {
    if (i)
      pl_text_add(&out, PL_STR(", "));
    spell_argument(&out, &instance->args[i], func->template_params[i]);
  }
  return pl_arena_str(f->arena, out.p, out.n);
}

static bool is_method(CXCursor cursor) {
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  return kind == CXCursor_CXXMethod || kind == CXCursor_Constructor ||
         kind == CXCursor_ConversionFunction;
}

/* The function template, or method of a class template, whose parameters the
 * arguments of `cursor` are; NULL: none of the model. */
static pl_func *instantiated_func(pl_fe *f, CXCursor cursor) {
  pl_func *pattern = pl_fe_pattern_of(f, cursor);
  if (!pattern)
    return NULL;
  if (is_method(cursor))
    return !pattern->is_template && pattern->ntemplate_params ? pattern : NULL;
  bool direct = clang_getCursorKind(clang_getSpecializedCursorTemplate(
                    cursor)) == CXCursor_FunctionTemplate;
  return clang_getCursorKind(cursor) == CXCursor_FunctionDecl && direct
             ? pattern
             : NULL;
}

/* One instantiation whose body is being looked at. */
typedef struct instance_walk {
  pl_fe *f;
  pl_func *func;
  uint32_t index;
  CXFile header; /* that holds the function; NULL: the main file does */
} instance_walk;

/* What tells a place in the function's text from all others; {0, 0}: a macro
 * makes it. */
static pl_range place_of(const instance_walk *walk, CXCursor cursor) {
  return walk->header ? pl_fe_header_place(cursor, walk->header)
                      : pl_fe_cursor_range(walk->f, cursor);
}

/* The size of a shared variable whose type hangs on the arguments. */
static void note_object(instance_walk *walk, CXCursor cursor) {
  pl_decl attributes = {0};
  struct pl_object_size object;
  clang_visitChildren(cursor, pl_fe_note_attribute, &attributes);
  if (!attributes.is_shared ||
      pl_fe_locate(walk->f, clang_getCursorLocation(cursor), &object.at) !=
          PLACE_MAIN)
    return;
  CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
  object.bytes = pl_fe_has_layout(type) ? clang_Type_getSizeOf(type) : -1;
  pl_instance *instance = &walk->func->instances[walk->index];
  if (object.bytes > 0)
    PL_PUSH(walk->f->arena, instance->objects, instance->nobjects,
            instance->objects_cap, object);
}

static void add_fact(instance_walk *walk, pl_instance_fact fact) {
  pl_instance *instance = &walk->func->instances[walk->index];
  PL_PUSH(walk->f->arena, instance->facts, instance->nfacts,
          instance->facts_cap, fact);
}

/* The type of a variable or parameter, known by the place of its name. */
static void note_type(instance_walk *walk, CXCursor cursor) {
  uint32_t at;
  if (pl_fe_locate(walk->f, clang_getCursorLocation(cursor), &at) != PLACE_MAIN)
    return;
  add_fact(walk, (pl_instance_fact){.at = {at, at},
                                    .type = pl_fe_type_for(
                                        walk->f, clang_getCursorType(cursor))});
}

static bool is_member_of_record(CXCursor cursor) {
  enum CXCursorKind kind =
      clang_getCursorKind(clang_getCursorSemanticParent(cursor));
  return kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl ||
         kind == CXCursor_EnumDecl || kind == CXCursor_UnionDecl;
}

/* A name in the body: the constant that it stands for. (Of a header's text none are
 * asked for.) */
static void note_name(instance_walk *walk, CXCursor cursor, CXCursor target) {
  enum CXCursorKind kind = clang_getCursorKind(target);
  pl_instance_fact fact = {.at = place_of(walk, cursor)};
  if (!fact.at.end)
    return;
  if (!walk->header)
    fact.name = pl_fe_dependent_name(walk->f, fact.at);
  if (!walk->header &&
      (kind == CXCursor_EnumConstantDecl ||
       (kind == CXCursor_VarDecl && is_member_of_record(target) &&
        clang_isConstQualifiedType(clang_getCursorType(target)))))
    fact.has_value = pl_fe_evaluate_int(cursor, &fact.value);
  if (fact.has_value)
    add_fact(walk, fact);
}

static pl_str first_word(pl_fe *f, pl_range range) {
  uint32_t at = pl_token_from(f->unit, range.begin);
  return range.end && at < f->unit->ntokens ? pl_token_text(f->unit, at)
                                            : (pl_str){NULL, 0};
}

/* sizeof of what hangs on the arguments. */
static void note_size(instance_walk *walk, CXCursor cursor) {
  pl_instance_fact fact = {.at = pl_fe_cursor_range(walk->f, cursor)};
  if (!pl_str_is(first_word(walk->f, fact.at), "sizeof"))
    return;
  fact.has_value = pl_fe_evaluate_int(cursor, &fact.value);
  if (fact.has_value)
    add_fact(walk, fact);
}

/* `k<T>` in a list of kernels: clang leaves open which instantiation is meant. */
static void note_open_name(pl_fe *f, CXCursor cursor) {
  for (unsigned i = 0; i < clang_getNumOverloadedDecls(cursor); i++) {
    pl_decl *decl = pl_fe_decls_find(
        f, clang_getCanonicalCursor(clang_getOverloadedDecl(cursor, i)));
    if (decl && decl->func && decl->func->is_global)
      decl->func->is_named_openly = true;
  }
}

/* Below an instantiation clang shows the body with its arguments put in: what
 * it launches and calls are instances too. */
static enum CXChildVisitResult
note_inner_instance(CXCursor cursor, CXCursor parent, CXClientData data) {
  instance_walk *walk = data;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  (void)parent;
  if (kind == CXCursor_DeclRefExpr || kind == CXCursor_MemberRefExpr) {
    CXCursor target = clang_getCursorReferenced(cursor);
    walk->f->depth++;
    pl_fe_note_instance(walk->f, target);
    walk->f->depth--;
    note_name(walk, cursor, target);
  }
  if (kind == CXCursor_CallExpr) {
    walk->f->depth++;
    pl_fe_note_instance(walk->f, clang_getCursorReferenced(cursor));
    walk->f->depth--;
  }
  if (kind == CXCursor_OverloadedDeclRef)
    note_open_name(walk->f, cursor);
  if (kind == CXCursor_UnaryExpr)
    note_size(walk, cursor);
  if (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl)
    note_type(walk, cursor);
  if (kind == CXCursor_VarDecl)
    note_object(walk, cursor);
  return CXChildVisit_Recurse;
}

/* The instantiation that was noted of a declaration; -1: none was. */
static int noted_as(const pl_fe *f, const pl_func *func, CXCursor key) {
  for (size_t i = 0; i < f->nnoted_as; i++)
    if (f->noted_as[i].func == func &&
        clang_equalCursors(f->noted_as[i].cursor, key))
      return f->noted_as[i].instance;
  return -1;
}

int pl_fe_note_instance(pl_fe *f, CXCursor cursor) {
  if (!f->knows_patterns && pl_fe_is_function_kind(pl_fe_decl_kind(
                                clang_getCursorKind(cursor))))
    PL_PUSH(f->arena, f->noted, f->nnoted, f->noted_cap, cursor);
  pl_func *func = instantiated_func(f, cursor);
  if (!func)
    return -1;
  pl_instance instance = {.index = func->ninstances,
                          .nargs = func->ntemplate_params};
  CXCursor method = cursor;
  if (is_method(cursor))
    cursor = clang_getCursorSemanticParent(cursor);
  CXCursor key = clang_getCanonicalCursor(cursor);
  int known = noted_as(f, func, key);
  if (known >= 0)
    return known;
  int given = clang_Cursor_getNumTemplateArguments(cursor);
  if (given < (int)instance.nargs && func->is_method)
    return -1;
  instance.args =
      PL_NEW_ARRAY(f->arena, struct pl_template_arg, instance.nargs + 1);
  for (uint32_t i = 0; i < instance.nargs && (int)i < given; i++)
    fill_argument(f, cursor, i, &instance.args[i]);
  instance.spelling = spell_instance(f, &instance, func);
  for (uint32_t i = 0; i < func->ninstances; i++)
    if (pl_str_eq(func->instances[i].spelling, instance.spelling) &&
        !pl_str_has(instance.spelling, "?"))
      return (int)i;
  if (func->ninstances >= PL_MAX_INSTANCES)
    return -1;
  pl_instance *grown =
      PL_NEW_ARRAY(f->arena, pl_instance, func->ninstances + 1);
  for (uint32_t i = 0; i < func->ninstances; i++)
    grown[i] = func->instances[i];
  grown[func->ninstances] = instance;
  func->instances = grown;
  int index = (int)func->ninstances++;
  PL_PUSH(f->arena, f->noted_as, f->nnoted_as, f->noted_as_cap,
          ((pl_fe_body){func, key, index, NULL}));
  instance_walk walk = {f, func, (uint32_t)index, pl_fe_header_of(f, method)};
  if (f->depth < INSTANCE_DEPTH)
    pl_fe_visit_children(f, method, note_inner_instance, &walk);
  return index;
}
