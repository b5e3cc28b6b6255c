/* launch_infer.c - see launch_infer.h.
 *
 * Needs: host.h, which follows the program. Gives: texts that launch.c reads.
 * Raises: nothing; what is not known is a gap. */
#include "launch_infer.h"

#include <stdio.h>
#include <string.h>

#include "host.h"
#include "memory.h"

/* Sizes of the program's, or smaller ones. */
typedef enum form { FORM_SMALL, FORM_OWN, FORM_FEW } form;

/* One launch on its way to a description. */
typedef struct writer {
  pl_host *h;
  const pl_host_launch *l;
  form form;
  pl_text text;
  size_t gaps;
  pl_text assumed;
  pl_host_dim **used;
  size_t n_used, cap_used;
  const char *obstacle;
  bool varies;
  bool leaves_out; /* blocks */
} writer;

/* ---- which sizes --------------------------------------------------------- */

static void use_dims(writer *w, const pl_sym *s) {
  if (!s)
    return;
  bool known = !s->dim || s->dim->pinned;
  for (size_t i = 0; i < w->n_used; i++)
    known |= w->used[i] == s->dim;
  if (!known)
    PL_PUSH(w->h->arena, w->used, w->n_used, w->cap_used, s->dim);
  use_dims(w, s->a);
  use_dims(w, s->b);
  use_dims(w, s->c);
}

static bool mentions(const pl_sym *s, const pl_host_dim *dim) {
  return s && (s->dim == dim || mentions(s->a, dim) || mentions(s->b, dim) ||
               mentions(s->c, dim));
}

static bool in_shape(const pl_host_value *shape, const pl_host_dim *dim) {
  for (int i = 0; i < 3; i++)
    if (mentions(shape[i].sym, dim))
      return true;
  return false;
}

static int64_t common_divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

enum { MOST = 256 };

/* Grows *step to what `c` divides too, where `value` is its multiple. */
static void take_divisor(int64_t value, int64_t c, int64_t *step) {
  if (c < 2 || c > MOST || value % c)
    return;
  int64_t joint = *step / common_divisor(*step, c) * c;
  if (joint <= MOST && value % joint == 0)
    *step = joint;
}

/* Divisors in a formula of the grid's. */
static void take_formula(const pl_sym *s, int64_t value, int64_t *step) {
  if (!s)
    return;
  if (s->op == PL_SYM_CONST)
    take_divisor(value, s->v, step);
  take_formula(s->a, value, step);
  take_formula(s->b, value, step);
  take_formula(s->c, value, step);
}

/* Numbers of the text that no function of the host's holds. */
static void take_numbers(const writer *w, int64_t value, int64_t *step) {
  const pl_host *h = w->h;
  for (size_t k = 0; k < h->n_functions; k++) {
    const pl_host_function *f = &h->functions[k];
    bool runs = f == w->l->kernel || f->is_device;
    for (size_t i = f->body; runs && i < f->end; i++)
      if (h->text.tokens[i].kind == '0' && h->text.tokens[i].s.n < 4) {
        int64_t c = 0;
        pl_str s = h->text.tokens[i].s;
        for (size_t d = 0; d < s.n && s.p[d] >= '0' && s.p[d] <= '9'; d++)
          c = c * 10 + (s.p[d] - '0');
        take_divisor(value, c, step);
      }
  }
  for (const pl_host_cell *c = h->file.cells; c; c = c->next)
    if (c->value.kind == PL_HOST_INT)
      take_divisor(value, c->value.sym->v, step);
}

/* What the size is made a multiple of: all that divides the program's own and
 * that kernel, grid or block may rely on. */
static int64_t find_step(const writer *w, const pl_host_dim *dim) {
  int64_t step = 1;
  for (int i = 0; i < 3; i++)
    if (mentions(w->l->grid[i].sym, dim))
      take_formula(w->l->grid[i].sym, dim->value, &step);
  for (const pl_host_binding *b = w->l->bindings; b; b = b->next)
    if (b->value.kind == PL_HOST_INT)
      take_divisor(dim->value, b->value.sym->v, &step);
  take_numbers(w, dim->value, &step);
  for (int i = 0; i < 3 && step < 16; i++)
    if (w->l->block[i].kind == PL_HOST_INT)
      take_divisor(dim->value, w->l->block[i].sym->v, &step);
  return step;
}

static int64_t step_of(const writer *w, pl_host_dim *dim) {
  if (dim->step_for != w->l) {
    dim->step = find_step(w, dim);
    dim->step_for = w->l;
  }
  return dim->step;
}

static bool may_vary(const writer *w, const pl_host_dim *dim) {
  return w->form == FORM_SMALL && dim->value >= 32 &&
         !mentions(w->l->smem.sym, dim);
}

/* Is it a number of blocks? */
static bool counts_blocks(const writer *w, const pl_host_dim *dim) {
  for (int i = 0; i < 3; i++)
    if (w->l->grid[i].sym && w->l->grid[i].sym->dim == dim)
      return true;
  return false;
}

/* How many sizes: few where the grid hangs on it, more where it is the length of
 * a loop. */
static int wanted_sizes(const writer *w, pl_host_dim *dim,
                        size_t n_free) {
  bool few = n_free > 1 && in_shape(w->l->grid, dim);
  return few ? 2 : step_of(w, dim) > 64 ? 3 : 4;
}

/* The constant in a sum. */
static int64_t constant_in(const pl_sym *s) {
  switch (s->op) {
  case PL_SYM_CONST:
    return s->v;
  case PL_SYM_ADD:
    return constant_in(s->a) + constant_in(s->b);
  case PL_SYM_SUB:
    return constant_in(s->a) - constant_in(s->b);
  default:
    return 0;
  }
}

/* `(n + 63) / 64`: there is a block for what is left over. */
static bool rounds_up(const pl_sym *s, const pl_host_dim *dim) {
  if (!s || !mentions(s, dim))
    return false;
  if (s->op == PL_SYM_DIV && s->b->op == PL_SYM_CONST && s->b->v > 1 &&
      constant_in(s->a) == s->b->v - 1)
    return true;
  return rounds_up(s->a, dim) || rounds_up(s->b, dim) || rounds_up(s->c, dim);
}

/* The kernel's text, and the variables in it that hang on the thread's index. */
typedef struct body {
  const pl_host_token *tokens;
  size_t from, end;
  pl_str *own;
  size_t n, cap;
} body;

static bool hangs_on_thread(const body *b, size_t i) {
  pl_str s = b->tokens[i].s;
  bool found = pl_str_is(s, "threadIdx");
  for (size_t k = 0; k < b->n && !found; k++)
    found = pl_str_eq(s, b->own[k]);
  return found;
}

/* `i = threadIdx.x + 1;`, up to what ends it. */
static bool is_made_of_thread(const body *b, size_t from) {
  for (size_t i = from; i < b->end; i++) {
    if (hangs_on_thread(b, i))
      return true;
    if (b->tokens[i].match > i)
      continue;
    if (pl_str_is(b->tokens[i].s, ";") || pl_str_is(b->tokens[i].s, ",") ||
        pl_str_is(b->tokens[i].s, "{"))
      return false;
  }
  return false;
}

static body body_of(const writer *w) {
  const pl_host_function *f = w->l->kernel;
  body b = {.tokens = w->h->text.tokens, .from = f->body + 1, .end = f->end};
  for (size_t i = b.from; i + 1 < b.end; i++)
    if (b.tokens[i].kind == 'n' && pl_str_is(b.tokens[i + 1].s, "=") &&
        !hangs_on_thread(&b, i) && is_made_of_thread(&b, i + 2))
      PL_PUSH(w->h->arena, b.own, b.n, b.cap, b.tokens[i].s);
  return b;
}

static bool ends_operand(const body *b, size_t i) {
  static const char *const ends[] = {"&&", "||", "?", ";", ",", ":", "=", "{",
                                     "}", "if", "while", "for", "return", NULL};
  for (int k = 0; ends[k]; k++)
    if (pl_str_is(b->tokens[i].s, ends[k]))
      return true;
  return i <= b->from || i >= b->end;
}

/* Whether what stands on one side of a comparison hangs on the thread: `k0 + tx`. */
static bool compares_thread(const body *b, size_t at, int step) {
  int depth = 0;
  for (size_t i = at; !ends_operand(b, i); i += (size_t)step) {
    bool opens = pl_str_is(b->tokens[i].s, step > 0 ? "(" : ")");
    bool closes = pl_str_is(b->tokens[i].s, step > 0 ? ")" : "(");
    if (hangs_on_thread(b, i))
      return true;
    depth += opens - closes;
    if (depth < 0)
      return false;
  }
  return false;
}

static bool is_less_or_more(pl_str s) {
  return pl_str_is(s, "<") || pl_str_is(s, ">") || pl_str_is(s, "<=");
}

typedef enum guard {
  GUARD_NONE,   /* the argument is not compared, or is divided into whole tiles */
  GUARD_SOME,   /* ... with anything, as a loop's header does */
  GUARD_THREADS /* each thread asks whether its own element is there */
} guard;

/* How the kernel compares the argument that has that size. */
static guard guard_of(const writer *w, const pl_host_dim *dim) {
  const pl_host_launch *l = w->l;
  body b = body_of(w);
  guard most = GUARD_NONE;
  for (size_t k = 0; k < l->n_args; k++) {
    if (!l->args[k].sym || l->args[k].sym->dim != dim)
      continue;
    for (size_t i = b.from; i + 1 < b.end; i++) {
      if (!pl_str_is(b.tokens[i].s, l->kernel->params[k].name))
        continue;
      if (pl_str_is(b.tokens[i + 1].s, "/"))
        return GUARD_NONE;
      bool left = is_less_or_more(b.tokens[i - 1].s);
      bool right = is_less_or_more(b.tokens[i + 1].s);
      if ((left && compares_thread(&b, i - 2, -1)) ||
          (right && compares_thread(&b, i + 2, 1)))
        most = GUARD_THREADS;
      else if ((left || right) && most == GUARD_NONE)
        most = GUARD_SOME;
    }
  }
  return most;
}

/* Whether it may take several elements at once. */
static bool takes_vectors(const body *b) {
  static const char *const words[] = {"float2", "float4", "double2", "int2",
      "int4", "uint2", "uint4", "half2", "__half2", "char4", "short4",
      "reinterpret_cast", "asm", "wmma", "load_matrix_sync", "memcpy_async",
      "__pipeline_memcpy_async", NULL};
  for (size_t i = b->from; i < b->end; i++)
    for (int k = 0; words[k]; k++)
      if (pl_str_is(b->tokens[i].s, words[k]))
        return true;
  return false;
}

static const char *type_of(const writer *w, const pl_host_param *p) {
  for (const pl_host_binding *b = w->l->bindings; b; b = b->next)
    if (b->type && strcmp(b->name, p->type) == 0)
      return pl_host_type(w->h, b->type);
  return pl_host_type(w->h, p->type);
}

/* The bytes of the smallest element that a buffer of the kernel's has; 1: not known. */
static int64_t least_element(const writer *w) {
  int64_t least = 16;
  for (size_t i = 0; i < w->l->n_args; i++) {
    const pl_host_param *p = &w->l->kernel->params[i];
    int64_t size = p->stars == 1 ? pl_host_type_size(w->h, type_of(w, p)) : 16;
    least = size < least ? size : least;
  }
  return least > 0 ? least : 1;
}

/* Whether sizes are meant that are no multiples of the step: then how much they lack, of
 * which elements in vectors of 16 bytes are left whole. A grid says so that rounds up;
 * of a length that it does not name, each thread's own look at it. */
static int64_t lacks(const writer *w, const pl_host_dim *dim, int64_t step) {
  bool up = false;
  guard how = guard_of(w, dim);
  for (int i = 0; i < 3; i++)
    up = up || rounds_up(w->l->grid[i].sym, dim);
  if (up && how != GUARD_NONE && step >= 16)
    return step >= 32 ? 16 : 8;
  if (in_shape(w->l->grid, dim) || how != GUARD_THREADS)
    return 0;
  body b = body_of(w);
  int64_t less = takes_vectors(&b) ? 16 / least_element(w) : 3;
  return less < step ? less : 0;
}

/* The size of that index: multiples of the step, or every second one a few less, up to
 * the program's own. */
static int64_t size_at(const writer *w, pl_host_dim *dim, int i) {
  static const int rough[] = {1, 2, 3, 5}, fine[] = {16, 33, 50, 81};
  int64_t step = step_of(w, dim);
  int64_t less = i % 2 ? lacks(w, dim, step) : 0;
  int64_t v = counts_blocks(w, dim) ? i + 2
              : step >= 16 ? step * rough[i] - less
                           : (fine[i] + step - 1) / step * step - less;
  return v < dim->value ? v : dim->value;
}

static void write_sizes_of(writer *w, pl_host_dim *dim, int n) {
  int64_t before = 0;
  for (int i = 0; i < n; i++) {
    int64_t v = size_at(w, dim, i);
    if (v == before)
      continue;
    pl_text_printf(&w->text, "%s%lld", before ? "," : "", (long long)v);
    w->varies |= v != dim->value;
    before = v;
  }
}

/* Size sets, and how much the largest of one set may be together: what an
 * emulator has the time for. */
enum { SETS = 16, WORK = 1 << 24 };

/* The dimension that has the most of `all`, its sizes or the largest of them;
 * those with one size have none to give. */
static size_t largest(const writer *w, const int *n, bool by_value) {
  size_t most = 0;
  int64_t best = -1;
  for (size_t i = 0; i < w->n_used; i++) {
    int64_t v = by_value ? size_at(w, w->used[i], n[i] - 1) : n[i];
    if (n[i] > 1 && v > best) {
      most = i;
      best = v;
    }
  }
  return most;
}

static bool is_too_much(const writer *w, const int *n, bool *by_value) {
  double sets = 1, work = 1;
  bool some = false;
  for (size_t i = 0; i < w->n_used; i++) {
    sets *= n[i];
    work *= n[i] > 1 || may_vary(w, w->used[i])
                ? (double)size_at(w, w->used[i], n[i] - 1) : 1;
    some |= n[i] > 1;
  }
  *by_value = work > WORK;
  return some && (sets > SETS || work > WORK);
}

/* How many sizes each dimension has. */
static int *share_sizes(writer *w) {
  int *n = PL_NEW_ARRAY(w->h->arena, int, w->n_used + 1);
  size_t n_free = 0;
  bool by_value;
  for (size_t i = 0; i < w->n_used; i++)
    n_free += may_vary(w, w->used[i]);
  for (size_t i = 0; i < w->n_used; i++)
    n[i] = may_vary(w, w->used[i]) ? wanted_sizes(w, w->used[i], n_free) : 1;
  while (is_too_much(w, n, &by_value))
    n[largest(w, n, by_value)]--;
  return n;
}

static void write_sizes(writer *w) {
  int *n = share_sizes(w);
  for (size_t i = 0; i < w->n_used; i++) {
    pl_host_dim *dim = w->used[i];
    pl_text_printf(&w->text, "%s%s=", i ? " " : "  sizes    ", dim->name);
    if (may_vary(w, dim))
      write_sizes_of(w, dim, n[i]);
    else
      pl_text_printf(&w->text, "%lld", (long long)dim->value);
  }
  if (w->n_used)
    pl_text_add(&w->text, PL_STR("\n"));
  for (size_t i = 0; i < w->n_used && w->form == FORM_OWN; i++)
    pl_text_printf(&w->text, "%s%s=%lld", i ? " " : "  target   ",
                   w->used[i]->name, (long long)w->used[i]->value);
  if (w->n_used && w->form == FORM_OWN)
    pl_text_add(&w->text, PL_STR("\n"));
}

static void note_open_sizes(writer *w) {
  for (size_t i = 0; i < w->n_used; i++)
    if (w->used[i]->open)
      pl_text_printf(&w->assumed, "no call in sight gives '%s' a size\n",
                     w->used[i]->name);
}

/* ---- shape --------------------------------------------------------------- */

static void gap(writer *w) {
  w->gaps++;
  pl_text_add(&w->text, PL_STR("?"));
}

static bool is_one(const pl_host_value *v) {
  return v->kind == PL_HOST_INT && v->sym->op == PL_SYM_CONST &&
         v->sym->v == 1;
}

static void write_value(writer *w, const pl_host_value *v) {
  if (v->kind == PL_HOST_INT)
    pl_sym_write(v->sym, &w->text);
  else
    gap(w);
}

static void write_shape(writer *w, const char *word,
                        const pl_host_value *shape) {
  int n = !is_one(&shape[2]) ? 3 : !is_one(&shape[1]) ? 2 : 1;
  pl_text_printf(&w->text, "  %-8s ", word);
  size_t before = w->gaps;
  bool none = shape[0].kind != PL_HOST_INT;
  if (none)
    gap(w);
  for (int i = 0; i < n && !none; i++) {
    pl_text_add(&w->text, i ? PL_STR(", ") : PL_STR(""));
    write_value(w, &shape[i]);
  }
  if (w->gaps > before)
    w->gaps = before + 1; /* a line */
  pl_text_add(&w->text, PL_STR("\n"));
}

/* Blocks are independent: a few of them are run where all would take long. */
static void write_few_blocks(writer *w) {
  enum { FEW_THREADS = 1 << 13 };
  int axes = 0;
  double threads = 1;
  for (int i = 0; i < 3; i++) {
    axes += w->l->grid[i].sym->v > 1;
    threads *= (double)w->l->grid[i].sym->v;
    threads *= w->l->block[i].kind == PL_HOST_INT ? (double)w->l->block[i].sym->v : 1024;
  }
  w->leaves_out = threads > FEW_THREADS; /* else the last ones, at the edge, are run too */
  int64_t most = !w->leaves_out ? INT64_MAX : axes > 1 ? 2 : 4;
  pl_text_add(&w->text, PL_STR("  grid     "));
  for (int i = 0; i < 3; i++) {
    int64_t n = w->l->grid[i].sym->v;
    pl_text_printf(&w->text, "%s%lld", i ? ", " : "",
                   (long long)(n > most ? most : n));
  }
  pl_text_add(&w->text, PL_STR("\n"));
}

static bool grid_is_known(const writer *w) {
  for (int i = 0; i < 3; i++)
    if (w->l->grid[i].kind != PL_HOST_INT)
      return false;
  return true;
}

/* ---- arguments ----------------------------------------------------------- */

/* The buffer's elements from where the pointer is; NULL: not known. */
static const pl_sym *count_of(writer *w, const pl_host_value *v,
                              const pl_host_param *p) {
  int64_t size = pl_host_type_size(w->h, type_of(w, p));
  if (v->kind != PL_HOST_POINTER || !v->object->bytes || !v->offset || !size)
    return NULL;
  const pl_sym *bytes =
      pl_sym_make(w->h, PL_SYM_SUB, v->object->bytes, v->offset);
  return bytes ? pl_sym_make(w->h, PL_SYM_DIV, bytes,
                             pl_sym_const(w->h, size))
               : NULL;
}

static void write_buffer(writer *w, const pl_host_value *v,
                         const pl_host_param *p) {
  bool known = v->kind == PL_HOST_POINTER;
  bool filled = !known || v->object->filled || v->object->zeroed;
  const pl_sym *count = count_of(w, v, p);
  pl_text_printf(&w->text, "%s [", p->points_to_const ? "in   "
                                   : filled           ? "inout"
                                                      : "out  ");
  if (count) {
    pl_sym_write(count, &w->text);
  } else if (w->form == FORM_OWN) {
    gap(w);
  } else {
    pl_text_add(&w->text, PL_STR("*"));
    pl_text_printf(&w->assumed,
                   "'%s' is a buffer of its own, as long as the original "
                   "reaches\n", p->name);
  }
  pl_text_add(&w->text, PL_STR("]"));
  bool indices = filled && w->form == FORM_FEW &&
                 pl_host_is_integer(type_of(w, p));
  if (indices)
    pl_text_add(&w->text, PL_STR(" below(8)"));
  if (filled && !indices && pl_host_is_integer(type_of(w, p)))
    pl_text_printf(&w->assumed, "'%s' holds small random integers\n", p->name);
}

static void write_real(writer *w, const pl_host_value *v,
                       const pl_host_param *p) {
  pl_host_value real = pl_host_to_real(w->h, v);
  if (real.kind != PL_HOST_REAL) {
    pl_text_printf(&w->assumed, "'%s' is 1.5\n", p->name);
    pl_text_add(&w->text, PL_STR("1.5"));
    return;
  }
  char number[40];
  snprintf(number, sizeof number, "%.9g", real.real);
  pl_text_printf(&w->text, "%s%s", number,
                 strpbrk(number, ".en") ? "" : ".0");
}

static void write_argument(writer *w, size_t i) {
  const pl_host_param *p = &w->l->kernel->params[i];
  const pl_host_value *v = &w->l->args[i];
  const char *type = type_of(w, p);
  if (!*p->name && !w->obstacle)
    w->obstacle = "a parameter has no name";
  pl_text_printf(&w->text, "  %s:%*s", p->name,
                 (int)(strlen(p->name) < 7 ? 8 - strlen(p->name) : 1), "");
  if (p->stars > 1)
    w->obstacle = pl_arena_printf(w->h->arena, "'%s' is a pointer to pointers",
                                  p->name).p;
  bool null = v->kind == PL_HOST_NULL ||
              (v->kind == PL_HOST_INT && v->sym->op == PL_SYM_CONST &&
               v->sym->v == 0);
  if (p->stars && null)
    pl_text_add(&w->text, PL_STR("null"));
  else if (p->stars)
    write_buffer(w, v, p);
  else if (v->kind == PL_HOST_RECORD || pl_host_find_class(w->h, type) ||
           strchr(type, '<')) /* a class template's, or its alias */
    w->obstacle = pl_arena_printf(w->h->arena, "'%s' is a struct", p->name).p;
  else if (pl_host_is_integer(type))
    write_value(w, v);
  else if (pl_host_is_real(type) || pl_host_type_size(w->h, type) == 2)
    write_real(w, v, p);
  else
    gap(w);
  pl_text_add(&w->text, PL_STR("\n"));
}

static bool writes(const writer *w, size_t i) {
  return !w->l->kernel->params[i].points_to_const;
}

/* A description gives each argument a buffer of its own. */
static void refuse_shared_buffers(writer *w) {
  const pl_host_launch *l = w->l;
  for (size_t i = 0; i < l->n_args; i++)
    for (size_t k = 0; k < i; k++) {
      bool both = l->args[i].kind == PL_HOST_POINTER &&
                  l->args[k].kind == PL_HOST_POINTER &&
                  l->args[i].object->was == l->args[k].object->was &&
                  l->args[i].object->was;
      if (both && (writes(w, i) || writes(w, k)))
        w->obstacle = pl_arena_printf(
            w->h->arena, "'%s' and '%s' are one buffer",
            l->kernel->params[k].name, l->kernel->params[i].name).p;
    }
}

/* Which of two kernels of one name is launched hangs on types that are not
 * followed so far. */
static void refuse_overloads(writer *w) {
  const pl_host_function *f = w->l->kernel;
  for (size_t i = 0; i < w->h->n_functions; i++) {
    const pl_host_function *other = &w->h->functions[i];
    if (other != f && other->is_kernel && other->n_params == f->n_params &&
        strcmp(other->name, f->name) == 0)
      w->obstacle = pl_arena_printf(w->h->arena, "'%s' is overloaded",
                                    f->name).p;
  }
}

/* ---- a description ------------------------------------------------------- */

static void collect_dims(writer *w) {
  const pl_host_launch *l = w->l;
  for (int i = 0; i < 3; i++) {
    use_dims(w, w->form == FORM_FEW ? NULL : l->grid[i].sym);
    use_dims(w, l->block[i].sym);
  }
  use_dims(w, l->smem.sym);
  for (size_t i = 0; i < l->n_args; i++) {
    bool scalar = !l->kernel->params[i].stars &&
                  l->args[i].kind == PL_HOST_INT &&
                  pl_host_is_integer(type_of(w, &l->kernel->params[i]));
    use_dims(w, scalar ? l->args[i].sym : NULL);
    if (l->kernel->params[i].stars)
      use_dims(w, count_of(w, &l->args[i], &l->kernel->params[i]));
  }
}

/* Does the kernel or its grid get it, other than by the size of a buffer? */
static bool is_handed_on(const writer *w, const pl_host_dim *dim) {
  for (size_t i = 0; i < w->l->n_args; i++)
    if (!w->l->kernel->params[i].stars && mentions(w->l->args[i].sym, dim))
      return true;
  return in_shape(w->l->grid, dim);
}

/* A size that buffers alone have is that of the same value which the kernel is
 * told: the rows of one factor are the columns of the other. */
static void join_dims(writer *w) {
  size_t kept = 0;
  for (size_t i = 0; i < w->n_used; i++) {
    pl_host_dim *same = NULL;
    for (size_t k = 0; k < w->n_used && !is_handed_on(w, w->used[i]); k++)
      if (w->used[k]->value == w->used[i]->value &&
          is_handed_on(w, w->used[k]))
        same = w->used[k];
    if (same)
      w->used[i]->name = same->name;
    else
      w->used[kept++] = w->used[i];
  }
  w->n_used = kept;
}

/* Each its own name, in this description. */
static void name_dims(writer *w) {
  for (size_t i = 0; i < w->n_used; i++) {
    int same = 1;
    for (size_t k = 0; k < i; k++)
      same += strcmp(w->used[k]->of, w->used[i]->of) == 0;
    w->used[i]->name = same == 1 ? w->used[i]->of
                                 : pl_arena_printf(w->h->arena, "%s_%d",
                                                   w->used[i]->of, same).p;
  }
}

static bool only_used_dims(const writer *w, const pl_sym *s) {
  if (!s)
    return true;
  bool known = !s->dim || s->dim->pinned;
  for (size_t i = 0; i < w->n_used; i++)
    known |= w->used[i] == s->dim;
  return known && only_used_dims(w, s->a) && only_used_dims(w, s->b) &&
         only_used_dims(w, s->c);
}

static void write_conditions(writer *w) {
  for (size_t i = 0; i < w->l->n_conditions; i++) {
    const pl_sym *s = w->l->conditions[i];
    bool again = false;
    for (size_t k = 0; k < i; k++)
      again |= pl_sym_same(w->l->conditions[k], s);
    if (again || !pl_sym_varies(s) || !only_used_dims(w, s))
      continue;
    pl_text_add(&w->text, PL_STR("  requires "));
    pl_sym_write(s, &w->text);
    pl_text_add(&w->text, PL_STR("\n"));
  }
}

static const char *describe(writer *w) {
  const pl_host_launch *l = w->l;
  collect_dims(w);
  name_dims(w);
  join_dims(w);
  pl_text_printf(&w->text, "launch %s\n", l->kernel_text);
  if (l->open_templates)
    w->gaps++;
  write_sizes(w);
  if (w->form == FORM_SMALL)
    write_conditions(w);
  if (w->form == FORM_FEW && grid_is_known(w))
    write_few_blocks(w);
  else
    write_shape(w, "grid", l->grid);
  write_shape(w, "block", l->block);
  if (l->smem.kind != PL_HOST_INT || l->smem.sym->op != PL_SYM_CONST ||
      l->smem.sym->v) {
    pl_text_add(&w->text, PL_STR("  smem     "));
    write_value(w, &l->smem);
    pl_text_add(&w->text, PL_STR("\n"));
  }
  for (size_t i = 0; i < l->n_args; i++)
    write_argument(w, i);
  note_open_sizes(w);
  refuse_shared_buffers(w);
  refuse_overloads(w);
  if (l->constant)
    w->obstacle = pl_arena_printf(
        w->h->arena, "no description fills the __constant__ '%s'",
        l->constant).p;
  return pl_arena_cstr(w->h->arena, pl_text_view(&w->text));
}

static writer new_writer(pl_host *h, const pl_host_launch *l, form f) {
  return (writer){.h = h, .l = l, .form = f, .text = {.arena = h->arena},
                  .assumed = {.arena = h->arena}};
}

static pl_inferred infer(pl_host *h, const pl_host_launch *l) {
  writer small = new_writer(h, l, FORM_SMALL), own = new_writer(h, l, FORM_OWN),
         few = new_writer(h, l, FORM_FEW);
  pl_inferred in = {.name = l->kernel->name, .kernel = l->kernel_text,
                    .line = l->line};
  in.small = describe(&small);
  in.own = describe(&own);
  in.few = describe(&few);
  in.gaps = small.gaps;
  in.own_gaps = own.gaps;
  in.obstacle = small.obstacle;
  in.varies = small.varies;
  in.leaves_out = few.leaves_out;
  in.assumed = pl_arena_cstr(h->arena, pl_text_view(&small.assumed));
  in.few_assumed = pl_arena_cstr(h->arena, pl_text_view(&few.assumed));
  return in;
}

/* The same but for what an earlier launch has left in a buffer? */
static bool is_same(const char *a, const char *b) {
  for (; *a && *b; a++, b++) {
    if (strncmp(a, "inout [", 7) == 0 && strncmp(b, "out   [", 7) == 0)
      a += 6, b += 6;
    else if (strncmp(a, "out   [", 7) == 0 && strncmp(b, "inout [", 7) == 0)
      a += 6, b += 6;
    if (*a != *b)
      return false;
  }
  return *a == *b;
}

static bool is_there(const pl_inferred_list *list, const pl_inferred *in) {
  for (size_t i = 0; i < list->n; i++)
    if (is_same(list->items[i].own, in->own))
      return true;
  return false;
}

/* A kernel that nothing in sight launches: its signature alone. */
static pl_host_launch by_signature(pl_host *h, const pl_host_function *f) {
  pl_host_launch l = {.kernel = f, .kernel_text = f->name,
                      .n_args = f->n_params, .smem = pl_host_int(h, 0),
                      .open_templates = f->n_templates > 0};
  l.args = PL_NEW_ARRAY(h->arena, pl_host_value, f->n_params + 1);
  for (int i = 1; i < 3; i++)
    l.grid[i] = l.block[i] = pl_host_int(h, 1);
  pl_text name = {.arena = h->arena};
  pl_text_printf(&name, "%s%s%s", f->scope, f->name,
                 f->n_templates ? "<?>" : "");
  l.kernel_text = pl_arena_cstr(h->arena, pl_text_view(&name));
  for (size_t i = 0; i < f->n_params; i++)
    if (!f->params[i].stars &&
        pl_host_is_integer(pl_host_type(h, f->params[i].type)))
      l.args[i] = pl_host_of_sym(
          pl_sym_dim(h, f->params[i].name, 512, true));
  return l;
}

static bool is_launched(const pl_host *h, const pl_host_function *f) {
  for (size_t i = 0; i < h->n_launches; i++)
    if (strcmp(h->launches[i].kernel->name, f->name) == 0)
      return true;
  return false;
}

pl_inferred_list *pl_infer_launches(const char *text, size_t len,
                                    const char *const *defines,
                                    size_t n_defines) {
  pl_arena *arena = pl_new_arena();
  pl_inferred_list *list = PL_NEW(arena, pl_inferred_list);
  pl_host *h = PL_NEW(arena, pl_host);
  size_t cap = 0;
  list->arena = arena;
  if (!pl_host_follow(h, arena, pl_arena_str(arena, text, len), defines,
                      n_defines))
    return list;
  for (size_t i = 0; i < h->n_launches; i++)
    for (int k = 0; k < 3; k++) /* a block's shape is the kernel's own */
      pl_sym_pin(h->launches[i].block[k].sym);
  for (size_t i = 0; i < h->n_launches; i++) {
    pl_inferred in = infer(h, &h->launches[i]);
    if (!is_there(list, &in))
      PL_PUSH(arena, list->items, list->n, cap, in);
  }
  for (size_t i = 0; i < h->n_functions; i++) {
    const pl_host_function *f = &h->functions[i];
    if (!f->is_kernel || !f->body || is_launched(h, f))
      continue;
    pl_host_launch l = by_signature(h, f);
    PL_PUSH(arena, list->items, list->n, cap, infer(h, &l));
  }
  return list;
}

void pl_inferred_free(pl_inferred_list *list) {
  if (list)
    pl_arena_free(list->arena);
}
