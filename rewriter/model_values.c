/* model_values.c - types and numbers under an instantiation.
 *
 * Needs a function's template arguments. Gives what a type or a constant
 * expression is under them, in the arithmetic of its types. Raises nothing. */
#include "model.h"

#include <string.h>

/* The template argument that the template parameter `name` of `func` stands
 * for, NULL where there is none. */
static const struct pl_template_arg *
argument_named(const pl_func *func, const pl_instance *instance, pl_str name) {
  if (!func || !instance)
    return NULL;
  for (uint32_t i = 0; i < func->ntemplate_params; i++)
    if (i < instance->nargs && pl_str_eq(func->template_params[i]->name, name))
      return &instance->args[i];
  return NULL;
}

/* Clang's canonical name of a parameter, "type-parameter-0-INDEX". */
static const struct pl_template_arg *
argument_canonical(const pl_instance *instance, pl_str spelling) {
  static const char prefix[] = "type-parameter-0-";
  uint32_t index = 0;
  if (!instance || !pl_str_starts(spelling, prefix) ||
      spelling.n == sizeof prefix - 1 || spelling.n > sizeof prefix + 4)
    return NULL;
  for (size_t i = sizeof prefix - 1; i < spelling.n; i++) {
    if (spelling.p[i] < '0' || spelling.p[i] > '9')
      return NULL;
    index = index * 10 + (uint32_t)(spelling.p[i] - '0');
  }
  return index < instance->nargs ? &instance->args[index] : NULL;
}

/* What a type that hangs on the template becomes, by its canonical name. */
static const pl_type *type_by_spelling(const pl_instance *instance,
                                       pl_str spelling) {
  for (size_t i = 0; instance && i < instance->ntypes; i++)
    if (pl_str_eq(instance->types[i].spelling, spelling))
      return instance->types[i].type;
  return NULL;
}

/* Whether a type of one instantiation's tree is asked for in another one. */
static bool is_of_another(const pl_type *type, const pl_func *func,
                          const pl_instance *instance) {
  return type->in_text && func && func->pattern && instance &&
         instance->index != func->own;
}

const pl_type *pl_type_settled(const pl_type *type, const pl_func *func,
                               const pl_instance *instance) {
  if (type && is_of_another(type, func, instance)) {
    type = type->in_text;
    if (type->kind == PL_TYPE_RECORD)
      return type_by_spelling(instance, type->spelling);
  }
  if (!type || type->kind != PL_TYPE_DEPENDENT)
    return type;
  const struct pl_template_arg *arg =
      argument_canonical(instance, type->spelling);
  if (!arg)
    arg = argument_named(func, instance, type->written);
  if (arg)
    return arg->is_value ? NULL : arg->type;
  return type_by_spelling(instance, type->spelling);
}

const pl_type *pl_decl_type(const pl_decl *decl, const pl_instance *instance) {
  uint32_t at = decl->name_range.begin;
  for (size_t i = 0; instance && decl->name_range.end && i < instance->nfacts;
       i++)
    if (instance->facts[i].type && instance->facts[i].at.begin == at &&
        instance->facts[i].at.end == at)
      return instance->facts[i].type;
  return decl->type;
}

int64_t pl_type_size(const pl_type *type, const pl_func *func,
                     const pl_instance *instance) {
  type = pl_type_settled(type, func, instance);
  if (!type)
    return -1;
  if (type->size >= 0)
    return type->size;
  if (type->kind == PL_TYPE_ARRAY && type->count >= 0) {
    int64_t each = pl_type_size(type->element, func, instance), size;
    return each < 0 || __builtin_mul_overflow(each, type->count, &size) ? -1
                                                                        : size;
  }
  return -1;
}

/* `value` as an object of the integer type `type` would hold it. */
static int64_t wrapped(int64_t value, const pl_type *type) {
  if (!type || (type->kind != PL_TYPE_INT && type->kind != PL_TYPE_BOOL))
    return value;
  if (type->kind == PL_TYPE_BOOL)
    return value != 0;
  if (type->size <= 0 || type->size >= 8)
    return value;
  unsigned bits = (unsigned)type->size * 8;
  uint64_t mask = ((uint64_t)1 << bits) - 1, low = (uint64_t)value & mask;
  if (!type->is_unsigned && (low >> (bits - 1)) != 0)
    return (int64_t)(low | ~mask);
  return (int64_t)low;
}

/* True where C++ computes in unsigned: 8 byte and 4 byte operands. */
static bool is_unsigned_arithmetic(const pl_type *type) {
  return type && type->kind == PL_TYPE_INT && type->is_unsigned &&
         type->size >= 4;
}

static bool divide(pl_op op, int64_t a, int64_t b, bool is_unsigned,
                   int64_t *value) {
  if (b == 0 || (!is_unsigned && a == INT64_MIN && b == -1))
    return false;
  if (is_unsigned)
    *value = (int64_t)(op == PL_OP_DIV ? (uint64_t)a / (uint64_t)b
                                       : (uint64_t)a % (uint64_t)b);
  else
    *value = op == PL_OP_DIV ? a / b : a % b;
  return true;
}

static bool shift(pl_op op, int64_t a, int64_t b, int64_t *value) {
  if (b < 0 || b > 62 || (op == PL_OP_SHL && a < 0))
    return false;
  *value = op == PL_OP_SHL ? (int64_t)((uint64_t)a << b) : a >> b;
  return true;
}

static int64_t compared(pl_op op, int64_t a, int64_t b, bool is_unsigned) {
  bool less = is_unsigned ? (uint64_t)a < (uint64_t)b : a < b;
  switch (op) {
  case PL_OP_LT:
    return less;
  case PL_OP_GE:
    return !less;
  case PL_OP_GT:
    return !less && a != b;
  case PL_OP_LE:
    return less || a == b;
  case PL_OP_EQ:
    return a == b;
  default:
    return a != b;
  }
}

/* a OP b; false for what overflows or has no value. */
static bool binary_value(pl_op op, int64_t a, int64_t b, bool is_unsigned,
                         int64_t *value) {
  switch (op) {
  case PL_OP_ADD:
    return !__builtin_add_overflow(a, b, value);
  case PL_OP_SUB:
    return !__builtin_sub_overflow(a, b, value);
  case PL_OP_MUL:
    return !__builtin_mul_overflow(a, b, value);
  case PL_OP_DIV:
  case PL_OP_REM:
    return divide(op, a, b, is_unsigned, value);
  case PL_OP_SHL:
  case PL_OP_SHR:
    return shift(op, a, b, value);
  case PL_OP_AND:
    return *value = a & b, true;
  case PL_OP_OR:
    return *value = a | b, true;
  case PL_OP_XOR:
    return *value = a ^ b, true;
  case PL_OP_LT:
  case PL_OP_GT:
  case PL_OP_LE:
  case PL_OP_GE:
  case PL_OP_EQ:
  case PL_OP_NE:
    return *value = compared(op, a, b, is_unsigned), true;
  default:
    return false;
  }
}

/* The arguments that every evaluation step hands on. */
typedef struct evaluation {
  const pl_func *func;
  const pl_instance *instance;
  int depth; /* stops initialisers that name themselves */
} evaluation;

static bool evaluate(const pl_node *node, evaluation eval, int64_t *value);

static bool evaluate_logical(const pl_node *node, evaluation eval,
                             int64_t *value) {
  int64_t a, b;
  if (!evaluate(node->kids[0], eval, &a))
    return false;
  if ((node->op == PL_OP_LAND) == (a == 0))
    return *value = a != 0, true;
  if (!evaluate(node->kids[1], eval, &b))
    return false;
  return *value = b != 0, true;
}

static bool evaluate_binary(const pl_node *node, evaluation eval,
                            int64_t *value) {
  int64_t a, b;
  if (node->nkids != 2)
    return false;
  if (node->op == PL_OP_LAND || node->op == PL_OP_LOR)
    return evaluate_logical(node, eval, value);
  if (!evaluate(node->kids[0], eval, &a) || !evaluate(node->kids[1], eval, &b))
    return false;
  bool is_unsigned = is_unsigned_arithmetic(node->kids[0]->type) ||
                     is_unsigned_arithmetic(node->kids[1]->type);
  if (!binary_value(node->op, a, b, is_unsigned, value))
    return false;
  *value = wrapped(*value, node->type);
  return true;
}

static bool evaluate_unary(const pl_node *node, evaluation eval,
                           int64_t *value) {
  int64_t a;
  if (node->nkids != 1 || !evaluate(node->kids[0], eval, &a))
    return false;
  switch (node->op) {
  case PL_OP_PLUS:
    *value = a;
    break;
  case PL_OP_MINUS:
    if (__builtin_sub_overflow((int64_t)0, a, value))
      return false;
    break;
  case PL_OP_NOT:
    *value = ~a;
    break;
  case PL_OP_LNOT:
    *value = a == 0;
    break;
  default:
    return false;
  }
  *value = wrapped(*value, node->type);
  return true;
}

static bool same_range(pl_range a, pl_range b) {
  return a.begin == b.begin && a.end == b.end;
}

/* What an instantiation says about a name: at its own place, or where the text
 * shows it elsewhere, in an attribute, by what all places say that bear it. */
static bool evaluate_fact(const pl_node *node, const pl_instance *instance,
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
static bool evaluate_member_constant(const pl_node *node, evaluation eval,
                                     int64_t *value) {
  if (evaluate_fact(node, eval.instance, value))
    return true;
  size_t at = node->name.n;
  while (at >= 2 && memcmp(node->name.p + at - 2, "::", 2) != 0)
    at--;
  if (at < 2)
    return false;
  pl_str scope = {node->name.p, at - 2};
  pl_str name = {node->name.p + at, node->name.n - at};
  const struct pl_template_arg *arg =
      argument_named(eval.func, eval.instance, scope);
  if (!arg || arg->is_value || !arg->type)
    return false;
  for (uint32_t i = 0; i < arg->type->nconstants; i++)
    if (pl_str_eq(arg->type->constants[i]->name, name))
      return *value = arg->type->constants[i]->value, true;
  return false;
}

/* A name: a template parameter under the instance, or a constant. */
static bool evaluate_ref(const pl_node *node, evaluation eval, int64_t *value) {
  const pl_decl *decl = node->decl;
  if (!decl)
    return evaluate_member_constant(node, eval, value);
  if (decl->has_value)
    return *value = decl->value, true;
  if (decl->kind == PL_DECL_TEMPLATE_VALUE) {
    const struct pl_template_arg *arg =
        argument_named(eval.func, eval.instance, decl->name);
    if (!arg || !arg->is_value)
      return false;
    return *value = arg->value, true;
  }
  bool fixed = decl->is_constexpr || (decl->type && decl->type->is_const &&
                                      decl->type->kind != PL_TYPE_REFERENCE);
  if (decl->kind != PL_DECL_VAR || !fixed || decl->is_volatile)
    return false;
  if (!evaluate(decl->init, eval, value))
    return false;
  *value = wrapped(*value, decl->type);
  return true;
}

/* sizeof: of an operand expression, or of the type that the node carries in
 * its decl's stead; plain values were taken from clang already. */
static bool evaluate_sizeof(const pl_node *node, evaluation eval,
                            int64_t *value) {
  if (evaluate_fact(node, eval.instance, value))
    return true;
  if (!pl_str_is(node->name, "sizeof") || node->nkids != 1 || !node->kids[0])
    return false;
  *value = pl_type_size(node->kids[0]->type, eval.func, eval.instance);
  return *value >= 0;
}

static bool evaluate_cond(const pl_node *node, evaluation eval,
                          int64_t *value) {
  int64_t condition;
  if (node->nkids != 3 || !evaluate(node->kids[0], eval, &condition))
    return false;
  return evaluate(node->kids[condition ? 1 : 2], eval, value);
}

static bool evaluate(const pl_node *node, evaluation eval, int64_t *value) {
  if (!node || eval.depth > 200)
    return false;
  if (node->has_ival)
    return *value = node->ival, true;
  if (node->open)
    return eval.instance && node->open[eval.instance->index].is_known &&
           (*value = node->open[eval.instance->index].value, true);
  eval.depth++;
  switch (node->kind) {
  case PL_NODE_PAREN:
    return node->nkids == 1 && evaluate(node->kids[0], eval, value);
  case PL_NODE_CAST:
    if (node->nkids != 1 || !node->type ||
        (node->type->kind != PL_TYPE_INT && node->type->kind != PL_TYPE_BOOL) ||
        !evaluate(node->kids[0], eval, value))
      return false;
    *value = wrapped(*value, node->type);
    return true;
  case PL_NODE_REF:
    return evaluate_ref(node, eval, value);
  case PL_NODE_UNARY:
    return evaluate_unary(node, eval, value);
  case PL_NODE_BINARY:
    return evaluate_binary(node, eval, value);
  case PL_NODE_COND:
    return evaluate_cond(node, eval, value);
  case PL_NODE_SIZEOF:
    return evaluate_sizeof(node, eval, value);
  default:
    return false;
  }
}

bool pl_node_eval(const pl_node *node, const pl_func *func,
                  const pl_instance *instance, int64_t *value) {
  return evaluate(node, (evaluation){func, instance, 0}, value);
}
