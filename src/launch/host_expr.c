/* host_expr.c - operators of host expressions. See host.h.
 *
 * Needs: operands. Gives: values; assignments are done. Raises: nothing; where
 * the text is beyond us host->lost is set. */
#include "host.h"

#include <math.h>
#include <string.h>

static const struct {
  const char *spelling;
  int rank;
} binary[] = {{"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5},  {"==", 6},
              {"!=", 6}, {"<=", 7}, {"<", 7},  {">=", 7}, {">", 7},  {"<<", 8},
              {">>", 8}, {"+", 9},  {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

/* Below it a number is no size that might as well be another one. */
enum { LEAST_SIZE = 16 };

enum { BINARY = sizeof binary / sizeof *binary };

/* `>>>` ends the shape of a launch. */
static bool ends_shape(const pl_host *h) {
  return pl_host_at(h, ">") && pl_host_ahead(h, 1, ">") &&
         pl_host_ahead(h, 2, ">");
}

/* How many tokens the operator has at hand: `>` comes one by one. */
static size_t spans(const pl_host *h, const char *op) {
  if (ends_shape(h) || (h->angles && pl_host_at(h, ">")))
    return 0;
  if (strcmp(op, ">>") == 0 || strcmp(op, ">=") == 0) {
    const char second[] = {op[1], 0};
    return pl_host_at(h, ">") && pl_host_ahead(h, 1, second) &&
           PL_HOST_TOKEN(h)[1].glued ? 2 : 0;
  }
  bool longer = *op == '>' && PL_HOST_TOKEN(h)[1].glued &&
                (pl_host_ahead(h, 1, "=") || pl_host_ahead(h, 1, ">"));
  return pl_host_at(h, op) && !longer;
}

static int next_binary(const pl_host *h, int least, size_t *n) {
  for (int i = 0; i < BINARY; i++)
    if ((*n = spans(h, binary[i].spelling)))
      return binary[i].rank >= least ? i : -1;
  return -1;
}

static pl_sym_op sym_op(const char *op) {
  static const struct {
    const char *spelling;
    pl_sym_op op;
  } all[] = {{"+", PL_SYM_ADD}, {"-", PL_SYM_SUB}, {"*", PL_SYM_MUL},
             {"/", PL_SYM_DIV}, {"%", PL_SYM_MOD}, {"<", PL_SYM_LT},
             {"<=", PL_SYM_LE}, {">", PL_SYM_GT},  {">=", PL_SYM_GE},
             {"==", PL_SYM_EQ}, {"!=", PL_SYM_NE}, {"&&", PL_SYM_AND},
             {"||", PL_SYM_OR}};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(all[i].spelling, op) == 0)
      return all[i].op;
  return PL_SYM_CONST;
}

static pl_host_value shifted(pl_host *h, const pl_sym *a, const pl_sym *b,
                             pl_sym_op op) {
  if (b->v < 0 || b->v > 62 || a->v < 0)
    return (pl_host_value){0};
  pl_sym_pin(b);
  return pl_host_of_sym(pl_sym_make(h, op, a,
                                    pl_sym_const(h, (int64_t)1 << b->v)));
}

/* No description has these operators: the sizes stay as they are. */
static pl_host_value bitwise(pl_host *h, const char *op, const pl_sym *a,
                             const pl_sym *b) {
  int64_t v = *op == '|'   ? a->v | b->v
              : *op == '^' ? a->v ^ b->v
                           : a->v & b->v;
  pl_sym_pin(a);
  return pl_host_of_sym(pl_sym_pinned(h, b, v));
}

static pl_host_value apply_int(pl_host *h, const char *op, const pl_sym *a,
                               const pl_sym *b) {
  if (strcmp(op, "<<") == 0)
    return shifted(h, a, b, PL_SYM_MUL);
  if (strcmp(op, ">>") == 0)
    return shifted(h, a, b, PL_SYM_DIV);
  pl_sym_op s = sym_op(op);
  return s == PL_SYM_CONST ? bitwise(h, op, a, b)
                           : pl_host_of_sym(pl_sym_make(h, s, a, b));
}

static bool compare_real(const char *op, double a, double b, bool *result) {
  if (strcmp(op, "<") == 0)
    *result = a < b;
  else if (strcmp(op, "<=") == 0)
    *result = a <= b;
  else if (strcmp(op, ">") == 0)
    *result = a > b;
  else if (strcmp(op, ">=") == 0)
    *result = a >= b;
  else if (strcmp(op, "==") == 0)
    *result = a == b;
  else if (strcmp(op, "!=") == 0)
    *result = a != b;
  else
    return false;
  return true;
}

/* A product or quotient of ratios is a ratio; of all else the sizes in it are
 * pinned. */
static pl_host_value apply_real(pl_host *h, const char *op, pl_host_value a,
                                pl_host_value b) {
  bool truth;
  if (compare_real(op, a.real, b.real, &truth)) {
    pl_sym_pin(a.sym);
    pl_sym_pin(b.sym);
    return pl_host_int(h, truth);
  }
  double v = *op == '+'   ? a.real + b.real
             : *op == '-' ? a.real - b.real
             : *op == '*' ? a.real * b.real
                          : a.real / b.real;
  pl_host_value r = pl_host_real(v);
  bool ratio = (*op == '*' || *op == '/') && a.sym && b.sym;
  if (ratio) {
    r.sym = pl_sym_make(h, PL_SYM_MUL, a.sym, *op == '*' ? b.sym : b.below);
    r.below = pl_sym_make(h, PL_SYM_MUL, a.below, *op == '*' ? b.below : b.sym);
    if (!r.sym || !r.below)
      r.sym = r.below = NULL;
    return r;
  }
  pl_sym_pin(a.sym);
  pl_sym_pin(b.sym);
  return r;
}

/* Literals of whole numbers are ratios too. */
static pl_host_value as_ratio(pl_host *h, pl_host_value v) {
  pl_host_value r = pl_host_to_real(h, &v);
  if (r.kind == PL_HOST_REAL && !r.sym && fabs(r.real) < 1e15 &&
      r.real == floor(r.real)) {
    r.sym = pl_sym_const(h, (int64_t)r.real);
    r.below = pl_sym_const(h, 1);
  }
  return r;
}

static pl_host_value move_pointer(pl_host *h, pl_host_value p, const char *op,
                                  const pl_sym *by) {
  int64_t size = pl_host_type_size(h, p.element);
  const pl_sym *bytes =
      size ? pl_sym_make(h, PL_SYM_MUL, by, pl_sym_const(h, size)) : NULL;
  const pl_sym *offset = bytes && p.offset
      ? pl_sym_make(h, *op == '+' ? PL_SYM_ADD : PL_SYM_SUB, p.offset, bytes)
      : NULL;
  p.offset = offset;
  return p;
}

/* A known side decides `&&` and `||` whatever the other is. */
static pl_host_value half_known(pl_host *h, const char *op, pl_host_value a,
                                pl_host_value b) {
  int x = pl_host_truth(&a), y = pl_host_truth(&b);
  if (strcmp(op, "&&") == 0 && (x == 0 || y == 0))
    return pl_host_int(h, 0);
  if (strcmp(op, "||") == 0 && (x == 1 || y == 1))
    return pl_host_int(h, 1);
  bool asks = strcmp(op, "==") == 0 || strcmp(op, "!=") == 0;
  bool null = a.kind == PL_HOST_NULL || b.kind == PL_HOST_NULL;
  if (asks && null && x >= 0 && y >= 0)
    return pl_host_int(h, (x == y) == (*op == '='));
  return (pl_host_value){0};
}

pl_host_value pl_host_apply(pl_host *h, const char *op, pl_host_value a,
                            pl_host_value b) {
  if (a.kind == PL_HOST_INT && b.kind == PL_HOST_INT)
    return apply_int(h, op, a.sym, b.sym);
  bool numbers = (a.kind == PL_HOST_INT || a.kind == PL_HOST_REAL) &&
                 (b.kind == PL_HOST_INT || b.kind == PL_HOST_REAL);
  if (numbers && !strchr("%|&^<>", *op))
    return apply_real(h, op, as_ratio(h, a), as_ratio(h, b));
  if (numbers && (op[1] == 0 || op[1] == '=') && strchr("<>", *op))
    return apply_real(h, op, as_ratio(h, a), as_ratio(h, b));
  if (a.kind == PL_HOST_POINTER && b.kind == PL_HOST_INT && strchr("+-", *op))
    return move_pointer(h, a, op, b.sym);
  if (b.kind == PL_HOST_POINTER && a.kind == PL_HOST_INT && *op == '+')
    return move_pointer(h, b, op, a.sym);
  return half_known(h, op, a, b);
}

/* `in >> a`, with a stream that is not known: `a` is not known any more. */
static void read_into(pl_host *h, const char *op, const pl_host_value *a,
                      const pl_host_value *b) {
  if (strcmp(op, ">>") == 0 && a->kind == PL_HOST_UNKNOWN && b->lvalue)
    pl_host_assign(h, b->lvalue,
                   pl_host_opened(h, b->lvalue, (pl_host_value){0}));
}

static pl_host_value binary_from(pl_host *h, int least) {
  pl_host_value left = pl_host_unary(h);
  size_t n;
  int which;
  while (!h->lost && (which = next_binary(h, least, &n)) >= 0) {
    const char *op = binary[which].spelling;
    int truth = pl_host_truth(&left);
    bool decided = (strcmp(op, "&&") == 0 && truth == 0) ||
                   (strcmp(op, "||") == 0 && truth == 1);
    h->p += n;
    h->skipping += decided;
    pl_host_value right = binary_from(h, binary[which].rank + 1);
    h->skipping -= decided;
    if (!decided) {
      read_into(h, op, &left, &right);
      left = pl_host_apply(h, op, left, right);
    } else {
      left.lvalue = NULL;
    }
  }
  return left;
}

static pl_host_value choice(pl_host *h) {
  pl_host_value test = binary_from(h, 1);
  if (h->lost || !pl_host_take(h, "?"))
    return test;
  int truth = pl_host_truth(&test);
  h->skipping += truth == 0;
  pl_host_value yes = pl_host_expression(h);
  h->skipping -= truth == 0;
  if (!pl_host_take(h, ":")) {
    h->lost = true;
    return (pl_host_value){0};
  }
  h->skipping += truth == 1;
  pl_host_value no = pl_host_expression(h);
  h->skipping -= truth == 1;
  bool formula = test.kind == PL_HOST_INT && pl_sym_has_dims(test.sym);
  if (formula && yes.kind == PL_HOST_INT && no.kind == PL_HOST_INT)
    return pl_host_of_sym(pl_sym_if(h, test.sym, yes.sym, no.sym));
  if (formula)
    pl_sym_pin(test.sym);
  if (truth < 0 && pl_host_same(&yes, &no))
    return yes;
  return truth < 0 ? (pl_host_value){0} : truth ? yes : no;
}

/* "+=" and its like: the operator without the `=`, its tokens; NULL: none. */
static const char *compound(const pl_host *h, size_t *n) {
  static const char *const all[] = {"+=", "-=", "*=", "/=", "%=", "&=",
                                    "|=", "^=", "<<=", NULL};
  static const char *const plain[] = {"+", "-", "*", "/", "%", "&",
                                      "|", "^", "<<"};
  for (int i = 0; all[i]; i++)
    if (pl_host_at(h, all[i])) {
      *n = 1;
      return plain[i];
    }
  bool shift = pl_host_at(h, ">") && pl_host_ahead(h, 1, ">") &&
               pl_host_ahead(h, 2, "=") && PL_HOST_TOKEN(h)[2].glued;
  *n = 3;
  return shift ? ">>" : NULL;
}

static bool holds_integer(const pl_host *h, const pl_host_cell *cell,
                          const pl_host_value *v) {
  if (cell->stars)
    return false;
  return cell->type ? pl_host_is_integer(pl_host_type(h, cell->type))
                    : v->kind == PL_HOST_INT;
}

pl_host_value pl_host_stored(pl_host *h, pl_host_cell *cell, pl_host_value v) {
  if (holds_integer(h, cell, &v)) {
    v = pl_host_to_int(h, &v);
    bool number = v.kind == PL_HOST_INT && !pl_sym_has_dims(v.sym);
    if (number && v.sym->v >= LEAST_SIZE && !cell->is_constant && !h->skipping)
      v = pl_host_of_sym(pl_sym_dim(h, cell->name, v.sym->v, false));
  } else if (cell->type && !cell->stars && pl_host_is_real(pl_host_type(h, cell->type))) {
    v = pl_host_to_real(h, &v);
  }
  if (v.kind == PL_HOST_POINTER && cell->stars == 1 && cell->type)
    v.element = pl_host_type(h, cell->type);
  return pl_host_copy(h, &v);
}

pl_host_value pl_host_opened(pl_host *h, const pl_host_cell *cell,
                             pl_host_value v) {
  const char *type = cell->type ? cell->type : v.element;
  bool integer = v.kind == PL_HOST_UNKNOWN && type && !cell->stars &&
                 pl_host_is_integer(pl_host_type(h, type)) &&
                 pl_host_type_size(h, type) >= 4;
  return integer && !h->skipping
             ? pl_host_of_sym(pl_sym_dim(h, cell->name, PL_HOST_SOME_SIZE, true))
             : v;
}

pl_host_value pl_host_expression(pl_host *h) {
  pl_host_value left = choice(h);
  size_t n = 0;
  if (h->lost)
    return left;
  const char *op = compound(h, &n);
  bool plain = !op && pl_host_at(h, "=") && !pl_host_ahead(h, 1, "=");
  if (!op && !plain)
    return left;
  h->p += plain ? 1 : n;
  pl_host_value right = pl_host_at(h, "{") ? pl_host_operand(h)
                                           : pl_host_expression(h);
  if (!left.lvalue)
    return right;
  pl_host_cell *cell = left.lvalue;
  pl_host_value v = op ? pl_host_apply(h, op, left, right)
                       : pl_host_stored(h, cell, right);
  pl_host_assign(h, cell, v);
  v.lvalue = cell;
  return v;
}
