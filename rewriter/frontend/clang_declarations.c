/* clang_declarations.c - declarations as statements, structured bindings. */
#include "clang_parts.h"

static bool is_name_of(pl_node *node, const void *decl) {
  return node->kind == PL_NODE_REF && node->decl == decl;
}

/* `int w = sizeof(w);`: what a name stands for is looked up again and again, so that
 * this one stands for what nobody knows. */
static void hide_own_name(pl_fe *f, pl_decl *decl) {
  if (!pl_node_find(decl->init, is_name_of, decl))
    return;
  pl_node *value = PL_NEW(f->arena, pl_node);
  *value = (pl_node){.kind = PL_NODE_UNKNOWN,
                     .range = decl->init->range,
                     .parent = decl->init->parent,
                     .type = decl->init->type};
  decl->init = value;
  decl->has_value = decl->is_constexpr = false;
}

pl_node *pl_fe_build_variable(pl_fe *f, CXCursor cursor) {
  pl_node *node = pl_fe_new_node(f, PL_NODE_VAR, cursor);
  node->decl = pl_fe_decl_for(f, cursor);
  node->name = node->decl->name;
  node->type = node->decl->type;
  if (!node->decl->node) {
    node->decl->node = node;
    pl_fe_complete_variable(f, node->decl, cursor);
  }
  if (node->decl->init) {
    pl_fe_room_for_kids(f, node, 1);
    pl_fe_add_kid(node, node->decl->init);
    pl_fe_finish(f, node);
    hide_own_name(f, node->decl);
    return node;
  }
  return pl_fe_finish(f, node);
}

/* The fields of a record in the order in which names are bound to them. */
typedef struct field_list {
  CXCursor items[16];
  unsigned n;
  bool plain;
} field_list;

static enum CXVisitorResult note_bound_field(CXCursor cursor,
                                             CXClientData data) {
  field_list *list = data;
  list->plain = list->plain && list->n < 16 &&
                !clang_Cursor_isBitField(cursor) &&
                !clang_Cursor_isAnonymous(cursor);
  if (list->plain)
    list->items[list->n++] = cursor;
  return list->plain ? CXVisit_Continue : CXVisit_Break;
}

static enum CXChildVisitResult note_binding(CXCursor cursor, CXCursor parent,
                                            CXClientData data) {
  (void)parent;
  if (clang_getCursorKind(cursor) == CXCursor_UnexposedDecl)
    pl_fe_push_cursor(data, cursor);
  return CXChildVisit_Continue;
}

/* Whether names can be bound to a type by `get` of the user's or the library's.
 */
static bool may_be_a_tuple(pl_fe *f, CXType record) {
  uint32_t at;
  CXCursor decl = clang_getTypeDeclaration(record);
  pl_str name = pl_fe_take_string(f, clang_getTypeSpelling(record));
  if (pl_fe_is_cuda_value_type(name))
    return false;
  if (pl_fe_locate(f, clang_getCursorLocation(decl), &at) != PLACE_MAIN)
    return true;
  for (uint32_t i = 0; i < f->unit->ntokens; i++)
    if (pl_token_is(f->unit, i, "tuple_size"))
      return true;
  return false;
}

/* The fields of a value, or of what a reference names; none where names are
 * bound to something else. */
static field_list bound_fields(pl_fe *f, CXCursor cursor) {
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

/* Whether a reference names an array of so many elements. */
static bool is_array_of(CXCursor cursor, size_t n) {
  CXType type = clang_getCanonicalType(clang_getCursorType(cursor));
  return type.kind == CXType_LValueReference &&
         clang_getArraySize(clang_getCanonicalType(clang_getPointeeType(type))) == (long long)n;
}

pl_node *pl_fe_build_bindings(pl_fe *f, CXCursor cursor) {
  pl_str name = pl_fe_take_string(f, clang_getCursorSpelling(cursor));
  field_list fields = {0};
  if (clang_getCursorKind(cursor) != CXCursor_UnexposedDecl ||
      !pl_str_starts(name, "[") || !f->func)
    return NULL;
  fields = bound_fields(f, cursor);
  size_t first = f->nstack;
  pl_fe_visit_children(f, cursor, note_binding, f);
  size_t n = f->nstack - first;
  bool same = n && (n == fields.n || is_array_of(cursor, n));
  pl_decl *whole = same ? pl_fe_decl_for(f, cursor) : NULL;
  for (size_t i = 0; same && i < n; i++) {
    pl_decl *bound = pl_fe_decl_for(f, f->stack[first + i]);
    bound->bound_in = whole;
    bound->bound_to = fields.n ? pl_fe_decl_for(f, fields.items[i]) : NULL;
    bound->bound_at = (int64_t)i;
  }
  pl_fe_drop_children(f, first);
  if (!whole)
    return NULL;
  whole->kind = PL_DECL_VAR;
  whole->in_parts = true;
  return pl_fe_build_variable(f, cursor);
}

void pl_fe_become_part(pl_fe *f, pl_node *node) {
  pl_decl *bound = node->decl;
  pl_node *base = PL_NEW(f->arena, pl_node);
  base->kind = PL_NODE_REF;
  base->range = node->range;
  base->decl = bound->bound_in;
  base->name = base->decl->name;
  base->type = base->decl->type && base->decl->type->kind == PL_TYPE_REFERENCE
                   ? base->decl->type->element
                   : base->decl->type;
  pl_fe_room_for_kids(f, node, 2);
  pl_fe_add_kid(node, base);
  if (bound->bound_to) {
    node->kind = PL_NODE_MEMBER;
    node->decl = bound->bound_to;
    node->name = node->decl->name;
    return;
  }
  pl_node *index = PL_NEW(f->arena, pl_node);
  *index = (pl_node){.kind = PL_NODE_INT, .from_macro = true, .has_ival = true,
                     .ival = bound->bound_at};
  node->kind = PL_NODE_SUBSCRIPT;
  node->decl = NULL;
  pl_fe_add_kid(node, index);
}

/* What runs no code and makes no object, in a header as well, of whose text the
 * model knows nothing. */
static bool declares_names_only(enum CXCursorKind kind) {
  return kind == CXCursor_StaticAssert || kind == CXCursor_TypedefDecl ||
         kind == CXCursor_TypeAliasDecl || kind == CXCursor_UsingDeclaration ||
         kind == CXCursor_UsingDirective || kind == CXCursor_NamespaceAlias ||
         kind == CXCursor_EnumDecl || kind == CXCursor_StructDecl ||
         kind == CXCursor_ClassDecl || kind == CXCursor_UnionDecl;
}

pl_node *pl_fe_build_other_decl(pl_fe *f, CXCursor cursor) {
  pl_node *node = pl_fe_new_node(f, PL_NODE_OTHER_DECL, cursor);
  node->ival = declares_names_only(clang_getCursorKind(cursor));
  node->name = pl_fe_take_string(f, clang_getCursorSpelling(cursor));
  return pl_fe_finish(f, node);
}

/* `__shared__ alignas(16) float s[T];`: libclang 22 lets that begin at alignas. */
static void take_storage_words(const pl_unit *unit, pl_range *range) {
  static const char *const words[] = {"__shared__", "static", "extern"};
  for (uint32_t i = pl_token_from(unit, range->begin); range->end && i-- > 0;) {
    bool takes = false;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
      takes = takes || pl_token_is(unit, i, words[k]);
    if (!takes)
      return;
    range->begin = unit->tokens[i].range.begin;
  }
}

pl_node *pl_fe_build_decl_stmt(pl_fe *f, CXCursor cursor) {
  pl_range outer = f->decl_stmt;
  f->decl_stmt = pl_fe_cursor_range(f, cursor);
  take_storage_words(f->unit, &f->decl_stmt);
  pl_node *node = pl_fe_build_plain(f, cursor, PL_NODE_DECL_STMT);
  take_storage_words(f->unit, &node->range);
  f->decl_stmt = outer;
  return node;
}
