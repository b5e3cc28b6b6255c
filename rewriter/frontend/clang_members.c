/* clang_members.c - members of an object, of a dependent type too. */
#include "clang_parts.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

pl_str pl_fe_dependent_name(pl_fe *f, pl_range range) {
  pl_text out = {.arena = f->arena};
  bool was_word = false;
  for (uint32_t i = pl_token_from(f->unit, range.begin);
       i < f->unit->ntokens && f->unit->tokens[i].range.end <= range.end; i++)
    if (pl_token_code(f->unit, i) == i) {
      bool words = f->unit->tokens[i].kind == PL_TOK_IDENT && was_word;
      pl_text_add(&out, words ? PL_STR(" ") : (pl_str){0});
      pl_text_add(&out, pl_token_text(f->unit, i));
      was_word = f->unit->tokens[i].kind == PL_TOK_IDENT;
    }
  return pl_text_view(&out);
}

/* What a type refers or points to, else the type itself; names are looked
 * through. */
static CXType behind_reference(CXType type) {
  type = clang_getCanonicalType(type);
  if (type.kind == CXType_LValueReference || type.kind == CXType_Pointer ||
      type.kind == CXType_RValueReference)
    type = clang_getPointeeType(type);
  return type;
}

CXCursor pl_fe_member_of_object(pl_fe *f, CXType type, pl_str name) {
  CXType object = behind_reference(type);
  return pl_fe_member_of_template(f, clang_getTypeDeclaration(object), name,
                                  clang_isConstQualifiedType(object)
                                      ? PL_FE_OBJECT_CONST
                                      : PL_FE_OBJECT_CHANGES);
}

/* The two last names of `Scope<...>::name<...>` outside angle brackets. */
static pl_str scope_and_name(pl_fe *f, pl_range range, uint32_t *scope_at) {
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

static size_t word_at(pl_str text, size_t at) {
  size_t n = 0;
  while (at + n < text.n && (isalnum((unsigned char)text.p[at + n]) ||
                             text.p[at + n] == '_'))
    n++;
  return n;
}

/* The last name of `object.name<...>` outside brackets, in a header: of its text
 * there are no tokens. A comment or a string, where anything may stand: none. */
static pl_str name_in_header(pl_fe *f, const pl_node *node) {
  pl_str text = pl_fe_text_at(f, node->place), name = {NULL, 0};
  int depth = 0;
  for (size_t i = 0, n; i < text.n; i += n ? n : 1) {
    n = word_at(text, i);
    char c = text.p[i], next = i + 1 < text.n ? text.p[i + 1] : '\0';
    if (c == '"' || c == '\'' || (c == '/' && (next == '*' || next == '/')))
      return (pl_str){NULL, 0};
    depth += !n && strchr("<([{", c) != NULL;
    depth -= !n && (strchr(")]}", c) || (c == '>' && i && text.p[i - 1] != '-'));
    if (n && !depth && !isdigit((unsigned char)c))
      name = (pl_str){text.p + i, n};
  }
  return depth ? (pl_str){NULL, 0} : pl_arena_str(f->arena, name.p, name.n);
}

CXCursor pl_fe_dependent_member(pl_fe *f, CXCursor cursor, pl_range range) {
  uint32_t scope_at = 0, at;
  pl_str name = scope_and_name(f, range, &scope_at);
  CXCursor record = clang_getNullCursor();
  size_t first, n = pl_fe_children(f, cursor, pl_fe_collect_all, &first);
  for (size_t i = 0; i < n; i++) {
    CXCursor child = f->stack[first + i];
    enum CXCursorKind kind = clang_getCursorKind(child);
    if (pl_fe_locate(f, clang_getCursorLocation(child), &at) != PLACE_MAIN ||
        at != scope_at)
      continue;
    if (kind == CXCursor_TemplateRef)
      record = clang_getCursorReferenced(child);
    else if (kind == CXCursor_TypeRef)
      record = clang_getTypeDeclaration(
          behind_reference(clang_getCursorType(child)));
  }
  pl_fe_drop_children(f, first);
  return pl_fe_member_of_template(f, record, name, PL_FE_OBJECT_UNKNOWN);
}

/* Whether the token behind the base is an arrow; a macro's is told by type. */
static bool is_arrow(pl_fe *f, const pl_node *base) {
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

static pl_node *implicit_this(pl_fe *f, const pl_node *member) {
  pl_node *node = PL_NEW(f->arena, pl_node);
  node->kind = PL_NODE_THIS;
  node->range = (pl_range){member->range.begin, member->range.begin};
  return node;
}

void pl_fe_be_own_member(pl_fe *f, pl_node *node, pl_decl *field) {
  node->kind = PL_NODE_MEMBER;
  node->decl = field;
  node->name = field->name;
  node->is_arrow = true;
  pl_fe_room_for_kids(f, node, 1);
  pl_fe_add_kid(node, implicit_this(f, node));
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

static const pl_type *unsigned_type(pl_fe *f) {
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
  bool found =
      !text || strstr(text, "type-parameter-") || strstr(text, "typename ");
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
  bool is_one = text &&
                sscanf(text, "type-parameter-0-%u%n", &at, &used) == 1 &&
                !text[used];
  clang_disposeString(spelling);
  return clang_Type_getTemplateArgumentAsType(object, is_one ? at : ~0u);
}

/* A type as the user's words have it, where they do. */
static const pl_type *spelled_type_for(pl_fe *f, CXType type) {
  CXString spelling = clang_getTypeSpelling(type);
  const char *text = clang_getCString(spelling);
  bool spelled = text && *text && !strstr(text, "type-parameter-");
  clang_disposeString(spelling);
  return spelled ? pl_fe_type_for(f, type) : NULL;
}

static CXType without_reference(CXType type) {
  enum CXTypeKind kind = clang_getCanonicalType(type).kind;
  return kind == CXType_LValueReference || kind == CXType_RValueReference
             ? clang_getPointeeType(clang_getCanonicalType(type))
             : type;
}

/* The type that a member of a class template has in an object, as an lvalue;
 * NULL: that is not known. */
static const pl_type *type_in_object(pl_fe *f, CXType type, CXType object) {
  CXType open = clang_getCanonicalType(type);
  if (open.kind == CXType_LValueReference)
    open = clang_getPointeeType(open);
  if (!hangs_on_arguments(open))
    return pl_fe_type_for(f, open);
  bool pointer = open.kind == CXType_Pointer;
  CXType element =
      pointer ? clang_getPointeeType(open) : clang_getArrayElementType(open);
  if (element.kind == CXType_Invalid)
    return spelled_type_for(f, argument_for(open, object));
  const pl_type *of = type_in_object(f, element, object);
  if (!of)
    return NULL;
  pl_type *made = PL_NEW(f->arena, pl_type);
  *made = *pl_fe_type_for(f, open);
  made->element = of;
  made->spelling = pl_arena_printf(f->arena, pointer ? "%.*s *" : "%.*s[]",
                                   PL_FMT(of->spelling));
  made->written = (pl_str){NULL, 0};
  return made;
}

void pl_fe_take_member_type(pl_fe *f, pl_node *node, CXType type,
                            CXType object) {
  enum CXTypeKind kind = clang_getCanonicalType(object).kind;
  bool through = kind == CXType_Pointer || kind == CXType_LValueReference ||
                 kind == CXType_RValueReference;
  CXCursor record = clang_getTypeDeclaration(behind_reference(object));
  const pl_type *known =
      pl_fe_is_local_record(record)
          ? pl_fe_type_for(f, without_reference(type))
          : type_in_object(f, type, through ? clang_getPointeeType(object) : object);
  if (known)
    node->type = known;
}

/* `object.name` where the object's type hangs on a template parameter. */
static void take_dependent_member(pl_fe *f, pl_node *node, CXCursor base) {
  CXCursor member =
      pl_fe_member_of_object(f, clang_getCursorType(base), node->name);
  if (clang_Cursor_isNull(member))
    return;
  node->decl = pl_fe_decl_for(f, member);
  if (node->decl && node->decl->kind == PL_DECL_FIELD)
    pl_fe_take_member_type(f, node, clang_getCursorType(member),
                           clang_getCursorType(base));
}

pl_node *pl_fe_build_member(pl_fe *f, CXCursor cursor) {
  pl_node *node = pl_fe_new_node(f, PL_NODE_MEMBER, cursor);
  size_t first, n = pl_fe_children(f, cursor, pl_fe_collect_code, &first);
  CXCursor base_cursor = n ? f->stack[first] : clang_getNullCursor();
  pl_fe_room_for_kids(f, node, 1);
  pl_node *base = n ? pl_fe_build_node(f, base_cursor) : NULL;
  pl_fe_drop_children(f, first);
  pl_fe_add_kid(node, base ? base : implicit_this(f, node));
  node->is_arrow = base ? is_arrow(f, base) : true;
  CXCursor target = clang_getCursorReferenced(cursor);
  if (clang_getCursorKind(target) == CXCursor_OverloadedDeclRef)
    node->decl = pl_fe_choose_overload(f, target);
  else
    node->decl = pl_fe_decl_for(f, target);
  if (clang_getCursorKind(target) == CXCursor_CXXMethod)
    pl_fe_note_instance(f, target);
  uint32_t unused;
  if (!node->decl)
    node->name = node->range.end ? scope_and_name(f, node->range, &unused)
                                 : name_in_header(f, node);
  if (!node->decl && base)
    take_dependent_member(f, node, base_cursor);
  pl_str open = node->name;
  node->name = node->decl
                   ? node->decl->name
                   : pl_fe_take_string(f, clang_getCursorSpelling(cursor));
  if (!node->name.n)
    node->name = node->range.end
                     ? pl_fe_last_identifier(f->unit, node->range)
                     : open;
  if (base && is_builtin_index(base))
    node->type = unsigned_type(f);
  return pl_fe_finish(f, node);
}
