/* byte_copies.c - `memcpy(&As[i], &A[j], 16)` as the assignment that it is.
 *
 * Needs: a call that writes to a tile. Gives: in its place an assignment of that
 * many bytes, whose third part says how many, and the type of registers that
 * hold them. Raises: PL1003, PL4006.
 *
 * The bytes are copied by memcpy in all that is emitted, too: their addresses
 * need not be aligned, and their types need not be those of the tile. */
#include "call_summary.h"
#include "copies.h"

#include <string.h>

bool pl_is_byte_copy(const pl_node *call) {
  return call->nkids == 4 && (pl_calls_builtin(call, "memcpy") ||
                              pl_calls_builtin(call, "memset") ||
                              pl_calls_builtin(call, "__builtin_memcpy") ||
                              pl_calls_builtin(call, "__builtin_memset"));
}

static bool sets_bytes(const pl_node *store) {
  return pl_str_has(store->name, "memset");
}

/* What a pointer points to, or an array holds; NULL: it has no size of its own. */
static const pl_type *pointee(const pl_node *arg) {
  const pl_type *type = arg->type;
  if (type && type->kind == PL_TYPE_REFERENCE)
    type = type->element;
  type = type && (type->kind == PL_TYPE_POINTER || type->kind == PL_TYPE_ARRAY)
             ? type->element
             : NULL;
  return type && type->kind != PL_TYPE_VOID ? type : NULL;
}

/* A number, or a vector of numbers of the toolkit's. */
static bool is_plain(const pl_type *type) {
  return type && type->written.n && !type->is_volatile &&
         (type->kind == PL_TYPE_INT || type->kind == PL_TYPE_FLOAT ||
          (type->kind == PL_TYPE_RECORD && !type->is_user &&
           type->is_trivially_copyable));
}

static const pl_type *named_type(pl_arena *arena, const char *name,
                                 int64_t size) {
  pl_type *type = PL_NEW(arena, pl_type);
  type->kind = PL_TYPE_OTHER;
  type->is_trivially_copyable = true;
  type->size = size;
  type->align = type->count = -1;
  type->spelling = type->written = (pl_str){name, strlen(name)};
  return type;
}

/* The most bytes that the instantiations in sight copy, -1: unknown. */
static int64_t most_bytes(const pl_loop *loop, pl_node *count) {
  int64_t most = -1, value;
  for (uint32_t i = 0; i < pl_count_readings(loop->func); i++)
    if (pl_loop_eval(loop, pl_reading(loop->func, i), count, &value, NULL) &&
        value > most)
      most = value;
  return most;
}

/* The type of a register for the bytes: that of the objects copied, else of a word
 * as wide. Where another build, or a template, may have it copy more, an array of
 * bytes. */
static const pl_type *register_type(const pl_loop *loop, pl_node *const *args,
                                    pl_node *count) {
  static const char *const words[17] = {
      [1] = "unsigned char", [2] = "unsigned short", [4] = "unsigned",
      [8] = "uint2",         [16] = "uint4"};
  int64_t bytes = most_bytes(loop, count);
  bool closed = count->has_ival && !pl_is_open(count);
  for (int i = 0; closed && i < 2; i++) {
    const pl_type *type = pointee(args[i]);
    if (is_plain(type) && type->size == bytes)
      return type;
  }
  if (closed && bytes > 0 && bytes <= 16 && words[bytes])
    return named_type(loop->arena, words[bytes], bytes);
  return named_type(loop->arena, PL_BYTES_TYPE, bytes);
}

static pl_node *child(pl_arena *arena, pl_node *parent, pl_node *kid) {
  parent->nkids = 1;
  parent->kids = PL_NEW_ARRAY(arena, pl_node *, 1);
  parent->kids[0] = kid;
  kid->parent = parent;
  return parent;
}

/* What lies where an argument points to: `x` of `&x` where that is as large, else
 * `*p`, as far as the bytes go. */
static pl_node *place(const pl_loop *loop, pl_node *arg, const pl_type *type) {
  pl_node *named = arg->kind == PL_NODE_UNARY && arg->op == PL_OP_ADDR
                       ? arg->kids[0]
                       : NULL;
  bool plain = named && (named->kind == PL_NODE_REF ||
                         named->kind == PL_NODE_SUBSCRIPT ||
                         named->kind == PL_NODE_MEMBER);
  if (plain && named->type && named->type->size == type->size &&
      !pl_str_is(type->written, PL_BYTES_TYPE))
    return named;
  pl_node *node = PL_NEW(loop->arena, pl_node);
  node->kind = PL_NODE_UNARY;
  node->op = PL_OP_DEREF;
  node->range = arg->range;
  node->type = type;
  return child(loop->arena, node, arg);
}

bool pl_arguments_are_spelled_out(const pl_node *call) {
  uint32_t at = call->range.begin;
  for (uint32_t i = 1; i < call->nkids; i++) {
    pl_range range = call->kids[i] ? call->kids[i]->range : (pl_range){0, 0};
    if (range.begin <= at || range.end > call->range.end ||
        range.end <= range.begin)
      return false;
    at = range.end;
  }
  return !call->from_macro;
}

/* Whether the number of bytes can be told where the registers are declared. */
static bool is_known_count(const pl_loop *loop, pl_node *count) {
  return pl_is_constant_text(count) && most_bytes(loop, count) > 0;
}

/* Turns a call into `destination = source`, as many bytes as its third kid says,
 * by way of a register of its type. The name stays: it tells memset, whose source is
 * a number. */
bool pl_become_assignment(pl_loop *loop, pl_node *call, const pl_tile *tile) {
  pl_node **args = call->kids + 1, *count = args[2];
  if (!pl_arguments_are_spelled_out(call))
    return pl_refuse(loop, false, "PL1003", call,
                     "a macro's body holds the %.*s into tile '%.*s'",
                     PL_FMT(call->name), PL_FMT(tile->decl->name));
  if (!is_known_count(loop, count))
    return pl_refuse(loop, false, "PL4006", count,
                     "how many bytes %.*s writes to tile '%.*s' is no constant",
                     PL_FMT(call->name), PL_FMT(tile->decl->name));
  const pl_type *type = register_type(loop, args, count);
  pl_node **kids = PL_NEW_ARRAY(loop->arena, pl_node *, 3);
  kids[0] = place(loop, args[0], type);
  kids[1] = sets_bytes(call) ? args[1] : place(loop, args[1], type);
  kids[2] = count;
  call->op_range = (pl_range){args[0]->range.end, args[1]->range.begin};
  call->kind = PL_NODE_ASSIGN;
  call->type = type;
  call->op = PL_OP_ASSIGN;
  call->kids = kids;
  call->nkids = 3;
  for (int i = 0; i < 3; i++)
    kids[i]->parent = call;
  return true;
}

/* ---- alignment ------------------------------------------------------------- */

/* How a place is aligned by what it is a part of: an element of an array or of what
 * a pointer points to. A cast in the call says nothing: the call reads bytes. */
static int64_t alignment_of(const pl_node *node) {
  const pl_type *type = NULL;
  for (;;) {
    node = pl_node_bare((pl_node *)node);
    type = type ? type : pointee(node) ? pointee(node) : node->type;
    bool right = node->kind == PL_NODE_BINARY && !pointee(node->kids[0]);
    if (node->kind == PL_NODE_REF)
      return type ? type->align : -1;
    if (node->kind == PL_NODE_UNARY && node->op != PL_OP_DEREF &&
        node->op != PL_OP_ADDR)
      return -1;
    if (node->kind != PL_NODE_UNARY && node->kind != PL_NODE_SUBSCRIPT &&
        node->kind != PL_NODE_BINARY)
      return -1;
    if (node->kind == PL_NODE_UNARY)
      type = NULL;
    node = node->kids[right];
  }
}

bool pl_bytes_are_aligned(const pl_copy *copy) {
  return alignment_of(copy->dst) >= copy->bytes &&
         alignment_of(copy->load) >= copy->bytes;
}
