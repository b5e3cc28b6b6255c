/* host_known.c - what the CUDA runtime and the C and C++ libraries do, as far as
 * launches hang on it. See host.h.
 *
 * Needs: values. Gives: objects, copies, numbers. Raises: nothing. */
#include "host.h"

#include <math.h>
#include <string.h>

typedef struct call {
  pl_host *h;
  pl_host_value *args;
  size_t n;
  pl_host_value result;
} call;

static pl_host_value make_object(call *c, const pl_sym *bytes, bool device,
                                 const char *element) {
  pl_host_object *o = PL_NEW(c->h->arena, pl_host_object);
  *o = (pl_host_object){.bytes = bytes, .device = device, .element = element,
                        .line = PL_HOST_TOKEN(c->h)->line};
  return (pl_host_value){.kind = PL_HOST_POINTER, .object = o,
                         .offset = pl_sym_const(c->h, 0), .element = element};
}

static const pl_sym *sym_of(const call *c, size_t i) {
  return i < c->n && c->args[i].kind == PL_HOST_INT ? c->args[i].sym : NULL;
}

static const pl_sym *product(call *c, size_t i, size_t k) {
  const pl_sym *a = sym_of(c, i), *b = sym_of(c, k);
  return a && b ? pl_sym_make(c->h, PL_SYM_MUL, a, b) : NULL;
}

/* *args[0] becomes an object of `bytes`. */
static void allocate(call *c, const pl_sym *bytes, bool filled) {
  c->result = pl_host_int(c->h, 0);
  if (c->n == 0 || c->args[0].kind != PL_HOST_ADDRESS)
    return;
  pl_host_cell *cell = c->args[0].cell;
  const char *element =
      cell->stars == 1 ? pl_host_type(c->h, cell->type) : NULL;
  if (element && strcmp(element, "void") == 0)
    element = NULL;
  pl_host_value v = make_object(c, bytes, true, element);
  v.object->filled = filled;
  pl_host_assign(c->h, cell, v);
}

static void device_memory(call *c) { allocate(c, sym_of(c, 1), false); }
static void shared_memory(call *c) { allocate(c, sym_of(c, 1), true); }

/* Rows of whole 512 bytes, as devices of today have them. */
static void pitched_memory(call *c) {
  const pl_sym *width = sym_of(c, 2), *rows = sym_of(c, 3), *pitch = NULL;
  pl_host *h = c->h;
  if (width && rows) {
    const pl_sym *more =
        pl_sym_make(h, PL_SYM_ADD, width, pl_sym_const(h, 511));
    more = more ? pl_sym_make(h, PL_SYM_DIV, more, pl_sym_const(h, 512)) : NULL;
    pitch = more ? pl_sym_make(h, PL_SYM_MUL, more, pl_sym_const(h, 512)) : NULL;
  }
  if (c->n > 1 && c->args[1].kind == PL_HOST_ADDRESS)
    pl_host_assign(h, c->args[1].cell, pl_host_of_sym(pitch));
  allocate(c, pitch ? pl_sym_make(h, PL_SYM_MUL, pitch, rows) : NULL, false);
}

static void host_memory(call *c) {
  c->result = make_object(c, sym_of(c, 0), false, NULL);
}

static void zeroed_memory(call *c) {
  c->result = make_object(c, product(c, 0, 1), false, NULL);
}

static void aligned_memory(call *c) {
  c->result = make_object(c, sym_of(c, 1), false, NULL);
}

static void copy_memory(call *c) {
  c->result = pl_host_int(c->h, 0);
  if (c->n && c->args[0].kind == PL_HOST_POINTER)
    c->args[0].object->filled = true;
}

static void set_memory(call *c) {
  c->result = pl_host_int(c->h, 0);
  const pl_sym *byte = sym_of(c, 1);
  if (c->n == 0 || c->args[0].kind != PL_HOST_POINTER)
    return;
  pl_host_object *o = c->args[0].object;
  o->zeroed = !o->filled && byte && byte->v == 0;
  o->filled |= !o->zeroed;
}

/* Its name is the first argument's, a `__constant__` or `__device__` object. */
static void copy_to_symbol(call *c) {
  pl_host *h = c->h;
  c->result = pl_host_int(h, 0);
  const char *name = c->n && c->args[0].lvalue ? c->args[0].lvalue->name : NULL;
  if (!name && c->n && c->args[0].kind == PL_HOST_ADDRESS)
    name = c->args[0].cell->name;
  if (name && *name)
    PL_PUSH(h->arena, h->filled_constants, h->n_filled_constants,
            h->cap_filled_constants, name);
  else
    h->unknown_constants = true;
}

static void extreme(call *c, pl_sym_op op) {
  const pl_sym *a = sym_of(c, 0), *b = sym_of(c, 1);
  if (a && b)
    c->result = pl_host_of_sym(pl_sym_make(c->h, op, a, b));
}

static void least(call *c) { extreme(c, PL_SYM_MIN); }
static void most(call *c) { extreme(c, PL_SYM_MAX); }

/* Of a ratio the next whole number, as a formula. */
static void round_up(call *c) {
  pl_host *h = c->h;
  pl_host_value v = c->n ? pl_host_to_real(h, &c->args[0])
                         : (pl_host_value){0};
  if (v.kind != PL_HOST_REAL)
    return;
  pl_host_value r = pl_host_real(ceil(v.real));
  if (v.sym && v.below->v > 0) {
    const pl_sym *less =
        pl_sym_make(h, PL_SYM_SUB, v.below, pl_sym_const(h, 1));
    const pl_sym *sum = pl_sym_make(h, PL_SYM_ADD, v.sym, less);
    r.sym = sum ? pl_sym_make(h, PL_SYM_DIV, sum, v.below) : NULL;
    r.below = pl_sym_const(h, 1);
  }
  c->result = r;
}

static void round_down(call *c) {
  pl_host *h = c->h;
  if (c->n == 0 || c->args[0].kind != PL_HOST_REAL)
    return;
  pl_host_value whole = pl_host_to_int(h, &c->args[0]);
  c->result = pl_host_to_real(h, &whole);
}

/* A real function: the sizes in its argument stay what they are. */
static void of_real(call *c, double (*f)(double)) {
  pl_host_value v = c->n ? pl_host_to_real(c->h, &c->args[0])
                         : (pl_host_value){0};
  if (v.kind != PL_HOST_REAL)
    return;
  pl_sym_pin(v.sym);
  c->result = pl_host_real(f(v.real));
}

static void square_root(call *c) { of_real(c, sqrt); }
static void logarithm(call *c) { of_real(c, log2); }

static void first(call *c) {
  if (c->n)
    c->result = c->args[0];
}

static void swap_values(call *c) {
  if (c->n < 2 || !c->args[0].lvalue || !c->args[1].lvalue)
    return;
  pl_host_value a = c->args[0].lvalue->value, b = c->args[1].lvalue->value;
  pl_host_assign(c->h, c->args[0].lvalue, b);
  pl_host_assign(c->h, c->args[1].lvalue, a);
}

/* Flags of the command line: there are none. */
static void not_given(call *c) { c->result = pl_host_int(c->h, 0); }

static void leave(call *c) { c->h->exits = true; }

static const struct {
  const char *name;
  void (*work)(call *);
} known[] = {
    {"cudaMalloc", device_memory}, {"cudaMallocAsync", device_memory},
    {"cudaMallocManaged", shared_memory}, {"cudaMallocHost", shared_memory},
    {"cudaHostAlloc", shared_memory}, {"hipMalloc", device_memory},
    {"cudaMallocPitch", pitched_memory}, {"malloc", host_memory},
    {"calloc", zeroed_memory}, {"aligned_alloc", aligned_memory},
    {"cudaMemcpy", copy_memory}, {"cudaMemcpyAsync", copy_memory},
    {"cudaMemcpy2D", copy_memory}, {"cudaMemset", set_memory},
    {"cudaMemsetAsync", set_memory}, {"cudaMemcpyToSymbol", copy_to_symbol},
    {"cudaMemcpyToSymbolAsync", copy_to_symbol}, {"min", least},
    {"max", most}, {"ceil", round_up}, {"ceilf", round_up},
    {"floor", round_down}, {"floorf", round_down}, {"sqrt", square_root},
    {"sqrtf", square_root}, {"log2", logarithm}, {"log2f", logarithm},
    {"move", first}, {"raw_pointer_cast", first}, {"swap", swap_values},
    {"checkCmdLineFlag", not_given}, {"exit", leave},
};

bool pl_host_known_call(pl_host *h, const char *name, pl_host_value *args,
                        size_t n, pl_host_value *result) {
  if (h->skipping)
    return true;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].name, name) == 0) {
      call c = {h, args, n, {0}};
      known[i].work(&c);
      *result = c.result;
      return true;
    }
  bool runtime = strncmp(name, "cuda", 4) == 0 && n &&
                 args[0].kind != PL_HOST_ADDRESS;
  if (runtime)
    *result = pl_host_int(h, 0);
  return runtime;
}

static bool is_harmless(const char *name) {
  static const char *const starts[] = {
      "std::", "printf", "fprintf", "puts", "cuda", "cublas", "mem", "str",
      "thrust::", "assert", "rand", "srand", "free", "curand", "checkCuda",
      "CHECK", "CUDA", "gpuErr", "check", "fabs", "abs", "pow", "time", NULL};
  for (int i = 0; starts[i]; i++)
    if (strncmp(name, starts[i], strlen(starts[i])) == 0)
      return true;
  return false;
}

/* What is handed by address is lost, and a variable that a reference may be to;
 * a function that is not in sight changes no pointer that it is handed. */
void pl_host_forget_arguments(pl_host *h, const char *name,
                              pl_host_value *args, size_t n) {
  bool harmless = is_harmless(name);
  for (size_t i = 0; i < n; i++)
    if (args[i].kind == PL_HOST_LAMBDA) { /* it may call it */
      h->doubt++;
      pl_host_call_lambda(h, &args[i], NULL, 0);
      h->doubt--;
    }
  for (size_t i = 0; i < n; i++) {
    if (args[i].kind == PL_HOST_ADDRESS)
      pl_host_assign(h, args[i].cell,
                     pl_host_opened(h, args[i].cell, (pl_host_value){0}));
    else if (args[i].kind == PL_HOST_POINTER && args[i].object && !h->skipping)
      args[i].object->filled = true;
    else if (args[i].lvalue && !harmless && args[i].kind != PL_HOST_POINTER &&
             args[i].kind != PL_HOST_LAMBDA)
      pl_host_assign(h, args[i].lvalue,
                     pl_host_opened(h, args[i].lvalue, (pl_host_value){0}));
  }
}

pl_host_value pl_host_container(pl_host *h, const char *type,
                                const pl_sym *count) {
  const char *element = pl_host_first_argument(h, type);
  int64_t size = pl_host_type_size(h, element);
  call c = {.h = h};
  const pl_sym *bytes =
      count && size ? pl_sym_make(h, PL_SYM_MUL, count, pl_sym_const(h, size))
                    : NULL;
  bool device = strstr(type, "device_vector") || strstr(type, "universal");
  pl_host_value v = make_object(&c, bytes, device, element);
  v.object->zeroed = device;
  return v;
}
