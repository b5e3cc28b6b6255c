/* libclang.c - see libclang.h.
 *
 * Needs: the name and place of the library that the build found. Gives: its
 * functions. Raises nothing; without it there is no translation unit. */
#define _GNU_SOURCE
#include "libclang.h"

#include "frontend.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

pl_libclang_functions pl_libclang;

typedef struct entry {
  const char *name;
  size_t offset; /* in pl_libclang_functions */
} entry;

static const entry entries[] = {
#define X(name) {"clang_" #name, offsetof(pl_libclang_functions, name)},
    PL_LIBCLANG(X)
#undef X
};

static const char *libraries[] = {PL_LIBCLANG_FILE, PL_LIBLLVM_FILE, NULL};
static bool chosen; /* by the caller; the build's is not asked then */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[512];

const char *const *pl_frontend_libraries(void) { return libraries; }

/* Which LLVM it needs is found out by loading it. */
void pl_frontend_use(const char *file) {
  libraries[0] = file ? file : PL_LIBCLANG_FILE;
  libraries[1] = file ? "" : PL_LIBLLVM_FILE;
  chosen = file != NULL;
}

static void miss(void) {
  const char *why = dlerror();
  if (chosen) {
    snprintf(failure, sizeof failure,
             "libclang cannot be loaded (%s): 17 or newer is needed",
             why ? why : libraries[0]);
    return;
  }
  snprintf(failure, sizeof failure,
           "libclang cannot be loaded (%s): install it (Debian: %s)",
           why ? why : PL_LIBCLANG_SONAME, PL_LIBCLANG_PACKAGE);
}

/* The one that was chosen and no other; else the one that the build found, or,
 * where that is elsewhere now, the system's. */
static void *open_library(void) {
  void *library = dlopen(libraries[0], RTLD_LAZY | RTLD_LOCAL);
  return library || chosen ? library
                           : dlopen(PL_LIBCLANG_SONAME, RTLD_LAZY | RTLD_LOCAL);
}

/* It stays: what clang registers when it is loaded has no end. */
static void load(void) {
  void *library = open_library();
  if (!library)
    miss();
  for (size_t i = 0; library && i < sizeof entries / sizeof *entries; i++) {
    void *function = dlsym(library, entries[i].name);
    if (!function) {
      miss();
      return;
    }
    memcpy((char *)&pl_libclang + entries[i].offset, &function, sizeof function);
  }
}

const char *pl_frontend_load(void) {
  pthread_once(&once, load);
  return failure[0] ? failure : NULL;
}

void pl_frontend_version(char *buffer, size_t size) {
  const char *missing = pl_frontend_load();
  if (missing) {
    snprintf(buffer, size, "%s", missing);
    return;
  }
  CXString version = clang_getClangVersion();
  const char *text = clang_getCString(version);
  snprintf(buffer, size, "%s", text ? text : "");
  clang_disposeString(version);
}
