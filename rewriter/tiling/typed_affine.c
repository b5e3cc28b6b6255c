/* typed_affine.c - what do the operations of C++ make of forms?
 *
 * Needs: forms, and the width and sign of their types. Gives: the results of
 * operations and comparisons. A value is known modulo two to its type's bits, and
 * taken for the form itself where nothing can have wrapped: signed arithmetic does
 * not. Raises: nothing. */
#include "access.h"

#define MOST_XOR_BITS 16

/* ---- types --------------------------------------------------------------- */

pl_interval pl_integer_range(uint8_t bytes, bool is_unsigned) {
  if (bytes == 0 || bytes >= 8)
    return (pl_interval){is_unsigned && bytes ? 0 : -PL_UNBOUNDED, PL_UNBOUNDED};
  int64_t half = (int64_t)1 << (8 * bytes - 1);
  return is_unsigned ? (pl_interval){0, 2 * half - 1}
                     : (pl_interval){-half, half - 1};
}

bool pl_is_in_type(pl_interval range, uint8_t bytes, bool is_unsigned) {
  pl_interval type = pl_integer_range(bytes, is_unsigned);
  return range.least >= type.least && range.largest <= type.largest &&
         range.least > -PL_UNBOUNDED && range.largest < PL_UNBOUNDED;
}

static pl_interval both_ranges(pl_interval a, pl_interval b) {
  return (pl_interval){a.least > b.least ? a.least : b.least,
                       a.largest < b.largest ? a.largest : b.largest};
}

/* Any value of a width and sign, which others decide. */
static pl_typed any_of(pl_affines *all, uint8_t bytes, bool is_unsigned,
                       const pl_turns *turns) {
  pl_interval range = pl_integer_range(bytes, is_unsigned);
  const pl_affine *any = pl_affine_free(all, range, turns);
  all->names[any->terms[0].name].is_wide = bytes == 8 && is_unsigned;
  return (pl_typed){any, bytes, is_unsigned, true};
}

pl_typed pl_typed_exact(pl_affines *all, pl_typed value) {
  if (!value.exact && value.bytes && value.bytes < 8)
    value = (pl_typed){pl_typed_form(all, value), value.bytes, value.is_unsigned,
                       true};
  return value;
}

static bool is_bool(const pl_type *type) {
  return type->kind == PL_TYPE_BOOL;
}

pl_typed pl_typed_any(pl_affines *all, const pl_type *type,
                      const pl_turns *turns) {
  if (!pl_is_integer_type(type))
    return any_of(all, 0, false, turns);
  pl_typed any = any_of(all, (uint8_t)type->size,
                        is_bool(type) || type->is_unsigned, turns);
  if (is_bool(type))
    any.is = pl_affine_free(all, (pl_interval){0, 1}, turns);
  return any;
}

pl_typed pl_typed_number(pl_affines *all, int64_t value, uint8_t bytes,
                         bool is_unsigned) {
  return (pl_typed){pl_affine_number(all, value), bytes, is_unsigned, true};
}

/* ---- values and forms ---------------------------------------------------- */

pl_interval pl_typed_range(pl_affines *all, pl_typed value) {
  pl_interval type = pl_integer_range(value.bytes, value.is_unsigned);
  pl_interval form = pl_affine_range(all, value.is);
  bool exact =
      value.exact || pl_is_in_type(form, value.bytes, value.is_unsigned);
  return exact ? both_ranges(form, type) : type;
}

const pl_affine *pl_typed_form(pl_affines *all, pl_typed value) {
  pl_interval type = pl_integer_range(value.bytes, value.is_unsigned);
  if (value.exact || pl_is_in_type(pl_affine_range(all, value.is), value.bytes,
                                   value.is_unsigned))
    return value.is;
  if (value.bytes == 0)
    return pl_affine_free(all, type, pl_affine_turns(all, value.is));
  if (value.bytes >= 8)
    return pl_affine_wrapped(all, value.is, value.is_unsigned);
  const pl_affine *least = pl_affine_number(all, type.least);
  const pl_affine *above = pl_affine_add(all, value.is, least, -1);
  return pl_affine_add(
      all, pl_affine_modulo(all, above, (int64_t)1 << (8 * value.bytes)), least,
      1);
}

/* A value as one of a width and sign. */
static pl_typed resized(pl_affines *all, pl_typed value, uint8_t bytes,
                        bool is_unsigned) {
  if (value.bytes == bytes && value.is_unsigned == is_unsigned)
    return value;
  bool wider = bytes > value.bytes || !value.bytes;
  if (!value.exact && wider)
    value = (pl_typed){pl_typed_form(all, value), value.bytes,
                       value.is_unsigned, true};
  bool fits = pl_is_in_type(pl_typed_range(all, value), bytes, is_unsigned);
  pl_typed made = {value.is, bytes, is_unsigned, value.exact && fits};
  return pl_affine_is_number(made.is) ? pl_typed_exact(all, made) : made;
}

pl_typed pl_typed_convert(pl_affines *all, pl_typed value, const pl_type *to) {
  pl_interval range = pl_typed_range(all, value);
  if (pl_is_integer_type(to) && is_bool(to) && range.least >= 0 &&
      range.largest <= 1)
    return (pl_typed){pl_typed_form(all, value), 1, true, true};
  if (!pl_is_integer_type(to) || (is_bool(to) && !pl_affine_is_number(value.is)))
    return pl_typed_any(all, to, pl_affine_turns(all, value.is));
  if (is_bool(to))
    return pl_typed_number(all, value.is->constant != 0, 1, true);
  return resized(all, value, (uint8_t)to->size, to->is_unsigned);
}

static pl_typed promoted(pl_affines *all, pl_typed value) {
  return value.bytes && value.bytes < 4 ? resized(all, value, 4, false) : value;
}

/* The usual arithmetic conversions. */
static void convert_both(pl_affines *all, pl_typed *a, pl_typed *b) {
  *a = promoted(all, *a);
  *b = promoted(all, *b);
  if (!a->bytes || !b->bytes)
    return;
  uint8_t bytes = a->bytes > b->bytes ? a->bytes : b->bytes;
  bool is_unsigned = (a->bytes == bytes && a->is_unsigned) ||
                     (b->bytes == bytes && b->is_unsigned);
  *a = resized(all, *a, bytes, is_unsigned);
  *b = resized(all, *b, bytes, is_unsigned);
}

/* Some value of the operands' type. */
static pl_typed unknown(pl_affines *all, pl_typed a, pl_typed b) {
  const pl_turns *left = pl_affine_turns(all, a.is);
  const pl_turns *right = pl_affine_turns(all, b.is);
  bool inner = !left || (right && right->depth > left->depth);
  return any_of(all, a.bytes && b.bytes ? a.bytes : 0, a.is_unsigned,
                inner ? right : left);
}

/* ---- sums and products --------------------------------------------------- */

/* A number that every type from int up holds, of one that is not known. */
static bool is_plain_number(pl_affines *all, pl_typed value) {
  return pl_affine_is_number(value.is) && value.exact &&
         pl_is_in_type(pl_affine_range(all, value.is), 4, false);
}

/* What arithmetic of two values makes, whose form is known. */
static pl_typed made_of(pl_affines *all, pl_typed a, pl_typed b,
                        const pl_affine *form) {
  bool open = false; /* the type of one, so that it may have no sign */
  if (!a.bytes && is_plain_number(all, a))
    a.bytes = b.bytes, a.is_unsigned = b.is_unsigned, open = true;
  if (!b.bytes && is_plain_number(all, b))
    b.bytes = a.bytes, b.is_unsigned = a.is_unsigned, open = true;
  bool typed = a.bytes && b.bytes, exact = a.exact && b.exact;
  bool fits = pl_is_in_type(pl_affine_range(all, form), typed ? a.bytes : 4,
                            typed && a.is_unsigned);
  if (!typed)
    return exact && fits ? (pl_typed){form, 0, false, true} : unknown(all, a, b);
  if (fits || (exact && !a.is_unsigned && !open))
    return (pl_typed){form, a.bytes, a.is_unsigned, true};
  if (a.bytes < 8)
    form = pl_affine_residue(all, form, (int64_t)1 << (8 * a.bytes));
  return (pl_typed){form, a.bytes, a.is_unsigned,
                    pl_is_in_type(pl_affine_range(all, form), a.bytes,
                                  a.is_unsigned)};
}

static pl_typed sum(pl_affines *all, pl_typed a, pl_typed b, int64_t by) {
  convert_both(all, &a, &b);
  return made_of(all, a, b, pl_affine_add(all, a.is, b.is, by));
}

static pl_typed product(pl_affines *all, pl_typed a, pl_typed b) {
  convert_both(all, &a, &b);
  return made_of(all, a, b, pl_affine_multiply(all, a.is, b.is));
}

/* ---- quotients, shifts and masks ----------------------------------------- */

/* The number that a value is; false: it is none. */
static bool is_number(pl_typed value, int64_t *number) {
  *number = value.is->constant;
  return value.exact && pl_affine_is_number(value.is);
}

static pl_typed with_form(pl_typed like, const pl_affine *form) {
  return (pl_typed){form, like.bytes, like.is_unsigned, true};
}

static pl_typed quotient(pl_affines *all, pl_op op, pl_typed a, pl_typed b) {
  int64_t by;
  convert_both(all, &a, &b);
  const pl_affine *of = pl_typed_form(all, a);
  if (!is_number(b, &by) && all->ratios && a.bytes && b.bytes) {
    const pl_affine *with = pl_typed_form(all, b);
    const pl_affine *ratio = pl_affine_ratio(all, of, with);
    const pl_affine *whole = pl_affine_multiply(all, ratio, with);
    return with_form(a, op == PL_OP_DIV ? ratio : pl_affine_add(all, of, whole, -1));
  }
  if (!is_number(b, &by) || by <= 0)
    return unknown(all, a, b);
  bool negative = pl_typed_range(all, a).least < 0;
  const pl_affine *parts = negative ? pl_affine_quotient(all, of, by)
                                    : pl_affine_floor(all, of, by);
  return with_form(a, op == PL_OP_DIV
                          ? parts
                          : pl_affine_add(all, of, parts, -by));
}

static pl_typed shifted(pl_affines *all, pl_op op, pl_typed a, pl_typed b) {
  int64_t by;
  a = promoted(all, a);
  if (!is_number(b, &by) || by < 0 || by > 30 || !a.bytes)
    return unknown(all, a, a);
  int64_t factor = (int64_t)1 << by;
  if (op == PL_OP_SHR)
    return with_form(a, pl_affine_floor(all, pl_typed_form(all, a), factor));
  const pl_affine *form =
      pl_affine_multiply(all, a.is, pl_affine_number(all, factor));
  bool fits =
      pl_is_in_type(pl_affine_range(all, form), a.bytes, a.is_unsigned);
  return (pl_typed){form, a.bytes, a.is_unsigned, fits};
}

/* How many zeros end a mask, and where its ones end; false: it has other bits. */
static bool is_run_of_ones(int64_t mask, int *from, int *to) {
  if (mask == 0)
    return false;
  *from = __builtin_ctzll((uint64_t)mask);
  uint64_t ones = (uint64_t)mask >> *from;
  *to = *from + (int)__builtin_popcountll(ones);
  return (ones & (ones + 1)) == 0;
}

/* Some value of the operands' type, between bounds. */
static pl_typed between(pl_affines *all, pl_typed a, pl_typed b, int64_t least,
                        int64_t largest) {
  pl_typed any = unknown(all, a, b);
  pl_interval *range = &all->names[any.is->terms[0].name].range;
  *range = both_ranges(*range, (pl_interval){least, largest});
  return any;
}

/* What is left of a number by a mask that is not negative. */
static pl_typed left_of(pl_affines *all, pl_typed a, pl_typed b) {
  pl_interval x = pl_typed_range(all, a), y = pl_typed_range(all, b);
  if (x.least < 0 && y.least < 0)
    return unknown(all, a, b);
  int64_t most = x.least < 0   ? y.largest
                 : y.least < 0 ? x.largest
                               : both_ranges(x, y).largest;
  return between(all, a, b, 0, most);
}

/* A value and a constant mask of neighbouring bits, or of all but some last ones. */
static pl_typed masked(pl_affines *all, pl_typed a, int64_t mask) {
  int from, to;
  const pl_affine *of = pl_typed_form(all, a);
  if (mask == -1)
    return a;
  if (mask < 0) {
    if (!is_run_of_ones(~mask, &from, &to) || from || to > 40)
      return unknown(all, a, a);
    return with_form(a, pl_affine_add(all, of,
                                      pl_affine_modulo(all, of, -mask), -1));
  }
  if (mask == 0 || !is_run_of_ones(mask, &from, &to) || to > 40)
    return between(all, a, a, 0, mask);
  const pl_affine *low = pl_affine_modulo(all, of, (int64_t)1 << to);
  if (from)
    low = pl_affine_add(all, low,
                        pl_affine_modulo(all, of, (int64_t)1 << from), -1);
  return with_form(a, low);
}

static int bits_of(int64_t largest) {
  int bits = 0;
  while (bits <= MOST_XOR_BITS && largest >> bits)
    bits++;
  return bits;
}

/* Bits that both have, one beside the other. */
static pl_typed joined(pl_affines *all, pl_op op, pl_typed a, pl_typed b) {
  pl_interval left = pl_typed_range(all, a), right = pl_typed_range(all, b);
  if (left.least < 0 || right.least < 0)
    return unknown(all, a, b);
  const pl_affine *x = pl_typed_form(all, a), *y = pl_typed_form(all, b);
  bool right_is_low = right.largest <= left.largest;
  const pl_affine *high = right_is_low ? x : y, *low = right_is_low ? y : x;
  int bits = bits_of(right_is_low ? right.largest : left.largest);
  int all_bits = bits_of(right_is_low ? left.largest : right.largest);
  if (bits > MOST_XOR_BITS)
    return between(all, a, b, 0, PL_UNBOUNDED);
  if (pl_affine_divides(high, (int64_t)1 << bits))
    return with_form(a, pl_affine_add(all, high, low, 1));
  return op == PL_OP_XOR ? with_form(a, pl_affine_xor(all, high, low, bits))
         : all_bits <= MOST_XOR_BITS
             ? between(all, a, b, 0, ((int64_t)1 << all_bits) - 1)
             : between(all, a, b, 0, PL_UNBOUNDED);
}

/* Two numbers of int64_t, of any type with these bits. */
static int64_t bitwise(pl_op op, int64_t a, int64_t b) {
  return op == PL_OP_AND ? a & b : op == PL_OP_OR ? a | b : a ^ b;
}

static pl_typed by_bits(pl_affines *all, pl_op op, pl_typed a, pl_typed b) {
  int64_t x, y;
  convert_both(all, &a, &b);
  bool left = is_number(a, &x), right = is_number(b, &y);
  if (left && right)
    return with_form(a, pl_affine_number(all, bitwise(op, x, y)));
  if (op == PL_OP_AND && (left || right))
    return masked(all, right ? a : b, right ? y : x);
  if (op == PL_OP_AND)
    return left_of(all, a, b);
  return joined(all, op, a, b);
}

/* ---- operations ---------------------------------------------------------- */

static pl_typed truth(pl_affines *all, pl_typed a, pl_typed b) {
  pl_typed any = unknown(all, a, b);
  any.is = pl_affine_free(all, (pl_interval){0, 1}, pl_affine_turns(all, any.is));
  return (pl_typed){any.is, 4, false, true};
}

pl_typed pl_typed_binary(pl_affines *all, pl_op op, pl_typed a, pl_typed b) {
  switch (op) {
  case PL_OP_ADD:
    return sum(all, a, b, 1);
  case PL_OP_SUB:
    return sum(all, a, b, -1);
  case PL_OP_MUL:
    return product(all, a, b);
  case PL_OP_DIV:
  case PL_OP_REM:
    return quotient(all, op, a, b);
  case PL_OP_SHL:
  case PL_OP_SHR:
    return shifted(all, op, a, b);
  case PL_OP_AND:
  case PL_OP_OR:
  case PL_OP_XOR:
    return by_bits(all, op, a, b);
  case PL_OP_COMMA:
    return b;
  default:
    return truth(all, a, b);
  }
}

pl_typed pl_typed_unary(pl_affines *all, pl_op op, pl_typed of) {
  pl_typed zero = pl_typed_number(all, 0, 4, false);
  of = promoted(all, of);
  if (op == PL_OP_PLUS)
    return of;
  if (op == PL_OP_MINUS)
    return sum(all, zero, of, -1);
  if (op == PL_OP_NOT) /* ~x is -x - 1 */
    return sum(all, sum(all, zero, of, -1), pl_typed_number(all, 1, 4, false),
               -1);
  return truth(all, of, of);
}

/* ---- conditions ---------------------------------------------------------- */

static const pl_where *joined_where(pl_affines *all, pl_op op,
                                    const pl_where *a, const pl_where *b) {
  pl_where *made = PL_NEW(all->arena, pl_where);
  *made = (pl_where){.op = op, .a = a, .b = b};
  return made;
}

const pl_where *pl_where_both(pl_affines *all, const pl_where *a,
                              const pl_where *b) {
  return !a ? b : !b ? a : joined_where(all, PL_OP_LAND, a, b);
}

const pl_where *pl_where_either(pl_affines *all, const pl_where *a,
                                const pl_where *b) {
  return a && b ? joined_where(all, PL_OP_LOR, a, b) : NULL;
}

/* What a comparison says of a form that it is made of. */
static pl_interval said_range(pl_affines *all, const pl_where *where,
                              const pl_affine *form, pl_interval range) {
  const pl_affine *above = pl_affine_add(all, form, where->of, -1);
  const pl_affine *below = pl_affine_add(all, form, where->of, 1);
  int64_t less = where->op == PL_OP_LT;
  if (where->op == PL_OP_NE)
    return range;
  if (pl_affine_is_number(above) && above->constant - less < range.largest)
    range.largest = above->constant - less;
  if (pl_affine_is_number(below) && below->constant + less > range.least)
    range.least = below->constant + less;
  return range;
}

pl_interval pl_where_range(pl_affines *all, const pl_where *where,
                           const pl_affine *form) {
  pl_interval range = pl_affine_range(all, form);
  if (!where || where->op == PL_OP_LOR)
    return range;
  if (where->op == PL_OP_LAND)
    return both_ranges(pl_where_range(all, where->a, form),
                       pl_where_range(all, where->b, form));
  return said_range(all, where, form, range);
}

/* a - b op 0. */
static const pl_where *compared(pl_affines *all, pl_op op, const pl_affine *a,
                                const pl_affine *b) {
  pl_where *made = PL_NEW(all->arena, pl_where);
  *made = (pl_where){.op = op, .of = pl_affine_add(all, a, b, -1)};
  return made;
}

pl_decision pl_typed_compare(pl_affines *all, pl_op op, pl_typed a,
                             pl_typed b) {
  convert_both(all, &a, &b);
  const pl_affine *x = pl_typed_form(all, a), *y = pl_typed_form(all, b);
  switch (op) {
  case PL_OP_LT:
    return (pl_decision){compared(all, PL_OP_LT, x, y),
                         compared(all, PL_OP_LE, y, x)};
  case PL_OP_LE:
    return (pl_decision){compared(all, PL_OP_LE, x, y),
                         compared(all, PL_OP_LT, y, x)};
  case PL_OP_GT:
    return (pl_decision){compared(all, PL_OP_LT, y, x),
                         compared(all, PL_OP_LE, x, y)};
  case PL_OP_GE:
    return (pl_decision){compared(all, PL_OP_LE, y, x),
                         compared(all, PL_OP_LT, x, y)};
  case PL_OP_EQ:
    return (pl_decision){compared(all, PL_OP_EQ, x, y),
                         compared(all, PL_OP_NE, x, y)};
  case PL_OP_NE:
    return (pl_decision){compared(all, PL_OP_NE, x, y),
                         compared(all, PL_OP_EQ, x, y)};
  default:
    return (pl_decision){NULL, NULL};
  }
}
