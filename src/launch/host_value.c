/* host_value.c - numbers with the formula that they come from. See host.h.
 *
 * Needs: nothing. Gives: pl_sym, pl_host_value. Raises: nothing; what has no
 * value (a division by zero, an overflow) is NULL or unknown. */
#include "host.h"

#include <math.h>
#include <string.h>

const pl_sym *pl_sym_const(pl_host *h, int64_t v) {
  pl_sym *s = PL_NEW(h->arena, pl_sym);
  s->v = v;
  return s;
}

/* The one of that name and value, as of a call that is made again. */
static pl_host_dim *find_dim(pl_host *h, const char *name, int64_t v) {
  for (size_t i = 0; i < h->n_dims; i++)
    if (h->dims[i]->value == v && strcmp(h->dims[i]->of, name) == 0)
      return h->dims[i];
  return NULL;
}

const pl_sym *pl_sym_dim(pl_host *h, const char *name, int64_t v, bool open) {
  pl_host_dim *dim = find_dim(h, name, v);
  if (!dim) {
    dim = PL_NEW(h->arena, pl_host_dim);
    *dim = (pl_host_dim){.name = name, .of = name, .value = v, .open = open};
    PL_PUSH(h->arena, h->dims, h->n_dims, h->cap_dims, dim);
  }
  pl_sym *s = PL_NEW(h->arena, pl_sym);
  *s = (pl_sym){.op = PL_SYM_DIM, .v = v, .dim = dim};
  return s;
}

bool pl_sym_varies(const pl_sym *s) {
  return s && ((s->op == PL_SYM_DIM && !s->dim->pinned) || pl_sym_varies(s->a) ||
               pl_sym_varies(s->b) || pl_sym_varies(s->c));
}

bool pl_sym_is_open(const pl_sym *s) {
  return s && ((s->dim && s->dim->open) || pl_sym_is_open(s->a) ||
               pl_sym_is_open(s->b) || pl_sym_is_open(s->c));
}

bool pl_sym_has_dims(const pl_sym *s) {
  return s && (s->op == PL_SYM_DIM || pl_sym_has_dims(s->a) ||
               pl_sym_has_dims(s->b) || pl_sym_has_dims(s->c));
}

bool pl_sym_same(const pl_sym *a, const pl_sym *b) {
  if (a == b)
    return true;
  return a && b && a->op == b->op && a->v == b->v && a->dim == b->dim &&
         pl_sym_same(a->a, b->a) && pl_sym_same(a->b, b->b) &&
         pl_sym_same(a->c, b->c);
}

void pl_sym_pin(const pl_sym *s) {
  if (!s)
    return;
  if (s->dim)
    s->dim->pinned = true;
  pl_sym_pin(s->a);
  pl_sym_pin(s->b);
  pl_sym_pin(s->c);
}

const pl_sym *pl_sym_pinned(pl_host *h, const pl_sym *s, int64_t v) {
  pl_sym_pin(s);
  return pl_sym_const(h, v);
}

static bool compute(pl_sym_op op, int64_t a, int64_t b, int64_t *v) {
  switch (op) {
  case PL_SYM_ADD: return !__builtin_add_overflow(a, b, v);
  case PL_SYM_SUB: return !__builtin_sub_overflow(a, b, v);
  case PL_SYM_MUL: return !__builtin_mul_overflow(a, b, v);
  case PL_SYM_DIV:
  case PL_SYM_MOD:
    if (b == 0 || (a == INT64_MIN && b == -1))
      return false;
    *v = op == PL_SYM_DIV ? a / b : a % b;
    return true;
  case PL_SYM_LT: *v = a < b; break;
  case PL_SYM_LE: *v = a <= b; break;
  case PL_SYM_GT: *v = a > b; break;
  case PL_SYM_GE: *v = a >= b; break;
  case PL_SYM_EQ: *v = a == b; break;
  case PL_SYM_NE: *v = a != b; break;
  case PL_SYM_AND: *v = a && b; break;
  case PL_SYM_OR: *v = a || b; break;
  case PL_SYM_NOT: *v = !a; break;
  case PL_SYM_MIN: *v = a < b ? a : b; break;
  case PL_SYM_MAX: *v = a > b ? a : b; break;
  default: return false;
  }
  return true;
}

static bool is_const(const pl_sym *s, int64_t v) {
  return s->op == PL_SYM_CONST && s->v == v;
}

static const pl_sym *plain_node(pl_host *h, pl_sym_op op, const pl_sym *a,
                                const pl_sym *b, int64_t v) {
  pl_sym *s = PL_NEW(h->arena, pl_sym);
  *s = (pl_sym){.op = op, .v = v, .a = a, .b = b};
  return s;
}

/* (x * c) / d where d divides c, as bytes become elements; else NULL. */
static const pl_sym *cancel(pl_host *h, const pl_sym *a, int64_t d) {
  if (d <= 0 || a->op == PL_SYM_CONST)
    return a->op == PL_SYM_CONST && d > 0 && a->v % d == 0
               ? pl_sym_const(h, a->v / d) : NULL;
  if (a->op == PL_SYM_MUL) {
    const pl_sym *right = cancel(h, a->b, d);
    if (right)
      return pl_sym_make(h, PL_SYM_MUL, a->a, right);
    const pl_sym *left = cancel(h, a->a, d);
    return left ? pl_sym_make(h, PL_SYM_MUL, left, a->b) : NULL;
  }
  if (a->op == PL_SYM_ADD || a->op == PL_SYM_SUB) {
    const pl_sym *left = cancel(h, a->a, d), *right = cancel(h, a->b, d);
    return left && right ? pl_sym_make(h, a->op, left, right) : NULL;
  }
  return NULL;
}

const pl_sym *pl_sym_make(pl_host *h, pl_sym_op op, const pl_sym *a,
                          const pl_sym *b) {
  int64_t v;
  if (!compute(op, a->v, b ? b->v : 0, &v))
    return NULL;
  if (!pl_sym_has_dims(a) && !pl_sym_has_dims(b))
    return pl_sym_const(h, v);
  if (op == PL_SYM_MUL && is_const(b, 1))
    return a;
  if (op == PL_SYM_MUL && is_const(a, 1))
    return b;
  if ((op == PL_SYM_ADD || op == PL_SYM_SUB) && is_const(b, 0))
    return a;
  if (op == PL_SYM_ADD && is_const(a, 0))
    return b;
  if (op == PL_SYM_DIV && b->op == PL_SYM_CONST) {
    const pl_sym *less = is_const(b, 1) ? a : cancel(h, a, b->v);
    if (less)
      return less;
  }
  return plain_node(h, op, a, b, v);
}

const pl_sym *pl_sym_if(pl_host *h, const pl_sym *test, const pl_sym *yes,
                        const pl_sym *no) {
  pl_sym *s = PL_NEW(h->arena, pl_sym);
  *s = (pl_sym){.op = PL_SYM_IF, .v = test->v ? yes->v : no->v, .a = test,
                .b = yes, .c = no};
  return s;
}

/* How a description spells an operator, and how tight it binds. */
static const struct {
  const char *spelling;
  int rank;
} marks[] = {
    [PL_SYM_ADD] = {" + ", 5}, [PL_SYM_SUB] = {" - ", 5},
    [PL_SYM_MUL] = {" * ", 6}, [PL_SYM_DIV] = {" / ", 6},
    [PL_SYM_MOD] = {" % ", 6}, [PL_SYM_LT] = {" < ", 4},
    [PL_SYM_LE] = {" <= ", 4}, [PL_SYM_GT] = {" > ", 4},
    [PL_SYM_GE] = {" >= ", 4}, [PL_SYM_EQ] = {" == ", 3},
    [PL_SYM_NE] = {" != ", 3}, [PL_SYM_AND] = {" && ", 2},
    [PL_SYM_OR] = {" || ", 1}, [PL_SYM_IF] = {"", 0},
    [PL_SYM_CONST] = {"", 9},  [PL_SYM_DIM] = {"", 9},
    [PL_SYM_NOT] = {"", 9},    [PL_SYM_MIN] = {"min", 9},
    [PL_SYM_MAX] = {"max", 9}};

static void write_number(int64_t v, pl_text *text) {
  pl_text_printf(text, v < 0 ? "(%lld)" : "%lld", (long long)v);
}

static void write_at(const pl_sym *s, int rank, pl_text *text) {
  if (!pl_sym_varies(s)) {
    write_number(s->v, text);
    return;
  }
  bool round = marks[s->op].rank < rank;
  if (round)
    pl_text_add(text, PL_STR("("));
  switch (s->op) {
  case PL_SYM_DIM: pl_text_printf(text, "%s", s->dim->name); break;
  case PL_SYM_NOT:
    pl_text_add(text, PL_STR("!("));
    write_at(s->a, 0, text);
    pl_text_add(text, PL_STR(")"));
    break;
  case PL_SYM_MIN:
  case PL_SYM_MAX:
    pl_text_printf(text, "%s(", marks[s->op].spelling);
    write_at(s->a, 0, text);
    pl_text_add(text, PL_STR(", "));
    write_at(s->b, 0, text);
    pl_text_add(text, PL_STR(")"));
    break;
  case PL_SYM_IF:
    write_at(s->a, 1, text);
    pl_text_add(text, PL_STR(" ? "));
    write_at(s->b, 1, text);
    pl_text_add(text, PL_STR(" : "));
    write_at(s->c, 1, text);
    break;
  default:
    write_at(s->a, marks[s->op].rank, text);
    pl_text_printf(text, "%s", marks[s->op].spelling);
    write_at(s->b, marks[s->op].rank + 1, text);
  }
  if (round)
    pl_text_add(text, PL_STR(")"));
}

void pl_sym_write(const pl_sym *s, pl_text *text) { write_at(s, 0, text); }

pl_host_value pl_host_of_sym(const pl_sym *s) {
  return s ? (pl_host_value){.kind = PL_HOST_INT, .sym = s}
           : (pl_host_value){0};
}

pl_host_value pl_host_int(pl_host *h, int64_t v) {
  return pl_host_of_sym(pl_sym_const(h, v));
}

pl_host_value pl_host_real(double v) {
  return (pl_host_value){.kind = PL_HOST_REAL, .real = v};
}

/* As a cast does: towards zero. */
pl_host_value pl_host_to_int(pl_host *h, const pl_host_value *v) {
  if (v->kind == PL_HOST_INT)
    return pl_host_of_sym(v->sym);
  if (v->kind != PL_HOST_REAL || !(fabs(v->real) < 9e15))
    return (pl_host_value){0};
  if (!v->sym)
    return pl_host_int(h, (int64_t)v->real);
  return pl_host_of_sym(pl_sym_make(h, PL_SYM_DIV, v->sym, v->below));
}

pl_host_value pl_host_to_real(pl_host *h, const pl_host_value *v) {
  if (v->kind == PL_HOST_REAL)
    return (pl_host_value){.kind = PL_HOST_REAL, .real = v->real,
                           .sym = v->sym, .below = v->below};
  if (v->kind != PL_HOST_INT)
    return (pl_host_value){0};
  pl_host_value real = pl_host_real((double)v->sym->v);
  real.sym = v->sym;
  real.below = pl_sym_const(h, 1);
  return real;
}

int pl_host_truth(const pl_host_value *v) {
  switch (v->kind) {
  case PL_HOST_INT: return v->sym->v != 0;
  case PL_HOST_REAL: return v->real != 0;
  case PL_HOST_POINTER:
  case PL_HOST_ADDRESS: return 1;
  case PL_HOST_NULL: return 0;
  default: return -1;
  }
}

bool pl_host_same(const pl_host_value *a, const pl_host_value *b) {
  if (a->kind != b->kind)
    return false;
  switch (a->kind) {
  case PL_HOST_INT: return pl_sym_same(a->sym, b->sym);
  case PL_HOST_REAL: return a->real == b->real && pl_sym_same(a->sym, b->sym);
  case PL_HOST_POINTER:
    return a->object == b->object && pl_sym_same(a->offset, b->offset);
  case PL_HOST_NULL: return true;
  case PL_HOST_ADDRESS: return a->cell == b->cell;
  case PL_HOST_RECORD: return a->fields == b->fields;
  case PL_HOST_LAMBDA: return a->body == b->body;
  case PL_HOST_KERNEL:
    return strcmp(a->kernel, b->kernel) == 0 && a->bindings == b->bindings;
  default: return false;
  }
}
