/* frontend_clang.c - bytes to model, by way of libclang.
 *
 * The first step: needs the bytes and the user's arguments, gives the pl_unit
 * that every pass reads. The only file that includes clang-c: it copies what
 * it needs into the arena and disposes of clang's objects before it returns.
 * Raises no reason IDs; what is wrong with the file becomes pl_problems. */
#include "frontend.h"

#include "frontend_args.h"
#include "frontend_parts.h"

#include <clang-c/Index.h>

#include <stdio.h>
#include <stdlib.h>
#include <ctype.h>
#include <string.h>
#include <unistd.h>

#if CINDEX_VERSION < 64
#error "libclang 17 or newer is needed: operator kinds"
#endif

#define DEPTH_LIMIT 1500
/* Recursive templates end somewhere; we end earlier. */
#define INSTANCE_DEPTH 1000
#define MAX_INSTANCES 256

/* A clang object to what we made of it. Open addressing, size a power of two;
 * an empty slot has no value. */
typedef struct decl_slot {
  CXCursor key;
  pl_decl *value;
} decl_slot;

typedef struct type_slot {
  CXType key;
  pl_type *value;
} type_slot;

/* Which file a location is in, as far as we care. */
typedef enum place { PLACE_MAIN, PLACE_USER, PLACE_SYSTEM } place;

/* Everything that one parse carries along. */
typedef struct fe {
  pl_arena *arena;
  pl_unit *unit;
  pl_source source;
  CXTranslationUnit tu;
  CXFile main_file;
  const char *main_name;
  CXFile last_file; /* the place cached for it */
  place last_place;
  decl_slot *decls;
  size_t ndecls, decls_cap;
  type_slot *types;
  size_t ntypes, types_cap;
  CXCursor *stack; /* children being worked on, innermost last */
  size_t nstack, stack_cap;
  pl_func *func;      /* being built */
  pl_range decl_stmt; /* being built: where a variable's attributes are */
  int depth;
  bool extern_c;
  size_t funcs_cap;
  const pl_type *unsigned_int; /* of threadIdx.x */
  pl_decl **globals; /* file-scope constants, for names in attributes */
  size_t nglobals, globals_cap;
} fe;

static pl_node *build_node(fe *f, CXCursor cursor);
static pl_node *build_statement(fe *f, CXCursor cursor);
static const pl_type *type_for(fe *f, CXType type);
static pl_decl *decl_for(fe *f, CXCursor cursor);
static void become_part(fe *f, pl_node *node);
static bool evaluate_int(CXCursor cursor, int64_t *value);
static CXType behind_reference(CXType type);
static void room_for_kids(fe *f, pl_node *node, size_t n);
static void add_kid(pl_node *node, pl_node *kid);
static void adopt(pl_node *node);

/* ---- strings and places ------------------------------------------------- */

/* Copies a clang string into the arena and gives clang its own back. */
static pl_str take_string(fe *f, CXString string) {
  const char *text = clang_getCString(string);
  pl_str copy = {NULL, 0};
  if (text && *text)
    copy = pl_arena_str(f->arena, text, strlen(text));
  clang_disposeString(string);
  return copy;
}

/* The file's name decides: ours, the toolkit's and the system's headers are
 * not the user's code. (clang_File_isEqual takes any two files that exist only
 * in memory for the same one.) */
static place file_place(fe *f, CXFile file, CXSourceLocation location) {
  place where = PLACE_USER;
  if (!file)
    return PLACE_SYSTEM;
  CXString name = clang_getFileName(file);
  const char *text = clang_getCString(name);
  if (text && strcmp(text, f->main_name) == 0)
    where = PLACE_MAIN;
  else if (clang_Location_isInSystemHeader(location) ||
           (text && strncmp(text, "/.pipelinify/", 13) == 0))
    where = PLACE_SYSTEM;
  clang_disposeString(name);
  return where;
}

static place cached_place(fe *f, CXFile file, CXSourceLocation location) {
  if (!file || file != f->last_file) {
    f->last_file = file;
    f->last_place = file_place(f, file, location);
  }
  return f->last_place;
}

/* The offset of a location: of the spelling where a macro's argument holds it,
 * of the macro's use where its body does. */
static place locate(fe *f, CXSourceLocation location, uint32_t *offset) {
  CXFile file;
  unsigned at;
  clang_getFileLocation(location, &file, NULL, NULL, &at);
  *offset = at;
  return cached_place(f, file, location);
}

/* A location ends at a macro's name where the macro stands in another one's
 * argument: clang then gives the begin of the inner use. */
static uint32_t end_offset(fe *f, CXSourceLocation end, uint32_t offset) {
  unsigned expansion;
  uint32_t use = pl_source_use_at(&f->source, offset);
  if (use == PL_NONE)
    return offset;
  clang_getExpansionLocation(end, NULL, NULL, NULL, &expansion);
  return expansion == offset ? offset : f->source.uses[use].range.end;
}

static bool raw_extent(fe *f, CXCursor cursor, pl_range *raw) {
  CXSourceRange extent = clang_getCursorExtent(cursor);
  CXSourceLocation end = clang_getRangeEnd(extent);
  if (locate(f, clang_getRangeStart(extent), &raw->begin) != PLACE_MAIN)
    return false;
  if (locate(f, end, &raw->end) != PLACE_MAIN)
    return false;
  raw->end = end_offset(f, end, raw->end);
  return true;
}

/* The file range of a cursor, {0, 0} outside the main file. */
static pl_range cursor_range(fe *f, CXCursor cursor) {
  pl_range raw;
  if (!raw_extent(f, cursor, &raw))
    return (pl_range){0, 0};
  pl_range range = pl_source_range(&f->source, raw.begin, raw.end);
  if (range.end > f->unit->text.n)
    range.end = (uint32_t)f->unit->text.n;
  return range.begin > range.end ? (pl_range){0, 0} : range;
}

static bool has_no_extent(CXCursor cursor) {
  return clang_Range_isNull(clang_getCursorExtent(cursor)) != 0;
}

/* ---- children ----------------------------------------------------------- */

static void push_cursor(fe *f, CXCursor cursor) {
  PL_PUSH(f->arena, f->stack, f->nstack, f->stack_cap, cursor);
}

/* Keeps expressions, statements and declarations; references and attributes
 * are no children of the model. */
static enum CXChildVisitResult collect_code(CXCursor cursor, CXCursor parent,
                                            CXClientData data) {
  (void)parent;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (clang_isExpression(kind) || clang_isStatement(kind) ||
      clang_isDeclaration(kind))
    push_cursor(data, cursor);
  return CXChildVisit_Continue;
}

static enum CXChildVisitResult collect_all(CXCursor cursor, CXCursor parent,
                                           CXClientData data) {
  (void)parent;
  push_cursor(data, cursor);
  return CXChildVisit_Continue;
}

/* A visit by libclang, whose frames must not be jumped over: each callback is
 * tried for itself. */
typedef struct visit {
  pl_arena *arena;
  CXCursorVisitor visitor;
  CXClientData data;
  CXCursor cursor, parent; /* of the callback in progress */
  enum CXChildVisitResult next;
  bool full;
} visit;

static void visit_one(void *context) {
  visit *v = context;
  v->next = v->visitor(v->cursor, v->parent, v->data);
}

static enum CXChildVisitResult try_one(CXCursor cursor, CXCursor parent,
                                       CXClientData data) {
  visit *v = data;
  v->cursor = cursor;
  v->parent = parent;
  if (!v->full) /* libclang goes on to the declarations after its macros */
    v->full = !pl_arena_try(v->arena, visit_one, v);
  return v->full ? CXChildVisit_Break : v->next;
}

/* clang_visitChildren for visitors that allocate. */
static void visit_children(fe *f, CXCursor cursor, CXCursorVisitor visitor,
                           CXClientData data) {
  visit v = {.arena = f->arena, .visitor = visitor, .data = data};
  clang_visitChildren(cursor, try_one, &v);
  if (v.full)
    pl_arena_out_of_memory(f->arena);
}

/* Children lie at f->stack[*first ...] until `drop_children(f, first)`. */
static size_t children(fe *f, CXCursor cursor, CXCursorVisitor visitor,
                       size_t *first) {
  *first = f->nstack;
  visit_children(f, cursor, visitor, f);
  return f->nstack - *first;
}

static void drop_children(fe *f, size_t first) { f->nstack = first; }

/* ---- types -------------------------------------------------------------- */

static bool is_pair_of(pl_str name, size_t digit_at) {
  return digit_at + 1 == name.n && name.p[digit_at] >= '1' &&
         name.p[digit_at] <= '4';
}

/* CUDA's value types, whether or not their C++ definition is a POD. */
static bool is_cuda_value_type(pl_str name) {
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
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (pl_str_is(name, others[i]))
      return true;
  return false;
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

static void fill_element(fe *f, pl_type *type, CXType sugared,
                         CXType canonical) {
  if (type->kind != PL_TYPE_ARRAY && type->kind != PL_TYPE_POINTER &&
      type->kind != PL_TYPE_REFERENCE)
    return;
  type->element = type_for(f, element_type(sugared, canonical));
  if (type->kind == PL_TYPE_ARRAY) {
    type->count = clang_getArraySize(canonical);
    inherit_from_element(type);
  }
}

/* "a::__v1::b" as "a::b": the toolkit's headers hide versions in inline
 * namespaces that the shim does not have. */
static pl_str without_versions(fe *f, pl_str name) {
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

/* Types that clang can be asked the size of; it crashes on placeholders such as
 * the type of an overloaded name, and on arrays whose elements are declared and
 * never defined. */
static bool has_layout(CXType canonical) {
  pl_type_kind kind = type_kind(canonical.kind);
  if (kind == PL_TYPE_ARRAY) {
    CXType element = clang_getArrayElementType(canonical);
    return has_layout(element) && clang_Type_getSizeOf(element) !=
                                      CXTypeLayoutError_Incomplete;
  }
  return kind != PL_TYPE_DEPENDENT && kind != PL_TYPE_OTHER &&
         kind != PL_TYPE_FUNCTION && kind != PL_TYPE_VOID;
}

static bool is_union(CXCursor record) {
  enum CXCursorKind kind = clang_getCursorKind(record);
  if (kind == CXCursor_ClassTemplate)
    kind = clang_getTemplateCursorKind(record);
  return kind == CXCursor_UnionDecl;
}

/* ---- code that runs where no text of it stands ---------------------------- */

typedef struct origin_walk {
  fe *f;
  pl_origin origin;
} origin_walk;

static pl_origin origin_of_name(fe *f, CXCursor cursor) {
  const pl_decl *decl = decl_for(f, clang_getCursorReferenced(cursor));
  int64_t value;
  if (!decl || decl->kind != PL_DECL_VAR || decl->is_constant_memory ||
      (decl->type && decl->type->is_const && decl->is_user) ||
      evaluate_int(cursor, &value))
    return PL_ORIGIN_NUMBERS;
  if (decl->is_user)
    return PL_ORIGIN_CODE;
  return pl_str_is(decl->name, "threadIdx") ? PL_ORIGIN_THREAD
                                            : PL_ORIGIN_NUMBERS;
}

/* A function, or a constructor of the user's, does what it likes; `Op()` of a
 * template's own parameter is settled by nobody yet. */
static bool calls_code(fe *f, CXCursor cursor) {
  CXCursor target = clang_getCursorReferenced(cursor);
  uint32_t at;
  if (clang_Cursor_isNull(target))
    return false;
  return clang_getCursorKind(target) != CXCursor_Constructor ||
         (!clang_CXXMethod_isDefaulted(target) &&
          locate(f, clang_getCursorLocation(target), &at) != PLACE_SYSTEM);
}

static enum CXChildVisitResult note_child(CXCursor cursor, CXCursor parent,
                                          CXClientData data) {
  (void)cursor, (void)parent;
  *(bool *)data = true;
  return CXChildVisit_Break;
}

/* (Of __builtin_LINE() clang shows nothing.) */
static enum CXChildVisitResult note_origin(CXCursor cursor, CXCursor parent,
                                           CXClientData data) {
  origin_walk *w = data;
  pl_origin origin = PL_ORIGIN_NUMBERS;
  bool inside = false;
  (void)parent;
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_CallExpr:
    origin = calls_code(w->f, cursor) ? PL_ORIGIN_CODE : PL_ORIGIN_NUMBERS;
    break;
  case CXCursor_DeclRefExpr:
    origin = origin_of_name(w->f, cursor);
    break;
  case CXCursor_OverloadedDeclRef:
  case CXCursor_LambdaExpr:
    origin = PL_ORIGIN_CODE;
    break;
  case CXCursor_UnexposedExpr:
    clang_visitChildren(cursor, note_child, &inside);
    origin = inside ? PL_ORIGIN_NUMBERS : PL_ORIGIN_CODE;
    break;
  default:
    break;
  }
  w->origin = origin > w->origin ? origin : w->origin;
  return CXChildVisit_Recurse;
}

/* Where a declaration's initialiser has its value from. */
static pl_origin origin_of_initialiser(fe *f, CXCursor cursor) {
  origin_walk w = {f, PL_ORIGIN_NUMBERS};
  clang_visitChildren(cursor, note_origin, &w);
  return w.origin;
}

static enum CXChildVisitResult note_member(CXCursor cursor, CXCursor parent,
                                           CXClientData data);

/* A record, and the one that it is a base or a field of. */
typedef struct record_walk {
  fe *f;
  pl_type *type;
  CXCursor record;
  const struct record_walk *outer;
} record_walk;

/* What the user's code does when a record is made, copied, combined or ends:
 * by its own members, and by those of its bases and fields. A template may have
 * itself, with other arguments, for a base. */
static void note_members(fe *f, pl_type *type, CXCursor record,
                         const record_walk *outer) {
  record_walk walk = {f, type, clang_getCursorDefinition(record), outer};
  if (clang_Cursor_isNull(walk.record))
    return;
  for (const record_walk *up = outer; up; up = up->outer)
    if (clang_equalCursors(up->record, walk.record))
      return;
  clang_visitChildren(walk.record, note_member, &walk);
}

static void note_constructor(pl_type *type, CXCursor cursor) {
  type->has_constructors = true;
  type->runs_code |= clang_CXXConstructor_isCopyConstructor(cursor) ||
                     clang_CXXConstructor_isMoveConstructor(cursor);
}

static void note_method(pl_type *type, CXCursor cursor) {
  CXString name = clang_getCursorSpelling(cursor);
  const char *text = clang_getCString(name);
  type->has_operators |= text && strncmp(text, "operator", 8) == 0;
  type->has_own_address |= text && strcmp(text, "operator&") == 0 &&
                           clang_Cursor_getNumArguments(cursor) == 0;
  clang_disposeString(name);
}

static enum CXChildVisitResult note_member(CXCursor cursor, CXCursor parent,
                                           CXClientData data) {
  const record_walk *walk = data;
  pl_type *type = walk->type;
  CXType held = clang_getCanonicalType(clang_getCursorType(cursor));
  bool own = clang_CXXMethod_isDefaulted(cursor) == 0;
  (void)parent;
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_Destructor:
    type->runs_code |= own;
    break;
  case CXCursor_Constructor:
    if (own)
      note_constructor(type, cursor);
    break;
  case CXCursor_FunctionTemplate:
  case CXCursor_CXXMethod:
    if (own)
      note_method(type, cursor);
    break;
  case CXCursor_CXXBaseSpecifier:
    note_members(walk->f, type, clang_getTypeDeclaration(held), walk);
    break;
  case CXCursor_FieldDecl:
    type->begins_by_code |=
        origin_of_initialiser(walk->f, cursor) != PL_ORIGIN_NUMBERS;
    while (clang_getArraySize(held) >= 0)
      held = clang_getCanonicalType(clang_getArrayElementType(held));
    if (held.kind == CXType_Record)
      note_members(walk->f, type, clang_getTypeDeclaration(held), walk);
    break;
  default:
    break;
  }
  return CXChildVisit_Continue;
}

/* A record's own: where the user's files define it. */
static void fill_record(fe *f, pl_type *type, CXType canonical) {
  uint32_t at;
  if (type->kind != PL_TYPE_RECORD && type->kind != PL_TYPE_DEPENDENT)
    return;
  CXCursor record = clang_getTypeDeclaration(canonical);
  enum CXCursorKind kind = clang_getCursorKind(record);
  type->is_union = is_union(record);
  type->is_user =
      (kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl ||
       kind == CXCursor_UnionDecl || kind == CXCursor_ClassTemplate ||
       kind == CXCursor_ClassTemplatePartialSpecialization) &&
      locate(f, clang_getCursorLocation(record), &at) != PLACE_SYSTEM;
  if (type->is_user)
    note_members(f, type, record, NULL);
}

static pl_type *make_type(fe *f, CXType sugared) {
  pl_type *type = PL_NEW(f->arena, pl_type);
  CXType canonical = clang_getCanonicalType(sugared);
  long long size = -1, align = -1;
  bool laid_out = has_layout(canonical);
  type->kind = type_kind(canonical.kind);
  if (laid_out) {
    size = clang_Type_getSizeOf(canonical);
    align = clang_Type_getAlignOf(canonical);
  }
  type->is_const = clang_isConstQualifiedType(canonical) != 0;
  type->is_volatile = clang_isVolatileQualifiedType(canonical) != 0;
  type->is_restrict = clang_isRestrictQualifiedType(canonical) != 0;
  type->is_unsigned = is_unsigned_kind(canonical.kind);
  type->size = size < 0 ? -1 : size;
  type->align = align < 0 ? -1 : align;
  type->count = -1;
  type->spelling = without_versions(
      f, take_string(
             f, clang_getTypeSpelling(clang_getUnqualifiedType(canonical))));
  type->written = take_string(f, clang_getTypeSpelling(sugared));
  type->is_trivially_copyable =
      laid_out &&
      (clang_isPODType(canonical) || is_cuda_value_type(type->spelling));
  fill_record(f, type, canonical);
  return type;
}

static size_t type_hash(CXType type) {
  uintptr_t a = (uintptr_t)type.data[0];
  return (size_t)((a >> 4) * 0x9E3779B97F4A7C15u >> 20);
}

static void types_grow(fe *f) {
  size_t cap = f->types_cap ? f->types_cap * 2 : 256;
  type_slot *slots = PL_NEW_ARRAY(f->arena, type_slot, cap);
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

/* The model's type; made once per clang type. NULL for an invalid one. */
static const pl_type *type_for(fe *f, CXType key) {
  if (key.kind == CXType_Invalid)
    return NULL;
  if (f->ntypes * 2 >= f->types_cap)
    types_grow(f);
  size_t at = type_hash(key) & (f->types_cap - 1);
  for (; f->types[at].value; at = (at + 1) & (f->types_cap - 1))
    if (clang_equalTypes(f->types[at].key, key))
      return f->types[at].value;
  pl_type *type = make_type(f, key);
  f->types[at] = (type_slot){key, type};
  f->ntypes++;
  fill_element(f, type, key, clang_getCanonicalType(key));
  return type;
}

/* ---- declarations ------------------------------------------------------- */

static void decls_insert(decl_slot *slots, size_t cap, decl_slot slot) {
  size_t at = clang_hashCursor(slot.key) & (cap - 1);
  while (slots[at].value)
    at = (at + 1) & (cap - 1);
  slots[at] = slot;
}

static void decls_add(fe *f, CXCursor key, pl_decl *value) {
  if (f->ndecls * 2 >= f->decls_cap) {
    size_t cap = f->decls_cap ? f->decls_cap * 2 : 256;
    decl_slot *slots = PL_NEW_ARRAY(f->arena, decl_slot, cap);
    for (size_t i = 0; i < f->decls_cap; i++)
      if (f->decls[i].value)
        decls_insert(slots, cap, f->decls[i]);
    f->decls = slots;
    f->decls_cap = cap;
  }
  decls_insert(f->decls, f->decls_cap, (decl_slot){key, value});
  f->ndecls++;
}

static pl_decl *decls_find(fe *f, CXCursor key) {
  if (!f->decls_cap)
    return NULL;
  size_t at = clang_hashCursor(key) & (f->decls_cap - 1);
  for (; f->decls[at].value; at = (at + 1) & (f->decls_cap - 1))
    if (clang_equalCursors(f->decls[at].key, key))
      return f->decls[at].value;
  return NULL;
}

static pl_decl_kind decl_kind(enum CXCursorKind kind) {
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

static bool is_function_kind(pl_decl_kind kind) {
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

static pl_str qualified_name(fe *f, CXCursor cursor, pl_str name) {
  CXCursor scope = clang_getCursorSemanticParent(cursor);
  for (int i = 0; i < 64 && !clang_Cursor_isNull(scope); i++) {
    enum CXCursorKind kind = clang_getCursorKind(scope);
    if (clang_isTranslationUnit(kind) || clang_isInvalid(kind))
      break;
    pl_str outer = take_string(f, clang_getCursorSpelling(scope));
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

/* Functions are known by their first declaration, and an instantiation by its
 * template, unless it is a specialization that has a body of its own. */
static CXCursor decl_key(fe *f, CXCursor cursor) {
  if (!is_function_kind(decl_kind(clang_getCursorKind(cursor))))
    return cursor;
  CXCursor key = clang_getCanonicalCursor(cursor);
  if (decls_find(f, key))
    return key;
  for (;;) {
    CXCursor pattern = clang_getSpecializedCursorTemplate(cursor);
    if (clang_Cursor_isNull(pattern) || has_own_text(cursor, pattern))
      return key;
    cursor = pattern;
    key = clang_getCanonicalCursor(cursor);
    if (decls_find(f, key))
      return key;
  }
}

/* Where the name stands; a name that is not spelled there is a macro's. */
static void fill_place(fe *f, pl_decl *decl, CXCursor cursor) {
  uint32_t at;
  place where = locate(f, clang_getCursorLocation(cursor), &at);
  decl->in_main = where == PLACE_MAIN;
  decl->is_user = where != PLACE_SYSTEM;
  decl->is_virtual = clang_CXXMethod_isVirtual(cursor) != 0;
  decl->is_defaulted = clang_CXXMethod_isDefaulted(cursor) != 0;
  if (!decl->in_main)
    return;
  decl->range = cursor_range(f, cursor);
  pl_range name = {at, at + (uint32_t)decl->name.n};
  if (name.end <= f->unit->text.n && decl->name.n &&
      pl_str_eq(pl_unit_slice(f->unit, name), decl->name))
    decl->name_range = name;
  else
    decl->from_macro = pl_source_use_at(&f->source, at) != PL_NONE;
}

static void fill_storage(pl_decl *decl, CXCursor cursor) {
  enum CX_StorageClass storage = clang_Cursor_getStorageClass(cursor);
  decl->is_extern = storage == CX_SC_Extern;
  decl->is_static = storage == CX_SC_Static;
  decl->is_volatile = decl->type && decl->type->is_volatile;
}

static enum CXChildVisitResult note_attribute(CXCursor cursor, CXCursor parent,
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
  default:
    break;
  }
  return CXChildVisit_Continue;
}

static int64_t field_offset(CXCursor field, uint32_t at) {
  if (is_union(clang_getCursorSemanticParent(field)))
    return 0;
  long long bits = clang_Cursor_getOffsetOfField(field);
  return bits >= 0 ? bits / 8 : ((int64_t)at + 1) << 32;
}

static pl_decl *make_decl(fe *f, CXCursor cursor) {
  pl_decl *decl = PL_NEW(f->arena, pl_decl);
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  decl->kind = decl_kind(kind);
  decl->name = take_string(f, clang_getCursorSpelling(cursor));
  decl->type = type_for(f, clang_getCursorType(cursor));
  fill_place(f, decl, cursor);
  fill_storage(decl, cursor);
  decl->is_field = kind == CXCursor_FieldDecl;
  if (decl->is_field)
    decl->field_offset = field_offset(cursor, decl->name_range.begin);
  if (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_FUNC)
    clang_visitChildren(cursor, note_attribute, decl);
  decl->is_static = decl->is_static && !decl->is_shared;
  if (decl->kind == PL_DECL_ENUM_CONSTANT) {
    decl->has_value = decl->is_constexpr = true;
    decl->value = clang_getEnumConstantDeclValue(cursor);
  }
  decl->qualified = decl->kind == PL_DECL_PARAM
                        ? decl->name
                        : qualified_name(f, cursor, decl->name);
  return decl;
}

/* The model's declaration of a clang one; NULL for none. */
static pl_decl *decl_for(fe *f, CXCursor cursor) {
  if (clang_Cursor_isNull(cursor) ||
      clang_isInvalid(clang_getCursorKind(cursor)))
    return NULL;
  CXCursor key = decl_key(f, cursor);
  pl_decl *decl = decls_find(f, key);
  if (!decl) {
    decl = make_decl(f, key);
    decls_add(f, key, decl);
  }
  return decl;
}

/* ---- variables ---------------------------------------------------------- */

static bool ends_in_name(pl_str qualified, pl_str name) {
  return qualified.n > name.n + 2 &&
         memcmp(qualified.p + qualified.n - name.n, name.p, name.n) == 0 &&
         memcmp(qualified.p + qualified.n - name.n - 2, "::", 2) == 0;
}

/* Integral constants known by name, for attributes' arguments: a template
 * parameter, a constant of that qualified name, or the only one that bears the
 * name in some scope. */
static pl_decl *lookup_constant(void *context, pl_str name) {
  fe *f = context;
  pl_decl *scoped = NULL;
  for (uint32_t i = 0; f->func && i < f->func->ntemplate_params; i++)
    if (pl_str_eq(f->func->template_params[i]->name, name))
      return f->func->template_params[i];
  size_t found = 0;
  for (size_t i = 0; i < f->nglobals; i++) {
    if (pl_str_eq(f->globals[i]->qualified, name))
      return f->globals[i];
    if (ends_in_name(f->globals[i]->qualified, name)) {
      scoped = f->globals[i];
      found++;
    }
  }
  return found == 1 ? scoped : NULL;
}

/* The bytes that alignas(vector type) asks for, 0: no such type. */
static int64_t vector_alignment(pl_str name) {
  static const struct {
    const char *name;
    int64_t align;
  } known[] = {{"float4", 16}, {"int4", 16},     {"uint4", 16}, {"double2", 16},
               {"float2", 8},  {"int2", 8},      {"uint2", 8},  {"double", 8},
               {"float", 4},   {"int", 4},       {"half2", 4},  {"__half2", 4},
               {"half", 2},    {"__half", 2},    {"char4", 4},  {"uchar4", 4},
               {"short4", 8},  {"longlong2", 16}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (pl_str_is(name, known[i].name))
      return known[i].align;
  return 0;
}

static int64_t alignment_argument(fe *f, uint32_t open) {
  int64_t value;
  uint32_t close = pl_token_match(f->unit, open);
  if (close == PL_NONE)
    return -1;
  value = vector_alignment(pl_token_text(f->unit, open + 1));
  if (value && close == open + 2)
    return value;
  pl_node *node =
      pl_parse_constant(f->unit, open + 1, close, lookup_constant, f);
  return pl_node_eval(node, NULL, NULL, &value) ? value : -1;
}

/* __align__(n), alignas(n) and aligned(n) between the declaration's first
 * token and the variable's end; the largest counts. */
static int64_t alignment_of(fe *f, const pl_decl *decl) {
  int64_t most = 0;
  uint32_t begin = decl->range.begin;
  if (f->decl_stmt.end && f->decl_stmt.begin < begin)
    begin = f->decl_stmt.begin;
  for (uint32_t i = pl_token_from(f->unit, begin);
       i + 1 < f->unit->ntokens &&
       f->unit->tokens[i].range.begin < decl->range.end;
       i++) {
    pl_str text = pl_token_text(f->unit, i);
    if ((!pl_str_is(text, "__align__") && !pl_str_is(text, "alignas") &&
         !pl_str_is(text, "aligned") && !pl_str_is(text, "_Alignas")) ||
        !pl_token_is(f->unit, i + 1, "("))
      continue;
    int64_t value = alignment_argument(f, i + 1);
    if (value < 0)
      return -1;
    most = value > most ? value : most;
  }
  return most;
}

static bool word_before_name(const pl_unit *unit, const pl_decl *decl,
                             const char *word) {
  for (uint32_t i = pl_token_from(unit, decl->range.begin);
       i < unit->ntokens &&
       unit->tokens[i].range.begin < decl->name_range.begin;
       i++)
    if (pl_token_is(unit, i, word))
      return true;
  return false;
}

/* A node that no text stands for: a dimension that a typedef hides. */
static pl_node *constant_node(fe *f, int64_t value) {
  pl_node *node = PL_NEW(f->arena, pl_node);
  node->kind = PL_NODE_INT;
  node->has_ival = true;
  node->ival = value;
  return node;
}

static int by_begin(const void *a, const void *b) {
  const pl_node *left = *(pl_node *const *)a, *right = *(pl_node *const *)b;
  if (left->range.begin != right->range.begin)
    return left->range.begin < right->range.begin ? -1 : 1;
  return 0;
}

/* The bound expressions that are written behind the variable's name: clang
 * lists them innermost first, among the initialiser and template arguments. */
static uint32_t written_bounds(fe *f, const pl_decl *decl, CXCursor cursor,
                               pl_node **bounds, uint32_t most) {
  size_t first, n = children(f, cursor, collect_code, &first);
  CXCursor init = clang_Cursor_getVarDeclInitializer(cursor);
  uint32_t found = 0;
  for (size_t i = 0; i < n && found < most; i++) {
    CXCursor child = f->stack[first + i];
    if (!clang_isExpression(clang_getCursorKind(child)) ||
        (!clang_Cursor_isNull(init) && clang_equalCursors(child, init)))
      continue;
    pl_node *node = build_node(f, child);
    if (node &&
        (node->range.begin >= decl->name_range.end || !decl->name_range.end))
      bounds[found++] = node;
  }
  drop_children(f, first);
  if (found > 1 && bounds[0]->range.begin == bounds[1]->range.begin) {
    for (uint32_t i = 0; i < found / 2; i++) {
      pl_node *swap = bounds[i];
      bounds[i] = bounds[found - 1 - i];
      bounds[found - 1 - i] = swap;
    }
  } else if (found > 1) {
    qsort(bounds, found, sizeof *bounds, by_begin);
  }
  return found;
}

/* True where `[]` follows the variable's name. */
static bool first_bound_is_empty(const pl_unit *unit, const pl_decl *decl) {
  if (!decl->name_range.end)
    return false;
  uint32_t at = pl_token_code(unit, pl_token_from(unit, decl->name_range.end));
  return pl_token_is(unit, at, "[") &&
         pl_token_is(unit, pl_token_code(unit, at + 1), "]");
}

/* decl->dims: written bounds first, then what the type knows. */
static void fill_dims(fe *f, pl_decl *decl, CXCursor cursor) {
  pl_node *written[16];
  const pl_type *type = decl->type;
  while (type && type->kind == PL_TYPE_ARRAY && decl->ndims < 16) {
    decl->ndims++;
    type = type->element;
  }
  if (!decl->ndims)
    return;
  decl->dims = PL_NEW_ARRAY(f->arena, pl_node *, decl->ndims);
  uint32_t n = written_bounds(f, decl, cursor, written, decl->ndims);
  uint32_t next = 0, empty = first_bound_is_empty(f->unit, decl) ? 1 : 0;
  type = decl->type;
  for (uint32_t i = 0; i < decl->ndims; i++, type = type->element) {
    if (i >= empty && next < n)
      decl->dims[i] = written[next++];
    else if (type->count >= 0)
      decl->dims[i] = constant_node(f, type->count);
  }
}

/* The value of a const integral variable from its initialiser. */
static void fill_value(pl_decl *decl) {
  const pl_type *type = decl->type;
  bool integral =
      type && (type->kind == PL_TYPE_INT || type->kind == PL_TYPE_BOOL ||
               type->kind == PL_TYPE_ENUM);
  pl_node *init = decl->init;
  if (init && init->kind == PL_NODE_INIT_LIST && init->nkids == 1)
    init = init->kids[0];
  if (!integral || !type->is_const || type->is_volatile || !init ||
      !pl_node_eval(init, NULL, NULL, &decl->value))
    return;
  pl_node cast = {.kind = PL_NODE_CAST,
                  .type = type,
                  .nkids = 1,
                  .kids = (pl_node *[]){init}};
  pl_node_eval(&cast, NULL, NULL, &decl->value);
  decl->has_value = decl->is_constexpr = true;
}

/* A default construction that nothing in the text asks for. */
static bool is_unwritten(const pl_decl *decl, const pl_node *init) {
  return init->kind == PL_NODE_CONSTRUCT && init->nkids == 0 &&
         init->range.begin >= decl->name_range.begin &&
         init->range.end <= decl->name_range.end;
}

/* What clang shows of `T x(a, b)` with dependent T is a bare list. */
static void settle_paren_list(fe *f, pl_node *init) {
  uint32_t at = pl_token_from(f->unit, init->range.begin);
  if (init->kind == PL_NODE_UNKNOWN && init->range.end &&
      pl_token_is(f->unit, at, "("))
    init->kind = PL_NODE_CONSTRUCT;
}

/* `int &r{m}` names what `int &r = m` does; a record's braces may make one. */
static void bare_reference(pl_decl *decl) {
  pl_node *list = decl->init;
  const pl_type *to = decl->type;
  if (to && to->kind == PL_TYPE_REFERENCE && list->kind == PL_NODE_INIT_LIST &&
      list->nkids == 1 && list->kids[0] &&
      (!to->element || to->element->kind != PL_TYPE_RECORD ||
       (list->kids[0]->type && list->kids[0]->type->kind == PL_TYPE_RECORD)))
    decl->init = list->kids[0];
}

/* ---- conversions of a class template ------------------------------------- */

typedef struct conversion_search {
  fe *f;
  CXCursor pattern;
  pl_node *call;
  bool own;  /* the class at hand has one */
  bool open; /* some class has none, or may inherit one */
} conversion_search;

static enum CXChildVisitResult note_conversion(CXCursor cursor, CXCursor parent,
                                               CXClientData data) {
  conversion_search *search = data;
  (void)parent;
  search->open = search->open ||
                 clang_getCursorKind(cursor) == CXCursor_CXXBaseSpecifier;
  if (clang_getCursorKind(cursor) != CXCursor_ConversionFunction)
    return CXChildVisit_Continue;
  search->own = true;
  pl_add_callee(search->f->arena, search->call, decl_for(search->f, cursor));
  return CXChildVisit_Continue;
}

/* The conversions of the template and of all that is written in its stead. */
static enum CXChildVisitResult note_conversions(CXCursor cursor,
                                                CXCursor parent,
                                                CXClientData data) {
  conversion_search *search = data;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  (void)parent;
  if (kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec)
    return CXChildVisit_Recurse;
  bool record = kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl ||
                kind == CXCursor_ClassTemplate ||
                kind == CXCursor_ClassTemplatePartialSpecialization;
  CXCursor of = kind == CXCursor_ClassTemplate
                    ? cursor
                    : clang_getSpecializedCursorTemplate(cursor);
  if (!record || clang_Cursor_isNull(of) ||
      !clang_isCursorDefinition(cursor) ||
      !clang_equalCursors(clang_getCanonicalCursor(of), search->pattern))
    return CXChildVisit_Continue;
  search->own = false;
  visit_children(search->f, cursor, note_conversion, search);
  search->open = search->open || !search->own;
  return CXChildVisit_Continue;
}

static bool all_have_bodies(const conversion_search *search) {
  const pl_node *call = search->call;
  for (uint32_t i = 0; i < call->ncallees; i++)
    if (!call->callees[i]->func)
      return false;
  return call->ncallees > 0 && !search->open;
}

/* `T *p = Shared<T>();` with dependent T calls a conversion of Shared's, be it
 * that of the template or one of a specialization's. */
static void settle_conversion(fe *f, pl_decl *decl, CXCursor init) {
  const pl_type *type = decl->type;
  CXCursor record =
      clang_getTypeDeclaration(behind_reference(clang_getCursorType(init)));
  if (!type || type->kind != PL_TYPE_POINTER ||
      decl->init->kind != PL_NODE_CONSTRUCT || decl->init->nkids ||
      clang_getCursorKind(record) != CXCursor_ClassTemplate)
    return;
  pl_node *call = PL_NEW(f->arena, pl_node);
  conversion_search search = {f, clang_getCanonicalCursor(record), call, false,
                              false};
  visit_children(f, clang_getTranslationUnitCursor(f->tu), note_conversions,
                 &search);
  if (!all_have_bodies(&search))
    return;
  call->kind = PL_NODE_CALL;
  call->range = decl->init->range;
  call->type = type;
  call->name = PL_STR("operator");
  room_for_kids(f, call, 1);
  pl_node *member =
      pl_operator_member(f->arena, decl->init, NULL, (pl_str){0});
  member->range = (pl_range){0}; /* nothing of it is written */
  add_kid(call, member);
  adopt(call);
  decl->init = call;
}

/* Everything about a variable that needs its children: bounds, initialiser,
 * alignment, value. Called once, where it is declared. */
static void complete_variable(fe *f, pl_decl *decl, CXCursor cursor) {
  decl->owner = f->func;
  fill_dims(f, decl, cursor);
  CXCursor init = clang_Cursor_getVarDeclInitializer(cursor);
  if (!clang_Cursor_isNull(init))
    decl->init = build_node(f, init);
  if (decl->init)
    settle_paren_list(f, decl->init);
  if (decl->init)
    bare_reference(decl);
  if (decl->init)
    settle_conversion(f, decl, init);
  if (decl->init && is_unwritten(decl, decl->init))
    decl->init = NULL;
  if (!decl->in_main)
    return fill_value(decl);
  decl->align_attr = alignment_of(f, decl);
  if (decl->name_range.end && word_before_name(f->unit, decl, "constexpr"))
    decl->is_constexpr = true;
  fill_value(decl);
}

/* ---- nodes -------------------------------------------------------------- */

static pl_node *new_node(fe *f, pl_node_kind kind, CXCursor cursor) {
  pl_node *node = PL_NEW(f->arena, pl_node);
  node->kind = kind;
  node->range = cursor_range(f, cursor);
  if (clang_isExpression(clang_getCursorKind(cursor)))
    node->type = type_for(f, clang_getCursorType(cursor));
  return node;
}

static void room_for_kids(fe *f, pl_node *node, size_t n) {
  node->kids = PL_NEW_ARRAY(f->arena, pl_node *, n ? n : 1);
}

static void add_kid(pl_node *node, pl_node *kid) {
  node->kids[node->nkids++] = kid;
}

static void adopt(pl_node *node) {
  for (uint32_t i = 0; i < node->nkids; i++)
    if (node->kids[i])
      node->kids[i]->parent = node;
}

static bool all_kids_known(const pl_node *node) {
  for (uint32_t i = 0; i < node->nkids; i++)
    if (!node->kids[i] || !node->kids[i]->has_ival)
      return false;
  return node->nkids > 0;
}

/* A node over constants is one: computed here, without asking clang. */
static void fold(pl_node *node) {
  int64_t value;
  if (node->has_ival || !all_kids_known(node) ||
      !pl_node_eval(node, NULL, NULL, &value))
    return;
  node->has_ival = true;
  node->ival = value;
}

/* The last step for each node: parents, macro, operator place, value. */
static pl_node *finish(fe *f, pl_node *node) {
  adopt(node);
  pl_source_own_tokens(&f->source, node);
  if (node->kind == PL_NODE_BINARY || node->kind == PL_NODE_UNARY ||
      node->kind == PL_NODE_PAREN || node->kind == PL_NODE_COND ||
      node->kind == PL_NODE_CAST)
    fold(node);
  return node;
}

/* A node whose children are all code below the cursor, in clang's order. */
static pl_node *build_plain(fe *f, CXCursor cursor, pl_node_kind kind) {
  pl_node *node = new_node(f, kind, cursor);
  size_t first, n = children(f, cursor, collect_code, &first);
  room_for_kids(f, node, n);
  for (size_t i = 0; i < n; i++) {
    pl_node *kid = build_node(f, f->stack[first + i]);
    if (kid)
      add_kid(node, kid);
  }
  drop_children(f, first);
  return finish(f, node);
}

static pl_node *build_asm(fe *f, CXCursor cursor) {
  pl_node *node = build_plain(f, cursor, PL_NODE_ASM);
  node->ival = pl_asm_outputs(f->unit, node);
  return node;
}

static bool evaluate_int(CXCursor cursor, int64_t *value) {
  CXEvalResult result = clang_Cursor_Evaluate(cursor);
  if (!result)
    return false;
  bool is_int = clang_EvalResult_getKind(result) == CXEval_Int;
  if (is_int)
    *value = clang_EvalResult_isUnsignedInt(result)
                 ? (int64_t)clang_EvalResult_getAsUnsigned(result)
                 : clang_EvalResult_getAsLongLong(result);
  clang_EvalResult_dispose(result);
  return is_int;
}

/* Leaves: literals. */
static pl_node *build_literal(fe *f, CXCursor cursor, pl_node_kind kind) {
  pl_node *node = new_node(f, kind, cursor);
  enum CXCursorKind literal = clang_getCursorKind(cursor);
  if (literal == CXCursor_CXXNullPtrLiteralExpr ||
      literal == CXCursor_GNUNullExpr)
    node->has_ival = true;
  else if (kind == PL_NODE_INT)
    node->has_ival = evaluate_int(cursor, &node->ival);
  return finish(f, node);
}

/* ---- names -------------------------------------------------------------- */

static enum CXChildVisitResult find_overloads(CXCursor cursor, CXCursor parent,
                                              CXClientData data) {
  (void)parent;
  if (clang_getCursorKind(cursor) != CXCursor_OverloadedDeclRef)
    return CXChildVisit_Continue;
  *(CXCursor *)data = cursor;
  return CXChildVisit_Break;
}

/* The OverloadedDeclRef below a dependent name, or the null cursor. */
static CXCursor overloads_below(CXCursor cursor) {
  CXCursor found = clang_getNullCursor();
  clang_visitChildren(cursor, find_overloads, &found);
  return found;
}

/* One of several candidates: the user's own where just one is, else the first,
 * whose qualified name is all that matters of a library's. */
static pl_decl *choose_overload(fe *f, CXCursor overloads) {
  unsigned n = clang_getNumOverloadedDecls(overloads);
  pl_decl *library = NULL, *own = NULL;
  for (unsigned i = 0; i < n && i < 64; i++) {
    CXCursor cursor = clang_getOverloadedDecl(overloads, i);
    uint32_t at;
    if (locate(f, clang_getCursorLocation(cursor), &at) == PLACE_SYSTEM) {
      library = library ? library : decl_for(f, cursor);
      continue;
    }
    pl_decl *decl = decl_for(f, cursor);
    if (own && own != decl)
      return NULL;
    own = decl;
  }
  return own ? own : library;
}

/* The template arguments of the function that `cursor` instantiates, noted as
 * an instance of its template. Returns the index, -1: no template. */
static int note_instance(fe *f, CXCursor cursor);

/* The last identifier of a range: the name of a dependent member. */
static pl_str last_identifier(const pl_unit *unit, pl_range range) {
  pl_str name = {NULL, 0};
  for (uint32_t i = pl_token_from(unit, range.begin);
       i < unit->ntokens && unit->tokens[i].range.end <= range.end; i++)
    if (unit->tokens[i].kind == PL_TOK_IDENT)
      name = pl_token_text(unit, i);
  return name;
}

/* A name in the scope of a template parameter, `T::name`, without blanks. */
static pl_str dependent_name(fe *f, pl_range range) {
  pl_text out = {.arena = f->arena};
  for (uint32_t i = pl_token_from(f->unit, range.begin);
       i < f->unit->ntokens && f->unit->tokens[i].range.end <= range.end; i++)
    if (pl_token_code(f->unit, i) == i)
      pl_text_add(&out, pl_token_text(f->unit, i));
  return pl_text_view(&out);
}

/* What find_specialization looks for. */
typedef struct specialization {
  CXCursor pattern;
  bool found;
} specialization;

/* Whether a method is written out for some arguments: its instantiations stand
 * where the pattern does. */
static bool is_written_anew(CXCursor method, CXCursor pattern) {
  CXSourceLocation at = clang_getCursorLocation(method);
  CXCursor body = clang_getCursorDefinition(pattern);
  return !clang_equalLocations(at, clang_getCursorLocation(pattern)) &&
         (clang_Cursor_isNull(body) ||
          !clang_equalLocations(at, clang_getCursorLocation(body)));
}

static enum CXChildVisitResult
find_specialization(CXCursor cursor, CXCursor parent, CXClientData data) {
  specialization *search = data;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  (void)parent;
  if (kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec)
    return CXChildVisit_Recurse;
  bool record = kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl ||
                kind == CXCursor_ClassTemplatePartialSpecialization;
  CXCursor of = record || kind == CXCursor_CXXMethod
                    ? clang_getSpecializedCursorTemplate(cursor)
                    : clang_getNullCursor();
  search->found =
      search->found ||
      (!clang_Cursor_isNull(of) &&
       clang_equalCursors(clang_getCanonicalCursor(of), search->pattern) &&
       (record || is_written_anew(cursor, search->pattern)));
  return search->found ? CXChildVisit_Break : CXChildVisit_Continue;
}

/* Whether a class template, or a method of one, has one text for all its
 * arguments. */
static bool is_never_specialized(fe *f, CXCursor pattern) {
  specialization search = {clang_getCanonicalCursor(pattern), false};
  clang_visitChildren(clang_getTranslationUnitCursor(f->tu),
                      find_specialization, &search);
  return !search.found;
}

/* What find_member looks for among the members of a class. */
typedef struct member_search {
  pl_str name;
  CXCursor plain, constant; /* the last that is no const method, that is one */
  unsigned nplain, nconstant;
} member_search;

static enum CXChildVisitResult find_member(CXCursor cursor, CXCursor parent,
                                           CXClientData data) {
  member_search *search = data;
  CXString name = clang_getCursorSpelling(cursor);
  const char *text = clang_getCString(name);
  (void)parent;
  if (clang_isDeclaration(clang_getCursorKind(cursor)) && text &&
      pl_str_is(search->name, text)) {
    bool constant = clang_CXXMethod_isConst(cursor) != 0;
    *(constant ? &search->constant : &search->plain) = cursor;
    search->nplain += !constant;
    search->nconstant += constant;
  }
  clang_disposeString(name);
  return CXChildVisit_Continue;
}

static bool same_parameters(CXCursor a, CXCursor b) {
  int n = clang_Cursor_getNumArguments(a);
  if (clang_getCursorKind(a) != CXCursor_CXXMethod || n < 0 ||
      n != clang_Cursor_getNumArguments(b))
    return false;
  for (unsigned i = 0; i < (unsigned)n; i++) {
    CXType x = clang_getCursorType(clang_Cursor_getArgument(a, i));
    CXType y = clang_getCursorType(clang_Cursor_getArgument(b, i));
    if (!clang_equalTypes(clang_getCanonicalType(x), clang_getCanonicalType(y)))
      return false;
  }
  return true;
}

/* The member of that name where the class is a template in which just one thing
 * bears it, for all arguments; the null cursor. Of two methods that `const`
 * alone tells apart an object that may change has the other. */
static CXCursor member_of_template(fe *f, CXCursor record, pl_str name,
                                   bool may_change) {
  CXCursor found = clang_getNullCursor();
  member_search search = {name, found, found, 0, 0};
  if (!name.n || clang_getCursorKind(record) != CXCursor_ClassTemplate ||
      !is_never_specialized(f, record))
    return found;
  CXCursor definition = clang_getCursorDefinition(record);
  clang_visitChildren(definition, find_member, &search);
  bool pair = may_change && search.nplain == 1 && search.nconstant == 1;
  if (search.nplain + search.nconstant == 1)
    found = search.nplain ? search.plain : search.constant;
  else if (pair && same_parameters(search.plain, search.constant))
    found = search.plain;
  bool method = clang_getCursorKind(found) == CXCursor_CXXMethod;
  return method && !is_never_specialized(f, found) ? clang_getNullCursor()
                                                   : found;
}

/* What a type refers or points to, else the type itself; names are looked through. */
static CXType behind_reference(CXType type) {
  type = clang_getCanonicalType(type);
  if (type.kind == CXType_LValueReference || type.kind == CXType_Pointer ||
      type.kind == CXType_RValueReference)
    type = clang_getPointeeType(type);
  return type;
}

/* The member of an object whose class is a template; the null cursor. */
static CXCursor member_of_object(fe *f, CXType type, pl_str name) {
  CXType object = behind_reference(type);
  return member_of_template(f, clang_getTypeDeclaration(object), name,
                            !clang_isConstQualifiedType(object));
}

/* The two last names of `Scope<...>::name<...>` outside angle brackets. */
static pl_str scope_and_name(fe *f, pl_range range, uint32_t *scope_at) {
  pl_str name = {NULL, 0};
  uint32_t last = 0;
  int depth = 0;
  for (uint32_t i = pl_token_from(f->unit, range.begin);
       i < f->unit->ntokens && f->unit->tokens[i].range.end <= range.end; i++) {
    pl_str text = pl_token_text(f->unit, i);
    depth += pl_str_is(text, "<") || pl_str_is(text, "(");
    depth -= pl_str_is(text, ">") || pl_str_is(text, ")");
    depth -= pl_str_is(text, ">>") ? 2 : 0;
    if (depth || f->unit->tokens[i].kind != PL_TOK_IDENT ||
        pl_str_is(text, "template") || pl_str_is(text, "typename"))
      continue;
    *scope_at = last;
    last = f->unit->tokens[i].range.begin;
    name = text;
  }
  return name;
}

/* `Scope<...>::name` with dependent arguments: the member of the template. */
static CXCursor dependent_member(fe *f, CXCursor cursor, pl_range range) {
  uint32_t scope_at = 0, at;
  pl_str name = scope_and_name(f, range, &scope_at);
  CXCursor record = clang_getNullCursor();
  size_t first, n = children(f, cursor, collect_all, &first);
  for (size_t i = 0; i < n; i++) {
    CXCursor child = f->stack[first + i];
    enum CXCursorKind kind = clang_getCursorKind(child);
    if (locate(f, clang_getCursorLocation(child), &at) != PLACE_MAIN ||
        at != scope_at)
      continue;
    if (kind == CXCursor_TemplateRef)
      record = clang_getCursorReferenced(child);
    else if (kind == CXCursor_TypeRef)
      record = clang_getTypeDeclaration(
          behind_reference(clang_getCursorType(child)));
  }
  drop_children(f, first);
  return member_of_template(f, record, name, false);
}

static pl_node *build_ref(fe *f, CXCursor cursor) {
  pl_node *node = new_node(f, PL_NODE_REF, cursor);
  CXCursor target = clang_getCursorReferenced(cursor);
  if (clang_getCursorKind(target) == CXCursor_OverloadedDeclRef)
    target = clang_getNullCursor();
  if (clang_Cursor_isNull(target) ||
      clang_isInvalid(clang_getCursorKind(target))) {
    CXCursor overloads = overloads_below(cursor);
    if (!clang_Cursor_isNull(overloads)) {
      node->name = take_string(f, clang_getCursorSpelling(overloads));
      node->decl = choose_overload(f, overloads);
    } else {
      CXCursor member = dependent_member(f, cursor, node->range);
      enum CXCursorKind kind = clang_getCursorKind(member);
      if (is_function_kind(decl_kind(kind)))
        node->decl = decl_for(f, member);
    }
  } else {
    node->decl = decl_for(f, target);
    note_instance(f, target);
  }
  if (!node->name.n && node->decl)
    node->name = node->decl->name;
  if (!node->name.n)
    node->name = take_string(f, clang_getCursorSpelling(cursor));
  if (!node->name.n)
    node->name = dependent_name(f, node->range);
  if (node->decl && node->decl->has_value) {
    node->has_ival = true;
    node->ival = node->decl->value;
  }
  if (node->decl && node->decl->bound_in)
    become_part(f, node);
  return finish(f, node);
}

/* Whether the token behind the base is an arrow; a macro's is told by type. */
static bool is_arrow(fe *f, const pl_node *base) {
  if (base->range.end) {
    uint32_t at = pl_token_from(f->unit, base->range.end);
    at = pl_token_code(f->unit, at);
    if (pl_token_is(f->unit, at, "->"))
      return true;
    if (pl_token_is(f->unit, at, "."))
      return false;
  }
  return base->type && base->type->kind == PL_TYPE_POINTER;
}

static pl_node *implicit_this(fe *f, const pl_node *member) {
  pl_node *node = PL_NEW(f->arena, pl_node);
  node->kind = PL_NODE_THIS;
  node->range = (pl_range){member->range.begin, member->range.begin};
  return node;
}

/* threadIdx and its like: with the toolkit's headers they are properties whose
 * members clang shows without a type. */
static bool is_builtin_index(const pl_node *base) {
  return base->kind == PL_NODE_REF && base->decl && !base->decl->in_main &&
         (pl_str_is(base->name, "threadIdx") ||
          pl_str_is(base->name, "blockIdx") ||
          pl_str_is(base->name, "blockDim") ||
          pl_str_is(base->name, "gridDim"));
}

static const pl_type *unsigned_type(fe *f) {
  if (!f->unsigned_int) {
    pl_type *type = PL_NEW(f->arena, pl_type);
    *type = (pl_type){.kind = PL_TYPE_INT,
                      .is_const = true,
                      .is_unsigned = true,
                      .is_trivially_copyable = true,
                      .size = 4,
                      .align = 4,
                      .count = -1,
                      .spelling = PL_STR("unsigned int"),
                      .written = PL_STR("const unsigned int")};
    f->unsigned_int = type;
  }
  return f->unsigned_int;
}

/* Whether a type names a parameter of the template that it stands in, which
 * elsewhere means nothing, or something else. */
static bool hangs_on_arguments(CXType type) {
  CXString spelling = clang_getTypeSpelling(clang_getCanonicalType(type));
  const char *text = clang_getCString(spelling);
  bool found = !text || strstr(text, "type-parameter-") ||
               strstr(text, "typename ");
  clang_disposeString(spelling);
  return found;
}

/* What `T` is for an object of `Tile<float, S>`; an invalid type. */
static CXType argument_for(CXType parameter, CXType object) {
  CXString spelling = clang_getTypeSpelling(parameter);
  const char *text = clang_getCString(spelling);
  unsigned at = 0;
  int used = 0;
  if (text && strncmp(text, "const ", 6) == 0)
    text += 6;
  bool is_one = text && sscanf(text, "type-parameter-0-%u%n", &at, &used) == 1 &&
                !text[used];
  clang_disposeString(spelling);
  return clang_Type_getTemplateArgumentAsType(object, is_one ? at : ~0u);
}

/* A type as the user's words have it, where they do. */
static const pl_type *spelled_type_for(fe *f, CXType type) {
  CXString spelling = clang_getTypeSpelling(type);
  const char *text = clang_getCString(spelling);
  bool spelled = text && *text && !strstr(text, "type-parameter-");
  clang_disposeString(spelling);
  return spelled ? type_for(f, type) : NULL;
}

/* The type that a member of a class template has in an object, as an lvalue;
 * NULL: that is not known. */
static const pl_type *type_in_object(fe *f, CXType type, CXType object) {
  CXType open = clang_getCanonicalType(type);
  if (open.kind == CXType_LValueReference)
    open = clang_getPointeeType(open);
  if (!hangs_on_arguments(open))
    return type_for(f, open);
  bool pointer = open.kind == CXType_Pointer;
  CXType element = pointer ? clang_getPointeeType(open)
                           : clang_getArrayElementType(open);
  if (element.kind == CXType_Invalid)
    return spelled_type_for(f, argument_for(open, object));
  const pl_type *of = type_in_object(f, element, object);
  if (!of)
    return NULL;
  pl_type *made = PL_NEW(f->arena, pl_type);
  *made = *type_for(f, open);
  made->element = of;
  made->spelling = pl_arena_printf(f->arena, pointer ? "%.*s *" : "%.*s[]",
                                   PL_FMT(of->spelling));
  made->written = (pl_str){NULL, 0};
  return made;
}

static void take_member_type(fe *f, pl_node *node, CXType type, CXType object) {
  enum CXTypeKind kind = clang_getCanonicalType(object).kind;
  bool through = kind == CXType_Pointer || kind == CXType_LValueReference ||
                 kind == CXType_RValueReference;
  const pl_type *known = type_in_object(
      f, type, through ? clang_getPointeeType(object) : object);
  if (known)
    node->type = known;
}

/* `object.name` where the object's type hangs on a template parameter. */
static void take_dependent_member(fe *f, pl_node *node, CXCursor base) {
  uint32_t unused;
  CXCursor member =
      member_of_object(f, clang_getCursorType(base),
                       scope_and_name(f, node->range, &unused));
  if (clang_Cursor_isNull(member))
    return;
  node->decl = decl_for(f, member);
  if (node->decl && node->decl->kind == PL_DECL_FIELD)
    take_member_type(f, node, clang_getCursorType(member),
                     clang_getCursorType(base));
}

static pl_node *build_member(fe *f, CXCursor cursor) {
  pl_node *node = new_node(f, PL_NODE_MEMBER, cursor);
  size_t first, n = children(f, cursor, collect_code, &first);
  CXCursor base_cursor = n ? f->stack[first] : clang_getNullCursor();
  room_for_kids(f, node, 1);
  pl_node *base = n ? build_node(f, base_cursor) : NULL;
  drop_children(f, first);
  add_kid(node, base ? base : implicit_this(f, node));
  node->is_arrow = base ? is_arrow(f, base) : true;
  CXCursor target = clang_getCursorReferenced(cursor);
  if (clang_getCursorKind(target) == CXCursor_OverloadedDeclRef)
    node->decl = choose_overload(f, target);
  else
    node->decl = decl_for(f, target);
  if (!node->decl && base)
    take_dependent_member(f, node, base_cursor);
  node->name = node->decl ? node->decl->name
                          : take_string(f, clang_getCursorSpelling(cursor));
  if (!node->name.n)
    node->name = last_identifier(f->unit, node->range);
  if (base && is_builtin_index(base))
    node->type = unsigned_type(f);
  return finish(f, node);
}

/* ---- operators ---------------------------------------------------------- */

static pl_op binary_op(enum CXBinaryOperatorKind kind) {
  switch (kind) {
#define OP(clang, ours)                                                        \
  case CXBinaryOperator_##clang:                                               \
    return PL_OP_##ours;
    OP(Add, ADD)
    OP(Sub, SUB)
    OP(Mul, MUL)
    OP(Div, DIV)
    OP(Rem, REM)
    OP(Shl, SHL)
    OP(Shr, SHR)
    OP(And, AND)
    OP(Or, OR)
    OP(Xor, XOR)
    OP(LAnd, LAND)
    OP(LOr, LOR)
    OP(LT, LT)
    OP(GT, GT)
    OP(LE, LE)
    OP(GE, GE)
    OP(EQ, EQ)
    OP(NE, NE)
    OP(Assign, ASSIGN)
    OP(Comma, COMMA)
    OP(MulAssign, MUL)
    OP(DivAssign, DIV)
    OP(RemAssign, REM)
    OP(AddAssign, ADD)
    OP(SubAssign, SUB)
    OP(ShlAssign, SHL)
    OP(ShrAssign, SHR)
    OP(AndAssign, AND)
    OP(XorAssign, XOR)
    OP(OrAssign, OR)
#undef OP
  default:
    return PL_OP_OTHER;
  }
}

static bool is_assignment(enum CXBinaryOperatorKind kind) {
  return kind >= CXBinaryOperator_Assign && kind <= CXBinaryOperator_OrAssign;
}

static pl_op unary_op(enum CXUnaryOperatorKind kind) {
  switch (kind) {
#define OP(clang, ours)                                                        \
  case CXUnaryOperator_##clang:                                                \
    return PL_OP_##ours;
    OP(PreInc, PREINC)
    OP(PostInc, POSTINC)
    OP(PreDec, PREDEC)
    OP(PostDec, POSTDEC)
    OP(AddrOf, ADDR)
    OP(Deref, DEREF)
    OP(Plus, PLUS)
    OP(Minus, MINUS)
    OP(Not, NOT)
    OP(LNot, LNOT)
#undef OP
  default:
    return PL_OP_OTHER;
  }
}

/* A node with exactly `n` kids, or UNKNOWN with as many as there are. */
static pl_node *build_fixed(fe *f, CXCursor cursor, pl_node_kind kind, pl_op op,
                            size_t n) {
  pl_node *node = new_node(f, kind, cursor);
  size_t first, found = children(f, cursor, collect_code, &first);
  room_for_kids(f, node, found);
  for (size_t i = 0; i < found; i++) {
    pl_node *kid = build_node(f, f->stack[first + i]);
    if (kid)
      add_kid(node, kid);
  }
  drop_children(f, first);
  node->op = op;
  if (node->nkids != n) {
    node->kind = PL_NODE_UNKNOWN;
    node->op = PL_OP_NONE;
  }
  return finish(f, node);
}

static bool is_open_type(const pl_type *type) {
  return type && type->kind == PL_TYPE_DEPENDENT;
}

/* What a pointer or array holds, where clang leaves the type of the access open
 * because an index or a member hangs on a template. */
static void take_element_type(pl_node *node) {
  const pl_type *of = node->nkids ? node->kids[0]->type : NULL;
  if (of && (of->kind == PL_TYPE_ARRAY || of->kind == PL_TYPE_POINTER) &&
      of->element && is_open_type(node->type))
    node->type = of->element;
}

/* `a[i]` of the C++ library's array, or of libcu++'s. */
static bool is_library_array(const pl_decl *method) {
  pl_str name = method ? method->qualified : PL_STR("");
  pl_str end = PL_STR("::array::operator[]");
  return name.n > end.n && !method->is_user &&
         memcmp(name.p + name.n - end.n, end.p, end.n) == 0 &&
         (pl_str_starts(name, "std::") || pl_str_starts(name, "cuda::std::"));
}

/* An element of such an array is one of an array that is a member: each index
 * stays in the object, as in `struct { T elements[N]; }`. */
static void become_subscript(fe *f, pl_node *node) {
  const pl_type *object = node->kids[0]->type;
  pl_type *type = PL_NEW(f->arena, pl_type);
  type->kind = PL_TYPE_ARRAY;
  type->element = node->type;
  type->size = type->align = type->count = -1;
  if (object && object->size > 0 && node->type && node->type->size > 0) {
    type->size = object->size;
    type->align = object->align;
    type->count = object->size / node->type->size;
  }
  type->spelling = type->written = node->type ? node->type->spelling
                                              : PL_STR("");
  node->kind = PL_NODE_SUBSCRIPT;
  node->op = PL_OP_NONE;
  node->decl = NULL;
  node->name = (pl_str){NULL, 0};
  node->kids[0] = pl_operator_member(f->arena, node->kids[0], NULL,
                                     PL_STR("elements"));
  node->kids[0]->type = type;
  adopt(node);
}

/* `object(...)` or `object[i]` where the object's class is a template: clang
 * leaves open what that calls. */
static void settle_operator(fe *f, pl_node *node, CXCursor object,
                            pl_str name) {
  CXType type = clang_getCanonicalType(clang_getCursorType(object));
  CXCursor method = type.kind == CXType_Pointer
                        ? clang_getNullCursor()
                        : member_of_object(f, type, name);
  if (clang_getCursorKind(method) != CXCursor_CXXMethod || !node->nkids ||
      !node->kids[0])
    return;
  node->kind = PL_NODE_CALL;
  node->op = PL_OP_NONE;
  node->decl = decl_for(f, method);
  node->name = name;
  take_member_type(f, node, clang_getCursorResultType(method),
                   clang_getCursorType(object));
  if (is_library_array(node->decl)) {
    become_subscript(f, node);
    return;
  }
  node->kids[0] = pl_operator_member(f->arena, node->kids[0], node->decl, name);
  adopt(node);
}

static CXCursor first_operand(fe *f, CXCursor cursor) {
  size_t first, n = children(f, cursor, collect_code, &first);
  CXCursor operand = n ? f->stack[first] : clang_getNullCursor();
  drop_children(f, first);
  return operand;
}

static pl_node *build_subscript(fe *f, CXCursor cursor) {
  pl_node *node = build_fixed(f, cursor, PL_NODE_SUBSCRIPT, PL_OP_NONE, 2);
  CXCursor object = first_operand(f, cursor);
  if (!clang_Cursor_isNull(object))
    settle_operator(f, node, object, PL_STR("operator[]"));
  if (node->kind == PL_NODE_CALL)
    return node;
  if (node->nkids == 2 && node->kids[1]->type &&
      node->kids[1]->type->kind != PL_TYPE_POINTER)
    take_element_type(node);
  return node;
}

static pl_node *build_paren(fe *f, CXCursor cursor) {
  pl_node *node = build_fixed(f, cursor, PL_NODE_PAREN, PL_OP_NONE, 1);
  if (node->nkids == 1 && is_open_type(node->type))
    node->type = node->kids[0]->type;
  return node;
}

static pl_node *build_unary(fe *f, CXCursor cursor) {
  pl_op op = unary_op(clang_getCursorUnaryOperatorKind(cursor));
  pl_node *node = build_fixed(f, cursor, PL_NODE_UNARY, op, 1);
  if (node->op == PL_OP_DEREF)
    take_element_type(node);
  return node;
}

/* A pointer and an offset that hangs on a template are a pointer. */
static void take_pointer_type(pl_node *node) {
  const pl_type *left = node->nkids == 2 ? node->kids[0]->type : NULL;
  const pl_type *right = node->nkids == 2 ? node->kids[1]->type : NULL;
  if (node->kind == PL_NODE_BINARY && node->op == PL_OP_ADD && left && right &&
      left->kind == PL_TYPE_POINTER && is_open_type(node->type) &&
      (is_open_type(right) || right->kind == PL_TYPE_INT))
    node->type = left;
}

static bool is_arithmetic(const pl_type *type) {
  return type && (type->kind == PL_TYPE_INT || type->kind == PL_TYPE_FLOAT);
}

/* Numbers of one type give that type; clang leaves it open where an index of one
 * of them hangs on a template. Below int there are promotions. */
static void take_number_type(pl_node *node) {
  const pl_type *left = node->nkids == 2 ? node->kids[0]->type : NULL;
  const pl_type *right = node->nkids == 2 ? node->kids[1]->type : NULL;
  bool arithmetic = node->op == PL_OP_ADD || node->op == PL_OP_SUB ||
                    node->op == PL_OP_MUL || node->op == PL_OP_DIV;
  if (node->kind == PL_NODE_BINARY && arithmetic && is_open_type(node->type) &&
      is_arithmetic(left) && is_arithmetic(right) && left->kind == right->kind &&
      left->size == right->size && left->size >= 4 &&
      left->is_unsigned == right->is_unsigned)
    node->type = left;
}

static pl_node *build_binary(fe *f, CXCursor cursor) {
  enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(cursor);
  pl_node *node = build_fixed(f, cursor,
                              is_assignment(kind) ? PL_NODE_ASSIGN
                                                  : PL_NODE_BINARY,
                              binary_op(kind), 2);
  take_pointer_type(node);
  take_number_type(node);
  return node;
}

/* An overloaded operator by its spelling behind "operator" and the number of
 * operands; false for what has no such node (call, arrow, new). */
static bool overloaded_op(pl_str name, uint32_t operands, pl_node_kind *kind,
                          pl_op *op) {
  static const struct {
    const char *text;
    uint32_t operands;
    pl_node_kind kind;
    pl_op op;
  } table[] = {{"=", 2, PL_NODE_ASSIGN, PL_OP_ASSIGN},
               {"[]", 2, PL_NODE_SUBSCRIPT, PL_OP_NONE},
               {"++", 1, PL_NODE_UNARY, PL_OP_PREINC},
               {"++", 2, PL_NODE_UNARY, PL_OP_POSTINC},
               {"--", 1, PL_NODE_UNARY, PL_OP_PREDEC},
               {"--", 2, PL_NODE_UNARY, PL_OP_POSTDEC},
               {"+", 1, PL_NODE_UNARY, PL_OP_PLUS},
               {"-", 1, PL_NODE_UNARY, PL_OP_MINUS},
               {"*", 1, PL_NODE_UNARY, PL_OP_DEREF},
               {"&", 1, PL_NODE_UNARY, PL_OP_ADDR},
               {"!", 1, PL_NODE_UNARY, PL_OP_LNOT},
               {"~", 1, PL_NODE_UNARY, PL_OP_NOT}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (pl_str_is(name, table[i].text) && operands == table[i].operands) {
      *kind = table[i].kind;
      *op = table[i].op;
      return true;
    }
  if (operands != 2)
    return false;
  for (int i = PL_OP_ADD; i <= PL_OP_COMMA; i++) {
    pl_str spelling = {pl_op_name((pl_op)i), strlen(pl_op_name((pl_op)i))};
    *op = (pl_op)i;
    *kind = PL_NODE_BINARY;
    if (pl_str_eq(name, spelling))
      return true;
    *kind = PL_NODE_ASSIGN;
    if (i <= PL_OP_XOR && name.n == spelling.n + 1 &&
        name.p[name.n - 1] == '=' &&
        memcmp(name.p, spelling.p, spelling.n) == 0)
      return true;
  }
  return false;
}

/* ---- calls -------------------------------------------------------------- */

static CXCursor strip_implicit(fe *f, CXCursor cursor) {
  for (int i = 0; i < 16; i++) {
    if (clang_getCursorKind(cursor) != CXCursor_UnexposedExpr)
      return cursor;
    size_t first, n = children(f, cursor, collect_code, &first);
    CXCursor only = n == 1 ? f->stack[first] : cursor;
    drop_children(f, first);
    if (n != 1)
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
static pl_str operator_name(fe *f, CXCursor callee) {
  pl_str none = {NULL, 0};
  callee = strip_implicit(f, callee);
  enum CXCursorKind kind = clang_getCursorKind(callee);
  if (kind != CXCursor_DeclRefExpr)
    return none;
  CXCursor named = callee;
  if (!cursor_starts(callee, "operator"))
    named = overloads_below(callee);
  if (clang_Cursor_isNull(named) || !cursor_starts(named, "operator"))
    return none;
  return take_string(f, clang_getCursorSpelling(named));
}

static bool is_known_operand(const pl_type *type) {
  while (type && type->kind == PL_TYPE_REFERENCE)
    type = type->element;
  return !type || type->kind == PL_TYPE_DEPENDENT ||
         type->kind != PL_TYPE_RECORD || is_cuda_value_type(type->spelling);
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
static void become_call(fe *f, pl_node *node, pl_str name) {
  bool member = node->decl && node->decl->kind == PL_DECL_METHOD;
  if (is_library_array(node->decl)) {
    become_subscript(f, node);
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
static pl_node *build_operator(fe *f, CXCursor cursor, size_t first, size_t n,
                               pl_str name) {
  pl_node *node = new_node(f, PL_NODE_CALL, cursor);
  CXCursor target = clang_getCursorReferenced(cursor);
  room_for_kids(f, node, n);
  for (size_t i = 0; i < n; i++) {
    pl_node *kid = i == 1 ? NULL : build_node(f, f->stack[first + i]);
    if (kid)
      add_kid(node, kid);
  }
  pl_str text = {name.p + 8, name.n - 8};
  node->decl = decl_for(f, target);
  uint32_t written = (uint32_t)(n - 1);
  if (!overloaded_op(text, written, &node->kind, &node->op)) {
    node->kind = PL_NODE_CALL;
    node->op = PL_OP_NONE;
    node->name = name;
    if (node->nkids && node->decl && node->decl->kind == PL_DECL_METHOD)
      node->kids[0] =
          pl_operator_member(f->arena, node->kids[0], node->decl, name);
    return finish(f, node);
  }
  if (node->kind == PL_NODE_UNARY)
    node->nkids = 1;
  if (node->nkids < (node->kind == PL_NODE_UNARY ? 1u : 2u)) {
    node->kind = PL_NODE_UNKNOWN;
    node->op = PL_OP_NONE;
    return finish(f, node);
  }
  if (!reads_as_builtin(node, target))
    become_call(f, node, name);
  return finish(f, node);
}

/* `kernel<<<grid, block, shared, stream>>>(arguments)`: clang lists the
 * callee, the configuration's call, the arguments. */
static pl_node *build_launch(fe *f, CXCursor cursor, size_t first, size_t n) {
  pl_node *node = new_node(f, PL_NODE_LAUNCH, cursor);
  CXCursor config = f->stack[first + 1];
  room_for_kids(f, node, n + 4);
  add_kid(node, build_node(f, f->stack[first]));
  for (unsigned i = 0; i < 4; i++) {
    CXCursor part = clang_Cursor_getArgument(config, i);
    add_kid(node, clang_Cursor_isNull(part) || has_no_extent(part)
                      ? NULL
                      : build_node(f, part));
  }
  for (size_t i = 2; i < n; i++)
    add_kid(node, build_node(f, f->stack[first + i]));
  node->decl = decl_for(f, clang_getCursorReferenced(cursor));
  node->name = node->kids[0] ? node->kids[0]->name : (pl_str){NULL, 0};
  if (!node->decl && node->kids[0])
    node->decl = node->kids[0]->decl;
  node->ival = 1 + note_instance(f, clang_getCursorReferenced(cursor));
  return finish(f, node);
}

/* type(a, b), T{a}, and declarations with arguments. A construction that no
 * text asks for (a copy, a conversion) is its argument, unless the user's code
 * makes it. */
static pl_node *build_construct(fe *f, CXCursor cursor, size_t first,
                                size_t n) {
  pl_node *node = new_node(f, PL_NODE_CONSTRUCT, cursor);
  room_for_kids(f, node, n);
  for (size_t i = 0; i < n; i++) {
    pl_node *kid = build_node(f, f->stack[first + i]);
    if (kid)
      add_kid(node, kid);
  }
  node->decl = decl_for(f, clang_getCursorReferenced(cursor));
  bool own = node->decl && node->decl->is_user && !node->decl->is_defaulted;
  if (node->nkids == 1 && node->kids[0]->range.begin <= node->range.begin &&
      node->kids[0]->range.end >= node->range.end && !own)
    return node->kids[0];
  node->name = node->type ? node->type->written : (pl_str){NULL, 0};
  return finish(f, node);
}

/* T(x) with dependent T is a cast; with several arguments a construction. */
static pl_node *build_unresolved_construct(fe *f, CXCursor cursor, size_t first,
                                           size_t n) {
  if (n != 1)
    return build_construct(f, cursor, first, n);
  pl_node *node = new_node(f, PL_NODE_CAST, cursor);
  room_for_kids(f, node, 1);
  pl_node *kid = build_node(f, f->stack[first]);
  if (!kid)
    node->kind = PL_NODE_CONSTRUCT;
  else
    add_kid(node, kid);
  return finish(f, node);
}

static bool is_array(const pl_type *type) {
  if (type && type->kind == PL_TYPE_REFERENCE)
    type = type->element;
  return type && type->kind == PL_TYPE_ARRAY;
}

/* What `object.method(...)` gives where clang leaves that open. */
static void take_result_type(fe *f, pl_node *node, CXCursor callee) {
  const pl_func *func = node->decl ? node->decl->func : NULL;
  if (!func || !node->type || node->type->kind != PL_TYPE_DEPENDENT)
    return;
  CXCursor object = first_operand(f, callee);
  CXCursor member =
      member_of_object(f, clang_getCursorType(object), node->decl->name);
  if (clang_getCursorKind(member) == CXCursor_CXXMethod)
    take_member_type(f, node, clang_getCursorResultType(member),
                     clang_getCursorType(object));
}

/* A constexpr function of constants is its value; so is one that only asks for
 * the type of an array, as std::size does. */
static pl_node *build_plain_call(fe *f, CXCursor cursor, size_t first,
                                 size_t n) {
  pl_node *node = new_node(f, PL_NODE_CALL, cursor);
  room_for_kids(f, node, n ? n : 1);
  add_kid(node, n ? build_node(f, f->stack[first]) : NULL);
  for (size_t i = 1; i < n; i++) {
    pl_node *kid = build_node(f, f->stack[first + i]);
    if (kid)
      add_kid(node, kid);
  }
  const pl_node *callee = pl_node_bare(node->kids[0]);
  node->decl = decl_for(f, clang_getCursorReferenced(cursor));
  if (!node->decl && callee)
    node->decl = callee->decl;
  node->name = callee ? callee->name : (pl_str){NULL, 0};
  if (!node->name.n && node->decl)
    node->name = node->decl->name;
  if (callee && callee->kind == PL_NODE_CALL) {
    node->decl = NULL; /* `forward<F>(f)(i)` calls what forward gives */
    node->name = (pl_str){NULL, 0};
  }
  finish(f, node);
  if (n && callee && callee->kind == PL_NODE_REF && callee->decl &&
      !callee->decl->func)
    settle_operator(f, node, f->stack[first], PL_STR("operator()"));
  else if (n && callee && callee->kind == PL_NODE_MEMBER && callee->decl)
    take_result_type(f, node, f->stack[first]);
  bool constants = node->nkids > 1;
  for (uint32_t i = 1; i < node->nkids; i++)
    constants = constants && (node->kids[i]->has_ival ||
                              is_array(node->kids[i]->type));
  if (constants)
    node->has_ival = evaluate_int(cursor, &node->ival);
  return node;
}

/* An implicit conversion (`float f = h`) is its object; one that the file
 * defines may do anything, and stays a call. */
static pl_node *build_conversion(fe *f, CXCursor cursor, size_t first,
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
          cursor_starts(cursor, "cudaConfigureCall"));
}

static pl_node *dispatch_call(fe *f, CXCursor cursor, size_t first, size_t n) {
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

static pl_node *build_call(fe *f, CXCursor cursor) {
  size_t first, n = children(f, cursor, collect_code, &first);
  pl_node *node = dispatch_call(f, cursor, first, n);
  drop_children(f, first);
  return node;
}

/* ---- other expressions -------------------------------------------------- */

static bool same_extent(CXCursor a, CXCursor b) {
  return clang_equalRanges(clang_getCursorExtent(a),
                           clang_getCursorExtent(b)) != 0;
}

/* Implicit casts and temporaries are their operand; `(x)` that clang has as a
 * list of one is a PAREN; the rest is unknown. */
static pl_node *build_unexposed(fe *f, CXCursor cursor) {
  size_t first, n = children(f, cursor, collect_code, &first);
  CXCursor only = n == 1 ? f->stack[first] : cursor;
  drop_children(f, first);
  if (n == 1 && same_extent(cursor, only))
    return build_node(f, only);
  if (n == 0 && has_no_extent(cursor))
    return NULL;
  pl_node *node = build_plain(f, cursor, PL_NODE_UNKNOWN);
  if (node->nkids == 1 && node->kids[0]->range.begin <= node->range.begin &&
      node->kids[0]->range.end >= node->range.end)
    return node->kids[0];
  uint32_t at = pl_token_from(f->unit, node->range.begin);
  if (node->nkids == 1 && node->range.end && pl_token_is(f->unit, at, "("))
    node->kind = PL_NODE_PAREN;
  return node;
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

/* Explicit casts: the operand is the last expression below. Of a record's
 * `type(argument)` clang shows a cast around the construction. */
static pl_node *build_cast(fe *f, CXCursor cursor) {
  pl_node *node = new_node(f, PL_NODE_CAST, cursor);
  size_t first, n = children(f, cursor, collect_code, &first);
  room_for_kids(f, node, 1);
  pl_node *kid = n ? build_node(f, f->stack[first + n - 1]) : NULL;
  drop_children(f, first);
  if (!kid)
    node->kind = PL_NODE_CONSTRUCT;
  else if (kid->kind == PL_NODE_INIT_LIST)
    take_braces(node, kid);
  else if (kid->kind == PL_NODE_CONSTRUCT && node->range.end &&
           kid->range.begin == node->range.begin)
    return kid;
  else
    add_kid(node, kid);
  return finish(f, node);
}

static enum CXChildVisitResult find_type_ref(CXCursor cursor, CXCursor parent,
                                             CXClientData data) {
  (void)parent;
  if (clang_getCursorKind(cursor) != CXCursor_TypeRef)
    return CXChildVisit_Continue;
  *(CXCursor *)data = cursor;
  return CXChildVisit_Break;
}

/* sizeof(T) of a template parameter carries T as its only kid, so that the
 * size can be looked up under an instantiation. */
static void add_sizeof_type(fe *f, CXCursor cursor, pl_node *node) {
  CXCursor found = clang_getNullCursor();
  clang_visitChildren(cursor, find_type_ref, &found);
  if (clang_Cursor_isNull(found))
    return;
  uint32_t at = pl_token_from(f->unit, node->range.begin);
  if (!pl_token_is(f->unit, at + 1, "(") || !pl_token_is(f->unit, at + 3, ")"))
    return;
  pl_node *kid = PL_NEW(f->arena, pl_node);
  kid->kind = PL_NODE_REF;
  kid->type = type_for(f, clang_getCursorType(found));
  kid->decl = decl_for(f, clang_getCursorReferenced(found));
  kid->name = pl_token_text(f->unit, at + 2);
  kid->range = cursor_range(f, found);
  room_for_kids(f, node, 1);
  add_kid(node, kid);
}

static pl_node *build_sizeof(fe *f, CXCursor cursor) {
  pl_node *node = build_plain(f, cursor, PL_NODE_SIZEOF);
  if (node->range.end)
    node->name =
        pl_token_text(f->unit, pl_token_from(f->unit, node->range.begin));
  if (node->from_macro)
    node->name = PL_STR("sizeof");
  node->has_ival = evaluate_int(cursor, &node->ival);
  if (!node->has_ival && node->nkids == 0)
    add_sizeof_type(f, cursor, node);
  adopt(node);
  return node;
}

/* A captured variable; one that [=] or [&] captures has no text. */
static pl_node *capture_node(fe *f, CXCursor cursor) {
  pl_node *node = new_node(f, PL_NODE_REF, cursor);
  node->decl = decl_for(f, clang_getCursorReferenced(cursor));
  node->name = node->decl ? node->decl->name : (pl_str){NULL, 0};
  node->type = node->decl ? node->decl->type : NULL;
  if (!pl_str_eq(pl_unit_slice(f->unit, node->range), node->name))
    node->range = (pl_range){0, 0};
  if (node->decl && node->decl->bound_in)
    become_part(f, node);
  return finish(f, node);
}

/* A capture by value is shown twice: as a name and as what is copied. */
static bool repeats_capture(const pl_node *lambda, const pl_node *kid) {
  const pl_node *last = lambda->nkids ? lambda->kids[lambda->nkids - 1] : NULL;
  return last && kid->kind == PL_NODE_REF && last->kind == PL_NODE_REF &&
         kid->decl == last->decl && kid->range.begin == last->range.begin;
}

/* A lambda as a function: its name and place are those of a variable. */
static pl_func *lambda_func(fe *f, const pl_node *node) {
  pl_func *func = PL_NEW(f->arena, pl_func);
  *func = (pl_func){.outer = f->func, .is_device = true};
  func->from_macro = node->from_macro;
  return func;
}

/* A parameter of a lambda, like its locals, is of the function around it. */
static pl_decl *param_for(fe *f, CXCursor cursor) {
  pl_decl *decl = decl_for(f, cursor);
  if (decl)
    decl->unless_given = origin_of_initialiser(f, cursor);
  return decl;
}

static pl_decl *own_param(fe *f, CXCursor cursor) {
  pl_decl *decl = param_for(f, cursor);
  if (decl)
    decl->owner = f->func;
  return decl;
}

static pl_node *build_lambda(fe *f, CXCursor cursor) {
  pl_node *node = new_node(f, PL_NODE_LAMBDA, cursor);
  pl_func *func = node->func = lambda_func(f, node);
  size_t first, n = children(f, cursor, collect_all, &first);
  size_t nparams = 0, cap = 0;
  room_for_kids(f, node, n);
  for (size_t i = 0; i < n; i++) {
    CXCursor child = f->stack[first + i];
    enum CXCursorKind kind = clang_getCursorKind(child);
    pl_node *kid = NULL;
    if (kind == CXCursor_VariableRef)
      kid = capture_node(f, child);
    else if (clang_isExpression(kind) || clang_isStatement(kind) ||
             kind == CXCursor_VarDecl)
      kid = build_node(f, child);
    else if (kind == CXCursor_ParmDecl)
      PL_PUSH(f->arena, func->params, nparams, cap, own_param(f, child));
    if (kid && !repeats_capture(node, kid))
      add_kid(node, kid);
  }
  drop_children(f, first);
  func->nparams = (uint32_t)nparams;
  pl_node *last = node->nkids ? node->kids[node->nkids - 1] : NULL;
  func->body = last && last->kind == PL_NODE_COMPOUND ? last : NULL;
  return finish(f, node);
}

/* ---- statements --------------------------------------------------------- */

static bool ends_in_a_statement(pl_node_kind kind) {
  return kind == PL_NODE_COMPOUND || kind == PL_NODE_IF ||
         kind == PL_NODE_FOR || kind == PL_NODE_RANGE_FOR ||
         kind == PL_NODE_WHILE || kind == PL_NODE_SWITCH ||
         kind == PL_NODE_CASE || kind == PL_NODE_LABEL || kind == PL_NODE_EMPTY;
}

/* A statement reaches to its semicolon, or to its last sub-statement's end. */
static void extend_statement(fe *f, pl_node *node) {
  if (!node->range.end)
    return;
  if (!ends_in_a_statement(node->kind)) {
    const char *last = f->unit->text.p + node->range.end - 1;
    if (node->kind != PL_NODE_DECL_STMT || *last != ';')
      node->range.end = pl_statement_end(f->unit, node->range.end);
    return;
  }
  for (uint32_t i = 0; i < node->nkids; i++)
    if (node->kids[i] && node->kids[i]->range.end > node->range.end)
      node->range.end = node->kids[i]->range.end;
}

/* Whether commas join stores into arrays and members, and nothing else. */
static uint32_t joined_stores(const pl_node *node) {
  if (node->kind == PL_NODE_BINARY && node->op == PL_OP_COMMA &&
      !node->decl && !node->from_macro) {
    uint32_t left = joined_stores(node->kids[0]);
    uint32_t right = joined_stores(node->kids[1]);
    return left && right ? left + right : 0;
  }
  const pl_node *to = node->kind == PL_NODE_ASSIGN && !node->from_macro &&
                              node->op == PL_OP_ASSIGN
                          ? pl_node_bare(node->kids[0])
                          : NULL;
  return to && (to->kind == PL_NODE_SUBSCRIPT || to->kind == PL_NODE_MEMBER);
}

static void take_stores(pl_node *block, pl_node *node) {
  if (node->kind != PL_NODE_BINARY) {
    add_kid(block, node);
    return;
  }
  take_stores(block, node->kids[0]);
  take_stores(block, node->kids[1]);
}

/* `a[i] = x, b[i] = y;` is the block of its stores. */
static void become_block(fe *f, pl_node *node) {
  uint32_t n = joined_stores(node);
  if (n < 2)
    return;
  pl_node *left = node->kids[0], *right = node->kids[1];
  node->kind = PL_NODE_COMPOUND;
  node->op = PL_OP_NONE;
  node->type = NULL;
  node->op_range = (pl_range){0, 0};
  node->nkids = 0;
  room_for_kids(f, node, n);
  take_stores(node, left);
  take_stores(node, right);
  adopt(node);
}

static pl_node *build_statement(fe *f, CXCursor cursor) {
  pl_node *node = build_node(f, cursor);
  if (node)
    extend_statement(f, node);
  if (node)
    become_block(f, node);
  return node;
}

/* Two statements over the same text are a macro's doing: a semicolon that the
 * macro's own statement took, or an argument that the macro repeats. */
static void part_siblings(pl_node *left, pl_node *right) {
  if (!left->range.end || !right->range.end ||
      left->range.end <= right->range.begin)
    return;
  if (right->kind == PL_NODE_EMPTY && right->range.begin > left->range.begin) {
    left->range.end = right->range.begin;
    return;
  }
  left->from_macro = right->from_macro = true;
}

static pl_node *build_compound(fe *f, CXCursor cursor) {
  pl_node *node = new_node(f, PL_NODE_COMPOUND, cursor);
  size_t first, n = children(f, cursor, collect_code, &first);
  room_for_kids(f, node, n);
  for (size_t i = 0; i < n; i++) {
    pl_node *kid = build_statement(f, f->stack[first + i]);
    if (!kid)
      continue;
    if (node->nkids)
      part_siblings(node->kids[node->nkids - 1], kid);
    add_kid(node, kid);
  }
  drop_children(f, first);
  return finish(f, node);
}

static pl_node *build_variable(fe *f, CXCursor cursor) {
  pl_node *node = new_node(f, PL_NODE_VAR, cursor);
  node->decl = decl_for(f, cursor);
  node->name = node->decl->name;
  node->type = node->decl->type;
  if (!node->decl->node) {
    node->decl->node = node;
    complete_variable(f, node->decl, cursor);
  }
  if (node->decl->init) {
    room_for_kids(f, node, 1);
    add_kid(node, node->decl->init);
  }
  return finish(f, node);
}

/* ---- structured bindings ------------------------------------------------- */

/* The fields of a record in the order in which names are bound to them. */
typedef struct field_list {
  CXCursor items[16];
  unsigned n;
  bool plain;
} field_list;

static enum CXVisitorResult note_bound_field(CXCursor cursor,
                                             CXClientData data) {
  field_list *list = data;
  list->plain = list->plain && list->n < 16 && !clang_Cursor_isBitField(cursor) &&
                !clang_Cursor_isAnonymous(cursor);
  if (list->plain)
    list->items[list->n++] = cursor;
  return list->plain ? CXVisit_Continue : CXVisit_Break;
}

static enum CXChildVisitResult note_binding(CXCursor cursor, CXCursor parent,
                                            CXClientData data) {
  (void)parent;
  if (clang_getCursorKind(cursor) == CXCursor_UnexposedDecl)
    push_cursor(data, cursor);
  return CXChildVisit_Continue;
}

/* Whether names can be bound to a type by `get` of the user's or the library's. */
static bool may_be_a_tuple(fe *f, CXType record) {
  uint32_t at;
  CXCursor decl = clang_getTypeDeclaration(record);
  pl_str name = take_string(f, clang_getTypeSpelling(record));
  if (is_cuda_value_type(name))
    return false;
  if (locate(f, clang_getCursorLocation(decl), &at) != PLACE_MAIN)
    return true;
  for (uint32_t i = 0; i < f->unit->ntokens; i++)
    if (pl_token_is(f->unit, i, "tuple_size"))
      return true;
  return false;
}

/* The fields of a value, or of what a reference names; none where names are
 * bound to something else. */
static field_list bound_fields(fe *f, CXCursor cursor) {
  field_list list = {.plain = true};
  CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
  if (type.kind == CXType_LValueReference)
    type = clang_getCanonicalType(clang_getPointeeType(type));
  type = clang_getUnqualifiedType(type);
  if (type.kind == CXType_Record && !may_be_a_tuple(f, type))
    clang_Type_visitFields(type, note_bound_field, &list);
  if (!list.plain)
    list.n = 0;
  return list;
}

/* `auto [a, b] = e;` is a variable that has no name; `a` is a field of it. NULL:
 * it is something else. */
static pl_node *build_bindings(fe *f, CXCursor cursor) {
  pl_str name = take_string(f, clang_getCursorSpelling(cursor));
  field_list fields = {0};
  if (clang_getCursorKind(cursor) != CXCursor_UnexposedDecl ||
      !pl_str_starts(name, "[") || !f->func)
    return NULL;
  fields = bound_fields(f, cursor);
  size_t first = f->nstack;
  visit_children(f, cursor, note_binding, f);
  bool same = fields.n && f->nstack - first == fields.n;
  pl_decl *whole = same ? decl_for(f, cursor) : NULL;
  for (unsigned i = 0; same && i < fields.n; i++) {
    pl_decl *bound = decl_for(f, f->stack[first + i]);
    bound->bound_in = whole;
    bound->bound_to = decl_for(f, fields.items[i]);
  }
  drop_children(f, first);
  if (!whole)
    return NULL;
  whole->kind = PL_DECL_VAR;
  whole->in_parts = true;
  return build_variable(f, cursor);
}

/* The name of a part stands for `whole.part`. */
static void become_part(fe *f, pl_node *node) {
  pl_decl *bound = node->decl;
  pl_node *base = PL_NEW(f->arena, pl_node);
  base->kind = PL_NODE_REF;
  base->range = node->range;
  base->decl = bound->bound_in;
  base->name = base->decl->name;
  base->type = base->decl->type && base->decl->type->kind == PL_TYPE_REFERENCE
                   ? base->decl->type->element
                   : base->decl->type;
  node->kind = PL_NODE_MEMBER;
  node->decl = bound->bound_to;
  node->name = node->decl->name;
  room_for_kids(f, node, 1);
  add_kid(node, base);
}

static pl_node *build_other_decl(fe *f, CXCursor cursor) {
  pl_node *node = new_node(f, PL_NODE_OTHER_DECL, cursor);
  node->name = take_string(f, clang_getCursorSpelling(cursor));
  return finish(f, node);
}

static pl_node *build_decl_stmt(fe *f, CXCursor cursor) {
  pl_range outer = f->decl_stmt;
  f->decl_stmt = cursor_range(f, cursor);
  pl_node *node = build_plain(f, cursor, PL_NODE_DECL_STMT);
  f->decl_stmt = outer;
  return node;
}

/* The children of a control statement, each built as a statement where it is
 * one. With a missing part the caller sorts them. */
static pl_node *build_control(fe *f, CXCursor cursor, pl_node_kind kind) {
  pl_node *node = new_node(f, kind, cursor);
  size_t first, n = children(f, cursor, collect_code, &first);
  room_for_kids(f, node, n + 4);
  for (size_t i = 0; i < n; i++) {
    CXCursor child = f->stack[first + i];
    pl_node *kid = build_node(f, child);
    if (kid)
      add_kid(node, kid);
  }
  drop_children(f, first);
  return node;
}

/* The body of a control statement, which ends where its statement does. */
static void end_body(fe *f, pl_node *body) {
  extend_statement(f, body);
  become_block(f, body);
}

static void pad_kids(pl_node *node, uint32_t n) {
  while (node->nkids < n)
    add_kid(node, NULL);
}

static void swap_in(pl_node *node, pl_node **kids, uint32_t n) {
  memcpy(node->kids, kids, n * sizeof *kids);
  node->nkids = n;
}

/* Sorts the 1 to 4 children by the header's semicolons. A header that is a
 * macro's has no semicolons to go by: four children are all there. */
static void sort_for_parts(fe *f, pl_node *node) {
  pl_node *parts[4] = {NULL, NULL, NULL, NULL};
  uint32_t ends[3];
  if (!node->range.end || !pl_for_header(f->unit, node->range.begin, ends)) {
    if (node->nkids != 4 && node->nkids > 0) {
      node->kids[3] = node->kids[node->nkids - 1];
      for (uint32_t i = node->nkids - 1; i < 3; i++)
        node->kids[i] = NULL;
    }
    node->nkids = 4;
    return;
  }
  for (uint32_t i = 0; i < node->nkids; i++) {
    uint32_t at = node->kids[i]->range.begin, part = 0;
    while (part < 3 && at > ends[part])
      part++;
    if (part == 0 && node->kids[i]->kind == PL_NODE_EMPTY)
      continue;
    parts[part] = node->kids[i];
  }
  swap_in(node, parts, 4);
}

static pl_node *build_for(fe *f, CXCursor cursor) {
  pl_node *node = build_control(f, cursor, PL_NODE_FOR);
  if (node->nkids > 4 || node->nkids == 0)
    node->kind = PL_NODE_UNKNOWN;
  else
    sort_for_parts(f, node);
  if (node->kind == PL_NODE_FOR) {
    if (node->kids[0])
      extend_statement(f, node->kids[0]);
    if (node->kids[3])
      end_body(f, node->kids[3]);
  }
  extend_statement(f, node);
  return finish(f, node);
}

/* True where an `else` stands between the two. */
static bool else_between(fe *f, const pl_node *left, const pl_node *right) {
  if (!left->range.end || left->range.end > right->range.begin)
    return false;
  uint32_t at = pl_token_code(f->unit, pl_token_from(f->unit, left->range.end));
  return pl_token_is(f->unit, at, "else");
}

/* Whether a header begins with a declaration of its own: `if (int r = ...;`. */
static bool has_init(const fe *f, const pl_node *node) {
  const pl_node *init = node->nkids > 2 ? node->kids[0] : NULL;
  return init && init->kind == PL_NODE_DECL_STMT && node->range.end &&
         init->range.end && f->unit->text.p[init->range.end - 1] == ';' &&
         pl_source_use_at(&f->source, node->range.begin) == PL_NONE &&
         pl_source_use_at(&f->source, init->range.begin) == PL_NONE;
}

/* `if (int r = row; r < n) ...` is the block `{ int r = row; if (r < n) ... }`,
 * without braces of its own. */
static pl_node *take_init(fe *f, pl_node *node, CXCursor cursor) {
  pl_node *block = new_node(f, PL_NODE_COMPOUND, cursor);
  block->range = node->range;
  block->name = PL_STR("if");
  room_for_kids(f, block, 2);
  add_kid(block, node->kids[0]);
  add_kid(block, node);
  for (uint32_t i = 1; i < node->nkids; i++)
    node->kids[i - 1] = node->kids[i];
  node->nkids--;
  if (node->kids[0]->range.begin > block->range.begin)
    node->range.begin = node->kids[0]->range.begin;
  return block;
}

/* condition, then, else. A declaration as the condition is kept as UNKNOWN, with
 * everything that is in it. */
static pl_node *build_if(fe *f, CXCursor cursor) {
  pl_node *node = build_control(f, cursor, PL_NODE_IF);
  pl_node *block = has_init(f, node) ? take_init(f, node, cursor) : NULL;
  uint32_t n = node->nkids;
  for (uint32_t i = 1; i < n; i++)
    end_body(f, node->kids[i]);
  if (n == 3 && !else_between(f, node->kids[1], node->kids[2]) &&
      pl_source_use_at(&f->source, node->range.begin) == PL_NONE)
    node->kind = PL_NODE_UNKNOWN;
  if (n < 2 || n > 3)
    node->kind = PL_NODE_UNKNOWN;
  else
    pad_kids(node, 3);
  extend_statement(f, node);
  finish(f, node);
  if (!block)
    return node;
  extend_statement(f, block);
  return finish(f, block);
}

/* WHILE and SWITCH: condition, body; more means a declaration: UNKNOWN, by the
 * statement's name. */
static pl_node *build_condition_body(fe *f, CXCursor cursor,
                                     pl_node_kind kind) {
  pl_node *node = build_control(f, cursor, kind);
  if (node->nkids)
    end_body(f, node->kids[node->nkids - 1]);
  if (node->nkids != 2) {
    node->kind = PL_NODE_UNKNOWN;
    node->name = kind == PL_NODE_SWITCH ? PL_STR("switch") : PL_STR("while");
  }
  extend_statement(f, node);
  return finish(f, node);
}

static pl_node *build_do(fe *f, CXCursor cursor) {
  pl_node *node = build_control(f, cursor, PL_NODE_DO);
  if (node->nkids)
    end_body(f, node->kids[0]);
  if (node->nkids != 2)
    node->kind = PL_NODE_UNKNOWN;
  return finish(f, node);
}

static pl_node *build_case(fe *f, CXCursor cursor, bool is_default) {
  pl_node *node = build_control(f, cursor, PL_NODE_CASE);
  if (is_default && node->nkids == 1) {
    node->kids[1] = node->kids[0];
    node->kids[0] = NULL;
    node->nkids = 2;
  }
  if (node->nkids != 2)
    node->kind = PL_NODE_UNKNOWN;
  else if (node->kids[1])
    extend_statement(f, node->kids[1]);
  extend_statement(f, node);
  return finish(f, node);
}

static pl_node *build_label(fe *f, CXCursor cursor) {
  pl_node *node = build_control(f, cursor, PL_NODE_LABEL);
  node->name = take_string(f, clang_getCursorSpelling(cursor));
  if (node->nkids)
    extend_statement(f, node->kids[node->nkids - 1]);
  extend_statement(f, node);
  return finish(f, node);
}

static pl_node *build_goto(fe *f, CXCursor cursor) {
  pl_node *node = new_node(f, PL_NODE_GOTO, cursor);
  node->name = last_identifier(f->unit, node->range);
  return finish(f, node);
}

/* A node without text of the user's, and so without a place. */
static pl_node *made_node(fe *f, pl_node_kind kind) {
  pl_node *node = PL_NEW(f->arena, pl_node);
  node->kind = kind;
  node->from_macro = true;
  room_for_kids(f, node, 2);
  return node;
}

/* The type of an array; of `auto &row` in a template, that of what it was bound
 * to. NULL: it is none. */
static const pl_type *array_type(const pl_node *node) {
  const pl_type *type = node->type;
  bool named = node->kind == PL_NODE_REF && node->decl && node->decl->init;
  if (named && node->decl->type &&
      node->decl->type->kind == PL_TYPE_REFERENCE &&
      !(type && type->kind == PL_TYPE_ARRAY))
    type = node->decl->init->type;
  return type && type->kind == PL_TYPE_ARRAY ? type : NULL;
}

/* `a[...]` for the element that the variable of `for (auto &x : a)` is. */
static pl_node *element_of(fe *f, pl_node *array) {
  pl_node *node = made_node(f, PL_NODE_SUBSCRIPT);
  node->type = array_type(array)->element;
  add_kid(node, array);
  add_kid(node, made_node(f, PL_NODE_EMPTY));
  node->kids[1]->parent = node; /* the array stays the loop's own */
  return node;
}

static bool is_number(const pl_type *type) {
  return type && (type->kind == PL_TYPE_INT || type->kind == PL_TYPE_FLOAT ||
                  type->kind == PL_TYPE_BOOL);
}

/* What clang shows for the variable's value is an iterator with a name that it
 * made up; an element of the array, or one of the numbers of a list, stands in
 * its place. */
static void give_element(fe *f, pl_node *node) {
  pl_node *var = node->nkids == 3 ? node->kids[0] : NULL;
  pl_node *range = var ? pl_node_bare(node->kids[1]) : NULL;
  if (!range || var->kind != PL_NODE_VAR || !var->decl)
    return;
  bool list = range->kind == PL_NODE_INIT_LIST && is_number(var->decl->type);
  bool array = range->kind != PL_NODE_INIT_LIST && array_type(range);
  if (!list && !array)
    return;
  pl_node *value =
      list ? made_node(f, PL_NODE_EMPTY) : element_of(f, range);
  if (list)
    add_kid(value, range);
  room_for_kids(f, var, 1);
  var->nkids = 0;
  add_kid(var, value);
  adopt(var);
  var->decl->init = value;
}

/* A loop inside may go over what the outer one's variable now is. */
static bool give_inner_element(pl_node *node, void *context) {
  if (node->kind == PL_NODE_RANGE_FOR && !pl_node_is_array_range(node))
    give_element(context, node);
  return true;
}

static pl_node *build_range_for(fe *f, CXCursor cursor) {
  pl_node *node = build_control(f, cursor, PL_NODE_RANGE_FOR);
  give_element(f, node);
  pl_node_walk(node->nkids ? node->kids[node->nkids - 1] : NULL,
               give_inner_element, f);
  if (node->nkids)
    extend_statement(f, node->kids[node->nkids - 1]);
  extend_statement(f, node);
  return finish(f, node);
}

/* `#pragma unroll` and [[likely]] wrap their statement: it stands alone. */
static pl_node *build_attributed(fe *f, CXCursor cursor) {
  size_t first, n = children(f, cursor, collect_code, &first);
  CXCursor only = n == 1 ? f->stack[first] : cursor;
  drop_children(f, first);
  if (n == 1 && clang_getCursorKind(cursor) == CXCursor_UnexposedStmt)
    return build_node(f, only);
  return build_plain(f, cursor, PL_NODE_UNKNOWN);
}

/* ---- one cursor --------------------------------------------------------- */

static pl_node *build_declaration(fe *f, CXCursor cursor,
                                  enum CXCursorKind kind) {
  if (kind == CXCursor_VarDecl)
    return build_variable(f, cursor);
  pl_node *bindings = build_bindings(f, cursor);
  return bindings ? bindings : build_other_decl(f, cursor);
}

static pl_node *build_stmt_kind(fe *f, CXCursor cursor,
                                enum CXCursorKind kind) {
  switch (kind) {
  case CXCursor_CompoundStmt:
    return build_compound(f, cursor);
  case CXCursor_DeclStmt:
    return build_decl_stmt(f, cursor);
  case CXCursor_IfStmt:
    return build_if(f, cursor);
  case CXCursor_ForStmt:
    return build_for(f, cursor);
  case CXCursor_CXXForRangeStmt:
    return build_range_for(f, cursor);
  case CXCursor_WhileStmt:
    return build_condition_body(f, cursor, PL_NODE_WHILE);
  case CXCursor_SwitchStmt:
    return build_condition_body(f, cursor, PL_NODE_SWITCH);
  case CXCursor_DoStmt:
    return build_do(f, cursor);
  case CXCursor_CaseStmt:
    return build_case(f, cursor, false);
  case CXCursor_DefaultStmt:
    return build_case(f, cursor, true);
  case CXCursor_LabelStmt:
    return build_label(f, cursor);
  case CXCursor_GotoStmt:
    return build_goto(f, cursor);
  case CXCursor_ReturnStmt:
    return build_plain(f, cursor, PL_NODE_RETURN);
  case CXCursor_BreakStmt:
    return build_plain(f, cursor, PL_NODE_BREAK);
  case CXCursor_ContinueStmt:
    return build_plain(f, cursor, PL_NODE_CONTINUE);
  case CXCursor_NullStmt:
    return build_plain(f, cursor, PL_NODE_EMPTY);
  case CXCursor_GCCAsmStmt:
  case CXCursor_MSAsmStmt:
    return build_asm(f, cursor);
  default:
    return build_attributed(f, cursor);
  }
}

static pl_node *build_expr_kind(fe *f, CXCursor cursor,
                                enum CXCursorKind kind) {
  switch (kind) {
  case CXCursor_UnexposedExpr:
    return build_unexposed(f, cursor);
  case CXCursor_DeclRefExpr:
    return build_ref(f, cursor);
  case CXCursor_MemberRefExpr:
    return build_member(f, cursor);
  case CXCursor_CallExpr:
    return build_call(f, cursor);
  case CXCursor_ArraySubscriptExpr:
    return build_subscript(f, cursor);
  case CXCursor_BinaryOperator:
  case CXCursor_CompoundAssignOperator:
    return build_binary(f, cursor);
  case CXCursor_UnaryOperator:
    return build_unary(f, cursor);
  case CXCursor_ConditionalOperator:
    return build_fixed(f, cursor, PL_NODE_COND, PL_OP_NONE, 3);
  case CXCursor_ParenExpr:
    return build_paren(f, cursor);
  case CXCursor_CStyleCastExpr:
  case CXCursor_CXXStaticCastExpr:
  case CXCursor_CXXReinterpretCastExpr:
  case CXCursor_CXXConstCastExpr:
  case CXCursor_CXXDynamicCastExpr:
  case CXCursor_CXXFunctionalCastExpr:
  case CXCursor_CXXAddrspaceCastExpr:
  case CXCursor_CompoundLiteralExpr:
    return build_cast(f, cursor);
  case CXCursor_IntegerLiteral:
  case CXCursor_CharacterLiteral:
  case CXCursor_CXXBoolLiteralExpr:
    return build_literal(f, cursor, PL_NODE_INT);
  case CXCursor_CXXNullPtrLiteralExpr:
  case CXCursor_GNUNullExpr:
    return build_literal(f, cursor, PL_NODE_INT);
  case CXCursor_FloatingLiteral:
    return build_literal(f, cursor, PL_NODE_FLOATING);
  case CXCursor_StringLiteral:
    return build_literal(f, cursor, PL_NODE_STRING);
  case CXCursor_UnaryExpr:
    return build_sizeof(f, cursor);
  case CXCursor_InitListExpr:
    return build_plain(f, cursor, PL_NODE_INIT_LIST);
  case CXCursor_LambdaExpr:
    return build_lambda(f, cursor);
  case CXCursor_CXXThisExpr:
    return build_literal(f, cursor, PL_NODE_THIS);
  default:
    return build_plain(f, cursor, PL_NODE_UNKNOWN);
  }
}

/* The node of any cursor in a body; NULL for what has no text (default
 * arguments, implicit values). */
static pl_node *build_node(fe *f, CXCursor cursor) {
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  if (f->depth > DEPTH_LIMIT)
    return new_node(f, PL_NODE_UNKNOWN, cursor);
  f->depth++;
  pl_node *node;
  if (clang_isDeclaration(kind))
    node = build_declaration(f, cursor, kind);
  else if (clang_isStatement(kind))
    node = build_stmt_kind(f, cursor, kind);
  else
    node = build_expr_kind(f, cursor, kind);
  f->depth--;
  return node;
}

/* ---- template instances ------------------------------------------------- */

/* What collect_constant adds to. */
typedef struct constant_list {
  fe *f;
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
  pl_decl *decl = decl_for(list->f, cursor);
  const pl_type *type = decl->type;
  if (!decl->has_value && type && type->is_const && !type->is_volatile &&
      (type->kind == PL_TYPE_INT || type->kind == PL_TYPE_BOOL))
    decl->has_value = evaluate_int(cursor, &decl->value);
  if (decl->has_value)
    PL_PUSH(list->f->arena, list->type->constants, list->n, list->cap, decl);
  return CXChildVisit_Continue;
}

/* The argument's type, with the record's constants in a copy of its own. */
static const pl_type *argument_type(fe *f, CXType key) {
  const pl_type *type = type_for(f, key);
  if (!type || type->kind != PL_TYPE_RECORD)
    return type;
  pl_type *copy = PL_NEW(f->arena, pl_type);
  *copy = *type;
  constant_list list = {.f = f, .type = copy};
  visit_children(f, clang_getTypeDeclaration(clang_getCanonicalType(key)),
                 collect_constant, &list);
  copy->nconstants = (uint32_t)list.n;
  return copy;
}

static void fill_argument(fe *f, CXCursor cursor, unsigned i,
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
    pl_text_add(out, arg->type ? arg->type->spelling : PL_STR("?"));
  else if (param->type && param->type->kind == PL_TYPE_BOOL)
    pl_text_add(out, arg->value ? PL_STR("true") : PL_STR("false"));
  else
    pl_text_printf(out, "%lld", (long long)arg->value);
}

static pl_str spell_instance(fe *f, const pl_instance *instance,
                             const pl_func *func) {
  pl_text out = {.arena = f->arena};
  for (uint32_t i = 0; i < instance->nargs; i++) {
    if (i)
      pl_text_add(&out, PL_STR(", "));
    spell_argument(&out, &instance->args[i], func->template_params[i]);
  }
  return pl_arena_str(f->arena, out.p, out.n);
}

/* The function template of the model that `cursor` instantiates, or NULL: an
 * explicit specialization is a function of its own. */
static pl_func *instantiated_func(fe *f, CXCursor cursor) {
  if (clang_getCursorKind(cursor) == CXCursor_CXXMethod) {
    pl_decl *decl = decl_for(f, cursor);
    bool own = decl && decl->func && !decl->func->is_template;
    return own && decl->func->ntemplate_params ? decl->func : NULL;
  }
  if (clang_getCursorKind(cursor) != CXCursor_FunctionDecl)
    return NULL;
  CXCursor pattern = clang_getSpecializedCursorTemplate(cursor);
  if (clang_getCursorKind(pattern) != CXCursor_FunctionTemplate ||
      decls_find(f, clang_getCanonicalCursor(cursor)))
    return NULL;
  pl_decl *decl = decl_for(f, pattern);
  return decl ? decl->func : NULL;
}

/* One instantiation whose body is being looked at. */
typedef struct instance_walk {
  fe *f;
  pl_func *func;
  uint32_t index;
} instance_walk;

/* The size of a shared variable whose type hangs on the arguments. */
static void note_object(instance_walk *walk, CXCursor cursor) {
  pl_decl attributes = {0};
  struct pl_object_size object;
  clang_visitChildren(cursor, note_attribute, &attributes);
  if (!attributes.is_shared ||
      locate(walk->f, clang_getCursorLocation(cursor), &object.at) != PLACE_MAIN)
    return;
  CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
  object.bytes = has_layout(type) ? clang_Type_getSizeOf(type) : -1;
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
  if (locate(walk->f, clang_getCursorLocation(cursor), &at) != PLACE_MAIN)
    return;
  add_fact(walk, (pl_instance_fact){
                     .at = {at, at},
                     .type = type_for(walk->f, clang_getCursorType(cursor))});
}

static bool is_member_of_record(CXCursor cursor) {
  enum CXCursorKind kind =
      clang_getCursorKind(clang_getCursorSemanticParent(cursor));
  return kind == CXCursor_StructDecl || kind == CXCursor_ClassDecl ||
         kind == CXCursor_EnumDecl || kind == CXCursor_UnionDecl;
}

/* A name in the body: the constant or the function that it stands for. */
static void note_name(instance_walk *walk, CXCursor cursor, CXCursor target) {
  enum CXCursorKind kind = clang_getCursorKind(target);
  pl_instance_fact fact = {.at = cursor_range(walk->f, cursor)};
  if (!fact.at.end)
    return;
  fact.name = dependent_name(walk->f, fact.at);
  if (is_function_kind(decl_kind(kind)))
    fact.callee = decl_for(walk->f, target);
  else if (kind == CXCursor_EnumConstantDecl ||
           (kind == CXCursor_VarDecl && is_member_of_record(target) &&
            clang_isConstQualifiedType(clang_getCursorType(target))))
    fact.has_value = evaluate_int(cursor, &fact.value);
  if (fact.callee || fact.has_value)
    add_fact(walk, fact);
}

/* `storage.a`: what the member is where the object's type hangs on the
 * arguments. */
static void note_member_type(instance_walk *walk, CXCursor cursor, CXCursor target) {
  pl_instance_fact fact = {.at = cursor_range(walk->f, cursor)};
  if (clang_getCursorKind(target) != CXCursor_FieldDecl || !fact.at.end)
    return;
  fact.name = take_string(walk->f, clang_getCursorSpelling(target));
  fact.type = type_for(walk->f, clang_getCursorType(target));
  if (fact.name.n)
    add_fact(walk, fact);
}

/* `potential(r)`: which class's operator() an object of the arguments' type has. */
static void note_functor(instance_walk *walk, CXCursor cursor) {
  CXCursor target = clang_getCursorReferenced(cursor);
  pl_instance_fact fact = {.at = cursor_range(walk->f, cursor)};
  if (clang_getCursorKind(target) != CXCursor_CXXMethod || !fact.at.end)
    return;
  fact.callee = decl_for(walk->f, target);
  fact.type = type_for(walk->f, clang_getCursorResultType(target));
  if (fact.callee && pl_str_is(fact.callee->name, "operator()"))
    add_fact(walk, fact);
}

static pl_str first_word(fe *f, pl_range range) {
  uint32_t at = pl_token_from(f->unit, range.begin);
  return range.end && at < f->unit->ntokens ? pl_token_text(f->unit, at)
                                            : (pl_str){NULL, 0};
}

/* sizeof of what hangs on the arguments. */
static void note_size(instance_walk *walk, CXCursor cursor) {
  pl_instance_fact fact = {.at = cursor_range(walk->f, cursor)};
  if (!pl_str_is(first_word(walk->f, fact.at), "sizeof"))
    return;
  fact.has_value = evaluate_int(cursor, &fact.value);
  if (fact.has_value)
    add_fact(walk, fact);
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
    note_instance(walk->f, target);
    walk->f->depth--;
    note_name(walk, cursor, target);
    note_member_type(walk, cursor, target);
  }
  if (kind == CXCursor_CallExpr)
    note_functor(walk, cursor);
  if (kind == CXCursor_UnaryExpr)
    note_size(walk, cursor);
  if (kind == CXCursor_VarDecl || kind == CXCursor_ParmDecl)
    note_type(walk, cursor);
  if (kind == CXCursor_VarDecl)
    note_object(walk, cursor);
  return CXChildVisit_Recurse;
}

static int note_instance(fe *f, CXCursor cursor) {
  pl_func *func = instantiated_func(f, cursor);
  if (!func)
    return -1;
  pl_instance instance = {.nargs = func->ntemplate_params};
  CXCursor method = cursor;
  if (clang_getCursorKind(cursor) == CXCursor_CXXMethod)
    cursor = clang_getCursorSemanticParent(cursor);
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
  if (func->ninstances >= MAX_INSTANCES)
    return -1;
  pl_instance *grown =
      PL_NEW_ARRAY(f->arena, pl_instance, func->ninstances + 1);
  for (uint32_t i = 0; i < func->ninstances; i++)
    grown[i] = func->instances[i];
  grown[func->ninstances] = instance;
  func->instances = grown;
  int index = (int)func->ninstances++;
  instance_walk walk = {f, func, (uint32_t)index};
  if (f->depth < INSTANCE_DEPTH)
    visit_children(f, method, note_inner_instance, &walk);
  return index;
}

/* ---- functions ---------------------------------------------------------- */

static void note_function_child(fe *f, pl_func *func, CXCursor child,
                                size_t *nparams, size_t *params_cap,
                                size_t *ntemplate, size_t *template_cap) {
  switch (clang_getCursorKind(child)) {
  case CXCursor_CUDAGlobalAttr:
    func->is_global = true;
    break;
  case CXCursor_CUDADeviceAttr:
    func->is_device = true;
    break;
  case CXCursor_CUDAHostAttr:
    func->is_host = true;
    break;
  case CXCursor_ParmDecl:
    PL_PUSH(f->arena, func->params, *nparams, *params_cap,
            param_for(f, child));
    break;
  case CXCursor_TemplateTypeParameter:
  case CXCursor_NonTypeTemplateParameter:
  case CXCursor_TemplateTemplateParameter:
    PL_PUSH(f->arena, func->template_params, *ntemplate, *template_cap,
            decl_for(f, child));
    break;
  default:
    break;
  }
}

/* Parameters and attributes; true where the function has a body. */
static bool fill_signature(fe *f, pl_func *func, CXCursor cursor) {
  size_t nparams = 0, params_cap = 0, ntemplate = 0, template_cap = 0;
  bool has_body = false;
  size_t first, n = children(f, cursor, collect_all, &first);
  for (size_t i = 0; i < n; i++) {
    CXCursor child = f->stack[first + i];
    note_function_child(f, func, child, &nparams, &params_cap, &ntemplate,
                        &template_cap);
    has_body |= clang_getCursorKind(child) == CXCursor_CompoundStmt ||
                clang_getCursorKind(child) == CXCursor_CXXTryStmt;
  }
  drop_children(f, first);
  func->nparams = (uint32_t)nparams;
  func->ntemplate_params = (uint32_t)ntemplate;
  for (uint32_t i = 0; i < func->nparams; i++)
    func->params[i]->owner = func;
  if (!func->is_global && !func->is_device)
    func->is_host = true;
  return has_body;
}

static bool is_pattern_free(CXCursor cursor, enum CXCursorKind kind) {
  return kind == CXCursor_FunctionTemplate ||
         clang_Cursor_isNull(clang_getSpecializedCursorTemplate(cursor));
}

static bool is_method_kind(enum CXCursorKind kind) {
  return kind == CXCursor_CXXMethod || kind == CXCursor_Constructor ||
         kind == CXCursor_Destructor || kind == CXCursor_ConversionFunction;
}

/* A function template of a class. */
static bool is_member_template(CXCursor cursor, enum CXCursorKind kind) {
  enum CXCursorKind scope =
      clang_getCursorKind(clang_getCursorSemanticParent(cursor));
  return kind == CXCursor_FunctionTemplate &&
         (scope == CXCursor_ClassDecl || scope == CXCursor_StructDecl ||
          scope == CXCursor_ClassTemplate ||
          scope == CXCursor_ClassTemplatePartialSpecialization);
}

/* The declaration of a function that is being collected: an explicit
 * specialization gets one of its own. */
static pl_decl *own_decl(fe *f, CXCursor cursor, enum CXCursorKind kind) {
  if (is_pattern_free(cursor, kind))
    return decl_for(f, cursor);
  CXCursor key = clang_getCanonicalCursor(cursor);
  pl_decl *decl = decls_find(f, key);
  if (!decl) {
    decl = make_decl(f, key);
    decls_add(f, key, decl);
  }
  return decl;
}

/* The parameters of the class template that a method belongs to. */
static void take_class_parameters(fe *f, pl_func *func, CXCursor record) {
  size_t n = 0, cap = 0;
  size_t first, kids = children(f, record, collect_all, &first);
  for (size_t i = 0; i < kids; i++) {
    CXCursor child = f->stack[first + i];
    enum CXCursorKind kind = clang_getCursorKind(child);
    if (kind == CXCursor_TemplateTypeParameter ||
        kind == CXCursor_NonTypeTemplateParameter)
      PL_PUSH(f->arena, func->template_params, n, cap, decl_for(f, child));
  }
  drop_children(f, first);
  func->ntemplate_params = (uint32_t)n;
}

static void collect_function(fe *f, CXCursor cursor, enum CXCursorKind kind,
                             place where) {
  pl_func *func = PL_NEW(f->arena, pl_func);
  if (!fill_signature(f, func, cursor))
    return;
  if (where != PLACE_MAIN && !func->is_global && !func->is_device)
    return;
  pl_decl *decl = own_decl(f, cursor, kind);
  if (!decl || decl->func)
    return;
  func->decl = decl;
  func->name = decl->name;
  func->qualified = decl->qualified;
  func->range = cursor_range(f, cursor);
  func->in_main = where == PLACE_MAIN && func->range.end > 0;
  func->is_template = kind == CXCursor_FunctionTemplate;
  func->is_extern_c = f->extern_c;
  CXCursor scope = clang_getCursorSemanticParent(cursor);
  func->is_method = is_method_kind(kind) || is_member_template(cursor, kind);
  if (is_method_kind(kind) && clang_getCursorKind(scope) == CXCursor_ClassTemplate)
    take_class_parameters(f, func, scope);
  func->from_macro = decl->from_macro;
  decl->func = func;
  size_t n = f->unit->nfuncs;
  PL_PUSH(f->arena, f->unit->funcs, n, f->funcs_cap, func);
  f->unit->nfuncs = (uint32_t)n;
  push_cursor(f, cursor);
}

static void collect_global(fe *f, CXCursor cursor) {
  pl_decl *decl = decl_for(f, cursor);
  if (!decl || decl->node || decl->range.begin >= f->unit->text.n)
    return;
  pl_node *node = build_variable(f, cursor);
  node->decl->owner = NULL;
  if (decl->is_constexpr || decl->has_value)
    PL_PUSH(f->arena, f->globals, f->nglobals, f->globals_cap, decl);
}

static enum CXChildVisitResult
collect_enumerator(CXCursor cursor, CXCursor parent, CXClientData data) {
  fe *f = data;
  (void)parent;
  if (clang_getCursorKind(cursor) == CXCursor_EnumConstantDecl)
    PL_PUSH(f->arena, f->globals, f->nglobals, f->globals_cap,
            decl_for(f, cursor));
  return CXChildVisit_Continue;
}

static bool is_container(enum CXCursorKind kind) {
  return kind == CXCursor_Namespace || kind == CXCursor_LinkageSpec ||
         kind == CXCursor_UnexposedDecl || kind == CXCursor_StructDecl ||
         kind == CXCursor_ClassDecl || kind == CXCursor_ClassTemplate ||
         kind == CXCursor_UnionDecl || kind == CXCursor_FriendDecl ||
         kind == CXCursor_ClassTemplatePartialSpecialization;
}

/* What a template became for a use: libclang shows it beside the template,
 * and at its place. */
static bool is_instantiation(CXCursor cursor) {
  CXCursor origin = clang_getSpecializedCursorTemplate(cursor);
  return !clang_Cursor_isNull(origin) &&
         clang_equalLocations(clang_getCursorLocation(cursor),
                              clang_getCursorLocation(origin));
}

/* First round: the user's functions, file-scope constants and enumerators.
 * Cursors of functions stay on the stack, in the order of unit->funcs. */
static enum CXChildVisitResult collect_top(CXCursor cursor, CXCursor parent,
                                           CXClientData data) {
  fe *f = data;
  uint32_t at;
  enum CXCursorKind kind = clang_getCursorKind(cursor);
  (void)parent;
  place where = locate(f, clang_getCursorLocation(cursor), &at);
  if (where == PLACE_SYSTEM || is_instantiation(cursor))
    return CXChildVisit_Continue;
  if (kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate ||
      is_method_kind(kind)) {
    collect_function(f, cursor, kind, where);
  } else if (kind == CXCursor_VarDecl) {
    collect_global(f, cursor);
  } else if (kind == CXCursor_EnumDecl) {
    visit_children(f, cursor, collect_enumerator, f);
  } else if (is_container(kind)) {
    bool outer = f->extern_c;
    f->extern_c = kind == CXCursor_LinkageSpec ||
                  (outer && kind == CXCursor_UnexposedDecl);
    visit_children(f, cursor, collect_top, f);
    f->extern_c = outer;
  }
  return CXChildVisit_Continue;
}

/* `__launch_bounds__(threads, ...)` between the header's first token and the
 * body. Clang shows the attribute without its arguments. */
static void fill_launch_bounds(fe *f, pl_func *func) {
  const pl_unit *unit = f->unit;
  uint32_t end = func->body ? func->body->range.begin : func->range.end;
  for (uint32_t i = pl_token_from(unit, func->range.begin);
       i + 1 < unit->ntokens && unit->tokens[i].range.begin < end; i++) {
    uint32_t open = i + 1, close;
    if (!pl_token_is(unit, i, "__launch_bounds__") ||
        (close = pl_token_match(unit, open)) == PL_NONE)
      continue;
    uint32_t comma = open + 1;
    int depth = 0;
    for (; comma < close; comma++) {
      depth += pl_token_is(unit, comma, "(") - pl_token_is(unit, comma, ")");
      if (depth == 0 && pl_token_is(unit, comma, ","))
        break;
    }
    func->launch_bounds = -1;
    func->launch_bounds_node =
        pl_parse_constant(unit, open + 1, comma, lookup_constant, f);
    pl_node_eval(func->launch_bounds_node, func, NULL, &func->launch_bounds);
    return;
  }
}

static void build_body(fe *f, pl_func *func, CXCursor cursor) {
  size_t first, n = children(f, cursor, collect_code, &first);
  f->func = func;
  for (size_t i = 0; i < n && !func->body; i++) {
    CXCursor child = f->stack[first + i];
    enum CXCursorKind kind = clang_getCursorKind(child);
    if (kind == CXCursor_CompoundStmt || kind == CXCursor_CXXTryStmt)
      func->body = build_node(f, child);
  }
  drop_children(f, first);
  if (func->in_main)
    fill_launch_bounds(f, func);
  f->func = NULL;
}

/* ---- launches ----------------------------------------------------------- */

typedef struct launch_walk {
  fe *f;
  pl_func *caller;
} launch_walk;

static bool note_launch(pl_node *node, void *context) {
  launch_walk *walk = context;
  if (node->kind != PL_NODE_LAUNCH || !node->decl || !node->decl->func)
    return true;
  pl_func *func = node->decl->func;
  pl_launch_site site = {.range = node->range,
                         .grid = node->kids[1],
                         .block = node->kids[2],
                         .shared = node->kids[3],
                         .instance =
                             func->is_template ? (int)node->ival - 1 : -1};
  node->ival = 0;
  pl_launch_constants(&site, walk->caller);
  pl_launch_site *grown =
      PL_NEW_ARRAY(walk->f->arena, pl_launch_site, func->nlaunches + 1);
  for (uint32_t i = 0; i < func->nlaunches; i++)
    grown[i] = func->launches[i];
  grown[func->nlaunches++] = site;
  func->launches = grown;
  return true;
}

static void collect_launches(fe *f) {
  for (uint32_t i = 0; i < f->unit->nfuncs; i++) {
    launch_walk walk = {f, f->unit->funcs[i]};
    pl_node_walk(f->unit->funcs[i]->body, note_launch, &walk);
  }
}

/* ---- preprocessor and diagnostics --------------------------------------- */

/* Macros that spell attributes and the like (`__shared__`) read as keywords. */
static bool is_keyword_macro(CXCursor cursor) {
  CXString name = clang_getCursorSpelling(cursor);
  const char *text = clang_getCString(name);
  bool keyword = text && text[0] == '_' && text[1] == '_';
  clang_disposeString(name);
  if (!keyword)
    return false;
  CXCursor target = clang_getCursorReferenced(cursor);
  CXSourceLocation at = clang_getCursorLocation(target);
  CXFile file;
  clang_getFileLocation(at, &file, NULL, NULL, NULL);
  if (!file || clang_Location_isInSystemHeader(at))
    return true;
  CXString path = clang_getFileName(file);
  const char *where = clang_getCString(path);
  bool shim = where && strncmp(where, "/.pipelinify/", 13) == 0;
  clang_disposeString(path);
  return shim;
}

static void note_word(fe *f, const char *text, size_t n) {
  PL_PUSH(f->arena, f->unit->macros, f->unit->nmacros, f->unit->macros_cap,
          pl_arena_str(f->arena, text, n));
}

/* The words of a macro's definition: a variable of new text by one of these
 * names would take the place of what its body means. */
static void note_body(fe *f, CXCursor cursor) {
  CXSourceRange extent = clang_getCursorExtent(cursor);
  CXFile file;
  unsigned begin, end;
  size_t size = 0;
  clang_getFileLocation(clang_getRangeStart(extent), &file, NULL, NULL, &begin);
  clang_getFileLocation(clang_getRangeEnd(extent), NULL, NULL, NULL, &end);
  const char *text = file ? clang_getFileContents(f->tu, file, &size) : NULL;
  if (text && begin < end && end <= size)
    PL_PUSH(f->arena, f->unit->definitions, f->unit->ndefinitions,
            f->unit->definitions_cap,
            pl_arena_str(f->arena, text + begin, end - begin));
  for (size_t i = begin, n; text && i < end && i < size; i += n ? n : 1) {
    n = 0;
    while (i + n < end && i + n < size &&
           (isalnum((unsigned char)text[i + n]) || text[i + n] == '_'))
      n++;
    if (n && !isdigit((unsigned char)text[i]))
      note_word(f, text + i, n);
  }
}

/* The name of a macro that an included file defines: no name for new text. */
static void note_macro(fe *f, CXCursor cursor) {
  uint32_t at;
  CXString name = clang_getCursorSpelling(cursor);
  const char *text = clang_getCString(name);
  place where = locate(f, clang_getCursorLocation(cursor), &at);
  if (where == PLACE_USER)
    note_body(f, cursor);
  else if (text && text[0] != '_' && where != PLACE_MAIN)
    note_word(f, text, strlen(text));
  clang_disposeString(name);
}

static enum CXChildVisitResult collect_use(CXCursor cursor, CXCursor parent,
                                           CXClientData data) {
  fe *f = data;
  uint32_t begin, end;
  (void)parent;
  if (clang_getCursorKind(cursor) == CXCursor_MacroDefinition)
    note_macro(f, cursor);
  if (clang_getCursorKind(cursor) != CXCursor_MacroExpansion)
    return CXChildVisit_Continue;
  CXSourceRange extent = clang_getCursorExtent(cursor);
  if (locate(f, clang_getRangeStart(extent), &begin) != PLACE_MAIN ||
      locate(f, clang_getRangeEnd(extent), &end) != PLACE_MAIN ||
      end <= begin || end > f->unit->text.n || is_keyword_macro(cursor))
    return CXChildVisit_Continue;
  pl_source_add_use(&f->source, (pl_range){begin, end});
  return CXChildVisit_Continue;
}

static void collect_skipped(fe *f) {
  CXSourceRangeList *list = clang_getSkippedRanges(f->tu, f->main_file);
  for (unsigned i = 0; list && i < list->count; i++) {
    pl_range range;
    locate(f, clang_getRangeStart(list->ranges[i]), &range.begin);
    locate(f, clang_getRangeEnd(list->ranges[i]), &range.end);
    PL_PUSH(f->arena, f->source.skipped, f->source.nskipped,
            f->source.skipped_cap, range);
  }
  if (list)
    clang_disposeSourceRangeList(list);
}

/* What clang calls an error and nvcc takes; the tree is whole. */
static bool is_false_alarm(pl_str message) {
  static const char *const texts[] = {
      "initialization is not supported for __shared__ variables",
      "dynamic initialization is not supported for",
      "'alignas' attribute cannot be applied to types",
      "an attribute list cannot appear here",
      "'aligned' attribute cannot be applied to types"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (pl_str_has(message, texts[i]))
      return true;
  return false;
}

/* The shim declares the library's templates and defines none: clang misses the
 * definition of one that is called with a lambda. */
static bool is_about_shim(place where, pl_str message) {
  return where == PLACE_SYSTEM &&
         pl_str_has(message, "is used but not defined in this translation unit");
}

/* "'name' file not found" is about a header; else nothing. */
static pl_str absent_header(pl_str message) {
  static const char end[] = "' file not found";
  size_t n = sizeof end - 1;
  bool is_one = message.n > n + 1 && message.p[0] == '\'' &&
                memcmp(message.p + message.n - n, end, n) == 0;
  return is_one ? (pl_str){message.p + 1, message.n - n - 1}
                : (pl_str){NULL, 0};
}

static void note_diagnostic(fe *f, CXDiagnostic diagnostic) {
  CXFile file;
  unsigned at;
  CXSourceLocation location = clang_getDiagnosticLocation(diagnostic);
  clang_getExpansionLocation(location, &file, NULL, NULL, &at);
  pl_str message = take_string(f, clang_getDiagnosticSpelling(diagnostic));
  pl_range range = {0, 0};
  place where = cached_place(f, file, location);
  if (is_false_alarm(message) || is_about_shim(where, message))
    return;
  if (where == PLACE_MAIN) {
    if (at > f->unit->text.n)
      return;
    uint32_t token = pl_token_from(f->unit, at);
    range = (pl_range){at, at};
    if (token < f->unit->ntokens && f->unit->tokens[token].range.begin == at)
      range.end = f->unit->tokens[token].range.end;
    else if (at < f->unit->text.n)
      range.end = at + 1;
  }
  pl_unit_add_problem(f->unit, range, message, false);
  pl_str header = absent_header(message);
  if (header.n)
    PL_PUSH(f->arena, f->unit->absent, f->unit->nabsent, f->unit->absent_cap,
            ((pl_problem){.range = range, .message = header}));
}

/* Of a fatal error that stands nowhere: a precompiled file was no good. */
static bool is_about_no_file(CXDiagnostic diagnostic) {
  CXFile file;
  clang_getExpansionLocation(clang_getDiagnosticLocation(diagnostic), &file,
                             NULL, NULL, NULL);
  return !file && clang_getDiagnosticSeverity(diagnostic) == CXDiagnostic_Fatal;
}

static void collect_diagnostics(fe *f) {
  unsigned n = clang_getNumDiagnostics(f->tu);
  for (unsigned i = 0; i < n; i++) {
    CXDiagnostic diagnostic = clang_getDiagnostic(f->tu, i);
    if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error)
      note_diagnostic(f, diagnostic);
    f->unit->shim_is_bad |= is_about_no_file(diagnostic);
    clang_disposeDiagnostic(diagnostic);
  }
}

/* ---- one parse ---------------------------------------------------------- */

static int by_place(const void *a, const void *b) {
  const pl_func *left = *(pl_func *const *)a, *right = *(pl_func *const *)b;
  if (left->in_main != right->in_main)
    return left->in_main ? -1 : 1;
  if (left->range.begin != right->range.begin)
    return left->range.begin < right->range.begin ? -1 : 1;
  return 0;
}

/* ---- headers ------------------------------------------------------------ */

typedef struct header_list {
  CXFile *files; /* NULL: they are only counted */
  size_t n;
} header_list;

static void note_header(CXFile file, CXSourceLocation *stack, unsigned depth,
                        CXClientData data) {
  header_list *list = data;
  (void)stack;
  (void)depth;
  if (list->files)
    list->files[list->n] = file;
  list->n++;
}

static bool is_header(const fe *f, pl_str path) {
  return path.n && !pl_str_is(path, f->main_name) &&
         !pl_str_starts(path, PL_SHIM_DIR "/") &&
         !pl_str_starts(path, PL_SUPPLEMENT_DIR "/");
}

/* The files on disk that were opened. Counted first, so that libclang's visit
 * allocates nothing. */
static void collect_headers(fe *f) {
  pl_unit *unit = f->unit;
  header_list list = {0};
  clang_getInclusions(f->tu, note_header, &list);
  unit->headers = PL_NEW_ARRAY(f->arena, const char *, list.n + 1);
  list = (header_list){PL_NEW_ARRAY(f->arena, CXFile, list.n + 1), 0};
  clang_getInclusions(f->tu, note_header, &list);
  for (size_t i = 0; i < list.n; i++) {
    pl_str name = take_string(f, clang_getFileName(list.files[i]));
    if (is_header(f, name))
      unit->headers[unit->nheaders++] = pl_arena_cstr(f->arena, name);
  }
}

/* The model from a parsed translation unit. */
static void read_unit(void *context) {
  fe *f = context;
  CXCursor top = clang_getTranslationUnitCursor(f->tu);
  f->main_file = clang_getFile(f->tu, f->main_name);
  visit_children(f, top, collect_use, f);
  pl_source_settle_uses(&f->source);
  collect_skipped(f);
  collect_diagnostics(f);
  visit_children(f, top, collect_top, f);
  size_t n = f->unit->nfuncs;
  for (size_t i = 0; i < n; i++)
    build_body(f, f->unit->funcs[i], f->stack[i]);
  if (n)
    qsort(f->unit->funcs, n, sizeof *f->unit->funcs, by_place);
  collect_launches(f);
  collect_headers(f);
  pl_unit_settle_instances(f->unit);
  pl_unit_resolve_calls(f->unit);
  pl_unit_check_coverage(&f->source);
  pl_unit_sort_problems(f->unit);
}

static pl_unit *new_unit(pl_arena *arena, const pl_parse_request *request) {
  pl_unit *unit = PL_NEW(arena, pl_unit);
  unit->arena = arena;
  unit->path = pl_arena_str(arena, request->path, strlen(request->path));
  unit->text = request->text;
  unit->tokens = pl_lex(arena, request->text, &unit->ntokens);
  return unit;
}

/* The files of memory as libclang wants them. */
static struct CXUnsavedFile *unsaved_files(const pl_clang_call *call) {
  struct CXUnsavedFile *files =
      PL_NEW_ARRAY(call->arena, struct CXUnsavedFile, call->nfiles);
  for (size_t i = 0; i < call->nfiles; i++)
    files[i] = (struct CXUnsavedFile){
        call->files[i].path, call->files[i].data, call->files[i].size};
  return files;
}

static enum CXErrorCode run_clang(CXIndex index, const pl_clang_call *call,
                                  unsigned flags, CXTranslationUnit *tu) {
  return clang_parseTranslationUnit2(
      index, call->main_name, call->args, (int)call->nargs,
      unsaved_files(call), (unsigned)call->nfiles,
      flags | CXTranslationUnit_KeepGoing |
          CXTranslationUnit_DetailedPreprocessingRecord,
      tu);
}

static pl_clang_call call_for(fe *f, const pl_parse_request *request,
                              bool shim) {
  pl_text text = {.arena = f->arena};
  pl_text_add(&text, request->text);
  pl_text_add(&text, pl_explicit_instances(f->unit));
  return pl_clang_call_for(f->arena, request, pl_text_view(&text), shim);
}

/* Parses with the shim or with the toolkit; NULL where clang gives nothing.
 * The index leaves out what a precompiled shim declares: what is used of it is
 * reached from its uses. */
static pl_unit *parse_once(pl_arena *arena, const pl_parse_request *request,
                           bool shim, pl_str *error) {
  fe f = {.arena = arena, .unit = new_unit(arena, request)};
  f.unit->used_toolkit = !shim;
  f.source.unit = f.unit;
  if (request->precompiled_shim)
    pl_add_shim_macros(f.unit);
  pl_clang_call call = call_for(&f, request, shim);
  f.main_name = call.main_name;
  CXIndex index = clang_createIndex(1, 0);
  enum CXErrorCode code = run_clang(index, &call, 0, &f.tu);
  bool read = true;
  if (code == CXError_Success) {
    read = pl_arena_try(arena, read_unit, &f);
    clang_disposeTranslationUnit(f.tu);
  }
  clang_disposeIndex(index);
  if (!read)
    pl_arena_out_of_memory(arena);
  if (code == CXError_Success)
    return f.unit;
  *error = pl_arena_printf(arena, "clang gives no translation unit (libclang's code %d)",
                           (int)code);
  return NULL;
}

bool pl_frontend_save_shim(pl_arena *arena, const pl_parse_request *request,
                  const char *path) {
  pl_clang_call call = pl_shim_call_for(arena, request);
  CXTranslationUnit tu;
  CXIndex index = clang_createIndex(0, 0);
  bool saved = run_clang(index, &call,
                         CXTranslationUnit_Incomplete |
                             CXTranslationUnit_ForSerialization,
                         &tu) == CXError_Success;
  if (saved) {
    saved = clang_getNumDiagnostics(tu) == 0 &&
            clang_saveTranslationUnit(tu, path, 0) == CXSaveError_None;
    clang_disposeTranslationUnit(tu);
  }
  clang_disposeIndex(index);
  return saved;
}

/* How many kernels and device functions of the main file hold an error. */
static unsigned broken_functions(const pl_unit *unit) {
  unsigned broken = 0;
  for (uint32_t i = 0; i < unit->nfuncs; i++) {
    const pl_func *func = unit->funcs[i];
    bool found = false;
    for (uint32_t j = 0; j < unit->nproblems; j++)
      found |= unit->problems[j].range.end > 0 &&
               pl_range_inside(unit->problems[j].range, func->range);
    broken += found && func->in_main && (func->is_global || func->is_device);
  }
  return broken;
}

/* What a parse that was given up has opened decided as well. */
static void add_headers(pl_unit *unit, const pl_unit *other) {
  size_t n = unit->nheaders + other->nheaders;
  const char **all = PL_NEW_ARRAY(unit->arena, const char *, n + 1);
  for (size_t i = 0; i < n; i++)
    all[i] = i < unit->nheaders ? unit->headers[i]
                                : other->headers[i - unit->nheaders];
  unit->headers = all;
  unit->nheaders = n;
}

/* Parses with the shim, by way of its precompiled form where that is good. */
static pl_unit *parse_with_shim(pl_arena *arena,
                                const pl_parse_request *request,
                                pl_str *error) {
  pl_parse_request plain = *request;
  plain.precompiled_shim = NULL;
  pl_unit *unit = parse_once(arena, request, true, error);
  if (request->precompiled_shim && (!unit || unit->shim_is_bad))
    return parse_once(arena, &plain, true, error);
  return unit;
}

/* The parse with fewer functions that hold an error; of equals the second, if
 * that one knows more. */
static pl_unit *better_of(pl_unit *first, pl_unit *second, bool knows_more) {
  if (!first || !second)
    return first ? first : second;
  add_headers(second, first);
  add_headers(first, second);
  return broken_functions(second) < broken_functions(first) + knows_more
             ? second
             : first;
}

pl_unit *pl_parse(pl_arena *arena, const pl_parse_request *request,
                  pl_str *error) {
  *error = (pl_str){NULL, 0};
  if (request->text.n > (size_t)INT32_MAX / 2) {
    *error = PL_STR("the file is too large");
    return NULL;
  }
  if (request->cuda_path && request->force_toolkit)
    return parse_once(arena, request, false, error);
  pl_unit *unit = parse_with_shim(arena, request, error);
  if (unit && unit->nabsent && broken_functions(unit)) {
    pl_parse_request usual = *request;
    usual.with_usual_headers = true;
    unit = better_of(unit, parse_with_shim(arena, &usual, error), true);
  }
  if (!request->cuda_path || (unit && !broken_functions(unit)))
    return unit;
  return better_of(unit, parse_once(arena, request, false, error), false);
}

void pl_frontend_version(char *buffer, size_t size) {
  CXString version = clang_getClangVersion();
  const char *text = clang_getCString(version);
  snprintf(buffer, size, "%s", text ? text : "");
  clang_disposeString(version);
}
