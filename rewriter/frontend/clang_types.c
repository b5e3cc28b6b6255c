/* clang_types.c - clang's types as ours, one pl_type for each. */
#include "clang_parts.h"

#include <string.h>

static bool is_pair_of(pl_str name, size_t digit_at) {
  return digit_at + 1 == name.n && name.p[digit_at] >= '1' &&
         name.p[digit_at] <= '4';
}

bool pl_fe_is_cuda_value_type(pl_str name) {
  static const char *const scalars[] = {
      "char", "uchar", "short",    "ushort", "int",    "uint",
      "long", "ulong", "longlong", "float",  "double", "ulonglong"};
  static const char *const others[] = {"__half",
                                       "__half2",
                                       "__nv_bfloat16",
                                       "__nv_bfloat162",
                                       "__nv_fp8_e4m3",
                                       "__nv_fp8_e5m2",
                                       "dim3",
                                       "__half_raw",
                                       "__nv_fp8x2_e4m3",
                                       "__nv_fp8x2_e5m2",
                                       "__nv_fp8x4_e4m3",
                                       "__nv_fp8x4_e5m2"};
  for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
    if (pl_str_starts(name, scalars[i]) && is_pair_of(name, strlen(scalars[i])))
      return true;
  return PL_STR_IS_ONE(name, others);
}

static pl_type_kind integer_kind(enum CXTypeKind kind) {
  if (kind == CXType_Bool)
    return PL_TYPE_BOOL;
  return kind >= CXType_Char_U && kind <= CXType_Int128 ? PL_TYPE_INT
                                                        : PL_TYPE_OTHER;
}

static pl_type_kind type_kind(enum CXTypeKind kind) {
  switch (kind) {
  case CXType_Void:
    return PL_TYPE_VOID;
  case CXType_Float:
  case CXType_Double:
  case CXType_LongDouble:
  case CXType_Half:
  case CXType_Float16:
  case CXType_BFloat16:
    return PL_TYPE_FLOAT;
  case CXType_Record:
    return PL_TYPE_RECORD;
  case CXType_Enum:
    return PL_TYPE_ENUM;
  case CXType_Pointer:
    return PL_TYPE_POINTER;
  case CXType_LValueReference:
  case CXType_RValueReference:
    return PL_TYPE_REFERENCE;
  case CXType_ConstantArray:
  case CXType_IncompleteArray:
  case CXType_VariableArray:
  case CXType_DependentSizedArray:
    return PL_TYPE_ARRAY;
  case CXType_FunctionProto:
  case CXType_FunctionNoProto:
    return PL_TYPE_FUNCTION;
  case CXType_Dependent:
  case CXType_Unexposed:
    return PL_TYPE_DEPENDENT;
  default:
    return integer_kind(kind);
  }
}

static bool is_unsigned_kind(enum CXTypeKind kind) {
  return kind == CXType_Char_U || kind == CXType_UChar ||
         kind == CXType_Char16 || kind == CXType_Char32 ||
         kind == CXType_UShort || kind == CXType_UInt || kind == CXType_ULong ||
         kind == CXType_ULongLong || kind == CXType_UInt128 ||
         kind == CXType_Bool;
}

/* Of an enumeration: the integer that holds its values. */
static enum CXTypeKind underlying_kind(CXType canonical) {
  CXCursor decl = clang_getTypeDeclaration(canonical);
  return clang_getCanonicalType(clang_getEnumDeclIntegerType(decl)).kind;
}

/* The element of the sugared type where its own form shows one: it keeps the
 * user's spelling, `T` and not `type-parameter-0-1`. */
static CXType element_type(CXType sugared, CXType canonical) {
  pl_type_kind kind = type_kind(canonical.kind);
  CXType from = type_kind(sugared.kind) == kind ? sugared : canonical;
  return kind == PL_TYPE_ARRAY ? clang_getArrayElementType(from)
                               : clang_getPointeeType(from);
}

/* An array is const, volatile or copyable as its elements are. */
static void inherit_from_element(pl_type *type) {
  type->is_const |= type->element->is_const;
  type->is_volatile |= type->element->is_volatile;
  type->is_trivially_copyable = type->element->is_trivially_copyable;
}

static void fill_element(pl_fe *f, pl_type *type, CXType sugared,
                         CXType canonical) {
  if (type->kind == PL_TYPE_FUNCTION)
    type->element = pl_fe_type_for(f, clang_getResultType(canonical));
  if (type->kind != PL_TYPE_ARRAY && type->kind != PL_TYPE_POINTER &&
      type->kind != PL_TYPE_REFERENCE)
    return;
  type->element = pl_fe_type_for(f, element_type(sugared, canonical));
  if (type->kind == PL_TYPE_ARRAY) {
    type->count = clang_getArraySize(canonical);
    inherit_from_element(type);
  }
}

/* "a::__v1::b" as "a::b": the toolkit's headers hide versions in inline
 * namespaces that the shim does not have. */
static pl_str without_versions(pl_fe *f, pl_str name) {
  if (!pl_str_has(name, "::__"))
    return name;
  pl_text out = {.arena = f->arena};
  for (size_t i = 0; i < name.n;) {
    size_t end = i;
    if (i >= 2 && name.n - i > 2 && memcmp(name.p + i - 2, "::__", 4) == 0) {
      while (end < name.n && name.p[end] != ':' && name.p[end] != '<' &&
             name.p[end] != ' ')
        end++;
      if (name.n - end >= 2 && memcmp(name.p + end, "::", 2) == 0) {
        i = end + 2;
        continue;
      }
    }
    pl_text_add(&out, (pl_str){name.p + i, 1});
    i++;
  }
  return pl_arena_str(f->arena, out.p, out.n);
}

bool pl_fe_has_layout(CXType canonical) {
  pl_type_kind kind = type_kind(canonical.kind);
  if (kind == PL_TYPE_ARRAY) {
    CXType element = clang_getArrayElementType(canonical);
    return pl_fe_has_layout(element) &&
           clang_Type_getSizeOf(element) != CXTypeLayoutError_Incomplete;
  }
  return kind != PL_TYPE_DEPENDENT && kind != PL_TYPE_OTHER &&
         kind != PL_TYPE_FUNCTION && kind != PL_TYPE_VOID;
}

bool pl_fe_is_union(CXCursor record) {
  enum CXCursorKind kind = clang_getCursorKind(record);
  if (kind == CXCursor_ClassTemplate)
    kind = clang_getTemplateCursorKind(record);
  return kind == CXCursor_UnionDecl;
}

/* A name may stand for a type with less alignment than its own. */
static long long lesser_alignment(CXType sugared, CXType canonical) {
  long long named = clang_Type_getAlignOf(sugared);
  long long own = clang_Type_getAlignOf(canonical);
  return named > 0 && named < own ? named : own;
}

static void fill_type(pl_fe *f, pl_type *type, CXType sugared) {
  CXType canonical = clang_getCanonicalType(sugared);
  long long size = -1, align = -1;
  bool laid_out = pl_fe_has_layout(canonical);
  type->kind = type_kind(canonical.kind);
  if (laid_out) {
    size = clang_Type_getSizeOf(canonical);
    align = lesser_alignment(sugared, canonical);
  }
  type->is_const = clang_isConstQualifiedType(canonical) != 0;
  type->is_volatile = clang_isVolatileQualifiedType(canonical) != 0;
  type->is_restrict = clang_isRestrictQualifiedType(canonical) != 0;
  type->is_unsigned = is_unsigned_kind(
      type->kind == PL_TYPE_ENUM ? underlying_kind(canonical) : canonical.kind);
  type->size = size < 0 ? -1 : size;
  type->align = align < 0 ? -1 : align;
  type->count = -1;
  type->spelling = without_versions(
      f, pl_fe_take_string(
             f, clang_getTypeSpelling(clang_getUnqualifiedType(canonical))));
  type->written = pl_fe_take_string(f, clang_getTypeSpelling(sugared));
  type->is_trivially_copyable =
      laid_out &&
      (clang_isPODType(canonical) || pl_fe_is_cuda_value_type(type->spelling));
  type->is_open = true;
  pl_fe_fill_record(f, type, canonical);
  type->is_open = false;
}

static size_t type_hash(CXType type) {
  uintptr_t a = (uintptr_t)type.data[0];
  return (size_t)((a >> 4) * 0x9E3779B97F4A7C15u >> 20);
}

static void types_grow(pl_fe *f) {
  size_t cap = f->types_cap ? f->types_cap * 2 : 256;
  pl_fe_type *slots = PL_NEW_ARRAY(f->arena, pl_fe_type, cap);
  for (size_t i = 0; i < f->types_cap; i++) {
    if (!f->types[i].value)
      continue;
    size_t at = type_hash(f->types[i].key) & (cap - 1);
    while (slots[at].value)
      at = (at + 1) & (cap - 1);
    slots[at] = f->types[i];
  }
  f->types = slots;
  f->types_cap = cap;
}

const pl_type *pl_fe_type_for(pl_fe *f, CXType key) {
  if (key.kind == CXType_Invalid)
    return NULL;
  if (f->ntypes * 2 >= f->types_cap)
    types_grow(f);
  size_t at = type_hash(key) & (f->types_cap - 1);
  for (; f->types[at].value; at = (at + 1) & (f->types_cap - 1))
    if (clang_equalTypes(f->types[at].key, key))
      return f->types[at].value;
  pl_type *type = PL_NEW(f->arena, pl_type);
  f->types[at] = (pl_fe_type){key, type};
  f->ntypes++;
  fill_type(f, type, key);
  fill_element(f, type, key, clang_getCanonicalType(key));
  return type;
}
