/* host_launch.c - the launches that the host program comes by, and where it
 * begins. See host.h.
 *
 * Needs: all the others. Gives: host->launches. Raises: nothing. */
#include "host.h"

#include <string.h>

static pl_host_function *find_kernel(pl_host *h, const char *name, size_t n) {
  pl_host_function *found = NULL;
  for (size_t i = 0; i < h->n_functions; i++) {
    pl_host_function *f = &h->functions[i];
    if (f->is_kernel && strcmp(f->name, name) == 0 && f->n_params == n &&
        (!found || !found->body))
      found = f;
  }
  return found;
}

/* A dim3, or a number that becomes one. */
static void read_shape(pl_host *h, const pl_host_value *v,
                       pl_host_value *shape) {
  static const char *const names[] = {"x", "y", "z"};
  pl_host_cell holder = {.value = *v};
  bool list = v->kind == PL_HOST_RECORD && v->fields &&
              v->fields->name[0] == '[';
  for (int i = 0; i < 3; i++) {
    bool number = v->kind == PL_HOST_INT || v->kind == PL_HOST_REAL;
    shape[i] = i && number ? pl_host_int(h, 1) : (pl_host_value){0};
    char index[] = {'[', (char)('0' + i), ']', 0};
    pl_host_cell *f = v->kind == PL_HOST_RECORD
        ? pl_host_field(h, &holder, list ? index : names[i], false) : NULL;
    if (f)
      shape[i] = pl_host_to_int(h, &f->value);
    else if (list)
      shape[i] = pl_host_int(h, 1);
    else if (i == 0)
      shape[i] = pl_host_to_int(h, v);
  }
}

static const pl_host_binding *find_binding(const pl_host_binding *list,
                                           const char *name) {
  while (list && strcmp(list->name, name))
    list = list->next;
  return list;
}

/* "kernel<float, 16>" */
static const char *kernel_text(pl_host *h, pl_host_launch *l) {
  const pl_host_function *f = l->kernel;
  pl_text text = {.arena = h->arena};
  pl_text_printf(&text, "%s%s", f->scope, f->name);
  for (size_t i = 0; i < f->n_templates; i++) {
    const pl_host_binding *b = find_binding(l->bindings, f->templates[i]);
    pl_text_add(&text, i ? PL_STR(", ") : PL_STR("<"));
    if (b && b->type)
      pl_text_printf(&text, "%s", b->type);
    else if (b && b->value.kind == PL_HOST_INT && *f->template_types[i] &&
             strcmp(f->template_types[i], "bool") == 0)
      pl_text_printf(&text, "%s", b->value.sym->v ? "true" : "false");
    else if (b && b->value.kind == PL_HOST_INT)
      pl_text_printf(&text, "%lld", (long long)b->value.sym->v);
    else
      l->open_templates = true, pl_text_add(&text, PL_STR("?"));
  }
  if (f->n_templates)
    pl_text_add(&text, PL_STR(">"));
  return pl_arena_cstr(h->arena, pl_text_view(&text));
}

/* Buffers that a kernel may write have contents for those behind it. */
static void note_written(const pl_host_function *f, pl_host_value *args,
                         size_t n) {
  for (size_t i = 0; i < n && i < f->n_params; i++)
    if (args[i].kind == PL_HOST_POINTER && !f->params[i].points_to_const)
      args[i].object->filled = true;
}

/* The object of a class that converts to a pointer. */
static pl_host_value as_pointer(pl_host_value v, const pl_host_param *p) {
  if (!p->stars || v.kind != PL_HOST_RECORD || !v.of)
    return v;
  for (const pl_host_cell *f = v.fields; f; f = f->next)
    if (f->value.kind == PL_HOST_POINTER)
      return f->value;
  return v;
}

static bool names_it(const pl_host *h, const pl_host_function *f,
                     const char *name) {
  for (size_t t = f->body; t < f->end; t++)
    if (pl_host_is(h, t, name))
      return true;
  return false;
}

/* A `__constant__` that the host has filled, and that the kernel or what it may
 * call names. */
static const char *filled_constant(pl_host *h, const pl_host_function *f) {
  for (size_t i = 0; i < h->n_filled_constants; i++)
    for (size_t k = 0; k < h->n_functions; k++)
      if ((&h->functions[k] == f || !h->functions[k].is_kernel) &&
          names_it(h, &h->functions[k], h->filled_constants[i]) &&
          (&h->functions[k] == f || h->functions[k].is_device))
        return h->filled_constants[i];
  return h->unknown_constants ? "of the file" : NULL;
}

/* The host function whose text this is. */
static const pl_host_function *function_at(const pl_host *h) {
  for (size_t i = 0; i < h->n_functions; i++)
    if (h->functions[i].body < h->p && h->p <= h->functions[i].end)
      return &h->functions[i];
  return NULL;
}

static pl_host_value argument_behind(const pl_host_value *p) {
  pl_host_value v = p->kind == PL_HOST_ADDRESS ? p->cell->value
                                               : (pl_host_value){0};
  v.lvalue = NULL;
  return v;
}

/* A kernel and what it is given. */
typedef struct request {
  pl_host_value kernel;
  unsigned line;
  pl_host_value grid, block, smem;
  pl_host_value *args;
  size_t n;
} request;

/* What the objects are now: later copies do not count. */
static pl_host_value as_it_is_now(pl_host *h, pl_host_value v) {
  if (v.kind != PL_HOST_POINTER)
    return v;
  pl_host_object *now = PL_NEW(h->arena, pl_host_object);
  *now = *v.object;
  now->was = v.object;
  v.object = now;
  return v;
}

static void record(pl_host *h, const request *r) {
  pl_host_function *f = r->kernel.kind == PL_HOST_KERNEL
      ? find_kernel(h, r->kernel.kernel, r->n) : NULL;
  if (!f || h->skipping)
    return;
  pl_host_launch l = {.kernel = f, .n_args = r->n, .from = function_at(h),
                      .doubtful = h->doubt > 0, .line = r->line,
                      .smem = pl_host_to_int(h, &r->smem)};
  read_shape(h, &r->grid, l.grid);
  read_shape(h, &r->block, l.block);
  l.args = PL_NEW_ARRAY(h->arena, pl_host_value, r->n + 1);
  for (size_t i = 0; i < r->n; i++)
    l.args[i] = as_pointer(r->args[i], &f->params[i]);
  l.bindings = pl_host_deduce(h, f, l.args, r->n, r->kernel.bindings);
  l.kernel_text = kernel_text(h, &l);
  l.constant = filled_constant(h, f);
  l.conditions = PL_NEW_ARRAY(h->arena, const pl_sym *, h->n_conditions + 1);
  l.n_conditions = h->n_conditions;
  for (size_t i = 0; i < h->n_conditions; i++)
    l.conditions[i] = h->conditions[i];
  for (size_t i = 0; i < r->n; i++)
    l.args[i] = as_it_is_now(h, l.args[i]);
  PL_PUSH(h->arena, h->launches, h->n_launches, h->cap_launches, l);
  note_written(f, r->args, r->n);
}

pl_host_value pl_host_kernel(pl_host *h, const char *name, size_t open_angle) {
  for (size_t i = 0; i < h->n_functions; i++) {
    const pl_host_function *f = &h->functions[i];
    if (f->is_kernel && strcmp(f->name, name) == 0)
      return (pl_host_value){
          .kind = PL_HOST_KERNEL, .kernel = f->name,
          .bindings = open_angle ? pl_host_bind(h, f->templates,
                                                f->n_templates, open_angle)
                                 : NULL};
  }
  return (pl_host_value){0};
}

/* `mm<<<`, or a variable that holds a kernel. */
static pl_host_value launched(pl_host *h, const char *name, size_t angle) {
  const pl_host_cell *cell = pl_host_look_up(h, name);
  return cell ? cell->value : pl_host_kernel(h, name, angle);
}

void pl_host_launch_at(pl_host *h, const char *name, size_t angle) {
  request r = {.kernel = launched(h, name, angle),
               .line = PL_HOST_TOKEN(h)->line, .smem = pl_host_int(h, 0)};
  pl_host_value *config = NULL;
  size_t n_config = 0, cap = 0;
  h->p++;
  while (!h->lost && !(pl_host_at(h, ">") && pl_host_ahead(h, 1, ">") &&
                       pl_host_ahead(h, 2, ">"))) {
    pl_host_value v = pl_host_at(h, "{") ? pl_host_operand(h)
                                         : pl_host_expression(h);
    PL_PUSH(h->arena, config, n_config, cap, v);
    if (!pl_host_take(h, ",") && !pl_host_at(h, ">"))
      h->lost = true;
  }
  h->p += 3;
  if (h->lost || !pl_host_at(h, "(")) {
    h->lost = true;
    return;
  }
  r.args = pl_host_arguments(h, &r.n);
  if (h->lost)
    return;
  if (n_config > 0)
    r.grid = config[0];
  if (n_config > 1)
    r.block = config[1];
  if (n_config > 2)
    r.smem = config[2];
  record(h, &r);
}

/* ---- launches by calls --------------------------------------------------- */

/* Where what stands among the arguments [CUDA Runtime API, Execution Control]:
 * the kernel; grid and block behind it, the bytes at `smem`, or all three in the
 * configuration that comes first; `array`: arguments by their addresses. */
static const struct {
  const char *name;
  size_t kernel, args, smem;
  bool configured, array;
} calls[] = {
    {"cudaLaunchKernel", 0, 3, 4, false, true},
    {"cudaLaunchCooperativeKernel", 0, 3, 4, false, true},
    {"cudaLaunchKernelEx", 1, 2, 0, true, false},
    {"cudaLaunchKernelExC", 1, 2, 0, true, true},
};

bool pl_host_is_launch_call(const pl_host *h, size_t i) {
  for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
    if (pl_host_is(h, i, calls[k].name))
      return true;
  return false;
}

static size_t by_number(pl_host *h, const pl_host_value *list,
                        pl_host_value *items, size_t room) {
  pl_host_cell holder = {.value = *list};
  for (size_t i = 0; i < room; i++) {
    pl_str name = pl_arena_printf(h->arena, "[%zu]", i);
    pl_host_cell *f = list->kind == PL_HOST_RECORD
        ? pl_host_field(h, &holder, name.p, false) : NULL;
    if (!f)
      return i;
    items[i] = argument_behind(&f->value);
  }
  return room;
}

static pl_host_value field_of(pl_host *h, const pl_host_value *record,
                              const char *name) {
  pl_host_cell holder = {.value = *record};
  const pl_host_cell *f = record->kind == PL_HOST_RECORD
      ? pl_host_field(h, &holder, name, false) : NULL;
  return f ? f->value : (pl_host_value){0};
}

void pl_host_launch_call(pl_host *h, const char *name, unsigned line,
                         const pl_host_value *args, size_t n) {
  enum { ROOM = 64 };
  pl_host_value items[ROOM];
  size_t k = 0, end = sizeof calls / sizeof *calls;
  while (k < end && strcmp(calls[k].name, name))
    k++;
  if (k == end || n < calls[k].args || n <= calls[k].kernel)
    return;
  request r = {.kernel = args[calls[k].kernel], .line = line, .args = items,
               .smem = pl_host_int(h, 0)};
  if (calls[k].configured) {
    pl_host_value config = args[0].kind == PL_HOST_ADDRESS
        ? args[0].cell->value : (pl_host_value){0};
    r.grid = field_of(h, &config, "gridDim");
    r.block = field_of(h, &config, "blockDim");
    r.smem = field_of(h, &config, "dynamicSmemBytes");
  } else {
    r.grid = args[1];
    r.block = args[2];
    if (n > calls[k].smem)
      r.smem = args[calls[k].smem];
  }
  if (calls[k].array && n > calls[k].args)
    r.n = by_number(h, &args[calls[k].args], items, ROOM);
  for (size_t i = calls[k].args; !calls[k].array && i < n && r.n < ROOM; i++)
    items[r.n++] = args[i];
  record(h, &r);
}

/* ---- where it begins ----------------------------------------------------- */

static bool is_in_function(const pl_host *h, size_t i, size_t *behind) {
  for (size_t k = 0; k < h->n_functions; k++)
    if (h->functions[k].body == i) {
      *behind = h->functions[k].end + 1;
      return true;
    }
  return false;
}

static bool begins_declaration(const pl_host *h, size_t i) {
  return i == 0 || pl_host_is(h, i - 1, ";") || pl_host_is(h, i - 1, "}") ||
         pl_host_is(h, i - 1, "{");
}

/* The file's variables, in the order of the text. */
static void run_globals(pl_host *h) {
  for (size_t i = 0; i < h->text.n - 1;) {
    size_t behind = 0;
    if (pl_host_is(h, i, "{") && is_in_function(h, i, &behind)) {
      i = behind;
      continue;
    }
    bool type = pl_host_is(h, i, "struct") || pl_host_is(h, i, "class") ||
                pl_host_is(h, i, "template") ||
                pl_host_is(h, i, "using") || pl_host_is(h, i, "typedef");
    bool block = false; /* a body ahead of the `;` */
    size_t end = i;
    for (; end < h->text.n - 1 && !pl_host_is(h, end, ";"); end++) {
      if (pl_host_is(h, end, "{") &&
          (is_in_function(h, end, &behind) || pl_host_is(h, i, "namespace") ||
           pl_host_is(h, i, "extern"))) {
        block = true;
        break;
      }
      if (h->text.tokens[end].match > end)
        end = h->text.tokens[end].match;
    }
    if (block) {
      i = behind ? behind : end + 1;
      continue;
    }
    if (!type && begins_declaration(h, i) && end > i + 1 &&
        !pl_host_is(h, i, "}")) {
      h->p = i;
      pl_host_statement(h);
      h->lost = false;
    }
    i = pl_host_is(h, i, "}") ? i + 1 : end + 1;
  }
}

static bool may_call(const pl_host *h, size_t i) {
  return h->text.tokens[i].kind == 'n' &&
         (pl_host_is(h, i + 1, "(") || pl_host_is(h, i + 1, "<") ||
          pl_host_is(h, i + 1, ",") || pl_host_is(h, i + 1, ")"));
}

static void note_called(pl_host *h) {
  for (size_t k = 0; k < h->n_functions; k++) {
    const pl_host_function *caller = &h->functions[k];
    if (caller->is_kernel || caller->is_device)
      continue;
    for (size_t i = caller->body; i < caller->end; i++)
      for (size_t f = 0; f < h->n_functions && may_call(h, i); f++)
        if (&h->functions[f] != caller &&
            pl_str_is(h->text.tokens[i].s, h->functions[f].name))
          h->functions[f].is_called = true;
  }
}

/* Functions that call what launches launch too. */
static void spread_launches(pl_host *h) {
  for (bool more = true; more;) {
    more = false;
    for (size_t k = 0; k < h->n_functions; k++) {
      pl_host_function *f = &h->functions[k];
      if (f->launches || f->is_kernel || f->is_device || !f->body)
        continue;
      for (size_t i = f->body; i < f->end && !f->launches; i++)
        for (size_t c = 0; c < h->n_functions && may_call(h, i); c++)
          f->launches |= h->functions[c].launches &&
                         !h->functions[c].is_kernel &&
                         pl_str_is(h->text.tokens[i].s, h->functions[c].name);
      more |= f->launches;
    }
  }
}

/* What a parameter that nobody in sight gives may be. */
static pl_host_value open_argument(pl_host *h, const pl_host_param *p) {
  if (!p->stars && pl_host_is_integer(pl_host_type(h, p->type)))
    return pl_host_of_sym(pl_sym_dim(h, p->name, PL_HOST_SOME_SIZE, true));
  if (p->stars != 1)
    return (pl_host_value){0};
  pl_host_object *o = PL_NEW(h->arena, pl_host_object);
  *o = (pl_host_object){.element = pl_host_type(h, p->type), .device = true,
                        .filled = true};
  return (pl_host_value){.kind = PL_HOST_POINTER, .object = o,
                         .offset = pl_sym_const(h, 0),
                         .element = o->element};
}

/* As a user would: with no arguments, or as many as it asks for. */
static void run_main(pl_host *h, const pl_host_function *f) {
  for (int words = 1; words < 6 && h->n_launches == 0; words++) {
    pl_host_value n = pl_host_int(h, words);
    h->exits = false;
    h->steps = 0;
    h->n_conditions = 0;
    pl_host_call(h, f, &n, 1, NULL, NULL);
  }
}

static bool was_met(const pl_host *h, const pl_host_function *f) {
  for (size_t i = 0; i < h->n_launches; i++)
    if (h->launches[i].from == f)
      return true;
  return false;
}

static bool launches_itself(const pl_host *h, const pl_host_function *f) {
  for (size_t i = f->body; i < f->end; i++)
    if (pl_host_is(h, i, "<<<") || pl_host_is_launch_call(h, i))
      return true;
  return false;
}

static void run_open(pl_host *h, const pl_host_function *f) {
  pl_host_value *args = PL_NEW_ARRAY(h->arena, pl_host_value, f->n_params + 1);
  for (size_t i = 0; i < f->n_params; i++)
    args[i] = open_argument(h, &f->params[i]);
  h->exits = false;
  h->steps = 0;
  h->n_conditions = 0;
  pl_host_call(h, f, args, f->n_params, NULL, NULL);
}

static bool begins_at(const pl_host_function *f) {
  return !f->is_kernel && !f->is_device && f->body && f->launches && !f->of;
}

bool pl_host_follow(pl_host *h, pl_arena *arena, pl_str source,
                    const char *const *defines, size_t n_defines) {
  *h = (pl_host){.arena = arena};
  h->scope = &h->file;
  if (!pl_host_tokenize(arena, source, defines, n_defines, &h->text))
    return false;
  pl_host_scan(h);
  spread_launches(h);
  note_called(h);
  run_globals(h);
  const pl_host_function *all = h->functions;
  for (size_t i = 0; i < h->n_functions; i++)
    if (strcmp(all[i].name, "main") == 0 && all[i].body && !all[i].of)
      run_main(h, &all[i]);
  for (size_t i = 0; i < h->n_functions; i++)
    if (begins_at(&all[i]) && !all[i].is_called && !h->n_launches)
      run_open(h, &all[i]);
  for (size_t i = 0; i < h->n_functions; i++)
    if (begins_at(&all[i]) && launches_itself(h, &all[i]) &&
        !was_met(h, &all[i]))
      run_open(h, &all[i]);
  return true;
}
