/* machine_code.h - what the machine code of measured forms shows.
 *
 * The script `run` of a bundle leaves dumps beside its results.json, where
 * cuobjdump was: sass/CASE/original.sass and one for each form. Results without
 * them are as valid; then nothing is said here. */
#ifndef PL_MACHINE_CODE_H
#define PL_MACHINE_CODE_H

#include <stdbool.h>
#include <stdio.h>

#include "results.h"

/* How much to say. */
typedef enum pl_machine_words {
  PL_MACHINE_TROUBLE, /* only what was not seen */
  PL_MACHINE_VERDICT,
  PL_MACHINE_EXCERPT /* counts and the main loop, too */
} pl_machine_words;

/* May a mangled name of so many bytes be that of a kernel, `ns::gemm<16>`? */
bool pl_may_be_kernel(const char *mangled, size_t length, const char *kernel);

/* Speaks of one row; `path` is what --results names. */
void pl_machine_code_say(const char *path, const pl_result_row *row,
                         pl_machine_words words, FILE *out);

/* Do dumps show that loads do not stand before compute in that form? */
bool pl_machine_code_is_undone(const char *path, const pl_result_row *row);

#endif
