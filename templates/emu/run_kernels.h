/* run_kernels.h - the shared objects: loading one, its variables, its shared
 * memory. */
#ifndef PL_RUN_KERNELS_H
#define PL_RUN_KERNELS_H

#include "run_block.h"

static void *reserve(size_t n) {
  void *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    fprintf(out, "error\tno memory\n");
    exit(1);
  }
  return p;
}

static void save_data(Kernel *k, char *p, size_t n) {
  if (k->n_data == 8)
    return;
  auto &d = k->data[k->n_data++];
  d.p = p;
  d.n = n;
  d.saved = (char *)malloc(n);
  memcpy(d.saved, p, n);
}

/* Finds the shared memory (thread-local data) and the variables of a loaded
 * kernel; variables are put back before each run. */
static int look_at_object(struct dl_phdr_info *info, size_t, void *argument) {
  Kernel *k = (Kernel *)argument;
  if (info->dlpi_addr != k->code_base)
    return 0;
  uintptr_t from = 0, to = 0;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
      from = info->dlpi_phdr[i].p_vaddr;
      to = (from + info->dlpi_phdr[i].p_memsz + 4095) & ~(uintptr_t)4095;
    }
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *h = &info->dlpi_phdr[i];
    if (h->p_type == PT_TLS) {
      k->shared = (char *)info->dlpi_tls_data;
      k->shared_size = h->p_memsz;
    }
    if (h->p_type == PT_LOAD && (h->p_flags & PF_W)) {
      uintptr_t a = h->p_vaddr, end = a + h->p_memsz;
      if (a >= from && a < to)
        a = to;
      if (a < end)
        save_data(k, (char *)(k->code_base + a), end - a);
    }
  }
  return 1;
}

typedef void Describe(pl_kernel *);

static Describe *description(const Kernel *k, int launch) {
  char name[32];
  snprintf(name, sizeof name, "pl_kernel_%d", launch);
  return (Describe *)dlsym(k->handle, name);
}

/* The mangled name of a kernel; empty: it has none. */
static void name_kernel(const Kernel *k, const pl_kernel *entry, char *name,
                        size_t size) {
  uintptr_t at = (uintptr_t)entry->kernel - k->code_base;
  name[0] = 0;
  pl_each_symbol(k->path, [&](const ElfW(Sym) & symbol, const char *word) {
    if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_value == at &&
        strncmp(word, "_Z", 2) == 0)
      snprintf(name, size, "%s", word);
  });
}

/* `void f() { static int v; }` is called "_Z1fv" and "_ZZ1fvE1v". */
static bool is_local_of(const char *word, const char *kernel) {
  size_t n = strlen(kernel) - 2;
  return strncmp(word, "_ZZ", 3) == 0 &&
         strncmp(word + 3, kernel + 2, n) == 0 && word[3 + n] == 'E';
}

static void mark_locals(Kernel *k, const char *kernel, bool foreign) {
  pl_each_symbol(k->path, [&](const ElfW(Sym) & symbol, const char *word) {
    if (ELF64_ST_TYPE(symbol.st_info) == STT_TLS && is_local_of(word, kernel))
      for (int i = 0; i < k->n_parts; i++)
        if (k->parts[i].from == symbol.st_value)
          k->parts[i].foreign = foreign;
  });
}

static void add_part(Kernel *k, size_t from, size_t size) {
  if (k->n_parts == k->cap_parts) {
    k->cap_parts = k->cap_parts ? 2 * k->cap_parts : 32;
    k->parts = (Part *)realloc(k->parts, k->cap_parts * sizeof *k->parts);
  }
  k->parts[k->n_parts++] = {from, from + size, false};
}

static int by_place(const void *a, const void *b) {
  size_t one = ((const Part *)a)->from, two = ((const Part *)b)->from;
  return one < two ? -1 : one > two;
}

/* The pages between two objects, which the loader has filled with zeros. */
static void give_back_gap(const Kernel *k, const Part *before,
                          const Part *behind) {
  uintptr_t base = (uintptr_t)k->shared, page = 4096;
  uintptr_t from = (base + before->to + page - 1) & ~(page - 1);
  uintptr_t to = (base + behind->from) & ~(page - 1);
  if (from < to)
    madvise((void *)from, to - from, MADV_DONTNEED);
}

/* The shared objects, and what the compiler adds to them. What lies between is
 * nobody's. */
static void find_parts(Kernel *k) {
  pl_each_symbol(k->path, [&](const ElfW(Sym) & symbol, const char *) {
    if (ELF64_ST_TYPE(symbol.st_info) == STT_TLS && symbol.st_size > 0 &&
        symbol.st_value + symbol.st_size <= k->shared_size)
      add_part(k, symbol.st_value, symbol.st_size);
  });
  qsort(k->parts, (size_t)k->n_parts, sizeof *k->parts, by_place);
  for (int i = 0; i + 1 < k->n_parts; i++)
    give_back_gap(k, &k->parts[i], &k->parts[i + 1]);
}

/* Which of the shared memory the other kernels of the file declare. */
static void find_foreign(Kernel *k, int launch) {
  static char own[8192], other[8192];
  pl_kernel entry;
  if (k->foreign_to == launch + 1)
    return;
  k->foreign_to = launch + 1;
  for (int i = 0; i < k->n_parts; i++)
    k->parts[i].foreign = false;
  name_kernel(k, &k->entry, own, sizeof own);
  for (int i = 0; own[0] && i < MAX_LAUNCHES; i++)
    if (Describe *describe = description(k, i)) {
      describe(&entry);
      name_kernel(k, &entry, other, sizeof other);
      if (other[0])
        mark_locals(k, other, true);
    }
  if (own[0])
    mark_locals(k, own, false);
}

static bool load_object(Kernel *k, const char *path) {
  snprintf(k->path, sizeof k->path, "%s", path);
  k->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!k->handle) {
    fprintf(out, "unloadable\t%s\n", dlerror());
    return false;
  }
  return true;
}

static bool find_kernel(Kernel *k, int launch) {
  Dl_info info;
  Describe *describe = description(k, launch);
  if (!describe)
    return false;
  describe(&k->entry);
  dladdr((void *)describe, &info);
  if (k->n_data == 0) {
    k->code_base = (uintptr_t)info.dli_fbase;
    k->entry.thread_local_anchor[0] = 0;
    dl_iterate_phdr(look_at_object, k);
  }
  if (!k->parts)
    find_parts(k);
  find_foreign(k, launch);
  return true;
}

static void shape_shared(Region *r, int space, char *base, size_t size) {
  static Cell *cells[2];
  static u8 *flags[2];
  static size_t room[2];
  if (!cells[space] || room[space] < size) {
    room[space] = size < DYNAMIC_LIMIT ? DYNAMIC_LIMIT : 2 * size;
    cells[space] = (Cell *)reserve(sizeof(Cell) * room[space]);
    flags[space] = (u8 *)reserve(room[space]);
  }
  int shift = r->cells && r->base == (uintptr_t)base ? r->shift : 2;
  *r = {(uintptr_t)base, size, cells[space], flags[space], shift, space};
}

/* Its parts, of which each block has its own; the rest is foreign to all. */
static void shape_static(const Kernel *k) {
  static const Kernel *last;
  shape_shared(&static_shared, SPACE_STATIC, k->shared, k->shared_size);
  if (k != last)
    memset(static_shared.flags, FOREIGN, k->shared_size);
  last = k;
  static_shared.parts = k->parts;
  static_shared.n_parts = k->n_parts;
  for (int i = 0; i < k->n_parts; i++)
    if (k->parts[i].foreign)
      memset(static_shared.flags + k->parts[i].from, FOREIGN,
             k->parts[i].to - k->parts[i].from);
}

#endif
