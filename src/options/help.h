/* help.h - what --help prints. */
#ifndef PL_HELP_H
#define PL_HELP_H

#include <stdio.h>

void pl_print_help(FILE *out);

#endif
