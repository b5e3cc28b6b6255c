/* const_eval.c - constant integer expressions, in the types that C++ gives them.
 *
 * Needs: the model, and what the caller knows of names. Gives: typed values:
 * integral promotions, usual arithmetic conversions, conversions of casts and of
 * initialisation. Raises nothing: what has no value, or a type that is not known
 * decides, is unknown. */
#include "const_eval.h"

#include <string.h>

#define MOST_DEPTH 200 /* stops initialisers that name themselves */

const pl_const pl_const_unknown = {0};

/* ---- values --------------------------------------------------------------- */

/* The low bytes, sign- or zero-extended. */
static int64_t extended(int64_t bits, uint8_t bytes, bool is_unsigned) {
  if (bytes == 0 || bytes >= 8)
    return bits;
  unsigned width = 8u * bytes;
  uint64_t mask = ((uint64_t)1 << width) - 1, low = (uint64_t)bits & mask;
  return !is_unsigned && low >> (width - 1) ? (int64_t)(low | ~mask)
                                            : (int64_t)low;
}

pl_const pl_const_make(uint8_t bytes, bool is_unsigned, int64_t bits) {
  return (pl_const){true, is_unsigned, bytes,
                    extended(bits, bytes, is_unsigned)};
}

pl_const pl_const_int(int64_t value) { return pl_const_make(4, false, value); }

static pl_const truth(bool value) { return pl_const_make(1, true, value); }

/* The value with that sign and width, modulo 2^n. */
static pl_const cut_to(pl_const value, uint8_t bytes, bool is_unsigned) {
  return value.known ? pl_const_make(bytes, is_unsigned, value.bits) : value;
}

bool pl_const_is_true(pl_const value) { return value.known && value.bits != 0; }

/* Whether it is known to be zero. */
static bool is_zero(pl_const value) { return value.known && value.bits == 0; }

static bool is_beyond_int64(pl_const value) {
  return value.is_unsigned && value.bytes == 8 && value.bits < 0;
}

bool pl_const_number(pl_const value, int64_t *number) {
  if (!value.known || is_beyond_int64(value))
    return false;
  *number = value.bits;
  return true;
}

/* ---- types ---------------------------------------------------------------- */

bool pl_is_integer_type(const pl_type *type) {
  return type && (type->kind == PL_TYPE_BOOL ||
                  (type->kind == PL_TYPE_INT &&
                   (type->size == 1 || type->size == 2 || type->size == 4 ||
                    type->size == 8)));
}

int64_t pl_least_of(const pl_type *type) {
  if (type->kind == PL_TYPE_BOOL || type->is_unsigned)
    return 0;
  return -((int64_t)1 << (8 * type->size - 2)) * 2;
}

int64_t pl_largest_of(const pl_type *type) {
  if (type->kind == PL_TYPE_BOOL)
    return 1;
  if (type->size >= 8)
    return INT64_MAX;
  return ((int64_t)1 << (8 * type->size - !type->is_unsigned)) - 1;
}

/* What an enumeration promotes to hangs on the values of its enumerators, unless
 * it is signed or narrow: as of an unknown type. */
static pl_const enumerator(pl_const value, const pl_type *type) {
  bool open = type->is_unsigned && type->size >= 4;
  pl_const cut = cut_to(value, (uint8_t)type->size, type->is_unsigned);
  if (open && cut.bits >= 0)
    cut.bytes = 0;
  return cut;
}

pl_const pl_const_convert(pl_const value, const pl_type *to) {
  to = pl_no_reference(to);
  if (!to || !value.known)
    return pl_const_unknown;
  if (to->kind == PL_TYPE_BOOL)
    return truth(value.bits != 0);
  if (to->kind == PL_TYPE_ENUM)
    return enumerator(value, to);
  return pl_is_integer_type(to)
             ? cut_to(value, (uint8_t)to->size, to->is_unsigned)
             : pl_const_unknown;
}

/* ---- conversions of operands ---------------------------------------------- */

/* bool, char and short become int; no value changes. */
static pl_const promoted(pl_const value) {
  return value.known && value.bytes && value.bytes < 4
             ? pl_const_make(4, false, value.bits)
             : value;
}

/* Whether all types from int up have the value. */
static bool fits_any_type(pl_const value) {
  return value.known && value.bits >= 0 && value.bits <= INT32_MAX;
}

/* A value of a type that is not known: only one that every type has. */
static pl_const of_any_type(int64_t bits) {
  pl_const value = pl_const_make(0, false, bits);
  return fits_any_type(value) ? value : pl_const_unknown;
}

/* Converts both operands to the type of the operation; false: it is not known.
 * Two of different widths go to the wider one, of one width to the unsigned one. */
static bool convert_both(pl_const *a, pl_const *b) {
  *a = promoted(*a);
  *b = promoted(*b);
  if (!a->bytes || !b->bytes)
    return false;
  uint8_t bytes = a->bytes > b->bytes ? a->bytes : b->bytes;
  bool is_unsigned = (a->is_unsigned && a->bytes == bytes) ||
                     (b->is_unsigned && b->bytes == bytes);
  *a = cut_to(*a, bytes, is_unsigned);
  *b = cut_to(*b, bytes, is_unsigned);
  return true;
}

/* ---- operations ------------------------------------------------------------ */

/* A result of exact arithmetic in the type that it is done in: unsigned numbers
 * wrap, signed ones have no value beyond theirs. */
static pl_const in_type(pl_const of, int64_t exact, bool overflows) {
  if (of.is_unsigned)
    return pl_const_make(of.bytes, true, exact);
  pl_const cut = pl_const_make(of.bytes, false, exact);
  return overflows || cut.bits != exact ? pl_const_unknown : cut;
}

/* For operands of one type. The product, sum or difference is taken modulo 2^64,
 * which is what unsigned numbers of up to 8 bytes need. */
static pl_const add_or_multiply(pl_op op, pl_const a, pl_const b) {
  int64_t exact;
  bool overflows = op == PL_OP_ADD   ? __builtin_add_overflow(a.bits, b.bits, &exact)
                   : op == PL_OP_SUB ? __builtin_sub_overflow(a.bits, b.bits, &exact)
                                     : __builtin_mul_overflow(a.bits, b.bits, &exact);
  return in_type(a, exact, overflows);
}

static pl_const divide(pl_op op, pl_const a, pl_const b) {
  if (b.bits == 0 || (!a.is_unsigned && a.bits == INT64_MIN && b.bits == -1))
    return pl_const_unknown;
  uint64_t x = (uint64_t)a.bits, y = (uint64_t)b.bits;
  if (a.is_unsigned)
    return in_type(a, (int64_t)(op == PL_OP_DIV ? x / y : x % y), false);
  /* INT_MIN % -1 has no value either, though its remainder would fit */
  pl_const quotient = in_type(a, a.bits / b.bits, false);
  return op == PL_OP_DIV || !quotient.known ? quotient
                                            : in_type(a, a.bits % b.bits, false);
}

/* The left operand's type is the result's. */
static pl_const shift(pl_op op, pl_const a, pl_const b) {
  unsigned width = a.bytes ? 8u * a.bytes : 32;
  if (b.bits < 0 || b.bits >= (int64_t)width)
    return pl_const_unknown;
  if (op == PL_OP_SHR)
    return pl_const_make(a.bytes, a.is_unsigned,
                         a.is_unsigned ? (int64_t)((uint64_t)a.bits >> b.bits)
                                       : a.bits >> b.bits);
  int64_t exact = (int64_t)((uint64_t)a.bits << b.bits);
  bool overflows = a.bits < 0 || exact < 0 || exact >> b.bits != a.bits;
  return in_type(a, exact, overflows);
}

static bool is_less(pl_const a, pl_const b) {
  return a.is_unsigned ? (uint64_t)a.bits < (uint64_t)b.bits : a.bits < b.bits;
}

static pl_const compare(pl_op op, pl_const a, pl_const b) {
  switch (op) {
  case PL_OP_LT:
    return truth(is_less(a, b));
  case PL_OP_GE:
    return truth(!is_less(a, b));
  case PL_OP_GT:
    return truth(is_less(b, a));
  case PL_OP_LE:
    return truth(!is_less(b, a));
  case PL_OP_EQ:
    return truth(a.bits == b.bits);
  default:
    return truth(a.bits != b.bits);
  }
}

static bool is_comparison(pl_op op) {
  return op == PL_OP_LT || op == PL_OP_GT || op == PL_OP_LE || op == PL_OP_GE ||
         op == PL_OP_EQ || op == PL_OP_NE;
}

/* For operands of one type. */
static pl_const operate(pl_op op, pl_const a, pl_const b) {
  if (is_comparison(op))
    return compare(op, a, b);
  switch (op) {
  case PL_OP_ADD:
  case PL_OP_SUB:
  case PL_OP_MUL:
    return add_or_multiply(op, a, b);
  case PL_OP_DIV:
  case PL_OP_REM:
    return divide(op, a, b);
  case PL_OP_AND:
    return in_type(a, a.bits & b.bits, false);
  case PL_OP_OR:
    return in_type(a, a.bits | b.bits, false);
  case PL_OP_XOR:
    return in_type(a, a.bits ^ b.bits, false);
  default:
    return pl_const_unknown;
  }
}

/* Where the type of an operand is not known: as ints, as long as every type has
 * both operands and the result. */
static pl_const operate_in_any_type(pl_op op, pl_const a, pl_const b) {
  if (!fits_any_type(a) || !fits_any_type(b))
    return pl_const_unknown;
  pl_const result = operate(op, pl_const_int(a.bits), pl_const_int(b.bits));
  if (!result.known || is_comparison(op))
    return result;
  return of_any_type(result.bits);
}

static pl_const shift_operands(pl_op op, pl_const a, pl_const b,
                               const pl_type *type) {
  a = pl_is_integer_type(type) ? pl_const_convert(a, type) : promoted(a);
  if (!a.known || is_beyond_int64(b))
    return pl_const_unknown;
  if (a.bytes)
    return shift(op, a, b);
  pl_const result =
      fits_any_type(a) ? shift(op, pl_const_int(a.bits), b) : pl_const_unknown;
  return result.known ? of_any_type(result.bits) : result;
}

/* The type of arithmetic is what clang says; of a comparison nobody says it. */
pl_const pl_const_binary(pl_op op, pl_const a, pl_const b, const pl_type *type) {
  if (op == PL_OP_LAND || op == PL_OP_LOR) {
    bool decides_true = op == PL_OP_LOR;
    if (decides_true ? pl_const_is_true(a) || pl_const_is_true(b)
                     : is_zero(a) || is_zero(b))
      return truth(decides_true);
    return a.known && b.known ? truth(!decides_true) : pl_const_unknown;
  }
  if (op == PL_OP_COMMA)
    return a.known ? b : pl_const_unknown;
  if (!a.known || !b.known)
    return pl_const_unknown;
  if (op == PL_OP_SHL || op == PL_OP_SHR)
    return shift_operands(op, a, b, type);
  if (!is_comparison(op) && pl_is_integer_type(type) && type->size >= 4)
    return operate(op, pl_const_convert(a, type), pl_const_convert(b, type));
  return convert_both(&a, &b) ? operate(op, a, b)
                              : operate_in_any_type(op, a, b);
}

pl_const pl_const_unary(pl_op op, pl_const of, const pl_type *type) {
  if (!of.known)
    return of;
  if (op == PL_OP_LNOT)
    return truth(of.bits == 0);
  of = pl_is_integer_type(type) && type->size >= 4 ? pl_const_convert(of, type)
                                                   : promoted(of);
  switch (op) {
  case PL_OP_PLUS:
    return of;
  case PL_OP_MINUS:
    if (!of.bytes) /* -1 is another number in each type */
      return of.bits == 0 ? of : pl_const_unknown;
    return add_or_multiply(PL_OP_SUB, pl_const_make(of.bytes, of.is_unsigned, 0),
                           of);
  case PL_OP_NOT:
    return of.bytes ? pl_const_make(of.bytes, of.is_unsigned, ~of.bits)
                    : pl_const_unknown;
  default:
    return pl_const_unknown;
  }
}

/* ---- names ----------------------------------------------------------------- */

typedef struct evaluation {
  const pl_const_scope *scope;
  int depth;
} evaluation;

static pl_const evaluate(const pl_node *node, evaluation eval);

/* A type under the instance; that of one instantiation's tree which the arguments
 * decide says nothing of all of them. */
static const pl_type *settled(const pl_type *type, evaluation eval) {
  if (type && type->in_text && !eval.scope->instance)
    return NULL;
  return pl_no_reference(
      pl_type_settled(type, eval.scope->func, eval.scope->instance));
}

/* A number that clang or an instantiation gives, in the type that it is of; of
 * one that hangs on a template or is not said, of any. */
static pl_const given(int64_t value, const pl_type *type, evaluation eval) {
  type = settled(type, eval);
  if (pl_is_integer_type(type) || (type && type->kind == PL_TYPE_ENUM))
    return pl_const_convert(pl_const_make(0, false, value), type);
  return type && type->kind == PL_TYPE_FLOAT ? pl_const_unknown
                                             : pl_const_make(0, false, value);
}

/* The template argument of a parameter of the scope's function; NULL: none. */
static const struct pl_template_arg *argument_named(pl_str name,
                                                    evaluation eval) {
  const pl_func *func = eval.scope->func;
  const pl_instance *instance = eval.scope->instance;
  for (uint32_t i = 0; func && instance && i < func->ntemplate_params; i++)
    if (i < instance->nargs && pl_str_eq(func->template_params[i]->name, name))
      return &instance->args[i];
  return NULL;
}

static bool same_range(pl_range a, pl_range b) {
  return a.begin == b.begin && a.end == b.end;
}

static pl_const given_by_instance(const pl_node *node, evaluation eval) {
  const pl_instance *instance = eval.scope->instance;
  return instance && node->open[instance->index].is_known
             ? given(node->open[instance->index].value, node->type, eval)
             : pl_const_unknown;
}

/* What an instantiation says about a name: at its own place, or where the text
 * shows it elsewhere, in an attribute, by what all places say that bear it. */
static bool fact_of(const pl_node *node, const pl_instance *instance,
                    int64_t *value) {
  for (int by_name = 0; by_name < 2; by_name++) {
    bool found = false;
    for (size_t i = 0; instance && i < instance->nfacts; i++) {
      const pl_instance_fact *fact = &instance->facts[i];
      bool here = by_name ? node->name.n && pl_str_eq(fact->name, node->name)
                          : node->range.end && same_range(fact->at, node->range);
      if (!here || !fact->has_value)
        continue;
      if (found && *value != fact->value)
        return false;
      found = true;
      *value = fact->value;
    }
    if (found)
      return true;
  }
  return false;
}

/* `T::name`, where T is a template parameter that stands for a record. */
static pl_const member_constant(const pl_node *node, evaluation eval) {
  int64_t value;
  if (fact_of(node, eval.scope->instance, &value))
    return given(value, node->type, eval);
  size_t at = node->name.n;
  while (at >= 2 && memcmp(node->name.p + at - 2, "::", 2) != 0)
    at--;
  if (at < 2)
    return pl_const_unknown;
  pl_str name = {node->name.p + at, node->name.n - at};
  const struct pl_template_arg *arg =
      argument_named((pl_str){node->name.p, at - 2}, eval);
  if (!arg || arg->is_value || !arg->type)
    return pl_const_unknown;
  for (uint32_t i = 0; i < arg->type->nconstants; i++) {
    const pl_decl *constant = arg->type->constants[i];
    if (pl_str_eq(constant->name, name))
      return given(constant->value, constant->type, eval);
  }
  return pl_const_unknown;
}

/* A template parameter under the instance, or a constant. */
static pl_const name_value(const pl_node *node, evaluation eval) {
  const pl_decl *decl = node->decl;
  if (!decl)
    return member_constant(node, eval);
  if (decl->has_value)
    return given(decl->value, decl->type, eval);
  if (decl->kind == PL_DECL_TEMPLATE_VALUE) {
    const struct pl_template_arg *arg = argument_named(decl->name, eval);
    return arg && arg->is_value ? given(arg->value, decl->type, eval)
                                : pl_const_unknown;
  }
  const pl_type *type = decl->type;
  bool fixed = decl->is_constexpr ||
               (type && type->is_const && type->kind != PL_TYPE_REFERENCE);
  if (decl->kind != PL_DECL_VAR || !fixed || decl->is_volatile)
    return pl_const_unknown;
  type = settled(pl_decl_type(decl, eval.scope->instance), eval);
  return pl_const_convert(evaluate(decl->init, eval), type);
}

/* ---- expressions ------------------------------------------------------------ */

/* Of an operand expression, or of the type that the node carries in its decl's
 * stead; plain values were taken from clang already. */
static pl_const size_of(const pl_node *node, evaluation eval) {
  int64_t value;
  bool found = fact_of(node, eval.scope->instance, &value);
  if (!found && pl_str_is(node->name, "sizeof") && node->nkids == 1 &&
      node->kids[0]) {
    value = pl_type_size(node->kids[0]->type, eval.scope->func,
                         eval.scope->instance);
    found = value >= 0;
  }
  return found ? given(value, node->type, eval) : pl_const_unknown;
}

static pl_const chosen(const pl_node *node, evaluation eval) {
  pl_const condition =
      node->nkids == 3 ? evaluate(node->kids[0], eval) : pl_const_unknown;
  if (!condition.known)
    return pl_const_unknown;
  pl_const arm = evaluate(node->kids[condition.bits ? 1 : 2], eval);
  const pl_type *type = settled(node->type, eval);
  if (pl_is_integer_type(type) || (type && type->kind == PL_TYPE_ENUM))
    return pl_const_convert(arm, type);
  bool integer = !type || type->kind == PL_TYPE_DEPENDENT;
  return arm.known && integer ? of_any_type(arm.bits) : pl_const_unknown;
}

/* Operands that do not decide need no value. */
static pl_const logical(const pl_node *node, evaluation eval) {
  pl_const left = evaluate(node->kids[0], eval);
  bool stops = node->op == PL_OP_LOR ? pl_const_is_true(left)
                                     : is_zero(left);
  if (!left.known || stops)
    return left.known ? truth(left.bits != 0) : left;
  return pl_const_binary(node->op, left, evaluate(node->kids[1], eval), NULL);
}

static pl_const binary(const pl_node *node, evaluation eval) {
  if (node->nkids != 2 || node->decl) /* an operator of the user's */
    return pl_const_unknown;
  if (node->op == PL_OP_LAND || node->op == PL_OP_LOR)
    return logical(node, eval);
  pl_const a = evaluate(node->kids[0], eval);
  return a.known ? pl_const_binary(node->op, a, evaluate(node->kids[1], eval),
                                   settled(node->type, eval))
                 : a;
}

/* `(T)x`, `int{x}`. */
static pl_const converted(const pl_node *node, evaluation eval) {
  if (node->nkids != 1)
    return pl_const_unknown;
  pl_const value = evaluate(node->kids[0], eval);
  return value.known ? pl_const_convert(value, settled(node->type, eval))
                     : value;
}

static pl_const evaluate(const pl_node *node, evaluation eval) {
  pl_const value = pl_const_unknown;
  if (!node || eval.depth++ > MOST_DEPTH)
    return value;
  if (node->has_ival)
    return given(node->ival, node->type ? node->type
                             : node->decl ? node->decl->type
                                          : NULL, eval);
  if (node->open) /* what the template's text leaves to its arguments */
    return given_by_instance(node, eval);
  bool leaf = node->kind == PL_NODE_REF || node->kind == PL_NODE_MEMBER ||
              node->kind == PL_NODE_CALL;
  if (leaf && eval.scope->leaf &&
      eval.scope->leaf(eval.scope->context, node, &value))
    return value;
  switch (node->kind) {
  case PL_NODE_PAREN:
    return node->nkids == 1 ? evaluate(node->kids[0], eval) : value;
  case PL_NODE_CAST:
  case PL_NODE_INIT_LIST:
    return converted(node, eval);
  case PL_NODE_REF:
    return name_value(node, eval);
  case PL_NODE_UNARY:
    return node->nkids == 1 && !node->decl
               ? pl_const_unary(node->op, evaluate(node->kids[0], eval),
                                settled(node->type, eval))
               : value;
  case PL_NODE_BINARY:
    return binary(node, eval);
  case PL_NODE_COND:
    return chosen(node, eval);
  case PL_NODE_SIZEOF:
    return size_of(node, eval);
  default:
    return value;
  }
}

pl_const pl_const_eval(const pl_const_scope *scope, const pl_node *node) {
  return evaluate(node, (evaluation){scope, 0});
}

bool pl_node_eval(const pl_node *node, const pl_func *func,
                  const pl_instance *instance, int64_t *value) {
  const pl_const_scope scope = {.func = func, .instance = instance};
  return pl_const_number(pl_const_eval(&scope, node), value);
}
