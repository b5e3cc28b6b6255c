/* run_arguments.h - the arguments of a launch: memory, and values to begin
 * with. */
#ifndef PL_RUN_ARGUMENTS_H
#define PL_RUN_ARGUMENTS_H

#include "run_kernels.h"

struct Argument {
  char kind, direction, fill; /* b i r n; i o x; r g b c */
  long long count, value, below;
  double low, high;
  char *initial, *reference;
  size_t bytes;
  bool as_reached; /* as long as the original reaches */
  u64 scalar[4];
};

struct Shape {
  dim3 grid, block;
  size_t smem;
};

struct Case {
  int id, launch, n_args;
  u64 seed;
  Shape shapes[MAX_SO]; /* of each object */
  Argument args[MAX_ARGS];
};

static char *paths[MAX_SO];
static int n_kernels, n_cases = 1, cases_done;
static double budget_ms = 1500;
static bool strict; /* what a kernel reads of its results is to be written first */

static u16 half_of(float f) {
  u32 bits;
  memcpy(&bits, &f, 4);
  u32 sign = bits >> 16 & 0x8000, m = bits & 0x7fffffff;
  if (m >= 0x477ff000)
    return (u16)(sign | 0x7c00);
  if (m < 0x38800000) {
    float scaled = (f < 0 ? -f : f) * 16777216.f;
    return (u16)(sign | (u32)(scaled + .5f));
  }
  return (u16)(sign | (((m + 0xfff + (m >> 13 & 1)) >> 13) - (112u << 10)));
}

static u16 bfloat16_of(float f) {
  u32 bits;
  memcpy(&bits, &f, 4);
  return (u16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* Writes one number as `size` bytes of a kind. */
static void put_number(char *p, int kind, unsigned size, double real,
                       long long whole) {
  float f = (float)real;
  u16 small;
  switch (kind) {
  case PL_KIND_FLOAT:
    if (size == 8)
      memcpy(p, &real, 8);
    else
      memcpy(p, &f, 4);
    return;
  case PL_KIND_HALF: small = half_of(f); memcpy(p, &small, 2); return;
  case PL_KIND_BFLOAT16: small = bfloat16_of(f); memcpy(p, &small, 2); return;
  case PL_KIND_BOOL: *p = whole != 0; return;
  default: memcpy(p, &whole, size > 8 ? 8 : size); return;
  }
}

static bool is_real(int kind) {
  return kind == PL_KIND_FLOAT || kind == PL_KIND_HALF ||
         kind == PL_KIND_BFLOAT16;
}

static void fill_number(char *p, const Argument *a, int kind, unsigned size,
                        Random *random) {
  double real = random->unit() * 2 - 1;
  long long whole = kind == PL_KIND_BOOL       ? random->below(2)
                    : kind == PL_KIND_UNSIGNED ? random->below(16)
                                               : (int)random->below(16) - 8;
  if (zeros)
    whole = 0;
  if (a->fill == 'g') {
    real = a->low + random->unit() * (a->high - a->low);
    whole = (long long)__builtin_floor(real);
  } else if (a->fill == 'b') {
    whole = (long long)(random->next() % (u64)a->below);
    real = (double)whole;
  } else if (a->fill == 'c') {
    real = a->low;
    whole = (long long)real;
  }
  put_number(p, kind, size, real, whole);
}

static void fill_buffer(Argument *a, const pl_param *p, u64 seed) {
  Random random = {seed};
  unsigned lanes = p->lanes, size = p->size / lanes;
  int kind = p->kind;
  if (kind == PL_KIND_OTHER) {
    kind = p->size % 4 == 0 ? PL_KIND_FLOAT : PL_KIND_UNSIGNED;
    size = p->size % 4 == 0 ? 4 : 1;
    lanes = p->size / size;
  }
  for (size_t i = 0; i < (size_t)a->count * lanes; i++)
    fill_number(a->initial + i * size, a, kind, size, &random);
}

static size_t next_slot;

static u8 *fresh_map(int buffer, size_t bytes) {
  static u8 *maps[MAX_ARGS];
  static size_t room[MAX_ARGS];
  if (room[buffer] < bytes + 8) {
    maps[buffer] = (u8 *)reserve(bytes + 8);
    room[buffer] = bytes + 8;
  }
  return maps[buffer];
}

static ByteUse *fresh_uses(int buffer, size_t bytes) {
  static ByteUse *uses[MAX_ARGS];
  static size_t room[MAX_ARGS];
  if (room[buffer] < bytes + 8) {
    uses[buffer] = (ByteUse *)reserve(sizeof(ByteUse) * (bytes + 8));
    room[buffer] = bytes + 8;
  }
  return uses[buffer];
}

static void place_buffer(int index, size_t bytes, bool unwritten) {
  static Cell *cells[MAX_ARGS];
  static size_t room[MAX_ARGS];
  size_t slots = bytes / SLOT + 1;
  Region *r = &buffers[n_buffers];
  for (size_t s = 0; s < slots; s++)
    slot_owner[next_slot + 1 + s] = n_buffers + 1;
  if (room[n_buffers] < bytes + 8) {
    cells[n_buffers] = (Cell *)reserve(sizeof(Cell) * (bytes + 8));
    room[n_buffers] = bytes + 8;
  }
  *r = {(uintptr_t)arena + (next_slot + 1) * SLOT, bytes, cells[n_buffers],
        NULL, 2, SPACE_ARGUMENT, index, 0, NULL, 0,
        unwritten ? fresh_map(n_buffers, bytes) : NULL,
        strict ? fresh_uses(n_buffers, bytes) : NULL};
  next_slot += slots + 1;
  n_buffers++;
}

static const char *prepare_argument(Case *c, int i, const pl_param *p) {
  Argument *a = &c->args[i];
  if (a->kind == 'b') {
    if (!p->is_pointer)
      return "the parameter is no pointer";
    a->bytes = (size_t)a->count * p->size;
    if (a->bytes > ((size_t)1 << 29) ||
        next_slot + a->bytes / SLOT + 8 > ARENA / SLOT)
      return "the buffer is too large for the emulator";
    a->initial = (char *)malloc(a->bytes + 1);
    a->reference = (char *)malloc(a->bytes + 1);
    if (a->direction == 'o')
      memset(a->initial, 0xff, a->bytes);
    else
      fill_buffer(a, p, c->seed * 1000 + (u64)i + 17);
    place_buffer(i, a->bytes, strict && a->direction == 'o');
    a->scalar[0] = buffers[n_buffers - 1].base;
  } else if (p->is_pointer) {
    if (a->kind != 'n')
      return "the parameter is a pointer";
  } else if (p->lanes != 1 || p->size > 8 ||
             (p->kind == PL_KIND_OTHER && p->size != 4)) {
    return "a parameter of this type cannot be described";
  } else if (a->kind == 'r' && !is_real(p->kind)) {
    return "the parameter is no floating type";
  } else {
    put_number((char *)a->scalar, p->kind, p->size,
               a->kind == 'r' ? a->low : (double)a->value, a->value);
  }
  return NULL;
}

static bool prepare(Case *c) {
  const pl_kernel *k = &kernels[0].entry;
  memset(slot_owner, 0, (next_slot + 4) * sizeof *slot_owner);
  n_buffers = 0;
  next_slot = 0;
  if (k->n_params != c->n_args) {
    fprintf(out, "undescribed\tthe kernel has %d parameters, the description %d\n",
           k->n_params, c->n_args);
    return false;
  }
  for (int i = 0; i < c->n_args; i++) {
    const char *why = prepare_argument(c, i, &k->params[i]);
    if (why) {
      fprintf(out, "undescribed\targument %d: %s\n", i + 1, why);
      return false;
    }
  }
  return true;
}

static void forget(Case *c) {
  for (int i = 0; i < c->n_args; i++) {
    free(c->args[i].initial);
    free(c->args[i].reference);
    c->args[i].initial = c->args[i].reference = NULL;
  }
}

static void restore(const Case *c, Kernel *k) {
  for (int i = 0; i < c->n_args; i++)
    if (c->args[i].kind == 'b')
      memcpy((void *)c->args[i].scalar[0], c->args[i].initial,
             c->args[i].bytes);
  for (int i = 0; i < n_buffers; i++)
    if (buffers[i].written)
      memset(buffers[i].written, 0, buffers[i].size);
  for (int i = 0; i < k->n_data; i++)
    memcpy(k->data[i].p, k->data[i].saved, k->data[i].n);
}

#endif
