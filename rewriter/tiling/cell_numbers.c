/* cell_numbers.c - what do operations make of the numbers of a fill?
 *
 * Needs: nothing but numbers and their types. Gives: numbers for what is not
 * known, the results of operations, those of known numbers in their types, and
 * values as narrow as their types.
 * Raises: nothing. */
#include "cells.h"

#define UNKNOWN_STEP 1048583 /* apart from all that a kernel counts to */

uint64_t pl_cell_mix(uint64_t a, uint64_t b) {
  return (a ^ b) * 1099511628211u + (a >> 29);
}

int64_t pl_cell_number(pl_machine *m, uint64_t key) {
  int64_t apart = (int64_t)(key % 4093) + 1;
  m->rests |= ON_UNKNOWN;
  switch (m->world) {
  case WORLD_FIRST:
    return UNKNOWN_STEP * apart;
  case WORLD_OTHER:
    return UNKNOWN_STEP * (4099 + 3 * (4093 - apart)) + 8 * apart + 5;
  case WORLD_ZERO:
    return 0;
  case WORLD_ONE:
    return 1;
  default:
    return -UNKNOWN_STEP * apart - 3 * apart;
  }
}

/* ---- widths ------------------------------------------------------------- */

static int64_t cut(int64_t value, int64_t bytes, bool is_unsigned) {
  int shift = 64 - 8 * (int)bytes;
  return is_unsigned ? (int64_t)((uint64_t)value << shift >> shift)
                     : (int64_t)((uint64_t)value << shift) >> shift;
}

/* What is not known stands for numbers of any size: as long as it is not made
 * narrow, its sums keep their distances. */
int64_t pl_cell_fit(const pl_type *type, int64_t value, unsigned rests) {
  type = pl_no_reference(type);
  if (type && type->kind == PL_TYPE_BOOL)
    return value != 0;
  bool narrow = type && type->kind == PL_TYPE_INT && type->size > 0 &&
                (type->size < 4 || (type->size == 4 && !(rests & ON_WORLD)));
  return narrow ? cut(value, type->size, type->is_unsigned) : value;
}

/* ---- operations --------------------------------------------------------- */

static const pl_type *type_of(const pl_machine *m, const pl_node *node) {
  return pl_no_reference(
      pl_type_settled(pl_node_bare((pl_node *)node)->type, m->loop->func,
                      m->instance));
}

/* A number as the integer type of an expression holds it. */
static pl_const typed(const pl_type *type, int64_t value) {
  return pl_is_integer_type(type)
             ? pl_const_convert(pl_const_make(0, false, value), type)
             : pl_const_make(0, false, value);
}

static bool is_pointer(const pl_type *type) {
  return type && (type->kind == PL_TYPE_POINTER || type->kind == PL_TYPE_ARRAY);
}

int64_t pl_cell_binary(pl_machine *m, const pl_node *node, int64_t a,
                       int64_t b) {
  const pl_type *left = type_of(m, node->kids[0]);
  const pl_type *right = type_of(m, node->kids[1]);
  if ((m->rests & ON_WORLD) || is_pointer(left) || is_pointer(right))
    return pl_cell_arithmetic(node->op, a, b);
  const pl_type *type = node->kind == PL_NODE_BINARY ? type_of(m, node) : NULL;
  pl_const value =
      pl_const_binary(node->op, typed(left, a), typed(right, b), type);
  return value.known ? value.bits
                     : pl_cell_number(m, pl_cell_mix((uint64_t)a, (uint64_t)b));
}

int64_t pl_cell_unary(pl_machine *m, const pl_node *node, int64_t of) {
  const pl_type *type = type_of(m, node->kids[0]);
  if ((m->rests & ON_WORLD) || is_pointer(type))
    return node->op == PL_OP_MINUS ? pl_cell_arithmetic(PL_OP_SUB, 0, of)
           : node->op == PL_OP_NOT ? ~of
           : node->op == PL_OP_LNOT ? !of
                                    : of;
  pl_const value =
      pl_const_unary(node->op, typed(type, of), type_of(m, node));
  return value.known ? value.bits : pl_cell_number(m, (uint64_t)of);
}

/* What is not known has numbers without a width, and places have bytes. */
int64_t pl_cell_arithmetic(pl_op op, int64_t a, int64_t b) {
  uint64_t x = (uint64_t)a, y = (uint64_t)b;
  switch (op) {
  case PL_OP_ADD:
    return (int64_t)(x + y);
  case PL_OP_SUB:
    return (int64_t)(x - y);
  case PL_OP_MUL:
    return (int64_t)(x * y);
  case PL_OP_DIV:
    return b == 0 || b == -1 ? 0 : a / b;
  case PL_OP_REM:
    return b == 0 || b == -1 ? 0 : a % b;
  case PL_OP_SHL:
    return (int64_t)(x << (y & 63));
  case PL_OP_SHR:
    return a >> (y & 63);
  case PL_OP_AND:
    return a & b;
  case PL_OP_OR:
    return a | b;
  case PL_OP_XOR:
    return a ^ b;
  case PL_OP_LT:
    return a < b;
  case PL_OP_GT:
    return a > b;
  case PL_OP_LE:
    return a <= b;
  case PL_OP_GE:
    return a >= b;
  case PL_OP_EQ:
    return a == b;
  case PL_OP_NE:
    return a != b;
  case PL_OP_LAND:
    return a && b;
  case PL_OP_LOR:
    return a || b;
  case PL_OP_COMMA:
    return b;
  default:
    return UNKNOWN_STEP;
  }
}

bool pl_cell_bends(pl_op op, unsigned left, unsigned right) {
  bool by_left = left & ON_THREAD, by_right = right & ON_THREAD;
  switch (op) {
  case PL_OP_ADD:
  case PL_OP_SUB:
  case PL_OP_COMMA:
    return false;
  case PL_OP_MUL:
    return by_left && by_right;
  case PL_OP_SHL:
    return by_right;
  default:
    return by_left || by_right;
  }
}
