/* host_declare.c - declarations of the host program's variables. See host.h.
 *
 * Needs: expressions, constructors. Gives: cells. Raises: nothing; a declaration
 * that is beyond us makes what it names unknown. */
#include "host.h"

#include <string.h>

static size_t closing(const pl_host *h) { return PL_HOST_TOKEN(h)->match; }

/* No declaration begins with them. */
static const char *const no_types[] = {
    "return", "delete", "goto", "throw", "new", "else", "case", "using",
    "typedef", "sizeof", "operator", NULL};

/* What may stand before a type's name; those that are types by themselves. */
static const char *const heads[] = {
    "const", "static", "constexpr", "struct", "volatile", "register", "extern",
    "typename", "class", "__constant__", "__device__", "__managed__", "inline",
    "enum", NULL};
static const char *const whole_types[] = {"unsigned", "signed", "long", "short",
                                          "auto", NULL};
/* What `unsigned` and its like may stand before. */
static const char *const last_words[] = {"int", "char", "double", NULL};

/* `T name`: T is a name, with template arguments perhaps, or words. */
size_t pl_host_declared_at(const pl_host *h, size_t i) {
  bool type = false;
  if (pl_host_is_one_of(h, i, no_types))
    return 0;
  for (;; i++) {
    bool whole = pl_host_is_one_of(h, i, whole_types);
    bool mark = pl_host_is(h, i, "*") || pl_host_is(h, i, "&") ||
                pl_host_is(h, i, "&&");
    type |= whole;
    if (mark && !type)
      return 0;
    if (whole || mark || pl_host_is_one_of(h, i, heads) || pl_host_is(h, i, "::"))
      continue;
    if (h->text.tokens[i].kind != 'n')
      return 0;
    if (pl_host_is(h, i + 1, "::"))
      continue;
    size_t angle = pl_host_is(h, i + 1, "<") ? pl_host_angle_end(h, i + 1) : 0;
    if (type && (angle || !pl_host_is_one_of(h, i, last_words)))
      return i;
    type = true;
    i = angle ? angle - 1 : i;
  }
}

static bool ends_declarator(const pl_host *h, size_t i) {
  return pl_host_is(h, i, "=") || pl_host_is(h, i, ";") ||
         pl_host_is(h, i, ",") || pl_host_is(h, i, "(") ||
         pl_host_is(h, i, "{") || pl_host_is(h, i, "[") ||
         pl_host_is(h, i, ":");
}

bool pl_host_declares(const pl_host *h, size_t i) {
  size_t name = pl_host_declared_at(h, i);
  return name && ends_declarator(h, name + 1);
}

/* [2][N]: a pointer to an object of the host's, or fields by number. */
static void array_bounds(pl_host *h, pl_host_cell *cell) {
  const pl_sym *bytes = NULL;
  int64_t size = cell->stars ? 8 : pl_host_type_size(h, cell->type);
  if (size)
    bytes = pl_sym_const(h, size);
  while (pl_host_at(h, "[") && !h->lost) {
    size_t end = closing(h);
    h->p++;
    pl_host_value n = h->p < end ? pl_host_expression(h) : (pl_host_value){0};
    bytes = bytes && n.kind == PL_HOST_INT
                ? pl_sym_make(h, PL_SYM_MUL, bytes, n.sym) : NULL;
    h->p = end + 1;
  }
  cell->stars++;
  cell->is_array = true;
  if (cell->stars > 1 || pl_host_at(h, "=") || pl_host_at(h, "{"))
    return;
  pl_host_object *o = PL_NEW(h->arena, pl_host_object);
  *o = (pl_host_object){.bytes = bytes, .element = cell->type};
  cell->value = (pl_host_value){.kind = PL_HOST_POINTER, .object = o,
                                .offset = pl_sym_const(h, 0),
                                .element = cell->type};
}

/* A record of one class or struct type, of what the brackets hold. */
static pl_host_value made_of(pl_host *h, pl_host_cell *cell,
                             const pl_host_class *of, pl_host_value *args,
                             size_t n) {
  const char *angle = strchr(cell->type, '<');
  pl_host_binding *b = NULL;
  const char *inner = angle ? pl_host_first_argument(h, cell->type) : NULL;
  if (inner && of->n_templates) {
    b = PL_NEW(h->arena, pl_host_binding);
    *b = (pl_host_binding){.name = of->templates[0], .type = inner};
  }
  return pl_host_construct(h, of, b, args, n);
}

static const pl_host_class *class_of(pl_host *h, const pl_host_cell *cell) {
  if (!cell->type || cell->stars)
    return NULL;
  const char *type = pl_host_last_name(pl_host_type(h, cell->type));
  size_t n = strcspn(type, "<");
  return pl_host_find_class(h, pl_arena_cstr(h->arena, (pl_str){type, n}));
}

static bool is_config(pl_host *h, const pl_host_cell *cell) {
  if (!cell->type || cell->stars)
    return false;
  const char *type = pl_host_last_name(pl_host_type(h, cell->type));
  return !strcmp(type, "cudaLaunchConfig_t") ||
         !strcmp(type, "cudaLaunchConfig_st");
}

/* What a cudaLaunchConfig_t holds, with the values that `list` gives, by name or
 * in turn: grids and blocks of 1, no bytes. */
static pl_host_value launch_config(pl_host *h, const pl_host_value *list) {
  static const char *const names[] = {"gridDim", "blockDim",
                                      "dynamicSmemBytes"};
  pl_host_value config = {.kind = PL_HOST_RECORD};
  pl_host_cell holder = {.value = *list};
  for (int i = 0; i < 3; i++) {
    pl_host_cell *field = PL_NEW(h->arena, pl_host_cell), *given = NULL;
    char index[] = {'[', (char)('0' + i), ']', 0};
    if (list->kind == PL_HOST_RECORD) {
      given = pl_host_field(h, &holder, names[i], false);
      given = given ? given : pl_host_field(h, &holder, index, false);
    }
    *field = (pl_host_cell){.name = names[i], .type = i < 2 ? "dim3" : "size_t",
                            .is_constant = true, .next = config.fields};
    field->value = given ? pl_host_copy(h, &given->value)
        : i < 2 ? pl_host_dim3(h, NULL, 0) : pl_host_int(h, 0);
    config.fields = field;
  }
  return config;
}

/* `T x(a, b)`, `T x{a, b}` */
static void direct_init(pl_host *h, pl_host_cell *cell) {
  size_t n;
  bool dim = cell->type && strcmp(cell->type, "dim3") == 0;
  bool container = pl_host_is_container(cell->type) && !cell->stars;
  const pl_host_class *of = class_of(h, cell);
  bool braces = pl_host_at(h, "{");
  if (braces && is_config(h, cell)) {
    pl_host_value list = pl_host_operand(h);
    cell->value = launch_config(h, &list);
    return;
  }
  pl_host_value *args = pl_host_arguments(h, &n);
  if (h->lost)
    return;
  if (dim)
    cell->value = pl_host_dim3(h, args, n < 3 ? n : 3);
  else if (container && n && args[0].kind == PL_HOST_POINTER)
    cell->value = pl_host_container(h, cell->type, NULL);
  else if (container)
    cell->value = pl_host_container(
        h, cell->type, n && args[0].kind == PL_HOST_INT && !braces
                           ? args[0].sym : NULL);
  else if (of)
    cell->value = made_of(h, cell, of, args, n);
  else if (n == 1)
    cell->value = pl_host_stored(h, cell, args[0]);
  if (container && n && args[0].kind == PL_HOST_POINTER)
    cell->value.object->bytes = args[0].object->bytes;
  if (container && n)
    cell->value.object->filled = true;
}

/* dim3 block = {16, 16}; Sizes s = {1024, 1024}; */
static pl_host_value from_list(pl_host *h, pl_host_cell *cell,
                               pl_host_value list) {
  pl_host_value items[16];
  size_t n = 0;
  for (const pl_host_cell *f = list.fields; f && n < 16; f = f->next)
    n++;
  size_t i = n;
  for (const pl_host_cell *f = list.fields; f && i > 0; f = f->next)
    items[--i] = f->value;
  if (cell->type && strcmp(cell->type, "dim3") == 0 && !cell->stars)
    return pl_host_dim3(h, items, n < 3 ? n : 3);
  if (is_config(h, cell))
    return launch_config(h, &list);
  const pl_host_class *of = class_of(h, cell);
  bool by_number = list.fields && list.fields->name[0] == '[';
  if (of && by_number)
    return made_of(h, cell, of, items, n);
  return list;
}

static void copy_init(pl_host *h, pl_host_cell *cell) {
  h->p++;
  pl_host_value v = pl_host_at(h, "{") ? pl_host_operand(h)
                                       : pl_host_expression(h);
  if (h->lost)
    return;
  bool dim = cell->type && strcmp(cell->type, "dim3") == 0 && !cell->stars;
  if (v.kind == PL_HOST_RECORD && !v.of)
    v = from_list(h, cell, v);
  else if (dim && v.kind == PL_HOST_INT)
    v = pl_host_dim3(h, &v, 1);
  cell->value = pl_host_opened(h, cell, pl_host_stored(h, cell, v));
  if (cell->value.kind == PL_HOST_POINTER && cell->stars && cell->type &&
      !cell->value.object->element)
    cell->value.object->element = pl_host_type(h, cell->type);
}

/* Without a value: a record's fields, an empty container. */
static void no_init(pl_host *h, pl_host_cell *cell) {
  const pl_host_class *of = class_of(h, cell);
  if (pl_host_is_container(cell->type) && !cell->stars)
    cell->value = pl_host_container(h, cell->type, NULL);
  else if (of)
    cell->value = made_of(h, cell, of, NULL, 0);
  else if (cell->type && strcmp(cell->type, "dim3") == 0 && !cell->stars)
    cell->value = pl_host_dim3(h, NULL, 0);
  else if (is_config(h, cell))
    cell->value = launch_config(h, &(pl_host_value){0});
}

static void declarator(pl_host *h, const pl_host_param *base, bool constant) {
  int stars = 0;
  bool reference = false;
  for (; !(PL_HOST_TOKEN(h)->kind == 'n') ||
         pl_host_at(h, "const") || pl_host_at(h, "__restrict__"); h->p++) {
    if (PL_HOST_TOKEN(h)->kind == 0 || pl_host_at(h, ";")) {
      h->lost = true;
      return;
    }
    stars += pl_host_at(h, "*");
    reference |= pl_host_at(h, "&") || pl_host_at(h, "&&");
  }
  const char *name = pl_arena_cstr(h->arena, PL_HOST_TOKEN(h)->s);
  h->p++;
  pl_host_cell made = {.name = name, .stars = stars, .is_constant = constant};
  made.type = strcmp(base->type, "auto") ? base->type : NULL;
  if (pl_host_at(h, "["))
    array_bounds(h, &made);
  if (pl_host_at(h, "=") && reference) {
    h->p++;
    pl_host_value v = pl_host_expression(h);
    if (v.lvalue && *v.lvalue->name)
      made.reference = v.lvalue;
    else
      made.value = v;
  } else if (pl_host_at(h, "=")) {
    copy_init(h, &made);
  } else if (pl_host_at(h, "(") || pl_host_at(h, "{")) {
    direct_init(h, &made);
  } else {
    no_init(h, &made);
  }
  pl_host_cell *cell = pl_host_declare(h, name), *next = cell->next;
  *cell = made;
  cell->next = next;
  cell->value.lvalue = NULL;
}

/* True: it was one, and h->p is behind it. */
bool pl_host_declaration(pl_host *h) {
  size_t from = h->p, name = pl_host_declared_at(h, from);
  if (!name || !ends_declarator(h, name + 1))
    return false;
  size_t type_end = name;
  while (type_end > from && (pl_host_is(h, type_end - 1, "*") ||
                             pl_host_is(h, type_end - 1, "&") ||
                             pl_host_is(h, type_end - 1, "&&")))
    type_end--;
  bool constant = false;
  for (size_t i = from; i < type_end; i++)
    constant |= pl_host_is(h, i, "__device__") ||
                pl_host_is(h, i, "__constant__") ||
                (h->scope == &h->file && (pl_host_is(h, i, "const") ||
                                          pl_host_is(h, i, "constexpr")));
  pl_host_param base = pl_host_read_param(h, from, name + 1);
  h->p = type_end;
  do
    declarator(h, &base, constant);
  while (!h->lost && pl_host_take(h, ","));
  if (!h->lost && pl_host_at(h, ":"))
    return true; /* for (auto x : list) */
  if (h->lost || !pl_host_take(h, ";")) {
    h->p = from;
    pl_host_lose_statement(h, from);
  }
  return true;
}
