/* host_operand.c - literals, names, casts, members, brackets, launches. See
 * host.h.
 *
 * Needs: calls. Gives: values, with the place that they stand in. Raises:
 * nothing; where the text is beyond us host->lost is set. */
#include "host.h"

#include <stdlib.h>
#include <string.h>

static pl_host_value lose(pl_host *h) {
  h->lost = true;
  return (pl_host_value){0};
}

static size_t closing(const pl_host *h) { return PL_HOST_TOKEN(h)->match; }

static pl_host_value number(pl_host *h) {
  pl_str s = PL_HOST_TOKEN(h)->s;
  char digits[64];
  size_t n = 0;
  h->p++;
  for (size_t i = 0; i < s.n && n + 1 < sizeof digits; i++)
    if (s.p[i] != '\'')
      digits[n++] = s.p[i];
  digits[n] = 0;
  bool hex = n > 1 && (digits[1] == 'x' || digits[1] == 'X');
  if (!hex && (strpbrk(digits, ".eE") || digits[n - 1] == 'f'))
    return pl_host_real(strtod(digits, NULL));
  if (n > 1 && (digits[1] == 'b' || digits[1] == 'B'))
    return pl_host_int(h, strtoll(digits + 2, NULL, 2));
  return pl_host_int(h, strtoll(digits, NULL, 0));
}

/* Of the variable or element that [from, end) names: `*p`, `p[0]`, `p`. */
static pl_host_value size_of_object(pl_host *h, size_t from, size_t end) {
  bool behind = pl_host_is(h, from, "*");
  from += behind;
  size_t at = from;
  while (at < end && !pl_host_is(h, at, "["))
    at++;
  behind |= at < end;
  pl_host_cell *cell = pl_host_look_up(h, pl_host_words(h, from, at));
  if (!cell)
    return (pl_host_value){0};
  if (cell->is_array && !behind)
    return cell->value.kind == PL_HOST_POINTER
               ? pl_host_of_sym(cell->value.object->bytes)
               : (pl_host_value){0};
  int64_t size = cell->stars > behind ? 8 : pl_host_type_size(h, cell->type);
  return size ? pl_host_int(h, size) : (pl_host_value){0};
}

/* sizeof(T), sizeof(expression), sizeof x */
static pl_host_value size_of(pl_host *h) {
  size_t open = h->p;
  if (!pl_host_at(h, "(")) {
    h->skipping++;
    pl_host_unary(h);
    h->skipping--;
    return size_of_object(h, open, h->p);
  }
  size_t end = closing(h);
  h->p = end + 1;
  if (!pl_host_names_type(h, open + 1, end))
    return size_of_object(h, open + 1, end);
  pl_host_param p = pl_host_read_param(h, open + 1, end);
  const char *type = *p.name ? pl_host_words(h, open + 1, end) : p.type;
  int64_t size = p.stars ? 8 : pl_host_type_size(h, type);
  return size ? pl_host_int(h, size) : (pl_host_value){0};
}

static pl_host_value cast_to(pl_host *h, size_t from, size_t end,
                             pl_host_value v) {
  pl_host_param p = pl_host_read_param(h, from, end);
  const char *type = pl_host_type(h, *p.name && !p.stars
                                         ? pl_host_words(h, from, end)
                                         : p.type);
  if (p.stars) {
    bool opaque = strcmp(type, "void") == 0 || p.stars > 1;
    if (v.kind == PL_HOST_POINTER && !opaque)
      v.element = type;
    if (v.kind == PL_HOST_INT && v.sym->v == 0)
      v = (pl_host_value){.kind = PL_HOST_NULL};
    return v;
  }
  if (pl_host_is_real(type))
    return pl_host_to_real(h, &v);
  if (pl_host_is_integer(type))
    return pl_host_to_int(h, &v);
  return v;
}

/* Does what stands at `i` begin an operand, so that "(T)" before it casts? */
static bool begins_operand(const pl_host *h, size_t i) {
  const pl_host_token *t = &h->text.tokens[i];
  return t->kind == 'n' || t->kind == '0' || t->kind == '"' ||
         pl_host_is(h, i, "(") || pl_host_is(h, i, "&") ||
         pl_host_is(h, i, "*") || pl_host_is(h, i, "-") ||
         pl_host_is(h, i, "!") || pl_host_is(h, i, "::");
}

/* "(...)": a cast, or an expression in brackets. */
static pl_host_value round_brackets(pl_host *h) {
  size_t open = h->p, end = closing(h);
  if (begins_operand(h, end + 1) && pl_host_names_type(h, open + 1, end)) {
    h->p = end + 1;
    return cast_to(h, open + 1, end, pl_host_unary(h));
  }
  h->p++;
  pl_host_value v = pl_host_expression(h);
  while (!h->lost && pl_host_take(h, ","))
    v = pl_host_expression(h);
  if (h->p != end)
    return lose(h);
  h->p = end + 1;
  return v;
}

/* static_cast<T>(e) */
static pl_host_value named_cast(pl_host *h) {
  size_t open = h->p + 1, end = pl_host_angle_end(h, open);
  if (!end || !pl_host_is(h, end, "("))
    return lose(h);
  h->p = end;
  return cast_to(h, open + 1, end - 1, round_brackets(h));
}

static pl_host_value new_object(pl_host *h, const pl_sym *bytes,
                                const char *element, unsigned line) {
  pl_host_object *o = PL_NEW(h->arena, pl_host_object);
  *o = (pl_host_object){.bytes = bytes, .element = element, .line = line};
  return (pl_host_value){.kind = PL_HOST_POINTER, .object = o,
                         .offset = pl_sym_const(h, 0), .element = element};
}

/* new T[n], new T(...) */
static pl_host_value new_array(pl_host *h) {
  size_t from = h->p;
  unsigned line = PL_HOST_TOKEN(h)->line;
  while (!pl_host_at(h, "[") && !pl_host_at(h, "(") && !pl_host_at(h, ";") &&
         !pl_host_at(h, "{"))
    h->p++;
  pl_host_param p = pl_host_read_param(h, from, h->p);
  const pl_sym *bytes = NULL;
  if (pl_host_at(h, "[")) {
    size_t end = closing(h);
    h->p++;
    pl_host_value n = pl_host_expression(h);
    int64_t size = pl_host_type_size(h, p.type);
    if (n.kind == PL_HOST_INT && size)
      bytes = pl_sym_make(h, PL_SYM_MUL, n.sym, pl_sym_const(h, size));
    h->p = end + 1;
  }
  if (pl_host_at(h, "(") || pl_host_at(h, "{"))
    h->p = closing(h) + 1;
  return new_object(h, bytes, pl_host_type(h, p.type), line);
}

/* { a, b }: a record of fields "[0]", "[1]"; .name = a by their names. */
static pl_host_value braces(pl_host *h) {
  pl_host_value list = {.kind = PL_HOST_RECORD};
  size_t end = closing(h);
  h->p++;
  for (int i = 0; h->p < end && !h->lost; i++) {
    pl_host_cell *field = PL_NEW(h->arena, pl_host_cell);
    field->name = pl_arena_printf(h->arena, "[%d]", i).p;
    if (pl_host_at(h, ".") && pl_host_ahead(h, 2, "=")) {
      field->name = pl_arena_cstr(h->arena, PL_HOST_TOKEN(h)[1].s);
      h->p += 3;
    }
    field->value = pl_host_at(h, "{") ? braces(h) : pl_host_expression(h);
    field->value.lvalue = NULL;
    field->next = list.fields;
    list.fields = field;
    if (h->p < end && !pl_host_take(h, ","))
      return lose(h);
  }
  h->p = end + 1;
  return list;
}

/* [&](int n) { ... } */
static pl_host_value lambda(pl_host *h) {
  pl_host_value v = {.kind = PL_HOST_LAMBDA, .body = h->p, .scope = h->scope};
  h->p = closing(h) + 1;
  if (pl_host_at(h, "("))
    h->p = closing(h) + 1;
  while (!pl_host_at(h, "{"))
    if (PL_HOST_TOKEN(h)->kind == 0 || pl_host_at(h, ";"))
      return lose(h);
    else
      h->p++;
  h->p = closing(h) + 1;
  return v;
}

pl_host_value *pl_host_arguments(pl_host *h, size_t *n) {
  size_t end = closing(h), cap = 0;
  pl_host_value *args = NULL;
  *n = 0;
  h->p++;
  while (h->p < end && !h->lost) {
    pl_host_value v = pl_host_at(h, "{") ? braces(h) : pl_host_expression(h);
    PL_PUSH(h->arena, args, *n, cap, v);
    if (h->p < end && !pl_host_take(h, ","))
      lose(h);
  }
  h->p = end + 1;
  return args;
}

static const struct {
  const char *name;
  int64_t value;
} constants[] = {
    {"true", 1}, {"false", 0}, {"cudaSuccess", 0}, {"CUBLAS_STATUS_SUCCESS", 0},
    {"EXIT_SUCCESS", 0}, {"EXIT_FAILURE", 1}, {"argc", 1},
    {"CUDA_SUCCESS", 0}, {"cudaMemcpyHostToHost", 0},
    {"cudaMemcpyHostToDevice", 1}, {"cudaMemcpyDeviceToHost", 2},
    {"cudaMemcpyDeviceToDevice", 3}, {"cudaMemcpyDefault", 4},
};

/* A name that is no variable. */
static pl_host_value constant_or_bound(pl_host *h, const char *name) {
  pl_host_binding *b = pl_host_bound(h, name);
  if (b && !b->type)
    return b->value;
  if (!strcmp(name, "nullptr") || !strcmp(name, "NULL"))
    return (pl_host_value){.kind = PL_HOST_NULL};
  for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
    if (strcmp(constants[i].name, name) == 0)
      return pl_host_int(h, constants[i].value);
  return (pl_host_value){0};
}

static pl_host_value value_of(pl_host_cell *cell) {
  pl_host_value v = cell->value;
  v.lvalue = cell;
  return v;
}

/* T(...), dim3(...), Class(...), function(...) behind a name. */
static pl_host_value call_by_name(pl_host *h, const char *name,
                                  const char *whole, size_t angle) {
  unsigned line = PL_HOST_TOKEN(h)->line;
  size_t n;
  pl_host_value *args = pl_host_arguments(h, &n), result = {0};
  if (h->lost)
    return result;
  pl_host_launch_call(h, name, line, args, n);
  pl_host_cell *cell = pl_host_look_up(h, name);
  if (cell && cell->value.kind == PL_HOST_LAMBDA)
    return pl_host_call_lambda(h, &cell->value, args, n);
  if (strcmp(name, "dim3") == 0)
    return pl_host_dim3(h, args, n < 3 ? n : 3);
  const char *type = pl_host_type(h, whole);
  if (n == 1 && pl_host_is_integer(type))
    return pl_host_to_int(h, &args[0]);
  if (n == 1 && pl_host_is_real(type))
    return pl_host_to_real(h, &args[0]);
  pl_host_value *self = pl_host_self(h);
  if (self && self->of && pl_host_method(h, self, name, args, n, &result))
    return result;
  pl_host_function *f = pl_host_find_function(h, name, n);
  if (f && !f->is_kernel && f->body) {
    pl_host_binding *b =
        angle ? pl_host_bind(h, f->templates, f->n_templates, angle) : NULL;
    return pl_host_call(h, f, args, n, pl_host_deduce(h, f, args, n, b), NULL);
  }
  const pl_host_class *of = pl_host_find_class(h, type);
  if (of) {
    pl_host_binding *b =
        angle ? pl_host_bind(h, of->templates, of->n_templates, angle) : NULL;
    return pl_host_construct(h, of, b, args, n);
  }
  bool wraps = pl_host_is_container(whole) || pl_host_is_alias(h, name);
  if (wraps && n >= 1 && args[0].kind == PL_HOST_POINTER)
    return args[0];
  if (pl_host_is_container(whole) && n >= 1 && args[0].kind == PL_HOST_INT)
    return pl_host_container(h, whole, args[0].sym);
  if (!f && !pl_host_known_call(h, name, args, n, &result))
    pl_host_forget_arguments(h, whole, args, n);
  return result;
}

/* `std::` and `ns::` are read over; the last name counts. */
static pl_host_value name_operand(pl_host *h) {
  size_t from = h->p;
  while (pl_host_ahead(h, 1, "::"))
    h->p += 2;
  const char *name = pl_arena_cstr(h->arena, PL_HOST_TOKEN(h)->s);
  if (PL_HOST_TOKEN(h)->kind != 'n')
    return lose(h);
  h->p++;
  size_t angle = 0, end = pl_host_at(h, "<") ? pl_host_angle_end(h, h->p) : 0;
  bool template_call = end && (pl_host_is(h, end, "(") ||
                               pl_host_is(h, end, "<<<") ||
                               pl_host_is(h, end, "{") ||
                               pl_host_is(h, end, "::"));
  bool kernel = end && pl_host_kernel(h, name, 0).kernel;
  if ((template_call || kernel) && !pl_host_look_up(h, name)) {
    angle = h->p;
    h->p = end;
    if (pl_host_at(h, "::")) {
      h->p++;
      return name_operand(h);
    }
  }
  if (pl_host_at(h, "<<<")) {
    pl_host_launch_at(h, name, angle);
    return (pl_host_value){0};
  }
  if (pl_host_at(h, "("))
    return call_by_name(h, name, pl_host_words(h, from, h->p), angle);
  if (pl_host_at(h, "{") && strcmp(name, "dim3") == 0)
    return call_by_name(h, name, name, 0);
  pl_host_cell *cell = pl_host_look_up(h, name);
  if (cell)
    return value_of(cell);
  pl_host_value address = pl_host_kernel(h, name, angle);
  return address.kernel ? address : constant_or_bound(h, name);
}

static pl_host_value this_operand(pl_host *h) {
  pl_host_value *self = pl_host_self(h);
  h->p++;
  return self ? *self : (pl_host_value){0};
}

static pl_host_value primary(pl_host *h) {
  const pl_host_token *t = PL_HOST_TOKEN(h);
  if (t->kind == '0')
    return number(h);
  if (t->kind == '"') {
    while (PL_HOST_TOKEN(h)->kind == '"')
      h->p++;
    return (pl_host_value){0};
  }
  if (pl_host_at(h, "("))
    return round_brackets(h);
  if (pl_host_at(h, "{"))
    return braces(h);
  if (pl_host_at(h, "["))
    return lambda(h);
  if (pl_host_take(h, "::"))
    return primary(h);
  if (pl_host_take(h, "sizeof"))
    return size_of(h);
  if (pl_host_take(h, "new"))
    return new_array(h);
  if (pl_host_at(h, "this"))
    return this_operand(h);
  if (pl_host_at(h, "static_cast") || pl_host_at(h, "reinterpret_cast") ||
      pl_host_at(h, "const_cast") || pl_host_at(h, "dynamic_cast"))
    return named_cast(h);
  return t->kind == 'n' ? name_operand(h) : lose(h);
}

/* a[i]: of an array whose elements are followed one by one. */
static pl_host_value element_of(pl_host *h, pl_host_value v) {
  size_t end = closing(h);
  h->p++;
  pl_host_value index = pl_host_expression(h);
  if (h->p != end)
    return lose(h);
  h->p = end + 1;
  bool array = v.kind == PL_HOST_RECORD && !v.object && !v.of;
  if (!array && v.kind == PL_HOST_UNKNOWN && v.lvalue && v.lvalue->stars > 1)
    array = true;
  if (v.kind == PL_HOST_POINTER && v.object && !h->skipping)
    v.object->filled = true;
  pl_host_value none = {0};
  if (!array || index.kind != PL_HOST_INT) {
    pl_host_cell *nowhere = PL_NEW(h->arena, pl_host_cell);
    nowhere->name = "";
    none.lvalue = nowhere;
    return none;
  }
  pl_sym_pin(index.sym);
  const char *name =
      pl_arena_printf(h->arena, "[%lld]", (long long)index.sym->v).p;
  pl_host_cell holder = {.value = v};
  pl_host_cell *field =
      pl_host_field(h, v.lvalue ? v.lvalue : &holder, name, v.lvalue != NULL);
  if (field && !field->type && v.lvalue) {
    field->type = v.lvalue->type;
    field->stars = v.lvalue->stars > 0 ? v.lvalue->stars - 1 : 0;
  }
  return field ? value_of(field) : none;
}

/* The record behind `->` or `.`; its cell, where it has one. */
static pl_host_value *record_of(pl_host_value *v) {
  if (v->kind == PL_HOST_ADDRESS)
    return &v->cell->value;
  return v->lvalue ? &v->lvalue->value : v;
}

/* Methods of matrices and tensors that are not in sight. */
static bool tells_size(const char *name) {
  static const char *const names[] = {"size", "numel", "rows", "cols", "length",
                                      "width", "height", "dim", NULL};
  for (int i = 0; names[i]; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

static pl_host_value member(pl_host *h, pl_host_value v) {
  h->p++;
  if (PL_HOST_TOKEN(h)->kind != 'n')
    return lose(h);
  const char *name = pl_arena_cstr(h->arena, PL_HOST_TOKEN(h)->s);
  h->p++;
  if (pl_host_at(h, "<") && pl_host_angle_end(h, h->p) &&
      pl_host_is(h, pl_host_angle_end(h, h->p), "("))
    h->p = pl_host_angle_end(h, h->p);
  pl_host_value *self = record_of(&v), result = {0};
  if (pl_host_at(h, "(")) {
    size_t n;
    pl_host_value *args = pl_host_arguments(h, &n);
    if (!h->lost && !pl_host_method(h, self, name, args, n, &result)) {
      pl_host_forget_arguments(h, name, args, n);
      if (tells_size(name))
        result.element = "size_t"; /* a number, if an unknown one */
    }
    return result;
  }
  pl_host_cell *cell = v.kind == PL_HOST_ADDRESS ? v.cell : v.lvalue;
  pl_host_cell holder = {.value = v};
  pl_host_cell *field = pl_host_field(h, cell ? cell : &holder, name,
                                      cell != NULL);
  return field ? value_of(field) : result;
}

static pl_host_value stepped(pl_host *h, pl_host_value v, bool before) {
  const char *op = pl_host_at(h, "++") ? "+" : "-";
  h->p += !before;
  pl_host_value now = pl_host_apply(h, op, v, pl_host_int(h, 1));
  if (v.lvalue)
    pl_host_assign(h, v.lvalue, now);
  return before ? now : v;
}

static pl_host_value called_value(pl_host *h, pl_host_value v) {
  size_t n;
  pl_host_value *args = pl_host_arguments(h, &n);
  if (v.kind == PL_HOST_LAMBDA && !h->lost)
    return pl_host_call_lambda(h, &v, args, n);
  return (pl_host_value){0};
}

pl_host_value pl_host_operand(pl_host *h) {
  pl_host_value v = primary(h);
  while (!h->lost) {
    if (pl_host_at(h, "["))
      v = element_of(h, v);
    else if (pl_host_at(h, ".") || pl_host_at(h, "->"))
      v = member(h, v);
    else if (pl_host_at(h, "++") || pl_host_at(h, "--"))
      v = stepped(h, v, false);
    else if (pl_host_at(h, "("))
      v = called_value(h, v);
    else
      break;
  }
  return v;
}

static pl_host_value address_of(pl_host *h) {
  pl_host_value v = pl_host_unary(h);
  if (v.kind == PL_HOST_KERNEL && !v.lvalue)
    return v;
  if (!v.lvalue)
    return (pl_host_value){0};
  if (!*v.lvalue->name) /* an element: not followed to its offset */
    return (pl_host_value){0};
  return (pl_host_value){.kind = PL_HOST_ADDRESS, .cell = v.lvalue};
}

static pl_host_value dereferenced(pl_host *h) {
  pl_host_value v = pl_host_unary(h);
  if (v.kind == PL_HOST_ADDRESS)
    return value_of(v.cell);
  if (v.kind == PL_HOST_RECORD)
    return v; /* *this */
  return (pl_host_value){0};
}

static pl_host_value negated(pl_host *h) {
  pl_host_value v = pl_host_unary(h);
  if (v.kind == PL_HOST_REAL) {
    pl_sym_pin(v.sym);
    return pl_host_real(-v.real);
  }
  return pl_host_apply(h, "-", pl_host_int(h, 0), v);
}

static pl_host_value inverted(pl_host *h) {
  pl_host_value v = pl_host_unary(h);
  int truth = pl_host_truth(&v);
  if (v.kind == PL_HOST_INT)
    return pl_host_of_sym(pl_sym_make(h, PL_SYM_NOT, v.sym, NULL));
  return truth < 0 ? (pl_host_value){0} : pl_host_int(h, !truth);
}

pl_host_value pl_host_unary(pl_host *h) {
  if (h->lost)
    return (pl_host_value){0};
  if (pl_host_take(h, "&"))
    return address_of(h);
  if (pl_host_take(h, "*"))
    return dereferenced(h);
  if (pl_host_take(h, "-"))
    return negated(h);
  if (pl_host_take(h, "+"))
    return pl_host_unary(h);
  if (pl_host_take(h, "!"))
    return inverted(h);
  if (pl_host_take(h, "~")) {
    pl_host_value v = pl_host_unary(h);
    return v.kind == PL_HOST_INT
               ? pl_host_of_sym(pl_sym_pinned(h, v.sym, ~v.sym->v))
               : (pl_host_value){0};
  }
  if (pl_host_at(h, "++") || pl_host_at(h, "--")) {
    size_t op = h->p++;
    pl_host_value v = pl_host_unary(h);
    size_t behind = h->p;
    h->p = op;
    v = stepped(h, v, true);
    h->p = behind;
    return v;
  }
  return pl_host_operand(h);
}
