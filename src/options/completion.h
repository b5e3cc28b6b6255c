/* completion.h - scripts that make a shell complete the command line, from the
 * table of options. */
#ifndef PL_COMPLETION_H
#define PL_COMPLETION_H

#include <stdio.h>

/* `shell` is bash, zsh or fish. */
void pl_print_completion(const char *shell, FILE *out);

#endif
