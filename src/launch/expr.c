/* expr.c - see expr.h. A precedence climber and a tree walk. */
#include "expr.h"

#include <string.h>

typedef enum op {
  OP_INT, OP_NAME, OP_NEG, OP_NOT, OP_MUL, OP_DIV, OP_MOD, OP_ADD, OP_SUB,
  OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE, OP_AND, OP_OR, OP_IF, OP_MIN,
  OP_MAX
} op;

struct pl_expr {
  op op;
  int64_t value;
  const char *name;
  const pl_expr *a, *b, *c;
  pl_str text;
};

typedef struct parser {
  pl_arena *arena;
  const char *start, *p, *end;
  const char *error;
  size_t error_at;
} parser;

/* Binary operators; a bigger rank binds tighter. Longer spellings first. */
static const struct {
  const char *spelling;
  int rank;
  op op;
} BINARY[] = {
    {"||", 1, OP_OR}, {"&&", 2, OP_AND}, {"==", 3, OP_EQ}, {"!=", 3, OP_NE},
    {"<=", 4, OP_LE}, {">=", 4, OP_GE},  {"<", 4, OP_LT},  {">", 4, OP_GT},
    {"+", 5, OP_ADD}, {"-", 5, OP_SUB},  {"*", 6, OP_MUL}, {"/", 6, OP_DIV},
    {"%", 6, OP_MOD},
};

static const pl_expr *parse_choice(parser *ps);

/* Remembers the first error only: later ones follow from it. */
static const pl_expr *fail(parser *ps, const char *why) {
  if (!ps->error) {
    ps->error = why;
    ps->error_at = (size_t)(ps->p - ps->start);
  }
  return NULL;
}

static void skip_space(parser *ps) {
  while (ps->p < ps->end && strchr(" \t\r\n", *ps->p))
    ps->p++;
}

/* Takes `spelling` when the text goes on with it. */
static bool take(parser *ps, const char *spelling) {
  skip_space(ps);
  size_t n = strlen(spelling);
  if ((size_t)(ps->end - ps->p) < n || memcmp(ps->p, spelling, n) != 0)
    return false;
  ps->p += n;
  return true;
}

static pl_expr *node(parser *ps, op o, const pl_expr *a, const pl_expr *b) {
  pl_expr *e = PL_NEW(ps->arena, pl_expr);
  e->op = o;
  e->a = a;
  e->b = b;
  return e;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_name(char c) {
  return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z');
}

static const pl_expr *parse_number(parser *ps) {
  int64_t value = 0;
  while (ps->p < ps->end && is_digit(*ps->p)) {
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, *ps->p - '0', &value))
      return fail(ps, "number too large");
    ps->p++;
  }
  if (ps->p < ps->end && (is_name(*ps->p) || *ps->p == '.'))
    return fail(ps, "an integer is needed here");
  pl_expr *e = node(ps, OP_INT, NULL, NULL);
  e->value = value;
  return e;
}

/* The two arguments of min and max, after the name. */
static const pl_expr *parse_call(parser *ps, op o) {
  const pl_expr *a = parse_choice(ps);
  if (!a || !take(ps, ","))
    return fail(ps, "expected ','");
  const pl_expr *b = parse_choice(ps);
  if (!b || !take(ps, ")"))
    return fail(ps, "expected ')'");
  return node(ps, o, a, b);
}

static const pl_expr *parse_name(parser *ps) {
  const char *from = ps->p;
  while (ps->p < ps->end && is_name(*ps->p))
    ps->p++;
  pl_str name = {from, (size_t)(ps->p - from)};
  if (take(ps, "(")) {
    if (pl_str_is(name, "min"))
      return parse_call(ps, OP_MIN);
    if (pl_str_is(name, "max"))
      return parse_call(ps, OP_MAX);
    return fail(ps, "only min and max can be called");
  }
  pl_expr *e = node(ps, OP_NAME, NULL, NULL);
  e->name = pl_arena_cstr(ps->arena, name);
  return e;
}

static const pl_expr *parse_unary(parser *ps) {
  skip_space(ps);
  if (ps->p == ps->end)
    return fail(ps, "expected a value");
  if (take(ps, "(")) {
    const pl_expr *e = parse_choice(ps);
    return e && take(ps, ")") ? e : fail(ps, "expected ')'");
  }
  if (take(ps, "-") || take(ps, "!")) {
    op o = ps->p[-1] == '-' ? OP_NEG : OP_NOT;
    const pl_expr *e = parse_unary(ps);
    return e ? node(ps, o, e, NULL) : NULL;
  }
  if (take(ps, "+"))
    return parse_unary(ps);
  if (is_digit(*ps->p))
    return parse_number(ps);
  if (*ps->p == '?')
    return fail(ps, "a value is to be filled in here");
  return is_name(*ps->p) ? parse_name(ps) : fail(ps, "expected a value");
}

/* The index in BINARY of the operator that comes next, or -1. */
static int next_binary(parser *ps, int least) {
  const char *before = ps->p;
  for (size_t i = 0; i < sizeof BINARY / sizeof *BINARY; i++)
    if (take(ps, BINARY[i].spelling)) {
      if (BINARY[i].rank >= least)
        return (int)i;
      break;
    }
  ps->p = before;
  return -1;
}

static const pl_expr *parse_binary(parser *ps, int least) {
  const pl_expr *left = parse_unary(ps);
  int which;
  while (left && (which = next_binary(ps, least)) >= 0) {
    const pl_expr *right = parse_binary(ps, BINARY[which].rank + 1);
    left = right ? node(ps, BINARY[which].op, left, right) : NULL;
  }
  return left;
}

static const pl_expr *parse_choice(parser *ps) {
  const pl_expr *test = parse_binary(ps, 1);
  if (!test || !take(ps, "?"))
    return test;
  const pl_expr *yes = parse_choice(ps);
  if (!yes || !take(ps, ":"))
    return fail(ps, "expected ':'");
  const pl_expr *no = parse_choice(ps);
  if (!no)
    return NULL;
  pl_expr *e = node(ps, OP_IF, yes, no);
  e->c = test;
  return e;
}

const pl_expr *pl_expr_parse(pl_arena *arena, pl_str text, const char **error,
                             size_t *error_at) {
  parser ps = {.arena = arena, .start = text.p, .p = text.p,
               .end = text.p + text.n};
  pl_expr *e = (pl_expr *)parse_choice(&ps);
  skip_space(&ps);
  if (e && ps.p != ps.end)
    e = (pl_expr *)fail(&ps, "unexpected text after the expression");
  if (e)
    e->text = text;
  *error = ps.error;
  *error_at = ps.error_at;
  return e;
}

pl_str pl_expr_text_view(const pl_expr *expr) { return expr->text; }

static bool look_up(pl_arena *arena, const char *name, const pl_names *names,
                    int64_t *value, const char **error) {
  for (size_t i = 0; i < names->n; i++)
    if (strcmp(names->names[i], name) == 0) {
      *value = names->values[i];
      return true;
    }
  *error = pl_arena_printf(arena, "unknown name '%s'", name).p;
  return false;
}

static bool refuse(const char *why, const char **error) {
  *error = why;
  return false;
}

/* Both sides are values; && and || were decided before. */
static bool apply(op o, int64_t a, int64_t b, int64_t *v, const char **error) {
  bool over = false;
  switch (o) {
  case OP_MUL: over = __builtin_mul_overflow(a, b, v); break;
  case OP_ADD: over = __builtin_add_overflow(a, b, v); break;
  case OP_SUB: over = __builtin_sub_overflow(a, b, v); break;
  case OP_DIV:
  case OP_MOD:
    if (b == 0)
      return refuse("division by zero", error);
    over = a == INT64_MIN && b == -1;
    if (!over)
      *v = o == OP_DIV ? a / b : a % b;
    break;
  case OP_LT: *v = a < b; break;
  case OP_LE: *v = a <= b; break;
  case OP_GT: *v = a > b; break;
  case OP_GE: *v = a >= b; break;
  case OP_EQ: *v = a == b; break;
  case OP_NE: *v = a != b; break;
  case OP_MIN: *v = a < b ? a : b; break;
  default: *v = a > b ? a : b; break;
  }
  return !over || refuse("64-bit overflow", error);
}

/* && and || look at the right side only where the left does not decide. */
static bool eval_logic(pl_arena *arena, const pl_expr *e, const pl_names *names,
                       int64_t *value, const char **error) {
  int64_t a, b;
  if (!pl_expr_eval(arena, e->a, names, &a, error))
    return false;
  if ((a != 0) == (e->op == OP_OR)) {
    *value = e->op == OP_OR;
    return true;
  }
  if (!pl_expr_eval(arena, e->b, names, &b, error))
    return false;
  *value = b != 0;
  return true;
}

static bool eval_unary(pl_arena *arena, const pl_expr *e, const pl_names *names,
                       int64_t *value, const char **error) {
  int64_t a;
  if (!pl_expr_eval(arena, e->a, names, &a, error))
    return false;
  *value = e->op == OP_NOT ? !a : (int64_t)(0 - (uint64_t)a);
  return true;
}

bool pl_expr_eval(pl_arena *arena, const pl_expr *e, const pl_names *names,
                  int64_t *value, const char **error) {
  int64_t a, b;
  switch (e->op) {
  case OP_INT:
    *value = e->value;
    return true;
  case OP_NAME:
    return look_up(arena, e->name, names, value, error);
  case OP_NEG:
  case OP_NOT:
    return eval_unary(arena, e, names, value, error);
  case OP_AND:
  case OP_OR:
    return eval_logic(arena, e, names, value, error);
  case OP_IF:
    if (!pl_expr_eval(arena, e->c, names, &a, error))
      return false;
    return pl_expr_eval(arena, a ? e->a : e->b, names, value, error);
  default:
    return pl_expr_eval(arena, e->a, names, &a, error) &&
           pl_expr_eval(arena, e->b, names, &b, error) &&
           apply(e->op, a, b, value, error);
  }
}
