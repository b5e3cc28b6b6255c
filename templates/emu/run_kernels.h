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
static void mark_locals(Kernel *k, const char *kernel, u8 flag) {
  size_t n = strlen(kernel) - 2;
  pl_each_symbol(k->path, [&](const ElfW(Sym) & symbol, const char *word) {
    if (ELF64_ST_TYPE(symbol.st_info) == STT_TLS &&
        strncmp(word, "_ZZ", 3) == 0 && strncmp(word + 3, kernel + 2, n) == 0 &&
        word[3 + n] == 'E' && symbol.st_value + symbol.st_size <= k->shared_size)
      memset(k->foreign + symbol.st_value, flag, symbol.st_size);
  });
}

/* What lies between the objects is nobody's. */
static void mark_gaps(Kernel *k) {
  memset(k->foreign, FOREIGN, k->shared_size);
  pl_each_symbol(k->path, [&](const ElfW(Sym) & symbol, const char *) {
    if (ELF64_ST_TYPE(symbol.st_info) == STT_TLS &&
        symbol.st_value + symbol.st_size <= k->shared_size)
      memset(k->foreign + symbol.st_value, 0, symbol.st_size);
  });
}

/* Which of the shared memory the other kernels of the file declare, or none. */
static void find_foreign(Kernel *k, int launch) {
  static char own[8192], other[8192];
  pl_kernel entry;
  if (k->foreign && k->foreign_to == launch)
    return;
  k->foreign_to = launch;
  free(k->foreign);
  k->foreign = (u8 *)calloc(k->shared_size + 1, 1);
  mark_gaps(k);
  name_kernel(k, &k->entry, own, sizeof own);
  for (int i = 0; own[0] && i < MAX_LAUNCHES; i++)
    if (Describe *describe = description(k, i)) {
      describe(&entry);
      name_kernel(k, &entry, other, sizeof other);
      if (other[0])
        mark_locals(k, other, FOREIGN);
    }
  if (own[0])
    mark_locals(k, own, 0);
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
  find_foreign(k, launch);
  return true;
}

static void shape_shared(Region *r, int space, char *base, size_t size) {
  static Cell *cells[2];
  static u8 *flags[2];
  if (!cells[space]) {
    cells[space] = (Cell *)reserve(sizeof(Cell) * DYNAMIC_LIMIT);
    flags[space] = (u8 *)reserve(DYNAMIC_LIMIT);
  }
  int shift = r->cells && r->base == (uintptr_t)base ? r->shift : 2;
  *r = {(uintptr_t)base, size, cells[space], flags[space], shift, space, 0, 0};
}

#endif
