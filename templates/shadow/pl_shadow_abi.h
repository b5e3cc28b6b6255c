/* pl_shadow_abi.h - a launch on its way from the program to the checker.
 *
 * pl_shadow.h, in the program, makes one of each launch; pl_shadow.so runs it,
 * and the rewritten kernel beside it. */
#ifndef PL_SHADOW_ABI_H
#define PL_SHADOW_ABI_H

#include <stddef.h>

enum { PL_SHADOW_VERSION = 1 };

typedef enum pl_shadow_how {
  PL_SHADOW_PLAIN,
  PL_SHADOW_COOPERATIVE,
  PL_SHADOW_EXTENDED /* with attributes */
} pl_shadow_how;

typedef struct pl_shadow_call {
  int version;
  int line;         /* of the launch in the source; 0: not known */
  int captures;     /* stream captures that the program has begun */
  void *function;   /* a CUkernel where is_kernel, else a CUfunction */
  int is_kernel;
  pl_shadow_how how;
  unsigned grid[3], block[3];
  size_t shared;    /* dynamic bytes a block */
  void *stream;     /* a CUstream */
  void **arguments; /* one pointer a parameter */
  void *attributes; /* EXTENDED: CUlaunchAttribute */
  unsigned n_attributes;
  /* Launches what the program asked for; a cudaError_t. */
  int (*run)(const struct pl_shadow_call *call);
} pl_shadow_call;

/* What pl_shadow.so offers under the name pl_shadow_run: the launch's own
 * cudaError_t. The program's memory is then as if only it had run. */
typedef int pl_shadow_run_function(const pl_shadow_call *call);

/* "pl_shadow_note": a kernel that is launched where nothing can follow. */
typedef void pl_shadow_note_function(void *function, int is_kernel,
                                     const char *reason);

/* "pl_shadow_forget": the program resets the device. */
typedef void pl_shadow_forget_function(void);

#endif
