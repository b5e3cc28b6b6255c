/* clang_wanted.c - is a statement one that is looked for?
 *
 * Needs: a parse that asks for some statements alone. Gives: whether a node is made
 * of one, of the statements below it, or of neither. Raises: nothing. */
#include "clang_parts.h"

#include <string.h>

static pl_func *function_around(const pl_unit *unit, pl_range range) {
  for (uint32_t i = 0; range.end && i < unit->nfuncs; i++)
    if (pl_range_inside(range, unit->funcs[i]->range))
      return unit->funcs[i];
  return NULL;
}

void pl_fe_own_locals(pl_fe *f) {
  for (size_t i = 0; i < f->decls_cap; i++) {
    pl_decl *decl = f->decls[i].value;
    if (decl && decl->kind == PL_DECL_VAR && !decl->owner)
      decl->owner = function_around(f->unit, decl->name_range);
  }
}

static bool overlap(pl_range a, pl_range b) {
  return a.begin < b.end && b.begin < a.end;
}

/* Whether no block can stand below it, nor stores that commas join to be one. */
static bool is_simple(enum CXCursorKind kind, pl_str text) {
  if (memchr(text.p, '{', text.n))
    return false;
  switch (kind) {
  case CXCursor_DeclStmt:
  case CXCursor_CallExpr:
  case CXCursor_CompoundAssignOperator:
  case CXCursor_UnaryOperator:
  case CXCursor_ReturnStmt:
  case CXCursor_BreakStmt:
  case CXCursor_ContinueStmt:
  case CXCursor_NullStmt:
    return true;
  case CXCursor_BinaryOperator:
    return !memchr(text.p, ',', text.n);
  default:
    return false;
  }
}

pl_want pl_fe_want(pl_fe *f, CXCursor cursor) {
  const pl_wanted *wanted = f->wanted;
  if (!wanted)
    return PL_WANT_WHOLE;
  pl_range range = pl_fe_cursor_range(f, cursor);
  if (!range.end)
    return PL_WANT_PARTS;
  pl_str text = pl_unit_slice(f->unit, range);
  bool near = false;
  for (size_t i = 0; i < wanted->nplaces; i++) {
    const pl_wanted_place *place = &wanted->places[i];
    if (pl_range_inside(range, place->range) &&
        wanted->may_be_one(place->what, text))
      return PL_WANT_WHOLE;
    near |= overlap(range, place->range);
  }
  return near && !is_simple(clang_getCursorKind(cursor), text)
             ? PL_WANT_PARTS
             : PL_WANT_NOTHING;
}
