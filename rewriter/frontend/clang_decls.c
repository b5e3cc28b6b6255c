/* clang_decls.c - clang's declarations as ours, one pl_decl for each. */
#include "clang_parts.h"

#include "builds.h"

#include <string.h>

static void decls_insert(pl_fe_decl *slots, size_t cap, pl_fe_decl slot) {
  size_t at = clang_hashCursor(slot.key) & (cap - 1);
  while (slots[at].value)
    at = (at + 1) & (cap - 1);
  slots[at] = slot;
}

void pl_fe_decls_add(pl_fe *f, CXCursor key, pl_decl *value) {
  if (f->ndecls * 2 >= f->decls_cap) {
    size_t cap = f->decls_cap ? f->decls_cap * 2 : 256;
    pl_fe_decl *slots = PL_NEW_ARRAY(f->arena, pl_fe_decl, cap);
    for (size_t i = 0; i < f->decls_cap; i++)
      if (f->decls[i].value)
        decls_insert(slots, cap, f->decls[i]);
    f->decls = slots;
    f->decls_cap = cap;
  }
  decls_insert(f->decls, f->decls_cap, (pl_fe_decl){key, value});
  f->ndecls++;
}

pl_decl *pl_fe_decls_find(pl_fe *f, CXCursor key) {
  if (!f->decls_cap)
    return NULL;
  size_t at = clang_hashCursor(key) & (f->decls_cap - 1);
  for (; f->decls[at].value; at = (at + 1) & (f->decls_cap - 1))
    if (clang_equalCursors(f->decls[at].key, key))
      return f->decls[at].value;
  return NULL;
}

pl_decl_kind pl_fe_decl_kind(enum CXCursorKind kind) {
  switch (kind) {
  case CXCursor_VarDecl:
    return PL_DECL_VAR;
  case CXCursor_ParmDecl:
    return PL_DECL_PARAM;
  case CXCursor_FunctionDecl:
  case CXCursor_FunctionTemplate:
  case CXCursor_Constructor:
  case CXCursor_Destructor:
    return PL_DECL_FUNC;
  case CXCursor_CXXMethod:
  case CXCursor_ConversionFunction:
    return PL_DECL_METHOD;
  case CXCursor_NonTypeTemplateParameter:
    return PL_DECL_TEMPLATE_VALUE;
  case CXCursor_TemplateTypeParameter:
    return PL_DECL_TEMPLATE_TYPE;
  case CXCursor_EnumConstantDecl:
    return PL_DECL_ENUM_CONSTANT;
  case CXCursor_FieldDecl:
    return PL_DECL_FIELD;
  default:
    return PL_DECL_OTHER;
  }
}

bool pl_fe_is_function_kind(pl_decl_kind kind) {
  return kind == PL_DECL_FUNC || kind == PL_DECL_METHOD;
}

/* Namespaces that only hold a library's version are left out, so that a name
 * reads the same under the shim and under the toolkit. */
static bool is_scope(CXCursor cursor, pl_str name) {
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (kind == CXCursor_Namespace)
    return name.n > 0 && !pl_str_starts(name, "__");
  return name.n > 0 &&
         (kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl ||
          kind == CXCursor_UnionDecl || kind == CXCursor_ClassTemplate ||
          kind == CXCursor_ClassTemplatePartialSpecialization);
}

static pl_str qualified_name(pl_fe *f, CXCursor cursor, pl_str name) {
  CXCursor scope = clang_getCursorSemanticParent(cursor);
  for (int i = 0; i < 64 && !clang_Cursor_isNull(scope); i++) {
    enum CXCursorKind kind = clang_getCursorKind(scope);
    if (clang_isTranslationUnit(kind) || clang_isInvalid(kind))
      break;
    pl_str outer = pl_fe_take_string(f, clang_getCursorSpelling(scope));
    if (is_scope(scope, outer))
      name =
          pl_arena_printf(f->arena, "%.*s::%.*s", PL_FMT(outer), PL_FMT(name));
    scope = clang_getCursorSemanticParent(scope);
  }
  return name;
}

/* Whether the member template of a class template was specialized: it has a
 * body that is not the one of its pattern. */
static bool has_own_text(CXCursor cursor, CXCursor pattern) {
  CXCursor own = clang_getCursorDefinition(cursor);
  CXCursor other = clang_getCursorDefinition(pattern);
  return clang_getCursorKind(cursor) == CXCursor_FunctionTemplate &&
         !clang_Cursor_isNull(own) &&
         !clang_equalLocations(
             clang_getCursorLocation(own),
             clang_getCursorLocation(clang_Cursor_isNull(other) ? pattern
                                                                : other));
}

/* A variable is known by its definition, or else its first declaration: a method
 * names the member that its class declares, what follows the one that is defined
 * outside it. Dynamic shared memory is known by each declaration, with a type of
 * its own. */
static CXCursor variable_key(CXCursor cursor) {
  pl_decl attributes = {0};
  CXCursor definition = clang_getCursorDefinition(cursor);
  CXCursor key = clang_Cursor_isNull(definition)
                     ? clang_getCanonicalCursor(cursor)
                     : definition;
  if (clang_getCursorKind(key) != CXCursor_VarDecl ||
      clang_equalCursors(key, cursor))
    return cursor;
  clang_visitChildren(cursor, pl_fe_note_attribute, &attributes);
  return attributes.is_shared ? cursor : key;
}

/* Functions are known by their first declaration. An instantiation whose body is
 * not seen is known by its template, unless it is a specialization that has a
 * body of its own. */
static CXCursor decl_key(pl_fe *f, CXCursor cursor) {
  if (clang_getCursorKind(cursor) == CXCursor_VarDecl)
    return variable_key(cursor);
  if (!pl_fe_is_function_kind(pl_fe_decl_kind(clang_getCursorKind(cursor))))
    return cursor;
  CXCursor key = clang_getCanonicalCursor(cursor);
  if (pl_fe_decls_find(f, key))
    return key;
  for (;;) {
    CXCursor pattern = clang_getSpecializedCursorTemplate(cursor);
    if (clang_Cursor_isNull(pattern) || has_own_text(cursor, pattern))
      return key;
    cursor = pattern;
    key = clang_getCanonicalCursor(cursor);
    if (pl_fe_decls_find(f, key))
      return key;
  }
}

/* Where a name stands in the main file; empty where it is not spelled there. */
pl_range pl_fe_name_range(pl_fe *f, CXCursor cursor, pl_str name) {
  uint32_t at;
  pl_fe_locate(f, clang_getCursorLocation(cursor), &at);
  pl_range range = {at, at + (uint32_t)name.n};
  bool spelled = name.n && range.end <= f->unit->text.n &&
                 pl_str_eq(pl_unit_slice(f->unit, range), name);
  return spelled ? range : (pl_range){0};
}

/* Where the name stands; a name that is not spelled there is a macro's. */
static void fill_place(pl_fe *f, pl_decl *decl, CXCursor cursor) {
  uint32_t at;
  pl_place where = pl_fe_locate(f, clang_getCursorLocation(cursor), &at);
  decl->in_main = where == PLACE_MAIN;
  decl->is_user = where != PLACE_SYSTEM;
  decl->is_virtual = clang_CXXMethod_isVirtual(cursor) != 0;
  decl->is_public = clang_getCXXAccessSpecifier(cursor) == CX_CXXPublic;
  decl->is_defaulted = clang_CXXMethod_isDefaulted(cursor) != 0;
  if (decl->is_user && !decl->is_defaulted)
    pl_fe_look_at_making(f, cursor, decl);
  if (!decl->in_main)
    return;
  decl->range = pl_fe_cursor_range(f, cursor);
  decl->name_range = pl_fe_name_range(f, cursor, decl->name);
  if (!decl->name_range.end)
    decl->from_macro = pl_source_use_at(&f->source, at) != PL_NONE;
}

static void fill_storage(pl_decl *decl, CXCursor cursor) {
  enum CX_StorageClass storage = clang_Cursor_getStorageClass(cursor);
  decl->is_extern = storage == CX_SC_Extern;
  decl->is_static = storage == CX_SC_Static;
  decl->is_volatile = decl->type && decl->type->is_volatile;
}

static void note_annotation(pl_decl *decl, CXCursor cursor) {
  CXString text = clang_getCursorSpelling(cursor);
  const char *p = clang_getCString(text);
  decl->is_apart_here |= p && !strcmp(p, PL_APART_HERE_MARK);
  decl->is_apart |= decl->is_apart_here || (p && !strcmp(p, PL_APART_MARK));
  clang_disposeString(text);
}

enum CXChildVisitResult pl_fe_note_attribute(CXCursor cursor, CXCursor parent,
                                             CXClientData data) {
  pl_decl *decl = data;
  (void)parent;
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_CUDASharedAttr:
    decl->is_shared = true;
    break;
  case CXCursor_CUDAConstantAttr:
    decl->is_constant_memory = true;
    break;
  case CXCursor_CUDADeviceAttr:
    decl->is_device = true;
    break;
  case CXCursor_AnnotateAttr:
    note_annotation(decl, cursor);
    break;
  default:
    break;
  }
  return CXChildVisit_Continue;
}

static int64_t field_offset(CXCursor field, uint32_t at) {
  if (pl_fe_is_union(clang_getCursorSemanticParent(field)))
    return 0;
  long long bits = clang_Cursor_getOffsetOfField(field), unit = 1;
  if (clang_Cursor_isBitField(field))
    unit = clang_Type_getSizeOf(clang_getCursorType(field));
  if (bits < 0 || unit < 1)
    return ((int64_t)at + 1) << 32;
  return bits / 8 / unit * unit;
}

/* Whether a field, or an unnamed record that it is in, shares its place with others. */
static bool is_in_union(CXCursor field) {
  CXCursor record = clang_getCursorSemanticParent(field);
  while (clang_isDeclaration(clang_getCursorKind(record)) &&
         clang_Cursor_isAnonymous(record) && !pl_fe_is_union(record))
    record = clang_getCursorSemanticParent(record);
  return pl_fe_is_union(record);
}

typedef struct field_search {
  CXCursor like, found;
} field_search;

static enum CXChildVisitResult find_field(CXCursor cursor, CXCursor parent,
                                          CXClientData data) {
  field_search *s = data;
  (void)parent;
  if (clang_getCursorKind(cursor) != CXCursor_FieldDecl ||
      !clang_equalLocations(clang_getCursorLocation(cursor),
                            clang_getCursorLocation(s->like)))
    return CXChildVisit_Continue;
  s->found = cursor;
  return CXChildVisit_Break;
}

/* Of `T tile[N]` in `template <class T, int N> struct Sums { struct Storage { ... }; };`
 * that type: the record is no template itself, and the class is its outermost one. */
static const pl_type *type_in_class(pl_fe *f, CXCursor field) {
  field_search s = {field, clang_getNullCursor()};
  CXCursor text =
      clang_getSpecializedCursorTemplate(clang_getCursorSemanticParent(field));
  enum CXCursorKind kind = clang_getCursorKind(text);
  CXCursor class = clang_getCursorSemanticParent(text);
  if (clang_Cursor_isNull(text) ||
      (kind != CXCursor_StructDecl && kind != CXCursor_ClassDecl) ||
      clang_getCursorKind(class) != CXCursor_ClassTemplate)
    return NULL;
  clang_visitChildren(text, find_field, &s);
  return clang_Cursor_isNull(s.found)
             ? NULL
             : pl_fe_type_for(f, clang_getCursorType(s.found));
}

/* Whether an enumerator of a text has a name: `A` of `enum { A, B = A + 1 }`. */
static bool is_enumerator(const pl_token *tokens, uint32_t n, pl_str text, pl_str name) {
  for (uint32_t i = 1; i < n; i++) {
    pl_str before = pl_token_in(text, &tokens[i - 1]);
    if (pl_str_eq(pl_token_in(text, &tokens[i]), name) &&
        (pl_str_is(before, "{") || pl_str_is(before, ",")))
      return true;
  }
  return false;
}

/* Whether the numbers of an enumeration may be others in another build: its values name
 * what is neither an enumerator of its own nor a macro with one number. */
static bool is_open_enumeration(pl_fe *f, CXCursor cursor) {
  pl_str text = pl_fe_file_text(f, cursor);
  pl_range range = pl_fe_cursor_range(f, cursor);
  uint32_t n = 0, i = 0;
  const pl_token *tokens = pl_lex(f->arena, text, &n);
  while (i < n && !pl_str_is(pl_token_in(text, &tokens[i]), "{"))
    i++;
  for (; i < n; i++) {
    pl_str name = pl_token_in(text, &tokens[i]);
    pl_range at = {range.begin + tokens[i].range.begin, range.begin + tokens[i].range.end};
    bool number = range.end && pl_macro_is_number(f->unit, at);
    if (tokens[i].kind == PL_TOK_IDENT && !number && !pl_is_keyword(name) &&
        !is_enumerator(tokens, n, text, name))
      return true;
  }
  return false;
}

pl_decl *pl_fe_make_decl(pl_fe *f, CXCursor cursor) {
  pl_decl *decl = PL_NEW(f->arena, pl_decl);
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  decl->kind = pl_fe_decl_kind(kind);
  decl->name = pl_fe_take_string(f, clang_getCursorSpelling(cursor));
  decl->type = pl_fe_type_for(f, clang_getCursorType(cursor));
  fill_place(f, decl, cursor);
  fill_storage(decl, cursor);
  decl->is_field = kind == CXCursor_FieldDecl;
  if (decl->is_field) {
    decl->field_offset = field_offset(cursor, decl->name_range.begin);
    decl->is_in_union = is_in_union(cursor);
    decl->is_bit_field = clang_Cursor_isBitField(cursor);
    decl->text_type = type_in_class(f, cursor);
  }
  if (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_FUNC)
    clang_visitChildren(cursor, pl_fe_note_attribute, decl);
  if (decl->kind == PL_DECL_PARAM)
    pl_fe_note_pointers(f, decl, clang_getCursorType(cursor));
  decl->is_static = decl->is_static && !decl->is_shared;
  if (decl->kind == PL_DECL_ENUM_CONSTANT) {
    decl->has_value = decl->is_constexpr = true;
    decl->value =
        decl->type && decl->type->is_unsigned
            ? (int64_t)clang_getEnumConstantDeclUnsignedValue(cursor)
            : clang_getEnumConstantDeclValue(cursor);
    decl->is_open = is_open_enumeration(f, clang_getCursorSemanticParent(cursor));
  }
  decl->qualified = decl->kind == PL_DECL_PARAM
                        ? decl->name
                        : qualified_name(f, cursor, decl->name);
  return decl;
}

pl_decl *pl_fe_decl_for(pl_fe *f, CXCursor cursor) {
  if (clang_Cursor_isNull(cursor) ||
      clang_isInvalid(clang_getCursorKind(cursor)))
    return NULL;
  pl_decl *decl = pl_fe_closure_variable(f, cursor);
  if (decl)
    return decl;
  decl = pl_fe_instance_decl(f, cursor);
  if (decl)
    return decl;
  CXCursor key = decl_key(f, cursor);
  decl = pl_fe_decls_find(f, key);
  if (!decl) {
    decl = pl_fe_make_decl(f, key);
    pl_fe_decls_add(f, key, decl);
  }
  return decl;
}
