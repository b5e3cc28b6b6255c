/* own_tiles.c - a caller's tile that nothing but one function's loops uses, as a tile of
 * that function.
 *
 * Needs: an attempt in which a loop of a device function has one buffer, as its tiles are
 * its callers'. Gives: a shared object of the function under the parameter's name, of the
 * caller's type; the caller's holds nothing. Raises nothing.
 *
 * `float dot(float (&tile)[64], ...)` begins with `__shared__ float tile[64];` where each
 * caller in the file names the object that it passes in such calls alone: what it held
 * before is not known to the function, nor what it holds then to the caller. The parameter
 * has no name in that text, and keeps it in the source. */
#include "copies.h"
#include "expansions.h"
#include "open_values.h"
#include "plan.h"

#include <string.h>

#define MOST_OBJECTS 16

typedef struct owning {
  const pl_loop *loop;
  const pl_func *func; /* as it is written */
  const pl_decl *param;
  uint32_t index;
  const pl_decl *objects[MOST_OBJECTS]; /* of the caller that is looked at */
  size_t nobjects;
  int64_t count, align; /* elements of what a pointer is given; bytes; 0: none yet */
  bool fine;
} owning;

/* ---- what the callers pass ------------------------------------------------------- */

static bool is_call(const owning *o, const pl_node *node) {
  const pl_unit *unit = o->loop->unit;
  for (uint32_t i = 0; node->kind == PL_NODE_CALL && i < unit->nfuncs; i++)
    if (pl_written_func(unit->funcs[i]) == o->func &&
        (pl_is_call_of(node, unit->funcs[i]) ||
         pl_stands_for_call(node, unit->funcs[i])))
      return true;
  return false;
}

static const pl_node *argument(const owning *o, const pl_node *call) {
  return o->index + 1 < call->nkids && call->kids[o->index + 1]
             ? pl_node_bare(call->kids[o->index + 1])
             : NULL;
}

static bool is_pointer(const pl_type *type) {
  return type && type->kind == PL_TYPE_POINTER;
}

/* Whether all callers pass a pointer as many elements, whatever a template's arguments
 * are; of a reference, its type says. */
static bool has_one_size(owning *o, const pl_decl *object) {
  const pl_type *type = object->type, *of = o->param->type->element;
  if (!is_pointer(o->param->type))
    return true;
  if (o->func->ninstances || type->kind != PL_TYPE_ARRAY || !of || of->size <= 0 ||
      type->size <= 0 || type->size % of->size || !pl_same_type(type->element, of) ||
      pl_has_open_size(o->loop, object))
    return false;
  bool first = o->count == 0;
  o->count = first ? type->size / of->size : o->count;
  return first || o->count == type->size / of->size;
}

static bool is_conditional(const pl_node *node) {
  for (; node; node = node->parent)
    if (node->kind == PL_NODE_IF || node->kind == PL_NODE_SWITCH ||
        node->kind == PL_NODE_COND || node->kind == PL_NODE_LAMBDA ||
        (node->kind == PL_NODE_BINARY &&
         (node->op == PL_OP_LAND || node->op == PL_OP_LOR)))
      return true;
  return false;
}

static bool gather_objects(pl_node *node, void *context) {
  owning *o = context;
  if (!is_call(o, node))
    return o->fine;
  const pl_node *arg = argument(o, node);
  const pl_decl *object = arg && arg->kind == PL_NODE_REF ? arg->decl : NULL;
  o->fine = o->fine && object && object->kind == PL_DECL_VAR && object->is_shared &&
            object->owner && object->node && !object->is_extern && !object->init &&
            object->type && object->align_attr >= 0 && !is_conditional(node) &&
            !node->from_macro && o->nobjects < MOST_OBJECTS && has_one_size(o, object);
  if (!o->fine)
    return false;
  o->align = object->align_attr > o->align ? object->align_attr : o->align;
  o->objects[o->nobjects++] = object;
  return true;
}

/* Whether each name of such an object is the argument of such a call. */
static bool has_no_other_use(pl_node *node, void *context) {
  owning *o = context;
  bool one = false;
  for (size_t i = 0; node->kind == PL_NODE_REF && i < o->nobjects; i++)
    one = one || o->objects[i] == node->decl;
  const pl_node *up = node->parent;
  while (one && up && (up->kind == PL_NODE_PAREN || up->kind == PL_NODE_CAST))
    up = up->parent;
  o->fine = o->fine && (!one || (up && is_call(o, up) && argument(o, up) == node));
  return o->fine;
}

static bool is_passed_alone(owning *o) {
  const pl_unit *unit = o->loop->unit;
  bool any = false;
  for (uint32_t i = 0; i < unit->nfuncs && o->fine; i++) {
    pl_func *caller = unit->funcs[i];
    if (!caller->body || caller->is_all_in_sight)
      continue;
    o->nobjects = 0;
    pl_node_walk(caller->body, gather_objects, o);
    any = any || o->nobjects;
    if (o->nobjects)
      pl_node_walk(caller->body, has_no_other_use, o);
  }
  return any && o->fine;
}

/* ---- the function's own use ------------------------------------------------------ */

/* Whether it is named in the loop alone: what a call before left in it is nothing to it. */
static bool is_of_loop(pl_node *node, void *context) {
  owning *o = context;
  o->fine = o->fine && (node->kind != PL_NODE_REF || node->decl != o->param ||
                        pl_node_within(node, o->loop->node));
  return o->fine;
}

/* Whether an array in the place of a pointer means the same: it is indexed, added to, or
 * handed on as a pointer. */
static bool is_used_as_array(pl_node *node, void *context) {
  owning *o = context;
  if (node->kind == PL_NODE_SIZEOF || node->kind == PL_NODE_OTHER_DECL ||
      node->kind == PL_NODE_LAMBDA) {
    o->fine = o->fine && !pl_mentions(node, o->param);
    return o->fine;
  }
  if (node->kind != PL_NODE_REF || node->decl != o->param)
    return o->fine;
  const pl_node *up = node->parent;
  while (up && up->kind == PL_NODE_PAREN)
    up = up->parent;
  const pl_func *callee = up && up->kind == PL_NODE_CALL && up->decl ? up->decl->func : NULL;
  bool handed = false;
  for (uint32_t i = 0; callee && i < callee->nparams && i + 1 < up->nkids; i++)
    handed = handed || (up->kids[i + 1] && pl_node_bare(up->kids[i + 1]) == node &&
                        is_pointer(pl_written_func(callee)->params[i]->type));
  o->fine = o->fine && up &&
            (up->kind == PL_NODE_SUBSCRIPT || handed ||
             (up->kind == PL_NODE_BINARY &&
              (up->op == PL_OP_ADD || up->op == PL_OP_SUB)) ||
             (up->kind == PL_NODE_UNARY && up->op == PL_OP_DEREF));
  return o->fine;
}

/* ---- the text ---------------------------------------------------------------------- */

/* `float (&tile)[64]` as `float tile[64]`, `Storage &s` as `Storage s`, `float *tile` as
 * `float tile[64]`, `float (*rows)[16]` as `float rows[64][16]`. Empty: it is none of
 * these. */
static pl_str declaration(const owning *o, pl_arena *arena) {
  const pl_unit *unit = o->loop->unit;
  const pl_decl *param = o->param;
  bool pointer = is_pointer(param->type);
  uint32_t name = pl_token_from(unit, param->name_range.begin), at = name - 1;
  if (pl_str_is(pl_token_text(unit, at), "__restrict__"))
    at--;
  bool marked = pl_str_is(pl_token_text(unit, at), pointer ? "*" : "&");
  bool braced = marked && at && pl_str_is(pl_token_text(unit, at - 1), "(") &&
                pl_str_is(pl_token_text(unit, name + 1), ")");
  uint32_t end = braced ? unit->tokens[at - 1].range.begin : unit->tokens[at].range.begin;
  uint32_t rest = braced ? unit->tokens[name + 1].range.end : param->name_range.end;
  pl_str type = pl_unit_slice(unit, (pl_range){param->range.begin, end});
  pl_str dims = pl_unit_slice(unit, (pl_range){rest, param->range.end});
  bool array = param->type->element->kind == PL_TYPE_ARRAY;
  if (!marked || rest > param->range.end || (array && !braced) || pl_has_comment(type) ||
      pl_has_comment(dims) || pl_str_has(dims, "=") || pl_str_starts(type, "const "))
    return PL_STR("");
  pl_str bound = pointer ? pl_arena_printf(arena, "[%lld]", (long long)o->count) : PL_STR("");
  pl_str align = o->align ? pl_arena_printf(arena, "__align__(%lld) ", (long long)o->align)
                          : PL_STR("");
  while (type.n && type.p[type.n - 1] == ' ')
    type.n--;
  return pl_arena_printf(arena, "__shared__ %.*s%.*s %.*s%.*s%.*s;", PL_FMT(align),
                         PL_FMT(type), PL_FMT(param->name), PL_FMT(bound), PL_FMT(dims));
}

static pl_str own_declaration(const pl_loop *loop, const pl_decl *tile, pl_arena *arena) {
  const pl_func *written = pl_written_func(loop->func);
  int index = pl_param_index(loop->func, tile);
  owning o = {.loop = loop, .func = written, .param = tile, .fine = index >= 0};
  if (!o.fine || !tile->type || !tile->type->element || tile->carved_with ||
      tile->from_macro || tile->is_member || !tile->in_main || !tile->name_range.end ||
      tile->unless_given || !pl_calls_are_seen(loop->func))
    return PL_STR("");
  o.index = (uint32_t)index;
  pl_node_walk(loop->func->body, is_of_loop, &o);
  if (is_pointer(tile->type))
    pl_node_walk(loop->func->body, is_used_as_array, &o);
  return o.fine && is_passed_alone(&o) ? declaration(&o, arena) : PL_STR("");
}

/* ---- which loops ------------------------------------------------------------------- */

static bool is_of_callers(const pl_loop *loop) {
  return loop->double_id && strcmp(loop->double_id, "PL3009") == 0 &&
         !loop->func->is_global && !loop->func->is_host && !loop->func->outer &&
         loop->func->in_main && !loop->func->from_macro && !loop->branch &&
         !loop->func->body->from_macro;
}

void pl_tiles_as_own(pl_loop *loop, pl_arena *arena, pl_replacements *out) {
  const pl_unit *unit = loop->unit;
  pl_text text = {.arena = arena};
  pl_replacements names = {0};
  bool any = false, all = is_of_callers(loop);
  pl_range brace = {loop->func->body->range.begin, loop->func->body->range.begin + 1};
  pl_text_add(&text, PL_STR("{"));
  for (size_t t = 0; all && t < loop->ntiles; t++) {
    const pl_tile *tile = &loop->tiles[t];
    if (tile->decl->kind != PL_DECL_PARAM)
      continue;
    pl_str own = own_declaration(loop, tile->decl, arena);
    all = own.n && !tile->partial && !tile->changed_at;
    any = true;
    pl_put(arena, &names, tile->decl->name_range, PL_STR(""));
    pl_text_printf(&text, "\n%.*s%.*s",
                   PL_FMT(pl_indent_at(unit, loop->func->body->kids[0]->range.begin)),
                   PL_FMT(own));
  }
  for (size_t i = 0; i < out->n; i++)
    all = all && out->items[i].range.begin != brace.begin;
  if (!all || !any)
    return;
  pl_put(arena, out, brace, pl_text_view(&text));
  pl_put_all(arena, out, &names);
  out->for_async = true;
}
