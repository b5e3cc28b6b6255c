/* host_call.c - calls of what the file itself defines: functions, templates,
 * lambdas, constructors, methods. See host.h.
 *
 * Needs: statements. Gives: what is returned. Raises: nothing; calls too deep
 * are unknown. */
#include "host.h"

#include <string.h>

enum { DEPTH = 24 };

/* Runs the body at `body` in `scope`. */
static pl_host_value run_body(pl_host *h, pl_host_scope *scope, size_t body) {
  size_t back = h->p;
  pl_host_scope *outer = h->scope;
  h->scope = scope;
  h->p = body;
  h->returned = (pl_host_value){0};
  h->depth++;
  pl_host_block(h);
  h->depth--;
  h->scope = outer;
  h->p = back;
  h->lost = false;
  pl_host_value v = h->returned;
  h->returned = (pl_host_value){0};
  return v;
}

static pl_host_value default_of(pl_host *h, pl_host_scope *scope, size_t at) {
  size_t back = h->p;
  pl_host_scope *outer = h->scope;
  h->scope = scope;
  h->p = at;
  pl_host_value v = pl_host_expression(h);
  h->scope = outer;
  h->p = back;
  return v;
}

/* Constants that are handed to a function that launches are sizes. */
static void bind_param(pl_host *h, pl_host_scope *scope,
                       const pl_host_param *p, const pl_host_value *arg,
                       bool launches) {
  pl_host_scope *outer = h->scope;
  h->scope = scope;
  pl_host_cell *cell = pl_host_declare(h, p->name);
  cell->type = strcmp(p->type, "auto") ? p->type : NULL;
  cell->stars = p->stars;
  cell->is_constant = !launches;
  bool named = arg && arg->lvalue && *arg->lvalue->name;
  if (p->is_reference && named)
    cell->reference = arg->lvalue;
  else if (arg)
    cell->value = pl_host_stored(h, cell, *arg);
  else if (p->fallback)
    cell->value = pl_host_stored(h, cell, default_of(h, scope, p->fallback));
  h->scope = outer;
}

static bool can_call(pl_host *h) { return !h->skipping && h->depth < DEPTH; }

pl_host_value pl_host_call(pl_host *h, const pl_host_function *f,
                           pl_host_value *args, size_t n,
                           pl_host_binding *bindings, pl_host_value *self) {
  if (!can_call(h) || !f->body)
    return (pl_host_value){0};
  pl_host_scope *scope = PL_NEW(h->arena, pl_host_scope);
  *scope = (pl_host_scope){.up = &h->file, .bindings = bindings, .self = self};
  pl_host_scope *of_class = NULL;
  if (self) { /* T of the class */
    of_class = PL_NEW(h->arena, pl_host_scope);
    *of_class = (pl_host_scope){.up = &h->file, .bindings = self->bindings};
    scope->up = of_class;
  }
  for (size_t i = 0; i < f->n_params; i++)
    bind_param(h, scope, &f->params[i], i < n ? &args[i] : NULL, f->launches);
  return run_body(h, scope, f->body);
}

/* "(int a, float *b)" at `open`. */
static void bind_lambda(pl_host *h, pl_host_scope *scope, size_t open,
                        pl_host_value *args, size_t n) {
  size_t end = h->text.tokens[open].match, from = open + 1, k = 0;
  for (size_t i = from; i <= end && from < end; i++) {
    if (i != end && !pl_host_is(h, i, ",")) {
      if (h->text.tokens[i].match > i)
        i = h->text.tokens[i].match;
      continue;
    }
    pl_host_param p = pl_host_read_param(h, from, i);
    bind_param(h, scope, &p, k < n ? &args[k] : NULL, false);
    k++;
    from = i + 1;
  }
}

pl_host_value pl_host_call_lambda(pl_host *h, const pl_host_value *lambda,
                                  pl_host_value *args, size_t n) {
  if (!can_call(h))
    return (pl_host_value){0};
  pl_host_scope *scope = PL_NEW(h->arena, pl_host_scope);
  *scope = (pl_host_scope){.up = lambda->scope};
  size_t at = h->text.tokens[lambda->body].match + 1;
  if (pl_host_is(h, at, "(")) {
    bind_lambda(h, scope, at, args, n);
    at = h->text.tokens[at].match + 1;
  }
  while (!pl_host_is(h, at, "{"))
    at++;
  return run_body(h, scope, at);
}

/* ---- templates ----------------------------------------------------------- */

static pl_host_binding *add_binding(pl_host *h, pl_host_binding **list,
                                    const char *name) {
  pl_host_binding *b = PL_NEW(h->arena, pl_host_binding);
  b->name = name;
  b->next = *list;
  *list = b;
  return b;
}

/* Is it a parameter of the template whose text holds token `at`? */
static bool is_open_name(const pl_host *h, size_t at, const char *name) {
  for (size_t i = 0; i < h->n_functions; i++) {
    const pl_host_function *f = &h->functions[i];
    for (size_t t = 0; t < f->n_templates; t++)
      if (f->body < at && at < f->end && strcmp(f->templates[t], name) == 0)
        return true;
  }
  return false;
}

/* Nothing that the program computes: functions, classes, constants of their
 * names. */
static bool is_fixed_text(pl_host *h, size_t from, size_t end) {
  for (size_t i = from; i < end; i++) {
    if (h->text.tokens[i].kind != 'n')
      continue;
    const char *name = pl_arena_cstr(h->arena, h->text.tokens[i].s);
    if (pl_host_look_up(h, name) || pl_host_bound(h, name) ||
        is_open_name(h, i, name))
      return false;
  }
  return from < end;
}

/* A type, or a value whose sizes stay what they are. */
static void bind_argument(pl_host *h, pl_host_binding *b, size_t from,
                          size_t end) {
  if (pl_host_names_type(h, from, end)) {
    b->type = pl_host_type(h, pl_host_words(h, from, end));
    return;
  }
  size_t back = h->p;
  h->p = from;
  h->angles++;
  b->value = pl_host_expression(h);
  h->angles--;
  if (h->p != end)
    b->value = (pl_host_value){0};
  if (b->value.kind == PL_HOST_INT)
    b->value = pl_host_of_sym(
        pl_sym_pinned(h, b->value.sym, b->value.sym->v));
  else if (b->value.kind == PL_HOST_UNKNOWN && is_fixed_text(h, from, end))
    b->type = pl_host_words(h, from, end);
  h->lost = false;
  h->p = back;
}

pl_host_binding *pl_host_bind(pl_host *h, const char *const *names, size_t n,
                              size_t open) {
  pl_host_binding *list = NULL;
  size_t end = pl_host_angle_end(h, open) - 1, from = open + 1, k = 0;
  int depth = 0;
  for (size_t i = from; i <= end && k < n; i++) {
    depth += pl_host_is(h, i, "<") - (i < end && pl_host_is(h, i, ">"));
    if (i < end && h->text.tokens[i].match > i)
      i = h->text.tokens[i].match;
    if (i < end && !(depth == 0 && pl_host_is(h, i, ",")))
      continue;
    if (from < i)
      bind_argument(h, add_binding(h, &list, names[k++]), from, i);
    from = i + 1;
  }
  return list;
}

static bool is_bound(const pl_host_binding *list, const char *name) {
  for (; list; list = list->next)
    if (strcmp(list->name, name) == 0)
      return true;
  return false;
}

/* The type that an argument gives to `T`; NULL: none. */
static const char *deduced_type(pl_host *h, const pl_host_param *p,
                                const char *name, const pl_host_value *v) {
  if (strcmp(p->type, name) == 0) {
    if (p->stars == 1 && v->kind == PL_HOST_POINTER)
      return v->element;
    if (p->stars == 0 && v->lvalue)
      return pl_host_type(h, v->lvalue->type);
    if (p->stars == 0 && v->kind == PL_HOST_INT)
      return "int";
    return p->stars == 0 && v->kind == PL_HOST_REAL ? "float" : NULL;
  }
  const char *angle = strchr(p->type, '<');
  size_t n = strlen(name);
  bool inner = angle && strncmp(angle + 1, name, n) == 0 &&
               strchr(",>", angle[n + 1]);
  if (!inner)
    return NULL;
  for (const pl_host_binding *b = v->bindings; b; b = b->next)
    if (b->type)
      return b->type;
  return v->kind == PL_HOST_POINTER ? v->element : NULL;
}

static void bind_default(pl_host *h, const pl_host_function *f, size_t i,
                         pl_host_binding **list) {
  size_t from = f->template_fallbacks[i], end = from;
  if (!from)
    return;
  while (!pl_host_is(h, end, ",") && !pl_host_is(h, end, ">"))
    end++;
  bind_argument(h, add_binding(h, list, f->templates[i]), from, end);
}

pl_host_binding *pl_host_deduce(pl_host *h, const pl_host_function *f,
                                const pl_host_value *args, size_t n,
                                pl_host_binding *bindings) {
  for (size_t t = 0; t < f->n_templates; t++) {
    const char *name = f->templates[t], *type = NULL;
    for (size_t i = 0; i < f->n_params && i < n && !type; i++)
      if (!is_bound(bindings, name))
        type = deduced_type(h, &f->params[i], name, &args[i]);
    if (type)
      add_binding(h, &bindings, name)->type = type;
    else if (!is_bound(bindings, name))
      bind_default(h, f, t, &bindings);
  }
  return bindings;
}

/* ---- classes ------------------------------------------------------------- */

/* The fields that the class's body declares, without values. */
static void declare_fields(pl_host *h, const pl_host_class *of,
                           pl_host_value *self) {
  pl_host_scope inside = {.up = &h->file, .bindings = self->bindings};
  pl_host_scope *outer = h->scope;
  size_t back = h->p;
  h->scope = &inside;
  for (h->p = of->body + 1; h->p < of->end;) {
    size_t from = h->p;
    if (pl_host_ahead(h, 1, ":") && !pl_host_ahead(h, 1, "::"))
      h->p += 2;
    bool function = false;
    size_t end = h->p;
    for (; end < of->end && !pl_host_is(h, end, ";"); end++) {
      if (pl_host_is(h, end, "(")) {
        function = true;
      }
      if (h->text.tokens[end].match > end) {
        bool brace = pl_host_is(h, end, "{");
        end = h->text.tokens[end].match;
        if (brace && function)
          break;
      }
    }
    if (!function && !pl_host_at(h, "using") && !pl_host_at(h, "typedef") &&
        !pl_host_at(h, "static") && !pl_host_at(h, "friend"))
      pl_host_statement(h);
    h->lost = false;
    h->p = end + 1 > from ? end + 1 : from + 1;
  }
  h->scope = outer;
  h->p = back;
  self->fields = inside.cells;
}

static void run_inits(pl_host *h, const pl_host_function *f,
                      pl_host_scope *scope, pl_host_value *self) {
  pl_host_scope *outer = h->scope;
  size_t back = h->p;
  pl_host_cell holder = {.name = "", .value = *self};
  h->scope = scope;
  for (h->p = f->inits; h->p < f->body && PL_HOST_TOKEN(h)->kind == 'n';) {
    const char *name = pl_arena_cstr(h->arena, PL_HOST_TOKEN(h)->s);
    size_t open = h->p + 1, end = h->text.tokens[open].match;
    pl_host_cell *field = pl_host_field(h, &holder, name, true);
    h->p = open + 1;
    if (field && h->p < end) {
      pl_host_value v = pl_host_expression(h);
      if (field->type && pl_host_is_container(field->type) &&
          v.kind == PL_HOST_INT)
        v = pl_host_container(h, field->type, v.sym);
      pl_host_assign(h, field, pl_host_stored(h, field, v));
    }
    h->lost = false;
    h->p = end + 1;
    if (!pl_host_take(h, ","))
      break;
  }
  self->fields = holder.value.fields;
  h->scope = outer;
  h->p = back;
}

static const pl_host_function *constructor_of(const pl_host *h,
                                              const pl_host_class *of,
                                              size_t n) {
  for (size_t i = 0; i < h->n_functions; i++) {
    const pl_host_function *f = &h->functions[i];
    if (f->is_constructor && f->of == of && f->n_params >= n && f->body) {
      size_t least = 0;
      for (size_t k = 0; k < f->n_params; k++)
        least += !f->params[k].fallback;
      if (n >= least)
        return f;
    }
  }
  return NULL;
}

pl_host_value pl_host_construct(pl_host *h, const pl_host_class *of,
                                pl_host_binding *bindings,
                                pl_host_value *args, size_t n) {
  pl_host_value *self = PL_NEW(h->arena, pl_host_value);
  *self = (pl_host_value){.kind = PL_HOST_RECORD, .of = of,
                          .bindings = bindings};
  if (!can_call(h))
    return *self;
  declare_fields(h, of, self);
  const pl_host_function *f = constructor_of(h, of, n);
  if (!f) { /* an aggregate: its fields in their order */
    pl_host_cell **fields = NULL;
    size_t m = 0, cap = 0;
    for (pl_host_cell *c = self->fields; c; c = c->next)
      PL_PUSH(h->arena, fields, m, cap, c);
    for (size_t i = 0; i < n && i < m; i++)
      fields[m - 1 - i]->value =
          pl_host_stored(h, fields[m - 1 - i], args[i]);
    return *self;
  }
  pl_host_scope *of_class = PL_NEW(h->arena, pl_host_scope);
  *of_class = (pl_host_scope){.up = &h->file, .bindings = bindings};
  pl_host_scope *scope = PL_NEW(h->arena, pl_host_scope);
  *scope = (pl_host_scope){.up = of_class, .self = self};
  for (size_t i = 0; i < f->n_params; i++)
    bind_param(h, scope, &f->params[i], i < n ? &args[i] : NULL, false);
  if (f->inits)
    run_inits(h, f, scope, self);
  run_body(h, scope, f->body);
  return *self;
}

/* A method of the class of `self`. */
static const pl_host_function *method_of(const pl_host *h,
                                         const pl_host_class *of,
                                         const char *name, size_t n) {
  for (size_t i = 0; i < h->n_functions; i++) {
    const pl_host_function *f = &h->functions[i];
    if (f->of == of && !f->is_constructor && strcmp(f->name, name) == 0 &&
        f->n_params >= n && f->body)
      return f;
  }
  return NULL;
}

static pl_host_value count_of(pl_host *h, const pl_host_value *self) {
  int64_t size = pl_host_type_size(h, self->element);
  if (!self->object || !self->object->bytes || !size)
    return (pl_host_value){0};
  return pl_host_of_sym(pl_sym_make(h, PL_SYM_DIV, self->object->bytes,
                                    pl_sym_const(h, size)));
}

static bool is_one_of(const char *name, const char *const *names) {
  for (; *names; names++)
    if (strcmp(name, *names) == 0)
      return true;
  return false;
}

/* data(), size(), resize(n): of containers. */
static bool container_method(pl_host *h, pl_host_value *self, const char *name,
                             pl_host_value *args, size_t n,
                             pl_host_value *result) {
  static const char *const places[] = {"data", "get", "begin", "end",
                                       "c_str", NULL};
  static const char *const sizes[] = {"resize", "assign", NULL};
  if (is_one_of(name, places)) {
    *result = *self;
    result->lvalue = NULL;
  } else if (strcmp(name, "size") == 0) {
    *result = count_of(h, self);
  } else if (is_one_of(name, sizes) && n && args[0].kind == PL_HOST_INT) {
    int64_t size = pl_host_type_size(h, self->element);
    self->object->bytes =
        size ? pl_sym_make(h, PL_SYM_MUL, args[0].sym, pl_sym_const(h, size))
             : NULL;
  } else if (strcmp(name, "push_back") == 0 || is_one_of(name, sizes)) {
    self->object->bytes = NULL;
  } else {
    return false;
  }
  return true;
}

bool pl_host_method(pl_host *h, pl_host_value *self, const char *name,
                    pl_host_value *args, size_t n, pl_host_value *result) {
  if (h->skipping)
    return true;
  if (self->kind == PL_HOST_RECORD && self->of) {
    const pl_host_function *f = method_of(h, self->of, name, n);
    if (!f)
      return false;
    *result = pl_host_call(h, f, args, n,
                           pl_host_deduce(h, f, args, n, NULL), self);
    return true;
  }
  return self->kind == PL_HOST_POINTER && self->object &&
         container_method(h, self, name, args, n, result);
}
