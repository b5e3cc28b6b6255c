/* clang_objects.c - which ways are there to make an object of the user's?
 *
 * Needs: the fields of a record, what its constructors say
 * (clang_makings.c). Gives: each constructor, or the list of members, with
 * what the pointers and references begin with. Raises: nothing. */
#include "clang_parts.h"

typedef struct record_fields {
  pl_fe *f;
  pl_beginning *list; /* of pointers and references */
  size_t n, cap;
  uint32_t place[64]; /* of each, among all fields */
  uint32_t count;     /* of all fields */
  uint32_t flat;      /* fields ahead of the first array or record */
  int depth;
  bool plain; /* no field is an array of records that hold addresses */
  bool holders; /* some field is a record that does */
} record_fields;

/* A pointer, or a reference. */
static bool is_address(CXType type) {
  return type.kind == CXType_Pointer || pl_fe_is_reference(type);
}

static enum CXVisitorResult look_for_address(CXCursor field,
                                             CXClientData data) {
  record_fields *r = data;
  CXType held = pl_fe_innermost(clang_getCursorType(field));
  record_fields inner = {.f = r->f, .depth = r->depth + 1, .plain = true};
  if (held.kind == CXType_Record && r->depth < 8)
    clang_Type_visitFields(held, look_for_address, &inner);
  r->plain = inner.plain &&
             (held.kind == CXType_Record || pl_fe_is_number(held));
  return r->plain ? CXVisit_Continue : CXVisit_Break;
}

bool pl_fe_holds_address(pl_fe *f, CXType type) {
  CXType held = pl_fe_innermost(type);
  record_fields inner = {.f = f, .plain = true};
  if (held.kind == CXType_Record)
    clang_Type_visitFields(held, look_for_address, &inner);
  return is_address(held) || !inner.plain;
}

static enum CXChildVisitResult note_initialiser(CXCursor cursor,
                                                CXCursor parent,
                                                CXClientData data) {
  bool *known = data;
  (void)parent;
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_DeclRefExpr: /* a bound of an array, too */
    *known = *known && pl_fe_is_number(clang_getCursorType(cursor));
    break;
  case CXCursor_CallExpr:
  case CXCursor_MemberRefExpr:
  case CXCursor_CXXThisExpr:
  case CXCursor_LambdaExpr:
  case CXCursor_OverloadedDeclRef:
    *known = false;
    break;
  default:
    break;
  }
  return CXChildVisit_Recurse;
}

static enum CXVisitorResult note_field(CXCursor field, CXClientData data) {
  record_fields *r = data;
  CXType type = clang_getCanonicalType(clang_getCursorType(field));
  CXType held = pl_fe_innermost(type);
  bool value = pl_fe_is_number(held), holds = pl_fe_holds_address(r->f, type);
  if (r->flat == r->count && (is_address(type) || pl_fe_is_number(type)))
    r->flat++;
  if (holds && r->n < 64) {
    pl_beginning begins = {
        .member = pl_fe_take_string(r->f, clang_getCursorSpelling(field)),
        .is_known = is_address(type) || type.kind == CXType_Record,
        .is_record = held.kind == CXType_Record,
        .is_reference = pl_fe_is_reference(type)};
    pl_fe_visit_children(r->f, field, note_initialiser, &begins.is_known);
    r->holders = r->holders || begins.is_record;
    r->place[r->n] = r->count;
    PL_PUSH(r->f->arena, r->list, r->n, r->cap, begins);
    value = begins.member.n > 0 && (!begins.is_record || begins.is_known);
  } else if (held.kind == CXType_Record) {
    value = !holds;
  }
  r->plain = r->plain && value;
  r->count++;
  return r->plain ? CXVisit_Continue : CXVisit_Break;
}

typedef struct record_makings {
  pl_fe *f;
  const record_fields *fields;
  pl_making *list;
  size_t n, cap;
  bool plain, constructed;
  bool derived; /* what its bases hold is not seen */
} record_makings;

static pl_making *add_making(record_makings *m) {
  pl_making making = {.at = PL_NONE, .is_known = true, .is_plain = true};
  making.nmembers = (uint32_t)m->fields->n;
  making.members =
      PL_NEW_ARRAY(m->f->arena, pl_beginning, m->fields->n);
  for (size_t i = 0; i < m->fields->n; i++)
    making.members[i] = m->fields->list[i];
  PL_PUSH(m->f->arena, m->list, m->n, m->cap, making);
  return &m->list[m->n - 1];
}

static void add_constructor(record_makings *m, CXCursor cursor) {
  pl_making *making = add_making(m);
  CXCursor text = clang_getCursorDefinition(cursor);
  bool of_template = clang_getCursorKind(clang_getCursorSemanticParent(
                         cursor)) == CXCursor_ClassTemplate;
  uint32_t at;
  m->constructed = true;
  making->is_known = !clang_Cursor_isNull(text) &&
                     (!of_template || pl_fe_is_never_specialized(m->f, cursor));
  if (pl_fe_locate(m->f, clang_getCursorLocation(cursor), &at) == PLACE_MAIN)
    making->at = at;
  if (!making->is_known)
    return;
  making->nparams = (uint32_t)clang_Cursor_getNumArguments(text);
  making->is_known = making->nparams <= 64;
  for (uint32_t i = 0; i < making->nparams && i < 64; i++) {
    CXType type = clang_getCanonicalType(
        clang_getCursorType(clang_Cursor_getArgument(text, i)));
    if (pl_fe_is_reference(type))
      making->by_name |= (uint64_t)1 << i;
    else if (pl_fe_is_number(type) || type.kind == CXType_Pointer)
      making->by_value |= (uint64_t)1 << i;
  }
  pl_fe_look_at_constructor(m->f, text, making);
}

/* Of a template whose instantiation shows no fields, as nothing needs it
 * yet. */
static enum CXChildVisitResult note_field_of_text(CXCursor cursor,
                                                  CXCursor parent,
                                                  CXClientData data) {
  (void)parent;
  return clang_getCursorKind(cursor) == CXCursor_FieldDecl &&
                 note_field(cursor, data) == CXVisit_Break
             ? CXChildVisit_Break
             : CXChildVisit_Continue;
}

static bool is_taken_from_arguments(const pl_making *making) {
  bool known = making->is_known;
  for (uint32_t i = 0; i < making->nmembers; i++)
    known = known && making->members[i].is_known;
  return known;
}

static enum CXChildVisitResult note_member(CXCursor cursor, CXCursor parent,
                                           CXClientData data) {
  record_makings *m = data;
  (void)parent;
  switch (clang_getCursorKind(cursor)) {
  case CXCursor_CXXBaseSpecifier:
    m->plain = false;
    m->derived = true;
    break;
  case CXCursor_FunctionTemplate:
    m->plain = m->plain &&
               clang_getTemplateCursorKind(cursor) != CXCursor_Constructor;
    break;
  case CXCursor_Constructor:
    if (!clang_CXXMethod_isDefaulted(cursor))
      add_constructor(m, cursor);
    break;
  default:
    break;
  }
  return m->plain ? CXChildVisit_Continue : CXChildVisit_Break;
}

/* Members in order, each by its own value; braces within may be left out. */
static void add_list(record_makings *m) {
  pl_making *making = add_making(m);
  making->is_list = true;
  making->nparams = m->fields->count;
  for (uint32_t i = 0; i < making->nmembers; i++) {
    uint32_t place = m->fields->place[i];
    uint64_t bit = place < 64 ? (uint64_t)1 << place : 0;
    making->members[i].from = bit;
    making->by_name |= making->members[i].is_reference ? bit : 0;
    if (place >= m->fields->flat || !bit)
      making->members[i].is_known = false;
  }
}

/* A class, or one that hangs on a template's arguments where all have one text
 * for it. */
static bool has_one_text(pl_fe *f, const pl_type *type, CXCursor record) {
  return type->kind == PL_TYPE_RECORD ||
         (clang_getCursorKind(record) == CXCursor_ClassTemplate &&
          pl_fe_is_never_specialized(f, record)) ||
         pl_fe_is_local_record(record);
}

void pl_fe_fill_makings(pl_fe *f, pl_type *type, CXType canonical) {
  record_fields fields = {.f = f, .plain = true};
  CXCursor record = clang_getTypeDeclaration(canonical);
  CXCursor pattern = clang_getSpecializedCursorTemplate(record);
  bool implicit = !clang_Cursor_isNull(pattern) &&
                  clang_equalLocations(clang_getCursorLocation(pattern),
                                       clang_getCursorLocation(record));
  CXCursor text = implicit ? pattern : record;
  if (type->kind == PL_TYPE_RECORD)
    clang_Type_visitFields(canonical, note_field, &fields);
  if (!fields.count)
    pl_fe_visit_children(f, text, note_field_of_text, &fields);
  record_makings m = {.f = f, .fields = &fields, .plain = true};
  pl_fe_visit_children(f, text, note_member, &m);
  type->keeps_addresses = !fields.plain || fields.n || m.derived;
  for (size_t i = 0; i < m.n; i++)
    type->begins_elsewhere |= !is_taken_from_arguments(&m.list[i]);
  if (!fields.plain || !fields.n || !has_one_text(f, type, record))
    return;
  if (fields.holders && (!m.constructed || type->begins_elsewhere))
    return;
  if (!m.constructed)
    add_list(&m);
  type->makings = m.plain ? m.list : NULL;
  type->nmakings = m.plain ? (uint32_t)m.n : 0;
}

/* The pointers of a record, and of those in it, by name; arrays of them and
 * references among them, none of which is taken for __restrict__. */
typedef struct pointer_names {
  pl_fe *f;
  pl_decl *decl;
  int depth;
  bool shared; /* they lie where others do */
  bool known;
} pointer_names;

static void note_pointer(pointer_names *p, CXCursor field, CXType type) {
  pl_str name = pl_fe_take_string(p->f, clang_getCursorSpelling(field));
  bool is_restrict = type.kind == CXType_Pointer && !p->shared &&
                     clang_isRestrictQualifiedType(type);
  pl_decl *decl = p->decl;
  for (size_t i = 0; i < decl->npointers; i++)
    if (pl_str_eq(decl->pointers[i].name, name)) {
      decl->pointers[i].is_restrict &= is_restrict;
      return;
    }
  PL_PUSH(p->f->arena, decl->pointers, decl->npointers, decl->pointers_cap,
          ((pl_pointer_name){name, is_restrict}));
}

static enum CXChildVisitResult look_for_base(CXCursor cursor, CXCursor parent,
                                             CXClientData data) {
  pointer_names *p = data;
  (void)parent;
  p->known = p->known && clang_getCursorKind(cursor) != CXCursor_CXXBaseSpecifier;
  return p->known ? CXChildVisit_Continue : CXChildVisit_Break;
}

static void note_pointers_in(pointer_names *p, CXType record);

static enum CXVisitorResult note_pointer_field(CXCursor field, CXClientData data) {
  pointer_names *p = data;
  CXType type = clang_getCanonicalType(clang_getCursorType(field));
  CXType held = pl_fe_innermost(type);
  if (held.kind == CXType_Record)
    note_pointers_in(p, held);
  else if (!pl_fe_is_number(held))
    note_pointer(p, field, type);
  return p->known ? CXVisit_Continue : CXVisit_Break;
}

static void note_pointers_in(pointer_names *p, CXType record) {
  enum { DEEPEST = 8 };
  CXCursor text = clang_getTypeDeclaration(record);
  CXCursor pattern = clang_getSpecializedCursorTemplate(text);
  bool shared = p->shared;
  pl_fe_visit_children(p->f, text, look_for_base, p);
  if (!clang_Cursor_isNull(pattern))
    pl_fe_visit_children(p->f, pattern, look_for_base, p);
  p->known = p->known && p->depth < DEEPEST;
  p->shared = shared || clang_getCursorKind(text) == CXCursor_UnionDecl;
  p->depth++;
  if (p->known)
    clang_Type_visitFields(record, note_pointer_field, p);
  p->depth--;
  p->shared = shared;
}

void pl_fe_note_pointers(pl_fe *f, pl_decl *decl, CXType type) {
  pointer_names names = {.f = f, .decl = decl, .known = true};
  type = clang_getCanonicalType(type);
  if (type.kind != CXType_Record)
    return;
  note_pointers_in(&names, type);
  if (!names.known)
    decl->npointers = 0;
}
