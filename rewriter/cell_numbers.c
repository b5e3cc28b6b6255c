/* cell_numbers.c - what do operations make of the numbers of a fill?
 *
 * Needs: nothing but numbers and their types. Gives: numbers for what is not
 * known, the results of operations, and values as narrow as their types.
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

/* `i - 1 < 5u`: both sides are of the type that the operation is done in. */
void pl_cell_convert(const pl_type *left, const pl_type *right, int64_t *a,
                     int64_t *b) {
  left = pl_no_reference(left);
  right = pl_no_reference(right);
  if (!left || !right || left->kind != PL_TYPE_INT ||
      right->kind != PL_TYPE_INT || left->size > 4 || right->size > 4 ||
      !((left->size == 4 && left->is_unsigned) ||
        (right->size == 4 && right->is_unsigned)))
    return;
  *a = cut(*a, 4, true);
  *b = cut(*b, 4, true);
}

/* ---- operations --------------------------------------------------------- */

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
