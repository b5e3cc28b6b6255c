/* clang_variables.c - what is known of a variable: bounds, alignment, value,
 * and the conversion that initialises it. */
#include "clang_parts.h"

#include <stdlib.h>
#include <string.h>

static bool ends_in_name(pl_str qualified, pl_str name) {
  return qualified.n > name.n + 2 &&
         memcmp(qualified.p + qualified.n - name.n, name.p, name.n) == 0 &&
         memcmp(qualified.p + qualified.n - name.n - 2, "::", 2) == 0;
}

pl_decl *pl_fe_lookup_constant(void *context, pl_str name) {
  pl_fe *f = context;
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

static int64_t alignment_argument(pl_fe *f, uint32_t open) {
  int64_t value;
  uint32_t close = pl_token_match(f->unit, open);
  if (close == PL_NONE)
    return -1;
  value = vector_alignment(pl_token_text(f->unit, open + 1));
  if (value && close == open + 2)
    return value;
  pl_node *node =
      pl_parse_constant(f->unit, open + 1, close, pl_fe_lookup_constant, f);
  return pl_node_eval(node, NULL, NULL, &value) ? value : -1;
}

/* __align__(n), alignas(n) and aligned(n) between the declaration's first
 * token and the variable's end; the largest counts. */
static int64_t alignment_of(pl_fe *f, const pl_decl *decl) {
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
         !pl_str_is(text, "aligned") && !pl_str_is(text, "__aligned__") &&
         !pl_str_is(text, "_Alignas")) ||
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
static pl_node *constant_node(pl_fe *f, int64_t value) {
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
static uint32_t written_bounds(pl_fe *f, const pl_decl *decl, CXCursor cursor,
                               pl_node **bounds, uint32_t most) {
  size_t first, n = pl_fe_children(f, cursor, pl_fe_collect_code, &first);
  CXCursor init = clang_Cursor_getVarDeclInitializer(cursor);
  uint32_t found = 0;
  for (size_t i = 0; i < n && found < most; i++) {
    CXCursor child = f->stack[first + i];
    if (!clang_isExpression(clang_getCursorKind(child)) ||
        (!clang_Cursor_isNull(init) && clang_equalCursors(child, init)))
      continue;
    pl_node *node = pl_fe_build_node(f, child);
    if (node &&
        (node->range.begin >= decl->name_range.end || !decl->name_range.end))
      bounds[found++] = node;
  }
  pl_fe_drop_children(f, first);
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
static void fill_dims(pl_fe *f, pl_decl *decl, CXCursor cursor) {
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
static void settle_paren_list(pl_fe *f, pl_node *init) {
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

void pl_fe_complete_variable(pl_fe *f, pl_decl *decl, CXCursor cursor) {
  decl->owner = f->func;
  fill_dims(f, decl, cursor);
  CXCursor init = clang_Cursor_getVarDeclInitializer(cursor);
  if (!clang_Cursor_isNull(init))
    decl->init = pl_fe_build_node(f, init);
  if (decl->init)
    settle_paren_list(f, decl->init);
  if (decl->init)
    bare_reference(decl);
  if (decl->init && is_unwritten(decl, decl->init))
    decl->init = NULL;
  if (!decl->in_main)
    return fill_value(decl);
  decl->align_attr = alignment_of(f, decl);
  if (decl->name_range.end && word_before_name(f->unit, decl, "constexpr"))
    decl->is_constexpr = true;
  fill_value(decl);
}
