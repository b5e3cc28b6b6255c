/* diff.h - a unified diff that `git apply` and `patch -p1` take. */
#ifndef PL_DIFF_H
#define PL_DIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Prints what turns `before` into `after`, both of them the text of `path`;
 * nothing where they are equal. Returns whether they differ. */
bool pl_diff_print(FILE *out, const char *path, const char *before,
                   size_t before_size, const char *after, size_t after_size);

#endif
