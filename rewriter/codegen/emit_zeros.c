/* emit_zeros.c - zeros that an asynchronous copy fills in itself.
 *
 * Needs: a guarded copy, the form's words. Gives: how many of its bytes are to be
 * zeros, `c ? 0 : 16`, where the copy's address can be said whether the guard holds or
 * not. Raises nothing.
 *
 * A copy that takes no byte of its source does not look at it [PTX: cp.async,
 * src-size], so that the address may lie anywhere; but what says it must read no memory
 * and divide by nothing. Measured: 1.025 times as fast as a branch that stores zeros,
 * 0.98 to 1.10 over 32 launches (docs/gpu-results.md). */
#include "call_summary.h"
#include "emit_fill.h"
#include "values.h"

#include <stdlib.h>
#include <string.h>

/* Whether all bytes of a value are zeros: of a number, of a vector of numbers, of a half
 * made of one. */
static bool is_all_zeros(const pl_emitter *e, pl_node *node) {
  node = pl_node_bare(node);
  if (node->from_macro || pl_build_may_change(e->unit, node))
    return false;
  if (node->has_ival)
    return node->ival == 0;
  if (node->kind == PL_NODE_FLOATING)
    return strtod(pl_arena_cstr(e->arena, pl_unit_slice(e->unit, node->range)), NULL) == 0;
  bool number = node->type && (node->type->kind == PL_TYPE_INT ||
                               node->type->kind == PL_TYPE_FLOAT);
  if (node->kind == PL_NODE_CAST && number && node->nkids == 1)
    return is_all_zeros(e, node->kids[0]);
  bool toolkit = node->kind == PL_NODE_CALL && node->decl && !node->decl->is_user;
  bool made = toolkit && (pl_str_starts(node->name, "make_") ||
                          pl_str_is(node->name, "__float2half") ||
                          pl_str_is(node->name, "__float2bfloat16"));
  for (uint32_t i = 1; made && i < node->nkids; i++)
    if (!is_all_zeros(e, node->kids[i]))
      return false;
  return made && node->nkids > 1;
}

/* Whether a template's arguments decide a type: of another instantiation's class the zero may
 * be other bits, as minus infinity is of numbers whose sum is their maximum. */
static bool is_open(const pl_node *node) {
  const pl_type *type = pl_written_type(node->type);
  type = pl_is_reference(type) ? pl_written_type(type->element) : type;
  return !type || type->kind == PL_TYPE_DEPENDENT;
}

/* ---- what can be said without a guard -------------------------------------- */

static bool is_of_array(const pl_node *node) {
  return node->type && node->type->kind == PL_TYPE_ARRAY;
}

static bool is_plain(pl_node *node);

/* A cell's address: what is read is what leads to it alone. */
static bool is_address_plain(pl_node *node) {
  node = pl_node_bare(node);
  bool cell = node->kind == PL_NODE_SUBSCRIPT ||
              (node->kind == PL_NODE_UNARY && node->op == PL_OP_DEREF);
  if (!cell || !is_plain(node->kids[node->nkids - 1]))
    return false;
  pl_node *base = pl_node_bare(node->kids[0]);
  return node->nkids == 1 || (is_of_array(base) && base->kind == PL_NODE_SUBSCRIPT
                                  ? is_address_plain(base)
                                  : is_plain(base));
}

static bool is_operation_plain(const pl_node *node) {
  const pl_node *right = pl_node_bare(node->kids[1]);
  bool divides = node->op == PL_OP_DIV || node->op == PL_OP_REM;
  return !divides || (right->has_ival && right->ival != 0);
}

/* Numbers and pointers of the thread's own. */
static bool is_plain(pl_node *node) {
  node = pl_node_bare(node);
  switch (node->kind) {
  case PL_NODE_INT:
    return true;
  case PL_NODE_REF:
    return node->has_ival || (node->decl && !node->decl->is_shared &&
                              (!node->type || node->type->kind != PL_TYPE_REFERENCE));
  case PL_NODE_MEMBER:
    return !node->is_arrow && is_plain(node->kids[0]);
  case PL_NODE_BINARY:
    return is_operation_plain(node) && is_plain(node->kids[0]) && is_plain(node->kids[1]);
  case PL_NODE_UNARY:
    return (node->op == PL_OP_MINUS || node->op == PL_OP_PLUS) && is_plain(node->kids[0]);
  case PL_NODE_CAST:
    return node->nkids == 1 && is_plain(node->kids[0]);
  default:
    return node->has_ival;
  }
}

/* The load itself, or what __ldg is given. */
static bool is_source_plain(pl_node *load) {
  load = pl_node_bare(load);
  return pl_calls_builtin(load, "__ldg") && load->nkids == 2 ? is_plain(load->kids[1])
                                                             : is_address_plain(load);
}

pl_str pl_zeros_text(pl_emitter *e, pl_node *load, pl_node *fill, pl_str guard,
                     pl_str bytes) {
  if (!e->form->words->copy_or_zeros || !fill || !is_all_zeros(e, fill) || is_open(load) ||
      !is_source_plain(load) || memchr(guard.p, '\n', guard.n))
    return (pl_str){0};
  return pl_arena_printf(e->arena, "%.*s ? 0 : %.*s", PL_FMT(guard), PL_FMT(bytes));
}
